"""Growing the tree of an estimator from the counts of a source (chapter 25).

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
from sklearn.base import clone, is_regressor

from dtlib.base import NumberTree, TreeEstimator
from dtlib.c45 import C45Classifier
from dtlib.cart import CARTClassifier, CARTRegressor
from dtlib.counting.criteria import CRITERIA
from dtlib.growing.both_sides import columns_of, rules_of_columns, without_gaps
from dtlib.id3 import ID3Classifier
from dtlib.out_of_core.both_sides import BothSides
from dtlib.out_of_core.cells import Cells, Columns, Source, check_source, is_unknown, join_columns
from dtlib.out_of_core.counter import Counter, Labels, count_ends
from dtlib.out_of_core.from_counts import CountsByRatio, CountsByScore
from dtlib.out_of_core.from_sums import SumsByScore
from dtlib.out_of_core.intervals import fits
from dtlib.out_of_core.progress import Passes, shown_progress, while_doing
from dtlib.out_of_core.streams import Stream
from dtlib.prune.cross_validation import Held
from dtlib.prune.pruners import FitContext, Fitted, HoldoutPruning, Pessimistic, TreePruning
from dtlib.search.rules import BySurrogates, RatioRules, Rules
from dtlib.table.columns import Column, Feature, kind_of
from dtlib.table.parameters import check_number
from dtlib.table.reading import number_targets
from dtlib.table.weights import weights_of_classes
from dtlib.tree.tree import Tree

ROWS = 3  # of a class in the sample that an estimator reads: a warning comes where there are too few


def grow_from(
    source: Source,
    estimator: TreeEstimator,
    *,
    held_out: Source | None = None,
    rows_in_memory: int = 0,
    bins: int | None = None,
    progress: bool = False,
) -> TreeEstimator:
    """Grow the tree that an estimator grows, from the counts of a source.

    Parameters
    ----------
    source : Source
        `Arrow` (Parquet), `DuckDB`, `Spark`, `Database` or `Batches`.
    estimator : ID3Classifier, C45Classifier, CARTClassifier or CARTRegressor
        It is not changed.
    held_out : Source, optional
        Rows by which the tree is pruned, if `prune` of the estimator is `HoldoutValidated`, `ReducedError` or
        `PrePruned`: they are counted, too. The settings of `prune` that draw rows are ignored then; class
        weights are computed from the rows of `source`.
    rows_in_memory : int of at least 0, default 0
        The rows of nodes that have no more than this are fetched once, and the subtrees below grow in memory:
        a deep tree needs fewer passes.
    bins : int of at least 2, optional
        An approximation that saves the second pass of a level: the values of a feature with more than 4,096
        distinct ones are counted in this number of intervals, and a threshold is an end of an interval. The
        copy then has an attribute ``gain_lost_``: for each node of the grown tree, an upper bound on how much
        more the best cut gains. Default: the tree is exact.
    progress : bool, default False
        Show the progress of each pass with tqdm, if this process reads the rows; Spark has its own bars.

    Returns
    -------
    ID3Classifier, C45Classifier, CARTClassifier or CARTRegressor
        A fitted copy. Its `tree_` is the one that `fit` grows from the same rows in memory, with the same
        numbers to the last bit; it has no training data, so its `explain` is not available.

    Raises
    ------
    TypeError
        If the estimator is another one, or a column cannot be used.
    ValueError
        If a parameter needs the rows themselves, a value is missing and may not be, or the data change while
        the tree grows. An error while a source reads names the level of the tree.
    ImportError
        If `progress` is True and tqdm is not installed.

    Notes
    -----
    Values may be missing if the estimator has ``missing="majority"``, or for CART "stay" or "learned". C4.5's
    own rule, ``missing="fractional"``, needs a source that streams its rows (all but `Database`): fractional
    instances of the same class and weight are counted together.

    Categories are ordered if their type is: an ordered category of pandas, an Enum of polars, an ordered
    dictionary of Arrow, an ENUM of DuckDB. Spark has no such type. A `Database` does not report an order; its
    `dtypes` can set one.

    There are no sample weights, but classes may have weights (`class_weight`, `Prior`, `loss`). For
    regression, memory holds each distinct target once, with its number of rows at each level: round the
    targets if there are hundreds of millions. If they are too many to be counted as classes are, numeric
    features are counted by sums of whole numbers, in intervals, too; one more pass of a level counts the
    targets on both sides of each cut.

    The threshold is the best of all cuts between distinct values at a node. For all sources but a `Database`,
    the values are first counted in up to 4,096 intervals, and in a second pass single values are counted only
    in the intervals that may hold the best cut (`cut_bounds`): memory hardly grows with the number of rows.
    C4.5's MDL correction needs the number of cuts of each feature, so the values of the other intervals are
    told apart in more passes, as many at once as there is room for, and forgotten again.
    Every value is counted where no bound is known: if C4.5 divides rows (``missing="fractional"``) or chooses
    thresholds by gain ratio (``threshold_by="gain_ratio"``); if CART learns the side of missing values
    (``missing="learned"``); if thousands of classes leave no memory for intervals, or thousands of distinct
    targets where values are missing; and in a `Database`, feature by feature.

    Examples
    --------
    >>> import sqlite3
    >>> from dtlib import ID3Classifier
    >>> from dtlib.datasets import load_loan
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
    check_source("source", source)
    check_number("rows_in_memory", rows_in_memory, 0, whole=True)
    check_estimator(estimator, held_out)
    if rows_in_memory:
        check_finishing(source, estimator)
    if bins is not None:
        check_binning(source, estimator, bins, rows_in_memory)
    with shown_progress(progress, source, held_out):
        return Counted(source, estimator, held_out, int(rows_in_memory), bins).grow()


