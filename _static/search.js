// The search opens with a button, with Ctrl+K (⌘K) and with /. Nothing of it is loaded before; on the page of the search
// the index comes with the first letter. Scripts, not fetched files, so that it works in a book that is opened from a folder.
(() => {
  const root = new URL(document.documentElement.dataset.content_root || "./", document.baseURI);
  const names = ["minisearch", "index", "ranking"];
  let dialog, loading;

  function load(name) {
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = new URL(`_static/search/${name}.js`, root);
      script.async = false;
      script.onload = resolve;
      script.onerror = () => reject(new Error(`${script.src} is not there`));
      document.head.append(script);
    });
  }

  function withDialog(act) {
    dialog ??= load("dialog");
    dialog.then(() => act(window.bookDialog));
  }

  // What is looked through, which is most of the weight.
  function index() {
    loading ??= names.map(load);
    return Promise.all(loading);
  }

  function open(event) {
    event.preventDefault();
    event.stopImmediatePropagation(); // the theme has a field of its own
    const field = document.querySelector("#book-search input");
    if (field) field.focus();
    else withDialog((made) => made.open(root, index));
  }

  const typing = (target) => target.closest?.("input, textarea, select, [contenteditable]");
  window.addEventListener(
    "keydown",
    (event) => {
      const ctrlK = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && /^k$/i.test(event.key);
      const slash = event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey && !typing(event.target);
      if (ctrlK || slash) open(event);
    },
    true,
  );
  document.addEventListener(
    "click",
    (event) => {
      if (event.target.closest?.(".search-button__button, .doors a[href='search.html']")) open(event);
    },
    true,
  );
  document.addEventListener("DOMContentLoaded", () => {
    document.querySelector(".search-button__wrapper")?.remove();
    const page = document.getElementById("book-search");
    if (page) withDialog((made) => made.fill(page, root, index));
  });
})();
