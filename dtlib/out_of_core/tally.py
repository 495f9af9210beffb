"""Counting the rows of a block, one by one.

Examples
--------
>>> table = np.zeros(4, np.int64)
>>> count_one_by_one(table, np.array([0, 0]), np.array([1, 1]), np.array([0, 1]), 2, 2)
>>> table
array([0, 0, 1, 1])
"""

import numpy as np

from dtlib.jit.compiling import compiled


@compiled
def count_one_by_one(table, node, place, label, V, K):
    """Add 1 to the cell of each row, in a flat table of shape (J * V * K,)."""
    for i in range(len(node)):
        table[(np.int64(node[i]) * V + place[i]) * K + label[i]] += 1


@compiled
def count_whole(table, node, x, low, every, label, V, K):
    """Add 1 to the cell of each row, given integer values: `every` has the positions of low, low + 1, ..."""
    last = len(every) - 1
    for i in range(len(node)):
        k = min(max(np.int64(x[i]) - low, 0), last)
        table[(np.int64(node[i]) * V + every[k]) * K + label[i]] += 1


@compiled
def place_one_by_one(ends, first, low, scale, x, place):
    """Write the interval of each value, searched among the ends in its cell; NaN is above all ends."""
    last = len(first) - 2
    for i in range(len(x)):
        v = x[i]
        if v != v:
            place[i] = len(ends)
            continue
        at = (v - low) * scale
        cell = 0 if at < 0 else (last if at >= last else np.int64(at))
        a, b = first[cell], first[cell + 1]
        while a < b:
            half = (a + b) >> 1
            if ends[half] < v:
                a = half + 1
            else:
                b = half
        place[i] = a
