"""What a split is worth: exact in fractions, whatever the order of the rows and the unit of the weights."""

import math
from fractions import Fraction

import numpy as np
import pytest

from dtlib import CARTClassifier, CARTRegressor
from dtlib.counting.score import PairScores
from dtlib.counting.tables import whole
from dtlib.counting.targets import ClassificationTarget, RegressionTarget, Totals, in_whole_numbers
from dtlib.dialects import CARTDialect
from dtlib.search.by_order import MANY_CLASSES, ClassesOfRows, Scan
from dtlib.search.by_table import sums_of_seconds
from dtlib.search.level import Level, Limits
from dtlib.table.columns import Column
from tests.criteria import criteria_of


def root(estimator, x, y, w=None):
    """Return the tree of one question about one column."""
    return estimator.set_params(max_depth=1).fit(np.asarray(x, float)[:, None], y, w).tree_


def gini(counts):
    """Return Gini's impurity as a fraction."""
    return 1 - sum(Fraction(c, sum(counts)) ** 2 for c in counts)


@pytest.mark.parametrize(
    "x", [[3.0, 4.0], [0.5, 0.25], [0.1] * 10, [1e-300, 2e-300], [1e300, 3.0], [0.0, 0.0, 1.0]]
)
def test_whole_numbers_keep_their_shares(x):
    whole, shift = in_whole_numbers(np.array(x))
    assert whole.dtype.kind == "i"
    assert int(np.abs(whole).sum()) < 2**53
    back = [Fraction(int(k)) * Fraction(2) ** -shift for k in whole]
    total = sum(map(Fraction, x))
    assert all(abs(a - Fraction(b)) <= total * Fraction(2) ** -51 for a, b in zip(back, x, strict=True))


def test_sums_below_2_to_the_52_are_kept_as_they_are_and_no_others():
    for x in ([3.0, 2.0**52 - 4], [-3.0, 2.0**52 - 4]):
        whole, shift = in_whole_numbers(np.array(x))
        assert (whole.tolist(), shift) == (x, 0)
    for x in ([3.0, 2.0**52 - 3], [-3.0, 2.0**52 - 3], [2.0**53, 2.0**60], [0.5, 3.0]):
        whole, shift = in_whole_numbers(np.array(x))
        assert shift == 52 - int(np.frexp(np.abs(x).sum())[1]) != 0
        assert 2**51 <= int(np.abs(whole).sum()) <= 2**52


def test_what_sums_of_logarithms_may_be_off_is_more_than_they_are_and_next_to_nothing():
    rng = np.random.default_rng(0)
    for n in (2, 100, 10_000, 1_000_000):
        y = Column("y", np.array(["a", "b"]), rng.integers(0, 2, n).astype(np.int32), "nominal")
        target = ClassificationTarget([y], None, "entropy")
        totals = target.totals(target.gather(np.arange(n)), np.zeros(n, int), 1)
        allowed = float(target.max_gain(totals, np.zeros(1))[1][0])
        parts = rng.dirichlet(np.ones(2), 50) * n
        terms = parts * np.log2(parts / n)
        off = max(abs(float(row.sum()) - math.fsum(row)) for row in terms)
        assert off <= allowed < 3e-14 * n


@pytest.mark.parametrize(
    "counts", [((3, 1), (0, 4)), ((5, 2, 1), (1, 1, 6)), ((1, 0), (0, 1)), ((9, 1), (8, 3))]
)
@pytest.mark.parametrize("weighted", [False, True])
def test_gini_is_that_of_fractions(counts, weighted):
    left, right = counts
    n = sum(left) + sum(right)
    below = sum(Fraction(sum(side), n) * gini(side) for side in counts)
    exact = gini([a + b for a, b in zip(*counts, strict=True)]) - below
    rows = [(side, k, c) for side, part in enumerate(counts) for k, c in enumerate(part)]
    if weighted:
        x, y, w = zip(*rows, strict=True)
    else:
        x, y, w = *np.repeat([row[:2] for row in rows], [row[2] for row in rows], axis=0).T, None
    tree = root(CARTClassifier(), x, y, w)
    assert float(tree.gain[0]) == pytest.approx(float(exact), rel=1e-14, abs=1e-15)


