"""The measures: their edges, their arguments, and the numbers the worked examples print."""

import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.metrics import mutual_info_score

from dtlib import measures
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

OF_COUNTS = [entropy, gini, classification_error]
OF_TABLES = [
    joint_entropy,
    conditional_entropy,
    information_gain,
    split_information,
    gain_ratio,
    conditional_gini,
    impurity_decrease,
]
WITH_BASE = [entropy, joint_entropy, conditional_entropy, information_gain, split_information]


def is_plus_zero(x: object) -> bool:
    return isinstance(x, float) and x == 0 and math.copysign(1, x) == 1


# The edges


@pytest.mark.parametrize("counts", [[], [0], [0, 0], [7], [7, 0], [0, 0, 0.3], [1e300, 0], [5e-324, 0]])
@pytest.mark.parametrize("measure", OF_COUNTS)
def test_empty_and_pure_counts_measure_exactly_zero(measure, counts):
    assert is_plus_zero(measure(counts))


@pytest.mark.parametrize("table", [np.zeros((0, 2)), np.zeros((3, 0)), np.zeros((3, 2)), [[4, 0], [0, 0]]])
@pytest.mark.parametrize("measure", [measure for measure in OF_TABLES if measure is not gain_ratio])
def test_empty_tables_and_one_cell_measure_exactly_zero(measure, table):
    assert is_plus_zero(measure(table))


@pytest.mark.parametrize("base", [1.5, 2, math.e])
def test_zero_is_never_minus_zero_in_any_base(base):
    assert all(is_plus_zero(measure([[3, 0]], base=base)) for measure in WITH_BASE[1:])
    assert is_plus_zero(entropy([3, 0], base=base))


def test_one_class_in_two_branches():
    table = [[2, 0], [3, 0]]
    assert is_plus_zero(conditional_entropy(table))
    assert is_plus_zero(information_gain(table))
    assert is_plus_zero(gain_ratio(table))
    assert split_information(table) == entropy([2, 3])


@pytest.mark.parametrize("table", [[[3, 4]], [[3, 4], [0, 0]], np.zeros((2, 2)), np.zeros((0, 2))])
def test_a_feature_with_one_value_has_no_gain_ratio(table):
    assert math.isnan(gain_ratio(table))


def test_gain_ratio_of_many_features_leaves_out_those_with_one_value_only():
    ratios = gain_ratio([[[3, 4], [0, 0]], [[3, 0], [0, 3]]])
    assert_array_equal(ratios, [np.nan, 1.0])


@pytest.mark.parametrize("y", [[], [3.3], [0.1] * 5, [0.7] * 10, [1e9 + 0.1] * 6])
@pytest.mark.parametrize("measure", [variance, squared_error])
def test_equal_numbers_have_no_variance_at_all(measure, y):
    assert is_plus_zero(measure(y))


def test_classes_of_equal_frequency_reach_the_bound():
    for K in (2, 4, 8, 1024):
        assert entropy([3] * K) == math.log2(K)
        assert gini([3] * K) == 1 - 1 / K
        assert classification_error([3] * K) == 1 - 1 / K


@pytest.mark.parametrize("scale", [5e-324, 1e-300, 1e-3, 1, 1e300, 5e307])
def test_no_weight_is_too_small_or_too_large_whose_sum_is_finite(scale):
    one = np.array([[1, 1], [1, 0]])
    for measure in OF_COUNTS:
        assert measure(one[0] * scale) == pytest.approx(measure(one[0]), rel=1e-14)
    for measure in OF_TABLES:
        assert measure(one * scale) == pytest.approx(measure(one), rel=1e-14)
    assert gini_split(one * scale, 0) == pytest.approx(gini_split(one, 0), rel=1e-14)
    assert variance([1, 3], [scale, scale]) == 1
    assert squared_error([1, 2], [scale, scale]) == pytest.approx(scale / 2)


