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
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

import numpy as np

from dtlib import tree as t
from dtlib.counts import whole
from dtlib.level import BLOCK, NEARLY, Criterion, Level, Limits, first_best
from dtlib.missing import parts
from dtlib.pairs import Best, best_pairs, binary_cuts, count_pairs, counted_cuts, cut_pairs
from dtlib.rounding import Rounding, settle
from dtlib.scan import Scan, SortedRows, too_close
from dtlib.score import CLASSIFY, Classes, Concave, Numbers, Quadratic, Target, Totals
from dtlib.surrogate import (
    Known,
    SurrogateRules,
    Surrogates,
    case_weights,
    find,
    joined,
    larger_side,
    look_up,
    with_rows,
)
from dtlib.table.columns import Feature
from dtlib.table.training import Training, thresholds
from dtlib.tree import Tree

BITS = 51  # parts of rows weigh multiples of a power of two, so that their sums do not depend on the order
TOGETHER = 1 << 22  # cells; trees of fewer are grown together, as most of their time goes to the calls


@dataclass(frozen=True)
class Rules:
    """How to grow a tree.

    Parameters
    ----------
    criterion : {"gini", "entropy", "error", "squared_error", "absolute_error"}
        The impurity that splits lower.
    nominal : {"multiway", "subset", "ordered", "one_vs_rest"}
        How nominal features split: a branch for each value; the best two groups of values; two groups that
        are a cut of the values' order, if they have one; one value and the rest.
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
    missing : {"error", "stay", "majority", "fractional", "surrogate"}
        Where the rows go whose value is missing, as in `Tree`.
    surrogates : SurrogateRules, optional
        Which questions stand in; default: none is looked for.
    below : bool
        Whether a number equal to a threshold goes with the larger ones.
    rounding : Rounding, optional
        Let rpart's arithmetic choose among equal splits; default: the first one.
    verbose : bool
        Print a line for each level.
    """

    criterion: str = "gini"
    nominal: Literal["multiway", "subset", "ordered", "one_vs_rest"] = "subset"
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
    missing: str = "error"
    surrogates: SurrogateRules | None = None
    below: bool = False
    rounding: Rounding | None = None
    verbose: bool = False

    @property
    def is_local(self) -> bool:
        """Whether a node grows as it would in any other tree."""
        beyond = self.surrogates, self.max_features, self.rounding, self.verbose or None
        plain = all(x is None for x in beyond) and not self.min_decrease
        return plain and self.missing in ("error", "stay", "majority")


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


class Torn(NamedTuple):
    """The best split of a feature with missing values, at each open node of a level."""

    score: np.ndarray  # N Δ of the rows that know it, -inf where there is none
    low: np.ndarray
    high: np.ndarray
    best: Best | None  # where names are asked


