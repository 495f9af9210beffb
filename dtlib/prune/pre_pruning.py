"""Pre-pruning by held-out rows: a split that does not help them is not made (chapter 11)."""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dtlib.prune.held_out import decisions, hold_out
from dtlib.prune.loss import SAME_COST
from dtlib.tree import reasons
from dtlib.tree.edit import pruned
from dtlib.tree.tree import Tree


def pre_prune(
    tree: Tree, X: pd.DataFrame | np.ndarray, y: ArrayLike, sample_weight: ArrayLike | None = None
) -> Tree:
    """Keep a split only if held-out rows fare better with it than without it, from the top down.

    This is the tree that grows if held-out rows are asked before each split: with the split, and leaves right
    below it, there must be fewer errors than without (Zhou, 2016, section 4.3). The split itself depends
    neither on held-out rows nor on other nodes, so it makes no difference that it is found first and asked
    about later. (It would for limits of the whole tree: `max_leaf_nodes` counts the leaves before pruning.)

    What a later split would repair is not seen: the first split of an exclusive or helps nobody alone.

    Parameters
    ----------
    tree : Tree
        Fully grown, from other rows.
    X : DataFrame of n rows, or float ndarray of shape (n, d)
        As for `Tree.apply`.
    y : array-like of shape (n,) or (n, outputs)
        What is true of them.
    sample_weight : array-like of shape (n,), optional
        What each row counts; default 1.

    Returns
    -------
    Tree
        Its `steps` have a row for each split that was asked about, from the top down: ``node``, ``feature``
        (what it asks), ``n`` (weight of the held-out rows that come to it), ``cost_as_leaf`` (their errors
        without the split, or for numbers the sum of squared differences), ``cost_if_split`` (with leaves
        right below); ``accuracy`` and ``accuracy_if_split`` of the whole tree as it then is (with a loss
        ``mean_cost``; for numbers, the mean by the name of the criterion); and ``cut``: whether the split was
        not made.

    Raises
    ------
    ValueError
        If the rows do not fit the tree, see `hold_out`.

    Examples
    --------
    >>> from dtlib import ID3Classifier, load_loan
    >>> loan = load_loan()
    >>> tree = ID3Classifier().fit(loan.X[["age", "credit"]].head(9), loan.y.head(9)).tree_
    >>> stopped = pre_prune(tree, loan.X.tail(6), loan.y.tail(6))
    >>> stopped.n_leaves
    3
    >>> stopped.steps[["feature", "accuracy", "accuracy_if_split", "cut"]].round(3)
      feature  accuracy  accuracy_if_split    cut
    0  credit     0.167              0.667  False
    1     age     0.667              0.667   True
    """
    held = hold_out(tree, X, y, sample_weight)
    split = held.staying.copy()  # cost of each node if all right below it are leaves
    np.add.at(split, tree.parent[1:], held.cost[1:])
    helps = split < held.cost - SAME_COST * np.maximum(held.cost, split)
    asked = np.zeros(tree.node_count, bool)
    for start, end in tree.spans:
        here = np.arange(start, end)
        above = tree.parent[here]
        asked[here] = (tree.feature[here] >= 0) & ((above < 0) | (asked[above] & helps[above]))
    node = np.flatnonzero(asked)
    compared = {"cost_as_leaf": held.cost, "cost_if_split": split}
    steps = decisions(tree, held, node, compared, helps[node], float(held.cost[0]), "if_split")
    steps = steps.assign(cut=~helps[node])
    return pruned(tree, np.flatnonzero(asked & ~helps), reasons.NO_HELP, steps)
