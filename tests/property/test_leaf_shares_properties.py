"""Class shares of leaves, beside a recursion over nodes that says each estimate as its source does."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone

from dtlib import C45Classifier, CARTClassifier, ID3Classifier, LeafShares, ObliqueTreeClassifier, Tree
from dtlib.tree.leaf_shares import ESTIMATES
from dtlib.tree.node import Node
from tests.drawn import examples

pytestmark = pytest.mark.long

estimates_with_m = st.tuples(st.sampled_from(["m_estimate", "m_branch"]), st.sampled_from([0.5, 1, 2, 7.25]))
settings_of_leaves = st.builds(
    lambda of, **others: LeafShares(*of, **others),
    st.tuples(st.sampled_from(["frequency", "laplace"])) | estimates_with_m,
    undo_weights=st.booleans(),
)


def models(seed: int) -> list[Any]:
    """Return estimators of each kind that has leaf shares, in one of their many settings."""
    rng = np.random.default_rng(seed)
    given_loss = rng.integers(1, 5, (3, 3)) * (1 - np.eye(3))
    weights = [None, "balanced", {"a": 2, "b": 0.3, "c": 1}]
    cart = CARTClassifier(
        missing=str(rng.choice(["stay", "majority", "fractional"])),
        class_weight=weights[rng.integers(3)],
        loss=given_loss if rng.random() < 0.5 else None,
        max_depth=int(rng.integers(0, 4)),
    )
    return [cart, C45Classifier(min_samples_leaf=int(rng.integers(0, 3)))]


def table(seed: int) -> tuple[pd.DataFrame, np.ndarray, np.ndarray]:
    """Make a table with a name, a number and holes; classes and weights."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 40))
    name = pd.Categorical(rng.choice(list("pqr"), n), list("pqrs"))
    X = pd.DataFrame({"x": rng.integers(0, 6, n) / 2, "name": name})
    y = np.where(rng.random(n) < 0.5, rng.choice(list("abc"), n), np.where(X["x"] > 1, "a", "b"))
    y[:3] = list("abc")
    return X.mask(rng.random(X.shape) < 0.15), y, rng.integers(1, 4, n)


def of_rows(tree: Tree, node: Node) -> list[Fraction]:
    """Return the weights of a node that its shares are made of."""
    counts = [Fraction(float(c)) for c in node.counts]
    if tree.class_factors is not None:
        return [c / Fraction(float(f)) for c, f in zip(counts, tree.class_factors, strict=True)]
    if tree.loss is not None:
        costs = [Fraction(float(x)) for x in tree.loss.sum(1)]
        root = sum(Fraction(float(c)) / x for c, x in zip(tree.root.counts, costs, strict=True))
        return [c / x * Fraction(tree.root.n) / root for c, x in zip(counts, costs, strict=True)]
    return counts


def share(tree: Tree, node: Node, how: LeafShares) -> list[Fraction]:
    """Return what a node says, with exact fractions."""
    counts, K, m = of_rows(tree, node), len(tree.classes), Fraction(how.m)
    n = sum(counts)
    if node.parent is not None and n == 0:
        return share(tree, node.parent, how)
    return [*estimated(tree, node, how, counts, n, K, m)]


def estimated(
    tree: Tree, node: Node, how: LeafShares, counts: list[Fraction], n: Fraction, K: int, m: Fraction
) -> list[Fraction]:
    """Return what the rows of a node say, however few they are."""
    if how.estimate == "frequency":
        return [c / n for c in counts]
    if how.estimate == "laplace":
        return [(c + 1) / (n + K) for c in counts]
    prior = [Fraction(1, K)] * K
    if how.estimate == "m_estimate":
        root = of_rows(tree, tree.root)
        prior = [c / sum(root) for c in root]
    elif node.parent is not None:
        above = of_rows(tree, node.parent)
        prior = estimated(tree, node.parent, how, above, sum(above), K, m)
    return [(c + m * p) / (n + m) for c, p in zip(counts, prior, strict=True)]


