"""Parquet, record batches of Arrow and DuckDB: the tree is that from memory, whatever the columns hold."""

import math
import pickle
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone

from dtlib import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier
from dtlib.out_of_core import Arrow, DuckDB, grow_from, intervals, spread, streams
from dtlib.out_of_core.cells import Cells, add
from dtlib.out_of_core.spark import counted_cells, merged_summaries, summaries_of
from dtlib.out_of_core.spread import Intervals, QuantileSketch
from dtlib.out_of_core.streams import wanted_of
from dtlib.out_of_core.tallies import EveryValue, TableOfPlaces
from tests.drawn import examples
from tests.needs import needed

pyarrow, duckdb = needed("pyarrow"), needed("duckdb")
compute, parquet = needed("pyarrow.compute"), needed("pyarrow.parquet")

NAMES = ["x", 'say "x"', "it's", "group", "字", "a" * 60, "node", "level", "x;y", "SELECT", "a b", "{0}"]
ESTIMATORS = [
    CARTClassifier(),
    CARTClassifier(criterion="entropy", max_depth=3),
    CARTClassifier(min_samples_leaf=3, nominal="one_vs_rest"),
    CARTClassifier.sklearn(),
    C45Classifier(),
    C45Classifier.j48(prune=None),
]


def columns(rng, n):
    """Return columns of each type that is read, by what they hold."""
    text = rng.choice(["it's", 'say "x"', "字", ""], n).astype(object)
    sizes = pd.Categorical(rng.choice(["s", "m", "l"], n), ["s", "m", "l"], ordered=True)
    return {
        "double": rng.normal(size=n),
        "float": rng.normal(size=n).astype(np.float32),
        "small": rng.integers(0, 9, n).astype(np.uint8),
        "large": rng.integers(-(2**40), 2**40, n),
        "truth": rng.random(n) < 0.5,
        "text": text,
        "sizes": sizes,
    }


@st.composite
def tables(draw):
    """Return a frame whose columns have names that hurt, the last one the classes; and whether some miss."""
    rng, n = np.random.default_rng(draw(st.integers(0, 2**32 - 1))), draw(st.sampled_from([1, 9, 60]))
    some = draw(st.lists(st.sampled_from(sorted(columns(rng, 1))), min_size=1, unique=True))
    names = draw(st.permutations(NAMES))
    found, holes = columns(rng, n), draw(st.booleans())
    frame = pd.DataFrame({name: found[kind] for kind, name in zip(some, names, strict=False)})
    if holes:
        for name in frame:
            column = frame[name]
            column = column.astype(object) if column.dtype == bool else column
            frame[name] = column.where(rng.random(n) < 0.8)
    y = rng.integers(0, 3, n)
    target = names[-1]
    return frame.assign(**{target: y if draw(st.booleans()) else np.array(list("nyz"), object)[y]}), holes


@examples(60)
@given(tables(), st.sampled_from(ESTIMATORS), st.sampled_from([1, 7, 1000]))
def test_the_tree_is_that_from_memory(drawn, estimator, rows):
    frame, holes = drawn
    target, estimator = frame.columns[-1], clone(estimator)
    if holes:
        in_parts = isinstance(estimator, C45Classifier) and len(frame) % 2 == 0
        estimator.set_params(missing="fractional" if in_parts else "majority")
        frame = frame[[name for name in frame if name == target or frame[name].notna().any()]]
        if frame.shape[1] == 1:
            return
    wanted = estimator.fit(frame.drop(columns=target), frame[target]).tree_.to_json()
    table = pyarrow.Table.from_pandas(frame, preserve_index=False)
    sources = [
        Arrow(table, target, rows=rows),
        Arrow(lambda: iter(table.to_batches(max_chunksize=rows)), target),
    ]
    if not any(
        pyarrow.types.is_dictionary(field.type) for field in table.schema
    ):  # DuckDB has no order of names
        connection = duckdb.connect()
        connection.register("a table", table)
        sources.append(DuckDB(connection, "a table", target, rows=2048))
        sources.append(DuckDB(connection, query='SELECT * FROM "a table" -- all', target=target))
    for source in sources:
        assert grow_from(source, clone(estimator)).tree_.to_json() == wanted


