"""The scores of splits: a scorer for each kind of criterion (chapters 7, 8 and 11).

The score of a split is a function of the exact sums of `dtlib.counting.targets`: N Δ, its decrease of
impurity times the weight of its node, or N times its `goodness`, if the criterion defines one. The scorer of
each criterion is named in `dtlib.counting.criteria`.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from functools import reduce
from typing import TYPE_CHECKING

import numpy as np

from dtlib.arrays import TINY, log_excess

if TYPE_CHECKING:
    from dtlib.counting.targets import Outputs, Totals

IN_FLOATS = 1 << 26  # up to so much weight, floats hold its square
ScoreCuts = Callable[[Iterable[np.ndarray]], np.ndarray]


class Scorer(ABC):
    """Scores splits of the nodes of a target, by the sums over their branches."""

    @abstractmethod
    def cuts(self, n_left: np.ndarray, node: "Totals") -> ScoreCuts:
        """Return a function that scores cuts, given the sums of each channel over their left branches."""

    @abstractmethod
    def branch(self, branch: "Totals", node: "Totals") -> np.ndarray:
        """Score branches, whose scores add up to that of a split; `node` has the sums of each one's node."""

    @property
    def free(self) -> "Scorer":
        """A scorer that forbids no branch."""
        return self

    def two_branches(self, one: "Totals", node: "Totals") -> np.ndarray:
        """Score splits into one branch and the rest of the node."""
        return self.branch(one, node) + self.branch(node.less(one), node)


class Quadratic(Scorer):
    """Gini and squared error: a branch scores Σ_k (c_k - n C_k / N)² / n.

    Here c_k and n are the sums over the branch, C_k and N those over the node. Of two branches, the distances
    in brackets differ in sign only.

    Examples
    --------
    >>> from dtlib.counting.targets import ClassificationTarget, Totals
    >>> from dtlib.table.columns import Column
    >>> target = ClassificationTarget([Column("y", ("no", "yes"), np.array([0, 0, 1, 1]))], None, "gini")
    >>> node = Totals(np.array(4), [np.array(2)], np.array(4))
    >>> Quadratic(target).cuts(np.array([1, 2, 3]), node)([np.array([0, 0, 1])])  # of 4 rows, 2 in class yes
    array([0.66666667, 2.        , 0.66666667])
    """

    def __init__(self, target: "Outputs"):
        self.groups, self.has_rest, self.in_pairs = target.groups, target.has_rest, target.in_pairs
        self.binary = self.has_rest and all(len(group) == 1 for group in self.groups)

    def squares(self, distances: list[np.ndarray]) -> np.ndarray:
        """Return Σ_k d_k² over all outputs; the class without a channel has the rest of the weight."""
        terms: list[np.ndarray] = []
        for group in filter(len, self.groups):  # an output with one class adds nothing
            terms += [distances[k] for k in group]
            if self.has_rest and not self.binary:
                terms.append(-reduce(np.add, (distances[k] for k in group)))
        for d in terms:
            d *= d
        return reduce(lambda total, d: np.add(total, d, out=total), terms)

    def branch(self, branch: "Totals", node: "Totals") -> np.ndarray:
        """Score branches; `node` has the sums of each branch's node."""
        expected = branch.n / node.n
        distances = [c - expected * t for c, t in zip(branch.channels, node.channels, strict=True)]
        # N times (7.10), branch by branch: in regression, each term of (11.3)
        return self.scaled(self.squares(distances) / np.maximum(branch.n, 1))

    def scaled(self, score: np.ndarray) -> np.ndarray:
        """Average over the outputs; of two classes, each has half of the sum of squares."""
        score *= (2 if self.binary else 1) / len(self.groups)
        return score

    def cuts(self, n_left: np.ndarray, node: "Totals") -> ScoreCuts:
        """Return a function that scores cuts, given the sums of each channel over their left branches.

        Their score is Σ_k d_k² (1/n_left + 1/n_right), as d_k differs in sign only between the sides. With
        several classes, pairs of rows of different classes are counted instead: N times the Gini index of N
        rows is 2/N for each pair.
        """
        if self.in_pairs:
            return PairScores(n_left, node)
        # N times (7.14), by which (8.2) is below Gini(D); in regression (11.5)
        factor = self.scaled(1 / np.maximum(n_left, 1) + 1 / np.maximum(node.n - n_left, 1))
        share = n_left / node.n
        expected = [share * total for total in node.channels]

        def score(left: Iterable[np.ndarray]) -> np.ndarray:
            squares = self.squares([sums - e for sums, e in zip(left, expected, strict=True)])
            squares *= factor
            return squares

        return score


