"""CART: binary splits by impurity (chapters 9 and 10)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from numbers import Integral, Real
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.base import ClassifierMixin, RegressorMixin, clone
from sklearn.model_selection import check_cv
from sklearn.utils import Bunch, check_random_state

from dtlib.base import ClassTree, TreeEstimator, is_kept
from dtlib.counting.targets import CLASSIFY, REGRESS
from dtlib.dialects.rpart_ties import Rounding, altered
from dtlib.growing.by_score import TOGETHER, grow_each
from dtlib.prune import (
    BY_HELD_OUT,
    best_subtree,
    cp_table,
    one_se_rule,
    pruning_path,
    risk,
    set_apart,
    split_held_out,
)
from dtlib.prune.cross_validation import (
    Grow,
    cross_validated,
    curve,
    held_rows,
    middles,
    prices,
    some_rows,
    truth_of,
)
from dtlib.search.rules import WAYS, Rules, SurrogateRules
from dtlib.table.columns import Column
from dtlib.table.parameters import check_choice, check_number
from dtlib.table.reading import class_targets, number_targets
from dtlib.table.training import Training, joined
from dtlib.table.weights import (
    check_prior,
    check_scale,
    checked_weight,
    weigh_classes,
    with_costs,
)
from dtlib.tree.descend import mixture
from dtlib.tree.tree import Tree

SKLEARN = {
    "samples": "rows",
    "min_samples_split": 2,
    "min_samples_leaf": 1,
    "zero_gain": True,
    "precision": "single",
    "min_impurity": float(np.finfo(float).eps),
}
RPART = {
    "nominal": "ordered",
    "max_depth": 30,
    "min_samples_split": 20,
    "min_samples_leaf": 7,
    "samples": "rows",
    "missing": "surrogate",
    "unseen": "missing",
    "surrogate_names": "disagree",
    "at_threshold": "right",
    "ties": "rounding",
    "cp": 0.01,
}


class CART(TreeEstimator):
    """What classification and regression share: the parameters, and the rules they make."""

    def __init__(
        self,
        *,
        criterion: str = "squared_error",
        nominal: str = "subset",
        max_depth: int | None = None,
        min_samples_split: float = 0,
        min_samples_leaf: float = 0,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_leaf_nodes: int | None = None,
        max_features: int | float | str | None = None,
        zero_gain: bool = False,
        samples: str = "weight",
        precision: str = "double",
        missing: str = "error",
        unseen: str = "stay",
        max_surrogates: int = 5,
        surrogate_agreement: str = "all",
        surrogate_names: str = "each_way",
        unresolved: str = "majority",
        at_threshold: str = "left",
        ties: str = "first",
        cp: float | None = None,
        ccp_alpha: float = 0.0,
        prune: str | None = None,
        prune_risk: str = "error",
        folds: int | Any = 10,
        held_out: float | ArrayLike = 0.3,
        se: float = 1.0,
        random_state: Any = None,
        keep_data: bool | None = None,
        verbose: int = 0,
    ):
        self.criterion = criterion
        self.nominal = nominal
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.min_impurity = min_impurity
        self.min_impurity_decrease = min_impurity_decrease
        self.max_leaf_nodes = max_leaf_nodes
        self.max_features = max_features
        self.zero_gain = zero_gain
        self.samples = samples
        self.precision = precision
        self.missing = missing
        self.unseen = unseen
        self.max_surrogates = max_surrogates
        self.surrogate_agreement = surrogate_agreement
        self.surrogate_names = surrogate_names
        self.unresolved = unresolved
        self.at_threshold = at_threshold
        self.ties = ties
        self.cp = cp
        self.ccp_alpha = ccp_alpha
        self.prune = prune
        self.prune_risk = prune_risk
        self.folds = folds
        self.held_out = held_out
        self.se = se
        self.random_state = random_state
        self.keep_data = keep_data
        self.verbose = verbose

    def _grow_from(
        self,
        X: Any,
        targets: list[Column],
        weight: np.ndarray | None,
        case_weight: np.ndarray | None,
        loss: np.ndarray | None = None,
    ) -> Self:
        """Grow the tree from what has been read, and prune it."""
        if case_weight is None and weight is not None:
            case_weight = np.ones(len(X))
        if self.prune in BY_HELD_OUT:
            return self._grow_apart(X, targets, weight, case_weight, loss)
        data = self._code(X, targets, weight, case_weight)
        grow = self._grower(targets, data, loss)
        if self.prune is not None:
            return self._choose(data, grow, loss)
        self._keep(self._at_price(grow(data)[0]), data, self.keep_data)
        return self

    def _at_price(self, tree: Tree) -> Tree:
        """Prune a tree as `cp` or `ccp_alpha` says."""
        if self.cp is not None:
            return best_subtree(tree, self.cp * risk(tree)[0])
        if self.ccp_alpha:
            self.pruning_path_ = pruning_path(tree, "impurity")
            return self.pruning_path_.tree(self.ccp_alpha * float(tree.n[0]))
        return tree

    def _grow_apart(
        self,
        X: Any,
        targets: list[Column],
        weight: np.ndarray | None,
        case_weight: np.ndarray | None,
        loss: np.ndarray | None,
    ) -> Self:
        """Grow the tree from some rows, and let the others prune it."""
        judged = weight if loss is None else weight / loss.sum(1)[targets[0].codes]
        apart = set_apart(self.held_out, X, targets, weight, self.random_state, judged)
        case_weight = None if case_weight is None else case_weight[apart.rows]
        data = self._code(*apart.grown, case_weight)
        tree = self._grower(list(apart.grown[1]), data, loss)(data)[0]
        if self.cp is not None:
            tree = best_subtree(tree, self.cp * risk(tree)[0])
        self._keep(tree, data, self.keep_data, apart.by(self.prune))
        return self

    def _grower(self, targets: list[Column], data: Training, loss: np.ndarray | None) -> Grow:
        """Return what grows a tree from all rows, or one from each of several parts of them."""
        rounding = None
        if self.ties == "rounding":
            rounding = self._rounding(targets, data.case_weight, loss)

        def grow(data: Training, parts: Sequence[np.ndarray] | None = None) -> list[Tree]:
            some = [data] if parts is None else [some_rows(data, rows) for rows in parts]
            every = [self._rules(x.codes.shape[1], x.total_weight, x.codes.shape[0]) for x in some]
            if rounding is not None:
                every = [replace(rules, ties=rounding) for rules in every]
            cells = sum(x.codes.size for x in some)
            if len(some) > 1 and cells <= TOGETHER and every == every[:1] * len(some) and every[0].is_local:
                together, root = joined(some)
                trees = grow_each(together, every[0], len(some), root)
                trees = [self._planted(tree, every[0], loss) for tree in trees]
            else:
                trees = [self._plant(x, rules, loss) for x, rules in zip(some, every, strict=True)]
            # `pruned_from` and `pruning_path_` will hold the trees
            return trees if is_kept(data, self.keep_data) else [replace(x, training=None) for x in trees]

        return grow

    def _choose(self, data: Training, grow: Grow, loss: np.ndarray | None) -> Self:
        """Choose the price of a leaf by rows that were not grown from, and prune."""
        held = held_rows(data, loss)
        grown = float(held.weight.sum())
        if self.prune == "validation":
            rows, others = split_held_out(self.held_out, data.targets, self.random_state)
            data, held, grown = some_rows(data, rows), held.take(others), float(held.weight[rows].sum())
            if not grown:
                raise ValueError("held_out leaves only rows that weigh nothing to grow from: hold out others")
        ordered = dict(data.order)  # growing takes it away, and the folds need it
        path = pruning_path(grow(data)[0], self.prune_risk)
        least = 0.0 if self.cp is None else self.cp * float(path.risk[0])
        alphas = prices(path, least)
        if self.prune == "validation":
            found = curve(path, held, alphas)
            if not found.weight:
                raise ValueError("held_out has only rows that weigh nothing: hold out others")
        else:
            again, folds = replace(data, order=ordered), self._folds(data)
            found = cross_validated(grow, again, held, folds, self.prune_risk, middles(alphas))
        self.pruning_path_, self.cptable_ = path, cp_table(path, found, least, grown)
        self.alpha_ = float(alphas[::-1][one_se_rule(self.cptable_, self.se) - 1])
        self._keep(path.tree(self.alpha_), data, self.keep_data)
        return self

    def _folds(self, data: Training) -> list[tuple[np.ndarray, np.ndarray]]:
        """Return the rows of each fold to grow from, and those to test with."""
        y, n = truth_of(data), data.codes.shape[1]
        y = y[:, 0] if y.shape[1] == 1 else y
        if isinstance(self.folds, Integral):
            check_folds(self.folds, data)
        splitter = check_cv(self.folds, y, classifier=data.targets[0].kind == "nominal")
        return [fold_of(train, test, n) for train, test in splitter.split(np.zeros(n), y)]

    def _rules(self, n: int, total: float, d: int) -> Rules:
        """Return the rules for n rows of this weight and d features."""
        k = features_drawn(self.max_features, d)
        seed = None if k is None else int(check_random_state(self.random_state).randint(2**31 - 1))
        return Rules(
            criterion=self.criterion, nominal=self.nominal, max_depth=self.max_depth,
            **self._limits(n, total), min_impurity=self.min_impurity, min_decrease=self.min_impurity_decrease,
            zero_gain=bool(self.zero_gain), max_leaf_nodes=self.max_leaf_nodes, max_features=k, seed=seed,
            gap=1e-7 if self.precision == "single" else 0.0, missing=self.missing,
            surrogates=self._surrogate_rules(), below=self.at_threshold == "right",
            verbose=bool(self.verbose),
        )  # fmt: skip

    def _rounding(
        self, targets: list[Column], weight: np.ndarray | None, loss: np.ndarray | None
    ) -> Rounding:
        """Return what rpart computes with, or say that it would not."""
        if len(targets) > 1 or self.criterion not in ("gini", "entropy", "squared_error"):
            what = f"y has {len(targets)} outputs" if len(targets) > 1 else f"criterion is {self.criterion!r}"
            raise ValueError(f"ties='rounding' does as rpart does, but {what}: wanted ties='first'")
        if self.criterion == "squared_error":
            return Rounding(None, False)
        target = targets[0]
        of_class = np.bincount(target.codes, weight, len(target.values))
        share = of_class / of_class.sum()
        prior = share if self.prior is None else check_prior(self.prior, target, of_class)
        loss = 1.0 - np.eye(len(prior)) if loss is None else loss
        return Rounding(altered(prior, loss, share), self.criterion == "entropy")

    def _surrogate_rules(self) -> SurrogateRules | None:
        """Return which questions may stand in; None if rows with missing values go elsewhere."""
        if self.missing not in ("surrogate", "stay") or (self.missing == "stay" and not self.max_surrogates):
            return None
        return SurrogateRules(
            self.max_surrogates, self.surrogate_agreement, self.surrogate_names, self.unresolved,
            self.at_threshold == "right",
        )  # fmt: skip

    def _limits(self, n: int, total: float) -> dict[str, Any]:
        """Return how large nodes must be, in weight or in rows; a fraction is a share of all of it."""
        share = self.min_weight_fraction_leaf * total
        amount = n if self.samples == "rows" else total
        split, leaf = (
            x if isinstance(x, Integral) or x >= 1 else x * amount
            for x in (self.min_samples_split, self.min_samples_leaf)
        )
        if self.samples == "weight":
            leaf = max(leaf, share)
            return {"min_split": max(split, 2 * share), "min_leaf": leaf}
        split, leaf = int(np.ceil(split)), int(np.ceil(leaf))
        rows = {"min_split_rows": max(2, split, 2 * leaf), "min_leaf_rows": max(1, leaf)}
        return rows | {"min_split": 2 * share, "min_leaf": share}

    def _check_parameters(self, criteria: tuple[str, ...]) -> None:
        """Say what is wrong with the parameters."""
        check_choice("criterion", self.criterion, criteria)
        check_choice("nominal", self.nominal, ("subset", "ordered", "one_vs_rest"))
        check_choice("missing", self.missing, WAYS)
        check_choice("unseen", self.unseen, ("stay", "missing"))
        check_choice("surrogate_agreement", self.surrogate_agreement, ("all", "known"))
        check_choice("surrogate_names", self.surrogate_names, ("each_way", "disagree"))
        check_choice("unresolved", self.unresolved, ("majority", "stay"))
        check_choice("ties", self.ties, ("first", "rounding"))
        check_choice("at_threshold", self.at_threshold, ("left", "right"))
        check_number("max_surrogates", self.max_surrogates, 0, whole=True)
        self._check_pruning()
        check_choice("samples", self.samples, ("weight", "rows"))
        check_choice("precision", self.precision, ("double", "single"))
        check_choice("keep_data", self.keep_data, (None, True, False))
        check_choice("zero_gain", self.zero_gain, (True, False))
        if not isinstance(self.verbose, bool):
            check_number("verbose", self.verbose, 0, whole=True)
        for name in ("min_samples_split", "min_samples_leaf", "min_impurity", "min_impurity_decrease"):
            check_number(name, getattr(self, name), 0)
        check_number("min_weight_fraction_leaf", self.min_weight_fraction_leaf, 0, high=0.5)
        if self.max_depth is not None:
            check_number("max_depth", self.max_depth, 0, whole=True)
        if self.max_leaf_nodes is not None:
            check_number("max_leaf_nodes", self.max_leaf_nodes, 1, whole=True)
        if isinstance(self.max_features, str):
            check_choice("max_features", self.max_features, ("sqrt", "log2"))
        elif isinstance(self.max_features, Real) and not isinstance(self.max_features, Integral):
            check_number("max_features", self.max_features, 0, above=True, high=1)
        elif self.max_features is not None:
            check_number("max_features", self.max_features, 1, whole=True)
        if self.criterion == "absolute_error" and self.nominal == "one_vs_rest":
            raise ValueError("nominal is 'one_vs_rest', which absolute_error does not have: wanted 'subset'")

    def _check_pruning(self) -> None:
        """Say what is wrong with the parameters of pruning."""
        if self.cp is not None:
            check_number("cp", self.cp, -1)
        check_number("ccp_alpha", self.ccp_alpha, 0)
        check_choice("prune", self.prune, (None, "cv", "validation", *BY_HELD_OUT))
        check_choice("prune_risk", self.prune_risk, ("error", "impurity"))
        check_number("se", self.se, 0)
        if isinstance(self.folds, Real):
            check_number("folds", self.folds, 2, whole=True)
        if self.ccp_alpha and (self.cp is not None or self.prune is not None):
            other = f"prune is {self.prune!r}" if self.cp is None else f"cp is {self.cp!r}"
            raise ValueError(
                f"ccp_alpha is {self.ccp_alpha!r} and {other}: both say how far to prune, wanted one of them"
            )

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
        >>> from dtlib import CARTClassifier, load_loan
        >>> loan = load_loan()
        >>> path = CARTClassifier().cost_complexity_pruning_path(loan.X, loan.y)
        >>> path.ccp_alphas, path.impurities
        (array([0.  , 0.24]), array([0.  , 0.48]))
        """
        model = clone(self).set_params(ccp_alpha=0.0, prune=None)
        return Bunch(**pruning_path(model.fit(X, y, sample_weight).tree_, "impurity").bunch())

    @classmethod
    def sklearn(cls, **overrides: Any) -> Self:
        """Return an estimator that grows scikit-learn's tree.

        What it sets, and why:

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
            Further parameters, or other values of these.

        Returns
        -------
        CARTClassifier or CARTRegressor
            Not fitted.

        Examples
        --------
        >>> from sklearn.tree import DecisionTreeRegressor
        >>> from dtlib import CARTRegressor, load_regression_points
        >>> points = load_regression_points()
        >>> ours = CARTRegressor.sklearn(max_depth=2).fit(points.X, points.y)
        >>> theirs = DecisionTreeRegressor(max_depth=2).fit(points.X, points.y)
        >>> bool((ours.predict(points.X) == theirs.predict(points.X)).all())
        True
        """
        return cls(**(SKLEARN | overrides))

    @classmethod
    def rpart(cls, **overrides: Any) -> Self:
        """Return an estimator that grows the tree of R's rpart (version 4.1.19) with its own defaults.

        What it sets, and why it matters:

        - ``min_samples_split=20``, ``min_samples_leaf=7`` (rpart's ``minsplit`` and ``minbucket``; if one of
          them is given the other follows, as there: a third, or three times), ``samples="rows"``,
          ``max_depth=30``: small nodes are not split. Of a feature with missing values, only the rows count
          that know it.
        - ``cp=0.01``: a split must pay: subtrees that save less than this share of the root's risk, for each
          of their splits, are cut off (``cp=-1`` keeps all).
        - ``missing="surrogate"``, ``max_surrogates=5``, ``unresolved="majority"`` (its ``usesurrogate=2``;
          ``unresolved="stay"`` is 1, and ``missing="stay"`` is 0), ``surrogate_agreement="all"`` (its
          ``surrogatestyle=0``; "known" is 1), ``unseen="missing"``.
        - ``surrogate_names="disagree"``: a slip in rpart. Its comment says that at least two rows must go
          each way; for names it counts the rows sent alike, and those that are not. So a feature of names
          that agrees with the question in all rows is no surrogate.
        - ``nominal="ordered"``: two groups of names are a cut of their order by the mean, even where
          ``min_samples_leaf`` forbids the best cut and other groups would gain more.
        - ``ties="rounding"``: of equal splits, here the first column and the lowest threshold win; there,
          what comes out largest when floats are added up in the order of the rows.
        - ``at_threshold="right"``: a number equal to a threshold goes with the larger ones.

        The ``improve`` of its `summary` is `gain` times the node's weight (in nats for "information"), for
        numbers `gain` by `impurity`: see ``tree_.trace(candidates=True)``.

        What stays different: the first branch has the numbers up to the threshold, or the group with the
        first name; rpart's left branch is the one with the smaller mean. Several outputs and absolute error,
        which rpart does not have, need ``ties="first"``. Rows that miss every feature are
        left out there (unless weights are given), and should be here. For more than two classes, groups of
        more than 10 names are not all tried. Of classes that cost the same, the first is predicted; there,
        rounding decides. Slips that are not copied: with a `cp` above 0, rpart at times keeps less than its
        own ``prune`` does from the full tree, which is what is kept here; a list of exactly two competitors
        or surrogates forgets both when a better one comes; with no surrogates allowed, rows stay in training
        and take the larger branch later; entropy of weights such as 0.1 may be NaN there.

        Parameters
        ----------
        **overrides
            Further parameters, or other values of these. ``criterion="entropy"`` is its
            ``split = "information"``; `prior` and `loss` are as there.

        Returns
        -------
        CARTClassifier or CARTRegressor
            Not fitted.

        Examples
        --------
        >>> from dtlib import CARTClassifier, load_loan
        >>> loan = load_loan()
        >>> CARTClassifier.rpart(min_samples_split=2).fit(loan.X, loan.y).get_n_leaves()
        3
        """
        split, leaf = overrides.get("min_samples_split"), overrides.get("min_samples_leaf")
        if split is not None and leaf is None:
            overrides["min_samples_leaf"] = round(split / 3)
        if leaf is not None and split is None:
            overrides["min_samples_split"] = 3 * leaf
        return cls(**(RPART | overrides))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags


