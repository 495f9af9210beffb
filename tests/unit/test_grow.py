"""Growing a tree: why leaves are leaves, and that no road to a split changes it."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from dtlib import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    ID3Regressor,
    OptimalTreeClassifier,
)
from dtlib.counting.criteria import CRITERIA
from dtlib.counting.targets import ClassificationTarget
from dtlib.dialects import C45Dialect, CARTDialect
from dtlib.growing.by_ratio import ByRatio
from dtlib.growing.by_score import ByScore
from dtlib.growing.nodes import NextLevel
from dtlib.oblique.by_plane import ObliqueBuilder
from dtlib.oblique.hyperplane import Search
from dtlib.prune import ComplexityParameter, PrePruned, ReducedError
from dtlib.prune.pruners import FitContext
from dtlib.search.by_order import Scan
from dtlib.search.level import Level, Limits
from dtlib.search.rules import RatioRules, Rules
from dtlib.table.columns import Column
from dtlib.table.ranks import COUNTED
from dtlib.table.reading import class_targets, number_targets
from dtlib.table.training import read_training
from dtlib.tree.reasons import REASONS
from dtlib.tree.tree import ARRAYS
from tests.criteria import criteria_of

X4 = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0]})
Y4 = [0, 1, 1, 0]
X5 = pd.DataFrame({"x": [1, 1, 1, 2, 2]})
CUBE = pd.DataFrame([(c, x, z) for c in (0, 1) for x in (0, 1) for z in (0, 1)])


def same(a, b, but=()):
    """Require equal trees; gains may differ in the last digit, as other sums lead to them."""
    for name in ARRAYS:
        one, other = getattr(a, name), getattr(b, name)
        if name in ("gain", "impurity"):
            np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-14, err_msg=name)
        elif name not in but:
            np.testing.assert_array_equal(one, other, err_msg=name)


# Why a leaf is a leaf


LEAF_AT_ONCE = [
    ("pure", CARTClassifier(), X4, [1, 1, 1, 1]),
    ("no feature left", CARTClassifier(), X4 * 0, Y4),
    ("no gain", CARTClassifier(), pd.DataFrame({"x": [1, 1, 2, 2]}), [0, 1, 0, 1]),
    ("gain below min_gain", ID3Classifier(min_gain=0.9), pd.DataFrame({"x": list("aabb")}), [0, 1, 1, 1]),
    ("variation below min_variation", ID3Regressor(min_variation=2), pd.DataFrame({"x": list("aabb")}), Y4),
    ("decrease below min_impurity_decrease", CARTClassifier(min_impurity_decrease=0.3), X4, Y4),
    ("max_depth reached", CARTClassifier(max_depth=0), X4, Y4),
    ("less than min_samples_split", CARTClassifier(min_samples_split=5), X4, Y4),
    ("no split leaves min_samples_leaf", CARTClassifier(min_samples_leaf=3), X4, Y4),
    ("no split leaves min_samples_leaf", CARTClassifier(min_samples_leaf=1), X4 * 0, Y4),
    ("no split that monotonic_cst allows", CARTClassifier(monotonic_cst=[-1]), X4, [0, 0, 1, 1]),
    ("no feature left", C45Classifier(), X4 * 0, Y4),
    ("no split leaves min_samples_leaf", C45Classifier(min_samples_leaf=1), X4 * 0, Y4),
    ("impurity not above min_impurity", CARTClassifier(dialect=CARTDialect(min_impurity=0.5)), X4, Y4),
    ("max_leaf_nodes reached", CARTClassifier(max_leaf_nodes=1), X4, Y4),
    ("no fewer errors below", C45Classifier(dialect=C45Dialect(collapse="top_down")), X5, [0, 0, 1, 0, 0]),
    ("saves less than cp", CARTClassifier(prune=ComplexityParameter(1)), X4, Y4),
    ("saves less than alpha per leaf", CARTClassifier(ccp_alpha=1), X4, Y4),
    ("no fewer estimated errors below", C45Classifier(prune="pessimistic"), X4, [0, 0, 1, 0]),
    ("no fewer held-out errors below", CARTClassifier(prune=ReducedError([2], "cut")), X4, [0, 0, 0, 1]),
    ("time_limit reached", OptimalTreeClassifier(time_limit=0), CUBE, Y4 * 2),
    ("no fewer held-out errors after the split", CARTClassifier(prune=PrePruned([0])), X4, [0, 0, 0, 1]),
]


@pytest.mark.parametrize(("reason", "estimator", "X", "y"), LEAF_AT_ONCE)
def test_the_root_is_a_leaf(reason, estimator, X, y):
    assert estimator.fit(X, y).tree_.reason == (reason,)


def test_an_empty_branch_is_a_leaf_that_predicts_what_is_above():
    """The branch "p" has no "w", the branch "r" no "u": rows of the same class go elsewhere."""
    X = pd.DataFrame({"a": list("ppqqrr"), "b": list("uvuuvw")})
    tree = ID3Classifier().fit(X, [0, 1, 2, 2, 3, 3]).tree_
    empty = [node for node in tree if node.reason == "empty branch"]
    assert len(empty) == 1
    assert (empty[0].n, empty[0].prediction) == (0, empty[0].parent.prediction)


def test_every_reason_comes_up():
    """Those of the tests above, and four that come up in tests of their own."""
    elsewhere = {
        "", "empty branch",
        "a leaf of a branch that was raised",  # test_pessimistic.py
        "no question was given",  # test_by_hand.py
        "a leaf where it was read",  # test_sklearn_bridge.py
    }  # fmt: skip
    assert {reason for reason, *_ in LEAF_AT_ONCE} | elsewhere == set(REASONS)


def test_only_inner_nodes_have_no_reason():
    rng = np.random.default_rng(0)
    tree = CARTClassifier(min_samples_leaf=3).fit(rng.normal(size=(99, 3)), rng.integers(0, 2, 99)).tree_
    assert all((reason == "") == (f >= 0) for reason, f in zip(tree.reason, tree.feature, strict=True))


# Counted and scanned columns


@pytest.mark.parametrize("criterion", criteria_of(CARTClassifier, CARTRegressor))
@pytest.mark.parametrize("weighted", [False, True])
def test_columns_of_few_and_of_many_numbers_give_the_same_tree(criterion, weighted):
    """The rows that make a column have many values are its own copy of 300 rows without influence."""
    rng = np.random.default_rng(1)
    n = 400
    few = rng.integers(0, 12, (n, 3)).astype(float)
    y = (few[:, 0] + rng.normal(size=n) * 4 > 6).astype(int) + (few[:, 1] > 5)
    weight = rng.integers(1, 4, n).astype(float) if weighted else np.ones(n)
    kind = CARTClassifier if CRITERIA[criterion].of_classes else CARTRegressor
    counted = kind(criterion=criterion).fit(few, y, weight).tree_
    # 300 rows of weight 0 between the values: now each column has more than 256
    between = np.tile(np.linspace(20, 30, 300)[:, None], 3)
    assert len(np.unique(np.concatenate([few, between])[:, 0])) > COUNTED
    longer = np.concatenate([few, between]), np.append(y, [y[0]] * 300), np.append(weight, np.zeros(300))
    same(counted, kind(criterion=criterion).fit(*longer).tree_)


@pytest.mark.parametrize("values", [2, COUNTED - 1, COUNTED, COUNTED + 1])
def test_around_the_number_of_values_that_are_counted(values):
    """Each column is the other under new names: both must be cut alike."""
    rng = np.random.default_rng(values)
    x = np.concatenate([np.arange(values), rng.integers(0, values, 300)]).astype(float)
    y = (x / values + rng.normal(size=len(x)) > 0.5).astype(int)
    other = rng.integers(0, 2, len(x))
    a = CARTClassifier(max_depth=6).fit(np.stack([x, other], axis=1), y).tree_
    wide = np.stack([x / 7 + 1e6, other], axis=1)
    same(a, CARTClassifier(max_depth=6).fit(wide, y).tree_, but=("threshold",))


@pytest.mark.parametrize("d", [1, 3])
def test_a_counted_column_that_is_scanned_further_down(d):
    """With many open nodes, a table of all values is larger than the rows, and the column is sorted then."""
    rng = np.random.default_rng(d)
    X = np.round(rng.random((700, d)) * 99)
    y = rng.integers(0, 2, 700)
    tree = CARTClassifier().fit(X, y).tree_
    end = tree.apply(X)
    counts = np.stack([np.bincount(end, y == k, minlength=tree.node_count) for k in (0, 1)], axis=1)
    leaf = tree.feature < 0
    np.testing.assert_array_equal(counts[leaf], tree.summary[leaf])
    mixed = {reason for reason, c in zip(tree.reason, tree.summary, strict=True) if reason and c.min() > 0}
    assert mixed <= {"no feature left", "no gain"}


# Numbers


def test_float32_and_float64_columns_are_cut_halfway():
    X = pd.DataFrame({"narrow": np.array([0.1, 0.2, 0.3], "float32"), "wide": [0.1, 0.2, 0.3]})
    for name, x in X.items():
        tree = CARTClassifier().fit(X[[name]], [0, 0, 1]).tree_
        low, high = x.iloc[1:].astype(float)
        assert tree.threshold[0] == (low + high) / 2
        assert tree.apply(X[[name]]).tolist() == [1, 1, 2]


def test_a_cut_between_neighbors_is_the_lower_number():
    low = 1.0
    X = pd.DataFrame({"x": [low, np.nextafter(low, 2)]})
    cart = CARTClassifier().fit(X, ["a", "b"])
    assert cart.tree_.threshold[0] == low
    assert cart.predict(X).tolist() == ["a", "b"]


@pytest.mark.parametrize(
    ("numbers", "dtype"),
    [
        ([-1e308, 1e308], "float64"),
        ([-3e38, 3e38], "float32"),
        ([-3e38, 3e38], "float64"),
        ([0.0, 5e-324], "float64"),
        ([0.0, 1e-45], "float32"),
        ([2.0**53 - 1, 2.0**53], "float64"),
    ],
)
def test_extreme_numbers_are_parted(numbers, dtype):
    X = np.array(numbers, dtype)[:, None]
    cart = CARTClassifier().fit(X, ["a", "b"])
    assert cart.predict(X).tolist() == ["a", "b"]
    assert np.isfinite(cart.tree_.threshold[0])


def test_the_lowest_of_equal_thresholds_and_the_first_of_equal_columns():
    X = pd.DataFrame({"a": [0, 0, 0, 0], "b": [1, 2, 3, 4], "c": [1, 2, 3, 4]})
    tree = CARTClassifier(max_depth=1).fit(X, [0, 1, 1, 0]).tree_
    assert (tree.root.feature, tree.threshold[0]) == ("b", 1.5)


@pytest.mark.parametrize("criterion", criteria_of(CARTClassifier, CARTRegressor))
def test_the_lowest_of_equal_thresholds_below_the_root(criterion):
    """Where nodes have fewer rows than the column has values, its rows are sorted and not counted."""
    cart = CARTClassifier if CRITERIA[criterion].of_classes else CARTRegressor
    X = pd.DataFrame({"side": [0] * 4 + [1] * 4, "x": range(1, 9)})
    tree = cart(criterion=criterion, max_depth=2).fit(X, [1, 2, 2, 1, 10, 11, 11, 10]).tree_
    assert [tree[node].feature for node in (0, 1, 2)] == ["side", "x", "x"]
    assert tree.threshold[1:3].tolist() == [1.5, 5.5]


# Names


@pytest.mark.parametrize("names", ["abc", "abcd", "abcde"])
def test_of_equal_groups_the_first_is_asked(names):
    """Where each name has a class of its own, any two groups are as good as any others."""
    tree = CARTClassifier(max_depth=1).fit(pd.DataFrame({"x": list(names)}), list(names)).tree_
    assert tree.root.split.groups == (tuple(names[0]), tuple(names[1:]))


def test_names_in_an_order_are_cut_by_it():
    sizes = pd.Categorical(list("SMLXSMLX"), categories=list("SMLX"), ordered=True)
    tree = CARTClassifier().fit(pd.DataFrame({"size": sizes}), [0, 0, 1, 1] * 2).tree_
    assert tree.root.split.conditions == ("size ≤ M", "size > M")
    tree = CARTClassifier().fit(pd.DataFrame({"size": sizes}), [0, 1, 1, 0] * 2).tree_
    assert tree.n_leaves == 3  # an order has no group {S, X}
    loose = pd.DataFrame({"size": list("SMLX") * 2})
    assert CARTClassifier().fit(loose, [0, 1, 1, 0] * 2).tree_.n_leaves == 2


def test_a_place_in_the_order_that_no_row_has_is_skipped():
    sizes = pd.Categorical(["S", "X", "S", "X"], categories=list("SMLX"), ordered=True)
    cart = CARTClassifier().fit(pd.DataFrame({"size": sizes}), [0, 1, 0, 1])
    assert cart.tree_.threshold[0] == 1.5
    every = pd.DataFrame({"size": pd.Categorical(list("SMLX"), categories=list("SMLX"), ordered=True)})
    assert cart.predict(every).tolist() == [0, 0, 1, 1]


def test_a_name_that_was_absent_at_a_node_ends_there():
    X = pd.DataFrame({"x": [0, 0, 0, 0, 1, 1, 1, 1], "color": list("ppqqrrrr")})
    y = [0, 0, 1, 1, 2, 2, 2, 2]
    cart = CARTClassifier().fit(X, y)
    tree = cart.tree_
    assert tree.root.feature == "x"
    end = tree[int(cart.apply(pd.DataFrame({"x": [0], "color": ["r"]}))[0])]
    assert end.feature == "color"
    assert end.counts.tolist() == [2, 2, 0]
    unknown = pd.DataFrame({"x": [0, 1], "color": ["never", "seen"]})
    assert cart.predict_proba(unknown).tolist() == [[0.5, 0.5, 0], [0, 0, 1]]


def test_the_first_group_holds_the_first_name():
    X = pd.DataFrame({"color": list("abcd") * 3})
    for y in ([0, 1, 0, 1] * 3, [1, 0, 1, 0] * 3, [0, 1, 2, 1] * 3, [1.0, 5.0, 1.0, 5.0] * 3):
        cart = (CARTRegressor if isinstance(y[0], float) else CARTClassifier)(max_depth=1).fit(X, y)
        assert cart.tree_.root.split.groups[0][0] == "a"


def test_groups_of_more_names_than_are_tried_are_found_where_classes_are_apart():
    """Each class has names of its own: three groups of names, and two questions that part them."""
    names = [f"n{k:02}" for k in range(30)]
    X = pd.DataFrame({"name": names * 4})
    y = [int(name[1:]) % 3 for name in names] * 4
    tree = CARTClassifier().fit(X, y).tree_
    assert tree.n_leaves == 3
    assert set(tree.reason) == {"", "pure"}


@pytest.mark.parametrize(
    ("kind", "names", "y"),
    [(CARTRegressor, "abbc", [0.0, 6, 6, 10]), (CARTClassifier, "abbbbc", [0, 0, 1, 1, 0, 1])],
)
def test_groups_that_leave_enough_are_found_though_they_are_no_cut_of_the_means(kind, names, y):
    model = kind(min_samples_leaf=2, dialect=CARTDialect(zero_gain=True))
    tree = model.fit(pd.DataFrame({"name": list(names)}), y).tree_
    assert tree.n_leaves == 2
    assert tree.root.split.groups == (("a", "c"), ("b",))


# Limits


def test_samples_are_weight_or_rows():
    X, y, weight = np.arange(4.0)[:, None], [0, 1, 1, 1], [5, 1, 1, 1]
    assert CARTClassifier(min_samples_leaf=3).fit(X, y, weight).tree_.n_leaves == 2
    assert (
        CARTClassifier(min_samples_leaf=3, dialect=CARTDialect(samples="rows"))
        .fit(X, y, weight)
        .tree_.n_leaves
        == 1
    )
    assert CARTClassifier(min_samples_leaf=0.375).fit(X, y, weight).tree_.n_leaves == 2
    assert CARTClassifier(min_samples_leaf=0.38).fit(X, y, weight).tree_.n_leaves == 1


def test_shares_of_weight_are_not_lost_to_rounding():
    X, y = np.arange(10.0)[:, None], [0] * 3 + [1] * 7
    assert CARTClassifier(min_samples_leaf=0.3).fit(X, y, np.full(10, 0.1)).tree_.n_leaves == 2


@pytest.mark.parametrize("leaves", range(1, 9))
def test_so_many_leaves(leaves):
    tree = CARTRegressor(max_leaf_nodes=leaves).fit(np.arange(8.0)[:, None], np.arange(8.0) ** 3).tree_
    assert tree.n_leaves == leaves


def test_a_single_row_and_a_single_class():
    one = CARTClassifier().fit([[1.0]], ["a"])
    assert one.tree_.reason == ("pure",)
    assert one.predict([[7.0]]).tolist() == ["a"]
    assert CARTRegressor().fit([[1.0]], [2.5]).predict([[7.0]]).tolist() == [2.5]
    same_class = CARTClassifier().fit(np.arange(5.0)[:, None], ["a"] * 5)
    assert same_class.predict_proba([[2.0]]).tolist() == [[1.0]]


def test_a_deep_tree_is_grown_without_recursion():
    n = 3000
    x = np.arange(float(n))
    tree = CARTRegressor().fit(x[:, None], 3.0 ** np.arange(-n, 0).clip(-600)).tree_
    assert tree.max_depth > 250
    assert tree.n[0] == n


@pytest.mark.parametrize("criterion", criteria_of(CARTClassifier))
def test_an_output_of_one_class_beside_one_of_two(criterion):
    one, two = np.zeros(6, int), np.arange(6) % 2
    X = np.arange(6.0)[:, None]
    first, last = (
        CARTClassifier(criterion=criterion).fit(X, np.stack(y, axis=1)).tree_
        for y in ((one, two), (two, one))
    )
    alone = CARTClassifier(criterion=criterion).fit(X, two).tree_
    for tree in (first, last):
        np.testing.assert_array_equal(tree.threshold, alone.threshold)
        np.testing.assert_allclose(tree.impurity, alone.impurity / 2, rtol=1e-12)


def test_numbers_too_close_are_not_looked_for_beyond_their_own_column():
    X = [[1.00000005, 1e-8], [1.00000005, 0], [1e-7, 2], [1e-7, 3], [1, 4], [0, 5]]
    tree = CARTRegressor.sklearn().fit(X, [2.0, 8, 2, 4, 6, 5]).tree_
    assert tree.n_leaves == 5


@pytest.mark.parametrize("copies", [2, 10, 100])
@pytest.mark.parametrize("spread", [1.0, 1e6])
def test_of_equal_columns_the_first_is_asked_whatever_the_weights(copies, spread):
    rng = np.random.default_rng(6)
    columns = np.column_stack([rng.integers(0, 2, 40), rng.integers(0, 3, (40, 3)).astype(float)])
    y, weight = rng.integers(0, 3, 40), rng.random(40) * spread ** rng.integers(0, 2, 40)
    tree = CARTClassifier().fit(np.tile(columns, (1, copies)), y, weight).tree_
    assert tree.feature.max() < columns.shape[1]


def test_a_share_is_the_same_for_a_number_and_for_two():
    x = np.arange(300.0)
    y = (x >= 21).astype(int)
    share = CARTClassifier(min_samples_leaf=0.07, max_depth=1)  # 0.07 * 300 is a little more than 21
    for column in (x, (x >= 21) * 1.0):
        assert share.fit(column[:, None], y).tree_.n.tolist() == [300, 21, 279]


def test_absolute_errors_do_not_depend_on_the_order_of_the_rows():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=600).round(2), rng.integers(0, 40, 600)])
    y, weight = rng.normal(size=600).round(1), rng.random(600)
    order = rng.permutation(600)
    for w in (None, weight):
        tree, again = (
            CARTRegressor(criterion="absolute_error").fit(X[o], y[o], w if w is None else w[o]).tree_
            for o in (np.arange(600), order)
        )
        assert tree == again


def test_entropy_takes_no_rounding_for_a_gain():
    x, y = np.repeat([0.0, 1, 2], 4), np.tile([0, 0, 0, 1], 3)
    tree = CARTClassifier(criterion="entropy").fit(x[:, None], y, np.where(y, 1, 1e9)).tree_
    assert tree.reason == ("no gain",)


def test_many_names_and_many_classes_fit_into_memory():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"name": rng.integers(0, 3000, 6000).astype(str)})
    y = rng.integers(0, 100, 6000)
    tree = CARTClassifier(max_depth=3).fit(X, y).tree_
    assert tree.n_leaves == 8


def test_principal_components_order_many_names_by_their_classes():
    rng = np.random.default_rng(0)
    name = rng.integers(0, 40, 4000)
    y = np.where(name % 2, rng.integers(0, 2, 4000), rng.integers(2, 4, 4000))
    tree = CARTClassifier(max_depth=1).fit(pd.DataFrame({"name": name.astype(str)}), y).tree_
    assert sorted(tree.counts[1] > 0) == [False, False, True, True]


def test_a_tree_reads_arrays_of_its_width_only():
    tree = CARTClassifier().fit([[0.0, 1], [1, 0]], [0, 1]).tree_
    for wrong in ([[0.0]], [[0.0, 1, 2]], [0.0, 1]):
        with pytest.raises(ValueError, match="the tree has 2 features"):
            tree.apply(np.array(wrong))


def test_outputs_of_one_name_are_refused():
    y = pd.DataFrame([[0, 1], [1, 0]], columns=["t", "t"])
    with pytest.raises(ValueError, match=r"y has several columns called \['.*'\]: rename"):
        CARTClassifier().fit([[0.0], [1.0]], y)


def test_weights_too_small_to_be_divided_are_refused():
    with pytest.raises(ValueError, match="multiply all weights"):
        CARTClassifier().fit([[0.0], [1.0]], [0, 1], [5e-324, 0])


@pytest.mark.parametrize("criterion", criteria_of(CARTClassifier, CARTRegressor))
@pytest.mark.parametrize("holes", [False, True])
def test_trees_grown_together_are_those_grown_alone(criterion, holes):
    rng = np.random.default_rng(3)
    n = 900
    frame = pd.DataFrame(
        {
            "many": rng.normal(size=n),
            "few": rng.integers(0, 9, n),
            "name": rng.choice(list("abcde"), n),
            "flag": rng.choice(["no", "yes"], n),
        }
    )
    frame["late"] = frame["many"].round(1)
    y = np.where(frame["many"] + frame["few"] / 4 + rng.normal(size=n) > 1, "yes", "no")
    numbers = not CRITERIA[criterion].of_classes
    cls = CARTRegressor if numbers else CARTClassifier
    y = frame["many"].to_numpy() * 3 + rng.normal(size=n) if numbers else y
    y = np.rint(np.abs(y)) if criterion == "poisson" else y
    if holes:
        frame = frame.mask(rng.random(frame.shape) < 0.1)
    model = cls(criterion=criterion, missing="majority" if holes else "error", max_leaf_nodes=40)
    parts = [np.sort(rng.choice(n, size, replace=False)) for size in (700, 300, 1, 899)]
    alone = [clone(model).fit(frame.iloc[rows], y[rows]).tree_ for rows in parts]
    columns = (number_targets if numbers else class_targets)(y, n)
    job = FitContext(
        model._read(frame, reset=True), columns, None, None, None, None, model._code, model._grower
    )
    together = job.grow(job.data(), parts)
    for one, other in zip(alone, together, strict=True):
        assert [*one.rules()["rule"]] == [*other.rules()["rule"]]
        np.testing.assert_allclose(one.n, other.n)
        np.testing.assert_allclose(one.impurity, other.impurity, atol=1e-12)


# Chains: as many levels as rows, nearly, and one open node in each


class Counted(list):
    """The levels of a growing tree: how often somebody walks through them."""

    walks = 0

    def __iter__(self):
        self.walks += 1
        return super().__iter__()

    def __getitem__(self, place):
        self.walks += isinstance(place, slice)
        return super().__getitem__(place)


def chain(n):
    """Return rows whose classes alternate: the best cut takes off one of them."""
    return read_training(np.arange(float(n))[:, None], class_targets(np.arange(n) % 2, n))


@pytest.mark.parametrize("kind", ["score", "ratio", "plane"])
def test_no_level_of_a_chain_looks_at_those_above(kind):
    data = chain(30)
    if kind == "ratio":
        growth = ByRatio(data, RatioRules(), NextLevel.root(np.arange(30), np.ones(30)), 2.0**-40)
    elif kind == "plane":
        growth = ObliqueBuilder(data, Rules(), Search(restarts=0, jumps=0))
    else:
        growth = ByScore(data, Rules())
    growth.levels = Counted()
    growth.grow()
    assert len(growth.levels) > 20
    assert growth.levels.walks == 0


def test_a_small_level_is_scored_once(monkeypatch):
    scored, scores = [], Scan.scores
    monkeypatch.setattr(Scan, "scores", lambda scan, *rows: scored.append(scan) or scores(scan, *rows))
    growth = ByScore(chain(30), Rules()).grow()
    assert len(growth.levels) == 30
    assert len(scored) == 28  # the root counts its values, and the lowest level is all leaves


@pytest.mark.parametrize("n", [20, 40])
def test_the_levels_of_a_chain_are_put_together_at_once(n, monkeypatch):
    growth, sorted_, argsort = ByScore(chain(n), Rules()).grow(), [], np.argsort
    monkeypatch.setattr(np, "argsort", lambda *x, **how: sorted_.append(x) or argsort(*x, **how))
    (tree,) = growth.trees()
    assert tree.max_depth == n - 1
    assert len(sorted_) == 2  # the nodes by their places, and by what they ask


@pytest.mark.parametrize("few", [1, 2, 3, 7])
def test_where_too_few_rows_are_on_a_side(few):
    size = np.array([1, 2, 5, 9, 6])
    n = int(size.sum())
    target = ClassificationTarget([Column("y", ("no", "yes"), np.arange(n) % 2)], None, "gini")
    totals = target.totals(target.gather(np.arange(n)), np.repeat(np.arange(5), size), 5)
    places = Level(target, np.arange(n), totals, np.zeros(5)).too_few(Limits(rows=few))
    left = np.concatenate([np.arange(1, s + 1) for s in size])
    right = np.repeat(size, size) - left
    assert sorted(set(places.tolist())) == np.flatnonzero((left < few) | (right < few)).tolist()
