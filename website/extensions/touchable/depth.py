"""The widget *slide the depth*: the regression trees of chapter 11 at every depth, and their errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from dtlib import CARTRegressor
from touchable.arguments import check

Table = tuple[pd.DataFrame, pd.Series]

SEED, SEEN, FRESH, NOISE = 10, 80, 1000, 0.3  # as in the chapter
DEPTHS = (*range(11), None)  # None: no limit


def data(start: str, *more: str) -> dict[str, Any]:
    """Return the points, the truth, and of each depth the staircase, and with ``errors`` its errors.

    >>> found = data("11", "errors")
    >>> found["trees"][found["start"]]["leaves"], found["best"]
    (80, 3)
    """
    check(start, [str(i) for i in range(len(DEPTHS))], "place among the depths")
    for argument in more:
        check(argument, ["errors"], "addition")
    rng = np.random.default_rng(SEED)
    seen, fresh = draw_table(rng, SEEN), draw_table(rng, FRESH)
    grown = [CARTRegressor(max_depth=depth).fit(*seen) for depth in DEPTHS]
    trees = [{"leaves": model.get_n_leaves(), "steps": staircase(model)} for model in grown]
    found = {
        "start": int(start),
        "points": np.round(np.column_stack([seen[0]["x"], seen[1]]), 4).tolist(),
        "deepest": grown[-1].get_depth(),
        "trees": trees,
    }
    if "errors" in more:
        for tree, model in zip(trees, grown, strict=True):
            tree["seen"], tree["fresh"] = mse(model, seen), mse(model, fresh)
        found["best"] = int(np.argmin([tree["fresh"] for tree in trees]))
    return found


def draw_table(rng: np.random.Generator, n: int) -> Table:
    """Draw a table as the chapter does: the truth is a sine, the noise is normal."""
    x = np.sort(rng.uniform(0, 2 * np.pi, n))
    return pd.DataFrame({"x": x}), pd.Series(np.sin(x) + rng.normal(0, NOISE, n))


def staircase(model: CARTRegressor) -> list[list[float | None]]:
    """Return the steps of a tree of one number: up to where, and how high. The last one has no end.

    >>> staircase(CARTRegressor().fit(pd.DataFrame({"x": [1, 2]}), [5.0, 7.0]))
    [[1.5, 5.0], [None, 7.0]]
    """
    ends = sorted(node.split.threshold for node in model.tree_ if not node.is_leaf)
    inside = [*ends, ends[-1] + 1 if ends else 0.0]  # a threshold belongs to the step before it
    heights = model.predict(pd.DataFrame({"x": inside}))
    last = len(ends)
    return [
        [round(float(end), 5) if i < last else None, round(float(height), 4)]
        for i, (end, height) in enumerate(zip(inside, heights, strict=True))
    ]


def mse(model: CARTRegressor, table: Table) -> float:
    """Return the mean squared error of a tree on a table."""
    return round(float(((model.predict(table[0]) - table[1]) ** 2).mean()), 9)
