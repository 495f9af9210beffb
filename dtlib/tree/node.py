"""One node of a tree, seen from outside (chapter 1).

Examples
--------
>>> from dtlib import CARTClassifier
>>> from dtlib.datasets import load_loan
>>> loan = load_loan()
>>> node = CARTClassifier().fit(loan.X, loan.y).tree_[1]
>>> print(node.path, node.said, node.split)
['owns_house = no'] no 6, yes 3 has_job?
"""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from dtlib.tree.conditions import say_conditions
from dtlib.tree.reasons import REASONS
from dtlib.tree.splits import (
    Hyperplane,
    Split,
    Subset,
    Threshold,
    group_names,
    nominal_split,
    say_limit,
)

if TYPE_CHECKING:
    from dtlib.tree.tree import Tree

__all__ = ["Node"]


@dataclass(frozen=True)
class Node:
    """One node of a tree, seen from outside."""

    tree: "Tree"
    id: int

    @property
    def is_leaf(self) -> bool:
        """Whether the node has no split."""
        return bool(self.tree.feature[self.id] < 0)

    @property
    def counts(self) -> np.ndarray:
        """Training weight of each class."""
        return self.tree.counts[self.id]

    @property
    def summary(self) -> np.ndarray:
        """Training weight of each class of each output; or the mean (the median) of each target."""
        return self.tree.summary[self.id]

    @property
    def said(self) -> str:
        """The summary in words."""
        return self.tree._format_summary(self.summary, self.n)

    @property
    def n(self) -> float:
        """Training weight."""
        return self.tree.n[self.id].item()

    @property
    def impurity(self) -> float:
        """Impurity of the training rows, mean over the outputs."""
        return self.tree.impurity[self.id].item()

    @property
    def prediction(self) -> Any:
        """The predicted class or number; for several outputs, a tuple of them."""
        if self.tree.is_classifier:
            values = tuple(
                output.values[k] for output, k in zip(self.tree.outputs, self._labels, strict=True)
            )
        else:
            values = tuple(self.tree.value[self.id].tolist())
        return values[0] if len(values) == 1 else values

    @property
    def predicted(self) -> str:
        """The prediction in words."""
        values = self.prediction if len(self.tree.outputs) > 1 else (self.prediction,)
        if self.tree.is_classifier:
            return ", ".join(map(str, values))
        return ", ".join(self.tree.say_prediction(x, k) for k, x in enumerate(values))

    @property
    def confidence(self) -> float:
        """Share of the predicted class, NaN if the node has no training rows; mean over the outputs."""
        if not self.n:
            return np.nan
        shares = self.tree._blocks(self.tree.value[self.id])
        return float(np.mean([block[k] for block, k in zip(shares, self._labels, strict=True)]))

    @property
    def _labels(self) -> np.ndarray:
        """Index of the predicted class of each output."""
        return np.atleast_1d(self.tree.label[self.id])

    @property
    def reason(self) -> str:
        """Why this is a leaf; empty for an inner node."""
        return REASONS[self.tree.stop[self.id]]

    @property
    def split(self) -> Split | None:
        """The split of the node; None at a leaf."""
        if self.is_leaf:
            return None
        tree, feature = self.tree, self.tree.features[self.tree.feature[self.id]]
        threshold, tested = tree.threshold[self.id].item(), np.flatnonzero(self.normal)
        if len(tested):
            names = tuple(tree.features[f].name for f in tested)
            exact = threshold in tree.long_sums
            return Hyperplane(names, tuple(self.normal[tested].tolist()), threshold, exact)
        missing = self.side_of_missing
        if feature.kind != "nominal":
            split = number_split(tree, int(tree.feature[self.id]), threshold)
            return split if missing < 0 else replace(split, missing=missing)
        first = tree._first_value[self.id]
        here = slice(first, first + tree.n_values[self.id])
        return nominal_split(feature, tree.code[here].tolist(), tree.branch[here].tolist(), missing)

    @property
    def side_of_missing(self) -> int:
        """The branch that was learned for missing values of the tested feature; -1 if none were there."""
        weight, surrogates = self.tree.missing_rows, self.tree.surrogates
        if weight is None or surrogates is None or not weight[self.id]:
            return -1
        return int(surrogates.default[self.id])

    @property
    def normal(self) -> np.ndarray:
        """The coefficients of the features in an oblique split; empty if the tree has no oblique splits."""
        return np.empty(0) if self.tree.normals is None else self.tree.normals[self.id]

    @property
    def is_linear(self) -> bool:
        """Whether the node has an oblique split."""
        return bool(self.normal.any())

    @property
    def feature(self) -> str | None:
        """Name of the feature tested here; in an oblique split, the feature that counts most."""
        return None if self.is_leaf else self.tree.features[self.tree.feature[self.id]].name

    @property
    def parent(self) -> "Node | None":
        """The node above; None at the root."""
        above = self.tree.parent[self.id]
        return None if above < 0 else Node(self.tree, int(above))

    @property
    def children(self) -> "tuple[Node, ...]":
        """The nodes below, one per branch."""
        first = int(self.tree.first_child[self.id])
        return tuple(Node(self.tree, first + i) for i in range(int(self.tree.children[self.id])))

    @property
    def ancestors(self) -> tuple[int, ...]:
        """Indices of the nodes above, root first."""
        above, node = [], int(self.tree.parent[self.id])
        while node >= 0:
            above.append(node)
            node = int(self.tree.parent[node])
        return tuple(reversed(above))

    @property
    def names_above(self) -> set[str | None]:
        """The nominal features tested above."""
        return {self.tree[i].feature for i in self.ancestors if np.isnan(self.tree.threshold[i])}

    @property
    def depth(self) -> int:
        """Number of splits above the node."""
        return int(self.tree.depth[self.id])

    @property
    def branch(self) -> str:
        """The label of the branch that leads here; empty at the root."""
        return self._of_parent("branches")

    @property
    def condition(self) -> str:
        """The condition for rows to come here from the parent; empty at the root."""
        return self._of_parent("conditions")

    @property
    def _step(self) -> tuple[Split, int]:
        """The split of the parent, and the branch that leads here; not for the root."""
        above = int(self.tree.parent[self.id])
        split = self.tree[above].split
        assert split is not None
        return split, self.id - int(self.tree.first_child[above])

    def _of_parent(self, what: str) -> str:
        if not self.id:
            return ""
        split, branch = self._step
        return getattr(split, what)[branch]

    @property
    def path(self) -> list[str]:
        """The conditions from the root to here, those on the same feature merged."""
        return say_conditions(self.tree[i]._step for i in (*self.ancestors, self.id) if i)


def number_split(tree: "Tree", f: int, threshold: float, is_reversed: bool = False) -> Threshold:
    """Return the split of a numeric or ordered feature, with its threshold as the tree shows it."""
    feature, limit = tree.features[f], ""
    if feature.kind == "numeric":
        usual = say_limit(threshold, strict=True) if tree.strict else ""
        limit = tree.long_limits.get((f, threshold), usual)
    return Threshold(feature.name, threshold, feature.values, is_reversed, limit, feature.missing_side)


def surrogate_split(tree: "Tree", place: int) -> Threshold | Subset:
    """Return the split of a surrogate, given its position; its branches are in the order of the node's."""
    s = tree._active_surrogates
    feature = tree.features[s.feature[place]]
    if feature.kind != "nominal":
        return number_split(tree, int(s.feature[place]), s.threshold[place].item(), bool(s.side[place]))
    first = int(s.n_values[:place].sum())
    here = slice(first, first + int(s.n_values[place]))
    code, branch = s.code[here].tolist(), s.branch[here].tolist()
    return Subset(feature.name, group_names(feature.values, code, branch, 2))