def test_parquet_files_and_folders_of_them(tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.normal(size=9000), "n": rng.choice(list("abc"), 9000)})
    frame["y"] = ((frame["x"] > 0.4) ^ (frame["n"] == "b")).astype(int)
    for k, part in enumerate(frame[a : a + 3000] for a in (0, 3000, 6000)):
        parquet.write_table(pyarrow.Table.from_pandas(part, preserve_index=False), tmp_path / f"{k}.parquet")
    wanted = CARTClassifier(max_depth=4).fit(frame[["n", "x"]], frame["y"]).tree_.to_json()
    for data in (tmp_path, str(tmp_path), sorted(tmp_path.iterdir())):
        source = Arrow(data, "y", features=["n", "x"])
        assert grow_from(source, CARTClassifier(max_depth=4)).tree_.to_json() == wanted
    assert source.passes <= 1 + 2 * 4


def test_numbers_missing_as_null_or_nan_are_the_same():
    x, y = [1.0, None, 3.0, None, 5.0, 6.0], [0, 0, 0, 1, 1, 1]
    null = pyarrow.table({"x": x, "y": y})
    nan = pyarrow.table(
        {"x": pyarrow.array([math.nan if v is None else v for v in x], from_pandas=False), "y": y}
    )
    whole = pyarrow.table({"x": [None if v is None else int(v) for v in x], "y": y})
    trees = [
        grow_from(Arrow(t, "y"), CARTClassifier(missing="stay")).tree_.to_json() for t in (null, nan, whole)
    ]
    assert trees[0] == trees[1] == trees[2]


class InParts(Arrow):
    """A table whose parts are counted as the partitions of Spark are, in this process."""

    def parts(self, names, function):
        for batch in self.data():
            batches = [batch.select(names)] if len(batch) else []
            yield from pickle.loads(pickle.dumps(function))(iter(batches))

    def columns(self):
        names = self.data()[0].schema.names
        names = [*(name for name in names if name != self.target), self.target]
        lines = pyarrow.Table.from_batches(self.parts(names, Task(summaries_of, names, self.target)))
        found = {}
        for k in sorted(set(lines["place"].to_pylist())):
            part = lines.filter(compute.equal(lines["place"], k))
            found[names[k]] = pickle.loads(merged_summaries(part)["summary"][0].as_py())
        return self.learned(found)

    def tally(self, tree, nodes, tallies, parts=None):
        names = [tree.features[f].name for f in wanted_of(tree, tallies)]
        count = Task(counted_cells, tree, nodes, tallies, self.target, parts)
        lines = pyarrow.Table.from_batches(self.parts([*names, self.target], count)).to_pandas()
        for f, tally in tallies.items():
            cells = lines[lines["feature"] == f].drop(columns="feature")
            numeric = tree.features[f].kind == "numeric"
            value = cells["value"].to_numpy(float if numeric else np.intp)
            cells = Cells(*(cells[name].to_numpy() for name in cells))
            tally.put(add(cells._replace(value=value)))


class Task:
    """A function and what it is called with besides batches."""

    def __init__(self, function, *given):
        self.function, self.given = function, given

    def __call__(self, batches):
        return self.function(batches, *self.given)


