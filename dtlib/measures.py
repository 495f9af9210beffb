"""Measures of a node and of a split, as functions of counts.

Chapter 2 derives entropy, joint and conditional entropy and mutual information; chapter 3 information gain;
chapter 5 split information and the gain ratio; chapter 7 the Gini index, the classification error and the
decrease that holds for any impurity; chapter 11 variance and squared error.

*Counts* are the classes of one node: an array (..., K) of counts or weights, none negative. A *table* is one
split: (..., V, K), a row for each value of the feature, a column for each class. Nested lists and pandas
objects are accepted; masked entries are missing, and refused. Leading axes hold many nodes or splits at once;
the result has their shape, and is a float if there are none. The impurity of a node without counts, or with
one class only, is exactly 0; the other bounds hold up to rounding in the last digit.
"""

import math
import operator
from collections.abc import Callable
from numbers import Real

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dtlib.numbers import floats, how_many, shown

__all__ = [
    "absolute_error",
    "classification_error",
    "conditional_entropy",
    "conditional_gini",
    "entropy",
    "gain_ratio",
    "gini",
    "gini_split",
    "impurity_decrease",
    "information_gain",
    "joint_entropy",
    "median",
    "mutual_information",
    "split_information",
    "squared_error",
    "variance",
]

# Sums of logarithms are rounded: differences below this share of the largest impurity count as 0.
ROUNDING = 1e-14

Measure = float | NDArray[np.float64]


def entropy(counts: ArrayLike, *, base: float = 2) -> Measure:
    """Return the entropy H = -Σ p log p of the classes, where p is a class's share and 0 log 0 = 0.

    Parameters
    ----------
    counts : array-like (..., K)
        Class counts or weights.
    base : float, default 2
        Base of the logarithm: 2 for bits, `math.e` for nats; any number above 1.

    Returns
    -------
    float or ndarray (...)
        Between 0 (one class) and log K (all classes equally frequent), up to rounding.

    Raises
    ------
    ValueError
        If a count is negative, infinite or missing, the sum of the counts is infinite, or `base` is not above
        1.

    References
    ----------
    Shannon (1948), section 6; Cover & Thomas (2006), equation 2.1.

    Examples
    --------
    >>> entropy([1, 1])
    1.0
    >>> round(entropy([9, 6]), 3)
    0.971
    >>> entropy([[8, 0], [4, 4]])
    array([0., 1.])
    """
    return _in_base(_bits(_checked(counts, 1)), base)


def joint_entropy(table: ArrayLike, *, base: float = 2) -> Measure:
    """Return the joint entropy H(A, D) of feature and class: the entropy of all cells of the table.

    Parameters
    ----------
    table : array-like (..., V, K)
        Counts or weights; rows are values of the feature, columns are classes.
    base : float, default 2
        Base of the logarithm, as for `entropy`.

    Returns
    -------
    float or ndarray (...)
        At least the entropy of either, at most their sum.

    References
    ----------
    Shannon (1948), section 6; Cover & Thomas (2006), equation 2.8.

    Examples
    --------
    >>> joint_entropy([[1, 1], [1, 1]])
    2.0
    """
    n = _checked(table, 2)
    return _in_base(_bits(n.reshape(*n.shape[:-2], n.shape[-2] * n.shape[-1])), base)


def conditional_entropy(table: ArrayLike, *, base: float = 2) -> Measure:
    """Return H(D|A), what is left of the class's entropy once the feature is known.

    It is the mean of the branches' entropies, each weighted with its branch's share.

    Parameters
    ----------
    table : array-like (..., V, K)
        Counts or weights; rows are values of the feature A, columns are classes D.
    base : float, default 2
        Base of the logarithm, as for `entropy`.

    Returns
    -------
    float or ndarray (...)
        Between 0 (the feature decides the class) and the entropy of the class (it tells nothing).

    References
    ----------
    Shannon (1948), section 6; Cover & Thomas (2006), equation 2.10.

    Examples
    --------
    >>> conditional_entropy([[2, 2], [4, 0]])
    0.5
    """
    n = _checked(table, 2)
    return _in_base(_mean(_bits(n), n), base)


