"""Growing by score with compiled code where possible: the same tree, depth first (chapter 8).

Examples
--------
>>> from dtlib.table.columns import Column
>>> target = ClassificationTarget([Column("y", ("no", "yes"), np.array([0, 1]))], None, "gini")
>>> compiled_criterion(target).label.tolist()
[0, 1]
"""

import logging

import numpy as np

from dtlib.arrays import NEARLY
from dtlib.compiled.state import (
    BINARY,
    CHANNELS,
    ENTROPY,
    ERROR,
    MEDIANS,
    PAIRS,
    RATES,
    SQUARES,
    Bounds,
    CriterionState,
    Grown,
    Ranks,
    Table,
    Waiting,
    Work,
)
from dtlib.counting.rates import RateTarget
from dtlib.counting.targets import ClassificationTarget, Target, Totals
from dtlib.growing.loop import log, tell_level
from dtlib.growing.nodes import Nodes
from dtlib.growing.table_in_lines import sides_grown, table_of
from dtlib.jit import NOT_READY, is_ready
from dtlib.jit.threads import share_out, threads_for
from dtlib.search.level import Limits
from dtlib.search.random_keys import root_key
from dtlib.search.rules import Rules
from dtlib.table.training import Sides, Training
from dtlib.tree import reasons

LABELS = 1 << 16  # number of classes that a uint16 label can hold
PER_THREAD = 2  # branches are put aside if they have at most this part of a thread's rows
CLOSED = [reasons.code_of(r) for r in (reasons.PURE, reasons.DEPTH, reasons.SMALL, reasons.IMPURITY)]
NONE, NO_FLOATS = np.empty(0, np.int64), np.empty(0)


def fallback_reason(data: Training, rules: Rules, target: Target) -> str:
    """Return why a tree is grown level by level, with NumPy; "" if compiled code can grow it."""
    kernel, several = target.criterion.kernel, len(target.columns) > 1
    obstacles = {
        "categories are put into groups": any(feature.kind == "nominal" for feature in data.features),
        "splits are drawn": rules.is_drawn,
        "monotonic constraints": bool(rules.monotonic),
        "surrogates are searched for": rules.surrogates is not None,
        "equal splits are told apart by rounding": rules.ties is not None,
        "branches without events are allowed": rules.zero_rates,
        "rates are shrunk": rules.shrinkage > 0,
        "rows of weight 0 that count": rules.zero_weight and len(target.rows) < data.shape[1],
        f"criterion {target.criterion.name!r}, which is not compiled": kernel is None,
        f"criterion {target.criterion.name!r} of several outputs": kernel != "squares" and several,
    }
    if isinstance(target, ClassificationTarget):
        obstacles |= {
            "logarithms of fractional weights": kernel == "logarithms" and not target.has_table,
            f"more than {LABELS} classes": max(target.sizes) > LABELS,
        }
    if rules.feature_of and rules.max_features is not None:
        obstacles["features of two columns are drawn"] = True
    if rules.missing != "error" and data.values.has_missing_values:
        drawn = rules.max_features is not None and rules.max_features < len(data.features)
        obstacles |= {
            f"missing values with missing={rules.missing!r}": rules.missing not in ("stay", "majority"),
            "missing values, and a regression target": not isinstance(target, ClassificationTarget),
            "missing values, and drawn features": drawn,
            "missing values, and weights that are no whole numbers": target.weight_unit < 1,
        }
    found = next((what for what, holds in obstacles.items() if holds), "")
    return found or ("" if is_ready("trees", steps_of(data, rules)) else NOT_READY)


def steps_of(data: Training, rules: Rules) -> float:
    """Return how much work it is to grow a tree level by level: rows times features times levels."""
    d, n = data.shape
    levels = 2 * n.bit_length() if rules.max_depth is None else min(rules.max_depth, 2 * n.bit_length())
    return float(d) * n * levels


def grow_nodes(data: Training, rules: Rules, target: Target) -> tuple[Nodes, Sides]:
    """Grow a tree; return all its nodes, as if they were one level, and the values beside their cuts."""
    goal = compiled_criterion(target)
    grown, place, twos = grown_from(data, rules, target, goal)
    nodes = nodes_of(grown, goal, target)
    tell_levels(nodes)
    return nodes, sides_grown(data, grown, place, twos)


