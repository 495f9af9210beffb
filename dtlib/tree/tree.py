"""The tree: arrays inside, nodes outside (chapters 1 and 4).

Nodes are indexed level by level; the root is node 0 and the children of a node follow each other. So the
children, the parent and the level of each node follow from the number of children of each.

Legend: n is a number of rows, d that of features, V one more than the largest number of values of a feature.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from inspect import get_annotations
from numbers import Integral
from typing import Any, Protocol

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.exceptions import NotFittedError

from dtlib.arrays import offsets, weighted_sums
from dtlib.counting.criteria import criterion_of
from dtlib.messages import say
from dtlib.numbers import how_many, place_of, shown
from dtlib.search.rules import check_policy
from dtlib.search.surrogates import Surrogates
from dtlib.table.columns import Feature, check_once
from dtlib.table.feature_names import default_names, is_counted, label_as_text
from dtlib.table.other_frames import in_pandas
from dtlib.table.training import Training, to_numbers
from dtlib.tree.bounds import bounds_of, clipped
from dtlib.tree.descend import Moves, Packed, ends_of, in_single, send
from dtlib.tree.digits import FEW_DIGITS, long_limits, long_predictions, long_sums, said_weights
from dtlib.tree.doors import Conveniences
from dtlib.tree.leaf_shares import LeafShares, class_shares
from dtlib.tree.node import Node
from dtlib.tree.reasons import REASONS

ARRAYS = (
    "feature", "threshold", "n_values", "code", "branch", "summary", "n", "impurity", "gain", "stop",
)  # fmt: skip
BEYOND_SINGLE = 2.0**128  # what would come after the largest float32


@dataclass(frozen=True, eq=False)
class Tree(Conveniences):
    """A decision tree, which is immutable.

    Two trees are equal if their splits, predictions and numbers are equal; how they handle missing values is
    not compared.

    Parameters
    ----------
    features : tuple of Feature
        In column order.
    outputs : tuple of Feature
        The outputs that the tree predicts: the name of each and, for classification, its classes.
    criterion : {"gini", "entropy", "misclassification", "squared_error", "absolute_error", \
"standard_deviation", "poisson"}
        The criterion by which the tree was grown, see `dtlib.counting.criteria`: it defines `impurity` and
        `gain`.
    feature : int ndarray of shape (nodes,)
        Index of the feature tested at each node, -1 at a leaf.
    threshold : ndarray of shape (nodes,)
        Threshold of a node that tests a numeric or ordered feature: values up to it take the first branch;
        else NaN.
    n_values : int ndarray of shape (nodes,)
        Number of categories with a branch, at a node that tests a nominal feature; else 0. For two groups,
        only categories of the node's training rows have a branch.
    code, branch : int ndarrays
        The codes of these categories, ascending, one node after the other; and the branch of each.
    summary : ndarray of shape (nodes, width)
        Summary of the training rows of each node: the weight of each class of each output, one output after
        the other; or the mean (for absolute error the median) of each output.
    n : ndarray of shape (nodes,)
        Training weight.
    impurity : ndarray of shape (nodes,)
        In bits for entropy, squared units for squared error, units for absolute error and for the standard
        deviation, none for half the Poisson deviance; mean over the outputs.
    gain : ndarray of shape (nodes,)
        Decrease of the impurity by the split of each node; 0 at a leaf.
    stop : int ndarray of shape (nodes,)
        Why each node is a leaf, as an index into `REASONS`; 0 for an inner node.
    missing : {"error", "stay", "majority", "fractional", "surrogate", "learned"}
        Where rows go whose value of the tested feature is missing: they are refused; end at the node; take
        the branch with the largest weight; go to every branch as fractional instances; follow a surrogate
        split; or take the branch that was learned for them, which is the `default` of `surrogates`.
    saw_missing : bool
        Whether a tested feature had missing values in the training data; True also if that is not known.
    unseen : {"stay", "missing"}
        Where rows go whose category has no branch: they end at the node, or count as missing.
    surrogates : Surrogates, optional
    missing_rows : int ndarray of shape (nodes,), optional
        Of a tree that has learned the side of missing values: the number of training rows of each node
        whose value of the tested feature is missing.
    loss : ndarray of shape (classes, classes), optional
        ``loss[i, j]`` is the cost of predicting class j for a row of class i. The summary then has the weight
        of each class i times the sum of ``loss[i]``, by which the tree was grown.
    single : bool
        Whether numeric features are rounded to float32 before they are compared with a threshold.
    leaf_shares : LeafShares
        How the class shares of a node are estimated from its summary.
    class_factors : ndarray of shape (classes,), optional
        Factors by which the class weights were multiplied for growing, if the class shares undo them.
    normals : ndarray of shape (nodes, features), optional
        Coefficients of the features at nodes with an oblique split; else 0. Rows whose sum is up to the
        threshold take the first branch; `feature` is the feature that counts most.
    feature_ranges : ndarray of shape (features,), optional
        The range of each feature in the training data, for the `importances` of oblique splits.
    strict : bool
        Whether each threshold is the float next below the intended one: splits are then shown with <.
    neighbors : ndarray of shape (m, 4), optional
        The training values next to thresholds that are close to them, see `dtlib.table.neighbors`; they
        decide how many digits are shown.
    heuristic_features : tuple of str
        The features whose best two groups were sought by a heuristic at some node, as they had too many
        categories there: see `nominal` of `CARTClassifier`. Empty if each search was exact.
    monotonic : tuple of int
        For each feature, whether predictions rise along it (1), fall (-1), or neither (0): the number
        predicted, or the share of the second class. They are clipped to `bounds`; `summary` is not. Empty if
        no feature is constrained.
    training : Training, optional
        The training data, for `explain`. Neither pickled nor exported.
    grown_by : Rules, optional
        The rules of growing, for `explain`. Neither pickled nor exported.
    pruned_from : Tree, optional
        The tree before pruning. Neither pickled nor exported.
    steps : DataFrame, optional
        The decisions of pruning in order, by the nodes of `pruned_from`. Neither pickled nor exported.

    Examples
    --------
    >>> from dtlib import ID3Classifier
    >>> from dtlib.datasets import load_loan
    >>> loan = load_loan()
    >>> tree = ID3Classifier().fit(loan.X, loan.y).tree_
    >>> print(tree)
    root (no 6, yes 9)
    ├── owns_house = no (no 6, yes 3)
    │   ├── has_job = no (no 6, yes 0) → no
    │   └── has_job = yes (no 0, yes 3) → yes
    └── owns_house = yes (no 0, yes 6) → yes
    >>> tree.node_count, tree.n_leaves, tree.max_depth
    (5, 3, 2)
    """

    features: tuple[Feature, ...]
    outputs: tuple[Feature, ...]
    criterion: str
    feature: np.ndarray
    threshold: np.ndarray
    n_values: np.ndarray
    code: np.ndarray
    branch: np.ndarray
    summary: np.ndarray
    n: np.ndarray
    impurity: np.ndarray
    gain: np.ndarray
    stop: np.ndarray
    missing: str = "error"
    saw_missing: bool = True
    unseen: str = "stay"
    surrogates: Surrogates | None = None
    missing_rows: np.ndarray | None = None
    loss: np.ndarray | None = None
    single: bool = False
    leaf_shares: LeafShares = field(default_factory=LeafShares)
    class_factors: np.ndarray | None = None
    normals: np.ndarray | None = None
    feature_ranges: np.ndarray | None = None
    strict: bool = False
    neighbors: np.ndarray | None = None
    heuristic_features: tuple[str, ...] = ()
    monotonic: tuple[int, ...] = ()
    training: Training | None = None
    grown_by: Any = None
    pruned_from: "Tree | None" = None
    steps: pd.DataFrame | None = None

    def __post_init__(self) -> None:
        criterion_of(self.criterion)
        check_policy(self.missing)
        if self.unseen not in ("stay", "missing"):
            raise ValueError(f"unseen is {self.unseen!r}, wanted 'stay' or 'missing'")
        optional = self.class_factors, self.normals, self.neighbors, self.missing_rows
        for array in (*(getattr(self, name) for name in ARRAYS), *optional):
            if array is not None:
                array.setflags(write=False)

    @property
    def node_count(self) -> int:
        """Number of nodes."""
        return len(self.feature)

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return int((self.feature < 0).sum())

    @property
    def is_classifier(self) -> bool:
        """Whether it is a classification tree."""
        return self.outputs[0].kind == "nominal"

    @property
    def classes(self) -> tuple[Any, ...]:
        """The classes of a tree with one output."""
        return self._only_output().values

    @property
    def counts(self) -> np.ndarray:
        """Training weight of each class at each node, shape (nodes, classes)."""
        self._only_output()
        return self.summary

    def _only_output(self) -> Feature:
        if len(self.outputs) > 1:
            raise AttributeError(
                "a tree of several outputs has `outputs` instead, with the values of each, and `summary`"
            )
        if not self.is_classifier:
            raise AttributeError("a regression tree has `summary` instead")
        return self.outputs[0]

    def _blocks(self, table: np.ndarray) -> list[np.ndarray]:
        """Return the columns of a table (nodes, width) that belong to each output."""
        if len(self.outputs) == 1:
            return [table]
        widths = [max(1, len(output.values)) for output in self.outputs]
        return np.split(table, np.cumsum(widths)[:-1], axis=-1)

    @cached_property
    def _first_value(self) -> np.ndarray:
        """Where the categories of each node start in `code` and `branch`."""
        return offsets(self.n_values)

    @cached_property
    def _keys(self) -> tuple[int, np.ndarray]:
        """V, and a key ``node * V + code`` for each category with a branch, ascending."""
        V = max(len(feature.values) for feature in self.features) + 1
        return V, np.repeat(np.arange(self.node_count), self.n_values) * V + self.code

    def _branch_of(self, node: np.ndarray, code: np.ndarray) -> np.ndarray:
        """Return the branch of each category, given its code, at nodes with nominal splits; -1 if none."""
        V, keys = self._keys
        place = np.minimum(np.searchsorted(keys, node * V + code), len(keys) - 1)
        return np.where((keys[place] == node * V + code) & (code >= 0), self.branch[place], -1)

    @cached_property
    def children(self) -> np.ndarray:
        """Number of children of each node."""
        number = np.where(self.feature >= 0, 2, 0)
        categorical = self.n_values > 0
        if categorical.any():
            number[categorical] = np.maximum.reduceat(self.branch, self._first_value[categorical]) + 1
            if self.missing == "learned" and self.surrogates is not None:  # a branch without a category
                np.maximum(number, self.surrogates.default + 1, out=number)
        return number

    @cached_property
    def first_child(self) -> np.ndarray:
        """Index of each node's first child; the child of branch i is i further. -1 at a leaf."""
        return np.where(self.children > 0, 1 + offsets(self.children), -1)

    @cached_property
    def parent(self) -> np.ndarray:
        """Index of each node's parent, -1 at the root."""
        return np.concatenate([[-1], np.repeat(np.arange(self.node_count), self.children)])

    @cached_property
    def _level_bounds(self) -> list[tuple[int, int]]:
        """The first node of each level, and the first node of the next level."""
        below = np.concatenate([[0], np.cumsum(self.children)]) + 1  # nodes up to the last child of each node
        spans = [(0, 1)]
        while spans[-1][1] < self.node_count:
            spans.append((spans[-1][1], int(below[spans[-1][1]])))
        return spans

    @cached_property
    def depth(self) -> np.ndarray:
        """Depth of each node, 0 at the root."""
        return np.repeat(
            np.arange(len(self._level_bounds)), [end - start for start, end in self._level_bounds]
        )

    @property
    def max_depth(self) -> int:
        """Depth of the deepest leaf."""
        return int(self.depth[-1])

    @property
    def root(self) -> Node:
        """Node 0."""
        return self[0]

    def __len__(self) -> int:
        return self.node_count

    def __getitem__(self, node: int) -> Node:
        if not isinstance(node, Integral):
            raise TypeError(f"node is {node!r}; wanted the number of a node, 0 to {self.node_count - 1}")
        if not 0 <= node < self.node_count:
            raise IndexError(f"node is {node}; the nodes are 0 to {self.node_count - 1}")
        return Node(self, int(node))

    def __iter__(self) -> Iterator[Node]:
        return (self[i] for i in range(self.node_count))

    def preorder(self) -> Iterator[Node]:
        """Visit each node before its children, first branch first."""
        todo = [self.root]
        while todo:
            node = todo.pop()
            yield node
            todo.extend(reversed(node.children))

    @property
    def reason(self) -> tuple[str, ...]:
        """Why each node is a leaf, in words; empty for an inner node."""
        return tuple(REASONS[stop] for stop in self.stop)

    @cached_property
    def evidence(self) -> np.ndarray:
        """The node whose training rows each node predicts by: itself, or its parent if it has none."""
        return np.where(self.n > 0, np.arange(self.node_count), self.parent)

    @cached_property
    def value(self) -> np.ndarray:
        """The class shares of each node, or its predicted targets, shape (nodes, width)."""
        value = class_shares(self) if self.is_classifier else self.summary[self.evidence]
        return clipped(self, value) if self.monotonic else value

    @cached_property
    def bounds(self) -> np.ndarray:
        """Lower and upper bound of what each node predicts, by `monotonic`, shape (2, nodes)."""
        return bounds_of(self)

    @cached_property
    def label(self) -> np.ndarray:
        """Index of the class predicted at each node, shape (nodes,) or (nodes, outputs).

        It is the class with the largest share, the first of equals; with a loss, the class that costs least.
        """
        how = self.leaf_shares
        if self.monotonic:
            return self.labels(self.value)
        if how.estimate in ("frequency", "laplace") and self.class_factors is None and self.loss is None:
            return self.labels(self.summary[self.evidence])
        return self.labels(self.value)

    @cached_property
    def majority(self) -> np.ndarray:
        """Index of the majority class of each node by training weight; pruning uses it.

        Unlike `label`, it does not depend on `leaf_shares`.
        """
        return replace(self, leaf_shares=LeafShares(), class_factors=None).label

    def labels(self, shares: np.ndarray) -> np.ndarray:
        """Return the index of the class to predict, given class shares or weights of shape (rows, width)."""
        if self.loss is not None:
            shares = -(shares @ self.loss)
        labels = []
        for block in self._blocks(shares):
            best = block.max(1, keepdims=True)
            labels.append((block >= best - 1e-12 * np.abs(best)).argmax(1))
        return labels[0] if len(labels) == 1 else np.stack(labels, axis=1)

    @cached_property
    def long_limits(self) -> dict[tuple[int, float], str]:
        """The text of each threshold that needs more than ten digits, see `dtlib.tree.digits`."""
        return long_limits(self)

    @cached_property
    def long_sums(self) -> set[float]:
        """The thresholds of oblique splits that are shown with all digits."""
        return long_sums(self)

    @cached_property
    def long_predictions(self) -> list[dict[float, str]]:
        """For each output, the text of each prediction that needs more than six digits."""
        return long_predictions(self)

    def say_prediction(self, x: float, k: int = 0) -> str:
        """Format a predicted target of output k."""
        return self.long_predictions[k].get(x) or f"{x:.{FEW_DIGITS}g}"

    @cached_property
    def is_linear(self) -> np.ndarray:
        """Whether each node has an oblique split, shape (nodes,)."""
        normals = np.zeros((self.node_count, 1)) if self.normals is None else self.normals
        return np.asarray(normals.any(axis=1))

    def _tested_values(self, X: np.ndarray, row: np.ndarray, node: np.ndarray) -> np.ndarray:
        """Return the value that each row has in the test of its node: of a feature, or a weighted sum.

        Sums are added up in the order of the features, as in the exported code, so both agree to the bit.
        """
        x = X[row, self._traversal_arrays.feature[node]]
        if self.normals is not None:
            here = np.flatnonzero(self.is_linear[node])
            x = x.astype(float, copy=False)
            x[here] = weighted_sums(X[row[here]], self.normals[node[here]])
            if np.isnan(x[here]).any():
                raise ValueError(
                    "X has a row whose weighted sum is infinite less infinite: wanted smaller numbers"
                )
        return x

    def _matrix(self, X: pd.DataFrame) -> np.ndarray:
        """Return the tree's features as an array of shape (n, d): numbers, or codes of categories.

        The code of an unseen category is -1. Missing values are NaN.

        Raises
        ------
        ValueError
            If a feature is no column of X, or a value is missing and the tree refuses that.
        TypeError
            If a column is categorical that was numeric in training, or numeric that was categorical.
        """
        X = in_pandas(X)
        if not isinstance(X, pd.DataFrame):
            raise TypeError(f"X is {shown(X)}; wanted a DataFrame")
        return to_numbers(self._columns(X), self.features, self.missing != "error")

    def _columns(self, X: pd.DataFrame) -> pd.DataFrame:
        """Return the columns of a frame that are the features; raise an error if one is not there."""
        known = [feature.name for feature in self.features]
        if is_counted(X) and tuple(known) == default_names(X.shape[1]):
            return X
        names = [label_as_text(name) for name in X.columns]
        place = {name: f for f, name in enumerate(names)}
        if lacking := [name for name in known if name not in place]:
            raise ValueError(f"X lacks the columns {lacking}; the tree has {known}")
        if len(place) < len(names):
            check_once("X", [name for name in names if name in set(known)])
        return X.iloc[:, [place[name] for name in known]]

    def apply(self, X: pd.DataFrame | np.ndarray) -> np.ndarray:
        """Return the index of the node in which each row ends.

        It is a leaf; or an inner node, if the row's category has no branch there, or its value is missing and
        the row stays or is divided into fractional instances.

        Parameters
        ----------
        X : DataFrame of n rows, or float ndarray of shape (n, d)
            The tree's features as columns; in an array, categories are codes and missing values NaN.

        Returns
        -------
        int ndarray of shape (n,)

        Raises
        ------
        ValueError
            If a feature is no column of X, an array has another number of columns than the tree has features,
            or a value is missing and the tree refuses that.
        """
        X = in_pandas(X)
        X = self._matrix(X) if isinstance(X, pd.DataFrame) else X
        if not isinstance(X, np.ndarray) or X.dtype.kind not in "biuf":
            raise TypeError(f"X is {shown(X)}; wanted a DataFrame, or a float array of shape (n, d)")
        if X.ndim != 2 or X.shape[1] != len(self.features):
            features = how_many(len(self.features), "feature")
            raise ValueError(f"X has shape {X.shape}; the tree has {features}")
        missing = np.isnan(X)
        has_missing = bool(missing.any())
        if has_missing and self.missing == "error":
            raise ValueError(f"X has a missing value in {place_of(missing)}, which this tree refuses")
        return ends_of(self, X) if has_missing or not self._handles_all_values else send(self, X)

    @property
    def _handles_all_values(self) -> bool:
        """Whether a row without missing values can always be routed: no unseen category counts as missing."""
        return self.unseen == "stay" or not self._has_categorical_splits

    def _limit(self, threshold: np.ndarray) -> np.ndarray:
        """Return the largest number that is not above a threshold after rounding to float32, if `single`."""
        if not self.single:
            return threshold
        with np.errstate(over="ignore"):
            below = in_single(threshold)
            above = np.nextafter(below, np.float32(np.inf))
            low, high = (np.clip(x.astype(float), -BEYOND_SINGLE, BEYOND_SINGLE) for x in (below, above))
            middle = low / 2 + high / 2  # goes to the even one of both
            return np.where(middle.astype(np.float32) == below, middle, np.nextafter(middle, -np.inf))

    @cached_property
    def _traversal_arrays(self) -> Moves:
        """The arrays by which rows are routed at each node."""
        leaf = self.feature < 0
        return Moves(
            np.where(leaf, 0, self.feature).astype(np.intp),
            np.where(leaf, np.inf, self._limit(self.threshold)),
            np.where(leaf, np.arange(self.node_count), self.first_child).astype(np.intp),
        )

    @cached_property
    def _packed_moves(self) -> Packed:
        """The same, packed."""
        return Packed.of(self._traversal_arrays)

    @cached_property
    def class_orders(self) -> list[np.ndarray | None]:
        """The order that sorts the classes of each output; None if they are sorted, as in most dialects."""
        orders = (np.argsort(np.asarray(output.values)) for output in self.outputs)
        return [None if (np.diff(order) == 1).all() else order for order in orders]

    @cached_property
    def _has_categorical_splits(self) -> bool:
        """Whether any node tests a nominal or ordered feature."""
        return any(self.features[f].kind != "numeric" for f in np.unique(self.feature[self.feature >= 0]))

    @property
    def grown_from(self) -> Training:
        """The training data.

        Raises
        ------
        ValueError
            If the tree has none: it was loaded or unpickled, or the data were too large to keep.
        """
        if self.training is None:
            raise ValueError(
                "this tree has no training data: it was loaded, unpickled or read from scikit-learn, or they "
                "were not kept (by keep_data=False, or as they were too many); grow it anew with an "
                "estimator of dtlib, and with keep_data=True"
            )
        return self.training

    @property
    def _active_surrogates(self) -> Surrogates:
        """The surrogate splits.

        Raises
        ------
        ValueError
            If the tree was not grown with surrogates.
        """
        if self.surrogates is None:
            raise ValueError(
                "this tree has no surrogates; CARTClassifier(missing='surrogate') looks for them"
            )
        return self.surrogates

    def decision_path(self, X: pd.DataFrame | np.ndarray) -> sparse.csr_matrix:
        """Return which nodes each row visits, as a sparse 0/1 matrix of shape (n, nodes)."""
        return self._paths_to(self.apply(X))

    def _paths_to(self, node: np.ndarray) -> sparse.csr_matrix:
        """Return the nodes on the path to each given node, which is included, as `decision_path` does."""
        rows, visited, visitors, n = np.arange(len(node)), [], [], len(node)
        while len(rows):
            visited.append(node)
            visitors.append(rows)
            node = self.parent[node]
            rows, node = rows[node >= 0], node[node >= 0]
        place = np.concatenate(visitors), np.concatenate(visited)
        return sparse.csr_matrix((np.ones(len(place[0]), np.int64), place), shape=(n, self.node_count))

    def _format_summary(self, summary: np.ndarray, n: float) -> str:
        """Format the summary of rows of weight n.

        For classes ``no 6, yes 9``, for several outputs ``a: no 6, yes 9; b: ...``; for regression
        ``n 5, mean 8.176``.
        """
        if self.is_classifier:
            said = [
                ", ".join(f"{label} {n}" for label, n in zip(output.values, said_weights(block), strict=True))
                for output, block in zip(self.outputs, self._blocks(summary), strict=True)
            ]
            names = [f"{output.name}: " if len(said) > 1 else "" for output in self.outputs]
            return "; ".join(f"{name}{text}" for name, text in zip(names, said, strict=True))
        center = {"mean": say("mean"), "median": say("median")}[criterion_of(self.criterion).center]
        names = [center] if len(self.outputs) == 1 else [f"{center} {output.name}" for output in self.outputs]
        numbers = [self.say_prediction(x, k) for k, x in enumerate(np.asarray(summary).tolist())]
        said = [f"{name} {number}" for name, number in zip(names, numbers, strict=True)]
        return ", ".join([f"n {n:.{FEW_DIGITS}g}", *said])

    def __repr__(self) -> str:
        return f"<Tree: {self.node_count} nodes, {self.n_leaves} leaves, depth {self.max_depth}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tree):
            return NotImplemented
        pairs = zip(self._arrays, other._arrays, strict=True)
        same = (np.array_equal(a, b, equal_nan=a.dtype.kind == "f") for a, b in pairs)
        return self._names == other._names and all(same)

    def __hash__(self) -> int:
        return hash((self._names, self.feature.tobytes()))

    @property
    def _names(self) -> tuple[Any, ...]:
        shares = tuple(self.leaf_shares.get_params().items())
        return self.features, self.outputs, self.criterion, self.single, shares, self.monotonic

    @property
    def _arrays(self) -> list[np.ndarray]:
        sums = self.normals if self.is_linear.any() else None  # sums of nothing are no sums
        optional = self.loss, self.class_factors, sums
        none = np.empty(0)
        return [getattr(self, name) for name in ARRAYS] + [none if x is None else x for x in optional]

    def __copy__(self) -> "Tree":
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> "Tree":
        return self

    def __getstate__(self) -> dict[str, Any]:
        kept = {field.name: getattr(self, field.name) for field in fields(self)}  # what was computed is not
        return kept | dict.fromkeys(("training", "grown_by", "pruned_from", "steps"))


