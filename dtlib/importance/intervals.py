"""Bounds of the importance of each feature over all trees that ties allow (chapter 8).

Where several splits of a node are the best ones, a tree takes one of them: here the first, elsewhere one by
chance. Each choice leads to another tree, and the trees are too many to be listed: two choices at each of 20
nodes are a million. But what is below a node depends on its rows alone, and an importance is a sum over the
nodes. So each set of rows is looked at once, however many trees it occurs in, and from the smallest set to
that of all rows the best choice below is known before it is needed (dynamic programming).

A share is no sum: it is A / T, the gain of the feature divided by that of all, and another tree has another
T. But a tree with a larger share than r is one with ``A - r T`` above 0, which is a sum. So the tree with the
largest ``A - r T`` is looked for, r becomes its share, and so on until no share is larger: the algorithm of
Dinkelbach [1]_, which ends at the largest share after a few rounds.

References
----------
.. [1] W. Dinkelbach, "On nonlinear fractional programming", Management Science 13 (1967) 492-498.
"""

from dataclasses import replace
from numbers import Integral
from typing import NamedTuple

import numpy as np
import pandas as pd

from dtlib.counting.criteria import criterion_of
from dtlib.growing.by_score import TOGETHER
from dtlib.importance.decrease import check_normalize, decrease_importances, shares_of
from dtlib.importance.equal_splits import equal_splits
from dtlib.search.rules import Rules
from dtlib.table.training import Training
from dtlib.tree.tree import Fitted, Tree, tree_of

NO_RISE = 1e-14  # a share that rises by no more has not risen


def importance_intervals(
    tree: Tree | Fitted, normalize: bool = True, max_sets: int = 100_000
) -> pd.DataFrame:
    """Return the least and the largest importance of each feature, over all trees that ties allow.

    At each node, any split may be chosen whose decrease of impurity equals the largest one (within 1e-10 of
    the impurity, as in growing). Everything else stays as it was when the tree grew: data, weights, limits.
    The bounds are reached; those of two features need not be reached by the same tree.

    Parameters
    ----------
    tree : Tree or fitted estimator
        As grown by CART or ID3, not pruned, with its training data. Of the trees that ties allow, it is one.
    normalize : bool, default True
        As for `decrease_importances`.
    max_sets : int of at least 1, default 100000
        How many sets of rows may be looked at. A set is the rows of a node, in whatever tree; of a tree that
        is limited by `max_depth`, at each depth.

    Returns
    -------
    DataFrame indexed by feature
        ``importance`` (that of this tree, see `decrease_importances`), ``lowest`` and ``highest``.

    Raises
    ------
    ValueError
        If there are more sets of rows; the tree has no training data, or was pruned; or its splits depend on
        more than the rows of a node: an optimal tree, the gain ratio, oblique splits, best first
        (`max_leaf_nodes`), random subsets of features (`max_features`), the absolute error with categorical
        features; or with missing values. If a feature has more than 14 values at a node, and all groups of
        them are candidates.
    TypeError
        If `tree` is neither a tree nor an estimator, or another argument is of another type.

    Examples
    --------
    Two columns say the same, so a tree may ask either:

    >>> import pandas as pd
    >>> from dtlib import CARTClassifier
    >>> X = pd.DataFrame({"cm": [1.0, 2, 3, 4], "inch": [0.4, 0.8, 1.2, 1.6], "year": [1.0, 2, 1, 2]})
    >>> tree = CARTClassifier().fit(X, ["short", "short", "tall", "tall"]).tree_
    >>> importance_intervals(tree)
             importance  lowest  highest
    feature
    cm              1.0     0.0      1.0
    inch            0.0     0.0      1.0
    year            0.0     0.0      0.0
    """
    tree = tree_of(tree)
    check_normalize(normalize)
    if not isinstance(max_sets, Integral) or isinstance(max_sets, bool) or max_sets < 1:
        raise ValueError(
            f"max_sets is {max_sets!r}; wanted a whole number of at least 1, how many sets of rows"
        )
    choices = all_choices(tree.grown_from, rules_of_ties(tree), int(max_sets))
    amounts = decrease_importances(tree, normalize=False)
    if normalize:
        bounds = share_bounds(choices, amounts)
    else:
        bounds = best_sums(choices, np.zeros((2, len(amounts)))).part
    names = pd.Index([feature.name for feature in tree.features], name="feature")
    own = decrease_importances(tree, normalize)
    return pd.DataFrame({"importance": own, "lowest": bounds[1], "highest": bounds[0]}, names)


