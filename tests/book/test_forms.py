"""The forms that a page makes more of: pictures with captions, checks and plumbing that fold."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from plain_markdown.guesses import guess
from plain_markdown.mistakes import of_guess

from dtlib.book.checks import parse
from tests.book.notebooks import CHAPTERS, FIRST, NUMBERED, SVG, Cell, load

CAPTION = re.compile(r"\*\*Figure (?P<number>\d+\.\d+)\.\*\* \S.*[.?!]\)?$", re.DOTALL)

each_chapter = pytest.mark.parametrize("path", NUMBERED, ids=lambda path: path.stem)


def shows_picture(cell: Cell) -> bool:
    """Tell whether a cell shows a picture."""
    return any(SVG in output.get("data", {}) for output in cell.outputs)


def caption_number(cell: Cell) -> str | None:
    """Return the number of a caption, None where the text is no caption.

    Examples
    --------
    >>> caption_number(Cell("a", "markdown", "**Figure 2.1.** Heads and tails.", {}))
    '2.1'
    """
    match = CAPTION.match(cell.source)
    return match["number"] if match else None


@pytest.mark.parametrize("path", NUMBERED[:-1], ids=lambda path: path.stem)  # the errata are a list
def test_a_chapter_begins_with_its_answer(path: Path) -> None:
    cells = load(path).cells
    found = [place for place, cell in enumerate(cells) if "opening" in cell.tags]
    assert found == [1]
    short, figure, _ = re.split(r"(Figure \d+\.\d+)", cells[1].source, maxsplit=1)
    assert figure.split()[1].split(".")[0] == str(int(path.stem[:2]))
    assert len(short.split()) <= 70


@each_chapter
def test_every_picture_has_a_caption_and_they_are_numbered_in_order(path: Path) -> None:
    notebook = load(path)
    pairs = list(zip(notebook.cells, notebook.cells[1:], strict=False))
    bare = [cell.id for cell, after in pairs if shows_picture(cell) and "caption" not in after.tags]
    assert bare == []
    assert [after.id for cell, after in pairs if "caption" in after.tags and not shows_picture(cell)] == []
    numbers = [caption_number(cell) for cell in notebook.cells if "caption" in cell.tags]
    assert numbers == [f"{notebook.number}.{k}" for k in range(1, len(numbers) + 1)]


@each_chapter
def test_a_cell_shows_one_picture(path: Path) -> None:
    shown = {
        cell.id: sum(SVG in output.get("data", {}) for output in cell.outputs) for cell in load(path).code
    }
    assert [i for i, count in shown.items() if count > 1] == []


@each_chapter
def test_checks_stand_in_cells_of_their_own(path: Path) -> None:
    lines = {cell.id: cell.shown.strip().splitlines() for cell in load(path).code}
    checked = {i for i, said in lines.items() if any(map(parse, said))}
    assert {cell.id for cell in load(path).code if "checks" in cell.tags} == checked
    assert [i for i in checked if not all(map(parse, lines[i]))] == []


@each_chapter
def test_a_guess_knows_its_answer(path: Path) -> None:
    guesses = [cell for cell in load(path).cells if {"guess"} & {*cell.tags, *cell.metadata}]
    assert [cell.id for cell in guesses if cell.kind != "markdown" or "guess" not in cell.tags] == []
    for cell in guesses:
        assert guess(cell.source, cell.metadata.get("guess")).startswith('<div class="guess">')
        assert [*of_guess(cell.source)] == []


@each_chapter
def test_cells_that_only_import_fold(path: Path) -> None:
    code = [cell for cell in load(path).code if cell.id != FIRST and "solution" not in cell.tags]
    plumbing = [cell for cell in code if all(map(imports, ast.parse(cell.source).body))]
    assert plumbing
    assert [cell.id for cell in plumbing if "hide-input" not in cell.tags] == []


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_code_behind_its_output_is_folded_in_jupyter_too(path: Path) -> None:
    behind = [cell for cell in load(path).code if "hide-input" in cell.tags]
    assert [cell.id for cell in behind if cell.metadata.get("jupyter") != {"source_hidden": True}] == []


def imports(statement: ast.stmt) -> bool:
    """Tell whether a statement is an import."""
    return isinstance(statement, ast.Import | ast.ImportFrom)


@each_chapter
def test_no_result_is_a_bare_value_of_python(path: Path) -> None:
    """A table or a picture is shown as it is; everything else is said in words, by print."""
    bare = [
        cell.id
        for cell in load(path).code
        for output in cell.outputs
        if output["output_type"] == "execute_result" and not {"text/html", SVG} & set(output["data"])
    ]
    assert bare == []


@each_chapter
def test_no_main_text_hides_in_a_side_road(path: Path) -> None:
    """A heading that ends a side road begins a cell, or what stands below it would count as folded."""
    inside = 0
    for cell in load(path).markdown:
        levels = [len(marks) for marks in re.findall(r"^(#+) ", cell.source, re.MULTILINE)]
        if levels and levels[0] <= inside and cell.source.startswith("#"):
            inside = 0
        if "aside" in cell.tags:
            inside = levels[0]
            levels = levels[1:]
        assert not inside or min(levels, default=9) > inside, cell.id
