"""A reader's copies of the chapters: nothing that was written is lost, nothing that was renewed is missed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tools.copies import bring, remembered, written

NAME = "01_first.ipynb"


def notebook(*texts: str, output: str = "") -> str:
    """Return a notebook of code cells with these texts, each with this output."""
    outputs = [{"output_type": "stream", "name": "stdout", "text": [output]}] if output else []
    cells = [{"cell_type": "code", "source": [text], "outputs": outputs, "metadata": {}} for text in texts]
    return json.dumps({"cells": cells, "metadata": {}})


@pytest.fixture
def book(tmp_path: Path) -> tuple[Path, Path]:
    """Return the folders of a book of one chapter and one table, and of the copies a reader has taken."""
    originals, copies = tmp_path / "chapters", tmp_path / "my-chapters"
    originals.mkdir()
    (originals / NAME).write_text(notebook("1 + 1", output="2"), encoding="utf-8")
    (originals / "table.csv").write_text("a,b\n", encoding="utf-8")
    (originals / "printed.json").write_text("{}", encoding="utf-8")
    bring(originals, copies)
    return originals, copies


def test_the_first_start_copies_every_chapter_and_what_is_read_beside_it(book: tuple[Path, Path]) -> None:
    originals, copies = book
    there = {path.name: path.read_text(encoding="utf-8") for path in originals.iterdir()}
    assert {name: (copies / name).read_text(encoding="utf-8") for name in there} == there


def test_what_a_reader_wrote_stays_without_a_word_while_the_original_stays(
    book: tuple[Path, Path],
) -> None:
    mine = notebook("1 + 2", output="3")
    (book[1] / NAME).write_text(mine, encoding="utf-8")
    assert bring(*book) == ([], [])
    assert (book[1] / NAME).read_text(encoding="utf-8") == mine


def test_what_a_reader_wrote_stays_and_it_is_said_at_each_start_that_the_original_has_changed(
    book: tuple[Path, Path],
) -> None:
    mine = notebook("1 + 2", output="3")
    (book[1] / NAME).write_text(mine, encoding="utf-8")
    (book[0] / NAME).write_text(notebook("2 + 2", output="4"), encoding="utf-8")
    for _ in range(2):
        taken, said = bring(*book)
        assert taken == []
        assert said == [
            f"{NAME} has changed in chapters/ since you took your copy, and you wrote in it. Yours stays; "
            "to get the new one, give yours another name and start again."
        ]
        assert (book[1] / NAME).read_text(encoding="utf-8") == mine


def test_a_copy_given_another_name_stays_beside_the_new_one(book: tuple[Path, Path]) -> None:
    (book[1] / NAME).rename(book[1] / "mine.ipynb")
    (book[0] / NAME).write_text(notebook("2 + 2"), encoding="utf-8")
    assert bring(*book) == ([book[1] / NAME], [])
    assert (book[1] / "mine.ipynb").read_text(encoding="utf-8") == notebook("1 + 1", output="2")
    assert (book[1] / NAME).read_text(encoding="utf-8") == notebook("2 + 2")


@pytest.mark.parametrize("output", ["2", "two", ""])
def test_a_copy_that_was_only_run_is_renewed(book: tuple[Path, Path], output: str) -> None:
    (book[1] / NAME).write_text(notebook("1 + 1", output=output), encoding="utf-8")
    new = notebook("1 + 1", "3", output="2")
    (book[0] / NAME).write_text(new, encoding="utf-8")
    assert bring(*book) == ([book[1] / NAME], [])
    assert (book[1] / NAME).read_text(encoding="utf-8") == new
    assert bring(*book) == ([], [])


def test_a_copy_of_unknown_origin_is_kept_where_it_has_another_text(
    book: tuple[Path, Path],
) -> None:
    (book[1] / ".taken.json").unlink()
    (book[1] / NAME).write_text(notebook("mine"), encoding="utf-8")
    taken, said = bring(*book)
    assert [path.name for path in taken] == ["printed.json", "table.csv"]
    assert len(said) == 1
    assert (book[1] / NAME).read_text(encoding="utf-8") == notebook("mine")


@pytest.mark.parametrize("broken", ["", "{", "[]", '{"cells": [{}]}'])
def test_a_copy_that_is_no_notebook_any_more_is_kept(book: tuple[Path, Path], broken: str) -> None:
    (book[1] / NAME).write_text(broken, encoding="utf-8")
    (book[0] / NAME).write_text(notebook("2 + 2"), encoding="utf-8")
    taken, said = bring(*book)
    assert (taken, len(said)) == ([], 1)
    assert (book[1] / NAME).read_text(encoding="utf-8") == broken


def test_the_copy_of_a_chapter_that_is_gone_stays(book: tuple[Path, Path]) -> None:
    (book[0] / NAME).unlink()
    assert bring(*book) == ([], [f"{NAME} is no longer in chapters/. Your copy stays."])
    assert (book[1] / NAME).exists()


def test_what_is_tagged_or_attached_is_the_readers():
    """A tag and a picture in a copy are not taken for the original's."""
    cell = {"cell_type": "markdown", "source": ["text"], "metadata": {}}
    own = [cell, cell | {"metadata": {"tags": ["mine"]}}, cell | {"attachments": {"a.png": {}}}]
    assert len({written(json.dumps({"cells": [each]}).encode()) for each in own}) == 3


@pytest.mark.parametrize("damaged", ["", "[]", "{"])
def test_a_damaged_memory_of_the_copies_is_none(tmp_path, damaged):
    state = tmp_path / "state.json"
    state.write_text(damaged, encoding="utf-8")
    assert remembered(state) == {}
