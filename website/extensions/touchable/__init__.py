"""What a reader may touch: trees to grow, sliders over what the library has computed.

A cell tagged ``touch:NAME`` or ``touch:NAME:ARGUMENT`` gets the widget NAME: the module of that name here
computes its data with `dtlib` when the book is built, ``website/on_demand/touch/NAME.js`` draws it. The
stored outputs know nothing of it. Without scripts, in Jupyter and on paper the cell is what it was.

- Below a cell whose picture has a caption, the widget takes the place of the picture in its figure.
- Below any other cell it stands after what the cell shows.

In a page of Markdown the directive ``{touch}`` is the place of a widget (`in_pages.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from docutils import nodes
from plain_markdown.embedded import widget_box
from plain_markdown.figures import captioned
from plain_markdown.log import warn
from sphinx.transforms.post_transforms import SphinxPostTransform

from touchable import scripts
from touchable.arguments import Unusable, computed
from touchable.in_pages import Touch
from touchable.widgets import WIDGETS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx.application import Sphinx

TAG = "tag_touch:"


def wanted(cell: nodes.Element) -> Iterator[list[str]]:
    """Yield the name and the arguments of each widget that the tags of a cell ask for.

    >>> list(wanted(nodes.container(classes=["cell", "tag_touch:grow:golf"])))
    [['grow', 'golf']]
    """
    for name in cell.get("classes", ()):
        if name.startswith(TAG):
            yield name.removeprefix(TAG).split(":")


def place(cell: nodes.Element, widget: nodes.raw) -> None:
    """Put a widget into the figure that belongs to a cell, or below the cell; in a page, into its place."""
    if "touch-place" in cell["classes"]:
        cell.insert(0, widget)
        return
    parent, here = cell.parent, cell.parent.index(cell)
    below = parent[here + 1] if here + 1 < len(parent) else None
    if isinstance(below, captioned):
        below.insert(0, widget)
    else:
        parent.insert(here + 1, widget)


def where(cell: nodes.Element) -> str:
    """Say which cell of its notebook a cell is, the first being 1; the place in a page of Markdown is none.

    >>> where(nodes.container(cell_index=11))
    'cell 12: '
    """
    return f"cell {cell['cell_index'] + 1}: " if "cell_index" in cell else ""


class Widgets(SphinxPostTransform):
    """Give each cell the widgets that its tags ask for."""

    default_priority = 100
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        for cell in list(self.document.findall(nodes.container)):
            for name, *arguments in wanted(cell):
                try:
                    box = widget_box(name, computed(WIDGETS, name, arguments))
                    place(cell, nodes.raw("", box, format="html"))
                except Unusable as error:
                    tag = ":".join(["touch", name, *arguments])
                    warn(f"{where(cell)}the tag {tag} gives no widget: {error}", cell)


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("touch", Touch)
    app.add_post_transform(Widgets)
    app.setup_extension("touchable.explained")
    scripts.setup(app)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