@pytest.mark.parametrize("measure", [*OF_TABLES, lambda table: gini_split(table, 0)])
def test_counts_with_an_infinite_sum_are_refused(measure):
    with pytest.raises(ValueError, match=r"table holds 1e\+308, and its sum is infinite; divide all counts"):
        measure([[1e308] * 2] * 2)


def test_so_are_weights_with_an_infinite_sum():
    for measure in OF_COUNTS:
        with pytest.raises(ValueError, match=r"counts holds 1e\+308, and its sum is infinite"):
            measure([[1, 2], [1e308, 1e308]])
    for measure in (variance, squared_error):
        with pytest.raises(ValueError, match=r"weight holds 1e\+308, and its sum is infinite"):
            measure([1, 2], [1e308, 1e308])


def test_a_light_branch_beside_a_heavy_one_is_lost_only_where_it_does_not_count():
    assert information_gain([[1e300, 0], [0, 1e-300]]) == 0
    assert conditional_entropy([[1e300, 1e300], [1e-300, 0]]) == 1


def test_squares_do_not_suffer_from_a_large_mean():
    assert squared_error([1e9, 1e9 + 1]) == 0.5
    assert variance([1e15, 1e15 + 2], [1, 1]) == 1


# Independence is recognised, whatever the logarithms round to


def test_an_independent_feature_gains_exactly_nothing():
    rng = np.random.default_rng(0)
    rows, columns = rng.integers(1, 1000, (2, 5000, 4))
    for tables in (rows[:, :, None] * columns[:, None, :], 0.1 * rows[:, :, None] * columns[:, None, :]):
        assert (information_gain(tables) == 0).all()
        assert (impurity_decrease(tables, gini) == 0).all()
        assert (impurity_decrease(tables, classification_error) == 0).all()


def test_large_independent_tables_too():
    rng = np.random.default_rng(1)
    table = rng.integers(1, 1000, (400, 1)) * rng.integers(1, 1000, (1, 300))
    assert information_gain(table) == 0


def test_a_small_gain_that_is_one_is_kept():
    n = 100_000
    assert 0 < information_gain([[n + 1, n], [n, n + 1]]) < 1e-10


def test_a_split_into_pure_branches_gains_all_there_is_however_little():
    for heavy in (1e6, 1e16, 1e20):
        table = [[heavy, 0], [0, 1]]
        assert information_gain(table) == entropy([heavy, 1]) > 0
        assert gain_ratio(table) == 1


@pytest.mark.parametrize("unit", [1e-15, 1e-200, 1e20])
def test_what_counts_as_rounding_follows_the_unit_of_the_impurity(unit):
    def scaled(counts):
        return unit * gini(counts)

    rng = np.random.default_rng(6)
    tables = rng.integers(0, 9, (100, 3, 2))
    assert_allclose(impurity_decrease(tables, scaled), unit * impurity_decrease(tables, gini), rtol=1e-9)
    rows, columns = 0.1 * rng.integers(1, 1000, (2, 100, 3))
    assert (impurity_decrease(rows[:, :, None] * columns[:, None, :], scaled) == 0).all()


def test_an_independent_feature_of_a_rare_class_gains_exactly_nothing():
    rng = np.random.default_rng(7)
    rows = 0.1 * rng.integers(1, 1000, (1000, 4))
    for impurity in (entropy, gini, classification_error):
        assert (impurity_decrease(rows[:, :, None] * np.array([1e7, 3.0]), impurity) == 0).all()


@pytest.mark.parametrize(("drop", "left"), [(1e-14, 0.0), (1.001e-14, 1.001e-14), (-1e-14, 0.0)])
def test_a_decrease_is_none_up_to_the_share_that_may_be_rounding(drop, left):
    """The table has 3 rows, its branches have 1, 2 and 0; of two equal classes the impurity is 4."""

    def impurity(counts):
        n = np.asarray(counts)
        equal = n.shape[-1] == 2 and (n == 1).all(-1)
        return np.where(equal, 4.0, np.where(n.sum(-1) == 3, 4 * (drop + 1e-14), 4e-14))

    table = [[1, 0], [0, 2], [0, 0]]
    for many in (impurity_decrease(table, impurity), *impurity_decrease([table], impurity)):
        assert many == pytest.approx(4 * left, rel=1e-2, abs=1e-20)


