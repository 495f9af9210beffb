"""What rows that a tree has not seen say about each of its nodes (chapter 11)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dtlib.base import check_classes, check_outputs, checked_weight, real_numbers
from dtlib.missing import ends
from dtlib.tree import Tree


class HeldOut(NamedTuple):
    """What the held-out rows cost at each node, three arrays of shape (nodes,).

    Parameters
    ----------
    n : float ndarray
        Weight of the rows, and parts of rows, that come to the node.
    cost : float ndarray
        What they cost if the node is a leaf: the weight of those with another class (of several outputs, the
        mean), what the loss says, or the weighted sum of squared (absolute) differences.
    staying : float ndarray
        The part of `cost` that is due to rows that go no further: all of it at a leaf; elsewhere that of rows
        whose answer has no branch.
    """

    n: np.ndarray
    cost: np.ndarray
    staying: np.ndarray


def hold_out(
    tree: Tree, X: pd.DataFrame | np.ndarray, y: ArrayLike, sample_weight: ArrayLike | None = None
) -> HeldOut:
    """Send rows down a tree, and sum up what they would cost at each node on their way.

    Parameters
    ----------
    tree : Tree
    X : DataFrame of n rows, or float ndarray of shape (n, d)
        As for `Tree.apply`.
    y : array-like of shape (n,) or (n, outputs)
        What is true of them. A class that the tree does not know is always an error.
    sample_weight : array-like of shape (n,), optional
        What each row counts; default 1.

    Returns
    -------
    HeldOut

    Raises
    ------
    ValueError
        If lengths differ, or y has another number of outputs than the tree, values that are missing or no
        numbers, or a class that the loss does not know.

    Examples
    --------
    >>> from dtlib import ID3Classifier, load_loan
    >>> loan = load_loan()
    >>> tree = ID3Classifier().fit(loan.X[["age", "credit"]].head(9), loan.y.head(9)).tree_
    >>> print(tree)
    root (no 5, yes 4)
    ├── credit = fair (no 3, yes 1)
    │   ├── age = young (no 2, yes 1) → no
    │   ├── age = middle-aged (no 1, yes 0) → no
    │   └── age = old (no 0, yes 0) → no
    ├── credit = good (no 2, yes 2) → no
    └── credit = excellent (no 0, yes 1) → yes
    >>> held = hold_out(tree, loan.X.tail(6), loan.y.tail(6))
    >>> held.n.tolist(), held.cost.tolist()
    ([6.0, 1.0, 2.0, 3.0, 0.0, 0.0, 1.0], [5.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0])
    """
    X = tree.matrix(X) if isinstance(X, pd.DataFrame) else np.asarray(X, dtype=float)
    truth, weight = truths(tree, y, len(X)), checked_weight(sample_weight, len(X))
    row, node, share = ends(tree, X, tree.missing)
    share = share if weight is None else share * weight[row]
    n, cost = np.zeros((2, tree.node_count))
    staying = np.bincount(node, share * costs(tree, truth[row], node), tree.node_count)
    while len(row):
        n += np.bincount(node, share, tree.node_count)
        cost += np.bincount(node, share * costs(tree, truth[row], node), tree.node_count)
        node = tree.parent[node]
        above = node >= 0
        row, node, share = row[above], node[above], share[above]
    return HeldOut(n, cost, staying)


def truths(tree: Tree, y: ArrayLike, n: int) -> np.ndarray:
    """Return what is true of n rows, shape (n, outputs): places of classes, -1 if unknown; or numbers."""
    columns = [column for _, column in check_outputs(y, n)]
    if len(columns) != len(tree.outputs):
        raise ValueError(f"y has {len(columns)} outputs; the tree has {len(tree.outputs)}")
    if not tree.is_classifier:
        return np.stack([real_numbers(pd.Series(column)) for column in columns], axis=1)
    known = (
        pd.Index(output.values).get_indexer(check_classes(column))
        for output, column in zip(tree.outputs, columns, strict=True)
    )
    codes = np.stack(list(known), axis=1)
    if tree.loss is not None and (codes < 0).any():
        row = int((codes < 0).any(1).argmax())
        raise ValueError(
            f"y holds {pd.Series(columns[0]).iloc[row]!r}, for which there is no loss: the classes are "
            f"{list(tree.classes)}"
        )
    return codes


def costs(tree: Tree, truth: np.ndarray, node: np.ndarray) -> np.ndarray:
    """Return what each row costs at a node that predicts for it, shape (n,)."""
    if tree.is_classifier:
        label = tree.label.reshape(tree.node_count, -1)[node]
        return tree.loss[truth[:, 0], label[:, 0]] if tree.loss is not None else (truth != label).mean(1)
    apart = np.abs(truth - tree.value[node])
    return (apart if tree.criterion == "absolute_error" else apart**2).mean(1)
