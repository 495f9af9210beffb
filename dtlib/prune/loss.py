"""The subtree that costs least when each leaf has a price (chapter 12)."""

from __future__ import annotations

import numpy as np

from dtlib import tree as t
from dtlib.tree import Tree

SAME = 1e-12  # costs this close, relative to the root's risk, are equal


def risk(tree: Tree) -> np.ndarray:
    """Return what each node costs as a leaf, times its weight.

    Returns
    -------
    ndarray of shape (nodes,)
        Of classes the weight of the rows that are not of the predicted class (of several outputs, their
        mean), or with a loss what they cost; of numbers the impurity times the weight (for squared error the
        sum of squares).

    Examples
    --------
    >>> from dtlib import CARTClassifier, load_loan
    >>> loan = load_loan()
    >>> risk(CARTClassifier().fit(loan.X, loan.y).tree_).tolist()
    [6.0, 3.0, 0.0, 0.0, 0.0]
    """
    if not tree.is_classifier:
        return tree.impurity * tree.n
    if tree.loss is not None:
        return ((tree.summary / tree.loss.sum(1)) @ tree.loss).min(1)
    wrong = [tree.n - block.max(1) for block in tree.blocks(tree.summary)]
    return np.maximum(np.mean(wrong, axis=0), 0)


def best_subtree(tree: Tree, alpha: float, reason: str = t.PRUNED) -> Tree:
    """Return the smallest subtree with the least sum of its leaves' risk and alpha for each leaf.

    One pass from the bottom up: a node is a leaf if that costs no more than the best that is below it
    (Breiman et al., 1984, section 3.3 and chapter 10).

    Parameters
    ----------
    tree : Tree
    alpha : float
        The price of a leaf, in the unit of `risk`; may be negative.
    reason : str
        Why the new leaves are leaves: one of `dtlib.tree.REASONS`.

    Returns
    -------
    Tree

    Examples
    --------
    >>> from dtlib import CARTClassifier, load_loan
    >>> loan = load_loan()
    >>> tree = CARTClassifier().fit(loan.X, loan.y).tree_
    >>> [best_subtree(tree, alpha).n_leaves for alpha in (0.0, 2.9, 3.0)]
    [3, 3, 1]
    """
    alone = risk(tree) + alpha
    cost, below, cut = alone.copy(), np.zeros(tree.node_count), np.zeros(tree.node_count, bool)
    slack = SAME * max(abs(alone[0]), abs(alpha))
    for start, end in tree.spans[::-1]:
        inner = np.arange(start, end)[tree.feature[start:end] >= 0]
        cut[inner] = alone[inner] <= below[inner] + slack
        cost[inner] = np.where(cut[inner], alone[inner], below[inner])
        if start:
            np.add.at(below, tree.parent[start:end], cost[start:end])
    return t.collapse(tree, np.flatnonzero(cut), reason)
