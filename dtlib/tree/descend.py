"""Routing rows down a tree; missing values go by fractional instances or surrogates (chapters 1, 8, 10).

Legend: `node` or `at` is the node of each row, `child` the next one, `branch` the branch that it takes,
counted from 0; -1 is no branch. NaN is a missing value, the code -1 an unseen category. d is the number of
features, J the number of nodes with a split.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy import sparse

from dtlib.arrays import first_hits, inside, offsets, owners
from dtlib.jit import is_ready
from dtlib.search.rules import check_policy

if TYPE_CHECKING:
    from dtlib.tree.tree import Tree

ANSWERED, PART, MAJORITY = -1, -2, -3  # how a row comes to a node, if no surrogate sends it
MANY = 1 << 10  # rows from which on compiled code is faster
AT_ONCE = 1 << 15  # rows routed together, so that intermediate arrays stay in the cache


class Moves(NamedTuple):
    """Feature, threshold and first child of each node; a leaf is its own child for every value."""

    feature: np.ndarray
    threshold: np.ndarray
    first_child: np.ndarray


class Packed(NamedTuple):
    """The same for NumPy, to which each look-up costs as much as three sums: child and feature in one."""

    move: np.ndarray  # the first child, shifted by `bits`, plus the feature
    bits: int
    threshold: np.ndarray
    single: np.ndarray  # the threshold for rows of float32, as comparing two types takes three times as long

    @classmethod
    def of(cls, moves: Moves) -> "Packed":
        """Pack the moves.

        Examples
        --------
        >>> leaf = np.inf
        >>> found = Packed.of(Moves(np.array([5, 0, 0]), np.array([0.1, leaf, leaf]), np.array([1, 1, 2])))
        >>> (found.move >> found.bits).tolist(), (found.move & (1 << found.bits) - 1).tolist()
        ([1, 1, 2], [5, 0, 0])
        """
        feature, threshold, first_child = moves
        bits = int(feature.max()).bit_length()
        return cls(first_child << bits | feature, bits, threshold, in_single(threshold))


def in_single(threshold: np.ndarray) -> np.ndarray:
    """Return the largest float32 not above each threshold: a float32 is above both or above none.

    Examples
    --------
    >>> below = float(in_single(np.array([0.1]))[0])
    >>> below < 0.1 < float(np.float32(0.1))
    True
    """
    with np.errstate(over="ignore"):
        nearest = threshold.astype(np.float32)
        return np.where(nearest > threshold, np.nextafter(nearest, np.float32(-np.inf)), nearest)


def send(tree: "Tree", X: np.ndarray) -> np.ndarray:
    """Return the node in which each row ends; no value may be missing.

    Examples
    --------
    >>> from dtlib import CARTRegressor
    >>> from dtlib.datasets import load_regression_points
    >>> points = load_regression_points()
    >>> tree = CARTRegressor(max_depth=1).fit(points.X, points.y).tree_
    >>> send(tree, np.array([[1.0], [9.0]]))
    array([1, 2])
    """
    node = np.empty(len(X), np.intp)
    plain = tree.normals is None and not tree._has_categorical_splits and X.dtype in (np.float32, np.float64)
    if len(X) >= MANY and plain and is_ready("rows", len(X) * tree.max_depth):
        from dtlib.tree.row_by_row import fall

        fall(X, *tree._traversal_arrays, node)
        return node
    for a in range(0, len(X), AT_ONCE):
        node[a : a + AT_ONCE] = descend(tree, X[a : a + AT_ONCE])
    return node


def descend(tree: "Tree", X: np.ndarray) -> np.ndarray:
    """Route all rows level by level; now and then leave out those that have reached a leaf."""
    move, bits, threshold, single = tree._packed_moves
    if X.dtype == np.float32 and tree.normals is None:
        threshold = single
    flat, end, to_feature = np.ascontiguousarray(X).ravel(), np.empty(len(X), np.intp), (1 << bits) - 1
    rows, at = np.arange(len(X)), np.zeros(len(X), np.intp)
    start = rows * X.shape[1]
    for level in range(tree.max_depth):
        if level > 8 and level % 4 == 1:  # looking who has arrived costs about as much as a level
            end[rows] = at
            does_split = np.flatnonzero(tree.feature.take(at) >= 0)
            rows, start, at = rows.take(does_split), start.take(does_split), at.take(does_split)
        above, at = at, move.take(at)  # take is faster than an index
        place = at & to_feature
        place += start
        x = flat.take(place) if tree.normals is None else tree._tested_values(X, rows, above)
        at >>= bits
        at += x > threshold.take(above)
        if tree._has_categorical_splits:
            route_categorical(tree, above, x, at)
    end[rows] = at
    return end


def route_categorical(tree: "Tree", at: np.ndarray, x: np.ndarray, child: np.ndarray) -> None:
    """Correct the children at nodes that test categories; a row whose category has no branch stays."""
    # the last entry is for leaves, whose feature is -1
    ordered = np.array([*(feature.kind == "ordered" for feature in tree.features), False])
    unknown = np.flatnonzero((x < 0) & ordered[tree.feature.take(at)])
    child[unknown] = at[unknown]
    categorical = np.flatnonzero(tree.n_values.take(at))
    if len(categorical):
        here = at[categorical]
        branch = tree._branch_of(here, x[categorical].astype(np.intp))
        child[categorical] = np.where(branch >= 0, tree.first_child[here] + branch, here)


class FractionalInstances(NamedTuple):
    """Fractional instances: index of the row, branch taken, and fraction of the row's weight."""

    part: np.ndarray
    branch: np.ndarray
    share: np.ndarray


