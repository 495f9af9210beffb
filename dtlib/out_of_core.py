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

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone, is_regressor

from dtlib.base import NumberTree, TreeEstimator
from dtlib.c45 import C45Classifier
from dtlib.cart import CARTClassifier, CARTRegressor
from dtlib.growing.counter import Counter, Labels
from dtlib.growing.from_counts import CountsByRatio, CountsByScore
from dtlib.growing.intervals import cut_bounds
from dtlib.id3 import ID3Classifier
from dtlib.prune.ways import Job, OfTree, Pessimistic
from dtlib.search.rules import BySurrogates, RatioRules, Rules
from dtlib.sources.arrow import Arrow
from dtlib.sources.batches import Batches
from dtlib.sources.cells import Columns, Source, Together, add, check_source
from dtlib.sources.database import Database
from dtlib.sources.duck import DuckDB
from dtlib.table.columns import Column, kind_of
from dtlib.table.reading import number_targets
from dtlib.table.weights import weights_of_classes
from dtlib.tree.tree import Tree

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
    Values may be missing if the estimator has ``missing="majority"``, or for CART ``missing="stay"``. No row
    has a weight of its own, but classes may (`class_weight`, `Prior`, `loss`). Of numbers to be predicted,
    each distinct one is counted: round them if there are millions.

    The threshold is the best one of all distinct numbers of a node. Of `Arrow`, `DuckDB` and `Batches`, CART
    counts numbers in up to 4,096 intervals first, and in a second pass one by one in those intervals alone
    that may hold the best cut (`dtlib.growing.intervals`): memory hardly grows with the rows. Every number is
    counted for C4.5, whose charge asks how many thresholds there are; for ``CARTClassifier.sklearn()``, which
    leaves out numbers that lie too close together; where thousands of classes, or of numbers to be predicted,
    leave no room for intervals; and in a `Database`, feature after feature.

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
    labels, loss = read_labels(model, columns.classes)
    kind, values = model.tree_.outputs[0], tuple(np.asarray(labels.column.values).tolist())
    like = replace(model.tree_, outputs=(replace(kind, values=values, kind="nominal"),))
    rules = rules_of(estimator, model.tree_, labels)
    counter = Counter(source, like, rules, labels)
    growth = CountsByRatio(counter, rules) if isinstance(rules, RatioRules) else CountsByScore(counter, rules)
    data = counter.data(labels.root())
    job = Job(np.empty((0, 0)), data.targets, labels.each_row(), None, loss, None, model._code, model._grower)
    tree = replace(model._planted(growth.grow().tree(), rules, data, job), training=None)
    return model._learned(model._way().of(tree))


def read_labels(model: TreeEstimator, classes: Mapping[Any, int]) -> tuple[Labels, np.ndarray | None]:
    """Return what is to be predicted, as a fit reads it, with how many rows have it; and the loss."""
    name = model.tree_.outputs[0].name
    if isinstance(model, NumberTree):
        y = pd.Series(list(classes), name=name)
        (column,) = number_targets(y, len(y))
        rows = np.zeros(len(column.values), np.int64)
        np.add.at(rows, column.codes, list(classes.values()))
        return Labels(replace(column, codes=np.arange(len(rows))), rows), None
    values = model.tree_.classes
    column = Column(name, np.asarray(model.classes_), np.arange(len(values)))
    rows = np.array([classes[value] for value in values])
    if not isinstance(model, CARTClassifier):
        return Labels(column, rows), None
    weight, loss = weights_of_classes(model.class_weight, model.loss, column, rows)
    return Labels(column, rows, weight), loss


def rules_of(estimator: TreeEstimator, like: Tree, labels: Labels) -> Rules | RatioRules:
    """Return the rules by which a tree grows from so many rows."""
    if not isinstance(estimator, CARTClassifier | CARTRegressor):
        return like.grown_by
    model = clone(estimator)  # draws the seed that a fit draws
    return model._rules(int(labels.rows.sum()), labels.total_weight, len(like.features))


def check_estimator(estimator: Any) -> None:
    """Say that an estimator, or one of its parameters, needs the rows themselves."""
    if not isinstance(estimator, ID3Classifier | C45Classifier | CARTClassifier | CARTRegressor):
        raise TypeError(
            f"estimator is a {type(estimator).__name__}; wanted an ID3Classifier, C45Classifier, "
            f"CARTClassifier or CARTRegressor, whose questions are about one feature"
        )
    for name, value, wanted in needing_rows(estimator):
        raise ValueError(
            f"{name} is {value!r}, which needs the rows, but only counts are there: wanted {wanted}"
        )


def needing_rows(estimator: TreeEstimator) -> Iterator[tuple[str, Any, str]]:
    """Yield the parameters for which counts are not enough, their values, and what may be instead."""
    given = estimator.get_params(deep=False)
    if given.get("criterion") == "absolute_error":
        yield "criterion", "absolute_error", "'squared_error'"
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
    known = list(columns.classes)
    labels = [label for label in (known[:1] if is_regressor(estimator) else known) for _ in range(ROWS)]
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
