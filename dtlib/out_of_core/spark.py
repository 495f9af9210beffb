"""Spark: each partition counts its rows where they are, and Spark adds the counts up (chapter 25).

A partition counts with the code that counts streams, and passes its cells on; the driver gets only the sums.
"""

import pickle
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from dtlib.out_of_core.arrow import BATCH_ROWS, RecordBatches, pyarrow, require_columns, row_blocks, summaries
from dtlib.out_of_core.cells import Cells, Columns
from dtlib.out_of_core.part_weights import PartWeights
from dtlib.out_of_core.streams import FetchedRows, at_leaves, tally_blocks, wanted_of
from dtlib.out_of_core.tallies import Tally
from dtlib.tree.tree import Tree

READ = {
    "string", "char", "varchar", "boolean",
    "byte", "short", "integer", "long", "float", "double", "decimal", "void",
}  # fmt: skip
SENT = 1 << 14  # values of a column that a partition sends at most, for the sketch of its quantiles
SUMMARY_TYPES = "place long, summary binary"
OTHER_PYTHON = "ModuleNotFoundError|ImportError|PYTHON_VERSION_MISMATCH"
COUNTS_SENT = 1 << 18  # of intervals, by each partition in a pass: to send more takes longer than to read
CELL_TYPES = "feature long, node long, value double, label long, rows long"


class Spark(RecordBatches):
    """Rows of a DataFrame of Spark, on one machine or a cluster.

    Parameters
    ----------
    frame : pyspark.sql.DataFrame
        Each pass computes it anew, so it must give the same rows each time; write a costly one to files
        first, or cache it.
    target : str
        The column with the classes.
    features : sequence of str, optional
        The features, in this order; default: all columns but the target.
    together : int, optional
        How many features are counted in one pass where every value must be counted; default: all. What one
        pass has counted must fit into the memory of the driver, and below its ``spark.driver.maxResultSize``.

    Attributes
    ----------
    passes : int
        How often the rows were read so far.

    Raises
    ------
    TypeError
        If `frame` is something else, or a column is neither categorical nor numeric.
    ValueError
        If a class is missing, a number is infinite or too large, or there is no row.
    KeyError
        If there is no such column.
    RuntimeError
        If a job of Spark fails.

    Notes
    -----
    Text and truth values are categorical; null and NaN are missing values. Spark has no ordered
    categories; they are listed alphabetically. PySpark 4 and its Java are needed; the extra `spark` installs
    PySpark.

    The workers import dtlib, so each machine needs an environment with it, and with the Python of the driver:
    the environment variable ``PYSPARK_PYTHON`` says which one, before the session begins. Without it, Spark
    runs whatever ``python3`` is.

    Examples
    --------
    >>> import os, sys
    >>> from pyspark.sql import SparkSession
    >>> from dtlib import ID3Classifier
    >>> from dtlib.datasets import load_loan
    >>> from dtlib.out_of_core import grow_from
    >>> os.environ["PYSPARK_PYTHON"] = sys.executable
    >>> session = SparkSession.builder.master("local[1]").config("spark.ui.enabled", False).getOrCreate()
    >>> frame = session.createDataFrame(load_loan().frame.astype(object).to_dict("records"))
    >>> grow_from(Spark(frame, "approved"), ID3Classifier()).tree_
    <Tree: 5 nodes, 3 leaves, depth 2>
    >>> session.stop()
    """

    most_counts = COUNTS_SENT

    def __init__(
        self, frame: Any, target: str, *, features: Sequence[str] | None = None, together: int | None = None
    ):
        super().__init__(target, features, BATCH_ROWS, together)
        if not hasattr(frame, "mapInArrow"):
            raise TypeError(f"frame is a {type(frame).__name__}; wanted a DataFrame of Spark")
        there = list(frame.columns)
        require_columns(there, target, self.given or ())
        self.place = {name: f"c{k}" for k, name in enumerate(there)}  # column names that need no quotes
        tested = there if self.given is None else self.given
        self.names = [*(name for name in tested if name != target), target]
        for field in frame.schema.fields:
            if field.name in self.names and field.dataType.typeName() not in READ:
                kind = field.dataType.simpleString()
                raise TypeError(
                    f"column {field.name!r} is of Spark's type {kind}, which is neither categorical "
                    f"nor numeric; extract a number or text from it (of a date, its year)"
                )
        self.frame = frame.toDF(*self.place.values())

    def columns(self) -> Columns:
        """Describe the columns, in one pass over the data."""
        look = partial(summaries_of, names=self.names, target=self.target)
        parts = self.partitions(self.names, look, SUMMARY_TYPES)
        whole = parts.groupBy("place").applyInArrow(merged_summaries, SUMMARY_TYPES)
        lines = self.collected(whole, "looking at the columns").to_pylist()
        found = {line["place"]: pickle.loads(line["summary"]) for line in lines}
        return self.learned({self.names[k]: found[k] for k in sorted(found)})

    def tally(
        self, tree: Tree, nodes: Sequence[int], tallies: Mapping[int, Tally], parts: PartWeights | None = None
    ) -> None:
        """Count features at some leaves of a tree, in one pass over the data."""
        names = [tree.features[f].name for f in wanted_of(tree, tallies)]
        count = partial(
            counted_cells, tree=tree, nodes=nodes, tallies=tallies, target=self.target, weights=parts
        )
        each = self.partitions([*names, self.target], count, CELL_TYPES)
        whole = each.groupBy("feature", "node", "value", "label").sum("rows")
        table = self.collected(whole, f"counting at {len(nodes)} nodes")
        feature, *counted = (column.to_numpy() for column in table.columns)
        order = np.argsort(feature, kind="stable")
        for f, tally in tallies.items():
            first, last = np.searchsorted(feature, [f, f + 1], sorter=order)
            cells = Cells(*counted).take(order[first:last])
            if tree.features[f].kind != "numeric":
                cells = cells._replace(value=cells.value.astype(np.intp))
            tally.put(cells)

    def rows_at(self, tree: Tree, nodes: Sequence[int]) -> FetchedRows:
        """Return the rows that end at some leaves of a tree, in one pass over the data."""
        every = range(len(tree.features))
        names = [feature.name for feature in tree.features]
        fetch = partial(fetched_rows, tree=tree, nodes=nodes, target=self.target)
        types = ", ".join([*(f"v{f} double" for f in every), "label long, node long"])
        table = self.collected(self.partitions([*names, self.target], fetch, types), "fetching small nodes")
        *columns, label, node = (column.to_numpy() for column in table.columns)
        values = {
            f: x if tree.features[f].kind == "numeric" else x.astype(np.intp)
            for f, x in zip(every, columns, strict=True)
        }
        return FetchedRows(values, label, node)

    def partitions(self, names: Sequence[str], function: Any, schema: str) -> Any:
        """Return the frame that a function makes of some columns of each partition."""
        return self.frame.select(*(self.place[name] for name in names)).mapInArrow(function, schema)

    def collected(self, frame: Any, doing: str) -> Any:
        """Return the rows of a frame as a table of Arrow."""
        self.passes += 1
        try:
            return frame.toArrow()
        except Exception as error:
            raise what_failed(str(error), doing) from error


