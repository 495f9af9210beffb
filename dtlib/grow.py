"""Growing a tree, one level at a time (chapters 4 and 9).

All open nodes of a level are searched together, one feature after the other (as in SLIQ [1]_ and
RainForest [2]_), so the work of a level does not depend on how many nodes it has, and nothing is recursive.

References
----------
.. [1] M. Mehta, R. Agrawal, J. Rissanen, "SLIQ: a fast scalable classifier for data mining", EDBT 1996.
.. [2] J. Gehrke, R. Ramakrishnan, V. Ganti, "RainForest", VLDB 1998.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import numpy as np

from dtlib import tree as t
from dtlib.columns import Feature, Training
from dtlib.counts import whole
from dtlib.level import NEARLY, Criterion, Level, Limits
from dtlib.pairs import Best, best_pairs, binary_cuts, counted_cuts
from dtlib.scan import Scan, SortedRows, too_close
from dtlib.score import CLASSIFY, Classes, Concave, Numbers, Quadratic, Target, Totals
from dtlib.tree import Tree


@dataclass(frozen=True)
class Rules:
    """How to grow a tree.

    Parameters
    ----------
    criterion : {"gini", "entropy", "error", "squared_error", "absolute_error"}
        The impurity that splits lower.
    nominal : {"multiway", "subset", "one_vs_rest"}
        How nominal features split: a branch for each value, two groups of values, one value and the rest.
    max_depth : int, optional
    min_split, min_leaf : float
        Least weight of a node that is split, and of its branches.
    min_split_rows, min_leaf_rows : int
        The same in rows.
    min_impurity : float
        A node is split only if its impurity is above this.
    min_gain : float
        Least decrease of impurity.
    min_decrease : float
        Least decrease times the node's share of all weight.
    zero_gain : bool
        Whether a split without any gain is a split.
    max_leaf_nodes : int, optional
        Keep the splits with the largest decrease, times the node's share, until there are so many leaves.
    max_features : int, optional
        Consider so many features at each node, drawn by `seed` among those that can split it.
    seed : int or None
    gap : float
        Numbers no further apart than this are not parted.
    verbose : bool
        Print a line for each level.
    """

    criterion: str = "gini"
    nominal: Literal["multiway", "subset", "one_vs_rest"] = "subset"
    max_depth: int | None = None
    min_split: float = 0.0
    min_leaf: float = 0.0
    min_split_rows: int = 2
    min_leaf_rows: int = 1
    min_impurity: float = 0.0
    min_gain: float = 0.0
    min_decrease: float = 0.0
    zero_gain: bool = False
    max_leaf_nodes: int | None = None
    max_features: int | None = None
    seed: int | None = None
    gap: float = 0.0
    verbose: bool = False


@dataclass
class Nodes:
    """What is known of the nodes of one level."""

    place: np.ndarray  # in the level, as the tree numbers them
    summary: np.ndarray
    n: np.ndarray
    impurity: np.ndarray
    stop: np.ndarray
    feature: np.ndarray = field(init=False)
    gain: np.ndarray = field(init=False)
    low: np.ndarray = field(init=False)  # the codes below and above the cut, -1 where there is none
    high: np.ndarray = field(init=False)
    n_values: np.ndarray = field(init=False)  # how many names have a branch
    code: np.ndarray = field(init=False)  # of each of these, one node after the other
    branch: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        J = len(self.place)
        (self.feature, self.low, self.high), self.gain = np.full((3, J), -1), np.zeros(J)
        self.n_values, self.code, self.branch = np.zeros(J, np.intp), *np.empty((2, 0), np.intp)


class Found(NamedTuple):
    """The best split of each open node of a level."""

    score: np.ndarray  # N Δ, -inf where there is none
    feature: np.ndarray
    low: np.ndarray  # the codes below and above the cut, -1 where names are asked
    high: np.ndarray
    splits: dict[int, Best]  # by feature, where names are asked


class Children(NamedTuple):
    """The next level: the rows that reach it, their nodes, the branches they took, the nodes' places."""

    rows: np.ndarray
    node: np.ndarray
    branch: np.ndarray
    place: np.ndarray


