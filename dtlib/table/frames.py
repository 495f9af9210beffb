"""Frames inside ensembles: an array that was made of a frame becomes that frame again.

scikit-learn's bagging and boosting give their trees arrays: a frame with categorical and numeric columns
becomes an array of Python objects, which lacks the types of the columns and the order of their categories.
"""

from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from pandas.api import types
from sklearn.preprocessing import FunctionTransformer

from dtlib.numbers import how_many, unmasked
from dtlib.table.columns import without_dictionary
from dtlib.table.other_frames import in_pandas


def frame_like(X: pd.DataFrame) -> FunctionTransformer:
    """Return a step of a pipeline that makes a frame of an array: with the columns of X, and their types.

    Put it before a tree in `BaggingClassifier` or `BaggingRegressor`, which make arrays of frames: then
    categories stay categories, ordered ones keep their order, numeric columns stay numeric, and missing
    values stay missing. The values of X are not kept. (`VotingClassifier`, `StackingClassifier`, searches
    and calibration pass frames on as they are. `AdaBoostClassifier` makes arrays too, but needs sample
    weights, which a pipeline does not take: give it numeric features.)

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
