"""C4.5's unpruned trees, against Quinlan's Release 8 and Weka's J48: node for node, weight for weight."""

import gzip
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from dtlib import C45Classifier, load_loan
from dtlib.splits import Threshold

HERE = Path(__file__).parent
FILES = {"weather-nominal": "weather.nominal", "weather-numeric": "weather.numeric", "loan": "loan_ascii"}


def read(name):
    return json.loads(gzip.decompress((HERE / f"{name}.json.gz").read_bytes()))["runs"]


RELEASE8, J48 = read("c45_release8"), read("weka_j48")
TRACED = [run for run in RELEASE8 if "trace" in run]


def named(runs):
    return [f"{run['dataset']} {run['options']}" for run in runs]


def load(dataset):
    path = HERE / "data" / f"{FILES.get(dataset, dataset)}.csv"
    frame = pd.read_csv(path, na_values="?", keep_default_na=False, dtype={"windy": str})
    return frame.iloc[:, :-1], frame.iloc[:, -1]


def release8(run, **overrides):
    """Return our tree of a run of Release 8; the loans were in Chinese."""
    options = {
        "default": {},
        "m1": {"min_samples_leaf": 1},
        "m5": {"min_samples_leaf": 5},
        "gain": {"criterion": "gain"},
    }
    if run["dataset"] == "loan":
        data = load_loan().in_chinese()
        X, y = data.X, data.y
    else:
        X, y = load(run["dataset"])
    return C45Classifier.release8(**options[run["options"]], **overrides).fit(X, y).tree_


def j48(run):
    words = run["options"].split()
    flags = {
        "-J": {"charge": False},
        "-O": {"collapse": None},
        "-A": {"laplace": True},
        "-doNotMakeSplitPointActualValue": {"threshold": "midpoint"},
    }
    parameters = {"min_samples_leaf": int(words[words.index("-M") + 1])}
    for word in words:
        parameters |= flags.get(word, {})
    X, y = load(run["dataset"])
    return X, C45Classifier.j48(**parameters).fit(X, y)


def nodes_of(tree):
    """Return each leaf by its path: class, weight, errors."""
    found = {}
    for leaf in tree:
        if leaf.is_leaf:
            path = []
            for i in (*leaf.ancestors, leaf.id)[1:]:
                node = tree[i]
                split = node.parent.split
                place = node.id - node.parent.children[0].id
                if isinstance(split, Threshold):
                    path.append((split.feature, ("<=", ">")[place], float(f"{split.threshold:.6g}")))
                else:
                    path.append((split.feature, "=", str(split.values[place])))
            found[tuple(path)] = (str(leaf.prediction), leaf.n, leaf.n - leaf.counts.max())
    return found


def theirs(node, path=()):
    """Return the same of a recorded tree."""
    if "leaf" in node:
        return {path: (node["leaf"], node["n"], node["errors"])}
    found = {}
    for branch in node["branches"]:
        value = branch["value"] if branch["op"] == "=" else float(branch["value"])
        found |= theirs(branch["child"], (*path, (node["attr"], branch["op"], value)))
    return found


def assert_same(tree, recorded, tolerance):
    ours, wanted = nodes_of(tree), theirs(recorded)
    assert ours.keys() == wanted.keys()
    for path, (label, *weights) in ours.items():
        assert label == wanted[path][0]
        assert weights == pytest.approx(wanted[path][1:], abs=tolerance)


@pytest.mark.parametrize("run", RELEASE8, ids=named(RELEASE8))
def test_trees_of_release8(run):
    assert_same(release8(run), run["unpruned"], 0.0501)  # printed with one decimal


@pytest.mark.parametrize("run", J48, ids=named(J48))
def test_trees_of_j48(run):
    _, c45 = j48(run)
    assert c45.tree_.node_count == run["measureTreeSize"]
    assert_same(c45.tree_, run["tree"], 0.00501)  # printed with two decimals


@pytest.mark.parametrize("run", J48, ids=named(J48))
def test_class_distributions_of_j48(run):
    X, c45 = j48(run)
    order = [list(c45.classes_).index(label) for label in run["classes"]]
    np.testing.assert_allclose(c45.predict_proba(X)[:, order], run["dist"], atol=1e-6)


# Where Release 8's float32 decides, at nodes of fractional weights; the tree is the same in all of these.
# 1. It adds weights in the order in which it holds the rows. Where a threshold leaves exactly the minimum on
#    one side, the last digit decides whether it is tried: we try 4, it tries 5; we try 9, it tries 8. The
#    charge is log2 of that number by the weight of the node.
TRIES = {
    ("labor", "m1", 37, "standby-pay"): (4, 5),
    ("labor", "gain", 33, "wage-increase-second-year"): (9, 8),
}
# 2. The only threshold of a number gains 0, which comes out a little above 0, so that the number is a
#    candidate and lowers the average, from 0.261 to 0.218 at the first of these nodes.
ZERO = {("labor", *place, "statutory-holidays") for place in (("default", 9), ("m1", 9), ("gain", 11))}
SETTLED = ("pure", "empty branch", "less than min_samples_split")
NOT_ASKED = ("no gain", "no split leaves min_samples_leaf", "no known value", "asked above")


@pytest.mark.parametrize("run", TRACED, ids=named(TRACED))
def test_gains_of_release8(run):
    """Compare gain, split information and average at each node before anything is collapsed.

    Its trace does not say at which node it is: for each of our nodes there is a step with the same weight,
    the same choice and the same candidates. Where nothing gains anything, rounding chooses, so that node and
    those below are not compared.
    """
    tree = release8(run, collapse=None)
    compared = 0
    for node in tree:
        if node.reason in SETTLED or any(tree.gain[i] <= 1e-6 for i in node.ancestors):
            continue
        table = tree.explain(node.id).set_index("feature")
        asked = ~table["reason"].isin(NOT_ASKED)
        if not asked.any() or table.loc[asked, "gain"].max() > 1e-6:
            assert any(is_same(node, table, step, run) for step in run["trace"] if "atts" in step), node.path
            compared += 1
    assert compared >= (20 if run["dataset"] == "vote" else 2)


def is_same(node, table, step, run):
    """Tell whether a node has the weight, the choice and the candidates of a recorded step."""
    place = run["dataset"], run["options"], step["items"]
    if abs(node.n - step["weight"]) > 0.0501 or node.feature != step.get("best", {}).get("att"):
        return False
    gains = table["gain"].copy()
    for line in step["atts"]:
        name, row = line["att"], table.loc[line["att"]]
        if (*place, name) in TRIES:
            ours, others = TRIES[*place, name]
            gains[name] += (np.log2(ours) - np.log2(others)) / node.n
        is_zero = (*place, name) in ZERO and abs(gains[name]) < 1e-9
        refused = row["reason"] in NOT_ASKED and not is_zero
        if refused != ("none" in line or line["gain"] == -0.001):
            return False
        known = [gains[name], row["split_information"]]
        if not refused and known != pytest.approx([line["gain"], line["split_info"]], abs=6e-4):
            return False
    if "avg_gain" not in step:
        return True
    zeros = [name for name in table.index if (*place, name) in ZERO]
    counted = ~table["reason"].isin(NOT_ASKED) | table.index.isin(zeros)
    return gains[counted].mean() == pytest.approx(step["avg_gain"], abs=6e-4)
