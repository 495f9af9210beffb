"""Pre-pruning by held-out rows: a split that does not help them is not made (chapter 11)."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dtlib.prune.held_out import HeldOut, hold_out, mean_cost
from dtlib.prune.loss import SAME
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
    split = one_level_below(tree, held)
    helps = split < held.cost - SAME * np.maximum(held.cost, split)
    asked = np.zeros(tree.node_count, bool)
    for start, end in tree.spans:
        here = np.arange(start, end)
        above = tree.parent[here]
        asked[here] = (tree.feature[here] >= 0) & ((above < 0) | (asked[above] & helps[above]))
    steps = questions(tree, held, split, np.flatnonzero(asked), helps)
    return pruned(tree, np.flatnonzero(asked & ~helps), reasons.NO_HELP, steps)


def one_level_below(tree: Tree, held: HeldOut) -> np.ndarray:
    """Return what the held-out rows of each node cost if all nodes right below it are leaves."""
    below = held.staying.copy()
    np.add.at(below, tree.parent[1:], held.cost[1:])
    return below


def questions(
    tree: Tree, held: HeldOut, split: np.ndarray, node: np.ndarray, helps: np.ndarray
) -> pd.DataFrame:
    """Return the record of the splits asked about, in the order of the nodes."""
    names = np.array([feature.name for feature in tree.features], object)
    change = split[node] - held.cost[node]
    done = np.cumsum(np.where(helps[node], change, 0))
    before = held.cost[0] + np.concatenate([[0.0], done[:-1]])[: len(node)]
    name, now = mean_cost(tree, before, held)
    return pd.DataFrame(
        {
            "node": node,
            "feature": names[tree.feature[node]],
            "n": held.n[node],
            "cost_as_leaf": held.cost[node],
            "cost_if_split": split[node],
            name: now,
            f"{name}_if_split": mean_cost(tree, before + change, held)[1],
            "cut": ~helps[node],
        }
    )
