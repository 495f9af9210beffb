"""Cost-complexity pruning: the whole nested sequence of subtrees in one pass (chapter 14).

Each leaf has the complexity penalty alpha. A subtree T_t is worth keeping as long as it costs, with alpha for
each leaf, no more than the node t alone: up to ``g(t) = (C(t) - C(T_t)) / (|T_t| - 1)``, the rise of the risk
for each leaf that pruning removes [1]_. The weakest links are cut first, and the remaining subtrees are
nested.

The tree is visited once, from the leaves up. Each subtree keeps the cuts that lead to its root in a heap, the
last one first. A node undoes the cuts below that would come after its own, which gives its alpha.

Three scales of alpha are in use. Here R is a sum over the rows (Li Hang's sum of N_t H_t; `risk`), and alpha
is in the same unit; scikit-learn divides R, and so alpha, by the weight N of all rows; rpart's CP divides
both by the risk of the root, so that the root alone costs 1. `scales` returns the factors.

Legend: t is a node, T_t the subtree below it, ``|T_t|`` its number of leaves. K is the number of nested
subtrees T_k.

References
----------
.. [1] L. Breiman, J. H. Friedman, R. A. Olshen, C. J. Stone, "Classification and Regression Trees" (1984),
   section 3.3 and chapter 10.
"""

from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from dtlib.prune.loss import SAME_COST, Risk, risk, sums_below
from dtlib.table.parameters import LARGEST_FLOAT
from dtlib.tree import reasons
from dtlib.tree.edit import pruned
from dtlib.tree.tree import Fitted, Tree, tree_of


def scales(tree: Tree | Fitted, kind: Risk = "cost") -> dict[str, float]:
    """Return the factors that convert an alpha in the unit of `risk` to the two other scales.

    Parameters
    ----------
    tree : Tree or fitted estimator
    kind : str or function
        Kind of the risk, see `risk`.

    Returns
    -------
    dict
        "mean": 1 divided by the weight of all rows (gives scikit-learn's `ccp_alpha`, if the kind is
        "impurity"); "share": 1 divided by the risk of the root (gives rpart's CP, if the kind is "cost"), or
        0 if that risk is 0.

    Examples
    --------
    >>> from dtlib import ID3Classifier
    >>> from dtlib.datasets import load_loan
    >>> loan = load_loan()
    >>> tree = ID3Classifier().fit(loan.X, loan.y).tree_
    >>> scales(tree)["mean"] * 15, scales(tree)["share"] * 6
    (1.0, 1.0)
    """
    tree = tree_of(tree)
    root = float(risk(tree, kind)[0])
    return {"mean": 1 / float(tree.n[0]), "share": 1 / root if root > 0 else 0.0}


def weakest_links(tree: Tree | Fitted, kind: Risk = "cost") -> pd.DataFrame:
    """List g for each inner node, the rise of the risk per leaf removed: the smallest is the weakest link.

    Parameters
    ----------
    tree : Tree or fitted estimator
    kind : str or function
        Kind of the risk, see `risk`.

    Returns
    -------
    DataFrame
        ``node``, ``path`` (the conditions that lead there), ``risk_leaf`` (C(t)), ``risk_branch`` (C(T_t),
        the sum over the leaves below), ``leaves`` (``|T_t|``), ``g``.

    Examples
    --------
    >>> from dtlib import ID3Classifier
    >>> from dtlib.datasets import load_loan
    >>> loan = load_loan()
    >>> weakest_links(ID3Classifier().fit(loan.X, loan.y).tree_)
       node             path  risk_leaf  risk_branch  leaves    g
    0     0                         6.0          0.0       3  3.0
    1     1  owns_house = no        3.0          0.0       2  3.0
    """
    tree = tree_of(tree)
    alone = risk(tree, kind)
    branch = sums_below(tree, np.where(tree.feature < 0, alone, 0.0))
    leaves = sums_below(tree, (tree.feature < 0).astype(int))
    inner = np.flatnonzero(tree.feature >= 0)
    table = {
        "node": inner,
        "path": [" and ".join(tree[i].path) for i in inner.tolist()],
        "risk_leaf": alone[inner],
        "risk_branch": branch[inner],
        "leaves": leaves[inner],
        "g": (alone - branch)[inner] / np.maximum(leaves[inner] - 1, 1),  # (14.4)
    }
    return pd.DataFrame(table)


