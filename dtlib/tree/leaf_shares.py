"""What a node says of its classes: relative frequencies, or estimates that trust few rows less (chapter 6).

Smoothing changes what the leaves of a tree say, and not the tree: it is grown and pruned by its counts.

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
        Of a leaf of weight n, of which n_k is in class k of K classes: the relative frequency n_k / n; with
        Laplace's correction (n_k + 1) / (n + K) [1]_; the m-estimate (n_k + m p_k) / (n + m), where p_k is
        the share of the class at the root [2]_ [3]_; or m-branch smoothing, where p_k is instead what the
        node above says, which is smoothed in the same way, and 1 / K above the root [4]_. The same m holds at
        all nodes.
    m : float above 0, default 2.0
        Of "m_estimate" and "m_branch", and refused for the others: the weight of as many rows does p_k have.
        [3]_ takes so large an m that m p_k is about 10 for the rare class; [4]_ begins with 4.
    undo_weights : bool, default False
        Whether the shares are those of the rows as they came, with their `sample_weight`, and not those by
        which the tree was grown: `class_weight` and the part of a loss in it are divided out [5]_. Weights
        are then counted so in n and n_k, too. Without class weights, that changes nothing.

    Notes
    -----
    The tree is the same for all settings, which change what its nodes say: `predict_proba`, and with it the
    rules, JSON, and Python and SQL with ``proba=True``. The prediction is the class of the largest share, of
    equals the first; with a loss, the class that costs least by these shares. The relative frequency and
    Laplace's correction have the same largest class. The others may predict another one: the m-estimate
    believes the root more than a few rows. With undone weights a rare class is predicted where it is the
    likelier one among the rows as they came, which is right if they come so later and all errors cost the
    same. If they do not, say what they cost by ``loss``, which is heeded then, or leave the weights in.

    Where no row came to a branch, every estimate says what the node above says; so does J48 with ``-A``.

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
        """Return the settings, or say which of them cannot be used, or would say nothing."""
        super().check()
        if self.m != type(self).m and not self.estimate.startswith("m_"):
            raise ValueError(
                f"m is {self.m!r}, which estimate={self.estimate!r} does not heed; wanted "
                f"estimate='m_estimate' or 'm_branch', or no m"
            )
        return self


def shares_setting(given: str | LeafShares) -> LeafShares:
    """Return a setting of its own, made of a word or of another setting.

    Examples
    --------
    >>> shares_setting("laplace")
    LeafShares(estimate='laplace')
    """
    return LeafShares(given) if isinstance(given, str) else LeafShares(**given.get_params())


def counted(tree: "Tree") -> tuple[np.ndarray, np.ndarray]:
    """Return what the shares are made of: the weight of each class at each node, and that of the node.

    That is the weight by which the tree was grown, without what is to be undone and without the loss.
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
    """Return for each node the nearest one, itself or above it, to which rows came, given their weight."""
    found = np.arange(tree.node_count)
    for start, end in tree._level_bounds[1:]:
        empty = start + np.flatnonzero(n[start:end] < TINY * NEARLY)
        found[empty] = found[tree.parent[empty]]
    return found


def class_shares(tree: "Tree") -> np.ndarray:
    """Return what each node of a tree says of its classes, shape (nodes, width).

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
    """Return for each column of the summary how many classes its output has."""
    K = np.array([len(output.values) for output in tree.outputs])
    return np.repeat(K, K)
