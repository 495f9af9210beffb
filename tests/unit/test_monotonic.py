"""Monotonic constraints of CART: what they take, what they cannot be combined with, and where they show."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeRegressor

from dtlib import BySurrogates, CARTClassifier, CARTRegressor, LeafShares, Tree, jit
from dtlib.counting.targets import RegressionTarget
from dtlib.dialects import CARTDialect
from dtlib.growing import depth_first
from dtlib.importance import importance_intervals
from dtlib.out_of_core import Batches, grow_from
from dtlib.tree import reasons

X = pd.DataFrame({"a": [0.0, 0, 1, 1, 2, 2], "b": [0.0, 1, 0, 1, 0, 1]})
Y = np.array([0.0, 5.0, 7.0, 5.0, 6.0, 9.0])
CLASSES = np.array([0, 1, 1, 0, 1, 1])


def test_an_array_and_a_dict_say_the_same():
    one, other, numbers = (
        CARTRegressor(monotonic_cst=given).fit(X, Y).tree_
        for given in ([1, 0], {"a": 1}, np.array([1, 0], np.int8))
    )
    assert one == other == numbers
    assert one.monotonic == (1, 0)
    assert one != CARTRegressor().fit(X, Y).tree_


def test_constraints_of_nothing_are_none():
    assert CARTRegressor(monotonic_cst=[0, 0]).fit(X, Y).tree_ == CARTRegressor().fit(X, Y).tree_
    assert CARTRegressor(monotonic_cst={}).fit(X, Y).tree_.monotonic == ()


@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        ([1], ValueError, "monotonic_cst has 1 entries, but X has 2 features"),
        ([2, 0], ValueError, "monotonic_cst is 2 for feature 'a'; wanted -1, 0 or 1"),
        ([True, False], ValueError, "monotonic_cst is True for feature 'a'"),
        ([1.0, 0], ValueError, "monotonic_cst is 1.0 for feature 'a'"),
        ([[1, 0]], TypeError, "wanted -1, 0 or 1 for each feature"),
        ("ab", TypeError, "monotonic_cst is 'ab'"),
        (1, TypeError, "monotonic_cst is 1"),
        ({"c": 1}, ValueError, r"monotonic_cst names \['c'\], but the features are \['a', 'b'\]"),
        ({"a": "up"}, ValueError, "monotonic_cst is 'up' for feature 'a'"),
    ],
)
def test_what_is_no_constraint_is_refused(given, error, said):
    with pytest.raises(error, match=said):
        CARTRegressor(monotonic_cst=given).fit(X, Y)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"missing": "stay"}, "missing is 'stay'"),
        ({"missing": BySurrogates()}, "missing is BySurrogates"),
        ({"prune": "cv"}, "prune is 'cv'"),
        ({"loss": [[0, 1], [2, 0]]}, "there is a loss"),
        ({"leaf_shares": "laplace"}, "leaf_shares is 'laplace'"),
        ({"leaf_shares": LeafShares(undo_weights=True)}, "leaf_shares is LeafShares"),
        ({"dialect": "rpart"}, "ties='rounding'"),
        ({"dialect": CARTDialect(zero_weight="count")}, "zero_weight='count'"),
    ],
)
def test_parameters_that_leave_no_room_are_refused(settings, said):
    with pytest.raises(ValueError, match=f"monotonic_cst is given, and .*{said}.*: wanted "):
        CARTClassifier(monotonic_cst=[1, 0], **settings).fit(X, CLASSES)


def test_targets_without_one_order_are_refused():
    with pytest.raises(ValueError, match="y has 3 classes: wanted two"):
        CARTClassifier(monotonic_cst=[1, 0]).fit(X, [0, 1, 2, 0, 1, 2])
    for kind in (CARTClassifier, CARTRegressor):
        with pytest.raises(ValueError, match="y has 2 outputs: wanted one"):
            kind(monotonic_cst=[1, 0]).fit(X, np.stack([CLASSES, CLASSES], axis=1))
    for criterion in "absolute_error", "poisson":
        with pytest.raises(ValueError, match=f"criterion is '{criterion}'"):
            CARTRegressor(monotonic_cst=[1, 0], criterion=criterion).fit(X, Y)


def test_a_nominal_feature_may_stand_beside_but_not_be_constrained():
    frame = X.assign(color=["red", "blue", "red", "red", "blue", "blue"])
    with pytest.raises(ValueError, match=r"constrains \['color'\], whose categories have no order"):
        CARTRegressor(monotonic_cst=[1, 0, 1]).fit(frame, Y)
    assert CARTRegressor(monotonic_cst=[1, 0, 0]).fit(frame, Y).tree_.monotonic == (1, 0, 0)


def test_missing_values_and_counts_alone_are_refused():
    with pytest.raises(ValueError, match="missing"):
        CARTRegressor(monotonic_cst=[1, 0]).fit(X.mask(X == 2), Y)
    frame = X.assign(y=CLASSES)
    source = Batches(lambda: iter([frame]), "y")
    with pytest.raises(ValueError, match=r"monotonic_cst is .*, which needs the rows"):
        grow_from(source, CARTClassifier(monotonic_cst=[1, 0]))
    with pytest.raises(ValueError, match="grown with monotonic constraints"):
        importance_intervals(CARTRegressor(monotonic_cst=[1, 0]).fit(X, Y).tree_)


def test_one_class_alone_has_no_bounds():
    model = CARTClassifier(monotonic_cst=[1, 0]).fit(X, [1] * 6)
    assert model.predict_proba(X).tolist() == [[1.0]] * 6


def test_a_node_that_no_allowed_cut_divides_is_a_leaf_that_says_so():
    tree = CARTRegressor(monotonic_cst=[-1]).fit([[0.0], [1.0]], [1.0, 2.0]).tree_
    assert tree.reason == (reasons.CONSTRAINED,)
    assert tree.explain(0)["reason"].tolist() == [reasons.CONSTRAINED]


def test_a_competitor_that_gains_more_is_against_a_constraint():
    y = [3.0, 2.0, 2.0, 0.0, 1.0, 0.0]
    table = CARTRegressor(monotonic_cst=[1, 0]).fit(X, y).tree_.explain(0).set_index("feature")
    assert table["reason"]["a"] == "against monotonic_cst, or too few samples"
    assert table["chosen"]["b"]
    assert table["gain"]["a"] > table["gain"]["b"]


@pytest.mark.parametrize("weight", [None, np.array([1.0, 2, 1, 3, 1, 1])])
def test_predictions_are_clipped_and_summaries_are_not(weight):
    tree = CARTRegressor(monotonic_cst=[1, 0]).fit(X, Y, weight).tree_
    low, high = tree.bounds
    np.testing.assert_array_equal(tree.value[:, 0], np.clip(tree.summary[:, 0], low, high))
    assert (tree.value != tree.summary).any()
    other = CARTRegressor(monotonic_cst=[-1, 0]).fit(-X, Y, weight)
    np.testing.assert_array_equal(other.predict(-X), tree.value[tree.apply(X), 0])


def test_classes_are_predicted_by_the_clipped_share():
    rng = np.random.default_rng(4)
    data = rng.normal(size=(400, 2))
    y = (data.sum(1) + rng.normal(size=400) * 2 > 0).astype(int)
    model = CARTClassifier(monotonic_cst=[1, 0], max_depth=7).fit(data, y)
    tree, share = model.tree_, model.predict_proba(data)
    assert (tree.label != tree.summary.argmax(1)).any()
    np.testing.assert_array_equal(model.predict(data), share.argmax(1))
    np.testing.assert_array_equal(share.sum(1), 1)


def test_a_tree_goes_to_json_python_and_scikit_learn_and_back():
    rng = np.random.default_rng(1)
    data = rng.normal(size=(200, 2)).astype(np.float32)
    y = data.sum(1) + rng.normal(size=200)
    model = CARTRegressor(monotonic_cst=[1, -1], max_depth=6).fit(data, y)
    expected = model.predict(data)
    again = Tree.from_json(model.tree_.to_json())
    assert again == model.tree_
    np.testing.assert_array_equal(again.value[again.apply(data), 0], expected)
    np.testing.assert_array_equal(model.tree_.to_sklearn().predict(data), expected)
    space = {}
    exec(model.tree_.to_python("predict"), space)
    assert [space["predict"]({"x0": a, "x1": b}) for a, b in data.astype(float).tolist()] == expected.tolist()
    theirs = DecisionTreeRegressor(monotonic_cst=[1, -1], max_depth=6).fit(data, y)
    np.testing.assert_array_equal(Tree.from_sklearn(theirs).value[:, 0].max(), theirs.predict(data).max())


@pytest.mark.parametrize(
    ("monotonic", "said"),
    [
        ([1], "monotonic has shape"),
        ([2, 0], "monotonic holds other values"),
    ],
)
def test_written_constraints_are_checked(monotonic, said):
    data = json.loads(CARTRegressor(monotonic_cst=[1, 0]).fit(X, Y).tree_.to_json())
    with pytest.raises(ValueError, match=said):
        Tree.from_dict(data | {"monotonic": monotonic})


def test_one_engine_grows_them_whatever_is_installed(monkeypatch):
    tree = CARTRegressor(monotonic_cst=[1, 0]).fit(X, Y).tree_
    data, rules = tree.grown_from, tree.grown_by
    assert rules.monotonic == (1, 0)
    why = depth_first.fallback_reason(data, rules, RegressionTarget(data.targets, None, "squared_error"))
    assert why == "monotonic constraints"
    monkeypatch.setattr(depth_first, "is_ready", lambda *_: not jit.has_numba())
    assert CARTRegressor(monotonic_cst=[1, 0]).fit(X, Y).tree_ == tree


@pytest.mark.parametrize("kind", [CARTClassifier, CARTRegressor])
def test_the_constraint_of_an_ordered_category_is_that_of_its_order(kind):
    rng = np.random.default_rng(0)
    size = pd.Categorical(rng.choice(["S", "M", "L"], 90), ["S", "M", "L"], ordered=True)
    y = (rng.random(90) < np.array([0.9, 0.5, 0.1])[size.codes]).astype(int)
    frame = pd.DataFrame({"size": size})
    assert kind(monotonic_cst={"size": -1}).fit(frame, y).tree_.n_leaves == 3
    assert kind(monotonic_cst={"size": 1}).fit(frame, y).tree_.n_leaves == 1


def test_the_sides_of_missing_values_are_not_learned_beside_a_constraint():
    """scikit-learn's preset may learn them, so it takes complete rows."""
    assert CARTRegressor.sklearn(monotonic_cst=[1, 0]).fit(X, Y).tree_.monotonic == (1, 0)
    with pytest.raises(
        ValueError, match="monotonic_cst is given, missing is 'learned', and X has missing values"
    ):
        CARTRegressor.sklearn(monotonic_cst=[1, 0]).fit(X.mask(X == 2), Y)
