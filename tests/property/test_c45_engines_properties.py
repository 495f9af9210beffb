"""C4.5 grows and prunes the same tree, to the last bit, with what Numba compiles and with NumPy alone.

Without Numba the functions it would compile run as plain Python.
"""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtlib import C45Classifier, jit
from dtlib.arrays import distinct_numbers, xlogx
from dtlib.compiled import level_cuts, parting
from dtlib.dialects import C45Dialect
from dtlib.growing import by_ratio, training_rows
from dtlib.growing.missing import divided
from dtlib.prune import Pessimistic
from dtlib.tree.tree import ARRAYS
from tests.drawn import SPREADS, examples, mirrored, mirrors, rows_of_both, seeds, spread_out
from tests.private import subclass_with


def column(draw, n):
    """Draw names or numbers."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    how = draw(st.sampled_from([*SPREADS, "names"]))
    if how == "names":
        return pd.Categorical(rng.choice(list("abcd"), n), list("abcd"))
    return spread_out(rng, n, how)


@st.composite
def tasks(draw):
    """Draw a table, classes, weights and an estimator."""
    n, d = draw(rows_of_both), draw(st.integers(1, 4))
    X = pd.DataFrame({f"x{f}": column(draw, n) for f in range(d)})
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    y = rng.integers(0, draw(st.sampled_from([1, 2, 2, 3, 9])), n)
    X, y = mirrored(draw(mirrors), X, y)
    n = len(y)
    X = X.where(rng.random(X.shape) >= draw(st.sampled_from([0, 0.2, 0.5])))
    weight = {"none": None, "whole": np.arange(n) % 3 + 1, "parts": (np.arange(n) % 7 + 1) / 3}
    weight["heavy"] = (np.arange(n) % 5 * 4 + 1) / 2  # J48 does not take them for many rows
    options = {
        "max_depth": draw(st.sampled_from([None, None, 2])),
        "missing": draw(st.sampled_from(["fractional", "fractional", "majority"])),
        "group_values": draw(st.sampled_from([None, None, "one_vs_rest"])),
        "prune": draw(st.sampled_from([None, Pessimistic(), Pessimistic(raising=False)])),
    }
    make = draw(st.sampled_from([C45Classifier, C45Classifier.release8, C45Classifier.j48]))
    if make is C45Classifier:
        options["min_samples_leaf"] = draw(st.sampled_from([0, 1, 2]))
        options["mdl_correction"], options["average_gain"] = draw(st.booleans()), draw(st.booleans())
        options["dialect"] = C45Dialect(threshold_by=draw(st.sampled_from(["gain", "gain", "gain_ratio"])))
    return X, y, weight[draw(st.sampled_from(sorted(weight)))], make(**options)


def grown(estimator, X, y, weight, is_compiled):
    """Return the tree that one of the engines grows and prunes."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (by_ratio, training_rows):
            patch.setattr(module, "is_ready", lambda *_: is_compiled)
        return estimator.fit(X, y, weight).tree_


def assert_same(one, other):
    """Compare two trees, and the steps in which they were pruned."""
    for name in ARRAYS:
        a, b = getattr(one, name), getattr(other, name)
        assert a.dtype == b.dtype, name
        np.testing.assert_array_equal(a, b, err_msg=name)
    if one.steps is not None:
        pd.testing.assert_frame_equal(one.steps, other.steps, check_exact=True)


@examples(300)
@given(tasks())
def test_the_same_tree_of_c45_to_the_last_bit(task):
    X, y, weight, estimator = task
    assert_same(*(grown(estimator, X, y, weight, how) for how in (True, False)))


