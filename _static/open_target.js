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
