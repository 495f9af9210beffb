"""Frames inside ensembles: an array that was made of a frame becomes a frame again.

scikit-learn's bagging and AdaBoost call ``validate_data(self, X, y, dtype=None, ...)``, which ends in
``numpy.asarray(X)``: a frame with categorical and numeric columns becomes an array of Python objects. Text,
truth values and numbers can still be told apart there (`columns_of_objects`). The types of the columns, their
names and the order of categories cannot, and come back by `frame_like` only.
"""

from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from pandas.api import types
from sklearn.preprocessing import FunctionTransformer

from dtlib.numbers import how_many, unmasked
from dtlib.table.columns import check_whole, whole_numbers, without_dictionary
from dtlib.table.feature_names import default_names
from dtlib.table.other_frames import in_pandas


def frame_like(X: pd.DataFrame) -> FunctionTransformer:
    """Return a step of a pipeline that makes a frame of an array: with the columns of X, and their types.

    `BaggingClassifier`, `BaggingRegressor` and AdaBoost make an array of Python objects of a frame. The trees
    take it: columns of text or truth values are categorical, columns of numbers numeric. Put this step before
    a tree in bagging if that is not enough: then ordered categories keep their order, categories that are
    numbers stay categories, and the trees know the names of the columns. The values of X are not kept.

    `VotingClassifier`, `StackingClassifier`, searches, cross-validation and calibration pass frames on as
    they are, and need no such step. AdaBoost refuses missing values itself, and needs sample weights, which a
    pipeline does not take: before it, write ordered categories as numbers. `RFE`, `OneVsOneClassifier`,
    `SequentialFeatureSelector` and `ClassifierChain` call ``validate_data`` with its default
    ``dtype="numeric"``: they refuse text before a tree sees it, so encode it for them.

    Parameters
    ----------
    X : frame of shape (n, d)
        The frame to which the ensemble is fitted: of pandas, or of polars or pyarrow, which the step turns
        into pandas.

    Returns
    -------
    FunctionTransformer
        Takes arrays of shape (m, d).

    Raises
    ------
    TypeError
        If X is no frame.

    Examples
    --------
    >>> from sklearn.ensemble import BaggingClassifier
    >>> from sklearn.pipeline import make_pipeline
    >>> from dtlib import C45Classifier, frame_like
    >>> from dtlib.datasets import load_golf
    >>> golf = load_golf()
    >>> tree = make_pipeline(frame_like(golf.X), C45Classifier())
    >>> forest = BaggingClassifier(tree, n_estimators=20, random_state=0).fit(golf.X, golf.y)
    >>> print(forest.estimators_[1][-1].tree_.features[1].kind, forest.predict_proba(golf.X).shape)
    numeric (14, 2)
    """
    X = in_pandas(X)
    if not isinstance(X, pd.DataFrame):
        raise TypeError(
            f"X is of type {type(X).__name__}; wanted the DataFrame that the ensemble is fitted to"
        )
    like = X.iloc[:0]
    return FunctionTransformer(partial(framed, like=like))


def is_of_objects(X: object) -> bool:
    """Tell whether X is an array of Python objects with rows and columns."""
    return type(X) is np.ndarray and X.ndim == 2 and X.dtype == object


def holds_text(X: Any) -> bool:
    """Tell whether X is an array of Python objects with text among them.

    Examples
    --------
    >>> holds_text(np.array([["S", 2]], dtype=object)), holds_text(np.array([["S", 2]]))
    (True, False)
    """
    return is_of_objects(X) and any(isinstance(entry, str) for entry in X.ravel().tolist())


def columns_of_objects(X: np.ndarray) -> pd.DataFrame:
    """Return an array of Python objects as a frame: each column has the type of its entries.

    A column without any entry is categorical, and has no category.

    Raises
    ------
    ValueError
        If an integer has no float64 of its own.

    Examples
    --------
    >>> from dtlib.table.columns import kind_of
    >>> frame = columns_of_objects(np.array([["S", 2, True, None], [None, None, False, None]], dtype=object))
    >>> [kind_of(frame[name]) for name in frame], frame["x1"].tolist()
    (['nominal', 'numeric', 'nominal', 'nominal'], [2.0, nan])
    """
    check_whole("X", whole_numbers(X))
    missing = pd.isna(X)
    known = pd.DataFrame(np.where(missing, np.nan, X), columns=default_names(X.shape[1]), dtype=object)
    found = known.infer_objects()
    return found.astype(dict.fromkeys(found.columns[missing.all(axis=0)], object))


def framed(X: Any, like: pd.DataFrame) -> pd.DataFrame:
    """Return an array as a frame with the columns of another one, and their types.

    Raises
    ------
    ValueError
        If the array does not have as many columns.

    Examples
    --------
    >>> like = pd.DataFrame({"size": pd.Categorical([], ["S", "L"], ordered=True), "price": np.empty(0)})
    >>> framed(np.array([["L", 2], ["S", None]], dtype=object), like).dtypes.astype(str).tolist()
    ['category', 'float64']
    """
    X = np.asarray(unmasked(X))
    if X.ndim != 2 or X.shape[1] != like.shape[1]:
        raise ValueError(
            f"the array has shape {X.shape}, the frame had {how_many(like.shape[1], 'column')}: "
            f"{', '.join(map(str, like.columns))}. An ensemble must leave none out (max_features=1.0); a "
            f"tree may draw some at each node, see its max_features"
        )
    columns = {f: typed(pd.Series(X[:, f]), like.iloc[:, f]) for f in range(X.shape[1])}
    return pd.DataFrame(columns, pd.RangeIndex(len(X))).set_axis(like.columns, axis=1)


def typed(column: pd.Series, like: pd.Series) -> pd.Series:
    """Return a column with the type of another one; a categorical column may have new categories."""
    dtype = without_dictionary(like).dtype
    if isinstance(dtype, pd.CategoricalDtype):
        new = [name for name in column.dropna().unique() if name not in dtype.categories]
        return column.astype(pd.CategoricalDtype([*dtype.categories, *new], dtype.ordered) if new else dtype)
    if types.is_object_dtype(dtype) or types.is_string_dtype(dtype) or types.is_bool_dtype(dtype):
        return column.astype(object)  # bool has no missing value
    if isinstance(dtype, np.dtype) and dtype.kind in "iu" and column.isna().any():
        dtype = np.dtype(float)
    return column.astype(dtype)
