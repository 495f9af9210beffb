"""Importances: by hand, at their bounds, and what is refused."""

import io
from dataclasses import replace
from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeRegressor

from dtlib import (
    BySurrogates,
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    ID3Regressor,
    ObliqueTreeClassifier,
    OptimalTreeClassifier,
    Prior,
)
from dtlib.datasets import load_golf, load_loan, load_watermelon
from dtlib.importance import decrease_importances, importance_intervals, surrogate_importances
from dtlib.importance.equal_splits import equal_splits
from dtlib.importance.intervals import Choices, share_bounds

loan, melons = load_loan(), load_watermelon("3.0")
# 14 used cars: vehicles_train.csv of K. Markham's course DAT8 (github.com/justmarkham/DAT8). The course
# states no licence; these are the facts of its table, typed in again; `vtype` is 1 for a truck, as there.
CARS = pd.read_csv(
    io.StringIO("""price year miles doors vtype
22000 2012 13000 2 0
14000 2010 30000 2 0
13000 2010 73500 4 0
9500 2009 78000 4 0
9000 2007 47000 4 0
4000 2006 124000 2 0
3000 2004 177000 4 0
2000 2004 209000 4 1
3000 2003 138000 2 0
1900 2003 160000 4 0
2500 2003 190000 2 1
5000 2001 62000 4 0
1800 1999 163000 2 1
1300 1997 138000 4 0
"""),
    sep=" ",
)


def test_the_loans_by_hand():
    tree = ID3Classifier().fit(loan.X, loan.y).tree_
    root = 15 * (-0.6 * np.log2(0.6) - 0.4 * np.log2(0.4))
    below = 9 * (-1 / 3 * np.log2(1 / 3) - 2 / 3 * np.log2(2 / 3))
    gained = [0, below, root - below, 0]
    assert decrease_importances(tree, normalize=False) == pytest.approx(gained, abs=1e-12)
    assert decrease_importances(tree) == pytest.approx(np.array(gained) / root, abs=1e-12)
    assert tree.importances.tolist() == decrease_importances(tree).tolist()


def test_a_surrogate_has_the_part_that_it_adjusts_for():
    """Of rows 3 to 3, `b` sends five of six alike: by 5/6 - 1/2 of 1/2 more than the larger branch does."""
    X = pd.DataFrame({"a": [0.0, 0, 0, 1, 1, 1], "b": [0.0, 0, 1, 1, 1, 1], "c": [0.0, 1, 0, 1, 0, 1]})
    tree = CARTClassifier(missing="surrogate").fit(X, [0, 0, 0, 1, 1, 1]).tree_
    assert surrogate_importances(tree, normalize=False) == pytest.approx([3, 3 * 2 / 3, 3 * 1 / 3])
    assert surrogate_importances(tree) == pytest.approx([3 / 6, 2 / 6, 1 / 6])
    assert decrease_importances(tree).tolist() == [1, 0, 0]
    alone = CARTClassifier(missing=BySurrogates(max_surrogates=1)).fit(X, [0, 0, 0, 1, 1, 1]).tree_
    assert surrogate_importances(alone, normalize=False) == pytest.approx([3, 2, 0])


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_what_all_features_gain_is_what_the_leaves_do_not_keep(criterion):
    tree = CARTClassifier(criterion=criterion, max_depth=3).fit(melons.X, melons.y).tree_
    kept = sum(node.n * node.impurity for node in tree if node.is_leaf)
    gained = decrease_importances(tree, normalize=False).sum()
    assert gained == pytest.approx(17 * tree.root.impurity - kept, abs=1e-12)


def test_the_mean_over_all_shuffles_is_a_double_sum():
    """Each of five values comes to each of five samples in as many of the 120 orders."""
    table = melons.X[["sugar", "density"]].to_numpy()
    model = CARTClassifier(max_depth=3).fit(table, melons.y)
    X, y = table[::4], melons.y.to_numpy()[::4]
    cost = np.empty((5, 5))
    for j in range(5):
        cost[:, j] = model.predict(np.column_stack([np.full(5, X[j, 0]), X[:, 1]])) != y
    orders = [np.column_stack([X[list(order), 0], X[:, 1]]) for order in permutations(range(5))]
    assert len(orders) == 120
    assert cost.mean() == pytest.approx(np.mean([model.predict(order) != y for order in orders]), abs=1e-12)
    assert 0 < cost.mean() < 1


def test_a_leaf_is_owed_to_no_feature():
    tree = CARTClassifier(max_depth=0, missing="surrogate").fit(loan.X, loan.y).tree_
    for normalize in (True, False):
        for importances in (decrease_importances, surrogate_importances):
            found = importances(tree, normalize)
            assert (found.tolist(), found.dtype) == ([0.0] * 4, float)
        assert not importance_intervals(tree, normalize).to_numpy().any()


