"""Laws of pruning by held-out rows and by a price per leaf, for trees of any kind."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtlib import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier
from dtlib.dialects import CARTDialect
from dtlib.prune import best_subtree, hold_out, pre_prune, pruning_path, reduced_error, risk, tree_loss
from tests.drawn import examples
from tests.unit.subtrees import how_many, inside, leaves_of, subtrees

laws = examples(40)
MAKERS = {
    "id3": lambda holes: ID3Classifier(),
    "c45": lambda holes: C45Classifier(),
    "groups": lambda holes: C45Classifier.j48(group_values="one_vs_rest"),
    "cart": lambda holes: CARTClassifier(missing="majority" if holes else "error"),
    "stay": lambda holes: CARTClassifier(missing="stay"),
    "parts": lambda holes: CARTClassifier(missing="fractional"),
    "surrogates": lambda holes: CARTClassifier(missing="surrogate", dialect=CARTDialect(unseen="missing")),
    "several": lambda holes: CARTClassifier(missing="majority"),
    "numbers": lambda holes: CARTRegressor(missing="fractional"),
}


@st.composite
def samples(draw):
    """Return a tree grown from a few rows, other rows, what is true of these, and whole weights."""
    kind = draw(st.sampled_from(sorted(MAKERS)))
    n, m = draw(st.integers(2, 30)), draw(st.integers(1, 30))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    X = pd.DataFrame({c: rng.choice(list("uvwx")[: 2 + (c > "a")], n + m).astype(object) for c in "abc"})
    holes = kind != "id3" and draw(st.booleans())
    if kind != "id3":
        X = X.assign(p=rng.integers(0, 5, n + m) * 1.0, q=rng.normal(size=n + m).round(1))
    X = X.mask(rng.random(X.shape) < 0.2) if holes else X
    y = rng.normal(size=n + m).round(1) if kind == "numbers" else rng.integers(0, 3, n + m)
    y = np.stack([y, rng.integers(0, 2, n + m)], axis=1) if kind == "several" else y
    weight = rng.integers(1, 4, n + m)
    tree = MAKERS[kind](holes).fit(X[:n], y[:n], weight[:n]).tree_
    return tree, X[n:], y[n:], weight[n:]


ties = st.sampled_from(["keep", "cut"])


@laws
@given(samples(), ties)
def test_pruning_never_raises_the_cost_of_the_held_out_rows(sample, how):
    tree, X, y, weight = sample
    before = hold_out(tree, X, y, weight).staying.sum()
    after = hold_out(reduced_error(tree, X, y, weight, how), X, y, weight).staying.sum()
    assert after <= before + 1e-9


@pytest.mark.long
@laws
@given(samples(), ties)
def test_a_pruning_done_twice_is_done(sample, how):
    tree, X, y, weight = sample
    once = reduced_error(tree, X, y, weight, how)
    assert reduced_error(once, X, y, weight, how) == once
    early = pre_prune(tree, X, y, weight)
    assert pre_prune(early, X, y, weight) == early
    assert reduced_error(early, X, y, weight) == early  # all its splits help


@laws
@given(samples())
def test_reduced_error_is_the_best_of_all_subtrees(sample):
    tree, X, y, weight = sample
    if how_many(tree) > 3000:
        return
    held = hold_out(tree, X, y, weight)
    cost = {
        leaves: held.cost[list(leaves)].sum() + held.staying[list(inside(tree, leaves))].sum()
        for leaves in subtrees(tree)
    }
    least = min(cost.values())
    size = min(len(leaves) for leaves, c in cost.items() if c <= least + 1e-9)
    kept, cut = (leaves_of(reduced_error(tree, X, y, weight, how), tree) for how in ("keep", "cut"))
    assert cost[kept] <= least + 1e-9
    assert cost[cut] <= least + 1e-9
    assert len(cut) == size
    assert least <= cost[leaves_of(pre_prune(tree, X, y, weight), tree)] + 1e-9


@pytest.mark.long
@laws
@given(samples())
def test_a_row_of_weight_two_is_the_row_twice(sample):
    tree, X, y, weight = sample
    often = np.repeat(np.arange(len(X)), weight)
    for prune in (reduced_error, pre_prune):
        assert prune(tree, X, y, weight) == prune(tree, X.iloc[often], y[often])


@laws
@given(samples(), st.floats(0, 3), st.floats(0, 3))
def test_a_higher_price_gives_a_subtree_of_that_of_a_lower_one(sample, one, other):
    tree, *_ = sample
    for low, high in pairwise(sorted((one, other, *pruning_path(tree).alphas))):
        large, small = (best_subtree(tree, alpha) for alpha in (low, high))
        assert small.n_leaves <= large.n_leaves
        assert best_subtree(large, high) == small
        assert tree_loss(small, high) <= tree_loss(large, high) + 1e-9
        assert risk(small)[0] == risk(tree)[0]
