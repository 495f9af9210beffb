"""Laws of pessimistic pruning."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtlib.growing.training_rows import training_parts
from dtlib.prune import added_errors, pessimistic
from tests.property.test_c45_properties import laws, makers, samples, uncollapsed

pytestmark = pytest.mark.long

BOUNDS = st.sampled_from(["binomial", "normal", "release8"])


def grown(make, X, y, weight=None):
    return uncollapsed(make, min_samples_leaf=1, prune=None).fit(X, y, weight).tree_


@laws
@given(samples(), makers, BOUNDS, st.booleans())
def test_never_more_leaves(sample, make, bound, raising):
    X, y, weight = sample
    tree = grown(make, X, y, weight)
    small = pessimistic(tree, bound=bound, raising=raising)
    assert small.n_leaves <= tree.n_leaves
    assert small.max_depth <= tree.max_depth
    np.testing.assert_array_equal(small.counts[0], tree.counts[0])
    assert (small.n_leaves < tree.n_leaves) == bool(small.steps["cut"].any())


@laws
@given(samples(), makers, BOUNDS)
def test_counts_are_those_of_the_rows_sent_down_again(sample, make, bound):
    X, y, weight = sample
    tree = pessimistic(grown(make, X, y, weight), bound=bound)
    label = tree.training.targets[0].codes
    for node in range(tree.node_count):
        rows, part = training_parts(tree, node)
        counts = np.bincount(label[rows], part, tree.counts.shape[1])
        np.testing.assert_allclose(tree.counts[node], counts, rtol=0, atol=1e-8)


@laws
@given(samples(), makers, BOUNDS, st.booleans())
def test_what_was_kept_is_kept_again(sample, make, bound, raising):
    """Decisions are made when all below is done, and anew where a branch was raised."""
    X, y, weight = sample
    once = pessimistic(grown(make, X, y, weight), bound=bound, raising=raising)
    again = pessimistic(once, bound=bound, raising=raising)
    np.testing.assert_allclose(again.summary, once.summary, atol=1e-9)
    assert again == once


@laws
@given(samples(holes=False), makers, BOUNDS)
def test_a_weight_of_two_is_the_row_twice(sample, make, bound):
    X, y, weight = sample
    rows = np.repeat(np.arange(len(X)), weight)
    one = pessimistic(grown(make, X, y, weight), bound=bound)
    other = pessimistic(grown(make, X.iloc[rows], y[rows]), bound=bound)
    assert one == other


@laws
@given(samples(), makers, BOUNDS)
def test_kept_nodes_are_estimated_better_than_leaves(sample, make, bound):
    """What was kept is better than the branch by more than the slack; a leaf is no worse than both."""
    X, y, weight = sample
    steps = pessimistic(grown(make, X, y, weight), bound=bound).steps
    kept = steps[~steps["cut"]]
    assert (kept["branch"] > kept["subtree"] + 0.1).all()
    leaves = steps[steps["done"] == "replaced by a leaf"]
    assert (leaves["leaf"] <= leaves[["subtree", "branch"]].min(axis=1) + 0.1 + 2e-6).all()


@laws
@given(st.floats(0, 50), st.floats(0.1, 50), st.floats(1e-3, 0.5))
def test_the_exact_bound_is_a_rate_and_falls_with_the_confidence(e, rest, confidence):
    n = e + rest
    more, less = added_errors(e, n, confidence / 2), added_errors(e, n, confidence)
    assert e <= e + less <= e + more <= n * (1 + 1e-9)
