"""CART's trees against R's rpart: splits, competitors, surrogates, and where each row ends."""

import gzip
import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from dtlib import CARTClassifier, CARTRegressor
from dtlib.growing.training_rows import training_parts
from dtlib.prune import risk
from dtlib.tree.node import surrogate_split
from dtlib.tree.splits import Threshold

HERE = Path(__file__).parent
CLOSE = {"rel": 1e-8, "abs": 1e-8}
MISSING = ["NA", "?", ""]
DATA = {
    "kyphosis": "r_kyphosis", "kw": "r_kyphosis", "car.test.frame": "r_car.test.frame", "iris": "r_iris",
    "ir": "iris_missing", "wn": "weather.nominal", "wm": "weather.numeric", "ln": "loan_ascii",
    "l52": "lihang52",
}  # fmt: skip


def read(file):
    """Return recorded runs."""
    return json.loads(gzip.decompress((HERE / file).read_bytes()))["runs"]


def described(run):
    """Say of a run that was recorded as a command what it is about."""
    target, features, name = re.match(r"rpart\((\w+) ~ ([^,]+), ([\w.]+)", run["command"]).groups()
    table = pd.read_csv(HERE / "data" / f"{DATA[name]}.csv")
    others = [column for column in table if column != target]
    weights = np.where(table[target] == "present", 3.0, 1.0) if "weights" in run["command"] else None
    return run | {
        "data": DATA[name], "target": target, "weights": weights, "ordered": [], "new": None,
        "features": others if features == "." else features.split(" + "),
        "given": [part for part in ("prior", "loss") if part in run["command"]],
    }  # fmt: skip


RUNS = [described(run) for run in read("rpart.json.gz")] + read("rpart_more.json.gz")


def load(run):
    """Return the rows that rpart uses: features, target, weights."""
    names = [*run["xlevels"], *([run["target"]] if run["ylevels"] else [])]
    file = HERE / "data" / f"{run['data']}.csv"
    table = pd.read_csv(file, na_values=MISSING, keep_default_na=False, dtype=dict.fromkeys(names, str))
    return used(run, table)


def used(run, table):
    """Return what rpart uses of a table: rows that know their target, and any feature (or have a weight)."""
    known = table[run["features"]].notna().any(axis=1) | (run["weights"] is not None)
    kept = table[run["target"]].notna() & known
    weight = None if run["weights"] is None else np.asarray(run["weights"])[kept]
    return in_kinds(run, table[kept]), table[run["target"]][kept], weight


def in_kinds(run, table):
    """Return the features as R has them: numbers, names, names in an order."""
    X = pd.DataFrame(table)[run["features"]]
    kinds = {
        name: pd.CategoricalDtype(levels, ordered=name in run["ordered"])
        for name, levels in run["xlevels"].items()
    }
    return X.astype({name: kinds.get(name, float) for name in X})


def estimator(run, **changed):
    """Return the estimator of a run, not fitted; with other options if so wished."""
    control, parms = run["control"], run["parms"]
    options = {
        "min_samples_split": control["minsplit"],
        "min_samples_leaf": control["minbucket"],
        "max_depth": control["maxdepth"],
        "cp": control["cp"],
        "max_surrogates": control["maxsurrogate"],
        "missing": "surrogate" if control["usesurrogate"] else "stay",
        "fallback": "majority" if control["usesurrogate"] == 2 else "stay",
        "agreement": ["all", "known"][control["surrogatestyle"]],
    }
    if run["method"] == "anova":
        return CARTRegressor.rpart(**options | changed)
    given = {part: parms[part] for part in ("prior", "loss") if part in run["given"]}
    options["criterion"] = {1: "gini", 2: "entropy"}[parms["split"]]
    return CARTClassifier.rpart(**options | given | changed)


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run["name"])
def test_tree(run):
    compare(run, *load(run))


def compare(run, X, y, weight):
    est = estimator(run).fit(X, y, weight)
    assert run["ylevels"] is None or list(est.classes_) == run["ylevels"]
    number = same_nodes(run, est.tree_)
    assert where_trained(est.tree_, number) == run["where_train"]
    predict = est.predict if run["method"] == "anova" else est.predict_proba
    assert [number[node] for node in est.apply(X)] == run["where_predict"]
    if "predict" in run:
        assert predict(X) == pytest.approx(np.array(run["predict"], float), **CLOSE)
    if run["new"] is not None:
        new = in_kinds(run, run["new"]["rows"])
        assert [number[node] for node in est.apply(new)] == run["new"]["where"]
        assert predict(new) == pytest.approx(np.array(run["new"]["predict"], float), **CLOSE)


def same_nodes(run, tree):
    """Compare the nodes from the root down; return for each of ours its place in rpart's frame."""
    place = {line["node"]: i for i, line in enumerate(run["frame"])}
    of_node, number, todo, cost = splits_of(run), {}, [(1, 0)], risk(tree) / risk(tree)[0]
    while todo:
        heap, node = todo.pop()
        i = place.pop(heap)
        number[node] = i + 1
        same_node(run, tree, node, i, cost[node])
        if heap not in of_node:
            assert tree[node].is_leaf
            continue
        primary, competitors, surrogates = of_node[heap]
        assert tree[node].feature == primary["var"]
        left = left_branch(run, tree[node].split, primary)
        same_candidates(run, tree, node, [primary, *competitors])
        same_surrogates(run, tree, node, left, surrogates)
        first = int(tree.first_child[node])
        todo += [(2 * heap, first + left), (2 * heap + 1, first + 1 - left)]
    assert not place
    return number