# Bounds


def test_one_number_for_the_miles_of_used_cars_hides_another():
    """scikit-learn has 0.017 or 0.201, by its seed; the course prints 0.201256, and 0.798744 for the year."""
    X, y = CARS.drop(columns="price"), CARS["price"]
    found = importance_intervals(CARTRegressor(max_depth=3).fit(X, y).tree_)
    assert found.loc["miles", ["lowest", "highest"]].tolist() == pytest.approx([0.016531, 0.201256], abs=1e-6)
    assert found.loc["year", ["lowest", "highest"]].tolist() == pytest.approx([0.798744, 0.983469], abs=1e-6)
    assert found["importance"].tolist() == pytest.approx([0.983469, 0.016531, 0, 0], abs=1e-6)
    assert found.loc["doors", "highest"] == pytest.approx(0.001017, abs=1e-6)
    assert found.loc["vtype"].tolist() == [0, 0, 0]


def test_without_ties_the_bounds_are_the_importance():
    rng = np.random.default_rng(0)
    X, y = pd.DataFrame(rng.normal(size=(200, 3))), rng.normal(size=200)
    tree = CARTRegressor(max_depth=4, min_samples_leaf=9).fit(X, y).tree_
    found = importance_intervals(tree)
    assert (found["lowest"] == found["importance"]).all()
    assert (found["highest"] == found["importance"]).all()


def test_a_copy_of_a_column_may_have_all_or_nothing_of_what_it_gains():
    X = pd.DataFrame({"a": melons.X["density"], "b": melons.X["density"], "c": melons.X["sugar"]})
    tree = CARTClassifier().fit(X, melons.y).tree_
    alone = CARTClassifier().fit(X[["a", "c"]], melons.y)
    found, of_two = importance_intervals(tree), importance_intervals(alone.tree_)
    assert found["lowest"].tolist() == pytest.approx([0, 0, of_two.loc["c", "lowest"]])
    assert found.loc["a", "highest"] == found.loc["b", "highest"] == of_two.loc["a", "highest"] > 0.1


def test_a_share_may_be_of_another_total():
    """Either question is asked at the root, where it gains 1 of 2 (four rows of which one is in class 1)."""
    X = pd.DataFrame({"a": [0.0, 0, 1, 1, 0, 0, 1, 1], "b": [0.0, 1, 0, 1, 0, 1, 0, 1]})
    y = [0, 0, 0, 1, 0, 0, 0, 1]
    found = importance_intervals(CARTClassifier(max_depth=1).fit(X, y).tree_)
    assert found.loc["a"].tolist() == [1, 0, 1]
    assert found.loc["b"].tolist() == [0, 0, 1]
    sums = importance_intervals(CARTClassifier(max_depth=2).fit(X, y).tree_, normalize=False)
    assert sums.loc["a"].tolist() == pytest.approx([1, 1, 2])
    assert sums.loc["b"].tolist() == pytest.approx([2, 1, 2])


def test_what_lowers_the_standard_deviation_by_hand():
    """Of 1, 2, 5 it is the root of 26/9, and of 1, 2 it is 1/2; `b` says the same as `a`, `c` all."""
    X, whole = pd.DataFrame({"a": ["x", "x", "z"], "b": ["u", "u", "v"]}), 3 * (26 / 9) ** 0.5
    found = importance_intervals(ID3Regressor().fit(X, [1, 2, 5]).tree_, normalize=False)
    assert found.loc["a"].tolist() == pytest.approx([whole - 1, 0, whole - 1])
    assert found.loc["b"].tolist() == pytest.approx([0, 0, whole - 1])
    one = importance_intervals(ID3Regressor().fit(X.assign(c=list("pqr")), [1, 2, 5]).tree_, normalize=False)
    assert one.to_numpy().tolist() == [[0, 0, 0], [0, 0, 0], pytest.approx([whole] * 3)]


def test_a_tree_that_gains_nothing_has_shares_of_nothing():
    """Of exclusive or, the first question gains nothing; if it is `c`, so do the others up to depth 2."""
    X = pd.DataFrame({"a": [0.0, 0, 1, 1] * 2, "b": [0.0, 1, 0, 1] * 2, "c": [0.0] * 4 + [1.0] * 4})
    tree = CARTClassifier.sklearn(max_depth=2).fit(X, [0, 1, 1, 0] * 2).tree_
    found = importance_intervals(tree)
    assert found["lowest"].tolist() == [0, 0, 0]
    assert found["highest"].tolist() == [1, 1, 0]
    assert not importance_intervals(CARTClassifier().fit(X, [0, 1, 1, 0] * 2).tree_).to_numpy().any()


