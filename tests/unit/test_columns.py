"""Columns as codes: what is a name, an order or a number, and what is refused."""

import numpy as np
import pandas as pd
import pytest

from dtlib.table.columns import Column, Feature, distinct, encode, is_nominal, kind_of, narrowed, numbers_of
from dtlib.table.training import read_training, to_numbers
from dtlib.table.weights import check_weight

SIZES = pd.CategoricalDtype(["S", "M", "L"], ordered=True)


@pytest.mark.parametrize(
    ("column", "kind"),
    [
        (pd.Series(["a", "b"]), "nominal"),
        (pd.Series(["a", "b"], dtype=object), "nominal"),
        (pd.Series(["a", None], dtype="string"), "nominal"),
        (pd.Series([1, 2], dtype="category"), "nominal"),
        (pd.Series([True, False]), "nominal"),
        (pd.Series([True, None], dtype="boolean"), "nominal"),
        (pd.Series(["S"], dtype=SIZES), "ordered"),
        (pd.cut(pd.Series([1.0, 2.0]), 2), "ordered"),
        (pd.Series([1, 2], dtype="uint8"), "numeric"),
        (pd.Series([1, None], dtype="Int64"), "numeric"),
        (pd.Series([1, None], dtype="Float32"), "numeric"),
        (pd.Series([1, 2], dtype="float16"), "numeric"),
    ],
)
def test_kind_of(column, kind):
    assert kind_of(column) == kind
    assert is_nominal(column) == (kind != "numeric")


@pytest.mark.parametrize(
    ("column", "words"),
    [
        (pd.Series(pd.to_datetime(["2020-01-01"]), name="x"), "type datetime64.*dt.year"),
        (pd.Series(pd.to_timedelta([1]), name="x"), "type timedelta64"),
        (pd.Series([1j], name="x"), "type complex128, which is neither categorical nor numeric"),
        (
            pd.Series(pd.arrays.SparseArray([0.0, 1.0]), name="x"),
            r"sparse; wanted a dense one: \.sparse\.to_dense",
        ),
        (pd.Series(pd.PeriodIndex(["2020"], freq="Y"), name="x"), "type period"),
    ],
)
def test_what_is_neither_name_nor_number_is_refused(column, words):
    with pytest.raises(TypeError, match=f"column 'x' is .*{words}"):
        kind_of(column)


@pytest.mark.parametrize(
    ("column", "values"),
    [
        (pd.Series([True, False]), (False, True)),
        (pd.Series(["b", None, "a"], dtype="string"), ("a", "b")),
        (pd.Series([True, None], dtype="boolean"), (True,)),
        (pd.Series(pd.Categorical([3, 1], categories=[3, 1])), (3, 1)),
    ],
)
def test_distinct(column, values):
    assert distinct(column) == values


def test_unknown_and_missing_values_are_coded_minus_one():
    assert encode(pd.Series(["a", "z", None, np.nan]), ("a", "b")).codes.tolist() == [0, -1, -1, -1]


@pytest.mark.parametrize(
    "column",
    [
        pd.Series(["b", None, "a", "b"], dtype=object),
        pd.Series(["b", pd.NA, "a", "b"], dtype="string"),
        pd.Series(["b", np.nan, "a", "b"], dtype="str"),
        pd.Series(["b", None, "a", "b"], dtype="category"),
        pd.Series(["b", None, "a", "b"], dtype=pd.CategoricalDtype(["a", "b"])),
    ],
)
def test_every_type_of_names_gets_the_same_codes(column):
    assert encode(column).values == ("a", "b")
    assert encode(column).codes.tolist() == [1, -1, 0, 1]
    assert encode(column, ("c", "b")).codes.tolist() == [1, -1, -1, 1]
    assert encode(column.iloc[1:2]).codes.tolist() == [-1]


def test_declared_values_keep_their_places_whether_they_occur_or_not():
    column = pd.Series(pd.Categorical(["l", None, "s"], categories=["s", "m", "l"]))
    assert encode(column).values == ("s", "m", "l")
    assert encode(column).codes.tolist() == [2, -1, 0]
    assert encode(column, ("l", "s")).codes.tolist() == [0, -1, 1]


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (["a", 1], "mixes values of types int, str"),
        (pd.Categorical([1, "1"]), "mixes values of types int, str"),
        ([[1], [2]], "cannot be used as a category .*unhashable"),
    ],
)
def test_values_without_an_order_are_refused(values, words):
    with pytest.raises(TypeError, match=f"column 'x' {words}"):
        distinct(pd.Series(values, name="x"))


@pytest.mark.parametrize("dtype", [object, "str", "category"])
def test_texts_of_numpy_are_texts(dtype):
    column = pd.Series([np.str_("b"), "a", np.str_("a")], dtype=object).astype(dtype)
    assert encode(column).codes.tolist() == [1, 0, 0]
    assert [type(value) for value in encode(column).values] == [str, str]


def test_tuples_and_integers_stay_what_they_are():
    assert encode(pd.Series([(1, "b"), (0, "a")])).values == ((0, "a"), (1, "b"))
    assert [type(value) for value in encode(pd.Series([2, 1], dtype="category")).values] == [int, int]


@pytest.mark.parametrize(
    ("dtype", "wanted"),
    [
        ("int8", np.float64),
        ("uint64", np.float64),
        ("Int64", np.float64),
        ("float64", np.float64),
        ("Float64", np.float64),
        ("float32", np.float32),
        ("float16", np.float32),
        ("Float32", np.float32),
    ],
)
def test_numbers_of(dtype, wanted):
    x = numbers_of(pd.Series([3, 1, 2]).astype(dtype))
    assert (x.tolist(), x.dtype) == ([3, 1, 2], wanted)


