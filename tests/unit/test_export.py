"""The tree in other languages: what is written is run, and compared with the tree."""

import dataclasses
import math
import pickle
import sqlite3
import sys
from contextlib import closing
from enum import StrEnum
from functools import cache

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtlib import (
    BySurrogates,
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    ObliqueTreeClassifier,
    Tree,
)
from dtlib.datasets import load_customers, load_golf, load_loan, load_regression_points, load_watermelon
from dtlib.dialects import C45Dialect, CARTDialect
from dtlib.search.surrogates import Surrogates
from dtlib.table.columns import Feature
from dtlib.table.training import to_numbers
from dtlib.tree.descend import ends_of
from tests.criteria import criteria_of
from tests.drawn import examples

DATASETS = [load_customers(), load_golf(), load_loan(), load_regression_points(), load_watermelon()]
COLORS = ["red", "it's", 'say "blue"', "back\\slash", "new\nline", "红", "a) -- b"]


def mixed(seed, n=150):
    """Make a frame with every kind of feature, under names that look like code."""
    rng = np.random.default_rng(seed)
    sizes = pd.Categorical(rng.choice(["S", "M", "L", "XL"], n), ["S", "M", "L", "XL"], ordered=True)
    columns = {
        'co"lor': rng.choice(COLORS, n),
        "size": sizes,
        "x'] or sample['y": rng.normal(size=n).round(1) + 0.1,
        "new\nline": rng.integers(0, 9, n),
        "flag": rng.random(n) < 0.5,
        "码": pd.Categorical(rng.choice([3, 1, 2, 7], n)),
    }
    return pd.DataFrame(columns)


def unseen(frame, seed):
    """Put values into the nominal columns that were not in training, and leave some out."""
    rng = np.random.default_rng(seed)
    frame = frame.copy()
    for name in ('co"lor', "码", "size"):
        column = frame[name].astype(object)
        column[rng.random(len(frame)) < 0.2] = "unheard of"
        column[rng.random(len(frame)) < 0.2] = None
        frame[name] = column
    return frame


def targets(X, seed):
    """Make classes and numbers that depend on the features."""
    rng = np.random.default_rng(seed)
    warm = X['co"lor'].isin(COLORS[:3])
    score = X["size"].cat.codes + X["new\nline"] / 3 + warm * 2 + rng.normal(size=len(X))
    return pd.cut(score, 3, labels=["low", "it's", 'h"igh']).astype(str), score


@cache
def grown(seed):
    """Grow a tree of every kind on the same frame."""
    X = mixed(seed)
    y, score = targets(X, seed)
    both = pd.DataFrame({"label": y, "even": X["new\nline"] % 2 == 0})
    numbers = pd.DataFrame({"score": score, "half": -score / 2})
    weight = np.random.default_rng(seed).integers(1, 9, len(X)) / 4
    return X, {
        "subset": CARTClassifier().fit(X, y, weight),
        "entropy": CARTClassifier(criterion="entropy").fit(X, X["flag"]),
        "whole numbers": CARTClassifier(max_depth=4).fit(X, X["new\nline"]),
        "one_vs_rest": CARTClassifier(nominal="one_vs_rest").fit(X, y),
        "classes": CARTClassifier(max_depth=5).fit(X, both),
        "mean": CARTRegressor().fit(X, score),
        "median": CARTRegressor(criterion="absolute_error", max_depth=4).fit(X, score),
        "numbers": CARTRegressor(max_depth=4).fit(X, numbers),
        "ID3": ID3Classifier().fit(X[['co"lor', "flag", "码"]], y),
        "leaf": CARTClassifier(max_depth=0).fit(X, y),
    }


KINDS = list(grown(0)[1])


def holes(frame, seed, share=0.4):
    """Leave values out: in the first row all of them; of names in every way in which they can be missing."""
    rng = np.random.default_rng(seed)
    found = {}
    for name, column in frame.items():
        hole = rng.random(len(frame)) < share
        hole[0] = True
        if column.dtype.kind in "if":
            found[name] = column.astype(float).mask(hole)
        else:
            names = column.astype(object)
            names[hole] = rng.choice(np.array([None, math.nan, pd.NA], object), hole.sum())
            is_category = isinstance(column.dtype, pd.CategoricalDtype)
            found[name] = names.astype(column.dtype) if is_category else names
    return pd.DataFrame(found)


def strange(frame, seed):
    """Put names into a frame that were not in training."""
    rng = np.random.default_rng(seed)
    frame = frame.copy()
    for name in ('co"lor', "码", "size"):
        frame[name] = frame[name].astype(object).mask(rng.random(len(frame)) < 0.2, "unheard of")
    return frame


