"""The widget of chapter 22: the order of the melons and the best cut by the degree, held to the library."""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from touchable import angle

from dtlib import CARTClassifier
from dtlib.datasets import load_watermelon
from tests.book.notebooks import ROOT, Cell, load

CELLS = {cell.id: cell for cell in load(ROOT / "chapters" / "22_oblique_trees.ipynb").cells}
MELONS = load_watermelon("3.0")
PLACE = re.compile(r"\((?P<degrees>[\d.]+), (?P<gain>[\d.]+)\)")


@pytest.fixture(scope="module")
def data() -> dict:
    return angle.data()


@pytest.fixture(scope="module")
def sums() -> np.ndarray:
    """Return the sum (22.3) of each melon by the degree, written down once more."""
    X = MELONS.X[["density", "sugar"]]
    z = (X - X.min()) / (X.max() - X.min())
    turns = [np.pi * degrees / 180 for degrees in range(181)]
    return np.array([np.cos(turn) * z["density"] + np.sin(turn) * z["sugar"] for turn in turns])


def side_of(data: dict, degrees: int) -> list[int]:
    """Return the classes of the melons in the order of a direction."""
    return [data["class"][int(sign, 36)] for sign in data["order"][degrees]]


def test_the_widget_stands_in_the_figure_of_the_curve() -> None:
    cells = list(CELLS.values())
    [place] = [i for i, cell in enumerate(cells) if "touch:angle" in cell.tags]
    assert cells[place].source.startswith("degrees = ")
    assert cells[place + 1].source.startswith("**Figure 22.6.**")


def test_in_each_direction_the_best_cut_is_that_of_cart(data: dict, sums: np.ndarray) -> None:
    for degrees, line in enumerate(sums):
        tree = CARTClassifier(max_depth=1).fit(pd.DataFrame({"sum": line}), MELONS.y).tree_
        n, k = data["best"][degrees], sum(side_of(data, degrees)[: data["best"][degrees]])
        assert (line <= tree.threshold[0]).sum() == n
        assert data["gain"][n][k] == pytest.approx(tree.gain[0], abs=1e-6)


def test_every_cut_gains_what_the_library_says(data: dict, sums: np.ndarray) -> None:
    for degrees in range(0, 181, 15):
        line, good = np.sort(sums[degrees]), side_of(data, degrees)
        assert sums[degrees][[int(sign, 36) for sign in data["order"][degrees]]].tolist() == line.tolist()
        for n in range(1, len(line)):
            below = pd.DataFrame({"below": (np.arange(len(line)) < n).astype(float)})
            tree = CARTClassifier(max_depth=1).fit(below, good).tree_
            gain = tree.gain[0] if tree.n_leaves > 1 else 0.0
            assert data["gain"][n][sum(good[:n])] == pytest.approx(gain, abs=1e-6)
            if gain:
                assert data["gini"][n][sum(good[:n])] == pytest.approx(tree.impurity[2], abs=1e-6)


def test_the_curve_is_that_of_the_picture(data: dict) -> None:
    [picture] = [text for text in CELLS["turn-picture"].shown.splitlines() if text.startswith("Picture: ")]
    places = [(float(at["degrees"]), at["gain"]) for at in PLACE.finditer(picture)]
    assert len(places) > 8
    for degrees, gain in places[:-1]:  # each is rounded, and the start of a step
        assert f"{value(data['curve'], degrees + 0.06):.4g}" == gain


def value(curve: list[list[float]], degrees: float) -> float:
    """Return the value of the curve in a direction."""
    return [gain for start, gain in curve if start <= degrees][-1]


def test_the_curve_by_the_degree_is_the_best_cut(data: dict) -> None:
    for degrees, n in enumerate(data["best"]):
        gain = data["gain"][n][sum(side_of(data, degrees)[:n])]
        assert gain == pytest.approx(value(data["curve"], degrees), abs=1e-6)


def test_the_numbers_are_those_of_the_chapter(data: dict) -> None:
    best = [data["gain"][n][sum(side_of(data, at)[:n])] for at, n in enumerate(data["best"])]
    gains = CELLS["turn-gains"].shown
    assert f"density {best[0]:.3f}, sugar {best[90]:.3f}" in gains
    assert f"best line {max(best):.3f}" in gains
    assert best[data["library"]["degrees"]] == max(best)
    assert printed(CELLS["melons-seven"], "-0.3 density + sugar ≤ 0.003?") == f"{max(best):.3f}"
    assert printed(CELLS["melons-seven"], "sugar ≤ 0.2045?") == f"{best[90 * data['library']['feature']]:.3f}"


def printed(cell: Cell, question: str) -> str:
    """Return the gain that a cell shows beside a question."""
    return re.search(re.escape(question) + r"\s+[\d.]+\s+(?P<gain>[\d.]+)", cell.shown)["gain"]


def test_the_rounded_weights_keep_the_order(data: dict) -> None:
    x = np.array(data["x"])
    for order, w in zip(data["order"], data["weights"], strict=True):
        sums = (x @ w)[[int(sign, 36) for sign in order]]
        assert all(low < high for low, high in pairwise(sums))
        assert max(abs(value) for value in w) == 1
    assert data["weights"][data["library"]["degrees"]] == [-0.3, 1]
