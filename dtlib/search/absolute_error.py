"""What a cut takes off the absolute error, for all cuts of a level at once (chapter 11).

The absolute error of a branch is the sum of the distances from its median. The medians of all left branches
are found together, one bit of their rank at a time, in a *wavelet matrix* [1]_: the rows are divided by the
highest bit of their rank, then by the next, and running sums tell each branch on which side its median lies.

References
----------
.. [1] F. Claude, G. Navarro, A. Ordóñez, "The wavelet matrix: an efficient wavelet tree for large alphabets",
   Information Systems 47 (2015) 15-32.
"""

from typing import NamedTuple

import numpy as np

from dtlib.counting.targets import RegressionTarget
from dtlib.search.level import Level


def absolute_cuts(level: Level, order: np.ndarray) -> np.ndarray:
    """Score the cut after each row, for features whose rows lie in order; arrays of shape (features, rows).

    All features are one sequence, in which each has a stretch of its own.
    """
    target, (b, m) = level.target, order.shape
    if not isinstance(target, RegressionTarget) or not target.median:
        raise ValueError(f"criterion {target.criterion.name!r} has no thresholds of numeric features")
    rows, shift = order.ravel(), np.arange(b)[:, None] * m
    start = (shift + level.start[level.node]).ravel()
    end, here = start + np.tile(level.size[level.node], b), np.arange(b * m)
    weight = np.ones(b * m, np.int64) if target.weight is None else np.take(target.weight, rows)
    weight, score = weight.astype(np.int64), np.zeros(b * m)
    for y, sums in zip(target.centered, target.shifted, strict=True):
        rank = np.empty(len(y), np.int64)
        # ranks start at 0 in every node, so one pass over the bits finds the medians of all nodes
        by_value = level.rows[np.lexsort((y[level.rows], level.node))]
        rank[by_value] = np.arange(m) - level.start[level.node]
        sequence = Sequence(rank[rows], weight, np.take(sums, rows), np.take(y, rows) * target.weight_unit)
        bits = int(level.size.max() - 1).bit_length()
        whole = errors(sequence, bits, level.start, level.start + level.size)[level.node]
        parts = errors(sequence, bits, start, here + 1) + errors(sequence, bits, here + 1, end)
        score += np.tile(whole, b) - parts
    return (score / len(target.shifted)).reshape(b, m)


class Sequence(NamedTuple):
    """Rows in an order: their ranks, weights w, sums w y (all integers), and y in the unit of w y / w."""

    rank: np.ndarray
    weight: np.ndarray
    sums: np.ndarray
    y: np.ndarray


def errors(sequence: Sequence, bits: int, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Return the absolute errors of the ranges low to high - 1 of a sequence.

    Parameters
    ----------
    sequence : Sequence
        No two rows of a range have the same rank, and y ascends with the rank.
    bits : int
        Number of bits of the largest rank.
    low, high : int ndarrays of shape (q,)

    Returns
    -------
    float ndarray of shape (q,)

    Examples
    --------
    >>> y = np.array([5, 1, 2])
    >>> sequence = Sequence(np.array([2, 0, 1]), np.ones(3, int), y, y.astype(float))
    >>> errors(sequence, 2, np.array([0, 0]), np.array([2, 3]))
    array([4., 4.])
    """
    rank, weight, sums, y = sequence
    running = [running_sum(x) for x in (weight, sums)]
    W, S = (r[high] - r[low] for r in running)
    below_w, below_s = np.zeros((2, len(low)), np.int64)
    for bit in reversed(range(bits)):
        zero = (rank >> bit) & 1 == 0
        count, w, s = (running_sum(zero * x) for x in (1, weight, sums))
        in_w, in_s = w[high] - w[low], s[high] - s[low]
        left = (2 * (below_w + in_w) >= W) & (count[high] > count[low])  # the median's bit is 0
        below_w += np.where(left, 0, in_w)
        below_s += np.where(left, 0, in_s)
        low, high = (np.where(left, count[i], count[-1] + i - count[i]) for i in (low, high))
        parted = np.concatenate([np.flatnonzero(zero), np.flatnonzero(~zero)])
        rank, weight, sums, y = (x[parted] for x in (rank, weight, sums, y))
    median = y[np.minimum(low, len(y) - 1)]
    return (S - 2 * below_s) - median * (W - 2 * below_w)


def running_sum(x: np.ndarray) -> np.ndarray:
    """Return the sums of the first 0, 1, 2, ... integers; they may wrap around, their differences do not."""
    return np.concatenate([[0], np.cumsum(x)])
