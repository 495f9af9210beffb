// Where the focus is now, or nothing at the end of the page, and whether it can be seen.
() => {
    const here = document.activeElement;
    if (!here || here === document.body) return null;
    const style = getComputedStyle(here);
    const outlined = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
    const box = here.getBoundingClientRect();
    return {
        place: window.marked.indexOf(here),
        what: here.outerHTML.slice(0, 120),
        seen: outlined || style.boxShadow !== "none",
        there: box.width > 0 && box.height > 0 && box.right > 0 && box.left < innerWidth,
    };
}
