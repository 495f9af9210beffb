// Which places of the book answer a query, the best first. MiniSearch looks words up and weighs them (BM25); here is
// what a word is in a book on trees, and what counts more than words: a title that is the query, a chapter more than
// an exercise.
(() => {
  const { pages, places, others } = window.bookIndex;

  // Words: runs of letters and digits, joined by _ . or -; g(t); runs of Chinese, which are cut into pairs of signs.
  const WORD = /\p{Script=Han}+|\p{L}\(\p{L}\)|(?:(?!\p{Script=Han})[\p{L}\p{N}])+(?:[_.-](?:(?!\p{Script=Han})[\p{L}\p{N}])+)*/gu;
  const HAN = /^\p{Script=Han}/u;
  const STOP = new Set(
    ("a an and are as at be by can could did do does for from has have how i if in into is it its my not of on or " +
      "so than that the then there these they this to was we what when where which who why will with you your").split(" "),
  );
  const GREEK = { α: "alpha", β: "beta", ε: "epsilon", χ: "chi", σ: "sigma", μ: "mu", ρ: "rho", λ: "lambda" };

  const plain = (text) => text.normalize("NFKC").toLowerCase().replace(/['’]s\b/g, "").replace(/['’]/g, "");
  const words = (text) => plain(text).match(WORD) || [];
  const pairs = (run) => (run.length < 2 ? [run] : Array.from({ length: run.length - 1 }, (_, i) => run.slice(i, i + 2)));

  // One stem for prune, pruned, pruning; for entropy, entropies; for leaf, leaves.
  function stem(word) {
    if (word.length < 4 || /[^a-z]/.test(word)) return word;
    let base = word.replace(/ies$/, "y").replace(/(l|ea)ves$/, "$1f").replace(/([^s])s$/, "$1");
    base = base.replace(/(?:ing|ed|ly)$/, "").replace(/e$/, "").replace(/([^aeiouy])\1$/, "$1");
    return base.length > 2 ? base : word;
  }

  // What a word is looked up by: itself, its stem, and the parts of a joined word.
  function terms(word) {
    if (HAN.test(word)) return [...new Set([...word, ...pairs(word)])];
    const parts = word.split(/[_.-]/);
    const whole = parts.length > 1 && !/[_.]/.test(word) ? [parts.join("")] : [];
    const all = [word, ...whole, ...(parts.length > 1 ? parts : [])];
    return [...new Set([...all, ...all.map(stem), ...[...word].flatMap((letter) => GREEK[letter] || [])])];
  }

  const engine = new window.MiniSearch({
    fields: ["names", "title", "context", "text"],
    tokenize: words,
    processTerm: (word) => terms(word).filter((term) => !STOP.has(term)),
  });
  engine.addAll(
    places.map(([page, , , title, context, names, text], id) => {
      const above = `${pages[page][1]} ${context}`;
      return { id, names: names.join(" \n "), title, context: above, text };
    }),
  );

  // A query as MiniSearch takes it: every word, in one of its forms.
  function wanted(word, isLast) {
    const { length } = word;
    const like = { prefix: length > 2 || isLast, fuzzy: length > 4 ? 0.2 : false };
    if (HAN.test(word)) return { combineWith: "AND", queries: pairs(word) };
    const parts = word.split(/[_.-]/);
    const either = [{ queries: [word], ...like }, { queries: [stem(word)], prefix: false, fuzzy: false }];
    if (parts.length > 1) {
      either.push({ queries: [parts.join("")], ...like }, { combineWith: "AND", queries: parts.map(stem) });
    }
    return { combineWith: "OR", queries: either };
  }

  // What a place is worth: a chapter more than an exercise, an exercise more than the API; lists of the book come last.
  const KIND = { page: 1.7, section: 1, term: 0.9, formula: 0.7, figure: 0.7, exercise: 0.5, api: 0.2, source: 0.2 };
  const isChapter = (page) => /^chapters\/\d/.test(pages[page][0]);
  const key = (text) => words(text).map(stem).join(" ");
  const within = (part, whole) => ` ${whole} `.includes(` ${part} `);
  const keys = places.map(([page, kind, , title, , names]) => ({
    title: key(title),
    names: new Set(names.map(key)),
    worth: KIND[kind] * (isChapter(page) || ["term", "api", "source"].includes(kind) ? 1 : 0.25),
    leads: kind === "page" && isChapter(page),
    isTerm: kind === "term",
  }));

  // A title that is the query comes first, then a name that is, a title that contains it, a title with all its words.
  function likeness(id, wish, needed) {
    const { title, names, leads, isTerm } = keys[id];
    const bare = needed.join(" ");
    if (title === wish) return leads ? 40 : isTerm ? 4 : 14;
    if (names.has(wish) || (needed.length > 1 && names.has(bare))) return leads ? 30 : isTerm ? 4 : 10;
    if (within(wish, title)) return 2 + (2 * wish.length) / title.length;
    if ([...names].some((name) => name.includes(" ") && within(name, wish))) return 3;
    return needed.every((word) => within(word, title)) ? 2 : 1;
  }

  // Places with all words of the query come before those with some of them.
  function hits(query) {
    const all = words(query);
    const kept = all.filter((word) => !STOP.has(word));
    const wish = key(query);
    const needed = kept.map(stem);
    const found = new Map();
    const queries = kept.map((word, i) => wanted(word, i === kept.length - 1));
    const options = { boost: { names: 3, title: 4, context: 1.2 }, tokenize: (text) => [text], processTerm: (term) => term };
    for (const hit of queries.length ? engine.search({ combineWith: "OR", queries }, options) : []) {
      const asked = new Set(hit.queryTerms);
      const matched = kept.filter((word) => terms(word).some((term) => asked.has(term))).length / kept.length;
      const part = matched === 1 ? 1 : 0.5 * matched ** 2;
      const score = hit.score * part * keys[hit.id].worth * likeness(hit.id, wish, needed);
      found.set(hit.id, { id: hit.id, words: hit.terms, score });
    }
    keys.forEach((at, id) => {
      if (wish && !found.has(id) && at.title === wish) found.set(id, { id, words: all, score: 20 * at.worth });
    });
    return found;
  }

  // What others call a thing is looked up by the book's word, too.
  const renamed = others.map(([name, term]) => [key(name), plain(term)]).filter(([name]) => name);
  function variants(query) {
    const text = key(query);
    const found = renamed.filter(([name, term]) => key(term) !== name && (HAN.test(name) ? text.includes(name) : within(name, text)));
    const longest = found.sort((a, b) => b[0].length - a[0].length).slice(0, 3);
    return longest.map(([name, term]) => text.replace(name, ` ${term} `));
  }

  function search(query) {
    const best = hits(query);
    for (const variant of variants(query)) {
      for (const [id, hit] of hits(variant)) {
        const known = best.get(id);
        const score = 0.5 * hit.score;
        best.set(id, { id, words: [...(known?.words || []), ...hit.words], score: Math.max(score, known?.score || 0) });
      }
    }
    return grouped([...best.values()].sort((a, b) => b.score - a.score || a.id - b.id));
  }

  // At most three places of a chapter, two of another page, and ten pages, in the order of their best places.
  function grouped(list) {
    const groups = new Map();
    for (const hit of list) {
      const [page, kind, anchor, title, context, , text] = places[hit.id];
      if (!groups.has(page)) groups.set(page, { title: pages[page][1], places: [], more: 0 });
      const group = groups.get(page);
      const address = pages[page][0] + (kind === "page" ? "" : `#${anchor}`);
      if (group.places.length < (isChapter(page) ? 3 : 2)) group.places.push({ address, kind, title, context, text, words: hit.words, score: hit.score });
      else group.more += 1;
    }
    return [...groups.values()].slice(0, 10);
  }

  window.bookSearch = { search, words, terms };
})();
