// What all widgets use: elements, numbers in words, sliders, and the start of a widget in its box.
window.touch = (() => {
  const SVG = "http://www.w3.org/2000/svg";
  const widgets = {}; // name -> (box, data) => nothing; each file adds its own

  function fill(made, attributes, children) {
    for (const [key, value] of Object.entries(attributes)) {
      if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
      else if (value === true) made.setAttribute(key, "");
      else if (value !== false && value != null) made.setAttribute(key, value);
    }
    made.append(...children.flat().filter((child) => child != null && child !== false));
    return made;
  }

  // element("button", { class: "a", onclick: act }, "words", anotherElement)
  const element = (name, attributes = {}, ...children) => fill(document.createElement(name), attributes, children);
  const drawn = (name, attributes = {}, ...children) => fill(document.createElementNS(SVG, name), attributes, children);

  // Fixed digits, a minus sign that is one, and no "-0.000". Halfway between two, the even one, as Python does.
  function digits(x, n = 3) {
    const [, kept, last] = x.toFixed(n + 40).match(/^(.*?(\d)\.?)50{39}$/) ?? [];
    const text = kept && last % 2 === 0 ? kept.replace(/\.$/, "") : x.toFixed(n);
    return Number(text) < 0 ? text.replace("-", "−") : text.replace("-", "");
  }

  // A count without useless zeros: 3, 2.5, 0.333.
  const count = (x) => (Math.abs(x - Math.round(x)) < 1e-9 ? String(Math.round(x)) : digits(x).replace(/0+$/, ""));

  const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);

  const moves = () => !window.matchMedia("(prefers-reduced-motion: reduce)").matches;

  // The address of a page of the book.
  const root = new URL(document.documentElement.dataset.content_root || "./", document.baseURI);
  const page = (path) => new URL(path, root).href;

  // The color of a class, by its place, as in the pictures of the book.
  const color = (k) => `var(--dt-class-${k})`;

  // Put words into a live place, which says them: only if they are others than those that stand there.
  function say(place, ...parts) {
    const made = element("span", {}, parts);
    if (made.textContent !== place.textContent) place.replaceChildren(...made.childNodes);
  }

  // A slider over steps 0 to count - 1. `says(i)` are the words for its place, `change(i)` shows it. An output is a live place:
  // who hears the slider say its value would hear the same again.
  function slider({ label, count: steps, start = 0, says, change }) {
    const value = element("output", { class: "touch-value", "aria-hidden": "true" });
    const input = element("input", { type: "range", min: 0, max: steps - 1, step: 1, value: start });
    const show = () => {
      const words = says(Number(input.value));
      value.textContent = words;
      input.setAttribute("aria-valuetext", words);
      change(Number(input.value));
    };
    input.addEventListener("input", show);
    const whole = element("label", { class: "touch-slider" }, element("span", {}, label), input, value);
    return {
      whole,
      input,
      show,
      set(i) {
        input.value = i;
        show();
      },
    };
  }

  // Buttons of which one is pressed: [[key, words], ...]. `mark(key)` shows a choice that was made elsewhere.
  function choice({ label, options, start, change }) {
    const buttons = options.map(([key, words]) =>
      element("button", { type: "button", "aria-pressed": String(key === start), onclick: () => set(key) }, words),
    );
    const mark = (key) => buttons.forEach((button, i) => button.setAttribute("aria-pressed", String(options[i][0] === key)));
    function set(key) {
      mark(key);
      change(key);
    }
    return { whole: element("div", { class: "touch-choice", role: "group", "aria-label": label }, buttons), set, mark };
  }

  function start(box) {
    if (box.dataset.started) return;
    box.dataset.started = "yes";
    const data = JSON.parse(box.querySelector("script").textContent);
    box.hidden = false;
    box.closest("figure, .touch-place")?.classList.add("touched"); // its picture is for paper now
    widgets[box.dataset.touch](box, data);
  }

  return { widgets, element, drawn, digits, count, sum, moves, page, color, say, slider, choice, start };
})();
