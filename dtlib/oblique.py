"""Oblique trees: questions about weighted sums of features (chapter 15)."""

from __future__ import annotations

from dataclasses import replace
from numbers import Integral
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.base import ClassifierMixin
from sklearn.utils import check_random_state

from dtlib.base import KEPT, ClassTree
from dtlib.counting.targets import CLASSIFY
from dtlib.growing.by_plane import grow_oblique
from dtlib.search.hyperplane import Search
from dtlib.search.rules import Rules
from dtlib.table.columns import kind_of
from dtlib.table.parameters import check_choice, check_number
from dtlib.table.reading import class_targets
from dtlib.table.training import Training, read_training
from dtlib.table.weights import checked_weight, weigh_classes

LARGEST = 1e300  # of the features, so that weighted sums are finite


class ObliqueTreeClassifier(ClassifierMixin, ClassTree):
    """Grow a tree that asks for weighted sums of features, with OC1 (Murthy, Kasif and Salzberg, 1994).

    At each node, look for the hyperplane that lowers the impurity most: climb from the best axis-parallel
    split and from random hyperplanes by giving one coefficient after the other its best value, and jump in
    random directions where that gains nothing [1]_. The axis-parallel split, the one that CART would take, is
    asked unless a hyperplane lowers the impurity more; so is it in small nodes.

    Parameters
    ----------
    criterion : {"gini", "entropy", "error"}, default "gini"
        The impurity: Gini index, entropy (bits), or classification error.
    restarts : int of at least 0, default 20
        Random hyperplanes from which to climb, besides the axis-parallel split.
    jumps : int of at least 0, default 5
        A search ends when so many random jumps in a row have gained nothing.
    order : {"sequential", "best", "random"}, default "sequential"
        Which coefficient is changed next: one after the other; the one that gains most; or 50 times one
        drawn at random ("Seq", "Best" and "R-50" in [1]_).
    rows_per_feature : float of at least 0, default 2.0
        A node that weighs less than this times the number of features has an axis-parallel split.
    simplify : bool, default True
        Leave out features and round coefficients as long as the impurity after the split stays the same, and
        the nearest rows of both sides stay at least half as far apart. This is not part of OC1.
    max_depth : int of at least 0, optional
        Number of questions on the longest path; default: no limit.
    min_samples_split : int or float of at least 0, default 0
        A node is split only if it has at least this weight. A float below 1 is a share of all weight.
    min_samples_leaf : int or float of at least 0, default 0
        A split must leave each branch at least this weight. A float below 1 is a share of all weight.
    min_weight_fraction_leaf : float from 0 to 0.5, default 0.0
        The same as a share of all weight.
    min_impurity_decrease : float of at least 0, default 0.0
        A split must lower the impurity by at least this (in its own unit, bits for entropy), times the
        node's share of all weight.
    class_weight : dict, "balanced", optional
        By what the weight of a row is multiplied: a number for each class (1 if it is not named); "balanced"
        gives each class the same total.
    random_state : int, RandomState, optional
        Seed of the random hyperplanes and jumps. Default: others in every fit.
    keep_data : bool, optional
        Whether the tree keeps its training data, which `tree_.explain` needs; default: if they have at most
        2**20 cells.
    verbose : int of at least 0, default 0
        Above 0, print a line for each level while the tree grows.

    Attributes
    ----------
    tree_ : Tree
        The tree: `explain`, `trace`, `rules`, drawing, export. Its `normals` hold the coefficients.
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted.
    n_classes_ : int
        The number of classes.
    n_outputs_ : int
        Always 1.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if X was a frame.
    feature_importances_ : ndarray of shape (n_features_in_,)
        Share of each feature in the decrease of impurity, see `Tree.importances`; all 0 if the tree is one
        leaf.

    Notes
    -----
    Features must be numbers, nothing missing. They are scaled to the same range in each node for the search,
    so their units do not matter much; the questions are in their own units. The largest coefficient is 1.
    The same seed and data give the same tree, in whatever order the rows come; a row of weight 2 is the row
    twice.

    References
    ----------
    .. [1] S. K. Murthy, S. Kasif, S. Salzberg, "A system for induction of oblique decision trees", Journal of
       Artificial Intelligence Research 2 (1994) 1-32.

    Examples
    --------
    >>> import numpy as np
    >>> from dtlib import ObliqueTreeClassifier
    >>> X = pd.DataFrame(np.random.default_rng(0).random((60, 2)), columns=["x", "y"])
    >>> y = np.where(3 * X["x"] + 4 * X["y"] < 3.5, "below", "above")
    >>> print(ObliqueTreeClassifier(random_state=0).fit(X, y).tree_)
    root (above 30, below 30)
    ├── 0.8 x + y ≤ 0.89 (above 0, below 30) → below
    └── 0.8 x + y > 0.89 (above 30, below 0) → above
    """

    def __init__(
        self,
        *,
        criterion: str = "gini",
        restarts: int = 20,
        jumps: int = 5,
        order: str = "sequential",
        rows_per_feature: float = 2.0,
        simplify: bool = True,
        max_depth: int | None = None,
        min_samples_split: float = 0,
        min_samples_leaf: float = 0,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        class_weight: dict | str | None = None,
        random_state: Any = None,
        keep_data: bool | None = None,
        verbose: int = 0,
    ):
        self.criterion = criterion
        self.restarts = restarts
        self.jumps = jumps
        self.order = order
        self.rows_per_feature = rows_per_feature
        self.simplify = simplify
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.min_impurity_decrease = min_impurity_decrease
        self.class_weight = class_weight
        self.random_state = random_state
        self.keep_data = keep_data
        self.verbose = verbose

    def fit(self, X: ArrayLike | pd.DataFrame, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Grow the tree.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n, d)
            Numbers, none missing, none beyond ±1e300.
        y : array-like of shape (n,)
            The classes, nothing missing.
        sample_weight : array-like of shape (n,), optional
            What each row counts, finite and not negative; default 1. A number counts for every row.

        Returns
        -------
        self

        Raises
        ------
        TypeError
            If a column holds names or dates, X is sparse or an array of text, a column name is no text, or
            classes are of several types.
        ValueError
            If there is no row or no column, a value is missing, infinite or too large, lengths differ,
            columns share a name, y holds numbers that are no classes or several outputs, or a parameter or a
            weight cannot be used.
        """
        self._forget()
        self._check_parameters()
        X = self._read(X, reset=True)
        targets = class_targets(y, len(X))
        if len(targets) > 1:
            raise ValueError(f"y has {len(targets)} outputs; an oblique tree predicts one: grow one for each")
        weight = weigh_classes(self.class_weight, targets, checked_weight(sample_weight, len(X)))
        data = read_training(X, targets, weight)
        check_size(data)
        self.classes_ = np.asarray(targets[0].values)
        self.n_classes_, self.n_outputs_ = len(self.classes_), 1
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        search = Search(self.restarts, self.jumps, self.order, self.rows_per_feature, bool(self.simplify))
        tree = grow_oblique(data, self._rules(data, seed), search)
        keep = data.codes.size <= KEPT if self.keep_data is None else self.keep_data
        self.tree_ = replace(tree, training=replace(data, order={}) if keep else None)
        return self

    def _read(self, X: Any, reset: bool = False) -> pd.DataFrame | np.ndarray:
        X = super()._read(X, reset)
        if isinstance(X, pd.DataFrame):
            check_no_names(X)
        return X

    def _rules(self, data: Training, seed: int) -> Rules:
        """Return the rules for this much data."""
        total = data.total_weight
        split, leaf = (
            x if isinstance(x, Integral) or x >= 1 else x * total
            for x in (self.min_samples_split, self.min_samples_leaf)
        )
        leaf = max(leaf, self.min_weight_fraction_leaf * total)
        return Rules(
            criterion=self.criterion, max_depth=self.max_depth, min_split=split, min_leaf=leaf,
            min_decrease=self.min_impurity_decrease, seed=seed, verbose=bool(self.verbose),
        )  # fmt: skip

    def _check_parameters(self) -> None:
        """Say what is wrong with the parameters."""
        check_choice("criterion", self.criterion, tuple(CLASSIFY))
        check_choice("order", self.order, ("sequential", "best", "random"))
        check_choice("simplify", self.simplify, (True, False))
        check_choice("keep_data", self.keep_data, (None, True, False))
        for name in ("restarts", "jumps"):
            check_number(name, getattr(self, name), 0, whole=True)
        for name in ("rows_per_feature", "min_samples_split", "min_samples_leaf", "min_impurity_decrease"):
            check_number(name, getattr(self, name), 0)
        check_number("min_weight_fraction_leaf", self.min_weight_fraction_leaf, 0, high=0.5)
        if self.max_depth is not None:
            check_number("max_depth", self.max_depth, 0, whole=True)
        if not isinstance(self.verbose, bool):
            check_number("verbose", self.verbose, 0, whole=True)


def check_no_names(X: pd.DataFrame) -> None:
    """Say that columns hold names, and what to do with them."""
    names = [name for name in X.columns if kind_of(X[name]) != "numeric"]
    if names:
        raise TypeError(
            f"a weighted sum needs numbers, but these columns hold names: {', '.join(names)}. Make columns "
            "of 0 and 1 of them with pandas.get_dummies(X, columns=[...], dtype=float), or use CARTClassifier"
        )


def check_size(data: Training) -> None:
    """Say that a number is so large that weighted sums may be infinite."""
    for f, values in data.numbers.items():
        largest = values[np.abs(values).argmax()]
        if abs(largest) > LARGEST:
            raise ValueError(
                f"column {data.features[f].name!r} holds {largest}; beyond ±{LARGEST:g} weighted sums are "
                f"infinite: divide it"
            )
