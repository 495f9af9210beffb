// Grow it yourself: a reader asks the questions, sees what each of them tells, and compares the tree with the programs'.
(() => {
  const { widgets, element, digits, choice, slider } = window.touch;
  const REST = 100; // ms
  const button = (words, act, attributes = {}) => element("button", { type: "button", onclick: act, ...attributes }, words);

  class Grower {
    constructor(box, data) {
      this.data = data;
      this.isTwo = data.asks === "two"; // questions with two answers, measured with Gini's impurity
      this.arithmetic = window.touch.arithmetic;
      this.tree = window.touch.growing;
      this.words = window.touch.growWords;
      this.stage = window.touch.stage(data, (node) => this.choose(node));
      this.rows = this.words.rowsTable(data);
      this.features = data.table.columns.map((column, f) => this.featureButton(column.name, f));
      // What Tab finds beside a question stays the same element while the question changes.
      this.impurity = this.words.link(this.isTwo ? "Gini" : "entropy");
      this.sums = element("div");
      this.fold = element("details", { class: "grow-sums", open: !box.closest(".touch-place") }, element("summary", {}, "The sum behind the number"), this.sums);
      this.build(box);
      this.begin();
      new ResizeObserver(() => this.draw()).observe(this.stage.whole);
    }

    // The frame

    build(box) {
      this.said = element("p", { class: "grow-said", "aria-live": "polite" });
      this.place = element("p", { class: "grow-place" });
      this.measured = element("p", { class: "grow-measured" });
      this.detail = element("div", { class: "grow-detail" });
      this.why = element("p", { class: "grow-why", "aria-live": "polite" });
      this.end = element("div", { class: "grow-end" });
      this.panels = this.buildPanels();
      this.undo = button("Take back", () => this.takeBack());
      this.compare = button("Compare with the programs", () => this.showEnd(this.end.hidden));
      const again = button("Start again", () => this.begin());
      this.guard(box);
      box.append(
        element("p", { class: "touch-title" }, `${this.data.title} Grow the tree yourself.`),
        element("p", { class: "grow-hint" }, ...this.words.hint(this.data)),
        this.said, this.stage.whole, this.place, this.panels,
        element("div", { class: "grow-tools" }, this.undo, again, this.compare),
        this.end, this.rows.whole,
      );
    }

    // When something has been asked, other buttons stand under a mouse that has not moved: its presses are not meant for them.
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

    // What may be asked at a node, what it would do, what a program would ask.
    buildPanels() {
      this.asking = button("Ask it here", () => this.ask(), { class: "grow-do" }); // one for all, so that Tab finds it
      const options = Object.keys(this.arithmetic.programs).map((name) => [name, name]);
      this.programs = choice({ label: "Programs", options, start: "", change: (name) => this.askProgram(name) });
      const list = element("div", { class: "grow-features" }, this.features.map((feature) => feature.button));
      return element(
        "div", { class: "grow-panels" },
        element("div", { class: "grow-ask" }, this.measured, list, this.asking),
        this.detail,
        element("div", { class: "grow-programs" }, element("p", { class: "grow-heading" }, "What three famous programs ask here"), this.programs.whole, this.why),
      );
    }

    // A mouse or the focus shows what a question would do, a press asks it. A finger, a threshold and two groups of names
    // get a look first, and ask with the second press.
    featureButton(name, f) {
      const value = element("span", { class: "grow-worth" });
      const bar = element("span", { class: "grow-bar" });
      const made = element("button", { type: "button", class: "grow-feature" }, element("span", {}, name), value, bar);
      let pointer = "key";
      let rest; // a mouse on its way to somewhere else shows nothing
      made.addEventListener("pointermove", (event) => {
        clearTimeout(rest);
        if (event.pointerType === "mouse" && !this.isStill) rest = setTimeout(() => this.look(f), REST);
      });
      made.addEventListener("pointerleave", () => clearTimeout(rest));
      made.addEventListener("focus", () => made.matches(":focus-visible") && this.look(f));
      made.addEventListener("pointerdown", (event) => (pointer = event.pointerType));
      made.addEventListener("click", (event) => {
        clearTimeout(rest);
        const again = this.pinned && this.asked?.split.f === f;
        const atOnce = !this.needsCare(f) && !(event.detail && pointer === "touch");
        this.tryOut(f);
        this.pinned = true;
        if (this.asked && (again || atOnce)) this.ask();
      });
      return { button: made, value, bar };
    }

    needsCare(f) {
      return this.isTwo || Boolean(this.data.table.columns[f].numbers);
    }

    begin() {
      this.root = this.tree.wholeTable(this.data);
      this.shown = null; // the program whose tree is on the stage
      this.stage.shrink();
      this.showEnd(false);
      this.choose(this.root);
      this.tryOut(0); // so that one sees what pointing does
    }

    // Trying a question

    splitsOf(f) {
      const { table } = this.data;
      const { rows } = this.selected;
      if (table.columns[f].numbers) {
        return this.arithmetic.thresholds(table, rows, f).map((threshold) => ({ f, threshold, groups: null }));
      }
      return this.isTwo ? this.arithmetic.inTwo(table, rows, f) : [this.arithmetic.everyValue(table, f)];
    }

    measure(split) {
      return this.arithmetic.measure(this.data.table, this.selected.rows, split);
    }

    worth(m) {
      return this.isTwo ? m.decrease : m.gain;
    }

    best(f) {
      const parted = this.splitsOf(f).map((split) => this.measure(split)).filter((m) => m.parted);
      const most = Math.max(...parted.map((m) => this.worth(m)));
      return parted.find((m) => this.worth(m) >= most - 1e-10) ?? null;
    }

    // What was pressed stays until something else is pressed, if it can be changed by hand.
    look(f) {
      const stays = this.pinned && this.asked && this.needsCare(this.asked.split.f);
      if (!stays) this.tryOut(f);
    }

    tryOut(f) {
      if (this.isClosed || (this.asked?.split.f === f && !this.program)) return;
      if (this.program) this.programs.set(""); // its numbers are others
      this.pinned = false;
      const m = this.best(f);
      this.features.forEach((feature, i) => feature.button.setAttribute("aria-pressed", String(i === f)));
      if (m) this.showDetail(f, m);
      else this.detail.replaceChildren(element("p", {}, `${this.data.table.columns[f].name} has one value here: it tells nothing.`));
      this.propose(f, m);
    }

    // Show the branches of a split as ghosts.
    propose(f, m) {
      this.asked = m && this.tree.branched(this.data, this.selected, m.split);
      this.asking.disabled = !m;
      this.features[f].value.textContent = m ? digits(this.worth(m)) : "one value";
      this.rows.show(this.selected, f);
      this.draw();
    }

    showDetail(f, m) {
      const counts = element("div");
      const fill = (now) => {
        this.sums.replaceChildren(...this.words.formulas(now, this.isTwo));
        counts.replaceChildren(this.words.countTable(this.data, now, this.isTwo, this.impurity), this.fold);
      };
      const change = (split) => {
        const now = this.measure(split);
        this.pinned = true;
        fill(now);
        this.propose(f, now);
      };
      fill(m);
      const { numbers } = this.data.table.columns[f];
      const control = numbers ? this.cutSlider(f, m, change) : this.isTwo ? this.groupButtons(f, m, change) : "";
      this.detail.replaceChildren(control, counts);
    }

    cutSlider(f, m, change) {
      const splits = this.splitsOf(f);
      let at = splits.findIndex((split) => split.threshold === m.split.threshold);
      const made = slider({
        label: `${this.data.table.columns[f].name} ≤`, count: splits.length, start: at,
        says: (i) => this.tree.threshold(splits[i].threshold),
        change: (i) => i !== at && change(splits[(at = i)]),
      });
      made.show();
      return made.whole;
    }

    // Names in two groups: a press takes a name to the other side.
    groupButtons(f, m, change) {
      const { name, names } = this.data.table.columns[f];
      const present = m.split.groups.flat().sort((a, b) => a - b);
      let left = new Set(m.split.groups[0]);
      const label = () => buttons.forEach((made, i) => made.setAttribute("aria-pressed", String(left.has(present[i]))));
      const swap = (code) => {
        const other = new Set(left);
        if (!other.delete(code)) other.add(code);
        if (!other.size || other.size === present.length) return; // a question needs two answers
        left = other;
        label();
        change({ f, groups: [present.filter((c) => left.has(c)), present.filter((c) => !left.has(c))] });
      };
      const buttons = present.map((code) => button(names[code], () => swap(code)));
      label();
      const group = { class: "touch-choice", role: "group", "aria-label": `The first group of ${name}` };
      return element("div", group, element("span", {}, "to the left:"), buttons);
    }

    // Asking it

    ask(question = this.asked) {
      const node = this.selected;
      this.isStill = true;
      Object.assign(node, question);
      this.goOn(node.children.find(this.tree.isOpen));
    }

    // To the next node where something may be asked; at the end the trees are compared.
    goOn(next = this.tree.leaves(this.root).find(this.tree.isOpen)) {
      const held = document.activeElement;
      this.choose(next ?? this.selected);
      const isLost = this.panels.hidden || held.disabled || !held.isConnected;
      if (isLost && (this.panels.contains(held) || !held.isConnected)) this.stage.card(this.selected).focus({ preventScroll: true });
      if (!next) this.showEnd(true);
      this.show(next ? this.stage.card(next) : this.said);
    }

    // Bring something onto the screen, if it is not there.
    show(part) {
      part.scrollIntoView({ block: "nearest", inline: "nearest", behavior: window.touch.moves() ? "smooth" : "instant" });
    }

    takeBack() {
      const node = this.selected.children || this.selected.isDone ? this.selected : (this.selected.parent ?? this.root);
      this.tree.close(node);
      this.choose(node);
    }

    choose(node) {
      if (this.shown) return;
      [this.selected, this.asked, this.pinned] = [node, null, false];
      this.programs.set("");
      this.update();
    }

    askProgram(name) {
      this.program = name;
      this.why.textContent = "";
      this.clearFeatures();
      this.measured.replaceChildren(...this.words.measured(name || (this.isTwo ? "CART" : "ID3")));
      if (!name || this.isClosed) return;
      const answer = this.arithmetic.programs[name](this.data.table, this.selected.rows);
      this.showWorths(name, answer);
      const split = answer.found[answer.feature]?.split;
      const proposed = split ? this.tree.branched(this.data, this.selected, split) : null;
      this.asked = proposed;
      this.asking.disabled = true; // what the program asks has a button of its own
      this.detail.replaceChildren();
      this.rows.show(this.selected, answer.feature);
      const acting = button(split ? `Ask what ${name} asks` : "Make it a leaf", () => (split ? this.ask(proposed) : this.leave()));
      this.why.replaceChildren(...this.words.reason(this.data, name, answer), " ", acting);
      this.draw();
    }

    leave() {
      this.selected.isDone = true;
      this.goOn();
    }

    showWorths(name, { found, feature }) {
      const most = Math.max(...found.map((m) => this.words.worth(m, name)), 1e-9);
      this.features.forEach(({ value, bar }, f) => {
        value.textContent = this.words.written(found[f], name);
        bar.style.width = `${(100 * this.words.worth(found[f], name)) / most}%`;
        bar.classList.toggle("best", f === feature);
      });
    }

    // Nothing can be asked: a program's tree is shown, or the node has asked, or is a leaf.
    get isClosed() {
      return Boolean(this.shown) || !this.tree.isOpen(this.selected);
    }

    clearFeatures() {
      this.panels.hidden = this.isClosed;
      this.asking.disabled = true;
      for (const feature of this.features) {
        feature.button.setAttribute("aria-pressed", "false");
        feature.value.textContent = "";
        feature.bar.style.width = "0";
      }
    }

    // Showing where one is

    get onStage() {
      return this.shown ? this.shown.root : this.root;
    }

    draw() {
      this.stage.draw(this.onStage, { selected: this.shown ? null : this.selected, tried: this.asked });
    }

    update() {
      this.clearFeatures();
      this.detail.replaceChildren(element("p", { class: "grow-hint" }, this.words.toTry()));
      this.place.replaceChildren(this.where(), this.shown ? button("Back to my tree", () => this.see(null)) : "");
      this.undo.disabled = Boolean(this.shown) || (!this.selected.children && !this.selected.isDone && !this.selected.parent);
      if (this.isClosed) this.stage.shrink(); // no panels below it whose buttons would move
      this.draw();
      this.rows.show(this.shown ? this.shown.root : this.selected, -1);
      this.said.textContent = this.tree.summary(this.data, this.onStage, this.shown?.name);
      if (!this.end.hidden) this.fillEnd();
    }

    where() {
      const place = this.tree.path(this.data, this.selected);
      if (this.shown) return `This is the tree of ${this.shown.name}. `;
      if (!this.tree.leaves(this.root).some(this.tree.isOpen)) {
        return `Your tree is finished: every ${this.data.one} has its leaf. Compare it below, or press a node to change it.`;
      }
      if (this.selected.children) return `${place}: asked is ${this.selected.words}. “Take back” removes the question.`;
      if (this.selected.isPure) return `${place}: all ${this.selected.says}, nothing is left to ask.`;
      if (this.selected.isDone) return `${place}: a leaf that says ${this.selected.says}. “Take back” opens it again.`;
      return `${place}: which question?`;
    }

    showEnd(isOpen) {
      this.end.hidden = !isOpen;
      this.compare.setAttribute("aria-pressed", String(isOpen));
      if (isOpen) this.fillEnd();
    }

    fillEnd() {
      const own = { name: "Your tree", root: this.root, ...this.tree.judge(this.data, this.root) };
      const theirs = this.data.programs.map((program) => ({ ...program, root: this.tree.planted(this.data, program) }));
      this.end.replaceChildren(...this.words.comparison(this.data, own, theirs, this.shown?.name, (program) => this.see(program)));
    }

    // Put a program's tree on the stage, or the reader's own: null.
    see(program) {
      [this.shown, this.asked] = [program, null];
      if (program) this.update();
      else this.choose(this.selected);
      const held = program ? this.place.querySelector("button") : this.stage.card(this.selected);
      held.focus({ preventScroll: true });
      this.show(this.said);
    }
  }

  widgets.grow = (box, data) => new Grower(box, data);
})();
