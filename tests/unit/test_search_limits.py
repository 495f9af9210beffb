"""The search at its limits: the least weight of a branch, names of one row, and how many are all tried."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from dtlib import CARTClassifier, CARTRegressor, ID3Classifier, measures
from dtlib.counting.targets import CLASSIFY, in_whole_numbers
from dtlib.search.by_table import EXHAUSTIVE
from dtlib.search.rules import BySurrogates, Rules
from dtlib.table.ranks import COUNTED

MANY = np.arange(COUNTED + 44) / 8  # more numbers than are counted


@pytest.mark.parametrize("x", [MANY, np.minimum(np.arange(300), 9.0), np.arange(300) >= 1.0])
@pytest.mark.parametrize("least", [0.25, 0.5, 1.0, 1.5])
@pytest.mark.parametrize("kind", [CARTClassifier, CARTRegressor])
def test_a_cut_leaves_each_side_the_least_weight(x, least, kind):
    """The first row is alone in its class; rows weigh 1/2 and 1/4 by turns."""
    y, weight = (np.arange(300) == 0).astype(int), np.where(np.arange(300) % 2, 0.25, 0.5)
    dense = weight.sum()
    tree = (
        kind(min_weight_fraction_leaf=least / dense, max_depth=1)
        .fit(x[:, None].astype(float), y, weight)
        .tree_
    )
    before = np.cumsum(weight)[np.flatnonzero(np.diff(x.astype(float)))]  # the weight below each cut
    possible = before[(before >= least) & (dense - before >= least)]
    assert tree.node_count == (3 if len(possible) else 1)
    if len(possible):
        assert tree.n[1] == pytest.approx(possible[0])


def every_group(names):
    """Yield each way to put names into two groups, the first name in the first one."""
    first, *others = names
    for size in range(len(others)):
        for more in combinations(others, size):
            yield {first, *more}


@pytest.mark.parametrize("criterion", ["gini", "entropy", "error"])
@pytest.mark.parametrize("names", [3, 5, EXHAUSTIVE])
@pytest.mark.parametrize("classes", [2, 3])
def test_of_up_to_ten_names_all_groups_are_tried(criterion, names, classes):
    """Some names have one row; the gain is that of the best group of all, by the formula."""
    rng = np.random.default_rng(names)
    x = np.concatenate([np.arange(names), rng.integers(0, names // 2, 2 * names)])
    y = rng.integers(0, classes, len(x))
    X = pd.DataFrame({"x": np.array(list("abcdefghij"))[x]})
    tree = CARTClassifier(criterion=criterion, max_depth=1).fit(X, y).tree_
    table = np.zeros((names, classes))
    np.add.at(table, (x, y), 1)
    gains = {
        frozenset(group): measures.impurity_decrease(
            np.stack([table[list(group)].sum(axis=0), np.delete(table, list(group), axis=0).sum(axis=0)]),
            CLASSIFY[criterion],
        )
        for group in every_group(range(names))
    }
    assert tree.gain[0] == pytest.approx(max(gains.values()), abs=1e-12)
    if tree.node_count > 1:
        group = frozenset("abcdefghij".index(name) for name in tree.root.split.groups[0])
        assert gains[group] == pytest.approx(tree.gain[0], abs=1e-12)


@pytest.mark.parametrize("nominal", ["one_vs_rest", "subset"])
def test_one_name_and_the_rest(nominal):
    x, y = list("abbcccdddd"), [1.0, 3, 5, 9, 9, 6, 2, 2, 2, 7]
    tree = CARTRegressor(nominal=nominal, max_depth=1).fit(pd.DataFrame({"x": x}), y).tree_
    sums = {}
    for group in every_group("abcd") if nominal == "subset" else [{name} for name in "abcd"]:
        sides = [
            np.array([v for name, v in zip(x, y, strict=True) if (name in group) is side])
            for side in (True, False)
        ]
        sums[frozenset(group)] = sum(len(side) * side.var() for side in sides)
    best = min(sums, key=sums.get)
    assert tree.gain[0] == pytest.approx(np.var(y) - sums[best] / 10)
    assert best in [frozenset(group) for group in tree.root.split.groups]


def test_a_name_that_is_alone_is_no_question():
    X = pd.DataFrame({"a": list("uuuu"), "b": list("pqpq")})
    assert ID3Classifier().fit(X[["a"]], list("nyny")).tree_.reason == ("no feature left",)
    tree = ID3Classifier().fit(X, list("nyny")).tree_
    assert tree.root.feature == "b"


@pytest.mark.parametrize(
    ("x", "whole", "shift"),
    [
        ([2.0**52 - 2, 1.0], [2**52 - 2, 1], 0),
        ([2.0**51, 2.0**51], [2**50, 2**50], -1),  # sums stay below 2**52
        ([2.0**51, -(2.0**51)], [2**50, -(2**50)], -1),
        ([0.5, 0.5], [2**50, 2**50], 51),
        ([0.5, 0.25], [2**51, 2**50], 52),
        ([0.0, 0.0], [0, 0], 0),
    ],
)
def test_numbers_are_multiples_of_the_finest_unit_that_their_sum_allows(x, whole, shift):
    found, by = in_whole_numbers(np.array(x))
    assert (found.tolist(), by) == (whole, shift)


@pytest.mark.parametrize(
    ("small", "reasons"),
    [(2.0**-399, ["", "", "pure", "pure", "pure"]), (2.0**-400, ["", "no gain", "pure"]),
     (1e-160, ["", "no gain", "pure"])],
)  # fmt: skip
def test_numbers_are_told_apart_down_to_the_finest_unit(small, reasons):
    """The last one is so small that what a split may gain, and what counts as none, are 0 both."""
    tree = CARTRegressor().fit([[0.0], [1.0], [2.0]], [0.0, small, 1.0]).tree_
    assert list(tree.reason) == reasons


@pytest.mark.parametrize(
    ("beyond", "local"),
    [({}, True), ({"min_decrease": 0.1}, False), ({"max_features": 1}, False), ({"missing": "stay"}, True),
     ({"missing": "majority"}, True), ({"missing": "fractional"}, False), ({"missing": "surrogate"}, False),
     ({"surrogates": BySurrogates()}, False), ({"ties": object()}, False)],
)  # fmt: skip
def test_which_rules_look_beyond_a_node(beyond, local):
    """Trees whose nodes do not are grown together."""
    assert Rules(**beyond).is_local is local


@pytest.mark.parametrize("kind", [CARTClassifier, CARTRegressor])
def test_a_weight_that_is_too_small_by_a_little_is_too_small(kind):
    X, y = np.array([[0.0], [1.0]]), [0, 1]
    for short, nodes in ((0.0, 3), (1e-15, 3), (1e-9, 1)):
        weight = np.full(2, 1 - short)
        tree = kind(min_samples_leaf=1).fit(X, y, weight).tree_
        assert tree.node_count == nodes
