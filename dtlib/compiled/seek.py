"""The best split of one node, over its features.

Examples
--------
>>> spread_lots(np.array([5], np.uint64)[0], lots := np.empty(2, np.uint64))
>>> from dtlib.search.lots import lots as at_once
>>> bool((lots == at_once(np.array([5], np.uint64), 2)[:, 0]).all())
True
"""

import numpy as np

from dtlib.compiled.scans import (
    CODE,
    ROW,
    of_pairs,
    pairs_apart,
    scan_channels,
    scan_concave,
    scan_pairs,
    scan_sums,
)
from dtlib.compiled.state import BINARY, CHANNELS, PAIRS, SQUARES, Bounds, Goal, Table, Work
from dtlib.jit.compiling import compiled, inlined
from dtlib.search.lots import GOLDEN, hashes

hashed = compiled(hashes)  # of one number at a time


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


@inlined
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
    left, right = work.left, work.right
    if goal.kind == PAIRS:
        return scan_pairs(
            line,
            goal.label,
            goal.weight,
            left,
            sums,
            work.inverse,
            n,
            few,
            least,
            slack,
            values,
            gap,
            floor,
            find,
        )
    right[:] = sums
    return scan_concave(
        line, goal.label, goal.weight, left, right, n, few, least, slack, values, gap, floor, find, goal.table
    )


@compiled
def count_ones(line: np.ndarray, goal: Goal, twos: np.ndarray, ones: np.ndarray) -> None:
    """Sum over the rows that have the second value of each feature of two: how many, and what is scored."""
    ones[:] = 0
    for entry in line:
        row = entry & ROW
        if goal.kind == PAIRS:
            of_class = ones[goal.label[row]]
            for j in range(twos.shape[1]):
                of_class[j] += twos[row, j]
        else:
            y = goal.label[row] if goal.kind == BINARY else goal.channels[0, row]
            for j in range(twos.shape[1]):
                ones[0, j] += twos[row, j]
                ones[1, j] += twos[row, j] * y


@compiled
def score_twos(goal: Goal, few: int, n: int, sums: np.ndarray, work: Work) -> None:
    """Write the score of the only cut of each feature of two values, and after how many rows it comes.

    -1 rows if the feature is constant; 0 if too few are on a side.
    """
    ones, right, left_squared, right_squared = work.ones, work.of_twos[0], work.of_twos[1], work.of_twos[2]
    right[:] = ones[0]
    if goal.kind == PAIRS:
        right[:] = left_squared[:] = right_squared[:] = 0
        for k in range(len(sums)):
            for j in range(len(right)):
                c, whole = ones[k, j], sums[k]
                right[j] += c
                right_squared[j] += c * c
                left_squared[j] += (whole - c) * (whole - c)
    above, _ = pairs_apart(sums, n, work.inverse)
    total, inverse = sums[1] if goal.kind == BINARY else sums[0], work.inverse
    best, where, expected, factor = work.two_best, work.two_where, work.expected, work.factor
    for j in range(len(right)):
        left = n - right[j]
        constant, enough = left == 0 or right[j] == 0, left >= few and right[j] >= few
        where[j] = -1 if constant else left if enough else 0
        if constant or not enough:
            continue
        if goal.kind == PAIRS:
            best[j] = of_pairs(left, right[j], left_squared[j], right_squared[j], above, inverse)
        else:
            d = total - ones[1, j] - expected[left]
            best[j] = d * d * factor[left]


@compiled
def scan_line(
    f: int, table: Table, start: int, end: int, goal: Goal, bounds: Bounds, n: int, sums: np.ndarray,
    work: Work, slack: float, floor: float, find: float,
) -> tuple[float, int, bool]:  # fmt: skip
    """Return the best score of a feature that has a line, after how many rows it is cut, and if in doubt."""
    values = table.flat[table.first[f] : table.first[f + 1]]
    line = table.lines[table.place[f], start:end]
    score, _, where, doubt = scan(line, goal, bounds, n, sums, work, slack, values, floor, find)
    return score, where, doubt


@compiled
def scan_all(
    table: Table, start: int, end: int, goal: Goal, bounds: Bounds, n: int, sums: np.ndarray, work: Work,
    slack: float, active: np.ndarray, key: np.uint64,
) -> None:  # fmt: skip
    """Scan the features of a node; if only some are drawn, until so many could split it.

    A feature that is constant here is so in the whole subtree, and no longer active.
    """
    lines, places, most, drawn, floor = table.lines, table.place, bounds.max_features, 0, -np.inf
    all_best, all_where, all_doubt = work.best, work.where, work.doubt  # looked up once, as that takes time
    two_best, two_where, order = work.two_best, work.two_where, work.order
    all_best[:] = -np.inf
    if most < len(active):
        spread_lots(key, work.lots)
        order[:] = np.argsort(work.lots)
    if table.twos.shape[1]:
        count_ones(lines[-1, start:end], goal, table.twos, work.ones)
        score_twos(goal, bounds.min_leaf_rows, n, sums, work)
    for f in order:
        if not active[f]:
            continue
        place, doubt = places[f], False
        if place < 0:
            score, where = two_best[-1 - place], two_where[-1 - place]
        elif lines[place, start] >> CODE == lines[place, end - 1] >> CODE:
            score, where = -np.inf, -1
        else:
            score, where, doubt = scan_line(
                f, table, start, end, goal, bounds, n, sums, work, slack, floor, np.inf
            )
        active[f] = where >= 0
        if where <= 0:
            continue
        all_best[f], all_where[f], all_doubt[f] = score, where, doubt
        if most == len(active):
            floor = max(floor, score - 2 * slack)  # what scores less equals nothing that is chosen
        drawn += 1
        if drawn == most:
            break


@compiled
def seek_split(
    table: Table, start: int, end: int, goal: Goal, bounds: Bounds, n: int, sums: np.ndarray, work: Work,
    slack: float, active: np.ndarray, key: np.uint64,
) -> tuple[int, float, int]:  # fmt: skip
    """Return the feature asked at a node (-1: none), the best score, and after how many rows it is cut.

    Of equal features the first one is taken, and of it the first of equal cuts.
    """
    if end - start < 2 * bounds.min_leaf_rows:
        return -1, -np.inf, 0
    scan_all(table, start, end, goal, bounds, n, sums, work, slack, active, key)
    best, f = work.best.max(), 0
    if best == -np.inf:
        return -1, best, 0
    while work.best[f] < best - slack:
        f += 1
    if not work.doubt[f]:
        return f, best, work.where[f]
    find = work.best[f] - slack
    return f, best, scan_line(f, table, start, end, goal, bounds, n, sums, work, slack, -np.inf, find)[1]