def summaries_of(batches: Iterable[Any], names: Sequence[str], target: str) -> Iterator[Any]:
    """Yield the summary of each column of a partition."""
    arrow = pyarrow()
    named = (arrow.RecordBatch.from_arrays(batch.columns, names=names) for batch in batches)
    for place, summary in enumerate(summaries(named, target).values()):
        summary.spread.thin_to(SENT)
        yield arrow.record_batch({"place": [place], "summary": [pickle.dumps(summary)]})


def merged_summaries(table: Any) -> Any:
    """Return the summary of a column, given those of its partitions."""
    whole, *parts = map(pickle.loads, table.column("summary").to_pylist())
    for part in parts:
        whole.merge(part)
    return pyarrow().table({"place": table.column("place")[:1], "summary": [pickle.dumps(whole)]})


def counted_cells(
    batches: Iterable[Any],
    tree: Tree,
    nodes: Sequence[int],
    tallies: Mapping[int, Tally],
    target: str,
    weights: PartWeights | None = None,
) -> Iterator[Any]:
    """Yield the cells of each feature that a partition counts."""
    tally_blocks(row_blocks(batches, tree, wanted_of(tree, tallies), target), tree, nodes, tallies, weights)
    for f, tally in tallies.items():
        cells = tally.cells()
        cells = cells._replace(value=cells.value.astype(float))
        yield pyarrow().record_batch({"feature": np.full(len(cells.node), f), **cells._asdict()})


def fetched_rows(batches: Iterable[Any], tree: Tree, nodes: Sequence[int], target: str) -> Iterator[Any]:
    """Yield the rows of a partition that end at some leaves."""
    every = range(len(tree.features))
    for rows in at_leaves(row_blocks(batches, tree, every, target), tree, nodes, every):
        values = {f"v{f}": rows.values[f].astype(float) for f in every}
        yield pyarrow().record_batch({**values, "label": rows.label, "node": rows.node})


def what_failed(text: str, doing: str) -> Exception:
    """Return the error of a job, given the message of Spark.

    Examples
    --------
    >>> what_failed("Traceback:\\n  File\\nValueError: the data changed", "counting")
    ValueError('the data changed')
    """
    data = re.findall(r"^(ValueError|TypeError): (.*)$", text, re.MULTILINE)
    if data:
        kind, said = data[-1]
        return {"ValueError": ValueError, "TypeError": TypeError}[kind](said)
    lacking = re.search(f"^.*({OTHER_PYTHON}).*$", text, re.MULTILINE)
    if lacking:
        return RuntimeError(
            f"Spark failed while {doing}, as its workers run another Python, or one without dtlib "
            f"({lacking[0]}): set the environment variable PYSPARK_PYTHON before the session begins; where "
            f"the workers are on this machine, to {sys.executable}"
        )
    cause = re.search(r"^Caused by: (.*)$", text, re.MULTILINE)
    return RuntimeError(f"Spark failed while {doing}: {cause[1] if cause else text}")
