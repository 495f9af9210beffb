"""Base classes of all tree estimators: they read the input, grow the tree and predict with it (chapter 4).

The estimators keep to scikit-learn's conventions: parameters are stored as they come and checked by `fit`,
names of learned attributes end in an underscore, and an estimator whose `fit` failed is not fitted.
"""

import math
import warnings
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from numbers import Integral
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import sparse
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from dtlib.counting.criteria import criterion_of
from dtlib.dialects import C45Dialect, CARTDialect
from dtlib.growing.both_sides import heavier_sides
from dtlib.numbers import how_many
from dtlib.prune.cross_validation import Grow, parts_of
from dtlib.prune.pruners import FitContext, Fitted, Pruning, pruning_of
from dtlib.search.rules import RatioRules, Rules
from dtlib.table.columns import Column, Feature, narrowed
from dtlib.table.feature_names import (
    check_same_names,
    default_names,
    has_default_columns,
    has_text_names,
    is_counted,
    with_feature_names,
)
from dtlib.table.frames import columns_of_objects, holds_text, is_of_objects
from dtlib.table.other_frames import in_pandas
from dtlib.table.parameters import Declared, Parametrized, check_parameters, check_seed
from dtlib.table.reading import (
    check_counts,
    check_no_missing,
    class_targets,
    in_declared_order,
    is_sound,
    number_targets,
    rates,
    read_numbers,
    read_truth,
    said_fault,
)
from dtlib.table.training import KEPT, Training, mostly_single, read_training, to_numbers
from dtlib.table.weights import check_scale, checked_exposure, checked_weight, class_factors
from dtlib.tree.descend import mixture
from dtlib.tree.leaf_shares import LeafShares, shares_setting
from dtlib.tree.tree import Tree

if TYPE_CHECKING:
    from dtlib.telling.why import Explanation

NO_NAMES_GIVEN = "X does not have valid feature names, but {} was fitted with feature names"  # scikit-learn's


ONE_ROW_EACH = (
    "most categories of these columns occur in one row only: {}. They tell the rows of training apart, and "
    "nothing of new rows: leave such columns out, or take out of them what rows share, such as the title in "
    "a name. If they are numbers, make them so: .astype(float)"
)


