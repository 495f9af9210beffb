"""Masked means missing, wherever an array is read: as a feature, a target, a weight, or a choice of rows."""

import re
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from dtlib import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    ID3Regressor,
    ObliqueTreeClassifier,
    OptimalTreeClassifier,
    class_counts,
    contingency,
    frame_like,
    measures,
)
from dtlib.datasets import load_golf
from dtlib.homework import worked
from dtlib.importance import leave_out_importances
from dtlib.numbers import floats, unmasked
from dtlib.out_of_core import Batches, grow_from
from dtlib.prune import (
    ComplexityParameter,
    CrossValidated,
    HoldoutValidated,
    ReducedError,
    pre_prune,
    reduced_error,
)
from dtlib.table.other_frames import in_pandas

M = np.ma.masked
n = 12
NUMBERS = np.array(
    [[3, 1], [1, 0], [2, 1], [1, 1], [3, 0], [2, 0], [0, 1], [1, 1], [3, 0], [2, 0], [0, 1], [1, 0]]
)
MASK = np.zeros((n, 2), bool)
MASK[[4, 7, 9], [1, 0, 1]] = True
KNOWN = np.where(MASK, np.nan, NUMBERS)
CLASSES = np.array(["no", "yes", "no"] * 4)
COUNTS = np.arange(n) % 5 + 0.5
FIRST = r"X is missing \(NaN\) in row 4, column 1 \(counted from 0\)"


def lists_of(x):
    """Return a masked array as lists of its entries, of which some are the constant `numpy.ma.masked`."""
    return [[x[i, j] for j in range(x.shape[1])] for i in range(len(x))]


def in_objects(x):
    """Return a masked array as objects, of which some are that constant."""
    found = np.empty(x.shape, object)
    for place in np.ndindex(*x.shape):
        found[place] = x[place]
    return found


MASKED = np.ma.array(NUMBERS, mask=MASK)
#: The same table, masked in many ways.
TABLES = {
    "whole numbers": MASKED,
    "small whole numbers": MASKED.astype(np.int8),
    "unsigned": MASKED.astype(np.uint16),
    "floats": MASKED.astype(float),
    "narrow floats": MASKED.astype(np.float32),
    "halves": MASKED.astype(np.float16),
    "long floats": MASKED.astype(np.longdouble),
    "the other byte order": MASKED.astype(">f8"),
    "objects": MASKED.astype(object),
    "filled with NaN": np.ma.array(KNOWN, mask=MASK, fill_value=np.nan),
    "infinite below the mask": np.ma.array(np.where(MASK, np.inf, NUMBERS), mask=MASK),
    "NaN below half a mask": np.ma.array(KNOWN, mask=MASK & (np.arange(n)[:, None] == 4)),
    "too large below the mask": np.ma.array(np.where(MASK, 2**62, NUMBERS), mask=MASK),
    "text below the mask": np.ma.array(np.where(MASK, "?", NUMBERS.astype(object)), mask=MASK),
    "rows": list(MASKED),
    "rows in a tuple": tuple(MASKED.astype(float)),
    "lists": lists_of(MASKED),
    "tuples": [tuple(row) for row in lists_of(MASKED.astype(float))],
    "objects that are masked": in_objects(MASKED),
    "by columns": np.ma.array(NUMBERS.astype(float), mask=MASK, order="F"),
    "a hard mask": MASKED.astype(float).harden_mask(),
    "a frame": pd.DataFrame(MASKED),
    "a frame of objects": pd.DataFrame({0: MASKED[:, 0], 1: MASKED[:, 1]}),
    "nullable": pd.DataFrame(MASKED).astype("Int64"),
    "nullable floats": pd.DataFrame(MASKED).astype("Float32"),
    "objects of pandas": pd.DataFrame(MASKED).astype("Int64").to_numpy(object),
}
tables = pytest.mark.parametrize("X", TABLES.values(), ids=TABLES)
TAKING = [
    C45Classifier(), C45Classifier(missing="majority"), C45Classifier.j48(),
    CARTClassifier(missing="surrogate"), CARTClassifier(missing="stay"), CARTClassifier.rpart(),
    CARTRegressor(missing="fractional"), CARTRegressor.sklearn(missing="majority"),
]  # fmt: skip
REFUSING = [
    CARTClassifier(), CARTRegressor(), C45Classifier(missing="error"), ID3Classifier(), ID3Regressor(),
    ObliqueTreeClassifier(random_state=0), OptimalTreeClassifier(max_depth=2),
]  # fmt: skip


