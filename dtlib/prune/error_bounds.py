"""Pessimistic estimates of the errors of a leaf on new rows, from its training errors (chapter 15)."""

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from dtlib.numbers import floats
from dtlib.table.parameters import check_choice, check_number

BOUNDS = ("binomial", "normal", "release8")
# Standard normal quantiles and the share on either side of them, between which Release 8 interpolates.
SHARES = np.array([0, 0.001, 0.005, 0.01, 0.05, 0.1, 0.2, 0.4, 1.0])
QUANTILES = np.array([4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.0])
FEWEST = {"normal": 0.0, "release8": 1e-6}  # fewer errors are none
ONE = {"normal": 1.0, "release8": 0.9999}  # so many errors are not interpolated between none and one
NEARLY_ALL = {"normal": 1.0, "release8": 0.67}  # share of the rest that is added where almost all err
REST = {"normal": 0.0, "release8": -np.inf}  # the least rest; less than a row lacks some


def check_confidence(confidence: float, bound: str) -> None:
    """Raise an error if a confidence cannot be used with a bound."""
    check_choice("bound", bound, BOUNDS)
    check_number("confidence", confidence, 0, above=True, high=1.0 if bound == "release8" else 0.5)


def added_errors(e: ArrayLike, n: ArrayLike, confidence: float = 0.25, bound: str = "binomial") -> np.ndarray:
    """Return the pessimistic correction: the errors to add to the e errors among n rows.

    The upper bound U(e, n) is the error rate at which e or fewer errors among n rows have a probability of
    only `confidence` (Quinlan, 1993, section 4.2). The correction is n U(e, n) - e.

    Parameters
    ----------
    e : array-like
        Weight of the misclassified rows; need not be whole.
    n : array-like
        Weight of all rows, not less than e; if it is 0, nothing is added.
    confidence : float above 0 and at most 0.5, default 0.25
        The smaller, the more is added. With ``bound="release8"``, at most 1.
    bound : {"binomial", "normal", "release8"}, default "binomial"
        "binomial" is the exact bound of the binomial distribution (Clopper and Pearson, 1934); "normal" that
        of the normal distribution with continuity correction (Wilson, 1927), as in Weka's J48; "release8" the
        normal bound with the quantile interpolated in a short table, as in C4.5 Release 8. The latter two use
        the exact bound for no errors, and interpolate linearly between no errors and one; if all but half a
        row are wrong, J48 adds the rest and Release 8 two thirds of it.

    Returns
    -------
    ndarray
        Of the shape to which e and n broadcast.

    Raises
    ------
    ValueError
        If the confidence or the bound cannot be used.

    References
    ----------
    J. R. Quinlan, "C4.5: Programs for Machine Learning", Morgan Kaufmann 1993, section 4.2.
    C. J. Clopper and E. S. Pearson, Biometrika 26 (1934) 404-413.
    E. B. Wilson, Journal of the American Statistical Association 22 (1927) 209-212.

    Examples
    --------
    >>> added_errors([0, 0, 1], [6, 9, 16]).round(2)
    array([1.24, 1.28, 1.55])
    >>> [float(added_errors(1, 16, bound=bound).round(3)) for bound in BOUNDS]
    [1.554, 1.476, 1.507]
    """
    check_confidence(confidence, bound)
    e, n = floats("e", e, "numbers of errors"), floats("n", n, "numbers of rows")
    try:
        e, n = np.broadcast_arrays(e, n)
    except ValueError:
        raise ValueError(f"n has shape {n.shape}, which does not fit e of shape {e.shape}") from None
    return added_unchecked(e, n, confidence, bound)


def added_unchecked(e: np.ndarray, n: np.ndarray, confidence: float, bound: str) -> np.ndarray:
    """Return the correction of `added_errors` for arguments that need no check."""
    confidence = float(confidence if bound == "binomial" else np.float32(confidence))  # as both programs
    some = np.where(n > 0, n, 1.0)  # divided by, and of no account where there is nothing
    added = _binomial(e, some, confidence) if bound == "binomial" else _normal(e, some, confidence, bound)
    return np.where(n > 0, added, 0.0)


def _binomial(e: np.ndarray, n: np.ndarray, confidence: float) -> np.ndarray:
    """Return the correction of the exact bound: a quantile of the beta distribution."""
    rest = n - e
    rate = special.betaincinv(e + 1, np.where(rest > 0, rest, 1), 1 - confidence)
    return np.where(rest > 0, n * rate - e, 0.0)


def _normal(e: np.ndarray, n: np.ndarray, confidence: float, bound: str) -> np.ndarray:
    """Return the correction of the normal bound, linear between no errors and one."""
    none = n * (1 - confidence ** (1 / n))
    one = _wilson(np.ones_like(e), n, confidence, bound)
    few = np.where(e < FEWEST[bound], none, none + e * (one - none))
    return np.where(e < ONE[bound], few, _wilson(e, n, confidence, bound))


def _wilson(e: np.ndarray, n: np.ndarray, confidence: float, bound: str) -> np.ndarray:
    """Return the correction of the normal bound for one error or more."""
    z2 = quantile(confidence, bound) ** 2
    wrong = np.minimum(e + 0.5, n)  # corrected for continuity
    root = np.sqrt(z2 * (wrong * (1 - wrong / n) + z2 / 4))
    rate = (wrong + z2 / 2 + root) / (n + z2)
    return np.where(e + 0.5 >= n, NEARLY_ALL[bound] * np.maximum(n - e, REST[bound]), n * rate - e)


def quantile(confidence: float, bound: str) -> float:
    """Return the standard normal quantile exceeded with this probability: exact, or as in Release 8.

    Examples
    --------
    >>> round(quantile(0.25, "normal"), 4), round(quantile(0.25, "release8"), 4)
    (0.6745, 0.6925)
    """
    if bound == "release8":
        return float(np.interp(confidence, SHARES, QUANTILES))
    return float(special.ndtri(float(np.float32(1) - np.float32(confidence))))  # J48 subtracts in float32