@cache
def route_missing(seed, missing, unseen, n=80):
    """Grow trees that take missing values, on a frame that has some."""
    full = mixed(seed, n)
    y, score = targets(full, seed)
    X, rng = holes(full, seed, 0.15), np.random.default_rng(seed)
    both = pd.DataFrame({"label": y, "even": full["new\nline"] % 2 == 0})
    numbers = pd.DataFrame({"score": score, "half": -score / 2})
    ways = {"missing": missing, "dialect": CARTDialect(unseen=unseen)}
    some_stay = BySurrogates(fallback="stay") if missing == "surrogate" else missing
    K = y.nunique()
    models = {
        "subset": CARTClassifier(**ways).fit(X, y),
        "weights": CARTClassifier(max_depth=4, **ways | {"missing": some_stay}).fit(
            X, y, rng.integers(1, 9, n) / 4
        ),
        "loss": CARTClassifier(loss=rng.integers(1, 9, (K, K)) * (1 - np.eye(K)), **ways).fit(X, y),
        "classes": CARTClassifier(max_depth=4, **ways).fit(X, both),
        "truth": CARTClassifier(max_depth=3, **ways).fit(X, full["flag"]),
        "mean": CARTRegressor(max_depth=5, **ways).fit(X, score),
        "median": CARTRegressor(criterion="absolute_error", max_depth=3, **ways).fit(X, score),
        "numbers": CARTRegressor(max_depth=3, **ways).fit(X, numbers),
    }
    if missing in ("majority", "fractional"):
        ways["dialect"] = C45Dialect(unseen=unseen)
        models["C4.5"] = C45Classifier(**ways).fit(X, y)
        models["J48"] = C45Classifier.j48(missing=missing, unseen=unseen).fit(X, y)
        models["groups"] = C45Classifier(group_values="merge", **ways).fit(X, y)
    return models


MISSING_POLICIES = ["stay", "majority", "fractional", "surrogate", "learned"]


def run(source, X, name="predict"):
    """Run a function in Python on each row."""
    functions = {}
    exec(compile(source, "tree", "exec"), functions)
    return [functions[name](sample) for sample in X.to_dict("records")]


def query(sql, X, table="t", depth=1000):
    """Run a SELECT in SQLite on a table of these rows; the columns are X's and the predictions."""
    names = ['"{}"'.format(name.replace('"', '""')) for name in X.columns]
    rows = X.astype(object).where(X.notna(), None).to_numpy().tolist()
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.setlimit(sqlite3.SQLITE_LIMIT_EXPR_DEPTH, depth)
        connection.execute(f'CREATE TABLE "{table}" ({", ".join(names)})')
        connection.executemany(f'INSERT INTO "{table}" VALUES ({", ".join("?" * len(names))})', rows)
        return [row[len(names) :] for row in connection.execute(sql).fetchall()]


def expected(tree, X):
    """Return what the tree itself predicts: for each row a tuple, one entry per output."""
    found = [tree[node].prediction for node in tree.apply(X)]
    return found if len(tree.outputs) > 1 else [(prediction,) for prediction in found]


def check(tree, X):
    wanted = expected(tree, X)
    in_python = run(tree.to_python(), X)
    assert in_python == (wanted if len(tree.outputs) > 1 else [prediction for (prediction,) in wanted])
    found = query(tree.to_sql("t"), X)
    if tree.is_classifier:
        assert found == wanted
    else:  # SQLite reads some numbers as their neighbors
        np.testing.assert_allclose(found, wanted, rtol=3e-16, atol=0)


def check_estimator(model, X):
    """Compare both languages with what the estimator itself predicts."""
    wanted = model.predict(X).tolist()
    wanted = [tuple(row) for row in wanted] if len(model.tree_.outputs) > 1 else [(x,) for x in wanted]
    found = run(model.tree_.to_python(), X)
    found = found if len(model.tree_.outputs) > 1 else [(x,) for x in found]
    in_sql = query(model.tree_.to_sql("t"), X)
    if model.tree_.is_classifier:
        assert found == wanted
        assert in_sql == wanted
    else:  # the parts of a row are added up in another order
        np.testing.assert_allclose(found, wanted, rtol=1e-12)
        np.testing.assert_allclose(in_sql, wanted, rtol=1e-12)


@pytest.mark.parametrize("data", DATASETS, ids=lambda data: data.name)
def test_small_data_sets(data):
    numbers = pd.api.types.is_float_dtype(data.y)
    estimator = CARTRegressor if numbers else CARTClassifier
    for max_depth in (None, 1, 2):
        check(estimator(max_depth=max_depth).fit(data.X, data.y).tree_, data.X)
    if not numbers and all(isinstance(dtype, pd.CategoricalDtype) for dtype in data.X.dtypes):
        check(ID3Classifier().fit(data.X, data.y).tree_, data.X)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", [0, 1])
def test_every_kind_of_tree_on_known_and_unknown_values(seed, kind):
    X, models = grown(seed)
    tree = models[kind].tree_
    check(tree, X)
    other = mixed(seed + 100)
    check(tree, other)
    strange = unseen(other, seed)
    check(tree, strange)
    if kind in ("subset", "ID3"):  # some rows do end above the leaves
        assert (tree.feature[tree.apply(strange)] >= 0).sum() > 5


@examples(25)
@given(st.integers(0, 10**6))
def test_random_trees(seed):
    X = mixed(seed, n=25)
    y, score = targets(X, seed)
    for tree in (CARTClassifier(max_depth=3).fit(X, y).tree_, CARTRegressor(max_depth=3).fit(X, score).tree_):
        check(tree, unseen(mixed(seed + 1, n=10), seed))


