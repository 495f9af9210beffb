"""Laws of C4.5's trees, with and without missing values."""

from functools import partial
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from dtlib import C45Classifier, CARTClassifier, Tree
from dtlib.dialects import C45Dialect
from dtlib.growing.by_ratio import collapsed
from dtlib.measures import gini, impurity_decrease, information_gain
from tests.drawn import examples, mirrored, mirrors


def merging(**parameters):
    return C45Classifier.release8(group_values="merge", **parameters)


def one_vs_rest(**parameters):
    return C45Classifier.j48(group_values="one_vs_rest", **parameters)


MAKERS = C45Classifier, C45Classifier.release8, C45Classifier.j48, merging, one_vs_rest
laws = examples(60)


@st.composite
def samples(draw, holes=True):
    """Return a frame of a few rows with names and numbers, the classes, and weights."""
    n = draw(st.integers(2, 30))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    share = draw(st.sampled_from([0.0, 0.1, 0.5])) if holes else 0.0
    frame = pd.DataFrame(
        {
            "a": rng.choice(list("uvw"), n).astype(object),
            "b": rng.choice(list("xy"), n).astype(object),
            "p": rng.integers(0, draw(st.sampled_from([3, 100])), n).astype(float),
            "q": rng.normal(size=n),
        }
    )
    missing = rng.random(frame.shape) < share
    return mirrored(draw(mirrors), frame.mask(missing), rng.choice(list("no"), n), rng.integers(1, 4, n))


makers = st.sampled_from(MAKERS)


def uncollapsed(make, **options):
    """Return an estimator that keeps what a program would collapse; the book's own collapses nothing."""
    return make(**options, **({} if make is C45Classifier else {"collapse": None}))


@laws
@given(samples(), makers)
def test_parts_sum_to_the_whole_at_every_node(sample, make):
    X, y, weight = sample
    tree = uncollapsed(make).fit(X, y, weight).tree_
    for node in tree:
        if not node.is_leaf:
            np.testing.assert_allclose(sum(c.counts for c in node.children), node.counts, rtol=0, atol=1e-8)


@laws
@given(samples(), makers)
def test_shares_sum_to_one(sample, make):
    X, y, weight = sample
    for missing in ("fractional", "majority"):
        tree = make(missing=missing).fit(X, y, weight)
        share = tree.predict_proba(X)
        np.testing.assert_allclose(share.sum(1), 1)
        assert (tree.predict(X) == tree.classes_[(share > share.max(1)[:, None] - 1e-12).argmax(1)]).all()


@laws
@given(samples(), makers)
def test_a_row_without_any_value_gets_the_shares_of_the_root(sample, make):
    X, y, weight = sample
    tree = make().fit(X, y, weight)
    nothing = pd.DataFrame({name: [np.nan] for name in X})
    root = tree.tree_.root
    np.testing.assert_allclose(tree.predict_proba(nothing)[0], root.counts / root.n, rtol=0, atol=1e-8)


@pytest.mark.long
@laws
@given(samples(holes=False), makers)
def test_without_holes_the_rule_for_missing_values_changes_nothing(sample, make):
    X, y, weight = sample
    trees = [make(missing=way).fit(X, y, weight).tree_ for way in ("fractional", "majority", "error")]
    assert trees[0] == trees[1] == trees[2]


@pytest.mark.long
@laws
@given(samples(), makers, st.integers(0, 1000))
def test_the_order_of_rows_changes_nothing(sample, make, seed):
    X, y, weight = sample
    order = np.random.default_rng(seed).permutation(len(y))
    for missing in ("fractional", "majority"):
        tree = make(missing=missing).fit(X, y, weight).tree_
        assert make(missing=missing).fit(X.iloc[order], y[order], weight[order]).tree_ == tree


@laws
@given(samples(), st.sampled_from([C45Classifier, partial(C45Classifier.j48, samples="weight")]))
def test_a_weight_of_two_is_the_row_twice(sample, make):
    """J48 itself counts rows at two places, whatever they weigh."""
    X, y, weight = sample
    rows = np.repeat(np.arange(len(y)), weight)
    one, other = make().fit(X, y, weight).tree_, make().fit(X.iloc[rows], y[rows]).tree_
    assert one.feature.tolist() == other.feature.tolist()
    np.testing.assert_array_equal(one.threshold, other.threshold)
    np.testing.assert_allclose(one.summary, other.summary, rtol=0, atol=1e-8)


