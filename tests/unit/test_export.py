"""The tree in other languages: what is written is run, and compared with the tree."""

import math
import pickle
import sqlite3
from contextlib import closing

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dtlib import (
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    Tree,
    load_customers,
    load_golf,
    load_loan,
    load_regression_points,
    load_watermelon,
)
from dtlib.columns import Feature

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


def run(source, X, name="predict"):
    """Run a function in Python on each row."""
    functions = {}
    exec(compile(source, "tree", "exec"), functions)
    return [functions[name](sample) for sample in X.to_dict("records")]


def query(sql, X, table="t"):
    """Run a SELECT in SQLite on a table of these rows; the columns are X's and the predictions."""
    names = ['"{}"'.format(name.replace('"', '""')) for name in X.columns]
    rows = X.astype(object).where(X.notna(), None).to_numpy().tolist()
    with closing(sqlite3.connect(":memory:")) as connection:
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


@settings(max_examples=25)
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


def test_a_chain_of_two_thousand_levels():
    X, y, model = chain(2000)
    tree = model.tree_
    assert (tree.max_depth, tree.node_count) == (2000, 4001)
    assert (model.predict(X) == y).all()
    assert len(str(tree).splitlines()) == 4001
    assert max(map(len, str(tree).splitlines())) < 200
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


def test_sql_of_paths_through_eleven_hundred_features():
    tree = features_in_a_row(1100)
    assert Tree.from_json(tree.to_json()) == tree
    X = pd.DataFrame(np.ones((2, 1100)), columns=[f.name for f in tree.features])
    X.iloc[1, 1099] = 0.0
    assert expected(tree, X) == [("b",), ("a",)]
    assert query(tree.to_sql("t"), X) == [("b",), ("a",)]


def test_a_deep_tree_calls_no_function_from_another():
    _, _, model = chain(100)
    source = model.tree_.to_python("grade")
    assert source.count("def ") == 4
    assert "import" not in source
    assert run(source, pd.DataFrame({"x0": [0.0, 99.0, 100.0]}), "grade") == [0, 1, 0]
    assert max(len(line) - len(line.lstrip()) for line in source.splitlines()) <= 4 * 41


@pytest.mark.parametrize("name", ["", "1st", "a b", "class", "callable", "float", "x\n", None, "f(): pass #"])
def test_a_function_needs_a_name(name):
    points = load_regression_points()
    with pytest.raises(ValueError, match="wanted a name for a function"):
        CARTRegressor().fit(points.X, points.y).tree_.to_python(name)


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
