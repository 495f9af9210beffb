"""Names of columns that are no text: read as text, compared with those of training, and asked for in SQL."""

import datetime as dt
import enum
import sqlite3
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.ensemble import BaggingClassifier, VotingClassifier
from sklearn.feature_selection import SelectFromModel
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline

from dtlib import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    ObliqueTreeClassifier,
    OptimalTreeClassifier,
    Tree,
    frame_like,
)
from dtlib.homework import worked
from dtlib.importance import leave_out_importances
from dtlib.out_of_core import Batches, Database, grow_from
from dtlib.prune import reduced_error

n = 16
RNG = np.random.default_rng(0)
X = RNG.integers(0, 5, (n, 2)).astype(float)
X[:, 1] += 100  # columns that are swapped give other answers
y = np.where((X[:, 0] > 2) ^ (X[:, 1] > 102), "yes", "no")


class Size(enum.StrEnum):
    SMALL = "small"
    LARGE = "large"


#: Labels of two columns that are no text, and what the features are called.
LABELS = {
    "whole numbers": ([10, 20], ["10", "20"]),
    "swapped places": ([1, 0], ["1", "0"]),
    "places from 1": ([1, 2], ["1", "2"]),
    "floats": ([0.0, 1.0], ["0.0", "1.0"]),
    "truth values": ([False, True], ["False", "True"]),
    "two levels": (pd.MultiIndex.from_product([["a"], ["b", ""]]), ["('a', 'b')", "('a', '')"]),
    "a level of numbers": (pd.MultiIndex.from_product([["a"], [1, 2]]), ["('a', 1)", "('a', 2)"]),
    "tuples": (pd.Index([("a", 1), ("b",)], dtype=object, tupleize_cols=False), ["('a', 1)", "('b',)"]),
    "dates": ([dt.date(2020, 1, 1), dt.date(2020, 1, 2)], ["2020-01-01", "2020-01-02"]),
    "times": (pd.to_datetime(["2020", "2021"]), ["2020-01-01 00:00:00", "2021-01-01 00:00:00"]),
    "periods": (pd.period_range("2020", periods=2, freq="Y"), ["2020", "2021"]),
    "nothing": (pd.Index([None, np.nan], dtype=object), ["None", "nan"]),
    "bytes": ([b"a", b"b"], ["b'a'", "b'b'"]),
    "several types": (pd.Index([None, 7], dtype=object), ["None", "7"]),
}  # fmt: skip
#: Labels that are text, each in another way.
TEXTS = {
    "text": ["a", "b"],
    "texts of numpy": pd.Index([np.str_("a"), np.str_("b")], dtype=object),
    "a type of text": pd.Index(["a", "b"], dtype="string"),
    "categories": pd.CategoricalIndex(["a", "b"]),
    "an enum": pd.Index([Size.SMALL, Size.LARGE], dtype=object),
}
labels_of = pytest.mark.parametrize(("labels", "names"), LABELS.values(), ids=LABELS)
TREES = [
    C45Classifier(), CARTClassifier(), CARTRegressor(), CARTClassifier.sklearn(),
    ObliqueTreeClassifier(random_state=0), OptimalTreeClassifier(max_depth=2),
]  # fmt: skip


@pytest.fixture(autouse=True)
def _no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def target_of(tree):
    return (y == "yes") * 1.0 if isinstance(tree, CARTRegressor) else y


def advised(error, **given):
    """Return what an argument is once the advice of an error was taken."""
    (name,) = given
    statement = str(error.value).partition(f"{name}.columns = ")
    assert statement[1], error.value
    exec("".join(statement[1:]), given)
    return given[name]


