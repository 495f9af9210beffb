"""Parquet files and Arrow record batches, streamed (chapter 25).

Only the columns that a pass needs are read, a batch of rows at a time, and no value becomes an object of
Python. pyarrow is needed, which the extra `large` installs.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from dtlib.out_of_core.cells import Columns, labels_of
from dtlib.out_of_core.spread import QuantileSketch
from dtlib.out_of_core.streams import RowBlock, Stream
from dtlib.table.columns import Feature, encode, no_feature, numbers_of, python_values, several_orders
from dtlib.table.parameters import check_number
from dtlib.tree.tree import Tree

BATCH_ROWS = 1 << 17  # of a batch


def pyarrow() -> Any:
    """Return pyarrow, or say how to install it."""
    try:
        import pyarrow
        import pyarrow.dataset
        import pyarrow.parquet
    except ImportError:
        raise ImportError(
            "pyarrow is not installed, which reads Parquet and Arrow: pip install 'trees-by-counting[large]'"
        ) from None
    return pyarrow


class RecordBatches(Stream):
    """Rows that come as record batches of Arrow.

    Parameters
    ----------
    target, features, rows, together
        As for `Arrow`.
    """

    def __init__(self, target: str, features: Sequence[str] | None, rows: int, together: int | None):
        super().__init__(target, together)
        check_number("rows", rows, 1, whole=True)
        if features is not None and (isinstance(features, str) or not isinstance(features, Iterable)):
            raise TypeError(f"features is {features!r}; wanted a list of columns, or None")
        self.given = None if features is None else list(features)
        if self.given is not None and not 0 < len(self.given) == len({*self.given} - {target}):
            raise ValueError(f"features is {self.given}; wanted columns, each once, without the target")
        self.rows = int(rows)

    def batches(self, names: Sequence[str] | None) -> Iterator[Any]:
        """Yield record batches with some columns; None: with all of them."""
        raise NotImplementedError

    def columns(self) -> Columns:
        """Describe the columns, in one pass over the data."""
        names = None if self.given is None else [*self.given, self.target]
        watched = self.watched((batch, len(batch)) for batch in self.batches(names))
        return self.learned(summaries(watched, self.target))

    def learned(self, found: dict[str, "Summary"]) -> Columns:
        """Describe the columns, given the summary of each, and keep the sketches of the numeric ones."""
        if not found:
            raise ValueError("data has no rows; wanted at least one")
        if found[self.target].is_missing:
            raise ValueError(f"target {self.target!r} is missing in some rows: leave those rows out")
        tested = {name: summary for name, summary in found.items() if name != self.target}
        self.spread = {name: summary.spread for name, summary in tested.items()}
        features = {name: summary.series() for name, summary in tested.items()}
        has_missing = frozenset(name for name, summary in tested.items() if summary.is_missing)
        target = found[self.target]
        return Columns(
            features, has_missing, target.rows, tuple(target.order()) if target.is_ordered else None
        )

    def blocks(self, tree: Tree, features: Sequence[int]) -> Iterator[RowBlock]:
        """Yield blocks of rows with some features, in one pass over the data."""
        names = [tree.features[f].name for f in features]
        return row_blocks(self.batches([*names, self.target]), tree, features, self.target)


class Arrow(RecordBatches):
    """Rows in Parquet files, in a table of Arrow, or in its record batches.

    Parameters
    ----------
    data : path, list of paths, pyarrow.Table, pyarrow.dataset.Dataset, or callable
        A Parquet file, a folder of them, or a list of files; folders such as ``year=2026`` are a column. A
        function returns the record batches (or a `pyarrow.RecordBatchReader`) from the beginning each time it
        is called. An entry of a dictionary that no row has is not a category of the feature.
    target : str
        The column with the classes.
    features : sequence of str, optional
        The features, in this order; default: all columns but the target.
    rows : int, default 131072
        How many rows are in memory at once, of the columns that are read; a file is read by its row groups,
        so large ones take more.
    together : int, optional
        How many features are counted in one pass where every value must be counted; default: all.

    Attributes
    ----------
    passes : int
        How often the rows were read so far.

    Raises
    ------
    ImportError
        If pyarrow is not installed.
    TypeError
        If `data` is something else, or a column is neither categorical nor numeric.
    ValueError
        If a class is missing, a number is infinite or too large, or there is no row.
    KeyError
        If there is no such column.

    Notes
    -----
    Text, truth values and dictionaries are categorical; an ordered dictionary has ordered
    categories. Null and NaN are missing values.

    Examples
    --------
    >>> import pyarrow
    >>> from dtlib import ID3Classifier
    >>> from dtlib.datasets import load_loan
    >>> from dtlib.out_of_core import grow_from
    >>> source = Arrow(pyarrow.Table.from_pandas(load_loan().frame), "approved")
    >>> grow_from(source, ID3Classifier()).tree_
    <Tree: 5 nodes, 3 leaves, depth 2>
    """

    def __init__(
        self,
        data: Any,
        target: str,
        *,
        features: Sequence[str] | None = None,
        rows: int = BATCH_ROWS,
        together: int | None = None,
    ):
        super().__init__(target, features, rows, together)
        self.data = opened(data)

    def batches(self, names: Sequence[str] | None) -> Iterator[Any]:
        """Yield record batches with some columns; None: with all of them."""
        self.passes += 1
        if callable(self.data):
            for batch in self.data():
                require_columns(batch.schema.names, self.target, names or ())
                yield batch if names is None else batch.select(list(names))
            return
        if isinstance(self.data, list):
            for path in self.data:
                yield from self.of_file(path, names)
            return
        require_columns(self.data.schema.names, self.target, names or ())
        yield from self.data.scanner(
            None if names is None else list(names), batch_size=self.rows
        ).to_batches()

    def of_file(self, path: str, names: Sequence[str] | None) -> Iterator[Any]:
        """Yield the batches of a Parquet file, one group of its rows after the other.

        A scanner of Arrow's data sets reads ahead: three times the memory, and about the same time.
        """
        with pyarrow().parquet.ParquetFile(path, pre_buffer=False) as file:
            require_columns(file.schema_arrow.names, self.target, names or ())
            for batch in file.iter_batches(self.rows, columns=None if names is None else list(names)):
                yield batch if names is None else batch.select(list(names))


class Summary:
    """The summary of a column after one pass."""

    def __init__(self, name: str, kind: Any, is_target: bool = False):
        self.name, self.is_target = name, is_target
        self.rows, self.is_missing, self.spread = dict[Any, int](), False, QuantileSketch()
        self.declared: list[Any] | None = None
        self.learn(kind)

    def learn(self, kind: Any) -> None:
        """Keep the type of the column; a part whose type is null leaves that to a later one."""
        types = pyarrow().types
        self.kind = "" if types.is_null(kind) else kind_in_arrow(self.name, kind)
        self.is_name = self.is_target or self.kind == "categorical"
        self.is_ordered = types.is_dictionary(kind) and kind.ordered

    def add(self, column: Any) -> None:
        """Add the values of a batch."""
        if pyarrow().types.is_null(column.type):
            self.is_missing |= len(column) > 0
            return
        if not self.kind:
            self.learn(column.type)
        kind = kind_in_arrow(self.name, column.type)
        if kind != self.kind:
            raise TypeError(
                f"column {self.name!r} is {self.kind} in one part of the data and {kind} in another: give "
                f"all parts the same types"
            )
        if not self.is_name:
            x = numbers(column, self.name)
            known = x if x.dtype.kind in "iu" else x[~np.isnan(x)]
            self.is_missing |= len(known) < len(x)
            self.spread.add(known)
            return
        code, found = coded(column)
        size = rows_of_entries(code, found)
        self.is_missing |= int(size.sum()) < len(code)
        self.add_names(found, size.tolist())
        if self.is_ordered:
            if self.declared not in (None, found):
                raise several_orders(self.name)
            self.declared = found

    def add_names(self, names: Iterable[Any], rows: Iterable[int]) -> None:
        """Add the number of rows of each category."""
        for value, n in zip(names, rows, strict=True):
            if n:
                self.rows[value] = self.rows.get(value, 0) + n

    def merge(self, other: "Summary") -> None:
        """Add the summary of the column in another part of the data."""
        self.is_missing |= other.is_missing
        self.spread.merge(other.spread)
        self.add_names(other.rows, other.rows.values())

    def series(self) -> pd.Series:
        """Return a Series of the type of the column, with its categories."""
        if not self.is_name:
            return pd.Series([], dtype=float, name=self.name)
        if self.is_ordered:
            dtype = pd.CategoricalDtype(self.order(), ordered=True)
            return pd.Series([], dtype=dtype, name=self.name)
        return pd.Series(list(self.rows), dtype=object, name=self.name)

    def order(self) -> list[Any]:
        """Return the declared categories in their order."""
        return [value for value in self.declared or [] if value is not None]


def summaries(batches: Iterable[Any], target: str) -> dict[str, Summary]:
    """Return the summary of each column after one pass over record batches; none if there is no row."""
    found = dict[str, Summary]()
    for batch in batches:
        if not found and len(batch):
            types = {field.name: field.type for field in batch.schema}
            found = {name: Summary(name, kind, name == target) for name, kind in types.items()}
        if found and {*batch.schema.names} != {*found}:
            raise ValueError(
                f"one part of the data has the columns {list(found)}, another one {batch.schema.names}"
            )
        for name, summary in found.items():
            summary.add(batch.column(name))
    return found


def row_blocks(
    batches: Iterable[Any], tree: Tree, features: Sequence[int], target: str
) -> Iterator[RowBlock]:
    """Yield record batches as blocks of rows; their columns are these features, then the target."""
    for batch in batches:
        *columns, classes = batch.columns
        values = {f: arrow_values(x, tree.features[f]) for f, x in zip(features, columns, strict=True)}
        yield RowBlock(values, labels_in_arrow(classes, tree, target))


def labels_in_arrow(column: Any, tree: Tree, target: str) -> np.ndarray:
    """Return the codes of the classes, or of the regression targets."""
    if pyarrow().types.is_integer(column.type) and not column.null_count:
        return labels_of(column.to_numpy(zero_copy_only=False), tree, target)
    if kind_in_arrow(target, column.type) == "numeric":
        return labels_of(numbers(column, target), tree, target)
    code, found = coded(column)
    used = np.flatnonzero(rows_of_entries(code, found))
    label = np.full(len(found), -1)
    label[used] = labels_of([found[k] for k in used], tree, target)
    return label[code]


def opened(data: Any) -> Any:
    """Return the source of the rows: a dataset, the paths of files, or a function that returns batches."""
    arrow = pyarrow()
    if isinstance(data, arrow.dataset.Dataset) or callable(data):
        return data
    if hasattr(data, "columns") and not isinstance(data, arrow.Table):
        raise TypeError(f"data is a {type(data).__name__}, which is in memory already: use fit, or Batches")
    if isinstance(data, arrow.Table):
        return arrow.dataset.dataset(data)
    if isinstance(data, str | os.PathLike):
        return parquet(data)
    paths = list(data) if isinstance(data, Iterable) else []
    if paths and all(isinstance(path, str | os.PathLike) for path in paths):
        return parquet([os.fspath(path) for path in paths])
    raise TypeError(
        f"data is a {type(data).__name__}; wanted the path of a Parquet file or of a folder of them, a list "
        f"of paths, a table or dataset of pyarrow, or a function that returns record batches"
    )


def parquet(paths: Any) -> Any:
    """Return Parquet files, those given or those of a folder; a dataset where folders are columns."""
    dataset = pyarrow().dataset.dataset
    files = dataset(paths, format="parquet")
    with_folders = dataset(paths, format="parquet", partitioning="hive")
    return files.files if with_folders.schema.names == files.schema.names else with_folders


def require_columns(there: Sequence[str], target: str, names: Sequence[str]) -> None:
    """Raise an error that names a column that is lacking, or is there twice."""
    for name in [target, *names]:
        if name not in there:
            raise KeyError(f"no column {name!r}; the columns are {list(there)}")
    if len(set(there)) < len(there) or len(there) == 1:
        raise ValueError(f"data has the columns {list(there)}; wanted the target and features, each once")


def kind_in_arrow(name: str, kind: Any) -> str:
    """Return "categorical" or "numeric"; raise an error if a type of Arrow is neither."""
    types = pyarrow().types
    if types.is_dictionary(kind) or types.is_boolean(kind) or is_text(kind):
        return "categorical"
    if types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind) or types.is_null(kind):
        return "numeric"
    raise no_feature(f"column {name!r}", kind)


def is_text(kind: Any) -> bool:
    """Tell whether a type of Arrow is text."""
    types = pyarrow().types
    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))


def coded(column: Any) -> tuple[np.ndarray, list[Any]]:
    """Return the code of each row's value, -1 if it is missing, and the distinct values."""
    arrow = pyarrow()
    if arrow.types.is_decimal(column.type):
        column = floats_of(column)
    if arrow.types.is_floating(column.type):  # regression targets, or the classes
        column = arrow.array(column.to_numpy(zero_copy_only=False), from_pandas=True)  # NaN as null
    if not arrow.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    code = column.indices
    if arrow.types.is_unsigned_integer(code.type):  # an ENUM of DuckDB has such, and -1 is none
        code = code.cast(arrow.int64())
    code = (code.fill_null(-1) if code.null_count else code).to_numpy(zero_copy_only=False)
    return code, python_values(column.dictionary.to_pylist())


