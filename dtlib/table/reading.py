"""Reading X and y: whatever can be read is, anything else is refused with the way out.

Examples
--------
>>> [(target.values.tolist(), target.codes.tolist()) for target in class_targets(["no", "yes", "no"], 3)]
[(['no', 'yes'], [0, 1, 0])]
>>> class_targets(["no", None, "yes"], 3)
Traceback (most recent call last):
ValueError: y is missing in 1 row, which is row 1 (counted from 0): leave such rows out
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from pandas.api.extensions import ExtensionArray
from scipy import sparse
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from dtlib.numbers import fault_in, how_many, non_numeric_types, place_of, rows_where, shown, unmasked
from dtlib.table.columns import (
    FILL,
    TAKEN,
    Column,
    Feature,
    check_once,
    check_whole,
    index_of,
    kind_of,
    no_feature,
    python_values,
    strange_type,
    whole_numbers,
    without_dictionary,
)
from dtlib.table.other_frames import in_pandas
from dtlib.table.ranks import distinct_integers, rank
from dtlib.table.weights import checked_weight

FLOATS = np.dtype(np.float64), np.dtype(np.float32)  # in the byte order of the machine
WANTED_X = "a DataFrame, or an array of numbers, of shape (n, d)"
AS_FLOATS = "give floats, which are rounded already"
LARGEST_Y, SMALLEST_Y = 1e150, 1e-100  # so that squares of regression targets are finite and not 0


def is_sound(X: object) -> bool:
    """Tell whether X is an array of finite floats with rows and columns, which needs no further check.

    Examples
    --------
    >>> is_sound(np.ones((2, 3))), is_sound(np.full((2, 3), np.nan)), is_sound([[1.0]])
    (True, False, False)
    """
    if not isinstance(X, np.ndarray) or type(X) is not np.ndarray or X.dtype not in FLOATS:
        return False
    with np.errstate(over="ignore", invalid="ignore"):
        return X.ndim == 2 and X.size > 0 and bool(np.isfinite(X.sum()) or np.isfinite(X).all())


def check_no_missing(X: pd.DataFrame, features: Sequence[Feature] = ()) -> None:
    """Raise ValueError if columns that are categorical, now or in training, have missing values."""
    known = {feature.name: feature.kind for feature in features}
    nominal = ((name, x) for name, x in X.items() if (known.get(str(name)) or kind_of(x)) != "numeric")
    if missing := said_missing(nominal):
        raise ValueError(
            f"X has missing values in categorical features: {missing}. Leave the rows out, "
            f"or make 'missing' a value of its own with {FILL}; {TAKEN}"
        )


def said_missing(columns: Iterable[tuple[Any, pd.Series]]) -> str:
    """Describe which columns have missing values, and where the first one is; "" if there are none.

    Examples
    --------
    >>> said_missing(pd.DataFrame({"a": ["u", "v"], "b": ["u", None], "c": ["v", None]}).items())
    "b, c; the first is in row 1 (counted from 0), column 'b'"
    """
    missing = {str(name): x.isna().to_numpy() for name, x in columns}
    first = {name: int(where.argmax()) for name, where in missing.items() if where.any()}
    if not first:
        return ""
    name = min(first, key=first.__getitem__)
    return f"{', '.join(first)}; the first is in row {first[name]} (counted from 0), column {name!r}"


def said_fault(X: object, missing: bool) -> str:
    """Describe the first value of an array that is infinite, or missing where that is not allowed.

    Examples
    --------
    >>> said_fault([[1, 2], [3, float("nan")]], False).partition(":")[0]
    'X is missing (NaN) in row 1, column 1 (counted from 0); wanted finite numbers'
    """
    with np.errstate(over="ignore"):
        x = pd.DataFrame(X).to_numpy(float, na_value=np.nan)
    bad = np.isinf(x) if missing else ~np.isfinite(x)
    first = x[bad][0]
    way = f"fill in values; {TAKEN}" if np.isnan(first) else "limit them with numpy.clip"
    what = "missing (NaN)" if np.isnan(first) else first
    return f"X is {what} in {place_of(bad)}; wanted finite numbers: leave such rows out, or {way}"


def read_numbers(X: object) -> np.ndarray | pd.DataFrame:
    """Return X as an array; raise if it is no array of real numbers.

    A numeric frame stays one. The values are left to scikit-learn to check.

    Examples
    --------
    >>> read_numbers([[1, None]])
    array([[1, nan]], dtype=object)
    >>> read_numbers("abc")
    Traceback (most recent call last):
    TypeError: X is 'abc'; wanted a DataFrame, or an array of numbers, of shape (n, d)
    """
    if isinstance(X, pd.Series):
        raise ValueError(
            f"X is one column; wanted {WANTED_X}: X.to_frame() makes one in pandas and polars, "
            f'pyarrow.table({{"x": X}}) in pyarrow, and of one sample X.to_frame().T in pandas'
        )
    if sparse.issparse(X):
        raise TypeError(
            f"X is sparse; wanted {WANTED_X}: X.toarray() makes one. A OneHotEncoder makes none with "
            f"sparse_output=False, a ColumnTransformer with sparse_threshold=0"
        )
    if X is None or np.ndim(x := read_array("X", X, WANTED_X)) == 0:
        raise (ValueError if X is None else TypeError)(f"X is {shown(X)}; wanted {WANTED_X}")
    check_shape(x)
    kind = non_numeric_types(x)
    if kind in ("text", "dates", "spans of time"):
        raise TypeError(
            f"X is an array of {kind} (type {x.dtype}), wanted numbers; {way_to_categories(kind)}"
        )
    if kind or isinstance(X, np.matrix):
        what = "a matrix" if not kind else f"{kind} (type {x.dtype})"
        said = " (Complex data not supported)" if x.dtype.kind in "cO" else ""
        raise (ValueError if said else TypeError)(f"X holds {what}{said}; wanted {WANTED_X}")
    if x.dtype.kind == "O":
        x = np.where(pd.isna(x), np.nan, x)
        try:
            x.astype(float)
        except (TypeError, ValueError, OverflowError) as error:
            raise TypeError(
                f"X is an array of objects that are not all numbers ({error}); {way_to_categories('objects')}"
            ) from None
    check_whole("X", whole_numbers(x), AS_FLOATS)
    return X if isinstance(X, pd.DataFrame) else x


def way_to_categories(kind: str) -> str:
    """Return the ways out for an array of anything but numbers.

    Examples
    --------
    >>> way_to_categories("dates")
    'take what matters out of it as numbers, such as the year or the day of the week'
    """
    if kind == "objects":
        return "beside numbers, text and truth values can be read"
    if kind != "text":
        return "take what matters out of it as numbers, such as the year or the day of the week"
    return (
        "NumPy makes text of numbers beside text. Give a DataFrame, or an array whose entries keep their "
        "types: numpy.array(X, dtype=object). If a step of a pipeline made this array of a frame, such as a "
        'ColumnTransformer, let it make frames: .set_output(transform="pandas")'
    )


def check_shape(x: np.ndarray) -> None:
    """Raise ValueError if an array does not have rows and columns."""
    if x.ndim == 1:
        raise ValueError(
            f"X has shape {x.shape}; wanted {WANTED_X}. Reshape your data: X.reshape(-1, 1) if it is one "
            f"feature, X.reshape(1, -1) if it is one sample"
        )
    if x.ndim > 2:
        raise ValueError(f"X has shape {x.shape}; wanted {WANTED_X}")
    for size, what in zip(x.shape, ("sample", "feature"), strict=True):
        if not size:
            raise ValueError(f"X has 0 {what}(s) (shape={x.shape}) while a minimum of 1 is required.")


def read_array(name: str, x: object, wanted: str) -> np.ndarray:
    """Return an array of any type; raise ValueError if the lists it is made of differ in length."""
    try:
        return np.asarray(x)
    except ValueError as error:
        raise fault_in(name, x, wanted, error) from None


def read_rows(name: str, rows: object, wanted: str) -> np.ndarray:
    """Return positions of rows, or a mask of all rows, as an array of any type without missing entries.

    Examples
    --------
    >>> read_rows("held_out", np.ma.array([0, 7], mask=[False, True]), "positions")
    Traceback (most recent call last):
    ValueError: held_out is missing in entry 1 (counted from 0); wanted positions
    """
    found = unmasked(read_array(name, unmasked(rows), wanted))
    if found.ndim == 1 and (missing := pd.isna(found)).any():
        raise ValueError(f"{name} is missing in entry {missing.argmax()} (counted from 0); wanted {wanted}")
    return found


def check_outputs(y: object, n: int) -> list[tuple[str, Any]]:
    """Return the outputs as (name, values): those of a frame or of an array (n, outputs), or the only one.

    Raises
    ------
    ValueError
        If there is no y, it has no output or more than two dimensions, or not n entries.
    """
    if y is None:
        raise ValueError("y is None: this estimator requires y to be passed, but the target y is None")
    if sparse.issparse(y):
        raise TypeError("y is sparse; wanted an array: y.toarray() makes it")
    y = in_pandas(y, "y")
    table = y if isinstance(y, pd.DataFrame | pd.Series | pd.Index | ExtensionArray) else as_array(y)
    if table.ndim not in (1, 2) or 0 in table.shape[1:]:
        came = f"has shape {table.shape}" if table.ndim else f"is {shown(y)}"
        raise ValueError(f"y {came}; wanted shape ({n},), or ({n}, outputs) with at least one output")
    if len(table) != n:
        entries, rows = how_many(len(table), "entry", "entries"), how_many(n, "row")
        raise ValueError(f"y has {entries}, but X has {rows}: give one entry per row")
    if isinstance(table, pd.DataFrame):
        names = ["y" if name is None else str(name) for name in table.columns]
        check_once("y", names)
        return [(name, table.iloc[:, k]) for k, name in enumerate(names)]
    if isinstance(table, np.ndarray) and table.ndim == 2 and table.shape[1] > 1:
        return [(f"y{k}", column) for k, column in enumerate(table.T)]
    name = getattr(table, "name", None)
    column = column_or_1d(table, warn=True) if table.ndim == 2 else table
    return [("y" if name is None else str(name), column)]


def read_truth(y: Any, weight: Any) -> tuple[Any, np.ndarray | None]:
    """Return true targets and sample weights without masks; raise ValueError if one is missing.

    Examples
    --------
    >>> read_truth(np.ma.array(["no", "yes"], mask=[True, False]), None)
    Traceback (most recent call last):
    ValueError: y is missing in 1 row, which is row 0 (counted from 0): leave such rows out
    """
    y = in_pandas(y, "y")
    table = y if isinstance(y, pd.DataFrame | pd.Series | pd.Index | ExtensionArray) else as_array(y)
    missing = np.asarray(pd.isna(table))
    if missing.ndim and missing.any():
        rows = rows_where(missing.reshape(len(missing), -1).any(axis=1))
        raise ValueError(f"y is missing in {rows}: leave such rows out")
    return y, checked_weight(weight, len(missing)) if missing.ndim else weight


def as_array(y: object) -> np.ndarray | pd.Series | pd.DataFrame:
    """Return y as an array; a plain list as a column, whose entries keep their types."""
    if not isinstance(y, list | tuple):
        return np.asarray(y)
    entries = np.asarray(y, dtype=object)
    if entries.ndim == 1:
        try:
            return pd.Series(list(y))
        except OverflowError:  # pandas 2, for an integer that is no float64
            return pd.Series(list(y), dtype=object)
    if entries.ndim == 2 and pd.isna(entries).any():  # an array would make missing values the text "nan"
        return pd.DataFrame(entries, columns=[f"y{k}" for k in range(entries.shape[1])]).infer_objects()
    return np.asarray(y)


def check_classes(y: Any, what: str = "y") -> np.ndarray:
    """Return classes as an array; raise if they are invalid."""
    y = as_column(y, what)
    if (missing := y.isna()).any():
        raise ValueError(f"{what} is missing in {rows_where(missing)}: leave such rows out")
    y = read_classes(y, what)
    try:
        with np.errstate(invalid="ignore"):  # 1e300, say, is cast to an int to see whether it is one
            check_classification_targets(y)
    except (TypeError, ValueError) as error:
        kind = TypeError if isinstance(error, TypeError) else ValueError
        wanted = "classes: texts, whole numbers or truth values"
        raise kind(f"{str(error).strip()} {what} is {shown(y.tolist())}; wanted {wanted}") from None
    return y


def read_classes(y: pd.Series, what: str) -> np.ndarray:
    """Return a column of classes as an array of one type; raise TypeError if it has several."""
    if isinstance(y.dtype, pd.CategoricalDtype):
        y = y.astype(y.cat.categories.dtype)
    y = y.to_numpy(dtype=getattr(y.dtype, "numpy_dtype", None))  # Int64 and boolean become int64 and bool
    y = index_of(python_values(y.tolist())).to_numpy() if y.dtype == object else y
    kinds = sorted({type(label).__name__ for label in y.tolist()}) if y.dtype == object else []
    if len(kinds) > 1:
        raise TypeError(f"{what} mixes classes of types {', '.join(kinds)}: convert them to one type")
    y = y.astype(bool) if kinds == ["bool"] else y
    if y.dtype.kind == "f" and (infinite := ~np.isfinite(y)).any():
        first = y[infinite][0]
        raise ValueError(f"{what} is {first} in {place_of(infinite)}, which is no class: leave such rows out")
    return y


def as_column(y: Any, what: str = "y") -> pd.Series:
    """Return the target as a column; raise if it is none."""
    try:
        if getattr(getattr(y, "dtype", None), "kind", "") == "V":
            of_events = any(y.dtype[name].kind == "b" for name in y.dtype.names or ())
            none = ", as of times and events: there is no survival tree" if of_events else ""
            raise TypeError(f"these are records{none}")
        column = pd.Series(y)
    except (TypeError, ValueError) as error:
        raise fault_in(what, y, "one class or number for each row", error) from None
    if kind := strange_type(column):
        raise no_feature(what, kind)
    return column


def declared_classes(y: Any, what: str = "y") -> np.ndarray | None:
    """Return the classes that a categorical y declares, in their order; None for any other y.

    Examples
    --------
    >>> declared_classes(pd.Categorical(["no"], ["yes", "no"])).tolist(), declared_classes(["no"])
    (['yes', 'no'], None)
    """
    dtype = without_dictionary(as_column(y, what)).dtype
    if not isinstance(dtype, pd.CategoricalDtype):
        return None
    return read_classes(dtype.categories.to_series(), what)


def code_classes(name: str, y: Any, what: str) -> Column:
    """Code the classes of an output, see `class_targets`."""
    found, declared = check_classes(y, what), declared_classes(y, what)
    if declared is None:
        return Column(name, *np.unique(found, return_inverse=True))
    classes = np.unique(declared)
    codes = np.searchsorted(classes, found)
    unused = np.flatnonzero(np.bincount(codes, minlength=len(classes)) == 0)
    return Column(
        name, classes, codes, declared=tuple(python_values(declared.tolist())), unused=tuple(unused.tolist())
    )


def class_targets(y: object, n: int) -> list[Column]:
    """Code the classes of each output; they are sorted.

    The classes are those that occur in the rows. A categorical y declares its classes, as a factor of R and
    an ARFF file do: then they are all its categories, in every classifier. A class without rows has a column
    in `predict_proba`, whose share is 0 unless `leaf_shares` gives it one; it changes no split (except in the
    dialect of rpart, which then tries all groups of categories, and in the numeric minimum of J48, which is
    divided by the number of classes); with a loss, it may be predicted. Its prior is 0, and it needs no
    weight. ``y.cat.remove_unused_categories()`` grows the same tree without it.
    """
    if type(y) is np.ndarray and y.dtype.kind in "biu" and y.shape == (n,):
        classes, codes = distinct_integers(y)
        if 2 * len(classes) <= n:  # with more classes, scikit-learn warns that this may be regression
            return [Column("y", classes, codes)]
    return [code_classes(*output) for output in said_outputs(y, n)]


def in_declared_order(target: Column) -> Column:
    """Return a target with its classes in the order in which y declares them, if it does.

    Examples
    --------
    >>> (target,) = class_targets(pd.Categorical(["no", "yes"], ["yes", "no"]), 2)
    >>> target.values.tolist(), in_declared_order(target).values.tolist(), in_declared_order(target).codes
    (['no', 'yes'], ['yes', 'no'], array([1, 0]))
    """
    if target.declared is None:
        return target
    values = np.asarray(target.values)
    order = np.searchsorted(values, np.asarray(target.declared))
    place = np.argsort(order)
    unused = tuple(np.sort(place[list(target.unused)]).tolist())
    return replace(target, values=values[order], codes=place[target.codes], unused=unused)


def number_targets(y: object, n: int) -> list[Column]:
    """Rank the targets of each output."""
    ranked = ((name, rank(read_target(x, what))) for name, x, what in said_outputs(y, n))
    return [Column(name, values, codes, "numeric") for name, (codes, values, _) in ranked]


def rates(targets: Sequence[Column], exposure: np.ndarray) -> list[Column]:
    """Return counts of events divided by the exposure of each row.

    Examples
    --------
    >>> column, = rates(number_targets([1, 3, 0], 3), np.array([2.0, 2.0, 5.0]))
    >>> column.values[column.codes]
    array([0.5, 1.5, 0. ])
    """
    each = [(one.name, np.asarray(one.values)[one.codes] / exposure) for one in targets]
    ranked = ((name, rank(check_squares(x, f"{name} by exposure"))) for name, x in each)
    return [Column(name, values, codes, "numeric") for name, (codes, values, _) in ranked]


def check_counts(targets: Sequence[Column], weight: np.ndarray | None, where: str = "") -> None:
    """Raise ValueError if targets are no counts or rates, or nothing happened in the rows that count.

    Examples
    --------
    >>> check_counts(number_targets([1, -2], 2), None)
    Traceback (most recent call last):
    ValueError: y holds -2.0, but Poisson deviance is of counts or rates: wanted none below 0
    >>> check_counts(number_targets([0, 2], 2), np.array([1.0, 0.0]))
    Traceback (most recent call last):
    ValueError: y is 0 in all rows that count: Poisson deviance needs an event, so that the rate is above 0
    """
    for target in targets:
        y = np.asarray(target.values)[target.codes]
        if y.min() < 0:
            raise ValueError(
                f"{target.name} holds {y.min()}, but Poisson deviance is of counts or rates: wanted none "
                f"below 0"
            )
        if not (y if weight is None else y[weight > 0]).any():
            raise ValueError(
                f"{target.name} is 0 in all rows that count{where}: Poisson deviance needs an event, so that "
                f"the rate is above 0"
            )


def said_outputs(y: object, n: int) -> list[tuple[str, Any, str]]:
    """Return the outputs as (name, values, name in error messages)."""
    found = check_outputs(y, n)
    return [(name, x, "y" if len(found) == 1 else f"column {name!r} of y") for name, x in found]


def read_target(x: Any, what: str = "y") -> np.ndarray:
    """Return regression targets as float64; raise if they are invalid."""
    return check_squares(real_numbers(as_column(x, what), what), what)


def check_squares(x: np.ndarray, what: str = "y") -> np.ndarray:
    """Return targets unchanged; raise ValueError if their squares are infinite or all zero."""
    largest = x[np.abs(x).argmax()]
    if abs(largest) > LARGEST_Y:
        raise ValueError(f"{what} holds {largest}; beyond ±{LARGEST_Y:g} squares are infinite: divide it")
    if 0 < abs(largest) < SMALLEST_Y:
        raise ValueError(f"{what} holds {largest} and nothing larger; such squares are almost 0: multiply it")
    return x


def real_numbers(y: pd.Series, what: str = "y") -> np.ndarray:
    """Return a column as float64; raise if its values are not numeric."""
    try:
        if y.dtype.kind == "c":
            raise TypeError(f"values of type {y.dtype}")
        if y.dtype.kind not in "biuf" and y.isna().all():  # all missing, of a type such as that of dates
            y = pd.Series(np.nan, y.index)
        x = y.to_numpy(dtype=np.float64, na_value=np.nan)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"{what} holds no real numbers ({error}): convert it, or use a classifier") from None
    check_whole(what, whole_numbers(y.to_numpy()), AS_FLOATS)
    if (bad := ~np.isfinite(x)).any():
        first = x[bad][0]
        raise ValueError(
            f"{what} is {'missing (NaN)' if np.isnan(first) else first} in {place_of(bad)}, wanted finite "
            f"numbers: leave it out"
        )
    return x
