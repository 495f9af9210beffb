"""Which number becomes which: of chapters, formulas, figures and exercises."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from tests.book.notebooks import EXERCISE, Notebook, load
from tests.claims.references import CAPTION

CHAPTER = re.compile(r"^\s*-\s+file:\s+chapters/(\d\d_\w+)\s*$", re.MULTILINE)
Pair = tuple[int, int]


@dataclass(frozen=True)
class Moves:
    """The new numbers by the old ones; a number that the book does not have is not a key."""

    chapters: dict[int, int]
    stems: dict[str, str]
    formulas: dict[Pair, Pair] = field(default_factory=dict)
    figures: dict[Pair, Pair] = field(default_factory=dict)
    exercises: dict[Pair, Pair] = field(default_factory=dict)

    def of(self, kind: str) -> dict[Pair, Pair]:
        """Return the pairs of a kind, as a text calls it.

        Examples
        --------
        >>> Moves({}, {}, figures={(2, 1): (3, 1)}).of("Figure")
        {(2, 1): (3, 1)}
        """
        kind = kind.lower()
        if kind.startswith(("figure", "caption")):
            return self.figures
        return self.formulas if kind.startswith(("equation", "formula")) else self.exercises


def pair(number: str) -> Pair:
    """Return chapter and place of a number.

    Examples
    --------
    >>> pair("13.4"), pair("13-10")
    ((13, 4), (13, 10))
    """
    chapter, place = re.split(r"[.-]", number)
    return int(chapter), int(place)


def order_of(toc: str) -> list[str]:
    """List the chapters in the order of the table of contents, by the stems of their files.

    Examples
    --------
    >>> order_of("  - file: chapters/02_b\\n  - file: chapters/01_a\\n  - file: chapters/data\\n")
    ['02_b', '01_a']
    """
    return CHAPTER.findall(toc)


def checked_order(root: Path) -> list[str]:
    """Return the order that `_toc.yml` asks for.

    Raises
    ------
    ValueError
        If it does not list each chapter of the folder once, or two chapters have one number.
    """
    order = order_of((root / "_toc.yml").read_text(encoding="utf-8"))
    there = sorted(path.stem for path in (root / "chapters").glob("[0-9][0-9]_*.ipynb"))
    if sorted(order) != there:
        odd = sorted(set(order) ^ set(there)) or sorted({stem for stem in order if order.count(stem) > 1})
        raise ValueError(
            f"_toc.yml has to list each chapter once; {', '.join(odd)} is in it or in chapters/, "
            "but not once in both."
        )
    numbers = [stem[:2] for stem in order]
    if len(set(numbers)) < len(numbers):
        twice = sorted({number for number in numbers if numbers.count(number) > 1})
        raise ValueError(
            f"Two chapters have the number {', '.join(twice)}; give a new one a number that no other has."
        )
    return order


def moves_of(root: Path, in_order: bool = False) -> Moves:
    """Compare the order of `_toc.yml` with the numbers of the files.

    Parameters
    ----------
    root : Path
        The folder of `_toc.yml` and `chapters`.
    in_order : bool, default=False
        Number formulas, figures and exercises in each chapter as they stand in it. Otherwise each keeps its
        place, and a formula that stands in another chapter goes with the chapter that its number says.
    """
    order = checked_order(root)
    chapters = {int(stem[:2]): k for k, stem in enumerate(order, 1)}
    stems = {stem: f"{chapters[int(stem[:2])]:02}{stem[2:]}" for stem in order}
    notebooks = {int(stem[:2]): load(root / "chapters" / f"{stem}.ipynb") for stem in order}
    numbered = [
        {n: renumbered(list_of(book), chapters[n] if in_order else None) for n, book in notebooks.items()}
        for list_of in (formulas, figures, exercises)
    ]
    kinds = [{old: new for found in kind.values() for old, new in found} for kind in numbered]
    if not in_order:
        kinds = [{old: (chapters.get(old[0], old[0]), old[1]) for old in kind} for kind in kinds]
    return Moves(chapters, stems, *kinds)


def renumbered(found: Iterable[Pair], chapter: int | None) -> list[tuple[Pair, Pair]]:
    """Pair the numbers of a chapter with those that they have in their order.

    Examples
    --------
    >>> renumbered([(9, 1), (7, 7), (9, 2)], 9)
    [((9, 1), (9, 1)), ((7, 7), (9, 2)), ((9, 2), (9, 3))]
    """
    return [(old, (old[0] if chapter is None else chapter, k)) for k, old in enumerate(found, 1)]


def formulas(notebook: Notebook) -> list[Pair]:
    """List the formulas of a chapter as they stand."""
    return [pair(tag) for tag in notebook.tags]


def figures(notebook: Notebook) -> list[Pair]:
    """List the figures of a chapter as they stand."""
    return [pair(m[1]) for cell in notebook.markdown if (m := CAPTION.match(cell.source))]


def exercises(notebook: Notebook) -> list[Pair]:
    """List the exercises of a chapter as they stand."""
    return [pair(".".join(m.groups())) for cell in notebook.markdown if (m := EXERCISE.match(cell.source))]
