() => {
    const column = document.querySelector(".bd-article") || document.body;
    const shown = (element) => element.getClientRects().length > 0;
    const lines = (paragraph) => {
        const range = document.createRange();
        range.selectNodeContents(paragraph);
        const rows = [...range.getClientRects()].map((box) => Math.round(box.bottom / 12));
        return new Set(rows).size;
    };
    const long = [...column.querySelectorAll("section > p")].filter(
        (p) => shown(p) && !p.querySelector("math, mjx-container, .math") && p.textContent.length > 300);
    const pictures = [...column.querySelectorAll(".picture > svg")].filter(shown);
    const top = (element) => Math.round(element.getBoundingClientRect().top + scrollY);
    const code = [...column.querySelectorAll("div.cell_input")].filter(shown);
    const height = document.documentElement.scrollHeight;
    return {
        height,
        nodes: document.querySelectorAll("*").length,
        column: Math.round(column.getBoundingClientRect().width),
        characters: long.map((p) => p.textContent.length / lines(p)),
        pictures: pictures.map((svg) => Math.round(svg.getBoundingClientRect().width)),
        first: pictures.length ? top(pictures[0]) : null,
        code: Math.round(100 * code.reduce((sum, box) => sum + box.getBoundingClientRect().height, 0) / height),
        captions: column.querySelectorAll("figcaption").length,
    };
}
