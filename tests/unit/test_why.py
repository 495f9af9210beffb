"""Why a row has its answer: in sentences, in tables, in the picture, and where it is refused."""

# ruff: noqa: RUF001  (Chinese has its own comma)

import pickle
import xml.etree.ElementTree as ET

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier

from dtlib import CARTClassifier, CARTRegressor, ID3Classifier, ObliqueTreeClassifier, Tree, draw
from dtlib.datasets import load_heart, load_loan, load_regression_points
from dtlib.messages import use_language
from dtlib.telling import boxes, why
from dtlib.telling.hitting_sets import smallest_hitting_set
from dtlib.telling.why import Why

LOAN, POINTS = load_loan(), load_regression_points()
BOTH = LOAN.X[(LOAN.X["has_job"] == "yes") & (LOAN.X["owns_house"] == "yes")].head(1)
JOB = LOAN.X[(LOAN.X["has_job"] == "yes") & (LOAN.X["owns_house"] == "no")].head(1)


@pytest.fixture(scope="module")
def loan():
    return ID3Classifier().fit(LOAN.X, LOAN.y)


def fitted(rows, y, columns="abc"):
    """Fit a tree to rows of 0 and 1."""
    X = pd.DataFrame(rows, columns=list(columns), dtype=float)
    return CARTClassifier().fit(X, y), X


def all_of_three():
    """Return a tree that says yes if all of three are 1, and its rows."""
    rows = [[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)]
    y = ["yes" if sum(row) == 3 else "no" for row in rows]
    return fitted(rows, y)


def test_one_value_suffices_and_two_turn_the_answer(loan):
    told = loan.explain(BOTH).why
    assert str(told) == (
        "owns_house = yes suffices for the answer yes.\n"
        "With has_job = no and owns_house = no, the answer would be no."
    )
    assert repr(told) == str(told)
    assert told.prediction == "yes"
    assert told.changes["values"].tolist() == [{"has_job": "no", "owns_house": "no"}]
    assert told.changes["prediction"].tolist() == ["no"]


def test_of_two_values_that_suffice_the_one_on_the_path_is_told(loan):
    assert len(loan.explain(BOTH)) == 2
    assert loan.explain(BOTH).why.sufficient == {"owns_house": "yes"}


def test_three_values_turn_the_answer_which_is_said():
    model, X = all_of_three()
    told = model.explain(X.head(1)).why
    assert str(told) == "a = 0 suffices for the answer no.\nNo change of one or two values turns the answer."
    assert told.changes.empty
    assert list(told.changes) == ["change", "prediction", "values"]
    full = model.explain(X.tail(1)).why
    assert full.sufficient == {"a": 1.0, "b": 1.0, "c": 1.0}
    assert full.changes["change"].tolist() == ["a ≤ 0.5", "b ≤ 0.5", "c ≤ 0.5"]


def test_a_tree_of_one_leaf_has_the_answer_whatever_the_values_are():
    model, X = fitted([[0, 1, 1], [1, 0, 0]], ["yes", "yes"])
    told = model.explain(X.head(1)).why
    assert told.sufficient == {}
    assert str(told) == "Whatever the values are, the answer is yes."


def test_further_changes_are_counted():
    rows = np.eye(5) == 0
    model, X = fitted([*rows.astype(int), [1] * 5], ["no"] * 5 + ["yes"], "abcde")
    said = str(model.explain(X.tail(1)).why).splitlines()
    assert len(said) == 5
    assert said[-1] == "Further changes that turn the answer: 2."


def test_a_search_that_is_given_up_is_told(monkeypatch):
    model, X = all_of_three()
    monkeypatch.setattr(why, "smallest_hitting_set", lambda sets: smallest_hitting_set(sets, 0))
    told = model.explain(X.tail(1)).why
    assert not told.is_smallest
    assert str(told).startswith(
        "a = 1 and b = 1 and c = 1 suffice for the answer yes; fewer values may do, too.\n"
    )


def test_too_many_boxes_are_refused(monkeypatch, loan):
    monkeypatch.setattr(boxes, "MOST", 1)
    with pytest.raises(ValueError, match="more than 1 boxes around this row"):
        _ = loan.explain(LOAN.X.head(1)).why.sufficient