def information_gain(table: ArrayLike, *, base: float = 2) -> Measure:
    """Return the information gain g(D, A) = H(D) - H(D|A): what the feature tells about the class.

    It equals the mutual information of feature and class, so the transposed table has the same gain.

    Parameters
    ----------
    table : array-like (..., V, K)
        Counts or weights; rows are values of the feature A, columns are classes D.
    base : float, default 2
        Base of the logarithm, as for `entropy`.

    Returns
    -------
    float or ndarray (...)
        Between 0 (feature and class are independent) and the smaller one of their entropies.

    References
    ----------
    Quinlan (1986), section 4; Cover & Thomas (2006), theorem 2.4.1.

    Examples
    --------
    >>> information_gain([[4, 0], [0, 4]])
    1.0
    >>> round(information_gain([[3, 2], [2, 3], [1, 4]]), 3)
    0.083
    >>> information_gain([[1, 2], [2, 4]])
    0.0
    """
    n = _checked(table, 2)
    return _in_base(_drop(_bits(n.sum(-2)), _mean(_bits(n), n), _bits(np.ones(n.shape[-1]))), base)


mutual_information = information_gain


def split_information(table: ArrayLike, *, base: float = 2) -> Measure:
    """Return the split information H_A(D), also called intrinsic value: the entropy of the branches' sizes.

    Parameters
    ----------
    table : array-like (..., V, K)
        Counts or weights; rows are values of the feature, columns are classes.
    base : float, default 2
        Base of the logarithm, as for `entropy`.

    Returns
    -------
    float or ndarray (...)
        Between 0 (all in one branch) and log V (branches of equal weight).

    References
    ----------
    Quinlan (1986), section 7, as IV(A); Quinlan (1993), section 2.2.

    Examples
    --------
    >>> split_information([[3, 1], [0, 4]])
    1.0
    """
    return _in_base(_bits(_checked(table, 2).sum(-1)), base)


def gain_ratio(table: ArrayLike) -> Measure:
    """Return the gain ratio g_R = g / H_A, the share of the split information that tells about the class.

    Parameters
    ----------
    table : array-like (..., V, K)
        Counts or weights; rows are values of the feature, columns are classes.

    Returns
    -------
    float or ndarray (...)
        Between 0 and 1, up to rounding; nan where the split information is 0: a feature with one value is no
        candidate.

    References
    ----------
    Quinlan (1986), section 7; Quinlan (1993), section 2.2.

    Examples
    --------
    >>> round(gain_ratio([[4, 0], [0, 2], [0, 2]]), 3)
    0.667
    >>> gain_ratio([[5, 3], [0, 0]])
    nan
    """
    g, H_A = np.asarray(information_gain(table)), np.asarray(split_information(table))
    return _plain(np.divide(g, H_A, out=np.full_like(g, np.nan), where=H_A > 0))


def gini(counts: ArrayLike) -> Measure:
    """Return the Gini index 1 - Σ p² = Σ p (1 - p): the chance that two draws differ in class.

    Parameters
    ----------
    counts : array-like (..., K)
        Class counts or weights.

    Returns
    -------
    float or ndarray (...)
        Between 0 (one class) and 1 - 1/K (all classes equally frequent), up to rounding.

    References
    ----------
    Breiman et al. (1984), section 4.3.

    Examples
    --------
    >>> gini([10, 10])
    0.5
    """
    return _plain(_gini(_checked(counts, 1)))


