"""Greedy trees of the tests of an optimal tree: the search begins with the best of them.

They are grown as `CARTClassifier` grows them, by each impurity, and each is pruned to the subtree that costs
least. So however soon the search ends, no tree that CART grows of the same tests costs less.

Examples
--------
>>> from dtlib.search.questions import questions_of
>>> from dtlib.table.reading import class_targets
>>> from dtlib.table.training import read_training
>>> data = read_training(np.array([[1.0], [2.0], [3.0]]), class_targets([0, 1, 1], 3))
>>> terms = SearchSettings(2)
>>> greedy_start(data, questions_of(data, np.ones(3), 1 - np.eye(2), terms), terms).outline
{(0, 0): 0}
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from dtlib.arrays import offsets
from dtlib.growing.by_score import grow_each
from dtlib.optimal.best_tree import NO_START, Outline, Start
from dtlib.search.listed import SearchSettings, divisions_of
from dtlib.search.questions import CandidateTests
from dtlib.search.rules import Rules
from dtlib.table.coded import Coded
from dtlib.table.columns import Feature
from dtlib.table.training import Training
from dtlib.tree.tree import Tree

IMPURITIES_OF_CART = "gini", "entropy", "misclassification"


def greedy_start(data: Training, questions: CandidateTests, terms: SearchSettings) -> Start:
    """Return the greedy tree that costs least.

    Parameters
    ----------
    data : Training
        As for `grow_best`.
    questions : CandidateTests
        The tests of the data.
    terms : SearchSettings
    """
    if not len(questions.feature):
        return NO_START
    binned = in_cells(data, questions)
    rules = Rules(
        one_vs_rest=questions.one_vs_rest, max_depth=terms.max_depth, min_leaf=terms.min_leaf, zero_gain=True
    )
    grown = [grow_each(binned, replace(rules, criterion=name), 1)[0] for name in IMPURITIES_OF_CART]
    return min((best_part(tree, questions) for tree in grown), key=lambda start: start.cost)


def in_cells(data: Training, questions: CandidateTests) -> Training:
    """Return the rows that count, with cells as values: rows that no test separates become equal."""
    rows = np.flatnonzero(questions.point >= 0)
    cells, first = questions.cells[:, questions.point[rows]], first_questions(questions)
    size = np.bincount(questions.feature, minlength=len(first))
    codes = np.where(cells < 0, size[:, None], cells - first[:, None]).astype(np.int32)
    features, numbers = list[Feature](), dict[int, np.ndarray]()
    for f, feature in enumerate(data.features):
        if feature.kind == "nominal" and size[f] > 1:
            features.append(Feature(feature.name, tuple(range(codes[f].max() + 1))))
        else:
            features.append(Feature(feature.name, (), "numeric"))
            numbers[f] = np.arange(size[f] + 1.0)
    targets = tuple(replace(target, codes=target.codes[rows]) for target in data.targets)
    weight = None if data.weight is None else data.weight[rows]
    return Training(tuple(features), Coded(codes, numbers), targets, weight)


def first_questions(questions: CandidateTests) -> np.ndarray:
    """Return the index of each feature's first test (if it has none, where that would be)."""
    return offsets(np.bincount(questions.feature, minlength=len(questions.cells)))


class TestedByNodes(NamedTuple):
    """The test of each node of a tree, -1 in a leaf, and whether points that pass it go left."""

    question: np.ndarray
    is_yes_left: np.ndarray


def tests_of(tree: Tree, questions: CandidateTests) -> TestedByNodes:
    """Return the tests of a tree that was grown from cells."""
    first, f = first_questions(questions), tree.feature
    does_split = f >= 0
    question, is_yes_left = np.full(len(f), -1), np.ones(len(f), bool)
    question[does_split] = first[f[does_split]] + np.floor(np.nan_to_num(tree.threshold[does_split])).astype(
        np.intp
    )
    for node in np.flatnonzero(tree.n_values).tolist():
        values = slice(tree._first_value[node], tree._first_value[node] + tree.n_values[node])
        code, is_left = tree.code[values], tree.branch[values] == 0
        if f[node] in questions.one_vs_rest:
            question[node] += code[is_left][0]
            continue
        present, left = int((1 << code).sum()), int((1 << code[is_left]).sum())
        part = divisions_of(len(tree.features[f[node]].values))[1] & present
        k = int(np.flatnonzero((part == left) | (part == present - left))[0])
        question[node] += k
        is_yes_left[node] = part[k] == left
    return TestedByNodes(question, is_yes_left)


def ends_of_points(tree: Tree, tested: TestedByNodes, questions: CandidateTests) -> np.ndarray:
    """Return the leaf of each point."""
    leaf = np.zeros(len(questions.costs), np.intp)
    for _ in range(tree.max_depth):
        points = np.flatnonzero(tested.question[leaf] >= 0)
        node = leaf[points]
        yes = questions.answer(tested.question[node], points)
        leaf[points] = tree.first_child[node] + (yes != tested.is_yes_left[node])
    return leaf


def best_part(tree: Tree, questions: CandidateTests) -> Start:
    """Return the subtree, with the same root, that costs least."""
    tested, n = tests_of(tree, questions), tree.node_count
    leaf, does_split = ends_of_points(tree, tested, questions), tested.question >= 0
    sums = np.stack([np.bincount(leaf, channel, n) for channel in questions.channels], axis=1)
    point = np.full(n, len(leaf))  # the first point of each node
    np.minimum.at(point, leaf, np.arange(len(leaf)))
    cost = (sums[:, :-1].min(1) + questions.alpha).astype(np.int64)
    for a, b in reversed(tree._level_bounds):
        at = a + np.flatnonzero(does_split[a:b])
        left, right = tree.first_child[at], tree.first_child[at] + 1
        sums[at], point[at] = sums[left] + sums[right], np.minimum(point[left], point[right])
        alone = (sums[at, :-1].min(1) + questions.alpha).astype(np.int64)
        divided, light = cost[left] + cost[right], np.minimum(sums[left, -1], sums[right, -1])
        does_split[at] = (divided < alone) & (light >= max(questions.least, 1))
        cost[at] = np.where(does_split[at], divided, alone)
    outline, at, level = Outline(), np.zeros(1, np.intp), 0
    while len(at := at[does_split[at]]):
        outline |= zip(((level, p) for p in point[at].tolist()), tested.question[at].tolist(), strict=True)
        at, level = np.concatenate([tree.first_child[at], tree.first_child[at] + 1]), level + 1
    return Start(int(cost[0]), outline)
