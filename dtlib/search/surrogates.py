"""Surrogate splits: splits on other features that send rows as the split of a node does (chapter 8).

A row whose value is missing is sent by the surrogate that agrees best with the split, if its value there is
known; else by the next one (as in CART [1]_, with the details of rpart [2]_).

References
----------
.. [1] L. Breiman, J. H. Friedman, R. A. Olshen, C. J. Stone, "Classification and Regression Trees" (1984),
   section 5.3.
.. [2] T. M. Therneau, E. J. Atkinson, "An introduction to recursive partitioning using the RPART routines",
   Mayo Foundation, section 5.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import NamedTuple

import numpy as np

from dtlib.arrays import first_best, inside, offsets
from dtlib.counting.pairs import Pairs, cells_of
from dtlib.counting.tables import count_tables
from dtlib.counting.targets import in_whole_numbers
from dtlib.search.level import BLOCK
from dtlib.search.rules import BySurrogates
from dtlib.table.training import Training, thresholds, values_beside

EACH_WAY = 2  # rows; a surrogate that sends fewer to a side could agree by chance
WORTH = 1e-10  # a smaller adjusted agreement counts as 0


@dataclass(frozen=True, eq=False)
class Surrogates:
    """The surrogate splits of a tree, those of a node contiguous, the best one first.

    Parameters
    ----------
    node, feature : int ndarrays of shape (S,)
        The node of each surrogate, and the feature that it tests.
    threshold : ndarray of shape (S,)
        The threshold of a numeric or ordered feature; else NaN.
    side : int ndarray of shape (S,)
        The branch of the rows up to the threshold.
    agreement, adjusted : ndarrays of shape (S,)
        The share of the weight that is sent as by the split itself; and the adjusted agreement: its increase
        over sending all rows to the larger branch, as a share of the largest possible increase.
    rows : int ndarray of shape (S,)
        How many training rows it has sent.
    n_values : int ndarray of shape (S,)
        For a nominal feature, how many categories have a branch; else 0.
    code, branch : int ndarrays
        The codes of these categories, ascending, one surrogate after the other; and the branch of each.
    default : int ndarray of shape (nodes,)
        The branch of a row whose values in all surrogates are missing, -1 if it ends at the node.
    """

    node: np.ndarray
    feature: np.ndarray
    threshold: np.ndarray
    side: np.ndarray
    agreement: np.ndarray
    adjusted: np.ndarray
    rows: np.ndarray
    n_values: np.ndarray
    code: np.ndarray
    branch: np.ndarray
    default: np.ndarray

    def __post_init__(self) -> None:
        for field in fields(self):
            getattr(self, field.name).setflags(write=False)

    def at(self, node: int) -> np.ndarray:
        """Return the positions of a node's surrogates, the best one first."""
        return np.flatnonzero(self.node == node)

    def moved(self, number: np.ndarray, asks: np.ndarray) -> "Surrogates":
        """Return the surrogates of nodes that still split, given the new index of each node (else -1)."""
        kept = np.flatnonzero((number[self.node] >= 0) & asks[number[self.node]])
        kept = kept[np.argsort(number[self.node[kept]], kind="stable")]
        size = self.n_values[kept]
        categorical = np.repeat(offsets(self.n_values)[kept], size) + inside(size)
        default = np.full(len(asks), -1)
        default[number[number >= 0]] = self.default[number >= 0]
        default[~asks] = -1
        lines = {name: getattr(self, name)[kept] for name in LINES}
        lines["node"] = number[lines["node"]]
        return Surrogates(
            **lines, code=self.code[categorical], branch=self.branch[categorical], default=default
        )

    def send(
        self, node: np.ndarray, look: Callable[[np.ndarray, np.ndarray], np.ndarray]
    ) -> tuple[np.ndarray, np.ndarray]:
        """Send rows by the first surrogate of their nodes in which their value is known.

        Parameters
        ----------
        node : int ndarray of shape (n,)
            The node of each row.
        look : callable
            Returns the values of some features in some of these rows, codes for categories, NaN if missing.

        Returns
        -------
        branch, by : int ndarrays of shape (n,)
            The branch of each row, and the position of the surrogate that sent it; -1 and -1 if none could.
        """
        branch, by = np.full((2, len(node)), -1)
        first = np.searchsorted(self.node, node)
        number = np.searchsorted(self.node, node, side="right") - first
        V = int(self.code.max(initial=0)) + 2
        keys = np.repeat(np.arange(len(self.node)), self.n_values) * V + self.code
        for rank in range(int(number.max(initial=0))):
            row = np.flatnonzero((branch < 0) & (rank < number))
            place = first[row] + rank
            x = look(self.feature[place], row)
            routed = np.where(x <= self.threshold[place], self.side[place], 1 - self.side[place])
            categorical = np.flatnonzero((self.n_values[place] > 0) & ~np.isnan(x))
            key = place[categorical] * V + np.minimum(x[categorical], V - 1).astype(np.intp)
            found = np.minimum(np.searchsorted(keys, key), max(len(keys) - 1, 0))
            routed[categorical] = (
                np.where(keys[found] == key, self.branch[found], -1) if len(categorical) else -1
            )
            known = ~np.isnan(x) & (routed >= 0)
            branch[row[known]], by[row[known]] = routed[known], place[known]
        return branch, by


