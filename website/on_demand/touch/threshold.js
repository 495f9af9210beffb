// Drag the threshold, and find the best one: what the cuts of a number are worth, the samples below, and the sum with the
// numbers put in. What a cut is worth is shown when it has been tried.
(() => {
  const { widgets, element, drawn, digits, sum, color, slider, choice, plot, ticks, fitted, steady, spoken, task, away } = window.touch;
  const JUDGES = {
    gain: {
      button: "Gain",
      axis: "information gain (bits)",
      unit: "\u00a0bits",
      impurity: "entropy",
      none: "gains more",
      most: "gains most",
      near: (mine, best) => `You gain ${mine} of the ${best}\u00a0bits that the best threshold gains.`,
    },
    ratio: {
      button: "Gain ratio",
      axis: "gain ratio",
      unit: "",
      impurity: "entropy",
      none: "has a larger gain ratio",
      most: "has the largest gain ratio",
      near: (mine, best) => `Your gain ratio is ${mine}, that of the best threshold ${best}.`,
    },
    charge: {
      button: "Gain less the charge",
      axis: "gain less the charge (bits)",
      unit: "\u00a0bits",
      impurity: "entropy",
      none: "keeps more",
      most: "keeps most after the charge",
      near: (mine, best) => `After the charge you have ${mine}\u00a0bits, the best threshold ${best}.`,
    },
    gini: {
      button: "Gini decrease",
      axis: "decrease of the Gini index",
      unit: "",
      impurity: "gini",
      none: "lowers the Gini index more",
      most: "lowers the Gini index most",
      near: (mine, best) => `You lower the Gini index by ${mine}, the best threshold by ${best}.`,
    },
  };
  const HALF_LABEL = 60; // px
  const HEAD = { entropy: "entropy (bits)", gini: "Gini index" };
  const runs = (data) => data.measures[0].key !== "gini"; // chapter 6 speaks of them
  const exact = (x) => (x === 0 ? "0" : digits(x, 4));

  // Formulas, in MathML as those of the chapter.
  function math(name, ...children) {
    const made = document.createElementNS("http://www.w3.org/1998/Math/MathML", name);
    made.append(...children);
    return made;
  }
  const sign = (text) => math("mo", text);
  const number = (text) => math("mn", String(text));
  const letter = (text) => math("mi", text);
  const of = (f, ...inside) => [f, sign("("), ...inside, sign(")")];
  const log2 = (n) => math("mrow", math("msub", letter("log"), number(2)), math("mo", "\u2061"), number(n));

  // What a cut is called, the numbers put in, and the result: parts that go to the next line where there is no room.
  function formula(data, judged, i) {
    const { at, below, above } = data.cuts[i];
    const impurity = data.impurities[JUDGES[judged.key].impurity];
    const N = sum(below) + sum(above);
    const cut = [letter("D"), sign(","), math("mtext", data.feature), sign(","), number(at)];
    const part = (counts, x) => [sign("−"), math("mfrac", number(sum(counts)), number(N)), sign("·"), number(exact(x))];
    const mean = [number(exact(impurity.all)), ...part(below, impurity.below[i]), ...part(above, impurity.above[i])];
    const asked = [letter("D"), sign(","), math("mtext", data.feature), sign("≤"), number(at)];
    const made = {
      gain: () => [of(letter("g"), ...cut), mean],
      ratio: () => [
        of(math("msub", letter("g"), letter("R")), ...cut),
        [math("mfrac", number(exact(judged.gain[i])), number(exact(judged.by[i])))],
      ],
      charge: () => [
        of(math("msup", letter("g"), sign("′")), ...cut),
        [number(exact(judged.gain[i])), sign("−"), math("mfrac", log2(data.cuts.length), number(N))],
        [number(exact(judged.gain[i])), sign("−"), number(exact(judged.charge))],
      ],
      gini: () => [[...of(math("mtext", "Gini"), letter("D")), sign("−"), ...of(math("mtext", "Gini"), ...asked)], mean],
    };
    const [name, ...equal] = made[judged.key]();
    equal.push([number(digits(judged.values[i])), math("mtext", JUDGES[judged.key].unit)]);
    return [name, ...equal.map((piece) => [sign("="), ...piece])].map((piece) => math("math", math("mrow", ...piece)));
  }

  function verdict(data, judged, i) {
    const { unit, none } = JUDGES[judged.key];
    const value = judged.values[i];
    if (i === judged.best) return `None of the ${data.cuts.length} thresholds ${none}.`;
    const most = judged.values[judged.best];
    const best = `The best, ${data.cuts[judged.best].at}, has ${digits(most)}${unit}.`;
    return judged.key === "charge" && value < 0 ? `Costs more bits than it saves. ${best}` : best;
  }

  // What a cut parts, in words: "all 4 samples on the left are no", or the majority on each side.
  function parted({ classes, cuts }, i) {
    const sides = [["left", cuts[i].below], ["right", cuts[i].above]].map(([side, counts]) => {
      const [n, most] = [sum(counts), Math.max(...counts)];
      return { side, n, most, name: classes[counts.indexOf(most)] };
    });
    const pure = sides.find(({ n, most }) => n === most);
    if (pure) return pure.n === 1 ? `the one sample on the ${pure.side} is ${pure.name}` : `all ${pure.n} samples on the ${pure.side} are ${pure.name}`;
    const [left, right] = sides.map(({ side, n, most, name }) => `${most} of ${n} samples on the ${side} are ${name}`);
    return `${left} and ${right.replace(" samples", "")}`;
  }

  // Is a cut the best, how near to it, and where is that?
  function judgment(data, judged, i) {
    const { values, best, key } = judged;
    const { none, near } = JUDGES[key];
    if (values[i] === values[best]) return [true, `None of the ${data.cuts.length} thresholds ${none}: ${parted(data, i)}.`];
    const side = i > best ? "left" : "right";
    const where = Math.abs(i - best) === 1 ? `is the next one on the ${side}` : `lies further ${side}`;
    return [false, near(digits(values[i]), digits(values[best])), `Its cut ${where}, where ${parted(data, best)}.`];
  }

  const answer = (data, { best }) => `The best threshold is ${data.cuts[best].at}: ${parted(data, best)}.`;

  function countTable(data, judged, i) {
    const { impurity } = JUDGES[judged.key];
    const head = (words, k) => element("th", { scope: "col", style: k == null ? null : `color: ${color(k)}` }, words);
    const row = (order, side) =>
      element(
        "tr",
        {},
        element("th", { scope: "row" }, `${data.feature} ${order} ${data.cuts[i].at}`),
        data.cuts[i][side].map((n, k) => element("td", { style: `color: ${color(k)}` }, String(n))),
        element("td", {}, exact(data.impurities[impurity][side][i])),
      );
    return [
      element("thead", {}, element("tr", {}, head("branch"), data.classes.map(head), head(HEAD[impurity]))),
      element("tbody", {}, row("≤", "below"), row(">", "above")),
    ];
  }

  // Each sample at its place, in the lane of its class; equal ones stand on each other.
  function drawSamples(shown, data, lane) {
    const standing = {};
    for (const [x, k] of data.points) {
      const [px, middle] = shown.at(x, lane(k));
      const py = middle - 9 * (standing[[x, k]] = (standing[[x, k]] ?? -1) + 1);
      const place = k ? { x: px - 4, y: py - 4, width: 8, height: 8 } : { cx: px, cy: py, r: 4.5 };
      shown.svg.append(drawn(k ? "rect" : "circle", { ...place, style: `fill: ${color(k)}` }));
    }
  }

  // The values of a measure; measures of one unit that are compared share their axis.
  function range(data, judged) {
    const same = judged.key === "charge" || data.measures.some(({ key }) => key === "charge");
    const values = (same ? data.measures : [judged]).flatMap((each) => each.values);
    return [Math.min(0, ...values), Math.max(...values)];
  }

  function draw(data, judged, width) {
    const [low, high] = range(data, judged);
    const lift = (high - low) * 0.14;
    const lane = (k) => low - lift * (k + 0.95);
    const [first, last] = [data.points[0][0], data.points.at(-1)[0]];
    const [from, to] = [first - (last - first) * 0.05, last + (last - first) * 0.05];
    const { axis, unit } = JUDGES[judged.key];
    const y = { from: lane(data.classes.length - 0.4), to: high + lift * 1.4, label: axis, ticks: ticks(low, high + lift) };
    const shown = plot({ width, height: 330, x: { from, to, label: data.feature }, y, title: "" });
    const below = shown.svg.insertBefore(drawn("rect", { class: "threshold-below" }), shown.svg.firstChild);
    const [left, top] = shown.at(from, y.to);
    const bottom = shown.at(from, y.from)[1];
    for (const [key, value] of Object.entries({ x: left, y: top, height: bottom - top })) below.setAttribute(key, value);
    shown.line([[from, 0], [to, 0]], { class: "axis" });
    data.classes.forEach((name, k) =>
      shown.words(from, lane(k), name, { dx: -8, dy: 4, class: "tick end", style: `fill: ${color(k)}; font-weight: 600` }),
    );
    const at = data.cuts.map((cut) => Number(cut.at));
    const hollow = data.cuts.map((cut) => runs(data) && !cut.boundary);
    const stems = at.map((t, i) => shown.line([[t, 0], [t, judged.values[i]]]));
    const rule = shown.rule(at[0]);
    const dots = at.map((t, i) => shown.dot(t, judged.values[i], { r: 5 }));
    drawSamples(shown, data, lane);
    const label = drawn("text", { class: "threshold-label" });
    shown.svg.append(label);
    // A cut, and which cuts the reader may see the worth of.
    shown.set = (i, isKnown) => {
      const seen = at.map((_, j) => isKnown(j));
      const top = (j) => shown.at(at[j], seen[j] ? judged.values[j] : 0);
      const hidden = (j) => (seen[j] ? "" : " task-answer");
      const [px] = top(i);
      shown.place(rule, at[i]);
      below.setAttribute("width", px - left);
      stems.forEach((stem, j) => stem.setAttribute("class", `threshold-stem${hidden(j)}`));
      dots.forEach((dot, j) => {
        dot.setAttribute("class", `threshold-dot${hollow[j] ? " hollow" : ""}${i === j ? " now" : ""}${hidden(j)}`);
        dot.setAttribute("r", i === j ? 7.5 : 5);
      });
      const end = px < left + 75 ? "start" : px > width - 80 ? "end" : "middle";
      label.setAttribute("x", end === "start" ? Math.max(px - 6, left + 4) : end === "end" ? Math.min(px + 6, width - 14) : px);
      const beside = at.map((_, j) => top(j)).filter(([x]) => Math.abs(x - px) < HALF_LABEL);
      label.setAttribute("y", Math.min(...beside.map(([, y]) => y), shown.at(0, 0)[1]) - 14); // hides no dot
      label.setAttribute("text-anchor", end);
      label.textContent = seen[i] ? `${data.cuts[i].at}: ${digits(judged.values[i])}${unit}` : data.cuts[i].at;
    };
    shown.nearest = (x) => at.reduce((best, t, i) => (Math.abs(t - x) < Math.abs(at[best] - x) ? i : best), 0);
    return shown;
  }

  widgets.threshold = (box, data) => {
    let shown;
    const place = element("div", { class: "threshold-plot" });
    const table = element("table", { class: "threshold-counts" });
    const sums = element("p", { class: "threshold-formula" });
    const says = spoken("threshold-says task-answer");
    const words = (i) => `${data.feature} ≤ ${data.cuts[i].at}`;
    const control = slider({ label: "threshold", count: data.cuts.length, says: words, change: show });
    const panels = element("div", { class: "touch-panels threshold-panels" }, table, element("div", { class: "threshold-sums" }, says.place, sums));
    const at = () => Number(control.input.value);

    const todo = task(box, {
      asks: data.measures.map(({ key }) => `Find the threshold of ${data.feature} that ${JUDGES[key].most}.`),
      places: data.cuts.map((_, i) => i),
      at,
      judge: (k, i) => judgment(data, data.measures[k], i),
      tell: (k) => answer(data, data.measures[k]),
      begin: (k) => control.set(away(data.measures[k].best, data.cuts.length)),
      solve: (k) => control.set(data.measures[k].best),
      show(k) {
        judge.mark(data.measures[k].key);
        redraw();
      },
    });

    function fill(by, i) {
      table.replaceChildren(...countTable(data, by, i));
      sums.replaceChildren(...formula(data, by, i));
    }

    function show(i) {
      const judged = data.measures[todo.number()];
      const isKnown = (j) => todo.isOpen() || todo.tried().includes(j);
      shown.set(i, isKnown);
      fill(judged, i);
      says.set(verdict(data, judged, i));
      sums.classList.toggle("task-answer", !isKnown(i));
      const { axis, unit } = JUDGES[judged.key];
      const told = isKnown(i) ? digits(judged.values[i]) : "not shown yet";
      shown.svg.setAttribute("aria-label", `${axis} at ${words(i)}: ${told}.`);
      control.input.setAttribute("aria-valuetext", words(i) + (isKnown(i) ? `: ${told}${unit}` : "")); // as the picture says to the eye
    }

    const redraw = fitted(place, (width) => {
      shown = draw(data, data.measures[todo.number()], width);
      shown.drag((x) => {
        control.set(shown.nearest(x));
        control.input.focus({ preventScroll: true, focusVisible: false });
      });
      const states = data.measures.flatMap((by) => data.cuts.map((_, i) => [by, i]));
      says.keep(states.map(([by, i]) => verdict(data, by, i)));
      steady(panels, states.map(([by, i]) => () => fill(by, i)));
      show(at());
      return shown;
    });
    const judge = choice({
      label: "Judge a threshold by",
      options: data.measures.map(({ key }) => [key, JUDGES[key].button]),
      start: data.measures[0].key,
      change: (key) => todo.go(data.measures.findIndex((each) => each.key === key)),
    });
    const parts = [
      ...todo.head(`Drag the threshold of ${data.feature}`),
      data.measures.length > 1 && judge.whole,
      runs(data) && element("p", { class: "threshold-key task-answer", "aria-hidden": "true" }, "● boundary  ○ within a run"),
      place,
      control.whole,
      ...todo.tools,
      panels,
    ];
    box.append(...parts.filter(Boolean));
    todo.begin();
  };
})();
