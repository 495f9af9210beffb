"""What C4.5 measures at the nodes of a level, against the book's formulas, node by node, value by value."""

from itertools import pairwise

import numpy as np
import pytest

from dtlib import measures
from dtlib.dialects import C45Dialect
from dtlib.search.ratio import (
    ASKABLE,
    GAINLESS,
    TOO_FEW,
    Candidates,
    FractionalRows,
    choose,
    each_or_rest,
    enough_in_single,
    list_cuts,
    measure_feature,
    measure_merged,
    score_categorical,
    score_numeric,
)
from dtlib.search.rules import RatioRules
from tests.private import subclass_with

NODES, V, K = 4, 5, 3


def dialect_of(constants=None, **settings):
    """Return a dialect with some settings, and constants that only a preset sets."""
    return subclass_with(C45Dialect, **constants or {})(**settings)


def least_information(bits):
    """Return the settings of a dialect that wants more split information."""
    return {"dialect": {"constants": {"min_split_information": bits}}}


def level(seed, whole=False):
    """Draw the entries of some nodes and their codes; of the first and the last node no value is known."""
    rng = np.random.default_rng(seed)
    n = 200
    node = np.sort(rng.choice(NODES, n, p=[0.1, 0.15, 0.65, 0.1]))
    weight = rng.integers(1, 4, n) / (1 if whole else 4)
    code = np.where((rng.random(n) < 0.2) | (node == NODES - 1) | (node == 0), -1, rng.integers(0, V, n))
    if seed % 3 == 0:
        code[(node == 1) & (code >= 0)] = 3  # of one node a single value is known
    label = np.where(rng.random(n) < 0.6, np.maximum(code, 0) % K, rng.integers(0, K, n))
    table = np.zeros((K, NODES))
    np.add.at(table, (label, node), weight)
    return FractionalRows(np.arange(n), node, weight.astype(float), label, table), code


def of_node(entries, code, j):
    """Return the class weights of each value of a node, shape (V, K), and the weight without a value."""
    here = entries.node == j
    table = np.zeros((V, K))
    known = here & (code >= 0)
    np.add.at(table, (code[known], entries.label[known]), entries.weight[known])
    return table, entries.weight[here & (code < 0)].sum()


def measured(branches, missing):
    """Return gain and split information of branches, by the formulas."""
    branches = np.array([branch for branch in branches if branch.sum() > 0])
    if not len(branches):
        return 0.0, 0.0
    known = branches.sum()
    gain = measures.information_gain(branches) * known / (known + missing)
    return gain, measures.entropy([*branches.sum(axis=1), missing])


def parts(table, which):
    """Return the class weights of one value and of the others."""
    return [table[which], np.delete(table, which, axis=0).sum(axis=0)]


seeds = pytest.mark.parametrize("seed", range(6))
least = pytest.mark.parametrize("min_leaf", [0.0, 0.25, 2.0, 3.0])


@seeds
@least
def test_a_branch_for_each_name(seed, min_leaf):
    entries, code = level(seed)
    found = score_categorical(entries, code, V, RatioRules(min_leaf=min_leaf))
    for j in range(NODES):
        table, missing = of_node(entries, code, j)
        gain, bits = measured(table, missing)
        assert found.gain[j] == pytest.approx(gain, abs=1e-12)
        assert found.information[j] == pytest.approx(bits, abs=1e-12)
        assert found.known[j] == pytest.approx(table.sum() / (table.sum() + missing))
        weight = table.sum(axis=1)
        assert found.status[j] == (ASKABLE if ((weight > 0) & (weight >= min_leaf)).sum() > 1 else TOO_FEW)
    assert found.charge.tolist() == [0] * NODES
    assert found.low.tolist() == found.high.tolist() == [-1] * NODES


