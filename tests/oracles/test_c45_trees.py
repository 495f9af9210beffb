"""C4.5's unpruned trees, against Quinlan's Release 8 and Weka's J48: node for node, weight for weight."""

import gzip
import json
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from dtlib import C45Classifier
from dtlib.datasets import load_loan
from dtlib.export.common import categories_by_branch
from dtlib.tree.splits import Subset, Threshold

HERE = Path(__file__).parent
FILES = {"weather-nominal": "weather.nominal", "weather-numeric": "weather.numeric", "loan": "loan_ascii"}


def unpacked(name):
    return json.loads(gzip.decompress((HERE / f"{name}.json.gz").read_bytes()))


def read(name):
    return unpacked(name)["runs"]


GROUPED = unpacked("c45_groups")
RELEASE8, J48 = read("c45_release8"), read("weka_j48")
TRACED = [run for run in RELEASE8 if "trace" in run]


def named(runs):
    return [f"{run['dataset']} {run['options']}" for run in runs]


@cache
def load(dataset):
    """Return the rows of a data set, and their classes: not to be changed."""
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
    return C45Classifier.release8(prune=None, **options[run["options"]], **overrides).fit(X, y).tree_


def j48(run):
    return tree_of_j48(run["dataset"], run["options"])


@cache
def tree_of_j48(dataset, options):
    """Return the rows of a data set, and our tree of J48's options."""
    words = options.split()
    flags = {
        "-U": {"prune": None},
        "-J": {"mdl_correction": False},
        "-O": {"collapse": None},
        "-A": {"leaf_shares": "laplace"},
        "-doNotMakeSplitPointActualValue": {"threshold": "midpoint"},
    }
    parameters = {"min_samples_leaf": int(words[words.index("-M") + 1])}
    for word in words:
        parameters |= flags.get(word, {})
    X, y = load(dataset)
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
                elif isinstance(split, Subset) and len(split.groups[place]) > 1:
                    path.append((split.feature, "in", frozenset(split.groups[place])))
                else:
                    path.append((split.feature, "=", split.branches[place]))
            found[tuple(path)] = (str(leaf.prediction), leaf.n, leaf.n - leaf.counts.max())
    return found


def theirs(node, path=()):
    """Return the same of a recorded tree."""
    if "leaf" in node:
        return {path: (node["leaf"], node["n"], node["errors"])}
    found = {}
    for branch in node["branches"]:
        value = branch["value"] if branch["op"] in ("=", "!=", "in") else float(branch["value"])
        value = frozenset(value.strip("{}").split(",")) if branch["op"] == "in" else value
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


# Groups of values. `c45_groups` holds, for the seven data sets and for rows drawn at random, what Release 8
# grows with -s, with the weights of all nodes, and J48 with -B. In the random rows, names have up to 14
# values, and some are missing.
DRAWN = GROUPED["generated"]


def drawn(run):
    return pd.DataFrame(run["columns"]), pd.Series(run["y"])


def loaded(run):
    return drawn(run) if "columns" in run else load(run["dataset"])


def with_s(run, **overrides):
    """Return the parameters of a run of Release 8 with -s."""
    words = run["options"].split()
    least = int(words[words.index("-m") + 1]) if "-m" in words else 2
    criterion = "gain" if "-g" in words else "gain_ratio"
    parameters = {"group_values": "merge", "min_samples_leaf": least, "criterion": criterion, "prune": None}
    return C45Classifier.release8(**parameters | overrides)


def all_nodes(tree):
    """Return each node by its path: what it asks, and its class weights."""
    found, path = {}, {0: ()}
    for node in tree:
        found[path[node.id]] = node.feature, node.counts.tolist()
        names = [] if node.is_leaf else categories_by_branch(node.split)
        for i, child in enumerate(node.children):
            branch = frozenset(names[i]) if names else ("<=", ">")[i], node.split
            branch = branch[0] if names else (branch[0], float(f"{node.split.threshold:.6g}"))
            path[child.id] = (*path[node.id], (node.feature, branch))
    return found


