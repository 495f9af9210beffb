"""Held-out rows: drawing them, and their errors at each node of a tree (chapter 12)."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.model_selection import train_test_split

from dtlib.counting.criteria import criterion_of
from dtlib.numbers import floats, how_many, place_of
from dtlib.prune.loss import tested_features
from dtlib.table.columns import Column, index_of, narrowed
from dtlib.table.other_frames import in_pandas
from dtlib.table.parameters import Number
from dtlib.table.reading import (
    WANTED_X,
    as_column,
    check_classes,
    read_rows,
    real_numbers,
    said_outputs,
)
from dtlib.table.weights import checked_weight
from dtlib.tree.descend import Ends, ends
from dtlib.tree.tree import Fitted, Tree, tree_of

WANTED = "a share of the rows between 0 and 1, the positions of rows, or a mask of all rows"


class ValidationErrors(NamedTuple):
    """The costs of held-out rows at each node, three arrays of shape (nodes,).

    Parameters
    ----------
    n : float ndarray
        Weight of the rows and fractional instances that come to the node.
    cost : float ndarray
        Their cost if the node is a leaf: the weight of the misclassified rows (for several outputs, the mean
        over them), their cost by the loss, or the weighted sum of squared (absolute) differences
        or of half the Poisson deviances.
    staying : float ndarray
        The share of `cost` that is due to rows that end at the node: all of it at a leaf; elsewhere that of
        rows for whose value there is no branch.
    """

    n: np.ndarray
    cost: np.ndarray
    staying: np.ndarray


def hold_out(
    tree: Tree | Fitted, X: pd.DataFrame | np.ndarray, y: ArrayLike, sample_weight: ArrayLike | None = None
) -> ValidationErrors:
    """Send rows down a tree, and sum up the costs that they would have at each node on their path.

    A fractional instance costs its fraction of the cost of the prediction of its node.

    Parameters
    ----------
    tree : Tree or fitted estimator
    X : DataFrame of n rows, or float ndarray of shape (n, d)
        As for `Tree.apply`.
    y : array-like of shape (n,) or (n, outputs)
        True targets of the rows. A class that the tree does not know is always an error.
    sample_weight : array-like of shape (n,), optional
        What each row counts; default 1.

    Returns
    -------
    ValidationErrors

    Raises
    ------
    ValueError
        If there is no row, X has other columns than the tree, or missing values that the tree refuses; if
        lengths differ, or y has another number of outputs than the tree, a value that is missing or not
        numeric, or a class for which there is no loss.

    Examples
    --------
    >>> from dtlib import ID3Classifier
    >>> from dtlib.datasets import load_loan
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
    tree = tree_of(tree)
    X = rows_of(tree, X)
    truth, weight = true_values(tree, y, len(X)), checked_weight(sample_weight, len(X))
    row, node, share = ends(tree, X, tree.missing)
    return sum_up(tree, Ends(row, node, share if weight is None else share * weight[row]), truth)


def sum_up(tree: Tree, ended: Ends, truth: np.ndarray) -> ValidationErrors:
    """Return the costs at each node, given where rows or fractional instances end, and the true targets."""
    row, node, _ = ended
    staying = np.bincount(node, ended.weight * costs(tree, truth[row], node), tree.node_count)
    n, cost = np.zeros((2, tree.node_count))
    for row, node, share in upward(tree, ended):
        n += np.bincount(node, share, tree.node_count)
        cost += np.bincount(node, share * costs(tree, truth[row], node), tree.node_count)
    return ValidationErrors(n, cost, staying)


def upward(tree: Tree, ended: Ends) -> Iterator[Ends]:
    """Yield the rows at the nodes in which they end, then at the parents of these, and so on to the root.

    Examples
    --------
    >>> from dtlib import ID3Classifier
    >>> from dtlib.datasets import load_loan
    >>> loan = load_loan()
    >>> tree = ID3Classifier().fit(loan.X, loan.y).tree_
    >>> ended = Ends(np.arange(2), np.array([4, 2]), np.ones(2))
    >>> [(row.tolist(), node.tolist()) for row, node, _ in upward(tree, ended)]
    [([0, 1], [4, 2]), ([0, 1], [1, 0]), ([0], [0])]
    """
    while len(ended.row):
        yield ended
        node = tree.parent[ended.node]
        above = np.flatnonzero(node >= 0)
        ended = Ends(ended.row[above], node[above], ended.weight[above])


