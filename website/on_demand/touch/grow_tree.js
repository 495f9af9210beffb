// The tree that a reader grows: nodes of rows, the question that each asks, and what it says of its rows.
(() => {
  const { digits } = window.touch;

  function makeNode(data, rows, parent = null, place = 0, label = "") {
    const { classCounts, sum } = window.touch.arithmetic;
    const counts = classCounts(data.table, rows);
    const most = Math.max(...counts);
    return {
      rows, counts, parent, label,
      key: parent ? `${parent.key}.${place}` : "0",
      depth: parent ? parent.depth + 1 : 0,
      says: sum(counts) ? data.classes[counts.findIndex((c) => c >= most - 1e-9)] : parent.says,
      isPure: sum(counts) - most < 1e-9,
      isDone: false, // a leaf because somebody said so
      split: null, children: null, words: "",
    };
  }

  const wholeTable = (data) => makeNode(data, data.ids.map((_, row) => [row, 1]));

  const threshold = (x) => String(Number(x.toPrecision(6))).replace("-", "−");

  function say(data, split) {
    const { name } = data.table.columns[split.f];
    return split.groups ? name : `${name} ≤ ${threshold(split.threshold)}`;
  }

  function branchLabels(data, split) {
    const { names } = data.table.columns[split.f];
    return split.groups ? split.groups.map((group) => group.map((code) => names[code]).join(", ")) : ["yes", "no"];
  }

  // The branches that a split would make, without making them.
  function branched(data, node, split, asWhole = false) {
    const labels = branchLabels(data, split);
    const parts = window.touch.arithmetic.send(data.table, node.rows, split, asWhole);
    const children = parts.map((rows, i) => makeNode(data, rows, node, i, labels[i]));
    return { split, words: say(data, split), children };
  }

  function close(node) {
    Object.assign(node, { split: null, children: null, words: "", isDone: false });
  }

  function* nodes(node) {
    yield node;
    for (const child of node.children ?? []) yield* nodes(child);
  }

  const leaves = (root) => [...nodes(root)].filter((node) => !node.children);
  const inner = (root) => [...nodes(root)].filter((node) => node.children).length;
  const isOpen = (node) => !node.children && !node.isPure && !node.isDone;

  // A program's tree, with the rows sent down it as the program does.
  function planted(data, { tree, asWhole }) {
    const grow = (node, { split, children }) => {
      if (!split) {
        node.isDone = true; // it answers, of however many classes its rows are
        return;
      }
      Object.assign(node, branched(data, node, split, asWhole));
      node.children.forEach((child, i) => grow(child, children[i]));
    };
    const root = wholeTable(data);
    grow(root, tree);
    return root;
  }

  // Leaves, questions asked of a row, rows that get a wrong class: a row in several leaves has their shares.
  function judge(data, root) {
    const { sum } = window.touch.arithmetic;
    const shares = data.ids.map(() => Array(data.table.K).fill(0));
    let questions = 0;
    for (const leaf of leaves(root)) {
      const n = sum(leaf.counts);
      for (const [row, weight] of leaf.rows) {
        questions += weight * leaf.depth;
        leaf.counts.forEach((c, k) => (shares[row][k] += (weight * c) / n));
      }
    }
    const wrong = shares.filter((share, row) => {
      const most = Math.max(...share);
      return share.findIndex((x) => x >= most - 1e-9) !== data.table.y[row];
    });
    return { leaves: leaves(root).length, questions: questions / data.ids.length, errors: wrong.length };
  }

  // Two trees are the same if they ask the same in the same places.
  function shape(node) {
    if (!node.children) return "";
    return JSON.stringify([node.split.f, node.split.threshold ?? node.split.groups]) + node.children.map(shape).join();
  }

  // Where a node is: the answers on its path, the last one its own.
  function path(data, node) {
    const steps = [];
    for (let at = node; at.parent; at = at.parent) {
      steps.unshift(at.parent.split.groups ? `${at.parent.words} is ${at.label}` : `${at.parent.words}: ${at.label}`);
    }
    return steps.length ? steps : [`All ${data.ids.length} ${data.many}`];
  }

  // The tree of a reader, or of the program of that name; of a tree that is not finished, what it would answer.
  function summary(data, root, program) {
    const { leaves: number, questions, errors } = judge(data, root);
    const wrong = `${errors} of ${data.ids.length} wrong.`;
    if (number === 1) return `No question yet. If you stop here, every ${data.one} gets the answer “${root.says}”: ${wrong}`;
    const so = `${number} leaves, on average ${digits(questions, 2)} questions per ${data.one}`;
    if (program) return `The tree of ${program}: ${so}, ${wrong}`;
    return leaves(root).some(isOpen) ? `Your tree: ${so}. If you stop here, ${wrong}` : `Your tree: ${so}, ${wrong}`;
  }

  window.touch.growing = {
    wholeTable, threshold, say, branchLabels, branched, close, leaves, inner, isOpen, planted, judge, shape, path, summary,
  };
})();
