"""The two-way tests that an optimal tree may make on each feature, one after the other.

A numeric or ordered feature is tested against thresholds. A nominal feature with up to `DIVIDED_CATEGORIES`
has a test for each division into two groups. Ten categories have 511 divisions, as many as a numeric feature
with 512 values has thresholds; each further category would double them. So with more categories, each test is
one category against the rest.
"""

import math
from collections.abc import Sequence
from functools import cache
from itertools import combinations
from typing import NamedTuple

import numpy as np

from dtlib.arrays import offsets, owners
from dtlib.table.training import Training

DIVIDED_CATEGORIES = 10  # fewer than `EXHAUSTIVE_CATEGORIES`: each division is a test at every node


class SearchSettings(NamedTuple):
    """Limits and costs of an optimal tree, as the parameters of `OptimalTreeClassifier` give them.

    The search ends at `end`, by `time.monotonic`.
    """

    max_depth: int
    ccp_alpha: float = 0.0
    min_leaf: float = 0.0
    max_thresholds: int | None = None
    nominal: str = "subset"
    end: float = math.inf


def few_cuts(weight: np.ndarray, most: int | None) -> np.ndarray:
    """Return the values after which to cut, nearest to equal shares of the weight, given that of each value.

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
    return np.unique(np.searchsorted(parted, nearest))  # the first of values whose tiny weights add nothing


@cache
def divisions_of(k: int) -> np.ndarray:
    """List the divisions of k categories into two groups by their smaller group, small groups first.

    Groups of one size are in lexicographic order; of two halves, the one with the first category is listed.

    Returns
    -------
    int ndarray of shape (4, groups)
        Size; members, as the sum of their ``1 << i``; the index of the group of the last member alone, and
        that of the group of the others (for one category, its own index).

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
    """Two-way tests, those of a feature one after the other; each row has a cell for each feature.

    The cell of a row is the index of the first test of the feature that it passes, -1 if it passes none.

    Parameters
    ----------
    feature : int ndarray of shape (Q,)
        The feature of each test.
    first : int32 ndarray of shape (Q,)
        For a threshold or a group of categories, the first test of its feature; for a single category, the
        test itself. Except for groups, a row passes test q if its cell is in ``first[q]..q``.
    mask : int ndarray of shape (Q,)
        For a group of categories, the sum of ``1 << i`` of its members: a row passes if its cell is the first
        test of the feature plus such an i. Else 0.
    joined : int ndarray of shape (4, groups)
        For each group of categories: its size, small groups first; its test; the test of its last category;
        and the test of its other categories together.
    one_vs_rest : tuple of int
        The nominal features of more than two categories whose tests are one category against the rest.
    """

    feature: np.ndarray
    first: np.ndarray
    mask: np.ndarray
    joined: np.ndarray
    one_vs_rest: tuple[int, ...]


class OneFeature(NamedTuple):
    """The tests of one feature, indexed from 0: its part of `ListedQuestions`."""

    first: np.ndarray
    mask: np.ndarray
    joined: np.ndarray


def without_groups(first: np.ndarray) -> OneFeature:
    """Return the tests of a feature that has no test of a group."""
    return OneFeature(first, np.zeros_like(first), np.empty((4, 0), np.intp))


def with_groups(k: int) -> OneFeature:
    """Return the tests of all groups of k categories.

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
    """Return the cells of rows, counted from 0, given the positions of their values and those of the cuts.

    Examples
    --------
    >>> cells_of_cuts(np.array([0, 1, 2, 3]), np.array([0, 2])).tolist()
    [0, 1, 1, -1]
    """
    cells = np.searchsorted(cut, place)
    if len(cut) == 1 and 2 * int((cells == 0).sum()) > len(place):
        cells = 1 - cells  # a single test is turned so that the fewer rows pass it
    return np.where(cells < len(cut), cells, -1)


def all_features(parts: Sequence[OneFeature], one_vs_rest: Sequence[int]) -> ListedQuestions:
    """Return the tests of all features, given those of each."""
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
    """List the two-way tests of all features, and the cells of rows.

    Parameters
    ----------
    data : Training
    rows : int ndarray
        The rows that count.
    weight : ndarray
        The weight of each of these rows.
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
