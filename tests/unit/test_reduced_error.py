"""Reduced-error pruning: the book's melons, and the best of all subtrees."""

import numpy as np
import pandas as pd
import pytest

from dtlib import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier
from dtlib.datasets import load_watermelon
from dtlib.dialects import CARTDialect
from dtlib.measures import entropy
from dtlib.prune import hold_out, reduced_error
from dtlib.tree import reasons
from dtlib.tree.edit import collapse
from tests.unit.subtrees import how_many, inside, leaves_of, subtrees

melons, mixed = load_watermelon(), load_watermelon("3.0")
# The columns in an order in which ties of the gain are broken as in the book; of two classes with as many
# melons, the book says good at each node, so that class comes first.
X, y = (
    melons.X[["navel", "color", "stem", "knock", "texture", "touch"]],
    melons.y.map({"yes": "a", "no": "b"}),
)
HELD = [3, 4, 7, 8, 10, 11, 12]  # melons 4, 5, 8, 9, 11, 12, 13 (Zhou, 2016, table 4.2)
GROWN = [i for i in range(17) if i not in HELD]
FULL = ID3Classifier().fit(X.iloc[GROWN], y.iloc[GROWN]).tree_


def book(**parameters):
    return reduced_error(FULL, X.iloc[HELD], y.iloc[HELD], **parameters)


def test_the_tree_of_the_book():
    paths = {" and ".join(leaf.path): leaf.prediction for leaf in FULL if leaf.is_leaf}
    slightly, curly = "navel = slightly sunken", "stem = slightly curled"
    assert paths == {
        "navel = sunken and color = green": "a",
        "navel = sunken and color = dark": "a",
        "navel = sunken and color = pale": "b",
        f"{slightly} and stem = curled": "b",
        f"{slightly} and {curly} and color = green": "a",
        f"{slightly} and {curly} and color = dark and texture = clear": "b",
        f"{slightly} and {curly} and color = dark and texture = slightly blurry": "a",
        f"{slightly} and {curly} and color = dark and texture = blurry": "a",
        f"{slightly} and {curly} and color = pale": "a",
        f"{slightly} and stem = stiff": "a",
        "navel = flat": "b",
    }
    for node in FULL:  # each question gains as much as any other
        if not node.is_leaf:
            table = FULL.explain(node.id).set_index("feature")
            assert table.loc[node.feature, "gain"] == pytest.approx(table["gain"].max())


def test_every_accuracy_of_the_book():
    steps = book().steps
    assert steps["feature"].tolist() == ["texture", "color", "stem", "color", "navel"]
    assert (100 * steps["accuracy"]).round(1).tolist() == [42.9, 57.1, 57.1, 57.1, 71.4]
    assert (100 * steps["accuracy_if_cut"]).round(1).tolist() == [57.1, 57.1, 57.1, 71.4, 42.9]
    assert steps["cut"].tolist() == [True, False, False, True, False]
    assert steps["n"].tolist() == [2, 2, 2, 3, 7]
    assert steps["cost"].tolist() == [2, 1, 1, 2, 2]
    assert steps["cost_as_leaf"].tolist() == [1, 1, 1, 1, 4]


def test_the_books_tree_keeps_ties_and_the_smaller_one_cuts_them():
    kept, cut = book(), book(ties="cut")
    assert [node.feature for node in kept if not node.is_leaf] == ["navel", "stem", "color"]
    assert [node.feature for node in cut if not node.is_leaf] == ["navel"]
    for tree in (kept, cut):
        assert hold_out(tree, X.iloc[HELD], y.iloc[HELD]).staying.sum() == 2
        assert tree.pruned_from is FULL
    assert set(cut.reason) - set(FULL.reason) == {reasons.HELD_OUT}


def test_what_no_row_reaches_is_a_tie():
    frame = pd.DataFrame({"a": list("uuvv"), "b": list("xyxy")})
    tree = ID3Classifier().fit(frame, list("nonn")).tree_
    rows = pd.DataFrame({"a": ["v"], "b": ["x"]})
    kept = reduced_error(tree, rows, ["n"])
    assert kept == tree
    assert kept.steps.loc[kept.steps["node"] == 1, ["n", "cost", "cost_as_leaf"]].to_numpy().tolist() == [
        [0, 0, 0]
    ]
    assert reduced_error(tree, rows, ["n"], ties="cut").n_leaves == 1


def test_the_accuracies_are_those_of_predictions():
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(rng.integers(0, 4, (160, 3)) * 1.0, columns=list("pqr"))
    label = rng.integers(0, 3, 160)
    tree = CARTClassifier(max_depth=5).fit(frame[:80], label[:80]).tree_
    steps = reduced_error(tree, frame[80:], label[80:], ties="cut").steps
    cut = []
    for step in steps.itertuples():
        for nodes, said in ((cut, step.accuracy), ([*cut, step.node], step.accuracy_if_cut)):
            now = collapse(tree, np.array(nodes, int), reasons.HELD_OUT)
            assert said == pytest.approx(np.mean(now.label[now.apply(frame[80:])] == label[80:]))
        assert step.cut == (step.accuracy_if_cut >= step.accuracy - 1e-12)
        cut += [step.node] if step.cut else []
    assert 0 < len(cut) < len(steps)


