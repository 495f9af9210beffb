"""A line of numeric values: sorted by their bits, eleven at a time, a radix sort without comparisons.

The bits of a float, read as an integer, ascend as the floats do; those of negative ones descend.

Examples
--------
>>> x, (line, spare) = np.array([2.5, -1.0, 2.5]), np.empty((2, 3), np.int64)
>>> int(line_up(x, x.view(np.int64), np.arange(3), line, spare, np.empty(0, np.float32)))
2
>>> (line >> CODE).tolist(), (line & ROW).tolist()
([0, 1, 1], [1, 0, 2])
"""

import numpy as np

from dtlib.compiled.state import CODE, ROW, TAG
from dtlib.jit.compiling import compiled, inner

DIGIT = 11  # bits
LOW, HIGH = (1 << DIGIT) - 1, (1 << 10) - 1  # masks of the two lower digits, and of the third
ONE_BY_ONE = 64  # entries that are sorted one by one


@inner
def half_of(bits: int, width: int, upper: bool) -> np.int64:
    """Return the upper or the lower 32 bits of a float, changed so that they ascend as the floats do."""
    key = np.int64(bits) << (64 - width)
    key ^= (key >> 63) & np.int64(0x7FFFFFFFFFFFFFFF)
    return (key >> 32) + np.int64(0x80000000) if upper else key & np.int64(0xFFFFFFFF)


@compiled
def sort_entries(line: np.ndarray, spare: np.ndarray) -> None:
    """Sort entries stably by their upper 32 bits."""
    n, count = len(line), np.zeros((3, 1 << DIGIT), np.int64)
    for entry in line:
        count[0, (entry >> CODE) & LOW] += 1
        count[1, (entry >> (CODE + DIGIT)) & LOW] += 1
        count[2, (entry >> (CODE + 2 * DIGIT)) & HIGH] += 1
    source, sorted_ = line, spare
    for k in range(3):
        if count[k].max() == n:  # all entries have this digit: nothing to sort
            continue
        start, before, shift, mask = count[k], 0, CODE + k * DIGIT, HIGH if k == 2 else LOW
        for digit in range(len(start)):
            before, start[digit] = before + start[digit], before
        for entry in source:
            digit = (entry >> shift) & mask
            sorted_[start[digit]] = entry
            start[digit] += 1
        source, sorted_ = sorted_, source
    for i in range(n):  # not line[:] = source, whose error messages take longer to compile than all of this
        line[i] = source[i]


@inner
def sort_few(line: np.ndarray, x: np.ndarray) -> None:
    """Sort a few entries by the values of their rows: insertion sort."""
    for i in range(1, len(line)):
        entry, k = line[i], i
        while k > 0 and x[line[k - 1] & ROW] > x[entry & ROW]:
            line[k] = line[k - 1]
            k -= 1
        line[k] = entry


@compiled
def sort_equal(x: np.ndarray, bits: np.ndarray, line: np.ndarray, spare: np.ndarray) -> None:
    """Sort the entries whose upper bits are equal by the lower bits of their values."""
    start, n = 0, len(line)
    while start < n:
        end, key = start + 1, line[start] >> CODE
        while end < n and line[end] >> CODE == key:
            end += 1
        run = line[start:end]
        if len(run) <= ONE_BY_ONE:
            sort_few(run, x)
        else:
            for i in range(len(run)):
                run[i] = half_of(bits[run[i] & ROW], 64, False) << CODE | (run[i] & TAG)
            sort_entries(run, spare[: len(run)])
        start = end


@compiled
def line_up(
    x: np.ndarray, bits: np.ndarray, tags: np.ndarray, line: np.ndarray, spare: np.ndarray,
    values: np.ndarray,
) -> int:  # fmt: skip
    """Write the line of a numeric feature; return the number of its distinct values.

    Parameters
    ----------
    x : float ndarray of shape (n,)
        Its values, without -0.0.
    bits : int ndarray of shape (n,)
        The values, read as integers.
    tags : int ndarray of shape (n,)
        The tags of the rows, below 0 for rows that do not count.
    line, spare : int64 ndarray
        Arrays with the length of the rows that count.
    values : float32 ndarray
        Takes the distinct values, unless it is empty.
    """
    i, width, has_room = 0, 8 * bits.itemsize, len(values) > 0
    for row in range(len(bits)):
        if tags[row] >= 0:
            line[i] = half_of(bits[row], width, True) << CODE | tags[row]
            i += 1
    sort_entries(line, spare)
    if width == 64:
        sort_equal(x, bits, line, spare)
    code, last, row_before = -1, np.int64(0), np.int64(0)
    for i in range(len(line)):
        key, row = line[i] >> CODE, line[i] & ROW
        if i == 0 or key != last or (width == 64 and x[row] != x[row_before]):
            code += 1
            if has_room:
                values[code] = x[row]
        line[i] = np.int64(code) << CODE | (line[i] & TAG)
        last, row_before = key, row
    return code + 1


@compiled
def two_values(x: np.ndarray) -> tuple[float, float]:
    """Return the only two values of a column, the smaller one first; two equal ones if there are not two.

    Examples
    --------
    >>> two_values(np.array([2.0, 1.0, 2.0])), two_values(np.array([1.0, 2.0, 3.0]))
    ((1.0, 2.0), (0.0, 0.0))
    """
    low = high = x[0]
    for value in x:
        if low != value != high:
            if low != high:
                return 0.0, 0.0
            low, high = min(low, value), max(high, value)
    return float(low), float(high)