def recorded_nodes(node, path=()):
    found = {path: (node.get("attr"), node["counts"])}
    for branch, child in node.get("branches", ()):
        key = tuple(branch) if branch[0] in ("<=", ">") else frozenset(branch)
        found |= recorded_nodes(child, (*path, (node["attr"], key)))
    return found


def assert_same_nodes(tree, recorded):
    ours, wanted = all_nodes(tree), recorded_nodes(recorded)
    assert ours.keys() == wanted.keys()
    for path, (feature, counts) in ours.items():
        assert feature == wanted[path][0]
        if any(counts):  # it writes the weights of the node above where no row came
            assert counts == pytest.approx(wanted[path][1], abs=1e-3)  # float32, of up to 435 rows


@pytest.mark.parametrize("run", GROUPED["release8"], ids=named(GROUPED["release8"]))
def test_groups_of_release8(run):
    X, y = load(run["dataset"])
    tree = with_s(run).fit(X, y).tree_
    assert_same_nodes(tree, run["tree"])
    if run["dataset"] != "loan":  # the printed one is in Chinese
        assert_same(tree, run["recorded"], 0.0501)


@pytest.mark.parametrize("run", DRAWN, ids=[f"{run['seed']} {run['options']}" for run in DRAWN])
def test_groups_of_release8_in_random_rows(run):
    tree = with_s(run).fit(*drawn(run)).tree_
    assert_same_nodes(tree, run["release8"])


# Without numbers: among rows in parts, float32 decides how many thresholds are tried, as in TRIES.
NAMES_ONLY = [run for run in DRAWN if "num" not in run["columns"]]


@pytest.mark.parametrize("run", GROUPED["release8"] + NAMES_ONLY)
def test_merging_of_release8(run):
    """Compare each merge, and what the groups gain, at each node before anything is collapsed."""
    X, y = loaded(run)
    tree = with_s(run, collapse=None).fit(X, y).tree_
    explain, compared = cache(tree.explain), 0
    for node in tree:
        if node.is_leaf or any(tree.gain[i] <= 1e-6 for i in (*node.ancestors, node.id)):
            continue
        steps = [
            step
            for step in run["trace"]
            if abs(step["weight"] - node.n) < 0.0501 and step.get("best") == node.feature
        ]
        assert any(is_merged_as(run, explain, node, step) for step in steps), node.path
        compared += 1
    assert compared >= 2


# 1. Of labor, at a node of weight 6.0: the gain 0 of statutory-holidays comes out above 0 in float32, and
#    lowers the average from 0.239 to 0.209, as in ZERO.
ONE_MORE = ("labor", 6.0)
# 2. Two merges of f1 are worth exactly the same, and we take the later one, it the one that comes out larger:
#    at the root of run 214, values of the class weights (1, 2, 2) and (2, 2, 2), or (2, 2, 2) and (2, 2, 1):
#    gain 0.0359, gain ratio 0.0249. At a node of run 223, any two values of the class weights (4, 0, 1).
EQUAL = {(214, 20.0, "f1"), (223, 31.0, "f1")}


def is_merged_as(run, explain, node, step):
    """Tell whether all features are merged at a node as in a recorded step, and gain as much."""
    table = explain(node.id).set_index("feature")
    number, gains = (~table["reason"].isin(NOT_ASKED)).sum(), table["gain"].copy()
    place = {line["att"]: (run.get("seed"), step["weight"], line["att"]) for line in step["atts"]}
    for line in step["atts"]:
        if place[line["att"]] in EQUAL:
            gains[line["att"]] = line["gain"]
    number += (run.get("dataset"), step["weight"]) == ONE_MORE
    average = gains[~table["reason"].isin(NOT_ASKED)].sum() / number
    line = next(line for line in step["atts"] if line["att"] == node.feature)
    known = [*table.loc[node.feature, ["gain", "split_information"]], average]
    if known != pytest.approx([line["gain"], line["split_info"], step["avg_gain"]], abs=6e-4):
        return False
    final = [line for line in step["atts"] if "final" in line]
    return all(is_merged(explain(node.id, line["att"]), node, line, place[line["att"]]) for line in final)


