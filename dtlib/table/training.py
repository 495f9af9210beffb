"""Training data: the coded features, the targets and the weights of all rows.

Legend: n is the number of rows, d that of features; f is the index of a feature.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import pandas as pd

from dtlib.numbers import rows_where
from dtlib.table.coded import Coded, Uncoded, code_all
from dtlib.table.columns import FILL, TAKEN, Column, Feature, encode, kind_of, narrowed, numbers_of
from dtlib.table.feature_names import default_names

MANY = 30  # categories from which on a tree warns if most of them occur in one row
KEPT = 1 << 20  # cells of training data that a tree keeps unless told otherwise


@dataclass(frozen=True, eq=False)
class Training:
    """Training data: n rows of d coded features, the targets, and the weights.

    Parameters
    ----------
    features : tuple of Feature
    values : Coded or Uncoded
        The values of the features.
    targets : tuple of Column
        One for each output.
    weight : float ndarray of shape (n,), optional
        The weight of each row; default 1.
    case_weight : float ndarray of shape (n,), optional
        The weight of each row without that of its class, if `weight` is a product of both.
    whole : tuple of int and float, optional
        The number and the total weight of all rows of the table, if these rows are only some of them, or
        cells that stand for several rows.
    """

    features: tuple[Feature, ...]
    values: Coded | Uncoded
    targets: tuple[Column, ...]
    weight: np.ndarray | None = None
    case_weight: np.ndarray | None = None
    whole: tuple[int, float] | None = None

    @property
    def codes(self) -> np.ndarray:
        """The position of each value among the values of its feature, shape (d, n)."""
        return self.values.coded.codes

    @property
    def numbers(self) -> dict[int, np.ndarray]:
        """The distinct values of each numeric feature, ascending, by index of the feature."""
        return self.values.coded.numbers

    @property
    def order(self) -> dict[int, np.ndarray]:
        """The rows in the order of their values, for each numeric feature that is kept sorted."""
        return self.values.coded.order

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of features and rows."""
        return self.values.shape

    def decode(self, f: int, codes: np.ndarray) -> np.ndarray:
        """Return the values of codes of a feature: numeric values, codes of categories, NaN if missing."""
        values = self.numbers.get(f)
        if values is None:
            return np.where(codes < 0, np.nan, codes)
        if not len(values):  # nothing is known of the feature: all codes are -1
            return np.full(len(codes), np.nan)
        return np.where(codes < 0, np.nan, values.astype(float).take(codes, mode="clip"))

    def matrix(self, rows: np.ndarray | slice = slice(None)) -> np.ndarray:
        """Return rows as a tree reads them, shape (n, d)."""
        return np.stack([self.decode(f, codes[rows]) for f, codes in enumerate(self.codes)], axis=1)

    @property
    def total_weight(self) -> float:
        """The weight of all rows."""
        return float(self.shape[1] if self.weight is None else self.weight.sum())

    @property
    def in_all(self) -> tuple[int, float]:
        """The number of all rows, and their weight."""
        return self.whole or (self.shape[1], self.total_weight)

    @property
    def least_weight(self) -> float:
        """The smallest weight of a row that counts, at most 1."""
        return 1.0 if self.weight is None else min(1.0, float(self.weight[self.weight > 0].min()))


