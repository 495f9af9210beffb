"""Numeric features of many values: sorted once, kept in order, scanned (chapter 8).

The rows of a feature lie in the order of its values within each node, so running sums along them are the
sums of the left branches of all cuts. As in SLIQ [1]_, the rows are sorted once, at the start; each level
keeps the order by a stable partition.

References
----------
.. [1] M. Mehta, R. Agrawal, J. Rissanen, "SLIQ: a fast scalable classifier for data mining", EDBT 1996.
"""

from collections.abc import Iterator

import numpy as np

from dtlib.arrays import of_group, offsets
from dtlib.counting.score import PairScores, Scorer
from dtlib.counting.targets import ClassificationTarget
from dtlib.search.absolute_error import absolute_cuts
from dtlib.search.level import BLOCK, Level, Limits
from dtlib.search.monotone import is_allowed
from dtlib.table.training import Training

MANY_CLASSES = 5  # from so many channels on, sums over the classes are made row by row


class Scan:
    """Scores of all cuts of a level, for features whose rows lie in order within each node."""

    def __init__(self, level: Level, scorer: Scorer | None, limits: Limits):
        self.level, self.scorer, self.limits = level, scorer, limits
        self.weight, self.never = level.target.weight, level.too_few(limits)
        self.cuts: tuple[np.ndarray, np.ndarray] | None = None  # codes and scores, kept for a small level
        self.pairs: PairScores | None = None  # if squares of classes are summed row by row
        if scorer is not None and self.weight is None:  # without weights, all features share one scorer
            self.score_cuts = scorer.cuts(level.rows_left, level.at)
            if isinstance(self.score_cuts, PairScores) and len(level.totals.channels) >= MANY_CLASSES:
                self.pairs, self.classes = self.score_cuts, ClassesOfRows(level)

    def scores(self, order: np.ndarray, code: np.ndarray) -> np.ndarray:
        """Score the cut after each row; -inf where no cut is possible. Arrays of shape (features, rows)."""
        level = self.level
        n_left = level.rows_left if self.weight is None else self.weight_left(self.weight, order)
        if self.scorer is None:
            score = absolute_cuts(level, order)
        elif self.pairs is not None:
            score = self.pairs.of_sums(*self.classes.sums(order))
        elif self.weight is None:
            score = self.score_cuts(self.left(order))
        else:
            score = self.scorer.cuts(n_left, level.at)(self.left(order))
        score[..., self.never] = -np.inf
        score[..., :-1][code[..., 1:] == code[..., :-1]] = -np.inf
        if self.weight is not None and self.limits.weight > 0:
            least = self.limits.least(level.target)
            score[(n_left < least) | (level.at.n - n_left < least)] = -np.inf
        return score

    def allows(self, order: np.ndarray, direction: np.ndarray | int) -> np.ndarray:
        """Tell which cuts after each row of a line a monotonic constraint allows."""
        (left,) = self.left(order)
        n_left = self.level.rows_left if self.weight is None else self.weight_left(self.weight, order)
        return is_allowed(self.level, direction, n_left, left)

    def weight_left(self, weight: np.ndarray, order: np.ndarray) -> np.ndarray:
        """Return the weight of the rows of a node up to each position."""
        running = np.cumsum(np.take(weight, order), axis=-1, dtype=np.int64)
        running -= self.level.weight_before
        return running

    def left(self, order: np.ndarray) -> Iterator[np.ndarray]:
        """Yield the sums of each channel over the rows of a node up to each position."""
        for channel, before in zip(self.level.target.channels(order), self.level.before, strict=True):
            running = np.cumsum(channel, axis=-1, dtype=self.level.target.sum_type)
            running -= before
            yield running


