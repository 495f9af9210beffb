"""Gain, split information and gain ratio of each feature at each node, as in C4.5 (chapters 3 and 6).

Everything is counted on *entries*: fractional instances, each a training row in a node with the share of its
weight that came there. The code of a missing value is -1: the gain of the known entries is multiplied by
their share, and the missing ones are one more branch of the split information.

References
----------
J. R. Quinlan, "C4.5: Programs for Machine Learning" (1993), chapters 2 and 3; MDL correction of thresholds:
"Improved use of continuous attributes in C4.5", Journal of Artificial Intelligence Research 4 (1996) 77-90.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from dtlib.arrays import first_best, of_group, xlogx
from dtlib.counting.pairs import Pairs, cells_of
from dtlib.counting.tables import count_tables
from dtlib.search.level import TIE
from dtlib.search.merging import Grouping, MergeLimits, entropy_times_n, merge_values
from dtlib.search.rules import RatioRules
from dtlib.table.training import Training

MEASURED_TOGETHER = 1 << 14  # entries times features
LARGEST_MINIMUM = 25.0  # upper limit of the numeric minimum
CLOSE_WEIGHTS = 1e-5  # weights that exceed a minimum by less may fall below it if summed as float32
ASKABLE, TOO_FEW, GAINLESS = range(3)  # the status of a feature at a node


class FractionalRows(NamedTuple):
    """The entries of the open nodes of a level, grouped by node; class weights of nodes, shape (K, J)."""

    row: np.ndarray
    node: np.ndarray
    weight: np.ndarray
    label: np.ndarray
    table: np.ndarray
    rows: np.ndarray | None = None  # for how many (fractional) rows each entry stands; default 1

    @property
    def n(self) -> np.ndarray:
        """The weight of each node."""
        return self.table.sum(0)


class Groups(NamedTuple):
    """The branches of grouped values: of listed (node, code) pairs, and of all other values of a node."""

    node: np.ndarray
    code: np.ndarray
    branch: np.ndarray
    rest: np.ndarray  # the branch of the other values of each node
    size: np.ndarray  # the number of branches of each node, -1 where there is no split


class Candidates(NamedTuple):
    """Candidate splits of each feature at each node, shape (features, nodes); or of one feature, (nodes,)."""

    status: np.ndarray  # ASKABLE, or why the feature cannot be tested
    gain: np.ndarray  # bits, times the share of known weight, less the MDL correction
    information: np.ndarray  # bits
    charge: np.ndarray  # bits
    known: np.ndarray  # share of the weight
    low: np.ndarray  # the codes below and above the cut, -1 where the feature is categorical
    high: np.ndarray
    groups: dict[int, Groups]  # by feature, where values are grouped

    @classmethod
    def of_categories(
        cls, status: np.ndarray, gain: np.ndarray, information: np.ndarray, known: np.ndarray,
        groups: Groups | None = None,
    ) -> "Candidates":  # fmt: skip
        """Return the candidates of a categorical feature, which has no cut and no MDL correction."""
        none = np.full(len(status), -1)
        by_feature = {} if groups is None else {0: groups}
        return cls(status, gain, information, np.zeros(len(status)), known, none, none, by_feature)

    @property
    def columns(self) -> tuple[np.ndarray, ...]:
        """All fields but `groups`."""
        return self[:-1]  # type: ignore[return-value]  # the last field is no array

    @property
    def ratio(self) -> np.ndarray:
        """Gain divided by split information, NaN where that is 0."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(self.information > 0, self.gain / self.information, np.nan)  # (5.8)


ClassPairs = Pairs[np.ndarray]  # the known values of each node, and their class weights, shape (K, pairs)


