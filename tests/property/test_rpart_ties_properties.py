"""Which of equal splits rpart takes, computed once more: one row, one name, one float after the other."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest

from dtlib import CARTClassifier
from dtlib.dialects.rpart_ties import Rounding, altered
from dtlib.search.level import Limits
from dtlib.search.rules import Choice
from dtlib.table.coded import Coded
from dtlib.table.columns import Column, Feature
from dtlib.table.training import Training
from tests.drawn import seeds

TABLES = 60  # for each seed
NOTHING = (0.0, -1, -1, None)
VALUES = 5

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
        target = Column("y", self.values, self.y)
        return Training(tuple(features), Coded(self.codes), (target,), self.weight, self.case_weight)

    @property
    def rounding(self) -> Rounding:
        """What rpart computes with."""
        return Rounding(self.of_class, self.entropy)

    def known(self, f: int) -> list[tuple[int, int, float]]:
        """Return code, target and weight of the rows that know a feature, in the order of the table."""
        counted = self.weight if self.case_weight is None else self.case_weight
        rows = [i for i in sorted(self.rows.tolist()) if self.codes[f, i] >= 0]
        return [
            (int(self.codes[f, i]), int(self.y[i]), 1.0 if counted is None else float(counted[i]))
            for i in rows
        ]


def drawn(rng: np.random.Generator, classes: int | None) -> Table:
    """Draw a small table with few values, so that much is equal; `classes` is None for numbers."""
    n = int(rng.integers(1, 13))
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
    rows = sorted(rows, key=lambda row: row[0])
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
    """Yield the groups of names on the left: as their shares rise, or each that differs by one name."""
    if classes == 2:
        order = sorted(names, key=lambda name: share[name])
        yield from (set(order[: i + 1]) for i in range(len(order)))
        return
    words: list[tuple[int, ...]] = [()]
    for _ in names:  # Gray's code: the words so far, then these backwards with the next name
        words = [(*word, 0) for word in words] + [(*word, 1) for word in words[::-1]]
    for word in words[1 : len(words) // 2]:
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
    for _, y, w in rows if kind == "nominal" else sorted(rows, key=lambda row: row[0]):
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
        units = [(code, step, w, 1) for code, step, w in sorted(away, key=lambda row: row[0])]
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


def as_split(choice: Choice) -> Split:
    """Return what a choice holds, to be compared as it is."""
    return (*choice[:3], None if choice.left is None else choice.left.tolist())


TARGETS = pytest.mark.parametrize("classes", [2, 3, 4, None])


@TARGETS
@pytest.mark.parametrize("seed", seeds(5))
def test_each_split_is_that_of_sums_made_row_by_row(seed: int, classes: int | None) -> None:
    rng, several = np.random.default_rng([seed, classes or 0]), 0
    for _ in range(TABLES):
        table = drawn(rng, classes)
        for f in range(len(table.kinds)):
            rows = table.rows[np.argsort(table.rows)]
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
        order = rng.permutation(len(table.kinds))[: int(rng.choice([1, 2, 3, 3, 3, 3]))]
        splits = {f: naive(table, f) for f in order.tolist()}
        best = max(split[0] for split in splits.values())
        first = next(f for f, split in splits.items() if split[0] == best) if best > 0 else -1
        f, choice = table.rounding.settle(table.data, table.rows, order, Limits(0.0, table.min_rows))
        assert (f, as_split(choice)) == (first, splits[first] if first >= 0 else NOTHING), table
        equal += best > 0 and [split[0] for split in splits.values()].count(best) > 1
    assert equal


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
