"""Frames inside ensembles: an array of what was a frame becomes that frame again."""

import pickle
from functools import cache

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.ensemble import BaggingClassifier, BaggingRegressor
from sklearn.pipeline import make_pipeline

from dtlib import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier, frame_like
from dtlib.datasets import load_golf, load_loan, load_watermelon
from dtlib.table.columns import kind_of

KINDS = pd.DataFrame(
    {
        "text": ["x", None, "y", "x"] * 3,
        "size": pd.Categorical(["L", "S", "M", "L"] * 3, ["S", "M", "L"], ordered=True),
        "code": pd.Categorical([3, 1, 2, 3] * 3, [3, 2, 1]),
        "true": [True, False, True, True] * 3,
        "maybe": pd.array([True, None, False, True] * 3, dtype="boolean"),
        "string": pd.array(["u", "v", None, "u"] * 3, dtype="string"),
        "float": [1.5, np.nan, 2.0, 3.0] * 3,
        "narrow": np.array([0.1, 0.2, 0.3, 0.4] * 3, dtype=np.float32),
        "int": [1, 2, 3, 4] * 3,
        "Int": pd.array([1, None, 2, 3] * 3, dtype="Int64"),
    }
)
y = np.array([0, 1, 1, 0, 1, 0, 0, 1, 0, 1, 1, 1])


def test_every_kind_of_column_comes_back():
    again = frame_like(KINDS).transform(np.asarray(KINDS))
    assert [kind_of(again[c]) for c in again] == [kind_of(KINDS[c]) for c in KINDS]
    for tree in (C45Classifier(), CARTClassifier(missing="surrogate")):
        assert clone(tree).fit(again, y).tree_ == clone(tree).fit(KINDS, y).tree_


def test_without_it_numbers_of_an_object_array_would_be_names():
    golf = load_golf()
    wrong = pd.DataFrame(np.asarray(golf.X), columns=golf.X.columns)
    assert (
        kind_of(golf.X["humidity"]) == kind_of(frame_like(golf.X).transform(wrong)["humidity"]) == "numeric"
    )
    assert kind_of(wrong["humidity"]) == "nominal"


def test_what_was_not_there_may_come_later():
    step = frame_like(KINDS)
    later = KINDS.head(2).astype(object)
    later["int"], later["size"], later["true"] = None, ["XL", None], [None, True]
    again = step.transform(later.to_numpy())
    assert again["int"].isna().all()
    assert kind_of(again["int"]) == "numeric"
    assert again["size"].cat.categories.tolist() == ["S", "M", "L", "XL"]
    assert kind_of(again["size"]) == "ordered"
    assert again["true"].tolist() == [None, True]  # not False
    for missing in ("majority", "surrogate", "fractional"):
        tree = CARTClassifier(missing=missing).fit(KINDS, y)
        assert np.array_equal(tree.predict_proba(again), tree.predict_proba(again.assign(int=np.nan)))


def test_numbers_alone_stay_what_they_were():
    X = KINDS[["int", "narrow"]]
    assert frame_like(X).transform(X.to_numpy()).dtypes.tolist() == [np.int64, np.float32]


@cache
def with_names():
    """List frames with names: some with numbers, some with missing values."""
    golf, melons, loan = load_golf(), load_watermelon("3.0"), load_loan()
    holes = melons.X.astype(object).mask(np.random.default_rng(0).random(melons.X.shape) < 0.15)
    holes = holes.astype({name: melons.X[name].dtype for name in melons.X})
    whole = {"golf": (golf.X, golf.y), "melons": (melons.X, melons.y), "loan": (loan.X, loan.y)}
    return whole | {"holes": (holes, melons.y)}


@pytest.mark.long
@pytest.mark.parametrize("table", ["golf", "melons", "loan", "holes"])
@pytest.mark.parametrize("tree", [C45Classifier(), CARTClassifier(missing="surrogate", max_features=2)])
def test_bagged_trees_are_those_of_the_frames_rows(table, tree):
    X, target = with_names()[table]
    bag = BaggingClassifier(make_pipeline(frame_like(X), tree), n_estimators=8, random_state=0).fit(X, target)
    codes = np.unique(target, return_inverse=True)[1]  # which bagging makes of the classes
    for pipe, rows in zip(bag.estimators_, bag.estimators_samples_, strict=True):
        alone = clone(pipe[-1]).fit(X.iloc[rows], codes[rows])
        assert pipe[-1].tree_ == alone.tree_
    mean = np.mean([pipe.predict_proba(X) for pipe in bag.estimators_], axis=0)
    np.testing.assert_allclose(bag.predict_proba(X), mean)
    assert bag.score(X, target) > 0.7
    again = pickle.loads(pickle.dumps(bag))
    assert (again.predict_proba(X) == bag.predict_proba(X)).all()


def test_id3_and_regression_trees_bag_too():
    loan = load_loan()
    bag = BaggingClassifier(make_pipeline(frame_like(loan.X), ID3Classifier()), 5, random_state=0)
    assert bag.fit(loan.X, loan.y).score(loan.X, loan.y) > 0.8
    golf = load_golf()
    X = golf.X.drop(columns="humidity")
    tree = make_pipeline(frame_like(X), CARTRegressor(max_depth=2))
    numbers = BaggingRegressor(tree, 5, random_state=0).fit(X, golf.X["humidity"])
    mean = np.mean([pipe.predict(X) for pipe in numbers.estimators_], axis=0)
    np.testing.assert_allclose(numbers.predict(X), mean)
    assert {feature.kind for feature in numbers.estimators_[0][-1].tree_.features} == {"nominal", "numeric"}


def test_wrong_shapes_and_types_are_named():
    with pytest.raises(TypeError, match="X is of type ndarray; wanted the DataFrame"):
        frame_like(np.zeros((2, 2)))
    with pytest.raises(
        ValueError, match=r"shape \(2, 3\), the frame had 10 columns: text, size.*max_features=1"
    ):
        frame_like(KINDS).transform(np.zeros((2, 3)))
    loan = load_loan()
    some = BaggingClassifier(make_pipeline(frame_like(loan.X), ID3Classifier()), 2, max_features=0.5)
    with pytest.raises(ValueError, match=r"shape \(15, 2\), the frame had 4 columns"):
        some.fit(loan.X, loan.y)
    X = pd.DataFrame({"when": pd.date_range("2020", periods=12), "name": list("ab") * 6})
    dates = BaggingClassifier(make_pipeline(frame_like(X), C45Classifier()), 2)
    with pytest.raises(TypeError, match="which is neither categorical nor numeric"):  # dates stay dates
        dates.fit(X, y)


@pytest.mark.parametrize("ordered", [True, False])
@pytest.mark.parametrize(
    "names", [pd.Index([2, 1], dtype="int8"), pd.Index([0.5, 2], dtype="float32"),
              pd.Index(["b", "a"], dtype="string")],
)  # fmt: skip
def test_the_names_of_a_category_keep_their_type(names, ordered):
    """It is that of the frame, not what pandas would make of a list of the names."""
    X = pd.DataFrame({"c": pd.Categorical(names, names, ordered)})
    again = frame_like(X).transform(X.astype(object).to_numpy())
    assert again["c"].cat.categories.dtype == names.dtype
    pd.testing.assert_frame_equal(again, X)
