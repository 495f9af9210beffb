"""The widget *more values, more luck* holds the draws that chapter 5 draws."""

from __future__ import annotations

import re

import numpy as np
import pytest
from touchable.luck import VALUES, N, data

from dtlib.book.chance import chance_tables
from dtlib.measures import gain_ratio
from tests.book.notebooks import chapter, load

CELLS = {cell.id: cell for cell in load(chapter("gain_ratio")).code}


def test_it_stands_at_one_figure() -> None:
    assert [name for name, cell in CELLS.items() if "touch:luck" in cell.tags] == ["simulate-picture"]


def test_gains_are_those_of_the_picture() -> None:
    found, shown = data(), CELLS["simulate-picture"].shown
    mine = {"simulated": found["gain"]["mean"], "formula": found["formula"]}
    for name, numbers in mine.items():
        [said] = re.findall(rf"{name}: (.*?\))\.", shown)
        drawn = re.findall(r"\((\d+), ([\d.]+)\)", said)
        assert [int(v) for v, _ in drawn] == list(VALUES) == list(found["values"])
        assert numbers == pytest.approx([float(gain) for _, gain in drawn], rel=1e-3)


def test_other_draws_give_nearly_the_same_ratios_and_spreads() -> None:
    found, rng = data(), np.random.default_rng(99)
    for i, V in enumerate(VALUES):
        ratio = gain_ratio(chance_tables(rng, N, V))
        assert found["ratio"]["mean"][i] == pytest.approx(ratio.mean(), rel=0.05)
        low, high = found["ratio"]["low"][i], found["ratio"]["high"][i]
        assert ((ratio > low) & (ratio < high)).mean() == pytest.approx(0.9, abs=0.03)
