"""The one loop over the levels of a growing tree (chapters 4, 9 and 20).

All open nodes of a level are searched together (as in SLIQ [1]_ and RainForest [2]_), so the work of a level
does not depend on how many nodes it has, and nothing is recursive. What is counted may be rows in memory
(`by_score`, `by_ratio`, `by_plane`), or the count tables of a database or of batches of rows (`from_counts`).

A node looks at each of its rows, so the time is that of the sum of all nodes' rows, and of some calls for
each level. Where each question takes off a single one of n rows, as of classes that alternate along a number,
that sum is n² / 2, here as in other programs; nothing that is done for a level may look at the levels above.

Legend, here and in the modules beside: J is the number of nodes of a level, K that of classes, V that of
values of a feature. `at` are the places, among the nodes of a level, of those that are open; j a node's
number among these, or among those that split. `place` is where a node stands in its level of the tree: rows
are kept together by another order, by branch first. `low` and `high` are the codes on both sides of a cut.

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
    """Write into the log how many nodes a level has, and how many of them are searched."""
    log.info("level %d: %d nodes, %d of them open", depth, nodes, some)


class Growth(ABC):
    """A tree, or several at once, while it grows.

    Parameters
    ----------
    data : Training
        What comes to the nodes: rows, or cells of a count table as rows of so much weight.
    incoming : NextLevel
        Which of these come to the first level.

    Attributes
    ----------
    levels : list of Nodes
        The levels so far.
    above : int
        How many nodes are in the levels above the one that is described or split.
    incoming : NextLevel
        What comes to the next one.
    by_heuristic : set of int
        The features whose best two groups of values were sought by a heuristic at some node.

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
        """Describe the nodes of the next level, and say which of them are leaves whatever can be asked."""

    @abstractmethod
    def split(self, nodes: Nodes, at: np.ndarray) -> None:
        """Search the open nodes, write into them what each asks, and send down what comes to them."""

    def grow(self) -> Self:
        """Grow level by level until nothing is open."""
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
        """Return the names of the features whose best two groups of values were sought by a heuristic."""
        return tuple(self.data.features[f].name for f in sorted(self.by_heuristic))
