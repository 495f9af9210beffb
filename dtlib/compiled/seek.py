"""The best split of one node, over its features.

Examples
--------
>>> fill_random_keys(np.array([5], np.uint64)[0], random_keys := np.empty(2, np.uint64))
>>> from dtlib.search.random_keys import random_keys as at_once
>>> bool((random_keys == at_once(np.array([5], np.uint64), 2)[:, 0]).all())
True
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from dtlib.compiled.describe import max_gain, sum_classes, weight_of
from dtlib.compiled.lines import known_rows
from dtlib.compiled.medians import rank_rows, scan_medians
from dtlib.compiled.scans import (
    Wanted,
    largest_of,
    of_pairs,
    pairs_apart,
    scan_channels,
    scan_classes,
    scan_concave,
    scan_pairs,
    scan_rates,
    scan_sums,
)
from dtlib.compiled.state import (
    BINARY,
    CHANNELS,
    CODE,
    ENTROPY,
    ERROR,
    MEDIANS,
    PAIRS,
    RATES,
    ROW,
    SQUARES,
    Bounds,
    CriterionState,
    NodeAt,
    Table,
    Work,
)
from dtlib.jit.compiling import compiled, inlined, inner
from dtlib.search.level import TIE
from dtlib.search.random_keys import GOLDEN, hashes

hashed = inner(hashes)  # of one integer at a time


@inner
def fill_random_keys(key: np.uint64, random_keys: np.ndarray) -> None:
    """Write a random key for each feature of a node."""
    for f in range(len(random_keys)):
        random_keys[f] = hashed(key + np.uint64(f + 1) * GOLDEN)


@compiled
def draw_order(key: np.uint64, random_keys: np.ndarray, order: np.ndarray) -> None:
    """Write the features of a node in the order of their random keys."""
    fill_random_keys(key, random_keys)
    order[:] = np.argsort(random_keys)


@inner
def expect(n: int, total: int, scale: float, expected: np.ndarray, factor: np.ndarray) -> None:
    """Write the expected sum of the first i rows of a node for each i, and the factor of its squares."""
    for i in range(1, n):
        expected[i] = i / n * total
        factor[i] = (1 / i + 1 / (n - i)) * scale


@inlined
def expect_sums(n: int, sums: np.ndarray, goal: CriterionState, work: Work) -> None:
    """Write expected sums and factors, if cuts are scored by a single sum."""
    if goal.kind == BINARY or goal.kind == SQUARES:
        total = sums[1] if goal.kind == BINARY else sums[0]
        expect(n, total, goal.scale, work.expected, work.factor)


@inner
def count_ones(line: np.ndarray, goal: CriterionState, twos: np.ndarray, ones: np.ndarray) -> None:
    """Sum over the rows that have the second of two values, for each such feature: rows, and channels."""
    ones[:] = 0
    if goal.kind == PAIRS:
        sum_by_class(line, goal.label, twos, ones)
    elif goal.kind == BINARY:
        sum_and_weigh(line, goal.label, twos, ones)
    else:
        sum_and_weigh(line, goal.channels[0], twos, ones)


@inner
def sum_by_class(line: np.ndarray, label: np.ndarray, twos: np.ndarray, ones: np.ndarray) -> None:
    """Sum the columns over the rows of a line, for each class."""
    for entry in line:
        row = entry & ROW
        of_class, values = ones[label[row]], twos[row]
        for j in range(len(values)):
            of_class[j] += values[j]


@inner
def sum_and_weigh(line: np.ndarray, y: np.ndarray, twos: np.ndarray, ones: np.ndarray) -> None:
    """Sum the columns over the rows of a line, both as they are and multiplied by y of each row."""
    plain, weighed = ones[0], ones[1]
    for entry in line:
        row = entry & ROW
        times, values = np.int64(y[row]), twos[row]
        for j in range(len(values)):
            plain[j] += values[j]
            weighed[j] += values[j] * times


@inlined
def score_twos(goal: CriterionState, few: int, n: int, sums: np.ndarray, work: Work) -> None:
    """Write the score of the only cut of each feature of two values, and the number of rows left of it.

    That number is -1 if the feature is constant, 0 if too few rows are on a side.
    """
    ones, right, left_squared, right_squared = work.ones, work.of_twos[0], work.of_twos[1], work.of_twos[2]
    for j in range(len(right)):
        right[j] = ones[0, j]
    if goal.kind == PAIRS:
        right[:] = left_squared[:] = right_squared[:] = 0
        for k in range(len(sums)):
            for j in range(len(right)):
                c, whole = ones[k, j], sums[k]
                right[j] += c
                right_squared[j] += c * c
                left_squared[j] += (whole - c) * (whole - c)
    above, _ = pairs_apart(sums, n)
    total = sums[1] if goal.kind == BINARY else sums[0]
    best, where, expected, factor = work.two_best, work.two_where, work.expected, work.factor
    for j in range(len(right)):
        left = n - right[j]
        constant, enough = left == 0 or right[j] == 0, left >= few and right[j] >= few
        where[j] = -1 if constant else left if enough else 0
        if constant or not enough:
            continue
        if goal.kind == PAIRS:
            best[j] = of_pairs(left, right[j], left_squared[j], right_squared[j], above)
        else:
            d = total - ones[1, j] - expected[left]
            best[j] = d * d * factor[left]


@inlined
def above(wanted: Wanted, score: float) -> Wanted:
    """Return what is wanted, if it has to score more than this, too."""
    floor = max(wanted.floor, score)
    return Wanted(wanted.slack, floor, wanted.find, wanted.gap, wanted.few, wanted.least, wanted.n)


def over_lines(scan: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that scans the lines of a node by one kind of score.

    With `max_features`, features are scanned until that many can split the node. A feature that is constant
    here is constant in the whole subtree, and becomes inactive. Arrays are passed one by one: to unpack them
    from a tuple for each line takes longer than to scan a short line.
    """

    @inner
    def scan_each(features, active, lines, places, flat, first, start, end, most, found, twos, wanted, *how):
        best, wheres, doubts = found
        two_best, two_where = twos
        drawn = 0
        for f in features:
            if not active[f]:
                continue
            place, near_tie = places[f], False
            if place < 0:
                score, where = two_best[-1 - place], two_where[-1 - place]
            elif lines[place, start] >> CODE == lines[place, end - 1] >> CODE:
                score, where = -np.inf, -1
            else:
                line, values = lines[place, start:end], flat[first[f] : first[f + 1]]
                score, _, where, near_tie = scan(line, values, wanted, *how)
            active[f] = where >= 0
            if where <= 0:
                continue
            best[f], wheres[f], doubts[f] = score, where, near_tie
            if most == len(active):
                wanted = above(wanted, score - 2 * wanted.slack)  # lower scores cannot equal the chosen one
            drawn += 1
            if drawn == most:
                break

    return scan_each


