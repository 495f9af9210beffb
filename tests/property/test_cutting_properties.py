"""Both ways cut lines at the same places, to the last bit: by sorting, and by buckets as Numba compiles it.

Without Numba the functions it would compile run as plain Python.
"""

import logging

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtlib import ObliqueTreeClassifier, jit
from dtlib.counting.criteria import CRITERIA
from dtlib.counting.targets import ClassificationTarget
from dtlib.oblique import cutting, planes
from dtlib.oblique.cutting import Cutting
from dtlib.oblique.hyperplane import APART, Points, cut_by_sorting
from dtlib.table.columns import Column
from dtlib.tree.tree import ARRAYS
from tests.criteria import criteria_of
from tests.drawn import examples

ROWS = st.sampled_from([2, 3, 5, 8, 13, 40])
if jit.has_numba():
    ROWS |= st.sampled_from([100, 700, 3000])
FINDINGS = ("score", "low", "high")


def numbers(rng, shape, how):
    """Return numbers as they lie along a line: spread, far out, alike, close to one another, or huge."""
    if how == "whole":
        return rng.integers(-2, 3, shape).astype(float)
    x = {"spread": rng.normal, "far": rng.standard_cauchy}.get(how, rng.normal)(size=shape)
    if how == "close":
        return 7 + np.round(x * 5) * rng.choice([1e-9, 2e-9, 1e-3])
    return x * 10.0 ** rng.integers(-300, 300, shape) if how == "huge" else x


@st.composite
def lines(draw):
    """Draw the points of a node, and lines of numbers to be cut."""
    rng, m, s = np.random.default_rng(draw(st.integers(0, 2**32))), draw(ROWS), draw(st.integers(1, 3))
    kinds = st.sampled_from(["spread", "far", "whole", "close", "huge"])
    value, step = numbers(rng, (s, m), draw(kinds)), numbers(rng, (s, m), draw(kinds))
    if draw(st.booleans()):
        step = np.ones((s, m))
    K, most = draw(st.sampled_from([2, 2, 3, 6])), draw(st.sampled_from([1, 1, 3, 10**6]))
    weight = np.zeros((m, K), int)
    weight[np.arange(m), rng.integers(0, K, m)] = rng.integers(1, most + 1, m)
    if draw(st.booleans()):  # several classes at a point
        weight[np.arange(m), rng.integers(0, K, m)] += rng.integers(0, 2, m)
    criterion = draw(st.sampled_from(criteria_of(ObliqueTreeClassifier)))
    if criterion == "entropy" and most > 3:
        criterion = "misclassification"  # no table has so many logarithms
    least = draw(st.sampled_from([0, 0, 0.1, 0.45])) * weight.sum()
    slack = draw(st.sampled_from([1e-10, 1e-10, 0.02, 0.3]))  # if it is coarse, many cuts are equal
    return weight, criterion, least, slack, value, step, draw(st.sampled_from([APART, 0.0, 0.5]))


def points_of(weight, criterion, least, slack):
    """Return points that are cut by sorting, and what cuts them otherwise."""
    point, label = np.nonzero(weight)
    column = Column("y", tuple(range(weight.shape[1])), label)
    target = ClassificationTarget([column], weight[point, label].astype(float), criterion)
    perfect = weight.sum() * CRITERIA[criterion].impurity(weight.sum(0))
    x, slack = np.zeros((len(weight), 1)), slack * perfect
    points = Points(x, weight.astype(float), target.scorer, least, slack, perfect)
    return points, Cutting(weight, target, least, slack)


@pytest.mark.long
@examples(500)
@given(lines())
def test_a_line_is_cut_at_the_same_place(task):
    *node, value, step, apart = task
    points, cut = points_of(*node)
    with np.errstate(all="ignore"):
        one, other = cut_by_sorting(points, value, step, apart), cut(value, step, apart)
    none = np.isneginf(one.score)
    for name in FINDINGS:
        a, b = getattr(one, name), getattr(other, name)
        if name != "score":
            a, b = a[~none], b[~none]
        np.testing.assert_array_equal(a, b, err_msg=name)


