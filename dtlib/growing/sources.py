"""Where counts come from: a database, batches of rows, or several of these together (chapter 20).

A source answers two questions: what is in its columns; and, for the open nodes of a tree, how often each
value of a feature meets each class there. The answer to the second is a count table of a level, written as
*cells*: node, value, class, number of rows. Nothing else is taken from the data, so the rows may stay where
they are.

References
----------
J. Gehrke, R. Ramakrishnan, V. Ganti, "RainForest: a framework for fast decision tree construction of large
datasets", Data Mining and Knowledge Discovery 4 (2000) 127-162.
"""

from collections import Counter as Tally
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from typing import Any, NamedTuple, Protocol

import numpy as np
import pandas as pd

from dtlib.arrays import changes
from dtlib.export.sql import node_sql, sql_name
from dtlib.table.columns import EXACT, Feature, distinct, encode, index_of, kind_of, narrowed, numbers_of
from dtlib.table.parameters import check_number, check_text
from dtlib.tree.tree import Tree

FETCHED = 10_000  # lines fetched from a database at once
NODES = 200  # nodes in one query: its CASE has a line for each
PENDING = 1 << 16  # cells of batches that wait to be added up


class Cells(NamedTuple):
    """Cells of a count table: node, value (a number, or the place of a name), class, number of rows.

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
    """Add up count tables: cells of the same node, value and class become one.

    Parameters
    ----------
    *tables : Cells
        Of the same feature.

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
    """What is in the columns of a source.

    Parameters
    ----------
    features : dict
        By name, a Series of the type of the column; of names that are not declared, with each of them. If
        all its values are missing, with one of them.
    holes : frozenset
        The features with missing values.
    classes : dict
        How many rows each class has.
    """

    features: dict[str, pd.Series]
    holes: frozenset[str]
    classes: dict[Any, int]


class Source(Protocol):
    """What can be counted."""

    target: str

    def columns(self) -> Columns:
        """Tell what is in the columns: one pass over the data."""

    def count(self, tree: Tree, nodes: Sequence[int], features: Sequence[int]) -> Iterator[tuple[int, Cells]]:
        """Count features at some leaves of a tree; yield each with its cells, by place of the leaf."""


def check_source(source: Any) -> None:
    """Say that something is no source."""
    if not (callable(getattr(source, "columns", None)) and callable(getattr(source, "count", None))):
        raise TypeError(
            f"source is a {type(source).__name__}; wanted Database(connection, table, target), "
            f"Batches(frames, target), or several of them in Together(...)"
        )


def join_columns(parts: Sequence[Columns]) -> Columns:
    """Return the columns of several parts of the same data."""
    names = list(parts[0].features)
    for part in parts:
        if list(part.features) != names:
            raise ValueError(f"a part has the columns {list(part.features)}, another one {names}")
    features = {name: one_type(name, [part.features[name] for part in parts]) for name in names}
    classes = sum((Tally(part.classes) for part in parts), Tally())
    return Columns(features, frozenset().union(*(part.holes for part in parts)), dict(classes))


def one_type(name: str, parts: list[pd.Series]) -> pd.Series:
    """Return a column's type, and its names, given those of several parts of the data."""
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
        raise TypeError(f"column {name!r} has its names in several orders: declare the same one in all parts")
    found = [value for part in parts for value in distinct(part)]
    return pd.Series(list(dict.fromkeys(found)), dtype=object, name=name)


def is_unknown(part: pd.Series) -> bool:
    """Tell whether a column has no value from which its type could be known."""
    return bool(part.isna().all()) and (len(part) > 0 or part.dtype == object)


