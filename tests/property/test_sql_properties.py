"""Queries in databases, of trees of tables whose names and values a database might read otherwise.

Each drawn tree is asked in a database about rows with known, unknown and missing values, and with numbers on
its thresholds and beside them. What comes back is what the estimator predicts, and of the same type. And a
database whose table has such names grows the tree that grows in memory.
"""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtlib import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    LeafShares,
    ObliqueTreeClassifier,
    Tree,
)
from dtlib.dialects import C45Dialect, CARTDialect
from dtlib.out_of_core import Database, grow_from
from tests import databases
from tests.drawn import examples

FUNCTIONS = ["user", "current_date"]  # without a table, DuckDB takes them for its functions in a subquery
NAMES = [
    *FUNCTIONS, "true", "False", "null", "default", "rowid", "oid", "_rowid_", "node", "level", "data", "t",
    "share_0", "SHARE_1", "_share_0", "Cost_0", "share_of_row", "predicted_y", "y", "a", "select", "*", "%s",
    ":x", "?", "$1", "a b", "a.b", "a;b", "new\nline", "tab\t", 'say "x"', '"', "it's", "''", "back\\", "--",
    "/*", "码", "ä", "\u00e9", "e\u0301", "1", " ", "E'x'", "\U0001f333",
]  # fmt: skip
TEXTS = [
    "", " ", "1", "01", "1.0", "true", "TRUE", "False", "NULL", "null", "NaN", "a", "A", "ab", "it's", "''",
    '"', 'say "x"', "back\\", "\\'", "new\nline", "%s", "?", ":x", "--", ";", "\u00e9", "e\u0301", "码",
]  # fmt: skip
FLOATS = [-0.0, 0.0, 0.1, 0.3, -2.5, 1 / 3, 5.0, 77.5, 1e-300, 5e-324, 1e300, 2.0**53, 0.768238991202082]
SINGLES = [float(np.float32(x)) for x in (0.0, 0.1, 0.3, -2.5, 16777216.0, 1e-45, 3e38)]
SINGLES += [float(np.nextafter(np.float32(0.1), np.float32(1)))]
WHOLE = [-7, 0, 1, 2, 3, 10, 2**31, 2**53 - 1, -(2**53)]
CODES = [-7, 0, 1, 2**31, 2**53, 2**53 + 1, 2**63 - 2, 2**63 - 1, -(2**63) + 1]
MEASURES = [-0.0, 0.1, 0.5, 3.0, 1e300, 5e-324, 2.0**53 + 2]
CLASSES = [TEXTS, [0, 1, -3, 2**53 + 1, 2**63 - 1], [0.0, -1.0, 2.0, 2.0**53 + 2], [False, True]]
TARGETS = [-0.0, 0.0, 0.1, 1 / 3, 2.0, -7.25, 1e6, 0.768238991202082, 1e-9]
MISSING_POLICIES = ["error", "stay", "majority", "surrogate", "fractional"]
PLACE = "place of a row"


class Kind(NamedTuple):
    """A kind of column: its type in SQL, what it may hold, and values of which a tree knows none."""

    type: str
    values: list[Any]
    strange: list[Any]
    is_number: bool = False
    is_ordered: bool = False


KINDS = {
    "float": Kind("DOUBLE PRECISION", FLOATS, [], is_number=True),
    "single": Kind("REAL", SINGLES, [], is_number=True),
    "whole": Kind("BIGINT", WHOLE, [], is_number=True),
    "text": Kind("TEXT", TEXTS, ["unheard of", "TRUE ", "2"]),
    "ordered": Kind("TEXT", TEXTS, ["unheard of"], is_ordered=True),
    "truth": Kind("BOOLEAN", [False, True], []),
    "code": Kind("BIGINT", CODES, [5, 2**62]),
    "measure": Kind("DOUBLE PRECISION", MEASURES, [0.2, -1.0]),
}
NUMBERS = [name for name, kind in KINDS.items() if kind.is_number]
MODELS: dict[str, Callable[[dict[str, Any], dict[str, Any]], Any]] = {
    "CART": lambda cart, c45: CARTClassifier(**cart),
    "loss": lambda cart, c45: CARTClassifier(**cart),
    "C4.5": lambda cart, c45: C45Classifier(prune=None, min_samples_leaf=1, **c45),
    "rpart": lambda cart, c45: CARTClassifier.rpart(
        ties="first", min_samples_split=2, min_samples_leaf=1, cp=-1, missing=cart["missing"]
    ),
    "names": lambda cart, c45: ID3Classifier(leaf_shares=cart["leaf_shares"]),
    "rounded": lambda cart, c45: CARTClassifier.sklearn(random_state=0, missing=cart["missing"]),
    "slanted": lambda cart, c45: ObliqueTreeClassifier(restarts=1, jumps=1, random_state=0),
    "mean": lambda cart, c45: CARTRegressor(missing=cart["missing"], dialect=cart["dialect"], max_depth=4),
}
ONLY = {"names": [k for k in KINDS if k not in NUMBERS], "rounded": NUMBERS, "slanted": NUMBERS}
LARGEST = {"rounded": 1e38, "slanted": 1e9}  # of a number that it takes, or that leaves room for products


