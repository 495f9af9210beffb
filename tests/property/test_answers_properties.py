"""One answer for every double: the tree, its JSON, its Python and its SQL (in SQLite), compiled and not.

Trees grow from doubles that are near each other, near nothing or near infinity, and are asked on their
thresholds, beside them, at both infinities and, where they allow it, without a value.
"""

from __future__ import annotations

import math
import sqlite3
from contextlib import closing, nullcontext
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtlib import C45Classifier, CARTClassifier, CARTRegressor, LeafShares, ObliqueTreeClassifier, Tree
from dtlib.tree.descend import mixture
from tests.drawn import examples
from tests.property.test_leaf_shares_properties import settings_of_leaves
from tests.unit.test_export_limits import beside, in_python, in_sql, numbered
from tests.unit.test_row_by_row import compiled

TINY, LARGE = math.ulp(0.0), 1.7976931348623157e308
SINGLE = float(np.finfo(np.float32).max)
SPECIAL = [
    0.0, -0.0, TINY, -TINY, 2.2250738585072014e-308, 1e-290, 1e-45, 1e-38, 0.1, 1 / 3, 0.768238991202082,
    1.0, math.nextafter(1, 2), 1 + 2.0**-24, 2.0**53, 2.0**53 - 1, 1e22, 1e23, SINGLE, 1e300, -1e308, LARGE,
]  # fmt: skip
doubles = st.sampled_from(SPECIAL) | st.floats(allow_nan=False, allow_infinity=False)
near = st.tuples(doubles, st.integers(-3, 3)).map(lambda x: float(x[0] + x[1] * math.ulp(x[0])))
cells = (doubles | near | st.floats(-10, 10, width=32)).filter(math.isfinite)
MISSING_POLICIES = ["error", "stay", "majority", "surrogate"]
KINDS: dict[str, Any] = {
    "CART": lambda missing: CARTClassifier(missing=missing),
    "mean": lambda missing: CARTRegressor(missing=missing),
    "scikit-learn": lambda missing: CARTClassifier.sklearn(missing=missing),
    "rpart": lambda missing: CARTClassifier.rpart(
        ties="first", min_samples_split=2, min_samples_leaf=1, cp=-1, missing=missing
    ),
    "C4.5": lambda missing: C45Classifier(missing="error" if missing == "error" else "majority"),
    "parts": lambda missing: C45Classifier(missing="fractional"),
    "Release 8": lambda missing: C45Classifier.release8(
        min_samples_leaf=0, prune=None, missing="error" if missing == "error" else "majority"
    ),
    "J48": lambda missing: C45Classifier.j48(
        min_samples_leaf=0, prune=None, missing="error" if missing == "error" else "majority"
    ),
    "oblique": lambda _: ObliqueTreeClassifier(restarts=1, jumps=1, random_state=0),
}


