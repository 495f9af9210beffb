"""Merging of values: every step against gains and ratios computed anew from the groups themselves."""

from functools import cache
from itertools import combinations

import numpy as np
import pytest

from dtlib import measures
from dtlib.search.merging import BETTER, MergeLimits, best_pair, merge_values, score_of

TIE = 1e-10


def worth(table, groups, missing):
    """Return gain, split information and gain ratio of some groups, by the formulas of the book."""
    sums = [tuple(table[:, list(group)].sum(axis=1)) for group in groups]
    return worth_of_sums(tuple(sorted(sums)), missing)


@cache
def worth_of_sums(sums, missing):
    """Return the same, given the class weights of each group."""
    grouped = np.array(sums)
    n = grouped.sum() + missing
    gain = measures.information_gain(grouped) * grouped.sum() / n
    bits = measures.entropy([*grouped.sum(axis=1), missing])
    return gain, bits, gain / bits if bits > 0 else 0.0


def merged(groups, pair):
    """Return the groups after two have become one."""
    a, b = sorted(pair)
    both = tuple(sorted(groups[a] + groups[b]))
    return {both, *(group for k, group in enumerate(groups) if k not in pair)}


def tables():
    """Draw class weights of some values, and what is missing."""
    for seed in range(24):
        rng = np.random.default_rng(seed)
        K, B = rng.integers(2, 5), rng.integers(3, 7)
        table = rng.integers(0, 6, (K, B)).astype(float)
        table[np.arange(B) % K, np.arange(B)] += (
            1 if seed % 2 else 80
        )  # no value without rows, some plain ones
        yield table, float(rng.integers(0, 3))


@pytest.mark.parametrize("by_ratio", [True, False])
def test_each_grouping_is_what_its_groups_are_worth(by_ratio):
    for table, missing in tables():
        limits = MergeLimits(by_ratio, 1.0, 2.0, 0.0, TIE)
        steps = merge_values(table, missing, limits)
        assert steps[0].groups == tuple((v,) for v in range(table.shape[1]))
        for step in steps:
            gain, bits, ratio = worth(table, step.groups, missing)
            assert step.gain == pytest.approx(gain, abs=1e-12)
            assert step.information == pytest.approx(bits, abs=1e-12)
            assert step.worth == pytest.approx(ratio if by_ratio else gain, abs=1e-12)
            assert sorted(v for group in step.groups for v in group) == list(range(table.shape[1]))


@pytest.mark.parametrize(
    ("gain", "bits", "split", "by_ratio", "least_bits", "found"),
    [
        (0.3, 0.6, True, True, 0.0, 0.5),
        (0.3, 0.6, True, False, 0.0, 0.3),
        (0.3, 0.6, False, True, 0.0, -1),
        (0.3, 0.6, False, False, 0.0, -1),
        (0.3, 0.6, True, True, 0.6, -1),  # the information must be larger
        (0.3, 0.6, True, True, 0.5, 0.5),
        (0.3, 0.6, True, False, 0.6, 0.3),
        (0.0, 1e-10, True, True, 0.0, -1),
        (0.0, 1e-10, True, False, 0.0, -1),
        (0.0, 2e-10, True, False, 0.0, 0),
        (-1e-11, 0.5, True, True, 0.0, 0),  # rounding
        (-1e-9, 0.5, True, True, 0.0, -1),
    ],
)
def test_what_is_no_split_is_worth_less_than_any(gain, bits, split, by_ratio, least_bits, found):
    limits = MergeLimits(by_ratio, 1.0, 2.0, least_bits, TIE)
    assert score_of(np.array([gain]), np.array([bits]), np.array([split]), limits) == pytest.approx([found])


def test_groups_of_one_class_come_first_and_are_merged_at_once():
    table = np.array([[3.0, 0, 2, 0, 1], [0, 2, 0, 4, 1]])
    steps = merge_values(table, 0.0, MergeLimits(True, 1.0, 2.0, 0.0, TIE))
    assert {frozenset(g) for g in steps[1].groups} == {frozenset({0, 2}), frozenset({1, 3}), frozenset({4})}
    mixed = np.array([[3.0, 1, 2], [1, 2, 4]])
    steps = merge_values(mixed, 0.0, MergeLimits(True, 1.0, 2.0, 0.0, TIE))
    assert len(steps[1].groups) == 2  # no group was of one class
    nearly = np.array([[30.0, 20, 3], [0.0625, 0.1, 9]])  # but for a tenth of a row
    steps = merge_values(nearly, 0.0, MergeLimits(True, 1.0, 2.0, 0.0, TIE))
    assert {frozenset(g) for g in steps[1].groups} == {frozenset({0, 1}), frozenset({2})}
    tenth = np.array([[30.0, 20, 3], [1, 1, 90]])  # of a row that weighs 10
    assert len(merge_values(tenth, 0.0, MergeLimits(True, 10.0, 2.0, 0.0, TIE))[1].groups) == 2
    more = np.array([[30.0, 20, 3], [0.2, 0.15, 9]])
    assert [len(s.groups) for s in merge_values(more, 0.0, MergeLimits(True, 1.0, 99.0, 0.0, TIE))][:2] != [
        3,
        3,
    ]


