"""CART: binary splits by impurity (chapters 9 and 10)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.utils import check_random_state
from sklearn.utils.class_weight import compute_sample_weight

from dtlib.base import (
    ClassTree,
    TreeEstimator,
    check_choice,
    check_number,
    checked_weight,
    class_targets,
    number_targets,
)
from dtlib.grow import Rules
from dtlib.score import CLASSIFY, REGRESS

SKLEARN = {
    "samples": "rows",
    "min_samples_split": 2,
    "min_samples_leaf": 1,
    "zero_gain": True,
    "precision": "single",
    "min_impurity": float(np.finfo(float).eps),
}


class CART(TreeEstimator):
    """What classification and regression share: the parameters, and the rules they make."""

    def _rules(self, n: int, total: float, d: int) -> Rules:
        """Return the rules for n rows of this weight and d features."""
        self._check_parameters(d)
        split, leaf = self.min_samples_split, self.min_samples_leaf
        by_row = self.samples == "rows"
        amount = n if by_row else total
        split, leaf = (x * amount if isinstance(x, float) and x < 1 else x for x in (split, leaf))
        limits: dict[str, Any] = {"min_split": split, "min_leaf": leaf}
        if by_row:
            leaf = int(np.ceil(leaf))
            limits = {"min_split_rows": max(2, int(np.ceil(split)), 2 * leaf), "min_leaf_rows": max(1, leaf)}
        names = {"sqrt": max(1, int(np.sqrt(d))), "log2": max(1, int(np.log2(d)))}
        k = names[self.max_features] if isinstance(self.max_features, str) else self.max_features
        k = max(1, int(k * d)) if isinstance(k, float) else k
        seed = None if k is None else int(check_random_state(self.random_state).randint(2**31 - 1))
        return Rules(
            criterion=self.criterion, nominal=self.nominal, max_depth=self.max_depth, **limits,
            min_impurity=self.min_impurity, min_decrease=self.min_impurity_decrease, zero_gain=self.zero_gain,
            max_leaf_nodes=self.max_leaf_nodes, max_features=k, seed=seed,
            gap=1e-7 if self.precision == "single" else 0.0, verbose=bool(self.verbose),
        )  # fmt: skip

    def _check_parameters(self, d: int) -> None:
        """Say what is wrong with the parameters."""
        check_choice("nominal", self.nominal, ("subset", "one_vs_rest"))
        check_choice("samples", self.samples, ("weight", "rows"))
        check_choice("precision", self.precision, ("double", "single"))
        check_choice("keep_data", self.keep_data, (None, True, False))
        for name in ("min_samples_split", "min_samples_leaf", "min_impurity", "min_impurity_decrease"):
            check_number(name, getattr(self, name), 0)
        if self.max_depth is not None:
            check_number("max_depth", self.max_depth, 0, whole=True)
        if self.max_leaf_nodes is not None:
            check_number("max_leaf_nodes", self.max_leaf_nodes, 1, whole=True)
        if isinstance(self.max_features, str):
            check_choice("max_features", self.max_features, ("sqrt", "log2"))
        elif isinstance(self.max_features, float | np.floating):
            check_number("max_features", self.max_features, 0, above=True)
        elif self.max_features is not None:
            check_number("max_features", self.max_features, 1, whole=True)
        if self.criterion == "absolute_error" and self.nominal == "one_vs_rest":
            raise ValueError("nominal is 'one_vs_rest', which absolute_error does not have: wanted 'subset'")

    @classmethod
    def sklearn(cls, **overrides: Any) -> CART:
        """Return an estimator that grows scikit-learn's tree.

        What it sets, and why:

        - ``samples="rows"``, ``min_samples_split=2``, ``min_samples_leaf=1``: scikit-learn counts rows, whatever
          they weigh; here samples are weight, so that a row of weight 2 is the row twice.
        - ``zero_gain=True``: scikit-learn splits a node even if no split lowers the impurity; here such a node is
          a leaf, as a question that tells nothing is not asked.
        - ``precision="single"``: scikit-learn rounds features to float32, and does not part numbers that are less
          than 1e-7 apart.
        - ``min_impurity=2.2e-16``: scikit-learn calls a node pure if its impurity is at most that.

        What stays different: of equal splits, scikit-learn takes one by chance (`random_state`), this the first
        column and the lowest threshold; features are drawn for `max_features` among those that can split the
        node, and by another generator. The nodes are numbered level by level, scikit-learn's depth first.

        Parameters
        ----------
        **overrides
            Further parameters, or other values of these.
        """
        return cls(**(SKLEARN | overrides))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = False
        tags.input_tags.string = False
        tags.target_tags.multi_output = True
        tags.target_tags.single_output = True
        return tags


class CARTClassifier(ClassifierMixin, ClassTree, CART):
    """Grow a classification tree with CART (Breiman, Friedman, Olshen and Stone, 1984).

    At each node, ask the question with two answers that lowers the impurity most: whether a number is at most a
    threshold, halfway between two values; or to which of two groups a name belongs. A feature may be asked again
    below. Ties go to the first column, then to the lowest threshold or the first group.
    """

    def __init__(
        self,
        *,
        criterion: str = "gini",
        nominal: str = "subset",
        max_depth: int | None = None,
        min_samples_split: float = 0,
        min_samples_leaf: float = 0,
        min_impurity: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_leaf_nodes: int | None = None,
        max_features: int | float | str | None = None,
        zero_gain: bool = False,
        samples: str = "weight",
        precision: str = "double",
        class_weight: dict | list | str | None = None,
        random_state: Any = None,
        keep_data: bool | None = None,
        verbose: int = 0,
    ):
        self.criterion = criterion
        self.nominal = nominal
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_impurity = min_impurity
        self.min_impurity_decrease = min_impurity_decrease
        self.max_leaf_nodes = max_leaf_nodes
        self.max_features = max_features
        self.zero_gain = zero_gain
        self.samples = samples
        self.precision = precision
        self.class_weight = class_weight
        self.random_state = random_state
        self.keep_data = keep_data
        self.verbose = verbose

    def fit(
        self, X: ArrayLike | pd.DataFrame, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> CARTClassifier:
        """Grow the tree."""
        self._forget()
        check_choice("criterion", self.criterion, tuple(CLASSIFY))
        X = self._read(X, reset=True)
        targets = class_targets(y, len(X))
        weight = checked_weight(sample_weight, len(X))
        if self.class_weight is not None:
            labels = np.stack([np.asarray(target.values)[target.codes] for target in targets], axis=1)
            of_class = compute_sample_weight(self.class_weight, labels[:, 0] if len(targets) == 1 else labels)
            weight = check_weight_product(of_class, weight)
        rules = self._rules(len(X), len(X) if weight is None else float(weight.sum()), X.shape[1])
        self._grow(X, targets, weight, rules, self.keep_data)
        classes = [target.values for target in targets]
        self.classes_ = classes[0] if len(classes) == 1 else classes
        sizes = [len(c) for c in classes]
        self.n_classes_ = sizes[0] if len(classes) == 1 else sizes
        self.n_outputs_ = len(classes)
        return self


def check_weight_product(of_class: np.ndarray, weight: np.ndarray | None) -> np.ndarray:
    """Return the product of both weights, or say that it is zero for every row."""
    product = of_class if weight is None else of_class * weight
    if not product.any():
        raise ValueError("class_weight and sample_weight together are zero for every row: one must count")
    return product


class CARTRegressor(RegressorMixin, CART):
    """Grow a regression tree with CART."""

    def __init__(
        self,
        *,
        criterion: str = "squared_error",
        nominal: str = "subset",
        max_depth: int | None = None,
        min_samples_split: float = 0,
        min_samples_leaf: float = 0,
        min_impurity: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_leaf_nodes: int | None = None,
        max_features: int | float | str | None = None,
        zero_gain: bool = False,
        samples: str = "weight",
        precision: str = "double",
        random_state: Any = None,
        keep_data: bool | None = None,
        verbose: int = 0,
    ):
        self.criterion = criterion
        self.nominal = nominal
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_impurity = min_impurity
        self.min_impurity_decrease = min_impurity_decrease
        self.max_leaf_nodes = max_leaf_nodes
        self.max_features = max_features
        self.zero_gain = zero_gain
        self.samples = samples
        self.precision = precision
        self.random_state = random_state
        self.keep_data = keep_data
        self.verbose = verbose

    def fit(
        self, X: ArrayLike | pd.DataFrame, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> CARTRegressor:
        """Grow the tree."""
        self._forget()
        check_choice("criterion", self.criterion, REGRESS)
        X = self._read(X, reset=True)
        targets = number_targets(y, len(X))
        weight = checked_weight(sample_weight, len(X))
        rules = self._rules(len(X), len(X) if weight is None else float(weight.sum()), X.shape[1])
        self._grow(X, targets, weight, rules, self.keep_data)
        self.n_outputs_ = len(targets)
        return self

    def predict(self, X: ArrayLike | pd.DataFrame) -> np.ndarray:
        """Return the mean (the median) of the node in which each row ends: shape (n,), or (n, outputs)."""
        node = self.apply(X)
        value = self.tree_.value[node]
        return value[:, 0] if self.n_outputs_ == 1 else value
