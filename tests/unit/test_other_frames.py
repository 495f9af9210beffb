"""Frames of polars and of Arrow: names, ordered names, numbers and gaps are what they are in pandas."""

import datetime as dt
from decimal import Decimal

import narwhals as nw
import numpy as np
import pandas as pd
import pytest
import sklearn
from packaging.version import Version
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import BaggingClassifier
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

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
)
from dtlib.datasets import load_golf, load_watermelon
from dtlib.homework import worked
from dtlib.importance import leave_out_importances
from dtlib.out_of_core import Arrow, Batches, grow_from
from dtlib.prune import ReducedError, reduced_error
from dtlib.table.columns import encode, kind_of, numbers_of
from dtlib.table.other_frames import in_pandas
from tests.needs import needed

pl, pa = needed("polars"), needed("pyarrow")

SIZES = ["S", "M", "L"]
IN_PANDAS = pd.DataFrame(
    {
        "text": pd.Series(["b", None, "a", "b"] * 3, dtype=object),
        "kind": pd.Series(["y", "x", None, "x"] * 3, dtype=object),
        "size": pd.Categorical(["L", "S", None, "L"] * 3, SIZES, ordered=True),
        "true": [True, False, True, True] * 3,
        "maybe": pd.array([True, None, False, True] * 3, dtype="boolean"),
        "whole": np.array([1, 2, 3, 4] * 3, dtype=np.int8),
        "holes": pd.array([1, None, 3, 2**53] * 3, dtype="Int64"),
        "float": [1.5, np.nan, 2.0, 3.0] * 3,
        "narrow": np.array([0.1, 0.2, 0.3, 0.4] * 3, dtype=np.float32),
        "money": [1.5, np.nan, 0.25, 7.0] * 3,
    }
)
IN_POLARS = pl.DataFrame(
    {
        "text": ["b", None, "a", "b"] * 3,
        "kind": pl.Series(["y", "x", None, "x"] * 3, dtype=pl.Categorical),
        "size": pl.Series(["L", "S", None, "L"] * 3, dtype=pl.Enum(SIZES)),
        "true": [True, False, True, True] * 3,
        "maybe": [True, None, False, True] * 3,
        "whole": pl.Series([1, 2, 3, 4] * 3, dtype=pl.Int8),
        "holes": [1, None, 3, 2**53] * 3,
        "float": [1.5, float("nan"), 2.0, 3.0] * 3,
        "narrow": pl.Series([0.1, 0.2, 0.3, 0.4] * 3, dtype=pl.Float32),
        "money": [Decimal("1.5"), None, Decimal("0.25"), Decimal("7")] * 3,
    }
)
FRAMES = {
    "polars": IN_POLARS,
    "pyarrow": IN_POLARS.to_arrow(),
    "in chunks": pa.concat_tables([IN_POLARS[:5].to_arrow(), IN_POLARS[5:].to_arrow()]),
    "a batch": IN_POLARS.to_arrow().to_batches()[0],
}
y = np.array(list("nynnyynnynyy"))
TREES = [
    C45Classifier(),
    CARTClassifier(missing="surrogate"),
    CARTClassifier(missing="fractional", random_state=0, prune=ReducedError()),
    CARTRegressor(missing="majority"),
]
names_of_polars = pytest.mark.skipif(
    Version(sklearn.__version__) < Version("1.8"), reason="older ones know the names of pandas' columns only"
)
frame_of = pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)


def target_of(tree):
    """Return what a tree can predict."""
    return np.arange(12) ** 2 if isinstance(tree, CARTRegressor) else y


@frame_of
@pytest.mark.parametrize("tree", TREES)
def test_trees_are_those_of_pandas_and_predict_frames_of_every_kind(tree, frame):
    target = target_of(tree)
    plain, other = clone(tree).fit(IN_PANDAS, target), clone(tree).fit(frame, target)
    assert other.tree_ == plain.tree_
    assert other.feature_names_in_.tolist() == plain.feature_names_in_.tolist()
    for X in (IN_PANDAS, *FRAMES.values()):
        assert np.array_equal(other.predict(X), plain.predict(IN_PANDAS))
        assert np.array_equal(other.apply(X), plain.apply(IN_PANDAS))
        assert np.array_equal(other.tree_.apply(X), plain.tree_.apply(IN_PANDAS))


