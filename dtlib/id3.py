"""ID3: the largest information gain, one branch per value (chapter 4)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, column_or_1d, validate_data

from dtlib.counts import Column, Training, check_weight, encode, is_nominal
from dtlib.grow import grow
from dtlib.tree import Node, Tree


class ID3Classifier(ClassifierMixin, BaseEstimator):
    """Grow a decision tree with ID3 (Quinlan, 1986).

    At each node, ask the feature with the largest information gain, and make one branch for each of its
    values. A feature is asked at most once on a path. A node stays a leaf if it is pure, if no feature is
    left that tells its samples apart, or if the best gain is zero or below `min_gain`. A branch that no
    sample takes becomes a leaf with the majority class of the node above. Ties go to the first column.

    A node has a child for each value of its feature, whether a sample takes it or not: features of many
    thousand values make very large trees.

    Parameters
    ----------
    min_gain : float, default 0.0
        The threshold ε: a node is split only if the best gain is at least this (bits).

    Attributes
    ----------
    tree_ : Tree
        The tree: `explain`, `trace`, `rules`, drawing, export.
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted.
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features_in_,)

    References
    ----------
    J. R. Quinlan, "Induction of decision trees", Machine Learning 1 (1986) 81-106.

    Examples
    --------
    >>> from dtlib import ID3Classifier, load_watermelon
    >>> melons = load_watermelon()
    >>> id3 = ID3Classifier().fit(melons.X, melons.y)
    >>> id3.tree_
    <Tree: 14 nodes, 9 leaves, depth 4>
    >>> id3.predict(melons.X.head(2))
    array(['yes', 'yes'], dtype=object)
    """

    def __init__(self, min_gain: float = 0.0):
        self.min_gain = min_gain

    def fit(self, X: pd.DataFrame, y: ArrayLike, sample_weight: ArrayLike | None = None) -> ID3Classifier:
        """Grow the tree.

        Parameters
        ----------
        X : DataFrame of shape (n, d)
            Nominal columns (category, string, object, bool), nothing missing.
        y : array-like of shape (n,)
            The classes, nothing missing.
        sample_weight : array-like of shape (n,), optional
            What each row counts, finite and not negative; rows of weight 0 are left out.

        Returns
        -------
        self

        Raises
        ------
        TypeError
            If X is no frame or a column holds numbers or dates.
        ValueError
            If there is no row or no column, a value is missing, lengths differ, or weights cannot be used.
        """
        if not (isinstance(self.min_gain, int | float | np.number) and self.min_gain >= 0):
            raise ValueError(f"min_gain is {self.min_gain!r}; give a number of bits, 0 or more")
        X = check_frame(self, X, reset=True)
        y = check_classes(y, len(X))
        weight = check_weight(sample_weight, len(X))
        if weight is not None:
            X, y, weight = X[weight > 0], y[weight > 0], weight[weight > 0]
        self.classes_, codes = np.unique(y, return_inverse=True)
        columns = tuple(encode(X[name]) for name in X.columns)
        target = Column("class", tuple(self.classes_.tolist()), codes)
        self.tree_: Tree = grow(Training(columns, target, weight), min_gain=self.min_gain)
        return self

    def apply(self, X: pd.DataFrame) -> np.ndarray:
        """Return the number of the node in which each row ends.

        A row whose value has no branch (never seen in training) ends at the node that asks for it.
        """
        check_is_fitted(self)
        return self.tree_.apply(check_frame(self, X, reset=False))

    def predict(self, X: pd.DataFrame) -> np.ndarray:
        """Return the class of each row: the majority of the node in which it ends."""
        node = self.apply(X)
        return self.classes_[self.tree_.label[node]]

    def predict_proba(self, X: pd.DataFrame) -> np.ndarray:
        """Return the class shares of each row, shape (n, n_classes), in the order of `classes_`."""
        node = self.apply(X)
        return self.tree_.value[node]

    def explain(self, X: pd.DataFrame) -> pd.DataFrame:
        """Follow one sample down the tree.

        Parameters
        ----------
        X : DataFrame of one row

        Returns
        -------
        DataFrame with one row per node on the way
            ``node``, ``condition`` (what led here), ``counts``, ``split`` (what is asked next),
            ``prediction``.

        Examples
        --------
        >>> from dtlib import ID3Classifier, load_loan
        >>> loan = load_loan()
        >>> ID3Classifier().fit(loan.X, loan.y).explain(loan.X.head(1))["condition"].tolist()
        ['', 'owns_house = no', 'has_job = no']
        """
        node = self.apply(X)
        if len(node) != 1:
            raise ValueError(f"X has {len(node)} rows; give one, e.g. X.iloc[[0]]")
        end = self.tree_[node[0]]
        nodes = [self.tree_[i] for i in (*end.ancestors, end.id)]
        return pd.DataFrame([self._line(node) for node in nodes])

    def _line(self, node: Node) -> dict[str, Any]:
        return {
            "node": node.id,
            "condition": node.condition,
            "counts": self.tree_.say_counts(node.counts),
            "split": "" if node.is_leaf else str(node.split),
            "prediction": node.prediction,
        }

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags


def check_classes(y: ArrayLike, n: int) -> np.ndarray:
    """Return the classes of n rows as an array, or say what is wrong with them."""
    y = pd.Series(column_or_1d(y, warn=True) if hasattr(y, "ndim") and y.ndim != 1 else y)
    if len(y) != n:
        raise ValueError(f"y has {len(y)} entries, but X has {n} rows: give one class per row")
    if y.isna().any():
        raise ValueError(f"y is missing in {y.isna().sum()} rows: leave those rows out")
    if isinstance(y.dtype, pd.CategoricalDtype):
        y = y.astype(y.cat.categories.dtype)
    y = y.to_numpy(dtype=getattr(y.dtype, "numpy_dtype", None))  # Int64 and boolean become int64 and bool
    kinds = sorted({type(label).__name__ for label in y.tolist()}) if y.dtype == object else []
    if len(kinds) > 1:
        raise TypeError(f"y mixes classes of types {', '.join(kinds)}: convert them to one type")
    check_classification_targets(y)
    return y


def check_frame(estimator: BaseEstimator, X: pd.DataFrame, *, reset: bool) -> pd.DataFrame:
    """Return X if ID3 can read it, or say what is wrong with it and what to use instead."""
    if not isinstance(X, pd.DataFrame):
        raise TypeError(f"X is a {type(X).__name__}; ID3 needs a pandas DataFrame with nominal columns")
    if X.shape[0] == 0 or X.shape[1] == 0:
        raise ValueError(f"X has shape {X.shape}; at least one row and one column are needed")
    odd = [name for name in X.columns if not isinstance(name, str)]
    if odd:
        raise TypeError(
            f"X has a column called {odd[0]!r}, which is no text: X.columns = X.columns.astype(str)"
        )
    if X.columns.has_duplicates:
        twice = X.columns[X.columns.duplicated()][0]
        raise ValueError(f"X has several columns called {twice!r}: rename them")
    X = validate_data(estimator, X, reset=reset, skip_check_array=True)
    numbers = [str(name) for name in X.columns if not is_nominal(X[name])]
    if numbers:
        raise TypeError(
            f"ID3 asks for names, but these columns hold numbers or dates: {', '.join(numbers)}. Group them "
            f"with pandas.cut, convert them with .astype('category') if they are names, or use a tree with "
            f"thresholds, such as scikit-learn's DecisionTreeClassifier"
        )
    holes = [str(name) for name in X.columns if X[name].isna().any()]
    if holes:
        raise ValueError(
            f"ID3 has no rule for missing values, but these columns have some: {', '.join(holes)}. Leave the "
            f"rows out, or make 'missing' a value of its own with .fillna"
        )
    return X