class Batches:
    """Rows that come in batches, one frame at a time, as often as they are asked for.

    Parameters
    ----------
    frames : callable or iterable
        A function that returns the frames from the beginning each time it is called; or a list of frames.
        All have the same columns of the same types.
    target : str
        The column with the classes.
    together : int, optional
        How many features are counted in one pass; default: all. Fewer keep smaller tables, in more passes.

    Attributes
    ----------
    passes : int
        How often the rows were read so far.

    Raises
    ------
    TypeError
        If `frames` is an iterator, which can be read only once, or yields something else than frames.
    ValueError
        If a class is missing or there is no row.
    KeyError
        If there is no such column.

    Examples
    --------
    >>> from dtlib import load_loan
    >>> loan = load_loan().frame
    >>> source = Batches(lambda: (loan.iloc[a : a + 4] for a in range(0, 15, 4)), "approved")
    >>> source.columns().classes, source.passes
    ({'no': 6, 'yes': 9}, 1)
    """

    def __init__(
        self,
        frames: Callable[[], Iterable[pd.DataFrame]] | Iterable[pd.DataFrame],
        target: str,
        *,
        together: int | None = None,
    ):
        again = isinstance(frames, Iterable) and not isinstance(frames, Iterator | pd.DataFrame | str)
        if not (callable(frames) or again):
            raise TypeError(
                f"frames is a {type(frames).__name__}; wanted a function that starts from the beginning each "
                f"time it is called, such as lambda: pandas.read_csv(path, chunksize=10_000), or a list"
            )
        check_text(target=target)
        if together is not None:
            check_number("together", together, 1, whole=True)
        self.frames, self.target, self.together, self.passes = frames, target, together, 0

    def read(self) -> Iterator[pd.DataFrame]:
        """Yield the frames that have rows; require that there is one."""
        self.passes += 1
        frames, rows = self.frames() if callable(self.frames) else self.frames, 0
        if isinstance(frames, pd.DataFrame) or not isinstance(frames, Iterable):
            raise TypeError(f"frames() is a {type(frames).__name__}; wanted DataFrames, one after the other")
        for frame in frames:
            check_frame(frame, self.target)
            rows += len(frame)
            if len(frame):
                yield frame
        if not rows:
            again = f" in pass {self.passes}, too: each call of it must start from the beginning"
            raise ValueError(f"frames has no rows; wanted at least one{again * (self.passes > 1)}")

    def columns(self) -> Columns:
        """Tell what is in the columns: one pass over the data."""
        return reduce(lambda *two: join_columns(two), (columns_of(f, self.target) for f in self.read()))

    def count(self, tree: Tree, nodes: Sequence[int], features: Sequence[int]) -> Iterator[tuple[int, Cells]]:
        """Count features at some leaves of a tree; yield each with its cells, by place of the leaf."""
        place = np.full(tree.node_count, -1)
        place[list(nodes)] = np.arange(len(nodes))
        step = self.together or max(1, len(features))
        for some in (features[a : a + step] for a in range(0, len(features), step)):
            tables: dict[int, list[Cells]] = {f: [] for f in some}
            for frame in self.read():
                X = tree.matrix(frame)
                node = place[tree.apply(narrowed(X) if tree.single else X)]
                label = labels_of(frame[self.target].tolist(), tree, self.target)
                here = np.flatnonzero(node >= 0)
                for f, tables_of in tables.items():
                    value = X[here, f]
                    if tree.features[f].kind != "numeric":
                        value = np.where(np.isnan(value), -1, value).astype(np.int64)
                    tables_of.append(add(Cells(node[here], value, label[here], np.ones(len(here), np.int64))))
                    if sum(len(part.node) for part in tables_of[1:]) > max(PENDING, len(tables_of[0].node)):
                        tables_of[:] = [add(*tables_of)]
            for f in some:
                yield f, add(*tables.pop(f))


def check_frame(frame: Any, target: str) -> None:
    """Say that a batch is no frame, or lacks columns, or has one twice."""
    if not isinstance(frame, pd.DataFrame):
        raise TypeError(f"frames yields a {type(frame).__name__}; wanted DataFrames")
    names = list(frame.columns)
    if target not in names:
        raise KeyError(f"no column {target!r}; the columns are {names}")
    if not frame.columns.is_unique or len(names) == 1:
        raise ValueError(f"a frame has the columns {names}; wanted the target and features, each once")


def columns_of(frame: pd.DataFrame, target: str) -> Columns:
    """Tell what is in the columns of a frame."""
    features, holes = {}, set()
    for name in frame.columns.drop(target):
        column = frame[name]
        if column.isna().any():
            holes.add(name)
        if isinstance(column.dtype, pd.CategoricalDtype):
            features[name] = column.iloc[:0]
        elif column.isna().all():
            features[name] = column.iloc[:1]
        elif kind_of(column) == "numeric":
            numbers_of(column, missing=True)  # says what cannot be used
            features[name] = pd.Series([], dtype=float, name=name)
        else:
            features[name] = pd.Series(list(distinct(column)), dtype=object, name=name)
    y = frame[target]
    if y.isna().any():
        raise ValueError(f"target {target!r} is missing in {y.isna().sum()} rows: leave those rows out")
    return Columns(features, frozenset(holes), y.astype(object).value_counts(sort=False).to_dict())


