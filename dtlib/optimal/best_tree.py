"""The search for an optimal tree, and the proof that no other tree costs less.

The best tree below a node depends only on the points that reach it and the levels that are left. So each such
subproblem is solved once: dynamic programming [1]_ [2]_. A subproblem has a lower bound on its cost, and the
cost of the best tree found so far; when both are equal, it is solved. Two levels are solved at once, from
counts of pairs. With more levels, a test is tried as long as the lower bounds of its two sides together are
below the best tree so far. As the cost of points that change sides is bounded, a test that divides the points
almost as a bad one does is bad, too [3]_.

A set of points is a Python integer here, with a bit for each point.

References
----------
.. [1] S. Nijssen, E. Fromont, "Mining optimal decision trees from itemset lattices", KDD 2007, 530-539.
.. [2] G. Aglin, S. Nijssen, P. Schaus, "Learning optimal decision trees using caching branch-and-bound
   search", AAAI 2020, 3146-3153.
.. [3] E. Demirović et al., "MurTree: optimal decision trees via dynamic programming and search", Journal of
   Machine Learning Research 23 (2022), 26.

Examples
--------
>>> from dtlib.search.listed import SearchSettings
>>> from dtlib.search.questions import questions_of
>>> from dtlib.table.reading import class_targets
>>> from dtlib.table.training import read_training
>>> xor = read_training(np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]]), class_targets([0, 1, 1, 0], 4))
>>> search = BestTree(questions_of(xor, np.ones(4), 1 - np.eye(2), SearchSettings(2)))
>>> root = search.find(2)
>>> root.is_solved, [(*node, q) for node, q in search.outline(2).items() if q >= 0]  # level, first point
(True, [(0, 0, 0), (1, 0, 1), (1, 2, 1)])
"""

import time
from functools import cached_property
from typing import NamedTuple

import numpy as np

from dtlib.jit import is_ready
from dtlib.optimal.two_levels import NO_TREE, PairSums, one_level, two_levels
from dtlib.search.questions import CandidateArrays, CandidateTests

SUMS_AT_ONCE = 1 << 21  # numbers added between two looks at the clock, which take some 20 ms
FASTER = 8  # compiled code adds this many times as many in that time
NOWHERE = np.empty(0, np.int64)
FROM_START = -2  # instead of a test at the root: no tree is known that costs less than the start

#: The question of each inner node of a tree, by its level and the first of its points; -1 for a leaf of which
#: it is proved that no question is better.
Outline = dict[tuple[int, int], int]


class Start(NamedTuple):
    """The tree with which a search begins: its cost, and its tests."""

    cost: int
    outline: Outline


NO_START = Start(NO_TREE, {})


class Subproblem:
    """A subproblem: bounds and the best tree so far for a set of points and a number of levels.

    The best tree costs at least `lower`; the best one so far costs `upper` and has the test `question` at its
    root (-1 for none), then best trees of `below` levels. With more than two levels, `bound` has a lower
    bound for each test at the root, and `order` is the order in which they are tried.
    """

    __slots__ = ("below", "bound", "lower", "order", "question", "upper")

    def __init__(self, lower: int, upper: int):
        self.lower, self.upper, self.question, self.below = lower, upper, -1, 0
        self.bound = self.order = NOWHERE

    @property
    def is_solved(self) -> bool:
        """Whether it is proved that no tree costs less."""
        return self.lower == self.upper