@labels_of
@pytest.mark.parametrize("tree", TREES)
def test_labels_are_the_names_of_the_features(tree, labels, names):
    frame, target = pd.DataFrame(X, columns=labels), target_of(tree)
    found, plain = clone(tree).fit(frame, target), clone(tree).fit(X, target)
    assert [feature.name for feature in found.tree_.features] == names
    assert found.tree_.n.tolist() == plain.tree_.n.tolist()
    assert not hasattr(found, "feature_names_in_")  # scikit-learn keeps names of text alone
    assert found.n_features_in_ == 2
    for ask in ("predict", "apply", "predict_proba"):
        if hasattr(found, ask):
            assert np.array_equal(getattr(found, ask)(frame), getattr(plain, ask)(X))
    assert found.score(frame, target) == plain.score(X, target)
    assert np.array_equal(found.predict(frame.set_axis(names, axis=1)), plain.predict(X))
    assert np.array_equal(
        found.tree_.apply(frame.iloc[:, ::-1]), plain.apply(X)
    )  # a tree looks for its features
    again = Tree.from_json(found.tree_.to_json())
    assert np.array_equal(again.apply(frame), plain.apply(X))


@labels_of
def test_swapped_and_renamed_columns_are_refused_with_the_way_out(labels, names):
    frame = pd.DataFrame(X, columns=labels)
    tree = CARTClassifier().fit(frame, y)
    with pytest.raises(ValueError, match=r"^X has the columns \[.*, and in training they were \[") as error:
        tree.predict(frame.iloc[:, ::-1])
    given = {"X": frame.iloc[:, ::-1]}
    exec(str(error.value).rpartition(": X")[2].join(["X", ""]), given)
    assert tree.predict(given["X"]).tolist() == tree.predict(frame).tolist()
    other = [[100, 200], ["a", "b"], [names[0], "b"], range(2)]
    for renamed in other:
        if {*map(str, renamed)} == {*names}:
            continue
        for ask in (tree.predict, tree.apply, tree.predict_proba, tree.decision_path):
            with pytest.raises(
                ValueError, match=r"in training they were .*: give the same ones in this order$"
            ):
                ask(frame.set_axis(renamed, axis=1))
    with pytest.raises(ValueError, match="and in training they were"):
        tree.predict(frame.iloc[:, [0]])
    with pytest.raises(ValueError, match=r"several columns called|and in training they were"):
        tree.predict(pd.concat([frame, frame], axis=1))


@labels_of
def test_an_array_has_no_names_and_a_warning_says_so(labels, names):
    tree = CARTClassifier().fit(pd.DataFrame(X, columns=labels), y)
    with pytest.warns(
        UserWarning, match=r"^X does not have valid feature names, but CARTClassifier was fitted with"
    ):
        assert tree.predict(X).tolist() == y.tolist()
    with (
        pytest.warns(UserWarning, match="does not have valid feature names"),
        pytest.raises(ValueError, match="X has 1 features, but CARTClassifier is expecting 2"),
    ):
        tree.predict(X[:, :1])


@labels_of
def test_a_tree_of_an_array_takes_no_labels(labels, names):
    tree = CARTClassifier().fit(X, y)
    with pytest.raises(
        ValueError, match=r"and in training they had no names, or 0, 1, ... in this order: "
    ) as error:
        tree.predict(frame := pd.DataFrame(X, columns=labels))
    given = {"X": frame}
    exec(f"X = {str(error.value).rpartition(' X = ')[2]}", given)
    swapped = names == ["1", "0"]
    wanted = tree.predict(X[:, ::-1] if swapped else X)
    assert tree.predict(given["X"]).tolist() == wanted.tolist()


@pytest.mark.parametrize("labels", TEXTS.values(), ids=TEXTS)
def test_texts_of_every_type_are_names(labels):
    frame = pd.DataFrame(X, columns=labels)
    tree = CARTClassifier().fit(frame, y)
    names = ["small", "large"] if isinstance(labels[0], Size) else ["a", "b"]
    assert tree.feature_names_in_.tolist() == names == [feature.name for feature in tree.tree_.features]
    assert tree.predict(frame).tolist() == tree.predict(frame.set_axis(names, axis=1)).tolist() == y.tolist()
    with pytest.raises(ValueError, match="must be in the same order"):
        tree.predict(frame.iloc[:, ::-1])


