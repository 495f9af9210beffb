"""Every node of a grown tree, searched again by trying everything.

No better split exists, ties go where the rule says, and each leaf is one for the reason it gives.
"""

import math

import numpy as np
import pandas as pd
import pytest

from dtlib import CARTClassifier, CARTRegressor
from dtlib.tree.splits import Subset, Threshold
from tests.criteria import criteria_of
from tests.drawn import seeds

TIE = 1e-10  # of the impurity of the node


# The data


def frame(seed, n=45, nominal=5, numeric=2):
    """Return columns of every kind; few values, so that ties occur."""
    rng = np.random.default_rng(seed)
    columns = {f"x{k}": np.round(rng.normal(size=n), k + 1) for k in range(numeric)}
    sizes = pd.Categorical.from_codes(rng.integers(0, 4, n), ["S", "M", "L", "XL"], ordered=True)
    columns |= {"color": rng.choice(list("vwxyzabcd")[:nominal], n), "size": sizes, "is": rng.random(n) < 0.5}
    return pd.DataFrame(columns)


def labels(X, seed, classes):
    """Return classes that depend on all columns a little."""
    rng = np.random.default_rng(seed)
    score = X["x0"] + X["size"].cat.codes / 2 + X["color"].map(ord) % 3 + rng.normal(size=len(X))
    return pd.qcut(score, classes, labels=list("pqrst")[:classes]).astype(str).to_numpy()


def numbers(X, seed):
    """Return whole numbers that depend on all columns a little."""
    rng = np.random.default_rng(seed)
    return np.round(X["x0"] * 2 + X["size"].cat.codes + X["color"].map(ord) % 3 + rng.normal(size=len(X)))


def weights(seed, n):
    """Return no weights, or whole ones with zeros, or fractions."""
    rng = np.random.default_rng(seed)
    return [None, rng.integers(0, 4, n).astype(float), rng.integers(1, 9, n) / 7][seed % 3]


# The search


def impurity(criterion, y, w):
    """Return the impurity of rows; y has one column per output."""
    total, each = w.sum(), []
    for column in y.T:
        if criterion == "squared_error":
            each.append((w * (column - (w * column).sum() / total) ** 2).sum() / total)
        elif criterion == "absolute_error":
            each.append((abs(column[:, None] - column) @ w).min() / total)
        else:
            p = [x / total for x in np.bincount(column, w).tolist() if x]
            gini, entropy = 1 - sum(x * x for x in p), -sum(x * math.log2(x) for x in p)
            each.append({"gini": gini, "entropy": entropy, "misclassification": 1 - max(p)}[criterion])
    return sum(each) / len(each)


def groups_of(kind, values, key):
    """List the groups that may go left, in the order in which ties are broken."""
    if kind == "cut":
        return [values[: i + 1] for i in range(len(values) - 1)]
    if kind == "one_vs_rest":
        return [[v] for v in values] if len(values) > 1 else []
    if kind == "by mean":
        values = sorted(values, key=lambda v: (key[v], values.index(v)))
        return groups_of("cut", values, key)
    rest = values[1:]
    return [
        [values[0], *(v for k, v in enumerate(rest) if code >> k & 1)] for code in range(2 ** len(rest) - 1)
    ]


class Search:
    """All splits of the rows of a node."""

    def __init__(self, estimator, X, y, w):
        self.estimator, self.X, self.y, self.w = estimator, X, y, w
        self.impurity = impurity(estimator.criterion, y, w)
        self.few = 0

    def kind(self, column):
        """Return how a column is split.

        For one number or two classes a cut of the means is best, if no branch can be too small.
        """
        values, e = self.X[column], self.estimator
        if values.dtype.kind == "f" or isinstance(values.dtype, pd.CategoricalDtype):
            return "cut"
        if e.nominal == "one_vs_rest":
            return "one_vs_rest"
        one_channel = self.y.shape[1] == 1 and (isinstance(e, CARTRegressor) or self.binary)
        return "by mean" if one_channel and not e.min_samples_leaf else "any"

    def splits(self, column):
        """Return the values that go left and the decrease, for all splits that leave enough on both sides."""
        x, e, found = self.X[column], self.estimator, []
        values = sorted_values(x)
        number = {v: i for i, v in enumerate(values)}
        place = np.array([number[v] for v in x.tolist()])
        mean = {
            v: np.average(self.y[place == i, 0], weights=self.w[place == i]) for i, v in enumerate(values)
        }
        self.ordered = groups_of(self.kind(column), values, mean)
        for group in groups_of(self.kind(column).replace("by mean", "any"), values, mean):
            left = np.array([v in group for v in values])[place]
            sides = [(self.y[side], self.w[side]) for side in (left, ~left)]
            if min(w.sum() for _, w in sides) < e.min_samples_leaf - 1e-9:
                self.few += 1
                continue
            parts = sum(w.sum() * impurity(e.criterion, y, w) for y, w in sides)
            found.append((group, self.impurity - parts / self.w.sum()))
        return found

    def best(self):
        """Return the best decrease, and by column the splits that reach it."""
        found = {column: self.splits(column) for column in self.X}
        top = max((gain for splits in found.values() for _, gain in splits), default=-np.inf)
        least = top - TIE * self.impurity
        return top, {c: [g for g, gain in splits if gain >= least] for c, splits in found.items()}