def rows_of(tree: Tree, X: pd.DataFrame | np.ndarray) -> np.ndarray:
    """Return rows as the array that the tree routes by; raise an error if it cannot read them."""
    X = in_pandas(X)
    X = tree._matrix(X) if isinstance(X, pd.DataFrame) else floats("X", X, WANTED_X)
    if X.ndim != 2 or X.shape[1] != len(tree.features) or not len(X):
        raise ValueError(f"X has shape {X.shape}; wanted at least one row of {len(tree.features)} features")
    if tree.missing == "error" and (missing := np.isnan(X)).any():
        place = place_of(missing)
        raise ValueError(f"X has a missing value in {place}, which this tree refuses: leave such rows out")
    return narrowed(X).astype(float) if tree.single else X


def true_values(tree: Tree, y: ArrayLike, n: int) -> np.ndarray:
    """Return the true targets of n rows, shape (n, outputs): class codes, -1 if unknown; or numbers."""
    columns = [(column, what) for _, column, what in said_outputs(y, n)]
    if len(columns) != len(tree.outputs):
        raise ValueError(f"y has {how_many(len(columns), 'output')}; the tree has {len(tree.outputs)}")
    if not tree.is_classifier:
        return np.stack([real_numbers(as_column(*one), one[1]) for one in columns], axis=1)
    known = (
        index_of(output.values).get_indexer(index_of(check_classes(*one).tolist()))
        for output, one in zip(tree.outputs, columns, strict=True)
    )
    codes = np.stack(list(known), axis=1)
    if tree.loss is not None and (codes < 0).any():
        row = int((codes < 0).any(1).argmax())
        raise ValueError(
            f"y holds {pd.Series(columns[0][0]).iloc[row]!r}, for which there is no loss: the classes are "
            f"{list(tree.classes)}"
        )
    return codes


def costs(tree: Tree, truth: np.ndarray, node: np.ndarray) -> np.ndarray:
    """Return the cost of each row if its node predicts for it, shape (n,)."""
    if tree.is_classifier:
        label = tree.majority.reshape(tree.node_count, -1)[node]
        return tree.loss[truth[:, 0], label[:, 0]] if tree.loss is not None else (truth != label).mean(1)
    return np.asarray(criterion_of(tree.criterion).loss(truth, tree.value[node]).mean(1))


def mean_cost(tree: Tree, cost: np.ndarray, held: ValidationErrors) -> tuple[str, np.ndarray]:
    """Return the usual name of the mean cost of held-out rows, and its values; for classes, the accuracy."""
    mean = cost / held.n[0]
    if not tree.is_classifier:
        return tree.criterion, mean
    return ("accuracy", 1 - mean) if tree.loss is None else ("mean_cost", mean)


def decisions(
    tree: Tree,
    held: ValidationErrors,
    node: np.ndarray,
    compared: dict[str, np.ndarray],
    changes: np.ndarray,
    start: float,
    ending: str,
) -> pd.DataFrame:
    """Return the table of the decisions at some nodes, in their order.

    Parameters
    ----------
    tree : Tree
    held : ValidationErrors
    node : int ndarray of shape (n,)
    compared : dict of two
        The costs that are compared, by the names of their columns: at each node of the present tree, and of
        the changed one.
    changes : bool ndarray of shape (n,)
        Whether the tree is changed at each node.
    start : float
        Cost of the whole tree before the first decision.
    ending : str
        Suffix of the column with the mean cost of the changed tree.
    """
    now, then = (cost[node] for cost in compared.values())
    before = start + np.append(0.0, np.cumsum(np.where(changes, then - now, 0)))[:-1]
    name, mean = mean_cost(tree, before, held)
    table = {"node": node, "feature": tested_features(tree, node), "n": held.n[node]}
    means = {name: mean, f"{name}_{ending}": mean_cost(tree, before + (then - now), held)[1]}
    return pd.DataFrame(table | dict(zip(compared, (now, then), strict=True)) | means)


