// The theme's script asks for the right-hand sidebar on every page, and pages without sections have none.
document.addEventListener("DOMContentLoaded", () => {
  if (!document.querySelector("div.bd-sidebar-secondary")) {
    const sidebar = document.createElement("div");
    sidebar.className = "bd-sidebar-secondary";
    sidebar.hidden = true;
    document.body.append(sidebar);
  }
});
