"""The best cut of one node along one line by absolute error: distances from the medians of both branches.

The rows of the node are ranked by their target, and linked in that order. Rows leave a branch one by one
along the line; its median then moves by a link or two, and with it the sums below the median.

Examples
--------
>>> from dtlib.compiled.scans import Wanted
>>> from dtlib.compiled.state import CODE
>>> line, one = np.arange(4) << CODE | np.array([1, 3, 0, 2]), np.empty(0, np.int64)
>>> y = np.array([[5, 1, 6, 2]])
>>> rank, ranks = np.empty(4, np.int64), Ranks(*np.empty((4, 6), np.int64), np.empty(6), np.empty(4))
>>> whole = rank_rows(np.array([1, 3, 0, 2]), one, y, y.astype(float), 1.0, rank, ranks)
>>> wanted = Wanted(slack=0.0, floor=-np.inf, find=np.inf, gap=0.0, few=1, least=0, n=4)
>>> best, _, rows, _ = scan_medians(line, np.empty(0), wanted, whole, rank, ranks)
>>> float(best), rows
(6.0, 2)
"""

from typing import NamedTuple

import numpy as np

from dtlib.compiled.scans import best_of, may_part
from dtlib.compiled.state import ROW, Ranks
from dtlib.jit.compiling import inlined, inner


class Branch(NamedTuple):
    """A branch: the rank of its median, and sums over the rows below the median and over all."""

    at: int
    below: int  # weight
    sums_below: int
    n: int
    sums: int


@inner
def link(ranks: Ranks, rows: int) -> None:
    """Link all ranks again."""
    for k in range(rows + 2):
        ranks.before[k], ranks.after[k] = k - 1, k + 1


@inner
def rank_rows(
    line: np.ndarray, weight: np.ndarray, channels: np.ndarray, centered: np.ndarray, unit: float,
    rank: np.ndarray, ranks: Ranks,
) -> Branch:  # fmt: skip
    """Rank the rows of a node, which are in the order of their targets; return all of them as a branch."""
    rows, n, total = len(line), 0, 0
    ranks.weight[0] = ranks.weight[rows + 1] = ranks.sums[0] = ranks.sums[rows + 1] = 0
    for k in range(1, rows + 1):
        row = line[k - 1] & ROW
        rank[row], ranks.weight[k] = k, weight[row] if len(weight) else 1
        ranks.sums[k], ranks.y[k] = channels[0, row], centered[0, row] * unit
        n += ranks.weight[k]
        total += ranks.sums[k]
    at, below, sums_below = 1, 0, 0
    while 2 * (below + ranks.weight[at]) < n:
        below += ranks.weight[at]
        sums_below += ranks.sums[at]
        at += 1
    return Branch(at, below, sums_below, n, total)


@inlined
def without(branch, k, weight, sums, before, after):
    """Remove the row of one rank from a branch."""
    at, below, sums_below, n, total = branch
    w, s = weight[k], sums[k]
    n -= w
    total -= s
    before[after[k]], after[before[k]] = before[k], after[k]
    if k < at:
        below -= w
        sums_below -= s
    if k == at:
        at = after[k]
    while below > 0 and 2 * below >= n:
        at = before[at]
        below -= weight[at]
        sums_below -= sums[at]
    while 2 * (below + weight[at]) < n:
        below += weight[at]
        sums_below += sums[at]
        at = after[at]
    return Branch(at, below, sums_below, n, total)


@inlined
def error_of(branch, y):
    """Return the absolute error of a branch."""
    return (branch.sums - 2 * branch.sums_below) - y[branch.at] * (branch.n - 2 * branch.below)


@inner
def scan_medians(line, values, wanted, whole, rank, ranks):
    """Score by absolute error: rows leave the left branch from its end, then the right one from its start."""
    slack, floor, find, gap, few, least, n = wanted
    rows, branch, kept = len(line), whole, (floor, -np.inf, 0, False)
    weight, sums, before, after, y, left = ranks
    link(ranks, rows)
    for i in range(rows - 1, few - 1, -1):
        branch = without(branch, rank[line[i] & ROW], weight, sums, before, after)
        left[i] = error_of(branch, y)
    link(ranks, rows)
    error, branch = error_of(whole, y), whole
    for i in range(1, rows - few + 1):
        entry, after_it = line[i - 1], line[i]
        branch = without(branch, rank[entry & ROW], weight, sums, before, after)
        enough = i >= few and n - branch.n >= least and branch.n >= least
        if enough and may_part(entry, after_it, values, gap):
            score = error - (left[i] + error_of(branch, y))
            if score > kept[0]:
                kept = best_of(kept, score, i, slack, find)
    return kept
