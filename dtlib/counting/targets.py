"""The targets as sums over the rows of a branch: channels of integers.

The score of a split (`dtlib.counting.score`) is a function of sums over the rows of a branch: of the weight,
and of one *channel* for each class but the first (its weight), or for each regression target (its distance
from the prediction of the node). Channels and weights are integers; fractions are rounded to multiples of a
power of two, the finest whose sums stay below 2**52. So the sums are exact: they do not depend on the order
of the rows, nor on which engine adds them up, and ties are ties.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property, reduce
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from dtlib.arrays import TINY, numbered, of_group, offsets, owners, xlogx
from dtlib.counting.criteria import criterion_of
from dtlib.counting.score import Scorer
from dtlib.counting.tables import count_tables
from dtlib.table.columns import Column

BITS = 52  # sums of integers below 2**53 are exact in a float64
FINEST = 400  # bits; squares of finer values would underflow to 0
TABLED = 1 << 24  # up to so much weight, logarithms are looked up

#: What is summed over some rows: their weights (None: each counts 1), and their labels or channels.
Gathered = tuple[np.ndarray | None, list[np.ndarray]]


class Totals(NamedTuple):
    """Sums over groups of rows: their weight, their channels, and the number of rows."""

    n: np.ndarray
    channels: list[np.ndarray]
    rows: np.ndarray

    def take(self, places: np.ndarray | slice) -> "Totals":
        """Return the sums of some of the groups."""
        return Totals(self.n[places], [c[places] for c in self.channels], self.rows[places])

    def less(self, part: "Totals") -> "Totals":
        """Return the sums over the rows that are not in `part`."""
        channels = [c - p for c, p in zip(self.channels, part.channels, strict=True)]
        return Totals(self.n - part.n, channels, self.rows - part.rows)


def in_whole_numbers(x: np.ndarray, copies: np.ndarray | int = 1) -> tuple[np.ndarray, int]:
    """Return x * 2**shift rounded to integers, as finely as their sum allows, and the shift.

    Each value may stand for several copies. The sum is rounded up a little, so that the shift does not depend
    on the order of the values.

    Examples
    --------
    >>> in_whole_numbers(np.array([3.0, 4.0])), in_whole_numbers(np.array([0.5, 0.25]))[1]
    ((array([3, 4]), 0), 52)
    """
    total = (np.abs(x) * copies).sum()
    if (x == np.rint(x)).all() and total < 2.0**BITS:
        return x.astype(np.int64), 0
    shift = BITS - int(np.frexp(total * (1 + 1e-9))[1])
    return np.rint(np.ldexp(x, shift)).astype(np.int64), shift


def smallest(x: np.ndarray) -> np.ndarray:
    """Return integers in the smallest type that holds them."""
    return x.astype(np.promote_types(np.min_scalar_type(x.min()), np.min_scalar_type(x.max())))


class Outputs:
    """The targets of all outputs, as channels.

    Attributes
    ----------
    sum_type : type
        Integer type that holds the running sums of a channel.
    groups : list of range
        The channels of each output.
    weight_unit : float
        The sample weight that an integer weight of 1 stands for.
    rows : int ndarray of shape (n,)
        The rows that count, in an order that depends on their content alone.
    criterion : Criterion
    """

    groups: list[range]
    target: str  # as in `Criterion`
    has_rest: bool  # whether each output has a class without a channel, with the rest of the weight
    in_pairs: bool  # whether the Gini index is scored by pairs of rows of different classes
    zero_rates = False  # whether a branch may have the rate 0

    def __init__(self, columns: Sequence[Column], weight: np.ndarray | None, criterion: str):
        self.columns, self.weight, shift = columns, None, 0
        self.criterion = criterion_of(criterion)
        if self.criterion.target != self.target or self.criterion.measured is None:
            raise ValueError(
                f"criterion is {criterion!r}, by which no tree grows that predicts {self.target}"
            )
        if weight is not None and (weight != 1).any():
            self.weight, shift = in_whole_numbers(weight)
            self.weight = smallest(self.weight)
        self.weight_unit = 2.0**-shift
        self.rows = np.arange(len(columns[0].codes), dtype=np.int32)
        if self.weight is not None:
            self.rows = np.flatnonzero(self.weight).astype(np.int32)

    @cached_property
    def scorer(self) -> Scorer | None:
        """The scorer of splits by sums; None if the criterion is no function of sums."""
        return None if self.criterion.scorer is None else self.criterion.scorer(self)

    def xlogx(self, x: np.ndarray) -> np.ndarray:
        """Return x log2 x."""
        return xlogx(x)

    def center(
        self, rows: np.ndarray, totals: Totals, center: np.ndarray
    ) -> tuple[Totals, np.ndarray | float]:
        """Make the channels of a level; return the sums over its nodes, and the unit of a score."""
        return totals, self.weight_unit

    def weigh(self, rows: np.ndarray) -> np.ndarray | None:
        """Return the integer weights of some rows, None if each counts 1."""
        return None if self.weight is None else np.take(self.weight, rows)

    def weights_of(self, rows: np.ndarray) -> np.ndarray | None:
        """Return the sample weights of some rows as floats, None if each counts 1."""
        return None if self.weight is None else np.take(self.weight, rows) * self.weight_unit


class ClassificationTarget(Outputs):
    """Classes: a channel for each class but the first, which has the rest of the weight.

    Classes that are declared and have no row are left out, until nodes are summarized.
    """

    target, has_rest = "classes", True

    def __init__(self, columns: Sequence[Column], weight: np.ndarray | None, criterion: str):
        super().__init__(columns, weight, criterion)
        every = [np.arange(len(column.values)) for column in columns]
        self.used = [np.delete(k, c.unused) if c.unused else k for k, c in zip(every, columns, strict=True)]
        self.sizes = [len(used) for used in self.used]
        codes = [
            np.searchsorted(used, column.codes) if column.unused else column.codes
            for used, column in zip(self.used, columns, strict=True)
        ]
        self.labels = [smallest(code) for code in codes]
        ends = np.cumsum([0, *(K - 1 for K in self.sizes)])
        self.groups = [range(a, b) for a, b in pairwise(ends)]
        self.prepare(len(self.rows) if self.weight is None else int(self.weight.sum()))

    def prepare(self, total: int) -> None:
        """Choose types and tables for sums up to a total."""
        self.sum_type: type[np.signedinteger] = np.int32 if total < 2**31 else np.int64
        self.in_pairs = total < 2**31 and len(self.sizes) == 1 and self.sizes[0] > 2  # squares fit an int64
        has_logarithms = self.criterion.kernel == "logarithms"
        self.has_table = has_logarithms and self.weight_unit == 1 and total <= TABLED
        self.table = xlogx(np.arange(total + 1)) if self.has_table else np.empty(0)

    def xlogx(self, x: np.ndarray) -> np.ndarray:
        """Return x log2 x, for integers from a table, so that all engines use the same floats."""
        return self.table.take(x) if self.has_table and x.dtype.kind in "iu" else xlogx(x)

    def max_gain(self, totals: Totals, impurity: np.ndarray) -> tuple[np.ndarray, np.ndarray | float]:
        """Return the gain of splits into pure branches, and the most by which rounding may change it."""
        n, lost = totals.n, np.zeros(len(totals.n))
        for group in self.groups:
            rest = reduce(np.subtract, (totals.channels[k] for k in group), n)
            of_class = [*(totals.channels[k] for k in group), rest]
            lost += self.criterion.impure_weight(of_class, n, self.xlogx)
        rounded = 0.0 if self.criterion.is_exact else 1e-15 * (self.xlogx(n) + n)
        return lost / len(self.groups), rounded

    def channels(self, rows: np.ndarray) -> Iterator[np.ndarray]:
        """Yield each channel of the rows."""
        weight = self.weigh(rows)
        for label, K in zip(self.labels, self.sizes, strict=True):
            y = np.take(label, rows)
            for k in range(1, K):
                is_k = y if K == 2 else y == k
                yield is_k if weight is None else is_k * weight

    def gather(self, rows: np.ndarray) -> Gathered:
        """Return the weights and the labels of the rows."""
        return self.weigh(rows), [np.take(label, rows) for label in self.labels]

    def totals(self, gathered: Gathered, cell: np.ndarray, size: int) -> Totals:
        """Sum over the rows of each cell, cells numbered from 0 to size - 1."""
        weight, labels = gathered
        channels, n = [], np.empty(0)
        for y, K in zip(labels, self.sizes, strict=True):
            table = count_tables(cell, y, (1, size, K), weight=weight)[0]
            table = table.astype(np.int64, copy=False)  # running sums of a smaller type may wrap around
            channels += list(table.T[1:])
            n = table[:, 0] + table[:, 1] if K == 2 else table.sum(1)  # faster for two
        return Totals(n, channels, n if weight is None else np.bincount(cell, minlength=size))

    def summarize(
        self, rows: np.ndarray, node: np.ndarray, totals: Totals
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return each node's class weights, its impurity, and whether it has one class only."""
        counts, impurity, pure = [], np.zeros(len(totals.n)), np.ones(len(totals.n), bool)
        for group, used, column in zip(self.groups, self.used, self.columns, strict=True):
            rest = [totals.channels[k] for k in group]
            each = [totals.n - sum(rest), *rest]
            pure &= reduce(np.maximum, each) == totals.n
            table = np.stack(each, axis=1) * self.weight_unit
            impurity += self.criterion.unchecked(table) / len(self.groups)
            if column.unused:
                wide = np.zeros((len(table), len(column.values)))
                wide[:, used] = table
                table = wide
            counts.append(table)
        return np.concatenate(counts, axis=1), impurity, pure


