"""C4.5's pruning: a tree is cut where its errors, estimated pessimistically, become no more (chapter 14).

The estimate needs no other rows than those of training: `bounds` says how many errors are added to those seen
in a leaf, the more so the fewer rows it has.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from dtlib.arrays import offsets, xlogx
from dtlib.counting.tables import whole
from dtlib.messages import say
from dtlib.prune.error_bounds import added_errors, check_confidence
from dtlib.prune.subtree_raising import Router, Rows
from dtlib.table.parameters import check_choice, check_number
from dtlib.tree import reasons
from dtlib.tree.tree import Tree

SAME = 1e-6  # errors and weights that differ by less are equal
KEPT, REPLACED, RAISED = "kept", "replaced by a leaf", "replaced by its largest branch"


def pessimistic(
    tree: Tree, confidence: float = 0.25, raising: bool = True, bound: str = "binomial", slack: float = 0.1
) -> Tree:
    """Prune a tree by the pessimistic estimate of its errors, as C4.5 does.

    Bottom up, three things are compared at each node: the estimated errors of what is below, of a leaf in its
    place, and of its largest branch in its place. The leaf is taken if its errors are no more than those of
    both others; else the branch, if its errors are no more than those of what is below ("subtree raising":
    all rows of the node go down that branch, and what is there is pruned again); else all stays as it is.

    Parameters
    ----------
    tree : Tree
        Of classes. Raising needs its training data.
    confidence : float above 0 and at most 0.5, default 0.25
        The smaller, the more is pruned. See `added_errors`.
    raising : bool, default True
        Whether a branch may take the place of its node.
    bound : {"binomial", "normal", "release8"}, default "binomial"
        How many errors are added to those seen, see `added_errors`.
    slack : float of at least 0, default 0.1
        Errors that are more by this still count as no more.

    Returns
    -------
    Tree
        With `pruned_from`, and `steps`: a row for each decision, in the order in which C4.5 makes them (a
        node after those below it, the first branch first; after a branch was raised, the nodes of that branch
        again). ``node``, ``n`` (its weight at that moment), ``errors`` and ``added`` (as a leaf), ``leaf``
        (their sum), ``subtree``, ``largest`` (the node at the top of the largest branch, of equals the last),
        ``branch`` (the errors if that takes the place; NaN without raising), ``done``, ``cut``.

    Raises
    ------
    ValueError
        If the tree predicts numbers or has a loss, raising is wanted and the tree has no training data or
        asks for weighted sums, or a parameter cannot be used.

    References
    ----------
    J. R. Quinlan, "C4.5: Programs for Machine Learning", Morgan Kaufmann 1993, chapter 4.

    Notes
    -----
    A row that stays behind at a node, as its answer has no branch, counts there as in a leaf. With several
    outputs, errors are their mean. Surrogates of a raised branch stay as they were learned.

    Examples
    --------
    >>> from dtlib import C45Classifier, load_watermelon
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
    check_confidence(confidence, bound)
    check_choice("raising", raising, (True, False))
    check_number("slack", slack, 0)
    if not tree.is_classifier:
        raise ValueError("the tree predicts numbers; pessimistic pruning is for trees of classes")
    if tree.loss is not None:
        raise ValueError("the tree has a loss; pessimistic pruning counts errors, not what they cost")
    if raising and tree.is_linear.any():
        raise ValueError("the tree asks weighted sums, whose branches cannot be raised: set raising=False")
    if raising and tree.training is None:
        raise ValueError(
            "the tree has no training data, which raising sends down again: fit with keep_data=True, or set "
            "raising=False"
        )
    found = Pruning(tree, confidence, bool(raising), bound, slack)
    found.prune()
    return found.tree()


class Part(NamedTuple):
    """The nodes of a level, the roots they are under, and the rows that come to them."""

    nodes: np.ndarray
    top: np.ndarray
    rows: Rows | None


