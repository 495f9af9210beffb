"""Pessimistic pruning, against C4.5 Release 8 and Weka's J48: bounds, every decision, every pruned tree."""

import re
from functools import cache

import numpy as np
import pandas as pd
import pytest

from dtlib import C45Classifier
from dtlib.datasets import load_loan
from dtlib.export.common import categories_by_branch
from dtlib.prune import added_errors
from tests.oracles.test_c45_trees import load, named, nodes_of, theirs, unpacked

ADDED = unpacked("adderrs")["runs"]
RELEASE8, J48 = unpacked("c45_pruned")["runs"], unpacked("weka_j48_pruned")["runs"]
DRAWN = unpacked("weka_j48_drawn")["runs"]
# Of equal branches the last one counts as the largest, so the order in which the files declare names matters.
ORDERS = {
    "weather": ["sunny overcast rainy", "hot mild cool", "high normal", "TRUE FALSE"],
    "contact": ["young pre-presbyopic presbyopic", "myope hypermetrope", "no yes", "reduced normal"],
    "labor": [
        "none tcf tc", "none ret_allw empl_contr", "yes no", "below_average average generous",
        "none half full",
    ],
    "vote": ["n y"], "loan": [], "iris": [],
}  # fmt: skip


def declared(dataset):
    """Return the rows of a data set, their names in the order of its file."""
    rows, y = load(dataset)
    X = rows.copy()
    for name in X.select_dtypes(exclude="number"):
        for order in map(str.split, ORDERS[dataset.split("-")[0]]):
            if set(X[name].dropna()) <= set(order):
                X[name] = X[name].astype(pd.CategoricalDtype(order))
                break
    return X, y


def test_all_added_errors():
    """Those of Release 8 are float32 numbers, and differ by as much as e + added is rounded."""
    assert len(ADDED) == 830
    for run in ADDED:
        e, n, confidence = run["e"], run["N"], run["CF"]
        assert added_errors(e, n, confidence, "normal") == pytest.approx(run["weka"], abs=1e-12)
        assert added_errors(e, n, confidence, "release8") == pytest.approx(run["c45r8"], abs=2.5e-7 * (n + 1))


def release8(run):
    """Return our estimator for a run of Release 8, and its data."""
    return of_release8(run["dataset"], run["options"])


@cache
def of_release8(dataset, how):
    """Return our estimator for some options of Release 8, and its data; the loans were in Chinese."""
    options = {
        "default": {},
        "m1": {"min_samples_leaf": 1},
        "m5": {"min_samples_leaf": 5},
        "c10": {"confidence": 0.1},
        "c50": {"confidence": 0.5},
        "gain": {"criterion": "gain"},
        "subset": {"group_values": "merge"},
    }
    loan = load_loan().in_chinese()
    X, y = (loan.X, loan.y) if dataset == "loan" else declared(dataset)
    return C45Classifier.release8(**options[how]).fit(X, y), X, y


# Once a question has excluded names, Release 8 takes away the branches of these names below. It prints no
# tree then, but counts one node less than before.
EXCLUDED = {("weather-numeric", "subset"): 1}


def estimated(errors, n, run):
    """Return the pessimistic estimate of the errors of leaves, as Release 8 prints it for a pruned tree."""
    confidence = {"c10": 0.1, "c50": 0.5}.get(run["options"], 0.25)
    return errors + added_errors(errors, n, confidence, "release8")


@pytest.mark.parametrize("run", RELEASE8, ids=named(RELEASE8))
def test_pruned_trees_of_release8(run):
    """Without a pruned tree in the record, nothing was pruned."""
    tree, at = release8(run)[0].tree_, (run["dataset"], run["options"])
    ours, wanted = nodes_of(tree), theirs(run.get("pruned", run["unpruned"]))
    assert ours.keys() == wanted.keys()
    for path, (label, n, errors) in ours.items():
        errors = estimated(errors, n, run) if "pruned" in run else errors
        assert label == wanted[path][0]
        assert [n, errors] == pytest.approx(wanted[path][1:], abs=0.0501)
    size = run["evaluation"][0]
    assert tree.node_count - EXCLUDED.get(at, 0) == size["size_after"]


@pytest.mark.parametrize("run", RELEASE8, ids=named(RELEASE8))
def test_errors_and_estimates_of_release8(run):
    """It classifies the training rows, and prints the estimate as a share of them."""
    c45, X, y = release8(run)
    found, size = c45.tree_, run["evaluation"][0]
    assert (c45.predict(X) != y).sum() == size["errors_after"]
    assert (found.pruned_from.node_count, len(X)) == (size["size_before"], size["items"])
    leaf = found.feature < 0
    wrong = (found.n - found.counts.max(1))[leaf]
    estimate = 100 * estimated(wrong, found.n[leaf], run).sum() / found.n[0]
    assert estimate == pytest.approx(size["estimate_pct"], abs=0.0501)


TRACED = re.compile(r"N=([\d.]+)  tree=([\d.]+)  leaf=([\d.]+)\+([\d.]+) .*br\[(\d+)\]=([\d.]+)\]")


