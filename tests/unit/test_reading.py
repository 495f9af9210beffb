"""What X and y are read as, given directly: the forms that are taken, and the limits of numbers."""

import datetime as dt
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.exceptions import DataConversionWarning

from dtlib.table.coded import Coded
from dtlib.table.columns import Column, Feature, encode, numbers_of
from dtlib.table.feature_names import check_names, has_default_columns, with_feature_names
from dtlib.table.frames import typed
from dtlib.table.reading import (
    check_classes,
    check_no_missing,
    check_outputs,
    class_targets,
    number_targets,
    read_numbers,
)
from dtlib.table.training import (
    Training,
    between,
    read_column,
    stack_training,
    thresholds,
    values_beside,
)

SIZES = pd.CategoricalDtype(["S", "M", "L"], ordered=True)


@pytest.mark.parametrize(
    ("frame", "bare"),
    [
        (pd.DataFrame({0: [1.0]}), True),
        (pd.DataFrame({0: [1.0], 1: [2.0]}), True),
        (pd.DataFrame({0: [1.0], "a": [2.0]}), False),
        (pd.DataFrame({0: ["u"]}), False),
        (pd.DataFrame({0: [1.0], 1: ["u"]}), False),
        (pd.DataFrame({0: [1.0], 1: [None]}), True),
        (pd.DataFrame({1: [1.0], 0: [2.0]}), False),
        (pd.DataFrame({1: [1.0], 2: [2.0]}), False),
        (pd.DataFrame({0.0: [1.0], 1.0: [2.0]}), False),
        (pd.DataFrame({False: [1.0], True: [2.0]}), False),
        (pd.DataFrame({"a": [1.0]}), False),
        (pd.DataFrame(index=[0]), False),
    ],
)
def test_a_frame_without_names_is_an_array_if_it_holds_numbers(frame, bare):
    assert has_default_columns(frame) is bare


def test_names_of_columns():
    check_names(pd.DataFrame({"a": [1]}))
    for rows, columns in ((0, 1), (1, 0), (0, 0)):
        with pytest.raises(ValueError, match=rf"X has shape \({rows}, {columns}\); at least one row"):
            check_names(pd.DataFrame(np.zeros((rows, columns)), columns=list("ab")[:columns]))
    with pytest.raises(TypeError, match="columns called 'a', which is text, and 7, which"):
        check_names(pd.DataFrame([[1, 2, 3]], columns=["a", 7, 8]))
    with pytest.raises(ValueError, match=r"several columns called \['b'\]"):
        with_feature_names(pd.DataFrame([[1, 2, 3, 4]], columns=list("abab")).iloc[:, 1:])
    with pytest.raises(ValueError, match=r"^X has several columns called \['b', 'a'\]: rename them"):
        with_feature_names(pd.DataFrame([[1, 2, 3, 4, 5]], columns=list("babca")))
    twice = pd.DataFrame([[1, 2, 3]], columns=list("aba"))
    with pytest.raises(ValueError, match=r"^y has several columns called \['a'\]: rename them"):
        number_targets(twice, 1)


def test_holes_in_names_are_named_and_those_in_numbers_are_left_to_others():
    frame = pd.DataFrame(
        {"x": [1.0, np.nan], "a": ["u", None], "b": ["u", "v"], "s": pd.Series(["S", None], dtype=SIZES)}
    )
    check_no_missing(frame[["x", "b"]])
    with pytest.raises(
        ValueError, match=r"features: a, s; the first is in row 1 \(counted from 0\), column 'a'\. Leave"
    ):
        check_no_missing(frame)


@pytest.mark.parametrize(
    "X",
    [
        [[1, 2]],
        np.array([[2**53, -(2**53)]]),
        np.array([[2.0**60]]),
        np.array([[1, 2.5]], dtype=object),
        np.array([[True]]),
    ],
)
def test_arrays_of_numbers_pass(X):
    read_numbers(X)


