"""The best split of every open node of a level (chapters 4 and 8)."""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from dtlib.arrays import owners
from dtlib.counting.score import Scorer
from dtlib.counting.targets import ClassificationTarget, Target
from dtlib.search.by_chance import draw_cuts, draw_groups, values_of
from dtlib.search.by_order import Scan, SortedRows
from dtlib.search.by_table import (
    BestCuts,
    BestGroups,
    best_pairs,
    binary_cuts,
    count_pairs,
    counted_cuts,
    cut_pairs,
    take_pairs,
)
from dtlib.search.level import BLOCK, Level, Limits
from dtlib.search.random_keys import random_keys, split_keys
from dtlib.search.rules import Rules, TieBreaker
from dtlib.table.training import Training


class BestSplits(NamedTuple):
    """The best split of each open node of a level."""

    score: np.ndarray  # N Δ, -inf where there is none
    feature: np.ndarray
    low: np.ndarray  # the codes below and above the cut, -1 where a nominal feature is tested
    high: np.ndarray
    splits: dict[int, BestGroups]  # by feature, for nominal ones
    threshold: np.ndarray | None = None  # where splits are drawn: NaN unless a numeric feature is tested


class SplitWithMissing(NamedTuple):
    """The best split of a feature with missing values, at each open node of a level."""

    cuts: BestCuts  # with N Δ of the rows whose value is known, -inf where there is none
    groups: BestGroups | None  # of a nominal feature
    threshold: np.ndarray  # if it was drawn, else NaN


