"""Class shares of leaves: numbers by hand, what is refused, and what pruning and exports make of them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

from dtlib import (
    C45Classifier,
    CARTClassifier,
    ID3Classifier,
    LeafShares,
    ObliqueTreeClassifier,
    OptimalTreeClassifier,
    Prior,
    Tree,
)
from dtlib.datasets import load_golf, load_heart, load_loan
from dtlib.out_of_core import Database, grow_from
from dtlib.prune import CrossValidated, ReducedError

LOAN, GOLF = load_loan(), load_golf()
CLASSIFIERS = [CARTClassifier(), C45Classifier(), ID3Classifier()]
OF_FIRST = {  # of the first loan, in a leaf of 6 rows of class no below 9 of 6 and 3, below 15 of 6 and 9
    "frequency": 1.0,
    "laplace": 7 / 8,
    "m_estimate": (6 + 2 * 6 / 15) / 8,
    "m_branch": (6 + 2 * (6 + 2 * (6 + 1) / 17) / 11) / 8,
}


@pytest.mark.parametrize("model", CLASSIFIERS, ids=str)
@pytest.mark.parametrize("estimate", OF_FIRST)
def test_numbers_by_hand(model: Any, estimate: str) -> None:
    for how in (estimate, LeafShares(estimate)):
        fitted = clone(model).set_params(leaf_shares=how).fit(LOAN.X, LOAN.y)
        shares = fitted.predict_proba(LOAN.X.head(1))[0]
        np.testing.assert_allclose(shares, [OF_FIRST[estimate], 1 - OF_FIRST[estimate]], rtol=1e-14, atol=0)


def test_oblique_trees_have_the_same_estimates() -> None:
    X = np.array([[0.0, 0], [1, 0], [0, 1], [3, 3], [4, 3], [3, 4], [4, 4]])
    y = np.array([0, 0, 0, 1, 1, 1, 1])
    model = ObliqueTreeClassifier(random_state=0, leaf_shares="laplace").fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X[[0, 6]]), [[4 / 5, 1 / 5], [1 / 6, 5 / 6]], rtol=1e-14)


def test_optimal_trees_have_the_same_estimates() -> None:
    how = LeafShares("laplace", undo_weights=True)
    model = OptimalTreeClassifier(max_depth=1, class_weight="balanced", leaf_shares=how).fit(LOAN.X, LOAN.y)
    assert model.predict_proba(LOAN.X.head(1))[0, 0] == pytest.approx(7 / 11, rel=1e-12)  # 6 of 9 rows


def test_a_branch_without_rows_hears_the_node_above() -> None:
    X = pd.DataFrame({"c": pd.Categorical(["p", "p", "p", "q"], list("pqr"))})
    y, empty = ["a", "a", "a", "b"], pd.DataFrame({"c": ["r"]})
    for estimate, first in [
        ("frequency", 3 / 4),
        ("laplace", (3 + 1) / (4 + 2)),
        ("m_estimate", 3 / 4),
        ("m_branch", 4 / 6),
    ]:
        model = ID3Classifier(leaf_shares=estimate).fit(X, y)
        assert model.predict_proba(empty)[0, 0] == pytest.approx(first, rel=1e-14)
        assert model.predict(empty)[0] == "a"
        assert np.isnan(model.tree_.rules()["confidence"].to_numpy()[-1])


def test_an_empty_branch_of_j48_has_the_share_of_laplace_above_it() -> None:
    """Weka says 0.571 and 0.429 where the name is r, which no row had."""
    X, y = pd.DataFrame({"n": pd.Categorical(list("ppqqp"), list("pqr"))}), list("aabba")
    model = C45Classifier.j48(leaf_shares="laplace").fit(X, y)
    np.testing.assert_allclose(model.predict_proba(pd.DataFrame({"n": ["r"]})), [[4 / 7, 3 / 7]], rtol=1e-14)


def test_the_rules_the_path_and_the_pictures_say_what_is_predicted() -> None:
    """One row of three in the rare class: the root outweighs it."""
    X, y = np.array([[0.0], [1], [1], [1], [1], [1], [1], [1]]), list("abbbbbbb")
    plain = CARTClassifier().fit(X, y)
    model = CARTClassifier(leaf_shares=LeafShares("m_estimate", m=4)).fit(X, y)
    assert plain.predict([[0]]) == ["a"]
    assert model.predict([[0]]) == ["b"]
    share = (0 + 4 * 7 / 8) / 5
    assert model.predict_proba([[0]])[0, 1] == pytest.approx(share, rel=1e-14)
    rule = model.tree_.rules().iloc[0]
    assert (rule["class"], rule["confidence"]) == ("b", pytest.approx(share, rel=1e-14))
    assert model.explain([[0]])["prediction"].tolist()[-1] == "b"
    assert "→ b" in str(model.tree_).splitlines()[1]
    assert model.tree_.to_sql().splitlines()[1] == "  WHEN \"x0\" <= 0.5 THEN 'b'"
    assert 'return "b"' in model.tree_.to_python().splitlines()[2].replace("'", '"')


def test_sql_predicts_as_the_estimator_in_parts_too() -> None:
    X = GOLF.X[["outlook", "humidity"]].copy()
    X.loc[[1, 5], "outlook"] = None
    how = LeafShares("m_branch", m=3)
    model = CARTClassifier(missing="fractional", class_weight="balanced", leaf_shares=how).fit(X, GOLF.y)
    with closing(sqlite3.connect(":memory:")) as base:
        X.astype({"outlook": object}).to_sql("golf", base, index=False)
        said = [row[-1] for row in base.execute(model.tree_.to_sql("golf"))]
    assert said == model.predict(X).tolist()


def test_undone_weights() -> None:
    y = np.array(["rare"] * 2 + ["usual"] * 8)
    X = np.zeros((10, 1))
    weighted = CARTClassifier(class_weight="balanced").fit(X, y)
    assert weighted.predict_proba(X[:1])[0].tolist() == [0.5, 0.5]
    for way in ("balanced", {"rare": 9}, Prior({"rare": 0.9, "usual": 0.1})):
        model = CARTClassifier(class_weight=way, leaf_shares=LeafShares(undo_weights=True)).fit(X, y)
        np.testing.assert_allclose(model.predict_proba(X[:1])[0], [0.2, 0.8], rtol=1e-14)
        assert model.predict(X[:1]) == ["usual"]
        laplace = clone(model).set_params(leaf_shares=LeafShares("laplace", undo_weights=True)).fit(X, y)
        np.testing.assert_allclose(laplace.predict_proba(X[:1])[0], [3 / 12, 9 / 12], rtol=1e-14)


def test_undone_weights_and_a_loss_cost_least_by_the_shares_as_they_came() -> None:
    y, X = np.array(["rare"] * 2 + ["usual"] * 8), np.zeros((10, 1))
    how = LeafShares(undo_weights=True)
    for cost, label in ((3, "usual"), (5, "rare")):
        model = CARTClassifier(loss=[[0, cost], [1, 0]], class_weight="balanced", leaf_shares=how).fit(X, y)
        np.testing.assert_allclose(model.predict_proba(X[:1])[0], [0.2, 0.8], rtol=1e-14)
        assert model.predict(X[:1]) == [label]  # 0.2 times the cost against 0.8


def test_sample_weights_stay() -> None:
    y, X = np.array(["a", "b", "b"]), np.zeros((3, 1))
    model = CARTClassifier(class_weight={"a": 3}, leaf_shares=LeafShares(undo_weights=True))
    np.testing.assert_allclose(model.fit(X, y, [2, 1, 1]).predict_proba(X[:1])[0], [0.5, 0.5], rtol=1e-14)
    assert model.fit(X, y, [0, 1, 1]).predict_proba(X[:1])[0].tolist() == [0, 1]


def test_without_class_weights_nothing_is_undone() -> None:
    model = CARTClassifier(leaf_shares=LeafShares(undo_weights=True)).fit(LOAN.X, LOAN.y)
    assert model.tree_.class_factors is None
    assert (model.predict_proba(LOAN.X) == CARTClassifier().fit(LOAN.X, LOAN.y).predict_proba(LOAN.X)).all()


def test_several_outputs_are_smoothed_each_by_its_own_classes() -> None:
    X, y = np.zeros((4, 1)), np.array([["a", "x"], ["a", "y"], ["b", "z"], ["a", "x"]])
    one, other = CARTClassifier(leaf_shares="laplace").fit(X, y).predict_proba(X[:1])
    np.testing.assert_allclose(one[0], [4 / 6, 2 / 6], rtol=1e-14)
    np.testing.assert_allclose(other[0], [3 / 7, 2 / 7, 2 / 7], rtol=1e-14)
    one, other = CARTClassifier(leaf_shares=LeafShares("m_branch", m=3)).fit(X, y).predict_proba(X[:1])
    np.testing.assert_allclose(one[0], [4.5 / 7, 2.5 / 7], rtol=1e-14)
    np.testing.assert_allclose(other[0], [3 / 7, 2 / 7, 2 / 7], rtol=1e-14)
    undo = CARTClassifier(leaf_shares=LeafShares(undo_weights=True))
    undo.fit(X, y)
    with pytest.raises(ValueError, match="undo_weights=True, but y has 2 outputs"):
        undo.set_params(class_weight="balanced").fit(X, y)


def test_a_class_of_weight_0_cannot_be_brought_back() -> None:
    model = CARTClassifier(class_weight={"no": 0}, leaf_shares=LeafShares(undo_weights=True))
    with pytest.raises(ValueError, match=r"the classes \['no'\] have weight 0, which cannot be undone"):
        model.fit(LOAN.X, LOAN.y)
    assert not hasattr(model, "tree_")


@pytest.mark.parametrize("model", [*CLASSIFIERS, ObliqueTreeClassifier()], ids=str)
@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("smooth", "leaf_shares is 'smooth'; wanted one of 'frequency', 'laplace'"),
        (True, "leaf_shares is True"),
        (None, "leaf_shares is None"),
        (LeafShares("lidstone"), "estimate is 'lidstone'; wanted one of 'frequency'"),
        (LeafShares(m=0), "m is 0; wanted a number above 0"),
        (LeafShares(m=50), "m is 50, which estimate='frequency' does not heed; wanted estimate='m_estimate'"),
        (LeafShares("laplace", m=4), "m is 4, which estimate='laplace' does not heed"),
        (LeafShares(undo_weights="yes"), "undo_weights is 'yes'"),
    ],
)
def test_other_settings_are_refused(model: Any, given: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        clone(model).set_params(leaf_shares=given).fit(LOAN.X, LOAN.y)


def test_the_settings_nest_and_the_tree_has_its_own() -> None:
    model = CARTClassifier(leaf_shares=LeafShares("m_estimate"), random_state=0)
    search = GridSearchCV(model, {"leaf_shares__m": [0.1, 1.0, 10.0]}, cv=3, scoring="neg_log_loss")
    assert search.fit(LOAN.X, LOAN.y).best_params_["leaf_shares__m"] in (0.1, 1.0, 10.0)
    fitted = model.fit(LOAN.X, LOAN.y)
    before = fitted.predict_proba(LOAN.X)
    model.leaf_shares.m = 50  # type: ignore[union-attr]
    assert fitted.tree_.leaf_shares.m == 2
    assert (Tree.from_json(fitted.tree_.to_json()).value[fitted.apply(LOAN.X)] == before).all()


@pytest.mark.parametrize("prune", [CrossValidated(folds=3), ReducedError(), "pre"], ids=str)
def test_what_is_cut_does_not_depend_on_what_leaves_say(prune: Any) -> None:
    heart = load_heart()
    X, y = heart.X[["age", "pressure", "depression"]].fillna(0), np.where(heart.y > 0, "yes", "no")
    model = CARTClassifier(prune=prune, random_state=3, max_depth=6, class_weight={"yes": 1.2})
    how = LeafShares("m_estimate", m=5000, undo_weights=True)
    plain, smoothed = model.fit(X, y).tree_, clone(model).set_params(leaf_shares=how).fit(X, y).tree_
    assert plain.node_count == smoothed.node_count > 1
    assert (plain.feature == smoothed.feature).all()
    assert (plain.label != smoothed.label).any()
    assert smoothed.pruned_from is not None
    assert smoothed.pruned_from.leaf_shares.m == 5000


def test_data_that_are_no_shares_are_refused() -> None:
    how = LeafShares(undo_weights=True)
    data = CARTClassifier(class_weight="balanced", leaf_shares=how).fit(LOAN.X, LOAN.y).tree_.to_dict()
    for changed, words in [
        ({"class_factors": [1.0]}, r"class_factors has shape \(1,\), wanted \(2,\)"),
        ({"class_factors": [1.0, 0.0]}, "class_factors holds other values"),
        ({"leaf_shares": {"estimate": "frequency"}}, "class_factors, but not one output"),
        ({"leaf_shares": {"estimate": "other"}}, "estimate is 'other'"),
        ({"leaf_shares": {"size": 1}}, "cannot be read"),
    ]:
        with pytest.raises(ValueError, match=words):
            Tree.from_dict(data | changed)


def test_equal_trees_say_the_same() -> None:
    trees = [
        CARTClassifier(leaf_shares=how).fit(LOAN.X, LOAN.y).tree_
        for how in ("frequency", "laplace", "laplace")
    ]
    assert trees[0] != trees[1] == trees[2]
    assert hash(trees[1]) == hash(trees[2])
    undone = CARTClassifier(class_weight={"no": 1}, leaf_shares=LeafShares(undo_weights=True))
    assert (
        undone.fit(LOAN.X, LOAN.y).tree_
        != CARTClassifier(leaf_shares=LeafShares(undo_weights=True)).fit(LOAN.X, LOAN.y).tree_
    )


@pytest.mark.parametrize("model", CLASSIFIERS, ids=str)
def test_from_counts_the_same_shares(model: Any) -> None:
    model = clone(model).set_params(leaf_shares="m_branch")
    with closing(sqlite3.connect(":memory:")) as base:
        LOAN.frame.to_sql("loan", base, index=False)
        counted = grow_from(Database(base, "loan", "approved"), model)
    assert (counted.tree_.value == model.fit(LOAN.X.astype(str), LOAN.y).tree_.value).all()


def test_a_loss_alone_is_undone_too() -> None:
    y, X, loss = np.array(["rare"] * 2 + ["usual"] * 8), np.zeros((10, 1)), [[0, 5], [1, 0]]
    for undo, rare in ((True, 3 / 12), (False, 3 / 12)):  # a loss is never in the shares, with or without
        how = LeafShares("laplace", undo_weights=undo)
        model = CARTClassifier(loss=loss, leaf_shares=how).fit(X, y)
        assert (model.tree_.class_factors is not None) == undo
        np.testing.assert_allclose(model.predict_proba(X[:1])[0], [rare, 1 - rare], rtol=1e-14)


def test_the_confidence_is_the_share_of_the_class_that_costs_least() -> None:
    y, X = np.array(["rare"] * 2 + ["usual"] * 8), np.zeros((10, 1))
    tree = CARTClassifier(loss=[[0, 5], [1, 0]]).fit(X, y).tree_
    rule = tree.rules().iloc[0]
    assert (rule["class"], rule["confidence"]) == ("rare", pytest.approx(0.2, rel=1e-14))
