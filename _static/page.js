document.addEventListener("DOMContentLoaded", () => {
  // The theme's script asks for the right-hand sidebar on every page, and pages without sections have none.
  if (!document.querySelector("div.bd-sidebar-secondary")) {
    const sidebar = document.createElement("div");
    sidebar.className = "bd-sidebar-secondary";
    sidebar.hidden = true;
    document.body.append(sidebar);
  }
});

// A long name of code in a table may break after a dot, a slash, a colon or an underscore; where the cells of a
// row stand below each other, they say the name of their column.
document.addEventListener("DOMContentLoaded", () => {
  for (const table of document.querySelectorAll(".bd-article table.of-notes")) {
    for (const name of table.querySelectorAll("td code .pre")) {
      const parts = name.textContent.match(/[^._/:]*[._/:]*/g).filter(Boolean);
      name.replaceChildren(...parts.flatMap((part, i) => (i ? [document.createElement("wbr"), part] : [part])));
    }
    for (const row of table.tBodies[0].rows) {
      for (const cell of row.cells) {
        cell.firstElementChild.dataset.column = table.tHead.rows[0].cells[cell.cellIndex].textContent;
      }
    }
  }
});

// What scrolls sideways can be reached with the keyboard and, but for code, has a name; what fits takes no tab stop.
// An observer hears of what lies in a closed fold, too, and of new sizes when the browser has measured them anyway.
const boxes = {
  Table: "div:is(.table-box, .pst-scrollable-table-container)", // of a cell, of the text
  Picture: "div.picture",
  Equation: "div.math",
};
const followWidth = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    const scrolls = target.scrollWidth > target.clientWidth;
    const named = target.dataset.box ? { role: "region", "aria-label": target.dataset.box } : {};
    for (const [name, value] of Object.entries({ tabindex: "0", ...named })) {
      if (scrolls) target.setAttribute(name, value);
      else target.removeAttribute(name);
    }
  }
});
window.addEventListener("load", () => {
  for (const [word, places] of Object.entries(boxes)) {
    document.querySelectorAll(places).forEach((box, i) => {
      box.dataset.box = `${word} ${i + 1} of this page`;
      followWidth.observe(box);
    });
  }
  document.querySelectorAll(".bd-article pre").forEach((code) => followWidth.observe(code));
});

// The theme's folds in the table of contents are an arrow without a name: they are called after the page above them.
document.addEventListener("DOMContentLoaded", () => {
  for (const fold of document.querySelectorAll(".bd-sidebar-primary details > summary")) {
    const above = fold.parentElement.parentElement.querySelector("a");
    fold.setAttribute("aria-label", `Pages below ${above.textContent.trim()}`);
  }
});

// What a button of the theme says: that of a solution, whose solution it shows; that of the colors, which are chosen.
window.addEventListener("load", () => {
  for (const button of document.querySelectorAll("button.toggle-button")) {
    button.ariaLabel = button.closest(".admonition-title").textContent.replace(/\s+/g, " ").trim();
    button.querySelector("svg").setAttribute("aria-hidden", "true");
  }
});
document.addEventListener("DOMContentLoaded", () => {
  const root = document.documentElement;
  const show = () => {
    for (const button of document.querySelectorAll(".theme-switch-button")) button.ariaLabel = `light/dark: ${root.dataset.mode}`;
  };
  new MutationObserver(show).observe(root, { attributeFilter: ["data-mode"] });
  show();
});
