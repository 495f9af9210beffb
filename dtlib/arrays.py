"""Recurring idioms of whole-array code.

Flat arrays hold groups one after the other: the categories of each node, the children of each node, the rows
of each node. `size` has the number of members of each group.
"""

import math
from collections.abc import Sequence
from functools import reduce
from typing import Any, TypeVar

import numpy as np

Arrays = TypeVar("Arrays", bound=tuple[Any, ...])

TINY = np.finfo(float).tiny
LN_2, ROOT_OF_HALF = math.log(2), math.sqrt(0.5)
NEARLY = 1 - 1e-12  # weights are sums of fractions
ADDED_AT_ONCE = 1 << 20  # numbers that are added up in one call


def concatenated(parts: Sequence[Arrays]) -> Arrays:
    """Return several tuples of the same arrays as one: each array is followed by those of the later tuples.

    Examples
    --------
    >>> from typing import NamedTuple
    >>> class Rows(NamedTuple):
    ...     row: np.ndarray
    >>> concatenated([Rows(np.arange(2)), Rows(np.arange(1))])
    Rows(row=array([0, 1, 0]))
    """
    return type(parts[0])(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))


def offsets(size: np.ndarray) -> np.ndarray:
    """Return where each group starts: the running sum of the sizes before it.

    Examples
    --------
    >>> offsets(np.array([2, 0, 3]))
    array([0, 2, 2])
    """
    return size.cumsum() - size


def owners(size: np.ndarray) -> np.ndarray:
    """Return the group of each member.

    Examples
    --------
    >>> owners(np.array([2, 0, 3]))
    array([0, 0, 2, 2, 2])
    """
    return np.arange(len(size)).repeat(size)


def inside(size: np.ndarray) -> np.ndarray:
    """Return the position of each member in its group, counted from 0.

    Examples
    --------
    >>> inside(np.array([2, 0, 3]))
    array([0, 1, 0, 1, 2])
    """
    return np.arange(size.sum()) - offsets(size).repeat(size)


def numbered(some: np.ndarray) -> np.ndarray:
    """Return the index of each True among all that are True, counted from 0; entries of False are arbitrary.

    Examples
    --------
    >>> numbered(np.array([True, False, True]))
    array([0, 0, 1])
    """
    return some.cumsum() - 1


def of_group(x: np.ndarray, owner: np.ndarray) -> np.ndarray:
    """Return the value of each member's group; for a single group its value alone, which broadcasts.

    A deep level often has a single group left, for which the values need not be repeated.

    Examples
    --------
    >>> of_group(np.array([5, 7]), np.array([0, 0, 1])), of_group(np.array([5]), np.array([0, 0]))
    (array([5, 5, 7]), array([5]))
    """
    return x if len(x) == 1 else x.take(owner)


def changes(*columns: np.ndarray) -> np.ndarray:
    """Tell which entries begin a run: the first one, and each that differs from the one before it.

    Examples
    --------
    >>> changes(np.array([0, 0, 0, 1]), np.array([2, 2, 3, 3]))
    array([ True, False,  True,  True])
    """
    is_new = np.ones(len(columns[0]), bool)
    is_new[1:] = reduce(np.logical_or, (column[1:] != column[:-1] for column in columns))
    return is_new


