// A link may lead into something folded, as a solution: what is folded around the target opens, and the target's own output.
const openTarget = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  for (let box = target; box; box = box.parentElement) {
    if (box.matches("details")) box.open = true;
    if (box.matches(".toggle-hidden")) box.querySelector("button.toggle-button")?.click();
  }
  for (const fold of target.querySelectorAll(":scope > details.aside, .cell_output details")) fold.open = true;
  target.scrollIntoView({ behavior: "instant" });
};
window.addEventListener("load", openTarget);
window.addEventListener("hashchange", openTarget);

// What one reads stays where it is while something above it grows: the target of the address, if it is in sight, or else
// the first text in the window. Safari keeps no place by itself, and Chromium none before the reader has scrolled.
function keepingPlace(change) {
  const head = 60; // the header of the page
  const inSight = (node) => {
    const { top, height } = node.getBoundingClientRect();
    return height > 0 && top >= head && top < innerHeight;
  };
  const places = document.querySelectorAll(".bd-article :target, .bd-article :is(p, li, h2, h3, h4):not(figure *)");
  const place = [...places].sort((a, b) => b.matches(":target") - a.matches(":target")).find(inSight);
  const before = place?.getBoundingClientRect().top;
  document.documentElement.style.overflowAnchor = "none"; // or a browser that keeps the place would move it twice
  change();
  if (place) scrollBy({ top: place.getBoundingClientRect().top - before, behavior: "instant" });
  requestAnimationFrame(() => document.documentElement.style.removeProperty("overflow-anchor"));
}
