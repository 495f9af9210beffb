"""Forests of this library: one table for all trees (chapter 16)."""

import pickle
from dataclasses import fields

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_iris, load_wine
from sklearn.ensemble import (
    BaggingClassifier,
    ExtraTreesClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.exceptions import NotFittedError
from sklearn.metrics import r2_score
from sklearn.model_selection import GridSearchCV
from sklearn.utils import check_random_state
from sklearn.utils.estimator_checks import parametrize_with_checks

from dtlib import CARTClassifier, CARTRegressor, ForestClassifier, ForestRegressor, ID3Classifier, draw
from dtlib.datasets import load_golf, load_watermelon
from dtlib.prune import CrossValidated

IRIS, WINE = load_iris(return_X_y=True), load_wine(return_X_y=True)
MELONS = load_watermelon("3.0")
ARRAYS = ("feature", "threshold", "n_values", "code", "branch", "summary", "n", "impurity", "gain", "stop")
BOTH = pytest.mark.parametrize("kind", [ForestClassifier, ForestRegressor])


def trees_of(forest):
    return [tree.tree_ for tree in forest.estimators_]


def table(seed, n=300, d=6):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)).astype(np.float32)
    return X, X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=n)


def drawn_by_hand(tree, n):
    return np.bincount(check_random_state(tree.random_state).randint(0, n, n), minlength=n)


BY_CHANCE = {
    "check_sample_weight_equivalence_on_dense_data": "a row that is repeated is drawn anew each time"
}


@parametrize_with_checks(
    [ForestClassifier(n_estimators=5, random_state=0), ForestRegressor(n_estimators=5, random_state=0)],
    expected_failed_checks=lambda _: BY_CHANCE,
)
def test_scikit_learns_checks(estimator, check):
    check(estimator)


@parametrize_with_checks([
    kind(n_estimators=3, bootstrap=False, random_state=0) for kind in (ForestClassifier, ForestRegressor)
])  # fmt: skip
def test_scikit_learns_checks_without_draws(estimator, check):
    check(estimator)


# Each tree is the tree that would be grown alone


@pytest.mark.parametrize("tree", [
    CARTClassifier(max_features="sqrt"), CARTClassifier(criterion="entropy", class_weight="balanced"),
    CARTClassifier.sklearn(max_features=2), CARTClassifier(prune="cv", max_depth=3),
    CARTClassifier(ccp_alpha=0.02), CARTClassifier(splitter="random"),
    CARTRegressor(), CARTRegressor(max_features=0.5, max_leaf_nodes=9),
    CARTRegressor(criterion="absolute_error"),
], ids=str)  # fmt: skip
@pytest.mark.parametrize("weighs", [False, True])
def test_each_tree_is_that_of_its_rows_alone(tree, weighs):
    X, y = table(0, 120)
    weight = np.random.default_rng(1).integers(1, 4, len(X)).astype(float) if weighs else None
    kind = ForestRegressor if isinstance(tree, CARTRegressor) else ForestClassifier
    y = y if kind is ForestRegressor else (y > 0).astype(int) + (y > 1)
    forest = kind(tree, 4, random_state=5).fit(X, y, weight)
    for grown in forest.estimators_:
        times = drawn_by_hand(grown, len(X)) * (1 if weight is None else weight)
        if tree.get_params().get("class_weight"):
            share = np.bincount(y)
            alone = clone(grown).set_params(class_weight=dict(enumerate(share.sum() / 3 / share)))
        else:
            alone = clone(grown)
        alone.fit(X, y, times)
        for name in ARRAYS:
            np.testing.assert_array_equal(getattr(grown.tree_, name), getattr(alone.tree_, name), name)
        np.testing.assert_array_equal(grown.predict(X), alone.predict(X))


def test_without_draws_of_rows_each_tree_is_that_of_the_table():
    tree = CARTClassifier(random_state=0)
    forest = ForestClassifier(tree, 3, bootstrap=False, random_state=0).fit(*IRIS)
    assert trees_of(forest) == [tree.fit(*IRIS).tree_] * 3
    assert forest.estimators_[0].tree_.training.weight is None


