"""Sending rows down whose answer is missing: whole, or in parts (chapter 7)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dtlib.counting.targets import Target
from dtlib.growing.nodes import Children, Sent
from dtlib.table.training import Training
from dtlib.tree.descend import parts

BITS = 51  # parts of rows weigh multiples of a power of two, so that their sums do not depend on the order


def with_holes(data: Training, sent: Sent, way: str, total: float) -> Sent:
    """Send on the rows whose answer is missing, in parts or whole, or leave them behind."""
    hole = sent.branch < 0
    if way not in ("majority", "fractional") or not hole.any():
        rows, node, branch = (x.compress(~hole) for x in sent[:3])
        return sent._replace(rows=rows, node=node, branch=branch)
    weight = np.ones(len(hole)) if data.weight is None else data.weight[sent.rows]
    entry, branch, weight = divided(sent.node, sent.branch, weight, sent.branches, way)
    if way == "fractional":  # multiples of a power of two, whose sums do not depend on the order
        unit = np.ldexp(1.0, int(np.frexp(total * (1 + 1e-9))[1]) - BITS)
        weight = np.rint(weight / unit) * unit
        entry, branch, weight = (x.compress(weight > 0) for x in (entry, branch, weight))
    rows, node = sent.rows[entry], sent.node[entry]
    return sent._replace(rows=rows, node=node, branch=branch, weight=weight if way == "fractional" else None)


def divided(
    node: np.ndarray, branch: np.ndarray, weight: np.ndarray, branches: np.ndarray, way: str
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Divide the rows without a branch (-1); return row, branch and weight of all parts, by row."""
    known, hole = np.flatnonzero(branch >= 0), np.flatnonzero(branch < 0)
    start = np.cumsum(branches) - branches
    of_branch = np.bincount(start[node[known]] + branch[known], weight[known], branches.sum())
    some = parts(node[hole], start, of_branch, way)
    entry = np.concatenate([known, hole[some.part]])
    weight = np.concatenate([weight[known], weight[hole[some.part]] * some.share])
    branch = np.concatenate([branch[known], some.branch])
    order = np.argsort(entry, kind="stable")
    return entry[order], branch[order], weight[order]


def parted(data: Training, sent: Sent, below: Children) -> tuple[Training, Children]:
    """Return data in which each part of a row is a row, and the level of these rows."""
    rows = sent.rows[below.rows]
    targets = tuple(replace(target, codes=target.codes[rows]) for target in data.targets)
    weight = sent.weight[below.rows]
    data = replace(
        data, codes=data.codes[:, rows], targets=targets, weight=weight, order={}, case_weight=None
    )
    return data, below._replace(rows=np.arange(len(rows)))


def ordered(target: Target, below: Children) -> Children:
    """Bring the rows of each node into the order of the target, which does not depend on theirs."""
    order = target.rows[np.argsort(below.node[target.rows], kind="stable")]
    return Children(order, below.node[order], below.branch[order], below.place)