@pytest.mark.parametrize("kind", KINDS)
def test_round_trip_of_every_kind_of_tree(kind):
    X, models = grown(3)
    tree = models[kind].tree_
    text = tree.to_json()
    again = Tree.from_json(text)
    assert again == tree == pickle.loads(pickle.dumps(tree))
    assert again.to_json() == text
    assert "NaN" not in text
    for name in ("feature", "threshold", "branch", "summary", "n", "impurity", "gain", "stop"):
        assert getattr(again, name).dtype == getattr(tree, name).dtype, name
    assert str(again) == str(tree)
    assert again.rules().equals(tree.rules())
    assert again.apply(X).tolist() == tree.apply(X).tolist()


def test_an_unknown_name_in_an_order_gets_the_prediction_of_the_node_that_asks():
    sizes = pd.Categorical(["S", "S", "M", "L"], ["S", "M", "L"], ordered=True)
    tree = CARTClassifier().fit(pd.DataFrame({"size": sizes}), ["a", "a", "b", "a"]).tree_
    assert run(tree.to_python(), pd.DataFrame({"size": ["S", "M", "L", "XXL", None]})) == list("abaaa")
    again = Tree.from_dict(tree.to_dict() | {"summary": [[1, 3], [0, 2], [1, 1], [0, 1], [1, 0]]})
    X = pd.DataFrame({"size": ["S", "XXL", None]})
    assert again.root.prediction == "b"
    assert run(again.to_python(), X) == ["b", "b", "b"]
    assert query(again.to_sql("t"), X) == [("b",)] * 3


def test_ordered_names_are_compared_by_place():
    sizes = pd.Categorical(["S", "M", "L"] * 3, ["S", "M", "L"], ordered=True)
    source = CARTClassifier(max_depth=1).fit(pd.DataFrame({"size": sizes}), list("aab") * 3).tree_.to_python()
    assert 'if sample["size"] in {"S", "M"}:' in source
    assert 'if sample["size"] == "L":' in source


@pytest.mark.parametrize("unseen", ["stay", "missing"])
@pytest.mark.parametrize("missing", MISSING_POLICIES)
def test_missing_values_go_where_the_estimator_sends_them(missing, unseen):
    X = strange(holes(mixed(7, 60), 8), 9)
    for model in route_missing(1, missing, unseen).values():
        check_estimator(model, X)


@pytest.mark.long
@examples(12)
@given(st.integers(0, 10**6), st.sampled_from(MISSING_POLICIES), st.sampled_from(["stay", "missing"]))
def test_random_trees_with_missing_values(seed, missing, unseen):
    X = strange(holes(mixed(seed + 1, 25), seed), seed)
    for model in route_missing(seed, missing, unseen, n=30).values():
        check_estimator(model, X)


@pytest.mark.parametrize("missing", MISSING_POLICIES[:-1])
def test_missing_values_in_rparts_trees(missing):
    full = mixed(4, 120)
    y, score = targets(full, 4)
    X, Z = holes(full, 4, 0.2), strange(holes(mixed(5, 60), 5), 5)
    ways = {"cp": -1, "min_samples_split": 4, "missing": missing}
    for fallback in ("majority", "stay"):
        own = {"fallback": fallback} if missing in ("surrogate", "stay") else {}
        check_estimator(CARTClassifier.rpart(**own, **ways).fit(X, y), Z)
        check_estimator(CARTRegressor.rpart(**own, **ways).fit(X, score), Z)


@pytest.mark.parametrize("data", [load_golf(), load_watermelon("2.0a"), load_watermelon("3.0")], ids=str)
@pytest.mark.parametrize("kind", [C45Classifier, C45Classifier.release8, C45Classifier.j48])
def test_missing_values_in_the_trees_of_c45(kind, data):
    model = kind().fit(data.X, data.y)
    X = data.X.astype(object)
    rows = pd.concat([X] + [X.assign(**{name: None}) for name in X])
    check_estimator(model, rows.astype({name: float for name, x in data.X.items() if x.dtype.kind in "if"}))
    nothing = pd.DataFrame({name: [None] for name in data.X}, dtype=object)
    check_estimator(model, nothing)


@pytest.mark.parametrize("missing", MISSING_POLICIES)
def test_every_way_to_be_missing_is_one(missing):
    golf = load_golf()
    model = CARTClassifier(missing=missing).fit(golf.X, golf.y)
    functions = {}
    exec(model.tree_.to_python(), functions)
    row = {"temperature": 80.0, "humidity": 90.0, "windy": "true"}
    lacking = ["outlook", "humidity"]
    found = {functions["predict"]({k: v for k, v in row.items() if k not in lacking})}
    for nothing in (None, math.nan, np.nan, np.float32("nan"), pd.NA, pd.NaT):
        found.add(functions["predict"](row | dict.fromkeys(lacking, nothing)))
    frame = pd.DataFrame([row | dict.fromkeys(lacking)])[golf.X.columns]
    assert found == {model.predict(frame)[0]}
    series = pd.Series({"outlook": pd.NA, "windy": "true"})
    assert functions["predict"](series) in model.classes_


