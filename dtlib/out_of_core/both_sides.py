"""Counts of columns whose missing values choose their side at each node (chapter 10).

>>> import pandas as pd
>>> from dtlib import CARTClassifier
>>> from dtlib.out_of_core import Batches, grow_from
>>> frame = pd.DataFrame({"x": [1.0, 2.0, None, None], "y": [0, 0, 0, 1]})
>>> source, model = Batches([frame.head(2), frame.tail(2)], "y"), CARTClassifier(missing="learned")
>>> print(grow_from(source, model).tree_)
root (0 3, 1 1)
├── x is known (0 2, 1 0) → 0
└── x is missing (0 1, 1 1) → 0
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from dtlib.growing.both_sides import ABOVE, BELOW, CATEGORY, in_features, with_sides
from dtlib.out_of_core.cells import Cells, Columns, Source
from dtlib.table.columns import Feature, narrowed
from dtlib.tree.splits import KNOWN_DOUBLE
from dtlib.tree.tree import Tree


class BothSides:
    """A source in which each column with missing values is as many columns as it needs to have none.

    Parameters
    ----------
    source : Source
    features : tuple of Feature
        The features of the source.
    found : sequence of tuples
        The feature of each column, and what its missing values are there.
    is_single : bool
        Whether numbers are rounded to float32.
    """

    def __init__(
        self, source: Source, features: tuple[Feature, ...], found: Sequence[tuple[int, str]], is_single: bool
    ):
        self.source, self.target = source, source.target
        self.features, self.found, self.is_single = features, found, is_single
        self.lacking = list[
            tuple[int, Cells]
        ]()  # the cells of missing values of a feature, by node of the tree

    def columns(self) -> Columns:
        """Describe the columns of the source."""
        return self.source.columns()

    def count(self, tree: Tree, nodes: Sequence[int], features: Sequence[int]) -> Iterator[tuple[int, Cells]]:
        """Count columns at some leaves of a tree; yield each with its cells, by position of the leaf."""
        tree = self.in_features(tree)
        wanted = sorted({self.found[j][0] for j in features})
        for f, cells in self.source.count(tree, nodes, wanted):
            is_missing = np.isnan(cells.value) if self.features[f].kind == "numeric" else cells.value < 0
            if is_missing.any():
                lacking = cells.take(np.flatnonzero(is_missing))
                self.lacking.append((f, lacking._replace(node=np.asarray(nodes)[lacking.node])))
            for j, (g, how) in enumerate(self.found):
                if g == f:
                    yield j, self.as_column(self.features[f], cells, is_missing, how)

    def as_column(self, feature: Feature, cells: Cells, is_missing: np.ndarray, how: str) -> Cells:
        """Return the cells of a column, in which missing values are above or below all, or a category."""
        value, size = cells.value, len(feature.values)
        if feature.kind == "numeric":
            value = narrowed(value, feature.name) if self.is_single else value
        elif how == BELOW:
            value = value + 1
        where = {ABOVE: 2 * size or np.inf, CATEGORY: size, BELOW: 0 if size else -np.inf, "": None}[how]
        if where is not None:
            value = np.where(is_missing, np.asarray(where, value.dtype), value)
        moved = cells._replace(value=value)
        return moved.take(np.lexsort((moved.label, moved.value, moved.node))) if how == BELOW else moved

    def in_features(self, tree: Tree) -> Tree:
        """Return a tree of the features, given the tree of the columns.

        The codes of ordered categories were moved to make room for a missing value: below them, or far above.
        """
        size = np.array([*(len(self.features[f].values) for f, _ in self.found), 0])[tree.feature]
        how = np.array([*(how for _, how in self.found), ""])[tree.feature]
        threshold = tree.threshold - ((size > 0) & (how == BELOW))
        alone = (size > 0) & (how == ABOVE) & (threshold >= size - 0.5)
        tree = replace(tree, threshold=np.where(alone, KNOWN_DOUBLE, threshold))
        return in_features(tree, self.features, self.found, self.is_single)

    def told_apart(self, tree: Tree) -> Tree:
        """Return the grown tree of the columns as one of the features."""
        tree, rows = self.in_features(tree), np.zeros(tree.node_count, np.intp)
        for f, cells in self.lacking:
            asks = tree.feature[cells.node] == f
            np.add.at(rows, cells.node[asks], cells.rows[asks])
        return with_sides(tree, tree._active_surrogates.default, rows)
