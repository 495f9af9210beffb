"""Growing from counts alone: the rows stay where they are (chapter 20).

The cells of a count table are taken as rows whose weight is the count, one feature after the other. So the
search is that for rows in memory, and so is the tree, to the last bit.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from dtlib.arrays import NEARLY, numbered
from dtlib.counting.tables import count_tables
from dtlib.growing.by_ratio import ByRatio, at_values, collapsed
from dtlib.growing.by_score import ByScore, answer, target_of
from dtlib.growing.holes import finest, with_holes
from dtlib.growing.intervals import count_what_may_win
from dtlib.growing.nodes import Below, Nodes, best_first, children, join
from dtlib.search.by_table import BestGroups
from dtlib.search.level import Level
from dtlib.search.ratio import Candidates, Entries, Groups, choose, measure_all
from dtlib.search.rules import RatioRules, Rules
from dtlib.search.searcher import Found, Searcher
from dtlib.sources.cells import Cells, Source, add
from dtlib.sources.streams import Stream
from dtlib.table.coded import Coded
from dtlib.table.columns import Column, narrowed
from dtlib.table.ranks import rank_known
from dtlib.table.training import Training
from dtlib.tree import reasons
from dtlib.tree.edit import collapse
from dtlib.tree.tree import Tree


class Counter:
    """What a source counts for a growing tree.

    Parameters
    ----------
    source : Source
    like : Tree
        With the features and the classes.
    rules : Rules or RatioRules
    """

    def __init__(self, source: Source, like: Tree, rules: Rules | RatioRules):
        self.source, self.like, self.rules = source, like, rules
        self.target = Column(like.outputs[0].name, like.classes, np.arange(len(like.classes)))
        numeric = [f for f, feature in enumerate(like.features) if feature.kind == "numeric"]
        self.numbers = {f: np.empty(0) for f in numeric}  # those on either side of each cut

    def root(self, table: np.ndarray) -> Training:
        """Return the classes of all rows as cells, given how many rows each has."""
        codes = self.target.codes
        return self.data(Cells(codes, np.zeros(len(codes), np.int32), codes, table))

    def data(self, cells: Cells) -> Training:
        """Return cells as training data, each with one code: that of whatever its node asks."""
        target = replace(self.target, codes=cells.label)
        codes = np.broadcast_to(cells.value, (len(self.like.features), len(cells.value)))
        return Training(
            self.like.features, Coded(codes, dict(self.numbers)), (target,), cells.rows.astype(float)
        )

    def so_far(self, levels: list[Nodes]) -> Tree:
        """Return the tree so far: its lowest nodes are leaves."""
        rules, none = self.rules, np.empty(0, np.int32)
        data, below = self.data(Cells(none, none, none, none)), isinstance(rules, Rules) and rules.below
        (tree,) = join(levels, data, rules.criterion, below)
        missing = rules.missing if rules.missing in ("stay", "majority") else "error"
        return replace(tree, training=None, missing=missing, single=self.like.single)

    def count(
        self, levels: list[Nodes], nodes: Nodes, at: np.ndarray
    ) -> Iterator[tuple[int, Training, Cells]]:
        """Yield each feature with its cells at the open nodes; require that they have the rows expected."""
        first, K = sum(len(above.stop) for above in levels[:-1]), len(self.target.values)
        leaves = (first + nodes.place[at]).tolist()
        for f, cells in self.cells(self.so_far(levels), leaves):
            table = count_tables(cells.node, cells.label, (1, len(at), K), weight=cells.rows)[0]
            if not np.array_equal(table, nodes.summary[at]):
                raise ValueError(
                    f"the counts of {self.like.features[f].name!r} at depth {len(levels) - 1} are not "
                    f"those of the level above: the data changed, or the source sends rows to other nodes"
                )
            yield f, self.one(f, cells), cells

    def cells(self, tree: Tree, leaves: list[int]) -> Iterator[tuple[int, Cells]]:
        """Yield the cells of each feature; of numbers only those that may lie at the best cut, if they do."""
        rules = self.rules
        if isinstance(self.source, Stream) and isinstance(rules, Rules) and not rules.gap:
            least = rules.min_leaf * NEARLY
            found = count_what_may_win(self.source, tree, leaves, rules.criterion, least)
            yield from found.items()
            return
        yield from self.source.count(tree, leaves, range(len(self.like.features)))

    def one(self, f: int, cells: Cells, at: int = 0) -> Training:
        """Return the cells of a feature as training data with this one only, its numbers at this place."""
        feature, code, numbers = self.like.features[f], cells.value, {}
        if feature.kind == "numeric":
            x = narrowed(code, feature.name) if self.like.single else code
            code, numbers[at], _ = rank_known(x)
        target = replace(self.target, codes=cells.label)
        weight = cells.rows.astype(float)
        return Training((feature,), Coded(code[None].astype(np.int32), numbers), (target,), weight)

    def winners(
        self, feature: np.ndarray, kept: dict[int, Cells], low: np.ndarray, high: np.ndarray
    ) -> tuple[Cells, np.ndarray, np.ndarray]:
        """Return the cells of what each open node asks, and the codes on either side of its cut.

        Parameters
        ----------
        feature : int ndarray of shape (open nodes,)
            What each asks, -1 for nothing.
        kept : dict
            The cells of each feature; of numbers, only on which side of the cut they are.
        low, high : ndarray of shape (features, open nodes)
            The numbers, or the codes of the names in an order, on either side of the cut.
        """
        parts, (below, above) = [], np.full((2, len(feature)), -1)
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


def sides(
    data: Training, cells: Cells, low: np.ndarray, high: np.ndarray
) -> tuple[Cells, np.ndarray, np.ndarray]:
    """Return what is to be kept of a feature: its cells, and what is on either side of each node's cut.

    Of numbers that is little: how many rows of each class are up to the cut (value 0) and above it (1), or
    miss the value (-1); and the two numbers.

    Examples
    --------
    >>> from dtlib.table.coded import Coded
    >>> from dtlib.table.columns import Feature
    >>> x = {0: np.array([1.0, 2.0, 4.0])}
    >>> data = Training((Feature("x", (), "numeric"),), Coded(np.array([[0, 1, 2]]), x), ())
    >>> cells = Cells(np.array([0, 0, 0]), data.codes[0], np.array([0, 1, 1]), np.array([5, 1, 3]))
    >>> kept, low, high = sides(data, cells, np.array([0]), np.array([1]))  # cut between 1 and 2
    >>> kept.value, kept.rows, low, high
    (array([0, 1]), array([5, 4]), array([1.]), array([2.]))
    """
    if 0 not in data.numbers:
        return cells, low, high
    code, x = data.codes[0], np.append(data.numbers[0], np.nan)
    side = np.where(code < 0, -1, (code > low[cells.node]).astype(np.intp))
    return add(cells._replace(value=side)), x[low].astype(float), x[high].astype(float)


class CountsByScore(ByScore):
    """A tree that grows from counts by the split with the best score.

    Parameters
    ----------
    counter : Counter
    rules : Rules
    table : int ndarray of shape (K,)
        The rows of each class.
    """

    def __init__(self, counter: Counter, rules: Rules, table: np.ndarray):
        rows = rules.min_leaf_rows if rules.min_leaf_rows > 1 else 0
        split, leaf = max(rules.min_split, rules.min_split_rows), max(rules.min_leaf, rows)  # a row weighs 1
        rules = replace(rules, min_split=split, min_leaf=leaf, min_split_rows=1, min_leaf_rows=1)
        super().__init__(counter.root(table), rules)
        self.counter = counter

    def describe(self) -> Nodes:
        """Describe the nodes of the next level, and say which of them are leaves whatever can be asked."""
        self.target = target_of(self.data, self.rules)
        return super().describe()

    def split(self, nodes: Nodes, at: np.ndarray) -> None:
        """Count, choose, write the answers into the nodes, and send the cells down."""
        shape, kept = (len(self.data.features), len(at)), dict[int, Cells]()
        splits: dict[int, BestGroups] = {}
        score, low, high = np.full(shape, -np.inf), *np.full((2, *shape), np.nan)
        for f, data, cells in self.counter.count(self.levels, nodes, at):
            level, found = self.best(data, cells, nodes, at)
            score[f] = found.score
            kept[f], low[f], high[f] = sides(data, cells, found.low, found.high)
            splits |= {f: found.splits[0]} if found.splits else {}
        best = score.max(0)
        feature = (score >= best - level.slack).argmax(0)
        found = Found(best, feature, low, high, splits)
        self.decide(found, level, nodes, at)
        cells, low, high = self.counter.winners(nodes.feature[at], kept, low, high)
        rows, j = np.arange(len(cells.node)), numbered(nodes.feature[at] >= 0)[cells.node]
        self.data, found = self.counter.data(cells), found._replace(low=low, high=high)
        sent = answer(self.data, found, nodes, at, rows, j, cells.value)
        self.below = children(with_holes(self.data, sent, self.rules.missing, finest(self.total)))

    def best(self, data: Training, cells: Cells, nodes: Nodes, at: np.ndarray) -> tuple[Level, Found]:
        """Find the best split of one feature at each open node."""
        target, rows, J = target_of(data, self.rules), np.arange(len(cells.node)), len(at)
        totals = target.totals(target.gather(rows), cells.node, J)
        searcher = Searcher(data, target, self.rules)
        torn = searcher.search_torn(rows, totals.rows)
        level = Level.opened(target, rows, totals, nodes.impurity[at], nodes.summary[at])
        return level, searcher.search(level, np.zeros(len(rows), np.intp), None, torn)

    def tree(self) -> Tree:
        """Return the tree that has grown, with no more leaves than asked for."""
        tree, leaves = self.counter.so_far(self.levels), self.rules.max_leaf_nodes
        return tree if leaves is None else best_first(tree, leaves)


class CountsByRatio(ByRatio):
    """A tree that grows from counts by the best gain ratio where the gain is enough.

    Parameters
    ----------
    counter : Counter
    rules : RatioRules
    table : int ndarray of shape (K,)
        The rows of each class.
    """

    def __init__(self, counter: Counter, rules: RatioRules, table: np.ndarray):
        data = counter.root(table)
        super().__init__(data, rules, Below.root(np.arange(len(table)), table), finest(data.total_weight))
        self.counter, self.least = counter, 2 * max(rules.min_leaf, 1.0)

    def split(self, nodes: Nodes, at: np.ndarray) -> None:
        """Count, choose, write the answers into the nodes, and send the cells down."""
        low, high = np.empty((2, len(self.data.features), len(at)))
        lines, kept, groups = [], dict[int, Cells](), dict[int, Groups]()
        for f, data, cells in self.counter.count(self.levels, nodes, at):
            found = measure_all(self.entries(cells, at), data, self.rules)
            lines.append(found.columns)
            kept[f], low[f], high[f] = sides(data, cells, found.low[0], found.high[0])
            groups |= {f: found.groups[0]} if found.groups else {}
        found = Candidates._make([*map(np.concatenate, zip(*lines, strict=True)), groups])
        chosen = choose(found, self.averaged, self.rules)
        cells, low, high = self.counter.winners(chosen, kept, low, high)
        split = np.flatnonzero(chosen >= 0)
        found.low[chosen[split], split], found.high[chosen[split], split] = low[split], high[split]
        self.decide(found, chosen, nodes, at)
        self.data = self.counter.data(cells)
        self.send(self.entries(cells, at), found, nodes, at)

    def entries(self, cells: Cells, at: np.ndarray) -> Entries:
        """Return cells as entries of the open nodes."""
        count = cells.rows.astype(float)
        return Entries(np.arange(len(cells.node)), cells.node, count, cells.label, self.table[:, at])

    def tree(self) -> Tree:
        """Return the tree that has grown, with the thresholds and the leaves that the rules want."""
        tree = self.counter.so_far(self.levels)
        if self.rules.dialect.threshold == "value":
            tree = self.at_values(tree)
        return tree if self.rules.dialect.collapse is None else collapsed(tree, self.rules.dialect.collapse)

    def at_values(self, tree: Tree) -> Tree:
        """Lower each threshold to the largest number of the data not above it: one more pass."""
        asked: Sequence[int] = [f for f in self.counter.numbers if (tree.feature == f).any()]
        root = collapse(tree, np.flatnonzero(tree.feature[:1] >= 0), reasons.COLLAPSED)
        for f, cells in self.counter.source.count(root, [0], asked):
            tree = at_values(tree, self.counter.one(f, cells, at=f), self.rules.dialect.is_single)
        return tree
