"""Growing from counts alone: the rows stay where they are (chapter 20)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from dtlib.growing import by_ratio as fractional
from dtlib.growing import by_score as by_score
from dtlib.growing.by_score import target_of
from dtlib.growing.nodes import Children, Nodes
from dtlib.growing.sources import Cells, Source, add
from dtlib.search.level import Level
from dtlib.search.ratio import Candidates, Entries, averaged, choose, measure
from dtlib.search.rules import Rules
from dtlib.search.searcher import Found, Searcher
from dtlib.table.columns import Column, narrowed
from dtlib.table.ranks import rank_known
from dtlib.table.training import Training
from dtlib.tree import reasons
from dtlib.tree.edit import collapse
from dtlib.tree.tree import Tree


class Reached(NamedTuple):
    """What is known of a level before anything is counted there: the classes of each node, as cells."""

    node: np.ndarray
    label: np.ndarray
    count: np.ndarray
    branch: np.ndarray
    place: np.ndarray  # of each node in the level


class Growing:
    """A tree that grows from counts.

    Parameters
    ----------
    source : Source
    like : Tree
        With the features and the classes.
    rules : Rules or RatioRules
    table : int ndarray of shape (K,)
        The rows of each class.
    """

    def __init__(self, source: Source, like: Tree, rules: Any, table: np.ndarray):
        self.source, self.like, self.rules = source, like, rules
        self.target = Column(like.outputs[0].name, like.classes, np.arange(len(table)))
        self.total, self.levels, self.first = int(table.sum()), [], 0
        numeric = [f for f, feature in enumerate(like.features) if feature.kind == "numeric"]
        self.numbers = {f: np.empty(0) for f in numeric}  # those on either side of each cut
        nowhere = np.zeros(len(table), np.intp)
        self.reached = Reached(nowhere, self.target.codes, table, nowhere, np.zeros(1, np.intp))

    def tree(self) -> Tree:
        """Grow level by level, and return the tree."""
        while len(self.reached.place):
            nodes = self.describe()
            self.levels.append(nodes)
            at = np.flatnonzero(nodes.stop == 0)
            if getattr(self.rules, "verbose", False):
                print(f"level {len(self.levels) - 1}: {len(nodes.stop)} nodes, {len(at)} of them open")
            if not len(at):
                break
            self.search(nodes, at)
            self.first += len(nodes.stop)
        return self.finished(self.grown())

    def grown(self) -> Tree:
        """Return the tree so far: its lowest nodes are leaves."""
        data = self.data(np.empty(0, np.int32), self.target.codes[:0], np.empty(0))
        (tree,) = by_score.join(self.levels, data, self.rules.criterion, getattr(self.rules, "below", False))
        missing = self.rules.missing if self.rules.missing in ("stay", "majority") else "error"
        return replace(tree, training=None, missing=missing, single=self.like.single)

    def data(self, code: np.ndarray, label: np.ndarray, count: np.ndarray) -> Training:
        """Return cells as training data, each with one code: that of whatever its node asks."""
        target = replace(self.target, codes=label)
        codes = np.broadcast_to(code, (len(self.like.features), len(code)))
        return Training(self.like.features, codes, (target,), count.astype(float), dict(self.numbers))

    def counted(self, nodes: Nodes, at: np.ndarray) -> Iterator[tuple[int, Cells]]:
        """Yield each feature with its cells at the open nodes; require that they have the rows expected."""
        open_nodes, K = (self.first + nodes.place[at]).tolist(), len(self.target.values)
        for f, cells in self.source.count(self.grown(), open_nodes, range(len(self.like.features))):
            table = np.bincount(cells.node * K + cells.label, cells.count, len(at) * K).reshape(-1, K)
            if not np.array_equal(table, nodes.summary[at]):
                raise ValueError(
                    f"the counts of {self.like.features[f].name!r} at depth {len(self.levels) - 1} are not "
                    f"those of the level above: the data changed, or the source sends rows to other nodes"
                )
            yield f, cells

    def one(self, f: int, cells: Cells, at: int = 0) -> Training:
        """Return the cells of a feature as training data with this one only, its numbers at this place."""
        feature, code, numbers = self.like.features[f], cells.value, {}
        if feature.kind == "numeric":
            x = narrowed(code, feature.name) if self.like.single else code
            code, numbers[at], _ = rank_known(x)
        target = replace(self.target, codes=cells.label)
        return Training(
            (feature,), code[None].astype(np.int32), (target,), cells.count.astype(float), numbers
        )

    def winners(
        self, nodes: Nodes, at: np.ndarray, kept: dict[int, Cells], low: np.ndarray, high: np.ndarray
    ) -> tuple[Cells, np.ndarray, np.ndarray]:
        """Return the cells of what each node asks, and the codes on either side of its cut.

        Parameters
        ----------
        nodes, at
            As in `decide`.
        kept : dict
            The cells of each feature; of numbers, only on which side of the cut they are.
        low, high : ndarray of shape (features, open nodes)
            The numbers, or the codes of the names in an order, on either side of the cut.
        """
        feature, parts = nodes.feature[at], []
        below, above = np.full((2, len(at)), -1)
        for f, cells in kept.items():
            mine = np.flatnonzero(feature == f)
            cells = cells.take(np.flatnonzero(feature[cells.node] == f))
            if f in self.numbers:
                below[mine] = len(self.numbers[f]) + 2 * np.arange(len(mine))
                above[mine] = below[mine] + 1
                pairs = np.stack([low[f, mine], high[f, mine]], axis=1).ravel()
                self.numbers[f] = np.concatenate([self.numbers[f], pairs])
                code = np.where(cells.value < 0, -1, below[cells.node] + cells.value)
                cells = cells._replace(value=code)
            else:
                below[mine], above[mine] = low[f, mine], high[f, mine]
            parts.append(cells)
        return add(*parts), below, above


def cut(
    data: Training, cells: Cells, low: np.ndarray, high: np.ndarray
) -> tuple[Cells, np.ndarray, np.ndarray]:
    """Return what is to be kept of a feature: its cells, and what is on either side of each node's cut.

    Of numbers that is little: how many rows of each class are up to the cut (value 0) and above it (1), or
    miss the value (-1); and the two numbers.
    """
    if 0 not in data.numbers:
        return cells, low, high
    code, x = data.codes[0], np.append(data.numbers[0], np.nan)
    side = np.where(code < 0, -1, (code > low[cells.node]).astype(np.intp))
    return add(cells._replace(value=side)), x[low].astype(float), x[high].astype(float)


class ByScore(Growing):
    """Grows as `by_score` does: the split with the best score."""

    def __init__(self, source: Source, like: Tree, rules: Rules, table: np.ndarray):
        rows = rules.min_leaf_rows if rules.min_leaf_rows > 1 else 0
        split, leaf = max(rules.min_split, rules.min_split_rows), max(rules.min_leaf, rows)  # a row weighs 1
        rules = replace(rules, min_split=split, min_leaf=leaf, min_split_rows=1, min_leaf_rows=1)
        super().__init__(source, like, rules, table)

    def describe(self) -> Nodes:
        """Describe the nodes of a level."""
        r = self.reached
        data = self.data(np.zeros(len(r.node), np.int32), r.label, r.count)
        target, rows = target_of(data, self.rules), np.arange(len(r.node))
        totals = target.totals(target.gather(rows), r.node, len(r.place))
        below = Children(rows, r.node, r.branch, r.place)
        return by_score.describe(target, below, totals, len(self.levels), self.rules)

    def search(self, nodes: Nodes, at: np.ndarray) -> None:
        """Count, choose, write the answers into the nodes, and send the cells down."""
        shape, kept, splits = (len(self.like.features), len(at)), {}, {}
        score, low, high = np.full(shape, -np.inf), *np.full((2, *shape), np.nan)
        for f, cells in self.counted(nodes, at):
            data = self.one(f, cells)
            level, found = self.best(data, cells, nodes, at)
            score[f] = found.score
            kept[f], low[f], high[f] = cut(data, cells, found.low, found.high)
            if found.splits:
                splits[f] = found.splits[0]
        best = score.max(0)
        feature = (score >= best - level.slack).argmax(0)
        self.send(Found(best, feature, low, high, splits), level, nodes, at, kept)

    def best(self, data: Training, cells: Cells, nodes: Nodes, at: np.ndarray) -> tuple[Level, Found]:
        """Find the best split of one feature at each open node."""
        target, rows, J = target_of(data, self.rules), np.arange(len(cells.node)), len(at)
        totals = target.totals(target.gather(rows), cells.node, J)
        searcher = Searcher(data, target, self.rules)
        torn = searcher.search_torn(rows, totals.rows)
        level = Level.opened(target, rows, totals, nodes.impurity[at], nodes.summary[at])
        return level, searcher.search(level, np.zeros(len(rows), np.intp), np.arange(J), torn)

    def send(self, found: Found, level: Level, nodes: Nodes, at: np.ndarray, kept: dict[int, Cells]) -> None:
        """Decide what each node asks, and send the cells of what it asks to the next level."""
        by_score.decide(found, level, nodes, at, self.rules, self.total)
        cells, low, high = self.winners(nodes, at, kept, found.low, found.high)
        found = found._replace(low=low, high=high)
        rows, j = np.arange(len(cells.node)), (np.cumsum(nodes.feature[at] >= 0) - 1)[cells.node]
        data = self.data(cells.value, cells.label, cells.count)
        sent = by_score.answer(data, found, nodes, at, rows, j, cells.value)
        sent = by_score.with_holes(data, sent, self.rules.missing, self.total)
        below = by_score.children(sent.rows, sent.node, sent.branch, sent.branches, sent.place)
        label, count = cells.label[below.rows], cells.count[below.rows]
        self.reached = Reached(below.node, label, count, below.branch, below.place)

    def finished(self, tree: Tree) -> Tree:
        """Return the tree with no more leaves than asked for."""
        leaves = self.rules.max_leaf_nodes
        return tree if leaves is None else by_score.best_first(tree, leaves)


class ByRatio(Growing):
    """Grows as `by_ratio` does, with C4.5's rules: the best gain ratio where the gain is enough."""

    def describe(self) -> Nodes:
        """Describe the nodes of a level."""
        r, J, K = self.reached, len(self.reached.place), len(self.target.values)
        self.table = np.bincount(r.label * J + r.node, r.count, J * K).reshape(K, J)
        last, least = len(self.levels) == self.rules.max_depth, 2 * max(self.rules.min_leaf, 1.0)
        return fractional.describe(r.place, self.table, least, last, self.rules)

    def search(self, nodes: Nodes, at: np.ndarray) -> None:
        """Count, choose, write the answers into the nodes, and send the cells down."""
        (low, high), lines, kept, groups = np.empty((2, len(self.like.features), len(at))), [], {}, {}
        for f, cells in self.counted(nodes, at):
            data = self.one(f, cells)
            found = measure(self.entries(cells, at), data, self.rules)
            lines.append(found)
            kept[f], low[f], high[f] = cut(data, cells, found.low[0], found.high[0])
            if found.groups:
                groups[f] = found.groups[0]
        found = Candidates(
            *(np.concatenate(x) for x in zip(*(line[:-1] for line in lines), strict=True)), groups
        )
        self.send(found, low, high, nodes, at, kept)

    def entries(self, cells: Cells, at: np.ndarray) -> Entries:
        """Return cells as entries of the open nodes."""
        count = cells.count.astype(float)
        return Entries(np.arange(len(cells.node)), cells.node, count, cells.label, self.table[:, at])

    def send(
        self,
        found: Candidates,
        low: np.ndarray,
        high: np.ndarray,
        nodes: Nodes,
        at: np.ndarray,
        kept: dict[int, Cells],
    ) -> None:
        """Choose what each node asks, and send the cells of what it asks to the next level."""
        counts = averaged(
            self.data(np.zeros(1, np.int32), np.zeros(1, np.intp), np.array([self.total])), self.rules
        )
        chosen = choose(found, counts, self.rules)
        nodes.feature[at] = chosen
        cells, low, high = self.winners(nodes, at, kept, low, high)
        split = np.flatnonzero(chosen >= 0)
        found.low[chosen[split], split], found.high[chosen[split], split] = low[split], high[split]
        fractional.decide(found, chosen, nodes, at, self.rules)
        data, unit = self.data(cells.value, cells.label, cells.count), fractional.finest(self.total)
        below = fractional.route(data, self.entries(cells, at), nodes, at, found, unit, self.rules)
        branch = np.zeros(len(below.row), np.intp)
        self.reached = Reached(below.node, cells.label[below.row], below.weight, branch, below.place)

    def finished(self, tree: Tree) -> Tree:
        """Return the tree with the thresholds and the leaves that the rules want."""
        if self.rules.threshold == "value":
            tree = self.at_values(tree)
        return tree if self.rules.collapse is None else fractional.collapsed(tree, self.rules.collapse)

    def at_values(self, tree: Tree) -> Tree:
        """Lower each threshold to the largest number of the data not above it: one more pass."""
        asked = [f for f in self.numbers if (tree.feature == f).any()]
        root = collapse(tree, np.flatnonzero(tree.feature[:1] >= 0), reasons.COLLAPSED)
        for f, cells in self.source.count(root, [0], asked):
            tree = fractional.at_values(tree, self.one(f, cells, at=f), self.rules.single)
        return tree
