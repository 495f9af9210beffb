"""Missing values that choose their side at each node: the side on which they gain more (chapter 10).

A column with missing values becomes two without any: in the first, a missing value is above all others, in
the second below all others. The best split of both is the best split of the column, wherever its missing
values go; and the last cut of the first is the test whether a value is known. A categorical feature needs no
second column: "missing" is one more category. So the search of complete tables finds these splits as well.

Examples
--------
>>> from dtlib.search.rules import Rules
>>> from dtlib.table.reading import class_targets
>>> from dtlib.table.training import read_training
>>> x = np.array([[1.0], [2.0], [np.nan]])
>>> data = read_training(x, class_targets(["a", "b", "a"], 3), missing=True)
>>> complete, rules = with_both_sides(data, Rules(missing="learned"))
>>> complete.codes.tolist(), rules.feature_of
([[0, 1, 2], [1, 2, 0]], (0, 0))
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dtlib.search.rules import Rules
from dtlib.search.surrogates import no_surrogates
from dtlib.table.coded import Coded
from dtlib.table.columns import Feature
from dtlib.table.training import Training
from dtlib.tree.descend import walk
from dtlib.tree.splits import KNOWN, KNOWN_DOUBLE, KNOWN_SINGLE
from dtlib.tree.tree import Tree

BELOW_KNOWN = np.nextafter(KNOWN_DOUBLE, 0)  # where a value equal to a threshold goes right
ABOVE, BELOW, CATEGORY = "above", "below", "category"  # what missing values are in a column


class Missing:
    """The category of missing values."""

    def __str__(self) -> str:
        return "missing"


def with_both_sides(data: Training, rules: Rules) -> tuple[Training, Rules]:
    """Return a table without missing values, and the rules for it, which know the feature of each column.

    Parameters
    ----------
    data : Training
        Where a value is missing, its code is -1.
    rules : Rules

    Returns
    -------
    Training, Rules
    """
    found = columns_of(data.features, np.any(data.codes < 0, axis=1).tolist())
    codes: list[np.ndarray] = []
    numbers, order = dict[int, np.ndarray](), dict[int, np.ndarray]()
    for j, (f, how) in enumerate(found):
        code = data.codes[f]
        x = data.numbers.get(f, np.arange(len(data.features[f].values)))
        if how == ABOVE:
            numbers[j], code = np.append(x, np.inf), np.where(code < 0, len(x), code)
        elif how == BELOW:
            numbers[j], code = np.append(-np.inf, x), code + 1
        elif how == CATEGORY:
            code = np.where(code < 0, len(x), code)
        elif f in data.numbers:
            numbers[j] = x
            order |= {j: data.order[f]} if f in data.order else {}
        codes.append(code)
    values = Coded(np.array(codes, np.int32), numbers, order)
    features = without_gaps(data.features, found)
    return replace(data, features=features, values=values), rules_of_columns(rules, found)


def columns_of(features: Sequence[Feature], lacking: Sequence[bool]) -> list[tuple[int, str]]:
    """Return the feature of each column, and what its missing values are there; "" if it has none."""
    found = []
    for f, feature in enumerate(features):
        hows = [CATEGORY] if feature.kind == "nominal" else [ABOVE, BELOW]
        found += [(f, how) for how in (hows if lacking[f] else [""])]
    return found


def without_gaps(features: Sequence[Feature], found: Sequence[tuple[int, str]]) -> tuple[Feature, ...]:
    """Return the features of the columns."""
    columns = []
    for f, how in found:
        feature = features[f]
        if how == CATEGORY:
            feature = replace(feature, values=(*feature.values, Missing()))
        elif how:
            feature = replace(feature, missing_side=1 if how == ABOVE else 0)
        columns.append(feature)
    return tuple(columns)


def rules_of_columns(rules: Rules, found: Sequence[tuple[int, str]]) -> Rules:
    """Return the rules of growing for the columns."""
    return replace(rules, missing="error", feature_of=tuple(f for f, _ in found))


def told_apart(tree: Tree, data: Training) -> Tree:
    """Return a tree of a table's features, given the tree of its columns without missing values.

    Parameters
    ----------
    tree : Tree
        Grown from what `with_both_sides` returns.
    data : Training
        The table with missing values.

    Returns
    -------
    Tree
    """
    found = columns_of(data.features, np.any(data.codes < 0, axis=1).tolist())
    is_single = all(x.dtype == np.float32 for x in data.numbers.values())
    tree = in_features(tree, data.features, found, is_single)
    tree = with_sides(tree, tree._active_surrogates.default, missing_rows(tree, data))
    return replace(tree, training=data)


def in_features(
    tree: Tree, features: tuple[Feature, ...], found: Sequence[tuple[int, str]], is_single: bool
) -> Tree:
    """Return a tree of the features, given the tree of their columns.

    Parameters
    ----------
    tree : Tree
    features : tuple of Feature
    found : sequence of tuples
        As `columns_of` returns it.
    is_single : bool
        Whether numbers are float32.
    """
    column, inner = tree.feature, tree.feature >= 0
    feature_of, how = np.array([f for f, _ in found] + [-1]), np.array([how for _, how in found] + [""])
    side = np.where(how[column] == ABOVE, 1, np.where(how[column] == BELOW, 0, heavier(tree)))
    threshold, known = tree.threshold.copy(), KNOWN_SINGLE if is_single else KNOWN_DOUBLE
    V = np.array([*(len(feature.values) for feature in features), 0])[feature_of[column]]
    alone = threshold >= BELOW_KNOWN
    threshold[alone] = np.where(V > 0, V - 0.5, known)[alone]
    parts = known_categories(tree, V, side)
    sides = no_surrogates(np.where(inner, side, -1))
    return replace(
        tree, features=features, feature=feature_of[column], threshold=threshold, missing="learned",
        surrogates=sides, **parts, neighbors=notes_of_features(tree.neighbors, feature_of),
    )  # fmt: skip


def with_sides(tree: Tree, side: np.ndarray, lacking: np.ndarray) -> Tree:
    """Return a tree that has learned the side of missing values at each node, and knows how many there are.

    At a node at which no value of its feature was missing, missing values take the heavier branch, the second
    of equals, as in scikit-learn.
    """
    default = np.where(lacking > 0, side, heavier(tree))
    return replace(tree, missing="learned", surrogates=no_surrogates(default), missing_rows=lacking)


def heavier_sides(tree: Tree) -> dict[str, Any]:
    """Return the sides of a tree whose training rows lacked no value: the heavier branch of each node."""
    return {
        "surrogates": no_surrogates(heavier(tree)),
        "missing_rows": np.zeros(tree.node_count, np.intp),
    }


def heavier(tree: Tree) -> np.ndarray:
    """Return the heavier branch of each node, the second of equals; -1 at a leaf."""
    found, inner = np.full(tree.node_count, -1), tree.feature >= 0
    first = tree.first_child[inner]
    found[inner] = tree.n[first] <= tree.n[first + 1]
    return found


def known_categories(tree: Tree, V: np.ndarray, side: np.ndarray) -> dict[str, Any]:
    """Return the branches of the categories but for "missing", whose branch is written to `side`.

    `V` is the number of known categories of the feature of each node.
    """
    node, number = np.repeat(np.arange(tree.node_count), tree.n_values), tree.n_values.copy()
    is_missing = tree.code >= V[node]
    side[node[is_missing]] = tree.branch[is_missing]
    number[node[is_missing]] -= 1
    return {"n_values": number, "code": tree.code[~is_missing], "branch": tree.branch[~is_missing]}


def in_columns(tree: Tree, data: Training, rules: Rules) -> Tree:
    """Return the tree of the columns, from which `told_apart` made the tree of the features.

    Parameters
    ----------
    tree : Tree
        A tree that has learned the sides of missing values.
    data, rules
        As for `with_both_sides`.
    """
    complete, complete_rules = with_both_sides(data, rules)
    assert tree.missing_rows is not None
    inner, default = tree.feature >= 0, tree._active_surrogates.default
    start = np.searchsorted(complete_rules.feature_of, np.arange(len(data.features)))
    lacking, is_nominal = inner & (tree.missing_rows > 0), tree.n_values > 0
    column = np.where(inner, start[tree.feature], -1) + (lacking & ~is_nominal & (default == 0))
    V = np.array([*(len(feature.values) for feature in data.features), 0])[tree.feature]
    alone = (tree.threshold > V - 1) & ((V > 0) | np.isin(tree.threshold, list(KNOWN)))
    threshold = np.where(alone, KNOWN_DOUBLE, tree.threshold)
    at = tree._first_value[lacking & is_nominal] + tree.n_values[lacking & is_nominal]  # "missing" is last
    return replace(
        tree, features=complete.features, feature=column, threshold=threshold,
        n_values=tree.n_values + (lacking & is_nominal),
        code=np.insert(tree.code, at, V[lacking & is_nominal]),
        branch=np.insert(tree.branch, at, default[lacking & is_nominal]),
        missing="error", surrogates=None, missing_rows=None, neighbors=None, training=complete,
        grown_by=complete_rules,
    )  # fmt: skip


def notes_of_features(notes: np.ndarray | None, feature_of: np.ndarray) -> np.ndarray | None:
    """Return the notes on thresholds with features in place of columns; none on a test whether one knows."""
    if notes is None:
        return None
    notes = notes[np.isfinite(notes).all(axis=1)]
    notes[:, 0] = feature_of[notes[:, 0].astype(np.intp)]
    return notes if len(notes) else None


def missing_rows(tree: Tree, data: Training) -> np.ndarray:
    """Return the number of training rows of each node whose value of the tested feature is missing."""
    found, tested = np.zeros(tree.node_count, np.intp), np.unique(tree.feature[tree.feature >= 0])
    some = (data.codes[tested] < 0).any(axis=0)
    rows = np.flatnonzero(some if data.weight is None else some & (data.weight > 0))
    X = data.matrix(rows)
    for at in walk(tree, X, "learned"):
        f = tree.feature[at.node]
        found += np.bincount(at.node[(f >= 0) & np.isnan(X[at.row, f])], minlength=tree.node_count)
    return found