classes_of_lines, sums_of_lines = over_lines(scan_classes), over_lines(scan_sums)
concave_of_lines, channels_of_lines = over_lines(scan_concave), over_lines(scan_channels)
pairs_of_lines, medians_of_lines = over_lines(scan_pairs), over_lines(scan_medians)
rates_of_lines = over_lines(scan_rates)


@inner
def scan_lines(
    features: np.ndarray, table: Table, node: NodeAt, goal: CriterionState, bounds: Bounds, sums: np.ndarray,
    work: Work, active: np.ndarray, find: float,
) -> None:  # fmt: skip
    """Write the best score of each feature, the number of rows left of its cut, and if that is in doubt."""
    found, twos = (work.best, work.where, work.near_tie), (work.two_best, work.two_where)
    few, least = bounds.min_leaf_rows, bounds.min_leaf
    given = (
        features, active, table.lines, table.place, table.flat, table.first, node.start, node.end,
        bounds.max_features, found, twos,
        Wanted(node.slack, -np.inf, find, bounds.gap, few, least, node.n),
    )  # fmt: skip
    counted = goal.weight, sums, work.left
    if goal.kind == BINARY:
        classes_of_lines(*given, goal.label, work.expected, work.factor)
    elif goal.kind == SQUARES:
        sums_of_lines(*given, goal.channels[0], work.expected, work.factor)
    elif goal.kind == MEDIANS:
        line = table.lines[-1, node.start : node.end]
        whole = rank_rows(line, goal.weight, goal.channels, goal.centered, goal.unit, work.rank, work.ranks)
        medians_of_lines(*given, whole, work.rank, work.ranks)
    elif goal.kind == RATES:
        rates_of_lines(*given, goal.weight, goal.channels[0], sums[0])
    elif goal.kind == PAIRS:
        pairs_of_lines(*given, *counted, goal.label)
    elif goal.kind == CHANNELS:
        channels_of_lines(*given, *counted, goal.channels, goal.ends, (goal.has_rest, goal.scale))
    elif goal.kind == ENTROPY or goal.kind == ERROR:
        concave_of_lines(*given, *counted, goal.label, work.right, goal.table)
    else:
        raise ValueError("no cut is scored by this kind of score")


