// Split a node: three impurities of two classes as curves, two branches on them, and what each measure decreases by.
(() => {
  const { widgets, element, digits, slider, plot, fitted, spoken, head } = window.touch;
  const SLACK = 1e-8; // the numbers have nine digits
  const KEYS = ["entropy", "gini", "error"];

  const share = (i) => digits(i / 50, 2);
  const parts = ({ at }, [a, b]) => ({ whole: at[a + b], mean: (at[2 * a] + at[2 * b]) / 2 });
  const decrease = (measure, ab) => {
    const { whole, mean } = parts(measure, ab);
    return whole - mean > SLACK ? whole - mean : 0;
  };

  function tell({ measures }, [a, b]) {
    const [H, gini, error] = measures.map((measure) => decrease(measure, [a, b]));
    const found = `Branches ${share(a)} and ${share(b)}, whole ${digits((a + b) / 100, 2)}: half the entropy decreases by ${digits(H)}, the Gini index by ${digits(gini)}, the error by ${digits(error)}.`;
    if (a === b) return `${found} Both branches are like the whole: nothing decreases.`;
    return `${found} ${error > 0 ? "All three see the split." : "The error does not see the split: one class has the majority in both branches."}`;
  }

  function drawCurves(data, width) {
    const shown = plot({ width, height: 300, x: { from: 0, to: 1, label: "share p of one class" }, y: { from: 0, to: 0.55, label: "impurity" } });
    const rule = shown.rule(0);
    const curves = data.measures.map((measure, k) => {
      shown.line(measure.at.map((value, i) => [i / 100, value]), { class: `line impurities-${KEYS[k]}` });
      const chord = shown.line([[0, 0]], { class: `line impurities-chord impurities-${KEYS[k]}` });
      const drop = shown.line([[0, 0]], { class: `line impurities-drop impurities-${KEYS[k]}` });
      return { measure, chord, drop, beside: (k - 1) * 0.015, dots: [6, 3.5, 3.5].map((r) => shown.dot(0, 0, { r, class: `touch-ring impurities-${KEYS[k]}` })) };
    });
    const path = (...points) => "M" + points.map((point) => shown.at(...point).join(" ")).join("L");
    shown.set = ([a, b]) => {
      const p = (a + b) / 100;
      shown.place(rule, p);
      for (const { measure, chord, drop, beside, dots } of curves) {
        const { whole, mean } = parts(measure, [a, b]);
        const ends = [[a / 50, measure.at[2 * a]], [b / 50, measure.at[2 * b]]];
        chord.setAttribute("d", path(...ends));
        drop.setAttribute("d", path([p + beside, whole], [p + beside, mean]));
        [[p, whole], ...ends].forEach((point, i) => shown.move(dots[i], ...point));
      }
    };
    return shown;
  }

  widgets.impurities = (box, data) => {
    const says = spoken("impurities-says");
    const place = element("div");
    const cells = data.measures.map(() => [0, 1, 2].map(() => element("td")));
    const rows = data.measures.map(({ name }, k) => element("tr", {}, element("th", { scope: "row" }, element("i", { class: `impurities-${KEYS[k]}` }), name), cells[k]));
    const titles = ["", "whole", "branches", "decrease"].map((words) => (words ? element("th", { scope: "col" }, words) : element("td")));
    const table = element("table", {}, element("thead", {}, element("tr", {}, titles)), element("tbody", {}, rows));
    const controls = data.start.map((start, k) => slider({ label: `branch ${k + 1}`, count: 51, start, says: (i) => `p = ${share(i)}`, change: () => show() }));
    const now = () => controls.map(({ input }) => Number(input.value));
    let shown;

    function show() {
      const ab = now();
      says.set(tell(data, ab));
      shown?.set(ab);
      data.measures.forEach((measure, k) => {
        const { whole, mean } = parts(measure, ab);
        [whole, mean, decrease(measure, ab)].forEach((value, i) => (cells[k][i].textContent = digits(value)));
      });
    }

    const redraw = fitted(place, (width) => {
      shown = drawCurves(data, width);
      says.keep([[10, 40], [10, 20], [20, 20]].map((ab) => tell(data, ab)));
      show();
      return shown;
    });
    box.append(
      ...head("Split a node into two branches of one size", "Find a split that the error does not see, though the other two decrease."),
      ...controls.map(({ whole }) => whole),
      says.place,
      element("div", { class: "touch-panels" }, place, table),
    );
    redraw();
    for (const control of controls) control.show();
  };
})();
