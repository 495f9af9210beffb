"""Growing with C4.5's rules: a row may be in several nodes, with a part of its weight in each (chapter 6).

As in `by_score`, all open nodes of a level are searched together. What is sent down are entries: a row, and
the part of its weight that comes to the node.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from dtlib.growing.holes import BITS, divided
from dtlib.growing.nodes import Nodes, children, first_reason, join
from dtlib.search.ratio import ASKABLE, Candidates, Entries, averaged, choose, measure, spread
from dtlib.search.rules import RatioRules
from dtlib.table.training import Training
from dtlib.tree import reasons
from dtlib.tree.edit import collapse
from dtlib.tree.tree import Tree


class Below(NamedTuple):
    """The entries that come to the next level, and the places of its nodes."""

    row: np.ndarray
    node: np.ndarray
    weight: np.ndarray
    place: np.ndarray


def grow_by_ratio(data: Training, rules: RatioRules) -> Tree:
    """Grow a tree with C4.5's rules.

    Parameters
    ----------
    data : Training
        Coded features, -1 where a value is missing; one target, the classes.
    rules : RatioRules

    Returns
    -------
    Tree
        The same for the same data, in whatever order the rows come.
    """
    weight, unit = exact(data)
    row = np.flatnonzero(weight)
    label, K = data.targets[0].codes, len(data.targets[0].values)
    counts, levels = averaged(data, rules), []
    least = 2 * max(rules.min_leaf, data.least_weight)  # of a node; without holes two rows have it
    below = Below(row, np.zeros(len(row), np.intp), weight[row], np.zeros(1, np.intp))
    while len(below.place):
        J = len(below.place)
        table = np.bincount(label[below.row] * J + below.node, below.weight, J * K).reshape(K, J)
        nodes = describe(below.place, table, least, len(levels) == rules.max_depth, rules)
        levels.append(nodes)
        at = np.flatnonzero(nodes.stop == 0)
        if not len(at):
            break
        entries = opened(below, nodes.stop == 0, label, table[:, at])
        found = measure(entries, data, rules)
        chosen = choose(found, counts, rules)
        decide(found, chosen, nodes, at, rules)
        below = route(data, entries, nodes, at, found, unit, rules)
    (tree,) = join(levels, data, rules.criterion)
    tree = at_values(tree, data, rules.single) if rules.threshold == "value" else tree
    return tree if rules.collapse is None else collapsed(tree, rules.collapse)


def exact(data: Training) -> tuple[np.ndarray, float]:
    """Return the weights of the rows as multiples of a power of two, and that power."""
    weight = np.ones(data.codes.shape[1]) if data.weight is None else data.weight
    unit = finest(weight.sum())
    return np.rint(weight / unit) * unit, unit


def finest(total: float) -> float:
    """Return the power of two of which all weights are multiples, given their sum."""
    return float(np.ldexp(1.0, int(np.frexp(total * (1 + 1e-9))[1]) - BITS))


def describe(place: np.ndarray, table: np.ndarray, least: float, last: bool, rules: RatioRules) -> Nodes:
    """Describe the nodes of a level, and say which of them are leaves whatever can be asked."""
    n = table.sum(0)
    impurity = spread(table) / np.where(n > 0, n, 1)
    stop = first_reason(
        (reasons.EMPTY, n == 0),
        (reasons.PURE, n - table.max(0) <= rules.tolerance),
        (reasons.DEPTH, np.full(len(n), last)),
        (reasons.SMALL, ~rules.enough(n, least)),
    )
    return Nodes(place, table.T, n, np.maximum(impurity, 0), stop)


def opened(below: Below, is_open: np.ndarray, label: np.ndarray, table: np.ndarray) -> Entries:
    """Return the entries of the open nodes of a level."""
    keep = is_open[below.node]
    row = below.row[keep]
    node = (np.cumsum(is_open) - 1)[below.node[keep]]
    return Entries(row, node, below.weight[keep], label[row], table)


def decide(found: Candidates, chosen: np.ndarray, nodes: Nodes, at: np.ndarray, rules: RatioRules) -> None:
    """Write into the nodes what each open one (at these places) asks and gains, or why it asks nothing."""
    none = ~(found.status == ASKABLE).any(0)
    reason = reasons.FEW if rules.min_leaf > 0 else reasons.NO_FEATURE
    nodes.stop[at] = first_reason((reason, none & (chosen < 0)), (reasons.NO_GAIN, chosen < 0))
    split = np.flatnonzero(chosen >= 0)
    f = chosen[split]
    nodes.feature[at] = chosen
    nodes.gain[at[split]] = np.maximum(found.gain + found.charge, 0)[f, split]
    nodes.low[at[split]], nodes.high[at[split]] = found.low[f, split], found.high[f, split]


def route(
    data: Training,
    entries: Entries,
    nodes: Nodes,
    at: np.ndarray,
    found: Candidates,
    unit: float,
    rules: RatioRules,
) -> Below:
    """Send the entries of a level down, and write the branches of names into the nodes (these are open)."""
    asks = nodes.feature[at] >= 0
    split = at[asks]
    feature, low = nodes.feature[split], nodes.low[split]
    branches = np.where(low < 0, np.array([len(f.values) for f in data.features])[feature], 2)
    nodes.n_values[split] = V = np.where(low < 0, branches, 0)
    nodes.code = nodes.branch = np.arange(V.sum()) - np.repeat(np.cumsum(V) - V, V)
    if found.groups:
        nodes.branch, branches = grouped(found, np.flatnonzero(asks), feature, V, branches)
    keep = asks[entries.node]
    row, weight, j = entries.row[keep], entries.weight[keep], (np.cumsum(asks) - 1)[entries.node[keep]]
    code = data.codes[feature[j], row].astype(np.intp)
    branch = np.where(code < 0, -1, np.where(low[j] < 0, code, code > low[j]))
    if found.groups:
        named = np.flatnonzero((low[j] < 0) & (code >= 0))
        branch[named] = nodes.branch[(np.cumsum(V) - V)[j[named]] + code[named]]
    if (code < 0).any():
        entry, branch, weight = divided(j, branch, weight, branches, rules.missing)
        weight = np.rint(weight / unit) * unit
        entry, branch, weight = (a[weight > 0] for a in (entry, branch, weight))
        row, j = row[entry], j[entry]
    below = children(np.arange(len(row)), j, branch, branches, nodes.place[split])
    return Below(row[below.rows], below.node, weight[below.rows], below.place)


def grouped(
    found: Candidates, asks: np.ndarray, feature: np.ndarray, V: np.ndarray, branches: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the branch of each value where names are asked, and the number of branches of each node.

    Parameters
    ----------
    found : Candidates
    asks : int ndarray
        The open nodes that ask something.
    feature, V, branches : int ndarrays
        What each of them asks, how many names that has, and how many branches if each has its own.
    """
    first, branches = np.cumsum(V) - V, branches.copy()
    branch = np.arange(V.sum()) - np.repeat(first, V)
    for f, groups in found.groups.items():
        mine = np.flatnonzero(feature == f)
        start = np.full(len(groups.size), -1)
        start[asks[mine]], branches[mine] = first[mine], groups.size[asks[mine]]
        values = first[mine][:, None] + np.arange(V[mine].max(initial=0))
        branch[values] = groups.rest[asks[mine]][:, None]
        listed = start[groups.node] >= 0
        branch[start[groups.node[listed]] + groups.code[listed]] = groups.branch[listed]
    return branch, branches


