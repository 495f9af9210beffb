"""The best split of one node, over its features.

Examples
--------
>>> spread_lots(np.array([5], np.uint64)[0], lots := np.empty(2, np.uint64))
>>> from dtlib.search.lots import lots as at_once
>>> bool((lots == at_once(np.array([5], np.uint64), 2)[:, 0]).all())
True
"""

import numpy as np

from dtlib.compiled.jit import compiled
from dtlib.compiled.scans import CODE, scan_channels, scan_concave, scan_pairs, scan_sums
from dtlib.compiled.state import BINARY, CHANNELS, PAIRS, SQUARES, Bounds, Goal, Work
from dtlib.search.lots import FIRST, GOLDEN, SECOND

TURNS = 30, 27, 31


@compiled
def hashed(x: np.uint64) -> np.uint64:
    """Return what `dtlib.search.lots.hashes` does, of one number."""
    x = (x ^ (x >> np.uint64(TURNS[0]))) * FIRST
    x = (x ^ (x >> np.uint64(TURNS[1]))) * SECOND
    return x ^ (x >> np.uint64(TURNS[2]))


@compiled
def spread_lots(key: np.uint64, lots: np.ndarray) -> None:
    """Write a lot for each feature of a node."""
    for f in range(len(lots)):
        lots[f] = hashed(key + np.uint64(f + 1) * GOLDEN)


@compiled
def expect(n: int, total: int, goal: Goal, work: Work) -> None:
    """Write what the first rows of a node would have as their share, and what a distance from it counts."""
    for i in range(1, n):
        work.expected[i] = i / n * total
        work.factor[i] = (work.inverse[i] + work.inverse[n - i]) * goal.scale


@compiled
def scan(
    line: np.ndarray, goal: Goal, bounds: Bounds, n: int, sums: np.ndarray, work: Work, slack: float,
    values: np.ndarray, floor: float, find: float,
) -> tuple[float, float, int, bool]:  # fmt: skip
    """Find the best cut along a line, if it scores more than `floor`; or the first that scores `find`."""
    few, least, gap = bounds.min_leaf_rows, bounds.min_leaf, bounds.gap
    if goal.kind == BINARY:
        return scan_sums(line, goal.label, work.expected, work.factor, few, slack, values, gap, floor, find)
    if goal.kind == SQUARES:
        return scan_sums(
            line, goal.channels[0], work.expected, work.factor, few, slack, values, gap, floor, find
        )
    work.left[:] = 0
    if goal.kind == CHANNELS:
        return scan_channels(
            line, goal.channels, goal.weight, work.left, sums, n, few, least, slack, values, gap, floor, find,
            goal.ends, goal.has_rest, goal.scale,
        )  # fmt: skip
    work.right[:] = sums
    left, right = work.left, work.right
    if goal.kind == PAIRS:
        return scan_pairs(
            line, goal.label, goal.weight, left, right, n, few, least, slack, values, gap, floor, find
        )
    return scan_concave(
        line, goal.label, goal.weight, left, right, n, few, least, slack, values, gap, floor, find, goal.table
    )


@compiled
def scan_all(
    lines: np.ndarray, goal: Goal, bounds: Bounds, n: int, sums: np.ndarray, work: Work, slack: float,
    flat: np.ndarray, first: np.ndarray, active: np.ndarray, key: np.uint64,
) -> None:  # fmt: skip
    """Scan the features of a node; if only some are drawn, until so many could split it.

    A feature that is constant here is so in the whole subtree, and no longer active.
    """
    drawn, rows, floor = 0, lines.shape[1], -np.inf
    work.best[:] = -np.inf
    order = np.arange(len(active))
    if bounds.max_features < len(active):
        spread_lots(key, work.lots)
        order = np.argsort(work.lots)
    for f in order:
        if not active[f]:
            continue
        line = lines[f]
        if line[0] >> CODE == line[rows - 1] >> CODE:
            active[f] = False
            continue
        values = flat[first[f] : first[f + 1]]
        score, _, where, doubt = scan(line, goal, bounds, n, sums, work, slack, values, floor, np.inf)
        if where == 0:
            continue
        work.best[f], work.where[f], work.doubt[f] = score, where, doubt
        if bounds.max_features == len(active):
            floor = max(floor, score - 2 * slack)  # what scores less equals nothing that is chosen
        drawn += 1
        if drawn == bounds.max_features:
            break


@compiled
def seek_split(
    lines: np.ndarray, goal: Goal, bounds: Bounds, n: int, sums: np.ndarray, work: Work, slack: float,
    flat: np.ndarray, first: np.ndarray, active: np.ndarray, key: np.uint64,
) -> tuple[int, float, int]:  # fmt: skip
    """Return the feature asked at a node (-1: none), the best score, and after how many rows it is cut.

    Of equal features the first one is taken, and of it the first of equal cuts.
    """
    if lines.shape[1] < 2 * bounds.min_leaf_rows:
        return -1, -np.inf, 0
    scan_all(lines, goal, bounds, n, sums, work, slack, flat, first, active, key)
    best, f = work.best.max(), 0
    if best == -np.inf:
        return -1, best, 0
    while work.best[f] < best - slack:
        f += 1
    if not work.doubt[f]:
        return f, best, work.where[f]
    values, find = flat[first[f] : first[f + 1]], work.best[f] - slack
    return f, best, scan(lines[f], goal, bounds, n, sums, work, slack, values, -np.inf, find)[2]
