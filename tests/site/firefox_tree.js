// The tree of accessibility of the page that Firefox shows, as JSON: [[depth, role, [name, value, description], states, id], ...].
async () => {
    const service = Cc["@mozilla.org/accessibilityService;1"].getService(Ci.nsIAccessibilityService);
    globalThis.tree = service; // it lives as long as somebody has it
    const later = (time) => new Promise((done) => setTimeout(done, time));
    const states = (one) => {
        const [own, more] = [{}, {}];
        one.getState(own, more);
        return [...service.getStringStates(own.value, more.value)];
    };
    const document_ = () => service.getAccessibleFor(gBrowser.selectedBrowser)?.firstChild;
    for (let i = 0; i < 100 && (!document_()?.childCount || states(document_()).includes("busy")); i += 1) await later(50);
    await later(200);
    const attribute = (one, name) => {
        try {
            return one.attributes.getStringProperty(name);
        } catch {
            return "";
        }
    };
    const TOLD = { pressed: "pressed true", expanded: "expanded true", collapsed: "expanded false" };
    const found = [];
    const walk = (one, depth) => {
        const role = service.getStringRole(one.role);
        const words = [one.name, role === "link" ? "" : one.value, one.description].map((text) => text ?? "");
        const id = attribute(one, "id");
        const own = role === "text leaf" ? [] : states(one).map((state) => TOLD[state]).filter(Boolean);
        if (role === "toggle button" && !own.includes("pressed true")) own.push("pressed false");
        found.push([depth, role, role === "text leaf" ? [words[0], "", ""] : words, own, id]);
        for (let i = 0; i < one.childCount; i += 1) walk(one.getChildAt(i), depth + 1);
    };
    walk(document_(), 0);
    return JSON.stringify(found);
}
