"""The boxes of values in which a tree has one answer, as far as they differ from a row (chapter 24).

The tests of a tree part the values of a feature into cells, which no test divides: numbers between two
thresholds, one category, a missing value. A box allows some cells of each feature; a tree has one answer for
all rows in it. A box differs from a row in the features of which it does not allow the row's cell.

Examples
--------
>>> from dtlib import ID3Classifier
>>> from dtlib.datasets import load_loan
>>> loan = load_loan()
>>> tree = ID3Classifier().fit(loan.X, loan.y).tree_
>>> found = other_boxes(tree, tree._matrix(loan.X.head(1))[0])
>>> [(tree.features[f].name, box.answer.tolist()) for box in found.near for f in sorted(box.differs)]
[('has_job', [1]), ('owns_house', [1])]

Legend: f is the position of a feature, d the number of features; a set of cells is an int, a bit for each.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from dtlib.table.columns import Feature
from dtlib.tree.descend import MAJORITY, mixture, parts_below, route_by_surrogates, route_categorical
from dtlib.tree.splits import LARGEST_SINGLE
from dtlib.tree.tree import Tree

NEAR = 2  # features; boxes that differ in more are no change that is told
MOST = 200_000  # boxes that are visited
SAME = 1e-12  # predicted numbers this close, relative to their size, are the same answer
AT_ONCE = 10_000  # rows that are predicted together

Moves = list[tuple[int, int]]  # the node to which rows go, and the set of cells of those that do


@dataclass(frozen=True, eq=False)
class Cells:
    """The cells of a feature.

    Parameters
    ----------
    feature : Feature
    limits, thresholds : ndarrays of shape (k,)
        For a numeric feature: the largest number of each cell but the last, ascending, and the threshold that
        the tree shows there. Else empty.
    values : ndarray of shape (cells,)
        The value of each cell that is nearest to the cell below: its code; the code -1 is an unseen category,
        and NaN is missing.
    own : int
        The cell of the row.
    """

    feature: Feature
    limits: np.ndarray
    thresholds: np.ndarray
    values: np.ndarray
    own: int

    @property
    def every(self) -> int:
        """The set of all cells."""
        return (1 << len(self.values)) - 1

    @property
    def has_number(self) -> bool:
        """Whether the row has a number, or a category with an order."""
        return self.feature.kind != "nominal" and self.values[self.own] >= self.lowest

    @property
    def lowest(self) -> float:
        """The smallest value: codes are at least 0."""
        return -np.inf if self.feature.kind == "numeric" else 0


class Box(NamedTuple):
    """A box: the features in which it differs from the row, the cells that it allows, its answer."""

    differs: frozenset[int]
    allowed: dict[int, int]
    answer: np.ndarray


class Found(NamedTuple):
    """The boxes with another answer than a row.

    `conflicts` are the least sets of features in which a box differs; `near` the boxes that differ in at most
    `NEAR` features.
    """

    cells: list[Cells]
    answer: np.ndarray
    conflicts: list[frozenset[int]]
    near: list[Box]


class Open(NamedTuple):
    """A box that is still divided: the nodes that its rows visit next, one unless they are fractional."""

    nodes: tuple[int, ...]
    ended: tuple[int, ...]
    differs: frozenset[int]
    allowed: dict[int, int]


def other_boxes(tree: Tree, x: np.ndarray) -> Found:
    """Return the boxes in which a tree has another answer than for a row.

    Boxes are visited in the order of the number of features in which they differ, so that those which differ
    in more than another one, and in more than `NEAR`, need no visit.

    Parameters
    ----------
    tree : Tree
        Without oblique splits.
    x : float ndarray of shape (d,)
        The row: numbers, and codes of categories.

    Raises
    ------
    ValueError
        If the tree has oblique splits, whose parts of space are no boxes; or more than `MOST` boxes have to
        be visited.
    """
    if tree.is_linear.any():
        raise ValueError(
            "the tree has oblique splits, whose parts of space are no boxes of values; "
            "why an answer is given can be said of trees that split on one feature at a time"
        )
    return BoxSearch(tree, x).found()


@dataclass(frozen=True, eq=False)
class BoxSearch:
    """The search for boxes with another answer than a row."""

    tree: Tree
    x: np.ndarray

    @cached_property
    def cells(self) -> list[Cells]:
        """The cells of each feature."""
        return [cells_of(self.tree, f, value) for f, value in enumerate(self.x.tolist())]

    @cached_property
    def answer(self) -> np.ndarray:
        """The answer for the row."""
        return answers(self.tree, self.x[None])[0]

    @cached_property
    def settled(self) -> np.ndarray:
        """Whether each node and all below it have the answer of the row."""
        tree = self.tree
        own = tree.label.reshape(tree.node_count, -1) if tree.is_classifier else tree.value
        settled = is_same(own, self.answer)
        for node in range(tree.node_count - 1, 0, -1):
            settled[tree.parent[node]] &= settled[node]
        return settled

    def found(self) -> Found:
        """Visit the boxes."""
        levels: list[list[Open]] = [[] for _ in range(len(self.x) + 2)]
        levels[0].append(Open((0,), (), frozenset(), {}))
        conflicts: list[frozenset[int]] = []
        near: list[Box] = []
        visited = 0
        for size, level in enumerate(levels):
            done = []
            while level:
                box = level.pop()
                visited += 1
                if visited > MOST:
                    raise ValueError(
                        f"the tree parts the values into more than {MOST} boxes around this row, too many to "
                        "visit: explain a smaller tree, e.g. a pruned one"
                    )
                if size > NEAR and any(less <= box.differs for less in conflicts):
                    continue
                if self.settled[[*box.nodes, *box.ended]].all():
                    continue
                if not box.nodes:
                    done.append(box)
                    continue
                for part in self.divided(box):
                    levels[len(part.differs)].append(part)
            others = [box for box in self.answered(done) if not is_same(box.answer, self.answer)]
            near += others if size <= NEAR else []
            least = {box.differs for box in others}
            conflicts += [new for new in sorted(least, key=sorted) if not any(c <= new for c in conflicts)]
        near.sort(key=lambda box: (sorted(box.differs), sorted(box.allowed.items())))
        return Found(self.cells, self.answer, conflicts, near)

    def answered(self, done: list[Open]) -> Iterator[Box]:
        """Predict for one row in each box."""
        for a in range(0, len(done), AT_ONCE):
            some = done[a : a + AT_ONCE]
            X = np.tile(self.x, (len(some), 1))
            for i, box in enumerate(some):
                for f in box.differs:
                    X[i, f] = self.cells[f].values[(box.allowed[f] & -box.allowed[f]).bit_length() - 1]
            found = answers(self.tree, X)
            yield from (
                Box(box.differs, box.allowed, answer) for box, answer in zip(some, found, strict=True)
            )

    def divided(self, box: Open) -> Iterator[Open]:
        """Divide a box by the test of the first of its nodes."""
        node, *rest = box.nodes
        f = int(self.tree.feature[node])
        if f < 0:
            yield box._replace(nodes=tuple(rest), ended=(*box.ended, node))
            return
        waiting = box._replace(nodes=tuple(rest))
        known, lost = self.moves(node)
        for child, group in known:
            yield from (onward(part, node, child) for part in self.narrowed(waiting, f, group))
        for part in self.narrowed(waiting, f, lost):
            yield from self.rerouted(part, node)

    def narrowed(self, box: Open, f: int, group: int) -> Iterator[Open]:
        """Yield what of a box is in a set of cells of a feature, if any is."""
        every, own = self.cells[f].every, 1 << self.cells[f].own
        if left := box.allowed.get(f, every) & group:
            differs = box.differs if left & own else box.differs | {f}
            allowed = box.allowed if left == every else box.allowed | {f: left}
            yield box._replace(differs=differs, allowed=allowed)

    def rerouted(self, box: Open, node: int) -> Iterator[Open]:
        """Divide a box whose rows have no branch at a node, by the tree's policy for missing values."""
        tree = self.tree
        if tree.missing in ("majority", "fractional"):
            some = parts_below(tree, np.array([node]), tree.missing)
            below = (tree.first_child[node] + some.branch).tolist()
            yield box._replace(nodes=(*below, *box.nodes))
        elif tree.missing in ("surrogate", "learned"):
            for place in tree._active_surrogates.at(node).tolist():
                f = int(tree._active_surrogates.feature[place])
                known, unknown = self.surrogate_moves(node, place)
                for child, group in known:
                    yield from (onward(part, node, child) for part in self.narrowed(box, f, group))
                if not (rest := list(self.narrowed(box, f, unknown))):
                    return
                box = rest[0]
            default, _ = self.by_surrogates(node, 0, np.array([np.nan]))
            yield onward(box, node, int(default[0]))
        else:
            yield onward(box, node, node)

    def moves(self, node: int) -> tuple[Moves, int]:
        """Return where each cell of the tested feature goes from a node, and the cells without a branch."""
        if node not in self.known_moves:
            tree, x = self.tree, self.cells[int(self.tree.feature[node])].values
            at, (_, threshold, first) = np.full(len(x), node), tree._traversal_arrays
            child = first[node] + (x > threshold[node])
            if tree._has_categorical_splits:
                route_categorical(tree, at, np.where(np.isnan(x), -1, x), child)
            lost = np.isnan(x) | ((child == node) & (tree.unseen == "missing"))
            self.known_moves[node] = grouped(child, ~lost), as_bits(lost)
        return self.known_moves[node]

    @cached_property
    def known_moves(self) -> dict[int, tuple[Moves, int]]:
        """The moves of the nodes that were visited."""
        return {}

    def surrogate_moves(self, node: int, place: int) -> tuple[Moves, int]:
        """Return where a surrogate sends each cell of its feature, and the cells that it cannot send."""
        f = int(self.tree._active_surrogates.feature[place])
        child, sent_by = self.by_surrogates(node, f, self.cells[f].values)
        return grouped(child, sent_by == place), as_bits(sent_by != place)

    def by_surrogates(self, node: int, f: int, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Send rows from a node that know one feature alone; return the child of each, and what sent it."""
        X = np.full((len(values), len(self.x)), np.nan)
        X[:, f] = values
        rows, child, sent_by = np.arange(len(X)), np.full(len(X), node), np.full(len(X), MAJORITY)
        route_by_surrogates(self.tree, X, rows, child, sent_by, rows)
        return child, sent_by


def onward(box: Open, node: int, child: int) -> Open:
    """Return a box whose rows go on from a node to a child, or end at the node itself.

    Examples
    --------
    >>> onward(Open((), (), frozenset(), {}), 0, 2).nodes
    (2,)
    """
    if child == node:
        return box._replace(ended=(*box.ended, node))
    return box._replace(nodes=(child, *box.nodes))


def cells_of(tree: Tree, f: int, x: float) -> Cells:
    """Return the cells of a feature, given its value in the row.

    Examples
    --------
    >>> from dtlib import CARTRegressor
    >>> from dtlib.datasets import load_regression_points
    >>> points = load_regression_points()
    >>> tree = CARTRegressor(max_depth=1).fit(points.X, points.y).tree_
    >>> cells = cells_of(tree, 0, 7.0)
    >>> cells.limits.tolist(), cells.own
    ([5.5], 1)
    """
    feature, none = tree.features[f], np.empty(0)
    takes_missing = tree.missing != "error"
    if feature.kind != "numeric":
        values = np.arange(-1 if x == -1 else 0, len(feature.values) + takes_missing, dtype=float)
        if takes_missing:
            values[-1] = np.nan
        own = len(values) - 1 if np.isnan(x) else int(np.flatnonzero(values == x)[0])
        return Cells(feature, none, none, values, own)
    thresholds = [tree.threshold[tree.feature == f]]
    if tree.surrogates is not None:
        thresholds.append(tree.surrogates.threshold[tree.surrogates.feature == f])
    shown = np.unique(np.concatenate(thresholds))
    limits, first = np.unique(tree._limit(shown), return_index=True)
    most = tree._limit(np.array([LARGEST_SINGLE]))[0] if tree.single else sys.float_info.max
    inside = (limits >= -most) & (limits < most)  # else all numbers are on one side
    limits, shown = limits[inside], shown[first[inside]]
    above = [np.nextafter(limits[-1], np.inf)] if len(limits) else [0.0]
    values = np.concatenate([limits, above, [np.nan] * takes_missing])
    own = len(values) - 1 if np.isnan(x) else int(np.searchsorted(limits, x))
    return Cells(feature, limits, shown, values, own)


def answers(tree: Tree, X: np.ndarray) -> np.ndarray:
    """Return the index of each row's predicted class, or its predicted number, shape (n, outputs).

    Examples
    --------
    >>> from dtlib import ID3Classifier
    >>> from dtlib.datasets import load_loan
    >>> loan = load_loan()
    >>> tree = ID3Classifier().fit(loan.X, loan.y).tree_
    >>> answers(tree, tree._matrix(loan.X.head(3))).tolist()
    [[0], [0], [1]]
    """
    if not tree.is_classifier:
        return mixture(tree, X, tree.value)
    if tree.missing == "fractional":
        return tree.labels(mixture(tree, X, tree.value)).reshape(len(X), -1)
    return tree.label[tree.apply(X)].reshape(len(X), -1)


def is_same(answer: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Tell whether two answers are the same in all outputs.

    Examples
    --------
    >>> is_same(np.array([[0.1 + 0.2], [0.4]]), np.array([0.3])).tolist()
    [True, False]
    """
    close = np.abs(answer - other) <= SAME * np.abs(other)
    return np.asarray(close.all(axis=-1))


def as_bits(group: np.ndarray) -> int:
    """Return a set of cells as an int.

    Examples
    --------
    >>> as_bits(np.array([True, False, True]))
    5
    """
    return int.from_bytes(np.packbits(group, bitorder="little").tobytes(), "little")


def grouped(child: np.ndarray, where: np.ndarray) -> Moves:
    """Return the set of cells of each child, of the cells where it is asked for.

    Examples
    --------
    >>> grouped(np.array([4, 5, 4, 4]), np.array([True, True, True, False]))
    [(4, 5), (5, 2)]
    """
    return [(int(k), as_bits(where & (child == k))) for k in np.unique(child[where])]