def at_values(tree: Tree, data: Training, single: bool) -> Tree:
    """Lower each threshold (of float32 if single) to the largest number of the data that is not above it."""
    threshold = tree.threshold.astype(np.float32 if single else float).astype(float)
    for f, x in data.numbers.items():
        here = np.flatnonzero(tree.feature == f)
        threshold[here] = x[np.searchsorted(x, threshold[here], side="right") - 1]
    return replace(tree, threshold=threshold)


def collapsed(tree: Tree, order: str, slack: float = 1e-3) -> Tree:
    """Make leaves of the nodes whose subtree makes no fewer errors on the training data, less the slack.

    From the bottom up, a collapsed subtree counts with its errors as a leaf; from the top down, a subtree
    counts as it was grown.
    """
    leaf = tree.n - tree.counts.max(1)
    errors = np.where(tree.feature < 0, leaf, 0.0)
    for start, end in tree.spans[::-1]:
        if order == "bottom_up":
            here, alone = errors[start:end], leaf[start:end]
            errors[start:end] = np.where(here >= alone - slack, alone, here)
        if start:
            np.add.at(errors, tree.parent[start:end], errors[start:end])
    no_fewer = (tree.feature >= 0) & (errors >= leaf - slack)
    return collapse(tree, np.flatnonzero(no_fewer), reasons.COLLAPSED)