class FeatureReader(Parametrized):
    """Base class of what is fitted to a table, and reads tables with the same features again."""

    @property
    @abstractmethod
    def _features(self) -> tuple[Feature, ...]:
        """The features of what is fitted."""

    @property
    @abstractmethod
    def _takes_missing(self) -> bool:
        """Whether missing values are accepted."""

    @property
    @abstractmethod
    def _single(self) -> bool:
        """Whether numeric features are rounded to float32."""

    def _forget(self) -> None:
        """Delete the learned attributes, so that an interrupted fit leaves the estimator unfitted."""
        for name in [name for name in vars(self) if name.endswith("_") and not name.startswith("_")]:
            delattr(self, name)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self._takes_missing
        return tags

    def _read(self, X: Any, reset: bool = False) -> pd.DataFrame | np.ndarray:
        """Return X as a frame with the features' names as columns, or as a float array; check it.

        The features of an array have no names, nor those of a frame made from one (`has_default_columns`).
        """
        if is_sound(X) and (reset or self._has_columns(X.shape[1])):
            self.n_features_in_ = X.shape[1]
            return X
        X = in_pandas(X)
        if isinstance(X, pd.DataFrame) and not (has_default_columns(X) and (reset or not self._has_labels)):
            return self._read_frame(X, reset)
        if not reset and self._has_labels:
            warnings.warn(NO_NAMES_GIVEN.format(type(self).__name__), stacklevel=3)
        return self._validated(X, reset)

    def _read_frame(self, X: pd.DataFrame, reset: bool) -> pd.DataFrame:
        """Return a frame whose columns have the names of the features; check it.

        Column labels that are strings are compared by scikit-learn, which keeps no others.
        """
        frame, is_text = with_feature_names(X), has_text_names(X)
        was_text = not reset and hasattr(self, "feature_names_in_")
        if not (reset or was_text) and (self._has_labels or not (is_text or is_counted(X))):
            check_same_names(tuple(frame.columns), self._feature_names)
        self._check_frame(frame, reset)
        if reset and not is_text:
            self.n_features_in_ = X.shape[1]
        elif reset or was_text or not self._has_labels:
            validate_data(self, frame if is_text or was_text else X, reset=reset, skip_check_array=True)
        return frame

    def _check_frame(self, X: pd.DataFrame, reset: bool) -> None:
        """Raise an error if columns of a frame cannot be read."""
        if not self._takes_missing:
            check_no_missing(X, () if reset else self._features)

    @property
    def _feature_names(self) -> tuple[str, ...]:
        """The names of the features."""
        return tuple(feature.name for feature in self._features)

    @property
    def _has_labels(self) -> bool:
        """Whether the training frame had labels that are not strings, which scikit-learn does not keep."""
        names = () if hasattr(self, "feature_names_in_") else self._feature_names
        return names != default_names(len(names))

    def _with_categories(self, X: Any, reset: bool) -> pd.DataFrame | None:
        """Return an array of objects as a frame if it has categorical columns, else None."""
        names = [] if reset else [name for feature in self._features for name in feature.values]
        was_text = any(isinstance(name, str) for name in names)
        return columns_of_objects(X) if holds_text(X) or (was_text and is_of_objects(X)) else None

    def _validated(self, X: Any, reset: bool) -> np.ndarray | pd.DataFrame:
        """Return an array as floats, or as a frame if it has text; raise an error if it cannot be used."""
        if (frame := self._with_categories(X, reset)) is not None:
            self._check_frame(frame, reset)
            validate_data(self, X, reset=reset, skip_check_array=True)
            return frame
        X = read_numbers(X)
        finite = "allow-nan" if self._takes_missing else True
        dtypes = [np.float64, np.float32]
        try:
            with np.errstate(invalid="ignore"):  # of a sum of numbers of 1e308
                return validate_data(self, X, reset=reset, dtype=dtypes, ensure_all_finite=finite)
        except ValueError as error:
            if "contains NaN" not in str(error) and "contains infinity" not in str(error):
                raise
            raise ValueError(said_fault(X, self._takes_missing)) from None

    def _has_columns(self, d: int) -> bool:
        """Tell whether the estimator was fitted to d columns without names."""
        has_names = hasattr(self, "feature_names_in_") or self._has_labels
        return not has_names and getattr(self, "n_features_in_", -1) == d

    def _matrix(self, X: Any) -> np.ndarray:
        """Return X as the array of numbers and codes that the tree routes by."""
        check_is_fitted(self)
        X, features = self._read(X), self._features
        if isinstance(X, pd.DataFrame):
            X = to_numbers(X, features, self._takes_missing)
        else:
            self._check_array(X)
        return narrowed(X) if self._single else X

    def _check_array(self, X: np.ndarray) -> None:
        """Raise an error if a feature of the tree is categorical, as an array has numeric features only."""
        names = [feature.name for feature in self._features if feature.kind != "numeric"]
        if names:
            raise TypeError(
                f"X is a numeric array, but features {names} of the tree are categorical: pass a DataFrame"
            )