def cases():
    """Return trees of all kinds with rows that they have not seen: X, y, weights."""
    rng = np.random.default_rng(7)
    frame = pd.DataFrame(
        {
            "p": rng.integers(0, 6, 80) * 1.0,
            "q": rng.normal(size=80).round(1),
            "a": rng.choice(list("uvw"), 80).astype(object),
        }
    )
    holes = frame.mask(rng.random(frame.shape) < 0.2)
    label, number = rng.integers(0, 3, 80), rng.normal(size=80).round(2)
    weight = rng.integers(1, 4, 80) * 0.5
    several, small = np.stack([label, label[::-1]], axis=1), {"max_depth": 3}
    absolute = CARTRegressor(criterion="absolute_error", **small)
    loss = [[0, 1, 5], [2, 0, 1], [1, 3, 0]]
    found = {
        "binary": (CARTClassifier(**small), frame, label, weight),
        "multiway": (C45Classifier(max_depth=2), frame, label, None),
        "parts": (C45Classifier(max_depth=2), holes, label, weight),
        "staying": (CARTClassifier(missing="stay", **small), holes, label, weight),
        "surrogates": (CARTClassifier(missing="surrogate", **small), holes, label, None),
        "losses": (CARTClassifier(loss=loss, **small), frame, label, weight),
        "outputs": (CARTClassifier(**small), frame, several, None),
        "single": (CARTClassifier(dialect=CARTDialect(precision="single"), **small), frame, label, None),
        "numbers": (CARTRegressor(**small), frame, number, weight),
        "number parts": (CARTRegressor(missing="fractional", **small), holes, number, None),
        "absolute": (absolute, frame, number, None),
        "two numbers": (CARTRegressor(**small), frame, np.stack([number, label], axis=1), weight),
    }
    for name, (est, frame, target, w) in found.items():
        tree = est.fit(frame[:40], target[:40], None if w is None else w[:40]).tree_
        yield name, (tree, frame[40:], target[40:], None if w is None else w[40:])


CASES = dict(cases())
of_each = pytest.mark.parametrize("name", CASES)


@of_each
def test_no_subtree_is_better_and_cutting_ties_gives_the_smallest(name):
    tree, rows, truth, weight = CASES[name]
    assert 3 < how_many(tree) < 20000
    held = hold_out(tree, rows, truth, weight)
    cost = {
        leaves: held.cost[list(leaves)].sum() + held.staying[list(inside(tree, leaves))].sum()
        for leaves in subtrees(tree)
    }
    least = min(cost.values())
    equal = [leaves for leaves, c in cost.items() if c <= least + 1e-9 * held.cost[0]]
    kept, cut = (reduced_error(tree, rows, truth, weight, ties=ties) for ties in ("keep", "cut"))
    assert leaves_of(kept, tree) in equal
    assert leaves_of(cut, tree) == min(equal, key=len)
    assert hold_out(kept, rows, truth, weight).staying.sum() == pytest.approx(least)
    assert cut.n_leaves <= kept.n_leaves
    assert (cut.n_leaves == tree.n_leaves) == (name == "surrogates")  # which all its leaves help


@of_each
def test_pruning_twice_changes_nothing(name):
    tree, rows, truth, weight = CASES[name]
    for ties in ("keep", "cut"):
        once = reduced_error(tree, rows, truth, weight, ties=ties)
        assert reduced_error(once, rows, truth, weight, ties=ties) == once


@of_each
def test_weight_two_is_the_row_twice(name):
    tree, rows, truth, _ = CASES[name]
    times = np.arange(40) % 3
    often = np.repeat(np.arange(40), times)
    for ties in ("keep", "cut"):
        weighed = reduced_error(tree, rows, truth, times, ties=ties)
        repeated = reduced_error(tree, rows.iloc[often], truth[often], ties=ties)
        assert weighed == repeated
        pd.testing.assert_frame_equal(weighed.steps, repeated.steps)


@of_each
def test_the_mean_is_named_for_what_it_is(name):
    tree, rows, truth, weight = CASES[name]
    steps = reduced_error(tree, rows, truth, weight).steps
    measure = {"losses": "mean_cost", "absolute": "absolute_error"}.get(name)
    measure = measure or ("accuracy" if tree.is_classifier else "squared_error")
    assert [c for c in steps.columns if c.endswith("_if_cut")] == [f"{measure}_if_cut"]
    held = hold_out(tree, rows, truth, weight)
    mean = held.staying.sum() / held.n[0]
    assert steps[measure].iloc[0] == pytest.approx(1 - mean if measure == "accuracy" else mean)


def test_a_leaf_stays_a_leaf():
    leaf = CARTClassifier(max_depth=0).fit(X.assign(n=1.0)[["n"]], y).tree_
    pruned = reduced_error(leaf, pd.DataFrame({"n": [2.0]}), ["a"])
    assert (pruned, len(pruned.steps)) == (leaf, 0)


def test_what_cannot_be():
    with pytest.raises(ValueError, match="ties is 'maybe'; wanted one of 'keep', 'cut'"):
        book(ties="maybe")
    with pytest.raises(ValueError, match=r"X has shape \(0, 6\); wanted at least one row of 6 features"):
        reduced_error(FULL, X.head(0), y.head(0))
    with pytest.raises(ValueError, match="y has 2 entries, but X has 1 row:"):
        reduced_error(FULL, X.head(1), y.head(2))


def test_labels_of_training_decide_not_those_of_the_held_out_rows():
    frame = pd.DataFrame({"p": [0.0, 0, 1, 1, 1]})
    tree = CARTClassifier().fit(frame, list("nnooo")).tree_
    pruned = reduced_error(tree, pd.DataFrame({"p": [0.0, 0, 1]}), list("ooo"))
    assert pruned.n_leaves == 1
    assert pruned.root.prediction == "o"
    assert entropy(pruned.root.counts) > 0
