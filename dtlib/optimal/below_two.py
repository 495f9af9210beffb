"""The best trees of at most two levels of splits, compiled by Numba.

For each test at the root, the points that pass it are summed by all tests at once; the difference to the sums
over all points belongs to the points that fail it. `dtlib.search.questions.CandidateArrays` and
`dtlib.search.listed` describe the arrays.

Legend: P is the number of points, Q that of tests, K that of classes.

Examples
--------
>>> one, whole = np.array([[0], [5], [5]]), np.array([4, 5, 9])
>>> int(below_one(one, whole, 2, 1, 0, *np.empty((2, 1), np.int64)))
2
"""

import numpy as np

from dtlib.jit.compiling import compiled, inner
from dtlib.optimal.two_levels import NO_TREE
from dtlib.search.questions import CandidateArrays


@inner
def below_one(
    sums: np.ndarray, whole: np.ndarray, classes: int, alpha: int, least: int, low: np.ndarray,
    high: np.ndarray,
) -> int:  # fmt: skip
    """Return the cost of the best tree of at most one test, given the sums over points that pass each."""
    leaf = whole[0]
    for q in range(len(low)):
        low[q], high[q] = sums[0, q], whole[0] - sums[0, q]
    for k in range(1, classes):
        own, all_own = sums[k], whole[k]
        leaf = min(leaf, all_own)
        for q in range(len(low)):
            low[q] = min(low[q], own[q])
            high[q] = min(high[q], all_own - own[q])
    best = np.int64(NO_TREE)
    if least > 0:
        for q in range(len(low)):
            if min(sums[classes, q], whole[classes] - sums[classes, q]) < least:
                low[q] = NO_TREE
    for q in range(len(low)):
        best = min(best, low[q] + high[q])
    return min(best + 2 * alpha, leaf + alpha)


@inner
def add_up(
    points: np.ndarray, start: np.ndarray, cell: np.ndarray, follows: np.ndarray, joined: np.ndarray,
    costs: np.ndarray, sums: np.ndarray, whole: np.ndarray,
) -> None:  # fmt: skip
    """Sum the cost of each class over some points: over those that pass each test, and over all."""
    sums[:] = 0
    whole[:] = 0
    for p in points:
        for k in range(costs.shape[1]):
            cost = costs[p, k]
            if cost != 0:
                whole[k] += cost
                own = sums[k]
                for i in range(start[p], start[p + 1]):
                    own[cell[i]] += cost
    for k in range(costs.shape[1]):
        own = sums[k]
        for q in follows:
            own[q] += own[q - 1]
        for g in range(joined.shape[1]):
            own[joined[1, g]] = own[joined[2, g]] + own[joined[3, g]]


@compiled
def all_below_two(
    points: np.ndarray, candidates: np.ndarray, found: np.ndarray, tests: CandidateArrays
) -> None:
    """Write the cost of the best tree of at most two levels whose root is each of some tests.

    `found` has an entry for each test; only those of `candidates` are written.
    """
    start, cell, follows, joined, cells, feature, first, mask, costs, classes, alpha, least = tests
    questions, m, channels = len(first), len(points), costs.shape[1]
    sums, some = np.empty((2, channels, questions), np.int64)
    whole, part = np.empty((2, channels), np.int64)
    low, high = np.empty((2, questions), np.int64)
    parted = np.empty(m, np.int64)
    add_up(points, start, cell, follows, joined, costs, sums, whole)
    for q in candidates:
        size = part_points(points, cells, feature[q], first[q], q, mask[q], parted)
        found[q] = NO_TREE
        if size == 0 or size == m:
            continue
        fewer = parted[:size] if 2 * size <= m else parted[size:]
        add_up(fewer, start, cell, follows, joined, costs, some, part)
        if least > 0 and min(part[classes], whole[classes] - part[classes]) < least:
            continue
        cost = below_one(some, part, classes, alpha, least, low, high)
        for k in range(channels):
            part[k] = whole[k] - part[k]
            for r in range(questions):
                some[k, r] = sums[k, r] - some[k, r]
        found[q] = cost + below_one(some, part, classes, alpha, least, low, high)


@inner
def part_points(
    points: np.ndarray, cells: np.ndarray, f: int, first: int, q: int, mask: int, parted: np.ndarray
) -> int:  # fmt: skip
    """Write the points that pass a test to the front, the others to the end; return how many pass.

    Examples
    --------
    >>> parted = np.empty(3, int)
    >>> int(part_points(np.arange(3), np.array([[-1, 0, 1]]), 0, 0, 0, 0, parted)), parted.tolist()
    (1, [1, 2, 0])
    """
    size, m = 0, len(points)
    low, span = np.int32(first), np.uint32(q - first)
    for i in range(m):
        p = points[i]
        parted[size] = p
        parted[m - 1 - (i - size)] = p  # no branch: one of both entries is overwritten, or is right
        away = cells[f, p] - low
        if mask:
            size += mask >> away & 1
        else:
            size += int(np.uint32(away) <= span)
    return size