def test_oblique_splits_are_refused_and_the_path_is_not():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 2))
    model = ObliqueTreeClassifier(max_depth=2).fit(X, X.sum(1) > 0)
    path = model.explain(X[:1])
    assert len(path) > 1
    with pytest.raises(ValueError, match="oblique splits, whose parts of space are no boxes"):
        str(path.why)


def test_a_path_is_a_frame_whose_parts_are_plain_frames(loan):
    path = loan.explain(LOAN.X.head(1))
    assert isinstance(path, pd.DataFrame)
    assert type(path.head(1)) is type(path[["node"]]) is type(path.copy()) is pd.DataFrame
    assert str(pickle.loads(pickle.dumps(path)).why) == str(path.why)
    assert repr(path) == repr(path.copy())


def test_missing_values_are_values_where_the_tree_accepts_them():
    X = pd.DataFrame({"a": [0, 0, 1, 1, None, None], "b": [0, 1, 0, 1, 0, 1]}, dtype=float)
    model = CARTClassifier(missing="learned").fit(X, [*"nnyynn"])
    told = model.explain(X.tail(1)).why
    assert told.sufficient == {"a": None}
    assert str(told) == "a is missing suffices for the answer n.\nWith a > 0.5, the answer would be y."
    known = model.explain(X.iloc[[2]]).why
    assert known.changes["change"].tolist() == ["a ≤ 0.5"]
    only = CARTClassifier(missing="learned").fit(X, [*"yyyynn"]).explain(X.head(1)).why
    assert only.changes[["change", "values"]].to_numpy().tolist() == [["a is missing", {"a": None}]]


def test_an_unseen_category_can_be_among_what_suffices(loan):
    told = loan.explain(LOAN.X.head(1).assign(owns_house="shared")).why
    assert told.sufficient == {"owns_house": "an unseen category"}
    assert str(told).startswith("owns_house = an unseen category suffices for the answer yes.")


def test_a_wanted_class_and_a_wanted_number():
    flowers = load_iris(as_frame=True)
    model = CARTClassifier().fit(flowers.data, flowers.target_names[flowers.target])
    told = model.explain(flowers.data.head(1)).why
    assert set(told.changes["prediction"]) == {"versicolor"}  # which is nearer
    assert set(told.changes_to("virginica")["prediction"]) == {"virginica"}
    low = CARTRegressor(max_depth=2).fit(POINTS.X, POINTS.y).explain(POINTS.X.head(1)).why
    assert low.changes_to(above=8)["change"].tolist() == ["x > 7.5"]
    assert low.changes_to(above=100).empty
    with pytest.raises(ValueError, match=r"below is 8; the row's prediction, 4\.72, is below it already"):
        low.changes_to(below=8)
    assert low.changes_to(below=4.72).empty


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ({"prediction": "maybe"}, r"prediction is 'maybe'; the classes are \('no', 'yes'\)"),
        ({"prediction": "no"}, "prediction is 'no', which the row has; wanted another class"),
        ({"above": 3}, "above is 3; wanted a class as prediction"),
        ({"prediction": "yes", "below": 3}, "prediction and below are given; wanted one of them"),
    ],
)
def test_an_answer_that_cannot_be_wanted(loan, wanted, message):
    with pytest.raises(ValueError, match=message):
        loan.explain(LOAN.X.head(1)).why.changes_to(**wanted)


def test_numbers_have_no_class_and_a_limit_is_a_number():
    told = CARTRegressor(max_depth=1).fit(POINTS.X, POINTS.y).explain(POINTS.X.head(1)).why
    with pytest.raises(ValueError, match="prediction is 8; wanted a number as above or below"):
        told.changes_to(8)
    with pytest.raises(ValueError, match="above is 'much'; wanted a number"):
        told.changes_to(above="much")


def test_several_outputs_have_a_tuple_of_answers():
    y = pd.DataFrame({"p": [*"nnyy"], "q": [*"nyny"]})
    X = pd.DataFrame({"a": [0.0, 0, 1, 1], "b": [0.0, 1, 0, 1]})
    told = CARTClassifier().fit(X, y).explain(X.head(1)).why
    assert told.prediction == ("n", "n")
    assert str(told) == (
        "a = 0 and b = 0 suffice for the answer n, n.\n"
        "With a > 0.5, the answer would be y, n.\nWith b > 0.5, the answer would be n, y."
    )
    assert told.changes_to(("y", "y"))["change"].tolist() == ["a > 0.5 and b > 0.5"]
    with pytest.raises(ValueError, match="wanted a tuple of 2 classes"):
        told.changes_to("y")
    numbers = CARTRegressor().fit(X, (y == "y").astype(float)).explain(X.head(1)).why
    assert str(numbers).startswith("a = 0 and b = 0 suffice for the answer 0, 0.")
    with pytest.raises(ValueError, match="the tree predicts several numbers"):
        numbers.changes_to(above=1)


