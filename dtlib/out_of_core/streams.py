"""Rows that are streamed block by block, in each pass anew (chapter 25).

One pass counts all features of a level: categories and few distinct values in tables, many values in
intervals, or each value where it matters. Only counts are kept, so memory does not grow with the rows.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from dtlib.jit.threads import share_out, threads_for
from dtlib.out_of_core.cells import Cells, Columns
from dtlib.out_of_core.part_weights import PartWeights
from dtlib.out_of_core.progress import Passes
from dtlib.out_of_core.spread import Intervals, QuantileSketch
from dtlib.out_of_core.tallies import ROOM, EveryValue, TableOfPlaces, Tally
from dtlib.table.columns import narrowed
from dtlib.table.parameters import check_number, check_text
from dtlib.tree.descend import Ends, ends
from dtlib.tree.tree import Tree


class RowBlock(NamedTuple):
    """A block of rows.

    Parameters
    ----------
    values : dict
        By position of the feature: numeric values, NaN if missing; or the codes of categories, -1 if missing.
    label : int ndarray
        The codes of the classes.
    """

    values: Mapping[int, np.ndarray]
    label: np.ndarray


class FetchedRows(NamedTuple):
    """Rows at some nodes: values and labels as in `RowBlock`, and the position of each row's node."""

    values: Mapping[int, np.ndarray]
    label: np.ndarray
    node: np.ndarray


class Stream(Passes):
    """A source whose rows are read by this process.

    Attributes
    ----------
    target : str
    together : int, optional
        How many features are counted in one pass where every value must be counted; default: all.
    passes : int
        How often the rows were read so far.
    spread : dict
        The sketch of each numeric column, after a call of `columns`.
    most_counts : int, optional
        The largest number of counts of intervals of one pass, where each costs time; default: as many as have
        room.
    """

    most_counts: int | None = None

    def __init__(self, target: str, together: int | None):
        check_text(target=target)
        if together is not None:
            check_number("together", together, 1, whole=True)
        self.target, self.together, self.passes, self.spread = (
            target,
            together,
            0,
            dict[str, QuantileSketch](),
        )

    def columns(self) -> Columns:
        """Describe the columns, in one pass over the data."""
        raise NotImplementedError

    def blocks(self, tree: Tree, features: Sequence[int]) -> Iterator[RowBlock]:
        """Yield blocks of rows with some features, in one pass over the data."""
        raise NotImplementedError

    def count(
        self, tree: Tree, nodes: Sequence[int], features: Sequence[int], parts: PartWeights | None = None
    ) -> Iterator[tuple[int, Cells]]:
        """Count every value of features at some leaves of a tree; yield each with its cells.

        If rows are divided, each class has as many labels as there may be weights (`at_leaves`).
        """
        step, K = self.together or max(1, len(features)), len(tree.classes) * (parts.most if parts else 1)
        for some in (features[a : a + step] for a in range(0, len(features), step)):
            tallies = {f: self.tally_of(tree, len(nodes), f, K) for f in some}
            self.tally(tree, nodes, tallies, parts)
            for f in some:
                yield f, tallies.pop(f).cells()

    def tally_of(self, tree: Tree, J: int, f: int, K: int) -> Tally:
        """Return the tally of each value of a feature with each of K labels."""
        feature, intervals = tree.features[f], None
        if feature.kind == "numeric":
            ends = self.spread[feature.name].values
            if ends is None:
                return EveryValue()
            intervals = Intervals(np.unique(narrowed(ends) if tree.single else ends))
        V = len(feature.values) if intervals is None else len(intervals.ends)
        return TableOfPlaces((J, V, K), intervals) if J * (V + 1) * K <= ROOM else EveryValue(intervals)

    def tally(
        self, tree: Tree, nodes: Sequence[int], tallies: Mapping[int, Tally], parts: PartWeights | None = None
    ) -> None:
        """Count features at some leaves of a tree, in one pass over the data."""
        blocks = self.blocks(tree, wanted_of(tree, tallies))
        watched = self.watched((block, len(block.label)) for block in blocks)
        tally_blocks(watched, tree, nodes, tallies, parts)

    def rows_at(self, tree: Tree, nodes: Sequence[int]) -> FetchedRows:
        """Return the rows that end at some leaves of a tree, in one pass over the data."""
        every = range(len(tree.features))
        blocks = self.blocks(tree, every)
        watched = self.watched((block, len(block.label)) for block in blocks)
        parts = list(at_leaves(watched, tree, nodes, every))
        values = {f: np.concatenate([part.values[f] for part in parts]) for f in every}
        label, node = (np.concatenate([getattr(part, name) for part in parts]) for name in ("label", "node"))
        return FetchedRows(values, label, node)