@st.composite
def tables(draw):
    """Draw a table, classes, weights and an estimator."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n, d, K = draw(ROWS), draw(st.integers(1, 4)), draw(st.sampled_from([2, 2, 3, 5]))
    X = numbers(rng, (n, d), draw(st.sampled_from(["spread", "far", "whole", "close"])))
    y, weight = (
        rng.integers(0, K, n),
        [None, None, rng.integers(1, 4, n), rng.random(n)][draw(st.integers(0, 3))],
    )
    options = {
        "criterion": draw(st.sampled_from(["gini", *criteria_of(ObliqueTreeClassifier)])),
        "order": draw(st.sampled_from(["sequential", "best", "random"])),
        "restarts": draw(st.sampled_from([0, 2])),
        "jumps": draw(st.sampled_from([0, 2])),
        "max_depth": draw(st.sampled_from([1, 2])),
        "min_samples_leaf": draw(st.sampled_from([0, 2, 0.1])),
        "random_state": draw(st.integers(0, 9)),
    }
    return X, y, weight, ObliqueTreeClassifier(**options)


@pytest.mark.long
@examples(60)
@given(tables())
def test_the_same_tree_whatever_cuts(task):
    X, y, weight, estimator = task
    trees = []
    for compiled in (True, False):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(cutting, "is_ready", lambda *_, compiled=compiled: compiled)
            trees.append(estimator.fit(X, y, weight).tree_)
    for name in (*ARRAYS, "normals"):
        np.testing.assert_array_equal(*(getattr(tree, name) for tree in trees), err_msg=name)


@pytest.mark.parametrize("n", [0, 1, planes.RUN, planes.RUN + 1, 5 * planes.RUN + 3, 300])
def test_a_bucket_of_many_is_sorted(n):
    x, tag = np.random.default_rng(n).integers(0, 40, n) / 4, np.arange(n, dtype=np.int32)
    keys, tags = np.stack([x, np.zeros(n)]), np.stack([tag, np.zeros(n, np.int32)])
    at = planes.sort_by_key(keys, tags, n)
    assert keys[at].tolist() == sorted(x.tolist())
    np.testing.assert_array_equal(x[tags[at]], keys[at])
    assert sorted(tags[at].tolist()) == tag.tolist()


@pytest.mark.parametrize("criterion", criteria_of(ObliqueTreeClassifier))
@pytest.mark.parametrize("K", [2, 4])
def test_no_cut_of_a_bucket_scores_more_than_its_limit(criterion, K):
    """Nor is it far below: else most buckets would have to be sorted."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        weight = np.zeros((60, K), int)
        weight[np.arange(60), rng.integers(0, K, 60)] = 1
        points, cut = points_of(weight, criterion, 0.0, 1e-10)
        low = rng.integers(0, weight.sum(0))
        high = low + rng.integers(0, weight.sum(0) - low + 1)
        how = cut.members
        limit = planes.at_most(
            low, high, 60, how.whole, how.share, how.kind, how.least, how.table
        )  # fmt: skip
        inside = rng.integers(low, high + 1, (200, K)).T
        scores = points.scores(np.concatenate([inside, low[:, None], high[:, None]], axis=1).astype(float))
        assert scores.max() <= limit + 1e-9
        if low.sum() == high.sum() > 0:
            assert scores.max() == pytest.approx(limit)


def test_what_is_never_a_number_is_not_cut():
    points, cut = points_of(np.eye(2, dtype=int)[[0, 1, 1, 0]], "gini", 0.0, 1e-10)
    value, step = np.full((1, 4), np.nan), np.array([[1.0, -1.0, 0.0, 2.0]])
    for found in (cut(value, step, APART), cut_by_sorting(points, value, step, APART)):
        assert found.score[0] == -np.inf


@pytest.mark.parametrize(("why", "criterion", "weight", "there"), [
    ("compiled", "gini", None, True),
    ("compiled", "entropy", [1, 2, 1, 1], True),
    ("by sorting: logarithms of fractional weights", "entropy", [1, 0.5, 1, 1], True),
    ("by sorting: compiled code is not at hand", "gini", None, False),
])  # fmt: skip
def test_it_is_said_how_lines_are_cut_and_why(why, criterion, weight, there, caplog, monkeypatch):
    monkeypatch.setattr(cutting, "is_ready", lambda *_: there)
    X = np.array([[0.0, 1], [1, 0], [2, 2], [3, 3]])
    with caplog.at_level(logging.DEBUG, "dtlib"):
        ObliqueTreeClassifier(criterion=criterion, random_state=0).fit(X, [0, 0, 1, 1], weight)
    assert f"lines are cut {why}" in caplog.messages