def gini_split(table: ArrayLike, value_index: int) -> Measure:
    """Return Gini(D, A = a), the Gini index left by the binary split into one value and the rest.

    Parameters
    ----------
    table : array-like (..., V, K)
        Counts or weights; rows are values of the feature, columns are classes.
    value_index : int
        The row of the value, from 0 to V - 1.

    Returns
    -------
    float or ndarray (...)
        The mean of the two branches, weighted with their shares.

    Raises
    ------
    ValueError
        If the table has no such row.

    References
    ----------
    Breiman et al. (1984), section 4.3.

    Examples
    --------
    >>> round(gini_split([[3, 2], [2, 3], [1, 4]], 0), 2)
    0.44
    """
    n = _checked(table, 2)
    rows = range(n.shape[-2])
    try:
        row = rows.index(operator.index(value_index))
    except (TypeError, ValueError):
        raise ValueError(f"value_index is {value_index!r}; the table has rows 0 to {len(rows) - 1}") from None
    rest = np.delete(n, row, axis=-2).sum(-2)
    return conditional_gini(np.stack([n[..., row, :], rest], axis=-2))


def conditional_gini(table: ArrayLike) -> Measure:
    """Return the mean Gini index of the branches of a split into all values of the feature.

    Parameters
    ----------
    table : array-like (..., V, K)
        Counts or weights; rows are values of the feature, columns are classes.

    Returns
    -------
    float or ndarray (...)
        The mean of the branches, weighted with their shares.

    References
    ----------
    Breiman et al. (1984), section 4.3.

    Examples
    --------
    >>> round(conditional_gini([[1, 3], [8, 0], [1, 7]]), 4)
    0.1625
    """
    n = _checked(table, 2)
    return _plain(_mean(gini(n), n))


def classification_error(counts: ArrayLike) -> Measure:
    """Return the classification error 1 - max p: how often the most frequent class is wrong.

    Parameters
    ----------
    counts : array-like (..., K)
        Class counts or weights.

    Returns
    -------
    float or ndarray (...)
        Between 0 (one class) and 1 - 1/K (all classes equally frequent).

    References
    ----------
    Breiman et al. (1984), chapter 4.

    Examples
    --------
    >>> classification_error([3, 1])
    0.25
    """
    return _plain(_error(_checked(counts, 1)))


def impurity_decrease(table: ArrayLike, impurity: Callable[[ArrayLike], Measure] = entropy) -> Measure:
    """Return by how much a split lowers an impurity: Δ = I(parent) - Σ N_i/N I(child i).

    Parameters
    ----------
    table : array-like (..., V, K)
        Counts or weights; rows are values of the feature, columns are classes.
    impurity : callable, default `entropy`
        Any function of counts (..., K), such as `gini` or `classification_error`.

    Returns
    -------
    float or ndarray (...)
        Not negative for a concave impurity; all impurities of this module are concave.

    References
    ----------
    Breiman et al. (1984), chapter 2.

    Examples
    --------
    >>> impurity_decrease([[1, 1], [6, 0]], gini)
    0.09375
    >>> impurity_decrease([[1, 1], [6, 0]], classification_error)
    0.0
    """
    n, impurity = _checked(table, 2), _checked_impurity(impurity)
    return _plain(_drop(impurity(n.sum(-2)), _mean(impurity(n), n), impurity(np.ones(n.shape[-1]))))


def variance(y: ArrayLike, weight: ArrayLike | None = None) -> Measure:
    """Return the variance Σ w (y - mean)² / Σ w, the mean squared distance from the mean.

    Parameters
    ----------
    y : array-like (..., N)
        Targets of the rows, none beyond ±1e150.
    weight : array-like, optional
        Sample weights, of a shape that broadcasts to that of `y`; default: all equal.

    Returns
    -------
    float or ndarray (...)
        In squared units of `y`; 0 where all `y` are equal, or there are none.

    References
    ----------
    Breiman et al. (1984), chapter 8.

    Examples
    --------
    >>> variance([1, 3])
    1.0
    """
    w, squares = _squares(y, weight)
    return _plain((_shares(w) * squares).sum(-1))


