"""Growing with oblique splits: the open nodes of a level are searched one by one (chapter 22)."""

from dataclasses import replace
from typing import Any

import numpy as np

from dtlib.arrays import NEARLY, changes, numbered, weighted_sums
from dtlib.counting.tables import count_tables
from dtlib.counting.targets import ClassificationTarget
from dtlib.growing.by_score import ByScore
from dtlib.growing.loop import log
from dtlib.growing.nodes import Nodes, Routed, children
from dtlib.numbers import format_number
from dtlib.oblique.cutting import Cutting, hindrance
from dtlib.oblique.hyperplane import Plane, Points, Search, axis_parallel, best_plane
from dtlib.search.level import Level
from dtlib.search.rules import Rules
from dtlib.search.searcher import BestSplits
from dtlib.table.neighbors import close_to, joined
from dtlib.table.training import Sides, Training
from dtlib.tree.tree import Tree


def grow_oblique(data: Training, rules: Rules, search: Search) -> Tree:
    """Grow an oblique tree.

    Parameters
    ----------
    data : Training
        Numeric features only, no missing values, one output of classes.
    rules : Rules
        Criterion, limits and seed.
    search : Search

    Returns
    -------
    Tree

    Examples
    --------
    >>> from dtlib.table.reading import class_targets
    >>> from dtlib.table.training import read_training
    >>> X = np.array([[0.0, 2.0], [1.0, 1.1], [2.0, 0.0], [0.0, 3.0], [1.5, 1.5], [3.0, 0.0]])
    >>> data = read_training(X, class_targets([0, 0, 0, 1, 1, 1], 6))
    >>> print(grow_oblique(data, Rules(), Search()).root.split)
    0.9 x0 + x1 ≤ 2.4?
    """
    return ObliqueBuilder(data, rules, search).grow().tree()


