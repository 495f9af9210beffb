// A figure can be seen as large as the window, for a projector or small print; and a link to a place is copied by a press.
function largeFigure(figure) {
  const label = figure.querySelector(".figure-number").textContent.replace(/\.$/, "");
  const picture = make("div", { className: "large-picture" });
  const words = make("p", {}, ...[...figure.querySelector("figcaption").childNodes].map((node) => node.cloneNode(true)));
  words.querySelectorAll("button, .headerlink, .link-copied").forEach((part) => part.remove());
  for (const svg of figure.querySelectorAll(".picture > svg")) {
    const copy = svg.cloneNode(true);
    copy.removeAttribute("data-explained");
    copy.style.minWidth = 0;
    copy.querySelectorAll("[tabindex]").forEach((node) => ["tabindex", "role", "aria-haspopup"].forEach((name) => node.removeAttribute(name)));
    picture.append(copy);
  }
  const close = make("button", { type: "button", className: "search-close", textContent: "✕" });
  const dialog = make("dialog", { className: "large-figure" }, close, picture, words);
  close.setAttribute("aria-label", "Close the large figure");
  dialog.setAttribute("aria-label", label);
  dialog.addEventListener("click", (event) => !event.target.closest("a") && dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

function offerLargeFigures() {
  for (const figure of document.querySelectorAll(".bd-article figure.captioned:not(:has([data-touch]))")) {
    const number = figure.querySelector(".figure-number")?.textContent.replace(/\.$/, "");
    if (!number || !figure.querySelector(".picture > svg")) continue;
    const button = make("button", { type: "button", className: "enlarge no-print", textContent: "enlarge" });
    button.setAttribute("aria-label", `Enlarge ${number.toLowerCase()}`);
    button.addEventListener("click", () => largeFigure(figure));
    figure.querySelector("figcaption").append(" ", button);
  }
}

function copyLinks() {
  if (!navigator.clipboard) return; // as on a page without https
  document.querySelectorAll(".bd-article .headerlink").forEach((link) => (link.title = link.title.replace(/^Link to/, "Copy a link to")));
  document.addEventListener("click", async (event) => {
    const link = event.target.closest?.(".bd-article .headerlink");
    if (!link) return;
    const told = make("span", { className: "link-copied" });
    told.setAttribute("role", "status");
    link.parentElement.append(told);
    setTimeout(() => told.remove(), 2500);
    try {
      await navigator.clipboard.writeText(link.href);
      told.textContent = "link copied";
    } catch {
      told.textContent = "the link stands in the address bar";
    }
  });
}

document.addEventListener("DOMContentLoaded", () => {
  offerLargeFigures();
  copyLinks();
});