@examples(40)
@given(tables(), st.sampled_from(ESTIMATORS), st.sampled_from([1, 7, 1000]), st.booleans())
def test_parts_that_are_counted_apart_give_the_tree_from_memory(drawn, estimator, rows, small):
    frame, holes = drawn
    target, estimator = frame.columns[-1], clone(estimator)
    if holes:
        in_parts = isinstance(estimator, C45Classifier) and len(frame) % 2 == 0
        estimator.set_params(missing="fractional" if in_parts else "majority")
        frame = frame[[name for name in frame if name == target or frame[name].notna().any()]]
    frame = frame.drop(columns=[name for name in frame if isinstance(frame[name].dtype, pd.CategoricalDtype)])
    if frame.shape[1] == 1:
        return
    wanted = estimator.fit(frame.drop(columns=target), frame[target]).tree_.to_json()
    batches = pyarrow.Table.from_pandas(frame, preserve_index=False).to_batches(max_chunksize=rows)
    with pytest.MonkeyPatch.context() as patch:
        if small:
            patch.setattr(spread, "FEW_VALUES", 3)
            patch.setattr(intervals, "INTERVALS", 4)
            patch.setattr(intervals, "FEWEST_INTERVALS", 4)
            patch.setattr(streams, "ROOM", 50)
        source = InParts(lambda: [batches[0][:0], *batches], target)
        assert grow_from(source, clone(estimator)).tree_.to_json() == wanted


@examples(100)
@given(st.lists(st.lists(st.integers(-9, 9), max_size=40), max_size=6), st.sampled_from([2, 8]))
def test_spreads_merge(parts, sampled):
    numbers = np.array([x for part in parts for x in part], float)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spread, "SAMPLED", sampled)
        patch.setattr(spread, "FEW_VALUES", 7)
        whole, all_at_once = QuantileSketch(), QuantileSketch()
        all_at_once.add(numbers)
        for part in parts:
            other = QuantileSketch()
            other.add(np.array(part, float))
            whole.merge(other)
        assert whole.size <= 2 * sampled
    if all_at_once.values is None:
        assert whole.values is None
    else:
        np.testing.assert_array_equal(whole.values, all_at_once.values)
    assert whole.largest == all_at_once.largest
    taken = np.concatenate([np.empty(0), *whole.taken])
    assert len(taken) == whole.size
    assert set(taken) <= set(numbers)
    assert (whole.step & (whole.step - 1), whole.size > 0) == (0, len(numbers) > 0)
    assert abs(whole.size * whole.step - len(numbers)) <= whole.step * (1 + len(parts))