class RatioCuts(NamedTuple):
    """The allowed cuts of a numeric feature: node, codes on either side, gain, weight below."""

    node: np.ndarray
    low: np.ndarray
    high: np.ndarray
    gain: np.ndarray  # before the MDL correction
    left: np.ndarray  # weight of the known entries up to the cut
    known: np.ndarray  # known weight of each node
    n: np.ndarray

    @classmethod
    def measured(
        cls, node: np.ndarray, low: np.ndarray, high: np.ndarray, left: np.ndarray, n_left: np.ndarray,
        known: np.ndarray, n_known: np.ndarray, n: np.ndarray,
    ) -> "RatioCuts":  # fmt: skip
        """Measure cuts, given class weights (K, ...) below them, and of the known entries of their nodes."""
        right, n_here = known.take(node, axis=1) - left, of_group(n_known, node)
        within = xlogx(n_left) + xlogx(n_here - n_left) - xlogx(left).sum(0) - xlogx(right).sum(0)
        gain = (of_group(entropy_times_n(known), node) - within) / of_group(
            n, node
        )  # (3.3), times the share of known weight
        return cls(node, low, high, gain, n_left, n_known, n)

    def information(self, which: np.ndarray) -> np.ndarray:
        """Return the split information of some cuts."""
        node, left = self.node[which], self.left[which]
        known, n = self.known[node], self.n[node]
        return information(n, n - known, xlogx(left), xlogx(known - left))


def count_entries(entries: FractionalRows, code: np.ndarray, V: int) -> ClassPairs:
    """Count a feature of V values, given the code of each entry."""
    known = slice(None) if code.min(initial=0) >= 0 else np.flatnonzero(code >= 0)
    node, code, label, weight = (x[known] for x in (entries.node, code, entries.label, entries.weight))
    K, J = entries.table.shape
    cell, size, pair = cells_of(node, code, J, V)
    table = count_tables(label, cell, (1, K, size), weight=weight)[0]
    if pair is None:
        pair = np.flatnonzero(np.bincount(cell))
        table = table.take(pair, axis=1)
    return Pairs(*np.divmod(pair, V), table)


def known_table(pairs: ClassPairs, J: int) -> np.ndarray:
    """Return the class weights of the known entries of each node."""
    return np.stack([np.bincount(pairs.node, weight, J) for weight in pairs.sums])


def information(n: np.ndarray, missing: np.ndarray, *branches: np.ndarray) -> np.ndarray:
    """Return the split information in bits: the entropy of the branches and of the missing weight.

    Parameters
    ----------
    n, missing : ndarray
        Weight of the node, and of its rows whose value is missing.
    *branches : ndarray
        ``xlogx`` of the weights of the branches, which may already be summed.
    """
    missing = np.maximum(missing, 0)
    return np.maximum((xlogx(n) - xlogx(missing) - sum(branches)) / n, 0)


def score_categorical(entries: FractionalRows, code: np.ndarray, V: int, rules: RatioRules) -> Candidates:
    """Measure the multiway split of a feature of V categories."""
    J, pairs = entries.table.shape[1], count_entries(entries, code, V)
    known, of_branch = known_table(pairs, J), pairs.sums.sum(0)
    n, n_known = entries.n, known.sum(0)
    gain = (entropy_times_n(known) - np.bincount(pairs.node, entropy_times_n(pairs.sums), J)) / n
    large = np.bincount(pairs.node, rules.enough(of_branch, rules.min_leaf), J)
    status = np.where(large >= 2, ASKABLE, TOO_FEW)
    bits = information(n, n - n_known, np.bincount(pairs.node, xlogx(of_branch), J))
    return Candidates.of_categories(status, gain, bits, n_known / n)


