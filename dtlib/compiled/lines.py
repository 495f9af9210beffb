"""The lines from which a compiled tree grows: for each feature, its rows in the order of its values.

Examples
--------
>>> line = np.empty(3, np.int64)
>>> tally(np.array([1, 0, 1]), 2, np.arange(3), line)
>>> (line >> CODE).tolist(), (line % 2**CODE).tolist()
([0, 1, 1], [1, 0, 2])
"""

import numpy as np

from dtlib.compiled.state import CODE, NEAR
from dtlib.jit.compiling import compiled, inner


@compiled
def fill_presorted(codes: np.ndarray, order: np.ndarray, tags: np.ndarray, line: np.ndarray) -> None:
    """Write a line, given the rows in the order of their values; rows that do not count have the tag -1."""
    i = np.int64(0)
    for row in order:  # no branch on the tag, as whether a row was drawn cannot be foreseen
        if i == len(line):
            break
        line[i] = np.int64(codes[row]) << CODE | tags[row]
        i += np.int64(tags[row] >= 0)


@compiled
def mark_near(line: np.ndarray, values: np.ndarray, gap: np.float32) -> None:
    """Mark the entries whose next value is too close, given all values; an empty array if none are close."""
    if len(values) == 0:
        return
    for i in range(len(line)):
        code = line[i] >> CODE
        if code + 1 < len(values) and values[code + 1] <= values[code] + gap:
            line[i] |= NEAR


@compiled
def tally(codes: np.ndarray, n_values: int, tags: np.ndarray, line: np.ndarray) -> None:
    """Write a line by counting sort; missing values come last, as one more value."""
    start = np.zeros(n_values + 2, np.int64)
    for row in range(len(codes)):
        if tags[row] >= 0:
            start[(codes[row] if codes[row] >= 0 else n_values) + 1] += 1
    for code in range(n_values):
        start[code + 1] += start[code]
    for row in range(len(codes)):
        if tags[row] >= 0:
            code = codes[row] if codes[row] >= 0 else n_values
            line[start[code]] = np.int64(code) << CODE | tags[row]
            start[code] += 1


@compiled
def any_close(x: np.ndarray, gap: np.float32) -> bool:
    """Tell whether two neighboring values are no further apart than the gap."""
    for i in range(1, len(x)):  # noqa: SIM110
        if x[i] <= x[i - 1] + gap:
            return True
    return False


@inner
def known_rows(line: np.ndarray, missing: int) -> int:
    """Return how many entries of a line come before those of missing values."""
    rows = len(line)
    while rows > 0 and line[rows - 1] >> CODE == missing:
        rows -= 1
    return rows