class Sent(NamedTuple):
    """The rows of the nodes that split, and the branch that each takes, -1 if its answer is missing."""

    rows: np.ndarray
    node: np.ndarray  # among those that split
    branch: np.ndarray
    split: np.ndarray  # the places of these nodes in the level
    branches: np.ndarray  # how many each has
    place: np.ndarray
    weight: np.ndarray | None = None  # of parts of rows


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
        Coded features and targets. Where a value is missing, its code is -1.
    rules : Rules

    Returns
    -------
    Tree
        The same for the same data, in whatever order the rows come.
    """
    return grow_each(data, rules, 1)[0]


def grow_each(data: Training, rules: Rules, trees: int, root: np.ndarray | None = None) -> list[Tree]:
    """Grow several trees, level by level all at once, each from its own rows.

    Parameters
    ----------
    data : Training
        As for `grow`; `order` has the rows of the first tree first, and so on.
    rules : Rules
        With several trees, none of those that look beyond a node: surrogates, fractional missing values,
        drawn features, a least decrease relative to the root.
    trees : int
        How many.
    root : int ndarray of shape (n,), optional
        To which tree each row belongs, ascending; default: all to the first.

    Returns
    -------
    list of Tree
    """
    if rules.missing == "fractional":  # parts are not parted for ever: two whole rows weigh this
        rules = replace(rules, min_split=max(rules.min_split, 2 * data.least_weight))
    target = target_of(data, rules)
    searcher, levels, stand_ins, total = Searcher(data, target, rules), [], [], data.total_weight
    # Nodes are numbered by branch, then by the node above: a stable partition of the rows into all first
    # branches and all second ones keeps those of a node together.
    nowhere = np.zeros(len(target.rows), np.intp)
    below = Children(target.rows, nowhere, nowhere, np.zeros(1, np.intp))
    if root is not None:
        below = ordered(target, Children(target.rows, root, np.zeros_like(root), np.arange(trees)))
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
        rows, branch = below.rows.compress(keep), below.branch.compress(keep)
        torn = searcher.search_torn(rows, totals.rows[at])
        level = Level.opened(target, rows, totals.take(at), nodes.impurity[at], nodes.summary[at])
        found = searcher.search(level, branch, below.place[at], torn)
        decide(found, level, nodes, at, rules, levels[0].n[0])
        sent = ask(data, level, found, nodes, at)
        if rules.surrogates is not None:
            sent, stand_in = by_surrogates(data, sent, nodes, rules)
            stand_ins.append(stand_in)
        if searcher.torn:
            sent = with_holes(data, sent, rules.missing, total)
        rows = sent.rows if sent.weight is None else np.arange(len(sent.rows))
        below = children(rows, sent.node, sent.branch, sent.branches, sent.place)
        if sent.weight is not None:  # from here on, each part of a row is a row of its own
            data, below = parted(data, sent, below)
            target = target_of(data, rules)
            below, searcher = ordered(target, below), Searcher(data, target, rules, searcher.random)
    grown = join(levels, data, rules.criterion, rules.below, trees)
    if rules.surrogates is not None:
        stand_ins = joined(stand_ins, [len(nodes.place) for nodes in levels])
        grown = [replace(tree, surrogates=stand_ins) for tree in grown]
    grown = [replace(tree, missing=rules.missing) for tree in grown]
    return grown if rules.max_leaf_nodes is None else [best_first(x, rules.max_leaf_nodes) for x in grown]


def target_of(data: Training, rules: Rules) -> Target:
    """Return what is to be predicted."""
    return (Classes if rules.criterion in CLASSIFY else Numbers)(data.targets, data.weight, rules.criterion)


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

    def __init__(
        self, data: Training, target: Target, rules: Rules, random: np.random.Generator | None = None
    ):
        self.data, self.target, self.rules = data, target, rules
        self.limits = Limits(rules.min_leaf, rules.min_leaf_rows)
        self.sorted, self.random = SortedRows(data, rules.gap), random or np.random.default_rng(rules.seed)
        holes = [] if rules.missing == "error" else (data.codes < 0).any(axis=1)
        self.torn = np.flatnonzero(holes).tolist()
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

    def search_torn(self, rows: np.ndarray, size: np.ndarray) -> dict[int, Torn]:
        """Find the best split of each feature with missing values, on the rows that know it.

        Parameters
        ----------
        rows : int ndarray
            The rows of a level, grouped by node.
        size : int ndarray
            How many each node has.
        """
        node, found = np.repeat(np.arange(len(size)), size), {}
        for features in self.batches(len(rows)):
            code = self.data.codes[np.array(features)[:, None], rows]
            k, place = np.nonzero(code >= 0)
            if len(place):
                known = rows[place], k * len(size) + node[place], code[k, place]
                found |= self.search_known(features, *known, len(size))
        return found

    def batches(self, n: int) -> list[list[int]]:
        """Divide the features with missing values into some that are searched as if each had its own nodes.

        They are of one kind, and not more than stay in the cache. Numbers to be predicted are centered anew
        at each node, so their nodes share no row.
        """
        kinds: dict[tuple[bool, bool], list[int]] = {}
        for f in self.torn:
            kinds.setdefault((self.data.features[f].kind == "nominal", f in self.close), []).append(f)
        step = max(1, BLOCK // n) if isinstance(self.target, Classes) else 1
        return [kind[a : a + step] for kind in kinds.values() for a in range(0, len(kind), step)]

    def search_known(
        self, features: list[int], rows: np.ndarray, node: np.ndarray, code: np.ndarray, J: int
    ) -> dict[int, Torn]:
        """Find the best split of features at each of J nodes, given the rows that know them, and their nodes.

        The nodes of the second feature follow those of the first, and so on.
        """
        size, V = np.bincount(node, minlength=J * len(features)), max(self.V[f] for f in features)
        present = np.flatnonzero(size)
        j = np.repeat(np.arange(len(present)), size[present])
        totals = self.target.totals(self.target.gather(rows), j, len(present))
        summary, impurity, _ = self.target.summarize(rows, j, totals)
        level = Level.opened(self.target, rows, totals, impurity, summary)
        score, low, high = np.full(len(size), -np.inf), *np.full((2, len(size)), -1)
        bests, places = [None] * len(features), np.arange(len(features))[:, None] * J + [0, J]
        if self.data.features[features[0]].kind == "nominal":
            best = best_pairs(self.rules.nominal, level, code, V, self.criterion, self.limits)
            at, owner = best.score, present[best.pairs.node]
            for k, (a, b) in enumerate(np.searchsorted(owner, places).tolist()):
                part = slice(a, b)
                pairs = best.pairs.take(part)._replace(node=owner[part] - k * J)
                bests[k] = best._replace(pairs=pairs, branch=best.branch[part])
        else:
            at, low[present], high[present] = self.cut_known(features, level, code, V, present // J)
        score[present] = at * level.unit
        lines = (x.reshape(len(features), J) for x in (score, low, high))
        return dict(zip(features, map(Torn, *lines, bests), strict=True))

    def cut_known(
        self, features: list[int], level: Level, code: np.ndarray, V: int, asks: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Find the best threshold at each node of a level, which asks for this one of the features."""
        if self.is_counted(max(features, key=self.V.__getitem__), level):
            pairs = count_pairs(level, code, V)
            at, first = first_best(level, pairs.node, cut_pairs(level, pairs, self.criterion, self.limits))
            return at, pairs.code[first], pairs.code[np.minimum(first + 1, len(pairs.code) - 1)]
        order = np.argsort(level.node * V + code, kind="stable")
        line, code = level.rows[order], code[order]
        at = Scan(level, self.criterion, self.limits).scores(line[None], code[None])[0]
        if self.rules.gap:
            at = self.sorted.apart(at, code, np.array(features)[asks][level.node])
        at, first = first_best(level, level.node, at)
        return at, code[first], code[np.minimum(first + 1, len(code) - 1)]

    def search(self, level: Level, branch: np.ndarray, place: np.ndarray, torn: dict[int, Torn]) -> Found:
        """Find the best split of each node of a level.

        Parameters
        ----------
        level : Level
        branch : int ndarray
            The branch by which each of its rows came.
        place : int ndarray
            Of each of its nodes in the tree's level.
        torn : dict
            What `search_torn` found.
        """
        d, J = len(self.V), len(level.size)
        score, low, high, splits = np.full((d, J), -np.inf), *np.full((2, d, J), -1), {}
        self.sorted.part(level, branch)
        counted: dict[int, list[int]] = {}
        for f, feature in enumerate(self.data.features):
            if self.V[f] < 2 or f in self.sorted.features or f in self.torn:
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
        for f, part in torn.items():
            score[f], low[f], high[f] = part.score / level.unit, part.low, part.high
            splits |= {} if part.best is None else {f: part.best}
        self.draw(score, place)
        best = score.max(0)
        equal = score >= best - level.slack
        feature = equal.argmax(0)
        score, low, high = (x[feature, np.arange(J)] for x in (score, low, high))
        if self.sorted.features:
            sides = self.sorted.cuts(level, scan, feature, score)
            low, high = np.maximum(low, sides[0]), np.maximum(high, sides[1])
        found = Found(best, feature, low, high, splits)
        if self.rules.rounding is not None:
            self.settle(level, found, equal)
        return found

    def settle(self, level: Level, found: Found, equal: np.ndarray) -> None:
        """Let rounding choose among equal splits, as it does in rpart."""
        for j in np.flatnonzero(found.score > level.slack).tolist():
            rows = level.rows[level.start[j] : level.start[j] + level.size[j]]
            f, choice = settle(self.data, self.rules.rounding, rows, np.flatnonzero(equal[:, j]))
            if f < 0:
                continue
            found.feature[j], found.low[j], found.high[j] = f, choice.low, choice.high
            if choice.left is not None:
                best = found.splits[f]
                here = np.flatnonzero(best.pairs.node == j)
                left = np.isin(best.pairs.code[here], choice.left)
                best.branch[here] = left != left[0]

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