@pytest.mark.parametrize(
    ("X", "error", "words"),
    [
        (None, ValueError, "X is None"),
        (pd.Series([1]), ValueError, "X is one column; wanted a DataFrame"),
        (np.zeros((0, 2), int), ValueError, "X has 0 sample"),
        (sparse.csr_array(np.eye(2)), TypeError, "X is sparse"),
        (np.array(["text"]), ValueError, r"X has shape \(1,\)"),
        (np.array([["u"]]), TypeError, "an array of text "),
        (np.array([[1, b"u"]], dtype=object), TypeError, "an array of text "),
        (np.array([[1, "2"]], dtype=object), TypeError, "an array of text "),
        (np.array([["2020"]], "M8[D]"), TypeError, "an array of dates "),
        (np.array([[3]], "m8[D]"), TypeError, "an array of spans of time .*such as the year"),
        (np.array([[{}]], dtype=object), TypeError, "objects that are not all numbers"),
        (np.array([[2**53 + 1, 0]]), ValueError, "beyond 2"),
        (np.array([[0, -(2**53) - 1]]), ValueError, "beyond 2"),
        (np.array([[2**64 - 1]], np.uint64), ValueError, "beyond 2"),
    ],
)
def test_other_arrays_are_refused(X, error, words):
    with pytest.raises(error, match=words):
        read_numbers(X)


@pytest.mark.parametrize(
    ("y", "names"),
    [
        ([1, 2], ["y"]),
        ((1, 2), ["y"]),
        (np.array([1, 2]), ["y"]),
        (np.array([[1, 3], [2, 4]]), ["y0", "y1"]),
        ([[1, 3], [2, 4]], ["y0", "y1"]),
        (pd.Series([1, 2]), ["y"]),
        (pd.Series([1, 2], name="loan"), ["loan"]),
        (pd.Series([1, 2], name=0), ["0"]),
        (pd.Index([1, 2], name="loan"), ["loan"]),
        (pd.array([1, 2]), ["y"]),
        (pd.DataFrame({"a": [1, 2]}), ["a"]),
        (pd.DataFrame([[1], [2]], columns=pd.Index([None], dtype=object)), ["y"]),
    ],
)
def test_outputs_have_the_names_they_come_with(y, names):
    found = check_outputs(y, 2)
    assert [name for name, _ in found] == names
    assert [np.asarray(column).tolist() for _, column in found] == [[1, 2], [3, 4]][: len(names)]


def test_entries_of_a_list_keep_their_types():
    ((_, column),) = check_outputs(["a", 1], 2)
    assert column.tolist() == ["a", 1]


def test_a_column_is_one_output_and_scikit_learn_warns():
    with pytest.warns(DataConversionWarning, match="column-vector"):
        ((name, column),) = check_outputs(np.array([[1], [2]]), 2)
    assert (name, column.tolist()) == ("y", [1, 2])


@pytest.mark.parametrize(
    ("y", "error", "words"),
    [
        (None, ValueError, "y is None"),
        ("city", ValueError, r"y is 'city'; wanted shape \(2,\), or \(2, outputs\)"),
        (np.zeros((2, 0)), ValueError, r"y has shape \(2, 0\)"),
        (np.zeros((2, 1, 1)), ValueError, r"y has shape \(2, 1, 1\)"),
        ([1, 2, 3], ValueError, "y has 3 entries, but X has 2 rows"),
        ([1], ValueError, "y has 1 entry, but X has 2 rows"),
        (
            pd.DataFrame([[1, 2], [3, 4]], columns=["a", "a"]),
            ValueError,
            r"y has several columns called \['a'\]",
        ),
        (sparse.csr_array(np.eye(2)), TypeError, "y is sparse"),
    ],
)
def test_outputs_of_other_shapes_are_refused(y, error, words):
    with pytest.raises(error, match=words):
        check_outputs(y, 2)