class BestTree:
    """The search for an optimal tree.

    Its steps do not depend on the time limit, until time is up. The best tree so far is only replaced by a
    cheaper one, so more time never gives a worse tree.

    Parameters
    ----------
    questions : CandidateTests
    end : float
        When time is up, by `time.monotonic`; default: never.
    start : Start
        The best tree so far; default: none is known.

    Attributes
    ----------
    every : int
        The set of all points.
    """

    def __init__(self, questions: CandidateTests, end: float = np.inf, start: Start = NO_START):
        self.questions, self.end, self.start = questions, end, start
        self.known = dict[tuple[int, int], Subproblem]()
        self.every, self.sides = (1 << len(questions.costs)) - 1, dict[int, int]()
        self.worst = questions.costs.max(1).astype(float)
        self.is_compiled = is_ready("optimal", len(questions.costs) * len(questions.feature) ** 2)

    @cached_property
    def table(self) -> CandidateArrays:
        """The tests, as compiled functions read them."""
        return compiled_table(self.questions)

    @property
    def is_late(self) -> bool:
        """Whether time is up."""
        return time.monotonic() >= self.end

    def points(self, some: int) -> np.ndarray:
        """Return the indices of the points of a set."""
        packed = np.frombuffer(some.to_bytes((len(self.worst) + 7) // 8, "little"), np.uint8)
        return np.flatnonzero(np.unpackbits(packed, bitorder="little"))

    def yes(self, q: int) -> int:
        """Return the set of the points that pass a test."""
        if q not in self.sides:
            self.sides[q] = set_of(self.questions.answer(q, np.arange(len(self.worst))))
        return self.sides[q]

    def find(self, depth: int) -> Subproblem:
        """Search for the best tree of at most `depth` levels, as long as there is time."""
        root = self.begun(self.every, needed(self.every, depth))
        if self.start.cost < root.upper:
            root.upper, root.question = self.start.cost, FROM_START
        return self.solve(self.every, depth)

    def solve(self, some: int, depth: int, limit: int = NO_TREE) -> Subproblem:
        """Return a subproblem that is solved, or known to cost more than a limit, if there is time.

        Parameters
        ----------
        some : int
            The set of its points.
        depth : int
            The number of levels left.
        limit : int
        """
        depth = needed(some, depth)
        node = self.begun(some, depth)
        if len(node.order) and node.lower < node.upper and node.lower <= limit:
            self.go_on(node, some, depth, limit)
        return node

    def begun(self, some: int, depth: int) -> Subproblem:
        """Return a subproblem, with no more levels than needed; a new one is searched to two levels."""
        node = self.known.get((some, depth))
        if node is None:
            points, alpha = self.points(some), self.questions.alpha
            leaf = int(self.questions.costs[points].sum(0).min()) + alpha
            node = self.known[some, depth] = Subproblem(min(leaf, 2 * alpha), leaf)
            if depth == 0 or not len(self.questions.feature):
                node.lower = leaf
            elif not node.is_solved:
                self.begin(node, points, depth)
        return node

    def begin(self, node: Subproblem, points: np.ndarray, depth: int) -> None:
        """Find the best tree of at most two levels, or of one level if time is up."""
        Q, seen = len(self.questions.feature), 0
        step = 0 if depth == 1 or self.is_late else self.questions_at_once(len(points))
        if step < Q:
            cost = one_level(self.questions, points)
            order = np.argsort(cost, kind="stable")  # the most promising first, in case time is up
        else:
            cost, order = np.empty(Q, np.int64), np.arange(Q)
        if step:
            seen = self.two_levels(points, order, cost, step)
        best = int(cost.argmin())
        if cost[best] < node.upper:
            is_seen = seen == Q or best in order[:seen]
            node.upper, node.question, node.below = int(cost[best]), best, int(is_seen)
        if depth == 1 or (depth == 2 and seen == Q):
            node.lower = node.upper
        elif depth > 2:
            node.order = np.argsort(cost, kind="stable")
            node.bound = np.where(cost == NO_TREE, NO_TREE, 2 * self.questions.alpha)

    def two_levels(self, points: np.ndarray, order: np.ndarray, cost: np.ndarray, step: int) -> int:
        """Write the cost of the best tree of at most two levels for each test at the root, in an order.

        Return for how many tests there was time; the clock is read after every `step` tests.
        """
        pairs: PairSums | None = None
        for a in range(0, len(order), step):
            if a and self.is_late:
                return a
            tested = order[a : a + step]
            if self.is_compiled:
                from dtlib.optimal.below_two import all_below_two

                all_below_two(points, tested, cost, self.table)
            else:
                channels = self.questions.channels
                pairs = pairs or PairSums(self.questions, points, channels.take(points, axis=1))
                cost[tested] = two_levels(pairs, tested)
        return len(order)

    def questions_at_once(self, points: int) -> int:
        """Return for how many root tests two levels are searched between two looks at the clock."""
        (d, _), Q = self.questions.cells.shape, len(self.questions.feature)
        if self.end == np.inf:
            return Q
        each = len(self.questions.channels) * (Q + d * points)
        return max(1, SUMS_AT_ONCE * (FASTER if self.is_compiled else 1) // each)

    def go_on(self, node: Subproblem, some: int, depth: int, limit: int) -> None:
        """Try the tests that may be at the root of a cheaper tree within the limit."""
        similar = Similar(self, some)
        for q in node.order.tolist():
            if node.bound[q] >= node.upper or node.bound[q] > limit:
                continue
            if self.is_late:
                break
            self.ask(node, some, depth, q, min(limit, node.upper - 1))
            if not self.questions.least:  # with a least weight, moving points might make a tree invalid
                np.maximum(node.bound, node.bound[q] - similar.moved(q), out=node.bound)
        node.lower = max(node.lower, min(node.upper, int(node.bound.min())))

    def ask(self, node: Subproblem, some: int, depth: int, q: int, limit: int) -> bool:
        """Search for the best tree with a test at its root; tell whether the subproblem takes it."""
        yes, no = some & self.yes(q), some & ~self.yes(q)
        one = self.solve(yes, depth - 1, limit - self.questions.alpha)
        lower = one.lower + self.questions.alpha
        if lower <= limit:
            other = self.solve(no, depth - 1, limit - one.lower)
            lower, upper = one.lower + other.lower, one.upper + other.upper
            if upper <= limit:  # then both sides are solved, or there is no time to find better trees
                node.upper, node.question, node.below = upper, q, depth - 1
        node.bound[q] = max(lower, node.bound[q])
        return node.question == q

    def settle(self, some: int, depth: int) -> Subproblem:
        """Return a subproblem whose root is the first of equal tests, if there was time to solve it."""
        node, depth = self.solve(some, depth), needed(some, depth)
        if len(node.order) and node.is_solved:
            for q in range(len(node.order) if node.question == FROM_START else node.question):
                is_equal = node.bound[q] <= node.upper and not self.is_late
                if is_equal and self.ask(node, some, depth, q, node.upper):
                    break
        return node

    def outline(self, depth: int) -> Outline:
        """Return the tests of the best tree that `find` has found, given the depth passed to it."""
        if self.settle(self.every, depth).question == FROM_START:
            return self.start.outline
        outline, todo = Outline(), [(self.every, depth, 0)]
        while todo:
            some, below, level = todo.pop()
            node, below, point = self.settle(some, below), needed(some, below), first_point(some)
            if (q := node.question) >= 0:
                below = below - 1 if node.is_solved else node.below
                outline[level, point] = q
                todo += [(side, below, level + 1) for side in (some & self.yes(q), some & ~self.yes(q))]
            elif node.is_solved and below == needed(some, depth - level):  # with all levels that are left
                outline[level, point] = q
        return outline


class Similar:
    """Upper bounds on the cost of points that change sides when one test is replaced by another."""

    def __init__(self, search: BestTree, some: int):
        self.search, self.some = search, some
        self.pairs: PairSums | None = None

    def moved(self, q: int) -> np.ndarray:
        """Return the largest cost of the points on which a test and each other one differ.

        If the points on which they agree cost less, theirs is returned: the two sides may be swapped.
        """
        if self.pairs is None:  # computed at the first call
            points = self.search.points(self.some)
            self.pairs = PairSums(self.search.questions, points, self.search.worst[None, points])
        (sums,), (whole,) = self.pairs.sums, self.pairs.whole
        unlike = sums[q] + sums - 2 * self.pairs.with_one(q)[0]
        return np.minimum(unlike, whole - unlike).astype(np.int64)


def needed(some: int, depth: int) -> int:
    """Return how many of the levels left can be needed: each test separates at least one point.

    Examples
    --------
    >>> needed(0b1011, 1), needed(0b1011, 9)
    (1, 2)
    """
    return min(depth, some.bit_count() - 1)


def first_point(some: int) -> int:
    """Return the first point of a set.

    Examples
    --------
    >>> first_point(0b1100)
    2
    """
    return (some & -some).bit_length() - 1


def compiled_table(questions: CandidateTests) -> CandidateArrays:
    """Return the arrays of the tests that `all_below_two` needs."""
    cells, first, mask = questions.cells, questions.first, questions.mask
    start = np.append(0, np.cumsum((cells >= 0).sum(0)))
    follows = np.flatnonzero((first < np.arange(len(first))) & (mask == 0))
    channels = np.column_stack([questions.costs, questions.weight]) if questions.least else questions.costs
    return CandidateArrays(
        start, cells.T[cells.T >= 0].astype(np.intp), follows, questions.joined, cells, questions.feature,
        first, mask, np.ascontiguousarray(channels), questions.costs.shape[1], questions.alpha,
        questions.least,
    )  # fmt: skip


def set_of(members: np.ndarray) -> int:
    """Return a set of points as an integer, with bit p for point p.

    Examples
    --------
    >>> set_of(np.array([True, False, True]))
    5
    """
    return int.from_bytes(np.packbits(members, bitorder="little").tobytes(), "little")
