"""Absolute error: medians, and what each cut takes off."""

import numpy as np
import pytest

from dtlib import CARTRegressor, measures
from dtlib.counting.targets import in_whole_numbers, medians


def absolute(y, w):
    """Return the least sum of distances from one number, by trying each."""
    return min((w * abs(y - m)).sum() for m in y)


def root_gain(x, y, w=None):
    """Return the gain of a root that has one column."""
    tree = (
        CARTRegressor(criterion="absolute_error", max_depth=1).fit(np.asarray(x, float)[:, None], y, w).tree_
    )
    return float(tree.gain[0])


@pytest.mark.parametrize(
    ("y", "weight", "median"),
    [
        ([3.0], None, 3.0),
        ([1.0, 3.0], None, 2.0),
        ([5.0, 1.0, 2.0], None, 2.0),
        ([1.0, 2.0, 4.0, 9.0], None, 3.0),
        ([1.0, 2.0, 9.0], [1, 1, 2], 5.5),
        ([1.0, 2.0, 9.0], [1, 1, 3], 9.0),
        ([1.0, 2.0, 9.0], [0, 1, 1], 5.5),
        ([1.0, 2.0, 3.0], [0.1, 0.2, 0.3], 2.5),
        ([4.0, 4.0, 4.0, 9.0], [0.7, 0.1, 0.1, 0.5], 4.0),
    ],
)
def test_medians(y, weight, median):
    X = np.zeros((len(y), 1))
    cart = CARTRegressor(criterion="absolute_error").fit(X, y, weight)
    assert cart.predict([[0.0]]).tolist() == [median]
    w = np.ones(len(y)) if weight is None else np.array(weight)
    assert cart.tree_.impurity[0] == pytest.approx(absolute(np.array(y), w) / w.sum(), rel=1e-12)
    assert measures.median(np.array(y), w) == pytest.approx(median)


@pytest.mark.parametrize("part", [0.5 * (1 - 1e-14), 0.5 * (1 + 1e-14)])
def test_halves_that_differ_by_what_is_rounded_are_halves(part):
    assert measures.median([1.0, 9.0], [part, 1 - part]) == 5


def test_of_rows_that_weigh_nothing_the_median_is_in_the_middle_and_the_error_none():
    assert measures.median([1.0, 9.0, 2.0], np.zeros(3)) == 5
    assert measures.absolute_error([1.0, 9.0, 2.0], np.zeros(3)) == 0


def test_the_absolute_error_is_the_least_over_all_numbers_also_of_many_nodes_at_once():
    rng = np.random.default_rng(2)
    y, w = rng.integers(0, 6, (2, 7, 5)) * 1.5, rng.integers(1, 9, (2, 7, 5))
    least = [[absolute(*pair) for pair in zip(*both, strict=True)] for both in zip(y, w, strict=True)]
    assert measures.absolute_error(y, w) == pytest.approx(np.array(least))
    reached = (w * abs(y - measures.median(y, w)[..., None])).sum(-1)
    assert reached == pytest.approx(np.array(least))


def test_the_medians_of_many_nodes_at_once_are_those_of_each():
    rng = np.random.default_rng(4)
    size = rng.integers(1, 9, 400)
    node, start = np.repeat(np.arange(400), size), np.cumsum(size) - size
    y = rng.integers(0, 6, len(node)).astype(float)
    for w in (rng.integers(1, 5, len(node)) / 10, rng.integers(1, 5, len(node)) * 1.0):
        w[:2] = 1e-9
        found = medians(y, in_whole_numbers(w)[0], node, start, size, w.max() < 1)
        assert found.tolist() == [measures.median(y[node == i], w[node == i]) for i in range(400)]
    for far, wanted in ((1e-16, 5.0), (1e-13, 9.0), (-1e-13, 1.0)):  # a half up to what is rounded
        w, _ = in_whole_numbers(np.array([0.5 - far, 0.5 + far]))
        assert medians(*map(np.array, ([1.0, 9.0], w, [0, 0], [0], [2])), True) == wanted
    found = medians(y, None, node, start, size)
    assert found.tolist() == [np.median(y[node == i]) for i in range(400)]


@pytest.mark.parametrize("weights", ["none", "whole", "fractions"])
@pytest.mark.parametrize("numbers", ["distinct", "tied", "far"])
@pytest.mark.parametrize("n", [2, 3, 8, 33])
def test_every_cut(n, numbers, weights):
    rng = np.random.default_rng(n)
    y = {
        "distinct": rng.normal(size=n),
        "tied": rng.integers(0, 3, n) * 1.0,
        "far": rng.normal(size=n) + 1e6,
    }[numbers]
    w = {"none": np.ones(n), "whole": rng.integers(1, 5, n) * 1.0, "fractions": rng.random(n) + 0.1}[weights]
    for cut in range(1, n):
        right = np.arange(n) >= cut
        off = absolute(y, w) - absolute(y[right], w[right]) - absolute(y[~right], w[~right])
        assert root_gain(right, y, None if weights == "none" else w) == pytest.approx(off / w.sum(), abs=1e-9)


@pytest.mark.parametrize("n", [2, 9, 40, 500])
def test_the_best_cut(n):
    rng = np.random.default_rng(n)
    x, y, w = rng.permutation(n), rng.normal(size=n), rng.integers(0, 3, n) + 0.5
    y, w = y[np.argsort(x)], w[np.argsort(x)]
    cuts = range(1, n)
    best = min(absolute(y[:c], w[:c]) + absolute(y[c:], w[c:]) for c in cuts)
    assert root_gain(np.arange(n), y, w) == pytest.approx((absolute(y, w) - best) / w.sum(), rel=1e-9)


def test_several_outputs_have_a_median_each():
    y = np.array([[0.0, 1.0], [0.0, 3.0], [6.0, 100.0], [8.0, 102.0]])
    tree = CARTRegressor(criterion="absolute_error", max_depth=1).fit(np.arange(4.0)[:, None], y).tree_
    assert tree.threshold[0] == 1.5
    assert tree.value.tolist() == [[3.0, 51.5], [0.0, 2.0], [7.0, 101.0]]
    assert tree.impurity[1:].tolist() == [0.5, 1.0]


def test_nodes_of_a_level_do_not_disturb_each_other():
    """Two halves that are the same but for an offset are split alike."""
    rng = np.random.default_rng(3)
    x, y = rng.random(40), np.round(rng.normal(size=40), 1)
    X = np.concatenate([x, x + 10])[:, None]
    tree = CARTRegressor(criterion="absolute_error", max_depth=3).fit(X, np.concatenate([y, y + 1000])).tree_
    assert 1 < tree.threshold[0] < 10
    below, above = tree[1], tree[2]
    for left, right in zip((below, *below.children), (above, *above.children), strict=True):
        assert (left.n, left.feature) == (right.n, right.feature)
        assert left.impurity == pytest.approx(right.impurity, rel=1e-9)


@pytest.mark.parametrize(
    ("scale", "tenths", "values"),
    [(1e-25 / 3, (8, 1, 9), (0.0, 2, 4)), (1.0, (1, 2, 3), (1.0, 2, 3)), (1e24 / 3, (2, 1, 1), (5.0, 0, 1))],
)
def test_half_of_the_weight_is_found_however_large_the_weights_are(scale, tenths, values):
    y, w = np.array(values), np.array(tenths) / 10 * scale
    tree = CARTRegressor(criterion="absolute_error", max_depth=0).fit(np.zeros((3, 1)), y, w).tree_
    assert tree.summary[0, 0] == measures.median(y, w)