def test_squared_error_is_that_of_fractions():
    y = [Fraction(k, 8) for k in (1, 3, 4, 4, 9, 11)]
    mean = sum(y) / 6
    low, high = sum(y[:4]) / 4, sum(y[4:]) / 2
    exact = (4 * (low - mean) ** 2 + 2 * (high - mean) ** 2) / 6
    tree = root(CARTRegressor(), [0, 0, 0, 0, 1, 1], [float(k) for k in y])
    assert float(tree.gain[0]) == pytest.approx(float(exact), rel=1e-13)
    assert tree.value[1:, 0].tolist() == [float(low), float(high)]


@pytest.mark.parametrize("offset", [0.0, 1e3, 1e6, -1e9])
def test_squared_error_does_not_lose_digits_to_an_offset(offset):
    y = np.array([0.0, 1.0, 0.5, 7.0, 8.0, 7.5])
    tree = root(CARTRegressor(), np.arange(6), y + offset)
    assert tree.threshold[0] == 2.5
    assert tree.gain[0] == pytest.approx(12.25, rel=1e-12)


@pytest.mark.parametrize("criterion", criteria_of(CARTClassifier))
def test_ties_are_ties_whatever_the_weights_add_up_to(criterion):
    """Three columns part the rows alike: 0.1 ten times is as good as its sum in another order."""
    rng = np.random.default_rng(5)
    w, y = rng.random(30), np.arange(30) % 2
    left = rng.random(30) < 0.5
    X = np.stack([np.where(left, rng.random(30), 2 + rng.random(30)) for _ in range(3)], axis=1)
    X[:, 0] = rng.permutation(30) < 0  # constant
    for _ in range(20):
        rows = rng.permutation(30)
        tree = (
            CARTClassifier(criterion=criterion, max_depth=1, min_samples_leaf=0.2)
            .fit(X[rows], y[rows], w[rows])
            .tree_
        )
        again = CARTClassifier(criterion=criterion, max_depth=1, min_samples_leaf=0.2).fit(X, y, w).tree_
        assert tree == again


def test_a_mirrored_column_ties_and_the_first_wins():
    rng = np.random.default_rng(6)
    x, y, w = rng.normal(size=50), rng.normal(size=50), rng.random(50)
    for columns in ([x, -x], [-x, x]):
        tree = CARTRegressor(max_depth=1).fit(np.stack(columns, axis=1), y, w).tree_
        assert tree.feature[0] == 0


@pytest.mark.parametrize(
    ("y", "w", "lowest"), [((0, 8, 5), (7, 2, 7), 1.5), ((8, 6, 4, 7), (3, 3, 7, 3), 1.5)]
)
def test_the_lowest_of_equal_thresholds_though_rounding_prefers_the_other(y, w, lowest):
    """The rows are the same from both ends; of tenths, the sums from one end are a little larger."""
    y, w = (np.array(half + half[::-1]) / 10 for half in (y, w))
    tree = CARTRegressor(max_depth=1).fit(np.arange(1.0, len(y) + 1)[:, None], y, w).tree_
    assert tree.threshold[0] == lowest


@pytest.mark.parametrize("unit", [1e-12, 1e-3, 0.1, 3.0, 1e12])
def test_the_unit_of_the_weights_does_not_matter(unit):
    rng = np.random.default_rng(8)
    X, y, w = rng.normal(size=(60, 3)), rng.integers(0, 3, 60), rng.integers(1, 9, 60)
    one, other = (CARTClassifier().fit(X, y, v).tree_ for v in (w, w * unit))
    np.testing.assert_array_equal(one.feature, other.feature)
    np.testing.assert_array_equal(one.threshold, other.threshold)
    np.testing.assert_allclose(one.n * unit, other.n, rtol=1e-12)


