"""The widget *halve 1 until p is left* holds the surprises and entropies that chapter 2 prints."""

from __future__ import annotations

import re

import pytest
from touchable.halvings import data

from dtlib.measures import entropy
from tests.book.notebooks import chapter, load

CELLS = {cell.id: cell for cell in load(chapter("entropy")).code}


def test_it_stands_at_one_figure() -> None:
    assert [name for name, cell in CELLS.items() if "touch:halvings" in cell.tags] == ["surprise-picture"]


def test_surprises_are_those_of_the_table_and_the_picture() -> None:
    found = data()
    surprise = dict(zip(found["p"], found["surprise"], strict=True))
    shown = CELLS["surprise-table"].shown.split("p", 1)[1]
    rows = re.findall(r"^(\d\.\d{3}) +(\d\.\d{3})$", shown, re.MULTILINE)
    assert len(rows) == 6
    for p, printed in rows:
        assert f"{surprise[float(p)]:.3f}" == printed
    drawn = re.findall(r"\(([\d.]+), ([\d.]+)\)", CELLS["surprise-picture"].shown)
    assert len(drawn) > 5
    assert all(surprise[float(p)] == pytest.approx(float(bits), rel=1e-3) for p, bits in drawn)


def test_the_entropy_is_the_mean_of_both_surprises() -> None:
    found = data()
    assert len(found["p"]) == 199
    for p, s, H in zip(found["p"], found["surprise"], found["entropy"], strict=True):
        assert 2**-s == pytest.approx(p, abs=1e-8)
        assert pytest.approx(entropy([200 * p, 200 - 200 * p]), abs=1e-8) == H
    assert all(a > b for a, b in zip(found["surprise"], found["surprise"][1:], strict=False))