def grow(data: Training, rules: Rules) -> Tree:
    """Grow a tree.

    Parameters
    ----------
    data : Training
        Coded features and targets, nothing missing.
    rules : Rules

    Returns
    -------
    Tree
        The same for the same data, in whatever order the rows come.
    """
    target = (Classes if rules.criterion in CLASSIFY else Numbers)(data.targets, data.weight, rules.criterion)
    searcher, levels = Searcher(data, target, rules), []
    # Nodes are numbered by branch, then by the node above: a stable partition of the rows into all first
    # branches and all second ones keeps those of a node together.
    nowhere = np.zeros(len(target.rows), np.intp)
    below = Children(target.rows, nowhere, nowhere, np.zeros(1, np.intp))
    while len(below.place):
        totals = target.totals(target.gather(below.rows), below.node, len(below.place))
        nodes = describe(target, below, totals, len(levels), rules)
        levels.append(nodes)
        is_open = nodes.stop == 0
        at = np.flatnonzero(is_open)
        if rules.verbose:
            print(f"level {len(levels) - 1}: {len(is_open)} nodes, {len(at)} of them open")
        if not len(at):
            break
        keep = is_open[below.node]
        known = totals.take(at), nodes.impurity[at], nodes.summary[at]
        level = Level.opened(target, below.rows.compress(keep), *known)
        found = searcher.search(level, below.branch.compress(keep), below.place[at])
        decide(found, level, nodes, at, rules, levels[0].n[0])
        below = route(data, level, found, nodes, at)
    tree = join(levels, data, rules.criterion)
    return tree if rules.max_leaf_nodes is None else best_first(tree, rules.max_leaf_nodes)


def describe(target: Target, below: Children, totals: Totals, depth: int, rules: Rules) -> Nodes:
    """Describe the nodes of a level, and say which of them are leaves whatever their splits."""
    summary, impurity, pure = target.summarize(below.rows, below.node, totals)
    n = totals.n * target.weight_unit
    stop = first_reason(
        (t.EMPTY, totals.rows == 0),
        (t.PURE, pure),
        (t.DEPTH, np.full(len(n), depth == rules.max_depth)),
        (t.SMALL, (n < rules.min_split * NEARLY) | (totals.rows < rules.min_split_rows)),
        (t.IMPURITY, impurity <= rules.min_impurity),
    )
    return Nodes(below.place, summary, n, impurity, stop)


def first_reason(*reasons: tuple[str, np.ndarray]) -> np.ndarray:
    """Return the place in REASONS of the first reason that holds for each node, 0 if none does."""
    stop = np.zeros(len(reasons[0][1]), np.intp)
    for reason, holds in reversed(reasons):
        stop[holds] = t.REASONS.index(reason)
    return stop


class Searcher:
    """Finds the best splits of a level; keeps the sorted rows and the random numbers."""

    def __init__(self, data: Training, target: Target, rules: Rules):
        self.data, self.rules, self.limits = data, rules, Limits(rules.min_leaf, rules.min_leaf_rows)
        self.sorted, self.random = SortedRows(data, rules.gap), np.random.default_rng(rules.seed)
        self.V = [len(data.numbers.get(f, feature.values)) for f, feature in enumerate(data.features)]
        self.criterion: Criterion | None = None  # absolute error is no function of sums: all is scanned
        if rules.criterion in ("gini", "squared_error"):
            self.criterion = Quadratic(target)
        elif rules.criterion != "absolute_error":
            self.criterion = Concave(target, rules.criterion)
        self.close = {
            f for f, x in data.numbers.items() if rules.gap and too_close(x[:-1], x[1:], rules.gap).any()
        }

    def is_counted(self, f: int, level: Level) -> bool:
        """Tell whether a table of a feature's values at all nodes is smaller than the list of its rows."""
        few = self.V[f] == 2 or self.V[f] * len(level.size) <= len(level.rows)
        return few and self.criterion is not None and f not in self.close

    def search(self, level: Level, branch: np.ndarray, place: np.ndarray) -> Found:
        """Find the best split of each node of a level.

        Parameters
        ----------
        level : Level
        branch : int ndarray
            The branch by which each of its rows came.
        place : int ndarray
            Of each of its nodes in the tree's level.
        """
        d, J = len(self.V), len(level.size)
        score, low, high, splits = np.full((d, J), -np.inf), *np.full((2, d, J), -1), {}
        self.sorted.part(level, branch)
        counted: dict[int, list[int]] = {}
        for f, feature in enumerate(self.data.features):
            if self.V[f] < 2 or f in self.sorted.features:
                continue
            if feature.kind == "nominal":
                code, how = np.take(self.data.codes[f], level.rows), self.rules.nominal
                splits[f] = best_pairs(how, level, code, self.V[f], self.criterion, self.limits)
                score[f] = splits[f].score
            elif self.is_counted(f, level):
                counted.setdefault(1 << (self.V[f] - 1).bit_length(), []).append(f)  # of about so many values
            else:
                self.sorted.add(level, f)
        for V, features in counted.items():
            args = level, self.data.codes, features
            if V == 2:
                best = binary_cuts(*args, self.criterion, self.limits)
            else:
                best = counted_cuts(*args, V, self.criterion, self.limits)
            score[features], low[features], high[features] = best.score, best.low, best.high
        if self.sorted.features:
            scan = Scan(level, self.criterion, self.limits)
            score[self.sorted.features] = self.sorted.search(level, scan)
        self.draw(score, place)
        best = score.max(0)
        feature = (score >= best - level.slack).argmax(0)
        score, low, high = (x[feature, np.arange(J)] for x in (score, low, high))
        if self.sorted.features:
            sides = self.sorted.cuts(level, scan, feature, score)
            low, high = np.maximum(low, sides[0]), np.maximum(high, sides[1])
        return Found(best, feature, low, high, splits)

    def draw(self, score: np.ndarray, place: np.ndarray) -> None:
        """Leave to each node only as many of its candidates as `max_features`."""
        k = self.rules.max_features
        if k is None or k >= len(score):
            return
        lot = np.empty(score.shape)
        lot[:, np.argsort(place)] = self.random.random(score.shape)
        lot[np.isneginf(score)] = 2.0
        score[lot > np.sort(lot, axis=0)[k - 1]] = -np.inf


