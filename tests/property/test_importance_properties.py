"""Importances over all trees that ties allow: against the list of all these trees, in exact fractions."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from dtlib import CARTClassifier, CARTRegressor, ID3Classifier, ID3Regressor
from dtlib.importance import decrease_importances, importance_intervals
from tests.drawn import seeds

CLOSE = 1e-12


class Question(NamedTuple):
    """A question of a node: its feature, its gain times the weight, the rows of its branches."""

    feature: int
    gain: Fraction
    branches: tuple[tuple[int, ...], ...]


class Listed:
    """All trees that ties allow, listed one by one: of each, what its features gain."""

    def __init__(self, X: pd.DataFrame, y: np.ndarray, weight: np.ndarray, rules: dict[str, Any]):
        self.X, self.y, self.rules = X, y, rules
        self.weight = [Fraction(w) for w in weight.tolist()]

    def risk(self, rows: tuple[int, ...]) -> Fraction:
        """Return the impurity of some rows times their weight."""
        n = sum((self.weight[i] for i in rows), Fraction())
        if not n:
            return Fraction()
        kind = self.rules["criterion"]
        if kind == "squared_error":
            total = sum(self.weight[i] * int(self.y[i]) for i in rows)
            return sum(self.weight[i] * int(self.y[i]) ** 2 for i in rows) - total * total / n
        of_class = [sum(self.weight[i] for i in rows if self.y[i] == k) for k in np.unique(self.y)]
        return n - sum(c * c for c in of_class) / n if kind == "gini" else n - max(of_class)

    def share(self, rows: np.ndarray) -> Fraction:
        """Return the share of the second class."""
        weights = [self.weight[i] for i in rows]
        return sum(w for i, w in zip(rows, weights, strict=True) if self.y[i] == 1) / sum(weights)

    def parts(self, f: int, rows: tuple[int, ...]) -> list[tuple[tuple[int, ...], ...]]:
        """Return all ways in which a feature may part some rows."""
        x = self.X.iloc[list(rows), f]
        values = sorted(x.unique())
        if pd.api.types.is_numeric_dtype(x):
            firsts = [values[: i + 1] for i in range(len(values) - 1)]
        elif self.rules["nominal"] == "multiway":
            return [tuple(tuple(np.array(rows)[(x == v).to_numpy()]) for v in values)] if values[1:] else []
        elif self.rules["nominal"] == "one_vs_rest":
            firsts = [[v] for v in values] if len(values) > 2 else [values[:1]] if values[1:] else []
        elif self.rules["nominal"] == "ordered":
            values = sorted(values, key=lambda v: (-self.share(np.array(rows)[(x == v).to_numpy()]), v))
            firsts = [values[: i + 1] for i in range(len(values) - 1)]
        else:
            sides = product((True, False), repeat=len(values) - 1)
            firsts = [[v for v, is_in in zip(values, (True, *side), strict=True) if is_in] for side in sides]
            firsts = [first for first in firsts if len(first) < len(values)]
        lefts = [x.isin(first).to_numpy() for first in firsts]
        return [(tuple(np.array(rows)[left]), tuple(np.array(rows)[~left])) for left in lefts]

    def best(self, rows: tuple[int, ...], depth: int) -> list[Question]:
        """Return the best questions of a node, none if it is a leaf."""
        least, risk = self.rules["min_samples_leaf"], self.risk(rows)
        if depth == self.rules["max_depth"] or risk == 0:
            return []
        found = []
        for f in range(self.X.shape[1]):
            for branches in self.parts(f, rows):
                small = min(sum(self.weight[i] for i in branch) for branch in branches)
                if small >= least or self.rules["nominal"] == "multiway":
                    gain = risk - sum(self.risk(branch) for branch in branches)
                    found.append(Question(f, gain, branches))
        most = max((question.gain for question in found), default=Fraction())
        return [question for question in found if question.gain == most] if most > 0 else []

    def trees(self, rows: tuple[int, ...], depth: int = 0) -> set[tuple[Fraction, ...]]:
        """Return what the features gain in each tree of these rows."""
        found = set()
        for question in self.best(rows, depth):
            own = [question.gain * (f == question.feature) for f in range(self.X.shape[1])]
            for below in product(*(self.trees(branch, depth + 1) for branch in question.branches)):
                found.add(tuple(map(sum, zip(own, *below, strict=True))))
        return found or {(Fraction(),) * self.X.shape[1]}


def bounds(trees: set[tuple[Fraction, ...]], normalize: bool) -> np.ndarray:
    """Return the least and the largest importance of each feature, in a list of trees."""
    of_tree = [[float(a / (sum(t) or 1)) if normalize else float(a) for a in t] for t in trees]
    return np.stack([np.min(of_tree, axis=0), np.max(of_tree, axis=0)], axis=1)


class Case(NamedTuple):
    """A table, answers, weights, and rules."""

    X: pd.DataFrame
    y: np.ndarray
    weight: np.ndarray
    rules: dict[str, Any]


def case_of(seed: int) -> Case:
    """Draw a small table of numbers and names that often tie, weights, and rules."""
    rng = np.random.default_rng(seed)
    n, columns = int(rng.integers(4, 9)), {}
    for name in "abc"[: rng.integers(2, 4)]:
        x = rng.integers(0, rng.integers(2, 5), n)
        columns[name] = np.array(list("uvwx"), object)[x] if rng.random() < 0.5 else x.astype(float)
    if rng.random() < 0.3:  # the first column says the same once more, the other way round
        first = columns["a"]
        columns["d"] = (
            -first if first.dtype.kind == "f" else np.array([chr(239 - ord(v)) for v in first], object)
        )
    rules = {
        "criterion": str(rng.choice(["gini", "gini", "squared_error", "misclassification"])),
        "nominal": str(rng.choice(["subset", "one_vs_rest", "ordered"])),
        "max_depth": [None, None, 1, 2][rng.integers(4)],
        "min_samples_leaf": int(rng.choice([0, 0, 0, 2])),
    }
    K = 2 if rules["nominal"] == "ordered" else int(rng.integers(2, 4))
    if rules["nominal"] == "ordered" and rules["criterion"] != "gini":
        rules["nominal"] = "subset"
    weight = rng.choice([0.5, 1, 2, 3], n) if rng.random() < 0.4 else np.ones(n)
    return Case(pd.DataFrame(columns), rng.integers(0, K, n), weight, rules)


@pytest.mark.long
@pytest.mark.parametrize("seed", seeds(250))
def test_bounds_are_those_of_the_list_of_all_trees(seed):
    X, y, weight, rules = case_of(seed)
    make = CARTRegressor if rules["criterion"] == "squared_error" else CARTClassifier
    tree = make(**rules).fit(X, y.astype(float) if make is CARTRegressor else y, weight).tree_
    trees = Listed(X, y, weight, rules).trees(tuple(range(len(X))))
    for normalize in (True, False):
        found = importance_intervals(tree, normalize)
        assert found[["lowest", "highest"]].to_numpy() == pytest.approx(bounds(trees, normalize), abs=CLOSE)
        assert found["importance"].to_numpy() == pytest.approx(decrease_importances(tree, normalize))
        assert (found["lowest"] <= found["importance"] + CLOSE).all()
        assert (found["importance"] <= found["highest"] + CLOSE).all()


def test_what_is_drawn_ties():
    wide = 0
    for seed in range(100):
        case = case_of(seed)
        found = bounds(Listed(*case).trees(tuple(range(len(case.X)))), True)
        wide += (found[:, 1] - found[:, 0]).max() > 0.01
    assert wide > 30


@pytest.mark.parametrize("seed", seeds(40))
def test_a_column_and_its_mirror_image_tie_but_for_rounding(seed):
    """Each cut of one is a cut of the other; weights and answers are no whole numbers."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=25)
    X = pd.DataFrame({"a": x, "b": -x, "c": rng.normal(size=25).round(1)})
    weight = rng.random(25)
    for make, y in ((CARTRegressor, rng.normal(size=25)), (CARTClassifier, rng.integers(0, 3, 25))):
        found = importance_intervals(make(max_depth=3).fit(X, y, weight).tree_)
        assert found.loc["a"].tolist()[1:] == pytest.approx(found.loc["b"].tolist()[1:], abs=1e-9)
        assert found.loc["b", "lowest"] == pytest.approx(0, abs=1e-9)


