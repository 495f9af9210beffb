"""J48 on rows with weights: trees of 200 tables drawn at random, pruned in every way, and what they say."""

from functools import cache

import numpy as np
import pandas as pd
import pytest

from dtlib import C45Classifier
from dtlib.export.common import categories_by_branch
from dtlib.prune import ReducedError
from tests.oracles.test_c45_trees import unpacked
from tests.oracles.weka_weights import leaves

RUNS = unpacked("weka_weights")["runs"]
FLAGS = {
    "-U": {"prune": None},
    "-S": {"raising": False},
    "-B": {"group_values": "one_vs_rest"},
    "-A": {"leaf_shares": "laplace"},
}


def table(run, columns):
    """Return columns of a run as a frame, with the names that they declare."""
    declared = run["declared"]
    return pd.DataFrame({
        name: pd.Series(x, dtype=pd.CategoricalDtype(declared[name]) if name in declared else float)
        for name, x in columns.items()
    })  # fmt: skip


def parameters(run):
    """Return our parameters for the options of a run."""
    words = run["options"].split()
    found = {"min_samples_leaf": int(words[words.index("-M") + 1])}
    for word in words:
        found |= FLAGS.get(word, {})
    if "-C" in words:
        found["confidence"] = float(words[words.index("-C") + 1])
    if "-R" in words:
        held = np.setdiff1d(np.arange(len(run["y"])), run["grown"])
        found["prune"] = ReducedError(held, ties="cut")
    return found


@cache
def fitted(number, **otherwise):
    """Return our estimator for a run."""
    run = RUNS[number]
    y = pd.Series(run["y"], dtype=pd.CategoricalDtype(run["classes"]))
    j48 = C45Classifier.j48(**parameters(run) | otherwise)
    return j48.fit(table(run, run["columns"]), y, run["weight"])


def answers(node):
    """Return the answers that lead to the children of a node, as Weka prints them."""
    if not np.isnan(threshold := node.tree.threshold[node.id]):
        return [("<=", threshold), (">", threshold)]
    if not node.tree.grown_by.group_values:
        return [("=", name) for (name,) in categories_by_branch(node.split)]
    one = node.split.groups[0][0]
    return [("=", one), ("!=", one)]


def ours(node, path=()):
    """Return the class weights of each leaf by its path."""
    if node.is_leaf:
        return {path: node.counts.tolist()}
    found = {}
    for answer, child in zip(answers(node), node.children, strict=True):
        found |= ours(child, (*path, (node.feature, *answer)))
    return found


each = pytest.mark.parametrize("number", range(len(RUNS)), ids=[f"{r['seed']} {r['options']}" for r in RUNS])


@each
def test_trees_and_shares(number):
    run, j48 = RUNS[number], fitted(number)
    found, wanted = ours(j48.tree_.root), leaves(run["tree"])
    assert found.keys() == wanted.keys()
    for path, counts in found.items():
        assert counts == pytest.approx(wanted[path], rel=1e-8, abs=1e-6)
    assert j48.classes_.tolist() == run["classes"]
    shares = j48.predict_proba(table(run, run["asked"]))
    np.testing.assert_allclose(shares, run["shares"], rtol=0, atol=1e-6)


def test_the_tables_try_each_rule():
    """If rows did not count, or values of rows held out, some trees would be others."""
    words = [run["options"].split() for run in RUNS]
    for flag in ("-U", "-C", "-S", "-B", "-A", "-R"):
        assert sum(flag in some for some in words) >= 20
    for rule, flag in (({"samples": "weight"}, "-M"), ({"values_of": "grown"}, "-R")):
        some = [i for i, given in enumerate(words) if flag in given][:80]
        assert sum(fitted(i).tree_ != fitted(i, **rule).tree_ for i in some) >= 5
    raised = [i for i, given in enumerate(words) if "-C" in given and "-S" not in given]
    assert sum("largest branch" in " ".join(fitted(i).tree_.steps["done"]) for i in raised) >= 3


def test_branches_without_rows_are_asked_about():
    asked = 0
    for i, run in enumerate(RUNS):
        if "-A" in run["options"]:
            tree = fitted(i).tree_
            asked += not tree.n[tree.apply(tree._matrix(table(run, run["asked"])))].all()
    assert asked >= 5