LINES = ("node", "feature", "threshold", "side", "agreement", "adjusted", "rows", "n_values")


def no_surrogates(default: np.ndarray) -> Surrogates:
    """Return the surrogates of a tree that has none, given each node's branch of missing values."""
    places, numbers = np.empty(0, np.intp), np.empty(0)
    return Surrogates(
        places, places, numbers, places, numbers, numbers, places, places, places, places, default
    )


def join_levels(levels: list[Surrogates], sizes: list[int]) -> Surrogates:
    """Join the surrogates of all levels; `sizes` are the numbers of nodes of the levels."""
    levels = [*levels, no_surrogates(np.full(sum(sizes[len(levels) :]), -1))]
    parts = {field.name: [getattr(s, field.name) for s in levels] for field in fields(Surrogates)}
    start = np.cumsum([0, *sizes])
    parts["node"] = [node + first for node, first in zip(parts["node"], start, strict=False)]
    return Surrogates(**{name: np.concatenate(part) for name, part in parts.items()})


class Known(NamedTuple):
    """The rows of the nodes that split: their nodes, and the branch each took (-1: its value is missing)."""

    row: np.ndarray
    node: np.ndarray
    branch: np.ndarray
    weight: np.ndarray

    @classmethod
    def of(cls, data: Training, row: np.ndarray, node: np.ndarray, branch: np.ndarray) -> "Known":
        """Return some rows with their nodes and branches, each with its own weight as an integer."""
        return cls(row, node, branch, case_weights(data)[row])


class BySide(NamedTuple):
    """The weight and the number of rows that took each of the two branches, both of shape (2, ...)."""

    weight: np.ndarray
    rows: np.ndarray


class SurrogateCandidates(NamedTuple):
    """The candidates of one feature: node, weight sent alike, threshold and side; categories' branches."""

    node: np.ndarray
    agree: np.ndarray
    low: np.ndarray
    high: np.ndarray
    side: np.ndarray
    categorical: "NominalFeature | None" = None


class NominalFeature(NamedTuple):
    """The branch of each category: node, code, branch."""

    node: np.ndarray
    code: np.ndarray
    branch: np.ndarray


def count_sides(routed: Known, code: np.ndarray, V: int) -> Pairs[BySide]:
    """Count a feature of V values, given the code of each row, -1 where it is missing."""
    known, J = np.flatnonzero(code >= 0), int(routed.node.max(initial=-1)) + 1
    cell, size, pair = cells_of(routed.node[known], code[known], J, V)
    side, weight = routed.branch[known] + 1, routed.weight[known]  # side 0: the branch is not known
    rows = count_tables(cell, side, (1, size, 3))[0]
    weights = count_tables(cell, side, (1, size, 3), weight=weight)[0]
    if pair is None:
        pair = np.flatnonzero(rows.any(axis=1))
        rows, weights = rows[pair], weights[pair]
    return Pairs(*np.divmod(pair, V), BySide(weights.T[1:], rows.T[1:]))


def by_number(pairs: Pairs[BySide], J: int) -> SurrogateCandidates:
    """Find the threshold at each node that sends most weight alike, the lowest of equal ones."""
    node, start = pairs.node, np.searchsorted(pairs.node, np.arange(J))
    whole = BySide(pairs.sums.weight.astype(np.int64), pairs.sums.rows)  # running sums of it may wrap
    weight, rows = (np.stack([np.bincount(node, x, J) for x in table]) for table in whole)
    below, rows_below = (sums_from(table, start)[:, :-1] for table in whole)
    here = node[:-1]
    same = below[0] + (weight[1][here] - below[1])
    other = below[1] + (weight[0][here] - below[0])
    agree, few = np.maximum(same, other), rows_below.sum(0)
    possible = (here == node[1:]) & (few >= EACH_WAY) & (rows.sum(0)[here] - few >= EACH_WAY)
    cut = np.flatnonzero(possible & (agree > weight.max(0)[here]))
    best, first = first_best(here[cut], agree[cut], 0.0, J)
    found = np.flatnonzero(first >= 0)
    place = cut[first[found]]
    side = (other[place] > same[place]).astype(np.intp)
    return SurrogateCandidates(found, best[found], pairs.code[place], pairs.code[place + 1], side)