def distinct_numbers(x: np.ndarray, room: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct numbers, ascending, and the position of each number among them.

    Parameters
    ----------
    x : int ndarray
        Not negative.
    room : int ndarray
        Work array that is written to; longer than the largest number. It saves sorting repeated numbers.

    Examples
    --------
    >>> distinct_numbers(np.array([7, 2, 7]), np.empty(8, int))
    (array([2, 7]), array([1, 0, 1]))
    """
    every = np.arange(len(x))
    room[x] = every
    found = np.sort(x[room.take(x) == every])  # one of each
    room[found] = every[: len(found)]
    return found, room.take(x)


def first_hits(owner: np.ndarray, hits: np.ndarray, J: int) -> np.ndarray:
    """Return the first hit of each of J owners, -1 where there is none.

    Parameters
    ----------
    owner : int ndarray of shape (n,)
        The owner of each position.
    hits : int ndarray
        Positions, ascending.
    J : int

    Examples
    --------
    >>> first_hits(np.array([0, 0, 0, 2]), np.array([1, 2, 3]), 3)
    array([ 1, -1,  3])
    """
    first = np.full(J, -1)
    first[owner[hits[::-1]]] = hits[::-1]  # what is written last stays
    return first


def first_best(
    owner: np.ndarray, score: np.ndarray, slack: np.ndarray | float, J: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the best score of each of J owners, and the first position whose score equals it.

    Parameters
    ----------
    owner : int ndarray of shape (n,)
        The owner of each score, ascending.
    score : ndarray of shape (n,)
    slack : ndarray of shape (J,) or float
        Scores that are below the best by no more than this are equal to it.
    J : int

    Returns
    -------
    best, first : ndarrays of shape (J,)
        -inf and -1 for an owner without scores.

    Examples
    --------
    >>> first_best(np.array([0, 0, 0, 2]), np.array([1.0, 3.0, 3.0, 5.0]), 0.0, 3)
    (array([  3., -inf,   5.]), array([ 1, -1,  3]))
    """
    best, start = np.full(J, -np.inf), np.flatnonzero(changes(owner))
    best[owner[start]] = np.maximum.reduceat(score, start)
    return best, first_hits(owner, np.flatnonzero(score >= (best - slack)[owner]), J)


def xlogx(x: np.ndarray) -> np.ndarray:
    """Return x log2 x, 0 for 0.

    Examples
    --------
    >>> xlogx(np.array([0.0, 0.5, 4.0]))
    array([-0. , -0.5,  8. ])
    """
    return x * np.log2(np.maximum(x, TINY))


def odd_series(q: Any) -> Any:
    """Return q/3 + q²/5 + ... + q⁹/19; with q = s², it is (artanh s)/s - 1, for s² up to 0.03.

    Examples
    --------
    >>> s = 0.1
    >>> abs(s * (1 + odd_series(s * s)) - np.arctanh(s)) < 1e-17
    np.True_
    """
    far = q * (1 / 13 + q * (1 / 15 + q * (1 / 17 + q * (1 / 19))))
    return q * (1 / 3 + q * (1 / 5 + q * (1 / 7 + q * (1 / 9 + q * (1 / 11 + far)))))


def log_excess(m: np.ndarray) -> np.ndarray:
    """Return m ln m - m + 1, which is 0 for 1, positive elsewhere, and 1 for 0.

    The logarithm is made by additions, products and quotients alone, as ``m = 2**power * half`` and ``half =
    (1 + s) / (1 - s)``: so compiled code has the same bits. Near 1, where m ln m and m - 1 almost cancel,
    both are taken together, and no digit is lost.

    Examples
    --------
    >>> log_excess(np.array([0.0, 1.0, np.e]))
    array([1., 0., 1.])
    """
    half, power = np.frexp(m)
    below = half < ROOT_OF_HALF
    half, power = np.where(below, 2 * half, half), power - below
    s = (half - 1) / (half + 1)
    q = s * s
    p = odd_series(q)
    near = 2 * (q + (s + q) * p) / (1 - s)
    far = m * (power * LN_2 + 2 * s * (1 + p)) - (m - 1)
    return np.where(power == 0, near, far)


def weighted_sums(X: np.ndarray, normals: np.ndarray) -> np.ndarray:
    """Return the sum of each row times its coefficients, added up column by column.

    Parameters
    ----------
    X : ndarray of shape (n, d)
    normals : ndarray of shape (n, d) or (d,)

    Examples
    --------
    >>> weighted_sums(np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([1.0, -0.5])).tolist()
    [0.0, 1.0]
    """
    total = np.zeros(len(X))
    with np.errstate(over="ignore", invalid="ignore"):
        for f in range(X.shape[1]):
            c = np.broadcast_to(normals[..., f], len(X))
            total += np.multiply(X[:, f], c, out=np.zeros(len(X)), where=c != 0)  # 0 times infinity is 0
    return total


def sums_in_order(x: np.ndarray, node: np.ndarray, times: np.ndarray, J: int) -> np.ndarray:
    """Return the sum of the numbers of each node, each repeated `times` times, added up one by one.

    Examples
    --------
    >>> x, node = np.array([0.1, 0.5]), np.array([0, 0])
    >>> float(sums_in_order(x, node, np.array([3, 1]), 1)[0]) == 0.1 + 0.1 + 0.1 + 0.5
    True
    """
    last, every = np.cumsum(times), np.arange(J)
    total: np.ndarray = np.zeros(J)
    for a in range(0, int(times.sum()), ADDED_AT_ONCE):
        i, j = np.searchsorted(last, [a, a + ADDED_AT_ONCE - 1], side="right")
        some = slice(i, j + 1)
        here = np.diff(np.clip(last[some], a, a + ADDED_AT_ONCE), prepend=a)
        numbers = np.concatenate([total, np.repeat(x[some], here)])
        total = np.bincount(np.concatenate([every, np.repeat(node[some], here)]), numbers, J)
    return total
