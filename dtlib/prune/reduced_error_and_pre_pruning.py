"""Held-out rows decide: reduced error pruning, from the bottom up, and pre-pruning (chapter 12)."""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dtlib.prune.held_out import ValidationErrors, decisions, hold_out
from dtlib.prune.loss import SAME_COST
from dtlib.table.parameters import check_choice
from dtlib.tree import reasons
from dtlib.tree.edit import pruned
from dtlib.tree.tree import Fitted, Tree, tree_of


def reduced_error(
    tree: Tree | Fitted,
    X: pd.DataFrame | np.ndarray,
    y: ArrayLike,
    sample_weight: ArrayLike | None = None,
    ties: str = "keep",
) -> Tree:
    """Make a leaf of each node that has fewer errors on held-out rows as a leaf than with its subtree.

    The nodes are visited in reverse breadth-first order, the last one first, so that each is compared with
    the subtree that pruning has left below it. No subtree of the tree has fewer errors on the held-out rows
    than the result; with ``ties="cut"``, the result is the smallest subtree with so few errors.

    Parameters
    ----------
    tree : Tree or fitted estimator
        Grown from other rows.
    X : DataFrame of n rows, or float ndarray of shape (n, d)
        As for `Tree.apply`.
    y : array-like of shape (n,) or (n, outputs)
        True targets of the rows.
    sample_weight : array-like of shape (n,), optional
        What each row counts; default 1.
    ties : {"keep", "cut"}, default "keep"
        Whether a subtree is kept that is neither better nor worse than a leaf, as also if no held-out row
        comes to it. "keep" prunes only subtrees that make more errors, as in the example of Zhou (2016,
        section 4.3), who keeps ties to have more to draw, and says that the smaller tree would be better.
        "cut" prunes them, as Quinlan (1987) and Weka do.

    Returns
    -------
    Tree
        Its `steps` have a row for each inner node, in the order of the visit: ``node``, ``feature`` (that it
        tests), ``n`` (weight of the held-out rows that come to it), ``cost`` (of the subtree left below:
        errors, or for regression the sum of squared differences), ``cost_as_leaf``; ``accuracy`` and
        ``accuracy_if_cut`` of the whole tree at that step (with a loss ``mean_cost``; for regression, the
        mean by the name of the criterion); and ``cut``.

    Raises
    ------
    ValueError
        If `ties` is neither "keep" nor "cut", or the rows do not fit the tree, see `hold_out`.

    References
    ----------
    J. R. Quinlan, "Simplifying decision trees", Int. J. Man-Machine Studies 27 (1987) 221-234.

    Examples
    --------
    >>> from dtlib import ID3Classifier
    >>> from dtlib.datasets import load_loan
    >>> loan = load_loan()
    >>> tree = ID3Classifier().fit(loan.X[["age", "credit"]].head(9), loan.y.head(9)).tree_
    >>> smaller = reduced_error(tree, loan.X.tail(6), loan.y.tail(6), ties="cut")
    >>> print(smaller)
    root (no 5, yes 4)
    ├── credit = fair (no 3, yes 1) → no
    ├── credit = good (no 2, yes 2) → no
    └── credit = excellent (no 0, yes 1) → yes
    >>> smaller.steps[["feature", "accuracy", "accuracy_if_cut", "cut"]].round(3)
      feature  accuracy  accuracy_if_cut    cut
    0     age     0.667            0.667   True
    1  credit     0.667            0.167  False
    """
    tree = tree_of(tree)
    check_choice("ties", ties, ("keep", "cut"))
    return cut_errors(tree, hold_out(tree, X, y, sample_weight), ties)


def cut_errors(tree: Tree, held: ValidationErrors, ties: str) -> Tree:
    """Prune a tree from the bottom up, given the costs of held-out rows at its nodes."""
    below, cut = pruned_below(tree, held, ties)
    node = np.flatnonzero(tree.feature >= 0)[::-1]
    compared, start = {"cost": below, "cost_as_leaf": held.cost}, float(held.staying.sum())
    steps = decisions(tree, held, node, compared, cut[node], start, "if_cut").assign(cut=cut[node])
    return pruned(tree, np.flatnonzero(cut), reasons.HELD_OUT, steps)