@frame_of
def test_each_column_is_of_the_kind_that_it_has_in_pandas(frame):
    X = in_pandas(frame)
    assert X.columns.tolist() == IN_PANDAS.columns.tolist()
    for name, column in X.items():
        assert kind_of(column) == kind_of(IN_PANDAS[name]), name
        if kind_of(column) == "numeric":
            x, same = numbers_of(column, missing=True), numbers_of(IN_PANDAS[name], missing=True)
            assert (np.array_equal(x, same, equal_nan=True), x.dtype) == (True, same.dtype)
        else:
            coded, same = encode(column), encode(IN_PANDAS[name])
            assert (coded.values, coded.codes.tolist()) == (same.values, same.codes.tolist())


def test_names_that_no_row_has_are_declared_by_an_order_alone():
    """So rows that are left out take no branch with them, as with names of pandas that are no category."""
    X = IN_POLARS[:1]
    some = pl.DataFrame({name: X[name] for name in ("kind", "size")})
    assert [encode(column).values for _, column in in_pandas(some).items()] == [("y",), tuple(SIZES)]


@pytest.mark.skipif(Version(pd.__version__) < Version("3"), reason="frames of pandas 2 copy columns")
def test_numbers_without_gaps_are_lent_not_copied():
    X = pl.DataFrame({"x": np.arange(5.0), "i": np.arange(5)})
    assert np.shares_memory(in_pandas(X)["x"].to_numpy(), X["x"].to_numpy())
    assert np.shares_memory(in_pandas(X)["i"].to_numpy(), X["i"].to_numpy())
    assert CARTRegressor().fit(X, np.arange(5)).predict(X).tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    ("column", "error", "words"),
    [
        (
            pl.Series([dt.date(2020, 1, 1)]),
            TypeError,
            "type Date, which is neither.*dt.year",
        ),
        (
            pl.Series([dt.datetime(2020, 1, 1)]),
            TypeError,
            "of type Datetime.*, which is neither categ",
        ),
        (pl.Series([dt.timedelta(1)]), TypeError, "of type Duration"),
        (pl.Series([[1, 2]]), TypeError, "of type List"),
        (pl.Series([{"a": 1}]), TypeError, "of type Struct"),
        (pl.Series([b"a"]), TypeError, "of type Binary"),
        (pl.Series([object()], dtype=pl.Object), TypeError, "of type Object"),
        (pl.Series([2**53 + 1]), ValueError, "holds 9007199254740993; beyond"),
        (pl.Series([2**53 + 1, None]), ValueError, "holds 9007199254740993; beyond"),
        (pl.Series([-(2**80)], dtype=pl.Int128), ValueError, "holds -1208925819614629174706176; beyond"),
        (pl.Series([1.0, float("inf")]), ValueError, "column 'x' is inf in row 1"),
    ],
)
def test_what_is_neither_a_name_nor_a_number_is_refused(column, error, words):
    with pytest.raises(error, match=words):
        C45Classifier().fit(pl.DataFrame({"x": column}), y[: len(column)])


def test_wide_whole_numbers_are_numbers():
    X = pl.DataFrame({"wide": pl.Series([3, None, 1], dtype=pl.Int128)})
    assert in_pandas(X)["wide"].tolist() == [3, pd.NA, 1]


@pytest.mark.skipif(Version(nw.__version__) < Version("2.27"), reason="older ones do not know the type")
def test_halves_of_arrow_are_numbers():
    half = pa.table({"x": pa.array(np.array([1, 2], np.float16))})
    assert numbers_of(in_pandas(half)["x"]).dtype == np.float32


@pytest.mark.parametrize(
    ("kind", "same"),
    [
        (pa.array([3, 1, None]).dictionary_encode(), [3, 1, None]),
        (pa.array(["b", None, "a"], pa.string_view()), ["b", None, "a"]),
        (pa.array(["b", None, "a"], pa.large_string()), ["b", None, "a"]),
    ],
)
def test_names_of_arrow_are_those_that_a_source_reads(kind, same):
    (column,) = (x for _, x in in_pandas(pa.table({"x": kind})).items())
    assert column.tolist() == same
    table = pa.table({"x": kind, "c": ["n", "y", "y"]})
    streamed = grow_from(Arrow(table, "c"), C45Classifier(missing="majority"))
    assert C45Classifier().fit(table.drop_columns("c"), table["c"]).tree_.features == streamed.tree_.features


