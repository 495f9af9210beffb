"""What C4.5 could ask at a node, and why it chose one question (chapter 6).

Legend: f is the place of a feature, V the number of its values, K that of classes; `branch` the branch that
each of these values takes, -1 for none.

Examples
--------
>>> from dtlib import C45Classifier
>>> from dtlib.datasets import load_golf
>>> golf = load_golf()
>>> C45Classifier().fit(golf.X, golf.y).tree_.explain(0, "windy")[["split", "children", "chosen"]]
    split                               children  chosen
0  windy?  false: no 2, yes 6; true: no 3, yes 3   False
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from dtlib.counting.tables import count_tables
from dtlib.growing.training_rows import training_parts
from dtlib.measures import entropy
from dtlib.messages import say
from dtlib.search.level import TIE
from dtlib.search.merging import entropy_times_n
from dtlib.search.ratio import (
    ASKABLE,
    TOO_FEW,
    Candidates,
    FractionalRows,
    Groups,
    average_gain,
    averaged,
    choose,
    count_entries,
    each_or_rest,
    list_cuts,
    measure_all,
    merged_values,
    scores_of_cuts,
)
from dtlib.search.rules import RatioRules
from dtlib.table.training import Training, between
from dtlib.tree import reasons
from dtlib.tree.node import Node
from dtlib.tree.splits import Split, format_branches, nominal_split, number_between
from dtlib.tree.tree import Tree

RATIO_COLUMNS = [
    "feature", "split", "children", "impurity", "gain", "split_information", "gain_ratio", "charge", "known",
    "average_gain", "chosen", "reason",
]  # fmt: skip
OF_CUTS = {  # why a cut is not asked, by what cuts are compared
    "gain": ("smaller gain", "larger gain since a branch was raised", "equal gain, but a later split"),
    "gain_ratio": (
        "smaller gain ratio",
        "larger gain ratio since a branch was raised",
        "equal gain ratio, but a later split",
    ),
}


@dataclass(frozen=True)
class Measured:
    """A node of C4.5's tree, and what each feature is worth on the training rows that come there."""

    tree: Tree
    node: Node
    rules: RatioRules
    data: Training
    entries: FractionalRows
    found: Candidates  # arrays of shape (features, 1)
    average: float  # gain of the candidates, infinite if there is none
    best: int  # the feature that growing would choose, -1 for none

    @property
    def ratio_counts(self) -> bool:
        """Whether the gain ratio is what counts, or the gain."""
        return self.rules.choose_by == "gain_ratio"

    def groups(self, f: int) -> Groups | None:
        """Return the branches of a feature whose values are grouped."""
        return self.found.groups.get(f)


def explain_ratio(node: Node, rules: RatioRules, feature: str | None) -> pd.DataFrame:
    """List the candidates of a node of C4.5's tree: the best split of each feature, or all splits of one.

    The gain is what counts in the choice: that of the known rows times their share, less the charge.
    """
    tree, data = node.tree, node.tree.grown_from
    row, weight = training_parts(tree, node.id)
    wanted = [f for f, x in enumerate(tree.features) if feature in (None, x.name)]
    if not len(row):
        empty = [empty_line(tree.features[f].name) | {"reason": say(node.reason)} for f in wanted]
        return pd.DataFrame(empty, columns=RATIO_COLUMNS)
    label = data.targets[0].codes[row]
    node_of = np.zeros(len(row), np.intp)
    table = count_tables(label, node_of, (1, len(tree.classes), 1), weight=weight)[0]
    entries = FractionalRows(row, node_of, weight, label, table)
    found, counts = measure_all(entries, data, rules), averaged(data, rules)
    average = float(average_gain(found, counts)[0])
    at = Measured(tree, node, rules, data, entries, found, average, int(choose(found, counts, rules)[0]))
    lines = [x for f in wanted for x in ([best_line(at, f)] if feature is None else all_lines(at, f))]
    shown = average if np.isfinite(average) else np.nan
    return pd.DataFrame([line | {"average_gain": shown} for line in lines], columns=RATIO_COLUMNS)


def empty_line(name: str) -> dict[str, Any]:
    """Return the line of a feature that cannot be asked."""
    return {"feature": name, "split": "", "children": "", "chosen": False}


def best_line(at: Measured, f: int) -> dict[str, Any]:
    """Return the line of a feature's best split, or of what the node asks of the feature."""
    found, best = at.found, best_split(at, f)
    tested = at.node.split if at.tree.feature[at.node.id] == f else None
    if tested is not None and is_other(at, f):
        line = own_line(at, f, tested)
    elif best is None:
        line = empty_line(at.tree.features[f].name) | {"known": found.known[f, 0]}
    else:
        measured = found.gain[f, 0], found.information[f, 0], found.charge[f, 0]
        line = ratio_line(at, f, tested or best[0], best[1], *measured)
    return line | {"chosen": tested is not None, "reason": say(ratio_verdict(at, f))}


