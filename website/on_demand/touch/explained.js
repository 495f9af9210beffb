// A number explains itself: a node of a picture of a tree, pressed, says its rows, and each of its numbers with the
// counts put in and a link to where the formula is derived.
(() => {
  const { element, digits, color } = window.touch;
  const data = JSON.parse(document.getElementById("explained")?.textContent ?? "null");
  let card, panel; // the node that is explained, and where

  // The measures, of counts: those of one node, or a row of them for each branch.

  const { sum: total, entropy, gini } = window.touch.arithmetic;
  const sizes = (table) => table.map(total);
  const whole = (table) => table[0].map((_, k) => total(table.map((row) => row[k])));
  const lost = (impurity, table) => {
    const n = total(sizes(table));
    return Math.max(0, impurity(whole(table)) - total(table.map((row) => (total(row) / n) * impurity(row))));
  };
  const measures = {
    entropy,
    gini,
    gain: (table) => lost(entropy, table),
    information: (table) => entropy(sizes(table)),
    ratio: (table) => lost(entropy, table) / entropy(sizes(table)),
    decrease: (table) => lost(gini, table),
  };

  // A count or a weight as on the card: two decimals at most, or one digit if it is less than 0.005.
  const count = (x) => (Number.isInteger(x) ? String(x) : x >= 0.005 ? String(Number(digits(x, 2))) : x.toPrecision(1));

  // Formulas: only numbers come into them. Each term is a piece of its own, so that a long sum may break.

  const number = (text) => `<mn>${text}</mn>`;
  const part = (a, n) => `<mfrac>${number(count(a))}${number(count(n))}</mfrac>`;
  const squared = (a, n) => `<msup><mrow><mo>(</mo>${part(a, n)}<mo>)</mo></mrow>${number(2)}</msup>`;
  const thin = '<mspace width="0.17em"/>';
  const log = (a, n) => `${part(a, n)}${thin}<msub><mi>log</mi>${number(2)}</msub><mo>&#x2061;</mo>${thin}${part(a, n)}`;
  const negative = (term) => `<mo form="prefix">−</mo>${term}`;
  const minus = (term) => `<mo form="infix" lspace="0">−</mo>${term}`;
  const less = (first, terms) => [first, ...terms.map(minus)];
  const finer = (x) => number(x === 0 || x === 1 ? x : digits(x, 4)); // what a result is worked out of: one digit more

  function formula(terms, value, unit = "") {
    const box = element("p", { class: "explained-sum" });
    box.innerHTML = terms.map((term) => `<math>${term}</math>`).join(" ");
    box.append(" ", element("span", {}, "= ", element("b", {}, digits(value)), unit));
    return box;
  }

  const present = (counts) => counts.filter((n) => n > 0);
  const sumOfLogs = (counts) => present(counts).map((n, i) => (i ? minus : negative)(log(n, total(counts))));
  const sumOfSquares = (counts) => less(number(1), present(counts).map((n) => squared(n, total(counts))));
  const drop = (impurity, table) => {
    const left = table.filter(total).map((row) => `${part(total(row), total(sizes(table)))}<mo>·</mo>${finer(impurity(row))}`);
    return less(finer(impurity(whole(table))), left);
  };
  const quotient = (a, b) => [`<mfrac>${finer(a)}${finer(b)}</mfrac>`];

  // What is said of a node

  const sign = (picture, k) => `color: ${color(picture.colors[k])}`;
  const named = (picture, k, n) => element("b", { style: sign(picture, k) }, `${picture.classes[k]} ${count(n)}`);

  function line(name, key, sum, by) {
    const [where, href] = data.links[key] ?? [];
    const link = href && element("a", { href }, `(${where})`);
    const chosen = by?.[1] === key && element("span", { class: "explained-by" }, `what ${by[0]} compares`);
    return element("div", { class: "explained-line" }, element("h4", {}, name, " ", link, chosen), sum);
  }

  function ofCounts(node) {
    const { n } = node;
    return pairs([
      line("Entropy", "entropy", formula(sumOfLogs(n), entropy(n), " bits")),
      line("Gini index", "gini", formula(sumOfSquares(n), gini(n))),
    ]);
  }

  function probability(picture, { n, says }) {
    const name = `Probability of ${picture.classes[says]} in this leaf`;
    return line(name, "", formula([part(n[says], total(n))], n[says] / total(n)));
  }

  function branches(picture, below) {
    const head = ["branch", ...picture.classes, "entropy", "Gini"];
    const rows = below.map((kid) => [
      kid.if,
      ...kid.n.map((n, k) => element("b", { style: sign(picture, k) }, count(n))),
      ...(total(kid.n) ? [digits(entropy(kid.n)), digits(gini(kid.n))] : ["–", "–"]),
    ]);
    return grid("Branches of this question", head, rows);
  }

  function ofQuestion(picture, below) {
    const table = below.map((kid) => kid.n);
    const bits = measures.information(table);
    const lines = [
      line("Gain", "gain", formula(drop(entropy, table), measures.gain(table), " bits"), picture.by),
      line("Decrease of Gini", "decrease", formula(drop(gini, table), measures.decrease(table)), picture.by),
      bits > 0 && line("Gain ratio", "ratio", formula(quotient(measures.gain(table), bits), measures.ratio(table)), picture.by),
      line("Split information", "information", formula(sumOfLogs(sizes(table)), bits, " bits")),
    ].filter(Boolean);
    const [first, ...more] = lines.sort((a, b) => !!b.querySelector(".explained-by") - !!a.querySelector(".explained-by"));
    return [first, fold("More measures", pairs(more))];
  }

  const fold = (words, inside, open = false) => element("details", { open }, element("summary", {}, words), inside);

  const pairs = (lines) => element("div", { class: "explained-pairs" }, lines);

  function grid(label, head, rows) {
    const cells = (row, kind) => row.map((cell) => element(kind, kind === "th" ? { scope: "col" } : {}, cell));
    const table = element("table", {}, element("thead", {}, element("tr", {}, cells(head, "th"))),
      element("tbody", {}, rows.map((row) => element("tr", {}, cells(row, "td")))));
    return element("div", { class: "explained-rows", role: "region", "aria-label": label, tabindex: 0 }, table);
  }

  function ofRows(picture, node) {
    const table = data.tables[picture.table];
    if (!table || !node.rows?.length) return [];
    const all = total(node.n);
    const words = node.rows.length < all ? `The first ${node.rows.length} of its ${all} rows` : all === 1 ? "Its row" : `Its ${all} rows`;
    const asked = table.columns.indexOf(node.asks?.split(/ [≤<] /)[0]); // stands first, after the class
    const order = table.columns.map((_, i) => i).sort((i, j) => (i > table.target && j > table.target ? (j === asked) - (i === asked) : i - j));
    const rows = node.rows.map((place) =>
      order.map((i) => {
        const cell = table.rows[place][i];
        return i === table.target ? element("b", { style: sign(picture, picture.classes.indexOf(cell)) }, cell) : cell;
      }),
    );
    return [fold(words, grid("Rows", order.map((i) => table.columns[i]), rows), innerWidth >= 900)];
  }

  // The conditions from the root to a node.
  function path(picture, node) {
    return node.up === undefined ? [] : [...path(picture, picture.nodes[node.up]), node.if];
  }

  function nobody(picture, node) {
    const above = picture.nodes[node.up];
    const most = above?.n.every((n, k) => k === node.says || n < above.n[node.says]);
    const why = most ? `: it says the class of most samples at node ${node.up}` : "";
    return [element("p", {}, `No training sample came here${why}.`)];
  }

  function summary(picture, node) {
    const said = "says" in node ? `A leaf: says ${picture.classes[node.says]}.` : node.asks ? "" : "The picture ends here, the tree goes on.";
    const found = node.n.flatMap((n, k) => (n > 0 ? [" · ", named(picture, k, n)] : [])).slice(1);
    const all = found.length > 2 ? ` · ${count(total(node.n))} in all` : "";
    return element("p", {}, found, found.length ? `${all}. ` : "", said);
  }

  function content(picture, id) {
    const node = picture.nodes[id];
    const below = picture.nodes.filter((kid) => kid.up === id);
    const way = path(picture, node).join(", then ") || "the root: every training sample begins here";
    const said = [element("p", { class: "explained-path" }, way), summary(picture, node)];
    if (!total(node.n)) return [...said, ...nobody(picture, node)];
    if ("says" in node) said.push(pairs([probability(picture, node)]));
    said.push(ofCounts(node));
    if (below.length && picture.parts) {
      said.push(element("p", {}, "The counts are weights, not whole rows: what the question gains cannot be worked out from them."));
    } else if (below.length) {
      said.push(element("h3", {}, `Its question: ${node.asks}?`), branches(picture, below), ...ofQuestion(picture, below));
    }
    return [...said, ...ofRows(picture, node)];
  }

  // Where it stands: below its card, and moving with the page

  function place() {
    const at = card.getBoundingClientRect();
    const text = document.querySelector(".bd-article").getBoundingClientRect(); // beside the lists of contents, if it fits
    const wide = document.documentElement.clientWidth;
    const inside = text.width >= panel.offsetWidth;
    const [from, to] = inside ? [Math.max(8, text.left), Math.min(wide - 8, text.right)] : [8, wide - 8];
    const left = Math.max(from, Math.min(at.left + at.width / 2 - panel.offsetWidth / 2, to - panel.offsetWidth));
    panel.style.left = `${left + scrollX}px`;
    panel.style.top = `${at.bottom + scrollY + 6}px`;
  }

  function show(pressed) {
    close(false);
    card = pressed;
    const id = Number(card.dataset.node);
    const picture = data.pictures[card.closest("svg").dataset.explained];
    panel = element("div", { class: "explained noprint", popover: "manual", role: "dialog", "aria-label": `Node ${id}`, tabindex: -1 },
      element("div", { class: "explained-head" }, element("h3", {}, `Node ${id}`),
        element("button", { type: "button", "aria-label": "Close", onclick: () => close() }, "×")),
      content(picture, id));
    card.closest(".picture").after(panel);
    card.setAttribute("aria-expanded", "true");
    panel.showPopover();
    place();
    panel.focus({ preventScroll: true });
    const over = panel.getBoundingClientRect().bottom + 12 - innerHeight;
    const room = card.getBoundingClientRect().top - 72; // the card stays in sight, below the bar of the theme
    if (over > 0 && room > 0) scrollBy({ top: Math.min(over, room), behavior: window.touch.moves() ? "smooth" : "instant" });
  }

  function close(back = true) {
    if (!panel) return;
    const inside = panel.contains(document.activeElement);
    card.removeAttribute("aria-expanded");
    panel.remove();
    if (back && inside) card.focus({ preventScroll: true });
    panel = card = undefined;
  }

  // The arrows: up to the question above, down to the first branch, sideways along the level.
  function neighbor(from, key) {
    const all = [...from.closest("svg").querySelectorAll("[data-node]")];
    const told = data.pictures[from.closest("svg").dataset.explained].nodes;
    const here = all.indexOf(from);
    const depth = (i) => path({ nodes: told }, told[i]).length;
    if (key === "ArrowUp") return all[told[here].up];
    if (key === "ArrowDown") return all[told.findIndex((node) => node.up === here)];
    const next = here + (key === "ArrowRight" ? 1 : -1);
    return told[next] && depth(next) === depth(here) ? all[next] : null;
  }

  function go(from, key) {
    const to = neighbor(from, key);
    if (!to) return;
    close(false);
    from.setAttribute("tabindex", -1);
    to.setAttribute("tabindex", 0);
    to.focus();
  }

  window.touch.explained = (pressed, key) => {
    if (key?.startsWith("Arrow")) go(pressed, key);
    else if (pressed === card) close();
    else show(pressed);
  };
  window.touch.explained.measures = measures;

  document.addEventListener("keydown", (event) => event.key === "Escape" && !document.querySelector(".book-card") && close(), true);
  document.addEventListener("pointerup", (event) => {
    if (panel && !panel.contains(event.target) && !card.contains(event.target)) close(false);
  });
  document.addEventListener("focusin", (event) => {
    if (panel && !panel.contains(event.target) && event.target !== card) close(false);
  });
  addEventListener("resize", () => panel && place());
})();
