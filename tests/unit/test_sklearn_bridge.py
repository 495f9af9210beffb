"""Trees of scikit-learn, in and out: names, nodes, what is refused and in which words."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn import ensemble
from sklearn.datasets import load_diabetes, load_iris
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OrdinalEncoder, StandardScaler
from sklearn.tree import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ExtraTreeClassifier,
    export_text,
    plot_tree,
)

from dtlib import (
    BySurrogates,
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    ID3Regressor,
    ObliqueTreeClassifier,
    Tree,
    draw,
)
from dtlib.base import TreeEstimator
from dtlib.datasets import load_golf, load_watermelon
from dtlib.dialects import C45Dialect
from dtlib.export import sklearn_in
from dtlib.export.sklearn_out import _nodes_in_sklearn
from dtlib.prune import risk, weakest_links
from dtlib.telling.text import path_of

IRIS = load_iris(as_frame=True)
X, SPECIES = IRIS.data, IRIS.target_names[IRIS.target]
MELONS = load_watermelon("3.0")
GOLF = load_golf()


def test_the_tree_of_iris_is_that_which_is_grown_here() -> None:
    """Node by node: counts, thresholds, impurities, gains. The seed is one whose ties fall as ours do."""
    ours = CARTClassifier.sklearn().fit(X, SPECIES).tree_
    found = (DecisionTreeClassifier(random_state=seed).fit(X, SPECIES) for seed in range(100))
    trees = (Tree.from_sklearn(model) for model in found)
    same = (tree for tree in trees if tree.feature.tolist() == ours.feature.tolist())
    read = next(tree for tree in same if np.array_equal(tree.threshold, ours.threshold, equal_nan=True))
    assert read.features == ours.features
    assert read.classes == ours.classes == ("setosa", "versicolor", "virginica")
    assert (read.counts == ours.counts).all()
    assert (read.n == ours.n).all()
    for name in ("impurity", "gain"):
        np.testing.assert_allclose(getattr(read, name), getattr(ours, name), atol=1e-15)
    assert read.label.tolist() == ours.label.tolist()
    np.testing.assert_allclose(read.importances, ours.importances)
    assert set(read.reason) == {"", "pure"}


def test_a_leaf_that_is_not_pure_says_where_it_was_read() -> None:
    tree = Tree.from_sklearn(DecisionTreeClassifier(max_depth=1).fit(X, SPECIES))
    assert sorted(tree.reason) == ["", "a leaf where it was read", "pure"]


def test_what_works_on_a_tree_that_was_read() -> None:
    model = DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, SPECIES)
    tree = Tree.from_sklearn(model)
    assert tree.rules()["rule"][0] == "if petal width (cm) ≤ 0.8000000119 then setosa"
    assert tree.rules()["support"].sum() == 150
    assert draw.tree(tree).svg.count("setosa") > 0
    assert tree.to_sql("flowers").startswith('SELECT "flowers".*')
    assert risk(tree)[0] == 100
    assert len(weakest_links(tree)) > 1
    assert pickle.loads(pickle.dumps(tree)) == tree
    path = path_of(tree, X.head(1).to_numpy())
    assert path["condition"].tolist() == ["", "petal width (cm) ≤ 0.8000000119"]
    with pytest.raises(ValueError, match="read from scikit-learn"):
        tree.explain(0)


def test_its_path_of_prices_is_that_of_scikit_learn() -> None:
    from dtlib.prune import pruning_path

    model = DecisionTreeClassifier(random_state=0).fit(X, SPECIES)
    there = model.cost_complexity_pruning_path(X, SPECIES)
    here = pruning_path(Tree.from_sklearn(model), "impurity").as_sklearn_path()
    np.testing.assert_allclose(here["ccp_alphas"], there.ccp_alphas, atol=1e-12)
    np.testing.assert_allclose(here["impurities"], there.impurities, atol=1e-12)


def test_names_of_features() -> None:
    bare = DecisionTreeClassifier(max_depth=1).fit(X.to_numpy(), SPECIES)
    assert [f.name for f in Tree.from_sklearn(bare).features] == ["x0", "x1", "x2", "x3"]
    assert [f.name for f in Tree.from_sklearn(bare, feature_names=list("abcd")).features] == list("abcd")
    framed = DecisionTreeClassifier(max_depth=1).fit(X, SPECIES)
    assert [f.name for f in Tree.from_sklearn(framed).features] == list(X.columns)
    for wrong, kind in (
        (list("abc"), ValueError),
        (list("aabc"), ValueError),
        ([1, 2, 3, 4], TypeError),
        ("abcd", TypeError),
    ):
        with pytest.raises(kind, match="feature_names"):
            Tree.from_sklearn(bare, feature_names=wrong)


FORESTS = {
    "random forest": ensemble.RandomForestClassifier(3, random_state=0),
    "extra trees": ensemble.ExtraTreesClassifier(3, random_state=0),
    "bagging": ensemble.BaggingClassifier(DecisionTreeClassifier(), 3, random_state=0),
    "columns": ensemble.BaggingClassifier(DecisionTreeClassifier(), 3, max_features=2, random_state=0),
    "few rows": ensemble.BaggingClassifier(
        DecisionTreeClassifier(), 3, max_samples=4, bootstrap=False, random_state=1
    ),
}


@pytest.mark.parametrize("name", FORESTS)
def test_a_tree_of_a_forest_has_the_names_of_the_forest(name) -> None:
    forest = FORESTS[name].fit(X, SPECIES)
    for index in range(3):
        tree = Tree.from_sklearn(forest, index)
        assert [f.name for f in tree.features] == list(X.columns)
        member = forest.estimators_[index]
        columns = getattr(forest, "estimators_features_", [range(4)] * 3)[index]
        there = member.predict(X.to_numpy()[:, list(columns)]).astype(int)
        assert np.array(tree.classes)[tree.label[tree.apply(X)]].tolist() == forest.classes_[there].tolist()
        assert set(tree.classes) <= set(SPECIES)


def test_a_forest_of_numbers() -> None:
    data, y = load_diabetes(return_X_y=True)
    forest = ensemble.RandomForestRegressor(4, max_depth=3, random_state=0).fit(data, y)
    trees = [Tree.from_sklearn(forest, i) for i in range(4)]
    mean = np.mean([tree.value[tree.apply(data)][:, 0] for tree in trees], axis=0)
    np.testing.assert_allclose(mean, forest.predict(data), rtol=1e-14)


def test_a_tree_alone_of_a_forest_knows_numbers_only() -> None:
    forest = FORESTS["random forest"].fit(X, SPECIES)
    assert Tree.from_sklearn(forest.estimators_[0]).classes == (0.0, 1.0, 2.0)


@pytest.mark.parametrize(
    ("model", "index", "words"),
    [
        (FORESTS["random forest"], None, "index is None, but model is a forest of 3 trees; wanted"),
        (FORESTS["random forest"], 3, "index is 3; wanted the number of a tree, 0 to 2"),
        (FORESTS["random forest"], -1, "index is -1; wanted the number of a tree, 0 to 2"),
        (DecisionTreeClassifier(), 0, "index is 0, but model is a DecisionTreeClassifier: wanted None"),
    ],
)
def test_an_index_that_says_no_tree_is_refused(model, index, words) -> None:
    with pytest.raises(ValueError, match=words):
        Tree.from_sklearn(model.fit(X, SPECIES), index)


@pytest.mark.parametrize("index", [1.5, True])
def test_an_index_that_is_no_whole_number_is_refused(index) -> None:
    with pytest.raises(TypeError, match=rf"index is {index}; wanted a whole number"):
        Tree.from_sklearn(FORESTS["random forest"].fit(X, SPECIES), index)


def in_a_bag(model) -> ensemble.BaggingClassifier:
    """Return two of a model, each of half of the rows."""
    return ensemble.BaggingClassifier(model, 2, random_state=0)


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (
            make_pipeline(StandardScaler(), DecisionTreeClassifier()),
            r"a Pipeline; .*: there is one in model\[-1]",
        ),
        (ensemble.AdaBoostClassifier(n_estimators=2), r"an AdaBoostClassifier; .* in model\.estimators_\[0]"),
        (ensemble.GradientBoostingClassifier(n_estimators=2), r"one in model\.estimators_\[0, 0]"),
        (GridSearchCV(DecisionTreeClassifier(), {"max_depth": [1]}), r"one in model\.best_estimator_"),
        (
            GridSearchCV(make_pipeline(FORESTS["random forest"]), {"memory": [None]}),
            r"there is one in model\.best_estimator_\[-1]",
        ),
        (
            ensemble.VotingClassifier([("tree", DecisionTreeClassifier())]),
            r"there is one in model\.estimators_\[0]",
        ),
        (
            in_a_bag(make_pipeline(DecisionTreeClassifier())),
            r"^model\.estimators_\[0] is a Pipeline; .*: there is one in model\.estimators_\[0]\[-1]",
        ),
        (in_a_bag(KNeighborsClassifier()), r"estimators_\[0] is a KNeighborsClassifier; .* and an index$"),
        (CARTClassifier(), "this is a tree of dtlib already"),
        (StandardScaler(), "model is a StandardScaler; wanted a fitted decision tree .* and an index$"),
    ],
)
def test_what_is_no_tree_is_refused(model, words) -> None:
    for index in (None, 1):
        with pytest.raises(TypeError, match=words):
            Tree.from_sklearn(model.fit(X, SPECIES), index)


def test_a_class_is_no_tree() -> None:
    with pytest.raises(TypeError, match="model is the class DecisionTreeClassifier; wanted a fitted"):
        Tree.from_sklearn(DecisionTreeClassifier)


def test_the_arrays_of_a_tree_alone_are_refused() -> None:
    with pytest.raises(TypeError, match="give the estimator whose `tree_` it is"):
        Tree.from_sklearn(DecisionTreeClassifier().fit(X, SPECIES).tree_)


@pytest.mark.parametrize("model", [DecisionTreeClassifier(), FORESTS["bagging"].__class__()])
def test_what_is_not_fitted_is_refused(model) -> None:
    with pytest.raises(NotFittedError):
        Tree.from_sklearn(model)


def test_trees_of_boosting_can_be_read() -> None:
    boosted = ensemble.GradientBoostingRegressor(n_estimators=2, max_depth=2, random_state=0)
    member = boosted.fit(X, IRIS.target).estimators_[1, 0]
    tree = Tree.from_sklearn(member, feature_names=list(X.columns))
    assert (tree.value[tree.apply(X)][:, 0] == member.predict(X.to_numpy())).all()


def test_a_criterion_of_ones_own_is_refused() -> None:
    model = DecisionTreeRegressor().fit(X, IRIS.target)
    model.criterion = "mine"
    with pytest.raises(ValueError, match="criterion is 'mine'; wanted one of"):
        Tree.from_sklearn(model)


def test_weights_below_0_are_refused() -> None:
    data, y = np.arange(4.0)[:, None], np.array([0.0, 1, 2, 3])
    model = DecisionTreeRegressor(max_depth=1).fit(data, y)
    state = model.tree_.__getstate__()
    state["nodes"]["weighted_n_node_samples"][1] = -1.0
    model.tree_.__setstate__(state)
    with pytest.raises(ValueError, match=r"a node of weight -1\.0"):
        Tree.from_sklearn(model)


def test_a_leaf_that_no_row_came_to_is_refused() -> None:
    """Where rows of missing values stay, and none did, the tree that is written has such a leaf."""
    tree = CARTClassifier(missing="stay", max_depth=2).fit(X, SPECIES).tree_
    with pytest.raises(ValueError, match=r"weight 0, which no training row came to, as to_sklearn\(\) adds"):
        Tree.from_sklearn(tree.to_sklearn())


def test_counts_of_versions_before_shares_are_refused() -> None:
    model = DecisionTreeClassifier(max_depth=1).fit(X, SPECIES)
    state = model.tree_.__getstate__()
    state["values"] *= 50
    model.tree_.__setstate__(state)
    with pytest.raises(ValueError, match=r"scikit-learn 1\.3 or later"):
        Tree.from_sklearn(model)


# Missing values


def with_gaps() -> tuple[np.ndarray, np.ndarray]:
    """Return a number that is missing where the class is 1."""
    x = np.array([[1.0], [2], [3], [np.nan], [np.nan], [np.nan]])
    return x, np.array([0, 0, 0, 1, 1, 1])


def test_a_question_whether_a_value_is_known() -> None:
    model = DecisionTreeClassifier(random_state=0).fit(*with_gaps())
    assert np.isinf(model.tree_.threshold[0])
    tree = Tree.from_sklearn(model, feature_names=["x"])
    assert tree.rules()["rule"].tolist() == ["if x is known then 0", "if x is missing then 1"]
    assert tree.apply(np.array([[np.nan], [-1e30], [3e38]])).tolist() == [2, 1, 1]
    assert Tree.from_json(tree.to_json()).apply(np.array([[np.nan]])).tolist() == [2]


def test_missing_values_go_where_scikit_learn_sends_them() -> None:
    x = np.array([[1.0], [2], [3], [9], [np.nan], [np.nan]])
    model = DecisionTreeClassifier(random_state=0).fit(x, [0, 0, 0, 1, 1, 1])
    tree = Tree.from_sklearn(model)
    assert tree.missing == "learned"
    assert model.predict([[np.nan]]) == [1]
    sent = path_of(tree, np.array([[np.nan]]))
    assert sent["prediction"].tolist() == [0, 1]
    assert sent["sent_by"].tolist() == ["", "larger branch"]
    few = DecisionTreeClassifier(random_state=0).fit(x[:5], [0, 0, 0, 1, 1])
    assert path_of(Tree.from_sklearn(few), np.array([[np.nan]]))["sent_by"][1] == "branch of missing values"


# Out


def test_a_tree_of_numbers_is_an_estimator_alone() -> None:
    cart = CARTRegressor(max_depth=3).fit(X, IRIS.target)
    model = cart.tree_.to_sklearn()
    assert type(model) is DecisionTreeRegressor
    assert model.feature_names_in_.tolist() == list(X.columns)
    assert (model.predict(X) == cart.predict(X)).all()
    assert model.get_depth() == cart.get_depth()
    assert model.get_n_leaves() == cart.get_n_leaves()
    np.testing.assert_allclose(model.feature_importances_, cart.feature_importances_)
    assert (model.tree_.n_node_samples == cart.tree_.n[_nodes_in_sklearn(cart.tree_)]).all()
    assert (pickle.loads(pickle.dumps(model)).predict(X) == cart.predict(X)).all()
    bare = CARTRegressor(max_depth=3).fit(X.to_numpy(), IRIS.target).tree_.to_sklearn()
    assert not hasattr(bare, "feature_names_in_")
    assert (bare.predict(X.to_numpy()) == cart.predict(X)).all()


def test_scikit_learn_prints_and_draws_it() -> None:
    model = CARTClassifier(max_depth=2).fit(X, SPECIES).tree_.to_sklearn()
    assert export_text(model).splitlines()[1] == "|   |--- class: setosa"
    pytest.importorskip("matplotlib").use("Agg")
    boxes = [box.get_text() for box in plot_tree(model)]
    assert any("gini = 0.5\nsamples = 100\nvalue = [0" in text for text in boxes)


def test_names_become_places_and_branches_follow_each_other() -> None:
    id3 = ID3Classifier().fit(GOLF.X[["outlook", "windy"]], GOLF.y)
    model = id3.tree_.to_sklearn()
    assert isinstance(model, Pipeline)
    names = list(model["tree"].feature_names_in_)
    assert export_text(model["tree"], feature_names=names).splitlines()[0] == "|--- outlook <= 0.50"
    values = id3.tree_.root.split.values
    encoder = model["columns"].named_transformers_["categorical"]
    assert isinstance(encoder, OrdinalEncoder)
    assert tuple(encoder.categories_[0]) == values
    below = _nodes_in_sklearn(id3.tree_).tolist()
    assert below[:3] == [0, 1, 3] or below[:2] == [0, 1]
    assert below.count(0) == len(values) - 1  # the root became so many questions
    first = [i for i in below if id3.tree_.parent[i] == 0]
    assert list(dict.fromkeys(first)) == [1, 2, 3]


def test_one_feature_in_two_orders_is_two_columns() -> None:
    cart = CARTClassifier().fit(
        pd.DataFrame({"a": list("abcabcabc"), "b": list("aaabbbccc")}), list("xyxyxyxyx")
    )
    orders = {
        name: [groups for node in cart.tree_ if node.feature == name for groups in [node.split.groups]]
        for name in "ab"
    }
    model = cart.tree_.to_sklearn()
    names = model["columns"].get_feature_names_out().tolist()
    assert all(orders.values())
    assert len(names) == model["tree"].n_features_in_
    assert model["tree"].feature_names_in_.tolist() == names


def two_orders() -> Tree:
    """Return a tree that asks a name in two ways that no order has both of."""
    X = pd.DataFrame({"a": list("abcd") * 4, "u": [0.0] * 8 + [1.0] * 8})
    y = [f"{u:g}{a in 'ac'}" if u else f"{u:g}{a in 'ad'}" for a, u in zip(X.a, X.u, strict=True)]
    return CARTClassifier().fit(X, y).tree_


def test_columns_of_several_orders_say_which() -> None:
    tree = two_orders()
    model = tree.to_sklearn()
    assert model["columns"].get_feature_names_out().tolist() == [
        "u (numeric)",
        "a (categorical)",
        "a (categorical 2)",
    ]
    rows = pd.DataFrame({"a": list("abcdabcd"), "u": [0.0] * 4 + [1.0] * 4})
    assert (model.predict(rows) == np.array(tree.classes)[tree.label[tree.apply(rows)]]).all()


def test_values_that_are_no_text() -> None:
    X = pd.DataFrame({"windy": [True, False, True, False], "pages": pd.Categorical([30, 4, 4, 30])})
    cart = CARTClassifier().fit(X, ["a", "b", "b", "b"])
    model = pickle.loads(pickle.dumps(cart.tree_.to_sklearn()))
    assert (model.predict(X) == cart.predict(X)).all()
    with pytest.raises(ValueError, match=r"column 'pages' holds 5 in row 0 .* wanted one of \[4, 30\]"):
        model.predict(X.assign(pages=pd.Categorical([5] * 4)))


def test_unknown_names_are_refused_or_answered_as_here() -> None:
    strange = GOLF.X.head(2).assign(outlook=["foggy", None])
    for refusing in (CARTClassifier(), CARTClassifier(missing="majority"), C45Classifier(missing="majority")):
        model = refusing.fit(GOLF.X, GOLF.y).tree_.to_sklearn()
        with pytest.raises(ValueError, match="foggy"):
            model.predict(strange.head(1))
        if refusing.missing == "majority":
            assert (model.predict_proba(strange.tail(1)) == refusing.predict_proba(strange.tail(1))).all()
    for taking in (CARTClassifier(missing="stay"), CARTClassifier.rpart(min_samples_split=2, cp=0)):
        tree = taking.fit(GOLF.X, GOLF.y).tree_
        model = tree.to_sklearn(None if tree.missing == "stay" else "majority")
        if tree.missing == "stay":
            assert (model.predict_proba(strange) == taking.predict_proba(strange)).all()
        else:
            gone = strange.assign(outlook=pd.Series([None, None], dtype=object))
            assert (model.predict_proba(strange) == model.predict_proba(gone)).all()


def test_unknown_names_are_taken_for_missing_ones_if_one_says_so() -> None:
    c45 = C45Classifier(missing="majority").fit(GOLF.X, GOLF.y)
    model = c45.tree_.to_sklearn(unseen="missing")
    assert isinstance(model["columns"].named_transformers_["categorical"], OrdinalEncoder)
    assert (model.predict_proba(GOLF.X) == c45.predict_proba(GOLF.X)).all()
    strange, gone = (GOLF.X.assign(outlook=pd.Series([name] * 14, dtype=object)) for name in ("foggy", None))
    assert (model.predict_proba(strange) == c45.predict_proba(gone)).all()
    refusing = CARTClassifier().fit(GOLF.X, GOLF.y).tree_.to_sklearn(unseen="missing")
    with pytest.raises(ValueError, match="foggy"):  # it refuses what is missing
        refusing.predict(strange)
    with pytest.raises(ValueError, match="unseen is 'stay'; wanted one of None, 'missing'"):
        c45.tree_.to_sklearn(unseen="stay")


def test_a_name_without_a_branch_may_be_taken_for_a_missing_one() -> None:
    """It stays at the question, in a leaf of its own, or goes where a missing one goes."""
    asked = pd.DataFrame({"c": ["a", "b", "z", None]})
    tree = CARTClassifier(missing="majority").fit(asked.head(3), ["A", "B", "B"], [1, 2, 0]).tree_
    for unseen, same in ((None, tree), ("missing", replace(tree, unseen="missing"))):
        found = tree.to_sklearn(unseen=unseen)
        assert (found.predict_proba(asked) == same.value[same.apply(asked)]).all()
        assert len(found["tree"].tree_.value) == len(_nodes_in_sklearn(tree, unseen=unseen))
    assert len(_nodes_in_sklearn(tree)) > len(_nodes_in_sklearn(tree, unseen="missing"))
    strict = CARTClassifier().fit(asked.head(3), ["A", "B", "B"], [1, 2, 0]).tree_
    found = strict.to_sklearn(unseen="missing")  # a missing one is refused, so a name without a branch stays
    assert (found.predict_proba(asked.head(3)) == strict.value[strict.apply(asked.head(3))]).all()
    assert (strict.apply(asked.head(3)) == [1, 2, 0]).all()


def test_a_name_that_only_rows_without_weight_had() -> None:
    X = pd.DataFrame({"c": ["a", "b", "z"]})
    cart, c45 = (
        model(missing="majority").fit(X, ["A", "B", "B"], [1, 1, 0])
        for model in (CARTClassifier, C45Classifier)
    )
    assert (cart.tree_.to_sklearn().predict(X) == cart.predict(X)).all()  # it has no branch, so it stays
    with pytest.raises(ValueError, match=r"column 'c' holds 'z' in row 2"):
        c45.tree_.to_sklearn().predict(X)


def test_a_column_without_any_value() -> None:
    X = pd.DataFrame({"a": pd.Series([None, None], dtype=object)})
    c45 = C45Classifier().fit(X, ["no", "yes"])
    asked = pd.DataFrame({"a": ["x", None]})
    assert (c45.tree_.to_sklearn().predict(asked) == c45.predict(asked)).all()


def test_a_name_without_a_branch_comes_to_a_leaf_of_its_own() -> None:
    X = pd.DataFrame({"a": list("xxxyyyz"), "b": list("pqppqpq")})
    cart = CARTClassifier().fit(X, list("0101100"))
    asked = pd.DataFrame([(a, b) for a in "xyz" for b in "pq"], columns=["a", "b"])
    model = cart.tree_.to_sklearn()
    assert (model.predict_proba(asked) == cart.predict_proba(asked)).all()
    assert (model["tree"].tree_.weighted_n_node_samples >= 0).all()


def test_rows_that_stay_come_to_a_leaf_that_weighs_what_stayed() -> None:
    x = pd.DataFrame({"x": [1.0, 2, 3, 4, np.nan, np.nan]})
    cart = CARTClassifier(missing="stay").fit(x, list("aabbab"))
    state = cart.tree_.to_sklearn().tree_
    assert state.threshold.tolist()[:3] == [2.5, -2.0, np.inf]
    assert state.weighted_n_node_samples.tolist() == [6, 2, 4, 2, 2]
    assert state.value[-1].ravel().tolist() == [0.5, 0.5]


def surrogates() -> TreeEstimator:
    return CARTClassifier(missing="surrogate").fit(MELONS.X, MELONS.y)


GAPS = GOLF.X.mask(np.arange(GOLF.X.size).reshape(GOLF.X.shape) % 7 == 0)


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (
            C45Classifier().fit(GAPS, GOLF.y),
            r"divides a row .*wanted to_sklearn\(missing='majority'\)",
        ),
        (surrogates(), r"uses surrogate splits .*wanted to_sklearn\(missing='majority'\)"),
        (
            ObliqueTreeClassifier(random_state=0).fit(X, SPECIES),
            r"has an oblique split at node \d+ \(.*one feature at a time",
        ),
    ],
)
def test_what_cannot_be_said_is_refused(model, words) -> None:
    with pytest.raises(ValueError, match=words):
        model.tree_.to_sklearn()


@pytest.mark.parametrize("model", [C45Classifier().fit(GAPS, GOLF.y), surrogates()])
def test_majority_says_it_for_rows_of_which_all_is_known(model) -> None:
    table = GOLF.X if isinstance(model, C45Classifier) else MELONS.X
    back = model.tree_.to_sklearn(missing="majority")
    assert (back.predict_proba(table) == model.predict_proba(table)).all()


@pytest.mark.parametrize("make", [C45Classifier, C45Classifier.release8, C45Classifier.j48])
def test_a_tree_of_complete_rows_has_no_parts_to_send(make) -> None:
    """Complete rows get the same answer, a missing number that of the heavier branch, a missing name none."""
    c45 = make().fit(GOLF.X, GOLF.y)
    for tree in (c45.tree_, Tree.from_json(c45.tree_.to_json()), pickle.loads(pickle.dumps(c45.tree_))):
        assert (tree.to_sklearn().predict_proba(GOLF.X) == c45.predict_proba(GOLF.X)).all()
        assert (_nodes_in_sklearn(tree) == _nodes_in_sklearn(replace(tree, missing="error"))).all()
    model = c45.tree_.to_sklearn()
    with pytest.raises(ValueError, match=r"unknown categories \[None\]"):
        model.predict(GOLF.X.head(1).assign(outlook=pd.Series([None], dtype=object)))
    flowers = make(max_depth=1).fit(X, SPECIES)  # the second branch has 100 of 150
    gone = pd.DataFrame(np.nan, [0], X.columns)
    told = flowers.tree_.to_sklearn().predict_proba(gone)
    assert (told == flowers.tree_.value[2]).all()
    own = DecisionTreeClassifier(max_depth=1, criterion="entropy", random_state=0).fit(X, SPECIES)
    assert (told == own.predict_proba(gone)).all()
    assert (flowers.predict_proba(gone) != told).any()  # here, the answers of both branches are mixed


def test_what_a_tree_does_not_ask_may_be_missing_in_training() -> None:
    gaps = GOLF.X.assign(noise=[1.0, np.nan] * 7)
    c45 = C45Classifier().fit(gaps, GOLF.y)
    assert "noise" not in {node.feature for node in c45.tree_}
    assert (c45.tree_.to_sklearn().predict(gaps.assign(noise=np.nan)) == c45.predict(gaps)).all()
    asked = C45Classifier().fit(GAPS[["outlook", "humidity"]], GOLF.y).tree_
    with pytest.raises(ValueError, match="divides a row"):
        asked.to_sklearn()


def test_ways_that_are_none_are_refused() -> None:
    tree = CARTClassifier(max_depth=1).fit(GOLF.X, GOLF.y).tree_
    with pytest.raises(ValueError, match="missing is 'fractional'; wanted one of None, 'majority'"):
        tree.to_sklearn("fractional")


def test_surrogates_that_are_only_listed_are_no_obstacle() -> None:
    cart = CARTClassifier(missing=BySurrogates(use_surrogates=False)).fit(MELONS.X, MELONS.y)
    assert (cart.tree_.to_sklearn().predict(MELONS.X) == cart.predict(MELONS.X)).all()


def test_impurities_of_a_criterion_that_is_not_there() -> None:
    errors = ID3Classifier(criterion="misclassification").fit(GOLF.X[["outlook", "windy"]], GOLF.y).tree_
    gini = errors.to_sklearn()["tree"]
    assert gini.criterion == "gini"
    assert gini.tree_.impurity[0] == pytest.approx(1 - (9 / 14) ** 2 - (5 / 14) ** 2)
    y = np.arange(14.0)
    id3 = ID3Regressor().fit(GOLF.X[["outlook"]], y)
    spread = id3.tree_.to_sklearn()["tree"]
    assert spread.criterion == "squared_error"
    assert spread.tree_.impurity[0] == pytest.approx(y.var())
    others = y[(GOLF.X["outlook"] != id3.tree_.root.split.values[0]).to_numpy()]
    rest = spread.tree_.children_right[0]
    assert spread.tree_.impurity[rest] == pytest.approx(others.var())
    assert spread.tree_.value[rest].item() == pytest.approx(others.mean())


def test_a_class_that_has_not_the_largest_share_is_refused() -> None:
    loss = np.array([[0, 5], [1, 0]])
    cart = CARTClassifier(max_depth=0, loss=loss).fit(GOLF.X, GOLF.y)
    label, largest = cart.tree_.label, cart.tree_.value.argmax(1)
    node = np.flatnonzero((label != largest) & (cart.tree_.feature < 0))[0]
    with pytest.raises(ValueError, match=f"at node {node}, where the share of .* is larger"):
        cart.tree_.to_sklearn()


def test_a_number_near_a_threshold_is_rounded_over_it() -> None:
    """0.1 is a little more as a float32: where the threshold is 0.1 itself, it takes the other branch."""
    c45 = C45Classifier(
        dialect=C45Dialect(threshold="value"), min_samples_leaf=1, average_gain=False, mdl_correction=False
    )
    X = pd.DataFrame({"x": [0.1, 0.2]})
    tree = c45.fit(X, ["a", "b"]).tree_
    assert tree.threshold[0] == 0.1
    model = tree.to_sklearn(missing="majority")
    assert (c45.predict(X).tolist(), model.predict(X).tolist()) == (["a", "b"], ["b", "b"])
    singles = X.astype(np.float32)
    assert (c45.predict(singles) == model.predict(singles)).all()


def test_shares_have_weights_to_the_last_bit() -> None:
    rng = np.random.default_rng(0)
    counts = rng.random((2000, 3))
    n = counts.sum(1)
    share = counts / n[:, None]
    found, weight = sklearn_in.class_weights_read(share[:, None, :], [3], n)
    assert (weight == n).all()
    assert (found / weight[:, None] == share).all()
    clipped = np.stack([rng.random(2000), np.zeros(2000)], axis=1)
    clipped[:, 1] = 1 - clipped[:, 0]
    found, weight = sklearn_in.class_weights_read(clipped[:, None, :], [2], n)
    assert (found / weight[:, None] == clipped).all()
    assert (weight != n).any()
    np.testing.assert_allclose(weight, n, rtol=1e-8)


def test_extra_trees_alone() -> None:
    model = ExtraTreeClassifier(random_state=0).fit(X, SPECIES)
    tree = Tree.from_sklearn(model)
    assert (tree.value[tree.apply(X)] == model.predict_proba(X)).all()
