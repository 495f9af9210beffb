// The map of the first page. Point at the card of a chapter, reach it with Tab or tap it: the chapters that it needs light
// up, and those that build on it. On a phone, where they are out of sight, the card says their numbers. A button for each
// road through the book lights its chapters.
document.addEventListener("DOMContentLoaded", () => {
  const map = document.querySelector(".map");
  if (!map) return;
  const cards = new Map();
  for (const mark of map.querySelectorAll("li > .chapter, li > p > .chapter")) {
    const needs = mark.dataset.needs.split(" ").filter(Boolean).map(Number);
    cards.set(Number(mark.textContent), { item: mark.closest("li"), needs });
  }
  const all = (of) => new Set([...of].flatMap((k) => [k, ...all(cards.get(k).needs)]));
  for (const card of cards.values()) card.needs = all(card.needs);

  let kept = null; // tapped, until something else is
  let road = null; // the chapters of the road whose button is pressed
  function mark(lit, role) {
    map.classList.toggle("lit", lit);
    for (const [number, { item, needs }] of cards) {
      const said = role(number, needs);
      if (said) item.dataset.lit = said;
      else delete item.dataset.lit;
    }
  }

  function light(chapter) {
    if (chapter === null) {
      mark(road !== null, (number) => road?.has(number) && "needed");
      return;
    }
    mark(true, (number, needs) => {
      const is = { here: number === chapter, needed: cards.get(chapter).needs.has(number), next: needs.has(chapter) };
      return Object.keys(is).find((name) => is[name]);
    });
  }

  const numbers = (list) => (list.length ? list.join(", ") : "none");
  function tell(chapter) {
    map.querySelector(".told")?.remove();
    if (chapter === null) return;
    const { item, needs } = cards.get(chapter);
    const told = document.createElement("small");
    const after = [...cards.keys()].filter((number) => cards.get(number).needs.has(chapter));
    told.className = "told";
    told.textContent = `Needs: ${numbers([...needs].sort((a, b) => a - b))}. Leads to: ${numbers(after)}.`;
    item.append(told);
  }

  function button(of) {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = of.closest("li").querySelector("strong").textContent;
    made.setAttribute("aria-pressed", "false");
    made.addEventListener("click", () => {
      const on = made.getAttribute("aria-pressed") === "false";
      for (const other of made.parentElement.children) other.setAttribute("aria-pressed", String(on && other === made));
      road = on ? new Set(of.dataset.chapters.split(" ").map(Number)) : null;
      light(kept);
    });
    return made;
  }

  const row = document.createElement("div");
  row.className = "roads";
  row.setAttribute("role", "group");
  row.setAttribute("aria-label", "Roads through the book");
  row.append(...[...document.querySelectorAll(".road")].map(button));
  map.prepend(row);

  for (const [number, { item }] of cards) {
    item.addEventListener("pointerenter", (event) => event.pointerType === "mouse" && light(number));
    item.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && light(kept));
    item.addEventListener("focusin", () => light(number));
    item.addEventListener("focusout", () => light(kept));
    item.addEventListener("pointerup", (event) => {
      if (event.pointerType === "mouse" || event.target.closest("a")) return;
      kept = kept === number ? null : number;
      light(kept);
      tell(kept);
    });
  }
});
