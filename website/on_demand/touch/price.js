// The price of a leaf: one slider moves the tree, its path, and what its subtrees cost. The reader is to find a price: where a
// branch of the melons' tree goes, or whose tree of the tumors is best on samples held out.
(() => {
  const { widgets, element, drawn, digits, color, moves, say, slider, plot, steady, aside, task, marks } = window.touch;
  const last = (list) => list[list.length - 1];
  // The place of the number that is nearest to x.
  const nearest = (list, x) => list.reduce((best, value, i) => (Math.abs(value - x) < Math.abs(list[best] - x) ? i : best), 0);
  const leavesOf = (tree) => (tree.leaves === 1 ? "1 leaf" : `${tree.leaves} leaves`);

  const loss = (tree, price) => tree.risk + tree.leaves * price;

  // The first place of the slider at which each tree is the best.
  const firstOf = (trees, prices) => trees.map((_, k) => prices.findIndex((price) => price.k === k));

  // A node of the picture of `draw.tree`: a bar where it is cut, and words below it.
  function largeCard(card, asks) {
    const frame = card.querySelector("rect");
    const middle = frame.getAttribute("width") / 2;
    const bottom = Number(frame.getAttribute("height"));
    const bar = drawn("path", { d: `M${middle - 20} ${bottom + 8}h40`, class: "price-bar" });
    const back = drawn("rect", { x: middle - 56, y: bottom + 13, width: 112, height: 18, class: "price-back" });
    const words = drawn("text", { x: middle, y: bottom + 27, class: "price-words" });
    if (asks) card.append(bar, back, words);
    return (said, isLeaf, own) => {
      bar.classList.toggle("price-hidden", !isLeaf);
      back.classList.toggle("price-hidden", !said);
      words.style.fill = isLeaf ? own : "";
      words.textContent = said;
    };
  }

  // A box of a small tree: its last line is a number.
  function smallCard(card, asks) {
    return (said, isLeaf, own) => {
      if (asks) card.querySelector("rect").style.fill = isLeaf ? own : "var(--dt-paper)";
      card.classList.toggle("price-leaf", isLeaf);
      card.lastElementChild.textContent = said;
    };
  }

  // The tree: what falls fades, the weakest links have a rim. Shows the tree k of the path, without these if they are to be found.
  function treeIn(box, { svg, nodes, trees, cv }) {
    box.innerHTML = svg;
    const picture = box.firstElementChild;
    const cards = nodes.map((_, i) => picture.querySelector(`[data-node="${i}"]`));
    const edges = nodes.map((_, i) => picture.querySelector(`[data-edge="${i}"]`));
    const desc = picture.querySelector("desc");
    const told = desc?.textContent.split(/ (?=Node \d)/); // a sentence for each node
    const write = cards.map((card, i) => (cv ? smallCard : largeCard)(card, nodes[i].asks));
    return (k, isAsked) => {
      const { weakest, notes } = isAsked ? { weakest: [], notes: {} } : trees[k];
      const left = [];
      nodes.forEach(({ leaf, gone, asks, says, words, color: own }, i) => {
        const isGone = gone !== null && k >= gone;
        const isLeaf = leaf !== null && k >= leaf;
        for (const drawing of [cards[i], edges[i]]) drawing?.classList.toggle("price-gone", isGone);
        cards[i].classList.toggle("price-next", weakest.includes(i));
        write[i]((isLeaf ? words : notes[i]) ?? "", isLeaf, color(own));
        if (told && !isGone) left.push(isLeaf && asks ? told[i].replace(/,? asks [^:]+/, `, leaf of class ${says}`) : told[i]);
      });
      if (told) desc.textContent = left.join(" ");
      const next = weakest.map((i) => nodes[i].asks).join(" ");
      const then = next ? `Next to go: ${next}` : isAsked ? "What goes next is not shown yet." : "The root is alone.";
      picture.setAttribute("aria-label", `Tree: ${leavesOf(trees[k])}. ${then}`);
      bringIn(box, cards[weakest[0] ?? 0]);
    };
  }

  // Where the tree is wider than its box, what goes next comes to the middle.
  function bringIn(box, card) {
    if (box.scrollWidth <= box.clientWidth) return;
    const [inside, outside] = [card, box].map((some) => some.getBoundingClientRect());
    const by = inside.left + inside.width / 2 - outside.left - outside.width / 2;
    box.scrollBy({ left: by, behavior: moves() ? "smooth" : "instant" });
  }

  // A plot, and what moves in it: a rule, and a dot of each class.
  function moving(title, height, x, y, draw, dots = [""]) {
    const p = plot({ width: 340, height, title, x, y });
    const rule = p.rule(0);
    draw(p);
    const moved = dots.map((name) => p.dot(0, 0, { r: 6, class: `price-dot ${name}` }));
    const move = (at, ...heights) => {
      p.place(rule, at);
      heights.forEach((value, i) => p.move(moved[i], at, Math.min(value, y.to)));
    };
    return { ...p, move };
  }

  // Chapter 13: the loss of each subtree is a line; the lowest at each price is thick. Where a tree waits for its price, its
  // line is alone.
  function losses({ lines, trees, prices }, choose) {
    const to = last(prices).at;
    const top = 1.15 * (last(trees).risk + to);
    const alone = new Map(); // the number of a tree: its line
    function draw(p) {
      for (const [leaves, risk] of lines) {
        const end = Math.min(to, (top - risk) / leaves);
        const k = trees.findIndex((tree) => tree.leaves === leaves && Math.abs(tree.risk - risk) < 1e-9);
        const line = p.line([[0, risk], [end, risk + leaves * end]], { class: `line task-answer ${k >= 0 ? "price-thin" : "price-dotted"}` });
        if (k >= 0) alone.set(k, line);
      }
      const corners = trees.map((tree) => [tree.from, loss(tree, tree.from)]);
      p.line([...corners, [to, loss(last(trees), to)]], { class: "line price-border task-answer" });
      corners.slice(1).forEach((corner) => p.dot(...corner, { class: "price-corner task-answer" }));
      trees.forEach((tree, k) => {
        const middle = (tree.from + (trees[k + 1]?.from ?? to)) / 2;
        const isLast = tree === last(trees); // no room to the right of its middle
        const place = [isLast ? to : middle + 0.12, loss(tree, middle) - 0.075 * top];
        p.words(...place, leavesOf(tree), { class: `tick task-answer ${isLast ? "end" : ""}` });
      });
    }
    const x = { from: 0, to, label: "price of a leaf alpha (bits)" };
    const y = { from: 0, to: top, label: "loss (bits)" };
    const { svg, move, drag } = moving("Loss of the subtrees at each price", 300, x, y, draw);
    drag((price) => choose(nearest(prices.map(({ at }) => at), price)));
    const show = (k, price) => {
      move(price, loss(trees[k], price));
      alone.forEach((line, tree) => line.classList.toggle("task-answer", tree !== k));
    };
    return { svg, show };
  }

  // Chapter 14: leaves against price, the prices as far apart as the places of the slider.
  function staircase({ trees, prices }, choose) {
    const first = firstOf(trees, prices);
    const to = prices.length - 0.3;
    const ticks = first.map((i, k) => [i, String(Number(trees[k].from.toFixed(2)))]);
    const x = { from: 0, to, label: "price of a leaf (steps, no scale)", ticks };
    const y = { from: 0, to: trees[0].leaves + 1, label: "leaves" };
    const stairs = [...trees.map((tree, k) => [first[k], tree.leaves]), [to, 1]];
    const draw = (p) => p.steps(stairs, { class: "line price-border" });
    const { svg, move, drag } = moving("Leaves of the best subtree at each price", 270, x, y, draw);
    drag((place) => choose(nearest([...prices.keys()], place)));
    return { svg, show: (k, _price, i) => move(i, trees[k].leaves) };
  }

  // Chapter 14: what the subtrees cost on training samples and on held-out ones, as in the picture without the root. What is to
  // be found is `price-out` (the risk on held-out samples) or `price-verdict` (what follows for the choice).
  function risks({ trees, prices, cv }, choose) {
    const shown = trees.slice(0, -1);
    const first = firstOf(trees, prices);
    let beyond;
    function draw(p) {
      const curve = (costs, kind) => p.line(shown.map((tree, k) => [tree.leaves, costs[k]]), { class: `line ${kind}` });
      const says = (at, height, words, kind = "") => p.words(at, height, words, { class: `tick ${kind}` });
      p.line([2, trees[0].leaves].map((leaves) => [leaves, cv.limit]), { class: "line price-limit price-verdict" });
      curve(cv.train, "price-dashed");
      curve(cv.held, "price-held price-out");
      shown.forEach(({ leaves }, k) => {
        p.line([-1, 1].map((side) => [leaves, cv.held[k] + side * cv.se[k]]), { class: "line price-spread price-out" });
        p.dot(leaves, cv.held[k], { class: "price-held-dot price-out" });
        if (k === cv.least || k === cv.chosen) p.dot(leaves, cv.held[k], { class: "price-corner price-verdict" });
      });
      says(22.8, 0.25, "held-out samples", "end price-held-words price-out");
      says(22.8, 0.035, "training samples", "end");
      says(18.8, cv.limit + 0.006, "limit", "middle price-verdict");
      says(trees[cv.least].leaves + 0.4, 0.112, "least", "price-verdict");
      says(6.2, 0.3, "smallest below the limit", "price-verdict");
      p.line([[6.6, 0.293], [trees[cv.chosen].leaves, cv.held[cv.chosen] + cv.se[cv.chosen]]], { class: "line price-thin price-verdict" });
      beyond = says(1.7, 0.345, "the root: 1, above");
    }
    const x = { from: 0, to: trees[0].leaves + 1, label: "leaves" };
    const y = { from: 0, to: 0.36, label: "risk (that of the root is 1)" };
    const shownPlot = moving("Risk of the subtrees on training and held-out samples", 270, x, y, draw, ["", "price-out"]);
    const { svg, move, drag } = shownPlot;
    const mark = marks(shownPlot, (k) => [trees[k].leaves, Math.min(cv.held[k], y.to)]);
    drag((leaves) => choose(first[nearest(trees.map((tree) => tree.leaves), leaves)]));
    const show = (k, _price, _i, tried) => {
      mark(tried);
      move(trees[k].leaves, cv.train[k], cv.held[k]);
      beyond.classList.toggle("price-hidden", k < shown.length);
    };
    return { svg, show };
  }

  // The words keep the room of the longest ones, so that nothing jumps; a tree that scrolls can be reached by keyboard.
  function followWidth(said, keepRoom, tree) {
    let width = 0;
    new ResizeObserver(([{ contentRect }]) => {
      if (contentRect.width === width) return;
      width = contentRect.width;
      keepRoom();
      if (tree.scrollWidth > tree.clientWidth) tree.tabIndex = 0;
      else tree.removeAttribute("tabindex");
    }).observe(said);
  }

  // Chapter 13: at which price does the next branch go? The tree `k` of the path waits for it.
  function branchTasks({ trees, prices }) {
    const first = firstOf(trees, prices);
    const same = (k) => `${leavesOf(trees[k])} and ${leavesOf(trees[k + 1])} cost the same, ${digits(loss(trees[k], trees[k + 1].from))} bits`;
    const price = (k) => `${digits(trees[k + 1].from)} bits`;
    function judge(k, i) {
      const away = i - first[k + 1];
      if (away === 0) return [true, `At ${price(k)} ${same(k)}.`];
      if (Math.abs(away) === 1) return [true, `It is near enough: at ${price(k)} ${same(k)}.`];
      const [before, after] = [trees[k], trees[k + 1]].map((tree) => digits(loss(tree, prices[i].at)));
      const found = `At ${prices[i].words} ${leavesOf(trees[k])} cost ${before} bits, and ${leavesOf(trees[k + 1])} ${after}`;
      return away < 0
        ? [false, `${found}: the branch is still worth its price.`, "It goes at a higher one."]
        : [false, `${found}: the branch is gone already.`, "It goes at a lower price."];
    }
    return {
      asks: trees.slice(1).map((tree, k) => `Find the price at which a branch goes, and ${leavesOf(trees[k])} become ${tree.leaves}.`),
      places: [...prices.keys()],
      placeOf: (i) => i,
      judge,
      tell: (k) => `The branch goes at ${price(k)}, where ${same(k)}.`,
      begin: (k) => first[k],
      solve: (k) => first[k + 1],
    };
  }

  // Chapter 14: which tree has the least held-out risk, and which is the smallest below the limit?
  function heldOutTasks({ trees, prices, cv }) {
    const first = firstOf(trees, prices);
    const limit = `the limit of ${digits(cv.limit, 4)}`;
    const found = [cv.least, cv.chosen];
    function least(k) {
      if (k === cv.least) return [`No tree has fewer than ${cv.wrong[k]} held-out tumors on the wrong side.`];
      const near = `With ${leavesOf(trees[k])}, ${cv.wrong[k]} held-out tumors are on the wrong side; with the best tree ${cv.wrong[cv.least]}.`;
      const risk = trees[k].risk || "none";
      return [near, k < cv.least ? `This tree has too many leaves: in training, ${risk} of the tumors are wrong.` : `This tree has too few leaves: in training, ${risk} are wrong, too.`];
    }
    function smallest(k) {
      const risk = `The risk of ${leavesOf(trees[k])} is ${digits(cv.held[k], 4)}`;
      if (k === cv.chosen) return [`${risk}, below ${limit}, and that of every smaller tree is above it.`];
      if (cv.held[k] > cv.limit) return [`${risk}, above ${limit}.`, `This tree has too ${k < cv.chosen ? "many" : "few"} leaves.`];
      return [`${risk}, below ${limit}.`, "But that of a smaller tree is below it, too."];
    }
    return {
      asks: [
        "Find the price whose tree has the fewest held-out tumors on the wrong side.",
        "Find the price of the smallest tree whose risk is at most the least one plus its standard error.",
      ],
      places: [...trees.keys()],
      placeOf: (i) => prices[i].k,
      judge: (number, k) => [k === found[number], ...[least, smallest][number](k)],
      tell: (number) => (number ? smallest(cv.chosen)[0] : `The best tree has ${leavesOf(trees[cv.least])}. ${least(cv.least)[0]}`),
      begin: () => 0,
      solve: (number) => first[found[number]],
    };
  }

  // What a tree costs at a price, in a sum; rounded numbers may give another result than exact ones.
  function sumOf(tree, price) {
    const [risk, each, whole] = [tree.risk, price, loss(tree, price)].map((x) => digits(x));
    const sign = digits(Number(risk) + tree.leaves * Number(each)) === whole ? "=" : "≈";
    return `At this price the tree costs ${risk} + ${tree.leaves} · ${each} ${sign} ${whole} bits.`;
  }

  widgets.price = (box, data) => {
    const { prices, trees, cv, key } = data;
    const worth = element("p", { "aria-live": "polite", "aria-atomic": "true" });
    const next = element("p", { class: cv ? null : "task-answer" });
    const said = element("div", { class: "price-said" }, worth, next);
    const picture = element("div", { class: "price-tree", role: "group", "aria-label": "The tree at this price" });
    const showTree = treeIn(picture, data);
    const control = slider({ label: "Price of a leaf", count: prices.length, says: (i) => prices[i].words, change });
    const plots = (cv ? [staircase, risks] : [losses]).map((draw) => draw(data, control.set));
    const at = () => Number(control.input.value);
    const tasks = (cv ? heldOutTasks : branchTasks)(data);
    const todo = task(box, {
      ...tasks,
      at: () => tasks.placeOf(at()),
      begin: (number) => control.set(tasks.begin(number)),
      solve: (number) => control.set(tasks.solve(number)),
      show(number) {
        box.classList.toggle("price-blind", number === 0);
        change(at());
      },
    });
    const isAsked = () => !cv && !todo.isOpen(); // the price of a branch: the tree waits

    function put(place, markup) {
      const made = element("span");
      made.innerHTML = markup;
      say(place, ...made.childNodes);
    }

    function fill([first, second], i, asked) {
      put(first, asked ? sumOf(trees[todo.number()], prices[i].at) : prices[i].said);
      put(second, trees[prices[i].k].next);
    }

    function change(i) {
      const k = isAsked() ? todo.number() : prices[i].k;
      fill([worth, next], i, isAsked());
      showTree(k, isAsked());
      for (const { show } of plots) show(k, prices[i].at, i, todo.tried());
    }

    box.classList.add(cv ? "price-two" : "price-one");
    box.append(
      ...todo.head(cv ? "Raise the price of a leaf, and watch which branches go" : "Raise the price of a leaf"),
      element("div", { class: "price-control" }, control.whole),
      ...todo.tools,
      said,
      picture,
      key ? element("p", { class: "price-key" }, key) : "",
      element("div", { class: "price-plots" }, plots.map(({ svg }) => svg)),
    );
    todo.begin();
    // The room is that of the words when all is shown.
    function keepRoom() {
      const high = (copy, i) => {
        fill(copy.children, i, false);
        return Math.ceil(copy.getBoundingClientRect().height);
      };
      box.classList.remove("task-closed");
      aside(said, (copy) => steady(copy, prices.map((_, i) => () => high(copy, i))));
      box.classList.toggle("task-closed", !todo.isOpen());
    }
    followWidth(said, keepRoom, picture);
  };
})();
