"""Pruning methods of the estimators: objects with settings, given as the parameter `prune`.

A pruning method gets a `FitContext`, which has the data and grows trees from them, and returns the pruned
tree. The words "cv", "validation", "reduced_error", "pre" and "pessimistic" stand for a method with its
default settings.
"""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from numbers import Integral, Real
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.model_selection import check_cv

from dtlib.numbers import fault_in, how_many
from dtlib.prune.cost_complexity import PruningPath, pruning_path
from dtlib.prune.cross_validation import (
    Curve,
    Grow,
    Held,
    alphas_of,
    cp_table,
    cross_validated,
    held_out_curve,
    held_rows,
    middles,
    one_se_rule,
    some_rows,
    truth_of,
)
from dtlib.prune.error_bounds import check_confidence
from dtlib.prune.held_out import ValidationErrors, hold_out, split_held_out, sum_up
from dtlib.prune.loss import best_subtree, risk
from dtlib.prune.pessimistic import pessimistic
from dtlib.prune.reduced_error_and_pre_pruning import cut_errors, keep_helpful
from dtlib.table.columns import Column
from dtlib.table.parameters import Declared, Number, Settings, check_number
from dtlib.table.reading import read_rows
from dtlib.table.training import Training
from dtlib.tree.descend import Ends
from dtlib.tree.tree import Tree

WANTED_FOLDS = "a number of folds, a splitter, or pairs of positions of rows (train, test)"


@dataclass(frozen=True, eq=False)
class FitContext:
    """The data of a fit, and the functions that grow trees from them.

    Parameters
    ----------
    X : DataFrame or ndarray of n rows
    targets : sequence of Column
    weight, case_weight : ndarray of shape (n,), optional
        As in `Training`.
    loss : ndarray of shape (classes, classes), optional
    random_state : int, RandomState, optional
        Seed for drawing held-out rows.
    code : callable
        Makes training data from X, targets, weight and case weight.
    grower : callable
        Returns for a context the function that grows a tree from training data, or one from each of several
        subsets of their rows.
    values_of : {"grown", "all"}
        If rows are held out: whether the values of features are read from the other rows, or from all.
    """

    X: pd.DataFrame | np.ndarray
    targets: Sequence[Column]
    weight: np.ndarray | None
    case_weight: np.ndarray | None
    loss: np.ndarray | None
    random_state: Any
    code: Callable[..., Training]
    grower: "Callable[[FitContext], Grow]"
    values_of: str = "grown"

    @cached_property
    def grow(self) -> Grow:
        """The function that grows trees."""
        return self.grower(self)

    def take(self, rows: np.ndarray) -> "FitContext":
        """Return the context of some of the rows."""
        weight, case_weight = (None if x is None else x[rows] for x in (self.weight, self.case_weight))
        X = self.X.iloc[rows] if isinstance(self.X, pd.DataFrame) else self.X[rows]
        targets = [replace(target, codes=target.codes[rows]) for target in self.targets]
        return replace(self, X=X, targets=targets, weight=weight, case_weight=case_weight)

    def data(self) -> Training:
        """Return all rows as training data."""
        return self.code(self.X, self.targets, self.weight, self.case_weight)

    def data_without(self, held: np.ndarray, rows: np.ndarray) -> Training:
        """Return `rows` as training data, given the held-out rows; neither has rows of weight 0."""
        if self.values_of == "grown":
            return self.take(rows).data()
        both = np.union1d(held, rows)
        table = self.take(both).data()
        return replace(some_rows(table, np.searchsorted(both, rows)), whole=table.in_all)


class Fitted(NamedTuple):
    """The result of a fit: the tree, and further learned attributes of the estimator."""

    tree: Tree
    known: dict[str, Any]


class Pruning(Settings):
    """Base class of the pruning methods, which are given to an estimator as `prune`.

    `ComplexityParameter`, `CrossValidated` and `HoldoutValidated` prune by a complexity penalty of each leaf;
    `ReducedError` and `PrePruned` by held-out rows, node by node; `Pessimistic` by an estimate of the errors.

    Examples
    --------
    >>> from dtlib import CARTClassifier
    >>> CARTClassifier(prune=CrossValidated(folds=5)).set_params(prune__se=0).prune
    CrossValidated(folds=5, se=0)
    """

    @abstractmethod
    def fit_pruned(self, job: FitContext) -> Fitted:
        """Grow a tree, and prune it."""


