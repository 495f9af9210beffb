"""Merging of values: every step against gains and ratios computed anew from the groups themselves."""

from itertools import combinations

import numpy as np
import pytest

from dtlib import measures
from dtlib.search.merging import BETTER, MergeLimits, best_pair, merge_values

TIE = 1e-10


def worth(table, groups, missing):
    """Return gain, split information and gain ratio of some groups, by the formulas of the book."""
    grouped = np.stack([table[:, list(group)].sum(axis=1) for group in groups])
    n = grouped.sum() + missing
    gain = measures.information_gain(grouped) * grouped.sum() / n
    parts = np.append(grouped.sum(axis=1), missing)
    bits = measures.entropy(parts)
    return gain, bits, gain / bits if bits > 0 else 0.0


def merged(groups, pair):
    """Return the groups after two have become one."""
    a, b = sorted(pair)
    both = tuple(sorted(groups[a] + groups[b]))
    return {both, *(group for k, group in enumerate(groups) if k not in pair)}


def tables():
    """Draw class weights of some values, and what is missing."""
    for seed in range(40):
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


def test_groups_of_one_class_come_first_and_are_merged_at_once():
    table = np.array([[3.0, 0, 2, 0, 1], [0, 2, 0, 4, 1]])
    steps = merge_values(table, 0.0, MergeLimits(True, 1.0, 2.0, 0.0, TIE))
    assert {frozenset(g) for g in steps[1].groups} == {frozenset({0, 2}), frozenset({1, 3}), frozenset({4})}
    mixed = np.array([[3.0, 1, 2], [1, 2, 4]])
    steps = merge_values(mixed, 0.0, MergeLimits(True, 1.0, 2.0, 0.0, TIE))
    assert len(steps[1].groups) == 2  # no group was of one class
    nearly = np.array([[30.0, 20, 3], [0.1, 0.05, 9]])  # but for a tenth of a row
    steps = merge_values(nearly, 0.0, MergeLimits(True, 1.0, 2.0, 0.0, TIE))
    assert {frozenset(g) for g in steps[1].groups} == {frozenset({0, 1}), frozenset({2})}
    more = np.array([[30.0, 20, 3], [0.2, 0.15, 9]])
    assert [len(s.groups) for s in merge_values(more, 0.0, MergeLimits(True, 1.0, 99.0, 0.0, TIE))][:2] != [
        3,
        3,
    ]


def test_each_merge_is_the_one_of_the_largest_gain_ratio_and_the_last_gains_nothing():
    """Where three groups have the minimum weight, all pairs may be merged."""
    checked = ended = 0
    for table, missing in tables():
        steps = merge_values(table, missing, MergeLimits(True, 1.0, 1.0, 0.0, TIE))
        pure = [int(column.argmax()) for column in table.T if (column > 0).sum() == 1]
        start = 1 + (len(set(pure)) < len(pure))  # the first step puts those of one class together
        half = steps[start - 1].gain / 2  # what is to be kept
        for before, after in zip(steps[start - 1 :], steps[start:], strict=False):
            groups = before.groups
            pairs = list(combinations(range(len(groups)), 2))
            found = [worth(table, merged(groups, pair), missing) for pair in pairs]
            keeps = [f for f in found if f[0] >= half - 1e-9]
            best = max(ratio for _, _, ratio in (keeps or found))
            assert worth(table, after.groups, missing)[2] >= best - 1e-9 or not keeps
            assert set(map(tuple, map(sorted, after.groups))) in [merged(groups, pair) for pair in pairs]
            assert after.worth >= before.worth + BETTER
            checked += 1
        last = steps[-1]
        if len(last.groups) > 2:
            ratios = [
                worth(table, merged(last.groups, pair), missing)
                for pair in combinations(range(len(last.groups)), 2)
            ]
            assert max((r for g, _, r in ratios if g >= half), default=0) < last.worth + BETTER
            ended += 1
    assert checked > 20
    assert ended > 2


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
        ([], [], 0.0, True, -1),
    ],
)
def test_the_pair_to_merge(gain, worth_, least, forced, best):
    assert best_pair(np.array(gain), np.array(worth_), least, forced, TIE) == best
