"""Laws of the measures, on tables of every kind."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from dtlib.measures import (
    classification_error,
    conditional_entropy,
    conditional_gini,
    entropy,
    gain_ratio,
    gini,
    gini_split,
    impurity_decrease,
    information_gain,
    joint_entropy,
    split_information,
    squared_error,
    variance,
)

IMPURITIES = [entropy, gini, classification_error]

WHOLE = st.integers(0, 50)
FEW = st.integers(0, 2)  # so that branches are pure, empty, equal, and classes tie
WEIGHT = st.just(0.0) | st.floats(1e-3, 1e3)


def shaped(shape, weights):
    """Return a strategy for arrays, all of whole counts or all of weights."""
    return st.one_of(*(arrays(dtype, shape, elements=elements) for dtype, elements in weights))


KINDS = [(np.int64, WHOLE), (np.int64, FEW), (np.float64, WEIGHT)]
COUNTS = shaped(array_shapes(min_dims=1, max_dims=1, max_side=8), KINDS)
TABLES = shaped(array_shapes(min_dims=2, max_dims=2, max_side=6), KINDS)
NUMBERS = arrays(np.float64, array_shapes(max_dims=1, max_side=12), elements=st.floats(-1e3, 1e3))


def close(x, y):
    """Return y to compare with, as equal as sums of rounded logarithms are."""
    assert x == pytest.approx(y, rel=1e-12, abs=1e-12)


# Bounds


@given(COUNTS)
def test_entropy_lies_between_zero_and_the_log_of_the_classes(counts):
    present = max(1, np.count_nonzero(counts))
    assert 0 <= entropy(counts) <= math.log2(present) + 1e-12


@given(COUNTS)
def test_gini_and_error_lie_between_zero_and_that_of_equal_classes(counts):
    most = 1 - 1 / max(1, np.count_nonzero(counts))
    assert 0 <= classification_error(counts) <= gini(counts) + 1e-12 <= most + 2e-12


@given(COUNTS)
def test_an_impurity_is_zero_exactly_where_one_class_is_left(counts):
    pure = np.count_nonzero(counts) < 2
    assert all((impurity(counts) == 0) == pure for impurity in IMPURITIES)


@given(TABLES)
def test_the_gain_lies_between_zero_and_either_entropy(table):
    g = information_gain(table)
    assert 0 <= g <= entropy(table.sum(0)) + 1e-12
    assert g <= split_information(table) + 1e-12


@given(TABLES)
def test_the_gain_ratio_lies_between_zero_and_one_where_there_is_one(table):
    ratio = gain_ratio(table)
    if np.count_nonzero(table.sum(1)) < 2:
        assert math.isnan(ratio)
    else:
        assert 0 <= ratio <= 1 + 1e-9


# Information


@given(TABLES)
def test_mutual_information_is_symmetric(table):
    close(information_gain(table), information_gain(table.T))


@given(TABLES)
def test_chain_rule(table):
    close(joint_entropy(table), split_information(table) + conditional_entropy(table))
    close(joint_entropy(table), entropy(table.sum(0)) + conditional_entropy(table.T))


@given(TABLES)
def test_mutual_information_is_what_the_joint_entropy_lacks(table):
    close(information_gain(table), entropy(table.sum(0)) + entropy(table.sum(1)) - joint_entropy(table))


@given(TABLES)
def test_mutual_information_is_the_distance_from_independence(table):
    p = table / max(table.sum(), 1e-300)
    independent = np.outer(p.sum(1), p.sum(0))
    known = p > 0
    close(information_gain(table), (p[known] * np.log2(p[known] / independent[known])).sum())


@given(COUNTS, st.integers(0, 8))
def test_grouping_two_classes_costs_the_choice_between_them(counts, cut):
    first, second = counts[:cut], counts[cut:]
    choice = [first.sum(), second.sum()]
    share = np.divide(choice, max(counts.sum(), 1e-300))
    close(entropy(counts), entropy(choice) + share[0] * entropy(first) + share[1] * entropy(second))


@given(arrays(np.int64, 3, elements=WHOLE), arrays(np.int64, 4, elements=WHOLE))
def test_an_independent_feature_gains_nothing(rows, columns):
    table = np.outer(rows, columns)
    assert all(impurity_decrease(table, impurity) == 0 for impurity in IMPURITIES)
    close(joint_entropy(table), (entropy(rows) + entropy(columns)) * table.any())


@given(TABLES, st.floats(1.01, 100))
def test_change_of_base(table, base):
    for measure in (joint_entropy, conditional_entropy, information_gain, split_information):
        close(measure(table, base=base) * math.log2(base), measure(table))
    close(entropy(table[0], base=base) * math.log2(base), entropy(table[0]))


# What does not matter


@given(TABLES, st.randoms(use_true_random=False))
def test_the_order_of_values_and_classes_does_not_matter(table, random):
    rows, columns = list(range(len(table))), list(range(table.shape[1]))
    random.shuffle(rows)
    random.shuffle(columns)
    mixed = table[rows][:, columns]
    for impurity in IMPURITIES:
        close(impurity(mixed[0]), impurity(table[rows[0]]))
        close(impurity_decrease(mixed, impurity), impurity_decrease(table, impurity))
    close(split_information(mixed), split_information(table))
    close(gini_split(mixed, 0), gini_split(table, rows[0]))


@given(TABLES, st.floats(1e-280, 1e280))
def test_the_unit_of_the_weights_does_not_matter(table, unit):
    scaled = table * unit
    numbers = np.arange(table.shape[1])
    close(variance(numbers, scaled[0]), variance(numbers, table[0]))
    close(squared_error(numbers, scaled[0]) / unit, squared_error(numbers, table[0]))
    for impurity in IMPURITIES:
        close(impurity(scaled[0]), impurity(table[0]))
        close(impurity_decrease(scaled, impurity), impurity_decrease(table, impurity))
    close(split_information(scaled), split_information(table))
    close(joint_entropy(scaled), joint_entropy(table))


@given(TABLES)
def test_classes_and_values_that_do_not_occur_do_not_matter(table):
    wider = np.pad(table, 1)
    assert [impurity(wider[1]) for impurity in IMPURITIES] == pytest.approx(
        [impurity(table[0]) for impurity in IMPURITIES], rel=1e-12
    )
    close(information_gain(wider), information_gain(table))
    close(split_information(wider), split_information(table))
    close(conditional_gini(wider), conditional_gini(table))


@given(TABLES, st.integers(1, 9))
def test_merging_branches_of_equal_shares_changes_no_gain(table, times):
    twin = np.vstack([table, times * table[:1]])
    merged = np.vstack([(times + 1) * table[:1], table[1:]])
    for impurity in IMPURITIES:
        close(impurity_decrease(twin, impurity), impurity_decrease(merged, impurity))
    assert split_information(twin) >= split_information(merged) - 1e-12


@given(TABLES)
def test_merging_branches_never_gains(table):
    merged = np.vstack([table[:2].sum(0, keepdims=True), table[2:]])
    for impurity in IMPURITIES:
        assert impurity_decrease(merged, impurity) <= impurity_decrease(table, impurity) + 1e-12


# Gini, and every other impurity


@given(arrays(np.int64, st.integers(1, 4), elements=st.integers(0, 6)))
def test_gini_is_the_chance_that_two_draws_differ(counts):
    samples = np.repeat(np.arange(len(counts)), counts)
    pairs = list(product(samples, repeat=2))
    assume(pairs)
    differ = sum(a != b for a, b in pairs)
    assert gini(counts) == pytest.approx(float(Fraction(differ, len(pairs))), rel=1e-14)


@given(arrays(np.int64, st.integers(1, 4), elements=st.integers(0, 6)))
def test_the_error_is_the_share_of_samples_outside_the_largest_class(counts):
    samples = np.repeat(np.arange(len(counts)), counts)
    assume(len(samples))
    wrong = min(int((samples != k).sum()) for k in range(len(counts)))
    assert classification_error(counts) == pytest.approx(wrong / len(samples), rel=1e-14, abs=1e-15)


@given(TABLES)
def test_no_split_raises_a_concave_impurity(table):
    assert all(impurity_decrease(table, impurity) >= 0 for impurity in IMPURITIES)


@given(TABLES)
def test_gain_and_conditional_gini_are_cases_of_the_general_decrease(table):
    close(impurity_decrease(table), information_gain(table))
    close(impurity_decrease(table, gini), gini(table.sum(0)) - conditional_gini(table))


@given(arrays(np.int64, (2, 4), elements=WHOLE))
def test_with_two_values_the_binary_split_is_the_whole_split(table):
    assert gini_split(table, 0) == pytest.approx(conditional_gini(table), rel=1e-14)
    assert gini_split(table, 1) == pytest.approx(conditional_gini(table), rel=1e-14)


# Squared error


@given(NUMBERS, st.floats(-1e3, 1e3))
def test_the_mean_has_the_least_squared_error(y, other):
    assert squared_error(y) <= ((y - other) ** 2).sum() * (1 + 1e-12) + 1e-12
    assert squared_error(y) == pytest.approx(len(y) * variance(y), rel=1e-12)


@given(NUMBERS, st.integers(0, 12))
def test_no_split_raises_the_squared_error(y, cut):
    assert squared_error(y[:cut]) + squared_error(y[cut:]) <= squared_error(y) * (1 + 1e-12) + 1e-9


@given(NUMBERS, st.data())
def test_a_whole_weight_counts_a_number_as_often(y, data):
    w = data.draw(arrays(np.int64, len(y), elements=st.integers(0, 4)))
    repeated = np.repeat(y, w)
    assert squared_error(y, w) == pytest.approx(squared_error(repeated), rel=1e-9, abs=1e-9)
    assert variance(y, w) == pytest.approx(variance(repeated), rel=1e-9, abs=1e-9)


@given(arrays(np.int64, st.integers(1, 20), elements=st.integers(0, 1)))
def test_the_variance_of_zeros_and_ones_is_half_their_gini(y):
    assert variance(y) == pytest.approx(gini(np.bincount(y)) / 2, rel=1e-12)
