"""Graded homework for nbgrader: a handout whose quiz and exercises have points.

A chapter becomes the folder ``source/NN_name`` of a course of nbgrader, version 3 of its format. The quiz
and exercises whose metadata say what is asked, ``graded``, are graded by themselves, the others by hand.
All other cells are locked, so that nbgrader puts back what a student changes there.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from tools.teaching.handout import place_to_write
from tools.teaching.students import (
    CHOICE,
    Elsewhere,
    exercise_number,
    files_of,
    for_students,
    new_notebook,
    read_chapter,
    tags_of,
)

BY_HAND, PROJECT = 2, 4  # points of an exercise, and of a project, that a person grades
QUESTION = re.compile(r"^\*\*(\d+)\.\*\* ", re.MULTILINE)
LETTERS = "abcdefgh"
BEGIN, END = "### BEGIN HIDDEN TESTS", "### END HIDDEN TESTS"
CONFIGURATION = """\
c = get_config()  # noqa: F821
c.CourseDirectory.course_id = "trees"
c.ExecutePreprocessor.timeout = 600
c.ClearSolutions.enabled = False  # there are none; it would clear the blanks that students fill in
"""
IMPORTS = """\
import math
import pandas as pd
from dtlib import contingency, datasets, measures
from dtlib.homework import grade_answer, grade_given
"""


def make_graded(path: Path, folder: Path, elsewhere: Elsewhere) -> str:
    """Write a chapter into the course of nbgrader in a folder, and say how many points it has.

    Where nbgrader is installed, it also makes what students get, in the folder ``release``.
    """
    chapter, place = read_chapter(path), folder / "source" / path.stem
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    notebook = graded(chapter, elsewhere)
    nbformat.write(notebook, place / path.name)
    for name, file in files_of(chapter, path).items():
        shutil.copyfile(file, place / name)
    (folder / "nbgrader_config.py").write_text(CONFIGURATION, encoding="utf-8")
    if program := shutil.which("nbgrader"):
        subprocess.run(
            [program, "generate_assignment", "--force", "--log-level=WARN", path.stem], cwd=folder, check=True
        )
    marks = [cell.metadata.nbgrader for cell in notebook.cells]
    alone = sum(mark["points"] for mark in marks if mark["grade"] and not mark["solution"])
    by_hand = sum(mark["points"] for mark in marks if mark["grade"] and mark["solution"])
    made = folder / "release" / path.stem if program else place
    return f"{made}: {alone} points are given by themselves, {by_hand} by you"


def graded(chapter: NotebookNode, elsewhere: Elsewhere) -> NotebookNode:
    """Return a chapter as homework, with the answers in tests that nbgrader hides from students."""
    cells = []
    for cell, original in for_students(chapter, elsewhere):
        number = exercise_number(original)
        if "quiz" in tags_of(original):
            cell.source = with_letters(cell.source)
        cells.append(marked(cell, cell.id))
        if number is not None:
            cells += of_exercise(original, *number)
        elif "quiz" in tags_of(original):
            cells += of_quiz(original)
    return new_notebook(chapter, cells)


def marked(cell: NotebookNode, name: str, **how: Any) -> NotebookNode:
    """Return a cell that nbgrader knows: locked and without points, unless it is said otherwise."""
    mark = {"grade": False, "solution": False, "locked": True, "task": False, "schema_version": 3}
    cell.metadata["nbgrader"] = mark | {"grade_id": name} | how
    return cell


def answer_cell(source: str, name: str) -> NotebookNode:
    """Return a cell for an answer that is graded by the cell after it."""
    cell = nbformat.v4.new_code_cell(source, id=f"answer-{name}")
    return marked(cell, cell.id, solution=True, locked=False)


def test_cell(source: str, name: str, points: int) -> NotebookNode:
    """Return a cell that gives points; what it computes is hidden from students."""
    text = f"# {points} points. What this cell computes is added when it is graded.\n"
    cell = nbformat.v4.new_code_cell(f"{text}{BEGIN}\n{IMPORTS}{source}\n{END}", id=f"points-{name}")
    return marked(cell, cell.id, grade=True, points=points)


def of_exercise(original: NotebookNode, chapter: int, number: int) -> Iterator[NotebookNode]:
    """Yield the cells below an exercise: a place to write, and what gives points."""
    name, said = f"{chapter}-{number}", original.metadata.get("graded")
    free = place_to_write(chapter, number)
    free.id = f"code-{name}"
    yield marked(free, free.id, solution=True, locked=False)
    if said is None:
        project = "Project: " in original.source.partition("\n")[0] or "roject, " in original.source[:60]
        words = nbformat.v4.new_markdown_cell("*Your answer in words.*", id=f"answer-{name}")
        points = PROJECT if project else BY_HAND
        yield marked(words, words.id, grade=True, solution=True, locked=False, points=points)
        return
    variable, names = f"answer_{chapter}_{number}", said.get("names") or list(said["numbers"])
    yield answer_cell(blanks(variable, names), name)
    if "numbers" in said:
        right = ", ".join(f"{what!r}: {how}" for what, how in said["numbers"].items())
        call = f"grade_given({variable}, {{{right}}}, {said['points']})"
    else:
        call = (
            f"grade_answer({variable}, {names!r}, {said['points']}, {said['frame']}, {said['target']!r}, "
            f"method={said['method']!r})"
        )
    yield test_cell(call, name, said["points"])


def blanks(variable: str, names: list[str]) -> str:
    """Return the code of an answer that is still to be written."""
    lines = "".join(f'    "{name}": "",\n' for name in names)
    note = (
        '# Write each number between the quotation marks, to three digits: "0.971", or as a fraction: "4/9".'
    )
    return f"{note}\n{variable} = {{\n{lines}}}"


def with_letters(quiz: str) -> str:
    """Return a quiz whose choices have letters.

    Examples
    --------
    >>> print(with_letters("**1.** Which?\\n\\n- ☐ This.\\n- ☐ That.\\n\\n**2.** What?\\n\\n- ☐ It."))
    **1.** Which?
    <BLANKLINE>
    - (a) This.
    - (b) That.
    <BLANKLINE>
    **2.** What?
    <BLANKLINE>
    - (a) It.
    """
    lines, place = [], 0
    for line in quiz.split("\n"):
        place = 0 if QUESTION.match(line) else place
        if line.startswith("- ☐ "):
            line, place = f"- ({LETTERS[place]}) {line[4:]}", place + 1
        lines.append(line)
    return "\n".join(lines)


def right_letters(quiz: str) -> dict[str, str]:
    """Return the letter of the right choice of each question of a quiz.

    Examples
    --------
    >>> choice = "<details><summary>☐ {}</summary>\\n\\n{}. So.\\n\\n</details>\\n\\n"
    >>> right_letters("**1.** Which?\\n\\n" + choice.format("This.", "No") + choice.format("That.", "Right"))
    {'1': 'b'}
    """
    found, (_, *parts) = {}, QUESTION.split(quiz)
    for number, text in zip(parts[::2], parts[1::2], strict=True):
        right = [k for k, (_, why) in enumerate(CHOICE.findall(text)) if why.startswith("Right.")]
        if len(right) != 1:
            raise ValueError(f"question {number} has {len(right)} right choices; wanted one")
        found[number] = LETTERS[right[0]]
    return found


def of_quiz(original: NotebookNode) -> Iterator[NotebookNode]:
    """Yield the cell for the letters of a quiz, and the one that gives a point for each."""
    right = right_letters(original.source)
    lines = "".join(f'    "{number}": "",\n' for number in right)
    yield answer_cell(f'# A letter for each question, as in "a".\nquiz = {{\n{lines}}}', "quiz")
    yield test_cell(f"grade_given(quiz, {right!r}, {len(right)})", "quiz", len(right))