class Counted:
    """The steps of `grow_from`, with its parameters."""

    def __init__(
        self, source: Source, estimator: TreeEstimator, held_out: Source | None, rows_in_memory: int,
        bins: int | None,
    ):  # fmt: skip
        self.source, self.held_out, self.rows_in_memory, self.bins = source, held_out, rows_in_memory, bins
        columns, self.others = look_at(source), None
        self.has_missing = columns.has_missing
        self.known = columns.features
        if held_out is not None:
            found = look_at(held_out)
            own, columns = columns.features, with_held_out(columns, found)
            self.known = columns.features
            if estimator._values_of == "all":
                self.others = held_out, sum(found.classes.values())
            elif not lists_held_out(estimator):
                columns = columns._replace(features=with_types(own, columns.features))
        self.model = read_sample(estimator, columns, source.target)
        self.in_parts = bool(columns.has_missing) and self.model.tree_.missing == "fractional"
        check_missing(self.model, columns, source, held_out)
        self.labels, self.loss = read_labels(self.model, columns)
        self.rules = rules_of(estimator, self.model.tree_, self.labels)

    def grow(self) -> TreeEstimator:
        """Grow, prune, and return the fitted copy."""
        model, labels = self.model, self.labels
        one, values = model.tree_.outputs[0], tuple(np.asarray(labels.column.values).tolist())
        like = replace(model.tree_, outputs=(replace(one, values=values, kind="nominal"),))
        source, like, rules = self.without_gaps(like)
        counter = Counter(source, like, rules, labels, self.rows_in_memory, self.bins)
        if isinstance(rules, RatioRules):
            growth: CountsByRatio | CountsByScore = CountsByRatio(counter, rules, self.in_parts, self.others)
        elif self.has_sums(source):
            growth = SumsByScore(counter, rules)
        else:
            growth = CountsByScore(counter, rules)
        data = replace(counter.data(labels.root()), features=model.tree_.features)
        job = FitContext(
            np.empty((0, 0)), data.targets, labels.each_row(), None, self.loss, None, model._code,
            model._grower,
        )  # fmt: skip
        tree = model._planted(growth.grow().tree(), self.rules, data, job)
        tested = {tree.features[f].name for f in tree.feature[tree.feature >= 0]}
        tree = replace(tree, training=None, saw_missing=bool(tested & self.has_missing))
        fitted = self.pruned(tree, counter)
        if self.bins is not None and isinstance(growth, CountsByScore):
            fitted.known["gain_lost_"] = growth.gain_lost()
        return model._learned(fitted)

    def has_sums(self, source: Source) -> bool:
        """Whether targets are so many that features are counted by their sums, not by labels."""
        many = not fits(len(self.labels.rows), len(self.model.tree_.features))
        is_told = self.labels.column.kind == "numeric" and isinstance(source, Stream) and self.bins is None
        return is_told and many and not self.has_missing

    def without_gaps(self, like: Tree) -> tuple[Source, Tree, Rules | RatioRules]:
        """Return the source, the leaf and the rules; of complete columns if sides are learned."""
        rules = self.rules
        if not isinstance(rules, Rules) or rules.missing != "learned":
            return self.source, like, rules
        if not self.has_missing:
            return self.source, like, replace(rules, missing="error")
        for name, given in (("rows_in_memory", self.rows_in_memory), ("bins", self.bins)):
            if given:
                raise ValueError(
                    f"{name} is {given}, missing is 'learned', and these columns have missing values: "
                    f"{', '.join(sorted(self.has_missing))}; wanted missing='majority', or no {name}"
                )
        found = columns_of(like.features, [feature.name in self.has_missing for feature in like.features])
        source = BothSides(self.source, like.features, found, like.single)
        return (
            source,
            replace(like, features=without_gaps(like.features, found)),
            rules_of_columns(rules, found),
        )

    def pruned(self, tree: Tree, counter: Counter) -> Fitted:
        """Prune the tree, by the held-out rows if there are any."""
        pruning = self.model._pruning_method()
        if isinstance(pruning, TreePruning):
            return pruning.of(tree)
        assert isinstance(pruning, HoldoutPruning)
        assert self.held_out is not None
        tree = pruning.judge(tree)
        features = tuple(map(with_categories, tree.features, self.known.values()))
        cells = count_ends(self.held_out, replace(tree, outputs=counter.like.outputs, features=features))
        held = held_of(self.labels, cells, self.loss)
        if not held.weight.any():
            raise ValueError("held_out has only rows that weigh nothing: hold out others")
        return pruning.of(tree, held, float(self.labels.rows.sum()))


