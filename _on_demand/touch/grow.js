// Grow it yourself.
(() => {
  const { widgets, element } = window.touch;
  widgets.grow = (box, data) => box.append(element("p", {}, data.name));
})();