def test_a_tree_of_scikit_learn_has_reasons_too():
    flowers = load_iris()
    model = DecisionTreeClassifier(max_depth=2, random_state=0).fit(flowers.data, flowers.target)
    tree, row = Tree.from_sklearn(model), flowers.data[0]
    told = Why(tree, row)
    for change in told.nearest:
        after = change.after(row)
        assert model.predict([after])[0] == change.answer[0] != model.predict([row])[0]
    assert told.nearest


def test_a_large_tree_has_reasons_whatever_is_missing():
    """Every row is checked: without the values that suffice, others do not change the answer."""
    heart = load_heart()
    model = CARTClassifier(missing="surrogate").fit(heart.X, heart.y)
    told = model.explain(heart.X.iloc[[3]]).why
    others = heart.X.sample(500, replace=True, random_state=0)
    for name, value in told.sufficient.items():
        others[name] = pd.Series([value] * 500, others.index).astype(heart.X[name].dtype)
    assert set(model.predict(others)) == {told.prediction}
    for prediction, values in told.changes[["prediction", "values"]].itertuples(index=False):
        row = heart.X.iloc[[3]]
        row = row.assign(**{k: pd.Series([v], row.index).astype(row[k].dtype) for k, v in values.items()})
        assert model.predict(row)[0] == prediction


# The picture


def edges(picture):
    """Return for each edge whether it is accented, and whether it is dashed."""
    paths = [path for path in ET.fromstring(picture.svg).iter() if path.tag.endswith("path")]
    return sorted(
        ("--dt-accent" in path.get("style"), path.get("stroke-dasharray") is not None) for path in paths
    )


def test_the_picture_dashes_what_is_not_needed_and_notes_the_changes(loan):
    told = loan.explain(JOB).why
    shown = draw.tree(loan, highlight=told)
    assert told.sufficient == {"has_job": "yes"}
    assert edges(shown) == [(False, False)] * 2 + [(True, False), (True, True)]
    assert "with has_job = no" in shown.svg
    assert shown.description.endswith(" ".join(["Highlighted: the path to node 4.", *str(told).split("\n")]))


def test_a_note_of_ones_own_is_kept_and_what_is_not_drawn_has_none(loan):
    told = loan.explain(BOTH).why
    leaf = int(loan.apply(LOAN.X.head(1))[0])
    assert "my own" in draw.tree(loan, highlight=told, notes={leaf: "my own"}).svg
    assert "with has_job" not in draw.tree(loan, highlight=told, notes={leaf: "my own"}).svg
    assert "with has_job" not in draw.tree(loan, highlight=told, depth=1).svg


def test_two_changes_into_a_leaf_share_its_note():
    X = pd.DataFrame({"a": [0.0, 0, 0, 1, 1, 1], "b": [0.0, 0, 0, 1, 1, 1]})
    model = CARTClassifier(missing="surrogate").fit(X, [*"nnnyyy"])
    told = model.explain(X.head(1).assign(a=np.nan)).why
    assert told.changes["change"].tolist() == ["a > 0.5", "b > 0.5"]
    assert draw.tree(model, highlight=told).description.count("with a > 0.5; with b > 0.5") == 1


def test_the_answer_of_another_tree_is_refused(loan):
    other = CARTClassifier(max_depth=1).fit(LOAN.X, LOAN.y)
    with pytest.raises(ValueError, match="why another tree has its answer"):
        draw.tree(other, highlight=loan.explain(LOAN.X.head(1)).why)


def test_all_is_said_in_chinese(loan):
    use_language("zh")
    try:
        assert str(loan.explain(LOAN.X.head(1)).why) == (
            "只要has_job = no且owns_house = no，就足以得出答案no。\n"
            "若has_job = yes，则答案为yes。\n若owns_house = yes，则答案为yes。"
        )
    finally:
        use_language("en")
