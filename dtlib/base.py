"""What all tree estimators share: reading the input, growing, and what is asked of a grown tree (chapter 4).

The estimators keep to scikit-learn's conventions: parameters are stored as they come and checked by `fit`,
what is learned ends in an underscore, and an estimator whose `fit` failed is an estimator that was not
fitted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from numbers import Integral, Real
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, column_or_1d, validate_data

from dtlib.columns import (
    EXACT,
    Column,
    Training,
    check_weight,
    index_of,
    is_nominal,
    kind_of,
    narrowed,
    plain,
    rank,
    read_training,
    to_numbers,
)
from dtlib.fractional import grow_by_ratio
from dtlib.grow import Rules, grow
from dtlib.missing import ANSWERED, MAJORITY, PART, mixture, steps
from dtlib.node import Node
from dtlib.ratio import RatioRules
from dtlib.tree import Tree, surrogate_split
from dtlib.words import say

KEPT = 1 << 20  # cells of training data that a tree keeps unless told otherwise
LARGEST, SMALLEST = 1e150, 1e-100  # of the numbers to be predicted, so that squares are finite and not zero


class TreeEstimator(BaseEstimator):
    """Base class: the estimators say by which rules they grow, and what they predict."""

    tree_: Tree

    def _grow(
        self,
        X: Any,
        targets: Sequence[Column],
        weight: np.ndarray | None,
        rules: Rules | RatioRules,
        keep: bool | None = True,
        case_weight: np.ndarray | None = None,
        loss: np.ndarray | None = None,
        prune: Callable[[Tree], Tree] | None = None,
    ) -> None:
        """Grow the tree, and keep the data for `explain` if told to, or if they are few; prune it."""
        data = self._code(X, targets, weight, case_weight, ordered=rules.nominal != "multiway")
        self._keep(self._plant(data, rules, loss), data, keep, prune)

    def _code(
        self,
        X: Any,
        targets: Sequence[Column],
        weight: np.ndarray | None,
        case_weight: np.ndarray | None = None,
        ordered: bool = True,
    ) -> Training:
        """Code the columns."""
        data = read_training(X, targets, weight, self._single, ordered, self._takes_holes)
        return replace(data, case_weight=case_weight)

    def _plant(self, data: Training, rules: Rules | RatioRules, loss: np.ndarray | None = None) -> Tree:
        """Return the tree that coded data grow."""
        tree = grow_by_ratio(data, rules) if isinstance(rules, RatioRules) else grow(data, rules)
        return self._planted(tree, rules, loss)

    def _planted(self, tree: Tree, rules: Rules | RatioRules, loss: np.ndarray | None) -> Tree:
        """Return a tree that knows how it was grown, and what to do with rows."""
        return replace(
            tree, grown_by=rules, missing=rules.missing, loss=loss, single=self._single,
            unseen=getattr(self, "unseen", "stay"), laplace=bool(getattr(self, "laplace", False)),
        )  # fmt: skip

    def _keep(
        self,
        tree: Tree,
        data: Training,
        keep: bool | None = True,
        prune: Callable[[Tree], Tree] | None = None,
    ) -> None:
        """Be fitted; keep the data for `explain` if told to, or if they are few, also in what is pruned."""
        tree = replace(tree, training=replace(data, order={}) if is_kept(data, keep) else None)
        self.n_outputs_ = len(data.targets)
        self.tree_ = tree if prune is None else prune(tree)

    @property
    def _single(self) -> bool:
        return getattr(self, "precision", "double") == "single"

    @property
    def _takes_holes(self) -> bool:
        """Whether values may be missing."""
        return getattr(self, "missing", "error") != "error"

    def _forget(self) -> None:
        """Be unfitted until the fit is done, whatever interrupts it."""
        for name in [name for name in vars(self) if name.endswith("_") and not name.startswith("_")]:
            delattr(self, name)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self._takes_holes
        return tags

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "tree_")

    def _read(self, X: Any, reset: bool = False) -> pd.DataFrame | np.ndarray:
        """Return X as a frame with names, or as an array of floats, or say what is wrong with it.

        As in scikit-learn, a frame without a single column name of text has no names: it is an array.
        """
        if not isinstance(X, pd.DataFrame) or is_bare(X):
            check_numbers(X)
            finite = "allow-nan" if self._takes_holes else True
            dtypes = [np.float64, np.float32]
            return validate_data(self, X, reset=reset, dtype=dtypes, ensure_all_finite=finite)
        check_names(X)
        if not self._takes_holes:
            check_holes(X)
        return validate_data(self, X, reset=reset, skip_check_array=True)

    def _matrix(self, X: Any) -> np.ndarray:
        """Return X as the tree reads it."""
        check_is_fitted(self)
        X, features = self._read(X), self.tree_.features
        if isinstance(X, pd.DataFrame):
            X = to_numbers(X, features, self._takes_holes)
        else:
            self._check_array(X)
        return narrowed(X) if self._single else X

    def _check_array(self, X: np.ndarray) -> None:
        """Say that the tree asks for names, which an array does not have."""
        names = [feature.name for feature in self.tree_.features if feature.kind != "numeric"]
        if names:
            raise TypeError(f"X is an array of numbers, but the tree has names in {names}: give a DataFrame")

    def apply(self, X: ArrayLike | pd.DataFrame) -> np.ndarray:
        """Return the number of the node in which each row ends.

        A row whose name has no branch (no training row of the node had it) ends at the node that asks for
        it; so does a row in parts at the node that divides it, see `explain`.

        Parameters
        ----------
        X : DataFrame or array of shape (n, d)
            The columns of the training data, in their order.

        Returns
        -------
        int ndarray of shape (n,)
        """
        X = self._matrix(X)
        return self.tree_.apply(X)

    def decision_path(self, X: ArrayLike | pd.DataFrame) -> sparse.csr_matrix:
        """Return which nodes each row visits, up to that of `apply`.

        Parameters
        ----------
        X : DataFrame or array of shape (n, d)
            The columns of the training data, in their order.

        Returns
        -------
        csr_matrix of shape (n, nodes)
            1 where a row visits a node, else 0.
        """
        node = self.apply(X)
        return self.tree_.paths_to(node)

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
            ``node``, ``condition`` (what led here),
            ``counts`` (of the classes; of numbers, ``summary``), ``split`` (what is asked next),
            ``prediction``. If values may be missing, also ``weight`` (the part of the sample that comes here)
            and ``sent_by``: what sent it where a value was missing.

        Examples
        --------
        >>> from dtlib import C45Classifier, ID3Classifier, load_golf, load_loan
        >>> loan = load_loan()
        >>> ID3Classifier().fit(loan.X, loan.y).explain(loan.X.head(1))["condition"].tolist()
        ['', 'owns_house = no', 'has_job = no']
        >>> golf = load_golf()
        >>> c45 = C45Classifier().fit(golf.X, golf.y)
        >>> c45.explain(golf.X.head(1).assign(outlook=None))[["condition", "weight", "sent_by"]].round(3)
                    condition  weight       sent_by
        0                       1.000
        1     outlook = sunny   0.357  part of 5/14
        2  outlook = overcast   0.286  part of 4/14
        3     outlook = rainy   0.357  part of 5/14
        4     humidity > 77.5   0.357
        5       windy = false   0.357
        """
        X = self._matrix(X)
        if len(X) != 1:
            raise ValueError(f"X has {len(X)} rows; give one, e.g. X.iloc[[0]]")
        found = [
            (int(node), float(weight), int(by))
            for at in steps(self.tree_, X, self.tree_.missing)
            for node, weight, by in zip(at.node, at.weight, at.by, strict=True)
        ]
        holes = self.tree_.missing != "error"
        lines = []
        for node, weight, by in sorted(found):
            line = self._line(self.tree_[node])
            lines.append(
                line | ({"weight": weight, "sent_by": say_sent(self.tree_, node, by)} if holes else {})
            )
        return pd.DataFrame(lines)

    def _line(self, node: Node) -> dict[str, Any]:
        return {
            "node": node.id,
            "condition": node.condition,
            "counts" if self.tree_.is_classifier else "summary": node.said,
            "split": "" if node.is_leaf else str(node.split),
            "prediction": node.prediction,
        }


