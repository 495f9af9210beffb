"""Spark: partitions count, Spark adds up, and the tree is that from memory."""

import os
import sqlite3
import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from dtlib import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier
from dtlib.datasets import load_loan
from dtlib.out_of_core import Arrow, Batches, Database, DuckDB, Spark, grow_from, intervals, spread, streams
from dtlib.out_of_core.spark import what_failed
from tests.needs import needed, needed_java

pyarrow, parquet, sql = needed("pyarrow"), needed("pyarrow.parquet"), needed("pyspark.sql")
duckdb = needed("duckdb")
needed_java()

HURTING = ["a.b", "fe`a", "node", "feature", 'say "x"', "SELECT", "字", "a" * 60, "A", "a", "value", "rows\n"]


@pytest.fixture(scope="module")
def session():
    os.environ["PYSPARK_PYTHON"] = sys.executable
    settings = {
        "spark.ui.enabled": False,
        "spark.sql.shuffle.partitions": 2,
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.log.level": "OFF",
    }
    session = sql.SparkSession.builder.master("local[2]").config(map=settings).getOrCreate()
    yield session
    session.stop()


def in_spark(session, frame, parts=2):
    """Return a frame of pandas, or a table of Arrow, as one of Spark, in so many partitions."""
    table = (
        pyarrow.Table.from_pandas(frame, preserve_index=False) if isinstance(frame, pd.DataFrame) else frame
    )
    made = session.createDataFrame(table)
    return made.repartition(parts) if parts > 2 else made.coalesce(parts)


def in_memory(frame, target, estimator):
    """Return the tree's JSON as `fit` grows it."""
    return clone(estimator).fit(frame.drop(columns=target), frame[target]).tree_.to_json()


