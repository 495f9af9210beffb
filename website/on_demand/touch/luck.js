// More values, more luck: the gain of a useless feature as drawn and by (5.1), and its gain ratio.
(() => {
  const { widgets, element, drawn, digits, slider, plot, fitted, spoken, head } = window.touch;

  function tell({ values, N, formula, gain, ratio }, i) {
    const by = gain.mean[i] - formula[i];
    const judged = Math.abs(by) < 0.1 * formula[i] ? "about as much as" : by > 0 ? "more than" : "less than";
    return `${values[i]} values on ${N} rows, useless: the gain is ${digits(gain.mean[i])} bits on average (nine draws in ten: ${digits(gain.low[i])} to ${digits(gain.high[i])}), ${judged} the ${digits(formula[i])} of (5.1). The gain ratio is ${digits(ratio.mean[i])} on average.`;
  }

  // A curve over the number of values, with the band in which nine of ten draws lie; `straight` is the formula.
  function curve(data, width, { of, label, to, straight }) {
    const shown = plot({ width, height: 270, x: { from: 0, to: 152, label: "values V" }, y: { from: 0, to, label } });
    const along = (numbers) => data.values.map((v, i) => [v, numbers[i]]);
    const px = (points) => points.map((point) => shown.at(...point).join(" ")).join("L");
    const band = shown.line([[0, 0]], { class: "luck-band" });
    band.setAttribute("d", `M${px(along(of.low))}L${px(along(of.high).reverse())}Z`);
    if (straight) shown.line(along(straight), { class: "luck-formula" });
    shown.line(along(of.mean), { class: "luck-drawn" });
    const rule = shown.rule(2);
    const range = shown.svg.appendChild(drawn("path", { class: "luck-range" }));
    const dot = shown.svg.appendChild(drawn("circle", { r: 6, class: "touch-ring" }));
    shown.set = (i) => {
      const v = data.values[i];
      shown.place(rule, v);
      shown.move(dot, v, of.mean[i]);
      range.setAttribute("d", `M${shown.at(v, of.low[i]).join(" ")}V${shown.at(v, of.high[i])[1]}`);
    };
    return shown;
  }

  const drawGain = (data, width) => curve(data, width, { of: data.gain, label: "gain (bits)", to: 1.1, straight: data.formula });
  const drawRatio = (data, width) => curve(data, width, { of: data.ratio, label: "gain ratio", to: 0.16 });

  widgets.luck = (box, data) => {
    const says = spoken("luck-says");
    const parts = [drawGain, drawRatio].map((draw) => ({ draw, place: element("div") }));
    const control = slider({ label: "values", count: data.values.length, says: (i) => `${data.values[i]} values`, change: show });

    function show(i) {
      says.set(tell(data, i));
      for (const { shown } of parts) shown?.set(i);
    }

    const nearest = (v) => data.values.reduce((best, one, i) => (Math.abs(one - v) < Math.abs(data.values[best] - v) ? i : best), 0);
    for (const part of parts) {
      part.redraw = fitted(part.place, (width) => {
        part.shown = part.draw(data, width);
        says.keep(data.values.map((_, i) => tell(data, i)));
        part.shown.drag((v) => control.set(nearest(v)));
        show(Number(control.input.value));
        return part.shown;
      });
    }
    box.append(
      ...head("More values, more luck", "Find where luck gains more than (5.1) says, and where it gains less."),
      control.whole,
      says.place,
      element("p", { class: "touch-key" }, "Solid: the mean of 4000 draws. Band: nine of ten draws. Dashed: the formula. The second picture: the gain ratio of the same draws, on a scale of its own."),
      element("div", { class: "touch-panels" }, parts.map(({ place }) => place)),
    );
    for (const { redraw } of parts) redraw();
    control.show();
  };
})();
