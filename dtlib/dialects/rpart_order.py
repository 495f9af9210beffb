"""The order in which rpart adds up the rows of a node (chapter 8).

Sums of floats depend on their order, and so does which of equal splits comes out best (`rpart_ties`). rpart
sorts the rows of a fit once by each numeric feature; nodes, and the parts of a cross-validation, keep that
order. Its quicksort is not stable: rows with the same value change places, and only the same sort tells how.
"""

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from dtlib.table.training import Training

INSERTED = 12  # rows; fewer are sorted by insertion, which is stable


@dataclass(frozen=True, eq=False)
class RowOrder:
    """The order of the rows of a fit, made for a feature when it is first asked for.

    Parameters
    ----------
    whole : Training
        All rows of the fit, those of weight 0 included.
    rows : int ndarray of shape (n,)
        Which of them are at hand: all, or those that a tree of a cross-validation is grown from.

    Examples
    --------
    >>> from dtlib.table.coded import Coded
    >>> from dtlib.table.columns import Feature
    >>> x = Coded(np.array([[1, 0, 0]], np.int32), {0: np.array([2.5, 4.0])})
    >>> order = RowOrder.of(Training((Feature("x", (), "numeric"),), x, ()))
    >>> order.line_up(0, np.arange(3)), order.part(np.array([2, 0])).line_up(0, np.arange(2))
    (array([1, 2, 0]), array([0, 1]))
    """

    whole: Training
    rows: np.ndarray
    known: dict[int, np.ndarray] = field(default_factory=dict)

    @classmethod
    def of(cls, data: Training) -> "RowOrder":
        """Return the order of the rows of a fit."""
        return cls(data, np.arange(data.shape[1]))

    def part(self, rows: np.ndarray) -> "RowOrder":
        """Return the order of some of the rows at hand, which stay in that of the whole."""
        return replace(self, rows=self.rows[rows])

    def in_table(self, rows: np.ndarray) -> np.ndarray:
        """Return some of the rows at hand in the order of the table."""
        return rows[np.argsort(self.rows[rows], kind="stable")]

    def line_up(self, f: int, rows: np.ndarray) -> np.ndarray:
        """Return some of the rows at hand in the order of a feature, or of the table if that is nominal."""
        if self.whole.features[f].kind == "nominal":
            return self.in_table(rows)
        if f not in self.known:
            code = self.whole.codes[f, self.rows[rows]]
            by_code = np.argsort(code)
            if (np.diff(code[by_code], prepend=-1) > 0).all():
                return rows[by_code]  # nothing is missing, nothing equal: there is only one order
        return rows[np.argsort(self.places(f)[self.rows[rows]])]

    def places(self, f: int) -> np.ndarray:
        """Return the place of each row of the fit in the order of a feature that is not nominal."""
        if f not in self.known:
            x = self.whole.codes[f]
            if f in self.whole.numbers:
                x = np.nan_to_num(self.whole.decode(f, x))  # a missing number is sorted as 0
            self.known[f] = np.empty(len(x), np.intp)
            has_equal = len(np.unique(x)) < len(x)
            self.known[f][quicksorted(x) if has_equal else np.argsort(x)] = np.arange(len(x))
        return self.known[f]

    def lines(self, features: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Return rows in the order of features that are not nominal, shape (features, rows).

        Those that miss the value come last.
        """
        at = self.rows[rows]
        place = np.stack([self.places(f)[at] for f in features.tolist()])
        place[self.whole.codes[features[:, None], at] < 0] = len(self.whole.codes[0])
        return rows[np.argsort(place, axis=1)]

    def of_node(self, rows: np.ndarray) -> np.ndarray:
        """Return the rows of a node in the order in which its own risk is added up.

        At the root that is the order of the table, below it that of the first feature.
        """
        return self.in_table(rows) if len(rows) == self.n_weighted else self.line_up(0, rows)

    @cached_property
    def n_weighted(self) -> int:
        """How many of the rows at hand have a weight above 0."""
        weight = self.whole.weight
        return len(self.rows) if weight is None else int(np.count_nonzero(weight[self.rows]))


def quicksorted(x: np.ndarray) -> np.ndarray:
    """Return the places of some numbers as rpart's quicksort leaves them: ascending, equal ones displaced.

    Nothing else needs this sort: it is here because rpart's sums are rounded in the order that it makes. A
    part of the list is divided at the median of its first, middle and last number: from both ends, what is on
    the wrong side of it changes places, or is left beside a number equal to it. Parts of fewer than 12 are
    sorted by insertion. That is stable, and no number of a part is above one of a later part, so one stable
    sort finishes them all.

    Examples
    --------
    >>> quicksorted(np.array([0, 1] * 6))
    array([ 0,  2, 10,  4,  6,  8,  1,  5,  7,  9,  3, 11])
    """
    line, place, parts = x.tolist(), list(range(len(x))), [(0, len(x) - 1)]
    while parts:
        first, last = parts.pop()
        if last - first + 1 < INSERTED:
            continue
        median = sorted((line[first], line[(first + last) // 2], line[last]))[1]
        i, j = first, last
        while i < j:
            while line[i] < median:
                i += 1
            while line[j] > median:
                j -= 1
            if i < j:
                if line[i] > line[j]:
                    line[i], line[j], place[i], place[j] = line[j], line[i], place[j], place[i]
                i, j = i + 1, j - 1
        while line[i] >= median and i > first:
            i -= 1
        while line[j] <= median and j < last:
            j += 1
        parts += [(first, i), (j, last)]
    return np.array(place, np.intp)[np.argsort(line, kind="stable")]


def added_up(first: np.ndarray, steps: np.ndarray) -> np.ndarray:
    """Return the sums of numbers and the steps up to each, added one by one.

    Examples
    --------
    >>> added_up(np.array([1.0]), np.array([[2.0, -0.5]]))
    array([[3. , 2.5]])
    """
    return np.cumsum(np.concatenate([first[..., None], steps], axis=-1), axis=-1)[..., 1:]


def total(steps: np.ndarray) -> np.ndarray:
    """Return the sum of each line of steps, added one by one."""
    return np.cumsum(steps, axis=-1)[..., -1]