@pytest.mark.parametrize(
    ("y", "classes", "kind"),
    [
        ([1, 0], [1, 0], "i"),
        ([True, False], [True, False], "b"),
        ([1.0, 2.0], [1, 2], "f"),
        (["no", "yes"], ["no", "yes"], "O"),
        (pd.Series(["no", "yes"], dtype="category"), ["no", "yes"], "O"),
        (pd.Series([2, 1], dtype="category"), [2, 1], "i"),
        (pd.array([2, 1], dtype="Int64"), [2, 1], "i"),
        (pd.array([True, False], dtype="boolean"), [True, False], "b"),
        ([np.str_("no"), "yes"], ["no", "yes"], "O"),
    ],
)
def test_classes_keep_their_type(y, classes, kind):
    found = check_classes(y)
    assert found.tolist() == classes
    assert found.dtype.kind == kind


@pytest.mark.parametrize(
    ("y", "error", "words"),
    [
        (["no", None, None], ValueError, "^y is missing in 2 rows, the first is row 1 "),
        ([1.0, np.inf], ValueError, r"^y is inf in row 1 \(counted from 0\), which is no class"),
        (["no", 1], TypeError, "^y mixes classes of types int, str"),
        ([0.5, 1.5], ValueError, "Unknown label type: continuous"),
    ],
)
def test_what_is_no_class_is_refused(y, error, words):
    with pytest.raises(error, match=words):
        check_classes(y)


def test_targets_are_coded_by_their_values():
    (target,) = class_targets(pd.Series(["yes", "no", "yes"], name="loan"), 3)
    assert (target.name, target.kind) == ("loan", "nominal")
    assert (target.values.tolist(), target.codes.tolist()) == (["no", "yes"], [1, 0, 1])
    (target,) = number_targets([2.5, 0.5, 2.5], 3)
    assert (target.name, target.kind) == ("y", "numeric")
    assert (target.values.tolist(), target.codes.tolist()) == ([0.5, 2.5], [1, 0, 1])


@pytest.mark.parametrize("y", [[1e150, -1e150], [1e-100, 0.0], [0.0, 0.0], [-1e-100, 1e-200]])
def test_numbers_whose_squares_are_numbers(y):
    (target,) = number_targets(y, 2)
    assert target.values[target.codes].tolist() == y


@pytest.mark.parametrize(
    ("y", "words"),
    [
        ([1.1e150, 0.0], r"^y holds 1\.1e\+150; beyond ±1e\+150 squares are infinite"),
        ([0.0, -1.1e150], r"^y holds -1\.1e\+150; beyond"),
        ([9e-101, 0.0], "^y holds 9e-101 and nothing larger"),
        ([-9e-101, 1e-120], "^y holds -9e-101 and nothing larger"),
        ([1.0, np.nan], r"^y is missing \(NaN\) in row 1 "),
        ([np.inf, 1.0], "^y is inf in row 0 "),
        (["1", "a"], "^y holds no real numbers"),
        ([1j, 1], "^y holds no real numbers .*complex"),
        ([2**53 + 1, 0], r"^y holds 9007199254740993; beyond 2\*\*53 .*: subtract an offset, or give floats"),
        ([0, 2**64], "^y holds 18446744073709551616; beyond"),
        (pd.array([0, -(2**53) - 1], dtype="Int64"), "^y holds -9007199254740993; beyond"),
    ],
)
def test_numbers_whose_squares_are_none_are_refused(y, words):
    with pytest.raises(ValueError, match=words):
        number_targets(y, 2)


def test_whole_numbers_and_floats_up_to_the_limit_are_predicted():
    for y in ([2**53, -(2**53)], [1e17, 0.0]):
        (target,) = number_targets(y, 2)
        assert target.values[target.codes].tolist() == y


DAY = dt.date(2020, 1, 1)


