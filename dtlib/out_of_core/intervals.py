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
from itertools import product
from typing import NamedTuple

import numpy as np

from dtlib.counting.criteria import criterion_of
from dtlib.out_of_core.cells import Cells, add
from dtlib.out_of_core.spread import Intervals
from dtlib.out_of_core.streams import Stream
from dtlib.out_of_core.tallies import EveryValue, TableOfPlaces, Tally
from dtlib.search.level import Limits
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
    """

    criterion: str
    least: Limits
    weight: np.ndarray | None = None
    values: np.ndarray | None = None
    apart: bool = False

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
        few, count = np.zeros(left.shape[:-1], bool), 1 if self.weight is None else self.weight > 0
        for rows in (left, right):
            few |= (rows * count).sum(-1) < max(self.least.rows, 1)
            few |= self.weigh(rows).sum(-1) < self.least.weight
        return few

    def gain(self, node: np.ndarray, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        """Return the gain of cuts times the weight of their node, of which the sides may lack rows."""
        distance = self.distances(node)
        whole, *parts = (impure_weight(self.weigh(x), self.criterion, distance) for x in (node, left, right))
        return whole - parts[0] - parts[1]


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
    n = c.sum(-1)
    if how.needs_rows:
        raise ValueError(f"criterion {criterion!r} is not known from counts: wanted a decrease of impurity")
    if how.of_classes:
        return how.impure_weight(list(np.moveaxis(c, -1, 0)), n)
    return (c * distance**2).sum(-1) - (c * distance).sum(-1) ** 2 / np.where(n > 0, n, 1)


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
    if K > CORNER_CLASSES or cuts.values is not None:  # as if each class had its own branch
        inside = cuts.gain(node, below, above)
    else:
        for corner in product((0, 1), repeat=K):
            left = table * np.array(corner)
            np.maximum(inside, cuts.gain(node, below + left, above + table - left), out=inside)
    inside[table.sum(-1) == 0] = -np.inf
    return CutBounds(cut, inside)


class InIntervals(NamedTuple):
    """A feature that is counted in intervals."""

    intervals: Intervals
    table: np.ndarray  # (J, V + 1, K), the last interval for missing values
    bounds: CutBounds
    fine: np.ndarray  # bool, (J, V + 1): which intervals are counted one by one


def fits(K: int, d: int) -> bool:
    """Tell whether the fewest intervals of d features fit into memory, for one node and K classes.

    Examples
    --------
    >>> fits(3, 20), fits(100_000, 20)
    (True, False)
    """
    return FEWEST_INTERVALS * K * d <= COUNTS


def count_what_may_win(source: Stream, tree: Tree, nodes: Sequence[int], cuts: Cuts) -> dict[int, Cells]:
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
    dict
        The cells by feature. Intervals without a cut that may win are cells of their last end, neighboring
        ones merged.
    """
    parts = {f: list[Cells]() for f in range(len(tree.features))}
    for a, some in portions_of(nodes, tree, FEWEST_INTERVALS):
        for f, cells in count_some(source, tree, some, cuts).items():
            parts[f].append(cells._replace(node=cells.node + a))
    return {f: Cells(*map(np.concatenate, zip(*some, strict=True))) for f, some in parts.items()}


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


def count_some(source: Stream, tree: Tree, nodes: Sequence[int], cuts: Cuts) -> dict[int, Cells]:
    """Count all features at leaves for which the memory suffices, as `count_what_may_win` does."""
    features = range(len(tree.features))
    tallies = first_tallies(source, tree, len(nodes))
    source.tally(tree, nodes, tallies)
    known, cells = dict[int, InIntervals](), dict[int, Cells]()
    for f in features:
        tally = tallies.pop(f)
        if not (isinstance(tally, TableOfPlaces) and tally.intervals is not None):
            cells[f] = tally.cells()
            continue
        many = source.spread[tree.features[f].name].values is None
        bounds = bound_cuts(tally.table[:, :-1], cuts, many)
        fine = np.zeros(tally.table.shape[:2], bool)
        known[f] = InIntervals(tally.intervals, tally.table, bounds, fine)
        if not many:
            cells[f] = tally.cells()
    seen = {f: list[Cells]() for f in known}
    while wanted := next_wanted(known, seen, cuts):
        again: dict[int, Tally] = {f: EveryValue(known[f].intervals, here) for f, here in wanted.items()}
        source.tally(tree, nodes, again)
        for f, here in wanted.items():
            known[f].fine[here] = True
            seen[f] = [add(*seen[f], again.pop(f).cells())]
    return {f: cells[f] if f in cells else merged(known[f], seen[f]) for f in features}


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


def next_wanted(
    known: dict[int, InIntervals], seen: dict[int, list[Cells]], cuts: Cuts
) -> dict[int, np.ndarray]:
    """Return the intervals to be counted value by value next; none if no other can hold the best cut.

    Intervals with the largest bounds come first, as they may rule out others.
    """
    best_of = {f: feature.bounds.cut.max(1) for f, feature in known.items()}
    for f, parts in seen.items():
        if parts:
            best_of[f] = np.maximum(best_of[f], best_inside(known[f], parts, cuts))
    if best_of and not cuts.apart:
        best_of = dict.fromkeys(best_of, np.max(list(best_of.values()), axis=0))
    open_ones = []
    for f, feature in known.items():
        best, node = best_of[f], feature.table[:, :-1].sum(1)
        slack = BOUND_SLACK * impure_weight(cuts.weigh(node), cuts.criterion, cuts.distances(node))
        may = feature.bounds.inside >= (best - slack)[:, None]
        j, v = np.nonzero(may & np.isfinite(feature.bounds.inside) & ~feature.fine[:, :-1])
        rows = feature.table[j, v].sum(-1)
        open_ones.append((np.full(len(j), f), j, v, rows, feature.bounds.inside[j, v] - best[j]))
    if not open_ones:
        return {}
    of, j, v, rows, lead = (np.concatenate(x) for x in zip(*open_ones, strict=True))
    order = np.argsort(-lead, kind="stable")
    order = order[: max(1, int(np.searchsorted(np.cumsum(rows[order]), FINE_AT_ONCE, "right")))]
    wanted = dict[int, np.ndarray]()
    for f in np.unique(of[order]).tolist():
        mine = order[of[order] == f]
        wanted[f] = np.zeros(known[f].fine.shape, bool)
        wanted[f][j[mine], v[mine]] = True
    return wanted


def best_inside(feature: InIntervals, parts: list[Cells], cuts: Cuts) -> np.ndarray:
    """Return the gain of the best cut of each node among those known by now."""
    (J, _, K), cells = feature.table.shape, merged(feature, parts)
    cells = cells.take(np.flatnonzero(~np.isnan(cells.value)))
    line = np.flatnonzero(np.append(True, (np.diff(cells.node) != 0) | (np.diff(cells.value) != 0)))
    of_line = np.repeat(np.arange(len(line)), np.diff(np.append(line, len(cells.node))))
    table = np.zeros((len(line), K), np.int64)
    np.add.at(table, (of_line, cells.label), cells.rows)
    node, up_to = cells.node[line], table.cumsum(0)
    whole = feature.table[:, :-1].sum(1)
    up_to -= (whole.cumsum(0) - whole)[node]
    left, right = up_to, whole[node] - up_to
    gain = cuts.gain(whole[node], left, right)
    gain[cuts.forbidden(left, right)] = -np.inf
    best = np.full(J, -np.inf)
    np.maximum.at(best, node, gain)
    return best


def merged(feature: InIntervals, parts: list[Cells]) -> Cells:
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
    return add(Cells(node, value, label, rows), missing, *parts)
