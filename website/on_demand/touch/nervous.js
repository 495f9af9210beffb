// One applicant withdraws: the tree that grows without this one, beside the tree of all.
(() => {
  const { widgets, element, digits, color, say } = window.touch;
  const short = (feature) => feature.split("_").at(-1); // owns_house: house

  // A value in words: "no house", "house", "fair".
  const phrase = (feature, value) => (value === "yes" ? short(feature) : value === "no" ? `no ${short(feature)}` : value);

  // The place of a row among all combinations of values.
  const place = ({ values }, row) => row.reduce((before, value, i) => before * values[i].length + value, 0);

  // The pictures, one of them shown; what is new in it has a frame.
  function forest(data) {
    const box = element("div", { class: "nervous-tree" });
    const drawn = data.pictures.map((svg) => {
      const made = element("div", { role: "group", "aria-label": "The tree" });
      made.innerHTML = svg;
      box.append(made);
      return made;
    });
    // What scrolls sideways can be reached by the keyboard; what fits takes no tab stop.
    const reach = new ResizeObserver(() => {
      for (const made of drawn) {
        if (made.scrollWidth > made.clientWidth) made.tabIndex = 0;
        else made.removeAttribute("tabindex");
      }
    });
    reach.observe(box);
    const show = ({ picture, new: fresh }) =>
      drawn.forEach((made, i) => {
        made.classList.toggle("nervous-shown", i === picture);
        if (i !== picture) return;
        for (const card of made.querySelectorAll("[data-node]"))
          card.classList.toggle("nervous-new", fresh.includes(Number(card.dataset.node)));
      });
    return { whole: box, show };
  }

  // What each feature gains at the root, of all rows and of those that stay.
  function race(data) {
    const full = data.trees[0];
    const head = element("th", { scope: "col" });
    const before = full.gains.map((gain, i) => element("td", { class: i === full.root ? "nervous-most" : null }, digits(gain)));
    const after = full.gains.map(() => element("td"));
    const lines = data.features.map((name, i) => element("tr", {}, element("th", { scope: "row" }, name), before[i], after[i]));
    const heads = element("tr", {}, element("th", { scope: "col" }, "gain"), element("th", { scope: "col" }, `all ${data.names.length}`), head);
    function show(tree, name) {
      head.textContent = name ? `without ${name}` : "without –";
      after.forEach((cell, i) => {
        cell.textContent = name ? digits(tree.gains[i]) : "–";
        cell.classList.toggle("nervous-most", Boolean(name) && i === tree.root);
      });
    }
    return { whole: element("table", {}, element("thead", {}, heads), element("tbody", {}, lines)), show };
  }

  // Every combination of values and the answer to it: the first half of the features down, the other half across.
  function map(data) {
    const half = Math.ceil(data.features.length / 2);
    const named = (from, to) =>
      data.values.slice(from, to).reduce(
        (lists, values, i) => lists.flatMap((list) => values.map((value) => [...list, phrase(data.features[from + i], value)])),
        [[]],
      );
    const [down, across] = [named(0, half), named(half)];
    const cells = data.trees[0].answers.map(() => element("td"));
    const groups = named(half, half + 1);
    const colspan = across.length / groups.length;
    const over = groups.map((words) => element("th", { scope: "colgroup", colspan }, words));
    const heads = across.map((words) => element("th", { scope: "col" }, words.slice(1).join(", ")));
    const lines = down.map((words, i) =>
      element("tr", {}, element("th", { scope: "row" }, words.join(", ")), cells.slice(i * across.length, (i + 1) * across.length)),
    );
    function show({ answers }, left) {
      cells.forEach((cell, i) => {
        const other = answers[i] !== data.trees[0].answers[i];
        cell.textContent = data.classes[answers[i]];
        cell.style.setProperty("--class", color(answers[i]));
        cell.classList.toggle("nervous-other", other);
        cell.classList.toggle("nervous-left", i === left);
      });
    }
    const corner = element("td", { rowspan: 2 });
    const head = element("thead", {}, element("tr", {}, corner, over), element("tr", {}, heads));
    return { whole: element("table", { class: "nervous-map" }, head, element("tbody", {}, lines)), show };
  }

  // How the answers of a tree differ from those of the tree of all.
  const others = (data, tree) => tree.answers.filter((answer, i) => answer !== data.trees[0].answers[i]).length;

  // What there is to say about a withdrawal.
  function verdict(data, which) {
    const [full, tree] = [data.trees[0], data.trees[which]];
    const asked = (root) => `the ${short(data.features[root])}`;
    if (!which) return `The tree of all ${data.names.length} asks for ${asked(full.root)} first. Let one of them withdraw.`;
    const row = data.rows[which - 1];
    const words = row.map((value, i) => phrase(data.features[i], data.values[i][value])).join(", ");
    const who = `Without applicant ${data.names[which - 1]} (${words} credit; answer ${data.classes[data.given[which - 1]]}) `;
    if (!tree.new.length) return `${who}the tree asks the same questions. No answer changes.`;
    const tie = tree.gains[tree.root] === tree.gains[full.root] ? `: both gain the same, and ${asked(tree.root)} stands first` : "";
    const root = tree.root === full.root ? "" : ` for ${asked(tree.root)} first, not for ${asked(full.root)}${tie}`;
    const leaves = tree.leaves === full.leaves ? `${tree.leaves} leaves as before` : `${tree.leaves} leaves instead of ${full.leaves}`;
    const other = others(data, tree);
    const self = tree.answers[place(data, row)] !== data.given[which - 1];
    const changed = other ? `${other} of ${tree.answers.length} answers change${self ? ", this applicant's among them" : ""}` : "no answer changes";
    return `${who}the tree asks${root || " other questions"}. It has ${leaves}; ${changed}.`;
  }

  // What there is to say about all withdrawals.
  function total(data) {
    const [full, ...trees] = data.trees;
    const roots = trees.filter((tree) => tree.root !== full.root).length;
    const wrong = trees.filter((tree, i) => tree.answers[place(data, data.rows[i])] !== data.given[i]).length;
    const some = trees.filter((tree) => others(data, tree)).length;
    const first = `Of the ${trees.length} trees, ${roots} ask another first question, `;
    return `${first}${some} answer some applicants otherwise, and ${wrong} are wrong about the one who left.`;
  }

  widgets.nervous = (box, data) => {
    const full = data.trees[0];
    const [tree, gains, answers] = [forest(data), race(data), map(data)];
    const known = `The answers to all ${full.answers.length} applicants that ${full.gains.length} features can describe. `;
    const said = element("p", { class: "nervous-said", "aria-live": "polite" });
    const buttons = data.trees.map(({ root }, i) =>
      element(
        "button",
        { type: "button", onclick: () => show(i) },
        i ? element("span", { class: "visually-hidden" }, "applicant ") : "",
        element("b", {}, i ? String(data.names[i - 1]) : "none"),
        " ",
        element("span", { class: root === full.root ? null : "nervous-changed" }, short(data.features[root])),
      ),
    );

    function show(which) {
      buttons.forEach((button, i) => button.setAttribute("aria-pressed", String(i === which)));
      const chosen = data.trees[which];
      tree.show(chosen);
      gains.show(chosen, which && data.names[which - 1]);
      answers.show(chosen, which ? place(data, data.rows[which - 1]) : -1);
      say(said, verdict(data, which));
    }

    box.append(
      element("p", { class: "touch-title" }, "Let one applicant withdraw. Is it still the same tree?"),
      element("div", { class: "nervous-rows", role: "group", "aria-label": "Who withdraws, and what the tree then asks first" }, buttons),
      said,
      element(
        "div",
        { class: "touch-panels nervous-panels" },
        element("div", {}, tree.whole, element("p", { class: "nervous-note" }, "A frame: not so in the tree of all.")),
        element(
          "div",
          {},
          gains.whole,
          element("p", { class: "nervous-note" }, "The gain at the root, in bits."),
          element("p", { class: "nervous-total" }, total(data)),
        ),
        answers.whole,
        element("p", { class: "nervous-note" }, known, "Filled: another answer than before. Ring: the one who left."),
      ),
    );
    show(data.first);
  };
})();
