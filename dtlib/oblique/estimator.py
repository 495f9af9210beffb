"""Oblique trees: splits on weighted sums of features (chapter 22)."""

from collections.abc import Sequence
from typing import Any, ClassVar, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.utils import check_random_state

from dtlib.base import ClassTree, in_all
from dtlib.oblique.by_plane import grow_oblique
from dtlib.oblique.hyperplane import Search
from dtlib.prune.cross_validation import Grow, parts_of
from dtlib.prune.pruners import FitContext
from dtlib.search.rules import Rules
from dtlib.table.columns import kind_of
from dtlib.table.parameters import Declared, Number
from dtlib.table.reading import class_targets
from dtlib.table.training import Training
from dtlib.table.weights import checked_weight, weigh_classes
from dtlib.tree.leaf_shares import ESTIMATES, LeafShares
from dtlib.tree.tree import Tree

MOST_TRIES = 10**6  # starts and jumps, each of which is some work in every node
LARGEST = 1e300  # of the features, so that weighted sums are finite


class ObliqueTreeClassifier(ClassTree):
    """Grow a tree of oblique splits with OC1 (Murthy, Kasif and Salzberg, 1994).

    An oblique split compares a weighted sum of numeric features with a threshold. At each node, OC1 searches
    for the hyperplane that lowers the impurity most: it climbs from the best axis-parallel split and from
    random hyperplanes by giving one coefficient after the other its best value, and jumps in random
    directions if that gains nothing [1]_. The node gets the axis-parallel split that CART would choose if no
    hyperplane lowers the impurity more, or if the node is small.

    Parameters
    ----------
    criterion : {"gini", "entropy", "misclassification"}, default "gini"
        The impurity: Gini index, entropy (bits), or classification error.
    restarts : int from 0 to 1,000,000, default 20
        Random hyperplanes from which to climb, besides the axis-parallel split.
    jumps : int from 0 to 1,000,000, default 5
        A search ends after this number of random jumps in a row without a gain.
    order : {"sequential", "best", "random"}, default "sequential"
        Which coefficient is changed next: one after the other; the one that gains most; or 50 times one
        drawn at random ("Seq", "Best" and "R-50" in [1]_).
    rows_per_feature : float of at least 0, default 2.0
        A node that weighs less than this times the number of features has an axis-parallel split.
    simplify : bool, default True
        Leave out features and round coefficients as long as the impurity after the split stays the same, and
        the margin between both sides at least half as wide. This is not part of OC1.
    max_depth : int of at least 0, optional
        Maximum depth of the tree; default: no limit.
    min_samples_split : int or float of at least 0, default 0
        A node is split only if it has at least this weight. A float below 1 is a share of all weight.
    min_samples_leaf : int or float of at least 0, default 0
        A split must leave each branch at least this weight. A float below 1 is a share of all weight.
    min_weight_fraction_leaf : float from 0 to 0.5, default 0.0
        A split must leave each branch at least this share of all weight.
    min_impurity_decrease : float of at least 0, default 0.0
        A split must lower the impurity by at least this (in its own unit, bits for entropy), times the
        node's share of all weight.
    class_weight : dict, "balanced", optional
        Factors for the weights of rows: one for each class (1 if a class is not in the dict); "balanced"
        gives each class the same total.
    leaf_shares : {"frequency", "laplace", "m_estimate", "m_branch"} or LeafShares, default "frequency"
        How class probabilities are estimated at a leaf, for `predict_proba` and the exports: by relative
        frequencies, or by estimates that are smoothed where rows are few, see `dtlib.LeafShares`, which can
        also undo `class_weight`. The splits do not depend on it.
    random_state : int, RandomState, optional
        Seed of the random hyperplanes and jumps. Default: others in every fit.
    keep_data : bool, optional
        Whether the tree keeps its training data, which `tree_.explain` needs; default: if they have at most
        2**20 cells.

    Attributes
    ----------
    tree_ : Tree
        The tree: `explain`, `trace`, `rules`, drawing, export. Its `normals` hold the coefficients.
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
        Share of each feature in the total decrease of impurity, see `Tree.importances`; all 0 if the tree is
        one leaf.

    Notes
    -----
    Features must be numeric, without missing values. For the search they are scaled to the same range in each
    node, so their units do not matter much; the splits are in the original units. The largest coefficient
    is 1. The same seed and data give the same tree, whatever the order of the rows; a row of weight 2 is the
    row twice.

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

    _declared: ClassVar[Declared] = {
        "criterion": ("gini", "entropy", "misclassification"),
        "restarts": (Number(0, whole=True, high=MOST_TRIES),),
        "jumps": (Number(0, whole=True, high=MOST_TRIES),),
        "order": ("sequential", "best", "random"),
        "rows_per_feature": (Number(0),),
        "simplify": (True, False),
        "max_depth": (None, Number(0, whole=True)),
        "min_samples_split": (Number(0),),
        "min_samples_leaf": (Number(0),),
        "min_weight_fraction_leaf": (Number(0, high=0.5),),
        "min_impurity_decrease": (Number(0),),
        "leaf_shares": (*ESTIMATES, LeafShares),
        "keep_data": (None, True, False),
    }

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
        leaf_shares: str | LeafShares = "frequency",
        random_state: Any = None,
        keep_data: bool | None = None,
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
        self.leaf_shares = leaf_shares
        self.random_state = random_state
        self.keep_data = keep_data

    def fit(self, X: ArrayLike | pd.DataFrame, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Grow the tree.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n, d)
            Numeric features, none missing, none beyond ±1e300; a frame of pandas, polars or pyarrow, or an
            array.
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
            If a column is not numeric, X is sparse or an array of text, only some column labels are
            strings, or classes are of several types.
        ValueError
            If there is no row or no column, a value is missing, infinite or too large, lengths differ,
            columns share a name, y is continuous or has several outputs, or a parameter or a weight cannot be
            used.
        """
        self._forget()
        self._check()
        X = self._read(X, reset=True)
        targets = class_targets(y, len(X))
        if len(targets) > 1:
            raise ValueError(f"y has {len(targets)} outputs; an oblique tree predicts one: grow one for each")
        case_weight = checked_weight(sample_weight, len(X))
        weight = weigh_classes(self.class_weight, targets, case_weight)
        self.classes_ = np.asarray(targets[0].values)
        self.n_classes_ = len(self.classes_)
        return self._fit(self._context(X, targets, weight, case_weight))

    def _grower(self, job: FitContext) -> Grow:
        """Return a function that grows a tree from training data, or one from each of several subsets."""
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        search = Search(
            self.restarts, self.jumps, self.order, self.rows_per_feature, bool(self.simplify), seed
        )

        def growing(data: Training, parts: Sequence[np.ndarray] | None = None) -> list[Tree]:
            check_size(data)
            some = [(x, self._rules(x.total_weight)) for x in parts_of(data, parts)]
            return [self._planted(grow_oblique(x, rules, search), rules, x, job) for x, rules in some]

        return growing

    def _read(self, X: Any, reset: bool = False) -> pd.DataFrame | np.ndarray:
        X = super()._read(X, reset)
        if isinstance(X, pd.DataFrame):
            check_no_names(X)
        return X

    def _rules(self, total: float) -> Rules:
        """Return the rules of growing for data of this total weight."""
        split, leaf = (in_all(x, total) for x in (self.min_samples_split, self.min_samples_leaf))
        leaf = max(leaf, self.min_weight_fraction_leaf * total)
        return Rules(
            criterion=self.criterion, max_depth=self.max_depth, min_split=split, min_leaf=leaf,
            min_decrease=self.min_impurity_decrease,
        )  # fmt: skip


def check_no_names(X: pd.DataFrame) -> None:
    """Raise an error if a column is not numeric."""
    names = [name for name in X.columns if kind_of(X[name]) != "numeric"]
    if names:
        raise TypeError(
            "oblique splits need numeric features, but these columns are not: "
            f"{', '.join(names)}. Make columns of 0 and 1 of them with "
            "pandas.get_dummies(X, columns=[...], dtype=float), or use CARTClassifier"
        )


def check_size(data: Training) -> None:
    """Raise an error if a value is so large that weighted sums may be infinite."""
    for f, values in data.numbers.items():
        largest = float(values[np.abs(values).argmax()])
        if abs(largest) > LARGEST:
            raise ValueError(
                f"column {data.features[f].name!r} holds {largest}; beyond ±{LARGEST:g} weighted sums are "
                f"infinite: divide it"
            )