class CollapseAlphas(NamedTuple):
    """For each node: the alpha from which it is a leaf, and the risk and the leaves that its cut changes."""

    alpha: np.ndarray  # -inf at a leaf; inf if a node above is cut no later
    rise: np.ndarray
    lost: np.ndarray


def find_cuts(tree: Tree, alone: np.ndarray) -> CollapseAlphas:
    """Find at which alpha each node is cut, in one pass from the bottom up.

    Parameters
    ----------
    tree : Tree
    alone : ndarray of shape (nodes,)
        Risk of each node as a leaf.
    """
    count, children, first = tree.node_count, tree.children.tolist(), tree.first_child.tolist()
    risks, slack = alone.tolist(), SAME_COST * abs(float(alone[0]))
    alpha, rise, lost = [-np.inf] * count, [0.0] * count, [0] * count
    heaps: list[list[tuple[float, int]]] = [[] for _ in range(count)]
    for node in range(count - 1, -1, -1):
        if not children[node]:
            continue
        below = range(first[node], first[node] + children[node])
        heap, cost, leaves = merged_heaps(heaps, below), sum(risks[child] for child in below), len(below)
        # Cuts below that would come after the cut of this node are undone: its cut removes them.
        while heap and risks[node] - cost <= -heap[0][0] * (leaves - 1) + slack:
            _, last = heappop(heap)
            cost, leaves, alpha[last] = cost - rise[last], leaves + lost[last], np.inf
        rise[node], lost[node] = risks[node] - cost, leaves - 1
        alpha[node] = max(0.0, rise[node] / max(leaves - 1, 1))  # (14.4)
        heappush(heap, (-alpha[node], node))
        heaps[node] = heap
    return CollapseAlphas(np.array(alpha), np.array(rise), np.array(lost))


def merged_heaps(heaps: list[list[tuple[float, int]]], nodes: range) -> list[tuple[float, int]]:
    """Merge the heaps of some nodes, the smaller ones into the largest, and remove them from `heaps`."""
    heap: list[tuple[float, int]] = []
    for node in nodes:
        small, heaps[node] = heaps[node], []
        if len(small) > len(heap):
            heap, small = small, heap
        for item in small:
            heappush(heap, item)
    return heap


