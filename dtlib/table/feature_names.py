"""Feature names: the names of the columns of a frame, as text.

A text name is kept. Another label (an integer, a date, the tuple of a MultiIndex) is written as `str` writes
it, as do `DataFrame.to_sql`, `to_records` and the libraries that take pandas frames: so an exported query
names columns that exist. Only a numeric frame whose columns are called 0, 1, ... in this order counts as an
array: its features are x0, x1, ..., as in scikit-learn.

Examples
--------
>>> pairs = pd.MultiIndex.from_product([["size"], ["cm", "inch"]])
>>> with_feature_names(pd.DataFrame([[1, 2]], columns=pairs)).columns.tolist()
["('size', 'cm')", "('size', 'inch')"]
"""

from functools import lru_cache

import pandas as pd

from dtlib.numbers import shown
from dtlib.table.columns import check_once, is_nominal, way_to_rename


@lru_cache(maxsize=16)
def default_names(d: int) -> tuple[str, ...]:
    """Return the feature names of an array with d columns.

    Examples
    --------
    >>> default_names(3)
    ('x0', 'x1', 'x2')
    """
    return tuple(f"x{f}" for f in range(d))


def is_counted(X: pd.DataFrame) -> bool:
    """Tell whether the columns of a frame are called 0, 1, ... in this order, the default names."""
    d = X.shape[1]
    return d > 0 and X.columns.inferred_type == "integer" and list(X.columns) == list(range(d))


def has_default_columns(X: pd.DataFrame) -> bool:
    """Tell whether a frame counts as an array: default column names, and numeric columns.

    Examples
    --------
    >>> one = pd.DataFrame([[1, 2]])
    >>> has_default_columns(one), has_default_columns(one.set_axis([10, 20], axis=1))
    (True, False)
    """
    return is_counted(X) and not any(is_nominal(x) and x.notna().any() for _, x in X.items())


def has_text_names(X: pd.DataFrame) -> bool:
    """Tell whether all columns have text names, which scikit-learn keeps, too."""
    return all(isinstance(name, str) for name in X.columns)


def label_as_text(name: object) -> str:
    """Return the name of a column as a plain string, also if it is of a subclass of str.

    Examples
    --------
    >>> label_as_text(7), label_as_text(("size", "cm"))
    ('7', "('size', 'cm')")
    """
    return str.__str__(name) if isinstance(name, str) else str(name)


def with_feature_names(X: pd.DataFrame, what: str = "X") -> pd.DataFrame:
    """Return a frame whose column names are its feature names; raise if there are no valid ones.

    Parameters
    ----------
    X : DataFrame of shape (n, d)
    what : str
        The name of the argument.

    Raises
    ------
    TypeError
        If text names are mixed with other labels, which scikit-learn refuses, too.
    ValueError
        If several columns have one name, or there is no row or no column.

    Examples
    --------
    >>> with_feature_names(pd.DataFrame({10: ["a"], 20: ["b"]}), "frame").columns.tolist()
    ['10', '20']
    >>> with_feature_names(pd.DataFrame({"a": ["green"], 1: ["small"]}))
    Traceback (most recent call last):
    TypeError: X has columns called 'a', which is text, and 1, which is not: X.columns = list(map(str, X.columns))
    """  # noqa: E501  # an error is one line
    check_names(X, what)
    names = [label_as_text(name) for name in X.columns]
    check_once(what, names)
    return X if all(type(name) is str for name in X.columns) else X.set_axis(names, axis=1)


def with_features_named(frame: pd.DataFrame, target: str, what: str = "frame") -> pd.DataFrame:
    """Return a frame whose columns, but for the target, are called as the features of a tree are.

    Examples
    --------
    >>> with_features_named(pd.DataFrame({0: [1.5], "y": ["no"], 1: [2.5]}), "y").columns.tolist()
    ['x0', 'y', 'x1']
    """
    if all(type(name) is str for name in frame.columns):
        return frame
    X = frame.drop(columns=target)
    names = iter(default_names(X.shape[1]) if has_default_columns(X) else with_feature_names(X, what).columns)
    columns = [name if name == target else next(names) for name in frame.columns]
    check_once(what, columns)
    return frame.set_axis(columns, axis=1)


def check_names(X: pd.DataFrame, what: str = "X") -> None:
    """Raise if a frame has no rows or no columns, or column names of several kinds."""
    if X.shape[0] == 0 or X.shape[1] == 0:
        raise ValueError(f"{what} has shape {X.shape}; at least one row and one column are needed")
    texts = [name for name in X.columns if isinstance(name, str)]
    odd = [name for name in X.columns if not isinstance(name, str)]
    if texts and odd:
        names = [label_as_text(name) for name in X.columns]
        raise TypeError(
            f"{what} has columns called {texts[0]!r}, which is text, and {odd[0]!r}, which is not: "
            f"{way_to_rename(what, names)}"
        )


def check_same_names(names: tuple[str, ...], known: tuple[str, ...]) -> None:
    """Raise ValueError if the features of a frame are not those of training, or in another order.

    Examples
    --------
    >>> check_same_names(("2", "1"), ("1", "2"))
    Traceback (most recent call last):
    ValueError: X has the columns ['2', '1'], and in training they were ['1', '2']: X = X.iloc[:, [1, 0]]
    """
    if names == known:
        return
    had_names = known != default_names(len(known))
    wanted = known if had_names else tuple(map(str, range(len(known))))
    was = f"they were {shown(list(known))}" if had_names else "they had no names, or 0, 1, ... in this order"
    if sorted(names) == sorted(wanted):
        way = f"X = X.iloc[:, {[names.index(name) for name in wanted]}]"
    else:
        way = "give the same ones in this order" if had_names else "if these are the same, X = X.to_numpy()"
    raise ValueError(f"X has the columns {shown(list(names))}, and in training {was}: {way}")
