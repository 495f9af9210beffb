"""Anchors of code cells: ``03_information_gain.html#cell-gains`` leads to the cell with the id ``gains``.

A page that gathers what cells have computed, such as that of the numbers, links to the very cell.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from docutils import nodes
from sphinx.transforms import SphinxTransform

if TYPE_CHECKING:
    from sphinx.application import Sphinx

KEY = "anchor"  # of a cell's metadata, while Sphinx reads the notebook


def anchor(cell_id: str) -> str:
    """Return the anchor of a cell.

    >>> anchor("gains")
    'cell-gains'
    """
    return f"cell-{cell_id}"


def anchored(cell: dict) -> dict:
    """Return a cell whose metadata say its anchor: MyST-NB passes them on, and the id not.

    >>> anchored({"cell_type": "code", "id": "gains", "metadata": {}})["metadata"]
    {'anchor': 'cell-gains'}
    """
    if cell["cell_type"] != "code" or "id" not in cell:
        return cell
    return cell | {"metadata": cell["metadata"] | {KEY: anchor(cell["id"])}}


def read_source(app: Sphinx, docname: str, content: list[str]) -> None:
    """Note the anchor of each code cell of a notebook (event source-read)."""
    if str(app.env.doc2path(docname)).endswith(".ipynb"):
        notebook = json.loads(content[0])
        notebook["cells"] = [anchored(cell) for cell in notebook["cells"]]
        content[0] = json.dumps(notebook)


class CellAnchors(SphinxTransform):
    """Give the box of each code cell its anchor as id."""

    default_priority = 400

    def apply(self, **kwargs) -> None:
        for box in self.document.findall(nodes.container):
            if box.get("nb_element") == "cell_code" and KEY in box.get("cell_metadata", {}):
                box["ids"].append(box["cell_metadata"][KEY])


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("source-read", read_source)
    app.add_transform(CellAnchors)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