@dataclass(frozen=True, eq=False)
class PruningPath:
    """The nested subtrees T_0, T_1, ... of a tree, from alpha 0 to the root alone.

    T_k is the smallest subtree with the least ``C(T) + alpha |T|``, for every alpha in
    ``[alphas[k], alphas[k + 1])`` (the last one for all larger alphas). T_0 is the tree without the branches
    that save nothing. Alphas are equal if they differ by no more than 1e-12 of the risk of the root.

    Parameters
    ----------
    full : Tree
        The tree that is pruned.
    kind : str or function
        Kind of the risk, see `risk`.
    cuts : CollapseAlphas

    Attributes
    ----------
    alphas : ndarray of shape (K,)
        The smallest alpha at which each subtree is the best; the first is 0. In the unit of the risk, see
        `scales`.
    leaves : int ndarray of shape (K,)
        Number of leaves of each subtree.
    risks : ndarray of shape (K,)
        Risk of each subtree, the sum over its leaves.
    leaf_from, gone_from : ndarrays of shape (nodes,)
        A node is a leaf of the best subtree for the alphas in ``[leaf_from, gone_from)``; never, if this
        interval is empty.
    cut_at : ndarray of shape (nodes,)
        The smallest alpha at which an inner node is no longer split; NaN for leaves of the full tree.

    Examples
    --------
    >>> from dtlib import CARTClassifier
    >>> from dtlib.datasets import load_watermelon
    >>> melons = load_watermelon("3.0")
    >>> path = pruning_path(CARTClassifier().fit(melons.X, melons.y).tree_)
    >>> path.table()
       alpha  until  leaves  risk      cp  per_weight   cut
    0    0.0    0.5       5   0.0  0.0000    0.000000    ()
    1    0.5    2.0       3   1.0  0.0625    0.029412  (2,)
    2    2.0    5.0       2   3.0  0.2500    0.117647  (1,)
    3    5.0    inf       1   8.0  0.6250    0.294118  (0,)
    """

    full: Tree
    kind: Risk
    cuts: CollapseAlphas

    @cached_property
    def _order(self) -> np.ndarray:
        """The nodes that are cut, by alpha; among equal alphas, by index."""
        cut = np.flatnonzero(np.isfinite(self.cuts.alpha))
        return cut[np.argsort(self.cuts.alpha[cut], kind="stable")]

    @cached_property
    def risk(self) -> np.ndarray:
        """Risk of each node as a leaf, shape (nodes,)."""
        return risk(self.full, self.kind)

    @property
    def slack(self) -> float:
        """The largest difference between alphas that count as equal."""
        return SAME_COST * abs(float(self.risk[0]))

    @cached_property
    def _steps(self) -> tuple[np.ndarray, np.ndarray]:
        """The alphas of the subtrees, and the number of cuts that lead to each."""
        alpha = self.cuts.alpha[self._order]
        free = int(np.searchsorted(alpha, self.slack, side="right"))  # cuts that cost nothing
        alpha = np.concatenate([[0.0], alpha[free:]])
        last = np.flatnonzero(np.append(np.diff(alpha) > self.slack, True))
        return np.where(last > 0, alpha[last], 0.0), free + last

    @property
    def has_free_cuts(self) -> bool:
        """Whether some branches save nothing, so that T_0 is smaller than the tree."""
        return bool(self._steps[1][0])

    @property
    def alphas(self) -> np.ndarray:
        """The smallest alpha at which each subtree is the best; the first is 0."""
        return self._steps[0]

    @cached_property
    def leaves(self) -> np.ndarray:
        """Number of leaves of each subtree."""
        return self.full.n_leaves - np.append(0, np.cumsum(self.cuts.lost[self._order]))[self._steps[1]]

    @cached_property
    def risks(self) -> np.ndarray:
        """Risk of each subtree, the sum over its leaves."""
        full = self.risk[self.full.feature < 0].sum()
        return full + np.append(0.0, np.cumsum(self.cuts.rise[self._order]))[self._steps[1]]

    @cached_property
    def leaf_from(self) -> np.ndarray:
        """The alpha from which each node is a leaf, unless a node above it is."""
        alpha, (alphas, ends) = self.cuts.alpha.copy(), self._steps
        alpha[self._order] = np.repeat(alphas, np.diff(ends, prepend=0))
        return alpha

    @cached_property
    def gone_from(self) -> np.ndarray:
        """The alpha from which a node above each node is a leaf."""
        gone, here, parent = np.full(self.full.node_count, np.inf), self.leaf_from, self.full.parent
        for start, end in self.full._level_bounds[1:]:
            above = parent[start:end]
            gone[start:end] = np.minimum(gone[above], here[above])
        return gone

    @property
    def cut_at(self) -> np.ndarray:
        """The smallest alpha at which each node is no longer split; NaN for leaves of the full tree."""
        return np.where(self.full.feature < 0, np.nan, np.minimum(self.leaf_from, self.gone_from))

    @property
    def intervals(self) -> list[tuple[float, float]]:
        """The interval of alphas in which each subtree is the best."""
        return list(zip(self.alphas.tolist(), [*self.alphas[1:].tolist(), np.inf], strict=True))

    @cached_property
    def steps(self) -> pd.DataFrame:
        """The cuts in order.

        ``step`` (the index of the subtree to which the cut leads), ``node``, ``risk_leaf`` (C(t)),
        ``risk_branch`` (C(T_t)) and ``leaves`` (``|T_t|``) of the subtree left below the node, ``g``, and
        ``cut``, which is True.
        """
        order, step = self._order, np.repeat(np.arange(len(self.alphas)), np.diff(self._steps[1], prepend=0))
        alone, (alpha, rise, lost) = self.risk[order], (x[order] for x in self.cuts)
        table = {"step": step, "node": order, "risk_leaf": alone, "risk_branch": alone - rise}
        return pd.DataFrame(table | {"leaves": lost + 1, "g": alpha, "cut": np.ones(len(order), bool)})

    def index(self, alpha: float) -> int:
        """Return the index of the subtree that is the best at an alpha; -1 (the full tree) below 0."""
        if not isinstance(alpha, Real) or isinstance(alpha, bool) or not -np.inf <= alpha <= np.inf:
            raise ValueError(f"alpha is {alpha!r}; wanted a number, the complexity penalty of a leaf")
        alpha = float(min(max(alpha, -LARGEST_FLOAT), LARGEST_FLOAT))
        return int(np.searchsorted(self.alphas, alpha + self.slack, side="right")) - 1

    def nodes_cut(self, alpha: float) -> np.ndarray:
        """Return the inner nodes that are leaves of the best subtree at an alpha."""
        k = self.index(alpha)
        if k < 0:
            return np.empty(0, np.intp)
        here = self.alphas[k]
        leaf = (self.full.feature >= 0) & (self.leaf_from <= here) & (here < self.gone_from)
        return np.flatnonzero(leaf)

    def tree(self, alpha: float) -> Tree:
        """Return the smallest of the best subtrees at an alpha.

        Parameters
        ----------
        alpha : float
            Complexity penalty of a leaf; below 0 nothing is cut, infinity leaves the root alone.

        Returns
        -------
        Tree
            Its `steps` are those of the path, with ``cut`` True for those up to this alpha; its `pruned_from`
            is `full`.
        """
        steps = self.steps.assign(cut=self.steps["step"] <= self.index(alpha))
        return pruned(self.full, self.nodes_cut(alpha), reasons.PRICED, steps)

    @property
    def trees(self) -> list[Tree]:
        """All subtrees, from the largest to the root."""
        return [self.tree(alpha) for alpha in self.alphas.tolist()]

    def table(self) -> pd.DataFrame:
        """List the subtrees.

        ``alpha`` and ``until`` (where it is the best), ``leaves``, ``risk``, ``cp`` and ``per_weight`` (alpha
        in the scales "share" and "mean"), ``cut`` (the nodes cut since the subtree before).
        """
        nodes = np.split(self._order, self._steps[1][:-1])
        by = scales(self.full, self.kind)
        table = {
            "alpha": self.alphas,
            "until": np.append(self.alphas[1:], np.inf),
            "leaves": self.leaves,
            "risk": self.risks,
            "cp": self.alphas * by["share"],
            "per_weight": self.alphas * by["mean"],
            "cut": [tuple(some.tolist()) for some in nodes],
        }
        return pd.DataFrame(table)

    def as_sklearn_path(self) -> dict[str, Any]:
        """Return `ccp_alphas` and `impurities` as scikit-learn lists them: the full tree, then cut by cut.

        Per weight of all rows.
        """
        alpha, rise = (x[self._order] / float(self.full.n[0]) for x in self.cuts[:2])
        full = self.risk[self.full.feature < 0].sum() / float(self.full.n[0])
        return {"ccp_alphas": np.append(0.0, alpha), "impurities": np.append(full, full + np.cumsum(rise))}


def pruning_path(tree: Tree | Fitted, kind: Risk = "cost") -> PruningPath:
    """Return the subtrees that are the best at some alpha, the complexity penalty of a leaf.

    Parameters
    ----------
    tree : Tree or fitted estimator
        Of any estimator; with branches for each value too.
    kind : str or function
        Kind of the risk, see `risk`.

    Returns
    -------
    PruningPath

    Examples
    --------
    >>> from dtlib import ID3Classifier
    >>> from dtlib.datasets import load_loan
    >>> loan = load_loan()
    >>> path = pruning_path(ID3Classifier().fit(loan.X, loan.y).tree_, "entropy")
    >>> path.alphas.round(3), path.leaves, path.risks.round(3)
    (array([0.   , 7.282]), array([3, 1]), array([ 0.   , 14.564]))
    >>> path.tree(7).n_leaves, path.tree(8).n_leaves
    (3, 1)
    """
    tree = tree_of(tree)
    return PruningPath(tree, kind, find_cuts(tree, risk(tree, kind)))
