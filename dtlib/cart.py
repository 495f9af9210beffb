"""CART: binary splits by impurity (chapters 8 and 11)."""

import math
from collections.abc import Mapping, Sequence
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
from dtlib.search.monotone import read_directions
from dtlib.search.rules import MISSING_POLICIES, BySurrogates, Rules
from dtlib.table.columns import Column, Feature
from dtlib.table.parameters import Declared, Number
from dtlib.table.reading import check_counts, class_targets, in_declared_order
from dtlib.table.training import Training, stack_training
from dtlib.table.weights import Prior, checked_weight, priors, weigh_classes, with_costs
from dtlib.tree.leaf_shares import ESTIMATES, LeafShares, shares_setting
from dtlib.tree.tree import Tree


class CART(TreeEstimator):
    """Base class of `CARTClassifier` and `CARTRegressor`: makes the rules of growing from the parameters."""

    class_weight: dict | list | str | Prior | None = None

    _declared: ClassVar[Declared] = {
        "splitter": ("best", "random"),
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
        splitter: str,
        nominal: str,
        max_depth: int | None,
        min_samples_split: float,
        min_samples_leaf: float,
        min_weight_fraction_leaf: float,
        min_impurity_decrease: float,
        max_leaf_nodes: int | None,
        max_features: int | float | str | None,
        monotonic_cst: ArrayLike | Mapping[str, int] | None,
        missing: str | BySurrogates,
        prune: str | Pruning | None,
        ccp_alpha: float,
        random_state: Any,
        dialect: str | CARTDialect | None,
        keep_data: bool | None,
    ):
        self.criterion = criterion
        self.splitter = splitter
        self.nominal = nominal
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.min_impurity_decrease = min_impurity_decrease
        self.max_leaf_nodes = max_leaf_nodes
        self.max_features = max_features
        self.monotonic_cst = monotonic_cst
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
        """Return the policy for missing values, and the settings of surrogate splits, if any are sought."""
        how = BySurrogates() if self.missing == "surrogate" else self.missing
        if isinstance(how, str):
            return how, None
        return "surrogate" if how.use_surrogates else "stay", clone(how) if how.are_sought else None

    def _check(self) -> None:
        """Raise an error if a parameter cannot be used."""
        super()._check()
        if self.ccp_alpha and self.prune is not None:
            raise ValueError(
                f"ccp_alpha is {self.ccp_alpha!r} and prune is {self.prune!r}: both say how far to prune, "
                f"wanted one of them"
            )
        if self.missing == "learned" and self._dialect.ties == "rounding":
            raise ValueError(
                "missing is 'learned' and ties is 'rounding', but rpart learns no side for missing values: "
                "wanted another way for them, or ties='first'"
            )
        if self.missing == "fractional" and self._impurity == "poisson" and self._dialect.shrinkage:
            raise ValueError(
                f"missing is 'fractional' and shrinkage is {self._dialect.shrinkage!r}, but rates are shrunk "
                f"toward that of whole rows: wanted shrinkage=0, or another way for missing values"
            )
        if criterion_of(self._impurity).scorer is None and self.nominal == "one_vs_rest":
            raise ValueError(
                f"nominal is 'one_vs_rest', which {self._impurity} does not have: wanted 'subset'"
            )
        if self.splitter == "random":
            self._check_random()
        if self.monotonic_cst is not None:
            self._check_monotonic()

    def _check_random(self) -> None:
        """Raise an error if splits cannot be drawn."""
        obstacles = {
            "nominal is 'ordered', which tries cuts in an order of means, and a drawn split has none: wanted "
            "'subset' or 'one_vs_rest'": self.nominal == "ordered",
            "the dialect has ties='rounding', which chooses among the best splits as rpart does: wanted "
            "ties='first'": self._dialect.ties == "rounding",
            "the dialect has zero_weight='count', whose rows come between the values that split: wanted "
            "zero_weight='drop'": self._dialect.zero_weight == "count",
        }
        for why in (why for why, holds in obstacles.items() if holds):
            raise ValueError(f"splitter is 'random', and {why}")

    def _check_monotonic(self) -> None:
        """Raise an error if other parameters leave no room for monotonic constraints."""
        loss, shares = getattr(self, "loss", None), shares_setting(self.leaf_shares).estimate
        obstacles = {
            "criterion is 'absolute_error', whose medians are not sums over the branches: wanted "
            "'squared_error'": self.criterion == "absolute_error",
            "criterion is 'poisson', whose trees have no bounds here: wanted 'squared_error'":
                self.criterion == "poisson",
            f"missing is {self.missing!r}, by which a row may end where no bound holds: wanted "
            f"'error'": self.missing not in ("error", "learned"),
            f"prune is {self.prune!r}, which judges nodes by predictions without bounds: wanted "
            f"ccp_alpha": self.prune is not None,
            "there is a loss, by which the shares do not decide: wanted class_weight": loss is not None,
            f"leaf_shares is {self.leaf_shares!r}, and the bounds are relative frequencies: wanted "
            f"'frequency'": shares != "frequency" or shares_setting(self.leaf_shares).undo_weights,
            "the dialect has ties='rounding', and rpart has no such constraints: wanted ties='first'":
                self._dialect.ties == "rounding",
            "the dialect has zero_weight='count', and a branch of weight 0 has no mean: wanted "
            "zero_weight='drop'": self._dialect.zero_weight == "count",
        }  # fmt: skip
        for why in (why for why, holds in obstacles.items() if holds):
            raise ValueError(f"monotonic_cst is given, and {why}")

    def _check_complete(self, data: Training) -> None:
        """Raise an error if the sides of missing values should be learned where they cannot be."""
        given = {
            "splitter is 'random'": self.splitter == "random",
            "monotonic_cst is given": self.monotonic_cst is not None,
        }
        for name in (name for name, is_so in given.items() if is_so):
            if self.missing == "learned" and data.values.has_missing_values:
                wanted = "another way for them" if self.splitter == "random" else "X without them"
                raise ValueError(
                    f"{name}, missing is 'learned', and X has missing values, whose side is not learned "
                    f"then: wanted {wanted}"
                )

    def _directions(self, job: FitContext, features: Sequence[Feature]) -> tuple[int, ...]:
        """Return the monotonic constraint of each feature; raise an error if the targets cannot have any."""
        if self.monotonic_cst is None:
            return ()
        outputs, classes = len(job.targets), len(job.targets[0].values)
        if outputs > 1:
            raise ValueError(f"monotonic_cst is given, and y has {outputs} outputs: wanted one")
        if criterion_of(self._impurity).of_classes and classes > 2:
            raise ValueError(
                f"monotonic_cst is given, and y has {classes} classes: wanted two, as the constraint is on "
                f"the share of the second"
            )
        return read_directions(self.monotonic_cst, features)

    def _pruning_method(self) -> Pruning:
        """Return the pruning method."""
        return CostComplexity(self.ccp_alpha) if self.ccp_alpha else super()._pruning_method()

    def _code(
        self,
        X: pd.DataFrame | np.ndarray,
        targets: Sequence[Column],
        weight: np.ndarray | None,
        case_weight: np.ndarray | None = None,
    ) -> Training:
        """Read the columns; with rpart's ties, declared classes without rows count like the others."""
        if self._dialect.ties == "rounding":
            targets = [replace(target, unused=()) for target in targets]
        return super()._code(X, targets, weight, case_weight)

    def _grower(self, job: FitContext) -> Grow:
        """Return a function that grows a tree from training data, or one from each of several subsets."""
        ties = self._rounding(job) if self._dialect.ties == "rounding" else None

        def growing(data: Training, parts: Sequence[np.ndarray] | None = None) -> list[Tree]:
            some = parts_of(data, parts)
            self._check_complete(data)
            if criterion_of(self._impurity).measured == "rates":
                for part in some:
                    check_counts(part.targets, part.weight, " from which a tree is grown")
            directions = self._directions(job, data.features)
            every = [self._rules(x.shape[1], x.total_weight, x.shape[0], ties, directions) for x in some]
            cells, alike = sum(math.prod(x.shape) for x in some), all(rules == every[0] for rules in every)
            if len(some) > 1 and cells <= TOGETHER and alike and every[0].is_local:
                together, tree_of = stack_training(some)
                grown = grow_each(together, every[0], len(some), tree_of)
            else:
                here = every if ties is None else rules_in_order(every, ties.over(data), parts)
                grown = [grow_by_score(x, own) for x, own in zip(some, here, strict=True)]
            return [self._planted(*one, job) for one in zip(grown, every, some, strict=True)]

        return growing

    def _rules(
        self, n: int, total: float, d: int, ties: Rounding | None = None, directions: tuple[int, ...] = ()
    ) -> Rules:
        """Return the rules for n rows of this weight and d features."""
        k, dialect = features_drawn(self.max_features, d), self._dialect
        shrinkage = dialect.shrinkage if criterion_of(self._impurity).measured == "rates" else 0.0
        missing, surrogates = self._missing()
        draws = k is not None or self.splitter == "random"
        seed = None if not draws else int(check_random_state(self.random_state).randint(2**31 - 1))
        return Rules(
            criterion=self._impurity, nominal=self.nominal, max_depth=self.max_depth,
            **self._limits(n, total), min_impurity=dialect.min_impurity,
            min_decrease=self.min_impurity_decrease,
            zero_gain=bool(dialect.zero_gain) or self.splitter == "random",
            max_leaf_nodes=self.max_leaf_nodes, max_features=k, splitter=self.splitter, seed=seed,
            monotonic=directions,
            gap=1e-7 if self._single else 0.0, missing=missing, surrogates=surrogates,
            strict=dialect.strict, ties=ties,
            zero_weight=dialect.zero_weight == "count" and missing != "fractional",
            shrinkage=shrinkage, zero_rates=dialect.zero_rates or shrinkage > 0,
        )  # fmt: skip

    def _rounding(self, job: FitContext) -> Rounding:
        """Return the arithmetic of rpart, or raise an error if rpart does not grow such trees."""
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
        if name in ("anova", "poisson"):
            return Rounding(None, False, rates=name == "poisson")
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
        """Return the minimum sizes of nodes, in weight or in rows; floats below 1 are shares of the total."""
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
        self,
        X: ArrayLike | pd.DataFrame,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        **given: ArrayLike,
    ) -> Bunch:
        """Grow a tree, and list the alphas and the impurities of its subtrees, as scikit-learn does.

        Parameters
        ----------
        X, y, sample_weight, **given
            As for `fit`, with an `exposure` if there is one. The estimator itself stays as it is.

        Returns
        -------
        Bunch
            `ccp_alphas`: 0 for the full tree, then the alpha of each subtree, ascending. `impurities`: for
            each subtree the sum of its leaves' impurities, each times the leaf's share of all weight. If a
            node and one below it are pruned at the same alpha, that is one entry.

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
        return Bunch(
            **pruning_path(model.fit(X, y, sample_weight, **given).tree_, "impurity").as_sklearn_path()
        )

    @classmethod
    def sklearn(cls, **overrides: Any) -> Self:
        """Return an estimator that grows scikit-learn's tree.

        What it sets, and why (all but `min_samples_split`, `min_samples_leaf` and `missing` in its dialect):

        - ``samples="rows"``, ``min_samples_split=2``, ``min_samples_leaf=1``: scikit-learn counts rows,
          whatever they weigh; here weights are counted, so that a row of weight 2 is the row twice.
        - ``zero_gain=True``: scikit-learn splits a node even if no split lowers the impurity; here such a
          node is a leaf.
        - ``precision="single"``: scikit-learn rounds features to float32, and places no threshold between
          values that are no more than 1e-7 apart; here a threshold may lie between any two distinct floats.
        - ``min_impurity=2.2e-16``: scikit-learn calls a node pure if its impurity is at most that; here a
          node is pure if all its rows have the same class or the same target.
        - ``missing="learned"``: each split of scikit-learn sends missing values to the side on which the
          decrease is larger; here they are refused.

        What stays different: among equal splits, scikit-learn takes one at random (`random_state`), this
        class the one on the first column with the lowest threshold; features are drawn for `max_features`
        among those that can split the node, and by another generator, as are the splits of
        ``splitter="random"``; ``min_samples_leaf=1.0`` is one row, not all of them. A node without missing
        values sends those of new rows to its heavier branch; if rows weigh unlike, scikit-learn counts them.
        Nodes are indexed level by level here, depth first in scikit-learn.

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
        given = {"min_samples_split": 2, "min_samples_leaf": 1, "missing": "learned"} | overrides
        return cls(**in_dialect("sklearn", given))

    @classmethod
    def rpart(cls, **overrides: Any) -> Self:
        """Return an estimator that grows the tree of R's rpart (version 4.1.19) with rpart's defaults.

        What it sets, and why it matters:

        - ``min_samples_split=20``, ``min_samples_leaf=7`` (rpart's ``minsplit`` and ``minbucket``; if only
          one of them is given, the other follows as in rpart: a third of it, or three times it),
          ``samples="rows"``, ``max_depth=30``: small nodes are not split. For a feature with missing values,
          only the rows whose value is known count.
        - ``prune=ComplexityParameter(cp=0.01)``: subtrees that save less than this share of the root's risk
          for each of their splits are pruned (the option ``cp=-1`` keeps all, and is passed to the pruning
          method, if you give one; ``prune=None`` prunes nothing).
        - ``missing=BySurrogates(...)`` with ``max_surrogates=5``, ``fallback="majority"`` (its
          ``usesurrogate=2``; ``fallback="stay"`` is 1, and ``missing="stay"`` is 0),
          ``agreement="all"`` (its ``surrogatestyle=0``; "known" is 1); ``unseen="missing"``.
        - A slip of rpart is copied, which no parameter sets. A comment in rpart's source says that a
          surrogate must send at least two rows each way; for a categorical feature, the code counts the rows
          that agree with the split, and those that do not. So a categorical feature that agrees with the
          split in all rows cannot be a surrogate.
        - ``nominal="ordered"``: categories are ordered by their means, and two groups are a cut of this
          order, even where ``min_samples_leaf`` forbids the best cut and other groups would gain more.
        - ``ties="rounding"``: among equal splits, and among equal surrogates, the first column and the lowest
          threshold win by default; in rpart, the one whose score is largest in floating point when the rows
          are added up one by one, in the order in which a quicksort has left them.
        - ``zero_weight="count"``: rows of weight 0 count in `min_samples_split` and as values between which
          surrogates may be cut, but not in the score of a split; by default they are left out.
        - A value equal to a threshold goes with the larger ones, which no parameter sets either.
        - ``class_order="declared"``: among classes of equal weight, the first level is predicted.
        - ``shrinkage=1.0`` (rpart's ``parms = list(shrink = 1)``), for ``criterion="poisson"``, which is its
          ``method = "poisson"``: the rates of nodes are drawn toward that of all rows. So a node predicts a
          rate above 0, and its branches may have no events, even with ``shrinkage=0``.

        The column ``improve`` of rpart's `summary` is `gain` times the node's weight (in nats for
        "information"), for "poisson" twice that; for squared error it is `gain` divided by `impurity`: see
        ``tree_.trace(candidates=True)``. The deviance of a node is twice its weight times its impurity.

        What stays different: the first branch takes the values up to the threshold, or the group with the
        first category; rpart's left branch is the one with the smaller mean. Several outputs and absolute
        error, which rpart does not have, need ``ties="first"``; rpart's survival trees do not exist here, nor
        does ``parms = list(method = "sqrt")``. What rpart has in two columns, exposure and events, are
        `exposure` and y of `fit`; weights are `sample_weight`, and multiply the exposure.
        rpart leaves out rows in which every feature is missing (unless weights are given); leave them out
        before `fit`. For more than two classes, not all groups of more than 14 categories are tried, and rows
        of a class whose prior is 0 count as rows of weight 0. Among classes that cost the same, the first is
        predicted; in rpart, rounding decides.

        These slips are not copied. When rpart prunes, it never undoes a cut: a node that should be pruned
        before one below it is compared with a branch that has already lost the lower node. When it
        cross-validates, it reads a loss transposed (issues 65 and 74 of its repository). So CP and xerror of
        `cptable_` may differ from rpart's: here they are those of the subtrees that cost least. With a `cp`
        above 0, rpart at times keeps less than its own ``prune`` keeps of the full tree; here the result of
        ``prune`` is kept. With a `cp` below 0, a node whose targets are all equal may stop all splits after
        it. A list of exactly two competitors or surrogates loses both when a better one comes. With no
        surrogates allowed, rows with a missing value stay at the node in training, but take the larger branch
        in prediction. In rpart, the entropy of weights such as 0.1 may be NaN, and a split whose gain is
        nothing but rounding may be made.

        Parameters
        ----------
        **overrides
            Further parameters, or other values of the ones above. ``criterion="entropy"`` is rpart's
            ``split = "information"``; `prior` and `loss` are as in rpart. If you give a parameter by rpart's
            name, such as minsplit, the error says its name here.

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
    """Tell whether the targets look like R's ``Surv(time, status)``.

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
    """Return the rules for each subset of the rows of a fit (default: all), with the order of its rows."""
    each = [ties] if parts is None else [ties.part(rows) for rows in parts]
    return [replace(rules, ties=own) for rules, own in zip(every, each, strict=True)]