def is_kept(data: Training, keep: bool | None) -> bool:
    """Tell whether a tree keeps its training data: if told to, or if they are few."""
    return data.codes.size <= KEPT if keep is None else bool(keep)


def say_sent(tree: Tree, node: int, by: int) -> str:
    """Say what sent a row, or a part of it, to a node if what was asked above was missing."""
    if by == ANSWERED:
        return ""
    above = int(tree.parent[node])
    if by == MAJORITY:
        return say("larger branch")
    if by == PART:
        below = tree.n[tree.first_child[above] : tree.first_child[above] + tree.children[above]]
        return say("part of {n}/{total}", n=f"{tree.n[node]:.6g}", total=f"{below.sum():.6g}")
    return surrogate_split(tree, by).conditions[node - int(tree.first_child[above])]


class ClassTree(TreeEstimator):
    """Predicts classes."""

    def predict(self, X: ArrayLike | pd.DataFrame) -> np.ndarray:
        """Return the class of each row, the majority of the node in which it ends.

        Of a row in parts, the class with the largest share; with a loss, that which costs least.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n, d)
            The columns of training.

        Returns
        -------
        ndarray of shape (n,) or (n, outputs)
            Of several classes with the same weight, the first in the order of `classes_`.

        Raises
        ------
        ValueError
            If X has other columns than in training, a value is infinite, or one is missing and the tree was
            told to refuse that.
        TypeError
            If a column holds names where it held numbers, or numbers where it held names.
        """
        X = self._matrix(X)
        if self.tree_.missing == "fractional":
            label = self.tree_.labels(mixture(self.tree_, X, self.tree_.value))
        else:
            label = self.tree_.label[self.tree_.apply(X)]
        if self.n_outputs_ == 1:
            return self.classes_[label]
        return np.stack([classes[k] for classes, k in zip(self.classes_, label.T, strict=True)], axis=1)

    def predict_proba(self, X: ArrayLike | pd.DataFrame) -> np.ndarray | list[np.ndarray]:
        """Return the class shares of the node in which each row ends.

        Of a row in parts, their mean over all nodes in which a part ends, weighted by the parts.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n, d)
            As for `predict`.

        Returns
        -------
        ndarray of shape (n, classes)
            In the order of `classes_`; of several outputs, a list of them.
        """
        X = self._matrix(X)
        shares = self.tree_.blocks(mixture(self.tree_, X, self.tree_.value))
        return shares[0] if len(shares) == 1 else shares

    def predict_log_proba(self, X: ArrayLike | pd.DataFrame) -> np.ndarray | list[np.ndarray]:
        """Return the natural logarithms of the class shares, -inf for 0.

        Parameters
        ----------
        X : DataFrame or array of shape (n, d)
            The columns of the training data, in their order.

        Returns
        -------
        ndarray of shape (n, classes), in the order of `classes_`; a list of them for several outputs
        """
        shares = self.predict_proba(X)
        with np.errstate(divide="ignore"):
            return [np.log(p) for p in shares] if isinstance(shares, list) else np.log(shares)