def grown_from(
    data: Training, rules: Rules, target: Target, goal: CriterionState
) -> tuple[Grown, np.ndarray, np.ndarray]:
    """Return the nodes level by level, and the arrays of the table to which they refer, but for the lines."""
    from dtlib.compiled.grow import grow_lines, level_by_level

    table = table_of(data, target, goal, np.float32(rules.gap))
    (_, rows), bounds, threads = table.lines.shape, bounds_of(data, rules, target), threads_for(data.shape)
    grown, largest = room(goal, rows, bounds.max_depth), rows // (PER_THREAD * threads) if threads > 1 else 0
    waiting = room_to_wait(len(table.place), threads)
    end, aside = grow_lines(table, goal, bounds, work_of(goal, table), grown, waiting, 0, largest)
    if aside:
        pieces = Waiting(*(x[-aside:] for x in waiting))
        end += grow_pieces(table, goal, bounds, grown, pieces, end, threads)
    place, twos = table.place, table.twos
    del table  # it is most of the memory
    order = level_by_level(grown.child, end)
    return Grown(*(x[order] if len(x) else x for x in grown)), place, twos


def grow_pieces(
    table: Table, goal: CriterionState, bounds: Bounds, grown: Grown, pieces: Waiting, end: int, threads: int
) -> int:
    """Grow the branches that were put aside, each into arrays of its own; return the number of nodes."""
    from dtlib.compiled.grow import grow_lines

    rows, left = pieces.where[:, 1] - pieces.where[:, 0], bounds.max_depth - pieces.where[:, 2]
    needed = [most_nodes(r, k if bounds.max_depth >= 0 else -1) - 1 for r, k in zip(rows, left, strict=True)]
    starts = end + np.cumsum([0, *needed])

    def grow_piece(k: int) -> int:
        waiting = room_to_wait(len(table.place), 1)
        for here, found in zip(waiting, pieces, strict=True):
            here[0] = found[k]
        start = int(starts[k])
        return grow_lines(table, goal, bounds, work_of(goal, table), grown, waiting, start, 0)[0] - start

    return sum(share_out(grow_piece, np.argsort(-rows), threads))


def room_to_wait(d: int, threads: int) -> Waiting:
    """Allocate the stack of nodes to be searched, and of branches put aside for other threads."""
    from dtlib.compiled.grow import PIECES, WAITING

    n = WAITING + (PIECES * PER_THREAD * threads if threads > 1 else 0)
    return Waiting(np.empty((n, 4), np.int64), np.empty(n, np.uint64), np.empty(n), np.empty((n, d), bool))


def tell_levels(nodes: Nodes) -> None:
    """Log the levels of a grown tree, as if it had grown level by level."""
    if not log.isEnabledFor(logging.INFO):
        return
    start, size, depth = 0, 1, 0
    while size:
        level = slice(start, start + size)
        tell_level(depth, size, int((~np.isin(nodes.stop[level], CLOSED)).sum()))
        start, size, depth = start + size, 2 * int((nodes.feature[level] >= 0).sum()), depth + 1


def nodes_of(grown: Grown, goal: CriterionState, target: Target) -> Nodes:
    """Return the nodes as `Nodes`, as growing level by level does."""
    if isinstance(target, ClassificationTarget):
        channels = grown.sums[:, 1:] if goal.n_classes else grown.sums
        totals = Totals(grown.n, list(channels.T), grown.rows)
        summary, impurity, _ = target.summarize(NONE, NONE, totals)
    else:
        summary, impurity = grown.mean, grown.impurity
    n = grown.n * target.weight_unit
    nodes = Nodes(np.arange(len(n)), summary, n, impurity, grown.stop)
    nodes.feature = grown.feature
    nodes.gain = grown.score * grown.unit / n
    return nodes


def compiled_criterion(target: Target) -> CriterionState:
    """Return the targets and the scoring of cuts in the form of compiled code."""
    kind, n, unit = kind_of_score(target), len(target.columns[0].codes), target.weight_unit
    weight = NONE if target.weight is None else target.weight.astype(np.int64)
    share = NO_FLOATS if target.weight is None else weight * unit
    ends, outputs = np.array([0, *(group.stop for group in target.groups)]), len(target.groups)
    label, channels, y = np.empty(0, np.uint16), np.empty((0, 0), np.int64), np.empty((0, 0))
    centered = y
    if not isinstance(target, ClassificationTarget):
        y = np.stack(target.y)
        channels = np.stack(target.shifted) if kind == RATES else np.zeros(y.shape, np.int64)
        centered = np.zeros(y.shape if target.median else (0, 0))
        return CriterionState(
            kind, False, label, weight, share, unit, channels, ends, y, centered, 0, NO_FLOATS, False,
            1.0 / outputs, target.unit if isinstance(target, RateTarget) else 1.0,
        )  # fmt: skip
    if kind == CHANNELS:
        every = list(target.channels(np.arange(n)))
        channels = np.array(every, np.int64).reshape(len(every), n)
    else:
        label = target.labels[0].astype(np.uint16)
    binary = all(len(group) == 1 for group in target.groups)
    n_classes = 0 if kind == CHANNELS else target.sizes[0]
    return CriterionState(
        kind, True, label, weight, share, unit, channels, ends, y, centered, n_classes,
        target.table if kind == ENTROPY else NO_FLOATS, not binary, (2.0 if binary else 1.0) / outputs,
        1.0,
    )  # fmt: skip


