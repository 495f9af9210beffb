"""Pessimistic pruning: bounds, leaves and raised branches by hand, on trees of every kind."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom

from dtlib import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier, ObliqueTreeClassifier, Tree
from dtlib.datasets import load_golf, load_loan, load_watermelon
from dtlib.growing.training_rows import training_parts
from dtlib.messages import use_language
from dtlib.prune import Pessimistic, added_errors, best_subtree, pessimistic
from dtlib.prune.error_bounds import quantile
from dtlib.tree.reasons import ESTIMATED, MOVED

golf, loan, melons = load_golf(), load_loan(), load_watermelon("3.0")


def test_the_bounds_that_quinlan_prints():
    """Chapter 4 of his book; the last one is what the program's approximation gives."""
    for n, rate in ((6, 0.206), (9, 0.143), (1, 0.750)):
        assert added_errors(0, n) / n == pytest.approx(rate, abs=5e-4)
        assert added_errors(0, n, bound="release8") == pytest.approx(added_errors(0, n))
    assert (1 + added_errors(1, 16, bound="release8")) / 16 == pytest.approx(0.157, abs=5e-4)
    assert (1 + added_errors(1, 16)) / 16 == pytest.approx(0.160, abs=5e-4)


@pytest.mark.parametrize(("e", "n"), [(0, 1), (1, 16), (3, 10), (9, 10)])
def test_at_the_binomial_bound_so_few_errors_are_as_likely_as_the_confidence(e, n):
    for confidence in (0.01, 0.25, 0.5):
        rate = (e + added_errors(e, n, confidence)) / n
        assert binom.cdf(e, n, rate) == pytest.approx(confidence)


def test_the_normal_bound_by_hand():
    """The rate p for which e + 0.5 lies z standard deviations below n p."""
    e, n, z = 5, 20, quantile(0.25, "normal")
    p = (e + added_errors(e, n, bound="normal")) / n
    assert n * p - (e + 0.5) == pytest.approx(z * np.sqrt(n * p * (1 - p)))


def test_between_no_error_and_one_it_goes_straight():
    for bound in ("normal", "release8"):
        none, half, one = added_errors([0, 0.5, 1], 10, bound=bound)
        assert half == pytest.approx((none + one) / 2)


@pytest.mark.parametrize("bound", ["normal", "release8"])
@pytest.mark.parametrize("share", [1e-4, 0.01, 0.05, 0.5])
def test_however_small_a_part_of_an_error_is_it_counts(bound, share):
    """On the straight line between no error and one."""
    none, some, one = added_errors([0.0, share, 1.0], 10.0, bound=bound)
    assert some == pytest.approx(none + share * (one - none), rel=1e-9)
    assert some != none


def test_nothing_is_added_where_all_is_wrong_or_nothing_is():
    for bound in ("binomial", "normal", "release8"):
        assert added_errors([5, 0, 0.0], [5, 0, 0], bound=bound).tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("confidence", "bound"),
    [(0, "normal"), (0.51, "normal"), (-1, "binomial"), (0.6, "binomial"), (1.1, "release8"), (0, "release8"),
     ("a", "normal"), (np.nan, "normal"), (True, "normal"), (0.25, "exact")],
)  # fmt: skip
def test_bad_confidence_and_bound(confidence, bound):
    with pytest.raises(ValueError, match=r"confidence is|bound is"):
        added_errors(1, 2, confidence, bound)
    with pytest.raises(ValueError, match=r"confidence is|bound is"):
        C45Classifier(prune=Pessimistic(confidence, bound=bound)).fit(golf.X, golf.y)


def test_other_bad_input():
    tree = C45Classifier(keep_data=False).fit(golf.X, golf.y).tree_
    with pytest.raises(ValueError, match="no training data"):
        pessimistic(tree)
    assert pessimistic(tree, raising=False).n_leaves <= tree.n_leaves
    with pytest.raises(ValueError, match="raising is"):
        pessimistic(tree, raising="yes")
    with pytest.raises(ValueError, match="slack is"):
        pessimistic(tree, slack=-1)
    with pytest.raises(ValueError, match="prune is"):
        C45Classifier(prune="always").fit(golf.X, golf.y)
    numbers = CARTRegressor().fit(golf.X[["humidity"]], golf.X["temperature"]).tree_
    with pytest.raises(ValueError, match="is a regression tree"):
        pessimistic(numbers)
    costly = CARTClassifier(loss=[[0, 2], [1, 0]]).fit(golf.X, golf.y).tree_
    with pytest.raises(ValueError, match="has a loss"):
        pessimistic(costly)


