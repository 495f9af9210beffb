"""Widgets in pages of Markdown: where they stand, and what stands there without them."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace
from touchable import in_pages, widgets

from tests.book.notebooks import ROOT

PAGE = "# Melons\n\n```{{touch}} {}\nSeventeen *melons*.\n```\n\nAfter them.\n"


def built(folder: Path, wanted: str) -> tuple[BeautifulSoup, str]:
    """Build a page with one widget; return it, and the warnings."""
    (folder / "index.md").write_text(PAGE.format(wanted), encoding="utf-8")
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


def test_a_name_that_no_widget_has_is_a_warning(tmp_path: Path) -> None:
    page, said = built(tmp_path, "blow watermelon_2")
    assert "touch:blow names no widget" in said
    assert page.select("[data-touch]") == []


@pytest.mark.parametrize("name", in_pages.INSTEAD)
def test_what_has_a_picture_is_a_widget(name: str) -> None:
    assert name in widgets.WIDGETS


def test_the_first_page_has_a_place_for_a_tree_to_grow() -> None:
    assert "```{touch} grow watermelon_2\n" in (ROOT / "intro.md").read_text(encoding="utf-8")