def ask(data: Training, level: Level, found: Found, nodes: Nodes, at: np.ndarray) -> Sent:
    """Ask the rows of a level, and write their branches into the nodes (those at these places are open)."""
    asks = nodes.feature[at] >= 0
    keep = asks[level.node]
    rows, j = level.rows.compress(keep), (np.cumsum(asks) - 1)[level.node.compress(keep)]
    start = found.feature[asks] * np.intp(data.codes.shape[1])
    return answer(data, found, nodes, at, rows, j, data.codes.take(start[j] + rows))


def answer(
    data: Training,
    found: Found,
    nodes: Nodes,
    at: np.ndarray,
    rows: np.ndarray,
    j: np.ndarray,
    code: np.ndarray,
) -> Sent:
    """Tell which branch each row takes, and write the branches of names into the nodes.

    Parameters
    ----------
    data, found, nodes, at
        As for `ask`.
    rows, j, code : int ndarrays
        The rows of the nodes that ask something, their nodes (among these), and the codes of what is asked.
    """
    asks = nodes.feature[at] >= 0
    split, feature, low, high = at[asks], found.feature[asks], found.low[asks], found.high[asks]
    branch, branches = (code > low[j]).astype(np.intp), np.full(len(split), 2)
    if found.splits:
        owner, nodes.code, nodes.branch = named_branches(data, found, asks, feature)
        nodes.n_values[split] = n_values = np.bincount(owner, minlength=len(split))
        named, V = np.flatnonzero(n_values[j]), max(len(f.values) for f in data.features)
        place = np.searchsorted(owner * V + nodes.code, j[named] * V + code[named])
        branch[named] = nodes.branch.take(place, mode="clip")  # what is missing has no place
        np.maximum.at(branches, owner, nodes.branch + 1)
    if code.min(initial=0) < 0:
        branch[code < 0] = -1
    nodes.low[split], nodes.high[split] = low, high
    return Sent(rows, j, branch, split, branches, nodes.place[split])