def sorted_values(x):
    """Return the values that occur, in their order."""
    if isinstance(x.dtype, pd.CategoricalDtype):
        return sorted(set(x.tolist()), key=x.cat.categories.get_loc)
    return sorted(set(x.tolist()))


def goes_left(node, X):
    """Return which rows take the first branch."""
    x, split = X[node.feature], node.split
    if isinstance(split, Threshold):
        return ((x.cat.codes if split.values else x) <= split.threshold).to_numpy()
    return x.isin(groups(split)[0]).to_numpy()


def groups(split):
    """Return the groups of a split of names; where each of two names has a branch, there are two of one."""
    return split.groups if isinstance(split, Subset) else [[value] for value in split.values]


def check_tree(estimator, X, y, w):
    """Search every node of the fitted tree again."""
    rows = np.arange(len(X)) if w is None else np.flatnonzero(w)
    w = np.ones(len(X)) if w is None else w
    y = np.asarray(y).reshape(len(X), -1)
    if isinstance(estimator, CARTClassifier):
        y = np.stack([np.unique(column, return_inverse=True)[1] for column in y.T], axis=1)
    binary = len(np.unique(y)) == 2
    todo, seen = [(estimator.tree_.root, rows)], 0
    while todo:
        node, rows = todo.pop()
        seen += 1
        search = Search(estimator, X.iloc[rows], y[rows], w[rows])
        search.binary, search.total = binary, w.sum()
        assert node.n == pytest.approx(w[rows].sum())
        assert node.impurity == pytest.approx(search.impurity, rel=1e-12, abs=1e-13)
        if node.is_leaf:
            check_leaf(node, search)
            continue
        left = goes_left(node, X.iloc[rows])
        check_split(node, search, left)
        todo += [(node.children[0], rows[left]), (node.children[1], rows[~left])]
    assert seen == estimator.tree_.node_count
    return seen


def check_split(node, search, left):
    """Require the best split, and of equal ones the first."""
    best, near = search.best()
    gain = float(node.tree.gain[node.id])
    assert gain == pytest.approx(best, rel=1e-9, abs=TIE * search.impurity)
    assert gain > TIE * search.impurity
    assert gain * search.w.sum() / search.total >= search.estimator.min_impurity_decrease - 1e-12
    column = next(c for c in search.X if near[c])
    assert node.feature == column
    x = search.X[column]
    search.splits(column)
    one, other = set(x[left]), set(x[~left])
    wanted = next(set(group) for group in search.ordered if any(same(group, x, g) for g in near[column]))
    assert wanted in (one, other)
    if isinstance(node.split, Threshold):
        assert wanted == one
        if not node.split.values:
            assert node.split.threshold == (x[left].max() + x[~left].min()) / 2
    else:
        assert sorted_values(x)[0] in one or search.estimator.nominal == "one_vs_rest"
        assert [set(group) for group in groups(node.split)] == [one, other]


def same(group, x, other):
    """Tell whether two groups of the values of x part the rows alike."""
    return set(group) == set(other) or set(group) == set(x) - set(other)


