"""Sphinx features from the plain Markdown of the chapters.

A chapter reads well in any notebook viewer, so it holds no directives and no roles. While Sphinx reads it,
this extension makes more of its conventions on a web page; docs/maintainers/chapters.md lists them.

- `cells` reads the notebook: exercises, solutions, quizzes, guesses and captions, each in a tagged cell;
- `citations` links a name and a year to the bibliography;
- `numbered` gives formulas and figures their anchors, and links ``(2.1)`` and ``Figure 2.1`` to them;
- `figures` draws a picture in the page itself, with its caption, and lists all figures;
- `openings` begins a chapter with a picture, its answer in short, and what the chapter needs;
- `asides` folds sections that are side roads;
- `stories` keep a picture beside the words about it;
- `code` gives code few elements;
- `folds` folds the cells that check numbers into one line;
- `tables` sets the tables of pandas in the page's own type;
- `classes` knows which class has which color.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from plain_markdown import (
    asides,
    cells,
    citations,
    code,
    exercises,
    figures,
    folds,
    numbered,
    openings,
    stories,
    tables,
)

if TYPE_CHECKING:
    from sphinx.application import Sphinx


PARTS = (asides, cells, citations, exercises, numbered, figures, folds, tables, openings, stories, code)


def setup(app: Sphinx) -> dict[str, bool]:
    for part in PARTS:
        part.setup(app)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