def test_a_question_that_tells_nothing_gains_nothing():
    tree = root(CARTClassifier(dialect=CARTDialect(zero_gain=True)), [0, 0, 0, 1, 1, 1], [0, 1, 2, 0, 1, 2])
    assert tree.gain[0] == pytest.approx(0, abs=1e-15)
    assert tree.n_leaves == 2
    assert root(CARTClassifier(), [0, 0, 0, 1, 1, 1], [0, 1, 2, 0, 1, 2]).n_leaves == 1


@pytest.mark.parametrize("criterion", criteria_of(CARTClassifier))
@pytest.mark.parametrize("weight", [None, [2.0, 1, 3, 1, 1, 4], [0.5, 0.25, 1, 1, 3, 0.5]])
@pytest.mark.parametrize("outputs", [1, 2])
def test_at_stake_is_the_impurity_of_all_rows(criterion, weight, outputs):
    columns = [
        Column("y", np.array(list("abc")), np.array([0, 1, 1, 2, 0, k]), "nominal") for k in range(outputs)
    ]
    weight = None if weight is None else np.array(weight)
    target = ClassificationTarget(columns, weight, criterion)
    totals = target.totals(target.gather(np.arange(6)), np.zeros(6, int), 1)
    _, impurity, _ = target.summarize(np.arange(6), np.zeros(6, int), totals)
    (stake,) = target.max_gain(totals, impurity)[0] * target.weight_unit
    assert stake == pytest.approx(impurity[0] * (6 if weight is None else weight.sum()), rel=1e-12)


@pytest.mark.parametrize(
    ("classes", "outputs", "total", "told"),
    [(3, 1, 10, True), (2, 1, 10, False), (1, 1, 10, False), (3, 2, 10, False),
     (3, 1, 2**31 - 1, True), (3, 1, 2**31, False), (3, 1, 2**30, True)],
)  # fmt: skip
def test_several_classes_are_told_from_pairs_while_their_squares_fit(classes, outputs, total, told):
    y = Column("y", np.arange(classes), np.arange(5) % classes, "nominal")
    target = ClassificationTarget([y] * outputs, np.array([total - 4.0, 1, 1, 1, 1]), "gini")
    assert target.in_pairs is told


@pytest.mark.parametrize(
    ("counts", "kind"), [([1.0, 2**52], "i"), ([1.0, 2**60], "f"), ([0.5, 1], "f"), ([3, 2**60], "i")]
)
def test_counts_are_whole_while_floats_tell_each_from_the_next(counts, kind):
    assert whole(np.array(counts)).dtype.kind == kind


def test_what_numbers_stake_is_exact():
    """So that of two questions about numbers the better one is never taken as equal by a fixed amount."""
    y = Column("y", np.array([1e-9, 2e-9]), np.array([0, 0, 1, 1]), "numeric")
    target = RegressionTarget([y], None, "squared_error")
    totals = target.totals((None, [np.zeros(4, np.int64)]), np.zeros(4, int), 1)
    stake, rounded = target.max_gain(totals, np.array([0.25e-18]))
    assert (float(stake[0]), rounded) == (1e-18, 0.0)


def test_pairs_of_much_weight_are_counted_in_whole_numbers_even_if_weights_come_as_floats():
    """Their squares are more than floats hold exactly; those who search planes have floats."""
    above = np.array([308_194_704, 315_048_028])
    n, left = 1_500_000_017, [np.array([5_093_730]), np.array([55_217_615])]
    n_left = np.array([466_946_464])
    node = Totals(np.array([n]), [above[:1], above[1:]], np.array([9]))
    floats = Totals(node.n.astype(float), [c.astype(float) for c in node.channels], node.rows)
    whole = PairScores(n_left, node)(left)
    assert PairScores(n_left.astype(float), floats)([c.astype(float) for c in left]) == whole


