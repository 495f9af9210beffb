"""A handout: a chapter without its solutions and answers, with a cell to write in below each exercise."""

from __future__ import annotations

import shutil
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from tools.teaching.students import (
    Elsewhere,
    exercise_number,
    files_of,
    for_students,
    new_notebook,
    read_chapter,
)


def make_handout(path: Path, folder: Path, elsewhere: Elsewhere) -> str:
    """Write the folder of a handout and its zip file, and say where they are."""
    chapter, place = read_chapter(path), folder / path.stem
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    nbformat.write(handout(chapter, elsewhere), place / path.name)
    for name, file in files_of(chapter, path).items():
        shutil.copyfile(file, place / name)
    zipped = shutil.make_archive(str(place), "zip", folder, path.stem)
    return f"{zipped}: {', '.join(sorted(file.name for file in place.iterdir()))}"


def handout(chapter: NotebookNode, elsewhere: Elsewhere) -> NotebookNode:
    """Return a chapter as a handout."""
    cells = []
    for cell, original in for_students(chapter, elsewhere):
        cells.append(cell)
        number = exercise_number(original)
        if number is not None:
            cells.append(place_to_write(*number))
    return new_notebook(chapter, cells)


def place_to_write(chapter: int, number: int) -> NotebookNode:
    """Return the code cell below an exercise."""
    source = f"# Exercise {chapter}.{number}: your code\n"
    return nbformat.v4.new_code_cell(source, id=f"answer-{chapter}-{number}")