class CARTClassifier(ClassTree, CART):
    """Grow a classification tree with CART (Breiman, Friedman, Olshen and Stone, 1984).

    Each node gets the binary split that lowers the impurity most: a threshold halfway between two values of a
    numeric feature, or two groups of categories. A feature may be used again below. Ties go to the first
    column, then to the lowest threshold or the first group.

    Parameters
    ----------
    criterion : {"gini", "entropy", "misclassification", "log_loss"}, default "gini"
        The impurity: Gini index [1]_, entropy (in bits; "log_loss" is scikit-learn's other name for it), or
        classification error.
    splitter : {"best", "random"}, default "best"
        Whether each feature offers a node its best split, or one that is drawn, of which the best is taken:
        extremely randomized trees [5]_, to be grown in an ensemble. A threshold is drawn uniformly between
        the smallest and the largest value of the node. A nominal feature is divided by a subset of the
        node's categories, each proper subset as likely as any other, or by one category ("one_vs_rest"). A
        drawn split may be made without any gain, as it says nothing of the others. Not with
        ``nominal="ordered"``, nor with rpart's ties, nor with missing values whose side is "learned".
    nominal : {"subset", "ordered", "one_vs_rest"}, default "subset"
        How categories without an order are divided. "subset" divides them into two groups. For two classes,
        the best cut in the order of the class shares gives the best groups [1]_; for more classes, or if
        this cut leaves a branch less than the minimum weight, all groups of up to 14 categories are tried.
        More than 14 are ordered by the first principal component of their class shares, and only cuts of
        this order are tried [2]_: a heuristic. ``tree_.heuristic_features`` lists the features for which it
        was used. "ordered" is "subset", but for two classes it tries the cuts in the order of the class
        shares alone, whatever the minimum weight. "one_vs_rest" divides off one category.
    max_depth : int of at least 0, optional
        Maximum depth of the tree; default: no limit.
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
    monotonic_cst : array-like of int of shape (n_features,) or dict, optional
        For each feature, or by the names of some, whether the probability of the second class rises along
        it (1), falls (-1), or neither (0), as in scikit-learn: a cut against the constraint is not made, and
        predictions are clipped to bounds that come down the tree, ``tree_.bounds``. For two classes and one
        output. Nominal features cannot be constrained; ordered ones can. Not with a `loss`, `leaf_shares`
        other than frequencies, missing values, or `prune` (but with `ccp_alpha`).
    missing : {"error", "learned", "stay", "majority", "fractional", "surrogate"} or BySurrogates, \
default "error"
        Where rows go whose value of the tested feature is missing, in training and in prediction. They are
        refused ("error"); or each split sends them to the side on which its decrease is larger, or tests
        whether the value is known ("learned", as scikit-learn does): of equal splits, they go right, and
        where none was missing in training they take the heavier branch. With all other ways, a split is
        chosen by the rows whose value is known, and its decrease is multiplied by their share, so that no
        split tests whether a value is missing. Then rows with a missing value end at the node ("stay"), take
        the branch with the largest weight ("majority"), are divided among the branches in proportion to their
        weights and predicted by the weighted mean ("fractional"), or follow surrogate splits: splits on other
        features that send the other rows most alike [3]_, see `dtlib.BySurrogates`. A node of fractional
        instances that weighs less than two rows is not split. With many missing values, a deep tree has many
        fractional instances, and takes long to grow.
    prune : {"cv", "validation", "reduced_error", "pre"} or Pruning, optional
        How the grown tree is pruned: an object of `dtlib.prune`, or a word for one with its default settings.
        `CrossValidated` and `HoldoutValidated` ("cv", "validation") choose alpha, the complexity penalty of a
        leaf, on rows from which the tree was not grown [4]_: by cross-validation, after which the tree of all
        rows is pruned with that alpha; or on held-out rows. Held-out rows can also decide node by node:
        `ReducedError`, from the bottom up, replaces a subtree by a leaf if the leaf makes fewer errors on
        them; `PrePruned` ("pre"), from the top down, makes a split only if it makes fewer errors on them than
        a leaf. `ComplexityParameter` is rpart's `cp`. Default: pruned only by `ccp_alpha`.
    ccp_alpha : float of at least 0, default 0.0
        Prune subtrees that lower the impurity, times the node's share of all weight, by no more than this
        for each leaf they add: minimal cost-complexity pruning, as in scikit-learn. 0 prunes nothing.
    class_weight : dict, list of dict, "balanced" or Prior, optional
        Factors for the weights of rows: one for each class (1 if a class is not in the dict), for several
        outputs a dict for each of them; "balanced" gives each class the same total (rows are counted for
        that, whatever they weigh); `dtlib.Prior` gives each class its share of all weight.
    loss : DataFrame or array-like of shape (n_classes, n_classes), optional
        ``loss[i, j]`` is the cost of predicting class j for a row of class i; 0 on the diagonal. A DataFrame
        has the classes as index and as columns; an array has them in the order of `classes_`, and is refused
        if a categorical y declares another order.
        A node predicts the class that costs least, and the priors are altered for growing [1]_ (section 4.4).
        Default: every error costs 1.
    leaf_shares : {"frequency", "laplace", "m_estimate", "m_branch"} or LeafShares, default "frequency"
        How class probabilities are estimated at a leaf, for `predict_proba` and the exports: by relative
        frequencies, or by estimates that are smoothed where rows are few, see `dtlib.LeafShares`, which can
        also undo `class_weight` and the part of the loss in the weights. The splits do not depend on it.
    random_state : int, RandomState, optional
        Seed of the draws of `max_features`, of ``splitter="random"`` and of rows held out; nothing else is
        drawn. Default: other draws in every fit.
    dialect : {None, "sklearn", "rpart"} or CARTDialect, default None
        Rules of growing in which programs for CART differ, see `dtlib.dialects.CARTDialect`. The presets
        `sklearn` and `rpart` set it, and further parameters.
    keep_data : bool, optional
        Whether the tree keeps its training data, which `tree_.explain` needs; default: if they have at most
        2**20 cells. In an ensemble, False saves a copy of the data for each tree.

    Attributes
    ----------
    tree_ : Tree
        The tree: `explain`, `trace`, `rules`, drawing, export; if it was pruned, `pruned_from` and `steps`.
    classes_ : ndarray of shape (n_classes,), or a list of them
        The classes, sorted; for a categorical y all its categories, see `predict_proba`. For several outputs,
        a list with the classes of each.
    n_classes_ : int, or a list of them
        The number of classes.
    n_outputs_ : int
        The number of outputs.
    n_features_in_ : int
        The number of features.
    max_features_ : int
        The number of features that a node considers.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, if X was a frame whose column labels are strings.
    feature_importances_ : ndarray of shape (n_features_in_,)
        Share of each feature in the total decrease of impurity; all 0 if the tree is one leaf.
    pruning_path_ : PruningPath
        With `CrossValidated` or `HoldoutValidated`, or a `ccp_alpha` above 0: all subtrees from which the
        tree was chosen, see `dtlib.prune.pruning_path`.
    cptable_ : DataFrame
        With `CrossValidated` or `HoldoutValidated`: rpart's table of the subtrees, the root first. CP and
        xerror are those of the subtrees that cost least, and so may differ from rpart's, see `rpart` and
        `dtlib.prune.cp_table`.
    alpha_ : float
        With `CrossValidated` or `HoldoutValidated`: the alpha that was chosen, in the unit of
        `pruning_path_`.

    Notes
    -----
    Columns of a frame are categorical (category, string, object, bool), ordered (ordered category) or
    numeric. Ordered categories are divided by a threshold, as numeric values are. NaN, None, pd.NA and masked
    entries (`numpy.ma`) are missing. A column label that is not a string, such as an int, is converted with
    `str`. In an array of objects that holds text, columns of text or truth values are categorical and columns
    of numbers are numeric: so bagging and AdaBoost take frames with categories, see `dtlib.frame_like`. If
    most categories of a column occur in one row only, as names do, `fit` warns. The `counts` of a tree with
    class weights or a loss are the weights by which it was grown.

    If Numba is installed, trees on numeric features are grown with as many threads as joblib is set to use,
    by default one: ``with joblib.parallel_config(n_jobs=2): cart.fit(X, y)``. The tree does not depend on it.

    References
    ----------
    .. [1] L. Breiman, J. H. Friedman, R. A. Olshen, C. J. Stone, "Classification and Regression Trees"
       (1984), chapters 2 and 4; section 4.2 and theorem 4.5 on groups of categories.
    .. [2] D. Coppersmith, S. J. Hong, J. R. M. Hosking, "Partitioning nominal attributes in decision
       trees", Data Mining and Knowledge Discovery 3 (1999) 197-217.
    .. [3] Breiman et al. [1]_, section 5.3; T. M. Therneau, E. J. Atkinson, "An introduction to recursive
       partitioning using the RPART routines", Mayo Foundation.
    .. [4] Breiman et al. [1]_, chapters 3 and 10.
    .. [5] P. Geurts, D. Ernst, L. Wehenkel, "Extremely randomized trees", Machine Learning 63 (2006) 3-42.

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

    The share of sweet melons may not fall as the sugar rises:

    >>> numbers = melons.X[["density", "sugar"]]
    >>> rises = CARTClassifier(monotonic_cst={"sugar": 1}).fit(numbers, melons.y)
    >>> rises.predict_proba(numbers.iloc[[16, 0]])[:, 1].round(2)
    array([0., 1.])

    Extremely randomized trees are an ensemble of trees whose splits are drawn:

    >>> from sklearn.ensemble import BaggingClassifier
    >>> drawn = CARTClassifier(splitter="random", max_features="sqrt")
    >>> extra = BaggingClassifier(drawn, 10, bootstrap=False, random_state=0).fit(numbers, melons.y)
    >>> float(extra.score(numbers, melons.y))
    1.0
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
        splitter: str = "best",
        nominal: str = "subset",
        max_depth: int | None = None,
        min_samples_split: float = 0,
        min_samples_leaf: float = 0,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_leaf_nodes: int | None = None,
        max_features: int | float | str | None = None,
        monotonic_cst: ArrayLike | Mapping[str, int] | None = None,
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
            criterion=criterion, splitter=splitter, nominal=nominal, max_depth=max_depth,
            min_samples_split=min_samples_split, min_samples_leaf=min_samples_leaf,
            min_weight_fraction_leaf=min_weight_fraction_leaf,
            min_impurity_decrease=min_impurity_decrease, max_leaf_nodes=max_leaf_nodes,
            max_features=max_features, monotonic_cst=monotonic_cst,
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
            A frame of pandas, polars or pyarrow, or an array of numbers or of objects, see the notes. Values
            may be missing if `missing` is not "error".
        y : array-like of shape (n,) or (n, outputs)
            The classes, nothing missing.
        sample_weight : array-like of shape (n,), optional
            What each row counts, finite and not negative; default 1. Rows of weight 0 are left out, unless
            `dialect` counts them, as rpart's does. A scalar is the weight of every row.

        Returns
        -------
        self

        Raises
        ------
        TypeError
            If a column is neither categorical nor numeric (dates, say), or mixes types; if X is sparse, or an
            array of type text; if only some column labels are strings, or classes are of several types.
        ValueError
            If there is no row or no column, a value is infinite or may not be missing, lengths differ,
            columns share a name, y is continuous, or a parameter or a weight cannot be used.
        """
        return self._fit(self._read_classes(X, y, sample_weight))

    def _read_classes(
        self, X: ArrayLike | pd.DataFrame, y: ArrayLike, sample_weight: ArrayLike | None
    ) -> FitContext:
        """Read and check everything."""
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
        return self._context(X, targets, weight, case_weight, loss)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = tags.target_tags.multi_output
        return tags


