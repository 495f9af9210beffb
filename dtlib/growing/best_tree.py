"""The tree that costs least, and the proof that no other one costs less.

Which tree is best below a node depends on nothing but the points that come there, and the levels that are
left. So each such subproblem is solved once: dynamic programming [1]_ [2]_. Of each is known what its best
tree costs at least, and what the best one found so far costs; when both are equal it is solved. Two levels
are solved at once, by counts of pairs. With more of them, a question is tried as long as its two sides might
together cost less than the best tree so far. As points that change sides cost so much at most, a question
that parts almost the same points as a bad one is bad, too [3]_.

A set of points is a whole number here, with a bit for each point.

References
----------
.. [1] S. Nijssen, E. Fromont, "Mining optimal decision trees from itemset lattices", KDD 2007, 530-539.
.. [2] G. Aglin, S. Nijssen, P. Schaus, "Learning optimal decision trees using caching branch-and-bound
   search", AAAI 2020, 3146-3153.
.. [3] E. Demirović et al., "MurTree: optimal decision trees via dynamic programming and search", Journal of
   Machine Learning Research 23 (2022), 26.

Examples
--------
>>> from dtlib.search.listed import Terms
>>> from dtlib.search.questions import questions_of
>>> from dtlib.table.reading import class_targets
>>> from dtlib.table.training import read_training
>>> xor = read_training(np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]]), class_targets([0, 1, 1, 0], 4))
>>> search = BestTree(questions_of(xor, np.ones(4), 1 - np.eye(2), Terms(2)))
>>> root = search.solve(search.every, 2)
>>> root.lower == root.upper, root.question, search.cost(search.every, 2) == root.upper
(True, 0, True)
"""

import time
from typing import Any

import numpy as np

from dtlib.jit import has_numba
from dtlib.search.questions import AllQuestions
from dtlib.search.two_levels import NO_TREE, PairSums, one_level, two_levels

ANSWERS_AT_ONCE = 1 << 30  # answers to pairs of questions between two looks at the clock
NOWHERE = np.empty(0, np.int64)


class Subproblem:
    """What is known of some points and so many levels.

    The best tree costs at least `lower`; the best one so far costs `upper`, and asks `question` first, -1 for
    none. With more than two levels, `bound` is what a tree costs at least that asks each question first, and
    `order` the order in which they are tried.
    """

    __slots__ = ("bound", "lower", "order", "question", "upper")

    def __init__(self, lower: int, upper: int):
        self.lower, self.upper, self.question = lower, upper, -1
        self.bound = self.order = NOWHERE

    @property
    def is_solved(self) -> bool:
        """Whether no tree costs less."""
        return self.lower == self.upper


