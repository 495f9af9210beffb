"""What a cut takes off the absolute error, for all cuts of a level at once (chapter 10).

The absolute error of a branch is the sum of the distances from its median. The medians of all left branches
are found together, one bit of their rank at a time, in a *wavelet matrix* [1]_: the rows are parted by the
highest bit of their rank, then by the next, and running sums tell each branch on which side its median lies.

References
----------
.. [1] F. Claude, G. Navarro, A. Ordóñez, "The wavelet matrix: an efficient wavelet tree for large alphabets",
   Information Systems 47 (2015) 15-32.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def absolute_cuts(level: Any, order: np.ndarray) -> np.ndarray:
    """Score the cut after each row, for columns whose rows lie in order; arrays of shape (columns, rows)."""
    return np.stack([_column(level, rows) for rows in np.atleast_2d(order)])


def _column(level: Any, rows: np.ndarray) -> np.ndarray:
    """Score the cuts of one column, the mean over the outputs."""
    target, m = level.target, len(rows)
    here, start = np.arange(m), level.start[level.node]
    end = start + level.size[level.node]
    weight = np.ones(m) if target.weight is None else np.take(target.weight, rows) * target.weight_unit
    score = np.zeros(m)
    for y, sums in zip(target.centered, target.shifted, strict=True):
        rank = np.empty(len(y), np.int64)
        rank[level.rows[np.lexsort((y[level.rows], level.node))]] = here - start
        sequence = rank[rows], weight, np.take(sums, rows).astype(float), np.take(y, rows)
        bits = int(level.size.max() - 1).bit_length()
        whole = errors(sequence, bits, level.start, level.start + level.size)[level.node]
        score += whole - errors(sequence, bits, start, here + 1) - errors(sequence, bits, here + 1, end)
    return score / len(target.shifted)


def errors(sequence: tuple[np.ndarray, ...], bits: int, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Return the absolute errors of the ranges low to high - 1 of a sequence.

    Parameters
    ----------
    sequence : tuple of ndarrays of shape (m,)
        Rank, weight w, w y and y of each row; no two rows of a range have the same rank, and y ascends with
        the rank.
    bits : int
        Of the ranks.
    low, high : int ndarrays of shape (q,)

    Returns
    -------
    float ndarray of shape (q,)

    Examples
    --------
    >>> y = np.array([5.0, 1.0, 2.0])
    >>> errors((np.array([2, 0, 1]), np.ones(3), y, y), 2, np.array([0, 0]), np.array([2, 3]))
    array([4., 4.])
    """
    rank, weight, sums, y = sequence
    running = [np.concatenate([[0.0], np.cumsum(x)]) for x in (weight, sums)]
    W, S = (r[high] - r[low] for r in running)
    below_w, below_s = np.zeros(len(low)), np.zeros(len(low))
    for bit in reversed(range(bits)):
        zero = (rank >> bit) & 1 == 0
        count, w, s = (np.concatenate([[0], np.cumsum(zero * x)]) for x in (1, weight, sums))
        in_w, in_s = w[high] - w[low], s[high] - s[low]
        left = 2 * (below_w + in_w) >= W * (1 - 1e-14)  # the median is among the rows whose bit is 0
        left &= count[high] > count[low]
        below_w += np.where(left, 0, in_w)
        below_s += np.where(left, 0, in_s)
        low, high = (np.where(left, count[i], count[-1] + i - count[i]) for i in (low, high))
        parted = np.concatenate([np.flatnonzero(zero), np.flatnonzero(~zero)])
        rank, weight, sums, y = (x[parted] for x in (rank, weight, sums, y))
    median = y[np.minimum(low, len(y) - 1)]
    return (S - 2 * below_s) - median * (W - 2 * below_w)
