// Predict, then see: a task with three tries. Until they are used, or the answer is asked for, what answers it is hidden.
//
// task(box, { asks, places, at, judge, tell, begin, solve, show }):
// - asks: a sentence for each task, and `places`: all that a reader may set, of which `at()` is set now;
// - judge(k, place): is that right, in words how near, and a hint; tell(k): the answer in words;
// - begin(k): set the controls far from the answer; solve(k): set them to the answer;
// - show(k): draw everything as it is now. The elements of the class `task-answer` are hidden while the task is not open.
(() => {
  const { element, spoken, head } = window.touch;
  const LEFT = ["No try is left.", "One try is left.", "Two tries are left.", "You have three tries."];
  const TRIES = LEFT.length - 1;

  // The end of a slider that is far from its answer.
  const away = (answer, count) => (2 * answer < count - 1 ? count - 1 : 0);

  // Room for the longest sentence, however wide its place becomes.
  function keepRoom(says, sentences) {
    const longest = [...sentences].sort((a, b) => b.length - a.length).slice(0, 3);
    let width = 0;
    const keep = ([{ contentRect }]) => {
      if (contentRect.width === width) return;
      width = contentRect.width;
      says.keep(longest);
    };
    new ResizeObserver(keep).observe(says.place);
  }

  function task(box, { asks, places, at, judge, tell, begin, solve, show }) {
    let states = {}; // number -> { tried, open }
    let k = 0;
    const asked = spoken("touch-task");
    const says = spoken("task-says");
    says.place.setAttribute("role", "status");
    const button = (words, onclick) => element("button", { type: "button", onclick }, words);
    const mine = button("This one", guess);
    const next = button("Next", () => (k + 1 < asks.length ? fresh(k + 1) : again()));
    const tools = element("div", { class: "task-tools", role: "group", "aria-label": "The task" }, mine, button("Show the answer", answer), next);

    const left = () => TRIES - states[k].tried.length;
    const isOpen = (number = k) => Boolean(states[number]?.open);

    function say(words, isRight = false) {
      says.set(words);
      says.place.classList.toggle("right", isRight);
    }

    function guess() {
      const { tried, open } = states[k];
      const place = at();
      if (open) return;
      if (tried.includes(place)) return say("You have tried this one.");
      tried.push(place);
      const [isRight, near, hint] = judge(k, place);
      states[k].open = isRight || left() === 0;
      update();
      if (isRight) say(`Right. ${near}`, true);
      else if (left()) say(`${near} ${hint} ${LEFT[left()]}`);
      else say(`${near} ${LEFT[0]} ${tell(k)}`);
    }

    function answer() {
      states[k].open = true;
      update();
      solve(k);
      say(tell(k));
    }

    function again() {
      states = {};
      fresh(0);
    }

    function fresh(number) {
      k = number;
      states[k] = { tried: [], open: false };
      update();
      begin(k);
      say(LEFT[TRIES]);
    }

    // Another task is chosen in the widget itself; one that was begun goes on.
    function go(number) {
      if (!states[number]) return fresh(number);
      k = number;
      update();
      say(isOpen() ? tell(k) : LEFT[left()]);
    }

    function update() {
      box.classList.toggle("task-closed", !isOpen());
      mine.setAttribute("aria-disabled", String(isOpen())); // it keeps the focus
      next.textContent = k + 1 < asks.length ? "Next" : "Start again";
      asked.set(asks[k]);
      show(k);
    }

    keepRoom(asked, asks);
    const verdicts = asks.flatMap((_, number) => places.map((place) => judge(number, place)));
    keepRoom(says, verdicts.map(([, near, hint = ""]) => `${near} ${hint} ${LEFT[2]}`));

    return {
      tools: [tools, says.place],
      head: (title) => [...head(title), asked.place],
      go,
      begin: again,
      number: () => k,
      isOpen,
      tried: () => states[k]?.tried ?? [],
    };
  }

  // Dots in a plot that show what the reader has tried, each at its point(place); returns show(places).
  function marks(shown, point) {
    let dots = [];
    return (places) => {
      for (const dot of dots) dot.remove();
      dots = places.map((place) => shown.dot(...point(place), { r: 5, class: "task-mark" }));
    };
  }

  Object.assign(window.touch, { task, marks, away });
})();
