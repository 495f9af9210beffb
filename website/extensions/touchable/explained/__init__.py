"""A number explains itself: what the pictures of trees in the chapters say when a node is pressed.

When the book is built, each picture that `dtlib.draw.tree` drew is read (`told`), the rows of its nodes are
looked up (`tables`), and both go with the page as JSON. Entropies, gains and ratios are worked out of the
counts in the page, by ``website/on_demand/touch/explained.js``. What cannot be read for certain is not said.
"""

from __future__ import annotations

import csv
from functools import cache
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docutils import nodes
from plain_markdown.embedded import as_json
from plain_markdown.log import warn
from plain_markdown.numbered import places
from sphinx.transforms.post_transforms import SphinxPostTransform

from dtlib.numbers import say_apart
from touchable.explained.grown import grown_by
from touchable.explained.tables import candidates, rows_of
from touchable.explained.told import CARD, Unclear, asked_feature, read
from touchable.tree_pictures import numbered

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from sphinx.application import Sphinx

    from touchable.explained.tables import Table
    from touchable.explained.told import Picture, Told

    Found = tuple[Table, list[np.ndarray]]

ROOT = Path(__file__).resolve().parents[4]
#: The formula that derives each number, by its name in the list of formulas.
FORMULAS = {
    "entropy": "entropy",
    "gini": "Gini index",
    "gain": "information gain",
    "information": "split information",
    "ratio": "gain ratio",
    "decrease": "impurity decrease",
}
MOST_ROWS, MOST_COLUMNS = 20, 9  # of a node; of a table, which else has only the columns that are asked


@cache
def numbers_by_name() -> dict[str, str]:
    """Return the numbers of the formulas by their names.

    >>> numbers_by_name()["entropy"]
    '2.3'
    """
    with (ROOT / "chapters" / "formulas.csv").open(encoding="utf-8", newline="") as file:
        return {row["name"]: row["number"] for row in csv.DictReader(file)}


class Page:
    """What a page says of its pictures: each table once."""

    def __init__(self) -> None:
        self.pictures: list[dict[str, Any]] = []
        self.tables: dict[str, tuple[Table, set[int], set[str]]] = {}

    def add(self, picture: Picture, by: tuple[str, str] | None, found: Found | None) -> None:
        """Add a picture; with its rows, what its tree was grown by is certain, too."""
        told = [compact(node, picture.classes) for node in picture.nodes]
        said: dict[str, Any] = {"classes": picture.classes, "colors": picture.colors, "nodes": told}
        if not picture.whole:
            said["parts"] = True
        elif found is not None:
            said["table"] = self.add_rows(picture, told, *found)
            if by:
                said["by"] = by
        self.pictures.append(said)

    def add_rows(
        self, picture: Picture, told: list[dict[str, Any]], table: Table, rows: list[np.ndarray]
    ) -> int:
        """Give the nodes their rows, and return the place of the table."""
        _, kept, asked = self.tables.setdefault(table.name, (table, set(), set()))
        for node, here in zip(told, rows, strict=True):
            node["rows"] = here[:MOST_ROWS].tolist()
            kept.update(node["rows"])
        asked.update(asked_feature(node.question) for node in picture.nodes)
        return list(self.tables).index(table.name)

    def data(self, links: dict[str, tuple[str, str]]) -> dict[str, Any]:
        """Return all of it."""
        tables = [sent(*told) for told in self.tables.values()]
        return {"links": links, "tables": tables, "pictures": self.pictures}


def compact(node: Told, classes: tuple[str, ...]) -> dict[str, Any]:
    """Return a node as it is sent."""
    said = {"up": node.parent, "if": node.condition, "asks": node.question}
    said["n"] = [int(n) if n.is_integer() else n for n in node.counts]
    if node.leaf is not None:
        said["says"] = classes.index(node.leaf)
    return {key: value for key, value in said.items() if value not in ("", -1)}


def sent(table: Table, kept: set[int], asked: set[str]) -> dict[str, Any]:
    """Return the part of a table that is sent: first the names of the rows, if they have some, and the class.

    >>> from touchable.explained.tables import loaded
    >>> sent(loaded("load_loan", ""), {3}, {"has_job"})["rows"]
    {3: ['4', 'yes', 'young', 'yes', 'yes', 'fair']}
    """
    frame = table.frame
    features = [name for name in frame if name != table.target]
    if len(features) > MOST_COLUMNS:
        features = [name for name in features if name in asked]
    part = frame[[table.target, *features]].iloc[sorted(kept)]
    if frame.index.name:
        part = part.reset_index()
    cells = zip(*(written(column) for _, column in part.items()), strict=True)
    rows = dict(zip(sorted(kept), map(list, cells), strict=True))
    return {"columns": list(part), "target": list(part).index(table.target), "rows": rows}


def written(column: pd.Series) -> list[str]:
    """Write the values of a column of a table.

    >>> import pandas as pd
    >>> written(pd.Series([0.1 + 0.2, 2.0, None])), written(pd.Series(["a", 1]))
    (['0.3', '2', 'nan'], ['a', '1'])
    """
    numbers = [x for x in column if isinstance(x, float) and isfinite(x)]
    said = dict(zip(numbers, say_apart(numbers), strict=True))
    return [said.get(x, str(x)) for x in column]


class ExplainedPictures(SphinxPostTransform):
    """Number the cards of the pictures of trees, and give the page what they say."""

    default_priority = 205  # the pictures have come into the page at 200
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        page, sources = Page(), []
        for node in list(self.document.findall()):
            if isinstance(node, nodes.literal_block):
                sources.append(node.astext())
            elif isinstance(node, nodes.raw) and node.astext().startswith('<div class="picture"><svg'):
                self.explain(node, sources, page)
        if page.pictures:
            script = as_json(page.data(self.links()))
            html = f'<script type="application/json" id="explained">{script}</script>'
            self.document += nodes.raw("", html, format="html")

    def explain(self, place: nodes.raw, sources: list[str], page: Page) -> None:
        svg = place.astext()
        if CARD not in svg or "data-node" in svg:
            return
        try:
            picture = read(svg)
        except Unclear:
            return
        tried = ((table, rows_of(picture, table)) for table in candidates(self.env.docname, sources))
        found = next(((table, rows) for table, rows in tried if rows is not None), None)
        svg = numbered(svg).replace("<svg ", f'<svg data-explained="{len(page.pictures)}" ', 1)
        page.add(picture, grown_by(sources), found)
        place.replace_self(nodes.raw("", svg, format="html"))

    def links(self) -> dict[str, tuple[str, str]]:
        """Return the number of each formula, and its address as seen from this page."""
        found = {}
        numbers = numbers_by_name()
        for name, formula in FORMULAS.items():
            number = numbers[formula]
            place = places(self.env).get(("equation", number))
            if place is None and any(kind == "equation" for kind, _ in places(self.env)):
                warn(f"there is no formula ({number}) to explain the {name} of a node", self.document)
            if place is None:
                continue
            here = self.env.docname
            page = "" if place[0] == here else self.app.builder.get_relative_uri(here, place[0])
            found[name] = (number, f"{page}#{place[1]}")
        return found


def setup(app: Sphinx) -> None:
    app.add_post_transform(ExplainedPictures)
