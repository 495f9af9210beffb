"""Sending down rows whose values are missing: in part to every branch, or to the largest one (chapter 6)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from scipy import sparse

from dtlib.tree import Tree

WAYS = ("fractional", "majority", "stay")


class Parts(NamedTuple):
    """Parts of rows: the row, the branch that the part takes, and its share of what it is part of."""

    part: np.ndarray
    branch: np.ndarray
    share: np.ndarray


def parts(asks: np.ndarray, start: np.ndarray, weight: np.ndarray, way: str) -> Parts:
    """Divide rows that miss what is asked among the branches.

    Parameters
    ----------
    asks : int ndarray of shape (n,)
        The node that asks each row.
    start : int ndarray of shape (J,)
        Where the branches of each node begin in `weight`.
    weight : ndarray
        The weight that took each branch, one node after the other; at least one of a node has some.
    way : {"fractional", "majority"}
        To every branch, by its share of the weight; or all to the branch of the largest weight, of equals
        the first.

    Examples
    --------
    >>> weight = np.array([2.0, 3.0, 4.0, 0.0])
    >>> parts(np.array([0]), np.array([0]), weight, "fractional").share * 9
    array([2., 3., 4.])
    >>> parts(np.array([0]), np.array([0]), weight, "majority").branch
    array([2])
    """
    size = np.diff(start, append=len(weight))
    owner = np.repeat(np.arange(len(start)), size)
    if way == "majority":
        largest = np.flatnonzero(weight == np.maximum.reduceat(weight, start)[owner])
        chosen = largest[np.searchsorted(owner[largest], np.arange(len(start)))]
        return Parts(np.arange(len(asks)), (chosen - start)[asks], np.ones(len(asks)))
    taken = np.flatnonzero(weight > 0)
    number = np.bincount(owner[taken], minlength=len(start))
    first = np.cumsum(number) - number
    times = number[asks]
    part = np.repeat(np.arange(len(asks)), times)
    place = taken[first[asks][part] + np.arange(len(part)) - (np.cumsum(times) - times)[part]]
    total = np.add.reduceat(weight, start)
    return Parts(part, place - start[asks][part], weight[place] / total[asks][part])


class Ends(NamedTuple):
    """Where rows end: the row, the node, and the part of the row's weight that ends there."""

    row: np.ndarray
    node: np.ndarray
    weight: np.ndarray


def steps(tree: Tree, X: np.ndarray, way: str) -> Iterator[tuple[Ends, np.ndarray]]:
    """Send rows down level by level; yield the parts at the nodes of each level, and which of them end there.

    Parameters
    ----------
    tree : Tree
    X : float ndarray of shape (n, d)
        Names as the places of their values, -1 if unknown; NaN is missing.
    way : {"fractional", "majority", "stay"}
        Where a row goes whose value is missing: see `parts`; or it ends at the node that asks.
    """
    feature, threshold, first_child = tree._moves
    row, node, weight = np.arange(len(X)), np.zeros(len(X), np.intp), np.ones(len(X))
    while len(row):
        x = X[row, feature[node]]
        hole = np.isnan(x) & (tree.feature[node] >= 0)
        child = first_child[node] + (x > threshold[node])
        if tree._unknown_stays:
            tree._by_name(node, np.where(np.isnan(x), -1, x), child)
        child[hole] = node[hole]
        end = child == node
        if way != "stay":
            end &= ~hole
        yield Ends(row, node, weight), end
        holes = np.flatnonzero(hole & ~end)
        some = parts_below(tree, node[holes], way)
        going = ~(end | hole)
        of, below = holes[some.part], first_child[node[holes]][some.part] + some.branch
        row = np.concatenate([row[going], row[of]])
        node = np.concatenate([child[going], below])
        weight = np.concatenate([weight[going], weight[of] * some.share])


def parts_below(tree: Tree, node: np.ndarray, way: str) -> Parts:
    """Divide rows that miss what these nodes ask, by the training weight of the nodes below."""
    if not len(node):
        return Parts(*np.empty((2, 0), np.intp), np.empty(0))
    asked, asks = np.unique(node, return_inverse=True)
    size = tree.children[asked]
    start = np.cumsum(size) - size
    offset = np.arange(size.sum()) - np.repeat(start, size)
    return parts(asks, start, tree.n[np.repeat(tree.first_child[asked], size) + offset].astype(float), way)


def ends(tree: Tree, X: np.ndarray, way: str) -> Ends:
    """Return where rows end, those with missing values in several parts.

    Parameters
    ----------
    tree, X, way
        As in `steps`.

    Examples
    --------
    >>> from dtlib import C45Classifier, load_golf
    >>> golf = load_golf()
    >>> tree = C45Classifier().fit(golf.X, golf.y).tree_
    >>> found = ends(tree, np.full((1, 4), np.nan), "fractional")
    >>> float(found.weight.sum())
    1.0
    """
    plain = ~np.isnan(X).any(axis=1)
    rows = np.flatnonzero(plain)
    found = [Ends(rows, tree.apply(X[rows]), np.ones(len(rows)))]
    holes = np.flatnonzero(~plain)
    for at, end in steps(tree, X[holes], way):
        found.append(Ends(holes[at.row[end]], at.node[end], at.weight[end]))
    return Ends(*(np.concatenate(column) for column in zip(*found, strict=True)))


def mixture(tree: Tree, X: np.ndarray, way: str, value: np.ndarray) -> np.ndarray:
    """Return the mean of the nodes' values over the nodes where a row ends, weighted by its parts."""
    if not np.isnan(X).any():
        return value[tree.apply(X)]
    row, node, weight = ends(tree, X, way)
    share = sparse.csr_matrix((weight, (row, node)), shape=(len(X), tree.node_count))
    return share @ value


def training_parts(tree: Tree, node: int, way: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the training rows that come to a node, and the weight of each there."""
    data = tree.training
    weight = np.ones(data.codes.shape[1]) if data.weight is None else data.weight
    rows = np.flatnonzero(weight > 0)
    weight = weight[rows]
    for above, below in pairwise([*tree[node].ancestors, node]):
        f, branch = int(tree.feature[above]), below - int(tree.first_child[above])
        code, children = data.codes[f, rows], int(tree.children[above])
        if np.isnan(tree.threshold[above]):
            taken = tree.branch_of(np.full(len(code), above), code)
        else:
            x = data.numbers[f] if f in data.numbers else np.arange(code.max() + 1)
            taken = (x[code] > tree.threshold[above]).astype(int)
        known = code >= 0
        of_branch = np.bincount(taken[known], weight[known], children)
        some = parts(np.zeros(1, np.intp), np.zeros(1, np.intp), of_branch, way)
        share = some.share[some.branch == branch].sum()
        weight = np.where(known, np.where(taken == branch, weight, 0), weight * share)
        rows, weight = rows[weight > 0], weight[weight > 0]
    return rows, weight
