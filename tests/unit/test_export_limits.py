"""Exports on thresholds themselves, and on the doubles and singles beside them; on every name, and none.

Each node of a tree predicts its own number here, so that a row which ends elsewhere is seen. Where it should
end is found by hand, from the numbers that the tree holds.
"""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest

from dtlib import C45Classifier, CARTClassifier, CARTRegressor, LeafShares, ObliqueTreeClassifier, Tree
from dtlib.datasets import load_golf
from dtlib.export.sql import sql_float, sql_literal, sql_number
from dtlib.table.columns import Feature

Row = dict[str, Any]
UNKNOWN = "unheard of"
LOST = -1  # where a row ends whose name has no branch, if that counts as missing


def numbered(tree: Tree) -> Tree:
    """Return the same questions with other answers: each node predicts its own number."""
    nodes = Feature("node", tuple(range(tree.node_count)))
    summary = np.eye(tree.node_count) * np.maximum(tree.n, 1)[:, None]
    return replace(
        tree, outputs=(nodes,), criterion="gini", summary=summary, loss=None, leaf_shares=LeafShares()
    )


@cache
def frame(seed: int = 3, n: int = 36) -> pd.DataFrame:
    """Make features of each kind; the numbers are no sums of powers of two."""
    rng = np.random.default_rng(seed)
    sizes = ["S", "M", "L", "XL"]
    return pd.DataFrame(
        {
            "x": rng.normal(size=n).round(1) / 3,
            "far": rng.normal(size=n) * 10.0 ** rng.integers(-30, 30, n),
            "whole": rng.integers(-5, 20, n),
            "size": pd.Categorical(rng.choice(sizes, n), sizes, ordered=True),
            "color": rng.choice(["red", "green", "blue", "pink", "it's"], n),
        }
    )


def singles(X: pd.DataFrame) -> pd.DataFrame:
    """Return the same with numbers of type float32."""
    numbers = X.select_dtypes("number").columns
    return X.astype(dict.fromkeys(numbers, np.float32))


@cache
def trees() -> dict[str, Tree]:
    """Grow trees of each kind, deep enough to ask about all features."""
    X, golf = frame(), load_golf()
    rng = np.random.default_rng(0)
    y, score = rng.integers(0, 3, len(X)), rng.normal(size=len(X))
    numbers = X[["x", "far", "whole"]]
    gaps = X.assign(x=X["x"].mask(rng.random(len(X)) < 0.2), color=X["color"].mask(rng.random(len(X)) < 0.2))
    grown = {
        "groups": CARTClassifier().fit(X, y),
        "one against all": CARTClassifier(nominal="one_vs_rest").fit(X, y),
        "numbers": CARTRegressor().fit(X, score),
        "singles": CARTClassifier().fit(singles(X), y),
        "rounded": CARTClassifier.sklearn(random_state=0).fit(numbers.drop(columns="far"), y),
        "rounded regression": CARTRegressor.sklearn(random_state=0).fit(numbers.drop(columns="far"), score),
        "every name": C45Classifier(prune=None).fit(X, y),
        "Release 8": C45Classifier.release8(prune=None).fit(golf.X, golf.y),
        "stay": CARTClassifier(missing="stay").fit(gaps, y),
        "majority": CARTClassifier(missing="majority").fit(gaps, y),
        "surrogate": CARTClassifier(missing="surrogate").fit(gaps, y),
        "rpart": CARTClassifier.rpart(cp=-1, min_samples_split=4).fit(gaps, y),
    }
    return {name: numbered(model.tree_) for name, model in grown.items()}


def by_hand(tree: Tree, row: Row) -> int:
    """Return the node in which a row ends, `LOST` if it misses what is asked."""
    node = 0
    while tree.feature[node] >= 0:
        feature = tree.features[tree.feature[node]]
        if feature.kind == "nominal":
            asked = slice(tree._first_value[node], tree._first_value[node] + tree.n_values[node])
            names = [feature.values[k] for k in tree.code[asked]]
            branch = dict(zip(names, tree.branch[asked].tolist(), strict=True)).get(row[feature.name])
        elif feature.kind == "ordered":
            known = row[feature.name] in feature.values
            branch = int(feature.values.index(row[feature.name]) > tree.threshold[node]) if known else None
        else:
            x = np.float32(row[feature.name]) if tree.single else row[feature.name]
            branch = int(float(x) > float(tree.threshold[node]))
        if branch is None:
            return node if tree.missing in ("error", "stay") or tree.unseen == "stay" else LOST
        node = int(tree.first_child[node]) + branch
    return node


