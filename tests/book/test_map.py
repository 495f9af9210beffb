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
    assert list(book_map.BUILDS_ON) == list(range(1, 21))
    assert all(a < b for a, b in EDGES)
    implied = [(a, b) for a, b in EDGES if a in book_map.needed(set(book_map.BUILDS_ON[b]) - {a})]
    assert implied == []


def test_boxes_have_places_of_their_own_and_lines_lead_down():
    places = book_map.PLACES
    assert sorted(places) == list(book_map.BUILDS_ON)
    assert len(set(places.values())) == len(places)
    assert all(places[a][0] < places[b][0] for a, b in EDGES)


def test_the_stored_map_is_the_drawn_one():
    stored = (ROOT / "_static" / "map.svg").read_text(encoding="utf-8")
    assert stored == book_map.stored(), "run `make map`"
    assert "href" not in stored
    assert all(f">{name.split()[0]}" in stored for name in map(str, book_map.BUILDS_ON))


def test_the_page_lists_every_chapter_and_links_to_each_that_is_written():
    listed = {int(m["number"]): m["file"] for m in book_map.ENTRY.finditer(INTRO)}
    assert list(listed) == list(book_map.BUILDS_ON)
    assert {k: listed[k] for k in WRITTEN} == {k: f"chapters/{p.name}" for k, p in WRITTEN.items()}


@pytest.mark.parametrize("name", book_map.PATHS)
def test_a_path_can_be_walked(name):
    path = book_map.PATHS[name]
    assert set(path) == book_map.needed(path)
    said = re.search(rf"\(chapters ([^;]*(?:;[^;<]*)*); <!-- minutes: {name} -->\)", INTRO)[1]
    numbers = list(map(int, re.findall(r"\d+", said)))
    assert tuple(range(1, numbers[1] + 1) if " to " in said else numbers) == path


def test_the_website_gets_links_and_reading_times():
    written = [f"chapters/{path.stem}" for path in NUMBERED]
    page = book_map.with_map(INTRO, ["intro", *written])
    assert "_static/map.svg" not in page
    assert "<!-- minutes" not in page
    hrefs = re.findall(r'<a href="(chapters/\w+)\.html" aria-label="Chapter \d+: [^"]+">', page)
    assert sorted(hrefs) == written
    times = dict(re.findall(r"^(\d+)\. \[[^\]]+\]\([^)]+\) \((\d+) min\):", page, re.MULTILINE))
    assert times == {str(k): str(book_map.minutes(k)) for k in WRITTEN}


@pytest.mark.parametrize("path", ["a month", "An afternoon", "a week, at home"])
def test_a_path_that_is_not_there_is_refused(path):
    with pytest.raises(ValueError, match=f"the minutes of '{path}'; wanted one of an afternoon, a week"):
        book_map.with_map(f"<!-- minutes: {path} -->", [])


@pytest.mark.parametrize("chapter", WRITTEN)
def test_a_chapter_takes_fifteen_to_twenty_five_minutes(chapter):
    assert 15 <= book_map.minutes(chapter) <= 25


def test_words_of_folded_solutions_and_code_do_not_count():
    cells = [("markdown", []), ("code", []), ("markdown", ["solution"]), ("markdown", ["quiz"])]
    notebook = {
        "cells": [
            {"cell_type": kind, "metadata": {"tags": tags}, "source": ["one two\n", "three"]}
            for kind, tags in cells
        ]
    }
    assert book_map.words(notebook) == 6


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