def measure_feature(entries: FractionalRows, code: np.ndarray, V: int, rules: RatioRules) -> Candidates:
    """Measure a feature of V categories: the best split into one category and the rest."""
    J, (pairs, listed) = entries.table.shape[1], each_or_rest(entries, code, V, rules)
    at = np.flatnonzero(listed.status == ASKABLE)
    worth = listed.ratio[at] if rules.choose_by == "gain_ratio" else listed.gain[at]
    first = first_best(pairs.node[at], worth, rules.tie, J)[1]
    some = np.flatnonzero(first >= 0)
    chosen, (gain, bits) = at[first[some]], np.zeros((2, J))
    gain[some], bits[some] = listed.gain[chosen], listed.information[chosen]
    size, zero = np.where(first >= 0, 2, -1), np.zeros(len(some), np.intp)
    groups = Groups(some, pairs.code[chosen], zero, np.ones(J, np.intp), size)
    known = np.bincount(pairs.node, pairs.sums.sum(0), J) / entries.n
    return Candidates.of_categories(np.where(first >= 0, ASKABLE, TOO_FEW), gain, bits, known, groups)


def each_or_rest(
    entries: FractionalRows, code: np.ndarray, V: int, rules: RatioRules
) -> tuple[ClassPairs, Candidates]:
    """Measure the split into one category and the rest, for each category of each node."""
    J, pairs = entries.table.shape[1], count_entries(entries, code, V)
    known, n = known_table(pairs, J), entries.n
    n_known, one, node = known.sum(0), pairs.sums.sum(0), pairs.node
    rest = np.maximum(n_known[node] - one, 0)
    least = rules.min_leaf
    possible = (rest > 0) & rules.enough(one, least) & rules.enough(rest, least)
    within = entropy_times_n(pairs.sums) + entropy_times_n(np.maximum(known[:, node] - pairs.sums, 0))
    gain = (entropy_times_n(known)[node] - within) / n[node]
    bits = information(n[node], (n - n_known)[node], xlogx(one), xlogx(rest))
    return pairs, Candidates.of_categories(
        np.where(possible, ASKABLE, TOO_FEW), gain, bits, (n_known / n)[node]
    )


def merged_values(
    pairs: ClassPairs, j: int, n: float, row: float, rules: RatioRules
) -> tuple[np.ndarray, list[Grouping]]:
    """Group the values of a feature at a node; return their codes and all groupings on the way."""
    here = slice(*np.searchsorted(pairs.node, [j, j + 1]))
    table = pairs.sums[:, here]
    limits = MergeLimits(
        rules.choose_by == "gain_ratio", row, rules.min_leaf, rules.dialect.min_split_information, rules.tie
    )
    missing = max(float(n - table.sum()), 0.0)
    return pairs.code[here], merge_values(table, missing, limits) if table.size else []


def measure_merged(
    entries: FractionalRows, code: np.ndarray, V: int, row: float, rules: RatioRules
) -> Candidates:
    """Measure a feature of V categories: a branch for each of the groups into which they are merged."""
    J, n, pairs = entries.table.shape[1], entries.n, count_entries(entries, code, V)
    known = np.bincount(pairs.node, pairs.sums.sum(0), J) / n
    status, rest, size = np.full(J, TOO_FEW), *np.full((2, J), -1)
    (gain, bits), listed = np.zeros((2, J)), [np.empty((3, 0), np.intp)]
    for j in range(J):
        codes, steps = merged_values(pairs, j, float(n[j]), row, rules)
        if len(codes) < 2 or not steps[-1].groups:
            continue
        last = steps[-1]
        weight = [pairs.sums[:, np.searchsorted(pairs.node, j) + np.array(g)].sum() for g in last.groups]
        large = rules.enough(np.array(weight), max(rules.min_leaf, row)).sum()
        status[j] = TOO_FEW if large < 2 else GAINLESS if last.worth <= rules.tie else ASKABLE
        gain[j], bits[j] = last.gain, last.information
        groups = sorted(last.groups)
        of = np.repeat(np.arange(len(groups)), [len(g) for g in groups])
        values = codes[np.concatenate([np.array(g) for g in groups])]
        listed.append(np.stack([np.full(len(of), j), values, of]))
        rest[j], size[j] = len(groups), len(groups) + (len(of) < V)
    node, code, branch = np.concatenate(listed, axis=1)
    return Candidates.of_categories(status, gain, bits, known, Groups(node, code, branch, rest, size))


