"""A tag gives a cell its widget: in the figure that follows, or below the cell, with its data."""

from __future__ import annotations

import gzip
import json
import logging

import pytest
import touchable
from docutils import nodes
from docutils.utils import new_document
from plain_markdown.figures import captioned
from touchable.scripts import SOURCE, joined
from touchable.widgets import WIDGETS

from tests.book.notebooks import CHAPTERS, load

LIMIT = 60_000  # bytes of all scripts of the widgets, as a server sends them


def page(*children: nodes.Element) -> nodes.document:
    """Return a page with some parts."""
    document = new_document("page")
    document += list(children)
    return document


def cell(*tags: str) -> nodes.container:
    """Return a cell with tags, as MyST-NB makes it."""
    return nodes.container(classes=["cell", *(f"tag_{tag}" for tag in tags)])


def run(document: nodes.document) -> None:
    touchable.Widgets(document).run()


def test_below_a_cell_stands_its_widget_with_its_data() -> None:
    document = page(cell("touch:grow:golf"), nodes.paragraph("", "text"))
    run(document)
    box = document[1].astext()
    assert box.startswith(
        '<div class="touch no-print" data-touch="grow" hidden><script type="application/json">'
    )
    data = json.loads(box.split(">", 2)[2].removesuffix("</script></div>"))
    assert [column["name"] for column in data["table"]["columns"]][:2] == ["outlook", "temperature"]


def test_in_a_figure_it_comes_before_the_picture() -> None:
    document = page(cell("touch:grow:loan"), captioned("", nodes.container(), nodes.caption()))
    run(document)
    assert [type(part) for part in document[1]] == [nodes.raw, nodes.container, nodes.caption]


def test_other_cells_have_none() -> None:
    document = page(cell("hide-input"), cell())
    run(document)
    assert [type(part) for part in document] == [nodes.container, nodes.container]


def test_an_unknown_widget_is_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    document = page(cell("touch:gorw"))
    with caplog.at_level(logging.WARNING):
        run(document)
    assert len(document) == 1
    assert "touch:gorw names no widget; there are" in caplog.text


def test_every_tag_of_a_chapter_names_a_widget() -> None:
    cells = [cell for path in CHAPTERS for cell in load(path).cells]
    tags = [tag.split(":") for cell in cells for tag in cell.tags if tag.startswith("touch:")]
    assert len(tags) >= 4
    assert [tag for tag in tags if tag[1] not in WIDGETS] == []


def test_the_scripts_are_light() -> None:
    assert len(gzip.compress(joined(SOURCE).encode())) <= LIMIT