class ClassesOfRows:
    """Sums over the classes on the left of cuts, row by row, so that time does not grow with their number.

    The row of a class of which c are on its left adds (c + 1)² - c² = 2 c + 1 to Σ c², and C, of which its
    node has that many, to Σ c C. A stable sort by class shows c: how many of them come before it.

    Examples
    --------
    >>> from dtlib.table.columns import Column
    >>> y = Column("y", ("a", "b", "c"), np.array([2, 1, 2, 0]))
    >>> target = ClassificationTarget([y], None, "gini")
    >>> totals = target.totals(target.gather(np.arange(4)), np.array([0, 0, 0, 1]), 2)
    >>> level = Level(target, np.arange(4), totals, np.zeros(2))
    >>> ClassesOfRows(level).sums(np.array([[0, 1, 2, 3]]))  # of squares: 1, 1 + 1, 4 + 1; the next node: 1
    (array([[1, 2, 5, 1]]), array([[2, 3, 5, 1]]))
    """

    def __init__(self, level: Level):
        totals, target = level.totals, level.target
        assert isinstance(target, ClassificationTarget)
        first = totals.n - np.sum(totals.channels, axis=0)
        in_class = np.stack([first, *totals.channels]).astype(np.int64)
        self.label, self.size, self.node = target.labels[0], in_class.ravel(), level.node
        self.start, self.J = offsets(self.size), len(totals.n)
        self.before = of_group(offsets((in_class**2).sum(0)), level.node)  # both sums end at Σ C²

    def sums(self, order: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return Σ c² and Σ c C of the rows of a node up to each position, for lines of rows."""
        label = self.label.take(order)
        by_class, place = np.argsort(label, axis=-1, kind="stable"), np.empty(order.shape, np.intp)
        np.put_along_axis(place, by_class, np.arange(order.shape[-1])[None], axis=-1)
        cell = label * np.intp(self.J)
        cell += self.node
        place -= self.start.take(cell)
        place *= 2
        place += 1
        here, crossed = (np.cumsum(x, axis=-1) for x in (place, self.size.take(cell)))
        here -= self.before
        crossed -= self.before
        return here, crossed


class SortedRows:
    """The rows of the sorted features, one line for each: by node, and within a node by value."""

    def __init__(self, data: Training, gap: float = 0.0, monotonic: tuple[int, ...] = ()):
        self.codes, self.numbers, self.gap = data.codes, data.numbers, gap
        self.close = {f for f, x in data.numbers.items() if gap and too_close(x[:-1], x[1:], gap).any()}
        self.direction = np.array(monotonic)
        d, n = data.codes.shape
        self.lines, self.m = np.empty((d, n), np.int32), n
        self.features: list[int] = []
        for f, rows in data.order.items():
            self.lines[len(self.features)] = rows
            self.features.append(f)
        self.side = np.empty(n, np.int8)

    def add(self, level: Level, f: int) -> None:
        """Sort the rows of a feature within each node of a level; so far the feature was counted."""
        code = np.take(self.codes[f], level.rows)
        V = int(code.max()) + 1
        if V * len(level.size) < 1 << 31:  # node, code and row are packed into one int64, to be sorted as one
            key = (level.node * V + code) << 32 | level.rows
            key.sort()
            rows = key & 0xFFFFFFFF
        else:
            rows = level.rows[np.lexsort((code, level.node))]
        self.lines[len(self.features), : len(rows)] = rows
        self.features.append(f)
        self.m = len(rows)

    def part(self, level: Level, branch: np.ndarray) -> None:
        """Bring the rows of each line into the order of a new level; drop the rows that are in no open node.

        Parameters
        ----------
        level : Level
            The new level: its nodes are ordered by branch, then by the node above.
        branch : int ndarray
            The branch, 0 or 1, that each row of the new level took.
        """
        if not self.features or (len(branch) == self.m and not branch.any()):  # no lines, or this is the root
            return
        m = len(level.rows)
        self.side.fill(-1)  # rows that left the tree are in neither branch
        self.side[level.rows] = branch
        first, step = m - np.count_nonzero(branch), max(1, BLOCK // self.m)
        for a in range(0, len(self.features), step):
            rows = self.lines[a : min(a + step, len(self.features)), : self.m]
            side, flat = self.side.take(rows).ravel(), rows.ravel()
            left, right = flat.compress(side == 0), flat.compress(side == 1)
            rows[:, :first], rows[:, first:m] = left.reshape(len(rows), -1), right.reshape(len(rows), -1)
        self.m = m

    def search(self, level: Level, scan: Scan) -> np.ndarray:
        """Return the score of the best cut of each sorted feature at each node, shape (features, nodes)."""
        best, step = np.empty((len(self.features), len(level.size))), max(1, BLOCK // self.m)
        for a in range(0, len(best), step):
            features = self.features[a : a + step]
            rows = self.lines[a : a + len(features), : self.m].astype(np.intp)  # the type that indexing needs
            start = np.array(features)[:, None] * np.intp(self.codes.shape[1])
            code = self.codes.take(rows + start)
            score = self.scores(scan, rows, code, features)
            # the rows of a node are contiguous, so one reduceat over their starts serves all nodes
            best[a : a + step] = np.maximum.reduceat(score, level.start, axis=1)
            if step >= len(best):
                scan.cuts = code, score
        return best

    def cuts(
        self, level: Level, scan: Scan, feature: np.ndarray, best: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the codes on both sides of each node's lowest best cut; -1 if its feature is not sorted."""
        line = np.full(len(self.codes), -1)
        line[self.features] = np.arange(len(self.features))
        line = line[feature]
        code, score = self.scored(level, scan, feature, np.maximum(line, 0))
        least = np.where(line < 0, np.inf, best - level.slack)
        # from the last to the first: the lowest of equal cuts is written last, and stays
        hit = np.flatnonzero(score >= of_group(least, level.node))[::-1]
        low, high = np.full((2, len(feature)), -1)
        low[level.node[hit]] = code[hit]
        high[level.node[hit]] = code[np.minimum(hit + 1, self.m - 1)]
        return low, high

    def scored(
        self, level: Level, scan: Scan, feature: np.ndarray, line: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the codes of each node's feature along its line, and the score of the cut after each row."""
        every = np.arange(self.m)
        if scan.cuts is not None:
            place = of_group(line * self.m, level.node) + every
            code, score = scan.cuts
            return code.take(place), score.take(place)
        n = np.intp(self.codes.shape[1])
        rows = self.lines.take(of_group(line * n, level.node) + every)[None]
        code = self.codes.take(of_group(feature * n, level.node) + rows)
        score = scan.scores(rows, code)[0]
        if len(self.direction):
            score[~scan.allows(rows[0], self.direction[of_group(feature, level.node)])] = -np.inf
        return code[0], self.distinct_neighbors_of(score, code[0], feature, level.node)

    def scores(self, scan: Scan, rows: np.ndarray, code: np.ndarray, features: list[int]) -> np.ndarray:
        """Score the cuts of some features; one between values too close, or against a constraint, -inf."""
        score = scan.scores(rows, code)
        for line, f in enumerate(features if len(self.direction) else ()):
            if self.direction[f]:
                score[line][~scan.allows(rows[line], self.direction[f])] = -np.inf
        for line, f in enumerate(features):
            self.distinct_neighbors(score[line], code[line], f)
        return score

    def distinct_neighbors(self, score: np.ndarray, code: np.ndarray, f: int) -> np.ndarray:
        """Set the scores of cuts between values no further apart than the gap to -inf; return them."""
        if f in self.close:
            x = self.numbers[f].take(code)
            score[:-1][too_close(x[:-1], x[1:], self.gap)] = -np.inf
        return score

    def distinct_neighbors_of(
        self, score: np.ndarray, code: np.ndarray, feature: np.ndarray, node: np.ndarray
    ) -> np.ndarray:
        """Do as `distinct_neighbors`, where each node has a feature of its own."""
        for f in self.close.intersection(feature.tolist()):
            here = np.flatnonzero(feature.take(node) == f)
            score[here] = self.distinct_neighbors(score[here], code[here], f)
        return score


def too_close(a: np.ndarray, b: np.ndarray, gap: float) -> np.ndarray:
    """Tell which values b exceed a by at most the gap, computed in the precision of a, as in scikit-learn.

    Examples
    --------
    >>> too_close(np.array([1.0, 1.0]), np.array([1.0 + 1e-8, 1.1]), 1e-7)
    array([ True, False])
    """
    return b <= a + a.dtype.type(gap)
