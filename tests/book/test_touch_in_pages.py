"""Widgets in pages of Markdown: where they stand, and what stands there without them."""

from __future__ import annotations

import io
import json
from pathlib import Path

import nbformat
import pytest
from bs4 import BeautifulSoup
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace
from touchable import in_pages, widgets

from tests.book.notebooks import ROOT

PAGE = "# Melons\n\n```{{touch}} {}\nSeventeen *melons*.\n```\n\nAfter them.\n"


def built(folder: Path, wanted: str) -> tuple[BeautifulSoup, str]:
    """Build a page with one widget; return it, and the warnings."""
    (folder / "index.md").write_text(PAGE.format(wanted), encoding="utf-8")
    return build(folder)


def build(folder: Path) -> tuple[BeautifulSoup, str]:
    """Build what is in a folder; return its first page, and the warnings."""
    said = io.StringIO()
    config = {"extensions": ["myst_nb", "touchable"], "nb_execution_mode": "off"}
    with docutils_namespace():
        options = {"confoverrides": config, "status": None, "warning": said}
        Sphinx(folder, None, folder / "out", folder / "trees", "html", **options).build()
    page = (folder / "out" / "index.html").read_text(encoding="utf-8")
    return BeautifulSoup(page, "html.parser"), said.getvalue()


def test_a_place_holds_the_widget_and_what_is_there_without_it(tmp_path: Path) -> None:
    page, said = built(tmp_path, "grow watermelon_2")
    assert said == ""
    (place,) = page.select(".touch-place")
    box, instead = place.find_all(recursive=False)
    assert (box["data-touch"], box.has_attr("hidden")) == ("grow", True)
    assert json.loads(box.script.string) == json.loads(json.dumps(widgets.WIDGETS["grow"]("watermelon_2")))
    assert instead.svg.title.text
    assert "texture?" in instead.svg.text
    assert instead.p.text == "Seventeen melons."


@pytest.mark.parametrize(
    ("wanted", "known"),
    [
        ("blow watermelon_2", '"blow" is no widget; there are angle'),
        ("grow mellon", '"mellon" is no table; there are customers'),
        ("grow", "missing a required argument"),
    ],
)
def test_what_no_widget_knows_is_a_warning(tmp_path: Path, wanted: str, known: str) -> None:
    page, said = built(tmp_path, wanted)
    tag = ":".join(["touch", *wanted.split()])
    assert f"index.md:3: WARNING: the tag {tag} gives no widget: {known}" in said
    assert page.select("[data-touch]") == []
    assert "Seventeen melons." in page.text
    assert "After them." in page.text


def test_in_a_notebook_the_warning_names_chapter_and_cell(tmp_path: Path) -> None:
    cells = [new_markdown_cell("# Melons"), new_code_cell("1 + 1"), new_code_cell("2 + 2")]
    cells[2].metadata["tags"] = ["touch:grow:mellon"]
    nbformat.write(new_notebook(cells=cells), tmp_path / "index.ipynb")
    page, said = build(tmp_path)
    assert "index.ipynb:" in said
    assert "cell 3: the tag touch:grow:mellon gives no widget" in said
    assert len(page.select(".cell")) == 2
    assert page.select("[data-touch]") == []


@pytest.mark.parametrize("name", in_pages.INSTEAD)
def test_what_has_a_picture_is_a_widget(name: str) -> None:
    assert name in widgets.WIDGETS


def test_the_first_page_has_a_place_for_a_tree_to_grow() -> None:
    assert "```{touch} grow watermelon_2\n" in (ROOT / "intro.md").read_text(encoding="utf-8")
