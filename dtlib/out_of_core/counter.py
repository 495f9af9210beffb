"""Counting in a source for a growing tree, and the counts that are kept (chapter 25)."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from dtlib.arrays import NEARLY
from dtlib.growing.missing import weight_quantum
from dtlib.growing.nodes import Nodes, join
from dtlib.out_of_core.cells import Cells, Source, add
from dtlib.out_of_core.counted import CountedClasses, CountedNumbers, CountedTarget, by_label
from dtlib.out_of_core.intervals import Binned, Cuts, count_in_bins, count_what_may_win, fits
from dtlib.out_of_core.part_weights import PartWeights
from dtlib.out_of_core.progress import while_doing
from dtlib.out_of_core.spread import Intervals
from dtlib.out_of_core.streams import Stream
from dtlib.out_of_core.tallies import TableOfPlaces
from dtlib.search.level import Limits
from dtlib.search.rules import RatioRules, Rules
from dtlib.table.coded import Coded
from dtlib.table.columns import Column, narrowed
from dtlib.table.ranks import rank_known
from dtlib.table.training import Training
from dtlib.tree.tree import Tree


@dataclass(frozen=True, eq=False)
class Labels:
    """The labels, and the number of rows of each.

    Parameters
    ----------
    column : Column
        Each class, or each regression target in ascending order, once.
    rows : int ndarray of shape (K,)
    weight : float ndarray of shape (K,), optional
        The weight of a row of each class; default 1.
    """

    column: Column
    rows: np.ndarray
    weight: np.ndarray | None = None

    def root(self) -> Cells:
        """Return all rows that count as cells."""
        label = np.flatnonzero(self.rows if self.weight is None else self.rows * self.weight)
        return Cells(np.zeros(len(label), np.intp), np.full(len(label), -1), label, self.rows[label])

    @property
    def total_weight(self) -> float:
        """The weight of all rows."""
        return float(self.rows.sum() if self.weight is None else self.rows @ self.weight)

    def each_row(self) -> np.ndarray | None:
        """Return the weight of a row of each label in `root`."""
        return None if self.weight is None else self.weight[self.root().label]

    def of(self, cells: Cells) -> Column:
        """Return the labels of cells."""
        return replace(self.column, codes=cells.label)

    def weigh(self, cells: Cells) -> np.ndarray:
        """Return the weights of cells: multiples of a power of two, so that sums do not depend on order."""
        if self.weight is None:
            return cells.rows.astype(float)
        unit = weight_quantum(self.total_weight)
        return np.rint(self.weight / unit)[cells.label] * unit * cells.rows

    def target(self, criterion: str) -> CountedTarget:
        """Return the target that sums over cells."""
        if self.column.kind == "numeric":
            return CountedNumbers(self.column, criterion)
        return CountedClasses(self.column, self.rows, self.weight, criterion)

    def cuts(self, rules: Rules | RatioRules) -> Cuts:
        """Return the settings of cuts: everything about them that is known before counting."""
        if isinstance(rules, RatioRules):
            return Cuts(rules.criterion, Limits(), apart=True, gap=rules.dialect.gap, ratio=rules)
        values = np.asarray(self.column.values, float) if self.column.kind == "numeric" else None
        least, drawn = Limits(rules.min_leaf * NEARLY, rules.min_leaf_rows), rules.max_features is not None
        return Cuts(rules.criterion, least, self.weight, values, drawn, rules.gap, np.float32)


class Counter:
    """Counts features in a source for a growing tree.

    Parameters
    ----------
    source : Source
    like : Tree
        A tree with the features, and with the labels as the source counts them: classes, or the distinct
        regression targets.
    rules : Rules or RatioRules
    labels : Labels
    rows_in_memory : int, default 0
        Nodes with at most this many rows are finished in memory.
    bins : int, optional
        Count numeric features in this many intervals, and cut only between these.

    Attributes
    ----------
    binned : Binned, optional
        With `bins`, the counts of the last level.
    parts : PartWeights, optional
        If fractional instances come to the open nodes, their weights; each class then has several labels.
    thresholds : dict
        By feature, how many cuts each open node has, where not every value is among the cells.
    """

    def __init__(
        self, source: Source, like: Tree, rules: Rules | RatioRules, labels: Labels, rows_in_memory: int = 0,
        bins: int | None = None,
    ):  # fmt: skip
        self.rows_in_memory, self.bins = rows_in_memory, bins
        self.binned: Binned | None = None
        self.parts: PartWeights | None = None
        self.thresholds = dict[int, np.ndarray]()
        self.source, self.like, self.rules, self.labels = source, like, rules, labels
        numeric = [f for f, feature in enumerate(like.features) if feature.kind == "numeric"]
        self.numbers = {f: np.empty(0) for f in numeric}  # the values on either side of each cut

    def data(self, cells: Cells) -> Training:
        """Return cells as training data, each with one code: that in the feature that its node tests."""
        codes = np.broadcast_to(cells.value, (len(self.like.features), len(cells.value)))
        coded = Coded(codes, dict(self.numbers))
        return Training(self.like.features, coded, (self.label(cells),), self.weigh(cells))

    def label(self, cells: Cells) -> Column:
        """Return the labels of cells."""
        if self.parts is not None:
            cells = cells._replace(label=cells.label % len(self.like.classes))
        return self.labels.of(cells)

    def weigh(self, cells: Cells) -> np.ndarray:
        """Return the weights of cells."""
        if self.parts is None:
            return self.labels.weigh(cells)
        return cells.rows * self.parts.of(cells.node, cells.label // len(self.like.classes))

    def tree(self, levels: list[Nodes]) -> Tree:
        """Return the tree so far: its lowest nodes are leaves."""
        none = np.empty(0, np.int32)
        (tree,) = join(levels, self.data(Cells(none, none, none, none)), self.rules)
        missing = "error" if self.rules.missing == "surrogate" else self.rules.missing
        return replace(tree, training=None, missing=missing, single=self.like.single)

    def count(
        self, levels: list[Nodes], at: np.ndarray, own: Cells, answered: list[np.ndarray] | None = None
    ) -> Iterator[tuple[int, Training, Cells]]:
        """Yield each feature with its cells at the open nodes; check that they have the expected rows.

        With fractional instances, `answered` has the weight of rows of known value that came to the nodes of
        each level: rows with missing values are divided in proportion to it.
        """
        K, (tree, leaves) = len(self.like.classes), self.open_leaves(levels, at)
        if self.parts is not None:
            assert answered is not None
            tree, K = replace(tree, missing="fractional", n=np.concatenate(answered)), K * self.parts.most
        counted, depth = self.cells(tree, leaves), len(levels) - 1
        while True:
            with while_doing(self.source, f"counting level {depth} of the tree, {len(leaves)} open nodes"):
                f, cells = next(counted, (-1, own))
            if f < 0:
                return
            if self.labels.weight is not None:
                cells = cells.take(np.flatnonzero(self.labels.weight[cells.label]))
            self.require_same(f, depth, all(map(np.array_equal, by_label(cells, K), own)))
            yield f, self.one(f, cells), cells

    def open_leaves(self, levels: list[Nodes], at: np.ndarray) -> tuple[Tree, list[int]]:
        """Return the tree so far in the form that the source reads, and its open leaves."""
        first = sum(len(above.stop) for above in levels[:-1])
        tree = replace(self.tree(levels), outputs=self.like.outputs)
        return tree, (first + levels[-1].place[at]).tolist()

    def require_same(self, f: int, depth: int, is_same: bool) -> None:
        """Raise an error if the counts of a feature do not add up to those of the level above."""
        if not is_same:
            raise ValueError(
                f"the counts of {self.like.features[f].name!r} at depth {depth} are not "
                f"those of the level above: the data changed, or the source sends rows to other nodes"
            )

    def cells(self, tree: Tree, leaves: list[int]) -> Iterator[tuple[int, Cells]]:
        """Yield the cells of each feature; of numeric ones, only cells that may lie at the best cut."""
        rules, d = self.rules, len(tree.features)
        if self.bins is not None:
            assert isinstance(self.source, Stream)
            assert isinstance(rules, Rules)
            cuts = self.labels.cuts(rules)
            self.binned = count_in_bins(self.source, tree, leaves, cuts, self.bins)
            yield from self.binned.cells.items()
            return
        if isinstance(self.source, Stream) and self.has_bounds and fits(len(tree.classes), d):
            found = count_what_may_win(self.source, tree, leaves, self.labels.cuts(rules))
            self.thresholds = found.thresholds
            yield from found.cells.items()
            return
        if self.parts is None:
            yield from self.source.count(tree, leaves, range(d))
        else:
            assert isinstance(self.source, Stream)
            yield from self.source.count(tree, leaves, range(d), self.parts)

    @property
    def has_bounds(self) -> bool:
        """Whether the gain of cuts inside an interval is bounded: a gain ratio is not."""
        rules = self.rules
        return isinstance(rules, Rules) or (self.parts is None and rules.dialect.threshold_by == "gain")

    def one(self, f: int, cells: Cells, at: int = 0) -> Training:
        """Return the cells of a feature as training data with this one feature, its values under key `at`."""
        feature, code, numbers = self.like.features[f], cells.value, {}
        if feature.kind == "numeric":
            x = narrowed(code, feature.name) if self.like.single else code
            code, numbers[at], _ = rank_known(x)
        coded = Coded(code[None].astype(np.int32), numbers)
        return Training((feature,), coded, (self.label(cells),))

    def chosen_cells(
        self, feature: np.ndarray, kept: dict[int, Cells], low: np.ndarray, high: np.ndarray
    ) -> tuple[Cells, np.ndarray, np.ndarray]:
        """Return the cells of the feature that each open node tests, and the codes beside its cut.

        Parameters
        ----------
        feature : int ndarray of shape (open nodes,)
            The feature that each node tests, -1 for none.
        kept : dict
            The cells of each feature; for numeric ones, only the side of the cut that they are on.
        low, high : ndarray of shape (features, open nodes)
            The values (codes of ordered categories) on either side of the cut.
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


