"""CART's trees against R's rpart: splits, competitors, surrogates, and where each row ends."""

import gzip
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from dtlib import CARTClassifier, CARTRegressor
from dtlib.missing import training_parts
from dtlib.splits import Threshold
from dtlib.tree import surrogate_split

HERE = Path(__file__).parent
RUNS = json.loads(gzip.decompress((HERE / "rpart.json.gz").read_bytes()))["runs"]
DATA = {
    "kyphosis": "r_kyphosis", "car": "r_car.test.frame", "iris": "r_iris",
    "weather_nominal": "weather.nominal", "weather_numeric": "weather.numeric", "loan": "loan_ascii", "lihang52": "lihang52",
}  # fmt: skip


def load(run):
    """Return the columns in the order of the formula, and the weights."""
    name = run["name"]
    file = "iris_missing" if name == "iris_missing20" else DATA[next(k for k in DATA if name.startswith(k))]
    frame = pd.read_csv(HERE / "data" / f"{file}.csv", na_values=["NA", "?", ""], keep_default_na=False)
    left, right = run["command"].removeprefix("rpart(").split(",")[0].split("~")
    y = frame.pop(left.strip())
    columns = [x.strip() for x in right.split("+")]
    X = frame if columns == ["."] else frame[columns]
    X = X.assign(**{c: X[c].astype(str).str.upper() for c in X if X[c].dtype == bool})
    known = y.notna()
    X, y = X[known], y[known]
    weight = np.where(y == "present", 3.0, 1.0) if "weights" in name else None
    return X, y, weight


def grow(run):
    X, y, weight = load(run)
    control, parms = run["control"], run["parms"]
    options = {
        "min_samples_split": control["minsplit"],
        "min_samples_leaf": control["minbucket"],
        "cp": control["cp"],
        "max_surrogates": control["maxsurrogate"],
        "missing": "surrogate" if control["usesurrogate"] else "stay",
        "unresolved": "majority" if control["usesurrogate"] == 2 else "stay",
        "surrogate_agreement": ["all", "known"][control["surrogatestyle"]],
        "max_depth": control["maxdepth"],
    }
    if run["method"] == "anova":
        return CARTRegressor.rpart(**options).fit(X, y, weight), X
    options["criterion"] = {1: "gini", 2: "entropy"}[parms["split"]]
    if "prior" in run["command"]:
        options["prior"] = parms["prior"]
    if "loss" in run["command"]:
        options["loss"] = parms["loss"]
    return CARTClassifier.rpart(**options).fit(X, y, weight), X


def said_by(run, line, k):
    """Return rpart's split in our words: the names, or the number, that go left, and the number of splits."""
    levels = (run["xlevels"] or {}).get(line["var"])
    if line["ncat"] > 1:
        sides = run["csplit"][int(line["index"]) - 1]
        return {value: {1: 0, 3: 1}[side] for value, side in zip(levels, sides, strict=False) if side != 2}
    return line["index"], line["ncat"]


def said_here(split):
    """Return the branch of each name, or the threshold."""
    if isinstance(split, Threshold):
        return split.threshold
    groups = split.groups if hasattr(split, "groups") else [[value] for value in split.values]
    return {str(value): i for i, group in enumerate(groups) for value in group}


def left_branch(split, theirs):
    """Return which branch of a split is rpart's left son, having compared the questions."""
    ours = said_here(split)
    if isinstance(ours, dict):
        assert set(ours) == set(theirs), (ours, theirs)
        flipped = {value: 1 - side for value, side in theirs.items()}
        assert ours in (theirs, flipped), (ours, theirs)
        return int(ours != theirs)
    index, ncat = theirs
    assert ours == pytest.approx(index, abs=1e-8, rel=1e-9)
    upside_down = split.upside_down
    return int((ncat == -1) == upside_down)


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run["name"])
def test_tree(run):
    compare(run)