def test_a_column_without_a_value_fits_every_feature():
    tree = C45Classifier().fit(IN_PANDAS, y)
    empty = IN_POLARS.with_columns(pl.lit(None).alias(name) for name in IN_POLARS.columns)
    same = IN_PANDAS.astype(object).mask(IN_PANDAS.notna())
    assert tree.predict(empty).tolist() == tree.predict(same).tolist()
    assert in_pandas(empty).isna().to_numpy().all()


WITHOUT_A_VALUE = {
    "Null of polars": pl.DataFrame({"c": [None] * 3, "x": [None] * 3}),
    "floats of polars": pl.DataFrame({"c": [None] * 3, "x": [None] * 3}).cast(pl.Float64),
    "null of pyarrow": pa.table({"c": pa.nulls(3), "x": pa.nulls(3)}),
    "null in pandas": pa.table({"c": pa.nulls(3), "x": pa.nulls(3)}).to_pandas(types_mapper=pd.ArrowDtype),
    "objects of pandas": pd.DataFrame({"c": [None] * 3, "x": [None] * 3}, dtype=object),
    "floats of pandas": pd.DataFrame({"c": [np.nan] * 3, "x": [np.nan] * 3}),
}
without_a_value = pytest.mark.parametrize("empty", WITHOUT_A_VALUE.values(), ids=WITHOUT_A_VALUE)


@without_a_value
def test_a_column_without_a_value_is_one_of_missing_values_whatever_its_type(empty):
    some = pd.DataFrame({"c": ["a", "b", "a"], "x": [1.0, 2, 3]})
    refuses = CARTClassifier().fit(some, y[:3])
    with pytest.raises(
        ValueError,
        match=r"features: c; the first is in row 0 \(counted from 0\), column 'c'\. Leave",
    ):
        refuses.predict(empty)
    with pytest.raises(ValueError, match="column 'x' is missing in row 0"):
        refuses.predict(in_pandas(empty).assign(c="a"))
    takes = CARTClassifier(missing="majority").fit(some, y[:3])
    assert takes.predict(empty).tolist() == takes.predict(some.astype(object).mask(some.notna())).tolist()
    names = ID3Classifier().fit(some[["c"]], y[:3])
    with pytest.raises(ValueError, match=r"ID3 has no rule for missing values, .*: c"):
        names.predict(in_pandas(empty)[["c"]])


@without_a_value
def test_a_column_without_a_value_may_be_trained_on_where_values_may_be_missing(empty):
    with pytest.raises(ValueError, match=r"^(X has missing values in .*: c, x|column 'c' is missing)"):
        CARTClassifier().fit(empty, y[:3])
    with pytest.raises(ValueError, match=r"ID3 has no rule for missing values, .*: c, x"):
        ID3Classifier().fit(empty, y[:3])
    tree = CARTClassifier(missing="majority").fit(empty, y[:3])
    assert (tree.tree_.n_leaves, tree.predict(empty).tolist()) == (1, ["n"] * 3)


@pytest.mark.parametrize(
    "target",
    [
        pl.Series(y), pl.Series(y, dtype=pl.Categorical), pl.Series("y", y), pa.array(y),
        pa.chunked_array([y]), pa.chunked_array([y[:3], y[3:]]).dictionary_encode(), pl.DataFrame({"y": y}),
    ],
    ids=lambda target: type(target).__name__,
)  # fmt: skip
def test_classes_may_come_from_anywhere(target):
    X = IN_PANDAS[["whole", "narrow"]]
    assert CARTClassifier().fit(X, target).tree_ == CARTClassifier().fit(X, y).tree_


def test_declared_classes_count_where_those_of_pandas_do():
    X, declared = IN_PANDAS[["whole"]], ["n", "never", "y"]
    other = C45Classifier.j48().fit(X, pl.Series(y, dtype=pl.Enum(declared)))
    same = C45Classifier.j48().fit(X, pd.Categorical(y, declared))
    assert other.classes_.tolist() == same.classes_.tolist()
    assert other.tree_ == same.tree_


@pytest.mark.parametrize("tree", [CARTClassifier(), CARTRegressor()])
@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (pa.array([dt.date(2020, 1, 1)] * 12), "Date"),
        (pa.array([dt.datetime(2020, 1, 1)] * 12), "Datetime.*"),
        (pa.array([dt.timedelta(1)] * 12), "Duration.*"),
        (pa.array([[1]] * 12), "List.*"),
        (pa.array([b"a"] * 12), "Binary"),
    ],
)
def test_what_cannot_be_predicted_is_refused_alike(tree, values, kind):
    X = IN_PANDAS[["whole"]]
    words = f"is of type {kind}, which is neither categorical nor numeric; extract a number"
    for target in (values, pa.chunked_array([values]), pl.Series("when", values)):
        with pytest.raises(TypeError, match=f"^y {words}"):
            tree.fit(X, target)
    with pytest.raises(TypeError, match=f"^column 'when' of y {words}"):
        tree.fit(X, pa.table({"when": values}))