def splits_of(run):
    """Return for each inner node, by its heap number, the primary split, its competitors, its surrogates."""
    splits, found = iter(run["splits"] or []), {}
    for line in run["frame"]:  # the splits of a node follow each other, in the order of the frame
        if line["var"] != "<leaf>":
            sizes = 1, line["ncompete"], line["nsurrogate"]
            primary, *others = ([next(splits) for _ in range(size)] for size in sizes)
            found[line["node"]] = primary[0], *others
    return found


def same_node(run, tree, node, i, cost):
    """Compare what both say of a node, whatever it asks."""
    line = run["frame"][i]
    rows, _ = training_parts(tree, node)
    assert len(rows) == line["n"]
    assert cost == pytest.approx(line["dev"] / run["frame"][0]["dev"], **CLOSE)
    if run["method"] == "anova":
        assert tree.value[node, 0] == pytest.approx(line["yval"], **CLOSE)
        return
    label, K = run["yval2"][i][0], len(run["ylevels"])
    assert tree.label[node] + 1 == label == line["yval"]
    assert tree.value[node] == pytest.approx(np.array(run["yval2"][i][1 + K : 1 + 2 * K]), abs=1e-8)


def said_there(run, line):
    """Return the side on which rpart's split sends each name; or the threshold."""
    if line["ncat"] < 2:
        return line["index"]
    sides = run["csplit"][int(line["index"]) - 1]
    levels = run["xlevels"][line["var"]]
    return {value: {1: 0, 3: 1}[side] for value, side in zip(levels, sides, strict=False) if side != 2}


def said_here(split):
    """Return the branch of each name; or the threshold."""
    if isinstance(split, Threshold):
        places = {value: int(i > split.threshold) for i, value in enumerate(split.values)}
        return places or split.threshold
    groups = split.groups if hasattr(split, "groups") else [[value] for value in split.values]
    return {str(value): i for i, group in enumerate(groups) for value in group}


def left_branch(run, split, line):
    """Return which branch of a split is rpart's left son, having compared the questions."""
    ours, theirs = said_here(split), said_there(run, line)
    if isinstance(ours, dict):
        flipped = {value: 1 - side for value, side in theirs.items()}
        assert ours in (theirs, flipped)
        flip = getattr(split, "is_reversed", False)
        return int((ours != theirs) != flip)
    assert ours == pytest.approx(theirs, **CLOSE)
    return int((line["ncat"] == -1) == split.is_reversed)


def same_candidates(run, tree, node, theirs):
    """Compare the question and its competitors: how much they improve, and by which threshold."""
    table = tree.explain(node).set_index("feature")
    # n times the decrease for classes (nats), the share of the node's risk for numbers
    scale = 1 / tree.impurity[node] if run["method"] == "anova" else tree.n[node]
    scale *= np.log(2) if tree.criterion == "entropy" else 1
    improve = table["gain"].fillna(0) * scale
    place, rows = {f.name: i for i, f in enumerate(tree.features)}, training_parts(tree, node)[0]
    for line in theirs:
        name = line["var"]
        assert improve[name] == pytest.approx(line["improve"], **CLOSE)
        assert (tree.training.codes[place[name], rows] >= 0).sum() == line["count"]
        if line["ncat"] < 2:
            assert cut_of(table["split"][name]) == pytest.approx(line["index"], **CLOSE)
    # of equal competitors, rounding may list any first
    best = listed(improve[improve > 1e-9], 1 + run["control"]["maxcompete"])
    assert [line["improve"] for line in theirs] == pytest.approx(best, **CLOSE)


def cut_of(text):
    """Return the threshold of a split, from its text."""
    return float(text.split()[-1].rstrip("?"))


def listed(values, most):
    """Return the largest values as rpart lists them: a list of two forgets both if a better one comes."""
    best = []
    for x in values:
        full = most == 2 == len(best)
        best = [x] if full and x > best[0] else sorted([*best, x], reverse=True)[:most]
    return best


def same_surrogates(run, tree, node, left, theirs):
    places = tree.surrogates.at(node) if tree.surrogates is not None else []
    assert [surrogate_split(tree, int(place)).feature for place in places] == [x["var"] for x in theirs]
    for place, line in zip(places, theirs, strict=True):
        assert tree.surrogates.agreement[place] == pytest.approx(line["improve"], **CLOSE)
        assert tree.surrogates.adjusted[place] == pytest.approx(line["adj"], **CLOSE)
        assert tree.surrogates.rows[place] == line["count"]
        assert left_branch(run, surrogate_split(tree, int(place)), line) == left


def where_trained(tree, number):
    """Return for each training row the place in rpart's frame of the node in which it ended."""
    where = np.zeros(tree.training.codes.shape[1], int)
    for node in range(tree.node_count):  # what is deeper is written later
        where[training_parts(tree, node)[0]] = number[node]
    return where.tolist()
