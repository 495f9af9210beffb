// Slide the trees and the rate: a sum of trees over its points and what it leaves; or its errors on the samples seen, and the
// number of trees with the least error at fresh places, which the reader is to find.
(() => {
  const { widgets, element, digits, slider, choice, plot, stairs, fitted, spoken, head, task, marks, away } = window.touch;
  const HEIGHT = 290;
  const LINES = {
    left: { line: "boost-left", ring: "boost-ring-left" },
    seen: { line: "boost-seen", ring: "boost-ring-seen", name: "tick end boost-name-seen" },
    fresh: { line: "boost-fresh", ring: "boost-ring-fresh", name: "tick end boost-name-fresh" },
  };
  const NEAR = 1.01; // an error at most this much above the least is as good
  const PART = { 1: "All of it", 0.5: "Half of it", 0.1: "A tenth of it" };

  const trees = (n) => (n === 1 ? "1 tree" : `${n} trees`);

  // The sum as a staircase over its points.
  function drawSum(data, width) {
    const y = data.points.map(([, value]) => value);
    const [low, high] = [Math.min(...y), Math.max(...y)];
    const ticks = data.points.map(([x]) => [x, String(x)]);
    const x = { from: data.points[0][0] - 0.5, to: data.points.at(-1)[0] + 0.5, label: "x", ticks };
    const shown = plot({ width, height: HEIGHT, x, y: { from: low - 0.5, to: high + 0.5, label: "y" }, title: "The sum of the trees over its points" });
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
    const others = [...data.rates.keys()].map((rate) => shown.line(found(rate, main)));
    const names = Object.entries(named(last)).map(([rate, m]) => {
      const [a, b] = found(rate, main)[m - first];
      return [Number(rate), shown.words(a, b, `rate ${data.rates[rate]}`, { class: m === last ? "tick end" : "tick", dx: m === last ? 0 : 6, dy: -6 })];
    });
    const answers = (kind) => (kind === "fresh" ? " task-answer" : "");
    const lines = kinds.map((kind) => ({
      kind,
      line: shown.line([[first, 0]], { class: LINES[kind].line + answers(kind) }),
      dot: shown.dot(first, 0, { r: 6.5, class: LINES[kind].ring + answers(kind) }),
      words: LINES[kind].name && shown.words(last, 0, "", { class: LINES[kind].name + answers(kind), dy: -8 }),
    }));
    const mark = marks(shown, ([rate, m]) => found(rate, main)[m - first]);
    // `todo` says what of the fresh errors has been found.
    shown.set = (rate, m, todo) => {
      const hidden = (each) => (!todo || todo.isOpen(each) ? "" : " task-hidden");
      shown.place(rule, m);
      others.forEach((line, each) => line.setAttribute("class", `boost-other${hidden(each)}`));
      for (const [each, words] of names) words.style.visibility = each === rate || hidden(each) ? "hidden" : "visible";
      mark((todo?.tried() ?? []).map((i) => [rate, first + i]));
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

  const tellSeen = (data, rate, m) => `Squared error on the samples seen: ${digits(data.sums[rate].seen[m - 1], 2)}.`;

  // Is a number of trees as good as the best, how near to it, and why?
  function judgment(data, rate, m) {
    const { seen, fresh, best } = data.sums[rate];
    const [error, least] = [m, best].map((n) => digits(fresh[n - 1], 2));
    if (m === best) return [true, `At this rate no number of trees has less than ${least} at fresh places.`];
    if (fresh[m - 1] <= NEAR * fresh[best - 1]) return [true, `The error at fresh places is ${error}, and the least is ${least}, with ${trees(best)}.`];
    const found = `The error at fresh places is ${error}; with the best number of trees it is ${least}.`;
    if (m < best) return [false, found, `More trees are better: at the rate ${data.rates[rate]} they still learn.`];
    return [false, found, `Fewer trees are better: yours learn the noise of the samples seen, where the error is only ${digits(seen[m - 1], 2)}.`];
  }

  function answer(data, rate) {
    const { fresh, best } = data.sums[rate];
    return `At the rate ${data.rates[rate]}, ${trees(best)} have the least error at fresh places, ${digits(fresh[best - 1], 2)}.`;
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

  // The task of a widget that knows the errors: the best number of trees, at one rate after the other.
  function taskOf(box, data, control, show) {
    const last = data.sums[0].fresh.length;
    return task(box, {
      asks: data.rates.map((rate) => `Find the number of trees with the least error at fresh places, at the rate ${rate}.`),
      places: Array.from({ length: last }, (_, i) => i),
      at: () => Number(control.input.value),
      judge: (rate, i) => judgment(data, rate, i + 1),
      tell: (rate) => answer(data, rate),
      begin: (rate) => control.set(away(data.sums[rate].best - 1, last)),
      solve: (rate) => control.set(data.sums[rate].best - 1),
      show,
    });
  }

  widgets.boost = (box, data) => {
    const isSum = "points" in data;
    const { tell, draws, key } = VIEWS[isSum ? "sum" : "errors"];
    const first = isSum ? 0 : 1;
    const last = first + data.sums[0][isSum ? "left" : "fresh"].length - 1;
    let rate = isSum ? data.start.rate : 0;
    const says = spoken("boost-says");
    const parts = draws.map((draw) => ({ draw, place: element("div") }));
    const control = slider({
      label: "trees",
      count: last - first + 1,
      start: isSum ? data.start.trees : last - first,
      says: (i) => trees(first + i),
      change: show,
    });
    const at = () => Number(control.input.value);
    const title = "Slide the trees, choose the rate";
    const todo = isSum ? null : taskOf(box, data, control, choose);

    function show(i) {
      says.set((todo && !todo.isOpen() ? tellSeen : tell)(data, rate, first + i));
      for (const { shown } of parts) shown?.set(rate, first + i, todo);
    }

    function choose(i) {
      rate = i;
      rates.mark(i);
      show(at());
    }

    const rates = choice({
      label: "Learning rate",
      options: data.rates.map((value, i) => [i, `rate ${value}`]),
      start: rate,
      change: todo ? todo.go : choose,
    });
    const go = (m) => {
      control.set(Math.round(Math.min(Math.max(m, first), last)) - first);
      control.input.focus({ preventScroll: true, focusVisible: false });
    };
    for (const part of parts) {
      part.redraw = fitted(part.place, (width) => {
        part.shown = part.draw(data, width);
        const states = data.rates.flatMap((_, r) => [first, first + 1, data.sums[r].best ?? last, last].map((m) => [r, m]));
        says.keep(states.map(([r, m]) => tell(data, r, m)));
        if (part.draw !== drawSum) part.shown.drag(go);
        show(at());
        return part.shown;
      });
    }
    box.append(
      ...(todo ? todo.head(title) : head(title)),
      rates.whole,
      control.whole,
      ...(todo?.tools ?? []),
      says.place,
      element("p", { class: "touch-key" }, key),
      element("div", { class: "touch-panels" }, parts.map(({ place }) => place)),
    );
    todo?.begin();
    for (const { redraw } of parts) redraw();
    control.show();
  };
})();