class ObliqueBuilder(ByScore):
    """A tree that grows by the best oblique split that is found.

    Parameters
    ----------
    data, rules, search
        As for `grow_oblique`.
    """

    def __init__(self, data: Training, rules: Rules, search: Search):
        super().__init__(data, rules)
        self.search, self.planes = search, dict[int, Plane]()  # by index of the node
        self.notes = list[np.ndarray | None]()  # on values beside thresholds
        self.hindrance = hindrance(self.target)
        log.debug("lines are cut %s", f"by sorting: {self.hindrance}" if self.hindrance else "compiled")
        codes = data.codes[:, self.target.rows]
        order = np.lexsort(codes[::-1])  # equal rows together, in an order that depends on their content
        new = changes(*codes[:, order])
        self.point = np.empty(data.codes.shape[1], np.intp)  # the distinct point of each row
        self.point[self.target.rows[order]] = numbered(new)
        x = [data.numbers[f][codes[f, order[new]]].astype(float) for f in range(len(codes))]
        self.x = np.stack(x, axis=1)
        self.feature_ranges = np.array(
            [float(values[-1] - values[0]) for _, values in sorted(data.numbers.items())]
        )

    def split(self, nodes: Nodes, at: np.ndarray) -> None:
        """Search the open nodes one by one, write their splits into `nodes`, and send the rows down."""
        keep = (nodes.stop == 0)[self.incoming.node]
        rows = self.incoming.rows.compress(keep)
        level = Level.opened(self.target, rows, self.totals.take(at), nodes.impurity[at], nodes.summary[at])
        number = (self.above + nodes.place[at]).tolist()
        planes = [self.best(level, nodes, at, j, number[j]) for j in range(len(at))]
        none = np.full(len(at), -1)
        score = np.array([-np.inf if plane is None else plane.score for plane in planes])
        feature = np.array(
            [0 if p is None else int((abs(p.normal) * self.feature_ranges).argmax()) for p in planes]
        )
        self.decide(BestSplits(score, feature, none, none, {}), level, nodes, at)
        does_split = nodes.feature[at] >= 0
        above = np.zeros(len(rows), np.intp)
        for j, plane in enumerate(planes):
            if plane is None:
                continue
            here = slice(level.start[j], level.start[j] + level.size[j])
            self.planes[number[j]] = plane
            x = self.x[self.point[rows[here]]]
            above[here] = weighted_sums(x, plane.normal) > plane.threshold
            self.notes += [note_on(plane, x, above[here] > 0)] * bool(does_split[j])
        going = does_split[level.node]
        j, two = numbered(does_split)[level.node[going]], np.full(int(does_split.sum()), 2)
        self.incoming = children(
            Routed(rows[going], j, above[going], at[does_split], two, nodes.place[at[does_split]])
        )

    def best(self, level: Level, nodes: Nodes, at: np.ndarray, j: int, number: int) -> Plane | None:
        """Return the best split of an open node; in a small one, the best axis-parallel split."""
        rows = level.rows[level.start[j] : level.start[j] + level.size[j]]
        points = self.points(rows, level.slack[j], level.totals.n[j] * nodes.impurity[at[j]])
        if len(points.x) < 2:
            return None
        if nodes.n[at[j]] < self.search.rows_per_feature * self.x.shape[1]:
            return axis_parallel(points)
        return best_plane(points, self.search, np.random.default_rng([self.search.seed, number]))

    def points(self, rows: np.ndarray, slack: float, perfect: float) -> Points:
        """Return the distinct points among some rows, with the weight of each class at each."""
        places, point = np.unique(self.point[rows], return_inverse=True)
        assert isinstance(self.target, ClassificationTarget)
        label, weight = self.target.labels[0][rows], self.target.weigh(rows)
        K, scorer = self.target.sizes[0], self.searcher.scorer
        assert scorer is not None  # criteria of classes have one
        table = count_tables(point, label, (1, len(places), K), weight=weight)[0]
        least = self.rules.min_leaf / self.target.weight_unit * NEARLY
        cutting = None if self.hindrance else Cutting(table, self.target, least, slack)
        return Points(self.x[places], table.astype(float), scorer, least, slack, perfect, cutting)

    def tree(self) -> Tree:
        """Return the tree that has grown."""
        (tree,) = self.trees()
        does_split = np.flatnonzero(tree.feature >= 0)
        threshold, normals = np.full(tree.node_count, np.nan), np.zeros((tree.node_count, self.x.shape[1]))
        for node in does_split.tolist():
            threshold[node], normals[node] = self.planes[node].threshold, self.planes[node].normal
        normals[(normals != 0).sum(axis=1) < 2] = 0.0  # axis-parallel
        linear: dict[str, Any] = (
            {"normals": normals, "feature_ranges": self.feature_ranges} if normals.any() else {}
        )
        return replace(tree, threshold=threshold, neighbors=joined(*self.notes), **linear)


def note_on(plane: Plane, x: np.ndarray, above: np.ndarray) -> np.ndarray | None:
    """Return a note on the values beside a threshold, see `dtlib.table.neighbors`, if it needs one.

    An oblique split needs one if its numbers, rounded to ten digits, send some row to the other side.

    Parameters
    ----------
    plane : Plane
    x : ndarray of shape (n, d)
        The rows of the node.
    above : bool ndarray of shape (n,)
        Which rows take the second branch.

    Examples
    --------
    >>> x, above = np.array([[1.0, 1.0], [1.0, 1.5]]), np.array([False, True])
    >>> note_on(Plane(np.array([1 / 3, 1.0]), 1.5, 0.0), x, above)
    >>> note_on(Plane(np.array([1 / 3, 1.0]), 4 / 3, 0.0), x, above).shape
    (1, 4)
    """
    total, tested, threshold = weighted_sums(x, plane.normal), np.flatnonzero(plane.normal), plane.threshold
    sides = Sides(total[~above].max(keepdims=True), total[above].min(keepdims=True))
    if len(tested) == 1:
        return close_to(tested, np.array([threshold]), sides)
    normal = np.array([float(format_number(c)) for c in plane.normal.tolist()])
    if ((weighted_sums(x, normal) > float(format_number(threshold))) == above).all():
        return None
    return np.column_stack([[-1.0], [threshold], *sides])
