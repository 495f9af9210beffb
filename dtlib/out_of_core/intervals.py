"""Exact cuts without counting each number: only the intervals that may hold the best cut (chapter 25).

The values of a feature are first counted in intervals. A cut between two intervals is scored as any other.
For a cut inside an interval, the counts below the interval (L), in it (m) and above it (R) are known, but not
the part of m that goes left. Impurity is concave: mixing never lowers it. So no cut inside gains more than
one that could send whole classes of m to the side where they serve most. If that is less than the best cut
found, the values in the interval need not be distinguished; those of other intervals are counted one by one
in a second pass. CLOUDS [1]_ leaves out intervals by an estimate; BOAT [2]_ guesses cuts from samples, and
checks the guess by such corners.

Legend: J open nodes, V intervals, K classes. N is the weight of a node.

References
----------
.. [1] K. Alsabti, S. Ranka, V. Singh, "CLOUDS: a decision tree classifier for large datasets", Proceedings of
       the International Conference on Knowledge Discovery and Data Mining (1998) 2-8.
.. [2] J. Gehrke, V. Ganti, R. Ramakrishnan, W.-Y. Loh, "BOAT: optimistic decision tree construction",
       Proceedings of the ACM SIGMOD International Conference on Management of Data (1999) 169-180.
"""

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import product
from typing import NamedTuple

import numpy as np

from dtlib.arrays import changes, owners
from dtlib.counting.criteria import criterion_of
from dtlib.out_of_core.cells import Cells, add
from dtlib.out_of_core.spread import Intervals
from dtlib.out_of_core.streams import Stream
from dtlib.out_of_core.sums import Distances, EverySum, TableOfSums
from dtlib.out_of_core.tallies import EveryValue, TableOfPlaces, Tally
from dtlib.out_of_core.thresholds import Thresholds, too_small
from dtlib.search.by_order import too_close
from dtlib.search.level import Limits
from dtlib.search.rules import RatioRules
from dtlib.table.columns import narrowed
from dtlib.tree.tree import Tree

INTERVALS = 1 << 12  # largest number of intervals of a feature
FEWEST_INTERVALS = 1 << 6  # smallest number, where there are many nodes
COUNTS = 1 << 22  # cells of all tables made in one pass, if that leaves the fewest intervals
FINE_AT_ONCE = 1 << 22  # rows whose values are counted one by one in a pass
CORNER_CLASSES = 6  # up to this many classes, all ways to send whole classes left are tried
BOUND_SLACK = 1e-9  # relative to the impurity of a node: far more than rounding can change a score


