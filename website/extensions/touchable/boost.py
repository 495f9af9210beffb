"""The widget *slide the trees and the rate*: sums of trees of chapter 17, and their errors.

- ``boost:points``: the ten points, the sum after each tree, and the squared error that it leaves.
- ``boost:errors``: sums over twenty tables of Friedman's function, their errors on the samples seen and at
  fresh places.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.datasets import make_friedman1
from sklearn.ensemble import GradientBoostingRegressor

from dtlib import CARTRegressor
from dtlib.datasets import load_regression_points
from touchable.arguments import check
from touchable.depth import staircase

if TYPE_CHECKING:
    import pandas as pd

# As in the chapter:
RATES = (1, 0.5, 0.1)
TABLES, SEEN, FRESH, NOISE, FRESH_SEED, TREES, DEPTH = 20, 100, 1000, 2, 999, 150, 2
POINT_TREES = 40  # on the ten points, where the chapter grows four


def data(name: str) -> dict[str, Any]:
    """Return what the widget shows: a sum for each rate.

    >>> found = data("points")
    >>> found["sums"][1]["asked"][0], found["sums"][1]["left"][4]
    ([5.5, -1.558, 1.558], 0.84095)
    """
    known = {"points": points, "errors": errors}
    check(name, known, "place of a sum of trees")
    return known[name]()


def points() -> dict[str, Any]:
    """Return the ten points, and of each rate what its trees ask and say, its sums and what they leave.

    The widget starts where the chapter does.
    """
    table = load_regression_points()
    X, y = table.X, table.y
    return {
        "start": {"rate": 1, "trees": 1},
        "rates": RATES,
        "points": np.column_stack([X["x"], y]).tolist(),
        "sums": [stairs(X, y, rate) for rate in RATES],
    }


def stairs(X: pd.DataFrame, y: pd.Series, rate: float) -> dict[str, Any]:
    """Add up trees of one question, each fitted to what those before it leave."""
    F, asked, sums = np.full(len(y), y.mean()), [], []
    for _ in range(POINT_TREES):
        sums.append(F)
        h = CARTRegressor(max_depth=1).fit(X, y - F)
        (end, low), (_, high) = staircase(h)
        asked.append([end, low, high])
        F = F + rate * h.predict(X)
    sums.append(F)
    return {
        "asked": asked,
        "steps": [staircase(CARTRegressor().fit(X, F)) for F in sums],
        "left": [round(float(((y - F) ** 2).sum()), 6) for F in sums],
    }


def errors() -> dict[str, Any]:
    """Return of each rate the mean squared errors after each tree, and how many trees have the least."""
    fresh, truth = make_friedman1(FRESH, noise=0, random_state=FRESH_SEED)
    tables = [make_friedman1(SEEN, noise=NOISE, random_state=seed) for seed in range(TABLES)]
    sums = []
    for rate in RATES:
        settings = {"n_estimators": TREES, "max_depth": DEPTH, "learning_rate": rate, "random_state": 0}
        models = [GradientBoostingRegressor(**settings).fit(*table) for table in tables]
        missed = [[((said - truth) ** 2).mean() for said in model.staged_predict(fresh)] for model in models]
        curves = {"seen": [model.train_score_ for model in models], "fresh": missed}
        means = {name: np.mean(each, axis=0).round(5).tolist() for name, each in curves.items()}
        sums.append(means | {"best": int(np.argmin(means["fresh"])) + 1})
    return {"rates": RATES, "sums": sums}
