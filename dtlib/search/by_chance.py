"""Splits that are drawn, one for each feature at each node: extremely randomized trees (chapter 24).

A threshold is drawn uniformly between the smallest and the largest value of the node; a nominal feature is
divided by a proper subset of the categories that the node has, each subset as likely as any other [1]_. Other
categories have no branch there, as everywhere in this library; the paper draws one for them, too.

The numbers that decide belong to a node and a feature (`random_keys`), so a tree depends neither on the order
of the rows nor on that in which its nodes are searched.

References
----------
.. [1] P. Geurts, D. Ernst, L. Wehenkel, "Extremely randomized trees", Machine Learning 63 (2006) 3-42,
   table 1 and appendix A.

Examples
--------
>>> from dtlib import CARTClassifier
>>> X, y = [[0.0], [1.0], [2.0], [10.0]], [0, 1, 1, 1]
>>> drawn = [CARTClassifier(splitter="random", max_depth=1, random_state=i).fit(X, y) for i in range(3)]
>>> [round(float(model.tree_.threshold[0]), 2) for model in drawn]
[3.18, 4.44, 2.38]
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from dtlib.arrays import first_best
from dtlib.counting.score import Scorer
from dtlib.search.by_order import Scan, too_close
from dtlib.search.by_table import BestGroups, CountedPairs, canonical_orientation, count_pairs
from dtlib.search.level import Level, Limits, enough
from dtlib.search.random_keys import GOLDEN, hashes, uniform
from dtlib.table.training import Training


class DrawnSplits(NamedTuple):
    """The split that was drawn for each of some features at each node of a level: arrays (features, nodes).

    `low` and `high` are the codes beside the threshold, in the table and not in the node alone.
    """

    score: np.ndarray
    low: np.ndarray
    high: np.ndarray
    threshold: np.ndarray


def values_of(data: Training) -> list[np.ndarray]:
    """Return the values of each feature, as floats; those of a feature that is not numeric are its codes."""
    every = enumerate(data.features)
    return [np.asarray(data.numbers.get(f, np.arange(len(x.values))), dtype=float) for f, x in every]


def score_sides(level: Level, right: np.ndarray, scorer: Scorer | None, limits: Limits) -> np.ndarray:
    """Score divisions of each node; `right`, of shape (k, rows), tells which rows take the second branch."""
    k, m = right.shape
    if scorer is None:
        order = np.argsort(level.node * 2 + right, axis=1, kind="stable")
        scores = Scan(level, None, limits).scores(level.rows[order], np.take_along_axis(right, order, 1))
        return np.asarray(np.maximum.reduceat(scores, level.start, axis=1))
    target, here, J = level.target, level.tiled(k), len(level.size)
    line, place = np.divmod(np.flatnonzero(~right), m)
    weight, parts = level.gathered
    gathered = None if weight is None else weight.take(place), [part.take(place) for part in parts]
    left = target.totals(gathered, line * J + level.node.take(place), k * J)
    score = scorer.cuts(left.n, here.totals)(left.channels)
    possible = enough(here, np.arange(k * J), left.n, left.rows, limits)
    return np.where(possible, score, -np.inf).reshape(k, J)


def draw_cuts(
    level: Level, code: np.ndarray, values: Sequence[np.ndarray], key: np.ndarray, gap: float,
    scorer: Scorer | None, limits: Limits,
) -> DrawnSplits:  # fmt: skip
    """Draw a threshold of some numeric or ordered features at each node.

    Parameters
    ----------
    level : Level
    code : int ndarray of shape (k, rows)
    values : sequence of k ndarrays
        The values of each feature.
    key : uint64 ndarray of shape (k, nodes)
        The random number of each feature at each node.
    gap, scorer, limits
        As in `dtlib.search.searcher`.
    """
    first, last = (f.reduceat(code, level.start, axis=1) for f in (np.minimum, np.maximum))
    a, b = (np.stack([x.take(c) for x, c in zip(values, end, strict=True)]) for end in (first, last))
    u = uniform(key)
    threshold = np.clip(a * (1 - u) + b * u, a, b)
    threshold = np.where(threshold == b, a, threshold)  # a row has to lie above
    each = zip(values, threshold, strict=True)
    low = np.stack([x.searchsorted(t, side="right") - 1 for x, t in each])
    right = code > (low if len(level.size) == 1 else low.take(level.node, axis=1))
    single = too_close(a.astype(np.float32), b.astype(np.float32), gap) if gap else first == last
    score = np.where(single, -np.inf, score_sides(level, right, scorer, limits))
    return DrawnSplits(score, low, low + 1, threshold)


def draw_groups(
    level: Level, code: np.ndarray, V: int, key: np.ndarray, nominal: str, scorer: Scorer | None,
    limits: Limits,
) -> BestGroups:  # fmt: skip
    """Draw two groups of the categories of a nominal feature at each node.

    Parameters
    ----------
    level, scorer, limits
        As for `draw_cuts`.
    code : int ndarray of shape (rows,)
    key : uint64 ndarray of shape (nodes,)
    V : int
        Number of categories.
    nominal : {"subset", "one_vs_rest"}
        Whether any group may be drawn, or one category.
    """
    pairs = count_pairs(level, code, V)
    branch = one_category(level, pairs, key) if nominal == "one_vs_rest" else a_subset(level, pairs, key)
    right = branch[np.searchsorted(pairs.node * V + pairs.code, level.node * V + code)] == 1
    single = np.bincount(pairs.node) < 2
    score = score_sides(level, right[None], scorer, limits)[0]
    return BestGroups(np.where(single, -np.inf, score), pairs, branch)


def a_subset(level: Level, pairs: CountedPairs, key: np.ndarray) -> np.ndarray:
    """Return the branch of each pair: a coin is tossed for each, anew where all fall on the same side."""
    branch, todo = np.zeros(len(pairs.node), np.intp), np.bincount(pairs.node) > 1
    while todo.any():
        heads = of_pairs(pairs, key) >> np.uint64(63) == 1
        tossed = canonical_orientation(level, pairs, heads)
        branch = np.where(todo[pairs.node], tossed, branch)
        todo &= np.bincount(pairs.node, tossed) == 0
        key = hashes(key)
    return branch


def one_category(level: Level, pairs: CountedPairs, key: np.ndarray) -> np.ndarray:
    """Return the branch of each pair: the category of the largest random number has the first branch."""
    largest = (of_pairs(pairs, key) >> np.uint64(11)).astype(float)
    _, chosen = first_best(pairs.node, largest, 0.0, len(level.size))
    return (np.arange(len(largest)) != chosen[pairs.node]).astype(np.intp)


def of_pairs(pairs: CountedPairs, key: np.ndarray) -> np.ndarray:
    """Return a random number for each pair, given those of the feature at each node."""
    return hashes(key[pairs.node] + (pairs.code + 1).astype(np.uint64) * GOLDEN)