class Case(NamedTuple):
    """An estimator that has learned a table; rows to ask it about, and where they stand in a database."""

    model: Any
    rows: pd.DataFrame
    table: str
    types: dict[str, str]
    alone: bool

    def query(self, proba: bool = False) -> str:
        """Return a query for the predictions; if the expressions are written alone, with a table around."""
        if not self.alone:
            return self.model.tree_.to_sql(self.table, proba)
        table = databases.quoted(self.table)
        return f"SELECT {table}.*, {self.model.tree_.to_sql(proba=proba)} FROM {table}"


@st.composite
def drawn_names(draw: st.DrawFn, names: list[str]) -> tuple[str, list[str], list[str]]:
    """Draw the name of a table, two of what is predicted, and four of features."""
    some = draw(st.lists(st.sampled_from(names), min_size=6, max_size=6, unique_by=str.lower))
    return draw(st.sampled_from(names)), some[:2], some[2:]


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Draw a table, an estimator that learns it, and rows."""
    what, n, alone = draw(st.sampled_from(list(MODELS))), draw(st.integers(2, 14)), draw(st.booleans())
    picked = draw(st.lists(st.sampled_from(ONLY.get(what, list(KINDS))), min_size=1, max_size=4))
    table, outputs, names = draw(drawn_names(NAMES[len(FUNCTIONS) :] if alone else NAMES))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    kinds = dict(zip(names, (KINDS[k] for k in picked), strict=False))
    X = pd.DataFrame({name: column(rng, kind, n, LARGEST.get(what)) for name, kind in kinds.items()})
    values = TARGETS if what == "mean" else CLASSES[rng.integers(len(CLASSES))]
    few = rng.permutation(len(values))[:3]
    y = pd.DataFrame({name: [values[k] for k in rng.choice(few, n)] for name in outputs})
    cart = {
        "missing": str(rng.choice(MISSING_POLICIES)),
        "dialect": CARTDialect(unseen=str(rng.choice(["stay", "missing"]))),
        "leaf_shares": LeafShares(str(rng.choice(["frequency", "laplace"]))),
    }
    c45 = cart | {"dialect": C45Dialect(unseen=cart["dialect"].unseen)}
    c45["missing"] = {"stay": "majority", "surrogate": "fractional"}.get(cart["missing"], cart["missing"])
    K = y[outputs[0]].nunique()
    if what == "loss" and K > 1:
        cart["loss"] = rng.integers(1, 9, (K, K)) * (1 - np.eye(K))
    several = what in ("CART", "mean") and rng.random() < 0.3
    model = MODELS[what](cart, c45).fit(X, y if several else y[outputs[0]])
    rows = pd.DataFrame(list(rows_for(rng, model.tree_, X, kinds)), columns=list(X), dtype=object)
    rows = rows.astype({name: float for name, kind in kinds.items() if kind.is_number})
    return Case(model, rows, table, {name: kind.type for name, kind in kinds.items()}, alone)


def column(rng: np.random.Generator, kind: Kind, n: int, largest: float | None = None) -> Any:
    """Draw a column of a few values of a kind; of names, some that are declared may have no row."""
    values = kind.values
    if kind.is_number and largest:  # none that is too large, or too small to be squared
        values = [x for x in values if not x or 1 / largest <= abs(x) <= largest]
    some = rng.permutation(len(values))[: int(rng.integers(2, 6))]
    values = [values[k] for k in (some if kind.is_ordered else np.sort(some))]
    code = rng.integers(0, len(values), n)
    if not kind.is_number:
        return pd.Categorical.from_codes(code, pd.Index(values), ordered=kind.is_ordered)
    return np.array(values)[code].astype({"REAL": np.float32, "BIGINT": np.int64}.get(kind.type, float))


def rows_for(
    rng: np.random.Generator, tree: Tree, X: pd.DataFrame, kinds: dict[str, Kind]
) -> Iterator[list[Any]]:
    """Yield rows like those of a table, some of their values on thresholds, unknown or missing."""
    others = {name: [*kind.values, *kind.strange] for name, kind in kinds.items()}
    for f, name in enumerate(X):
        if kinds[name].is_number:
            cuts = [tree._limit(t).item() for t in tree.threshold[tree.feature == f]]
            others[name] = [*X[name].tolist(), *(x for cut in cuts for x in beside(cut, kinds[name].type))]
    for row in X.astype(object).to_numpy().tolist() * 2:
        for k, name in enumerate(X):
            if rng.random() < 0.4:
                row[k] = others[name][rng.integers(len(others[name]))]
            if rng.random() < 0.2 and tree.missing != "error":
                row[k] = None
        yield row


def beside(cut: float, kind: str) -> list[float]:
    """Return a threshold and the numbers beside it, as a column of a type has them."""
    if kind == "BIGINT":
        return [float(math.floor(cut)), float(math.ceil(cut))]
    middle = np.float32(cut) if kind == "REAL" else np.float64(cut)
    far = np.finfo(middle.dtype)
    return [float(x) for x in (np.nextafter(middle, far.min), middle, np.nextafter(middle, far.max))]


@pytest.fixture(scope="module", params=databases.NAMES)
def base(request: pytest.FixtureRequest) -> Iterator[databases.Base]:
    """Open a database for all tables that a test draws."""
    with databases.opened(request.param) as opened:
        yield opened


def store(base: databases.Base, frame: pd.DataFrame, table: str, types: dict[str, str]) -> None:
    """Write a frame into a database."""
    whole = [kind == "BIGINT" for kind in types.values()]
    rows = []
    for row in frame.astype(object).to_numpy().tolist():
        known = [None if x is None or x != x else x for x in row]
        rows.append([int(x) if w and x is not None else x for x, w in zip(known, whole, strict=True)])
    base.fill(table, types, rows)


def answers(base: databases.Base, case: Case, proba: bool = False) -> list[tuple[Any, ...]]:
    """Return what a query adds to each row, in the order of the rows."""
    found = base.ask(case.query(proba))
    assert len(found) == len(case.rows)
    return [row[len(case.types) + 1 :] for row in sorted(found, key=lambda row: row[0])]


def as_rows(said: Any) -> list[tuple[Any, ...]]:
    """Return predictions, or shares of the classes of one or several outputs, as tuples."""
    said = np.hstack(said) if isinstance(said, list) else np.asarray(said)
    return [tuple(row) if isinstance(row, list) else (row,) for row in said.tolist()]


def types_of(rows: list[tuple[Any, ...]]) -> list[set[type]]:
    """Return the types of what is in each column."""
    return [set(map(type, some)) for some in zip(*rows, strict=True)]


def have_one_name(tree: Tree) -> bool:
    """Tell whether the shares of two classes have one name for who reads names without case."""
    names = [f"share_{output.name}_{value}".lower() for output in tree.outputs for value in output.values]
    return len({*names}) < len(names)


@examples(200)
@given(case=cases())
def test_databases_answer_as_the_estimator_does(base: databases.Base, case: Case) -> None:
    model, tree = case.model, case.model.tree_
    places = pd.DataFrame({PLACE: range(len(case.rows))})
    store(base, places.join(case.rows), case.table, {PLACE: "INTEGER", **case.types})
    wanted, found = as_rows(model.predict(case.rows)), answers(base, case)
    if isinstance(base.connection, sqlite3.Connection):  # it has no truth values
        wanted = [tuple(int(x) if isinstance(x, bool) else x for x in row) for row in wanted]
    assert types_of(found) == types_of(wanted)
    if tree.is_classifier or tree.missing != "fractional":
        assert found == wanted
    else:  # the parts of a row are added up in another order
        np.testing.assert_allclose(np.array(found), np.array(wanted), rtol=1e-12, atol=1e-300)
    if tree.is_classifier and have_one_name(tree):
        with pytest.raises(ValueError, match=r"columns of the answers .* differ by case alone"):
            case.query(proba=True)
    elif tree.is_classifier:
        wanted, found = as_rows(model.predict_proba(case.rows)), answers(base, case, proba=True)
        assert types_of(found) == [{float}] * len(wanted[0])
        if tree.missing != "fractional":
            assert found == wanted
        else:
            np.testing.assert_allclose(np.array(found), np.array(wanted), rtol=1e-12, atol=1e-15)


@st.composite
def counted(draw: st.DrawFn) -> tuple[pd.DataFrame, str, str, dict[str, str]]:
    """Draw a table with a target, its name and the target's, and the types of its columns."""
    n = draw(st.integers(2, 14))
    kinds = ["float", "whole", "text", "ordered", "truth"]  # a driver may read a REAL in few digits
    picked = draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=4))
    table, (target, _), names = draw(drawn_names(NAMES))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    of = dict(zip(names, (KINDS[k] for k in picked), strict=False)) | {target: KINDS["text"]}
    frame = pd.DataFrame({name: column(rng, kind, n) for name, kind in of.items()})
    frame = frame.astype({name: bool for name, kind in of.items() if kind.type == "BOOLEAN"})
    return frame, table, target, {name: kind.type for name, kind in of.items()}


@examples(30)
@given(drawn=counted())
def test_databases_grow_the_tree_that_grows_in_memory(
    base: databases.Base, drawn: tuple[pd.DataFrame, str, str, dict[str, str]]
) -> None:
    frame, table, target, types = drawn
    store(base, frame, table, types)
    X, y = frame.drop(columns=target), frame[target].astype(object)
    known = X.select_dtypes(exclude="number").dtypes.to_dict()
    found = grow_from(Database(base.connection, table, target, dtypes=known), CARTClassifier()).tree_
    assert found.to_json() == CARTClassifier().fit(X, y).tree_.to_json()
