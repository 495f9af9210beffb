"""Splits that are drawn: extremely randomized trees (Geurts, Ernst and Wehenkel, 2006)."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chisquare, ks_2samp
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.ensemble import BaggingClassifier, ExtraTreesClassifier
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.tree import DecisionTreeClassifier

from dtlib import CARTClassifier, CARTRegressor, Tree
from dtlib.dialects import CARTDialect
from dtlib.growing import depth_first
from dtlib.importance import importance_intervals
from dtlib.out_of_core import Batches, grow_from
from tests.unit.test_forests import standard_score

RANDOM = CARTClassifier(splitter="random", max_features="sqrt", keep_data=False)
LEVEL = 0.001  # the size of the tests of distributions: how often a right one would fail, if seeds were drawn


def mixed(n=200, seed=0):
    """Return a frame of all kinds of columns, and two classes."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "color": rng.choice(list("abcde"), n),
            "size": pd.Categorical(rng.choice(["S", "M", "L"], n), ["S", "M", "L"], ordered=True),
            "x": rng.normal(size=n),
        }
    )
    return frame, (frame["color"].isin(["a", "c"]) ^ (frame["x"] > 0)).astype(int)


# What is drawn


def test_thresholds_are_distributed_as_scikit_learns():
    """Of unevenly spaced values, so that a draw among the cuts, or of their midpoints, is found out."""
    X, y = np.array([[0.0], [1], [2], [3], [10]]), [0, 0, 1, 1, 1]
    ours, theirs = (
        [
            kind(splitter="random", max_depth=1, random_state=k).fit(X, y).tree_.threshold[0]
            for k in range(500)
        ]
        for kind in (CARTClassifier, DecisionTreeClassifier)
    )
    assert ks_2samp(ours, theirs, method="exact").pvalue > LEVEL
    assert ks_2samp(ours, np.random.default_rng(0).uniform(0, 10, 500)).pvalue > LEVEL
    among_cuts = np.random.default_rng(0).choice([0.5, 1.5, 2.5, 6.5], 500)
    assert ks_2samp(among_cuts, theirs).pvalue < LEVEL


def test_all_proper_subsets_are_as_likely():
    X, y = pd.DataFrame({"color": list("abcd") * 2}), [0, 1, 0, 1, 1, 0, 0, 1]
    groups = [
        CARTClassifier(splitter="random", max_depth=1, random_state=k).fit(X, y).tree_[0].split.groups
        for k in range(700)
    ]
    counts = pd.Series([str(group[0]) for group in groups]).value_counts()
    assert len(counts) == 7  # of four categories; the first is always in the first group
    assert chisquare(counts).pvalue > LEVEL


def test_all_categories_are_as_likely_to_be_divided_off():
    X, y = pd.DataFrame({"color": list("abcd") * 2}), [0, 1, 0, 1, 1, 0, 0, 1]
    model = CARTClassifier(splitter="random", nominal="one_vs_rest", max_depth=1)
    alone = [
        min(clone(model).set_params(random_state=k).fit(X, y).tree_[0].split.groups, key=len)
        for k in range(400)
    ]
    counts = pd.Series([str(one) for one in alone]).value_counts()
    assert len(counts) == 4
    assert chisquare(counts).pvalue > LEVEL


def test_cuts_of_ordered_categories_are_as_likely_and_shown_by_their_names():
    X, y = pd.DataFrame({"size": pd.Categorical(["S", "M", "L"], ["S", "M", "L"], ordered=True)}), [0, 1, 0]
    said = [
        str(CARTClassifier(splitter="random", max_depth=1, random_state=k).fit(X, y).tree_[0].split)
        for k in range(300)
    ]
    counts = pd.Series(said).value_counts()
    assert set(counts.index) == {"size ≤ S?", "size ≤ M?"}
    assert chisquare(counts).pvalue > LEVEL