def divide_rows(
    does_split: np.ndarray, start: np.ndarray, weight: np.ndarray, way: str
) -> FractionalInstances:
    """Divide rows whose value is missing among the branches of their nodes.

    Parameters
    ----------
    does_split : int ndarray of shape (n,)
        The node of each row, counted from 0 to J - 1.
    start : int ndarray of shape (J,)
        Where the branches of each node begin in `weight`.
    weight : ndarray
        The weight that took each branch, one node after the other; at least one of a node has some.
    way : {"fractional", "majority"}
        To every branch, by its share of the weight; or all to the branch with the largest weight, the first
        of equals.

    Examples
    --------
    >>> weight = np.array([2.0, 3.0, 4.0, 0.0])
    >>> divide_rows(np.array([0]), np.array([0]), weight, "fractional").share * 9
    array([2., 3., 4.])
    >>> divide_rows(np.array([0]), np.array([0]), weight, "majority").branch
    array([2])
    """
    owner = owners(np.diff(start, append=len(weight)))
    if way == "majority":
        largest = np.flatnonzero(weight == np.maximum.reduceat(weight, start)[owner])
        branch = first_hits(owner, largest, len(start)) - start
        return FractionalInstances(np.arange(len(does_split)), branch[does_split], np.ones(len(does_split)))
    if way != "fractional" and len(does_split):
        raise ValueError(f"way is {way!r}, which divides no rows: wanted 'majority' or 'fractional'")
    taken = np.flatnonzero(weight > 0)
    number = np.bincount(owner[taken], minlength=len(start))
    times = number[does_split]
    part = owners(times)
    place = taken[
        offsets(number)[does_split][part] + inside(times)
    ]  # each row has all branches taken at its node
    total = np.add.reduceat(weight, start)
    return FractionalInstances(part, place - start[does_split][part], weight[place] / total[does_split][part])


class Visits(NamedTuple):
    """Rows and fractional instances at the nodes of a level: how each came, and whether it ends there."""

    row: np.ndarray
    node: np.ndarray
    weight: np.ndarray
    by: np.ndarray  # ANSWERED, PART, MAJORITY, or the position of the surrogate that sent it
    end: np.ndarray


class Ends(NamedTuple):
    """Where rows end: the row, the node, and the fraction of the row's weight that ends there."""

    row: np.ndarray
    node: np.ndarray
    weight: np.ndarray


def walk(tree: "Tree", X: np.ndarray, way: str, unit: float = 0.0) -> Iterator[Visits]:
    """Route rows level by level; yield the rows and fractional instances at the nodes of each level.

    Parameters
    ----------
    tree : Tree
    X : float ndarray of shape (n, d)
        Categories as codes, -1 if unseen; NaN is missing.
    way : {"error", "stay", "majority", "fractional", "surrogate", "learned"}
        Where a row goes whose value is missing, as in `Tree`; with "error", it stays.
    unit : float, default 0
        Weights of fractional instances are rounded to multiples of this, as in growing, and left out if that
        gives 0. With 0, they are not rounded.

    Examples
    --------
    >>> from dtlib import C45Classifier
    >>> from dtlib.datasets import load_golf
    >>> golf = load_golf()
    >>> tree = C45Classifier(max_depth=1).fit(golf.X, golf.y).tree_
    >>> [at.node.tolist() for at in walk(tree, np.full((1, 4), np.nan), "fractional")]
    [[0], [1, 2, 3]]
    """
    check_policy(way)
    _, threshold, first_child = tree._traversal_arrays
    row, node, weight = np.arange(len(X)), np.zeros(len(X), np.intp), np.ones(len(X))
    by = np.full(len(X), ANSWERED)
    while len(row):
        x = tree._tested_values(X, row, node)
        child = first_child[node] + (x > threshold[node])
        if tree._has_categorical_splits:
            route_categorical(tree, node, np.where(np.isnan(x), -1, x), child)
        lost = tree.feature[node] >= 0
        lost &= np.isnan(x) | ((child == node) & (tree.unseen == "missing"))
        child[lost] = node[lost]
        sent_by = np.full(len(row), ANSWERED)
        if way in ("surrogate", "learned") and lost.any():
            route_by_surrogates(tree, X, row, child, sent_by, np.flatnonzero(lost))
        parted = lost & (way in ("majority", "fractional"))
        end = (child == node) & ~parted
        yield Visits(row, node, weight, by, end)
        has_missing, going = np.flatnonzero(parted), ~(end | parted)
        some = parts_below(tree, node[has_missing], way)
        of, below = has_missing[some.part], first_child[node[has_missing]][some.part] + some.branch
        how = np.full(len(of), MAJORITY if way == "majority" else PART)
        row = np.concatenate([row[going], row[of]])
        node = np.concatenate([child[going], below])
        weight = np.concatenate([weight[going], weight[of] * some.share])
        by = np.concatenate([sent_by[going], how])
        if unit:
            weight = np.rint(weight / unit) * unit
            some_weight = weight > 0
            row, node, by, weight = row[some_weight], node[some_weight], by[some_weight], weight[some_weight]


