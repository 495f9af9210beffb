"""The loss of a tree, and its best subtree: against the losses of all subtrees."""

import math

import numpy as np
import pandas as pd
import pytest

from dtlib import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier
from dtlib.counting.criteria import CRITERIA, names_of
from dtlib.datasets import load_loan, load_watermelon
from dtlib.measures import classification_error, entropy, gini
from dtlib.prune import best_subtree, local_differences, pruning_path, risk, tree_loss
from dtlib.tree import reasons
from dtlib.tree.edit import collapse
from tests.unit.subtrees import how_many, leaves_of, subtrees

loan, melons, mixed = load_loan(), load_watermelon(), load_watermelon("3.0")
SOME = np.random.default_rng(5)
ROWS = pd.DataFrame({"p": SOME.integers(0, 6, 40) * 1.0, "q": SOME.normal(size=40).round(1)})
CLASSES, NUMBERS = SOME.integers(0, 3, 40), SOME.normal(size=40).round(1)


def trees():
    """Return small trees of all kinds, by name."""
    holes = mixed.X.mask(np.random.default_rng(0).random(mixed.X.shape) < 0.2)
    weight = np.arange(40) % 4 + 0.5
    both = np.stack([CLASSES, CLASSES[::-1]], axis=1)
    small = {"max_depth": 3}
    return {
        "multiway": ID3Classifier().fit(melons.X, melons.y),
        "parts": C45Classifier(max_depth=2).fit(holes, mixed.y),
        "binary": CARTClassifier(**small).fit(ROWS, CLASSES, weight),
        "surrogates": CARTClassifier(missing="surrogate", **small).fit(holes, mixed.y),
        "losses": CARTClassifier(loss=[[0, 1, 5], [2, 0, 1], [1, 3, 0]], **small).fit(ROWS, CLASSES),
        "outputs": CARTClassifier(**small).fit(ROWS, both),
        "numbers": CARTRegressor(**small).fit(ROWS, NUMBERS, weight),
        "absolute": CARTRegressor(criterion="absolute_error", **small).fit(ROWS, NUMBERS),
        "two numbers": CARTRegressor(**small).fit(ROWS, np.stack([NUMBERS, CLASSES], axis=1)),
    }


TREES = {name: est.tree_ for name, est in trees().items()}
of_each = pytest.mark.parametrize("name", TREES)


def test_the_loss_of_the_loan_tree_by_hand():
    tree = ID3Classifier().fit(loan.X, loan.y).tree_
    root = -15 * (9 / 15 * math.log2(9 / 15) + 6 / 15 * math.log2(6 / 15))
    renting = -9 * (3 / 9 * math.log2(3 / 9) + 6 / 9 * math.log2(6 / 9))
    np.testing.assert_allclose(risk(tree, "entropy"), [root, renting, 0, 0, 0])
    assert tree_loss(tree, 2.0, "entropy") == 6
    smaller = collapse(tree, np.array([1]), reasons.PRICED)
    assert tree_loss(smaller, 2.0, "entropy") == pytest.approx(renting + 4)


def test_the_alpha_at_which_each_node_of_the_loan_tree_is_cut():
    tree = ID3Classifier().fit(loan.X, loan.y).tree_
    root, renting, *_ = risk(tree, "entropy")
    assert [best_subtree(tree, alpha, kind="entropy").n_leaves for alpha in (0, root / 2 - 1e-9)] == [3, 3]
    assert best_subtree(tree, root / 2, kind="entropy").n_leaves == 1
    assert renting > root / 2  # so that the lower node is never cut alone


@pytest.mark.parametrize(
    ("kind", "measure"),
    [("cost", classification_error), *((c.name, c.impurity) for c in CRITERIA.values() if c.of_classes)],
)
def test_a_name_and_a_function_are_the_same_risk(kind, measure):
    for name in ("multiway", "parts", "binary", "surrogates", "outputs"):
        np.testing.assert_allclose(risk(TREES[name], kind), risk(TREES[name], measure), atol=1e-9)


def test_impurity_is_that_by_which_the_tree_was_grown():
    np.testing.assert_allclose(risk(TREES["binary"], "impurity"), risk(TREES["binary"], "gini"))
    np.testing.assert_allclose(risk(TREES["multiway"], "impurity"), risk(TREES["multiway"], "entropy"))
    assert risk(TREES["numbers"], "impurity").tolist() == risk(TREES["numbers"]).tolist()


def test_entropy_counts_the_rows_and_not_what_errors_cost():
    plain = CARTClassifier(max_depth=3).fit(ROWS, CLASSES).tree_
    priced = TREES["losses"]
    counts = np.bincount(CLASSES)
    assert risk(priced, "entropy")[0] == pytest.approx(40 * entropy(counts))
    assert risk(priced, "entropy")[0] == pytest.approx(risk(plain, "entropy")[0])


def test_the_risk_of_several_outputs_is_the_mean():
    one, other = (CARTClassifier(max_depth=0).fit(ROWS, y).tree_ for y in (CLASSES, CLASSES[::-1] > 0))
    both = CARTClassifier(max_depth=0).fit(ROWS, np.stack([CLASSES, CLASSES[::-1] > 0], axis=1)).tree_
    for kind in ("cost", *names_of("classes")):
        np.testing.assert_allclose(risk(both, kind), (risk(one, kind) + risk(other, kind)) / 2)


