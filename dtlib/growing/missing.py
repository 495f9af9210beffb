"""Sending rows down whose value is missing: whole, or as fractional instances (chapter 10)."""

from dataclasses import replace

import numpy as np

from dtlib.arrays import offsets, owners
from dtlib.counting.targets import Target
from dtlib.growing.nodes import NextLevel, Routed
from dtlib.search.rules import check_policy
from dtlib.table.training import Training
from dtlib.tree.descend import divide_rows

PART_BITS = 51  # few enough that sums of shares are exact, and do not depend on the order of the rows


def weight_quantum(total: float) -> float:
    """Return the power of two of which the weights of fractional instances are multiples, given their sum.

    Examples
    --------
    >>> weight_quantum(15.0) == 16 * 2.0**-51
    True
    """
    return float(np.ldexp(1.0, int(np.frexp(total * (1 + 1e-9))[1]) - PART_BITS))


def exact(data: Training) -> tuple[np.ndarray, float]:
    """Return the weights of the rows as multiples of a power of two, and that power."""
    weight = np.ones(data.codes.shape[1]) if data.weight is None else data.weight
    unit = weight_quantum(weight.sum())
    return np.rint(weight / unit) * unit, unit


def route_missing(
    data: Training, routed: Routed, way: str, unit: float, times: np.ndarray | None = None
) -> Routed:
    """Send on the rows whose value is missing, as fractional instances or whole, or leave them behind.

    Parameters
    ----------
    data : Training
    routed : Routed
    way : {"error", "stay", "majority", "fractional", "surrogate"}
        As in `Tree`.
    unit : float
        The power of two of which the weights of fractional instances are multiples.
    times : ndarray, optional
        The number of equal rows for which each entry stands, if not one; its weight is that of one row.
    """
    check_policy(way)
    is_missing = routed.branch < 0
    if not is_missing.any():
        return routed
    if way not in ("majority", "fractional"):
        rows, node, branch = (x.compress(~is_missing) for x in routed[:3])
        return routed._replace(rows=rows, node=node, branch=branch)
    weight = routed.weight
    if weight is None:
        weight = exact(data)[0][routed.rows]
    entry, branch, weight = divided(routed.node, routed.branch, weight, routed.branches, way, times)
    if way == "fractional" or routed.weight is not None:
        weight = np.rint(weight / unit) * unit
        entry, branch, weight = (x.compress(weight > 0) for x in (entry, branch, weight))
        routed = routed._replace(weight=weight)
    return routed._replace(rows=routed.rows[entry], node=routed.node[entry], branch=branch)


def divided(
    node: np.ndarray,
    branch: np.ndarray,
    weight: np.ndarray,
    branches: np.ndarray,
    way: str,
    times: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Divide the rows without a branch (-1); return row, branch and weight of all instances, by row.

    Examples
    --------
    >>> node, branch, one = np.zeros(4, int), np.array([0, 0, 1, -1]), np.ones(4)
    >>> [x.tolist() for x in divided(node, branch, one, np.array([2]), "fractional")]
    [[0, 1, 2, 3, 3], [0, 0, 1, 0, 1], [1.0, 1.0, 1.0, 0.6666666666666666, 0.3333333333333333]]
    """
    known, is_missing = np.flatnonzero(branch >= 0), np.flatnonzero(branch < 0)
    start = offsets(branches)
    whole = weight if times is None else weight * times
    of_branch = np.bincount(start[node[known]] + branch[known], whole[known], branches.sum())
    some = divide_rows(node[is_missing], start, of_branch, way)
    parts = np.ones(len(branch), np.intp)
    parts[is_missing] = np.bincount(some.part, minlength=len(is_missing))
    entry = owners(parts)
    branch, weight = branch.take(entry), weight.take(entry)
    parts = np.flatnonzero(branch < 0)
    branch[parts] = some.branch
    weight[parts] *= some.share
    return entry, branch, weight


def parted(data: Training, below: NextLevel) -> tuple[Training, NextLevel]:
    """Return data in which each fractional instance is a row of its own, and the level of these rows."""
    targets = tuple(replace(target, codes=target.codes[below.rows]) for target in data.targets)
    data = Training(data.features, data.values.coded.take(below.rows), targets, below.weight)
    return data, below._replace(rows=np.arange(len(below.rows)), weight=None)


def ordered(target: Target, below: NextLevel) -> NextLevel:
    """Bring the rows of each node into the order of the target, which depends on their content alone."""
    order = target.rows[np.argsort(below.node[target.rows], kind="stable")]
    return below._replace(rows=order, node=below.node[order], branch=below.branch[order])