def level_of(columns, weight, numeric=False, nodes=5):
    """Return a level of all rows that count, in a few nodes."""
    make, how = (RegressionTarget, "squared_error") if numeric else (ClassificationTarget, "gini")
    target = make(columns, weight, how)
    node = np.arange(len(target.rows)) * nodes // len(target.rows)
    totals = target.totals(target.gather(target.rows), node, nodes)
    summary, impurity, _ = target.summarize(target.rows, node, totals)
    return Level.opened(target, target.rows, totals, impurity, summary)


@pytest.mark.parametrize("most", [40, 1 << 26])  # in floats, and in integers
@pytest.mark.parametrize("classes", [3, 6, 300])
def test_classes_summed_row_by_row_score_as_those_summed_one_by_one(classes, most, monkeypatch):
    rng = np.random.default_rng(classes)
    y = Column("y", np.arange(classes), rng.permutation(np.arange(700) % classes))
    level = level_of([y], None)
    monkeypatch.setattr("dtlib.counting.score.IN_FLOATS", most)
    scan = Scan(level, level.target.scorer, Limits())
    lines = np.stack(
        [np.concatenate([rng.permutation(part) for part in np.array_split(level.rows, 5)]) for _ in "ab"]
    )
    one_by_one = scan.score_cuts(scan.left(lines))
    np.testing.assert_array_equal(scan.score_cuts.of_sums(*ClassesOfRows(level).sums(lines)), one_by_one)
    assert (scan.pairs is not None) == (classes > MANY_CLASSES)


@pytest.mark.parametrize("weight", [None, np.arange(60) % 4, np.arange(60) / 7])
@pytest.mark.parametrize("kind", ["two classes", "seven classes", "two outputs", "numbers"])
def test_sums_of_second_values_are_those_of_their_rows(kind, weight):
    rng, weight = np.random.default_rng(1), None if weight is None else weight.astype(float)
    sizes = {"two classes": [2], "seven classes": [7], "two outputs": [3, 2], "numbers": [60]}[kind]
    columns = [Column("y", np.arange(K) * 1.5, rng.permutation(np.arange(60) % K)) for K in sizes]
    level = level_of(columns, weight, kind == "numbers")
    twos = rng.integers(0, 2, (60, 3)).astype(level.target.sum_type)
    found = sums_of_seconds(level, twos)
    for f in range(3):
        some = twos[level.rows, f] == 1
        wanted = level.target.totals(level.target.gather(level.rows[some]), level.node[some], len(level.size))
        np.testing.assert_array_equal(found.n[f], wanted.n)
        np.testing.assert_array_equal(found.rows[f], wanted.rows)
        for sums, own in zip(found.channels, wanted.channels, strict=True):
            np.testing.assert_array_equal(sums[f], own)


@pytest.mark.parametrize("weight", [None, np.arange(300) % 4, np.arange(300) / 7])
@pytest.mark.parametrize("kind", ["two classes", "seven classes", "two outputs", "numbers"])
def test_columns_of_two_values_are_cut_alike_by_a_product_and_by_counts(kind, weight, monkeypatch):
    monkeypatch.setattr("dtlib.growing.depth_first.is_ready", lambda *_: False)
    rng = np.random.default_rng(2)
    X = np.concatenate([rng.integers(0, 2, (300, 6)), rng.normal(size=(300, 1))], axis=1)
    score = X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=300)
    y = {"two classes": score > 1, "seven classes": np.digitize(score, np.arange(-2, 4)),
         "two outputs": np.stack([score > 1, score > 2], axis=1), "numbers": score}[kind]  # fmt: skip
    estimator = (CARTRegressor if kind == "numbers" else CARTClassifier)(min_samples_leaf=2)
    counted = estimator.fit(X, y, weight).tree_
    monkeypatch.setattr("dtlib.search.searcher.BLOCK", 0)
    monkeypatch.setattr("dtlib.search.searcher.counted_cuts", None)
    assert estimator.fit(X, y, weight).tree_ == counted
