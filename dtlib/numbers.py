"""Reading arrays as floats, without masks; and formatting numbers.

Examples
--------
>>> floats("counts", [9, 6])
array([9., 6.])
>>> floats("counts", ["a", "b"])
Traceback (most recent call last):
ValueError: counts is ['a', 'b']; wanted real numbers (this is text)
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from reprlib import Repr
from textwrap import shorten
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pandas.api.types import infer_dtype

EXACT = 2**53  # beyond it, not every whole number is a float64
MOST_AXES = 64  # dimensions that an array of NumPy may have
STRANGE = {
    "U": "text", "S": "text", "c": "complex numbers", "M": "dates", "m": "spans of time", "V": "records",
}  # fmt: skip
TEN_DIGITS, EVERY_DIGIT = 10, 17  # of a number that is shown, at least; and of any float
ANYWHERE = -np.inf, np.inf
ERROR_LENGTH = 300  # characters of what another library says
_SHORT = Repr()
_SHORT.maxother = _SHORT.maxstring = _SHORT.maxlong = 60


def shown(x: object) -> str:
    """Return the text of an argument, shortened for an error message; for frames and columns, the type.

    Examples
    --------
    >>> shown(10**80), shown(["a"] * 9)
    ('1000000000000000000000000000...00000000000000000000000000000', "['a', 'a', 'a', 'a', 'a', 'a', ...]")
    """
    if hasattr(x, "__array__") and not isinstance(x, np.ndarray | np.generic | type):
        return f"a {type(x).__name__} of {type(x).__module__.partition('.')[0]}"
    return _SHORT.repr(x)


def how_many(n: int, one: str, several: str = "") -> str:
    """Return a number with its noun, in the singular or plural.

    Examples
    --------
    >>> how_many(1, "row"), how_many(2, "row"), how_many(0, "entry", "entries")
    ('1 row', '2 rows', '0 entries')
    """
    return f"{n} {one if n == 1 else several or f'{one}s'}"


def rows_where(fault: object) -> str:
    """Return how many rows have a fault, and the first of them, as text; given a mask of the rows.

    Examples
    --------
    >>> rows_where([False, True, True]), rows_where([False, True])
    ('2 rows, the first is row 1 (counted from 0)', '1 row, which is row 1 (counted from 0)')
    """
    rows = np.flatnonzero(np.asarray(fault))
    which = "which is" if len(rows) == 1 else "the first is"
    return f"{how_many(len(rows), 'row')}, {which} row {rows[0]} (counted from 0)"


def place_of(fault: np.ndarray) -> str:
    """Return the position of the first fault in an array of one or two dimensions as text, given a mask.

    Examples
    --------
    >>> place_of(np.array([[False, False], [True, False]])), place_of(np.array([False, True]))
    ('row 1, column 0 (counted from 0)', 'row 1 (counted from 0)')
    """
    place = zip(("row", "column"), np.argwhere(fault)[0].tolist(), strict=False)
    return f"{', '.join(f'{axis} {k}' for axis, k in place)} (counted from 0)"


def fault_in(name: str, given: object, wanted: str, error: Exception) -> TypeError | ValueError:
    """Return the error to raise for a fault that another library has found in an argument.

    Examples
    --------
    >>> fault_in("bins", "a", "a whole number", ValueError("no digits"))
    ValueError("bins is 'a'; wanted a whole number (no digits)")
    """
    kind = TypeError if isinstance(error, TypeError) else ValueError
    return kind(said(name, given, wanted, error))


def said(name: str, given: object, wanted: str, error: Exception) -> str:
    """Return the message of an error: the argument, the wanted type, and the message of another library."""
    return (
        f"{name} is {shown(given)}; wanted {wanted} ({shorten(str(error), ERROR_LENGTH, placeholder='...')})"
    )


def floats(name: str, x: object, wanted: str = "real numbers") -> NDArray[np.float64]:
    """Return numbers as floats, masked entries as NaN; raise an error if they are not numbers.

    Parameters
    ----------
    name : str
        Name of the argument.
    x : object
        Numbers of any shape.
    wanted : str
        What the argument should be, in words.

    Returns
    -------
    float ndarray

    Raises
    ------
    ValueError
        If x holds text, dates, complex numbers or other things that are no real numbers, is ragged, or holds
        a whole number too large for a float.
    """
    if type(x) is np.ndarray and x.dtype == np.float64:
        return x
    try:
        given = unmasked_array(x)
        if what := non_numeric_types(given):
            raise TypeError(f"this is {what}")
        if given.dtype == object:
            given = np.where(pd.isna(given), np.nan, given)
        with np.errstate(over="ignore"):  # of what is larger than a float64, inf comes
            return given.astype(np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(said(name, x, wanted, error)) from None


def unmasked_array(x: object) -> np.ndarray:
    """Return an array of any dtype in which masked entries are missing values.

    Examples
    --------
    >>> unmasked_array(pd.Series([np.ma.masked, "a"]))
    array([None, 'a'], dtype=object)
    """
    return unmasked(np.asarray(unmasked(x)))  # type: ignore[no-any-return]  # of an array, an array


def unmasked(x: Any) -> Any:
    """Return an array or a list without a mask: masked entries become missing values.

    Parameters
    ----------
    x : object
        A masked array; a list (of lists, of arrays) or an array of objects in which something is masked; or
        anything else.

    Returns
    -------
    object
        Of a masked array, an array: NaN stands for a masked number, NaT for a masked date, None for any other
        masked value, and for a whole number if one of the others has no float64 of its own. What has no mask
        is returned as it is.

    Examples
    --------
    >>> unmasked(np.ma.array([1, 2], mask=[True, False])), unmasked(["a", np.ma.masked])
    (array([nan,  2.]), ['a', None])
    """
    if isinstance(x, np.ma.MaskedArray):
        return with_missing(x.data, np.ma.getmaskarray(x))
    if isinstance(x, list | tuple):
        return [unmasked_entry(entry) for entry in x] if has_masked(x) else x
    if isinstance(x, np.ndarray) and x.dtype == object and (masked := are_masked(x)).any():
        return with_missing(x, masked)
    return x


def with_missing(x: np.ndarray, masked: np.ndarray) -> np.ndarray:
    """Return an array in which what is masked is missing; of records, the array as it is.

    Examples
    --------
    >>> with_missing(np.array(["a", "b"]), np.array([True, False]))
    array([None, 'b'], dtype=object)
    """
    kind = x.dtype.kind
    fill: Any = None
    if kind == "V" or not masked.any():
        return x
    if kind in "fc":
        x, fill = x.copy(), np.nan
    elif kind in "mM":
        x, fill = x.copy(), np.datetime64("NaT") if kind == "M" else np.timedelta64("NaT")
    elif kind == "b" or (kind in "iu" and are_exact(x[~masked])):
        x, fill = x.astype(np.float64), np.nan
    else:
        x = x.astype(object)
    x[masked] = fill
    return x


def are_exact(x: np.ndarray) -> bool:
    """Tell whether each of some whole numbers has a float64 of its own."""
    return not len(x) or max(abs(int(x.min())), abs(int(x.max()))) <= EXACT


def has_masked(x: list | tuple) -> bool:
    """Tell whether a list, or one of the lists in it, holds a masked array, or a masked entry.

    Examples
    --------
    >>> has_masked([[1.0, np.ma.masked], [2.0, 3.0]]), has_masked([[1.0, 2.0]])
    (True, False)
    """
    lists: list[Any] = [x]
    for _ in range(MOST_AXES):
        kinds = set[type]()
        for entries in lists:
            kinds.update(map(type, entries))
        if any(issubclass(kind, np.ma.MaskedArray) for kind in kinds):
            return True
        if not any(issubclass(kind, list | tuple) for kind in kinds):
            return False
        lists = [entry for entries in lists for entry in entries if isinstance(entry, list | tuple)]
    return False


def unmasked_entry(entry: Any) -> Any:
    """Return an entry of a list without a mask, None if it is masked itself.

    Whole numbers stay what they are: others of the list may have no float64 of their own.
    """
    if not isinstance(entry, np.ma.MaskedArray):
        return unmasked(entry)
    if not entry.ndim:
        return None if is_masked(entry) else entry.data[()]
    return unmasked(entry.astype(object) if entry.dtype.kind in "iu" else entry)


def is_masked(value: object) -> bool:
    """Tell whether a value is a single one, and masked.

    Examples
    --------
    >>> is_masked(np.ma.masked), is_masked(np.ma.array(1.0)), is_masked(None)
    (True, False, False)
    """
    if not isinstance(value, np.ma.MaskedArray) or value.ndim or value.dtype.kind == "V":
        return False
    return bool(np.ma.getmaskarray(value))


def are_masked(x: np.ndarray) -> np.ndarray:
    """Tell which of some objects are masked.

    Examples
    --------
    >>> are_masked(np.array(["a", np.ma.masked], dtype=object))
    array([False,  True])
    """
    if infer_dtype(x, skipna=True) not in ("mixed", "mixed-integer"):  # all of one type, told much sooner
        return np.zeros(x.shape, bool)
    return np.array([is_masked(value) for value in x.ravel().tolist()], bool).reshape(x.shape)


def non_numeric_types(x: np.ndarray) -> str:
    """Return in words what an array holds that NumPy would convert to numbers although it is not numeric.

    Examples
    --------
    >>> [non_numeric_types(x) for x in (np.array(["2"]), np.array([1, "2"], object), np.ones(2))]
    ['text', 'text', '']
    """
    if x.dtype.kind != "O":
        return STRANGE.get(x.dtype.kind, "")
    entries: list[Any] = x.ravel().tolist()
    if any(isinstance(entry, str | bytes) for entry in entries):
        return "text"
    return "complex numbers" if any(isinstance(entry, complex) for entry in entries) else ""


def format_number(x: float, low: float = -np.inf, high: float = np.inf, digits: int = TEN_DIGITS) -> str:
    """Return a number as text: with ten digits, or as many more as distinguish it from its neighbors.

    Parameters
    ----------
    x : float
    low, high : float
        The neighbors: the text, read back, lies between them, or is `x` itself.
    digits : int, default 10
        The least number of digits.

    Returns
    -------
    str

    Examples
    --------
    >>> format_number(0.1 + 0.2), format_number(202311.5), format_number(3.0)
    ('0.3', '202311.5', '3')
    >>> format_number(1e12 + 20.5), format_number(1e12 + 20.5, 1e12 + 20, 1e12 + 21)
    ('1e+12', '1000000000020.5')
    >>> format_number(1 / 3, 0.33, 1, 2)
    '0.333'
    """
    return _with_more(x, low, high, digits, digits)


def _with_more(x: float, low: float, high: float, least: int, first: int) -> str:
    """Write a number with so many digits first, or as many more as it takes; a large one then as a whole."""
    for k in range(first, EVERY_DIGIT):
        said = f"{x:.{k}g}"
        if k > least and "e+" in said and abs(x) < 10.0**EVERY_DIGIT:
            said = f"{x:.0f}"
        if low < float(said) < high or float(said) == x:
            return said
    return repr(float(x)).removesuffix(".0")


def say_apart(
    numbers: Sequence[float],
    beside: Mapping[float, tuple[float, float]] | None = None,
    digits: int = TEN_DIGITS,
    same: float = 0.0,
) -> list[str]:
    """Return numbers as text like `format_number`, so that different numbers look different and in order.

    Parameters
    ----------
    numbers : sequence of float
    beside : mapping, optional
        The neighbors of some of the numbers: `low` and `high` of `format_number`.
    digits : int, default 10
        The least number of digits.
    same : float, default 0.0
        Numbers are equal if they differ by no more than this share of them, and none is in `beside`.

    Returns
    -------
    list of str

    Examples
    --------
    >>> say_apart([0.1 + 0.2, 1e12 + 2, 0.3, 1e12 + 1], digits=6, same=1e-14)
    ['0.3', '1000000000002', '0.3', '1000000000001']
    >>> say_apart([1 / 3, 2 / 3], {1 / 3: (0.333, 0.334)}, digits=2)
    ['0.3333', '0.67']
    """
    beside, said = beside or {}, [f"{x:.{digits}g}" for x in numbers]
    if not beside and len({*said}) >= len({*numbers}):
        return said
    first_of = dict[float, float]()  # of those that are not different
    last = first = -np.inf
    for x in sorted({*numbers}):
        is_same = x - last <= same * abs(x) and x not in beside and last not in beside
        first, last = first if is_same and f"{x:.{digits}g}" == f"{last:.{digits}g}" else x, x
        first_of[x] = first
    found, left = dict[float, str](), [*dict.fromkeys(first_of.values())]
    for k in range(digits, EVERY_DIGIT + 1):
        times = Counter(f"{x:.{k}g}" for x in left)
        # with more digits, a number stays on its side of those that looked different
        alone = [x for x in left if times[f"{x:.{k}g}"] == 1]
        found |= {x: _with_more(x, *beside.get(x, ANYWHERE), digits, k) for x in alone}
        left = [x for x in left if x not in found]
    return [found[first_of[x]] for x in numbers]