@inner
def scan_one(
    f: int, table: Table, node: NodeAt, goal: CriterionState, bounds: Bounds, sums: np.ndarray, work: Work,
    active: np.ndarray, find: float,
) -> None:  # fmt: skip
    """Write the best score of one feature, as `scan_lines` does."""
    work.one[0] = f
    scan_lines(work.one, table, node, goal, bounds, sums, work, active, find)


@inner
def scan_incomplete(
    f: int, table: Table, node: NodeAt, goal: CriterionState, bounds: Bounds, sums: np.ndarray, work: Work,
    active: np.ndarray,
) -> None:  # fmt: skip
    """Scan a feature with missing values: the rows whose value is known, as if they were the node."""
    line = table.lines[table.place[f], node.start : node.end]
    rows, known = known_rows(line, table.missing[f]), work.known
    active[f] = rows > 0 and line[0] >> CODE != line[rows - 1] >> CODE
    if not active[f] or rows < 2 * bounds.min_leaf_rows:
        return
    sum_classes(line[rows:], goal, known)
    for k in range(len(known)):
        known[k] = sums[k] - known[k]
    n = node.n - weight_of(line[rows:], goal.weight)
    stake, rounded, _ = max_gain(goal, known, n)
    at_hand = NodeAt(node.start, node.start + rows, n, TIE * stake + rounded, node.key)
    expect_sums(n, known, goal, work)
    scan_one(f, table, at_hand, goal, bounds, known, work, active, np.inf)
    best = work.best[f]
    if work.near_tie[f]:
        scan_one(f, table, at_hand, goal, bounds, known, work, active, best - at_hand.slack)
        work.best[f], work.near_tie[f] = best, False


@inlined
def scan_all(
    table: Table, node: NodeAt, goal: CriterionState, bounds: Bounds, sums: np.ndarray, work: Work,
    active: np.ndarray,
) -> None:  # fmt: skip
    """Scan the features of a node; if features are drawn, only until enough of them can split it."""
    work.best[:] = -np.inf
    expect_sums(node.n, sums, goal, work)
    if bounds.max_features < len(active):
        draw_order(node.key, work.random_keys, work.order)
    if table.twos.shape[1]:
        count_ones(table.lines[-1, node.start : node.end], goal, table.twos, work.ones)
        score_twos(goal, bounds.min_leaf_rows, node.n, sums, work)
    scan_lines(work.order, table, node, goal, bounds, sums, work, active, np.inf)
    for f in table.incomplete:
        if active[f]:
            scan_incomplete(f, table, node, goal, bounds, sums, work, active)


@inlined
def best_node_split(
    table: Table, node: NodeAt, goal: CriterionState, bounds: Bounds, sums: np.ndarray, work: Work,
    active: np.ndarray,
) -> tuple[int, float, int]:  # fmt: skip
    """Return the feature on which a node splits (-1: none), the best score, and the rows left of the cut.

    Among equal features the first one is taken, and of it the first of equal cuts.
    """
    if node.end - node.start < 2 * bounds.min_leaf_rows:
        return -1, -np.inf, 0
    scan_all(table, node, goal, bounds, sums, work, active)
    best, f = largest_of(work.best), 0
    if best == -np.inf:
        return -1, best, 0
    while work.best[f] < best - node.slack:
        f += 1
    if not work.near_tie[f]:
        return f, best, work.where[f]
    expect_sums(node.n, sums, goal, work)  # a feature with missing values may have overwritten them
    scan_one(f, table, node, goal, bounds, sums, work, active, work.best[f] - node.slack)
    return f, best, work.where[f]