def held_of(labels: Labels, cells: Cells, loss: np.ndarray | None) -> Held:
    """Return the held-out rows, given the counts of labels at each node: equal rows are one weighted row."""
    label, m = cells.label, len(cells.label)
    factor = np.ones(m) if labels.weight is None else labels.weight[label]
    if loss is not None:
        factor = factor / loss.sum(1)[label]
    truth = np.asarray(labels.column.values)[label] if labels.column.kind == "numeric" else label
    weight, X = cells.rows.astype(float), np.empty((m, 0))
    return Held(np.arange(m), X, truth[:, None], weight, factor, cells.node)


def look_at(source: Source) -> Columns:
    """Return what is known of the columns of a source; an error says that it came while reading them."""
    with while_doing(source, "looking at the columns"):
        columns = source.columns()
    if isinstance(source, Passes):
        source.known_rows = sum(columns.classes.values())
    return columns


def with_held_out(columns: Columns, held_out: Columns) -> Columns:
    """Return the columns of all rows, with class counts of the rows that are not held out."""
    both = join_columns([columns, held_out])
    return both._replace(classes={label: columns.classes.get(label, 0) for label in both.classes})


def with_types(own: dict[str, pd.Series], known: dict[str, pd.Series]) -> dict[str, pd.Series]:
    """Return the columns of some rows; where no value shows a type, the type that all rows show.

    Examples
    --------
    >>> unknown, numbers = pd.Series([None], dtype=object), pd.Series([], dtype=float)
    >>> with_types({"x": unknown}, {"x": numbers})["x"].dtype
    dtype('float64')
    """
    shown = {name for name in own if is_unknown(own[name]) and not is_unknown(known[name])}
    return {name: known[name].iloc[:0] if name in shown else column for name, column in own.items()}


def lists_held_out(estimator: TreeEstimator) -> bool:
    """Whether the features of the tree list categories that only held-out rows have, as `fit` does.

    Examples
    --------
    >>> [lists_held_out(CARTClassifier(prune=prune)) for prune in ("validation", "reduced_error")]
    [True, False]
    """
    pruning = estimator._pruning_method()
    return isinstance(pruning, HoldoutPruning) and pruning.lists_held_out