def test_squared_error_is_the_sum_over_the_rows():
    est = CARTRegressor(max_depth=2).fit(ROWS, NUMBERS)
    apart = (NUMBERS - est.predict(ROWS)) ** 2
    assert tree_loss(est.tree_, 0.5) == pytest.approx(apart.sum() + 0.5 * est.get_n_leaves())


def test_risks_that_are_none():
    with pytest.raises(ValueError, match="kind is 'ginni'; wanted 'cost', 'impurity', 'gini', 'entropy'"):
        risk(TREES["binary"], "ginni")
    for kind in ("entropy", gini):
        with pytest.raises(ValueError, match="this is a regression tree: wanted 'cost' or 'impurity'"):
            risk(TREES["numbers"], kind)


@of_each
def test_the_best_subtree_is_the_smallest_of_the_best_of_all(name):
    tree = TREES[name]
    assert 3 < how_many(tree) < 5000
    everything = list(subtrees(tree))
    assert len(set(everything)) == len(everything) == how_many(tree)
    for kind in ("cost", *names_of("classes")) if tree.is_classifier else ("cost",):
        cost = risk(tree, kind)
        for alpha in np.concatenate([[-0.1, 0.0], np.linspace(0.05, 1.05, 11) * cost[0] / 3]):
            losses = {leaves: cost[list(leaves)].sum() + alpha * len(leaves) for leaves in everything}
            least = min(losses.values())
            equal = [leaves for leaves, loss in losses.items() if loss <= least + 1e-9 * cost[0]]
            best = best_subtree(tree, alpha, kind=kind)
            assert tree_loss(best, alpha, kind) == pytest.approx(least, abs=1e-9)
            assert leaves_of(best, tree) == min(equal, key=len)


@of_each
def test_local_differences_are_differences_of_the_whole_loss(name):
    tree = TREES[name]
    for alpha in (0.0, risk(tree)[0] / 10, risk(tree)[0] / 4):
        steps = local_differences(tree, alpha)
        assert steps["node"].tolist() == [i for i in reversed(range(len(tree))) if tree.feature[i] >= 0]
        cut = []
        for step in steps.itertuples():
            before = collapse(tree, np.array(cut, int), reasons.PRICED)
            after = collapse(tree, np.array([*cut, step.node]), reasons.PRICED)
            assert tree_loss(after, alpha) - tree_loss(before, alpha) == pytest.approx(step.difference)
            assert step.difference == pytest.approx(step.loss_as_leaf - step.loss)
            assert step.leaves == before.n_leaves - after.n_leaves + 1
            assert step.feature == tree[step.node].feature
            assert step.cut == (step.difference <= 1e-9)
            cut += [step.node] if step.cut else []
        best = best_subtree(tree, alpha)
        assert best == collapse(tree, np.array(cut, int), reasons.PRUNED)


def test_the_record_says_what_was_cut_from_what():
    tree = TREES["multiway"]
    best = best_subtree(tree, 2.0, reasons.PRICED, "entropy")
    assert best.pruned_from is tree
    pd.testing.assert_frame_equal(best.steps, local_differences(tree, 2.0, "entropy"))
    assert set(best.reason) - set(tree.reason) == {reasons.PRICED}
    assert 1 < best.n_leaves < tree.n_leaves


def test_pruning_twice_at_one_price_changes_nothing():
    for tree in TREES.values():
        for alpha in (0.0, risk(tree)[0] / 8):
            once = best_subtree(tree, alpha)
            assert best_subtree(once, alpha) == once


@pytest.mark.parametrize("alpha", [np.nan, np.inf, -np.inf, None, "1", True])
@pytest.mark.parametrize("what", [tree_loss, local_differences, best_subtree])
def test_prices_that_are_none(what, alpha):
    with pytest.raises(
        ValueError,
        match=r"alpha is .*; wanted a finite number, the complexity penalty of a leaf",
    ):
        what(TREES["multiway"], alpha)


def test_a_leaf_stays_a_leaf():
    tree = CARTClassifier(max_depth=0).fit(ROWS, CLASSES).tree_
    best = best_subtree(tree, 1.0)
    assert best == tree
    assert len(best.steps) == 0


@pytest.mark.parametrize(
    ("kind", "error", "message"),
    [
        (
            lambda counts: counts,
            ValueError,
            r"kind returned numbers of shape \(5, 2\) .*; wanted shape \(5,\)",
        ),
        (lambda counts: counts[:1, 0], ValueError, r"kind returned numbers of shape \(1,\)"),
        (lambda counts: "a", TypeError, "kind returned 'a'; wanted a number for each node"),
        (lambda counts: None, ValueError, r"kind returned nan for the class weights \[6.0, 9.0\]; wanted"),
        (lambda counts: 1 / (counts[:, 0] > 0), ValueError, r"kind returned inf for .*\[0.0, 6.0\]"),
    ],
)
@pytest.mark.filterwarnings("ignore:divide by zero")
def test_functions_that_say_no_impurity(kind, error, message):
    loan = load_loan()
    tree = CARTClassifier().fit(loan.X, loan.y).tree_
    with pytest.raises(error, match=message):
        pruning_path(tree, kind)


def test_an_impurity_may_be_the_same_everywhere():
    loan = load_loan()
    tree = CARTClassifier().fit(loan.X, loan.y).tree_
    assert risk(tree, lambda counts: 0.5).tolist() == (tree.n / 2).tolist()
