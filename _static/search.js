// The search opens with a button, with Ctrl+K (⌘K) and with /. Nothing of it is loaded before. Scripts, not fetched files,
// so that it works in a book that is opened from a folder.
(() => {
  const root = new URL(document.documentElement.dataset.content_root || "./", document.baseURI);
  const names = ["dialog", "minisearch", "index", "ranking"];
  let loading;

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

  function ready() {
    loading ??= names.map(load);
    return { dialog: loading[0], all: Promise.all(loading) };
  }

  function open(event) {
    event.preventDefault();
    event.stopImmediatePropagation(); // the theme has a field of its own
    const field = document.querySelector("#book-search input");
    const { dialog, all } = ready();
    if (field) field.focus();
    else dialog.then(() => window.bookDialog.open(root, all));
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
      if (event.target.closest?.(".search-button__button")) open(event);
    },
    true,
  );
  document.addEventListener("DOMContentLoaded", () => {
    document.querySelector(".search-button__wrapper")?.remove();
    const page = document.getElementById("book-search");
    if (page) {
      const { dialog, all } = ready();
      dialog.then(() => window.bookDialog.fill(page, root, all));
    }
  });
})();
