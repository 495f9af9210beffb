"""The best trees of at most two levels of splits, from sums over pairs of tests.

The costs of four leaves follow from sums over the points that pass both of two tests: the other three are
differences to the sums over each test, and over all points. So trees of two levels need no more than a table
of pairs [1]_. All its entries are integers below 2**53, so floats hold them exactly.

Legend: P is the number of points, Q that of tests, K that of classes, C that of channels (what is summed).

References
----------
.. [1] E. Demirović et al., "MurTree: optimal decision trees via dynamic programming and search", Journal of
   Machine Learning Research 23 (2022), 26, section 4.2.
"""

import numpy as np

from dtlib.search.questions import CandidateTests

NO_TREE = 1 << 60  # more than the cost of any tree
PAIRS_AT_ONCE = 1 << 20
PER_FEATURE = 16  # tests a feature; with more, products of matrices are slower than sums over cells,
DENSE = 1 << 18  # unless there are at most this many cells in the matrix
LARGEST_MATRIX = 1 << 24  # cells of a matrix


def cost_of_cuts(sums: np.ndarray, whole: np.ndarray, questions: CandidateTests) -> np.ndarray:
    """Return the cost of the two leaves of each test.

    Parameters
    ----------
    sums : ndarray of shape (K + 1, ..., Q)
        The cost of each class over the points that pass each test, and their weight.
    whole : ndarray of shape (K + 1, ...)
        The cost of each class over all points, and their weight.
    questions : CandidateTests
    """
    rest = whole[..., None] - sums
    cost = sums[:-1].min(0) + rest[:-1].min(0) + 2 * questions.alpha
    light = np.minimum(sums[-1], rest[-1])
    cost[(light < questions.least) | (light == 0)] = NO_TREE
    return np.asarray(cost, np.int64)


class PairSums:
    """Sums over those of some points that pass both of two tests.

    With a few tests for each feature, all pairs are a product of matrices. With many thresholds, a point
    passes about half of them: it is quicker to sum, for each test, the points that pass it by their cells.

    Parameters
    ----------
    questions : CandidateTests
    points : int ndarray
        The points of a node.
    channels : ndarray of shape (C, points)
        What is summed: integers as floats.

    Attributes
    ----------
    sums : ndarray of shape (C, Q)
        Sums over the points that pass each test.
    whole : ndarray of shape (C,)
        Sums over all points.
    """

    def __init__(self, questions: CandidateTests, points: np.ndarray, channels: np.ndarray):
        self.questions, self.points, self.channels = questions, points, channels
        self.whole, self.yes = channels.sum(1), None
        d, Q = len(questions.cells), len(questions.feature)
        if len(points) * (Q - PER_FEATURE * d) < DENSE and len(points) * Q <= LARGEST_MATRIX:
            self.yes = questions.answers(points).astype(float)
            self.sums = channels @ self.yes.T
        else:
            self.sums = questions.sums(points, channels)

    def with_one(self, q: int) -> np.ndarray:
        """Return the sums for all pairs with one test, shape (C, Q)."""
        if self.yes is not None:
            return np.asarray((self.channels * self.yes[q]) @ self.yes.T)
        yes = self.questions.answer(q, self.points)
        return self.questions.sums(self.points[yes], self.channels[:, yes])

    def with_some(self, some: np.ndarray) -> np.ndarray:
        """Return the sums for all pairs with each of some tests, shape (C, some, Q)."""
        if self.yes is None:
            return np.stack([self.with_one(q) for q in some.tolist()], axis=1)
        yes = self.yes[some]
        return np.stack([(yes * c) @ self.yes.T for c in self.channels])


def one_level(questions: CandidateTests, points: np.ndarray) -> np.ndarray:
    """Return the cost of the tree of each test alone, shape (Q,)."""
    channels = questions.channels.take(points, axis=1)
    return cost_of_cuts(questions.sums(points, channels), channels.sum(1), questions)


def two_levels(pairs: PairSums, tested: np.ndarray) -> np.ndarray:
    """Return the cost of the best tree of at most two levels whose root is each of some tests.

    Parameters
    ----------
    pairs : PairSums
        The sums of a node; the channels are the cost of each class, and the weight.
    tested : int ndarray
        The tests at the root.

    Returns
    -------
    int64 ndarray of shape (tested,)
        `NO_TREE` where all points are on one side of the test, or too few on a side.

    Examples
    --------
    >>> from dtlib.search.listed import SearchSettings
    >>> from dtlib.search.questions import questions_of
    >>> from dtlib.table.reading import class_targets
    >>> from dtlib.table.training import read_training
    >>> X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    >>> xor = read_training(X, class_targets([0, 1, 1, 0], 4))
    >>> questions = questions_of(xor, np.ones(4), 1 - np.eye(2), SearchSettings(2))
    >>> points = np.arange(4)
    >>> (one_level(questions, points) // questions.leaves * questions.unit).tolist()  # errors
    [2.0, 2.0]
    >>> pairs = PairSums(questions, points, questions.channels)
    >>> (two_levels(pairs, np.arange(2)) // questions.leaves * questions.unit).tolist()
    [0.0, 0.0]
    """
    questions, sums, every = pairs.questions, pairs.sums, pairs.whole
    found, step = np.full(len(tested), NO_TREE), max(1, PAIRS_AT_ONCE // sums.shape[1])
    for a in range(0, len(tested), step):
        some = tested[a : a + step]
        both, one = pairs.with_some(some), sums[:, some]
        other = every[:, None] - one
        cost = np.zeros(len(some), np.int64)
        for part, whole in (both, one), (sums[:, None] - both, other):
            leaf = np.asarray(whole[:-1].min(0) + questions.alpha, np.int64)
            cost += np.minimum(cost_of_cuts(part, whole, questions).min(-1), leaf)
        light = np.minimum(one[-1], other[-1])
        found[a : a + step] = np.where((light < questions.least) | (light == 0), NO_TREE, cost)
    return found
