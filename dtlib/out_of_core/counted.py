"""Targets of which only counts are known: how many rows have which class or regression target (chapter 25).

A node's rows are given as cells of a count table (`dtlib.out_of_core.cells`): numbers of rows by label, the
position of a class or of a target among the distinct ones. From them come the same sums, to the last bit, as
from the rows: sums of integers do not depend on their order, and where sums of floats are rounded, they are
added up value by value, in the order in which rows lie in memory.

Legend: J is the number of nodes, K that of labels.
"""

from typing import NamedTuple

import numpy as np

from dtlib.arrays import TINY, changes, offsets, sums_in_order
from dtlib.counting.pairs import Pairs
from dtlib.counting.targets import (
    BITS,
    FINEST,
    ClassificationTarget,
    RegressionTarget,
    Totals,
    in_whole_numbers,
)
from dtlib.out_of_core.cells import Cells
from dtlib.table.columns import Column


class Described(NamedTuple):
    """Sums of nodes, their predictions, their impurity, and whether all their labels are equal."""

    totals: Totals
    summary: np.ndarray
    impurity: np.ndarray
    pure: np.ndarray


class Scale(NamedTuple):
    """The units in which the channels of a level are integers.

    Parameters
    ----------
    unit : float ndarray of shape (J,), or float
        The decrease of impurity that a score of 1 stands for.
    center : float ndarray of shape (J,)
        The center from which regression targets are measured; empty for classes.
    shift : int ndarray of shape (J,)
        The number of bits by which distances are shifted.
    """

    unit: np.ndarray | float
    center: np.ndarray = np.empty(0)
    shift: np.ndarray = np.empty(0, np.intp)


class CountedClasses(ClassificationTarget):
    """Classes with the number of rows of each.

    Parameters
    ----------
    column : Column
        Each class once.
    rows : int ndarray of shape (K,)
    weight : float ndarray of shape (K,), optional
        The weight of a row of each class; default 1.
    criterion : str
        A criterion of classes that needs no rows, see `Criterion`.

    Examples
    --------
    >>> column = Column("y", ("no", "yes"), np.array([0, 1]))
    >>> target = CountedClasses(column, np.array([6, 9]), None, "gini")
    >>> root = Cells(np.zeros(2, int), np.zeros(2), np.array([0, 1]), np.array([6, 9]))
    >>> found = target.described(root, 1)
    >>> found.totals, found.impurity.tolist()
    (Totals(n=array([15]), channels=[array([9])], rows=array([15])), [0.48])
    """

    def __init__(self, column: Column, rows: np.ndarray, weight: np.ndarray | None, criterion: str):
        super().__init__([column], None, criterion)
        self.each, shift = in_whole_numbers(np.ones(len(rows)) if weight is None else weight, rows)
        self.weight_unit = 2.0**-shift
        self.prepare(int(self.each @ rows))

    def sums(self, cells: Cells, scale: Scale, group: np.ndarray, size: int) -> Totals:
        """Sum over the cells of each group, groups numbered from 0 to size - 1."""
        K = len(self.each)
        table = np.bincount(group * K + cells.label, cells.rows * self.each[cells.label], size * K)
        table = table.astype(np.int64).reshape(size, K)[:, self.used[0]]
        rows = np.bincount(group, cells.rows, size).astype(np.int64)
        return Totals(table.sum(1), list(table.T[1:]), rows)

    def described(self, cells: Cells, J: int) -> Described:
        """Describe J nodes, given their labels in order."""
        totals, none = self.sums(cells, Scale(1.0), cells.node, J), np.empty(0, np.intp)
        return Described(totals, *self.summarize(none, none, totals))

    def scale(self, cells: Cells, J: int, summary: np.ndarray) -> Scale:
        """Return the unit of weights."""
        return Scale(self.weight_unit)


