"""Count tables: how often each value of a feature meets each class (chapters 2 and 3).

A decision tree learns everything from these tables (the AVC sets of [1]_).

References
----------
.. [1] J. Gehrke, R. Ramakrishnan, V. Ganti, "RainForest: a framework for fast decision tree construction of
   large datasets", VLDB 1998, section 3.
"""

from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from pandas.api import types
from pandas.api.types import is_hashable

from dtlib.numbers import rows_where
from dtlib.table.columns import GROUP, Column, encode, index_of, is_nominal
from dtlib.table.other_frames import in_pandas
from dtlib.table.weights import check_weight


def whole(counts: np.ndarray) -> np.ndarray:
    """Return an array as int64 if all its values are integers, else unchanged.

    Examples
    --------
    >>> whole(np.array([2.0, 3.0])), whole(np.array([2.5]))
    (array([2, 3]), array([2.5]))
    """
    counts = np.asarray(counts)
    exact = counts.dtype.kind in "iu" or bool(
        (counts == np.rint(counts)).all() and (abs(counts) < 2.0**53).all()
    )
    return counts.astype(np.int64) if exact else counts


def count_tables(
    codes: np.ndarray,
    target: np.ndarray,
    shape: tuple[int, int, int],
    node: np.ndarray | None = None,
    weight: np.ndarray | None = None,
) -> np.ndarray:
    """Count, for every node at once, how often each value meets each class.

    Parameters
    ----------
    codes, target : int ndarrays of shape (n,)
        The codes of the value and of the class of each row, none missing.
    shape : (J, V, K)
        The number of nodes, of values and of classes.
    node : int ndarray of shape (n,), optional
        The node of each row; default: all in node 0.
    weight : ndarray of shape (n,), optional
        What each row counts; default 1.

    Returns
    -------
    ndarray of shape (J, V, K)
        int64 without weights, else float64.

    Examples
    --------
    >>> count_tables(np.array([0, 0, 1]), np.array([0, 1, 1]), (1, 2, 2))
    array([[[1, 1],
            [0, 1]]])
    """
    J, V, K = shape
    cell = codes if node is None else node * np.intp(V) + codes
    return np.bincount(cell * np.intp(K) + target, weight, minlength=J * V * K).reshape(shape)


def contingency(
    frame: pd.DataFrame,
    feature: str,
    target: str,
    weight: ArrayLike | None = None,
    missing: Literal["drop", "row"] = "drop",
) -> pd.DataFrame:
    """Return the contingency table of a nominal feature and the class.

    Parameters
    ----------
    frame : DataFrame of n rows
    feature, target : str
        Two nominal columns of it; classes may also be integers.
    weight : array-like of shape (n,), optional
        What each row counts: not negative, with a finite sum; default 1.
    missing : {"drop", "row"}
        Rows whose feature is missing are left out, or counted in a last row labelled NaN.

    Returns
    -------
    DataFrame of shape (V, K)
        Rows: the values of the feature; columns: the classes; each in the order of its categories, else
        sorted. int64 where all counts are whole, else float64.

    Raises
    ------
    ValueError
        If a class is missing, a weight is invalid, or `missing` is neither "drop" nor "row".
    KeyError
        If the frame has no such column.
    TypeError
        If `frame` is no DataFrame, or a column is not categorical.

    Examples
    --------
    >>> frame = pd.DataFrame({"job": ["no", "yes", "yes"], "loan": ["no", "no", "yes"]})
    >>> contingency(frame, "job", "loan")
    loan  no  yes
    job
    no     1    0
    yes    1    1
    """
    if missing not in ("drop", "row"):
        raise ValueError(f"missing is {missing!r}; give 'drop' or 'row'")
    x, y = encode(nominal(_column(frame, feature))), _classes(_column(frame, target))
    w = check_weight(weight, len(frame), "weight")
    V, K, known = len(x.values), len(y.values), x.codes >= 0
    codes = np.where(known, x.codes, V)
    table = count_tables(codes, y.codes, (1, V + 1, K), weight=w)[0]
    values = list(x.values) if missing == "drop" or known.all() else [*x.values, np.nan]
    rows, columns = index_of(values, feature), index_of(list(y.values), target)
    return pd.DataFrame(whole(table[: len(values)]), rows, columns)


def class_counts(target: pd.Series, weight: ArrayLike | None = None) -> pd.Series:
    """Count the classes of a nominal column.

    Parameters
    ----------
    target : Series of n rows
        Categories or integers, none missing.
    weight : array-like of shape (n,), optional
        What each row counts: not negative, with a finite sum; default 1.

    Returns
    -------
    Series of length K
        Index: the classes in the order of the categories, else sorted.

    Raises
    ------
    ValueError
        If a class is missing, or a weight is invalid.
    TypeError
        If `target` is no Series, or holds neither categories nor integers.

    Examples
    --------
    >>> class_counts(pd.Series(["yes", "no", "yes"], name="loan"))
    loan
    no     1
    yes    2
    Name: count, dtype: int64
    """
    y = _classes(target)
    counts = np.bincount(y.codes, check_weight(weight, len(target), "weight"), minlength=len(y.values))
    return pd.Series(whole(counts), index_of(list(y.values), target.name), name="count")


def nominal(column: pd.Series, integers: bool = False) -> pd.Series:
    """Return a categorical column; raise TypeError if it is not categorical."""
    if not is_nominal(column) and not (integers and types.is_integer_dtype(column.dtype)):
        raise TypeError(
            f"column {column.name!r} is of type {column.dtype}; wanted a categorical column: {GROUP}"
        )
    return column


def _column(frame: pd.DataFrame, name: str) -> pd.Series:
    """Return a column of a frame; raise if there is no such column."""
    frame = in_pandas(frame, "frame")
    if not isinstance(frame, pd.DataFrame):
        raise TypeError(
            f"frame is of type {type(frame).__name__}; give a DataFrame: pandas.DataFrame(...) makes one"
        )
    if not is_hashable(name) or name not in frame.columns:
        raise KeyError(f"no column {name!r}; the columns are {list(frame.columns)}")
    column = frame[name]
    if isinstance(column, pd.DataFrame):
        raise ValueError(f"{column.shape[1]} columns are called {name!r}: rename them")
    return column


def _classes(target: pd.Series) -> Column:
    """Code the classes, none of which may be missing."""
    target = in_pandas(target, "target")
    if not isinstance(target, pd.Series):
        raise TypeError(
            f"target is of type {type(target).__name__}; give a Series: pandas.Series(...) makes one"
        )
    y = encode(nominal(target, integers=True))
    if (y.codes < 0).any():
        raise ValueError(
            f"target {target.name!r} is missing in {rows_where(y.codes < 0)}: leave such rows out first"
        )
    return y