def pruned_below(tree: Tree, held: ValidationErrors, ties: str) -> tuple[np.ndarray, np.ndarray]:
    """Return for each node the cost of its held-out rows in the subtree left below, and whether it is cut."""
    below, cut = held.staying.copy(), np.zeros(tree.node_count, bool)
    for start, end in tree._level_bounds[::-1]:
        here = np.arange(start, end)
        inner = here[tree.feature[here] >= 0]
        as_leaf, kept = held.cost[inner], below[inner]
        slack = SAME_COST * np.maximum(as_leaf, kept)
        cut[inner] = as_leaf <= kept + slack if ties == "cut" else as_leaf < kept - slack
        if start:
            np.add.at(below, tree.parent[here], np.where(cut[here], held.cost[here], below[here]))
    return below, cut


def pre_prune(
    tree: Tree | Fitted, X: pd.DataFrame | np.ndarray, y: ArrayLike, sample_weight: ArrayLike | None = None
) -> Tree:
    """Keep a split only if held-out rows have fewer errors with it than without it, from the top down.

    This gives the tree that grows if each split is tested on held-out rows before it is made: with the split,
    and leaves right below it, there must be fewer errors than without (Zhou, 2016, section 4.3). The split
    itself depends neither on held-out rows nor on other nodes, so it can be found first and tested later.
    (Limits of the whole tree are an exception: `max_leaf_nodes` counts the leaves before pruning.)

    Splits further below are not considered: the first split of an exclusive or, which gains nothing alone, is
    not kept.

    Parameters
    ----------
    tree : Tree or fitted estimator
        Fully grown, from other rows.
    X : DataFrame of n rows, or float ndarray of shape (n, d)
        As for `Tree.apply`.
    y : array-like of shape (n,) or (n, outputs)
        True targets of the rows.
    sample_weight : array-like of shape (n,), optional
        What each row counts; default 1.

    Returns
    -------
    Tree
        Its `steps` have a row for each split that was tested, from the top down: ``node``, ``feature`` (of
        the split), ``n`` (weight of the held-out rows that come to it), ``cost_as_leaf`` (their errors
        without the split, or for regression the sum of squared differences), ``cost_if_split`` (with leaves
        right below); ``accuracy`` and ``accuracy_if_split`` of the whole tree at that step (with a loss
        ``mean_cost``; for regression, the mean by the name of the criterion); and ``cut``: whether the split
        was not made.

    Raises
    ------
    ValueError
        If the rows do not fit the tree, see `hold_out`.

    Examples
    --------
    >>> from dtlib import ID3Classifier
    >>> from dtlib.datasets import load_loan
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
    tree = tree_of(tree)
    return keep_helpful(tree, hold_out(tree, X, y, sample_weight))


def keep_helpful(tree: Tree, held: ValidationErrors) -> Tree:
    """Prune a tree from the top down, given the costs of held-out rows at its nodes."""
    split = held.staying.copy()  # cost of each node if all its children are leaves
    np.add.at(split, tree.parent[1:], held.cost[1:])
    helps = split < held.cost - SAME_COST * np.maximum(held.cost, split)
    tested = np.zeros(tree.node_count, bool)
    for start, end in tree._level_bounds:
        here = np.arange(start, end)
        above = tree.parent[here]
        tested[here] = (tree.feature[here] >= 0) & ((above < 0) | (tested[above] & helps[above]))
    node = np.flatnonzero(tested)
    compared = {"cost_as_leaf": held.cost, "cost_if_split": split}
    steps = decisions(tree, held, node, compared, helps[node], float(held.cost[0]), "if_split")
    steps = steps.assign(cut=~helps[node])
    return pruned(tree, np.flatnonzero(tested & ~helps), reasons.NO_HELP, steps)