def test_parts_that_are_equal_go_to_the_first_class():
    X = pd.DataFrame({"x": ["a"] * 3 + ["b"] * 3 + ["c"] * 3 + ["d"] * 3})
    for y, wanted in ((list("nnnyyynnnyyy"), "n"), (list("nnnyyyyyynnn"), "n"), (list("ynnyyynnnynn"), "n")):
        model = C45Classifier().fit(X, y)
        check_estimator(model, pd.DataFrame({"x": [None]}, dtype=object))
        assert run(model.tree_.to_python(), pd.DataFrame({"x": [None]}, dtype=object)) == [wanted]
    third = C45Classifier().fit(X[:9], list("cccbbbaaa"))  # a third each, but for rounding
    assert run(third.tree_.to_python(), pd.DataFrame({"x": [None]}, dtype=object)) == ["a"]
    assert query(third.tree_.to_sql("t"), pd.DataFrame({"x": [None]}, dtype=object)) == [("a",)]


def test_the_source_for_parts_reads_well():
    golf = load_golf()
    source = C45Classifier(max_depth=1).fit(golf.X, golf.y).tree_.to_python()
    assert '    part2 = part * {"sunny": 1, None: 5 / 14}.get(sample["outlook"], 0)' in source
    assert "import" not in source


def test_weights_of_more_than_15_digits_are_not_written_as_ratios():
    """So many digits are written of a weight."""
    X = pd.DataFrame({"x": [0.0, 1.0, np.nan]})
    tree = C45Classifier().fit(X, list("nyy"), sample_weight=[1.2e15, 0.6e15, 0.1e15]).tree_
    assert 1e15 < tree.n[1] < 2e15
    share = float(tree.n[1] / tree.n[1:].sum())
    assert f"part * ({share} if" in tree.to_python()


def test_a_name_of_a_share_is_no_name_of_a_feature():
    X = pd.DataFrame({"share_0": ["a", "a", "b", "b", None], "share_1": [1.0, 2.0, 1.0, 2.0, 1.0]})
    check_estimator(C45Classifier().fit(X, list("nyyny")), X)


def test_parts_of_a_row_in_a_deep_tree():
    X, y, _ = chain(300)
    frame = pd.DataFrame(X, columns=["x0"])
    model = CARTClassifier(missing="fractional").fit(frame, y)
    assert model.tree_.max_depth == 300
    source = model.tree_.to_python()
    assert len(source) < 400 * model.tree_.node_count
    check_estimator(model, pd.concat([frame, pd.DataFrame({"x0": [math.nan]})]))


def test_surrogates_in_a_deep_tree():
    x = np.repeat(np.arange(121.0), 2)
    frame = pd.DataFrame({"a": x, "b": x * 2})
    model = CARTClassifier(missing="surrogate").fit(frame, x % 2)
    assert model.tree_.max_depth == 120
    rows = pd.concat([frame, frame.assign(a=math.nan), frame.assign(b=math.nan), frame[:1] * math.nan])
    check_estimator(model, rows)
    assert (model.predict(frame.assign(a=math.nan)) == x % 2).all()  # as the other column tells


def test_sql_of_many_parts():
    rng = np.random.default_rng(0)
    X = holes(pd.DataFrame(rng.normal(size=(700, 3)), columns=list("abc")), 0, 0.1)
    model = CARTClassifier(missing="fractional").fit(X, rng.integers(0, 12, 700))
    assert model.tree_.n_leaves > 400
    check_estimator(model, X[:3])


def test_a_missing_number_is_refused_as_by_the_estimator():
    points = load_regression_points()
    source = CARTRegressor().fit(points.X, points.y).tree_.to_python()
    with pytest.raises(ValueError, match=r"^x is missing$"):
        run(source, pd.DataFrame({"x": [math.nan]}))
    for sample in ({"x": None}, {"x": pd.NA}, {}):
        functions = {}
        exec(source, functions)
        with pytest.raises((TypeError, KeyError)):
            functions["predict"](sample)


def fields_of(tree):
    """Return all that a tree is written with; == leaves out what it does with missing values."""
    surrogates = {} if tree.surrogates is None else vars(tree.surrogates)
    arrays = {
        name: x for name, x in vars(tree).items() if isinstance(x, np.ndarray) and name in tree.to_dict()
    }
    return {
        name: (x.dtype, x.tolist()) for name, x in {**arrays, **surrogates}.items() if name != "threshold"
    }


@pytest.mark.long
@pytest.mark.parametrize("unseen", ["stay", "missing"])
@pytest.mark.parametrize("missing", MISSING_POLICIES)
def test_round_trip_of_trees_with_missing_values(missing, unseen):
    for model in route_missing(2, missing, unseen).values():
        tree = model.tree_
        again, unpickled = Tree.from_json(tree.to_json()), pickle.loads(pickle.dumps(tree))
        assert again == tree == unpickled
        assert again.to_json() == tree.to_json() == unpickled.to_json()
        assert (again.missing, again.unseen) == (missing, unseen)
        assert fields_of(again) == fields_of(tree)
        assert again.to_sql() == tree.to_sql()
        assert (again.surrogates is None) == (missing not in ("surrogate", "learned"))