class BestTree:
    """The search for the tree that costs least.

    Parameters
    ----------
    questions : AllQuestions
    time_limit : float, optional
        Seconds after which no more is tried.

    Attributes
    ----------
    every : int
        The set of all points.
    """

    def __init__(self, questions: AllQuestions, time_limit: float | None = None):
        self.questions, self.known = questions, dict[tuple[int, int], Subproblem]()
        self.end = np.inf if time_limit is None else time.monotonic() + time_limit
        self.every, self.sides = (1 << len(questions.costs)) - 1, dict[int, int]()
        self.worst = questions.costs.max(1).astype(float)
        self.is_compiled = has_numba()
        if self.is_compiled:
            self.table = compiled_table(questions)

    @property
    def is_late(self) -> bool:
        """Whether the time is up."""
        return time.monotonic() >= self.end

    def points(self, some: int) -> np.ndarray:
        """Return the places of the points of a set."""
        packed = np.frombuffer(some.to_bytes((len(self.worst) + 7) // 8, "little"), np.uint8)
        return np.flatnonzero(np.unpackbits(packed, bitorder="little"))

    def yes(self, q: int) -> int:
        """Return the set of the points that say yes to a question."""
        if q not in self.sides:
            self.sides[q] = set_of(self.questions.answer(q, np.arange(len(self.worst))))
        return self.sides[q]

    def solve(self, some: int, depth: int, limit: int = NO_TREE) -> Subproblem:
        """Return a subproblem that is solved, or known to cost more than a limit; if there is time.

        Parameters
        ----------
        some : int
            The set of its points.
        depth : int
            How many levels are left.
        limit : int
        """
        depth = min(depth, some.bit_count() - 1)  # more would not be needed
        node = self.known.get((some, depth))
        if node is None:
            points, price = self.points(some), self.questions.price
            leaf = int(self.questions.costs[points].sum(0).min()) + price
            node = self.known[some, depth] = Subproblem(min(leaf, 2 * price), leaf)
            if depth == 0 or not len(self.questions.feature):
                node.lower = leaf
            elif not node.is_solved:
                self.begin(node, points, depth)
        if len(node.order) and node.lower < node.upper and node.lower <= limit:
            self.go_on(node, some, depth, limit)
        return node

    def begin(self, node: Subproblem, points: np.ndarray, depth: int) -> None:
        """Find the best tree of at most two levels."""
        seen = Q = len(self.questions.feature)
        if depth == 1:
            cost = one_level(self.questions, points)
        else:
            cost, seen = self.two_levels(points)
        if seen < Q:
            cost = np.minimum(cost, one_level(self.questions, points))
        first = int(cost.argmin())
        if cost[first] < node.upper:
            node.upper, node.question = int(cost[first]), first
        if depth <= 2 and seen == Q:
            node.lower = node.upper
        elif depth > 2:
            node.order = np.argsort(cost, kind="stable")
            node.bound = np.where(cost == NO_TREE, NO_TREE, 2 * self.questions.price)

    def two_levels(self, points: np.ndarray) -> tuple[np.ndarray, int]:
        """Return what the best tree of at most two levels costs for each first question, and for how many."""
        Q, pairs = len(self.questions.feature), None
        found, step = np.full(Q, NO_TREE), max(1, ANSWERS_AT_ONCE // (Q * len(points)))
        if not self.is_compiled:
            pairs = PairSums(self.questions, points, self.questions.channels.take(points, axis=1))
        for a in range(0, Q, step):
            b = min(a + step, Q)
            if self.is_late:
                return found, a
            if pairs is None:
                from dtlib.compiled.below_two import all_below_two

                all_below_two(points, a, found[a:b], *self.table)
            else:
                found[a:b] = two_levels(pairs, a, b)
        return found, Q

    def go_on(self, node: Subproblem, some: int, depth: int, limit: int) -> None:
        """Try the questions that may be the first of a tree that costs less, and no more than a limit."""
        similar = Similar(self, some)
        for q in node.order.tolist():
            if node.bound[q] >= node.upper or node.bound[q] > limit:
                continue
            if self.is_late:
                break
            self.ask(node, some, depth, q, min(limit, node.upper - 1))
            if not self.questions.least:  # else a tree may not be allowed where points have moved
                np.maximum(node.bound, node.bound[q] - similar.moved(q), out=node.bound)
        node.lower = max(node.lower, min(node.upper, int(node.bound.min())))

    def ask(self, node: Subproblem, some: int, depth: int, q: int, limit: int) -> bool:
        """Look for the best tree that asks a question first; tell whether it is taken: it costs so little."""
        yes, no = some & self.yes(q), some & ~self.yes(q)
        one = self.solve(yes, depth - 1, limit - self.questions.price)
        lower = one.lower + self.questions.price
        if lower <= limit:
            other = self.solve(no, depth - 1, limit - one.lower)
            lower, upper = one.lower + other.lower, one.upper + other.upper
            if upper < node.upper or upper <= limit:
                node.upper, node.question = upper, q
        node.bound[q] = max(lower, node.bound[q])
        return node.question == q

    def settle(self, some: int, depth: int) -> Subproblem:
        """Return a subproblem that asks the first one of equal questions, if there was time to solve it."""
        node = self.solve(some, depth)
        depth = min(depth, some.bit_count() - 1)
        if len(node.order) and node.is_solved and not self.is_late:
            for q in range(max(node.question, 0)):
                if node.bound[q] <= node.upper and self.ask(node, some, depth, q, node.upper):
                    break
        return node

    def cost(self, some: int, depth: int) -> int:
        """Return what the tree costs that was found."""
        q = self.settle(some, depth).question
        if q < 0:
            return int(self.questions.costs[self.points(some)].sum(0).min()) + self.questions.price
        return self.cost(some & self.yes(q), depth - 1) + self.cost(some & ~self.yes(q), depth - 1)


class Similar:
    """What it costs at most that points change sides when another question is asked."""

    def __init__(self, search: BestTree, some: int):
        self.search, self.some = search, some
        self.pairs: PairSums | None = None

    def moved(self, q: int) -> np.ndarray:
        """Return what the points cost at most that answer one question and each other one differently.

        Or the points that answer them alike, if these cost less: both sides may change places.
        """
        if self.pairs is None:  # the first time it is asked
            points = self.search.points(self.some)
            self.pairs = PairSums(self.search.questions, points, self.search.worst[None, points])
        (sums,), (whole,) = self.pairs.sums, self.pairs.whole
        unlike = sums[q] + sums - 2 * self.pairs.with_one(q)[0]
        return np.minimum(unlike, whole - unlike).astype(np.int64)


def compiled_table(questions: AllQuestions) -> tuple[Any, ...]:
    """Return what `all_below_two` needs of the questions."""
    cells, first, mask = questions.cells, questions.first, questions.mask
    start = np.append(0, np.cumsum((cells >= 0).sum(0)))
    follows = np.flatnonzero((first < np.arange(len(first))) & (mask == 0))
    channels = np.column_stack([questions.costs, questions.weight]) if questions.least else questions.costs
    return (
        start, cells.T[cells.T >= 0].astype(np.intp), follows, questions.joined, cells, questions.feature,
        first, mask, np.ascontiguousarray(channels), questions.costs.shape[1], questions.price,
        questions.least,
    )  # fmt: skip


def set_of(members: np.ndarray) -> int:
    """Return a set of points as a whole number.

    Examples
    --------
    >>> set_of(np.array([True, False, True]))
    5
    """
    return int.from_bytes(np.packbits(members, bitorder="little").tobytes(), "little")