@pytest.mark.parametrize("tree", [*TREES, ID3Classifier()])
def test_a_frame_without_names_is_an_array(tree):
    target, frame = target_of(tree), pd.DataFrame(X)
    found, plain = clone(tree).fit(frame, target), clone(tree).fit(X, target)
    assert found.tree_ == plain.tree_
    assert [feature.name for feature in found.tree_.features] == ["x0", "x1"]
    for given in (X, frame, frame.set_axis(pd.Index([0, 1], dtype="int8"), axis=1)):
        assert np.array_equal(found.predict(given), plain.predict(X))
        assert np.array_equal(plain.predict(given), plain.predict(X))
    if not isinstance(tree, ID3Classifier):
        assert np.array_equal(plain.tree_.apply(frame), plain.apply(X))
    for call in (found.predict, plain.predict):
        with pytest.raises(
            ValueError, match=r"had no names, or 0, 1, ... in this order: X = X.iloc\[:, \[1, 0\]\]$"
        ):
            call(frame[[1, 0]])


def test_names_of_text_and_arrays_warn_as_in_scikit_learn():
    named, plain = CARTClassifier().fit(pd.DataFrame(X, columns=["a", "b"]), y), CARTClassifier().fit(X, y)
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        named.predict(pd.DataFrame(X))
    with pytest.warns(UserWarning, match="was fitted without feature names"):
        plain.predict(pd.DataFrame(X, columns=["a", "b"]))
    with pytest.raises(ValueError, match="feature names should match"):
        named.predict(pd.DataFrame(X, columns=[10, 20]))


@pytest.mark.parametrize("tree", [C45Classifier(), CARTClassifier(), ID3Classifier()])
def test_categories_whose_columns_nobody_named(tree):
    """As `pandas.read_csv(header=None)` reads them."""
    frame = pd.DataFrame({0: list("uvw" * 5 + "u"), 1: list("pq" * 8)})
    found = clone(tree).fit(frame, y)
    plain = clone(tree).fit(frame.set_axis(["0", "1"], axis=1), y)
    assert found.tree_ == plain.tree_
    assert found.predict(frame).tolist() == plain.predict(frame.set_axis(["0", "1"], axis=1)).tolist()
    with pytest.raises(ValueError, match=r"X = X.iloc\[:, \[1, 0\]\]$"):
        found.predict(frame[[1, 0]])


def test_a_column_without_a_value_leaves_a_frame_what_it_was():
    numbers = C45Classifier().fit(X, y)
    lacking = np.where([True, False], np.nan, X)
    gone = pd.DataFrame({0: [None] * n, 1: X[:, 1]})
    assert numbers.predict(gone).tolist() == numbers.predict(lacking).tolist()
    names = C45Classifier().fit(pd.DataFrame({0: list("uvw" * 5 + "u"), 1: list("pq" * 8)}), y)
    nothing = pd.DataFrame(np.full((n, 2), np.nan))
    assert names.predict(nothing).tolist() == names.predict(nothing.astype(object)).tolist()


MIXED = [
    ["a", 1], [1, "a"], ["a", None], pd.Index(["a", np.nan], dtype=object), ["1", 1],
    pd.Index(["a", ("b", "c")], dtype=object, tupleize_cols=False), ["a", b"a"], ["a", dt.date(2020, 1, 1)],
]  # fmt: skip


