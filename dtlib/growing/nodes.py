"""The nodes of a level, their children, and the tree that joins all levels."""

import heapq
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from dtlib.arrays import inside, of_group, offsets, owners
from dtlib.counting.tables import whole
from dtlib.search.random_keys import child_keys
from dtlib.search.rules import RatioRules, Rules
from dtlib.table.columns import Feature
from dtlib.table.neighbors import close_to
from dtlib.table.training import Sides, Training, thresholds, values_beside
from dtlib.tree import reasons
from dtlib.tree.edit import collapse
from dtlib.tree.tree import Tree


@dataclass
class Nodes:
    """The nodes of one level, with their splits."""

    place: np.ndarray  # the position in the level of the finished tree
    summary: np.ndarray
    n: np.ndarray
    impurity: np.ndarray
    stop: np.ndarray
    feature: np.ndarray = field(init=False)
    gain: np.ndarray = field(init=False)
    low: np.ndarray = field(init=False)  # the codes below and above the cut, -1 where there is no cut
    high: np.ndarray = field(init=False)
    threshold: np.ndarray = field(init=False)  # if it was drawn, else NaN: it follows from `low` and `high`
    n_values: np.ndarray = field(init=False)  # the number of categories with a branch
    code: np.ndarray = field(init=False)  # the codes of these categories, one node after the other
    branch: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        J = len(self.place)
        (self.feature, self.low, self.high), self.gain = np.full((3, J), -1), np.zeros(J)
        self.threshold = np.full(J, np.nan)
        self.n_values, self.code, self.branch = np.zeros(J, np.intp), *np.empty((2, 0), np.intp)


class Routed(NamedTuple):
    """The rows of the nodes that split, and the branch that each takes, -1 if its value is missing."""

    rows: np.ndarray
    node: np.ndarray  # index among the nodes that split
    branch: np.ndarray
    split: np.ndarray  # the positions of these nodes in the level
    branches: np.ndarray  # the number of branches of each
    place: np.ndarray
    weight: np.ndarray | None = None  # of fractional instances
    key: np.ndarray | None = None  # the random key of each of these nodes


class NextLevel(NamedTuple):
    """Input of the next level: row indices sorted by node, with each row's node and the branch it came by.

    Also `place`, the position of each node in its level of the tree; `weight`, if rows may be fractional
    instances; and `key`, the random keys of the nodes, if features are drawn.
    """

    rows: np.ndarray
    node: np.ndarray
    branch: np.ndarray
    place: np.ndarray
    weight: np.ndarray | None = None
    key: np.ndarray | None = None

    @classmethod
    def root(cls, rows: np.ndarray, weight: np.ndarray | None = None) -> "NextLevel":
        """Return the input of the root."""
        nowhere = np.zeros(len(rows), np.intp)
        return cls(rows, nowhere, nowhere, np.zeros(1, np.intp), weight)


def first_reason(*found: tuple[str, np.ndarray]) -> np.ndarray:
    """Return the code of the first reason that holds for each node, 0 if none does."""
    stop = np.zeros(len(found[0][1]), np.intp)
    for reason, holds in reversed(found):
        stop[holds] = reasons.code_of(reason)
    return stop


