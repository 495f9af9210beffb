"""C4.5's pruning: subtrees whose pessimistically estimated errors are no fewer become leaves (chapter 15).

The estimate needs the training rows only: `added_errors` returns the number of errors that is added to those
in a leaf, which is larger if the leaf has fewer rows.

No subtree is copied during pruning. Nodes keep their indices, and `place` has the node that now stands in the
position of each; all nodes of a level are decided together. If a branch is raised, the rows of its node go
down the branch, and its nodes are decided once more, before the levels above.

Legend: J is the number of nodes decided together, K the number of classes of an output. A table has a line of
class weights, of all outputs one after the other, for each of J nodes. `top` is the node under which another
is pruned: the root, or the top of a branch that was raised.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pandas as pd

from dtlib.arrays import changes, concatenated, distinct_numbers, inside, offsets, owners
from dtlib.counting.criteria import criterion_of
from dtlib.counting.tables import whole
from dtlib.growing.training_rows import Router, RowsAt
from dtlib.messages import say
from dtlib.prune.error_bounds import added_unchecked, check_confidence
from dtlib.prune.loss import sums_below
from dtlib.table.neighbors import among_values, joined
from dtlib.table.parameters import check_choice, check_number
from dtlib.table.training import Training
from dtlib.tree import reasons
from dtlib.tree.tree import Fitted, Tree, tree_of

SAME_ERRORS = 1e-6  # errors and weights that differ by less are equal
DONE = "kept", "replaced by a leaf", "replaced by its largest branch"
STEP = {
    "node": int, "n": float, "errors": float, "added": float, "leaf": float, "subtree": float, "largest": int,
    "branch": float, "done": str, "cut": bool,
}  # fmt: skip


def pessimistic(
    tree: Tree | Fitted,
    confidence: float = 0.25,
    raising: bool = True,
    bound: str = "binomial",
    slack: float = 0.1,
) -> Tree:
    """Prune a tree by the pessimistic estimate of its errors, as C4.5 does.

    From the bottom up, the estimated errors of three alternatives are compared at each node: its subtree, a
    leaf, and its largest branch in its position. The leaf is taken if its errors are no more than those of
    both others; else the branch, if its errors are no more than those of the subtree ("subtree raising": all
    rows of the node go down that branch, which is pruned again); else the subtree is kept.

    Parameters
    ----------
    tree : Tree or fitted estimator
        A classification tree. Raising needs its training data.
    confidence : float above 0 and at most 0.5, default 0.25
        The smaller it is, the more is pruned. See `added_errors`.
    raising : bool, default True
        Whether a branch may replace its node.
    bound : {"binomial", "normal", "release8"}, default "binomial"
        The bound that gives the added errors, see `added_errors`.
    slack : float of at least 0, default 0.1
        Errors that are more by less than this count as no more.

    Returns
    -------
    Tree
        With `pruned_from`, and `steps`: a row for each decision, in the order in which C4.5 makes them (a
        node after those below it, the first branch first; after a branch was raised, the nodes of that branch
        again). The columns are ``node``, ``n`` (its weight at that step), ``errors`` and ``added`` (as a
        leaf), ``leaf`` (their sum), ``subtree`` (its errors), ``largest`` (the node at the top of the largest
        branch, the last of equals), ``branch`` (the errors if that branch is raised; NaN without raising),
        ``done``, ``cut``.

    Raises
    ------
    ValueError
        If it is a regression tree or has a loss, if `raising` is True and the tree has no training data or
        has oblique splits, or if a parameter cannot be used.

    References
    ----------
    J. R. Quinlan, "C4.5: Programs for Machine Learning", Morgan Kaufmann 1993, chapter 4.

    Notes
    -----
    A row that ends at an inner node, as there is no branch for its value, counts there as in a leaf. With
    several outputs, errors are the mean over them. Surrogates of a raised branch are not learned again.

    Examples
    --------
    >>> from dtlib import C45Classifier
    >>> from dtlib.datasets import load_watermelon
    >>> melons = load_watermelon("3.0")
    >>> tree = C45Classifier(min_samples_leaf=2).fit(melons.X, melons.y).tree_
    >>> small = pessimistic(tree)
    >>> small.steps[["node", "n", "leaf", "subtree", "branch", "done"]].round(2).head(4)
       node     n  leaf  subtree  branch                            done
    0     4  10.0  3.55     3.28    3.55                            kept
    1     2  12.0  5.68     4.28    5.54                            kept
    2     0  17.0  9.86     5.49    5.45  replaced by its largest branch
    3     4  13.0  6.72     4.28    6.72                            kept
    >>> tree.n_leaves, small.n_leaves
    (5, 4)
    """
    tree = tree_of(tree)
    check_confidence(confidence, bound)
    check_choice("raising", raising, (True, False))
    check_number("slack", slack, 0)
    if not tree.is_classifier:
        raise ValueError("this is a regression tree; pessimistic pruning is for classification trees")
    if tree.loss is not None:
        raise ValueError("the tree has a loss; pessimistic pruning counts errors, not what they cost")
    if not raising:
        return ByEstimate(tree, confidence, bound, slack).prune(RowsAt(*np.empty((4, 0), np.intp)))
    if tree.is_linear.any():
        raise ValueError("subtree raising is not supported for oblique splits: set raising=False")
    if tree.training is None:
        raise ValueError(
            "the tree has no training data, which raising sends down again: fit with keep_data=True, or set "
            "raising=False"
        )
    pruning = Raising(tree, tree.training, confidence, bound, slack)
    return pruning.prune(pruning.router.start())


class Layer(NamedTuple):
    """The nodes of a level, the tops they are under, and the rows at them, if a branch may be raised."""

    nodes: np.ndarray
    top: np.ndarray
    rows: RowsAt


class ByEstimate:
    """A tree while it is pruned: at each node, the errors as a leaf are compared with those below.

    No rows are needed, as no branch is raised. `Raising` does otherwise in `counted`, `sent_on` and
    `branch_errors`.

    Parameters
    ----------
    tree, confidence, bound, slack
        As for `pessimistic`.
    """

    def __init__(self, tree: Tree, confidence: float, bound: str, slack: float):
        self.was, self.confidence, self.bound, self.slack = tree, confidence, bound, slack
        self.does_split, self.stop = tree.feature >= 0, tree.stop.copy()
        self.table, self.gain = tree.summary.astype(float), tree.gain.copy()
        self.leads = np.full(tree.node_count, -1)
        self.place, self.post = np.arange(tree.node_count), post_order(tree)
        self.first = np.where(self.does_split, tree.first_child, self.place)  # a leaf is its own child
        self.changed = np.zeros(tree.node_count, bool)  # the nodes whose rows are other ones now
        self.alone = self.estimate(self.table)  # estimated errors of each node as a leaf
        self.staying = self.left_behind()  # those of the rows that stay behind at a node
        self.cost = self.alone.copy()  # those of what is below it
        self.any_raised, self.done = False, np.array([say(what) for what in DONE])
        self.steps: list[dict[str, np.ndarray]] = [{name: np.empty(0, kind) for name, kind in STEP.items()}]
        self.keys: list[tuple[int, ...]] = []  # by which the steps are sorted

    def errors(self, table: np.ndarray, label: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Return the weight of each line of class weights, and how much of it is wrong."""
        blocks = self.was._blocks(table)
        n = blocks[0].sum(1)
        if label is None:
            wrong = [n - block.max(1) for block in blocks]
        else:
            label = label.reshape(len(table), len(blocks)).T
            wrong = [n - block[np.arange(len(n)), k] for block, k in zip(blocks, label, strict=True)]
        return n, np.maximum(mean_of(wrong), 0)

    def estimate(self, table: np.ndarray, label: np.ndarray | None = None) -> np.ndarray:
        """Return the estimated errors for lines of class weights."""
        n, e = self.errors(table, label)
        return np.where(n > SAME_ERRORS, e + added_unchecked(e, n, self.confidence, self.bound), 0.0)

    def left_behind(self) -> np.ndarray:
        """Return the estimated errors of the rows that come to each node and to none of its children."""
        tree, rest = self.was, self.table.copy()
        if tree.missing not in ("stay", "surrogate"):
            return np.zeros(tree.node_count)
        np.subtract.at(rest, tree.parent[1:], self.table[1:])
        rest[~self.does_split | (self.errors(rest)[0] < SAME_ERRORS)] = 0.0
        return self.estimate(rest, tree.labels(self.table))

    def stands(self, node: np.ndarray) -> np.ndarray:
        """Return the nodes that now stand in the positions of these nodes."""
        if not self.any_raised:
            return node
        now = self.place[node]
        while (now != node).any():
            node, now = now, self.place[now]
        return now

    def below(self, nodes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the children of some inner nodes, and the position of each one's parent among these."""
        size = self.was.children[nodes]
        owner = owners(size)
        return self.stands(self.first[nodes][owner] + inside(size)), owner

    def largest(self, children: np.ndarray, owner: np.ndarray) -> np.ndarray:
        """Return for each node the child with the largest weight, the last of equals."""
        n = self.errors(self.table[children])[0]
        start = np.flatnonzero(changes(owner))
        most = np.maximum.reduceat(n, start)
        hits = np.flatnonzero((n == most[owner]) | (n > most[owner] - SAME_ERRORS))
        last = np.empty(len(start), np.intp)
        last[owner[hits]] = hits  # the last is written last
        return children[last]

    def prune(self, rows: RowsAt) -> Tree:
        """Return the pruned tree, given the rows at its root if they are needed."""
        root = np.zeros(1, np.intp)
        self.prune_under(Layer(root, root, rows), {0: ()})
        return self.tree()

    def prune_under(self, layer: Layer, keys: dict[int, tuple[int, ...]]) -> None:
        """Prune the subtrees of some nodes, level by level from the bottom.

        Parameters
        ----------
        layer : Layer
            These nodes.
        keys : dict
            The beginning of the sort key of the steps under each top.
        """
        layers = []
        while len(layer.nodes):
            layers.append(self.counted(layer))
            layer = self.layer_below(layers[-1])
        for nodes, top, rows in reversed(layers):
            self.cost[nodes] = self.alone[nodes]
            does_split = self.does_split[nodes]
            if does_split.any():
                self.decide(Layer(nodes[does_split], top[does_split], rows), keys)

    def layer_below(self, layer: Layer) -> Layer:
        """Return the nodes of the next level, with the rows that come there."""
        does_split = self.does_split[layer.nodes]
        children, owner = self.below(layer.nodes[does_split])
        return Layer(children, layer.top[does_split][owner], self.sent_on(layer.rows))

    def counted(self, layer: Layer) -> Layer:
        """Return a level, with its rows counted if they differ from those of training."""
        return layer

    def sent_on(self, rows: RowsAt) -> RowsAt:
        """Route rows to the next level."""
        return rows

    def branch_errors(self, nodes: np.ndarray, largest: np.ndarray, rows: RowsAt) -> np.ndarray:
        """Return the estimated errors if the largest branch of each node is raised; NaN without raising."""
        return np.full(len(nodes), np.nan)

    def decide(self, layer: Layer, keys: dict[int, tuple[int, ...]]) -> None:
        """Keep each of these nodes, make it a leaf, or raise its largest branch."""
        nodes, (children, owner) = layer.nodes, self.below(layer.nodes)
        below = self.staying[nodes] + np.bincount(owner, self.cost[children], len(nodes))
        largest, leaf = self.largest(children, owner), self.alone[nodes]
        branch = self.branch_errors(nodes, largest, layer.rows)
        cut = leaf < np.fmin(below, branch) + self.slack + SAME_ERRORS
        raised = ~cut & (branch < below + self.slack + SAME_ERRORS)
        n, errors = self.errors(self.table[nodes])
        step = nodes, n, errors, leaf - errors, leaf, below, largest, branch
        done = self.done[cut + 2 * raised], cut | raised  # never both
        self.steps.append(dict(zip(STEP, step + done, strict=True)))
        subtree_roots = zip(layer.top.tolist(), self.post[nodes].tolist(), strict=True)
        self.keys += [(*keys[top], post) for top, post in subtree_roots]
        gone = nodes[cut]
        self.does_split[gone], self.stop[gone], self.first[gone] = (
            False,
            reasons.code_of(reasons.ESTIMATED),
            gone,
        )
        self.cost[nodes] = np.where(cut, leaf, below)
        if raised.any():
            self.raise_subtree(Layer(nodes[raised], layer.top[raised], layer.rows), largest[raised], keys)

    def raise_subtree(self, layer: Layer, largest: np.ndarray, keys: dict[int, tuple[int, ...]]) -> None:
        """Replace each of these nodes by its largest branch, and prune that again."""
        nodes, self.any_raised = layer.nodes, True
        rows, goes = self.redirected(layer.rows, nodes, largest)
        self.place[nodes] = largest
        subtree_roots = zip(largest.tolist(), layer.top.tolist(), self.post[nodes].tolist(), strict=True)
        keys = {root: (*keys[top], post) for root, top, post in subtree_roots}
        self.prune_under(Layer(largest, largest, rows.at(goes)), keys)
        self.cost[nodes] = self.cost[self.stands(nodes)]

    def lead(self, nodes: np.ndarray, to: np.ndarray, at: np.ndarray) -> np.ndarray:
        """Return the entry of `to` for each node of `at`, by its position in `nodes`; -1 if it has none."""
        self.leads[nodes] = to
        goes = self.leads.take(at)
        self.leads[nodes] = -1
        return goes

    def redirected(self, rows: RowsAt, nodes: np.ndarray, largest: np.ndarray) -> tuple[RowsAt, np.ndarray]:
        """Return the rows at some nodes, and the largest branch of each one's node."""
        goes = self.lead(nodes, largest, rows.node)
        there = goes >= 0
        return rows.some(there), goes[there]

    def impure(self, table: np.ndarray) -> np.ndarray:
        """Return the impurity of lines of class weights, times their weight."""
        blocks = self.was._blocks(table)
        n = blocks[0].sum(1)
        criterion = criterion_of(self.was.criterion)
        parts = [criterion.impure_weight(list(block.T), n) for block in blocks]
        return np.maximum(mean_of(parts), 0)

    def tree(self) -> Tree:
        """Return the pruned tree, its nodes indexed anew, level by level."""
        was, levels = self.was, [self.stands(np.zeros(1, np.intp))]
        while (does_split := self.does_split[levels[-1]]).any():
            levels.append(self.below(levels[-1][does_split])[0])
        nodes = np.concatenate(levels)
        does_split, changed, n = (
            self.does_split[nodes],
            self.changed[nodes],
            self.errors(self.table[nodes])[0],
        )
        moved = changed & (was.feature[nodes] < 0)
        n_values = np.where(does_split, was.n_values[nodes], 0)
        values = np.repeat(was._first_value[nodes], n_values) + inside(n_values)
        impurity = self.impure(self.table[nodes]) / np.where(n > 0, n, 1)
        number = self.lead(nodes, np.arange(len(nodes)), np.arange(was.node_count))
        return replace(
            was, feature=np.where(does_split, was.feature[nodes], -1), n_values=n_values,
            stop=np.where(moved, reasons.code_of(reasons.MOVED), self.stop[nodes]),
            threshold=np.where(does_split, was.threshold[nodes], np.nan),
            gain=np.where(does_split, self.gain[nodes], 0.0),
            code=was.code[values], branch=was.branch[values],
            impurity=np.where(changed, impurity, was.impurity[nodes]),
            summary=whole(self.table[nodes]), n=whole(np.where(changed, n, was.n[nodes])),
            surrogates=None if was.surrogates is None else was.surrogates.moved(number, does_split),
            normals=None if was.normals is None else np.where(does_split[:, None], was.normals[nodes], 0.0),
            pruned_from=was, steps=self.told(),
        )  # fmt: skip

    def told(self) -> pd.DataFrame:
        """Return the steps as a table, in the order in which C4.5 makes them."""
        table = {name: np.concatenate([step[name] for step in self.steps]) for name in STEP}
        order = sorted(range(len(self.keys)), key=self.keys.__getitem__)
        return pd.DataFrame({name: column[order] for name, column in table.items()})


class Raising(ByEstimate):
    """A tree while it is pruned with subtree raising, which routes the training rows.

    Parameters
    ----------
    tree : Tree
    data : Training
        Training data of the tree.
    confidence, bound, slack
        As for `pessimistic`.
    """

    def __init__(self, tree: Tree, data: Training, confidence: float, bound: str, slack: float):
        super().__init__(tree, confidence, bound, slack)
        self.router = Router(tree, data)
        self.raised = np.full(tree.node_count, np.nan)  # errors of the largest branch, once they are known

    def tree(self) -> Tree:
        """Return the pruned tree, with the values next to the thresholds of raised branches."""
        tree = super().tree()
        if not self.any_raised:
            return tree
        close = among_values(self.router.data.numbers, tree.feature, tree.threshold)
        return replace(tree, neighbors=joined(tree.neighbors, close))

    def tabulate(self, rows: RowsAt, at: np.ndarray, J: int) -> np.ndarray:
        """Return the class weights of J nodes, given the position of each row's node."""
        tables = []
        for target in self.router.data.targets:
            K = len(target.values)
            tables.append(np.bincount(at * K + target.codes[rows.row], rows.weight, J * K).reshape(J, K))
        return np.concatenate(tables, axis=1)

    def counted(self, layer: Layer) -> Layer:
        """Count the rows at the nodes of a level again, once a branch was raised.

        Rows are left out at nodes whose rows did not change.
        """
        if not self.any_raised:
            return layer
        rows, is_plain = layer.rows, self.router.is_plain
        # Plain rows are only added to nodes: if the weight did not change, the rows did not.
        nodes = distinct_numbers(rows.node, self.router.room)[0] if is_plain else layer.nodes
        at = self.lead(nodes, np.arange(len(nodes)), rows.node)
        table = self.tabulate(rows, at, len(nodes))
        if is_plain:
            new = (table != self.table[nodes]).any(1)
            nodes, table = nodes[new], table[new]
            rows, _ = self.redirected(rows, nodes, nodes)
        self.table[nodes], self.alone[nodes] = table, self.estimate(table)
        self.changed[nodes], self.staying[nodes], self.raised[nodes] = True, 0.0, np.nan
        return layer._replace(rows=rows)

    def sent_on(self, rows: RowsAt) -> RowsAt:
        """Route rows to the next level; note the gains of the splits, and the errors of rows that stay."""
        rows = rows.some(self.does_split[rows.node])
        if self.any_raised and len(rows.row):
            self.regain(rows)
        routed, branch, behind = self.router.down(rows)
        if len(behind.row):
            which, at = distinct_numbers(behind.node, self.router.room)
            table = self.tabulate(behind, at, len(which))
            self.staying[which] = self.estimate(table, self.was.labels(self.table[which]))
        return routed._replace(node=self.stands(self.first[routed.node] + branch))

    def regain(self, rows: RowsAt) -> None:
        """Compute the gains of splits again: the decrease among rows with known values, times their share."""
        branch, _ = self.router.answers(rows)
        nodes, known = distinct_numbers(rows.node, self.router.room)[0], rows.some(branch >= 0)
        size = self.was.children[nodes]
        start = offsets(size)
        first = self.lead(nodes, start, known.node)
        tables = self.tabulate(known, first + branch[branch >= 0], int(size.sum()))
        before = self.impure(np.add.reduceat(tables, start, axis=0))
        lost = before - np.add.reduceat(self.impure(tables), start)
        self.gain[nodes] = np.maximum(lost, 0) / self.errors(self.table[nodes])[0]

    def branch_errors(self, nodes: np.ndarray, largest: np.ndarray, rows: RowsAt) -> np.ndarray:
        """Return the estimated errors of the largest branches if all rows of their nodes go down them."""
        new = np.isnan(self.raised[nodes])
        tested, largest = nodes[new], largest[new]
        rows, goes = self.redirected(rows, tested, largest)
        errors = np.zeros(len(tested))
        if self.router.is_plain:  # only those that were in other branches are new
            answer, _ = self.router.answers(rows)
            other = self.stands(self.first[rows.node] + answer) != goes
            rows, goes, errors = rows.some(other), goes[other], self.cost[largest]
        for ended, inner in self.sent_down(rows.at(goes)):
            top, more = self.added(ended, inner)
            owner = self.lead(largest, np.arange(len(tested)), top)
            errors = errors + np.bincount(owner, more, len(tested))
        self.raised[tested] = errors
        return self.raised[nodes]

    def sent_down(self, rows: RowsAt) -> list[tuple[RowsAt, bool]]:
        """Return the rows that end in leaves, and those that stay behind at other nodes."""
        if self.router.is_plain and not self.router.any_nominal:
            return [(rows._replace(node=self.quickly(rows.row, rows.node)), False)]
        in_leaves, behind = [], []
        while len(rows.row):
            does_split = self.does_split.take(rows.node)
            in_leaves.append(rows.some(~does_split))
            rows, branch, stay = self.router.down(rows.some(does_split))
            if len(stay.row):
                behind.append(stay)
            rows = rows._replace(node=self.stands(self.first.take(rows.node) + branch))
        found = (in_leaves, False), (behind, True)
        return [(concatenated(parts), inner) for parts, inner in found if parts]

    def quickly(self, row: np.ndarray, node: np.ndarray) -> np.ndarray:
        """Return the leaves in which rows end, if all splits are on numeric features."""
        router = self.router
        if router.is_compiled:
            from dtlib.compiled.parting import fall_on

            codes, feature, last = router.data.codes, self.was.feature, router.last
            return fall_on(row, node, codes, feature, last, self.does_split, self.first, self.place)
        end, going, step = node.copy(), np.arange(len(row)), 0
        while len(going):
            if step % 4 == 0:  # to leave out what has arrived costs more than to send it on: now and then
                does_split = np.flatnonzero(self.does_split.take(node))
                end[going] = node
                going, row, node = going.take(does_split), row.take(does_split), node.take(does_split)
            above = self.router.beyond(row, node) & self.does_split.take(node)
            node = self.stands(self.first.take(node) + above)
            step += 1
        return end

    def added(self, rows: RowsAt, inner: bool) -> tuple[np.ndarray, np.ndarray]:
        """Return the top of the rows that end at each node, and how much they add to its errors."""
        nodes, at = distinct_numbers(rows.node, self.router.room)
        table, before = self.tabulate(rows, at, len(nodes)), np.zeros(len(nodes))
        if self.router.is_plain:  # they come to the rows that are there already
            table, before = table + self.table[nodes], self.alone[nodes]
        label = self.was.labels(self.table[nodes]) if inner else None
        top = np.empty(len(nodes), np.intp)
        top[at] = rows.top  # the same of all rows that come to a node
        return top, self.estimate(table, label) - before


def mean_of(outputs: list[np.ndarray]) -> np.ndarray:
    """Return the mean over the outputs."""
    return outputs[0] if len(outputs) == 1 else np.mean(outputs, axis=0)


def post_order(tree: Tree) -> np.ndarray:
    """Return the position of each node in post-order, the first branch first.

    Examples
    --------
    >>> from dtlib import ID3Classifier
    >>> from dtlib.datasets import load_loan
    >>> loan = load_loan()
    >>> post_order(ID3Classifier().fit(loan.X, loan.y).tree_)
    array([4, 2, 3, 0, 1])
    """
    size, first = sums_below(tree, np.ones(tree.node_count, np.intp)), np.zeros(tree.node_count, np.intp)
    for start, end in tree._level_bounds[1:]:
        before = offsets(size[start:end])
        above = tree.parent[start:end]
        first[start:end] = first[above] + before - before[tree.first_child[above] - start]
    return first + size - 1
