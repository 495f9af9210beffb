"""Ranks of numeric values among the distinct ones, and rows in the order of values (chapters 6, 8)."""

from collections.abc import Iterator, Mapping

import numpy as np

from dtlib.arrays import changes

COUNTED = 256  # features with at most this many distinct values are counted, others are kept sorted
NARROW = 1 << 16  # range of integers that are ranked by counting
TABLE_AT_ONCE = 1 << 16  # cells of a table whose columns are ranked together


Ranked = tuple[np.ndarray, np.ndarray, np.ndarray | None]  # codes, values, order, as `rank` returns them


def rank_each(columns: Mapping[int, np.ndarray], missing: bool) -> Iterator[tuple[int, Ranked]]:
    """Rank the values of several columns, each as `rank` does; with `missing`, some may be NaN.

    Columns of a small table are ranked all at once, as most of the time would go to the calls.

    Examples
    --------
    >>> columns = {0: np.array([2.5, 0.5]), 3: np.array([1.0, 1.0])}
    >>> {f: values.tolist() for f, (_, values, _) in rank_each(columns, missing=False)}
    {0: [0.5, 2.5], 3: [1.0]}
    """
    cells, kinds = sum(map(len, columns.values())), {x.dtype for x in columns.values()}
    small = 0 < cells <= TABLE_AT_ONCE and len(kinds) == 1
    together = [f for f, x in columns.items() if small and not (missing and np.isnan(x).any())]
    if together:
        yield from zip(together, rank_together(np.stack([columns[f] for f in together])), strict=True)
    for f, x in columns.items():
        if f not in together:
            x = np.ascontiguousarray(x)
            yield f, rank_known(x) if missing else rank(x)


def rank_together(X: np.ndarray) -> Iterator[Ranked]:
    """Rank the values of each row of a table."""
    order = sort_rows(X)
    X = np.take_along_axis(X, order, axis=-1) + 0  # makes -0.0 a 0.0
    new = np.ones(X.shape, bool)
    new[:, 1:] = X[:, 1:] != X[:, :-1]
    place = np.cumsum(new, axis=-1, dtype=np.int32) - np.int32(1)
    codes = np.empty(X.shape, np.int32)
    np.put_along_axis(codes, order, place, axis=-1)
    ends = np.cumsum(place[:, -1] + 1)
    values = np.split(X[new], ends[:-1])
    for code, own, by_value in zip(codes, values, order, strict=True):
        yield code, own, by_value if len(own) > COUNTED else None


def rank(x: np.ndarray) -> Ranked:
    """Rank values.

    Parameters
    ----------
    x : float32 or float64 ndarray of shape (n,)
        Finite values.

    Returns
    -------
    codes : int32 ndarray of shape (n,)
        The position of each value among the distinct ones.
    values : ndarray
        The distinct values, ascending.
    order : int32 ndarray of shape (n,), or None
        The rows by ascending value; None if there are at most `COUNTED` distinct values.

    Examples
    --------
    >>> codes, values, order = rank(np.array([2.5, 0.5, 2.5, 1.0]))
    >>> codes.tolist(), values.tolist()
    ([2, 0, 2, 1], [0.5, 1.0, 2.5])
    """
    low = x.min(initial=np.inf)
    if x.max(initial=low) < low + NARROW and (x == np.rint(x)).all():
        return rank_narrow((x - low).astype(np.uint16), low)
    order = sort_rows(x)
    x = np.take(x, order)
    new = changes(x)
    codes = np.empty(len(x), np.int32)
    codes[order] = np.cumsum(new, dtype=np.int32) - 1
    values = np.compress(new, x) + 0  # makes -0.0 a 0.0
    return codes, values, order if len(values) > COUNTED else None


def rank_known(x: np.ndarray) -> Ranked:
    """Rank values some of which are NaN: their codes are -1, and there is no order of the rows.

    Examples
    --------
    >>> rank_known(np.array([2.5, np.nan, 0.5]))[0].tolist()
    [1, -1, 0]
    """
    is_missing = np.isnan(x)
    if not is_missing.any():
        return rank(x)
    known = np.flatnonzero(~is_missing)
    codes = np.full(len(x), -1, np.int32)
    codes[known], values, _ = rank(x[known])
    return codes, values, None


def rank_narrow(x: np.ndarray, low: float) -> Ranked:
    """Rank integers of a narrow range by counting, given their distances `x` from the lowest, `low`."""
    occurs = np.bincount(x, minlength=1) > 0
    values = np.flatnonzero(occurs)
    codes = np.take(np.cumsum(occurs, dtype=np.int32) - np.int32(1), x)
    order = np.argsort(x, kind="stable").astype(np.int32) if len(values) > COUNTED else None
    return codes, (values + low).astype(np.asarray(low).dtype), order


def distinct_integers(y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct integers, or truth values, ascending, and the position of each among them.

    Those of a narrow range are counted: sorting takes longer, and four times the memory of the result.

    Examples
    --------
    >>> distinct_integers(np.array([7, -1, 7], np.int8))
    (array([-1,  7], dtype=int8), array([1, 0, 1]))
    """
    wide = y if y.itemsize > 2 else y.astype(np.int32)
    if not y.size or int(wide.max()) - int(wide.min()) >= NARROW:
        return np.unique(y, return_inverse=True)
    low = wide.min()
    steps = (wide - low).astype(np.intp, copy=False)
    occurs = np.bincount(steps) > 0
    values = np.flatnonzero(occurs).astype(wide.dtype) + low
    return values.astype(y.dtype), (np.cumsum(occurs) - 1).take(steps)


def sort_rows(x: np.ndarray) -> np.ndarray:
    """Return the rows by ascending value, along the last axis; of equal float32, in their order.

    The bits of a float32 are ordered like an integer. The lines of a table are short: there value and row are
    packed into one int64, and one sort of these is twice as fast as an argsort. A column is sorted by the
    lower half of its bits, then by the upper half; NumPy has a radix sort for each, twice as fast again.

    Examples
    --------
    >>> sort_rows(np.array([0.5, -2.0, 0.5, -0.5])), sort_rows(np.array([[0.5, -2.0, 0.5, -0.5]]))
    (array([1, 3, 0, 2], dtype=int32), array([[1, 3, 0, 2]], dtype=int32))
    """
    with np.errstate(over="ignore"):
        narrow = x.astype(np.float32, copy=False)
    if x.dtype != np.float32 and not np.array_equal(narrow, x):
        return np.argsort(x).astype(np.int32)
    bits = (narrow + np.float32(0)).view(np.int32)
    bits ^= (bits >> 31) & 0x7FFFFFFF  # negative floats ascend as their bits descend
    if x.ndim == 1:
        order = np.argsort(bits.astype(np.uint16), kind="stable").astype(np.int32)
        upper = ((bits >> 16) + (1 << 15)).astype(np.uint16)
        return order.take(np.argsort(upper.take(order), kind="stable"))
    key = bits.astype(np.int64) << 32
    key |= np.arange(x.shape[-1])
    key.sort(axis=-1)
    return (key & 0xFFFFFFFF).astype(np.int32)
