"""DuckDB, the database that runs inside this process: its rows are streamed as Arrow, and counted here.

Counting them by SQL, one query with a grouping set for each column, takes three times as long, and each
distinct value of a numeric column would become a row of its result.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from dtlib.export.sql import sql_name
from dtlib.out_of_core.arrow import BATCH_ROWS, RecordBatches, pyarrow, require_columns
from dtlib.out_of_core.database import rows_sql


class DuckDB(RecordBatches):
    """A table, or a query, of a DuckDB connection, and so any file that DuckDB reads.

    An ENUM has ordered categories: DuckDB compares them in the order of the type, and hands it on to pandas.
    Where the order means nothing, ``CAST(size AS VARCHAR)`` in a query leaves it out.

    Parameters
    ----------
    connection : duckdb.DuckDBPyConnection
        It must not be used for something else while a tree grows.
    table, target, query
        As for `Database`.
    features, rows, together
        As for `Arrow`.

    Raises
    ------
    TypeError
        If `connection` is no connection of DuckDB.
    ImportError, ValueError, KeyError
        As for `Arrow`; and a ValueError if neither or both of `table` and `query` are given.

    Examples
    --------
    >>> import duckdb
    >>> from dtlib import ID3Classifier
    >>> from dtlib.datasets import load_loan
    >>> from dtlib.out_of_core import grow_from
    >>> loan, connection = load_loan().frame, duckdb.connect()
    >>> _ = connection.register("loan", loan)
    >>> grow_from(DuckDB(connection, "loan", "approved"), ID3Classifier()).tree_
    <Tree: 5 nodes, 3 leaves, depth 2>
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
        rows: int = BATCH_ROWS,
        together: int | None = None,
    ):
        if not hasattr(connection, "sql"):
            raise TypeError(f"connection is a {type(connection).__name__}; wanted one of duckdb.connect(...)")
        super().__init__(target, features, rows, together)
        self.connection, self.rows_of = connection, rows_sql(table, query)

    def batches(self, names: Sequence[str] | None) -> Iterator[Any]:
        """Yield record batches with some columns; None: with all of them."""
        self.passes += 1
        there = self.connection.sql(f"SELECT * FROM {self.rows_of}").columns
        require_columns(there, self.target, names or ())
        columns = ", ".join(map(sql_name, there if names is None else names))
        read = self.connection.sql(f"SELECT {columns} FROM {self.rows_of}")
        ordered = [k for k, kind in enumerate(read.types) if kind.id == "enum"]
        for batch in read.to_arrow_reader(self.rows):
            yield with_orders(batch, ordered)


def with_orders(batch: Any, ordered: Sequence[int]) -> Any:
    """Return a record batch in which the dictionaries of some columns are ordered.

    Examples
    --------
    >>> import pyarrow
    >>> batch = pyarrow.record_batch({"size": pyarrow.array(["S", "L"]).dictionary_encode()})
    >>> batch.column(0).type.ordered, with_orders(batch, [0]).column(0).type.ordered
    (False, True)
    """
    arrow = pyarrow()
    for k in ordered:
        names = batch.column(k)
        in_order = arrow.DictionaryArray.from_arrays(names.indices, names.dictionary, ordered=True)
        batch = batch.set_column(k, batch.schema.names[k], in_order)
    return batch
