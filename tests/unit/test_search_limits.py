"""The search at its limits: the least weight of a branch, names of one row, how many groups are all tried."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from dtlib import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier, Tree
from dtlib.counting.criteria import CRITERIA
from dtlib.counting.targets import in_whole_numbers
from dtlib.out_of_core import Batches, grow_from
from dtlib.search import two_groups
from dtlib.search.rules import BySurrogates, Rules
from dtlib.search.two_groups import EXHAUSTIVE_CATEGORIES, in_first_group, sums_of_first_groups
from dtlib.table.ranks import COUNTED
from tests.criteria import criteria_of

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


LETTERS = "abcdefghijklmnop"


def of_all_groups(table, criterion):
    """Return what each division of the rows of a count table into two groups gains, by the formula."""
    p = len(table)
    first = np.array([[i >> k & 1 for k in range(p)] for i in range(1, 2**p - 1, 2)])
    both = np.stack([first @ table, (1 - first) @ table], axis=1)
    return first == 1, CRITERIA[criterion].worth(both)


@pytest.mark.parametrize("criterion", criteria_of(CARTClassifier))
@pytest.mark.parametrize("names", [3, 5, 10, EXHAUSTIVE_CATEGORIES])
@pytest.mark.parametrize("classes", [2, 3])
def test_of_up_to_14_names_all_groups_are_tried(criterion, names, classes):
    """Some names have one row; the gain is that of the best group of all, by the formula."""
    rng = np.random.default_rng(names)
    x = np.concatenate([np.arange(names), rng.integers(0, names // 2, 2 * names)])
    y = rng.integers(0, classes, len(x))
    X = pd.DataFrame({"x": np.array(list(LETTERS))[x]})
    tree = CARTClassifier(criterion=criterion, max_depth=1).fit(X, y).tree_
    table = np.zeros((names, classes))
    np.add.at(table, (x, y), 1)
    first, gains = of_all_groups(table, criterion)
    assert tree.gain[0] == pytest.approx(gains.max(), abs=1e-12)
    if tree.node_count > 1:
        group = np.isin(list(LETTERS[:names]), tree.root.split.groups[0])
        assert gains[(first == group).all(1)] == pytest.approx(tree.gain[0], abs=1e-12)


def test_twelve_names_of_three_classes():
    """A cut of the order by the first principal component gains no more than 0.2528."""
    y = [*"knkknkkkmkkk"]
    tree = CARTClassifier(max_depth=1).fit(pd.DataFrame({"x": list("abcdefghijkl")}), y).tree_
    assert tree.gain[0] == pytest.approx(7 / 24)
    assert set(tree.root.split.groups[0]) == set("acdfghjkl")


@pytest.mark.parametrize("least", [1, 3])
@pytest.mark.parametrize("outputs", [1, 2])
@pytest.mark.parametrize("kind", [CARTClassifier, CARTRegressor])
def test_of_several_outputs_and_of_branches_with_a_least_weight_too(kind, outputs, least):
    rng = np.random.default_rng(5)
    p = EXHAUSTIVE_CATEGORIES
    x = np.concatenate([np.arange(p), rng.integers(0, p, 14)])
    y = rng.integers(0, 3, (len(x), outputs))
    X = pd.DataFrame({"x": np.array(list(LETTERS))[x]})
    tree = kind(max_depth=1, min_samples_leaf=least).fit(X, y[:, 0] if outputs == 1 else y).tree_
    sides = np.array([[i >> k & 1 for k in range(p)] for i in range(1, 2**p - 1, 2)])[:, x]
    best, whole = 0, sum(spread(kind, y, np.ones((1, len(x)), int)))
    for start in range(0, len(sides), 512):
        part = sides[start : start + 512]
        enough = np.minimum(part.sum(1), (1 - part).sum(1)) >= least
        within = spread(kind, y, part[enough]) + spread(kind, y, 1 - part[enough])
        best = max(best, (whole - within).max(initial=0))
    assert tree.gain[0] == pytest.approx(best / len(x), abs=1e-12)
    assert tree.heuristic_features == ()


def spread(kind, y, member):
    """Return the impurity of groups of rows, times their size: mean of the outputs."""
    n = member.sum(1)
    if kind is CARTRegressor:
        return np.mean([member @ t**2 - (member @ t) ** 2 / n for t in y.T], axis=0)
    counts = np.stack([member @ (y == k) for k in range(3)])
    return (n - (counts**2).sum(0).T / n).mean(0)


@pytest.mark.parametrize("table", [1, 2, 8, 1 << 12])
def test_a_table_of_sums_has_every_group_once_whatever_its_size(table, monkeypatch):
    monkeypatch.setattr(two_groups, "TABLE", table)
    x = np.random.default_rng(0).integers(0, 99, (2, 3, 6))
    found = np.concatenate([block.copy() for block in sums_of_first_groups(x)], axis=2)
    first = in_first_group(np.arange(31), 6)
    assert first[:, 0].all()
    assert len(np.unique(first, axis=0)) == 31
    assert not first.all(1).any()
    np.testing.assert_array_equal(found, x @ first.T)


def many_names(p, classes=3):
    """Return a column of p names, and classes."""
    rng = np.random.default_rng(0)
    x = np.concatenate([np.arange(p), rng.integers(0, p, 50)])
    return pd.DataFrame({"few": np.arange(len(x)) % 3, "x": np.array(list(LETTERS))[x]}), x * 7 % 5 % classes


@pytest.mark.parametrize(
    ("model", "p", "classes", "guessed"),
    [(CARTClassifier(), EXHAUSTIVE_CATEGORIES, 3, False),
     (CARTClassifier(), EXHAUSTIVE_CATEGORIES + 1, 3, True),
     (CARTClassifier(nominal="ordered"), EXHAUSTIVE_CATEGORIES + 1, 3, True),
     (CARTClassifier(nominal="one_vs_rest"), EXHAUSTIVE_CATEGORIES + 1, 3, False),
     (CARTClassifier(), EXHAUSTIVE_CATEGORIES + 1, 2, False),
     (CARTClassifier(min_samples_leaf=2), EXHAUSTIVE_CATEGORIES + 1, 2, False),  # the best cut leaves more
     (CARTClassifier(min_samples_leaf=32), EXHAUSTIVE_CATEGORIES + 1, 2, True),
     (CARTClassifier(nominal="ordered", min_samples_leaf=32), EXHAUSTIVE_CATEGORIES + 1, 2, False),
     (CARTRegressor(), EXHAUSTIVE_CATEGORIES + 1, 3, False),
     (CARTRegressor(min_samples_leaf=32), EXHAUSTIVE_CATEGORIES + 1, 3, True),
     (CARTRegressor(criterion="absolute_error"), 3, 3, True),
     (CARTRegressor(criterion="absolute_error"), 2, 3, False),
     (C45Classifier(group_values="merge"), EXHAUSTIVE_CATEGORIES + 1, 3, False)],
)  # fmt: skip
def test_a_tree_says_for_which_features_the_best_groups_were_guessed(model, p, classes, guessed):
    X, y = many_names(p, classes)
    model.set_params(max_depth=1)
    assert model.fit(X, y).tree_.heuristic_features == ("x",) * guessed


def test_two_classes_of_three_are_two_where_no_row_that_counts_has_the_third():
    X, y = many_names(EXHAUSTIVE_CATEGORIES + 1, 2)
    for third in ([2, 2], [0, 1]):
        known = np.array([0, 1, 2])[[*y, 2, 2]]
        known[known > 1] = third
        rows = pd.concat([X, X.head(2)])
        tree = CARTClassifier(max_depth=1).fit(rows, known, [*np.ones(len(y)), 0, 0]).tree_
        assert tree.heuristic_features == ()
        assert tree.gain[0] == pytest.approx(CARTClassifier(max_depth=1).fit(X, y).tree_.gain[0])


def test_what_was_guessed_is_known_of_trees_from_counts_and_with_holes_and_not_of_trees_that_were_read():
    X, y = many_names(EXHAUSTIVE_CATEGORIES + 1)
    tree = CARTClassifier().fit(X, y).tree_
    assert tree.heuristic_features == ("x",)
    assert Tree.from_json(tree.to_json()).heuristic_features == ("x",)
    source = Batches([X.assign(y=y)], "y")
    for rows in (0, 9, 99):
        assert grow_from(source, CARTClassifier(), rows_in_memory=rows).tree_.heuristic_features == ("x",)
    assert CARTClassifier(prune="cv", random_state=0).fit(X, y).tree_.heuristic_features == ("x",)
    X["few"] = X["few"].where(X["few"] > 0).astype(object)
    X["x"] = X["x"].where(np.arange(len(X)) != len(X) - 1)
    for way in ("stay", "fractional", "surrogate"):
        assert CARTClassifier(missing=way).fit(X, y).tree_.heuristic_features == ("x",)


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
