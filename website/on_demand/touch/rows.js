// Move the rows: each row falls to its leaf; the reader changes answers and classes, and sees what becomes of both.
(() => {
  const { widgets, element, color, choice, spoken, head } = window.touch;
  const START = 2; // the third row: no house, a job

  const unseen = (words) => element("span", { class: "visually-hidden" }, words); // what the tree says by where its words stand

  const list = (words) => (words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`);

  // The leaf of a row, and the nodes on its path.
  function path(tree, row) {
    const nodes = [tree];
    while (nodes.at(-1).below) nodes.push(nodes.at(-1).below[row.x[nodes.at(-1).f]]);
    return nodes;
  }

  const wrong = (data) => data.rows.filter((row) => path(data.tree, row).at(-1).says !== row.y);

  // Rows with the same answers, of which some have another class; and how many any tree gets right at most.
  function alike(data) {
    const groups = [...new Set(data.rows.map(({ x }) => x.join()))].map((key) => data.rows.filter(({ x }) => x.join() === key));
    const most = (group) => Math.max(...data.classes.map((_, c) => group.filter(({ y }) => y === c).length));
    const torn = groups.filter((group) => most(group) < group.length);
    return { torn, best: groups.reduce((sum, group) => sum + most(group), 0) };
  }

  function tell(data) {
    const missed = wrong(data);
    const { torn, best } = alike(data);
    const n = data.rows.length;
    const right = `This tree answers ${n - missed.length} of ${n} rows right${missed.length ? `; it is wrong about ${list(missed.map(({ id }) => id))}` : ""}.`;
    if (!torn.length) return `${right} No two rows have the same answers and different classes: some tree is right about all ${n}.`;
    const same = torn.map((group) => list(group.map(({ id }) => id))).join("; ");
    return `${right} The same answers, different classes: ${same}. No tree tells them apart, and none is right about more than ${best}.`;
  }

  widgets.rows = (box, data) => {
    let now = data.rows[START];
    const says = spoken("rows-says");
    const chips = new Map(
      data.rows.map((row) => {
        const act = () => {
          now = row;
          asked.replaceChildren(...questions());
          show();
        };
        return [row, element("button", { type: "button", class: "rows-chip", onclick: act }, row.id)];
      }),
    );
    const places = new Map(); // node -> its element, the place of its rows, its counts

    const counts = (rows) => data.classes.map((name, c) => `${name} ${rows.filter(({ y }) => y === c).length}`).join(", ");

    function drawn(node, branch) {
      const count = element("span", { class: "rows-count" });
      const leaf = element("div", { class: "rows-chips" });
      const words = node.below ? `${data.features[node.f].name}?` : data.classes[node.says];
      const card = element("div", { class: node.below ? "rows-card" : "rows-card rows-leaf" }, node.below ? "" : unseen("leaf "), element("strong", {}, words), unseen(": "), count);
      if (!node.below) card.style.setProperty("--of-class", color(node.says));
      const below = node.below?.map((child, v) => drawn(child, data.features[node.f].values[v]));
      places.set(node, { card, leaf, count });
      const leaves = (part) => (part.below ? part.below.reduce((sum, child) => sum + leaves(child), 0) : 1);
      return element("li", { style: `flex-grow: ${leaves(node)}` }, branch && element("span", { class: "rows-branch" }, unseen("if "), branch), card, below ? element("ul", {}, below) : leaf);
    }

    // A group of buttons for each feature of the row, and for its class.
    function questions() {
      const group = (name, values, start, change) => {
        const made = choice({ label: `${name} of row ${now.id}`, options: values.map((value, i) => [i, value]), start, change });
        return element("div", { class: "rows-group" }, element("span", {}, name), made.whole);
      };
      const change = (act) => (i) => {
        act(i);
        show();
      };
      return [
        ...data.features.map(({ name, values }, f) => group(name, values, now.x[f], change((i) => (now.x[f] = i)))),
        group("approved", data.classes, now.y, change((i) => (now.y = i))),
      ];
    }

    function show() {
      const on = path(data.tree, now);
      const missed = wrong(data);
      for (const [node, { card, leaf, count }] of places) {
        const here = data.rows.filter((row) => path(data.tree, row).includes(node));
        count.textContent = counts(here);
        card.classList.toggle("rows-on", on.includes(node));
        const wanted = here.map((row) => chips.get(row));
        if (!node.below && (wanted.length !== leaf.children.length || wanted.some((chip, i) => chip !== leaf.children[i]))) leaf.replaceChildren(...wanted);
      }
      for (const [row, chip] of chips) {
        const is = missed.includes(row);
        chip.setAttribute("aria-pressed", String(row === now));
        chip.setAttribute("aria-label", `row ${row.id}, ${data.classes[row.y]}${is ? ", wrong here" : ""}`);
        chip.style.setProperty("--of-class", color(row.y));
        chip.classList.toggle("rows-wrong", is);
      }
      title.textContent = `Row ${now.id}`;
      says.set(tell(data));
    }

    const title = element("strong", { class: "rows-title" });
    const asked = element("div", { class: "rows-asked", role: "group", "aria-label": "the answers of the row" }, questions());
    const tree = element("ul", { class: "rows-tree" }, drawn(data.tree));
    box.append(
      ...head("Move the rows", "Choose a row below, and change what it answers. Make two rows that no tree can tell apart."),
      tree,
      title,
      asked,
      says.place,
    );
    show();
  };
})();
