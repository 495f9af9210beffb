"""By which power of the rows, of the columns and of the classes the time of a full tree grows."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from cases import Case, Data, continuous
from report import number, table

ROWS = 20_000
Points = dict[str, list[tuple[int, float]]]  # of each library: a size, and the seconds


def classes(n: int, K: int) -> Data:
    """Return normal numbers, and classes of equal size that depend on three of them, with noise."""
    X, _ = continuous(n)
    score = X[:, 0] + X[:, 1] * X[:, 2] + np.random.default_rng(4).normal(scale=0.7, size=n)
    return X, np.argsort(np.argsort(score)) * K // n


#: What grows, its sizes, and the tables.
GROWING: dict[str, tuple[tuple[int, ...], Callable[[int], Case]]] = {
    "columns": (
        (5, 10, 20, 40, 80), lambda d: Case("", partial(continuous, d=d), ROWS),
    ),
    "classes": ((2, 4, 8, 16, 32), lambda K: Case("", partial(classes, K=K), ROWS)),
}  # fmt: skip


def slope(points: list[tuple[int, float]]) -> float:
    """Return the power by which seconds grow: the slope of the line through their logarithms.

    >>> round(slope([(10, 1.0), (100, 100.0)]), 6)
    2.0
    """
    sizes, seconds = zip(*points, strict=True)
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])


def slopes(found: dict[str, Points]) -> str:
    """Return a table of the powers."""
    head = [""]
    for what, points in found.items():
        sizes = [size for size, _ in next(iter(points.values()))]
        head.append(f"{what}, {min(sizes):,} to {max(sizes):,}")
    lines = [[name, *(number(slope(points[name])) for points in found.values())] for name in found["rows"]]
    said = "The power by which the seconds of a full tree grow; 1 is in proportion. The other tables have"
    return f"{said} {ROWS:,} rows, 20 columns or two classes.\n\n{table(head, lines)}"