def by_names(seed: int) -> tuple[pd.DataFrame, np.ndarray]:
    """Draw a table of names."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 10))
    X = pd.DataFrame(rng.choice(list("uvw"), (n, 3)), columns=list("abc"), dtype=object)
    return X, rng.integers(0, 2, n)


@pytest.mark.parametrize("seed", seeds(30))
def test_branches_for_each_value(seed):
    """Entropy is no fraction: two classes and up to nine rows part equal from unequal gains."""
    X, y = by_names(seed)
    rules = {"criterion": "gini", "nominal": "multiway", "max_depth": None, "min_samples_leaf": 0}

    class InBits(Listed):
        def risk(self, rows: tuple[int, ...]) -> Fraction:
            p = np.bincount(y[list(rows)]) / len(rows)
            bits = -sum(x * np.log2(x) for x in p if x > 0)
            return Fraction(round(len(rows) * bits, 9)).limit_denominator(10**12)

    trees = InBits(X, y, np.ones(len(X)), rules).trees(tuple(range(len(X))))
    found = importance_intervals(ID3Classifier().fit(X, y).tree_)
    assert found[["lowest", "highest"]].to_numpy() == pytest.approx(bounds(trees, True), abs=1e-7)


@pytest.mark.parametrize("seed", seeds(30))
@pytest.mark.parametrize("is_weighted", [False, True])
def test_branches_that_lower_the_standard_deviation(seed, is_weighted):
    """It is the root of a whole number; what can be drawn out is, so that equal sums of roots are equal."""
    (X, y), rng = by_names(seed), np.random.default_rng(seed)
    y, weight = rng.choice([0, 1, 3], len(X)), rng.integers(1, 4, len(X)) if is_weighted else np.ones(len(X))
    rules = {"criterion": "gini", "nominal": "multiway", "max_depth": None, "min_samples_leaf": 0}

    class InDeviations(Listed):
        def risk(self, rows: tuple[int, ...]) -> Fraction:
            w, values = weight[list(rows)].astype(int), y[list(rows)]
            square = int(w.sum() * (w * values**2).sum() - (w * values).sum() ** 2)
            out = max([k for k in range(1, math.isqrt(square) + 1) if square % k**2 == 0], default=1)
            return out * Fraction(round(math.sqrt(square // out**2), 9)).limit_denominator(10**12)

    trees = InDeviations(X, y, weight, rules).trees(tuple(range(len(X))))
    tree = ID3Regressor().fit(X, y, weight).tree_
    for normalize in (True, False):
        found = importance_intervals(tree, normalize)
        assert found[["lowest", "highest"]].to_numpy() == pytest.approx(bounds(trees, normalize), abs=1e-7)


@pytest.mark.parametrize("seed", seeds(12))
@pytest.mark.parametrize("of_numbers", [False, True])
def test_trees_of_other_columns_first_and_other_thresholds_first_lie_within(seed, of_numbers):
    """Ties go to the first column and the lowest threshold: turned about, tables give the other trees."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.integers(0, 4, (30, 4)) * 1.0, columns=list("abcd"))
    y = rng.integers(0, 3, 30) * 1.0 if of_numbers else rng.integers(0, 3, 30)
    depth = int(rng.integers(1, 4))
    make, theirs = CARTClassifier, DecisionTreeClassifier
    if of_numbers:
        make, theirs = CARTRegressor, DecisionTreeRegressor
    found = importance_intervals(make(max_depth=depth).fit(X, y).tree_)
    shares = []
    for sign in (1, -1):
        for order in (list("abcd"), list("dcba"), list("bdac")):
            model = make(max_depth=depth).fit(sign * X[order], y)
            shares.append(pd.Series(model.feature_importances_, order)[found.index])
    in_dialect = importance_intervals(make.sklearn(max_depth=depth).fit(X, y).tree_)
    chance = [theirs(max_depth=depth, random_state=i).fit(X, y).feature_importances_ for i in range(8)]
    for bound, some in ((found, shares), (in_dialect, chance)):
        assert (np.array(some) >= bound["lowest"].to_numpy() - 1e-9).all()
        assert (np.array(some) <= bound["highest"].to_numpy() + 1e-9).all()


@pytest.mark.parametrize("seed", seeds(10))
def test_the_same_tree_has_scikit_learns_importances(seed):
    rng = np.random.default_rng(seed)
    X, weight = pd.DataFrame(rng.normal(size=(300, 5))), rng.integers(1, 4, 300) * 1.0
    y = rng.integers(0, 3, 300)
    for make, theirs, target in (
        (CARTClassifier, DecisionTreeClassifier, y),
        (CARTRegressor, DecisionTreeRegressor, rng.normal(size=300)),
    ):
        ours = make.sklearn(max_depth=3, min_samples_leaf=20).fit(X, target, weight)
        other = theirs(max_depth=3, min_samples_leaf=20, random_state=0).fit(X, target, weight)
        assert ours.feature_importances_ == pytest.approx(other.feature_importances_, abs=1e-8)
        raw = other.tree_.compute_feature_importances(normalize=False)
        amounts = decrease_importances(ours.tree_, normalize=False)
        assert amounts / ours.tree_.n[0] == pytest.approx(raw, abs=1e-8)
