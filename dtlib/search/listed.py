"""The questions with two answers that a best tree may ask of each feature, one after the other.

A numeric feature, and one whose categories have an order, is asked for thresholds. Of a nominal feature with
up to `DIVIDED_CATEGORIES`, each division into two groups is a question. Ten categories have 511 divisions, as
many as a numeric feature with 512 values has thresholds; each further category would double them. So of more
categories, one is asked against the rest.
"""

import math
from collections.abc import Sequence
from functools import cache
from itertools import combinations
from typing import NamedTuple

import numpy as np

from dtlib.arrays import offsets, owners
from dtlib.table.training import Training

DIVIDED_CATEGORIES = 10  # fewer than `EXHAUSTIVE_CATEGORIES`: each division is a question at every node


class SearchSettings(NamedTuple):
    """What a best tree may be, and what it costs: as the parameters of `OptimalTreeClassifier` say.

    The search ends at `end`, by `time.monotonic`.
    """

    max_depth: int
    ccp_alpha: float = 0.0
    min_leaf: float = 0.0
    max_thresholds: int | None = None
    nominal: str = "subset"
    end: float = math.inf


def few_cuts(weight: np.ndarray, most: int | None) -> np.ndarray:
    """Return after which values to cut, given the weight of each: those nearest to equal shares of it.

    Examples
    --------
    >>> few_cuts(np.array([1, 1, 1, 1, 4]), None).tolist(), few_cuts(np.array([1, 1, 1, 1, 4]), 1).tolist()
    ([0, 1, 2, 3], [3])
    """
    if most is None or len(weight) - 1 <= most:
        return np.arange(len(weight) - 1)
    below, shares = np.cumsum(weight), np.arange(1, most + 1)
    parted, wanted = below[:-1] * (most + 1), below[-1] * shares
    after = np.searchsorted(parted, wanted).clip(1, len(parted) - 1)
    is_before = wanted - parted[after - 1] <= parted[after] - wanted
    nearest = parted[after - is_before]
    return np.unique(np.searchsorted(parted, nearest))  # of weights so small that they add nothing, the first