def list_cuts(
    entries: FractionalRows, code: np.ndarray, numbers: Sequence[np.ndarray], rules: RatioRules
) -> RatioCuts:
    """List the cuts that leave enough weight on both sides, of one numeric feature or of several.

    Parameters
    ----------
    entries : FractionalRows
        The entries of each feature, one feature after the other.
    code : int ndarray
        The code of each entry.
    numbers : sequence of ndarray
        The distinct values of each feature.
    rules : RatioRules
    """
    pairs = count_entries(entries, code, max(map(len, numbers)))
    node, (K, J) = pairs.node, entries.table.shape
    sums = np.zeros((K, len(node) + 1))  # running sums over the pairs before each pair, 0 before the first
    np.cumsum(pairs.sums, axis=1, out=sums[:, 1:])
    ends = np.searchsorted(node, np.arange(J + 1))
    before, known = sums[:, ends[:-1]], np.diff(sums[:, ends], axis=1)
    n_known = known.sum(0)
    same = node[1:] == node[:-1]
    if rules.dialect.gap:
        parts = np.split(pairs.code, np.searchsorted(node, np.arange(1, len(numbers)) * (J // len(numbers))))
        value = np.concatenate([x.take(part).astype(float) for x, part in zip(numbers, parts, strict=True)])
        same &= value[1:] > value[:-1] + rules.dialect.gap
    n_left = sums.sum(0)[1:-1] - before.sum(0).take(node[:-1])
    smaller = np.minimum(n_left, n_known.take(node[:-1]) - n_left)
    wanted = least_of(n_known, rows_known(entries, code, rules), K, rules).take(node[:-1])
    possible = same & rules.enough(smaller, wanted)
    if rules.dialect.is_single and (entries.weight % 1).any():
        for i in np.flatnonzero(same & (abs(smaller - wanted) < CLOSE_WEIGHTS)):
            here = slice(*np.searchsorted(entries.node, [node[i], node[i] + 1]))
            possible[i] = enough_in_single(entries.weight[here], code[here], pairs.code[i], wanted[i])
    place = np.flatnonzero(possible)
    node, n_left = node.take(place), n_left.take(place)
    left = sums.take(place + 1, axis=1) - before.take(node, axis=1)
    low, high = pairs.code.take(place), pairs.code.take(place + 1)
    return RatioCuts.measured(node, low, high, left, n_left, known, n_known, entries.n)


def rows_known(entries: FractionalRows, code: np.ndarray, rules: RatioRules) -> np.ndarray | None:
    """Return how many (fractional) rows of each node have a value of a feature, if samples are rows."""
    if not rules.dialect.counts_rows:
        return None
    known, J = code >= 0, entries.table.shape[1]
    return np.bincount(entries.node, known if entries.rows is None else known * entries.rows, J)


def least_of(n_known: np.ndarray, rows: np.ndarray | None, K: int, rules: RatioRules) -> np.ndarray:
    """Return the least weight of both sides of a cut, infinite where too few rows have a value.

    Parameters
    ----------
    n_known : ndarray of shape (nodes,)
        The known weight of each node.
    rows : ndarray of shape (nodes,), optional
        How many (fractional) rows have a value, if samples are rows.
    K : int
    rules : RatioRules

    Examples
    --------
    >>> n_known, rows, rules = np.array([8.0, 8.0]), np.array([3, 4]), RatioRules(min_leaf=2.0)
    >>> least_of(n_known, None, 2, rules), least_of(n_known, rows, 2, rules)
    (array([2., 2.]), array([inf,  2.]))
    """
    least = np.full(n_known.shape, float(rules.min_leaf))
    if rules.dialect.numeric_minimum:
        least = np.maximum(np.minimum(0.1 * n_known / K, LARGEST_MINIMUM), least)
    return least if rows is None else np.where(rules.enough(rows, 2 * least), least, np.inf)


def enough_in_single(weight: np.ndarray, code: np.ndarray, low: int, least: float) -> bool:
    """Tell whether a cut leaves enough on both sides if weights are added up as float32, small ones first.

    The weight above the cut is the sum of all less that below it, as in Release 8: it may come out a little
    too small.

    Examples
    --------
    >>> weight = np.array([15 / 112, 1, 1, 0.5, 0.5, 0.5, 1, 1, 0.5, 0.5, 0.5, 0.5])
    >>> enough_in_single(weight, np.array([-1] + [0] * 7 + [1] * 4), 0, 2.0)  # 7.4999995 - 5.5 < 2
    False
    """
    all_, missing, left = (
        np.cumsum(np.sort(part).astype(np.float32), dtype=np.float32)[-1:].sum()
        for part in (weight, weight[code < 0], weight[(code >= 0) & (code <= low)])
    )
    return bool(left >= np.float32(least) and left <= all_ - missing - np.float32(least))


def score_numeric(
    entries: FractionalRows, code: np.ndarray, numbers: Sequence[np.ndarray], rules: RatioRules
) -> Candidates:
    """Measure the best cut of a numeric feature by gain or by gain ratio, the lowest of equal ones."""
    found = list_cuts(entries, code, numbers, rules)
    return best_of_listed(found, np.bincount(found.node, minlength=entries.table.shape[1]), rules)


def best_of_listed(found: RatioCuts, tries: np.ndarray, rules: RatioRules) -> Candidates:
    """Return the best cut of each node, given how many cuts it has; cuts that are not listed are worse."""
    n, J = found.n, len(found.n)
    charge = np.log2(np.maximum(tries, 1)) / n if rules.mdl_correction else np.zeros(J)  # (6.6)
    (gain, bits), (low, high) = np.zeros((2, J)), np.full((2, J), -1)
    first = first_best(found.node, scores_of_cuts(found, charge, rules), rules.tie, J)[1]
    some = np.flatnonzero(first >= 0)
    place = first[some]
    low[some], high[some] = found.low[place], found.high[place]
    gain[some], bits[some] = found.gain[place], found.information(place)
    gain -= charge
    status = np.where(tries == 0, TOO_FEW, np.where(gain > rules.tie, ASKABLE, GAINLESS))
    return Candidates(status, gain, bits, charge, found.known / n, low, high, {})


def scores_of_cuts(found: RatioCuts, charge: np.ndarray, rules: RatioRules) -> np.ndarray:
    """Return the scores by which cuts are compared, given the MDL correction of each node."""
    if rules.dialect.threshold_by == "gain":
        return found.gain
    bits = found.information(np.arange(len(found.node)))
    gain = found.gain - charge.take(found.node)
    return np.where(
        bits > max(rules.dialect.min_split_information, TIE), gain / np.maximum(bits, TIE), -np.inf
    )


def measure_all(
    entries: FractionalRows, data: Training, rules: RatioRules, numbers: Candidates | None = None
) -> Candidates:
    """Measure all features at all nodes of a level; numeric ones only if `numbers` is not given."""
    names = [f for f in range(len(data.features)) if f not in data.numbers]
    if numbers is not None and not names:
        return numbers
    grouped = [f for f in names if rules.groups(len(data.features[f].values))]
    names = [f for f in names if f not in grouped]
    lines = measure_features(entries, data, names, rules)
    if numbers is None:
        lines |= measure_features(entries, data, list(data.numbers), rules)
    else:
        lines |= each_line(numbers, sorted(data.numbers))
    lines |= {f: measure_groups(entries, data, f, rules) for f in grouped}
    ordered = zip(*(lines[f].columns for f in sorted(lines)), strict=True)
    return Candidates._make([*map(np.stack, ordered), {f: lines[f].groups[0] for f in grouped}])


def each_line(found: Candidates, features: list[int]) -> dict[int, Candidates]:
    """Return the candidates of each feature, none of whose values are grouped."""
    return {f: Candidates._make([*(x[i] for x in found.columns), {}]) for i, f in enumerate(features)}


def measure_groups(entries: FractionalRows, data: Training, f: int, rules: RatioRules) -> Candidates:
    """Measure a feature whose values are grouped."""
    code, V = data.codes[f].take(entries.row), len(data.features[f].values)
    if rules.group_values == "one_vs_rest":
        return measure_feature(entries, code, V, rules)
    return measure_merged(entries, code, V, data.least_weight, rules)


def measure_features(
    entries: FractionalRows, data: Training, features: list[int], rules: RatioRules
) -> dict[int, Candidates]:
    """Measure features, all categorical or all numeric; where entries are few, several at once."""
    step = together(entries)
    found: dict[int, Candidates] = {}
    for some in (features[a : a + step] for a in range(0, len(features), step)):
        several = tiled(entries, len(some))
        code = np.concatenate([data.codes[f].take(entries.row) for f in some])
        if some[0] in data.numbers:
            at_once = score_numeric(several, code, [data.numbers[f] for f in some], rules)
        else:
            at_once = score_categorical(several, code, max(len(data.features[f].values) for f in some), rules)
        shaped = Candidates._make([*(x.reshape(len(some), -1) for x in at_once.columns), {}])
        found |= each_line(shaped, some)
    return found


def together(entries: FractionalRows) -> int:
    """Return how many features are measured at once."""
    return max(1, MEASURED_TOGETHER // len(entries.row))


def tiled(entries: FractionalRows, times: int) -> FractionalRows:
    """Return the entries repeated `times` times, each time in nodes of their own."""
    if times == 1:
        return entries
    node = entries.node + entries.table.shape[1] * np.arange(times)[:, None]
    row, weight, label = (np.tile(x, times) for x in (entries.row, entries.weight, entries.label))
    rows = None if entries.rows is None else np.tile(entries.rows, times)
    return FractionalRows(row, node.ravel(), weight, label, np.tile(entries.table, times), rows)


def averaged(data: Training, rules: RatioRules) -> np.ndarray:
    """Tell which features count in the average gain: none with very many values, unless all have many."""
    V = np.array([0 if f in data.numbers else len(feature.values) for f, feature in enumerate(data.features)])
    many = np.inf if rules.dialect.many_values is None else rules.dialect.many_values
    rows, weight = data.in_all
    few = many * (rows if rules.dialect.counts_rows else weight) > V
    return few if few.any() else ~few


def average_gain(found: Candidates, counts: np.ndarray) -> np.ndarray:
    """Return the average gain of each node's candidates, infinite if no candidate counts."""
    candidate = (found.status == ASKABLE) & counts[:, None]
    number = candidate.sum(0)
    total = np.where(candidate, found.gain, 0).sum(0)
    return np.where(number > 0, total / np.maximum(number, 1), np.inf)


def choose(found: Candidates, counts: np.ndarray, rules: RatioRules) -> np.ndarray:
    """Return the feature on which each node splits, -1 for none.

    It is the first with the largest gain ratio among features that gain at least the average and have split
    information; or simply the first with the largest gain.
    """
    fit = (found.status == ASKABLE) & (found.information > max(rules.dialect.min_split_information, TIE))
    worth = found.gain
    if rules.choose_by == "gain_ratio":
        worth = found.ratio
        if rules.average_gain:
            fit &= found.gain >= average_gain(found, counts) - rules.dialect.average_slack - TIE
    J = fit.shape[1]
    best, chosen = np.full(J, -np.inf if rules.dialect.zero_gain else 0.0), np.full(J, -1)
    for f in range(len(fit)):
        better = fit[f] & (worth[f] > best + rules.tie)
        best, chosen = np.where(better, worth[f], best), np.where(better, f, chosen)
    return chosen