@pytest.mark.parametrize("labels", MIXED)
@pytest.mark.parametrize("tree", [C45Classifier(), CARTClassifier(), ID3Classifier()])
def test_text_beside_other_labels_is_refused_with_the_way_out(tree, labels):
    frame = pd.DataFrame(np.where(X > 2, "u", "v"), columns=labels)
    fitted = clone(tree).fit(frame.set_axis(["a", "b"], axis=1), y)
    for call in (lambda X: clone(tree).fit(X, y), fitted.predict):
        with pytest.raises(
            TypeError, match=r"^X has columns called .*, which is text, and .*, which is not: "
        ) as error:
            call(frame)
    found = advised(error, X=frame.copy())
    assert (
        clone(tree).fit(found, y).predict(found).tolist()
        == fitted.predict(frame.set_axis(["a", "b"], axis=1)).tolist()
    )


@pytest.mark.parametrize(
    "labels",
    [["a", "a"], [7, 7], pd.MultiIndex.from_tuples([("a", 1)] * 2), pd.Index([np.nan] * 2, dtype=object),
     pd.Index([None, None], dtype=object), [b"a", b"a"]],
)  # fmt: skip
def test_labels_that_are_there_twice_are_refused_with_the_way_out(labels):
    frame = pd.DataFrame(X, columns=labels)
    with pytest.raises(
        ValueError, match=r"^X has several columns called .*: rename them, X.columns = "
    ) as error:
        CARTClassifier().fit(frame, y)
    found = advised(error, X=frame.copy())
    assert CARTClassifier().fit(found, y).predict(found).tolist() == y.tolist()
    tree = CARTClassifier().fit(X, y).tree_
    with pytest.raises(ValueError, match=r"^X (has several columns|lacks the columns)"):
        tree.apply(frame.set_axis(["x0", "x0"], axis=1))


def test_labels_that_are_equal_but_written_otherwise_are_two():
    frame = pd.DataFrame(X, columns=pd.Index([1, True], dtype=object))
    tree = CARTClassifier().fit(frame, y)
    assert [feature.name for feature in tree.tree_.features] == ["1", "True"]
    assert tree.predict(frame).tolist() == y.tolist()


def test_outputs_that_are_there_twice_are_refused_with_the_way_out():
    both = pd.DataFrame({"a": y, "b": y[::-1]}).set_axis(["a", "a"], axis=1)
    with pytest.raises(
        ValueError, match=r"^y has several columns called .*: rename them, y.columns = "
    ) as error:
        CARTClassifier().fit(X, both)
    assert CARTClassifier().fit(X, advised(error, y=both.copy())).n_outputs_ == 2


def test_outputs_may_have_any_labels():
    for labels in ([10, 20], pd.MultiIndex.from_product([["a"], ["b", "c"]]), ["a", 1]):
        both = pd.DataFrame({"a": y, "b": y[::-1]}).set_axis(labels, axis=1)
        tree = CARTClassifier().fit(X, both).tree_
        assert [output.name for output in tree.outputs] == list(map(str, both.columns))


@pytest.mark.parametrize("what", ["fit", "worked", "Batches"])
def test_errors_name_the_argument_that_was_given(what):
    frame = pd.DataFrame({"a": ["u", "v"] * 8, 7: ["p", "q"] * 8, "play": y})
    call, name = {
        "fit": (lambda: ID3Classifier().fit(frame[["a", 7]], y), "X"),
        "worked": (lambda: worked(frame, "play"), "frame"),
        "Batches": (lambda: grow_from(Batches([frame], "play"), ID3Classifier()), "frame"),
    }[what]
    with pytest.raises(
        TypeError, match=rf"^{name} has columns called 'a', which is text, and 7, which is not"
    ) as error:
        call()
    assert [str(name) for name in advised(error, **{name: frame.copy()}).columns] == ["a", "7", "play"]