def test_whole_numbers_without_a_float_of_their_own_are_not_predicted():
    X, wide = IN_PANDAS[["whole"]], pl.Series([2**53 + 1] * 12, dtype=pl.Int128)
    for target in (wide, wide.cast(pl.Int64), wide.cast(pl.Int64).to_arrow()):
        with pytest.raises(ValueError, match=r"^y holds 9007199254740993; beyond 2\*\*53"):
            CARTRegressor().fit(X, target)


@pytest.mark.parametrize("kind", ["decimal32", "decimal64", "decimal128", "decimal256"])
def test_decimal_numbers_of_arrow_are_numbers_of_every_width(kind):
    if not hasattr(pa, kind):
        pytest.skip("older versions of pyarrow do not have it")
    values = pa.array([Decimal("1.50"), None, Decimal("0.10"), Decimal("4.00")], getattr(pa, kind)(5, 2))
    assert in_pandas(pa.table({"x": values}))["x"].tolist() == pytest.approx(
        [1.5, np.nan, 0.1, 4], nan_ok=True
    )
    known = values.drop_null()
    X = np.arange(3.0).reshape(-1, 1)
    assert CARTRegressor().fit(X, known).predict(X).tolist() == [1.5, 0.1, 4]
    assert CARTRegressor().fit(X, pa.chunked_array([known])).predict(X).tolist() == [1.5, 0.1, 4]


def test_numbers_to_be_predicted_and_weights_may_come_from_anywhere():
    X, numbers = IN_PANDAS[["whole", "narrow"]], np.arange(12) / 2
    plain = CARTRegressor().fit(X, numbers, numbers + 1).tree_
    for column in (pl.Series, pa.array, lambda x: pa.chunked_array([x])):
        assert CARTRegressor().fit(X, column(numbers), column(numbers + 1)).tree_ == plain
    for missing in (pl.Series([1.0] * 11 + [None]), pa.array([1] * 11 + [None])):
        with pytest.raises(ValueError, match=r"y is missing \(NaN\) in row 11"):
            CARTRegressor().fit(X, missing)
        with pytest.raises(ValueError, match="y is missing in 1 row, which is row 11 "):
            CARTClassifier().fit(X, missing)
    hole = pa.array([*y[:11], None]).dictionary_encode()
    with pytest.raises(ValueError, match="y is missing in 1 row, which is row 11 "):
        CARTClassifier().fit(X, hole)
    both = pl.DataFrame({"u": numbers, "v": -numbers})
    assert CARTRegressor().fit(X, both).tree_ == CARTRegressor().fit(X, both.to_pandas()).tree_


@pytest.mark.parametrize("tree", [ID3Classifier(), ID3Regressor(), OptimalTreeClassifier(max_depth=2)])
def test_names_without_gaps(tree):
    X = IN_PANDAS[["true"]].assign(text=list("uvw") * 4)
    target = np.arange(12) if isinstance(tree, ID3Regressor) else y
    plain = clone(tree).fit(X, target)
    other = clone(tree).fit(pl.DataFrame(X.to_dict("list")), target)
    assert other.tree_ == plain.tree_
    assert np.array_equal(other.predict(pa.Table.from_pylist(X.to_dict("records"))), plain.predict(X))


def test_weighted_sums_need_numbers():
    X = IN_POLARS[["whole", "narrow"]]
    tree = ObliqueTreeClassifier(random_state=0)
    assert clone(tree).fit(X, y).tree_ == clone(tree).fit(IN_PANDAS[["whole", "narrow"]], y).tree_
    with pytest.raises(TypeError, match="need numeric features, but these columns are not: true"):
        tree.fit(IN_POLARS[["true", "whole"]], y)


