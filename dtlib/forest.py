"""Forests: many trees, each grown from rows drawn anew, that predict together (chapter 16).

X is read and its values are sorted once for all trees. A tree of rows drawn with replacement is a tree of
all rows, each with the weight of how often it was drawn.

Examples
--------
>>> drawn(0, np.ones(4, bool)).tolist()
[2.0, 1.0, 0.0, 1.0]
"""

import warnings
from abc import abstractmethod
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import replace
from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
import pandas as pd
from joblib import effective_n_jobs
from numpy.typing import ArrayLike
from sklearn.base import ClassifierMixin, RegressorMixin, clone
from sklearn.metrics import r2_score
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from dtlib.base import FeatureReader
from dtlib.cart import CART, CARTClassifier, CARTRegressor
from dtlib.jit.threads import share_out
from dtlib.numbers import how_many, shown
from dtlib.prune.pruners import FitContext
from dtlib.table.columns import Column, Feature
from dtlib.table.parameters import Declared, Number, check_parameters, check_seed
from dtlib.table.training import Training

SEEDS = np.iinfo(np.int32).max  # seeds of the trees are below this, as in scikit-learn


def drawn(seed: int, counts: np.ndarray) -> np.ndarray:
    """Return how often each row is drawn, with replacement, from those that count, as many as there are."""
    times, rows = np.zeros(len(counts)), np.flatnonzero(counts)
    times[rows] = np.bincount(check_random_state(seed).randint(0, len(rows), len(rows)), minlength=len(rows))
    return times