def labels_of(values: list[Any], tree: Tree, target: str) -> np.ndarray:
    """Return the places of classes among those of a tree."""
    label = index_of(tree.classes).get_indexer(index_of(values))
    if (label < 0).any():
        unknown = values[int(np.flatnonzero(label < 0)[0])]
        raise ValueError(f"target {target!r} holds {unknown!r}, which it did not in the first pass")
    return label


class Database:
    """A table, or a query, of any database with Python's DB-API (PEP 249), such as `sqlite3`.

    Each feature of a level is one ``SELECT ... GROUP BY node, feature, class``; no row leaves the database.

    Parameters
    ----------
    connection : DB-API connection
    table : str, optional
        The name of a table.
    target : str
        The column with the classes.
    query : str, optional
        A query instead of a table: whatever it says is sent to the database as it is, so it must not come
        from somebody you do not trust. All names (of tables and columns) and values are quoted.
    features : sequence of str, optional
        The columns to ask, in this order; default: all but the target.
    dtypes : dict, optional
        The type of a column that holds names, where the database does not tell it: "category" for numbers
        that are names, "bool" for truth values stored as 0 and 1, a `pandas.CategoricalDtype` for names
        declared, or in an order. And float for a column of numbers that is NULL throughout.

    Raises
    ------
    ValueError
        If neither or both of `table` and `query` are given, there is no row, a class is missing, or a number
        is infinite or too large.
    KeyError
        If there is no such column.
    TypeError
        If a column holds neither names nor numbers, or mixes them.

    Examples
    --------
    >>> import sqlite3
    >>> from dtlib import load_loan
    >>> connection = sqlite3.connect(":memory:")
    >>> load_loan().frame.to_sql("loan", connection, index=False)
    15
    >>> source = Database(connection, "loan", "approved")
    >>> source.columns().features["credit"].tolist()
    ['excellent', 'fair', 'good']
    >>> connection.close()
    """

    def __init__(
        self,
        connection: Any,
        table: str | None = None,
        target: str = "",
        *,
        query: str | None = None,
        features: Sequence[str] | None = None,
        dtypes: Mapping[str, Any] | None = None,
    ):
        check_text(target=target)
        check_columns(features, dtypes)
        if not hasattr(connection, "cursor"):
            what = type(connection).__name__
            raise TypeError(f"connection is a {what}; wanted one of DB-API, such as sqlite3.connect(path)")
        self.connection, self.target, self.dtypes = connection, target, dict(dtypes or {})
        self.data = rows_sql(table, query)
        names = self._names()
        self.features = [name for name in names if name != target] if features is None else list(features)
        for name in [target, *self.features, *self.dtypes]:
            if name not in names:  # SQLite would take it for text
                raise KeyError(f"no column {name!r}; the columns are {names}")
        if target in self.features or len(set(self.features)) < len(self.features) or not self.features:
            raise ValueError(f"features is {self.features}; wanted columns, each once, without the target")

    def _names(self) -> list[str]:
        """Return the names of the columns."""
        cursor = self.connection.cursor()
        cursor.execute(f"SELECT * FROM {self.data} WHERE 1 = 0")
        names = [column[0] for column in cursor.description]
        cursor.close()
        return names

    def fetch(self, query: str) -> Iterator[list[list[Any]]]:
        """Send a query; yield its columns, for a block of lines at a time."""
        cursor = self.connection.cursor()
        try:
            cursor.execute(query)
            while lines := cursor.fetchmany(FETCHED):
                yield [list(column) for column in zip(*lines, strict=True)]
        finally:
            cursor.close()

    def columns(self) -> Columns:
        """Tell what is in the columns: a query for each."""
        classes: dict[Any, int] = {}
        for values, counts in self.fetch(self.value_query(self.target)):
            classes |= dict(zip(values, map(int, counts), strict=True))
        if not classes:
            raise ValueError("the table has no rows; wanted at least one")
        if None in classes:
            raise ValueError(f"target {self.target!r} is NULL in {classes[None]} rows: leave those rows out")
        parts = {name: self._column(name) for name in self.features}
        holes = frozenset(name for name, (_, hole) in parts.items() if hole)
        return Columns({name: found for name, (found, _) in parts.items()}, holes, classes)

    def _column(self, name: str) -> tuple[pd.Series, bool]:
        """Return a Series of the type of a column, with the names in it; and whether NULL is among them."""
        names: list[Any] = []
        kinds, hole = set(), False
        for values, _ in self.fetch(self.value_query(name)):
            known = [value for value in values if value is not None]
            hole |= len(known) < len(values)
            kinds |= {"text" if isinstance(value, str) else check_value(name, value) for value in known}
            if len(kinds) > 1:
                raise TypeError(
                    f"column {name!r} mixes {' and '.join(sorted(kinds))}: make it one or the other"
                )
            if name in self.dtypes or kinds != {"numbers"}:
                names += known
        if kinds == {"numbers"} and name not in self.dtypes:
            return pd.Series([], dtype=float, name=name), hole
        return self._typed(name, names), hole

    def _typed(self, name: str, values: list[Any]) -> pd.Series:
        """Return names as a Series of their type."""
        column = pd.Series(values, dtype=object, name=name)
        if name not in self.dtypes:
            return column
        try:
            dtype = pd.api.types.pandas_dtype(self.dtypes[name])
        except TypeError:
            raise TypeError(
                f"dtypes has {self.dtypes[name]!r} for {name!r}; wanted a type of pandas, such as 'category'"
            ) from None
        if values and kind_of(pd.Series([], dtype=dtype, name=name)) == "numeric":
            raise TypeError(f"dtypes has {dtype} for {name!r}; wanted a type of names, such as 'category'")
        found = getattr(dtype, "categories", None)
        declared = [False, True] if dtype.kind == "b" else list(values if found is None else found)
        if odd := [value for value in values if value not in set(declared)]:
            raise ValueError(f"column {name!r} holds {odd[0]!r}, none of {declared}: declare it in dtypes")
        typed = column.infer_objects().astype(dtype)
        if typed.tolist() != values:
            raise TypeError(f"dtypes has {dtype} for {name!r}, which holds {values[0]!r}; wanted 'category'")
        return typed

    def value_query(self, name: str) -> str:
        """Return the query for the values of a column."""
        return f"SELECT {sql_name(name)}, COUNT(*) FROM {self.data} GROUP BY {sql_name(name)}"

    def level_query(self, tree: Tree, nodes: Sequence[int], feature: str) -> str:
        """Return the query for the count table of a feature at some leaves of a tree.

        Examples
        --------
        >>> import sqlite3
        >>> from dtlib import ID3Classifier, load_loan
        >>> loan, connection = load_loan(), sqlite3.connect(":memory:")
        >>> rows = loan.frame.to_sql("loan", connection, index=False)
        >>> tree = ID3Classifier().fit(loan.X[["owns_house"]], loan.y).tree_
        >>> print(Database(connection, "loan", "approved").level_query(tree, [1], "has_job"))
        SELECT "node", "has_job", "approved", COUNT(*) FROM (
        SELECT CASE
          WHEN "owns_house" = 'no' THEN 1
        END AS "node", "has_job", "approved" FROM "loan"
        ) "level" WHERE "node" IS NOT NULL GROUP BY "node", "has_job", "approved"
        >>> connection.close()
        """
        alias = "node"
        while alias in (feature.lower(), self.target.lower()):  # a database may read names without case
            alias = "_" + alias
        node, x, y = sql_name(alias), sql_name(feature), sql_name(self.target)
        inner = f"SELECT {node_sql(tree, nodes)} AS {node}, {x}, {y} FROM {self.data}"
        by = f"{node}, {x}, {y}"
        where = f"WHERE {node} IS NOT NULL " if tree.max_depth else ""
        return f'SELECT {by}, COUNT(*) FROM (\n{inner}\n) "level" {where}GROUP BY {by}'

    def count(self, tree: Tree, nodes: Sequence[int], features: Sequence[int]) -> Iterator[tuple[int, Cells]]:
        """Count features at some leaves of a tree; yield each with its cells, by place of the leaf."""
        place = np.full(tree.node_count, -1)
        place[list(nodes)] = np.arange(len(nodes))
        for f in features:
            feature, parts = tree.features[f], []
            for some in (nodes[a : a + NODES] for a in range(0, len(nodes), NODES)):
                for block in self.fetch(self.level_query(tree, some, feature.name)):
                    node, values, labels, counts = block
                    value = self._coded(feature, values)
                    label = labels_of(labels, tree, self.target)
                    parts.append(
                        Cells(place[np.array(node, np.int64)], value, label, np.array(counts, np.int64))
                    )
            yield f, add(*parts)

    def _coded(self, feature: Feature, values: list[Any]) -> np.ndarray:
        """Return values as cells have them."""
        if feature.kind == "numeric":
            return np.array([np.nan if value is None else float(value) for value in values])
        known = np.array([value is not None for value in values])
        code = np.full(len(values), -1)
        names = pd.Series([value for value in values if value is not None], dtype=object)
        code[known] = encode(names, feature.values).codes
        if (code[known] < 0).any():
            raise ValueError(
                f"column {feature.name!r} has names now that it had not in the first pass: the data changed, "
                "or the database takes different names as equal"
            )
        return code


