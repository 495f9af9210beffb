"""The cuts of a level that may be the best ones: one walk along each line, for all nodes at once.

A line holds the rows of a feature in the order of its values, missing values last, as in
`dtlib.compiled.scans`. A row may be in several nodes, with a share of its weight in each; every node keeps
running sums. The gain of a cut is only estimated here. All cuts are listed whose estimate is so close to the
best one of the node that either may be larger: NumPy measures these, so that the logarithms are NumPy's, and
equal cuts are equal.

Examples
--------
>>> entries = ByRow(np.empty(4, np.int32), np.empty(3, np.int64), np.empty(3))
>>> row, node, label = np.array([2, 0, 2]), np.array([0, 0, 1]), np.array([1, 1, 1])
>>> by_row(row, node, label, np.array([1.0, 1.0, 0.5]), entries)
>>> entries.first.tolist(), (entries.at >> CODE).tolist(), entries.weight.tolist()
([0, 1, 1, 3], [0, 0, 1], [1.0, 1.0, 0.5])
"""

import math
from typing import NamedTuple

import numpy as np

from dtlib.compiled.state import CODE, ROW
from dtlib.jit.compiling import compiled, inlined, inner

ESTIMATE_ERROR = 1e-9  # bits by which an estimate and a gain may differ: far above the effect of rounding
PER_BIT, THIRD = 1 / math.log(2), 1 / 3
MANTISSA, LOG_BITS = 52, 9  # bits of the fraction of a float; the first of them index the table of logarithms
BITS_OF_ONE = 1023 << MANTISSA  # the bits of 1.0

# The state of a node during a walk, side by side in one row because it is needed at once: weight met so far,
# number of cuts, least gain, weight of the node, known weight, least weight of a side, tolerance of a gain;
# then for each class: the weight met, its share in the known weight, and the reciprocal of this share.
MET, TRIES, FLOOR, ALL, KNOWN, ENOUGH, SLACK, OF_CLASS = range(8)
LEFT, SHARE, PER_SHARE, PER_CLASS = range(4)


class ByRow(NamedTuple):
    """The entries of a level in the order of their rows."""

    first: np.ndarray  # int32, (rows + 1,): where the entries of each row begin
    at: np.ndarray  # node and class in one integer: the node, shifted by 32 bits, plus the class
    weight: np.ndarray


class KnownOf(NamedTuple):
    """Sums over the known values of each feature at each node: shape (features, nodes)."""

    known: np.ndarray  # (features, nodes, K): class weights of the entries whose value is known
    n: np.ndarray  # the sum of these
    pure: np.ndarray  # their entropy times their weight, in bits: the gain of pure branches
    all: np.ndarray  # the weight of all entries
    least: np.ndarray  # least weight of either side of a cut
    enough: np.ndarray  # least weight, less the tolerance


class Listed(NamedTuple):
    """Cuts that may be the best ones, and for each feature and node the number of all its cuts."""

    node: np.ndarray  # feature * nodes + node
    low: np.ndarray
    high: np.ndarray
    left: np.ndarray  # (cuts, K)
    n: np.ndarray
    gain: np.ndarray  # estimated, times the weight of the node
    tries: np.ndarray
    close: np.ndarray  # of each feature: whether the order of additions may decide if a side is large enough


class Judged(NamedTuple):
    """The settings by which cuts are judged."""

    logs: np.ndarray  # as `logarithms` returns them
    gap: float  # no cut comes between values no further apart than this
    close: float  # weights that differ by less are close; 0 if none are
    slack: float  # gains that are lower by more are not listed


def logarithms() -> np.ndarray:
    """Return reciprocals and logarithms of the midpoints of equal intervals between 1 and 2."""
    middle = 1 + (np.arange(1 << LOG_BITS) + 0.5) / (1 << LOG_BITS)
    return np.stack([1 / middle, np.log2(middle)], axis=1)


