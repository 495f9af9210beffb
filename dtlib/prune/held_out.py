"""What rows that a tree has not seen say about each of its nodes (chapter 11)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.model_selection import train_test_split

from dtlib.base import check_classes, check_number, check_outputs, checked_weight, real_numbers
from dtlib.columns import Column
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


def split_held_out(
    held_out: float | ArrayLike, targets: Sequence[Column], random_state: Any = None
) -> tuple[np.ndarray, np.ndarray]:
    """Say which rows a tree is grown from, and which are held out.

    Parameters
    ----------
    held_out : float between 0 and 1, or array-like
        The share of the rows that is drawn, by scikit-learn's `train_test_split`; or the positions of the
        rows, or a bool for each row.
    targets : sequence of Column
        The outputs. One output of classes is drawn in equal shares of each class, if each has two rows, and
        both parts a row for each class.
    random_state : int, RandomState, optional
        Seed of the draw.

    Returns
    -------
    grow, held : int ndarrays
        The positions of the rows, ascending.

    Raises
    ------
    ValueError
        If `held_out` is something else, or one of both parts is empty.

    Examples
    --------
    >>> y = Column("y", ("no", "yes"), np.array([0, 1, 1, 0, 1, 1]))
    >>> split_held_out([4, 1], [y])
    (array([0, 2, 3, 5]), array([1, 4]))
    >>> grow, held = split_held_out(1 / 3, [y], random_state=0)
    >>> y.codes[held]
    array([0, 1])
    """
    n = len(targets[0].codes)
    if np.ndim(held_out):
        held = positions(held_out, n)
    else:
        check_number("held_out", held_out, 0, above=True)
        if held_out >= 1:
            raise ValueError(f"held_out is {held_out!r}; wanted a share below 1, positions, or a bool each")
        held = drawn(float(held_out), targets, random_state)
    grow = np.ones(n, bool)
    grow[held] = False
    if not len(held) or not grow.any():
        what = "no row is held out" if not len(held) else "no row is left to grow from"
        raise ValueError(f"held_out leaves n_samples = {n} so that {what}: hold out some of them")
    return np.flatnonzero(grow), np.flatnonzero(~grow)


def positions(held_out: ArrayLike, n: int) -> np.ndarray:
    """Return the positions of the rows held out, or say what is wrong with them."""
    held = np.asarray(held_out)
    if held.dtype == bool and held.shape == (n,):
        return np.flatnonzero(held)
    if held.dtype == bool or held.ndim != 1 or (held.size and held.dtype.kind not in "iu"):
        raise ValueError(
            f"held_out is an array of type {held.dtype} and shape {held.shape}; wanted positions, or a bool "
            f"for each of {n} rows"
        )
    if held.size and not (held.min() >= 0 and held.max() < n):
        raise ValueError(f"held_out goes from {held.min()} to {held.max()}; the rows are 0 to {n - 1}")
    if len(np.unique(held)) < len(held):
        raise ValueError("held_out names a row twice: name each of them once")
    return held.astype(np.intp)


def drawn(share: float, targets: Sequence[Column], random_state: Any) -> np.ndarray:
    """Draw the rows that are held out."""
    n, target = len(targets[0].codes), targets[0]
    if n < 2:
        raise ValueError(
            f"held_out is {share}, but n_samples = {n}: wanted a row to grow from and one held out"
        )
    K, part = len(np.unique(target.codes)), int(np.ceil(share * n))
    by_class = len(targets) == 1 and target.kind == "nominal" and min(part, n - part) >= K
    by_class = by_class and np.bincount(target.codes, minlength=1)[np.unique(target.codes)].min() > 1
    return train_test_split(
        np.arange(n), test_size=share, random_state=random_state, stratify=target.codes if by_class else None
    )[1]


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
