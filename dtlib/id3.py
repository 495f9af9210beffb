"""ID3: the largest gain, one branch per value, for classification (chapter 4) and for regression."""

from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dtlib.base import NumberTree, QuinlanClassTree, QuinlanTree, in_all
from dtlib.growing.by_score import grow_by_score
from dtlib.numbers import EXACT
from dtlib.prune.pruners import PrePruned, Pruning, ReducedError
from dtlib.search.rules import Rules
from dtlib.table.columns import FILL, GROUP, is_nominal
from dtlib.table.feature_names import default_names
from dtlib.table.parameters import Declared, Number
from dtlib.table.reading import said_missing
from dtlib.table.training import Training
from dtlib.tree.leaf_shares import ESTIMATES, LeafShares
from dtlib.tree.tree import Tree


class ID3(QuinlanTree):
    """Base class of `ID3Classifier` and `ID3Regressor`: all features are nominal."""

    keep_data = True

    def _read(self, X: Any, reset: bool = False) -> pd.DataFrame:
        """Return X as a frame of categorical columns, or raise an error that says what to use instead.

        The dtypes of a frame tell which columns are categorical. In an array, each distinct number is a
        category, as for scikit-learn's estimators with the tag `categorical`.
        """
        X = super()._read(X, reset)
        if isinstance(X, pd.DataFrame):
            return X
        if not reset:
            self._check_array(X)
        codes = X.astype(np.int64) if (np.rint(X) == X).all() and (abs(X) < EXACT).all() else X
        return pd.DataFrame(codes, columns=default_names(X.shape[1])).astype("category")

    def _with_categories(self, X: Any, reset: bool) -> pd.DataFrame | None:
        """Return an array of objects as a frame of categories if it holds text, else None."""
        frame = super()._with_categories(X, reset)
        return None if frame is None else frame.astype("category")

    def _check_frame(self, X: pd.DataFrame, reset: bool) -> None:
        """Raise an error if columns of a frame cannot be read."""
        check_nominal(X)

    def _check_array(self, X: np.ndarray) -> None:
        """Raise an error if the categories of a feature are not numbers, as those of an array are."""
        text = [f.name for f in self.tree_.features if not all(isinstance(v, Real) for v in f.values)]
        if text:
            raise TypeError(
                f"X is a numeric array, but features {text} of the tree are categorical: pass a DataFrame"
            )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        return tags