@pytest.mark.long
@pytest.mark.parametrize("holes", [0, 0.2])
@pytest.mark.parametrize("make", [C45Classifier, C45Classifier.release8, C45Classifier.j48])
@pytest.mark.parametrize("prune", [None, Pessimistic(confidence=0.1)])
def test_the_same_tree_of_many_values(make, prune, holes):
    """Columns that are kept sorted, and rows in many parts."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3))
    y = (X[:, 0] + X[:, 1] + rng.normal(size=300) > 0).astype(int)
    X[rng.random(X.shape) < holes] = np.nan
    one, other = (grown(make(prune=prune, max_depth=6), X, y, None, how) for how in (True, False))
    assert (one if prune is None else one.pruned_from).node_count > 5
    assert_same(one, other)


def test_the_list_of_cuts_goes_on_when_it_is_full():
    """Where every cut is as good as the others, all are listed; there is room for those of some features."""
    X, y = np.tile(np.arange(200.0)[:, None], 5), np.arange(200) % 2
    estimator = C45Classifier(dialect=subclass_with(C45Dialect, tolerance=2.0)())
    assert_same(*(grown(estimator, X, y, None, how) for how in (True, False)))


@pytest.mark.skipif(jit.has_numba(), reason="what is compiled into others cannot be called alone")
@pytest.mark.parametrize("seed", seeds(30))
def test_a_cut_gains_no_more_than_its_bound(seed):
    rng = np.random.default_rng(seed)
    K = rng.integers(2, 6)
    left, right = 10.0 ** rng.uniform(-6, 3, (2, K)) * (rng.random((2, K)) < 0.7)
    left[0], right[-1] = left[0] + 1, right[-1] + 1
    known, n = left + right, (left + right).sum()
    node = np.zeros(level_cuts.OF_CLASS + level_cuts.PER_CLASS * K)
    of_class = node[level_cuts.OF_CLASS :].reshape(K, level_cuts.PER_CLASS)
    of_class[:, 0] = left
    some = known > 0
    of_class[some, 1], of_class[some, 2] = known[some] / n, n / known[some]
    sums = left.sum(), right.sum()
    lost = [xlogx(x.sum()) - xlogx(x).sum() for x in (left, right, known)]
    gain = lost[2] - lost[0] - lost[1]
    assert gain <= level_cuts.gain_at_most(node, K, *sums) + 1e-9 * n


@pytest.mark.parametrize(("further", "asks"), [(0, False), (2**-20, True)])
def test_numbers_as_far_apart_as_the_gap_are_not_parted(further, asks):
    X, y = np.array([[1.0], [1.5 + further]]).repeat(2, axis=0), [0, 0, 1, 1]
    for is_compiled in (True, False):
        tree = grown(C45Classifier(dialect=C45Dialect(gap=0.5)), X, y, None, is_compiled)
        assert (tree.node_count > 1) == asks


def test_columns_some_of_which_miss_values_come_in_any_order():
    """Columns without holes are ranked first, so that they come before others."""
    rng = np.random.default_rng(2)
    X, y = rng.integers(0, 9, (40, 4)).astype(float), rng.integers(0, 2, 40)
    X[:, :2][rng.random((40, 2)) < 0.3] = np.nan
    for names in ([], ["a"]):
        frame = pd.DataFrame(X).add_prefix("x").assign(**{name: y.astype(str) for name in names})
        assert_same(*(grown(C45Classifier.j48(), frame, y, None, how) for how in (True, False)))


@pytest.mark.long
@pytest.mark.parametrize("classes", [7, 8, 13])
@pytest.mark.parametrize("n", [40, 9000])
@pytest.mark.parametrize("seed", seeds(3))
def test_a_cut_that_is_the_only_one_of_many_classes(seed, n, classes):
    """NumPy adds up one column of eight or more numbers in another order than several."""
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 2, (n, 3)).astype(float), rng.integers(0, classes, n)
    X[:, 1] = 0
    estimator = C45Classifier(max_depth=1)
    assert_same(*(grown(estimator, X, y, None, how) for how in (True, False)))


@pytest.mark.skipif(jit.has_numba(), reason="what is compiled into others cannot be called alone")
def test_logarithms_are_nearly_right():
    x = np.append(10 ** np.random.default_rng(0).uniform(-15, 9, 2000), [0.0, 1.0, 2.0, 3.0])
    logs = level_cuts.logarithms()
    found = np.array([level_cuts.logarithm(v, logs) for v in x])
    assert (abs(found - xlogx(x)) <= 1e-11 * x).all()


@pytest.mark.parametrize("way", ["fractional", "majority"])
@pytest.mark.parametrize("seed", seeds(10))
def test_rows_are_parted_alike(seed, way):
    rng = np.random.default_rng(seed)
    n, unit = 30, 2.0**-40
    codes, weight = rng.integers(-1, 4, (2, n), np.int32), rng.integers(1, 5, n) / 4
    row, node = rng.permutation(n), rng.integers(0, 3, n)
    feature, last = np.array([0, 1, 0]), np.array([1, 0, 2])
    code = codes[feature[node], row]
    branch = np.where(code < 0, -1, code > last[node])
    entry, taken, part = divided(node, branch, weight, np.full(3, 2), way)
    part = np.rint(part / unit) * unit
    sums = np.empty((3, 2))
    found = parting.part_rows(row, node, weight, codes, feature, last, unit, way == "fractional", sums)
    for a, b in zip((entry[part > 0], taken[part > 0], part[part > 0]), found, strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("seed", seeds(10))
def test_distinct_numbers_are_those_of_numpy(seed):
    x = np.random.default_rng(seed).integers(0, 20, 15)
    for a, b in zip(
        distinct_numbers(x, np.empty(20, np.intp)), np.unique(x, return_inverse=True), strict=True
    ):
        np.testing.assert_array_equal(a, b)