class HoldoutPruning(Pruning):
    """A pruning method by held-out rows that needs only the nodes in which they end.

    Attributes
    ----------
    lists_held_out : bool
        Whether all rows are read before some are held out, so that the features of the tree list categories
        that only held-out rows have. No node has a branch for these.
    """

    lists_held_out: ClassVar[bool] = False

    def judge(self, tree: Tree) -> Tree:
        """Return the tree that the held-out rows prune, given the full tree."""
        return tree

    @abstractmethod
    def of(self, tree: Tree, held: Held, grown: float) -> Fitted:
        """Prune a tree by the held-out rows, given the weight of the rows from which it was grown."""


class TreePruning(Pruning):
    """A pruning method that needs only the tree."""

    @abstractmethod
    def of(self, tree: Tree) -> Fitted:
        """Prune a tree."""

    def fit_pruned(self, job: FitContext) -> Fitted:
        """Grow and prune."""
        return self.of(job.grow(job.data())[0])


@dataclass(repr=False, eq=False)
class ComplexityParameter(TreePruning):
    """Prune subtrees that save too little risk: rpart's `cp` [1]_.

    Parameters
    ----------
    cp : float of at least -1, optional, default 0.01
        Subtrees that save less than this share of the root's risk for each of their splits are pruned. The
        risk is the weight of the misclassified rows, their cost by a loss, or the squared error. None prunes
        nothing.

    References
    ----------
    .. [1] T. M. Therneau, E. J. Atkinson, "An introduction to recursive partitioning using the RPART
       routines", Mayo Foundation, section 4.

    Examples
    --------
    >>> from dtlib import CARTClassifier
    >>> from dtlib.datasets import load_watermelon
    >>> melons = load_watermelon("3.0")
    >>> CARTClassifier(prune=ComplexityParameter(cp=0.1)).fit(melons.X, melons.y).get_n_leaves()
    3
    """

    cp: float | None = 0.01

    _declared: ClassVar[Declared] = {"cp": (None, Number(-1))}

    def of(self, tree: Tree) -> Fitted:
        """Prune a tree."""
        return Fitted(tree if self.cp is None else best_subtree(tree, self.cp * risk(tree)[0]), {})


@dataclass(repr=False, eq=False)
class CostComplexity(TreePruning):
    """Minimal cost-complexity pruning by the impurity, as scikit-learn's `ccp_alpha` does.

    Parameters
    ----------
    alpha : float of at least 0
        Complexity penalty of a leaf, as a share of all weight.
    """

    alpha: float

    _declared: ClassVar[Declared] = {"alpha": (Number(0),)}

    def of(self, tree: Tree) -> Fitted:
        """Prune a tree."""
        path = pruning_path(tree, "impurity")
        return Fitted(path.tree(self.alpha * float(path.full.n[0])), {"pruning_path_": path})


@dataclass(repr=False, eq=False, kw_only=True)
class ChosenAlpha(Pruning):
    """Base class of the methods that choose alpha by rows from which the tree was not grown."""

    se: float = 1.0
    risk: str = "cost"
    cp: float | None = None

    _declared: ClassVar[Declared] = {
        "se": (Number(0),),
        "risk": ("cost", "impurity"),
        "cp": (None, Number(-1)),
    }

    def least(self, path: PruningPath) -> float:
        """Return the smallest alpha of the table."""
        return 0.0 if self.cp is None else self.cp * float(path.risk[0])

    def chosen(self, path: PruningPath, found: Curve, grown: float) -> Fitted:
        """Return the subtree that the rule chooses from the table."""
        least = self.least(path)
        table = cp_table(path, found, least, grown)
        alpha = float(alphas_of(path, least)[::-1][one_se_rule(table, self.se) - 1])
        return Fitted(path.tree(alpha), {"pruning_path_": path, "cptable_": table, "alpha_": alpha})


