"""`python -m tools.renumber` gives chapters new numbers wherever they stand, and takes them back."""

import json
import shutil
import subprocess
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.book.notebooks import ROOT
from tests.drawn import examples
from tools.renumber.__main__ import main
from tools.renumber.files import dumped, names
from tools.renumber.moves import CHAPTER, Moves, moves_of, order_of
from tools.renumber.rules import apply, edits, listed

STEMS = ("01_one", "02_two", "03_three", "12_four")


def cell(kind: str, name: str, source: str, **metadata: object) -> dict:
    """Return a cell as it is stored."""
    there = {"cell_type": kind, "id": name, "metadata": metadata, "source": source.splitlines(keepends=True)}
    return there | ({"execution_count": 1, "outputs": []} if kind == "code" else {})


def notebook(stem: str) -> str:
    """Return a small chapter that refers to itself and to the others."""
    k = int(stem[:2])
    words = (
        f"By ({k}.1) and (12.1), not (0.5) or ({k}.7), in chapters 1, 2 and 12, [chapter 3](03_three.ipynb)."
    )
    raw = {
        "cells": [
            cell("markdown", "title", f"# The {stem[3:]}\n"),
            cell("markdown", "f", f"$$x \\tag{{{k}.1}}$$\n{words}", claims={f"By ({k}.1)": "1 == 1"}),
            cell("markdown", f"figure-{k}-1-caption", f"**Figure {k}.1.** See Exercise 12.1."),
            cell("markdown", f"ex-{k}-1", f"### Exercise {k}.1: Why\n"),
            cell("code", f"sol-{k}-1-code", f"x = ({k}.1)  # by ({k}.1)\nprint('chapter {k}, Figure 2.1')"),
        ],
        "metadata": {}, "nbformat": 4, "nbformat_minor": 5,
    }  # fmt: skip
    return dumped(raw)


def made(root: Path) -> Path:
    """Write a small book."""
    (root / "chapters").mkdir(parents=True)
    for stem in STEMS:
        (root / "chapters" / f"{stem}.ipynb").write_text(notebook(stem))
    (root / "notes.md").write_text(
        "Quinlan (1993), chapter 2; Chapters 2 and 12. (3.1) is in 03_three.ipynb#figure-3-1.\n"
    )
    order(root, STEMS)
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    return root


def order(root: Path, stems: tuple[str, ...]) -> None:
    """Put the chapters of a table of contents in an order."""
    (root / "_toc.yml").write_text("".join(f"  - file: chapters/{stem}\n" for stem in stems))


def held(root: Path) -> dict[str, str]:
    """Return what the files of a book hold."""
    return {name: (root / name).read_text(encoding="utf-8") for name in names(root)}


def test_a_new_order_renames_and_renumbers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = made(tmp_path / "book")
    order(root, ("01_one", "12_four", "02_two", "03_three"))
    assert main([], root) == 0
    assert order_of((root / "_toc.yml").read_text()) == ["01_one", "02_four", "03_two", "04_three"]
    assert (root / "notes.md").read_text() == (
        "Quinlan (1993), chapter 2; Chapters 2 and 3. (4.1) is in 04_three.ipynb#figure-4-1.\n"
    )
    four = json.loads((root / "chapters" / "02_four.ipynb").read_text())["cells"]
    assert [c["id"] for c in four[2:]] == ["figure-2-1-caption", "ex-2-1", "sol-2-1-code"]
    assert "".join(four[1]["source"]) == (
        "$$x \\tag{2.1}$$\n"
        "By (2.1) and (2.1), not (0.5) or (12.7), in chapters 1, 2 and 3, [chapter 4](04_three.ipynb)."
    )
    assert four[1]["metadata"] == {"claims": {"By (2.1)": "1 == 1"}}
    assert "".join(four[4]["source"]) == "x = (12.1)  # by (2.1)\nprint('chapter 2, Figure 3.1')"
    assert "Taken for numbers of other books, and left (1):" in capsys.readouterr().out


@given(st.permutations(STEMS), st.permutations(range(4)))
@examples(6)
def test_the_way_back_gives_every_byte_back(tmp_path_factory, stems: list[str], places: list[int]) -> None:
    root = made(tmp_path_factory.mktemp("made") / "book")
    order(root, tuple(stems))
    assert main([], root) == 0
    once = held(root)
    back = {stem[3:]: f"{k:02}{stem[2:]}" for k, stem in enumerate(stems, 1)}
    order(root, tuple(back[stems[k][3:]] for k in places))
    assert main([], root) == 0
    now = order_of((root / "_toc.yml").read_text())
    order(root, tuple(next(stem for stem in now if stem[3:] == first[3:]) for first in stems))
    assert main([], root) == 0
    assert held(root) == once


def test_numbers_in_order_leave_no_formula_a_guest(tmp_path: Path) -> None:
    root = made(tmp_path / "book")
    path = root / "chapters" / "02_two.ipynb"
    path.write_text(path.read_text().replace("$$x \\\\tag{2.1}$$", "$$x \\\\tag{3.7} y \\\\tag{2.1}$$"))
    assert moves_of(root).formulas[3, 7] == (3, 7)
    moves = moves_of(root, in_order=True)
    assert (moves.formulas[3, 7], moves.formulas[2, 1], moves.formulas[12, 1]) == ((2, 1), (2, 2), (4, 1))