class Fitted(Protocol):
    """A fitted tree estimator."""

    @property
    def tree_(self) -> Tree:
        """The grown tree."""


def tree_of(tree: Tree | Fitted) -> Tree:
    """Return the tree of a fitted estimator; a tree is returned as it is.

    Parameters
    ----------
    tree : Tree or fitted estimator

    Returns
    -------
    Tree

    Raises
    ------
    NotFittedError
        If it is an estimator that is not fitted.
    TypeError
        If it is neither a tree nor an estimator of dtlib.

    Examples
    --------
    >>> tree_of("tree")
    Traceback (most recent call last):
    TypeError: tree is a str; wanted a Tree or a fitted estimator of dtlib
    """
    if isinstance(tree, Tree):
        return tree
    found = getattr(tree, "tree_", None)
    if isinstance(found, Tree):
        return found
    name, wanted = type(tree).__name__, "wanted a Tree or a fitted estimator of dtlib"
    if any("tree_" in get_annotations(kind) for kind in type(tree).__mro__):  # it will have one
        raise NotFittedError(f"tree is a {name} that is not fitted; {wanted}: call its fit(X, y) first")
    own = ". Tree.from_sklearn reads a tree of scikit-learn" if found is not None else ""
    own = ", as one of its estimators_" if getattr(tree, "estimators_", None) is not None else own
    raise TypeError(f"tree is a {name}; {wanted}{own}")