def wanted_of(tree: Tree, tallies: Mapping[int, Tally]) -> list[int]:
    """Return the features that a pass needs: those that are counted, and those that the tree tests."""
    return sorted({*tallies, *tested(tree)})


def tally_blocks(
    blocks: Iterable[RowBlock],
    tree: Tree,
    nodes: Sequence[int],
    tallies: Mapping[int, Tally],
    parts: PartWeights | None = None,
) -> None:
    """Count features at some leaves of a tree, in rows with the features of `wanted_of`.

    If some features are floats, they are counted by as many threads as joblib is told to use; integers and
    categories are counted faster than they could be handed out.
    """
    for rows in at_leaves(blocks, tree, nodes, tallies, parts):
        is_work = any(x.dtype.kind == "f" for x in rows.values.values())
        threads = threads_for((len(rows.node), len(tallies))) if is_work else 1
        share_out(partial(tally_feature, rows, tallies), tallies, threads)


def tally_feature(rows: FetchedRows, tallies: Mapping[int, Tally], f: int) -> None:
    """Count one feature."""
    tallies[f].add(rows.node, rows.values[f], rows.label)


def at_leaves(
    blocks: Iterable[RowBlock],
    tree: Tree,
    nodes: Sequence[int],
    features: Iterable[int],
    parts: PartWeights | None = None,
) -> Iterator[FetchedRows]:
    """Yield the rows that end at some leaves, with the positions of the leaves, and some of the features.

    With `parts`, rows whose tested value is missing are divided by the weights `n` of the tree's nodes, and a
    fractional instance of the k-th class with the w-th weight of its node has the label w * K + k.
    """
    place, kinds = np.full(tree.node_count, -1), [feature.kind for feature in tree.features]
    place[list(nodes)] = np.arange(len(nodes))
    grown, some = with_tested_features(tree), tested(tree)
    for block in blocks:
        label = block.label.astype(np.intp)
        row, at, weight = leaves_of(grown, [block.values[f] for f in some], len(label), parts)
        here = np.flatnonzero(place[at] >= 0)
        rows = slice(None) if len(here) == len(label) and parts is None else row[here]
        node, label = place[at[here]], label[rows]
        if parts is not None:
            label += len(tree.classes) * parts.place(node, weight[here])
        values = dict[int, np.ndarray]()
        for f in features:
            x = block.values[f][rows]
            if tree.single and kinds[f] == "numeric":
                x = narrowed(x.astype(float, copy=False))
            values[f] = x
        yield FetchedRows(values, label, node)


def tested(tree: Tree) -> list[int]:
    """Return the features that a tree tests.

    Examples
    --------
    >>> from dtlib import CARTClassifier
    >>> tested(CARTClassifier().fit([[0, 1], [0, 2]], [0, 1]).tree_)
    [1]
    """
    return np.unique(tree.feature[tree.feature >= 0]).tolist()


def with_tested_features(tree: Tree) -> Tree:
    """Return a tree that has only the features that it tests."""
    some = tested(tree)
    feature = np.where(tree.feature < 0, -1, np.searchsorted(some, tree.feature))
    return replace(tree, features=tuple(tree.features[f] for f in some), feature=feature)


def leaves_of(tree: Tree, columns: Sequence[np.ndarray], rows: int, parts: PartWeights | None) -> Ends:
    """Return the leaves of rows, whole or divided, given the columns of the tree's features."""
    row, one = np.arange(rows), np.ones(rows)
    if not columns:
        return Ends(row, np.zeros(rows, np.intp), one)
    X = np.empty((rows, len(columns)), np.float32 if tree.single else np.float64)
    for k, (x, feature) in enumerate(zip(columns, tree.features, strict=True)):
        X[:, k] = x
        if feature.kind != "numeric":
            X[x < 0, k] = np.nan
    return Ends(row, tree.apply(X), one) if parts is None else ends(tree, X, "fractional", parts.unit)
