// Guess first: a reader types a number before the book tells it, and hears which slip gives a wrong one.
//
// Data: `right`, compared to `digits` decimals; `says`, how it is written; `slips`: [[numbers, each to some decimals], sentence].
(() => {
  const { element } = window.touch;
  const EXACT = 3; // a number below 10 without decimals is exact, to as many decimals as in the library
  const NUMBER = "Write a number, such as 0.25, −1.5 or 1/4.";

  const decimals = (text) => text.split(".")[1]?.length ?? 0;
  const near = (x, y, digits) => Math.abs(x - y) <= 0.5 * 10 ** -digits * (1 + 1e-9); // halfway between two, both are

  // What was typed: the number, its decimals, and how many of its figures count. Null if it is no number.
  function read(typed) {
    const text = typed.replace("−", "-").replace(/\s/g, "").replace(/^([^.,]*),([^.,]*)$/, "$1.$2");
    const [, over, under] = text.match(/^(-?\d+)\/(\d+)$/) ?? [];
    if (Number(under)) return { x: over / under, digits: Infinity, figures: Infinity };
    if (!/^-?(?:\d+\.?\d*|\.\d+)$/.test(text)) return null;
    const whole = !decimals(text) && Math.abs(text) < 10;
    const figures = text.replace(/[-.]/g, "").replace(/^0+/, "").length;
    return { x: Number(text), digits: whole ? EXACT : decimals(text), figures: whole ? Infinity : figures };
  }

  // The verdict, and what is said.
  function judge(typed, { right, digits: most, says, slips }) {
    const given = read(typed);
    if (!given) return ["", NUMBER];
    const { x, figures } = given;
    const digits = Math.min(given.digits, most);
    const said = typed.trim().replace("-", "−");
    if (near(x, right, digits)) {
      if (figures < 2 && x !== right) return ["", `${said} is right as far as it goes. Write at least two digits.`];
      return ["right", `Right: ${says}.`];
    }
    const slip = slips.find(([numbers]) => numbers.some((text) => decimals(text) === digits && near(x, text, digits)));
    if (slip) return ["wrong", `${said} is not right. ${slip[1]}`];
    return ["wrong", `${said} is too ${x < right ? "small" : "large"}.`];
  }

  let asked = 0; // guesses of this page so far

  window.touch.widgets.guess = (box, data) => {
    const question = box.parentElement.querySelector("p"); // who comes by Tab hears it, too
    question.id ||= `guess-${(asked += 1)}`;
    const looks = { type: "text", inputmode: "decimal", size: 8, maxlength: 20, autocomplete: "off", spellcheck: "false" };
    const input = element("input", { ...looks, "aria-describedby": question.id });
    const says = element("p", { role: "status" });
    const check = (event) => {
      event.preventDefault();
      const [verdict, words] = judge(input.value, data);
      says.className = verdict;
      says.textContent = words;
      if (verdict !== "right" && document.activeElement === input) input.select(); // to try again
    };
    box.append(
      element("form", { onsubmit: check }, element("label", {}, "Your guess ", input), element("button", { type: "submit" }, "Check")),
      says,
    );
  };
})();
