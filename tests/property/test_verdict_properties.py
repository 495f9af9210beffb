"""Why a candidate was not chosen and a node was cut, found once more; drawn so that much is equal."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pandas as pd
import pytest

from dtlib import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier, Tree
from dtlib.dialects import C45Dialect
from dtlib.growing.training_rows import training_parts
from dtlib.prune import added_errors, pessimistic
from tests.drawn import seeds
from tests.private import subclass_with

EQUAL = 1e-9
FIRST = (
    "pure",
    "empty branch",
    "less than min_samples_split",
    "max_depth reached",
)  # before any feature is seen
MODELS = {
    "ID3": ID3Classifier,
    "CART": CARTClassifier,
    "CART of three rows": lambda: CARTClassifier(min_samples_leaf=3),
    "CART, entropy": lambda: CARTClassifier(criterion="entropy", max_depth=2),
    "means": lambda: CARTRegressor(max_depth=2),
    "medians": lambda: CARTRegressor(criterion="absolute_error", max_depth=2),
}


def drawn(seed: int) -> tuple[pd.DataFrame, np.ndarray]:
    """Draw few rows of names; one column is there twice, one has a single value."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 14))
    X = pd.DataFrame({name: rng.choice(list("pqr")[: 2 + k % 2], n) for k, name in enumerate("abc")})
    X["again"] = X[str(rng.choice(list("abc")))]
    X["one"] = "same"
    return X, rng.integers(0, 2, n)


def scored_wanted(tree: Tree, node: int, lines: list[dict[str, Any]], least: int) -> list[str]:
    """Return the verdict on each feature of a node where names or numbers are asked by their gain."""
    here, above = tree[node], {tree[i].feature for i in tree[node].ancestors}
    (best,) = [line["gain"] for line in lines if line["chosen"]] or [np.nan]
    found = []
    for line in lines:
        splits = line["gain"] == line["gain"] and line["split_information"] > 0
        if here.reason in ("pure", "empty branch"):
            found.append(here.reason)
        elif line["chosen"]:
            found.append("largest gain")
        elif not splits and line["feature"] in above and tree.grown_by.nominal == "multiway":
            found.append("asked above")
        elif not splits:
            found.append("no split leaves min_samples_leaf" if least > 1 else "one value only")
        elif here.is_leaf:
            found.append(here.reason)
        elif abs(line["gain"] - best) <= EQUAL:
            found.append("equal gain, but a later column")
        else:
            assert line["gain"] < best
            found.append("smaller gain")
    return found


@pytest.mark.long
@pytest.mark.parametrize("kind", MODELS)
def test_verdicts_on_what_is_asked_by_its_gain(kind: str) -> None:
    told: Counter[str] = Counter()
    for seed in seeds(12):
        X, y = drawn(seed)
        model = MODELS[kind]()
        tree = model.fit(X, y * 1.5 if "m" in kind[:1] else y).tree_
        for node in range(tree.node_count):
            lines = tree.explain(node).to_dict("records")
            least = 3 if "three" in kind else 1
            assert [line["reason"] for line in lines] == scored_wanted(tree, node, lines, least)
            told.update(line["reason"] for line in lines)
            place = [line["feature"] for line in lines]
            for i, line in enumerate(lines):
                later = line["reason"] == "equal gain, but a later column"
                assert not later or i > place.index(tree[node].feature)
    assert told["equal gain, but a later column"] > 3
    assert told["smaller gain"] > 3


def parts_it(X: pd.DataFrame, tree: Tree, node: int, name: str, least: float) -> bool:
    """Tell whether a feature has two values with enough rows at a node."""
    rows, _ = training_parts(tree, node)
    return bool((X[name].iloc[rows].value_counts() >= max(least, 1)).sum() > 1)


def ratio_wanted(
    X: pd.DataFrame, tree: Tree, node: int, lines: list[dict[str, Any]], settings: dict[str, Any]
) -> list[str]:
    """Return the verdict on each feature of a node of C4.5."""
    least = settings.get("min_samples_leaf", 0)
    here, above = tree[node], {tree[i].feature for i in tree[node].ancestors}
    by_ratio, dialect = settings.get("criterion") != "gain", settings.get("dialect", C45Dialect())
    worth = "gain_ratio" if by_ratio else "gain"
    (best,) = [line[worth] for line in lines if line["chosen"]] or [np.nan]
    found = []
    for line in lines:
        splits = parts_it(X, tree, node, line["feature"], least)
        if here.is_leaf and here.reason in FIRST:
            found.append(here.reason)
        elif line["chosen"]:
            found.append("largest gain ratio" if by_ratio else "largest gain")
        elif not splits:
            last = "no split leaves min_samples_leaf" if least else "one value only"
            found.append("asked above" if line["feature"] in above else last)
        elif by_ratio and line["gain"] < line["average_gain"] - dialect.average_slack - EQUAL:
            found.append("gain below the average")
        elif line["split_information"] <= dialect.min_split_information:
            found.append("too little split information")
        elif here.is_leaf:
            found.append(here.reason)
        elif abs(line[worth] - best) <= EQUAL:
            found.append(f"equal {'gain ratio' if by_ratio else 'gain'}, but a later column")
        else:
            assert line[worth] < best
            found.append("smaller gain ratio" if by_ratio else "smaller gain")
    return found


