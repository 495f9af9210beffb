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
window.addEventListener("hashchange", openTarget);

// Who goes back to a page finds the text that was read, and the side road that it stands in. The browser knows a height only,
// and a page whose widgets have not come is less high.
const inText = () => [...document.querySelectorAll(".bd-article :is(p, li, h2, h3, h4, figure):not(:is(.touch, [data-touch], .book-card) *)")];
const placeName = `place:${location.pathname}`;
window.addEventListener("pagehide", () => {
  const seen = (node) => node.getClientRects().length && !node.closest("details:not([open])");
  const inSight = inText().findIndex((node) => seen(node) && node.getBoundingClientRect().bottom > 60);
  if (inSight >= 0) keepPlace([inSight, inText()[inSight].getBoundingClientRect().top]);
});

function keepPlace(place) {
  try {
    sessionStorage.setItem(placeName, JSON.stringify(place));
  } catch {
    // nothing is kept: the browser's own height will do
  }
}

function placeLeft() {
  const [arrival] = performance.getEntriesByType("navigation");
  if (arrival?.type !== "back_forward") return null;
  try {
    const [number, top] = JSON.parse(sessionStorage.getItem(placeName));
    const node = inText()[number];
    return node && { node, top };
  } catch {
    return null;
  }
}

function bringBack({ node, top }) {
  for (let box = node; box; box = box.parentElement) if (box.matches("details")) box.open = true;
  scrollBy({ top: node.getBoundingClientRect().top - top, behavior: "instant" });
}

// Until the reader moves, or for five seconds, the place is brought again whenever the page takes another height.
window.addEventListener("load", () => {
  const left = placeLeft();
  const bring = left ? () => bringBack(left) : () => document.querySelector(":target")?.scrollIntoView({ behavior: "instant" });
  if (left) bring();
  else openTarget();
  const follow = new ResizeObserver(bring);
  follow.observe(document.querySelector(".bd-article") ?? document.body);
  const stop = () => follow.disconnect();
  for (const kind of ["wheel", "touchstart", "pointerdown", "keydown"]) addEventListener(kind, stop, { once: true, passive: true });
  setTimeout(stop, 5000);
});

// What one reads stays where it is while something else grows: the text or figure that begins nearest to a line of the
// window; without a line, the target of the address if it is in sight, or else the first. Safari keeps no place by itself, and Chromium none
// before the reader has scrolled.
function keepingPlace(change, line) {
  const head = 60; // the header of the page
  const top = (node) => node.getBoundingClientRect().top;
  const folded = (node) => node.closest("details:not([open])"); // what is folded has a place, too, which nobody sees
  const isShown = (node) => node?.getClientRects().length > 0 && !folded(node);
  const inSight = (node) => isShown(node) && node.getBoundingClientRect().bottom >= head && top(node) < innerHeight; // a part will do
  const far = (node) => Math.abs(top(node) - (line ?? head));
  const target = line === undefined && document.querySelector(".bd-article :target");
  const names = line === undefined ? "p, li, h2, h3, h4, figure" : "p, li, h2, h3, h4";
  const texts = [...document.querySelectorAll(`.bd-article :is(${names}):not(:is(figure, summary, [data-touch]) *)`)].filter(isShown);
  const near = texts.some(inSight) ? texts.filter(inSight) : texts; // a widget may fill a phone's window
  const place = inSight(target || null) ? target : near.sort((a, b) => far(a) - far(b))[0];
  const before = place && top(place);
  document.documentElement.style.overflowAnchor = "none"; // or a browser that keeps the place would move it twice
  change();
  if (place) scrollBy({ top: top(place) - before, behavior: "instant" });
  requestAnimationFrame(() => document.documentElement.style.removeProperty("overflow-anchor"));
}
