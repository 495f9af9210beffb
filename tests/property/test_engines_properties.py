"""Both engines grow the same tree, to the last bit: by levels with NumPy, depth first as Numba compiles it.

Without Numba the functions it would compile run as plain Python.
"""

import logging

import joblib
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtlib import CARTClassifier, CARTRegressor, jit
from dtlib.compiled import grow, seek
from dtlib.dialects import CARTDialect
from dtlib.growing import by_score, depth_first, table_in_lines
from dtlib.search import level
from dtlib.table import training
from dtlib.tree.tree import ARRAYS
from tests.criteria import criteria_of
from tests.drawn import SPREADS, examples, rows_of_both, spread_out


def numbers(draw, n):
    """Draw a column of numbers."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    return spread_out(rng, n, draw(st.sampled_from(SPREADS)))


@st.composite
def tasks(draw):
    """Draw a table, answers, weights and an estimator."""
    n, d, outputs = draw(rows_of_both), draw(st.integers(1, 5)), draw(st.sampled_from([1, 1, 2]))
    X = np.stack([numbers(draw, n) for _ in range(d)], axis=1)
    options = {
        "max_depth": draw(st.sampled_from([None, None, 0, 2, 5])),
        "min_samples_split": draw(st.sampled_from([0, 4])),
        "min_samples_leaf": draw(st.sampled_from([0, 1, 2, 0.1])),
        "min_impurity_decrease": draw(st.sampled_from([0, 0, 0.01])),
        "max_leaf_nodes": draw(st.sampled_from([None, None, 3])),
        "max_features": draw(st.sampled_from([None, None, 1, "sqrt"])),
        "random_state": draw(st.integers(0, 9)),
    }
    weight = {
        "none": None, "whole": np.arange(n) % 3 + draw(st.integers(0, 1)),
        "parts": (np.arange(n) % 7 + 1) / 3,
    }[draw(st.sampled_from(["none", "none", "whole", "parts"]))]  # fmt: skip
    if weight is not None and not weight.sum():
        weight = None
    kind = draw(st.sampled_from([CARTClassifier, CARTRegressor]))
    if kind is CARTClassifier:
        rng = np.random.default_rng(draw(st.integers(0, 2**32)))
        columns = [rng.integers(0, draw(st.sampled_from([1, 2, 2, 3, 5, 8])), n) for _ in range(outputs)]
        options["criterion"] = draw(st.sampled_from(["gini", *criteria_of(CARTClassifier)]))
    else:
        columns = [numbers(draw, n) for _ in range(outputs)]
        options["criterion"] = draw(st.sampled_from(criteria_of(CARTRegressor)))
        if options["criterion"] == "poisson":
            counts = weight is None or weight > 0
            columns = [abs(y) + (not (y * counts).any()) for y in columns]  # something has to happen
    y = np.stack(columns, axis=1) if outputs > 1 else columns[0]
    if draw(st.booleans()):
        options["missing"] = draw(st.sampled_from(["stay", "majority"]))
        X[np.random.default_rng(n).random(X.shape) < draw(st.sampled_from([0, 0.1, 0.6]))] = np.nan
    make = draw(st.sampled_from([kind, kind.sklearn]))
    return X, y, weight, make(**options), draw(st.sampled_from([1, 1, 2, 3]))


def grown(estimator, X, y, weight, by_level, threads=1):
    """Return the tree that one of the engines grows, compiled or not."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(depth_first, "is_ready", lambda *_: True)
        for module in (depth_first, table_in_lines):
            patch.setattr(module, "threads_for", lambda _: threads)
        if by_level:
            patch.setattr(by_score.depth_first, "fallback_reason", lambda *_: "told so")
        return estimator.fit(X, y, weight).tree_


@examples(500)
@given(tasks())
def test_the_same_tree_to_the_last_bit(task):
    X, y, weight, estimator, threads = task
    one, other = (grown(estimator, X, y, weight, by_level, threads) for by_level in (False, True))
    for name in ARRAYS:
        a, b = getattr(one, name), getattr(other, name)
        assert a.dtype == b.dtype, name
        np.testing.assert_array_equal(a, b, err_msg=name)


