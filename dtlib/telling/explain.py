"""What could be asked at a node, and why one question was chosen (chapters 4, 6 and 9).

Each candidate is measured with the formulas of `dtlib.measures`, on the rows that take each branch.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from dtlib import measures
from dtlib.arrays import weighted_sums
from dtlib.counting.tables import whole
from dtlib.counting.targets import CLASSIFY
from dtlib.growing.by_score import TOGETHER, grow_each
from dtlib.messages import say
from dtlib.search.level import TIE
from dtlib.search.rules import RatioRules
from dtlib.table.training import Training, joined, thresholds
from dtlib.telling.explain_ratio import explain_ratio
from dtlib.telling.training_rows import training_numbers, training_parts
from dtlib.tree import reasons
from dtlib.tree.node import Node
from dtlib.tree.splits import Hyperplane, Multiway, Split, Subset, Threshold
from dtlib.tree.tree import Tree

LISTED = 10  # values; of a feature with more, the groups are too many to be listed


def explain(tree: Tree, node: Node, feature: str | None) -> pd.DataFrame:
    """List the candidates of a node, as `Tree.explain` says."""
    if tree.training is None:
        raise ValueError(
            "this tree has no training data: it was loaded or unpickled, or they were not kept (by "
            "keep_data=False, or as they were too many); grow it again, with keep_data=True"
        )
    names = [f.name for f in tree.features]
    if feature is not None and feature not in names:
        raise ValueError(f"feature is {feature!r}; the tree has {names}")
    if isinstance(tree.grown_by, RatioRules):
        return explain_ratio(tree, node, feature)
    data, holes = at_rows(tree.training, *training_parts(tree, node.id)), tree.missing != "error"
    lines, known = [], dict.fromkeys(range(len(names)), data)
    if holes:
        known = {f: at_rows(data, np.flatnonzero(data.codes[f] >= 0)) for f in known}
    best = best_splits(tree, node, known) if feature is None else {}
    for f, name in enumerate(names):
        if feature not in (None, name):
            continue
        share = known[f].total_weight / node.n if holes and node.n else 1.0
        own = node.split if node.feature == name and not node.is_linear else None
        for split in [best[f]] if feature is None else candidates(tree, known[f], f):
            line = measure(tree, node, known[f], f, split) | {"known": share}
            line["gain"], line["gain_ratio"] = line["gain"] * share, line["gain_ratio"] * share
            lines.append(line | {"chosen": own is not None and split == own})
    if node.is_linear and feature is None:
        lines.append(measure(tree, node, data, -1, node.split) | {"known": 1.0, "chosen": True})
    for line in lines:
        line["reason"] = say(verdict(tree, node, line))
    columns = [*COLUMNS[:-2], "known", *COLUMNS[-2:]] if holes else COLUMNS
    return pd.DataFrame(lines, columns=columns)


def trace(tree: Tree) -> pd.DataFrame:
    """List all candidates of all nodes, as `Tree.trace` says."""
    tables = []
    for node in tree:
        table = explain(tree, node, None).drop(columns="children")
        roles = ["split" if chosen else "competitor" for chosen in table.pop("chosen")]
        table.insert(0, "role", roles)
        if tree.surrogates is not None:
            stand_ins = tree.surrogates_of(node.id)
            table = pd.concat([table, stand_ins.assign(role="surrogate")]) if len(stand_ins) else table
        table.insert(0, "n", node.n)
        table.insert(0, "path", say(" and ").join(node.path))
        tables.append(table.set_axis(pd.Index([node.id] * len(table), name="node")))
    return pd.concat(tables)


MEASURED = ["impurity", "gain", "split_information", "gain_ratio"]
COLUMNS = ["feature", "split", "children", *MEASURED, "chosen", "reason"]


def at_rows(data: Training, rows: np.ndarray, weight: np.ndarray | None = None) -> Training:
    """Return some rows of the training data, with their own weights or with these."""
    targets = tuple(replace(target, codes=target.codes[rows]) for target in data.targets)
    if weight is None or (data.weight is None and (weight == 1).all()):
        weight = None if data.weight is None else data.weight[rows]
    case_weight = None if data.case_weight is None else data.case_weight[rows]
    return replace(data, codes=data.codes[:, rows], targets=targets, weight=weight, case_weight=case_weight)


def best_splits(tree: Tree, node: Node, known: dict[int, Training]) -> dict[int, Split | None]:
    """Return the best split of each feature on the rows that know it: trees that may ask one thing only.

    They grow together, each where the other features have one value for all.
    """
    asked, found = None if node.is_linear else node.feature, {}
    for f, feature in enumerate(tree.features):
        found[f] = node.split if feature.name == asked else empty_split(tree, f)
    wanted = [f for f, data in known.items() if tree.features[f].name != asked and data.codes.size]
    rules = replace(
        tree.grown_by, max_depth=1, zero_gain=True, missing="error", surrogates=None,
        min_impurity=-1.0, min_gain=0.0, min_decrease=0.0,
        max_leaf_nodes=None, max_features=None, min_split=0.0, min_split_rows=2,
    )  # fmt: skip
    step = max(1, TOGETHER // max([known[f].codes.size for f in wanted], default=1))
    for a in range(0, len(wanted) if node.reason != reasons.PURE else 0, step):
        some = wanted[a : a + step]
        data, root = joined([only(known[f], f) for f in some])
        for f, alone in zip(some, grow_each(data, rules, len(some), root), strict=True):
            found[f] = alone.root.split or found[f]
    return found


def only(data: Training, f: int) -> Training:
    """Return data in which all features but one have their first value everywhere."""
    codes = np.zeros_like(data.codes)
    codes[f] = data.codes[f]
    return replace(data, codes=codes, order={})


def empty_split(tree: Tree, f: int) -> Split | None:
    """Return the split of a feature that cannot part anything: its question, if that needs no data."""
    feature, multiway = tree.features[f], tree.grown_by.nominal == "multiway"
    return Multiway(feature.name, feature.values) if multiway and feature.kind == "nominal" else None


def candidates(tree: Tree, data: Training, f: int) -> Iterator[Split]:
    """List all splits of a feature at a node."""
    feature, present = tree.features[f], np.unique(data.codes[f])
    if feature.kind != "nominal":
        here, last = np.full(len(present) - 1, f), present[1:]
        cuts = thresholds(data, here, present[:-1], last, tree.grown_by.below)
        return (Threshold(feature.name, x, feature.values) for x in cuts.tolist())
    values = tuple(feature.values[code] for code in present)
    if tree.grown_by.nominal == "multiway":
        return iter([Multiway(feature.name, feature.values)])
    if tree.grown_by.nominal == "one_vs_rest":
        if len(values) == len(feature.values) == 2:
            return iter([Multiway(feature.name, values)])
        rest = {v: tuple(w for w in values if w != v) for v in values}
        return (Subset(feature.name, ((v,), rest[v])) for v in values if len(values) > 1)
    if len(values) > LISTED:
        raise ValueError(
            f"feature {feature.name!r} has {len(values)} values here; the groups of up to {LISTED} are listed"
        )
    if len(values) == len(feature.values) == 2:
        return iter([Multiway(feature.name, values)])
    sides = ((0, *rest) for rest in product((0, 1), repeat=max(0, len(values) - 1)) if any(rest))
    return (Subset(feature.name, tuple(group_by(side, values))) for side in sides)


def group_by(side: tuple[int, ...], values: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """Yield the values on side 0, then those on side 1."""
    return (tuple(v for v, s in zip(values, side, strict=True) if s == i) for i in (0, 1))


def measure(tree: Tree, node: Node, data: Training, f: int, split: Split | None) -> dict[str, Any]:
    """Return the line of a candidate; a weighted sum is of no single feature."""
    linear = isinstance(split, Hyperplane)
    name = ", ".join(split.features) if linear else tree.features[f].name
    line: dict[str, Any] = {"feature": name, "split": "" if split is None else str(split)}
    if split is None:
        return line | dict.fromkeys(MEASURED, np.nan) | {"children": ""}
    if linear:
        x = training_numbers(data, np.arange(data.codes.shape[1]))
        branch = (weighted_sums(x, tree.normals[node.id]) > split.threshold).astype(np.intp)
    else:
        branch = take_branches(split, tree.features[f], data.codes[f], data.numbers.get(f))
    parts = [at_rows(data, np.flatnonzero(branch == i)) for i in range(len(split.branches))]
    found = [summary(tree, part) for part in parts]
    weights = np.array([n for n, _, _ in found])
    shares = weights / weights.sum() if weights.sum() else weights
    impurity = float((shares * [impurity for _, impurity, _ in found]).sum())
    if tree.is_classifier and len(tree.outputs) == 1:
        table = np.array([counts for _, _, counts in found])
        gain = measures.impurity_decrease(table, CLASSIFY[tree.criterion])
        impurity = CLASSIFY[tree.criterion](table.sum(0)) - gain
    else:
        own = summary(tree, data)[1]
        gain = own - impurity if own - impurity > TIE * own else 0.0
    known = measures.entropy(weights)
    said = (
        tree.say_counts(whole(counts)) if tree.is_classifier else tree.say_numbers(counts, n)
        for n, _, counts in found
    )
    return line | {
        "children": "; ".join(f"{label}: {text}" for label, text in zip(split.branches, said, strict=True)),
        "impurity": impurity,
        "gain": gain,
        "split_information": known,
        "gain_ratio": gain / known if known > 0 else np.nan,
    }


def take_branches(split: Split, feature: Any, codes: np.ndarray, numbers: np.ndarray | None) -> np.ndarray:
    """Return the branch that each code takes."""
    if isinstance(split, Threshold):
        return np.asarray((codes if numbers is None else numbers[codes]) > split.threshold, int)
    groups = split.groups if isinstance(split, Subset) else [[value] for value in split.values]
    branch = {value: i for i, group in enumerate(groups) for value in group}
    return np.array([branch.get(value, -1) for value in feature.values], int)[codes]


def summary(tree: Tree, data: Training) -> tuple[float, float, np.ndarray]:
    """Return weight, impurity and summary of some rows."""
    n = data.total_weight
    if tree.is_classifier:
        counts = [np.bincount(y.codes, data.weight, len(y.values)) for y in data.targets]
        return n, float(np.mean([CLASSIFY[tree.criterion](c) for c in counts])), np.concatenate(counts)
    y = np.stack([np.asarray(target.values)[target.codes] for target in data.targets])
    if not n:
        return 0.0, 0.0, np.full(len(y), np.nan)
    if tree.criterion == "absolute_error":
        return n, float(np.mean(measures.absolute_error(y, data.weight)) / n), measures.median(y, data.weight)
    return n, float(np.mean(measures.variance(y, data.weight))), np.average(y, axis=1, weights=data.weight)


def verdict(tree: Tree, node: Node, line: dict[str, Any]) -> str:
    """Say why a candidate was or was not chosen at a node."""
    if node.reason in (reasons.PURE, reasons.EMPTY):
        return node.reason
    if line["chosen"]:
        return "largest gain"
    asked_above = {tree[i].feature for i in node.ancestors if np.isnan(tree.threshold[i])}
    no_split = np.isnan(line["gain"]) or not line["split_information"] > 0
    if no_split and line["feature"] in asked_above and tree.grown_by.nominal == "multiway":
        return "asked above"
    if no_split:
        few = tree.grown_by.min_leaf > 1 or tree.grown_by.min_leaf_rows > 1
        return reasons.FEW if few else "one value only"
    if node.is_leaf:
        return node.reason
    gain = tree.gain[node.id]
    if abs(line["gain"] - gain) <= TIE * node.impurity:
        here = line["feature"] == node.feature
        return "equal gain, but a later split" if here else "equal gain, but a later column"
    return "smaller gain" if line["gain"] < gain else "not drawn, or too few samples"
