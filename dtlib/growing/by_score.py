"""Growing a tree, one level at a time (chapters 4 and 9).

All open nodes of a level are searched together, one feature after the other (as in SLIQ [1]_ and
RainForest [2]_), so the work of a level does not depend on how many nodes it has, and nothing is recursive.

References
----------
.. [1] M. Mehta, R. Agrawal, J. Rissanen, "SLIQ: a fast scalable classifier for data mining", EDBT 1996.
.. [2] J. Gehrke, R. Ramakrishnan, V. Ganti, "RainForest", VLDB 1998.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dtlib.counting.targets import CLASSIFY, Classes, Numbers, Target, Totals
from dtlib.growing.holes import ordered, parted, with_holes
from dtlib.growing.nodes import Children, Nodes, Sent, best_first, children, first_reason, join
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
from dtlib.table.training import Training
from dtlib.tree import reasons
from dtlib.tree.tree import Tree

TOGETHER = 1 << 22  # cells; trees of fewer are grown together, as most of their time goes to the calls


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
