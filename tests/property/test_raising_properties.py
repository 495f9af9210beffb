"""Pessimistic pruning once more, node by node and row by row: each step, and each number of what is left."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest

from dtlib import CARTClassifier
from dtlib.prune import added_errors, pessimistic
from dtlib.tree.tree import Tree
from tests.drawn import seeds
from tests.property.test_parts_properties import FractionalInstances, classes, drawn, grown, sent, spread

DONE = ["kept", "replaced by a leaf", "replaced by its largest branch"]


@dataclass
class Branch:
    """What is below a place: the node of the tree that asks there, or is a leaf; the rows; the steps."""

    id: int
    below: list[Branch] = field(default_factory=list)
    parts: FractionalInstances = field(default_factory=dict)


@dataclass
class Pruning:
    """A tree, and by what it is pruned."""

    tree: Tree
    y: np.ndarray
    way: str
    raising: bool
    bound: str
    slack: float
    steps: list[dict[str, Any]] = field(default_factory=list)

    def whole(self, node: int) -> Branch:
        """Return all that is below a node."""
        first, number = int(self.tree.first_child[node]), int(self.tree.children[node])
        return Branch(node, [self.whole(child) for child in range(first, first + number)])

    def counts(self, parts: FractionalInstances) -> np.ndarray:
        return np.array(classes(parts, self.y, 3))

    def estimated(self, parts: FractionalInstances, label: int | None = None) -> tuple[float, float, float]:
        """Return weight, errors (of the largest class or another) and estimated errors of some rows."""
        counts = self.counts(parts)
        n = float(counts.sum())
        e = n - counts[counts.argmax() if label is None else label]
        return n, e, e + float(added_errors(e, n, 0.4, self.bound)) if n > 1e-6 else 0.0

    def sent(self, branch: Branch, parts: FractionalInstances) -> tuple[list[FractionalInstances], float]:
        """Send rows on; return what comes to each branch, and the errors of the rows that stay behind."""
        below, known = sent(self.tree, branch.id, parts, self.way)
        gone = set(known).union(*below)
        behind = {row: part for row, part in parts.items() if row not in gone}
        return below, self.estimated(behind, int(self.counts(branch.parts).argmax()))[2]

    def down(self, branch: Branch, parts: FractionalInstances) -> float:
        """Return the errors of rows that are sent down a branch as it is."""
        if not branch.below:
            return self.estimated(parts)[2]
        below, errors = self.sent(branch, parts)
        return errors + sum(self.down(*pair) for pair in zip(branch.below, below, strict=True))

    def prune(self, branch: Branch, parts: FractionalInstances) -> float:
        """Prune a branch to which these rows come; return what errors are left."""
        branch.parts = parts
        n, e, leaf = self.estimated(parts)
        if not branch.below:
            return leaf
        below, errors = self.sent(branch, parts)
        errors += sum(self.prune(*pair) for pair in zip(branch.below, below, strict=True))
        sizes = [float(sum(part.values(), Fraction(0))) for part in below]
        largest = branch.below[max(k for k, size in enumerate(sizes) if size > max(sizes) - 1e-6)]
        raised = self.down(largest, parts) if self.raising else np.nan
        cut = leaf <= np.fmin(errors, raised) + self.slack + 1e-6
        done = 1 if cut else 2 if raised <= errors + self.slack + 1e-6 else 0
        self.steps.append(
            {"node": branch.id, "n": n, "errors": e, "added": leaf - e, "leaf": leaf, "subtree": errors}
            | {"largest": largest.id, "branch": raised, "done": DONE[done], "cut": done > 0}
        )
        if done == 1:
            branch.below = []
            return leaf
        if done == 2:
            branch.id, branch.below = largest.id, largest.below
            return self.prune(branch, parts)
        return errors


def compare(pruning: Pruning, branch: Branch, small: Tree, node: int) -> None:
    """Require that a node is what is left, and all below it too."""
    tree, parts, y = pruning.tree, branch.parts, pruning.y
    n = float(sum(parts.values(), Fraction(0)))
    assert small.n[node] == pytest.approx(n, abs=1e-9)
    counts = pruning.counts(parts)[: len(tree.classes)]
    assert small.counts[node] == pytest.approx(counts, abs=1e-9)
    assert small.impurity[node] * n == pytest.approx(spread(tree, parts, y), abs=1e-9)
    assert small.children[node] == len(branch.below)
    if not branch.below:
        assert (small.feature[node], small.gain[node], small.n_values[node]) == (-1, 0, 0)
        assert np.isnan(small.threshold[node])
        return
    assert small.feature[node] == tree.feature[branch.id]
    np.testing.assert_equal(small.threshold[node], tree.threshold[branch.id])
    assert small[node].split == tree[branch.id].split
    below, known = sent(tree, branch.id, parts, pruning.way)
    rest = [{row: part[row] for row in part if row in known} for part in below]
    gain = spread(tree, known, y) - sum(spread(tree, part, y) for part in rest)
    assert small.gain[node] * n == pytest.approx(max(gain, 0), abs=1e-9)
    for k, child in enumerate(branch.below):
        compare(pruning, child, small, int(small.first_child[node]) + k)


@pytest.mark.long
@pytest.mark.parametrize("way", ["stay", "majority", "fractional"])
def test_pruning_is_that_of_each_node_by_itself(way):
    done: set[str] = set()
    for seed in seeds(25):
        limits = (
            {"max_features": 1, "random_state": seed} if seed % 3 else {}
        )  # what is raised, is asked late
        tree, y, weight = grown(seed, way, **limits)
        if not tree.is_classifier:
            continue
        rng = np.random.default_rng([seed, 3])
        bound = str(rng.choice(["binomial", "normal", "release8"]))
        raising, slack = bool(rng.random() < 0.8), float(rng.choice([0.0, 0.1, 1.0]))
        pruning = Pruning(tree, np.unique(y, return_inverse=True)[1], way, raising, bound, slack)
        root = pruning.whole(0)
        pruning.prune(root, {row: Fraction(w) for row, w in enumerate(weight)})
        small = pessimistic(tree, 0.4, raising, bound, slack)
        steps = pd.DataFrame(pruning.steps, columns=list(small.steps))
        pd.testing.assert_frame_equal(small.steps, steps, check_dtype=False, rtol=1e-7, atol=1e-7)
        compare(pruning, root, small, 0)
        done |= set(steps["done"])
    assert done == set(DONE)


def test_several_outputs_err_by_their_mean():
    """What one output errs in addition, the mean has half of; two equal outputs err as one."""
    X, y, weight = drawn(7)
    X = X[["a", "o"]].fillna("S")
    one = CARTClassifier().fit(X, y, weight).tree_
    both = CARTClassifier().fit(X, np.stack([y, y], axis=1), weight).tree_
    small, double = pessimistic(one), pessimistic(both)
    pd.testing.assert_frame_equal(small.steps, double.steps)
    other = CARTClassifier().fit(X, np.stack([y, np.zeros_like(y)], axis=1), weight).tree_
    steps = pessimistic(other).steps.drop_duplicates("node").set_index("node")
    alone = other.n - other._blocks(other.summary)[0].max(1)
    assert steps["errors"].to_numpy() == pytest.approx(alone[steps.index] / 2)
    assert small.impurity == pytest.approx(double.impurity)
