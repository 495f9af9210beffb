// A card at a link to a term, a numbered formula or a figure. It shows on hovering, on focus, and on the first touch;
// Escape, a touch elsewhere and scrolling the link away close it; the pointer may go into it. What it shows is on this
// page, or in a script of the page the link leads to, which is loaded then.
(() => {
  if (!HTMLElement.prototype.showPopover) return;
  const root = new URL(document.documentElement.dataset.content_root || "./", document.baseURI);
  const here = new URL(location.pathname, location.href).href;
  const loads = {};
  let card, link, timer, touched, seen;
  let turn = 0;

  // The link, if it leads to something that has a card and is not inside of it.
  function target(node) {
    const found = node.closest?.('.bd-article a[href*="#term-"], .bd-article a[href*="#equation-"], .bd-article a[href*="#figure-"]');
    if (!found || found.closest(".book-card")) return null;
    const own = document.getElementById(new URL(found.href).hash.slice(1));
    return own?.contains(found) ? null : found;
  }

  function load(name) {
    loads[name] ??= new Promise((resolve) => {
      const script = document.createElement("script");
      script.src = new URL(`_static/cards/${name}.js`, root);
      script.onload = script.onerror = resolve;
      document.head.append(script);
    });
    return loads[name];
  }

  // The shown thing itself: its links lead where they led, its ids are not those of the page.
  async function content(url) {
    const id = decodeURIComponent(url.hash.slice(1));
    const page = url.href.split(/[?#]/)[0];
    const box = document.createElement("div");
    if (page === here && document.getElementById(id)) {
      box.append(document.getElementById(id).cloneNode(true));
    } else {
      const name = page.slice(root.href.length).replace(/\.html$/, "");
      await load(name);
      box.innerHTML = window.bookCards?.[name]?.[id] || "";
    }
    const formula = box.querySelector("[data-name]");
    if (formula && id.startsWith("equation-")) {
      const name = document.createElement("strong");
      name.textContent = `(${id.slice(9).replaceAll("-", ".")}) ${formula.dataset.name}. `;
      const head = document.createElement("p");
      head.className = "book-card-name";
      head.append(name, formula.dataset.words);
      box.prepend(head);
    }
    for (const named of box.querySelectorAll("[id]:not(svg *)")) named.removeAttribute("id");
    for (const extra of box.querySelectorAll(".touch-hint, .explained")) extra.remove();
    for (const svg of box.querySelectorAll("svg[role=group]")) asPicture(svg);
    for (const a of box.querySelectorAll("a[href]")) a.href = new URL(a.getAttribute("href"), page);
    for (const svg of box.querySelectorAll("svg")) {
      svg.outerHTML = svg.outerHTML
        .replace(/(\sid="|url\(&quot;#|url\(#|href="#)/g, "$1card-")
        .replace(/(labelledby|describedby)="([^"]+)"/g, (_, name, ids) => `${name}="${ids.replace(/\S+/g, "card-$&")}"`);
    }
    return box;
  }

  // A tree whose cards can be pressed, as a picture with a description again.
  function asPicture(svg) {
    const desc = svg.querySelector("desc");
    const cards = [...svg.querySelectorAll("[role=button]")];
    svg.setAttribute("role", "img");
    desc.textContent = [...cards.map((card) => card.getAttribute("aria-label")), desc.textContent].join(" ").trim();
    for (const card of cards) for (const name of ["role", "tabindex", "aria-label", "aria-haspopup", "aria-expanded"]) card.removeAttribute(name);
  }

  function place() {
    const at = link.getClientRects()[0] || link.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = card;
    const below = at.bottom + height + 12 < innerHeight || at.top < height + 12;
    const column = link.closest(".bd-article-container")?.getBoundingClientRect().right ?? Infinity; // beside it are the contents
    const right = Math.min(column, document.documentElement.clientWidth);
    card.style.left = `${Math.max(8, Math.min(at.left, right - width - 8))}px`;
    card.style.top = `${below ? at.bottom + 2 : at.top - height - 2}px`;
  }

  // The card stays at its link, and goes when the link has left the window: a link that Tab reaches may be still to come.
  function follow() {
    const at = link.getBoundingClientRect();
    const inWindow = at.bottom > 0 && at.top < innerHeight;
    if (seen && !inWindow) return hide();
    seen = inWindow;
    place();
  }

  async function show(at, isTouch) {
    clearTimeout(timer);
    if (link === at) return;
    hide();
    link = at;
    const mine = ++turn;
    const box = await content(new URL(at.href));
    if (mine !== turn || !link || !box.textContent.trim()) return;
    if (isTouch) {
      const go = document.createElement("a");
      Object.assign(go, { href: at.href, className: "book-card-go", textContent: "Go there" });
      box.append(go);
    }
    card = document.createElement("div");
    Object.assign(card, { className: "book-card", id: "book-card", popover: "manual" });
    card.setAttribute("role", "note");
    card.append(...box.childNodes);
    at.after(card);
    at.setAttribute("aria-describedby", card.id);
    card.showPopover();
    seen = false;
    follow();
  }

  function hide() {
    clearTimeout(timer);
    link?.removeAttribute("aria-describedby");
    card?.remove();
    card = link = undefined;
  }

  const later = (act, wait) => {
    clearTimeout(timer);
    timer = setTimeout(act, wait);
  };
  document.addEventListener("pointerover", (event) => {
    if (event.pointerType === "touch") return;
    const at = target(event.target);
    if (at) at === link ? clearTimeout(timer) : later(() => show(at), 250);
    else if (card?.contains(event.target)) clearTimeout(timer);
    else later(() => link !== document.activeElement && hide(), 300);
  });
  document.addEventListener("focusin", (event) => {
    const at = target(event.target);
    if (at && at.matches(":focus-visible")) show(at);
    else if (!card?.contains(event.target)) hide();
  });
  document.addEventListener("pointerdown", (event) => {
    touched = event.pointerType === "touch";
    if (!card?.contains(event.target) && target(event.target) !== link) hide();
  });
  document.addEventListener("click", (event) => {
    const at = target(event.target);
    if (at && touched && at !== link) {
      event.preventDefault();
      show(at, true);
    } else if (link && !card?.contains(event.target)) hide();
  });
  document.addEventListener("keydown", (event) => event.key === "Escape" && hide());
  addEventListener("scroll", (event) => card && !card.contains(event.target) && follow(), true);
})();
