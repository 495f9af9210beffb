"""What scikit-learn does at the edges, asked of the installed one, and that `.sklearn()` follows."""

from itertools import product

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from dtlib import CARTClassifier, CARTRegressor
from dtlib.dialects import CARTDialect

EPS = float(np.finfo(float).eps)


def both(X, y, weight=None, **parameters):
    """Return both classification trees."""
    ours = CARTClassifier.sklearn(**parameters).fit(X, y, weight)
    return ours.tree_, DecisionTreeClassifier(random_state=0, **parameters).fit(X, y, weight).tree_


def both_of_numbers(X, y, weight=None, **parameters):
    """Return both regression trees."""
    ours = CARTRegressor.sklearn(**parameters).fit(X, y, weight)
    return ours.tree_, DecisionTreeRegressor(random_state=0, **parameters).fit(X, y, weight).tree_


def same_column_tree(ours, theirs):
    """Require equal trees of one column: its thresholds tell the whole tree."""
    assert ours.node_count == theirs.node_count
    cuts = np.sort(ours.threshold[ours.feature >= 0]), np.sort(theirs.threshold[theirs.children_left >= 0])
    np.testing.assert_allclose(*cuts, rtol=1e-12, atol=1e-300)


def line(n):
    return np.arange(float(n))[:, None]


@pytest.mark.parametrize(
    ("leaf", "split"),
    list(product((1, 2, 3, 4, 5, 0.1, 0.2, 0.3, 0.5), (2, 3, 4, 6, 8, 9, 11, 17, 0.1, 0.3, 0.9))),
)
def test_least_samples_as_rows_or_shares(leaf, split):
    same_column_tree(*both(line(17), [0, 1, 1, 0] * 4 + [1], min_samples_leaf=leaf, min_samples_split=split))


@pytest.mark.parametrize("leaf", [0.1, 0.2, 0.3, 2, 3])
def test_rows_without_weight_are_no_samples_but_count_for_shares(leaf):
    weight = np.array([0, 0, 0, 0, 1, 1, 1, 1])
    same_column_tree(*both(line(8), [0, 1] * 4, weight, min_samples_leaf=leaf))


@pytest.mark.parametrize("share", [0.01, 0.1, 0.2, 0.35, 0.5])
def test_least_weight_of_a_leaf(share):
    rng = np.random.default_rng(7)
    X, y, weight = rng.normal(size=(60, 1)), rng.integers(0, 2, 60), rng.random(60)
    dialect = CARTDialect(zero_gain=True, precision="single", min_impurity=EPS)
    ours = CARTClassifier(min_samples_leaf=share, dialect=dialect).fit(X, y, weight).tree_
    theirs = DecisionTreeClassifier(min_weight_fraction_leaf=share).fit(X, y, weight).tree_
    same_column_tree(ours, theirs)


@pytest.mark.parametrize("beyond", [-1e-9, 0.0, 1e-9])
@pytest.mark.parametrize("times", [1.0, 3.0, 0.1])
def test_least_decrease_is_a_share_of_all_weight(beyond, times):
    X, y, weight = line(8), [0, 0, 1, 1, 0, 0, 1, 1], np.arange(1, 9) * times
    full = CARTClassifier.sklearn().fit(X, y, weight).tree_
    inner = full.feature >= 0
    decrease = np.sort((full.gain * full.n)[inner] / full.n[0])
    ours, theirs = both(X, y, weight, min_impurity_decrease=decrease[0] + beyond)
    same_column_tree(ours, theirs)
    assert (ours.node_count == full.node_count) == (beyond <= 0)


def test_a_split_without_gain_is_a_split():
    X, y = np.array([[0.0], [0.0], [1.0], [1.0]]), [0, 1, 0, 1]
    ours, theirs = both(X, y)
    same_column_tree(ours, theirs)
    assert ours.node_count == 3
    assert CARTClassifier().fit(X, y).tree_.node_count == 1


