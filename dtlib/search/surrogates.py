"""Surrogates: questions about other features that part the rows as the question of a node does (chapter 7).

A row whose answer is missing is sent by the surrogate that agrees best with the question, if that is known;
else by the next one (CART's way [1]_, with the details of rpart [2]_).

References
----------
.. [1] L. Breiman, J. H. Friedman, R. A. Olshen, C. J. Stone, "Classification and Regression Trees" (1984),
   section 5.3.
.. [2] T. M. Therneau, E. J. Atkinson, "An introduction to recursive partitioning using the RPART routines",
   Mayo Foundation, section 5.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import NamedTuple

import numpy as np

from dtlib.arrays import offsets
from dtlib.counting.targets import in_whole_numbers
from dtlib.search.level import BLOCK
from dtlib.search.rules import BySurrogates
from dtlib.table.training import Training, thresholds

EACH_WAY = 2  # rows; a surrogate that sends fewer to a side could agree by chance
WORTH = 1e-10  # a smaller adjusted agreement is none
SPARSE = 4  # cells per row; in a larger table most would be empty


@dataclass(frozen=True, eq=False)
class Surrogates:
    """The surrogates of a tree, those of a node after each other, the best one first.

    Parameters
    ----------
    node, feature : int ndarrays of shape (S,)
        Where each stands in, and what it asks.
    threshold : ndarray of shape (S,)
        Where numbers, or names in an order, are asked; else NaN.
    side : int ndarray of shape (S,)
        The branch of the rows up to the threshold.
    agreement, adjusted : ndarrays of shape (S,)
        The share of the weight that is sent as by the question itself; and by how much of what is possible
        that is more than if all went to the larger branch.
    rows : int ndarray of shape (S,)
        How many training rows it has sent.
    n_values : int ndarray of shape (S,)
        Where names are asked, how many have a branch; else 0.
    code, branch : int ndarrays
        These names, ascending, one surrogate after the other; and the branch of each.
    default : int ndarray of shape (nodes,)
        The branch of a row whose surrogates are all missing, -1 if it ends at the node.
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
        """Return the places of a node's surrogates, the best one first."""
        return np.flatnonzero(self.node == node)

    def moved(self, number: np.ndarray, asks: np.ndarray) -> Surrogates:
        """Return those of the nodes that have a new number (else -1) and still ask something."""
        kept = np.flatnonzero((number[self.node] >= 0) & asks[number[self.node]])
        kept = kept[np.argsort(number[self.node[kept]], kind="stable")]
        start = offsets(self.n_values)
        size = self.n_values[kept]
        inside = np.repeat(start[kept] - np.cumsum(size) + size, size) + np.arange(size.sum())
        default = np.full(len(asks), -1)
        default[number[number >= 0]] = self.default[number >= 0]
        default[~asks] = -1
        lines = {name: getattr(self, name)[kept] for name in LINES}
        lines["node"] = number[lines["node"]]
        return Surrogates(**lines, code=self.code[inside], branch=self.branch[inside], default=default)

    def send(
        self, node: np.ndarray, look: Callable[[np.ndarray, np.ndarray], np.ndarray]
    ) -> tuple[np.ndarray, np.ndarray]:
        """Send rows by the first surrogate of their nodes that they know.

        Parameters
        ----------
        node : int ndarray of shape (n,)
            Where each row is.
        look : callable
            Returns the values of some features in some of these rows, NaN where one is missing; of names,
            their places.

        Returns
        -------
        branch, by : int ndarrays of shape (n,)
            The branch of each row, and the place of the surrogate that sent it; -1 and -1 if none could.
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
            sent = np.where(x <= self.threshold[place], self.side[place], 1 - self.side[place])
            named = np.flatnonzero((self.n_values[place] > 0) & ~np.isnan(x))
            key = place[named] * V + np.minimum(x[named], V - 1).astype(np.intp)
            found = np.minimum(np.searchsorted(keys, key), max(len(keys) - 1, 0))
            sent[named] = np.where(keys[found] == key, self.branch[found], -1) if len(named) else -1
            known = ~np.isnan(x) & (sent >= 0)
            branch[row[known]], by[row[known]] = sent[known], place[known]
        return branch, by


LINES = ("node", "feature", "threshold", "side", "agreement", "adjusted", "rows", "n_values")
EMPTY = {name: np.empty(0, np.intp) for name in (*LINES, "code", "branch")}
EMPTY |= {name: np.empty(0) for name in ("threshold", "agreement", "adjusted")}


def joined(levels: list[Surrogates], sizes: list[int]) -> Surrogates:
    """Put the surrogates of the levels together; `sizes` says how many nodes each level has."""
    start, rest = np.cumsum([0, *sizes]), sum(sizes[len(levels) :])
    parts = {field.name: [getattr(s, field.name) for s in levels] for field in fields(Surrogates)}
    parts["node"] = [node + first for node, first in zip(parts["node"], start, strict=False)]
    parts["default"].append(np.full(rest, -1))
    return Surrogates(**{name: np.concatenate(part or [EMPTY[name]]) for name, part in parts.items()})


class Known(NamedTuple):
    """The rows of the nodes that split: where they are, and the branch each took (-1 if it is not known)."""

    row: np.ndarray
    node: np.ndarray
    branch: np.ndarray
    weight: np.ndarray


class Pairs(NamedTuple):
    """The values of a feature in each node: the weight, and the rows, that took each branch."""

    node: np.ndarray
    code: np.ndarray
    weight: np.ndarray  # of shape (2, pairs)
    rows: np.ndarray


class Candidates(NamedTuple):
    """What one feature has to offer: node, weight sent alike, threshold and side; names' branches."""

    node: np.ndarray
    agree: np.ndarray
    low: np.ndarray
    high: np.ndarray
    side: np.ndarray
    pairs: Pairs | None = None
    branch: np.ndarray | None = None


