// Drag the threshold: all cuts of a number and what each is worth, the samples below, and the sum with the numbers put in.
(() => {
  const { widgets, element, drawn, digits, color, slider, choice, plot, ticks, fitted, steady } = window.touch;
  const JUDGES = {
    gain: { button: "Gain", axis: "information gain (bits)", unit: "\u00a0bits", impurity: "entropy", none: "gains more" },
    ratio: { button: "Gain ratio", axis: "gain ratio", unit: "", impurity: "entropy", none: "has a larger gain ratio" },
    charge: { button: "Gain less the charge", axis: "gain less the charge (bits)", unit: "\u00a0bits", impurity: "entropy", none: "keeps more" },
    gini: { button: "Gini decrease", axis: "decrease of the Gini index", unit: "", impurity: "gini", none: "lowers the Gini index more" },
  };
  const HALF_LABEL = 60; // px
  const HEAD = { entropy: "entropy (bits)", gini: "Gini index" };
  const runs = (data) => data.measures[0].key !== "gini"; // chapter 6 speaks of them
  const { sum } = window.touch.arithmetic;
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
    at.forEach((t, i) => shown.line([[t, 0], [t, judged.values[i]]], { class: "threshold-stem" }));
    const rule = shown.rule(at[0]);
    const dots = at.map((t, i) => shown.dot(t, judged.values[i], { r: 5 }));
    drawSamples(shown, data, lane);
    const label = drawn("text", { class: "threshold-label" });
    shown.svg.append(label);
    shown.set = (i) => {
      const [px, py] = shown.at(at[i], judged.values[i]);
      shown.place(rule, at[i]);
      below.setAttribute("width", px - left);
      dots.forEach((dot, j) => {
        dot.setAttribute("class", `threshold-dot${hollow[j] ? " hollow" : ""}${i === j ? " now" : ""}`);
        dot.setAttribute("r", i === j ? 7.5 : 5);
      });
      const end = px < left + 75 ? "start" : px > width - 80 ? "end" : "middle";
      label.setAttribute("x", end === "start" ? Math.max(px - 6, left + 4) : end === "end" ? Math.min(px + 6, width - 14) : px);
      const beside = at.map((t, j) => shown.at(t, judged.values[j])).filter(([x]) => Math.abs(x - px) < HALF_LABEL);
      label.setAttribute("y", Math.min(...beside.map(([, y]) => y), shown.at(0, 0)[1]) - 14); // hides no dot
      label.setAttribute("text-anchor", end);
      label.textContent = `${data.cuts[i].at}: ${digits(judged.values[i])}${unit}`;
    };
    shown.nearest = (x) => at.reduce((best, t, i) => (Math.abs(t - x) < Math.abs(at[best] - x) ? i : best), 0);
    return shown;
  }

  widgets.threshold = (box, data) => {
    let judged = data.measures[0];
    let shown;
    const place = element("div", { class: "threshold-plot" });
    const table = element("table", { class: "threshold-counts" });
    const sums = element("p", { class: "threshold-formula" });
    const says = element("p", { class: "threshold-says" });
    const words = (i) => `${data.feature} ≤ ${data.cuts[i].at}`;
    const control = slider({ label: "threshold", count: data.cuts.length, start: judged.best, says: words, change: show });
    const panels = element("div", { class: "touch-panels threshold-panels" }, table, element("div", { class: "threshold-sums" }, says, sums));
    const at = () => Number(control.input.value);

    function fill(by, i) {
      table.replaceChildren(...countTable(data, by, i));
      sums.replaceChildren(...formula(data, by, i));
      says.textContent = verdict(data, by, i);
    }

    function show(i) {
      shown.set(i);
      fill(judged, i);
      const { axis } = JUDGES[judged.key];
      shown.svg.setAttribute("aria-label", `${axis} at ${words(i)}: ${digits(judged.values[i])}. ${says.textContent}`);
    }

    const redraw = fitted(place, (width) => {
      shown = draw(data, judged, width);
      shown.drag((x) => {
        control.set(shown.nearest(x));
        control.input.focus({ preventScroll: true, focusVisible: false });
      });
      says.setAttribute("aria-live", "off");
      steady(panels, data.measures.flatMap((by) => data.cuts.map((_, i) => () => fill(by, i))));
      says.setAttribute("aria-live", "polite");
      show(at());
      return shown;
    });
    const judge = choice({
      label: "Judge a threshold by",
      options: data.measures.map(({ key }) => [key, JUDGES[key].button]),
      start: judged.key,
      change: (key) => {
        judged = data.measures.find((each) => each.key === key);
        redraw();
      },
    });
    const best = element("button", { type: "button", onclick: () => control.set(judged.best) }, "Best threshold");
    const parts = [
      element("p", { class: "threshold-title" }, element("strong", {}, `Drag the threshold of ${data.feature}`)),
      data.measures.length > 1 && judge.whole,
      runs(data) && element("p", { class: "threshold-key", "aria-hidden": "true" }, "● boundary  ○ within a run"),
      place,
      element("div", { class: "threshold-controls" }, control.whole, best),
      panels,
    ];
    box.append(...parts.filter(Boolean));
    redraw();
    control.show();
  };
})();
