"""The best cuts of lines of values, most of which are never sorted: for hyperplanes (chapter 22).

The points of a line are dealt into buckets, from small to large values, and the classes in each bucket are
summed. These sums alone bound the score of a cut in a bucket, because the scores of all criteria are convex.
Only the few buckets in which a cut may be as good as the best one are sorted.

Examples
--------
>>> one, whole, point = np.ones(4, np.int64), np.array([2, 2]), np.arange(4)
>>> how = whole, whole / 4, CHANNELS, np.array([1, 2]), 2.0, np.empty(0), 0.0, 1e-9
>>> members = Members(point, np.array([0, 0, 1, 1]), one, *how)
>>> room, found = make_room(4, 4, 2), np.empty((3, 1))
>>> cut_lines(np.array([[-5.0, -3.0, -6.0, -9.0]]), np.ones((1, 4)), members, room, 0.0, *found)
>>> found.ravel()  # the best score, and the numbers on both sides of the cut
array([2., 5., 6.])
"""

from typing import NamedTuple

import numpy as np

from dtlib.compiled.scans import largest_of, logs_of, pairs_apart, squares
from dtlib.compiled.state import CHANNELS, ENTROPY, ERROR, PAIRS
from dtlib.jit.compiling import compiled, inner

SAMPLE = 33  # points of a line from which the range of its values is estimated
FULL = 16  # points to a bucket
RUN = 12  # runs of this length are sorted by insertion
ROUNDED = 1e-10  # more than the rounding error of scores, relative to the weight


class Members(NamedTuple):
    """The points of a node, with a member for each class at each point; and how cuts are scored."""

    point: np.ndarray
    label: np.ndarray
    weight: np.ndarray  # integers
    whole: np.ndarray  # weight of each class in the node
    share: np.ndarray  # `whole` by the weight of the node
    kind: int
    ends: np.ndarray  # ends of the channels of an output, as in `squares`
    scale: float  # factor of the squares
    table: np.ndarray  # n log2 n, for entropy
    least: float  # least weight of each side
    slack: float  # scores no further apart are equal


class Room(NamedTuple):
    """Memory for one line at a time."""

    change: np.ndarray  # of each point: its breakpoint, where it changes sides
    cell: np.ndarray  # bucket and side in one integer: 2 * bucket, + 1 if above before all changes
    after: np.ndarray  # of each member: the next one in its bucket, -1 at the end
    head: np.ndarray  # of each bucket: its first member
    sums: np.ndarray  # of each cell: the weight of each class
    before: np.ndarray  # of each bucket: the weight of each class above a cut at its beginning
    limit: np.ndarray  # of each bucket: an upper bound on the scores of its cuts
    left: np.ndarray
    right: np.ndarray
    key: np.ndarray  # two lines: the breakpoints of a bucket, to be sorted
    tag: np.ndarray  # two lines: their members


