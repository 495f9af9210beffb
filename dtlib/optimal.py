"""Optimal trees: of all trees up to a depth that ask some questions, one that costs least, with the proof."""

import time
from typing import ClassVar, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dtlib.base import ClassTree, in_all
from dtlib.growing.by_proof import grow_best, loss_of, paid_for
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
    """Find the tree with the fewest errors, of all trees up to a depth, and prove that there is none better.

    What a tree costs is the share of the training rows that it gets wrong, and `ccp_alpha` for each of its
    leaves. CART takes the best question of each node and never takes one back; here all trees of the
    questions below are considered, most of them by bounds on what they cost at least: by dynamic programming
    over the sets of rows that may come to a node [1]_ [2]_, with counts of pairs for two levels at once [3]_.

    The questions are whether a number, or a category in an order, is at most a threshold; and to which of two
    groups a category belongs. Of a feature with up to 10 categories, all divisions into two groups are
    questions, so no tree of `CARTClassifier` with as many levels costs less. Of more categories, one of them
    is asked against the rest, and a tree of other groups may cost less: `nominal_` says for which features.
    Of several best trees, it is one with the fewest leaves, and of these the one that asks the first column
    with the lowest threshold or the smallest group; of groups of one size, with the first categories. If
    `time_limit` ends the search, `is_optimal_` and `is_smallest_` say what of that is proved.

    Parameters
    ----------
    max_depth : int from 0 to 30, default 2
        Number of questions on the longest path. The time grows with about the number of different
        questions to this power: compiled, with Numba, two levels of all thresholds of some hundred rows take
        seconds (with NumPy alone, ten times as long); three or four need few thresholds, or few categories.
    nominal : {"subset", "one_vs_rest"}, default "subset"
        How the categories of a feature without an order are divided, as in `CARTClassifier`: in all ways into
        two groups, if there are up to 10 of them (which CART tries, too, for any number of classes; they are
        511 questions); or into one and the rest, which are as many questions as categories.
    ccp_alpha : float of at least 0, default 0.0
        What a leaf costs, in shares of all weight, as in `CARTClassifier`: a question must lower the share
        of errors by more than this.
    min_samples_leaf : int or float of at least 0, default 0
        A leaf must have at least this weight. A float below 1 is a share of all weight. It is the weight
        without the loss; `CARTClassifier` alters the weights by the loss first, so with both, one of them may
        ask what the other may not.
    min_weight_fraction_leaf : float from 0 to 0.5, default 0.0
        A leaf must have at least this share of all weight.
    max_thresholds : int of at least 1, optional
        Of each column of numbers, or of categories in an order, only so many thresholds are considered: those
        that come nearest to parting the weight into equal shares. The tree is then the best one with these.
        Default: all, halfway between two values.
    time_limit : float of at least 0, optional
        Seconds after which the search ends, counted from the call of `fit`. The tree is then the best one
        found so far, and `lower_bound_` what any tree costs at least, which is little (see `gap_`). The
        search begins with the trees that `CARTClassifier` grows by each impurity from the same questions, so
        none of them costs less, however short the time; and with more time no worse tree is found. What is
        found in which time depends on the machine. What must be done whatever the limit - to list the
        questions, to grow these trees, to describe the one that is found - takes a tenth of a second for some
        thousand rows; what Numba compiles, once for an installation, comes to that. Default: no limit.
    class_weight : dict, "balanced" or Prior, optional
        By what the weight of a row is multiplied: a number for each class (1 if it is not named); "balanced"
        gives each class the same total (rows are counted for that, whatever they weigh); `dtlib.Prior` gives
        each class its share of all weight.
    loss : DataFrame or array-like of shape (n_classes, n_classes), optional
        What it costs to predict the class of the column where that of the row is true; 0 on the diagonal. A
        DataFrame has the classes as index and as columns; an array has them in the order of `classes_`, and
        is refused where a categorical y declares another order.
        A tree costs the mean of this over the rows. Default: every error costs 1.
    leaf_shares : {"frequency", "laplace", "m_estimate", "m_branch"} or LeafShares, default "frequency"
        What the leaves say of the classes, and with that `predict_proba` and the exports: relative
        frequencies; or estimates that trust few rows less, see `dtlib.LeafShares`, which can also undo
        `class_weight` and `loss`. The tree is the same.
    keep_data : bool, optional
        Whether the tree keeps its training data, which `tree_.explain` needs; default: if they have at most
        2**20 cells.

    Attributes
    ----------
    tree_ : Tree
        The tree: `explain`, `trace`, `rules`, drawing, export.
    objective_ : float
        What it costs: the weight of its errors on the training rows (what they cost, with a loss) as a share
        of all weight, and `ccp_alpha` for each leaf.
    lower_bound_ : float
        No tree of these questions, with at most `max_depth` levels, costs less than this.
    gap_ : float
        The difference of both, 0 if the tree is optimal. Of a search that `time_limit` ends, the bound is
        little more than the errors that no question can avoid, and the price of two leaves: it rises only
        when each first question has been tried. So the gap says what is not proved, not how far the best
        tree is.
    is_optimal_ : bool
        Whether it is proved that no tree of these questions, with at most `max_depth` levels, costs less.
        It says nothing of trees that cost the same.
    is_smallest_ : bool
        Whether it is also proved that none that costs as little has fewer leaves. Without `time_limit`, both
        are proved, unless rounding hides too much (see below).
    nominal_ : dict
        How the categories of each feature without an order were divided: in all ways into two groups
        ("subset"), or into one and the rest ("one_vs_rest").
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted; of a categorical y all its categories, see `predict_proba`.
    n_classes_ : int
        The number of classes.
    n_outputs_ : int
        Always 1.
    n_features_in_ : int
        The number of features.
    max_features_ : int
        How many of them a node considers: always all.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if X was a frame whose columns have names of text.
    feature_importances_ : ndarray of shape (n_features_in_,)
        Share of each feature in the decrease of the classification error; all 0 if there is none.

    Notes
    -----
    Nothing may be missing. Weights are rounded to multiples of a power of two, the finest whose sums are
    exact; so are costs and the price of a leaf, for the search. `objective_` is what the tree costs without
    that. If rounding hides more than a millionth of it, as it does where one cost is 1e14 times another,
    `lower_bound_` and `gap_` count what it may hide, and `is_optimal_` and `is_smallest_` are False. A row of
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
    CART finds no question that lowers the impurity of this table, and two questions tell all:

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

    A group of categories is asked as a whole:

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
            A frame of pandas, polars or pyarrow, or an array, which holds numbers; nothing missing.
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
            If a column is neither categorical nor numeric (dates, say), or mixes types; if X is sparse,
            or an array of text; if some names of columns are text and others not, or classes are of several
            types.
        ValueError
            If there is no row or no column, a value is missing or infinite, lengths differ, columns share a
            name, y holds numbers that are no classes or several outputs, a parameter or a weight cannot be
            used, or there are more than 2**28 answers to all questions: set `max_thresholds`, or `nominal`.
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
        """Return the best tree, and what is proved of it when the time is up, by `time.monotonic`."""
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
        """Return what the tree costs as it predicts: its costs are not rounded."""
        codes, K = data.targets[0].codes, len(data.targets[0].values)
        weight = np.ones(len(codes)) if data.case_weight is None else data.case_weight
        errors = paid_for(tree, codes, tree.apply(job.X), weight, loss_of(job.loss, K))
        return errors + float(self.ccp_alpha) * tree.n_leaves
