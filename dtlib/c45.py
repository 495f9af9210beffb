"""C4.5: gain ratio, numbers and names, missing values (chapter 6), pessimistic pruning (chapter 14)."""

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

    At each node, ask the feature with the largest gain ratio among those whose information gain is at least
    the average: of names, a branch for each; of numbers, whether they are at most a threshold, halfway
    between two values, where the gain is largest. Numbers may be asked again below. A node is a leaf if it is
    pure, or if no question gains anything. Ties go to the first column, then to the lowest threshold.

    Where values are missing, three rules hold. Choosing: what the rows with a known value gain counts by
    their share, and the missing ones are one more branch of the split information. Sending down: a row whose
    value is missing goes to every branch, with a part of its weight as large as the branch's share.
    Predicting: the same, so the prediction is a weighted mean over leaves. That a value is missing is not
    asked.

    Parameters
    ----------
    criterion : {"gain_ratio", "gain"}, default "gain_ratio"
        By what the feature is chosen.
    average_gain : bool, default True
        Whether only features that gain at least the average of all candidates may be chosen by gain ratio. A
        feature of names that gains exactly 0 counts in the average; one of numbers is then no candidate.
    min_samples_leaf : float of at least 0, default 0
        The minimum weight M: at least two branches must have it, of a threshold both; a node below 2 M is a
        leaf. Whatever M, a node of parts of rows that weighs less than two rows is a leaf: else parts would
        be parted without end.
    mdl_correction : bool, default False
        Whether the gain of a threshold is lowered by log2(thresholds tried) / weight of the node.
    max_depth : int of at least 0, optional
        Number of questions on the longest path; default: no limit.
    missing : {"fractional", "majority", "error"}, default "fractional"
        Where a row goes whose value is missing: to every branch in part; to the branch with the largest
        weight, of equals the first; or missing values are refused. Where it tells the class that a value is
        missing, add a column that says so; of names, missing may be a value of its own.
    group_values : {None, "merge", "one_vs_rest"}, default None
        Whether values of a nominal feature share a branch: each has its own; or values are merged into groups
        as long as that raises the gain ratio; or a branch has one value, the other one the rest. A feature
        whose values are grouped may be asked again below.
    leaf_shares : {"frequency", "laplace", "m_estimate", "m_branch"} or LeafShares, default "frequency"
        What the leaves say of the classes, and with that `predict_proba` and the exports: relative
        frequencies; or estimates that trust few rows less, see `dtlib.LeafShares`, which has their settings.
        The tree is the same.
    prune : {None, "pessimistic", "reduced_error", "pre"} or Pruning, default None
        Whether the grown tree is pruned by the pessimistic estimate of its errors, see
        `dtlib.prune.Pessimistic`; or by rows that it is not grown from: "reduced_error" makes a leaf of a
        subtree that makes more errors on them than that, from the bottom up; "pre" makes a split only if it
        makes fewer errors on them than none, from the top down (`dtlib.prune.ReducedError` and
        `dtlib.prune.PrePruned` say which rows; the words hold out 0.3 of them). By default it is not pruned,
        so that the tree shows what the rules of growing do, and pruning can be seen beside it; `release8` and
        `j48` prune, as the programs do.
    random_state : int, RandomState, optional
        Seed of the draw of rows held out; nothing else is drawn. Default: another draw in every fit.
    dialect : {None, "release8", "j48"} or C45Dialect, default None
        What programs add to the rules of the book, see `dtlib.dialects.C45Dialect`. `release8` and `j48` set
        it, and more.
    keep_data : bool, optional
        Whether the tree keeps its training data, which `tree_.explain` needs; default: if they have at most
        2**20 cells.

    Attributes
    ----------
    tree_ : Tree
        The tree: `explain`, `trace`, `rules`, drawing, export; if it was pruned, `pruned_from` and `steps`.
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
        Share of each feature in the decrease of entropy; all 0 if the tree is one leaf.

    Notes
    -----
    Columns of a frame are names (category, string, object, bool) or numbers; NaN, None, pd.NA and what is
    masked (`numpy.ma`) are missing. A column whose label is no text, such as a whole number, is called what
    `str` makes of it. The order of ordered categories does not count. A number that is infinite is refused.

    ``group_values="merge"`` concerns features of more than two values. First, values whose rows are all of
    one class become one group for each class. Then the two groups are merged whose merging gives the largest
    gain ratio, of equals the last, if it is larger than before by 1e-5; and so on until two are left. A merge
    that keeps half the gain comes before one that does not. Unless three groups have the minimum weight M,
    the largest one is not merged; while less than two have it, others must be. With ``criterion="gain"``,
    merging goes on until two groups are left. Values that have half a row or less at the node form a last
    group, whose rows do not count in the gain. The time grows with the cube of the number of values that
    remain to be merged.

    References
    ----------
    J. R. Quinlan, "C4.5: Programs for Machine Learning", Morgan Kaufmann 1993. Groups of values: chapter 7.

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

        - ``min_samples_leaf=2`` (its ``-m``): few rows prove little; here nothing is forbidden.
        - ``mdl_correction=True``: many thresholds are tried and the best one is taken, so that a numeric
          feature would gain more than a categorical one by chance alone.
        - ``prune=Pessimistic(confidence=0.25, raising=True, bound="release8")`` (its ``-c 25``): it prunes
          with a normal quantile from a short table. ``prune=None`` gives the unpruned tree, which it prints
          too.

        The dialect has the rest:

        - ``many_values=0.3``: an id does not raise the average gain for all others.
        - ``threshold="value"``: the tree shows numbers that occur. Rows between that value and the midpoint
          are predicted otherwise.
        - ``gap=1e-5``, ``precision="single"``: it computes in float32. Where gains differ by less than
          float32 tells, its choice can be another one than this.
        - ``zero_gain=True``, ``collapse="bottom_up"``: it asks what gains nothing, and makes a leaf
          of a subtree that makes no fewer errors.
        - ``unseen="missing"``: a name that is no value of the feature is treated as missing.
        - ``class_order="declared"``: of equal classes, the first of the file of names is predicted.

        It also has four rules that no parameter sets, as they are this program's alone. Where there are many
        rows, a threshold must leave more on both sides than `min_samples_leaf`: a tenth of the node's weight
        divided by the number of classes, but no more than 25. A gain may fall short of the average by 0.001
        bits. A split information of at most 0.001 bits, as of a split that puts almost everything in one
        branch, rules the split out, since its gain ratio is near 0 / 0. What differs by at most 1e-7 is
        equal.

        What stays different: where no row took a branch, the class shares are those of the node above; there,
        its majority class has all. After a branch was raised, a branch below without rows predicts the
        majority of the node that is above it now; there, it keeps the class that it was grown with, as the
        pruning does not come to it. With ``-s``, a feature of which a node knows no value makes Release 8
        forget its minimum weight: it stays 1 for all further questions of the tree; here it stays what it
        is. With ``-s``, it takes away branches whose names are excluded by a question
        above, to which no row can come.

        Parameters
        ----------
        **overrides
            Further parameters, or other values of these, those of the dialect and of the pruning included:
            ``criterion="gain"`` is its ``-g``; ``group_values="merge"`` is its ``-s``, and then sets
            ``many_values=None``: with ``-s``, all features count in the average.

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
        - ``samples="rows"``: a number is asked where so many rows know it as both sides of its threshold must
          have together, and ``many_values`` is 0.3 times the rows, whatever they weigh. So a row of weight 2
          is not the same as two rows. (Rows of weight 0, which Weka counts there too, are left out here.)
        - ``threshold="value"``: as in Release 8 (``-doNotMakeSplitPointActualValue`` sets "midpoint").
        - ``collapse="top_down"`` (``-O`` sets None): a subtree counts with the errors that it had before
          anything below was collapsed; Release 8 counts those after.
        - ``prune=Pessimistic(...)`` (``-U`` sets None) with ``confidence=0.25`` (its ``-C``),
          ``raising=True`` (``-S`` sets it False), ``bound="normal"``: the same pruning with the exact normal
          quantile.
        - ``values_of="all"``: with ``-R``, thresholds are lowered to numbers of all rows, also of those held
          out, and all rows count in ``many_values``.
        - ``class_order="declared"``: of equal classes, the first that the file declares is predicted.
        - Not set: it asks nothing that gains nothing, and any split information above 0 will do.

        Three rules are set by no parameter. Both sides of a threshold need what Release 8 wants, and a gain
        may fall short of the average by 0.001 bits, as there. What differs by at most 1e-6 is equal, so a
        later feature with a ratio larger by 1e-7 is not taken; a branch that lacks 1e-7 of the minimum has
        it.

        Give y as a category with all classes that the file declares, in its order: J48 counts them, in
        ``-A`` and in the minimum of a threshold, whether they have rows or not.

        Parameters
        ----------
        **overrides
            Further parameters, or other values of these, those of the dialect and of the pruning included:
            ``leaf_shares="laplace"`` is its ``-A``, ``group_values="one_vs_rest"`` its ``-B``. (With ``-A``,
            the class that J48 says of a row in parts is still that of the largest share without it.)
            ``prune="reduced_error"`` is its ``-R``: a third of the rows is held out, ties are cut, and no
            subtree is collapsed. Which rows those are, Weka draws otherwise; to have its tree, give them, as
            in ``prune=ReducedError(held_out=rows, ties="cut")``.

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
            A frame of pandas, polars or pyarrow with names and numbers, of which some may be missing; an
            array holds numbers.
        y : array-like of shape (n,)
            The classes, nothing missing. A category may declare classes without rows.
        sample_weight : array-like of shape (n,), optional
            What each row counts, finite and not negative; rows of weight 0 are left out. A number counts for
            every row.

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
            If there is no row or no column, a number is infinite, a class is missing, lengths differ, columns
            share a name, y holds numbers that are no classes or several outputs, or a parameter or a weight
            cannot be used; with ``missing="error"``, if a value is missing.
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
        """Where rows are held out, whose values a feature has: those of the other rows, or all."""
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