def with_categories(feature: Feature, column: pd.Series) -> Feature:
    """Return a feature that lists last the categories that it lacks: no node has a branch for these.

    Examples
    --------
    >>> with_categories(Feature("size", ("m", "s"), "nominal"), pd.Series(["l", "m"])).values
    ('m', 's', 'l')
    """
    if feature.kind != "nominal" or isinstance(column.dtype, pd.CategoricalDtype):
        return feature
    lacking = sorted(set(column.dropna().tolist()) - set(feature.values))
    return replace(feature, values=(*feature.values, *lacking))


def check_finishing(source: Source, estimator: TreeEstimator) -> None:
    """Raise an error if subtrees cannot grow in memory, for this source or with these parameters."""
    given = estimator.get_params(deep=False)
    if not isinstance(source, Stream):
        raise ValueError(
            f"rows_in_memory wants a source that streams its rows, and source is a {type(source).__name__}"
        )
    if not isinstance(estimator, CARTClassifier | CARTRegressor | ID3Classifier):
        raise ValueError(f"rows_in_memory is for ID3 and CART, and estimator is a {type(estimator).__name__}")
    for name in ("class_weight", "loss", "max_features", "min_impurity_decrease"):
        if given.get(name) not in (None, 0):
            raise ValueError(
                f"rows_in_memory wants nodes that grow alike in any tree, and {name} is {given[name]!r}"
            )


def check_binning(source: Source, estimator: TreeEstimator, bins: Any, rows_in_memory: int) -> None:
    """Raise an error if values cannot be counted in bins."""
    check_number("bins", bins, 2, whole=True)
    if not isinstance(source, Stream) or not isinstance(estimator, CARTClassifier | CARTRegressor):
        raise ValueError(
            f"bins is {bins}, which is for CART and sources that stream their rows, and these are a "
            f"{type(estimator).__name__} and a {type(source).__name__}"
        )
    if rows_in_memory:
        raise ValueError(f"bins is {bins} and rows_in_memory {rows_in_memory}: wanted one of them")


def read_labels(model: TreeEstimator, columns: Columns) -> tuple[Labels, np.ndarray | None]:
    """Return the distinct targets as `fit` reads them, with their numbers of rows; and the loss."""
    name, classes = model.tree_.outputs[0].name, columns.classes
    if isinstance(model, NumberTree):
        y = pd.Series(list(classes), name=name)
        (column,) = number_targets(y, len(y))
        rows = np.zeros(len(column.values), np.int64)
        np.add.at(rows, column.codes, list(classes.values()))
        return Labels(replace(column, codes=np.arange(len(rows))), rows), None
    values = model.tree_.classes
    unused = tuple(k for k, value in enumerate(values) if value not in classes)
    column = Column(
        name, np.asarray(values), np.arange(len(values)), declared=columns.declared, unused=unused
    )
    rows = np.array([classes.get(value, 0) for value in values])
    if not isinstance(model, CARTClassifier):
        return Labels(column, rows), None
    weight, loss = weights_of_classes(model.class_weight, model.loss, column, rows)
    return Labels(column, rows, weight), loss


def rules_of(estimator: TreeEstimator, like: Tree, labels: Labels) -> Rules | RatioRules:
    """Return the rules of growing for the rows that the labels count."""
    if not isinstance(estimator, CARTClassifier | CARTRegressor):
        return like.grown_by
    model = clone(estimator)  # draws the seed that a fit draws
    return model._rules(int(labels.rows.sum()), labels.total_weight, len(like.features))


