"""Exports of trees in which a row goes in parts: each share, amount and name; and which data are a tree."""

from __future__ import annotations

import ast
import math
import re
import sqlite3
from contextlib import closing
from typing import Any

import numpy as np
import pandas as pd
import pytest

from dtlib import C45Classifier, CARTClassifier, CARTRegressor, Tree
from dtlib.datasets import load_golf, load_watermelon
from dtlib.dialects import C45Dialect, CARTDialect
from dtlib.export.common import missing_parts
from dtlib.export.python import FunctionSource
from dtlib.export.sql import _joined as joined
from tests.drawn import seeds

GOLF = load_golf()
SAID = [
    " NaN and pandas.NA are not equal to themselves.",
    " The first of those that are equal, whatever the rounding.",
]


def table(seed: int, n: int = 40) -> tuple[pd.DataFrame, np.ndarray]:
    """Make features of each kind with holes, one of them with a name that no row has; and classes."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "x": rng.integers(0, 8, n) / 4,
            "size": pd.Categorical(rng.choice(list("SML"), n), list("SML"), ordered=True),
            "color": pd.Categorical(
                rng.choice(["red", "green", "blue"], n), ["grey", "red", "green", "blue"]
            ),
            "odd": rng.choice(["it's", 'a "b"', "c"], n),
        }
    )
    y = np.where(rng.random(n) < 0.3, rng.integers(0, 3, n), (X["x"] * 2 + (X["odd"] == "c")).astype(int) % 3)
    return X.mask(rng.random(X.shape) < 0.2), np.array(["no", "so so", "yes"])[y]


def in_parts(seed: int, unseen: str) -> dict[str, tuple[Any, pd.DataFrame]]:
    """Fit models of each kind whose rows go in parts; with each, the table it has grown from."""
    X, y = table(seed)
    rng = np.random.default_rng([seed, 1])
    whole, broken = rng.integers(1, 4, len(X)), rng.choice([0.1, 0.3, 1.25], len(X))
    loss, number = np.array([[0, 1, 2], [3, 0, 1], [1, 2, 0]]), X["x"].fillna(0.7) + (y == "yes")
    cart: dict[str, Any] = {"missing": "fractional", "dialect": CARTDialect(unseen=unseen)}
    c45: dict[str, Any] = {"dialect": C45Dialect(unseen=unseen)}
    two = pd.DataFrame({"u": number, "v": -number})
    models = {
        "no hole": C45Classifier(**c45, max_depth=2).fit(X.dropna(), y[X.notna().all(axis=1)]),
        "C4.5": C45Classifier(**c45).fit(X, y),
        "C4.5, weights": C45Classifier(**c45, max_depth=3).fit(X, y, broken),
        "C4.5, groups": C45Classifier(group_values="merge", **c45).fit(X, y, whole),
        "J48": C45Classifier.j48(prune=None, unseen=unseen, leaf_shares="laplace").fit(X, y),
        "CART": CARTClassifier(**cart, max_depth=1).fit(X, y),
        "CART, weights": CARTClassifier(**cart, max_depth=4).fit(X, y, broken),
        "CART, loss": CARTClassifier(**cart, loss=loss, max_depth=3).fit(X, y, whole),
        "numbers": CARTRegressor(**cart, max_depth=3).fit(X, number, broken),
        "a class alone": CARTClassifier(**cart, max_depth=2).fit(X, pd.DataFrame({"u": y, "v": "same"})),
        "two numbers": CARTRegressor(**cart, max_depth=2).fit(X, two),
    }
    return {name: (model, X) for name, model in models.items()}


def asked(seed: int) -> pd.DataFrame:
    """Make rows to be predicted: more holes, and names that were not in training."""
    X, _ = table(seed + 1000, 30)
    rng = np.random.default_rng(seed)
    X = X.astype({"color": object, "size": object}).mask(rng.random(X.shape) < 0.3)
    X.loc[0] = None
    for name in ("color", "size", "odd"):
        X.loc[rng.random(len(X)) < 0.15, name] = "unheard of"
    return X.astype({"x": float})


def wanted_amounts(model: Any, X: pd.DataFrame) -> np.ndarray:
    """Return what the parts of each row come to: shares, costs or numbers."""
    if not model.tree_.is_classifier:
        return np.asarray(model.predict(X)).reshape(len(X), -1)
    shares = model.predict_proba(X)
    shares = np.hstack(shares) if isinstance(shares, list) else shares
    return shares if model.tree_.loss is None else shares @ model.tree_.loss


def amounts_in_python(tree: Tree, X: pd.DataFrame) -> list[Any]:
    """Run the function on each row; instead of the class, return what it would be chosen by."""
    functions: dict[str, Any] = {}
    exec(compile(tree.to_python(), "tree", "exec"), functions)
    for name in ("_predict_max", "_predict_min"):
        functions[name] = lambda classes, total: tuple(total)
    found = [functions["predict"](row) for row in X.to_dict("records")]
    if len(tree.outputs) > 1 and tree.is_classifier:  # for each output what its classes come to
        return [tuple(x for some in row for x in some) for row in found]
    return [x if isinstance(x, tuple) else (x,) for x in found]


def amounts_in_sql(tree: Tree, X: pd.DataFrame) -> list[Any]:
    """Run the sums that the query adds up."""
    text = tree.to_sql("t")
    if tree.is_classifier:
        (columns,) = re.findall(r'END FROM \(SELECT\n(.*)\n  \) AS "', text, re.DOTALL)
        text = f'SELECT {columns} FROM "t"'
    else:
        text = text.replace('"t".*,', "")
    rows = X.astype(object).where(X.notna(), None).to_numpy().tolist()
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(f'CREATE TABLE "t" ({", ".join(X.columns)})')
        connection.executemany(f'INSERT INTO "t" VALUES ({", ".join("?" * X.shape[1])})', rows)
        return connection.execute(text).fetchall()


@pytest.mark.parametrize("unseen", ["stay", "missing"])
@pytest.mark.parametrize("seed", seeds(3))
def test_parts_come_to_what_the_estimator_says(seed: int, unseen: str) -> None:
    rows = asked(seed)
    for name, (model, _) in in_parts(seed, unseen).items():
        if name == "a class alone":
            continue  # its second output needs no sums: see below
        wanted = wanted_amounts(model, rows)
        assert amounts_in_python(model.tree_, rows) == pytest.approx(wanted, rel=1e-12, abs=1e-15), name
        assert np.array(amounts_in_sql(model.tree_, rows)) == pytest.approx(wanted, rel=1e-12, abs=1e-15), (
            name
        )


def test_an_output_of_one_class_is_written_as_that_class() -> None:
    model, _ = in_parts(0, "stay")["a class alone"]
    rows = asked(0)
    assert amounts_in_python(model.tree_, rows) == pytest.approx(wanted_amounts(model, rows))
    assert model.tree_.to_sql().endswith(",\n'same' AS \"predicted_v\"")


def proba_in_python(tree: Tree, X: pd.DataFrame) -> list[list[float]]:
    """Run the function that returns class shares; of several outputs, put them beside each other."""
    functions: dict[str, Any] = {}
    exec(compile(tree.to_python(proba=True), "tree", "exec"), functions)
    found = [functions["predict"](row) for row in X.to_dict("records")]
    outputs = [row if isinstance(row, tuple) else (row,) for row in found]
    assert all([*said] == [*o.values] for row in outputs for said, o in zip(row, tree.outputs, strict=True))
    return [[share for said in row for share in said.values()] for row in outputs]


def proba_in_sql(tree: Tree, X: pd.DataFrame) -> tuple[list[str], list[list[float]]]:
    """Run the query of the class shares; return the names of its columns, too."""
    rows = X.astype(object).where(X.notna(), None).to_numpy().tolist()
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(f'CREATE TABLE "t" ({", ".join(X.columns)})')
        connection.executemany(f'INSERT INTO "t" VALUES ({", ".join("?" * X.shape[1])})', rows)
        answer = connection.execute(tree.to_sql("t", proba=True))
        names = [column[0] for column in answer.description[X.shape[1] :]]
        return names, [[*row[X.shape[1] :]] for row in answer]


@pytest.mark.parametrize("unseen", ["stay", "missing"])
@pytest.mark.parametrize("seed", seeds(3))
def test_class_shares_are_exported_as_they_are_predicted(seed: int, unseen: str) -> None:
    rows = asked(seed)
    for name, (model, _) in in_parts(seed, unseen).items():
        if not model.tree_.is_classifier:
            continue
        shares = model.predict_proba(rows)
        wanted = np.hstack(shares) if isinstance(shares, list) else shares
        names, found = proba_in_sql(model.tree_, rows)
        assert np.array(found) == pytest.approx(wanted, rel=1e-12, abs=1e-15), name
        assert all(isinstance(share, float) for row in found for share in row)  # so that 1 / 2 is no 0
        assert names == [f"share_{o.name}_{value}" for o in model.tree_.outputs for value in o.values]
        assert proba_in_python(model.tree_, rows) == pytest.approx(wanted, rel=1e-12, abs=1e-15), name


@pytest.mark.parametrize("how", ["frequency", "laplace", "m_branch"])
@pytest.mark.parametrize("missing", ["stay", "majority", "surrogate", "learned"])
def test_class_shares_of_whole_rows_are_exported_to_the_last_bit(missing: str, how: str) -> None:
    X, y = table(7)
    rows = asked(7)
    for target in (y, pd.DataFrame({"u": y, "v": "same"})):
        model = CARTClassifier(missing=missing, leaf_shares=how, max_depth=4).fit(X, target)
        shares = model.predict_proba(rows)
        wanted = (np.hstack(shares) if isinstance(shares, list) else shares).tolist()
        assert proba_in_python(model.tree_, rows) == wanted
        assert proba_in_sql(model.tree_, rows)[1] == wanted


def test_class_shares_of_deep_trees_and_of_leaves_are_exported() -> None:
    x = np.arange(82.0)
    tree = CARTClassifier(leaf_shares="laplace").fit(pd.DataFrame({"x": x}), x % 2).tree_
    assert tree.max_depth > 40
    rows = pd.DataFrame({"x": x})
    assert proba_in_python(tree, rows) == tree.value[tree.apply(x[:, None])].tolist()
    leaf = CARTClassifier(max_depth=0).fit(pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0]}), list("abbb")).tree_
    assert leaf.to_python(proba=True) == 'def predict(sample):\n    return {"a": 0.25, "b": 0.75}\n'
    assert leaf.to_sql(proba=True) == (
        'CAST(0.25 AS DOUBLE PRECISION) AS "share_y_a",\nCAST(0.75 AS DOUBLE PRECISION) AS "share_y_b"'
    )


def test_class_shares_of_trees_of_loss_are_no_costs() -> None:
    loss = np.array([[0, 1], [5, 0]])
    model = CARTClassifier(missing="fractional", loss=loss, max_depth=1).fit(GOLF.X, GOLF.y)
    rows = GOLF.X.head(3)
    assert proba_in_python(model.tree_, rows) == pytest.approx(model.predict_proba(rows))
    assert "best" not in model.tree_.to_python(proba=True)
    assert "share_of_row" not in model.tree_.to_sql(proba=True)


def test_class_shares_that_cannot_be_are_refused_by_name() -> None:
    X = pd.DataFrame({"x": [1.0, 2.0]})
    numbers, classes = CARTRegressor().fit(X, [1.0, 2.0]).tree_, CARTClassifier().fit(X, ["a", "b"]).tree_
    twice = CARTClassifier().fit(X, pd.DataFrame({"u": ["v_a", "b"], "u_v": ["a", "b"]})).tree_
    for method in ("to_python", "to_sql"):
        with pytest.raises(ValueError, match="proba is True, but this is a regression tree"):
            getattr(numbers, method)(proba=True)
        with pytest.raises(TypeError, match="proba is 'yes'; wanted True or False"):
            getattr(classes, method)(proba="yes")
        assert getattr(classes, method)(proba=np.True_) == getattr(classes, method)(proba=True)
        assert getattr(classes, method)(proba=np.False_) == getattr(classes, method)()
    with pytest.raises(ValueError, match="two columns of shares are both named 'share_u_v_a'"):
        twice.to_sql(proba=True)
    assert "v_a" in twice.to_python(proba=True)


@pytest.mark.parametrize("missing", ["error", "stay", "majority", "fractional", "surrogate", "learned"])
def test_a_leaf_looks_at_nothing(missing: str) -> None:
    leaf = CARTClassifier(max_depth=0, missing=missing).fit(pd.DataFrame({"x": [1.0, 2.0]}), ["a", "b"]).tree_
    assert leaf.to_python() == 'def predict(sample):\n    return "a"\n'
    assert leaf.to_sql() == "'a'"


@pytest.mark.parametrize("levels", [39, 40, 41, 80, 81])
def test_more_than_forty_levels_become_several_functions(levels: int) -> None:
    x = np.arange(levels + 1.0)
    tree = CARTClassifier().fit(x[:, None], x % 2).tree_
    assert tree.max_depth == levels
    source = tree.to_python()
    helpers = [function.name for function in ast.parse(source).body if function.name != "predict"]
    heads = [node.id for node in tree if node.depth % 40 == 0 and not node.is_leaf]
    assert helpers == ([f"_predict_{head}" for head in heads] if levels > 40 else [])
    assert max(len(line) - len(line.lstrip()) for line in source.splitlines()) <= 4 * 41


@pytest.mark.parametrize(("parts", "groups"), [(1, 0), (99, 0), (100, 0), (101, 2), (200, 2), (201, 3)])
def test_long_sums_are_put_in_parentheses_by_the_hundred(parts: int, groups: int) -> None:
    text = joined([f"p{k}" for k in range(parts)], " + ")
    assert text.count("(") == text.count(")") == groups
    assert re.findall(r"p\d+", text) == [f"p{k}" for k in range(parts)]
    for group in re.findall(r"\(([^)]*)\)", text):
        assert len(group.split(" + ")) <= 100


def test_a_tree_says_in_json_whether_training_missed_a_value() -> None:
    data = CARTClassifier().fit(GOLF.X, GOLF.y).tree_.to_dict()
    assert data["saw_missing"] is False
    with pytest.raises(ValueError, match="saw_missing is 0, wanted True or False"):
        Tree.from_dict(data | {"saw_missing": 0})


@pytest.mark.parametrize("unseen", ["stay", "missing"])
@pytest.mark.parametrize("seed", seeds(3))
def test_shares_are_written_as_ratios_of_whole_weights_or_with_all_digits(seed: int, unseen: str) -> None:
    forms = set()
    for model, _ in in_parts(seed, unseen).values():
        tree = model.tree_
        source = FunctionSource(tree, "predict", [], {}, missing_parts(tree), [])
        for node in np.flatnonzero(tree.feature >= 0).tolist():
            n = [kid.n for kid in tree[node].children]
            written, shares = source.shares(node), [x / sum(n) for x in n]
            assert [eval(text) for text in written] == shares  # to the last bit
            whole = all(float(x).is_integer() for x in n)
            for text, x, share in zip(written, n, shares, strict=True):
                form = "0" if not x else f"{int(x)} / {int(sum(n))}" if whole else repr(float(share))
                assert text == form
                forms.add("0" if not x else "ratio" if whole else "digits")
    assert forms == {"0", "ratio", "digits"}


def test_names_in_a_function_say_how_deep_a_part_is() -> None:
    deepest = 0
    for model, _ in in_parts(0, "stay").values():
        source = model.tree_.to_python()
        (function,) = (f for f in ast.parse(source).body if f.name == "predict")
        stored = [n for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
        inner = max(node.depth for node in model.tree_ if not node.is_leaf)
        deepest = max(deepest, inner)
        names = {n.id for n in stored} - {"name"}
        assert names == {"sample", "total", "part", *(f"part{level}" for level in range(2, inner + 3))}
        for name in stored:  # a part is set as deep as its name says, below the body of the function
            if name.id.startswith("part") and name.id != "part":
                assert name.col_offset == 4 * (int(name.id[4:]) - 1)
        assert set(re.findall(r"#(.*)", source)) <= set(SAID)
    assert deepest > 2


def test_a_tree_of_one_question_in_python_whole() -> None:
    source = C45Classifier(max_depth=1).fit(GOLF.X, GOLF.y).tree_.to_python()
    known, largest, predict = source.split("\n\n\n")
    assert largest == (
        "def _predict_max(classes, total):\n"
        "    best = max(total)\n"
        "    # The first of those that are equal, whatever the rounding.\n"
        "    return next(c for c, x in zip(classes, total) if x >= best - 1e-12 * best)"
    )
    assert known.splitlines()[1] == "    # NaN and pandas.NA are not equal to themselves."
    assert predict == (
        "def predict(sample):\n"
        '    sample = {name: _predict_known(sample.get(name)) for name in ["outlook"]}\n'
        "    total = [0.0, 0.0]\n"
        "    part = 1.0\n"
        '    part2 = part * {"sunny": 1, None: 5 / 14}.get(sample["outlook"], 0)\n'
        "    total[0] += part2 * 0.6\n"
        "    total[1] += part2 * 0.4\n"
        '    part2 = part * {"overcast": 1, None: 4 / 14}.get(sample["outlook"], 0)\n'
        "    total[1] += part2\n"
        '    part2 = part * {"rainy": 1, None: 5 / 14}.get(sample["outlook"], 0)\n'
        "    total[0] += part2 * 0.4\n"
        "    total[1] += part2 * 0.6\n"
        '    if sample["outlook"] not in {"sunny", "overcast", "rainy", None}:\n'
        f"        total[0] += part * {5 / 14!r}\n"
        f"        total[1] += part * {9 / 14!r}\n"
        '    return _predict_max(["no", "yes"], total)\n'
    )


def test_a_factor_in_sql_says_only_what_differs() -> None:
    """Of a number NULL and the branch; of names the shares that are not those of all others."""
    X = pd.DataFrame({"a": ["p", "p", "p", "q"], "x": [1.0, 2.0, 3.0, 4.0]})
    categorical_surrogate = C45Classifier(max_depth=1).fit(X[["a"]], list("nnny")).tree_.to_sql()
    assert 'CASE WHEN "a" IS NULL THEN 0.75E0 WHEN "a" = \'p\' THEN 1 ELSE 0 END' in categorical_surrogate
    assert 'CASE WHEN "a" IS NULL THEN 0.25E0 WHEN "a" = \'q\' THEN 1 ELSE 0 END' in categorical_surrogate
    assert (
        "CASE WHEN \"a\" IS NULL THEN 0 WHEN \"a\" IN ('p', 'q') THEN 0 ELSE 1 END" in categorical_surrogate
    )
    lost = C45Classifier(max_depth=1, dialect=C45Dialect(unseen="missing"))
    shares = lost.fit(X[["a"]], list("nnny")).tree_.to_sql()
    assert "CASE WHEN \"a\" = 'p' THEN 1 WHEN \"a\" = 'q' THEN 0 ELSE 0.75E0 END" in shares
    assert "IS NULL" not in shares  # as any other name
    by_number = C45Classifier(max_depth=1).fit(X[["x"]], list("nnny")).tree_.to_sql()
    assert 'CASE WHEN "x" IS NULL THEN 0.75E0 WHEN "x" <= 3.5 THEN 1 ELSE 0 END' in by_number
    assert 'CASE WHEN "x" IS NULL THEN 0.25E0 WHEN "x" > 3.5 THEN 1 ELSE 0 END' in by_number
    twice = C45Classifier(min_samples_leaf=1).fit(X[["x"]], list("nyyn")).tree_
    assert twice.n_leaves == 3
    assert 'CASE WHEN "x" IS NULL THEN ' in twice.to_sql()
    assert '"x" > 1.5 AND "x" <= 3.5 THEN 1' in twice.to_sql()


def is_tree(data: dict[str, Any]) -> bool:
    """Tell whether lists are those of a tree that refuses missing values, node by node from the root."""
    below, listed, values = 1, 0, [len(feature["values"]) for feature in data["features"]]
    for i, f in enumerate(data["feature"]):
        if f >= len(values):
            return False
        asks, t, count = f >= 0, data["threshold"][i], data["n_values"][i]
        kind = data["features"][f]["kind"] if asks else "leaf"
        if asks == bool(data["reason"][i]) or (not asks and data["gain"][i]):
            return False
        if (count > 0) != (kind == "nominal") or (t is not None) != (kind in ("ordered", "numeric")):
            return False
        if kind == "ordered" and not 0 <= t < values[f] - 1:
            return False
        codes, branches = (data[name][listed : listed + count] for name in ("code", "branch"))
        if len(codes) < count or len(branches) < count or sorted(set(codes)) != codes:
            return False
        if codes and not codes[-1] < values[f]:
            return False
        listed += count
        kids = 2 if kind in ("ordered", "numeric") else max(branches, default=-1) + 1
        if asks and (kids < 2 or not data["n"][i] or (branches and set(branches) != set(range(kids)))):
            return False
        children, below = range(below, below + kids), below + kids
        if asks and (children[0] <= i or below > len(data["feature"])):
            return False
        for amounts in ([[x] for x in data["n"]], data["summary"]):
            for k in range(len(amounts[0])) if asks else ():
                if not math.isclose(sum(amounts[kid][k] for kid in children), amounts[i][k], rel_tol=1e-5):
                    return False
        if not math.isclose(sum(data["summary"][i]), data["n"][i], rel_tol=1e-5):
            return False
    return below == len(data["feature"]) and listed == len(data["code"]) == len(data["branch"])


WRONG: dict[str, list[Any]] = {
    "feature": [-1, 0, 1, 2],
    "threshold": [None, 0.5, 1.5, -0.5],
    "n_values": [-1, 0, 1, 2, 3, 4],
    "code": [0, 1, 2, 3],
    "branch": [0, 1, 2, 3],
    "n": [0, 1, 2, 14],
    "gain": [0.0, 0.1, -0.1],
    "reason": ["", "pure", "no gain"],
}


def changed(rng: np.random.Generator, data: dict[str, Any]) -> dict[str, Any]:
    """Return lists with some entries drawn anew, or with two nodes in each other's place."""
    new = {name: [*x] if isinstance(x, list) else x for name, x in data.items()}
    if rng.random() < 0.2:
        i, j = rng.integers(0, len(new["feature"]), 2)
        for name in ("feature", "threshold", "n_values", "n", "gain", "reason", "summary"):
            new[name][i], new[name][j] = new[name][j], new[name][i]
        return new
    for _ in range(rng.choice([1, 1, 2])):
        name = str(rng.choice([*WRONG]))
        if new[name]:
            at = int(rng.integers(0, len(new[name])))
            new[name][at] = WRONG[name][int(rng.integers(0, len(WRONG[name])))]
    return new