def beside(threshold: float) -> set[float]:
    """Return a number, its neighbors among the doubles, and those among the singles with theirs."""
    with np.errstate(over="ignore", under="ignore"):
        single = np.float32(threshold)
        near = [np.nextafter(single, np.float32(to)) for to in (-np.inf, np.inf)]
        halves = [float(single) / 2 + float(x) / 2 for x in near]
    middle = [threshold, float(single), *map(float, near), *halves]
    found = {float(np.nextafter(x, to)) for x in middle for to in (-np.inf, np.inf)} | set(middle)
    return {x for x in found if math.isfinite(x)}


def rows(tree: Tree) -> Iterator[Row]:
    """Yield rows that come to a node that asks, with every value there that could be taken for another."""
    typical = {}
    for feature in tree.features:
        typical[feature.name] = 0.5 if feature.kind == "numeric" else feature.values[0]
    for node, path in paths(tree, typical):
        feature = tree.features[tree.feature[node]]
        if feature.kind == "numeric":
            values = beside(float(tree.threshold[node])) | beside(tree._limit(tree.threshold[node]).item())
        else:
            values = {*feature.values, UNKNOWN}
        yield from (path | {feature.name: value} for value in sorted(values, key=str))


def paths(tree: Tree, start: Row) -> Iterator[tuple[int, Row]]:
    """Yield each node that asks, with a row that comes there; of numbers, on a threshold if it can."""
    todo = [(0, start)]
    while todo:
        node, row = todo.pop()
        if tree.feature[node] < 0:
            continue
        yield node, row
        feature = tree.features[tree.feature[node]]
        values = list(feature.values)
        if feature.kind == "numeric":
            limit = tree._limit(tree.threshold[node]).item()
            values = [row[feature.name], limit, np.nextafter(limit, np.inf).item()]
        reached: dict[int, Row] = {}
        for value in values:
            other = row | {feature.name: value}
            reached.setdefault(child_on_the_way(tree, node, other), other)
        todo += [(child, other) for child, other in reached.items() if child > node]


def child_on_the_way(tree: Tree, node: int, row: Row) -> int:
    """Return the child of a node through which a row goes; -1 if it does not come to the node or on."""
    end = by_hand(tree, row)
    way = [end]
    while way[-1] > 0:
        way.append(int(tree.parent[way[-1]]))
    return next((below for below in way if below and tree.parent[below] == node), -1)


def in_python(tree: Tree, found: list[Row]) -> list[int]:
    functions: dict[str, Any] = {}
    exec(compile(tree.to_python(), "tree", "exec"), functions)
    return [functions["predict"](row) for row in found]


def in_sql(tree: Tree, found: list[Row]) -> list[int]:
    """Run the query in SQLite, on columns without a type."""
    names = [feature.name for feature in tree.features]
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(f"CREATE TABLE t ({', '.join(names)})")
        marks = ", ".join("?" * len(names))
        connection.executemany(
            f"INSERT INTO t VALUES ({marks})", [[row[name] for name in names] for row in found]
        )
        return [row[-1] for row in connection.execute(tree.to_sql("t"))]


def test_the_trees_ask_of_each_kind_what_can_go_wrong() -> None:
    asked = {(tree.features[f].kind) for tree in trees().values() for f in tree.feature[tree.feature >= 0]}
    assert asked == {"nominal", "ordered", "numeric"}
    ways = {tree.missing for tree in trees().values()}
    assert {"error", "stay", "majority", "surrogate", "fractional"} <= ways
    assert any(tree.single for tree in trees().values())
    assert trees()["singles"].threshold.dtype == np.float32 or not trees()["singles"].single


@pytest.mark.parametrize("name", trees())
def test_exports_end_where_the_tree_ends_on_every_threshold_and_name(name: str) -> None:
    tree = trees()[name]
    found = list(rows(tree))
    asked = {f for f in tree.feature.tolist() if f >= 0}
    assert len(found) > 3 * len(asked)
    X = pd.DataFrame(found)[[feature.name for feature in tree.features]]
    wanted = [by_hand(tree, row) for row in found]
    assert len(set(wanted)) > 3
    known = [i for i, node in enumerate(wanted) if node != LOST]
    ends = {"tree": tree.apply(X).tolist(), "Python": in_python(tree, found), "SQL": in_sql(tree, found)}
    for where, nodes in ends.items():
        assert [(found[i], nodes[i]) for i in known if nodes[i] != wanted[i]] == [], where