SIZES = [("x", 5, 1), ("y", 1, 0), ("z", 3, 0)]  # value, rows that are no, rows that are yes


def three_branches():
    value = np.repeat([v for v, _, _ in SIZES], [a + b for _, a, b in SIZES])
    label = np.concatenate([["no"] * a + ["yes"] * b for _, a, b in SIZES])
    return ID3Classifier().fit(pd.DataFrame({"a": value.astype(object)}), label).tree_


def test_a_subtree_is_replaced_by_hand():
    """As a leaf, one error and what is added for 10 rows; below, one and what is added for 6, 1 and 3."""
    tree = three_branches()
    small = pessimistic(tree)
    step = small.steps.iloc[0]
    below = sum(b + float(added_errors(b, a + b)) for _, a, b in SIZES)
    assert step["subtree"] == pytest.approx(below)
    assert step["leaf"] == pytest.approx(1 + float(added_errors(1, 10)))
    assert (step["n"], step["errors"], step["cut"]) == (10, 1, True)
    assert step["done"] == "replaced by a leaf"
    assert (small.node_count, small[0].reason, small.pruned_from) == (1, ESTIMATED, tree)


def raised_example():
    """Ask p (8 rows to one side, 2 to the other), then q below the larger side."""
    X = pd.DataFrame({"p": [0.0] * 20 + [1.0] * 2, "q": [0.0] * 10 + [1.0] * 10 + [0.0, 1.0]})
    y = ["no"] * 10 + ["yes"] * 10 + ["no", "yes"]
    return X, np.array(y)


def test_a_branch_is_raised_by_hand():
    """The two rows on the other side fit the branch: all is asked there, and the first question goes."""
    X, y = raised_example()
    tree = asks_p_first(X, y)
    small = pessimistic(tree)
    first = small.steps[small.steps["node"] == 0].iloc[0]
    below = 2 * float(added_errors(0, 10)) + 1 + float(added_errors(1, 2))
    assert first["subtree"] == pytest.approx(below)
    assert first["branch"] == pytest.approx(2 * float(added_errors(0, 11)))
    assert first["leaf"] == pytest.approx(11 + float(added_errors(11, 22)))
    assert (first["done"], first["largest"]) == ("replaced by its largest branch", 1)
    assert small.steps["node"].tolist() == [1, 0, 1]
    assert small.steps["n"].tolist() == [20, 22, 22]
    assert str(small).splitlines() == [
        "root (no 11, yes 11)", "├── q ≤ 0.5 (no 11, yes 0) → no", "└── q > 0.5 (no 0, yes 11) → yes"
    ]  # fmt: skip
    assert (small.impurity[0], small.gain[0]) == (1, 1)
    assert small.reason == ("", MOVED, MOVED)
    assert pessimistic(tree, raising=False).n_leaves == 3


def asks_p_first(X, y, part=0.0):
    """Return the tree that asks p, then q on its first side; this part of a row comes to the other side."""
    whole = C45Classifier().fit(X, y).tree_
    counts = np.array([[11.0, 11], [10 - part, 10], [1 + part, 1], [10 - part, 0], [0, 10]])
    return replace(
        whole, feature=np.array([0, 1, -1, -1, -1]), threshold=np.array([0.5, 0.5, *[np.nan] * 3]),
        n_values=np.zeros(5, int), summary=counts, n=counts.sum(1), impurity=np.array([1.0, 1, 1, 0, 0]),
        gain=np.array([0.0, 1, 0, 0, 0]), stop=np.array([0, 0, 4, 1, 1]),
    )  # fmt: skip


def test_rows_in_parts_are_raised_whole():
    """Of a row that misses p, 19/21 go to the branch; raised, all of it is there."""
    X, y = raised_example()
    X.loc[0, "p"] = np.nan
    tree = asks_p_first(X, y, 2 / 21)
    small = pessimistic(tree)
    assert small.counts.tolist() == [[11, 11], [11, 0], [0, 11]]
    assert small.steps["n"].tolist() == pytest.approx([20 - 2 / 21, 22, 22])
    assert small.steps["branch"][1] == pytest.approx(2 * float(added_errors(0, 11)))