def count(sent: Known, code: np.ndarray, V: int) -> Pairs:
    """Count a feature of V values, given the code of each row, -1 where it is missing."""
    known = np.flatnonzero(code >= 0)
    cell, J = sent.node[known] * np.intp(V) + code[known], int(sent.node.max(initial=-1)) + 1
    sides, weight = sent.branch[known] + 1, sent.weight[known]  # 0 where the branch is not known
    if SPARSE * len(code) + 1024 >= J * V:
        size, present = J * V, None
    else:
        present, cell = np.unique(cell, return_inverse=True)
        size = len(present)
    cell = 3 * cell + sides
    rows = np.bincount(cell, minlength=3 * size).reshape(-1, 3)
    weights = np.bincount(cell, weight, 3 * size).reshape(-1, 3)
    if present is None:
        present = np.flatnonzero(rows.any(axis=1))
        rows, weights = rows[present], weights[present]
    return Pairs(*np.divmod(present, V), weights.T[1:].astype(np.int64), rows.T[1:])


def by_number(pairs: Pairs, J: int) -> Candidates:
    """Find the threshold at each node that sends most weight alike; of equals the lowest."""
    node = pairs.node
    weight, rows = (np.stack([np.bincount(node, x, J) for x in table]) for table in pairs[2:])
    start = np.searchsorted(node, np.arange(J))
    below, rows_below = (running(table, start)[:, :-1] for table in pairs[2:])
    here = node[:-1]
    same = below[0] + (weight[1][here] - below[1])
    other = below[1] + (weight[0][here] - below[0])
    agree, few = np.maximum(same, other), rows_below.sum(0)
    possible = (here == node[1:]) & (few >= EACH_WAY) & (rows.sum(0)[here] - few >= EACH_WAY)
    score = np.where(possible & (agree > weight.max(0)[here]), agree, -1)
    best = np.full(J, -1.0)
    np.maximum.at(best, here, score)
    hit = np.flatnonzero((score >= 0) & (score == best[here]))[::-1]
    first = np.zeros(J, np.intp)
    first[here[hit]] = hit  # the lowest is written last
    found = np.flatnonzero(best >= 0)
    place = first[found]
    side = (other[place] > same[place]).astype(np.intp)
    return Candidates(found, best[found], pairs.code[place], pairs.code[place + 1], side)


