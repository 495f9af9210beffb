"""Which of equal splits and surrogates rpart takes, once more: one row, one name, one float at a time."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest

from dtlib import BySurrogates, CARTClassifier, CARTRegressor
from dtlib.dialects.rpart_order import RowOrder, quicksorted
from dtlib.dialects.rpart_ties import Rounding, altered
from dtlib.search.level import Limits
from dtlib.search.rules import SplitCandidate
from dtlib.search.surrogates import Known
from dtlib.table.coded import Coded
from dtlib.table.columns import Column, Feature
from dtlib.table.training import Training
from tests.drawn import seeds
from tests.private import subclass_with

TABLES = 60  # for each seed
NOTHING = (0.0, -1, -1, None)
VALUES = 5
NUMBERS = np.array([-2.0, -0.5, 0.0, 1.0, 7.0])  # a missing one is sorted as 0

Side = list[float]  # its weight, and that of each class
Split = tuple[float, int, int, list[int] | None]


class Table(NamedTuple):
    """What is drawn: the features' codes, the target, the weights, and the settings."""

    kinds: list[str]
    codes: np.ndarray
    y: np.ndarray
    values: tuple[float, ...]
    weight: np.ndarray | None
    case_weight: np.ndarray | None
    of_class: np.ndarray | None
    entropy: bool
    min_rows: int
    rows: np.ndarray

    @property
    def data(self) -> Training:
        """The table as it is grown from."""
        features = [Feature(f"x{f}", tuple("abcde"), kind) for f, kind in enumerate(self.kinds)]
        target, numeric = Column("y", self.values, self.y), np.flatnonzero(np.array(self.kinds) == "numeric")
        coded = Coded(self.codes, dict.fromkeys(numeric.tolist(), NUMBERS))
        return Training(tuple(features), coded, (target,), self.weight, self.case_weight)

    @property
    def rounding(self) -> Rounding:
        """What rpart computes with."""
        return Rounding(self.of_class, self.entropy)

    def line(self, f: int) -> list[int]:
        """Return the rows of the node in rpart's order of a feature: of names, that of the table."""
        every = list(range(len(self.y)))
        if self.kinds[f] == "numeric":
            every = rpart_sorted([0.0 if c < 0 else NUMBERS[c] for c in self.codes[f].tolist()])
        return [i for i in every if i in set(self.rows.tolist())]

    def said(self, rows: list[int], f: int) -> list[tuple[int, int, float]]:
        """Return code, target and weight of some rows."""
        counted = self.weight if self.case_weight is None else self.case_weight
        return [
            (int(self.codes[f, i]), int(self.y[i]), 1.0 if counted is None else float(counted[i]))
            for i in rows
        ]

    def known(self, f: int) -> list[tuple[int, int, float]]:
        """Return the same of the rows of the node that know a feature, in rpart's order."""
        return [row for row in self.said(self.line(f), f) if row[0] >= 0]


