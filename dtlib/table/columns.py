"""Columns of a frame as codes: what a tree is grown from (chapters 4, 6 and 8).

A value becomes its position among the distinct values of its column, its code. From then on all work is on
integers: categories are counted, numeric values are compared by their codes, and a numeric value is looked up
again only for a threshold.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, time, timedelta
from decimal import Decimal
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd
from pandas.api import types

from dtlib.numbers import EXACT, place_of, shown

FILL = ".fillna (polars and pyarrow: .fill_null)"
GROUP = "group the values with pandas.cut (polars: .cut), or convert codes to str or category"
NO_NAMES = date | time | timedelta | pd.Period | list | dict | np.ndarray  # which pandas keeps as objects

Kind = Literal["nominal", "ordered", "numeric"]
KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True)
class Feature:
    """A column's name, its kind, and its categories in order (none for a numeric feature).

    If missing values were put below or above all others, `missing_side` is their branch, 0 or 1; else -1.
    """

    name: str
    values: tuple[Any, ...] = ()
    kind: Kind = "nominal"
    missing_side: int = -1

    def __post_init__(self) -> None:
        check_kind(self.name, self.kind)


@dataclass(frozen=True, eq=False)
class Column:
    """A column as codes: row i holds ``values[codes[i]]``; code -1 is a missing or unknown value.

    If a categorical y declares its classes, ``declared`` has them in its order (else it is None), and
    ``unused`` has the positions, among the values, of classes without rows.
    """

    name: str
    values: Sequence[Any] | np.ndarray
    codes: np.ndarray
    kind: Kind = "nominal"
    declared: tuple[Any, ...] | None = None
    unused: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        check_kind(self.name, self.kind)


def check_kind(name: str, kind: Any) -> None:
    """Raise ValueError if the kind of a column is unknown.

    Examples
    --------
    >>> check_kind("x", "cyclic")
    Traceback (most recent call last):
    ValueError: the kind of 'x' is 'cyclic', wanted one of ['nominal', 'ordered', 'numeric']
    """
    if kind not in KINDS:
        raise ValueError(f"the kind of {name!r} is {kind!r}, wanted one of {list(KINDS)}")


def is_nominal(column: pd.Series) -> bool:
    """Tell whether a column is categorical: of type category, string, object or bool.

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
    """Decode a column of Arrow's type dictionary; return any other column unchanged.

    An ordered dictionary becomes an ordered categorical; any other one is a nominal column of its values.
    """
    if not isinstance(column.dtype, pd.ArrowDtype) or not str(column.dtype).startswith("dictionary"):
        return column
    import pyarrow

    found = pyarrow.array(column)
    values: Any = found.to_pylist()
    if found.type.ordered:
        values = pd.Categorical(values, order_in_arrow(found, column.name), ordered=True)
        return pd.Series(values, column.index, name=column.name)
    return pd.Series(values, column.index, dtype=object, name=column.name)


def order_in_arrow(column: Any, name: object) -> list[Any]:
    """Return the categories of an ordered dictionary of Arrow in their order, which each chunk declares.

    Raises
    ------
    TypeError
        If chunks declare different orders.
    """
    parts = getattr(column, "chunks", [column])
    orders = [part.dictionary.to_pylist() for part in parts]
    if any(order != orders[0] for order in orders):
        raise several_orders(name)
    return [value for value in orders[0] if value is not None] if orders else []


def several_orders(name: object) -> TypeError:
    """Return the error to raise for a column whose parts declare different orders."""
    return TypeError(
        f"column {name!r} declares its categories in several orders: declare the same one in all parts"
    )


def kind_of(column: pd.Series) -> Kind:
    """Tell whether a column is nominal, ordered or numeric.

    Raises
    ------
    TypeError
        If it is neither, such as a column of dates.

    Examples
    --------
    >>> sizes = pd.Categorical(["S", "L"], categories=["S", "M", "L"], ordered=True)
    >>> [kind_of(pd.Series(x)) for x in (["a", "b"], [1, 2], sizes)]
    ['nominal', 'numeric', 'ordered']
    """
    if isinstance(column.dtype, np.dtype) and column.dtype.kind in "iuf":
        return "numeric"  # most columns, so tested first
    if str(column.dtype) == "null[pyarrow]":
        return "numeric"  # as a column of floats without a value
    column = without_dictionary(column)
    if isinstance(column.dtype, pd.CategoricalDtype) and column.cat.ordered:
        return "ordered"
    if is_nominal(column):
        return "nominal"
    if isinstance(column.dtype, pd.SparseDtype):
        raise TypeError(f"column {column.name!r} is sparse; wanted a dense one: .sparse.to_dense() makes it")
    if not types.is_numeric_dtype(column.dtype) or types.is_complex_dtype(column.dtype):
        raise no_feature(f"column {column.name!r}", column.dtype)
    return "numeric"