def is_bare(X: pd.DataFrame) -> bool:
    """Tell whether a frame is an array with numbers for column names."""
    unnamed = len(X.columns) > 0 and not any(isinstance(name, str) for name in X.columns)
    return unnamed and not any(is_nominal(X.iloc[:, f]) for f in range(X.shape[1]))


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


def check_holes(X: pd.DataFrame) -> None:
    """Say which columns of names have missing values."""
    holes = [name for name, x in X.items() if kind_of(x) != "numeric" and x.isna().any()]
    if holes:
        raise ValueError(
            f"X has missing values in columns of names: {', '.join(holes)}. Leave the rows out, or make "
            f"'missing' a value of its own with .fillna; C4.5 and CART have a parameter `missing`"
        )


def check_numbers(X: Any) -> None:
    """Say that an array holds no real numbers; scikit-learn says what else is wrong with it."""
    if X is None:
        raise ValueError("X is None; wanted a DataFrame, or an array of numbers, of shape (n, d)")
    if isinstance(X, pd.Series):
        raise ValueError("X is a Series; wanted a DataFrame: X.to_frame(), or of one sample X.to_frame().T")
    if sparse.issparse(X) or np.ndim(X := np.asarray(X)) != 2:
        return
    kind = X.dtype.kind
    if kind == "O" and any(isinstance(x, str | bytes) for x in X.ravel()):
        kind = "U"
    elif kind == "O":
        check_objects(X)
    if kind in "USTmM":
        what = "dates" if kind in "mM" else "text"
        raise TypeError(
            f"X is an array of {what} (type {X.dtype}), wanted numbers; only a pandas DataFrame has columns "
            f"of other kinds: pandas.DataFrame(X, columns=[...]). If an ensemble made this array of a "
            f"DataFrame, put make_pipeline(frame_like(X), tree) into it"
        )
    if kind in "iu" and X.size and max(abs(int(X.min())), abs(int(X.max()))) > EXACT:
        raise ValueError(
            "X holds whole numbers beyond 2**53, not all of which have a float64 of their own: subtract an "
            "offset"
        )