def is_merged(table, node, line, place):
    """Tell whether a feature is merged at a node as in a recorded line, and gains as much."""
    wanted = np.reshape([[m["gain"], m["split_info"], m["ratio"]] for m in line.get("merged", ())], (-1, 3))
    ours = table[["gain", "split_information", "gain_ratio"]].to_numpy(float, copy=True)[1:]
    if node.tree.grown_by.choose_by == "gain":
        ours[:, 2] = ours[:, 0]
    if place in EQUAL:
        return np.allclose(ours[0, 0], wanted[0, 0], rtol=0, atol=6e-4)
    same = len(ours) == len(wanted) and np.allclose(ours, wanted, rtol=0, atol=6e-4)
    refused = table["reason"].iloc[-1] in NOT_ASKED
    return same and (refused or abs(table["gain"].iloc[-1] - line["gain"]) <= 6e-4)


def binary(run):
    """Return our tree of a run of J48 with -B."""
    words = run["options"].split()
    least = int(words[words.index("-M") + 1])
    parameters = {"min_samples_leaf": least, "group_values": "one_vs_rest", "prune": None}
    X, y = loaded(run)
    X = X if "-U" in words else declared(X)
    return C45Classifier.j48(**parameters).fit(X, y).tree_


def declared(X):
    """Return a frame whose names come in the order in which they appear, as in the file that Weka read."""
    return X.apply(
        lambda x: x if x.dtype.kind in "if" else x.astype(pd.CategoricalDtype(x.dropna().unique()))
    )


def sides(node, first):
    """Return the nodes below ours, in the order of a recorded node; None if that asks something else.

    Of two values, it may be either that is written first.
    """
    if first["op"] == "<=":
        same = np.isclose(node.tree.threshold[node.id], float(first["value"]))
        return node.children if same else None
    names = categories_by_branch(node.split)
    if (first["value"],) not in names:
        return None
    return node.children if names[0] == (first["value"],) else node.children[::-1]


# Pruning replaces the question for the temperature by the one below it, and sends all rows there.
RAISED = {("weather-nominal", "-C 0.25 -M 2 -B"): ("temperature", "humidity")}


def assert_top_part(node, recorded, rest, raised=()):
    """Assert that a recorded tree is ours, or what pruning leaves of it; if `rest` is False, all of it."""
    if (node.feature, recorded.get("attr")) == raised:
        assert [child.feature for child in node.children] == [None, recorded["attr"]]
        return
    if "leaf" in recorded:
        assert node.n == pytest.approx(recorded["n"], abs=0.00501)
        assert node.is_leaf or rest
        return
    assert node.feature == recorded["attr"]
    below = sides(node, recorded["branches"][0])
    assert below is not None
    for child, branch in zip(below, recorded["branches"], strict=True):
        assert_top_part(child, branch["child"], rest, raised)


def minimum(run):
    """Return the options of J48 that a run of Release 8 is compared with."""
    words = run["options"].split()
    return f"-U -M {words[words.index('-m') + 1] if '-m' in words else 2} -B"


BINARY = GROUPED["j48"]
BINARY += [run | {"tree": run["j48"], "options": minimum(run)} for run in DRAWN if "j48" in run]


@pytest.mark.parametrize("run", BINARY)
def test_binary_trees_of_j48(run):
    """Those with -U are the whole tree; of the others, pruning leaves a part."""
    tree = binary(run)
    raised = RAISED.get((run.get("dataset"), run["options"]), ())
    assert_top_part(tree.root, run["tree"], "-U" not in run["options"], raised)