def best_split(at: Measured, f: int) -> tuple[Split, np.ndarray] | None:
    """Return the best split of a feature for the rows of the node, with its branches; None if it has none."""
    feature, groups = at.tree.features[f], at.groups(f)
    if f in at.data.numbers:
        low, high = at.found.low[f, 0], at.found.high[f, 0]
        return None if low < 0 else cut_between(at, f, low, high)
    branch = np.arange(len(feature.values))
    if groups is not None:
        if groups.size[0] < 0:
            return None
        branch = np.full(len(branch), groups.rest[0])
        branch[groups.code] = groups.branch
    return grouped(at, f, branch)


def cut_between(at: Measured, f: int, low: int, high: int) -> tuple[Split, np.ndarray]:
    """Return the split between two numbers, given their codes, with its branches."""
    x = at.data.numbers[f]
    a, b = x[[low, high]].astype(float).tolist()
    split = number_between(at.tree.features[f], float(between(a, b)), a, b, strict=False)
    return split, (np.arange(len(x)) > low).astype(int)


def grouped(at: Measured, f: int, branch: np.ndarray) -> tuple[Split, np.ndarray]:
    """Return the split of the names of a feature into these branches, and the branches."""
    return nominal_split(at.tree.features[f], range(len(branch)), branch.tolist()), branch


def own_branches(at: Measured, f: int) -> np.ndarray:
    """Return the branch that each value takes at the node, which asks for the feature, -1 if it has none."""
    tree, node = at.tree, at.node.id
    if f in at.data.numbers:
        return (at.data.numbers[f] > tree._limit(tree.threshold)[node]).astype(int)
    V = len(tree.features[f].values)
    return tree._branch_of(np.full(V, node), np.arange(V))


def is_other(at: Measured, f: int) -> bool:
    """Tell whether a node asks something else than is best for its rows, as a branch was raised."""
    if at.tree.pruned_from is None:
        return False
    best, code = best_split(at, f), np.unique(at.data.codes[f, at.entries.row])
    return best is None or bool((own_branches(at, f) != best[1])[code[code >= 0]].any())


def own_line(at: Measured, f: int, split: Split) -> dict[str, Any]:
    """Return the line of what a node asks, measured by the rows that it has now."""
    branch = own_branches(at, f)
    tables = branch_tables(at, f, split, branch)
    n, total = tables.sum(1), at.entries.weight.sum()
    charge = at.found.charge[f, 0] if f in at.data.numbers else 0.0
    lost = entropy_times_n(tables.sum(0)[:, None]).sum() - entropy_times_n(tables.T).sum()
    bits = entropy(np.append(n, max(total - n.sum(), 0.0)))
    return ratio_line(at, f, split, branch, lost / total - charge, float(bits), charge)


def branch_tables(at: Measured, f: int, split: Split, branch: np.ndarray) -> np.ndarray:
    """Return the class weights of each branch, of the entries that have one."""
    code, K, size = at.data.codes[f, at.entries.row], len(at.tree.classes), len(split.branches)
    taken = np.append(branch, -1)[code]  # the last place is that of a missing value, -1
    some = np.flatnonzero(taken >= 0)
    label, weight = at.entries.label[some], at.entries.weight[some]
    return count_tables(taken[some], label, (1, size, K), weight=weight)[0]


def ratio_line(
    at: Measured, f: int, split: Split, branch: np.ndarray, gain: float, bits: float, charge: float
) -> dict[str, Any]:
    """Return the line of a split, given its gain less the charge, and its split information."""
    tables = branch_tables(at, f, split, branch)
    total = tables.sum()
    return {
        "feature": at.tree.features[f].name,
        "split": str(split),
        "children": format_branches(
            split, [at.tree._format_summary(np.round(x, 9), x.sum()) for x in tables]
        ),
        "impurity": entropy_times_n(tables.T).sum() / total if total else np.nan,
        "gain": gain,
        "split_information": bits,
        "gain_ratio": gain / bits if bits > 0 else np.nan,
        "charge": charge,
        "known": at.found.known[f, 0],
        "chosen": False,
    }