@pytest.mark.parametrize("kind", [CARTClassifier, CARTRegressor])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("read_as", ["codes", "numbers of its own", "numbers of the caller"])
def test_the_same_tree_of_more_values_than_are_counted(read_as, weighted, kind, monkeypatch):
    """Columns that are kept sorted, two values, numbers with or without codes, and rows that do not count."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(300, 2))).add_prefix("x").assign(two=rng.integers(0, 2, 300) - 0.5)
    y = rng.integers(0, 3, 300) + 2 * (X["two"] > 0)
    weight = rng.integers(0, 3, 300) if weighted else None
    if read_as == "codes":
        X["size"] = pd.Categorical(rng.choice(["S", "M", "L"], 300), ["S", "M", "L"], ordered=True)
    elif read_as == "numbers of the caller":
        monkeypatch.setattr(training, "KEPT", 0)
    one, other = (grown(kind(max_depth=6), X, y, weight, by_level) for by_level in (False, True))
    assert set(one.feature) >= {0, 1, 2}
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)


@pytest.mark.long
@pytest.mark.parametrize("estimator", [CARTClassifier(), CARTRegressor(max_depth=5),
    CARTRegressor(criterion="absolute_error"), CARTClassifier(max_features=2, random_state=0)])  # fmt: skip
def test_threads_share_a_table_as_joblib_is_told(estimator, monkeypatch):
    grown_at_once, whole = [], depth_first.grow_pieces

    def counted(*told):
        grown_at_once.append(told[-1])
        return whole(*told)

    monkeypatch.setattr(depth_first, "is_ready", lambda *_: True)
    monkeypatch.setattr(depth_first, "grow_pieces", counted)
    monkeypatch.setattr("dtlib.jit.threads.WORTH_SHARING", 1000)
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(500, 3)), rng.integers(0, 3, 500)
    one = estimator.fit(X, y).tree_
    assert not grown_at_once
    with joblib.parallel_config(n_jobs=2):
        other = estimator.fit(X, y).tree_
        estimator.fit(X[:100], y[:100])
    assert grown_at_once == [2]
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)


@pytest.mark.parametrize("missing", ["stay", "majority"])
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_the_same_tree_of_many_rows_with_holes(missing, criterion):
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(120, 3)), rng.integers(0, 3, 120)
    X[rng.random(X.shape) < 0.3] = np.nan
    estimator = CARTClassifier(missing=missing, criterion=criterion, max_depth=5)
    one, other = (grown(estimator, X, y, None, by_level) for by_level in (False, True))
    assert one.node_count > 20
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)


@pytest.mark.skipif(jit.has_numba(), reason="compiled code keeps the limit of ties")
@pytest.mark.parametrize("holes", [0, 0.2])
@pytest.mark.parametrize("criterion", criteria_of(CARTClassifier))
@pytest.mark.parametrize("classes", [2, 4, 8])
def test_the_first_of_equal_cuts_is_found_where_many_are_equal(holes, criterion, classes, monkeypatch):
    """Scores are equal if they are close; if that is coarse, an earlier cut is often as good as the best."""
    for module in (level, seek, grow):
        monkeypatch.setattr(module, "TIE", 0.02)
    for seed in range(5):
        rng = np.random.default_rng(seed)
        X, y = rng.integers(0, 30, (60, 3)).astype(float), rng.integers(0, classes, 60)
        X[rng.random(X.shape) < holes] = np.nan
        estimator = CARTClassifier(missing="majority", criterion=criterion, max_depth=3)
        one, other = (grown(estimator, X, y, None, by_level) for by_level in (False, True))
        for name in ARRAYS:
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)


@pytest.mark.parametrize(("limit", "reason"), [(0.5, "impurity not above min_impurity"), (0.499, "split")])
def test_a_node_whose_impurity_is_just_the_limit_is_a_leaf(limit, reason):
    estimator = CARTClassifier(dialect=CARTDialect(min_impurity=limit))
    for by_level in (False, True):
        tree = grown(estimator, np.array([[1.0], [2.0]]), [0, 1], None, by_level)
        assert (tree.reason[0] or "split") == reason


X5, Y5 = pd.DataFrame({"x": [1.0, 2, 3, 4, 5]}), [0, 1, 1, 0, 2]
ROUNDING, COUNTING = CARTDialect(ties="rounding"), CARTDialect(zero_weight="count")
HALVES = np.array([1, 0.5, 1, 1, 1])


@pytest.mark.parametrize(
    ("why", "estimator", "X", "y", "weight"),
    [("", CARTClassifier(), X5, Y5, HALVES),
     ("", CARTRegressor(), X5, np.stack([Y5, Y5], axis=1), HALVES),
     ("categories are put into groups", CARTClassifier(), X5.astype(str), Y5, None),
     ("", CARTClassifier(missing="stay"), X5.where(X5 < 5), Y5, 2 * HALVES),
     ("", CARTClassifier(missing="fractional"), X5, Y5, None),
     ("missing values with missing='fractional'", CARTClassifier(missing="fractional"),
      X5.where(X5 < 5), Y5, None),
     ("missing values, and a regression target", CARTRegressor(missing="stay"), X5.where(X5 < 5), Y5,
      None),
     ("missing values, and drawn features", CARTClassifier(missing="stay", max_features=1),
      pd.concat([X5.where(X5 < 5), X5], axis=1, keys=["a", "b"]).droplevel(1, axis=1), Y5, None),
     ("missing values, and weights that are no whole numbers",
     CARTClassifier(missing="stay"), X5.where(X5 < 5),
      Y5, HALVES),
     ("surrogates are searched for", CARTClassifier(missing="surrogate"), X5, Y5, None),
     ("equal splits are told apart by rounding", CARTClassifier(dialect=ROUNDING), X5, Y5, None),
     ("rows of weight 0 that count", CARTClassifier(dialect=COUNTING), X5, Y5, np.array([1, 0, 1, 1, 1])),
     ("", CARTClassifier(dialect=COUNTING), X5, Y5, HALVES),
     ("", CARTRegressor(criterion="absolute_error"), X5, Y5, HALVES),
     ("criterion 'absolute_error' of several outputs", CARTRegressor(criterion="absolute_error"),
      X5, np.c_[Y5, Y5], None),
     ("logarithms of fractional weights", CARTClassifier(criterion="entropy"), X5, Y5, HALVES),
     ("", CARTClassifier(criterion="entropy"), X5, Y5, 2 * HALVES),
     ("", CARTClassifier(), X5, np.c_[Y5, Y5], None),
     ("criterion 'misclassification' of several outputs", CARTClassifier(criterion="misclassification"),
      X5, np.c_[Y5, Y5], None)],
)  # fmt: skip
def test_it_is_said_which_engine_grows_a_tree_and_why(why, estimator, X, y, weight, caplog, monkeypatch):
    monkeypatch.setattr(depth_first, "is_ready", lambda *_: True)
    with caplog.at_level(logging.DEBUG, "dtlib"):
        estimator.fit(X, y, weight)
    said = f"grown level by level: {why}" if why else "grown depth first, compiled"
    assert said in caplog.messages
