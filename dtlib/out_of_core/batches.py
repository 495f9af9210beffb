"""Rows that come in batches: frames, one after the other."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from dtlib.numbers import rows_where
from dtlib.out_of_core.cells import Columns, is_unknown, join_columns, labels_of
from dtlib.out_of_core.spread import QuantileSketch
from dtlib.out_of_core.streams import RowBlock, Stream
from dtlib.table.columns import distinct, kind_of, numbers_of, python_values, without_dictionary
from dtlib.table.feature_names import with_features_named
from dtlib.table.other_frames import in_pandas
from dtlib.tree.tree import Tree


class Batches(Stream):
    """Rows that come in batches, one frame at a time; each pass reads them anew.

    Parameters
    ----------
    frames : callable or iterable
        A function that returns the frames (of pandas, polars or pyarrow) from the beginning each time it is
        called; or a list of frames.
        All have the same columns of the same types.
    target : str
        The column with the classes.
    together : int, optional
        How many features are counted in one pass where every value must be counted (`grow_from` says where);
        default: all. Fewer keep smaller tables, in more passes.

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
    >>> from dtlib.datasets import load_loan
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
        super().__init__(target, together)
        self.frames = frames

    def read(self) -> Iterator[pd.DataFrame]:
        """Yield the frames that have rows; raise an error if there is none."""
        self.passes += 1
        frames, rows = self.frames() if callable(self.frames) else self.frames, 0
        if isinstance(frames, pd.DataFrame) or not isinstance(frames, Iterable):
            raise TypeError(f"frames() is a {type(frames).__name__}; wanted DataFrames, one after the other")
        for frame in frames:
            frame = in_pandas(frame, "frame")
            check_frame(frame, self.target)
            rows += len(frame)
            if len(frame):
                yield with_features_named(frame, self.target)
        if not rows:
            again = f" in pass {self.passes}, too: each call of it must start from the beginning"
            raise ValueError(f"frames has no rows; wanted at least one{again * (self.passes > 1)}")

    def columns(self) -> Columns:
        """Describe the columns, in one pass over the data."""
        found, self.spread = list[Columns](), {}
        for frame in self.watched((frame, len(frame)) for frame in self.read()):
            found[:] = [join_columns([*found, columns_of(frame, self.target)])]
            for name, column in found[0].features.items():
                spread = self.spread.setdefault(name, QuantileSketch())
                if kind_of(column) == "numeric" and not is_unknown(frame[name]):
                    x = numbers_of(frame[name], missing=True)
                    spread.add(x[~np.isnan(x)])
        return found[0]

    def blocks(self, tree: Tree, features: Sequence[int]) -> Iterator[RowBlock]:
        """Yield blocks of rows, in one pass over the data."""
        for frame in self.read():
            X, values = tree._matrix(frame), dict[int, np.ndarray]()
            for f in features:
                x = X[:, f]
                if tree.features[f].kind != "numeric":
                    x = np.where(np.isnan(x), -1, x).astype(np.intp)
                values[f] = x
            y = frame[self.target]
            given = y.to_numpy() if isinstance(y.dtype, np.dtype) and y.dtype.kind in "iuf" else y.tolist()
            yield RowBlock(values, labels_of(given, tree, self.target))


def check_frame(frame: Any, target: str) -> None:
    """Raise an error if a batch is no frame, lacks columns, or has one twice."""
    if not isinstance(frame, pd.DataFrame):
        raise TypeError(f"frames yields a {type(frame).__name__}; wanted DataFrames")
    names = list(frame.columns)
    if target not in names:
        raise KeyError(f"no column {target!r}; the columns are {names}")
    if not frame.columns.is_unique or len(names) == 1:
        raise ValueError(f"a frame has the columns {names}; wanted the target and features, each once")


def columns_of(frame: pd.DataFrame, target: str) -> Columns:
    """Describe the columns of a frame."""
    features, has_missing = {}, set()
    for name in frame.columns.drop(target):
        column = frame[name]
        if column.isna().any():
            has_missing.add(name)
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
    if (missing := y.isna()).any():
        rows = rows_where(missing)
        raise ValueError(f"target {target!r} of a frame is missing in {rows}: leave such rows out")
    dtype, declared = without_dictionary(y).dtype, None
    if isinstance(dtype, pd.CategoricalDtype):
        declared = tuple(python_values(dtype.categories))
    return Columns(
        features, frozenset(has_missing), y.astype(object).value_counts(sort=False).to_dict(), declared
    )
