"""Frames and columns of polars, Arrow and other libraries, converted to pandas, and without masks.

Columns are categorical, ordered or numeric as in the sources of `dtlib.out_of_core`: strings and booleans are
categories; so are the values of a categorical type, whose order counts if the type declares one (polars
calls such a type `Enum`, Arrow an ordered dictionary). Null and NaN are missing.
"""

import sys
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
from narwhals import Series

from dtlib.numbers import are_masked, unmasked
from dtlib.table.columns import check_once, check_whole, no_feature, order_in_arrow

NO_FRAME_OF_OTHERS = np.ndarray | pd.Index | list | tuple | str | int | float | None


def in_pandas(x: Any, name: str = "X") -> Any:
    """Return a frame or a column of another library as one of pandas, and anything else as it is.

    Masked values are missing, in an array, a list, or a column of objects (`dtlib.numbers.unmasked`). Numeric
    columns without missing values are not copied if their library can share its memory.

    Parameters
    ----------
    x : object
        A frame or a column of polars, pyarrow or another library that narwhals knows, or anything else.
    name : str
        The name of the argument.

    Returns
    -------
    DataFrame, Series, an array or a list without a mask, or x itself

    Raises
    ------
    TypeError
        If the rows are not in memory, or a column is neither categorical nor numeric.
    ValueError
        If an integer has no float64 of its own.

    Examples
    --------
    >>> in_pandas([[1, 2]]), in_pandas(None)
    ([[1, 2]], None)
    """
    if isinstance(x, pd.DataFrame):
        return unmasked_frame(x)
    if isinstance(x, pd.Series):
        return unmasked_column(x)
    if isinstance(x, NO_FRAME_OF_OTHERS):
        return unmasked(x)
    found = nw.from_native(whole_table(x, name), pass_through=True, allow_series=True)
    if isinstance(found, nw.LazyFrame):
        raise TypeError(
            f"{name} is a {type(x).__name__} of {type(x).__module__.partition('.')[0]}, whose rows are not "
            f"in memory; wanted a frame that has them, such as {name}.collect() of polars. Where they do not "
            f"fit into memory, dtlib.out_of_core grows trees from Parquet, DuckDB and Spark"
        )
    if isinstance(found, nw.Series | nw.DataFrame) and found.implementation.is_pandas_like():
        return found.to_pandas()
    if isinstance(found, nw.Series):
        return column_in_pandas(found, name)
    if not isinstance(found, nw.DataFrame):
        return x
    owner = "" if name == "X" else f" of {name}"
    columns = {
        f: column_in_pandas(column, f"column {column.name!r}{owner}")
        for f, column in enumerate(found.iter_columns())
    }
    return pd.DataFrame(columns, pd.RangeIndex(len(found)), copy=False).set_axis(found.columns, axis=1)


def unmasked_frame(X: pd.DataFrame) -> pd.DataFrame:
    """Return a frame without masked values in its columns of objects.

    Examples
    --------
    >>> unmasked_frame(pd.DataFrame({"a": [np.ma.masked, "u"], "b": [1, 2]}))
          a  b
    0  None  1
    1     u  2
    """
    found = X
    for f in np.flatnonzero(X.dtypes == np.dtype(object)).tolist():
        column = X.iloc[:, f]
        if (free := unmasked_column(column)) is not column:
            found = found.copy() if found is X else found
            found.isetitem(f, free)
    return found


def unmasked_column(x: pd.Series) -> pd.Series:
    """Return a column without masked values: itself, unless it holds masked objects.

    Examples
    --------
    >>> unmasked_column(pd.Series([np.ma.masked, "u"])).tolist()
    [None, 'u']
    """
    if x.dtype != object or not (masked := are_masked(x.to_numpy())).any():
        return x
    return pd.Series(np.where(masked, None, x.to_numpy()), x.index, object, x.name)


def whole_table(x: Any, name: str) -> Any:
    """Return an Arrow record batch as a table, an Arrow array as a chunked one, anything else as it is.

    Raises
    ------
    ValueError
        If several columns of Arrow have one name.
    """
    arrow = sys.modules.get("pyarrow")
    if arrow is not None and isinstance(x, arrow.Array):
        return arrow.chunked_array([x])
    if arrow is None or not isinstance(x, arrow.RecordBatch | arrow.Table):
        return x
    way = f'{name} = {name}.rename_columns([f"{{x}}_{{k}}" for k, x in enumerate({name}.schema.names)])'
    check_once(name, x.schema.names, way)
    return arrow.Table.from_batches([x]) if isinstance(x, arrow.RecordBatch) else x


def column_in_pandas(column: Series[Any], what: str) -> pd.Series:
    """Return a column as one of pandas; raise TypeError if it is neither categorical nor numeric.

    Examples
    --------
    >>> column = nw.from_native(pd.Series(["b", "a"], name="size", dtype="category"), series_only=True)
    >>> column_in_pandas(column, "X").tolist(), column_in_pandas(column == "b", "X").tolist()
    (['b', 'a'], [True, False])
    """
    dtype, name = column.dtype, column.name or None
    if has_order(column):
        return pd.Series(pd.Categorical(column.to_list(), order_of(column), ordered=True), name=name)
    if dtype in (nw.String, nw.Categorical, nw.Boolean):
        return pd.Series(column.to_list(), dtype=object, name=name)
    if dtype.is_numeric() or is_decimal(column):
        return pd.Series(numbers_in(column, what), name=name, copy=False)
    if column.null_count() == len(column):
        return pd.Series(np.full(len(column), np.nan), name=name)
    said = getattr(column.to_native(), "type", dtype) if dtype == nw.Unknown else dtype
    raise no_feature(what, said)


def is_decimal(column: Series[Any]) -> bool:
    """Tell whether a column holds decimals, including Arrow's types that narwhals does not know."""
    return column.dtype.is_decimal() or str(getattr(column.to_native(), "type", "")).startswith("decimal")


def has_order(column: Series[Any]) -> bool:
    """Tell whether a column is an ordered categorical."""
    if column.dtype == nw.Categorical:
        return not column.implementation.is_polars() and nw.is_ordered_categorical(column)
    return column.dtype == nw.Enum


def order_of(column: Series[Any]) -> list[Any]:
    """Return the categories of a column in their order."""
    if isinstance(column.dtype, nw.Enum):
        return list(column.dtype.categories)
    if column.implementation.is_pyarrow():
        return order_in_arrow(column.to_native(), column.name)
    return column.cat.get_categories().to_list()


def numbers_in(column: Series[Any], what: str) -> Any:
    """Return a numeric column as an array; integers with missing values as a masked array.

    Examples
    --------
    >>> numbers_in(nw.from_native(pd.Series([1, None, 3], dtype="Int64"), series_only=True), "X")
    <IntegerArray>
    [1, <NA>, 3]
    Length: 3, dtype: Int64
    """
    if not column.dtype.is_integer():
        if is_decimal(column):  # from their digits, as Arrow's cast may miss the nearest float
            column = column.cast(nw.String).cast(nw.Float64)
        return column.to_numpy()
    if column.dtype in (nw.Int128, nw.UInt128):  # NumPy has no such type
        check_whole(what, [column.min(), column.max()])
        column = column.cast(nw.Int64)
    if not column.null_count():
        return column.to_numpy()
    return pd.arrays.IntegerArray(column.fill_null(0).to_numpy().copy(), column.is_null().to_numpy().copy())
