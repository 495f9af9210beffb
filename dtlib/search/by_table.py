"""Categorical features, and numeric ones of few values: counted, then split (chapters 4, 7 and 8).

A *pair* is a node and a value that occurs in it, with the sums over its rows: a row of a count table.

References
----------
.. [1] W. D. Fisher, "On grouping for maximum homogeneity", JASA 53 (1958) 789-798; L. Breiman et al.,
   "Classification and Regression Trees" (1984), section 4.2 and theorem 4.5.
.. [2] D. Coppersmith, S. J. Hong, J. R. M. Hosking, "Partitioning nominal attributes in decision trees", Data
   Mining and Knowledge Discovery 3 (1999) 197-217.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy import sparse

from dtlib.arrays import first_best, offsets
from dtlib.counting.pairs import Pairs, cells_of, sort_on
from dtlib.counting.score import Scorer
from dtlib.counting.targets import ClassificationTarget, RegressionTarget, Totals, deviations, medians
from dtlib.search.by_order import Scan
from dtlib.search.level import BLOCK, Level, Limits, enough
from dtlib.search.two_groups import EXHAUSTIVE_CATEGORIES, in_first_group, sums_of_first_groups

POWER = 20  # steps of a power iteration
NO_NODES = np.empty(0, np.intp)

CountedPairs = Pairs[Totals]
KeyOfCategories = Callable[[Level, CountedPairs, np.ndarray], np.ndarray]


class BestCuts(NamedTuple):
    """The best cut of each line (a feature at a node): its score, and the codes on either side of it."""

    score: np.ndarray
    low: np.ndarray
    high: np.ndarray


class BestGroups(NamedTuple):
    """The best split of a categorical feature at each node: its score, and the branch of each pair.

    `by_heuristic` are the nodes whose two groups a heuristic has found: another two groups may be better.
    """

    score: np.ndarray
    pairs: CountedPairs
    branch: np.ndarray
    multiway: bool = False
    by_heuristic: np.ndarray = NO_NODES


def count_pairs(level: Level, code: np.ndarray, V: int) -> CountedPairs:
    """Count a feature of V values, given the code of each row of the level.

    Examples
    --------
    >>> from dtlib.table.columns import Column
    >>> target = ClassificationTarget([Column("y", ("no", "yes"), np.array([0, 1, 1]))], None, "gini")
    >>> totals = target.totals(target.gather(np.arange(3)), np.array([0, 0, 1]), 2)
    >>> pairs = count_pairs(Level(target, np.arange(3), totals, np.zeros(2)), np.array([5, 5, 2]), 6)
    >>> pairs.node, pairs.code, pairs.sums.n, pairs.sums.channels  # 2 rows, 1 of the second class; 1 and 1
    (array([0, 1]), array([5, 2]), array([2, 1]), [array([1, 1])])
    """
    cell, size, pair = cells_of(level.node, code, len(level.size), V)
    sums = level.target.totals(level.gathered, cell, size)
    if pair is None:
        pair = np.flatnonzero(sums.rows)
        sums = sums.take(pair)
    return Pairs(*np.divmod(pair, V), sums)


def take_pairs(pairs: CountedPairs, places: np.ndarray | slice) -> CountedPairs:
    """Return some of the pairs."""
    return Pairs(pairs.node[places], pairs.code[places], pairs.sums.take(places))


def cut_pairs(level: Level, pairs: CountedPairs, scorer: Scorer, limits: Limits) -> np.ndarray:
    """Score the cut after each pair, in the order in which they are given."""
    node, sums = pairs.node, pairs.sums
    before = level.running.take(node)
    n_left, rows_left = np.cumsum(sums.n) - before.n, np.cumsum(sums.rows) - before.rows
    left = (np.cumsum(c) - b for c, b in zip(sums.channels, before.channels, strict=True))
    score = scorer.cuts(n_left, level.totals.take(node))(left)
    return np.where(enough(level, node, n_left, rows_left, limits), score, -np.inf)


def best_pairs(
    nominal: str, level: Level, code: np.ndarray, V: int, scorer: Scorer | None, limits: Limits,
    key: KeyOfCategories | None = None,
) -> BestGroups:  # fmt: skip
    """Return the best split of a nominal feature: "multiway", "one_vs_rest", "subset" or "ordered".

    A `key`, if given, returns the numbers by which categories are "ordered", given a level, its pairs, and
    the code of each row.
    """
    pairs = count_pairs(level, code, V)
    if key is not None and nominal == "ordered" and scorer is not None:
        return best_two_groups(level, pairs, scorer, limits, False, key(level, pairs, code))
    if scorer is None:
        return best_by_rows(nominal, level, pairs, code, V, limits)
    return best_groups(nominal, level, pairs, scorer, limits)


def best_by_rows(
    nominal: str, level: Level, pairs: CountedPairs, code: np.ndarray, V: int, limits: Limits
) -> BestGroups:
    """Return the best split of a nominal feature by a criterion that is computed from rows, not from sums."""
    criterion = level.target.criterion
    if criterion.measured == "deviations" and nominal == "multiway":
        return multiway_by_deviation(level, pairs, code, V)
    if criterion.measured == "medians" and nominal in ("subset", "ordered"):
        return subset_by_median(level, pairs, code, V, limits)
    raise ValueError(f"criterion {criterion.name!r} has no splits of categories with nominal={nominal!r}")


def best_groups(
    nominal: str, level: Level, pairs: CountedPairs, scorer: Scorer, limits: Limits
) -> BestGroups:
    """Return the best split of a nominal feature, given its counts."""
    if nominal == "multiway":
        return multiway(level, pairs, scorer)
    binary = {"subset": subset, "ordered": cut_of_order, "one_vs_rest": one_vs_rest_splits}
    if nominal not in binary:
        raise ValueError(f"nominal is {nominal!r}; wanted one of {['multiway', *binary]}")
    return binary[nominal](level, pairs, scorer, limits)


def counted_cuts(
    level: Level, codes: np.ndarray, features: list[int], V: int, scorer: Scorer, limits: Limits
) -> BestCuts:
    """Return the best thresholds of counted features of up to V values, as arrays of shape (features, nodes).

    Small levels are searched for several features at once, as if each had nodes of its own.
    """
    shape, n = (len(features), len(level.size)), codes.shape[1]
    score, low, high = np.empty(shape), np.empty(shape, np.intp), np.empty(shape, np.intp)
    step = max(1, BLOCK // len(level.rows))
    for a in range(0, len(features), step):
        block = slice(a, a + step)
        start = np.array(features[block])[:, None] * np.intp(n)
        here = level.tiled(len(start))
        pairs = count_pairs(here, np.take(codes, level.rows + start).ravel(), V)
        best, first = here.best(pairs.node, cut_pairs(here, pairs, scorer, limits))
        score[block] = best.reshape(-1, shape[1])
        low[block] = pairs.code[first].reshape(-1, shape[1])
        high[block] = pairs.code[np.minimum(first + 1, len(pairs.code) - 1)].reshape(-1, shape[1])
    return BestCuts(score, low, high)


def binary_cuts(level: Level, twos: np.ndarray, scorer: Scorer, limits: Limits) -> BestCuts:
    """Return the only thresholds of features of two values, as arrays of shape (features, nodes).

    Only the rows with the second value are summed; the first value has the rest of the node.

    Parameters
    ----------
    level, twos
        As for `sums_of_seconds`.
    scorer, limits
        As for `counted_cuts`.
    """
    J, first = len(level.size), level.totals.less(sums_of_seconds(level, twos))
    score, step = np.empty(first.n.shape), max(1, BLOCK // J)
    for a in range(0, len(score), step):
        left = first.take(slice(a, a + step))
        found = scorer.cuts(left.n, level.totals)(left.channels)
        possible = enough(level, np.arange(J), left.n, left.rows, limits)
        score[a : a + step] = np.where(possible, found, -np.inf)
    low, high = np.zeros(score.shape, np.intp), np.ones(score.shape, np.intp)
    return BestCuts(score, low, high)


def sums_of_seconds(level: Level, twos: np.ndarray) -> Totals:
    """Return the sums over the rows of each node with the second value, of shape (features, nodes).

    They are a product of two matrices: of nodes and rows, which is sparse, and of rows and features.

    Parameters
    ----------
    level : Level
    twos : int ndarray of shape (n, features)
        The codes of all training rows, 0 or 1, in the target's type of sums.

    Examples
    --------
    >>> from dtlib.table.columns import Column
    >>> target = ClassificationTarget([Column("y", ("no", "yes"), np.array([0, 1, 1]))], None, "gini")
    >>> totals = target.totals(target.gather(np.arange(3)), np.array([0, 0, 1]), 2)
    >>> level = Level(target, np.arange(3), totals, np.zeros(2))
    >>> sums_of_seconds(level, np.array([[0], [1], [1]], np.int32)).channels
    [array([[1, 1]], dtype=int32)]
    """
    weight, J = level.target.weigh(level.rows), len(level.size)
    summed = [np.ones(len(level.rows), bool), *level.target.channels(level.rows)]
    summed += [] if weight is None else [weight]
    some = [np.flatnonzero(x) for x in summed]  # of classes, each row is in one channel at most
    x = np.concatenate([x.take(place) for x, place in zip(summed, some, strict=True)])
    ends = np.cumsum(np.concatenate([np.bincount(level.node.take(place), minlength=J) for place in some]))
    entries = x.astype(twos.dtype), level.rows.take(np.concatenate(some)), np.append(0, ends)
    of_node = sparse.csr_array(entries, shape=(len(ends), len(twos)))
    rows, *sums = np.ascontiguousarray((of_node @ twos).reshape(len(some), J, -1).transpose(0, 2, 1))
    return Totals(rows if weight is None else sums.pop(), sums, rows)


def multiway(level: Level, pairs: CountedPairs, scorer: Scorer) -> BestGroups:
    """Return the split with a branch for each value."""
    start = np.searchsorted(pairs.node, np.arange(len(level.size)))
    score = scorer.branch(pairs.sums, level.totals.take(pairs.node))
    several = np.diff(start, append=len(score)) > 1
    score = np.where(several, np.add.reduceat(score, start), -np.inf)  # the pairs of a node are contiguous
    return BestGroups(score, pairs, pairs.code, multiway=True)


def multiway_by_deviation(level: Level, pairs: CountedPairs, code: np.ndarray, V: int) -> BestGroups:
    """Return the split with a branch for each value, scored by the decrease of the standard deviation."""
    target = level.target
    assert isinstance(target, RegressionTarget)
    pair = np.searchsorted(pairs.node * V + pairs.code, level.node * V + code)
    weight, decrease = target.weights_of(level.rows), np.zeros(len(level.size))
    whole, part = (n * target.weight_unit for n in (level.totals.n, pairs.sums.n))
    for y in target.y:
        x = y[level.rows]
        below = part * deviations(x, weight, pair, part)
        decrease += whole * deviations(x, weight, level.node, whole)
        decrease -= np.bincount(pairs.node, below, len(level.size))
    several = np.bincount(pairs.node, minlength=len(level.size)) > 1
    return BestGroups(np.where(several, decrease / len(target.y), -np.inf), pairs, pairs.code, multiway=True)


def one_vs_rest_splits(level: Level, pairs: CountedPairs, scorer: Scorer, limits: Limits) -> BestGroups:
    """Return the best split into one value and the rest."""
    whole, one = level.totals.take(pairs.node), pairs.sums
    score = scorer.two_branches(one, whole)
    score = np.where(enough(level, pairs.node, one.n, one.rows, limits), score, -np.inf)
    best, first = level.best(pairs.node, score)
    return BestGroups(best, pairs, (np.arange(len(score)) != first[pairs.node]).astype(np.intp))


def subset(level: Level, pairs: CountedPairs, scorer: Scorer, limits: Limits) -> BestGroups:
    """Return the best split into two groups of values; the group of the node's first value comes first.

    For two classes, or one regression target with squared error or Poisson deviance, the best groups are cuts
    of the values ordered by their mean [1]_, if no branch is too small and the score is a decrease of
    impurity: of such a criterion the proof needs only that a branch loses its weight times a concave function
    of its mean, which is -m ln m for Poisson deviance. Otherwise, and if values without events could form a
    branch that may not be, all divisions of up to `EXHAUSTIVE_CATEGORIES` values are tried; more values are
    ordered by the first principal component of their class shares [2]_, a heuristic that need not find the
    best groups.
    """
    limited = limits.weight > 0 or limits.rows > 1 or may_be_empty_of_events(level, pairs)
    return best_two_groups(level, pairs, scorer, limits, limited, sort_key(level, pairs))


def may_be_empty_of_events(level: Level, pairs: CountedPairs) -> bool:
    """Tell whether some values have no events, although no branch may be without."""
    target = level.target
    forbids = target.criterion.measured == "rates" and not target.zero_rates
    return forbids and any(bool((c == 0).any()) for c in pairs.sums.channels)


def cut_of_order(level: Level, pairs: CountedPairs, scorer: Scorer, limits: Limits) -> BestGroups:
    """Return the best two groups; with two classes or one target, only cuts of the order by mean are tried.

    With two classes, categories are ordered by the share of the first class, as in rpart, ties by category.
    """
    return best_two_groups(level, pairs, scorer, limits, False, order_key(level, pairs))


def order_key(level: Level, pairs: CountedPairs) -> np.ndarray:
    """Return the numbers by which `cut_of_order` orders the values of a node."""
    of_first = isinstance(level.target, ClassificationTarget) and len(pairs.sums.channels) == 1
    return sort_key(level, pairs) * (-1 if of_first else 1)


def best_two_groups(
    level: Level, pairs: CountedPairs, scorer: Scorer, limits: Limits, every: bool, key: np.ndarray
) -> BestGroups:
    """Return the best two groups: cuts of the order by `key`; with `every`, also divisions in no order."""
    order = sort_on(np.argsort(key, kind="stable"), pairs.node, len(level.size))
    ordered = take_pairs(pairs, order)
    best, first = level.best(pairs.node, cut_pairs(level, ordered, scorer, limits))
    left = np.empty(len(order), bool)
    left[order] = np.arange(len(order)) <= first[ordered.node]
    by_heuristic = NO_NODES
    if every or in_no_order(level):
        values = np.bincount(pairs.node)
        by_heuristic = np.flatnonzero(values > EXHAUSTIVE_CATEGORIES)
        for p in range(3, EXHAUSTIVE_CATEGORIES + 1):
            nodes = np.flatnonzero(values == p)
            step = max(1, BLOCK >> (p - 1))
            for a in range(0, len(nodes), step):
                try_all(level, pairs, nodes[a : a + step], p, scorer, limits, best, left)
    if len(by_heuristic):
        free, _ = level.best(ordered.node, cut_pairs(level, ordered, scorer.free, Limits()))
        unproved = has_several_classes(level, by_heuristic) | (free > best + level.slack)[by_heuristic]
        unproved |= not level.target.criterion.is_decrease
        by_heuristic = by_heuristic[unproved]
    return BestGroups(best, pairs, canonical_orientation(level, pairs, left), by_heuristic=by_heuristic)


def in_no_order(level: Level) -> bool:
    """Tell whether the best two groups of values need not be a cut of their order by mean."""
    target = level.target
    return sum(len(group) for group in target.groups) > 1 or not target.criterion.is_decrease


def has_several_classes(level: Level, nodes: np.ndarray) -> np.ndarray:
    """Tell which nodes have more than two classes, so that the best groups need not be a cut of an order.

    Several outputs count as several classes, a single regression target does not.
    """
    target, whole = level.target, level.totals.take(nodes)
    if not isinstance(target, ClassificationTarget) or len(target.groups) > 1:
        return np.full(len(nodes), len(whole.channels) > 1)
    found = np.sum([c > 0 for c in whole.channels], axis=0)
    return np.asarray(found + (whole.n > np.sum(whole.channels, axis=0)) > 2)


def canonical_orientation(level: Level, pairs: CountedPairs, left: np.ndarray) -> np.ndarray:
    """Return the branch of each pair, given which values form a group: a node's first value has branch 0."""
    start = np.searchsorted(pairs.node, np.arange(len(level.size)))
    return (left != left[start][pairs.node]).astype(np.intp)