@pytest.mark.parametrize(
    "model",
    [
        ID3Classifier(), C45Classifier(), C45Classifier(missing="majority"),
        C45Classifier(group_values="merge"),
        CARTClassifier(), CARTClassifier(nominal="one_vs_rest"), CARTClassifier(missing="fractional"),
        CARTClassifier(missing="majority"), CARTClassifier(missing="surrogate"),
        CARTClassifier(missing="stay"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("raising", [True, False])
def test_trees_of_all_estimators(model, raising):
    """What the tree says of its nodes is what the training rows are when they are sent down again."""
    rng = np.random.default_rng(3)
    n = 160
    X = pd.DataFrame({c: rng.choice(list("uvwx"), n).astype(object) for c in "ab"})
    if not isinstance(model, ID3Classifier):
        X["p"] = rng.normal(size=n)
        if getattr(model, "missing", "error") != "error":
            X = X.mask(rng.random(X.shape) < 0.15)
    y = np.where((X["a"].isin(["u", "v"])) ^ (rng.random(n) < 0.3), "no", "yes")
    tree = model.fit(X, y).tree_
    small = pessimistic(tree, raising=raising)
    assert small.n_leaves < tree.n_leaves
    assert small.pruned_from is tree
    again = sent_again(small)
    np.testing.assert_allclose(again.sum(1), small.n, atol=1e-9)
    np.testing.assert_allclose(again, small.counts, atol=1e-9)
    assert len(small.trace()) == small.node_count
    assert len(small.rules()) == small.n_leaves


def sent_again(tree):
    """Return the class weights of all nodes, by the weights of the rows that `training_parts` finds there."""
    label, table = tree.training.targets[0].codes, np.zeros(tree.counts.shape)
    for node in range(tree.node_count):
        rows, weight = training_parts(tree, node)
        table[node] = np.bincount(label[rows], weight, table.shape[1])
    return table


def test_several_outputs():
    X, y = raised_example()
    both = np.stack([y, y], axis=1)
    one, two = CARTClassifier().fit(X, y).tree_, CARTClassifier().fit(X, both).tree_
    np.testing.assert_allclose(pessimistic(two).steps["subtree"], pessimistic(one).steps["subtree"])


def test_the_estimator_prunes_what_it_has_grown():
    for parameters in ({}, {"raising": False}, {"confidence": 0.05, "bound": "normal"}):
        model = C45Classifier(min_samples_leaf=2, prune=Pessimistic(**parameters))
        grown = C45Classifier(min_samples_leaf=2).fit(melons.X, melons.y).tree_
        assert model.fit(melons.X, melons.y).tree_ == pessimistic(grown, **parameters)
        assert model.tree_.pruned_from == grown
        assert model.tree_.training is not None
    model = C45Classifier.j48(keep_data=False).fit(melons.X, melons.y)
    assert model.tree_.training is None
    assert model.tree_.pruned_from.training is None


def test_the_originals_prune_and_need_not():
    for make in (C45Classifier.release8, C45Classifier.j48):
        assert isinstance(make().prune, Pessimistic)
        assert make().prune.bound == make(prune="pessimistic").prune.bound != "binomial"
        assert make(prune=None).fit(golf.X, golf.y).tree_.pruned_from is None
    assert C45Classifier().prune is None


def test_a_smaller_confidence_prunes_no_less_here():
    tree = C45Classifier().fit(melons.X, melons.y).tree_
    sizes = [pessimistic(tree, c).n_leaves for c in (0.5, 0.25, 0.05, 0.0001)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] < sizes[0]


def test_a_leaf_stays_a_leaf():
    tree = C45Classifier(max_depth=0).fit(loan.X, loan.y).tree_
    assert pessimistic(tree) == tree
    assert len(pessimistic(tree).steps) == 0


def test_of_equal_branches_the_last_is_the_largest_whatever_they_weigh():
    for weight in (1, 1e-3, 1e6, 1e12, 1e150):
        tree = C45Classifier().fit(melons.X, melons.y, np.full(17, weight)).tree_
        for node, largest in pessimistic(tree).steps.query("done == 'kept'")[["node", "largest"]].to_numpy():
            sizes = [child.n for child in tree[int(node)].children]
            last = max(i for i, n in enumerate(sizes) if n == pytest.approx(max(sizes)))
            assert largest == tree.first_child[node] + last


def test_what_is_said_in_chinese():
    use_language("zh")
    try:
        tree = C45Classifier().fit(melons.X, melons.y).tree_
        assert set(pessimistic(tree).steps["done"]) <= {"保留", "换成叶", "换成最大的分支"}
    finally:
        use_language("en")


@pytest.mark.long
@pytest.mark.parametrize("missing", ["fractional", "majority"])
def test_what_is_explained_of_raised_branches_is_what_they_ask(missing):
    asked, others = set(), set()
    for seed in range(15):
        model = C45Classifier(group_values=(None, "merge", "one_vs_rest")[seed % 3], missing=missing)
        rng = np.random.default_rng(seed)
        X = pd.DataFrame({"a": rng.choice(list("uvwx"), 60).astype(object)})
        X = X.assign(p=rng.integers(0, 9, 60) + 0.0, q=rng.normal(size=60).round(1))
        X = X.mask(rng.random(X.shape) < 0.1)
        small = pessimistic(model.fit(X, rng.choice(list("ny"), 60)).tree_, slack=0.5)
        for node in small:
            table = small.explain(node.id)
            line = table[table["chosen"]]
            assert len(line) == (not node.is_leaf)
            if not node.is_leaf:
                asked.add(line["reason"].item())
                assert line["split"].item() == str(node.split)
                assert line["gain"].item() == pytest.approx(small.gain[node.id], abs=1e-9)
                own = small.explain(node.id, node.feature)
                assert own["chosen"].sum() == 1
                best = line["gain"].item()
                for other in own[~own["chosen"]].to_dict("records"):
                    others.add(other["reason"])
                    assert not other["reason"].startswith("smaller gain") or other["gain"] < best
                    assert not other["reason"].startswith("larger gain") or other["gain"] > best
                assert own.loc[own["chosen"], "children"].item() == line["children"].item()
    assert "asked before a branch was raised" in asked
    assert missing == "majority" or "larger gain since a branch was raised" in others


@pytest.mark.parametrize("confidence", [0.25, 0.01, 1e-9])
def test_weighted_sums_may_be_cut_but_not_raised(confidence):
    """Without raising, it is the subtree that costs least if a leaf costs its estimated errors."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.random((80, 2)), columns=["x", "y"])
    y = np.where((X["x"] + X["y"] < 1) ^ (rng.random(80) < 0.2), "below", "above")
    tree = ObliqueTreeClassifier(random_state=0, restarts=3).fit(X, y).tree_
    assert tree.is_linear.any()
    with pytest.raises(ValueError, match="oblique splits"):
        pessimistic(tree, confidence)
    small = pessimistic(tree, confidence, raising=False)
    assert small.n_leaves < tree.n_leaves
    alone = estimated(tree, confidence)
    cost = alone.copy()
    for node in np.flatnonzero(tree.feature >= 0)[::-1]:
        first = tree.first_child[node]
        below = cost[first] + cost[first + 1]
        cost[node] = alone[node] if alone[node] < below + 0.1 else below
    assert estimated(small, confidence)[small.feature < 0].sum() == pytest.approx(cost[0])
    assert small.pruned_from is tree
    asked = {tuple(node.path): node.split for node in tree}
    assert all(node.is_leaf or node.split == asked[tuple(node.path)] for node in small)
    np.testing.assert_allclose(sent_again(small), small.counts)
    assert Tree.from_json(small.to_json()) == small
    few = pessimistic(best_subtree(tree, 1e9), raising=True)  # nothing is asked any more
    assert few.node_count == 1


def estimated(tree, confidence):
    wrong = tree.n - tree.counts.max(1)
    return wrong + added_errors(wrong, tree.n, confidence)


def test_a_weight_of_the_tolerance_counts_no_errors():
    """A millionth of a row is none; of a little more, errors are estimated."""
    data = CARTClassifier().fit([[0.0], [1.0]], ["no", "yes"]).tree_.to_dict()
    for n, some in ((1e-6, False), (1.1e-6, True)):
        changed = {"n": [n, n / 2, n / 2], "summary": [[n / 2, n / 2], [n / 2, 0.0], [0.0, n / 2]]}
        steps = pessimistic(Tree.from_dict(data | changed), raising=False).steps
        assert bool(steps["leaf"].iloc[0] > 0) is some
