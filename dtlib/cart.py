"""CART: binary splits by impurity (chapters 9 and 10)."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.base import clone
from sklearn.utils import Bunch, check_random_state

from dtlib.base import ClassTree, NumberTree, TreeEstimator, features_drawn, in_all
from dtlib.counting.criteria import CRITERIA, criterion_of, names_read
from dtlib.dialects.rpart_and_sklearn import (
    CART_DIALECTS,
    CARTDialect,
    in_dialect,
    rpart_options,
)
from dtlib.dialects.rpart_ties import Rounding, altered, shares_in_r, shares_in_rpart
from dtlib.growing.by_score import TOGETHER, grow_by_score, grow_each
from dtlib.prune import pruning_path
from dtlib.prune.cross_validation import Grow, parts_of
from dtlib.prune.pruners import (
    ComplexityParameter,
    CostComplexity,
    CrossValidated,
    FitContext,
    HoldoutValidated,
    PrePruned,
    Pruning,
    ReducedError,
)
from dtlib.search.rules import MISSING_POLICIES, BySurrogates, Rules
from dtlib.table.columns import Column
from dtlib.table.parameters import Declared, Number
from dtlib.table.reading import class_targets, in_declared_order
from dtlib.table.training import Training, stack_training
from dtlib.table.weights import Prior, checked_weight, priors, weigh_classes, with_costs
from dtlib.tree.leaf_shares import ESTIMATES, LeafShares
from dtlib.tree.tree import Tree


class CART(TreeEstimator):
    """What classification and regression share: the rules that the parameters make."""

    class_weight: dict | list | str | Prior | None = None

    _declared: ClassVar[Declared] = {
        "nominal": ("subset", "ordered", "one_vs_rest"),
        "max_depth": (None, Number(0, whole=True)),
        "min_samples_split": (Number(0),),
        "min_samples_leaf": (Number(0),),
        "min_weight_fraction_leaf": (Number(0, high=0.5),),
        "min_impurity_decrease": (Number(0),),
        "max_leaf_nodes": (None, Number(1, whole=True)),
        "max_features": (None, "sqrt", "log2", Number(1, whole=True), Number(0, above=True, high=1)),
        "missing": (*MISSING_POLICIES, BySurrogates),
        "prune": (
            None, "cv", "validation", "reduced_error", "pre", CrossValidated, HoldoutValidated, ReducedError,
            PrePruned, ComplexityParameter,
        ),
        "ccp_alpha": (Number(0),),
        "dialect": (None, *CART_DIALECTS, CARTDialect),
        "keep_data": (None, True, False),
    }  # fmt: skip

    def __init__(
        self,
        *,
        criterion: str,
        nominal: str,
        max_depth: int | None,
        min_samples_split: float,
        min_samples_leaf: float,
        min_weight_fraction_leaf: float,
        min_impurity_decrease: float,
        max_leaf_nodes: int | None,
        max_features: int | float | str | None,
        missing: str | BySurrogates,
        prune: str | Pruning | None,
        ccp_alpha: float,
        random_state: Any,
        dialect: str | CARTDialect | None,
        keep_data: bool | None,
    ):
        self.criterion = criterion
        self.nominal = nominal
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.min_impurity_decrease = min_impurity_decrease
        self.max_leaf_nodes = max_leaf_nodes
        self.max_features = max_features
        self.missing = missing
        self.prune = prune
        self.ccp_alpha = ccp_alpha
        self.random_state = random_state
        self.dialect = dialect
        self.keep_data = keep_data

    @property
    def _dialect(self) -> CARTDialect:
        """The settings of the dialect."""
        if isinstance(self.dialect, CARTDialect):
            return self.dialect
        return CART_DIALECTS.get(str(self.dialect), CARTDialect)()

    @property
    def _impurity(self) -> str:
        """The criterion by its name here: scikit-learn has two names for the entropy."""
        return self.criterion if self.criterion in CRITERIA else names_read()[self.criterion]

    def _missing(self) -> tuple[str, BySurrogates | None]:
        """Return what becomes of rows whose value is missing, and which questions may stand in."""
        how = BySurrogates() if self.missing == "surrogate" else self.missing
        if isinstance(how, str):
            return how, None
        return "surrogate" if how.use_surrogates else "stay", clone(how) if how.are_sought else None

    def _check(self) -> None:
        """Say what is wrong with the parameters."""
        super()._check()
        if self.ccp_alpha and self.prune is not None:
            raise ValueError(
                f"ccp_alpha is {self.ccp_alpha!r} and prune is {self.prune!r}: both say how far to prune, "
                f"wanted one of them"
            )
        if criterion_of(self._impurity).scorer is None and self.nominal == "one_vs_rest":
            raise ValueError(
                f"nominal is 'one_vs_rest', which {self._impurity} does not have: wanted 'subset'"
            )

    def _way(self) -> Pruning:
        """Return how the tree is pruned."""
        return CostComplexity(self.ccp_alpha) if self.ccp_alpha else super()._way()

    def _code(
        self,
        X: pd.DataFrame | np.ndarray,
        targets: Sequence[Column],
        weight: np.ndarray | None,
        case_weight: np.ndarray | None = None,
    ) -> Training:
        """Read the columns; rpart counts the classes that are declared, with rows or without."""
        if self._dialect.ties == "rounding":
            targets = [replace(target, unused=()) for target in targets]
        return super()._code(X, targets, weight, case_weight)

    def _grower(self, job: FitContext) -> Grow:
        """Return what grows a tree from training data, or one from each of several parts of them."""
        ties = self._rounding(job) if self._dialect.ties == "rounding" else None

        def growing(data: Training, parts: Sequence[np.ndarray] | None = None) -> list[Tree]:
            some = parts_of(data, parts)
            every = [self._rules(x.shape[1], x.total_weight, x.shape[0], ties) for x in some]
            cells, alike = sum(math.prod(x.shape) for x in some), all(rules == every[0] for rules in every)
            if len(some) > 1 and cells <= TOGETHER and alike and every[0].is_local:
                together, tree_of = stack_training(some)
                grown = grow_each(together, every[0], len(some), tree_of)
            else:
                here = every if ties is None else rules_in_order(every, ties.over(data), parts)
                grown = [grow_by_score(x, own) for x, own in zip(some, here, strict=True)]
            return [self._planted(*one, job) for one in zip(grown, every, some, strict=True)]

        return growing

    def _rules(self, n: int, total: float, d: int, ties: Rounding | None = None) -> Rules:
        """Return the rules for n rows of this weight and d features."""
        k, dialect = features_drawn(self.max_features, d), self._dialect
        missing, surrogates = self._missing()
        seed = None if k is None else int(check_random_state(self.random_state).randint(2**31 - 1))
        return Rules(
            criterion=self._impurity, nominal=self.nominal, max_depth=self.max_depth,
            **self._limits(n, total), min_impurity=dialect.min_impurity,
            min_decrease=self.min_impurity_decrease, zero_gain=bool(dialect.zero_gain),
            max_leaf_nodes=self.max_leaf_nodes, max_features=k, seed=seed,
            gap=1e-7 if self._single else 0.0, missing=missing, surrogates=surrogates,
            strict=dialect.strict, ties=ties,
            zero_weight=dialect.zero_weight == "count" and missing != "fractional",
        )  # fmt: skip

    def _rounding(self, job: FitContext) -> Rounding:
        """Return what rpart computes with, or say that it would not."""
        if are_survival_times(job.targets):
            raise ValueError(
                "y has two columns, of which the second has two values, as the status in R's Surv(time, "
                "status): there is no survival tree here. Wanted one column, or ties='first' if both are "
                "outputs to be predicted"
            )
        name = criterion_of(self._impurity).rpart
        if len(job.targets) > 1 or name is None:
            several = f"y has {len(job.targets)} outputs" if len(job.targets) > 1 else ""
            what = several or f"criterion is {self.criterion!r}"
            raise ValueError(f"ties='rounding' does as rpart does, but {what}: wanted ties='first'")
        if name == "anova":
            return Rounding(None, False)
        target = job.targets[0]
        K = len(target.values)
        own = np.ones(len(target.codes)) if job.case_weight is None else job.case_weight
        weighed = weigh_classes(self.class_weight, list(job.targets), own)
        assert weighed is not None
        prior = shares_in_r(target.codes, weighed, K)
        if isinstance(self.class_weight, Prior):
            prior = priors(self.class_weight, target, np.bincount(target.codes, own, K))
        loss = 1.0 - np.eye(K) if job.loss is None else job.loss
        of_class = altered(prior, loss, shares_in_rpart(target.codes, own, K))
        return Rounding(of_class, {"gini": False, "information": True}[name])

    def _limits(self, n: int, total: float) -> dict[str, Any]:
        """Return how large nodes must be, in weight or in rows; a fraction is a share of all of it."""
        dialect = self._dialect
        share = self.min_weight_fraction_leaf * total
        amount = n if dialect.samples == "rows" else total
        split, leaf = (in_all(x, amount) for x in (self.min_samples_split, self.min_samples_leaf))
        if dialect.samples == "weight":
            leaf = max(leaf, share)
            return {"min_split": max(split, 2 * share), "min_leaf": leaf}
        split, leaf = int(np.ceil(split)), int(np.ceil(leaf))
        rows = {"min_split_rows": max(2, split, 2 * leaf), "min_leaf_rows": max(1, leaf)}
        return rows | {"min_split": 2 * share, "min_leaf": share}

    def cost_complexity_pruning_path(
        self, X: ArrayLike | pd.DataFrame, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> Bunch:
        """Grow a tree, and list at which `ccp_alpha` it loses which impurity, as scikit-learn does.

        Parameters
        ----------
        X, y, sample_weight
            As for `fit`. The estimator itself stays as it is.

        Returns
        -------
        Bunch
            `ccp_alphas`: 0 for the full tree, then the alpha of each cut, ascending. `impurities`: those of
            the leaves that are left, each times its share of all weight. Cuts below one another that come at
            the same alpha are one cut.

        Examples
        --------
        >>> from dtlib import CARTClassifier
        >>> from dtlib.datasets import load_loan
        >>> loan = load_loan()
        >>> path = CARTClassifier().cost_complexity_pruning_path(loan.X, loan.y)
        >>> path.ccp_alphas, path.impurities
        (array([0.  , 0.24]), array([0.  , 0.48]))
        """
        model = clone(self).set_params(ccp_alpha=0.0, prune=None)
        return Bunch(**pruning_path(model.fit(X, y, sample_weight).tree_, "impurity").as_sklearn_path())

    @classmethod
    def sklearn(cls, **overrides: Any) -> Self:
        """Return an estimator that grows scikit-learn's tree.

        What it sets, and why (all but `min_samples_split` and `min_samples_leaf` in its dialect):

        - ``samples="rows"``, ``min_samples_split=2``, ``min_samples_leaf=1``: scikit-learn counts rows,
          whatever they weigh; here samples are weight, so that a row of weight 2 is the row twice.
        - ``zero_gain=True``: scikit-learn splits a node even if no split lowers the impurity; here such a
          node is a leaf, as a question that tells nothing is not asked.
        - ``precision="single"``: scikit-learn rounds features to float32, and does not part numbers that
          are no more than 1e-7 apart; here every number with a float64 of its own is told from the others.
        - ``min_impurity=2.2e-16``: scikit-learn calls a node pure if its impurity is at most that; here a
          node is pure if it has one class, or one number.

        What stays different: of equal splits, scikit-learn takes one by chance (`random_state`), this the
        first column and the lowest threshold; features are drawn for `max_features` among those that can
        split the node, and by another generator; ``min_samples_leaf=1.0`` is one row, not all of them. The
        nodes are numbered level by level, scikit-learn's depth first.

        Parameters
        ----------
        **overrides
            Further parameters, or other values of these, those of the dialect included.

        Returns
        -------
        CARTClassifier or CARTRegressor
            Not fitted.

        Examples
        --------
        >>> from sklearn.tree import DecisionTreeRegressor
        >>> from dtlib import CARTRegressor
        >>> from dtlib.datasets import load_regression_points
        >>> points = load_regression_points()
        >>> ours = CARTRegressor.sklearn(max_depth=2).fit(points.X, points.y)
        >>> theirs = DecisionTreeRegressor(max_depth=2).fit(points.X, points.y)
        >>> bool((ours.predict(points.X) == theirs.predict(points.X)).all())
        True
        """
        return cls(**in_dialect("sklearn", {"min_samples_split": 2, "min_samples_leaf": 1} | overrides))

    @classmethod
    def rpart(cls, **overrides: Any) -> Self:
        """Return an estimator that grows the tree of R's rpart (version 4.1.19) with its own defaults.

        What it sets, and why it matters:

        - ``min_samples_split=20``, ``min_samples_leaf=7`` (rpart's ``minsplit`` and ``minbucket``; if one of
          them is given the other follows, as there: a third, or three times), ``samples="rows"``,
          ``max_depth=30``: small nodes are not split. Of a feature with missing values, only the rows count
          that know it.
        - ``prune=ComplexityParameter(cp=0.01)``: a split must pay: subtrees that save less than this share of
          the root's risk, for each of their splits, are cut off (the option ``cp=-1`` keeps all, and is
          handed to the way of pruning, if you give one; ``prune=None`` prunes nothing).
        - ``missing=BySurrogates(...)`` with ``max_surrogates=5``, ``fallback="majority"`` (its
          ``usesurrogate=2``; ``fallback="stay"`` is 1, and ``missing="stay"`` is 0),
          ``agreement="all"`` (its ``surrogatestyle=0``; "known" is 1); ``unseen="missing"``.
        - A slip in rpart, which no parameter sets. Its comment says that a surrogate must send at least two
          rows each way; for a categorical feature it counts the rows sent as the split sends them, and those
          that are not. So a categorical feature that agrees with the split in all rows is no surrogate.
        - ``nominal="ordered"``: two groups of names are a cut of their order by the mean, even where
          ``min_samples_leaf`` forbids the best cut and other groups would gain more.
        - ``ties="rounding"``: of equal splits and of equal surrogates, here the first column and the lowest
          threshold win; there, what comes out largest when floats are added up row by row, in the order in
          which a quicksort has left the rows.
        - ``zero_weight="count"``: rows of weight 0 count in `min_samples_split` and as values between which
          surrogates cut, but in no split; here they are left out.
        - A value equal to a threshold goes with the larger ones, which no parameter sets either.
        - ``class_order="declared"``: of equal classes, the first level is predicted.

        The ``improve`` of its `summary` is `gain` times the node's weight (in nats for "information"), for
        numbers `gain` by `impurity`: see ``tree_.trace(candidates=True)``.

        What stays different: the first branch has the numbers up to the threshold, or the group with the
        first name; rpart's left branch is the one with the smaller mean. Several outputs and absolute error,
        which rpart does not have, need ``ties="first"``; survival trees, which it has, are not here. Rows
        that miss every feature are left out there (unless weights are given), and should be here. For more
        than two classes, groups of more than 14 names are not all tried, and rows of a class whose prior is
        0 count as those of weight 0. Of classes that cost the same, the first is predicted; there, rounding
        decides.

        Slips that are not copied. When rpart prunes, it never undoes a cut: a node that should go before one
        below it is compared with a branch that has lost the lower node already. When it cross-validates, it
        reads a loss transposed (issues 65 and 74 of its repository). So CP and xerror of `cptable_` may
        differ from rpart's: here they are those of the subtrees that cost least. With a `cp` above 0, rpart
        at times keeps less than its own ``prune`` does from the full tree, which is what is kept here; with
        one below 0, a node whose targets are all equal may stop all splits after it. A list of exactly two
        competitors or surrogates forgets both when a better one comes. With no surrogates allowed, rows stay
        in training and take the larger branch later. Entropy of weights such as 0.1 may be NaN there, and a
        question may be asked that gains nothing but for rounding.

        Parameters
        ----------
        **overrides
            Further parameters, or other values of these, by the names above. ``criterion="entropy"`` is its
            ``split = "information"``; `prior` and `loss` are as there. For R's own names, such as minsplit, a
            message says the name here.

        Returns
        -------
        CARTClassifier or CARTRegressor
            Not fitted.

        Examples
        --------
        >>> from dtlib import CARTClassifier
        >>> from dtlib.datasets import load_loan
        >>> loan = load_loan()
        >>> CARTClassifier.rpart(min_samples_split=2).fit(loan.X, loan.y).get_n_leaves()
        3
        """
        return cls(**rpart_options(overrides))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        costs = isinstance(self.class_weight, Prior) or getattr(self, "loss", None) is not None
        tags.target_tags.multi_output = not costs and self._dialect.ties == "first"
        return tags


def are_survival_times(targets: Sequence[Column]) -> bool:
    """Tell whether what is to be predicted looks like R's ``Surv(time, status)``.

    Examples
    --------
    >>> time, status = np.array([2.5, 4.0, 7.0]), np.array([0, 1])
    >>> columns = [Column("y", x, np.arange(3) % len(x), "numeric") for x in (time, status)]
    >>> are_survival_times(columns), are_survival_times(columns[::-1]), are_survival_times(columns[:1])
    (True, False, False)
    """
    if len(targets) != 2:
        return False
    time, status = (np.asarray(target.values) for target in targets)
    if time.dtype.kind not in "iuf" or status.dtype.kind not in "iufb":
        return False
    is_status = len(status) == 2 and status.tolist() in ([0, 1], [1, 2])  # R takes both
    return bool(is_status and len(time) > 2 and time.min() >= 0)


def rules_in_order(every: Sequence[Rules], ties: Rounding, parts: Sequence[np.ndarray] | None) -> list[Rules]:
    """Return the rules for parts of the rows of a fit, by default for all, whose order rpart's sums keep."""
    each = [ties] if parts is None else [ties.part(rows) for rows in parts]
    return [replace(rules, ties=own) for rules, own in zip(every, each, strict=True)]