def children(routed: Routed) -> NextLevel:
    """Order the children of the nodes that split by branch, then by parent, and group the rows by child.

    With this order, one stable partition of the rows into all first and all second branches keeps the rows of
    a node together, in their order.

    Examples
    --------
    >>> node, branch, two = np.array([0, 0, 0, 1, 1]), np.array([1, 0, 1, 1, 0]), np.arange(2)
    >>> below = children(Routed(np.arange(5), node, branch, two, np.array([2, 2]), two))
    >>> below.rows.tolist(), below.node.tolist(), below.place.tolist()
    ([1, 4, 0, 2, 3], [0, 1, 2, 2, 3], [0, 2, 1, 3])
    """
    above, which, start = owners(routed.branches), inside(routed.branches), offsets(routed.branches)
    order = np.argsort(which, kind="stable")  # by branch, then by parent
    child = of_group(start, routed.node) + routed.branch
    size = np.bincount(child, minlength=len(order)).take(order)  # the number of rows of each
    by_place, first = np.argsort(routed.place), np.empty(len(routed.place), np.intp)
    first[by_place] = offsets(routed.branches[by_place])
    if routed.branches.max(initial=0) == 2:
        place = np.concatenate([np.flatnonzero(routed.branch == 0), np.flatnonzero(routed.branch)])
    else:
        place = np.argsort(np.argsort(order).take(child), kind="stable")
    weight = None if routed.weight is None else routed.weight.take(place)
    keys = None if routed.key is None else child_keys(routed.key[above], which)[order]
    node, branch = owners(size), np.repeat(which.take(order), size)
    return NextLevel(routed.rows.take(place), node, branch, (first[above] + which)[order], weight, keys)


def join(
    levels: list[Nodes], data: Training, rules: Rules | RatioRules, trees: int = 1, sides: Sides | None = None
) -> list[Tree]:
    """Join the levels of the trees; `sides` has the values on either side of cuts, if not to be decoded."""
    names = ("feature", "low", "high", "threshold", "n_values", "summary", "n", "impurity", "gain", "stop")
    size = np.array([len(nodes.place) for nodes in levels])
    place = np.concatenate([nodes.place for nodes in levels]) + offsets(size).repeat(size)
    order = np.argsort(place)
    arrays = {name: np.concatenate([getattr(nodes, name) for nodes in levels]) for name in names}
    first = offsets(arrays["n_values"])[order]
    arrays = {name: x[order] for name, x in arrays.items()}
    categorical = first.repeat(arrays["n_values"]) + inside(arrays["n_values"])
    for name in ("code", "branch"):
        arrays[name] = np.concatenate([getattr(nodes, name) for nodes in levels])[categorical]
    if sides is None:
        sides = values_beside(data, arrays["feature"], arrays["low"], arrays["high"])
    arrays["low"], arrays["high"] = sides
    between = thresholds(data.features, arrays["feature"], sides, rules.strict)
    arrays["threshold"] = np.where(np.isnan(arrays["threshold"]), between, arrays["threshold"])
    arrays["n"] = whole(arrays["n"])
    outputs = tuple(
        Feature(column.name, tuple(column.values) if column.kind == "nominal" else (), column.kind)
        for column in data.targets
    )
    if outputs[0].values:
        arrays["summary"] = whole(arrays["summary"])
    each: list[dict[str, Any]] = [{**arrays}] if trees == 1 else tree_by_tree(arrays, trees)
    for own in each:
        beside = Sides(own.pop("low"), own.pop("high"))
        own["neighbors"] = close_to(own["feature"], own["threshold"], beside)
    return [
        Tree(
            data.features, outputs, rules.criterion, **own, missing=rules.missing, strict=rules.strict,
            monotonic=rules.monotonic, training=data,
        )
        for own in each
    ]  # fmt: skip


def tree_by_tree(arrays: dict[str, np.ndarray], trees: int) -> list[dict[str, Any]]:
    """Return the arrays of each tree, given those of all, whose levels lie one after the other."""
    children, categorical = np.where(arrays["feature"] >= 0, 2, 0), arrays["n_values"]
    some = np.flatnonzero(categorical)
    if len(some):
        children[some] = np.maximum.reduceat(arrays["branch"], offsets(categorical)[some]) + 1
    owner = np.arange(len(children))  # first the parent, then its parent, up to a root
    owner[trees:] = np.repeat(owner, children)
    while (owner >= trees).any():
        owner = owner[owner]
    of_value = np.repeat(owner, categorical)
    return [
        {name: x[(of_value if name in ("code", "branch") else owner) == k] for name, x in arrays.items()}
        for k in range(trees)
    ]


def best_first(tree: Tree, leaves: int) -> Tree:
    """Keep the splits with the largest decrease times weight, best first, up to this many leaves."""
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