def decide(found: Found, level: Level, nodes: Nodes, at: np.ndarray, rules: Rules, total: float) -> None:
    """Write into the nodes what each open one (at these places) asks and gains, or why it asks nothing."""
    n, slack, possible = nodes.n[at], level.slack * level.unit, np.isfinite(found.score)
    gain = np.where(possible, found.score, 0) * level.unit
    stop = first_reason(
        (t.FEW if rules.min_leaf > 0 or rules.min_leaf_rows > 1 else t.NO_FEATURE, ~possible),
        (t.NO_GAIN, (gain <= slack) & (not rules.zero_gain)),
        (t.BELOW, gain < rules.min_gain * n - slack),
        (t.DECREASE, gain < rules.min_decrease * total - slack),
    )
    nodes.stop[at], nodes.feature[at] = stop, np.where(stop == 0, found.feature, -1)
    nodes.gain[at] = np.where(stop == 0, gain / n, 0)


def route(data: Training, level: Level, found: Found, nodes: Nodes, at: np.ndarray) -> Children:
    """Send the rows of a level down, and write by what into the nodes (those at these places are open)."""
    asks = nodes.feature[at] >= 0
    split, feature, low, high = at[asks], found.feature[asks], found.low[asks], found.high[asks]
    keep = asks[level.node]
    rows, j = level.rows.compress(keep), (np.cumsum(asks) - 1)[level.node.compress(keep)]
    code = data.codes.take((feature * np.intp(data.codes.shape[1]))[j] + rows)
    branch, branches = (code > low[j]).astype(np.intp), np.full(len(split), 2)
    if found.splits:
        owner, nodes.code, nodes.branch = named_branches(data, found, asks, feature)
        nodes.n_values[split] = n_values = np.bincount(owner, minlength=len(split))
        named, V = np.flatnonzero(n_values[j]), max(len(f.values) for f in data.features)
        place = np.searchsorted(owner * V + nodes.code, j[named] * V + code[named])
        branch[named] = nodes.branch[place]
        np.maximum.at(branches, owner, nodes.branch + 1)
    nodes.low[split], nodes.high[split] = low, high
    return children(rows, j, branch, branches, nodes.place[split])


