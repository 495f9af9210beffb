"""The tree: arrays inside, nodes outside (chapters 1 and 4).

The nodes are numbered level by level; the root is node 0 and the children of a node follow each other.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from dtlib import measures
from dtlib.counts import Training, count_tables, encode, whole
from dtlib.splits import Multiway
from dtlib.words import say

CRITERIA = {"entropy": measures.entropy}
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
    """A decision tree.

    Parameters
    ----------
    features : tuple of Feature
        In column order.
    classes : tuple
        In the order of the columns of `counts`.
    criterion : {"entropy"}
        The impurity by which it was grown.
    feature : int ndarray of shape (nodes,)
        Index of the feature asked at each node, -1 at a leaf.
    parent, first_child : int ndarrays of shape (nodes,)
        Node numbers, -1 where there is none. The child for value i of the feature is ``first_child + i``.
    counts : ndarray of shape (nodes, classes)
        Training weight of each class at each node.
    gain : ndarray of shape (nodes,)
        Impurity decrease of the split at each node (bits), 0 at a leaf.
    reason : tuple of str, of length nodes
        Why a node is a leaf: "pure", "no feature left", "no gain", "gain below min_gain", "empty branch";
        empty for an inner node.
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
    parent: np.ndarray
    first_child: np.ndarray
    counts: np.ndarray
    gain: np.ndarray
    reason: tuple[str, ...]
    training: Training | None = None

    # ------------------------------------------------------------------ shape
    @property
    def node_count(self) -> int:
        """Number of nodes."""
        return len(self.feature)

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return int((self.feature < 0).sum())

    @property
    def depth(self) -> np.ndarray:
        """Depth of each node, 0 at the root."""
        depth = np.zeros(self.node_count, int)
        node = self.parent
        while (node >= 0).any():
            depth += node >= 0
            node = np.where(node >= 0, self.parent[node], -1)
        return depth

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

    # ------------------------------------------------------------------ prediction
    @property
    def evidence(self) -> np.ndarray:
        """The node whose counts decide at each node: itself, or its parent where no sample came."""
        return np.where(self.counts.sum(1) > 0, np.arange(self.node_count), self.parent)

    @property
    def value(self) -> np.ndarray:
        """Class shares predicted at each node, shape (nodes, classes)."""
        counts = self.counts[self.evidence]
        return counts / counts.sum(1, keepdims=True)

    @property
    def label(self) -> np.ndarray:
        """Index of the class predicted at each node: the majority, of equals the first."""
        return self.counts[self.evidence].argmax(1)

    def apply(self, X: pd.DataFrame) -> np.ndarray:
        """Return the node in which each row ends: a leaf, or the node at which its value has no branch.

        Parameters
        ----------
        X : DataFrame of n rows with the tree's features as columns

        Returns
        -------
        int ndarray of shape (n,)
        """
        codes = np.stack([encode(X[f.name], f.values).codes for f in self.features])
        node, rows = np.zeros(len(X), int), np.arange(len(X))
        while len(rows):
            feature = self.feature[node[rows]]
            branch = np.where(feature >= 0, codes[feature, rows], -1)
            rows, branch = rows[branch >= 0], branch[branch >= 0]
            node[rows] = self.first_child[node[rows]] + branch
        return node

    # ------------------------------------------------------------------ explanation
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
        if node.reason in ("pure", "empty branch"):
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

    # ------------------------------------------------------------------ export
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
            "parent": self.parent.tolist(),
            "first_child": self.first_child.tolist(),
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
        if data.get("format") != FORMAT:
            raise ValueError(f"format is {data.get('format')!r}, wanted {FORMAT!r}: not written by dtlib")
        missing = {"criterion", "classes", "features", *ARRAYS, "reason"} - set(data)
        if missing:
            raise ValueError(f"data lacks {sorted(missing)}: write it again with to_dict()")
        return cls(
            tuple(Feature(f["name"], tuple(f["values"])) for f in data["features"]),
            tuple(data["classes"]),
            data["criterion"],
            *(np.asarray(data[name], dtype=float if name == "gain" else None) for name in ARRAYS),
            tuple(data["reason"]),
        )

    def to_json(self) -> str:
        """Return the tree as JSON text."""
        return json.dumps(self.to_dict(), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Tree:
        """Build a tree from what `to_json` returned."""
        return cls.from_dict(json.loads(text))

    def __eq__(self, other: object) -> bool:
        return self.to_dict() == other.to_dict() if isinstance(other, Tree) else NotImplemented

    __hash__ = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "training": None}


ARRAYS = ("feature", "parent", "first_child", "counts", "gain")


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
        return self.tree.classes[self.counts.argmax() if self.n else self.parent.counts.argmax()]

    @property
    def reason(self) -> str:
        """Why this is a leaf; empty for an inner node."""
        return self.tree.reason[self.id]

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