@dataclass(repr=False, eq=False)
class CrossValidated(ChosenAlpha):
    """Choose alpha, the complexity penalty of a leaf, by cross-validation; prune the tree of all rows [1]_.

    Parameters
    ----------
    folds : int of at least 2, splitter or iterable, default 10
        Number of folds (with equal shares of each class, in the order of the rows), a splitter of
        scikit-learn, or pairs of row positions (train, test).
    se : float of at least 0, default 1.0
        Take the smallest subtree whose cost is at most this number of standard errors above the best.
    risk : {"cost", "impurity"}, default "cost"
        The risk that defines the sequence of subtrees: that of `ComplexityParameter`, or the impurity by
        which the tree was grown. The subtrees are always compared by their cost on held-out rows.
    cp : float of at least -1, optional
        The smallest alpha of the table, as a share of the root's risk; default: that of the full tree.

    References
    ----------
    .. [1] L. Breiman, J. H. Friedman, R. A. Olshen, C. J. Stone, "Classification and Regression Trees"
       (1984), sections 3.4 and 8.5.

    Examples
    --------
    >>> from dtlib import CARTClassifier
    >>> from dtlib.datasets import load_watermelon
    >>> melons = load_watermelon("3.0")
    >>> CARTClassifier(prune=CrossValidated(folds=5)).fit(melons.X, melons.y).get_n_leaves()
    2
    """

    folds: int | Any = 10

    def check(self) -> Self:
        """Return the settings; raise an error if one cannot be used."""
        if isinstance(self.folds, Real):
            check_number("folds", self.folds, 2, whole=True)
        return super().check()

    def fit_pruned(self, job: FitContext) -> Fitted:
        """Grow, cross-validate and prune."""
        data = job.data()
        path, held = pruning_path(job.grow(data)[0], self.risk), held_rows(data, job.loss)
        alphas = middles(alphas_of(path, self.least(path)))
        found = cross_validated(job.grow, data, held, rows_of_folds(self.folds, data), self.risk, alphas)
        return self.chosen(path, found, float(held.weight.sum()))


@dataclass(repr=False, eq=False)
class HoldoutValidated(ChosenAlpha, HoldoutPruning):
    """Choose alpha, the complexity penalty of a leaf, by held-out rows: the tree is grown without them.

    Parameters
    ----------
    held_out : float between 0 and 1, or array-like, default 0.3
        The share of the rows (of each class) that is drawn by `random_state` of the estimator; or the
        positions of the held-out rows, or a mask with a bool for each row.
    se, risk, cp
        As in `CrossValidated`.

    Examples
    --------
    >>> from dtlib import CARTClassifier
    >>> from dtlib.datasets import load_loan
    >>> loan = load_loan()
    >>> CARTClassifier(prune=HoldoutValidated(held_out=[0, 4, 8, 12])).fit(loan.X, loan.y).get_n_leaves()
    3
    """

    held_out: float | ArrayLike = 0.3

    lists_held_out: ClassVar[bool] = True

    def fit_pruned(self, job: FitContext) -> Fitted:
        """Grow from some rows, and prune by the others."""
        data = job.data()
        held = held_rows(data, job.loss)
        rows, others = split_held_out(self.held_out, data.targets, job.random_state)
        judges, grown = held.take(others), float(held.weight[rows].sum())
        if not grown:
            raise ValueError("held_out leaves only rows that weigh nothing to grow from: hold out others")
        if not judges.weight.any():
            raise ValueError("held_out has only rows that weigh nothing: hold out others")
        return self.of(job.grow(some_rows(data, rows))[0], judges, grown)

    def of(self, tree: Tree, held: Held, grown: float) -> Fitted:
        """Prune a tree by the held-out rows, given the weight of the rows from which it was grown."""
        path = pruning_path(tree, self.risk)
        found = held_out_curve(path, held, alphas_of(path, self.least(path)))
        return self.chosen(path, found, grown)


