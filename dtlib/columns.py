"""Columns of a frame as codes: what a tree is grown from (chapters 4, 6 and 9).

A value becomes its place among the distinct values of its column. What follows then works on whole numbers:
names are counted, numbers are compared by their codes, and a number is looked up again only for a threshold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from pandas.api import types

COUNTED = 256  # numbers with at most so many distinct values are counted, others are kept sorted
NARROW = 1 << 16  # range of whole numbers that are ranked by counting
LEAST = 1e-300  # sum of weights that can be told apart
EXACT = 2**53  # beyond it, not every whole number is a float64

Kind = Literal["nominal", "ordered", "numeric"]


@dataclass(frozen=True)
class Feature:
    """A column's name, its kind, and its values in order (none for numbers)."""

    name: str
    values: tuple[Any, ...] = ()
    kind: Kind = "nominal"


@dataclass(frozen=True, eq=False)
class Column:
    """A column as codes: row i holds ``values[codes[i]]``; code -1 is a missing or unknown value."""

    name: str
    values: Sequence[Any] | np.ndarray
    codes: np.ndarray
    kind: Kind = "nominal"


@dataclass(frozen=True, eq=False)
class Training:
    """What a tree is grown from: n rows of d coded features, the targets, and the weights.

    Parameters
    ----------
    features : tuple of Feature
    codes : int ndarray of shape (d, n)
        The place of each value among the values of its feature, -1 where it is missing.
    targets : tuple of Column
        One for each output.
    weight : float ndarray of shape (n,), optional
        What each row counts; default 1.
    numbers : dict
        The distinct values of each numeric feature, ascending, by the feature's place.
    order : dict
        The rows in the order of their values, for each numeric feature that is kept sorted. Growing takes
        them away; it can do without them, but is slower.
    case_weight : float ndarray of shape (n,), optional
        What each row counts whatever its class, if `weight` is that times something for its class.
    """

    features: tuple[Feature, ...]
    codes: np.ndarray
    targets: tuple[Column, ...]
    weight: np.ndarray | None = None
    numbers: dict[int, np.ndarray] = field(default_factory=dict)
    order: dict[int, np.ndarray] = field(default_factory=dict)
    case_weight: np.ndarray | None = None

    @property
    def total_weight(self) -> float:
        """The weight of all rows."""
        return float(self.codes.shape[1] if self.weight is None else self.weight.sum())

    @property
    def least_weight(self) -> float:
        """The smallest weight of a row that counts, at most 1."""
        return 1.0 if self.weight is None else min(1.0, float(self.weight[self.weight > 0].min()))


def is_nominal(column: pd.Series) -> bool:
    """Tell whether the values of a column are names: category, string, object or bool.

    Examples
    --------
    >>> is_nominal(pd.Series(["a", "b"])), is_nominal(pd.Series([1.5, 2.5]))
    (True, False)
    """
    dtype = without_dictionary(column).dtype
    return isinstance(dtype, pd.CategoricalDtype) or any(
        test(dtype) for test in (types.is_object_dtype, types.is_string_dtype, types.is_bool_dtype)
    )


def without_dictionary(column: pd.Series) -> pd.Series:
    """Return a column of Arrow's type dictionary as what it holds, any other column unchanged.

    An ordered dictionary is an ordered category; another one only saves memory, and its order means nothing.
    """
    if not isinstance(column.dtype, pd.ArrowDtype) or not str(column.dtype).startswith("dictionary"):
        return column
    import pyarrow

    values = pyarrow.array(column)
    values = values if values.type.ordered else values.cast(values.type.value_type)
    return values.to_pandas().set_axis(column.index).rename(column.name)