def rules_of_ties(tree: Tree) -> Rules:
    """Return the rules by which a tree was grown; raise an error if rows alone do not tell its ties."""
    rules, data = tree.grown_by, tree.grown_from
    if isinstance(rules, Rules) and rules.is_optimal:
        raise ValueError(
            "tree is an optimal one, whose questions need not gain most: wanted one of ID3 or CART, whose "
            "ties are equal gains; tree.importances has what its questions gain"
        )
    if not isinstance(rules, Rules) or tree.normals is not None:
        how = "with oblique splits" if tree.normals is not None else "by gain ratio, or by hand"
        raise ValueError(f"tree was grown {how}: wanted one of ID3 or CART, whose ties are equal gains")
    if tree.pruned_from is not None:
        raise ValueError(
            "tree was pruned, and other trees would be pruned otherwise: wanted it as grown, tree.pruned_from"
        )
    for name in ("max_leaf_nodes", "max_features"):
        if (value := getattr(rules, name)) is not None:
            raise ValueError(f"tree was grown with {name}={value}, so nodes depend on others: wanted None")
    if rules.is_drawn or rules.monotonic:
        how = "with monotonic constraints" if rules.monotonic else "by splits that were drawn"
        raise ValueError(f"tree was grown {how}: wanted one of ID3 or CART, whose ties are equal gains")
    if criterion_of(rules.criterion).measured == "medians" and any(
        f.kind == "nominal" for f in tree.features
    ):
        raise ValueError(
            "tree was grown by absolute error from categorical features: wanted squared error, or numeric "
            "features only"
        )
    if (data.codes < 0).any():
        raise ValueError("tree was grown from data with missing values: wanted data without")
    return rules


class Choices(NamedTuple):
    """All sets of rows that a node may have, and all candidate splits of each, small sets first.

    The children of a split are sets; those of the first split come first in `child`. A set without a split
    is a leaf.
    """

    sets: int
    owner: np.ndarray  # of each split: its set; the set of all rows is the last one
    feature: np.ndarray
    gain: np.ndarray
    children: np.ndarray  # how many
    child: np.ndarray
    layers: list[tuple[int, int]]  # the splits of sets of one size, which have no set in common


class Splits(NamedTuple):
    """The splits of the sets that were met, in the order in which both were met."""

    owner: list[int]
    feature: list[int]
    gain: list[float]
    children: list[list[int]]


