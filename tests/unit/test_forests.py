"""Forests: scikit-learn's ensembles around trees of this library (chapter 16)."""

import pickle
from itertools import product

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris, load_wine
from sklearn.ensemble import (
    AdaBoostClassifier,
    AdaBoostRegressor,
    BaggingClassifier,
    BaggingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
    StackingClassifier,
    VotingClassifier,
    VotingRegressor,
)
from sklearn.inspection import permutation_importance
from sklearn.model_selection import GridSearchCV, KFold, StratifiedKFold, cross_val_predict, train_test_split

from dtlib import BySurrogates, C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier
from dtlib.datasets import load_golf, load_loan

SQRT = CARTClassifier(max_features="sqrt", keep_data=False)
IRIS = load_iris(return_X_y=True)


def forest(tree=SQRT, trees=25, seed=0, **parameters):
    kind = BaggingRegressor if isinstance(tree, CARTRegressor) else BaggingClassifier
    return kind(tree, trees, random_state=seed, **parameters)


def trees_of(bag):
    return [tree.tree_ for tree in bag.estimators_]


def standard_score(a, b):
    """Return how many standard errors the mean of a is above that of b, row by row."""
    d = a.astype(float) - b
    return d.mean() / (d.std(ddof=1) / np.sqrt(len(d))) if d.any() else 0.0


# As good as scikit-learn's


@pytest.mark.long
@pytest.mark.parametrize(
    ("load", "rows", "tree_is_worse"),
    [
        (load_iris, 150, False),
        (load_wine, 178, False),
        (load_breast_cancer, 569, True),
        (load_digits, 600, True),
    ],
)
def test_as_many_right_as_a_random_forest(load, rows, tree_is_worse):
    X, y = (x[:rows] for x in load(return_X_y=True))
    cv = StratifiedKFold(5, shuffle=True, random_state=0)
    models = forest(), RandomForestClassifier(25, random_state=0), CARTClassifier()
    ours, theirs, alone = (cross_val_predict(model, X, y, cv=cv) == y for model in models)
    assert abs(standard_score(ours, theirs)) < 3
    assert (standard_score(alone, theirs) < -3) == tree_is_worse  # the criterion can tell


@pytest.mark.long
def test_as_small_errors_as_a_random_forest():
    X, y = load_diabetes(return_X_y=True)
    cv = KFold(5, shuffle=True, random_state=0)
    models = (
        forest(CARTRegressor(max_features=1 / 3, keep_data=False)),
        RandomForestRegressor(25, max_features=1 / 3, random_state=0),
        CARTRegressor(),
    )
    ours, theirs, alone = ((cross_val_predict(model, X, y, cv=cv) - y) ** 2 for model in models)
    assert abs(standard_score(ours, theirs)) < 3
    assert standard_score(alone, theirs) > 3


@pytest.mark.long
def test_rows_out_of_bag_tell_what_rows_held_out_would():
    X, y = load_breast_cancer(return_X_y=True)
    bag = forest(trees=50, oob_score=True).fit(X, y)
    outside = bag.oob_decision_function_.argmax(1) == y
    held_out = cross_val_predict(forest(trees=50), X, y, cv=StratifiedKFold(5, shuffle=True, random_state=0))
    assert bag.oob_score_ == outside.mean()
    assert abs(standard_score(outside, held_out == y)) < 3
    assert standard_score(np.ones(len(y)), outside) > 3  # the training rows would flatter
    assert bag.score(X, y) == 1


# What is drawn


def test_every_tree_and_every_node_draws_anew():
    X, y = np.repeat(np.random.default_rng(0).random((64, 1)), 5, axis=1), np.arange(64) % 2
    bag = forest(CARTClassifier(max_features=1), 100).fit(X, y)
    roots = [tree.feature[0] for tree in trees_of(bag)]
    expected = len(roots) / 5
    chi2 = ((np.bincount(roots, minlength=5) - expected) ** 2 / expected).sum()
    assert chi2 < 18.47  # 0.1 % of all seeds are above, with 4 degrees of freedom
    tree = trees_of(bag)[0]
    asked = tree.feature[tree.feature >= 0]
    assert set(asked) == set(range(5))  # not one draw for the tree
    per_level = [set(tree.feature[a:b][tree.feature[a:b] >= 0]) for a, b in tree._level_bounds]
    assert max(map(len, per_level)) > 1  # nor one for a level


def test_two_of_five_are_drawn_and_the_first_wins_a_tie():
    X, y = np.repeat(np.arange(8.0)[:, None], 5, axis=1), np.arange(8) > 3
    roots = [
        CARTClassifier(max_features=2, max_depth=1, random_state=seed).fit(X, y).tree_.feature[0]
        for seed in range(200)
    ]
    share = np.bincount(roots, minlength=5) / 200
    expected = np.array([4, 3, 2, 1, 0]) / 10  # pairs in which the feature comes first
    assert (abs(share - expected) <= 3 * np.sqrt(expected * (1 - expected) / 200)).all()


