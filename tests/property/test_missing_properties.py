"""CART with missing values: laws that hold whatever the data."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtlib import CARTClassifier, CARTRegressor
from dtlib.growing.training_rows import training_parts
from dtlib.tree.descend import ends
from tests.drawn import examples, mirrored, mirrors

pytestmark = pytest.mark.long

laws = examples(30)
MISSING_POLICIES = ("stay", "majority", "fractional", "surrogate")
makers = st.sampled_from([CARTClassifier, CARTRegressor, CARTClassifier.rpart, CARTRegressor.rpart])


@st.composite
def samples(draw, holes=True):
    """Draw rows of numbers and names, some values missing, classes or numbers, and whole weights."""
    n, seed = draw(st.integers(4, 40)), draw(st.integers(0, 10**6))
    rng = np.random.default_rng(seed)
    share = draw(st.sampled_from([0.05, 0.3, 0.7])) if holes else 0.0
    X = pd.DataFrame(
        {
            "p": rng.integers(0, 5, n).astype(float),
            "q": rng.normal(size=n).round(1),
            "a": pd.Series(rng.choice(list("uvw"), n), dtype=object),
            "o": pd.Categorical(rng.choice(list("SML"), n), categories=list("SML"), ordered=True),
        }
    )
    X = X.where(rng.random(X.shape) >= share)
    X["o"] = X["o"].astype(pd.CategoricalDtype(list("SML"), ordered=True))
    return mirrored(draw(mirrors), X, rng.integers(0, 3, n), rng.integers(1, 4, n).astype(float))


def fit(make, missing, X, y, weight):
    small = {"min_samples_split": 2, "min_samples_leaf": 1, "cp": -1} if "rpart" in str(make) else {}
    return make(missing=missing, **small).fit(X, y, weight)


def predicted(est, X):
    return est.predict_proba(X) if hasattr(est, "predict_proba") else est.predict(X)


@pytest.mark.long
@laws
@given(samples(holes=False), makers)
def test_without_holes_the_rule_for_missing_values_changes_nothing(sample, make):
    trees = [fit(make, missing, *sample).tree_ for missing in ("error", *MISSING_POLICIES)]
    assert all(tree == trees[0] for tree in trees)


@pytest.mark.long
@laws
@given(samples(), st.sampled_from([CARTClassifier, CARTRegressor]), st.integers(0, 1000))
def test_the_order_of_rows_changes_nothing(sample, make, seed):
    X, y, weight = sample
    order = np.random.default_rng(seed).permutation(len(y))
    for missing in MISSING_POLICIES:
        one = fit(make, missing, X, y, weight)
        other = fit(make, missing, X.iloc[order], y[order], weight[order])
        assert one.tree_ == other.tree_
        np.testing.assert_array_equal(predicted(one, X), predicted(other, X))


@laws
@given(samples(), makers)
def test_parts_sum_to_one_and_all_missing_gives_the_root(sample, make):
    X, y, weight = sample
    est = fit(make, "fractional", X, y, weight)
    tree, rows = est.tree_, est._matrix(X)
    found = ends(tree, rows, "fractional")
    np.testing.assert_allclose(np.bincount(found.row, found.weight), 1)
    nothing = pd.DataFrame({name: [None] for name in X})
    np.testing.assert_allclose(predicted(est, nothing).ravel(), tree.value[0], atol=1e-9)


@laws
@given(samples(), makers, st.sampled_from(MISSING_POLICIES))
def test_the_rows_of_a_node_are_those_of_its_parent(sample, make, missing):
    X, y, weight = sample
    tree = fit(make, missing, X, y, weight).tree_
    for node in tree:
        _, part = training_parts(tree, node.id)
        np.testing.assert_allclose(part.sum(), node.n, rtol=1e-9)
        below = sum(child.n for child in node.children)
        if not node.is_leaf:
            assert below <= node.n * (1 + 1e-9)
            if missing in ("majority", "fractional"):
                np.testing.assert_allclose(below, node.n, rtol=1e-9)


# a surrogate must send two rows each way, whatever they weigh
@laws
@given(samples(), st.sampled_from([CARTClassifier, CARTRegressor]), st.sampled_from(MISSING_POLICIES[:3]))
def test_weights_count_as_copies_of_the_row(sample, make, missing):
    X, y, weight = sample
    copies = np.repeat(np.arange(len(y)), weight.astype(int))
    one = fit(make, missing, X, y, weight).tree_
    other = fit(make, missing, X.iloc[copies].reset_index(drop=True), y[copies], None).tree_
    np.testing.assert_array_equal(one.feature, other.feature)
    np.testing.assert_array_equal(one.threshold, other.threshold)
    np.testing.assert_allclose(one.n, other.n, rtol=1e-9)


@laws
@given(samples(), makers, st.sampled_from(MISSING_POLICIES))
def test_every_explained_gain_is_that_of_the_tree(sample, make, missing):
    X, y, weight = sample
    tree = fit(make, missing, X, y, weight).tree_
    for node in tree:
        if not node.is_leaf:
            table = tree.explain(node.id)
            chosen = table[table["chosen"]]
            np.testing.assert_allclose(chosen["gain"], tree.gain[node.id], atol=1e-9)
            assert table["gain"].max() <= tree.gain[node.id] + 1e-9
    assert replace(tree, missing="error") == tree
