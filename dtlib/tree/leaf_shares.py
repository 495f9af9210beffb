"""Class probabilities of a node: relative frequencies, or estimates smoothed where rows are few (chapter 19).

Smoothing changes the class shares of the leaves, not the tree: it is grown and pruned by its counts.

Legend: n is the weight of a node and n_k that of its class k; K is the number of classes.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from dtlib.arrays import NEARLY, TINY
from dtlib.table.parameters import Declared, Number, Settings

if TYPE_CHECKING:
    from dtlib.tree.tree import Tree

ESTIMATES = ("frequency", "laplace", "m_estimate", "m_branch")


@dataclass(repr=False, eq=False)
class LeafShares(Settings):
    """How the class shares of a leaf, its probabilities, are estimated.

    Parameters
    ----------
    estimate : {"frequency", "laplace", "m_estimate", "m_branch"}, default "frequency"
        For a leaf of weight n, of which n_k is in class k of K classes: the relative frequency n_k / n;
        Laplace's correction (n_k + 1) / (n + K) [1]_; the m-estimate (n_k + m p_k) / (n + m), where p_k is
        the share of the class at the root [2]_ [3]_; or m-branch smoothing, where p_k is the smoothed share
        of the class at the parent, and 1 / K above the root [4]_. The same m holds at all nodes.
    m : float above 0, default 2.0
        Weight of p_k in rows, for "m_estimate" and "m_branch"; refused for the others. [3]_ chooses m so that
        m p_k is about 10 for the rare class; [4]_ begins with 4.
    undo_weights : bool, default False
        Whether `class_weight`, and the part of the loss in the weights by which the tree was grown, are
        divided out [5]_, so that the shares are those of the rows with their `sample_weight` alone. The same
        holds for the weights in n and n_k. Without class weights and loss, this changes nothing.

    Notes
    -----
    The splits do not depend on these settings. They change the class shares: `predict_proba`, and with it the
    rules, JSON, and Python and SQL with ``proba=True``. The predicted class is the one with the largest
    share, the first of equals; with a loss, the class that costs least by these shares. Relative frequency
    and Laplace's correction predict the same class. The others may predict another one: the m-estimate moves
    the shares of a leaf with few rows towards those of the root. With `undo_weights`, a rare class is
    predicted only where it is the most frequent one among the rows without class weights, which is right if
    later rows have the same class shares and all errors cost the same. If errors differ in cost, give a
    ``loss``, which is used then, or keep the weights.

    A branch without training rows has the shares of its parent in every estimate, as in J48 with ``-A``.

    References
    ----------
    .. [1] F. Provost, P. Domingos, "Tree induction for probability-based ranking", Machine Learning 52 (2003)
       199-215.
    .. [2] B. Cestnik, "Estimating probabilities: a crucial task in machine learning", Proceedings of the
       European Conference on Artificial Intelligence (1990) 147-149.
    .. [3] B. Zadrozny, C. Elkan, "Obtaining calibrated probability estimates from decision trees and naive
       Bayesian classifiers", Proceedings of the International Conference on Machine Learning (2001) 609-616.
    .. [4] C. Ferri, P. Flach, J. Hernández-Orallo, "Improving the AUC of probabilistic estimation trees",
       Proceedings of the European Conference on Machine Learning (2003) 121-132. They let m also grow
       with the height of the node, which is not done here.
    .. [5] C. Elkan, "The foundations of cost-sensitive learning", Proceedings of the International Joint
       Conference on Artificial Intelligence (2001) 973-978, theorem 2.

    Examples
    --------
    >>> from dtlib import CARTClassifier
    >>> from dtlib.datasets import load_loan
    >>> loan = load_loan()
    >>> for how in ("frequency", "laplace", LeafShares("m_estimate", m=5)):
    ...     model = CARTClassifier(leaf_shares=how).fit(loan.X, loan.y)
    ...     print(model.predict_proba(loan.X.head(1)).round(3))
    [[1. 0.]]
    [[0.875 0.125]]
    [[0.727 0.273]]
    """

    estimate: str = "frequency"
    m: float = 2.0
    undo_weights: bool = False

    _declared: ClassVar[Declared] = {
        "estimate": ESTIMATES,
        "m": (Number(0, above=True),),
        "undo_weights": (True, False),
    }

    def check(self) -> Self:
        """Return the settings; raise an error if one cannot be used, or has no effect."""
        super().check()
        if self.m != type(self).m and not self.estimate.startswith("m_"):
            raise ValueError(
                f"m is {self.m!r}, which estimate={self.estimate!r} does not heed; wanted "
                f"estimate='m_estimate' or 'm_branch', or no m"
            )
        return self


def shares_setting(given: str | LeafShares) -> LeafShares:
    """Return new settings, made from a word or from other settings.

    Examples
    --------
    >>> shares_setting("laplace")
    LeafShares(estimate='laplace')
    """
    return LeafShares(given) if isinstance(given, str) else LeafShares(**given.get_params())


def counted(tree: "Tree") -> tuple[np.ndarray, np.ndarray]:
    """Return the weights for the shares: of each class at each node, and of the node.

    They are the weights by which the tree was grown, without undone class weights and without the loss.
    """
    if tree.class_factors is None and tree.loss is None:
        return tree.summary, tree.n
    if tree.class_factors is not None:
        counts = tree.summary / tree.class_factors
    else:
        counts = tree.summary / tree.loss.sum(1)  # type: ignore[union-attr]  # there is one
        if tree.leaf_shares.estimate != "frequency":  # else any unit will do
            counts = counts * (tree.n[0] / counts[0].sum())
    return counts, counts.sum(1)


def nearest_with_rows(tree: "Tree", n: np.ndarray) -> np.ndarray:
    """Return for each node the nearest node with training rows, itself or above it, given the weights n."""
    found = np.arange(tree.node_count)
    for start, end in tree._level_bounds[1:]:
        empty = start + np.flatnonzero(n[start:end] < TINY * NEARLY)
        found[empty] = found[tree.parent[empty]]
    return found


def class_shares(tree: "Tree") -> np.ndarray:
    """Return the class shares of each node, shape (nodes, width).

    Examples
    --------
    >>> from dtlib import ID3Classifier
    >>> from dtlib.datasets import load_loan
    >>> loan = load_loan()
    >>> class_shares(ID3Classifier(leaf_shares="laplace").fit(loan.X, loan.y).tree_)[2:].round(3)
    array([[0.125, 0.875],
           [0.875, 0.125],
           [0.2  , 0.8  ]])
    """
    how, (counts, n) = tree.leaf_shares, counted(tree)
    at = nearest_with_rows(tree, n)
    if how.estimate == "m_branch":
        return smoothed_by_branch(tree, counts, n, how.m)[at]
    of_root, counts, n = counts[0] / n[0], counts[at], n[at][:, None]
    if how.estimate == "laplace":
        return (counts + 1) / (n + classes_beside(tree))
    return counts / n if how.estimate == "frequency" else (counts + how.m * of_root) / (n + how.m)


def smoothed_by_branch(tree: "Tree", counts: np.ndarray, n: np.ndarray, m: float) -> np.ndarray:
    """Return the m-branch estimate at each node, from the root down."""
    value = np.empty(counts.shape)
    value[0] = (counts[0] + m / classes_beside(tree)) / (n[0] + m)
    for start, end in tree._level_bounds[1:]:
        above = value[tree.parent[start:end]]
        value[start:end] = (counts[start:end] + m * above) / (n[start:end, None] + m)
    return value


def classes_beside(tree: "Tree") -> np.ndarray:
    """Return for each column of the summary the number of classes of its output."""
    K = np.array([len(output.values) for output in tree.outputs])
    return np.repeat(K, K)
