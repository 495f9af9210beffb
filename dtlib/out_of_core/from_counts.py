"""Growing from counts alone: the rows stay where they are (chapter 25).

A cell of a count table stands for all rows with the same value and the same label, and has their weight. Only
integers are compared, so the tree is that of the rows in memory, to the last bit.

>>> from dtlib import CARTRegressor
>>> from dtlib.datasets import load_regression_points
>>> from dtlib.out_of_core import Batches, grow_from
>>> points = load_regression_points()
>>> found = grow_from(Batches([points.frame.head(4), points.frame.tail(6)], points.target), CARTRegressor())
>>> found.tree_ == CARTRegressor().fit(points.X, points.y).tree_
True
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from dtlib.arrays import numbered
from dtlib.counting.pairs import Pairs
from dtlib.counting.targets import Totals
from dtlib.growing.by_ratio import ByRatio, at_values, collapsed
from dtlib.growing.by_score import ByScore, answer
from dtlib.growing.loop import Growth
from dtlib.growing.missing import route_missing, weight_quantum
from dtlib.growing.nodes import NextLevel, Nodes, Routed, best_first, children
from dtlib.out_of_core.both_sides import BothSides
from dtlib.out_of_core.cells import Cells, Source
from dtlib.out_of_core.counted import CountedTarget, Scale, by_label, pairs_of
from dtlib.out_of_core.counter import Counter, at_nodes, sides
from dtlib.out_of_core.part_weights import PartWeights
from dtlib.out_of_core.progress import while_doing
from dtlib.out_of_core.small_nodes import finish_small
from dtlib.out_of_core.streams import Stream
from dtlib.out_of_core.tallies import Beside, Tally
from dtlib.search.by_order import too_close
from dtlib.search.by_table import BestCuts, BestGroups, best_groups, cut_pairs
from dtlib.search.level import Level, Limits
from dtlib.search.random_keys import root_key
from dtlib.search.ratio import (
    Candidates,
    FractionalRows,
    Groups,
    best_of_listed,
    choose,
    list_cuts,
    measure_all,
)
from dtlib.search.rules import RatioRules, Rules
from dtlib.search.searcher import BestSplits, sample_features
from dtlib.table.training import Training
from dtlib.tree import reasons
from dtlib.tree.edit import collapse
from dtlib.tree.tree import Tree

NO_ROWS = np.empty(0, np.intp)


class CountsByScore(ByScore):
    """A tree that grows from counts by the split with the best score.

    Parameters
    ----------
    counter : Counter
    rules : Rules
    """

    target: CountedTarget

    def __init__(self, counter: Counter, rules: Rules):
        self.counter, self.rules, self.labels = counter, rules, counter.labels
        self.cells, self.small = self.labels.root(), list[int]()
        self.lost: list[np.ndarray] = []  # the gain that each node may lose by counting in bins
        incoming = NextLevel.root(np.arange(len(self.cells.node)))
        if rules.max_features is not None:
            incoming = incoming._replace(key=root_key(rules.seed))
        Growth.__init__(self, counter.data(self.cells), incoming)
        self.target = self.labels.target(rules.criterion)
        self.total, self.limits = self.data.total_weight, Limits(rules.min_leaf, rules.min_leaf_rows)
        assert self.target.scorer is not None  # as criteria that need rows are refused
        self.scorer = self.target.scorer

    def describe(self) -> Nodes:
        """Describe the nodes of the next level; mark those that are leaves whatever splits there are."""
        incoming, J = self.incoming, len(self.incoming.place)
        cells = self.cells.take(incoming.rows)._replace(node=incoming.node)
        self.own = by_label(cells, len(self.labels.column.values))
        self.totals, *found = self.target.described(self.own, J)
        nodes = self.described(*found)
        few = (nodes.stop == 0) & (self.totals.rows <= self.counter.rows_in_memory)
        self.small += sorted((self.above + nodes.place[few]).tolist())
        nodes.stop[few] = reasons.code_of(reasons.SMALL)  # until they are finished
        self.lost.append(np.zeros(J))
        return nodes

    def split(self, nodes: Nodes, at: np.ndarray) -> None:
        """Count each feature, and choose the split of each open node."""
        own, key = at_nodes(self.own, at), None if self.incoming.key is None else self.incoming.key[at]
        scale = self.target.scale(own, len(at), nodes.summary[at])
        totals = self.target.sums(own, scale, own.node, len(at))
        level = Level.centered(self.target, NO_ROWS, totals, nodes.impurity[at], scale.unit)
        shape, kept = (len(self.data.features), len(at)), dict[int, Cells]()
        splits: dict[int, BestGroups] = {}
        score, low, high = np.full(shape, -np.inf), *np.full((2, *shape), np.nan)
        for f, data, cells in self.counted(own, scale, at):
            cut, groups = self.best(data, cells, level, scale)
            score[f] = cut.score
            binned = self.counter.binned
            at_end = binned is not None and f in binned.ends
            kept[f], low[f], high[f] = sides(data, cells, cut.low, cut.high, at_end)
            splits |= {} if groups is None else {f: groups}
        if key is not None:
            sample_features(score, key, self.rules.max_features, self.rules.feature_of)
        best = score.max(0)
        feature = (score >= best - level.slack).argmax(0)
        if self.counter.binned is not None:
            gained = np.maximum(best, 0) * level.unit
            more = np.maximum(self.counter.binned.inside - gained, 0) / nodes.n[at]
            self.lost[-1][nodes.place[at]] = more
        kept = self.branches(kept, feature, low, at)
        self.take(BestSplits(best, feature, low, high, splits), kept, level, nodes, at)

    def counted(self, own: Cells, scale: Scale, at: np.ndarray) -> Iterator[tuple[int, Training, Cells]]:
        """Yield each feature with its cells at the open nodes."""
        return self.counter.count(self.levels, at, own)

    def branches(
        self, kept: dict[int, Cells], feature: np.ndarray, low: np.ndarray, at: np.ndarray
    ) -> dict[int, Cells]:
        """Return the cells of the branches of the best splits, given the largest values of left branches."""
        return kept

    def pairs(self, cells: Cells, code: np.ndarray, scale: Scale) -> Pairs[Totals]:
        """Return the values that occur at each node with their sums."""
        return pairs_of(self.target, cells, code, scale)

    def take(
        self, found: BestSplits, kept: dict[int, Cells], level: Level, nodes: Nodes, at: np.ndarray
    ) -> None:
        """Write the splits into the nodes, and send the cells down."""
        self.decide(found, level, nodes, at)
        self.cells, low, high = self.counter.chosen_cells(nodes.feature[at], kept, found.low, found.high)
        does_split = nodes.feature[at] >= 0
        rows, j = np.arange(len(self.cells.node)), numbered(does_split)[self.cells.node]
        self.data, found = self.counter.data(self.cells), found._replace(low=low, high=high)
        routed = answer(self.data, found, nodes, at, rows, j, self.cells.value)
        routed = route_missing(self.data, routed, self.rules.missing, weight_quantum(self.total))
        key = self.incoming.key
        self.incoming = children(routed if key is None else routed._replace(key=key[at][does_split]))

    def best(
        self, data: Training, cells: Cells, level: Level, scale: Scale
    ) -> tuple[BestCuts, BestGroups | None]:
        """Find the best split of one feature at each open node, by the rows whose value is known."""
        code, J = data.codes[0], len(level.size)
        known = np.flatnonzero(code >= 0)
        if len(known) == len(code):
            return self.search(data, cells, level, scale)
        size = np.bincount(cells.node[known], minlength=J)
        present, cells = np.flatnonzero(size), cells.take(known)
        cells = cells._replace(node=numbered(size > 0)[cells.node])
        own = by_label(cells, len(self.labels.column.values))
        found = self.target.described(own, len(present))
        scale = self.target.scale(own, len(present), found.summary)
        totals = self.target.sums(own, scale, own.node, len(present))
        here = Level.centered(self.target, NO_ROWS, totals, found.impurity, scale.unit)
        data = replace(data, values=data.values.coded.take(known))
        at, groups = self.search(data, cells, here, scale)
        score, low, high = np.full(J, -np.inf), *np.full((2, J), -1)
        score[present], low[present], high[present] = at.score * here.unit, at.low, at.high
        if groups is not None:
            pairs = groups.pairs._replace(node=present[groups.pairs.node])
            groups = groups._replace(pairs=pairs)
        return BestCuts(score / level.unit, low, high), groups

    def search(
        self, data: Training, cells: Cells, level: Level, scale: Scale
    ) -> tuple[BestCuts, BestGroups | None]:
        """Find the best split of a feature without missing values."""
        code, none = data.codes[0], np.full(len(level.size), -1)
        if not len(code):
            return BestCuts(np.empty(0), none, none), None
        pairs = self.pairs(cells, code, scale)
        if data.features[0].kind == "nominal":
            groups = best_groups(self.rules.nominal, level, pairs, self.scorer, self.limits)
            return BestCuts(groups.score, none, none), groups
        score = cut_pairs(level, pairs, self.scorer, self.limits)
        if self.rules.gap and 0 in data.numbers:
            x = data.numbers[0][pairs.code]
            score[:-1][too_close(x[:-1], x[1:], self.rules.gap)] = -np.inf
        best, first = level.best(pairs.node, score)
        return BestCuts(best, pairs.code[first], pairs.code[np.minimum(first + 1, len(score) - 1)]), None

    def tree(self) -> Tree:
        """Return the tree that has grown, with at most `max_leaf_nodes` leaves."""
        leaves, source = self.rules.max_leaf_nodes, self.counter.source
        tree = replace(self.counter.tree(self.levels), heuristic_features=self.heuristic_features())
        if isinstance(source, BothSides):
            tree = source.told_apart(tree)
        if self.small:
            assert isinstance(source, Stream)
            tested = replace(tree, outputs=self.counter.like.outputs)
            with while_doing(source, f"fetching the rows of {len(self.small)} small nodes"):
                tree = finish_small(tree, self.small, tested, source, self.rules, self.labels.column)
        return tree if leaves is None else best_first(tree, leaves)

    def gain_lost(self) -> np.ndarray:
        """Return how much more a cut inside a bin could gain at each node, at most, in the unit of `gain`."""
        lost, leaves = np.concatenate(self.lost), self.rules.max_leaf_nodes
        if leaves is None:
            return lost
        return best_first(replace(self.counter.tree(self.levels), impurity=lost), leaves).impurity


class CountsByRatio(ByRatio):
    """A tree that grows from counts by the best gain ratio where the gain is enough.

    Cells are sent down, each with the weight of one of its rows: all rows of a cell whose value is missing
    are divided alike.

    Parameters
    ----------
    counter : Counter
    rules : RatioRules
    in_parts : bool
        Whether rows with missing values are divided.
    others : tuple of Source and int, optional
        Held-out rows whose values count, and their number.
    """

    def __init__(
        self, counter: Counter, rules: RatioRules, in_parts: bool = False,
        others: tuple[Source, int] | None = None,
    ):  # fmt: skip
        self.counter, self.cells, self.in_parts = counter, counter.labels.root(), in_parts
        self.sources = [counter.source, *([] if others is None else [others[0]])]
        m, rows = len(self.cells.node), int(self.cells.rows.sum()) + (0 if others is None else others[1])
        data = replace(counter.data(self.cells), whole=(rows, float(rows)))
        super().__init__(
            data, rules, NextLevel.root(np.arange(m), np.ones(m)), weight_quantum(data.total_weight)
        )
        self.least = 2 * max(rules.min_leaf, 1.0)
        self.answered = list[np.ndarray]()  # weight of known rows that came to each node, by level

    @property
    def weight(self) -> np.ndarray:
        """The weight of each entry that comes to the next level, over all its (fractional) rows."""
        return super().weight * self.cells.rows[self.incoming.rows]

    def describe(self) -> Nodes:
        """Describe the nodes of the next level; mark those that are leaves whatever splits there are."""
        nodes, incoming = super().describe(), self.incoming
        is_answer, weight = self.data.codes[0][incoming.rows] >= 0, np.zeros(len(nodes.n))
        weight[nodes.place] = np.bincount(incoming.node, is_answer * self.weight, len(nodes.n))
        self.answered.append(weight)
        return nodes

    def split(self, nodes: Nodes, at: np.ndarray) -> None:
        """Count, choose, write the splits into the nodes, and send the cells down."""
        low, high = np.empty((2, len(self.data.features), len(at)))
        lines, kept, groups = [], dict[int, Cells](), dict[int, Groups]()
        own = self.expected(nodes.stop == 0)
        for f, data, cells in self.counter.count(self.levels, at, own, self.answered):
            found = self.measured(f, data, self.entries(cells, at))
            lines.append(found.columns)
            kept[f], low[f], high[f] = sides(data, cells, found.low[0], found.high[0])
            groups |= {f: found.groups[0]} if found.groups else {}
        found = Candidates._make([*map(np.concatenate, zip(*lines, strict=True)), groups])
        chosen = choose(found, self.averaged, self.rules)
        self.cells, low, high = self.counter.chosen_cells(chosen, kept, low, high)
        split = np.flatnonzero(chosen >= 0)
        found.low[chosen[split], split], found.high[chosen[split], split] = low[split], high[split]
        self.decide(found, chosen, nodes, at)
        self.data = self.counter.data(self.cells)
        self.send(self.entries(self.cells, at), found, nodes, at)

    def measured(self, f: int, data: Training, entries: FractionalRows) -> Candidates:
        """Measure a feature at the open nodes, given its cells as entries."""
        tries, numbers = self.counter.thresholds.get(f), None
        if tries is not None:
            cuts = list_cuts(entries, data.codes[0], [data.numbers[0]], self.rules)
            best = best_of_listed(cuts, tries, self.rules)
            numbers = Candidates._make([*(x[None] for x in best.columns), {}])
        return measure_all(entries, data, self.rules, numbers)

    def expected(self, is_open: np.ndarray) -> Cells:
        """Return the number of rows of each label that must be at the open nodes, in any feature."""
        keep = is_open[self.incoming.node]
        place, node = self.incoming.rows[keep], numbered(is_open)[self.incoming.node[keep]]
        label, K = self.data.targets[0].codes[place], len(self.data.targets[0].values)
        if self.in_parts:
            assert self.incoming.weight is not None
            each = self.incoming.weight[keep]
            self.counter.parts = parts = PartWeights(node, each, self.unit)
            label, K = label + K * parts.place(node, each), K * parts.most
        return by_label(Cells(node, np.zeros(len(node)), label, self.cells.rows[place]), K)

    def entries(self, cells: Cells, at: np.ndarray) -> FractionalRows:
        """Return cells as entries of the open nodes."""
        weight, label = self.counter.weigh(cells), self.counter.label(cells).codes
        return FractionalRows(
            np.arange(len(cells.node)), cells.node, weight, label, self.table[:, at], cells.rows
        )

    def with_parts(self, routed: Routed) -> Routed:
        """Send on the entries whose value is missing: each of their rows alike."""
        rows = self.cells.rows[routed.rows]
        assert routed.weight is not None
        routed = routed._replace(weight=routed.weight / rows)  # exactly, as it was multiplied
        return route_missing(self.data, routed, self.rules.missing, self.unit, rows)

    def tree(self) -> Tree:
        """Return the tree that has grown, with the thresholds and the leaves that the rules want."""
        tree = self.counter.tree(self.levels)
        if self.rules.dialect.threshold == "value":
            tree = self.at_values(tree)
        return tree if self.rules.dialect.collapse is None else collapsed(tree, self.rules.dialect.collapse)

    def at_values(self, tree: Tree) -> Tree:
        """Lower each threshold to the largest value in the data not above it: one more pass."""
        tested: Sequence[int] = [f for f in self.counter.numbers if (tree.feature == f).any()]
        root = collapse(tree, np.flatnonzero(tree.feature[:1] >= 0), reasons.COLLAPSED)
        self.counter.parts, numbers, single = None, dict[int, np.ndarray](), self.rules.dialect.is_single
        for source in self.sources:
            for f, cells in beside(source, tree, root, tested, single):
                x = self.counter.one(f, cells, at=f).numbers[f]
                numbers[f] = np.union1d(numbers.get(f, x), x)
        return at_values(tree, numbers, single)


def beside(
    source: Source, tree: Tree, root: Tree, tested: Sequence[int], single: bool
) -> Iterator[tuple[int, Cells]]:
    """Yield each tested feature with cells of all its values, or at least of those beside its thresholds."""
    if not isinstance(source, Stream) or not tested:
        yield from source.count(root, [0], tested)
        return
    threshold = tree.threshold.astype(np.float32 if single else float)
    tallies: dict[int, Tally] = {f: Beside(np.unique(threshold[tree.feature == f])) for f in tested}
    source.tally(root, [0], tallies)
    yield from ((f, tally.cells()) for f, tally in tallies.items())
