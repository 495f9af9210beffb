"""The features as a compiled tree needs them: the rows of each in the order of its values (chapter 8).

Uncoded values are sorted as they are; coded ones by their codes.

Examples
--------
>>> from dtlib.counting.targets import ClassificationTarget
>>> from dtlib.growing.depth_first import compiled_criterion
>>> from dtlib.table.columns import Column, Feature
>>> y = Column("y", ("a", "b", "c"), np.array([0, 1, 2]))
>>> data = Training((Feature("x", (), "numeric"),), Uncoded(np.array([[7.0, 5.0, 6.0]])), (y,))
>>> target = ClassificationTarget([y], None, "gini")
>>> table = table_of(data, target, compiled_criterion(target), np.float32(0))
>>> (table.lines[0] & ROW).tolist(), (table.lines[0] >> CODE).tolist()
([1, 2, 0], [0, 1, 2])
"""

from typing import NamedTuple

import numpy as np

from dtlib.compiled.state import BINARY, CODE, OF_SECOND, PAIRS, ROW, SQUARES, CriterionState, Grown, Table
from dtlib.counting.targets import Target
from dtlib.jit.threads import share_out, threads_for
from dtlib.table.coded import Coded, Uncoded
from dtlib.table.training import Sides, Training, values_beside

NO_VALUES = np.empty(0, np.float32)


class PresortedColumn(NamedTuple):
    """A feature whose line is written."""

    close: np.ndarray  # float32: its values, if some are too close for a cut between them, else empty
    missing: int = -1  # the code of missing values, -1 if there are none


def table_of(data: Training, target: Target, goal: CriterionState, gap: np.float32) -> Table:
    """Return the features in the form of compiled code.

    Parameters
    ----------
    data : Training
    target : Target
    goal : CriterionState
        The targets and the scoring of cuts.
    gap : float32
        No cut comes between values no further apart than this.
    """
    (d, n), rows, values = data.shape, len(target.rows), data.values
    tags, counted = tags_of(target, goal, n), target.weight is None and goal.kind in (BINARY, SQUARES, PAIRS)
    how = FromNumbers(values, gap, tags) if isinstance(values, Uncoded) else FromCodes(data, gap, tags)
    seconds = [how.second_of_two(f) if counted else None for f in range(d)]
    twos, in_line = [x for x in seconds if x is not None], [f for f in range(d) if seconds[f] is None]
    place, said, k = (
        -np.cumsum([x is not None for x in seconds]),
        [PresortedColumn(NO_VALUES)] * d,
        len(in_line),
    )
    place[in_line], lines = np.arange(k), np.empty((k + 1, rows), np.int64)

    def enter_some(features: list[int]) -> None:
        spare = Spare(np.empty(rows, np.int64), np.empty(rows if gap else 0, np.float32))
        for f in features:
            said[f] = how.enter(f, lines[place[f]], spare)

    threads = threads_for(data.shape)
    share_out(enter_some, [in_line[i::threads] for i in range(threads)], threads)
    lines[k] = tags[target.rows]
    close, missing = [line.close for line in said], np.array([line.missing for line in said])
    of_two = np.stack(twos, axis=1) if twos else np.empty((n, 0), np.uint8)
    first, incomplete = np.cumsum([0, *map(len, close)]), np.flatnonzero(missing >= 0)
    return Table(lines, place, of_two, np.concatenate(close), first, missing, incomplete)


def tags_of(target: Target, goal: CriterionState, n: int) -> np.ndarray:
    """Return the tag of each row in its entries (row, and class if there are two); -1: it does not count."""
    tags = np.arange(n, dtype=np.int32)
    if goal.kind == BINARY:
        tags |= goal.label.astype(np.int32) << OF_SECOND
    if target.weight is not None:
        tags[target.weight == 0] = -1
    return tags


class Spare(NamedTuple):
    """Memory that one thread needs while it sorts a feature."""

    entries: np.ndarray  # int64
    values: np.ndarray  # float32: for the distinct values, if some may be too close for a cut


