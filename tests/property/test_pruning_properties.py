"""Cost-complexity pruning on random small trees, against the enumeration of all subtrees."""

from functools import cache
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

from dtlib import CARTClassifier, CARTRegressor, ID3Classifier
from dtlib.prune import best_subtree, pruning_path, risk
from tests.drawn import seeds
from tests.unit.subtrees import subtrees

KINDS = ("cost", "impurity", "entropy")
SEEDS = seeds(25)


@cache
def random_tree(seed):
    """Return a small tree: of names with a branch each, of numbers, or one that predicts numbers."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(6, 16))
    weight = rng.integers(1, 4, n).astype(float) if seed % 2 else None
    if seed % 3 == 0:
        X = pd.DataFrame({f"x{f}": rng.choice(list("abc"), n) for f in range(2)})
        return ID3Classifier().fit(X, rng.choice(["no", "yes", "so"], n), weight).tree_
    X = rng.integers(0, 6, (n, 3)).astype(float)
    if seed % 3 == 1:
        return CARTClassifier(max_leaf_nodes=8).fit(X, rng.integers(0, 3, n), weight).tree_
    return CARTRegressor(max_leaf_nodes=8).fit(X, rng.integers(0, 9, n), weight).tree_


def kinds_of(tree):
    return KINDS if tree.is_classifier else KINDS[:2]


CASES = [(seed, kind) for seed in SEEDS for kind in kinds_of(random_tree(seed))]


def between(path):
    """Return prices within and at the ends of all intervals."""
    alphas = path.alphas
    return np.concatenate([alphas, (alphas[:-1] + alphas[1:]) / 2, [alphas[-1] + 1]])


@pytest.mark.parametrize(("seed", "kind"), CASES)
def test_each_subtree_is_the_smallest_of_the_best(seed, kind):
    tree = random_tree(seed)
    path, cost = pruning_path(tree, kind), risk(tree, kind)
    every = [(cost[list(leaves)].sum(), len(leaves)) for leaves in subtrees(tree)]
    for alpha in between(path):
        prices = np.array([c + alpha * size for c, size in every])
        least = prices.min()
        smallest = min(size for (_, size), x in zip(every, prices, strict=True) if x <= least + 1e-9)
        k = path.index(alpha)
        assert path.risks[k] + alpha * path.leaves[k] == pytest.approx(least, abs=1e-9)
        assert path.leaves[k] == smallest == path.tree(alpha).n_leaves


@pytest.mark.parametrize(("seed", "kind"), CASES)
def test_alphas_rise_and_the_trees_are_nested(seed, kind):
    tree = random_tree(seed)
    path = pruning_path(tree, kind)
    assert path.alphas[0] == 0
    assert (np.diff(path.alphas) > 0).all()
    assert (np.diff(path.leaves) < 0).all()
    assert (np.diff(path.risks) > -1e-12).all()
    assert path.leaves[-1] == path.trees[-1].node_count == 1
    asked = [set(np.flatnonzero((tree.feature >= 0) & ~(path.cut_at <= alpha))) for alpha in path.alphas]
    assert all(small < large for large, small in pairwise(asked))
    for alpha, inner in zip(path.alphas, asked, strict=True):
        assert (path.tree(alpha).feature >= 0).sum() == len(inner)
    ends = [end for _, end in path.intervals]
    assert ends == [*path.alphas[1:], np.inf]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_path_is_that_of_one_price_at_a_time(seed):
    tree = random_tree(seed)
    path = pruning_path(tree)
    for alpha in between(path):
        assert path.tree(alpha) == best_subtree(tree, alpha, "saves less than alpha per leaf")


@pytest.mark.parametrize(("seed", "kind"), CASES)
def test_pruning_twice_changes_nothing(seed, kind):
    tree = random_tree(seed)
    path = pruning_path(tree, kind)
    for alpha in path.alphas:
        once = path.tree(alpha)
        assert pruning_path(once, kind).tree(alpha) == once


@pytest.mark.parametrize(("seed", "kind"), CASES)
def test_the_cheapest_and_the_dearest_leaf(seed, kind):
    tree = random_tree(seed)
    path, cost = pruning_path(tree, kind), risk(tree, kind)
    assert path.tree(-1) == tree
    assert path.risks[0] == pytest.approx(cost[tree.feature < 0].sum(), abs=1e-9)
    assert path.tree(np.inf).node_count == 1


def test_a_chain_of_many_nodes():
    n = 3000
    tree = CARTRegressor().fit(np.arange(n, dtype=float)[:, None], 2.0 ** -np.arange(0, 30, 0.01)[:n]).tree_
    path = pruning_path(tree)
    assert path.leaves[-1] == 1
    assert (np.diff(path.alphas) > 0).all()