def test_an_array_that_is_too_short_is_told_by_its_name():
    data = CARTClassifier().fit(load_loan().X, load_loan().y).tree_.to_dict()
    for name in ("summary", "reason", "threshold", "n_values", "n", "impurity", "gain", "code", "branch"):
        with pytest.raises(ValueError, match=rf"(^|\W){name} has shape \("):
            Tree.from_dict(data | {name: data[name][:-1]})
    with pytest.raises(ValueError, match=r"summary has shape \(.*, 1\), wanted \(.*, 2\)"):
        Tree.from_dict(data | {"summary": [row[:1] for row in data["summary"]]})


@pytest.mark.parametrize("weight", [0.01, 1.0])
def test_a_tree_of_any_criterion_and_of_small_weights_is_read_again(weight):
    loan = load_loan()
    y, w = loan.y.cat.codes.astype(float), np.full(15, weight)
    for criterion in criteria_of(CARTClassifier):
        tree = CARTClassifier(criterion=criterion).fit(loan.X, loan.y, sample_weight=w).tree_
        assert Tree.from_json(tree.to_json()) == tree
    for criterion in criteria_of(CARTRegressor):
        tree = CARTRegressor(criterion=criterion).fit(loan.X, y, sample_weight=w).tree_
        assert Tree.from_json(tree.to_json()) == tree


def test_children_that_do_not_add_up_are_refused_below_every_node():
    tree = CARTClassifier().fit(load_loan().X[["owns_house", "has_job"]], load_loan().y).tree_
    assert {*tree.feature[tree.feature >= 0]} >= {0, 1}
    for node in range(1, tree.node_count):
        data = tree.to_dict()
        data["n"][node] += 1
        with pytest.raises(ValueError, match="n of some children do not add up"):
            Tree.from_dict(data)


def test_no_surrogate_anywhere_makes_a_round_trip():
    model = CARTClassifier(missing="surrogate").fit(pd.DataFrame({"x": [1.0, 2.0]}), ["a", "b"])
    again = Tree.from_json(model.tree_.to_json())
    assert fields_of(again) == fields_of(model.tree_)
    assert again.surrogates.threshold.dtype == float