@laws
@given(samples(), makers)
def test_json_keeps_the_tree(sample, make):
    X, y, weight = sample
    tree = make().fit(X, y, weight).tree_
    assert Tree.from_json(tree.to_json()) == tree


@pytest.mark.long
@laws
@given(samples(), makers)
def test_what_is_chosen_is_what_explain_finds(sample, make):
    X, y, weight = sample
    tree = make().fit(X, y, weight).tree_
    for node in tree:
        table = tree.explain(node.id)
        assert table["chosen"].sum() == (not node.is_leaf)
        if not node.is_leaf:
            own = table[table["chosen"]].iloc[0]
            assert own["feature"] == node.feature
            assert abs(max(own["gain"] + own["charge"], 0) - tree.gain[node.id]) < 1e-8


@laws
@given(samples(), makers)
def test_a_row_with_values_ends_in_one_leaf_of_its_own(sample, make):
    X, y, weight = sample
    tree = make().fit(X, y, weight)
    whole = X.dropna()
    if len(whole):
        node = tree.apply(whole)
        np.testing.assert_allclose(tree.predict_proba(whole), tree.tree_.value[node])


def leaves_of_collapsed(tree, order, slack):
    """Return the nodes that become leaves, by a walk from the leaves up: one node at a time."""
    errors, cut = {}, set()
    for node in reversed(list(tree)):
        alone = node.n - node.counts.max()
        below = sum(errors[child.id] for child in node.children) if node.children else alone
        if not node.is_leaf and below >= alone - slack:
            cut.add(node.id)
            below = alone if order == "bottom_up" else below
        errors[node.id] = below
    return {node.id for node in tree if node.id in cut and not cut.intersection(node.ancestors)}


@examples(40)
@given(st.integers(0, 10**6), st.sampled_from(["bottom_up", "top_down"]), st.sampled_from([1e-3, 1.2, 2.1]))
def test_a_subtree_without_fewer_errors_becomes_a_leaf(seed, order, slack):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(6, 40))
    frame = pd.DataFrame({"a": rng.choice(list("uvw"), n).astype(object), "p": rng.integers(0, 6, n) * 1.0})
    weight = rng.choice([1.0, 1.0008, 1.0012, 0.9994], n)  # so that errors differ by about the usual slack
    dialect = C45Dialect(zero_gain=True)
    tree = C45Classifier(dialect=dialect, prune=None).fit(frame, rng.choice(list("no"), n), weight).tree_
    found = collapsed(tree, order, slack)
    wanted = leaves_of_collapsed(tree, order, slack)
    kept = [node for node in tree if not wanted.intersection(node.ancestors)]
    assert sorted(found.n.tolist()) == sorted(node.n for node in kept)
    assert found.reason.count("no fewer errors below") == len(wanted)


@laws
@given(st.integers(0, 2**32 - 1), st.integers(2, 4), st.integers(2, 40), st.sampled_from([3, 8, 100]))
def test_a_best_cut_lies_between_two_classes(seed, classes, n, values):
    """No cut inside a run of one class gains more than the better end of the run; nor is it chosen."""
    rng = np.random.default_rng(seed)
    x, y = rng.integers(0, values, n).astype(float), rng.integers(0, classes, n)
    at = np.unique(x)
    assume(len(at) > 1)
    pure = [set(y[x == v]) for v in at]
    inside = np.array([len(a | b) == 1 for a, b in pairwise(pure)])
    assume(not inside.all())
    sides = [(x <= v, x > v) for v in at[:-1]]
    tables = np.array([[np.bincount(y[side], minlength=classes) for side in pair] for pair in sides])
    frame = pd.DataFrame({"x": x})
    for measure, model in (
        (information_gain, C45Classifier(max_depth=1)),
        (information_gain, CARTClassifier(criterion="entropy", max_depth=1)),
        (partial(impurity_decrease, impurity=gini), CARTClassifier(max_depth=1)),
    ):
        gains = np.array([measure(table) for table in tables])
        assert gains[~inside].max() >= gains.max() - 1e-12
        asked = model.fit(frame, y).tree_
        if asked.node_count > 1:
            assert not inside[np.searchsorted(at, asked.threshold[0]) - 1]