def kind_of(column: pd.Series) -> Kind:
    """Tell what a column holds: names, names in an order, or numbers.

    Raises
    ------
    TypeError
        If it holds anything else, such as dates.

    Examples
    --------
    >>> sizes = pd.Categorical(["S", "L"], categories=["S", "M", "L"], ordered=True)
    >>> [kind_of(pd.Series(x)) for x in (["a", "b"], [1, 2], sizes)]
    ['nominal', 'numeric', 'ordered']
    """
    if isinstance(column.dtype, np.dtype) and column.dtype.kind in "iuf":
        return "numeric"  # most columns, told at once
    column = without_dictionary(column)
    if isinstance(column.dtype, pd.CategoricalDtype) and column.cat.ordered:
        return "ordered"
    if is_nominal(column):
        return "nominal"
    if isinstance(column.dtype, pd.SparseDtype):
        raise TypeError(f"column {column.name!r} is sparse; wanted a dense one: .sparse.to_dense() makes it")
    if not types.is_numeric_dtype(column.dtype) or types.is_complex_dtype(column.dtype):
        raise TypeError(
            f"column {column.name!r} is of type {column.dtype}, neither names nor real numbers; take what "
            f"matters out of it as a number (of a date, say, .dt.year or .dt.dayofweek) or as text"
        )
    return "numeric"


def distinct(column: pd.Series) -> tuple[Any, ...]:
    """List the values of a nominal column in their order: that of its categories, else sorted.

    Raises
    ------
    TypeError
        If the values have no common order (text mixed with numbers).

    Examples
    --------
    >>> distinct(pd.Series(["b", "a", None, "b"]))
    ('a', 'b')
    >>> distinct(pd.Series(pd.Categorical(["low"], categories=["low", "high"])))
    ('low', 'high')
    """
    column = without_dictionary(column)
    _, found = as_found(column)
    return tuple(found[i] for i in places(column, found))


def as_found(column: pd.Series) -> tuple[np.ndarray, list[Any]]:
    """Return the place of each row's value, -1 if missing, among the values as they are found or declared."""
    values = column.array
    if isinstance(values, pd.Categorical):
        return values.codes, plain(values.categories.tolist())
    try:
        codes, found = pd.factorize(values)
    except TypeError as error:
        raise TypeError(f"column {column.name!r} holds no names ({error}): make text of them") from None
    return codes, plain(found.tolist())


def plain(values: Sequence[Any]) -> list[Any]:
    """Return texts, numbers and truth values of NumPy as Python's own, any other value unchanged.

    A column of texts may hold both: whether pandas makes them one type depends on what else is installed.

    Examples
    --------
    >>> plain([np.str_("a"), "b", None])
    ['a', 'b', None]
    """
    return [v.item() if isinstance(v, np.str_ | np.number | np.bool_) else v for v in values]


def places(column: pd.Series, found: list[Any]) -> Sequence[int]:
    """Return where the values of a nominal column, in their order, are among those found."""
    kinds = sorted({type(value).__name__ for value in found})
    if len(kinds) > 1:
        raise TypeError(
            f"column {column.name!r} mixes values of types {', '.join(kinds)}, which have no common order; "
            f"convert it to one type, e.g. with .astype(str)"
        )
    declared = isinstance(column.dtype, pd.CategoricalDtype)
    return range(len(found)) if declared else sorted(range(len(found)), key=found.__getitem__)


def encode(column: pd.Series, values: Sequence[Any] | None = None) -> Column:
    """Code a nominal column.

    Parameters
    ----------
    column : Series of length n
        Names: category, string, object or bool.
    values : sequence, optional
        The values that get the codes 0, 1, ...; any other value is coded -1. Default: ``distinct(column)``.

    Returns
    -------
    Column

    Examples
    --------
    >>> encode(pd.Series(["b", "a", None, "b"], name="x")).codes
    array([ 1,  0, -1,  1])
    """
    column = without_dictionary(column)
    codes, found = as_found(column)
    code_of = np.full(len(found) + 1, -1)  # the last is that of a missing value
    if values is None:
        order = places(column, found)
        values = tuple(found[i] for i in order)
        code_of[list(order)] = np.arange(len(order))
    else:
        values = tuple(values)
        code_of[:-1] = index_of(values).get_indexer(index_of(found))
    return Column(str(column.name), values, code_of.take(codes, mode="wrap"))


def index_of(values: Sequence[Any], name: str | None = None) -> pd.Index:
    """Return an index of the values as they are: no tuple taken apart, no integer made a float."""
    return pd.Index(values, dtype=object, name=name, tupleize_cols=False)