@pytest.mark.parametrize("read", [class_targets, number_targets])
@pytest.mark.parametrize(
    ("y", "kind"),
    [
        ([DAY, DAY], "date"),
        (pd.Series([None, DAY], dtype=object), "date"),
        (pd.Categorical([DAY, DAY]), "date"),
        ([dt.time(1), dt.time(2)], "time"),
        (np.array([DAY, DAY], "M8[s]"), r"datetime64\[s\]"),
        (pd.date_range("2020", periods=2), "datetime64.*"),
        (pd.to_timedelta([1, 2]), "timedelta64.*"),
        (pd.period_range("2020", periods=2, freq="D"), r"period\[D\]"),
        (pd.Series([[1], [2]]), "list"),
    ],
)
def test_what_is_neither_a_class_nor_a_number_is_refused(read, y, kind):
    words = rf"^y is of type {kind}, which is neither categorical nor numeric; extract a number .* or text"
    with pytest.raises(TypeError, match=words):
        read(y, 2)


# Training data.


@pytest.mark.parametrize(
    ("low", "high", "middle"),
    [
        (1.0, 2.0, 1.5),
        (-2.0, 1.0, -0.5),
        (1.0, np.nextafter(1.0, 2), 1.0),
        (np.nextafter(1.0, 0), 1.0, np.nextafter(1.0, 0)),
        (-1.75e308, 1.75e308, 0.0),
        (1.5e308, 1.75e308, 1.625e308),
        (0.0, 5e-324, 0.0),
        (5e-324, 1e-323, 5e-324),
        (-5e-324, 0.0, -5e-324),
    ],
)
def test_a_threshold_is_not_below_the_lower_number_and_below_the_upper_one(low, high, middle):
    found = between(np.array([low]), np.array([high]))[0]
    assert found == middle
    assert low <= found < high


def training():
    """Return three rows of a number, a name and a name in an order."""
    features = Feature("x", (), "numeric"), Feature("a", ("u", "v")), Feature("s", ("S", "M", "L"), "ordered")
    codes = np.array([[2, 0, -1], [1, -1, 0], [2, 0, 1]], np.int32)
    target = Column("y", ("no", "yes"), np.array([0, 1, 1]))
    values = Coded(codes, {0: np.array([0.5, 1.5, 4.0])})
    return Training(features, values, (target,), np.array([0.5, 2.0, 0.0]))


def test_training_data_are_decoded():
    data = training()
    wanted = np.array([[4.0, 1.0, 2.0], [0.5, np.nan, 0.0], [np.nan, 0.0, 1.0]])
    np.testing.assert_array_equal(data.matrix(), wanted)
    np.testing.assert_array_equal(data.matrix(np.array([1])), wanted[[1]])
    assert (data.total_weight, data.least_weight) == (2.5, 0.5)
    plain = Training(data.features, data.values, data.targets)
    assert (plain.total_weight, plain.least_weight) == (3.0, 1.0)
    heavy = Training(data.features, data.values, data.targets, np.array([2.0, 3, 4]))
    assert (heavy.total_weight, heavy.least_weight) == (9.0, 1.0)


def test_thresholds_lie_halfway_and_on_demand_just_below():
    data = training()
    feature, low, high = np.array([2, 0, 1, 0]), np.array([0, 1, -1, 0]), np.array([1, 2, -1, 1])
    sides = values_beside(data, feature, low, high)
    found = thresholds(data.features, feature, sides, strict=False)
    assert found.tolist() == pytest.approx([0.5, 2.75, np.nan, 1.0], nan_ok=True)
    found = thresholds(data.features, feature, sides, strict=True)
    assert found[0] == 0.5  # names are told apart by their places
    assert found[1::2].tolist() == [np.nextafter(2.75, 0), np.nextafter(1.0, 0)]
    assert np.isnan(found[2])


def test_parts_are_put_one_after_the_other():
    data = training()
    rows = np.array([1, 0, 2])
    one, two = (
        Training(data.features, replace(data.values, order=order), data.targets, data.weight, data.weight)
        for order in ({0: rows}, {0: rows, 1: rows})
    )
    both, part = stack_training([one, two])
    assert both.codes.tolist() == np.tile(data.codes, 2).tolist()
    assert both.order[0].tolist() == [1, 0, 2, 4, 3, 5]
    assert list(both.order) == [0]
    assert both.weight.tolist() == both.case_weight.tolist() == [0.5, 2, 0] * 2
    assert both.targets[0].codes.tolist() == [0, 1, 1] * 2
    assert part.tolist() == [0, 0, 0, 1, 1, 1]
    plain, _ = stack_training([Training(data.features, data.values, data.targets)] * 2)
    assert plain.weight is plain.case_weight is None
    assert plain.order == {}