def test_an_impurity_that_is_not_concave_may_rise():
    def purity(counts):
        return -gini(counts)

    assert impurity_decrease([[2, 0], [0, 2]], purity) == -0.5


# Shapes, types and arguments


@pytest.mark.parametrize("measure", [*OF_COUNTS, *OF_TABLES])
def test_one_node_gives_a_plain_float(measure):
    assert type(measure([[4, 1], [1, 4]][0] if measure in OF_COUNTS else [[4, 1], [1, 4]])) is float


def test_leading_axes_hold_many_nodes():
    rng = np.random.default_rng(2)
    tables = rng.integers(0, 5, (2, 3, 4, 5))
    for measure in OF_TABLES:
        want = [[measure(tables[i, j]) for j in range(3)] for i in range(2)]
        assert_array_equal(measure(tables), want)
    for measure in OF_COUNTS:
        want = [[measure(tables[i, j, 0]) for j in range(3)] for i in range(2)]
        assert_array_equal(measure(tables[:, :, 0]), want)
    for v in range(4):
        assert_array_equal(gini_split(tables, v), [[gini_split(t, v) for t in two] for two in tables])


def test_no_node_at_all():
    for measure in OF_TABLES:
        assert measure(np.zeros((0, 3, 2))).shape == (0,)
    for measure in OF_COUNTS:
        assert measure(np.zeros((0, 2))).shape == (0,)


def test_variance_over_leading_axes_and_with_weights_that_fit():
    y = np.arange(6.0).reshape(2, 3)
    assert_allclose(variance(y), [2 / 3, 2 / 3])
    assert_allclose(squared_error(y), [2, 2])
    assert_allclose(squared_error([1, 2, 3], [[1, 1, 0], [0, 1, 1], [0, 0, 9], [0, 0, 0]]), [0.5, 0.5, 0, 0])
    assert_allclose(variance([1, 2, 9], [2, 2, 0]), 0.25)


def test_pandas_objects_are_counts_too():
    table = pd.DataFrame({"no": [3, 2, 1], "yes": [2, 3, 4]}, index=["young", "middle-aged", "old"])
    assert information_gain(table) == information_gain(table.to_numpy())
    assert entropy(table.loc["young"]) == entropy([3, 2])
    assert gini_split(table, 2) == gini_split(table.to_numpy(), 2)
    assert variance(table["no"]) == variance([3, 2, 1])
    assert impurity_decrease(table, gini) == impurity_decrease(table.to_numpy(), gini)


def test_counts_are_left_as_they_are():
    table = np.array([[3.0, 2.0], [0.0, 0.0]])
    for measure in OF_TABLES:
        measure(table)
    assert_array_equal(table, [[3, 2], [0, 0]])


@pytest.mark.parametrize(
    ("bad", "shown"), [(-1, "-1.0"), (math.nan, "nan"), (math.inf, "inf"), (None, "nan")]
)
def test_bad_counts_are_refused(bad, shown):
    for measure in OF_COUNTS:
        with pytest.raises(ValueError, match=rf"counts holds {shown}; wanted finite counts or weights, none"):
            measure([1, bad])
    for measure in OF_TABLES:
        with pytest.raises(ValueError, match=rf"table holds {shown}; wanted finite counts or weights, none"):
            measure([[1, 2], [bad, 1]])
    with pytest.raises(ValueError, match=rf"table holds {shown}"):
        gini_split([[1, 2], [bad, 1]], 0)
    with pytest.raises(ValueError, match=rf"weight holds {shown}"):
        variance([1, 2], [1, bad])


