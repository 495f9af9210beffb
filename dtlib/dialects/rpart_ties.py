"""Which of several equal splits rpart takes: that which its float64 arithmetic makes the best (chapter 9).

Everywhere else in this library equal is equal, and the first column and the lowest threshold win. rpart adds
up floats in the order of the rows, and takes what comes out largest, so that rounding in the last place
decides between equal splits. Here the same sums are made in the same order, for the splits that are equal.

References
----------
T. M. Therneau, E. J. Atkinson, "An introduction to recursive partitioning using the RPART routines", Mayo
Foundation.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from dtlib.search.rules import Choice
from dtlib.table.training import Training

LEFT, RIGHT = 0, 1


@dataclass(frozen=True)
class Rounding:
    """What rpart computes with.

    Parameters
    ----------
    of_class : ndarray of shape (classes,), optional
        By what the weights of a class are multiplied: its altered prior by its share; None for numbers.
    entropy : bool
        Whether the impurity is the entropy (in nats), not the Gini index.
    min_rows : int
        Rows that each side must have.
    """

    of_class: np.ndarray | None
    entropy: bool
    min_rows: int = 1

    def settle(
        self, data: Training, node: np.ndarray, features: np.ndarray, min_rows: int
    ) -> tuple[int, Choice]:
        """Return which of some features rpart asks at a node, given its rows, and how it splits.

        A side must have so many rows; the feature is -1 if none improves anything.
        """
        how, weight = replace(self, min_rows=min_rows), np.ones(data.codes.shape[1])
        if data.weight is not None:
            weight = data.weight if data.case_weight is None else data.case_weight
        chosen, best = -1, Choice(0.0)
        for f in features.tolist():
            choice = best_choice(data, how, np.sort(node), weight, f)
            if choice.improve > best.improve:
                chosen, best = f, choice
        return chosen, best


class Rows(NamedTuple):
    """The rows of a node that know a feature, in rpart's order: code, weight, and class or number."""

    code: np.ndarray
    weight: np.ndarray
    y: np.ndarray


def altered(prior: np.ndarray, loss: np.ndarray, share: np.ndarray) -> np.ndarray:
    """Return by what rpart multiplies the weights of each class.

    Examples
    --------
    >>> altered(np.array([0.5, 0.5]), np.array([[0.0, 1.0], [3.0, 0.0]]), np.array([0.25, 0.75]))
    array([1., 1.])
    """
    total, of_class = 0.0, np.zeros(len(prior))
    for i in range(len(prior)):
        for j in range(len(prior)):
            total += loss[i, j] * prior[i]
            of_class[i] += loss[i, j] * prior[i]
    return of_class / ((total or 1.0) * np.where(share > 0, share, 1))  # one class alone costs nothing


def running(first: float, steps: np.ndarray) -> np.ndarray:
    """Return the sums of a number and the steps up to each, added one by one."""
    return np.cumsum(np.concatenate([[first], steps]))[1:]


def sum_of(x: np.ndarray) -> float:
    """Return the sum, added one by one."""
    return float(running(0.0, x)[-1]) if len(x) else 0.0


def impurity(p: np.ndarray, rounding: Rounding) -> np.ndarray:
    """Return a class's part of the impurity, given its share."""
    if not rounding.entropy:
        return p * (1 - p)
    return np.array([-x * math.log(x) if x > 0 else 0.0 for x in p.tolist()])


class Sides(NamedTuple):
    """The sums on both sides of some splits: all weight, and that of each class, (classes, splits)."""

    weight: tuple[np.ndarray, np.ndarray]
    of_class: tuple[np.ndarray, np.ndarray]


def within(sides: Sides, rounding: Rounding) -> np.ndarray:
    """Return what is left of the impurity by each split."""
    total = np.zeros(len(sides.weight[0]))
    for k, factor in enumerate(rounding.of_class):
        for weight, of_class in zip(sides.weight, sides.of_class, strict=True):
            with np.errstate(divide="ignore", invalid="ignore"):
                p = np.nan_to_num(factor * of_class[k] / weight)
            total = total + weight * impurity(p, rounding)
    return total


def of_numbers(rows: Rows, rounding: Rounding) -> Choice:
    """Return the best threshold for classes: the first whose impurity is least."""
    K, (code, w, y) = len(rounding.of_class), rows
    share = rounding.of_class[y] * w
    all_weight = sum_of(share)
    of_class = [np.where(y == k, w, 0.0) for k in range(K)]
    all_classes = np.array([sum_of(x) for x in of_class])
    left = running(0.0, share), np.stack([running(0.0, x) for x in of_class])
    right = (
        running(all_weight, -share),
        np.stack([running(t, -x) for t, x in zip(all_classes, of_class, strict=True)]),
    )
    place = np.arange(1, len(code) + 1)
    cut = np.flatnonzero(
        (place[:-1] >= rounding.min_rows)
        & (len(code) - place[:-1] >= rounding.min_rows)
        & (code[1:] != code[:-1])
    )
    sides = Sides((left[0][cut], right[0][cut]), (left[1][:, cut], right[1][:, cut]))
    before, after = undivided(all_weight, all_classes, rounding), within(sides, rounding)
    if not len(cut) or after.min() >= before:
        return Choice(0.0)
    best = int(after.argmin())
    return Choice(before - float(after[best]), int(code[cut[best]]), int(code[cut[best] + 1]))


