"""Columns in Arrow's memory, which pandas may hand over: they are what the same columns are elsewhere."""

import numpy as np
import pandas as pd
import pytest
from packaging.version import Version
from sklearn.base import clone

from dtlib.table.columns import distinct, encode, is_nominal, kind_of, numbers_of
from tests.needs import needed
from tests.unit.test_estimators import NAMES, NUMBERS, cart_of, data, names_of

pa = needed("pyarrow")


def dictionary(values, ordered=False, index=(1, 0, 1, None)):
    coded = pa.DictionaryArray.from_arrays(pa.array(index, pa.int32()), values, ordered=ordered)
    return pd.Series(
        pd.arrays.ArrowExtensionArray(pa.chunked_array([coded, coded])), range(7, -1, -1), name="x"
    )


@pytest.mark.parametrize(
    ("column", "kind"),
    [
        (pd.Series(["a", "b"], dtype="string[pyarrow]"), "nominal"),
        (pd.Series(["a", "b"], dtype=pd.ArrowDtype(pa.large_string())), "nominal"),
        (pd.Series([True, None], dtype="bool[pyarrow]"), "nominal"),
        (dictionary(["s", "l"]), "nominal"),
        (dictionary(["s", "l"], ordered=True), "ordered"),
        (pd.Series([1, 2], dtype="int64[pyarrow]"), "numeric"),
        (pd.Series([1, 2], dtype="double[pyarrow]"), "numeric"),
    ],
)
def test_kind_of(column, kind):
    assert kind_of(column) == kind
    assert is_nominal(column) == (kind != "numeric")


def test_times_are_refused():
    with pytest.raises(TypeError, match=r"column 'x' is .*type timestamp"):
        kind_of(pd.Series([1], dtype="timestamp[s][pyarrow]", name="x"))


def test_the_order_of_a_dictionary_counts_only_if_it_is_declared():
    assert distinct(dictionary(["s", "l"])) == ("l", "s")
    assert distinct(dictionary(["s", "l"], ordered=True)) == ("s", "l")
    assert encode(dictionary(["s", "l"])).codes.tolist() == [0, 1, 0, -1, 0, 1, 0, -1]
    assert encode(dictionary(["s", "l"], ordered=True)).codes.tolist() == [1, 0, 1, -1, 1, 0, 1, -1]


@pytest.mark.parametrize(
    ("dtype", "wanted"),
    [("double[pyarrow]", np.float64), ("int64[pyarrow]", np.float64), ("float[pyarrow]", np.float32)],
)
def test_numbers_of(dtype, wanted):
    x = numbers_of(pd.Series([3, 1, 2]).astype(dtype))
    assert (x.tolist(), x.dtype) == ([3, 1, 2], wanted)


def test_missing_numbers_are_refused():
    with pytest.raises(ValueError, match="is missing in row 0"):
        numbers_of(pd.Series([None, 1], dtype="double[pyarrow]", name="x"))


@cart_of
@pytest.mark.parametrize("dtype", ["int64[pyarrow]", "double[pyarrow]", "float[pyarrow]"])
def test_numbers_give_the_same_tree(tree, dtype):
    y = data(tree)[1]
    plain, typed = clone(tree).fit(NUMBERS, y), clone(tree).fit(NUMBERS.astype(dtype), y)
    assert typed.tree_ == plain.tree_
    assert (typed.predict(NUMBERS) == plain.predict(NUMBERS.astype(dtype))).all()


@names_of
def test_names_give_the_same_tree(tree):
    y, in_arrow = data(tree)[1], NAMES.astype("string[pyarrow]")
    plain, typed = clone(tree).fit(NAMES, y), clone(tree).fit(in_arrow, y)
    assert typed.tree_ == plain.tree_
    assert (typed.predict(NAMES) == plain.predict(in_arrow)).all()


@names_of
def test_true_and_false_are_names(tree):
    y = data(tree)[1]
    X = pd.DataFrame({"t": np.arange(len(y)) > 6}).astype("bool[pyarrow]")
    assert clone(tree).fit(X, y).tree_.features[0].values == (False, True)


@pytest.mark.skipif(Version(pd.__version__) < Version("3"), reason="pandas 2 keeps names as objects")
def test_names_are_in_arrows_memory_unless_told_otherwise():
    """So, where Arrow is installed, all tests of names are tests of its columns."""
    assert pd.Series(["a", "b"]).dtype.storage == "pyarrow"
