"""Growing by the split with the best score: ID3 and CART (chapters 4, 8 and 11)."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from dtlib.arrays import NEARLY, numbered, of_group, owners
from dtlib.counting.criteria import criterion_of
from dtlib.counting.rates import RateTarget
from dtlib.counting.targets import ClassificationTarget, RegressionTarget, Target
from dtlib.growing import depth_first
from dtlib.growing.both_sides import told_apart, with_both_sides
from dtlib.growing.loop import Growth, log
from dtlib.growing.missing import ordered, parted, route_missing, weight_quantum
from dtlib.growing.nodes import NextLevel, Nodes, Routed, best_first, children, first_reason, join
from dtlib.search.level import Level
from dtlib.search.monotone import bounds_below, in_channels, means, root_bounds
from dtlib.search.random_keys import root_key
from dtlib.search.rules import BySurrogates, Rules
from dtlib.search.searcher import BestSplits, Searcher
from dtlib.search.surrogates import (
    Known,
    Surrogates,
    find,
    join_levels,
    larger_side,
    look_up,
    sides_of,
)
from dtlib.table.neighbors import among_values, joined
from dtlib.table.training import Sides, Training, thresholds, values_beside
from dtlib.tree import reasons
from dtlib.tree.tree import Tree

TOGETHER = 1 << 22  # cells; smaller trees are grown together, as most of their time goes to the calls


def grow_by_score(data: Training, rules: Rules) -> Tree:
    """Grow a tree.

    Parameters
    ----------
    data : Training
        Coded features and targets. Where a value is missing, its code is -1.
    rules : Rules

    Returns
    -------
    Tree
        It does not depend on the order of the rows. If sides are to be learned, and no value is missing, it
        has none yet.

    Examples
    --------
    >>> from dtlib.datasets import load_loan
    >>> from dtlib.table.reading import class_targets
    >>> from dtlib.table.training import read_training
    >>> loan = load_loan()
    >>> data = read_training(loan.X, class_targets(loan.y, 15))
    >>> grow_by_score(data, Rules(criterion="entropy", nominal="multiway"))
    <Tree: 5 nodes, 3 leaves, depth 2>
    """
    if rules.missing == "learned" and data.values.has_missing_values:
        return told_apart(grow_by_score(*with_both_sides(data, rules)), data)
    rules = settled(data, rules)
    target = target_of(data, rules)
    if why := depth_first.fallback_reason(data, rules, target):
        log.debug("grown level by level: %s", why)
        return ByScore(data, rules).grow().trees()[0]
    log.debug("grown depth first, compiled")
    nodes, sides = depth_first.grow_nodes(data, rules, target)
    return finished([nodes], data, rules, sides=sides)[0]


def settled(data: Training, rules: Rules) -> Rules:
    """Return the rules with a least weight of nodes with fractional instances: that of two whole rows."""
    if rules.missing != "fractional":
        return rules
    return replace(rules, min_split=max(rules.min_split, 2 * data.least_weight))


def grow_each(data: Training, rules: Rules, trees: int, root: np.ndarray | None = None) -> list[Tree]:
    """Grow several trees, level by level all at once, each from its own rows.

    Parameters
    ----------
    data : Training
        As for `grow_by_score`; `order` has the rows of the first tree first, and so on.
    rules : Rules
        With several trees, no rules that look beyond a node: surrogates, fractional missing values, drawn
        features, a least decrease relative to the root.
    trees : int
        The number of trees.
    root : int ndarray of shape (n,), optional
        The tree of each row, ascending; default: all rows belong to the first.

    Returns
    -------
    list of Tree
    """
    return ByScore(data, rules, trees, root).grow().trees(trees)


class ByScore(Growth):
    """Trees that grow by the split with the best score, from rows in memory.

    Parameters
    ----------
    data, rules, trees, root
        As for `grow_each`.

    Attributes
    ----------
    weighs : bool ndarray of shape (n,), optional
        Whether a row has a weight above 0; None if only such rows come down the tree.
    """

    weighs: np.ndarray | None = None

    def __init__(self, data: Training, rules: Rules, trees: int = 1, root: np.ndarray | None = None):
        rules = settled(data, rules)
        self.rules, self.target, self.total = rules, target_of(data, rules), data.total_weight
        incoming = NextLevel.root(self.target.rows)
        if rules.zero_weight and len(self.target.rows) < data.shape[1]:
            self.weighs = np.isin(np.arange(data.shape[1]), self.target.rows)
            incoming = NextLevel.root(np.concatenate([self.target.rows, np.flatnonzero(~self.weighs)]))
        if rules.max_features is not None or rules.is_drawn:
            incoming = incoming._replace(key=root_key(rules.seed))
        if root is not None:
            incoming = incoming._replace(node=root, branch=np.zeros_like(root), place=np.arange(trees))
            incoming = ordered(self.target, incoming)
        super().__init__(data, incoming)
        self.searcher = Searcher(data, self.target, rules)
        self.surrogates: list[Surrogates] = []
        self.bounds = root_bounds(trees)

    def describe(self) -> Nodes:
        """Describe the nodes of the next level; mark those that are leaves whatever splits there are."""
        rows, node, _ = self.with_weight()
        self.totals = self.target.totals(self.target.gather(rows), node, len(self.incoming.place))
        nodes = self.described(*self.target.summarize(rows, node, self.totals))
        if self.rules.monotonic and self.levels:
            self.bounds = self.bounds_below(self.levels[-1], nodes)
        return nodes

    def bounds_below(self, above: Nodes, nodes: Nodes) -> np.ndarray:
        """Return the bounds of the means of the next level: all first branches, then all second ones."""
        split = np.flatnonzero(above.feature >= 0)
        direction = np.array(self.rules.monotonic)[above.feature[split]]
        mean = means(nodes.summary, nodes.n, self.target.target == "classes").reshape(2, -1)
        return np.concatenate(bounds_below(self.bounds[:, split], direction, mean), axis=1)

    def with_weight(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the next level's rows with a weight above 0, their nodes, and the branches they took."""
        rows, node, branch = self.incoming[:3]
        if self.weighs is None:
            return rows, node, branch
        some = self.weighs[rows]
        return rows.compress(some), node.compress(some), branch.compress(some)

    def samples(self) -> np.ndarray:
        """Return how many rows come to each node of the next level, including rows of weight 0."""
        if self.weighs is None:
            return self.totals.rows
        return np.bincount(self.incoming.node, minlength=len(self.incoming.place))

    def described(self, summary: np.ndarray, impurity: np.ndarray, pure: np.ndarray) -> Nodes:
        """Return the nodes of the next level, given summary, impurity and purity of each."""
        rules = self.rules
        n = self.totals.n * self.target.weight_unit
        max_gain, _ = self.target.max_gain(self.totals, impurity)
        few = (n < rules.min_split * NEARLY) | (self.samples() < rules.min_split_rows)
        stop = first_reason(
            (reasons.EMPTY, self.totals.rows == 0),
            (reasons.PURE, pure),
            (reasons.DEPTH, np.full(len(n), len(self.levels) == rules.max_depth)),
            (reasons.SMALL, few),
            (reasons.VARIATION, self.varies_little(summary, impurity)),
            (reasons.IMPURITY, max_gain * self.target.weight_unit <= rules.min_impurity * n),
        )
        return Nodes(self.incoming.place, summary, n, impurity, stop)

    def varies_little(self, summary: np.ndarray, impurity: np.ndarray) -> np.ndarray:
        """Tell which nodes have regression targets, of one output, that are nearly the same."""
        if not self.rules.min_variation:
            return np.zeros(len(impurity), bool)
        criterion = self.target.criterion
        if criterion.measured not in ("deviations", "sums"):
            raise ValueError(
                f"criterion {criterion.name!r} has no standard deviation: wanted min_variation=0"
            )
        deviation = impurity if criterion.measured == "deviations" else np.sqrt(impurity)
        return deviation < self.rules.min_variation * NEARLY * np.abs(summary[:, 0])

    def split(self, nodes: Nodes, at: np.ndarray) -> None:
        """Search the open nodes, write their splits into `nodes`, and send the rows down."""
        is_open, (rows, node, branch) = nodes.stop == 0, self.with_weight()
        keep = is_open[node]
        rows, branch = rows.compress(keep), branch.compress(keep)
        key = None if self.incoming.key is None else self.incoming.key[at]
        incomplete = self.searcher.search_with_missing(rows, self.totals.rows[at], key)
        level = Level.opened(self.target, rows, self.totals.take(at), nodes.impurity[at], nodes.summary[at])
        if self.rules.monotonic:
            center = nodes.summary[at, 0] if self.target.target == "numbers" else 0.0
            level.bounds = in_channels(level, self.bounds[:, at], center)
        found = self.searcher.search(level, branch, key, incomplete)
        self.decide(found, level, nodes, at)
        rows, node = level.rows, level.node
        if self.weighs is not None:
            keep = is_open[self.incoming.node]
            rows, node = self.incoming.rows[keep], numbered(is_open)[self.incoming.node[keep]]
        routed = ask(self.data, rows, node, found, nodes, at)
        if self.weighs is not None:
            routed = routed._replace(branch=branches_of_any(self.data, routed, nodes, self.rules.strict))
        self.send(routed if key is None else routed._replace(key=key[nodes.feature[at] >= 0]), nodes)

    def decide(self, found: BestSplits, level: Level, nodes: Nodes, at: np.ndarray) -> None:
        """Write into the nodes the split and gain of each open one, or why it has none."""
        rules, n, slack = self.rules, nodes.n[at], level.slack * level.unit
        self.by_heuristic |= {f for f, groups in found.splits.items() if len(groups.by_heuristic)}
        possible = np.isfinite(found.score)
        gain = np.where(possible, found.score, 0) * level.unit
        few = rules.min_leaf > 0 or rules.min_leaf_rows > 1
        none = reasons.FEW if few else reasons.NO_FEATURE
        stop = first_reason(
            (reasons.CONSTRAINED if rules.monotonic else none, ~possible),
            (reasons.NO_GAIN, (gain <= slack) & (not rules.zero_gain)),
            (reasons.BELOW, gain < rules.min_gain * n - slack),
            (reasons.DECREASE, gain < rules.min_decrease * self.levels[0].n[0] - slack),
        )
        nodes.stop[at], nodes.feature[at] = stop, np.where(stop == 0, found.feature, -1)
        nodes.gain[at] = np.where(stop == 0, gain / n, 0)

    def send(self, routed: Routed, nodes: Nodes) -> None:
        """Send rows down, those whose value is missing as the rules say."""
        if self.rules.surrogates is not None:
            routed, surrogates = by_surrogates(self.data, routed, nodes, self.rules, self.rules.surrogates)
            self.surrogates.append(surrogates)
        if self.searcher.incomplete or self.weighs is not None:
            routed = route_missing(self.data, routed, self.rules.missing, weight_quantum(self.total))
        self.incoming = children(routed)
        if self.incoming.weight is not None:  # from here on, each fractional instance is a row of its own
            if self.rules.ties is not None:
                self.rules = replace(self.rules, ties=self.rules.ties.part(self.incoming.rows))
            self.data, self.incoming = parted(self.data, self.incoming)
            self.target = target_of(self.data, self.rules)
            self.incoming = ordered(self.target, self.incoming)
            self.searcher = Searcher(self.data, self.target, self.rules)

    def trees(self, number: int = 1) -> list[Tree]:
        """Return the trees that have grown."""
        grown = finished(self.levels, self.data, self.rules, self.surrogates, number)
        return [replace(tree, heuristic_features=self.heuristic_features()) for tree in grown]


