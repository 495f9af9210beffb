"""Monotonic constraints: predictions that only rise, or only fall, along a feature (chapter 8).

A cut of a constrained feature is allowed if the means of its branches are in the order of the constraint, and
within the bounds of the node. The bounds come down the tree: the values below the first branch of such a
split may not pass the middle between the means of both branches, nor may those below the second. What a node
predicts is clipped to its bounds, so predictions are monotonic whatever features are tested below. These are
the rules of scikit-learn's trees [1]_, which took them from its gradient boosting, and that from LightGBM.

The *mean* of a node is that of its targets, or, of two classes, the share of the second.

References
----------
.. [1] scikit-learn 1.4, ``sklearn/tree/_tree.pyx`` and ``sklearn/tree/_criterion.pyx``
   (``middle_value``, ``check_monotonicity``).
"""

from collections.abc import Mapping, Sequence
from numbers import Integral
from typing import Any

import numpy as np

from dtlib.counting.targets import BITS
from dtlib.numbers import shown
from dtlib.search.level import Level
from dtlib.table.columns import Feature

ROUNDED = 16 * float(np.finfo(float).eps)  # relative: what rounding may do to a mean, or to a bound


def read_directions(given: Any, features: Sequence[Feature]) -> tuple[int, ...]:
    """Return the direction of each feature, -1, 0 or 1, as `monotonic_cst` gives them; () if all are 0.

    Parameters
    ----------
    given : array-like of int of shape (d,), mapping of names to int, or None
    features : sequence of d Feature

    Raises
    ------
    TypeError
        If it is neither a sequence nor a mapping.
    ValueError
        If its length is another one, a name is no feature's, a direction is none of -1, 0 and 1, or the
        feature is nominal, so that its values have no order.

    Examples
    --------
    >>> age, size = Feature("age", (), "numeric"), Feature("size", (), "numeric")
    >>> read_directions([1, -1], [age, size]), read_directions({"size": 1}, [age, size])
    ((1, -1), (0, 1))
    >>> read_directions({"weight": 1}, [age, size])
    Traceback (most recent call last):
    ValueError: monotonic_cst names ['weight'], but the features are ['age', 'size']
    """
    if given is None:
        return ()
    names = [feature.name for feature in features]
    if isinstance(given, Mapping):
        if unknown := [name for name in given if name not in names]:
            raise ValueError(f"monotonic_cst names {unknown}, but the features are {names}")
        each = [given.get(name, 0) for name in names]
    else:
        if isinstance(given, str) or np.ndim(given) != 1:
            raise TypeError(
                f"monotonic_cst is {shown(given)}; wanted -1, 0 or 1 for each feature, or a dict by name"
            )
        each = list(given)
    if len(each) != len(names):
        raise ValueError(f"monotonic_cst has {len(each)} entries, but X has {len(names)} features")
    for name, direction in zip(names, each, strict=True):
        is_whole = isinstance(direction, Integral) and not isinstance(direction, bool | np.bool_)
        if not is_whole or direction not in (-1, 0, 1):
            raise ValueError(f"monotonic_cst is {direction!r} for feature {name!r}; wanted -1, 0 or 1")
    unordered = [
        f.name for f, direction in zip(features, each, strict=True) if direction and f.kind == "nominal"
    ]
    if unordered:
        raise ValueError(
            f"monotonic_cst constrains {unordered}, whose categories have no order: wanted 0 there, or an "
            f"ordered category"
        )
    return tuple(map(int, each)) if any(each) else ()


def means(summary: np.ndarray, n: np.ndarray, is_classifier: bool) -> np.ndarray:
    """Return the mean of each node, given its summary and weight.

    Examples
    --------
    >>> means(np.array([[1, 3], [2, 0]]), np.array([4, 2]), True)
    array([0.75, 0.  ])
    """
    return summary[:, -1] / n if is_classifier else summary[:, 0]


def root_bounds(roots: int = 1) -> np.ndarray:
    """Return the bounds of roots, which are infinite: lower and upper ones, shape (2, roots)."""
    return np.repeat([[-np.inf], [np.inf]], roots, axis=1)


def bounds_below(above: np.ndarray, direction: np.ndarray, means: np.ndarray) -> np.ndarray:
    """Return the bounds of the branches of some splits.

    Parameters
    ----------
    above : ndarray of shape (2, splits)
        The bounds of the nodes that split.
    direction : int ndarray of shape (splits,)
        That of the feature that each of them tests.
    means : ndarray of shape (2, splits)
        The means of both branches.

    Returns
    -------
    ndarray of shape (2, 2, splits)
        The bounds, lower and upper, of the first branches, and of the second.

    Examples
    --------
    >>> bounds_below(root_bounds(), np.array([1]), np.array([[2.0], [4.0]]))[..., 0]
    array([[-inf,   3.],
           [  3.,  inf]])
    """
    middle = np.clip(means[0] / 2 + means[1] / 2, *above)
    below = np.stack([above, above], axis=1)
    rises, falls = np.flatnonzero(direction > 0), np.flatnonzero(direction < 0)
    below[1, 0, rises] = below[0, 1, rises] = middle[rises]
    below[0, 0, falls] = below[1, 1, falls] = middle[falls]
    return below.swapaxes(0, 1)


def in_channels(level: Level, bounds: np.ndarray, center: np.ndarray | float) -> np.ndarray:
    """Return bounds in the unit of the channel of a level, loosened by what rounding may do to a mean.

    Parameters
    ----------
    level : Level
    bounds : ndarray of shape (2, nodes)
    center : ndarray of shape (nodes,) or 0
        What the channel is the distance from.

    Returns
    -------
    ndarray of shape (2, nodes)
    """
    unit = np.sqrt(level.unit * level.target.weight_unit) / level.target.weight_unit  # powers of two: exact
    spread = unit * 2.0**BITS / level.totals.n if level.target.target == "numbers" else 1.0
    slack = ROUNDED * (np.abs(center) + spread + np.where(np.isfinite(bounds), np.abs(bounds), 0.0))
    return (bounds - center + slack * np.array([[-1], [1]])) / unit


def is_allowed(level: Level, direction: np.ndarray | int, n_left: np.ndarray, left: np.ndarray) -> np.ndarray:
    """Tell which cuts after a row a monotonic constraint allows.

    Parameters
    ----------
    level : Level
        With `bounds`, as `in_channels` returns them.
    direction : int or int ndarray of shape (rows,)
        That of the feature of each cut; 0 allows all cuts.
    n_left, left : ndarrays of shape (rows,)
        The weight, and the sum of the channel, up to each row.
    """
    assert level.bounds is not None
    at, (low, high) = level.at, level.bounds[:, level.node]
    with np.errstate(divide="ignore", invalid="ignore"):  # behind the last row of a node there is no cut
        one, other = left / n_left, (at.channels[0] - left) / (at.n - n_left)
    in_order = (other - one) * direction >= 0
    within = (np.minimum(one, other) >= low) & (np.maximum(one, other) <= high)
    return (in_order & within) | (np.asarray(direction) == 0)
