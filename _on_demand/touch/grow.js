// Grow it yourself: a reader asks the questions, sees what each of them tells, and compares the tree with the programs'.
(() => {
  const { widgets, element, count, digits, color, choice, page } = window.touch;
  const math = () => window.touch.arithmetic; // its file comes before this one, but not for long

  const WAYS = {
    ID3: { words: "information gain", worth: (m) => m.gain, unit: " bits" },
    "C4.5": { words: "gain ratio", worth: (m) => m.ratio, unit: "" },
    CART: { words: "decrease of Gini", worth: (m) => m.decrease, unit: "" },
  };

  // The tree: nodes of rows, the question that each asks, and what it says of its rows.

  function makeNode(data, rows, parent, place, label) {
    const { classCounts, sum } = math();
    const counts = classCounts(data.table, rows);
    const most = Math.max(...counts);
    return {
      rows, counts, parent, label,
      key: parent ? `${parent.key}.${place}` : "0",
      depth: parent ? parent.depth + 1 : 0,
      says: sum(counts) ? data.classes[counts.findIndex((c) => c >= most - 1e-9)] : parent.says,
      isPure: sum(counts) - most < 1e-9,
      split: null, children: null, words: "",
    };
  }

  function branchLabels(column, split) {
    if (!split.groups) return ["yes", "no"];
    return split.groups.map((group) => group.map((code) => column.names[code]).join(", "));
  }

  // The branches that a split would make, without making them.
  function branched(data, node, split) {
    const labels = branchLabels(data.table.columns[split.f], split);
    const words = say(data, split);
    const children = math()
      .send(data.table, node.rows, split)
      .map((rows, i) => makeNode(data, rows, node, i, labels[i]));
    return { split, words, children };
  }

  function say(data, split) {
    const { name } = data.table.columns[split.f];
    return split.groups ? name : `${name} ≤ ${threshold(split.threshold)}`;
  }

  const threshold = (x) => String(Number(x.toPrecision(6))).replace("-", "−");

  function* nodes(node) {
    yield node;
    for (const child of node.children ?? []) yield* nodes(child);
  }

  const leaves = (root) => [...nodes(root)].filter((node) => !node.children);
  const isOpen = (node) => !node.children && !node.isPure && !node.isDone;

  // A program's tree, with the rows sent down it.
  function planted(data, nested) {
    const grow = (node, { split, children }) => {
      if (!split) return;
      Object.assign(node, branched(data, node, split));
      node.children.forEach((child, i) => grow(child, children[i]));
    };
    const root = makeNode(data, data.rows, null, 0, "");
    grow(root, nested);
    return root;
  }

  // Leaves, questions asked of a row, rows that get a wrong class: a row in several leaves has their shares.
  function judge(data, root) {
    const { sum } = math();
    const shares = data.rows.map(() => Array(data.table.K).fill(0));
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
    return { leaves: leaves(root).length, questions: questions / data.rows.length, errors: wrong.length };
  }

  const shape = (node) =>
    node.children ? JSON.stringify([node.split.f, node.split.threshold ?? node.split.groups]) + node.children.map(shape).join() : "";

  // Words and tables.

  const colored = (data, k, text) => element("b", { style: `color:${color(k)}` }, text);
  const measured = (m, way) => (m && !Number.isNaN(WAYS[way].worth(m)) ? `${digits(WAYS[way].worth(m))}${WAYS[way].unit}` : "–");

  function countTable(data, m, isTwo) {
    const { entropy, gini, sum } = math();
    const column = data.table.columns[m.split.f];
    const impurity = isTwo ? gini : entropy;
    const lines = m.counts.map((counts, i) => [branchLabels(column, m.split)[i], counts]);
    const head = element("tr", {}, element("th", { scope: "col" }, say(data, m.split)), data.classes.map((name, k) => element("th", { scope: "col" }, colored(data, k, name))), element("th", { scope: "col" }, isTwo ? "Gini" : "entropy"));
    const row = ([label, counts]) =>
      element("tr", {}, element("th", { scope: "row" }, label), counts.map((c, k) => element("td", {}, c ? colored(data, k, count(c)) : "0")), element("td", {}, sum(counts) ? digits(impurity(counts)) : ""));
    return element("table", { class: "grow-counts-table" }, element("thead", {}, head), element("tbody", {}, lines.map(row), row(["together", m.total])));
  }

  // The gain with its numbers put in: what was unknown before, less what is unknown after.
  function formula(m, isTwo) {
    const { entropy, gini, sum } = math();
    const impurity = isTwo ? gini : entropy;
    const known = sum(m.total);
    const parts = m.counts.filter((counts) => sum(counts) > 0);
    const after = parts.map((counts) => `${count(sum(counts))}/${count(known)} · ${digits(impurity(counts))}`).join(" + ");
    const share = m.known < 1 - 1e-9 ? `${count(known)}/${count(m.n)} · ` : "";
    const inside = `${digits(impurity(m.total))} − (${after})`;
    const result = isTwo ? `${digits(m.decrease)}` : `${digits(m.gain)} bits`;
    return [share ? `${share}[${inside}]` : inside, result];
  }

  function formulas(data, m, isTwo) {
    const [inside, result] = formula(m, isTwo);
    const lines = [element("p", { class: "grow-formula" }, `${isTwo ? "decrease of Gini" : "gain"} = ${inside} = `, element("strong", {}, result))];
    if (!isTwo && !Number.isNaN(m.ratio)) {
      lines.push(element("p", { class: "grow-formula" }, `gain ratio = ${digits(m.gain)} / ${digits(m.information)} = `, element("strong", {}, digits(m.ratio))));
    }
    return lines;
  }

  // What a program asks at a node, and why.
  function reason(data, way, { found, feature, average }) {
    const cannot = found.filter((m) => m === null).length;
    const numbers = data.table.columns.filter((column) => column.numbers);
    if (feature < 0) return `${way} asks nothing here: no question gains anything. The node becomes a leaf.`;
    const m = found[feature];
    const name = say(data, m.split);
    const value = measured(m, way);
    const worth = WAYS[way].worth;
    const equal = found.filter((other) => other && Math.abs(worth(other) - worth(m)) < 1e-9);
    const tie = equal.length > 1 ? ` ${equal.length} questions are equal; the first column is taken.` : "";
    if (way === "ID3") return `ID3 asks ${name}: no other question gains more than ${value}.${tie}${cannot && numbers.length ? " It reads no numbers." : ""}`;
    if (way === "C4.5") {
      return `C4.5 asks ${name}: among the questions that gain at least the average, ${digits(average)} bits, none has a larger gain ratio than ${value}.${tie}`;
    }
    const groups = m.split.groups ? ` (${branchLabels(data.table.columns[feature], m.split).join(" or ")})` : "";
    return `CART asks ${name}${groups}: no other question with two answers lowers Gini's impurity by more than ${value}.${tie}`;
  }

  widgets.grow = (box, data) => {
    const { arithmetic, stage: makeStage } = window.touch;
    const isTwo = data.asks === "two";
    data.rows = data.ids.map((_, row) => [row, 1]);
    let root, selected, asked, way, shown; // asked: the split that is tried; way: whose answer is shown; shown: whose tree
    const said = element("p", { class: "grow-said", "aria-live": "polite" });
    const stage = makeStage(data, choose);
    const hint = element("p", { class: "grow-hint" });
    const detail = element("div", { class: "grow-detail" });
    const why = element("p", { class: "grow-why", "aria-live": "polite" });
    const end = element("div", { class: "grow-end" });
    const undo = element("button", { type: "button", onclick: takeBack }, "Take back");
    const again = element("button", { type: "button", onclick: () => begin() }, "Start again");
    const compare = element("button", { type: "button", "aria-pressed": "false", onclick: toggleEnd }, "Compare with the programs");
    const programs = choice({ label: "What would a program ask here?", options: Object.keys(arithmetic.programs).map((name) => [name, name]), start: "", change: askProgram });
    const features = data.table.columns.map((column, f) => featureButton(column, f));
    const askPanel = element("div", { class: "grow-ask" }, element("p", { class: "grow-heading" }, "Which question?"), element("div", { class: "grow-features" }, features.map((x) => x.button)), element("p", { class: "grow-heading" }, "What would a program ask here?"), programs.whole, why);
    const table = rowsTable(data);

    function featureButton(column, f) {
      const value = element("span", { class: "grow-worth" });
      const bar = element("span", { class: "grow-bar" });
      const button = element("button", { type: "button", class: "grow-feature", "aria-pressed": "false" }, element("span", {}, column.name), value, bar);
      button.addEventListener("pointerenter", (event) => event.pointerType === "mouse" && attempt(f));
      button.addEventListener("focus", () => button.matches(":focus-visible") && attempt(f));
      let pointer = "key";
      button.addEventListener("pointerdown", (event) => (pointer = event.pointerType));
      button.addEventListener("click", (event) => {
        const again = pinned && asked?.split.f === f;
        const atOnce = !needsCare(f) && !(event.detail && pointer === "touch");
        attempt(f, true);
        if (asked && (again || atOnce)) ask();
      });
      return { button, value, bar };
    }

    // A threshold or groups are worth a look before they are asked.
    const needsCare = (f) => isTwo || Boolean(data.table.columns[f].numbers);

    function splitsOf(f) {
      const { numbers } = data.table.columns[f];
      if (numbers) return arithmetic.thresholds(data.table, selected.rows, f).map((x) => ({ f, threshold: x, groups: null }));
      return isTwo ? arithmetic.inTwo(data.table, selected.rows, f) : [arithmetic.everyValue(data.table, f)];
    }

    function bestOf(f) {
      const all = splitsOf(f).map((split) => arithmetic.measure(data.table, selected.rows, split)).filter((m) => m.parted);
      const worth = isTwo ? WAYS.CART.worth : WAYS.ID3.worth;
      const most = Math.max(...all.map(worth));
      return all.find((m) => worth(m) >= most - 1e-10) ?? null;
    }

    // Show what a question would do, without asking it.
    let pinned = false;
    function attempt(f, pin = false) {
      if (shown || selected.children || selected.isPure || (pinned && !pin && needsCare(asked?.split.f ?? f) && asked)) return;
      if (asked?.split.f !== f) tryOut(bestOf(f), f);
      pinned = pin;
    }

    function tryOut(m, f) {
      asked = m && { ...branched(data, selected, m.split), m };
      features.forEach((x, i) => x.button.setAttribute("aria-pressed", String(i === f)));
      features[f].value.textContent = m ? digits(isTwo ? m.decrease : m.gain) : "one value";
      showDetail(m, f);
      stage.draw(root, { selected, tried: asked });
      table.show(selected, f);
    }

    function showDetail(m, f) {
      const { name } = data.table.columns[f];
      if (!m) return detail.replaceChildren(element("p", {}, `${name} has one value here: it tells nothing.`));
      const counts = element("div");
      const fill = (now) => counts.replaceChildren(countTable(data, now, isTwo), ...formulas(data, now, isTwo));
      const button = element("button", { type: "button", class: "grow-do", onclick: ask }, `Ask ${name} here`);
      const control = data.table.columns[f].numbers ? cutSlider(f, m, fill) : isTwo ? groupButtons(f, m, fill) : "";
      fill(m);
      detail.replaceChildren(control, counts, button);
    }

    function change(split, fill) {
      const m = arithmetic.measure(data.table, selected.rows, split);
      asked = { ...branched(data, selected, split), m };
      pinned = true;
      features[split.f].value.textContent = digits(isTwo ? m.decrease : m.gain);
      fill(m);
      stage.draw(root, { selected, tried: asked });
    }

    function cutSlider(f, m, fill) {
      const splits = splitsOf(f);
      const slider = window.touch.slider({
        label: `${data.table.columns[f].name} ≤`, count: splits.length,
        start: splits.findIndex((split) => split.threshold === m.split.threshold),
        says: (i) => threshold(splits[i].threshold),
        change: (i) => splits[i].threshold !== asked.split.threshold && change(splits[i], fill),
      });
      slider.show();
      return slider.whole;
    }

    // Names in two groups: a press takes a name to the other side.
    function groupButtons(f, m, fill) {
      const { names } = data.table.columns[f];
      const present = m.split.groups.flat().sort((a, b) => a - b);
      let right = new Set(m.split.groups[1]);
      const buttons = present.map((code) => element("button", { type: "button", onclick: () => swap(code) }, names[code]));
      const label = () => buttons.forEach((button, i) => button.setAttribute("aria-pressed", String(!right.has(present[i]))));
      function swap(code) {
        const other = new Set(right);
        if (!other.delete(code)) other.add(code);
        if (!other.size || other.size === present.length) return;
        right = other;
        label();
        const groups = [present.filter((c) => !right.has(c)), present.filter((c) => right.has(c))];
        change({ f, groups: groups[0].includes(present[0]) ? groups : groups.reverse() }, fill);
      }
      label();
      return element("div", { class: "touch-choice", role: "group", "aria-label": `The first group of ${data.table.columns[f].name}` }, element("span", {}, "to the left:"), buttons);
    }

    function ask() {
      Object.assign(selected, asked);
      const node = selected;
      goOn(node.children.find(isOpen));
    }

    // To the next node where something may be asked; at the end the trees are compared.
    function goOn(next = leaves(root).find(isOpen)) {
      choose(next ?? selected);
      if (detail.contains(document.activeElement) || document.activeElement === document.body) stage.focus(selected);
      if (!next) toggleEnd(true);
    }

    function takeBack() {
      const node = selected.children ? selected : (selected.parent ?? root);
      Object.assign(node, { split: null, children: null, words: "", isDone: false });
      choose(node);
    }

    function choose(node) {
      if (shown) return;
      [selected, asked, pinned] = [node, null, false];
      way = "";
      programs.set("");
      update();
    }

    function askProgram(name) {
      way = name;
      why.textContent = "";
      features.forEach((x) => {
        x.value.textContent = "";
        x.bar.style.width = "0";
      });
      if (!name || shown || selected.children) return;
      const answer = arithmetic.programs[name](data.table, selected.rows);
      if (selected.isPure) answer.feature = -1;
      const worth = WAYS[name].worth;
      const most = Math.max(...answer.found.map((m) => (m ? worth(m) || 0 : 0)), 1e-9);
      answer.found.forEach((m, f) => {
        features[f].value.textContent = m ? measured(m, name) : "–";
        features[f].bar.style.width = `${m ? (100 * (worth(m) || 0)) / most : 0}%`;
        features[f].bar.classList.toggle("best", f === answer.feature);
      });
      const split = answer.found[answer.feature]?.split;
      const act = split ? () => ((asked = branched(data, selected, split)), ask()) : () => ((selected.isDone = true), goOn());
      const button = element("button", { type: "button", onclick: act }, split ? `Ask what ${name} asks` : "Make it a leaf");
      why.replaceChildren(reason(data, name, answer), " ", isOpen(selected) ? button : "");
      if (split) {
        asked = { ...branched(data, selected, split), m: answer.found[answer.feature] };
        stage.draw(root, { selected, tried: asked });
      }
    }

    function update() {
      const tree = shown ? shown.root : root;
      features.forEach((x) => {
        x.button.disabled = Boolean(shown || selected.children || selected.isPure);
        x.button.setAttribute("aria-pressed", "false");
        x.value.textContent = "";
        x.bar.style.width = "0";
      });
      detail.replaceChildren(element("p", { class: "grow-place" }, where()));
      undo.disabled = Boolean(shown) || (!selected.children && !selected.parent);
      stage.draw(tree, { selected: shown ? null : selected });
      table.show(shown ? tree : selected, -1);
      summarize(tree);
      if (!end.hidden) fillEnd();
    }

    function path(node) {
      const steps = [];
      for (let at = node; at.parent; at = at.parent) steps.unshift(at.parent.split.groups ? `${at.parent.words} is ${at.label}` : `${at.parent.words}: ${at.label}`);
      return steps.length ? steps.join(", ") : `all ${data.rows.length} ${data.many}`;
    }

    function where() {
      if (shown) return `This is the tree of ${shown.name}.`;
      if (selected.children) return `${path(selected)}: asked is ${selected.words}. “Take back” removes the question.`;
      if (selected.isPure) return `${path(selected)}: all ${selected.says}, nothing is left to ask.`;
      return `${path(selected)}: which question?`;
    }

    function summarize(tree) {
      const { leaves: number, questions, errors } = judge(data, tree);
      const open = leaves(tree).filter(isOpen).length;
      const whose = shown ? `The tree of ${shown.name}` : "Your tree";
      const so = number === 1 ? "no question yet" : `${number} leaves, ${digits(questions, 2)} questions for a ${data.one}`;
      said.textContent = `${whose}: ${so}, ${errors} of ${data.rows.length} wrong${open && !shown ? `; ${open} ${open === 1 ? "node is" : "nodes are"} open` : ""}.`;
      hint.hidden = number > 1;
    }

    function toggleEnd(open = end.hidden) {
      end.hidden = open !== true && !end.hidden;
      compare.setAttribute("aria-pressed", String(!end.hidden));
      if (!end.hidden) fillEnd();
    }

    function fillEnd() {
      const own = shape(root);
      const mine = { name: "You", root, ...judge(data, root) };
      const theirs = data.programs.map((program) => ({ ...program, root: planted(data, program.tree) }));
      const line = (tree, isOwn) => {
        const isShown = isOwn ? !shown : shown?.name === tree.name;
        const show = element("button", { type: "button", "aria-pressed": String(isShown), onclick: () => ((shown = isOwn ? null : tree), update()) }, "show");
        const same = !isOwn && shape(tree.root) === own ? " (yours)" : "";
        return element("tr", {}, element("th", { scope: "row" }, tree.name + same), element("td", {}, String(tree.leaves)), element("td", {}, digits(tree.questions, 2)), element("td", {}, String(tree.errors)), element("td", {}, String(tree.errors + tree.leaves)), element("td", {}, show));
      };
      const heads = ["tree", "leaves", `questions for a ${data.one}`, "wrong", "wrong + leaves", "see it"];
      const lines = [line(mine, true), ...theirs.map((tree) => line(tree, false))];
      const price = element("p", {}, "Fewer is better, in every column, but you cannot have all of them. The last number is ", element("a", { href: page("chapters/12_price_per_leaf.html") }, "the price of a tree"), " if a leaf costs as much as an error.");
      end.replaceChildren(element("div", { class: "grow-scroll" }, element("table", {}, element("thead", {}, element("tr", {}, heads.map((words) => element("th", { scope: "col" }, words)))), element("tbody", {}, lines))), price);
    }

    function begin() {
      root = makeNode(data, data.rows, null, 0, "");
      stage.shrink();
      shown = null;
      end.hidden = true;
      compare.setAttribute("aria-pressed", "false");
      choose(root);
    }

    const legend = data.classes.flatMap((name, k) => [k ? ", " : "", colored(data, k, `${k ? "●" : "■"} ${name}`)]);
    const points = window.matchMedia("(hover: hover)").matches ? ["Point at", "press it to ask it"] : ["Tap", "tap it again to ask it"];
    hint.append(`Each dot is one of ${data.rows.length} ${data.many}; ${data.target}: `, ...legend, `. ${points[0]} a question to see where the ${data.many} fall; ${points[1]}.`);
    const hasGaps = data.table.columns.some((column) => (column.names ? column.codes : column.numbers).includes(null));
    if (hasGaps) hint.append(` A ${data.one} whose answer is unknown goes down every branch in part, as in C4.5: a smaller dot.`);
    box.append(
      element("p", { class: "touch-title" }, `${data.title} Grow the tree yourself.`), hint, said, stage.whole,
      element("div", { class: "grow-panels" }, askPanel, detail),
      element("div", { class: "grow-tools" }, undo, again, compare), end, table.whole,
    );
    begin();
    new ResizeObserver(() => stage.draw(shown ? shown.root : root, { selected: shown ? null : selected, tried: asked })).observe(stage.whole);
  };

  // The table itself: the rows of the chosen node stand out, in the color of their class.
  function rowsTable(data) {
    const { table, ids, classes } = data;
    const cell = (column, row) => (column.names ? column.names[column.codes[row]] : column.numbers[row]) ?? "?";
    const heads = table.columns.map((column) => element("th", { scope: "col" }, column.name));
    const lines = ids.map((id, row) =>
      element("tr", {}, element("th", { scope: "row" }, String(id)), element("td", {}, colored(data, table.y[row], classes[table.y[row]])), table.columns.map((column) => element("td", {}, String(cell(column, row))))),
    );
    const head = element("tr", {}, element("th", { scope: "col" }, data.one), element("th", { scope: "col" }, data.target), heads);
    const inner = element("table", { class: "grow-rows" }, element("thead", {}, head), element("tbody", {}, lines));
    const whole = element("details", { open: window.innerWidth >= 900 }, element("summary", {}, `The table of the ${data.many}`), element("div", { class: "grow-scroll", tabindex: "0", role: "region", "aria-label": `The table of the ${data.many}` }, inner));
    function show(node, f) {
      const here = new Set(node.rows.map(([row]) => row));
      lines.forEach((line, row) => line.classList.toggle("away", !here.has(row)));
      heads.forEach((name, i) => name.classList.toggle("asked", i === f));
    }
    return { whole, show };
  }
})();
