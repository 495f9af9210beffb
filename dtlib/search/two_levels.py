"""The best trees of at most two levels of questions, from counts of pairs of answers.

What four leaves cost follows from what the points cost that say yes to both of two questions: the others are
what is left of those that say yes to one of them, and of all. So trees of two levels need no more than a
table of pairs [1]_, which is a product of matrices. All numbers in it are whole and below 2**53, so floats
hold them exactly.

Legend: P is the number of points, Q that of questions, K that of classes.

References
----------
.. [1] E. Demirović et al., "MurTree: optimal decision trees via dynamic programming and search", Journal of
   Machine Learning Research 23 (2022), 26, section 4.2.
"""

import numpy as np

from dtlib.search.questions import AllQuestions

NO_TREE = 1 << 60  # costs more than every tree
PAIRS_AT_ONCE = 1 << 20


def cost_of_cuts(sums: np.ndarray, whole: np.ndarray, questions: AllQuestions) -> np.ndarray:
    """Return what two leaves cost, for each question that parts them.

    Parameters
    ----------
    sums : ndarray of shape (K + 1, ..., Q)
        What each class costs at the points that say yes to each question, and their weight.
    whole : ndarray of shape (K + 1, ...)
        The same of all points.
    questions : AllQuestions
    """
    rest = whole[..., None] - sums
    cost = sums[:-1].min(0) + rest[:-1].min(0) + 2 * questions.price
    light = np.minimum(sums[-1], rest[-1])
    cost[(light < questions.least) | (light == 0)] = NO_TREE
    return np.asarray(cost, np.int64)


def answers_of(questions: AllQuestions, points: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return what points answer, what they cost and weigh, and its sums over those that say yes."""
    yes = questions.yes[:, points].astype(float)
    channels = np.concatenate([questions.costs[points].T, questions.weight[None, points]]).astype(float)
    return yes, channels, channels @ yes.T


def one_level(questions: AllQuestions, points: np.ndarray) -> np.ndarray:
    """Return what asking each question alone costs, shape (Q,)."""
    _, channels, sums = answers_of(questions, points)
    return cost_of_cuts(sums, channels.sum(1), questions)


def two_levels(questions: AllQuestions, points: np.ndarray, first: int, last: int) -> np.ndarray:
    """Return what the best tree of at most two levels costs that asks each of some questions first.

    Parameters
    ----------
    questions : AllQuestions
    points : int ndarray
        Those of a node.
    first, last : int
        Some of the questions.

    Returns
    -------
    int64 ndarray of shape (last - first,)
        `NO_TREE` where all points give the same answer, or few give one.

    Examples
    --------
    >>> from dtlib.search.questions import Terms, questions_of
    >>> from dtlib.table.reading import class_targets
    >>> from dtlib.table.training import read_training
    >>> X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    >>> xor = read_training(X, class_targets([0, 1, 1, 0], 4))
    >>> questions = questions_of(xor, np.ones(4), 1 - np.eye(2), Terms(2))
    >>> points = np.arange(4)
    >>> (one_level(questions, points) // questions.leaves * questions.unit).tolist()  # errors
    [2.0, 2.0]
    >>> (two_levels(questions, points, 0, 2) // questions.leaves * questions.unit).tolist()
    [0.0, 0.0]
    """
    yes, channels, sums = answers_of(questions, points)
    found, step = np.full(last - first, NO_TREE), max(1, PAIRS_AT_ONCE // len(yes))
    for a in range(first, last, step):
        some = slice(a, min(a + step, last))
        pairs = np.stack([(yes[some] * c) @ yes.T for c in channels])
        one, other = sums[:, some], channels.sum(1)[:, None] - sums[:, some]
        cost = np.zeros(some.stop - a, np.int64)
        for both, whole in (pairs, one), (sums[:, None] - pairs, other):
            leaf = np.asarray(whole[:-1].min(0) + questions.price, np.int64)
            cost += np.minimum(cost_of_cuts(both, whole, questions).min(-1), leaf)
        light = np.minimum(one[-1], other[-1])
        found[a - first : some.stop - first] = np.where(
            (light < questions.least) | (light == 0), NO_TREE, cost
        )
    return found
