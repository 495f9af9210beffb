"""The widget *slide the trees and the rate* holds the sums and the errors that chapter 17 prints."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import make_friedman1
from sklearn.ensemble import GradientBoostingRegressor
from touchable import boost

from dtlib.datasets import load_regression_points
from tests.book.notebooks import chapter, load

CELLS = {cell.id: cell for cell in load(chapter("boosting")).code}
STEP = re.compile(r"(-?[\d.]+) (?:up to ([\d.]+\d)|above)")
HALF = boost.RATES.index(0.5)


@cache
def shown(name: str) -> dict[str, Any]:
    """Return the data as the page gets them."""
    data: dict[str, Any] = json.loads(json.dumps(boost.data(name), allow_nan=False))
    return data


def test_it_stands_at_two_figures() -> None:
    tagged = {cell.id: tag for cell in CELLS.values() for tag in cell.tags if tag.startswith("touch:boost")}
    assert tagged == {"left-picture": "touch:boost:points", "rates-picture": "touch:boost:errors"}


def test_the_first_rounds_are_those_of_the_table() -> None:
    sums = shown("points")["sums"][HALF]
    rows = re.findall(r"^(\d) +(.*)$", CELLS["left-rounds"].shown, re.MULTILINE)
    assert [number for number, _ in rows] == ["1", "2", "3", "4"]
    for number, row in rows:
        at, low, high, _, left, _ = map(float, row.split())
        mine = [*sums["asked"][int(number) - 1], sums["left"][int(number)]]
        assert mine == pytest.approx([at, low, high, left], abs=5.1e-4)


@pytest.mark.parametrize("rounds", [1, 2, 4])
def test_staircases_are_those_of_the_picture(rounds: int) -> None:
    [said] = re.findall(rf"F after {rounds}: (.*? above)\.", CELLS["left-picture"].shown)
    printed = [(float(height), float(end or "inf")) for height, end in STEP.findall(said)]
    steps = shown("points")["sums"][HALF]["steps"][rounds]
    drawn = [(height, float("inf") if end is None else end) for end, height in steps]
    assert len(printed) == rounds + 1
    for one, other in zip(printed, drawn, strict=True):
        assert one == pytest.approx(other, abs=6e-4)


@pytest.mark.parametrize("rate", boost.RATES)
def test_what_is_left_is_what_scikit_learns_sum_leaves(rate: float) -> None:
    points, found = load_regression_points(), shown("points")["sums"][boost.RATES.index(rate)]
    settings = {"n_estimators": boost.POINT_TREES, "max_depth": 1, "learning_rate": rate, "random_state": 0}
    model = GradientBoostingRegressor(**settings).fit(points.X, points.y)
    left = [((points.y - said) ** 2).sum() for said in model.staged_predict(points.X)]
    assert found["left"][1:] == pytest.approx(left, abs=1e-5)


def test_every_staircase_leaves_what_is_said() -> None:
    data = shown("points")
    for sums in data["sums"]:
        for steps, left in zip(sums["steps"], sums["left"], strict=True):
            says = [next(h for end, h in steps if end is None or x <= end) for x, _ in data["points"]]
            missed = np.subtract([y for _, y in data["points"]], says)
            assert (missed**2).sum() == pytest.approx(left, abs=3e-3)


def test_the_errors_are_those_of_the_table_and_the_picture() -> None:
    data = shown("errors")
    rows = re.findall(r"^(\d\.\d) +(\d+) +([\d.]+) +([\d.]+) ±", CELLS["rates-table"].shown, re.MULTILINE)
    assert [float(row[0]) for row in rows] == data["rates"] == list(boost.RATES)
    for (rate, best, least, last), sums in zip(rows, data["sums"], strict=True):
        fresh = sums["fresh"]
        assert (best, least, last) == (str(sums["best"]), f"{min(fresh):.2f}", f"{fresh[-1]:.2f}")
        [said] = re.findall(rf"rate {float(rate):g}: (.*?\))\.", CELLS["rates-picture"].shown)
        drawn = re.findall(r"\((\d+), ([\d.]+)\)", said)
        assert len(drawn) > 5
        assert all(fresh[int(m) - 1] == pytest.approx(float(error), rel=1e-3) for m, error in drawn)


def test_the_errors_on_samples_seen_are_squares_and_never_rise() -> None:
    seeds = range(boost.TABLES)
    tables = [make_friedman1(boost.SEEN, noise=boost.NOISE, random_state=seed) for seed in seeds]
    first = GradientBoostingRegressor(n_estimators=1, learning_rate=0.5, max_depth=2, random_state=0)
    once = [((first.fit(X, y).predict(X) - y) ** 2).mean() for X, y in tables]
    assert shown("errors")["sums"][HALF]["seen"][0] == pytest.approx(np.mean(once), abs=1e-4)
    for sums in shown("errors")["sums"]:
        assert len(sums["seen"]) == len(sums["fresh"]) == boost.TREES
        assert (np.diff(sums["seen"]) <= 0).all()