def read_training(
    X: pd.DataFrame | np.ndarray,
    targets: Sequence[Column],
    weight: np.ndarray | None = None,
    single: bool = False,
    ordered: bool = True,
    missing: bool = False,
    case_weight: np.ndarray | None = None,
) -> Training:
    """Read all columns of a frame, or of a numeric array.

    Parameters
    ----------
    X : DataFrame or float ndarray of shape (n, d)
    targets : sequence of Column
    weight : float ndarray of shape (n,), optional
    single : bool
        Round numeric features to float32 first.
    ordered : bool
        Whether the order of ordered categories counts; else they are nominal.
    missing : bool
        Whether values may be missing; they are coded -1.
    case_weight : float ndarray of shape (n,), optional
        As in `Training`.

    Returns
    -------
    Training
    """
    features: list[Feature] = []
    names, numbers = dict[int, np.ndarray](), dict[int, np.ndarray]()
    if isinstance(X, np.ndarray):  # to ask column by column takes twenty times as long, as they have strides
        missing = missing and bool(np.isnan(X.min(initial=0)))
    columns = X.items() if isinstance(X, pd.DataFrame) else zip(default_names(X.shape[1]), X.T, strict=True)
    for f, (name, column) in enumerate(columns):
        if isinstance(column, pd.Series) and (kind := kind_of(column)) != "numeric":
            coded = encode(column)
            names[f] = coded.codes
            if not missing and (lacking := coded.codes < 0).any():
                raise ValueError(
                    f"column {name!r} is missing in {rows_where(lacking)}: leave such rows out, or make "
                    f"'missing' a value of its own with {FILL}; {TAKEN}"
                )
            features.append(Feature(str(name), tuple(coded.values), kind if ordered else "nominal"))
        else:
            x = numbers_of(column, missing) if isinstance(column, pd.Series) else column
            numbers[f] = narrowed(x, str(name)) if single else x
            features.append(Feature(str(name), (), "numeric"))
    values = values_of(numbers, names, X.shape[::-1], missing)
    return Training(tuple(features), values, tuple(targets), weight, case_weight)


def mostly_single(data: Training) -> list[str]:
    """List the categorical features of which most categories occur in one row only, and many do.

    Examples
    --------
    >>> column = np.arange(40, dtype=np.int32)
    >>> features = Feature("name", tuple(map(str, column))), Feature("sex", ("f", "m"))
    >>> mostly_single(Training(features, Coded(np.stack([column, column % 2]), {}, {}), ()))
    ['name']
    """
    found = []
    for f, feature in enumerate(data.features):
        if feature.kind != "nominal" or len(feature.values) < MANY:
            continue
        rows = np.bincount(data.codes[f] + 1, minlength=1)[1:]
        if (rows > 0).sum() >= MANY and 2 * (rows == 1).sum() > (rows > 0).sum():
            found.append(feature.name)
    return found


def values_of(
    numbers: dict[int, np.ndarray], names: dict[int, np.ndarray], shape: tuple[int, int], missing: bool
) -> Coded | Uncoded:
    """Return values, given the columns of numeric features, and the codes of the others.

    If all features are numeric, they are coded only on demand; small tables are copied.
    """
    if names or not numbers or (missing and any(np.isnan(x).any() for x in numbers.values())):
        return code_all(numbers, shape, names, missing)
    one_kind = len({x.dtype for x in numbers.values()}) == 1
    columns = list(numbers.values())
    return Uncoded(np.stack(columns) if one_kind and shape[0] * shape[1] <= KEPT else columns)


def stack_training(parts: Sequence[Training]) -> tuple[Training, np.ndarray]:
    """Return training data with the rows of all parts, one part after the other, and the part of each row.

    Examples
    --------
    >>> target = Column("y", ("no", "yes"), np.array([0, 1]))
    >>> part = Training((), Coded(np.array([[1, 0]], np.int32), {}, {0: np.array([1, 0])}), (target,))
    >>> both, root = stack_training([part, part])
    >>> both.codes.tolist(), both.order[0].tolist(), root.tolist()
    ([[1, 0, 1, 0]], [1, 0, 3, 2], [0, 0, 1, 1])
    """
    first, sizes = parts[0], [part.shape[1] for part in parts]
    start = np.cumsum([0, *sizes[:-1]])

    def all_of(name: str) -> np.ndarray | None:
        found = [getattr(part, name) for part in parts]
        return None if found[0] is None else np.concatenate(found)

    targets = tuple(
        replace(column[0], codes=np.concatenate([target.codes for target in column]))
        for column in zip(*(part.targets for part in parts), strict=True)
    )
    order = {
        f: np.concatenate([part.order[f] + a for part, a in zip(parts, start, strict=True)])
        for f in first.order
        if all(f in part.order for part in parts)
    }
    values = Coded(np.concatenate([part.codes for part in parts], axis=1), first.numbers, order)
    weight, case_weight = all_of("weight"), all_of("case_weight")
    data = Training(first.features, values, targets, weight, case_weight)
    return data, np.repeat(np.arange(len(parts)), sizes)


