"""Surrogates, found once more row by row and name by name: what each node lists, and where each row goes."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest

from dtlib import BySurrogates, CARTClassifier, CARTRegressor
from dtlib.growing.training_rows import training_parts
from dtlib.prune import best_subtree, pessimistic
from dtlib.tree.tree import Tree
from tests.drawn import seeds
from tests.private import subclass_with

WORDS = {"agreement": ("all", "known"), "fallback": ("majority", "stay"), "rule": ("each_way", "disagree")}
NOWHERE = -1


class StandIn(NamedTuple):
    """A surrogate: what sends the rows up to a threshold to a side, or each name to a branch."""

    feature: int
    agreement: float
    adjusted: float
    threshold: float = np.nan
    side: int = 0
    branches: tuple[tuple[int, int], ...] = ()

    def send(self, x: float) -> int:
        """Return the branch of a value, -1 if it is missing or a name without a branch."""
        if self.branches:
            return dict(self.branches).get(NOWHERE if np.isnan(x) else int(x), NOWHERE)
        return NOWHERE if np.isnan(x) else self.side if x <= self.threshold else 1 - self.side


def drawn(seed: int) -> tuple[pd.DataFrame, np.ndarray, np.ndarray]:
    """Draw numbers, names, and names in an order that say much the same, with holes; a target; weights."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(8, 50))
    base = rng.integers(0, 6, n)
    noisy = [np.where(rng.random(n) < 0.25, rng.integers(0, 6, n), base) for _ in range(5)]
    columns = {
        "p": noisy[0].astype(float),
        "q": -noisy[1] / 4,
        "a": pd.Series(np.array(list("uvwxyz"))[noisy[2]], dtype=object),
        "b": pd.Series(np.array(list("kklmmk"))[noisy[3]], dtype=object),
        "o": pd.Categorical(np.array(list("SSMLLX"))[noisy[4]], categories=list("SMLX"), ordered=True),
    }
    order = rng.permutation(list(columns))
    X = pd.DataFrame({name: columns[name] for name in order})
    X = X.mask(rng.random(X.shape) < rng.choice([0.05, 0.2, 0.5]))
    y = np.where(rng.random(n) < 0.2, rng.integers(0, 3, n), base // 2)
    weight = rng.integers(1, 4, n) / rng.choice([1, 2])
    return X, y, weight


class Case(NamedTuple):
    """A tree and its training rows: what they are, what is true of them, what they weigh.

    And what they count once their classes are weighed.
    """

    tree: Tree
    X: np.ndarray
    y: np.ndarray
    weight: np.ndarray
    counts: np.ndarray


def fitted(seed: int) -> Case:
    """Grow a tree by settings that the seed draws."""
    X, y, weight = drawn(seed)
    rng = np.random.default_rng([seed, 1])
    words = {name: str(rng.choice(given)) for name, given in WORDS.items()}
    kind = subclass_with(BySurrogates, categorical_rule=words.pop("rule"))
    how = kind(max_surrogates=int(rng.integers(1, 6)), use_surrogates=bool(rng.random() < 0.8), **words)
    given: dict[str, Any] = {"missing": how, "max_depth": int(rng.integers(1, 4))}
    cost, make = np.ones(3), CARTClassifier
    if rng.random() < 0.3:
        cost = np.array([1.0, 3.0, 0.5])
        given["class_weight"] = dict(enumerate(cost.tolist()))
    elif rng.random() < 0.3:
        y, make = y.astype(float), CARTRegressor
    if rng.random() < 0.3:
        given |= {"min_samples_split": 2, "min_samples_leaf": 1, "cp": -1}
        make = make.rpart
    tree = make(**given).fit(X, y, weight).tree_
    return Case(tree, tree._matrix(X), y, weight, weight * cost[y.astype(int)])


# The surrogates of a node, one feature after the other


def halves(weight: np.ndarray, side: np.ndarray) -> tuple[float, float]:
    return float(weight[side == 0].sum()), float(weight[side == 1].sum())


def by_threshold(x: np.ndarray, side: np.ndarray, weight: np.ndarray) -> tuple[float, dict[str, Any]] | None:
    """Return the weight sent alike by the best threshold, the lowest of equal ones, and what that is."""
    found = None
    at_hand = (side >= 0) & ~np.isnan(x)
    most = max(halves(weight[at_hand], side[at_hand]))
    for low, high in pairwise(np.unique(x[~np.isnan(x)])):  # of all rows, be their answer missing or not
        up_to = x <= low
        if min((at_hand & up_to).sum(), (at_hand & ~up_to).sum()) < 2:
            continue
        for first in (0, 1):
            alike = at_hand & (side == np.where(up_to, first, 1 - first))
            if (agree := float(weight[alike].sum())) > most:
                most, found = agree, {"threshold": (low + high) / 2, "side": first}
    return None if found is None else (most, found)


def by_branches(
    x: np.ndarray, side: np.ndarray, weight: np.ndarray, rule: str, last: int
) -> tuple[float, dict[str, Any]] | None:
    """Return the weight sent alike if each name goes where most of its own does, and where that is."""
    at_hand = (side >= 0) & ~np.isnan(x)
    x, side, weight = x[at_hand], side[at_hand], weight[at_hand]
    left, right = halves(weight, side)
    usual = last if left == right else int(left < right)
    branches: dict[int, int] = {}
    for name in np.unique(x).astype(int).tolist():
        left, right = halves(weight[x == name], side[x == name])
        branches[name] = usual if left == right else int(left < right)
    goes = np.array([branches[int(name)] for name in x], int)
    parts = goes == (side if rule == "disagree" else 0)
    if min(parts.sum(), (~parts).sum()) < 2:
        return None
    return float(weight[goes == side].sum()), {"branches": tuple(branches.items())}


def listed(case: Case, rows: np.ndarray, side: np.ndarray, node: int) -> list[StandIn]:
    """List the surrogates of a node, the best first."""
    tree, X, weight = case.tree, case.X[rows], case.weight[rows]
    how, known, last = tree.grown_by.surrogates, side >= 0, 1
    if how.categorical_rule == "disagree":
        parts = (rows[side == k] for k in (0, 1))
        left, right = (np.average(case.y[part], weights=case.counts[part]) for part in parts)
        last = int(left < right)
    found = []
    for f, feature in enumerate(tree.features):
        if feature.kind == "nominal":
            best = by_branches(X[:, f], side, weight, how.categorical_rule, last)
        else:
            best = by_threshold(X[:, f], side, weight)
        if best is None or f == tree.feature[node]:
            continue
        at_hand = known & ~np.isnan(X[:, f]) if how.agreement == "known" else known
        both = halves(weight[at_hand], side[at_hand])
        adjusted = (best[0] - max(both)) / min(both) if min(both) else -np.inf
        if adjusted > 1e-10:
            found.append(StandIn(f, best[0] / sum(both), adjusted, **best[1]))
    return sorted(found, key=lambda s: (-round(s.agreement, 12), s.feature))[: how.max_surrogates]


def stored(tree: Tree, node: int) -> list[StandIn]:
    """Return the surrogates that a tree has of a node."""
    s = tree.surrogates
    first = np.append(0, np.cumsum(s.n_values))
    return [
        StandIn(
            int(s.feature[i]), s.agreement[i], s.adjusted[i], s.threshold[i], int(s.side[i]),
            tuple(zip(*(x[first[i] : first[i + 1]].tolist() for x in (s.code, s.branch)), strict=True)),
        )
        for i in np.flatnonzero(s.node == node)
    ]  # fmt: skip


def answers(tree: Tree, node: int, x: np.ndarray) -> np.ndarray:
    """Return the branch that each value takes by the question of a node itself."""
    if not np.isnan(tree.threshold[node]):
        return np.where(np.isnan(x), -1, x > tree.threshold[node])
    values = slice(tree._first_value[node], tree._first_value[node] + tree.n_values[node])
    branches = dict(zip(tree.code[values].tolist(), tree.branch[values].tolist(), strict=True))
    return np.array([NOWHERE if np.isnan(v) else branches.get(int(v), NOWHERE) for v in x], int)


def larger(left: float, right: float) -> int:
    return NOWHERE if left == right else int(left < right)


def first_known(own: list[StandIn], row: np.ndarray) -> tuple[int, int]:
    """Return the branch of a row by the first surrogate that it knows, and which that is."""
    sent = ((s.send(row[s.feature]), k) for k, s in enumerate(own))
    return next(((branch, k) for branch, k in sent if branch >= 0), (NOWHERE, NOWHERE))


def compare(own: list[StandIn], stored: list[StandIn], tree: Tree) -> None:
    """Require that two lists of surrogates are the same; a number may be asked as the next one below."""
    assert [s.feature for s in own] == [s.feature for s in stored]
    for one, other in zip(own, stored, strict=True):
        assert one[1:3] == pytest.approx(other[1:3], rel=1e-12)
        assert one[4:] == other[4:]
        lower = tree.grown_by.strict and tree.features[one.feature].kind == "numeric"
        np.testing.assert_equal(np.nextafter(one.threshold, -np.inf) if lower else one.threshold, other[3])


def look_at_node(case: Case, node: int, rows: np.ndarray) -> np.ndarray:
    """Compare what a node that asks lists and does; return the branch of each of its rows."""
    tree, how = case.tree, case.tree.grown_by.surrogates
    side = answers(tree, node, case.X[rows, tree.feature[node]])
    own = listed(case, rows, side, node)
    compare(own, stored(tree, node), tree)
    goes, by = side.astype(int), np.full(len(rows), NOWHERE)
    if how.use_surrogates:
        hole = side < 0
        sent = [first_known(own, row) for row in case.X[rows[hole]]]
        goes[hole], by[hole] = np.array(sent, int).reshape(-1, 2).T
        if how.fallback == "majority":
            goes[goes < 0] = larger(*halves(case.weight[rows], side))
    used = [int((by == k).sum()) for k in range(len(own))]
    assert tree.surrogates.rows[tree.surrogates.at(node)].tolist() == used
    default = larger((goes == 0).sum(), (goes == 1).sum()) if how.fallback == "majority" else NOWHERE
    assert tree.surrogates.default[node] == default
    return goes


@pytest.mark.parametrize("batch", range(4))
def test_surrogates_are_those_found_row_by_row(batch):
    for seed in seeds(15):
        case = fitted(100 * batch + seed)
        tree, at = case.tree, {0: np.arange(len(case.X))}
        for node in range(tree.node_count):
            assert training_parts(tree, node)[0].tolist() == at[node].tolist()
            assert tree.n[node] == pytest.approx(case.counts[at[node]].sum())
            if tree.feature[node] < 0:
                assert not len(tree.surrogates.at(node))
                continue
            goes = look_at_node(case, node, at[node])
            for k in (0, 1):
                at[int(tree.first_child[node]) + k] = at[node][goes == k]


@pytest.mark.parametrize("batch", range(2))
def test_new_rows_go_where_the_surrogates_of_each_node_say(batch):
    for seed in seeds(15):
        tree, X, *_ = fitted(100 * batch + seed)
        X = np.where(np.random.default_rng([seed, 2]).random(X.shape) < 0.3, np.nan, X)
        for row, end in zip(X, tree.apply(X), strict=True):
            node = 0
            while tree.feature[node] >= 0:
                branch = answers(tree, node, row[[tree.feature[node]]])[0]
                misses = np.isnan(row[tree.feature[node]]) or tree.unseen == "missing"
                if branch < 0 and misses and tree.grown_by.surrogates.use_surrogates:
                    branch, _ = first_known(stored(tree, node), row)
                    branch = tree.surrogates.default[node] if branch < 0 else branch
                if branch < 0:
                    break
                node = int(tree.first_child[node]) + branch
            assert end == node


@pytest.mark.parametrize("cut", [partial(pessimistic, raising=False), partial(best_subtree, alpha=4.0)])
def test_what_is_left_of_a_tree_keeps_its_surrogates(cut):
    fewer = 0
    for tree in (fitted(seed).tree for seed in seeds(15)):
        if not tree.is_classifier:
            continue
        small, by_path = cut(tree), {tuple(node.path): node.id for node in tree}
        for node in small:
            if not node.is_leaf:
                old = by_path[tuple(node.path)]
                pd.testing.assert_frame_equal(small.surrogates_of(node.id), tree.surrogates_of(old))
                assert small.surrogates.default[node.id] == tree.surrogates.default[old]
        asked = small.surrogates.node
        assert (small.feature[asked] >= 0).all()
        assert (small.surrogates.default[small.feature < 0] == NOWHERE).all()
        fewer += len(asked) < len(tree.surrogates.node)
    assert fewer > 1
