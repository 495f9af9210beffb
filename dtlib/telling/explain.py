"""The candidate splits of a node, and why one of them was chosen (chapters 4, 6 and 8).

Each candidate is measured with the formulas of `dtlib.measures`, on the rows that take each branch.

Legend: f is the position of a feature, V the number of its values at the node.

Examples
--------
>>> from dtlib import CARTClassifier
>>> from dtlib.datasets import load_loan
>>> loan = load_loan()
>>> tree = CARTClassifier().fit(loan.X, loan.y).tree_
>>> tree.explain(0, "age")[["split", "gain", "reason"]].round(3)
                          split  gain        reason
0  age in {young, middle-aged}?  0.04  smaller gain
1          age in {young, old}?  0.00  smaller gain
2                  age = young?  0.04  smaller gain
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from dtlib import measures
from dtlib.arrays import weighted_sums
from dtlib.counting.criteria import criterion_of
from dtlib.growing.both_sides import in_columns
from dtlib.growing.by_score import TOGETHER, grow_each
from dtlib.growing.training_rows import training_parts
from dtlib.messages import say
from dtlib.search.level import TIE
from dtlib.search.rules import RatioRules, Rules
from dtlib.table.coded import Coded
from dtlib.table.training import Training, stack_training, thresholds, values_beside
from dtlib.telling.explain_ratio import explain_ratio
from dtlib.tree import reasons
from dtlib.tree.node import Node
from dtlib.tree.splits import (
    Hyperplane,
    Multiway,
    Split,
    Threshold,
    format_branches,
    nominal_split,
    number_between,
)
from dtlib.tree.tree import Tree

LISTED = 10  # values; of a feature with more, the groups are too many to be listed


MEASURED = ["impurity", "gain", "split_information", "gain_ratio"]
SCORED_COLUMNS = ["feature", "split", "children", *MEASURED, "known", "chosen", "reason"]


class NodeStatistics(NamedTuple):
    """Statistics of some rows: their weight, their impurity, and their summary as in `Tree`."""

    n: float
    impurity: float
    summary: np.ndarray


class RowsAtHand(NamedTuple):
    """The training rows of a node: their positions, their statistics, and where each feature is known."""

    rows: np.ndarray
    every: Training
    known: dict[int, Training]
    may_miss: bool


def explain(node: Node, feature: str | None) -> pd.DataFrame:
    """List the candidates of a node, as `Tree.explain` says."""
    rules, data = node.tree.grown_by, node.tree.grown_from
    names = [f.name for f in data.features]
    if feature is not None and not (isinstance(feature, str) and feature in names):
        raise ValueError(f"feature is {feature!r}; the tree has {names}")
    by_ratio = isinstance(rules, RatioRules)
    return explain_ratio(node, rules, feature) if by_ratio else explain_scored(node, rules, feature)


def explain_scored(node: Node, rules: Rules, feature: str | None) -> pd.DataFrame:
    """List the candidates of a node of a tree that was grown by a score.

    If a feature is given, the candidates are all its splits; else the best split of each feature.
    """
    if rules.missing == "learned" and node.tree.missing_rows is not None:
        return explain_both_sides(node, rules, feature)
    tree, at_hand = node.tree, rows_at_hand(node)
    if rules.ties is not None:
        rules = replace(rules, ties=rules.ties.over(tree.grown_from).part(at_hand.rows))
    found: Iterable[tuple[int, Split | None]]
    if feature is None:
        found = best_splits(node, rules, at_hand.known, at_hand.every).items()
    else:
        of_feature = [i for i, column in enumerate(tree.features) if column.name == feature]
        found = ((f, split) for f in of_feature for split in candidates(at_hand.known[f], f, rules))
    lines = [candidate_line(node, at_hand, f, split) for f, split in found]
    if node.is_linear and feature is None:
        lines.append(scored_line(node, at_hand.every, -1, node.split) | {"known": 1.0, "chosen": True})
    lines = [line | {"reason": say(scored_verdict(node, rules, line))} for line in lines]
    columns = [name for name in SCORED_COLUMNS if at_hand.may_miss or name != "known"]
    return pd.DataFrame(lines, columns=columns)


def explain_both_sides(node: Node, rules: Rules, feature: str | None) -> pd.DataFrame:
    """List the candidates of a node of a tree that has learned the sides of missing values.

    Of the two columns that stand for a feature with missing values, the better one is listed.
    """
    tree = in_columns(node.tree, node.tree.grown_from, rules)
    found = explain_scored(tree[node.id], tree.grown_by, feature)
    if feature is not None:
        return found
    order = found.sort_values(["chosen", "gain"], ascending=False, kind="stable")
    return found.loc[sorted(order.drop_duplicates("feature").index)].reset_index(drop=True)


def rows_at_hand(node: Node) -> RowsAtHand:
    """Return the training rows of a node."""
    rows, weight = training_parts(node.tree, node.id)
    data, may_miss = at_rows(node.tree.grown_from, rows, weight), node.tree.missing != "error"
    known = {
        f: at_rows(data, np.flatnonzero(code >= 0)) if may_miss else data for f, code in enumerate(data.codes)
    }
    return RowsAtHand(rows, data, known, may_miss)


def candidate_line(node: Node, at_hand: RowsAtHand, f: int, split: Split | None) -> dict[str, Any]:
    """Return the line of a candidate: its gain counts for the share of the rows that know the feature."""
    known = at_hand.known[f]
    share = known.total_weight / node.n if at_hand.may_miss and node.n else 1.0
    is_tested = node.feature == node.tree.features[f].name and not node.is_linear
    chosen = is_tested and node.split is not None and split == node.split
    line = scored_line(node, known, f, node.split if chosen else split)  # as the tree says it
    gains = {name: line[name] * share for name in ("gain", "gain_ratio")}
    return line | gains | {"known": share, "chosen": chosen}


def trace_candidates(tree: Tree) -> pd.DataFrame:
    """List all candidates of all nodes, as `Tree.trace` says."""
    tables = []
    for node in tree:
        table = explain(node, None).drop(columns="children")
        table.insert(0, "role", ["split" if chosen else "competitor" for chosen in table.pop("chosen")])
        if tree.surrogates is not None and len(found := tree.surrogates_of(node.id)):
            table = pd.concat([table, found.assign(role="surrogate")])
        table.insert(0, "n", node.n)
        table.insert(0, "path", say(" and ").join(node.path))
        tables.append(table.set_axis(pd.Index([node.id] * len(table), name="node")))
    return pd.concat(tables)


def at_rows(data: Training, rows: np.ndarray, weight: np.ndarray | None = None) -> Training:
    """Return some rows of the training data, with their own weights or with these."""
    targets = tuple(replace(target, codes=target.codes[rows]) for target in data.targets)
    if weight is None or (data.weight is None and (weight == 1).all()):
        weight = None if data.weight is None else data.weight[rows]
    case_weight = None if data.case_weight is None else data.case_weight[rows]
    return Training(data.features, data.values.coded.take(rows), targets, weight, case_weight)


def best_splits(
    node: Node, rules: Rules, known: dict[int, Training], data: Training
) -> dict[int, Split | None]:
    """Return the best split of each feature on the rows that know it, as trees with a single split.

    The trees grow together; in each, the other features have one value for all rows.
    """
    features, tested = node.tree.features, None if node.is_linear else node.feature
    found: dict[int, Split | None] = {}
    for f, feature in enumerate(features):  # a branch for each value is a split that needs no rows
        needs_none = rules.nominal == "multiway" and feature.kind == "nominal"
        empty = Multiway(feature.name, feature.values) if needs_none else None
        found[f] = node.split if feature.name == tested else empty
    wanted = [f for f, data in known.items() if features[f].name != tested and data.shape[1]]
    rules = replace(
        rules, max_depth=1, zero_gain=True, missing="error", surrogates=None,
        min_impurity=-1.0, min_variation=0.0, min_gain=0.0, min_decrease=0.0,
        max_leaf_nodes=None, max_features=None, min_split=0.0, min_split_rows=2,
    )  # fmt: skip
    place = np.arange(len(features))[:, None]
    step = max(1, TOGETHER // max([known[f].codes.size for f in wanted], default=1))
    for a in range(0, len(wanted) if node.reason != reasons.PURE else 0, step):
        some = wanted[a : a + step]
        codes = [Coded(np.where(place == f, known[f].codes, 0), known[f].numbers) for f in some]
        alike = [replace(known[f], values=own) for f, own in zip(some, codes, strict=True)]
        together, root = stack_training(alike)
        own = rules
        if rules.ties is not None:
            rows = np.concatenate([np.flatnonzero(data.codes[f] >= 0) for f in some])
            own = replace(rules, ties=rules.ties.part(rows))
        for f, alone in zip(some, grow_each(together, own, len(some), root), strict=True):
            found[f] = alone.root.split or found[f]
    return found


def candidates(data: Training, f: int, rules: Rules) -> Iterator[Split]:
    """List all splits of a feature at a node, given the rows that know it."""
    feature, present = data.features[f], np.unique(data.codes[f])
    if feature.kind != "nominal":
        where = np.full(max(len(present) - 1, 0), f)
        beside = values_beside(data, where, present[:-1], present[1:])
        lines = np.stack([thresholds(data.features, where, beside, rules.strict), *beside], axis=1)
        lines = lines[lines[:, 1] > -np.inf]  # missing values below all others: that split is listed above
        return (number_between(feature, t, low, high, rules.strict) for t, low, high in lines.tolist())
    V, nominal = len(present), rules.nominal_of(f)
    if nominal == "multiway":
        return iter([Multiway(feature.name, feature.values)])
    if nominal == "one_vs_rest":
        sides = [tuple(int(k != i) for k in range(V)) for i in range(V) if V > 1]
        sides = sides[:1] if V == len(feature.values) == 2 else sides  # the other one is the same split
    elif V > LISTED:
        raise ValueError(
            f"feature {feature.name!r} has {V} values here; the groups of up to {LISTED} are listed"
        )
    else:  # the first value is always on the left, so that no split is listed twice
        sides = [(0, *rest) for rest in product((0, 1), repeat=max(0, V - 1)) if any(rest)]
    return (nominal_split(feature, present.tolist(), side) for side in sides)


def scored_line(node: Node, data: Training, f: int, split: Split | None) -> dict[str, Any]:
    """Return the line of a candidate; an oblique split has no single feature."""
    tree = node.tree
    name = ", ".join(split.features) if isinstance(split, Hyperplane) else tree.features[f].name
    if split is None:
        return {"feature": name, "split": "", "children": ""} | dict.fromkeys(MEASURED, np.nan)
    branch = take_branches(node, data, f, split)
    parts = [amount_of(tree, at_rows(data, np.flatnonzero(branch == i))) for i in range(len(split.branches))]
    weights = np.array([part.n for part in parts])
    shares = weights / weights.sum() if weights.sum() else weights
    impurity, criterion = (
        float((shares * [part.impurity for part in parts]).sum()),
        criterion_of(tree.criterion),
    )
    if not criterion.is_decrease:
        blocks = zip(*(tree._blocks(part.summary) for part in parts), strict=True)
        gain = float(np.mean([criterion.worth(np.array(block, float)) for block in blocks]))
    elif tree.is_classifier and len(tree.outputs) == 1:
        table, measure = np.array([part.summary for part in parts]), criterion.impurity
        assert measure is not None
        gain = float(measures.impurity_decrease(table, measure))
        impurity = float(measure(table.sum(0))) - gain
    else:
        own = amount_of(tree, data).impurity
        gain = own - impurity if own - impurity > TIE * own else 0.0
    bits = float(measures.entropy(weights))
    return {
        "feature": name,
        "split": str(split),
        "children": format_branches(split, [tree._format_summary(part.summary, part.n) for part in parts]),
        "impurity": impurity,
        "gain": gain,
        "split_information": bits,
        "gain_ratio": gain / bits if bits > 0 else np.nan,
    }


def take_branches(node: Node, data: Training, f: int, split: Split) -> np.ndarray:
    """Return the branch that each row takes, -1 if it has none."""
    if isinstance(split, Hyperplane):
        return (weighted_sums(data.matrix(), node.normal) > split.threshold).astype(np.intp)
    code, numbers = data.codes[f], data.numbers.get(f)
    if isinstance(split, Threshold):
        return ((code if numbers is None else numbers[code]) > split.threshold).astype(np.intp)
    branch = {value: i for i, group in enumerate(split.groups) for value in group}
    return np.array([branch.get(value, -1) for value in data.features[f].values], np.intp)[code]


def amount_of(tree: Tree, data: Training) -> NodeStatistics:
    """Return the statistics of some rows."""
    n, criterion = data.total_weight, criterion_of(tree.criterion)
    assert criterion.impurity is not None  # as the tree has grown by it
    if tree.is_classifier:
        counts = [np.bincount(y.codes, data.weight, len(y.values)) for y in data.targets]
        impurity = float(np.mean([criterion.impurity(c) for c in counts]))
        return NodeStatistics(n, impurity, np.concatenate(counts))
    y = np.stack([np.asarray(target.values)[target.codes] for target in data.targets])
    if not n:
        return NodeStatistics(0.0, 0.0, np.full(len(y), np.nan))
    return NodeStatistics(n, criterion.impurity(y, data.weight), criterion.centers(y, data.weight))


def scored_verdict(node: Node, rules: Rules, line: dict[str, Any]) -> str:
    """Say why a candidate was or was not chosen at a node."""
    if node.reason in (reasons.PURE, reasons.EMPTY):
        return node.reason
    if line["chosen"]:
        return "in the best tree" if rules.is_optimal else "largest gain"
    no_split = np.isnan(line["gain"]) or not line["split_information"] > 0
    if no_split and line["feature"] in node.names_above and rules.nominal == "multiway":
        return "asked above"
    if no_split:
        few = rules.min_leaf > 1 or rules.min_leaf_rows > 1
        return reasons.FEW if few else "one value only"
    if node.is_leaf:
        return node.reason
    if rules.is_optimal:
        return "not in the best tree"
    gain = node.tree.gain[node.id]
    if abs(line["gain"] - gain) <= TIE * node.impurity:
        here = line["feature"] == node.feature
        return "equal gain, but a later split" if here else "equal gain, but a later column"
    return "smaller gain" if line["gain"] < gain else "not drawn, or too few samples"