def sums_from(table: np.ndarray, start: np.ndarray) -> np.ndarray:
    """Return running sums of the columns of a table, which begin anew at each start.

    Examples
    --------
    >>> sums_from(np.array([[1, 2, 3, 4]]), np.array([0, 2]))
    array([[1, 3, 3, 7]])
    """
    total, size = np.cumsum(table, axis=1), np.diff(start, append=table.shape[1])
    before = np.pad(total, ((0, 0), (1, 0)))[:, start]
    return total - np.repeat(before, size, axis=1)


def categorical_surrogate(pairs: Pairs[BySide], J: int, rule: str, last: np.ndarray) -> SurrogateCandidates:
    """Send each category to the branch of most of its weight; ties to the node's heavier one, or `last`."""
    some = np.flatnonzero(pairs.sums.rows.sum(0))  # a category without rows of known branch gets no branch
    node, code, weight, rows = pairs.node[some], pairs.code[some], *(x[:, some] for x in pairs.sums)
    left, right = weight
    total = np.stack([np.bincount(node, w, J) for w in weight])
    most = np.where(total[0] == total[1], last, total[0] < total[1])
    branch = np.where(left == right, most[node], left < right).astype(np.intp)
    alike, every = rows[branch, np.arange(len(node))], rows.sum(0)
    if rule == "disagree":
        one, other = np.bincount(node, alike, J), np.bincount(node, every - alike, J)
    else:
        one, other = (np.bincount(node, every * (branch == side), J) for side in (0, 1))
    agree = np.bincount(node, np.maximum(left, right), J)
    found = np.flatnonzero((one >= EACH_WAY) & (other >= EACH_WAY))
    none, zero = np.full(len(found), -1), np.zeros(len(found), np.intp)
    return SurrogateCandidates(found, agree[found], none, none, zero, NominalFeature(node, code, branch))


def find(
    data: Training, routed: Known, tested: np.ndarray, both: np.ndarray, how: BySurrogates, strict: bool
) -> Surrogates:
    """Find the surrogates of the nodes of a level that split, given the feature that each of them tests.

    `both` is the weight that took each branch, shape (2, J). With `strict`, a value equal to a threshold goes
    with those above it. Nodes are indexed from 0; `rows` and `default` are still to be filled in.
    """
    J, lines = len(tested), [np.empty((7, 0))]
    names: dict[int, tuple[NominalFeature, int]] = {}
    last = right_children(data, routed, J) if how.categorical_rule == "disagree" else np.ones(J, np.intp)
    for features in batches(data, len(routed.row)):
        part, code, V = codes_of(data, routed, tested, features)
        pairs, times = count_sides(part, code, V), len(features)
        if data.features[features[0]].kind == "nominal":
            found = categorical_surrogate(pairs, J * times, how.categorical_rule, np.tile(last, times))
        else:
            found = by_number(pairs, J * times)
        own = np.tile(both, times)
        if how.agreement == "known":
            own = sides_of(Known(*(x[code >= 0] for x in part)), J * times)
        place, node = np.divmod(found.node, J)
        if found.categorical is not None:
            names |= {f: (found.categorical, k * J) for k, f in enumerate(features)}
        lines.append(worthwhile(found, own, node, features[place]))
    return best_of_each(data, np.concatenate(lines, axis=1), names, J, how.max_surrogates, strict)


def worthwhile(
    found: SurrogateCandidates, both: np.ndarray, node: np.ndarray, feature: np.ndarray | int
) -> np.ndarray:
    """Return lines of candidates that beat the larger branch, given the weight of both, shape (2, nodes)."""
    every, most = both.sum(0)[found.node], both.max(0)[found.node]
    agreement, share = found.agree / every, most / every
    adjusted = (agreement - share) / (1 - share)
    feature = np.broadcast_to(feature, len(node))
    columns = node, -agreement, feature, adjusted, found.low, found.high, found.side
    return np.stack(columns)[:, adjusted > WORTH]


