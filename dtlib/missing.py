"""Sending down rows whose values are missing: in part to every branch, or to the largest one (chapter 7)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from scipy import sparse

from dtlib.counting.arrays import weighted_sums
from dtlib.search.surrogates import case_weights, larger_side, look_up
from dtlib.table.training import Training
from dtlib.tree import Tree


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


class Step(NamedTuple):
    """Parts of rows at the nodes of a level: of which row, how it came, and whether it ends there."""

    row: np.ndarray
    node: np.ndarray
    weight: np.ndarray
    by: np.ndarray  # ANSWERED, PART, MAJORITY, or the place of the surrogate that sent it
    end: np.ndarray


ANSWERED, PART, MAJORITY = -1, -2, -3


class Ends(NamedTuple):
    """Where rows end: the row, the node, and the part of the row's weight that ends there."""

    row: np.ndarray
    node: np.ndarray
    weight: np.ndarray


def steps(tree: Tree, X: np.ndarray, way: str) -> Iterator[Step]:
    """Send rows down level by level; yield the parts at the nodes of each level.

    Parameters
    ----------
    tree : Tree
    X : float ndarray of shape (n, d)
        Names as the places of their values, -1 if unknown; NaN is missing.
    way : {"error", "stay", "majority", "fractional", "surrogate"}
        Where a row goes whose value is missing, as in `Tree`; with "error", it stays.
    """
    _, threshold, first_child = tree._moves
    row, node, weight = np.arange(len(X)), np.zeros(len(X), np.intp), np.ones(len(X))
    by = np.full(len(X), ANSWERED)
    while len(row):
        x = tree.asked(X, row, node)
        child = first_child[node] + (x > threshold[node])
        if tree._unknown_stays:
            tree._by_name(node, np.where(np.isnan(x), -1, x), child)
        lost = tree.feature[node] >= 0
        lost &= np.isnan(x) | ((child == node) & (tree.unseen == "missing"))
        child[lost] = node[lost]
        sent_by = np.full(len(row), ANSWERED)
        if way == "surrogate" and lost.any():
            stand_in(tree, X, row, child, sent_by, np.flatnonzero(lost))
        parted = lost & (way in ("majority", "fractional"))
        end = (child == node) & ~parted
        yield Step(row, node, weight, by, end)
        holes, going = np.flatnonzero(parted), ~(end | parted)
        some = parts_below(tree, node[holes], way)
        of, below = holes[some.part], first_child[node[holes]][some.part] + some.branch
        how = np.full(len(of), MAJORITY if way == "majority" else PART)
        row = np.concatenate([row[going], row[of]])
        node = np.concatenate([child[going], below])
        weight = np.concatenate([weight[going], weight[of] * some.share])
        by = np.concatenate([sent_by[going], how])


def stand_in(
    tree: Tree, X: np.ndarray, row: np.ndarray, child: np.ndarray, sent_by: np.ndarray, lost: np.ndarray
) -> None:
    """Let the surrogates send the rows that are lost at their nodes, or else the default; say which did."""
    node, rows = child[lost], row[lost]

    def look(feature: np.ndarray, place: np.ndarray) -> np.ndarray:
        x = X[rows[place], feature]
        return np.where(names[feature] & (x < 0), np.nan, x)

    names = np.array([feature.kind != "numeric" for feature in tree.features])
    branch, by = tree.surrogates.send(node, look)
    by = np.where(branch < 0, MAJORITY, by)
    branch = np.where(branch < 0, tree.surrogates.default[node], branch)
    some = np.flatnonzero(branch >= 0)
    child[lost[some]] = tree.first_child[node[some]] + branch[some]
    sent_by[lost[some]] = by[some]


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
    plain = ~np.isnan(X).any(axis=1) & tree.answers_all
    rows = np.flatnonzero(plain)
    found = [Ends(rows, tree.send(X[rows]), np.ones(len(rows)))]
    holes = np.flatnonzero(~plain)
    for at in steps(tree, X[holes], way):
        found.append(Ends(holes[at.row[at.end]], at.node[at.end], at.weight[at.end]))
    return Ends(*(np.concatenate(column) for column in zip(*found, strict=True)))


def ends_of(tree: Tree, X: np.ndarray) -> np.ndarray:
    """Return the one node in which each row ends; of a row in parts, the node where it is divided."""
    if tree.answers_all and not np.isnan(X).any():
        return tree.send(X)
    found = ends(tree, X, "stay" if tree.missing == "fractional" else tree.missing)
    node = np.empty(len(X), np.intp)
    node[found.row] = found.node
    return node


def mixture(tree: Tree, X: np.ndarray, value: np.ndarray) -> np.ndarray:
    """Return the mean of the nodes' values over the nodes where a row ends, weighted by its parts."""
    if tree.missing != "fractional":
        return value[ends_of(tree, X)]
    row, node, weight = ends(tree, X, tree.missing)
    share = sparse.csr_matrix((weight, (row, node)), shape=(len(X), tree.node_count))
    return share @ value


def training_parts(tree: Tree, node: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the training rows that come to a node, and the weight of each there."""
    data = tree.training
    weight = np.ones(data.codes.shape[1]) if data.weight is None else data.weight
    rows = np.flatnonzero(weight > 0)
    weight = weight[rows]
    for above, below in pairwise([*tree[node].ancestors, node]):
        taken, share = sent_by_training(tree, above, rows, weight)
        branch = below - int(tree.first_child[above])
        weight = np.where(taken >= 0, np.where(taken == branch, weight, 0), weight * share[branch])
        rows, weight = rows[weight > 0], weight[weight > 0]
    return rows, weight


def training_numbers(data: Training, rows: np.ndarray) -> np.ndarray:
    """Return some training rows as numbers, shape (rows, features); 0 for features of names."""
    x = np.zeros((len(rows), len(data.features)))
    for f, values in data.numbers.items():
        x[:, f] = values[data.codes[f, rows]]
    return x


def sent_by_training(
    tree: Tree, node: int, rows: np.ndarray, weight: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the branch that each training row takes at a node, -1 if it is divided or stays.

    And the share of it that each branch then gets.
    """
    data, f, children = tree.training, int(tree.feature[node]), int(tree.children[node])
    if tree.is_linear[node]:
        above = weighted_sums(training_numbers(data, rows), tree.normals[node]) > tree.threshold[node]
        return above.astype(np.intp), np.zeros(children)
    code, taken = data.codes[f, rows], np.full(len(rows), -1)
    known = np.flatnonzero(code >= 0)
    if np.isnan(tree.threshold[node]):
        taken[known] = tree.branch_of(np.full(len(known), node), code[known])
    else:
        x = data.numbers[f][code[known]] if f in data.numbers else code[known]
        taken[known] = x > tree.threshold[node]
    hole, of_branch = np.flatnonzero(taken < 0), np.bincount(taken[known], weight[known], children)
    if tree.missing == "surrogate" and len(hole):
        branch, _ = tree.surrogates.send(np.full(len(hole), node), look_up(data, rows[hole]))
        here, resort = np.zeros(len(known), np.intp), -1
        if tree.grown_by.surrogates.unresolved == "majority":
            resort = larger_side(here, taken[known], case_weights(data)[rows[known]], 1)[0]
        taken[hole] = np.where(branch < 0, resort, branch)
    share = np.zeros(children)
    if tree.missing in ("majority", "fractional") and len(hole):
        some = parts(np.zeros(1, np.intp), np.zeros(1, np.intp), of_branch, tree.missing)
        share[some.branch] = some.share
    return taken, share
