"""Sending rows on by numeric splits; a row whose value is missing may become fractional instances.

Examples
--------
>>> codes, zero = np.array([[0, 0, 1, -1]], np.int32), np.zeros(1, np.intp)
>>> row, node, sums = np.arange(4), np.zeros(4, np.intp), np.empty((1, 2))
>>> [x.tolist() for x in part_rows(row, node, np.ones(4), codes, zero, zero, 2.0**-40, True, sums)]
[[0, 1, 2, 3, 3], [0, 0, 1, 0, 1], [1.0, 1.0, 1.0, 0.6666666666669698, 0.33333333333303017]]
"""

import numpy as np

from dtlib.jit.compiling import compiled, inner


@inner
def sum_known(
    row: np.ndarray, node: np.ndarray, weight: np.ndarray, codes: np.ndarray, feature: np.ndarray,
    last: np.ndarray, sums: np.ndarray,
) -> int:  # fmt: skip
    """Sum the weights that take each branch of each node; return how many rows have a missing value."""
    has_missing = 0
    for j in node:
        sums[j, 0] = sums[j, 1] = 0.0
    for i in range(len(row)):
        j = node[i]
        code = codes[feature[j], row[i]]
        if code < 0:
            has_missing += 1
        else:
            sums[j, int(code > last[j])] += weight[i]
    return has_missing


@inner
def part_of(weight: float, sums: np.ndarray, branch: int, fractional: bool, unit: float) -> float:
    """Return the weight of a row with a missing value that takes a branch."""
    if not fractional:
        return weight if branch == int(sums[0] < sums[1]) else 0.0
    if sums[branch] == 0:
        return 0.0
    part = weight * (sums[branch] / (sums[0] + sums[1]))
    return np.rint(part / unit) * unit


@compiled
def part_rows(
    row: np.ndarray, node: np.ndarray, weight: np.ndarray, codes: np.ndarray, feature: np.ndarray,
    last: np.ndarray, unit: float, fractional: bool, sums: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:  # fmt: skip
    """Send rows on, whole or as fractional instances; return the row, branch and weight of each.

    Parameters
    ----------
    row, node, weight : ndarrays of shape (n,)
    codes : int ndarray of shape (d, rows)
    feature, last : int ndarrays of shape (nodes,)
        The feature that each node tests, and the last code that takes the first branch.
    unit : float
        The power of two of which the weights of fractional instances are multiples.
    fractional : bool
        Whether a row with a missing value goes to both branches, or to the larger one.
    sums : ndarray of shape (nodes, 2)
        Output: the weight that takes each branch.
    """
    most = len(row) + sum_known(row, node, weight, codes, feature, last, sums)
    entry, branch, part = np.empty(most, np.intp), np.empty(most, np.intp), np.empty(most)
    used = 0
    for i in range(len(row)):
        j = node[i]
        code = codes[feature[j], row[i]]
        if code >= 0:
            entry[used], branch[used], part[used] = i, int(code > last[j]), weight[i]
            used += 1
            continue
        for b in range(2):
            share = part_of(weight[i], sums[j], b, fractional, unit)
            if share > 0:
                entry[used], branch[used], part[used] = i, b, share
                used += 1
    return entry[:used], branch[:used], part[:used]


@compiled
def fall_on(
    row: np.ndarray, node: np.ndarray, codes: np.ndarray, feature: np.ndarray, last: np.ndarray,
    asks: np.ndarray, first: np.ndarray, place: np.ndarray,
) -> np.ndarray:  # fmt: skip
    """Return the leaves in which rows end, in a tree some of whose nodes are replaced by branches."""
    end = np.empty(len(row), np.intp)
    for i in range(len(row)):
        at = node[i]
        while asks[at]:
            at = first[at] + int(codes[feature[at], row[i]] > last[at])
            while place[at] != at:
                at = place[at]
        end[i] = at
    return end
