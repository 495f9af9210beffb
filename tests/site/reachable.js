// Everything that can be reached, in the order of the page; the same names as HERE gives.
() => {
    window.marked = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]")]
        .filter((element) => element.tabIndex >= 0 && !element.disabled && !element.closest("[inert], dialog:not([open])")
            && element.checkVisibility({ visibilityProperty: true }));
    return window.marked.map((element, place) => `${place} ${element.outerHTML.slice(0, 120)}`);
}
