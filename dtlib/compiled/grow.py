"""Growing depth first: a node is the same stretch of every line, and a split divides the lines in place.

The smaller branch of a split is grown first, so at most about log2(rows) nodes wait. Branches of a middling
size may be put aside: their stretches have no row in common, so that several threads can grow them at once.

Examples
--------
>>> level_by_level(np.array([[1, 4], [2, 3], [-1, -1], [-1, -1], [-1, -1]]), 5)
array([0, 1, 4, 2, 3])
"""

import math

import numpy as np

from dtlib.arrays import TINY
from dtlib.compiled.describe import (
    average,
    center,
    closed,
    max_gain,
    middle,
    rate,
    sum_classes,
    weight_of,
)
from dtlib.compiled.lines import known_rows
from dtlib.compiled.seek import best_node_split, hashed
from dtlib.compiled.state import (
    CODE,
    MEDIANS,
    RATES,
    ROW,
    Bounds,
    CriterionState,
    Grown,
    NodeAt,
    Table,
    Waiting,
    Work,
)
from dtlib.jit.compiling import compiled, inner
from dtlib.search.level import TIE
from dtlib.tree import reasons

AS_FEW, AS_CONSTANT, AS_USELESS, AS_LITTLE, AS_TOO_LITTLE = map(
    reasons.code_of, (reasons.FEW, reasons.NO_FEATURE, reasons.NO_GAIN, reasons.BELOW, reasons.DECREASE)
)
WAITING = 80  # nodes: more than twice log2 of any number of rows
PIECES = 16  # branches with fewer rows than `largest` by this factor are not put aside


@inner
def part(line: np.ndarray, side: np.ndarray, spare: np.ndarray) -> None:
    """Bring the rows that go left to the front of a line; both sides keep their order."""
    left = right = 0
    for entry in line:  # no branch: both positions are written, and only one counter moves on
        goes = side[entry & ROW]
        spare[right] = entry
        line[left] = entry
        left += goes
        right += 1 - goes
    for i in range(right):
        line[left + i] = spare[i]


@inner
def keep_left(line: np.ndarray, side: np.ndarray) -> None:
    """Bring the rows that go left to the front of a line; the rest of the line may be overwritten."""
    left = 0
    for entry in line:
        line[left] = entry
        left += side[entry & ROW]


@inner
def keep_right(line: np.ndarray, side: np.ndarray) -> None:
    """Bring the rows that go right to the end of a line; the entries before may be overwritten."""
    right = len(line) - 1
    for i in range(len(line) - 1, -1, -1):
        entry = line[i]
        line[right] = entry
        right -= 1 - side[entry & ROW]


@inner
def take_sides(
    table: Table, start: int, end: int, f: int, cut: int, goal: CriterionState, bounds: Bounds,
    active: np.ndarray, work: Work,
) -> tuple[int, int]:  # fmt: skip
    """Write which rows go left, and divide the last line; return where these end, and all that go on."""
    place, side, left = table.place[f], work.side, cut
    if place >= 0:
        line = table.lines[place, start:end]
        known = known_rows(line, table.missing[f])
        if known < len(line) and not bounds.missing_to_majority:
            leave_behind(table, start, end, line[known:], active, side)
            end, line = start + known, line[:known]
        for i in range(len(line)):
            side[line[i] & ROW] = i < cut
        weight = goal.weight
        if known < len(line) and weight_of(line[:cut], weight) >= weight_of(line[cut:known], weight):
            for entry in line[known:]:
                side[entry & ROW] = True
            left += len(line) - known
    else:
        for i in range(start, end):
            row = table.lines[-1, i] & ROW
            side[row] = table.twos[row, -1 - place] == 0
    part(table.lines[-1, start:end], side, work.spare)
    return start + left, end


@inner
def leave_behind(
    table: Table, start: int, end: int, lost: np.ndarray, active: np.ndarray, stays: np.ndarray
) -> None:
    """Bring all rows but those in `lost`, which stay at the node, to the front of the lines."""
    for entry in table.lines[-1, start:end]:
        stays[entry & ROW] = True
    for entry in lost:
        stays[entry & ROW] = False
    for g in range(len(active)):
        if table.place[g] >= 0 and active[g]:
            keep_left(table.lines[table.place[g], start:end], stays)
    keep_left(table.lines[-1, start:end], stays)


@inner
def part_all(
    table: Table, start: int, end: int, f: int, active: np.ndarray, left: bool, right: bool, work: Work
) -> None:
    """Divide the lines that the branches still need, except for that of the split itself."""
    lines, place, side, spare = table.lines, table.place, work.side, work.spare
    for g in range(len(active)):
        if place[g] < 0 or not active[g] or (g == f and table.missing[f] < 0):
            continue
        line = lines[place[g], start:end]
        if left and right:
            part(line, side, spare)
        elif left:
            keep_left(line, side)
        elif right:
            keep_right(line, side)


@inner
def verdict(bounds: Bounds, f: int, gain: float, n: float, slack: float) -> int:
    """Return why a searched node stays a leaf, 0 if it is split."""
    if f < 0:
        return AS_FEW if bounds.has_least else AS_CONSTANT
    if gain <= slack and not bounds.zero_gain:
        return AS_USELESS
    if gain < bounds.min_gain * n - slack:
        return AS_LITTLE
    return AS_TOO_LITTLE if gain < bounds.min_decrease - slack else 0


