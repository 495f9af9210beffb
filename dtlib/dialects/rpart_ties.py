"""Which of several equal splits rpart takes: that which its float64 arithmetic makes the best (chapter 9).

Everywhere else in this library equal is equal, and the first column and the lowest threshold win. rpart adds
up floats in the order of the rows, and takes what comes out largest, so that rounding in the last place
decides between equal splits. Here the same sums are made in the same order, for the splits that are equal.

Legend: K is the number of classes, V that of values of a feature, S that of splits. A side of some splits is
an array (1 + K, S): the weight on that side as the priors alter it, and below it the weight of each class.

References
----------
T. M. Therneau, E. J. Atkinson, "An introduction to recursive partitioning using the RPART routines", Mayo
Foundation.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dtlib.arrays import NEARLY
from dtlib.search.level import Limits
from dtlib.search.rules import Choice
from dtlib.table.training import Training


@dataclass(frozen=True)
class Rounding:
    """What rpart computes with.

    Parameters
    ----------
    of_class : ndarray of shape (K,), optional
        By what the weights of a class are multiplied: its altered prior by its share; None for numbers.
    entropy : bool
        Whether the impurity is the entropy (in nats), not the Gini index.
    """

    of_class: np.ndarray | None
    entropy: bool

    def settle(
        self, data: Training, node: np.ndarray, features: np.ndarray, limits: Limits
    ) -> tuple[int, Choice]:
        """Return which of some features rpart asks at a node, given its rows, and how it splits.

        The limits are those of a side, of which rpart knows rows alone; the feature is -1 if none improves
        anything.
        """
        chosen, best, rows = -1, Choice(0.0), np.sort(node)
        for f in features.tolist():
            choice = self.split(data, rows, f, limits)
            if choice.improve > best.improve:
                chosen, best = f, choice
        return chosen, best

    def split(self, data: Training, rows: np.ndarray, f: int, limits: Limits) -> Choice:
        """Return how rpart splits some rows by a feature."""
        target, nominal, code = data.targets[0], data.features[f].kind == "nominal", data.codes[f, rows]
        order = np.arange(len(rows)) if nominal else np.argsort(code, kind="stable")
        known = rows[order[code[order] >= 0]]
        weight = data.weight if data.case_weight is None else data.case_weight
        ones = np.ones(len(known))
        w = ones if data.weight is None or weight is None else weight[known]
        counted = ones if data.weight is None else data.weight[known]
        answers, y = Answers(data.codes[f, known], w, counted, limits), target.codes[known]
        if self.of_class is None:
            return of_means(answers, np.asarray(target.values)[y], nominal)
        return (of_names if nominal else of_numbers)(answers, y, ByClass(self.of_class, self.entropy))


class Answers(NamedTuple):
    """What the rows of a node that know a feature answer, in rpart's order, and what a side must have."""

    code: np.ndarray
    weight: np.ndarray
    counted: np.ndarray  # the weights that limits heed: those of the classes are in them
    limits: Limits

    def enough(self, rows: np.ndarray, weight: np.ndarray) -> np.ndarray:
        """Tell where both sides have enough, given the rows and the weight of one."""
        has_rows = np.minimum(rows, len(self.code) - rows) >= self.limits.rows
        if self.limits.weight <= 0:  # sums of weights are rounded, and no rule asks for them
            return has_rows
        return has_rows & (np.minimum(weight, self.counted.sum() - weight) >= self.limits.weight * NEARLY)

    def cuts(self, rows: np.ndarray, weight: np.ndarray, last: np.ndarray) -> np.ndarray:
        """Return after which items one may cut: the last of their value, with enough on both sides."""
        return np.flatnonzero(last & self.enough(rows, weight))


class ByClass(NamedTuple):
    """How the impurity of classes is computed, see `Rounding`."""

    of_class: np.ndarray
    entropy: bool

    def summands(self, y: np.ndarray, w: np.ndarray) -> np.ndarray:
        """Return what each row adds to the side it is on, shape (1 + K, rows)."""
        K = len(self.of_class)
        return np.stack([self.of_class[y] * w, *(np.where(y == k, w, 0.0) for k in range(K))])

    def part(self, p: np.ndarray) -> np.ndarray:
        """Return a class's part of the impurity, given its share."""
        if not self.entropy:
            return p * (1 - p)
        return np.array([-x * math.log(x) if x > 0 else 0.0 for x in p.tolist()])

    def impurity(self, *sides: np.ndarray) -> np.ndarray:
        """Return the impurity of the sides of each split, times their weight, shape (S,)."""
        total = np.zeros(sides[0].shape[1])
        with np.errstate(divide="ignore", invalid="ignore"):  # a side may weigh nothing
            for k, factor in enumerate(self.of_class, start=1):
                for side in sides:
                    p = np.nan_to_num(factor * side[k] / side[0])
                    total = total + side[0] * self.part(p)
        return total


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


