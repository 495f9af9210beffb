"""Numbers by rank: whichever way they are sorted, as `np.unique` has them."""

import numpy as np
import pytest

from dtlib.table import ranks
from dtlib.table.ranks import COUNTED, NARROW, distinct_integers, rank, rank_each, rank_known, sort_rows

DRAWN = np.random.default_rng(0)
NUMBERS = {
    "none": [],
    "one": [2.5],
    "narrow": [3, -2, 3, 0, 7],
    "as wide as is counted": [5, 5 + NARROW - 1, 6],
    "one wider": [5, 5 + NARROW, 6, 5],
    "far wider": [5, 5 + 2 * NARROW, 6, 5 + NARROW, 5],
    "halves in a narrow range": [0.5, 0, 1.5, 1],
    "two zeros": [0.0, -0.0, -1, 0.5],
    "of both signs": [-1.5, 2.5, -0.25, 0.25, -1e30, 1e30, -5e-324, 5e-324],
    "nearer than float32 knows": [1 + 1e-12, 1, 1 + 2e-12],
    "beyond float32": [1e300, -1e300, 1],
    "as many whole ones as are counted": DRAWN.permutation(COUNTED),
    "one more": DRAWN.permutation(COUNTED + 1),
    "as many fractions as are counted": DRAWN.permutation(COUNTED) / 2,
    "one fraction more": DRAWN.permutation(COUNTED + 1) / 2,
    "many, several times": DRAWN.integers(-400, 400, 3000) / 4,
    "many whole ones, several times": DRAWN.integers(-400, 400, 3000),
}


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", NUMBERS)
def test_numbers_have_the_rank_of_their_value(name, dtype):
    with np.errstate(over="ignore"):
        x = np.asarray(NUMBERS[name], float).astype(dtype)
    x = x[np.isfinite(x)]
    values, codes = np.unique(x, return_inverse=True)
    for found, order in (
        (rank(x), True),
        (rank_known(x), True),
        (rank_known(np.append(x, dtype("nan"))), False),
    ):
        assert found[1].tolist() == values.tolist()
        assert not np.signbit(found[1][found[1] == 0]).any()
        assert found[1].dtype == dtype
        assert found[0].dtype == np.int32
        assert found[0].tolist() == [*codes.tolist(), *([] if order else [-1])]
        if order and len(values) > COUNTED:
            assert found[2].dtype == np.int32
            assert sorted(found[2].tolist()) == list(range(len(x)))
            assert (np.diff(x[found[2]]) >= 0).all()
        else:
            assert found[2] is None
    assert sorted(sort_rows(x).tolist()) == list(range(len(x)))
    assert (np.diff(x[sort_rows(x)]) >= 0).all()


@pytest.mark.parametrize("limit", [0, 1 << 16])
@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("name", NUMBERS)
def test_columns_of_a_table_are_ranked_as_each_is_alone(name, missing, limit, monkeypatch):
    monkeypatch.setattr(ranks, "TABLE_AT_ONCE", limit)
    x = np.asarray(NUMBERS[name], float)
    columns = {2: x, 5: x[::-1].copy(), 7: np.zeros(len(x)), 8: -x}
    if missing:
        columns[6] = np.where(np.arange(len(x)) % 2, x, np.nan)
    found = dict(rank_each(columns, missing))
    assert sorted(found) == sorted(columns)
    for f, column in columns.items():
        for one, other in zip(found[f], rank_known(column), strict=True):
            assert (one is None) == (other is None)
            if one is not None and (one is not found[f][2] or len(np.unique(column)) == len(column)):
                np.testing.assert_array_equal(one, other)
                assert one.dtype == other.dtype
                assert not np.signbit(one[one == 0]).any()


def test_columns_of_two_types_are_ranked_in_their_own():
    columns = {0: np.array([0.1, 0.3]), 1: np.array([0.1, 0.3], np.float32)}
    assert [values.dtype for _, (_, values, _) in rank_each(columns, missing=False)] == [float, np.float32]


def test_whole_numbers_just_too_far_apart_to_be_counted_are_ranked_as_others_are():
    for width in (NARROW - 2, NARROW - 1, NARROW, NARROW + 1):
        codes, values, _ = rank(np.array([7.0, 7.0 + width, 8.0, 7.0]))
        assert (codes.tolist(), values.tolist()) == ([0, 2, 1, 0], [7, 8, 7 + width])


def test_numbers_of_which_none_is_known():
    codes, values, order = rank_known(np.full(3, np.nan))
    assert (codes.tolist(), values.tolist(), order) == ([-1, -1, -1], [], None)


@pytest.mark.parametrize("kind", ["?", "i1", "u1", "i2", "u2", "i4", ">i4", "u4", "i8", "u8"])
@pytest.mark.parametrize("width", [1, 3, 200, NARROW - 1, NARROW, NARROW + 1])
@pytest.mark.parametrize("place", ["low", "zero", "high"])
def test_distinct_integers_are_those_of_numpy(kind, width, place):
    limits = (0, 1) if kind == "?" else (np.iinfo(kind).min, np.iinfo(kind).max)
    width = min(width, limits[1] - limits[0])
    low = {"low": limits[0], "zero": 0, "high": limits[1] - width}[place]
    low = min(low, limits[1] - width)
    y = np.array([low + width, low, low + width // 2, low, low + width], object).astype(kind)
    values, codes = distinct_integers(y)
    wanted, at = np.unique(y, return_inverse=True)
    np.testing.assert_array_equal(values, wanted)
    np.testing.assert_array_equal(codes, at)
    assert (values.dtype, codes.dtype) == (wanted.dtype, at.dtype)


def test_of_no_integers_none_are_distinct():
    assert [len(x) for x in distinct_integers(np.empty(0, int))] == [0, 0]
