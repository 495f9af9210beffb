"""Splits that are drawn, one for each feature at each node: extremely randomized trees (chapter 24).

A threshold is drawn uniformly between the smallest and the largest value of the node; a nominal feature is
divided by a proper subset of the categories that the node has, each subset as likely as any other [1]_. Other
categories have no branch there, as everywhere in this library; the paper draws one for them, too.

The numbers that decide belong to a node and a feature (`random_keys`), so a tree depends neither on the order
of the rows nor on that in which its nodes are searched.

References
----------
.. [1] P. Geurts, D. Ernst, L. Wehenkel, "Extremely randomized trees", Machine Learning 63 (2006) 3-42, table 1
   and appendix A.
"""

from typing import NamedTuple

import numpy as np

from dtlib.arrays import first_best, of_group
from dtlib.counting.score import Scorer
from dtlib.search.by_order import Scan, too_close
from dtlib.search.by_table import BestGroups, CountedPairs, canonical_orientation, count_pairs
from dtlib.search.level import Level, Limits, enough
from dtlib.search.random_keys import GOLDEN, hashes, uniform


class DrawnSplits(NamedTuple):
    """The split of one feature that was drawn at each node of a level.

    `low` and `high` are the codes beside the threshold, which is NaN unless the feature is numeric.
    """

    score: np.ndarray
    low: np.ndarray
    high: np.ndarray
    threshold: np.ndarray
    groups: BestGroups | None = None


def score_sides(level: Level, right: np.ndarray, scorer: Scorer | None, limits: Limits) -> np.ndarray:
    """Score one division of each node: `right` tells which of its rows take the second branch."""
    if scorer is None:
        order = np.argsort(level.node * 2 + right, kind="stable")
        scores = Scan(level, None, limits).scores(level.rows[order][None], right[order][None])[0]
        return np.maximum.reduceat(scores, level.start)
    here, target, J = np.flatnonzero(~right), level.target, len(level.size)
    weight, parts = level.gathered
    gathered = None if weight is None else weight.take(here), [part.take(here) for part in parts]
    left = target.totals(gathered, level.node.take(here), J)
    score = scorer.cuts(left.n, level.totals)(left.channels)
    return np.where(enough(level, np.arange(J), left.n, left.rows, limits), score, -np.inf)


def draw_cuts(
    level: Level, code: np.ndarray, numbers: np.ndarray | None, key: np.ndarray, gap: float,
    scorer: Scorer | None, limits: Limits,
) -> DrawnSplits:  # fmt: skip
    """Draw a threshold of a numeric or ordered feature at each node.

    Parameters
    ----------
    level : Level
    code : int ndarray of shape (rows,)
    numbers : ndarray, optional
        The values of the feature, if it is numeric.
    key : uint64 ndarray of shape (nodes,)
        The random number of the feature at each node.
    gap, scorer, limits
        As in `dtlib.search.searcher`.
    """
    first, last = (f.reduceat(code, level.start) for f in (np.minimum, np.maximum))
    u, single = uniform(key), first == last
    if numbers is None:
        low, threshold = first + np.floor(u * (last - first)).astype(first.dtype), np.full(len(u), np.nan)
    else:
        x = numbers.astype(float)
        a, b = x[first], x[last]
        threshold = np.clip(a * (1 - u) + b * u, a, b)
        threshold = np.where(threshold == b, a, threshold)  # a row has to lie above
        low = np.searchsorted(x, threshold, side="right") - 1
        single = single | (too_close(numbers[first], numbers[last], gap) if gap else False)
    score = score_sides(level, code > of_group(low, level.node), scorer, limits)
    return DrawnSplits(np.where(single, -np.inf, score), low, low + 1, threshold)


def draw_groups(
    level: Level, code: np.ndarray, V: int, key: np.ndarray, nominal: str, scorer: Scorer | None,
    limits: Limits,
) -> DrawnSplits:  # fmt: skip
    """Draw two groups of the categories of a nominal feature at each node.

    Parameters
    ----------
    level, code, key, scorer, limits
        As for `draw_cuts`.
    V : int
        Number of categories.
    nominal : {"subset", "one_vs_rest"}
        Whether any group may be drawn, or one category.
    """
    pairs, none = count_pairs(level, code, V), np.full(len(level.size), -1)
    branch = one_category(level, pairs, key) if nominal == "one_vs_rest" else a_subset(level, pairs, key)
    right = branch[np.searchsorted(pairs.node * V + pairs.code, level.node * V + code)] == 1
    single = np.bincount(pairs.node, minlength=len(level.size)) < 2
    score = np.where(single, -np.inf, score_sides(level, right, scorer, limits))
    return DrawnSplits(score, none, none, np.full(len(none), np.nan), BestGroups(score, pairs, branch))


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
