"""Description of one node: sums, impurity, and whether it is a leaf whatever splits there are.

Examples
--------
>>> mean = np.zeros(1)
>>> impurity, all_equal = average(np.arange(2), np.array([[1.0, 3.0]]), np.empty(0), 2.0, mean)
>>> float(impurity), bool(all_equal), mean
(1.0, False, array([2.]))
"""

import math

import numpy as np

from dtlib.arrays import LN_2, ROOT_OF_HALF, odd_series
from dtlib.compiled.state import (
    BINARY,
    CHANNELS,
    ENTROPY,
    ERROR,
    MEDIANS,
    PAIRS,
    RATES,
    ROW,
    Bounds,
    CriterionState,
)
from dtlib.counting.targets import BITS, FINEST
from dtlib.jit.compiling import inner
from dtlib.tree import reasons

AS_PURE, AS_DEEP, AS_SMALL, AS_IMPURE = map(
    reasons.code_of, (reasons.PURE, reasons.DEPTH, reasons.SMALL, reasons.IMPURITY)
)

series = inner(odd_series)


@inner
def closed(bounds: Bounds, depth: int, weight: float, rows: int, stake: float, pure: bool) -> int:
    """Return why a node is a leaf whatever splits there are, 0 if it is open."""
    if pure:
        return AS_PURE
    if depth == bounds.max_depth:
        return AS_DEEP
    if weight < bounds.min_split or rows < bounds.min_split_rows:
        return AS_SMALL
    return AS_IMPURE if stake <= bounds.min_impurity * weight else 0


@inner
def weight_of(line: np.ndarray, weight: np.ndarray) -> int:
    """Return the weight of some rows, an integer."""
    if len(weight) == 0:
        return len(line)
    n = 0
    for entry in line:
        n += weight[entry & ROW]
    return n


@inner
def sum_classes(line: np.ndarray, goal: CriterionState, sums: np.ndarray) -> None:
    """Sum the classes, or the channels, of the rows of a node."""
    sums[:] = 0
    if goal.kind == CHANNELS or goal.kind == RATES:
        for entry in line:
            for k in range(len(sums)):
                sums[k] += goal.channels[k, entry & ROW]
    elif len(goal.weight):
        for entry in line:
            sums[goal.label[entry & ROW]] += goal.weight[entry & ROW]
    else:
        for entry in line:
            sums[goal.label[entry & ROW]] += 1


@inner
def lost(goal: CriterionState, c: int, n: int) -> float:
    """Return the term of one class, of weight c in n, in the gain of splits into pure branches."""
    if goal.kind == ENTROPY:
        return goal.table[c]
    return c * 1.0 * (n - c)


@inner
def max_gain(goal: CriterionState, sums: np.ndarray, n: int) -> tuple[float, float, bool]:
    """Return the gain of splits into pure branches, its possible rounding error, and if the node is pure."""
    total, pure = 0.0, True
    whole = goal.table[n] if goal.kind == ENTROPY else 0.0
    for g in range(len(goal.ends) - 1):
        first, last = (1, goal.n_classes) if goal.n_classes else (goal.ends[g], goal.ends[g + 1])
        rest, largest, inside = n, 0, 0.0
        for k in range(first, last):
            rest -= sums[k]
            largest = max(largest, sums[k])
            term = lost(goal, sums[k], n)
            inside = inside + term if k > first else term
        largest, term = max(largest, rest), lost(goal, rest, n)
        inside = inside + term if last > first else term
        pure = pure and largest == n
        if goal.kind == ENTROPY:
            total += whole - inside
        elif goal.kind == ERROR:
            total += n - largest
        elif goal.kind == BINARY or goal.kind == PAIRS or goal.kind == CHANNELS:
            total += inside / n
        else:
            raise ValueError("this kind of score is not of classes")
    rounded = 1e-15 * (whole + n) if goal.kind == ENTROPY else 0.0
    return total / (len(goal.ends) - 1), rounded, pure