def undivided(weight: float, of_class: np.ndarray, rounding: Rounding) -> float:
    """Return the impurity of a node, times its weight."""
    total = 0.0
    for k, factor in enumerate(rounding.of_class):
        total += weight * float(impurity(np.array([factor * of_class[k] / weight]), rounding)[0])
    return total


def of_names(rows: Rows, rounding: Rounding) -> Choice:
    """Return the best two groups of names for classes."""
    K, (code, w, y), V = len(rounding.of_class), rows, int(rows.code.max()) + 1
    share = rounding.of_class[y] * w
    all_weight = sum_of(share)
    table = np.stack([np.bincount(code, np.where(y == k, w, 0.0), V) for k in range(K)])
    all_classes = np.array([sum_of(np.where(y == k, w, 0.0)) for k in range(K)])
    weight, number = np.bincount(code, share, V), np.bincount(code, minlength=V)
    names = np.flatnonzero(weight > 0)
    if K == 2:
        order = names[np.argsort(table[0, names] / weight[names], kind="stable")]
    else:
        order = np.array([names[i] for i in flips(len(names))], int)
    right, best, choice = np.ones(V, bool), undivided(all_weight, all_classes, rounding), Choice(0.0)
    sums = [0.0, all_weight], [np.zeros(K), all_classes.copy()]
    before, rows_left = best, 0
    for name in order:
        sign = 1 if right[name] else -1
        right[name] = not right[name]
        sums[0][LEFT] += sign * weight[name]
        sums[0][RIGHT] -= sign * weight[name]
        sums[1][LEFT] += sign * table[:, name]
        sums[1][RIGHT] -= sign * table[:, name]
        rows_left += sign * int(number[name])
        if min(rows_left, len(code) - rows_left) < rounding.min_rows:
            continue
        sides = Sides(tuple(np.array([x]) for x in sums[0]), tuple(x.reshape(-1, 1) for x in sums[1]))
        after = float(within(sides, rounding)[0])
        if after < best:
            best, choice = after, Choice(before - after, left=np.flatnonzero(~right & (number > 0)))
    return choice


def flips(p: int) -> Iterator[int]:
    """Yield which of p values changes sides next, so that all groups occur (Gray's code).

    Examples
    --------
    >>> list(flips(4))
    [0, 1, 0, 2, 0, 1, 0]
    """
    return ((k & -k).bit_length() - 1 for k in range(1, 2 ** (p - 1)))


def of_means(rows: Rows, rounding: Rounding, nominal: bool) -> Choice:
    """Return the best threshold, or the best cut of the names' order, for squared error."""
    code, w, y = rows
    center = sum_of(y * w) / sum_of(w)
    steps, weights, numbers = (y - center) * w, w, np.ones(len(code), int)
    items, last = code, np.append(code[1:] != code[:-1], False)
    if nominal:
        V = int(code.max()) + 1
        sums, weight, number = np.bincount(code, steps, V), np.bincount(code, w, V), np.bincount(code)
        names = np.flatnonzero(number)
        items = names[np.argsort(sums[names] / weight[names], kind="stable")]
        steps, weights, numbers = sums[items], weight[items], number[items]
        last = np.arange(len(items)) < len(items) - 1
    n_left = np.cumsum(numbers)
    cut = np.flatnonzero(last & (n_left >= rounding.min_rows) & (len(code) - n_left >= rounding.min_rows))
    left, right = running(0.0, steps), running(0.0, -steps)
    w_left, w_right = running(0.0, weights), running(sum_of(w), -weights)
    score = left[cut] * left[cut] / w_left[cut] + right[cut] * right[cut] / w_right[cut]
    if not len(cut) or score.max() <= 0:
        return Choice(0.0)
    best = int(cut[score.argmax()])
    if nominal:
        return Choice(float(score.max()), left=np.sort(items[: best + 1]))
    return Choice(float(score.max()), int(code[best]), int(code[best + 1]))


def best_choice(data: Training, rounding: Rounding, rows: np.ndarray, weight: np.ndarray, f: int) -> Choice:
    """Return how rpart splits some rows by a feature, given the weights of all rows."""
    target, nominal, code = data.targets[0], data.features[f].kind == "nominal", data.codes[f, rows]
    known, code = rows[code >= 0], code[code >= 0]
    if not nominal:
        order = np.argsort(code, kind="stable")
        known, code = known[order], code[order]
    y = target.codes[known]
    if rounding.of_class is None:
        return of_means(Rows(code, weight[known], np.asarray(target.values)[y]), rounding, nominal)
    return (of_names if nominal else of_numbers)(Rows(code, weight[known], y), rounding)