@pytest.mark.long
@pytest.mark.parametrize(
    "settings",
    [
        {"max_depth": 2},
        {"max_depth": 2, "criterion": "gain"},
        {"min_samples_leaf": 2},
        {"max_depth": 1, "dialect": subclass_with(C45Dialect, average_slack=0.05)()},
        {"max_depth": 2, "dialect": subclass_with(C45Dialect, min_split_information=0.8)()},
        {"max_depth": 2, "dialect": C45Dialect(threshold_by="gain_ratio")},
    ],
    ids=str,
)
def test_verdicts_on_what_is_asked_by_its_ratio(settings: dict[str, Any]) -> None:
    told: Counter[str] = Counter()
    for seed in seeds(16):
        X, y = drawn(seed)
        tree = C45Classifier(prune=None, **settings).fit(X, y).tree_
        for node in range(tree.node_count):
            lines = tree.explain(node).to_dict("records")
            assert [line["reason"] for line in lines] == ratio_wanted(X, tree, node, lines, settings)
            told.update(line["reason"] for line in lines)
    assert sum(n for words, n in told.items() if words.startswith("equal")) > 3
    assert sum(n for words, n in told.items() if words.startswith("smaller")) > 3


def cut_by_hand(tree: Tree, confidence: float, slack: float) -> tuple[set[int], dict[int, float]]:
    """Return the nodes that become leaves, and the errors of each node and what is left below it."""
    cut, cost = set(), {}
    for node in range(tree.node_count - 1, -1, -1):
        n, right = float(tree.counts[node].sum()), float(tree.counts[node].max())
        leaf = n - right + float(added_errors(n - right, n, confidence)) if n else 0.0
        if tree[node].is_leaf:
            cost[node] = leaf
            continue
        below = sum(cost[kid.id] for kid in tree[node].children)
        if leaf <= below + slack:
            cut.add(node)
        cost[node] = leaf if node in cut else below
    return cut, cost


@pytest.mark.parametrize("seed", seeds(20))
def test_a_node_becomes_a_leaf_where_that_is_no_worse_by_more_than_the_slack(seed: int) -> None:
    X, y = drawn(seed)
    tree = CARTClassifier().fit(X, y).tree_
    for confidence, slack in ((0.25, 0.1), (0.5, 0.0), (0.05, 0.1), (0.25, 1.0)):
        cut, cost = cut_by_hand(tree, confidence, slack)
        small = pessimistic(tree, confidence, raising=False, slack=slack)
        steps = small.steps.set_index("node")
        assert {node for node in steps.index if steps.loc[node, "cut"]} == cut
        left = [node for node in range(tree.node_count) if not {*tree[node].ancestors} & cut]
        assert small.node_count == len(left)
        for place, node in enumerate(left):
            assert small.n[place] == tree.n[node]
            assert small[place].is_leaf == (tree[node].is_leaf or node in cut)
            assert (small.reason[place] == "no fewer estimated errors below") == (node in cut)
        for node, step in steps.iterrows():
            assert step["subtree"] == pytest.approx(sum(cost[kid.id] for kid in tree[node].children))
            assert step["leaf"] == pytest.approx(step["errors"] + step["added"])
            assert step["done"] == ("replaced by a leaf" if node in cut else "kept")


def test_errors_that_are_more_by_just_the_slack_are_no_more() -> None:
    tried = 0
    for seed in seeds(20):
        X, y = drawn(seed)
        tree = CARTClassifier(max_depth=1).fit(X, y).tree_
        if tree.node_count == 1:
            continue
        (step,) = pessimistic(tree, raising=False).steps.to_dict("records")
        apart = step["leaf"] - step["subtree"]
        if apart > 1e-3:
            tried += 1
            assert pessimistic(tree, raising=False, slack=apart).n_leaves == 1
            assert pessimistic(tree, raising=False, slack=apart - 1e-4).n_leaves == 2
    assert tried
