// Where the focus is now, or nothing at the end of the page, and whether it can be seen.
() => {
    const here = document.activeElement;
    if (!here || here === document.body) return null;
    const drawn = [here, ...here.children]; // of a fold in the table of contents only the arrow has a size
    const ringed = drawn.some((element) => {
        const style = getComputedStyle(element);
        const outlined = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
        return outlined || style.boxShadow !== "none";
    });
    const inWindow = drawn.some((element) => {
        const box = element.getBoundingClientRect();
        return box.width > 0 && box.height > 0 && box.right > 0 && box.left < innerWidth;
    });
    return {
        place: window.marked.indexOf(here),
        what: here.outerHTML.slice(0, 120),
        seen: ringed,
        there: inWindow,
    };
}