def finished(
    levels: list[Nodes], data: Training, rules: Rules, by_level: Sequence[Surrogates] = (), number: int = 1,
    sides: Sides | None = None,
) -> list[Tree]:  # fmt: skip
    """Return the trees whose levels are grown."""
    grown = join(levels, data, rules, number, sides)
    if rules.surrogates is not None:
        surrogates = join_levels(list(by_level), [len(nodes.place) for nodes in levels])
        close = among_values(data.numbers, surrogates.feature, surrogates.threshold)
        grown = [
            replace(tree, surrogates=surrogates, neighbors=joined(tree.neighbors, close)) for tree in grown
        ]
    grown = [of_node_above(tree) for tree in grown]
    if rules.max_leaf_nodes is not None:
        grown = [best_first(tree, rules.max_leaf_nodes) for tree in grown]
    return grown


def of_node_above(tree: Tree) -> Tree:
    """Return a tree in which a node without rows has the mean of the node above it, if it has means."""
    if tree.is_classifier or tree.n.all():
        return tree
    return replace(tree, summary=tree.summary[tree.evidence])


def target_of(data: Training, rules: Rules) -> Target:
    """Return the target of the criterion's kind."""
    criterion, given = criterion_of(rules.criterion), (data.targets, data.weight, rules.criterion)
    if criterion.measured == "rates":
        return RateTarget(*given, rules.shrinkage, rules.zero_rates)
    return (ClassificationTarget if criterion.of_classes else RegressionTarget)(*given)


