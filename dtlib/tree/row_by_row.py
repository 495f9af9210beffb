"""Routing rows down a tree, eight at a time, compiled by Numba.

While one row waits for its value to be loaded from memory, the others go on.

Examples
--------
>>> feature, first_child = np.array([0, 0, 0]), np.array([1, 1, 2])
>>> X, threshold, end = np.array([[1.0], [9.0]]), np.array([5.0, np.inf, np.inf]), np.empty(2, int)
>>> fall(X, feature, threshold, first_child, end)
>>> end
array([1, 2])
"""

import numpy as np

from dtlib.jit.compiling import compiled, inner

AT_A_TIME = 8  # rows on their way at a time


@inner
def below(
    feature: np.ndarray, threshold: np.ndarray, first_child: np.ndarray, node: int, row: np.ndarray
) -> int:
    """Return the node to which a row goes on; a leaf is its own child."""
    return int(first_child[node] + (row[feature[node]] > threshold[node]))


@compiled
def fall(
    X: np.ndarray, feature: np.ndarray, threshold: np.ndarray, first_child: np.ndarray, end: np.ndarray
) -> None:
    """Write the node in which each row ends, for numeric features only; a leaf is its own child."""
    tree, whole = (feature, threshold, first_child), len(X) // AT_A_TIME * AT_A_TIME
    for i in range(0, whole, AT_A_TIME):
        at, moving = (0, 0, 0, 0, 0, 0, 0, 0), True
        while moving:  # written out, so that the positions stay in registers
            now = (
                below(*tree, at[0], X[i]), below(*tree, at[1], X[i + 1]), below(*tree, at[2], X[i + 2]),
                below(*tree, at[3], X[i + 3]), below(*tree, at[4], X[i + 4]), below(*tree, at[5], X[i + 5]),
                below(*tree, at[6], X[i + 6]), below(*tree, at[7], X[i + 7]),
            )  # fmt: skip
            moving = now != at
            at = now
        for k in range(AT_A_TIME):
            end[i + k] = at[k]
    for i in range(whole, len(X)):
        node, next_node = -1, 0
        while next_node != node:
            node, next_node = next_node, below(feature, threshold, first_child, next_node, X[i])
        end[i] = node
