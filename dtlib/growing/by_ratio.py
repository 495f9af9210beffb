"""Growing with C4.5's rules: a row may be in several nodes, with a share of its weight in each (chapter 6).

Entries are sent down: fractional instances, each a row with the share of its weight that comes to the node.
"""

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from dtlib.arrays import inside, numbered, of_group, offsets
from dtlib.counting.tables import count_tables
from dtlib.growing.loop import Growth
from dtlib.growing.missing import exact, route_missing
from dtlib.growing.nodes import NextLevel, Nodes, Routed, children, first_reason, join
from dtlib.jit import is_ready
from dtlib.search.merging import entropy_times_n
from dtlib.search.ratio import ASKABLE, Candidates, FractionalRows, averaged, choose, measure_all
from dtlib.search.rules import RatioRules
from dtlib.table.neighbors import among_values
from dtlib.table.training import Training
from dtlib.tree import reasons
from dtlib.tree.edit import collapse
from dtlib.tree.tree import Tree

if TYPE_CHECKING:
    from dtlib.growing.sorted_lines import SortedLines


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
        It does not depend on the order of the rows.

    Examples
    --------
    >>> from dtlib.datasets import load_golf
    >>> from dtlib.table.reading import class_targets
    >>> from dtlib.table.training import read_training
    >>> golf = load_golf()
    >>> grow_by_ratio(read_training(golf.X, class_targets(golf.y, 14)), RatioRules())
    <Tree: 8 nodes, 5 leaves, depth 2>
    """
    weight, unit = exact(data)
    row, lines = np.flatnonzero(weight), None
    if data.numbers and rules.dialect.threshold_by == "gain" and is_ready("ratio", 10 * data.codes.size):
        from dtlib.growing.sorted_lines import SortedLines

        lines = SortedLines(data, rules, weight)
    return ByRatio(data, rules, NextLevel.root(row, weight[row]), unit, lines).grow().tree()


class ByRatio(Growth):
    """A tree that grows by the best gain ratio where the gain is enough, from rows in memory.

    Parameters
    ----------
    data : Training
    rules : RatioRules
    incoming : NextLevel
        The rows that come to the root, with their weights.
    unit : float
        The power of two of which all weights are multiples.
    lines : SortedLines, optional
        The presorted numeric features, for compiled search.
    """

    def __init__(
        self, data: Training, rules: RatioRules, incoming: NextLevel, unit: float,
        lines: "SortedLines | None" = None,
    ):  # fmt: skip
        super().__init__(data, incoming)
        self.lines = lines
        self.rules, self.unit, self.averaged = rules, unit, averaged(data, rules)
        self.least = 2 * max(rules.min_leaf, data.least_weight)  # least weight of a node that can be split

    @property
    def weight(self) -> np.ndarray:
        """The weight of each entry that comes to the next level."""
        assert self.incoming.weight is not None  # entries may be fractional rows
        return self.incoming.weight

    def describe(self) -> Nodes:
        """Describe the nodes of the next level; mark those that are leaves whatever splits there are."""
        rules, incoming, target = self.rules, self.incoming, self.data.targets[0]
        J, K = len(incoming.place), len(target.values)
        label = target.codes[incoming.rows]
        self.table = count_tables(label, incoming.node, (1, K, J), weight=self.weight)[0]
        n = self.table.sum(0)
        impurity = entropy_times_n(self.table) / np.where(n > 0, n, 1)
        stop = first_reason(
            (reasons.EMPTY, n == 0),
            (reasons.PURE, n - self.table.max(0) <= rules.dialect.tolerance),
            (reasons.DEPTH, np.full(J, len(self.levels) == rules.max_depth)),
            (reasons.SMALL, ~rules.enough(n, self.least)),
        )
        return Nodes(incoming.place, self.table.T, n, np.maximum(impurity, 0), stop)

    def split(self, nodes: Nodes, at: np.ndarray) -> None:
        """Measure the features at the open nodes, choose the split of each, and send the entries down."""
        entries = self.opened(nodes.stop == 0, at)
        numbers = None if self.lines is None else self.lines.ask(entries)
        found = measure_all(entries, self.data, self.rules, numbers)
        chosen = choose(found, self.averaged, self.rules)
        self.decide(found, chosen, nodes, at)
        self.send(entries, found, nodes, at)

    def opened(self, is_open: np.ndarray, at: np.ndarray) -> FractionalRows:
        """Return the entries of the open nodes."""
        keep = is_open[self.incoming.node]
        row, node, weight = (x.compress(keep) for x in (self.incoming.rows, self.incoming.node, self.weight))
        label = self.data.targets[0].codes[row]
        return FractionalRows(row, numbered(is_open).take(node), weight, label, self.table[:, at])

    def decide(self, found: Candidates, chosen: np.ndarray, nodes: Nodes, at: np.ndarray) -> None:
        """Write into the nodes the split and gain of each open one, or why it has none."""
        none = ~(found.status == ASKABLE).any(0)
        reason = reasons.FEW if self.rules.min_leaf > 0 else reasons.NO_FEATURE
        nodes.stop[at] = first_reason((reason, none), (reasons.NO_GAIN, chosen < 0))
        split = np.flatnonzero(chosen >= 0)
        f = chosen[split]
        nodes.feature[at] = chosen
        nodes.gain[at[split]] = np.maximum(found.gain + found.charge, 0)[f, split]
        nodes.low[at[split]], nodes.high[at[split]] = found.low[f, split], found.high[f, split]

    def send(self, entries: FractionalRows, found: Candidates, nodes: Nodes, at: np.ndarray) -> None:
        """Send entries down, and write the branches of categories into the nodes."""
        data, does_split = self.data, nodes.feature[at] >= 0
        split = at[does_split]
        feature, low = nodes.feature[split], nodes.low[split]
        branches = np.where(low < 0, np.array([len(f.values) for f in data.features])[feature], 2)
        nodes.n_values[split] = V = np.where(low < 0, branches, 0)
        nodes.code = nodes.branch = inside(V)
        if found.groups:
            nodes.branch, branches = branches_of_groups(
                found, np.flatnonzero(does_split), feature, V, branches
            )
        row, weight, j = entries.row, entries.weight, entries.node
        if not does_split.all():
            keep = does_split[j]
            row, weight, j = row.compress(keep), weight.compress(keep), numbered(does_split)[j.compress(keep)]
        if self.lines is not None and (low >= 0).all():
            row, j, branch, weight = self.lines.part(row, j, weight, feature, low, self.unit)
            self.incoming = children(Routed(row, j, branch, split, branches, nodes.place[split], weight))
            return
        code = data.codes[of_group(feature, j), row].astype(np.intp)
        last = of_group(low, j)
        branch = np.where(code < 0, -1, np.where(last < 0, code, code > last))
        if found.groups:
            categorical = np.flatnonzero((low[j] < 0) & (code >= 0))
            branch[categorical] = nodes.branch[offsets(V)[j[categorical]] + code[categorical]]
        routed = Routed(row, j, branch, split, branches, nodes.place[split], weight)
        self.incoming = children(self.with_parts(routed))

    def with_parts(self, routed: Routed) -> Routed:
        """Send on the entries whose value is missing."""
        return route_missing(self.data, routed, self.rules.missing, self.unit)

    def tree(self) -> Tree:
        """Return the tree that has grown, with the thresholds and the leaves that the rules want."""
        dialect, (tree,) = self.rules.dialect, join(self.levels, self.data, self.rules)
        if dialect.threshold == "value":
            tree = at_values(tree, self.data.numbers, dialect.is_single)
        return tree if dialect.collapse is None else collapsed(tree, dialect.collapse)


def branches_of_groups(
    found: Candidates, does_split: np.ndarray, feature: np.ndarray, V: np.ndarray, branches: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the branch of each category where nominal features are tested, and each node's branches.

    Parameters
    ----------
    found : Candidates
    does_split : int ndarray
        The open nodes that split.
    feature, V, branches : int ndarrays
        The feature that each of them tests, its number of categories, and the number of branches if each
        category has its own.
    """
    first, branches = offsets(V), branches.copy()
    branch = np.arange(V.sum()) - np.repeat(first, V)
    for f, groups in found.groups.items():
        mine = np.flatnonzero(feature == f)
        start = np.full(len(groups.size), -1)
        start[does_split[mine]], branches[mine] = first[mine], groups.size[does_split[mine]]
        values = first[mine][:, None] + np.arange(V[mine].max(initial=0))
        branch[values] = groups.rest[does_split[mine]][:, None]
        listed = start[groups.node] >= 0
        branch[start[groups.node[listed]] + groups.code[listed]] = groups.branch[listed]
    return branch, branches


