"""How many features a forest should draw at a node: its error and the parts of it on a made world.

    python -m experiments.drawn_features

writes `experiments/results/drawn_features.csv`, in about ten minutes on one core. The world is Friedman's
function of ten numbers with noise of variance 1, as chapter 16 draws it. For each size n of a table, `TABLES`
tables are drawn independently, and from each and for each m a forest of 100 trees of scikit-learn is grown,
which searches m features at a node. The forests answer at 200 fixed places, whose true values are known.

A line of the file is an m at an n. Each quantity is a mean over the places: the squared error of the forest,
that error minus the one of the forest of the same table that searches all features, the variance of a single
tree over tables and draws, the covariance of two trees of a table, their ratio rho, and the squared bias.
Behind each stands its standard error over the tables, by the jackknife; for a mean it is s / sqrt(tables).
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.datasets import make_friedman1
from sklearn.ensemble import RandomForestRegressor

KEPT = Path(__file__).resolve().parent / "results" / "drawn_features.csv"
TABLES = {60: 200, 200: 100, 1000: 40}
FEATURES = (10, 8, 7, 6, 5, 3, 2, 1)  # all of them first: the others are compared with it
TREES, PLACES = 100, 200


def sums(n: int, m: int, tables: int, at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean answer of each table's forest, shape (tables, places), and that of the squares."""
    mean, square = np.empty((2, tables, len(at)))
    for seed in range(tables):
        rows = make_friedman1(n, noise=1, random_state=seed)
        forest = RandomForestRegressor(TREES, max_features=m, random_state=seed).fit(*rows)
        answers = np.array([tree.predict(at) for tree in forest.estimators_])
        mean[seed], square[seed] = answers.mean(0), (answers**2).mean(0)
    return mean, square


def parts(mean: np.ndarray, square: np.ndarray, truth: np.ndarray) -> dict[str, float]:
    """Return the parts of the error, none of which is off in the mean, if the tables are independent.

    Notes
    -----
    With M the mean of all answers at a place, ``E[square - M**2]`` is the variance of a tree minus that of M.
    A product of two trees of one table is ``(TREES * mean**2 - square) / (TREES - 1)`` in the mean.
    """
    centre = mean.mean(0)
    off = mean.var(0, ddof=1) / len(mean)  # the variance of the centre
    pair = (TREES * mean**2 - square) / (TREES - 1)
    variance, covariance = (np.mean(x.mean(0) - centre**2 + off) for x in (square, pair))
    return {
        "error": np.mean((mean - truth) ** 2), "variance": variance, "covariance": covariance,
        "rho": covariance / variance, "bias2": np.mean((centre - truth) ** 2 - off),
    }  # fmt: skip


def with_errors(
    mean: np.ndarray, square: np.ndarray, all_: np.ndarray, truth: np.ndarray
) -> dict[str, float]:
    """Return the parts, the error minus that with all features, and the standard error of each."""

    def found(kept: np.ndarray) -> dict[str, float]:
        one = parts(mean[kept], square[kept], truth)
        return {**one, "minus_all": one["error"] - np.mean((all_[kept] - truth) ** 2)}

    rows = np.arange(len(mean))
    without = pd.DataFrame([found(rows != one) for one in rows])
    error = np.sqrt((len(rows) - 1) * without.var(ddof=0))
    whole = found(rows >= 0)
    return {name: x for key in whole for name, x in ((key, whole[key]), (f"{key}_se", error[key]))}


def main() -> None:
    """Grow everything, and write the file."""
    at, truth = make_friedman1(PLACES, noise=0, random_state=1000)
    lines: list[dict[str, Any]] = []
    for n, tables in TABLES.items():
        sys.stderr.write(f"{n} rows\n")
        grown = {m: sums(n, m, tables, at) for m in FEATURES}
        for m, (mean, square) in grown.items():
            line = with_errors(mean, square, grown[FEATURES[0]][0], truth)
            lines.append({"n": n, "m": m, "tables": tables, "trees": TREES, **line})
    pd.DataFrame(lines).round(5).to_csv(KEPT, index=False)


if __name__ == "__main__":
    main()
