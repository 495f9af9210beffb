// What the formulas of the open explanation come to, from their MathML, beside the result that is shown.
() => {
    const written = (node) => {
        const inner = () => [...node.children].map(written).join(" ");
        const [first, second] = node.children;
        switch (node.localName) {
            case "mn": return node.textContent;
            case "mo": return { "−": "-", "·": "*", "\u2061": "" }[node.textContent] ?? node.textContent;
            case "mspace": return "";
            case "mfrac": return `(${written(first)} / ${written(second)})`;
            case "msup": return `${written(first)} ** ${written(second)}`;
            case "msub": return "* Math.log2"; // log, its base, and the fraction after it in brackets
            default: return inner();
        }
    };
    return [...document.querySelectorAll(".explained-line")].map((line) => {
        const formula = [...line.querySelectorAll("math")].map(written).join(" ");
        return { name: line.querySelector("h4").firstChild.textContent.trim(), formula, value: eval(formula),
            shown: line.querySelector(".explained-sum b").textContent };
    });
}
