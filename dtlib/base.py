"""What all tree estimators share: reading the input, growing, and everything asked of a grown tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from numbers import Integral, Real
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_array, check_is_fitted, column_or_1d, validate_data

from dtlib.columns import Column, check_weight, narrowed, rank, read_training, to_numbers
from dtlib.grow import Rules, grow
from dtlib.tree import Node, Tree

KEPT = 1 << 20  # cells of training data that a tree keeps unless told otherwise
LARGEST = 1e150  # so that squares are finite


class TreeEstimator(BaseEstimator):
    """Base class: the estimators say by which rules they grow, and what they predict."""

    tree_: Tree

    def _grow(
        self, X: Any, targets: Sequence[Column], weight: ArrayLike | None, rules: Rules, keep: bool | None = True
    ) -> None:
        """Grow the tree, and keep the data for `explain` if told to, or if they are few."""
        single = getattr(self, "precision", "double") == "single"
        data = read_training(X, targets, weight, single)
        tree = grow(data, rules)
        keep = X.shape[0] * X.shape[1] <= KEPT if keep is None else keep
        self.tree_ = replace(tree, training=replace(data, order={}) if keep else None, grown_by=rules)

    def _forget(self) -> None:
        """Be unfitted until the fit is done, whatever interrupts it."""
        vars(self).pop("tree_", None)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "tree_")

    def _read(self, X: Any, reset: bool = False) -> pd.DataFrame | np.ndarray:
        """Return X as a frame, or as an array of floats, or say what is wrong with it."""
        if not isinstance(X, pd.DataFrame):
            return validate_data(self, X, reset=reset, dtype=[np.float64, np.float32])
        check_names(X)
        return validate_data(self, X, reset=reset, skip_check_array=True)

    def _matrix(self, X: Any) -> np.ndarray:
        """Return X as the tree reads it."""
        check_is_fitted(self)
        X, features = self._read(X), self.tree_.features
        if isinstance(X, pd.DataFrame):
            X = to_numbers(X, features)
        elif any(feature.kind != "numeric" for feature in features):
            names = [feature.name for feature in features if feature.kind != "numeric"]
            raise TypeError(f"X is an array of numbers, but the tree has names in {names}: give a DataFrame")
        return narrowed(X, "X") if getattr(self, "precision", "double") == "single" else X

    def apply(self, X: ArrayLike | pd.DataFrame) -> np.ndarray:
        """Return the number of the node in which each row ends, shape (n,).

        A row whose name has no branch (no training row of the node had it) ends at the node that asks for it.
        """
        return self.tree_.apply(self._matrix(X))

    def decision_path(self, X: ArrayLike | pd.DataFrame) -> sparse.csr_matrix:
        """Return which nodes each row visits, as a sparse 0/1 matrix of shape (n, nodes)."""
        return self.tree_.decision_path(self._matrix(X))

    def get_depth(self) -> int:
        """Return the depth of the deepest leaf."""
        check_is_fitted(self)
        return self.tree_.max_depth

    def get_n_leaves(self) -> int:
        """Return the number of leaves."""
        check_is_fitted(self)
        return self.tree_.n_leaves

    @property
    def feature_importances_(self) -> np.ndarray:
        """Share of each feature in the decrease of impurity, shape (d,)."""
        check_is_fitted(self)
        return self.tree_.importances

    def explain(self, X: ArrayLike | pd.DataFrame) -> pd.DataFrame:
        """Follow one sample down the tree.

        Parameters
        ----------
        X : DataFrame or array of one row

        Returns
        -------
        DataFrame with one row per node on the way
            ``node``, ``condition`` (what led here), ``value`` (of the sample, of the feature asked next),
            ``counts`` (of the classes; of numbers, ``summary``), ``split`` (what is asked next), ``prediction``.

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
            "counts" if self.tree_.is_classifier else "summary": node.said,
            "split": "" if node.is_leaf else str(node.split),
            "prediction": node.prediction,
        }