def check_once(what: str, names: Sequence[Any], way: str = "") -> None:
    """Raise ValueError if names of columns repeat, with the way to rename them; default: as in pandas.

    Examples
    --------
    >>> check_once("X", ["a", "b", "c", "b", "a", "a"], "take some out")
    Traceback (most recent call last):
    ValueError: X has several columns called ['a', 'b']: rename them, take some out
    """
    twice = [name for name, times in Counter(names).items() if times > 1]
    if twice:
        way = way or way_to_rename(what, names)
        raise ValueError(f"{what} has several columns called {twice!r}: rename them, {way}")


def way_to_rename(what: str, names: Sequence[str]) -> str:
    """Return the statement that gives the columns of a pandas frame distinct text names.

    Examples
    --------
    >>> way_to_rename("X", ["a", "1"])
    'X.columns = list(map(str, X.columns))'
    """
    if len(set(names)) == len(names):
        return f"{what}.columns = list(map(str, {what}.columns))"
    return f'{what}.columns = [f"{{name}}_{{k}}" for k, name in enumerate({what}.columns)]'


def strange_type(column: pd.Series) -> str:
    """Return the type of a column that is neither categorical nor numeric, such as dates; else "".

    A column of objects is judged by its first value.

    Examples
    --------
    >>> strange_type(pd.Series([None, date(2020, 1, 1)])), strange_type(pd.Series(["a", "b"]))
    ('date', '')
    """
    known = without_dictionary(column).dropna()
    if isinstance(known.dtype, pd.CategoricalDtype):
        known = known.cat.categories.to_series()
    if known.empty:
        return ""
    if types.is_object_dtype(known.dtype):
        return type(known.iloc[0]).__name__ if isinstance(known.iloc[0], NO_NAMES) else ""
    return "" if is_nominal(known) or types.is_numeric_dtype(known.dtype) else str(known.dtype)


def no_feature(what: str, kind: object) -> TypeError:
    """Return the error to raise for a column, or the like, that is neither categorical nor numeric.

    Examples
    --------
    >>> str(no_feature("column 'born'", "date32")).partition(";")[0]
    "column 'born' is of type date32, which is neither categorical nor numeric"
    """
    return TypeError(
        f"{what} is of type {kind}, which is neither categorical nor numeric; extract a number "
        f"(of a date, say, .dt.year or the day of the week) or text"
    )


def distinct(column: pd.Series) -> tuple[Any, ...]:
    """List the values of a nominal column: its declared categories in order, else the sorted values.

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
    return tuple(encode(column).values)


def as_found(column: pd.Series) -> tuple[np.ndarray, list[Any]]:
    """Return the position of each row's value, -1 if missing, among its values as found or declared."""
    values = column.array
    if isinstance(values, pd.Categorical):
        return values.codes, python_values(values.categories.tolist())
    try:
        codes, found = pd.factorize(column)
    except TypeError as error:
        raise TypeError(
            f"column {column.name!r} cannot be used as a category ({error}): convert it to str"
        ) from None
    return codes, python_values(found.tolist())


def python_values(values: Sequence[Any]) -> list[Any]:
    """Return strings, numbers and booleans of NumPy as Python's own, any other value unchanged.

    A column of strings may hold both: whether pandas unifies them depends on what else is installed.

    Examples
    --------
    >>> python_values([np.str_("a"), "b", None])
    ['a', 'b', None]
    """
    return [v.item() if isinstance(v, np.str_ | np.number | np.bool_) else v for v in values]


