"""The interface of sources of counts: their columns, and the cells of count tables (chapter 25).

A source describes its columns; and, for the open nodes of a tree, it counts how often each value of a feature
occurs with each class. These counts are the count table (AVC set) of a level, written as *cells*: node,
value, class, number of rows. Nothing else is taken from the data, so the rows may stay where they are.

References
----------
J. Gehrke, R. Ramakrishnan, V. Ganti, "RainForest: a framework for fast decision tree construction of large
datasets", Data Mining and Knowledge Discovery 4 (2000) 127-162.
"""

from collections import Counter as Tally
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

import numpy as np
import pandas as pd

from dtlib.arrays import changes
from dtlib.numbers import EXACT
from dtlib.table.columns import distinct, index_of, kind_of, several_orders
from dtlib.tree.tree import Tree


class Cells(NamedTuple):
    """Cells of a count table: node, value (or code of a category), class, number of rows.

    A missing value is NaN if the feature is numeric, else -1.
    """

    node: np.ndarray
    value: np.ndarray
    label: np.ndarray
    rows: np.ndarray

    def take(self, places: np.ndarray) -> "Cells":
        """Return some of the cells."""
        return Cells(*(x[places] for x in self))


def add(*tables: Cells) -> Cells:
    """Add up count tables: cells with equal node, value and class become one.

    Parameters
    ----------
    *tables : Cells
        Count tables of one feature.

    Returns
    -------
    Cells
        Ordered by node, value (missing last if it is NaN) and class.

    Examples
    --------
    >>> half = Cells(np.array([0, 0]), np.array([1.5, 2.5]), np.array([1, 0]), np.array([3, 4]))
    >>> add(half, half).rows, add(half, half.take(np.array([1]))).rows
    (array([6, 8]), array([3, 8]))
    """
    if not tables:
        return Cells(*np.empty((4, 0), np.int64))
    node, value, label, count = (np.concatenate(x) for x in zip(*tables, strict=True))
    _, code = np.unique(value, return_inverse=True)  # of NaN, there is one
    order = np.lexsort((label, code, node))
    node, code, value, label = node[order], code[order], value[order], label[order]
    first = np.flatnonzero(changes(node, code, label))
    total = np.add.reduceat(count[order], first) if len(first) else count[:0]
    return Cells(node[first], value[first], label[first], total.astype(np.int64))


class Columns(NamedTuple):
    """Description of the columns of a source.

    Parameters
    ----------
    features : dict
        By name, a Series of the type of the column, which holds each category unless the type declares them;
        one missing value if all values are missing.
    has_missing : frozenset
        The features with missing values.
    classes : dict
        The number of rows of each class.
    declared : tuple, optional
        All classes in their order, if the target is a category, which declares them.
    """

    features: dict[str, pd.Series]
    has_missing: frozenset[str]
    classes: dict[Any, int]
    declared: tuple[Any, ...] | None = None


class Source(Protocol):
    """Interface of a source: its rows can be counted."""

    target: str

    def columns(self) -> Columns:
        """Describe the columns, in one pass over the data."""

    def count(self, tree: Tree, nodes: Sequence[int], features: Sequence[int]) -> Iterator[tuple[int, Cells]]:
        """Count features at some leaves of a tree; yield each with its cells, by position of the leaf."""


def check_source(name: str, source: Any) -> None:
    """Raise an error if an argument is no source."""
    is_one = callable(getattr(source, "columns", None)) and callable(getattr(source, "count", None))
    if not is_one or isinstance(source, type):
        said = f"the class {source.__name__}" if isinstance(source, type) else f"a {type(source).__name__}"
        raise TypeError(
            f"{name} is {said}; wanted Arrow(path, target), DuckDB or "
            f"Database(connection, table, target), Spark(frame, target), or Batches(frames, target)"
        )


def join_columns(parts: Sequence[Columns]) -> Columns:
    """Join the columns of several parts of the data."""
    names = list(parts[0].features)
    for part in parts:
        if list(part.features) != names:
            raise ValueError(f"a part has the columns {list(part.features)}, another one {names}")
    features = {name: one_type(name, [part.features[name] for part in parts]) for name in names}
    classes = sum((Tally(part.classes) for part in parts), Tally())
    has_missing, declared = (
        frozenset().union(*(part.has_missing for part in parts)),
        {part.declared for part in parts},
    )
    return Columns(features, has_missing, dict(classes), declared.pop() if len(declared) == 1 else None)


def one_type(name: str, parts: list[pd.Series]) -> pd.Series:
    """Return the type of a column, and its categories, given those of several parts of the data."""
    parts = [part for part in parts if not is_unknown(part)] or parts[:1]
    kinds = sorted({kind_of(part) for part in parts})
    if len(kinds) > 1:
        raise TypeError(
            f"column {name!r} is {kinds[0]} in one part of the data and {kinds[1]} in another: give all "
            f"parts the same types, such as pandas.read_csv(..., dtype=...)"
        )
    if is_unknown(parts[0]):
        return parts[0]
    if kinds == ["numeric"]:
        return pd.Series([], dtype=float, name=name)
    declared = {part.dtype for part in parts if isinstance(part.dtype, pd.CategoricalDtype)}
    if len(declared) == 1 and all(part.dtype in declared for part in parts):
        return parts[0].iloc[:0]
    if kinds == ["ordered"]:
        raise several_orders(name)
    found = [value for part in parts for value in distinct(part)]
    return pd.Series(list(dict.fromkeys(found)), dtype=object, name=name)


def is_unknown(part: pd.Series) -> bool:
    """Tell whether a column has no value that would show its type."""
    return bool(part.isna().all()) and (len(part) > 0 or part.dtype == object)


def labels_of(values: list[Any] | np.ndarray, tree: Tree, target: str) -> np.ndarray:
    """Return the codes of classes, or of regression targets, among those of a tree."""
    known = index_of_labels(tree.classes, type(tree.classes[0]).__name__)
    given = values if isinstance(values, np.ndarray) else index_of(values)
    if isinstance(known, np.ndarray):
        given = np.asarray(given, float)
        label = np.searchsorted(known, given).clip(max=len(known) - 1)
        label[known[label] != given] = -1
    else:
        label = known.get_indexer(given)
    if (label < 0).any():
        unknown = values[int(np.flatnonzero(label < 0)[0])]
        unknown = unknown.item() if isinstance(unknown, np.generic) else unknown
        raise ValueError(f"target {target!r} holds {unknown!r}, which it did not in the first pass")
    return label


@lru_cache(maxsize=4)
def index_of_labels(labels: tuple[Any, ...], kind: str) -> pd.Index | np.ndarray:
    """Return what labels are looked up in: ascending numbers as they are, other labels as an index.

    The type of the labels is part of the key of the cache, as ``(False, True) == (0, 1)``.
    """
    if all(type(label) in (int, float) for label in labels) and max(map(abs, labels)) < EXACT:
        return np.array(labels, float)
    return index_of(labels)