def added_up(first: float, steps: np.ndarray) -> np.ndarray:
    """Return the sums of a number and the steps up to each, added one by one.

    Examples
    --------
    >>> added_up(1.0, np.array([2.0, -0.5]))
    array([3. , 2.5])
    """
    return np.cumsum(np.concatenate([[first], steps]))[1:]


def of_numbers(answers: Answers, y: np.ndarray, how: ByClass) -> Choice:
    """Return the best threshold for classes: the first whose impurity is least."""
    code, summands = answers.code, how.summands(y, answers.weight)
    left = np.stack([added_up(0.0, x) for x in summands])
    all_rows = left[:, -1:]
    right = np.stack([added_up(float(t), -x) for t, x in zip(all_rows[:, 0], summands, strict=True)])
    rows, last = np.arange(1, len(code) + 1), np.append(code[1:] != code[:-1], False)
    cut = answers.cuts(rows, answers.counted.cumsum(), last)
    before, after = float(how.impurity(all_rows)[0]), how.impurity(left[:, cut], right[:, cut])
    if not len(cut) or after.min() >= before:
        return Choice(0.0)
    best = int(after.argmin())
    return Choice(before - float(after[best]), int(code[cut[best]]), int(code[cut[best] + 1]))


def of_names(answers: Answers, y: np.ndarray, how: ByClass) -> Choice:
    """Return the best two groups of names for classes."""
    code, summands = answers.code, how.summands(y, answers.weight)
    table, number = np.stack([np.bincount(code, x) for x in summands]), np.bincount(code)
    counted, heavy_left = np.bincount(code, answers.counted), 0.0
    names = np.flatnonzero(table[0] > 0)
    if len(how.of_class) == 2:
        order = names[np.argsort(table[1, names] / table[0, names], kind="stable")]
    else:
        order = np.array([names[i] for i in flips(len(names))], int)
    right = np.stack([added_up(0.0, x)[-1:] for x in summands])
    left, is_left, rows_left = np.zeros_like(right), np.zeros(len(number), bool), 0
    best = before = float(how.impurity(right)[0])
    choice = Choice(0.0)
    for name in order:
        sign = -1 if is_left[name] else 1
        is_left[name] = not is_left[name]
        left += sign * table.T[name, :, None]
        right -= sign * table.T[name, :, None]
        rows_left += sign * int(number[name])
        heavy_left += sign * counted[name]
        if not answers.enough(np.array(rows_left), np.array(heavy_left)):
            continue
        after = float(how.impurity(left, right)[0])
        if after < best:
            best, choice = after, Choice(before - after, left=np.flatnonzero(is_left & (number > 0)))
    return choice


def flips(p: int) -> Iterator[int]:
    """Yield which of p values changes sides next, so that all groups occur (Gray's code).

    Examples
    --------
    >>> list(flips(4))
    [0, 1, 0, 2, 0, 1, 0]
    """
    return ((k & -k).bit_length() - 1 for k in range(1, 2 ** (p - 1)))


def of_means(answers: Answers, y: np.ndarray, nominal: bool) -> Choice:
    """Return the best threshold, or the best cut of the names' order, for squared error."""
    code, w, heavy, _ = answers
    total = added_up(0.0, w)[-1]
    steps, number = (y - added_up(0.0, y * w)[-1] / total) * w, np.ones(len(code), int)
    items, last = code, np.append(code[1:] != code[:-1], False)
    if nominal:
        steps, w, number = np.bincount(code, steps), np.bincount(code, w), np.bincount(code)
        names = np.flatnonzero(number)
        items = names[np.argsort(steps[names] / w[names], kind="stable")]
        steps, w, number, heavy = steps[items], w[items], number[items], np.bincount(code, heavy)[items]
        last = np.arange(len(items)) < len(items) - 1
    cut = answers.cuts(np.cumsum(number), np.cumsum(heavy), last)
    left, right = added_up(0.0, steps)[cut], added_up(0.0, -steps)[cut]
    score = left * left / added_up(0.0, w)[cut] + right * right / added_up(total, -w)[cut]
    if not len(cut) or score.max() <= 0:
        return Choice(0.0)
    best = int(cut[score.argmax()])
    if nominal:
        return Choice(float(score.max()), left=np.sort(items[: best + 1]))
    return Choice(float(score.max()), int(code[best]), int(code[best + 1]))
