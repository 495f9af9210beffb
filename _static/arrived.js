// Who comes to a section from elsewhere, from a search engine say, is told in a few lines of which book it is, what its
// chapter asks, and the short answer. They lie over the end of the window, so that the section stays where it is.
document.addEventListener("DOMContentLoaded", () => {
  const [arrival] = performance.getEntriesByType("navigation");
  const isFile = location.protocol === "file:"; // files tell nothing of the page before
  const inside = isFile || (document.referrer && new URL(document.referrer).origin === location.origin);
  const book = document.querySelector(".about-chapter a:last-child");
  if (!book || location.hash.length < 2 || inside || arrival?.type !== "navigate") return;
  const title = document.querySelector("h1");
  const chapter = make("a", { href: `#${title.parentElement.id}`, textContent: title.firstChild.textContent.trim() });
  const link = make("a", { href: book.href, textContent: book.textContent });
  const words = [make("p", {}, chapter, ", a chapter of ", link, ".")];
  const short = document.querySelector(".opening > p:not(.about-chapter)")?.cloneNode(true);
  if (short) {
    short.querySelector("strong")?.remove(); // "In short."
    const said = document.querySelector("h1 ~ p").textContent.match(/\S[^]*?[.?!](?=\s|$)|\S[^]*\S/g) ?? [];
    const last = said.findLastIndex((sentence) => sentence.endsWith("?"));
    const asked = said.slice(Math.max(0, last - 1), last + 1).join(" "); // with the sentence before, which it may take up
    const answer = short.textContent.replace(/\s*Figure [\d.]+ [^?!]*$/, "").trim(); // which figure shows it is of use beside it
    words.push(make("p", {}, ...(asked ? [make("strong", { textContent: asked }), " "] : []), answer));
  }
  const close = make("button", { type: "button", className: "btn btn-sm", textContent: "Close" });
  const line = make("aside", { className: "arrived" }, make("div", {}, ...words), close);
  line.setAttribute("aria-label", "Where you are");
  close.addEventListener("click", () => line.remove());
  chapter.addEventListener("click", () => line.remove());
  document.body.append(line);
});