class TreeEstimator(FeatureReader):
    """Base class of the estimators, which add the rules of growing and the prediction."""

    #: The values that the parameters may have.
    _declared: ClassVar[Declared] = {}
    #: Whether the order of ordered categories counts.
    _ordered = True
    #: Defaults for estimators without such a parameter.
    prune: str | Pruning | None = None
    random_state: Any = None
    keep_data: bool | None = None
    max_features: int | float | str | None = None
    leaf_shares: str | LeafShares = "frequency"
    tree_: Tree

    def set_params(self, **parameters: Any) -> Self:
        """Set parameters, also nested ones such as ``prune__folds``, as in scikit-learn."""
        for name in parameters:
            head, nested, setting = name.partition("__")
            holder = parameters.get(head, getattr(self, head, self))
            if nested and isinstance(holder, str | None):
                raise ValueError(
                    f"{head} is {holder!r}, which has no setting {setting!r}: give an object that has"
                )
        return super().set_params(**parameters)

    @abstractmethod
    def _grower(self, job: FitContext) -> Grow:
        """Return a function that grows a tree from training data, or one from each of several subsets."""

    def _pruning_method(self) -> Pruning:
        """Return the pruning method."""
        return pruning_of(self.prune)

    def _check(self) -> None:
        """Raise an error if a parameter cannot be used."""
        check_parameters(self, self._declared)
        check_seed(self.random_state)

    def _context(
        self,
        X: pd.DataFrame | np.ndarray,
        targets: Sequence[Column],
        weight: np.ndarray | None,
        case_weight: np.ndarray | None = None,
        loss: np.ndarray | None = None,
    ) -> FitContext:
        """Return columns that were read, with the functions that grow trees from them."""
        return FitContext(
            X, targets, weight, case_weight, loss, self.random_state, self._code, self._grower,
            self._values_of,
        )  # fmt: skip

    def _fit(self, job: FitContext) -> Self:
        """Grow the tree, and prune it; learned attributes are set only then."""
        return self._learned(self._pruning_method().fit_pruned(job))

    def _learned(self, fitted: Fitted) -> Self:
        """Set the learned attributes."""
        for name, value in fitted.known.items():
            setattr(self, name, value)
        self.n_outputs_ = len(fitted.tree.outputs)
        drawn = features_drawn(self.max_features, self.n_features_in_)
        self.max_features_ = self.n_features_in_ if drawn is None else drawn
        self.tree_ = fitted.tree
        return self

    def _code(
        self,
        X: pd.DataFrame | np.ndarray,
        targets: Sequence[Column],
        weight: np.ndarray | None,
        case_weight: np.ndarray | None = None,
    ) -> Training:
        """Read the columns."""
        data = read_training(
            X, targets, weight, self._single, self._ordered, self._takes_missing, case_weight
        )
        if names := mostly_single(data):
            warnings.warn(ONE_ROW_EACH.format(", ".join(names)), stacklevel=3)
        return data

    def _planted(
        self, tree: Tree, rules: Rules | RatioRules, data: Training, job: FitContext | None = None
    ) -> Tree:
        """Return the tree with its rules, settings and sides, and its training data unless they are large."""
        is_kept = math.prod(data.shape) <= KEPT if self.keep_data is None else self.keep_data
        kept = replace(data, values=data.values.kept()) if is_kept else None
        lacks_sides = rules.missing == "learned" and tree.surrogates is None  # no value was missing
        return replace(
            tree, grown_by=rules, training=kept, loss=None if job is None else job.loss,
            missing=rules.missing, saw_missing=saw_missing(tree, data, rules), single=self._single,
            unseen=self._unseen, leaf_shares=shares_setting(self.leaf_shares),
            class_factors=self._factors(job), **(heavier_sides(tree) if lacks_sides else {}),
        )  # fmt: skip

    def _factors(self, job: FitContext | None) -> np.ndarray | None:
        """Return the factor of each class's weights, if `leaf_shares` undoes it, else None."""
        if job is None or not shares_setting(self.leaf_shares).undo_weights:
            return None
        if job.loss is None and getattr(self, "class_weight", None) is None:
            return None
        return class_factors(job.targets, job.case_weight, job.weight)

    @property
    def _dialect(self) -> CARTDialect | C45Dialect | None:
        """The settings of the dialect; None if the estimator has no dialects."""
        return None

    @property
    def _single(self) -> bool:
        """Whether numeric features are rounded to float32."""
        dialect = self._dialect
        return dialect is not None and dialect.precision == "single"

    @property
    def _unseen(self) -> str:
        """How a category without a branch is treated: "stay" or "missing"."""
        dialect = self._dialect
        return "stay" if dialect is None else dialect.unseen

    @property
    def _values_of(self) -> str:
        """If rows are held out: whether the values of features are read from the other rows, or from all."""
        return "grown"

    @property
    def _takes_missing(self) -> bool:
        """Whether missing values are accepted."""
        return getattr(self, "missing", "error") != "error"

    @property
    def _features(self) -> tuple[Feature, ...]:
        """The features of the fitted tree."""
        return self.tree_.features

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "tree_")

    def apply(self, X: ArrayLike | pd.DataFrame) -> np.ndarray:
        """Return the index of the node in which each row ends.

        A row with a category that has no branch (no training row of the node had it) ends at the node that
        splits on the feature; a row that is divided into fractional instances, at the node that divides it,
        see `explain`.

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
        """Return which nodes each row visits, up to the node that `apply` returns.

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
        return self.tree_._paths_to(node)

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

    def explain(self, X: ArrayLike | pd.DataFrame) -> "Explanation":
        """Follow one sample down the tree.

        Parameters
        ----------
        X : DataFrame or array of one row

        Returns
        -------
        Explanation, a DataFrame with one row per node on the path
            ``node``, ``condition`` (of the branch that led here), ``counts`` (of the classes; for regression,
            ``summary``), ``split`` (of this node), ``prediction``. If the tree accepts missing values, also
            ``weight`` (the fraction of the sample that comes here) and ``sent_by`` (how the sample came here
            if its value was missing). Its attribute `why` says which values suffice for the answer, and which
            change turns it: see `dtlib.telling.why.Why`.

        Examples
        --------
        >>> from dtlib import C45Classifier, ID3Classifier
        >>> from dtlib.datasets import load_golf, load_loan
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
        >>> c45.explain(golf.X.head(1)).why
        outlook = sunny and humidity = 85 suffice for the answer no.
        With outlook in {overcast, rainy}, the answer would be yes.
        With humidity ≤ 77.5, the answer would be yes.
        """
        from dtlib.telling.text import path_of  # only who asks for an explanation waits for what tells it
        from dtlib.telling.why import Explanation, Why

        X = self._matrix(X)
        if len(X) != 1:
            raise ValueError(f"X has {how_many(len(X), 'row')}; give one, e.g. X.head(1)")
        return Explanation(path_of(self.tree_, X), Why(self.tree_, X[0].astype(float)))

    def to_sklearn(self, missing: str | None = None, unseen: str | None = None) -> Any:
        """Return the tree as a fitted estimator of scikit-learn, for tools that need one.

        Parameters
        ----------
        missing : {None, "majority"}
            Where rows go whose value is missing: None as here; "majority" to the branch with the largest
            weight, for surrogate splits and fractional instances, which scikit-learn does not have.
        unseen : {None, "missing"}
            How categories are treated that training did not show: with None they are refused, if the tree
            routes them in another way than missing values; with "missing" they are missing values.

        Returns
        -------
        DecisionTreeClassifier, DecisionTreeRegressor or Pipeline
            Fitted, with the classes and the names of the features. A pipeline of an encoder, "columns", and
            the tree, "tree", if there are categorical features. Of its parameters only `criterion` is set:
            what has made the tree is known here, see `get_params`.

        Raises
        ------
        NotFittedError
            If the estimator is not fitted.
        ValueError
            If scikit-learn's trees cannot predict alike, see `dtlib.export.to_sklearn`.

        See Also
        --------
        dtlib.export.to_sklearn : Details on categories, rounding, missing values and class shares.
        dtlib.Tree.from_sklearn : The way back.

        Examples
        --------
        >>> from sklearn.tree import export_text
        >>> from dtlib import CARTClassifier
        >>> from dtlib.datasets import load_watermelon
        >>> melons = load_watermelon("3.0")
        >>> cart = CARTClassifier(max_depth=1).fit(melons.X, melons.y)
        >>> model = cart.to_sklearn()
        >>> bool((model.predict(melons.X) == cart.predict(melons.X)).all())
        True
        >>> print(export_text(model["tree"], feature_names=list(model["tree"].feature_names_in_)))
        |--- texture <= 0.50
        |   |--- class: yes
        |--- texture >  0.50
        |   |--- class: no
        <BLANKLINE>
        """
        check_is_fitted(self)
        from dtlib.export import to_sklearn  # loads ensembles and pipelines, which fitting does not need

        return to_sklearn(self, missing, unseen)


