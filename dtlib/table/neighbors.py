"""Values beside thresholds, so close to them that ten digits may not tell them apart (chapter 6).

They are noted when a threshold is made, which is then shown with more digits. A note is a line of four
numbers: the index of the feature (-1 for an oblique split), the threshold, the values below (or at) it and
above it.

Examples
--------
>>> thresholds = np.array([2.5, 1e12 + 0.5])
>>> close_to(np.array([0, 0]), thresholds, Sides(np.array([2.0, 1e12]), np.array([3.0, 1e12 + 1]))).tolist()
[[0.0, 1000000000000.5, 1000000000000.0, 1000000000001.0]]
"""

import numpy as np

from dtlib.numbers import format_number
from dtlib.table.training import Sides

TOLD_APART = 1e-9  # relative: ten digits tell a value from another one that is further away
ENDS = float(np.finfo(float).min), float(np.finfo(float).max)


def close_to(feature: np.ndarray, threshold: np.ndarray, sides: Sides) -> np.ndarray | None:
    """Return a note for each threshold that is close to a value beside it, None if there are none.

    Parameters
    ----------
    feature : int ndarray of shape (n,)
    threshold : ndarray of shape (n,)
        NaN where there is none.
    sides : Sides
        The values beside the thresholds.

    Returns
    -------
    ndarray of shape (m, 4), optional
    """
    with np.errstate(over="ignore", invalid="ignore"):  # values of 1e308; an infinite threshold
        below, above = threshold - sides.low, sides.high - threshold
    near = TOLD_APART * np.abs(threshold)
    close = np.flatnonzero((below <= near) | (above <= near))
    if not len(close):
        return None
    lines = np.stack([x[close] for x in (feature, threshold, *sides)], axis=1)
    at_value = np.flatnonzero((below[close] == 0) & (above[close] > near[close])).tolist()
    whole = [i for i in at_value if float(format_number(lines[i, 1])) == lines[i, 1]]  # in ten digits
    lines = np.delete(lines, whole, axis=0) if whole else lines
    return lines if len(lines) else None


def among_values(
    values: dict[int, np.ndarray], feature: np.ndarray, threshold: np.ndarray
) -> np.ndarray | None:
    """Return notes on thresholds that may lie anywhere among the ascending values of their features.

    Examples
    --------
    >>> values = {0: np.array([1.0, 1 + 2e-11, 5.0])}
    >>> among_values(values, np.array([0, 0, -1]), np.array([1 + 1e-11, 3.0, np.nan])).shape
    (1, 4)
    """
    sides = Sides(*np.full((2, len(feature)), np.nan))
    for f, x in values.items():
        here = np.flatnonzero(feature == f)
        x = np.concatenate([ENDS[:1], x, ENDS[1:]])
        place = np.searchsorted(x, threshold[here], side="right")
        sides.low[here], sides.high[here] = x[place - 1], x[place]
    return close_to(feature, threshold, sides)


def joined(*notes: np.ndarray | None) -> np.ndarray | None:
    """Return all lines of several arrays of notes."""
    some = [lines for lines in notes if lines is not None]
    return np.concatenate(some) if some else None
