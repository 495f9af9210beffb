// What the search has found, as a list and in words.
(() => {
  const KINDS = { formula: "Formula", figure: "Figure", exercise: "Exercise", api: "API", source: "Source" };

  function element(name, attributes = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  }

  // The cells of a table that are numbers say nothing beside their heads; who asks for a number sees them.
  const NUMBER = "[−+-]?\\d[\\d.,]*%?(?: ± [\\d.]+)?";
  const NUMBERS = new RegExp(`(?: · ${NUMBER})+(?= · |$)|^${NUMBER} · `, "g");
  const inWords = (text) => text.replace(NUMBERS, "").replace(NUMBERS, "");

  // Where the text has most of the words found: some words before, twenty or so after, the words marked.
  function snippet(whole, found, query = "") {
    const { words, terms } = window.bookSearch;
    const text = /\d[.,]\d/.test(query) ? whole : inWords(whole);
    const wanted = new Set(found);
    const isHit = (word) => words(word).some((part) => terms(part).some((term) => wanted.has(term)));
    const pieces = text.match(/\s+|\p{Script=Han}|[^\s\p{Script=Han}]+/gu) ?? [];
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
      const chinese = /\p{Script=Han}/u.test(piece) ? { lang: "zh" } : {};
      shown.append(hits[start + i] ? element("mark", chinese, piece) : chinese.lang ? element("span", chinese, piece) : piece);
    });
    if (start + width < pieces.length) shown.append(" …");
    return shown;
  }

  // A question of the book with its answer, as a snippet.
  function answered({ question, answer }, found) {
    const asked = element("span", { class: "search-asked" }, question);
    return element("span", { class: "search-answer" }, asked, " ", snippet(answer, found));
  }

  function listed(groups, root, query) {
    return groups.map((group) => {
      const items = group.places.map((place) => {
        const link = element("a", { href: new URL(place.address, root) });
        const title = element("span", { class: "search-title" }, place.title);
        if (KINDS[place.kind]) link.append(element("span", { class: "search-kind" }, KINDS[place.kind]), " ");
        link.append(title, " ", place.asked ? answered(place.asked, place.words) : snippet(place.text, place.words, query));
        return element("li", {}, link);
      });
      return element("section", {}, element("h2", {}, group.title), element("ul", {}, ...items));
    });
  }

  const LIKE = 0.1; // a question that shares less with the query would only puzzle

  // The question of the book that is nearest to one that it does not answer.
  function nearest(query, root) {
    const one = window.bookSearch.nearest(query);
    if (!one || one.likeness < LIKE) return [];
    const title = element("span", { class: "search-title" }, one.question);
    const link = element("a", { href: new URL(one.address, root) }, title, " ", snippet(one.answer, []));
    return [element("section", {}, element("h2", {}, "The nearest question"), element("ul", {}, element("li", {}, link)))];
  }

  // A parameter of the library, and the classes that have it.
  function parameter(query, root) {
    const name = query.trim();
    if (!Object.hasOwn(window.bookIndex.parameters, name)) return [];
    const links = window.bookIndex.parameters[name].map(([owner, address]) => element("a", { href: new URL(address, root) }, owner));
    const line = links.flatMap((link, i) => (i ? [", ", link] : [link]));
    return [element("p", { class: "search-parameter" }, element("code", {}, name), " in the API: ", ...line)];
  }

  const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

  // How much was found, which words of the query the book does not have, and whether it has an answer at all.
  function told(groups, query, missing, isBeyond) {
    const count = groups.reduce((sum, group) => sum + group.places.length, 0);
    if (!count) return `The book does not say: nothing found for “${query}”. Try fewer words, or another name for it.`;
    const found = `${counted(count, "place")} on ${counted(groups.length, "page")}`;
    const without = missing.length ? ` Nothing has ${missing.map((word) => `“${word}”`).join(" or ")}.` : "";
    if (isBeyond) return `The book does not say, as far as the search can tell.${without} Some of the words: ${found}.`;
    return `${found}${without && `.${without}`}`;
  }

  // Put what a query finds into a list, and return it in words. Who has stopped typing is told, too, if the book does not
  // answer.
  function show(list, query, root, isDone = true) {
    const groups = window.bookSearch.search(query);
    const isBeyond = groups.length > 0 && window.bookSearch.beyond(query, isDone);
    list.replaceChildren(...parameter(query, root), ...(isBeyond ? nearest(query, root) : []), ...listed(groups, root, query));
    return told(groups, query.trim(), window.bookSearch.missing(query), isBeyond);
  }

  window.bookResults = { show };
})();
