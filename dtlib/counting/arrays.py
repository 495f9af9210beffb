"""Idioms of whole-array code that recur, each said once."""

from __future__ import annotations

import numpy as np

from dtlib.counting.targets import TINY


def xlogx(x: np.ndarray) -> np.ndarray:
    """Return x log2 x, 0 for 0.

    Examples
    --------
    >>> xlogx(np.array([0.0, 0.5, 4.0]))
    array([-0. , -0.5,  8. ])
    """
    return x * np.log2(np.maximum(x, TINY))


def weighted_sums(X: np.ndarray, normals: np.ndarray) -> np.ndarray:
    """Return the sum of each row times its coefficients, added up column by column.

    Parameters
    ----------
    X : ndarray of shape (n, d)
    normals : ndarray of shape (n, d) or (d,)

    Examples
    --------
    >>> weighted_sums(np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([1.0, -0.5])).tolist()
    [0.0, 1.0]
    """
    total = np.zeros(len(X))
    with np.errstate(over="ignore", invalid="ignore"):
        for f in range(X.shape[1]):
            c = np.broadcast_to(normals[..., f], len(X))
            total += np.multiply(X[:, f], c, out=np.zeros(len(X)), where=c != 0)  # 0 times infinity is 0
    return total