class CARTClassifier(ClassTree, CART):
    """Grow a classification tree with CART (Breiman, Friedman, Olshen and Stone, 1984).

    At each node, ask the question with two answers that lowers the impurity most: whether a number is at
    most a threshold, halfway between two values; or to which of two groups a name belongs. A feature may be
    asked again below. Ties go to the first column, then to the lowest threshold or the first group.

    Parameters
    ----------
    criterion : {"gini", "entropy", "misclassification", "log_loss"}, default "gini"
        The impurity: Gini index [1]_, entropy (bits; "log_loss" is its name in scikit-learn, too), or
        classification error.
    nominal : {"subset", "ordered", "one_vs_rest"}, default "subset"
        How names split: into two groups of values, or into one value and the rest. For two classes, the
        best groups are found [1]_; for more, all groups of up to 14 values are tried, and of more values
        only the cuts in the order of their first principal component [2]_. This is a heuristic, as are cuts
        in an order where a branch must have more rows than the best of them leaves: of up to 14 values, all
        groups are tried then, too, and ``tree_.heuristic_features`` says which features had more. "ordered"
        tries for two classes only the cuts in the order of their shares, whatever a branch must have.
    max_depth : int of at least 0, optional
        Number of questions on the longest path; default: no limit.
    min_samples_split : int or float of at least 0, default 0
        A node is split only if it has at least this weight. A float below 1 is a share of all weight.
    min_samples_leaf : int or float of at least 0, default 0
        A split must leave each branch at least this weight. A float below 1 is a share of all weight.
    min_weight_fraction_leaf : float from 0 to 0.5, default 0.0
        A split must leave each branch at least this share of all weight, whatever counts as a sample.
    min_impurity_decrease : float of at least 0, default 0.0
        A split must lower the impurity by at least this (in its own unit, bits for entropy), times the
        node's share of all weight.
    max_leaf_nodes : int of at least 1, optional
        Keep the splits that lower the impurity of the whole tree most, best first, until there are so many
        leaves; default: no limit.
    max_features : int of at least 1, float in (0, 1], "sqrt" or "log2", optional
        Consider so many features at each node (a share, the root or the logarithm of their number, rounded
        down, at least 1), drawn anew among those that can split it; default: all.
    missing : {"error", "stay", "majority", "fractional", "surrogate"} or BySurrogates, default "error"
        What becomes of rows whose value is missing where it is asked, in training and later. A split is
        always chosen by the rows that know the feature, and its decrease counts by their share. Then such a
        row is refused; ends at the node that asks; takes the branch of the largest weight; is divided among
        the branches by their weights, and predicted by the weighted mean; or is sent by surrogates,
        questions about other features that send the other rows most alike [3]_; `dtlib.BySurrogates` says
        which. Parts of rows are not split below the weight of two rows; with many holes a deep tree has many
        parts, and takes its time. None of these asks whether a value is missing: where that tells the class
        or the number, add a column that says so.
    prune : {"cv", "validation", "reduced_error", "pre"} or Pruning, optional
        How the grown tree is pruned: an object of `dtlib.prune`, or a word for one with its default settings.
        `CrossValidated` and `HoldoutValidated` ("cv", "validation") choose the price of a leaf by rows that
        were not grown from [4]_: by cross-validation, after which the tree of all rows is pruned at that
        price; or by rows held out. These can also decide node by node: `ReducedError` makes a leaf of a
        subtree that makes more errors on them than that, from the bottom up; `PrePruned` ("pre") makes a
        split only if it makes fewer errors on them than none, from the top down. `ComplexityParameter` is
        rpart's `cp`. Default: only as `ccp_alpha` says.
    ccp_alpha : float of at least 0, default 0.0
        Cut off subtrees that lower the impurity, times the node's share of all weight, by no more than this
        for each leaf they add: minimal cost-complexity pruning, as in scikit-learn. 0 cuts nothing.
    class_weight : dict, list of dict, "balanced" or Prior, optional
        By what the weight of a row is multiplied: a number for each class (1 if it is not named), for
        several outputs a dict for each of them; "balanced" gives each class the same total (rows are
        counted for that, whatever they weigh); `dtlib.Prior` gives each class its share of all weight.
    loss : DataFrame or array-like of shape (n_classes, n_classes), optional
        What it costs to predict the class of the column where that of the row is true; 0 on the diagonal. A
        DataFrame has the classes as index and as columns; an array has them in the order of `classes_`, and
        is refused where a categorical y declares another order.
        A node predicts what costs least, and the priors are altered for growing [1]_ (section 4.4); default:
        every error costs 1.
    leaf_shares : {"frequency", "laplace", "m_estimate", "m_branch"} or LeafShares, default "frequency"
        What the leaves say of the classes, and with that `predict_proba` and the exports: relative
        frequencies; or estimates that trust few rows less, see `dtlib.LeafShares`, which can also undo
        `class_weight` and the part of the loss in the weights. The tree is the same.
    random_state : int, RandomState, optional
        Seed of the draws of `max_features` and of rows held out; nothing else is drawn. Default: other draws
        in every fit.
    dialect : {None, "sklearn", "rpart"} or CARTDialect, default None
        Rules of growing in which other programs differ, see `dtlib.dialects.CARTDialect`. `sklearn` and
        `rpart` set it, and more.
    keep_data : bool, optional
        Whether the tree keeps its training data, which `tree_.explain` needs; default: if they have at most
        2**20 cells. In an ensemble, False saves a copy of them for each tree.

    Attributes
    ----------
    tree_ : Tree
        The tree: `explain`, `trace`, `rules`, drawing, export; if it was pruned, `pruned_from` and `steps`.
    classes_ : ndarray of shape (n_classes,), or a list of them
        The classes of the output, sorted; of a categorical y all its categories, see `predict_proba`. Of
        several outputs, those of each.
    n_classes_ : int, or a list of them
        The number of classes.
    n_outputs_ : int
        The number of outputs.
    n_features_in_ : int
        The number of features.
    max_features_ : int
        How many of them a node considers.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if X was a frame whose columns have names of text.
    feature_importances_ : ndarray of shape (n_features_in_,)
        Share of each feature in the decrease of impurity; all 0 if the tree is one leaf.
    pruning_path_ : PruningPath
        With `CrossValidated` or `HoldoutValidated`, or a `ccp_alpha` above 0: all subtrees among which was
        chosen, see `dtlib.prune.pruning_path`.
    cptable_ : DataFrame
        With `CrossValidated` or `HoldoutValidated`: rpart's table of the subtrees, the root first. Where
        rpart's pruning or its reading of a loss slips, CP and xerror here are those of the subtrees that cost
        least; see `dtlib.prune.cp_table`.
    alpha_ : float
        With `CrossValidated` or `HoldoutValidated`: the price of a leaf that was chosen, in the unit of the
        path.

    Notes
    -----
    Columns of a frame are names (category, string, object, bool), names in an order (ordered category) or
    numbers. Names in an order are asked like numbers: whether a name comes up to another one
    in the order. NaN, None, pd.NA and what is masked (`numpy.ma`) are missing. A column whose label is no
    text, such as a whole number, is called what `str` makes of it. The `counts` of a tree with class weights
    or a loss are the weights by which it was grown.

    Where Numba is installed, tables of numbers are shared out among as many threads as joblib is told to
    use, one if it is told nothing: ``with joblib.parallel_config(n_jobs=2): cart.fit(X, y)``. The tree is the
    same.

    References
    ----------
    .. [1] L. Breiman, J. H. Friedman, R. A. Olshen, C. J. Stone, "Classification and Regression Trees"
       (1984), chapters 2 and 4; section 4.2 and theorem 4.5 on groups of names.
    .. [2] D. Coppersmith, S. J. Hong, J. R. M. Hosking, "Partitioning nominal attributes in decision
       trees", Data Mining and Knowledge Discovery 3 (1999) 197-217.
    .. [3] Breiman et al. [1]_, section 5.3; T. M. Therneau, E. J. Atkinson, "An introduction to recursive
       partitioning using the RPART routines", Mayo Foundation.
    .. [4] Breiman et al. [1]_, chapters 3 and 10.

    Examples
    --------
    >>> from dtlib import CARTClassifier
    >>> from dtlib.datasets import load_watermelon
    >>> melons = load_watermelon("3.0")
    >>> cart = CARTClassifier(max_depth=2).fit(melons.X, melons.y)
    >>> print(cart.tree_)
    root (no 9, yes 8)
    ├── texture = clear (no 2, yes 7)
    │   ├── density ≤ 0.3815 (no 2, yes 0) → no
    │   └── density > 0.3815 (no 0, yes 7) → yes
    └── texture in {slightly blurry, blurry} (no 7, yes 1)
        ├── color in {green, pale} (no 6, yes 0) → no
        └── color = dark (no 1, yes 1) → no
    >>> cart.predict(melons.X.head(2))
    array(['yes', 'yes'], dtype=object)
    >>> cart.predict_proba(melons.X.head(1))
    array([[0., 1.]])
    """

    _declared: ClassVar[Declared] = {
        "criterion": ("gini", "entropy", "misclassification", "log_loss"),
        "leaf_shares": (*ESTIMATES, LeafShares),
        **CART._declared,
    }

    def __init__(
        self,
        *,
        criterion: str = "gini",
        nominal: str = "subset",
        max_depth: int | None = None,
        min_samples_split: float = 0,
        min_samples_leaf: float = 0,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_leaf_nodes: int | None = None,
        max_features: int | float | str | None = None,
        missing: str | BySurrogates = "error",
        prune: str | Pruning | None = None,
        ccp_alpha: float = 0.0,
        class_weight: dict | list | str | Prior | None = None,
        loss: pd.DataFrame | ArrayLike | None = None,
        leaf_shares: str | LeafShares = "frequency",
        random_state: Any = None,
        dialect: str | CARTDialect | None = None,
        keep_data: bool | None = None,
    ):
        super().__init__(
            criterion=criterion, nominal=nominal, max_depth=max_depth, min_samples_split=min_samples_split,
            min_samples_leaf=min_samples_leaf, min_weight_fraction_leaf=min_weight_fraction_leaf,
            min_impurity_decrease=min_impurity_decrease, max_leaf_nodes=max_leaf_nodes,
            max_features=max_features,
            missing=missing, prune=prune, ccp_alpha=ccp_alpha, random_state=random_state, dialect=dialect,
            keep_data=keep_data,
        )  # fmt: skip
        self.class_weight = class_weight
        self.loss = loss
        self.leaf_shares = leaf_shares

    def fit(self, X: ArrayLike | pd.DataFrame, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Grow the tree.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n, d)
            A frame of pandas, polars or pyarrow, or an array, which holds numbers; values may be missing if
            `missing` is not "error".
        y : array-like of shape (n,) or (n, outputs)
            The classes, nothing missing.
        sample_weight : array-like of shape (n,), optional
            What each row counts, finite and not negative; default 1. Rows of weight 0 are left out, unless
            `dialect` counts them, as rpart's does. A number counts for every row.

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
            If there is no row or no column, a value is infinite or may not be missing, lengths differ,
            columns share a name, y holds numbers that are no classes, or a parameter or a weight cannot be
            used.
        """
        self._forget()
        self._check()
        X = self._read(X, reset=True)
        targets = class_targets(y, len(X))
        classes = [np.asarray(target.values) for target in targets]
        if self._dialect.class_order == "declared":
            targets = [in_declared_order(target) for target in targets]
        case_weight = checked_weight(sample_weight, len(X))
        weight = weigh_classes(self.class_weight, targets, case_weight)
        weight, loss = with_costs(self.class_weight, self.loss, targets, weight)
        self.classes_ = classes[0] if len(classes) == 1 else classes
        self.n_classes_ = len(classes[0]) if len(classes) == 1 else [len(c) for c in classes]
        if case_weight is None and weight is not None:
            case_weight = np.ones(len(X))
        return self._fit(X, targets, weight, case_weight, loss)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = tags.target_tags.multi_output
        return tags


class CARTRegressor(NumberTree, CART):
    """Grow a regression tree with CART (Breiman, Friedman, Olshen and Stone, 1984).

    At each node, ask the question with two answers that lowers the error most: whether a number is at most
    a threshold, halfway between two values; or to which of two groups a name belongs. A feature may be
    asked again below. Ties go to the first column, then to the lowest threshold or the first group. A node
    predicts the mean of its numbers, or for absolute error their median.

    Parameters
    ----------
    criterion : {"squared_error", "absolute_error"}, default "squared_error"
        The impurity: mean squared distance from the mean (squared units), or mean distance from the median
        (units) [1]_.
    nominal : {"subset", "ordered", "one_vs_rest"}, default "subset"
        How names split: into two groups of values, or into one value and the rest. For squared error and
        one output, the best groups are found [2]_ ("ordered" tries only the cuts in the order of their
        means). For several outputs, or where a branch must have more rows than the best cut leaves, all
        groups of up to 14 values are tried; of more values, only the cuts in their order. Absolute error has
        only the cuts of the values ordered by their medians, and no "one_vs_rest". Such cuts are a heuristic,
        and ``tree_.heuristic_features`` says for which features it was needed.
    max_depth : int of at least 0, optional
        Number of questions on the longest path; default: no limit.
    min_samples_split : int or float of at least 0, default 0
        A node is split only if it has at least this weight. A float below 1 is a share of all weight.
    min_samples_leaf : int or float of at least 0, default 0
        A split must leave each branch at least this weight. A float below 1 is a share of all weight.
    min_weight_fraction_leaf : float from 0 to 0.5, default 0.0
        A split must leave each branch at least this share of all weight, whatever counts as a sample.
    min_impurity_decrease : float of at least 0, default 0.0
        A split must lower the impurity by at least this (squared units, or units), times the node's share
        of all weight.
    max_leaf_nodes : int of at least 1, optional
        Keep the splits that lower the impurity of the whole tree most, best first, until there are so many
        leaves; default: no limit.
    max_features : int of at least 1, float in (0, 1], "sqrt" or "log2", optional
        Consider so many features at each node (a share, the root or the logarithm of their number, rounded
        down, at least 1), drawn anew among those that can split it; default: all.
    missing : {"error", "stay", "majority", "fractional", "surrogate"} or BySurrogates, default "error"
        What becomes of rows whose value is missing where it is asked, in training and later. A split is
        always chosen by the rows that know the feature, and its decrease counts by their share. Then such a
        row is refused; ends at the node that asks; takes the branch of the largest weight; is divided among
        the branches by their weights, and predicted by the weighted mean; or is sent by surrogates,
        questions about other features that send the other rows most alike [3]_; `dtlib.BySurrogates` says
        which. Parts of rows are not split below the weight of two rows; with many holes a deep tree has many
        parts, and takes its time. None of these asks whether a value is missing: where that tells the class
        or the number, add a column that says so.
    prune : {"cv", "validation", "reduced_error", "pre"} or Pruning, optional
        How the grown tree is pruned: an object of `dtlib.prune`, or a word for one with its default settings.
        `CrossValidated` and `HoldoutValidated` ("cv", "validation") choose the price of a leaf by rows that
        were not grown from [4]_: by cross-validation, after which the tree of all rows is pruned at that
        price; or by rows held out. These can also decide node by node: `ReducedError` makes a leaf of a
        subtree that makes more errors on them than that, from the bottom up; `PrePruned` ("pre") makes a
        split only if it makes fewer errors on them than none, from the top down. `ComplexityParameter` is
        rpart's `cp`. Default: only as `ccp_alpha` says.
    ccp_alpha : float of at least 0, default 0.0
        Cut off subtrees that lower the impurity, times the node's share of all weight, by no more than this
        for each leaf they add: minimal cost-complexity pruning, as in scikit-learn. 0 cuts nothing.
    random_state : int, RandomState, optional
        Seed of the draws of `max_features` and of rows held out; nothing else is drawn. Default: other draws
        in every fit.
    dialect : {None, "sklearn", "rpart"} or CARTDialect, default None
        Rules of growing in which other programs differ, see `dtlib.dialects.CARTDialect`. `sklearn` and
        `rpart` set it, and more.
    keep_data : bool, optional
        Whether the tree keeps its training data, which `tree_.explain` needs; default: if they have at most
        2**20 cells. In an ensemble, False saves a copy of them for each tree.

    Attributes
    ----------
    tree_ : Tree
        The tree: `explain`, `trace`, `rules`, drawing, export; if it was pruned, `pruned_from` and `steps`.
    n_outputs_ : int
        The number of outputs.
    n_features_in_ : int
        The number of features.
    max_features_ : int
        How many of them a node considers.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if X was a frame whose columns have names of text.
    feature_importances_ : ndarray of shape (n_features_in_,)
        Share of each feature in the decrease of impurity; all 0 if the tree is one leaf.
    pruning_path_ : PruningPath
        With `CrossValidated` or `HoldoutValidated`, or a `ccp_alpha` above 0: all subtrees among which was
        chosen, see `dtlib.prune.pruning_path`.
    cptable_ : DataFrame
        With `CrossValidated` or `HoldoutValidated`: rpart's table of the subtrees, the root first. Where
        rpart's pruning or its reading of a loss slips, CP and xerror here are those of the subtrees that cost
        least; see `dtlib.prune.cp_table`.
    alpha_ : float
        With `CrossValidated` or `HoldoutValidated`: the price of a leaf that was chosen, in the unit of the
        path.

    Notes
    -----
    Columns of a frame are names (category, string, object, bool), names in an order (ordered category) or
    numbers. Names in an order are asked like numbers: whether a name comes up to another one
    in the order. NaN, None, pd.NA and what is masked (`numpy.ma`) are missing. A column whose label is no
    text, such as a whole number, is called what `str` makes of it.

    Where Numba is installed, tables of numbers are shared out among as many threads as joblib is told to
    use, one if it is told nothing: ``with joblib.parallel_config(n_jobs=2): cart.fit(X, y)``. The tree is the
    same.

    References
    ----------
    .. [1] L. Breiman, J. H. Friedman, R. A. Olshen, C. J. Stone, "Classification and Regression Trees"
       (1984), chapter 8: section 8.3 on squared and 8.11 on absolute error.
    .. [2] W. D. Fisher, "On grouping for maximum homogeneity", JASA 53 (1958) 789-798.
    .. [3] Breiman et al. [1]_, section 5.3.
    .. [4] Breiman et al. [1]_, section 8.5 and chapters 3 and 10.

    Examples
    --------
    >>> from dtlib import CARTRegressor
    >>> from dtlib.datasets import load_regression_points
    >>> points = load_regression_points()
    >>> cart = CARTRegressor(max_depth=1).fit(points.X, points.y)
    >>> print(cart.tree_)
    root (n 10, mean 6.618)
    ├── x ≤ 5.5 (n 5, mean 5.06) → 5.06
    └── x > 5.5 (n 5, mean 8.176) → 8.176
    >>> cart.predict(points.X.head(1))
    array([5.06])
    """

    _declared: ClassVar[Declared] = {
        "criterion": ("squared_error", "absolute_error"),
        **CART._declared,
    }

    def __init__(
        self,
        *,
        criterion: str = "squared_error",
        nominal: str = "subset",
        max_depth: int | None = None,
        min_samples_split: float = 0,
        min_samples_leaf: float = 0,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_leaf_nodes: int | None = None,
        max_features: int | float | str | None = None,
        missing: str | BySurrogates = "error",
        prune: str | Pruning | None = None,
        ccp_alpha: float = 0.0,
        random_state: Any = None,
        dialect: str | CARTDialect | None = None,
        keep_data: bool | None = None,
    ):
        super().__init__(
            criterion=criterion, nominal=nominal, max_depth=max_depth, min_samples_split=min_samples_split,
            min_samples_leaf=min_samples_leaf, min_weight_fraction_leaf=min_weight_fraction_leaf,
            min_impurity_decrease=min_impurity_decrease, max_leaf_nodes=max_leaf_nodes,
            max_features=max_features,
            missing=missing, prune=prune, ccp_alpha=ccp_alpha, random_state=random_state, dialect=dialect,
            keep_data=keep_data,
        )  # fmt: skip

    def fit(self, X: ArrayLike | pd.DataFrame, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Grow the tree.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n, d)
            A frame of pandas, polars or pyarrow, or an array, which holds numbers; values may be missing if
            `missing` is not "error".
        y : array-like of shape (n,) or (n, outputs)
            The numbers to be predicted, finite; the largest between 1e-100 and 1e150, if they are not all 0.
        sample_weight : array-like of shape (n,), optional
            What each row counts, finite and not negative; default 1. Rows of weight 0 are left out, unless
            `dialect` counts them, as rpart's does. A number counts for every row.

        Returns
        -------
        self

        Raises
        ------
        TypeError
            If a column is neither categorical nor numeric (dates, say), or mixes types; if X is sparse,
            or an array of text; if some names of columns are text and others not.
        ValueError
            If there is no row or no column, a value is infinite or may not be missing, lengths differ,
            columns share a name, y holds something else than numbers, or a parameter or a weight cannot be
            used.
        """
        return self._fit_numbers(X, y, sample_weight)