@seeds
@least
@pytest.mark.parametrize("choose_by", ["gain_ratio", "gain"])
def test_one_name_and_the_rest(seed, min_leaf, choose_by):
    entries, code = level(seed)
    rules = RatioRules(min_leaf=min_leaf, choose_by=choose_by, group_values="one_vs_rest")
    pairs, listed = each_or_rest(entries, code, V, rules)
    best = measure_feature(entries, code, V, rules)
    for j in range(NODES):
        table, missing = of_node(entries, code, j)
        worth = {}
        for place in np.flatnonzero(pairs.node == j):
            one, rest = parts(table, pairs.code[place])
            gain, bits = measured([one, rest], missing)
            fits = rest.sum() > 0 and one.sum() >= min_leaf and rest.sum() >= min_leaf
            assert listed.status[place] == (ASKABLE if fits else TOO_FEW)
            assert listed.gain[place] == pytest.approx(gain, abs=1e-12)
            assert listed.information[place] == pytest.approx(bits, abs=1e-12)
            assert listed.known[place] == pytest.approx(table.sum() / (table.sum() + missing))
            if fits:
                worth[pairs.code[place]] = gain / bits if choose_by == "gain_ratio" else gain, gain, bits
        assert set(pairs.code[pairs.node == j]) == set(np.flatnonzero(table.sum(axis=1)))
        assert best.known[j] == pytest.approx(table.sum() / (table.sum() + missing))
        groups = best.groups[0]
        assert groups.size[j] == (2 if worth else -1)
        assert best.status[j] == (ASKABLE if worth else TOO_FEW)
        if worth:
            chosen = max(worth, key=lambda value: (round(worth[value][0], 9), -value))
            assert (best.gain[j], best.information[j]) == pytest.approx(worth[chosen][1:])
            (place,) = np.flatnonzero(groups.node == j)
            assert (groups.code[place], groups.branch[place], groups.rest[j]) == (chosen, 0, 1)
            assert groups.branch.dtype.kind == "i"


@seeds
@pytest.mark.parametrize("min_leaf", [0.25, 3.0])
def test_merged_names(seed, min_leaf):
    """Gain and information are those of the groups in which the names are; enough weigh enough."""
    entries, code = level(seed)
    found = measure_merged(entries, code, V, 0.25, RatioRules(min_leaf=min_leaf, group_values="merge"))
    for j in range(NODES):
        table, missing = of_node(entries, code, j)
        assert found.known[j] == pytest.approx(table.sum() / (table.sum() + missing))
        present, groups = np.flatnonzero(table.sum(axis=1)), found.groups[0]
        if len(present) < 2:
            assert (found.status[j], groups.size[j], groups.rest[j]) == (TOO_FEW, -1, -1)
            continue
        here = groups.node == j
        assert sorted(groups.code[here]) == present.tolist()
        branch = groups.branch[here]
        assert set(branch) == set(range(groups.rest[j]))
        assert groups.size[j] == groups.rest[j] + (len(present) < V)
        merged = [table[groups.code[here][branch == i]].sum(axis=0) for i in range(groups.rest[j])]
        gain, bits = measured(merged, missing)
        assert found.gain[j] == pytest.approx(gain, abs=1e-12)
        assert found.information[j] == pytest.approx(bits, abs=1e-12)
        large = sum(group.sum() >= min_leaf for group in merged)
        assert found.status[j] == (TOO_FEW if large < 2 else ASKABLE if gain > 1e-10 else GAINLESS)


def test_merged_names_that_tell_nothing():
    entries = FractionalRows(
        np.arange(6), np.zeros(6, int), np.ones(6), np.array([0, 1, 0, 1, 0, 1]), np.array([[3.0], [3.0]])
    )
    found = measure_merged(entries, np.array([0, 0, 1, 1, 2, 2]), 3, 1.0, RatioRules(group_values="merge"))
    assert found.status.tolist() == [GAINLESS]


NUMBERS = np.array([0.5, 1.0, 1.5, 4.0, 4.25])


def few(seed):
    """Draw entries most of which weigh 2: of some nodes few rows know the number, but they weigh enough."""
    entries, code = level(seed)
    keep = np.random.default_rng(seed).random(len(code)) < 0.06
    keep[np.searchsorted(entries.node, np.arange(NODES))] = True  # of each node, one at least
    row, node, label = entries.row[keep], entries.node[keep], entries.label[keep]
    table = np.zeros((K, NODES))
    np.add.at(table, (label, node), 2.0)
    return FractionalRows(row, node, np.full(len(row), 2.0), label, table), code[keep]