class CARTRegressor(NumberTree, CART):
    """Grow a regression tree with CART (Breiman, Friedman, Olshen and Stone, 1984).

    Each node gets the binary split that lowers the error most: a threshold halfway between two values of a
    numeric feature, or two groups of categories. A feature may be used again below. Ties go to the first
    column, then to the lowest threshold or the first group. A node predicts the mean of its targets, or for
    absolute error their median. Counts of events are predicted by Poisson deviance as rates: events per unit
    of the exposure that `fit` takes.

    Parameters
    ----------
    criterion : {"squared_error", "absolute_error", "poisson"}, default "squared_error"
        The impurity: mean squared distance from the mean (squared units), mean distance from the median
        (units) [1]_, or for counts half the mean Poisson deviance from the mean, ``y ln(y / mean) - y +
        mean`` [5]_. By Poisson deviance no branch may be without events, as in scikit-learn: its rate would
        be 0, and an event that comes there later would have an infinite deviance.
    splitter : {"best", "random"}, default "best"
        Whether each feature offers a node its best split, or one that is drawn, of which the best is taken:
        extremely randomized trees [6]_, to be grown in an ensemble. A threshold is drawn uniformly between
        the smallest and the largest value of the node. A nominal feature is divided by a subset of the
        node's categories, each proper subset as likely as any other, or by one category ("one_vs_rest"). A
        drawn split may be made without any gain, as it says nothing of the others. Not with
        ``nominal="ordered"``, nor with rpart's ties, nor with missing values whose side is "learned".
    nominal : {"subset", "ordered", "one_vs_rest"}, default "subset"
        How categories without an order are divided. "subset" divides them into two groups. For squared error
        or Poisson deviance and one output, the best cut in the order of the means gives the best groups [2]_;
        for several outputs, or if this cut leaves a branch less than the minimum weight, or could leave one
        without events, all groups of up to 14 categories are tried. Of more categories, and for absolute
        error (in the order of the medians), only the cuts of an order are tried: a heuristic.
        ``tree_.heuristic_features`` lists the features for which it was used. "ordered" is "subset", but for
        one output it tries the cuts in the order of the means alone, whatever the minimum weight.
        "one_vs_rest", which absolute error does not have, divides off one category.
    max_depth : int of at least 0, optional
        Maximum depth of the tree; default: no limit.
    min_samples_split : int or float of at least 0, default 0
        A node is split only if it has at least this weight. A float below 1 is a share of all weight.
    min_samples_leaf : int or float of at least 0, default 0
        A split must leave each branch at least this weight. A float below 1 is a share of all weight.
    min_weight_fraction_leaf : float from 0 to 0.5, default 0.0
        A split must leave each branch at least this share of all weight, whatever counts as a sample.
    min_impurity_decrease : float of at least 0, default 0.0
        A split must lower the impurity by at least this (in its own unit), times the node's share of all
        weight.
    max_leaf_nodes : int of at least 1, optional
        Keep the splits that lower the impurity of the whole tree most, best first, until there are so many
        leaves; default: no limit.
    max_features : int of at least 1, float in (0, 1], "sqrt" or "log2", optional
        Consider so many features at each node (a share, the root or the logarithm of their number, rounded
        down, at least 1), drawn anew among those that can split it; default: all.
    monotonic_cst : array-like of int of shape (n_features,) or dict, optional
        For each feature, or by the names of some, whether the prediction rises along it (1), falls (-1), or
        neither (0), as in scikit-learn: a cut against the constraint is not made, and predictions are clipped
        to bounds that come down the tree, ``tree_.bounds``. For one output and squared error. Nominal
        features cannot be constrained; ordered ones can. Not with missing values, or `prune`
        (but with `ccp_alpha`).
    missing : {"error", "learned", "stay", "majority", "fractional", "surrogate"} or BySurrogates, \
default "error"
        Where rows go whose value of the tested feature is missing, in training and in prediction. They are
        refused ("error"); or each split sends them to the side on which its decrease is larger, or tests
        whether the value is known ("learned", as scikit-learn does): of equal splits, they go right, and
        where none was missing in training they take the heavier branch. With all other ways, a split is
        chosen by the rows whose value is known, and its decrease is multiplied by their share, so that no
        split tests whether a value is missing. Then rows with a missing value end at the node ("stay"), take
        the branch with the largest weight ("majority"), are divided among the branches in proportion to their
        weights and predicted by the weighted mean ("fractional"), or follow surrogate splits: splits on other
        features that send the other rows most alike [3]_, see `dtlib.BySurrogates`. A node of fractional
        instances that weighs less than two rows is not split. With many missing values, a deep tree has many
        fractional instances, and takes long to grow.
    prune : {"cv", "validation", "reduced_error", "pre"} or Pruning, optional
        How the grown tree is pruned: an object of `dtlib.prune`, or a word for one with its default settings.
        `CrossValidated` and `HoldoutValidated` ("cv", "validation") choose alpha, the complexity penalty of a
        leaf, on rows from which the tree was not grown [4]_: by cross-validation, after which the tree of all
        rows is pruned with that alpha; or on held-out rows. Held-out rows can also decide node by node:
        `ReducedError`, from the bottom up, replaces a subtree by a leaf if the leaf makes fewer errors on
        them; `PrePruned` ("pre"), from the top down, makes a split only if it makes fewer errors on them than
        a leaf. `ComplexityParameter` is rpart's `cp`. Default: pruned only by `ccp_alpha`.
    ccp_alpha : float of at least 0, default 0.0
        Prune subtrees that lower the impurity, times the node's share of all weight, by no more than this
        for each leaf they add: minimal cost-complexity pruning, as in scikit-learn. 0 prunes nothing.
    random_state : int, RandomState, optional
        Seed of the draws of `max_features`, of ``splitter="random"`` and of rows held out; nothing else is
        drawn. Default: other draws in every fit.
    dialect : {None, "sklearn", "rpart"} or CARTDialect, default None
        Rules of growing in which programs for CART differ, see `dtlib.dialects.CARTDialect`. The presets
        `sklearn` and `rpart` set it, and further parameters.
    keep_data : bool, optional
        Whether the tree keeps its training data, which `tree_.explain` needs; default: if they have at most
        2**20 cells. In an ensemble, False saves a copy of the data for each tree.

    Attributes
    ----------
    tree_ : Tree
        The tree: `explain`, `trace`, `rules`, drawing, export; if it was pruned, `pruned_from` and `steps`.
    n_outputs_ : int
        The number of outputs.
    n_features_in_ : int
        The number of features.
    max_features_ : int
        The number of features that a node considers.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, if X was a frame whose column labels are strings.
    feature_importances_ : ndarray of shape (n_features_in_,)
        Share of each feature in the total decrease of impurity; all 0 if the tree is one leaf.
    pruning_path_ : PruningPath
        With `CrossValidated` or `HoldoutValidated`, or a `ccp_alpha` above 0: all subtrees from which the
        tree was chosen, see `dtlib.prune.pruning_path`.
    cptable_ : DataFrame
        With `CrossValidated` or `HoldoutValidated`: rpart's table of the subtrees, the root first. CP and
        xerror are those of the subtrees that cost least, and so may differ from rpart's, see `rpart` and
        `dtlib.prune.cp_table`.
    alpha_ : float
        With `CrossValidated` or `HoldoutValidated`: the alpha that was chosen, in the unit of
        `pruning_path_`.

    Notes
    -----
    Columns of a frame are categorical (category, string, object, bool), ordered (ordered category) or
    numeric. Ordered categories are divided by a threshold, as numeric values are. NaN, None, pd.NA and masked
    entries (`numpy.ma`) are missing. A column label that is not a string, such as an int, is converted with
    `str`. In an array of objects that holds text, columns of text or truth values are categorical and columns
    of numbers are numeric: so bagging and AdaBoost take frames with categories, see `dtlib.frame_like`. If
    most categories of a column occur in one row only, as names do, `fit` warns.

    If Numba is installed, trees on numeric features are grown with as many threads as joblib is set to use,
    by default one: ``with joblib.parallel_config(n_jobs=2): cart.fit(X, y)``. The tree does not depend on it.

    References
    ----------
    .. [1] L. Breiman, J. H. Friedman, R. A. Olshen, C. J. Stone, "Classification and Regression Trees"
       (1984), chapter 8: section 8.3 on squared and 8.11 on absolute error.
    .. [2] W. D. Fisher, "On grouping for maximum homogeneity", JASA 53 (1958) 789-798.
    .. [3] Breiman et al. [1]_, section 5.3.
    .. [4] Breiman et al. [1]_, section 8.5 and chapters 3 and 10.
    .. [5] T. M. Therneau, E. J. Atkinson, "An introduction to recursive partitioning using the RPART
       routines", Mayo Foundation, chapter 8.
    .. [6] P. Geurts, D. Ernst, L. Wehenkel, "Extremely randomized trees", Machine Learning 63 (2006) 3-42.

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

    Accidents at five crossings, watched for one to four years, as accidents a year:

    >>> signs, accidents, years = [[0], [0], [1], [1], [1]], [9, 5, 2, 0, 1], [3, 2, 4, 1, 1]
    >>> CARTRegressor(criterion="poisson").fit(signs, accidents, exposure=years).predict([[0], [1]])
    array([2.8, 0.5])
    """

    _declared: ClassVar[Declared] = {
        "criterion": ("squared_error", "absolute_error", "poisson"),
        **CART._declared,
    }

    def __init__(
        self,
        *,
        criterion: str = "squared_error",
        splitter: str = "best",
        nominal: str = "subset",
        max_depth: int | None = None,
        min_samples_split: float = 0,
        min_samples_leaf: float = 0,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_leaf_nodes: int | None = None,
        max_features: int | float | str | None = None,
        monotonic_cst: ArrayLike | Mapping[str, int] | None = None,
        missing: str | BySurrogates = "error",
        prune: str | Pruning | None = None,
        ccp_alpha: float = 0.0,
        random_state: Any = None,
        dialect: str | CARTDialect | None = None,
        keep_data: bool | None = None,
    ):
        super().__init__(
            criterion=criterion, splitter=splitter, nominal=nominal, max_depth=max_depth,
            min_samples_split=min_samples_split, min_samples_leaf=min_samples_leaf,
            min_weight_fraction_leaf=min_weight_fraction_leaf,
            min_impurity_decrease=min_impurity_decrease, max_leaf_nodes=max_leaf_nodes,
            max_features=max_features, monotonic_cst=monotonic_cst,
            missing=missing, prune=prune, ccp_alpha=ccp_alpha, random_state=random_state, dialect=dialect,
            keep_data=keep_data,
        )  # fmt: skip

    def fit(
        self,
        X: ArrayLike | pd.DataFrame,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        exposure: ArrayLike | None = None,
    ) -> Self:
        """Grow the tree.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n, d)
            A frame of pandas, polars or pyarrow, or an array of numbers or of objects, see the notes. Values
            may be missing if `missing` is not "error".
        y : array-like of shape (n,) or (n, outputs)
            The targets, finite; the largest magnitude is between 1e-100 and 1e150, unless all are 0. For
            Poisson deviance they are counts or rates: none is below 0, and some are above.
        sample_weight : array-like of shape (n,), optional
            What each row counts, finite and not negative; default 1. Rows of weight 0 are left out, unless
            `dialect` counts them, as rpart's does. A scalar is the weight of every row.
        exposure : array-like of shape (n,), optional
            For Poisson deviance: for how long each row was watched, or how many it stands for, finite and
            above 0. Then y holds the number of events, and the tree predicts their rate: events per unit of
            exposure. The first column of y in rpart. What counts as the weight of a node is the sum of its
            exposures, times the sample weights. Default: 1 for each row.

        Returns
        -------
        self

        Raises
        ------
        TypeError
            If a column is neither categorical nor numeric (dates, say), or mixes types; if X is sparse, or an
            array of type text; if only some column labels are strings.
        ValueError
            If there is no row or no column, a value is infinite or may not be missing, lengths differ,
            columns share a name, y is not numeric, or a parameter or a weight cannot be used; for Poisson
            deviance, if a target is below 0, or all are 0.
        """
        return self._fit(self._read_numbers(X, y, sample_weight, exposure))