def kind_of_score(target: Target) -> int:
    """Return the code of the kernel that scores cuts."""
    single, plain, kernel = len(target.columns) == 1, target.weight is None, target.criterion.kernel
    kinds = {"medians": MEDIANS, "rates": RATES, "logarithms": ENTROPY, "largest": ERROR}
    if kernel in kinds:
        return kinds[kernel]
    if kernel != "squares":
        raise ValueError(f"criterion {target.criterion.name!r} is not compiled: wanted one with a kernel")
    if not isinstance(target, ClassificationTarget):
        return SQUARES if single and plain else CHANNELS
    if single and (target.in_pairs or target.sizes[0] == 1):
        return PAIRS
    return BINARY if single and plain and target.sizes[0] == 2 else CHANNELS


def bounds_of(data: Training, rules: Rules, target: Target) -> Bounds:
    """Return the limits of splits in the form of compiled code."""
    limits, d, least, few = Limits(rules.min_leaf, rules.min_leaf_rows), len(data.features), 0.0, 0
    if target.weight is None:
        few, total = int(np.ceil(limits.weight * NEARLY)), float(len(target.rows))
    else:
        least, total = limits.least(target), float(target.weight.sum(dtype=np.int64)) * target.weight_unit
    return Bounds(
        -1 if rules.max_depth is None else rules.max_depth, rules.min_split * NEARLY, rules.min_split_rows,
        least, max(limits.rows, few, 1), rules.min_leaf > 0 or rules.min_leaf_rows > 1, rules.min_impurity,
        rules.min_gain, rules.min_decrease * total, rules.zero_gain,
        min(d, rules.max_features or d), root_key(rules.seed)[0], np.float32(rules.gap),
        rules.missing == "majority",
    )  # fmt: skip


def most_nodes(rows: int, max_depth: int) -> int:
    """Return the largest number of nodes of a tree with `rows` rows; `max_depth` -1 is no limit."""
    return 2 * rows - 1 if max_depth < 0 else min(2 * rows, 2 ** min(max_depth + 1, 62)) - 1


def room(goal: CriterionState, rows: int, max_depth: int) -> Grown:
    """Allocate arrays for as many nodes as there can be."""
    nodes = most_nodes(rows, max_depth)
    of_numbers = 0 if goal.is_class else nodes
    integers = [np.empty(nodes, np.intp) for _ in range(6)]
    feature, low, high, count, n, stop = integers
    width = goal.n_classes if goal.n_classes else len(goal.channels)
    return Grown(
        feature, low, high, np.empty((nodes, 2), np.intp), count, n, np.empty((nodes, width), np.int64),
        np.empty((of_numbers, len(goal.y))), np.empty(of_numbers), np.empty(nodes), np.empty(nodes), stop,
    )  # fmt: skip


def work_of(goal: CriterionState, table: Table) -> Work:
    """Allocate the memory that the search of one node needs."""
    (n, b), d = table.twos.shape, len(table.place)
    m, r = n + 1 if goal.kind in (BINARY, SQUARES) else 0, n + 2 if goal.kind == MEDIANS else 0
    spare = np.empty(n + 1, np.int64)  # for dividing lines; while cuts are scored, it is `factor`
    width = max(goal.n_classes, len(goal.channels))
    left, right = np.empty((2, width), np.int64)
    ones, order = np.empty((max(width, 2), b), np.int64), np.setdiff1d(np.arange(d), table.incomplete)
    return Work(
        np.empty(m), spare[:m].view(float), left, right, np.empty(d, np.uint64), order, np.empty(1, np.intp),
        np.empty(d), np.empty(d, np.intp), np.empty(d, bool), np.empty(n, bool), spare, ones,
        np.empty((3, b), np.int64), np.empty(width, np.int64), np.empty(b), np.empty(b, np.int64),
        np.empty(r, np.int64), Ranks(*np.empty((4, r), np.int64), *np.empty((2, r))),
    )  # fmt: skip