# Beside scikit-learn's


def by_their_draws(forest, n):
    """Tell whether this version of scikit-learn draws rows as later ones do."""
    rows = np.bincount(forest.estimators_samples_[0], minlength=n)
    return (rows == drawn_by_hand(forest.estimators_[0], n)).all()


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("bootstrap", [True, False])
def test_trees_are_those_of_a_random_forest(seed, bootstrap):
    """Leaves are so large that no two splits are equal; all features are considered."""
    X, y = table(seed, 2000)
    rows = {"bootstrap": bootstrap, "random_state": seed}
    by_class, by_number = CARTClassifier.sklearn(max_depth=2), CARTRegressor.sklearn(min_samples_leaf=40)
    pairs = [
        (ForestClassifier(by_class, 5, **rows),
         RandomForestClassifier(5, max_depth=2, max_features=None, **rows), (y > 0).astype(int)),
        (ForestRegressor(by_number, 5, **rows), RandomForestRegressor(5, min_samples_leaf=40, **rows), y),
    ]  # fmt: skip
    for ours, theirs, goal in pairs:
        ours.fit(X, goal), theirs.fit(X, goal)
        if bootstrap and not by_their_draws(theirs, len(X)):
            pytest.skip("this scikit-learn draws rows by other random numbers")
        assert [t.random_state for t in ours.estimators_] == [t.random_state for t in theirs.estimators_]
        for mine, other in zip(ours.estimators_, theirs.estimators_, strict=True):
            assert mine.tree_.node_count == other.tree_.node_count
            np.testing.assert_allclose(mine.predict(X), other.predict(X), rtol=1e-9)
        np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_, rtol=1e-9)


def test_out_of_bag_as_a_random_forest_says():
    X, y = table(7, 2000)
    settings = {"random_state": 3, "oob_score": True}
    ours = ForestRegressor(CARTRegressor.sklearn(max_depth=3), 30, **settings).fit(X, y)
    theirs = RandomForestRegressor(30, max_depth=3, **settings).fit(X, y)
    if not by_their_draws(theirs, len(X)):
        pytest.skip("this scikit-learn draws rows by other random numbers")
    np.testing.assert_allclose(ours.oob_prediction_, theirs.oob_prediction_)
    assert ours.oob_score_ == pytest.approx(theirs.oob_score_)


@pytest.mark.long
def test_as_good_as_scikit_learns_forests():
    X, y = WINE
    theirs = RandomForestClassifier(200, oob_score=True, random_state=0).fit(X, y).oob_score_
    ours = ForestClassifier(n_estimators=200, oob_score=True, random_state=0).fit(X, y).oob_score_
    assert abs(ours - theirs) < 3 * np.sqrt(2 * theirs * (1 - theirs) / len(y))
    drawn = CARTClassifier(splitter="random", max_features="sqrt")
    A, a, B, b = X[::2], y[::2], X[1::2], y[1::2]
    ours = ForestClassifier(drawn, 200, bootstrap=False, random_state=0).fit(A, a).score(B, b)
    assert abs(ours - ExtraTreesClassifier(200, random_state=0).fit(A, a).score(B, b)) < 0.07


# Out of bag


def test_rows_out_of_bag_by_hand():
    X, y = WINE
    forest = ForestClassifier(n_estimators=40, oob_score=True, random_state=0).fit(X, y)
    sums, trees = np.zeros((len(y), 3)), np.zeros(len(y))
    for tree in forest.estimators_:
        for row in np.flatnonzero(drawn_by_hand(tree, len(y)) == 0):
            sums[row] += tree.predict_proba(X[row : row + 1])[0]
            trees[row] += 1
    np.testing.assert_allclose(forest.oob_decision_function_, sums / trees[:, None])
    assert forest.oob_score_ == (sums.argmax(1) == y).mean()


def test_rows_that_no_tree_has_left_out_are_said_and_not_counted():
    X, y = table(0, 50)
    with pytest.warns(UserWarning, match="rows of 50 came into every tree, so that no tree tells"):
        forest = ForestRegressor(n_estimators=1, oob_score=True, random_state=0).fit(X, y)
    unknown = drawn_by_hand(forest.estimators_[0], 50) > 0
    assert (np.isnan(forest.oob_prediction_) == unknown).all()
    assert forest.oob_score_ == r2_score(y[~unknown], forest.oob_prediction_[~unknown])