def squared_error(y: ArrayLike, weight: ArrayLike | None = None) -> Measure:
    """Return the squared error Σ w (y - mean)² of predicting the mean.

    Parameters
    ----------
    y : array-like (..., N)
        Targets of the rows, none beyond ±1e150.
    weight : array-like, optional
        Sample weights, of a shape that broadcasts to that of `y`; default: all equal.

    Returns
    -------
    float or ndarray (...)
        In squared units of `y`; 0 where all `y` are equal, or there are none.

    References
    ----------
    Breiman et al. (1984), chapter 8.

    Examples
    --------
    >>> squared_error([1, 3])
    2.0
    >>> squared_error([1, 3], weight=[3, 1])
    3.0
    """
    w, squares = _squares(y, weight)
    return _plain((w * squares).sum(-1))


def median(y: ArrayLike, weight: ArrayLike | None = None) -> Measure:
    """Return the weighted median: half of the weight lies on either side; the mean of two such values.

    Parameters
    ----------
    y : array-like (..., N)
        Targets of the rows, finite.
    weight : array-like, optional
        Sample weights, of a shape that broadcasts to that of `y`; default: all equal.

    Returns
    -------
    float or ndarray (...)
        In units of `y`.

    References
    ----------
    Breiman et al. (1984), section 8.11.

    Examples
    --------
    >>> median([3, 1, 2]), median([1, 2, 3, 5]), median([1, 9], weight=[1, 2])
    (2.0, 2.5, 9.0)
    """
    y, w = _numbers(y, weight, least=1)
    order = np.argsort(y, axis=-1, kind="stable")
    y, w = np.take_along_axis(y, order, -1), np.take_along_axis(w, order, -1)
    below = np.cumsum(w, axis=-1)
    half = below[..., -1:] / 2
    low = (below < half * (1 - ROUNDING)).sum(-1, keepdims=True)
    high = (below <= half * (1 + ROUNDING)).sum(-1, keepdims=True)
    high = np.minimum(high, y.shape[-1] - 1)
    pair = np.take_along_axis(y, low, -1) / 2 + np.take_along_axis(y, high, -1) / 2
    return _plain(pair[..., 0])


def absolute_error(y: ArrayLike, weight: ArrayLike | None = None) -> Measure:
    """Return the absolute error ``Σ w |y - median|`` of predicting the median.

    Parameters
    ----------
    y : array-like (..., N)
        Targets of the rows, finite.
    weight : array-like, optional
        Sample weights, of a shape that broadcasts to that of `y`; default: all equal.

    Returns
    -------
    float or ndarray (...)
        In units of `y`; 0 where all `y` are equal.

    References
    ----------
    Breiman et al. (1984), section 8.11.

    Examples
    --------
    >>> absolute_error([1, 2, 6])
    5.0
    """
    y, w = _numbers(y, weight, least=1)
    center = np.asarray(median(y, w))[..., None]
    return _plain((w * np.abs(y - center)).sum(-1))


def _checked(counts: ArrayLike, axes: int, name: str = "") -> NDArray[np.float64]:
    """Return counts as floats whose sum is finite."""
    name = name or ("counts" if axes == 1 else "table")
    shape = "(..., K)" if axes == 1 else "(..., V, K)"
    n = floats(name, counts, f"counts of shape {shape}")
    if n.ndim < axes:
        raise ValueError(f"{name} has {how_many(n.ndim, 'axis', 'axes')}; wanted {shape}")
    wrong = n[~((n >= 0) & (n < np.inf))]
    if wrong.size:
        raise ValueError(
            f"{name} holds {wrong[0]}; wanted finite counts or weights, none negative or missing"
        )
    with np.errstate(over="ignore"):
        total = n.sum(axis=tuple(range(-axes, 0)))
    if np.isinf(total).any():
        raise ValueError(f"{name} holds {n.max()}, and its sum is infinite; divide all counts by a number")
    return n