def test_the_same_seed_gives_the_same_forest():
    first, again, other = (forest(seed=seed).fit(*IRIS) for seed in (0, 0, 1))
    assert trees_of(first) == trees_of(again)
    assert trees_of(first) != trees_of(other)
    assert trees_of(clone(first).fit(*IRIS)) == trees_of(first)


@pytest.mark.long
@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_two_workers_grow_the_same_forest(backend):
    one = forest().fit(*IRIS)
    with joblib.parallel_backend(backend):
        two = forest(n_jobs=2).fit(*IRIS)
        shares = two.predict_proba(IRIS[0])
    assert trees_of(one) == trees_of(two)
    assert (shares == one.predict_proba(IRIS[0])).all()


def test_threads_may_share_a_fitted_tree():
    X, y = load_breast_cancer(return_X_y=True)
    tree = CARTClassifier(keep_data=False).fit(X, y)
    wanted = clone(tree).fit(X, y).predict_proba(X)
    for _ in range(5):
        fresh = pickle.loads(pickle.dumps(tree))  # nothing computed on demand is there yet
        with joblib.parallel_backend("threading"):
            found = joblib.Parallel(8)(joblib.delayed(fresh.predict_proba)(X) for _ in range(16))
        assert all((shares == wanted).all() for shares in found)


# What the trees are given


@pytest.mark.parametrize("tree", [SQRT, CARTRegressor(max_features=0.5), C45Classifier()])
def test_weights_of_the_draw_are_rows_drawn(tree):
    X, y = IRIS
    bag = forest(tree, 10).fit(X, y)
    for grown, rows in zip(bag.estimators_, bag.estimators_samples_, strict=True):
        alone = clone(grown).fit(X[rows], y[rows])
        assert str(grown.tree_) == str(alone.tree_)
        assert grown.tree_.n.tolist() == alone.tree_.n.tolist()


@pytest.mark.parametrize("tree", [SQRT, CARTRegressor(), C45Classifier(), ID3Classifier()])
def test_predictions_are_means_over_the_trees(tree):
    X, y = IRIS
    X = X.round() if isinstance(tree, ID3Classifier) else X
    bag = forest(tree, 10).fit(X, y)
    if isinstance(tree, CARTRegressor):
        np.testing.assert_allclose(bag.predict(X), np.mean([t.predict(X) for t in bag.estimators_], axis=0))
    else:
        shares = np.mean([t.predict_proba(X) for t in bag.estimators_], axis=0)
        np.testing.assert_allclose(bag.predict_proba(X), shares)
        assert (bag.predict(X) == bag.classes_[bag.predict_proba(X).argmax(1)]).all()
    assert bag.score(X, y) > 0.9


@pytest.mark.long
def test_missing_numbers_pass_through():
    X, y = load_wine(return_X_y=True)
    X = np.where(np.random.default_rng(0).random(X.shape) < 0.1, np.nan, X)
    cv = StratifiedKFold(5, shuffle=True, random_state=0)
    tree = CARTClassifier(max_features="sqrt", missing="majority", keep_data=False)
    models = forest(tree), CARTClassifier(missing="majority")
    many, alone = (cross_val_predict(model, X, y, cv=cv) == y for model in models)
    assert standard_score(many, alone) > 2
    surrogates = forest(CARTClassifier(missing=BySurrogates(max_surrogates=2), keep_data=False), 5).fit(X, y)
    assert (surrogates.predict(X) == y).mean() > 0.9


def test_several_outputs():
    X, y = IRIS
    Y = np.column_stack([X[:, 3], y])
    bag = forest(CARTRegressor(max_features=2, random_state=0), 10).fit(X[:, :3], Y)
    mean = np.mean([tree.predict(X[:, :3]) for tree in bag.estimators_], axis=0)
    np.testing.assert_allclose(bag.predict(X[:, :3]), mean)
    assert bag.predict(X[:, :3]).shape == (150, 2)
    assert bag.score(X[:, :3], Y) > 0.9


# A forest is small


def test_a_pickled_forest_holds_neither_data_nor_what_was_computed():
    X, y = load_breast_cancer(return_X_y=True)
    bag, theirs = forest().fit(X, y), RandomForestClassifier(25, random_state=0).fit(X, y)
    size = len(pickle.dumps(bag))
    bag.predict_proba(X)
    [tree.feature_importances_ for tree in bag.estimators_]
    assert len(pickle.dumps(bag)) == size < 2.5 * len(pickle.dumps(theirs))
    assert len(pickle.dumps(forest(SQRT.set_params(keep_data=True)).fit(X, y))) == size
    again = pickle.loads(pickle.dumps(bag))
    assert trees_of(again) == trees_of(bag)
    assert (again.predict(X) == bag.predict(X)).all()