@examples(150)
@given(st.integers(0, 10**6), settings_of_leaves)
def test_each_node_says_what_the_formulas_say(seed: int, how: LeafShares) -> None:
    X, y, weight = table(seed)
    for model in models(seed):
        tree = clone(model).set_params(leaf_shares=how).fit(X, y, weight).tree_
        wanted = [[float(p) for p in share(tree, node, how)] for node in tree]
        np.testing.assert_allclose(tree.value, wanted, rtol=1e-12, atol=1e-14)
        np.testing.assert_allclose(tree.value.sum(1), 1, rtol=1e-12)


@pytest.mark.long
@examples(60)
@given(st.integers(0, 10**6), settings_of_leaves)
def test_the_tree_is_the_same_and_every_form_of_it_says_the_same(seed: int, how: LeafShares) -> None:
    X, y, weight = table(seed)
    for model in models(seed):
        plain = clone(model).fit(X, y, weight).tree_
        fitted = clone(model).set_params(leaf_shares=how).fit(X, y, weight)
        tree = fitted.tree_
        for name in ("feature", "threshold", "code", "branch", "summary", "n", "impurity", "gain", "stop"):
            np.testing.assert_array_equal(getattr(tree, name), getattr(plain, name))
        again = Tree.from_json(tree.to_json())
        assert again == tree
        assert (again.value == tree.value).all()
        names: dict[str, Any] = {}
        exec(tree.to_python(), names)
        said = [names["predict"](row) for row in X.to_dict("records")]
        assert said == fitted.predict(X).tolist()


@examples(60)
@given(st.integers(0, 10**6), settings_of_leaves)
def test_the_prediction_is_the_largest_share_or_costs_least(seed: int, how: LeafShares) -> None:
    X, y, weight = table(seed)
    for model in models(seed):
        model = clone(model).set_params(leaf_shares=how).fit(X, y, weight)
        shares, tree = model.predict_proba(X), model.tree_
        worth = shares if tree.loss is None else -(shares @ tree.loss)
        chosen = model.predict(X)[:, None] == model.classes_
        np.testing.assert_allclose(np.where(chosen, worth, -np.inf).max(1), worth.max(1), rtol=1e-12)


@examples(40)
@given(st.integers(0, 10**6), st.sampled_from(ESTIMATES))
def test_undone_weights_are_those_of_the_rows(seed: int, estimate: str) -> None:
    """Leaves of the weighted tree say what a tree of the same questions without class weights says."""
    X, y, weight = table(seed)
    X = X.dropna().reset_index(drop=True)
    y, weight = y[X.index], weight[X.index]
    classes = np.unique(y)
    of_class = {label: 0.25 + 3 * k for k, label in enumerate(classes)}
    how = LeafShares(estimate, undo_weights=True)
    oblique = ObliqueTreeClassifier(restarts=1, random_state=0, class_weight=of_class, leaf_shares=how)
    for model, data in (
        (CARTClassifier(class_weight=of_class, leaf_shares=how), X),
        (oblique, X[["x"]]),
    ):
        model.fit(data, y, weight)
        ends, K = model.apply(data), len(classes)
        counts = np.stack([np.bincount(ends, weight * (y == label)) for label in classes], axis=1)
        n = counts.sum(1, keepdims=True)
        if estimate in ("frequency", "laplace"):
            add = float(estimate == "laplace")
            wanted = (counts[ends] + add) / (n[ends] + add * K)
            np.testing.assert_allclose(model.predict_proba(data), wanted, rtol=1e-12)
        if estimate == "m_estimate":
            root = counts.sum(0) / counts.sum()
            np.testing.assert_allclose(model.predict_proba(data), (counts[ends] + 2 * root) / (n[ends] + 2))


@examples(30)
@given(st.integers(0, 10**6), st.sampled_from(ESTIMATES))
def test_id3_has_empty_branches_and_the_same_estimates(seed: int, estimate: str) -> None:
    X, y, weight = table(seed)
    X = X.assign(
        x=X["x"].astype(object).mask(X["x"].isna(), -1).astype("category"), name=X["name"].fillna("s")
    )
    how = LeafShares(estimate)
    tree = ID3Classifier(leaf_shares=how).fit(X, y, weight).tree_
    wanted = [[float(p) for p in share(tree, node, how)] for node in tree]
    np.testing.assert_allclose(tree.value, wanted, rtol=1e-12)