def rpart_sorted(x: list[float]) -> list[int]:
    """Return the places of numbers as rpart's quicksort leaves them, by calling it again for each part."""
    place = list(range(len(x)))

    def swap(i: int, j: int) -> None:
        x[i], x[j], place[i], place[j] = x[j], x[i], place[j], place[i]

    def sort(start: int, stop: int) -> None:
        if stop - start < 11:
            for i in range(start + 1, stop + 1):
                j = i
                while j > start and x[j - 1] > x[j]:
                    swap(j - 1, j)
                    j -= 1
            return
        median = float(np.median([x[start], x[(start + stop) // 2], x[stop]]))
        i, j = start, stop
        while i < j:
            i = next(k for k in range(i, stop + 1) if x[k] >= median)
            j = next(k for k in range(j, start - 1, -1) if x[k] <= median)
            if i < j:
                if x[i] > x[j]:
                    swap(i, j)
                i, j = i + 1, j - 1
        sort(start, max([k for k in range(start, i + 1) if x[k] < median], default=start))
        sort(min([k for k in range(j, stop + 1) if x[k] > median], default=stop), stop)

    sort(0, len(x) - 1)
    return place


def drawn(rng: np.random.Generator, classes: int | None) -> Table:
    """Draw a small table with few values, so that much is equal; `classes` is None for numbers."""
    n = int(rng.integers(1, 41))
    kinds = rng.choice(["numeric", "nominal"], 3).tolist()
    codes = np.stack([rng.integers(0, rng.integers(1, VALUES + 1), n) for _ in kinds]).astype(np.int32)
    codes[rng.random(codes.shape) < rng.choice([0.0, 0.2])] = -1
    if rng.random() < 0.6:  # what is worth as much: a mirror image but for rounding, a copy to the last bit
        image = VALUES - 1 - codes[0] if rng.random() < 0.5 else codes[0]
        codes[2], kinds[2] = np.where(codes[0] < 0, -1, image), kinds[0]
    weight = case_weight = of_class = None
    if rng.random() < 0.7:
        case_weight = rng.choice([0.1, 0.2, 0.3, 0.7, 1.0], n)
        weight = case_weight * rng.choice([1.0, 3.0], n)
        if rng.random() < 0.3:
            weight, case_weight = case_weight, None
    values: tuple[float, ...] = (0.1, 0.2, 0.3, 1.7)
    if classes is not None:
        values = tuple(range(classes))
        of_class = rng.choice([1.0, 1.0, 0.1, 0.7, 1.3], classes)
    y = rng.integers(0, len(values), n)
    rows = rng.permutation(n)[: int(rng.integers(1, n + 1))]
    codes[:, rows[0]] = np.maximum(codes[:, rows[0]], 0)  # only a feature that some row knows is asked
    entropy, least = bool(rng.random() < 0.4), int(rng.choice([1, 1, 2, 3]))
    return Table(kinds, codes, y, values, weight, case_weight, of_class, entropy, least, rows)


def impurity(side: Side, k: int, table: Table) -> float:
    """Return a class's part of the impurity of a side, times its weight."""
    p = table.of_class[k] * side[1 + k] / side[0] if side[0] else 0.0
    if table.entropy:
        return side[0] * (-p * math.log(p) if p > 0 else 0.0)
    return side[0] * (p * (1 - p))


def cost(sides: Sequence[Side], table: Table) -> float:
    """Return the impurity of both sides, class by class."""
    total = 0.0
    for k in range(len(table.of_class)):
        for side in sides:
            total += impurity(side, k, table)
    return total


def move(rows: Sequence[tuple[int, int, float]], table: Table, to: Side, away: Side | None = None) -> None:
    """Add rows to a side one by one, and take them away from the other."""
    for _, k, w in rows:
        for place, amount in ((0, table.of_class[k] * w), (1 + k, w)):
            to[place] += amount
            if away is not None:
                away[place] -= amount


def by_threshold(rows: list[tuple[int, int, float]], table: Table) -> Split:
    """Try each threshold from the left; a later one must be better."""
    left, right = ([0.0] * (1 + len(table.of_class)) for _ in range(2))
    move(rows, table, right)
    best = before = cost([right], table)
    found: Split = NOTHING
    for i in range(len(rows) - 1):
        move(rows[i : i + 1], table, left, right)
        enough = min(i + 1, len(rows) - i - 1) >= table.min_rows
        if rows[i][0] < rows[i + 1][0] and enough and (after := cost([left, right], table)) < best:
            best, found = after, (before - after, rows[i][0], rows[i + 1][0], None)
    return found


def groups(names: list[int], share: dict[int, float], classes: int) -> Iterator[set[int]]:
    """Yield the groups of names on the left: as their shares rise, or each that differs by one name.

    The last name of all never goes to the left; where no row has it, each two groups come twice.
    """
    if classes == 2:
        order = sorted(names, key=lambda name: share[name])
        yield from (set(order[: i + 1]) for i in range(len(order)))
        return
    words: list[tuple[int, ...]] = [()]
    for _ in names:  # Gray's code: the words so far, then these backwards with the next name
        words = [(*word, 0) for word in words] + [(*word, 1) for word in words[::-1]]
    for word in words[1 : len(words) // (2 if VALUES - 1 in names else 1)]:
        yield {name for name, on in zip(names, word, strict=True) if on}


def by_names(rows: list[tuple[int, int, float]], table: Table) -> Split:
    """Try the groups of names one after the other; each differs from the last by one name."""
    size = 1 + len(table.of_class)
    of_name: dict[int, Side] = {}
    for row in rows:
        move([row], table, of_name.setdefault(row[0], [0.0] * size))
    names, number = sorted(of_name), [row[0] for row in rows]
    share = {name: side[1] / side[0] for name, side in of_name.items()}
    left, right, before_that = [0.0] * size, [0.0] * size, set[int]()
    move(rows, table, right)
    best = before = cost([right], table)
    found: Split = NOTHING
    for group in groups(names, share, len(table.of_class)):
        (name,) = group ^ before_that
        sign, before_that = 1 if name in group else -1, group
        for place, amount in enumerate(of_name[name]):
            left[place] += sign * amount
            right[place] -= sign * amount
        on_left = sum(number.count(name) for name in group)
        enough = min(on_left, len(rows) - on_left) >= table.min_rows
        if enough and (after := cost([left, right], table)) < best:
            best, found = after, (before - after, -1, -1, sorted(group))
    return found


def by_means(rows: list[tuple[int, int, float]], table: Table, kind: str) -> Split:
    """Try each cut of the values, or of the names in the order of their means."""
    total = moment = 0.0
    for _, y, w in rows:
        total += w
        moment += table.values[y] * w
    items: dict[int, list[float]] = {}
    away = [(code, (table.values[y] - moment / total) * w, w) for code, y, w in rows]
    for code, step, w in away if kind == "nominal" else []:
        item = items.setdefault(code, [0.0, 0.0, 0])
        item[0], item[1], item[2] = item[0] + step, item[1] + w, item[2] + 1
    order = sorted(sorted(items), key=lambda name: items[name][0] / items[name][1])
    units = [(name, *items[name]) for name in order]
    if kind == "numeric":
        units = [(code, step, w, 1) for code, step, w in away]
    left = left_weight = right = 0.0
    right_weight, gone, best, found = total, 0, 0.0, NOTHING
    for i, (code, step, w, number) in enumerate(units[:-1]):
        left, left_weight, gone = left + step, left_weight + w, gone + number
        right, right_weight = right - step, right_weight - w
        if min(gone, len(rows) - gone) < table.min_rows or code == units[i + 1][0]:
            continue
        score = left * left / left_weight + right * right / right_weight
        if score > best:
            group = sorted(name for name, *_ in units[: i + 1])
            ends = (code, units[i + 1][0], None) if kind == "numeric" else (-1, -1, group)
            best, found = score, (score, *ends)
    return found


def naive(table: Table, f: int) -> Split:
    """Return how rpart splits the rows by a feature."""
    rows, kind = table.known(f), table.kinds[f]
    if table.of_class is None:
        return by_means(rows, table, kind)
    return by_threshold(rows, table) if kind == "numeric" else by_names(rows, table)


def risk(table: Table) -> float:
    """Return the squared error of the node, in the order of the table if it has all rows, else of x0."""
    every = len(table.rows) == len(table.y)
    rows = table.said(sorted(table.rows.tolist()) if every else table.line(0), 0)
    total = moment = squares = 0.0
    for _, y, w in rows:
        total, moment = total + w, moment + table.values[y] * w
    for _, y, w in rows:
        distance = table.values[y] - moment / total
        squares += distance * distance * w
    return squares


def as_split(choice: SplitCandidate) -> Split:
    """Return what a choice holds, to be compared as it is."""
    return (*choice[:3], None if choice.left is None else choice.left.tolist())


TARGETS = pytest.mark.parametrize("classes", [2, 3, 4, None])


@pytest.mark.parametrize("seed", seeds(20))
def test_rows_are_sorted_as_by_rpart(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x = rng.integers(0, int(rng.choice([1, 2, 5, 20, 1000])) + 1, int(rng.integers(1, 300))).astype(float)
    for line in (x, np.sort(x), np.sort(x)[::-1]):
        assert quicksorted(line).tolist() == rpart_sorted(line.tolist())


@pytest.mark.parametrize("seed", seeds(20))
def test_some_rows_keep_the_order_of_all(seed: int) -> None:
    table = drawn(np.random.default_rng(seed), None)
    order, rows = RowOrder.of(table.data), table.rows
    for f in range(len(table.kinds)):
        assert order.line_up(f, rows).tolist() == table.line(f)
        part = order.part(rows).line_up(f, np.arange(len(rows)))
        assert rows[part].tolist() == table.line(f)


@TARGETS
@pytest.mark.parametrize("seed", seeds(5))
def test_each_split_is_that_of_sums_made_row_by_row(seed: int, classes: int | None) -> None:
    rng, several = np.random.default_rng([seed, classes or 0]), 0
    for _ in range(TABLES):
        table = drawn(rng, classes)
        for f in range(len(table.kinds)):
            rows = np.array(table.line(f))
            found = as_split(table.rounding.split(table.data, rows, f, Limits(0.0, table.min_rows)))
            assert found == naive(table, f), (table, f)  # to the last bit
            several += found[0] > 0
    assert several > TABLES / 2


@TARGETS
@pytest.mark.parametrize("seed", seeds(5))
def test_the_feature_with_the_largest_sum_is_asked_and_of_equals_the_first(
    seed: int, classes: int | None
) -> None:
    rng, equal = np.random.default_rng([seed, classes or 0, 1]), 0
    for _ in range(TABLES):
        table = drawn(rng, classes)
        if len({table.y[i] for i in table.rows}) < 2:  # nothing is asked of such a node
            continue
        order = rng.permutation(len(table.kinds))[: int(rng.choice([1, 2, 3, 3, 3, 3]))]
        splits = {f: naive(table, f) for f in order.tolist()}
        unit = risk(table) if classes is None and len(order) > 1 else 1.0
        improve = {f: split[0] / unit if split[0] else 0.0 for f, split in splits.items()}
        best = max(improve.values())
        first = next(f for f in improve if improve[f] == best) if best > 0 else -1
        f, choice = table.rounding.settle(table.data, table.rows, order, Limits(0.0, table.min_rows))
        wanted = splits[first] if first >= 0 else NOTHING
        assert (f, as_split(choice)[1:]) == (first, wanted[1:]), table
        assert choice.improve == (pytest.approx(best, rel=1e-12) if len(order) == 1 else best)
        equal += best > 0 and list(improve.values()).count(best) > 1
    assert equal


@pytest.mark.parametrize("classes", [2, None])
@pytest.mark.parametrize("seed", seeds(4))
def test_names_are_cut_in_the_order_of_their_means_as_they_are_rounded(
    seed: int, classes: int | None
) -> None:
    """Where a branch must have some rows, the order of names with equal means matters."""
    rng, several = np.random.default_rng([seed, classes or 0, 2]), 0
    for _ in range(20):
        table = drawn(rng, classes)._replace(kinds=["nominal"] * 3, case_weight=None)
        table = table._replace(
            rows=np.arange(len(table.y)), codes=np.maximum(table.codes[:1], 0), entropy=False
        )
        w, X = table.weight, pd.DataFrame({"x0": np.array(list("abcde"))[table.codes[0]]})
        y = table.y if classes else np.array(table.values)[table.y]
        if len({*y.tolist()}) < 2:
            continue
        model = (CARTClassifier if classes else CARTRegressor).rpart(
            min_samples_split=2, min_samples_leaf=table.min_rows, max_depth=1, cp=-1
        )
        tree = model.fit(X, y, w).tree_
        if classes:
            table = table._replace(of_class=tree.grown_by.ties.of_class)
        wanted = naive(table, 0)
        several += wanted[0] > 1e-9
        if wanted[0] > 1e-9:
            groups = {frozenset(group) for group in tree.root.split.groups}
            left = {"abcde"[name] for name in wanted[3]}
            assert groups == {frozenset(left), frozenset(X["x0"]) - left}, table
    assert several > 5


# Surrogates of one node, all of whose rows that know x0 were sent by it


StandIn = tuple[float, float, Any]  # agreement, adjusted agreement, and how rows are sent


def sides(rows: list[int], branch: np.ndarray, weight: np.ndarray) -> list[float]:
    """Return the weight on both sides, row by row."""
    both = [0.0, 0.0]
    for i in rows:
        if branch[i] >= 0:
            both[branch[i]] += weight[i]
    return both


def by_cut(
    table: Table, f: int, branch: np.ndarray, weight: np.ndarray, right: int
) -> tuple[float, Any, Any]:
    """Return the weight that the best threshold sends alike, that threshold, and the weight of both sides."""
    rows = [i for i in table.line(f) if table.codes[f, i] >= 0]
    beyond = sides(rows[::-1], branch, weight)
    best, found, both, up_to = max(beyond), None, tuple(beyond), [0.0, 0.0]
    some = [i for i in rows if branch[i] >= 0 and weight[i] > 0]
    for k, i in enumerate(rows):
        before = len([j for j in some if j in rows[:k]])
        if k and min(before, len(some) - before) >= 2 and table.codes[f, i] != table.codes[f, rows[k - 1]]:
            cut = NUMBERS[table.codes[f, [rows[k - 1], i]]].mean()
            for first in (right, 1 - right):
                if up_to[first] + beyond[1 - first] > best:
                    best, found = up_to[first] + beyond[1 - first], (cut, first)
                    break
        if branch[i] >= 0:
            up_to[branch[i]] += weight[i]
            beyond[branch[i]] -= weight[i]
    return best, found, both


def by_each_name(
    table: Table, f: int, branch: np.ndarray, weight: np.ndarray, right: int, rule: str
) -> tuple[float, Any, Any]:
    """Return the weight sent alike if each name goes where most of it goes, that, and the weight of both."""
    rows = sorted(i for i in table.rows.tolist() if table.codes[f, i] >= 0)
    of_name = {
        name: sides([i for i in rows if table.codes[f, i] == name], branch, weight) for name in range(VALUES)
    }
    both = [0.0, 0.0]
    for name in range(VALUES):
        both = [a + b for a, b in zip(both, of_name[name], strict=True)]
    larger = right if both[0] == both[1] else int(both[0] < both[1])
    last = larger if rule == "disagree" or both[0] != both[1] else 1
    sent, agree, alike, each = {}, 0.0, [0, 0], [0, 0]
    for name, (a, b) in of_name.items():
        here = [i for i in rows if table.codes[f, i] == name and branch[i] >= 0 and weight[i] > 0]
        if here:
            sent[name] = last if a == b else int(a < b)
            agree += max(a, b)
            each[sent[name]] += len(here)
            for i in here:
                alike[int(branch[i] == sent[name])] += 1
    enough = min(alike if rule == "disagree" else each) >= 2
    return agree, sent if enough else None, tuple(both)


def stand_in(
    table: Table, f: int, branch: np.ndarray, weight: np.ndarray, how: BySurrogates
) -> StandIn | None:
    """Return how a feature stands in for x0, if it does."""
    y = table.y if table.of_class is not None else np.array(table.values)[table.y]
    mean = [np.average(y[branch == side], weights=weight[branch == side]) for side in (0, 1)]
    right = int(mean[0] < mean[1])
    if table.kinds[f] == "nominal":
        agree, found, own = by_each_name(table, f, branch, weight, right, how.categorical_rule)
    else:
        agree, found, own = by_cut(table, f, branch, weight, right)
    if found is None:
        return None
    both = own if how.agreement == "known" else sides(table.line(0), branch, weight)
    agreement, share = agree / (both[0] + both[1]), max(both) / (both[0] + both[1])
    adjusted = (agreement - share) / (1 - share) if share < 1 else 0.0
    return (agreement, adjusted, found) if adjusted > 1e-10 else None


@pytest.mark.parametrize("rule", ["disagree", "each_way"])
@pytest.mark.parametrize("agreement", ["all", "known"])
@pytest.mark.parametrize("seed", seeds(3))
def test_surrogates_are_those_of_sums_made_row_by_row(seed: int, agreement: str, rule: str) -> None:
    rng, several = np.random.default_rng([seed, 3]), 0
    how = subclass_with(BySurrogates, categorical_rule=rule)(agreement=agreement)
    for _ in range(TABLES // 2):
        table = drawn(rng, 3 if rng.random() < 0.5 else None)
        weight = rng.choice([0.0, 0.1, 0.2, 0.6, 0.7], len(table.y))
        table.codes[1] = np.where(rng.random(len(table.y)) < 0.8, table.codes[0], table.codes[1])
        cut = int(rng.integers(0, VALUES - 1))
        branch = np.where(table.codes[0] < 0, -1, table.codes[0] > cut)
        branch[(weight == 0) | ~np.isin(np.arange(len(table.y)), table.rows)] = -1
        if len({*branch.tolist()} - {-1}) < 2:
            continue
        data = replace(table.data, weight=weight, case_weight=None)
        rows = table.rows
        known = Known(rows, np.zeros(len(rows), int), branch[rows], weight[rows])
        asked, rounding = np.zeros(1, int), Rounding(None, False)
        both = rounding.sides(data, known, asked)
        assert both[:, 0].tolist() == sides(table.line(0), branch, weight)
        found = rounding.find(data, known, asked, both, how, False)
        wanted = {f: stand_in(table, f, branch, weight, how) for f in (1, 2)}
        wanted = {f: line for f, line in wanted.items() if line is not None}
        order = sorted(wanted, key=lambda f: -wanted[f][0])
        assert found.feature.tolist() == order, table
        for place, f in enumerate(order):
            assert (found.agreement[place], found.adjusted[place]) == wanted[f][:2]
            start = int(found.n_values[:place].sum())
            some = slice(start, start + int(found.n_values[place]))
            named = dict(zip(found.code[some].tolist(), found.branch[some].tolist(), strict=True))
            assert (named or (found.threshold[place], found.side[place])) == wanted[f][2]
            several += 1
    assert several > 1


def test_a_class_that_weighs_nothing_makes_no_side_impure() -> None:
    """A side may weigh nothing once a class's prior is 0: then it costs nothing."""
    y, codes = np.array([0, 0, 1, 1]), np.array([[0, 0, 1, 2], [0, 0, 1, 2]], np.int32)
    kinds = ["numeric", "nominal"]
    for entropy, f in product([False, True], range(2)):
        nothing = np.array([0.0, 1.0])
        table = Table(kinds, codes, y, (0, 1), None, None, nothing, entropy, 1, np.arange(4))
        assert as_split(table.rounding.split(table.data, table.rows, f, Limits())) == NOTHING


@pytest.mark.parametrize("seed", seeds(25))
def test_altered_priors_are_the_priors_times_what_a_class_costs(seed: int) -> None:
    rng = np.random.default_rng(seed)
    K = int(rng.integers(1, 5))
    prior, loss, counts = rng.random(K), rng.integers(0, 4, (K, K)) * 1.0, rng.integers(0, 5, K)
    np.fill_diagonal(loss, 0)
    prior, share = prior / prior.sum(), counts / max(counts.sum(), 1)
    wanted: list[Any] = []
    all_costs = sum(loss[i, j] * prior[i] for i in range(K) for j in range(K))
    for i in range(K):
        mine = sum(loss[i, j] * prior[i] for j in range(K))
        wanted.append(mine / (all_costs or 1.0) / (share[i] or 1.0))
    assert altered(prior, loss, share) == pytest.approx(wanted)


@pytest.mark.long
@pytest.mark.parametrize("seed", seeds(30))
@pytest.mark.parametrize("class_weight", ["balanced", {False: 1.0, True: 2.5}])
def test_weights_of_classes_decide_between_equal_splits_too(seed, class_weight):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {name: rng.integers(0, k, 40).astype(float) for name, k in zip("abcd", (2, 4, 4, 4), strict=True)}
    )
    y = rng.random(40) < 0.25
    small = {"min_samples_leaf": 1, "min_samples_split": 2, "prune": None, "missing": "error", "max_depth": 2}
    tree = CARTClassifier.rpart(class_weight=class_weight, **small).fit(X, y).tree_
    for node in tree:
        if not node.is_leaf:
            table = tree.explain(node.id)
            assert table["gain"].max() == pytest.approx(table.loc[table["chosen"], "gain"].item(), abs=1e-12)
            assert tree.gain[node.id] == pytest.approx(table["gain"].max(), abs=1e-12)