def rows_of_entries(code: np.ndarray, found: list[Any]) -> np.ndarray:
    """Return the number of rows with each entry of a dictionary; 0 if the entry is a missing value.

    Examples
    --------
    >>> rows_of_entries(np.array([0, 2, -1, 0, 2]), ["a", "b", None]).tolist()
    [2, 0, 0]
    """
    size = np.bincount(code + 1, minlength=len(found) + 1)[1:]
    return size * [value is not None for value in found]


def floats_of(decimals: Any) -> Any:
    """Return decimal numbers as the floats nearest to them, which a cast of Arrow may miss."""
    arrow = pyarrow()
    return decimals.cast(arrow.string()).cast(arrow.float64())


def numbers(column: Any, name: str) -> np.ndarray:
    """Return a numeric column: integers as they are, if none is missing; else floats."""
    arrow, kind = pyarrow(), column.type
    if arrow.types.is_null(kind):
        column = column.cast(arrow.float64())
    if arrow.types.is_decimal(kind):
        column = floats_of(column)
    if arrow.types.is_integer(kind) and column.null_count:  # NumPy would round whole numbers beyond 2**53
        column = pd.Series(column, dtype=pd.ArrowDtype(kind), name=name)
        return numbers_of(column, missing=True)
    x = column.to_numpy(zero_copy_only=False)
    if x.dtype.kind in "iu" and x.dtype.itemsize < 8:
        return x
    return numbers_of(pd.Series(x, name=name), missing=True)


def arrow_values(column: Any, feature: Feature) -> np.ndarray:
    """Return numeric values, or the codes of categories, -1 if one is missing.

    Raises
    ------
    ValueError
        If a category did not occur in the first pass.
    """
    if feature.kind == "numeric":
        return numbers(column, feature.name)
    if pyarrow().types.is_null(column.type):
        return np.full(len(column), -1)
    code, found = coded(column)
    place = np.append(encode(pd.Series(found, dtype=object), feature.values).codes, -1)
    if rows_of_entries(code, found)[place[:-1] < 0].any():
        raise ValueError(
            f"column {feature.name!r} has categories now that it had not in the first pass: the data changed"
        )
    return place[code]