@pytest.fixture(scope="module")
def standing_in():
    """A tree with a loss, whose surrogates at the root ask a number, an order and names."""
    z = np.arange(60.0)
    sizes = pd.cut(z, [-1, 17, 36, 60], labels=["S", "M", "L"])
    colors = np.where(z < 15, "red", np.where(z < 34, "blue", "pink"))
    X = pd.DataFrame({"a": z, "b": -z // 4, "size": sizes, "color": colors})
    model = CARTClassifier(missing="surrogate", max_depth=2, loss=[[0, 1], [2, 0]])
    tree = model.fit(holes(X, 0, 0.1), np.where((z < 41) & (z != 7), "low", "high")).tree_
    kinds = [tree.features[f].kind for f in tree.surrogates.feature]
    assert set(kinds) == {"nominal", "numeric", "ordered"}
    return tree


def put(name, place, value):
    """Return a change of one entry of the surrogates."""
    return lambda data: data["surrogates"][name].__setitem__(place, value)


def first(kind, name, value):
    """Return a change of the first surrogate that asks a feature of a kind."""

    def change(data):
        kinds = [data["features"][f]["kind"] for f in data["surrogates"]["feature"]]
        data["surrogates"][name][kinds.index(kind)] = value

    return change


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda d: d.update(missing="lost"), "missing is 'lost', wanted one of"),
        (lambda d: d.update(missing=["stay"]), r"missing is \['stay'\], wanted one of"),
        (lambda d: d.update(unseen="new"), "unseen is 'new', wanted 'stay' or 'missing'"),
        (lambda d: d.update(surrogates=None), "missing is 'surrogate', but there are no surrogates"),
        (lambda d: d.update(missing="fractional"), "missing is 'fractional', but there are surrogates"),
        (lambda d: d.update(missing="error"), "missing is 'error', but there are surrogates"),
        (lambda d: d.update(surrogates=[]), "data cannot be read"),
        (lambda d: d["surrogates"].pop("rows"), r"KeyError\('rows'\)"),
        (lambda d: d["surrogates"]["side"].pop(), "side of the surrogates has shape"),
        (lambda d: d["surrogates"]["default"].pop(), "default of the surrogates has shape"),
        (lambda d: d["surrogates"]["code"].pop(), "code of the surrogates has shape"),
        (lambda d: d["surrogates"].update(agreement=0.5), "0.5 is no list"),
        (put("node", -1, 99), "node of the surrogates holds other values than whole numbers from 0 to"),
        (put("node", 0, 0.5), "node of the surrogates holds other values than whole numbers"),
        (put("node", 0, 1), "not sorted by node"),
        (put("node", -1, 4), "a leaf has a surrogate or a default"),
        (put("default", -1, 0), "a leaf has a surrogate or a default"),
        (
            put("default", 0, 2),
            "default of the surrogates holds other values than whole numbers from -1 to 1",
        ),
        (put("side", 0, -1), "side of the surrogates holds other values than whole numbers from 0 to 1"),
        (put("feature", 0, 4), "feature of the surrogates holds other values than whole numbers from 0 to 3"),
        (lambda d: put("feature", 0, d["feature"][0])(d), "a surrogate tests the feature of its node"),
        (put("rows", 0, -1), "rows of the surrogates holds other values than whole numbers, 0 or more"),
        (put("agreement", 0, 1.5), "agreement of the surrogates holds other values than numbers from 0 to 1"),
        (
            put("agreement", 0, None),
            "agreement of the surrogates holds other values than numbers from 0 to 1",
        ),
        (put("adjusted", 0, -0.1), "adjusted of the surrogates holds other values than numbers from 0 to 1"),
        (first("numeric", "threshold", None), "threshold of the surrogates is not finite where"),
        (first("nominal", "threshold", 0.5), "threshold of the surrogates is not finite where"),
        (first("ordered", "threshold", 9.5), "does not lie between two positions"),
        (first("nominal", "n_values", 0), "n_values of the surrogates is not positive where"),
        (first("numeric", "n_values", 2), "n_values of the surrogates is not positive where"),
        (put("code", 0, 99), "code of the surrogates holds other values than positions of categories"),
        (put("code", 0, -1), "code of the surrogates holds other values than positions of "),
        (put("branch", 0, 2), "branch of the surrogates holds other values than positions of "),
        (lambda d: d.update(loss=[[0, 1]]), r"loss has shape \(1, 2\), wanted \(2, 2\)"),
        (lambda d: d.update(loss=[[0, 1], [2]]), "data cannot be read"),
        (
            lambda d: d.update(loss=[[0, -1], [2, 0]]),
            "loss holds other values than finite numbers, 0 or more",
        ),
        (lambda d: d.update(loss=[[0, "1"], ["2", 0]]), "loss holds other values than finite numbers"),
        (lambda d: d.update(loss=[[1, 1], [2, 0]]), "loss is not 0 on its diagonal"),
        (lambda d: d.update(loss=[[0, 0], [2, 0]]), "with a cost above 0 in each row"),
        (lambda d: d.update(loss=5), "5 is no list"),
        (lambda d: d["n"].__setitem__(1, d["n"][0]), "n of some children do not add up"),
    ],
)
def test_json_of_missing_values_that_describes_no_tree_is_refused(standing_in, change, words):
    data = standing_in.to_dict()
    change(data)
    with pytest.raises(ValueError, match=words):
        Tree.from_dict(data)


def test_surrogates_stand_in_where_there_are_two_branches():
    golf = load_golf()
    data = C45Classifier(max_depth=1).fit(golf.X, golf.y).tree_.to_dict()
    data |= {"missing": "surrogate", "surrogates": {f.name: [] for f in dataclasses.fields(Surrogates)}}
    data["surrogates"]["default"] = [1, -1, -1, -1]
    with pytest.raises(ValueError, match="a node with a surrogate or a default has not two branches"):
        Tree.from_dict(data)


def test_children_may_have_less_only_where_rows_stay():
    X = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0, math.nan]})
    data = CARTClassifier(missing="stay").fit(X, list("aabbb")).tree_.to_dict()
    assert data["n"][:3] == [5, 2, 2]
    assert Tree.from_dict(data).n.tolist()[:3] == [5, 2, 2]
    with pytest.raises(ValueError, match="n of some children do not add up"):
        Tree.from_dict(data | {"missing": "majority", "surrogates": None})


@examples(60)
@given(st.data())
def test_json_with_an_entry_changed_is_refused_or_a_tree_that_works(standing_in, data):
    lists = standing_in.to_dict()
    part = lists["surrogates"] | {"loss": lists["loss"]}
    name = data.draw(st.sampled_from(sorted(part)))
    place = data.draw(st.integers(0, len(part[name]) - 1))
    part[name][place] = data.draw(st.sampled_from([-2, -1, 0, 1, 2, 3, 7, 0.5, 1e9, None, "a", [0.0, 3.0]]))
    try:
        tree = Tree.from_dict(lists)
    except ValueError as refused:
        if "write them again with to_dict()" not in str(refused):
            raise
        return
    nan = math.nan
    sizes, colors = ["S", None, "L", None, "M", "S", "XL"], ["red", None, None, "pink", None, "blue", "red"]
    X = pd.DataFrame({"a": [2.0, 50.0, *[nan] * 5], "b": [nan, -9.0, -3.0, *[nan] * 3, -12.5], "size": sizes})
    X["color"] = colors
    assert Tree.from_json(tree.to_json()).to_dict() == tree.to_dict()
    read = to_numbers(X, tree.features, missing=True)
    wanted = [tree[node].prediction for node in ends_of(tree, read)]
    assert run(tree.to_python(), X) == wanted
    assert query(tree.to_sql("t"), X) == [(x,) for x in wanted]