def test_names_that_differ_from_those_of_training_are_said():
    tree = CARTClassifier().fit(IN_POLARS[["whole", "narrow"]], y)
    with pytest.raises(ValueError, match=r"(?s)feature names should match.*wide"):
        tree.predict(IN_POLARS[["whole", "narrow"]].rename({"whole": "wide"}))
    with pytest.raises(TypeError, match="column 'whole' was numeric in training"):
        tree.predict(IN_POLARS[["whole", "narrow"]].with_columns(pl.col("whole").cast(pl.String)))
    batch = pa.record_batch([[1], [2]], ["a", "a"])
    for X in (batch, pa.Table.from_batches([batch])):
        with pytest.raises(
            ValueError, match=r"^X has several columns called \['a'\]: rename them, X = "
        ) as error:
            tree.fit(X, ["n"])
        given = {"X": X}
        exec(str(error.value).partition("rename them, ")[2], given)
        assert tree.fit(given["X"], ["n"]).feature_names_in_.tolist() == ["a_0", "a_1"]


def test_rows_that_are_not_in_memory_are_refused():
    with pytest.raises(TypeError, match=r"X is a LazyFrame of polars.*X\.collect\(\).*out_of_core"):
        C45Classifier().fit(IN_POLARS.lazy(), y)
    with pytest.raises(ValueError, match="X is one column; wanted a DataFrame"):
        C45Classifier().fit(IN_POLARS["text"], y)


def test_one_column_is_no_frame():
    column = IN_POLARS["whole"]
    for X in (column, column.to_arrow(), pa.chunked_array([column.to_arrow()]), column.to_pandas()):
        with pytest.raises(ValueError, match=r"^X is one column; .*pyarrow\.table\({\"x\": X}\) in pyarrow"):
            CARTClassifier().fit(X, y)
    assert CARTClassifier().fit(pa.table({"x": column.to_arrow()}), y).n_features_in_ == 1


@pytest.mark.parametrize(
    ("weight", "said"),
    [
        (pl.Series(["a"] * 12), "a Series of polars"),
        (pa.array(["a"] * 12), "a StringArray of pyarrow"),
        (pa.chunked_array([["a"] * 12]), "a ChunkedArray of pyarrow"),
        (pd.Series(["a"] * 12), "a Series of pandas"),
    ],
)
def test_what_is_no_weight_is_called_by_its_type(weight, said):
    words = rf"^sample_weight is {said}; wanted real numbers, one weight per row \(this is text\)$"
    with pytest.raises(ValueError, match=words):
        CARTClassifier().fit(IN_PANDAS[["whole"]], y, weight)


def test_searches_and_ensembles_take_them():
    golf = load_golf()
    X = pl.DataFrame(golf.X.to_dict("list"))
    for tree in (C45Classifier(), CARTClassifier()):
        assert (cross_val_score(tree, X, golf.y) == cross_val_score(tree, golf.X, golf.y)).all()
    search = GridSearchCV(CARTClassifier(), {"max_depth": [1, 2]}).fit(X, golf.y)
    assert search.best_params_ == search.fit(golf.X, golf.y).best_params_
    bags = [
        BaggingClassifier(make_pipeline(frame_like(frame), C45Classifier()), 5, random_state=0)
        .fit(frame, golf.y)
        .predict_proba(frame)
        for frame in (golf.X, X)
    ]
    assert np.array_equal(*bags)


@names_of_polars
def test_steps_of_a_pipeline_may_make_them():
    melons = load_watermelon("3.0")
    steps = ColumnTransformer([("same", "passthrough", melons.X.columns)], verbose_feature_names_out=False)
    steps.set_output(transform="polars")
    tree = make_pipeline(steps, C45Classifier()).fit(pl.DataFrame(melons.X.to_dict("list")), melons.y)
    assert tree[-1].tree_ == C45Classifier().fit(melons.X.astype(object).infer_objects(), melons.y).tree_


def test_tools_and_the_books_functions_take_them():
    golf = load_golf()
    frame = pl.DataFrame(golf.frame.to_dict("list"))
    X, target = frame.drop("play"), frame["play"]
    same = golf.frame.astype({"outlook": object, "play": object})  # names as they are, in no declared order
    assert contingency(frame, "outlook", "play").equals(contingency(same, "outlook", "play"))
    assert class_counts(target).equals(class_counts(same["play"]))
    assert str(worked(frame, "play", method="c45")) == str(worked(same, "play", method="c45"))
    tree = C45Classifier().fit(X, target)
    left = leave_out_importances(tree, X, target.to_numpy(), folds=3)
    assert left.equals(leave_out_importances(tree, golf.X, golf.y, folds=3))
    cut = reduced_error(tree.tree_, X, target)
    assert cut == reduced_error(tree.tree_, golf.X, golf.y)
    batches = grow_from(Batches([frame[:5], frame[5:]], "play"), C45Classifier())
    assert batches.tree_ == tree.tree_


