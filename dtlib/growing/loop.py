"""The one loop over the levels of a growing tree (chapters 4, 8 and 25).

All open nodes of a level are searched together (as in SLIQ [1]_ and RainForest [2]_), so the work of a level
does not depend on its number of nodes, and nothing is recursive. Counts come from rows in memory (`by_score`,
`by_ratio`, `by_plane`), or from the count tables of a database or of batches of rows (`from_counts`).

A node reads each of its rows, so the time is proportional to the sum of all nodes' rows, plus some calls for
each level. Where each split takes off a single one of n rows, as with classes that alternate along a numeric
feature, that sum is n² / 2, here as in other programs; no step of a level may look at the levels above.

Legend, here and in the modules beside: J is the number of nodes of a level, K that of classes, V that of
values of a feature. `at` are the positions of the open nodes in a level; j is the index of a node among them,
or among those that split. `place` is the position of a node in its level of the finished tree; rows are
grouped in another order, by branch first. `low` and `high` are the codes on both sides of a cut.

References
----------
.. [1] M. Mehta, R. Agrawal, J. Rissanen, "SLIQ: a fast scalable classifier for data mining", EDBT 1996.
.. [2] J. Gehrke, R. Ramakrishnan, V. Ganti, "RainForest", VLDB 1998.
"""

import logging
from abc import ABC, abstractmethod
from typing import Self

import numpy as np

from dtlib.growing.nodes import NextLevel, Nodes
from dtlib.table.training import Training

log = logging.getLogger("dtlib")


def tell_level(depth: int, nodes: int, some: int) -> None:
    """Log how many nodes a level has, and how many of them are searched."""
    log.info("level %d: %d nodes, %d of them open", depth, nodes, some)


class Growth(ABC):
    """A tree, or several at once, while it grows.

    Parameters
    ----------
    data : Training
        The rows, or cells of a count table as rows with the weight of the cell.
    incoming : NextLevel
        The rows of the first level.

    Attributes
    ----------
    levels : list of Nodes
        The levels so far.
    above : int
        The number of nodes in the levels above the one that is described or split.
    incoming : NextLevel
        The rows of the next level.
    by_heuristic : set of int
        The features whose two groups of values were found by a heuristic at some node.

    Examples
    --------
    >>> from dtlib.datasets import load_loan
    >>> from dtlib.growing.by_score import ByScore
    >>> from dtlib.search.rules import Rules
    >>> from dtlib.table.reading import class_targets
    >>> from dtlib.table.training import read_training
    >>> loan = load_loan()
    >>> growth = ByScore(read_training(loan.X, class_targets(loan.y, 15)), Rules())
    >>> [nodes.n.tolist() for nodes in growth.grow().levels]
    [[15.0], [9.0, 6.0], [6.0, 3.0]]
    """

    def __init__(self, data: Training, incoming: NextLevel):
        self.data, self.incoming = data, incoming
        self.levels: list[Nodes] = []
        self.above = 0
        self.by_heuristic: set[int] = set()

    @abstractmethod
    def describe(self) -> Nodes:
        """Describe the nodes of the next level; mark those that are leaves whatever splits there are."""

    @abstractmethod
    def split(self, nodes: Nodes, at: np.ndarray) -> None:
        """Search the open nodes, write their splits into `nodes`, and send their rows down."""

    def grow(self) -> Self:
        """Grow level by level until no node is open."""
        while len(self.incoming.place):
            nodes = self.describe()
            self.levels.append(nodes)
            at = np.flatnonzero(nodes.stop == 0)
            tell_level(len(self.levels) - 1, len(nodes.stop), len(at))
            if not len(at):
                break
            self.split(nodes, at)
            self.above += len(nodes.stop)
        return self

    def heuristic_features(self) -> tuple[str, ...]:
        """Return the names of the features whose two groups of values were found by a heuristic."""
        return tuple(self.data.features[f].name for f in sorted(self.by_heuristic))