class PairScores:
    """Scores cuts by the pairs of rows of different classes that they separate.

    Among n rows, c of each class, (n² - Σ c²) / 2 pairs differ. Of the squares on the right, (C - c)², only
    the sums of c² and of c C are new at each cut. All are integers, kept in floats while these hold them.

    Parameters
    ----------
    n_left : int ndarray
        The weight on the left of each cut.
    node : Totals
        The sums of its node.

    Examples
    --------
    >>> from dtlib.counting.targets import Totals
    >>> node = Totals(np.array([4]), [np.array([1]), np.array([1])], np.array([4]))  # classes of 2, 1, 1
    >>> scores = PairScores(np.array([1, 2]), node)
    >>> scores([np.array([0, 0]), np.array([0, 0])])
    array([0.5, 1.5])
    >>> scores.of_sums(np.array([1, 4]), np.array([2, 4]))
    array([0.5, 1.5])
    """

    def __init__(self, n_left: np.ndarray, node: "Totals"):
        self.kind = np.float64 if node.n.max(initial=0) <= IN_FLOATS else np.int64
        n, *self.above = (x.astype(self.kind) for x in (node.n, *node.channels))
        self.one = n_left.astype(self.kind)
        self.other = n - self.one
        self.first = reduce(np.subtract, self.above, n)
        self.squared = reduce(np.add, (c * c for c in self.above), self.first * self.first)
        self.of_one, self.of_other = (1 / np.maximum(x, 1) for x in (self.one, self.other))
        self.before = (n * n - self.squared) * 0.5 * (1 / np.maximum(n, 1))

    def __call__(self, left: Iterable[np.ndarray]) -> np.ndarray:
        """Score the cuts, given the weight of each class but the first on the left."""
        sums = zip(left, self.above, strict=True)
        c, whole = next(sums)
        counts: np.ndarray = c.astype(self.kind)
        rest: np.ndarray = self.one - counts
        crossed: np.ndarray = counts * whole
        here = np.multiply(counts, counts, out=counts)
        for c, whole in sums:
            counts = c.astype(self.kind)
            rest -= counts
            crossed += counts * whole
            here += np.multiply(counts, counts, out=counts)
        crossed += rest * self.first
        here += np.multiply(rest, rest, out=rest)
        return self.of_sums(here, crossed)

    def of_sums(self, here: np.ndarray, crossed: np.ndarray) -> np.ndarray:
        """Score the cuts, given Σ c² and Σ c C on the left."""
        here = here.astype(self.kind, copy=False)
        there = self.squared + here
        there -= np.multiply(crossed, 2, dtype=self.kind)
        parts = (self.one * self.one - here) * 0.5 * self.of_one
        parts += (self.other * self.other - there) * 0.5 * self.of_other  # half of N times (8.2)
        return 2 * (self.before - parts)


class Convex(Scorer):
    """Entropy and misclassification: a branch scores F(c) - n/N F(C) for a convex F of class weights.

    F is Σ c_k log2 c_k - n log2 n for entropy, and max c_k for misclassification.
    """

    def __init__(self, target: "Outputs"):
        self.groups, self.xlogx = target.groups, target.xlogx

    @abstractmethod
    def of_classes(self, weights: Sequence[np.ndarray]) -> np.ndarray:
        """Return F without its last term, given the weight of each class."""

    @abstractmethod
    def last(self, n: np.ndarray) -> np.ndarray | float:
        """Return the last term of F, summed over the outputs."""

    def convex(self, c: Sequence[np.ndarray], n: np.ndarray) -> np.ndarray:
        """Return F without its last term, summed over the outputs."""
        rests = [reduce(np.subtract, (c[k] for k in group), n) for group in self.groups]
        return reduce(
            np.add,
            [
                self.of_classes([*(c[k] for k in group), rest])
                for group, rest in zip(self.groups, rests, strict=True)
            ],
        )

    def branch(self, branch: "Totals", node: "Totals") -> np.ndarray:
        """Score branches; `node` has the sums of each branch's node."""
        whole = self.convex(node.channels, node.n) - self.last(node.n)
        part = self.convex(branch.channels, branch.n) - self.last(branch.n)
        return (part - branch.n / node.n * whole) / len(self.groups)  # N times (7.10), branch by branch

    def cuts(self, n_left: np.ndarray, node: "Totals") -> ScoreCuts:
        """Return a function that scores cuts, given the sums of each channel over their left branches."""
        n_right = node.n - n_left
        base = self.last(n_left) + self.last(n_right) + self.convex(node.channels, node.n) - self.last(node.n)

        def score(left: Iterable[np.ndarray]) -> np.ndarray:
            below = list(left)
            above = [whole - c for c, whole in zip(below, node.channels, strict=True)]
            # N times (7.10); of entropies N times (3.3), which (4.1) compares
            return (self.convex(below, n_left) + self.convex(above, n_right) - base) / len(self.groups)

        return score


class Entropy(Convex):
    """The entropy, in bits; the target looks up the logarithms of integers."""

    def of_classes(self, weights: Sequence[np.ndarray]) -> np.ndarray:
        """Return Σ c_k log2 c_k."""
        return reduce(np.add, map(self.xlogx, weights))

    def last(self, n: np.ndarray) -> np.ndarray:
        """Return n log2 n for each output."""
        return self.xlogx(n) * len(self.groups)


class Misclassification(Convex):
    """The classification error."""

    def of_classes(self, weights: Sequence[np.ndarray]) -> np.ndarray:
        """Return max c_k."""
        return reduce(np.maximum, weights)

    def last(self, n: np.ndarray) -> float:
        """Return 0: F is the maximum alone."""
        return 0.0


