"""Common parts of the exports: values, names, missing values, predictions (chapters 10 and 25)."""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from dtlib.numbers import shown
from dtlib.table.columns import Feature
from dtlib.tree.descend import parts_below
from dtlib.tree.node import surrogate_split
from dtlib.tree.splits import Hyperplane, Multiway, Split, Subset, Threshold
from dtlib.tree.tree import Tree

EQUAL_SHARES = 1e-12  # shares of classes that differ by less, relative to the largest: as in Tree.labels


def plain_value(value: Any, what: str, language: str) -> str | bool | int | float:
    """Return a value as a str, bool, int or float; raise an error if a language cannot hold it.

    A value of an enumeration becomes the text or the number that it is.
    """
    match value.item() if isinstance(value, np.generic) else value:
        case bool(truth):
            return truth
        case str(text):
            return str.__str__(text)
        case int(whole):
            return int(whole)
        case float(x) if math.isfinite(x):
            return float(x)
        case float(x):
            raise ValueError(f"{what} is {x}, which {language} cannot hold: use text or a finite number")
        case other:
            kind = type(other).__name__
            raise TypeError(
                f"{what} {other!r} is a {kind}, which {language} cannot hold: use text or numbers"
            )


def limit(tree: Tree, node: int) -> float:
    """Return the largest number that takes the first branch of a node."""
    return tree._limit(tree.threshold[node]).item()


def sides_of_cut(x: str, cut: str) -> tuple[str, str]:
    """Write the conditions of the two branches of a threshold."""
    return f"{x} <= {cut}", f"{x} > {cut}"


def categories_by_branch(split: Split | None) -> list[tuple[Any, ...]]:
    """Return the categories that take each branch of a split; none for a numeric feature.

    Examples
    --------
    >>> from dtlib import ID3Classifier
    >>> from dtlib.datasets import load_loan
    >>> loan = load_loan()
    >>> categories_by_branch(ID3Classifier().fit(loan.X, loan.y).tree_.root.split)
    [('no',), ('yes',)]
    """
    match split:
        case Multiway():
            return [(value,) for value in split.values]
        case Subset():
            return list(split.groups)
        case Threshold() if split.values:
            first = int(split.threshold) + 1
            groups = [split.values[:first], split.values[first:]]
            return groups[::-1] if split.is_reversed else groups
    return []


def weighted(split: Hyperplane, value: Callable[[str], str], write: Callable[[float], str]) -> str:
    """Write the sum of an oblique split, term by term in the order in which the tree adds them up.

    Parameters
    ----------
    split : Hyperplane
    value : callable
        Writes the value of a feature as a float, given its name: the tree adds up floats.
    write : callable
        Writes a number.

    Examples
    --------
    >>> weighted(Hyperplane(("x", "y"), (1.0, -0.5), 3.0), str.upper, repr)
    'X - 0.5 * Y'
    """
    text = ""
    for name, c in zip(split.features, split.coefficients, strict=True):
        sign = ("-" if c < 0 else "") if not text else " - " if c < 0 else " + "
        text += sign + (value(name) if abs(c) == 1 else f"{write(abs(c))} * {value(name)}")
    return text


class TwoWay(NamedTuple):
    """A binary split: the end (or start) of the first branch of a threshold, or both groups of categories."""

    feature: Feature
    threshold: float
    is_reversed: bool
    groups: list[tuple[Any, ...]]


def two_way_questions(tree: Tree, node: int) -> list[TwoWay]:
    """Return the split of a node and its surrogate splits, the best one first; [] without surrogates."""
    s = tree.surrogates
    if tree.missing != "surrogate" or s is None or not len(s.at(node)):
        return []
    names = categories_by_branch(tree[node].split)
    found = [TwoWay(tree.features[tree.feature[node]], limit(tree, node), False, names)]
    for place in s.at(node).tolist():
        cut, names = (
            tree._limit(s.threshold[place]).item(),
            categories_by_branch(surrogate_split(tree, place)),
        )
        found.append(TwoWay(tree.features[s.feature[place]], cut, bool(s.side[place]), names))
    return found