class Searcher:
    """Finds the best splits of a level; keeps the sorted rows."""

    def __init__(self, data: Training, target: Target, rules: Rules):
        self.data, self.target, self.rules = data, target, rules
        self.limits = Limits(rules.min_leaf, rules.min_leaf_rows)
        self.sorted = SortedRows(data, rules.gap, rules.monotonic)
        self.close = self.sorted.close
        self.monotonic = set(np.flatnonzero(rules.monotonic).tolist())
        if rules.is_drawn:
            self.values = values_of(data)
        self.incomplete: list[int] = []
        if rules.missing != "error":
            self.incomplete = np.flatnonzero((data.codes < 0).any(axis=1)).tolist()
        self.V = [len(data.numbers.get(f, feature.values)) for f, feature in enumerate(data.features)]
        self.scorer = target.scorer
        self._twos: np.ndarray | None = None
        self.key = None
        if rules.ties is not None and (rules.min_leaf > 0 or rules.min_leaf_rows > 1):
            self.key = partial(
                rules.ties.key_of_categories, data
            )  # otherwise the order of equal means does not matter

    def by_counts(self, f: int, level: Level) -> Scorer | None:
        """Return the scorer if a feature is counted: its values at all nodes are fewer than the rows."""
        few = self.V[f] == 2 or self.V[f] * len(level.size) <= len(level.rows)
        return self.scorer if few and f not in self.close and f not in self.monotonic else None

    def twos(self, features: list[int]) -> np.ndarray:
        """Return the codes of the features of two values, which are the same at each level."""
        if self._twos is None:
            self._twos = np.ascontiguousarray(self.data.codes[features].T, self.target.sum_type)
        return self._twos

    def search_with_missing(
        self, rows: np.ndarray, size: np.ndarray, key: np.ndarray | None = None
    ) -> dict[int, SplitWithMissing]:
        """Find the best split of each feature with missing values, on the rows whose value is known.

        Parameters
        ----------
        rows : int ndarray
            The rows of a level, grouped by node.
        size : int ndarray
            The number of rows of each node.
        key : uint64 ndarray, optional
            The random key of each node, if splits are drawn.
        """
        if not self.incomplete:
            return {}
        drawn_by = key if self.rules.is_drawn else None
        node, keys = owners(size), None if drawn_by is None else split_keys(drawn_by, len(self.V))
        found: dict[int, SplitWithMissing] = {}
        for features in self.batches(len(rows)):
            code = self.data.codes[np.array(features)[:, None], rows]
            k, place = np.nonzero(code >= 0)
            if len(place):
                known = rows[place], k * len(size) + node[place], code[k, place]
                found |= self.search_known(features, *known, len(size), keys)
        return found

    def batches(self, n: int) -> list[list[int]]:
        """Divide the features with missing values into batches that are searched together.

        The features of a batch are of one kind, and not more than stay in the cache. Regression targets are
        centered anew at each node, so there a batch is a single feature; so is it where splits are drawn.
        """
        kinds: dict[tuple[str, bool], list[int]] = {}
        for f in self.incomplete:
            how = self.rules.nominal_of(f) if self.data.features[f].kind == "nominal" else ""
            kinds.setdefault((how, f in self.close), []).append(f)
        together = isinstance(self.target, ClassificationTarget) and not self.rules.is_drawn
        step = max(1, BLOCK // n) if together else 1
        return [kind[a : a + step] for kind in kinds.values() for a in range(0, len(kind), step)]

    def search_known(
        self, features: list[int], rows: np.ndarray, node: np.ndarray, code: np.ndarray, J: int,
        keys: np.ndarray | None = None,
    ) -> dict[int, SplitWithMissing]:  # fmt: skip
        """Find the best split of features at each of J nodes, given the rows with known values.

        `node` has the nodes of the first feature, then those of the second, shifted by J, and so on. `keys`
        are random keys of all features at each node, if splits are drawn.
        """
        size, V = np.bincount(node, minlength=J * len(features)), max(self.V[f] for f in features)
        present = np.flatnonzero(size)
        j = np.repeat(np.arange(len(present)), size[present])
        totals = self.target.totals(self.target.gather(rows), j, len(present))
        summary, impurity, _ = self.target.summarize(rows, j, totals)
        level = Level.opened(self.target, rows, totals, impurity, summary)
        score, low, high = np.full(len(size), -np.inf), *np.full((2, len(size)), -1)
        threshold, scored = np.full(len(size), np.nan), (self.scorer, self.limits)
        groups: list[BestGroups | None] = [None] * len(features)
        if self.data.features[features[0]].kind == "nominal":
            how = self.rules.nominal_of(features[0])
            if keys is None:
                best = best_pairs(how, level, code, V, *scored, self.key)
            else:
                best = draw_groups(level, code, V, keys[features[0], present], how, *scored)
            at, owner, guessed = best.score, present[best.pairs.node], present[best.by_heuristic]
            for k in range(len(features)):
                part = slice(*np.searchsorted(owner, [k * J, (k + 1) * J]))
                pairs = take_pairs(best.pairs, part)._replace(node=owner[part] - k * J)
                own = guessed[guessed // J == k] - k * J
                groups[k] = best._replace(pairs=pairs, branch=best.branch[part], by_heuristic=own)
        elif keys is None:
            at, low[present], high[present] = self.cut_known(features, level, code, V, present // J)
        else:
            key, values = keys[features, present][None], [self.values[features[0]]]
            drawn = draw_cuts(level, code[None], values, key, self.rules.gap, *scored)
            (at,), (low[present],), (high[present],), (threshold[present],) = drawn
        score[present] = at * level.unit
        *lines, drawn_at = (x.reshape(len(features), J) for x in (score, low, high, threshold))
        found = map(SplitWithMissing, map(BestCuts, *lines), groups, drawn_at)
        return dict(zip(features, found, strict=True))

    def cut_known(
        self, features: list[int], level: Level, code: np.ndarray, V: int, asks: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Find the best threshold at each node of a level; `asks` is the position of its feature."""
        if scorer := self.by_counts(max(features, key=self.V.__getitem__), level):
            pairs = count_pairs(level, code, V)
            at, first = level.best(pairs.node, cut_pairs(level, pairs, scorer, self.limits))
            return at, pairs.code[first], pairs.code[np.minimum(first + 1, len(pairs.code) - 1)]
        order = np.argsort(level.node * V + code, kind="stable")
        line, code = level.rows[order], code[order]
        at = Scan(level, self.scorer, self.limits).scores(line[None], code[None])[0]
        at = self.sorted.distinct_neighbors_of(at, code, np.array(features)[asks], level.node)
        at, first = level.best(level.node, at)
        return at, code[first], code[np.minimum(first + 1, len(code) - 1)]

    def search(
        self,
        level: Level,
        branch: np.ndarray,
        key: np.ndarray | None,
        incomplete: dict[int, SplitWithMissing],
    ) -> BestSplits:
        """Find the best split of each node of a level.

        Parameters
        ----------
        level : Level
        branch : int ndarray
            The branch by which each of its rows came.
        key : uint64 ndarray, optional
            The random key of each node, if features are drawn.
        incomplete : dict
            The result of `search_with_missing`.
        """
        if self.rules.is_drawn:
            assert key is not None
            return self.draw(level, key, incomplete)
        d, J = len(self.V), len(level.size)
        score, low, high = np.full((d, J), -np.inf), *np.full((2, d, J), -1)
        splits: dict[int, BestGroups] = {}
        self.sorted.part(level, branch)
        counted: dict[tuple[int, Scorer], list[int]] = {}
        for f, feature in enumerate(self.data.features):
            if self.V[f] < 2 or f in self.sorted.features or f in self.incomplete:
                continue
            if feature.kind == "nominal":
                code, how = np.take(self.data.codes[f], level.rows), self.rules.nominal_of(f)
                splits[f] = best_pairs(how, level, code, self.V[f], self.scorer, self.limits, self.key)
                score[f] = splits[f].score
            elif scorer := self.by_counts(f, level):
                V = 1 << (self.V[f] - 1).bit_length()  # features of about as many values are counted together
                counted.setdefault((V, scorer), []).append(f)
            else:
                self.sorted.add(level, f)
        for (V, scorer), features in counted.items():
            if V == 2 and len(features) * len(level.rows) > BLOCK:  # a product takes time to be set up
                cuts = binary_cuts(level, self.twos(features), scorer, self.limits)
            else:
                cuts = counted_cuts(level, self.data.codes, features, V, scorer, self.limits)
            score[features], low[features], high[features] = cuts
        if self.sorted.features:
            scan = Scan(level, self.scorer, self.limits)
            score[self.sorted.features] = self.sorted.search(level, scan)
        for f, part in incomplete.items():
            score[f], low[f], high[f] = part.cuts.score / level.unit, part.cuts.low, part.cuts.high
            splits |= {} if part.groups is None else {f: part.groups}
        if key is not None:
            sample_features(score, key, self.rules.max_features, self.rules.feature_of)
        best = score.max(0)
        equal = score >= best - level.slack
        feature = equal.argmax(0)
        score, low, high = (x[feature, np.arange(J)] for x in (score, low, high))
        if self.sorted.features:
            sides = self.sorted.cuts(level, scan, feature, score)
            low, high = np.maximum(low, sides[0]), np.maximum(high, sides[1])
        found = BestSplits(best, feature, low, high, splits)
        if self.rules.ties is not None:
            self.settle(level, found, equal, self.rules.ties)
        return found

    def draw(self, level: Level, key: np.ndarray, incomplete: dict[int, SplitWithMissing]) -> BestSplits:
        """Draw a split of each feature at each node of a level, and take the best one."""
        d, J, scored = len(self.V), len(level.size), (self.scorer, self.limits)
        keys, splits = split_keys(key, d), dict[int, BestGroups]()
        score, low, high = np.full((d, J), -np.inf), *np.full((2, d, J), -1)
        threshold = np.full((d, J), np.nan)
        cut = []
        for f, part in incomplete.items():
            score[f], low[f], high[f] = part.cuts.score / level.unit, part.cuts.low, part.cuts.high
            threshold[f] = part.threshold
            splits |= {} if part.groups is None else {f: part.groups}
        for f, feature in enumerate(self.data.features):
            if self.V[f] < 2 or f in self.incomplete:
                continue
            if feature.kind == "nominal":
                code, how = np.take(self.data.codes[f], level.rows), self.rules.nominal_of(f)
                splits[f] = draw_groups(level, code, self.V[f], keys[f], how, *scored)
                score[f] = splits[f].score
            else:
                cut.append(f)
        step = max(1, BLOCK // len(level.rows))
        for a in range(0, len(cut), step):
            some = cut[a : a + step]
            code = self.data.codes[np.array(some)[:, None], level.rows]
            values = [self.values[f] for f in some]
            found = draw_cuts(level, code, values, keys[some], self.rules.gap, *scored)
            score[some], low[some], high[some], threshold[some] = found
        sample_features(score, key, self.rules.max_features)
        best, every = score.max(0), np.arange(J)
        feature = (score >= best - level.slack).argmax(0)
        low, high, threshold = (x[feature, every] for x in (low, high, threshold))
        is_number = np.array([x.kind == "numeric" for x in self.data.features])
        return BestSplits(best, feature, low, high, splits, np.where(is_number[feature], threshold, np.nan))

    def settle(self, level: Level, found: BestSplits, equal: np.ndarray, ties: TieBreaker) -> None:
        """Let a tie breaker choose among equal splits."""
        for j in np.flatnonzero(found.score > level.slack).tolist():
            rows = level.rows[level.start[j] : level.start[j] + level.size[j]]
            tied = np.flatnonzero(equal[:, j])
            f, choice = ties.settle(self.data, rows, tied, self.limits)
            if f < 0:
                continue
            found.feature[j], found.low[j], found.high[j] = f, choice.low, choice.high
            if choice.left is not None:
                best = found.splits[f]
                here = np.flatnonzero(best.pairs.node == j)
                left = np.isin(best.pairs.code[here], choice.left)
                best.branch[here] = left != left[0]


def sample_features(
    score: np.ndarray, key: np.ndarray, k: int | None, feature_of: Sequence[int] = ()
) -> None:
    """Leave each node only k of its candidate features, given the scores, shape (columns, nodes).

    Examples
    --------
    >>> score = np.ones((3, 2))
    >>> sample_features(score, np.array([1, 2], np.uint64), 1)
    >>> np.isfinite(score).sum(0)
    array([1, 1])
    """
    of = np.array(feature_of or range(len(score)))  # ascending
    d = int(of[-1]) + 1
    if k is None or k >= d:
        return
    random_key = random_keys(key, d)
    best = np.maximum.reduceat(score, np.searchsorted(of, np.arange(d)))
    random_key[np.isneginf(best)] = np.iinfo(np.uint64).max
    score[(random_key > np.sort(random_key, axis=0)[k - 1])[of]] = -np.inf