def test_a_merged_sample_weighs_each_part_by_its_rows():
    whole, n = QuantileSketch(), 1 << 20
    for first, rows in ((0, n), (1, n // 8), (2, n // 8)):
        other = QuantileSketch()
        other.add(first + np.arange(rows) / rows)
        whole.merge(other)
    x = np.concatenate(whole.taken)
    assert [round(float(((x >= k) & (x < k + 1)).mean()), 2) for k in range(3)] == [0.8, 0.1, 0.1]


def test_tallies_are_small_until_they_count():
    ends = Intervals(np.arange(4000.0))
    for tally in (TableOfPlaces((200, 4000, 3), ends), EveryValue(ends, np.zeros((2, 4001), bool))):
        assert len(pickle.dumps(tally)) < 50_000


def made(**columns):
    """Return a source of some columns, of which y has the classes."""
    return Arrow(pyarrow.table(columns), "y")


@pytest.mark.parametrize(
    ("source", "error", "message"),
    [
        (lambda: Arrow(7, "y"), TypeError, "data is a int; wanted the path of a Parquet file"),
        (lambda: Arrow([], "y"), TypeError, "data is a list; wanted"),
        (lambda: Arrow(pyarrow.table({"x": [1]}), "y"), KeyError, "no column 'y'"),
        (lambda: Arrow(pyarrow.table({"y": [1]}), "y"), ValueError, "wanted the target and features"),
        (lambda: made(x=[1.0], y=[None]), ValueError, "target 'y' is missing in some rows"),
        (lambda: made(x=[1.0, math.inf], y=[0, 1]), ValueError, "column 'x' is inf in row 1"),
        (lambda: made(x=[2**60, 1], y=[0, 1]), ValueError, "beyond 2\\*\\*53"),
        (lambda: made(x=[2**53 + 1, None], y=[0, 1]), ValueError, "holds 9007199254740993; beyond 2\\*\\*53"),
        (lambda: made(x=pyarrow.array([1], pyarrow.date32()), y=[0]), TypeError, "type date32"),
        (lambda: Arrow(pyarrow.table({"x": [1], "y": [0]}), "y", features="x"), TypeError, "features is 'x'"),
        (lambda: Arrow(pyarrow.table({"x": [1], "y": [0]}), "y", features=["z"]), KeyError, "no column 'z'"),
        (lambda: Arrow(pyarrow.table({"x": [1], "y": [0]}), "y", features=["y"]), ValueError, "features is"),
        (lambda: Arrow(pyarrow.table({"x": [1], "y": [0]}), "y", rows=0), ValueError, "rows is 0"),
        (lambda: Arrow(pyarrow.table({"x": [1], "y": [0]}).slice(1), "y"), ValueError, "data has no rows"),
        (lambda: DuckDB(7, "t", "y"), TypeError, "connection is a int"),
        (lambda: DuckDB(duckdb.connect(), "t", "y", query="SELECT 1"), ValueError, "wanted one of them"),
    ],
)
def test_what_cannot_be_read(source, error, message):
    with pytest.raises(error, match=message):
        grow_from(source(), CARTClassifier())


def test_numbers_to_be_predicted_of_every_type():
    y = np.array([1.5, -2.25, 1.5, 8.0, 3.0, -0.5])
    x = np.arange(6)
    wanted = CARTRegressor().fit(pd.DataFrame({"x": x}), pd.Series(y, name="y")).tree_.to_json()
    kinds = [pyarrow.float64(), pyarrow.float32(), pyarrow.decimal128(9, 3)]
    for kind in kinds:
        found = grow_from(made(x=x, y=pyarrow.array(y).cast(kind)), CARTRegressor())
        assert found.tree_.to_json() == wanted
    for hole in (None, math.nan):
        with pytest.raises(ValueError, match="target 'y' is missing in some rows"):
            grow_from(made(x=[1, 2], y=pyarrow.array([1.0, hole], from_pandas=False)), CARTRegressor())
    with pytest.raises(ValueError, match="inf"):
        grow_from(made(x=[1, 2], y=[1.0, math.inf]), CARTRegressor())
    with pytest.raises((TypeError, ValueError), match="y holds"):
        grow_from(made(x=[1, 2], y=["a", "b"]), CARTRegressor())


def test_dates_in_duckdb_and_missing_tables_are_said():
    connection = duckdb.connect()
    connection.sql("CREATE TABLE t AS SELECT DATE '2026-01-01' AS d, 1 AS y")
    with pytest.raises(TypeError, match="column 'd' is of type date32"):
        grow_from(DuckDB(connection, "t", "y"), CARTClassifier())
    with pytest.raises(KeyError, match="no column 'z'"):
        grow_from(DuckDB(connection, "t", "z"), CARTClassifier())
    with pytest.raises(duckdb.Error, match="nowhere"):
        grow_from(DuckDB(connection, "nowhere", "y"), CARTClassifier())


def test_id3_from_parquet_and_data_that_change(tmp_path):
    file = tmp_path / "names.parquet"
    first = pyarrow.table({"a": ["p", "q", "p", "q"], "b": ["u", "u", "v", "v"], "y": [0, 1, 0, 1]})
    parquet.write_table(first, file)
    assert grow_from(Arrow(file, "y"), ID3Classifier()).tree_.n_leaves == 2
    batches = iter([first.to_batches(), first.slice(1).to_batches()])
    with pytest.raises(ValueError, match="the data changed"):
        grow_from(Arrow(lambda: next(batches), "y"), ID3Classifier())
    names = iter(
        [
            first.to_batches(),
            pyarrow.table({"a": list("pqrq"), "b": list("uuvv"), "y": [0, 1, 0, 1]}).to_batches(),
        ]
    )
    with pytest.raises(ValueError, match="'a' has categories now that it had not in the first pass"):
        grow_from(Arrow(lambda: next(names), "y"), ID3Classifier())


def test_files_that_disagree_about_a_type(tmp_path):
    for name, x in {"a": [1, 2], "b": ["1", "2"]}.items():
        parquet.write_table(pyarrow.table({"x": x, "y": [0, 1]}), tmp_path / f"{name}.parquet")
    with pytest.raises(TypeError, match="'x' is numeric in one part of the data and categorical in another"):
        grow_from(Arrow(tmp_path, "y"), CARTClassifier())


def as_in_memory(table, estimator=None, **options):
    """Tell whether the tree of a table's counts is that of the table in memory, and return it."""
    estimator = CARTClassifier() if estimator is None else estimator
    tree = grow_from(Arrow(table, "y", **options), estimator).tree_
    X = table.select([name for name in table.column_names if name != "y"])
    assert tree.to_json() == estimator.fit(X, table["y"]).tree_.to_json()
    return tree


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_entries_of_a_dictionary_that_no_row_has(estimator):
    """Tables that were filtered have them, as has a pandas column of categories."""
    names = pyarrow.array(list("zuvuvwu")).dictionary_encode()
    table = pyarrow.table({"c": names, "x": [1.0, 2, 3, 4, 5, 6, 7], "y": names})
    table = table.slice(1)
    assert "z" in table["c"].chunk(0).dictionary.to_pylist()
    tree = as_in_memory(table, clone(estimator))
    assert (tree.classes, tree.features[0].values) == (("u", "v", "w"), ("u", "v", "w"))
    connection = duckdb.connect()
    connection.register("rows", table)
    connection.execute("CREATE TABLE t AS SELECT c::VARCHAR AS c, x, y::VARCHAR AS y FROM rows")
    assert (
        grow_from(DuckDB(connection, "t", "y", features=["c", "x"]), clone(estimator)).tree_.to_json()
        == tree.to_json()
    )


@pytest.mark.parametrize("rows", [2, 1 << 17])
@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_an_enum_of_duckdb_keeps_its_order_as_in_pandas(estimator, rows):
    connection = duckdb.connect()
    connection.execute("CREATE TYPE size AS ENUM ('small', 'large', 'huge', 'none')")
    connection.execute("CREATE TABLE t (s size, x DOUBLE, y size)")
    sizes = ["large", "small", "huge", "large", "huge", "small", "small", "large"]
    lines = [(s, k % 3, "large" if s == "large" else "small") for k, s in enumerate(sizes)]
    connection.executemany("INSERT INTO t VALUES (?, ?, ?)", lines)
    source = DuckDB(connection, "t", "y", features=["s", "x"], rows=rows)
    found = grow_from(source, clone(estimator)).tree_
    frame = connection.sql("SELECT * FROM t").df()
    assert frame["s"].cat.ordered
    assert found.to_json() == clone(estimator).fit(frame[["s", "x"]], frame["y"]).tree_.to_json()
    assert found.features[0].values == ("small", "large", "huge", "none")
    assert (found.features[0].kind == "ordered") == isinstance(estimator, CARTClassifier)
    query = "SELECT CAST(s AS VARCHAR) AS s, x, y FROM t"
    plain = grow_from(DuckDB(connection, target="y", query=query), clone(estimator)).tree_
    assert plain.features[0].values == ("huge", "large", "small")
    assert plain.features[0].kind == "nominal"


def test_an_enum_of_duckdb_may_have_missing_values():
    connection = duckdb.connect()
    connection.execute("CREATE TYPE size AS ENUM ('small', 'large')")
    connection.execute("CREATE TABLE t AS SELECT NULL::size AS s, x, x % 2 AS y FROM range(6) r(x)")
    connection.execute("INSERT INTO t VALUES ('large', 6, 1)")
    found = grow_from(DuckDB(connection, "t", "y"), CARTClassifier(missing="majority"))
    frame = connection.sql("SELECT * FROM t").df()
    wanted = CARTClassifier(missing="majority").fit(frame[["s", "x"]], frame["y"])
    assert found.tree_.to_json() == wanted.tree_.to_json()


def test_a_missing_value_among_the_entries_of_a_dictionary():
    names = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0, 1, 2, 0]), pyarrow.array(["u", None, "v"]))
    plain = pyarrow.array(["u", None, "v", "u"])
    trees = [
        grow_from(Arrow(pyarrow.table({"c": c, "y": list("pqqp")}), "y"), C45Classifier(missing="majority"))
        for c in (names, plain)
    ]
    assert trees[0].tree_.to_json() == trees[1].tree_.to_json()


