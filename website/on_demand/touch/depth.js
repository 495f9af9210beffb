// Slide the depth: the staircase of a regression tree over its points, and its errors on rows seen and on fresh ones.
(() => {
  const { widgets, element, digits, slider, plot, stairs, fitted, steady } = window.touch;
  const HEIGHT = 270;
  const LINES = {
    seen: { line: "depth-seen", name: "depth-name-seen", ring: "depth-ring-seen" },
    fresh: { line: "depth-fresh", name: "depth-name-fresh", ring: "depth-ring-fresh" },
  };
  const TURN = 2 * Math.PI;
  const truth = Array.from({ length: 101 }, (_, i) => [(i / 100) * TURN, Math.sin((i / 100) * TURN)]);

  function drawStairs(data, width) {
    const shown = plot({ width, height: HEIGHT, x: { from: 0, to: TURN, label: "x" }, y: { from: -1.75, to: 1.75, label: "y" } });
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
      shown.line(found, { class: line });
      shown.words(last - 0.1, found[last][1], rows, { class: `tick end ${name}`, dy: -9 });
      return { found, dot: shown.dot(...found[0], { r: 6.5, class: ring }) };
    });
    const least = [data.best, data.trees[data.best].fresh];
    shown.dot(...least, { r: 4, class: "depth-least" });
    shown.words(...least, `depth ${data.best}`, { class: "middle depth-name-fresh depth-name-least", dy: -16 });
    shown.set = (i) => {
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

  function errors(data, i) {
    const { leaves, seen, fresh } = data.trees[i];
    const found = `${leaves === 1 ? "1 leaf" : `${leaves} leaves`}. Mean squared error: ${digits(seen)} on the rows it has seen, ${digits(fresh)} on fresh ones.`;
    const better = i === data.best ? "No depth has less on fresh rows." : `On fresh rows, depth ${data.best} has less: ${digits(data.trees[data.best].fresh)}.`;
    return `${found} ${better}`;
  }

  widgets.depth = (box, data) => {
    const last = data.trees.length - 1;
    const tell = "best" in data ? errors : steps;
    const says = element("p", { class: "depth-says" });
    const parts = [drawStairs, ...("best" in data ? [drawErrors] : [])].map((draw) => ({ draw, place: element("div") }));
    const words = (i) => (i === last ? `no limit (${data.deepest})` : `depth ${i}`);
    const control = slider({ label: "depth", count: last + 1, start: data.start, says: words, change: show });

    function show(i) {
      says.textContent = tell(data, i);
      for (const { shown } of parts) {
        shown?.set(i);
        shown?.svg.setAttribute("aria-label", `${words(i)}: ${says.textContent}`);
      }
    }

    const go = (depth) => {
      control.set(Math.round(Math.min(Math.max(depth, 0), last)));
      control.input.focus({ preventScroll: true, focusVisible: false });
    };
    for (const part of parts) {
      part.redraw = fitted(part.place, (width) => {
        part.shown = part.draw(data, width);
        says.setAttribute("aria-live", "off");
        steady(says, data.trees.map((_, i) => () => void (says.textContent = tell(data, i))));
        says.setAttribute("aria-live", "polite");
        if (part.draw === drawErrors) part.shown.drag(go);
        show(Number(control.input.value));
        return part.shown;
      });
    }
    box.append(
      element("p", { class: "depth-title" }, element("strong", {}, "Slide the depth of the tree")),
      control.whole,
      says,
      element("p", { class: "depth-key" }, "Dots: the points. Thin lines: how far each is from its step. Dashed: the truth."),
      element("div", { class: "touch-panels" }, parts.map(({ place }) => place)),
    );
    for (const { redraw } of parts) redraw();
    control.show();
  };
})();
