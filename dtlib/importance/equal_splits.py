"""All splits of some nodes that are as good as the best (chapter 8).

Growing takes the first of equal splits. This module finds all of them, by the scores, the tolerance and the
rules of growing: what makes a node a leaf there makes it one here.

Legend: J is the number of nodes, V that of values of a feature, p that of the values that a node has.

Examples
--------
>>> import pandas as pd
>>> from dtlib import CARTClassifier
>>> X = pd.DataFrame({"a": [0.0, 0, 1, 1], "b": [1.0, 1, 0, 0]})
>>> tree = CARTClassifier().fit(X, [0, 0, 1, 1]).tree_
>>> found = equal_splits(tree.training, [np.arange(4)], tree.grown_by)
>>> [(split.feature, split.gain, [rows.tolist() for rows in split.children]) for split in found]
[(0, 2.0, [[0, 1], [2, 3]]), (1, 2.0, [[2, 3], [0, 1]])]
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import NamedTuple

import numpy as np

from dtlib.arrays import owners
from dtlib.growing.by_score import ByScore
from dtlib.search.by_order import Scan
from dtlib.search.by_table import best_pairs, count_pairs, order_key, score_groups, sums_of_values, take_pairs
from dtlib.search.level import Level
from dtlib.search.rules import Rules
from dtlib.search.searcher import BestSplits
from dtlib.search.two_groups import EXHAUSTIVE_CATEGORIES
from dtlib.table.training import Training
from dtlib.telling.explain import at_rows

SCORED_AT_ONCE = 1 << 18  # categorical splits that are scored at once


class TiedSplit(NamedTuple):
    """One of the best splits of a node: its feature, its decrease times the weight, the rows of its branches.

    A decrease that is none, but for rounding, is 0.
    """

    node: int
    feature: int
    gain: float
    children: tuple[np.ndarray, ...]


class Scored(NamedTuple):
    """Splits of one feature: their nodes, their scores, and which codes take the first branch.

    `first` has the last such code of a numeric feature, all of them of a categorical one; None for a branch
    for each value.
    """

    feature: int
    node: np.ndarray
    score: np.ndarray
    first: list[int] | list[tuple[int, ...]] | None


def equal_splits(data: Training, nodes: list[np.ndarray], rules: Rules) -> Iterator[TiedSplit]:
    """Yield all splits of some nodes that are as good as the best of theirs, by node and by feature.

    Parameters
    ----------
    data : Training
        Nothing missing.
    nodes : list of int ndarrays
        The rows of each node, of which each counts; a row may be in several nodes.
    rules : Rules
        Of a tree whose splits depend on nothing but the rows of a node. If `max_depth` is 0, all nodes
        are leaves.

    Yields
    ------
    TiedSplit
        None of a node that is a leaf.

    Raises
    ------
    ValueError
        If the groups of a feature's values are too many to be tried.
    """
    size = np.array([len(rows) for rows in nodes])
    plain = replace(rules, ties=None, surrogates=None, missing="error", min_decrease=0.0)
    growth = ByScore(at_rows(data, np.concatenate(nodes)), plain, len(nodes), owners(size))
    state = growth.describe()
    growth.levels.append(state)
    at = np.flatnonzero(state.stop == 0)
    if not len(at):
        return
    rows = growth.incoming.rows.compress((state.stop == 0)[growth.incoming.node])
    level = Level.opened(growth.target, rows, growth.totals.take(at), state.impurity[at], state.summary[at])
    scored = [lines for f in range(len(data.features)) for lines in scored_splits(growth, level, f)]
    best = np.full(len(at), -np.inf)
    for lines in scored:
        np.maximum.at(best, lines.node, lines.score)
    none = np.full(len(at), -1)
    growth.decide(BestSplits(best, none + 1, none, none, {}), level, state, at)
    enough = best * level.unit >= rules.min_decrease * data.total_weight - level.slack * level.unit
    does_split, unit = (state.feature[at] >= 0) & enough, np.broadcast_to(level.unit, len(at))
    unit = np.where(best > level.slack, unit, 0.0)
    for lines in scored:
        equal = does_split[lines.node] & (lines.score >= (best - level.slack)[lines.node])
        for place in np.flatnonzero(equal).tolist():
            j = int(lines.node[place])
            first = None if lines.first is None else lines.first[place]
            children = parted_by(data, lines.feature, nodes[at[j]], first)
            yield TiedSplit(int(at[j]), lines.feature, float(lines.score[place] * unit[j]), children)


def parted_by(
    data: Training, f: int, rows: np.ndarray, first: int | tuple[int, ...] | None
) -> tuple[np.ndarray, ...]:
    """Return the rows of each branch that has any, in their order.

    Examples
    --------
    >>> from dtlib.table.coded import Coded
    >>> data = Training((), Coded(np.array([[2, 0, 1, 2]], np.int32), {}, {}), ())
    >>> [[x.tolist() for x in parted_by(data, 0, np.arange(4), first)] for first in (0, (0, 2), None)]
    [[[1], [0, 2, 3]], [[0, 1, 3], [2]], [[1], [2], [0, 3]]]
    """
    code = data.codes[f, rows]
    if first is None:
        return tuple(rows[code == k] for k in np.unique(code))
    left = np.isin(code, first) if isinstance(first, tuple) else code <= first
    return rows[left], rows[~left]


def scored_splits(growth: ByScore, level: Level, f: int) -> Iterator[Scored]:
    """Yield the splits of a feature at all nodes of a level that may be the best ones."""
    searcher, feature = growth.searcher, growth.data.features[f]
    V, code = searcher.V[f], np.take(growth.data.codes[f], level.rows)
    if V < 2:
        return
    if feature.kind == "nominal":
        yield from scored_names(growth, level, f, code)
        return
    order = np.argsort(level.node * V + code, kind="stable")
    line, code = level.rows[order], code[order]
    score = Scan(level, searcher.scorer, searcher.limits).scores(line[None], code[None])[0]
    score = searcher.sorted.distinct_neighbors(score, code, f)
    best = np.full(len(level.size), -np.inf)
    np.maximum.at(best, level.node, score)
    near = np.flatnonzero(np.isfinite(score) & (score >= (best - level.slack)[level.node]))
    yield Scored(f, level.node[near], score[near], code[near].tolist())


def scored_names(growth: ByScore, level: Level, f: int, code: np.ndarray) -> Iterator[Scored]:
    """Yield the splits of a categorical feature, those of nodes with as many values together."""
    scorer, limits, V = growth.searcher.scorer, growth.searcher.limits, growth.searcher.V[f]
    if growth.rules.nominal == "multiway":
        score = best_pairs("multiway", level, code, V, scorer, limits).score
        several = np.flatnonzero(np.isfinite(score))
        yield Scored(f, several, score[several], None)
        return
    assert scorer is not None  # medians are refused before
    pairs = count_pairs(level, code, V)
    if growth.rules.nominal == "ordered" and len(pairs.sums.channels) == 1:
        pairs = take_pairs(pairs, np.lexsort((order_key(level, pairs), pairs.node)))
    values = np.bincount(pairs.node, minlength=len(level.size))
    for p in np.unique(values[values > 1]).tolist():
        every, groups = np.flatnonzero(values == p), groups_of(growth, f, p, len(pairs.sums.channels))
        step = max(1, SCORED_AT_ONCE // len(groups))
        for nodes in (every[a : a + step] for a in range(0, len(every), step)):
            places, sums = sums_of_values(pairs, nodes, p)
            score, code = score_groups(level, nodes, sums @ groups.T, scorer, limits), pairs.code[places]
            near = score >= (score.max(1) - level.slack[nodes])[:, None]
            j, g = np.nonzero(near & np.isfinite(score))
            first = [tuple(code[a, groups[b] == 1].tolist()) for a, b in zip(j, g, strict=True)]
            yield Scored(f, nodes[j], score[j, g], first)


def groups_of(growth: ByScore, f: int, p: int, channels: int) -> np.ndarray:
    """Return which groups of p values may take the first branch, as rows of 1 and 0; no two are one split."""
    nominal = growth.rules.nominal
    if nominal == "one_vs_rest":
        return np.eye(p, dtype=int)[: 1 if p == 2 else p]
    if nominal == "ordered" and channels == 1:
        return np.tri(p - 1, p, dtype=int)
    if p > EXHAUSTIVE_CATEGORIES:
        raise ValueError(
            f"feature {growth.data.features[f].name!r} has {p} values at a node; ties are looked for among "
            f"all groups of up to {EXHAUSTIVE_CATEGORIES}: join some values, or grow with "
            f"nominal='one_vs_rest'"
        )
    return np.array([(1, *rest) for rest in product((0, 1), repeat=p - 1) if not all(rest)])