def test_a_part_without_a_value_may_have_no_type():
    some = pyarrow.record_batch({"c": list("uvuv"), "x": [1, 2, 3, 4], "y": list("pqpp")})
    none = pyarrow.record_batch({"c": pyarrow.nulls(3), "x": pyarrow.nulls(3), "y": list("pqp")})
    frame = pd.concat([some.to_pandas(), none.to_pandas().astype({"x": float})])
    wanted = C45Classifier().fit(frame[["c", "x"]], frame["y"]).tree_.to_json()
    for parts in ([some, none], [none, some]):
        source = Arrow(lambda parts=parts: iter(parts), "y")
        assert grow_from(source, C45Classifier()).tree_.to_json() == wanted


def test_truth_is_no_number_of_another_tree():
    """What finds the classes is remembered, and ``(False, True) == (0, 1)``."""
    x = list(range(8))
    for y in ([False, True] * 4, [0, 1] * 4, [0.0, 1.0] * 4):
        as_in_memory(pyarrow.table({"x": x, "y": y}))


def test_whole_classes_beyond_what_a_float_holds():
    tree = as_in_memory(pyarrow.table({"x": range(4), "y": [2**60, 2**60 + 1] * 2}))
    assert tree.classes == (2**60, 2**60 + 1)


def test_decimals_are_the_floats_nearest_to_them():
    digits = [f"-{k / 10:.1f}" for k in range(100)]
    table = pyarrow.table({"x": [Decimal(d) for d in digits], "y": [k * 37 % 100 % 3 for k in range(100)]})
    tree = as_in_memory(table)
    floats = CARTClassifier().fit(pd.DataFrame({"x": [float(d) for d in digits]}), table["y"].to_pylist())
    assert tree.to_json() == floats.tree_.to_json()