def next_pair(table, groups, missing, half, limits):
    """Return which two groups are merged next, None if it is no use, everything computed from the groups."""
    weight = [table[:, list(group)].sum() for group in groups]
    enough = sum(w >= limits.min_leaf for w in weight)
    pairs = list(combinations(range(len(groups)), 2))
    if enough < 3:
        pairs = [pair for pair in pairs if int(np.argmax(weight)) not in pair]
    gains, worths = [], []
    for pair in pairs:
        both = merged(groups, pair)
        split = sum(table[:, list(group)].sum() >= limits.row for group in both) >= 2
        gain, bits, ratio = worth(table, both, missing)
        gains.append(gain if split else -1.0)
        told = bits > max(limits.min_information * limits.by_ratio, TIE)
        worths.append((ratio if limits.by_ratio else gain) if split and told else -1.0)
    forced = enough < 2 or not limits.by_ratio
    best = best_pair(np.array(gains), np.array(worths), half, forced, TIE)
    before = worth(table, groups, missing)[2]
    if not forced and (best < 0 or worths[best] < before + BETTER):
        return None
    return pairs[best]


@pytest.mark.parametrize("by_ratio", [True, False])
@pytest.mark.parametrize("row", [1.0, 1.9])
@pytest.mark.parametrize("min_leaf", [1.0, 8.0, 12.0, 500.0])
@pytest.mark.parametrize("least_bits", [0.0, 0.9])
def test_each_merge_is_worth_most_and_the_last_one_leaves_none_that_is_better(
    by_ratio, row, min_leaf, least_bits
):
    merges = stops = 0
    limits = MergeLimits(by_ratio, row, min_leaf, least_bits, TIE)
    for table, missing in tables():
        steps = merge_values(table, missing, limits)
        pure = [int(column.argmax()) for column in table.T if (column > 0).sum() == 1]
        start = len(set(pure)) < len(pure)  # the first step puts those of one class together
        is_split = sum(table[:, list(g)].sum() >= row for g in steps[start].groups) >= 2
        half = steps[start].gain / 2 if is_split else 0.0  # what is to be kept
        for before, after in zip(steps[start:], [*steps[start + 1 :], None], strict=True):
            if len(before.groups) == 2:
                assert after is None
                continue
            pair = next_pair(table, before.groups, missing, half, limits)
            assert (pair is None) == (after is None)
            if after is None:
                stops += 1
                continue
            assert set(map(tuple, map(sorted, after.groups))) == merged(before.groups, pair)
            merges += 1
    assert merges > 20
    assert stops > 0 or not by_ratio or min_leaf > 12


def test_half_of_the_gain_is_kept_though_a_ratio_is_larger():
    kept = 0
    for table, missing in tables():
        steps = merge_values(table, missing, MergeLimits(True, 1.0, 1.0, 0.0, TIE))
        for step in steps[1:]:
            pairs = list(combinations(range(len(step.groups)), 2))
            found = [worth(table, merged(step.groups, pair), missing) for pair in pairs]
            half = [f for f in found if f[0] >= steps[0].gain / 2]
            kept += 0 < len(half) < len(found) and max(f[2] for f in half) < max(f[2] for f in found)
    assert kept > 0  # what is drawn has such cases


def test_what_weighs_half_a_row_or_less_is_in_no_group():
    table = np.array([[3.0, 0.5, 2, 0], [2, 0, 3, 0.75]])
    steps = merge_values(table, 0.0, MergeLimits(True, 1.0, 2.0, 0.0, TIE))
    assert steps[0].groups == ((0,), (1,), (2,), (3,))
    assert sorted(v for group in steps[-1].groups for v in group) == [0, 2, 3]


@pytest.mark.parametrize(
    ("min_leaf", "groups"),
    [(2 + TIE, [(0,), (1, 2, 3)]), (2.1, [(0,), (1, 2), (3,)])],  # the largest value is merged, or not
)
def test_what_lacks_a_tie_has_the_minimum_weight(min_leaf, groups):
    """Three values have 2; the largest one is merged only where they count as enough."""
    table = np.array([[2.0, 1, 0, 3], [0, 1, 2, 3]])
    assert min_leaf != 2 + TIE or min_leaf - TIE == 2
    steps = merge_values(table, 0.0, MergeLimits(True, 1.0, min_leaf, 0.0, TIE))
    assert sorted(steps[-1].groups) == groups


@pytest.mark.parametrize(
    ("gain", "worth_", "least", "forced", "best"),
    [
        ([0.2, 0.2], [0.5, 0.5], 0.0, False, 1),  # of equals the last
        ([0.2, 0.2], [0.5, 0.5 - 2e-10], 0.0, False, 0),
        ([0.2, 0.4], [0.9, 0.1], 0.3, False, 1),  # one that keeps enough replaces one that does not
        ([0.3, 0.4], [0.9, 0.1], 0.3, False, 0),
        ([0.4, 0.2], [0.1, 0.9], 0.3, False, 1),
        ([-1.0, -1.0], [-1.0, -1.0], 0.0, False, -1),
        ([-1.0, -1.0], [-1.0, -1.0], 0.0, True, 1),
        ([0.0], [0.0], 0.0, False, 0),
        ([0.0, 0.05], [0.0, 0.05], 0.0, False, 1),
        ([-0.1], [0.05], 0.0, False, 0),
        ([-0.1], [-0.05], 0.0, False, -1),
        ([], [], 0.0, True, -1),
    ],
)
def test_the_pair_to_merge(gain, worth_, least, forced, best):
    assert best_pair(np.array(gain), np.array(worth_), least, forced, TIE) == best
