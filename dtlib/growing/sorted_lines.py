"""Numeric features kept sorted, in which compiled code finds the best cuts of a level (chapter 6).

Examples
--------
>>> from dtlib.datasets import load_golf
>>> from dtlib.table.reading import class_targets
>>> from dtlib.table.training import read_training
>>> golf = load_golf()
>>> data = read_training(golf.X, class_targets(golf.y, 14))
>>> SortedLines(data, RatioRules(), np.ones(14)).features  # temperature and humidity
[1, 2]
"""

import numpy as np

from dtlib.compiled.level_cuts import (
    ESTIMATE_ERROR,
    ByRow,
    Judged,
    KnownOf,
    Listed,
    by_row,
    count_known,
    keep_live,
    list_best,
    logarithms,
)
from dtlib.compiled.lines import fill_presorted, tally
from dtlib.compiled.parting import part_rows
from dtlib.search.merging import entropy_times_n
from dtlib.search.ratio import (
    CLOSE_WEIGHTS,
    Candidates,
    FractionalRows,
    RatioCuts,
    best_of_listed,
    least_of,
    measure_features,
    together,
)
from dtlib.search.rules import RatioRules
from dtlib.table.training import Training

PAIRWISE = 8  # from this many classes on, NumPy sums a single column in another order


class SortedLines:
    """The rows of each numeric feature in the order of its values.

    Parameters
    ----------
    data : Training
    rules : RatioRules
    weight : ndarray
        The weight of each row, 0 if it does not count.
    """

    def __init__(self, data: Training, rules: RatioRules, weight: np.ndarray):
        self.data, self.rules, self.features = data, rules, list(data.numbers)
        self.order = np.argsort(self.features)  # the lines may come in any order
        tags, rows = np.where(weight > 0, np.arange(len(weight)), -1), np.count_nonzero(weight)
        sizes = [len(data.numbers[f]) for f in self.features]
        self.lines, self.length = np.empty((len(sizes), rows), np.int64), np.full(len(sizes), rows)
        for line, f, V in zip(self.lines, self.features, sizes, strict=True):
            if f in data.order:
                fill_presorted(data.codes[f], data.order[f], tags, line)
            else:
                tally(data.codes[f], V, tags, line)
        self.missing, gap = np.array(sizes), rules.dialect.gap
        every = [data.numbers[f].astype(float) for f in self.features] if gap else [np.empty(0)] * len(sizes)
        self.flat, self.begin = np.concatenate(every), np.cumsum([0, *map(len, every)])
        self.logs = logarithms()
        self.first = np.empty(len(weight) + 1, np.int32)

    def ask(self, entries: FractionalRows) -> Candidates:
        """Measure the best cut of each numeric feature, in their order, at each node of a level."""
        E, (K, J), d = len(entries.row), entries.table.shape, len(self.features)
        sorted_ = ByRow(self.first, np.empty(E, np.int64), np.empty(E))
        by_row(entries.row, entries.node, entries.label, entries.weight, sorted_)
        keep_live(self.lines, self.length, self.first)
        whole, ends = self.whole(entries, sorted_)
        room, parts = 2 * E + 64, self.rules.dialect.is_single and (entries.weight % 1).any()
        close = CLOSE_WEIGHTS if parts else 0.0
        judged = Judged(self.logs, self.rules.dialect.gap, close, self.rules.tie + ESTIMATE_ERROR)
        (node, low, high), (n, gain) = np.empty((3, room), np.intp), np.empty((2, room))
        tries, is_close = np.zeros((d, J), np.intp), np.zeros(d, bool)
        found = Listed(node, low, high, np.empty((room, K)), n, gain, tries, is_close)
        f, listed = 0, []
        while f < d:
            f, used = list_best(f, self.lines, ends, self.flat, self.begin, sorted_, whole, judged, found)
            listed.append([x[:used].copy() for x in found[:5]])
        return self.measured(entries, whole, found, [np.concatenate(x) for x in zip(*listed, strict=True)])

    def measured(
        self, entries: FractionalRows, whole: KnownOf, found: Listed, listed: list[np.ndarray]
    ) -> Candidates:
        """Measure the listed cuts of each feature, and return the best ones."""
        d, J, K = whole.known.shape
        if len(listed[0]) == 1:
            listed = [np.repeat(x, 2, axis=0) for x in listed]  # NumPy sums a single column in another order
        node, low, high, left, n_left = listed
        known, (n_known, n) = whole.known.reshape(d * J, K).T, (x.ravel() for x in (whole.n, whole.all))
        left = np.ascontiguousarray(left.T)
        cuts = RatioCuts.measured(node, low, high, left, n_left, known, n_known, n)
        best = best_of_listed(cuts, found.tries.ravel(), self.rules)
        shaped, step = [x.reshape(d, J) for x in best.columns], together(entries)
        for a in range(0, d, step):
            alone = K >= PAIRWISE and found.tries[a : a + step].sum() == 1
            if alone or found.close[a : a + step].any():
                again = measure_features(entries, self.data, self.features[a : a + step], self.rules)
                for i, one in enumerate(again.values(), a):
                    for column, x in zip(shaped, one.columns, strict=True):
                        column[i] = x
        return Candidates._make([*(x[self.order] for x in shaped), {}])

    def whole(self, entries: FractionalRows, sorted_: ByRow) -> tuple[KnownOf, np.ndarray]:
        """Return the known sums of each feature and node, and where the known rows of each line end."""
        (K, J), d, rules = entries.table.shape, len(self.features), self.rules
        known, ends = np.tile(entries.table.T, (d, 1, 1)), np.empty(d, np.intp)
        rows = np.tile(np.bincount(entries.node, minlength=J), (d, 1))
        count_known(self.lines, self.length, self.missing, sorted_, known, rows, ends)
        n = known.sum(2)
        least = least_of(n, rows if rules.dialect.counts_rows else None, K, rules)
        enough = np.asarray(rules.at_least(least))
        pure = entropy_times_n(known.reshape(d * J, K).T).reshape(d, J)
        return KnownOf(known, n, pure, np.tile(entries.n, (d, 1)), least, enough), ends

    def part(
        self, row: np.ndarray, node: np.ndarray, weight: np.ndarray, feature: np.ndarray, low: np.ndarray,
        unit: float,
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:  # fmt: skip
        """Send rows on from nodes that test numeric features; return row, node, branch, weight of each."""
        fractional, sums = self.rules.missing == "fractional", np.empty((len(feature), 2))
        parts = part_rows(row, node, weight, self.data.codes, feature, low, unit, fractional, sums)
        entry, branch, weight = parts
        return row.take(entry), node.take(entry), branch, weight