def by_surrogates(data: Training, sent: Sent, nodes: Nodes, rules: Rules) -> tuple[Sent, Surrogates]:
    """Look for surrogates, and let them send the rows whose answer is missing, if such are the rules."""
    J, branch, weight = len(sent.split), sent.branch.copy(), case_weights(data)[sent.rows]
    found = find(
        data, Known(sent.rows, sent.node, branch, weight), nodes.feature[sent.split], rules.surrogates
    )
    hole, by = np.flatnonzero(branch < 0), np.empty(0, np.intp)
    if rules.missing == "surrogate" and len(hole):
        node, most = sent.node[hole], larger_side(sent.node, branch, weight, J)
        branch[hole], by = found.send(node, look_up(data, sent.rows[hole]))
        if rules.surrogates.unresolved == "majority":
            branch[hole] = np.where(branch[hole] < 0, most[node], branch[hole])
    default = np.full(J, -1)
    if rules.surrogates.unresolved == "majority":
        default = larger_side(sent.node, branch, np.ones(len(branch)), J)
    place, every = nodes.place[sent.split], np.ones(len(nodes.place), bool)
    return sent._replace(branch=branch), with_rows(found, by, default).moved(place, every)


def with_holes(data: Training, sent: Sent, way: str, total: float) -> Sent:
    """Send on the rows whose answer is missing, in parts or whole, or leave them behind."""
    hole = sent.branch < 0
    if way not in ("majority", "fractional") or not hole.any():
        rows, node, branch = (x.compress(~hole) for x in sent[:3])
        return sent._replace(rows=rows, node=node, branch=branch)
    weight = np.ones(len(hole)) if data.weight is None else data.weight[sent.rows]
    entry, branch, weight = divided(sent.node, sent.branch, weight, sent.branches, way)
    if way == "fractional":  # multiples of a power of two, whose sums do not depend on the order
        unit = np.ldexp(1.0, int(np.frexp(total * (1 + 1e-9))[1]) - BITS)
        weight = np.rint(weight / unit) * unit
        entry, branch, weight = (x.compress(weight > 0) for x in (entry, branch, weight))
    rows, node = sent.rows[entry], sent.node[entry]
    return sent._replace(rows=rows, node=node, branch=branch, weight=weight if way == "fractional" else None)


