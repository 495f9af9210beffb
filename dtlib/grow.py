"""Growing a tree, one level at a time (chapter 4).

All open nodes of a level are counted together (as in SLIQ [1]_ and RainForest [2]_), so the work of a level
does not depend on how many nodes it has, and nothing is recursive.

References
----------
.. [1] M. Mehta, R. Agrawal, J. Rissanen, "SLIQ: a fast scalable classifier for data mining", EDBT 1996.
.. [2] J. Gehrke, R. Ramakrishnan, V. Ganti, "RainForest", VLDB 1998.
"""

from __future__ import annotations

import numpy as np

from dtlib.counts import BLOCK, Column, Training, count_tables, whole
from dtlib.measures import impurity_decrease
from dtlib.tree import BELOW, CRITERIA, EMPTY, NO_FEATURE, NO_GAIN, PURE, REASONS, TIE, Feature, Tree


def grow(data: Training, *, criterion: str = "entropy", min_gain: float = 0.0) -> Tree:
    """Grow a multiway tree that asks each feature at most once on a path.

    Parameters
    ----------
    data : Training
        Coded nominal features and target, nothing missing.
    criterion : {"entropy"}
        The impurity whose decrease is the gain.
    min_gain : float
        A node is split only if its best gain is positive and at least this (bits).

    Returns
    -------
    Tree
    """
    codes = np.stack([column.codes for column in data.columns])
    V = np.array([len(column.values) for column in data.columns])
    J, K, levels = 1, len(data.target.values), []
    rows, node = np.arange(codes.shape[1]), np.zeros(codes.shape[1], int)  # node: its number within the level
    asked = np.zeros((1, len(V)), bool)
    while J:
        weight = None if data.weight is None else data.weight[rows]
        y = data.target.codes[rows]
        counts = count_tables(y, np.zeros_like(y), (J, K, 1), node, weight)[..., 0]
        open_ = (counts > 0).sum(1) > 1
        gain = np.full((J, len(V)), -np.inf)
        gain[open_] = level_gains(data, rows, node, open_, asked, criterion)
        feature, best, stop = decide(gain, CRITERIA[criterion](counts), min_gain)
        stop[~open_] = np.where(counts[~open_].any(axis=1), REASONS.index(PURE), REASONS.index(EMPTY))
        levels.append((feature, counts, best, stop))

        asks = feature >= 0
        asked[asks, feature[asks]] = True
        children = np.where(asks, V[feature], 0)
        before = np.cumsum(children) - children
        rows, node = rows[asks[node]], node[asks[node]]
        node = before[node] + codes[feature[node], rows]
        asked, J = np.repeat(asked, children, axis=0), int(children.sum())

    feature, counts, gain, stop = map(np.concatenate, zip(*levels, strict=True))
    features = tuple(Feature(column.name, column.values) for column in data.columns)
    return Tree(features, data.target.values, criterion, feature, whole(counts), gain, stop, data)


def level_gains(
    data: Training, rows: np.ndarray, node: np.ndarray, open_: np.ndarray, asked: np.ndarray, criterion: str
) -> np.ndarray:
    """Return the gain of each feature at each open node, shape (open nodes, features).

    A feature that was asked above, or of which the node has one value only, gets -inf: it is no candidate.
    """
    rows = rows[open_[node]]
    node = (np.cumsum(open_) - 1)[node[open_[node]]]
    J, y = int(open_.sum()), data.target.codes[rows]
    weight = None if data.weight is None else data.weight[rows]
    gain = np.empty((J, len(data.columns)))
    for f, column in enumerate(data.columns):
        for block, tables in blocks(column, rows, node, y, weight, (J, len(data.target.values))):
            splits = ((tables.sum(2) > 0).sum(1) > 1) & ~asked[open_][block, f]
            gain[block, f] = np.where(splits, impurity_decrease(tables, CRITERIA[criterion]), -np.inf)
    return gain


def blocks(
    column: Column, rows: np.ndarray, node: np.ndarray, y: np.ndarray, weight: np.ndarray | None, JK: tuple
):
    """Yield (nodes, their tables) so that no more than about `BLOCK` cells are held at once."""
    (J, K), V = JK, len(column.values)
    step = max(1, BLOCK // max(1, V * K))
    for a in range(0, J, step):
        b = min(J, a + step)
        here = slice(None) if step >= J else (node >= a) & (node < b)
        w = None if weight is None else weight[here]
        yield slice(a, b), count_tables(column.codes[rows[here]], y[here], (b - a, V, K), node[here] - a, w)


def decide(
    gain: np.ndarray, impurity: np.ndarray, min_gain: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Choose the feature of each node: the largest gain, of equals the first column; -1 for a leaf.

    Returns
    -------
    feature, gain of the choice (0 at a leaf), why it is a leaf (index into REASONS), each of shape (nodes,)
    """
    best = gain.max(axis=1)
    slack = TIE * impurity
    feature = (gain >= (best - slack)[:, None]).argmax(axis=1)
    candidate, gains, enough = np.isfinite(best), best > slack, best >= min_gain - slack
    split = candidate & gains & enough
    no_feature, no_gain, below = (REASONS.index(reason) for reason in (NO_FEATURE, NO_GAIN, BELOW))
    stop = np.select([split, ~candidate, ~gains], [0, no_feature, no_gain], below)
    return np.where(split, feature, -1), np.where(split, best, 0.0), stop