@compiled
def by_row(row: np.ndarray, node: np.ndarray, label: np.ndarray, weight: np.ndarray, entries: ByRow) -> None:
    """Bring entries into the order of their rows."""
    first, total = entries.first, 0
    first[:] = 0
    for r in row:
        first[r] += 1
    for r in range(len(first)):
        total += first[r]
        first[r] = total
    for i in range(len(row) - 1, -1, -1):
        place = first[row[i]] - 1
        first[row[i]] = place
        entries.at[place], entries.weight[place] = np.int64(node[i]) << CODE | label[i], weight[i]


@inlined
def logarithm(x, logs):
    """Return x log2 x approximately: from the exponent, a logarithm in a table, and a short series."""
    bits = np.float64(x).view(np.int64)
    place = (bits >> MANTISSA - LOG_BITS) & (1 << LOG_BITS) - 1
    r = np.int64(bits & (1 << MANTISSA) - 1 | BITS_OF_ONE).view(np.float64) * logs[place, 0] - 1
    return x * ((bits >> MANTISSA) - 1023 + logs[place, 1] + r * (1 - r * (0.5 - r * THIRD)) * PER_BIT)


@inlined
def gain_at_most(node, K, n_left, n_right):
    """Return a tight upper bound on the gain of a cut times its weight, in bits, without logarithms.

    A branch with expected weight e of a class that has e (1 + x) adds e ((1 + x) log(1 + x) - x) to the gain,
    which is at most e x² / 2 for x > 0. With t e less than expected, it is at most e t² / 2 times 1 + t.
    """
    total, of_left, of_right = 0.0, 1 / n_left, 1 / n_right
    for k in range(OF_CLASS, OF_CLASS + PER_CLASS * K - 1, PER_CLASS):
        d = node[k + LEFT] - n_left * node[k + SHARE]
        per_side, of_less = abs(d) * node[k + PER_SHARE], of_left if d < 0 else of_right
        total += abs(d) * per_side * (of_left + of_right + per_side * of_less * of_less)
    return total * (PER_BIT / 2)


@inlined
def judge(f, j, low, high, node, whole, judged, found, used):
    """Estimate the gain of a cut, and list the cut if it may be the best; return how many are listed."""
    known, n, logs = whole.known[f, j], node[MET], judged.logs
    lost = logarithm(n, logs) + logarithm(node[KNOWN] - n, logs)
    for k in range(len(known)):
        left = node[OF_CLASS + PER_CLASS * k]
        found.left[used, k] = left
        lost -= logarithm(left, logs) + logarithm(known[k] - left, logs)
    gain = whole.pure[f, j] - lost
    found.low[used], found.high[used], found.n[used], found.gain[used] = low, high, n, gain
    found.node[used] = f * whole.n.shape[1] + j
    if gain < node[FLOOR]:
        return used
    node[FLOOR] = max(node[FLOOR], gain - node[SLACK])
    return used + 1


@inner
def walk_line(
    f: int, line: np.ndarray, values: np.ndarray, entries: ByRow, whole: KnownOf, last: np.ndarray,
    nodes: np.ndarray, judged: Judged, found: Listed,  used: int,
) -> int:  # fmt: skip
    """List the cuts of one feature that may be the best of their nodes; return how many are listed."""
    first, at, weight, gap, K = entries.first, entries.at, entries.weight, judged.gap, whole.known.shape[2]
    for entry in line:
        row, code = entry & ROW, entry >> CODE
        for e in range(first[row], first[row + 1]):
            j, k = at[e] >> CODE, at[e] & ROW
            low, node = last[j], nodes[j]
            if low >= 0 and low != code and (gap == 0 or values[code] > values[low] + gap):
                n_left, n_right = node[MET], node[KNOWN] - node[MET]
                smaller = min(n_left, n_right)
                if judged.close > 0 and abs(smaller - whole.least[f, j]) < judged.close:
                    found.close[f] = True
                if smaller >= node[ENOUGH]:
                    node[TRIES] += 1
                    if gain_at_most(node, K, n_left, n_right) >= node[FLOOR]:
                        used = judge(f, j, low, code, node, whole, judged, found, used)
            last[j] = code
            node[MET] += weight[e]
            node[OF_CLASS + PER_CLASS * k] += weight[e]
    return used