def rows_sql(table: str | None, query: str | None) -> str:
    """Write where the rows come from: what stands behind FROM.

    Examples
    --------
    >>> print(rows_sql(None, "SELECT * FROM loan -- all;"))
    (SELECT * FROM loan -- all
    ) "data"
    """
    if (table is None) == (query is None):
        raise ValueError(f"table is {table!r} and query {query!r}; wanted one of them, None for the other")
    if table is not None:
        check_text(table=table)
        return sql_name(table)
    check_text(query=query)
    return (
        f'({str(query).strip().rstrip(";")}\n) "data"'  # a new line, as a comment would take the parenthesis
    )


def check_columns(features: Any, dtypes: Any) -> None:
    """Say that the columns of a database are not chosen by a list, or their types not by a dict."""
    if features is not None and (isinstance(features, str) or not isinstance(features, Iterable)):
        raise TypeError(f"features is {features!r}; wanted a list of columns, or None")
    if dtypes is not None and not isinstance(dtypes, Mapping):
        raise TypeError(f"dtypes is {dtypes!r}; wanted a dict from columns to types, or None")


def check_value(name: str, value: Any) -> str:
    """Return "numbers" or "truth values", or say that a value is neither."""
    if isinstance(value, bool):
        return "truth values"
    try:
        number = float(value) if not isinstance(value, bytes) else None
    except (TypeError, ValueError, OverflowError):
        number = None
    if number is None:
        raise TypeError(
            f"column {name!r} holds {value!r} of type {type(value).__name__}, neither a name nor a number: "
            f"take what matters out of it in a query"
        )
    if not np.isfinite(number) or (isinstance(value, int) and abs(value) > EXACT):
        raise ValueError(f"column {name!r} holds {value}; wanted finite numbers, whole ones up to 2**53")
    return "numbers"