def missing_parts(tree: Tree) -> np.ndarray:
    """Return the share of a row that takes the branch to each node if the value tested above is missing.

    0 for all branches of a node where such a row ends. With surrogates, these are the shares of a row that
    none of them can send.

    Examples
    --------
    >>> from dtlib import C45Classifier
    >>> from dtlib.datasets import load_golf
    >>> golf = load_golf()
    >>> tree = C45Classifier(missing="majority", max_depth=1).fit(golf.X, golf.y).tree_
    >>> tree.root.feature, tree.n.tolist(), missing_parts(tree).tolist()
    ('outlook', [14, 5, 4, 5], [0.0, 1.0, 0.0, 0.0])
    """
    part, inner, s = np.zeros(tree.node_count), np.flatnonzero(tree.feature >= 0), tree.surrogates
    if tree.missing in ("majority", "fractional"):
        some = parts_below(tree, inner, tree.missing)
        part[tree.first_child[inner[some.part]] + some.branch] = some.share
    elif tree.missing in ("surrogate", "learned") and s is not None:
        sent = inner[s.default[inner] >= 0]
        part[tree.first_child[sent] + s.default[sent]] = 1
    return part


def predictions(tree: Tree, write: Callable[[Any, str], str]) -> list[list[str]]:
    """Return the prediction of each node as a literal: for each output, one for each node."""
    if not tree.is_classifier:
        return [[write(x, "number") for x in column] for column in tree.value.T.tolist()]
    labels = tree.label.reshape(tree.node_count, -1).T
    found = []
    for output, label in zip(tree.outputs, labels, strict=True):
        literals = {k: write(output.values[k], f"class of {output.name!r}") for k in set(label.tolist())}
        found.append([literals[k] for k in label.tolist()])
    return found


def class_literals(tree: Tree, write: Callable[[Any, str], str]) -> list[list[str]]:
    """Return the classes of each output, written as literals."""
    return [[write(value, f"class of {output.name!r}") for value in output.values] for output in tree.outputs]


def written_shares(tree: Tree, write: Callable[[Any, str], str]) -> list[list[list[str]]]:
    """Return the class shares of each node as literals: for each output and class, one for each node.

    Examples
    --------
    >>> from dtlib import ID3Classifier
    >>> from dtlib.datasets import load_loan
    >>> loan = load_loan()
    >>> written_shares(ID3Classifier().fit(loan.X, loan.y).tree_, lambda x, what: str(x))
    [[['0.4', '0.6666666666666666', '0.0', '1.0', '0.0'], ['0.6', '0.3333333333333333', '1.0', '0.0', '1.0']]]
    """
    blocks = [block.T.tolist() for block in tree._blocks(tree.value)]
    return [[[write(x, "class share") for x in column] for column in block] for block in blocks]


def check_proba(tree: Tree, proba: Any) -> None:
    """Raise an error if `proba` is no truth value, or if a tree has no class shares.

    Examples
    --------
    >>> from dtlib import CARTRegressor
    >>> from dtlib.datasets import load_regression_points
    >>> points = load_regression_points()
    >>> check_proba(CARTRegressor().fit(points.X, points.y).tree_, True)
    Traceback (most recent call last):
    ValueError: proba is True, but this is a regression tree, which has no class probabilities; wanted False
    """
    if not isinstance(proba, bool | np.bool_):
        raise TypeError(f"proba is {shown(proba)}; wanted True or False")
    if proba and not tree.is_classifier:
        raise ValueError(
            "proba is True, but this is a regression tree, which has no class probabilities; wanted False"
        )


def amounts(tree: Tree, proba: bool = False) -> list[np.ndarray]:
    """Return what a share of a row adds at its leaf: for each output, an array of shape (nodes, amounts).

    The amounts are the class shares, or the value in regression; with a loss the cost of predicting each
    class, unless the shares are wanted.
    """
    return tree._blocks(tree.value if tree.loss is None or proba else tree.value @ tree.loss)
