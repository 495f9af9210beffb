"""The nodes of the training rows of a grown tree: rows are sent down again, as in growing (chapters 10, 15).

Subtree raising needs it while branches of the tree are moved, and `explain` for a node.
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from dtlib.arrays import concatenated, distinct_numbers, weighted_sums
from dtlib.growing.missing import divided, exact
from dtlib.jit import is_ready
from dtlib.search.surrogates import Known, larger_side, look_up, sides_of
from dtlib.table.training import Training
from dtlib.tree.tree import Tree


class RowsAt(NamedTuple):
    """Training rows or fractional instances: the node of each, its weight there, and where it started.

    Examples
    --------
    >>> at = np.array([2, 1])
    >>> rows = RowsAt(np.array([5, 7]), at, np.array([1.0, 0.5]), top=at)
    >>> rows.some(rows.node == 1).row.tolist(), concatenated([rows, rows]).row.tolist()
    ([7], [5, 7, 5, 7])
    """

    row: np.ndarray
    node: np.ndarray
    weight: np.ndarray
    top: np.ndarray

    def some(self, which: np.ndarray) -> "RowsAt":
        """Return some of the rows."""
        if which.dtype == bool:
            which = np.flatnonzero(which)
        return RowsAt(*(x.take(which) for x in self))

    def at(self, node: np.ndarray) -> "RowsAt":
        """Return the rows at other nodes, from which they start."""
        return RowsAt(self.row, node, self.weight, node)


def training_parts(tree: Tree, node: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the training rows that come to a node, and the weight of each there.

    Examples
    --------
    >>> from dtlib import ID3Classifier
    >>> from dtlib.datasets import load_loan
    >>> loan = load_loan()
    >>> rows, weight = training_parts(ID3Classifier().fit(loan.X, loan.y).tree_, 2)
    >>> rows, float(weight.sum())
    (array([ 3,  7,  8,  9, 10, 11]), 6.0)
    """
    router = Router(tree, tree.grown_from)
    rows = router.start()
    for above, below in pairwise([*tree[node].ancestors, node]):
        rows, branch, _ = router.down(rows.at(np.full(len(rows.row), above)))
        rows = rows.some(branch == below - tree.first_child[above])
    return rows.row, rows.weight