@pytest.mark.parametrize(
    ("column", "words"),
    [
        (pd.Series([1.0, np.nan]), "is missing in row 1"),
        (pd.Series([1, None], dtype="Int64"), "is missing in row 1"),
        (pd.Series([1.0, -np.inf]), "is -inf in row 1"),
        (pd.Series([1, 2**60]), "holds 1152921504606846976; beyond"),
        (pd.Series([-(2**53) - 1, 0]), "holds -9007199254740993; beyond"),
        (pd.Series([0, 2**64 - 1], dtype="uint64"), "holds 18446744073709551615; beyond"),
        (pd.Series([0, None, 2**60], dtype="Int64"), "holds 1152921504606846976; beyond"),
    ],
)
def test_numbers_without_a_float_of_their_own_are_refused(column, words):
    with pytest.raises(ValueError, match=f"column 'x' {words}"):
        numbers_of(column.rename("x"))


def test_the_largest_whole_numbers_are_kept():
    assert numbers_of(pd.Series([2**53, -(2**53)])).tolist() == [2**53, -(2**53)]


def test_a_frame_and_an_array_are_read_alike():
    x = np.array([[2.5, 1.0], [0.5, 1.0], [2.5, 3.0]])
    target = Column("y", (0, 1), np.array([0, 1, 1]))
    of_array, of_frame = (
        read_training(x, [target]),
        read_training(pd.DataFrame(x, columns=["x0", "x1"]), [target]),
    )
    assert (
        of_array.features == of_frame.features == (Feature("x0", (), "numeric"), Feature("x1", (), "numeric"))
    )
    assert of_array.codes.tolist() == of_frame.codes.tolist() == [[1, 0, 1], [0, 0, 1]]
    assert of_array.numbers[0].tolist() == [0.5, 2.5]


def test_names_are_read_in_the_order_of_their_values():
    frame = pd.DataFrame({"a": ["z", "a", "z"], "s": pd.Categorical(["L", "S", "S"], dtype=SIZES)})
    data = read_training(frame, [Column("y", (0, 1), np.array([0, 1, 1]))])
    assert data.features == (Feature("a", ("a", "z")), Feature("s", ("S", "M", "L"), "ordered"))
    assert data.codes.tolist() == [[1, 0, 1], [2, 0, 0]]
    with pytest.raises(ValueError, match="column 'a' is missing in 1 row, which is row 1 "):
        read_training(frame.assign(a=["z", None, "z"]), [])


def test_numbers_rounded_to_single_precision_meet():
    frame = pd.DataFrame({"x": [1.0, 1.0 + 1e-12, 2.0]})
    assert len(read_training(frame, []).numbers[0]) == 3
    assert len(read_training(frame, [], single=True).numbers[0]) == 2
    with pytest.raises(ValueError, match=r"column 'x' holds 1e\+39, too large for a float32"):
        read_training(pd.DataFrame({"x": [1e39, 1.0]}), [], single=True)
    with pytest.raises(ValueError, match=r"X holds -1e\+39"):
        narrowed(np.array([[0.0, -1e39]]))


def test_to_numbers_goes_by_value_not_by_code():
    features = Feature("a", ("u", "v")), Feature("s", ("S", "M", "L"), "ordered"), Feature("x", (), "numeric")
    frame = pd.DataFrame({"a": pd.Categorical(["v", "w"], ["w", "v", "u"]), "s": ["L", "S"], "x": [1, 2]})
    assert to_numbers(frame, features).tolist() == [[1, 2, 1], [-1, 0, 2]]
    assert to_numbers(frame[[]], ()).shape == (2, 0)
    with pytest.raises(TypeError, match="column 'x' was numeric in training, and is categorical now"):
        to_numbers(frame.assign(x=["1", "2"]), features)
    with pytest.raises(
        TypeError, match=r"column 'a' was categorical in training, and is numeric now: convert it$"
    ):
        to_numbers(frame.assign(a=1), features)


def test_a_weight_that_is_masked_is_missing():
    assert check_weight(np.ma.array([1, 2]), 2).tolist() == [1, 2]
    with pytest.raises(ValueError, match=r"sample_weight is missing \(NaN\) in row 1 "):
        check_weight(np.ma.array([1, 2], mask=[0, 1]), 2)


@pytest.mark.parametrize(
    ("weight", "words"),
    [
        ([1], r"w has shape \(1,\), but there are 2 rows"),
        ([[1], [1]], r"w has shape \(2, 1\)"),
        ([1, -1], r"w\[1\] is -1\.0: weights must be finite and not negative"),
        ([np.nan, 1], r"^w is missing \(NaN\) in row 0 "),
        ([1, np.inf], r"w\[1\] is inf"),
        ([0, 0], "w is zero for every row"),
        ([1.7e308, 1.7e308], "w has an infinite sum"),
        (["a", "b"], "w is .*; wanted real numbers.*this is text"),
        ([1j, 1j], "w is .*; wanted real numbers.*this is complex"),
        ([pd.NA, 1], r"^w is missing \(NaN\) in row 0 "),
    ],
)
def test_bad_weights_are_named(weight, words):
    with pytest.raises(ValueError, match=words):
        check_weight(weight, 2, "w")


def test_good_weights_are_floats():
    assert check_weight(None, 3) is None
    assert check_weight([0, 2], 2).tolist() == [0, 2]
    assert check_weight(pd.Series([1, 2], index=[5, 6]), 2).dtype == np.float64