def route_by_surrogates(
    tree: "Tree", X: np.ndarray, row: np.ndarray, child: np.ndarray, sent_by: np.ndarray, lost: np.ndarray
) -> None:
    """Route rows with missing values by surrogates, or else by the default; note in `sent_by` which did."""
    node, rows, surrogates = child[lost], row[lost], tree._active_surrogates
    is_name = np.array([feature.kind != "numeric" for feature in tree.features])

    def look(feature: np.ndarray, place: np.ndarray) -> np.ndarray:
        x = X[rows[place], feature]
        if tree.single:
            with np.errstate(over="ignore"):
                x = x.astype(np.float32)  # as the split itself does, by its limit
        return np.where(is_name[feature] & (x < 0), np.nan, x)

    branch, by = surrogates.send(node, look)
    by = np.where(branch < 0, MAJORITY, by)
    branch = np.where(branch < 0, surrogates.default[node], branch)
    some = np.flatnonzero(branch >= 0)
    child[lost[some]] = tree.first_child[node[some]] + branch[some]
    sent_by[lost[some]] = by[some]


def parts_below(tree: "Tree", node: np.ndarray, way: str) -> FractionalInstances:
    """Divide rows whose value is missing at these nodes, by the training weight of the children."""
    tested, does_split = np.unique(node, return_inverse=True)
    size = tree.children[tested]
    below = np.repeat(tree.first_child[tested], size) + inside(size)
    return divide_rows(does_split, offsets(size), tree.n[below].astype(float), way)


def ends(tree: "Tree", X: np.ndarray, way: str, unit: float = 0.0) -> Ends:
    """Return where rows end; rows with missing values may end in several nodes.

    Parameters
    ----------
    tree, X, way, unit
        As in `walk`.

    Examples
    --------
    >>> from dtlib import C45Classifier
    >>> from dtlib.datasets import load_golf
    >>> golf = load_golf()
    >>> tree = C45Classifier().fit(golf.X, golf.y).tree_
    >>> found = ends(tree, np.full((1, 4), np.nan), "fractional")
    >>> float(found.weight.sum())
    1.0
    """
    plain = ~np.isnan(X).any(axis=1) & tree._handles_all_values
    rows, has_missing = np.flatnonzero(plain), np.flatnonzero(~plain)
    found = [Ends(rows, send(tree, X[rows]), np.ones(len(rows)))]
    found += [
        Ends(has_missing[at.row[at.end]], at.node[at.end], at.weight[at.end])
        for at in walk(tree, X[has_missing], way, unit)
    ]
    return Ends(*(np.concatenate(column) for column in zip(*found, strict=True)))


def ends_of(tree: "Tree", X: np.ndarray) -> np.ndarray:
    """Return the node in which each row ends; a row that is divided ends at the node that divides it."""
    if tree._handles_all_values and not np.isnan(X).any():
        return send(tree, X)
    found = ends(tree, X, "stay" if tree.missing == "fractional" else tree.missing)
    node = np.empty(len(X), np.intp)
    node[found.row] = found.node
    return node


def mixture(tree: "Tree", X: np.ndarray, value: np.ndarray) -> np.ndarray:
    """Return the mean of `value` over the nodes in which each row ends, weighted by the fractions."""
    if tree.missing != "fractional":
        return value[ends_of(tree, X)]
    row, node, weight = ends(tree, X, tree.missing)
    share = sparse.csr_matrix((weight, (row, node)), shape=(len(X), tree.node_count))
    return share @ value
