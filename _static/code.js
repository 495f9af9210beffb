// The code: that behind pictures and tables is folded, and colored when it opens; a choice shows all code, or none.

// The page notes the colors of folded code as runs of characters ("2 o:1 s2:3"), so that it has few elements.
function colorIn(code) {
  const { colors } = code.dataset;
  if (!colors) return;
  delete code.dataset.colors;
  const text = code.textContent;
  let place = 0;
  const runs = colors.split(" ").map((run) => {
    const [count, kind] = run.split(":").reverse();
    const part = text.slice(place, (place += Number(count)));
    return kind ? make("span", { className: kind, textContent: part }) : part;
  });
  code.replaceChildren(...runs, text.slice(place));
}

// How much code is shown: none, for a lecture; some, that is what the text is about; all of it.
function codeChoice() {
  if (!document.querySelector(".bd-article .cell_input")) return;
  const folds = [...document.querySelectorAll(".bd-article .cell details.hide.above-input")];
  folds.forEach((fold) => fold.addEventListener("toggle", () => fold.querySelectorAll("pre").forEach(colorIn)));
  const names = { none: "No code", some: "Some code", all: "All code" };
  const options = Object.entries(names).map(([value, textContent]) => make("option", { value, textContent }));
  const choice = make("select", { className: "code-choice", title: "How much code this book shows" }, ...options);
  choice.setAttribute("aria-label", "Code shown");
  const show = () => {
    document.documentElement.dataset.code = choice.value;
    folds.forEach((fold) => (fold.open = choice.value === "all"));
  };
  choice.addEventListener("change", () => {
    kept.write("code", choice.value);
    keepingPlace(show, innerHeight / 2);
  });
  document.querySelector(".article-header-buttons")?.prepend(choice);
  const before = kept.read("code");
  choice.value = names[before] ? before : "some";
  show();
}

document.addEventListener("DOMContentLoaded", codeChoice);
