"""The loss of a tree with a complexity penalty for each leaf, and the subtree that minimizes it (chapter 13).

The loss of a tree T is ``C_alpha(T) = Σ N_t H_t + alpha |T|``: over its leaves t, their weight N_t times
their impurity H_t, and alpha for each of its ``|T|`` leaves (Li, 2012, section 5.4). N_t H_t is the *risk* of
a node, for which any impurity can be used.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dtlib.counting.criteria import criterion_of, names_of
from dtlib.measures import Measure
from dtlib.numbers import shown
from dtlib.table.parameters import Number
from dtlib.tree import reasons
from dtlib.tree.edit import pruned
from dtlib.tree.tree import Fitted, Tree, tree_of

SAME_COST = 1e-12  # costs this close, relative to the root's risk, are equal
Risk = str | Callable[[ArrayLike], Measure]


def risk(tree: Tree | Fitted, kind: Risk = "cost") -> np.ndarray:
    """Return the risk of each node as a leaf, its weight times its impurity: N_t H_t.

    Parameters
    ----------
    tree : Tree or fitted estimator
    kind : {"cost", "impurity", "gini", "entropy", "misclassification"} or function of counts (..., classes)
        Default "cost": the cost of the predictions. For classification, it is the weight of the misclassified
        rows, or with a loss their cost (by the altered priors, which multiply it by one factor at all nodes).
        "impurity" is the weight times the impurity that the tree reports; the name of a criterion, the weight
        times this impurity of the class weights (entropy in bits). For several outputs, the mean over them.
        For regression, "cost" and "impurity" are both the sum of squared (absolute) differences, or of half
        the Poisson deviances, and there is no other.

    Returns
    -------
    ndarray of shape (nodes,)

    Raises
    ------
    ValueError
        If there is no such risk, or none for regression; if a function does not return a finite number for
        each node.
    TypeError
        If a function returns no numbers.

    Examples
    --------
    >>> from dtlib import CARTClassifier
    >>> from dtlib.datasets import load_loan
    >>> from dtlib.measures import gini
    >>> loan = load_loan()
    >>> tree = CARTClassifier().fit(loan.X, loan.y).tree_
    >>> risk(tree).tolist()
    [6.0, 3.0, 0.0, 0.0, 0.0]
    >>> risk(tree, "entropy").round(3).tolist()
    [14.564, 8.265, 0.0, 0.0, 0.0]
    >>> bool(np.allclose(risk(tree, "impurity"), risk(tree, gini)))
    True
    """
    tree = tree_of(tree)
    known = "cost", "impurity", *names_of("classes")
    if not callable(kind) and not (isinstance(kind, str) and kind in known):
        raise ValueError(f"kind is {kind!r}; wanted {', '.join(map(repr, known))}, or a function")
    if kind == "impurity" or (kind == "cost" and not tree.is_classifier):
        return tree.impurity * tree.n
    if not tree.is_classifier:
        raise ValueError(f"kind is {kind!r}, but this is a regression tree: wanted 'cost' or 'impurity'")
    if kind == "cost":
        return misclassified(tree)
    blocks = tree._blocks(class_weights(tree) * unit_of_risk(tree))
    found = [
        impurities(kind, block) if callable(kind) else criterion_of(kind).unchecked(block) for block in blocks
    ]
    return np.mean([block.sum(1) * x for block, x in zip(blocks, found, strict=True)], axis=0)


def impurities(kind: Callable[[ArrayLike], Measure], counts: np.ndarray) -> np.ndarray:
    """Return the impurities that a function computes from the class weights; raise an error if it does not.

    Examples
    --------
    >>> impurities(lambda counts: counts, np.array([[1.0, 2.0]]))
    Traceback (most recent call last):
    ValueError: kind returned numbers of shape (1, 2) for class weights of shape (1, 2); wanted shape (1,)
    """
    found: Any = kind(counts)
    try:
        found = np.asarray(found, dtype=float)
    except (TypeError, ValueError):
        raise TypeError(f"kind returned {shown(found)}; wanted a number for each node") from None
    if found.shape not in ((), counts.shape[:1]):
        raise ValueError(
            f"kind returned numbers of shape {found.shape} for class weights of shape {counts.shape}; "
            f"wanted shape {counts.shape[:1]}"
        )
    found = np.broadcast_to(found, counts.shape[:1])
    if not np.isfinite(found).all():
        node = int(np.flatnonzero(~np.isfinite(found))[0])
        raise ValueError(
            f"kind returned {found[node]} for the class weights {counts[node].tolist()}; wanted a finite "
            f"number"
        )
    return found


def class_weights(tree: Tree) -> np.ndarray:
    """Return the weight of each class at each node, without the loss."""
    return tree.summary.astype(float) if tree.loss is None else tree.summary / tree.loss.sum(1)


def unit_of_risk(tree: Tree) -> float:
    """Return the factor by which `class_weights` of the root add up to its weight, also with a loss."""
    return 1.0 if tree.loss is None else float(tree.n[0] / class_weights(tree)[0].sum())


def misclassified(tree: Tree) -> np.ndarray:
    """Return the weight of the misclassified rows of each node, or with a loss their cost."""
    if tree.loss is not None:
        return (class_weights(tree) @ tree.loss).min(1)
    wrong = [tree.n - block.max(1) for block in tree._blocks(tree.summary)]
    return np.maximum(np.mean(wrong, axis=0), 0)


def sums_below(tree: Tree, x: np.ndarray) -> np.ndarray:
    """Return the sum of x over each node and all nodes below it.

    Examples
    --------
    >>> from dtlib import ID3Classifier
    >>> from dtlib.datasets import load_loan
    >>> loan = load_loan()
    >>> tree = ID3Classifier().fit(loan.X, loan.y).tree_
    >>> sums_below(tree, np.ones(tree.node_count, int))
    array([5, 3, 1, 1, 1])
    """
    total = x.copy()
    for start, end in tree._level_bounds[:0:-1]:
        np.add.at(total, tree.parent[start:end], total[start:end])
    return total


def tested_features(tree: Tree, node: np.ndarray) -> np.ndarray:
    """Return the names of the features that some inner nodes test."""
    return np.array([feature.name for feature in tree.features], object)[tree.feature[node]]


def tree_loss(tree: Tree | Fitted, alpha: float, kind: Risk = "cost") -> float:
    """Return C_alpha of a tree: the sum of its leaves' risk, plus alpha for each leaf.

    Parameters
    ----------
    tree : Tree or fitted estimator
    alpha : float
        Complexity penalty of a leaf, in the unit of the risk: bits for entropy.
    kind : str or function
        Kind of the risk, see `risk`.

    Raises
    ------
    ValueError
        If alpha is not a finite number; so do `local_differences` and `best_subtree`.

    Examples
    --------
    >>> from dtlib import ID3Classifier
    >>> from dtlib.datasets import load_loan
    >>> loan = load_loan()
    >>> tree = ID3Classifier().fit(loan.X, loan.y).tree_
    >>> [tree_loss(tree, alpha, "entropy") for alpha in (0.0, 2.0)]
    [0.0, 6.0]
    """
    tree = tree_of(tree)
    check_alpha(alpha)
    return float(risk(tree, kind)[tree.feature < 0].sum() + alpha * tree.n_leaves)


def check_alpha(alpha: float) -> None:
    """Raise an error if alpha is not a finite number.

    Examples
    --------
    >>> check_alpha(float("nan"))
    Traceback (most recent call last):
    ValueError: alpha is nan; wanted a finite number, the complexity penalty of a leaf
    """
    if not Number(-np.inf, above=True).has(alpha):
        raise ValueError(f"alpha is {alpha!r}; wanted a finite number, the complexity penalty of a leaf")


def local_differences(tree: Tree | Fitted, alpha: float, kind: Risk = "cost") -> pd.DataFrame:
    """Compare each inner node as a leaf with the best subtree below it, from the bottom up.

    The two trees differ below this node only, so the difference of their losses is known here. Each node is
    decided once, as the nodes above need only the smaller of both losses (dynamic programming).

    Parameters
    ----------
    tree : Tree or fitted estimator
    alpha : float
        Complexity penalty of a leaf, in the unit of the risk; may be negative.
    kind : str or function
        Kind of the risk, see `risk`.

    Returns
    -------
    DataFrame with one row per inner node, the last one first
        ``node``, ``feature`` (that it tests), ``leaves`` (of the best subtree below), ``loss`` (its C_alpha),
        ``loss_as_leaf``, ``difference`` (by which the whole tree's loss grows if the node is a leaf) and
        ``cut`` (whether the difference is not above 0).

    Examples
    --------
    >>> from dtlib import ID3Classifier
    >>> from dtlib.datasets import load_loan
    >>> loan = load_loan()
    >>> tree = ID3Classifier().fit(loan.X, loan.y).tree_
    >>> local_differences(tree, 6.0, "entropy").round(3)
       node     feature  leaves  loss  loss_as_leaf  difference    cut
    0     1     has_job       2  12.0        14.265       2.265  False
    1     0  owns_house       3  18.0        20.564       2.564  False
    """
    tree = tree_of(tree)
    check_alpha(alpha)
    as_leaf = risk(tree, kind) + alpha
    below, leaves, cut = least_below(tree, as_leaf, alpha)
    node = np.flatnonzero(tree.feature >= 0)[::-1]
    return pd.DataFrame(
        {
            "node": node,
            "feature": tested_features(tree, node),
            "leaves": leaves[node],
            "loss": below[node],
            "loss_as_leaf": as_leaf[node],
            "difference": as_leaf[node] - below[node],
            "cut": cut[node],
        }
    )


def least_below(tree: Tree, as_leaf: np.ndarray, alpha: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return for each node the loss and the leaves of the best subtree below, and whether to prune it."""
    loss, below, cut = as_leaf.copy(), np.zeros(tree.node_count), np.zeros(tree.node_count, bool)
    kept, leaves = np.ones((2, tree.node_count), int)
    leaves[tree.feature >= 0] = 0
    slack = SAME_COST * max(abs(as_leaf[0]), abs(alpha))
    for start, end in tree._level_bounds[::-1]:
        inner = np.arange(start, end)[tree.feature[start:end] >= 0]
        cut[inner] = as_leaf[inner] <= below[inner] + slack
        loss[inner] = np.where(cut[inner], as_leaf[inner], below[inner])
        kept[inner] = np.where(cut[inner], 1, leaves[inner])
        if start:
            above = tree.parent[start:end]
            np.add.at(below, above, loss[start:end])
            np.add.at(leaves, above, kept[start:end])
    return below, leaves, cut


def best_subtree(
    tree: Tree | Fitted, alpha: float, reason: str = reasons.PRUNED, kind: Risk = "cost"
) -> Tree:
    """Return the smallest subtree that minimizes C_alpha, its leaves' risk plus alpha for each leaf.

    In one pass from the bottom up, a node becomes a leaf if that costs no more than the best subtree below it
    (Breiman et al., 1984, section 3.3 and chapter 10; Li, 2012, algorithm 5.4). No other subtree costs less,
    and none of the same cost has fewer leaves.

    Parameters
    ----------
    tree : Tree or fitted estimator
    alpha : float
        Complexity penalty of a leaf, in the unit of `risk`; may be negative.
    reason : str
        The reason noted at the new leaves: one of `dtlib.tree.REASONS`.
    kind : str or function
        Kind of the risk, see `risk`.

    Returns
    -------
    Tree
        Its `steps` are those of `local_differences`.

    Examples
    --------
    >>> from dtlib import CARTClassifier
    >>> from dtlib.datasets import load_loan
    >>> loan = load_loan()
    >>> tree = CARTClassifier().fit(loan.X, loan.y).tree_
    >>> [best_subtree(tree, alpha).n_leaves for alpha in (0.0, 2.9, 3.0)]
    [3, 3, 1]
    """
    tree = tree_of(tree)
    steps = local_differences(tree, alpha, kind)
    return pruned(tree, steps["node"].to_numpy()[steps["cut"].to_numpy()], reason, steps)
