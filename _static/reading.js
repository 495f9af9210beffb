// What a reader can do with a chapter: answer the quiz, tick off exercises, see how far one is.
// What was chosen is remembered on this machine only.
const kept = {
  read(key) {
    try {
      return JSON.parse(localStorage.getItem(key));
    } catch {
      return null; // a browser may keep nothing for a file, or keep what another page wrote there
    }
  },
  write(key, value) {
    try {
      localStorage.setItem(key, JSON.stringify(value));
    } catch {
      // nothing is kept: the page works all the same
    }
  },
};
const pageName = location.pathname.split("/").pop().replace(".html", "");

function make(tag, properties, ...children) {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...children);
  return node;
}

// Paper shows what is folded, but for code. Where `::details-content` is unknown, only what is open can be printed.
let onPaper = false;
if (!CSS.supports("selector(::details-content)")) {
  let opened = [];
  addEventListener("beforeprint", () => {
    onPaper = true;
    opened = [...document.querySelectorAll(".bd-article details:not([open], .hide, .checks)")];
    opened.forEach((fold) => (fold.open = true));
  });
  addEventListener("afterprint", () => {
    opened.forEach((fold) => (fold.open = false));
    setTimeout(() => (onPaper = false)); // after the folds have told that they closed
  });
}

// A quiz counts what was right at the first try.
function quiz() {
  const questions = [...document.querySelectorAll(".question")];
  if (!questions.length) return;
  const key = `quiz:${pageName}`;
  let first = kept.read(key) ?? {}; // question -> the choice that was opened first
  const words = make("span", {});
  const again = make("button", { type: "button", textContent: "Start again" });
  const score = make("p", { className: "score" }, words, again);
  words.setAttribute("role", "status");
  questions.at(-1).after(score);

  const choices = (question) => [...question.querySelectorAll("details.choice")];
  const tell = () => {
    const answered = Object.keys(first).length;
    const right = questions.filter((q, i) => choices(q)[first[i]]?.classList.contains("right")).length;
    words.textContent = answered
      ? `${answered} of ${questions.length} answered, ${right} right at the first try.`
      : `${questions.length} questions; your first answer to each counts.`;
    again.hidden = !answered;
  };
  questions.forEach((question, i) => {
    if (first[i] !== undefined) choices(question)[first[i]]?.setAttribute("open", "");
    choices(question).forEach((choice, k) => {
      choice.addEventListener("toggle", () => {
        if (!choice.open || first[i] !== undefined || onPaper) return;
        first[i] = k;
        kept.write(key, first);
        tell();
      });
    });
  });
  again.addEventListener("click", () => {
    first = {};
    kept.write(key, first);
    questions.flatMap(choices).forEach((choice) => choice.removeAttribute("open"));
    tell();
  });
  tell();
}

// Exercises are ticked off by hand.
function exercises() {
  const all = [...document.querySelectorAll(".exercise[id]")];
  if (!all.length) return;
  const key = `exercises:${pageName}`;
  const done = new Set(kept.read(key) ?? []);
  const words = make("span", {});
  words.setAttribute("role", "status");
  const score = make("p", { className: "score" }, words);
  all[0].before(score);
  const tell = () => (words.textContent = `${done.size} of ${all.length} exercises ticked off.`);
  for (const exercise of all) {
    const title = exercise.querySelector(".admonition-title");
    const name = title.textContent.replace(/\s+/g, " ").trim();
    const button = make("button", { className: "done", type: "button", ariaLabel: `mark as done: ${name}` });
    const show = () => {
      button.setAttribute("aria-pressed", done.has(exercise.id));
      button.textContent = done.has(exercise.id) ? "✓ done" : "mark as done";
      tell();
    };
    button.addEventListener("click", () => {
      if (!done.delete(exercise.id)) done.add(exercise.id);
      kept.write(key, [...done]);
      show();
    });
    title.append(button);
    show();
  }
}

// A line at the top of the window grows as one reads.
function progress() {
  if (document.documentElement.scrollHeight < 4 * innerHeight) return;
  const line = make("div", { className: "reading-progress" });
  document.body.append(line);
  const show = () => {
    const end = document.documentElement.scrollHeight - innerHeight;
    line.style.transform = `scaleX(${Math.min(1, scrollY / end)})`;
  };
  addEventListener("scroll", () => requestAnimationFrame(show), { passive: true });
  show();
}

document.addEventListener("DOMContentLoaded", () => {
  quiz();
  exercises();
  progress();
});
