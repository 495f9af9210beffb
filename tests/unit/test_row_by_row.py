"""Rows that are sent down by compiled code end where the others do; without Numba it runs as plain Python."""

from contextlib import contextmanager

import numpy as np
import pandas as pd
import pytest

from dtlib import CARTClassifier, CARTRegressor, ObliqueTreeClassifier
from dtlib.tree import descend


@contextmanager
def compiled():
    """Send all rows down as compiled code does, compiled or not."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(descend, "is_ready", lambda *_: True)
        patch.setattr(descend, "MANY", 0)
        yield


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("n", [0, 1, 8, 61])
def test_rows_end_where_they_do_with_numpy(kind, order, n):
    rng = np.random.default_rng(n)
    X, y = rng.normal(size=(200, 3)), rng.integers(0, 3, 200)
    for estimator in (CARTClassifier.sklearn(), CARTClassifier(max_depth=0), CARTRegressor()):
        tree = estimator.fit(X, y).tree_
        asked = np.concatenate([rng.normal(size=(n // 2, 3)), X[: n - n // 2]])
        asked = np.asarray(asked[:n], kind, order)
        expected = tree.apply(asked)
        with compiled():
            np.testing.assert_array_equal(tree.apply(asked), expected)
        assert len(expected) == n


def test_a_number_at_a_threshold_goes_left_and_the_next_one_right():
    tree = CARTClassifier().fit(np.array([[1.0], [2.0]]), ["a", "b"]).tree_
    asked = np.array([[-np.inf], [1.5], [np.nextafter(1.5, 2)], [np.inf]])
    with compiled():
        assert tree.apply(asked).tolist() == [1, 1, 2, 2]


def test_singles_go_where_the_doubles_of_the_same_value_go():
    """NumPy compares them with thresholds of their own type, which are rounded down."""
    x = np.array([0.1, 0.3, 0.7, 1e-46, 1e-45, 1.5, 3e38, 3.4028235677973366e38, 1e300])
    x = np.concatenate([-x, x])[:, None]
    tree = CARTRegressor().fit(x, np.arange(len(x)) ** 2).tree_
    with np.errstate(over="ignore"):
        near = tree.threshold[tree.feature >= 0].astype(np.float32)
    asked = [
        near,
        np.nextafter(near, np.float32(-np.inf)),
        np.nextafter(near, np.float32(np.inf)),
        [np.inf, -np.inf, 0],
    ]
    asked = np.concatenate(asked).astype(np.float32)[:, None]
    np.testing.assert_array_equal(descend.descend(tree, asked), descend.descend(tree, asked.astype(float)))


@pytest.mark.parametrize("kind", ["f2", ">f4", ">f8", "g", "i8"])
def test_numbers_that_numba_does_not_know_are_left_to_numpy(kind, monkeypatch):
    X = np.arange(40.0)[:, None] % 7
    tree = CARTClassifier().fit(X, np.arange(40) % 3).tree_
    expected = tree.apply(X)
    monkeypatch.setattr("dtlib.tree.row_by_row.fall", None)
    with compiled():
        np.testing.assert_array_equal(tree.apply(X.astype(kind)), expected)


def test_names_and_slanted_questions_are_left_to_numpy():
    frame = pd.DataFrame({"x": list("abcd")})
    slanted = ObliqueTreeClassifier(random_state=0).fit(
        np.array([[0.0, 1], [1, 0], [2, 2], [3, 3]]), [0, 0, 1, 1]
    )
    names = CARTClassifier().fit(frame, [0, 1, 0, 1])
    expected = names.apply(frame), slanted.apply([[1, 1.0]])
    with compiled():
        np.testing.assert_array_equal(names.apply(frame), expected[0])
        np.testing.assert_array_equal(slanted.apply([[1, 1.0]]), expected[1])
