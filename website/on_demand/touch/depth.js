// Slide the depth: the staircase of a regression tree over its points, and its errors on rows seen. Where the page knows the
// errors on fresh rows, too, the reader is to find the least of them.
(() => {
  const { widgets, element, digits, slider, plot, stairs, fitted, spoken, head, task, marks } = window.touch;
  const HEIGHT = 270;
  const LINES = {
    seen: { line: "depth-seen", name: "depth-name-seen", ring: "depth-ring-seen" },
    fresh: { line: "depth-fresh", name: "depth-name-fresh", ring: "depth-ring-fresh" },
  };
  const TURN = 2 * Math.PI;
  const truth = Array.from({ length: 101 }, (_, i) => [(i / 100) * TURN, Math.sin((i / 100) * TURN)]);

  function drawStairs(data, width) {
    const title = "The steps of the tree over its points";
    const shown = plot({ width, height: HEIGHT, x: { from: 0, to: TURN, label: "x" }, y: { from: -1.75, to: 1.75, label: "y" }, title });
    shown.line(truth, { class: "depth-truth" });
    const { set } = stairs(shown, data.points);
    shown.set = (i) => set(data.trees[i].steps);
    return shown;
  }

  function drawErrors(data, width) {
    const last = data.trees.length - 1;
    const most = Math.max(...data.trees.flatMap((tree) => [tree.seen, tree.fresh]));
    const x = { from: -0.3, to: last + 0.3, label: "depth", ticks: [0, 2, 4, 6, 8, 10].map((d) => [d, String(d)]) };
    const shown = plot({ width, height: HEIGHT, x, y: { from: 0, to: most * 1.08, label: "mean squared error" } });
    const rule = shown.rule(0);
    const curves = Object.entries(LINES).map(([rows, { line, name, ring }]) => {
      const found = data.trees.map((tree, i) => [i, tree[rows]]);
      const hidden = rows === "fresh" ? " task-answer" : "";
      shown.line(found, { class: line + hidden });
      shown.words(last - 0.1, found[last][1], rows, { class: `tick end ${name}${hidden}`, dy: -9 });
      return { found, dot: shown.dot(...found[0], { r: 6.5, class: ring + hidden }) };
    });
    const least = [data.best, data.trees[data.best].fresh];
    shown.dot(...least, { r: 4, class: "depth-least task-answer" });
    shown.words(...least, `depth ${data.best}`, { class: "middle depth-name-fresh depth-name-least task-answer", dy: -16 });
    const mark = marks(shown, (i) => [i, data.trees[i].fresh]);
    shown.set = (i, tried) => {
      mark(tried);
      shown.place(rule, i);
      for (const { found, dot } of curves) shown.move(dot, ...found[i]);
    };
    return shown;
  }

  function steps(data, i) {
    const { leaves } = data.trees[i];
    if (leaves === 1) return "1 leaf: one number for all points.";
    return leaves === data.points.length ? `${leaves} leaves: a step for every point.` : `${leaves} leaves, as many steps.`;
  }

  const leavesOf = ({ leaves }) => (leaves === 1 ? "1 leaf" : `${leaves} leaves`);

  const onSeen = (tree) => `${leavesOf(tree)}. Mean squared error on the rows it has seen: ${digits(tree.seen)}.`;

  function errors(data, i) {
    const tree = data.trees[i];
    const found = `${leavesOf(tree)}. Mean squared error: ${digits(tree.seen)} on the rows it has seen, ${digits(tree.fresh)} on fresh ones.`;
    const better = i === data.best ? "No depth has less on fresh rows." : `On fresh rows, depth ${data.best} has less: ${digits(data.trees[data.best].fresh)}.`;
    return `${found} ${better}`;
  }

  const answer = ({ points, trees, best }) =>
    `Depth ${best} is best: ${leavesOf(trees[best])} follow the wave, with ${points.length / trees[best].leaves} rows in each on average.`;

  // Is a depth the best, how near to it, and what is wrong with the tree?
  function judgment(data, i) {
    const { leaves, seen, fresh } = data.trees[i];
    const [least, N] = [data.trees[data.best].fresh, data.points.length];
    if (fresh === least) return [true, `No depth has less than ${digits(least)} on fresh rows.`];
    const found = `The error on fresh rows is ${digits(fresh)}; at the best depth it is ${digits(least)}.`;
    const few = `${leaves === 1 ? "one step is" : `${leaves} steps are`} too few for the wave, and the error on the rows it has seen is large, too, ${digits(seen)}`;
    const many = `with ${leaves} leaves for ${N} rows it follows their noise. Only on these rows its error is small, ${digits(seen)}`;
    return [false, found, i < data.best ? `Your tree is not deep enough: ${few}.` : `Your tree is too deep: ${many}.`];
  }

  // The task of a widget that knows the errors; without them there is nothing to find.
  function taskOf(box, data, control, show) {
    return task(box, {
      asks: ["Find the depth with the least error on fresh rows."],
      places: data.trees.map((_, i) => i),
      at: () => Number(control.input.value),
      judge: (_, i) => judgment(data, i),
      tell: () => answer(data),
      begin: () => control.set(data.start),
      solve: () => control.set(data.best),
      show: () => show(Number(control.input.value)),
    });
  }

  widgets.depth = (box, data) => {
    const last = data.trees.length - 1;
    const says = spoken("depth-says");
    const parts = [drawStairs, ...("best" in data ? [drawErrors] : [])].map((draw) => ({ draw, place: element("div") }));
    const words = (i) => (i === last ? `no limit (${data.deepest})` : `depth ${i}`);
    const control = slider({ label: "depth", count: last + 1, start: data.start, says: words, change: show });
    const todo = "best" in data ? taskOf(box, data, control, show) : null;
    const title = "Slide the depth of the tree";

    function tell(i) {
      if (!todo) return steps(data, i);
      return todo.isOpen() ? errors(data, i) : onSeen(data.trees[i]);
    }

    function show(i) {
      says.set(tell(i));
      for (const { shown } of parts) shown?.set(i, todo?.tried());
    }

    const go = (depth) => {
      control.set(Math.round(Math.min(Math.max(depth, 0), last)));
      control.input.focus({ preventScroll: true, focusVisible: false });
    };
    for (const part of parts) {
      part.redraw = fitted(part.place, (width) => {
        part.shown = part.draw(data, width);
        says.keep(data.trees.map((_, i) => (todo ? errors : steps)(data, i)));
        if (part.draw === drawErrors) part.shown.drag(go);
        show(Number(control.input.value));
        return part.shown;
      });
    }
    box.append(
      ...(todo ? todo.head(title) : head(title)),
      control.whole,
      ...(todo?.tools ?? []),
      says.place,
      element("p", { class: "touch-key" }, "Dots: the points. Thin lines: how far each is from its step. Dashed: the truth."),
      element("div", { class: "touch-panels" }, parts.map(({ place }) => place)),
    );
    todo?.begin();
    for (const { redraw } of parts) redraw();
    control.show();
  };
})();
