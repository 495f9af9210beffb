// The search opens with a button, with Ctrl+K (⌘K) and with /. The field is made here, so that no letter is lost that is
// typed at once. What is looked through and what shows it come when the dialog opens; on the page of the search with the
// first letter. Scripts, not fetched files, so that it works in a book that is opened from a folder.
(() => {
  const root = new URL(document.documentElement.dataset.content_root || "./", document.baseURI);
  const names = ["minisearch", "index", "words", "asked", "ranking", "results"];
  const FIELD = `<form role="search" class="search-form"><input type="search" name="q" placeholder="A word, a name, a question"
    aria-label="Search this book" autocomplete="off" autocapitalize="off" spellcheck="false" enterkeyhint="search"></form>
    <p role="status" class="search-status"></p><div class="search-results"></div>`;
  const PAUSE = 700; // ms
  let dialog, ask, loading, ready;

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

  // Whether the scripts are there. If one has not come, all are asked for again the next time.
  function loaded() {
    loading ??= Promise.all(names.map(load)).then(
      () => (ready = true),
      () => (loading = undefined),
    );
    return loading;
  }

  // A field, what was found in words, and the list; the arrow keys walk through field and list.
  function fill(box) {
    box.insertAdjacentHTML("beforeend", FIELD);
    const [form, input, status, list] = ["form", "input", ".search-status", ".search-results"].map((name) => box.querySelector(name));
    form.action = new URL("search.html", root);
    const links = () => [...list.querySelectorAll("a")];
    let pause;
    const tell = (words) => status.textContent !== words && (status.textContent = words); // what stands there has been said
    const show = async (isDone = true) => {
      clearTimeout(pause);
      if (input.value.trim() && !ready) {
        tell("Opening the index …");
        if (!(await loaded())) {
          tell("The index could not be loaded. Enter tries again.");
          return;
        }
      }
      list.replaceChildren();
      tell(input.value.trim() ? window.bookResults.show(list, input.value, root, isDone) : "");
    };
    const whileTyping = () => {
      show(false);
      pause = setTimeout(() => ready && document.activeElement === input && show(), PAUSE); // a word that is not yet whole is no word that the book lacks
    };
    const walk = (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (!step) return;
      const stops = [input, ...links()];
      const next = stops[stops.indexOf(document.activeElement) + step];
      event.preventDefault();
      next?.focus();
      if (next === input) input.select();
    };
    input.addEventListener("input", whileTyping);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      show().then(() => (list.querySelector("section a") ?? links()[0])?.click());
    });
    box.addEventListener("keydown", walk);
    input.value = new URLSearchParams(location.search).get("q") || "";
    input.focus();
    show();
    return show;
  }

  function make() {
    dialog = document.createElement("dialog");
    dialog.className = "book-search";
    dialog.ariaLabel = "Search";
    dialog.innerHTML = '<button type="button" class="search-close" aria-label="Close the search">✕</button>';
    document.body.append(dialog);
    dialog.showModal();
    ask = fill(dialog);
    dialog.querySelector("button").addEventListener("click", () => dialog.close());
    dialog.addEventListener("keydown", (event) => {
      if (event.key === "Escape") dialog.close(); // at once: in a field it would only clear the field
    });
    dialog.addEventListener("click", (event) => {
      const here = event.target === dialog || event.target.closest("a");
      if (here) dialog.close(); // beside the dialog, or to a place, perhaps of this page
    });
  }

  function openDialog() {
    loaded(); // who opens the dialog will type
    if (!dialog) {
      make();
      return;
    }
    if (dialog.open) dialog.close();
    else dialog.showModal();
    dialog.querySelector("input").focus();
    dialog.querySelector("input").select();
    ask();
  }

  function open(event) {
    event.preventDefault();
    event.stopImmediatePropagation(); // the theme has a field of its own
    const field = document.querySelector("#book-search input");
    if (field) field.focus();
    else openDialog();
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
    // The theme's own field is emptied where it stands: taken out, it would have the whole page styled again.
    document.querySelector(".search-button__wrapper")?.replaceChildren();
    const page = document.getElementById("book-search");
    if (page) fill(page);
  });
})();
