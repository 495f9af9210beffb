"""What C4.5 could ask at a node, and why it chose one question (chapter 6)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from dtlib.counting.tables import whole
from dtlib.measures import entropy
from dtlib.messages import say
from dtlib.search.level import TIE
from dtlib.search.ratio import (
    ASKABLE,
    FEW,
    Candidates,
    Entries,
    Measured,
    average_gain,
    averaged,
    choose,
    count_entries,
    each_or_rest,
    list_cuts,
    measure_all,
    merged_values,
    spread,
)
from dtlib.table.columns import Feature
from dtlib.table.training import between
from dtlib.telling.training_rows import training_parts
from dtlib.tree import reasons
from dtlib.tree.node import Node
from dtlib.tree.splits import Multiway, Split, Subset, Threshold
from dtlib.tree.tree import Tree

COLUMNS = [
    "feature", "split", "children", "impurity", "gain", "split_information", "gain_ratio", "charge", "known",
    "average_gain", "chosen", "reason",
]  # fmt: skip


def explain_ratio(tree: Tree, node: Node, feature: str | None) -> pd.DataFrame:
    """List the candidates of a node of C4.5's tree: the best split of each feature, or all splits of one.

    The gain is what counts in the choice: that of the known rows times their share, less the charge.
    """
    entries = entries_of(tree, node.id)
    data, rules = tree.training, tree.grown_by
    if not len(entries.row):
        lines = [empty_line(f.name) | {"reason": say(node.reason)} for f in tree.features]
        return pd.DataFrame([x for x in lines if feature in (None, x["feature"])], columns=COLUMNS)
    found = measure_all(entries, data, rules)
    counts = averaged(data, rules)
    average = average_gain(found, counts)[0]
    first = choose(found, counts, rules)[0]
    lines = []
    for f, name in enumerate(x.name for x in tree.features):
        if feature is None:
            line = best_line(tree, node, entries, found, f)
            lines.append(line | {"reason": say(verdict(tree, node, entries, found, f, average, first))})
        elif feature == name:
            why = say(verdict(tree, node, entries, found, f, average, first))
            lines += all_lines(tree, node, entries, found, f, why)
    average = average if np.isfinite(average) else np.nan
    return pd.DataFrame([line | {"average_gain": average} for line in lines], columns=COLUMNS)


def entries_of(tree: Tree, node: int) -> Entries:
    """Return the training entries of a node."""
    row, weight = training_parts(tree, node)
    label = tree.training.targets[0].codes[row]
    table = np.bincount(label, weight, len(tree.classes))[:, None]
    return Entries(row, np.zeros(len(row), np.intp), weight, label, table)


def empty_line(name: str) -> dict[str, Any]:
    """Return the line of a feature that cannot be asked."""
    return {"feature": name, "split": "", "children": "", "chosen": False}


def best_line(tree: Tree, node: Node, entries: Entries, found: Candidates, f: int) -> dict[str, Any]:
    """Return the line of a feature's best split."""
    feature, data = tree.features[f], tree.training
    known = {"known": found.known[f, 0]}
    own, measured = bool(tree.feature[node.id] == f), found.of(f)
    if own and is_other(tree, node, entries, found, f):
        return own_line(tree, node, entries, found, f) | known | {"chosen": True}
    if f in data.numbers and found.low[f, 0] < 0:
        return empty_line(feature.name) | known
    if f in found.groups and measured.groups.size[0] < 0:
        return empty_line(feature.name) | known
    branch_of = branches_of(tree, f, measured)
    if f in data.numbers:
        low, high = data.numbers[f][[found.low[f, 0], found.high[f, 0]]].astype(float)
        split: Split = Threshold(feature.name, float(between(low, high)))
    else:
        split = grouped_split(feature, branch_of)
    tables = branch_tables(tree, entries, f, branch_of)
    return line_of(tree, node.split if own else split, tables, measured) | known | {"chosen": own}


def own_branches(tree: Tree, node: Node, f: int) -> np.ndarray:
    """Return the branch that each value takes at the node that asks for the feature, -1 if it has none."""
    if f in tree.training.numbers:
        return (tree.training.numbers[f] > tree.limit(tree.threshold)[node.id]).astype(np.intp)
    V = len(tree.features[f].values)
    return tree.branch_of(np.full(V, node.id), np.arange(V))


