"""Numbers as a caller gives them: read as floats, or refused in words that name the argument.

Examples
--------
>>> floats("counts", [9, 6])
array([9., 6.])
>>> floats("counts", ["a", "b"])
Traceback (most recent call last):
ValueError: counts is ['a', 'b']; wanted real numbers (this is text)
"""

from reprlib import Repr
from textwrap import shorten
from typing import Any

import numpy as np
from numpy.typing import NDArray

STRANGE = {
    "U": "text", "S": "text", "c": "complex numbers", "M": "dates", "m": "spans of time", "V": "records",
}  # fmt: skip
ERROR_LENGTH = 300  # characters of what another library says
_SHORT = Repr()
_SHORT.maxother = _SHORT.maxstring = _SHORT.maxlong = 60


def shown(x: object) -> str:
    """Write what was given, not longer than an error should be; of frames and columns, the type.

    Examples
    --------
    >>> shown(10**80), shown(["a"] * 9)
    ('1000000000000000000000000000...00000000000000000000000000000', "['a', 'a', 'a', 'a', 'a', 'a', ...]")
    """
    if hasattr(x, "__array__") and not isinstance(x, np.ndarray | np.generic | type):
        return f"a {type(x).__name__} of {type(x).__module__.partition('.')[0]}"
    return _SHORT.repr(x)


def how_many(n: int, one: str, several: str = "") -> str:
    """Write a number of things, of which a single one has another word than several have.

    Examples
    --------
    >>> how_many(1, "row"), how_many(2, "row"), how_many(0, "entry", "entries")
    ('1 row', '2 rows', '0 entries')
    """
    return f"{n} {one if n == 1 else several or f'{one}s'}"


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
    """Write what came, what was wanted, and what another library says of it."""
    return (
        f"{name} is {shown(given)}; wanted {wanted} ({shorten(str(error), ERROR_LENGTH, placeholder='...')})"
    )


def floats(name: str, x: object, wanted: str = "real numbers") -> NDArray[np.float64]:
    """Return numbers as floats, nan where one is masked, or say that they are none.

    Parameters
    ----------
    name : str
        Of the argument.
    x : object
        Numbers in whatever shape.
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
        given: Any = np.ma.asarray(x)
        if what := strangers(given):
            raise TypeError(f"this is {what}")
        with np.errstate(over="ignore"):  # of what is larger than a float64, inf comes
            return np.asarray(given.astype(np.float64).filled(np.nan))
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(said(name, x, wanted, error)) from None


def strangers(x: np.ndarray) -> str:
    """Say in words what an array holds that NumPy would make numbers of, though it is none; else nothing.

    Examples
    --------
    >>> strangers(np.array(["2", "3"])), strangers(np.array([1, "2"], dtype=object)), strangers(np.ones(2))
    ('text', 'text', '')
    """
    if x.dtype.kind != "O":
        return STRANGE.get(x.dtype.kind, "")
    entries: list[Any] = np.ma.getdata(x).ravel().tolist()
    if any(isinstance(entry, str | bytes) for entry in entries):
        return "text"
    return "complex numbers" if any(isinstance(entry, complex) for entry in entries) else ""
