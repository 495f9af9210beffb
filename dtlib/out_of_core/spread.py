"""Sketch of a numeric column after one pass: its values, if they are few, or their quantiles.

A column with many distinct values is counted in *intervals* first. The tree is exact for any ends of
intervals; those with about as many rows in each interval need the least memory.
"""

from functools import cached_property

import numpy as np

from dtlib.jit import is_ready

FEW_VALUES = 1 << 12  # so many different values are all known
SAMPLED = 1 << 16  # values kept at least, for the ends of the intervals
LOOKED_UP = 1 << 16  # integers of so small a range are looked up, not searched for
PARTS_OF_LINE = 1 << 17  # cells of the line: with more cells than ends, few cells have to be searched


class QuantileSketch:
    """The distinct values of a column, if they are few, and an even sample of all values.

    Examples
    --------
    >>> spread = QuantileSketch()
    >>> for x in ([3.0, 1.0, 3.0], [2.0]):
    ...     spread.add(np.array(x))
    >>> spread.values
    array([1., 2., 3.])
    >>> spread.ends(2)  # few values are ends themselves
    array([1., 2., 3.])
    """

    def __init__(self) -> None:
        self.values: np.ndarray | None = np.zeros(1)  # of none, any; None: more than a few
        self.taken: list[np.ndarray] = []
        self.step, self.skip, self.size, self.largest = 1, 0, 0, -np.inf

    def add(self, x: np.ndarray) -> None:
        """Add values, none of which is missing."""
        if not len(x):
            return
        if not self.size:
            self.values = np.empty(0)
        self.largest = max(self.largest, float(x.max()))
        if self.values is not None:
            self.values = few_of(x, self.values)
        some = np.array(x[self.skip :: self.step], float)
        self.skip = (self.skip - len(x)) % self.step
        self.taken.append(some)
        self.size += len(some)
        self.thin_to(2 * SAMPLED)

    def merge(self, other: "QuantileSketch") -> None:
        """Add the values of another sketch, which is used up.

        Steps are powers of 2, so both samples can be thinned to an equal step: then they are one sample.
        """
        if not (self.size and other.size):
            vars(self).update(vars(self if self.size else other))
            return
        if self.values is not None:
            self.values = None if other.values is None else few_of(other.values, self.values)
        self.largest = max(self.largest, other.largest)
        while self.step < other.step:
            self.thin()
        while other.step < self.step:
            other.thin()
        self.taken, self.size = self.taken + other.taken, self.size + other.size
        self.thin_to(2 * SAMPLED)

    def thin_to(self, most: int) -> None:
        """Thin the sample until it has at most a given size."""
        while self.size > most:
            self.thin()

    def thin(self) -> None:
        """Leave out every second value of the sample, and take half as many from now on."""
        kept = np.concatenate(self.taken)[::2].copy()
        self.skip += self.step * (self.size % 2)
        self.taken, self.size, self.step = [kept], len(kept), 2 * self.step

    def ends(self, most: int) -> np.ndarray:
        """Return the ends of intervals, ascending: each value if there are few, else quantiles.

        An interval contains its end; the last end is the largest value.
        """
        if self.values is not None:
            return self.values
        x = np.sort(np.concatenate(self.taken))
        some = x[np.arange(1, most) * len(x) // most]
        return np.unique(np.append(some, self.largest))


def few_of(x: np.ndarray, known: np.ndarray) -> np.ndarray | None:
    """Return the values known so far and those of x, ascending; None if there are too many.

    Examples
    --------
    >>> few_of(np.array([7, 5, 7]), np.array([1.0, 5.0]))
    array([1., 5., 7.])
    """
    if x.dtype.kind in "iu":
        low, high = int(x.min()), int(x.max())
        if high - low < LOOKED_UP:
            found = low + np.flatnonzero(np.bincount(x.astype(np.intp) - low))
            values = np.union1d(known, found.astype(float))
            return values if len(values) <= FEW_VALUES else None
    if len(known):
        place = np.searchsorted(known, x)
        x = x[known.take(place, mode="clip") != x]
    values = np.union1d(known, x.astype(float)) if len(x) else known
    return values if len(values) <= FEW_VALUES else None


class Intervals:
    """Intervals of a numeric feature; each contains its upper end.

    Parameters
    ----------
    ends : ndarray of shape (V,)
        Ascending, none twice.

    Notes
    -----
    A value is not searched for among all ends: the line is cut into equal cells, each with a list
    of its ends. The cell of a value is a monotone function of it, whatever rounding does, so no end is
    missed.

    Examples
    --------
    >>> Intervals(np.array([1.0, 5.0])).place(np.array([0.5, 1.0, 4.0, np.nan]))
    array([0, 0, 1, 2])
    >>> Intervals(np.arange(3.0)).place(np.arange(3))
    array([0, 1, 2])
    """

    def __init__(self, ends: np.ndarray):
        self.ends = ends
        width = float(ends[-1]) - float(ends[0])
        with np.errstate(over="ignore"):
            scale = ends.dtype.type(PARTS_OF_LINE / width if width else 0)
        if not (np.isfinite(scale) and scale):
            self.low = self.scale = ends.dtype.type(0)  # all ends lie in one cell
        else:
            self.low, self.scale = ends[0], scale
        self.is_narrow = width < LOOKED_UP

    @cached_property
    def first(self) -> np.ndarray:
        """The number of ends before each cell."""
        cell = np.clip((self.ends - self.low) * self.scale, 0, PARTS_OF_LINE - 1).astype(np.intp)
        return np.append(0, np.bincount(cell, minlength=PARTS_OF_LINE).cumsum()).astype(np.int32)

    @cached_property
    def of_whole(self) -> tuple[int, np.ndarray]:
        """An integer, and the intervals of it and of those that follow, up to one beyond the last end."""
        low = int(np.floor(self.ends[0]))
        return low, np.searchsorted(self.ends, np.arange(low, int(self.ends[-1]) + 2))

    def are_looked_up(self, x: np.ndarray) -> bool:
        """Tell whether intervals are looked up in a table: values are integers of a small range."""
        return x.dtype.kind in "iu" and self.is_narrow

    def of_end(self, x: np.ndarray) -> np.ndarray:
        """Return the interval of each end; of NaN, the number of intervals."""
        return np.searchsorted(self.ends, x)

    def place(self, x: np.ndarray) -> np.ndarray:
        """Return the interval of each value, counted from 0; of a missing value, the number of intervals."""
        if self.are_looked_up(x):
            low, every = self.of_whole
            return every.take(x.astype(np.intp) - low, mode="clip")
        if x.dtype == self.ends.dtype and is_ready("counts", len(x)):
            from dtlib.out_of_core.tally import place_one_by_one

            place = np.empty(len(x), np.intp)
            place_one_by_one(self.ends, self.first, self.low, self.scale, x, place)
            return place
        return np.searchsorted(self.ends, x)
