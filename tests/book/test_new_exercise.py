"""The template of an exercise has the forms that every exercise has, and its words stay in no chapter."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.book.notebooks import NUMBERED, ROOT, load
from tests.book.test_structure import solution_faults
from tools.new_exercise import ANSWER, CODE, TASK, add

FEW = (NUMBERED[1], NUMBERED[-1])


@pytest.mark.parametrize("path", FEW, ids=lambda path: path.stem)
def test_a_new_exercise_lacks_nothing_but_a_result(path: Path, tmp_path: Path) -> None:
    before, copy = load(path), Path(shutil.copy(path, tmp_path))
    number = add(copy, "A title")
    after = load(copy)
    assert after.exercises == [*before.exercises, number]
    new = [cell for cell in after.cells if cell not in before.cells]
    assert [cell for cell in after.cells if cell not in new] == list(before.cells)
    assert [cell.tags for cell in new] == [["exercise"], *[["solution"]] * 3]
    (start,) = (i for i, cell in enumerate(after.cells) if cell is new[0])
    assert solution_faults(after.cells, start) == [f"solution {number} shows no result of a cell"]
    assert after.metadata["colab"]["collapsed_sections"] == [
        cell.id for cell in after.cells if cell.metadata.get("jp-MarkdownHeadingCollapsed")
    ]


def test_the_words_of_the_template_were_replaced_everywhere() -> None:
    left = [
        (path.name, cell.id)
        for path in NUMBERED
        for cell in load(path).cells
        if any(words in cell.source for words in (TASK, ANSWER, CODE))
    ]
    assert left == []


def test_what_is_no_chapter_is_refused() -> None:
    with pytest.raises(ValueError, match=r"data\.ipynb is no chapter with exercises"):
        add(ROOT / "chapters" / "data.ipynb", "A title")
    command = [sys.executable, "-m", "tools.new_exercise", "README.md", "A title"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 2
    assert "README.md is no chapter with exercises" in done.stderr