def running(table: np.ndarray, start: np.ndarray) -> np.ndarray:
    """Return the sums of the columns of a table up to each, anew from each start."""
    total = np.cumsum(table, axis=1)
    size = np.diff(start, append=table.shape[1])
    before = np.concatenate([np.zeros((2, 1), total.dtype), total], axis=1)[:, start]
    return total - np.repeat(before, size, axis=1)


def by_name(pairs: Pairs, J: int, rule: str, last: np.ndarray) -> Candidates:
    """Send each name where most of its weight goes; of equals, where most of the node's does, else `last`."""
    some = np.flatnonzero(pairs.rows.sum(0))  # a name that no row with a known answer has, has no branch
    pairs = Pairs(pairs.node[some], pairs.code[some], pairs.weight[:, some], pairs.rows[:, some])
    node, (left, right) = pairs.node, pairs.weight
    total = np.stack([np.bincount(node, w, J) for w in pairs.weight])
    most = np.where(total[0] == total[1], last, total[0] < total[1])
    branch = np.where(left == right, most[node], left < right).astype(np.intp)
    alike, every = pairs.rows[branch, np.arange(len(node))], pairs.rows.sum(0)
    if rule == "disagree":
        one, other = np.bincount(node, alike, J), np.bincount(node, every - alike, J)
    else:
        one, other = (np.bincount(node, every * (branch == side), J) for side in (0, 1))
    agree = np.bincount(node, np.maximum(left, right), J)
    found = np.flatnonzero((one >= EACH_WAY) & (other >= EACH_WAY))
    none = np.full(len(found), -1)
    return Candidates(found, agree[found], none, none, np.zeros(len(found), np.intp), pairs, branch)


def find(data: Training, sent: Known, asked: np.ndarray, how: BySurrogates, below: bool) -> Surrogates:
    """Find the surrogates of the nodes of a level that split, given what each of them asks.

    A number equal to a threshold goes with those `below` it, or with those above.
    Nodes are numbered from 0; nothing is said yet of the rows that were sent, nor of the default.
    """
    J, lines, names = len(asked), [np.empty((7, 0))], {}
    total = sides_of(sent, J)
    last = right_sons(data, sent, J) if how.names == "disagree" else np.ones(J, np.intp)
    for features in batches(data, len(sent.row)):
        part, code, V = asked_of(data, sent, asked, features)
        pairs, times = count(part, code, V), len(features)
        nominal = data.features[features[0]].kind == "nominal"
        if nominal:
            found = by_name(pairs, J * times, how.names, np.tile(last, times))
        else:
            found = by_number(pairs, J * times)
        both = np.tile(total, times)
        if how.agreement == "known":
            both = sides_of(Known(*(x[code >= 0] for x in part)), J * times)
        place, node = np.divmod(found.node, J)
        every, most = both.sum(0)[found.node], both.max(0)[found.node]
        agreement, share = found.agree / every, most / every
        adjusted = (agreement - share) / (1 - share)
        names |= {f: (found, k * J) for k, f in enumerate(features) if nominal}
        columns = node, -agreement, features[place], adjusted, found.low, found.high, found.side
        lines.append(np.stack(columns)[:, adjusted > WORTH])
    return listed(data, np.concatenate(lines, axis=1), names, J, how.most, below)


