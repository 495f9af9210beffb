"""Sums of regression targets for each value of a feature, where the targets are too many to be labels.

A row counts as in memory: with the distance of its target from the mean of its node, in a unit so fine that
all sums are whole numbers (`dtlib.counting.targets`). So their sums do not depend on how rows are divided.
Cells have the label 0 for the number of rows, and the label 1 for the sum of the distances.
"""

import numpy as np

from dtlib.arrays import offsets
from dtlib.out_of_core.cells import Cells
from dtlib.out_of_core.counted import Scale
from dtlib.out_of_core.spread import Intervals
from dtlib.out_of_core.tallies import EveryValue, TableOfPlaces

SUM_BITS = 51  # of the sum of squares of a level


class Distances:
    """The distances of targets from the means of J nodes, and their squares, as whole numbers.

    Parameters
    ----------
    values : float ndarray of shape (K,)
        The distinct targets.
    scale : Scale
        The centers and units of the nodes.
    own : Cells
        The rows of each target at the nodes.

    Attributes
    ----------
    square : float
        The square of a distance that a whole square of 1 stands for. Squares are rounded up.
    """

    def __init__(self, values: np.ndarray, scale: Scale, own: Cells):
        self.values, self.center, self.shift, self.square = values, scale.center, scale.shift, 1.0
        s = self.of(own.node, own.label).astype(float)
        first = offsets(np.bincount(own.node, minlength=len(scale.center)))
        largest = np.add.reduceat(s**2 * own.rows, first).max() + own.rows.sum()
        self.square = 2.0 ** max(int(np.frexp(largest)[1]) - SUM_BITS, 0)

    def some(self, nodes: slice) -> "Distances":
        """Return the distances at some of the nodes."""
        one = object.__new__(Distances)
        one.values, one.square = self.values, self.square
        one.center, one.shift = self.center[nodes], self.shift[nodes]
        return one

    def of(self, node: np.ndarray, label: np.ndarray) -> np.ndarray:
        """Return the distances of rows, given their nodes and the codes of their targets."""
        distance = self.values.take(label) - self.center.take(node)
        found: np.ndarray = np.rint(np.ldexp(distance, self.shift.take(node))).astype(np.int64)
        return found

    def squares(self, s: np.ndarray) -> np.ndarray:
        """Return the squares of distances, rounded up."""
        return np.ceil(s.astype(float) ** 2 / self.square)


class TableOfSums(TableOfPlaces):
    """Sums of each code at each node: of rows, distances, and squares of distances.

    Parameters
    ----------
    shape : (J, V, 3)
    intervals : Intervals, optional
        As for `TableOfPlaces`.
    distances : Distances
    """

    def __init__(self, shape: tuple[int, int, int], intervals: Intervals | None, distances: Distances):
        super().__init__(shape, intervals)
        self.distances = distances

    def add(self, node: np.ndarray, values: np.ndarray, label: np.ndarray) -> None:
        """Add more rows."""
        J, V, _ = self.table.shape
        place, s = self.place(values), self.distances.of(node, label)
        cell = node * V + place
        for k, x in enumerate((None, s, self.distances.squares(s))):
            self.table[..., k] += np.bincount(cell, x, J * V).astype(np.int64).reshape(J, V)

    def cells(self) -> Cells:
        """Return the numbers of rows and the sums of distances as cells, by the end of each interval."""
        cells = super().cells()
        return cells.take(np.flatnonzero(cells.label < 2))


class EverySum(EveryValue):
    """Cells of the sums of each value in some intervals.

    Parameters
    ----------
    intervals, wanted
        As for `EveryValue`.
    distances : Distances
    """

    def __init__(self, intervals: Intervals | None, wanted: np.ndarray | None, distances: Distances):
        super().__init__(intervals, wanted)
        self.distances = distances

    def counted(self, node: np.ndarray, values: np.ndarray, label: np.ndarray) -> Cells:
        """Return rows as cells."""
        node, values = np.tile(node, 2), np.tile(values, 2)
        one = np.ones(len(label), np.int64)
        s = self.distances.of(node[: len(label)], label)
        return Cells(node, values, np.repeat([0, 1], len(label)), np.concatenate([one, s]))


class Branches(EveryValue):
    """Rows of each target on both sides of the cuts that nodes make along a feature.

    Parameters
    ----------
    low : float ndarray of shape (J,), optional
        The largest value that goes left; default: the feature is categorical, and each code is a side.
    mine : bool ndarray of shape (J,)
        The nodes that split on this feature.

    Examples
    --------
    >>> tally = Branches(np.array([1.5]), np.array([True]))
    >>> tally.add(np.zeros(3, np.intp), np.array([1.0, 1.5, 2.0]), np.array([4, 4, 4]))
    >>> tally.cells().value, tally.cells().rows
    (array([0, 1]), array([2, 1]))
    """

    def __init__(self, low: np.ndarray | None, mine: np.ndarray):
        super().__init__()
        self.low, self.mine = low, mine

    def counted(self, node: np.ndarray, values: np.ndarray, label: np.ndarray) -> Cells:
        """Return rows as cells."""
        here = np.flatnonzero(self.mine[node])
        node, values, label = node[here], values[here], label[here]
        side = values if self.low is None else values > self.low[node]
        return Cells(node, side.astype(np.intp), label, np.ones(len(node), np.int64))