@inner
def average(
    line: np.ndarray, y: np.ndarray, share: np.ndarray, n: float, mean: np.ndarray
) -> tuple[float, bool]:
    """Write the mean of each output, given the rows in their fixed order; return impurity and purity."""
    impurity, same = 0.0, True
    for o in range(len(y)):
        low = high = y[o, line[0] & ROW]
        total = spread = 0.0
        for entry in line:
            x = y[o, entry & ROW]
            low, high = min(low, x), max(high, x)
            total += x * share[entry & ROW] if len(share) else x
        mean[o] = min(max(total / n, low), high)
        for entry in line:
            d = y[o, entry & ROW] - mean[o]
            spread += d * d * share[entry & ROW] if len(share) else d * d
        impurity += spread / n / len(y)
        same = same and low == high
    return (0.0 if same else impurity), same


@inner
def excess(m: float) -> float:
    """Return m ln m - m + 1 by the operations of `dtlib.arrays.log_excess`."""
    half, power = math.frexp(m)
    if half < ROOT_OF_HALF:
        half, power = 2 * half, power - 1
    s = (half - 1) / (half + 1)
    q = s * s
    p = series(q)
    if power == 0:
        return 2 * (q + (s + q) * p) / (1 - s)
    return m * (power * LN_2 + 2 * s * (1 + p)) - (m - 1)


@inner
def rate(line: np.ndarray, y: np.ndarray, share: np.ndarray, n: float) -> tuple[float, float, bool]:
    """Return the mean of counts, half their mean Poisson deviance from it, and if all are equal."""
    low = high = y[line[0] & ROW]
    total = spread = 0.0
    for entry in line:
        x = y[entry & ROW]
        low, high = min(low, x), max(high, x)
        total += x * share[entry & ROW] if len(share) else x
    mean = min(max(total / n, low), high)
    if low == high:
        return mean, 0.0, True
    for entry in line:
        lost = mean * excess(y[entry & ROW] / mean)
        spread += lost * share[entry & ROW] if len(share) else lost
    return mean, spread / n, False


@inner
def middle(
    line: np.ndarray,
    y: np.ndarray,
    weight: np.ndarray,
    share: np.ndarray,
    n: float,
    total: int,
    is_rounded: bool,
) -> tuple[float, float, bool]:
    """Return the median of targets that ascend along a line, their absolute error, and if all are equal."""
    rows = len(line)
    low = high = 0
    if len(weight):
        slack, below = rows if is_rounded else 0, weight[line[0] & ROW]
        while 2 * below - total < -slack:
            low += 1
            below += weight[line[low] & ROW]
        high = low
        while 2 * below - total <= slack and high < rows - 1:
            high += 1
            below += weight[line[high] & ROW]
    else:
        low, high = (rows - 1) // 2, rows // 2
    center = y[line[low] & ROW] / 2 + y[line[high] & ROW] / 2
    spread = 0.0
    for entry in line:
        d = abs(y[entry & ROW] - center)
        spread += d * share[entry & ROW] if len(share) else d
    same = y[line[0] & ROW] == y[line[-1] & ROW]
    return center, (0.0 if same else spread / n), same


@inner
def center(line: np.ndarray, goal: CriterionState, mean: np.ndarray, sums: np.ndarray) -> float:
    """Write distances from the mean, in the finest unit their sums allow, and the sums; return the unit."""
    largest = 0.0
    for o in range(len(mean)):
        total = 0.0
        for entry in line:
            d = goal.y[o, entry & ROW] - mean[o]
            total += abs(d * goal.share[entry & ROW]) if len(goal.share) else abs(d)
        largest = max(largest, total)
    shift = min(BITS - math.frexp(largest)[1], FINEST)
    factor = math.ldexp(1.0, shift)
    sums[:] = 0
    for o in range(len(mean)):
        for entry in line:
            d = goal.y[o, entry & ROW] - mean[o]
            if len(goal.share):
                d *= goal.share[entry & ROW]
            whole = np.int64(np.rint(d * factor))
            goal.channels[o, entry & ROW] = whole
            if goal.kind == MEDIANS:
                goal.centered[o, entry & ROW] = (goal.y[o, entry & ROW] - mean[o]) * factor
            sums[o] += whole
    return math.ldexp(1.0, -shift) if goal.kind == MEDIANS else math.ldexp(1 / goal.unit, -2 * shift)
