"""A database that counts its own rows, in SQL."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd

from dtlib.export.sql import node_sql, sql_name
from dtlib.numbers import EXACT, how_many
from dtlib.out_of_core.cells import Cells, Columns, add, labels_of
from dtlib.table.columns import Feature, encode, kind_of
from dtlib.table.parameters import check_text
from dtlib.tree.tree import Tree

FETCHED = 10_000  # lines fetched from a database at once
NODES = 200  # nodes in one query: its CASE has a line for each


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
        A query instead of a table. It is sent to the database as it is, so it must come from somebody you
        trust. The names of tables and columns, and values, are quoted. SQLite hands on columns named TRUE or
        FALSE as "column1": give them other names there (AS).
    features : sequence of str, optional
        The features, in this order; default: all columns but the target.
    dtypes : dict, optional
        The type of a column, where the database does not tell it: "category" for categories stored as
        numbers, "bool" for truth values stored as 0 and 1, a `pandas.CategoricalDtype` for declared or
        ordered categories; float for a numeric column that is NULL throughout.

    Raises
    ------
    ValueError
        If neither or both of `table` and `query` are given, there is no row, a class is missing, or a number
        is infinite or too large.
    KeyError
        If there is no such column.
    TypeError
        If a column is neither categorical nor numeric, or mixes both.

    Examples
    --------
    >>> import sqlite3
    >>> from dtlib.datasets import load_loan
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
        """Send a query; yield its columns, for a block of lines at a time. Numbers in decimals are floats."""
        cursor = self.connection.cursor()
        try:
            cursor.execute(query)
            while lines := cursor.fetchmany(FETCHED):
                columns = zip(*lines, strict=True)
                yield [[float(x) if isinstance(x, Decimal) else x for x in column] for column in columns]
        finally:
            cursor.close()

    def columns(self) -> Columns:
        """Describe the columns, with a query for each."""
        classes: dict[Any, int] = {}
        for values, counts in self.fetch(self.value_query(self.target)):
            classes |= dict(zip(values, map(int, counts), strict=True))
        if not classes:
            raise ValueError("the table has no rows; wanted at least one")
        if None in classes:
            rows = how_many(classes[None], "row")
            raise ValueError(f"target {self.target!r} is NULL in {rows}: leave such rows out")
        parts = {name: self._column(name) for name in self.features}
        has_missing = frozenset(name for name, (_, is_missing) in parts.items() if is_missing)
        return Columns({name: found for name, (found, _) in parts.items()}, has_missing, classes)

    def _column(self, name: str) -> tuple[pd.Series, bool]:
        """Return a Series of the type of a column, with its categories; and whether a value is NULL."""
        names: list[Any] = []
        kinds, is_missing = set(), False
        for values, _ in self.fetch(self.value_query(name)):
            known = [value for value in values if value is not None]
            is_missing |= len(known) < len(values)
            kinds |= {"text" if isinstance(value, str) else check_value(name, value) for value in known}
            if len(kinds) > 1:
                raise TypeError(
                    f"column {name!r} mixes {' and '.join(sorted(kinds))}: make it one or the other"
                )
            if name in self.dtypes or kinds != {"numbers"}:
                names += known
        if kinds == {"numbers"} and name not in self.dtypes:
            return pd.Series([], dtype=float, name=name), is_missing
        return self._typed(name, names), is_missing

    def _typed(self, name: str, values: list[Any]) -> pd.Series:
        """Return categories as a Series of their type."""
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
            raise TypeError(f"dtypes has {dtype} for {name!r}; wanted a categorical type, such as 'category'")
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
        >>> from dtlib import ID3Classifier
        >>> from dtlib.datasets import load_loan
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
        there = [sql_name(feature), sql_name(self.target)]
        x, y, node = map(sql_name, names_in_subquery(feature, self.target, "node"))
        columns = [old if old == new else f"{old} AS {new}" for old, new in zip(there, (x, y), strict=True)]
        inner = f"SELECT {node_sql(tree, nodes)} AS {node}, {', '.join(columns)} FROM {self.data}"
        by = f"{node}, {x}, {y}"
        where = f"WHERE {node} IS NOT NULL " if tree.max_depth else ""
        return f'SELECT {by}, COUNT(*) FROM (\n{inner}\n) "level" {where}GROUP BY {by}'

    def count(self, tree: Tree, nodes: Sequence[int], features: Sequence[int]) -> Iterator[tuple[int, Cells]]:
        """Count features at some leaves of a tree; yield each with its cells, by position of the leaf."""
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
        """Return values coded as in cells."""
        if feature.kind == "numeric":
            return np.array([np.nan if value is None else float(value) for value in values])
        known = np.array([value is not None for value in values])
        code = np.full(len(values), -1)
        names = pd.Series([value for value in values if value is not None], dtype=object)
        code[known] = encode(names, feature.values).codes
        if (code[known] < 0).any():
            raise ValueError(
                f"column {feature.name!r} has categories now that it had not in the first pass: "
                "the data changed, or the database takes different categories as equal"
            )
        return code


def names_in_subquery(*names: str) -> list[str]:
    """Return names for the columns of a subquery that every database keeps, and tells apart.

    Many databases ignore the case of names. SQLite renames a column called TRUE or FALSE.

    Examples
    --------
    >>> names_in_subquery("Node", "true", "node")
    ['Node', '_true', '_node']
    """
    kept = {"true": "", "false": ""}
    for name in names:
        new = name
        while new.lower() in kept:
            new = "_" + new
        kept[new.lower()] = new
    return list(kept.values())[2:]


def rows_sql(table: str | None, query: str | None) -> str:
    """Write the source of the rows, as it stands after FROM.

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
    """Raise an error if the features are not given as a list, or their types not as a dict."""
    if features is not None and (isinstance(features, str) or not isinstance(features, Iterable)):
        raise TypeError(f"features is {features!r}; wanted a list of columns, or None")
    if dtypes is not None and not isinstance(dtypes, Mapping):
        raise TypeError(f"dtypes is {dtypes!r}; wanted a dict from columns to types, or None")


def check_value(name: str, value: Any) -> str:
    """Return "numbers" or "truth values"; raise an error if a value is neither."""
    if isinstance(value, bool):
        return "truth values"
    try:
        number = float(value) if not isinstance(value, bytes) else None
    except (TypeError, ValueError, OverflowError):
        number = None
    if number is None:
        raise TypeError(
            f"column {name!r} holds {value!r} of type {type(value).__name__}, which is neither "
            "text nor a number: extract one of the two in a query"
        )
    if not np.isfinite(number) or (isinstance(value, int) and abs(value) > EXACT):
        raise ValueError(f"column {name!r} holds {value}; wanted finite numbers, whole ones up to 2**53")
    return "numbers"