@pytest.mark.parametrize("run", RELEASE8, ids=named(RELEASE8))
def test_decisions_of_release8(run):
    """Compare all that it looks at and does, in order; it prints two decimals."""
    tree, wanted = release8(run)[0].tree_, []
    for line in run["prune_trace"]:
        if found := TRACED.search(line):
            wanted.append([*map(float, found.groups()), "kept"])
        elif "Replaced with" in line:
            leaf = "leaf" in line.split("Replaced with ")[1].split()[0]
            wanted[-1][-1] = "replaced by a leaf" if leaf else "replaced by its largest branch"
    steps = tree.steps
    assert steps["done"].tolist() == [line[-1] for line in wanted]
    ours = steps[["n", "subtree", "errors", "added", "branch"]].to_numpy(float)
    np.testing.assert_allclose(ours, [[*line[:4], line[5]] for line in wanted], rtol=0, atol=0.00501)
    place = steps["largest"] - tree.pruned_from.first_child[steps["node"]] + 1
    if run["options"] != "subset" and not steps["done"].str.contains("branch").any():  # else numbers shift
        assert place.tolist() == [line[4] for line in wanted]


def j48(run, X, y):
    words = run["options"].split()
    flags = {
        "-U": {"prune": None},
        "-S": {"raising": False},
        "-B": {"group_values": "one_vs_rest"},
        "-J": {"mdl_correction": False},
        "-O": {"collapse": None},
        "-A": {"leaf_shares": "laplace"},
        "-doNotMakeSplitPointActualValue": {"threshold": "midpoint"},
    }
    parameters = {"min_samples_leaf": int(words[words.index("-M") + 1])}
    for word in words:
        parameters |= flags.get(word, {})
    if "-C" in words:
        parameters["confidence"] = float(words[words.index("-C") + 1])
    return C45Classifier.j48(**parameters).fit(X, y)


def nodes(node):
    """Return each leaf below one of ours by its path, as Weka prints it: class, weight, errors."""
    if node.is_leaf:
        return {(): (str(node.prediction), node.n, node.n - node.counts.max())}
    if np.isnan(node.tree.threshold[node.id]):
        names = categories_by_branch(node.split)
        signs = [("=", group[0]) for group in names]
        if max(map(len, names)) > 1:
            one = min(names, key=len)[0]
            signs = [("=" if group == (one,) else "!=", one) for group in names]
    else:
        signs = [(sign, float(f"{node.split.threshold:.6g}")) for sign in ("<=", ">")]
    found = {}
    for sign, child in zip(signs, node.children, strict=True):
        found |= {((node.feature, *sign), *path): leaf for path, leaf in nodes(child).items()}
    return found


def recorded(node, binary):
    """Return the same of a recorded tree; of two names, the second is all but the first."""
    if "leaf" in node:
        return {(): (node["leaf"], node["n"], node["errors"])}
    found = {}
    for branch in node["branches"]:
        value = branch["value"] if branch["op"] in ("=", "!=") else float(branch["value"])
        key = node["attr"], branch["op"], value
        found |= {(key, *path): leaf for path, leaf in recorded(branch["child"], binary).items()}
    return found


def names_of_two(leaves, X):
    """Return the leaves with "is not the one" said as "is the other" where a column has two names."""
    other = {}
    for name in X.select_dtypes(exclude="number"):
        values = [str(x) for x in pd.unique(X[name].dropna())]
        if len(values) == 2:
            other |= {(name, "!=", values[0]): (name, "=", values[1])}
            other |= {(name, "!=", values[1]): (name, "=", values[0])}
    return {tuple(other.get(key, key) for key in path): leaf for path, leaf in leaves.items()}


def assert_as_printed(tree, run, X):
    """Compare all leaves; Weka prints two decimals."""
    ours = names_of_two(nodes(tree.root), X)
    wanted = names_of_two(recorded(run["tree"], "-B" in run["options"]), X)
    assert ours.keys() == wanted.keys()
    for path, (label, *weights) in ours.items():
        assert label == wanted[path][0]
        assert weights == pytest.approx(wanted[path][1:], abs=0.00501)


@pytest.mark.parametrize("run", J48, ids=named(J48))
def test_trees_and_distributions_of_j48(run):
    X, y = declared(run["dataset"])
    c45 = j48(run, X, y)
    assert c45.tree_.node_count == run["measureTreeSize"]
    assert c45.tree_.n_leaves == run["measureNumLeaves"]
    order = [list(c45.classes_).index(label) for label in run["classes"]]
    np.testing.assert_allclose(c45.predict_proba(X)[:, order], run["dist"], atol=1e-6)
    if "tree" in run:
        assert_as_printed(c45.tree_, run, X)


@cache
def drawn(number):
    """Return random rows that J48 was given, and our tree."""
    run = DRAWN[number]
    X, y = pd.DataFrame(run["columns"]), pd.Series(run["y"])
    return X, j48(run, X, y).tree_


@pytest.mark.parametrize(
    "number", range(len(DRAWN)), ids=[f"{run['seed']} {run['options']}" for run in DRAWN]
)
def test_trees_of_j48_in_random_rows(number):
    run, (X, tree) = DRAWN[number], drawn(number)
    assert tree.node_count == run["size"]
    assert_as_printed(tree, run, X)


def test_random_rows_try_everything():
    """Some trees are raised, of rows in parts too, and some are replaced by leaves."""
    done, in_parts = set(), 0
    for X, tree in map(drawn, range(len(DRAWN))):
        steps = tree.steps
        done |= set(steps["done"])
        raised = steps["done"].str.contains("branch").any() if len(steps) else False
        in_parts += raised and X.isna().any(axis=None)
    assert len(done) == 3
    assert in_parts >= 3