def check_objects(X: np.ndarray) -> None:
    """Say that an array of Python objects holds something else than numbers."""
    try:
        X.astype(float)
    except (TypeError, ValueError) as error:
        raise TypeError(f"X is an array of objects that are not all numbers: {error}") from None


def check_outputs(y: ArrayLike, n: int) -> list[tuple[str, Any]]:
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
    y = y if isinstance(y, pd.DataFrame | pd.Series | pd.Index | pd.Categorical) else as_array(y)
    if y.ndim not in (1, 2) or 0 in y.shape[1:]:
        raise ValueError(f"y has shape {y.shape}; wanted ({n},), or ({n}, outputs) with at least one output")
    if len(y) != n:
        raise ValueError(f"y has {len(y)} entries, but X has {n} rows: give one entry per row")
    if y.ndim == 1 or y.shape[1] == 1:
        y = y.iloc[:, 0] if isinstance(y, pd.DataFrame) else column_or_1d(y, warn=True) if y.ndim == 2 else y
        name = getattr(y, "name", None)
        return [("y" if name is None else str(name), y)]
    if isinstance(y, pd.DataFrame):
        names = [str(name) for name in y.columns]
        if len(set(names)) < len(names):
            raise ValueError(f"y has the columns {names}, of which some have the same name: rename them")
        return [(name, y.iloc[:, k]) for k, name in enumerate(names)]
    return [(f"y{k}", column) for k, column in enumerate(y.T)]


def as_array(y: ArrayLike) -> Any:
    """Return y as an array, or a plain list as a column, whose entries keep their types."""
    if isinstance(y, pd.api.extensions.ExtensionArray):
        return y
    if not isinstance(y, list | tuple):
        return np.asarray(y)
    return pd.Series(list(y)) if np.asarray(y, dtype=object).ndim == 1 else np.asarray(y)


