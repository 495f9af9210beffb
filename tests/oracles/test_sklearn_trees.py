"""Whole trees against the installed scikit-learn, node by node: the same, or a tie that is proved.

Both trees are walked from the root together. Where they ask different questions, the decrease of both is
recomputed here from the rows of the node, and must be equal: scikit-learn takes one of equal splits by
chance.
"""

from dataclasses import dataclass, field
from functools import cache

import numpy as np
import pytest
from sklearn import datasets
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.utils.class_weight import compute_sample_weight

from dtlib import CARTClassifier, CARTRegressor
from tests.drawn import seeds

CLOSE = 1e-9
SIZES = (1, 2, 3, 5, 8, 13, 25, 40, 75, 120, 200, 300, 500, 800, 1300, 2000)
CRITERIA = ("gini", "squared_error", "entropy", "absolute_error")
RANDOM = seeds(200)


@dataclass
class Case:
    """A data set, and how trees are grown from it."""

    name: str
    X: np.ndarray
    y: np.ndarray
    criterion: str
    weight: np.ndarray | None = None
    parameters: dict = field(default_factory=dict)

    @property
    def estimators(self):
        """Ours, and scikit-learn's."""
        settings = {"criterion": self.criterion, **self.parameters}
        if self.criterion in ("gini", "entropy"):
            return CARTClassifier.sklearn(**settings), DecisionTreeClassifier(random_state=0, **settings)
        return CARTRegressor.sklearn(**settings), DecisionTreeRegressor(random_state=0, **settings)


# Data sets


def random_columns(rng, n, d, clean):
    """Return n rows of d columns: continuous ones, or a mixture with tied, whole and constant ones."""
    kinds = {
        "normal": lambda: rng.normal(size=n),
        "large": lambda: rng.normal(size=n) * 1e4 + 1e3,
        "tied": lambda: np.round(rng.normal(size=n), 1),
        "whole": lambda: rng.integers(0, 5, n),
        "two": lambda: rng.integers(0, 2, n),
        "constant": lambda: np.full(n, 3.25),
    }
    names = ["normal", "large"] if clean else list(kinds)
    columns = np.stack([kinds[names[rng.integers(len(names))]]() for _ in range(d)], axis=1)
    return columns.astype(rng.choice(["float32", "float64"]))


def random_targets(rng, X, criterion, outputs):
    """Return what depends on the first column and on chance: classes, or numbers."""
    n, signal = len(X), (X[:, 0] - X[:, 0].mean()) / (X[:, 0].std() + 1e-9)
    columns = []
    for _ in range(outputs):
        y = signal * rng.random() * 3 + rng.normal(size=n)
        if criterion in ("gini", "entropy"):
            y = np.digitize(y, np.linspace(-2, 2, rng.integers(2, 6) - 1))
        elif rng.random() < 0.2:
            y = np.round(y)
        columns.append(y)
    return columns[0] if outputs == 1 else np.stack(columns, axis=1)


def random_weights(rng, n, kind):
    """Return no weights, whole ones with zeros among them, or fractions."""
    if kind == "none":
        return None
    weight = rng.integers(0, 4, n).astype(float) if kind == "whole" else rng.random(n) + 0.01
    weight[rng.integers(n)] = 1
    return weight


def random_parameters(rng, criterion, y, clean):
    """Return some limits; those of clean data keep nodes so large that ties are rare."""
    ranges = {
        "max_depth": lambda: int(rng.integers(1, 7)),
        "min_samples_leaf": lambda: int(rng.integers(2, 12)) if rng.random() < 0.8 else 0.05,
        "min_samples_split": lambda: int(rng.integers(3, 30)) if rng.random() < 0.8 else 0.1,
        "min_impurity_decrease": lambda: float(rng.random() * 0.02),
        "max_leaf_nodes": lambda: int(rng.integers(2, 25)),
    }
    chosen = {name: draw() for name, draw in ranges.items() if rng.random() < 0.3}
    if clean:
        chosen |= {"min_samples_leaf": int(rng.integers(4, 12))}
    if criterion in ("gini", "entropy") and rng.random() < 0.3:
        classes = np.unique(y[:, 0] if y.ndim > 1 else y)
        by_class = {k.item(): float(rng.integers(1, 5)) / 2 for k in classes}
        chosen["class_weight"] = "balanced" if y.ndim > 1 or rng.random() < 0.5 else by_class
    return chosen


