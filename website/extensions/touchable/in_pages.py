"""Widgets in pages of Markdown: a directive is the place, and what is there without scripts and on paper.

::

    ```{touch} grow watermelon_2
    The tree that seventeen melons grow by counting.
    ```
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from dtlib import draw
from touchable import grow

if TYPE_CHECKING:
    from collections.abc import Callable


def grown(table: str = "", *_: str) -> str:
    """Return the picture of the tree that the first program which reads a table grows from it.

    An unknown table has no picture: the build warns of the widget's arguments when it looks for its data.

    >>> grown("loan")[:4]
    '<svg'
    """
    if table not in grow.TABLES:
        return ""
    data = grow.TABLES[table].load()
    model = next(iter(grow.readers(data).values()))
    return draw.tree(model.fit(data.X, data.y).tree_).svg


#: The name of a widget -> what draws the picture that stands in its place, given the widget's arguments.
INSTEAD: dict[str, Callable[..., str]] = {"grow": grown}


class Touch(SphinxDirective):
    """The place of a widget: its name, its arguments; what it holds is the caption of the picture."""

    required_arguments = 1
    optional_arguments = 9
    has_content = True
    option_spec: ClassVar[dict] = {}

    def run(self) -> list[nodes.Node]:
        name, *arguments = self.arguments
        instead = nodes.container(classes=["touch-instead"])
        if name in INSTEAD:
            svg = INSTEAD[name](*arguments)
            instead += nodes.raw("", f'<div class="picture">{svg}</div>', format="html")
        instead += self.parse_content_to_nodes()
        tag = ":".join(["tag_touch", *self.arguments])
        place = nodes.container("", instead, classes=["touch-place", tag])
        self.set_source_info(place)
        return [place]
