"""Optimal trees: none costs less, CART's neither; of equal ones it is the first, for both engines.

Without Numba the functions it would compile run as plain Python.
"""

from fractions import Fraction
from itertools import combinations, pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.utils.class_weight import compute_sample_weight

from dtlib import CARTClassifier, OptimalTreeClassifier, jit
from dtlib.optimal import best_tree
from dtlib.optimal.two_levels import NO_TREE, PairSums, two_levels
from dtlib.search import listed
from dtlib.search.listed import SearchSettings
from dtlib.search.questions import questions_of
from dtlib.table.reading import class_targets
from dtlib.table.training import read_training
from dtlib.tree.reasons import COLLAPSED, PRICED
from dtlib.tree.splits import Subset
from dtlib.tree.tree import ARRAYS
from tests.criteria import criteria_of
from tests.drawn import examples, mirrored, mirrors

KINDS = ["numbers", "numbers", "names", "many names", "names in an order", "two names"]
FEW = 4  # categories of which all divisions are tried here, so that "many names" are more


def column(rng, n, kind):
    """Return a column of a kind."""
    if kind == "numbers":
        return pd.Series(rng.integers(0, rng.integers(2, 6), n) / 2.0)
    if kind == "two names":
        return pd.Series(rng.choice(["no", "yes"], n))
    values = list("pqrstu"[: 6 if kind == "many names" else 4])
    return pd.Series(pd.Categorical(rng.choice(values, n), values, ordered=kind == "names in an order"))


@st.composite
def small_tasks(draw, rows, depths):
    """Draw a table, classes, weights and an estimator whose costs are exact in floats."""
    rng, n = np.random.default_rng(draw(st.integers(0, 2**32))), draw(st.sampled_from(rows))
    kinds = draw(st.lists(st.sampled_from(KINDS), min_size=1, max_size=4))
    X = pd.DataFrame({f"x{k}": column(rng, n, kind) for k, kind in enumerate(kinds)})
    K = draw(st.sampled_from([1, 2, 2, 3]))
    y = rng.integers(0, K, n)
    weight = {"none": None, "whole": rng.integers(0, 4, n), "halves": rng.integers(1, 6, n) / 2}[
        draw(st.sampled_from(["none", "none", "whole", "halves"]))
    ]
    if weight is not None and not weight.sum():
        weight = None
    X, y, weight = mirrored(draw(mirrors), X, y, weight)
    options = {
        "max_depth": draw(st.sampled_from(depths)),
        "nominal": draw(st.sampled_from(["subset", "subset", "one_vs_rest"])),
        "ccp_alpha": draw(st.sampled_from([0, 0, 0.03125, 0.125, 0.5, 3])),
        "min_samples_leaf": draw(st.sampled_from([0, 0, 0, 1, 2, 3.5])),
    }
    classes = len(np.unique(y))
    if draw(st.booleans()):
        loss = rng.integers(1, 5, (classes, classes)).astype(float)
        np.fill_diagonal(loss, 0)
        options["loss"] = loss.tolist() if classes > 1 else None
    return X, y, weight, OptimalTreeClassifier(**options)