def batches(data: Training, n: int) -> list[np.ndarray]:
    """Divide the features into some of one kind each, of n rows not more than stay in the cache."""
    is_name = np.array([feature.kind == "nominal" for feature in data.features])
    step = max(1, BLOCK // max(n, 1))
    kinds = np.flatnonzero(~is_name), np.flatnonzero(is_name)
    return [kind[a : a + step] for kind in kinds for a in range(0, len(kind), step)]


def asked_of(
    data: Training, sent: Known, asked: np.ndarray, features: np.ndarray
) -> tuple[Known, np.ndarray, int]:
    """Ask the rows for several features, each at the nodes that do not ask it: as if it had its own nodes.

    Returns the rows, one feature after the other, their codes, and the largest number of values.
    """
    k, here = np.nonzero((asked != features[:, None])[:, sent.node])
    part = Known(*(x[here] for x in sent))
    V = max(len(data.numbers.get(f, data.features[f].values)) for f in features.tolist())
    code = data.codes[features[k], part.row]
    return part._replace(node=part.node + k * len(asked)), code, V


def sides_of(sent: Known, J: int) -> np.ndarray:
    """Return the weight that took each branch, as an array of shape (2, J)."""
    return np.stack([np.bincount(sent.node, sent.weight * (sent.branch == k), J) for k in (0, 1)])


def right_sons(data: Training, sent: Known, J: int) -> np.ndarray:
    """Return which branch of each node is rpart's right one, that of the larger mean (of classes' places)."""
    target = data.targets[0]
    y = target.codes if target.kind == "nominal" else np.asarray(target.values)[target.codes]
    y, weight = y[sent.row], np.ones(len(sent.row)) if data.weight is None else data.weight[sent.row]
    mean = []
    for side in (0, 1):
        here = np.where(sent.branch == side, weight, 0)
        with np.errstate(invalid="ignore"):  # rows of no weight for the target
            mean.append(np.bincount(sent.node, here * y, J) / np.bincount(sent.node, here, J))
    return (mean[0] < mean[1]).astype(np.intp)


def listed(
    data: Training,
    table: np.ndarray,
    names: dict[int, tuple[Candidates, int]],
    J: int,
    most: int,
    below: bool,
) -> Surrogates:
    """Sort the candidates of all features by node and agreement, of equals the first column first."""
    table = table[:, np.lexsort(table[2::-1])].T
    node = table[:, 0].astype(np.intp)
    table = table[np.arange(len(node)) - np.searchsorted(node, node) < most]
    node, feature, low, high, side = table[:, [0, 2, 4, 5, 6]].astype(np.intp).T
    sizes, codes, branches = [np.empty(0, np.intp)], [np.empty(0, np.intp)], [np.empty(0, np.intp)]
    for j, f in zip(node.tolist(), feature.tolist(), strict=True):
        here = np.empty(0, np.intp)
        if data.features[f].kind == "nominal":
            found, first = names[f]
            here = np.arange(*np.searchsorted(found.pairs.node, [first + j, first + j + 1]))
            codes.append(found.pairs.code[here])
            branches.append(found.branch[here])
        sizes.append(np.array([len(here)]))
    x = thresholds(data, feature, low, high, below)
    return Surrogates(
        node, feature, x, side, -table[:, 1], table[:, 3], np.zeros(len(node), np.intp),
        *map(np.concatenate, (sizes, codes, branches)), np.full(J, -1),
    )  # fmt: skip


def look_up(data: Training, rows: np.ndarray) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    """Return what shows the values of features in some training rows, as `Surrogates.send` wants them."""

    def look(feature: np.ndarray, place: np.ndarray) -> np.ndarray:
        code = data.codes[feature, rows[place]]
        x = np.where(code < 0, np.nan, code)
        for f in np.unique(feature):
            here = np.flatnonzero((feature == f) & (code >= 0))
            if int(f) in data.numbers:
                x[here] = data.numbers[int(f)][code[here]]
        return x

    return look


def case_weights(data: Training) -> np.ndarray:
    """Return the weights of the training rows themselves, whatever their classes count, in whole numbers."""
    weight = data.weight if data.case_weight is None else data.case_weight
    if weight is None:
        return np.ones(data.codes.shape[1])
    return in_whole_numbers(weight)[0].astype(float)


def with_rows(found: Surrogates, by: np.ndarray, default: np.ndarray) -> Surrogates:
    """Write down how many rows each surrogate has sent, and where those go that none could send."""
    rows = np.bincount(by[by >= 0], minlength=len(found.node))
    return replace(found, rows=rows, default=default)


def larger_side(node: np.ndarray, branch: np.ndarray, weight: np.ndarray, J: int) -> np.ndarray:
    """Return the branch that got more of the weight at each node, -1 if both got as much."""
    left, right = (np.bincount(node, weight * (branch == side), J) for side in (0, 1))
    return np.where(left == right, -1, (left < right).astype(np.intp))
