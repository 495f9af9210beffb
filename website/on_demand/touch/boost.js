// Slide the trees and the rate: a sum of trees over its points and what it leaves, or its errors on samples seen and fresh.
(() => {
  const { widgets, element, digits, slider, choice, plot, stairs, fitted, steady } = window.touch;
  const HEIGHT = 290;
  const LINES = {
    left: { line: "boost-left", ring: "boost-ring-left" },
    seen: { line: "boost-seen", ring: "boost-ring-seen", name: "tick end boost-name-seen" },
    fresh: { line: "boost-fresh", ring: "boost-ring-fresh", name: "tick end boost-name-fresh" },
  };
  const PART = { 1: "All of it", 0.5: "Half of it", 0.1: "A tenth of it" };

  const trees = (n) => (n === 1 ? "1 tree" : `${n} trees`);

  // The sum as a staircase over its points.
  function drawSum(data, width) {
    const y = data.points.map(([, value]) => value);
    const [low, high] = [Math.min(...y), Math.max(...y)];
    const ticks = data.points.map(([x]) => [x, String(x)]);
    const x = { from: data.points[0][0] - 0.5, to: data.points.at(-1)[0] + 0.5, label: "x", ticks };
    const shown = plot({ width, height: HEIGHT, x, y: { from: low - 0.5, to: high + 0.5, label: "y" } });
    const sum = stairs(shown, data.points);
    shown.set = (rate, m) => sum.set(data.sums[rate].steps[m]);
    return shown;
  }

  // Curves over the number of trees: those of the other rates are thin, a dot stands on those of the rate chosen.
  // The rates in `named` are written at their thin curve, above this number of trees.
  function drawCurves(data, width, { kinds, first, y, named }) {
    const last = first + data.sums[0][kinds[0]].length - 1;
    const shown = plot({ width, height: HEIGHT, x: { from: first, to: last, label: "trees" }, y });
    const rule = shown.rule(first);
    const found = (rate, kind) => data.sums[rate][kind].map((value, i) => [first + i, value]);
    const main = kinds.at(-1);
    for (const rate of data.rates.keys()) shown.line(found(rate, main), { class: "boost-other" });
    const names = Object.entries(named(last)).map(([rate, m]) => {
      const [a, b] = found(rate, main)[m - first];
      return [Number(rate), shown.words(a, b, `rate ${data.rates[rate]}`, { class: m === last ? "tick end" : "tick", dx: m === last ? 0 : 6, dy: -6 })];
    });
    const lines = kinds.map((kind) => ({
      kind,
      line: shown.line([[first, 0]], { class: LINES[kind].line }),
      dot: shown.dot(first, 0, { r: 6.5, class: LINES[kind].ring }),
      words: LINES[kind].name && shown.words(last, 0, "", { class: LINES[kind].name, dy: -8 }),
    }));
    shown.set = (rate, m) => {
      shown.place(rule, m);
      for (const [each, words] of names) words.style.visibility = each === rate ? "hidden" : "visible";
      for (const { kind, line, dot, words } of lines) {
        const curve = found(rate, kind);
        line.setAttribute("d", "M" + curve.map(([a, b]) => shown.at(a, b).map((p) => p.toFixed(1)).join(" ")).join("L"));
        shown.move(dot, ...curve[m - first]);
        if (!words) continue;
        words.textContent = kind;
        words.setAttribute("y", shown.at(last, curve.at(-1)[1])[1]);
      }
    };
    return shown;
  }

  const drawLeft = (data, width) => {
    const y = { from: 0, to: data.sums[0].left[0] * 1.05, label: "squared error left" };
    return drawCurves(data, width, { kinds: ["left"], first: 0, y, named: () => ({ [data.rates.length - 1]: 8 }) });
  };
  const drawErrors = (data, width) => {
    const most = Math.max(...data.sums.flatMap(({ seen, fresh }) => [seen[0], fresh[0]]));
    const y = { from: 0, to: most * 1.05, label: "squared error" };
    return drawCurves(data, width, { kinds: ["seen", "fresh"], first: 1, y, named: (last) => data.rates.map(() => last) });
  };

  function tellSum(data, rate, m) {
    const { asked, left } = data.sums[rate];
    if (m === 0) return `No tree yet: the mean for every point. The squared error is ${digits(left[0])}.`;
    const [at, low, high] = asked[m - 1];
    const says = `Tree ${m} says ${digits(low)} up to x = ${at} and ${digits(high)} beyond. ${PART[data.rates[rate]]} is added.`;
    return `${says} Of ${digits(left[0])} the sum leaves ${digits(left[m])}.`;
  }

  function tellErrors(data, rate, m) {
    const { seen, fresh, best } = data.sums[rate];
    const found = `Squared error: ${digits(seen[m - 1], 2)} on the samples seen, ${digits(fresh[m - 1], 2)} at fresh places.`;
    const better = `At this rate ${trees(best)} have the least at fresh places: ${digits(fresh[best - 1], 2)}.`;
    return `${found} ${m === best ? "At this rate no number of trees has less at fresh places." : better}`;
  }

  const VIEWS = {
    sum: {
      tell: tellSum,
      draws: [drawSum, drawLeft],
      key: "Thin lines at the points: the residuals. Thin curves: the other rates.",
    },
    errors: {
      tell: tellErrors,
      draws: [drawErrors],
      key: "Dashed: at fresh places, thin for the other rates. Solid: on the samples seen.",
    },
  };

  widgets.boost = (box, data) => {
    const { tell, draws, key } = VIEWS["points" in data ? "sum" : "errors"];
    const first = "points" in data ? 0 : 1;
    const last = first + data.sums[0][first ? "fresh" : "left"].length - 1;
    let rate = data.start.rate;
    const says = element("p", { class: "boost-says" });
    const parts = draws.map((draw) => ({ draw, place: element("div") }));
    const control = slider({
      label: "trees",
      count: last - first + 1,
      start: data.start.trees - first,
      says: (i) => trees(first + i),
      change: show,
    });
    const at = () => Number(control.input.value);

    function show(i) {
      const words = tell(data, rate, first + i);
      says.textContent = words;
      for (const { shown } of parts) {
        shown?.set(rate, first + i);
        shown?.svg.setAttribute("aria-label", `${trees(first + i)} at the rate ${data.rates[rate]}. ${words}`);
      }
    }

    const rates = choice({
      label: "Learning rate",
      options: data.rates.map((value, i) => [i, `rate ${value}`]),
      start: rate,
      change: (i) => {
        rate = i;
        show(at());
      },
    });
    const go = (m) => {
      control.set(Math.round(Math.min(Math.max(m, first), last)) - first);
      control.input.focus({ preventScroll: true, focusVisible: false });
    };
    for (const part of parts) {
      part.redraw = fitted(part.place, (width) => {
        part.shown = part.draw(data, width);
        says.setAttribute("aria-live", "off");
        const states = data.rates.flatMap((_, r) => [first, first + 1, data.sums[r].best ?? last, last].map((m) => [r, m]));
        steady(says, states.map(([r, m]) => () => void (says.textContent = tell(data, r, m))));
        says.setAttribute("aria-live", "polite");
        if (part.draw !== drawSum) part.shown.drag(go);
        show(at());
        return part.shown;
      });
    }
    box.append(
      element("p", { class: "boost-title" }, element("strong", {}, "Slide the trees, choose the rate")),
      rates.whole,
      control.whole,
      says,
      element("p", { class: "boost-key" }, key),
      element("div", { class: "touch-panels" }, parts.map(({ place }) => place)),
    );
    for (const { redraw } of parts) redraw();
    control.show();
  };
})();
