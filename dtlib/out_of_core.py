"""Growing a tree from counts alone: the rows stay where they are (chapter 20).

A *source* (`dtlib.sources`) counts; the search for splits is that of the other trees. It takes the
cells of a count table as rows whose weight is the count: ten rows with the same value and class are one row
of weight 10. So the tree is the same to the last bit. It needs one pass over the data to look at the columns,
and one or two for each level of questions.

References
----------
J. Gehrke, R. Ramakrishnan, V. Ganti, "RainForest: a framework for fast decision tree construction of large
datasets", Data Mining and Knowledge Discovery 4 (2000) 127-162.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone

from dtlib.base import TreeEstimator
from dtlib.c45 import C45Classifier
from dtlib.cart import CARTClassifier
from dtlib.growing.from_counts import Counter, CountsByRatio, CountsByScore
from dtlib.growing.intervals import cut_bounds
from dtlib.id3 import ID3Classifier
from dtlib.prune.ways import OfTree, Pessimistic
from dtlib.search.rules import BySurrogates, RatioRules
from dtlib.sources.arrow import Arrow
from dtlib.sources.batches import Batches
from dtlib.sources.cells import Columns, Source, Together, add, check_source
from dtlib.sources.database import Database
from dtlib.sources.duck import DuckDB
from dtlib.table.columns import kind_of

__all__ = ["Arrow", "Batches", "Database", "DuckDB", "Together", "add", "cut_bounds", "grow_from"]

ROWS = 3  # of a class in the sample that an estimator reads: a warning comes where there are too few


def grow_from(source: Source, estimator: TreeEstimator) -> TreeEstimator:
    """Grow the tree that an estimator grows, from the counts of a source.

    Parameters
    ----------
    source : Source
        `Arrow` (Parquet), `DuckDB`, `Database`, `Batches`, or several of them in `Together`.
    estimator : ID3Classifier, C45Classifier or CARTClassifier
        It stays as it is.

    Returns
    -------
    ID3Classifier, C45Classifier or CARTClassifier
        A fitted copy. Its `tree_` is the one that `fit` grows from the same rows in memory, with the same
        numbers to the last bit; it has no training data, so it cannot `explain` what else could be asked.

    Raises
    ------
    TypeError
        If the estimator is another one, or a column cannot be used.
    ValueError
        If a parameter needs the rows themselves, a value is missing and may not be, or the data change while
        the tree grows.

    Notes
    -----
    Every row weighs 1. Values may be missing if the estimator has ``missing="majority"``, or for CART
    ``missing="stay"``.

    The threshold is the best one of all distinct numbers of a node. Of `Arrow`, `DuckDB` and `Batches`, CART
    counts numbers in up to 4,096 intervals first, and in a second pass one by one in those intervals alone
    that may hold the best cut (`dtlib.growing.intervals`): memory hardly grows with the rows. C4.5, whose
    charge asks how many thresholds there are, and ``CARTClassifier.sklearn()``, which leaves out numbers that
    lie too close together, count every number; so do a `Database`, feature after feature, and `Together`.

    Examples
    --------
    >>> import sqlite3
    >>> from dtlib import ID3Classifier, load_loan
    >>> from dtlib.out_of_core import Database
    >>> connection = sqlite3.connect(":memory:")
    >>> loan = load_loan()
    >>> loan.frame.to_sql("loan", connection, index=False)
    15
    >>> print(grow_from(Database(connection, "loan", "approved"), ID3Classifier()).tree_)
    root (no 6, yes 9)
    ├── owns_house = no (no 6, yes 3)
    │   ├── has_job = no (no 6, yes 0) → no
    │   └── has_job = yes (no 0, yes 3) → yes
    └── owns_house = yes (no 0, yes 6) → yes
    >>> connection.close()
    """
    check_source(source)
    check_estimator(estimator)
    columns = source.columns()
    model = read_sample(estimator, columns, source.target)
    check_holes(model, columns)
    like, n = model.tree_, sum(columns.classes.values())
    rules = (
        model._rules(n, float(n), len(like.features)) if isinstance(model, CARTClassifier) else like.grown_by
    )
    table = np.array([columns.classes[label] for label in like.classes])
    counter = Counter(source, like, rules)
    growth = (
        CountsByRatio(counter, rules, table)
        if isinstance(rules, RatioRules)
        else CountsByScore(counter, rules, table)
    )
    tree = replace(model._planted(growth.grow().tree(), rules, counter.root(table)), training=None)
    return model._learned(model._way().of(tree))


def check_estimator(estimator: Any) -> None:
    """Say that an estimator, or one of its parameters, needs the rows themselves."""
    if not isinstance(estimator, ID3Classifier | C45Classifier | CARTClassifier):
        raise TypeError(
            f"estimator is a {type(estimator).__name__}; wanted an ID3Classifier, C45Classifier or "
            f"CARTClassifier: only classes are counted exactly, and only questions about one feature"
        )
    for name, value, wanted in needing_rows(estimator):
        raise ValueError(
            f"{name} is {value!r}, which needs the rows, but only counts are there: wanted {wanted}"
        )


def needing_rows(estimator: TreeEstimator) -> Iterator[tuple[str, Any, str]]:
    """Yield the parameters for which counts are not enough, their values, and what may be instead."""
    given = estimator.get_params(deep=False)
    for name in ("class_weight", "loss", "max_features"):
        if given.get(name) is not None:
            yield name, given[name], "None"
    if given.get("keep_data"):
        yield "keep_data", given["keep_data"], "None or False"
    missing, dialect, way = given.get("missing"), given.get("dialect"), estimator._way()
    if missing == "surrogate" or (isinstance(missing, BySurrogates) and missing.are_sought):
        yield "missing", missing, "'error', 'stay' or 'majority'"
    if dialect == "rpart" or getattr(dialect, "ties", "first") != "first":
        yield "dialect", dialect, "one with ties='first'"
    if not isinstance(way, OfTree):
        yield "prune", given["prune"], "None or a way that needs the tree only"
    if isinstance(way, Pessimistic) and way.raising:
        yield "prune", given["prune"], "Pessimistic(raising=False)"


def check_holes(model: TreeEstimator, columns: Columns) -> None:
    """Say which features have missing values that a tree from counts has no rule for."""
    way = model.tree_.missing
    if columns.holes and way not in ("stay", "majority"):
        holes = [name for name in columns.features if name in columns.holes]
        raise ValueError(
            f"missing is {way!r}, and these columns have missing values: {', '.join(holes)}; wanted "
            f"missing='majority' (C4.5, CART), or data without those rows"
        )


def read_sample(estimator: TreeEstimator, columns: Columns, target: str) -> TreeEstimator:
    """Return a copy fitted to a few rows with the types of the data: so it checks all that it always checks.

    Its tree is a leaf; it knows the features and the classes.
    """
    labels = [label for label in columns.classes for _ in range(ROWS)]
    sample = {}
    for name, column in columns.features.items():
        if kind_of(column) == "numeric":
            sample[name] = pd.Series([0.0] * len(labels))
            continue
        declared = column.dtype
        if not isinstance(declared, pd.CategoricalDtype):
            declared = pd.CategoricalDtype(sorted(column.dropna()))
        values = [declared.categories[0]] * len(labels) if len(declared.categories) else [None] * len(labels)
        sample[name] = pd.Series(pd.Categorical(values, dtype=declared))
    return clone(estimator).fit(pd.DataFrame(sample), pd.Series(labels, name=target))