@seeds
@least
@pytest.mark.parametrize("draw", [level, few])
@pytest.mark.parametrize(
    "dialect",
    [
        {},
        {"constants": {"numeric_minimum": True}},
        {"gap": 0.5},
        {"gap": 0.3},
        {"precision": "single"},
        {"samples": "rows"},
        {"samples": "rows", "constants": {"numeric_minimum": True}},
    ],
)
@pytest.mark.parametrize("charge", [False, True])
def test_cuts_of_numbers(seed, min_leaf, draw, dialect, charge):
    entries, code = draw(seed)
    rules = RatioRules(min_leaf=min_leaf, mdl_correction=charge, dialect=dialect_of(**dialect))
    cuts, best = list_cuts(entries, code, [NUMBERS], rules), score_numeric(entries, code, [NUMBERS], rules)
    for j in range(NODES):
        table, missing = of_node(entries, code, j)
        present, known = np.flatnonzero(table.sum(axis=1)), table.sum()
        wanted = max(min_leaf, min(0.1 * known / K, 25)) if rules.dialect.numeric_minimum else min_leaf
        rows = ((entries.node == j) & (code >= 0)).sum()
        if rules.dialect.samples == "rows" and rows < 2 * wanted:
            wanted = np.inf
        found = []
        for low, high in pairwise(present):
            sides = table[: low + 1].sum(axis=0), table[high:].sum(axis=0)
            if (
                min(side.sum() for side in sides) < wanted
                or NUMBERS[high] <= NUMBERS[low] + rules.dialect.gap
            ):
                continue
            found.append((low, high, *measured(sides, missing), sides[0].sum()))
        here = cuts.node == j
        assert [*zip(cuts.low[here], cuts.high[here], strict=True)] == [cut[:2] for cut in found]
        assert cuts.gain[here] == pytest.approx([cut[2] for cut in found], abs=1e-12)
        assert cuts.information(np.flatnonzero(here)) == pytest.approx([cut[3] for cut in found], abs=1e-12)
        assert cuts.left[here] == pytest.approx([cut[4] for cut in found])
        price = np.log2(max(len(found), 1)) / (known + missing) if charge else 0.0
        assert best.charge[j] == pytest.approx(price)
        assert best.known[j] == pytest.approx(known / (known + missing))
        if not found:
            assert (best.status[j], best.low[j], best.high[j]) == (TOO_FEW, -1, -1)
            continue
        first = max(found, key=lambda cut: (round(cut[2], 9), -cut[0]))
        assert (best.low[j], best.high[j]) == first[:2]
        assert best.gain[j] == pytest.approx(first[2] - price, abs=1e-12)
        assert best.information[j] == pytest.approx(first[3])
        assert best.status[j] == (ASKABLE if first[2] - price > 1e-10 else GAINLESS)


@pytest.mark.parametrize(
    ("weight", "code", "low", "minimum", "enough"),
    [
        ([1, 1, 1, 1], [0, 0, 1, 1], 0, 2, True),
        ([1, 1, 1, 1], [0, 0, 1, 1], 0, 2.5, False),  # neither side
        ([1, 1, 1, 1], [0, 0, 0, 1], 0, 2, False),  # the upper one
        ([1, 1, 1, 1], [0, 1, 1, 1], 0, 2, False),  # the lower one
        ([1, 1, 1, 1], [0, 1, 1, 2], 1, 2, False),
        ([1, 1, 1, 1, 1], [0, 1, 1, 2, -1], 0, 2, False),
        ([1, 1, 1, 1, 5], [0, 1, 2, 2, -1], 1, 2, True),
        ([1, 1, 1, 1, 5], [0, 1, 1, 2, -1], 1, 2, False),  # what is missing is on neither side
        ([1, 1, 1, 0.99999999], [0, 0, 1, 1], 0, 2, True),  # 1 as a float32
        ([0.1] * 20, [0] * 10 + [1] * 10, 0, 1.0, True),  # 0.1 ten times is more than 1, as float32
        ([0.7] * 10 + [0.1] * 10, [0] * 10 + [1] * 10, 0, 1.0, True),
    ],
)
def test_weights_added_up_in_single_precision(weight, code, low, minimum, enough):
    assert enough_in_single(np.array(weight, float), np.array(code), low, minimum) is enough