class ID3Classifier(ID3, QuinlanClassTree):
    """Grow a decision tree with ID3 (Quinlan, 1986).

    Each node splits on the feature with the largest information gain, with one branch for each of its
    categories. A feature is used at most once on a path. A node is a leaf if it is pure, if no feature is
    left in which its samples differ, or if the best gain is zero or below `min_gain`. A branch that no sample
    takes is a leaf with the majority class of its parent. Ties go to the first column.

    A node has a child for each category of its feature, whether a sample takes it or not: features with many
    thousand categories make very large trees.

    Parameters
    ----------
    min_gain : float, default 0.0
        The threshold ε: a node is split only if the best gain is at least this, in the unit of the criterion
        (bits for entropy).
    criterion : {"entropy", "gini", "misclassification"}, default "entropy"
        The impurity whose decrease is the gain: entropy, so that it is the information gain [1]_; or the Gini
        index, or the classification error, with a branch for each category as in textbooks [2]_ (section
        4.3), where CART would make two groups. For gain ratios, see `C45Classifier`.
    prune : {None, "reduced_error", "pre"} or Pruning, default None
        How the tree is pruned by held-out rows, from which it is not grown: "reduced_error", from the bottom
        up, replaces a subtree by a leaf if the leaf makes fewer errors on them; "pre", from the top down,
        makes a split only if it makes fewer errors on them than a leaf. `dtlib.prune.ReducedError` and
        `dtlib.prune.PrePruned` set which rows are held out; the words hold out 0.3 of them.
    leaf_shares : {"frequency", "laplace", "m_estimate", "m_branch"} or LeafShares, default "frequency"
        How class probabilities are estimated at a leaf, for `predict_proba` and the exports: by relative
        frequencies, or by estimates that are smoothed where rows are few, see `dtlib.LeafShares`, which has
        their settings. The splits do not depend on it.
    random_state : int, RandomState, optional
        Seed of the draw of held-out rows; nothing else is drawn. Default: another draw in every fit.

    Attributes
    ----------
    tree_ : Tree
        The tree: `explain`, `trace`, `rules`, drawing, export. If it was pruned, `pruned_from` is the tree
        before pruning and `steps` lists the decisions.
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
        Share of each feature in the total decrease of impurity; all 0 if the tree is one leaf.

    Notes
    -----
    A row with a category that was neither in the training data nor declared ends at the node that splits on
    the feature, and gets its majority class.

    References
    ----------
    .. [1] J. R. Quinlan, "Induction of decision trees", Machine Learning 1 (1986) 81-106.
    .. [2] P.-N. Tan, M. Steinbach, V. Kumar, "Introduction to Data Mining", Addison-Wesley 2006.

    Examples
    --------
    >>> from dtlib import ID3Classifier
    >>> from dtlib.datasets import load_watermelon
    >>> melons = load_watermelon()
    >>> id3 = ID3Classifier().fit(melons.X, melons.y)
    >>> id3.tree_
    <Tree: 14 nodes, 9 leaves, depth 4>
    >>> id3.predict(melons.X.head(2))
    array(['yes', 'yes'], dtype=object)

    Pre-pruning by melons 4, 5, 8, 9, 11, 12 and 13 (Zhou, 2016, section 4.3):

    >>> from dtlib.prune import PrePruned
    >>> pre = ID3Classifier(prune=PrePruned(held_out=[3, 4, 7, 8, 10, 11, 12])).fit(melons.X, melons.y)
    >>> print(pre.tree_)
    root (no 5, yes 5) → no
    >>> pre.tree_.pruned_from
    <Tree: 13 nodes, 9 leaves, depth 3>

    The same table by the Gini index:

    >>> print(ID3Classifier(criterion="gini").fit(melons.X, melons.y).tree_.root.split)
    texture?
    """

    _declared: ClassVar[Declared] = {
        "criterion": ("entropy", "gini", "misclassification"),
        "min_gain": (Number(0),),
        "leaf_shares": (*ESTIMATES, LeafShares),
        "prune": (None, "reduced_error", "pre", ReducedError, PrePruned),
    }

    def __init__(
        self,
        min_gain: float = 0.0,
        *,
        criterion: str = "entropy",
        leaf_shares: str | LeafShares = "frequency",
        prune: str | Pruning | None = None,
        random_state: Any = None,
    ):
        self.min_gain = min_gain
        self.criterion = criterion
        self.leaf_shares = leaf_shares
        self.prune = prune
        self.random_state = random_state

    def fit(self, X: pd.DataFrame, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Grow the tree.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n, d)
            Categorical columns (category, string, object, bool) of pandas, polars or pyarrow, nothing
            missing. In an array, each distinct number is a category.
        y : array-like of shape (n,)
            The classes, nothing missing.
        sample_weight : array-like of shape (n,), optional
            What each row counts, finite and not negative; rows of weight 0 are left out. A scalar is the
            weight of every row.

        Returns
        -------
        self

        Raises
        ------
        TypeError
            If a column of a frame is not categorical or mixes types, X is sparse or is of type text, only
            some column labels are strings, or classes are of several types.
        ValueError
            If there is no row or no column, a value is missing, lengths differ, columns share a name, y is
            continuous or has several outputs, or a parameter or a weight cannot be used.
        """
        return self._fit_classes(X, y, sample_weight)

    def _grow(self, data: Training) -> Tree:
        """Grow a tree from training data."""
        rules = Rules(criterion=self.criterion, nominal="multiway", min_gain=self.min_gain)
        return self._planted(grow_by_score(data, rules), rules, data)


class ID3Regressor(NumberTree, ID3):
    """Grow a regression tree with a branch for each value, by the reduction of the standard deviation.

    This is ID3 for regression, as course notes teach it [1]_: each node splits on the feature that lowers the
    standard deviation most, by the mean over the branches, weighted by their rows. The measure is also called
    standard deviation reduction (SDR); M5 [2]_ has it too. A feature is used at most once on a path, and a
    node is a leaf for the same reasons as in `ID3Classifier`, or because of the parameters below. A node
    predicts the mean of its targets; a branch that no sample takes predicts the mean of its parent. Ties go
    to the first column.

    Parameters
    ----------
    criterion : {"standard_deviation", "squared_error"}, default "standard_deviation"
        The impurity that a split lowers: the standard deviation, which is the root of the mean squared
        distance from the mean (in the unit of the target); or the mean squared distance, which is the
        variance (squared units).
    min_gain : float of at least 0, default 0.0
        A node is split only if the best decrease is at least this, in the unit of the criterion.
    min_samples_split : int or float of at least 0, default 0
        A node is split only if it has at least this weight. A float below 1 is a share of all weight. In
        [1]_ nodes of up to three rows are leaves, which is ``min_samples_split=4``.
    min_variation : float of at least 0, default 0.0
        A node is split only if its coefficient of variation, the standard deviation divided by the absolute
        mean, is at least this. It is 0.1 in [1]_, which calls it the coefficient of deviation. For one output
        only.

    Attributes
    ----------
    tree_ : Tree
        The tree: `explain`, `trace`, `rules`, drawing, export.
    n_outputs_ : int
        The number of outputs.
    n_features_in_ : int
        The number of features.
    max_features_ : int
        The number of features that a node considers: always all.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, if X was a frame whose column labels are strings.
    feature_importances_ : ndarray of shape (n_features_in_,)
        Share of each feature in the total decrease of the criterion; all 0 if the tree is one leaf.

    Notes
    -----
    Standard deviations are divided by n, not by n - 1. Features with many categories tend to lower them most,
    as with the information gain.

    References
    ----------
    .. [1] S. Sayad, "An Introduction to Data Science", course notes, https://www.saedsayad.com, the page
       "Decision Tree - Regression".
    .. [2] J. R. Quinlan, "Learning with continuous classes", Proceedings of the Australian Joint Conference
       on Artificial Intelligence (1992) 343-348.

    Examples
    --------
    >>> import pandas as pd
    >>> from dtlib import ID3Regressor
    >>> X = pd.DataFrame({"outlook": ["rainy", "rainy", "overcast", "sunny", "sunny", "sunny"]})
    >>> hours = [25, 30, 46, 45, 52, 23]
    >>> print(ID3Regressor().fit(X, hours).tree_)
    root (n 6, mean 36.8333)
    ├── outlook = overcast (n 1, mean 46) → 46
    ├── outlook = rainy (n 2, mean 27.5) → 27.5
    └── outlook = sunny (n 3, mean 40) → 40
    """

    _declared: ClassVar[Declared] = {
        "criterion": ("standard_deviation", "squared_error"),
        "min_gain": (Number(0),),
        "min_samples_split": (Number(0),),
        "min_variation": (Number(0),),
    }

    def __init__(
        self,
        *,
        criterion: str = "standard_deviation",
        min_gain: float = 0.0,
        min_samples_split: float = 0,
        min_variation: float = 0.0,
    ):
        self.criterion = criterion
        self.min_gain = min_gain
        self.min_samples_split = min_samples_split
        self.min_variation = min_variation

    def fit(self, X: pd.DataFrame, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Grow the tree.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n, d)
            Categorical columns (category, string, object, bool) of pandas, polars or pyarrow, nothing
            missing. In an array, each distinct number is a category.
        y : array-like of shape (n,) or (n, outputs)
            The targets, finite; the largest magnitude is between 1e-100 and 1e150, unless all are 0.
        sample_weight : array-like of shape (n,), optional
            What each row counts, finite and not negative; rows of weight 0 are left out. A scalar is the
            weight of every row.

        Returns
        -------
        self

        Raises
        ------
        TypeError
            If a column of a frame is not categorical or mixes types, X is sparse or is of type text, or
            only some column labels are strings.
        ValueError
            If there is no row or no column, a value is missing, lengths differ, columns share a name, y is
            not numeric, or a parameter or a weight cannot be used.
        """
        return self._fit(self._read_numbers(X, y, sample_weight))

    def _grow(self, data: Training) -> Tree:
        """Grow a tree from training data."""
        if self.min_variation and len(data.targets) > 1:
            raise ValueError(
                f"min_variation is {self.min_variation!r}, but y has {len(data.targets)} outputs, each with "
                f"a mean of its own: wanted 0, or a tree for each"
            )
        split = in_all(self.min_samples_split, data.total_weight)
        rules = Rules(
            criterion=self.criterion, nominal="multiway", min_split=split,
            min_variation=self.min_variation, min_gain=self.min_gain,
        )  # fmt: skip
        return self._planted(grow_by_score(data, rules), rules, data)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = not self.min_variation
        return tags


def check_nominal(X: pd.DataFrame) -> None:
    """Raise an error if ID3 cannot read a frame, which says what to use instead."""
    numbers = [str(name) for name, x in X.items() if not (is_nominal(x) or x.isna().all())]
    if numbers:
        raise TypeError(
            "ID3 needs categorical features, but these columns are not: "
            f"{', '.join(numbers)}; {GROUP}, or use a tree with thresholds, such as CARTClassifier"
        )
    if missing := said_missing(X.items()):
        raise ValueError(
            f"ID3 has no rule for missing values, but these columns have some: {missing}. Leave the "
            f"rows out, or make 'missing' a value of its own with {FILL}"
        )
