"""A tag gives a cell its widget: in the figure that follows, or below the cell, with its data."""

from __future__ import annotations

import gzip
import json
import logging
from pathlib import Path

import pytest
import touchable
from docutils import nodes
from docutils.utils import new_document
from plain_markdown.figures import captioned
from touchable.in_pages import INSTEAD
from touchable.scripts import SOURCE, files, joined
from touchable.widgets import WIDGETS

from tests.book.notebooks import CHAPTERS, load

LIMIT = 60_000  # bytes of all scripts of the widgets, as a server sends them
PAGE_LIMIT = 32_000  # and of those that a page asks for


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


@pytest.mark.parametrize(
    ("tag", "said"),
    [
        ("touch:gorw", '"gorw" is no widget; there are angle, boost, depth'),
        ("touch:grow:mellon", '"mellon" is no table; there are customers, golf'),
        ("touch:grow:golf:three", '"three" is no way to ask; there are branches, two'),
        ("touch:grow", "missing a required argument: 'name'; the tag is touch:grow:NAME[:ASKS]"),
        ("touch:grow:golf:two:3", "too many positional arguments; the tag is touch:grow:NAME[:ASKS]"),
        ("touch:boost:melons", '"melons" is no place of a sum of trees; there are points, errors'),
        ("touch:angle:3", "too many positional arguments; the tag is touch:angle"),
        ("touch:halvings:3", "too many positional arguments; the tag is touch:halvings"),
        ("touch:impurities:3", "too many positional arguments; the tag is touch:impurities"),
        ("touch:luck:3", "too many positional arguments; the tag is touch:luck"),
        ("touch:rows:loan", "too many positional arguments; the tag is touch:rows"),
        ("touch:nervous:loan", "too many positional arguments; the tag is touch:nervous"),
        ("touch:price:mellon", '"mellon" is no data set; there are melons, tumors'),
        ("touch:threshold:weight", '"weight" is no feature; there are density, sugar'),
        ("touch:threshold:sugar:gian", '"gian" is no measure; there are gain, ratio'),
        ("touch:depth:deep", '"deep" is no place among the depths; there are 0, 1'),
        ("touch:depth:3:error", '"error" is no addition; there are errors'),
    ],
)
def test_what_a_tag_gets_wrong_is_a_warning(caplog: pytest.LogCaptureFixture, tag: str, said: str) -> None:
    wrong = cell(tag)
    wrong["cell_index"], wrong.source, wrong.line = 11, "chapters/04_id3.ipynb", 120001
    document = page(wrong, nodes.paragraph("", "text"))
    with caplog.at_level(logging.WARNING):
        run(document)
    assert [type(part) for part in document] == [nodes.container, nodes.paragraph]
    [record] = caplog.records
    assert f"cell 12: the tag {tag} gives no widget: {said}" in record.message
    # where Sphinx has set up its log in this process, it has put the place into words
    assert record.location is wrong or record.location.endswith(f"{wrong.source}:{wrong.line}")


def test_every_widget_has_its_wrong_tags() -> None:
    """A widget that is new is tried with a wrong tag above: an extra argument, or an unknown one."""
    [mark] = test_what_a_tag_gets_wrong_is_a_warning.pytestmark
    assert {tag.split(":")[1] for tag, _ in mark.args[1]} - {"gorw"} == set(WIDGETS)


def test_an_error_of_a_widget_itself_is_none_of_its_tag(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(name: str) -> dict[str, str]:
        raise ValueError(name)

    monkeypatch.setitem(WIDGETS, "broken", broken)
    with pytest.raises(ValueError, match="golf"):
        run(page(cell("touch:broken:golf")))


def test_an_unknown_table_in_a_page_of_markdown_has_no_picture() -> None:
    assert INSTEAD["grow"]("mellon") == INSTEAD["grow"]() == ""
    assert INSTEAD["grow"]("golf", "two").startswith("<svg")


def test_every_tag_of_a_chapter_names_a_widget() -> None:
    cells = [cell for path in CHAPTERS for cell in load(path).cells]
    tags = [tag.split(":") for cell in cells for tag in cell.tags if tag.startswith("touch:")]
    assert len(tags) >= 4
    assert [tag for tag in tags if tag[1] not in WIDGETS] == []


def test_the_scripts_are_light() -> None:
    parts = [path for paths in files(SOURCE).values() for path in paths]
    assert len(gzip.compress(joined(parts).encode())) <= LIMIT


def test_every_script_is_part_of_one_file_after_what_it_uses() -> None:
    parts = [path for paths in files(SOURCE).values() for path in paths]
    assert sorted(parts) == sorted(SOURCE.glob("*.js"))
    assert {*WIDGETS, "touch", "arithmetic", "explained", "guess"} == set(files(SOURCE))
    assert all(paths[-1].stem in (name, "task") for name, paths in files(SOURCE).items())


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_a_chapter_asks_for_few_scripts(path: Path) -> None:
    """Even if a reader presses a tree, and a guess is there."""
    tags = [tag.split(":")[1] for cell in load(path).cells for tag in cell.tags if tag.startswith("touch:")]
    names = ["touch", "arithmetic", "explained", "guess", *dict.fromkeys(tags)]
    size = sum(len(gzip.compress(joined(files(SOURCE)[name]).encode())) for name in names)
    assert size <= PAGE_LIMIT
