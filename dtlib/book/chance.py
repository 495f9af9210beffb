"""Tables of features that know nothing, many at once: what luck gains is measured on them (chapter 5)."""

import numpy as np


def chance_tables(rng: np.random.Generator, N: int, V: int, K: int = 2, times: int = 4000) -> np.ndarray:
    """Draw count tables of V values and K classes: each of N rows falls into any cell, all equally likely.

    Parameters
    ----------
    rng : numpy Generator
        Draws the rows.
    N, V, K : int
        How many rows, values and classes.
    times : int
        How many tables.

    Returns
    -------
    ndarray of shape (times, V, K)

    Examples
    --------
    >>> tables = chance_tables(np.random.default_rng(5), N=20, V=3, times=2)
    >>> tables.shape, tables.sum(axis=(1, 2)).tolist()
    ((2, 3, 2), [20, 20])
    """
    cells = V * K
    cell = rng.integers(cells, size=(times, N)) + cells * np.arange(times)[:, None]
    return np.bincount(cell.ravel(), minlength=times * cells).reshape(times, V, K)
