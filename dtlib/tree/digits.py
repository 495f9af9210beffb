"""How many digits a tree shows: of the thresholds of a feature, and of what its leaves predict (chapter 6).

Ten digits of a threshold are shown, and of a prediction six. Where that does not tell a threshold from
another one of the feature, or from the values on either side of it in training, or two predictions from each
other, there are as many more as do. So what is shown, read back, sends each training row where the tree does.
A row of weight 0, or held out from growing, is none: ten digits may lie on another side of it. Of a tree read
from scikit-learn, which keeps no values, the numbers of float32 beside a threshold stand for them.

A tree that rounds numbers to float32 before it compares them, as Release 8 does, says a threshold that is a
value with as few digits as tell it from the other numbers of float32, if that is no less: 0.7, where the
float is 0.69999998807. So a value of up to six digits is read rightly, whether it is rounded first or not.

What differs by rounding alone is not told apart, unless values of the data lie as near: halfway between 0.1
and 0.7 is 0.4 just as between 0.3 and 0.5, although the floats are not the same.

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
from dtlib.tree.splits import LARGEST_SINGLE, after, say_limit

if TYPE_CHECKING:
    from dtlib.tree.tree import Tree

Beside = dict[float, tuple[float, float]]
FEW_DIGITS = 6  # of weights and predictions
SAME_BUT_FOR_ROUNDING = 1e-13  # two numbers that differ by no more than this part of them


def long_limits(tree: "Tree") -> dict[tuple[int, float], str]:
    """Return how thresholds of numbers are said, by feature and threshold, that ten digits do not tell."""
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
    """Return the thresholds of weighted sums that are said with all digits."""
    lines = np.empty((0, 4)) if tree.neighbors is None else tree.neighbors
    return set(lines[lines[:, 0] < 0, 1].tolist())


def near_another(near: np.ndarray) -> list[bool]:
    """Return which of some numbers are near another one, given which are near the one before.

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
    """Return the features and thresholds that are asked of numbers, by nodes and by surrogates."""
    is_number = np.array([*(feature.kind == "numeric" for feature in tree.features), False])
    feature, threshold = np.where(tree.is_linear, -1, tree.feature), tree.threshold
    if tree.surrogates is not None:
        feature = np.concatenate([feature, tree.surrogates.feature])
        threshold = np.concatenate([threshold, tree.surrogates.threshold])
    tested = is_number[feature] & (threshold != LARGEST_SINGLE)
    return feature[tested], threshold[tested]


def beside_thresholds(tree: "Tree") -> dict[int, Beside]:
    """Return the values beside each threshold of each feature of which that is noted."""
    found: dict[int, Beside] = defaultdict(dict)
    for f, t, low, high in [] if tree.neighbors is None else tree.neighbors.tolist():
        lowest, highest = found[int(f)].get(t, (low, high))
        found[int(f)][t] = max(low, lowest), min(high, highest)
    return found


def long_predictions(tree: "Tree") -> list[dict[float, str]]:
    """Return for each output how numbers are said that leaves predict, if six digits do not tell them."""
    found, leaves = [], tree.value[tree.feature < 0]
    for numbers in [np.unique(column).tolist() for column in leaves.T]:
        said = say_apart(numbers, digits=FEW_DIGITS, same=SAME_BUT_FOR_ROUNDING)
        pairs = zip(numbers, said, strict=True)
        found.append({x: text for x, text in pairs if text != f"{x:.{FEW_DIGITS}g}"})
    return found


def said_weights(weights: np.ndarray) -> list[str]:
    """Say the weight of each class with six digits, or with as many as tell different ones apart.

    Examples
    --------
    >>> said_weights(np.array([1234567, 9.0, 0.5])), said_weights(np.array([1000001, 1000000]))
    (['1.23457e+06', '9', '0.5'], ['1000001', '1000000'])
    """
    return say_apart(weights.tolist(), digits=FEW_DIGITS, same=SAME_BUT_FOR_ROUNDING)