def is_other(tree: Tree, node: Node, entries: Entries, found: Candidates, f: int) -> bool:
    """Tell whether a node asks something else than is best for its rows, as a branch was raised."""
    if tree.pruned_from is None:
        return False
    measured = found.of(f)
    grouped = measured.groups is not None and f not in tree.training.numbers
    if (grouped and measured.groups.size[0] < 0) or (f in tree.training.numbers and found.low[f, 0] < 0):
        return True
    code = np.unique(tree.training.codes[f, entries.row])
    code = code[code >= 0]
    return bool((own_branches(tree, node, f) != branches_of(tree, f, measured))[code].any())


def own_line(tree: Tree, node: Node, entries: Entries, found: Candidates, f: int) -> dict[str, Any]:
    """Return the line of what a node asks, measured by the rows that it has now."""
    branch = own_branches(tree, node, f)
    tables = branch_tables(tree, entries, f, np.where(branch < 0, branch.max() + 1, branch))
    tables = np.pad(tables, ((0, max(0, len(node.children) - len(tables))), (0, 0)))[: len(node.children)]
    n, total = tables.sum(1), entries.weight.sum()
    charge = found.charge[f, 0] if f in tree.training.numbers else 0.0
    lost = spread(tables.sum(0)[:, None]).sum() - spread(tables.T).sum()
    bits = float(entropy(np.append(n, max(total - n.sum(), 0.0))))
    gain = lost / total - charge
    measured = Measured(gain, bits, charge, found.known[f, 0])
    return line_of(tree, node.split, tables, measured)


def branches_of(tree: Tree, f: int, measured: Measured) -> np.ndarray:
    """Return the branch that each value of a feature takes in its best split at a node."""
    if f in tree.training.numbers:
        return (np.arange(len(tree.training.numbers[f])) > measured.low).astype(np.intp)
    V, groups = len(tree.features[f].values), measured.groups
    if groups is None:
        return np.arange(V)
    branch = np.full(V, groups.rest[0])
    branch[groups.code] = groups.branch
    return branch


def grouped_split(feature: Feature, branch: np.ndarray) -> Split:
    """Return the split of names into these branches."""
    if (branch == np.arange(len(branch))).all():
        return Multiway(feature.name, feature.values)
    groups = (group_by(branch, feature.values, i) for i in range(branch.max() + 1))
    return Subset(feature.name, tuple(groups))


def group_by(branch: np.ndarray, values: tuple[Any, ...], i: int) -> tuple[Any, ...]:
    """Return the values that take a branch."""
    return tuple(values[code] for code in np.flatnonzero(branch == i))


def branch_tables(tree: Tree, entries: Entries, f: int, branch: np.ndarray) -> np.ndarray:
    """Return the class weights of the known entries of each branch, given the branch of each value."""
    code, K, size = tree.training.codes[f, entries.row], len(tree.classes), branch.max(initial=-1) + 1
    known = code >= 0
    cell = branch[code[known]] * K + entries.label[known]
    return np.bincount(cell, entries.weight[known], size * K).reshape(size, K)


def line_of(tree: Tree, split: Split, tables: np.ndarray, measured: Measured) -> dict[str, Any]:
    """Return the line of a split."""
    said = (
        f"{label}: {tree.say_counts(whole(np.round(table, 9)))}"
        for label, table in zip(split.branches, tables, strict=True)
    )
    total = tables.sum()
    return {
        "feature": split.feature,
        "split": str(split),
        "children": "; ".join(said),
        "impurity": spread(tables.T).sum() / total if total else np.nan,
        "gain": measured.gain,
        "split_information": measured.information,
        "gain_ratio": float(measured.ratio),
        "charge": measured.charge,
    }


def all_lines(
    tree: Tree, node: Node, entries: Entries, found: Candidates, f: int, reason: str
) -> Iterator[dict[str, Any]]:
    """Yield the lines of all splits of a feature that may be made."""
    best, x = best_line(tree, node, entries, found, f), tree.training.numbers.get(f)
    if f in found.groups and best["split"]:
        lines = lines_of_merging if tree.grown_by.group_values == "merge" else lines_of_one
        yield from lines(tree, entries, f, best | {"reason": reason})
        return
    if x is None or found.low[f, 0] < 0:
        yield best | {"reason": reason}
        return
    code = tree.training.codes[f, entries.row]
    listed, asked = list_cuts(entries, code, [x], tree.grown_by), found.low[f, 0]
    if best["chosen"]:
        asked = code[(code >= 0) & (own_branches(tree, node, f)[code] == 0)].max(initial=-1)
    charge, bits = found.charge[f, 0], listed.information(np.arange(len(listed.node)))
    for i in range(len(listed.node)):
        if listed.low[i] == asked:
            yield best | {"reason": reason}
            continue
        gain = listed.gain[i] - charge
        measured = Measured(gain, bits[i], charge, best["known"], listed.low[i], listed.high[i])
        ends = x[[listed.low[i], listed.high[i]]].astype(float)
        split = Threshold(tree.features[f].name, float(between(*ends)))
        tables = branch_tables(tree, entries, f, branches_of(tree, f, measured))
        same = abs(gain - best["gain"]) <= tree.grown_by.tie
        smaller = "smaller gain" if gain < best["gain"] else "larger gain since a branch was raised"
        why = say("equal gain, but a later split") if same else say(smaller)
        line = line_of(tree, split, tables, measured)
        yield line | {"known": best["known"], "chosen": False, "reason": why}


