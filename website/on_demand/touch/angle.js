// Turn the line: a straight question about two numbers, and what its best cut gains in each direction. The reader is to find the
// direction that gains most.
(() => {
  const { widgets, element, drawn, digits, slider, color, say, plot, moves, task, marks } = window.touch;
  const SIDE = 270; // px of the square plane in its picture
  const ROOM = 0.09; // of the plane around the rows, as a share of their range
  const DIAL = SIDE / 2 - 14; // px from its middle to the knob

  const wave = (degrees) => [Math.cos, Math.sin].map((of) => of((degrees * Math.PI) / 180));
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1];
  const capital = (words) => words[0].toUpperCase() + words.slice(1);

  // The question in words: its sum, and the middle of both sides with as few digits as half their room allows.
  function question({ x, weights, features }, degrees, [below, above]) {
    const w = weights[degrees];
    const [low, high] = [dot(w, x[below]), dot(w, x[above])];
    const middle = (low + high) / 2;
    let places = w[0] && w[1] ? 1 : 4; // of one feature, as CART says it
    while (Math.abs(Number(middle.toFixed(places)) - middle) > (high - low) / 4) places += 1;
    const terms = features.map((name, i) => (Math.abs(w[i]) === 1 ? name : `${Math.abs(w[i])} ${name}`)).filter((_, i) => w[i]);
    const minus = w.filter(Boolean).map((value) => value < 0);
    const sum = terms.map((term, i) => (i ? (minus[i] ? " − " : " + ") : minus[i] ? "−" : "") + term).join("");
    return [sum, digits(middle, places).replace(/0+$/, "")];
  }

  // A pointer that is pressed on an element is followed until it is let go.
  function dragged(target, follow) {
    let held = false;
    target.addEventListener("pointerdown", (event) => {
      held = true;
      target.setPointerCapture(event.pointerId);
      follow(event);
    });
    target.addEventListener("pointermove", (event) => held && follow(event));
    for (const end of ["pointerup", "pointercancel"]) target.addEventListener(end, () => (held = false));
  }

  // A row: its name on the mark of its class, as in the pictures.
  function mark(data, [x, y], i) {
    const k = data.class[i];
    const style = `fill: ${color(k)}`;
    const shape = k ? drawn("path", { d: `M${x - 9} ${y - 9}h18v18h-18z`, style }) : drawn("circle", { cx: x, cy: y, r: 9.5, style });
    return [shape, drawn("text", { x, y: y + 4.5, class: "middle angle-name" }, String(data.names[i]))];
  }

  // The plane, with a half for each side of the line, and a knob that turns it.
  function plane(data, turned) {
    const [x, y] = data.features.map((label, i) => {
      const [low, span] = [data.low[i], data.span[i]];
      return { from: low - ROOM * span, to: low + (1 + ROOM) * span, label };
    });
    const drawing = plot({ width: SIDE + 66, height: SIDE + 56, x, y, title: "" });
    const far = 2 * SIDE;
    const sides = [0, 1].map(() => drawn("path", { class: "angle-half" }));
    const line = drawn("path", { class: "line" });
    const arc = drawn("path", { d: `M${-DIAL} 0A${DIAL} ${DIAL} 0 0 1 ${DIAL} 0`, class: "angle-dial" });
    const knob = drawn("circle", { cx: DIAL, r: 10, class: "angle-knob" });
    const reach = drawn("circle", { cx: DIAL, r: 30, class: "angle-reach" });
    const dial = drawn("g", {}, drawn("path", { d: `M0 0H${DIAL}`, class: "angle-dial" }), knob, reach);
    const turning = drawn("g", {}, sides, line);
    const [left, top] = drawing.at(x.from, y.to);
    const square = { x: -SIDE / 2, y: -SIDE / 2, width: SIDE, height: SIDE };
    const middle = { transform: `translate(${left + SIDE / 2} ${top + SIDE / 2})` };
    const clip = drawn("clipPath", { id: "angle-plane" }, drawn("rect", square));
    drawing.svg.append(
      drawn("g", middle, clip, drawn("g", { "clip-path": "url(#angle-plane)" }, turning), arc),
      ...data.x.flatMap((at, i) => mark(data, drawing.at(...at), i)),
      drawn("g", middle, dial),
    );
    dragged(reach, (event) => {
      const box = drawing.svg.getBoundingClientRect();
      const px = box.width / (SIDE + 66);
      const right = event.clientX - box.left - px * (left + SIDE / 2);
      const up = box.top + px * (top + SIDE / 2) - event.clientY;
      turned(up > 0 ? Math.round((Math.atan2(up, right) * 180) / Math.PI) : right > 0 ? 0 : 180);
    });
    function show(degrees, neighbors, answers) {
      const way = wave(degrees);
      const sums = neighbors.map((row) => dot(way, data.x[row].map((value, i) => (value - data.low[i]) / data.span[i] - 0.5)));
      const at = (((sums[0] + sums[1]) / 2) * SIDE) / (1 + 2 * ROOM);
      for (const part of [turning, dial]) part.setAttribute("transform", `rotate(${-degrees})`);
      line.setAttribute("d", `M${at} ${-far}V${far}`);
      sides.forEach((side, i) => {
        side.setAttribute("d", `M${at} ${-far}V${far}H${i ? far : -far}V${-far}z`);
        side.style.fill = color(answers[i]);
      });
    }
    return { svg: drawing.svg, show };
  }

  // The curve of the best cuts, with the directions of one feature alone and the level that these reach.
  function hills(data, alone, most, turned) {
    const ticks = [0, 45, 90, 135, 180].map((at) => [at, `${at}°`]);
    const x = { from: 0, to: 180, label: "direction", ticks };
    const drawing = plot({ width: SIDE + 66, height: 220, x, y: { from: 0, to: 0.36, label: "decrease of the Gini index" }, title: "" });
    const [across, up] = data.features;
    drawing.line([[0, alone], [180, alone]], { class: "angle-level task-answer" });
    for (const degrees of [0, 90, 180]) drawing.rule(degrees, { class: "angle-level" });
    drawing.words(0, 0.012, across, { dx: 5 });
    drawing.words(90, 0.012, up, { dx: 5 });
    drawing.words(180, 0.012, `−${across}`, { dx: -5, class: "tick end" });
    drawing.words(0, alone + 0.01, "one feature at best", { dx: 5, class: "tick task-answer" });
    drawing.words(data.library.degrees, most + 0.025, `best ${digits(most)}`, { class: "tick middle task-answer" });
    drawing.steps([...data.curve, [180, data.curve.at(-1)[1]]], { class: "angle-curve task-answer" });
    const mark = marks(drawing, ([degrees, gain]) => [degrees, gain]);
    const here = drawing.dot(0, 0, { r: 7, class: "angle-here" });
    drawing.svg.classList.add("angle-hills");
    dragged(drawing.svg, (event) => turned(Math.round(Math.min(180, Math.max(0, drawing.value(event.clientX))))));
    function show(degrees, gain, isKnown, tried) {
      here.classList.toggle("task-answer", !isKnown);
      drawing.move(here, degrees, gain);
      mark(tried);
    }
    return { svg: drawing.svg, show };
  }

  // The count table of the two sides.
  function table(data) {
    const cell = () => element("td");
    const lines = [0, 1].map(() => [element("th", { scope: "row" }), cell(), cell(), cell()]);
    const heads = ["side", ...data.classes, "Gini"].map((name, i) =>
      element("th", { scope: "col", style: i % 3 ? `color: ${color(i - 1)}` : null }, name),
    );
    const show = (sides, threshold) =>
      sides.forEach(([n, k], i) => {
        const values = [`${i ? ">" : "≤"} ${threshold}`, n - k, k, digits(data.gini[n][k])];
        values.forEach((value, at) => (lines[i][at].textContent = value));
      });
    const body = lines.map((line) => element("tr", {}, line));
    return { whole: element("table", {}, element("thead", {}, element("tr", {}, heads)), element("tbody", {}, body)), show };
  }

  // What there is to say of a direction and a cut.
  function verdict({ library, features }, degrees, gain, best, alone, most) {
    const choice = features[library.feature];
    if (gain < best) return `Another cut in this direction gains more: ${digits(best)}.`;
    if (degrees === 90 * library.feature) return "One feature alone. CART asks this: no other one gains more.";
    if (degrees % 90 === 0) return `One feature alone. CART may ask this, but ${choice} gains more.`;
    if (gain === most) return "No line gains more. The oblique tree above begins with this one.";
    if (gain === alone) return `A slanted line, and no better than ${choice} alone.`;
    return `A slanted line. It gains ${digits(Math.abs(gain - alone))} ${gain > alone ? "more" : "less"} than ${choice} alone.`;
  }

  // The branches of the best line, for a hint: the side that has one class alone.
  function pureSide({ classes }, sides) {
    const [n, k] = sides.find(([n, k]) => k === 0 || k === n);
    return `all ${n} melons on one side are ${classes[k ? 1 : 0]}`;
  }

  // How far the best direction is.
  const far = (away) => (away > 45 ? "more than 45° away" : away > 10 ? "between 10° and 45° away" : "10° away at most");

  widgets.angle = (box, data) => {
    const { library, features, classes, best } = data;
    const N = data.x.length;
    const orders = data.order.map((signs) => [...signs].map((sign) => parseInt(sign, 36)));
    const state = { degrees: 0, n: 1 };
    const yes = (rows) => rows.filter((row) => data.class[row]).length;
    const gainOf = (degrees, n) => data.gain[n][yes(orders[degrees].slice(0, n))];
    const bests = best.map((n, degrees) => gainOf(degrees, n));
    const [alone, most] = [bests[90 * library.feature], Math.max(...bests)];

    const go = (degrees) => turn.set(degrees);
    const [map, curve, counts] = [plane(data, go), hills(data, alone, most, go), table(data)];
    const [asked, gained] = [element("strong"), element("strong")];
    const gain = element("p", {}, "Decrease of the Gini index: ", gained);
    const said = element("p", { class: "angle-said task-answer", "aria-live": "polite" });
    const turn = slider({ label: "Turn", count: 181, says: (i) => `${i}°`, change: turned });
    const shift = slider({ label: "Shift", count: N - 1, says: (i) => `cut ${i + 1} of ${N - 1}`, change: shifted });
    const targets = [0, 90];
    const buttons = features.map((words, i) =>
      element("button", { type: "button", onclick: () => travel(targets[i]) }, capital(words)),
    );

    const sidesOf = (degrees, n) => [orders[degrees].slice(0, n), orders[degrees].slice(n)].map((rows) => [rows.length, yes(rows)]);
    const where = () => pureSide(data, sidesOf(library.degrees, best[library.degrees]));

    // Is the line the best, how near to it, and where is that? A place is a direction and a cut in it.
    function judge(place) {
      const [degrees, n] = [Math.floor(place / N), place % N];
      const [mine, largest] = [gainOf(degrees, n), most].map((x) => digits(x));
      if (gainOf(degrees, n) === most) return [true, `No line lowers the Gini index more than by ${largest}: ${where()}.`];
      const found = `You lower the Gini index by ${mine}, the best line by ${largest}.`;
      if (n !== best[degrees]) return [false, found, `In this direction another cut gains more: ${digits(bests[degrees])}.`];
      const way = library.degrees > degrees ? "more" : "fewer";
      return [false, found, `It stands at ${way} degrees, ${far(Math.abs(library.degrees - degrees))}, where ${where()}.`];
    }

    const placeOf = ({ degrees, n }) => degrees * N + n;
    const todo = task(box, {
      asks: ["Turn the line to where it lowers the Gini index most."],
      places: best.map((n, degrees) => placeOf({ degrees, n })),
      at: () => placeOf(state),
      judge: (_, place) => judge(place),
      tell: () => `The best line stands at ${library.degrees}°: ${where()}.`,
      begin: () => go(0),
      solve: () => travel(library.degrees),
      show: () => show(state),
    });

    function turned(degrees) {
      state.degrees = degrees;
      shift.set(best[degrees] - 1);
    }

    function shifted(i) {
      state.n = i + 1;
      show(state);
    }

    // Turn in small steps, so that the eye can follow, unless the reader takes over.
    function travel(to) {
      const away = to - state.degrees;
      const next = moves() && Math.abs(away) > 3 ? state.degrees + 3 * Math.sign(away) : to;
      go(next);
      if (next !== to) requestAnimationFrame(() => state.degrees === next && travel(to));
    }

    function show({ degrees, n }) {
      const order = orders[degrees];
      const sides = sidesOf(degrees, n);
      const isKnown = todo.isOpen() || todo.tried().includes(placeOf({ degrees, n }));
      const neighbors = [order[n - 1], order[n]];
      const [left, threshold] = question(data, degrees, neighbors);
      const worth = gainOf(degrees, n);
      map.show(degrees, neighbors, sides.map(([all, k]) => (2 * k > all ? 1 : 0)));
      curve.show(degrees, worth, isKnown, todo.tried().map((place) => [Math.floor(place / N), gainOf(Math.floor(place / N), place % N)]));
      gain.classList.toggle("task-answer", !isKnown);
      counts.show(sides, threshold);
      asked.textContent = `${left} ≤ ${threshold}?`;
      gained.textContent = digits(worth);
      say(said, verdict(data, degrees, worth, bests[degrees], alone, most));
      buttons.forEach((button, i) => button.setAttribute("aria-pressed", String(targets[i] === degrees && n === best[degrees])));
      const parts = sides.map(([all, k]) => `${all - k} ${classes[0]} and ${k} ${classes[1]}`).join("; on the other ");
      map.svg.setAttribute("aria-label", `The plane, parted by ${asked.textContent} On one side are ${parts}.`);
      const told = isKnown ? `, decrease ${digits(worth)}` : ""; // for who does not see the curve
      turn.input.setAttribute("aria-valuetext", `${degrees}°${told}`);
      shift.input.setAttribute("aria-valuetext", `cut ${n} of ${N - 1}${told}`);
      const known = isKnown ? `it gains ${digits(worth)}` : "what it gains is not shown yet";
      curve.svg.setAttribute("aria-label", `The best cut in each direction; at ${degrees}° ${known}.`);
    }

    box.append(
      ...todo.head("Turn the line between good and bad melons"),
      element(
        "div",
        { class: "touch-panels angle-panels" },
        element("div", {}, map.svg, turn.whole, shift.whole, element("div", { class: "touch-choice", role: "group", "aria-label": "One feature alone" }, buttons), ...todo.tools),
        element("div", {}, element("p", {}, asked), counts.whole, gain, said, curve.svg),
      ),
    );
    todo.begin();
  };
})();