class Together:
    """Several sources with parts of the same data: their counts are added up, as those of a cluster are.

    Parameters
    ----------
    *sources : Source
        With the same columns in the same order.

    Examples
    --------
    >>> from dtlib import load_loan
    >>> loan = load_loan().frame
    >>> halves = Batches([loan.iloc[:7]], "approved"), Batches([loan.iloc[7:]], "approved")
    >>> Together(*halves).columns().classes
    {'no': 6, 'yes': 9}
    """

    def __init__(self, *sources: Source):
        for source in sources:
            check_source(source)
        if not sources or len({source.target for source in sources}) > 1:
            targets = [source.target for source in sources]
            raise ValueError(f"sources have the targets {targets}; wanted at least one source, all alike")
        self.sources, self.target = sources, sources[0].target

    def columns(self) -> Columns:
        """Tell what is in the columns: one pass over each part."""
        return join_columns([source.columns() for source in self.sources])

    def count(self, tree: Tree, nodes: Sequence[int], features: Sequence[int]) -> Iterator[tuple[int, Cells]]:
        """Count features at some leaves of a tree, and add up what each source has."""
        counted = (source.count(tree, nodes, features) for source in self.sources)
        for parts in zip(*counted, strict=True):
            yield parts[0][0], add(*(cells for _, cells in parts))
