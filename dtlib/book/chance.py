"""What chance does: tables of features that know nothing (chapter 5), means that are off (chapter 12)."""

import numpy as np
from numpy.typing import ArrayLike

__all__ = ["chance_tables", "corrected_se", "rows_se"]


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


def corrected_se(found: ArrayLike, m: float, n: float) -> np.ndarray:
    """Return the standard error of a mean over divisions of the same samples, corrected by Nadeau and Bengio.

    The divisions share samples, so their results vary together, and ``s / sqrt(J)`` is too small. With ``m``
    samples tested and ``n`` grown from it is ``s * sqrt(1/J + m/n)`` [1]_ (chapter 12).

    Parameters
    ----------
    found : array-like, shape (J, ...)
        What each of J divisions has found, such as a difference of two errors.
    m, n : float
        How many samples are tested, and from how many the trees are grown; shares of the samples will do.

    Returns
    -------
    ndarray, shape (...)

    References
    ----------
    .. [1] C. Nadeau, Y. Bengio, "Inference for the Generalization Error", Machine Learning 52 (2003) 239-281.

    Examples
    --------
    >>> differences = [0.01, 0.03, -0.01, 0.05]
    >>> f"{corrected_se(differences, 0, 0.7):.4f}, {corrected_se(differences, 0.3, 0.7):.4f}"
    '0.0129, 0.0213'
    """
    results = np.asarray(found, float)
    return np.asarray(results.std(axis=0, ddof=1) * np.sqrt(1 / len(results) + m / n))


def rows_se(found: ArrayLike) -> float:
    """Return the standard error of a mean difference over tested rows (chapter 12).

    Each row has one value: the mean over the divisions that tested it. Rows are drawn independently, so the
    error of the mean over all rows is that of independent values. McNemar's test for two classifiers [1]_ has
    the same reason. What it leaves out is that the trees of the divisions were grown from the same rows.

    Parameters
    ----------
    found : array-like, shape (J, N)
        What each of J divisions finds of each of N rows, such as the difference of two losses; NaN where a
        row is not tested.

    Returns
    -------
    float

    References
    ----------
    .. [1] T. G. Dietterich, "Approximate statistical tests for comparing supervised classification learning
       algorithms", Neural Computation 10 (1998) 1895-1923.

    Examples
    --------
    >>> f"{rows_se([[0, 1, 0, -1], [0, 1, float('nan'), 0]]):.4f}"
    '0.3574'
    """
    results = np.asarray(found, float)
    times = (~np.isnan(results)).sum(axis=0)
    total, N = np.nansum(results, axis=0), (times > 0).sum()
    mean = total.sum() / times.sum()
    return float(np.sqrt(np.sum((total - times * mean) ** 2) * N / (N - 1)) / times.sum())