def sort_key(level: Level, pairs: Pairs) -> np.ndarray:
    """Return the numbers by which values of a node are ordered: mean, or first principal component.

    The component is found by power iteration, from the value that is farthest from the mean. Where all groups
    will be tried, the order does not matter.
    """
    n = np.maximum(pairs.sums.n, 1)
    if len(pairs.sums.channels) == 1:
        return pairs.sums.channels[0] / n
    wide = np.flatnonzero((np.bincount(pairs.node) > EXHAUSTIVE_CATEGORIES)[pairs.node])
    key = np.zeros(len(n))
    if not len(wide):
        return key
    node, start = np.unique(pairs.node[wide], return_index=True)
    group, sums, n = np.searchsorted(node, pairs.node[wide]), pairs.sums.take(wide), n[wide][:, None]
    whole = level.totals.take(node[group])
    channels = zip(sums.channels, whole.channels, strict=True)
    distance = np.stack([c / n[:, 0] - t / whole.n for c, t in channels], axis=1)
    farthest = (n * distance**2).sum(1)
    axis = distance[first_best(group, farthest, 0.0, len(node))[1]]
    for _ in range(POWER):
        moved = np.add.reduceat(n * distance * (distance * axis[group]).sum(1, keepdims=True), start)
        axis = moved / np.maximum(np.abs(moved).max(1, keepdims=True), np.finfo(float).tiny)
    key[wide] = (distance * axis[group]).sum(1)
    return key


