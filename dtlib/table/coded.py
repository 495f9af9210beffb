"""The values of a table: as codes, or as numeric columns that are coded when codes are first needed.

Legend: n is the number of rows, d that of features; f is the index of a feature.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from dtlib.table.ranks import rank_each


@dataclass(frozen=True, eq=False)
class Coded:
    """Values as codes.

    Parameters
    ----------
    codes : int ndarray of shape (d, n)
        The position of each value among the values of its feature, -1 where it is missing.
    numbers : dict
        The distinct values of each numeric feature, ascending, by index of the feature.
    order : dict
        The rows in the order of their values, for each numeric feature that is kept sorted. Growing without
        them is possible, but slower.
    """

    codes: np.ndarray
    numbers: dict[int, np.ndarray] = field(default_factory=dict)
    order: dict[int, np.ndarray] = field(default_factory=dict)

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of features and rows."""
        return self.codes.shape  # type: ignore[return-value]  # it has two dimensions

    @property
    def coded(self) -> "Coded":
        """The values themselves, which are codes already."""
        return self

    @property
    def has_missing_values(self) -> bool:
        """Whether a value is missing."""
        return bool(self.codes.min(initial=0) < 0)

    def take(self, rows: np.ndarray) -> "Coded":
        """Return some rows, without `order`."""
        return Coded(self.codes.take(rows, axis=1), self.numbers)

    def kept(self) -> "Coded":
        """Return what is to be kept with a tree: all but the order, and nothing that may change."""
        return Coded(self.codes, self.numbers)


class Uncoded:
    """Numeric columns without missing values, coded only on demand; a compiled tree grows without codes.

    Parameters
    ----------
    columns : sequence of d ndarrays of shape (n,), or ndarray of shape (d, n)
        Finite floats; columns may be views of the user's arrays, a single array is owned.

    Examples
    --------
    >>> values = Uncoded([np.array([2.5, 0.5, 2.5])])
    >>> values.shape, values.coded.codes.tolist(), values.coded.numbers[0].tolist()
    ((1, 3), [[1, 0, 1]], [0.5, 2.5])
    """

    has_missing_values = False

    def __init__(self, columns: Sequence[np.ndarray] | np.ndarray):
        self.columns = columns

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of features and rows."""
        return len(self.columns), len(self.columns[0])

    @cached_property
    def coded(self) -> Coded:
        """The values as codes."""
        return code_all(dict(enumerate(self.columns)), self.shape)

    def at(self, f: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Return the values of some features in some rows, of the broadcast shape of both; -0.0 as 0.0.

        Examples
        --------
        >>> values = Uncoded([np.array([2.5, 0.5]), np.array([7.0, 8.0])])
        >>> values.at(np.array([0, 1]), np.array([[1, 1], [0, 1]])).tolist()
        [[0.5, 8.0], [2.5, 8.0]]
        """
        if isinstance(self.columns, np.ndarray):
            return self.columns[f, rows].astype(float) + 0
        found = np.empty(rows.shape)
        for k in np.unique(f).tolist():
            found[..., f == k] = self.columns[k][rows[..., f == k]]
        return found + 0

    def kept(self) -> "Coded | Uncoded":
        """Return what is to be kept with a tree: all but the order, and nothing that may change."""
        return self if isinstance(self.columns, np.ndarray) else self.coded.kept()


def code_all(
    columns: dict[int, np.ndarray], shape: tuple[int, int], others: dict[int, np.ndarray] | None = None,
    missing: bool = False,
) -> Coded:  # fmt: skip
    """Code numeric columns.

    Parameters
    ----------
    columns : dict
        The column of each numeric feature; with `missing`, some values may be NaN.
    shape : tuple
        The numbers of features and rows.
    others : dict, optional
        The codes of all other features.
    missing : bool

    Examples
    --------
    >>> found = code_all({1: np.array([0.5, 0.5])}, (2, 2), {0: np.array([1, 0])})
    >>> found.codes.tolist(), found.numbers[1].tolist()
    ([[1, 0], [0, 0]], [0.5])
    """
    codes, numbers, order = np.empty(shape, np.int32), {}, {}
    for f, code in (others or {}).items():
        codes[f] = code
    for f, (code, numbers[f], by_value) in rank_each(columns, missing):
        codes[f] = code
        if by_value is not None:
            order[f] = by_value
    return Coded(codes, numbers, order)
