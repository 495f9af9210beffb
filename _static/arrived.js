// Who comes to a section from elsewhere, from a search engine say, is told in a line of which book it is, and the
// short answer of its chapter. The line lies over the end of the window, so that the section stays where it is.
document.addEventListener("DOMContentLoaded", () => {
  const short = document.querySelector(".opening > p");
  const [arrival] = performance.getEntriesByType("navigation");
  const isFile = location.protocol === "file:"; // files tell nothing of the page before
  const inside = isFile || (document.referrer && new URL(document.referrer).origin === location.origin);
  if (!short || location.hash.length < 2 || inside || arrival?.type !== "navigate") return;
  const book = document.querySelector(".about-chapter a:last-child");
  const link = make("a", { href: book.href, textContent: book.textContent });
  const where = make("p", {}, `${document.querySelector("h1").firstChild.textContent.trim()}, a chapter of `, link, ".");
  const close = make("button", { type: "button", className: "btn btn-sm", textContent: "Close" });
  const words = make("p", { textContent: short.textContent });
  const line = make("aside", { className: "arrived" }, make("div", {}, where, words), close);
  line.setAttribute("aria-label", "Where you are");
  close.addEventListener("click", () => line.remove());
  document.body.append(line);
});