def divided(
    node: np.ndarray, branch: np.ndarray, weight: np.ndarray, branches: np.ndarray, way: str
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Divide the rows without a branch (-1); return row, branch and weight of all parts, by row."""
    known, hole = np.flatnonzero(branch >= 0), np.flatnonzero(branch < 0)
    start = np.cumsum(branches) - branches
    of_branch = np.bincount(start[node[known]] + branch[known], weight[known], branches.sum())
    some = parts(node[hole], start, of_branch, way)
    entry = np.concatenate([known, hole[some.part]])
    weight = np.concatenate([weight[known], weight[hole[some.part]] * some.share])
    branch = np.concatenate([branch[known], some.branch])
    order = np.argsort(entry, kind="stable")
    return entry[order], branch[order], weight[order]


def parted(data: Training, sent: Sent, below: Children) -> tuple[Training, Children]:
    """Return data in which each part of a row is a row, and the level of these rows."""
    rows = sent.rows[below.rows]
    targets = tuple(replace(target, codes=target.codes[rows]) for target in data.targets)
    weight = sent.weight[below.rows]
    data = replace(
        data, codes=data.codes[:, rows], targets=targets, weight=weight, order={}, case_weight=None
    )
    return data, below._replace(rows=np.arange(len(rows)))


def ordered(target: Target, below: Children) -> Children:
    """Bring the rows of each node into the order of the target, which does not depend on theirs."""
    order = target.rows[np.argsort(below.node[target.rows], kind="stable")]
    return Children(order, below.node[order], below.branch[order], below.place)


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


def join(
    levels: list[Nodes], data: Training, criterion: str, below: bool = False, trees: int = 1
) -> list[Tree]:
    """Put the levels of the trees together."""
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
    arrays["threshold"] = thresholds(data, arrays["feature"], arrays.pop("low"), arrays.pop("high"), below)
    arrays["n"] = whole(arrays["n"])
    outputs = tuple(
        Feature(column.name, tuple(column.values) if column.kind == "nominal" else (), column.kind)
        for column in data.targets
    )
    if outputs[0].values:
        arrays["summary"] = whole(arrays["summary"])
    each = [arrays] if trees == 1 else apart(arrays, trees)
    return [Tree(data.features, outputs, criterion, **own, training=data) for own in each]


def apart(arrays: dict[str, np.ndarray], trees: int) -> list[dict[str, np.ndarray]]:
    """Return the arrays of each tree, given those of all, whose levels lie one after the other."""
    children, named = np.where(arrays["feature"] >= 0, 2, 0), arrays["n_values"]
    some = np.flatnonzero(named)
    if len(some):
        children[some] = np.maximum.reduceat(arrays["branch"], (np.cumsum(named) - named)[some]) + 1
    owner = np.arange(len(children))  # first the node above, then above that, up to a root
    owner[trees:] = np.repeat(owner, children)
    while (owner >= trees).any():
        owner = owner[owner]
    of_value = np.repeat(owner, named)
    return [
        {name: x[(of_value if name in ("code", "branch") else owner) == k] for name, x in arrays.items()}
        for k in range(trees)
    ]


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