def batches(data: Training, n: int) -> list[np.ndarray]:
    """Divide the features into batches of one kind each, small enough for n rows to stay in the cache."""
    is_name = np.array([feature.kind == "nominal" for feature in data.features])
    step = max(1, BLOCK // max(n, 1))
    kinds = np.flatnonzero(~is_name), np.flatnonzero(is_name)
    return [kind[a : a + step] for kind in kinds for a in range(0, len(kind), step)]


def codes_of(
    data: Training, routed: Known, tested: np.ndarray, features: np.ndarray
) -> tuple[Known, np.ndarray, int]:
    """Stack the rows once per candidate feature, without nodes that test it; each copy has its own nodes.

    Returns the rows, one feature after the other, their codes, and the largest number of values.
    """
    k, here = np.nonzero((tested != features[:, None])[:, routed.node])
    part = Known(*(x[here] for x in routed))
    V = max(len(data.numbers.get(f, data.features[f].values)) for f in features.tolist())
    code = data.codes[features[k], part.row]
    return part._replace(node=part.node + k * len(tested)), code, V


def sides_of(routed: Known, J: int) -> np.ndarray:
    """Return the weight that took each branch, as an array of shape (2, J)."""
    return np.stack([np.bincount(routed.node, routed.weight * (routed.branch == k), J) for k in (0, 1)])


def right_children(data: Training, routed: Known, J: int) -> np.ndarray:
    """Return which branch of each node is rpart's right one: that of the larger mean (of class codes)."""
    target = data.targets[0]
    y = target.codes if target.kind == "nominal" else np.asarray(target.values)[target.codes]
    y, weight = y[routed.row], np.ones(len(routed.row)) if data.weight is None else data.weight[routed.row]
    mean = []
    for side in (0, 1):
        here = np.where(routed.branch == side, weight, 0)
        with np.errstate(invalid="ignore"):  # a branch may have no weight for the target
            mean.append(np.bincount(routed.node, here * y, J) / np.bincount(routed.node, here, J))
    return (mean[0] < mean[1]).astype(np.intp)


def best_of_each(
    data: Training,
    table: np.ndarray,
    names: dict[int, tuple[NominalFeature, int]],
    J: int,
    most: int,
    strict: bool,
) -> Surrogates:
    """Sort the candidates of all features by node, agreement and column; keep the best ones of each node."""
    table = table[:, np.lexsort(table[2::-1])].T
    node = table[:, 0].astype(np.intp)
    table = table[np.arange(len(node)) - np.searchsorted(node, node) < most]
    node, feature, low, high, side = table[:, [0, 2, 4, 5, 6]].astype(np.intp).T
    n_values, categorical = np.zeros(len(node), np.intp), [np.empty((2, 0), np.intp)]
    for i in np.flatnonzero(low < 0).tolist():
        found, first = names[int(feature[i])]
        here = slice(*np.searchsorted(found.node, first + node[i] + [0, 1]))
        categorical.append(np.stack([found.code[here], found.branch[here]]))
        n_values[i] = categorical[-1].shape[1]
    x = thresholds(data.features, feature, values_beside(data, feature, low, high), strict)
    code, branch = np.concatenate(categorical, axis=1)
    none, routed = np.full(J, -1), np.zeros(len(node), np.intp)
    return Surrogates(node, feature, x, side, -table[:, 1], table[:, 3], routed, n_values, code, branch, none)


def look_up(data: Training, rows: np.ndarray) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    """Return a function that looks up values of features in some training rows, for `Surrogates.send`."""

    def look(feature: np.ndarray, place: np.ndarray) -> np.ndarray:
        x = np.empty(len(place))
        for f in np.unique(feature).tolist():
            here = np.flatnonzero(feature == f)
            x[here] = data.decode(f, data.codes[f, rows[place[here]]])
        return x

    return look


def case_weights(data: Training) -> np.ndarray:
    """Return the weights of the training rows without those of their classes, as integers."""
    weight = data.weight if data.case_weight is None else data.case_weight
    if weight is None:
        return np.ones(data.codes.shape[1])
    return in_whole_numbers(weight)[0].astype(float)


def larger_side(both: np.ndarray) -> np.ndarray:
    """Return the heavier branch of each node, given the weight of both, shape (2, J); -1 if equal.

    Examples
    --------
    >>> larger_side(np.array([[3.0, 2.0, 2.0], [1.0, 2.0, 4.0]]))
    array([ 0, -1,  1])
    """
    return np.where(both[0] == both[1], -1, (both[0] < both[1]).astype(np.intp))