@inner
def drop(found: Listed, start: int, used: int, f: int, nodes: np.ndarray) -> int:
    """Drop the cuts of a feature that have turned out to be worse than others; return how many remain."""
    kept = start
    for i in range(start, used):
        if found.gain[i] >= nodes[found.node[i] - f * len(nodes), FLOOR]:
            found.node[kept], found.low[kept], found.high[kept] = found.node[i], found.low[i], found.high[i]
            found.n[kept] = found.n[i]
            for k in range(found.left.shape[1]):
                found.left[kept, k] = found.left[i, k]
            kept += 1
    return kept


@inner
def start_line(f: int, whole: KnownOf, slack: float, last: np.ndarray, nodes: np.ndarray) -> None:
    """Write the initial state of each node before a walk along a line."""
    last[:] = -1
    for j in range(len(nodes)):
        n, node = whole.n[f, j], nodes[j]
        node[MET], node[TRIES], node[FLOOR], node[ALL], node[KNOWN] = 0.0, 0.0, -np.inf, whole.all[f, j], n
        node[ENOUGH], node[SLACK] = whole.enough[f, j], slack * whole.all[f, j]
        for k in range(whole.known.shape[2]):
            known, here = whole.known[f, j, k], OF_CLASS + PER_CLASS * k
            node[here + LEFT] = node[here + SHARE] = node[here + PER_SHARE] = 0.0
            if known > 0:
                node[here + SHARE], node[here + PER_SHARE] = known / n, n / known


@compiled
def keep_live(lines: np.ndarray, length: np.ndarray, first: np.ndarray) -> None:
    """Leave the rows without an entry out of the lines."""
    for f in range(len(lines)):
        kept = 0
        for i in range(length[f]):
            entry = lines[f, i]
            lines[f, kept] = entry
            row = entry & ROW
            kept += first[row + 1] > first[row]
        length[f] = kept


@compiled
def count_known(
    lines: np.ndarray, length: np.ndarray, missing: np.ndarray, entries: ByRow, known: np.ndarray,
    rows: np.ndarray, ends: np.ndarray,
) -> None:  # fmt: skip
    """Subtract the missing values of each feature from class weights and numbers of entries of each node.

    Also write where the rows with known values end.
    """
    for f in range(len(lines)):
        end = length[f]
        while end > 0 and lines[f, end - 1] >> CODE == missing[f]:
            end -= 1
            row = lines[f, end] & ROW
            for e in range(entries.first[row], entries.first[row + 1]):
                j = entries.at[e] >> CODE
                known[f, j, entries.at[e] & ROW] -= entries.weight[e]
                rows[f, j] -= 1
        ends[f] = end


@compiled
def list_best(
    start: int, lines: np.ndarray, ends: np.ndarray, flat: np.ndarray, begin: np.ndarray, entries: ByRow,
    whole: KnownOf, judged: Judged, found: Listed,
) -> tuple[int, int]:  # fmt: skip
    """List the cuts that may be the best ones, feature by feature, as long as there is memory for one more.

    Returns the feature with which to go on, and how many cuts are listed.
    """
    f, used, (_, J, K) = start, 0, whole.known.shape
    last, nodes = np.empty(J, np.int64), np.empty((J, OF_CLASS + PER_CLASS * K))
    while f < len(lines) and len(found.node) - used > len(entries.at):
        before, values = used, flat[begin[f] : begin[f + 1]]
        start_line(f, whole, judged.slack, last, nodes)
        used = walk_line(f, lines[f, : ends[f]], values, entries, whole, last, nodes, judged, found, used)
        used = drop(found, before, used, f, nodes)
        for j in range(J):
            found.tries[f, j] = int(nodes[j, TRIES])
        f += 1
    return f, used
