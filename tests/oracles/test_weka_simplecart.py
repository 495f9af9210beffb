"""Whole binary trees, node by node, against Weka's SimpleCart.

Its rules are Gini, thresholds halfway between two values, two groups of names, the first of equal columns.
What `-M k` does is another rule than `min_samples_leaf`: the best split is sought without it, and is not made
if it leaves a branch less than k. So its trees are compared with the full tree, cut there.
"""

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from dtlib import CARTClassifier
from dtlib.tree.splits import Subset, Threshold

HERE = Path(__file__).parent
RUNS = json.loads((HERE / "weka36_simplecart.json").read_text())["runs"]
FILES = {"weather-nominal": "weather.nominal", "weather-numeric": "weather.numeric", "loan": "loan_ascii"}
NAMES = [f"{run['dataset']}{run['options'].replace(' ', '')}" for run in RUNS]


def load(dataset):
    """Return the columns and the classes of a data set."""
    frame = pd.read_csv(HERE / "data" / f"{FILES.get(dataset, dataset)}.csv", dtype={"windy": str})
    return frame.iloc[:, :-1], frame.iloc[:, -1]


def read(text):
    """Read the indented text: nested (condition, first branch, second branch), or (class, right, wrong)."""
    lines = [line for line in text.splitlines()[1:] if line and not line.startswith(("Number", "Size"))]
    if lines[0].startswith(": "):
        return leaf(lines[0][2:])
    return inner([(line.count("|  "), line.replace("|  ", "")) for line in lines])


def leaf(text):
    """Read ``class(right/wrong)``."""
    label, right, wrong = re.fullmatch(r"(.+)\((.+)/(.+)\)", text).groups()
    return label, float(right), float(wrong)


def inner(lines):
    """Read the lines of a node: those of its two conditions, and what is indented below each."""
    (depth, first), *_ = lines
    second = next(i for i, (d, _) in enumerate(lines) if d == depth and i > 0)
    branches = []
    for part in (lines[:second], lines[second:]):
        result = part[0][1].partition(": ")[2]
        branches.append(leaf(result) if result else inner(part[1:]))
    return first.partition(": ")[0], *branches


def asks(condition, X):
    """Return the feature, the threshold if there is one, and which rows fulfil the condition."""
    if " < " in condition:
        feature, threshold = condition.split(" < ")
        return feature, float(threshold), (X[feature] < float(threshold)).to_numpy()
    feature, names = condition.split("=", 1)
    return feature, None, X[feature].isin(names.strip("()").split(")|(")).to_numpy()


class Comparison:
    """Our full tree and one of Weka's, walked together."""

    def __init__(self, run):
        self.X, self.y = load(run["dataset"])
        self.least = int(re.search(r"-M (\d)", run["options"])[1])
        self.pruned = "-U" not in run["options"]
        self.leaves, self.errors = 0, 0
        tree = CARTClassifier().fit(self.X, self.y).tree_
        self.walk(tree.root, read(run["text"]), np.arange(len(self.X)))

    def walk(self, node, weka, rows):
        """Compare two nodes that the same rows reach."""
        assert node.n == len(rows)
        is_leaf = not isinstance(weka[1], tuple)
        if self.is_cut(node) or is_leaf:
            assert is_leaf
            assert self.pruned or self.is_cut(node)
            self.compare_leaf(node, weka)
            return
        X = self.X.iloc[rows]
        feature, threshold, first = asks(weka[0], X)
        assert node.feature == feature
        x = X[feature].to_numpy()
        if threshold is None:
            left = np.isin(x, first_group(node.split))
        else:
            assert isinstance(node.split, Threshold)
            assert node.split.threshold == pytest.approx(threshold, rel=1e-12)
            left = x <= node.split.threshold
        order = (1, 2) if (left == first).all() else (2, 1)
        assert (left == (first if order == (1, 2) else ~first)).all()
        self.walk(node.children[0], weka[order[0]], rows[left])
        self.walk(node.children[1], weka[order[1]], rows[~left])

    def is_cut(self, node):
        """Tell whether Weka makes a node a leaf: it or one of its branches is too small."""
        return node.is_leaf or node.n < 2 * self.least or min(child.n for child in node.children) < self.least

    def compare_leaf(self, node, weka):
        """Require the same weight of the predicted class and of the others."""
        label, right, wrong = weka
        counts = dict(zip(node.tree.classes, node.counts, strict=True))
        assert counts[label] == max(counts.values()) == right
        assert node.n == right + wrong
        self.leaves += 1
        self.errors += wrong


def first_group(split):
    """Return the names that take the first branch; where each of two names has one, the first name."""
    return split.groups[0] if isinstance(split, Subset) else split.values[:1]


@pytest.mark.parametrize("run", RUNS, ids=NAMES)
def test_same_tree(run):
    found = Comparison(run)
    assert found.leaves == int(re.search(r"Leaf Nodes: (\d+)", run["text"])[1])
    assert found.errors == run["train_errors"]


def test_five_data_sets_are_compared_unpruned_and_pruned():
    assert len({run["dataset"] for run in RUNS}) == 5
    assert sorted({run["options"] for run in RUNS}) == ["-M 2 -N 5 -S 1", "-U -M 1", "-U -M 2"]
    assert len(RUNS) == 15