@pytest.mark.parametrize(
    ("stems", "said"),
    [
        (("01_one", "02_two", "03_three"), "12_four is in it or in chapters/"),
        ((*STEMS, "13_five"), "13_five is in it or in chapters/"),
        ((*STEMS, "03_three"), "03_three is in it or in chapters/"),
    ],
)
def test_an_order_that_is_not_one_is_refused(
    tmp_path: Path, capsys, stems: tuple[str, ...], said: str
) -> None:
    root = made(tmp_path / "book")
    order(root, stems)
    before = held(root)
    assert main([], root) == 1
    assert said in capsys.readouterr().err
    assert held(root) == before


def test_two_chapters_of_one_number_are_refused(tmp_path: Path) -> None:
    root = made(tmp_path / "book")
    (root / "chapters" / "03_five.ipynb").write_text(notebook("03_three"))
    order(root, (*STEMS, "03_five"))
    with pytest.raises(ValueError, match="Two chapters have the number 03"):
        moves_of(root)


@pytest.mark.parametrize("new", [dict(zip(range(1, 5), p, strict=True)) for p in permutations(range(1, 5))])
@pytest.mark.parametrize("text", ["1 and 2", "1, 2 and 4", "2 to 4", "1 and 2; 3 and 4", "1; 2 to 4"])
def test_a_list_comes_back_unless_it_was_a_range_and_is_none(text: str, new: dict[int, int]) -> None:
    there, doubt = listed(text, new)
    back, _ = listed(there, {b: a for a, b in new.items()})
    assert back == text or doubt


@pytest.mark.parametrize(
    "text",
    [
        "9.1 points, version 9.1, np.arange(9.1), C4.5, rule 9, a table of 9 chapters, section 9.1",
        "Breiman (1984), chapters 9 and 10; their chapter 9; Chapter 9 of Quinlan's book",
        "Li (2019), exercise 9.1; (9.1) of [Zhou](../bibliography.md#zhou2016)",
        "chapter 90, chapter 9.5, Figure 9.13, (9.13), (0.9), 09_other.ipynb, subfigure-9-1",
    ],
)
def test_what_is_no_number_of_the_book_stays(text: str) -> None:
    moves = moves_nine()
    assert apply(text, edits(text, moves)) == text


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("Chapter 9's tree, chapters 8\n# and 9; see [Chapter 9, *Why*](09_cart.ipynb#why)",
         "Chapter 12's tree, chapters 8\n# and 12; see [Chapter 12, *Why*](12_cart.ipynb#why)"),
        ("Figures 9.1 and 9.2, Solution 9.1", "Figures 12.1 and 9.2, Solution 12.1"),
        ("09_cart.ipynb#exercise-91-why sol-9-1-code equation-9-1",
         "12_cart.ipynb#exercise-121-why sol-12-1-code equation-12-1"),
        ("Chapters [8](../../chapters/08_x.ipynb) and [9](../../chapters/09_cart.ipynb)",
         "Chapters [8](../../chapters/08_x.ipynb) and [12](../../chapters/12_cart.ipynb)"),
        ("def test_what_chapter_9_prints", "def test_what_chapter_12_prints"),
        ("chapters/09 #chapter-09", "chapters/12 #chapter-12"),
    ],
)  # fmt: skip
def test_what_is_one_is_renumbered(text: str, new: str) -> None:
    assert apply(text, edits(text, moves_nine())) == new


def moves_nine() -> Moves:
    """Return the moves of a book in which chapter 9 becomes chapter 12."""
    pairs = {(9, 1): (12, 1)}
    chapters = {8: 8, 9: 12, 10: 9}
    return Moves(chapters, {"09_cart": "12_cart"}, pairs, pairs, pairs)


@pytest.mark.long
def test_the_whole_book_comes_back(tmp_path: Path) -> None:
    """The last chapter first, and back: every file as it was."""
    root = tmp_path / "book"
    for name in names(ROOT):
        if (ROOT / name).is_file():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, root / name)
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    before = {name: (root / name).read_bytes() for name in names(root)}
    toc = (root / "_toc.yml").read_text(encoding="utf-8")
    stems = order_of(toc)
    moved = [stem[3:] for stem in [*stems[:14], *stems[15:], stems[14]]]
    for wanted in (moved, [stem[3:] for stem in stems]):
        text = (root / "_toc.yml").read_text(encoding="utf-8")
        numbered = {stem[3:]: stem for stem in order_of(text)}
        coming = iter(wanted)
        text = CHAPTER.sub(lambda m: m[0].replace(m[1], numbered[next(coming)]), text)  # noqa: B023
        (root / "_toc.yml").write_text(text, encoding="utf-8")
        assert main([], root) == 0
    assert {name: (root / name).read_bytes() for name in names(root)} == before