SMALL = [1 / 3, 0.7, 0.3, 0.1, 0.6, 0.7, 0.7, 0.3, 0.3, 0.7, 0.7]


@pytest.mark.parametrize("precision", ["double", "single"])
@pytest.mark.parametrize(
    ("weight", "missing"),
    [([15 / 112, 1, 1, 0.5, 0.5, 0.5, 1, 1, 0.5, 0.5, 0.5, 0.5], 1), (SMALL, 0)],
)
def test_only_dialects_of_single_precision_add_up_so(weight, missing, precision):
    """A weight of 2 above the cut is a little less in float32."""
    n, code = len(weight), np.array([-1] * missing + [0] * 7 + [1] * 4)
    label = np.arange(n) % 2
    entries = FractionalRows(
        np.arange(n), code * 0, np.array(weight), label, np.bincount(label, weight)[:, None]
    )
    rules = RatioRules(min_leaf=2.0, dialect=C45Dialect(precision=precision))
    assert len(list_cuts(entries, code, [np.array([1.0, 2.0])], rules).node) == (precision == "double")


def candidates(gain, information, status=None):
    """Return some features at one node."""
    gain, information = np.array(gain, float)[:, None], np.array(information, float)[:, None]
    status = np.full(gain.shape, ASKABLE) if status is None else np.array(status)[:, None]
    zero = np.zeros(gain.shape)
    return Candidates(status, gain, information, zero, zero + 1, zero, zero, {})


@pytest.mark.parametrize(
    ("gain", "information", "options", "chosen"),
    [
        ([0.2, 0.4], [0.4, 1.0], {"average_gain": False}, 0),
        ([0.2, 0.4], [0.4, 1.0], {}, 1),  # the first gains less than the average
        ([0.3, 0.3], [1.0, 1.0], {}, 0),
        ([0.3, 0.3 + 5e-11], [1.0, 1.0], {}, 0),
        ([0.3, 0.3 + 5e-10], [1.0, 1.0], {}, 1),
        ([0.2, 0.4], [0.4, 1.0], {"choose_by": "gain"}, 1),
        ([0.2, 0.1], [0.0, 1.0], {"average_gain": False}, 1),  # the first tells nothing
        ([0.2, 0.1], [0.5, 1.0], {"average_gain": False, **least_information(0.5)}, 1),
        ([0.2, 0.1], [0.5, 1.0], {"average_gain": False, **least_information(0.4)}, 0),
        ([0.2, 0.4], [0.4, 1.0], {"dialect": {"constants": {"average_slack": 0.1}}}, 0),
        ([0.2, 0.4], [0.4, 1.0], {"dialect": {"constants": {"average_slack": 0.09}}}, 1),
        ([0.3, 0.32], [1.0, 1.0], {"average_gain": False, "dialect": {"constants": {"tolerance": 0.05}}}, 0),
        ([0.0, 0.0], [1.0, 1.0], {}, -1),
        ([0.0, 0.0], [1.0, 1.0], {"dialect": {"zero_gain": True}}, 0),
        ([-0.1, -0.2], [1.0, 1.0], {"dialect": {"zero_gain": True}}, 0),
        ([1e-10], [1.0], {}, -1),
    ],
)
def test_the_feature_that_is_asked(gain, information, options, chosen):
    options = dict(options)
    rules = RatioRules(dialect=dialect_of(**options.pop("dialect", {})), **options)
    found = candidates(gain, information)
    assert choose(found, np.ones(len(gain), bool), rules).tolist() == [chosen]
    none = candidates(gain, information, [TOO_FEW] * len(gain))
    assert choose(none, np.ones(len(gain), bool), rules).tolist() == [-1]
