// Grow it yourself: a reader asks the questions, sees what each of them tells, and compares the tree with the programs'.
(() => {
  const { widgets, element, choice, say, slider } = window.touch;
  const REST = 100; // ms
  const button = (words, act, attributes = {}) => element("button", { type: "button", onclick: act, ...attributes }, words);

  class Grower {
    constructor(box, data) {
      this.data = data;
      this.isTwo = data.asks === "two"; // questions with two answers, measured with Gini's impurity
      this.way = this.isTwo ? "CART" : "ID3"; // whose number stands on a question that is tried
      this.arithmetic = window.touch.arithmetic;
      this.tree = window.touch.growing;
      this.words = window.touch.growWords;
      this.stage = window.touch.stage(data, (node) => this.choose(node));
      this.rows = this.words.rowsTable(data);
      this.theirs = data.programs.map((program) => ({ ...program, root: this.tree.planted(data, program) }));
      this.features = data.table.columns.map((column, f) => this.featureButton(column.name, f));
      // What Tab finds beside a question stays the same element while the question changes.
      this.impurity = this.words.link(this.isTwo ? "Gini" : "entropy");
      this.build(box);
      this.begin();
      new ResizeObserver(() => this.draw()).observe(this.stage.whole);
    }

    // The frame

    build(box) {
      const isFirstPage = Boolean(box.closest(".touch-place"));
      this.said = element("p", { class: "grow-said", "aria-live": "polite" });
      this.guide = element("div", { class: "grow-guide" }, this.words.guide(this.data));
      this.stage.whole.append(this.guide);
      this.counts = element("div", { class: "grow-counted" });
      this.end = element("div");
      const compared = element("details", { class: "grow-end" }, element("summary", {}, "Compare with the programs"), this.end);
      this.programs = this.buildPrograms();
      this.guard(box);
      box.append(
        element("p", { class: "touch-title" }, ...this.words.title(this.data)),
        this.said,
        element("div", { class: "grow-play" }, this.stage.whole, this.buildSide()),
        element(
          "details", { class: "grow-more", open: !isFirstPage }, element("summary", {}, "Counts and programs"),
          element("div", { class: "grow-panels" }, this.counts, element("div", {}, this.programs, compared)),
          this.rows.whole,
        ),
      );
    }

    // What may be asked, beside the tree; on a phone below it, where it stays in sight.
    buildSide() {
      this.place = element("p", { class: "grow-place", "aria-live": "polite" });
      this.control = element("div");
      this.list = element("div", { class: "grow-features" }, this.features.map((feature) => feature.button));
      this.undo = button("Take back", () => this.takeBack());
      this.again = button("Start again", () => this.begin());
      const tools = element("div", { class: "grow-tools" }, this.undo, this.again);
      this.side = element("div", { class: "grow-side" }, this.place, this.control, this.list, tools);
      return this.side;
    }

    // When something has been asked, a mouse that has not moved points at the next question: its presses are not meant for that.
    guard(box) {
      let at = [0, 0];
      let pointer = "";
      box.addEventListener("pointermove", ({ clientX: x, clientY: y }) => {
        if (Math.hypot(x - at[0], y - at[1]) > 2) this.isStill = false;
        at = [x, y];
      }, true);
      box.addEventListener("pointerdown", (event) => (pointer = event.pointerType), true);
      box.addEventListener("click", (event) => event.detail && pointer === "mouse" && this.isStill && event.stopPropagation(), true);
    }

    buildPrograms() {
      this.why = element("p", { class: "grow-why", "aria-live": "polite", "aria-atomic": "true" });
      const options = Object.keys(this.arithmetic.programs).map((name) => [name, name]);
      this.choice = choice({ label: "Programs", options, start: "", change: (name) => this.askProgram(name) });
      const heading = element("p", { class: "grow-heading" }, "What three famous programs ask here");
      return element("div", { class: "grow-programs" }, heading, this.choice.whole, this.why);
    }

    // A press asks a question. A mouse that rests on it, or the focus, shows first what it would do.
    featureButton(name, f) {
      const value = element("span", { class: "grow-worth" });
      const bar = element("span", { class: "grow-bar" });
      const made = element("button", { type: "button", class: "grow-feature" }, element("span", {}, name), value, bar);
      let rest; // a mouse on its way to somewhere else shows nothing
      made.addEventListener("pointermove", (event) => {
        clearTimeout(rest);
        if (event.pointerType === "mouse" && !this.isStill) rest = setTimeout(() => this.look(f), REST);
      });
      made.addEventListener("pointerleave", () => clearTimeout(rest));
      made.addEventListener("focus", () => made.matches(":focus-visible") && this.look(f));
      made.addEventListener("click", () => {
        clearTimeout(rest);
        const m = this.best(f);
        if (m) this.ask(this.branches(m.split));
      });
      return { button: made, value, bar };
    }

    begin() {
      this.root = this.tree.wholeTable(this.data);
      this.shown = null; // the program whose tree is on the stage
      this.stage.shrink();
      this.move(() => this.choose(this.root));
    }

    // Looking at a question

    splitsOf(f) {
      const { table } = this.data;
      const { rows } = this.selected;
      if (table.columns[f].numbers) {
        return this.arithmetic.thresholds(table, rows, f).map((threshold) => ({ f, threshold, groups: null }));
      }
      return this.isTwo ? this.arithmetic.inTwo(table, rows, f) : [this.arithmetic.everyValue(table, f)];
    }

    measure(split, node = this.selected) {
      return this.arithmetic.measure(this.data.table, node.rows, split);
    }

    branches(split) {
      return this.tree.branched(this.data, this.selected, split);
    }

    best(f) {
      const parted = this.splitsOf(f).map((split) => this.measure(split)).filter((m) => m.parted);
      const worth = (m) => this.words.worth(m, this.way);
      const most = Math.max(...parted.map(worth));
      return parted.find((m) => worth(m) >= most - 1e-10) ?? null;
    }

    look(f) {
      if (this.isClosed || (this.tried?.split.f === f && !this.program)) return;
      const m = this.best(f);
      if (!m) return;
      this.choice.set(""); // its numbers are others
      this.features[f].value.textContent = this.words.named(m, this.way);
      this.showCounts(m);
      this.propose(m.split);
    }

    // Show the branches of a split as ghosts.
    propose(split) {
      this.tried = split ? this.branches(split) : null;
      this.rows.show(this.selected, split ? split.f : -1);
      this.draw();
    }

    // The counts of a question: of one that is tried, or that the node has asked, or that led there.
    showCounts(m) {
      const sums = m ? this.words.formulas(m, this.isTwo) : [];
      this.counts.replaceChildren(m ? this.words.countTable(this.data, m, this.isTwo, this.impurity) : this.words.toCount(), ...sums);
    }

    // Asking it

    ask(question) {
      this.isStill = true;
      Object.assign(this.selected, question);
      this.goOn(this.selected.children.find(this.tree.isOpen));
    }

    // To the next node where something may be asked.
    goOn(next = this.tree.leaves(this.root).find(this.tree.isOpen)) {
      this.move(() => this.choose(next ?? this.selected));
    }

    // Do something, and bring the node where one is onto the screen; it takes the focus of what is there no more.
    move(act) {
      const held = document.activeElement;
      const isHere = this.side.contains(held) || this.programs.contains(held);
      act();
      const card = this.stage.card(this.selected);
      if (isHere && !held.offsetParent) card.focus({ preventScroll: true });
      if (this.selected.parent || this.selected.children) this.show(card);
    }

    show(part) {
      part.scrollIntoView({ block: "nearest", inline: "nearest", behavior: window.touch.moves() ? "smooth" : "instant" });
    }

    takeBack() {
      const node = this.selected.children || this.selected.isDone ? this.selected : (this.selected.parent ?? this.root);
      this.tree.close(node);
      this.move(() => this.choose(node));
    }

    // Another threshold, or other groups, for the question that a node has asked.
    change(split) {
      Object.assign(this.selected, this.branches(split));
      this.update();
    }

    cutSlider({ f, threshold }) {
      const splits = this.splitsOf(f);
      let at = splits.findIndex((split) => split.threshold === threshold);
      const made = slider({
        label: `${this.data.table.columns[f].name} ≤`, count: splits.length, start: at,
        says: (i) => this.tree.threshold(splits[i].threshold),
        change: (i) => i !== at && this.change(splits[(at = i)]),
      });
      made.show();
      return made.whole;
    }

    // Names in two groups: a press takes a name to the other side.
    groupButtons({ f, groups }) {
      const { name, names } = this.data.table.columns[f];
      const present = groups.flat().sort((a, b) => a - b);
      let left = new Set(groups[0]);
      const label = () => buttons.forEach((made, i) => made.setAttribute("aria-pressed", String(left.has(present[i]))));
      const swap = (code) => {
        const other = new Set(left);
        if (!other.delete(code)) other.add(code);
        if (!other.size || other.size === present.length) return; // a question needs two answers
        left = other;
        label();
        this.change({ f, groups: [present.filter((c) => left.has(c)), present.filter((c) => !left.has(c))] });
      };
      const buttons = present.map((code) => button(names[code], () => swap(code)));
      label();
      const group = { class: "touch-choice", role: "group", "aria-label": `The first group of ${name}` };
      return element("div", group, element("span", {}, "to the left:"), buttons);
    }

    // What the programs do

    askProgram(name) {
      this.program = name;
      this.why.textContent = "";
      this.clearFeatures();
      if (!name || this.isClosed) return;
      const answer = this.arithmetic.programs[name](this.data.table, this.selected.rows);
      const most = Math.max(...answer.found.map((m) => this.words.worth(m, name)), 1e-9);
      this.features.forEach(({ value, bar }, f) => {
        const m = answer.found[f];
        value.textContent = this.words.named(m, name);
        bar.style.width = `${(100 * this.words.worth(m, name)) / most}%`;
        bar.classList.toggle("best", f === answer.feature);
      });
      const split = answer.found[answer.feature]?.split;
      const act = () => (split ? this.ask(this.branches(split)) : this.leave());
      this.why.replaceChildren(
        ...this.words.reason(this.data, name, answer), " ", button(split ? `Ask what ${name} asks` : "Make it a leaf", act),
      );
      this.showCounts(null);
      this.propose(split);
    }

    leave() {
      this.selected.isDone = true;
      this.goOn();
    }

    // Put a program's tree on the stage, or the reader's own: null.
    see(program) {
      this.shown = program;
      if (program) this.update();
      else this.choose(this.selected);
      const held = program ? this.place.querySelector("button") : this.stage.card(this.selected);
      held.focus({ preventScroll: true });
      this.show(this.said);
    }

    // Showing where one is

    choose(node) {
      if (this.shown) return;
      this.selected = node;
      const { split } = node;
      const other = !split ? "" : split.groups ? this.isTwo && this.groupButtons(split) : this.cutSlider(split);
      this.control.replaceChildren(other || "");
      this.update();
    }

    // Nothing can be asked: a program's tree is shown, or the node has asked, or is a leaf.
    get isClosed() {
      return Boolean(this.shown) || !this.tree.isOpen(this.selected);
    }

    get onStage() {
      return this.shown ? this.shown.root : this.root;
    }

    // A question that has one answer here stays in its place, but says so.
    clearFeatures() {
      this.list.hidden = this.programs.hidden = this.isClosed;
      this.features.forEach(({ button: made, value, bar }, f) => {
        const isUseless = !this.isClosed && !this.best(f);
        made.setAttribute("aria-disabled", String(isUseless));
        value.textContent = isUseless ? "one answer" : "";
        bar.style.width = "0";
      });
    }

    draw() {
      this.stage.draw(this.onStage, { selected: this.shown ? null : this.selected, tried: this.tried });
      this.guide.hidden = Boolean(this.onStage.children || this.tried);
    }

    update() {
      const isBegun = Boolean(this.root.children || this.root.isDone);
      const asking = this.selected.children ? this.selected : this.selected.parent;
      this.tried = null;
      this.choice.set("");
      this.showCounts(asking && !this.shown ? this.measure(asking.split, asking) : null);
      say(this.said, this.tree.summary(this.data, this.onStage, this.shown?.name));
      say(this.place, ...this.where());
      this.control.hidden = Boolean(this.shown);
      this.again.hidden = Boolean(this.shown) || !isBegun;
      this.undo.hidden = this.again.hidden || (!this.selected.children && !this.selected.isDone && !this.selected.parent);
      this.draw();
      this.rows.show(this.shown ? this.shown.root : this.selected, -1);
      const own = { name: "Your tree", root: this.root, ...this.tree.judge(this.data, this.root) };
      this.end.replaceChildren(...this.words.comparison(this.data, own, this.theirs, this.shown?.name, (program) => this.see(program)));
    }

    where() {
      const { selected: node, shown, data, words } = this;
      if (shown) return [`This is the tree of ${shown.name}. `, button("Back to my tree", () => this.see(null))];
      if (!this.tree.leaves(this.root).some(this.tree.isOpen)) {
        const program = this.theirs.find(({ name }) => name === this.way) ?? this.theirs[0];
        return ["Your tree is finished. ", element("span", { class: "grow-asked" }, words.asked(this.root, program))];
      }
      const place = words.place(data, node);
      if (node.children) return [...place, `: the question is ${node.words}.`];
      if (node.isPure) return [...place, `: all ${node.says}, nothing is left to ask.`];
      if (node.isDone) return [...place, `: a leaf that says ${node.says}.`];
      return [...place, ": which question?"];
    }
  }

  widgets.grow = (box, data) => new Grower(box, data);
})();
