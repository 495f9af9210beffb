"""The number of cuts of a numeric feature at each node, which C4.5's MDL correction needs (chapter 6).

The best cut of a feature is found without telling all values apart (`dtlib.out_of_core.intervals`), but they
must be told apart to be counted. So intervals are counted value by value, as many in a pass as the memory has
room for, and forgotten again.
"""

import numpy as np

from dtlib.arrays import changes
from dtlib.out_of_core.cells import Cells
from dtlib.out_of_core.spread import Intervals
from dtlib.search.ratio import least_of
from dtlib.search.rules import RatioRules


def too_small(n_left: np.ndarray, n_right: np.ndarray, K: int, rules: RatioRules) -> np.ndarray:
    """Tell which cuts C4.5 forbids, given the rows on both sides.

    Examples
    --------
    >>> too_small(np.array([0, 1, 2]), np.array([4, 3, 2]), 2, RatioRules(min_leaf=2.0)).tolist()
    [True, True, False]
    """
    smaller, known = np.minimum(n_left, n_right), n_left + n_right
    least = least_of(known, known if rules.dialect.counts_rows else None, K, rules)
    few: np.ndarray = (smaller < 1) | ~rules.enough(smaller, least)
    return few


class Thresholds:
    """The cuts of a feature at each of J nodes; the values of its V intervals come interval by interval.

    Parameters
    ----------
    intervals : Intervals
    table : int ndarray of shape (J, V + 1, K)
        The rows of each interval and class; the last interval has the missing values.
    rules : RatioRules

    Examples
    --------
    >>> found = Thresholds(Intervals(np.array([2.0, 9.0])), np.array([[[2], [3], [0]]]), RatioRules())
    >>> for value, rows in ([3.0, 4.0, 9.0], [1, 1, 1]), ([1.0, 2.0], [1, 1]):
    ...     none = np.zeros(len(value), np.intp)
    ...     found.add(Cells(none, np.array(value), none, np.array(rows)))
    >>> found.total()
    array([4])
    """

    def __init__(self, intervals: Intervals, table: np.ndarray, rules: RatioRules):
        self.intervals, self.rules = intervals, rules
        self.rows, self.K = table[:, :-1].sum(-1), table.shape[-1]
        self.up_to = self.rows.cumsum(1)
        self.number = np.zeros(len(self.rows), np.int64)
        self.low, self.high = np.full((2, *self.rows.shape), np.nan)  # the first and last value of intervals

    def add(self, cells: Cells) -> None:
        """Add the cells of some intervals, with all their values."""
        cells = cells.take(np.flatnonzero(~np.isnan(cells.value)))
        if not len(cells.node):
            return
        first = np.flatnonzero(changes(cells.node, cells.value))
        node, value, rows = cells.node[first], cells.value[first], np.add.reduceat(cells.rows, first)
        place = self.intervals.of_end(value)
        is_new = changes(node, place)
        start = np.flatnonzero(is_new)
        j, v, end = node[start], place[start], np.append(start[1:], len(node)) - 1
        self.low[j, v], self.high[j, v] = value[start], value[end]
        running = rows.cumsum()
        before = (running - rows)[start] - (self.up_to - self.rows)[j, v]
        n_left = running - before[np.cumsum(is_new) - 1]
        self.count(node[:-1], n_left[:-1], value[:-1], value[1:], ~is_new[1:])

    def count(
        self, node: np.ndarray, n_left: np.ndarray, low: np.ndarray, high: np.ndarray, is_cut: np.ndarray
    ) -> None:
        """Count cuts, given their nodes, the rows below them and the values beside them."""
        few = too_small(n_left, self.up_to[node, -1] - n_left, self.K, self.rules)
        is_cut = is_cut & ~few & (high > low + self.rules.dialect.gap)
        self.number += np.bincount(node[is_cut], minlength=len(self.number))

    def total(self) -> np.ndarray:
        """Return the number of cuts of each node, those between intervals included."""
        j, v = np.nonzero(self.rows)
        low, high = self.high[j, v][:-1], self.low[j, v][1:]
        self.count(j[:-1], self.up_to[j, v][:-1], low, high, j[1:] == j[:-1])
        return self.number
