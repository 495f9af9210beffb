"""Growing a regression tree from sums, where the targets are too many to be counted as labels (chapter 25).

A pass counts for each feature only the number of rows and the sum of their targets, in intervals, then value
by value where the best cut can lie. One more pass of a level counts how often each target goes down each
branch, for the mean and the impurity of the next nodes: these are added up in the order of the targets, as in
memory, so that they are rounded alike. So memory holds the distinct targets, but no cell for each value and
target.
"""

from collections.abc import Iterator

import numpy as np

from dtlib.arrays import changes
from dtlib.counting.pairs import Pairs
from dtlib.counting.targets import Totals
from dtlib.out_of_core.cells import Cells
from dtlib.out_of_core.counted import CountedNumbers, Scale
from dtlib.out_of_core.from_counts import CountsByScore
from dtlib.out_of_core.intervals import count_sums
from dtlib.out_of_core.progress import while_doing
from dtlib.out_of_core.streams import Stream
from dtlib.out_of_core.sums import Branches, Distances
from dtlib.table.training import Training


class SumsByScore(CountsByScore):
    """A regression tree that grows from sums, of a source that streams its rows, none with missing values.

    Parameters
    ----------
    counter : Counter
    rules : Rules

    Examples
    --------
    >>> import pandas as pd
    >>> from dtlib import CARTRegressor
    >>> from dtlib.out_of_core import Batches, grow_from
    >>> x = np.arange(90_000.0)
    >>> frame, model = pd.DataFrame({"x": x, "y": np.sin(x) + x}), CARTRegressor(max_depth=2)
    >>> found = grow_from(Batches([frame[:9], frame[9:]], "y"), model).tree_
    >>> found == model.fit(frame[["x"]], frame["y"]).tree_
    True
    """

    def counted(self, own: Cells, scale: Scale, at: np.ndarray) -> Iterator[tuple[int, Training, Cells]]:
        """Yield each feature with the cells of its sums at the open nodes."""
        counter, depth = self.counter, len(self.levels) - 1
        assert isinstance(self.target, CountedNumbers)
        assert isinstance(counter.source, Stream)
        distances, (tree, leaves) = (
            Distances(self.target.values, scale, own),
            counter.open_leaves(self.levels, at),
        )
        cuts = counter.labels.cuts(self.rules)._replace(values=None, sums=True)
        expected = sums_at(own.node, own.rows, distances.of(own.node, own.label), len(at))
        with while_doing(counter.source, f"counting level {depth} of the tree, {len(leaves)} open nodes"):
            found = count_sums(counter.source, tree, leaves, cuts, distances)
        for f, cells in found.items():
            n, s = np.where(cells.label == [[0], [1]], cells.rows, 0)
            there = np.bincount(cells.node, n, len(at)), np.bincount(cells.node, s, len(at))
            counter.require_same(f, depth, np.array_equal(there, expected))
            yield f, counter.one(f, cells), cells

    def pairs(self, cells: Cells, code: np.ndarray, scale: Scale) -> Pairs[Totals]:
        """Return the values that occur at each node with their sums."""
        is_new = changes(cells.node, code)
        first, group = np.flatnonzero(is_new), np.cumsum(is_new) - 1
        n, s = (
            np.bincount(group, np.where(cells.label == k, cells.rows, 0)).astype(np.int64) for k in (0, 1)
        )
        return Pairs(cells.node[first], code[first], Totals(n, [s], n))

    def branches(
        self, kept: dict[int, Cells], feature: np.ndarray, low: np.ndarray, at: np.ndarray
    ) -> dict[int, Cells]:
        """Count how many rows of each target go down each branch."""
        counter, tallies = self.counter, {}
        for f in np.unique(feature).tolist():
            tallies[f] = Branches(low[f] if f in counter.numbers else None, feature == f)
        assert isinstance(counter.source, Stream)
        with while_doing(counter.source, f"counting the branches of level {len(self.levels) - 1}"):
            counter.source.tally(*counter.open_leaves(self.levels, at), tallies)
        return {f: tally.cells() for f, tally in tallies.items()}


def sums_at(node: np.ndarray, rows: np.ndarray, distance: np.ndarray, J: int) -> np.ndarray:
    """Return the number of rows of each node, and the sum of their distances."""
    return np.stack([np.bincount(node, rows, J), np.bincount(node, rows * distance, J)])
