// What is wider than the window or than a box that cuts it off, unless a box around it scrolls.
() => {
    const window_ = document.documentElement.clientWidth;
    const named = (element) => `${element.tagName.toLowerCase()}#${element.id}.${element.getAttribute("class") || ""}`;
    const found = [];
    const hidden = "mjx-assistive-mml, .visually-hidden, .sr-only, [hidden], [inert]";
    for (const element of document.querySelectorAll(".bd-article :is(svg, table, pre, img, math, mjx-container, iframe)")) {
        const box = element.getBoundingClientRect();
        if (!box.width || element.closest(hidden)) continue;
        let above = element;
        while ((above = above.parentElement)) {
            const overflow = getComputedStyle(above).overflowX;
            const frame = above.getBoundingClientRect();
            if (["auto", "scroll"].includes(overflow)) break;
            if (overflow !== "visible" && (box.right > frame.right + 1 || box.left < frame.left - 1)) {
                found.push(`${named(element)} is cut off by ${named(above)}`);
                break;
            }
        }
    }
    if (document.documentElement.scrollWidth > window_) {
        const wide = [...document.body.querySelectorAll("*")].filter((element) => {
            if (element.getBoundingClientRect().right <= window_ + 1) return false;
            let above = element;
            while ((above = above.parentElement)) {
                if (getComputedStyle(above).overflowX !== "visible" && above !== document.body) return false;
            }
            return ![...element.children].some((child) => child.getBoundingClientRect().right > window_ + 1);
        });
        found.push(`the page scrolls sideways, for: ${wide.slice(0, 5).map(named).join("; ") || "?"}`);
    }
    return [...new Set(found)];
}