class Cuts(NamedTuple):
    """The settings of cuts: how they are scored, and the least weight and rows of a branch.

    Parameters
    ----------
    criterion : str
        A criterion that needs no rows, see `Criterion`.
    least : Limits
    weight : float ndarray of shape (K,), optional
        The weight of a row of each class; default 1.
    values : float ndarray of shape (K,), optional
        The distinct regression targets.
    apart : bool
        Whether the best cut of each feature is wanted, and not only the best of all.
    gap : float
        No cut comes between values no further apart than this.
    precision : type
        The floats in which values are compared with the gap.
    ratio : RatioRules, optional
        The rules of C4.5: they determine the least weight of a branch, and which gains are equal.
    sums : bool
        Whether the last axis has, instead of classes, the number of rows and the sum of their distances from
        the mean of the node. Gains are then in the unit of squares of these distances.
    """

    criterion: str
    least: Limits
    weight: np.ndarray | None = None
    values: np.ndarray | None = None
    apart: bool = False
    gap: float = 0.0
    precision: type = np.float64
    ratio: RatioRules | None = None
    sums: bool = False

    def rows(self, counts: np.ndarray) -> np.ndarray:
        """Return the number of rows."""
        return counts[..., 0] if self.sums else of_classes(counts)

    def weigh(self, counts: np.ndarray) -> np.ndarray:
        """Return counts of rows by class, in the last axis, as weights."""
        return counts if self.weight is None else counts * self.weight

    def distances(self, counts: np.ndarray) -> np.ndarray:
        """Return the distances of the regression targets from the mean of each group; zeros for classes."""
        if self.values is None:
            return np.zeros(1)
        return self.values - ((counts @ self.values) / np.maximum(counts.sum(-1), 1))[..., None]

    def forbidden(self, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        """Tell which cuts leave a side too little weight or rows, given the rows of each class on both."""
        if self.ratio is not None:
            return too_small(left.sum(-1), right.sum(-1), left.shape[-1], self.ratio)
        if self.sums:
            n: np.ndarray = np.minimum(left[..., 0], right[..., 0])
            return n < max(self.least.rows, self.least.weight, 1)
        few, count = np.zeros(left.shape[:-1], bool), 1 if self.weight is None else self.weight > 0
        for rows in (left, right):
            few |= of_classes(rows * count) < max(self.least.rows, 1)
            if self.least.weight:
                few |= of_classes(self.weigh(rows)) < self.least.weight
        return few

    def gain(self, node: np.ndarray, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        """Return the gain of cuts times the weight of their node, of which the sides may lack rows."""
        if self.sums:
            return of_means(left) + of_means(right) - of_means(node)
        distance = self.distances(node)
        whole, *parts = (impure_weight(self.weigh(x), self.criterion, distance) for x in (node, left, right))
        return whole - parts[0] - parts[1]

    def too_close(self, low: np.ndarray, high: np.ndarray) -> np.ndarray:
        """Tell which neighboring values have no cut between them."""
        if not self.gap:
            return np.zeros(len(low), bool)
        return too_close(low.astype(self.precision), high.astype(self.precision), self.gap)

    def slack(self, table: np.ndarray) -> np.ndarray:
        """Return by how much gains may be below the best of their node and equal it, given (J, V + 1, K)."""
        node = table[:, :-1].sum(1)
        slack = BOUND_SLACK * impure_weight(self.weigh(node), self.criterion, self.distances(node))
        return slack if self.ratio is None else slack + self.ratio.tie * table.sum((1, 2))


def impure_weight(counts: np.ndarray, criterion: str, distance: np.ndarray | float = 0.0) -> np.ndarray:
    """Return the impurity of groups of rows times their weight.

    Parameters
    ----------
    counts : ndarray of shape (..., K)
        The weight of each class, or of each regression target.
    criterion : str
        A criterion that needs no rows, see `Criterion`.
    distance : float ndarray that broadcasts with the counts
        The distance of each target from some center.

    Examples
    --------
    >>> impure_weight(np.array([[2, 2], [4, 0]]), "gini")
    array([2., 0.])
    >>> impure_weight(np.array([[2, 2], [4, 0]]), "squared_error", np.array([-3.0, 1.0]))
    array([16.,  0.])
    """
    c, how = counts.astype(float), criterion_of(criterion)
    n = of_classes(c)
    if how.needs_rows:
        raise ValueError(f"criterion {criterion!r} is not known from counts: wanted a decrease of impurity")
    if how.of_classes:
        return how.impure_weight(list(np.moveaxis(c, -1, 0)), n)
    return (c * distance**2).sum(-1) - (c * distance).sum(-1) ** 2 / np.where(n > 0, n, 1)


def of_classes(counts: np.ndarray) -> np.ndarray:
    """Return the sums over the last axis; where that is short, NumPy adds up slices faster."""
    few = counts.shape[-1] <= CORNER_CLASSES
    total: np.ndarray = reduce(np.add, np.moveaxis(counts, -1, 0)) if few else counts.sum(-1)
    return total


def of_means(sums: np.ndarray) -> np.ndarray:
    """Return what the mean explains of the squares of groups, given numbers of rows and sums of distances.

    Examples
    --------
    >>> of_means(np.array([[2, -6], [0, 0]]))
    array([18.,  0.])
    """
    explained: np.ndarray = sums[..., 1].astype(float) ** 2 / np.maximum(sums[..., 0], 1)
    return explained


class CutBounds(NamedTuple):
    """The gains of the cuts of one feature at each node, and bounds on them, from counts in intervals.

    Parameters
    ----------
    cut : ndarray of shape (J, V)
        The gain of the cut after each interval, times N; -inf where no cut is allowed.
    inside : ndarray of shape (J, V)
        The largest possible gain of a cut inside each interval, or at its ends; -inf where no rows are.
    """

    cut: np.ndarray
    inside: np.ndarray


def cut_bounds(table: np.ndarray, criterion: str, least: int = 1) -> CutBounds:
    """Return the gains of cuts between intervals, and bounds on those inside.

    Parameters
    ----------
    table : int ndarray of shape (J, V, K)
        The rows of each interval and class.
    criterion : str
        A criterion of classes that needs no rows, see `Criterion`.
    least : int of at least 1, default 1
        Least number of rows of a branch.

    Examples
    --------
    >>> found = cut_bounds(np.array([[[3, 0], [1, 1], [0, 3]]]), "gini")
    >>> found.cut.round(3).tolist(), found.inside.round(3).tolist()
    ([[2.4, 2.4, -inf]], [[2.4, 4.0, 2.4]])
    """
    return bound_cuts(table, Cuts(criterion, Limits(rows=least)))


def bound_cuts(table: np.ndarray, cuts: Cuts, many: bool = True) -> CutBounds:
    """Return the gains and bounds for any settings; without `many`, each interval has one value, no inside.

    Examples
    --------
    >>> numbers = Cuts("squared_error", Limits(), values=np.array([1.0, 5.0]))
    >>> bound_cuts(np.array([[[3, 0], [1, 1], [0, 3]]]), numbers).inside.tolist()
    [[19.2, 32.0, 19.2]]
    """
    up_to = table.cumsum(1)
    node = up_to[:, -1:]
    cut = cuts.gain(node, up_to, node - up_to)
    cut[cuts.forbidden(up_to, node - up_to)] = -np.inf
    inside = np.full(cut.shape, -np.inf)
    if not many:
        return CutBounds(cut, inside)
    below, above = up_to - table, node - up_to
    K = table.shape[2]
    if K > CORNER_CLASSES or cuts.values is not None or cuts.sums:  # as if each class had its own branch
        inside = cuts.gain(node, below, above)
    else:
        for corner in product((0, 1), repeat=K):
            left = table * np.array(corner)
            np.maximum(inside, cuts.gain(node, below + left, above + table - left), out=inside)
    inside[cuts.rows(table) == 0] = -np.inf
    return CutBounds(cut, inside)


def bound_sums(table: np.ndarray, cuts: Cuts, square: float, many: bool) -> CutBounds:
    """Return the gains and bounds for sums of targets, given those of their squares.

    Parameters
    ----------
    table : int ndarray of shape (J, V, 3)
        Of each interval, the number of rows, the sum of their distances, and that of the squares of these.
    cuts : Cuts
        With `sums`.
    square : float
        The unit of the squares.
    many : bool
        As for `bound_cuts`.

    Examples
    --------
    >>> table = np.array([[[1, -3, 9], [2, 0, 8], [1, 3, 9]]])
    >>> found = bound_sums(table, Cuts("squared_error", Limits(), sums=True), 1.0, True)
    >>> found.cut.tolist(), found.inside.tolist()
    ([[12.0, 12.0, -inf]], [[12.0, 26.0, 12.0]])
    """
    found = bound_cuts(table[..., :2], cuts, many)
    return found._replace(inside=found.inside + square * table[..., 2])


class InIntervals(NamedTuple):
    """A feature that is counted in intervals."""

    intervals: Intervals
    table: np.ndarray  # (J, V + 1, K), the last interval for missing values
    bounds: CutBounds
    fine: np.ndarray  # bool, (J, V + 1): which intervals were counted value by value
    slack: np.ndarray  # (J,), by how much a gain may be below the best one and equal it
    thresholds: Thresholds | None = None
    distances: Distances | None = None

    @classmethod
    def of(
        cls, tally: TableOfPlaces, cuts: Cuts, many: bool, distances: Distances | None = None
    ) -> "InIntervals":
        """Return what is known of a feature after the first pass; `many` as for `bound_cuts`."""
        assert tally.intervals is not None
        table, fine = tally.table, np.zeros(tally.table.shape[:2], bool)
        if distances is not None:
            bounds = bound_sums(table[:, :-1], cuts, distances.square, many)
            slack = BOUND_SLACK * distances.square * table[..., 2].sum(1)
            return cls(tally.intervals, table[..., :2], bounds, fine, slack, None, distances)
        bounds, thresholds = bound_cuts(table[:, :-1], cuts, many), None
        if many and cuts.ratio is not None and cuts.ratio.mdl_correction:
            thresholds = Thresholds(tally.intervals, table, cuts.ratio)
        return cls(tally.intervals, table, bounds, fine, cuts.slack(table), thresholds)

    def values_in(self, wanted: np.ndarray) -> EveryValue:
        """Return the tally of the values in some intervals."""
        if self.distances is not None:
            return EverySum(self.intervals, wanted, self.distances)
        return EveryValue(self.intervals, wanted)


def fits(K: int, d: int) -> bool:
    """Tell whether the fewest intervals of d features fit into memory, for one node and K classes.

    Examples
    --------
    >>> fits(3, 20), fits(100_000, 20)
    (True, False)
    """
    return FEWEST_INTERVALS * K * d <= COUNTS


class Counts(NamedTuple):
    """What `count_what_may_win` counts.

    Parameters
    ----------
    cells : dict
        The cells by feature. Intervals without a cut that may win are cells of their last end, neighboring
        ones merged.
    thresholds : dict
        With an MDL correction, the number of cuts of each leaf, by feature that was counted in intervals.
    """

    cells: dict[int, Cells]
    thresholds: dict[int, np.ndarray]


def count_what_may_win(source: Stream, tree: Tree, nodes: Sequence[int], cuts: Cuts) -> Counts:
    """Count all features at some leaves, so finely that the best cut of each leaf is among the cells.

    If even the fewest intervals of all leaves would fill the memory, the leaves are counted in portions.

    Parameters
    ----------
    source : Stream
    tree : Tree
    nodes : sequence of int
    cuts : Cuts

    Returns
    -------
    Counts
    """
    parts = {f: list[Cells]() for f in range(len(tree.features))}
    thresholds = dict[int, list[np.ndarray]]()
    for a, some in portions_of(nodes, tree, FEWEST_INTERVALS):
        found = count_some(source, tree, some, cuts)
        for f, one in found.cells.items():
            parts[f].append(one._replace(node=one.node + a))
        for f, number in found.thresholds.items():
            thresholds.setdefault(f, []).append(number)
    cells = {f: Cells(*map(np.concatenate, zip(*some, strict=True))) for f, some in parts.items()}
    return Counts(cells, {f: np.concatenate(some) for f, some in thresholds.items()})


def portions_of(nodes: Sequence[int], tree: Tree, intervals: int) -> Iterator[tuple[int, Sequence[int]]]:
    """Yield as many nodes at once as have room for `intervals`, with the position of the first."""
    step = max(1, COUNTS // (intervals * len(tree.classes) * len(tree.features)))
    yield from ((a, nodes[a : a + step]) for a in range(0, len(nodes), step))


class Binned(NamedTuple):
    """The counts of one pass, in intervals alone.

    Parameters
    ----------
    cells : dict
        The cells by feature. A value is the end of its interval.
    ends : set of int
        The features whose values are such ends.
    inside : ndarray of shape (J,)
        The largest possible gain of a cut inside an interval, times the weight of the node; -inf if there is
        none.
    """

    cells: dict[int, Cells]
    ends: set[int]
    inside: np.ndarray


def count_in_bins(source: Stream, tree: Tree, nodes: Sequence[int], cuts: Cuts, bins: int) -> Binned:
    """Count numeric features in `bins` intervals, and nothing within them: cuts lie between intervals.

    Parameters
    ----------
    source, tree, nodes, cuts
        As for `count_what_may_win`.
    bins : int of at least 2

    Returns
    -------
    Binned
    """
    parts = {f: list[Cells]() for f in range(len(tree.features))}
    inside, ends = list[np.ndarray](), set[int]()
    for a, some in portions_of(nodes, tree, bins):
        tallies, most = first_tallies(source, tree, len(some), bins), np.full(len(some), -np.inf)
        source.tally(tree, some, tallies)
        for f, tally in tallies.items():
            cells = tally.cells()
            parts[f].append(cells._replace(node=cells.node + a))
            if tree.features[f].kind == "numeric" and source.spread[tree.features[f].name].values is None:
                assert isinstance(tally, TableOfPlaces)
                ends.add(f)
                most = np.maximum(most, bound_cuts(tally.table[:, :-1], cuts).inside.max(1))
        inside.append(most)
    found = {f: Cells(*map(np.concatenate, zip(*some, strict=True))) for f, some in parts.items()}
    return Binned(found, ends, np.concatenate(inside))


def count_some(
    source: Stream, tree: Tree, nodes: Sequence[int], cuts: Cuts, distances: Distances | None = None
) -> Counts:
    """Count all features at leaves for which the memory suffices, as `count_what_may_win` does."""
    features = range(len(tree.features))
    tallies = first_tallies(source, tree, len(nodes))
    if distances is not None:
        tallies = first_sums(source, tree, len(nodes), distances)
    source.tally(tree, nodes, tallies)
    known, cells = dict[int, InIntervals](), dict[int, Cells]()
    for f in features:
        tally = tallies.pop(f)
        if not (isinstance(tally, TableOfPlaces) and tally.intervals is not None):
            cells[f] = tally.cells()
            continue
        many = source.spread[tree.features[f].name].values is None
        known[f] = InIntervals.of(tally, cuts, many, distances)
        if not many:
            cells[f] = tally.cells()
    seen = {f: no_cells() for f in known}
    while wanted := next_wanted(known, seen, cuts):
        for f, more in count_values(source, tree, nodes, known, wanted).items():
            seen[f] = add(seen[f], more)
        forget(known, seen, cuts)
    cells |= {f: merged(known[f], seen[f]) for f in known if f not in cells}
    for wanted in not_told_apart(known):
        count_values(source, tree, nodes, known, wanted)
    numbers = {f: one.thresholds.total() for f, one in known.items() if one.thresholds is not None}
    return Counts({f: cells[f] for f in features}, numbers)


def count_values(
    source: Stream,
    tree: Tree,
    nodes: Sequence[int],
    known: dict[int, InIntervals],
    wanted: dict[int, np.ndarray],
) -> dict[int, Cells]:
    """Count the values in some intervals, and the cuts between them where their number is wanted."""
    tallies: dict[int, Tally] = {f: known[f].values_in(here) for f, here in wanted.items()}
    source.tally(tree, nodes, tallies)
    found = {f: tallies.pop(f).cells() for f in wanted}
    for f, cells in found.items():
        known[f].fine[wanted[f]] = True
        thresholds = known[f].thresholds
        if thresholds is not None:
            thresholds.add(cells)
    return found


def not_told_apart(known: dict[int, InIntervals]) -> Iterator[dict[int, np.ndarray]]:
    """Yield the intervals whose values must be told apart to count cuts, as many as a pass may count."""
    listed = [np.empty((4, 0), np.intp)]
    for f, feature in known.items():
        if feature.thresholds is not None:
            j, v = np.nonzero(feature.table[:, :-1].any(-1) & ~feature.fine[:, :-1])
            listed.append(np.stack([np.full(len(j), f), j, v, feature.table[j, v].sum(-1)]))
    of, j, v, rows = np.concatenate(listed, axis=1)
    last, a = rows.cumsum(), 0
    while a < len(of):
        b = max(a + 1, int(np.searchsorted(last, last[a] - rows[a] + FINE_AT_ONCE, "right")))
        yield masks_of(known, of[a:b], j[a:b], v[a:b])
        a = b


def no_cells() -> Cells:
    """Return cells of nothing."""
    none = np.empty(0, np.int64)
    return Cells(none, np.empty(0), none, none)


def first_tallies(source: Stream, tree: Tree, J: int, bins: int | None = None) -> dict[int, Tally]:
    """Return the tally of each feature in the first pass: of all values if few, else of intervals."""
    K, counts = len(tree.classes), min(COUNTS, source.most_counts or COUNTS)
    tallies = {f: source.tally_of(tree, J, f, K) for f in range(len(tree.features))}
    many = [f for f, tally in tallies.items() if isinstance(tally, EveryValue) and tally.intervals is None]
    many = [f for f in many if tree.features[f].kind == "numeric"]
    room = bins or max(FEWEST_INTERVALS, min(INTERVALS, counts // max(1, J * K * len(many))))
    for f in many:
        ends = source.spread[tree.features[f].name].ends(room)
        cut = Intervals(np.unique(ends.astype(np.float32) if tree.single else ends))
        tallies[f] = TableOfPlaces((J, len(cut.ends), K), cut)
    return tallies


def first_sums(source: Stream, tree: Tree, J: int, distances: Distances) -> dict[int, Tally]:
    """Return the tally of sums of each feature in the first pass."""
    tallies: dict[int, Tally] = {}
    room = max(FEWEST_INTERVALS, min(INTERVALS, COUNTS // (3 * J * len(tree.features))))
    for f, feature in enumerate(tree.features):
        V, intervals = len(feature.values), None
        if feature.kind == "numeric":
            ends = source.spread[feature.name].ends(room)
            intervals = Intervals(np.unique(narrowed(ends) if tree.single else ends))
            V = len(intervals.ends)
        tallies[f] = TableOfSums((J, V, 3), intervals, distances)
    return tallies


def count_sums(
    source: Stream, tree: Tree, nodes: Sequence[int], cuts: Cuts, distances: Distances
) -> dict[int, Cells]:
    """Count sums of targets at some leaves, so finely that the best cut of each leaf is among the cells."""
    parts = {f: list[Cells]() for f in range(len(tree.features))}
    step = max(1, COUNTS // (FEWEST_INTERVALS * 3 * len(tree.features)))
    for a in range(0, len(nodes), step):
        here = distances.some(slice(a, a + step))
        for f, cells in count_some(source, tree, nodes[a : a + step], cuts, here).cells.items():
            parts[f].append(cells._replace(node=cells.node + a))
    return {f: Cells(*map(np.concatenate, zip(*some, strict=True))) for f, some in parts.items()}


def next_wanted(known: dict[int, InIntervals], seen: dict[int, Cells], cuts: Cuts) -> dict[int, np.ndarray]:
    """Return the intervals to be counted value by value next; none if no other can hold the best cut.

    Intervals with the largest bounds come first, as they may rule out others. With a gap, it is not known
    whether there is a cut between two intervals before both are counted. At first it is taken for granted;
    then gains are compared only with those of cuts that are there.
    """
    sure = best_known(known, seen, cuts)
    hoped = {f: np.maximum(feature.bounds.cut.max(1), sure[f]) for f, feature in known.items()}
    wanted = intervals_above(known, best_of_all(hoped, cuts), cuts)
    return wanted if wanted or not cuts.gap else intervals_above(known, best_of_all(sure, cuts), cuts)


def best_known(known: dict[int, InIntervals], seen: dict[int, Cells], cuts: Cuts) -> dict[int, np.ndarray]:
    """Return the gain of the best cut of each node and feature among those that are there for sure."""
    best = {}
    for f, feature in known.items():
        best[f] = np.full(len(feature.table), -np.inf) if cuts.gap else feature.bounds.cut.max(1)
        if len(seen[f].node):
            lines = Lines.of(feature, seen[f], cuts)
            np.maximum.at(best[f], lines.node, lines.sure)
    return best


def best_of_all(best: dict[int, np.ndarray], cuts: Cuts) -> dict[int, np.ndarray]:
    """Return the best gains with which those of each feature are compared."""
    return best if cuts.apart or not best else dict.fromkeys(best, np.max(list(best.values()), axis=0))


def forget(known: dict[int, InIntervals], seen: dict[int, Cells], cuts: Cuts) -> None:
    """Merge values that were told apart, if many, but for those beside cuts that may be the best."""
    if sum(len(cells.node) for cells in seen.values()) <= FINE_AT_ONCE:
        return
    best_of = best_of_all(best_known(known, seen, cuts), cuts)
    for f, cells in seen.items():
        if not len(cells.node):
            continue
        feature, lines = known[f], Lines.of(known[f], cells, cuts)
        may = lines.gain >= (best_of[f] - feature.slack)[lines.node]
        may &= np.isfinite(lines.gain)
        beside = may | np.append(False, may[:-1])
        last = ~lines.fine | beside  # what ends a stretch of merged values: a value that is kept, or the next
        last |= np.append(last[1:] | (lines.node[1:] != lines.node[:-1]), True)
        end = np.flatnonzero(last)[np.append(0, np.cumsum(last)[:-1])]
        of_cell = np.repeat(
            np.arange(len(lines.node)), np.diff(np.append(lines.first, len(lines.cells.node)))
        )
        told = np.flatnonzero(lines.fine[of_cell])
        value = lines.cells.value[lines.first][end][of_cell]
        seen[f] = add(lines.cells._replace(value=value).take(told))


def intervals_above(
    known: dict[int, InIntervals], best_of: dict[int, np.ndarray], cuts: Cuts
) -> dict[int, np.ndarray]:
    """Return the intervals whose bounds reach the best gains of the nodes, as many as a pass may count."""
    open_ones = []
    for f, feature in known.items():
        best = best_of[f]
        may = feature.bounds.inside >= (best - feature.slack)[:, None]
        j, v = np.nonzero(may & np.isfinite(feature.bounds.inside) & ~feature.fine[:, :-1])
        rows = cuts.rows(feature.table[j, v])
        open_ones.append((np.full(len(j), f), j, v, rows, feature.bounds.inside[j, v] - best[j]))
    if not open_ones:
        return {}
    of, j, v, rows, lead = (np.concatenate(x) for x in zip(*open_ones, strict=True))
    order = np.argsort(-lead, kind="stable")
    order = order[: max(1, int(np.searchsorted(np.cumsum(rows[order]), FINE_AT_ONCE, "right")))]
    return masks_of(known, of[order], j[order], v[order])


def masks_of(
    known: dict[int, InIntervals], of: np.ndarray, j: np.ndarray, v: np.ndarray
) -> dict[int, np.ndarray]:
    """Return which intervals of each feature are listed, given features, nodes and intervals."""
    masks = {f: np.zeros(known[f].fine.shape, bool) for f in np.unique(of).tolist()}
    for f, mask in masks.items():
        mask[j[of == f], v[of == f]] = True
    return masks


class Lines(NamedTuple):
    """The known values of a feature at each node, or stretches of them, and the cuts after each.

    Parameters
    ----------
    cells : Cells
    first : int ndarray of shape (lines,)
        Where the cells of each value begin.
    node : int ndarray of shape (lines,)
    fine : bool ndarray of shape (lines,)
        Whether the value lies in an interval that was counted value by value.
    gain : float ndarray of shape (lines,)
        What the cut after a value gains, times the weight of the node, though values may be too close.
    sure : float ndarray of shape (lines,)
        The same; -inf if values are too close, or may be.
    """

    cells: Cells
    first: np.ndarray
    node: np.ndarray
    fine: np.ndarray
    gain: np.ndarray
    sure: np.ndarray

    @classmethod
    def of(cls, feature: InIntervals, seen: Cells, cuts: Cuts) -> "Lines":
        """Return the lines of a feature, given the cells that were counted value by value."""
        cells = merged(feature, seen)
        cells = cells.take(np.flatnonzero(~np.isnan(cells.value)))
        first = np.flatnonzero(changes(cells.node, cells.value))
        of_line = owners(np.diff(first, append=len(cells.node)))
        table = np.zeros((len(first), feature.table.shape[2]), np.int64)
        np.add.at(table, (of_line, cells.label), cells.rows)
        node, value, up_to = cells.node[first], cells.value[first], table.cumsum(0)
        whole = feature.table[:, :-1].sum(1)
        up_to -= (whole.cumsum(0) - whole)[node]
        left, right = up_to, whole[node] - up_to
        gain = cuts.gain(whole[node], left, right)
        gain[cuts.forbidden(left, right)] = -np.inf
        fine, sure = feature.fine[node, feature.intervals.of_end(value)], gain.copy()
        if cuts.gap:  # the next value is known only where values are counted one by one
            sure[:-1][cuts.too_close(value[:-1], value[1:]) | ~fine[1:]] = -np.inf
        return cls(cells, first, node, fine, gain, sure)


def merged(feature: InIntervals, seen: Cells) -> Cells:
    """Return the cells of a feature: values counted one by one, and the stretches between them merged."""
    J, V, _ = feature.table.shape
    table = np.where(feature.fine[:, :, None], 0, feature.table)
    run = np.cumsum(feature.fine[:, :-1], axis=1)  # equal along a stretch of coarse intervals
    node, place, label = np.nonzero(table[:, :-1])
    rows, last = table[node, place, label], np.zeros((J, V), np.int64)
    np.maximum.at(last, (node, run[node, place]), place)
    value = feature.intervals.ends[last[node, run[node, place]]]
    has_missing = np.nonzero(table[:, -1])
    missing = Cells(
        has_missing[0],
        np.full(len(has_missing[0]), np.nan),
        has_missing[1],
        table[has_missing[0], -1, has_missing[1]],
    )
    return add(Cells(node, value, label, rows), missing, seen)