def check_estimator(estimator: Any, held_out: Any = None) -> None:
    """Raise an error if an estimator, or one of its parameters, needs the rows themselves."""
    if not isinstance(estimator, ID3Classifier | C45Classifier | CARTClassifier | CARTRegressor):
        raise TypeError(
            f"estimator is a {type(estimator).__name__}; wanted an ID3Classifier, C45Classifier, "
            f"CARTClassifier or CARTRegressor, whose questions are about one feature"
        )
    pruning = estimator._pruning_method()
    if held_out is not None:
        check_source("held_out", held_out)
        if not isinstance(pruning, HoldoutPruning):
            raise ValueError(
                f"held_out is given, but prune is {estimator.prune!r}, which holds out nothing: wanted "
                f"HoldoutValidated(), ReducedError() or PrePruned()"
            )
    elif isinstance(pruning, HoldoutPruning):
        raise ValueError(
            f"prune is {estimator.prune!r}; wanted held_out=another source, with rows to prune by"
        )
    for name, value, wanted in needing_rows(estimator):
        raise ValueError(
            f"{name} is {value!r}, which needs the rows, but only counts are there: wanted {wanted}"
        )


def needing_rows(estimator: TreeEstimator) -> Iterator[tuple[str, Any, str]]:
    """Yield the parameters for which counts are not enough, their values, and the values that are allowed."""
    given = estimator.get_params(deep=False)
    criterion = CRITERIA.get(given.get("criterion", ""))  # C4.5's are gains of entropy
    if criterion is not None and criterion.needs_rows:
        declared = [CRITERIA[name] for name in estimator._declared["criterion"] if name in CRITERIA]
        wanted = " or ".join(repr(other.name) for other in declared if not other.needs_rows)
        yield "criterion", criterion.name, wanted
    if given.get("keep_data"):
        yield "keep_data", given["keep_data"], "None or False"
    missing, dialect, pruning = given.get("missing"), given.get("dialect"), estimator._pruning_method()
    if missing == "surrogate" or (isinstance(missing, BySurrogates) and missing.are_sought):
        yield "missing", missing, "'error', 'stay' or 'majority'"
    if dialect == "rpart" or getattr(dialect, "ties", "first") != "first":
        yield "dialect", dialect, "one with ties='first'"
    if not isinstance(pruning, TreePruning | HoldoutPruning):
        yield "prune", given["prune"], "None, or a pruning method that needs the tree only or rows held out"
    if given.get("splitter") == "random":
        yield "splitter", "random", "'best'"
    if given.get("monotonic_cst") is not None:
        yield "monotonic_cst", given["monotonic_cst"], "None"
    if isinstance(pruning, Pessimistic) and pruning.raising:
        yield "prune", given["prune"], "Pessimistic(raising=False)"


def check_missing(model: TreeEstimator, columns: Columns, source: Source, held_out: Source | None) -> None:
    """Raise an error if features have missing values for which a tree from counts has no rule."""
    policy = model.tree_.missing
    has_missing = [name for name in columns.features if name in columns.has_missing]
    if not has_missing or policy in ("stay", "majority", "learned"):
        return
    instead = "wanted missing='majority' (C4.5, CART), or data without those rows"
    if policy != "fractional" or not isinstance(model, C45Classifier):
        raise ValueError(
            f"missing is {policy!r}, and these columns have missing values: "
            f"{', '.join(has_missing)}; {instead}"
        )
    lacking = "rows are held out" if held_out is not None else ""
    if not isinstance(source, Stream):
        lacking = f"source is a {type(source).__name__}, which does not stream its rows"
    if model.tree_.grown_by.dialect.is_single:
        lacking = "dialect adds up fractional weights in float32, one after the other"
    if lacking:
        raise ValueError(
            "missing is 'fractional', these columns have missing values: "
            f"{', '.join(has_missing)}; and {lacking}: "
            f"{instead}"
        )


def read_sample(estimator: TreeEstimator, columns: Columns, target: str) -> TreeEstimator:
    """Return a copy fitted to a few rows with the types of the data, so that `fit` makes its usual checks.

    Its tree is a leaf that has the features and the classes.
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
    model, pruning = clone(estimator), estimator._pruning_method()
    if isinstance(pruning, HoldoutPruning):  # it does not matter which rows of the sample it would hold out
        model.set_params(prune=None)
    y = pd.Series(labels, name=target)
    if columns.declared is not None and not is_regressor(estimator):
        y = y.astype(pd.CategoricalDtype(columns.declared))
    model.fit(pd.DataFrame(sample), y)
    return model.set_params(prune=estimator.get_params(deep=False)["prune"])
