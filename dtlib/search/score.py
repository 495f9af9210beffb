"""What a split is worth: one exact score for every criterion (chapters 8 to 10).

The score of a split is N Δ, its decrease of impurity times the weight of its node, a function of the exact
sums that `dtlib.counting.targets` makes.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import reduce

import numpy as np

from dtlib.arrays import xlogx
from dtlib.counting.targets import ClassificationTarget, Target, Totals

IN_FLOATS = 1 << 26  # up to so much weight, floats hold its square
ScoreCuts = Callable[[Iterable[np.ndarray]], np.ndarray]


class Quadratic:
    """Gini and squared error: a branch scores Σ_k (c_k - n C_k / N)² / n.

    Here c_k and n are the sums over the branch, C_k and N those over the node. Of two branches, the distances
    in brackets differ in sign only.

    Examples
    --------
    >>> from dtlib.table.columns import Column
    >>> target = ClassificationTarget([Column("y", ("no", "yes"), np.array([0, 0, 1, 1]))], None, "gini")
    >>> node = Totals(np.array(4), [np.array(2)], np.array(4))
    >>> Quadratic(target).cuts(np.array([1, 2, 3]), node)([np.array([0, 0, 1])])  # of 4 rows, 2 in class yes
    array([0.66666667, 2.        , 0.66666667])
    """

    def __init__(self, target: Target):
        self.groups = target.groups
        self.has_rest = isinstance(target, ClassificationTarget)
        self.binary = self.has_rest and all(len(group) == 1 for group in self.groups)
        self.in_pairs = isinstance(target, ClassificationTarget) and target.in_pairs

    def squares(self, distances: list[np.ndarray]) -> np.ndarray:
        """Return Σ_k d_k² over all outputs; a class without a channel has what the others leave."""
        terms: list[np.ndarray] = []
        for group in filter(len, self.groups):  # of an output with one class, nothing differs
            terms += [distances[k] for k in group]
            if self.has_rest and not self.binary:
                terms.append(-reduce(np.add, (distances[k] for k in group)))
        for d in terms:
            d *= d
        return reduce(lambda total, d: np.add(total, d, out=total), terms)

    def branch(self, branch: Totals, node: Totals) -> np.ndarray:
        """Score branches; `node` has the sums of each branch's node."""
        expected = branch.n / node.n
        distances = [c - expected * t for c, t in zip(branch.channels, node.channels, strict=True)]
        return self.scaled(self.squares(distances) / np.maximum(branch.n, 1))

    def scaled(self, score: np.ndarray) -> np.ndarray:
        """Take the mean over the outputs; of two classes, each has half of the sum of squares."""
        score *= (2 if self.binary else 1) / len(self.groups)
        return score

    def cuts(self, n_left: np.ndarray, node: Totals) -> ScoreCuts:
        """Return what scores cuts, given the sums of each channel over their left branches.

        Their score is Σ_k d_k² (1/n_left + 1/n_right), as both sides are as far off. Of several classes, it
        is told from the pairs of rows that differ: N times the Gini index of N rows is 2/N for each pair.
        """
        if self.in_pairs:
            return pair_scores(n_left, node)
        factor = self.scaled(1 / np.maximum(n_left, 1) + 1 / np.maximum(node.n - n_left, 1))
        share = n_left / node.n
        expected = [share * total for total in node.channels]

        def score(left: Iterable[np.ndarray]) -> np.ndarray:
            squares = self.squares([sums - e for sums, e in zip(left, expected, strict=True)])
            squares *= factor
            return squares

        return score


def pair_scores(n_left: np.ndarray, node: Totals) -> ScoreCuts:
    """Return what scores cuts by the pairs of rows of different classes that they part.

    Of n rows, c of each class, (n² - Σ c²) / 2 pairs differ. Of the squares on the right, (C - c)², only the
    sums of c² and of c C are new at each cut. All are whole numbers; floats hold them as long as they can.

    Examples
    --------
    >>> node = Totals(np.array([4]), [np.array([1]), np.array([1])], np.array([4]))  # classes of 2, 1, 1
    >>> pair_scores(np.array([1, 2]), node)([np.array([0, 0]), np.array([0, 0])])
    array([0.5, 1.5])
    """
    kind = np.float64 if node.n.max(initial=0) <= IN_FLOATS else np.int64
    n, *above = (x.astype(kind) for x in (node.n, *node.channels))
    one = n_left.astype(kind)
    other = n - one
    first = reduce(np.subtract, above, n)
    squared = reduce(np.add, (c * c for c in above), first * first)
    of_one, of_other = (1 / np.maximum(x, 1) for x in (one, other))
    before = (n * n - squared) * 0.5 * (1 / np.maximum(n, 1))

    def score(left: Iterable[np.ndarray]) -> np.ndarray:
        sums = zip(left, above, strict=True)
        c, whole = next(sums)
        counts: np.ndarray = c.astype(kind)
        rest: np.ndarray = one - counts
        crossed: np.ndarray = counts * whole
        here = np.multiply(counts, counts, out=counts)
        for c, whole in sums:
            counts = c.astype(kind)
            rest -= counts
            crossed += counts * whole
            here += np.multiply(counts, counts, out=counts)
        crossed += rest * first
        here += np.multiply(rest, rest, out=rest)
        there = squared + here
        there -= np.multiply(crossed, 2, out=crossed)
        parts = (one * one - here) * 0.5 * of_one
        parts += (other * other - there) * 0.5 * of_other
        return 2 * (before - parts)

    return score


class EntropyOrError:
    """Entropy and classification error: a branch scores F(c) - n/N F(C) for a convex F of class weights.

    F is Σ c_k log2 c_k - n log2 n for entropy, and max c_k for the error.
    """

    def __init__(self, target: Target, criterion: str):
        self.groups, self.entropy = target.groups, criterion == "entropy"
        self.xlogx = target.xlogx if isinstance(target, ClassificationTarget) else xlogx

    def convex(self, c: Sequence[np.ndarray], n: np.ndarray) -> np.ndarray:
        """Return F without its last term, summed over the outputs."""
        sums = []
        for group in self.groups:
            of_class = [*(c[k] for k in group), reduce(np.subtract, (c[k] for k in group), n)]
            terms = map(self.xlogx, of_class) if self.entropy else of_class
            sums.append(reduce(np.add if self.entropy else np.maximum, terms))
        return reduce(np.add, sums)

    def last(self, n: np.ndarray) -> np.ndarray | float:
        """Return the last term of F."""
        return self.xlogx(n) * len(self.groups) if self.entropy else 0.0

    def branch(self, branch: Totals, node: Totals) -> np.ndarray:
        """Score branches; `node` has the sums of each branch's node."""
        whole = self.convex(node.channels, node.n) - self.last(node.n)
        part = self.convex(branch.channels, branch.n) - self.last(branch.n)
        return (part - branch.n / node.n * whole) / len(self.groups)

    def cuts(self, n_left: np.ndarray, node: Totals) -> ScoreCuts:
        """Return what scores cuts, given the sums of each channel over their left branches."""
        n_right = node.n - n_left
        base = self.last(n_left) + self.last(n_right) + self.convex(node.channels, node.n) - self.last(node.n)

        def score(left: Iterable[np.ndarray]) -> np.ndarray:
            below = list(left)
            above = [whole - c for c, whole in zip(below, node.channels, strict=True)]
            return (self.convex(below, n_left) + self.convex(above, n_right) - base) / len(self.groups)

        return score


Criterion = Quadratic | EntropyOrError
