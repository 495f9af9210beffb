"""The best trees of at most two levels of questions, from counts of pairs of answers.

What four leaves cost follows from what the points cost that say yes to both of two questions: the others are
what is left of those that say yes to one of them, and of all. So trees of two levels need no more than a
table of pairs [1]_. All numbers in it are whole and below 2**53, so floats hold them exactly.

Legend: P is the number of points, Q that of questions, K that of classes, C that of channels: what is summed.

References
----------
.. [1] E. Demirović et al., "MurTree: optimal decision trees via dynamic programming and search", Journal of
   Machine Learning Research 23 (2022), 26, section 4.2.
"""

import numpy as np

from dtlib.search.questions import CandidateTests

NO_TREE = 1 << 60  # costs more than every tree
PAIRS_AT_ONCE = 1 << 20
PER_FEATURE = 16  # questions of each feature; of more, products of matrices are slower than sums over cells,
DENSE = 1 << 18  # but for so few answers
LARGEST_MATRIX = 1 << 24  # answers in a matrix


def cost_of_cuts(sums: np.ndarray, whole: np.ndarray, questions: CandidateTests) -> np.ndarray:
    """Return what two leaves cost, for each question that parts them.

    Parameters
    ----------
    sums : ndarray of shape (K + 1, ..., Q)
        What each class costs at the points that say yes to each question, and their weight.
    whole : ndarray of shape (K + 1, ...)
        The same of all points.
    questions : CandidateTests
    """
    rest = whole[..., None] - sums
    cost = sums[:-1].min(0) + rest[:-1].min(0) + 2 * questions.price
    light = np.minimum(sums[-1], rest[-1])
    cost[(light < questions.least) | (light == 0)] = NO_TREE
    return np.asarray(cost, np.int64)


class PairSums:
    """Sums over those of some points that say yes to both of two questions.

    Of a few questions for each feature, all pairs are a product of matrices. Of many thresholds, a point says
    yes to about half: it is quicker to sum, for each question, those that say yes by their cells.

    Parameters
    ----------
    questions : CandidateTests
    points : int ndarray
        Those of a node.
    channels : ndarray of shape (C, points)
        What is summed: whole numbers as floats.

    Attributes
    ----------
    sums : ndarray of shape (C, Q)
        Over those that say yes to each question.
    whole : ndarray of shape (C,)
        Over all points.
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
        """Return the sums for pairs of a question and any, shape (C, Q)."""
        if self.yes is not None:
            return np.asarray((self.channels * self.yes[q]) @ self.yes.T)
        yes = self.questions.answer(q, self.points)
        return self.questions.sums(self.points[yes], self.channels[:, yes])

    def with_some(self, some: np.ndarray) -> np.ndarray:
        """Return the sums for pairs of some questions and any, shape (C, some, Q)."""
        if self.yes is None:
            return np.stack([self.with_one(q) for q in some.tolist()], axis=1)
        yes = self.yes[some]
        return np.stack([(yes * c) @ self.yes.T for c in self.channels])


def one_level(questions: CandidateTests, points: np.ndarray) -> np.ndarray:
    """Return what asking each question alone costs, shape (Q,)."""
    channels = questions.channels.take(points, axis=1)
    return cost_of_cuts(questions.sums(points, channels), channels.sum(1), questions)


def two_levels(pairs: PairSums, tested: np.ndarray) -> np.ndarray:
    """Return what the best tree of at most two levels costs that asks each of some questions first.

    Parameters
    ----------
    pairs : PairSums
        Those of a node; the channels are what each class costs, and the weight.
    tested : int ndarray
        Some of the questions.

    Returns
    -------
    int64 ndarray of shape (asked,)
        `NO_TREE` where all points give the same answer, or few give one.

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
            leaf = np.asarray(whole[:-1].min(0) + questions.price, np.int64)
            cost += np.minimum(cost_of_cuts(part, whole, questions).min(-1), leaf)
        light = np.minimum(one[-1], other[-1])
        found[a : a + step] = np.where((light < questions.least) | (light == 0), NO_TREE, cost)
    return found