def named_branches(
    data: Training, found: Found, asks: np.ndarray, feature: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """List the values that have a branch where names are asked: node (of those that split), code, branch."""
    j, parts = np.cumsum(asks) - 1, [np.empty((3, 0), np.intp)]
    for f, best in found.splits.items():
        if best.multiway:  # all values have a branch, whether a row takes it or not
            mine, V = np.flatnonzero(feature == f), len(data.features[f].values)
            every = np.tile(np.arange(V), len(mine))
            parts.append(np.stack([np.repeat(mine, V), every, every]))
        else:
            chosen = np.flatnonzero((asks & (found.feature == f))[best.pairs.node])
            parts.append(np.stack([j[best.pairs.node[chosen]], best.pairs.code[chosen], best.branch[chosen]]))
    owner, code, branch = np.concatenate(parts, axis=1)
    order = np.argsort(owner, kind="stable")  # within a node, the codes ascend already
    return owner[order], code[order], branch[order]


def thresholds(data: Training, feature: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Return the midpoints between the last value of the left branch and the first of the right one."""
    result, order = np.full(len(feature), np.nan), np.argsort(feature, kind="stable")
    order = order[low[order] >= 0]
    ends = np.searchsorted(feature[order], np.arange(len(data.features) + 1))
    for f in np.flatnonzero(np.diff(ends)):
        here, x = order[ends[f] : ends[f + 1]], data.numbers.get(int(f))
        a, b = (code[here] if x is None else x[code[here]].astype(float) for code in (low, high))
        result[here] = between(a, b)
    return result


def between(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the middle between two numbers, the lower one if no float lies between them."""
    middle = a / 2 + b / 2
    return np.where((a <= middle) & (middle < b), middle, a)


def children(
    rows: np.ndarray, j: np.ndarray, branch: np.ndarray, branches: np.ndarray, place: np.ndarray
) -> Children:
    """Number the children of the nodes that split, by branch first, and group the rows by child."""
    above = np.repeat(np.arange(len(branches)), branches)
    start = np.cumsum(branches) - branches
    which = np.arange(len(above)) - start[above]
    order = np.argsort(which, kind="stable")  # by branch, then by the node above
    number = np.empty(len(order), np.intp)
    number[order] = np.arange(len(order))
    node = number[start[j] + branch]
    by_place, first = np.argsort(place), np.empty(len(place), np.intp)
    first[by_place] = np.cumsum(branches[by_place]) - branches[by_place]
    if branches.max(initial=0) == 2:
        left = branch == 0
        groups = ((x.compress(left), x.compress(~left)) for x in (rows, node, branch))
        rows, node, branch = (np.concatenate(group) for group in groups)
    else:
        by_node = np.argsort(node, kind="stable")
        rows, node, branch = rows[by_node], node[by_node], branch[by_node]
    return Children(rows, node, branch, (first[above] + which)[order])


def join(levels: list[Nodes], data: Training, criterion: str) -> Tree:
    """Put the levels together."""
    names = ("feature", "low", "high", "n_values", "summary", "n", "impurity", "gain", "stop")
    parts: dict[str, list[np.ndarray]] = {name: [] for name in (*names, "code", "branch")}
    for nodes in levels:
        order = np.argsort(nodes.place)
        for name in names:
            parts[name].append(getattr(nodes, name)[order])
        first, size = np.cumsum(nodes.n_values) - nodes.n_values, nodes.n_values[order]
        inside = np.arange(size.sum()) - np.repeat(np.cumsum(size) - size, size)
        for name in ("code", "branch"):
            parts[name].append(getattr(nodes, name)[np.repeat(first[order], size) + inside])
    arrays = {name: np.concatenate(part) for name, part in parts.items()}
    arrays["threshold"] = thresholds(data, arrays["feature"], arrays.pop("low"), arrays.pop("high"))
    arrays["n"] = whole(arrays["n"])
    outputs = tuple(
        Feature(column.name, tuple(column.values) if column.kind == "nominal" else (), column.kind)
        for column in data.targets
    )
    if outputs[0].values:
        arrays["summary"] = whole(arrays["summary"])
    return Tree(data.features, outputs, criterion, **arrays, training=data)


def best_first(tree: Tree, leaves: int) -> Tree:
    """Keep the splits with the largest decrease times weight, best first, until there are so many leaves."""
    decrease, kept, n_leaves = tree.gain * tree.n, np.zeros(tree.node_count, bool), 1
    heap = [(-decrease[0], 0)] if tree.feature[0] >= 0 else []
    while heap and n_leaves < leaves:
        _, node = heapq.heappop(heap)
        kept[node] = True
        n_leaves += int(tree.children[node]) - 1
        first = int(tree.first_child[node])
        for child in range(first, first + int(tree.children[node])):
            if tree.feature[child] >= 0:
                heapq.heappush(heap, (-decrease[child], child))
    return t.collapse(tree, np.flatnonzero(~kept & (tree.feature >= 0)), t.LEAVES)
