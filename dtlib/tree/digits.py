"""The number of digits with which a tree shows thresholds and predictions (chapter 6).

Thresholds are shown with ten digits, and predictions with six. More digits are shown if these do not
distinguish a threshold from another one of the feature, or from the training values on either side of it, or
two predictions from each other. So the shown thresholds send each training row where the tree does. Rows of
weight 0 and held-out rows are not training rows: ten digits may lie on the other side of their values. For a
tree read from scikit-learn, which keeps no values, the float32 numbers next to a threshold are used instead.

A tree that rounds features to float32 before it compares them, as Release 8 does, shows a threshold that is a
value with the fewest digits that distinguish it from other float32 numbers, if the shown number is not below
it: 0.7 if the float is 0.69999998807. So values of up to six digits are compared correctly, whether they are
rounded first or not.

Numbers that differ by rounding alone are shown alike, unless values of the data are as close: halfway between
0.1 and 0.7 is 0.4, and so it is between 0.3 and 0.5, although the floats differ.

Examples
--------
>>> from dtlib import CARTClassifier
>>> x = [[1e12], [1e12 + 1], [1e12 + 2]]
>>> print(CARTClassifier().fit(x, ["a", "b", "a"]).tree_)
root (a 2, b 1)
├── x0 ≤ 1000000000000.5 (a 1, b 0) → a
└── x0 > 1000000000000.5 (a 1, b 1)
    ├── x0 ≤ 1000000000001.5 (a 0, b 1) → b
    └── x0 > 1000000000001.5 (a 1, b 0) → a
"""

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np

from dtlib.numbers import ANYWHERE, say_apart
from dtlib.table.neighbors import TOLD_APART
from dtlib.tree.splits import KNOWN, after, say_limit

if TYPE_CHECKING:
    from dtlib.tree.tree import Tree

Beside = dict[float, tuple[float, float]]
FEW_DIGITS = 6  # of weights and predictions
SAME_BUT_FOR_ROUNDING = 1e-13  # two numbers that differ by no more than this part of them


def long_limits(tree: "Tree") -> dict[tuple[int, float], str]:
    """Return the texts of numeric thresholds that need more than ten digits, by feature and threshold."""
    found, notes = dict[tuple[int, float], str](), beside_thresholds(tree)
    feature, threshold = tested_numbers(tree)
    for f in np.unique(feature).tolist():
        t = np.unique(threshold[feature == f])
        with np.errstate(over="ignore"):
            near = np.diff(t) <= 2 * TOLD_APART * np.maximum(np.abs(t[1:]), np.abs(t[:-1]))
        beside, by_near = notes[f], zip(t.tolist(), near_another(near), strict=True)
        some = [x for x, is_near in by_near if is_near or x in beside]
        meant = {x: after(x) if tree.strict else x for x in some}
        by_meant = {meant[x]: beside[x] for x in some if x in beside}
        said = say_apart([*meant.values()], by_meant, same=SAME_BUT_FOR_ROUNDING)
        for x, number in zip(some, said, strict=True):
            if tree.single and x in beside and np.float32(x) == x <= float(short := str(np.float32(x))):
                number = short.removesuffix(".0")
            limit = say_limit(x, tree.strict, *beside.get(x, ANYWHERE), number)
            found |= {(f, x): limit} if limit != say_limit(x, tree.strict) else {}
    return found


def long_sums(tree: "Tree") -> set[float]:
    """Return the thresholds of oblique splits that are shown with all digits."""
    lines = np.empty((0, 4)) if tree.neighbors is None else tree.neighbors
    return set(lines[lines[:, 0] < 0, 1].tolist())


def near_another(near: np.ndarray) -> list[bool]:
    """Tell which of some sorted numbers are near another one, given which are near the one before.

    Examples
    --------
    >>> near_another(np.array([True, False]))
    [True, True, False]
    """
    found = np.zeros(len(near) + 1, bool)
    found[1:] |= near
    found[:-1] |= near
    return found.tolist()


def tested_numbers(tree: "Tree") -> tuple[np.ndarray, np.ndarray]:
    """Return the numeric features and thresholds tested by nodes and by surrogates."""
    is_number = np.array([*(feature.kind == "numeric" for feature in tree.features), False])
    feature, threshold = np.where(tree.is_linear, -1, tree.feature), tree.threshold
    if tree.surrogates is not None:
        feature = np.concatenate([feature, tree.surrogates.feature])
        threshold = np.concatenate([threshold, tree.surrogates.threshold])
    tested = is_number[feature] & ~np.isin(threshold, list(KNOWN))
    return feature[tested], threshold[tested]


def beside_thresholds(tree: "Tree") -> dict[int, Beside]:
    """Return the training values next to thresholds, by feature and threshold, if the tree has them."""
    found: dict[int, Beside] = defaultdict(dict)
    for f, t, low, high in [] if tree.neighbors is None else tree.neighbors.tolist():
        lowest, highest = found[int(f)].get(t, (low, high))
        found[int(f)][t] = max(low, lowest), min(high, highest)
    return found


def long_predictions(tree: "Tree") -> list[dict[float, str]]:
    """Return for each output the texts of the leaves' predictions that need more than six digits."""
    found, leaves = [], tree.value[tree.feature < 0]
    for numbers in [np.unique(column).tolist() for column in leaves.T]:
        said = say_apart(numbers, digits=FEW_DIGITS, same=SAME_BUT_FOR_ROUNDING)
        pairs = zip(numbers, said, strict=True)
        found.append({x: text for x, text in pairs if text != f"{x:.{FEW_DIGITS}g}"})
    return found


def said_weights(weights: np.ndarray) -> list[str]:
    """Return the texts of the class weights: with six digits, or more to tell different ones apart.

    Examples
    --------
    >>> said_weights(np.array([1234567, 9.0, 0.5])), said_weights(np.array([1000001, 1000000]))
    (['1.23457e+06', '9', '0.5'], ['1000001', '1000000'])
    """
    return say_apart(weights.tolist(), digits=FEW_DIGITS, same=SAME_BUT_FOR_ROUNDING)