def test_what_an_encoder_makes_is_said_with_the_way_out():
    golf = load_golf()
    steps = ColumnTransformer([("names", OneHotEncoder(), ["outlook"])], sparse_threshold=1)
    with pytest.raises(TypeError, match="sparse_output=False"):
        make_pipeline(steps, C45Classifier()).fit(golf.X, golf.y)


def in_parts(*orders, ordered=True):
    """Return a table of Arrow whose column has a dictionary of its own in each part, with two rows."""
    parts = [
        pa.DictionaryArray.from_arrays(pa.array([0, 1], pa.int8()), pa.array(names), ordered=ordered)
        for names in orders
    ]
    return pa.table({"x": pa.chunked_array(parts)})


@pytest.mark.parametrize(
    "frame", [lambda table: table, lambda table: table.to_pandas(types_mapper=pd.ArrowDtype)]
)
def test_one_order_is_wanted_in_all_parts(frame):
    with pytest.raises(TypeError, match="column 'x' declares its categories in several orders"):
        CARTClassifier().fit(frame(in_parts(["S", "L"], ["L", "S"])), y[:4])
    one = CARTClassifier().fit(frame(in_parts(["S", "L"], ["S", "L"])), y[:4]).tree_
    assert (one.features[0].kind, one.features[0].values) == ("ordered", ("S", "L"))
    mixed = CARTClassifier().fit(frame(in_parts(["S", "L"], ["L", "S"], ordered=False)), y[:4]).tree_
    assert (mixed.features[0].kind, mixed.features[0].values) == ("nominal", ("L", "S"))


@pytest.mark.parametrize(
    "frame", [lambda table: table, lambda table: table.to_pandas(types_mapper=pd.ArrowDtype)]
)
def test_a_null_among_ordered_names_is_a_missing_value(frame):
    table = in_parts(["S", None], ["S", None])
    grower = CARTClassifier(missing="majority")
    tree = grower.fit(frame(table), y[:4]).tree_
    assert (tree.features[0].kind, tree.features[0].values) == ("ordered", ("S",))
    table = table.append_column("c", [["n", "y", "n", "y"]])
    streamed = grow_from(Arrow(table, "c"), grower).tree_
    assert streamed.features == tree.features


def test_a_type_that_other_libraries_do_not_know_is_called_by_its_name():
    column = pa.array([[("k", 1)]], pa.map_(pa.string(), pa.int8()))
    with pytest.raises(
        TypeError,
        match=r"column 'x' is of type map<string, int8.*>, which is neither",
    ):
        C45Classifier().fit(pa.table({"x": column}), y[:1])


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (dt.date(2020, 1, 1), "is of type date, which is neither categorical nor numeric"),
        (dt.datetime(2020, 1, 1), "is of type datetime, which is neither categorical nor numeric"),
        (Decimal("1.5"), r"holds numbers of type Decimal.*\.astype\(float\)"),
    ],
)
def test_objects_of_pandas_that_are_no_names_are_refused(value, words):
    X = pd.DataFrame({"x": pd.Series([value, None], dtype=object)})
    with pytest.raises(TypeError, match=f"column 'x' {words}"):
        C45Classifier().fit(X, y[:2])
    chosen = X.astype("category")  # who makes a category of them wants names
    assert C45Classifier().fit(chosen, y[:2]).tree_.features[0].values == (value,)


@names_of_polars
def test_a_pipeline_of_scikit_learn_takes_polars():
    names = IN_PANDAS[["true", "whole"]].assign(text=list("abc") * 4)
    tree = CARTClassifier().fit(names, y)
    model = tree.tree_.to_sklearn()
    assert model.predict(pl.DataFrame(names.to_dict("list"))).tolist() == tree.predict(names).tolist()


def test_classes_to_be_counted_that_are_none_are_called_the_target():
    with pytest.raises(TypeError, match=r"^target is of type Date, which is neither categorical nor numeric"):
        class_counts(pl.Series([dt.date(2026, 1, 31)]))


def test_a_column_keeps_its_name_whatever_it_holds():
    order = pl.Enum(["small", "large"])
    for column in (
        pl.Series("size", ["large"], dtype=order),
        pl.Series("size", ["large"]),
        pl.Series("size", [1]),
    ):
        assert in_pandas(column).name == "size"