class Router:
    """Sends training rows from node to node as growing did.

    Parameters
    ----------
    tree : Tree
    data : Training
        The data from which the tree was grown.

    Attributes
    ----------
    last : int ndarray of shape (nodes,)
        The last code that takes the first branch, where a numeric or ordered feature is tested.
    is_plain : bool
        Whether every row takes one branch at any node, so that it is never divided and never stays.
    weight, unit : ndarray of shape (n,), float
        The weights of the rows; the power of two of which those of fractional instances are multiples, 0 if
        there are none.

    Examples
    --------
    >>> from dtlib import C45Classifier
    >>> from dtlib.datasets import load_golf
    >>> golf = load_golf()
    >>> tree = C45Classifier().fit(golf.X, golf.y).tree_
    >>> router = Router(tree, tree.training)
    >>> rows, branch, behind = router.down(router.start())
    >>> np.bincount(branch).tolist(), len(behind.row)  # sunny, overcast, rainy
    ([5, 4, 5], 0)
    """

    def __init__(self, tree: Tree, data: Training):
        self.tree, self.data = tree, data
        self.codes, self.n_rows = data.codes.ravel(), data.codes.shape[1]
        self.last = last_codes(tree, data)
        self.categorical = tree.n_values > 0
        self.any_nominal = bool(self.categorical.any())
        self.room = np.empty(tree.node_count, np.intp)
        every = tree.n_values == np.array([len(f.values) for f in tree.features])[tree.feature]
        self.is_plain = bool(self.codes.min(initial=0) >= 0 and (every | ~self.categorical).all())
        parted = tree.missing in ("fractional", "majority")
        self.weight, self.unit = exact(data) if parted else (data.weight, 0.0)
        are_numeric = not self.any_nominal and tree.normals is None
        self.is_compiled = are_numeric and is_ready("ratio", data.codes.size)
        self.sums = np.empty((tree.node_count, 2))

    def start(self) -> RowsAt:
        """Return all rows at the root."""
        weight = np.ones(self.n_rows) if self.weight is None else self.weight
        row = np.flatnonzero(weight > 0)
        root = np.zeros(len(row), np.intp)
        return RowsAt(row, root, weight[row], root)

    def answers(self, rows: RowsAt) -> tuple[np.ndarray, np.ndarray]:
        """Return the branch that each row takes, -1 if it has none; and whether its value is missing."""
        place = self.tree.feature.take(rows.node) * np.intp(self.n_rows) + rows.row
        code = self.codes.take(place)
        branch = (code > self.last.take(rows.node)).astype(np.intp)
        if self.tree.normals is not None:
            slanted = np.flatnonzero(self.tree.is_linear[rows.node])
            node = rows.node[slanted]
            total = weighted_sums(self.data.matrix(rows.row[slanted]), self.tree.normals[node])
            branch[slanted] = total > self.tree.threshold[node]
        if self.any_nominal:
            categorical = np.flatnonzero(self.categorical.take(rows.node))
            branch[categorical] = self.tree._branch_of(
                rows.node[categorical], code[categorical].astype(np.intp)
            )
        if self.is_plain:
            return branch, np.zeros(len(branch), bool)
        branch[code < 0] = -1
        return branch, code < 0

    def beyond(self, row: np.ndarray, node: np.ndarray) -> np.ndarray:
        """Tell which rows are above the threshold of their nodes, if all tests are numeric; any at leaves."""
        place = self.tree.feature.take(node) * np.intp(self.n_rows) + row
        return self.codes.take(place) > self.last.take(node)

    def down(self, rows: RowsAt) -> tuple[RowsAt, np.ndarray, RowsAt]:
        """Send rows on by one split.

        Returns
        -------
        rows, branch, behind
            The rows that go on, with `node` still the node that they leave; the branch of each; the rows that
            stay behind.
        """
        if self.is_compiled and not self.is_plain and self.tree.missing in ("majority", "fractional"):
            return self.parted_down(rows)
        branch, missing = self.answers(rows)
        if self.is_plain or not (branch < 0).any():
            return rows, branch, rows.some(np.empty(0, np.intp))
        stays = (branch < 0) & (~missing if self.tree.unseen == "stay" else False)
        if self.tree.missing in ("error", "stay"):
            stays = branch < 0
        behind, rows, branch = rows.some(stays), rows.some(~stays), branch[~stays]
        nodes, j = distinct_numbers(rows.node, self.room)
        if self.tree.missing == "learned":
            side = self.tree._active_surrogates.default[rows.node]
            return rows, np.where(branch < 0, side, branch), behind
        if self.tree.missing == "surrogate":
            branch = self.stood_in(rows, branch, nodes, j)
            still = branch < 0
            behind = concatenated([behind, rows.some(still)])
            return rows.some(~still), branch[~still], behind
        entry, branch, weight = divided(j, branch, rows.weight, self.tree.children[nodes], self.tree.missing)
        if self.unit:
            weight = np.rint(weight / self.unit) * self.unit
            entry, branch, weight = (x[weight > 0] for x in (entry, branch, weight))
        return rows.some(entry)._replace(weight=weight), branch, behind

    def parted_down(self, rows: RowsAt) -> tuple[RowsAt, np.ndarray, RowsAt]:
        """Send rows on by one split, where all tests are numeric, and no row stays behind."""
        from dtlib.compiled.parting import part_rows

        tree, codes, nobody = self.tree, self.data.codes, rows.some(np.empty(0, np.intp))
        entry, branch, weight = part_rows(
            rows.row, rows.node, rows.weight, codes, tree.feature, self.last, self.unit,
            tree.missing == "fractional", self.sums,
        )  # fmt: skip
        return rows.some(entry)._replace(weight=weight), branch, nobody

    def stood_in(self, rows: RowsAt, branch: np.ndarray, nodes: np.ndarray, j: np.ndarray) -> np.ndarray:
        """Send rows without a branch by surrogates, or else to the larger side, if the rules say so.

        `j` are the positions of the rows' nodes among `nodes`.
        """
        is_missing, branch = np.flatnonzero(branch < 0), branch.copy()
        surrogates = self.tree.surrogates
        if not len(is_missing) or surrogates is None:
            return branch
        found, _ = surrogates.send(rows.node[is_missing], look_up(self.data, rows.row[is_missing]))
        if self.tree.grown_by.surrogates.fallback == "majority":
            known, tested = Known.of(self.data, rows.row, j, branch), self.tree.feature[nodes]
            ties = self.tree.grown_by.rounding(self.data)
            both = sides_of(known, len(tested)) if ties is None else ties.sides(self.data, known, tested)
            found = np.where(found < 0, larger_side(both)[j[is_missing]], found)
        branch[is_missing] = found
        return branch


def last_codes(tree: Tree, data: Training) -> np.ndarray:
    """Return the last code that takes the first branch, where a numeric or ordered feature is tested."""
    last = np.full(tree.node_count, -1, np.int64)
    ordered = np.flatnonzero(~np.isnan(tree.threshold))
    categorical = ordered[~np.isin(tree.feature[ordered], list(data.numbers))]
    last[categorical] = np.floor(tree.threshold[categorical])
    limit = tree._limit(tree.threshold)
    for f, x in data.numbers.items():
        here = ordered[tree.feature[ordered] == f]
        last[here] = np.searchsorted(x, limit[here], side="right") - 1  # the last value at or below it
    return last