def lines_of_merging(tree: Tree, entries: Entries, f: int, best: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a line for each grouping on the way to the last one: all values apart, then what was merged."""
    rules, feature = tree.grown_by, tree.features[f]
    pairs = count_entries(entries, tree.training.codes[f, entries.row], len(feature.values))
    codes, steps = merged_values(pairs, 0, float(entries.n[0]), tree.training.least_weight, rules)
    for step in steps[:-1]:
        branch = np.full(len(feature.values), len(step.groups))  # those without rows
        for i, group in enumerate(sorted(step.groups)):
            branch[codes[list(group)]] = i
        measured = Measured(step.gain, step.information, 0.0, best["known"])
        split, tables = grouped_split(feature, branch), branch_tables(tree, entries, f, branch)
        line = line_of(tree, split, tables, measured) | {"known": best["known"], "chosen": False}
        yield line | {"reason": say("merged further")}
    yield best


def lines_of_one(tree: Tree, entries: Entries, f: int, best: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a line for each value against the rest."""
    rules, feature = tree.grown_by, tree.features[f]
    code = tree.training.codes[f, entries.row]
    pairs, listed = each_or_rest(entries, code, len(feature.values), rules)
    by_ratio = rules.choose_by == "gain_ratio"
    worth = "gain_ratio" if by_ratio else "gain"
    for i in np.flatnonzero(listed.status == ASKABLE):
        branch = (np.arange(len(feature.values)) != pairs.code[i]).astype(np.intp)
        split, tables = grouped_split(feature, branch), branch_tables(tree, entries, f, branch)
        measured = Measured(listed.gain[i], listed.information[i], 0.0, best["known"])
        line = line_of(tree, split, tables, measured) | {"known": best["known"], "chosen": False}
        if line["split"] == best["split"]:
            yield best
            continue
        same = abs(line[worth] - best[worth]) <= rules.tie
        smaller = "smaller gain ratio" if by_ratio else "smaller gain"
        yield line | {"reason": say("equal gain, but a later split") if same else say(smaller)}


def verdict(
    tree: Tree, node: Node, entries: Entries, found: Candidates, f: int, average: float, first: int
) -> str:
    """Say why a feature was or was not chosen at a node."""
    rules, ratio = tree.grown_by, tree.grown_by.choose_by == "gain_ratio"
    if node.is_leaf and node.reason in (reasons.PURE, reasons.EMPTY, reasons.SMALL, reasons.DEPTH):
        return node.reason
    if node.feature == tree.features[f].name:
        if tree.pruned_from is not None and (first != f or is_other(tree, node, entries, found, f)):
            return "asked before a branch was raised"
        return "largest gain ratio" if ratio else "largest gain"
    if found.status[f, 0] != ASKABLE:
        return refused(tree, node, found, f)
    gain, worth = found.gain[f, 0], (found.ratio if ratio else found.gain)[:, 0]
    if ratio and rules.average_gain and gain < average - rules.average_slack - rules.tie:
        return "gain below the average"
    if found.information[f, 0] <= max(rules.min_information, TIE):
        return "too little split information"
    if node.is_leaf:
        return node.reason
    if abs(worth[f] - worth[first]) <= rules.tie:
        return "equal gain ratio, but a later column" if ratio else "equal gain, but a later column"
    return "smaller gain ratio" if ratio else "smaller gain"


def refused(tree: Tree, node: Node, found: Candidates, f: int) -> str:
    """Say why a feature is no candidate at a node."""
    asked = {tree[i].feature for i in node.ancestors if np.isnan(tree.threshold[i])}
    if found.status[f, 0] != FEW:
        return reasons.NO_GAIN
    if found.known[f, 0] == 0:
        return "no known value"
    if tree.features[f].name in asked:
        return "asked above"
    return reasons.FEW if tree.grown_by.min_leaf > 0 else "one value only"
