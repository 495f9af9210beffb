"""Tallies of streamed rows: each feature is counted as its values allow.

J nodes are open, V is the number of codes of a feature (of categories, values or intervals), K that of
classes. The code V is that of a missing value.
"""

from functools import cached_property
from typing import Protocol

import numpy as np

from dtlib.jit import is_ready
from dtlib.out_of_core.cells import Cells, add
from dtlib.out_of_core.spread import Intervals

PENDING = 1 << 20  # cells that wait to be added up
ROOM = 1 << 24  # counts of one table; larger ones are kept as cells, as most of them would be 0


class Tally(Protocol):
    """Interface of the counts of one feature."""

    def add(self, node: np.ndarray, values: np.ndarray, label: np.ndarray) -> None:
        """Count more rows: their nodes, their values or codes, and their classes."""

    def put(self, cells: Cells) -> None:
        """Add the counts of another tally of this kind."""

    def cells(self) -> Cells:
        """Return the counts as cells."""


class TableOfPlaces:
    """Counts of each code at each node.

    Parameters
    ----------
    shape : (J, V, K)
    intervals : Intervals, optional
        Of a numeric feature; default: the codes of categories are counted.

    Examples
    --------
    >>> tally = TableOfPlaces((1, 2, 2), Intervals(np.array([2.0, 9.0])))
    >>> tally.add(np.array([0, 0, 0]), np.array([1.0, 2.0, np.nan]), np.array([0, 0, 1]))
    >>> tally.table[0].tolist()
    [[2, 0], [0, 0], [0, 1]]
    >>> tally.cells().value, tally.cells().rows
    (array([ 2., nan]), array([2, 1]))
    """

    def __init__(self, shape: tuple[int, int, int], intervals: Intervals | None = None):
        self.shape, self.intervals = shape, intervals

    @cached_property
    def table(self) -> np.ndarray:
        """The counts, of shape (J, V + 1, K); allocated by the worker, as tallies are sent to workers."""
        J, V, K = self.shape
        return np.zeros((J, V + 1, K), np.int64)

    def add(self, node: np.ndarray, values: np.ndarray, label: np.ndarray) -> None:
        """Count more rows."""
        _, V, K = self.table.shape
        flat = self.table.reshape(-1)
        intervals = self.intervals
        if intervals is not None and intervals.are_looked_up(values) and is_ready("counts", len(values)):
            from dtlib.out_of_core.tally import count_whole

            count_whole(flat, node, values, *intervals.of_whole, label, V, K)
            return
        count_cells(flat, node, self.place(values), label, V, K)

    def place(self, values: np.ndarray) -> np.ndarray:
        """Return the code of each value, or its interval."""
        if self.intervals is None:
            return np.where(values < 0, self.shape[1], values)
        return self.intervals.place(values)

    def put(self, cells: Cells) -> None:
        """Add the counts of another table."""
        place, V = cells.value, self.shape[1]
        place = np.where(place < 0, V, place) if self.intervals is None else self.intervals.of_end(place)
        np.add.at(self.table, (cells.node, place, cells.label), cells.rows)

    def cells(self) -> Cells:
        """Return the counts as cells, by the end of each interval."""
        node, place, label = np.nonzero(self.table)
        if self.intervals is None:
            value = np.where(place == self.table.shape[1] - 1, -1, place)
        else:
            value = np.append(self.intervals.ends, np.nan)[place]
        return Cells(node, value, label, self.table[node, place, label])


class EveryValue:
    """Cells of all values, however many; or of those in some intervals.

    Parameters
    ----------
    intervals : Intervals, optional
    wanted : bool ndarray of shape (J, V + 1), optional
        The intervals of each node whose values are counted.

    Examples
    --------
    >>> tally = EveryValue(Intervals(np.array([2.0, 9.0])), np.array([[False, True, False]]))
    >>> tally.add(np.array([0, 0, 0]), np.array([1.0, 3.0, 4.0]), np.array([0, 0, 1]))
    >>> tally.cells().value
    array([3., 4.])
    """

    def __init__(self, intervals: Intervals | None = None, wanted: np.ndarray | None = None):
        self.intervals, self.wanted, self.tables, self.waiting = intervals, wanted, list[Cells](), 0

    def add(self, node: np.ndarray, values: np.ndarray, label: np.ndarray) -> None:
        """Count more rows."""
        if self.wanted is not None and self.intervals is not None:
            here = np.flatnonzero(self.wanted[node, self.intervals.place(values)])
            node, values, label = node[here], values[here], label[here]
        values = values.astype(float) if values.dtype.kind != "i" or self.intervals is not None else values
        self.tables.append(self.counted(node, values, label))
        self.waiting += len(self.tables[-1].node)
        if self.waiting > max(PENDING, len(self.tables[0].node)):
            self.tables, self.waiting = [add(*self.tables)], 0

    def counted(self, node: np.ndarray, values: np.ndarray, label: np.ndarray) -> Cells:
        """Return rows as cells."""
        return Cells(node, values, label, np.ones(len(node), np.int64))

    def put(self, cells: Cells) -> None:
        """Add the counts of another tally of this kind."""
        self.tables.append(cells)

    def cells(self) -> Cells:
        """Return the counts as cells."""
        return add(*self.tables)


class Beside:
    """The values of a feature beside some thresholds, whatever the node and the class.

    Parameters
    ----------
    thresholds : ndarray of shape (T,)
        Ascending, none twice, of the type in which values are compared with them.

    Examples
    --------
    >>> tally, none = Beside(np.array([2.0])), np.zeros(5, np.intp)
    >>> tally.add(none, np.array([0.5, 1.0, 2.0, 7.0, np.nan]), none)
    >>> tally.cells().value
    array([0.5, 2. , 7. ])
    """

    def __init__(self, thresholds: np.ndarray):
        self.thresholds = thresholds
        self.low, self.high = np.full(len(thresholds) + 1, np.inf), np.full(len(thresholds) + 1, -np.inf)

    def add(self, node: np.ndarray, values: np.ndarray, label: np.ndarray) -> None:
        """Look at more values: keep the smallest and the largest one between two thresholds."""
        x = values.astype(self.thresholds.dtype)
        x = x[~np.isnan(x)]
        place = np.searchsorted(self.thresholds, x)
        np.minimum.at(self.low, place, x.astype(float))
        np.maximum.at(self.high, place, x.astype(float))

    def put(self, cells: Cells) -> None:
        """Add what another tally of this kind has found."""
        self.add(cells.node, cells.value, cells.label)

    def cells(self) -> Cells:
        """Return the values as cells of one row each."""
        found = np.concatenate([self.low, self.high])
        value = np.unique(found[np.isfinite(found)])
        none = np.zeros(len(value), np.intp)
        return Cells(none, value, none, np.ones(len(value), np.int64))


def count_cells(
    table: np.ndarray, node: np.ndarray, place: np.ndarray, label: np.ndarray, V: int, K: int
) -> None:
    """Add 1 to the cell of each row, in a flat table of shape (J * V * K,).

    Examples
    --------
    >>> table = np.zeros(4, np.int64)
    >>> count_cells(table, np.array([0, 0]), np.array([1, 1]), np.array([0, 1]), 2, 2)
    >>> table
    array([0, 0, 1, 1])
    """
    if is_ready("counts", len(node)):
        from dtlib.out_of_core.tally import count_one_by_one

        count_one_by_one(table, node, place, label, V, K)
        return
    cell = node * np.intp(V)
    cell += place
    cell *= K
    cell += label
    table += np.bincount(cell, minlength=len(table))
