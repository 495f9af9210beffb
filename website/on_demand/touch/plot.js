// Axes and marks, for the sliders: one plot in the style of the pictures of the book.
(() => {
  const { drawn, element, say } = window.touch;
  const PAD = { left: 56, right: 14, top: 14, bottom: 42 };

  // Numbers to be written at an axis: about `wanted` of them, round.
  function ticks(low, high, wanted = 5) {
    const raw = (high - low) / wanted;
    const power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].find((factor) => factor * power >= raw) * power;
    const first = Math.ceil(low / step - 1e-9);
    const count = Math.floor(high / step + 1e-9) - first + 1;
    const places = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    return Array.from({ length: count }, (_, i) => (first + i) * step).map((x) => [x, x.toFixed(places).replace("-", "−")]);
  }

  // plot({ width, height, x: { from, to, label, ticks }, y: { ... }, title }): `svg` to be shown, which is called by its title or its
  // axes (what is set in it, the words of the widget say), `at(x, y)` in px, and what
  // is drawn: line, steps, dot, rule, words. Each returns its element; `clear()` removes what was drawn since `keep()`.
  function plot({ width = 440, height = 280, x, y, title }) {
    const right = width - PAD.right;
    const bottom = height - PAD.bottom;
    const px = (value) => PAD.left + ((value - x.from) / (x.to - x.from)) * (right - PAD.left);
    const py = (value) => bottom - ((value - y.from) / (y.to - y.from)) * (bottom - PAD.top);
    const svg = drawn("svg", { viewBox: `0 0 ${width} ${height}`, class: "touch-plot", role: "img", "aria-label": title ?? `${y.label} against ${x.label}` });
    const layer = drawn("g");
    for (const [value, words] of x.ticks ?? ticks(x.from, x.to)) {
      svg.append(drawn("path", { d: `M${px(value)} ${bottom}v5`, class: "axis" }));
      svg.append(drawn("text", { x: px(value), y: bottom + 18, class: "tick middle" }, words));
    }
    for (const [value, words] of y.ticks ?? ticks(y.from, y.to)) {
      svg.append(drawn("path", { d: `M${PAD.left} ${py(value)}H${right}`, class: "grid" }));
      svg.append(drawn("text", { x: PAD.left - 8, y: py(value) + 4, class: "tick end" }, words));
    }
    svg.append(drawn("path", { d: `M${PAD.left} ${PAD.top}V${bottom}H${right}`, class: "axis" }));
    svg.append(drawn("text", { x: (PAD.left + right) / 2, y: height - 6, class: "axis-name middle" }, x.label ?? ""));
    const middle = (PAD.top + bottom) / 2;
    svg.append(
      drawn("text", { x: 14, y: middle, transform: `rotate(-90 14 ${middle})`, class: "axis-name middle" }, y.label ?? ""),
    );
    svg.append(layer);
    const add = (element) => {
      layer.append(element);
      return element;
    };
    const value = (clientX) => {
      const inside = svg.getBoundingClientRect();
      const at = ((clientX - inside.left) / inside.width) * width;
      return x.from + ((at - PAD.left) / (right - PAD.left)) * (x.to - x.from);
    };
    const path = (d, attributes) => add(drawn("path", { d, class: "line", ...attributes }));
    return {
      svg,
      at: (a, b) => [px(a), py(b)],
      line: (points, attributes) => path("M" + points.map(([a, b]) => `${px(a)} ${py(b)}`).join("L"), attributes),
      steps: (points, attributes) =>
        path(points.map(([a, b], i) => (i ? `H${px(a)}V${py(b)}` : `M${px(a)} ${py(b)}`)).join(""), attributes),
      dot: (a, b, attributes) => add(drawn("circle", { cx: px(a), cy: py(b), r: 4, ...attributes })),
      rule: (a, attributes) => path(`M${px(a)} ${PAD.top}V${bottom}`, { class: "rule", ...attributes }),
      words: (a, b, text, attributes) => add(drawn("text", { x: px(a), y: py(b), class: "tick", ...attributes }, text)),
      move(element, a, b) {
        element.setAttribute("cx", px(a));
        element.setAttribute("cy", py(b));
      },
      place: (element, a) => element.setAttribute("d", `M${px(a)} ${PAD.top}V${bottom}`),
      value,
      // The reader drags sideways in the plot itself: change(x). A finger that moves up or down scrolls the page.
      drag(change) {
        const to = (event) => change(value(event.clientX));
        svg.style.cssText = "cursor: ew-resize; touch-action: pan-y";
        svg.addEventListener("pointerdown", (event) => {
          svg.setPointerCapture(event.pointerId);
          to(event);
        });
        svg.addEventListener("pointermove", (event) => svg.hasPointerCapture(event.pointerId) && to(event));
      },
    };
  }

  // A staircase over points, each with a line to its step: set([[up to where, how high], ...]), the last step without end.
  function stairs(shown, points) {
    const [from, to] = [points[0][0], points.at(-1)[0]];
    const px = (x, y) => shown.at(x, y).map((p) => p.toFixed(1));
    const misses = shown.line([[0, 0]], { class: "touch-misses" });
    for (const [x, y] of points) shown.dot(x, y, { r: 3, class: "touch-point" });
    const drawnSteps = shown.svg.appendChild(drawn("path", { class: "touch-steps" }));
    const height = (steps, x) => steps.find(([end]) => end === null || x <= end)[1];
    return {
      set(steps) {
        const ends = steps.map(([end]) => end ?? to);
        const corners = [[from, steps[0][1]], ...steps.slice(1).map(([, y], i) => [ends[i], y]), [to, steps.at(-1)[1]]];
        const path = corners.map(([x, y]) => px(x, y));
        drawnSteps.setAttribute("d", path.map(([x, y], j) => (j ? `H${x}V${y}` : `M${x} ${y}`)).join(""));
        const miss = ([x, y]) => `M${px(x, y).join(" ")}V${px(x, height(steps, x))[1]}`;
        misses.setAttribute("d", points.map(miss).join(""));
      },
    };
  }

  // Draws a plot in its place as wide as there is room, so that its words keep their size: draw(width) returns the plot.
  function fitted(place, draw) {
    let width = 0;
    const again = () => {
      width = place.clientWidth;
      if (width) place.replaceChildren(draw(width).svg);
    };
    new ResizeObserver(() => place.clientWidth !== width && again()).observe(place);
    return again;
  }

  // Makes a place as high as its highest state, so that nothing below it jumps: each of `states` shows one.
  function steady(place, states) {
    place.style.minHeight = "";
    const heights = states.map((show) => show() ?? place.offsetHeight);
    place.style.minHeight = `${Math.max(...heights)}px`;
  }

  // Measure states in a copy of a place, which nobody hears or sees: in the place itself each of them would be said.
  function aside(place, measure) {
    const copy = place.cloneNode(true);
    for (const live of [copy, ...copy.querySelectorAll("[aria-live]")]) live.removeAttribute("aria-live");
    copy.removeAttribute("role");
    copy.setAttribute("aria-hidden", "true");
    Object.assign(copy.style, { boxSizing: "border-box", position: "absolute", visibility: "hidden", width: `${place.offsetWidth}px` });
    place.after(copy);
    measure(copy);
    place.style.minHeight = copy.style.minHeight;
    copy.remove();
  }

  // Words that are said when they change, in a place as high as the longest of them: set(words), keep([words, ...]).
  function spoken(name) {
    const place = element("p", { class: `touch-says ${name}`, "aria-live": "polite" });
    return {
      place,
      set: (words) => say(place, words),
      keep: (sentences) => aside(place, (copy) => steady(copy, sentences.map((words) => () => void (copy.textContent = words)))),
    };
  }

  // The head of a widget: its title, and what the reader is asked to find, if anything.
  const head = (title, task) => [
    element("p", { class: "touch-head" }, element("strong", {}, title)),
    ...(task ? [element("p", { class: "touch-task" }, task)] : []),
  ];

  Object.assign(window.touch, { plot, stairs, ticks, fitted, steady, aside, spoken, head });
})();