def all_choices(data: Training, rules: Rules, max_sets: int) -> Choices:
    """Look at all sets of rows that a node may have, level by level."""
    rows = np.arange(data.shape[1]) if data.weight is None else np.flatnonzero(data.weight > 0)
    number, size, open_sets, depth = {(0, rows.tobytes()): 0}, [len(rows)], [(0, rows)], 0
    found, plain = Splits([], [], [], []), replace(rules, max_depth=None)
    while open_sets and depth != rules.max_depth:
        depth, below = depth + 1, []
        step = max(1, TOGETHER // (len(data.features) * max(len(rows) for _, rows in open_sets)))
        for some in (open_sets[a : a + step] for a in range(0, len(open_sets), step)):
            for split in equal_splits(data, [rows for _, rows in some], plain):
                found.owner.append(some[split.node][0])
                found.feature.append(split.feature)
                found.gain.append(split.gain)
                found.children.append([])
                for rows in split.children:
                    key = (0 if rules.max_depth is None else depth, rows.tobytes())
                    if key not in number:
                        number[key] = len(size)
                        size.append(len(rows))
                        below.append((number[key], rows))
                        check_sets(len(size), max_sets)
                    found.children[-1].append(number[key])
        open_sets = below
    return by_size(found, np.array(size))


def check_sets(sets: int, max_sets: int) -> None:
    """Raise an error if there are too many sets of rows.

    Examples
    --------
    >>> check_sets(5, 5)
    """
    if sets > max_sets:
        raise ValueError(
            f"ties allow trees with more than {max_sets} sets of rows at their nodes; wanted at most that "
            "many (`max_sets`): let it be larger, or grow a tree with larger leaves or a smaller max_depth"
        )


def by_size(found: Splits, size: np.ndarray) -> Choices:
    """Bring the sets, and with them their splits, into the order of their sizes."""
    order = np.argsort(size, kind="stable")
    place = np.empty(len(order), np.intp)
    place[order] = np.arange(len(order))
    owner = place[np.array(found.owner, np.intp)]
    line = np.argsort(owner, kind="stable")
    children = np.array([len(below) for below in found.children], np.intp)
    child = [place[i] for k in line.tolist() for i in found.children[k]]
    sizes = size[order][owner[line]]
    ends = np.flatnonzero(np.diff(sizes, append=-1)) + 1
    return Choices(
        len(size), owner[line], np.array(found.feature, np.intp)[line], np.array(found.gain)[line],
        children[line], np.array(child, np.intp),
        list(zip([0, *ends[:-1].tolist()], ends.tolist(), strict=True)) if len(line) else [],
    )  # fmt: skip


class Gained(NamedTuple):
    """The gain of each feature in its best trees, and of all features there: largest first, then least.

    Both of shape (2, features): each feature has trees of its own.
    """

    part: np.ndarray
    whole: np.ndarray


def best_sums(choices: Choices, rate: np.ndarray) -> Gained:
    """Return the gain of each feature in the trees with the largest and with the least ``A - r T``.

    Parameters
    ----------
    choices : Choices
    rate : ndarray of shape (2, features)
        The r of each: first for the largest, then for the least.
    """
    sign, features = np.array([[1.0], [-1.0]]), np.arange(rate.shape[1])
    best, part, whole = np.zeros((3, choices.sets, *rate.shape))
    start = np.concatenate([[0], np.cumsum(choices.children)])
    for a, b in choices.layers:
        gain, mine = choices.gain[a:b, None, None], choices.feature[a:b, None] == features
        child, first = choices.child[start[a] : start[b]], start[a:b] - start[a]
        below, parts, wholes = (np.add.reduceat(x[child], first) for x in (best, part, whole))
        own = gain * mine[:, None, :]
        below += sign * (own - rate * gain)
        parts, wholes = parts + own, wholes + gain
        owner, begin = np.unique(choices.owner[a:b], return_index=True)
        best[owner] = np.maximum.reduceat(below, begin)
        split = np.where(below == best[choices.owner[a:b]], np.arange(b - a)[:, None, None], b)
        chosen = np.minimum.reduceat(split, begin)
        part[owner], whole[owner] = (np.take_along_axis(x, chosen, axis=0) for x in (parts, wholes))
    return Gained(part[-1], whole[-1])


def share_bounds(choices: Choices, amounts: np.ndarray) -> np.ndarray:
    """Return the largest and the least share of each feature, shape (2, features), given one tree's gains.

    A tree that gains nothing at all has no shares: its importances are 0.
    """
    sign, rate = np.array([[1.0], [-1.0]]), np.tile(shares_of(amounts), (2, 1))
    if not best_sums(choices, np.full_like(rate, -1.0)).whole[1].all():  # the least A + T is that of no gain
        rate[1] = 0
    while True:
        part, whole = best_sums(choices, rate)
        share = np.divide(part, whole, out=rate.copy(), where=whole > 0)
        rises = sign * (share - rate) > NO_RISE
        if not rises.any():
            return rate
        rate = np.where(rises, share, rate)