def saw_missing(tree: Tree, data: Training, rules: Rules | RatioRules) -> bool:
    """Tell whether a feature on which the tree splits had missing values in training."""
    if rules.missing == "error" or not data.values.has_missing_values:
        return False
    tested = np.unique(tree.feature[tree.feature >= 0])
    return bool((data.codes[tested] < 0).any())


def in_all(amount: float, total: float) -> float:
    """Return an amount as a weight: a float below 1 is a share of the total.

    Examples
    --------
    >>> in_all(5, 150), in_all(0.1, 150), in_all(0, 150)
    (5, 15.0, 0)
    """
    return amount if isinstance(amount, Integral) or amount >= 1 else amount * total


def features_drawn(max_features: int | float | str | None, d: int) -> int | None:
    """Return the number of features, out of d, that a node considers; None for all.

    Examples
    --------
    >>> [features_drawn(k, 9) for k in (2, 0.5, "sqrt", "log2", None)]
    [2, 4, 3, 3, None]
    """
    if max_features is None:
        return None
    if isinstance(max_features, str):
        return max(1, int({"sqrt": np.sqrt, "log2": np.log2}[max_features](d)))
    return int(max_features) if isinstance(max_features, Integral) else max(1, int(max_features * d))


class ClassTree(ClassifierMixin, TreeEstimator):
    """Base class of the classifiers."""

    def predict(self, X: ArrayLike | pd.DataFrame) -> np.ndarray:
        """Return the class of each row: the one with the largest share in the node in which the row ends.

        For a row divided into fractional instances, it is the class with the largest share over all of them;
        with a loss, the class that costs least.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n, d)
            The columns of the training data, in their order.

        Returns
        -------
        ndarray of shape (n,) or (n, outputs)
            Among classes with the same share, the first in the order of `classes_`; with a dialect of
            ``class_order="declared"``, the first in the order that a categorical y declares.

        Raises
        ------
        ValueError
            If X has other columns than in training, a value is infinite, or a value is missing and
            ``missing="error"``.
        TypeError
            If a column is categorical that was numeric in training, or numeric that was categorical.
        """
        X = self._matrix(X)
        if self.tree_.missing == "fractional":
            label = self.tree_.labels(mixture(self.tree_, X, self.tree_.value))
        else:
            label = self.tree_.label[self.tree_.apply(X)]
        classes = self._tree_classes()
        if self.n_outputs_ == 1:
            return classes[0][label]
        return np.stack([values[k] for values, k in zip(classes, label.T, strict=True)], axis=1)

    def _tree_classes(self) -> list[np.ndarray]:
        """Return the classes of each output in the order of the tree, which is y's in some dialects."""
        classes = self.classes_ if isinstance(self.classes_, list) else [self.classes_]
        orders = self.tree_.class_orders
        return [x if k is None else x[np.argsort(k)] for x, k in zip(classes, orders, strict=True)]

    def predict_proba(self, X: ArrayLike | pd.DataFrame) -> np.ndarray | list[np.ndarray]:
        """Return the class probabilities of each row: the class shares of the node in which it ends.

        `leaf_shares` sets how they are estimated. For a row divided into fractional instances, they are the
        mean over the nodes in which these end, weighted by the fractions.

        A categorical y declares its classes, as a factor of R and a file of Weka do: each has a column. A
        class without rows has the share 0, unless `leaf_shares` smooths the shares, as Laplace's correction
        does. It changes no split, except with a preset, if it does in that program.
        ``y.cat.remove_unused_categories()`` leaves such classes out.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n, d)
            As for `predict`.

        Returns
        -------
        ndarray of shape (n, classes)
            In the order of `classes_`; for several outputs, a list with an array for each.
        """
        shares = self._shares(self._matrix(X))
        return shares[0] if len(shares) == 1 else shares

    def _shares(self, matrix: np.ndarray) -> list[np.ndarray]:
        """Return the class shares of each output, given what `_matrix` returns."""
        shares = self.tree_._blocks(mixture(self.tree_, matrix, self.tree_.value))
        orders = self.tree_.class_orders
        return [p if k is None else p[:, k] for p, k in zip(shares, orders, strict=True)]

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

    def score(
        self, X: ArrayLike | pd.DataFrame, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> float:
        """Return the accuracy: the share of the rows, by weight, whose class is predicted.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n, d)
            As for `predict`.
        y : array-like of shape (n,)
            The true classes, nothing missing.
        sample_weight : array-like of shape (n,), optional
            What each row counts; default 1.

        Returns
        -------
        float

        Raises
        ------
        ValueError
            If y has several outputs, a class is missing, or a weight cannot be used; and as in `predict`.

        Examples
        --------
        >>> from dtlib import ID3Classifier
        >>> from dtlib.datasets import load_loan
        >>> loan = load_loan()
        >>> ID3Classifier().fit(loan.X, loan.y).score(loan.X, loan.y)
        1.0
        """
        y, weight = read_truth(y, sample_weight)
        return float(super().score(X, y, weight))


class NumberTree(RegressorMixin, TreeEstimator):
    """Base class of the regressors."""

    def _read_numbers(
        self,
        X: ArrayLike | pd.DataFrame,
        y: ArrayLike,
        sample_weight: ArrayLike | None,
        exposure: ArrayLike | None = None,
    ) -> FitContext:
        """Read and check everything."""
        self._forget()
        self._check()
        X = self._read(X, reset=True)
        targets, case_weight = number_targets(y, len(X)), checked_weight(sample_weight, len(X))
        weight, counts = case_weight, criterion_of(getattr(self, "criterion", "squared_error"))
        if exposure is not None:
            if counts.measured != "rates":
                raise ValueError("exposure is given, but only criterion='poisson' has one: wanted None")
            time = checked_exposure(exposure, len(X))
            targets, case_weight = rates(targets, time), np.ones(len(X)) if weight is None else weight
            weight = case_weight * time
        else:
            case_weight = None
        if counts.measured == "rates":
            check_counts(targets, weight)
        check_scale(targets, weight)
        return self._context(X, targets, weight, case_weight)

    def predict(self, X: ArrayLike | pd.DataFrame) -> np.ndarray:
        """Return the mean (for absolute error the median) of the node in which each row ends.

        By Poisson deviance it is the rate: events per unit of exposure.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n, d)
            The columns of the training data, in their order.

        Returns
        -------
        ndarray of shape (n,) or (n, outputs)

        Raises
        ------
        ValueError
            If X has other columns than in training, a value is infinite, or a value is missing and
            ``missing="error"``.
        TypeError
            If a column is categorical that was numeric in training, or numeric that was categorical.
        """
        value = self._means(self._matrix(X))
        return value[:, 0] if self.n_outputs_ == 1 else value

    def _means(self, matrix: np.ndarray) -> np.ndarray:
        """Return the means of each output, given what `_matrix` returns."""
        return mixture(self.tree_, matrix, self.tree_.value)

    def score(
        self, X: ArrayLike | pd.DataFrame, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> float:
        """Return the coefficient of determination: 1 less the ratio of the squared error to that of the mean.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n, d)
            As for `predict`.
        y : array-like of shape (n,) or (n, outputs)
            The true targets, nothing missing; for several outputs, the mean of their scores is returned.
        sample_weight : array-like of shape (n,), optional
            What each row counts; default 1.

        Returns
        -------
        float
            At most 1; below 0 if predicting the mean of y has a smaller error.

        Raises
        ------
        ValueError
            If a target is missing, or a weight cannot be used; and as in `predict`.

        Examples
        --------
        >>> from dtlib import CARTRegressor
        >>> from dtlib.datasets import load_regression_points
        >>> points = load_regression_points()
        >>> CARTRegressor().fit(points.X, points.y).score(points.X, points.y)
        1.0
        """
        y, weight = read_truth(y, sample_weight)
        return float(super().score(X, y, weight))


class QuinlanTree(TreeEstimator):
    """Base class of ID3 and C4.5: rows of weight 0 are left out, and the order of categories is ignored."""

    _ordered = False

    @abstractmethod
    def _grow(self, data: Training) -> Tree:
        """Grow a tree from training data."""

    def _grower(self, job: FitContext) -> Grow:
        """Return a function that grows a tree from training data, or one from each of several subsets."""
        return lambda data, parts=None: [self._grow(part) for part in parts_of(data, parts)]

    def _code(
        self,
        X: pd.DataFrame | np.ndarray,
        targets: Sequence[Column],
        weight: np.ndarray | None,
        case_weight: np.ndarray | None = None,
    ) -> Training:
        """Read the columns of the rows whose weight is not 0."""
        if weight is not None and not weight.all():
            rows = np.flatnonzero(weight)
            X = X.iloc[rows] if isinstance(X, pd.DataFrame) else X[rows]
            targets = [replace(target, codes=target.codes[rows]) for target in targets]
            weight = weight[rows]
        return super()._code(X, targets, weight, case_weight)


class QuinlanClassTree(QuinlanTree, ClassTree):
    """Base class of the classifiers of ID3 and C4.5, which predict one output."""

    @property
    def _class_order(self) -> str:
        """The order of the classes in the tree, see `C45Dialect`."""
        return "sorted"

    def _fit_classes(
        self, X: ArrayLike | pd.DataFrame, y: ArrayLike, sample_weight: ArrayLike | None
    ) -> Self:
        """Read and check everything, grow the tree and prune it."""
        self._forget()
        self._check()
        X = self._read(X, reset=True)
        target, *more = class_targets(y, len(X))
        if more:
            name = type(self).__name__.removesuffix("Classifier").replace("C45", "C4.5")
            outputs = how_many(len(more) + 1, "output")
            raise ValueError(f"y has {outputs}; {name} predicts one: grow a tree for each")
        codes, weight = target.codes, checked_weight(sample_weight, len(X))
        kept = used = np.unique(codes if weight is None else codes[weight > 0])
        if target.declared is not None:
            kept = np.arange(len(target.values))
        codes = np.searchsorted(kept[:-1], codes)  # a row that does not count may get any class
        self.classes_ = np.asarray(target.values)[kept]
        self.n_classes_ = len(kept)
        unused = tuple(np.setdiff1d(kept, used).tolist())
        column = replace(target, name="class", values=self.classes_, codes=codes, unused=unused)
        if self._class_order == "declared":
            column = in_declared_order(column)
        return self._fit(self._context(X, [column], weight))