def doubles(n: int) -> list[float]:
    """Draw doubles of every size, and those that are easily misread."""
    rng = np.random.default_rng(0)
    every = rng.integers(0, 0x7FF0 << 48, n, dtype=np.uint64).view(float)
    usual = rng.normal(size=n) * 10.0 ** rng.integers(-20, 21, n)
    subnormal = rng.integers(1, 1 << 52, n // 4, dtype=np.uint64).view(float)
    powers = 2.0 ** np.arange(-1074, 1024)
    misread = [0.768238991202082, -2.431897409045084e-07, 8.979756787327303e307, 7.491484428727997e-305]
    largest = [np.finfo(float).max, np.finfo(float).tiny, 1e22, 1e23, 0.0, -0.0, 2.0**53]
    found = np.concatenate([every, usual, subnormal, powers, misread, largest])
    return [*found.tolist(), *(-found).tolist()]


@pytest.mark.long
@pytest.mark.parametrize("write", [sql_number, sql_float, lambda x: sql_literal(x, "number")])
def test_sqlite_reads_the_very_number_that_is_written(write: Callable[[float], str]) -> None:
    numbers = doubles(4000)
    with closing(sqlite3.connect(":memory:")) as connection:
        for a in range(0, len(numbers), 400):
            some = numbers[a : a + 400]
            found = connection.execute(" UNION ALL ".join(f"SELECT {write(x)}" for x in some)).fetchall()
            assert [x for (x,) in found] == some
            whole = (0, 1) if write is sql_float else ()
            assert {type(x) for (x,) in found if x not in whole} == {float}


def test_numbers_are_written_in_few_digits_where_these_are_read_right() -> None:
    assert [sql_number(x) for x in (77.5, 0.1, -2.5e-9, 1e300)] == ["77.5", "0.1E0", "-2.5e-09", "1e+300"]


def sum_by_hand(tree: Tree, node: int, row: np.ndarray) -> float:
    """Return a weighted sum, term after term in the order of the features."""
    total = 0.0
    for c, x in zip(tree.normals[node].tolist(), row.tolist(), strict=True):
        total += c * x if c else 0.0
    return total


@pytest.mark.parametrize("seed", range(4))
def test_exports_of_weighted_sums_that_lie_on_the_threshold(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.normal(size=(60, 3)) / 3, columns=["a", "b", "c"])
    y = (X @ [1, -1.5, 0.7] > 0).to_numpy()
    tree = numbered(ObliqueTreeClassifier(max_depth=1, random_state=seed).fit(X, y).tree_)
    assert tree.is_linear[0]
    tree = replace(tree, normals=tree.normals / 3)  # with all their digits
    ties = 0
    for row in X.to_numpy()[:10]:
        exact = replace(tree, threshold=np.array([sum_by_hand(tree, 0, row), np.nan, np.nan]))
        near = [row] + [
            np.where(np.arange(3) == k, np.nextafter(row, to), row)
            for k in range(3)
            for to in (-np.inf, np.inf)
        ]
        found = [dict(zip("abc", x.tolist(), strict=True)) for x in near]
        wanted = [1 + int(sum_by_hand(exact, 0, x) > exact.threshold[0]) for x in near]
        ties += wanted[0] == 1
        assert exact.apply(np.array(near)).tolist() == wanted
        assert in_python(exact, found) == wanted
        assert in_sql(exact, found) == wanted
    assert ties == 10


@pytest.mark.parametrize("precision", ["single", "double"])
def test_exports_of_surrogates_on_their_thresholds(precision: str) -> None:
    rng = np.random.default_rng(1)
    z, blur = rng.normal(size=80) / 3, rng.normal(size=80) / 30
    X = pd.DataFrame({"asked": z, "up": z + blur, "down": blur / 9 - z / 7}).mask(rng.random((80, 3)) < 0.1)
    model = CARTClassifier.rpart(cp=-1, max_depth=1, precision=precision, missing="surrogate")
    tree = numbered(model.fit(X, np.where(z > 0, "a", "b")).tree_)
    s = tree.surrogates
    assert tree.single == (precision == "single")
    assert set(s.side.tolist()) == {0, 1}
    asked, nothing = tree.features[tree.feature[0]].name, dict.fromkeys(X.columns)
    for place in s.at(0).tolist():
        name, threshold = tree.features[s.feature[place]].name, float(s.threshold[place])
        assert name != asked
        values = sorted(beside(threshold) | beside(tree._limit(s.threshold[place]).item()))
        found = [nothing | {name: value} for value in values]
        rounded = [float(np.float32(x)) if tree.single else x for x in values]
        side = int(s.side[place])
        wanted = [1 + (side if x <= threshold else 1 - side) for x in rounded]
        assert tree.apply(pd.DataFrame(found).astype(float)).tolist() == wanted
        assert in_python(tree, found) == wanted
        assert in_sql(tree, found) == wanted
