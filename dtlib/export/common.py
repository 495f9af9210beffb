"""What the languages share: values, groups of names, where missing values go, what a node predicts."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from dtlib.table.columns import Feature
from dtlib.tree.descend import parts_below
from dtlib.tree.node import surrogate_split
from dtlib.tree.tree import Tree

TIE = 1e-12  # shares of classes that differ by less, relative to the largest, are equal: as in Tree.labels


def plain(value: Any, what: str, language: str) -> str | bool | int | float:
    """Return a value as Python's own text, truth or number, or say that a language cannot hold it."""
    value = value.item() if isinstance(value, np.generic) else value
    if not isinstance(value, str | bool | int | float):
        kind = type(value).__name__
        raise TypeError(f"{what} {value!r} is a {kind}, which {language} cannot hold: use text or numbers")
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{what} is {value}, which {language} cannot hold: use text or a finite number")
    return value


def limit(tree: Tree, node: int) -> float:
    """Return the largest number that takes the first branch of a node."""
    return tree.limit(tree.threshold[node]).item()


def groups(tree: Tree, node: int) -> list[tuple[Any, ...]]:
    """Return the names that take each branch of a node; none where numbers are asked.

    Examples
    --------
    >>> from dtlib import ID3Classifier, load_loan
    >>> loan = load_loan()
    >>> groups(ID3Classifier().fit(loan.X, loan.y).tree_, 0)
    [('no',), ('yes',)]
    """
    feature = tree.features[tree.feature[node]]
    if feature.kind == "numeric":  # alone or in a weighted sum
        return []
    if feature.kind == "ordered":
        first = int(tree.threshold[node]) + 1
        return [feature.values[:first], feature.values[first:]]
    found: list[list[Any]] = [[] for _ in range(tree.children[node])]
    first = tree.first_value[node]
    for place in range(first, first + tree.n_values[node]):
        found[tree.branch[place]].append(feature.values[tree.code[place]])
    return [tuple(values) for values in found]


def weighted(tree: Tree, node: int, value: Callable[[str], str], write: Callable[[float], str]) -> str:
    """Write the weighted sum that a node asks, term by term in the order in which the tree adds them up.

    Parameters
    ----------
    tree : Tree
    node : int
    value : callable
        Writes the value of a feature, given its name.
    write : callable
        Writes a number.
    """
    text = ""
    for f in np.flatnonzero(tree.normals[node]):
        c, name = tree.normals[node, f].item(), value(tree.features[f].name)
        sign = ("-" if c < 0 else "") if not text else " - " if c < 0 else " + "
        text += f"{sign}{name}" if abs(c) == 1 else f"{sign}{write(abs(c))} * {name}"
    return text


class TwoWay(NamedTuple):
    """A question of two branches: of numbers, where the first one ends (or begins); of names, both groups."""

    feature: Feature
    threshold: float
    upside_down: bool
    groups: list[tuple[Any, ...]]


def questions(tree: Tree, node: int) -> list[TwoWay]:
    """Return the question of a node and those that stand in for it, the best one first; none if none do."""
    places = tree.surrogates.at(node) if tree.missing == "surrogate" else np.empty(0, np.intp)
    if not len(places):
        return []
    feature = tree.features[tree.feature[node]]
    found = [TwoWay(feature, limit(tree, node), False, groups(tree, node))]
    for place in places:
        feature = tree.features[tree.surrogates.feature[place]]
        cut, side = tree.limit(tree.surrogates.threshold[place]).item(), bool(tree.surrogates.side[place])
        names: list[tuple[Any, ...]] = []
        if feature.kind == "nominal":
            names = list(surrogate_split(tree, int(place)).groups)
        elif feature.kind == "ordered":
            names = [feature.values[: int(cut) + 1], feature.values[int(cut) + 1 :]]
            names = names[::-1] if side else names
        found.append(TwoWay(feature, cut, side, names))
    return found


def parts(tree: Tree) -> np.ndarray:
    """Return which part of a row takes the branch to each node if the node above misses what it asks.

    0 for all branches of a node where such a row ends. With surrogates, that is what becomes of a row that
    none of them can send.

    Examples
    --------
    >>> from dtlib import C45Classifier, load_golf
    >>> golf = load_golf()
    >>> tree = C45Classifier(missing="majority", max_depth=1).fit(golf.X, golf.y).tree_
    >>> tree.root.feature, tree.n.tolist(), parts(tree).tolist()
    ('outlook', [14, 5, 4, 5], [0.0, 1.0, 0.0, 0.0])
    """
    part, inner = np.zeros(tree.node_count), np.flatnonzero(tree.feature >= 0)
    if tree.missing in ("majority", "fractional"):
        some = parts_below(tree, inner, tree.missing)
        part[tree.first_child[inner[some.part]] + some.branch] = some.share
    elif tree.missing == "surrogate":
        sent = inner[tree.surrogates.default[inner] >= 0]
        part[tree.first_child[sent] + tree.surrogates.default[sent]] = 1
    return part


def predictions(tree: Tree, write: Callable[[Any, str], str]) -> list[list[str]]:
    """Return what each node predicts, written as literals: for each output, one for each node."""
    if not tree.is_classifier:
        return [[write(x, "number") for x in column] for column in tree.value.T.tolist()]
    labels = tree.label.reshape(tree.node_count, -1).T
    found = []
    for output, label in zip(tree.outputs, labels, strict=True):
        literals = {k: write(output.values[k], f"class of {output.name!r}") for k in set(label.tolist())}
        found.append([literals[k] for k in label.tolist()])
    return found


def amounts(tree: Tree) -> list[np.ndarray]:
    """Return what a part of a row adds where it ends: for each output, an array of shape (nodes, amounts).

    That is the share of each class, with a loss what it costs to predict it, or the number itself.
    """
    return tree.blocks(tree.value if tree.loss is None else tree.value @ tree.loss)