def at_nodes(cells: Cells, at: np.ndarray) -> Cells:
    """Return the cells of some nodes, with new indices of the nodes.

    Examples
    --------
    >>> cells = Cells(np.array([0, 1, 2]), np.zeros(3), np.array([1, 0, 1]), np.array([5, 6, 7]))
    >>> at_nodes(cells, np.array([0, 2])).node
    array([0, 1])
    """
    place = np.full(max(cells.node.max(initial=-1), at.max(initial=-1)) + 1, -1)
    place[at] = np.arange(len(at))
    kept = cells._replace(node=place[cells.node])
    return kept.take(np.flatnonzero(kept.node >= 0))


def sides(
    data: Training, cells: Cells, low: np.ndarray, high: np.ndarray, at_end: bool = False
) -> tuple[Cells, np.ndarray, np.ndarray]:
    """Return what is kept of a feature: its cells, and the values on either side of each node's cut.

    For a numeric feature, only the rows of each class are kept that are up to the cut (value 0), above it
    (1), or missing (-1); and the two values. Where values are ends of intervals, nothing is known of the
    values between them: the cut is at the end itself.

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
    return add(cells._replace(value=side)), x[low].astype(float), x[low if at_end else high].astype(float)


def count_ends(source: Source, tree: Tree) -> Cells:
    """Count how many rows of each label end at each node of a tree.

    Examples
    --------
    >>> from dtlib import ID3Classifier
    >>> from dtlib.datasets import load_loan
    >>> from dtlib.out_of_core import Batches
    >>> loan = load_loan()
    >>> source = Batches([loan.frame], "approved")
    >>> tree = ID3Classifier().fit(loan.X, loan.y).tree_
    >>> _, cells = source.columns(), count_ends(source, tree)
    >>> cells.node, cells.rows
    (array([2, 3, 4]), array([6, 6, 3]))
    """
    nodes, K = range(tree.node_count), len(tree.classes)
    f = max(int(tree.feature[0]), 0)
    with while_doing(source, "counting the rows held out"):
        if isinstance(source, Stream) and tree.features[f].kind == "numeric":
            one = TableOfPlaces((len(nodes), 1, K), Intervals(np.zeros(1)))  # whatever the value is
            source.tally(tree, nodes, {f: one})
            return by_label(one.cells(), K)
        ((_, cells),) = source.count(tree, nodes, [f])
    return by_label(cells, K)