def ask(
    data: Training, rows: np.ndarray, node: np.ndarray, found: BestSplits, nodes: Nodes, at: np.ndarray
) -> Routed:
    """Test the rows of the open nodes, which are at positions `at`, and write the branches into `nodes`."""
    does_split, j = nodes.feature[at] >= 0, node
    if not does_split.all():
        keep = does_split[j]
        rows, j = rows.compress(keep), numbered(does_split)[j.compress(keep)]
    start = found.feature[does_split] * np.intp(data.codes.shape[1])
    return answer(data, found, nodes, at, rows, j, data.codes.take(of_group(start, j) + rows))


def answer(
    data: Training,
    found: BestSplits,
    nodes: Nodes,
    at: np.ndarray,
    rows: np.ndarray,
    j: np.ndarray,
    code: np.ndarray,
) -> Routed:
    """Tell which branch each row takes, and write the branches of categories into the nodes.

    Parameters
    ----------
    data, found, nodes, at
        As for `ask`.
    rows, j, code : int ndarrays
        The rows of the nodes that split, their nodes (indices among these), and the codes of their values in
        the feature that is tested.
    """
    does_split = nodes.feature[at] >= 0
    split, feature, low, high = (
        at[does_split],
        found.feature[does_split],
        found.low[does_split],
        found.high[does_split],
    )
    branch, branches = (code > of_group(low, j)).astype(np.intp), np.full(len(split), 2)
    if found.splits:
        owner, nodes.code, nodes.branch = category_branches(data, found, does_split, feature)
        nodes.n_values[split] = n_values = np.bincount(owner, minlength=len(split))
        categorical, V = np.flatnonzero(n_values[j]), max(len(f.values) for f in data.features)
        place = np.searchsorted(owner * V + nodes.code, j[categorical] * V + code[categorical])
        branch[categorical] = nodes.branch.take(place, mode="clip")  # a missing value has no position
        np.maximum.at(branches, owner, nodes.branch + 1)
    if code.min(initial=0) < 0:
        branch[code < 0] = -1
    nodes.low[split], nodes.high[split] = low, high
    if found.threshold is not None:
        nodes.threshold[split] = found.threshold[does_split]
    return Routed(rows, j, branch, split, branches, nodes.place[split])


