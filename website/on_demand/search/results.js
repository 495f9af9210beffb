// What the search has found, as a list and in words.
(() => {
  const KINDS = { formula: "Formula", figure: "Figure", exercise: "Exercise", api: "API", source: "Source" };

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

  const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

  // How much was found, and which words of the query the book does not have.
  function told(groups, query, missing) {
    const count = groups.reduce((sum, group) => sum + group.places.length, 0);
    if (!count) return `Nothing found for “${query}”. Try fewer words, or another name for it.`;
    const without = missing.length ? `. Nothing has ${missing.map((word) => `“${word}”`).join(" or ")}.` : "";
    return `${counted(count, "place")} on ${counted(groups.length, "page")}${without}`;
  }

  // Put what a query finds into a list, and return it in words.
  function show(list, query, root) {
    const groups = window.bookSearch.search(query);
    list.replaceChildren(...listed(groups, root));
    return told(groups, query.trim(), window.bookSearch.missing(query));
  }

  window.bookResults = { show };
})();