def numbers_of(column: pd.Series, missing: bool = False) -> np.ndarray:
    """Return a numeric column as floats: float32 if it is of that type or a smaller one, else float64.

    Parameters
    ----------
    column : Series of length n
    missing : bool
        Whether numbers may be missing; they become NaN.

    Raises
    ------
    ValueError
        If a number is missing, infinite, or a whole number too large to be a float64.

    Examples
    --------
    >>> numbers_of(pd.Series([1, 2], dtype="Int64"))
    array([1., 2.])
    """
    if types.is_integer_dtype(column.dtype):
        for extreme in (column.min(), column.max()):
            if not pd.isna(extreme) and abs(int(extreme)) > EXACT:
                raise ValueError(
                    f"column {column.name!r} holds {extreme}; beyond 2**53 not every whole number has a "
                    f"float64 of its own: subtract an offset, or make it a name with .astype('category')"
                )
    narrow = str(column.dtype).lower() in ("float32", "float16", "float[pyarrow]", "halffloat[pyarrow]")
    x = column.to_numpy(dtype=np.float32 if narrow else np.float64, na_value=np.nan)
    bad = np.isinf(x) if missing else ~np.isfinite(x)
    if bad.any():
        row = int(np.flatnonzero(bad)[0])
        what = "missing" if np.isnan(x[row]) else f"{x[row]}"
        way = "fill them with .fillna; C4.5 and CART have a parameter `missing`"
        raise ValueError(
            f"column {column.name!r} is {what} in row {row} (counted from 0); wanted finite numbers: leave "
            f"such rows out, or {way if np.isnan(x[row]) else 'limit them with .clip'}"
        )
    return x