@cache
def divisions_of(k: int) -> np.ndarray:
    """List the divisions of k categories into two groups, by the smaller one: small groups first.

    Of groups of one size, those come first that have the first categories; of two halves, the one with the
    first category is listed.

    Returns
    -------
    int ndarray of shape (4, groups)
        Size; members, as the sum of their ``1 << i``; which group has the last member alone, and which one
        the others, both counted from 0 (of one category, the group itself).

    Examples
    --------
    >>> size, members, last, others = divisions_of(4)
    >>> [f"{m:04b}" for m in members.tolist()]
    ['0001', '0010', '0100', '1000', '0011', '0101', '1001']
    >>> last.tolist(), others.tolist()
    ([0, 1, 2, 3, 1, 2, 3], [0, 1, 2, 3, 0, 0, 0])
    """
    sizes = range(1, k // 2 + 1)
    every = [g for s in sizes for g in combinations(range(k), s) if 2 * s < k or g[0] == 0]
    place = {group: i for i, group in enumerate(every)}
    lines = [(len(g), sum(1 << i for i in g), g[-1], place[g[:-1] or g]) for g in every]
    return np.array(lines, np.intp).T


class ListedQuestions(NamedTuple):
    """Questions, those of a feature one after the other; each row has a cell for each feature.

    The cell of a row is the first question of the feature to which it says yes, -1 if there is none.

    Parameters
    ----------
    feature : int ndarray of shape (Q,)
        What is asked.
    first : int32 ndarray of shape (Q,)
        Of a threshold, and of a group of categories, the first question of its feature; of one category, the
        question itself. Unless a group is asked, a row says yes if its cell is one from this to the question.
    mask : int ndarray of shape (Q,)
        Of a group of categories, the sum of ``1 << i`` for its members: a row says yes if its cell is the
        first question of the feature, and i more. Else 0.
    joined : int ndarray of shape (4, groups)
        Of each group of categories how many it has, small groups first; its question; and the questions of
        its last category, and of the others together.
    one_vs_rest : tuple of int
        The nominal features of which one category is asked against the rest, though they have more than two.
    """

    feature: np.ndarray
    first: np.ndarray
    mask: np.ndarray
    joined: np.ndarray
    one_vs_rest: tuple[int, ...]


class OneFeature(NamedTuple):
    """The questions of one feature, counted from 0: what `ListedQuestions` has of them."""

    first: np.ndarray
    mask: np.ndarray
    joined: np.ndarray


def without_groups(first: np.ndarray) -> OneFeature:
    """Return questions none of which is for a group."""
    return OneFeature(first, np.zeros_like(first), np.empty((4, 0), np.intp))


def with_groups(k: int) -> OneFeature:
    """Return the questions for all groups of k categories.

    Examples
    --------
    >>> first, mask, joined = with_groups(4)
    >>> first.tolist(), mask.tolist()
    ([0, 1, 2, 3, 0, 0, 0], [0, 0, 0, 0, 3, 5, 9])
    """
    size, members, last, others = divisions_of(k)
    every, is_group = np.arange(len(size)), size > 1
    joined = np.stack([size, every, last, others])[:, is_group]
    return OneFeature(np.where(is_group, 0, every), np.where(is_group, members, 0), joined)


def cells_of_cuts(place: np.ndarray, cut: np.ndarray) -> np.ndarray:
    """Return the cells of rows, counted from 0, given the place of each value, and after which ones to cut.

    Examples
    --------
    >>> cells_of_cuts(np.array([0, 1, 2, 3]), np.array([0, 2])).tolist()
    [0, 1, 1, -1]
    """
    cells = np.searchsorted(cut, place)
    if len(cut) == 1 and 2 * int((cells == 0).sum()) > len(place):
        cells = 1 - cells  # the few say yes
    return np.where(cells < len(cut), cells, -1)


def all_features(parts: Sequence[OneFeature], one_vs_rest: Sequence[int]) -> ListedQuestions:
    """Return the questions of all features, given those of each."""
    size = np.array([len(part.first) for part in parts])
    feature, start = owners(size), offsets(size)
    first, mask = (np.concatenate([getattr(part, name) for part in parts]) for name in ("first", "mask"))
    moved = [part.joined + np.c_[[0, a, a, a]] for part, a in zip(parts, start, strict=True)]
    joined = np.concatenate(moved, axis=1)
    joined = joined.take(np.argsort(joined[0], kind="stable"), axis=1)
    first = (first + start[feature]).astype(np.int32)
    return ListedQuestions(feature, first, mask, joined, tuple(one_vs_rest))


def list_questions(
    data: Training, rows: np.ndarray, weight: np.ndarray, terms: SearchSettings
) -> tuple[ListedQuestions, np.ndarray]:
    """List the questions, and the cells of rows.

    Parameters
    ----------
    data : Training
    rows : int ndarray
        Those that count.
    weight : ndarray
        Theirs.
    terms : SearchSettings

    Returns
    -------
    ListedQuestions
    cells : int32 ndarray of shape (d, rows)
    """
    parts, one_vs_rest, start = list[OneFeature](), list[int](), 0
    cells = np.empty((len(data.features), len(rows)), np.int32)
    for f, feature in enumerate(data.features):
        values, place = np.unique(data.codes[f, rows], return_inverse=True)
        k = len(values)
        if feature.kind != "nominal" or k <= 2:
            cut = few_cuts(np.bincount(place, weight), terms.max_thresholds)
            place = cells_of_cuts(place, cut)
            parts.append(without_groups(np.zeros_like(cut)))
        elif terms.nominal == "subset" and k <= DIVIDED_CATEGORIES:
            parts.append(with_groups(k))
        else:
            one_vs_rest.append(f)
            parts.append(without_groups(np.arange(k)))
        cells[f] = np.where(place < 0, -1, place + start)
        start += len(parts[-1].first)
    return all_features(parts, one_vs_rest), cells