class OfTables(Scorer):
    """Any criterion of classes: N times its formula, applied to the table of each split; slow but general.

    Examples
    --------
    >>> from dtlib.counting.targets import ClassificationTarget, Totals
    >>> from dtlib.table.columns import Column
    >>> target = ClassificationTarget([Column("y", ("no", "yes"), np.array([0, 0, 1, 1]))], None, "gini")
    >>> node = Totals(np.array(4), [np.array(2)], np.array(4))
    >>> OfTables(target).cuts(np.array([1, 2, 3]), node)([np.array([0, 0, 1])])
    array([0.66666667, 2.        , 0.66666667])
    """

    def __init__(self, target: "Outputs"):
        self.groups, self.criterion = target.groups, target.criterion

    def counts(self, channels: Sequence[np.ndarray], n: np.ndarray) -> Iterator[np.ndarray]:
        """Yield the class weights of each output, shape (..., classes)."""
        for group in self.groups:
            of_class = [channels[k] for k in group]
            first = reduce(np.subtract, of_class, n)
            yield np.stack(np.broadcast_arrays(first, *of_class), axis=-1).astype(float)

    def cuts(self, n_left: np.ndarray, node: "Totals") -> ScoreCuts:
        """Return a function that scores cuts, given the sums of each channel over their left branches."""

        def score(left: Iterable[np.ndarray]) -> np.ndarray:
            below = list(left)
            above = [whole - c for c, whole in zip(below, node.channels, strict=True)]
            sides = zip(self.counts(below, n_left), self.counts(above, node.n - n_left), strict=True)
            with np.errstate(divide="ignore", invalid="ignore"):  # a side without rows is no cut
                worth = [self.criterion.worth(np.stack(np.broadcast_arrays(*x), axis=-2)) for x in sides]
            return np.asarray(node.n * reduce(np.add, worth) / len(worth))  # with one class, a single 0

        return score

    def branch(self, branch: "Totals", node: "Totals") -> np.ndarray:
        """Score branches; `node` has the sums of each branch's node."""
        if self.criterion.goodness is not None:
            raise ValueError(
                f"criterion {self.criterion.name!r} scores two branches together, so no branch by itself: "
                f"wanted questions with two answers"
            )
        both = zip(self.counts(branch.channels, branch.n), self.counts(node.channels, node.n), strict=True)
        lost = [self.criterion.unchecked(whole) - self.criterion.unchecked(part) for part, whole in both]
        return np.asarray(branch.n * reduce(np.add, lost) / len(lost))

    def two_branches(self, one: "Totals", node: "Totals") -> np.ndarray:
        """Score splits into one branch and the rest of the node."""
        return self.cuts(one.n, node)(one.channels)


class Rates(Scorer):
    """Poisson deviance: a branch scores E (m ln m - m + 1), where m is its sum of targets divided by E.

    E is what the branch would have of the sum of its node, in proportion to its weight. A branch whose
    targets are all 0 predicts 0, under which no event could ever happen: such a split scores -inf, unless the
    target allows it.

    Examples
    --------
    >>> from dtlib.counting.rates import RateTarget
    >>> from dtlib.counting.targets import Totals
    >>> from dtlib.table.columns import Column
    >>> target = RateTarget([Column("y", np.array([0.0, 1, 3]), np.arange(3), "numeric")], None, "poisson")
    >>> node = Totals(np.array(3), [np.array(4)], np.array(3))
    >>> Rates(target).cuts(np.array([1, 2]), node)([np.array([0, 1])]).round(3)  # ln 1/2 + 3 ln 3 - 4 ln 4/3
    array([ -inf, 1.452])
    """

    def __init__(self, target: "Outputs"):
        self.zero_rates = target.zero_rates

    @property
    def free(self) -> Scorer:
        """A scorer that forbids no branch."""
        other = copy(self)
        other.zero_rates = True
        return other

    def of_output(self, c: np.ndarray, expected: np.ndarray) -> np.ndarray:
        """Score the branches by one output, given its sums and those that are expected."""
        expected = np.maximum(expected, TINY)
        score = expected * log_excess(c / expected)
        return score if self.zero_rates else np.where(c > 0, score, -np.inf)

    def branch(self, branch: "Totals", node: "Totals") -> np.ndarray:
        """Score branches; `node` has the sums of each branch's node."""
        share = branch.n / node.n
        each = (self.of_output(c, share * t) for c, t in zip(branch.channels, node.channels, strict=True))
        return np.asarray(reduce(np.add, each) / len(node.channels))

    def cuts(self, n_left: np.ndarray, node: "Totals") -> ScoreCuts:
        """Return a function that scores cuts, given the sums of each channel over their left branches."""
        share = n_left / node.n

        def score(left: Iterable[np.ndarray]) -> np.ndarray:
            total: np.ndarray | float = 0.0
            for below, whole in zip(left, node.channels, strict=True):
                expected = share * whole
                both = self.of_output(below, expected) + self.of_output(whole - below, whole - expected)
                total = total + both
            return np.asarray(total / len(node.channels))

        return score
