"""Optimal trees: what they find, what they prove, and what they refuse."""

import json
import pickle
import sqlite3
import time
import tracemalloc
from contextlib import closing
from fractions import Fraction
from itertools import count

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.model_selection import GridSearchCV
from sklearn.utils.estimator_checks import parametrize_with_checks

from dtlib import CARTClassifier, ID3Classifier, OptimalTreeClassifier, Prior, Tree, draw
from dtlib.datasets import load_watermelon
from dtlib.optimal import best_tree
from dtlib.optimal.by_proof import Certificate
from dtlib.prune import pruning_path, risk, tree_loss
from dtlib.search import questions
from dtlib.search.listed import divisions_of, few_cuts
from dtlib.tree.splits import Subset
from dtlib.tree.tree import ARRAYS
from tests.drawn import seeds

XOR = pd.DataFrame({"a": [0.0, 0, 1, 1], "b": [0.0, 1, 0, 1]})
ODD = [0, 1, 1, 0]
#: The same behind a column of which greed does not know that it says nothing.
HIDDEN = pd.concat([XOR, XOR], ignore_index=True)
HIDDEN.insert(0, "c", [0.0] * 4 + [1.0] * 4)
#: Errors of the best trees on all thresholds. Of depth two they were also found by trying all trees.
FEWEST = [("iris", 1, 50), ("iris", 2, 6), ("iris", 3, 1), ("wine", 1, 54), ("wine", 2, 6)]
TABLES = {"iris": load_iris(return_X_y=True), "wine": load_wine(return_X_y=True)}


@parametrize_with_checks(
    [
        OptimalTreeClassifier(),
        OptimalTreeClassifier(max_depth=3, max_thresholds=3),
        OptimalTreeClassifier(ccp_alpha=0.02, min_samples_leaf=2),
        OptimalTreeClassifier(class_weight="balanced"),
        OptimalTreeClassifier(time_limit=0),
    ]
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def errors(model, X, y):
    """Return how many rows a fitted model gets wrong."""
    return int((model.predict(X) != y).sum())


def noisy(n, d):
    """Return numbers, and whether two of them together are large, wrong in one row of ten."""
    rng = np.random.default_rng(1000)
    X = rng.random((n, d))
    return X, (X[:, 0] + X[:, 1] > 1).astype(int) ^ (rng.random(n) < 0.1)


def same_tree(one, other):
    """Require two trees with the same arrays."""
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)


# What is found


@pytest.mark.parametrize(("name", "depth", "fewest"), FEWEST)
def test_the_fewest_errors_on_all_thresholds(name, depth, fewest):
    X, y = TABLES[name]
    model = OptimalTreeClassifier(max_depth=depth).fit(X, y)
    assert errors(model, X, y) == fewest == round(model.objective_ * len(y))
    assert model.is_optimal_
    assert fewest <= errors(CARTClassifier(max_depth=depth).fit(X, y), X, y)


def test_greed_has_its_price():
    X, y = TABLES["wine"]
    assert errors(CARTClassifier(max_depth=2).fit(X, y), X, y) == 14


def test_two_levels_of_all_thresholds_against_all_trees():
    X, y = TABLES["wine"]
    X = X[:, :5]
    cuts = np.array([X[:, f] <= v for f in range(5) for v in np.unique(X[:, f])[:-1]])
    one_hot = np.eye(3)[y]

    def stump(rows):
        left, whole = cuts[:, rows] @ one_hot[rows], one_hot[rows].sum(0)
        return whole.sum() - max(whole.max(), (left.max(1) + (whole - left).max(1)).max())

    fewest = min(stump(np.flatnonzero(cut)) + stump(np.flatnonzero(~cut)) for cut in cuts)
    assert errors(OptimalTreeClassifier().fit(X, y), X, y) == fewest


@pytest.mark.parametrize("depth", [0, 1, 2, 3, 30])
def test_more_levels_cost_no_more(depth):
    melons = load_watermelon()
    models = [OptimalTreeClassifier(max_depth=d) for d in (depth, min(depth + 1, 30))]
    cost = [model.fit(melons.X, melons.y).objective_ for model in models]
    assert cost[1] <= cost[0]


def test_of_equal_columns_the_first_is_asked():
    X = pd.DataFrame({"b": [0, 0, 1, 1], "a": [0, 0, 1, 1]})
    assert OptimalTreeClassifier().fit(X, [0, 0, 1, 1]).tree_.root.feature == "b"
    assert OptimalTreeClassifier().fit(X[["a", "b"]], [0, 0, 1, 1]).tree_.root.feature == "a"


