"""The widget *more values, more luck* of chapter 5: what a useless feature gains, by draws and by (5.1)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dtlib.book.chance import chance_tables
from dtlib.measures import gain_ratio, information_gain

# As in the chapter.
SEED, N = 5, 100
VALUES = (2, 5, 10, 20, 30, 40, 60, 80, 100, 125, 150)
SPREAD = (0.05, 0.95)
PLACES = 6


def data() -> dict[str, Any]:
    """Return for each number of values the formula, the gains and the gain ratios of four thousand draws.

    >>> found = data()
    >>> found["values"][1], found["formula"][1], found["gain"]["mean"][1]
    (5, 0.028854, 0.030022)
    """
    rng = np.random.default_rng(SEED)
    drawn = [chance_tables(rng, N, V) for V in VALUES]
    return {
        "N": N,
        "values": VALUES,
        "formula": [round((V - 1) / (2 * N * math.log(2)), PLACES) for V in VALUES],
        "gain": spread([information_gain(tables) for tables in drawn]),
        "ratio": spread([gain_ratio(tables) for tables in drawn]),
    }


def spread(found: list[np.ndarray]) -> dict[str, list[float]]:
    """Return the mean of each array, and between which numbers nine in ten of it lie.

    >>> spread([np.arange(101)])
    {'mean': [50.0], 'low': [5.0], 'high': [95.0]}
    """
    low, high = np.quantile(found, SPREAD, axis=1).round(PLACES).tolist()
    return {"mean": np.mean(found, axis=1).round(PLACES).tolist(), "low": low, "high": high}