def _checked_impurity(impurity: Callable[[ArrayLike], Measure]) -> Callable[[ArrayLike], NDArray[np.float64]]:
    """Return the impurity as a function that raises an error if it returns no number for each node."""
    wanted = "a function of counts (..., K) that returns numbers (...), such as gini"
    if not callable(impurity):
        raise TypeError(f"impurity is {shown(impurity)}; wanted {wanted}")

    def measured(counts: ArrayLike) -> NDArray[np.float64]:
        values = floats("impurity(counts)", impurity(counts), wanted)
        if values.shape != np.shape(counts)[:-1]:
            raise ValueError(
                f"impurity returns shape {values.shape} for counts {np.shape(counts)}; wanted {wanted}"
            )
        return values

    return measured


def _shares(n: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the share p of each count in the sum of the last axis; 0 if that sum is 0."""
    total = n.sum(-1, keepdims=True)
    return np.divide(n, total, out=np.zeros_like(n), where=total > 0)


def _bits(n: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the entropy of the last axis in bits."""
    p = _shares(n)
    log_p = np.log2(p, out=np.zeros_like(p), where=p > 0)  # so that 0 log 0 = 0
    return -(p * log_p).sum(-1)


def _gini(n: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the Gini index of the last axis."""
    p = _shares(n)
    return (p * (1 - p)).sum(-1)


def _error(n: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the classification error of the last axis."""
    p = _shares(n)
    return p.sum(-1) - p.max(-1, initial=0)


# The formulas without checks, for the counts of a growing tree.
UNCHECKED: dict[Callable[..., Measure], Callable[[NDArray[np.float64]], NDArray[np.float64]]] = {
    gini: _gini, entropy: _bits, classification_error: _error,
}  # fmt: skip


def _mean(values: Measure, n: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the mean of the branches' values, weighted with the branches' shares in a table."""
    return (_shares(n.sum(-1)) * values).sum(-1)


def _drop(before: Measure, after: Measure, equal: Measure) -> NDArray[np.float64]:
    """Return before - after, set to 0 if it is mere rounding relative to the impurity of equal classes.

    Where nothing is left after, nothing was rounded off.
    """
    drop = before - after
    return np.where((np.abs(drop) > ROUNDING * np.abs(equal)) | (after == 0), drop, 0.0)


def _in_base(bits: NDArray[np.float64], base: float) -> Measure:
    """Return an entropy in another unit: log_b x = log_2 x / log_2 b."""
    if not isinstance(base, Real) or not 1 < base < math.inf:
        raise ValueError(f"base is {base!r}; wanted a number above 1, such as 2 (bits) or math.e (nats)")
    return _plain(bits / math.log2(base))


def _plain(result: Measure) -> Measure:
    """Return a plain float for one node, the array for many."""
    result = result + 0.0  # -0.0 + 0.0 = 0.0
    return float(result) if np.ndim(result) == 0 else result


def _numbers(
    y: ArrayLike, weight: ArrayLike | None, least: int = 0
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return targets and weights as float arrays of one shape; check that there are at least `least` rows."""
    wanted = "an array (..., N) of finite numbers, none beyond ±1e150"  # so that squares are finite
    wanted += f", N at least {least}" * bool(least)
    given, y = y, floats("y", y, wanted)
    if y.ndim < 1 or y.shape[-1] < least or not (np.abs(y) <= 1e150).all():
        raise ValueError(f"y is {shown(given)}; wanted {wanted}")
    w = floats("weight", 1 if weight is None else weight, "weights of the shape of y, or one that fits it")
    try:
        y, w = np.broadcast_arrays(y, w)
    except ValueError:
        raise ValueError(f"weight has shape {w.shape}, which does not fit y of shape {y.shape}") from None
    return y, _checked(w, 1, "weight")


def _squares(y: ArrayLike, weight: ArrayLike | None) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the weights, and the squared distances of y from its weighted mean."""
    y, w = _numbers(y, weight)
    d = y - y.min(-1, keepdims=True, initial=np.inf)  # of equal numbers, the mean is then exactly theirs
    ave = (_shares(w) * d).sum(-1, keepdims=True)
    return w, (d - ave) ** 2
