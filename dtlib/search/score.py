"""What a split is worth: one exact score for every criterion (chapters 8 to 10).

The score of a split is N Δ, its decrease of impurity times the weight of its node, a function of the exact
sums that `dtlib.counting.targets` makes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from dtlib.arrays import xlogx
from dtlib.counting.targets import Classes, Numbers, Totals


class Quadratic:
    """Gini and squared error: a branch scores Σ_k (c_k - n C_k / N)² / n.

    Here c_k and n are the sums over the branch, C_k and N those over the node. Of two branches, the distances
    in brackets differ in sign only.
    """

    def __init__(self, target: Classes | Numbers):
        self.groups = target.groups
        self.has_rest = isinstance(target, Classes)
        self.binary = self.has_rest and all(len(group) == 1 for group in self.groups)

    def squares(self, distances: list[np.ndarray]) -> np.ndarray:
        """Return Σ_k d_k² over all outputs; a class without a channel has what the others leave."""
        total = None
        for group in filter(len, self.groups):  # of an output with one class, nothing differs
            rest = -sum(distances[k] for k in group) if self.has_rest and not self.binary else None
            for d in [distances[k] for k in group] + ([] if rest is None else [rest]):
                d *= d
                total = d if total is None else np.add(total, d, out=total)
        return total

    def branch(self, branch: Totals, node: Totals) -> np.ndarray:
        """Score branches; `node` has the sums of each branch's node."""
        expected = branch.n / node.n
        distances = [c - expected * t for c, t in zip(branch.channels, node.channels, strict=True)]
        score = self.squares(distances) / np.maximum(branch.n, 1)
        return self.scaled(score)

    def scaled(self, score: np.ndarray) -> np.ndarray:
        """Take the mean over the outputs; of two classes, each has half of the sum of squares."""
        score *= (2 if self.binary else 1) / len(self.groups)
        return score

    def prepare(self, n_left: np.ndarray, node: Totals) -> Any:
        """Return what `cuts` needs besides the sums of the left branches: a factor, and what they expect."""
        n_right = node.n - n_left
        factor = 1 / np.maximum(n_left, 1) + 1 / np.maximum(n_right, 1)
        share = n_left / node.n
        return self.scaled(factor), [share * total for total in node.channels]

    def cuts(self, left: Iterator[np.ndarray], prepared: Any) -> np.ndarray:
        """Score the cuts between a left branch and the rest, from the sums of each channel over the left."""
        factor, expected = prepared
        score = self.squares([sums - e for sums, e in zip(left, expected, strict=True)])
        score *= factor
        return score


class Concave:
    """Entropy and classification error: a branch scores F(c) - n/N F(C) for a convex F of class weights.

    F is Σ c_k log2 c_k - n log2 n for entropy, and max c_k for the error.
    """

    def __init__(self, target: Classes, criterion: str):
        self.groups = target.groups
        self.entropy = criterion == "entropy"

    def convex(self, c: Sequence[np.ndarray], n: np.ndarray) -> np.ndarray:
        """Return F without its last term, summed over the outputs."""
        total = None
        for group in self.groups:
            rest = n
            one = None
            for k in group:
                rest = rest - c[k]
                term = xlogx(c[k]) if self.entropy else c[k]
                one = term if one is None else one + term if self.entropy else np.maximum(one, term)
            term = xlogx(rest) if self.entropy else rest
            one = term if one is None else one + term if self.entropy else np.maximum(one, term)
            total = one if total is None else total + one
        return total

    def last(self, n: np.ndarray) -> np.ndarray | float:
        """Return the last term of F."""
        return xlogx(n) * len(self.groups) if self.entropy else 0.0

    def branch(self, branch: Totals, node: Totals) -> np.ndarray:
        """Score branches; `node` has the sums of each branch's node."""
        whole = self.convex(node.channels, node.n) - self.last(node.n)
        part = self.convex(branch.channels, branch.n) - self.last(branch.n)
        return (part - branch.n / node.n * whole) / len(self.groups)

    def prepare(self, n_left: np.ndarray, node: Totals) -> Any:
        """Return what `cuts` needs besides the sums of the left branches."""
        n_right = node.n - n_left
        base = self.last(n_left) + self.last(n_right) + self.convex(node.channels, node.n) - self.last(node.n)
        return base, n_left, n_right, node.channels

    def cuts(self, left: Iterator[np.ndarray], prepared: Any) -> np.ndarray:
        """Score the cuts between a left branch and the rest, from the sums of each channel over the left."""
        base, n_left, n_right, whole = prepared
        left = [sums.astype(float) for sums in left]
        right = [t - c for c, t in zip(left, whole, strict=True)]
        score = self.convex(left, n_left)
        score = score + self.convex(right, n_right)
        return (score - base) / len(self.groups)
