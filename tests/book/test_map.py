"""The first page and the one for teachers: map, paths, reading times, citation, handout."""

from __future__ import annotations

import re
import shlex

import book_map
import pytest
import yaml
from nbconvert.nbconvertapp import NbConvertApp

import dtlib
from tests.book.notebooks import NUMBERED, ROOT, load

INTRO = (ROOT / "intro.md").read_text(encoding="utf-8")
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
WRITTEN = {load(path).number: path for path in NUMBERED}
EDGES = [(a, b) for b, before in book_map.BUILDS_ON.items() for a in before]


def linked(path) -> set[int]:
    """Return the numbers of the chapters that a chapter links to."""
    text = "\n".join(cell.source for cell in load(path).markdown)
    return {int(number) for number in re.findall(r"\]\((\d\d)_\w+\.ipynb", text)}


@pytest.mark.parametrize(("before", "after"), [edge for edge in EDGES if edge[1] in WRITTEN])
def test_a_chapter_links_to_what_it_builds_on(before, after):
    assert before in linked(WRITTEN[after])


def test_every_line_of_the_map_is_needed_and_leads_on():
    assert list(book_map.BUILDS_ON) == list(WRITTEN)
    assert all(a < b for a, b in EDGES)
    implied = [(a, b) for a, b in EDGES if a in book_map.needed(set(book_map.BUILDS_ON[b]) - {a})]
    assert implied == []


def test_the_page_lists_every_chapter_and_links_to_each_that_is_written():
    listed = {int(m["number"]): m["link"] for m in book_map.ENTRY.finditer(INTRO)}
    assert list(listed) == list(book_map.BUILDS_ON)
    files = {k: link.partition("](")[2].rstrip(")") for k, link in listed.items()}
    assert files == {k: f"chapters/{path.name}" for k, path in WRITTEN.items()}


def test_the_parts_of_the_map_are_those_of_the_table_of_contents():
    contents = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    in_map = INTRO.partition('<div class="map">')[2].partition("</div>")[0]
    found = [
        re.findall(r"\]\(([\w/]+)\.\w+\)", part) for part in re.split(r"^\*\*.+\*\*$", in_map, flags=re.M)[1:]
    ]
    assert re.findall(r"^\*\*(.+)\*\*$", in_map, re.M) == [part["caption"] for part in contents["parts"]]
    for part, files in zip(contents["parts"][:-1], found[:-1], strict=True):
        assert files == [chapter["file"] for chapter in part["chapters"]]


@pytest.mark.parametrize("name", book_map.PATHS)
def test_a_path_can_be_walked(name):
    path = book_map.PATHS[name]
    assert set(path) == book_map.needed(path)
    said = re.search(rf"\((all chapters|chapters [^;]*(?:;[^;<]*)*); <!-- minutes: {name} -->\)", INTRO)[1]
    numbers = WRITTEN if said == "all chapters" else map(int, re.findall(r"\d+", said))
    assert tuple(numbers) == path


def test_the_website_gets_cards_with_reading_times_and_what_a_chapter_builds_on():
    page = book_map.with_cards(INTRO)
    assert "<!-- minutes" not in page
    card = r'^(\d+)\. <span class="chapter" data-needs="([\d ]*)">\1</span> .*<small>(\d+) min(.*)</small>$'
    cards = re.findall(card, page, re.MULTILINE)
    assert {int(k): int(time) for k, _, time, _ in cards} == {k: book_map.minutes(k) for k in WRITTEN}
    for k, needs, _, said in cards:
        before = book_map.BUILDS_ON[int(k)]
        assert tuple(map(int, needs.split())) == tuple(map(int, re.findall(r"\d+", said))) == before


@pytest.mark.parametrize("path", ["a month", "cart first", "everything, at home"])
def test_a_path_that_is_not_there_is_refused(path):
    with pytest.raises(ValueError, match=f"the minutes of '{path}'; wanted one of CART first, from"):
        book_map.with_cards(f"<!-- minutes: {path} -->")


@pytest.mark.parametrize("chapter", WRITTEN)
def test_a_chapter_takes_less_than_an_hour(chapter):
    assert 10 <= book_map.minutes(chapter) <= 55


def test_a_reader_is_charged_for_all_that_is_seen_and_for_nothing_folded():
    cells = [
        ("markdown", [], "one two $$x\n= 1$$\n**Proof.** three"),
        ("code", [], "x = 1\n\ny = 2"),
        ("code", ["hide-input"], "draw(x)"),
        ("code", ["remove-cell"], "import x"),
        ("markdown", ["solution"], "one two"),
        ("markdown", ["quiz"], "<details><summary>one</summary>two</details>"),
    ]
    notebook = {
        "cells": [
            {"cell_type": kind, "metadata": {"tags": tags}, "source": [text]}
            | ({"outputs": ["x"]} if kind == "code" else {})
            for kind, tags, text in cells
        ]
    }
    found = {"words": 5, "lines of code": 2, "outputs": 2, "formulas": 1, "proofs": 1}
    assert book_map.content(notebook) == found


def test_the_citation_says_what_the_file_says():
    fields = dict(re.findall(r"^  (\w+) += \{+(.+?)\}+,?$", INTRO, re.MULTILINE))
    assert fields["title"] == CITATION["title"]
    assert [fields["author"]] == [author["name"] for author in CITATION["authors"]]
    assert fields["version"] == CITATION["version"] == dtlib.__version__
    assert all(licence in fields["note"] for licence in CITATION["license"])
    assert f'copyright: "{fields["year"]}"' in (ROOT / "_config.yml").read_text(encoding="utf-8")


def test_a_handout_has_no_solutions(tmp_path, monkeypatch):
    """Run the command of the page for teachers on one chapter."""
    page = (ROOT / "reference" / "teachers.md").read_text(encoding="utf-8")
    command = re.search(r"```sh\n\.venv/bin/jupyter (nbconvert .*?)```", page, re.DOTALL)[1]
    options = shlex.split(
        command.replace("\\\n", " ").replace("handout", str(tmp_path)).replace("*", WRITTEN[1].stem)
    )
    assert options.pop(0) == "nbconvert"
    monkeypatch.chdir(ROOT)
    app = NbConvertApp()
    app.initialize(options)
    app.start()
    (handout,) = tmp_path.glob("*.ipynb")
    cells, all_cells = load(handout).cells, load(WRITTEN[1]).cells
    assert [cell.id for cell in cells] == [cell.id for cell in all_cells if "solution" not in cell.tags]
    assert not any(cell.outputs for cell in cells)
