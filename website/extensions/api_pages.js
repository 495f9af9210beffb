// A link to a name of the API, such as api.html#dtlib.Tree.explain, leads to the page that describes it.
document.addEventListener("DOMContentLoaded", () => {
  const name = decodeURIComponent(location.hash.slice(1));
  if (!name.startsWith("dtlib.") || document.getElementById(name)) return;
  const links = [...document.querySelectorAll("table.api-names a")];
  const hit = (wanted) => links.find((link) => link.hash === `#${wanted}`);
  const link = hit(name) ?? hit(name.slice(0, name.lastIndexOf(".")));
  if (link) location.replace(link.pathname + `#${name}`);
  else if (!links.length) location.replace(`../api.html#${name}`);
});