def all_lines(at: Measured, f: int) -> Iterator[dict[str, Any]]:
    """Return the lines of all splits of a feature that may be made."""
    best = best_line(at, f)
    if at.found.low[f, 0] >= 0:
        return lines_of_cuts(at, f, best)
    if at.groups(f) is None or not best["split"]:
        return iter([best])
    return lines_of_merging(at, f, best) if at.rules.group_values == "merge" else lines_of_one(at, f, best)


def lines_of_cuts(at: Measured, f: int, best: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a line for each cut between two numbers."""
    code, tested = at.data.codes[f, at.entries.row], at.found.low[f, 0]
    listed, charge = list_cuts(at.entries, code, [at.data.numbers[f]], at.rules), at.found.charge[f, 0]
    if best["chosen"]:
        tested = code[(code >= 0) & (own_branches(at, f)[code] == 0)].max(initial=-1)
    bits, by = listed.information(np.arange(len(listed.node))), at.rules.dialect.threshold_by
    worth = scores_of_cuts(listed, at.found.charge[f], at.rules) - (charge if by == "gain" else 0)
    smaller, larger, equal = OF_CUTS[by]
    for i, gain in enumerate(listed.gain - charge):
        if listed.low[i] == tested:
            yield best
            continue
        cut = cut_between(at, f, listed.low[i], listed.high[i])
        why = (
            equal if abs(worth[i] - best[by]) <= at.rules.tie else smaller if worth[i] < best[by] else larger
        )
        yield ratio_line(at, f, *cut, gain, bits[i], charge) | {"reason": say(why)}


def lines_of_merging(at: Measured, f: int, best: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a line for each grouping on the way to the last one: all values apart, then what was merged."""
    V, n = len(at.tree.features[f].values), float(at.entries.n[0])
    pairs = count_entries(at.entries, at.data.codes[f, at.entries.row], V)
    codes, groupings = merged_values(pairs, 0, n, at.data.least_weight, at.rules)
    for grouping in groupings[:-1]:
        branch = np.full(V, len(grouping.groups))  # those without rows
        for i, group in enumerate(sorted(grouping.groups)):
            branch[codes[list(group)]] = i
        line = ratio_line(at, f, *grouped(at, f, branch), grouping.gain, grouping.information, 0.0)
        yield line | {"reason": say("merged further")}
    yield best


def lines_of_one(at: Measured, f: int, best: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a line for each value against the rest."""
    V, worth = len(at.tree.features[f].values), "gain_ratio" if at.ratio_counts else "gain"
    pairs, listed = each_or_rest(at.entries, at.data.codes[f, at.entries.row], V, at.rules)
    for i in np.flatnonzero(listed.status == ASKABLE):
        split = grouped(at, f, (np.arange(V) != pairs.code[i]).astype(int))
        line = ratio_line(at, f, *split, listed.gain[i], listed.information[i], listed.charge[i])
        same = abs(line[worth] - best[worth]) <= at.rules.tie
        smaller = "smaller gain ratio" if at.ratio_counts else "smaller gain"
        why = say("equal gain, but a later split") if same else say(smaller)
        yield best if line["split"] == best["split"] else line | {"reason": why}


def ratio_verdict(at: Measured, f: int) -> str:
    """Say why a feature was or was not chosen at a node."""
    node, rules, found, ratio = at.node, at.rules, at.found, at.ratio_counts
    if node.is_leaf and node.reason in (reasons.PURE, reasons.EMPTY, reasons.SMALL, reasons.DEPTH):
        return node.reason
    if at.tree.feature[node.id] == f:
        if at.tree.pruned_from is not None and (at.best != f or is_other(at, f)):
            return "asked before a branch was raised"
        return "largest gain ratio" if ratio else "largest gain"
    if found.status[f, 0] != ASKABLE:
        return refusal(at, f)
    gain, worth = found.gain[f, 0], (found.ratio if ratio else found.gain)[:, 0]
    if ratio and rules.average_gain and gain < at.average - rules.dialect.average_slack - rules.tie:
        return "gain below the average"
    if found.information[f, 0] <= max(rules.dialect.min_split_information, TIE):
        return "too little split information"
    if node.is_leaf:
        return node.reason
    if abs(worth[f] - worth[at.best]) <= rules.tie:
        return "equal gain ratio, but a later column" if ratio else "equal gain, but a later column"
    return "smaller gain ratio" if ratio else "smaller gain"


def refusal(at: Measured, f: int) -> str:
    """Say why a feature is no candidate at a node."""
    if at.found.status[f, 0] != TOO_FEW:
        return reasons.NO_GAIN
    if at.found.known[f, 0] == 0:
        return "no known value"
    if at.tree.features[f].name in at.node.names_above:
        return "asked above"
    return reasons.FEW if at.rules.min_leaf > 0 else "one value only"