def between(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the midpoint between two values, the lower one if no float lies between them.

    An infinite value stands for missing values beyond all others: below it comes the largest float.
    """
    middle = np.minimum(a / 2 + b / 2, np.finfo(float).max)
    return np.where((a <= middle) & (middle < b), middle, a)


def threshold_between(a: np.ndarray, b: np.ndarray, strict: bool | np.ndarray) -> np.ndarray:
    """Return thresholds between values; with `strict`, the next floats below: equal values then go right."""
    middle = between(a, b)
    return np.where(strict, np.nextafter(middle, a), middle) if np.any(strict) else middle


class Sides(NamedTuple):
    """The values on either side of thresholds, each of shape (n,), NaN where there is no threshold."""

    low: np.ndarray
    high: np.ndarray


def values_beside(data: Training, feature: np.ndarray, low: np.ndarray, high: np.ndarray) -> Sides:
    """Return the last value of the left branch and the first of the right one (codes of ordered categories).

    Parameters
    ----------
    data : Training
    feature, low, high : int ndarray of shape (n,)
        The feature tested, and the codes of the two values, -1 where there is no threshold.
    """
    sides, order = Sides(*np.full((2, len(feature)), np.nan)), np.argsort(feature, kind="stable")
    order = order[low[order] >= 0]
    ends = np.searchsorted(feature[order], np.arange(len(data.features) + 1))
    for f in np.flatnonzero(np.diff(ends)):
        here, x = order[ends[f] : ends[f + 1]], data.numbers.get(int(f))
        for side, code in zip(sides, (low, high), strict=True):
            side[here] = code[here] if x is None else x[code[here]]
    return sides


def thresholds(features: Sequence[Feature], feature: np.ndarray, sides: Sides, strict: bool) -> np.ndarray:
    """Return the midpoints between values on either side.

    Parameters
    ----------
    features : sequence of Feature
    feature : int ndarray of shape (n,)
        The feature tested, -1 for none.
    sides : Sides
    strict : bool
        Return the float next below the midpoint, so that a value equal to the midpoint goes right.

    Returns
    -------
    ndarray of shape (n,)
        NaN where there is no threshold.
    """
    is_strict = strict and np.array([*(f.kind == "numeric" for f in features), False])[feature]
    return threshold_between(*sides, is_strict)


def to_numbers(X: pd.DataFrame, features: Sequence[Feature], missing: bool = False) -> np.ndarray:
    """Return the columns of a frame as floats: categories as their codes, -1 if unseen.

    Parameters
    ----------
    X : DataFrame of shape (n, d)
    features : sequence of d Feature
        The feature of each column.
    missing : bool
        Whether values may be missing; they become NaN. A column without any value fits every feature: all of
        its values are missing.

    Returns
    -------
    float ndarray of shape (n, d)

    Raises
    ------
    ValueError
        If a value of a numeric feature is missing or infinite.
    TypeError
        If a column is categorical where the feature is numeric, or the other way round.

    Examples
    --------
    >>> features = Feature("size", (), "numeric"), Feature("color", ("red",))
    >>> to_numbers(pd.DataFrame({"size": [3], "color": ["red"]}), features)
    array([[3., 0.]])
    """
    pairs = zip(features, X.items(), strict=True)
    columns = [read_column(column, feature, missing) for feature, (_, column) in pairs]
    return np.stack(columns, axis=1) if columns else np.empty((len(X), 0))


def read_column(column: pd.Series, feature: Feature, missing: bool) -> np.ndarray:
    """Return a column as `to_numbers` does; raise TypeError if it is not of the kind of the feature."""
    is_number = feature.kind == "numeric"
    if not (is_number or feature.values):  # nothing was known of it in training, so no node tests it
        return np.full(len(column), -1.0)
    if column.isna().all():  # its type says nothing
        column = pd.Series(np.nan, column.index, float if is_number else object, column.name)
    if (kind_of(column) == "numeric") != is_number:
        was, now = ("numeric", "categorical") if is_number else ("categorical", "numeric")
        raise TypeError(f"column {feature.name!r} was {was} in training, and is {now} now: convert it")
    if is_number:
        return numbers_of(column, missing)
    codes = encode(column, feature.values).codes
    return np.where(column.isna(), np.nan, codes) if missing else codes