class Forest(FeatureReader):
    """Base class of the forests."""

    _declared: ClassVar[Declared] = {
        "n_estimators": (Number(1, whole=True),),
        "bootstrap": (True, False),
        "oob_score": (True, False),
        "warm_start": (True, False),
    }
    _kind: type[CART]  # of the trees
    _default: ClassVar[dict[str, Any]] = {"missing": "learned"}  # parameters of the default tree
    estimators_: list[Any]

    def __init__(
        self,
        estimator: CART | None = None,
        n_estimators: int = 100,
        *,
        bootstrap: bool = True,
        oob_score: bool = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        warm_start: bool = False,
    ):
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.bootstrap = bootstrap
        self.oob_score = oob_score
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.warm_start = warm_start

    @abstractmethod
    def _read_all(self, tree: Any, X: Any, y: Any, sample_weight: Any) -> FitContext:
        """Read and check X, y and the weights as a tree does."""

    @abstractmethod
    def _predicted(self, tree: Any, matrix: np.ndarray) -> np.ndarray:
        """Return what a tree predicts, of shape (n, classes) or (n, outputs)."""

    @abstractmethod
    def _judge(self, mean: np.ndarray, seen: np.ndarray, targets: Sequence[Column]) -> None:
        """Set what is known of rows by trees that have not seen them; `seen` tells which rows have such."""

    def _tree(self) -> Any:
        """Return the tree of which each is a copy."""
        return self._kind(**self._default) if self.estimator is None else self.estimator

    @property
    def _features(self) -> tuple[Feature, ...]:
        """The features of the fitted trees."""
        features: tuple[Feature, ...] = self.estimators_[0].tree_.features
        return features

    @property
    def _takes_missing(self) -> bool:
        """Whether missing values are accepted."""
        return bool(getattr(self._tree(), "_takes_missing", False))

    @property
    def _single(self) -> bool:
        """Whether numeric features are rounded to float32."""
        return bool(self._tree()._single)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "estimators_")

    def set_params(self, **params: Any) -> Self:
        """Set parameters of the forest, and of a tree that was given, as in ``estimator__max_depth=3``.

        Parameters
        ----------
        **params
            Names and values.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If there is no such parameter, or no tree was given whose parameter could be set.
        """
        of_tree = [name for name in params if name.startswith("estimator__")]
        if of_tree and params.get("estimator", self.estimator) is None:
            raise ValueError(
                f"estimator is None, so there is no {of_tree[0]} to set; wanted a tree, as in "
                f"{type(self).__name__}({self._tree()!r})"
            )
        return super().set_params(**params)

    def _check(self) -> None:
        """Raise an error if a parameter cannot be used."""
        check_parameters(self, self._declared)
        check_seed(self.random_state)
        if not isinstance(self._tree(), self._kind):
            raise TypeError(f"estimator is {shown(self.estimator)}; wanted a {self._kind.__name__}, or None")
        is_number = isinstance(self.n_jobs, Integral) and not isinstance(self.n_jobs, bool)
        if self.n_jobs is not None and not (is_number and self.n_jobs):
            raise ValueError(
                f"n_jobs is {self.n_jobs!r}; wanted None, or a whole number but 0: -1 is a thread for each "
                f"core"
            )
        if self.oob_score and not self.bootstrap:
            raise ValueError(
                "oob_score is True and bootstrap is False, by which every tree sees all rows: wanted "
                "bootstrap=True, or no oob_score"
            )

    def fit(self, X: ArrayLike | pd.DataFrame, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Grow the trees.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n, d)
            As for the trees: a frame of pandas, polars or pyarrow, or an array of numbers or of objects.
        y : array-like of shape (n,)
            The classes or the targets, nothing missing; for a regressor also of shape (n, outputs).
        sample_weight : array-like of shape (n,), optional
            What each row counts, finite and not negative; default 1. It multiplies the number of times that a
            row was drawn. Rows of weight 0 are not drawn.

        Returns
        -------
        self

        Raises
        ------
        TypeError
            If `estimator` is no tree of this kind, and as in `fit` of the tree.
        ValueError
            If a parameter cannot be used; with `warm_start`, if there are more trees already than
            `n_estimators`, or the table has other columns or classes; and as in `fit` of the tree.
        """
        self._check()
        known = list(getattr(self, "estimators_", ())) if self.warm_start else []
        before = self._features if known else None
        if not known:
            self._forget()
        if len(known) > self.n_estimators:
            raise ValueError(
                f"n_estimators is {self.n_estimators}, and with warm_start there are {len(known)} trees: "
                f"wanted at least as many"
            )
        first = clone(self._tree())
        given = 1.0 if sample_weight is None and self.bootstrap else sample_weight
        job = self._read_all(first, X, y, given)
        shared = job.data()
        if before is not None and not self._goes_on(first, before, shared.features):
            raise ValueError(
                "with warm_start, X or y has other columns, categories or classes than the trees there are: "
                "wanted the same table, or warm_start=False"
            )
        seeds = check_random_state(self.random_state).randint(SEEDS, size=self.n_estimators)[len(known) :]
        grow = grower(first, job, shared, self.bootstrap)
        for name in ("n_features_in_", "n_outputs_", "feature_names_in_", "classes_", "n_classes_"):
            if hasattr(first, name):
                setattr(self, name, getattr(first, name))
        self.n_outputs_ = len(job.targets)
        self.estimators_ = known + share_out(grow, seeds.tolist(), self._threads())
        if self.oob_score:
            self._judge(*self._out_of_bag(self._matrix(X), job), job.targets)
        return self

    def _goes_on(self, first: Any, before: tuple[Feature, ...], features: tuple[Feature, ...]) -> bool:
        """Tell whether a table fits the trees that are there."""
        classes = [getattr(model, "classes_", np.zeros(0)).tolist() for model in (first, self)]
        return before == features and classes[0] == classes[1]

    def _threads(self) -> int:
        """Return the number of threads."""
        return int(effective_n_jobs(self.n_jobs))

    def _out_of_bag(self, matrix: np.ndarray, job: FitContext) -> tuple[np.ndarray, np.ndarray]:
        """Return for each row the mean over the trees that have not seen it, and whether there is one."""
        assert job.weight is not None  # as there is a bootstrap
        total, number = np.zeros((len(matrix), self._width)), np.zeros(len(matrix))
        for tree in self.estimators_:
            outside = drawn(tree.random_state, job.weight > 0) == 0
            found = np.zeros((len(matrix), self._width))
            if outside.any():
                found[outside] = self._predicted(tree, matrix[outside])
            total, number = total + found, number + outside
        if not number.all():
            warnings.warn(
                f"{how_many(int((number == 0).sum()), 'row')} of {len(number)} came into every tree, so that "
                f"no tree tells what is predicted out of bag: grow more trees",
                stacklevel=3,
            )
        with np.errstate(invalid="ignore"):
            return total / number[:, None], number > 0

    def apply(self, X: ArrayLike | pd.DataFrame) -> np.ndarray:
        """Return the leaf of each row in each tree.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n, d)
            The columns of the training data, in their order.

        Returns
        -------
        int ndarray of shape (n, n_estimators)
            Indices of nodes of the trees in `estimators_`.
        """
        check_is_fitted(self)
        matrix = self._matrix(X)
        return np.stack([tree.tree_.apply(matrix) for tree in self.estimators_], axis=1)

    @property
    def _width(self) -> int:
        """The number of columns of a tree's prediction: classes or outputs."""
        return int(getattr(self, "n_classes_", self.n_outputs_))

    def _mean(self, X: ArrayLike | pd.DataFrame) -> np.ndarray:
        """Return the mean of what the trees predict."""
        check_is_fitted(self)
        matrix, threads = self._matrix(X), self._threads()

        def mean_of(part: np.ndarray) -> np.ndarray:
            total = np.zeros((len(part), self._width))
            for tree in self.estimators_:
                total += self._predicted(tree, part)
            return total / len(self.estimators_)

        return np.concatenate(share_out(mean_of, np.array_split(matrix, min(threads, len(matrix))), threads))

    @property
    def feature_importances_(self) -> np.ndarray:
        """Share of each feature in the decrease of impurity, mean over the trees that split, shape (d,)."""
        check_is_fitted(self)
        each = [tree.tree_.importances for tree in self.estimators_ if len(tree.tree_) > 1]
        mean = np.mean(each, axis=0) if each else np.zeros(self.n_features_in_)
        return mean / mean.sum() if mean.sum() else mean