def test_a_missing_number_has_no_prediction_in_sql():
    points = load_regression_points()
    tree = CARTRegressor().fit(points.X, points.y).tree_
    assert query(tree.to_sql("t"), pd.DataFrame({"x": [None, 1.0]}))[0] == (None,)


def test_thresholds_are_exact():
    rng = np.random.default_rng(5)
    x = np.sort(rng.random(200))
    x = np.unique(np.concatenate([x, np.nextafter(x, 1)]))[:, None]
    tree = CARTClassifier().fit(x, np.arange(len(x)) % 2).tree_
    X = pd.DataFrame(x, columns=["x0"])
    assert run(tree.to_python(), X) == (np.arange(len(x)) % 2).tolist()


def test_single_precision_asks_for_rounded_numbers():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.normal(size=300), "b": rng.normal(size=300)})
    model = CARTClassifier.sklearn(random_state=0).fit(X, rng.integers(0, 2, 300))
    rounded = X.astype(np.float32).astype(float)
    assert run(model.tree_.to_python(), rounded) == model.predict(X).tolist()
    assert query(model.tree_.to_sql("t"), rounded) == [(label,) for label in model.predict(X).tolist()]


def chain(levels):
    """Grow a tree that parts one row from the rest at each node."""
    X = np.arange(levels + 1.0)[:, None]
    y = np.arange(levels + 1) % 2
    return X, y, CARTClassifier().fit(X, y)


def test_a_chain_longer_than_python_recurses():
    levels = max(2000, sys.getrecursionlimit() + 100)
    X, y, model = chain(levels)
    tree = model.tree_
    assert (tree.max_depth, tree.node_count) == (levels, 2 * levels + 1)
    assert (model.predict(X) == y).all()
    lines = str(tree).splitlines()
    assert len(lines) == tree.node_count
    assert max(map(len, lines)) < 200
    assert pickle.loads(pickle.dumps(tree)) == tree
    assert Tree.from_json(tree.to_json()) == tree
    assert ", drawn to depth " in tree._repr_mimebundle_()["text/plain"]
    frame = pd.DataFrame(X, columns=["x0"])
    assert run(tree.to_python(), frame) == y.tolist()
    assert query(tree.to_sql("t"), frame) == [(k,) for k in y.tolist()]