def test_a_column_to_predict_is_read_as_its_feature_was():
    number, name, size = training().features
    nothing = pd.Series([None, None], dtype=object)
    for feature in (number, name, size):
        assert np.isnan(read_column(nothing, feature, True)).all()
    assert read_column(pd.Series([1, np.nan]), number, True).tolist() == pytest.approx(
        [1, np.nan], nan_ok=True
    )
    assert read_column(pd.Series(["v", None, "w"]), name, True).tolist() == pytest.approx(
        [1, np.nan, -1], nan_ok=True
    )
    assert read_column(pd.Series(["v", None, "w"]), name, False).tolist() == [1, -1, -1]
    assert read_column(pd.Series(["L", "S"], dtype=SIZES), size, False).tolist() == [2, 0]
    for empty in (nothing, nothing.astype(float)):
        assert read_column(empty, name, False).tolist() == [-1, -1]
        with pytest.raises(ValueError, match="is missing in row 0"):
            read_column(empty, number, False)
    with pytest.raises(ValueError, match="is missing in row 1"):
        read_column(pd.Series([1, np.nan], name="x"), number, False)
    for column, feature, words in (
        (pd.Series(["1"]), number, "was numeric in training, and is categorical now"),
        (
            pd.Series([1]),
            name,
            "was categorical in training, and is numeric now: convert it$",
        ),
    ):
        with pytest.raises(TypeError, match=f"column '{feature.name}' {words}"):
            read_column(column, feature, False)


def test_missing_numbers_are_read_on_demand_and_infinite_ones_never():
    column = pd.Series([1.0, np.nan, np.inf], name="x")
    assert np.isnan(numbers_of(column.iloc[:2], missing=True)).tolist() == [False, True]
    for missing, words in (
        (True, "is inf in row 2 .*limit them with .clip"),
        (False, "is missing in row 1 .*fillna"),
    ):
        with pytest.raises(ValueError, match=f"column 'x' {words}"):
            numbers_of(column, missing)


def test_names_that_are_given_keep_their_places():
    assert encode(pd.Series(["b", "a", None], name=3), ("b", "c")).codes.tolist() == [0, -1, -1]
    assert encode(pd.Series(["b"], name=3)).name == "3"


@pytest.mark.parametrize(
    ("like", "values", "dtype"),
    [
        (pd.Series([], dtype="str"), ["u", None], "object"),
        (pd.Series([], dtype="string"), ["u", None], "object"),
        (pd.Series([], dtype=object), ["u", 1], "object"),
        (pd.Series([], dtype=bool), [True, None], "object"),
        (pd.Series([], dtype="boolean"), [True, None], "object"),
        (pd.Series([], dtype="int64"), [1, 2], "int64"),
        (pd.Series([], dtype="int64"), [1, None], "float64"),
        (pd.Series([], dtype="uint8"), [1, None], "float64"),
        (pd.Series([], dtype="float32"), [1, None], "float32"),
        (pd.Series([], dtype="Int64"), [1, None], "Int64"),
    ],
)
def test_a_column_of_an_array_gets_its_type_again(like, values, dtype):
    found = typed(pd.Series(values, dtype=object), like)
    assert str(found.dtype) == dtype
    assert found.isna().tolist() == [value is None for value in values]
    assert [value for value in found.tolist() if not pd.isna(value)] == [v for v in values if v is not None]


def test_a_category_keeps_its_order_and_new_names_come_last():
    like = pd.Series([], dtype=SIZES)
    found = typed(pd.Series(["L", None, "S"], dtype=object), like)
    assert found.dtype == SIZES
    new = typed(pd.Series(["XL", "L", None, "XS"], dtype=object), like)
    assert new.cat.categories.tolist() == ["S", "M", "L", "XL", "XS"]
    assert new.cat.ordered
