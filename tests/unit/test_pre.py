"""Splits that held-out rows must want: the book's melons, honest growth, and where greed fails."""

import numpy as np
import pandas as pd
import pytest

from dtlib import CARTClassifier, CARTRegressor, ID3Classifier
from dtlib.measures import information_gain
from dtlib.prune import hold_out, pre_prune, reduced_error
from dtlib.tree import reasons
from tests.unit.subtrees import leaves_of
from tests.unit.test_reduced_error import CASES, FULL, GROWN, HELD, X, y


def test_every_accuracy_of_the_book():
    tree = pre_prune(FULL, X.iloc[HELD], y.iloc[HELD])
    assert tree.steps["feature"].tolist() == ["navel", "color", "stem"]
    assert (100 * tree.steps["accuracy"]).round(1).tolist() == [42.9, 71.4, 71.4]
    assert (100 * tree.steps["accuracy_if_split"]).round(1).tolist() == [71.4, 57.1, 71.4]
    assert tree.steps["cut"].tolist() == [False, True, True]
    assert [node.feature for node in tree if not node.is_leaf] == ["navel"]
    assert [node.prediction for node in tree if node.is_leaf] == ["a", "a", "b"]
    assert set(tree.reason) - set(FULL.reason) == {reasons.NO_HELP}
    assert tree.pruned_from is FULL


def best_split(frame, label):
    """Return the column with the largest gain, None if there is no gain."""
    gains = {c: information_gain(pd.crosstab(frame[c], label)) for c in frame if frame[c].nunique() > 1}
    best = max(gains, key=lambda c: (round(gains[c], 9), -list(frame).index(c)), default=None)
    return best if best is not None and gains[best] > 1e-9 else None


class Growing:
    """ID3 that asks the held-out rows before each split, node by node."""

    def __init__(self, frame, label, rows, truth):
        self.frame, self.label, self.rows, self.truth = frame, label, rows.to_dict("index"), truth
        self.values = {c: sorted(frame[c].unique()) for c in frame}
        self.asked, self.leaves = [], {(): self.majority(label.index, None)}
        level = [((), label.index)]
        while level:
            level = [below for path, here in level for below in self.open(path, here)]

    def majority(self, here, otherwise):
        number = self.label[here].value_counts()
        return otherwise if not len(here) else min(number[number == number.max()].index)

    def accuracy(self, leaves):
        hits = 0
        for i, row in self.rows.items():
            at = next(p for p in leaves if all(row[c] == v for c, v in p))
            hits += leaves[at] == self.truth[i]
        return hits / len(self.rows)

    def open(self, path, here):
        """Split a node if that raises the accuracy of the whole tree; return the nodes below."""
        asked = [c for c, _ in path]
        feature = best_split(self.frame.loc[here].drop(columns=asked), self.label[here])
        if feature is None:
            return []
        below = [
            ((*path, (feature, v)), here[self.frame.loc[here, feature] == v]) for v in self.values[feature]
        ]
        trial = {p: label for p, label in self.leaves.items() if p != path}
        trial |= {p: self.majority(rows, self.leaves[path]) for p, rows in below}
        before, after = self.accuracy(self.leaves), self.accuracy(trial)
        self.asked.append((feature, before, after))
        if after <= before:
            return []
        self.leaves = trial
        return below


@pytest.mark.parametrize("seed", range(12))
def test_it_is_the_tree_that_grows_when_held_out_rows_are_asked(seed):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({c: rng.choice(list("uvw")[: 2 + (c > "b")], 120) for c in "abcd"})
    rule = (frame["a"] == "u") & (frame["c"] != "v") | (frame["d"] == "w")
    label = pd.Series(np.where(rng.random(120) < 0.1, ~rule, rule)).map({True: "o", False: "n"})
    grown = Growing(frame[:60], label[:60], frame[60:], label[60:])
    tree = pre_prune(ID3Classifier().fit(frame[:60], label[:60]).tree_, frame[60:], label[60:])
    steps = tree.steps[["feature", "accuracy", "accuracy_if_split"]].to_numpy().tolist()
    assert [f for f, *_ in steps] == [f for f, *_ in grown.asked]
    np.testing.assert_allclose([a for _, *a in steps], [a for _, *a in grown.asked])
    ours = {tuple(sorted(leaf.path)): leaf.prediction for leaf in tree if leaf.is_leaf}
    theirs = {tuple(sorted(f"{c} = {v}" for c, v in p)): label for p, label in grown.leaves.items()}
    assert ours == theirs
    assert (len(steps) == 1) == (seed == 8)  # where the first split already fails


def test_the_first_split_of_an_exclusive_or_helps_nobody():
    """Each column alone says nothing of the class; both together say all."""
    rows = np.array([(a, b) for a in (0, 1) for b in (0, 1)] * 10, float)
    label = (rows[:, 0] != rows[:, 1]).astype(int)
    grown = np.vstack([rows, [[0, 0]]])  # one more, so that the first split gains a little
    full = CARTClassifier().fit(grown, np.append(label, 0)).tree_
    early, late = pre_prune(full, rows, label), reduced_error(full, rows, label, ties="cut")
    assert full.n_leaves == late.n_leaves == 4
    assert early.n_leaves == 1
    assert hold_out(early, rows, label).staying.sum() == 20
    assert hold_out(late, rows, label).staying.sum() == 0
    assert early.steps[["accuracy", "accuracy_if_split"]].to_numpy().tolist() == [[0.5, 0.5]]


@pytest.mark.parametrize("name", CASES)
def test_laws(name):
    tree, rows, truth, weight = CASES[name]
    held = hold_out(tree, rows, truth, weight)
    early = pre_prune(tree, rows, truth, weight)
    kept, asked = leaves_of(early, tree), early.steps["node"].tolist()
    inner = [i for i in range(len(tree)) if tree.feature[i] >= 0]
    for i in inner:
        above = set(tree[i].ancestors)
        reached = not above & set(kept)
        assert (i in asked) == reached
        if not reached:
            continue
        children = [child.id for child in tree[i].children]
        with_split = held.staying[i] + held.cost[children].sum()
        assert (i in kept) == (not with_split < held.cost[i] - 1e-9)
    last = early.steps.iloc[-1]
    measure = next(c for c in early.steps if c.endswith("_if_split") and c != "cost_if_split")
    end = last[measure.removesuffix("_if_split")] if last["cut"] else last[measure]
    mean = hold_out(early, rows, truth, weight).staying.sum() / held.n[0]
    assert end == pytest.approx(1 - mean if measure.startswith("accuracy") else mean)
    assert asked == sorted(asked)
    assert pre_prune(early, rows, truth, weight) == early
    times = np.arange(40) % 3
    often = np.repeat(np.arange(40), times)
    assert pre_prune(tree, rows, truth, times) == pre_prune(tree, rows.iloc[often], truth[often])


def test_the_shares_of_numbers():
    points = np.arange(10.0)[:, None]
    full = CARTRegressor().fit(points, points[:, 0] > 4).tree_
    early = pre_prune(full, [[1.0], [8.0]], [0.0, 1.0])
    assert early.steps[["squared_error", "squared_error_if_split"]].to_numpy().tolist() == [[0.25, 0.0]]
    assert early.n_leaves == 2


def test_the_split_of_the_book_is_the_largest_gain():
    assert best_split(X.iloc[GROWN], y.iloc[GROWN]) == "navel"