@cache
def random_case(i):
    """Return the data set number i; every second one is clean."""
    rng = np.random.default_rng(i)
    clean, criterion = i % 2 == 0, CRITERIA[i // 2 % 4]
    n, d = SIZES[i % 16 if i < 16 else rng.integers(4, 16)], int(rng.integers(1, 9))
    X = random_columns(rng, n, d, clean)
    y = random_targets(rng, X, criterion, 2 if rng.random() < 0.2 else 1)
    untied = clean and criterion in ("gini", "entropy")  # classes that count alike often gain alike
    kind = "fractions" if untied else rng.choice(["none", "whole", "fractions"])
    weight = random_weights(rng, n, kind)
    parameters = random_parameters(rng, criterion, y, clean)
    said = "-".join([criterion, f"n{n}", f"d{d}", f"w_{kind}", *parameters])
    return Case(f"{i:03}-{said}", X, y, criterion, weight, parameters)


@cache
def own_cases():
    """Return the data sets that come with scikit-learn."""
    cases, small = [], {"min_samples_leaf": 5}
    for name, load in {
        "iris": datasets.load_iris, "wine": datasets.load_wine, "cancer": datasets.load_breast_cancer,
    }.items():  # fmt: skip
        X, y = load(return_X_y=True)
        for criterion in ("gini", "entropy"):
            cases.append(Case(f"{name}-{criterion}", X, y, criterion))
            cases.append(Case(f"{name}-{criterion}-leaf5", X, y, criterion, None, small))
            cases.append(Case(f"{name}-{criterion}-leaves8", X, y, criterion, None, {"max_leaf_nodes": 8}))
    X, y = datasets.load_digits(return_X_y=True)
    cases.append(Case("digits-gini", X[:900], y[:900], "gini"))
    cases.append(Case("digits-entropy", X[900:], y[900:], "entropy", None, small))
    X, y = datasets.load_diabetes(return_X_y=True)
    for criterion in ("squared_error", "absolute_error"):
        cases.append(Case(f"diabetes-{criterion}", X, y, criterion))
        cases.append(Case(f"diabetes-{criterion}-leaf5", X, y, criterion, None, small))
        X3, y3 = datasets.load_linnerud(return_X_y=True)
        cases.append(Case(f"linnerud-{criterion}", X3, y3, criterion))
    return cases


# What a split is worth, in plain numpy


def impurity(criterion, y, w):
    """Return the impurity of rows, the mean over the outputs; y of shape (n, outputs)."""
    each = []
    for column in y.T:
        if criterion in ("gini", "entropy"):
            p = np.array([w[column == k].sum() for k in np.unique(column)]) / w.sum()
            each.append(1 - (p**2).sum() if criterion == "gini" else -(p * np.log2(p)).sum())
        elif criterion == "squared_error":
            each.append((w * (column - (w * column).sum() / w.sum()) ** 2).sum() / w.sum())
        else:
            each.append((w * abs(column - some_median(column, w))).sum() / w.sum())
    return np.mean(each)


def some_median(y, w):
    """Return a number that halves the weight; where there are several, the absolute error is the same."""
    order = np.argsort(y)
    return y[order][np.searchsorted(np.cumsum(w[order]), w.sum() / 2)]


def decrease(criterion, y, w, left):
    """Return how much a split lowers the impurity of its node."""
    sides = sum(w[side].sum() / w.sum() * impurity(criterion, y[side], w[side]) for side in (left, ~left))
    return impurity(criterion, y, w) - sides


# The walk


class Walk:
    """Both trees, walked together."""

    def __init__(self, case):
        self.case = case
        ours, theirs = case.estimators
        self.ours = ours.fit(case.X, case.y, case.weight)
        self.theirs = theirs.fit(case.X, case.y, case.weight)
        self.a, self.b = self.ours.tree_, self.theirs.tree_
        self.X = case.X.astype(np.float32)
        self.y = case.y.reshape(len(case.X), -1).astype(float)
        self.w = np.ones(len(case.X)) if case.weight is None else case.weight.copy()
        if case.parameters.get("class_weight") is not None:
            self.w *= compute_sample_weight(case.parameters["class_weight"], case.y)
        self.scale = 1.0 if case.criterion in ("gini", "entropy") else float(1e-3 + (self.y**2).mean())
        self.ties, self.stops, self.medians, self.compared = [], [], [], 0
        todo = [(0, 0, np.flatnonzero(self.w > 0))]
        while todo:
            todo += self.visit(*todo.pop())
        self.prove_stops()

    def visit(self, i, j, rows):
        """Compare two nodes; return the pairs of nodes below that have the same rows."""
        a, b, self.compared = self.a, self.b, self.compared + 1
        self.compare_contents(i, j, rows)
        if (a.feature[i] < 0) or (b.feature[j] < 0):
            if a.feature[i] >= 0 or b.feature[j] >= 0:
                self.stops.append((i, j, rows))
            return []
        left_a, left_b = (self.X[rows, t.feature[k]] <= t.threshold[k] for t, k in ((a, i), (b, j)))
        below = [b.children_left[j], b.children_right[j]]
        if a.feature[i] == b.feature[j] and (left_a == left_b).all():
            assert a.threshold[i] == pytest.approx(b.threshold[j], rel=CLOSE, abs=1e-12)
        else:
            self.prove_tie(i, j, rows, left_a, left_b)
            if (left_a == ~left_b).all():
                below = below[::-1]
            elif (left_a != left_b).any():
                return []
        first = int(a.first_child[i])
        return [(first, below[0], rows[left_a]), (first + 1, below[1], rows[~left_a])]

    def compare_contents(self, i, j, rows):
        """Require the same weight, impurity and value."""
        a, b, w, y = self.a, self.b, self.w[rows], self.y[rows]
        assert a.n[i] == pytest.approx(b.weighted_n_node_samples[j], rel=CLOSE)
        assert a.n[i] == pytest.approx(w.sum(), rel=CLOSE)
        rounding = 1e-12 * self.scale * self.w.sum() / w.sum()  # of scikit-learn, which subtracts squares
        assert a.impurity[i] == pytest.approx(b.impurity[j], rel=CLOSE, abs=rounding)
        plain = impurity(self.case.criterion, y, w)
        assert a.impurity[i] == pytest.approx(plain, rel=CLOSE, abs=1e-13 * self.scale)
        if self.a.is_classifier:
            mine = self.a._blocks(self.a.value[i])
            for block, values in zip(mine, b.value[j], strict=True):
                np.testing.assert_allclose(block, values[: len(block)], rtol=CLOSE, atol=1e-12)
            return
        for mine, value, column in zip(a.value[i], b.value[j, :, 0], y.T, strict=True):
            if self.case.criterion == "absolute_error" and abs(mine - value) > CLOSE:
                self.prove_median(i, mine, value, column, w)
            else:
                assert mine == pytest.approx(value, rel=CLOSE, abs=CLOSE)

    def prove_median(self, i, mine, value, y, w):
        """Require that the weight is halved between two numbers, and that ours is their mean."""
        order = np.argsort(y, kind="stable")
        halved = np.flatnonzero(np.isclose(np.cumsum(w[order]), w.sum() / 2, rtol=1e-12))
        assert self.case.weight is not None
        assert len(halved) == 1
        low, high = y[order][halved[0]], y[order][halved[0] + 1]
        assert mine == pytest.approx((low + high) / 2, rel=CLOSE, abs=CLOSE)
        assert low <= value <= high
        self.medians.append(i)

    def prove_tie(self, i, j, rows, left_a, left_b):
        """Require that both questions lower the impurity equally."""
        y, w = self.y[rows], self.w[rows]
        one, other = (decrease(self.case.criterion, y, w, left) for left in (left_a, left_b))
        noise = 1e-10 * self.a.impurity[i]  # nearer than this, splits are equal here
        assert one == pytest.approx(other, rel=CLOSE, abs=noise), f"node {i}: {one}, scikit-learn {other}"
        self.ties.append((i, j))

    def gain_of(self, i, j, rows):
        """Return the decrease of the split of the tree that splits, by the share of the node."""
        t, k = (self.a, i) if self.a.feature[i] >= 0 else (self.b, j)
        left = self.X[rows, t.feature[k]] <= t.threshold[k]
        share = self.w[rows].sum() / self.w.sum()
        return decrease(self.case.criterion, self.y[rows], self.w[rows], left) * share

    def prove_stops(self):
        """Require a reason where one tree has a leaf and the other a split."""
        least, open_ends = self.case.parameters.get("min_impurity_decrease", 0.0), []
        for i, j, rows in self.stops:
            pure = (self.y[rows] == self.y[rows[0]]).all()
            if pure:  # the impurity that scikit-learn computes is not quite zero
                assert self.a.feature[i] < 0
                assert abs(self.b.impurity[j]) <= 1e-12 * self.scale * self.w.sum() / self.w[rows].sum()
            elif self.gain_of(i, j, rows) != pytest.approx(least, rel=CLOSE, abs=1e-13 * self.scale):
                open_ends.append((i, j, rows))
        if open_ends:
            self.prove_best_first(open_ends)

    def prove_best_first(self, open_ends):
        """Require that trees of so many leaves part ways at equal decreases, or after a tie."""
        assert "max_leaf_nodes" in self.case.parameters
        assert self.a.n_leaves == self.b.n_leaves
        if self.ties:
            return
        mine = [self.gain_of(*end) for end in open_ends if self.a.feature[end[0]] >= 0]
        other = [self.gain_of(*end) for end in open_ends if self.a.feature[end[0]] < 0]
        assert np.isclose(np.subtract.outer(mine, other), 0, atol=CLOSE * max(mine)).any()

    @property
    def same(self):
        """Whether no tie was met."""
        return not (self.ties or self.stops)


@cache
def walk_random(i):
    """Walk the trees of the data set number i."""
    return Walk(random_case(i))


def compare_predictions(walk):
    """Require equal predictions for old and new rows that meet no tie."""
    rng = np.random.default_rng(1)
    new = walk.case.X[rng.integers(len(walk.case.X), size=300)] + rng.normal(size=(300, walk.case.X.shape[1]))
    X = np.concatenate([walk.case.X, new.astype(walk.case.X.dtype)])
    met = [i for i, *_ in walk.ties + walk.stops] + walk.medians
    touched = walk.ours.decision_path(X)[:, sorted(set(met))].sum(axis=1)
    clear = np.asarray(touched).ravel() == 0
    for one, two in zip(predictions(walk.ours, X), predictions(walk.theirs, X), strict=True):
        np.testing.assert_allclose(one[clear], two[clear], rtol=CLOSE, atol=CLOSE)


def predictions(estimator, X):
    """Return a list of arrays, one per output."""
    if hasattr(estimator, "predict_proba"):
        shares = estimator.predict_proba(X)
        return shares if isinstance(shares, list) else [shares]
    return [estimator.predict(X)]


def compare(walk):
    """Require equal predictions, and the same tree where no tie was met."""
    compare_predictions(walk)
    if walk.same:
        a, b = walk.a, walk.b
        assert a.node_count == b.node_count
        inner = b.children_left >= 0
        np.testing.assert_allclose(
            np.sort(a.threshold[a.feature >= 0]), np.sort(b.threshold[inner]), rtol=CLOSE, atol=1e-12
        )
        assert (np.bincount(a.feature + 1) == np.bincount(np.maximum(b.feature, -1) + 1)).all()


@pytest.mark.parametrize("i", RANDOM, ids=lambda i: random_case(i).name)
def test_random(i):
    compare(walk_random(i))


@pytest.mark.parametrize("case", own_cases(), ids=lambda case: case.name)
def test_data_sets_of_scikit_learn(case):
    compare(Walk(case))


def test_most_trees_meet_no_tie():
    walks = [walk_random(i) for i in RANDOM]
    large = [walk for walk in walks if walk.a.node_count > 1]
    assert len(large) > 0.8 * len(RANDOM)
    assert sum(walk.same for walk in large) > 0.5 * len(large)
    assert {walk.case.criterion for walk in large if walk.same and walk.a.node_count > 9} == set(CRITERIA)
