// Halve 1 until p is left: whole halvings as bars, the last one in ten equal steps, and the mean surprise of p and 1 - p.
(() => {
  const { widgets, element, drawn, digits, count, slider, plot, fitted, spoken, head } = window.touch;
  const BAR = 15; // px from bar to bar
  const FROM = 130; // px, below the halving that is enlarged
  const TENTH = 2 ** -0.1; // what each of ten equal steps leaves, if all ten halve

  const whole = (s) => Math.floor(s + 1e-9);
  const times = (n) => (n === 1 ? "1 halving" : `${n} halvings`);

  function tell({ p, surprise, entropy }, i) {
    const [s, n] = [surprise[i], whole(surprise[i])];
    const rest = s - n;
    const start = n === 0 ? "" : `${times(n)} of 1 ${n === 1 ? "leaves" : "leave"} ${count(2 ** -n)}. `;
    const part = `${n === 0 ? "Less than one halving" : "Then a part of one more"}: of ten equal steps that would halve ${count(2 ** -n)}, each of which leaves ${digits(TENTH)} of what is there, ${digits(10 * rest, 2)} lead to p.`;
    const arrive = rest > 1e-6 ? start + part : n === 0 ? "No halving: p is 1." : start.replace(/\. $/, ", which is p.");
    return `${arrive} The surprise is ${digits(s)} bits. ${mean(p[i], s, entropy[i])}`;
  }

  function mean(p, s, H) {
    if (p === 1) return "The other answer never comes: the mean surprise is 0 bits.";
    const other = -Math.log2(1 - p);
    return `The other answer has ${count(1 - p)} and surprises by ${digits(other)}; on average ${count(p)} · ${digits(s)} + ${count(1 - p)} · ${digits(other)}, an entropy of ${digits(H)} bits.`;
  }

  function drawCurve(data, width) {
    const shown = plot({ width, height: 270, x: { from: 0, to: 1, label: "probability p" }, y: { from: 0, to: 7, label: "surprise (bits)" } });
    shown.line(data.p.map((p, i) => [p, data.surprise[i]]));
    for (const bits of [1, 2, 3]) shown.dot(2 ** -bits, bits, { class: "touch-point" });
    const rule = shown.rule(1);
    const dot = shown.dot(1, 0, { r: 6.5, class: "touch-ring" });
    shown.set = (i) => {
      shown.place(rule, data.p[i]);
      shown.move(dot, data.p[i], data.surprise[i]);
    };
    return shown;
  }

  // One bar for 1 and for each whole halving of it; the last is what p is, with a mark for each of the ten steps.
  function drawBars(data, width) {
    const height = 270;
    const svg = drawn("svg", { viewBox: `0 0 ${width} ${height}`, class: "touch-plot", role: "img", "aria-label": "1, halved until p is left, and one halving in ten equal steps" });
    const full = width - 60;
    const bar = (x, y, name, words) => [
      drawn("rect", { x: 0, y, width: x, height: BAR - 4, class: name }),
      drawn("text", { x: Math.min(x, full) + 6, y: y + 10, class: "tick" }, words),
    ];
    const set = (i) => {
      const [p, n] = [data.p[i], whole(data.surprise[i])];
      const rest = data.surprise[i] - n;
      svg.replaceChildren();
      for (let k = 0; k <= n; k += 1) svg.append(...bar(full * 2 ** -k, FROM + k * BAR, "halvings-whole", k < 4 ? count(2 ** -k) : `1/${2 ** k}`));
      if (rest > 1e-6) svg.append(...bar(full * p, FROM + (n + 1) * BAR, "halvings-rest", `p = ${count(p)}`));
      const top = 14;
      svg.append(drawn("text", { x: 0, y: FROM - 8, class: "axis-name" }, "All halvings of 1"));
      svg.append(drawn("text", { x: 0, y: top, class: "axis-name" }, `One halving, enlarged: ${n < 4 ? count(2 ** -n) : `1/${2 ** n}`} to ${n < 3 ? count(2 ** -n / 2) : `1/${2 ** (n + 1)}`}`));
      svg.append(drawn("rect", { x: 0, y: top + 12, width: full, height: 22, class: "halvings-whole" }));
      svg.append(drawn("rect", { x: 0, y: top + 12, width: full * 2 ** -rest, height: 22, class: "halvings-rest" }));
      for (let k = 0; k <= 10; k += 1) {
        const x = full * TENTH ** k;
        svg.append(drawn("path", { d: `M${x} ${top + 34}v7`, class: "axis" }));
        if (k % 2 === 0) svg.append(drawn("text", { x, y: top + 56, class: "tick middle" }, String(k)));
      }
      svg.append(drawn("text", { x: full * 0.75, y: top + 76, class: "axis-name middle" }, "tenths of a halving"));
    };
    return { svg, set };
  }

  widgets.halvings = (box, data) => {
    const says = spoken("halvings-says");
    const parts = [drawBars, drawCurve].map((draw) => ({ draw, place: element("div") }));
    const last = data.p.length - 1;
    const control = slider({ label: "p", count: last + 1, start: data.start, says: (i) => `${digits(data.p[i])}: ${digits(data.surprise[i])} bits`, change: show });

    function show(i) {
      says.set(tell(data, i));
      for (const { shown } of parts) shown?.set(i);
    }

    for (const part of parts) {
      part.redraw = fitted(part.place, (width) => {
        part.shown = part.draw(data, width);
        says.keep([0, 12, 73, 117, data.start, 160].map((i) => tell(data, i)));
        part.shown.drag?.((p) => control.set(Math.round(Math.min(Math.max(p * 200 - 2, 0), last))));
        show(Number(control.input.value));
        return part.shown;
      });
    }
    const panels = element("div", { class: "touch-panels" }, parts.map(({ place }) => place));
    box.append(...head("Halve 1 until p is left", "Find the p whose surprise is 3 bits. Then look what 0.737 of a halving is."), control.whole, says.place, panels);
    for (const { redraw } of parts) redraw();
    control.show();
  };
})();