def in_order(column: pd.Series, found: list[Any]) -> list[Any]:
    """Return the values of a nominal column in their order, given the values found."""
    kinds = sorted({type(value).__name__ for value in found})
    if len(kinds) > 1:
        raise TypeError(
            f"column {column.name!r} mixes values of types {', '.join(kinds)}, which have no common order; "
            f"convert it to one type, e.g. with .astype(str)"
        )
    if isinstance(column.dtype, pd.CategoricalDtype):
        return found
    for value in found:
        if isinstance(value, NO_NAMES):
            raise no_feature(f"column {column.name!r}", type(value).__name__)
        if isinstance(value, Decimal):
            raise TypeError(
                f"column {column.name!r} holds numbers of type Decimal, which pandas keeps as objects; "
                f"wanted floats: .astype(float) makes them"
            )
    try:
        sorted(found[:1] * 2)  # raises if a single value has no order
        return sorted(found)
    except TypeError as error:
        raise TypeError(
            f"column {column.name!r} cannot be used as a category ({error}): convert it to str"
        ) from None


def encode(column: pd.Series, values: Sequence[Any] | None = None) -> Column:
    """Code a nominal column.

    Parameters
    ----------
    column : Series of length n
        A categorical column: category, string, object or bool.
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
    values = tuple(in_order(column, found) if values is None else values)
    code_of = np.append(index_of(values).get_indexer(index_of(found)), -1)  # code -1 takes the last entry
    return Column(str(column.name), values, code_of.take(codes, mode="wrap"))


def index_of(values: Sequence[Any], name: str | None = None) -> pd.Index:
    """Return an index of the values as they are: tuples stay whole, and integers stay integers."""
    return pd.Index(values, dtype=object, name=name, tupleize_cols=False)


def numbers_of(column: pd.Series, missing: bool = False) -> np.ndarray:
    """Return a numeric column as floats: float32 if it is of that type or a smaller one, else float64.

    Parameters
    ----------
    column : Series of length n
    missing : bool
        Whether values may be missing; they become NaN.

    Raises
    ------
    ValueError
        If a value is missing, infinite, or an integer that no float64 holds exactly.

    Examples
    --------
    >>> numbers_of(pd.Series([1, 2], dtype="Int64"))
    array([1., 2.])
    """
    if types.is_integer_dtype(column.dtype):
        check_whole(f"column {column.name!r}", [column.min(), column.max()])
    narrow = str(column.dtype).lower() in ("float32", "float16", "float[pyarrow]", "halffloat[pyarrow]")
    x = column.to_numpy(dtype=np.float32 if narrow else np.float64, na_value=np.nan)
    bad = np.isinf(x) if missing else ~np.isfinite(x)
    if bad.any():
        first = x[bad][0]
        way = f"fill them with {FILL}; C4.5 and CART have a parameter `missing`"
        raise ValueError(
            f"column {column.name!r} is {'missing' if np.isnan(first) else first} in {place_of(bad)}; wanted "
            f"finite numbers: leave such rows out, or {way if np.isnan(first) else 'limit them with .clip'}"
        )
    return x


def check_whole(
    what: str, numbers: Iterable[Any], way: str = "make it categorical: convert it to str or category"
) -> None:
    """Raise ValueError if an integer in a column, or the like, has no float64 of its own."""
    for number in numbers:
        if not pd.isna(number) and abs(int(number)) > EXACT:
            raise ValueError(
                f"{what} holds {shown(int(number))}; beyond 2**53 not every whole number has a float64 of "
                f"its own: subtract an offset, or {way}"
            )


def whole_numbers(x: np.ndarray) -> list[int]:
    """Return the integers of an array that need checking: the extremes, or all integers among objects.

    Examples
    --------
    >>> whole_numbers(np.array([3, 1, 2])), whole_numbers(np.array([0.5, 7], dtype=object))
    ([1, 3], [7])
    """
    if x.dtype.kind in "iu":
        return [int(x.min()), int(x.max())]
    entries = x.ravel().tolist() if x.dtype.kind == "O" else []
    return [int(entry) for entry in entries if isinstance(entry, int | np.integer)]


def narrowed(x: np.ndarray, name: str | None = None) -> np.ndarray:
    """Return values as float32; raise ValueError if one is too large."""
    if x.dtype == np.float32:
        return x
    with np.errstate(over="ignore"):
        narrow = x.astype(np.float32, copy=False)
    if np.isinf(narrow).any():
        where = "X" if name is None else f"column {name!r}"
        raise ValueError(f"{where} holds {x[np.isinf(narrow)][0]}, too large for a float32: divide it")
    return narrow