def rank(x: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """Rank numbers.

    Parameters
    ----------
    x : float32 or float64 ndarray of shape (n,)
        Finite numbers.

    Returns
    -------
    codes : int32 ndarray of shape (n,)
        The place of each number among the distinct ones.
    values : ndarray
        The distinct numbers, ascending.
    order : int32 ndarray of shape (n,), or None
        The rows, by ascending number; None if there are at most `COUNTED` distinct numbers.

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
    new = np.empty(len(x), bool)
    new[:1] = True
    np.not_equal(x[1:], x[:-1], out=new[1:])
    codes = np.empty(len(x), np.int32)
    codes[order] = np.cumsum(new, dtype=np.int32) - 1
    values = np.compress(new, x) + 0  # makes -0.0 a 0.0
    return codes, values, order if len(values) > COUNTED else None


def rank_known(x: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """Rank numbers some of which are NaN: their codes are -1, and there is no order of the rows.

    Examples
    --------
    >>> rank_known(np.array([2.5, np.nan, 0.5]))[0].tolist()
    [1, -1, 0]
    """
    hole = np.isnan(x)
    if not hole.any():
        return rank(x)
    known = np.flatnonzero(~hole)
    codes = np.full(len(x), -1, np.int32)
    codes[known], values, _ = rank(x[known])
    return codes, values, None


def rank_narrow(x: np.ndarray, low: float) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """Rank small whole numbers, given less the lowest: by counting them, as nothing is to be compared."""
    occurs = np.bincount(x, minlength=1) > 0
    values = np.flatnonzero(occurs)
    codes = np.take(np.cumsum(occurs, dtype=np.int32) - np.int32(1), x)
    order = np.argsort(x, kind="stable").astype(np.int32) if len(values) > COUNTED else None
    return codes, (values + low).astype(np.asarray(low).dtype), order


def sort_rows(x: np.ndarray) -> np.ndarray:
    """Return the rows by ascending number.

    The bits of a float32 are ordered like a whole number, so number and row fit one int64, and one sort of
    these is twice as fast as an argsort.
    """
    with np.errstate(over="ignore"):
        narrow = x.astype(np.float32, copy=False)
    if x.dtype != np.float32 and not np.array_equal(narrow, x):
        return np.argsort(x).astype(np.int32)
    key = (narrow + np.float32(0)).view(np.int32).astype(np.int64)
    key ^= (key >> 63) & 0x7FFFFFFF  # negative floats ascend as their bits descend
    key <<= 32
    key |= np.arange(len(x))
    key.sort()
    return (key & 0xFFFFFFFF).astype(np.int32)


def read_training(
    X: pd.DataFrame | np.ndarray,
    targets: Sequence[Column],
    weight: np.ndarray | None = None,
    single: bool = False,
    ordered: bool = True,
    missing: bool = False,
) -> Training:
    """Code all columns of a frame, or of an array of numbers.

    Parameters
    ----------
    X : DataFrame or float ndarray of shape (n, d)
    targets : sequence of Column
    weight : float ndarray of shape (n,), optional
    single : bool
        Round numbers to float32 first.
    ordered : bool
        Whether the order of ordered categories counts; else they are names like others.
    missing : bool
        Whether values may be missing; they are coded -1.

    Returns
    -------
    Training
    """
    (n, d), is_frame = X.shape, isinstance(X, pd.DataFrame)
    features, numbers, order = [], {}, {}
    codes = np.empty((d, n), np.int32)
    for f, column in enumerate((column for _, column in X.items()) if is_frame else X.T):
        kind = kind_of(column) if is_frame else "numeric"
        name = str(column.name) if is_frame else f"x{f}"
        if kind == "numeric":
            x = numbers_of(column, missing) if is_frame else np.ascontiguousarray(column)
            codes[f], numbers[f], by_value = (rank_known if missing else rank)(
                narrowed(x, name) if single else x
            )
            if by_value is not None:
                order[f] = by_value
            features.append(Feature(name, (), kind))
        else:
            coded = encode(column)
            codes[f] = coded.codes
            if (coded.codes < 0).any() and not missing:
                raise ValueError(
                    f"column {name!r} is missing in {(coded.codes < 0).sum()} rows: leave them out, or make "
                    f"'missing' a value of its own with .fillna"
                )
            features.append(Feature(name, coded.values, kind if ordered else "nominal"))
    return Training(tuple(features), codes, tuple(targets), weight, numbers, order)


def joined(parts: Sequence[Training]) -> tuple[Training, np.ndarray]:
    """Return training data with the rows of all parts, one part after the other, and the part of each row.

    Examples
    --------
    >>> target = Column("y", ("no", "yes"), np.array([0, 1]))
    >>> part = Training((), np.array([[1, 0]], np.int32), (target,), order={0: np.array([1, 0])})
    >>> both, root = joined([part, part])
    >>> both.codes.tolist(), both.order[0].tolist(), root.tolist()
    ([[1, 0, 1, 0]], [1, 0, 3, 2], [0, 0, 1, 1])
    """
    first, sizes = parts[0], [part.codes.shape[1] for part in parts]
    start = np.cumsum([0, *sizes[:-1]])

    def all_of(name: str) -> np.ndarray | None:
        found = [getattr(part, name) for part in parts]
        return None if found[0] is None else np.concatenate(found)

    targets = []
    for k, target in enumerate(first.targets):
        targets.append(replace(target, codes=np.concatenate([part.targets[k].codes for part in parts])))
    order = {
        f: np.concatenate([part.order[f] + a for part, a in zip(parts, start, strict=True)])
        for f in first.order
        if all(f in part.order for part in parts)
    }
    data = replace(
        first, codes=np.concatenate([part.codes for part in parts], axis=1), targets=tuple(targets),
        weight=all_of("weight"), case_weight=all_of("case_weight"), order=order,
    )  # fmt: skip
    return data, np.repeat(np.arange(len(parts)), sizes)


def between(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the middle between two numbers, the lower one if no float lies between them."""
    middle = a / 2 + b / 2
    return np.where((a <= middle) & (middle < b), middle, a)


def thresholds(
    data: Training, feature: np.ndarray, low: np.ndarray, high: np.ndarray, below: bool = False
) -> np.ndarray:
    """Return the midpoints between the last value of the left branch and the first of the right one.

    Parameters
    ----------
    data : Training
    feature, low, high : int ndarray of shape (n,)
        What is asked, and the codes of these values, -1 where there is no threshold.
    below : bool
        Return the float next below the midpoint, so that a number equal to this goes right.

    Returns
    -------
    ndarray of shape (n,)
        NaN where there is no threshold.
    """
    result, order = np.full(len(feature), np.nan), np.argsort(feature, kind="stable")
    order = order[low[order] >= 0]
    ends = np.searchsorted(feature[order], np.arange(len(data.features) + 1))
    for f in np.flatnonzero(np.diff(ends)):
        here, x = order[ends[f] : ends[f + 1]], data.numbers.get(int(f))
        a, b = (code[here] if x is None else x[code[here]].astype(float) for code in (low, high))
        middle = between(a, b)
        result[here] = np.nextafter(middle, a) if below and x is not None else middle
    return result


def to_numbers(X: pd.DataFrame, features: Sequence[Feature], missing: bool = False) -> np.ndarray:
    """Return the columns of a frame as numbers: names as the places of their values, -1 if unknown.

    Parameters
    ----------
    X : DataFrame of shape (n, d)
    features : sequence of d Feature
        Column by column.
    missing : bool
        Whether values may be missing; they become NaN. A column without any value fits every feature.

    Returns
    -------
    float ndarray of shape (n, d)

    Raises
    ------
    ValueError
        If a number is missing or infinite.
    TypeError
        If a column holds names where the feature has numbers, or numbers where it has names.

    Examples
    --------
    >>> features = Feature("size", (), "numeric"), Feature("color", ("red",))
    >>> to_numbers(pd.DataFrame({"size": [3], "color": ["red"]}), features)
    array([[3., 0.]])
    """
    columns = []
    for feature, (_, column) in zip(features, X.items(), strict=True):
        if missing and column.isna().all():
            columns.append(np.full(len(X), np.nan))
            continue
        if (kind_of(column) == "numeric") != (feature.kind == "numeric"):
            was, now = ("numbers", "names") if feature.kind == "numeric" else ("names", "numbers")
            raise TypeError(
                f"column {feature.name!r} held {was} in training, and is of type {column.dtype} now, which "
                f"is read as {now}: convert it with .astype"
            )
        is_number = feature.kind == "numeric"
        if is_number:
            columns.append(numbers_of(column, missing))
        else:
            codes = encode(column, feature.values).codes
            columns.append(np.where(column.isna(), np.nan, codes) if missing else codes)
    return np.stack(columns, axis=1) if columns else np.empty((len(X), 0))


def narrowed(x: np.ndarray, name: str | None = None) -> np.ndarray:
    """Return numbers as float32, or say that one is too large."""
    with np.errstate(over="ignore"):
        narrow = x.astype(np.float32)
    if np.isinf(narrow).any():
        where = "X" if name is None else f"column {name!r}"
        raise ValueError(f"{where} holds {x[np.isinf(narrow)][0]}, too large for a float32: divide it")
    return narrow


def check_weight(weight: ArrayLike | None, n: int, name: str = "sample_weight") -> np.ndarray | None:
    """Return the weights of n rows as float64 (None stays None), or say what is wrong with them.

    Raises
    ------
    ValueError
        If there are not n of them, one is negative, masked, NaN or infinite, or the sum is zero or infinite.

    Examples
    --------
    >>> check_weight([1, 2], 2)
    array([1., 2.])
    """
    if weight is None:
        return None
    try:
        if np.iscomplexobj(weight):
            raise TypeError("complex")
        weight = np.ma.asarray(weight, dtype=float).filled(np.nan)  # masked is missing
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} holds no real numbers ({error}): give one weight per row") from None
    if weight.shape != (n,):
        raise ValueError(f"{name} has shape {weight.shape}, but there are {n} rows: give one weight per row")
    if not np.isfinite(weight).all() or (weight < 0).any():
        row = int(np.flatnonzero(~np.isfinite(weight) | (weight < 0))[0])
        raise ValueError(f"{name}[{row}] is {weight[row]}: weights must be finite and not negative")
    if not weight.any():
        raise ValueError(f"{name} is zero for every row: at least one row must count")
    with np.errstate(over="ignore"):
        total = weight.sum()
    if np.isinf(total):
        raise ValueError(f"{name} has an infinite sum: divide all weights by a number")
    if total < LEAST:
        raise ValueError(f"{name} has the sum {total}, too small to be divided: multiply all weights")
    return weight