def test_masked_counts_are_missing():
    masked = np.ma.array([1, 1, 5], mask=[0, 0, 1])
    for measure in OF_COUNTS:
        with pytest.raises(ValueError, match="counts holds nan"):
            measure(masked)
        assert measure(np.ma.array([1, 1])) == measure([1, 1])
    for measure in OF_TABLES:
        with pytest.raises(ValueError, match="table holds nan"):
            measure(np.ma.array([[1, 2], [3, 4]], mask=[[0, 0], [0, 1]]))
    with pytest.raises(ValueError, match="y is "):
        variance(masked)
    with pytest.raises(ValueError, match="weight holds nan"):
        squared_error([1, 2, 3], masked)


def test_counts_with_too_few_axes_are_refused():
    for measure in OF_COUNTS:
        with pytest.raises(ValueError, match=r"counts has 0 axes; wanted \(\.\.\., K\)"):
            measure(3)
    for measure in OF_TABLES:
        with pytest.raises(ValueError, match=r"table has 1 axis; wanted \(\.\.\., V, K\)"):
            measure([3, 4])


@pytest.mark.parametrize("base", [1, 0, -2, 0.5, math.inf, math.nan, "2", None, [2]])
def test_bad_bases_are_refused(base):
    for measure in WITH_BASE:
        with pytest.raises(ValueError, match=r"base is .*; wanted a number above 1"):
            measure([[1, 1], [1, 1]], base=base)


@pytest.mark.parametrize("value_index", [-1, 2, 0.5, 1.0, "young", None, np.array([0, 1])])
def test_a_value_the_table_does_not_have_is_refused(value_index):
    with pytest.raises(ValueError, match=r"value_index is .*; the table has rows 0 to 1"):
        gini_split([[1, 2], [3, 4]], value_index)


@pytest.mark.parametrize("one", [np.int8(1), np.array(1), True])
def test_whatever_is_an_index_picks_a_value(one):
    assert gini_split([[1, 2], [3, 4], [5, 0]], one) == gini_split([[1, 2], [3, 4], [5, 0]], 1)


@pytest.mark.parametrize("y", [3.0, [1, math.nan], [math.inf, 1], [1e308, -1e308]])
def test_bad_numbers_are_refused(y):
    for measure in (variance, squared_error):
        with pytest.raises(ValueError, match=r"y is .*; wanted an array \(\.\.\., N\) of finite numbers"):
            measure(y)


def test_mutual_information_is_information_gain():
    assert measures.mutual_information is information_gain


# Units


def test_bits_nats_and_other_units():
    assert entropy([1, 1], base=math.e) == pytest.approx(math.log(2), rel=1e-15)
    assert entropy([1] * 10, base=10) == pytest.approx(1, rel=1e-15)
    assert entropy([1, 1], base=math.sqrt(2)) == pytest.approx(2, rel=1e-15)


# Independent implementations


def test_entropy_agrees_with_scipy():
    rng = np.random.default_rng(3)
    for K in (1, 2, 3, 10, 300):
        counts = rng.integers(0, 50, (20, K)) + np.eye(1, K, dtype=int)
        for base in (2, math.e, 10, 1.5):
            assert_allclose(
                entropy(counts, base=base), scipy.stats.entropy(counts, base=base, axis=-1), rtol=1e-12
            )


def test_mutual_information_agrees_with_scikit_learn():
    rng = np.random.default_rng(4)
    for V, K in [(1, 2), (2, 2), (3, 2), (5, 4), (30, 7)]:
        for _ in range(10):
            table = rng.integers(0, 20, (V, K)) + np.eye(V, K, dtype=int)
            want = mutual_info_score(None, None, contingency=table)
            assert information_gain(table, base=math.e) == pytest.approx(want, abs=1e-12)
            assert measures.mutual_information(table.T, base=math.e) == pytest.approx(want, abs=1e-12)


