"""What a tree writes in SQL is read as it was meant: names, literals and numbers, in each database."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from dtlib import C45Classifier, CARTClassifier, CARTRegressor, ObliqueTreeClassifier
from dtlib.datasets import load_regression_points
from dtlib.dialects import CARTDialect
from dtlib.export.sql import sql_float, sql_literal, sql_number
from dtlib.out_of_core import Database, grow_from
from tests import databases


@pytest.fixture(scope="module", params=databases.NAMES)
def base(request: pytest.FixtureRequest) -> Iterator[databases.Base]:
    """Open a database for all tests of this module."""
    with databases.opened(request.param) as opened:
        yield opened


def column(base: databases.Base, query: str, place: int = -1) -> list[Any]:
    """Return the last column of an answer, or another one."""
    return [row[place] for row in base.ask(query)]


NAMED_TRUE = pd.DataFrame({"true": [0.0, 0, 1, 1], "b": [False, True, False, True]})
TYPES = {"true": "DOUBLE PRECISION", "b": "BOOLEAN"}


def test_a_truth_value_is_no_column_of_its_name(base: databases.Base) -> None:
    base.fill("t", TYPES, NAMED_TRUE.astype(object).to_numpy().tolist())
    tree = CARTClassifier().fit(NAMED_TRUE, list("nyny")).tree_
    assert tree.root.feature == "b"
    assert column(base, tree.to_sql("t")) == list("nyny")
    assert column(base, f'SELECT {tree.to_sql()} FROM "t"') == list("nyny")


def test_a_class_that_is_a_truth_value_is_no_column_of_its_name(base: databases.Base) -> None:
    X = pd.DataFrame({"false": [5.0, 5, 5, 5], "x": [1.0, 2, 3, 4]})
    base.fill("t", dict.fromkeys(X, "DOUBLE PRECISION"), X.to_numpy().tolist())
    tree = CARTClassifier().fit(X, [False, False, True, True]).tree_
    assert column(base, tree.to_sql("t")) == [False, False, True, True]


@pytest.mark.parametrize("target", ["y", "false"])
def test_columns_named_as_truth_values_are_counted(base: databases.Base, target: str) -> None:
    rows = [[0.0, "n"], [0.0, "n"], [1.0, "y"], [2.0, "n"]]
    base.fill("t", {"true": "DOUBLE PRECISION", target: "TEXT"}, rows)
    tree = grow_from(Database(base.connection, "t", target), CARTClassifier()).tree_
    frame = pd.DataFrame(rows, columns=["true", target])
    assert tree.to_json() == CARTClassifier().fit(frame[["true"]], frame[target]).tree_.to_json()


def test_names_in_a_subquery_are_not_taken_for_each_other() -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute('CREATE TABLE t ("Node" REAL, "_node" TEXT, "TRUE" TEXT)')
        connection.executemany(
            "INSERT INTO t VALUES (?, ?, ?)", [(1, "a", "p"), (2, "b", "q"), (3, "a", "q")]
        )
        tree = grow_from(Database(connection, "t", "TRUE"), CARTClassifier()).tree_
        query = Database(connection, "t", "TRUE").level_query(tree, [1, 2], "Node")
    assert 'AS "_node", "Node", "TRUE" AS "_TRUE" FROM "t"' in query
    assert query.splitlines()[0] == 'SELECT "_node", "Node", "_TRUE", COUNT(*) FROM ('
    assert tree.n_leaves == 2


@pytest.mark.parametrize("missing", ["error", "fractional"])
def test_predicted_numbers_and_shares_are_floats(base: databases.Base, missing: str) -> None:
    points = load_regression_points()
    y = points.y.round(1)
    base.fill("t", {"x": "DOUBLE PRECISION"}, points.X.to_numpy().tolist())
    for max_depth in (None, 0):
        tree = CARTRegressor(missing=missing, max_depth=max_depth).fit(points.X, y).tree_
        found = column(base, tree.to_sql("t"))
        assert [type(x) for x in found] == [float] * len(y)
        assert found == pytest.approx(tree.value[tree.apply(points.X)][:, 0], rel=1e-15)
        tree = CARTClassifier(missing=missing, max_depth=max_depth).fit(points.X, y > 7).tree_
        found = column(base, tree.to_sql("t", proba=True))
        assert [type(x) for x in found] == [float] * len(y)
        assert found == tree.value[tree.apply(points.X)][:, 1].tolist()


def test_classes_that_are_floats_come_back_as_floats(base: databases.Base) -> None:
    X = pd.DataFrame({"x": [1.0, 2, 3, 4]})
    base.fill("t", {"x": "DOUBLE PRECISION"}, X.to_numpy().tolist())
    for missing in ("error", "fractional"):
        tree = CARTClassifier(missing=missing).fit(X, [1.0, 1.0, 2.0, 2.0]).tree_
        assert [repr(x) for x in column(base, tree.to_sql("t"))] == ["1.0", "1.0", "2.0", "2.0"]


def test_thresholds_part_neighbors_in_single_columns(base: databases.Base) -> None:
    """DuckDB would round a decimal number to the type of the column."""
    low = np.float32(100.1)
    x = [float(low), float(np.nextafter(low, np.float32(101)))]
    base.fill("t", {"x": "REAL"}, [[value] for value in x])
    for precision in ("double", "single"):
        model = CARTClassifier(dialect=CARTDialect(precision=precision))
        tree = model.fit(pd.DataFrame({"x": x}), ["low", "high"]).tree_
        assert column(base, tree.to_sql("t")) == ["low", "high"]
    names = pd.DataFrame({"x": pd.Categorical([100.1, x[1]])})
    tree = CARTClassifier().fit(names, ["double", "single"]).tree_
    assert column(base, tree.to_sql("t"))[1] == "single"


@pytest.mark.parametrize("kind", ["BIGINT", "NUMERIC(9, 2)", "REAL", "DOUBLE PRECISION"])
def test_weighted_sums_are_those_of_doubles_in_columns_of_every_type(base: databases.Base, kind: str) -> None:
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.integers(-50, 50, (40, 3)).astype(float), columns=["a", "b", "c"])
    tree = ObliqueTreeClassifier(max_depth=1, random_state=0).fit(X, X @ [1, -1.5, 0.7] > 0).tree_
    base.fill("t", dict.fromkeys(X, kind), X.to_numpy().tolist())
    for w in ([0.1, -0.3, 0.7], [1.0, -1.0, 0.0], [1 / 3, 1 / 7, 1 / 9]):
        sums = X["a"] * w[0] + X["b"] * w[1] + X["c"] * w[2]
        for cut in sums[:5]:  # rows on the threshold itself
            threshold, normals = np.array([cut, np.nan, np.nan]), np.array([w, [0] * 3, [0] * 3])
            exact = replace(tree, threshold=threshold, normals=normals)
            wanted = [exact[node].prediction for node in exact.apply(X)]
            assert column(base, exact.to_sql("t")) == wanted


def test_numbers_are_read_as_they_are(base: databases.Base) -> None:
    rng = np.random.default_rng(1)
    numbers = [
        0.1,
        1 / 3,
        5.5,
        77.5,
        0.768238991202082,
        1e300,
        5e-324,
        -1e-290,
        2.0**53 + 2,
        16777217.0,
        -0.0,
    ]
    numbers += (rng.normal(size=200) * 10.0 ** rng.integers(-12, 13, 200)).tolist()
    for write in (sql_number, sql_float, lambda x: sql_literal(x, "number")):
        listed = ", ".join(f"CAST({write(x)} AS DOUBLE PRECISION)" for x in numbers)
        assert list(base.ask(f"SELECT {listed}")[0]) == numbers
    rows = [[x] for x in numbers]
    base.fill("t", {"x": "DOUBLE PRECISION"}, rows)
    for x in numbers:
        (found,) = base.ask(f'SELECT COUNT(*) FROM "t" WHERE "x" BETWEEN {sql_number(x)} AND {sql_number(x)}')
        assert found == (1,), x


def test_only_numbers_that_any_type_holds_have_no_exponent() -> None:
    plain = [0.0, -0.0, 5.5, 77.5, -0.25, 1024.0, 16777216.0]
    assert [sql_number(x) for x in plain] == [repr(x) for x in plain]
    assert [sql_number(x) for x in (0.1, 16777217.0, 2.45)] == ["0.1E0", "16777217E0", "2.45E0"]
    assert [sql_float(x) for x in (0.0, 1.0, 0.5, 3.0, 0.1)] == ["0", "1", "0.5E0", "3E0", "0.1E0"]


def test_whole_numbers_are_told_apart_beyond_what_floats_hold(base: databases.Base) -> None:
    codes = [2**53, 2**53 + 1, 2**63 - 2, 2**63 - 1]
    X = pd.DataFrame({"code": pd.Categorical(codes)})
    base.fill("t", {"code": "BIGINT"}, [[code] for code in codes])
    tree = CARTClassifier().fit(X, codes[::-1]).tree_
    assert column(base, tree.to_sql("t")) == codes[::-1]


@pytest.mark.parametrize("code", [2**63, -(2**63), 2**64])
def test_whole_numbers_that_become_floats_are_refused(code: int) -> None:
    tree = CARTClassifier().fit(pd.DataFrame({"code": pd.Categorical([5, code])}), ["a", "b"]).tree_
    with pytest.raises(
        ValueError, match=f"value of 'code' is {code}, which SQL cannot hold as a whole number"
    ):
        tree.to_sql()


@pytest.mark.parametrize("name", ["SHARE_1", "Share_0", "share_1", "COST_1"])
def test_columns_that_are_invented_do_not_hide_those_of_a_table(base: databases.Base, name: str) -> None:
    """DuckDB lets an expression name a column to its left."""
    X = pd.DataFrame({name: [1.0, 2, 3, math.nan], "b": [1.0, 2, 1, 2]})
    base.fill(
        "t", dict.fromkeys(X, "DOUBLE PRECISION"), X.astype(object).where(X.notna(), None).to_numpy().tolist()
    )
    for loss in (None, [[0, 2, 1], [1, 0, 3], [1, 1, 0]]):
        model = CARTClassifier(missing="fractional", loss=loss).fit(X, list("pqrr"))
        for query in (model.tree_.to_sql("t"), f'SELECT {model.tree_.to_sql()} FROM "t"'):
            assert column(base, query) == model.predict(X).tolist()


@pytest.mark.parametrize("name", ["user", "current_date", "current_user", "localtime"])
def test_columns_are_not_taken_for_functions(base: databases.Base, name: str) -> None:
    """DuckDB looks for its functions before it looks at what is around a subquery."""
    X = pd.DataFrame({name: [1.0, 2, 3, math.nan]})
    base.fill("t", {name: "DOUBLE PRECISION"}, [[1.0], [2.0], [3.0], [None]])
    model = C45Classifier(min_samples_leaf=1).fit(X, list("aabb"))
    assert column(base, model.tree_.to_sql("t")) == model.predict(X).tolist()


def test_a_name_that_is_no_column_is_an_error_and_no_text(base: databases.Base) -> None:
    tree = CARTClassifier().fit(pd.DataFrame({"x": ["x", "z"]}), ["a", "b"]).tree_
    base.fill("t", {"z": "TEXT"}, [["x"]])
    with pytest.raises(Exception, match=r"no such column|not found|does not exist|does not have"):
        base.ask(tree.to_sql("t"))


def test_answers_whose_columns_differ_by_case_alone_are_refused() -> None:
    tree = CARTClassifier().fit(pd.DataFrame({"x": [1.0, 2]}), pd.Series(["A", "a"], name="y")).tree_
    assert "CASE" in tree.to_sql("t")
    with pytest.raises(
        ValueError, match=r"columns of the answers 'share_y_A' and 'share_y_a' differ by case"
    ):
        tree.to_sql("t", proba=True)
    both = pd.DataFrame({"Y": ["p", "q"], "y": ["q", "p"]})
    tree = CARTClassifier().fit(pd.DataFrame({"x": [1.0, 2]}), both).tree_
    with pytest.raises(
        ValueError, match=r"'predicted_Y' and 'predicted_y' differ by case .*: rename an output"
    ):
        tree.to_sql("t")


def test_features_that_differ_by_case_alone_are_refused() -> None:
    X = pd.DataFrame({"a": [1.0, 2, 1, 2], "b": 0, "A": [1.0, 1, 2, 2]})
    tree = CARTClassifier().fit(X, list("abba")).tree_
    for proba in (False, True):
        with pytest.raises(ValueError, match="the features 'a' and 'A' differ by case alone"):
            tree.to_sql("t", proba)


def test_nan_and_infinity_of_a_database(base: databases.Base) -> None:
    """A NaN that is stored is above every threshold; SQLite stores NULL."""
    X = pd.DataFrame({"x": [1.0, 2, 3, 4]})
    tree = CARTClassifier(missing="majority").fit(X, list("aaab")).tree_
    base.fill("t", {"x": "DOUBLE PRECISION"}, [[math.nan], [math.inf], [-math.inf], [None]])
    is_sqlite = isinstance(base.connection, sqlite3.Connection)
    assert column(base, tree.to_sql("t")) == ["a" if is_sqlite else "b", "b", "a", "a"]
    with_nulls = """(SELECT NULLIF("x", 'NaN') AS "x" FROM "t") AS "u\""""
    assert column(base, f"SELECT {tree.to_sql()} FROM {with_nulls}") == ["a", "b", "a", "a"]


def test_decimal_numbers_of_a_database_are_floats(base: databases.Base) -> None:
    rows = [[1.25, 1], [1.25, 1], [2.5, 2], [3.75, 1]]
    base.fill("t", {"x": "DECIMAL(9, 2)", "y": "DECIMAL(9, 0)"}, rows)
    frame = pd.DataFrame(rows, columns=["x", "y"])
    for model in (CARTClassifier(), CARTRegressor()):
        tree = grow_from(Database(base.connection, "t", "y"), model).tree_
        y = frame["y"].astype(int if isinstance(base.connection, sqlite3.Connection) else float)
        assert tree.to_json() == model.fit(frame[["x"]], y).tree_.to_json()
        assert column(base, tree.to_sql("t")) == y.tolist()


def test_text_in_two_normal_forms_is_two_texts(base: databases.Base) -> None:
    composed, apart = "\u00e9", "e\u0301"
    X = pd.DataFrame({composed: [composed, apart], apart: [0.0, 0.0]})
    base.fill("t", {composed: "TEXT", apart: "DOUBLE PRECISION"}, X.astype(object).to_numpy().tolist())
    assert column(base, CARTClassifier().fit(X, ["a", "b"]).tree_.to_sql("t")) == ["a", "b"]
