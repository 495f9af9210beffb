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

from dtlib import ID3Classifier, draw, load_golf, load_loan, load_watermelon

if TYPE_CHECKING:
    from collections.abc import Callable


LOADERS = {"golf": load_golf, "loan": load_loan, "watermelon_2": load_watermelon}


def grown(table: str) -> str:
    """Return the picture of the tree that ID3 grows from a table.

    >>> grown("loan")[:4]
    '<svg'
    """
    data = LOADERS[table]()
    return draw.tree(ID3Classifier().fit(data.X, data.y).tree_).svg


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
        return [nodes.container("", instead, classes=["touch-place", tag])]
