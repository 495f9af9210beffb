"""The widget *turn the line* of chapter 22: what the best cut of the melons gains in each direction.

The directions are those of Figure 22.6, by the degree: of the density and the sugar, each brought to the
range from 0 to 1. In each the melons have an order, with a cut between any two neighbors.

Legend: N melons, K of them good; n of them, k good, are on the lower side of a cut.
"""

from __future__ import annotations

from functools import cache
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dtlib import CARTClassifier, ObliqueTreeClassifier
from dtlib.datasets import load_watermelon
from dtlib.measures import gini, impurity_decrease

if TYPE_CHECKING:
    import pandas as pd

FEATURES = ["density", "sugar"]
DIGITS = 12  # gains that differ only beyond are equal
SIGNS = "0123456789abcdefghijklmnopqrstuvwxyz"  # one for each row of an order


class Melons(NamedTuple):
    """The rows, their classes, and where the rows are on the plane of Figure 22.6."""

    X: pd.DataFrame
    y: pd.Series
    low: np.ndarray
    span: np.ndarray

    @property
    def z(self) -> np.ndarray:
        """The features from 0 to 1."""
        return (self.X.to_numpy() - self.low) / self.span

    @property
    def good(self) -> np.ndarray:
        """The class of each row as its number."""
        return (self.y == self.y.cat.categories[1]).to_numpy().astype(int)


@cache
def melons() -> Melons:
    """Return the data of the chapter."""
    table = load_watermelon("3.0")
    X = table.X[FEATURES]
    low = X.min().to_numpy()
    return Melons(X, table.y.astype("category"), low, X.max().to_numpy() - low)


def projected(z: np.ndarray, degrees: np.ndarray) -> np.ndarray:
    """Return the sum (22.3) of each row in each direction.

    >>> projected(np.array([[1.0, 0.5]]), np.array([0, 90])).round(3).tolist()
    [[1.0], [0.5]]
    """
    turn = np.radians(degrees)
    return np.stack([np.cos(turn), np.sin(turn)], axis=1) @ z.T


def swaps(z: np.ndarray) -> np.ndarray:
    """Return the directions, from 0 to 180 degrees, in which two rows change places.

    >>> swaps(np.array([[0.0, 0.0], [1.0, 1.0]])).tolist()
    [135.0]
    """
    i, j = np.triu_indices(len(z), 1)
    dx, dy = (z[i] - z[j]).T
    return np.sort(np.degrees(np.arctan2(dx, -dy) % np.pi))


def gains(N: int, K: int) -> np.ndarray:
    """Return what a cut gains, by n and k of its lower side; 0 where there is none.

    >>> gains(17, 8)[7, 0].round(3)
    np.float64(0.31)
    """
    table = np.zeros((N + 1, K + 1))
    for n in range(1, N):
        for k in range(max(0, n - (N - K)), min(n, K) + 1):
            sides = [[n - k, k], [N - K - n + k, K - k]]
            table[n, k] = impurity_decrease(sides, gini)
    return table


def best_cuts(lines: np.ndarray, good: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Order the rows by each line of sums; return the order, n and gain of the best cut, the lowest if tied.

    >>> best_cuts(np.array([[2.0, 0.0, 1.0, 3.0]]), np.array([1, 0, 0, 1]))
    (array([[1, 2, 0, 3]]), array([2]), array([0.5]))
    """
    order = lines.argsort(axis=1, kind="stable")
    k = good[order].cumsum(axis=1)[:, :-1]
    n = np.arange(1, len(good))
    gain = gains(len(good), good.sum())[n, k]
    best = gain.round(DIGITS).argmax(axis=1)
    return order, n[best], gain[np.arange(len(lines)), best]


def weights(rows: Melons, degrees: float, order: np.ndarray) -> list[float]:
    """Return the weights of the features in their own units in a direction, the largest 1.

    They have as few digits as keep the order of the rows, two at least, and none becomes 0.

    >>> weights(melons(), 90, np.argsort(melons().X["sugar"].to_numpy()))
    [0.0, 1.0]
    """
    turn = np.radians(degrees)
    w = np.array([np.cos(turn), np.sin(turn)]).round(DIGITS) / rows.span
    w /= np.abs(w).max()
    for digits in range(2, DIGITS):
        short = w.round(digits)
        if (np.diff(rows.X.to_numpy()[order] @ short) > 0).all() and ((short == 0) == (w == 0)).all():
            return short.tolist()
    return w.tolist()


def curve(z: np.ndarray, good: np.ndarray) -> list[list[float]]:
    """Return the steps of Figure 22.6: from which direction on the best cut gains how much.

    >>> curve(melons().z, melons().good)[:2]
    [[0.0, 0.136279], [14.28, 0.094909]]
    """
    turns = np.array([0, *swaps(z), 180])
    _, _, gain = best_cuts(projected(z, (turns[:-1] + turns[1:]) / 2), good)
    steps = zip(turns.round(2).tolist(), gain.round(6).tolist(), strict=False)
    return [list(next(same)) for _, same in groupby(steps, key=itemgetter(1))]


def library(rows: Melons) -> dict[str, int]:
    """Return the direction of the library's best line, and the feature of its best question about one.

    >>> library(melons())
    {'degrees': 111, 'feature': 1}
    """
    line = ObliqueTreeClassifier(random_state=0).fit(rows.X, rows.y).tree_.root.split
    alone = CARTClassifier().fit(rows.X, rows.y).tree_.root.split
    x, y = np.array(line.coefficients) * rows.span
    degrees = round(float(np.degrees(np.arctan2(y, x) % np.pi)))
    return {"degrees": degrees, "feature": FEATURES.index(alone.feature)}


def data() -> dict[str, Any]:
    """Return the melons, their order and best cut in each direction, and what every cut would gain.

    >>> found = data()
    >>> len(found["order"]), found["best"][0], found["order"][0]
    (181, 4, '9abe5764f32cd80g1')
    """
    rows = melons()
    N, K = len(rows.y), int(rows.good.sum())
    turns = np.arange(181)
    order, best, _ = best_cuts(projected(rows.z, turns), rows.good)
    counts = [[gini([n - k, k]) if 0 < n >= k else 0 for k in range(K + 1)] for n in range(N + 1)]
    return {
        "features": FEATURES,
        "classes": list(rows.y.cat.categories),
        "names": [int(name) for name in rows.X.index],
        "x": rows.X.to_numpy().tolist(),
        "class": rows.good.tolist(),
        "low": rows.low.tolist(),
        "span": rows.span.round(DIGITS).tolist(),
        "weights": [weights(rows, turn, line) for turn, line in zip(turns, order, strict=True)],
        "order": ["".join(SIGNS[row] for row in line) for line in order],
        "best": best.tolist(),
        "gain": gains(N, K).round(6).tolist(),
        "gini": np.round(counts, 6).tolist(),
        "curve": curve(rows.z, rows.good),
        "library": library(rows),
    }