@pytest.mark.parametrize("kind", ["names", "groups", "order"])
@pytest.mark.parametrize("seed", seeds(3))
def test_what_is_no_tree_is_refused_and_what_is_one_is_read(seed: int, kind: str) -> None:
    melons, rng = load_watermelon("2.0"), np.random.default_rng(seed)
    y = ["a", "b", "b", "c", "a", "c"]
    sizes = pd.DataFrame({"size": pd.Categorical(list("SMLXML"), list("SMLX"), ordered=True), "x": range(6)})
    grown = {
        "names": C45Classifier(missing="error", prune=None).fit(melons.X.iloc[:, :3], melons.y),
        "groups": CARTClassifier(max_depth=2).fit(melons.X.iloc[:, :3], melons.y),
        "order": CARTClassifier().fit(sizes, y),
    }
    data, outcomes = grown[kind].tree_.to_dict(), []
    assert is_tree(data)
    for _ in range(120):
        new = changed(rng, data)
        said = ""
        try:
            found = Tree.from_dict(new).to_dict() == new
        except ValueError as refused:
            found, said = False, str(refused)
        assert found or said.startswith("data "), said  # not what NumPy says
        assert found == is_tree(new), {name: x for name, x in new.items() if x != data[name]}
        outcomes.append(found)
    assert 3 < sum(outcomes) < 117