class Pruning:
    """A tree while it is pruned: the nodes keep their numbers, and `place` says which stands where one was.

    Parameters
    ----------
    tree, confidence, raising, bound, slack
        As for `pessimistic`.
    """

    def __init__(self, tree: Tree, confidence: float, raising: bool, bound: str, slack: float):
        self.was, self.confidence, self.bound, self.slack = tree, confidence, bound, slack
        self.widths = [len(output.values) for output in tree.outputs]
        self.asks, self.stop = tree.feature >= 0, tree.stop.copy()
        self.table, self.gain = tree.summary.astype(float), tree.gain.copy()
        self.place, self.post = np.arange(tree.node_count), post_order(tree)
        self.changed = np.zeros(tree.node_count, bool)  # the nodes whose rows are other ones now
        self.alone = self.estimate(self.table)  # estimated errors of each node as a leaf
        self.staying = np.zeros(tree.node_count)  # those of the rows that stay behind at a node
        self.cost = self.alone.copy()  # those of what is below it
        self.first = np.where(self.asks, tree.first_child, self.place)
        self.raised = np.full(tree.node_count, np.nan)  # those of its largest branch in its place, if known
        self.router = Router(tree) if raising else None
        self.steps: list[dict[str, Any]] = []

    def tabulate(self, rows: Rows, at: np.ndarray, J: int) -> np.ndarray:
        """Return the class weights of J nodes, given the place of the node of each row."""
        targets = self.router.data.targets
        cells = zip(targets, self.widths, strict=True)
        tables = [
            np.bincount(at * K + target.codes[rows.row], rows.weight, J * K).reshape(J, K)
            for target, K in cells
        ]
        return np.concatenate(tables, axis=1)

    def errors(self, table: np.ndarray, label: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Return the weight of each line of class weights, and how much of it is wrong."""
        blocks = self.was.blocks(table)
        n = blocks[0].sum(1)
        if label is None:
            wrong = [n - block.max(1) for block in blocks]
        else:
            label = label.reshape(len(table), len(blocks)).T
            wrong = [n - block[np.arange(len(n)), k] for block, k in zip(blocks, label, strict=True)]
        return n, np.maximum(np.mean(wrong, axis=0), 0)

    def estimate(self, table: np.ndarray, label: np.ndarray | None = None) -> np.ndarray:
        """Return the estimated errors for lines of class weights."""
        n, e = self.errors(table, label)
        return np.where(n > SAME, e + added_errors(e, n, self.confidence, self.bound), 0.0)

    def stands(self, node: np.ndarray) -> np.ndarray:
        """Return the nodes that stand now where these were."""
        now = self.place[node]
        while (now != node).any():
            node, now = now, self.place[now]
        return now

    def below(self, nodes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the nodes below some that ask, and the place of the one above among these."""
        size = self.was.children[nodes]
        owner = np.repeat(np.arange(len(nodes)), size)
        branch = np.arange(len(owner)) - offsets(size)[owner]
        return self.stands(self.was.first_child[nodes][owner] + branch), owner

    def prune(self) -> None:
        """Prune all of the tree."""
        root = np.zeros(1, np.intp)
        self.prune_under(root, self.router.start() if self.router else None, {0: ()}, fresh=False)
        self.steps.sort(key=lambda step: step["key"])

    def prune_under(
        self, roots: np.ndarray, rows: Rows | None, keys: dict[int, tuple[int, ...]], fresh: bool = True
    ) -> None:
        """Prune what is under some nodes, level by level from the bottom.

        Parameters
        ----------
        roots : int ndarray
        rows : Rows, optional
            What comes to them.
        keys : dict
            With what the key begins by which the steps of each root are sorted.
        fresh : bool
            Whether these rows are others than before, so that all is to be counted again.
        """
        level, levels = Part(roots, roots, rows), []
        while len(level.nodes):
            if fresh:
                level = self.recount(level)
            levels.append(level)
            level = self.level_below(level, fresh)
        for level in reversed(levels):
            self.cost[level.nodes] = self.alone[level.nodes]
            asks = self.asks[level.nodes]
            if asks.any():
                self.decide(level._replace(nodes=level.nodes[asks], top=level.top[asks]), keys)

    def recount(self, level: Part) -> Part:
        """Count anew what rows come to the nodes of a level; leave out the rows where they are as before."""
        nodes, at = level.nodes, np.full(self.was.node_count, -1)
        if self.router.is_plain:  # rows are only added, so where their weight is the same, they are the same
            nodes = np.unique(level.rows.node)
        at[nodes] = np.arange(len(nodes))
        table = self.tabulate(level.rows, at[level.rows.node], len(nodes))
        if self.router.is_plain:
            new = (table != self.table[nodes]).any(1)
            at[nodes[~new]] = -1
            nodes, table = nodes[new], table[new]
            level = level._replace(rows=level.rows.some(at[level.rows.node] >= 0))
        self.table[nodes], self.alone[nodes] = table, self.estimate(table)
        self.changed[nodes], self.staying[nodes], self.raised[nodes] = True, 0.0, np.nan
        return level

    def level_below(self, level: Part, fresh: bool) -> Part:
        """Return the nodes of the next level, with the rows that come there."""
        asks = self.asks[level.nodes]
        nodes, top = level.nodes[asks], level.top[asks]
        children, owner = self.below(nodes)
        if level.rows is None or not len(nodes):
            return Part(children, top[owner], None)
        rows = level.rows.some(self.asks[level.rows.node])
        if fresh and len(rows.row):
            self.regain(rows)
        sent, branch, behind = self.router.down(rows)
        if len(behind.row):
            which, at = np.unique(behind.node, return_inverse=True)
            table = self.tabulate(behind, at, len(which))
            self.staying[which] = self.estimate(table, self.was.labels(self.table[which]))
        child = self.stands(self.was.first_child[sent.node] + branch)
        return Part(children, top[owner], sent._replace(node=child))

    def regain(self, rows: Rows) -> None:
        """Measure again what questions gain: the decrease among the known rows, times their share."""
        branch, _ = self.router.answers(rows)
        known = rows.some(branch >= 0)
        nodes, at = np.unique(rows.node), np.empty(self.was.node_count, np.intp)
        at[nodes] = np.arange(len(nodes))
        size = self.was.children[nodes]
        start, j = offsets(size), at[known.node]
        tables = self.tabulate(known, start[j] + branch[branch >= 0], int(size.sum()))
        whole = np.add.reduceat(tables, start, axis=0)
        lost = self.impure(whole) - np.add.reduceat(self.impure(tables), start)
        self.gain[nodes] = np.maximum(lost, 0) / self.errors(self.table[nodes])[0]

    def impure(self, table: np.ndarray) -> np.ndarray:
        """Return the impurity of lines of class weights, times their weight."""
        blocks = self.was.blocks(table)
        n = blocks[0].sum(1)
        if self.was.criterion == "entropy":
            parts = [xlogx(n) - xlogx(block).sum(1) for block in blocks]
        elif self.was.criterion == "gini":
            parts = [n - (block**2).sum(1) / np.where(n > 0, n, 1) for block in blocks]
        else:
            parts = [n - block.max(1) for block in blocks]
        return np.maximum(np.mean(parts, axis=0), 0)

    def decide(self, level: Part, keys: dict[int, tuple[int, ...]]) -> None:
        """Keep each of these nodes, make it a leaf, or put its largest branch in its place."""
        nodes = level.nodes
        children, owner = self.below(nodes)
        below = self.staying[nodes] + np.bincount(owner, self.cost[children], len(nodes))
        largest = self.largest(children, owner)
        if self.router:
            new = np.isnan(self.raised[nodes])
            self.raised[nodes[new]] = self.branch_costs(nodes[new], largest[new], level.rows)
        branch = self.raised[nodes]
        rival = np.where(np.isnan(branch), np.inf, branch)
        leaf = self.alone[nodes]
        cut = (leaf < below + self.slack + SAME) & (leaf < rival + self.slack + SAME)
        raised = ~cut & (rival < below + self.slack + SAME)
        self.record(level, keys, (leaf, below, largest, branch, cut, raised))
        self.asks[nodes[cut]], self.stop[nodes[cut]] = False, reasons.code_of(reasons.ESTIMATED)
        self.first[nodes[cut]] = nodes[cut]
        self.cost[nodes] = np.where(cut, leaf, below)
        if raised.any():
            self.lift(level, nodes[raised], level.top[raised], largest[raised], keys)

    def largest(self, children: np.ndarray, owner: np.ndarray) -> np.ndarray:
        """Return the child with the largest weight of each node, of equals the last."""
        n = self.errors(self.table[children])[0]
        start = np.flatnonzero(np.diff(owner, prepend=-1))
        most = np.maximum.reduceat(n, start)
        hits = np.flatnonzero((n == most[owner]) | (n > most[owner] - SAME))
        last = np.empty(len(start), np.intp)
        last[owner[hits]] = hits  # the last is written last
        return children[last]

    def branch_costs(self, nodes: np.ndarray, largest: np.ndarray, rows: Rows) -> np.ndarray:
        """Return the estimated errors of the largest branches if all rows of their nodes go down them."""
        J, at = len(nodes), np.full(self.was.node_count, -1)
        at[nodes] = np.arange(J)
        rows = rows.some(at[rows.node] >= 0)
        goes = largest[at[rows.node]]
        if self.router.is_plain:  # only those that were in other branches are new
            answer, _ = self.router.answers(rows)
            other = self.stands(self.was.first_child[rows.node] + answer) != goes
            rows, goes = rows.some(other), goes[other]
        cost = self.cost[largest] if self.router.is_plain else np.zeros(J)
        owner = np.full(self.was.node_count, -1)
        owner[largest] = np.arange(J)
        for ended, inner in self.sent_down(rows.at(goes)):
            cost = cost + np.bincount(*self.ended(ended, owner, inner), J)
        return cost

    def sent_down(self, rows: Rows) -> list[tuple[Rows, bool]]:
        """Return the rows that end in leaves, and those that stay behind at other nodes."""
        if self.router.is_plain and not self.router.any_named:
            return [(rows._replace(node=self.quickly(rows.row, rows.node)), False)]
        in_leaves, behind = [], []
        while len(rows.row):
            asks = self.asks.take(rows.node)
            in_leaves.append(rows.some(~asks))
            rows, branch, stay = self.router.down(rows.some(asks))
            if len(stay.row):
                behind.append(stay)
            rows = rows._replace(node=self.stands(self.was.first_child.take(rows.node) + branch))
        found = [(in_leaves, False), (behind, True)]
        return [(joined(parts), inner) for parts, inner in found if parts]

    def quickly(self, row: np.ndarray, node: np.ndarray) -> np.ndarray:
        """Return the leaves in which rows end, if all that is asked are numbers."""
        end, going, step = node.copy(), np.arange(len(row)), 0
        while len(going):
            if step % 4 == 0:
                asks = np.flatnonzero(self.asks.take(node))
                end[going] = node
                going, row, node = going.take(asks), row.take(asks), node.take(asks)
            above = self.router.beyond(row, node) & self.asks.take(node)
            node = self.stands(self.first.take(node) + above)
            step += 1
        return end

    def ended(self, rows: Rows, owner: np.ndarray, inner: bool) -> tuple[np.ndarray, np.ndarray]:
        """Return what rows that end at some nodes add to the errors there, and from where these rows came."""
        nodes, first, at = np.unique(rows.node, return_index=True, return_inverse=True)
        table = self.tabulate(rows, at, len(nodes))
        before = np.zeros(len(nodes))
        if self.router.is_plain:
            table, before = table + self.table[nodes], self.alone[nodes]
        more = self.estimate(table, self.was.labels(self.table[nodes]) if inner else None) - before
        return owner[rows.top[first]], more

    def lift(
        self, level: Part, nodes: np.ndarray, top: np.ndarray, largest: np.ndarray, keys: dict[int, Any]
    ) -> None:
        """Put the largest branch of each of these nodes in its place, and prune it again."""
        goes = np.full(self.was.node_count, -1)
        goes[nodes] = largest
        rows = level.rows.some(goes[level.rows.node] >= 0)
        self.place[nodes] = largest
        keys = {
            int(root): (*keys[int(above)], int(self.post[node]))
            for node, above, root in zip(nodes, top, largest, strict=True)
        }
        self.prune_under(largest, rows.at(goes[rows.node]), keys)
        self.cost[nodes] = self.cost[self.stands(nodes)]

    def record(self, level: Part, keys: dict[int, tuple[int, ...]], found: tuple[np.ndarray, ...]) -> None:
        """Write down what was looked at and done at each of these nodes."""
        leaf, below, largest, branch, cut, raised = found
        n, errors = self.errors(self.table[level.nodes])
        done = np.where(cut, REPLACED, np.where(raised, RAISED, KEPT))
        columns = level.nodes, level.top, n, errors, leaf, below, largest, branch, done
        for node, top, weight, e, alone, under, child, other, what in zip(
            *(x.tolist() for x in columns), strict=True
        ):
            self.steps.append(
                {
                    "key": (*keys[top], int(self.post[node])), "node": node, "n": weight, "errors": e,
                    "added": alone - e, "leaf": alone, "subtree": under, "largest": child, "branch": other,
                    "done": say(what), "cut": what != KEPT,
                }
            )  # fmt: skip

    def tree(self) -> Tree:
        """Return the tree as it is now, its nodes numbered anew, level by level."""
        was, levels = self.was, [self.stands(np.zeros(1, np.intp))]
        while (asks := self.asks[levels[-1]]).any():
            levels.append(self.below(levels[-1][asks])[0])
        nodes = np.concatenate(levels)
        asks, changed = self.asks[nodes], self.changed[nodes]
        moved = changed & (was.feature[nodes] < 0)
        stop = np.where(moved, reasons.code_of(reasons.MOVED), self.stop[nodes])
        n_values = np.where(asks, was.n_values[nodes], 0)
        inside = np.repeat(was.first_value[nodes] - np.cumsum(n_values) + n_values, n_values)
        inside += np.arange(len(inside))
        n, _ = self.errors(self.table[nodes])
        impurity = self.impure(self.table[nodes]) / np.where(n > 0, n, 1)
        number = np.full(was.node_count, -1)
        number[nodes] = np.arange(len(nodes))
        return replace(
            was, feature=np.where(asks, was.feature[nodes], -1), stop=stop, n_values=n_values,
            threshold=np.where(asks, was.threshold[nodes], np.nan),
            gain=np.where(asks, self.gain[nodes], 0.0),
            code=was.code[inside], branch=was.branch[inside],
            impurity=np.where(changed, impurity, was.impurity[nodes]),
            summary=whole(self.table[nodes]), n=whole(np.where(changed, n, was.n[nodes])),
            surrogates=None if was.surrogates is None else was.surrogates.moved(number, asks),
            normals=None if was.normals is None else np.where(asks[:, None], was.normals[nodes], 0.0),
            pruned_from=was, steps=self.told(),
        )  # fmt: skip

    def told(self) -> pd.DataFrame:
        """Return the steps as a table."""
        kinds = {"node": int, **dict.fromkeys(["n", "errors", "added", "leaf", "subtree"], float)}
        kinds |= {"largest": int, "branch": float, "done": str, "cut": bool}
        return pd.DataFrame(self.steps, columns=list(kinds)).astype(kinds)


def joined(parts: list[Rows]) -> Rows:
    """Return several lists of rows as one."""
    return Rows(*(np.concatenate(x) for x in zip(*parts, strict=True)))


def post_order(tree: Tree) -> np.ndarray:
    """Return the number of each node when a node comes after those below it, the first branch first.

    Examples
    --------
    >>> from dtlib import ID3Classifier, load_loan
    >>> loan = load_loan()
    >>> post_order(ID3Classifier().fit(loan.X, loan.y).tree_)
    array([4, 2, 3, 0, 1])
    """
    size, first = np.ones(tree.node_count, np.intp), np.zeros(tree.node_count, np.intp)
    for start, end in tree.spans[:0:-1]:
        np.add.at(size, tree.parent[start:end], size[start:end])
    for start, end in tree.spans[1:]:
        before = offsets(size[start:end])
        above = tree.parent[start:end]
        first[start:end] = first[above] + before - before[tree.first_child[above] - start]
    return first + size - 1
