// Play with every widget of the page in an order that is the same in each browser: press, slide, type; return what the
// widget says after each step.
async () => {
    const match = window.matchMedia.bind(window);
    window.matchMedia = (query) => (query.includes("reduced-motion") ? { matches: true, addEventListener() {} } : match(query));
    const boxes = [...document.querySelectorAll("[data-touch]")];
    (boxes[0]?.previousElementSibling ?? boxes[0]?.parentElement)?.scrollIntoView({ behavior: "instant" });
    for (let waited = 0; waited < 200 && !boxes.every((box) => box.dataset.started); waited += 1) {
        await new Promise((done) => setTimeout(done, 50));
    }
    const later = () => new Promise((done) => setTimeout(done, 30));
    const said = [];
    const says = (box) => box.textContent.normalize("NFKC").replace(/\s+/g, " ").trim();
    for (const box of boxes) {
        const name = box.dataset.touch;
        said.push(`${name} begins: ${says(box)}`);
        for (let step = 0; step < 16; step += 1) {
            const controls = [...box.querySelectorAll("button, input, select")].filter((control) => !control.disabled);
            if (!controls.length) break;
            const control = controls[(7 * step + 3) % controls.length];
            if (control.type === "range") {
                const { min, max } = control;
                control.value = Number(min) + ((13 * step + 5) % (Number(max) - Number(min) + 1));
                control.dispatchEvent(new Event("input", { bubbles: true }));
            } else if (control.localName === "input" && control.type !== "checkbox" && control.type !== "radio") {
                control.value = "0.5";
                control.dispatchEvent(new Event("input", { bubbles: true }));
            } else control.click();
            await later();
            said.push(`${name}, step ${step}: ${says(box)}`);
        }
    }
    return said;
}
