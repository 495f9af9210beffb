"""Sending rows down a tree, a few at a time, as Numba compiles it.

While one row waits for the number it is asked for to come from memory, the others go on.

Examples
--------
>>> feature, first_child = np.array([0, 0, 0]), np.array([1, 1, 2])
>>> X, threshold, end = np.array([[1.0], [9.0]]), np.array([5.0, np.inf, np.inf]), np.empty(2, int)
>>> fall(X, feature, threshold, first_child, end)
>>> end
array([1, 2])
"""

import numpy as np

from dtlib.jit.compiling import compiled

AT_A_TIME = 8  # rows on their way at a time


@compiled
def fall(
    X: np.ndarray, feature: np.ndarray, threshold: np.ndarray, first_child: np.ndarray, end: np.ndarray
) -> None:
    """Write the node in which each row ends, all asked for numbers; a leaf is its own child."""
    for first in range(0, len(X), AT_A_TIME):
        at, moving = end[first : first + AT_A_TIME], True
        at[:] = 0
        while moving:
            moving = False
            for i in range(len(at)):
                node = at[i]
                at[i] = first_child[node] + (X[first + i, feature[node]] > threshold[node])
                moving |= at[i] != node