def drawn(n, seed=0):
    """Return columns of each type that is read, with three classes, by names that hurt."""
    rng = np.random.default_rng(seed)
    columns = {
        "double": rng.normal(size=n),
        "float": rng.normal(size=n).astype(np.float32),
        "zero": rng.choice([-0.0, 0.0, 1.5, -1.5], n),
        "byte": rng.integers(0, 9, n).astype(np.int8),
        "long": rng.integers(-(2**50), 2**50, n),
        "truth": rng.random(n) < 0.5,
        "text": rng.choice(["it's", 'say "x"', "字", ""], n).astype(object),
    }
    more = [rng.normal(size=n), *(rng.integers(0, k, n) for k in (3, 4, 5))]
    y = np.where(columns["double"] > 0.3, 0, columns["byte"] // 4)
    y = np.where(columns["truth"] & (columns["text"] == "字"), 1, y)
    columns["y"] = np.array(list("nyz"), object)[np.where(rng.random(n) < 0.1, rng.integers(0, 3, n), y)]
    return pd.DataFrame(dict(zip(HURTING, [*columns.values(), *more], strict=True)))


TARGET = HURTING[7]


@pytest.mark.parametrize(
    "estimator",
    [
        CARTClassifier(max_depth=4, criterion="entropy"),
        CARTClassifier.sklearn(max_depth=2),
        C45Classifier(max_depth=2),
        C45Classifier.j48(prune=None, max_depth=2),
    ],
)
def test_the_tree_is_that_from_memory(session, estimator):
    frame = drawn(300)
    source = Spark(in_spark(session, frame, parts=3), TARGET)
    assert grow_from(source, estimator).tree_.to_json() == in_memory(frame, TARGET, estimator)


def test_numbers_in_intervals_and_in_no_table(session, monkeypatch):
    frame = drawn(9000)[["a.b", "fe`a", 'say "x"', "字", TARGET]]
    estimator = CARTClassifier(max_depth=3)
    expected = in_memory(frame, TARGET, estimator)
    monkeypatch.setattr(intervals, "INTERVALS", 8)
    monkeypatch.setattr(intervals, "FEWEST_INTERVALS", 8)
    source, made = Spark(in_spark(session, frame), TARGET), in_spark(session, frame)
    assert grow_from(source, estimator).tree_.to_json() == expected
    assert source.passes > 1 + 3
    monkeypatch.setattr(streams, "ROOM", 1)
    assert grow_from(Spark(made, TARGET), estimator).tree_.to_json() == expected


@pytest.mark.parametrize("estimator", [CARTClassifier(missing="stay"), C45Classifier(missing="majority")])
def test_what_is_missing(session, estimator):
    """Null and NaN; a partition in which a column has no value, one with one row, and some with none."""
    frame = drawn(60, seed=1)
    for k, name in enumerate(frame.columns.drop(TARGET)):
        column = frame[name].astype(object) if frame[name].dtype == bool else frame[name]
        frame[name] = column.mask((np.arange(60) % 7 == k) | (np.arange(60) < 20))
    expected = in_memory(frame, TARGET, estimator.set_params(max_depth=3))
    whole = pyarrow.Table.from_pandas(frame, preserve_index=False)
    parts = [whole[:20], whole[20:59], whole[59:], whole[:0]]

    def part_of(batches):
        for batch in batches:
            for k in batch.column(0).to_pylist():
                yield from parts[k].to_batches()

    in_parts = session.range(0, len(parts), 1, len(parts))
    assert in_parts.rdd.getNumPartitions() == len(parts)
    whole = in_parts.mapInArrow(part_of, session.createDataFrame(whole).schema)
    assert grow_from(Spark(whole, TARGET), estimator).tree_.to_json() == expected


def test_id3_and_chosen_features(session):
    loan = load_loan()
    rows = session.createDataFrame(loan.frame.astype(object).to_dict("records"))
    source = Spark(rows, "approved", features=["has_job", "age"], together=1)
    expected = ID3Classifier().fit(loan.X[["has_job", "age"]].astype(object), loan.y).tree_.to_json()
    assert grow_from(source, ID3Classifier()).tree_.to_json() == expected


def test_numbers_to_be_predicted(session):
    frame = drawn(300)[["a.b", "fe`a", 'say "x"', "feature"]]
    estimator = CARTRegressor(max_depth=3)
    source = Spark(in_spark(session, frame), "feature")
    assert grow_from(source, estimator).tree_.to_json() == in_memory(frame, "feature", estimator)


def test_types_of_spark_alone(session):
    query = "SELECT CAST(id AS DECIMAL(9, 2)) / 4 AS d, CAST(NULL AS VOID) AS v, id < 5 AS y FROM range(9)"
    tree = grow_from(Spark(session.sql(query), "y"), CARTClassifier(missing="majority")).tree_
    assert (tree.threshold[0], tree.classes, tree.n_leaves) == (1.125, (False, True), 2)


@pytest.mark.parametrize(
    ("query", "target", "error", "message"),
    [
        ("SELECT 1 AS x", "y", KeyError, "no column 'y'"),
        ("SELECT 1 AS y", "y", ValueError, "wanted the target and features"),
        ("SELECT 1 AS x, 2 AS x, 3 AS y", "y", ValueError, "each once"),
        ("SELECT DATE '2026-01-01' AS d, 1 AS y", "y", TypeError, "column 'd' is of Spark's type date"),
        ("SELECT 1 AS x, now() AS y", "y", TypeError, "column 'y' is of Spark's type timestamp"),
        ("SELECT 1.5D AS x, NULL AS y", "y", ValueError, "target 'y' is missing in some rows"),
        ("SELECT 1 AS x, 1 AS y WHERE 1 = 0", "y", ValueError, "data has no rows"),
        ("SELECT double('inf') AS x, 1 AS y", "y", ValueError, "column 'x' is inf in row 0"),
        ("SELECT 9007199254740993L AS x, 1 AS y", "y", ValueError, "beyond 2\\*\\*53"),
        ("SELECT int(raise_error('no')) AS x, 1 AS y", "y", RuntimeError, "looking at the columns: .*no"),
    ],
)
def test_what_cannot_be_read(session, query, target, error, message):
    with pytest.raises(error, match=message):
        grow_from(Spark(session.sql(query), target), CARTClassifier())


def test_what_is_no_frame_and_no_list_of_features(session):
    with pytest.raises(TypeError, match="frame is a DataFrame; wanted a DataFrame of Spark"):
        Spark(load_loan().frame, "approved")
    with pytest.raises(TypeError, match="features is 'id'"):
        Spark(session.range(3), "id", features="id")


@pytest.mark.parametrize(
    ("later", "message", "has_cause"),
    [
        ("pqp", "at depth 0 are not those of the level above: the data changed", False),
        ("pqpr", "column 'a' has categories now that it had not in the first pass: the data changed", True),
    ],
)
def test_data_that_change_while_the_tree_grows(session, tmp_path, later, message, has_cause):
    """A frame is computed anew in each pass: here, from a file that is written again after the first one."""
    path = str(tmp_path / "a.parquet")

    def write(names):
        table = pyarrow.table({"a": list(names), "y": [0, 1, 1, 0][: len(names)]})
        parquet.write_table(table, path)

    def read(batches):
        list(batches)
        yield from parquet.read_table(path).to_batches()

    write("pqpq")
    source = Spark(session.range(1).coalesce(1).mapInArrow(read, "a string, y long"), "y")
    look = source.columns

    def columns():
        found = look()
        write(later)
        return found

    source.columns = columns
    with pytest.raises(ValueError, match=message) as caught:
        grow_from(source, CARTClassifier())
    assert (caught.value.__cause__ is not None) == has_cause


def test_a_worker_that_is_lost(session):
    def leave(batches):
        os._exit(1)
        yield from batches

    source = Spark(session.range(3).mapInArrow(leave, "x long, y long"), "y")
    with pytest.raises(RuntimeError, match=r"while looking at the columns: .*exited unexpectedly"):
        source.columns()


@pytest.mark.parametrize("said", ["ModuleNotFoundError: no dtlib", "[PYTHON_VERSION_MISMATCH] no"])
def test_a_worker_with_another_python(said):
    error = what_failed(f"Traceback\n  File\n{said}\n", "counting")
    assert isinstance(error, RuntimeError)
    assert "set the environment variable PYSPARK_PYTHON before the session begins" in str(error)


SOURCES = ["batches", "Parquet", "DuckDB", "SQLite", "Spark"]
TASKS = {
    "names": (CARTClassifier(max_depth=3), ["truth", "text"], "three"),
    "integers": (CARTClassifier(max_depth=3), ["byte", "long"], "three"),
    "continuous": (CARTClassifier(max_depth=3, criterion="entropy"), ["double", "zero"], "three"),
    "gaps": (CARTClassifier(max_depth=3, missing="majority"), ["gap", "text"], "three"),
    "weights": (CARTClassifier(max_depth=3, class_weight="balanced"), ["double", "byte"], "three"),
    "C4.5": (C45Classifier(max_depth=2), ["text", "byte", "double"], "two"),
    "parts of rows": (C45Classifier(max_depth=3, min_samples_leaf=9), ["gap", "text", "hole"], "two"),
    "regression": (CARTRegressor(max_depth=3), ["double", "byte", "text"], "number"),
    "small": (CARTRegressor(), ["double", "byte", "text"], "number"),
    "small gaps": (CARTClassifier(missing="majority"), ["gap", "byte", "text"], "three"),
}


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("kind", SOURCES)
def test_every_source_grows_the_tree_from_memory(request, session, tmp_path, monkeypatch, task, kind):
    estimator, some, target = TASKS[task]
    rng, n = np.random.default_rng(3), 300
    frame = drawn(n).rename(
        columns=dict(zip(HURTING, ["double", "float", "zero", "byte", "long", "truth", "text", "three"],
                         strict=False))
    )  # fmt: skip
    frame["truth"] = frame["truth"].map({True: "t", False: "f"}).astype(object)
    frame["gap"] = frame["double"].where(rng.random(n) < 0.8)
    frame["hole"] = frame["text"].where(rng.random(n) < 0.7)
    frame["two"] = np.where(frame["three"] == "n", "n", "y").astype(object)
    frame["number"] = np.round(frame["double"] ** 3 + frame["byte"], 2)
    frame, rows = frame[[*some, target]], 60 if "small" in task and kind != "SQLite" else 0
    monkeypatch.setattr(intervals, "INTERVALS", 9)
    monkeypatch.setattr(spread, "FEW_VALUES", 20)
    made = {
        "batches": lambda: Batches([frame[:100], frame[100:]], target),
        "Parquet": lambda: Arrow(written(frame, tmp_path), target),
        "DuckDB": lambda: DuckDB(in_duckdb(frame), "t", target),
        "SQLite": lambda: Database(in_sqlite(frame, request), "t", target),
        "Spark": lambda: Spark(in_spark(session, frame), target),
    }
    if (kind, task) == ("SQLite", "parts of rows"):
        with pytest.raises(ValueError, match="source is a Database, which does not stream its rows"):
            grow_from(made[kind](), estimator)
        return
    found = grow_from(made[kind](), clone(estimator), rows_in_memory=rows)
    assert found.tree_.to_json() == in_memory(frame, target, estimator)


def as_table(frame):
    """Return a frame as a table of Arrow."""
    return pyarrow.Table.from_pandas(frame, preserve_index=False)


def written(frame, folder):
    """Write a frame into a Parquet file; return its path."""
    parquet.write_table(as_table(frame), folder / "t.parquet")
    return folder / "t.parquet"


def in_duckdb(frame):
    """Return a connection to DuckDB with the frame."""
    connection = duckdb.connect()
    connection.register("t", as_table(frame))
    return connection


def in_sqlite(frame, request):
    """Return a connection to a database with the frame, closed when the test ends."""
    connection = sqlite3.connect(":memory:")
    request.addfinalizer(connection.close)
    frame.to_sql("t", connection, index=False)
    return connection
