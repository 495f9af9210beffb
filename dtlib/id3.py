"""ID3: the largest information gain, one branch per value (chapter 4)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import validate_data

from dtlib.base import ClassTree, check_classes, check_names, check_number, checked_weight
from dtlib.columns import Column, is_nominal
from dtlib.grow import Rules


class ID3Classifier(ClassifierMixin, ClassTree):
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
        self._forget()
        check_number("min_gain", self.min_gain, 0)
        X = self._read(X, reset=True)
        y, weight = check_classes(y, len(X)), checked_weight(sample_weight, len(X))
        if weight is not None:
            X, y, weight = X[weight > 0], y[weight > 0], weight[weight > 0]
        classes, codes = np.unique(y, return_inverse=True)
        rules = Rules(criterion="entropy", nominal="multiway", min_gain=self.min_gain)
        self._grow(X, [Column("class", classes, codes)], weight, rules)
        self.classes_ = classes
        return self

    def _read(self, X: Any, reset: bool = False) -> pd.DataFrame:
        """Return X as a frame of names, or say what is wrong with it and what to use instead."""
        return check_frame(self, X, reset=reset)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags


def check_frame(estimator: BaseEstimator, X: Any, *, reset: bool) -> pd.DataFrame:
    """Return X if ID3 can read it, or say what is wrong with it and what to use instead."""
    if isinstance(X, pd.DataFrame):
        check_names(X)
        X = validate_data(estimator, X, reset=reset, skip_check_array=True)
    else:
        X = validate_data(estimator, X, reset=reset, dtype=None)
        if X.dtype.kind == "f" and (X == np.rint(X)).all():
            X = X.astype(np.int64)
        names = pd.DataFrame(X, columns=[f"x{f}" for f in range(X.shape[1])])
        X = names if X.dtype.kind == "f" else names.astype("category")
    numbers = [str(name) for name in X.columns if not is_nominal(X[name])]
    if numbers:
        raise TypeError(
            f"ID3 asks for names, but these columns hold numbers or dates: {', '.join(numbers)}. Group them "
            f"with pandas.cut, convert them with .astype('category') if they are names, or use a tree with "
            f"thresholds, such as CARTClassifier"
        )
    holes = [str(name) for name in X.columns if X[name].isna().any()]
    if holes:
        raise ValueError(
            f"ID3 has no rule for missing values, but these columns have some: {', '.join(holes)}. Leave the "
            f"rows out, or make 'missing' a value of its own with .fillna"
        )
    return X