def test_rows_of_weight_0_are_not_drawn():
    X, y = table(0, 60)
    weight = np.repeat([1.0, 0.0], 30)
    some = ForestRegressor(n_estimators=3, random_state=0).fit(X, y, weight)
    alone = ForestRegressor(n_estimators=3, random_state=0).fit(X[:30], y[:30])
    assert (some.predict(X) == alone.predict(X)).all()


# Means of the trees


def test_predictions_are_means_over_the_trees():
    X, y = IRIS
    forest = ForestClassifier(n_estimators=7, random_state=0).fit(X, y)
    shares = np.mean([tree.predict_proba(X) for tree in forest.estimators_], axis=0)
    np.testing.assert_allclose(forest.predict_proba(X), shares, rtol=1e-12)
    assert (forest.predict(X) == forest.classes_[forest.predict_proba(X).argmax(1)]).all()
    with np.errstate(divide="ignore"):
        assert (forest.predict_log_proba(X) == np.log(forest.predict_proba(X))).all()
    importances = np.mean([tree.feature_importances_ for tree in forest.estimators_], axis=0)
    np.testing.assert_allclose(forest.feature_importances_, importances)


def test_several_outputs():
    X, y = load_diabetes(return_X_y=True)
    Y = np.column_stack([y, X[:, 0]])
    forest = ForestRegressor(CARTRegressor(max_depth=3), 5, oob_score=True, random_state=0)
    with pytest.warns(UserWarning, match="came into every tree"):
        forest.fit(X, Y)
    means = np.mean([tree.predict(X) for tree in forest.estimators_], axis=0)
    np.testing.assert_allclose(forest.predict(X), means)
    assert forest.oob_prediction_.shape == Y.shape == (len(X), forest.n_outputs_)


def test_trees_that_do_not_split_have_no_part_in_importances():
    forest = ForestRegressor(CARTRegressor(max_depth=0), 2, random_state=0).fit(*table(0))
    assert forest.feature_importances_.tolist() == [0] * 6


# What is set and kept


def test_threads_do_not_matter():
    X, y = table(0, 200)
    settings = {"oob_score": True, "random_state": 0}
    one, two, every = (ForestRegressor(n_estimators=30, n_jobs=n, **settings).fit(X, y) for n in (1, 2, -1))
    with joblib.parallel_config(n_jobs=2):
        set_outside = clone(one).set_params(n_jobs=None).fit(X, y)
    for other in (two, every, set_outside):
        assert trees_of(other) == trees_of(one)
        assert (other.predict(X) == one.predict(X)).all()
        assert other.oob_score_ == one.oob_score_
    assert two.predict(X[:1]).shape == (1,)


def test_a_warm_start_ends_where_a_fresh_one_does():
    fresh = ForestClassifier(n_estimators=8, random_state=4, oob_score=True)
    with pytest.warns(UserWarning, match="came into every tree"):
        fresh.fit(*WINE)
    warm = clone(fresh).set_params(n_estimators=3, warm_start=True, oob_score=False).fit(*WINE)
    first = warm.estimators_[0]
    with pytest.warns(UserWarning, match="came into every tree"):
        warm.set_params(n_estimators=8, oob_score=True).fit(*WINE)
    assert warm.estimators_[0] is first
    assert trees_of(warm) == trees_of(fresh)
    assert warm.oob_score_ == fresh.oob_score_
    with pytest.raises(ValueError, match="n_estimators is 5, and with warm_start there are 8 trees"):
        warm.set_params(n_estimators=5).fit(*WINE)
    with pytest.raises(ValueError, match="with warm_start, X or y has other columns"):
        warm.set_params(n_estimators=9).fit(WINE[0][:, :4], WINE[1])
    with pytest.raises(ValueError, match="with warm_start, X or y has other columns"):
        warm.fit(WINE[0], WINE[1] + 1)


