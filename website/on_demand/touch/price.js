// The price of a leaf: one slider moves the tree, its path, and what its subtrees cost.
(() => {
  const { widgets, element, drawn, color, moves, slider, plot, steady } = window.touch;
  const last = (list) => list[list.length - 1];
  // The place of the number that is nearest to x.
  const nearest = (list, x) => list.reduce((best, value, i) => (Math.abs(value - x) < Math.abs(list[best] - x) ? i : best), 0);
  const leavesOf = (tree) => (tree.leaves === 1 ? "1 leaf" : `${tree.leaves} leaves`);

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

  // The tree: what falls fades, the weakest links have a rim. Shows the tree k of the path.
  function treeIn(box, { svg, nodes, trees, cv }) {
    box.innerHTML = svg;
    const picture = box.firstElementChild;
    const cards = nodes.map((_, i) => picture.querySelector(`[data-node="${i}"]`));
    const edges = nodes.map((_, i) => picture.querySelector(`[data-edge="${i}"]`));
    const write = cards.map((card, i) => (cv ? smallCard : largeCard)(card, nodes[i].asks));
    return (k) => {
      const { weakest, notes } = trees[k];
      nodes.forEach(({ leaf, gone, words, color: own }, i) => {
        const isGone = gone !== null && k >= gone;
        const isLeaf = leaf !== null && k >= leaf;
        for (const drawing of [cards[i], edges[i]]) drawing?.classList.toggle("price-gone", isGone);
        cards[i].classList.toggle("price-next", weakest.includes(i));
        write[i]((isLeaf ? words : notes[i]) ?? "", isLeaf, color(own));
      });
      const next = weakest.map((i) => nodes[i].asks).join(" ");
      picture.setAttribute("aria-label", `Tree: ${leavesOf(trees[k])}. ${next ? `Next to go: ${next}` : "The root is alone."}`);
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

  // A plot, and what moves in it: a rule, and as many dots as are asked for.
  function moving(title, height, x, y, draw, dots = 1) {
    const p = plot({ width: 340, height, title, x, y });
    draw(p);
    const rule = p.rule(0);
    const marks = Array.from({ length: dots }, () => p.dot(0, 0, { r: 6, class: "price-dot" }));
    const move = (at, ...heights) => {
      p.place(rule, at);
      heights.forEach((value, i) => p.move(marks[i], at, Math.min(value, y.to)));
    };
    return { svg: p.svg, move, drag: p.drag };
  }

  // Chapter 13: the loss of each subtree is a line; the lowest at each price is thick.
  function losses({ lines, trees, prices }, choose) {
    const to = last(prices).at;
    const top = 1.15 * (last(trees).risk + to);
    const loss = (tree, price) => tree.risk + tree.leaves * price;
    function draw(p) {
      for (const [leaves, risk] of lines) {
        const end = Math.min(to, (top - risk) / leaves);
        const isBest = trees.some((tree) => tree.leaves === leaves && Math.abs(tree.risk - risk) < 1e-9);
        p.line([[0, risk], [end, risk + leaves * end]], { class: `line ${isBest ? "price-thin" : "price-dotted"}` });
      }
      const corners = trees.map((tree) => [tree.from, loss(tree, tree.from)]);
      p.line([...corners, [to, loss(last(trees), to)]], { class: "line price-border" });
      corners.slice(1).forEach((corner) => p.dot(...corner, { class: "price-corner" }));
      trees.forEach((tree, k) => {
        const middle = (tree.from + (trees[k + 1]?.from ?? to)) / 2;
        const isLast = tree === last(trees); // no room to the right of its middle
        const place = [isLast ? to : middle + 0.12, loss(tree, middle) - 0.075 * top];
        p.words(...place, leavesOf(tree), { class: isLast ? "tick end" : "tick" });
      });
    }
    const x = { from: 0, to, label: "price of a leaf alpha (bits)" };
    const y = { from: 0, to: top, label: "loss (bits)" };
    const { svg, move, drag } = moving("Loss of the subtrees at each price", 300, x, y, draw);
    drag((price) => choose(nearest(prices.map(({ at }) => at), price)));
    return { svg, show: (k, price) => move(price, loss(trees[k], price)) };
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
    return { svg, show: (k, _, i) => move(i, trees[k].leaves) };
  }

  // Chapter 14: what the subtrees cost on training samples and on held-out ones, as in the picture without the root.
  function risks({ trees, prices, cv }, choose) {
    const shown = trees.slice(0, -1);
    const first = firstOf(trees, prices);
    let beyond;
    function draw(p) {
      const curve = (costs, kind) => p.line(shown.map((tree, k) => [tree.leaves, costs[k]]), { class: `line ${kind}` });
      const says = (at, height, words, kind = "") => p.words(at, height, words, { class: `tick ${kind}` });
      p.line([2, trees[0].leaves].map((leaves) => [leaves, cv.limit]), { class: "line price-limit" });
      curve(cv.train, "price-dashed");
      curve(cv.held, "price-held");
      shown.forEach(({ leaves }, k) => {
        p.line([-1, 1].map((side) => [leaves, cv.held[k] + side * cv.se[k]]), { class: "line price-spread" });
        p.dot(leaves, cv.held[k], { class: k === cv.least || k === cv.chosen ? "price-corner" : "price-held-dot" });
      });
      says(22.8, 0.25, "held-out samples", "end price-held-words");
      says(22.8, 0.035, "training samples", "end");
      says(18.8, cv.limit + 0.006, "limit", "middle");
      says(trees[cv.least].leaves + 0.4, 0.112, "least");
      says(6.2, 0.3, "smallest below the limit");
      p.line([[6.6, 0.293], [trees[cv.chosen].leaves, cv.held[cv.chosen] + cv.se[cv.chosen]]], { class: "line price-thin" });
      beyond = says(1.7, 0.345, "the root: 1, above");
    }
    const x = { from: 0, to: trees[0].leaves + 1, label: "leaves" };
    const y = { from: 0, to: 0.36, label: "risk (that of the root is 1)" };
    const { svg, move, drag } = moving("Risk of the subtrees on training and held-out samples", 270, x, y, draw, 2);
    drag((leaves) => choose(first[nearest(trees.map((tree) => tree.leaves), leaves)]));
    const show = (k) => {
      move(trees[k].leaves, cv.train[k], cv.held[k]);
      beyond.classList.toggle("price-hidden", k < shown.length);
    };
    return { svg, show };
  }

  // The words keep the room of the longest ones, so that nothing jumps; a tree that scrolls can be reached by keyboard.
  function followWidth(said, fill, count, tree) {
    let width = 0;
    new ResizeObserver(([{ contentRect }]) => {
      if (contentRect.width === width) return;
      width = contentRect.width;
      const states = Array.from({ length: count }, (_, i) => () => {
        fill(i);
        return Math.ceil(said.getBoundingClientRect().height);
      });
      steady(said, states);
      fill();
      if (tree.scrollWidth > tree.clientWidth) tree.tabIndex = 0;
      else tree.removeAttribute("tabindex");
    }).observe(said);
  }

  widgets.price = (box, data) => {
    const { prices, trees, cv, key } = data;
    const worth = element("p", { "aria-live": "polite" });
    const next = element("p");
    const said = element("div", { class: "price-said" }, worth, next);
    const picture = element("div", { class: "price-tree", role: "group", "aria-label": "The tree at this price" });
    const showTree = treeIn(picture, data);
    const control = slider({ label: "Price of a leaf", count: prices.length, says: (i) => prices[i].words, change });
    const plots = (cv ? [staircase, risks] : [losses]).map((draw) => draw(data, control.set));
    function fill(i = Number(control.input.value)) {
      worth.innerHTML = prices[i].said;
      next.innerHTML = trees[prices[i].k].next;
    }
    function change(i) {
      fill(i);
      showTree(prices[i].k);
      for (const { show } of plots) show(prices[i].k, prices[i].at, i);
    }
    box.classList.add(cv ? "price-two" : "price-one");
    box.append(
      element("p", { class: "touch-title" }, "Raise the price of a leaf, and watch which branches go"),
      element("div", { class: "price-control" }, control.whole),
      said,
      picture,
      key ? element("p", { class: "price-key" }, key) : "",
      element("div", { class: "price-plots" }, plots.map(({ svg }) => svg)),
    );
    control.show();
    followWidth(said, fill, prices.length, picture);
  };
})();