def test_features_draw_apart_and_nodes_draw_apart():
    X = np.repeat(np.linspace(0, 1, 101)[:, None], 2, axis=1)
    y = (np.arange(101) // 3) % 2
    tree = CARTClassifier(splitter="random", random_state=0).fit(X, y).tree_
    inner = tree.feature >= 0
    assert len(np.unique(tree.threshold[inner])) == inner.sum()
    assert 0.3 < tree.feature[inner].mean() < 0.7


def test_both_branches_have_rows_even_of_neighbors():
    x = np.nextafter(1.0, 2)
    for k in range(20):
        model = CARTClassifier(splitter="random", random_state=k).fit([[1.0], [x]], [0, 1])
        assert model.predict([[1.0], [x]]).tolist() == [0, 1]
    huge = CARTRegressor(splitter="random", random_state=0).fit([[-1.7e308], [1.7e308]], [0.0, 1.0])
    assert np.isfinite(huge.tree_.threshold[0])


def test_scikit_learns_dialect_leaves_close_values_together():
    X = [[1.0], [1.0 + 2**-23]]
    assert CARTClassifier.sklearn(splitter="random").fit(X, [0, 1]).get_n_leaves() == 1
    assert CARTClassifier(splitter="random").fit(X, [0, 1]).get_n_leaves() == 2


# Trees of drawn splits


@pytest.mark.parametrize(
    "settings", [{}, {"nominal": "one_vs_rest"}, {"max_features": 1}, {"criterion": "entropy"}]
)
def test_a_full_tree_separates_all_rows(settings):
    X, y = mixed()
    assert CARTClassifier(splitter="random", random_state=3, **settings).fit(X, y).score(X, y) == 1


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])
def test_regression_trees_separate_all_rows(criterion):
    X, _ = mixed()
    model = CARTRegressor(splitter="random", criterion=criterion, random_state=0).fit(X, X["x"])
    np.testing.assert_allclose(model.predict(X), X["x"])


def test_a_split_without_gain_is_made_as_another_one_may_gain_below():
    X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    assert CARTClassifier().fit(X, y).get_n_leaves() == 1
    assert CARTClassifier(splitter="random", random_state=0).fit(X, y).get_n_leaves() == 4


@pytest.mark.parametrize(
    "limit", [{"min_samples_leaf": 20}, {"max_depth": 2}, {"max_leaf_nodes": 3}, {"ccp_alpha": 0.02}]
)
def test_limits_hold(limit):
    X, y = mixed()
    tree = CARTClassifier(splitter="random", random_state=0, **limit).fit(X, y).tree_
    assert tree.n[tree.feature < 0].min() >= limit.get("min_samples_leaf", 1)
    assert tree.max_depth <= limit.get("max_depth", 99)
    assert tree.n_leaves <= limit.get("max_leaf_nodes", 99)


@pytest.mark.parametrize("missing", ["stay", "majority", "fractional", "surrogate"])
@pytest.mark.parametrize("kind", [CARTClassifier, CARTRegressor])
def test_missing_values_are_taken_as_elsewhere(missing, kind):
    X, y = mixed()
    X = X.mask(np.random.default_rng(1).random(X.shape) < 0.2)
    model = kind(splitter="random", missing=missing, random_state=0, max_depth=6).fit(X, y)
    order = np.random.default_rng(2).permutation(len(X))
    assert kind(**model.get_params()).fit(X.iloc[order], y.iloc[order]).tree_ == model.tree_
    assert model.score(X, y) > (0.6 if kind is CARTClassifier else 0.2)
    assert len(set(model.tree_.threshold[~np.isnan(model.tree_.threshold)])) > 3


def test_a_feature_that_is_missing_in_every_row_is_no_obstacle():
    X = np.column_stack([np.full(20, np.nan), np.arange(20.0)])
    tree = CARTClassifier(splitter="random", missing="majority", random_state=0).fit(X, X[:, 1] > 9).tree_
    assert {node.feature for node in tree if not node.is_leaf} == {"x1"}


def test_a_drawn_threshold_is_between_its_neighbors_and_counts_its_rows():
    X, y = mixed()
    tree = CARTClassifier(splitter="random", random_state=5).fit(X, y).tree_
    for node in tree:
        if not node.is_leaf and node.feature == "x":
            rows = np.flatnonzero(tree.decision_path(X)[:, node.id].toarray().ravel())
            x = X["x"].iloc[rows]
            assert x.min() <= tree.threshold[node.id] < x.max()
            assert node.children[0].n == (x <= tree.threshold[node.id]).sum()
    assert not set(tree.threshold) & {(a + b) / 2 for a in X["x"] for b in X["x"]}


