"""Value grouping: C4.5's merging of categories into groups with a branch each (chapter 6).

Each value starts as a group of its own. Groups whose rows are all of one class become one. Then, again and
again, the two groups are merged whose merging gives the largest gain ratio, as long as it grows.

References
----------
J. R. Quinlan, "C4.5: Programs for Machine Learning" (1993), chapter 7, "Grouping attribute values".
"""

from typing import NamedTuple

import numpy as np

from dtlib.arrays import xlogx

BETTER = 1e-5  # a merge must raise the gain ratio by so much
OF_ONE_CLASS = 0.1  # rows of other classes that a group of one class may have
NO_SPLIT = -1.0  # less than the worth of any split


class MergeLimits(NamedTuple):
    """The rules of merging."""

    by_ratio: bool  # by gain ratio; else by gain, down to two groups
    row: float  # the weight of a row
    min_leaf: float
    min_information: float
    tie: float


class Grouping(NamedTuple):
    """A grouping of the values, and its worth."""

    groups: tuple[tuple[int, ...], ...]  # positions among the values that have rows
    gain: float  # bits
    information: float  # bits
    worth: float  # gain ratio or gain, NO_SPLIT if nothing is split


class Merging:
    """The groups of one feature at one node, while they are merged.

    Parameters
    ----------
    table : ndarray of shape (K, B)
        Class weights of the values that have rows.
    missing : float
        The weight of rows whose value is missing.
    limits : MergeLimits
    """

    def __init__(self, table: np.ndarray, missing: float, limits: MergeLimits):
        weight = table.sum(0)
        self.limits, self.missing, self.n = limits, missing, weight.sum() + missing
        self.base = float(entropy_times_n(table.sum(1)))
        self.table = table
        self.members: list[tuple[int, ...]] = [(v,) for v in range(table.shape[1])]
        self.steps = [self.step(self.n)]
        large = np.flatnonzero(weight > limits.row / 2)  # values with at most half a row are left out
        self.table, self.members = table[:, large], [(v,) for v in large.tolist()]
        self.total = self.weight.sum() + missing

    @property
    def weight(self) -> np.ndarray:
        """The weight of each group."""
        return self.table.sum(0)

    def step(self, total: float) -> Grouping:
        """Return the groups as they are; `total` is the weight over which split information is taken."""
        within, weight = entropy_times_n(self.table).sum(), self.weight
        gain = (self.base - within) / self.n
        bits = (xlogx(np.array([total, self.missing])) @ [1, -1] - xlogx(weight).sum()) / self.n
        is_split = (weight >= self.limits.row - self.limits.tie).sum() >= 2
        worth = score_of(np.array([gain]), np.array([bits]), np.array([is_split]), self.limits)
        return Grouping(tuple(self.members), float(gain), max(float(bits), 0.0), float(worth[0]))

    def merge(self, a: int, b: int) -> None:
        """Merge two groups; the last group moves to the position of the second."""
        self.table = self.table.copy()
        self.table[:, a] += self.table[:, b]
        self.table[:, b] = self.table[:, -1]
        self.table = self.table[:, :-1]
        self.members[a] = tuple(sorted(self.members[a] + self.members[b]))
        self.members[b] = self.members[-1]
        self.members.pop()

    def merge_pure(self) -> None:
        """Merge the groups of one class with the others of that class."""
        few, a, before = OF_ONE_CLASS * self.limits.row, 0, len(self.members)
        while a < len(self.members) - 1:
            k = int((self.table[:, a] >= few).argmax())
            b = a + 1 if self.is_pure(a, k, few) else len(self.members)
            while b < len(self.members):
                if self.is_pure(b, k, few):
                    self.merge(a, b)
                else:
                    b += 1
            a += 1
        if len(self.members) < before:
            self.steps.append(self.step(self.total))

    def is_pure(self, group: int, k: int, few: float) -> bool:
        """Tell whether all rows of a group but a few are of class k."""
        column = self.table[:, group]
        return bool(column[k] >= column.sum() - few)

    def pairs(self) -> tuple[np.ndarray, np.ndarray]:
        """List the pairs of groups that may be merged.

        Unless three groups have the minimum weight, the largest one stays as it is.
        """
        a, b = np.triu_indices(len(self.members), 1)
        if (self.weight >= self.limits.min_leaf - self.limits.tie).sum() >= 3:
            return a, b
        largest = self.weight.argmax()
        free = (a != largest) & (b != largest)
        return a[free], b[free]

    def measure(self, a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return gain and worth after merging two groups, for each of some pairs."""
        now, weight, large = self.step(self.total), self.weight, self.limits.row - self.limits.tie
        alone, both = entropy_times_n(self.table), weight[a] + weight[b]
        gain = (
            now.gain - (entropy_times_n(self.table[:, a] + self.table[:, b]) - alone[a] - alone[b]) / self.n
        )
        bits = now.information - (xlogx(both) - xlogx(weight)[a] - xlogx(weight)[b]) / self.n
        is_large = (weight >= large).astype(int)
        left = is_large.sum() - is_large[a] - is_large[b] + (both >= large)
        return np.where(left >= 2, gain, NO_SPLIT), score_of(gain, bits, left >= 2, self.limits)

    def climb(self) -> None:
        """Merge pairs of groups, one after the other, until two are left or no merge pays."""
        is_split = (self.weight >= self.limits.row - self.limits.tie).sum() >= 2
        least = self.steps[-1].gain / 2 if is_split else 0.0  # half the gain should be kept
        while len(self.members) > 2:
            limits, before = self.limits, self.steps[-1].worth
            few = (self.weight >= limits.min_leaf - limits.tie).sum() < 2
            a, b = self.pairs()
            gain, worth = self.measure(a, b)
            best = best_pair(gain, worth, least, few or not limits.by_ratio, limits.tie)
            if limits.by_ratio and not few and (best < 0 or worth[best] < before + BETTER):
                return
            self.merge(int(a[best]), int(b[best]))
            self.steps.append(self.step(self.total))


def entropy_times_n(table: np.ndarray) -> np.ndarray:
    """Return the entropy of each column of class weights times its sum, in bits.

    Examples
    --------
    >>> entropy_times_n(np.array([[2.0, 0.0], [2.0, 3.0]]))
    array([4., 0.])
    """
    return xlogx(table.sum(0)) - xlogx(table).sum(0)


def score_of(gain: np.ndarray, bits: np.ndarray, is_split: np.ndarray, limits: MergeLimits) -> np.ndarray:
    """Return gain ratio or gain, NO_SPLIT where there is no split."""
    if not limits.by_ratio:
        return np.where(is_split & (bits > limits.tie), gain, NO_SPLIT)
    fit = is_split & (gain >= -limits.tie) & (bits > max(limits.min_information, limits.tie))
    return np.where(fit, np.maximum(gain, 0) / np.where(fit, bits, 1), NO_SPLIT)


def best_pair(gain: np.ndarray, worth: np.ndarray, least: float, forced: bool, tie: float) -> int:
    """Return the position of the pair to merge, -1 if there is none.

    It is the last pair of the largest worth; but a pair that keeps the least gain replaces one that does not,
    whatever their worth. If a merge is forced, a pair that leaves no split will do as well.

    Examples
    --------
    >>> gain, worth = np.array([0.1, 0.4, 0.4, 0.1]), np.array([0.9, 0.5, 0.5, 0.2])
    >>> best_pair(gain, worth, 0.3, False, 1e-10)
    2
    """
    best, best_gain, best_worth = -1, -np.inf, -np.inf if forced else 0.0
    for i, (g, w) in enumerate(zip(gain.tolist(), worth.tolist(), strict=True)):
        if (g >= least > best_gain) or w >= best_worth - tie:
            best, best_gain, best_worth = i, g, w
    return best


def merge_values(table: np.ndarray, missing: float, limits: MergeLimits) -> list[Grouping]:
    """Group the values of a feature at a node; return all groupings on the way, the final one last.

    Parameters
    ----------
    table : ndarray of shape (K, B)
        Class weights of the values that have rows.
    missing : float
        The weight of rows whose value is missing.
    limits : MergeLimits

    Examples
    --------
    >>> table = np.array([[3.0, 0.0, 2.0], [2.0, 4.0, 3.0]])  # sunny, overcast and rainy days
    >>> [step.groups for step in merge_values(table, 0.0, MergeLimits(True, 1.0, 2.0, 0.0, 1e-10))]
    [((0,), (1,), (2,)), ((0, 2), (1,))]
    """
    found = Merging(table, missing, limits)
    found.merge_pure()
    found.climb()
    last = found.steps[-1]
    if len(last.groups) > len(found.members):  # values with at most half a row are in no group
        found.steps[-1] = last._replace(groups=tuple(found.members), gain=found.step(found.total).gain)
    return found.steps