@pytest.fixture(autouse=True)
def _no_warnings():
    """NumPy warns where it makes NaN of what is masked: nothing may be left to it."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def target_of(tree):
    """Return what a tree can predict."""
    return COUNTS if isinstance(tree, CARTRegressor | ID3Regressor) else CLASSES


@tables
@pytest.mark.parametrize("tree", TAKING)
def test_a_masked_table_is_one_with_missing_values(tree, X):
    y = target_of(tree)
    plain, found = clone(tree).fit(KNOWN, y), clone(tree).fit(X, y)
    assert found.tree_ == plain.tree_
    for ask in ("predict", "apply", "predict_proba"):
        if hasattr(plain, ask):
            np.testing.assert_array_equal(getattr(found, ask)(X), getattr(plain, ask)(KNOWN))
    assert (found.decision_path(X) != plain.decision_path(KNOWN)).nnz == 0
    assert found.score(X, y) == plain.score(KNOWN, y)


@tables
@pytest.mark.parametrize("tree", REFUSING)
def test_what_is_masked_is_refused_by_its_place_where_nothing_may_be_missing(tree, X):
    y = target_of(tree)
    with pytest.raises(ValueError, match=FIRST):
        clone(tree).fit(X, y)
    fitted = clone(tree).fit(NUMBERS, y)
    for ask in (fitted.predict, fitted.apply, fitted.explain):
        with pytest.raises(ValueError, match=FIRST):
            ask(X)
    with pytest.raises(ValueError, match=FIRST):
        fitted.score(X, y)


@pytest.mark.parametrize("tree", TAKING)
def test_a_single_masked_row(tree):
    fitted = clone(tree).fit(KNOWN, target_of(tree))
    for row in (MASKED[4:5], [list(MASKED[4])], MASKED[4:5].astype(float)):
        pd.testing.assert_frame_equal(fitted.explain(row), fitted.explain(KNOWN[4:5]))
    for array in (MASKED, MASKED.astype(float), MASKED > 0):  # true and false become numbers
        same = np.where(MASK, np.nan, array.data.astype(float))
        assert fitted.tree_.apply(array).tolist() == fitted.tree_.apply(same).tolist()


@pytest.mark.parametrize("ask", [reduced_error, pre_prune])
def test_a_tree_that_refuses_missing_values_refuses_masked_ones(ask):
    tree = CARTClassifier().fit(NUMBERS, CLASSES).tree_
    with pytest.raises(ValueError, match=r"^X has a missing value in row 4, column 1 \(counted from 0\)"):
        tree.apply(MASKED)
    with pytest.raises(ValueError, match=r"^X has a missing value in row 4, column 1 \(counted from 0\)"):
        ask(tree, MASKED, CLASSES)


def test_rows_to_prune_by_may_be_masked():
    for tree in (CARTClassifier(missing="majority"), C45Classifier(), CARTRegressor(missing="stay")):
        y = target_of(tree)
        grown = clone(tree).fit(KNOWN, y).tree_
        for ask in (reduced_error, pre_prune):
            assert ask(grown, MASKED, y) == ask(grown, KNOWN, y)
    way = ReducedError(held_out=[0, 4, 7])
    pruned = [CARTClassifier(missing="majority", prune=way).fit(X, CLASSES).tree_ for X in (MASKED, KNOWN)]
    assert pruned[0] == pruned[1]


# Targets.

ONE = np.arange(n) == 7
TARGETS = {
    "whole numbers": np.ma.array(np.arange(n) % 2, mask=ONE),
    "truth values": np.ma.array(np.arange(n) % 2 == 0, mask=ONE),
    "floats": np.ma.array(np.arange(n) % 2 * 1.0, mask=ONE),
    "objects": np.ma.array(np.arange(n).astype(object) % 2, mask=ONE),
    "a list": [M if i == 7 else i % 2 for i in range(n)],
    "objects that are masked": in_objects(np.ma.array(np.arange(n) % 2, mask=ONE)),
    "a column": pd.Series([M if i == 7 else i % 2 for i in range(n)], dtype=object),
    "a column of pandas": pd.Series(np.ma.array(np.arange(n) % 2, mask=ONE)),
    "nullable": pd.array(np.ma.array(np.arange(n) % 2, mask=ONE).tolist(), dtype="Int64"),
}
TEXTS = {
    "text": np.ma.array(CLASSES, mask=ONE),
    "objects": np.ma.array(CLASSES.astype(object), mask=ONE),
    "a list": [M if i == 7 else name for i, name in enumerate(CLASSES.tolist())],
    "a tuple": tuple(M if i == 7 else name for i, name in enumerate(CLASSES.tolist())),
    "objects that are masked": in_objects(np.ma.array(CLASSES.astype(object), mask=ONE)),
    "a category": pd.Categorical(np.ma.array(CLASSES, mask=ONE)),
}
ONE_ROW = r"^y is missing in 1 row, which is row 7 \(counted from 0\): leave such rows out$"


@pytest.mark.parametrize(
    "y", [*TARGETS.values(), *TEXTS.values()], ids=[*TARGETS, *(f"text {x}" for x in TEXTS)]
)
@pytest.mark.parametrize(
    "tree", [C45Classifier(), CARTClassifier(), ID3Classifier(), ObliqueTreeClassifier(random_state=0),
             OptimalTreeClassifier(max_depth=1)],
)  # fmt: skip
def test_a_masked_class_is_missing(tree, y):
    with pytest.raises(ValueError, match=ONE_ROW):
        clone(tree).fit(NUMBERS, y)
    fitted = clone(tree).fit(NUMBERS, np.arange(n) % 2)
    with pytest.raises(ValueError, match=ONE_ROW):
        fitted.score(NUMBERS, y)
    for ask in (reduced_error, pre_prune):
        with pytest.raises(ValueError, match=ONE_ROW):
            ask(fitted.tree_, NUMBERS, y)


@pytest.mark.parametrize("y", TARGETS.values(), ids=TARGETS)
@pytest.mark.parametrize("tree", [CARTRegressor(), ID3Regressor()])
def test_a_masked_number_to_be_predicted_is_missing(tree, y):
    words = r"^y is missing \(NaN\) in row 7 \(counted from 0\)"
    with pytest.raises(ValueError, match=words):
        clone(tree).fit(NUMBERS, y)
    fitted = clone(tree).fit(NUMBERS, COUNTS)
    with pytest.raises(ValueError, match=ONE_ROW):
        fitted.score(NUMBERS, y)
    for ask in (reduced_error, pre_prune):
        with pytest.raises(ValueError, match=words):
            ask(fitted.tree_, NUMBERS, y)


@pytest.mark.parametrize("how", [np.ma.asarray, list, lists_of, pd.DataFrame])
@pytest.mark.parametrize("kind", [int, float, str])
def test_a_masked_class_of_one_of_several_outputs_is_missing(how, kind):
    both = np.ma.array(np.stack([np.arange(n) % 2, np.arange(n) % 3], 1).astype(kind))
    both[[5, 7], 1] = M
    column = "1" if how is pd.DataFrame else "y1"
    words = rf"^column '{column}' of y is missing in 2 rows, the first is row 5 \(counted from 0\)"
    with pytest.raises(ValueError, match=words):
        CARTClassifier().fit(NUMBERS, how(both))
    if kind is not str:
        with pytest.raises(ValueError, match=rf"^column '{column}' of y is missing \(NaN\) in row 5 "):
            CARTRegressor().fit(NUMBERS, how(both))


def test_a_missing_class_in_lists_of_several_outputs_is_no_text():
    for missing in (None, np.nan, M, pd.NA):
        y = [["u", "v"] if i != 3 else ["u", missing] for i in range(n)]
        with pytest.raises(ValueError, match=r"^column 'y1' of y is missing in 1 row, which is row 3 "):
            CARTClassifier().fit(NUMBERS, y)


def test_dates_of_which_none_is_known_are_missing():
    for y in ([pd.NaT] * n, np.full(n, "NaT", "M8[s]"), np.ma.array(np.zeros(n, "M8[s]"), mask=True)):
        with pytest.raises(ValueError, match=r"^y is missing \(NaN\) in row 0 "):
            CARTRegressor().fit(NUMBERS, y)
        with pytest.raises(ValueError, match=r"^y is missing in 12 rows, the first is row 0 "):
            CARTClassifier().fit(NUMBERS, y)


# Weights and rows.


@pytest.mark.parametrize(
    "weight",
    [
        np.ma.array(np.ones(n), mask=ONE), np.ma.array(np.ones(n, int), mask=ONE),
        [M if i == 7 else 1 for i in range(n)], in_objects(np.ma.array(np.ones(n), mask=ONE)),
        pd.array([None if i == 7 else 1 for i in range(n)], dtype="Int64"),
        pd.Series([pd.NA if i == 7 else 1 for i in range(n)], dtype=object),
        pd.Series([M if i == 7 else 1 for i in range(n)], dtype=object),
        [None if i == 7 else 1 for i in range(n)],
    ],
)  # fmt: skip
def test_a_masked_weight_is_missing(weight):
    words = r"is missing \(NaN\) in row 7 \(counted from 0\): give each row a weight$"
    for tree in (C45Classifier(), CARTClassifier(), CARTRegressor(), ID3Classifier()):
        fitted = clone(tree).fit(NUMBERS, target_of(tree))
        for call in (fitted.score, clone(tree).fit):
            with pytest.raises(ValueError, match=rf"^sample_weight {words}"):
                call(NUMBERS, target_of(tree), weight)
        with pytest.raises(ValueError, match=rf"^sample_weight {words}"):
            reduced_error(fitted.tree_, NUMBERS, target_of(tree), weight)
    with pytest.raises(ValueError, match=rf"^weight {words}"):
        class_counts(pd.Series(CLASSES), weight)


@pytest.mark.parametrize(
    "rows",
    [
        np.ma.array([0, 2, 5], mask=[False, False, True]), [0, 2, M],
        np.ma.array(np.arange(n) > 8, mask=np.arange(n) == 2), pd.array([True, None] * 6, dtype="boolean"),
        pd.array([0, 2, None], dtype="Int64"), pd.Series([0.0, 2.0, np.nan]),
    ],
)  # fmt: skip
def test_masked_rows_are_held_out_by_nobody(rows):
    place = "1" if len(rows) == n and rows[0] is True else "2"
    place = "1" if isinstance(rows, pd.arrays.BooleanArray) else place
    words = rf"^held_out is missing in entry {place} \(counted from 0\); wanted a share of the rows"
    for way in (ReducedError, HoldoutValidated):
        with pytest.raises(ValueError, match=words):
            CARTClassifier(prune=way(held_out=rows)).fit(NUMBERS, CLASSES)


def test_masked_rows_are_in_no_fold():
    for train in (np.ma.array([0, 1, 2], mask=[False, True, False]), [0, M, 2]):
        words = r"^folds has a pair whose train part is missing in entry 1 \(counted from 0\)"
        with pytest.raises(ValueError, match=words):
            CARTClassifier(prune=CrossValidated(folds=[(train, [4, 5])])).fit(NUMBERS, CLASSES)


def test_rows_without_anything_masked_are_held_out():
    plain = CARTClassifier(prune=ReducedError(held_out=[0, 2, 5])).fit(NUMBERS, CLASSES).tree_
    for rows in (np.ma.array([0, 2, 5]), pd.array([0, 2, 5], dtype="Int64"), pd.Series([0, 2, 5])):
        assert CARTClassifier(prune=ReducedError(held_out=rows)).fit(NUMBERS, CLASSES).tree_ == plain


# Measures, tables and tools.


@pytest.mark.parametrize("name", ["entropy", "gini", "classification_error"])
def test_counts_that_are_masked_are_refused(name):
    """Nothing says whether a masked count is none, or one that nobody knows."""
    masked = np.ma.array([1, 2], mask=[0, 1])
    nullable = pd.array([1, None], dtype="Int64")
    for counts in (masked, [masked], nullable, [1, M], [1.0, M], [[1, 2], [M, 2]], [1, pd.NA], [1, None]):
        with pytest.raises(
            ValueError, match=r"^counts holds nan; wanted finite counts or weights, none .* missing"
        ):
            getattr(measures, name)(counts)
    assert getattr(measures, name)(np.ma.array([1, 3])) == getattr(measures, name)([1, 3])


@pytest.mark.parametrize("name", ["variance", "squared_error", "median", "absolute_error"])
def test_masked_numbers_are_not_measured(name):
    for y in (np.ma.array([1, 2], mask=[0, 1]), [1, M], [1, pd.NA]):
        with pytest.raises(ValueError, match=r"(?s)^y is .*; wanted an array .* of finite numbers"):
            getattr(measures, name)(y)
        with pytest.raises(ValueError, match=r"^weight holds nan; wanted finite counts or weights"):
            getattr(measures, name)([1.0, 2.0], y)


def test_names_that_are_masked_are_missing_in_a_frame():
    golf = load_golf()
    lacking = golf.X["outlook"].astype(object)
    lacking.iloc[3], masked = None, lacking.copy()
    masked.iloc[3] = 0
    masked = pd.Series([M if i == 3 else x for i, x in enumerate(masked)], masked.index, object)
    of_numpy = np.ma.array(golf.X["outlook"].to_numpy(object), mask=np.arange(14) == 3)
    X, known = golf.X.assign(outlook=masked), golf.X.assign(outlook=lacking)
    c45 = C45Classifier().fit(known, golf.y)
    for given in (X, golf.X.assign(outlook=of_numpy)):
        assert C45Classifier().fit(given, golf.y).tree_ == c45.tree_
        assert c45.predict(given).tolist() == c45.predict(known).tolist()
        assert c45.tree_.apply(given).tolist() == c45.tree_.apply(known).tolist()
        for tree in (CARTClassifier(), ID3Classifier()):
            with pytest.raises(
                ValueError, match=r"outlook; the first is in row 3 \(counted from 0\), column 'outlook'"
            ):
                tree.fit(given[["outlook", "windy"]], golf.y)
    assert masked.iloc[3] is M  # the caller's frame stays as it is
    frame = X.assign(play=golf.y)
    table = contingency(frame, "outlook", "play", missing="row")
    assert table.equals(contingency(known.assign(play=golf.y), "outlook", "play", missing="row"))
    with pytest.raises(
        ValueError, match=r"^frame has missing values in columns: outlook; the first is in row 3 "
    ):
        worked(frame, "play")
    streamed = grow_from(Batches([frame[:9], frame[9:]], "play"), C45Classifier(missing="majority"))
    assert streamed.tree_ == C45Classifier(missing="majority").fit(known, golf.y).tree_
    again = frame_like(X).transform(X.to_numpy())
    assert again["outlook"].isna().tolist() == lacking.isna().tolist()


def test_classes_that_are_masked_in_a_frame_are_missing():
    target = pd.Series(["no", M, "yes"], name="loan")
    with pytest.raises(ValueError, match=r"^target 'loan' is missing in 1 row, which is row 1 "):
        class_counts(target)
    frame = pd.DataFrame({"a": [1.0, 2.0, 3.0], "loan": target})
    with pytest.raises(ValueError, match=r"^target 'loan' of a frame is missing in 1 row, which is row 1 "):
        grow_from(Batches([frame], "loan"), CARTClassifier())


def test_numbers_that_are_left_out_may_be_masked():
    tree = CARTClassifier(missing="majority")
    found, plain = (leave_out_importances(tree, X, CLASSES, folds=3) for X in (MASKED, KNOWN))
    pd.testing.assert_frame_equal(found, plain)


def test_losses_and_priors_that_are_masked_are_refused():
    from dtlib import Prior

    with pytest.raises(ValueError, match=r"^loss is .*nan.*; wanted numbers of at least 0"):
        CARTClassifier(loss=np.ma.array([[0, 1], [1, 0]], mask=[[0, 1], [0, 0]])).fit(NUMBERS, CLASSES)
    with pytest.raises(ValueError, match=r"^prior is .*nan.*; wanted numbers of at least 0"):
        CARTClassifier(class_weight=Prior(np.ma.array([0.5, 0.5], mask=[0, 1]))).fit(NUMBERS, CLASSES)
    with pytest.raises(ValueError, match=r"^ccp_alpha is masked; wanted a number"):
        CARTClassifier(ccp_alpha=M).fit(NUMBERS, CLASSES)


# What a mask becomes.


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        (np.ma.array([1, 2], mask=[1, 0]), np.array([np.nan, 2.0])),
        (np.ma.array([1, 2**53], mask=[1, 0]), np.array([np.nan, 2.0**53])),
        (np.ma.array([1, 2**53 + 1], mask=[1, 0]), np.array([None, 2**53 + 1], dtype=object)),
        (np.ma.array([2**63, 3], dtype=np.uint64, mask=[0, 1]), np.array([2**63, None], dtype=object)),
        (np.ma.array([2**62, 3], mask=[1, 0]), np.array([np.nan, 3.0])),
        (np.ma.array([1, 2], mask=True), np.array([np.nan, np.nan])),
        (np.ma.array([True, False], mask=[1, 0]), np.array([np.nan, 0.0])),
        (np.ma.array(np.array([1, 2], "f4"), mask=[1, 0]), np.array([np.nan, 2], "f4")),
        (np.ma.array([1j, 2], mask=[1, 0]), np.array([np.nan, 2], complex)),
        (np.ma.array(["a", "b"], mask=[1, 0]), np.array([None, "b"], dtype=object)),
        (np.ma.array(["2020", "2021"], dtype="M8[D]", mask=[1, 0]), np.array(["NaT", "2021"], "M8[D]")),
        (np.ma.array([1, 2], dtype="m8[s]", mask=[1, 0]), np.array(["NaT", 2], "m8[s]")),
        (np.array(["a", M], dtype=object), np.array(["a", None], dtype=object)),
        (np.array([[1, M]], dtype=object), np.array([[1, None]], dtype=object)),
        (np.ma.array(3.0, mask=True), np.array(np.nan)),
    ],
)  # fmt: skip
def test_what_is_masked_becomes(given, wanted):
    before = np.ma.copy(given) if isinstance(given, np.ma.MaskedArray) else given.copy()
    found = unmasked(given)
    assert type(found) is np.ndarray
    assert found.dtype == wanted.dtype
    np.testing.assert_array_equal(found, wanted)
    if isinstance(given, np.ma.MaskedArray):  # the caller's array stays as it is
        np.testing.assert_array_equal(np.ma.getmaskarray(given), np.ma.getmaskarray(before))
        np.testing.assert_array_equal(given.data, before.data)


def test_what_has_no_mask_is_itself():
    for given in (
        np.arange(3),
        [1, [2, 3]],
        ("a", None),
        "text",
        None,
        np.array([1, "a"], dtype=object),
        {1: 2},
    ):
        assert unmasked(given) is given
    whole = np.arange(3.0)
    assert np.shares_memory(unmasked(np.ma.array(whole)), whole)
    frame = pd.DataFrame({"a": ["u", None], "b": [1, "x"], "c": [1.5, 2.5]}, dtype=object)
    assert in_pandas(frame) is frame
    assert in_pandas(frame["b"]) is not None
    column = frame["b"]
    assert in_pandas(column) is column
    assert floats("w", whole) is whole


def test_lists_in_lists_are_looked_into():
    assert unmasked([[1, [M]], [2, [3]]]) == [[1, [None]], [2, [3]]]
    assert unmasked([M, np.ma.array(2), 3]) == [None, 2, 3]
    rows = unmasked([np.ma.array([1, 2], mask=[0, 1]), [3, 4]])
    assert rows[0].tolist() == [1, None]
    assert rows[1] == [3, 4]
    deep: list = [M]
    for _ in range(5000):
        deep = [deep]
    assert unmasked(deep) is deep  # no array has so many axes


def test_records_keep_what_is_below_their_masks_as_they_are_refused_anyway():
    kind = [("a", float), ("b", int)]
    records = np.ma.array([(1.0, 2)] * n, dtype=kind, mask=[(True, False)] * n)
    assert unmasked(records).dtype.names == ("a", "b")
    with pytest.raises(ValueError, match=r"^X has shape \(12,\); wanted"):
        CARTClassifier().fit(records, CLASSES)
    with pytest.raises(TypeError, match=r"^X holds records"):
        CARTClassifier().fit(records[:, None], CLASSES)
    for y in (records, list(records)):
        with pytest.raises((TypeError, ValueError), match=r"(^| )y is "):
            CARTClassifier().fit(NUMBERS, y)


def test_a_matrix_is_refused_masked_or_not():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        matrix = np.ma.array(np.matrix(NUMBERS), mask=MASK)
    with pytest.raises(TypeError, match=r"^X holds a matrix; wanted"):
        CARTClassifier(missing="majority").fit(matrix, CLASSES)


def test_whole_numbers_beside_a_mask_must_have_floats_of_their_own():
    large = np.ma.array(NUMBERS.astype(np.int64), mask=MASK)
    large[0, 0] = 2**53 + 1
    for X in (large, lists_of(large), list(large)):
        with pytest.raises(ValueError, match=r"^X holds 9007199254740993; beyond 2\*\*53"):
            C45Classifier().fit(X, CLASSES)
    y = np.ma.array(np.arange(n) + 2**53, mask=False)
    with pytest.raises(ValueError, match=r"^y holds 9007199254741003; beyond 2\*\*53"):
        CARTRegressor().fit(NUMBERS, y)


@pytest.mark.parametrize("what", [M, np.ma.array(1.0, mask=True)])
def test_a_masked_constant_is_no_table(what):
    for call, words in (
        (lambda: CARTClassifier().fit(what, CLASSES), "^X is .*; wanted a DataFrame"),
        (lambda: CARTClassifier().fit(NUMBERS, what), r"^y is array\(nan\); wanted"),
        (lambda: CARTClassifier().fit(NUMBERS, CLASSES, what), "^sample_weight is missing"),
    ):
        with pytest.raises((TypeError, ValueError), match=re.compile(words)):
            call()


def test_what_is_masked_in_a_price_is_refused():
    with pytest.raises(ValueError, match=r"^cp is masked; wanted"):
        CARTClassifier(prune=ComplexityParameter(M)).fit(NUMBERS, CLASSES)
