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
from typing import NamedTuple

import numpy as np

from dtlib.counting.tables import whole
from dtlib.counting.targets import CLASSIFY, Classes, Numbers, Target, Totals
from dtlib.search.level import NEARLY, Level
from dtlib.search.rules import Rules
from dtlib.search.searcher import Found, Searcher
from dtlib.search.surrogates import (
    Known,
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
from dtlib.tree import reasons
from dtlib.tree.descend import parts
from dtlib.tree.edit import collapse
from dtlib.tree.tree import Tree

BITS = 51  # parts of rows weigh multiples of a power of two, so that their sums do not depend on the order
TOGETHER = 1 << 22  # cells; trees of fewer are grown together, as most of their time goes to the calls


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
        (reasons.EMPTY, totals.rows == 0),
        (reasons.PURE, pure),
        (reasons.DEPTH, np.full(len(n), depth == rules.max_depth)),
        (reasons.SMALL, (n < rules.min_split * NEARLY) | (totals.rows < rules.min_split_rows)),
        (reasons.IMPURITY, impurity <= rules.min_impurity),
    )
    return Nodes(below.place, summary, n, impurity, stop)


def first_reason(*found: tuple[str, np.ndarray]) -> np.ndarray:
    """Return the code of the first reason that holds for each node, 0 if none does."""
    stop = np.zeros(len(found[0][1]), np.intp)
    for reason, holds in reversed(found):
        stop[holds] = reasons.code_of(reason)
    return stop


def decide(found: Found, level: Level, nodes: Nodes, at: np.ndarray, rules: Rules, total: float) -> None:
    """Write into the nodes what each open one (at these places) asks and gains, or why it asks nothing."""
    n, slack, possible = nodes.n[at], level.slack * level.unit, np.isfinite(found.score)
    gain = np.where(possible, found.score, 0) * level.unit
    stop = first_reason(
        (reasons.FEW if rules.min_leaf > 0 or rules.min_leaf_rows > 1 else reasons.NO_FEATURE, ~possible),
        (reasons.NO_GAIN, (gain <= slack) & (not rules.zero_gain)),
        (reasons.BELOW, gain < rules.min_gain * n - slack),
        (reasons.DECREASE, gain < rules.min_decrease * total - slack),
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
    return collapse(tree, np.flatnonzero(~kept & (tree.feature >= 0)), reasons.LEAVES)