def grower(first: Any, job: FitContext, shared: Training, bootstrap: bool) -> Callable[[int], Any]:
    """Return a function that grows a tree, given its seed, from a table that was read and coded once.

    Parameters
    ----------
    first : CARTClassifier or CARTRegressor
        What the tree is a copy of; it has read the table.
    job : FitContext
    shared : Training
        The table, coded.
    bootstrap : bool
        Whether rows are drawn.
    """
    shared = replace(shared, values=shared.values.coded)

    def code(X: Any, targets: Sequence[Column], weight: Any, case_weight: Any = None) -> Training:
        if X is job.X:
            return replace(shared, weight=weight, case_weight=case_weight)
        coded: Training = first._code(X, targets, weight, case_weight)  # rows are held out
        return coded

    def grow(seed: int) -> Any:
        tree = copy(first)
        tree.random_state = seed
        own = replace(job, random_state=seed, code=code, grower=tree._grower)
        if bootstrap and job.weight is not None:
            times = drawn(seed, job.weight > 0)
            case_weight = None if job.case_weight is None else job.case_weight * times
            own = replace(own, weight=job.weight * times, case_weight=case_weight)
        return tree._fit(own)

    return grow


class ForestClassifier(ClassifierMixin, Forest):
    """Grow a forest of classification trees: a random forest [1]_, or Extra-Trees [2]_.

    Each tree grows from rows that are drawn with replacement, and each of its nodes considers features that
    are drawn (`max_features` of the tree). The forest predicts the class with the largest mean share.

    Parameters
    ----------
    estimator : CARTClassifier, optional
        The tree, with its parameters; each tree of the forest is a copy of it with a seed of its own. What
        it takes, the forest takes: categories, missing values, class weights. Default:
        ``CARTClassifier(max_features="sqrt", missing="learned")``; a tree without `max_features` considers
        all features at each node. With ``splitter="random"`` and ``bootstrap=False`` the forest is one of
        Extra-Trees.
    n_estimators : int of at least 1, default 100
        The number of trees.
    bootstrap : bool, default True
        Whether each tree grows from rows that are drawn: as many as there are, with replacement. Else each
        grows from all rows.
    oob_score : bool, default False
        Whether to predict each row by the trees that have not seen it.
    n_jobs : int, optional
        The number of threads; -1 is one for each core. Default: as joblib is set to use, else one. The forest
        does not depend on it.
    random_state : int, RandomState, optional
        Seed from which the seeds of all trees are drawn. Default: other draws in every fit.
    warm_start : bool, default False
        Whether `fit` keeps the trees that are there, and only adds those that `n_estimators` asks for. With
        a whole number as seed, the forest is the one that would have been grown at once.

    Attributes
    ----------
    estimators_ : list of CARTClassifier
        The fitted trees.
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted.
    n_classes_ : int
        The number of classes.
    n_features_in_ : int
        The number of features.
    n_outputs_ : int
        1.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, if X was a frame whose column labels are strings.
    feature_importances_ : ndarray of shape (n_features_in_,)
        Share of each feature in the decrease of impurity, mean over the trees.
    oob_decision_function_ : ndarray of shape (n, n_classes)
        With `oob_score`: for each row the mean class shares of the trees that have not seen it, NaN if all
        have.
    oob_score_ : float
        With `oob_score`: the share of the rows, of those predicted out of bag, whose class is predicted.

    Notes
    -----
    With ``CARTClassifier.sklearn(max_features=None)`` and the same seed, the rows drawn are those of
    `RandomForestClassifier`, and each tree is equal to its tree where no two splits are equal. With drawn
    features the trees differ, as these are drawn by another generator. Weights of rows multiply the number of
    times that each was drawn; scikit-learn 1.9 and later draws rows by their weights instead. Balanced class
    weights are those of the whole table.

    References
    ----------
    .. [1] L. Breiman, "Random forests", Machine Learning 45 (2001) 5-32.
    .. [2] P. Geurts, D. Ernst, L. Wehenkel, "Extremely randomized trees", Machine Learning 63 (2006) 3-42.

    Examples
    --------
    >>> from dtlib import ForestClassifier
    >>> from dtlib.datasets import load_watermelon
    >>> melons = load_watermelon("3.0")
    >>> forest = ForestClassifier(n_estimators=50, oob_score=True, random_state=0).fit(melons.X, melons.y)
    >>> len(forest.estimators_), forest.predict_proba(melons.X).shape
    (50, (17, 2))
    """

    _kind = CARTClassifier
    _default: ClassVar[dict[str, Any]] = {"max_features": "sqrt", "missing": "learned"}
    classes_: np.ndarray

    def _read_all(self, tree: Any, X: Any, y: Any, sample_weight: Any) -> FitContext:
        """Read and check X, y and the weights as a tree does."""
        if tree.loss is not None:
            raise ValueError(
                "estimator has a loss, by which its leaves decide, and a forest decides by shares: wanted "
                "class_weight"
            )
        job = tree._read_classes(X, y, sample_weight)
        if len(job.targets) > 1:
            raise ValueError(
                f"y has {how_many(len(job.targets), 'output')}; a forest predicts one: grow a forest for each"
            )
        context: FitContext = job
        return context

    def _predicted(self, tree: Any, matrix: np.ndarray) -> np.ndarray:
        """Return the class shares of each row by a tree."""
        shares: np.ndarray = tree._shares(matrix)[0]
        return shares

    def _judge(self, mean: np.ndarray, seen: np.ndarray, targets: Sequence[Column]) -> None:
        """Set the class shares of the rows out of bag, and how many are right."""
        values, codes = np.asarray(targets[0].values), targets[0].codes
        self.oob_decision_function_ = mean
        right = self.classes_[mean[seen].argmax(1)] == values[codes[seen]]
        self.oob_score_ = float(right.mean()) if len(right) else np.nan

    def predict(self, X: ArrayLike | pd.DataFrame) -> np.ndarray:
        """Return the class of each row: the one with the largest mean share, the first of equals.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n, d)
            The columns of the training data, in their order.

        Returns
        -------
        ndarray of shape (n,)

        Raises
        ------
        TypeError, ValueError
            As in `predict` of the tree.
        """
        mean = self._mean(X)
        return self.classes_[mean.argmax(1)]

    def predict_proba(self, X: ArrayLike | pd.DataFrame) -> np.ndarray:
        """Return the class probabilities of each row: the mean of those of the trees.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n, d)
            The columns of the training data, in their order.

        Returns
        -------
        ndarray of shape (n, n_classes), in the order of `classes_`
        """
        return self._mean(X)

    def predict_log_proba(self, X: ArrayLike | pd.DataFrame) -> np.ndarray:
        """Return the natural logarithms of the class probabilities, -inf for 0.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n, d)
            The columns of the training data, in their order.

        Returns
        -------
        ndarray of shape (n, n_classes), in the order of `classes_`
        """
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))