def test_the_seed_decides_and_nothing_else(monkeypatch):
    X, y = mixed()
    tree = CARTClassifier(splitter="random", random_state=1).fit(X, y).tree_
    order = np.random.default_rng(0).permutation(len(X))
    assert CARTClassifier(splitter="random", random_state=1).fit(X.iloc[order], y.iloc[order]).tree_ == tree
    assert CARTClassifier(splitter="random", random_state=2).fit(X, y).tree_ != tree
    assert (
        CARTClassifier(splitter="random").fit(X, y).tree_ != CARTClassifier(splitter="random").fit(X, y).tree_
    )
    for compiles in (True, False):
        monkeypatch.setattr(depth_first, "is_ready", lambda *_, compiles=compiles: compiles)
        assert CARTClassifier(splitter="random", random_state=1).fit(X, y).tree_ == tree


def test_weights_are_repetitions():
    X, y = mixed(60)
    times = np.random.default_rng(0).integers(1, 4, len(X))
    model = CARTClassifier(splitter="random", random_state=0)
    weighed, repeated = (
        clone(model).fit(X, y, times),
        clone(model).fit(X.loc[X.index.repeat(times)], y.repeat(times)),
    )
    assert weighed.tree_ == repeated.tree_


def test_it_is_explained_written_and_exported():
    X, y = mixed()
    model = CARTClassifier(splitter="random", random_state=1, max_depth=4).fit(X, y)
    tree = model.tree_
    assert Tree.from_json(tree.to_json()) == tree
    np.testing.assert_array_equal(tree.to_sklearn().predict_proba(X), model.predict_proba(X))
    for node in tree:
        for feature in (None, node.feature):
            table = tree.explain(node.id, feature)
            if node.is_leaf:
                continue
            assert table["chosen"].sum() == 1
            chosen = table[table["chosen"]].iloc[0]
            assert chosen["reason"] == "largest gain of the splits drawn"
            assert np.isclose(chosen["gain"], tree.gain[node.id])
            assert set(table["reason"][~table["chosen"]]) <= {"another split was drawn", "one value only"}


# Refusals


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"nominal": "ordered"}, "nominal is 'ordered'"),
        ({"dialect": "rpart"}, "ties='rounding'"),
        ({"dialect": CARTDialect(zero_weight="count")}, "zero_weight='count'"),
    ],
)
def test_what_leaves_no_room_for_a_draw_is_refused(settings, said):
    X, y = mixed()
    with pytest.raises(ValueError, match=f"splitter is 'random', and .*{said}.*: wanted "):
        CARTClassifier(splitter="random", **settings).fit(X, y)


def test_a_word_that_is_none_is_refused():
    with pytest.raises(ValueError, match="splitter is 'extra'; wanted one of 'best', 'random'"):
        CARTClassifier(splitter="extra").fit([[0], [1]], [0, 1])


def test_counts_alone_and_ties_are_refused():
    X, y = mixed()
    source = Batches(lambda: iter([X.assign(y=y)]), "y")
    with pytest.raises(ValueError, match="splitter is 'random', which needs the rows"):
        grow_from(source, CARTClassifier(splitter="random"))
    with pytest.raises(ValueError, match="grown by splits that were drawn"):
        importance_intervals(CARTClassifier(splitter="random").fit(X, y).tree_)


# Ensembles


@pytest.mark.parametrize("load", [load_wine, pytest.param(load_breast_cancer, marks=pytest.mark.long)])
def test_an_ensemble_is_as_good_as_scikit_learns_extra_trees(load):
    """Row by row, on rows that were held out; a single tree is worse, so the test can tell."""
    X, y = load(return_X_y=True)
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    extra = BaggingClassifier(RANDOM, 40, bootstrap=False, random_state=0)
    ours, theirs, single = (
        cross_val_predict(model, X, y, cv=folds) == y
        for model in (
            extra,
            ExtraTreesClassifier(40, random_state=0),
            clone(RANDOM).set_params(random_state=0),
        )
    )
    assert abs(standard_score(ours, theirs)) < 2
    assert standard_score(ours, single) > 2.5


def test_the_sides_of_missing_values_are_not_learned_beside_a_draw():
    X, y = mixed()
    assert CARTClassifier.sklearn(splitter="random", random_state=0).fit(X[["x"]], y).score(X[["x"]], y) == 1
    with pytest.raises(
        ValueError, match="splitter is 'random', missing is 'learned', and X has missing values"
    ):
        CARTClassifier.sklearn(splitter="random").fit(X.mask(X["x"] > 0), y)