def test_the_same_seed_gives_the_same_forest():
    a, b, other = (ForestClassifier(n_estimators=5, random_state=seed).fit(*WINE) for seed in (0, 0, 1))
    assert trees_of(a) == trees_of(b) != trees_of(other)
    generator = np.random.RandomState(0)
    assert trees_of(clone(a).set_params(random_state=generator).fit(*WINE)) == trees_of(a)


def test_a_forest_is_copied_and_pickled():
    tree = CARTClassifier(max_depth=2)
    forest = ForestClassifier(tree, 4, random_state=0).fit(*IRIS)
    assert forest.get_params()["estimator"] is tree
    assert not hasattr(tree, "tree_")
    assert clone(forest).set_params(estimator__max_depth=1).estimator.max_depth == 1
    again = pickle.loads(pickle.dumps(forest))
    assert trees_of(again) == trees_of(forest)
    assert (again.predict_proba(IRIS[0]) == forest.predict_proba(IRIS[0])).all()


def test_trees_share_the_codes_of_the_table():
    forest = ForestClassifier(n_estimators=3, random_state=0).fit(*WINE)
    codes = [tree.training.codes for tree in trees_of(forest)]
    assert codes[0] is codes[1] is codes[2]
    assert len(forest.estimators_[0].explain(WINE[0][:1])) > 1
    bare = ForestClassifier(CARTClassifier(keep_data=False), 3, random_state=0).fit(*WINE)
    assert [tree.training for tree in trees_of(bare)] == [None] * 3


# Frames


def test_frames_with_categories_and_names():
    X, y = MELONS.X, MELONS.y
    forest = ForestClassifier(n_estimators=20, random_state=0).fit(X, y)
    assert forest.feature_names_in_.tolist() == X.columns.tolist()
    assert {feature.kind for feature in trees_of(forest)[0].features} == {"nominal", "numeric"}
    assert forest.score(X, y) > 0.9
    bag = BaggingClassifier(CARTClassifier(max_features="sqrt"), 20, random_state=0).fit(X, y)
    assert forest.predict_proba(X).shape == bag.predict_proba(X).shape
    with pytest.warns(
        UserWarning, match="X does not have valid feature names, but ForestClassifier was fitted"
    ):
        forest.predict(X.to_numpy())
    with pytest.raises(ValueError, match="feature names"):
        forest.predict(X.rename(columns={"texture": "feel"}))


@pytest.mark.parametrize("missing", ["learned", "majority", "surrogate"])
def test_missing_values_go_as_the_tree_says(missing):
    X, y = WINE
    X = np.where(np.random.default_rng(0).random(X.shape) < 0.1, np.nan, X)
    tree = CARTClassifier(missing=missing, max_features=None if missing == "surrogate" else "sqrt")
    assert ForestClassifier(tree, 5, random_state=0).fit(X, y).score(X, y) > 0.9
    with pytest.raises(ValueError, match="X is missing"):
        ForestClassifier(CARTClassifier(), 2).fit(X, y)
    with pytest.raises(ValueError, match="X is missing"):
        ForestClassifier(CARTClassifier(), 2).fit(*WINE).predict(X)


@BOTH
def test_a_forest_takes_missing_values_as_that_of_scikit_learn_does(kind):
    X, y = WINE
    X = np.where(np.random.default_rng(0).random(X.shape) < 0.1, np.nan, X)
    theirs = {ForestClassifier: RandomForestClassifier, ForestRegressor: RandomForestRegressor}[kind]
    fit, other = (make(n_estimators=30, oob_score=True, random_state=0).fit(X, y) for make in (kind, theirs))
    assert abs(fit.oob_score_ - other.oob_score_) < 0.1
    assert np.isfinite(fit.predict(X)).all()
    assert np.isfinite(kind(n_estimators=5).fit(*WINE).predict(X)).all()


# What is refused


