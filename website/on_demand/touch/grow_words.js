// What "grow it yourself" says: count tables, gains with their numbers put in, the reasons of the programs.
(() => {
  const { element, count, digits, color, page } = window.touch;

  const CHAPTERS = {
    entropy: "02_entropy", gain: "03_information_gain", "gain ratio": "05_gain_ratio", Gini: "07_impurity", "Gini’s impurity": "07_impurity",
    ID3: "04_id3", "C4.5": "06_c45", CART: "08_cart", "learned too much by heart": "12_overfitting", Price: "13_price_per_leaf",
  };
  const WAYS = {
    ID3: { worth: (m) => m.gain, unit: " bits", name: "gain" },
    "C4.5": { worth: (m) => m.ratio, unit: "", name: "gain ratio" },
    CART: { worth: (m) => m.decrease, unit: "", name: "decrease" },
  };

  // A word that leads to its chapter, unless one is there.
  function link(word, words = word) {
    const href = page(`chapters/${CHAPTERS[word]}.html`);
    return new URL(href).pathname === window.location.pathname ? words : element("a", { href }, words);
  }

  const colored = (k, text) => element("b", { style: `color:${color(k)}` }, text);
  const head = (...names) => element("tr", {}, names.map((name) => element("th", { scope: "col" }, name)));
  const line = (name, ...cells) =>
    element("tr", {}, element("th", { scope: "row" }, name), cells.map((cell) => element("td", {}, cell)));
  const table = (name, first, lines) =>
    element("table", { class: `grow-table ${name}` }, element("thead", {}, first), element("tbody", {}, lines));

  const worth = (m, way) => (m ? WAYS[way].worth(m) || 0 : 0);
  const written = (m, way) => (m && !Number.isNaN(WAYS[way].worth(m)) ? digits(worth(m, way)) + WAYS[way].unit : "–");
  const named = (m, way) => (m && !Number.isNaN(WAYS[way].worth(m)) ? `${WAYS[way].name} ${digits(worth(m, way))}` : "–");

  function countTable(data, m, isTwo, measure) {
    const { entropy, gini, sum } = window.touch.arithmetic;
    const { say, branchLabels } = window.touch.growing;
    const impurity = isTwo ? gini : entropy;
    const row = (label, counts) =>
      line(label, ...counts.map((c, k) => (c ? colored(k, count(c)) : "0")), sum(counts) ? digits(impurity(counts)) : "");
    const labels = branchLabels(data, m.split);
    const names = data.classes.map((name, k) => colored(k, name));
    return table(
      "grow-counts-table",
      head(say(data, m.split), ...names, measure),
      [...m.counts.map((counts, i) => row(labels[i], counts)), row("together", m.total)],
    );
  }

  // The gain: what was not known before, less what is not known after.
  function gainLine(m, isTwo) {
    const { entropy, gini, sum } = window.touch.arithmetic;
    const impurity = isTwo ? gini : entropy;
    const known = count(sum(m.total));
    const parts = m.counts.filter((counts) => sum(counts) > 0);
    const after = parts.map((counts) => `${count(sum(counts))}/${known} · ${digits(impurity(counts))}`).join(" + ");
    const inside = `${digits(impurity(m.total))} − (${after})`;
    const whole = m.known < 1 - 1e-9 ? `${known}/${count(m.n)} · [${inside}]` : inside;
    const result = isTwo ? digits(m.decrease) : `${digits(m.gain)} bits`;
    return element("p", { class: "grow-formula" }, `${isTwo ? "decrease of Gini" : "gain"} = ${whole} = `, element("strong", {}, result));
  }

  function ratioLine(m) {
    const inside = `gain ratio = ${digits(m.gain)} / ${digits(m.information)} = `;
    return element("p", { class: "grow-formula" }, inside, element("strong", {}, digits(m.ratio)));
  }

  const formulas = (m, isTwo) => [gainLine(m, isTwo), isTwo || Number.isNaN(m.ratio) ? "" : ratioLine(m)];

  // What a program asks at a node, and why.
  function reason(data, way, { found, feature, average }) {
    const { say, branchLabels } = window.touch.growing;
    if (feature < 0) return [link(way), " asks nothing here: no question gains anything. The node becomes a leaf."];
    const m = found[feature];
    const value = written(m, way);
    const equal = found.filter((other) => other && Math.abs(worth(other, way) - worth(m, way)) < 1e-9).length;
    const tie = equal > 1 ? ` ${equal} questions are equal; the first column is taken.` : "";
    const numbers = data.table.columns.some((column) => column.numbers);
    const because = {
      ID3: () => ["no other question has a larger ", link("gain"), ` than ${value}.${tie}${numbers ? " It reads no numbers." : ""}`],
      "C4.5": () => [
        "among the questions that ", link("gain"), ` at least the average, ${digits(average)} bits, none has a larger `,
        link("gain ratio"), ` than ${value}.${tie}`,
      ],
      CART: () => ["no other question with two answers lowers ", link("Gini’s impurity"), ` by more than ${value}.${tie}`],
    };
    const groups = way === "CART" && m.split.groups ? ` (${branchLabels(data, m.split).join(" or ")})` : "";
    return [link(way), ` asks ${say(data, m.split)}${groups}: `, ...because[way]()];
  }

  const toCount = () => element("p", { class: "grow-hint" }, "Ask a question: what its answers tell is counted here.");

  function title(data) {
    const legend = data.classes.flatMap((name, k) => [k ? ", " : "", colored(k, `${k ? "■" : "●"} ${name}`)]);
    return [`${data.title} `, element("span", { class: "grow-legend" }, ...legend)];
  }

  // What stands on an empty stage.
  function guide(data) {
    const { columns } = data.table;
    const hasGaps = columns.some((column) => (column.names ? column.codes : column.numbers).includes(null));
    const mayMove = data.asks === "two" || columns.some((column) => column.numbers);
    const lines = [
      `Each dot is one of ${data.ids.length} ${data.many}. Press a question: its answers part them. Then ask where both kinds are left.`,
      mayMove && `A node that has asked lets you change its ${data.asks === "two" ? "threshold or its groups" : "threshold"}: press it.`,
      hasGaps && `A ${data.one} whose answer is unknown goes down every branch in part, as in C4.5: a smaller dot.`,
    ];
    return lines.filter(Boolean).map((words) => element("p", {}, words));
  }

  // Where a node is: its own answer, and for those who do not see the tree the answers above it.
  function place(data, node) {
    const steps = window.touch.growing.path(data, node);
    const above = steps.slice(0, -1).map((step) => `${step}, `).join("");
    return [above && element("span", { class: "visually-hidden" }, above), steps.at(-1)];
  }

  // How many questions a reader's tree asks, and a program's.
  function asked(root, program) {
    const { inner, shape } = window.touch.growing;
    const [own, theirs] = [inner(root), inner(program.root)];
    const isSame = shape(root) === shape(program.root);
    const why = link(program.name, "see why");
    const words = `You asked ${own} question${own === 1 ? "" : "s"}, ${isSame ? `the same as ${program.name}` : `${program.name} asks ${theirs}`}`;
    return [words, ...(why === "see why" ? ["."] : [": ", why, "."])];
  }

  // The table of the rows: those of a node stand out.
  function rowsTable(data) {
    const { columns, y } = data.table;
    const cell = (column, row) => String((column.names ? column.names[column.codes[row]] : column.numbers[row]) ?? "?");
    const lines = data.ids.map((id, row) =>
      line(String(id), colored(y[row], data.classes[y[row]]), ...columns.map((column) => cell(column, row))),
    );
    const first = head(data.one, data.target, ...columns.map((column) => column.name));
    const title = `The table of the ${data.many}`;
    const scrolled = { class: "grow-scroll", tabindex: "0", role: "region", "aria-label": `${data.ids.length} rows` };
    const inner = element("div", scrolled, table("grow-rows", first, lines));
    const whole = element("details", {}, element("summary", {}, title), inner);
    function show(node, f) {
      const here = new Set(node.rows.map(([row]) => row));
      lines.forEach((one, row) => one.classList.toggle("away", !here.has(row)));
      [...first.cells].forEach((name, i) => name.classList.toggle("asked", i === f + 2 && f >= 0));
    }
    return { whole, show };
  }

  // The reader's tree beside the programs': show(tree) puts one of them on the stage, null the reader's own.
  function comparison(data, own, theirs, shown, show) {
    const { shape } = window.touch.growing;
    const compared = (tree, program) => {
      const pressed = String(shown ? shown === tree.name : !program);
      const label = `${tree.name}: show this tree`;
      const see = element("button", { type: "button", "aria-pressed": pressed, "aria-label": label, onclick: () => show(program) }, tree.name);
      const same = program && shape(tree.root) === shape(own.root) ? element("span", { class: "grow-same" }, "same as yours") : "";
      const numbers = [tree.leaves, digits(tree.questions, 2), tree.errors, tree.errors + tree.leaves].map(String);
      return line([see, " ", same], ...numbers);
    };
    const lines = [compared(own, null), ...theirs.map((tree) => compared(tree, tree))];
    return [
      element("p", { class: "grow-heading" }, "Press a name to see its tree"),
      table("grow-compared", head("tree", "leaves", "questions", "wrong", "price"), lines),
      element(
        "p", {}, `Questions: on average, per ${data.one}. Wrong: of these ${data.ids.length}. `, link("Price"),
        ": leaves and errors together, if each costs 1. Less is better in every column, but seldom in all at once.",
      ),
      element(
        "p", {}, `To be right about the ${data.many} that a tree was grown from is easy. Whether it is right about the next ${data.one} `,
        "is another matter: it may have ", link("learned too much by heart"), ".",
      ),
    ];
  }

  window.touch.growWords = {
    link, worth, named, countTable, formulas, reason, title, guide, toCount, place, asked, rowsTable, comparison,
  };
})();