class ClassTree(TreeEstimator):
    """Predicts classes."""

    def predict(self, X: ArrayLike | pd.DataFrame) -> np.ndarray:
        """Return the class of each row, the majority of the node in which it ends: shape (n,), or (n, outputs)."""
        label = self.tree_.label[self.apply(X)] if hasattr(self, "tree_") else self.apply(X)
        if len(self.tree_.outputs) == 1:
            return self.classes_[label]
        return np.stack([classes[k] for classes, k in zip(self.classes_, label.T, strict=True)], axis=1)

    def predict_proba(self, X: ArrayLike | pd.DataFrame) -> np.ndarray | list[np.ndarray]:
        """Return the class shares of each row, shape (n, classes) in the order of `classes_`; a list if outputs are many."""
        node = self.apply(X)
        shares = [block[node] for block in self.tree_.blocks(self.tree_.value)]
        return shares[0] if len(shares) == 1 else shares

    def predict_log_proba(self, X: ArrayLike | pd.DataFrame) -> np.ndarray | list[np.ndarray]:
        """Return the natural logarithms of `predict_proba` (-inf for 0)."""
        shares = self.predict_proba(X)
        with np.errstate(divide="ignore"):
            return [np.log(p) for p in shares] if isinstance(shares, list) else np.log(shares)


def check_names(X: pd.DataFrame) -> None:
    """Say what is wrong with the shape or the column names of a frame."""
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


def check_outputs(y: ArrayLike, n: int) -> list[tuple[str, Any]]:
    """Return the outputs as (name, values): those of a frame or of an array (n, outputs), or the only one."""
    if y is None:
        raise ValueError("y is None: this estimator requires y to be passed, but the target y is None")
    if np.ndim(y) != 2 or np.shape(y)[1] == 1:
        return [(str(getattr(y, "name", None) or "y"), y)]
    if np.shape(y)[1] == 0:
        raise ValueError(f"y has shape {np.shape(y)}: at least one output is needed")
    if isinstance(y, pd.DataFrame):
        return [(str(name), y.iloc[:, k]) for k, name in enumerate(y.columns)]
    return [(f"y{k}", column) for k, column in enumerate(np.asarray(y).T)]


def class_targets(y: ArrayLike, n: int) -> list[Column]:
    """Code the classes of each output."""
    targets = []
    for name, column in check_outputs(y, n):
        classes, codes = np.unique(check_classes(column, n), return_inverse=True)
        targets.append(Column(name, classes, codes))
    return targets


def number_targets(y: ArrayLike, n: int) -> list[Column]:
    """Rank the numbers of each output."""
    targets = []
    for name, column in check_outputs(y, n):
        x = check_array(
            column_or_1d(column, warn=True), dtype=np.float64, ensure_2d=False, input_name="y", ensure_min_samples=0
        )
        if len(x) != n:
            raise ValueError(f"y has {len(x)} entries, but X has {n} rows: give one number per row")
        if (np.abs(x) > LARGEST).any():
            raise ValueError(f"y holds {x[np.abs(x).argmax()]}; numbers beyond ±{LARGEST:g} have no finite square: divide y")
        codes, values, _ = rank(x)
        targets.append(Column(name, values, codes, "numeric"))
    return targets


def check_number(name: str, value: Any, low: float, whole: bool = False, above: bool = False) -> None:
    """Say that a parameter is no number, or too small."""
    kind = Integral if whole else Real
    ok = isinstance(value, kind) and not isinstance(value, bool) and (value > low if above else value >= low)
    if not (ok and value < np.inf):
        wanted = f"{'a whole number' if whole else 'a number'} {'above' if above else 'of at least'} {low}"
        raise ValueError(f"{name} is {value!r}; wanted {wanted}")


def check_choice(name: str, value: Any, choices: Sequence[Any]) -> None:
    """Say that a parameter is none of its choices."""
    if not any(value is choice or (isinstance(value, str) and value == choice) for choice in choices):
        raise ValueError(f"{name} is {value!r}; wanted one of {', '.join(map(repr, choices))}")


def checked_weight(weight: ArrayLike | None, n: int) -> np.ndarray | None:
    """Return the weights of n rows, a single number for all of them alike."""
    if weight is not None and np.ndim(weight) == 0:
        weight = np.full(n, weight)
    return check_weight(weight, n)
