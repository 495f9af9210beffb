// The field of the search and its list, in a dialog or on the page of the search.
(() => {
  const KINDS = { formula: "Formula", figure: "Figure", exercise: "Exercise", api: "API", source: "Source" };
  let dialog;

  function element(name, attributes = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  }

  // Where the text has most of the words found: some words before, twenty or so after, the words marked.
  function snippet(text, found) {
    const { words, terms } = window.bookSearch;
    const wanted = new Set(found);
    const isHit = (word) => words(word).some((part) => terms(part).some((term) => wanted.has(term)));
    const pieces = text.split(/(\s+|(?<=\p{Script=Han})(?=\p{Script=Han}))/u);
    const hits = pieces.map((piece) => Number(/\S/.test(piece) && isHit(piece)));
    const width = 48;
    let start = 0;
    let best = -1;
    hits.forEach((hit, i) => {
      const count = hit && hits.slice(i, i + width).reduce((a, b) => a + b, 0);
      if (count > best && (hit || i === 0)) [start, best] = [i < 16 ? 0 : i - 10, count];
    });
    const shown = element("span", { class: "search-snippet" }, start > 0 ? "… " : "");
    pieces.slice(start, start + width).forEach((piece, i) => {
      shown.append(hits[start + i] ? element("mark", {}, piece) : piece);
    });
    if (start + width < pieces.length) shown.append(" …");
    return shown;
  }

  function listed(groups, root) {
    return groups.map((group) => {
      const items = group.places.map((place) => {
        const link = element("a", { href: new URL(place.address, root) });
        const title = element("span", { class: "search-title" }, place.title);
        if (KINDS[place.kind]) link.append(element("span", { class: "search-kind" }, KINDS[place.kind]), " ");
        link.append(title, " ", snippet(place.text, place.words));
        return element("li", {}, link);
      });
      return element("section", {}, element("h2", {}, group.title), element("ul", {}, ...items));
    });
  }

  function told(groups, query) {
    const count = groups.reduce((sum, group) => sum + group.places.length, 0);
    if (!query.trim()) return "";
    if (!count) return `Nothing found for “${query.trim()}”. Try fewer words, or another name for it.`;
    return `${count} ${count === 1 ? "place" : "places"} on ${groups.length} ${groups.length === 1 ? "page" : "pages"}`;
  }

  // A field, what was found in words, and the list; the arrow keys walk through field and list.
  function fill(box, root, index) {
    const input = element("input", {
      type: "search", name: "q", placeholder: "A word, a name, a question", "aria-label": "Search this book",
      autocomplete: "off", autocapitalize: "off", spellcheck: "false", enterkeyhint: "search",
    });
    const form = element("form", { role: "search", action: new URL("search.html", root), class: "search-form" }, input);
    const status = element("p", { role: "status", class: "search-status" });
    const list = element("div", { class: "search-results" });
    const links = () => [...list.querySelectorAll("a")];
    const show = async () => {
      if (input.value.trim() && !window.bookSearch) {
        status.textContent = "Opening the index …";
        await index();
      }
      const groups = input.value.trim() ? window.bookSearch.search(input.value) : [];
      list.replaceChildren(...listed(groups, root));
      status.textContent = told(groups, input.value);
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
    input.addEventListener("input", show);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      show().then(() => links()[0]?.click());
    });
    box.addEventListener("keydown", walk);
    box.append(form, status, list);
    input.value = new URLSearchParams(location.search).get("q") || "";
    input.focus();
    show();
    return input;
  }

  function open(root, index) {
    index(); // who opens the dialog will type
    if (!dialog) {
      const close = element("button", { type: "button", class: "search-close", "aria-label": "Close the search" }, "✕");
      dialog = element("dialog", { class: "book-search", "aria-label": "Search" }, close);
      document.body.append(dialog);
      dialog.showModal();
      dialog.input = fill(dialog, root, index);
      close.addEventListener("click", () => dialog.close());
      dialog.addEventListener("keydown", (event) => {
        if (event.key === "Escape") dialog.close(); // at once: in a field it would only clear the field
      });
      dialog.addEventListener("click", (event) => {
        const here = event.target === dialog || event.target.closest("a");
        if (here) dialog.close(); // beside the dialog, or to a place, perhaps of this page
      });
      return;
    }
    if (dialog.open) dialog.close();
    else dialog.showModal();
    dialog.input.focus();
    dialog.input.select();
  }

  window.bookDialog = { open, fill };
})();