def at_values(tree: Tree, numbers: dict[int, np.ndarray], single: bool) -> Tree:
    """Lower each threshold (float32 if `single`) to the largest value of the feature not above it."""
    threshold = tree.threshold.astype(np.float32 if single else float).astype(float)
    for f, x in numbers.items():
        here = np.flatnonzero(tree.feature == f)
        threshold[here] = x[np.searchsorted(x, threshold[here], side="right") - 1]
    return replace(tree, threshold=threshold, neighbors=among_values(numbers, tree.feature, threshold))


def collapsed(tree: Tree, order: str, slack: float = 1e-3) -> Tree:
    """Make leaves of nodes whose subtree makes no fewer errors on the training data, less the slack.

    From the bottom up, a collapsed subtree counts with its errors as a leaf; from the top down, a subtree
    counts as it was grown.
    """
    leaf = tree.n - tree.counts.max(1)
    errors = np.where(tree.feature < 0, leaf, 0.0)
    for start, end in tree._level_bounds[::-1]:
        if order == "bottom_up":
            here, alone = errors[start:end], leaf[start:end]
            errors[start:end] = np.where(here >= alone - slack, alone, here)
        if start:
            np.add.at(errors, tree.parent[start:end], errors[start:end])
    no_fewer = (tree.feature >= 0) & (errors >= leaf - slack)
    return collapse(tree, np.flatnonzero(no_fewer), reasons.COLLAPSED)