def branches_of_any(data: Training, routed: Routed, nodes: Nodes, strict: bool) -> np.ndarray:
    """Return the branches of rows, some of weight 0, from which the splits were not computed.

    Such a row may have a value between both sides of a cut, for which the threshold decides; or a category
    without a branch, with which it stays at the node.
    """
    branch = routed.branch.copy()
    feature, low, high = (x[routed.split][routed.node] for x in (nodes.feature, nodes.low, nodes.high))
    code, V = data.codes[feature, routed.rows], max((len(f.values) for f in data.features), default=0)
    inside = np.flatnonzero((low < code) & (code < high))
    x = look_up(data, routed.rows)(feature[inside], inside)
    sides = values_beside(data, feature[inside], low[inside], high[inside])
    branch[inside] = x > thresholds(data.features, feature[inside], sides, strict)
    size = nodes.n_values[routed.split]
    categorical = np.flatnonzero(size[routed.node] > 0)
    has_branch = np.isin(routed.node[categorical] * V + code[categorical], owners(size) * V + nodes.code)
    branch[categorical[~has_branch]] = -1
    return branch


def by_surrogates(
    data: Training, routed: Routed, nodes: Nodes, rules: Rules, how: BySurrogates
) -> tuple[Routed, Surrogates]:
    """Find surrogates, and let them send the rows whose value is missing, if the rules say so."""
    J, branch, tested = len(routed.split), routed.branch.copy(), nodes.feature[routed.split]
    known = Known.of(data, routed.rows, routed.node, branch)
    known = known._replace(branch=np.where(known.weight > 0, branch, -1))
    ties = rules.rounding(data)
    both = sides_of(known, J) if ties is None else ties.sides(data, known, tested)
    found = (find if ties is None else ties.find)(data, known, tested, both, how, rules.strict)
    is_missing, by = np.flatnonzero(branch < 0), np.empty(0, np.intp)
    is_missing = is_missing[
        data.codes[tested[routed.node[is_missing]], routed.rows[is_missing]] < 0
    ]  # a category without a branch stays
    if rules.missing == "surrogate" and len(is_missing):
        node = routed.node[is_missing]
        branch[is_missing], by = found.send(node, look_up(data, routed.rows[is_missing]))
        if how.fallback == "majority":
            branch[is_missing] = np.where(branch[is_missing] < 0, larger_side(both)[node], branch[is_missing])
    default = np.full(J, -1)
    if how.fallback == "majority":
        ones = np.ones(len(branch))
        default = larger_side(sides_of(Known(routed.rows, routed.node, branch, ones), J))
    place, every = nodes.place[routed.split], np.ones(len(nodes.place), bool)
    rows = np.bincount(by[by >= 0], minlength=len(found.node))  # rows sent by each surrogate
    return routed._replace(branch=branch), replace(found, rows=rows, default=default).moved(place, every)


def category_branches(
    data: Training, found: BestSplits, does_split: np.ndarray, feature: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """List the categories that have a branch: node (index among those that split), code, branch."""
    j, parts = numbered(does_split), [np.empty((3, 0), np.intp)]
    for f, best in found.splits.items():
        if best.multiway:  # every value has a branch, whether a row takes it or not
            mine, V = np.flatnonzero(feature == f), len(data.features[f].values)
            every = np.tile(np.arange(V), len(mine))
            parts.append(np.stack([np.repeat(mine, V), every, every]))
        else:
            chosen = np.flatnonzero((does_split & (found.feature == f))[best.pairs.node])
            parts.append(np.stack([j[best.pairs.node[chosen]], best.pairs.code[chosen], best.branch[chosen]]))
    owner, code, branch = np.concatenate(parts, axis=1)
    order = np.argsort(owner, kind="stable")  # within a node, the codes ascend already
    return owner[order], code[order], branch[order]