@pytest.mark.parametrize("scale", [1e-9, 1e-8, 1.4e-8, 2e-8, 1e-7])
def test_an_impurity_of_epsilon_is_pure(scale):
    same_column_tree(*both_of_numbers(line(4), np.arange(4) * scale))


@pytest.mark.parametrize(
    ("low", "high"),
    [
        (0.0, 0.9e-7),
        (0.0, 1.1e-7),
        (0.5, 0.5 + 6e-8),
        (0.5, 0.5 + 1.8e-7),
        (1.0, 1.0 + 1.2e-7),
        (1.0, 1.0 + 2.4e-7),
        (-1.5, -1.5 + 1.2e-7),
        (2.0, 2.0 + 2.4e-7),
        (-3.0, -3.0 + 2.4e-7),
        (1.0, 1.0 + 1e-9),
        (16777216.0, 16777217.0),
        (0.0, 1e-45),
        (-1e38, 1e38),
    ],
)
def test_numbers_that_are_too_near_are_not_parted(low, high):
    same_column_tree(*both(np.array([[low], [high]]), [0, 1]))


def test_near_numbers_in_a_chain_are_not_parted():
    chain = np.array([[0.0], [0.7e-7], [1.4e-7], [2.1e-7], [1.0]])
    ours, theirs = both(chain, [0, 1, 0, 1, 0])
    same_column_tree(ours, theirs)
    assert ours.n_leaves == 2


@pytest.mark.parametrize("n", [2, 3, 7, 30])
def test_thresholds_and_routes_are_those_of_float32(n):
    rng = np.random.default_rng(n)
    X, y = 2 + rng.random((n, 1)) * 1e-5, rng.normal(size=n)
    same_column_tree(*both_of_numbers(X, y))
    between = np.linspace(X.min(), X.max(), 999)[:, None]
    ours, theirs = CARTRegressor.sklearn(), DecisionTreeRegressor(random_state=0)
    np.testing.assert_allclose(*(tree.fit(X, y).predict(between) for tree in (ours, theirs)), rtol=1e-12)


@pytest.mark.parametrize(
    ("weight", "exact"),
    [
        (None, True),
        ([1, 1, 2, 0], True),
        ([2, 1, 1, 4], True),
        ([0.5, 0.25, 0.25, 1.0], True),
        ([0.3, 0.3, 0.1, 0.1], True),
        ([0.1, 0.2, 0.3, 0.0], False),  # half of the weight is 0.3, and 0.1 + 0.2 is a little more
    ],
)
def test_the_median_is_between_the_numbers_that_halve_the_weight(weight, exact):
    y = np.array([1.0, 2.0, 4.0, 8.0])
    ours, theirs = both_of_numbers(np.zeros((4, 1)), y, None if weight is None else np.array(weight),
                                   criterion="absolute_error")  # fmt: skip
    assert ours.impurity[0] == pytest.approx(theirs.impurity[0], rel=1e-12)
    assert (ours.summary[0, 0] == pytest.approx(theirs.value[0, 0, 0])) == exact
    if not exact:
        assert ours.summary[0, 0] == 3.0  # scikit-learn: 2


def test_ours_stops_at_equal_numbers_where_rounding_leads_scikit_learn_on():
    y = np.append(np.full(7, 1e3 + 0.1), 2e3)
    ours, theirs = both_of_numbers(line(8), y)
    assert (ours.node_count, ours.impurity[ours.feature < 0].tolist()) == (3, [0.0, 0.0])
    assert (theirs.impurity[theirs.children_left < 0] != 0).any()


def test_ours_finds_small_differences_of_large_numbers():
    y = np.arange(4) * 1e-3 + 1e6
    ours, theirs = both_of_numbers(line(4), y)
    assert (ours.node_count, theirs.node_count) == (7, 1)  # scikit-learn subtracts squares
