// The questions of the page *Questions*, and how like a query is to each of them.
(() => {
  const { STOP, isPlain, words, stem, apart } = window.bookWords;
  const LITTLE = 0.3; // what a word counts that names no thing
  const TOLD = 0.4; // what a word counts that the answer has, and not the question
  const ENOUGH = 4; // how much two sentences must share to be sure of each other

  const parts = (word) => (/[_.]/.test(word) ? [word, ...word.split(/[_.-]+/)] : apart(word));
  const own = (text) => words(text).flatMap(parts).filter((word) => word && !STOP.has(word));
  const plainStems = new Set();
  function stems(text) {
    const all = own(text);
    all.filter(isPlain).forEach((word) => plainStems.add(stem(word)));
    return new Set(all.map(stem));
  }
  const asked = window.bookIndex.questions.map(([question, answer, places]) => {
    return { question, answer, places, said: stems(question), told: stems(answer) };
  });

  const counts = new Map();
  for (const { said, told } of asked) {
    for (const word of new Set([...said, ...told])) counts.set(word, (counts.get(word) || 0) + 1);
  }
  const weigh = (word) => Math.log(1 + asked.length / (counts.get(word) || 1)) * (plainStems.has(word) ? LITTLE : 1);
  const sum = (list, of) => list.reduce((total, word) => total + of(word), 0);

  // 1 for a query that is the question, 0 for one that shares nothing with it.
  function likeness(query, { said, told }) {
    const shared = sum(query, (word) => weigh(word) * (said.has(word) ? 1 : told.has(word) ? TOLD : 0));
    const inside = sum([...said], (word) => (query.includes(word) ? weigh(word) : 0));
    if (!shared || !inside) return 0;
    const recall = shared / sum(query, weigh);
    const precision = inside / sum([...said], weigh);
    return recall * precision ** 0.35 * Math.min(1, shared / ENOUGH);
  }

  // The questions that are most like a query, said in one way or another, the likest first.
  function nearest(ways, count) {
    const queries = ways.map((way) => [...stems(way)]);
    const found = asked.map((one) => ({ ...one, likeness: Math.max(...queries.map((query) => likeness(query, one))) }));
    return found.filter((one) => one.likeness > 0).sort((a, b) => b.likeness - a.likeness).slice(0, count);
  }

  window.bookAsked = { nearest };
})();