class CountedNumbers(RegressionTarget):
    """Regression targets with the number of rows of each; each row weighs 1.

    Parameters
    ----------
    column : Column
        Each distinct target once, ascending.
    criterion : {"squared_error"}

    Examples
    --------
    >>> target = CountedNumbers(Column("y", np.array([1.0, 4.0]), np.arange(2), "numeric"), "squared_error")
    >>> root = Cells(np.zeros(2, int), np.zeros(2), np.array([0, 1]), np.array([2, 1]))
    >>> found = target.described(root, 1)
    >>> found.summary.tolist(), found.impurity.tolist()
    ([[2.0]], [2.0])
    """

    def __init__(self, column: Column, criterion: str):
        super().__init__([column], None, criterion)
        self.values = np.asarray(column.values, float)

    def sums(self, cells: Cells, scale: Scale, group: np.ndarray, size: int) -> Totals:
        """Sum over the cells of each group, groups numbered from 0 to size - 1."""
        distance = self.values[cells.label] - scale.center[cells.node]
        channel = np.rint(np.ldexp(distance, scale.shift[cells.node]))
        n, c = (np.bincount(group, x, size).astype(np.int64) for x in (cells.rows, channel * cells.rows))
        return Totals(n, [c], n)

    def described(self, cells: Cells, J: int) -> Described:
        """Describe J nodes, given their labels in order."""
        node, y, rows = cells.node, self.values[cells.label], cells.rows
        n = np.bincount(node, rows, J).astype(np.int64)
        has, weight = np.flatnonzero(n), np.maximum(n, TINY)
        first = offsets(np.bincount(node, minlength=J))[has]
        low, high = np.zeros((2, J))
        low[has], high[has] = np.minimum.reduceat(y, first), np.maximum.reduceat(y, first)
        center = np.clip(sums_in_order(y, node, rows, J) / weight, low, high)
        impurity = sums_in_order((y - center[node]) ** 2, node, rows, J) / weight
        pure = low == high
        totals = Totals(n, [np.zeros(J, np.int64)], n)
        return Described(totals, center[:, None], np.where(pure, 0.0, impurity), pure)

    def scale(self, cells: Cells, J: int, summary: np.ndarray) -> Scale:
        """Return for each of J nodes the finest unit that its sums allow, given its labels in order."""
        center = summary[:, 0]
        distance = np.abs(self.values[cells.label] - center[cells.node])
        largest = sums_in_order(distance, cells.node, cells.rows, J)
        shift = np.minimum(BITS - np.frexp(largest)[1], FINEST)
        return Scale(np.ldexp(1.0, -2 * shift), center, shift)


CountedTarget = CountedClasses | CountedNumbers


def pairs_of(target: CountedTarget, cells: Cells, code: np.ndarray, scale: Scale) -> Pairs[Totals]:
    """Return the values that occur at each node with their sums, given cells by node and code.

    Examples
    --------
    >>> column = Column("y", ("no", "yes"), np.array([0, 1]))
    >>> target = CountedClasses(column, np.array([6, 9]), None, "gini")
    >>> cells = Cells(np.zeros(3, int), np.array([2.5, 4, 4]), np.array([1, 0, 1]), np.array([2, 6, 7]))
    >>> pairs_of(target, cells, np.array([0, 1, 1]), Scale(1.0)).sums.n
    array([ 2, 13])
    """
    is_new = changes(cells.node, code)
    first = np.flatnonzero(is_new)
    sums = target.sums(cells, scale, np.cumsum(is_new) - 1, len(first))
    return Pairs(cells.node[first], code[first], sums)


def by_label(cells: Cells, K: int) -> Cells:
    """Add up cells of the same node and label, whatever their value.

    Examples
    --------
    >>> cells = Cells(np.zeros(3, int), np.array([2.5, 4, 4]), np.array([1, 0, 1]), np.array([2, 6, 7]))
    >>> by_label(cells, 2).rows
    array([6, 9])
    """
    found, place = np.unique(cells.node * np.int64(K) + cells.label, return_inverse=True)
    rows = np.bincount(place, cells.rows, len(found)).astype(np.int64)
    node, label = np.divmod(found, K)
    return Cells(node, np.zeros(len(found)), label, rows)