class ForestRegressor(RegressorMixin, Forest):
    """Grow a forest of regression trees: a random forest [1]_, or Extra-Trees [2]_.

    Each tree grows from rows that are drawn with replacement. The forest predicts the mean of its trees.

    Parameters
    ----------
    estimator : CARTRegressor, optional
        The tree, with its parameters; each tree of the forest is a copy of it with a seed of its own. What
        it takes, the forest takes: categories, missing values. Default: ``CARTRegressor(missing="learned")``,
        which considers all features at each node, as in scikit-learn; Breiman's third is
        ``max_features=1/3``. With ``splitter="random"`` and ``bootstrap=False`` the forest is one of
        Extra-Trees.
    n_estimators : int of at least 1, default 100
        The number of trees.
    bootstrap : bool, default True
        Whether each tree grows from rows that are drawn: as many as there are, with replacement. Else each
        grows from all rows.
    oob_score : bool, default False
        Whether to predict each row by the trees that have not seen it.
    n_jobs : int, optional
        The number of threads; -1 is one for each core. Default: as joblib is set to use, else one. The forest
        does not depend on it.
    random_state : int, RandomState, optional
        Seed from which the seeds of all trees are drawn. Default: other draws in every fit.
    warm_start : bool, default False
        Whether `fit` keeps the trees that are there, and only adds those that `n_estimators` asks for. With
        a whole number as seed, the forest is the one that would have been grown at once.

    Attributes
    ----------
    estimators_ : list of CARTRegressor
        The fitted trees.
    n_features_in_ : int
        The number of features.
    n_outputs_ : int
        The number of outputs.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, if X was a frame whose column labels are strings.
    feature_importances_ : ndarray of shape (n_features_in_,)
        Share of each feature in the decrease of impurity, mean over the trees.
    oob_prediction_ : ndarray of shape (n,) or (n, outputs)
        With `oob_score`: for each row the mean prediction of the trees that have not seen it, NaN if all
        have.
    oob_score_ : float
        With `oob_score`: the coefficient of determination of these predictions.

    Notes
    -----
    With ``CARTRegressor.sklearn()`` and the same seed, the rows drawn are those of `RandomForestRegressor`,
    and each tree is equal to its tree where no two splits are equal. Weights: see `ForestClassifier`.

    References
    ----------
    .. [1] L. Breiman, "Random forests", Machine Learning 45 (2001) 5-32.
    .. [2] P. Geurts, D. Ernst, L. Wehenkel, "Extremely randomized trees", Machine Learning 63 (2006) 3-42.

    Examples
    --------
    >>> from dtlib import ForestRegressor
    >>> from dtlib.datasets import load_regression_points
    >>> points = load_regression_points()
    >>> forest = ForestRegressor(n_estimators=50, random_state=0).fit(points.X, points.y)
    >>> forest.predict(points.X).shape
    (10,)
    """

    _kind = CARTRegressor

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags

    def _read_all(self, tree: Any, X: Any, y: Any, sample_weight: Any) -> FitContext:
        """Read and check X, y and the weights as a tree does."""
        context: FitContext = tree._read_numbers(X, y, sample_weight)
        return context

    def _predicted(self, tree: Any, matrix: np.ndarray) -> np.ndarray:
        """Return the means of each row by a tree."""
        means: np.ndarray = tree._means(matrix)
        return means

    def _judge(self, mean: np.ndarray, seen: np.ndarray, targets: Sequence[Column]) -> None:
        """Set the predictions of the rows out of bag, and how good they are."""
        y = np.stack([np.asarray(target.values)[target.codes] for target in targets], axis=1)
        self.oob_prediction_ = mean[:, 0] if self.n_outputs_ == 1 else mean
        self.oob_score_ = float(r2_score(y[seen], mean[seen])) if seen.sum() > 1 else np.nan

    def predict(self, X: ArrayLike | pd.DataFrame) -> np.ndarray:
        """Return the mean of what the trees predict for each row.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n, d)
            The columns of the training data, in their order.

        Returns
        -------
        ndarray of shape (n,) or (n, outputs)

        Raises
        ------
        TypeError, ValueError
            As in `predict` of the tree.
        """
        mean = self._mean(X)
        return mean[:, 0] if self.n_outputs_ == 1 else mean