class RegressionTarget(Outputs):
    """Regression: a channel for each output, the distance from its node's center times the row's weight."""

    target, has_rest, in_pairs = "numbers", False, False

    def __init__(self, columns: Sequence[Column], weight: np.ndarray | None, criterion: str):
        super().__init__(columns, weight, criterion)
        self.groups = [range(k, k + 1) for k in range(len(columns))]
        measured = self.criterion.measured
        self.median, self.deviation = measured == "medians", measured == "deviations"
        codes = [np.take(column.codes, self.rows) for column in columns]
        ties = [] if self.weight is None else [np.take(self.weight, self.rows)]
        self.rows = np.take(self.rows, np.lexsort([*ties, *codes[::-1]]))
        self.y = [np.asarray(column.values)[column.codes] for column in columns]
        self.shifted = [np.zeros(len(y), np.int64) for y in self.y]
        self.centered = [np.zeros(len(y)) for y in self.y]  # distances as floats, without the weights
        self.sum_type: type[np.signedinteger] = np.int64

    def center(
        self, rows: np.ndarray, totals: Totals, center: np.ndarray
    ) -> tuple[Totals, np.ndarray | float]:
        """Make the channels of a level, in a unit for each node: the finest that its sums allow.

        Standard deviations are no functions of sums: they are computed in the unit of the targets.
        """
        if self.deviation:
            return totals, 1.0
        node, w = owners(totals.rows), self.weights_of(rows)
        distances = [np.take(y, rows) - of_group(c, node) for y, c in zip(self.y, center.T, strict=True)]
        weighted = distances if w is None else [d * w for d in distances]
        largest = np.max([np.bincount(node, np.abs(d), len(totals.n)) for d in weighted], axis=0)
        shift = np.minimum(BITS - np.frexp(largest)[1], FINEST)
        of_row = of_group(shift, node)
        for k, (d, dw) in enumerate(zip(distances, weighted, strict=True)):
            self.shifted[k][rows] = np.rint(np.ldexp(dw, of_row))
            if self.median:
                self.centered[k][rows] = np.ldexp(d, of_row)
        unit = np.ldexp(1.0, -shift) if self.median else np.ldexp(1 / self.weight_unit, -2 * shift)
        sums = [np.bincount(node, c, len(totals.n)).astype(np.int64) for c in self.channels(rows)]
        return totals._replace(channels=sums), unit

    def max_gain(self, totals: Totals, impurity: np.ndarray) -> tuple[np.ndarray, np.ndarray | float]:
        """Return the gain of splits into pure branches, in the unit of a weight, and 0 for rounding."""
        return totals.n * impurity, 0.0

    def channels(self, rows: np.ndarray) -> Iterator[np.ndarray]:
        """Yield each channel of the rows."""
        return (np.take(channel, rows) for channel in self.shifted)

    def gather(self, rows: np.ndarray) -> Gathered:
        """Return the weights and the channels of the rows."""
        return self.weigh(rows), list(self.channels(rows))

    def totals(self, gathered: Gathered, cell: np.ndarray, size: int) -> Totals:
        """Sum over the rows of each cell, cells numbered from 0 to size - 1."""
        weight, channels = gathered
        count = np.bincount(cell, minlength=size)
        n = count if weight is None else np.bincount(cell, weight, minlength=size).astype(np.int64)
        sums = [np.bincount(cell, c, minlength=size).astype(np.int64) for c in channels]
        return Totals(n, sums, count)

    def summarize(
        self, rows: np.ndarray, node: np.ndarray, totals: Totals
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the prediction of each node, its impurity, and whether all its rows have equal targets.

        The rows of each node are in the order of `rows`, so that sums of floats do not depend on the order in
        which they were given. A node without rows has zeros.
        """
        if not totals.rows.all():
            return self.summarize_some(rows, node, totals)
        J, w = len(totals.n), self.weights_of(rows)
        n = np.maximum(totals.n * self.weight_unit, TINY)
        start = offsets(totals.rows)
        centers, impurity, pure = [], np.zeros(J), np.ones(J, bool)
        for y in self.y:
            y = np.take(y, rows)
            low, high = np.minimum.reduceat(y, start), np.maximum.reduceat(y, start)
            pure &= low == high
            if self.median:
                center = medians(y, self.weigh(rows), node, start, totals.rows, self.weight_unit != 1)
                distance = np.abs(y - of_group(center, node))
            else:
                center = np.bincount(node, y if w is None else y * w, minlength=J) / n
                center = np.clip(center, low, high)
                distance = (y - of_group(center, node)) ** 2
            centers.append(center)
            mean = np.bincount(node, distance if w is None else distance * w, J) / n
            impurity += (np.sqrt(mean) if self.deviation else mean) / len(self.y)
        return np.stack(centers, axis=1), np.where(pure, 0.0, impurity), pure

    def summarize_some(
        self, rows: np.ndarray, node: np.ndarray, totals: Totals
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return what `summarize` returns where some nodes have no rows."""
        has = totals.rows > 0
        found = self.summarize(rows, numbered(has)[node], totals.take(np.flatnonzero(has)))
        summary, impurity, pure = np.zeros((len(has), len(self.y))), np.zeros(len(has)), ~has
        summary[has], impurity[has], pure[has] = found
        return summary, impurity, pure


Target = ClassificationTarget | RegressionTarget


def deviations(y: np.ndarray, weight: np.ndarray | None, group: np.ndarray, n: np.ndarray) -> np.ndarray:
    """Return the standard deviation of each group, given its weight, which must be positive.

    Examples
    --------
    >>> deviations(np.array([1.0, 3.0, 7.0]), None, np.array([0, 0, 1]), np.array([2.0, 1.0]))
    array([1., 0.])
    """
    mean = np.bincount(group, y if weight is None else y * weight, len(n)) / n
    squares = (y - mean[group]) ** 2
    return np.sqrt(np.bincount(group, squares if weight is None else squares * weight, len(n)) / n)


def medians(
    y: np.ndarray,
    weight: np.ndarray | None,
    node: np.ndarray,
    start: np.ndarray,
    size: np.ndarray,
    is_rounded: bool = False,
) -> np.ndarray:
    """Return the median of each node's values, as `measures.median` does, for all nodes at once.

    Weights are integers, so their sum in a node does not depend on the other nodes. If they are rounded, half
    of that sum may be off by half a unit for each row.

    Examples
    --------
    >>> y, node = np.array([3.0, 1.0, 2.0, 7.0, 5.0]), np.array([0, 0, 0, 1, 1])
    >>> medians(y, None, node, np.array([0, 3]), np.array([3, 2]))
    array([2., 6.])
    """
    order = np.lexsort((y, node))
    y = y[order]
    if weight is None:
        return y[start + (size - 1) // 2] / 2 + y[start + size // 2] / 2
    below = np.cumsum(weight[order], dtype=np.int64)
    below -= np.concatenate([[0], below])[start][node[order]]
    below = 2 * below - below[start + size - 1][node[order]]
    slack = size[node[order]] if is_rounded else 0
    low = start + np.add.reduceat(below < -slack, start)
    high = start + np.add.reduceat(below <= slack, start)
    return y[low] / 2 + y[np.minimum(high, start + size - 1)] / 2