def make_room(points: int, members: int, classes: int) -> Room:
    """Allocate memory for lines; the last two buckets are the end, and points that never change sides."""
    buckets = 2 * (points // (2 * FULL) + 2) + 3
    sums, before = np.empty((2 * buckets, classes), np.int64), np.empty((buckets - 1, classes), np.int64)
    left, right = np.empty((2, classes), np.int64)
    return Room(
        np.empty(points), np.empty(points, np.uint32), np.empty(members, np.int32),
        np.empty(buckets, np.int32), sums, before, np.empty(buckets - 1), left, right,
        np.empty((2, max(members, 2 * SAMPLE))), np.empty((2, max(members, 2 * SAMPLE)), np.int32),
    )  # fmt: skip


@inner
def breakpoints(value: np.ndarray, step: np.ndarray, change: np.ndarray) -> None:
    """Write where each point changes sides; infinity if it never does."""
    for i in range(len(change)):
        s = step[i]
        change[i] = -value[i] / s if s != 0 else np.inf


@inner
def insert(key: np.ndarray, tag: np.ndarray, first: int, last: int) -> None:
    """Sort a few keys and their tags by insertion."""
    for i in range(first + 1, last):
        x, member, j = key[i], tag[i], i
        while j > first and key[j - 1] > x:
            key[j], tag[j] = key[j - 1], tag[j - 1]
            j -= 1
        key[j], tag[j] = x, member


@inner
def sort_by_key(keys: np.ndarray, tags: np.ndarray, n: int) -> int:
    """Sort the first n keys and their tags by merging; return in which of the two lines they end."""
    for first in range(0, n, RUN):
        insert(keys[0], tags[0], first, min(first + RUN, n))
    at, run = 0, RUN
    while run < n:
        for first in range(0, n, 2 * run):
            middle, last = min(first + run, n), min(first + 2 * run, n)
            merge(keys[at], tags[at], first, middle, last, keys[1 - at], tags[1 - at])
        at, run = 1 - at, 2 * run
    return at


@inner
def merge(
    key: np.ndarray, tag: np.ndarray, first: int, middle: int, last: int, to_key: np.ndarray,
    to_tag: np.ndarray,
) -> None:  # fmt: skip
    """Merge two sorted stretches."""
    i, j = first, middle
    for k in range(first, last):
        if j == last or (i < middle and not key[j] < key[i]):
            to_key[k], to_tag[k] = key[i], tag[i]
            i += 1
        else:
            to_key[k], to_tag[k] = key[j], tag[j]
            j += 1


@inner
def survey(change: np.ndarray, key: np.ndarray, tag: np.ndarray) -> tuple[float, float]:
    """Return the median of a sample of a line, and the reciprocal of its interquartile range."""
    n = 0
    for i in range(0, len(change), max(1, len(change) // SAMPLE)):
        if np.isfinite(change[i]):
            key[n] = change[i]
            n += 1
    if n == 0:
        return 0.0, 1.0
    insert(key, tag, 0, n)
    reach = key[(3 * n) // 4] - key[n // 4]
    return key[n // 2], min(max(1 / reach, 1e-300), 1e300) if reach > 0 else 1.0


@inner
def deal(
    value: np.ndarray, step: np.ndarray, center: float, scale: float, half: int, change: np.ndarray,
    cell: np.ndarray,
) -> None:  # fmt: skip
    """Write the cell of each point: its bucket, and its side; the buckets near the center are narrow.

    A larger value never comes into a lower bucket: each operation is monotone, however it rounds. Points that
    never change sides come last.
    """
    for i in range(len(change)):
        y, s = (change[i] - center) * scale, step[i]
        size = 1 + abs(y)
        far = half * (1 - 1 / size) if size != 0 else 0.0  # size is at least 1: this tells the compiler
        far = far if far > 0 else 0.0  # also if it is NaN
        bucket = np.int32(half + (far if y > 0 else -far))
        above = s < 0 or (s == 0 and value[i] > 0)
        cell[i] = 2 * (bucket if s != 0 else 2 * half + 2) + above


@inner
def fill(
    point: np.ndarray, label: np.ndarray, weight: np.ndarray, cell: np.ndarray, sums: np.ndarray,
    head: np.ndarray, after: np.ndarray,
) -> None:  # fmt: skip
    """Sum the classes of each cell, and link the members of each bucket."""
    sums[:] = 0
    head[:] = -1
    for e in range(len(point)):
        at = cell[point[e]]
        sums[at, label[e]] += weight[e]
        after[e] = head[at >> 1]
        head[at >> 1] = e


@inner
def at_most(
    low: np.ndarray, high: np.ndarray, n: int, whole: np.ndarray, share: np.ndarray, kind: int, least: float,
    table: np.ndarray,
) -> float:  # fmt: skip
    """Return an upper bound on the score of a cut whose sums on one side lie between these."""
    n_low = n_high = 0
    for k in range(len(low)):
        n_low += low[k]
        n_high += high[k]
    if n_high < max(least, 1) or n - n_low < max(least, 1):
        return -np.inf
    first, last = max(n_low, 1), min(n_high, n - 1)
    if kind == ENTROPY:
        return at_most_of_logs(low, high, whole, first + (last - first) // 2, n, table)
    total, largest, rest = 0.0, 0, 0
    for k in range(len(low)):
        up = high[k] - share[k] * (n_low + high[k] - low[k])
        down = low[k] - share[k] * (n_high - high[k] + low[k])
        total += max(up * up, down * down)
        largest, rest = max(largest, high[k]), max(rest, whole[k] - low[k])
    if kind == ERROR:
        return largest + rest - largest_of(whole) * 1.0
    return total * (n / min(first * 1.0 * (n - first), last * 1.0 * (n - last)))


@inner
def at_most_of_logs(
    low: np.ndarray, high: np.ndarray, whole: np.ndarray, at: int, n: int, table: np.ndarray
) -> float:
    """Bound scores by entropy: -x log2 x of both sides' sizes is below its tangents, the rest is convex."""
    slope = table[at] / at - table[n - at] / (n - at)
    total = slope * at - table[at] - table[n - at] + table[n]
    for k in range(len(low)):
        first = table[low[k]] + table[whole[k] - low[k]] - slope * low[k]
        last = table[high[k]] + table[whole[k] - high[k]] - slope * high[k]
        total += max(first, last) - table[whole[k]]
    return total


@inner
def limit_all(members: Members, room: Room, n: int) -> None:
    """Write the sums above a cut at the beginning of each bucket, and the bound on scores of its cuts."""
    sums, left, right, end = room.sums, room.left, room.right, len(room.limit) - 1
    whole, share, least, kind, table = (
        members.whole, members.share, members.least, members.kind, members.table,
    )  # fmt: skip
    left[:] = 0
    for b in range(len(room.head)):
        for k in range(len(left)):
            left[k] += sums[2 * b + 1, k]
    for b in range(len(room.limit)):
        room.limit[b] = -np.inf
        if room.head[b] < 0 and b < end:
            continue
        for k in range(len(left)):
            room.before[b, k] = left[k]
            right[k] = left[k] + sums[2 * b, k]
            left[k] -= sums[2 * b + 1, k]
        room.limit[b] = at_most(left, right, n, whole, share, kind, least, table)
        for k in range(len(left)):
            left[k] += sums[2 * b, k]


@inner
def worth(counts: np.ndarray, n: int, members: Members) -> float:
    """Return the term of one side, or of the node, in a score."""
    if members.kind == PAIRS:
        return pairs_apart(counts, n)[0]
    if members.kind == ENTROPY:
        return logs_of(counts, members.table)
    return largest_of(counts) * 1.0


@inner
def score_of(
    left: np.ndarray, n_left: int, right: np.ndarray, n: int, of_all: float, members: Members
) -> float:
    """Score a cut, given the classes on one side."""
    n_right, whole, table = n - n_left, members.whole, members.table
    if members.kind == CHANNELS:
        factor = (1 / n_left + 1 / n_right) * members.scale
        return squares(left, whole, n_left / n, members.ends, len(left) > 2) * factor
    for k in range(len(left)):
        right[k] = whole[k] - left[k]
    both = worth(left, n_left, members) + worth(right, n_right, members)
    if members.kind == PAIRS:
        return 2 * (of_all - both)
    if members.kind == ENTROPY:
        return both - (table[n_left] + table[n_right] + of_all - table[n])
    return both - of_all


@inner
def has_room(low: float, high: float, apart: float) -> bool:
    """Tell whether a cut may come between two breakpoints: not too close, and with a finite midpoint."""
    if not high - low > apart * max(1.0, min(abs(low), abs(high))):
        return False
    if low == -np.inf or high == np.inf:
        return True
    return np.isfinite((low + high) / 2)


@inner
def highest(b: int, point: np.ndarray, room: Room) -> float:
    """Return the highest breakpoint before a bucket, -inf if there is none."""
    b -= 1
    while b >= 0 and room.head[b] < 0:
        b -= 1
    x = -np.inf
    if b >= 0:
        e = room.head[b]
        while e >= 0:
            x = max(x, room.change[point[e]])
            e = room.after[e]
    return x


@inner
def gather(b: int, point: np.ndarray, room: Room) -> tuple[int, int]:
    """Sort the breakpoints of a bucket; return how many there are, and in which line they are."""
    n, e = 0, room.head[b]
    if b == len(room.limit) - 1:
        room.key[0, 0], room.tag[0, 0] = np.inf, -1
        return 1, 0
    while e >= 0:
        room.key[0, n], room.tag[0, n] = room.change[point[e]], e
        n += 1
        e = room.after[e]
    return n, sort_by_key(room.key, room.tag, n)


@inner
def scan_bucket(
    b: int, find: float, apart: float, n: int, of_all: float, members: Members, room: Room
) -> tuple[float, float, float]:
    """Return the best score of the cuts before the breakpoints of a bucket, and those beside that cut.

    A finite `find` selects the first cut that scores at least `find`.
    """
    low, best, beside, n_left, left = highest(b, members.point, room), -np.inf, (0.0, 0.0), 0, room.left
    for k in range(len(left)):
        left[k] = room.before[b, k]
        n_left += left[k]
    many, at = gather(b, members.point, room)
    for i in range(many):
        high, e = room.key[at, i], room.tag[at, i]
        n_right = n - n_left
        enough = n_left >= members.least and n_right >= members.least and n_left > 0 and n_right > 0
        if enough and has_room(low, high, apart):
            score = score_of(left, n_left, room.right, n, of_all, members)
            if score > best:
                best, beside = score, (low, high)
            if score >= find:
                break
        low = high
        if e >= 0:
            sign = -1 if room.cell[members.point[e]] & 1 else 1
            left[members.label[e]] += sign * members.weight[e]
            n_left += sign * members.weight[e]
    return best, beside[0], beside[1]


@inner
def search_line(
    apart: float, n: int, of_all: float, members: Members, room: Room
) -> tuple[float, float, float]:
    """Return the best score of a line, and the breakpoints beside the first cut that equals it."""
    limit, top = room.limit, 0
    for b in range(len(limit)):
        if limit[b] > limit[top]:
            top = b
    best, low, high = scan_bucket(top, np.inf, apart, n, of_all, members, room)
    limit[top] = best
    for b in range(len(limit)):
        if b != top and limit[b] > -np.inf and limit[b] >= best - members.slack - ROUNDED * n:
            limit[b] = scan_bucket(b, np.inf, apart, n, of_all, members, room)[0]
            best = max(best, limit[b])
    if best == -np.inf:
        return best, low, high
    b = 0
    while limit[b] < best - members.slack:
        b += 1
    _, low, high = scan_bucket(b, best - members.slack, apart, n, of_all, members, room)
    return best, low, high


@compiled
def cut_lines(
    value: np.ndarray, step: np.ndarray, members: Members, room: Room, apart: float, best: np.ndarray,
    low: np.ndarray, high: np.ndarray,
) -> None:  # fmt: skip
    """Write the best score of each line, and the breakpoints on both sides of its cut.

    The breakpoints are -V / S, of a value V and a step S: there points change sides.
    """
    kind, n, half = members.kind, 0, (len(room.head) - 3) // 2
    if kind != PAIRS and kind != ENTROPY and kind != ERROR and kind != CHANNELS:
        raise ValueError("no line is cut by this kind of score")
    for k in range(len(members.whole)):
        n += members.whole[k]
    of_all = worth(members.whole, n, members)
    for j in range(len(value)):
        breakpoints(value[j], step[j], room.change)
        center, scale = survey(room.change, room.key[0], room.tag[0])
        deal(value[j], step[j], center, scale, half, room.change, room.cell)
        fill(members.point, members.label, members.weight, room.cell, room.sums, room.head, room.after)
        limit_all(members, room, n)
        best[j], low[j], high[j] = search_line(apart, n, of_all, members, room)
