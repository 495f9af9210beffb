// The code behind pictures and tables: folded, colored when it opens, and opened all at once by a switch.

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

function codeSwitch() {
  const folds = [...document.querySelectorAll(".bd-article .cell details.hide.above-input")];
  if (!folds.length) return;
  folds.forEach((fold) => fold.addEventListener("toggle", () => fold.querySelectorAll("pre").forEach(colorIn)));
  const button = make("button", { className: "btn btn-sm all-code", type: "button", textContent: "All code" });
  const show = (open) => {
    button.setAttribute("aria-pressed", open);
    button.title = open ? "Fold the code of pictures and tables" : "Show the code of pictures and tables, too";
    folds.forEach((fold) => (fold.open = open));
  };
  button.addEventListener("click", () => {
    const open = button.getAttribute("aria-pressed") !== "true";
    kept.write("all-code", open);
    keepingPlace(() => show(open), innerHeight / 2);
  });
  document.querySelector(".article-header-buttons")?.prepend(button);
  show(kept.read("all-code") === true);
}

document.addEventListener("DOMContentLoaded", codeSwitch);