def test_folders_that_are_a_column(tmp_path):
    table = pyarrow.table({"c": list("ababab"), "x": [1, 1, 2, 2, 1, 2], "y": list("pqpqpp")})
    names = pyarrow.dataset.partitioning(pyarrow.schema([("c", pyarrow.string())]), flavor="hive")
    pyarrow.dataset.write_dataset(table, tmp_path, format="parquet", partitioning=names)
    wanted = CARTClassifier().fit(table.select(["c", "x"]), table["y"]).tree_.to_json()
    assert grow_from(Arrow(tmp_path, "y", features=["c", "x"]), CARTClassifier()).tree_.to_json() == wanted


def test_parts_with_other_columns_are_refused():
    parts = [pyarrow.record_batch({name: [1], "y": [1]}) for name in "xz"]
    with pytest.raises(ValueError, match=r"the columns \['x', 'y'\], another one \['z', 'y'\]"):
        grow_from(Arrow(lambda: iter(parts), "y"), CARTClassifier())


def test_a_frame_is_no_file():
    with pytest.raises(TypeError, match="data is a DataFrame, which is in memory already"):
        Arrow(pd.DataFrame({"x": [1], "y": [1]}), "y")
    with pytest.raises(ValueError, match=r"features is \[\]; wanted columns"):
        Arrow(pyarrow.table({"x": [1], "y": [1]}), "y", features=[])