@dataclass(repr=False, eq=False)
class NodewiseHoldoutPruning(HoldoutPruning):
    """Base class of reduced-error pruning and pre-pruning: held-out rows decide node by node."""

    held_out: float | ArrayLike = 0.3
    cp: float | None = field(default=None, kw_only=True)

    _declared: ClassVar[Declared] = {"cp": (None, Number(-1))}

    @abstractmethod
    def judged(self, tree: Tree, held: ValidationErrors) -> Tree:
        """Prune a tree, given the costs of the held-out rows at its nodes."""

    def fit_pruned(self, job: FitContext) -> Fitted:
        """Grow from some rows, and prune by the others."""
        rows, held = split_held_out(self.held_out, job.targets, job.random_state, job.weight)
        judges = job.take(held)
        tree = self.judge(job.take(rows).grow(job.data_without(held, rows))[0])
        truth = {y.name: np.asarray(y.values)[y.codes] for y in judges.targets}
        weight = judges.weight
        if weight is not None and job.loss is not None:
            weight = weight / job.loss.sum(1)[judges.targets[0].codes]
        return Fitted(self.judged(tree, hold_out(tree, judges.X, pd.DataFrame(truth), weight)), {})

    def judge(self, tree: Tree) -> Tree:
        """Return the tree that the held-out rows prune, given the full tree."""
        return ComplexityParameter(self.cp).of(tree).tree

    def of(self, tree: Tree, held: Held, grown: float) -> Fitted:
        """Prune a tree by the held-out rows, given the nodes in which they end."""
        row, node, share = held.ends(tree)
        full = sum_up(tree, Ends(row, node, share * held.weight * held.factor), held.truth)
        return Fitted(self.judged(tree, full), {})


@dataclass(repr=False, eq=False)
class ReducedError(NodewiseHoldoutPruning):
    """Replace subtrees by leaves that make fewer errors on held-out rows, from the bottom up.

    Parameters
    ----------
    held_out : float between 0 and 1, or array-like, default 0.3
        As in `HoldoutValidated`.
    ties : {"keep", "cut"}, default "keep"
        Whether a subtree that is neither better nor worse than a leaf is kept, see `reduced_error`.
    cp : float of at least -1, optional
        Prune first by the complexity parameter, as `ComplexityParameter` does; default: do not.

    Examples
    --------
    >>> from dtlib import ID3Classifier
    >>> from dtlib.datasets import load_loan
    >>> loan = load_loan()
    >>> ID3Classifier(prune=ReducedError(held_out=[0, 4, 8, 12])).fit(loan.X, loan.y).get_n_leaves()
    3
    """

    ties: str = "keep"

    _declared: ClassVar[Declared] = {**NodewiseHoldoutPruning._declared, "ties": ("keep", "cut")}

    def judged(self, tree: Tree, held: ValidationErrors) -> Tree:
        """Prune a tree, given the costs of the held-out rows at its nodes."""
        return cut_errors(tree, held, self.ties)


@dataclass(repr=False, eq=False)
class PrePruned(NodewiseHoldoutPruning):
    """Make a split only if it makes fewer errors on held-out rows than a leaf, from the top down.

    Parameters
    ----------
    held_out : float between 0 and 1, or array-like, default 0.3
        As in `HoldoutValidated`.
    cp : float of at least -1, optional
        Prune first by the complexity parameter, as `ComplexityParameter` does; default: do not.

    Examples
    --------
    >>> from dtlib import ID3Classifier
    >>> from dtlib.datasets import load_loan
    >>> loan = load_loan()
    >>> ID3Classifier(prune=PrePruned(held_out=[0, 4, 8, 12])).fit(loan.X, loan.y).get_n_leaves()
    3
    """

    def judged(self, tree: Tree, held: ValidationErrors) -> Tree:
        """Prune a tree, given the costs of the held-out rows at its nodes."""
        return keep_helpful(tree, held)


