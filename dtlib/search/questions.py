"""All two-way tests that an optimal tree may make, and what it costs to predict each class.

Rows that pass the same tests are one *point*: no tree of these tests separates them. The cost of predicting a
class at a point is an integer. So is the complexity penalty of a leaf, in so fine a unit that the number of
leaves counts as well: of two trees of equal cost, the one with fewer leaves is cheaper by their number.

The tests of a feature are contiguous. A point has one *cell* for each feature: the first test of the feature
that it passes. The cells decide all tests and need d numbers a point instead of Q, and sums over the points
that pass a test follow from sums over cells.

Legend: P is the number of points, Q that of tests, K that of classes, d that of features.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from dtlib.arrays import NEARLY, changes, numbered
from dtlib.counting.targets import in_whole_numbers
from dtlib.search.listed import SearchSettings, list_questions
from dtlib.table.training import Training

WHOLE_BITS = 50  # sums of costs stay below 2**50: a float64 holds each of them exactly
ROOM_OF_ANSWERS = 1 << 28


class CandidateArrays(NamedTuple):
    """What the compiled search of two levels needs of the tests, see `CandidateTests`."""

    start: np.ndarray  # where the cells of each point begin
    cell: np.ndarray  # of one point after the other, without features of which it passes no test
    follows: np.ndarray  # the tests that all points pass which pass the one before
    joined: np.ndarray
    cells: np.ndarray
    feature: np.ndarray
    first: np.ndarray
    mask: np.ndarray
    costs: np.ndarray  # of the classes; last the weight, if branches must weigh something
    classes: int
    alpha: int
    least: int


@dataclass(frozen=True, eq=False)
class CandidateTests:
    """The two-way tests of a table, which points pass them, and the cost of each class at each point.

    Parameters
    ----------
    feature, first, mask, joined, one_vs_rest
        As in `ListedQuestions`.
    cells : int32 ndarray of shape (d, P)
        The first test of each feature that each point passes, -1 if it passes none. The single test of a
        feature is turned so that the fewer rows pass it.
    costs : int64 ndarray of shape (P, K)
        The cost of predicting each class, less that of the cheapest class.
    weight : int64 ndarray of shape (P,)
    alpha, least : int
        Complexity penalty of a leaf, and least weight of a branch.
    floor : int
        The sum of the costs of the cheapest classes, which `costs` leaves out.
    leaves : int
        More leaves than a tree can have: costs are multiples of it.
    unit, total : float
        The loss that a cost of `leaves` stands for, and the weight of all rows.
    rounding : float
        The most by which all costs, and the penalty of all leaves of a tree, are rounded up.
    point : int ndarray of shape (n,)
        The point of each row, -1 for rows that do not count.
    """

    feature: np.ndarray
    first: np.ndarray
    mask: np.ndarray
    joined: np.ndarray
    one_vs_rest: tuple[int, ...]
    cells: np.ndarray
    costs: np.ndarray
    weight: np.ndarray
    alpha: int
    least: int
    floor: int
    leaves: int
    unit: float
    total: float
    rounding: float
    point: np.ndarray

    @cached_property
    def channels(self) -> np.ndarray:
        """The cost of each class at the points, and last their weight: floats of shape (K + 1, P)."""
        return np.concatenate([self.costs.T, self.weight[None]]).astype(float)

    @cached_property
    def span(self) -> np.ndarray:
        """The distance of each test from its first cell, shape (Q, 1)."""
        return (np.arange(len(self.first)) - self.first).astype(np.uint32)[:, None]

    def answer(self, q: int | np.ndarray, points: np.ndarray) -> np.ndarray:
        """Tell which of some points pass a test, the same for all or one for each point."""
        cell, first, mask = self.cells[self.feature[q], points], self.first[q], self.mask[q]
        yes = (cell >= first) & (cell <= q)
        return np.where(mask, mask >> (cell - first) & 1 == 1, yes) if mask.any() else np.asarray(yes)

    def answers(self, points: np.ndarray) -> np.ndarray:
        """Tell which of some points pass each test, shape (Q, points)."""
        cell = self.cells.take(points, axis=1).take(self.feature, axis=0) - self.first[:, None]
        yes = np.asarray(cell.view(np.uint32) <= self.span)  # unsigned, a negative cell is beyond every span
        if len(group := self.joined[1]):
            yes[group] = self.mask[group, None] >> cell[group] & 1
        return yes

    def sums(self, points: np.ndarray, channels: np.ndarray) -> np.ndarray:
        """Return sums over those of some points that pass each test.

        Parameters
        ----------
        points : int ndarray
        channels : ndarray of shape (C, points)
            Integers to be summed, all of them together below 2**53.

        Returns
        -------
        int64 ndarray of shape (C, Q)
        """
        d, Q = len(self.cells), len(self.feature)
        cell = self.cells[:, points].ravel() + 1
        of_cell = np.stack([np.bincount(cell, np.tile(c, d), Q + 1) for c in channels]).astype(np.int64)
        of_cell[:, 0] = 0  # cell 0 has the points that pass no test of a feature
        running = of_cell.cumsum(1)  # it may wrap around, differences are right all the same
        sums = np.asarray(running[:, 1:] - running[:, self.first])
        size, group, last, others = self.joined
        for k in range(2, size.max(initial=0) + 1):  # a group comes after the two groups that it joins
            here = size == k
            sums[:, group[here]] = sums[:, last[here]] + sums[:, others[here]]
        return sums


def costs_of(
    codes: np.ndarray, weight: np.ndarray, loss: np.ndarray, leaves: int
) -> tuple[np.ndarray, float, float]:
    """Return the cost of each class for each row as integers, and the factor back to floats.

    The third value is the most by which costs are rounded up, summed over the rows.

    Examples
    --------
    >>> costs, unit, rounding = costs_of(np.array([0, 1]), np.array([1.0, 0.5]), 1 - np.eye(2), 4)
    >>> (costs * unit).tolist(), rounding
    ([[0.0, 1.0], [0.5, 0.0]], 0.0)
    """
    with np.errstate(over="ignore"):
        cost = weight[:, None] * loss[codes]
        most = float(cost.max(1).sum())
    if not np.isfinite(most):
        raise ValueError(
            f"loss is up to {loss.max():g} and all weight is {weight.sum():g}: what all rows cost together "
            f"is infinite, divide one of them"
        )
    shift = WHOLE_BITS - leaves.bit_length() - int(np.frexp(most)[1])
    whole = np.rint(np.ldexp(cost, shift))
    up = np.ldexp((whole - np.ldexp(cost, shift)).max(1, initial=0).sum(), -shift)
    return whole.astype(np.int64), float(np.ldexp(1.0, -shift)), float(up)


def questions_of(
    data: Training, weight: np.ndarray, loss: np.ndarray, terms: SearchSettings
) -> CandidateTests:
    """Return the two-way tests of a table, and the costs of its points.

    Parameters
    ----------
    data : Training
        No missing values, one output of classes.
    weight : ndarray of shape (n,)
        The weight of each row, without its misclassification cost.
    loss : ndarray of shape (K, K)
        The cost of predicting the class of the column for that of the row.
    terms : SearchSettings

    Examples
    --------
    >>> from dtlib.table.reading import class_targets
    >>> from dtlib.table.training import read_training
    >>> data = read_training(np.array([[1.0], [2.0], [3.0], [3.0]]), class_targets([0, 0, 1, 0], 4))
    >>> found = questions_of(data, np.ones(4), 1 - np.eye(2), SearchSettings(2))
    >>> found.feature.tolist(), found.point.tolist()  # two thresholds, three points
    ([0, 0], [1, 2, 0, 0])
    >>> found.cells.tolist(), found.answers(np.arange(3)).tolist()
    ([[-1, 0, 1]], [[False, True, False], [False, True, True]])
    >>> found.sums(np.arange(3), found.weight[None]).tolist()  # one row is at most 1, two are at most 2
    [[1, 2]]
    >>> (found.costs // found.leaves * found.unit).tolist(), found.floor // found.leaves * found.unit
    ([[0.0, 0.0], [0.0, 1.0], [0.0, 1.0]], 1.0)
    """
    rows = np.flatnonzero(weight > 0)
    weight, codes = weight[rows], data.targets[0].codes[rows]
    tested, cells = list_questions(data, rows, weight, terms)
    order = np.lexsort(cells[::-1])  # rows with equal cells become neighbors: each run of them is one point
    is_new = changes(*cells[:, order])
    new, point = np.flatnonzero(is_new), np.full(data.shape[1], -1)
    point[rows[order]] = numbered(is_new)
    check_room(len(tested.feature), len(new))
    leaves = 1 + min(2**terms.max_depth, len(new))
    cost, unit, rounding = costs_of(codes, weight, loss, leaves)
    costs = np.add.reduceat(cost[order] * leaves, new)
    cheapest = costs.min(1, keepdims=True)
    costs -= cheapest
    whole, shift = in_whole_numbers(weight)
    whole = np.add.reduceat(np.maximum(whole, 1)[order], new)  # a tiny weight still counts as a row
    least = int(np.ceil(np.ldexp(terms.min_leaf, shift) * NEARLY))
    most = int(costs.max(1).sum()) // leaves + 1  # at this penalty, no split pays
    total = float(weight.sum())
    alpha = round(min(terms.ccp_alpha * total / unit, float(most)))
    rounding += max(alpha * unit - terms.ccp_alpha * total, 0.0) * leaves
    return CandidateTests(
        *tested, cells.take(order[new], axis=1), costs, whole, alpha * leaves + 1,
        least if least > whole.min() else 0, int(cheapest.sum()), leaves, unit, total, rounding, point,
    )  # fmt: skip


def check_room(questions: int, points: int) -> None:
    """Raise ValueError if there are too many tests.

    Examples
    --------
    >>> check_room(90_000, 9_000)
    Traceback (most recent call last):
    ValueError: X has 90000 questions about 9000 distinct rows, which is more than 2**28 answers: set \
max_thresholds, or nominal='one_vs_rest' where features have many categories
    """
    if questions * points > ROOM_OF_ANSWERS:
        raise ValueError(
            f"X has {questions} questions about {points} distinct rows, which is more than 2**28 answers: "
            f"set max_thresholds, or nominal='one_vs_rest' where features have many categories"
        )