def test_variance_agrees_with_numpy():
    rng = np.random.default_rng(5)
    y, w = rng.normal(size=30), rng.integers(1, 5, 30)
    assert variance(y) == pytest.approx(np.var(y), rel=1e-12)
    assert variance(y, w) == pytest.approx(np.var(np.repeat(y, w)), rel=1e-12)
    assert squared_error(y, w) == pytest.approx(np.var(np.repeat(y, w)) * w.sum(), rel=1e-12)


# The worked examples, from the data files themselves

DATA = Path(__file__).parents[2] / "data"


def read(name: str) -> pd.DataFrame:
    return pd.read_csv(DATA / f"{name}.csv", dtype_backend="numpy_nullable")


def table_of(frame: pd.DataFrame, feature: str, target: str) -> pd.DataFrame:
    return pd.crosstab(frame[feature], frame[target])


def printed(x: float, text: str) -> bool:
    """Say whether a number is the printed one, rounded to as many digits."""
    return f"{x:.{len(text.partition('.')[2])}f}" == text


LOAN = read("loan")
MELONS = read("watermelon_2")


def test_loan_entropies():
    assert printed(entropy(LOAN["approved"].value_counts()), "0.971")
    assert printed(conditional_entropy(table_of(LOAN, "age", "approved")), "0.888")


@pytest.mark.parametrize(
    ("feature", "gain", "ratio", "ginis"),
    [
        ("age", "0.083", "0.052", {"young": "0.44", "middle-aged": "0.48", "old": "0.44"}),
        ("has_job", "0.324", "0.352", {"no": "0.32", "yes": "0.32"}),
        ("owns_house", "0.420", "0.433", {"no": "0.27", "yes": "0.27"}),
        ("credit", "0.363", "0.232", {"excellent": "0.36", "good": "0.47", "fair": "0.32"}),
    ],
)
def test_loan_features(feature, gain, ratio, ginis):
    table = table_of(LOAN, feature, "approved")
    assert printed(information_gain(table), gain)
    assert printed(gain_ratio(table), ratio)
    for value, text in ginis.items():
        assert printed(gini_split(table, table.index.get_loc(value)), text)


def test_melon_entropies():
    assert printed(entropy(MELONS["good"].value_counts()), "0.998")
    slip = 0.988 - round(conditional_entropy(table_of(MELONS, "color", "good")), 3)
    assert printed(slip, "0.099")  # two digits of 0.998 changed places
    colors = table_of(MELONS, "color", "good").loc[["green", "dark", "pale"]]
    assert [
        printed(H, text) for H, text in zip(entropy(colors), ["1.000", "0.918", "0.722"], strict=True)
    ] == [True] * 3


@pytest.mark.parametrize(
    ("feature", "gain", "ratio"),
    [
        ("color", "0.108", "0.068"),
        ("stem", "0.143", "0.102"),
        ("knock", "0.141", "0.106"),
        ("texture", "0.381", "0.263"),
        ("navel", "0.289", "0.187"),
        ("touch", "0.006", "0.007"),
    ],
)
def test_melon_features(feature, gain, ratio):
    table = table_of(MELONS, feature, "good")
    assert printed(information_gain(table), gain)
    assert printed(gain_ratio(table), ratio)


def test_the_gain_of_color_as_the_hand_rounds_it():
    table = table_of(MELONS, "color", "good")
    assert printed(information_gain(table), "0.1081")
    assert printed(round(entropy(table.sum()), 3) - round(conditional_entropy(table), 3), "0.109")


@pytest.mark.parametrize(("feature", "text"), [("touch", "0.874"), ("color", "1.580"), ("id", "4.087")])
def test_melon_split_information(feature, text):
    assert printed(split_information(table_of(MELONS, feature, "good")), text)


