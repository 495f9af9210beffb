"""The open nodes of one level of a growing tree, and what every search for their splits shares.

Legend, here and in the modules beside: J is the number of nodes, K that of classes, V that of values of a
feature, d that of features; f is the index of a feature, j that of a node. `rows` are indices of training
rows, those of a node contiguous. A *code* is the position of a value among the values of its feature. A cut
comes after a position in an order: `low` and `high` are the codes on both sides of it, `n_left` and
`rows_left` the weight and the number of rows on its left. -1 stands for none.
"""

from functools import cached_property
from typing import NamedTuple

import numpy as np

from dtlib.arrays import NEARLY, first_best, inside, of_group, offsets, owners
from dtlib.counting.targets import Gathered, Target, Totals

BLOCK = 1 << 15  # cells handled at once, so that intermediate results stay in the cache
TIE = 1e-10  # scores this close, relative to the impurity of their node, are equal


class Limits(NamedTuple):
    """Least weight and least number of rows of a branch."""

    weight: float = 0.0
    rows: int = 1

    def least(self, target: Target) -> float:
        """Return the least weight in the unit of the target, less what sums of fractions may lack."""
        return self.weight / target.weight_unit * NEARLY


class Level:
    """The open nodes of a level: their rows, grouped by node, and the sums over them.

    Examples
    --------
    >>> from dtlib.counting.targets import ClassificationTarget
    >>> from dtlib.table.columns import Column
    >>> target = ClassificationTarget([Column("y", ("no", "yes"), np.array([0, 1, 1]))], None, "gini")
    >>> totals = target.totals(target.gather(np.arange(3)), np.array([0, 0, 1]), 2)
    >>> level = Level(target, np.arange(3), totals, np.zeros(2))
    >>> level.node, level.rows_left
    (array([0, 0, 1]), array([1, 2, 1]))
    """

    def __init__(self, target: Target, rows: np.ndarray, totals: Totals, slack: np.ndarray):
        self.target, self.rows, self.totals, self.slack = target, rows, totals, slack
        self.size = totals.rows
        self.unit: np.ndarray | float = 1.0
        self.bounds: np.ndarray | None = None  # of monotonic means, see `dtlib.search.monotone`
        self._tiled: dict[int, Level] = {}

    @cached_property
    def start(self) -> np.ndarray:
        """The position at which the rows of each node begin."""
        return offsets(self.size)

    @cached_property
    def node(self) -> np.ndarray:
        """The node of each row."""
        return owners(self.size)

    @classmethod
    def opened(
        cls, target: Target, rows: np.ndarray, totals: Totals, impurity: np.ndarray, summary: np.ndarray
    ) -> "Level":
        """Return the level of some nodes, given their rows, sums, impurity and summary."""
        totals, unit = target.center(rows, totals, summary)
        return cls.centered(target, rows, totals, impurity, unit)

    @classmethod
    def centered(
        cls, target: Target, rows: np.ndarray, totals: Totals, impurity: np.ndarray, unit: np.ndarray | float
    ) -> "Level":
        """Return the level of some nodes, given their sums in the unit of the level."""
        max_gain, rounded = target.max_gain(totals, impurity)
        slack = TIE * max_gain * (target.weight_unit / unit) + rounded
        level = cls(target, rows, totals, slack)
        level.unit = unit
        return level

    @cached_property
    def gathered(self) -> Gathered:
        """The weights and channels of its rows, which the target sums."""
        return self.target.gather(self.rows)

    def tiled(self, times: int) -> "Level":
        """Return a level in which each node occurs `times` times, each time as a node of its own."""
        if times == 1:
            return self
        if times not in self._tiled:
            totals = Totals(
                np.tile(self.totals.n, times),
                [np.tile(c, times) for c in self.totals.channels],
                np.tile(self.totals.rows, times),
            )
            rows, slack = np.tile(self.rows, times), np.tile(self.slack, times)
            self._tiled[times] = Level(self.target, rows, totals, slack)
        return self._tiled[times]

    @cached_property
    def running(self) -> Totals:
        """The running sums before each node."""
        return Totals(offsets(self.totals.n), [offsets(c) for c in self.totals.channels], offsets(self.size))

    @cached_property
    def at(self) -> Totals:
        """The sums of each row's node; of a single node, its own."""
        return self.totals if len(self.size) == 1 else self.totals.take(self.node)

    @cached_property
    def before(self) -> list[np.ndarray]:
        """The running sum of each channel before each row's node."""
        return [of_group(b.astype(self.target.sum_type), self.node) for b in self.running.channels]

    @cached_property
    def weight_before(self) -> np.ndarray:
        """The running weight before each row's node."""
        return of_group(self.running.n.astype(np.int64), self.node)

    @cached_property
    def rows_left(self) -> np.ndarray:
        """The number of rows of its node up to each position."""
        return np.arange(1, len(self.rows) + 1) - of_group(self.start, self.node)

    def too_few(self, limits: Limits) -> np.ndarray:
        """Return the positions after which no cut is possible in any order: too few rows on a side."""
        few = max(limits.rows, 1)
        if self.target.weight is None:
            few = max(few, int(np.ceil(limits.weight * NEARLY)))
        if few == 1:
            return self.start + self.size - 1
        first, last = np.minimum(few - 1, self.size), np.minimum(few, self.size)
        some = np.concatenate([first, last])
        return np.concatenate([self.start, self.start + self.size - last]).repeat(some) + inside(some)

    def best(self, node: np.ndarray, score: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return each node's best score, and the first position that equals it (all nodes must occur)."""
        return first_best(node, score, self.slack, len(self.size))


def enough(
    level: Level, node: np.ndarray, n_left: np.ndarray, rows_left: np.ndarray, limits: Limits
) -> np.ndarray:
    """Tell which cuts leave both sides enough weight and rows."""
    least = limits.least(level.target)
    rows_right, n_right = level.size[node] - rows_left, level.totals.n[node] - n_left
    few = max(limits.rows, 1)
    return (rows_left >= few) & (rows_right >= few) & (n_left >= least) & (n_right >= least)