@pytest.mark.parametrize("seed", [0, 10, 11])
def test_of_equal_columns_the_first_is_asked_with_many_levels_too(seed):
    """Here another column would make the better tree of two levels."""
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 2, (20, 4)), rng.integers(0, 2, 20)
    tree, cost = OptimalTreeClassifier(max_depth=3).fit(X, y).tree_, []
    for x in X.T:
        sides = [OptimalTreeClassifier().fit(X[x == v], y[x == v]) for v in (0, 1)]
        wrong = sum(errors(side, X[x == v], y[x == v]) for v, side in enumerate(sides))
        cost.append((wrong, sum(side.get_n_leaves() for side in sides)))
    assert tree.feature[0] == cost.index(min(cost))


def test_of_equal_trees_that_with_the_fewest_leaves():
    """x needs three questions to tell all, z one."""
    X = pd.DataFrame({"x": np.arange(8) // 2, "z": [0, 0, 1, 1, 0, 0, 1, 1]})
    tree = OptimalTreeClassifier(max_depth=3).fit(X, [0, 0, 1, 1, 0, 0, 1, 1]).tree_
    assert (tree.n_leaves, tree.root.feature) == (2, "z")


def test_the_order_of_the_rows_does_not_matter_and_weights_are_repetitions():
    rng = np.random.default_rng(0)
    X, y, w = rng.integers(0, 4, (30, 3)), rng.integers(0, 3, 30), rng.integers(0, 4, 30)
    model = OptimalTreeClassifier(max_depth=3, max_thresholds=2, min_samples_leaf=3)
    weighted, rows = clone(model).fit(X, y, w), rng.permutation(np.repeat(np.arange(30), w))
    repeated = clone(model).fit(X[rows], y[rows])
    same_tree(weighted.tree_, repeated.tree_)
    assert weighted.objective_ == repeated.objective_


def test_a_row_that_does_not_count_is_not_there():
    model = OptimalTreeClassifier().fit(XOR, ODD, [1, 1, 0, 0])
    assert (model.tree_.n_leaves, model.tree_.root.feature, model.objective_) == (2, "b", 0.0)


# Names and thresholds


@pytest.mark.parametrize(
    ("nominal", "first", "second"),
    [("subset", ("color in {b, r}", "n"), ("color = g", "y")),
     ("one_vs_rest", ("color = g", "y"), ("color in {b, r}", "n"))],
)  # fmt: skip
def test_a_name_is_asked_against_the_rest_with_the_branches_in_the_order_of_cart(nominal, first, second):
    X, y = pd.DataFrame({"color": list("rgbrgb")}), list("nynnyn")
    for model in (OptimalTreeClassifier, CARTClassifier):
        root = model(max_depth=1, nominal=nominal).fit(X, y).tree_.root
        assert root.split.conditions == (first[0], second[0])
        assert [node.prediction for node in root.children] == [first[1], second[1]]


FOUR = pd.DataFrame({"c": list("abcd")})


def test_a_group_of_names_is_asked_as_cart_may_ask_for_it():
    greedy = CARTClassifier(max_depth=1).fit(FOUR, [0, 0, 1, 1])
    best = OptimalTreeClassifier(max_depth=1).fit(FOUR, [0, 0, 1, 1])
    assert (best.objective_, best.is_optimal_, best.nominal_) == (0, True, {"c": "subset"})
    assert best.tree_.root.split == greedy.tree_.root.split == Subset("c", (("a", "b"), ("c", "d")))
    alone = OptimalTreeClassifier(max_depth=1, nominal="one_vs_rest").fit(FOUR, [0, 0, 1, 1])
    assert (alone.objective_, alone.is_optimal_, alone.nominal_) == (0.25, True, {"c": "one_vs_rest"})


@pytest.mark.parametrize("k", range(3, 12))
def test_all_divisions_of_up_to_ten_names_are_searched_and_of_more_it_is_said_that_they_are_not(k):
    """The names that belong together are every other one, so one against the rest leaves errors."""
    X, y = pd.DataFrame({"x": np.arange(2 * k) // k, "c": [chr(97 + i % k) for i in range(2 * k)]}), []
    y = [i % k % 2 for i in range(2 * k)]
    best = OptimalTreeClassifier(max_depth=1).fit(X, y)
    assert (best.nominal_ == {"c": "subset"}) == (k <= 10) == (best.objective_ == 0)
    assert best.is_optimal_
    if k > 10:
        assert best.nominal_ == {"c": "one_vs_rest"}
        assert CARTClassifier(max_depth=1).fit(X, y).score(X, y) == 1


def test_what_is_no_unordered_name_is_not_in_nominal_():
    X = FOUR.assign(
        n=[1, 2, 3, 4], o=pd.Categorical(list("SMSM"), list("SM"), ordered=True), two=list("xyxy")
    )
    assert OptimalTreeClassifier().fit(X, [0, 1, 1, 0]).nominal_ == {"c": "subset", "two": "subset"}
    by_rest = OptimalTreeClassifier(nominal="one_vs_rest").fit(X, [0, 1, 1, 0])
    assert by_rest.nominal_ == {"c": "one_vs_rest", "two": "subset"}  # there is no other way


def test_names_that_no_row_counts_for_are_no_names():
    X = pd.DataFrame({"c": list("abcdefghijkl")})
    y = [0, 1] * 6
    few = OptimalTreeClassifier(max_depth=1).fit(X, y, [1] * 10 + [0] * 2)
    assert (few.nominal_, few.objective_) == ({"c": "subset"}, 0)


def test_of_equal_groups_the_smallest_is_asked_and_of_these_the_first():
    """Either of a and d parts one class from the other two, and so would both together."""
    X = pd.DataFrame({"c": list("abcd")})
    tree = OptimalTreeClassifier(max_depth=1).fit(X, [0, 1, 1, 2]).tree_
    assert tree.root.split.groups == (("a",), ("b", "c", "d"))


def test_a_tree_of_groups_is_a_tree_like_every_other():
    X = pd.DataFrame({"c": list("abcdabcd"), "x": [0, 0, 0, 0, 1, 1, 1, 1]})
    y = ["u", "u", "v", "v", "v", "v", "u", "u"]
    model = OptimalTreeClassifier().fit(X, y)
    tree = model.tree_
    assert model.objective_ == 0
    assert Tree.from_dict(json.loads(tree.to_json())) == tree
    assert "<svg" in draw.tree(tree).svg
    with closing(sqlite3.connect(":memory:")) as connection:
        X.to_sql("t", connection)
        said = pd.read_sql(f"SELECT {tree.to_sql()} AS said FROM t", connection)["said"]
    assert said.tolist() == y
    grouped = next(node for node in tree if not node.is_leaf and node.feature == "c")
    assert tree.explain(grouped.id, "c")["chosen"].sum() == 1
    new = pd.DataFrame({"c": ["e"], "x": [0]})
    stays = tree[int(model.apply(new)[0])]
    assert (stays.is_leaf, stays.feature) == (False, "c")


def test_explaining_lists_one_name_against_the_rest_where_groups_were_not_searched():
    X, y = pd.DataFrame({"c": list("abcdefghijkl") * 2, "d": list("pqrs") * 6}), [0, 1, 1, 0] * 6
    y[0] = 1
    tree = OptimalTreeClassifier().fit(X, y).tree_
    assert len(tree.explain(0, "c")) == 12
    assert len(tree.explain(0, "d")) == 7
    best = tree.explain(0).set_index("feature")["split"]
    assert best["c"].count(",") == 0


@pytest.mark.parametrize("k", [3, 6, 10])
def test_every_division_into_two_groups_is_a_question_once(k):
    size, members, last, others = divisions_of(k)
    whole = (1 << k) - 1
    assert len({frozenset((m, whole - m)) for m in members.tolist()}) == 2 ** (k - 1) - 1 == len(members)
    assert size.tolist() == [m.bit_count() for m in members.tolist()] == sorted(size)
    some = size > 1
    assert (members[last] + members[others] == members)[some].all()


def test_two_names_have_a_branch_each_and_an_order_counts():
    sizes = pd.Categorical(list("SMLXSMLX"), list("SMLX"), ordered=True)
    X = pd.DataFrame({"size": sizes, "old": list("nynynyny")})
    assert str(OptimalTreeClassifier(max_depth=1).fit(X, list("aabbaabb")).tree_.root.split) == "size ≤ M?"
    assert OptimalTreeClassifier().fit(X, X["old"]).tree_.root.split.branches == ("n", "y")


def test_thresholds_lie_halfway_between_the_rows_of_their_node():
    X = pd.DataFrame({"x": [0.0, 1, 2, 10], "z": [0, 0, 1, 1]})
    tree = OptimalTreeClassifier().fit(X, ["a", "b", "b", "a"]).tree_
    said = [node.split.threshold for node in tree if not node.is_leaf]
    assert said == [0.5, 6.0]


@pytest.mark.parametrize("most", [1, 2, 3, 50])
def test_few_thresholds(most):
    X, y = TABLES["iris"]
    model = OptimalTreeClassifier(max_thresholds=most).fit(X, y)
    cuts = []
    for x in X.T:
        values, count = np.unique(x, return_counts=True)
        cuts += [x <= values[k] for k in few_cuts(count, most)]
    binary = OptimalTreeClassifier().fit(np.array(cuts).T.astype(float), y)
    assert model.objective_ == binary.objective_
    assert all(len(few_cuts(np.unique(x, return_counts=True)[1], most)) <= most for x in X.T)
    assert model.objective_ >= OptimalTreeClassifier().fit(X, y).objective_


def test_few_cuts_part_the_weight_into_almost_equal_shares():
    assert few_cuts(np.ones(10), 1).tolist() == [4]
    assert few_cuts(np.ones(10), 4).tolist() == [1, 3, 5, 7]
    assert few_cuts(np.array([1, 1, 7, 1]), 2).tolist() == [1, 2]
    assert few_cuts(np.array([9]), 2).tolist() == few_cuts(np.array([9]), None).tolist() == []


@pytest.mark.parametrize("seed", seeds(20))
def test_few_cuts_are_those_that_come_nearest_to_equal_shares_and_of_equal_ones_the_first(seed):
    rng = np.random.default_rng(seed)
    weight, most = rng.integers(1, 9, rng.integers(2, 30)) / 4, int(rng.integers(1, 12))
    below, shares = np.cumsum(weight), np.arange(1, most + 1)
    away = np.abs(below[:-1, None] * (most + 1) - below[-1] * shares)
    if most < len(weight) - 1:
        assert few_cuts(weight, most).tolist() == np.unique(away.argmin(0)).tolist()
    assert few_cuts(np.array([2.0, 1e-30, 1e-30, 2.0]), 1).tolist() == [0]


# What it costs


def test_the_objective_is_the_loss_of_the_tree():
    X, y = TABLES["wine"]
    for alpha in (0, 0.01, 0.1):
        model = OptimalTreeClassifier(ccp_alpha=alpha).fit(X, y)
        assert model.objective_ * len(y) == pytest.approx(tree_loss(model.tree_, alpha * len(y), "cost"))


def test_a_question_must_save_more_than_its_price():
    """One more leaf saves one row of four."""
    X = pd.DataFrame({"x": [0, 1, 1, 1]})
    y = [0, 1, 1, 1]
    assert OptimalTreeClassifier(ccp_alpha=0.24).fit(X, y).get_n_leaves() == 2
    leaf = OptimalTreeClassifier(ccp_alpha=0.25).fit(X, y)
    assert (leaf.tree_.reason, leaf.objective_) == (("saves less than alpha per leaf",), 0.5)
    assert OptimalTreeClassifier(ccp_alpha=1e9).fit(X, y).objective_ == 1e9 + 0.25


def test_a_loss_decides_what_is_predicted_and_what_is_asked():
    X = pd.DataFrame({"x": [0, 0, 0, 1, 1, 1], "z": [0, 1, 1, 1, 1, 1]})
    y = np.array([0, 0, 1, 0, 1, 1])
    plain = OptimalTreeClassifier(max_depth=1).fit(X, y)
    assert plain.tree_.root.feature == "x"
    costly = OptimalTreeClassifier(max_depth=1, loss=[[0, 1], [5, 0]]).fit(X, y)
    assert costly.tree_.root.feature == "z"
    assert costly.objective_ == 2 / 6
    assert costly.predict(X).tolist() == [0, 1, 1, 1, 1, 1]
    assert risk(costly.tree_)[1:].sum() / risk(costly.tree_)[0] == pytest.approx(2 / 3)


@pytest.mark.parametrize("options", [{"class_weight": {0: 3}}, {"class_weight": "balanced"},
                                     {"class_weight": Prior([0.5, 0.25, 0.25])}])  # fmt: skip
def test_weights_of_classes_are_weights_of_rows(options):
    X, y = TABLES["iris"]
    X, y = X[20:130], y[20:130]
    model = OptimalTreeClassifier(max_thresholds=5, **options).fit(X, y)
    count = np.bincount(y)
    of_class = {"balanced": len(y) / 3 / count}.get(str(options["class_weight"]), np.array([3.0, 1, 1]))
    if isinstance(options["class_weight"], Prior):
        of_class = np.array([0.5, 0.25, 0.25]) / count * len(y)
    wrong = np.average(model.predict(X) != y, weights=of_class[y])
    assert model.objective_ == pytest.approx(wrong)
    same = OptimalTreeClassifier(max_thresholds=5).fit(X, y, of_class[y])
    assert same.objective_ == pytest.approx(model.objective_)


def test_leaves_weigh_enough():
    X, y = TABLES["wine"]
    for options in ({"min_samples_leaf": 30}, {"min_samples_leaf": 0.2}, {"min_weight_fraction_leaf": 0.2}):
        tree = OptimalTreeClassifier(max_thresholds=20, **options).fit(X, y).tree_
        assert tree.n_leaves > 1
        assert tree.n[tree.feature < 0].min() >= options.get("min_samples_leaf", 0.2) * (
            178 if 0.2 in options.values() else 1
        )


@pytest.mark.long
@pytest.mark.parametrize("whole", [np.int64, np.int8, np.uint16])
@pytest.mark.parametrize("number", [np.float16, np.float32, np.float64, Fraction])
def test_numbers_of_any_type_are_the_numbers_they_are(whole, number):
    X, y = TABLES["wine"]
    X, y = np.tile(X, (4, 1)), np.tile(y, 4)  # of a weight beside which a float16 is coarse
    given = {"max_depth": 2, "max_thresholds": 127 if whole is np.int8 else 128, "ccp_alpha": 1 / 32}
    given |= {"min_samples_leaf": 1 / 64, "min_weight_fraction_leaf": 1 / 64, "time_limit": 1e4}
    wanted = OptimalTreeClassifier(**given).fit(X, y, 1000)
    kinds = {name: (whole if isinstance(value, int) else number)(value) for name, value in given.items()}
    model = OptimalTreeClassifier(**kinds).fit(X, y, 1000)
    same_tree(wanted.tree_, model.tree_)
    assert (model.objective_, model.gap_) == (wanted.objective_, 0)
    assert {type(x) for x in (model.objective_, model.lower_bound_, model.gap_)} == {float}
    assert model.is_optimal_


def test_a_grid_of_whole_numbers_is_searched():
    grid = GridSearchCV(OptimalTreeClassifier(), {"max_depth": np.arange(1, 3)}, cv=2)
    assert grid.fit(*TABLES["iris"]).best_params_ == {"max_depth": 2}


# What is proved


def test_a_search_without_time_says_so():
    X, y = TABLES["wine"]
    late = OptimalTreeClassifier(max_depth=3, time_limit=0).fit(X, y)
    assert not late.is_optimal_
    assert late.lower_bound_ == 0.0
    assert late.gap_ == late.objective_ == errors(late, X, y) / len(y) < 54 / 178
    assert OptimalTreeClassifier(time_limit=0).fit(HIDDEN, ODD * 2).tree_.reason == ("time_limit reached",)
    assert OptimalTreeClassifier(time_limit=1e6, max_depth=1).fit(X, y).is_optimal_


@pytest.mark.parametrize("rows", [1000, 2000])
def test_with_more_time_a_tree_has_no_more_errors_and_without_any_no_more_than_that_of_cart(
    rows, monkeypatch
):
    X, y = noisy(rows, 3)
    found = [errors(CARTClassifier(max_depth=2).fit(X, y), X, y)]
    for looks in 0, 1, 3, 10, 25:  # the clock goes on by one whenever it is read
        monkeypatch.setattr(best_tree.time, "monotonic", count().__next__)
        found.append(errors(OptimalTreeClassifier(time_limit=looks).fit(X, y), X, y))
    monkeypatch.undo()
    assert found == sorted(found, reverse=True)
    assert found[1] < found[0]
    assert errors(OptimalTreeClassifier(time_limit=0.01).fit(X, y), X, y) <= found[1]


@pytest.mark.parametrize("limit", [0, 0.2])
def test_a_search_ends_soon_after_its_time_whatever_is_to_be_prepared(limit):
    X, y = noisy(4000, 10)
    OptimalTreeClassifier(time_limit=0.1).fit(X[:50], y[:50])  # compiles what is to be compiled
    start = time.process_time()
    OptimalTreeClassifier(time_limit=limit).fit(X, y)
    assert time.process_time() - start < limit + 2  # 0.05 seconds more than the limit, and it was 18


def test_that_no_tree_has_fewer_errors_may_be_proved_and_that_none_is_smaller_not():
    """b and c tell all, and greed asks a first."""
    X, y = pd.DataFrame({"a": [0, 1, 1, 1], "b": [1, 1, 0, 1], "c": [1, 0, 1, 1]}), [1, 0, 0, 1]
    late, best = (OptimalTreeClassifier(max_depth=3, time_limit=limit).fit(X, y) for limit in (0, None))
    assert (late.get_n_leaves(), late.objective_, late.is_optimal_, late.is_smallest_) == (4, 0, True, False)
    assert (best.get_n_leaves(), best.objective_, best.is_optimal_, best.is_smallest_) == (3, 0, True, True)


def test_a_leaf_says_that_nothing_is_better_below_only_if_all_levels_were_searched(monkeypatch):
    """When the time is up, two of three levels were; c and d together would mend the leaf's error."""
    X = np.array([[0, 0, 1, 1, 1, 1], [0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 1, 0], [0, 1, 1, 0, 1, 1]]).T
    monkeypatch.setattr(best_tree.time, "monotonic", count().__next__)
    monkeypatch.setattr(best_tree, "SUMS_AT_ONCE", 1)
    late = OptimalTreeClassifier(max_depth=3, time_limit=2).fit(X, [0, 1, 1, 1, 0, 1])
    assert (late.is_optimal_, set(late.tree_.reason)) == (False, {"", "pure", "time_limit reached"})


def test_what_points_answer_needs_no_room_for_every_pair_of_point_and_question():
    """With 40,000 questions about 4,000 points, one byte for each answer would be 160 MB."""
    X, y = noisy(4000, 10)
    tracemalloc.start()
    OptimalTreeClassifier(time_limit=0, keep_data=False).fit(X, y)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 60e6


def test_a_lower_bound_counts_what_no_question_tells_apart():
    """Of two equal rows one is lost, whatever is asked."""
    X = pd.concat([HIDDEN, HIDDEN.head(1)], ignore_index=True)
    late = OptimalTreeClassifier(time_limit=0).fit(X, [*ODD, *ODD, 1])
    assert (late.lower_bound_, late.objective_, late.is_optimal_) == (1 / 9, 4 / 9, False)


UNEVEN = [0, 0, 1, 1, 2, 2]


@pytest.mark.parametrize(("options", "paid"), [
    ({"loss": [[0, 1e16, 1], [1, 0, 1], [1, 1, 0]]}, 2 / 3),
    ({"loss": [[0, 1e14, 1], [1, 0, 1], [1, 1, 0]]}, 2 / 3),
    ({"class_weight": {0: 1e16}}, 4 / (2e16 + 4)),
])  # fmt: skip
def test_costs_that_are_rounded_to_nothing_prove_nothing(options, paid):
    """Beside the largest cost, the others are less than whole numbers can tell: a free tree is not found."""
    model = OptimalTreeClassifier(**options).fit(np.array(UNEVEN)[:, None], UNEVEN)
    assert model.objective_ == model.gap_ == pytest.approx(paid, rel=1e-12)
    assert (model.lower_bound_, model.is_optimal_) == (0, False)


@pytest.mark.parametrize("large", [1e3, 1e9, 1e12])
def test_costs_that_whole_numbers_hold_prove_what_they_did(large):
    X, y = TABLES["iris"]
    loss = [[0, large, 1], [1, 0, 1], [1, 1, 0]]
    model = OptimalTreeClassifier(loss=loss).fit(np.array(UNEVEN)[:, None], UNEVEN)
    assert (model.objective_, model.is_optimal_) == (0, True)
    few = OptimalTreeClassifier(max_depth=1, loss=loss).fit(X, y)
    assert (few.objective_, few.is_optimal_) == (50 / 150, True)


def test_rounding_that_hides_little_is_not_counted_and_that_which_hides_more_is():
    proof = Certificate(1.0, 1.0, True, rounding=1e-7)
    assert proof.as_paid(1.0)[:2] == (1, 1)
    assert proof._replace(rounding=1e-5).as_paid(1.0)[:2] == (1, 1 - 1e-5)
    assert proof._replace(lower_bound=0.5).as_paid(1.0)[:2] == (1, 0.5 - 1e-7)
    assert Certificate(1e-9, 1e-9, True, rounding=1e-5).as_paid(1e-9)[:2] == (1e-9, 0)
    thirds = OptimalTreeClassifier(class_weight="balanced").fit(*TABLES["wine"])
    assert (thirds.gap_, thirds.is_optimal_) == (0, True)


def test_costs_whose_sum_is_infinite_are_refused():
    with pytest.raises(ValueError, match=r"loss is up to 1e\+308 and all weight is 6: .* infinite"):
        OptimalTreeClassifier(loss=[[0, 1e308, 1], [1, 0, 1], [1, 1, 0]]).fit(
            np.array(UNEVEN)[:, None], UNEVEN
        )


def test_what_is_no_better_is_a_leaf_and_says_why():
    X = pd.DataFrame({"x": [0, 0, 1, 1, 1]})
    tree = OptimalTreeClassifier().fit(X, [0, 0, 0, 1, 0]).tree_
    assert tree.reason == ("no fewer errors below",)
    deep = OptimalTreeClassifier(max_depth=1).fit(XOR.assign(c=[0, 0, 0, 1]), ODD).tree_
    assert set(deep.reason) == {"", "pure", "max_depth reached"}


@pytest.mark.parametrize("least", [0, 2])
def test_bounds_by_similar_questions_change_nothing_but_the_time(least, monkeypatch):
    X, y = TABLES["iris"]
    model = OptimalTreeClassifier(max_depth=3, max_thresholds=6, min_samples_leaf=least)
    first = clone(model).fit(X, y)
    monkeypatch.setattr(best_tree.Similar, "moved", lambda self, q: best_tree.NO_TREE)
    second = clone(model).fit(X, y)
    same_tree(first.tree_, second.tree_)


# What the tree can do


def test_the_tree_is_a_tree_like_every_other():
    melons = load_watermelon("3.0")
    model = OptimalTreeClassifier(max_depth=3).fit(melons.X, melons.y)
    tree = model.tree_
    assert errors(model, melons.X, melons.y) == 0
    assert Tree.from_dict(json.loads(tree.to_json())) == tree
    assert pickle.loads(pickle.dumps(model)).predict(melons.X).tolist() == list(melons.y)
    assert len(tree.rules()) == tree.n_leaves
    assert "<svg" in draw.tree(tree).svg
    assert pruning_path(tree).leaves[0] == tree.n_leaves
    rows = melons.X.astype({c: str for c in melons.X if melons.X[c].dtype == "category"})
    with closing(sqlite3.connect(":memory:")) as connection:
        rows.to_sql("melon", connection)
        said = pd.read_sql(f"SELECT {tree.to_sql()} AS said FROM melon", connection)["said"]
    assert said.tolist() == list(melons.y)


def test_what_a_split_gains_is_the_decrease_of_the_share_of_errors():
    X, y = TABLES["wine"]
    tree = OptimalTreeClassifier().fit(X, y, np.arange(178) % 4 / 8).tree_
    for node in tree:
        below = sum(child.n * child.impurity for child in node.children) / node.n
        gain = 0 if node.is_leaf else node.impurity - below
        assert tree.gain[node.id] == pytest.approx(gain, abs=1e-12)
    assert tree.importances.sum() == pytest.approx(1)


def test_explaining_says_what_is_in_the_best_tree():
    tree = OptimalTreeClassifier().fit(XOR, ODD).tree_
    table = tree.explain(0)
    assert table["reason"].tolist() == ["in the best tree", "not in the best tree"]
    assert table["gain"].tolist() == [0, 0]
    assert tree.explain(1)["chosen"].tolist() == [False, True]
    assert tree.explain(3)["reason"].unique().tolist() == ["pure"]
    assert len(tree.trace(candidates=True)) == 14


def test_every_split_that_is_asked_is_found_among_its_candidates():
    melons = load_watermelon("3.0")
    tree = OptimalTreeClassifier(max_depth=3, ccp_alpha=0.01).fit(melons.X, melons.y).tree_
    for node in tree:
        if not node.is_leaf:
            assert tree.explain(node.id, node.feature)["chosen"].sum() == 1


# What is refused


@pytest.mark.parametrize(
    ("options", "said"),
    [({"max_depth": None}, "max_depth is None; wanted a whole number of at least 0 and at most 30"),
     ({"max_depth": 31}, "max_depth is 31"),
     ({"max_depth": 2.5}, "max_depth is 2.5"),
     ({"nominal": "ordered"}, "nominal is 'ordered'; wanted one of 'subset', 'one_vs_rest'"),
     ({"ccp_alpha": -0.1}, "ccp_alpha is -0.1; wanted a number of at least 0"),
     ({"min_samples_leaf": -1}, "min_samples_leaf is -1"),
     ({"min_weight_fraction_leaf": 0.6}, "min_weight_fraction_leaf is 0.6"),
     ({"max_thresholds": 0}, "max_thresholds is 0; wanted a whole number of at least 1"),
     ({"time_limit": -1}, "time_limit is -1; wanted a number of at least 0"),
     ({"loss": [[0, 1]]}, r"loss has shape \(1, 2\); wanted \(2, 2\)"),
     ({"class_weight": "equal"}, "class_weight is 'equal'")],
)  # fmt: skip
def test_bad_parameters(options, said):
    with pytest.raises(ValueError, match=said):
        OptimalTreeClassifier(**options).fit(XOR, ODD)


def test_gaps_are_refused_by_name():
    with pytest.raises(ValueError, match="column 'a' is missing in row 1"):
        OptimalTreeClassifier().fit(XOR.assign(a=[0, np.nan, 1, 1]), ODD)
    with pytest.raises(ValueError, match="missing values in categorical features: color"):
        OptimalTreeClassifier().fit(XOR.assign(color=["r", None, "g", "g"]), ODD)
    with pytest.raises(ValueError, match="y has 2 outputs; an optimal tree predicts one"):
        OptimalTreeClassifier().fit(XOR, np.c_[ODD, ODD])


@pytest.mark.parametrize("estimator", [OptimalTreeClassifier(), ID3Classifier(), CARTClassifier()])
@pytest.mark.parametrize("as_given", [np.array, np.ndarray.tolist, pd.DataFrame])
def test_gaps_of_arrays_are_refused_by_their_place(estimator, as_given):
    X = np.array([[0, 1], [1.0, 0], [1, np.nan], [np.nan, 0]])
    said = (
        r'^X is missing \(NaN\) in row 2, column 1 .* CART takes them with missing="learned", C4.5 with .*"$'
    )
    with pytest.raises(ValueError, match=said):
        clone(estimator).fit(as_given(X), ODD)
    model = clone(estimator).fit(as_given(np.nan_to_num(X)), ODD)
    with pytest.raises(ValueError, match=said):
        model.predict(as_given(X))
    with pytest.raises(ValueError, match=r"^X is inf in row 2, column 1 \(counted from 0\); wanted .*clip$"):
        model.predict(as_given(np.nan_to_num(X, nan=np.inf)))


def test_too_many_questions_are_refused_before_the_search(monkeypatch):
    monkeypatch.setattr(questions, "ROOM_OF_ANSWERS", 569 * 100)
    X, y = load_breast_cancer(return_X_y=True)
    with pytest.raises(ValueError, match=r"X has 15310 questions about 569 distinct rows, .* max_thresholds"):
        OptimalTreeClassifier().fit(X, y)
    assert OptimalTreeClassifier(max_thresholds=3).fit(X, y).is_optimal_


def test_a_failed_fit_leaves_nothing_behind():
    model = OptimalTreeClassifier().fit(XOR, ODD)
    with pytest.raises(ValueError, match="max_depth"):
        model.set_params(max_depth=-1).fit(XOR, ODD)
    assert not hasattr(model, "objective_")
    assert not hasattr(model, "tree_")


def test_bounds_by_similar_questions_do_not_hold_where_leaves_must_weigh_enough():
    """Rows that cost nothing to move may be those that a leaf needs; with such bounds, 5 errors are found."""
    rng = np.random.default_rng(331)
    n = int(rng.integers(8, 20))
    X, y = rng.integers(0, 2, (n, 4)), rng.integers(0, 2, n)
    half = n // 2
    X, y = np.concatenate([X, X[:half]]), np.concatenate([y, 1 - y[:half]])
    model = OptimalTreeClassifier(max_depth=3, min_samples_leaf=3).fit(X, y)
    fewest = exhausted([frozenset(np.flatnonzero(x)) for x in X.T], y, frozenset(range(len(y))), 3)
    assert errors(model, X, y) == fewest == 4


def exhausted(columns, y, rows, depth):
    """Return the errors of the best tree with at least three rows in a leaf: all trees are tried."""
    fewest = len(rows) - max(np.bincount(y[list(rows)]))
    for yes in columns if depth else ():
        sides = rows & yes, rows - yes
        if min(map(len, sides)) >= 3:
            fewest = min(fewest, sum(exhausted(columns, y, side, depth - 1) for side in sides))
    return fewest