def features_in_a_row(levels):
    """Make a tree that asks another feature on each level: the first branch ends, the second asks on."""
    n = 2 * levels + 1
    node = np.arange(n)
    asks = (node % 2 == 0) & (node < n - 1)
    summary = np.where(node[:, None] % 2, [1, 0], np.stack([levels - node // 2, np.ones(n, int)], axis=1))
    return Tree(
        tuple(Feature(f"x{f}", (), "numeric") for f in range(levels)),
        (Feature("class", ("a", "b")),),
        "gini",
        feature=np.where(asks, node // 2, -1),
        threshold=np.where(asks, 0.5, np.nan),
        n_values=np.zeros(n, int),
        code=np.empty(0, int),
        branch=np.empty(0, int),
        summary=summary,
        n=summary.sum(1),
        impurity=np.zeros(n),
        gain=np.zeros(n),
        stop=np.where(asks, 0, 1),
    )


@pytest.mark.long
@pytest.mark.parametrize(("depth", "features"), [(150, 250), (1000, 1100)])
def test_sql_of_paths_through_more_features_than_sqlite_nests(depth, features):
    """SQLite nests 1000 expressions, or fewer where it is told so."""
    tree = features_in_a_row(features)
    assert Tree.from_json(tree.to_json()) == tree
    X = pd.DataFrame(np.ones((2, features)), columns=[f.name for f in tree.features])
    X.iloc[1, features - 1] = 0.0
    assert expected(tree, X) == [("b",), ("a",)]
    assert query(tree.to_sql("t"), X, depth=depth) == [("b",), ("a",)]
    in_a_row = " AND ".join(f"x{f} > 0" for f in range(features))
    with pytest.raises(sqlite3.OperationalError, match="maximum depth"):
        query(f"SELECT * FROM t WHERE {in_a_row}", X, depth=depth)


def test_a_deep_tree_calls_no_function_from_another():
    _, _, model = chain(100)
    source = model.tree_.to_python("grade")
    assert source.count("def ") == 4
    assert "import" not in source
    assert run(source, pd.DataFrame({"x0": [0.0, 99.0, 100.0]}), "grade") == [0, 1, 0]
    assert max(len(line) - len(line.lstrip()) for line in source.splitlines()) <= 4 * 41


@pytest.mark.parametrize(
    "name", ["", "1st", "a b", "class", "callable", "float", "x\n", None, "f(): pass #", "\ufb01t"]
)
def test_a_function_needs_a_name(name):
    points = load_regression_points()
    with pytest.raises(ValueError, match="wanted a name for a function"):
        CARTRegressor().fit(points.X, points.y).tree_.to_python(name)


class Color(StrEnum):
    RED = "red"
    BLUE = 'say "blue"'


def test_values_of_an_enumeration_are_written_as_the_texts_that_they_are():
    X = pd.DataFrame({"color": list(Color) * 2}, dtype=object)
    for tree in (CARTClassifier().fit(X, list(Color) * 2).tree_, CARTClassifier().fit(X, [1, 0, 1, 0]).tree_):
        check(tree, X.map(str))
        assert "Color" not in tree.to_python() + tree.to_python(proba=True) + tree.to_json()
        assert Tree.from_json(tree.to_json()) == tree


def test_weighted_sums_in_python_are_of_floats_whatever_is_given():
    X = pd.DataFrame({"a": [0.1, 0.3], "b": [0.2, 0.1]}, dtype=np.float32)
    tree = ObliqueTreeClassifier(max_depth=1, random_state=0).fit(X, ["p", "q"]).tree_
    sample, functions = {"a": X["a"].iloc[0], "b": X["b"].iloc[0]}, {}
    assert {type(x) for x in sample.values()} == {np.float32}
    a, b = map(float, sample.values())
    for w in ([1 / 3, -1 / 7], [1.0, -1.0], [-1 / 9, 0.7]):
        cut = w[0] * a + w[1] * b  # float32 would round it, up or down
        for threshold, wanted in ((cut, 1), (math.nextafter(cut, -math.inf), 2)):
            parts = {
                "normals": np.array([w, [0, 0], [0, 0]]),
                "threshold": np.array([threshold, *[np.nan] * 2]),
            }
            exact = dataclasses.replace(tree, **parts)
            exec(exact.to_python(), functions)
            assert functions["predict"](sample) == exact[wanted].prediction


def test_sql_names_its_columns():
    X, models = grown(0)
    found = query(models["leaf"].tree_.to_sql('the "table"'), X, 'the ""table""')
    assert found == [(models["leaf"].tree_.root.prediction,)] * len(X)
    sql = models["classes"].tree_.to_sql()
    assert 'END AS "predicted_label",\nCASE' in sql
    assert sql.endswith('END AS "predicted_even"')
    assert models["leaf"].tree_.to_sql().startswith("'")
    with pytest.raises(ValueError, match="wanted the name of a table"):
        models["leaf"].tree_.to_sql("")


@pytest.mark.parametrize("text", ["a\0b", "a\ud800b"])
def test_sql_cannot_hold_every_text(text):
    X = pd.DataFrame({"a": [text, "c"]}, dtype=object)
    tree = CARTClassifier().fit(X, ["no", "yes"]).tree_
    with pytest.raises(ValueError, match="a letter that SQL cannot hold"):
        tree.to_sql()
    assert run(tree.to_python(), X) == ["no", "yes"]


@pytest.mark.parametrize("method", ["to_python", "to_sql", "to_json"])
def test_values_that_are_neither_text_nor_numbers_are_refused(method):
    days = pd.Categorical([pd.Timestamp("2020-01-01"), pd.Timestamp("2021-01-01")])
    tree = CARTClassifier().fit(pd.DataFrame({"a": days}), ["no", "yes"]).tree_
    with pytest.raises(TypeError, match=r"value of 'a' .* is a Timestamp, which .* cannot hold"):
        getattr(tree, method)()
    infinite = CARTClassifier().fit(pd.DataFrame({"a": pd.Categorical([1.5, math.inf])}), ["no", "yes"]).tree_
    with pytest.raises(ValueError, match=r"value of 'a' is inf, which .* cannot hold"):
        getattr(infinite, method)()


def test_trees_of_single_precision_predict_numbers_as_they_come():
    rng = np.random.default_rng(5)
    X = pd.DataFrame(rng.normal(size=(300, 2)).round(1), columns=["p", "q"])
    y = np.where(X["p"] + X["q"] + rng.normal(size=300) > 0, "a", "b")
    for model in (
        C45Classifier.release8(),
        CARTClassifier.sklearn(),
        CARTClassifier.rpart(precision="single", cp=-1),
    ):
        tree = model.fit(X, y).tree_
        assert tree.single
        assert (tree.apply(X) == model.apply(X)).all()
        check_estimator(model, X)
        assert Tree.from_json(tree.to_json()).single


def test_a_tree_alone_sends_rows_with_holes_as_its_estimator_does():
    X = pd.DataFrame({"x": [1.0, 2, 3, 4, 5, np.nan], "z": [1.0, 2, np.nan, 9, 8, 7]})
    y = list("aabbbb")
    for missing in ("stay", "majority", "fractional", "surrogate"):
        model = CARTClassifier(missing=missing).fit(X, y)
        tree = Tree.from_json(model.tree_.to_json())
        assert tree.apply(X).tolist() == model.apply(X).tolist()
        assert tree.apply(X.to_numpy()).tolist() == model.apply(X).tolist()
    with pytest.raises(ValueError, match=r"X has a missing value in row 5, column \d \(counted from 0\)"):
        CARTClassifier().fit(X.dropna(), list("aabb")[: len(X.dropna())]).tree_.apply(
            X[["x", "z"]].iloc[[0, 1, 0, 1, 0, 5]].to_numpy()
        )
