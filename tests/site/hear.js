// Play with every widget of the page, and return what its live places say after each step:
// [{ widget, step, value, said: [what has changed], again: [what has been put there again] }, ...]; `value` is what a slider says.
async () => {
    const boxes = [...document.querySelectorAll("[data-touch]"), document.querySelector(".question"), document.querySelector(".exercise")].filter(Boolean);
    const frames = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    const live = () => [...document.querySelectorAll("[aria-live=polite], [role=status], output")]
        .filter((place) => !place.closest("[aria-hidden=true]") && place.checkVisibility({ visibilityProperty: true }));
    const text = (place) => place.textContent.replace(/\s+/g, " ").trim();
    const changed = new Set();
    const watch = new MutationObserver((all) => all.forEach(({ target }) => {
        const place = (target.closest ? target : target.parentElement)?.closest("[aria-live=polite], [role=status], output");
        if (place) changed.add(place);
    }));
    watch.observe(document.body, { childList: true, characterData: true, subtree: true });
    const found = [];
    for (const box of boxes) {
        for (let fold = box; (fold = fold.parentElement); ) if (fold.nodeName === "DETAILS") fold.open = true;
    }
    await frames();
    for (const box of boxes) {
        const sliders = [...box.querySelectorAll("input[type=range]")];
        for (let step = 0; step < (sliders.length ? 10 : 5); step += 1) {
            const controls = [...box.querySelectorAll("button, input, summary")]
                .filter((control) => !control.disabled && control.checkVisibility({ visibilityProperty: true }) && !control.closest(".shown-by, a"));
            if (!controls.length) break;
            const control = controls[(5 * step) % controls.length];
            const slides = sliders.length && step % 2 === 0;
            const moved = slides ? sliders[(step / 2) % sliders.length] : control;
            if (moved.type === "range") {
                const { min, max } = moved;
                const values = Number(max) - Number(min) + 1;
                const next = Number(min) + ((Number(moved.value) - Number(min) + 1 + 3 * step) % values);
                moved.value = next;
            } else if (moved.form) {
                moved.form.querySelector("input").value = `0.${step + 3}`; // another guess, which is judged anew
            }
            const before = new Map(live().map((place) => [place, text(place)]));
            changed.clear();
            if (moved.type === "range") moved.dispatchEvent(new Event("input", { bubbles: true }));
            else if (moved.form) moved.form.requestSubmit();
            else moved.click();
            await frames();
            const places = live().filter((place) => changed.has(place));
            const same = (place) => before.get(place) === text(place);
            found.push({
                widget: box.dataset.touch ?? box.className,
                step: `${moved.getAttribute("aria-label") ?? moved.closest("label")?.firstChild.textContent ?? moved.textContent}`.trim(),
                value: moved.getAttribute("aria-valuetext") ?? "",
                said: places.filter((place) => !same(place)).map(text),
                again: places.filter(same).map(text),
            });
        }
    }
    watch.disconnect();
    return found;
}