def check_folds(folds: int, data: Training) -> None:
    """Say that there are more folds than rows, or than any class has rows."""
    n, target = data.codes.shape[1], data.targets[0]
    if folds > n:
        raise ValueError(f"folds is {folds}, but n_samples = {n}: wanted at most one fold for each row")
    most = np.bincount(target.codes).max()
    if target.kind == "nominal" and len(data.targets) == 1 and folds > most:
        raise ValueError(
            f"folds is {folds}, but no class has more than {most} rows: wanted at most so many, or a "
            f"splitter such as sklearn.model_selection.KFold"
        )


def fold_of(train: np.ndarray, test: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows of a fold, or say what is wrong with them."""
    pair = []
    for name, rows in (("train", np.asarray(train)), ("test", np.asarray(test))):
        rows = np.flatnonzero(rows) if rows.dtype == bool and rows.shape == (n,) else rows
        if rows.ndim != 1 or not len(rows) or rows.dtype.kind not in "iu":
            raise ValueError(f"folds has a pair whose {name} rows are {rows!r}; wanted positions of rows")
        if not (rows.min() >= 0 and rows.max() < n):
            raise ValueError(f"folds names rows from {rows.min()} to {rows.max()}; they are 0 to {n - 1}")
        pair.append(rows.astype(np.intp))
    if np.isin(pair[1], pair[0]).any():
        row = pair[1][np.isin(pair[1], pair[0])][0]
        raise ValueError(f"folds has row {row} both in train and in test of a pair: wanted disjoint rows")
    return pair[0], pair[1]


def features_drawn(max_features: int | float | str | None, d: int) -> int | None:
    """Return how many of d features a node considers; None for all.

    Examples
    --------
    >>> [features_drawn(k, 9) for k in (2, 0.5, "sqrt", "log2", None)]
    [2, 4, 3, 3, None]
    """
    if max_features is None:
        return None
    if isinstance(max_features, str):
        return max(1, int({"sqrt": np.sqrt, "log2": np.log2}[max_features](d)))
    return int(max_features) if isinstance(max_features, Integral) else max(1, int(max_features * d))


class CARTClassifier(ClassifierMixin, ClassTree, CART):
    """Grow a classification tree with CART (Breiman, Friedman, Olshen and Stone, 1984).

    At each node, ask the question with two answers that lowers the impurity most: whether a number is at
    most a threshold, halfway between two values; or to which of two groups a name belongs. A feature may be
    asked again below. Ties go to the first column, then to the lowest threshold or the first group.

    Parameters
    ----------
    criterion : {"gini", "entropy", "error"}, default "gini"
        The impurity: Gini index [1]_, entropy (bits), or classification error.
    nominal : {"subset", "ordered", "one_vs_rest"}, default "subset"
        How names split: into two groups of values, or into one value and the rest. For two classes, the
        best groups are found [1]_; for more, all groups of up to 10 values are tried, and of more values
        only the cuts in the order of their first principal component [2]_. "ordered" tries for two classes
        only the cuts in the order of their shares, also where a branch must have more rows than the best
        cut leaves.
    max_depth : int of at least 0, optional
        Number of questions on the longest path; default: no limit.
    min_samples_split : int or float of at least 0, default 0
        A node is split only if it has at least this weight. A float below 1 is a share of all weight.
    min_samples_leaf : int or float of at least 0, default 0
        A split must leave each branch at least this weight. A float below 1 is a share of all weight.
    min_weight_fraction_leaf : float from 0 to 0.5, default 0.0
        The same as a share of all weight, whatever `samples` says.
    min_impurity : float of at least 0, default 0.0
        A node is split only if its impurity is above this (in its own unit, bits for entropy).
    min_impurity_decrease : float of at least 0, default 0.0
        A split must lower the impurity by at least this (in its own unit, bits for entropy), times the
        node's share of all weight.
    max_leaf_nodes : int of at least 1, optional
        Keep the splits that lower the impurity of the whole tree most, best first, until there are so many
        leaves; default: no limit.
    max_features : int of at least 1, float in (0, 1], "sqrt" or "log2", optional
        Consider so many features at each node (a share, the root or the logarithm of their number, rounded
        down, at least 1), drawn anew among those that can split it; default: all.
    zero_gain : bool, default False
        Whether a node is split even if that lowers its impurity by nothing.
    samples : {"weight", "rows"}, default "weight"
        What `min_samples_split` and `min_samples_leaf` count: weight, or rows of whatever weight.
    precision : {"double", "single"}, default "double"
        Read numbers as float64; or round them to float32 and part none that are 1e-7 or less apart.
    missing : {"error", "stay", "majority", "fractional", "surrogate"}, default "error"
        What becomes of rows whose value is missing where it is asked, in training and later. A split is
        always chosen by the rows that know the feature, and its decrease counts by their share. Then such a
        row is refused; ends at the node that asks; takes the branch of the largest weight; is divided among
        the branches by their weights, and predicted by the weighted mean; or is sent by surrogates,
        questions about other features that send the other rows most alike [3]_. Parts of rows are not split
        below the weight of two rows; with many holes a deep tree has many parts, and takes its time.
    unseen : {"stay", "missing"}, default "stay"
        What becomes of a name that no training row of the node had: the row ends there, or its value counts
        as missing.
    max_surrogates : int of at least 0, default 5
        Surrogates kept at each node (with ``missing="stay"`` they are only listed).
    surrogate_agreement : {"all", "known"}, default "all"
        The agreement of a surrogate is the share sent alike of all weight that knows the question, or of the
        weight that knows the surrogate too.
    surrogate_names : {"each_way", "disagree"}, default "each_way"
        A surrogate sends at least two rows each way; or if it asks names, sends at least two rows alike and
        two not, as rpart has it by a slip.
    unresolved : {"majority", "stay"}, default "majority"
        Where a row goes that misses all surrogates too: to the larger branch, or it ends at the node.
    at_threshold : {"left", "right"}, default "left"
        Where a number goes that equals a threshold; for "right" the tree has the float next below.
    ties : {"first", "rounding"}, default "first"
        Which of several equal splits is taken: the first, or that which comes out best when rpart's sums of
        floats are rounded (not for several outputs, "error" or "absolute_error").
    cp : float of at least -1, optional
        Cut off subtrees that save less than this share of the root's risk for each of their splits (risk:
        weight of the rows not predicted, what they cost, or squared error); default: no pruning. With
        "cv" and "validation", the table of subtrees ends there; "reduced_error" and "pre" prune what is left.
    ccp_alpha : float of at least 0, default 0.0
        Cut off subtrees that lower the impurity, times the node's share of all weight, by no more than this
        for each leaf they add: minimal cost-complexity pruning, as in scikit-learn. 0 cuts nothing.
    prune : {"cv", "validation", "reduced_error", "pre"}, optional
        "cv" and "validation" choose the price of a leaf by rows that were not grown from [4]_: by
        cross-validation, after which the tree of all rows is pruned at that price; or by the rows of
        `held_out`, without which the tree is grown. These can also decide node by node: "reduced_error" makes
        a leaf of a subtree that makes more errors on them than that, from the bottom up; "pre" makes a split
        only if it makes fewer errors on them than none, from the top down. Default: only as `cp` or
        `ccp_alpha` say.
    prune_risk : {"error", "impurity"}, default "error"
        By what "cv" and "validation" find the subtrees among which they choose: the risk of `cp`, or that of
        `ccp_alpha`. What is compared is always what the rows held out cost.
    folds : int of at least 2, splitter or iterable, default 10
        For ``prune="cv"``: how many folds (of equal shares of each class, in the order of the rows), a
        splitter of scikit-learn, or pairs of row positions (train, test).
    held_out : float between 0 and 1, or array-like, default 0.3
        For every `prune` but "cv": which share of the rows is drawn by `random_state` (of each class); or the
        positions of the rows, or a bool for each.
    se : float of at least 0, default 1.0
        For "cv" and "validation": take the smallest subtree that costs at most so many standard errors more
        than the best.
    class_weight : dict, list of dict, "balanced", optional
        By what the weight of a row is multiplied: a number for each class (1 if it is not named), for
        several outputs a dict for each of them; "balanced" gives each class the same total (rows are
        counted for that, whatever they weigh).
    prior : dict or array-like of shape (n_classes,), optional
        The probability of each class, by name or in the order of `classes_`, with the sum 1; default: its
        share of the weight. Rows are weighed accordingly.
    loss : array-like of shape (n_classes, n_classes), optional
        What it costs to predict the class of the column where that of the row is true; 0 on the diagonal.
        A node predicts what costs least, and the priors are altered for growing [1]_ (section 4.4); default:
        every error costs 1.
    random_state : int, RandomState, optional
        Seed of the draws of `max_features` and `held_out`; nothing else is drawn. Default: other draws in
        every fit.
    keep_data : bool, optional
        Whether the tree keeps its training data, which `tree_.explain` needs; default: if they have at most
        2**20 cells. In an ensemble, False saves a copy of them for each tree.
    verbose : int of at least 0, default 0
        Above 0, print a line for each level while the tree grows.

    Attributes
    ----------
    tree_ : Tree
        The tree: `explain`, `trace`, `rules`, drawing, export; if it was pruned, `pruned_from` and `steps`.
    classes_ : ndarray of shape (n_classes,), or a list of them
        The classes of the output, sorted; of several outputs, those of each.
    n_classes_ : int, or a list of them
        The number of classes.
    n_outputs_ : int
        The number of outputs.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if X was a frame.
    feature_importances_ : ndarray of shape (n_features_in_,)
        Share of each feature in the decrease of impurity; all 0 if the tree is one leaf.
    pruning_path_ : PruningPath
        With ``prune="cv"`` or "validation", or a `ccp_alpha` above 0: all subtrees among which was chosen,
        see `dtlib.prune.pruning_path`.
    cptable_ : DataFrame
        With ``prune="cv"`` or "validation": rpart's table of the subtrees, the root first; see
        `dtlib.prune.cp_table`.
    alpha_ : float
        With ``prune="cv"`` or "validation": the price of a leaf that was chosen, in the unit of the path.

    Notes
    -----
    Columns of a frame are names (category, string, object, bool), names in an order (ordered category) or
    numbers. Names in an order are asked like numbers: whether a name comes up to another one
    in the order. NaN, None and pd.NA are missing. The `counts` of a tree with a prior or a loss are the
    weights by which it was grown.

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
    >>> from dtlib import CARTClassifier, load_watermelon
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

    def __init__(
        self,
        *,
        criterion: str = "gini",
        nominal: str = "subset",
        max_depth: int | None = None,
        min_samples_split: float = 0,
        min_samples_leaf: float = 0,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_leaf_nodes: int | None = None,
        max_features: int | float | str | None = None,
        zero_gain: bool = False,
        samples: str = "weight",
        precision: str = "double",
        missing: str = "error",
        unseen: str = "stay",
        max_surrogates: int = 5,
        surrogate_agreement: str = "all",
        surrogate_names: str = "each_way",
        unresolved: str = "majority",
        at_threshold: str = "left",
        ties: str = "first",
        cp: float | None = None,
        ccp_alpha: float = 0.0,
        prune: str | None = None,
        prune_risk: str = "error",
        folds: int | Any = 10,
        held_out: float | ArrayLike = 0.3,
        se: float = 1.0,
        class_weight: dict | list | str | None = None,
        prior: dict | ArrayLike | None = None,
        loss: ArrayLike | None = None,
        random_state: Any = None,
        keep_data: bool | None = None,
        verbose: int = 0,
    ):
        super().__init__(
            criterion=criterion, nominal=nominal, max_depth=max_depth, min_samples_split=min_samples_split,
            min_samples_leaf=min_samples_leaf, min_weight_fraction_leaf=min_weight_fraction_leaf,
            min_impurity=min_impurity, min_impurity_decrease=min_impurity_decrease,
            max_leaf_nodes=max_leaf_nodes, max_features=max_features, zero_gain=zero_gain, samples=samples,
            precision=precision, missing=missing, unseen=unseen, max_surrogates=max_surrogates,
            surrogate_agreement=surrogate_agreement, surrogate_names=surrogate_names, unresolved=unresolved,
            at_threshold=at_threshold, ties=ties, cp=cp, ccp_alpha=ccp_alpha, prune=prune,
            prune_risk=prune_risk, folds=folds, held_out=held_out, se=se, random_state=random_state,
            keep_data=keep_data, verbose=verbose,
        )  # fmt: skip
        self.class_weight = class_weight
        self.prior = prior
        self.loss = loss

    def fit(self, X: ArrayLike | pd.DataFrame, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Grow the tree.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n, d)
            An array holds numbers; values may be missing if `missing` is not "error".
        y : array-like of shape (n,) or (n, outputs)
            The classes, nothing missing.
        sample_weight : array-like of shape (n,), optional
            What each row counts, finite and not negative; default 1. A number counts for every row.

        Returns
        -------
        self

        Raises
        ------
        TypeError
            If a column holds neither names nor real numbers (dates, say), or mixes types; if X is sparse,
            or an array of text; if a column name is no text, or classes are of several types.
        ValueError
            If there is no row or no column, a value is infinite or may not be missing, lengths differ,
            columns share a name, y holds numbers that are no classes, or a parameter or a weight cannot be
            used.
        """
        self._forget()
        self._check_parameters(tuple(CLASSIFY))
        X = self._read(X, reset=True)
        targets = class_targets(y, len(X))
        case_weight = checked_weight(sample_weight, len(X))
        weight = weigh_classes(self.class_weight, targets, case_weight)
        weight, loss = with_costs(self.prior, self.loss, targets, weight)
        classes = [np.asarray(target.values) for target in targets]
        self.classes_ = classes[0] if len(classes) == 1 else classes
        self.n_classes_ = len(classes[0]) if len(classes) == 1 else [len(c) for c in classes]
        return self._grow_from(X, targets, weight, case_weight, loss)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        return tags


class CARTRegressor(RegressorMixin, CART):
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
        means); for several outputs, all groups of up to 10 values are tried. Absolute error has only the cuts
        of the values ordered by their medians, and no "one_vs_rest".
    max_depth : int of at least 0, optional
        Number of questions on the longest path; default: no limit.
    min_samples_split : int or float of at least 0, default 0
        A node is split only if it has at least this weight. A float below 1 is a share of all weight.
    min_samples_leaf : int or float of at least 0, default 0
        A split must leave each branch at least this weight. A float below 1 is a share of all weight.
    min_weight_fraction_leaf : float from 0 to 0.5, default 0.0
        The same as a share of all weight, whatever `samples` says.
    min_impurity : float of at least 0, default 0.0
        A node is split only if its impurity is above this (squared units, or units).
    min_impurity_decrease : float of at least 0, default 0.0
        A split must lower the impurity by at least this (squared units, or units), times the node's share
        of all weight.
    max_leaf_nodes : int of at least 1, optional
        Keep the splits that lower the impurity of the whole tree most, best first, until there are so many
        leaves; default: no limit.
    max_features : int of at least 1, float in (0, 1], "sqrt" or "log2", optional
        Consider so many features at each node (a share, the root or the logarithm of their number, rounded
        down, at least 1), drawn anew among those that can split it; default: all.
    zero_gain : bool, default False
        Whether a node is split even if that lowers its impurity by nothing.
    samples : {"weight", "rows"}, default "weight"
        What `min_samples_split` and `min_samples_leaf` count: weight, or rows of whatever weight.
    precision : {"double", "single"}, default "double"
        Read numbers as float64; or round them to float32 and part none that are 1e-7 or less apart.
    missing : {"error", "stay", "majority", "fractional", "surrogate"}, default "error"
        What becomes of rows whose value is missing where it is asked, in training and later. A split is
        always chosen by the rows that know the feature, and its decrease counts by their share. Then such a
        row is refused; ends at the node that asks; takes the branch of the largest weight; is divided among
        the branches by their weights, and predicted by the weighted mean; or is sent by surrogates,
        questions about other features that send the other rows most alike [3]_. Parts of rows are not split
        below the weight of two rows; with many holes a deep tree has many parts, and takes its time.
    unseen : {"stay", "missing"}, default "stay"
        What becomes of a name that no training row of the node had: the row ends there, or its value counts
        as missing.
    max_surrogates : int of at least 0, default 5
        Surrogates kept at each node (with ``missing="stay"`` they are only listed).
    surrogate_agreement : {"all", "known"}, default "all"
        The agreement of a surrogate is the share sent alike of all weight that knows the question, or of the
        weight that knows the surrogate too.
    surrogate_names : {"each_way", "disagree"}, default "each_way"
        A surrogate sends at least two rows each way; or if it asks names, sends at least two rows alike and
        two not, as rpart has it by a slip.
    unresolved : {"majority", "stay"}, default "majority"
        Where a row goes that misses all surrogates too: to the larger branch, or it ends at the node.
    at_threshold : {"left", "right"}, default "left"
        Where a number goes that equals a threshold; for "right" the tree has the float next below.
    ties : {"first", "rounding"}, default "first"
        Which of several equal splits is taken: the first, or that which comes out best when rpart's sums of
        floats are rounded (not for several outputs, "error" or "absolute_error").
    cp : float of at least -1, optional
        Cut off subtrees that save less than this share of the root's risk for each of their splits (risk:
        weight of the rows not predicted, what they cost, or squared error); default: no pruning. With
        "cv" and "validation", the table of subtrees ends there; "reduced_error" and "pre" prune what is left.
    ccp_alpha : float of at least 0, default 0.0
        Cut off subtrees that lower the impurity, times the node's share of all weight, by no more than this
        for each leaf they add: minimal cost-complexity pruning, as in scikit-learn. 0 cuts nothing.
    prune : {"cv", "validation", "reduced_error", "pre"}, optional
        "cv" and "validation" choose the price of a leaf by rows that were not grown from [4]_: by
        cross-validation, after which the tree of all rows is pruned at that price; or by the rows of
        `held_out`, without which the tree is grown. These can also decide node by node: "reduced_error" makes
        a leaf of a subtree that makes more errors on them than that, from the bottom up; "pre" makes a split
        only if it makes fewer errors on them than none, from the top down. Default: only as `cp` or
        `ccp_alpha` say.
    prune_risk : {"error", "impurity"}, default "error"
        By what "cv" and "validation" find the subtrees among which they choose: the risk of `cp`, or that of
        `ccp_alpha`. What is compared is always what the rows held out cost.
    folds : int of at least 2, splitter or iterable, default 10
        For ``prune="cv"``: how many folds (of equal shares of each class, in the order of the rows), a
        splitter of scikit-learn, or pairs of row positions (train, test).
    held_out : float between 0 and 1, or array-like, default 0.3
        For every `prune` but "cv": which share of the rows is drawn by `random_state` (of each class); or the
        positions of the rows, or a bool for each.
    se : float of at least 0, default 1.0
        For "cv" and "validation": take the smallest subtree that costs at most so many standard errors more
        than the best.
    random_state : int, RandomState, optional
        Seed of the draws of `max_features` and `held_out`; nothing else is drawn. Default: other draws in
        every fit.
    keep_data : bool, optional
        Whether the tree keeps its training data, which `tree_.explain` needs; default: if they have at most
        2**20 cells. In an ensemble, False saves a copy of them for each tree.
    verbose : int of at least 0, default 0
        Above 0, print a line for each level while the tree grows.

    Attributes
    ----------
    tree_ : Tree
        The tree: `explain`, `trace`, `rules`, drawing, export; if it was pruned, `pruned_from` and `steps`.
    n_outputs_ : int
        The number of outputs.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if X was a frame.
    feature_importances_ : ndarray of shape (n_features_in_,)
        Share of each feature in the decrease of impurity; all 0 if the tree is one leaf.
    pruning_path_ : PruningPath
        With ``prune="cv"`` or "validation", or a `ccp_alpha` above 0: all subtrees among which was chosen,
        see `dtlib.prune.pruning_path`.
    cptable_ : DataFrame
        With ``prune="cv"`` or "validation": rpart's table of the subtrees, the root first; see
        `dtlib.prune.cp_table`.
    alpha_ : float
        With ``prune="cv"`` or "validation": the price of a leaf that was chosen, in the unit of the path.

    Notes
    -----
    Columns of a frame are names (category, string, object, bool), names in an order (ordered category) or
    numbers. Names in an order are asked like numbers: whether a name comes up to another one
    in the order. NaN, None and pd.NA are missing.

    References
    ----------
    .. [1] L. Breiman, J. H. Friedman, R. A. Olshen, C. J. Stone, "Classification and Regression Trees"
       (1984), chapter 8: section 8.3 on squared and 8.11 on absolute error.
    .. [2] W. D. Fisher, "On grouping for maximum homogeneity", JASA 53 (1958) 789-798.
    .. [3] Breiman et al. [1]_, section 5.3.
    .. [4] Breiman et al. [1]_, section 8.5 and chapters 3 and 10.

    Examples
    --------
    >>> from dtlib import CARTRegressor, load_regression_points
    >>> points = load_regression_points()
    >>> cart = CARTRegressor(max_depth=1).fit(points.X, points.y)
    >>> print(cart.tree_)
    root (n 10, mean 6.618)
    ├── x ≤ 5.5 (n 5, mean 5.06) → 5.06
    └── x > 5.5 (n 5, mean 8.176) → 8.176
    >>> cart.predict(points.X.head(1))
    array([5.06])
    """

    def fit(self, X: ArrayLike | pd.DataFrame, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Grow the tree.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n, d)
            An array holds numbers; values may be missing if `missing` is not "error".
        y : array-like of shape (n,) or (n, outputs)
            The numbers to be predicted, finite; the largest between 1e-100 and 1e150, if they are not all 0.
        sample_weight : array-like of shape (n,), optional
            What each row counts, finite and not negative; default 1. A number counts for every row.

        Returns
        -------
        self

        Raises
        ------
        TypeError
            If a column holds neither names nor real numbers (dates, say), or mixes types; if X is sparse,
            or an array of text; if a column name is no text.
        ValueError
            If there is no row or no column, a value is infinite or may not be missing, lengths differ,
            columns share a name, y holds something else than numbers, or a parameter or a weight cannot be
            used.
        """
        self._forget()
        self._check_parameters(REGRESS)
        X = self._read(X, reset=True)
        targets, weight = number_targets(y, len(X)), checked_weight(sample_weight, len(X))
        check_scale(targets, weight)
        return self._grow_from(X, targets, weight, weight)

    def predict(self, X: ArrayLike | pd.DataFrame) -> np.ndarray:
        """Return the mean (the median) of the node in which each row ends: shape (n,), or (n, outputs).

        Raises
        ------
        ValueError
            If X has other columns than in training, a value is infinite, or one is missing and the tree was
            told to refuse that.
        TypeError
            If a column holds names where it held numbers, or numbers where it held names.
        """
        X = self._matrix(X)
        value = mixture(self.tree_, X, self.tree_.value)
        return value[:, 0] if self.n_outputs_ == 1 else value