def compare(run):
    est, X = grow(run)
    tree = est.tree_
    frame = {line["node"]: (i, line) for i, line in enumerate(run["frame"])}
    splits = iter(run["splits"] or [])
    of_node, todo, number = {}, [(1, 0)], {}
    for line in run["frame"]:  # the splits of a node follow each other, in the order of the frame
        if line["var"] != "<leaf>":
            n = 1 + line["ncompete"] + line["nsurrogate"]
            of_node[line["node"]] = [next(splits) for _ in range(n)]
    while todo:
        heap, node = todo.pop()
        i, line = frame.pop(heap)
        number[node] = i + 1
        same_node(run, tree, node, line, None if run["yval2"] is None else run["yval2"][i])
        if line["var"] == "<leaf>":
            assert tree[node].is_leaf
            continue
        here = of_node[heap]
        assert tree[node].feature == line["var"]
        left = left_branch(tree[node].split, said_by(run, here[0], 0))
        same_candidates(run, tree, node, here[: 1 + line["ncompete"]])
        same_surrogates(run, tree, node, left, here[1 + line["ncompete"] :])
        first = int(tree.first_child[node])
        todo += [(2 * heap, first + left), (2 * heap + 1, first + 1 - left)]
    assert not frame
    where = [number[node] for node in est.apply(X)]
    assert where == run["where_predict"]
    assert where_trained(tree, number) == run["where_train"]
    predicted = est.predict(X) if run["method"] == "anova" else est.predict_proba(X)
    assert predicted == pytest.approx(np.array(run["predict"], float), abs=1e-8)


def same_node(run, tree, node, line, yval2):
    rows, _ = training_parts(tree, node)
    assert len(rows) == line["n"]
    if run["method"] == "anova":
        assert tree.value[node, 0] == pytest.approx(line["yval"], rel=1e-9)
        assert tree.impurity[node] * tree.n[node] == pytest.approx(line["dev"], rel=1e-8, abs=1e-8)
        return
    K = len(run["ylevels"])
    assert tree.label[node] + 1 == yval2[0]
    assert tree.value[node] == pytest.approx(np.array(yval2[1 + K : 1 + 2 * K]), abs=1e-8)


def same_candidates(run, tree, node, theirs):
    """Compare the question and its competitors: what they ask, and their `improve`."""
    table = tree.explain(node)
    # n times the decrease for classes (nats), the share of the node's risk for numbers
    scale = 1 / tree.impurity[node] if run["method"] == "anova" else tree.n[node]
    scale *= np.log(2) if tree.criterion == "entropy" else 1
    improve = dict(zip(table["feature"], table["gain"] * scale, strict=True))
    for line in theirs:
        assert improve[line["var"]] == pytest.approx(line["improve"], rel=1e-8, abs=1e-8)
        known = (tree.training.codes[[f.name for f in tree.features].index(line["var"])] >= 0)[
            training_parts(tree, node)[0]
        ].sum()
        assert known == line["count"]
    worth = table["gain"].fillna(0).to_numpy()
    best = np.sort(worth[worth * scale > 1e-9])[::-1][:5]  # of equal competitors, rounding may list any first
    assert [line["improve"] for line in theirs] == pytest.approx(best * scale, rel=1e-8, abs=1e-8)
    for line in theirs[1:]:
        text = dict(zip(table["feature"], table["split"], strict=True))[line["var"]]
        if line["ncat"] > 1:
            continue
        assert float(text.split()[-1].rstrip("?")) == pytest.approx(line["index"], rel=1e-8)


def same_surrogates(run, tree, node, left, theirs):
    places = tree.surrogates.at(node)
    assert len(places) == len(theirs)
    for place, line in zip(places, theirs, strict=True):
        split = surrogate_split(tree, int(place))
        assert split.feature == line["var"]
        assert tree.surrogates.agreement[place] == pytest.approx(line["improve"], abs=1e-9)
        assert tree.surrogates.adjusted[place] == pytest.approx(line["adj"], abs=1e-9)
        assert tree.surrogates.rows[place] == line["count"]
        assert left_branch(split, said_by(run, line, 0)) == left


def where_trained(tree, number):
    """Return for each training row the place in rpart's frame of the node in which it ended."""
    where = np.zeros(tree.training.codes.shape[1], int)
    for node in range(tree.node_count):  # what is deeper is written later
        where[training_parts(tree, node)[0]] = number[node]
    return where.tolist()
