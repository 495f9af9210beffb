"""C4.5: gain ratio, thresholds, missing values (chapter 6), pessimistic pruning (chapter 15)."""

from typing import Any, ClassVar, Self

import pandas as pd
from numpy.typing import ArrayLike
from sklearn.base import clone

from dtlib.base import QuinlanClassTree
from dtlib.dialects.release8_and_j48 import C45_DIALECTS, c45_options
from dtlib.growing.by_ratio import grow_by_ratio
from dtlib.prune.pruners import Pessimistic, PrePruned, Pruning, ReducedError
from dtlib.search.rules import C45Dialect, RatioRules
from dtlib.table.parameters import Declared, Number
from dtlib.table.training import Training
from dtlib.tree.leaf_shares import ESTIMATES, LeafShares
from dtlib.tree.tree import Tree


class C45Classifier(QuinlanClassTree):
    """Grow a decision tree with C4.5 (Quinlan, 1993), and prune it if told to.

    Each node splits on the feature with the largest gain ratio among those whose information gain is at least
    the average. A categorical feature gets a branch for each category; a numeric feature gets the threshold
    with the largest gain, halfway between two values, and may be used again below. A node is a leaf if it is
    pure, or if no split gains anything. Ties go to the first column, then to the lowest threshold.

    Three rules hold for missing values. When a split is chosen, the gain of the rows whose value is known is
    multiplied by their share, and the missing values are one more branch of the split information. In
    training, a row whose value is missing goes to every branch as a fractional instance, whose weight is in
    proportion to the weight of the branch. In prediction too, so that the prediction is a weighted mean over
    leaves. No split tests whether a value is missing.

    Parameters
    ----------
    criterion : {"gain_ratio", "gain"}, default "gain_ratio"
        The score by which the feature is chosen.
    average_gain : bool, default True
        Whether only features that gain at least the average of all candidates may be chosen by gain ratio. A
        categorical feature that gains exactly 0 counts in the average; a numeric feature that does is no
        candidate.
    min_samples_leaf : float of at least 0, default 0
        The minimum weight M: at least two branches must have it, so both of a threshold; a node below 2 M is
        a leaf. Whatever M, a node of fractional instances that weighs less than two rows is a leaf, as they
        would otherwise be divided without end.
    mdl_correction : bool, default False
        Whether the gain of a threshold is lowered by log2(number of cuts) / weight of the node.
    max_depth : int of at least 0, optional
        Maximum depth of the tree; default: no limit.
    missing : {"fractional", "majority", "error"}, default "fractional"
        Where a row goes whose value is missing: to every branch as a fractional instance; to the branch with
        the largest weight, the first of equals; or missing values are refused. If it tells something about
        the class that a value is missing, add a column for it, or, for a categorical feature, make missing a
        category of its own.
    group_values : {None, "merge", "one_vs_rest"}, default None
        How the categories of a nominal feature are grouped: None gives each its own branch; "merge" merges
        them into groups as long as that raises the gain ratio; "one_vs_rest" gives one category a branch, and
        the rest the other. A feature whose categories are grouped may be used again below.
    leaf_shares : {"frequency", "laplace", "m_estimate", "m_branch"} or LeafShares, default "frequency"
        How class probabilities are estimated at a leaf, for `predict_proba` and the exports: by relative
        frequencies, or by estimates that are smoothed where rows are few, see `dtlib.LeafShares`, which has
        their settings. The splits do not depend on it.
    prune : {None, "pessimistic", "reduced_error", "pre"} or Pruning, default None
        How the grown tree is pruned: "pessimistic" by the pessimistic estimate of its errors, see
        `dtlib.prune.Pessimistic`; the others by held-out rows. "reduced_error", from the bottom up, replaces
        a subtree by a leaf if the leaf makes fewer errors on them; "pre", from the top down, makes a split
        only if it makes fewer errors on them than a leaf. `dtlib.prune.ReducedError` and
        `dtlib.prune.PrePruned` set which rows are held out; the words hold out 0.3 of them. By default the
        tree is not pruned, so that it shows what growing does; `release8` and `j48` prune, as the programs
        do.
    random_state : int, RandomState, optional
        Seed of the draw of rows held out; nothing else is drawn. Default: another draw in every fit.
    dialect : {None, "release8", "j48"} or C45Dialect, default None
        Rules that programs add to those of the book, see `dtlib.dialects.C45Dialect`. The presets `release8`
        and `j48` set it, and further parameters.
    keep_data : bool, optional
        Whether the tree keeps its training data, which `tree_.explain` needs; default: if they have at most
        2**20 cells.

    Attributes
    ----------
    tree_ : Tree
        The tree: `explain`, `trace`, `rules`, drawing, export; if it was pruned, `pruned_from` and `steps`.
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
        Share of each feature in the total decrease of entropy; all 0 if the tree is one leaf.

    Notes
    -----
    Columns of a frame are categorical (category, string, object, bool) or numeric; NaN, None, pd.NA and
    masked entries (`numpy.ma`) are missing. A column label that is not a string, such as an int, is converted
    with `str`. The order of ordered categories is ignored. Infinite values are refused. In an array of
    objects that holds text, columns of text or truth values are categorical and columns of numbers are
    numeric: so bagging and AdaBoost take frames with categories, see `dtlib.frame_like`. If most categories
    of a column occur in one row only, as names do, `fit` warns.

    ``group_values="merge"`` applies to features with more than two categories. First, the categories whose
    rows are all of one class become one group for each class. Then the two groups are merged that give the
    largest gain ratio (the last of equals), if that raises the gain ratio by at least 1e-5, and so on until
    two groups are left. A merge that keeps half the gain comes before one that does not. Unless three groups
    have the minimum weight M, the largest one is not merged; as long as fewer than two have it, others must
    be merged. With ``criterion="gain"``, merging goes on until two groups are left. Categories with half a
    row or less at the node form a last group, whose rows do not count in the gain. The time grows with the
    cube of the number of categories that remain to be merged.

    References
    ----------
    J. R. Quinlan, "C4.5: Programs for Machine Learning", Morgan Kaufmann 1993. Value grouping: chapter 10.

    Examples
    --------
    >>> from dtlib import C45Classifier
    >>> from dtlib.datasets import load_watermelon
    >>> melons = load_watermelon("3.0")
    >>> c45 = C45Classifier(max_depth=2).fit(melons.X, melons.y)
    >>> print(c45.tree_)
    root (no 9, yes 8)
    ├── sugar ≤ 0.126 (no 5, yes 0) → no
    └── sugar > 0.126 (no 4, yes 8)
        ├── density ≤ 0.3815 (no 2, yes 0) → no
        └── density > 0.3815 (no 2, yes 8) → yes
    >>> c45.predict_proba(melons.X.head(1).assign(sugar=None)).round(3)
    array([[0.435, 0.565]])

    The colors may share branches:

    >>> grouped = C45Classifier(group_values="merge").fit(melons.X[["color"]], melons.y)
    >>> print(grouped.tree_)
    root (no 9, yes 8)
    ├── color in {green, dark} (no 5, yes 7)
    │   ├── color = green (no 3, yes 3) → no
    │   ├── color = dark (no 2, yes 4) → yes
    │   └── color = pale (no 0, yes 0) → yes
    └── color = pale (no 4, yes 1) → no
    """

    _declared: ClassVar[Declared] = {
        "criterion": ("gain_ratio", "gain"),
        "average_gain": (True, False),
        "mdl_correction": (True, False),
        "min_samples_leaf": (Number(0),),
        "max_depth": (None, Number(0, whole=True)),
        "missing": ("fractional", "majority", "error"),
        "group_values": (None, "merge", "one_vs_rest"),
        "leaf_shares": (*ESTIMATES, LeafShares),
        "prune": (None, "pessimistic", "reduced_error", "pre", Pessimistic, ReducedError, PrePruned),
        "dialect": (None, *C45_DIALECTS, C45Dialect),
        "keep_data": (None, True, False),
    }

    def __init__(
        self,
        *,
        criterion: str = "gain_ratio",
        average_gain: bool = True,
        mdl_correction: bool = False,
        min_samples_leaf: float = 0,
        max_depth: int | None = None,
        missing: str = "fractional",
        group_values: str | None = None,
        leaf_shares: str | LeafShares = "frequency",
        prune: str | Pruning | None = None,
        random_state: Any = None,
        dialect: str | C45Dialect | None = None,
        keep_data: bool | None = None,
    ):
        self.criterion = criterion
        self.average_gain = average_gain
        self.mdl_correction = mdl_correction
        self.min_samples_leaf = min_samples_leaf
        self.max_depth = max_depth
        self.missing = missing
        self.group_values = group_values
        self.leaf_shares = leaf_shares
        self.prune = prune
        self.random_state = random_state
        self.dialect = dialect
        self.keep_data = keep_data

    @classmethod
    def release8(cls, **overrides: Any) -> Self:
        """Return an estimator that grows and prunes the tree of Quinlan's C4.5 Release 8.

        What it sets, and why it matters:

        - ``min_samples_leaf=2`` (its ``-m``): few rows prove little; by default there is no minimum.
        - ``mdl_correction=True``: of many thresholds the best one is taken, so without the correction a
          numeric feature would gain more than a categorical one by chance alone.
        - ``prune=Pessimistic(confidence=0.25, raising=True, bound="release8")`` (its ``-c 25``): it prunes
          with a normal quantile from a short table. ``prune=None`` gives the unpruned tree, which it prints
          too.

        The dialect sets the rest:

        - ``many_values=0.3``: a feature with many categories, such as an id, does not raise the average gain.
        - ``threshold="value"``: thresholds are values that occur, not midpoints. Predictions differ for
          values between the threshold and the midpoint.
        - ``gap=1e-5``, ``precision="single"``: it computes in float32. If gains differ by less than the
          precision of float32, Release 8 may choose another split than this class.
        - ``zero_gain=True``, ``collapse="bottom_up"``: it makes splits that gain nothing, and then replaces a
          subtree by a leaf if the subtree makes no fewer errors.
        - ``unseen="missing"``: a category unknown to the feature is treated as missing.
        - ``class_order="declared"``: among equal classes, the first in the names file is predicted.

        Release 8 has four more rules, which no parameter sets, as no other program has them. In large nodes,
        a threshold must leave more on both sides than `min_samples_leaf`: a tenth of the node's weight
        divided by the number of classes, but no more than 25. A gain may fall short of the average by 0.001
        bits. A split whose split information is at most 0.001 bits, as it puts almost everything in one
        branch, is ruled out, since its gain ratio is near 0 / 0. Numbers that differ by at most 1e-7
        are equal.

        What stays different: a branch without training rows has the class shares of its parent; in Release 8,
        the parent's majority class has a share of 1. After a branch was raised, a branch below it without
        rows predicts the majority of its new parent; in Release 8, it keeps the class with which it was
        grown, as pruning does not visit it. With ``-s``, a feature whose values are all missing at a node
        makes Release 8 set its minimum weight to 1 for the rest of the tree; here it stays as given. With
        ``-s``, Release 8 removes branches to which no row can come, as a split above excludes their
        categories.

        Parameters
        ----------
        **overrides
            Further parameters, or other values of the ones above, including those of the dialect and of the
            pruning method: ``criterion="gain"`` is its ``-g``; ``group_values="merge"`` is its ``-s``, and
            then sets ``many_values=None``: with ``-s``, all features count in the average.

        Returns
        -------
        C45Classifier
            Not fitted.

        Examples
        --------
        >>> from dtlib import C45Classifier
        >>> from dtlib.datasets import load_golf
        >>> golf = load_golf()
        >>> print(C45Classifier.release8().fit(golf.X, golf.y).tree_)
        root (no 5, yes 9)
        ├── outlook = sunny (no 3, yes 2)
        │   ├── humidity ≤ 75 (no 0, yes 2) → yes
        │   └── humidity > 75 (no 3, yes 0) → no
        ├── outlook = overcast (no 0, yes 4) → yes
        └── outlook = rainy (no 2, yes 3)
            ├── windy = false (no 0, yes 3) → yes
            └── windy = true (no 2, yes 0) → no
        """
        return cls(**c45_options("release8", overrides))

    @classmethod
    def j48(cls, **overrides: Any) -> Self:
        """Return an estimator that grows and prunes the tree of Weka's J48 (version 3.9).

        What it sets, and why it matters:

        - ``min_samples_leaf=2`` (its ``-M``), ``mdl_correction=True`` (``-J`` sets it False),
          ``many_values=0.3``, ``gap=1e-5``, ``unseen="missing"``: as in Release 8.
        - ``samples="rows"``: a numeric feature is a candidate if its known values are as many rows, whatever
          they weigh, as both sides of a threshold must have together, and ``many_values`` is 0.3 times the
          number of rows. So a row of weight 2 is not the same as two rows. (Weka also counts rows of weight 0
          there, which are left out here.)
        - ``threshold="value"``: as in Release 8 (``-doNotMakeSplitPointActualValue`` sets "midpoint").
        - ``collapse="top_down"`` (``-O`` sets None): the errors of a subtree are those before anything below
          it was collapsed; in Release 8, those after.
        - ``prune=Pessimistic(...)`` (``-U`` sets None) with ``confidence=0.25`` (its ``-C``),
          ``raising=True`` (``-S`` sets it False), ``bound="normal"``: the same pruning with the exact normal
          quantile.
        - ``values_of="all"``: with ``-R``, thresholds are lowered to values of all rows, including those held
          out, and all rows count in ``many_values``.
        - ``class_order="declared"``: among equal classes, the first that the file declares is predicted.
        - Not set: J48 makes no split that gains nothing, and any split information above 0 is enough.

        Three rules are set by no parameter. Both sides of a threshold need the minimum that Release 8 wants,
        and a gain may fall short of the average by 0.001 bits, as in Release 8. Numbers that differ by at
        most 1e-6 are equal: a later feature whose ratio is larger by 1e-7 is not chosen, and a branch that
        lacks 1e-7 of the minimum has it.

        Give y as a categorical with all classes that the file declares, in the file's order: J48 counts them
        in ``-A`` and in the minimum of a threshold, whether they have rows or not.

        Parameters
        ----------
        **overrides
            Further parameters, or other values of the ones above, including those of the dialect and of the
            pruning method: ``leaf_shares="laplace"`` is its ``-A``, ``group_values="one_vs_rest"`` its
            ``-B``. (With ``-A``, J48 still predicts the class of a row with missing values from the shares
            without the correction.) ``prune="reduced_error"`` is its ``-R``: a third of the rows is held out,
            ties are cut, and no subtree is collapsed. Weka draws these rows in another way; to get its tree,
            give them, as in ``prune=ReducedError(held_out=rows, ties="cut")``.

        Returns
        -------
        C45Classifier
            Not fitted.

        Examples
        --------
        >>> from dtlib import C45Classifier
        >>> from dtlib.datasets import load_golf
        >>> golf = load_golf()
        >>> C45Classifier.j48().fit(golf.X, golf.y).get_n_leaves()
        5
        """
        return cls(**c45_options("j48", overrides))

    def fit(self, X: ArrayLike | pd.DataFrame, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Grow the tree, and prune it if told to.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n, d)
            A frame of pandas, polars or pyarrow with categorical and numeric columns, or an array of numbers,
            or of objects; values may be missing.
        y : array-like of shape (n,)
            The classes, nothing missing. A category may declare classes without rows.
        sample_weight : array-like of shape (n,), optional
            What each row counts, finite and not negative; rows of weight 0 are left out. A scalar is the
            weight of every row.

        Returns
        -------
        self

        Raises
        ------
        TypeError
            If a column is neither categorical nor numeric (dates, say), or mixes types; if X is sparse, or an
            array of type text; if only some column labels are strings, or classes are of several types.
        ValueError
            If there is no row or no column, a value is infinite, a class is missing, lengths differ, columns
            share a name, y is continuous or has several outputs, or a parameter or a weight cannot be used;
            with ``missing="error"``, if a value is missing.
        """
        return self._fit_classes(X, y, sample_weight)

    def _grow(self, data: Training) -> Tree:
        """Grow a tree from training data."""
        rules = RatioRules(
            clone(self._dialect), choose_by=self.criterion, average_gain=bool(self.average_gain),
            min_leaf=self.min_samples_leaf, mdl_correction=bool(self.mdl_correction),
            max_depth=self.max_depth, missing=self.missing, group_values=self.group_values,
        )  # fmt: skip
        return self._planted(grow_by_ratio(data, rules), rules, data)

    @property
    def _values_of(self) -> str:
        """If rows are held out: whether the values of features are read from the other rows, or from all."""
        return self._dialect.values_of

    @property
    def _dialect(self) -> C45Dialect:
        """The settings of the dialect."""
        if isinstance(self.dialect, C45Dialect):
            return self.dialect
        return C45_DIALECTS.get(str(self.dialect), C45Dialect)()

    @property
    def _class_order(self) -> str:
        return self._dialect.class_order
