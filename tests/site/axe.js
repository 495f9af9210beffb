// What axe finds. Each rule looks at the whole page; only that of the contrast, which takes ten times as long as all
// others, looks at one of all the texts that have the same color, size and weight on the same background.
async () => {
    const backgrounds = new Map();
    const background = (element) => {
        if (!element) return "";
        if (!backgrounds.has(element)) {
            const { backgroundColor, backgroundImage, opacity } = getComputedStyle(element);
            const own = `${backgroundColor} ${backgroundImage} ${opacity};`;
            const hidesAll = backgroundColor.startsWith("rgb(") && opacity === "1";
            const isNone = own === "rgba(0, 0, 0, 0) none 1;";
            backgrounds.set(element, hidesAll ? own : background(element.parentElement) + (isNone ? "" : own));
        }
        return backgrounds.get(element);
    };
    const looks = new Map();
    for (const element of document.body.querySelectorAll("*")) {
        const hasText = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
        if (!hasText && !element.matches("input, select, textarea")) continue;
        if (!element.checkVisibility({ visibilityProperty: true })) continue;
        const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element);
        const look = [element.localName === "a", color, fontSize, fontWeight, textShadow, background(element)].join();
        if (!looks.has(look)) looks.set(look, element);
    }
    const brief = { resultTypes: ["violations"], selectors: false };
    const all = await axe.run({ ...brief, rules: { "color-contrast": { enabled: false } } });
    const contrast = await axe.run({ include: [...looks.values()] }, { ...brief, runOnly: ["color-contrast"] });
    return [...all.violations, ...contrast.violations].map(
        ({ id, nodes }) => `${id}, ${nodes.length} times: ${nodes[0].html.slice(0, 300)}`);
}