def test_the_id_tells_everything_about_the_melons_at_hand():
    table = table_of(MELONS, "id", "good")
    assert is_plus_zero(conditional_entropy(table))
    assert information_gain(table) == entropy(table.sum())
    assert split_information(table) == pytest.approx(math.log2(17), rel=1e-15)


def test_three_features_tie_among_the_clear_melons():
    clear = MELONS[MELONS["texture"] == "clear"]
    gains = {feature: information_gain(table_of(clear, feature, "good")) for feature in MELONS.columns[1:-1]}
    assert {feature: f"{gain:.3f}" for feature, gain in gains.items()} == {
        "color": "0.043",
        "stem": "0.458",
        "knock": "0.331",
        "texture": "0.000",
        "navel": "0.458",
        "touch": "0.458",
    }
    assert gains["texture"] == 0
    assert abs(gains["stem"] - gains["navel"]) < measures.ROUNDING > abs(gains["stem"] - gains["touch"])


@pytest.mark.parametrize(
    ("feature", "cut", "gain"), [("density", 0.3815, "0.262"), ("sugar", 0.126, "0.349")]
)
def test_best_cut_of_the_numeric_features(feature, cut, gain):
    frame = read("watermelon_3")
    x, good = frame[feature].to_numpy(float), (frame["good"] == "yes").to_numpy(bool)
    values = np.unique(x)
    cuts = (values[1:] + values[:-1]) / 2
    above = x > cuts[:, None]
    tables = np.array([[(side & (good == c)).sum(-1) for c in (False, True)] for side in (~above, above)])
    gains = information_gain(np.moveaxis(tables, -1, 0))
    assert len(cuts) == 16
    assert cuts[gains.argmax()] == pytest.approx(cut)
    assert printed(gains.max(), gain)


@pytest.mark.parametrize(
    ("feature", "gain"),
    [
        ("color", "0.252"),
        ("stem", "0.171"),
        ("knock", "0.145"),
        ("texture", "0.424"),
        ("navel", "0.289"),
        ("touch", "0.006"),
    ],
)
def test_missing_values_count_by_the_known_share(feature, gain):
    frame = read("watermelon_2_missing")
    known = frame.dropna(subset=feature)
    assert printed(information_gain(table_of(known, feature, "good")) * len(known) / len(frame), gain)


def test_fourteen_known_colors():
    known = read("watermelon_2_missing").dropna(subset="color")
    assert len(known) == 14
    assert printed(entropy(known["good"].value_counts()), "0.985")
    assert printed(information_gain(table_of(known, "color", "good")), "0.306")


@pytest.mark.parametrize(
    ("feature", "left", "decrease"),
    [("gender", "0.4800", "0.0200"), ("car_type", "0.1625", "0.3375"), ("customer_id", "0.0000", "0.5000")],
)
def test_customers(feature, left, decrease):
    table = table_of(read("customers"), feature, "class")
    assert printed(conditional_gini(table), left)
    assert printed(impurity_decrease(table, gini), decrease)


@pytest.mark.parametrize(("feature", "gain"), [("outlook", "0.247"), ("windy", "0.048")])
def test_golf(feature, gain):
    assert printed(information_gain(table_of(read("golf"), feature, "play")), gain)


def test_regression_cut():
    y = np.array([4.50, 4.75, 4.91, 5.34, 5.80, 7.05, 7.90, 8.23, 8.70, 9.00])
    errors = [squared_error(y[:cut]) + squared_error(y[cut:]) for cut in range(1, 10)]
    assert np.argmin(errors) == 4
    assert printed(min(errors), "3.359")


@pytest.mark.parametrize("measure", [measures.variance, measures.absolute_error, measures.median])
@pytest.mark.parametrize("sign", [-1, 1])
def test_numbers_up_to_1e150_have_finite_squares_and_no_others_are_taken(measure, sign):
    assert np.isfinite(measure([sign * 1e150, 0.0]))
    with pytest.raises(ValueError, match=r"none beyond ±1e150"):
        measure([sign * 1.5e150, 0.0])