@pytest.mark.parametrize("labels", [[10, 20], [0, 1], [1, 0]])
def test_frames_with_a_target_have_labels_too(labels):
    frame = pd.DataFrame(X, columns=labels)
    for tree in (CARTClassifier(), C45Classifier()):
        wanted = clone(tree).fit(frame, y).tree_
        rows = frame.assign(play=y)
        found = grow_from(Batches([rows[:9], rows[9:]], "play"), clone(tree))
        assert found.tree_.to_json().replace('"play"', '"y"').replace('"class"', '"y"') == (
            wanted.to_json().replace('"class"', '"y"')
        )
        assert found.tree_.apply(frame).tolist() == wanted.apply(frame).tolist()
    names = pd.DataFrame(np.where(X > 2, "u", "v"), columns=labels).assign(play=y)
    assert "gain" in str(worked(names, "play"))


@pytest.mark.parametrize(
    "kind", ["whole numbers", "swapped places", "two levels", "dates", "nothing", "bytes"]
)
def test_sql_asks_for_columns_that_are_there(kind):
    """SQLite would take the name of a column that is not there for text, and answer wrongly."""
    labels, names = LABELS[kind]
    frame = pd.DataFrame(X, columns=labels)
    tree = CARTClassifier().fit(frame, y)
    connection = sqlite3.connect(":memory:")
    pd.DataFrame(X, columns=labels).to_sql("rows", connection, index=False)
    columns = [column[0] for column in connection.execute("SELECT * FROM rows").description]
    assert columns == names
    assert all(f'"{name}"' in tree.tree_.to_sql() for name in names)
    query = tree.tree_.to_sql(table="rows")
    assert [row[-1] for row in connection.execute(query)] == y.tolist()
    frame.set_axis(names, axis=1).assign(play=y).to_sql("with_target", connection, index=False)
    found = grow_from(Database(connection, "with_target", "play"), CARTClassifier())
    assert [feature.name for feature in found.tree_.features] == names
    assert found.tree_.apply(frame).tolist() == tree.apply(frame).tolist()
    connection.close()


@pytest.mark.parametrize("labels", [[10, 20], pd.MultiIndex.from_product([["a"], ["b", "c"]])])
def test_tools_of_scikit_learn_pass_labels_on(labels):
    frame = pd.DataFrame(X, columns=labels)
    cart = CARTClassifier(max_depth=2)
    assert cross_val_score(cart, frame, y, cv=2).shape == (2,)
    assert GridSearchCV(cart, {"max_depth": [1, 2]}, cv=2).fit(frame, y).predict(frame).shape == (n,)
    assert VotingClassifier([("cart", cart)]).fit(frame, y).predict(frame).shape == (n,)
    assert BaggingClassifier(cart, 2, random_state=0).fit(frame, y).predict(frame).shape == (n,)
    assert SelectFromModel(cart).fit(frame, y).transform(frame).shape[0] == n
    assert make_pipeline(cart).fit(frame, y).predict(frame).shape == (n,)


@pytest.mark.parametrize(
    "labels", [[0, 1], [10, 20], pd.MultiIndex.from_product([["a"], ["b", "c"]]), ["a", "b"]]
)
def test_tools_of_the_library_take_labels(labels):
    frame = pd.DataFrame(X, columns=labels)
    left = leave_out_importances(CARTClassifier(), frame, y, folds=2)
    assert left.index.tolist() == list(map(str, frame.columns))
    assert np.array_equal(left, leave_out_importances(CARTClassifier(), X, y, folds=2))
    pd.testing.assert_frame_equal(frame_like(frame).transform(X), frame)
    tree = CARTClassifier().fit(frame, y).tree_
    if list(frame) != [0, 1]:
        assert reduced_error(tree, frame.iloc[:, ::-1], y) == reduced_error(tree, frame, y)
    assert reduced_error(tree, X, y) == reduced_error(tree, frame, y)


def test_id3_leaves_out_columns_that_nobody_named():
    codes = pd.DataFrame(np.c_[X % 3, X[:, 0] > 1].astype(int))
    tree = ID3Classifier()
    assert leave_out_importances(tree, codes, y, folds=2).index.tolist() == ["0", "1", "2"]