class FromNumbers:
    """Writes the lines of features from their values.

    Parameters
    ----------
    values : Uncoded
    gap : float32
    tags : int32 ndarray of shape (n,)
        As `tags_of` returns them.
    """

    def __init__(self, values: Uncoded, gap: np.float32, tags: np.ndarray):
        self.gap, self.tags = gap, tags
        self.columns = plain(values.columns) if isinstance(values.columns, np.ndarray) else values.columns

    def second_of_two(self, f: int) -> np.ndarray | None:
        """Return which rows have the larger of two values, if there are just two, with a cut between them."""
        from dtlib.compiled.line_up import two_values

        x = self.columns[f]
        low, high = two_values(x)
        may_part = np.float32(high) > np.float32(low) + self.gap if self.gap else high > low
        return (x == high).view(np.uint8) if may_part else None

    def enter(self, f: int, line: np.ndarray, spare: Spare) -> PresortedColumn:
        """Write the line of a feature."""
        from dtlib.compiled.line_up import line_up
        from dtlib.compiled.lines import any_close, mark_near

        x, room = plain(self.columns[f]), spare.values
        size = line_up(x, x.view(f"i{x.itemsize}"), self.tags, line, spare.entries, room)
        if not self.gap or not any_close(room[:size], self.gap):
            return PresortedColumn(NO_VALUES)
        mark_near(line, room[:size], self.gap)
        return PresortedColumn(room[:size].copy())


def plain(x: np.ndarray) -> np.ndarray:
    """Return values contiguous, as float32 if that changes none of them, and -0.0 as 0.0."""
    with np.errstate(over="ignore"):
        narrow = x.astype(np.float32, copy=False)
    return (narrow if narrow is x or np.array_equal(narrow, x) else x) + 0


class FromCodes:
    """Writes the lines of features from their codes.

    Parameters
    ----------
    data : Training
    gap, tags
        As for `FromNumbers`.
    """

    def __init__(self, data: Training, gap: np.float32, tags: np.ndarray):
        self.data, self.gap, self.tags = data, gap, tags

    def of(self, f: int) -> tuple[np.ndarray, int, PresortedColumn]:
        """Return the codes of a feature, its number of values, and its `PresortedColumn`."""
        from dtlib.compiled.lines import any_close

        codes, numbers = self.data.codes[f], self.data.numbers.get(f)
        size = len(self.data.features[f].values if numbers is None else numbers)
        x = NO_VALUES if numbers is None or not self.gap else numbers.astype(np.float32)
        close = x if any_close(x, self.gap) else NO_VALUES
        return codes, size, PresortedColumn(close, size if codes.min(initial=0) < 0 else -1)

    def second_of_two(self, f: int) -> np.ndarray | None:
        """Return which rows have the second of two values, if none is missing and a cut may lie between."""
        codes, size, known = self.of(f)
        return codes.astype(np.uint8) if size == 2 and not len(known.close) and known.missing < 0 else None

    def enter(self, f: int, line: np.ndarray, _: Spare) -> PresortedColumn:
        """Write the line of a feature."""
        from dtlib.compiled.lines import fill_presorted, mark_near, tally

        codes, size, known = self.of(f)
        if f in self.data.order:
            fill_presorted(codes, self.data.order[f], self.tags, line)
        else:
            tally(codes, size, self.tags, line)
        mark_near(line, known.close, self.gap)
        return known


def sides_grown(data: Training, grown: Grown, place: np.ndarray, twos: np.ndarray) -> Sides:
    """Return the values on either side of the cuts of a grown tree, NaN at leaves.

    Parameters
    ----------
    data : Training
    grown : Grown
        Grown nodes, with the entries on either side of each cut.
    place, twos : ndarray
        As in `Table`.
    """
    feature, low, high, values = grown.feature, grown.low, grown.high, data.values
    if isinstance(values, Coded):
        return values_beside(data, feature, low >> CODE, high >> CODE)
    does_split = np.flatnonzero(feature >= 0)
    f, rows = feature[does_split], np.stack([low[does_split], high[does_split]]) & ROW
    first = np.zeros((2, len(place)), np.intp)  # the first rows that have either of two values
    for k in np.unique(f[place[f] < 0]).tolist():
        is_second = twos[:, -1 - place[k]]
        first[:, k] = is_second.argmin(), is_second.argmax()
    rows = np.where(place[f] < 0, first[:, f], rows)
    sides = np.full((2, len(feature)), np.nan)
    sides[:, does_split] = values.at(f, rows)
    return Sides(*sides)
