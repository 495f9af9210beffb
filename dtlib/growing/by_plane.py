"""Growing with slanted questions: each node searched alone (chapter 15)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dtlib.counting.arrays import weighted_sums
from dtlib.counting.tables import whole
from dtlib.counting.targets import Classes
from dtlib.search.hyperplane import Plane, Points, Search, axis_parallel, best_plane
from dtlib.search.level import NEARLY, TIE
from dtlib.search.rules import Rules
from dtlib.search.score import Concave, Quadratic
from dtlib.table.columns import Feature
from dtlib.table.training import Training
from dtlib.tree import reasons
from dtlib.tree.tree import Tree


class Distinct(NamedTuple):
    """The distinct rows of the data, in an order that depends on their content alone."""

    x: np.ndarray
    weight: np.ndarray  # of each class, in whole numbers
    unit: float  # what a weight of 1 amounts to


def distinct_rows(data: Training, target: Classes) -> Distinct:
    """Return the rows that count, equal ones together."""
    rows = target.rows
    order = rows[np.lexsort(data.codes[::-1, rows])]
    codes = data.codes[:, order]
    new = np.concatenate([[True], (codes[:, 1:] != codes[:, :-1]).any(axis=0)])
    place, K = np.cumsum(new) - 1, target.sizes[0]
    cell = place * K + data.targets[0].codes[order]
    weight = np.bincount(cell, target.weigh(order), minlength=(place[-1] + 1) * K).reshape(-1, K)
    x = [data.numbers[f][codes[f, new]].astype(float) for f in range(len(codes))]
    return Distinct(np.stack(x, axis=1), weight.astype(float), target.weight_unit)


class Grown(NamedTuple):
    """What is known of a node: its row of the tree's arrays."""

    summary: np.ndarray
    n: float
    impurity: float
    stop: int
    plane: Plane | None
    gain: float


def grow_oblique(data: Training, rules: Rules, search: Search) -> Tree:
    """Grow an oblique tree, level by level, each node searched alone.

    Parameters
    ----------
    data : Training
        Numbers only, nothing missing, one output of classes.
    rules : Rules
        Criterion, limits and seed.
    search : Search

    Returns
    -------
    Tree
    """
    target = Classes(data.targets, data.weight, rules.criterion)
    grower = Grower(distinct_rows(data, target), target, rules, search)
    nodes: list[Grown] = []
    level, depth = [np.arange(len(grower.points.x))], 0
    while level:
        below, before = [], len(nodes)
        for rows in level:
            node = grower.node(rows, depth, len(nodes))
            nodes.append(node)
            if node.plane is not None:
                above = weighted_sums(grower.points.x[rows], node.plane.normal) > node.plane.threshold
                below += [rows[~above], rows[above]]
        if rules.verbose:
            split = sum(node.plane is not None for node in nodes[before:])
            print(f"level {depth}: {len(level)} nodes, {split} of them split")
        level, depth = below, depth + 1
    return as_tree(nodes, data, rules)


class Grower:
    """Describes nodes and finds their splits."""

    def __init__(self, points: Distinct, target: Classes, rules: Rules, search: Search):
        self.points, self.target, self.rules, self.search = points, target, rules, search
        how = rules.criterion
        self.criterion = Quadratic(target) if how == "gini" else Concave(target, how)
        self.total = points.weight.sum() * points.unit

    def node(self, rows: np.ndarray, depth: int, number: int) -> Grown:
        """Return what is to be known of the node of these rows."""
        rules, of_class = self.rules, self.points.weight[rows].sum(0)
        summary = of_class * self.points.unit
        n, impurity = float(summary.sum()), float(self.target.impurity(summary))
        stop = next(
            (reason for reason, holds in (
                (reasons.PURE, of_class.max() == of_class.sum()),
                (reasons.DEPTH, depth == rules.max_depth),
                (reasons.SMALL, n < rules.min_split * NEARLY),
            ) if holds),
            "",
        )  # fmt: skip
        plane = None if stop or len(rows) < 2 else self.split(rows, n, impurity, number)
        gain = 0.0 if plane is None else max(plane.score * self.points.unit, 0.0)
        slack = self.slack(n, impurity) * self.points.unit
        if not stop and plane is None:
            stop = reasons.FEW if rules.min_leaf > 0 else reasons.NO_FEATURE
        elif not stop and gain <= slack:
            stop = reasons.NO_GAIN
        elif not stop and gain < rules.min_decrease * self.total - slack:
            stop = reasons.DECREASE
        return Grown(summary, n, impurity, reasons.code_of(stop), None if stop else plane, gain / n)

    def slack(self, n: float, impurity: float) -> float:
        """Return how far apart scores may be that are equal, in the unit of the points."""
        whole_n = n / self.points.unit
        return float(TIE * whole_n * impurity + self.target.rounding(whole_n))

    def split(self, rows: np.ndarray, n: float, impurity: float, number: int) -> Plane | None:
        """Return the best split of a node; in a small one, the best axis-parallel split."""
        points = Points(
            self.points.x[rows], self.points.weight[rows], self.criterion,
            least=self.rules.min_leaf / self.points.unit * NEARLY, slack=self.slack(n, impurity),
            perfect=n / self.points.unit * impurity,
        )  # fmt: skip
        if n < self.search.rows_per_feature * points.x.shape[1]:
            return axis_parallel(points)
        return best_plane(points, self.search, np.random.default_rng([self.rules.seed, number]))


def as_tree(nodes: list[Grown], data: Training, rules: Rules) -> Tree:
    """Put the nodes together."""
    planes = [node.plane for node in nodes]
    d, none = len(data.features), np.zeros(len(nodes), np.intp)
    normals = np.stack([np.zeros(d) if plane is None else plane.normal for plane in planes])
    spread = np.array([float(x[-1] - x[0]) for _, x in sorted(data.numbers.items())])
    inner = np.array([plane is not None for plane in planes])
    feature = np.where(inner, (np.abs(normals) * spread).argmax(axis=1), -1)
    normals[(normals != 0).sum(axis=1) < 2] = 0.0  # axis-parallel
    linear = {"normals": normals, "spread": spread} if normals.any() else {}
    classes = Feature(data.targets[0].name, tuple(data.targets[0].values))
    return Tree(
        data.features, (classes,), rules.criterion, feature=feature,
        threshold=np.array([np.nan if plane is None else plane.threshold for plane in planes]),
        n_values=none, code=none[:0], branch=none[:0],
        summary=whole(np.stack([node.summary for node in nodes])), n=whole(np.array([x.n for x in nodes])),
        impurity=np.array([node.impurity for node in nodes]),
        gain=np.array([0.0 if node.plane is None else node.gain for node in nodes]),
        stop=np.array([node.stop for node in nodes]), training=data, grown_by=rules, **linear,
    )  # fmt: skip