def test_data_are_kept_unless_told_otherwise():
    kept, not_kept = (CARTClassifier(keep_data=keep) for keep in (None, False))
    assert all(tree.training is not None for tree in trees_of(forest(kept, 2).fit(*IRIS)))
    assert all(tree.training is None for tree in trees_of(forest(not_kept, 2).fit(*IRIS)))


# The other ensembles, and what is done with them


def test_other_ensembles():
    X, y = IRIS
    stump = CARTClassifier(max_depth=1)
    boosted = AdaBoostClassifier(stump, n_estimators=30, random_state=0).fit(X, y)
    assert boosted.score(X, y) > stump.fit(X, y).score(X, y) + 0.2
    numbers = AdaBoostRegressor(CARTRegressor(max_depth=2), n_estimators=20, random_state=0).fit(
        X[:, :3], X[:, 3]
    )
    assert numbers.score(X[:, :3], X[:, 3]) > 0.9
    votes = VotingRegressor([("a", CARTRegressor(max_depth=2)), ("b", CARTRegressor(max_depth=3))])
    assert votes.fit(X[:, :3], X[:, 3]).score(X[:, :3], X[:, 3]) > 0.9


@pytest.mark.parametrize("data", [load_golf(), load_loan()], ids=["golf", "loan"])
def test_votes_and_stacks_take_frames(data):
    trees = [("c45", C45Classifier()), ("cart", CARTClassifier())]
    for ensemble in (VotingClassifier(trees, voting="soft"), StackingClassifier(trees, cv=3)):
        ensemble.fit(data.X, data.y)
        assert ensemble.named_estimators_["c45"].feature_names_in_.tolist() == data.X.columns.tolist()
        assert ensemble.score(data.X, data.y) > 0.6


@pytest.mark.long
def test_forests_are_searched_calibrated_and_inspected():
    X, y = load_wine(return_X_y=True, as_frame=True)
    search = GridSearchCV(forest(trees=10), {"estimator__max_features": [1, None]}, cv=3)
    assert search.fit(X, y).best_score_ > 0.9
    A, B, a, b = train_test_split(X, y, random_state=0, stratify=y)
    calibrated = CalibratedClassifierCV(forest(trees=10), cv=3).fit(A, a)
    assert calibrated.score(B, b) > 0.9
    A, B = (X.assign(noise=np.random.default_rng(0).random(len(X))) for X in (A, B))
    found = permutation_importance(forest().fit(A, a), B, b, n_repeats=5, random_state=0).importances_mean
    assert max(found) > 0.05
    assert abs(found[-1]) < 0.02


# One changed row


def every(X):
    """List all combinations of the values of a frame's columns."""
    return pd.DataFrame(product(*(X[name].unique() for name in X)), columns=X.columns)


def test_one_applicant_less_and_another_tree():
    X, y = load_loan().X, np.asarray(load_loan().y)
    fewer = np.arange(len(X)) != 3
    full, less = ID3Classifier().fit(X, y), ID3Classifier().fit(X[fewer], y[fewer])
    assert (full.tree_.root.feature, less.tree_.root.feature) == ("owns_house", "credit")
    assert (full.tree_.node_count, less.tree_.node_count) == (5, 9)
    assert (full.predict(X) == less.predict(X))[fewer].all()
    assert (len(every(X)), (full.predict(every(X)) != less.predict(every(X))).sum()) == (36, 15)


@pytest.mark.long
def test_one_wrong_class_changes_a_forest_less_than_a_tree():
    X, y = load_wine(return_X_y=True)
    A, B, a, b = train_test_split(X, y, test_size=0.5, random_state=0, stratify=y)
    single, many = CARTClassifier().fit(A, a), forest().fit(A, a)
    changed, roots = [], 0
    for row in np.random.default_rng(0).choice(len(A), 20, replace=False):
        other = np.where(np.arange(len(a)) == row, (a + 1) % 3, a)
        tree, bag = CARTClassifier().fit(A, other), forest().fit(A, other)
        roots += str(tree.tree_.root.split) != str(single.tree_.root.split)
        changed.append([(m.predict(B) != n.predict(B)).mean() for m, n in ((tree, single), (bag, many))])
    of_tree, of_forest = np.transpose(changed)
    assert roots >= 5
    assert standard_score(of_tree, of_forest) > 3
    assert of_tree.mean() > 2 * of_forest.mean()
    assert many.score(B, b) > single.score(B, b) + 0.05
