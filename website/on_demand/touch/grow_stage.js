// The stage of "grow it yourself": cards for the nodes, a dot for each row, which moves where its answers send it.
(() => {
  const { element, drawn, color, count, arithmetic } = window.touch;
  const PITCH = 14; // px from dot to dot
  const LEVEL = 84; // px from a node to those below it
  const NARROW = 380; // px; a stage that is narrower lists the nodes one below the other
  const [LEAST, MOST] = [0.72, 1.3]; // a tree is drawn as large as there is room; one that is too wide for the least scrolls

  const size = (node) => arithmetic.sum(node.counts);

  // How wide words are, 0.8rem high, as the style sheet has them.
  const pen = document.createElement("canvas").getContext("2d");
  function wide(text, weight = 700) {
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    pen.font = `${weight} ${0.8 * rem}px ${getComputedStyle(document.body).fontFamily}`;
    return pen.measureText(text).width;
  }

  // What is drawn of a node: with a split that is only tried, its branches are ghosts.
  function seen(node, tried, at) {
    const split = node === at && tried ? tried : null;
    const below = split ? split.children : (node.children ?? []);
    const children = below.map((child) => ({ ...seen(child, tried, at), ghost: Boolean(split) }));
    return { node, words: split ? `try: ${split.words}` : node.words, isTried: Boolean(split), ghost: false, children };
  }

  function* all(view) {
    yield view;
    for (const child of view.children) yield* all(child);
  }

  // How many dots stand in a line of a card, and how large the card is.
  function measure(view, said) {
    const { rows } = view.node;
    const words = wide(said(view.node.counts));
    if (!rows.length) return { w: words + 12, h: 58, perLine: 1 };
    if (view.children.length) return { w: Math.max(words, wide(`${view.words}?`) * 1.2) + 14, h: 46 };
    const perLine = Math.max(3, Math.ceil(rows.length / (rows.length > 4 ? 2 : 1)));
    const lines = Math.ceil(rows.length / perLine);
    return { w: Math.max(perLine * PITCH, view.node.isPure ? 40 : words) + 12, h: lines * PITCH + 32, perLine };
  }

  // From the root down: each node above the middle of its branches, and those as close as what is below them allows.
  function topDown(view, said) {
    const outlines = spread(view, said);
    const left = Math.min(...outlines.map(([from]) => from));
    const place = (v, middle, depth) => {
      Object.assign(v, { x: middle - v.w / 2, y: 4 + depth * LEVEL });
      for (const child of v.children) place(child, middle + child.from, depth + 1);
    };
    place(view, 4 - left, 0);
    const width = Math.max(...outlines.map(([, to]) => to)) - left + 8;
    return { width, height: Math.max(...[...all(view)].map((v) => v.y + v.h)) + 6 };
  }

  // Give each branch its place beside its node, `from`; return how far the levels reach: [left, right] of each.
  function spread(v, said) {
    Object.assign(v, measure(v, said));
    const half = Math.max(v.w, wide(v.node.label, 400) + 8) / 2;
    let below = [];
    for (const child of v.children) {
      const own = spread(child, said);
      child.from = Math.max(0, ...own.map(([from], d) => (below[d]?.[1] ?? -Infinity) - from + 8));
      own.forEach(([from, to], d) => (below[d] = [below[d]?.[0] ?? from + child.from, to + child.from]));
    }
    const middle = v.children.length ? v.children.at(-1).from / 2 : 0;
    for (const child of v.children) child.from -= middle;
    below = below.map(([from, to]) => [from - middle, to - middle]);
    return [[-half, half], ...below];
  }

  // One below the other, those further down further in: in a line the label, the dots, and what they are.
  function outline(view, said, width) {
    let y = 4;
    const place = (v, depth) => {
      const x = 2 + depth * 16;
      const w = width - x - 4;
      const left = Math.min(wide(v.node.label, 400), 0.45 * w) + (v.node.label ? 18 : 10);
      const most = Math.max(3, Math.floor((w - left - wide(said(v.node.counts)) - 12) / PITCH));
      const lines = v.children.length ? 1 : Math.max(1, Math.ceil(v.node.rows.length / most));
      const perLine = Math.max(1, Math.ceil(v.node.rows.length / lines)); // as many in each line, not one left over
      Object.assign(v, { x, y, w, left, perLine, h: 20 + lines * PITCH });
      y += v.h + 6;
      v.children.forEach((child) => place(child, depth + 1));
    };
    place(view, 0);
    return { width, height: y };
  }

  function edges(view, isOutline) {
    return [...all(view)].flatMap((v) =>
      v.children.map((child) => {
        const [x, y] = isOutline ? [v.x + 7, v.y + v.h] : [v.x + v.w / 2, v.y + v.h];
        const d = isOutline
          ? `M${x} ${y}V${child.y + child.h / 2}H${child.x}`
          : `M${x} ${y}C${x} ${y + 30} ${child.x + child.w / 2} ${y + 10} ${child.x + child.w / 2} ${child.y}`;
        return drawn("path", { d, class: child.ghost ? "ghost" : "" });
      }),
    );
  }

  function stage(data, select) {
    const { table, classes } = data;
    const lines = drawn("svg", { class: "grow-edges", "aria-hidden": "true" });
    const field = element("div", { class: "grow-field" }, lines);
    const whole = element("div", { class: "grow-stage" }, field);
    const cards = new Map(); // key of a node -> its button
    const dots = new Map(); // key of a node and row -> its dot
    let places = new Map(); // row -> where its dots were
    let [tall, broad] = [0, 0]; // the stage does not shrink while it is as broad: what stands below it stays

    const said = (counts) => counts.map((c, k) => `${classes[k]} ${count(c)}`).join(", ");
    const none = `no ${data.one}:`;
    const brief = (counts) => counts.flatMap((c, k) => (c > 0 ? `${classes[k]} ${count(c)}` : [])).join(" · ") || none;
    const isLeaf = (v) => !v.children.length && (v.node.isPure || v.node.isDone);

    function state(v) {
      if (v.children.length) return v.isTried ? v.words : `asks ${v.words}`;
      if (!size(v.node)) return `no ${data.one}, leaf ${v.node.says}, as above`;
      return isLeaf(v) ? `leaf ${v.node.says}` : "open";
    }

    function counts(node) {
      const words = node.counts.map((c, k) => [k, c]).filter(([, c]) => c > 0);
      return words.flatMap(([k, c], i) => [i ? " · " : "", element("b", { style: `color:${color(k)}` }, `${classes[k]} ${count(c)}`)]);
    }

    function drawCard(v, selected) {
      const { node } = v;
      const made = cards.get(node.key) ?? element("button", { type: "button", class: "grow-node" });
      if (!made.isConnected) {
        cards.set(node.key, made);
        field.append(made);
      }
      made.onclick = () => select(node);
      const kind = v.isTried ? "asks tried" : v.children.length ? "asks" : isLeaf(v) ? "leaf" : "open";
      made.className = ["grow-node", kind, v.ghost ? "ghost" : "", size(node) ? "" : "empty"].join(" ");
      made.disabled = v.ghost;
      made.setAttribute("aria-pressed", String(node === selected));
      made.setAttribute("aria-label", [node.label, size(node) && said(node.counts), state(v)].filter(Boolean).join(": "));
      Object.assign(made.style, { transform: `translate(${v.x}px, ${v.y}px)`, width: `${v.w}px`, height: `${v.h}px` });
      made.style.setProperty("--of-class", color(node.says === null ? 0 : classes.indexOf(node.says)));
      const title = v.children.length ? element("strong", {}, `${v.words}?`) : "";
      const words = isLeaf(v) ? answer(v) : [element("span", { class: "grow-counts" }, counts(node))];
      made.replaceChildren(element("span", { class: "grow-label" }, node.label), title, ...words);
    }

    // A leaf that no row reaches answers as its parent would.
    function answer(v) {
      const why = size(v.node) ? [] : [none, "as above"];
      return [...why.map((words) => element("span", { class: "grow-counts" }, words)), element("b", { class: "grow-class" }, v.node.says)];
    }

    // Where the dots of a card stand: those of a class together.
    function dotPlaces(v, isOutline) {
      const rows = [...v.node.rows].sort(([a], [b]) => table.y[a] - table.y[b] || a - b);
      const left = isOutline ? v.left : (v.w - Math.min(v.perLine, rows.length) * PITCH) / 2 + 1;
      return rows.map(([row, weight], i) => ({
        row, weight, key: `${row}@${v.node.key}`,
        x: v.x + left + (i % v.perLine) * PITCH,
        y: v.y + (isOutline ? 11 : 7) + Math.floor(i / v.perLine) * PITCH,
      }));
    }

    function placeDots(found) {
      const free = new Map([...dots].filter(([key]) => !found.some((dot) => dot.key === key)));
      const taken = new Map();
      for (const dot of found) {
        let made = dots.get(dot.key);
        if (!made) {
          const moved = [...free].find(([key]) => key.startsWith(`${dot.row}@`));
          made = moved ? moved[1] : element("i", { class: `grow-dot class-${table.y[dot.row]}`, "data-row": dot.row });
          if (moved) free.delete(moved[0]);
          made.style.background = color(table.y[dot.row]);
          if (!moved) {
            made.style.transform = places.get(dot.row) ?? `translate(${dot.x}px, ${dot.y}px)`;
            field.append(made);
            made.getBoundingClientRect(); // so that it starts where it was
          }
        }
        made.title = `${data.one} ${data.ids[dot.row]}: ${classes[table.y[dot.row]]}`;
        made.style.transform = `translate(${dot.x}px, ${dot.y}px) scale(${Math.sqrt(dot.weight)})`;
        taken.set(dot.key, made);
      }
      for (const made of free.values()) made.remove();
      places = new Map(found.map((dot) => [dot.row, `translate(${dot.x}px, ${dot.y}px)`]));
      dots.clear();
      for (const [key, made] of taken) dots.set(key, made);
    }

    function draw(root, { selected, tried = null }) {
      const view = seen(root, tried, selected);
      const room = whole.clientWidth;
      const isOutline = room < NARROW;
      const { width, height } = (isOutline ? outline : topDown)(view, brief, room);
      const fit = room / width;
      const high = parseFloat(getComputedStyle(whole).minHeight) / height;
      const scale = isOutline ? 1 : fit < 1 ? Math.max(LEAST, fit) : Math.max(1, Math.min(MOST, fit, high));
      const shift = Math.max(0, (room / scale - width) / 2);
      if (!isOutline) for (const v of all(view)) v.x += shift;
      whole.classList.toggle("outline", isOutline);
      tall = Math.max(broad === room ? tall : 0, height * scale);
      broad = room;
      Object.assign(whole.style, { height: `${tall}px` });
      Object.assign(field.style, { width: `${Math.max(width, room / scale - 2)}px`, height: `${height}px`, transform: `scale(${scale})` });
      lines.replaceChildren(...edges(view, isOutline));
      const views = [...all(view)];
      const keys = new Set(views.map((v) => v.node.key));
      for (const [key, made] of cards) {
        if (!keys.has(key)) {
          made.remove();
          cards.delete(key);
        }
      }
      for (const v of views) drawCard(v, selected);
      placeDots(views.filter((v) => !v.children.length).flatMap((v) => dotPlaces(v, isOutline)));
    }

    const shrink = () => (tall = 190);
    return { whole, draw, card: (node) => cards.get(node.key), shrink };
  }

  window.touch.stage = stage;
})();