def try_all(
    level: Level,
    pairs: CountedPairs,
    nodes: np.ndarray,
    p: int,
    scorer: Scorer,
    limits: Limits,
    best: np.ndarray,
    left: np.ndarray,
) -> None:
    """Try all divisions of the p values of some nodes in two groups; write the best to `best` and `left`."""
    places, sums = sums_of_values(pairs, nodes, p)
    blocks = [score_groups(level, nodes, one, scorer, limits) for one in sums_of_first_groups(sums)]
    score = blocks[0] if len(blocks) == 1 else np.concatenate(blocks, axis=1)
    best[nodes] = score.max(1)
    chosen = (score >= (best - level.slack)[nodes, None]).argmax(1)
    left[places] = in_first_group(chosen, p)


def sums_of_values(pairs: CountedPairs, nodes: np.ndarray, p: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the positions of the p values of some nodes, and their sums, as `score_groups` takes them."""
    places = np.searchsorted(pairs.node, nodes)[:, None] + np.arange(p)
    sums = pairs.sums.take(places)
    return places, np.stack([sums.n, sums.rows, *sums.channels])


def score_groups(
    level: Level, nodes: np.ndarray, sums: np.ndarray, scorer: Scorer, limits: Limits
) -> np.ndarray:
    """Score splits of some nodes into one group of values and the rest, shape (nodes, splits).

    Parameters
    ----------
    level, scorer, limits
        As for `best_groups`.
    nodes : int ndarray
    sums : int ndarray of shape (2 + channels, nodes, splits)
        Sums over the one group: its weight, its rows, its channels.
    """
    node, (n, rows, *channels) = nodes[:, None], sums
    one, whole = Totals(n, channels, rows), level.totals.take(node)
    score = scorer.two_branches(one, whole)
    return np.where(enough(level, node, n, rows, limits), score, -np.inf)


def subset_by_median(
    level: Level, pairs: CountedPairs, code: np.ndarray, V: int, limits: Limits
) -> BestGroups:
    """Return the best cut of the values ordered by their medians: a heuristic for absolute error."""
    target = level.target
    assert isinstance(target, RegressionTarget)
    pair = np.searchsorted(pairs.node * V + pairs.code, level.node * V + code)
    start = offsets(pairs.sums.rows)
    key = np.zeros(len(pairs.node))
    for y in target.centered:
        key += medians(y[level.rows], target.weights_of(level.rows), pair, start, pairs.sums.rows)
    order = sort_on(np.argsort(key, kind="stable"), pairs.node, len(level.size))
    place = np.empty(len(order), np.intp)
    place[order] = np.arange(len(order))
    rows = np.argsort(place[pair], kind="stable")
    score = Scan(level, None, limits).scores(level.rows[rows][None], place[pair][rows][None])[0]
    best, first = level.best(level.node, score)
    left = place <= place[pair][rows][first][pairs.node]
    several = np.flatnonzero(np.bincount(pairs.node) > 2)
    return BestGroups(best, pairs, canonical_orientation(level, pairs, left), by_heuristic=several)