def test_weights_that_altered_priors_make_are_heeded():
    X = pd.DataFrame({"a": [0.0, 0, 1, 1, 1, 0], "b": [1.0, 0, 0, 1, 0, 1], "c": [0.0, 0, 0, 1, 1, 1]})
    y = np.array([0, 0, 1, 1, 1, 0])
    for changed in (
        {"loss": [[0, 3], [1, 0]]},
        {"class_weight": Prior([0.8, 0.2])},
        {"class_weight": {1: 5}},
    ):
        model = CARTClassifier(**changed).fit(X[["c", "b"]], y)
        weight = model.tree_.training.weight
        same = CARTClassifier().fit(X[["c", "b"]], y, weight)
        found, wanted = importance_intervals(model.tree_), importance_intervals(same.tree_)
        np.testing.assert_allclose(found, wanted, atol=1e-12)
        assert (found["highest"] - found["lowest"]).max() > 0.01


def test_rows_that_weigh_nothing_are_in_no_set():
    X, y = CARS.drop(columns="price"), CARS["price"]
    weight = np.arange(14) % 3 * 1.0
    tree = CARTRegressor(max_depth=3).fit(X, y, weight).tree_
    without = CARTRegressor(max_depth=3).fit(X[weight > 0], y[weight > 0], weight[weight > 0]).tree_
    np.testing.assert_allclose(importance_intervals(tree), importance_intervals(without), atol=1e-12)
    sets = next(k for k in range(5, 200) if works(without, k))
    assert works(tree, sets)


@pytest.mark.parametrize(
    "limit",
    [
        {"max_depth": 2},
        {"min_impurity_decrease": 3e4},
        {"min_samples_split": 5},
        {"min_samples_leaf": 2},
        {"min_weight_fraction_leaf": 0.08},
    ],
)
def test_scikit_learn_reaches_the_bounds_by_chance_whatever_the_limits(limit):
    X, y = CARS.drop(columns="price"), CARS["price"]
    found = importance_intervals(CARTRegressor.sklearn(**limit).fit(X, y).tree_)
    seeds = range(60)
    chance = [DecisionTreeRegressor(random_state=i, **limit).fit(X, y).feature_importances_ for i in seeds]
    assert found["lowest"].to_numpy() == pytest.approx(np.min(chance, axis=0), abs=1e-9)
    assert found["highest"].to_numpy() == pytest.approx(np.max(chance, axis=0), abs=1e-9)
    assert (found["highest"] - found["lowest"]).max() > 0.001


def test_a_set_of_rows_at_two_depths_is_a_leaf_at_the_last_one():
    """Two cuts tie at the root. Rows 0 and 1 come to depth 1 by one of them, and to depth 2 by the other."""
    root = np.sqrt(0.75)
    last = (1.5 + root * 5 / 3) / (root - 0.5)  # so that x <= 1.5 and x <= 2.5 gain the same
    X, y = pd.DataFrame({"x": [0.0, 1, 2, 3]}), np.array([0, 1, 4, last])
    found = importance_intervals(CARTRegressor(max_depth=2).fit(X, y).tree_, normalize=False)
    first, of_three = (3 + last) ** 2 / 4, (4 - 0.5) ** 2 * 2 / 3
    sums = first + 0.5 + (last - 4) ** 2 / 2, first + of_three
    assert found.loc["x", ["lowest", "highest"]].tolist() == pytest.approx(sorted(sums), abs=1e-9)
    assert abs(sums[0] - sums[1]) > 0.4


def test_numbers_that_are_too_close_are_not_parted():
    X = pd.DataFrame({"a": [0.1, 0.1, 0.10000001, 0.10000001], "b": [1.0, 2, 3, 4]})
    y = [0, 0, 1, 1]
    close = importance_intervals(CARTClassifier.sklearn().fit(X, y).tree_)
    assert close["highest"].tolist() == [0, 1]
    assert importance_intervals(CARTClassifier().fit(X, y).tree_)["highest"].tolist() == [1, 1]


def test_a_gain_that_is_but_rounding_is_none():
    X = pd.DataFrame({"a": [0.0] * 20 + [1.0] * 20, "b": [0.0, 1] * 20})
    y = ((X["a"] != X["b"]) & (X.index % 20 >= 2)) + 2 * (X.index % 20 < 2)
    tree = CARTClassifier.sklearn(criterion="entropy", max_depth=1).fit(X, y).tree_
    found = list(equal_splits(tree.training, [np.arange(40)], tree.grown_by))
    assert [split.gain for split in found] == [0, 0]
    assert tree.gain[0] != 0