@BOTH
@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        ({"n_estimators": 0}, ValueError, "n_estimators is 0; wanted a whole number of at least 1"),
        ({"n_estimators": 2.5}, ValueError, "n_estimators is 2.5"),
        ({"bootstrap": "yes"}, ValueError, "bootstrap is 'yes'; wanted one of True, False"),
        ({"oob_score": 1}, ValueError, "oob_score is 1"),
        ({"warm_start": None}, ValueError, "warm_start is None"),
        ({"n_jobs": 0}, ValueError, "n_jobs is 0; wanted None, or a whole number but 0"),
        ({"n_jobs": True}, ValueError, "n_jobs is True"),
        ({"n_jobs": "two"}, ValueError, "n_jobs is 'two'"),
        ({"random_state": "a"}, ValueError, "random_state is 'a'"),
        ({"bootstrap": False, "oob_score": True}, ValueError, "oob_score is True and bootstrap is False"),
        ({"estimator": ID3Classifier()}, TypeError, "estimator is ID3Classifier.*wanted a CART"),
        ({"estimator": "tree"}, TypeError, "estimator is 'tree'"),
    ],
)
def test_parameters_that_cannot_be_used(kind, given, error, said):
    forest = kind(n_estimators=2).fit(*IRIS)
    with pytest.raises(error, match=said):
        forest.set_params(**given).fit(*IRIS)


def test_parameters_of_a_tree_are_set_where_there_is_one():
    given = ForestClassifier(CARTClassifier(max_features="sqrt"), 3, random_state=0)
    search = GridSearchCV(given, {"estimator__max_depth": [1, 3]}, cv=3).fit(*WINE)
    assert search.best_params_ == {"estimator__max_depth": 3}
    said = (
        r"estimator is None, so there is no estimator__max_depth to set; wanted a tree, as in Forest\w+\(CART"
    )
    for kind in (ForestClassifier, ForestRegressor):
        with pytest.raises(ValueError, match=said):
            kind(n_estimators=3).set_params(estimator__max_depth=3)
        assert kind().set_params(n_estimators=3).n_estimators == 3


def test_leaves_are_those_of_each_tree():
    X, y = WINE
    forest = ForestClassifier(n_estimators=3, random_state=0).fit(X, y)
    leaves = forest.apply(X)
    assert leaves.shape == (len(X), 3)
    assert (leaves == np.stack([tree.apply(X) for tree in forest.estimators_], axis=1)).all()
    with pytest.raises(
        TypeError, match=r"tree is a ForestClassifier; wanted a Tree or a .*, as one of its est"
    ):
        draw.tree(forest)


def test_targets_and_trees_that_cannot_be_used():
    X, y = IRIS
    with pytest.raises(ValueError, match="y has 2 outputs; a forest predicts one"):
        ForestClassifier(n_estimators=2).fit(X, np.column_stack([y, y]))
    loss = 1 - np.eye(3)
    with pytest.raises(ValueError, match=r"estimator has a loss.*wanted class_weight"):
        ForestClassifier(CARTClassifier(loss=loss), 2).fit(X, y)
    with pytest.raises(ValueError, match="max_depth is -1"):
        ForestClassifier(CARTClassifier(max_depth=-1), 2).fit(X, y)
    with pytest.raises(TypeError, match="wanted a CARTRegressor"):
        ForestRegressor(CARTClassifier(), 2).fit(X, y)


@BOTH
@pytest.mark.parametrize(
    "use", [lambda forest: forest.predict(IRIS[0]), lambda forest: forest.feature_importances_]
)
def test_nothing_works_before_fit(kind, use):
    with pytest.raises(NotFittedError):
        use(kind())


def test_an_order_of_categories_is_kept():
    golf = load_golf()
    X = golf.X.assign(size=pd.Categorical(["S", "L"] * 7, ["S", "L"], ordered=True))
    forest = ForestClassifier(n_estimators=2, random_state=0).fit(X, golf.y)
    assert trees_of(forest)[0].features[-1].kind == "ordered"


def test_a_pruning_method_that_holds_rows_out_reads_them_anew():
    forest = ForestClassifier(CARTClassifier(prune=CrossValidated(folds=3)), 2, random_state=0).fit(*IRIS)
    assert all(hasattr(tree, "alpha_") for tree in forest.estimators_)
    assert {field.name for field in fields(trees_of(forest)[0])} >= {"steps", "pruned_from"}