@st.composite
def grown(draw: st.DrawFn) -> tuple[Tree, list[dict[str, float | None]]]:
    """Draw a tree, and rows to ask it about."""
    kind, missing = draw(st.sampled_from(sorted(KINDS))), draw(st.sampled_from(MISSING_POLICIES))
    bound = {"scikit-learn": SINGLE / 2, "Release 8": SINGLE / 2, "oblique": 1e300}.get(kind, LARGE)
    n = draw(st.integers(2, 9))
    columns = [
        [max(-bound, min(bound, x)) for x in draw(st.lists(cells, min_size=n, max_size=n))] for _ in range(2)
    ]
    X = pd.DataFrame(dict(zip("xz", columns, strict=True)))
    tree = KINDS[kind](missing).fit(X, np.arange(n) % 3).tree_
    typical = [*columns[0], *draw(st.lists(cells, max_size=2)), math.inf, -math.inf]
    values: dict[str, list[float | None]] = {"x": [*typical], "z": [*columns[1], math.inf, -math.inf]}
    for node in np.flatnonzero(tree.feature >= 0).tolist():
        limit = tree._limit(tree.threshold[node]).item()
        values["xz"[tree.feature[node]]] += [*beside(limit), *beside(float(tree.threshold[node]))]
    if tree.missing != "error":
        values["x"].append(None)
        values["z"].append(None)
    pairs = [(x, z) for x in values["x"][:40] for z in values["z"][:: max(1, len(values["z"]) // 6)]]
    pairs += [(x, z) for z in values["z"][:40] for x in values["x"][:: max(1, len(values["x"]) // 6)]]
    return tree, [{"x": x, "z": z} for x, z in pairs]


def as_array(rows: list[dict[str, float | None]]) -> np.ndarray:
    """Return rows as the tree reads them."""
    return np.array([[math.nan if x is None else x for x in row.values()] for row in rows], dtype=float)


def is_a_number(tree: Tree, row: dict[str, float | None]) -> bool:
    """Tell whether no weighted sum on the way could be infinite less infinite."""
    return tree.normals is None or all(abs(x) < 1e300 for x in row.values() if x is not None)


def shares_in_python(tree: Tree, rows: list[dict[str, float | None]]) -> list[list[float]]:
    """Run the function that returns class shares on each row."""
    functions: dict[str, Any] = {}
    exec(compile(tree.to_python("shares", proba=True), "tree", "exec"), functions)
    return [[functions["shares"](row)[label] for label in tree.classes] for row in rows]


def shares_in_sql(tree: Tree, rows: list[dict[str, float | None]]) -> list[list[float]]:
    """Run the query of the class shares in SQLite."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute('CREATE TABLE "t" (x, z)')
        connection.executemany('INSERT INTO "t" VALUES (?, ?)', [tuple(row.values()) for row in rows])
        return [list(found[2:]) for found in connection.execute(tree.to_sql("t", proba=True))]


@examples(150)
@given(grown())
def test_tree_json_python_and_sql_give_one_answer(drawn: tuple[Tree, list[dict[str, float | None]]]) -> None:
    tree, rows = drawn
    rows = [row for row in rows if is_a_number(tree, row)]
    X, nodes = as_array(rows), numbered(tree)
    wanted = tree.apply(X)
    again = Tree.from_json(tree.to_json())
    for way in (nullcontext(), compiled()):
        with way:
            assert tree.apply(X).tolist() == again.apply(X).tolist() == wanted.tolist()
            assert tree.apply(X[:1]).tolist() == wanted[:1].tolist()
    if tree.missing == "fractional":
        wanted = nodes.labels(mixture(nodes, X, nodes.value))
    assert in_python(nodes, rows) == wanted.tolist()
    assert in_sql(nodes, rows) == wanted.tolist()


@examples(80)
@given(grown(), settings_of_leaves)
def test_class_shares_are_those_of_the_tree_in_every_language(
    drawn: tuple[Tree, list[dict[str, float | None]]], how: LeafShares
) -> None:
    tree, rows = drawn
    if not tree.is_classifier:
        return
    tree, rows = replace(tree, leaf_shares=how), [row for row in rows if is_a_number(tree, row)]
    wanted = mixture(tree, as_array(rows), tree.value)
    for found in (shares_in_python(tree, rows), shares_in_sql(tree, rows)):
        if tree.missing == "fractional":
            np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-15)
        else:
            assert found == wanted.tolist()  # to the last bit


@examples(60)
@given(grown())
def test_numbers_are_predicted_as_they_are_in_every_language(
    drawn: tuple[Tree, list[dict[str, float | None]]],
) -> None:
    tree, rows = drawn
    if tree.missing != "error" or tree.normals is not None:
        return
    X = np.concatenate([as_array(rows), [[0.0, 1.0], [1.0, 0.0]]])
    y = np.linspace(-1, 1, len(X)) / 3
    finite = np.isfinite(X).all(axis=1) & (np.abs(X) < SINGLE / 2).all(axis=1)
    model = CARTRegressor(max_depth=4).fit(X[finite], y[finite])
    asked = [dict(zip(("x0", "x1"), row, strict=True)) for row in X.tolist()]
    wanted = model.tree_.value[model.tree_.apply(X)][:, 0].tolist()
    assert model.predict(X[finite]).tolist() == [w for w, yes in zip(wanted, finite, strict=True) if yes]
    assert in_python(model.tree_, asked) == wanted
    assert in_sql(model.tree_, asked) == wanted


def slanted(threshold: float) -> Tree:
    """Return a tree that asks whether x - z is at most a number."""
    frame = pd.DataFrame({"x": [0.0, 1], "z": [0.0, 0]})
    tree = CARTClassifier().fit(frame, ["a", "b"]).tree_
    normals = np.array([[1.0, -1.0], [0, 0], [0, 0]])
    return numbered(replace(tree, normals=normals, threshold=np.array([threshold, np.nan, np.nan])))


def test_whole_numbers_and_doubles_add_up_alike_in_slanted_questions() -> None:
    rows = [{"x": 2**53, "z": z} for z in (-1, 0, 1)]
    tree, wanted = slanted(2.0**53), [1, 1, 1]  # as floats, 2**53 + 1 is 2**53
    assert tree.apply(np.array([list(row.values()) for row in rows], dtype=float)).tolist() == wanted
    assert in_python(tree, rows) == wanted
    assert in_sql(tree, rows) == wanted


def test_what_is_refused_is_refused_in_every_language() -> None:
    tree = CARTClassifier().fit(pd.DataFrame({"x": [1.0, 2]}), ["a", "b"]).tree_
    for refuse in (lambda: tree.apply(np.array([[math.nan]])), lambda: in_python(tree, [{"x": math.nan}])):
        with pytest.raises(ValueError, match="missing"):
            refuse()
    assert in_sql(tree, [{"x": None}]) == [None]
    row = {"x": math.inf, "z": math.inf}  # infinite less infinite
    with pytest.raises(ValueError, match="weighted sum"):
        slanted(0.5).apply(np.array([list(row.values())]))
    with pytest.raises(ValueError, match="missing"):
        in_python(slanted(0.5), [row])
    assert in_sql(slanted(0.5), [row]) == [None]


@pytest.mark.parametrize("threshold", [SINGLE, -SINGLE, 1e300, -1e300, 1e-46, -0.0, 2.0**-149, 0.1])
def test_rounding_to_singles_ends_where_the_largest_single_ends(threshold: float) -> None:
    model = CARTClassifier.sklearn(random_state=0).fit(pd.DataFrame({"x": [1.0, 2]}), ["a", "b"])
    tree = numbered(replace(model.tree_, threshold=np.array([threshold, np.nan, np.nan])))
    limit = tree._limit(tree.threshold[0]).item()
    values = [math.inf, -math.inf, *(x for t in (threshold, limit, SINGLE, -SINGLE) for x in beside(t))]
    with np.errstate(over="ignore"):
        wanted = [1 + int(float(np.float32(x)) > threshold) for x in values]
    rows: list[dict[str, Any]] = [{"x": x} for x in values]
    assert tree.apply(np.array(values)[:, None]).tolist() == wanted
    assert in_python(tree, rows) == wanted
    assert in_sql(tree, rows) == wanted
