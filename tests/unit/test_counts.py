import numpy as np
import pandas as pd
import pytest

from dtlib.counting.tables import class_counts, contingency, count_tables, whole
from dtlib.datasets import load_loan, load_watermelon


def test_contingency_of_the_loans():
    table = contingency(load_loan().frame, "age", "approved")
    assert table.index.tolist() == ["young", "middle-aged", "old"]
    assert table.columns.tolist() == ["no", "yes"]
    assert table.to_numpy().tolist() == [[3, 2], [2, 3], [1, 4]]
    assert table.to_numpy().dtype == np.int64


def test_missing_values_are_dropped_or_get_a_row():
    frame = load_watermelon("2.0a").frame
    known = contingency(frame, "color", "good")
    assert known.to_numpy().sum() == 14
    every = contingency(frame, "color", "good", missing="row")
    assert every.to_numpy().sum() == 17
    assert every.iloc[:3].equals(known)
    assert np.isnan(every.index[-1])
    assert every.iloc[-1].tolist() == [1, 2]


def test_without_missing_values_there_is_no_extra_row():
    frame = load_loan().frame
    assert contingency(frame, "age", "approved", missing="row").equals(contingency(frame, "age", "approved"))


def test_weights():
    frame = load_loan().frame
    once, half = (
        contingency(frame, "age", "approved"),
        contingency(frame, "age", "approved", weight=[0.5] * 15),
    )
    assert np.array_equal(half * 2, once)
    twice = contingency(frame, "age", "approved", weight=[2.0] * 15)
    assert np.array_equal(twice, once * 2)
    assert twice.to_numpy().dtype == np.int64


def test_values_stay_as_they_are_beside_a_missing_one():
    frame = pd.DataFrame({"x": pd.Categorical([1, 2, None]), "y": [0, 1, 1]})
    table = contingency(frame, "x", "y", missing="row")
    assert [repr(value) for value in table.index] == ["1", "2", "nan"]
    assert table.to_numpy().tolist() == [[1, 0], [0, 1], [0, 1]]


def test_tuples_are_values_too():
    frame = pd.DataFrame({"x": [("b", 2), ("a", 1), ("b", 2)], "y": [(0,), (1,), (1,)]})
    table = contingency(frame, "x", "y")
    assert table.index.tolist() == [("a", 1), ("b", 2)]
    assert table.columns.tolist() == [(0,), (1,)]
    assert table.to_numpy().tolist() == [[0, 1], [1, 1]]
    assert class_counts(frame["x"]).to_dict() == {("a", 1): 1, ("b", 2): 2}


def test_integers_are_classes_but_no_feature():
    frame = pd.DataFrame({"x": ["a", "b", "b"], "y": [1, 0, 1]})
    assert contingency(frame, "x", "y").columns.tolist() == [0, 1]
    assert class_counts(frame["y"]).to_dict() == {0: 1, 1: 2}
    with pytest.raises(TypeError, match="column 'y' is of type int64; wanted a categorical column"):
        contingency(frame, "y", "x")


@pytest.mark.parametrize("column", [[0.5, 1.5], pd.to_datetime(["2020-01-01", "2020-01-02"])])
def test_classes_are_names_or_integers(column):
    frame = pd.DataFrame({"x": ["a", "b"], "y": column})
    for count in (lambda: contingency(frame, "x", "y"), lambda: class_counts(frame["y"])):
        with pytest.raises(TypeError, match=r"column 'y' is of type .*; wanted a categorical column"):
            count()


def test_a_declared_category_that_does_not_occur_keeps_its_row():
    frame = pd.DataFrame({"x": pd.Categorical(["a", "a"], ["a", "b"]), "y": ["no", "yes"]})
    assert contingency(frame, "x", "y").to_numpy().tolist() == [[1, 1], [0, 0]]


def test_count_tables_of_several_nodes():
    rng = np.random.default_rng(0)
    codes, target, node = rng.integers(0, 4, 50), rng.integers(0, 3, 50), rng.integers(0, 5, 50)
    weight = rng.random(50)
    tables = count_tables(codes, target, (5, 4, 3), node, weight)
    for j, v, k in np.ndindex(5, 4, 3):
        here = (node == j) & (codes == v) & (target == k)
        assert tables[j, v, k] == pytest.approx(weight[here].sum())


def test_class_counts():
    assert class_counts(load_loan().y).to_dict() == {"no": 6, "yes": 9}


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda f: contingency(f, "agee", "approved"), KeyError, "no column 'agee'"),
        (lambda f: contingency(f.assign(age=1.5), "age", "approved"), TypeError, "pandas.cut"),
        (lambda f: contingency(f, "age", "approved", missing="keep"), ValueError, "missing is 'keep'"),
        (lambda f: contingency(f, "age", "approved", weight=[1]), ValueError, "there are 15 rows"),
        (
            lambda f: contingency(f, "age", "approved", weight=[-1.0] + [1] * 14),
            ValueError,
            r"weight\[0\] is -1",
        ),
        (lambda f: contingency(f, "age", "approved", weight=[np.nan] * 15), ValueError, "weight is missing"),
        (lambda f: contingency(f, "age", "approved", weight=[0] * 15), ValueError, "zero for every row"),
        (lambda f: contingency(f.assign(age=["a", 1, 2] * 5), "age", "approved"), TypeError, "int, str"),
        (
            lambda f: contingency(pd.concat([f, f], axis=1), "age", "approved"),
            ValueError,
            "2 columns are called",
        ),
        (
            lambda f: contingency(f, "age", "approved", weight=[1.7e308] * 15),
            ValueError,
            "weight has an infinite sum",
        ),
        (lambda f: contingency({"age": ["a"]}, "age", "approved"), TypeError, "frame is of type dict"),
        (lambda f: class_counts(["a", "b"]), TypeError, "target is of type list; give a Series"),
        (lambda f: class_counts(np.array(["a", "b"])), TypeError, "target is of type ndarray"),
    ],
)
def test_bad_input_is_named(call, error, words):
    with pytest.raises(error, match=words):
        call(load_loan().frame)


def test_rows_without_a_class_are_counted_and_refused():
    frame = load_loan().frame
    with pytest.raises(ValueError, match="target 'approved' is missing in 5 rows, the first is row 1 "):
        contingency(frame.assign(approved=["no", None, "yes"] * 5), "age", "approved")
    with pytest.raises(ValueError, match="target 'y' is missing in 1 row, which is row 1 "):
        class_counts(pd.Series(["a", None], name="y"))


@pytest.mark.parametrize(
    ("counts", "kind"),
    [
        ([1, 2], "i"),
        ([1.0, 2.0], "i"),
        ([1.0, 2.5], "f"),
        ([1.0, 2.0**53], "f"),
        ([1.0, -(2.0**53)], "f"),
        ([], "i"),
    ],
)
def test_counts_are_whole_if_all_are_and_a_float_has_them_exactly(counts, kind):
    found = whole(np.array(counts))
    assert found.dtype.kind == kind
    assert found.tolist() == counts


def test_classes_are_counted_by_their_weight():
    y = pd.Series(["yes", "no", "yes"])
    assert class_counts(y, [1, 2, 4]).tolist() == [2, 5]
    for call in (lambda w: class_counts(y, w), lambda w: contingency(y.to_frame("y"), "y", "y", w)):
        with pytest.raises(ValueError, match=r"^weight has shape \(1,\), but there are 3 rows"):
            call([1])
