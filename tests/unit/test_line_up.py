"""Numbers lined up by their bits: compared with NumPy's sort, for floats of all sizes."""

import numpy as np
import pytest

from dtlib import CARTClassifier
from dtlib.compiled.line_up import ONE_BY_ONE, line_up, two_values
from dtlib.compiled.state import CODE, OF_SECOND, ROW
from dtlib.growing.table_in_lines import plain
from dtlib.table.coded import Uncoded
from dtlib.table.training import threshold_between

RNG = np.random.default_rng(5)
MANY = 3 * ONE_BY_ONE  # entries whose upper bits are equal
NUMBERS = {
    "one": np.array([3.5]),
    "one value": np.full(9, -2.0),
    "of both signs": RNG.standard_normal(70),
    "few values": RNG.integers(-2, 3, 70).astype(float),
    "zeros of both signs": np.array([0.0, -0.0, 1.0, -0.0, -1.0, 0.0]),
    "the smallest and the largest": np.array([5e-324, -5e-324, 0.0, 1.7e308, -1.7e308, 2.2e-308]),
    "alike in the upper bits": 1 + RNG.integers(0, 40, MANY) * 2.0**-50,
    "negative, alike in the upper bits": -1 - RNG.integers(0, 40, MANY) * 2.0**-50,
    "some alike in the upper bits": RNG.integers(1, 9, MANY) + RNG.integers(0, 3, MANY) * 2.0**-48,
}  # fmt: skip


@pytest.mark.parametrize("kind", ["f4", "f8"])
@pytest.mark.parametrize("name", NUMBERS)
def test_numbers_stand_in_line_as_numpy_sorts_them(name, kind):
    x = plain(np.clip(NUMBERS[name], -3e38, 3e38).astype("f4") if kind == "f4" else NUMBERS[name])
    tags = np.arange(len(x), dtype=np.int32)
    tags[1::5] = -1  # these do not count
    tags[2::3] |= 1 << OF_SECOND
    rows = np.flatnonzero(tags >= 0)
    line, spare = np.empty((2, len(rows)), np.int64)
    values = np.empty(len(x) if x.itemsize == 4 else 0, np.float32)  # scikit-learn's rules are for these
    size = line_up(x, x.view(f"i{x.itemsize}"), tags, line, spare, values)
    distinct, codes = np.unique(x[rows], return_inverse=True)
    order = np.argsort(x[rows], kind="stable")
    assert size == len(distinct)
    np.testing.assert_array_equal(values[:size], distinct[: len(values)])
    np.testing.assert_array_equal(line & ROW, rows[order])
    np.testing.assert_array_equal(line >> CODE, codes[order])
    np.testing.assert_array_equal(line >> OF_SECOND & 1, rows[order] % 3 == 2)


def test_two_values_are_told_from_one_and_from_three():
    assert two_values(np.array([2.0, 5.0, 2.0, 5.0])) == (2.0, 5.0)
    assert two_values(np.array([5.0, 2.0, 5.0], np.float32)) == (2.0, 5.0)
    for x in ([4.0], [4.0, 4.0], [1.0, 2.0, 1.0, 3.0], [3.0, 2.0, 1.0]):
        low, high = two_values(np.array(x))
        assert low == high


@pytest.mark.parametrize("kept", [None, True])
def test_a_tree_keeps_what_it_was_grown_from_whatever_becomes_of_the_array(kept):
    X = np.random.default_rng(0).standard_normal((60, 2))
    y = (X[:, 0] > 0).astype(int)
    model, same = CARTClassifier(keep_data=kept).fit(X, y), CARTClassifier(keep_data=kept).fit(X.copy(), y)
    X[:] = 0
    assert model.tree_.training.codes.tolist() == same.tree_.training.codes.tolist()
    assert not model.tree_.training.order


def test_a_tree_of_many_cells_is_asked_to_keep_them(monkeypatch):
    monkeypatch.setattr("dtlib.table.training.KEPT", 10)
    X = np.arange(12.0).reshape(6, 2)
    tree = CARTClassifier(keep_data=True).fit(X, [0, 0, 1, 1, 0, 1]).tree_
    codes = tree.training.codes.tolist()
    X[:] = 0
    assert tree.training.codes.tolist() == codes == [[*range(6)]] * 2


@pytest.mark.parametrize("columns", [np.array([[-0.0, 5e-324]]), [np.array([-0.0, 5e-324])]])
def test_a_threshold_between_zero_and_the_smallest_number_has_no_sign(columns):
    """It is written into JSON, where -0.0 would be another number."""
    low, high = Uncoded(columns).at(np.array([0]), np.array([[0], [1]]))
    assert not np.signbit(threshold_between(low, high, strict=True))
