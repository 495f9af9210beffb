// Widgets: their script is asked for when a reader comes near the first one. A widget then takes the place of the picture
// in its figure; should the script not come, the picture stays.
(() => {
  const root = new URL(document.documentElement.dataset.content_root || "./", document.baseURI);

  function load() {
    const script = document.createElement("script");
    script.src = new URL("_static/touch/touch.js", root);
    script.onload = () => {
      for (const box of document.querySelectorAll("[data-touch]")) window.touch.start(box);
    };
    document.head.append(script);
  }

  document.addEventListener("DOMContentLoaded", () => {
    const boxes = [...document.querySelectorAll("[data-touch]")];
    if (!boxes.length) return;
    const near = new IntersectionObserver(
      (seen) => {
        if (!seen.some((entry) => entry.isIntersecting)) return;
        near.disconnect();
        load();
      },
      { rootMargin: "1200px" },
    );
    for (const box of boxes) near.observe(box.previousElementSibling ?? box.parentElement); // a hidden box has no place
  });
})();