def check_leaf(node, search):
    """Require what the reason of a leaf says."""
    e = search.estimator
    pure = len(np.unique(search.y, axis=0)) == 1
    assert (node.reason == "pure") == pure
    best, _ = search.best()
    told = {
        "pure": pure,
        "max_depth reached": node.depth == e.max_depth,
        "less than min_samples_split": len(search.w) < 2 or search.w.sum() < e.min_samples_split,
        "no feature left": best == -np.inf and not search.few,
        "no split leaves min_samples_leaf": best == -np.inf and e.min_samples_leaf > 0,
        "no gain": -1e-12 <= best <= TIE * search.impurity,
        "decrease below min_impurity_decrease": best * search.w.sum() / search.total
        < e.min_impurity_decrease,
    }
    assert told[node.reason], (node.reason, best)


# The tests

LIMITS = [
    {},
    {"min_samples_leaf": 3.5},
    {"max_depth": 3},
    {"min_samples_split": 8, "min_impurity_decrease": 0.01},
    {"min_samples_leaf": 2, "max_depth": 4},
]


@pytest.mark.parametrize("nominal", ["subset", "one_vs_rest"])
@pytest.mark.parametrize("classes", [2, 3, 4, 5])
@pytest.mark.parametrize("criterion", criteria_of(CARTClassifier))
@pytest.mark.parametrize("seed", seeds(3))
def test_classes(criterion, classes, nominal, seed):
    limits = LIMITS[(seed + classes) % 5]
    X = frame(seed, nominal=5)
    y, w = labels(X, seed, classes), weights(seed + classes, len(X))
    if limits:
        limits = {k: v * (w.mean() if w is not None and "samples" in k else 1) for k, v in limits.items()}
    cart = CARTClassifier(criterion=criterion, nominal=nominal, **limits).fit(X, y, w)
    assert check_tree(cart, X, y, w) > 1


@pytest.mark.parametrize("nominal", ["subset", "one_vs_rest"])
@pytest.mark.parametrize("limits", LIMITS, ids=lambda limits: "-".join(limits) or "none")
@pytest.mark.parametrize("seed", seeds(3))
def test_numbers(nominal, limits, seed):
    X = frame(seed + 10)
    y, w = numbers(X, seed), weights(seed, len(X))
    cart = CARTRegressor(nominal=nominal, **limits).fit(X, y, w)
    assert check_tree(cart, X, y, w) > 1


@pytest.mark.parametrize("limits", LIMITS, ids=lambda limits: "-".join(limits) or "none")
@pytest.mark.parametrize("seed", seeds(3))
def test_absolute_error(limits, seed):
    X = frame(seed + 20, nominal=2)  # of two names, there is one split
    y, w = numbers(X, seed), weights(seed, len(X))
    cart = CARTRegressor(criterion="absolute_error", **limits).fit(X, y, w)
    assert check_tree(cart, X, y, w) > 1


@pytest.mark.parametrize("seed", seeds(6))
def test_several_outputs(seed):
    X = frame(seed + 30)
    w = weights(seed, len(X))
    y = np.stack([labels(X, seed, 2), labels(X, seed + 1, 3)], axis=1)
    cart = CARTClassifier(criterion=["gini", "entropy"][seed % 2]).fit(X, y, w)
    assert check_tree(cart, X, y, w) > 1
    y = np.stack([numbers(X, seed), numbers(X, seed + 1)], axis=1)
    cart = CARTRegressor(criterion="squared_error", min_samples_leaf=2).fit(X, y, w)
    assert check_tree(cart, X, y, w) > 1


@pytest.mark.parametrize("criterion", criteria_of(CARTClassifier))
@pytest.mark.parametrize("seed", seeds(2))
def test_all_groups_of_nine_names_are_tried(criterion, seed):
    X = frame(seed + 40, n=60, nominal=9)[["color", "size"]]
    y = np.random.default_rng(seed).choice(list("pqr"), len(X))
    cart = CARTClassifier(criterion=criterion, max_depth=3).fit(X, y)
    assert check_tree(cart, X, y, None) > 1


@pytest.mark.parametrize("values", [16, 255, 256, 257, 300])
def test_columns_of_many_numbers(values):
    rng = np.random.default_rng(values)
    x = rng.permutation(np.arange(330) % values).astype(float)
    X = pd.DataFrame({"x": x, "tied": np.round(rng.normal(size=330), 1)})
    y = (x / values + rng.random(330) > 1).astype(int)
    cart = CARTClassifier(max_depth=2, nominal="subset").fit(X, y)
    assert check_tree(cart, X, y, None) > 3
