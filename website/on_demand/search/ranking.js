// Which places of the book answer a query, the best first. MiniSearch looks words up and weighs them (BM25); here is
// what counts more than words: a question of the page *Questions* that is the query, a title that is the query, a chapter
// more than an exercise.
(() => {
  const { pages, places, others, questions } = window.bookIndex;

  const { HAN, STOP, JOINTS, isPlain, plain, words, pairs, stem, spoken, apart, terms } = window.bookWords;
  const { nearest } = window.bookAsked;

  const ASKED = 1; // what a word is worth in the questions that a place answers, beside one in its text
  const BOOST = { names: 3, title: 4, context: 1.2, asked: ASKED };
  const TITLE = 1; // what a title with all words of the query adds to it
  const NAMED = 2; // what a name that is all of the query would add, where it is a part
  const SOME = 0.7; // what a place that lacks words of the query is worth beside one that has all
  const NEAR = 0.5; // what words side by side add to the score of a place
  const vocabulary = new Set();
  const engine = new window.MiniSearch({
    fields: ["names", "title", "context", "text", "asked"],
    tokenize: words,
    processTerm: (word) => {
      const kept = terms(word).filter((term) => !STOP.has(term));
      kept.forEach((term) => vocabulary.add(term));
      return kept;
    },
  });
  const askedOf = places.map(() => []);
  for (const [question, answer, ids] of questions) ids.forEach((id) => askedOf[id].push(question, answer));
  engine.addAll(
    places.map(([page, , , title, context, names, text], id) => {
      const above = `${pages[page][1]} ${context}`;
      return { id, names: names.join(" \n "), title, context: above, text, asked: askedOf[id].join(" \n ") };
    }),
  );

  // A word of the query as MiniSearch takes it. One that the book has needs no guesses at what was meant.
  function wanted(word, isLast) {
    if (HAN.test(word)) return { combineWith: "AND", queries: pairs(word) };
    const known = vocabulary.has(word) || vocabulary.has(stem(word));
    const like = { prefix: isLast || (!known && word.length > 2), fuzzy: !known && word.length > 4 ? 0.2 : false };
    const either = [{ queries: [word], ...like }, { queries: [stem(word)], prefix: false, fuzzy: false }];
    const parts = word.split(/[_.-]+/);
    if (parts.length > 1) {
      either.push({ queries: [parts.join("")], ...like }, { combineWith: "AND", queries: parts.map(stem) });
    }
    return { combineWith: "OR", queries: either };
  }

  // The places that have a word of the query, with their scores, and what the word weighs: more if it is rare.
  const seen = new Map();
  function placesWith(word, isLast) {
    const name = `${word}\n${isLast}`;
    if (!seen.has(name)) {
      const options = { boost: BOOST, tokenize: (text) => [text], processTerm: (term) => term };
      const found = engine.search(wanted(word, isLast), options);
      if (seen.size > 200) seen.clear();
      seen.set(name, { found, weight: found.length ? Math.log(1 + places.length / found.length) : 0 });
    }
    return seen.get(name);
  }

  // What a place is worth: a section more than an exercise, an exercise more than the API. Sections that only name what
  // others explain count half, lists of the book less, and the page of questions, which has all words, least.
  const KIND = { page: 1, section: 1, term: 0.7, formula: 0.7, figure: 0.7, exercise: 0.5, api: 0.1, source: 0.2 };
  const NAMING = new Set(["What you will be able to do", "What can go wrong", "Summary", "Exercises", "Where the idea comes from"]);
  const isChapter = (page) => /^chapters\/\d/.test(pages[page][0]);
  const OF_PROGRAMS = ["chapters/presets.html", "chapters/printouts.html"];
  const explains = (page) => isChapter(page) || OF_PROGRAMS.includes(pages[page][0]);
  const listed = (page) => (pages[page][0] === "reference/questions.html" ? 0.03 : 0.1);
  const key = (text) => words(text).flatMap(apart).map(stem).join(" ");
  const within = (part, whole) => ` ${whole} `.includes(` ${part} `);
  const keys = places.map(([page, kind, , title, , names]) => ({
    title: key(title),
    names: new Set(names.map(key)),
    heads: new Set([title, ...names].flatMap((name) => key(name).split(" "))),
    worth:
      KIND[kind] *
      (explains(page) || ["term", "api", "source"].includes(kind) ? 1 : listed(page)) *
      (NAMING.has(title) ? 0.5 : 1),
    leads: kind === "page" && isChapter(page),
    isTerm: kind === "term",
  }));

  const titles = new Set(keys.flatMap(({ title, names }) => [title, ...names]));

  // How much of the query the title and the names of a place have, rare words counting more.
  function share(has, weights) {
    let sum = 0;
    for (const [word, weight] of weights) if (has.has(word)) sum += weight;
    return sum;
  }

  // A title that is the query comes first, then a name that is, a title that contains it, a name in it, a title with its
  // words.
  function likeness(id, wish, needed, weights) {
    const { title, names, leads, isTerm } = keys[id];
    const bare = needed.join(" ");
    if (title === wish) return leads ? 40 : isTerm ? 4 : 14;
    if (names.has(wish) || (needed.length > 1 && names.has(bare))) return leads ? 30 : isTerm ? 4 : 10;
    if (within(wish, title)) return 2 + (2 * wish.length) / title.length;
    const inside = [...names].filter((name) => name.includes(" ") && within(name, wish));
    if (inside.length) return 1 + NAMED * Math.max(...inside.map((name) => share(new Set(name.split(" ")), weights)));
    return 1 + TITLE * share(keys[id].heads, weights) ** 2;
  }

  // A run of Chinese that stands nowhere as it was typed, in words: names that the book has, and what is left in pairs.
  const chinese = new Set(places.flatMap(([, , , , , names]) => names).filter((name) => /^\p{Script=Han}+$/u.test(name)));
  function cut(run) {
    if (!HAN.test(run) || placesWith(run, false).found.length) return [run];
    const found = [];
    for (const piece of run.split(JOINTS)) {
      for (let from = 0; from < piece.length; ) {
        let to = piece.length;
        while (to > from && !chinese.has(piece.slice(from, to))) to -= 1;
        if (to === from) to = Math.min(from + 2, piece.length);
        found.push(piece.slice(from, to));
        from = to;
      }
    }
    return found.filter((word) => word.length > 1 || chinese.has(word));
  }

  // How near to each other the words of the query stand in a text: 1 side by side, 0 in different places.
  const stemmed = new Map();
  function nearness(id, needed) {
    if (!stemmed.has(id)) stemmed.set(id, words(places[id][6]).flatMap(apart).map(stem));
    const last = new Map();
    let best = Infinity;
    stemmed.get(id).forEach((word, i) => {
      if (!needed.includes(word)) return;
      last.set(word, i);
      if (last.size === needed.length) best = Math.min(best, i - Math.min(...last.values()) + 1);
    });
    return Math.min(1, needed.length / best);
  }

  const asking = (all) => [...new Set(all.filter((word) => !STOP.has(word)))];

  // Places with all words of the query come before those with some of them, and rare words count more than frequent ones.
  // A word that the book has nowhere counts for nothing.
  function hits(query) {
    const all = words(query).flatMap(apart).flatMap(cut);
    const kept = asking(all);
    const wish = key(query);
    const needed = [...new Set(kept.map(stem))];
    const found = new Map();
    const asked = kept.map((word, i) => placesWith(word, i === kept.length - 1));
    const whole = asked.reduce((sum, { weight }) => sum + weight, 0);
    const weights = kept.map((word, i) => [stem(word), asked[i].weight / whole]);
    for (const { found: list, weight } of asked) {
      for (const hit of list) {
        const known = found.get(hit.id) || { id: hit.id, words: [], score: 0, weight: 0 };
        known.words.push(...hit.terms);
        known.score += hit.score;
        known.weight += weight / whole;
        found.set(hit.id, known);
      }
    }
    for (const hit of found.values()) {
      const part = hit.weight > 0.999 ? 1 : SOME * hit.weight ** 1.5;
      const near = needed.length > 1 && hit.weight > 0.999 ? 1 + NEAR * nearness(hit.id, needed) : 1;
      const like = likeness(hit.id, wish, needed, weights);
      hit.score *= part * near * keys[hit.id].worth * like;
      hit.isNamed = like >= 10;
    }
    keys.forEach((at, id) => {
      if (wish && !found.has(id) && at.title === wish) found.set(id, { id, words: all, score: 20 * at.worth, isNamed: true });
    });
    return found;
  }

  // What others call a thing is looked up by the book's word, too, and a name of a program by its words, one such name at a time and all at once, and the words
  // of a Chinese sentence all at once.
  const RENAMED = 0.8; // what a hit by the book's word is worth beside one by the word that was typed
  const renamed = others.map(([name, term]) => [key(name), plain(term)]).filter(([name]) => name && !HAN.test(name));
  const english = new Map(others.filter(([name]) => HAN.test(name)));
  places.forEach(([, kind, , title, , names]) => {
    if (kind === "term") names.filter((name) => HAN.test(name)).forEach((name) => english.set(name, title));
  });
  function variants(query) {
    const text = key(query);
    const found = renamed.filter(([name, term]) => key(term) !== name && within(name, text));
    const longest = found.sort((a, b) => b[0].length - a[0].length).slice(0, 3);
    const typed = words(query).flatMap(apart).flatMap(cut);
    const said = typed.flatMap((word) => english.get(word) || (HAN.test(word) ? [] : word));
    const translated = typed.some((word) => HAN.test(word)) && said.length ? [said.join(" ")] : [];
    const renaming = (said, [name, term]) => ` ${said.trim()} `.replace(` ${name} `, ` ${term} `);
    const all = longest.length > 1 ? [longest.reduce(renaming, text)] : [];
    const told = spoken(query, (name) => titles.has(key(name)));
    return [...longest.map((one) => renaming(text, one)), ...all, ...translated, ...(told === query ? [] : [told])];
  }

  // Every tree of the book is a decision tree: in a longer query the word tells nothing.
  const short = (query) => {
    const left = query.replace(/\bdecision[\s-](?=trees?\b)/giu, "");
    return asking(words(left)).length > 1 ? left : query;
  };

  // A question of the page *Questions* that is like the query brings the sections that answer it: before all others, but
  // for titles that are the query, if it is the query in other words.
  const ALIKE = 0.3; // from here on a question is worth its sections
  const SURE = 0.9; // what the best question adds to the score of the best place, times how like it is
  const FURTHER = 0.85; // what the next section of a question is worth beside the one before
  function withAsked(best, ways) {
    const scores = [...best.values()].filter((hit) => !hit.isNamed).map((hit) => hit.score);
    const named = [...best.values()].filter((hit) => hit.isNamed).map((hit) => hit.score);
    const top = Math.max(1, ...scores);
    const limit = named.length ? 0.95 * Math.max(...named) : Infinity;
    for (const one of nearest(ways, 3).filter(({ likeness }) => likeness > ALIKE)) {
      one.places.forEach((id, i) => {
        const known = best.get(id) || { id, words: [], score: 0 };
        if (known.isNamed) return;
        const score = Math.min(limit, top * (SURE * one.likeness + 0.35) * FURTHER ** i);
        const asked = known.asked || (one.likeness > 2 * ALIKE ? one : undefined);
        best.set(id, { ...known, asked, own: known.own ?? known.score, score: Math.max(known.score * (1 + one.likeness), score) });
      });
    }
    return best;
  }

  function ranked(typed) {
    const query = short(typed);
    const best = hits(query);
    const ways = [query, ...variants(query)];
    const named = Math.max(0, ...[...best.values()].filter((hit) => hit.isNamed).map((hit) => hit.score));
    const limit = named && /_/.test(typed) ? 0.95 * named : Infinity; // who types a name of a program means that, and no other name of it
    for (const variant of ways.slice(1)) {
      for (const [id, hit] of hits(variant)) {
        const known = best.get(id);
        const score = Math.min(limit, RENAMED * hit.score);
        const better = known?.score > score ? known : { ...hit, score };
        best.set(id, { ...better, words: [...(known?.words || []), ...hit.words] });
      }
    }
    return [...withAsked(best, ways).values()].sort((a, b) => b.score - a.score || a.id - b.id);
  }

  const search = (typed) => grouped(ranked(typed));

  // How much of a query the best place has, or the likest question: 1 all of its words, 0 none, rare words counting more
  // and words that name no thing less. A word that the book has nowhere weighs as much as any; a slip of the pen is none.
  const LITTLE = 0.15;
  const FEW = 8; // places that are looked at
  const TOGETHER = 3; // places that may answer a long question together
  const ALL = 0.65; // what they are worth beside one that has it all
  const stemsOf = (text) => words(text).flatMap(apart).flatMap((word) => [word, ...word.split(/[_.-]+/)]).map(stem);
  const whole = new Map();
  function has(id) {
    if (!whole.has(id)) {
      const [page, , , title, context, names, text] = places[id];
      whole.set(id, new Set(stemsOf([pages[page][1], title, context, ...names, text].join(" "))));
    }
    return whole.get(id);
  }
  const says = (id) => ({ source: 0, api: 0.5 })[places[id][1]] ?? (explains(places[id][0]) || places[id][1] === "term" ? 1 : 0.6);
  const rarest = Math.log(1 + places.length);
  // A word of a query as the book has it. While it is typed, words that begin with it are it; else it may lack a letter,
  // have one too many, or another one.
  function near(a, b) {
    if (Math.abs(a.length - b.length) > 1) return false;
    let i = 0;
    while (i < a.length && a[i] === b[i]) i += 1;
    const [restA, restB] = [a.slice(i), b.slice(i)];
    return restA.slice(1) === restB.slice(1) || restA.slice(1) === restB || restA === restB.slice(1);
  }
  function known(word, isTyped) {
    const { found, weight } = placesWith(word, isTyped);
    const same = (term) => isTyped || HAN.test(word) || [word, stem(word)].some((one) => near(one, term));
    const terms = new Set(found.filter(({ id }) => says(id)).flatMap(({ terms }) => terms).filter(same));
    return terms.size ? { terms: new Set([...terms].map(stem)), weight } : { terms, weight: rarest };
  }
  function coverage(typed, isDone = true) {
    const query = short(typed);
    const ways = [query, ...variants(query)].map((text) => asking(words(text).flatMap(apart).flatMap(cut)));
    const list = ranked(typed).filter(({ id }) => says(id)).slice(0, FEW);
    const likest = nearest([query, ...variants(query)], 1).map(({ said, told }) => [new Set([...said, ...told]), 1]);
    const sets = [...list.map(({ id }) => [has(id), says(id)]), ...likest];
    const together = [new Set(list.slice(0, TOGETHER).flatMap(({ id }) => [...has(id)])), ALL];
    const shares = ways.map((way) => {
      const parts = way.flatMap((word) => (HAN.test(word) || known(word, false).terms.size ? [word] : word.split(/[_-]+|\.(?=\p{L})/u)));
      const kept = parts.map((word, i) => {
        const { terms, weight } = known(word, !isDone && i === parts.length - 1);
        return { terms, weight: weight * (isPlain(word) ? LITTLE : 1), isHan: HAN.test(word) };
      });
      const sum = (isIn) => kept.reduce((total, part) => total + (isIn(part) ? part.weight : 0), 0);
      const all = sum(() => true);
      const of = ([set, worth]) => worth * sum(({ terms, isHan }) => (isHan ? terms.size > 0 : [...terms].some((term) => set.has(term))));
      return all ? Math.max(0, ...[...sets, together].map(of)) / all : 1;
    });
    return Math.max(0, ...shares);
  }

  // Whether the book has no answer: no place has enough of the query.
  const FLOOR = 0.57;
  function beyond(typed, isDone = true) {
    const count = asking(words(short(typed))).length;
    return count > 0 && coverage(typed, isDone) < (count > 1 ? FLOOR : 0.1);
  }

  // The words of a query that stand nowhere in the book, as they were typed. A name that others use is no such word.
  function missing(query) {
    const asked = (text) => asking(words(text).flatMap(apart));
    const others = variants(query).map((text) => asked(text).map(stem));
    const isNew = (word, i, all) => !HAN.test(word) && !placesWith(word, i === all.length - 1).found.length;
    const typed = (word) => {
      const at = query.toLowerCase().indexOf(word);
      return at < 0 ? word : query.slice(at, at + word.length);
    };
    const kept = (word) => others.every((all) => all.includes(stem(word)));
    return asked(query).filter(isNew).filter(kept).map(typed);
  }

  // At most three places of a chapter, two of another page, and ten pages, in the order of their best places. What is
  // far behind the best place of its page would only stand in the way of the next page, unless the query is its name.
  const LATER = 0.2;
  function grouped(list) {
    const groups = new Map();
    for (const hit of list) {
      const [page, kind, anchor, title, context, , text] = places[hit.id];
      if (!groups.has(page)) groups.set(page, { title: pages[page][1], places: [], best: hit });
      const group = groups.get(page);
      const address = pages[page][0] + (kind === "page" ? "" : `#${anchor}`);
      const isNear = group.best.isNamed || (hit.own ?? hit.score) > LATER * (group.best.own ?? group.best.score);
      if (isNear && group.places.length < (isChapter(page) ? 3 : 2)) {
        group.places.push({ address, kind, title, context, text, words: hit.words, asked: hit.asked });
      }
    }
    return [...groups.values()].slice(0, 10);
  }

  // The question that is nearest to a query, with the address of its answer.
  function question(typed) {
    const query = short(typed);
    const [one] = nearest([query, ...variants(query)], 1);
    if (!one?.places.length) return undefined;
    const [page, kind, anchor] = places[one.places[0]];
    return { ...one, address: pages[page][0] + (kind === "page" ? "" : `#${anchor}`) };
  }

  window.bookSearch = { search, missing, beyond, coverage, nearest: question, words, terms };
})();
