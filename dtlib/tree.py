"""The tree: arrays inside, nodes outside (chapters 1 and 4).

The nodes are numbered level by level; the root is node 0 and the children of a node follow each other.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from operator import index
from typing import Any

import numpy as np
import pandas as pd

from dtlib import measures
from dtlib.counts import Training, count_tables, encode, whole
from dtlib.splits import Multiway
from dtlib.words import say

CRITERIA = {"entropy": measures.entropy}
PURE, EMPTY, NO_FEATURE = "pure", "empty branch", "no feature left"
NO_GAIN, BELOW = "no gain", "gain below min_gain"
REASONS = ("", PURE, EMPTY, NO_FEATURE, NO_GAIN, BELOW)  # why a node is a leaf; an inner node has none
FORMAT = "dtlib.tree/1"
DRAWN = 100  # nodes; a notebook shows the first levels of a larger tree
TIE = 1e-10  # gains this close, relative to the impurity of their node, are equal


@dataclass(frozen=True)
class Feature:
    """A nominal feature: its name and its values in order."""

    name: str
    values: tuple[Any, ...]


@dataclass(frozen=True, eq=False)
class Tree:
    """A decision tree. It never changes once it is grown.

    Parameters
    ----------
    features : tuple of Feature
        In column order.
    classes : tuple
        In the order of the columns of `counts`.
    criterion : {"entropy"}
        The impurity by which it was grown.
    feature : int ndarray of shape (nodes,)
        Index of the feature asked at each node, -1 at a leaf. It decides the shape of the tree.
    counts : ndarray of shape (nodes, classes)
        Training weight of each class at each node.
    gain : ndarray of shape (nodes,)
        Impurity decrease of the split at each node (bits), 0 at a leaf.
    stop : int ndarray of shape (nodes,)
        Why each node is a leaf, as an index into `REASONS`; 0 for an inner node.
    training : Training, optional
        The data it was grown from, for `explain`. Neither pickled nor exported.

    Examples
    --------
    >>> from dtlib import ID3Classifier, load_loan
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
    classes: tuple[Any, ...]
    criterion: str
    feature: np.ndarray
    counts: np.ndarray
    gain: np.ndarray
    stop: np.ndarray
    training: Training | None = None

    def __post_init__(self) -> None:
        for name in ARRAYS:
            getattr(self, name).setflags(write=False)

    @property
    def node_count(self) -> int:
        """Number of nodes."""
        return len(self.feature)

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return int((self.feature < 0).sum())

    @cached_property
    def children(self) -> np.ndarray:
        """Number of children of each node: one for each value of the feature it asks."""
        sizes = np.array([*(len(f.values) for f in self.features), 0])  # the last one for a leaf's feature -1
        return sizes[self.feature]

    @cached_property
    def first_child(self) -> np.ndarray:
        """Number of each node's first child; the child for value i is i further. -1 at a leaf."""
        before = np.cumsum(self.children) - self.children
        return np.where(self.children > 0, 1 + before, -1)

    @cached_property
    def parent(self) -> np.ndarray:
        """Number of the node above each node, -1 at the root."""
        return np.concatenate([[-1], np.repeat(np.arange(self.node_count), self.children)])

    @cached_property
    def depth(self) -> np.ndarray:
        """Depth of each node, 0 at the root."""
        start, sizes = 0, [1]
        while sizes[-1]:
            start, below = start + sizes[-1], self.children[start : start + sizes[-1]].sum()
            sizes.append(int(below))
        return np.repeat(np.arange(len(sizes)), sizes)

    @property
    def max_depth(self) -> int:
        """Depth of the deepest leaf."""
        return int(self.depth.max())

    @property
    def root(self) -> Node:
        """Node 0."""
        return self[0]

    def __len__(self) -> int:
        return self.node_count

    def __getitem__(self, node: int) -> Node:
        if not 0 <= index(node) < self.node_count:
            raise IndexError(f"node is {node}; the nodes are 0 to {self.node_count - 1}")
        return Node(self, index(node))

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
        """The node whose counts decide at each node: itself, or its parent where no sample came."""
        return np.where(self.counts.sum(1) > 0, np.arange(self.node_count), self.parent)

    @cached_property
    def value(self) -> np.ndarray:
        """Class shares predicted at each node, shape (nodes, classes)."""
        counts = self.counts[self.evidence]
        return counts / counts.sum(1, keepdims=True)

    @cached_property
    def label(self) -> np.ndarray:
        """Index of the class predicted at each node: the majority, of equals the first."""
        return self.counts[self.evidence].argmax(1)

    def apply(self, X: pd.DataFrame) -> np.ndarray:
        """Return the node in which each row ends: a leaf, or the node that asks for a value without a branch.

        Parameters
        ----------
        X : DataFrame of n rows
            The tree's features as columns. A value that is missing or was never seen has no branch.

        Returns
        -------
        int ndarray of shape (n,)

        Raises
        ------
        ValueError
            If a feature is no column of X.
        """
        lacking = [f.name for f in self.features if f.name not in X.columns]
        if lacking:
            raise ValueError(f"X lacks the columns {lacking}; the tree has {[f.name for f in self.features]}")
        codes = np.stack([encode(X[f.name], f.values).codes for f in self.features])
        node, rows = np.zeros(len(X), int), np.arange(len(X))
        while len(rows):
            feature = self.feature[node[rows]]
            branch = np.where(feature >= 0, codes[feature, rows], -1)
            rows, branch = rows[branch >= 0], branch[branch >= 0]
            node[rows] = self.first_child[node[rows]] + branch
        return node

    def explain(self, node: int = 0) -> pd.DataFrame:
        """List every feature that could be asked at a node, with its score and why it was or was not chosen.

        Parameters
        ----------
        node : int
            Number of the node.

        Returns
        -------
        DataFrame with one row per feature
            ``feature``, ``split`` (the question), ``children`` (class counts of each branch), ``impurity``
            (weighted mean of the branches, bits), ``gain``, ``split_information`` (bits), ``gain_ratio``,
            ``chosen``, ``reason``.

        Raises
        ------
        ValueError
            If the tree was loaded or unpickled: it then has no training data to count.

        Examples
        --------
        >>> from dtlib import ID3Classifier, load_loan
        >>> loan = load_loan()
        >>> ID3Classifier().fit(loan.X, loan.y).tree_.explain(0)[["feature", "gain", "chosen"]].round(3)
              feature   gain  chosen
        0         age  0.083   False
        1     has_job  0.324   False
        2  owns_house  0.420    True
        3      credit  0.363   False
        """
        if self.training is None:
            raise ValueError("this tree was loaded or unpickled and has no training data: grow it again")
        node = index(node)
        at, rows = self[node], self._rows(node)
        impurity = CRITERIA[self.criterion]
        asked_above = {self.feature[i] for i in at.ancestors}
        lines, y = [], self.training.target.codes[rows]
        weight = None if self.training.weight is None else self.training.weight[rows]
        for f, column in enumerate(self.training.columns):
            split = Multiway(column.name, column.values)
            shape = (1, len(column.values), len(self.classes))
            table = whole(count_tables(column.codes[rows], y, shape, weight=weight)[0])
            gain = measures.impurity_decrease(table, impurity)
            lines.append(
                {
                    "feature": column.name,
                    "split": str(split),
                    "children": "; ".join(
                        f"{branch}: {self.say_counts(row)}"
                        for branch, row in zip(split.branches, table, strict=True)
                    ),
                    "impurity": impurity(table.sum(0)) - gain,
                    "gain": gain,
                    "split_information": measures.split_information(table),
                    "gain_ratio": measures.gain_ratio(table),
                    "chosen": bool(self.feature[node] == f),
                    "reason": say(self._verdict(at, f, gain, table, asked_above)),
                }
            )
        return pd.DataFrame(lines)

    def _verdict(self, node: Node, f: int, gain: float, table: np.ndarray, asked_above: set[int]) -> str:
        """Say why feature f was or was not chosen at a node."""
        if node.reason in (PURE, EMPTY):
            return node.reason
        if f in asked_above:
            return "asked above"
        if (table.sum(1) > 0).sum() < 2:
            return "one value only"
        if node.is_leaf:
            return node.reason
        if self.feature[node.id] == f:
            return "largest gain"
        tie = abs(gain - self.gain[node.id]) <= TIE * node.impurity
        return "equal gain, but a later column" if tie else "smaller gain"

    def _rows(self, node: int) -> np.ndarray:
        """Return the training rows that reach a node."""
        rows = np.ones(len(self.training.target.codes), bool)
        while self.parent[node] >= 0:
            above = self.parent[node]
            rows &= self.training.columns[self.feature[above]].codes == node - self.first_child[above]
            node = above
        return np.flatnonzero(rows)

    def trace(self) -> pd.DataFrame:
        """Return the growth step by step: one row per node, in the order in which they were grown.

        Returns
        -------
        DataFrame indexed by node
            ``path``, ``n`` (training weight), ``counts``, ``impurity`` (bits), ``split``, ``gain`` (bits),
            ``leaf`` (the predicted class) and ``reason``.
        """
        lines = [
            {
                "path": say(" and ").join(node.path),
                "n": node.n,
                "counts": self.say_counts(node.counts),
                "impurity": node.impurity,
                "split": "" if node.is_leaf else str(node.split),
                "gain": self.gain[node.id],
                "leaf": str(node.prediction) if node.is_leaf else "",
                "reason": say(node.reason) if node.is_leaf else "",
            }
            for node in self
        ]
        return pd.DataFrame(lines, index=pd.RangeIndex(self.node_count, name="node"))

    def rules(self) -> pd.DataFrame:
        """Return the tree as if-then rules, one per leaf, first branch first.

        Returns
        -------
        DataFrame
            ``rule``, ``class``, ``support`` (training weight that fulfils the rule), ``confidence`` (share of
            it that has the class, NaN where there is none).

        Examples
        --------
        >>> from dtlib import ID3Classifier, load_loan
        >>> loan = load_loan()
        >>> rules = ID3Classifier().fit(loan.X, loan.y).tree_.rules()
        >>> rules["rule"][0]
        'if owns_house = no and has_job = no then no'
        """
        lines = [
            {
                "rule": say(
                    "if {conditions} then {label}",
                    conditions=say(" and ").join(leaf.path) or say("anything"),
                    label=leaf.prediction,
                ),
                "class": leaf.prediction,
                "support": leaf.n,
                "confidence": leaf.counts.max() / leaf.n if leaf.n else np.nan,
            }
            for leaf in self.preorder()
            if leaf.is_leaf
        ]
        return pd.DataFrame(lines)

    def say_counts(self, counts: np.ndarray) -> str:
        """Say class counts: ``no 6, yes 9``."""
        return ", ".join(f"{label} {count:.6g}" for label, count in zip(self.classes, counts, strict=True))

    def __str__(self) -> str:
        lines, prefix = [], {}
        for node in self.preorder():
            stem, last = prefix.get(node.id, ("", None))
            elbow = "" if last is None else "└── " if last else "├── "
            result = f" → {node.prediction}" if node.is_leaf else ""
            where = node.condition or say("root")
            lines.append(f"{stem}{elbow}{where} ({self.say_counts(node.counts)}){result}")
            below = stem + ("" if last is None else "    " if last else "│   ")
            for child in node.children:
                prefix[child.id] = below, child.id == node.children[-1].id
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<Tree: {self.node_count} nodes, {self.n_leaves} leaves, depth {self.max_depth}>"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        from dtlib import draw

        upto = np.flatnonzero(np.cumsum(np.bincount(self.depth)) <= DRAWN)  # a huge picture helps nobody
        return draw.tree(self, depth=int(upto.max(initial=0)))._repr_mimebundle_()

    def to_graphviz(self) -> Any:
        """Return the tree as a ``graphviz.Source``; rendering it needs the program ``dot``."""
        from dtlib import draw

        return draw.to_graphviz(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the tree as plain lists, numbers and strings; `from_dict` is the exact inverse."""
        return {
            "format": FORMAT,
            "criterion": self.criterion,
            "classes": [plain(label, "class") for label in self.classes],
            "features": [
                {"name": f.name, "values": [plain(v, f"value of {f.name!r}") for v in f.values]}
                for f in self.features
            ],
            "feature": self.feature.tolist(),
            "counts": self.counts.tolist(),
            "gain": self.gain.tolist(),
            "reason": list(self.reason),
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Tree:
        """Build a tree from what `to_dict` returned.

        Raises
        ------
        ValueError
            If the data are of another format, or a part of them is missing.
        """
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            found = data.get("format") if isinstance(data, dict) else data
            raise ValueError(f"format is {found!r}, wanted {FORMAT!r}: this was not written by to_dict()")
        try:
            tree = cls(
                tuple(Feature(f["name"], tuple(f["values"])) for f in data["features"]),
                tuple(data["classes"]),
                data["criterion"],
                np.array(data["feature"]),
                np.array(data["counts"]),
                np.array(data["gain"], float),
                np.array([REASONS.index(reason) for reason in data["reason"]]),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"data cannot be read ({error!r}): write them again with to_dict()") from error
        flaw = tree._flaw()
        if flaw:
            raise ValueError(f"data describe no tree: {flaw}; write them again with to_dict()")
        return tree

    def _flaw(self) -> str:
        """Say what keeps the parts from being a tree; empty if nothing does."""
        n, K, d = self.node_count, len(self.classes), len(self.features)
        sizes = {"counts": (n, K), "gain": (n,), "stop": (n,), "feature": (n,)}
        for name, wanted in sizes.items():
            if getattr(self, name).shape != wanted:
                return f"{name} has shape {getattr(self, name).shape}, wanted {wanted}"
        if self.feature.dtype.kind != "i" or not ((self.feature >= -1) & (self.feature < d)).all():
            return f"feature holds other values than whole numbers from -1 to {d - 1}"
        if n != 1 + self.children.sum():
            return f"its questions have {self.children.sum()} branches, but {n - 1} nodes are below the root"
        if self.counts.dtype.kind not in "if" or not (np.isfinite(self.counts) & (self.counts >= 0)).all():
            return "counts holds other values than finite numbers, 0 or more"
        inner = self.children > 0
        below = np.add.reduceat(self.counts, self.first_child[inner]) if inner.any() else self.counts[:0]
        if not np.allclose(below, self.counts[inner]):
            return "the counts of some children do not add up to those of the node above"
        if not np.isfinite(self.gain).all() or ((self.stop > 0) == inner).any():
            return "a gain is not finite, or a leaf has no reason, or an inner node has one"
        if self.criterion not in CRITERIA:
            return f"criterion is {self.criterion!r}, wanted one of {list(CRITERIA)}"
        names = [[f.name for f in self.features], self.classes, *(f.values for f in self.features)]
        twice = [list(some) for some in names if len(set(some)) < len(some)]
        return f"{twice[0]} names something twice" if twice else ""

    def to_json(self) -> str:
        """Return the tree as JSON text."""
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> Tree:
        """Build a tree from what `to_json` returned."""
        return cls.from_dict(json.loads(text))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tree):
            return NotImplemented
        arrays = all(np.array_equal(getattr(self, name), getattr(other, name)) for name in ARRAYS)
        return arrays and self._names == other._names

    def __hash__(self) -> int:
        return hash((self._names, self.feature.tobytes()))

    @property
    def _names(self) -> tuple[Any, ...]:
        return self.features, self.classes, self.criterion

    def __copy__(self) -> Tree:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Tree:
        return self

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "training": None}


ARRAYS = ("feature", "counts", "gain", "stop")


@dataclass(frozen=True)
class Node:
    """One node of a tree, seen from outside."""

    tree: Tree
    id: int

    @property
    def is_leaf(self) -> bool:
        """Whether nothing is asked here."""
        return bool(self.tree.feature[self.id] < 0)

    @property
    def counts(self) -> np.ndarray:
        """Training weight of each class."""
        return self.tree.counts[self.id]

    @property
    def n(self) -> float:
        """Training weight of all classes together."""
        return self.counts.sum().item()

    @property
    def impurity(self) -> float:
        """Impurity of the counts (bits)."""
        return CRITERIA[self.tree.criterion](self.counts)

    @property
    def prediction(self) -> Any:
        """The class predicted here."""
        return self.tree.classes[self.tree.label[self.id]]

    @property
    def reason(self) -> str:
        """Why this is a leaf; empty for an inner node."""
        return REASONS[self.tree.stop[self.id]]

    @property
    def split(self) -> Multiway | None:
        """The question asked here."""
        if self.is_leaf:
            return None
        feature = self.tree.features[self.tree.feature[self.id]]
        return Multiway(feature.name, feature.values)

    @property
    def feature(self) -> str | None:
        """The name of the feature asked here."""
        return None if self.is_leaf else self.split.feature

    @property
    def parent(self) -> Node | None:
        """The node above."""
        above = self.tree.parent[self.id]
        return None if above < 0 else Node(self.tree, int(above))

    @property
    def children(self) -> tuple[Node, ...]:
        """The nodes below, one per branch."""
        if self.is_leaf:
            return ()
        first = int(self.tree.first_child[self.id])
        return tuple(Node(self.tree, first + i) for i in range(len(self.split.branches)))

    @property
    def ancestors(self) -> tuple[int, ...]:
        """The numbers of the nodes above, root first."""
        above, node = [], int(self.tree.parent[self.id])
        while node >= 0:
            above.append(node)
            node = int(self.tree.parent[node])
        return tuple(reversed(above))

    @property
    def depth(self) -> int:
        """Number of questions asked above."""
        return len(self.ancestors)

    @property
    def branch(self) -> str:
        """The label of the branch that leads here; empty at the root."""
        return self._of_parent("branches")

    @property
    def condition(self) -> str:
        """What a row must fulfil to come here from the node above; empty at the root."""
        return self._of_parent("conditions")

    def _of_parent(self, what: str) -> str:
        above = self.parent
        return "" if above is None else getattr(above.split, what)[self.id - self.tree.first_child[above.id]]

    @property
    def path(self) -> list[str]:
        """All conditions from the root to here."""
        return [self.tree[i].condition for i in (*self.ancestors, self.id) if i]


def plain(value: Any, what: str) -> str | bool | int | float:
    """Return a value as JSON can hold it."""
    value = value.item() if isinstance(value, np.generic) else value
    if not isinstance(value, str | bool | int | float):
        kind = type(value).__name__
        raise TypeError(f"{what} {value!r} is a {kind}, which JSON cannot hold: use text or numbers")
    return value