@dataclass(repr=False, eq=False)
class Pessimistic(TreePruning):
    """Prune by a pessimistic estimate of the errors, as C4.5 does; no row is held out.

    Parameters
    ----------
    confidence, raising, bound, slack
        As for `pessimistic`.

    Examples
    --------
    >>> from dtlib import C45Classifier
    >>> from dtlib.datasets import load_golf
    >>> golf = load_golf()
    >>> C45Classifier(prune=Pessimistic(confidence=0.1)).fit(golf.X, golf.y).get_n_leaves()
    5
    """

    confidence: float = 0.25
    raising: bool = True
    bound: str = "binomial"
    slack: float = 0.1

    _declared: ClassVar[Declared] = {"raising": (True, False), "slack": (Number(0),)}

    def check(self) -> Self:
        """Return the settings; raise an error if one cannot be used."""
        check_confidence(self.confidence, self.bound)
        return super().check()

    def of(self, tree: Tree) -> Fitted:
        """Prune a tree; subtree raising needs its training data."""
        return Fitted(pessimistic(tree, self.confidence, self.raising, self.bound, self.slack), {})

    def fit_pruned(self, job: FitContext) -> Fitted:
        """Grow and prune; the training data, which raising needs, are then kept or not as usual."""
        data = job.data()
        (tree,) = job.grow(data)
        pruned = self.of(replace(tree, training=data)).tree
        return Fitted(replace(pruned, training=tree.training, pruned_from=tree), {})


SHORT: dict[str, type[Pruning]] = {
    "cv": CrossValidated, "validation": HoldoutValidated, "reduced_error": ReducedError, "pre": PrePruned,
    "pessimistic": Pessimistic,
}  # fmt: skip


def pruning_of(prune: str | Pruning | None) -> Pruning:
    """Return a pruning method; a word gives the method with its default settings.

    Examples
    --------
    >>> pruning_of("cv"), pruning_of(None)
    (CrossValidated(), ComplexityParameter(cp=None))
    """
    return prune if isinstance(prune, Pruning) else SHORT[prune]() if prune else ComplexityParameter(None)


def rows_of_folds(folds: Any, data: Training) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return for each fold the training rows and the test rows."""
    y, n = truth_of(data), data.shape[1]
    y = y[:, 0] if y.shape[1] == 1 else y
    if isinstance(folds, Integral):
        check_folds(int(folds), data)
    try:
        splitter = check_cv(folds, y, classifier=data.targets[0].kind == "nominal")
        pairs = [(train, test) for train, test in splitter.split(np.zeros(n), y)]
    except (TypeError, ValueError) as error:
        raise fault_in("folds", folds, WANTED_FOLDS, error) from None
    return [fold_of(train, test, n) for train, test in pairs]


def check_folds(folds: int, data: Training) -> None:
    """Raise an error if there are more folds than rows, or than any class has rows."""
    n, target = data.shape[1], data.targets[0]
    if folds > n:
        raise ValueError(f"folds is {folds}, but n_samples = {n}: wanted at most one fold for each row")
    most = np.bincount(target.codes).max()
    if target.kind == "nominal" and len(data.targets) == 1 and folds > most:
        raise ValueError(
            f"folds is {folds}, but no class has more than {how_many(most, 'row')}: wanted at most so many, "
            f"or a splitter such as sklearn.model_selection.KFold"
        )


def fold_of(train: np.ndarray, test: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows of a fold; raise an error if they cannot be used."""
    pair = []
    for name, given in (("train", train), ("test", test)):
        rows = read_rows(f"folds has a pair whose {name} part", given, WANTED_FOLDS)
        rows = np.flatnonzero(rows) if rows.dtype == bool and rows.shape == (n,) else rows
        if rows.ndim != 1 or not len(rows) or rows.dtype.kind not in "iu":
            raise ValueError(f"folds has a pair whose {name} rows are {rows!r}; wanted positions of rows")
        if not (rows.min() >= 0 and rows.max() < n):
            raise ValueError(
                f"folds has row positions from {rows.min()} to {rows.max()}; they are 0 to {n - 1}"
            )
        pair.append(rows.astype(np.intp))
    if np.isin(pair[1], pair[0]).any():
        row = pair[1][np.isin(pair[1], pair[0])][0]
        raise ValueError(f"folds has row {row} both in train and in test of a pair: wanted disjoint rows")
    return pair[0], pair[1]
