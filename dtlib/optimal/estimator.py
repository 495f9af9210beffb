"""Optimal trees: one that costs least among all trees of the same splits and depth, with the proof."""

import time
from typing import ClassVar, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dtlib.base import ClassTree, in_all
from dtlib.optimal.by_proof import grow_best, loss_of, paid_for
from dtlib.prune.pruners import FitContext, Fitted
from dtlib.search.listed import SearchSettings
from dtlib.table.parameters import Declared, Number, python_number
from dtlib.table.reading import class_targets
from dtlib.table.training import Training
from dtlib.table.weights import Prior, checked_weight, weigh_classes, with_costs
from dtlib.tree.leaf_shares import ESTIMATES, LeafShares
from dtlib.tree.tree import Tree

DEEPEST = 30  # levels; the time grows with a power of them


class OptimalTreeClassifier(ClassTree):
    """Find the tree with the fewest errors among all trees up to a depth, and prove that none is better.

    The cost of a tree is the share of the training rows that it misclassifies, plus `ccp_alpha` for each of
    its leaves. CART takes the best split of each node and never revises one; here all trees of the splits
    below are considered, most of them by lower bounds on their cost: by dynamic programming over the sets of
    rows that may come to a node [1]_ [2]_, with counts of pairs for two levels at once [3]_.

    Splits are the thresholds of numeric features and of ordered categories, and divisions of categories into
    two groups. For a feature with up to 10 categories, all divisions are splits, so no tree of
    `CARTClassifier` of the same depth costs less. For a feature with more, each split is one category against
    the rest, and a tree with other groups may cost less: `nominal_` says which features these are. Among
    several best trees, the one with the fewest leaves is returned; among these, the one that splits on the
    first column with the lowest threshold or the smallest group (among groups of the same size, the one with
    the first categories). If `time_limit` ends the search, `is_optimal_` and `is_smallest_` say how much of
    this is proved.

    Parameters
    ----------
    max_depth : int from 0 to 30, default 2
        Maximum depth of the tree. The time grows with about the number of different splits to this power.
        With Numba, depth 2 takes seconds for all thresholds of some hundred rows (with NumPy alone, ten times
        as long); depths 3 and 4 need few thresholds, or few categories.
    nominal : {"subset", "one_vs_rest"}, default "subset"
        How the categories of a nominal feature are divided, as in `CARTClassifier`: in all ways into two
        groups, if there are up to 10 of them (511 splits, all of which CART tries, too, for any number of
        classes); or into one and the rest, which gives one split for each category.
    ccp_alpha : float of at least 0, default 0.0
        Complexity penalty of a leaf, as a share of all weight, as in `CARTClassifier`: a split must lower the
        share of errors by more than this.
    min_samples_leaf : int or float of at least 0, default 0
        A leaf must have at least this weight. A float below 1 is a share of all weight. Weights are taken
        without the loss here, while `CARTClassifier` alters them by the loss first: with a loss, a split may
        be allowed in one estimator and not in the other.
    min_weight_fraction_leaf : float from 0 to 0.5, default 0.0
        A leaf must have at least this share of all weight.
    max_thresholds : int of at least 1, optional
        Consider only this number of thresholds of each numeric or ordered feature: those that come nearest to
        dividing the weight into equal shares. The tree is then the best one with these thresholds. Default:
        all, halfway between two values.
    time_limit : float of at least 0, optional
        Seconds after which the search ends, counted from the call of `fit`. The tree is then the best one
        found so far, and `lower_bound_` is a weak bound on the cost of any tree (see `gap_`). The search
        begins with the trees that `CARTClassifier` grows by each impurity from the same splits, so none of
        them costs less, however short the time; with more time, no worse tree is found. How much is found in
        a given time depends on the machine. Listing the splits, growing these trees and describing the tree
        that is found are done whatever the limit; they take a tenth of a second for some thousand rows.
        Default: no limit.
    class_weight : dict, "balanced" or Prior, optional
        Factors for the weights of rows: one for each class (1 if a class is not in the dict); "balanced"
        gives each class the same total (rows are counted for that, whatever they weigh); `dtlib.Prior` gives
        each class its share of all weight.
    loss : DataFrame or array-like of shape (n_classes, n_classes), optional
        ``loss[i, j]`` is the cost of predicting class j for a row of class i; 0 on the diagonal. A DataFrame
        has the classes as index and as columns; an array has them in the order of `classes_`, and is refused
        if a categorical y declares another order. The cost of a tree is the mean over the rows. Default:
        every error costs 1.
    leaf_shares : {"frequency", "laplace", "m_estimate", "m_branch"} or LeafShares, default "frequency"
        How class probabilities are estimated at a leaf, for `predict_proba` and the exports: by relative
        frequencies, or by estimates that are smoothed where rows are few, see `dtlib.LeafShares`, which can
        also undo `class_weight` and `loss`. The splits do not depend on it.
    keep_data : bool, optional
        Whether the tree keeps its training data, which `tree_.explain` needs; default: if they have at most
        2**20 cells.

    Attributes
    ----------
    tree_ : Tree
        The tree: `explain`, `trace`, `rules`, drawing, export.
    objective_ : float
        Cost of the tree: the weight of its errors on the training rows (with a loss, their cost) as a share
        of all weight, plus `ccp_alpha` for each leaf.
    lower_bound_ : float
        No tree of these splits, up to `max_depth`, costs less than this.
    gap_ : float
        `objective_` less `lower_bound_`, 0 if the tree is optimal. If `time_limit` ends the search, the bound
        is little more than the errors that no split can avoid, plus `ccp_alpha` for two leaves: it rises only
        when every split of the root has been tried. So the gap measures how much is not proved, not how far
        the best tree is.
    is_optimal_ : bool
        Whether it is proved that no tree of these splits, up to `max_depth`, costs less. Others may cost the
        same.
    is_smallest_ : bool
        Whether it is also proved that no tree of the same cost has fewer leaves. Without `time_limit`, both
        are proved, unless rounding is too coarse (see Notes).
    nominal_ : dict
        How the categories of each nominal feature were divided: in all ways into two groups ("subset"), or
        into one and the rest ("one_vs_rest").
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted; for a categorical y all its categories, see `predict_proba`.
    n_classes_ : int
        The number of classes.
    n_outputs_ : int
        Always 1.
    n_features_in_ : int
        The number of features.
    max_features_ : int
        The number of features that a node considers: always all.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, if X was a frame whose column labels are strings.
    feature_importances_ : ndarray of shape (n_features_in_,)
        Share of each feature in the total decrease of the classification error; all 0 if there is none.

    Notes
    -----
    Missing values are refused. For the search, weights, costs and `ccp_alpha` are rounded to multiples of a
    power of two, the finest whose sums are exact. `objective_` is the cost of the tree without this rounding.
    If rounding may change the cost by more than a millionth, as it does if one cost is 1e14 times another,
    `lower_bound_` and `gap_` include that error, and `is_optimal_` and `is_smallest_` are False. A row of
    weight 2 is the row twice. With Numba the same tree is found, faster.

    References
    ----------
    .. [1] S. Nijssen, E. Fromont, "Mining optimal decision trees from itemset lattices", KDD 2007, 530-539.
    .. [2] G. Aglin, S. Nijssen, P. Schaus, "Learning optimal decision trees using caching branch-and-bound
       search", AAAI 2020, 3146-3153.
    .. [3] E. Demirović et al., "MurTree: optimal decision trees via dynamic programming and search", Journal
       of Machine Learning Research 23 (2022), 26; J. van der Linden, M. de Weerdt, E. Demirović, "Necessary
       and sufficient conditions for optimal decision trees using dynamic programming", NeurIPS 2023.

    Examples
    --------
    CART finds no split that lowers the impurity of this table, but a tree of depth 2 classifies every row:

    >>> import pandas as pd
    >>> from dtlib import CARTClassifier, OptimalTreeClassifier
    >>> X = pd.DataFrame({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1]})
    >>> y = ["even", "odd", "odd", "even"]
    >>> CARTClassifier().fit(X, y).get_n_leaves()
    1
    >>> best = OptimalTreeClassifier().fit(X, y)
    >>> print(best.tree_)
    root (even 2, odd 2)
    ├── a ≤ 0.5 (even 1, odd 1)
    │   ├── b ≤ 0.5 (even 1, odd 0) → even
    │   └── b > 0.5 (even 0, odd 1) → odd
    └── a > 0.5 (even 1, odd 1)
        ├── b ≤ 0.5 (even 0, odd 1) → odd
        └── b > 0.5 (even 1, odd 0) → even
    >>> best.objective_, best.is_optimal_, best.is_smallest_
    (0.0, True, True)

    One split divides the categories into two groups:

    >>> X = pd.DataFrame({"color": ["blue", "green", "red", "yellow"]})
    >>> best = OptimalTreeClassifier(max_depth=1).fit(X, ["cold", "cold", "warm", "warm"])
    >>> print(best.tree_.root.split)
    color in {blue, green}?
    >>> best.objective_, best.is_optimal_, best.nominal_
    (0.0, True, {'color': 'subset'})
    """

    _declared: ClassVar[Declared] = {
        "max_depth": (Number(0, whole=True, high=DEEPEST),),
        "nominal": ("subset", "one_vs_rest"),
        "ccp_alpha": (Number(0),),
        "min_samples_leaf": (Number(0),),
        "min_weight_fraction_leaf": (Number(0, high=0.5),),
        "max_thresholds": (None, Number(1, whole=True)),
        "time_limit": (None, Number(0)),
        "leaf_shares": (*ESTIMATES, LeafShares),
        "keep_data": (None, True, False),
    }

    def __init__(
        self,
        *,
        max_depth: int = 2,
        nominal: str = "subset",
        ccp_alpha: float = 0.0,
        min_samples_leaf: float = 0,
        min_weight_fraction_leaf: float = 0.0,
        max_thresholds: int | None = None,
        time_limit: float | None = None,
        class_weight: dict | str | Prior | None = None,
        loss: pd.DataFrame | ArrayLike | None = None,
        leaf_shares: str | LeafShares = "frequency",
        keep_data: bool | None = None,
    ):
        self.max_depth = max_depth
        self.nominal = nominal
        self.ccp_alpha = ccp_alpha
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_thresholds = max_thresholds
        self.time_limit = time_limit
        self.class_weight = class_weight
        self.loss = loss
        self.leaf_shares = leaf_shares
        self.keep_data = keep_data

    def fit(self, X: ArrayLike | pd.DataFrame, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Find the tree.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n, d)
            A frame of pandas, polars or pyarrow, or an array of numbers or of objects; nothing
            missing.
        y : array-like of shape (n,)
            The classes, nothing missing.
        sample_weight : array-like of shape (n,), optional
            What each row counts, finite and not negative; default 1. A scalar is the weight of every row.

        Returns
        -------
        self

        Raises
        ------
        TypeError
            If a column is neither categorical nor numeric (dates, say), or mixes types; if X is sparse, or an
            array of type text; if only some column labels are strings, or classes are of several types.
        ValueError
            If there is no row or no column, a value is missing or infinite, lengths differ, columns share a
            name, y is continuous or has several outputs, a parameter or a weight cannot be used, or the
            number of distinct rows times that of splits is above 2**28: set `max_thresholds`, or `nominal`.
        """
        self._forget()
        self._check()
        end = np.inf if self.time_limit is None else time.monotonic() + float(self.time_limit)
        X = self._read(X, reset=True)
        targets = class_targets(y, len(X))
        if len(targets) > 1:
            raise ValueError(f"y has {len(targets)} outputs; an optimal tree predicts one: grow one for each")
        case_weight = checked_weight(sample_weight, len(X))
        weight = weigh_classes(self.class_weight, targets, case_weight)
        weight, _ = with_costs(self.class_weight, None, targets, weight)
        altered, loss = with_costs(self.class_weight, self.loss, targets, weight)
        self.classes_ = np.asarray(targets[0].values)
        self.n_classes_ = len(self.classes_)
        job = FitContext(X, targets, altered, case_weight, loss, None, self._code, self._grower)
        return self._learned(self._found(self._code(X, targets, altered, weight), job, end))

    def _found(self, data: Training, job: FitContext, end: float) -> Fitted:
        """Return the best tree, and the bounds proved by the end of the time, a value of `time.monotonic`."""
        weight = data.case_weight
        total = float(data.shape[1] if weight is None else weight.sum())
        least = max(
            in_all(python_number(self.min_samples_leaf), total), float(self.min_weight_fraction_leaf) * total
        )
        few = None if self.max_thresholds is None else int(self.max_thresholds)
        terms = SearchSettings(int(self.max_depth), float(self.ccp_alpha), least, few, self.nominal, end)
        tree, proof = grow_best(data, job.loss, terms)
        planted = self._planted(tree, tree.grown_by, data, job)
        proof = proof.as_paid(self._paid(planted, data, job))
        gap, rest = proof.objective - proof.lower_bound, tree.grown_by.one_vs_rest
        nominal = {
            feature.name: "one_vs_rest" if f in rest else "subset"
            for f, feature in enumerate(data.features) if feature.kind == "nominal"
        }  # fmt: skip
        known = {
            "objective_": proof.objective, "lower_bound_": proof.lower_bound, "gap_": gap,
            "is_optimal_": gap == 0, "is_smallest_": proof.is_smallest, "nominal_": nominal,
        }  # fmt: skip
        return Fitted(planted, known)

    def _paid(self, tree: Tree, data: Training, job: FitContext) -> float:
        """Return the cost of the tree's predictions on the training rows, not rounded."""
        codes, K = data.targets[0].codes, len(data.targets[0].values)
        weight = np.ones(len(codes)) if data.case_weight is None else data.case_weight
        errors = paid_for(tree, codes, tree.apply(job.X), weight, loss_of(job.loss, K))
        return errors + float(self.ccp_alpha) * tree.n_leaves
