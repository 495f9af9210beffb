document.addEventListener("DOMContentLoaded", () => {
  // The theme's script asks for the right-hand sidebar on every page, and pages without sections have none.
  if (!document.querySelector("div.bd-sidebar-secondary")) {
    const sidebar = document.createElement("div");
    sidebar.className = "bd-sidebar-secondary";
    sidebar.hidden = true;
    document.body.append(sidebar);
  }
});

// What scrolls sideways can be reached with the keyboard; what fits takes no tab stop.
const followWidth = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    target.toggleAttribute("tabindex", target.scrollWidth > target.clientWidth);
    if (target.hasAttribute("tabindex")) target.tabIndex = 0;
  }
});
window.addEventListener("load", () => {
  document.querySelectorAll(".table-box, .picture, div.math").forEach((box) => followWidth.observe(box));
});
