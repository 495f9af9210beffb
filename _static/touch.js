// Widgets: their scripts are asked for when a reader comes near the first one, those of this page alone. A widget then takes
// the place of the picture in its figure; should its script not come, the picture stays.
(() => {
  const root = new URL(document.documentElement.dataset.content_root || "./", document.baseURI);
  const NEEDS = { grow: ["arithmetic"], explained: ["arithmetic"] }; // what some use besides what all do

  const coming = {};

  // A script of a widget, after those that it needs.
  function script(name, needs) {
    coming[name] ??= needs.then(
      () =>
        new Promise((resolve) => {
          const made = document.createElement("script");
          made.src = new URL(`_static/touch/${name}.js`, root);
          made.onload = resolve;
          document.head.append(made);
        }),
    );
    return coming[name];
  }

  const load = (name) => ["touch", ...(NEEDS[name] ?? []), name].reduce((before, each) => script(each, before), Promise.resolve());

  async function start(name) {
    await load(name);
    keepingPlace(() => document.querySelectorAll(`[data-touch="${name}"]`).forEach(window.touch.start));
  }

  // Pictures of trees: each card is a button that explains itself. Tab reaches the root, the arrows the others.
  const cardOf = (event) => (event.target.closest?.(".book-card") ? null : event.target.closest?.("svg[data-explained] [data-node]"));
  const KEYS = ["Enter", " ", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"];

  function offer(svg) {
    const desc = svg.querySelector("desc");
    const said = desc.textContent.split(/ (?=Node \d|Highlighted)/);
    const cards = svg.querySelectorAll("[data-node]");
    svg.setAttribute("role", "group");
    svg.removeAttribute("aria-label"); // it has a title, which would be said as well
    desc.textContent = said.slice(cards.length).join(" "); // what is left to say: each card says its own words
    cards.forEach((card, i) => {
      for (const [name, value] of Object.entries({ role: "button", tabindex: i ? -1 : 0, "aria-label": said[i], "aria-haspopup": "dialog" })) {
        card.setAttribute(name, value);
      }
    });
  }

  function press(event) {
    const card = cardOf(event);
    if (!card || (event.type === "keydown" && !KEYS.includes(event.key))) return;
    event.preventDefault();
    load("explained").then(() => window.touch.explained(card, event.key));
  }

  // Safari shows the focus on a part of a picture only where it is already in sight.
  function bringIntoSight(event) {
    const box = cardOf(event)?.getBoundingClientRect();
    if (box && (box.bottom > innerHeight || box.top < 0)) scrollBy({ top: box.top - innerHeight / 3, behavior: "instant" });
  }

  document.addEventListener("DOMContentLoaded", () => {
    const trees = document.querySelectorAll("svg[data-explained]");
    if (trees.length && HTMLElement.prototype.showPopover) {
      trees.forEach(offer);
      const first = [...trees].find((svg) => !svg.closest("figure")?.querySelector("[data-touch]"));
      first?.closest(".picture").insertAdjacentHTML("afterend", '<p class="touch-hint noprint">Press a node to see where its numbers come from.</p>');
      for (const kind of ["click", "keydown"]) document.addEventListener(kind, press);
      document.addEventListener("focusin", bringIntoSight);
      for (const kind of ["pointerover", "focusin"]) document.addEventListener(kind, (event) => cardOf(event) && load("explained"));
    }
    const boxes = [...document.querySelectorAll("[data-touch]")];
    if (!boxes.length) return;
    const near = new IntersectionObserver(
      (seen) => {
        if (!seen.some((entry) => entry.isIntersecting)) return;
        near.disconnect();
        for (const name of new Set(boxes.map((box) => box.dataset.touch))) start(name);
      },
      { rootMargin: "1200px" },
    );
    for (const box of boxes) near.observe(box.previousElementSibling ?? box.parentElement); // a hidden box has no place
  });
})();
