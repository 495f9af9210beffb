"""C4.5: gain ratio, numbers and names, missing values (chapter 6), pessimistic pruning (chapter 14)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.base import ClassifierMixin

from dtlib.base import KEPT, ClassTree
from dtlib.prune import BY_HELD_OUT, set_apart
from dtlib.prune.error_bounds import check_confidence
from dtlib.prune.pessimistic import pessimistic
from dtlib.search.rules import RatioRules
from dtlib.table.columns import Column
from dtlib.table.parameters import check_choice, check_number
from dtlib.table.reading import class_targets
from dtlib.table.weights import checked_weight

ORIGINALS = {
    "min_samples_leaf": 2,
    "numeric_minimum": True,
    "charge": True,
    "gap": 1e-5,
    "average_slack": 1e-3,
    "many_values": 0.3,
    "threshold": "value",
    "unseen": "missing",
    "prune": "pessimistic",
}
RELEASE8 = ORIGINALS | {
    "min_split_information": 1e-3,
    "zero_gain": True,
    "collapse": "bottom_up",
    "precision": "single",
    "tolerance": 1e-7,
    "bound": "release8",
}
J48 = ORIGINALS | {"tolerance": 1e-6, "collapse": "top_down", "bound": "normal"}


class C45Classifier(ClassifierMixin, ClassTree):
    """Grow a decision tree with C4.5 (Quinlan, 1993), and prune it if told to.

    At each node, ask the feature with the largest gain ratio among those whose information gain is at least
    the average: of names, a branch for each; of numbers, whether they are at most a threshold, halfway
    between two values, where the gain is largest. Numbers may be asked again below. A node is a leaf if it is
    pure, or if no question gains anything. Ties go to the first column, then to the lowest threshold.

    Where values are missing, three rules hold. Choosing: what the rows with a known value gain counts by
    their share, and the missing ones are one more branch of the split information. Sending down: a row whose
    value is missing goes to every branch, with a part of its weight as large as the branch's share.
    Predicting: the same, so the prediction is a weighted mean over leaves.

    Parameters
    ----------
    criterion : {"gain_ratio", "gain"}, default "gain_ratio"
        By what the feature is chosen.
    average_gain : bool, default True
        Whether only features that gain at least the average of all candidates may be chosen by gain ratio.
    min_samples_leaf : float of at least 0, default 0
        The minimum weight M: at least two branches must have it, of a threshold both; a node below 2 M is a
        leaf. Whatever M, a node of parts of rows that weighs less than two rows is a leaf: else parts would
        be parted without end.
    numeric_minimum : bool, default False
        Whether both sides of a threshold must have a tenth of the known weight divided by the number of
        classes, if that is more than M; but no more than 25.
    charge : bool, default False
        Whether the gain of a threshold is lowered by log2(thresholds tried) / weight of the node.
    threshold : {"midpoint", "value"}, default "midpoint"
        What a threshold is: the middle between two values; or the largest number of the training data that
        is not above it.
    gap : float of at least 0, default 0.0
        Numbers no further apart than this are not parted.
    average_slack : float of at least 0, default 0.0
        By how much (bits) a gain may be below the average.
    many_values : float of at least 0, optional
        Names with at least this times the weight of all rows as values are left out of the average, unless
        all features are such. Default: none are.
    min_split_information : float of at least 0, default 0.0
        The split information (bits) must be larger than this.
    tolerance : float of at least 0, default 0.0
        Gains, ratios and weights are larger than others only if by more than this; and a node with less
        weight than this in other classes is pure. At least 1e-10 for gains and ratios.
    zero_gain : bool, default False
        Whether a question that gains nothing may be asked.
    collapse : {None, "bottom_up", "top_down"}, default None
        Whether a node becomes a leaf if its subtree makes no fewer errors on the training data (less 0.001);
        and whether its errors are counted after what is below was treated so, or as it was grown.
    max_depth : int of at least 0, optional
        Number of questions on the longest path; default: no limit.
    missing : {"fractional", "majority", "error"}, default "fractional"
        Where a row goes whose value is missing: to every branch in part; to the branch with the largest
        weight, of equals the first; or missing values are refused.
    unseen : {"stay", "missing"}, default "stay"
        What becomes of a name that was not among the values in training: its row ends at the node that asks;
        or it counts as missing.
    precision : {"double", "single"}, default "double"
        Read numbers as float64; or round them to float32, and add weights in float32 where it is close
        whether a threshold leaves enough.
    laplace : bool, default False
        Whether a leaf's class shares are (weight + 1) / (sum + number of classes).
    group_values : {None, "merge", "one_vs_rest"}, default None
        Whether values of a nominal feature share a branch: each has its own; or values are merged into groups
        as long as that raises the gain ratio; or a branch has one value, the other one the rest. A feature
        whose values are grouped may be asked again below.
    prune : {None, "pessimistic", "reduced_error", "pre"}, default None
        Whether the grown tree is pruned by the pessimistic estimate of its errors, see
        `dtlib.prune.pessimistic`; or by rows that it is not grown from: "reduced_error" makes a leaf of a
        subtree that makes more errors on them than that, from the bottom up; "pre" makes a split only if it
        makes fewer errors on them than none, from the top down. By default it is not pruned, so that the tree
        shows what the rules of growing do, and pruning can be seen beside it; `release8` and `j48` prune, as
        the programs do.
    confidence : float above 0 and at most 0.5, default 0.25
        The confidence CF of the estimate: the smaller, the more is pruned. With ``bound="release8"``, at
        most 1.
    raising : bool, default True
        Whether the largest branch of a node may take its place.
    bound : {"binomial", "normal", "release8"}, default "binomial"
        How many errors are added to those of a leaf: by the exact binomial bound that Quinlan's book defines;
        or as the programs approximate it, see `dtlib.prune.added_errors`.
    held_out : float between 0 and 1 or array-like, default 0.3
        If held-out rows prune the tree: their share, drawn from each class alike where there are enough; or
        their positions, counted from 0; or a mask that is True for them.
    random_state : int, RandomState, optional
        Seed of that draw; nothing else is drawn. Default: another draw in every fit.
    keep_data : bool, optional
        Whether the tree keeps its training data, which `tree_.explain` needs; default: if they have at most
        2**20 cells.

    Attributes
    ----------
    tree_ : Tree
        The tree: `explain`, `trace`, `rules`, drawing, export; if it was pruned, `pruned_from` and `steps`.
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
        Share of each feature in the decrease of entropy; all 0 if the tree is one leaf.

    Notes
    -----
    Columns of a frame are names (category, string, object, bool) or numbers; NaN, None and pd.NA are missing.
    The order of ordered categories does not count. A number that is infinite is refused.

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
    >>> from dtlib import C45Classifier, load_watermelon
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

    def __init__(
        self,
        *,
        criterion: str = "gain_ratio",
        average_gain: bool = True,
        min_samples_leaf: float = 0,
        numeric_minimum: bool = False,
        charge: bool = False,
        threshold: str = "midpoint",
        gap: float = 0.0,
        average_slack: float = 0.0,
        many_values: float | None = None,
        min_split_information: float = 0.0,
        tolerance: float = 0.0,
        zero_gain: bool = False,
        collapse: str | None = None,
        max_depth: int | None = None,
        missing: str = "fractional",
        unseen: str = "stay",
        precision: str = "double",
        laplace: bool = False,
        group_values: str | None = None,
        prune: str | None = None,
        confidence: float = 0.25,
        raising: bool = True,
        bound: str = "binomial",
        held_out: float | ArrayLike = 0.3,
        random_state: Any = None,
        keep_data: bool | None = None,
    ):
        self.criterion = criterion
        self.average_gain = average_gain
        self.min_samples_leaf = min_samples_leaf
        self.numeric_minimum = numeric_minimum
        self.charge = charge
        self.threshold = threshold
        self.gap = gap
        self.average_slack = average_slack
        self.many_values = many_values
        self.min_split_information = min_split_information
        self.tolerance = tolerance
        self.zero_gain = zero_gain
        self.collapse = collapse
        self.max_depth = max_depth
        self.missing = missing
        self.unseen = unseen
        self.precision = precision
        self.laplace = laplace
        self.group_values = group_values
        self.prune = prune
        self.confidence = confidence
        self.raising = raising
        self.bound = bound
        self.held_out = held_out
        self.random_state = random_state
        self.keep_data = keep_data

    @classmethod
    def release8(cls, **overrides: Any) -> Self:
        """Return an estimator that grows and prunes the tree of Quinlan's C4.5 Release 8.

        What it sets, and why it matters:

        - ``min_samples_leaf=2`` (its ``-m``): few rows prove little; here nothing is forbidden.
        - ``numeric_minimum=True``: a threshold must leave more on both sides where there are many rows.
        - ``charge=True``: many thresholds are tried and the best one is taken, so that numbers would gain
          more than names by chance alone.
        - ``average_slack=1e-3``, ``many_values=0.3``, ``min_split_information=1e-3``: a feature may gain a
          little less than the average; an id does not raise the average for all others; a split that puts
          almost everything in one branch has a gain ratio near 0 / 0, and is not asked.
        - ``threshold="value"``: the tree shows numbers that occur. Rows between that value and the midpoint
          are predicted otherwise.
        - ``gap=1e-5``, ``precision="single"``, ``tolerance=1e-7``: it computes in float32. Where gains differ
          by less than float32 tells, its choice can be another one than this.
        - ``zero_gain=True``, ``collapse="bottom_up"``: it asks what gains nothing, and makes a leaf
          of a subtree that makes no fewer errors.
        - ``unseen="missing"``: a name that is no value of the feature is treated as missing.
        - ``prune="pessimistic"``, ``confidence=0.25`` (its ``-c 25``), ``raising=True``,
          ``bound="release8"``: it prunes with a normal quantile from a short table. ``prune=None`` gives the
          unpruned tree, which it prints too.

        What stays different: where no row took a branch, the class shares are those of the node above; there,
        its majority class has all. With ``-s``, it takes away branches whose names are excluded by a question
        above, to which no row can come.

        Parameters
        ----------
        **overrides
            Further parameters, or other values of these: ``criterion="gain"`` is its ``-g``;
            ``group_values="merge"`` is its ``-s``, and then sets ``many_values=None``: with ``-s``, all
            features count in the average.

        Returns
        -------
        C45Classifier
            Not fitted.

        Examples
        --------
        >>> from dtlib import C45Classifier, load_golf
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
        all_count = {"many_values": None} if overrides.get("group_values") == "merge" else {}
        return cls(**(RELEASE8 | all_count | overrides))

    @classmethod
    def j48(cls, **overrides: Any) -> Self:
        """Return an estimator that grows and prunes the tree of Weka's J48 (version 3.9).

        What it sets, and why it matters:

        - ``min_samples_leaf=2`` (its ``-M``), ``numeric_minimum=True``, ``charge=True`` (``-J`` sets it
          False), ``average_slack=1e-3``, ``many_values=0.3``, ``gap=1e-5``, ``unseen="missing"``: as in
          Release 8.
        - ``threshold="value"``: as in Release 8 (``-doNotMakeSplitPointActualValue`` sets "midpoint").
        - ``tolerance=1e-6``: what differs by less is equal, so a later feature with a ratio larger by 1e-7 is
          not taken; a branch that lacks 1e-7 of the minimum has it.
        - ``collapse="top_down"`` (``-O`` sets None): a subtree counts with the errors that it had before
          anything below was collapsed; Release 8 counts those after.
        - ``prune="pessimistic"`` (``-U`` sets None), ``confidence=0.25`` (its ``-C``), ``raising=True``
          (``-S`` sets it False), ``bound="normal"``: the same pruning with the exact normal quantile.
        - Not set: it asks nothing that gains nothing, and any split information above 0 will do.

        Parameters
        ----------
        **overrides
            Further parameters, or other values of these: ``laplace=True`` is its ``-A``,
            ``group_values="one_vs_rest"`` its ``-B``.

        Returns
        -------
        C45Classifier
            Not fitted.

        Examples
        --------
        >>> from dtlib import C45Classifier, load_golf
        >>> golf = load_golf()
        >>> C45Classifier.j48().fit(golf.X, golf.y).get_n_leaves()
        5
        """
        return cls(**(J48 | overrides))

    def fit(self, X: ArrayLike | pd.DataFrame, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Grow the tree, and prune it if told to.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n, d)
            Names and numbers, of which some may be missing; an array holds numbers.
        y : array-like of shape (n,)
            The classes, nothing missing.
        sample_weight : array-like of shape (n,), optional
            What each row counts, finite and not negative; rows of weight 0 are left out. A number counts for
            every row.

        Returns
        -------
        self

        Raises
        ------
        TypeError
            If a column holds neither names nor real numbers (dates, say), or mixes types; if X is sparse,
            or an array of text; if a column name is no text, or classes are of several types.
        ValueError
            If there is no row or no column, a number is infinite, a class is missing, lengths differ, columns
            share a name, y holds numbers that are no classes or several outputs, or a parameter or a weight
            cannot be used; with ``missing="error"``, if a value is missing.
        """
        self._forget()
        self._check_parameters()
        X = self._read(X, reset=True)
        target, *more = class_targets(y, len(X))
        if more:
            raise ValueError(f"y has {len(more) + 1} outputs; C4.5 predicts one: grow a tree for each")
        codes, weight = target.codes, checked_weight(sample_weight, len(X))
        kept = np.unique(codes if weight is None else codes[weight > 0])
        codes = np.searchsorted(kept[:-1], codes)  # a row that does not count may get any class
        self.classes_ = np.asarray(target.values)[kept]
        self.n_classes_ = len(kept)
        held_out = self.held_out if self.prune in BY_HELD_OUT else None
        targets = [Column("class", self.classes_, codes)]
        apart = set_apart(held_out, X, targets, weight, self.random_state)
        keep = True if self.prune == "pessimistic" else self.keep_data  # raising needs the data
        self._grow(*apart.grown, self._rules(), keep, prune=apart.by(self.prune))
        if self.prune == "pessimistic":
            self._prune(X.shape[0] * X.shape[1] <= KEPT if self.keep_data is None else self.keep_data)
        return self

    def _prune(self, keep: bool) -> None:
        """Prune the tree, and forget the data it was grown from unless they are kept."""
        tree = pessimistic(self.tree_, self.confidence, self.raising, self.bound)
        if not keep:
            tree = replace(tree, training=None, pruned_from=replace(self.tree_, training=None))
        self.tree_ = tree

    def _rules(self) -> RatioRules:
        return RatioRules(
            choose_by=self.criterion, average_gain=bool(self.average_gain), average_slack=self.average_slack,
            many_values=self.many_values, min_information=self.min_split_information,
            min_leaf=self.min_samples_leaf, numeric_minimum=bool(self.numeric_minimum),
            charge=bool(self.charge), gap=self.gap, tolerance=self.tolerance, zero_gain=bool(self.zero_gain),
            threshold=self.threshold, collapse=self.collapse, max_depth=self.max_depth, missing=self.missing,
            single=self._single, group_values=self.group_values,
        )  # fmt: skip

    def _check_parameters(self) -> None:
        """Say what is wrong with the parameters."""
        check_choice("criterion", self.criterion, ("gain_ratio", "gain"))
        check_choice("threshold", self.threshold, ("midpoint", "value"))
        check_choice("collapse", self.collapse, (None, "bottom_up", "top_down"))
        check_choice("missing", self.missing, ("fractional", "majority", "error"))
        check_choice("unseen", self.unseen, ("stay", "missing"))
        check_choice("precision", self.precision, ("double", "single"))
        check_choice("group_values", self.group_values, (None, "merge", "one_vs_rest"))
        check_choice("prune", self.prune, (None, "pessimistic", *BY_HELD_OUT))
        check_choice("raising", self.raising, (True, False))
        check_confidence(self.confidence, self.bound)
        check_choice("keep_data", self.keep_data, (None, True, False))
        for name in ("average_gain", "numeric_minimum", "charge", "zero_gain", "laplace"):
            check_choice(name, getattr(self, name), (True, False))
        for name in ("min_samples_leaf", "gap", "average_slack", "min_split_information", "tolerance"):
            check_number(name, getattr(self, name), 0)
        if self.many_values is not None:
            check_number("many_values", self.many_values, 0)
        if self.max_depth is not None:
            check_number("max_depth", self.max_depth, 0, whole=True)
