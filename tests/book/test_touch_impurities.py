"""The widget *split a node* holds the curves that chapter 7 draws, and the decreases of the library."""

from __future__ import annotations

import re
from itertools import product

import pytest
from touchable.impurities import STEPS, data

from dtlib.measures import classification_error, entropy, gini, impurity_decrease
from tests.book.notebooks import chapter, load

CELLS = {cell.id: cell for cell in load(chapter("impurity")).code}


def test_it_stands_at_one_figure() -> None:
    assert [name for name, cell in CELLS.items() if "touch:impurities" in cell.tags] == ["curves-picture"]


def test_curves_are_those_of_the_picture() -> None:
    for measure, name in zip(data()["measures"], ["half entropy", "Gini", "error"], strict=True):
        [said] = re.findall(rf"{name}: (.*?\))[.;]", CELLS["curves-picture"].shown)
        drawn = re.findall(r"\(([\d.]+), ([\d.]+)\)", said)
        assert len(drawn) == 11
        for p, height in drawn:
            assert measure["at"][round(100 * float(p))] == pytest.approx(float(height), rel=1e-3)


def test_every_decrease_is_that_of_the_library() -> None:
    found = [measure["at"] for measure in data()["measures"]]
    for a, b in product(range(0, STEPS + 1, 5), repeat=2):
        table = [[a, STEPS - a], [b, STEPS - b]]
        wanted = [impurity_decrease(table, of) for of in (entropy, gini, classification_error)]
        mine = [at[a + b] - (at[2 * a] + at[2 * b]) / 2 for at in found]
        assert mine == pytest.approx([wanted[0] / 2, *wanted[1:]], abs=1e-8)