def test_if_a_tree_may_gain_nothing_the_least_share_is_none():
    """One set may ask a feature that gains 2, or one that gains nothing; both lead to leaves."""
    choices = Choices(
        3, np.array([2, 2]), np.array([0, 1]), np.array([2.0, 0.0]), np.array([2, 2]),
        np.array([0, 1, 0, 1]), [(0, 2)],
    )  # fmt: skip
    assert share_bounds(choices, np.array([2.0, 0.0])).tolist() == [[1, 0], [0, 0]]


def test_several_outputs():
    X = pd.DataFrame({"a": [0.0, 0, 1, 1], "b": [1.0, 1, 0, 0], "c": [0.0, 1, 0, 1]})
    tree = CARTClassifier().fit(X, np.array([[0, 0, 1, 1], [0, 1, 0, 1]]).T).tree_
    found = importance_intervals(tree)
    assert found[["lowest", "highest"]].to_numpy().tolist() == [[0, 0.5], [0, 0.5], [0.5, 0.5]]


# What is refused


def test_too_many_sets_of_rows():
    X, y = CARS.drop(columns="price"), CARS["price"]
    tree = CARTRegressor().fit(X, y).tree_
    sets = next(k for k in range(5, 200) if works(tree, k))
    assert sets > tree.node_count
    with pytest.raises(ValueError, match=rf"more than {sets - 1} sets of rows .*wanted at most that many"):
        importance_intervals(tree, max_sets=sets - 1)


def works(tree, most):
    try:
        importance_intervals(tree, max_sets=most)
    except ValueError:
        return False
    return True


HOLES = melons.X.mask(np.random.default_rng(0).random(melons.X.shape) < 0.1)
NUMBERS = melons.X[["density", "sugar"]]


@pytest.mark.parametrize(
    ("fitted", "message"),
    [
        (lambda: C45Classifier().fit(load_golf().X, load_golf().y), "grown by gain ratio"),
        (
            lambda: OptimalTreeClassifier().fit(NUMBERS, melons.y),
            "tree is an optimal one, .* one of ID3",
        ),
        (lambda: ObliqueTreeClassifier(random_state=0).fit(NUMBERS, melons.y), "grown with oblique splits"),
        (lambda: CARTClassifier(ccp_alpha=0.01).fit(NUMBERS, melons.y), "tree was pruned"),
        (lambda: CARTClassifier(max_leaf_nodes=3).fit(NUMBERS, melons.y), "max_leaf_nodes=3"),
        (lambda: CARTClassifier(max_features=1, random_state=0).fit(NUMBERS, melons.y), "max_features=1"),
        (lambda: CARTClassifier(missing="majority").fit(HOLES, melons.y), "missing values"),
        (
            lambda: CARTRegressor(criterion="absolute_error").fit(melons.X, NUMBERS["sugar"]),
            "absolute error from categorical features",
        ),
        (lambda: CARTClassifier(keep_data=False).fit(NUMBERS, melons.y), "no training data"),
    ],
)
def test_ties_that_rows_alone_do_not_tell(fitted, message):
    tree = fitted().tree_
    with pytest.raises(ValueError, match=message):
        importance_intervals(tree)


def test_too_many_groups_of_names():
    X = pd.DataFrame({"name": list("abcdefghijklmnop")}, dtype=object)
    tree = CARTClassifier().fit(X, [0, 1] * 8).tree_
    with pytest.raises(ValueError, match=r"feature 'name' has 16 values at a node; .* up to 14"):
        importance_intervals(tree)
    one = CARTClassifier(nominal="one_vs_rest").fit(X, [0, 1] * 8).tree_
    assert importance_intervals(one).loc["name"].tolist() == [1, 1, 1]
    few = CARTClassifier().fit(X[:14], [0, 1] * 7).tree_
    assert importance_intervals(few).loc["name"].tolist() == [1, 1, 1]


def test_arguments_that_are_none():
    tree = CARTClassifier().fit(loan.X, loan.y).tree_
    for importances in (decrease_importances, surrogate_importances, importance_intervals):
        with pytest.raises(TypeError, match="normalize is 'yes'; wanted True or False"):
            importances(tree, normalize="yes")
    for most in (0, 1.5, True, None):
        with pytest.raises(ValueError, match=f"max_sets is {most}; wanted a whole number of at least 1"):
            importance_intervals(tree, max_sets=most)
    with pytest.raises(ValueError, match="this tree has no surrogates"):
        surrogate_importances(tree)


def test_a_tree_without_its_features_rules_is_refused():
    tree = replace(CARTClassifier().fit(loan.X, loan.y).tree_, grown_by=None)
    with pytest.raises(ValueError, match="or by hand: wanted one of ID3 or CART"):
        importance_intervals(tree)