def split_held_out(
    held_out: float | ArrayLike,
    targets: Sequence[Column],
    random_state: Any = None,
    weight: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Return the positions of the rows to grow from, and of the held-out rows.

    Parameters
    ----------
    held_out : float between 0 and 1, or array-like
        A share of the rows, which are drawn; or the held-out rows: positions counted from 0, or a mask.
    targets : sequence of Column
        Targets of n rows. For one output with classes, the draw is stratified if each class has two rows or
        more, and both subsets can hold all classes.
    random_state : int, RandomState, optional
        Seed of the draw.
    weight : ndarray of shape (n,), optional
        A row of weight 0 is in neither subset.

    Returns
    -------
    grow_rows, held_rows : int ndarrays
        Ascending.

    Raises
    ------
    ValueError
        If `held_out` is neither such a share nor such rows, or one of the subsets would be empty.

    Examples
    --------
    >>> y = Column("y", np.array(["no", "yes"]), np.array([0, 1, 0, 1, 0, 1, 0, 1]))
    >>> [rows.tolist() for rows in split_held_out([0, 5], [y])]
    [[1, 2, 3, 4, 6, 7], [0, 5]]
    >>> grow_rows, held_rows = split_held_out(0.25, [y], random_state=0)
    >>> len(grow_rows), y.codes[held_rows].tolist()
    (6, [0, 1])
    """
    n = len(targets[0].codes)
    counts = np.arange(n) if weight is None else np.flatnonzero(weight > 0)
    which = read_rows("held_out", held_out, WANTED)
    if which.ndim == 0:
        held = drawn(held_out, counts, targets, random_state)
    else:
        held = np.intersect1d(positions(which, n), counts)
    grown = np.setdiff1d(counts, held)
    for rows, what in ((held, "held out"), (grown, "to grow from")):
        if not len(rows):
            zero = "" if len(counts) == n else f", {n - len(counts)} of them of weight 0"
            raise ValueError(
                f"held_out leaves no row {what} of {how_many(n, 'sample')}{zero}; both parts need one"
            )
    return grown, held


def drawn(share: Any, rows: np.ndarray, targets: Sequence[Column], random_state: Any) -> np.ndarray:
    """Draw a share of these rows, stratified by class if possible; raise an error if it is no share."""
    if not Number(0, above=True).has(share) or share >= 1:
        raise ValueError(f"held_out is {share!r}; wanted {WANTED}")
    size = int(np.ceil(share * len(rows)))
    if size >= len(rows):
        return rows
    codes = targets[0].codes[rows] if len(targets) == 1 and targets[0].kind == "nominal" else None
    if codes is not None:
        number = np.unique(codes, return_counts=True)[1]
        if number.min() < 2 or min(size, len(rows) - size) < len(number):
            codes = None
    return np.sort(train_test_split(rows, test_size=size, random_state=random_state, stratify=codes)[1])


def positions(which: np.ndarray, n: int) -> np.ndarray:
    """Return the positions among n rows that an array of positions, or a mask, selects."""
    if which.ndim != 1 or (len(which) and which.dtype.kind not in "biu"):
        raise ValueError(
            f"held_out is an array of shape {which.shape} and type {which.dtype}; wanted a list of positions "
            f"(whole numbers) or a mask (True or False for each row)"
        )
    if which.dtype.kind == "b":
        if len(which) != n:
            entries = how_many(len(which), "row")
            raise ValueError(f"held_out is a mask of {entries}, but there are {n}: one entry per row")
        return np.flatnonzero(which)
    outside = which[(which < 0) | (which >= n)]
    if len(outside):
        raise ValueError(f"held_out has row position {outside[0]}, but the positions are 0 to {n - 1}")
    rows, times = np.unique(which, return_counts=True)
    if (times > 1).any():
        raise ValueError(f"held_out names row {rows[times.argmax()]} {times.max()} times: name it once")
    return rows.astype(np.intp)