def fitted(estimator, X, y, weight, compiled):
    """Return the estimator, fitted by one of the engines."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(best_tree, "is_ready", lambda *_: compiled)
        patch.setattr(listed, "DIVIDED_CATEGORIES", FEW)
        return estimator.fit(X, y, weight)


class Exhaustive:
    """All trees, one after the other, in fractions."""

    def __init__(self, estimator, X, y, weight):
        self.e, n = estimator, len(X)
        self.w = [Fraction(1)] * n if weight is None else [Fraction(float(w)) for w in weight]
        _, self.y = np.unique(y, return_inverse=True)
        K = self.y.max() + 1
        loss = 1 - np.eye(K) if estimator.loss is None else np.asarray(estimator.loss)
        self.loss = [[Fraction(float(x)) for x in row] for row in loss]
        self.price = Fraction(float(estimator.ccp_alpha)) * sum(self.w)
        self.rows = frozenset(i for i in range(n) if self.w[i])
        self.questions = [q for name in X for q in self.asked(name, X[name])]
        self.known = {}

    def asked(self, name, x):
        """Yield a feature's questions in their order: the feature and the rows that say yes."""
        values = sorted({x[i] for i in self.rows})
        if x.dtype == float or getattr(x.dtype, "ordered", False):
            for v in values[:-1]:
                yield name, frozenset(i for i in self.rows if x[i] <= v)
        elif len(values) == 2:
            yield name, frozenset(i for i in self.rows if x[i] == values[0])
        else:
            is_subset = self.e.nominal == "subset" and len(values) <= FEW
            for size in range(1, len(values) // 2 + 1) if is_subset else [1]:
                for group in combinations(values, size):
                    if 2 * size < len(values) or values[0] in group:
                        yield name, frozenset(i for i in self.rows if x[i] in group)

    def leaf(self, rows):
        """Return what a leaf costs."""
        cost = [sum(self.w[i] * self.loss[self.y[i]][k] for i in rows) for k in range(len(self.loss))]
        return min(cost) + self.price, 1, None

    def best(self, rows, depth):
        """Return what the best tree costs, how many leaves it has, and what it asks."""
        if (rows, depth) not in self.known:
            self.known[rows, depth] = self.searched(rows, depth) if depth else self.leaf(rows)
        return self.known[rows, depth]

    def searched(self, rows, depth):
        """Return the same, found by trying every question."""
        found = self.leaf(rows)
        for name, yes in self.questions:
            sides = rows & yes, rows - yes
            least = Fraction(self.e.min_samples_leaf)
            if not all(sides) or min(sum(self.w[i] for i in side) for side in sides) < least:
                continue
            one, other = (self.best(side, depth - 1) for side in sides)
            cost = one[0] + other[0], one[1] + other[1]
            if cost < found[:2]:
                found = *cost, (name, frozenset(sides), {sides[0]: one[2], sides[1]: other[2]})
        return found


def shape(tree, node, rows, X):
    """Return what a tree asks, in the form of `Exhaustive.best`."""
    if node.is_leaf:
        return None
    ends = tree.decision_path(X)
    sides = [frozenset(i for i in rows if ends[i, child.id]) for child in node.children]
    below = {side: shape(tree, child, side, X) for side, child in zip(sides, node.children, strict=True)}
    return node.feature, frozenset(sides), below


@examples(200)
@given(small_tasks([1, 4, 8, 12, 20], [0, 1, 2, 3, 3, 4]), st.booleans())
def test_no_tree_costs_less_and_of_equal_ones_it_is_the_first(task, compiled):
    X, y, weight, estimator = task
    model, every = fitted(estimator, X, y, weight, compiled), Exhaustive(estimator, X, y, weight)
    cost, leaves, asked = every.best(every.rows, estimator.max_depth)
    assert model.is_optimal_
    assert model.gap_ == 0
    assert model.objective_ == pytest.approx(float(cost / sum(every.w)), abs=1e-12)
    assert model.tree_.n_leaves == leaves
    assert shape(model.tree_, model.tree_.root, every.rows, X) == asked


@examples(40)
@given(small_tasks([4, 10, 30], [1, 2, 3]), st.sampled_from(criteria_of(CARTClassifier)))
def test_no_tree_of_cart_costs_less(task, criterion):
    """Unless it divides names in ways that are not among the questions, and says so."""
    X, y, weight, estimator = task
    best = fitted(estimator, X, y, weight, False)
    for nominal in ("subset", "ordered", "one_vs_rest"):
        cart = CARTClassifier(criterion=criterion, nominal=nominal, max_depth=estimator.max_depth)
        if estimator.loss is None:
            cart.set_params(min_samples_leaf=estimator.min_samples_leaf)
        cart.set_params(loss=estimator.loss).fit(X, y, weight)
        if is_rival(cart, best):
            cost = paid(cart, X, y, weight, estimator.ccp_alpha)
            assert best.objective_ <= cost + 1e-12, (nominal, str(cart.tree_))


def is_rival(cart, best):
    """Tell whether a tree of CART may be the best one: it asks no other questions, and its leaves may be."""
    rest = {name for name, how in best.nominal_.items() if how == "one_vs_rest"}
    of_groups = [s for s in (node.split for node in cart.tree_) if isinstance(s, Subset)]
    is_searched = not any(s.feature in rest and min(map(len, s.groups)) > 1 for s in of_groups)
    return is_searched and (best.loss is None or not best.min_samples_leaf)


@examples(100)
@given(small_tasks([5, 20, 60], [2, 3, 4]), st.sampled_from([None, 1, 2]))
def test_both_engines_find_the_same_tree_to_the_last_bit(task, most):
    X, y, weight, estimator = task
    estimator.set_params(max_thresholds=most)
    if not jit.has_numba() and len(X) > 20:
        estimator.set_params(max_depth=2)
    one, other = (fitted(clone(estimator), X, y, weight, compiled) for compiled in (False, True))
    same_tree(one.tree_, other.tree_)
    assert (one.objective_, one.lower_bound_) == (other.objective_, other.lower_bound_)


def same_tree(one, other):
    """Require two trees with the same arrays."""
    for name in ARRAYS:
        a, b = getattr(one, name), getattr(other, name)
        assert a.dtype == b.dtype, name
        np.testing.assert_array_equal(a, b, err_msg=name)


def stopped(estimator, X, y, weight, compiled, moments, sums=1):
    """Return the estimator, fitted while the clock is read so many times: it goes on by one each time."""
    ticks = iter(range(10**9))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(best_tree.time, "monotonic", lambda: next(ticks))
        patch.setattr(best_tree, "SUMS_AT_ONCE", sums)
        return fitted(clone(estimator).set_params(time_limit=moments), X, y, weight, compiled)


@examples(50)
@given(small_tasks([4, 8, 20], [2, 3]), st.integers(0, 40), st.sampled_from([1, best_tree.SUMS_AT_ONCE]))
def test_a_search_that_is_cut_short_gives_a_tree_and_says_what_is_proved(task, moments, sums):
    X, y, weight, estimator = task
    every = Exhaustive(estimator, X, y, weight)
    short = stopped(estimator, X, y, weight, False, moments, sums)
    cost, leaves, _ = every.best(every.rows, estimator.max_depth)
    objective = float(cost / sum(every.w))
    assert short.lower_bound_ <= objective + 1e-12
    assert objective <= short.objective_ + 1e-12
    assert short.gap_ == short.objective_ - short.lower_bound_ >= 0
    assert short.is_optimal_ == (short.gap_ == 0)
    assert short.is_optimal_ or not short.is_smallest_
    assert not short.is_optimal_ or short.objective_ == pytest.approx(objective, abs=1e-12)
    assert not short.is_smallest_ or short.tree_.n_leaves == leaves
    assert short.objective_ == pytest.approx(paid(short, X, y, weight, short.ccp_alpha), abs=1e-12)
    assert short.tree_.max_depth <= estimator.max_depth
    ends, level = short.apply(X), short.decision_path(X).toarray().sum(1)  # of a row, with its leaf
    for node in map(int, set(ends)):
        if short.tree_.reason[node] in (COLLAPSED, PRICED):
            rows = frozenset(every.rows & set(np.flatnonzero(ends == node)))
            left = estimator.max_depth + 1 - int(level[min(rows)])
            assert every.best(rows, left)[0] == every.leaf(rows)[0]


@examples(30)
@given(
    small_tasks([4, 8, 20], [1, 2, 3, 4]),
    st.sampled_from([None, "balanced", "one class"]),
    st.sampled_from(criteria_of(CARTClassifier)),
    st.booleans(),
    st.sampled_from([1, 1000, best_tree.SUMS_AT_ONCE]),
)
def test_with_more_time_no_tree_costs_more_and_none_costs_more_than_that_of_cart(
    task, class_weight, criterion, compiled, sums
):
    """CART asks the same questions, and its leaves must weigh as much."""
    X, y, weight, estimator = task
    if class_weight:
        factors = class_weight if class_weight == "balanced" else {y.min(): 3}
        estimator.set_params(class_weight=factors, loss=None)
    looks = [0, 1, 2, 3, 5, 9, 20, 60, 10**8]
    models = [stopped(estimator, X, y, weight, compiled, k, sums) for k in looks]
    costs, best = [model.objective_ for model in models], fitted(clone(estimator), X, y, weight, compiled)
    assert all(later <= sooner + 1e-12 for sooner, later in pairwise(costs)), costs
    same_tree(models[-1].tree_, best.tree_)
    assert (models[-1].is_optimal_, models[-1].is_smallest_) == (best.is_optimal_, best.is_smallest_)
    cart = CARTClassifier(criterion=criterion, nominal=estimator.nominal, max_depth=estimator.max_depth)
    if estimator.loss is None:
        cart.set_params(class_weight=estimator.class_weight, min_samples_leaf=estimator.min_samples_leaf)
    cart.set_params(loss=estimator.loss).fit(X, y, weight)
    if is_rival(cart, best):
        weight = compute_sample_weight(estimator.class_weight, y) * (1 if weight is None else weight)
        assert costs[0] <= paid(cart, X, y, weight, estimator.ccp_alpha) + 1e-12


@pytest.mark.long
@examples(150)
@given(small_tasks([4, 8, 12], [1, 2, 3]), st.integers(0, 2**32), st.sampled_from([3, 9, 18, 150]))
def test_no_certificate_is_false_whatever_the_ratio_of_costs(task, seed, size):
    """Of costs and weights up to 10**size, whole numbers hold some beside each other, and others not."""
    X, y, _, estimator = task
    rng, K = np.random.default_rng(seed), len(np.unique(y))
    loss = 10.0 ** rng.integers(-size, size + 1, (K, K)) * rng.choice([1, 0.3], (K, K))
    np.fill_diagonal(loss, 0)
    weight = 10.0 ** rng.integers(-size, size + 1, len(y)) if seed % 2 else None
    estimator.set_params(loss=loss.tolist() if K > 1 else None, min_samples_leaf=0)
    model, every = fitted(estimator, X, y, weight, False), Exhaustive(estimator, X, y, weight)
    least = every.best(every.rows, estimator.max_depth)[0] / sum(every.w)
    assert model.objective_ == pytest.approx(paid(model, X, y, weight, model.ccp_alpha), rel=1e-12, abs=0)
    assert Fraction(model.lower_bound_) <= least * (1 + Fraction(2, 10**6))
    assert Fraction(model.objective_) >= least * (1 - Fraction(1, 10**12))
    if model.is_optimal_:
        assert Fraction(model.objective_) <= least * (1 + Fraction(2, 10**6))
    assert model.is_optimal_ == (model.gap_ == 0)


@pytest.mark.long
@examples(60)
@given(small_tasks([6, 12, 30], [2]))
def test_what_is_similar_costs_no_less_than_is_said(task):
    X, y, weight, estimator = task
    weight, classes = np.ones(len(y)) if weight is None else weight * 1.0, len(np.unique(y))
    data = read_training(X, class_targets(y, len(y)))
    questions = questions_of(data, weight, 1 - np.eye(classes), SearchSettings(2, estimator.ccp_alpha))
    points = np.arange(len(questions.costs))
    if len(questions.feature):
        cost = two_levels(PairSums(questions, points, questions.channels), np.arange(len(questions.feature)))
        search = best_tree.BestTree(questions)
        similar = best_tree.Similar(search, search.every)
        for q in np.flatnonzero(cost < NO_TREE):
            assert (cost >= cost[q] - similar.moved(q)).all()


def paid(model, X, y, weight, price):
    """Return what a tree costs on its training rows, given the price of a leaf."""
    w = np.ones(len(y)) if weight is None else weight
    _, codes = np.unique(y, return_inverse=True)
    loss = 1 - np.eye(codes.max() + 1) if model.loss is None else np.asarray(model.loss)
    label = np.searchsorted(model.classes_, model.predict(X))
    return np.average(loss[codes, label], weights=w) + price * model.tree_.n_leaves