@inner
def open_node(
    line: np.ndarray, me: int, depth: int, goal: CriterionState, bounds: Bounds, grown: Grown
) -> float:
    """Describe a node, given its rows; return its slack: how far apart equal scores may be."""
    n, sums, unit = weight_of(line, goal.weight), grown.sums[me], goal.unit
    grown.child[me] = grown.feature[me] = grown.low[me] = grown.high[me] = -1
    if goal.is_class:
        sum_classes(line, goal, sums)
        stake, rounded, pure = max_gain(goal, sums, n)
    else:
        mean = grown.mean[me]
        if goal.kind == MEDIANS:
            mean[0], impurity, pure = middle(
                line, goal.y[0], goal.weight, goal.share, n * goal.unit, n, goal.unit != 1
            )
        elif goal.kind == RATES:
            mean[0], impurity, pure = rate(line, goal.y[0], goal.share, max(n * goal.unit, TINY))
        else:
            impurity, pure = average(line, goal.y, goal.share, max(n * goal.unit, TINY), mean)
        grown.impurity[me], stake, rounded = impurity, n * impurity, 0.0
    stop = closed(bounds, depth, n * goal.unit, len(line), stake * goal.unit, pure)
    if goal.kind == RATES:
        unit = goal.unit_of_sums
        sum_classes(line, goal, sums)
        rounded = 1e-15 * math.sqrt(stake * (goal.unit / unit) * sums[0])
    elif not stop and not goal.is_class:
        unit = center(line, goal, grown.mean[me], sums)
    grown.n[me], grown.rows[me], grown.score[me], grown.unit[me], grown.stop[me] = (
        n,
        len(line),
        0.0,
        unit,
        stop,
    )
    return TIE * stake * (goal.unit / unit) + rounded


@inner
def split_node(
    table: Table, start: int, end: int, me: int, goal: CriterionState, bounds: Bounds, slack: float,
    active: np.ndarray, key: np.uint64, work: Work, grown: Grown,
) -> int:  # fmt: skip
    """Find the split of a node, and write it; return how many rows go left, 0 if it does not split.

    The tuple is made here, as what is inlined costs nothing; given one, this function took a tenth longer.
    """
    unit, node = grown.unit[me], NodeAt(start, end, grown.n[me], slack, key)
    f, score, cut = best_node_split(table, node, goal, bounds, grown.sums[me], work, active)
    gain = score * unit if f >= 0 else 0.0
    grown.stop[me] = verdict(bounds, f, gain, node.n * goal.unit, node.slack * unit)
    if grown.stop[me]:
        return 0
    grown.feature[me], grown.score[me] = f, score
    grown.low[me], grown.high[me] = 0, 1 << CODE
    if table.place[f] >= 0:
        line = table.lines[table.place[f], node.start : node.end]
        grown.low[me], grown.high[me] = line[cut - 1], line[cut]
    return cut


@inner
def put(waiting: Waiting, at: int, piece: tuple[int, int, int, int], key: np.uint64, slack: float) -> None:
    """Push a node on the stack: where its rows begin and end, its depth, and its index."""
    waiting.where[at], waiting.key[at], waiting.slack[at] = piece, key, slack


@compiled
def grow_lines(
    table: Table, goal: CriterionState, bounds: Bounds, work: Work, grown: Grown, waiting: Waiting,
    nodes: int, largest: int,
) -> tuple[int, int]:  # fmt: skip
    """Grow the tree of the rows of a table, or a branch that was put aside; the lines are divided in place.

    Parameters
    ----------
    waiting : Waiting
        The stack; for a branch that was put aside, its first entry describes it.
    nodes : int
        Index of the first new node; 0 for a tree.
    largest : int
        Branches of at most this many rows, but not of far fewer, are put aside; 0 for none.

    Returns
    -------
    tuple
        The index after the last node, and how many branches were put aside, the last entries of `waiting`.
    """
    rows, active = table.lines[-1], np.empty(len(table.place), np.bool_)
    top, aside = 1, len(waiting.key)
    if nodes == 0:
        nodes, waiting.active[0] = 1, True
        put(waiting, 0, (0, len(rows), 0, 0), bounds.key, open_node(rows, 0, 0, goal, bounds, grown))
        top = 1 if grown.stop[0] == 0 else 0
    while top:
        top -= 1
        start, end, depth, me = waiting.where[top]
        key, slack = waiting.key[top], waiting.slack[top]
        active[:] = waiting.active[top]
        cut = split_node(table, start, end, me, goal, bounds, slack, active, key, work, grown)
        if cut == 0:
            continue
        f = grown.feature[me]
        middle, end = take_sides(table, start, end, f, cut, goal, bounds, active, work)
        for k in range(2):  # the larger branch waits below the smaller one
            branch = int(middle - start < end - middle) ^ k
            a, b, child = (middle, end, nodes + 1) if branch else (start, middle, nodes)
            slack = open_node(rows[a:b], child, depth + 1, goal, bounds, grown)
            grown.child[me, branch] = child
            if grown.stop[child] == 0:
                at, later = top, largest // PIECES < b - a <= largest
                aside, top = (aside - 1, top) if later else (aside, top + 1)
                at = aside if later else at
                waiting.active[at] = active
                put(waiting, at, (a, b, depth + 1, child), hashed(key + np.uint64(branch + 1)), slack)
        part_all(table, start, end, f, active, grown.stop[nodes] == 0, grown.stop[nodes + 1] == 0, work)
        nodes += 2
    return nodes, len(waiting.key) - aside


@compiled
def level_by_level(child: np.ndarray, nodes: int) -> np.ndarray:
    """Return the indices of the nodes of a tree, level by level."""
    queue, end = np.zeros(nodes, np.int64), 1
    for i in range(nodes):
        me = queue[i]
        if child[me, 0] >= 0:
            queue[end], queue[end + 1] = child[me, 0], child[me, 1]
            end += 2
    return queue