def check_classes(y: Any) -> np.ndarray:
    """Return classes as an array, or say what is wrong with them."""
    y = pd.Series(y)
    if y.isna().any():
        raise ValueError(f"y is missing in {y.isna().sum()} rows: leave those rows out")
    if isinstance(y.dtype, pd.CategoricalDtype):
        y = y.astype(y.cat.categories.dtype)
    y = y.to_numpy(dtype=getattr(y.dtype, "numpy_dtype", None))  # Int64 and boolean become int64 and bool
    y = index_of(plain(y.tolist())).to_numpy() if y.dtype == object else y
    kinds = sorted({type(label).__name__ for label in y.tolist()}) if y.dtype == object else []
    if len(kinds) > 1:
        raise TypeError(f"y mixes classes of types {', '.join(kinds)}: convert them to one type")
    if y.dtype.kind == "f" and not np.isfinite(y).all():
        raise ValueError(f"y holds {y[~np.isfinite(y)][0]}, which is no class: leave such rows out")
    check_classification_targets(y)
    return y


def class_targets(y: ArrayLike, n: int) -> list[Column]:
    """Code the classes of each output."""
    targets = []
    for name, column in check_outputs(y, n):
        classes, codes = np.unique(check_classes(column), return_inverse=True)
        targets.append(Column(name, classes, codes))
    return targets


def number_targets(y: ArrayLike, n: int) -> list[Column]:
    """Rank the numbers of each output."""
    targets = []
    for name, column in check_outputs(y, n):
        x = real_numbers(pd.Series(column))
        largest = x[np.abs(x).argmax()]
        if abs(largest) > LARGEST:
            raise ValueError(f"y holds {largest}; beyond ±{LARGEST:g} squares are infinite: divide y")
        if 0 < abs(largest) < SMALLEST:
            raise ValueError(f"y holds {largest} and nothing larger; such squares are almost 0: multiply y")
        codes, values, _ = rank(x)
        targets.append(Column(name, values, codes, "numeric"))
    return targets


def real_numbers(y: pd.Series) -> np.ndarray:
    """Return numbers as float64, or say why they are none."""
    kind = y.dtype.kind if hasattr(y.dtype, "kind") else "O"
    try:
        if kind in "cmM":
            raise TypeError(f"values of type {y.dtype}")
        x = y.to_numpy(dtype=np.float64, na_value=np.nan)
    except (TypeError, ValueError) as error:
        raise ValueError(f"y holds no real numbers ({error}): convert it, or use a classifier") from None
    if not np.isfinite(x).all():
        row = int(np.flatnonzero(~np.isfinite(x))[0])
        what = "missing (NaN)" if np.isnan(x[row]) else f"{x[row]}"
        raise ValueError(f"y is {what} in row {row} (counted from 0), wanted finite numbers: leave it out")
    return x


def check_number(
    name: str, value: Any, low: float, whole: bool = False, above: bool = False, high: float = np.inf
) -> None:
    """Say that a parameter is no number, or out of its range.

    Examples
    --------
    >>> check_number("max_depth", -1, 0, whole=True)
    Traceback (most recent call last):
    ValueError: max_depth is -1; wanted a whole number of at least 0
    """
    ok = isinstance(value, Integral if whole else Real) and not isinstance(value, bool)
    if not (ok and (value > low if above else value >= low) and value <= high and value < np.inf):
        kind, start = "a whole number" if whole else "a number", "above" if above else "of at least"
        limit = "" if high == np.inf else f" and at most {high}"
        raise ValueError(f"{name} is {value!r}; wanted {kind} {start} {low}{limit}")


def check_choice(name: str, value: Any, choices: Sequence[Any]) -> None:
    """Say that a parameter is none of its choices."""
    value = bool(value) if isinstance(value, np.bool_) else value
    if not any(value is choice or (isinstance(value, str) and value == choice) for choice in choices):
        raise ValueError(f"{name} is {value!r}; wanted one of {', '.join(map(repr, choices))}")


def checked_weight(weight: ArrayLike | None, n: int) -> np.ndarray | None:
    """Return the weights of n rows, a single number for all of them alike."""
    if weight is None:
        return None
    weight = weight if np.ma.isMaskedArray(weight) else np.asarray(weight)
    return check_weight(np.full(n, weight) if weight.ndim == 0 else weight, n)
