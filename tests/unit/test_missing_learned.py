"""Missing values that choose their side: the best of both at each node, as in scikit-learn."""

import pickle
import sqlite3
from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from dtlib import CARTClassifier, CARTRegressor, Tree
from dtlib.growing import depth_first
from dtlib.measures import entropy, gini
from dtlib.out_of_core import Batches, Database, grow_from
from dtlib.prune import best_subtree

NAN = float("nan")


def drawn(seed, classes=3):
    """Draw numbers with many ties or none, some of them missing, and classes or numbers."""
    rng = np.random.default_rng(seed)
    n, d = rng.integers(8, 60), rng.integers(1, 4)
    X = rng.integers(0, rng.integers(2, 30), (n, d)) + rng.random((n, d)) * (seed % 2)
    X[rng.random((n, d)) < rng.choice([0.1, 0.3, 0.6])] = NAN
    return X, rng.integers(0, classes, n) if classes else rng.normal(size=n)


def same_but_for_ties(ours, theirs, node=0, other=0):
    """Compare two trees of scikit-learn's format from the root down; below a tie they may differ."""
    assert ours.n_node_samples[node] == theirs.n_node_samples[other]
    assert ours.impurity[node] == pytest.approx(theirs.impurity[other], abs=1e-12)
    assert ours.value[node] == pytest.approx(theirs.value[other], abs=1e-12)
    below = [(t.children_left[i], t.children_right[i]) for t, i in ((ours, node), (theirs, other))]
    if theirs.feature[other] < 0 or ours.feature[node] < 0:
        assert theirs.feature[other] == ours.feature[node]
        return 1
    left = [
        t.weighted_n_node_samples[list(c)] @ t.impurity[list(c)]
        for t, c in zip((ours, theirs), below, strict=True)
    ]
    assert left[0] == pytest.approx(left[1], abs=1e-9)  # neither split is better
    values = [
        (t.feature[i], t.n_node_samples[c[0]], t.missing_go_to_left[i], *t.value[c[0]].ravel())
        for t, i, c in ((ours, node, below[0]), (theirs, other, below[1]))
    ]
    if values[0] != pytest.approx(values[1], abs=1e-12):
        return 0
    assert ours.threshold[node] == pytest.approx(min(theirs.threshold[other], 2.0**128), rel=1e-6)
    pairs = zip(below[0], below[1], strict=True)
    return sum(same_but_for_ties(ours, theirs, a, b) for a, b in pairs)


@pytest.mark.parametrize("seed", range(200))
def test_trees_are_those_of_scikit_learn_but_for_ties(seed):
    limits = {"max_depth": [None, 3][seed % 2], "min_samples_leaf": [1, 3][seed % 4 == 0]}
    classes = [3, 2, 0][seed % 3]
    X, y = drawn(seed, classes)
    if classes:
        limits["criterion"] = ["gini", "entropy"][seed % 5 == 0]
        ours, theirs = CARTClassifier, DecisionTreeClassifier
    else:
        ours, theirs = CARTRegressor, DecisionTreeRegressor
    own = ours.sklearn(missing="learned", **limits).fit(X, y).tree_
    other = theirs(random_state=seed, **limits).fit(X, y).tree_
    same_but_for_ties(own.to_sklearn().tree_, other)


def test_most_nodes_are_compared():
    """In tables of few ties, nearly all trees are equal down to the last leaf."""
    leaves = compared = 0
    for seed in range(40):
        X, y = drawn(2 * seed + 1, classes=0)
        own = CARTRegressor.sklearn(missing="learned", max_depth=3).fit(X, y).tree_
        other = DecisionTreeRegressor(max_depth=3, random_state=0).fit(X, y).tree_
        compared += same_but_for_ties(own.to_sklearn().tree_, other)
        leaves += other.n_leaves
    assert compared > 0.9 * leaves


def best_by_hand(column, y, measure):
    """Return the largest decrease of a feature, over all ways to send its values and the missing ones."""
    classes = np.unique(y)
    parts = {v: y[column == v] for v in column[column.notna()].unique()} | {None: y[column.isna()]}
    parts = {v: np.array([(some == k).sum() for k in classes]) for v, some in parts.items() if len(some)}
    if column.dtype.kind == "f" or getattr(column.dtype, "ordered", False):
        order = [v for v in (sorted(column.dropna().unique())) if v in parts]
        lefts = [order[:k] for k in range(len(order) + 1)]
        lefts += [[*left, None] for left in lefts if None in parts]
    else:
        lefts = [
            [v for v, i in zip(parts, sides, strict=True) if i]
            for sides in product((0, 1), repeat=len(parts))
        ]
    table, found = np.array(list(parts.values())), 0.0
    for left in lefts:
        is_left = np.array([v in left for v in parts])
        if not is_left.any() or is_left.all():
            continue
        both = [table[is_left].sum(0), table[~is_left].sum(0)]
        found = max(found, measure(table.sum(0)) - sum(b.sum() * measure(b) for b in both) / len(y))
    return found


def mixed(seed, n=40):
    rng = np.random.default_rng(seed)
    sizes = pd.CategoricalDtype(["S", "M", "L"], ordered=True)
    X = pd.DataFrame({
        "age": rng.integers(1, 9, n).astype(float), "color": rng.choice(list("rgbw"), n),
        "size": pd.Categorical(rng.choice(["S", "M", "L"], n), dtype=sizes),
    })  # fmt: skip
    for name in X:
        X.loc[rng.random(n) < 0.3, name] = None
    return X, rng.choice(["no", "yes", "maybe"][: 2 + seed % 2], n)


@pytest.mark.parametrize("seed", range(20))
def test_each_split_is_the_best_of_all_of_all_kinds(seed):
    X, y = mixed(seed)
    measure, name = ((gini, "gini"), (entropy, "entropy"))[seed % 2]
    tree = CARTClassifier(missing="learned", criterion=name).fit(X, y).tree_
    path = tree.decision_path(X).toarray().astype(bool)
    for node in tree:
        here = path[:, node.id]
        best = {f: best_by_hand(X.loc[here, f], y[here], measure) for f in X}
        if not node.is_leaf:
            assert tree.gain[node.id] == pytest.approx(max(best.values()), abs=1e-12)
            assert tree.n[node.id] == here.sum()
        table = tree.explain(node.id).set_index("feature")
        if node.reason != "one class only":
            assert table["gain"].fillna(0).to_dict() == pytest.approx(best, abs=1e-12)
            listed = [tree.explain(node.id, f)["gain"].max() for f in X]
            assert np.nan_to_num(listed) == pytest.approx(list(best.values()), abs=1e-12)


def test_it_is_shown_where_missing_values_go():
    X = pd.DataFrame({"x": [1.0, 2, 8, 9, NAN, NAN], "c": ["u", "u", "v", "v", None, "v"]})
    tree = CARTClassifier(missing="learned").fit(X, list("nnyyyy")).tree_
    assert str(tree.root.split) == "x ≤ 5?"
    assert tree.root.split.conditions == ("x ≤ 5", "x > 5 (or missing)")
    assert tree.rules()["rule"].tolist() == ["if x ≤ 5 then n", "if x > 5 (or missing) then y"]
    known = CARTClassifier(missing="learned").fit(X[["x"]], list("nnnnyy")).tree_
    assert known.root.split.conditions == ("x is known", "x is missing")
    names = CARTClassifier(missing="learned").fit(X[["c"]], list("nnyyny")).tree_
    assert names.root.split.conditions == ("c = u (or missing)", "c = v")
    names = CARTClassifier(missing="learned").fit(X[["c"]], list("nnnnyn")).tree_
    assert names.root.split.branches == ("known", "missing")
    assert names.apply(pd.DataFrame({"c": ["u", "v", None]})).tolist() == [1, 1, 2]
    assert names.apply(pd.DataFrame({"c": ["w"]})).tolist() == [0]  # it has no branch, so it stays


def test_values_that_were_never_missing_take_the_heavier_branch_if_they_are():
    X = pd.DataFrame({"x": [1.0, 2, 3, 8, 9], "y": [1.0, NAN, 1, 1, 1]})
    tree = CARTClassifier(missing="learned").fit(X, list("nnnyy")).tree_
    assert tree.root.split.conditions == ("x ≤ 5.5", "x > 5.5")
    assert tree.apply(np.array([[NAN, 1.0]])).tolist() == [1]
    even = CARTClassifier(missing="learned").fit(X.iloc[1:], list("nnyy")).tree_
    assert even.apply(np.array([[NAN, 1.0]])).tolist() == [2]


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(
    "criterion", ["gini", "entropy", "misclassification", "squared_error", "absolute_error"]
)
def test_both_engines_grow_the_same_tree(seed, criterion, monkeypatch):
    if criterion in ("squared_error", "absolute_error"):
        X, y = drawn(seed, classes=0)
        model = CARTRegressor(missing="learned", criterion=criterion)
    else:
        X, y = drawn(seed)
        model = CARTClassifier(missing="learned", criterion=criterion)
    weight = np.random.default_rng(seed).integers(0, 4, len(y))
    trees = []
    for compiles in (True, False):
        monkeypatch.setattr(depth_first, "is_ready", lambda *_, compiles=compiles: compiles)
        trees.append(model.fit(X, y, weight).tree_)
    assert trees[0] == trees[1]
    assert trees[0].surrogates.default.tolist() == trees[1].surrogates.default.tolist()
    assert trees[0].missing_rows.tolist() == trees[1].missing_rows.tolist()


def test_without_missing_values_it_is_the_same_tree():
    X, y = mixed(0)
    X = X.dropna()
    y = y[X.index]
    plain, own = (CARTClassifier(missing=m).fit(X, y).tree_ for m in ("error", "learned"))
    assert replace(own, missing="error") == plain


def test_drawn_features_are_features_whether_or_not_values_are_missing():
    """The same features are drawn where a missing value becomes a value of its own that no row has."""
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(80, 5)), rng.integers(0, 2, 80)
    X[0, :3] = NAN  # the first row alone; it weighs next to nothing
    weight = np.r_[2.0**-30, np.ones(79)]
    some = {"max_features": 2, "random_state": 5, "max_depth": 4}
    plain = CARTClassifier(**some).fit(X[1:], y[1:]).tree_
    own = CARTClassifier(missing="learned", **some).fit(X, y, weight).tree_
    assert own.feature[:7].tolist() == plain.feature[:7].tolist()
    assert own.threshold[:7] == pytest.approx(plain.threshold[:7])


@pytest.mark.parametrize("seed", range(10))
def test_it_is_pruned_written_and_read_back(seed):
    X, y = mixed(seed)
    model = CARTClassifier(missing="learned").fit(X, y)
    for tree in (model.tree_, best_subtree(model.tree_, 0.02)):
        back = Tree.from_json(tree.to_json())
        again = pickle.loads(pickle.dumps(tree))
        for other in (back, again):
            assert other == tree
            assert str(other) == str(tree)
            assert other.apply(X).tolist() == tree.apply(X).tolist()
        assert (tree.missing_rows[tree.feature < 0] == 0).all()
    back = Tree.from_sklearn(DecisionTreeClassifier(random_state=0).fit(X[["age"]], y))
    assert back.missing == "learned"


# From counts: as from the rows


def counted(seed):
    """Draw numbers, categories and ordered categories with gaps, classes and numbers."""
    rng, n = np.random.default_rng(seed), 60
    X = pd.DataFrame({"a": rng.integers(0, 6, n).astype(float), "b": rng.normal(size=n).round(1)})
    X["c"] = pd.Categorical(rng.choice(list("pqr"), n))
    X["o"] = pd.Categorical(rng.choice(list("smlx"), n), categories=list("smlx"), ordered=True)
    for name in X:
        X.loc[rng.random(n) < 0.25, name] = None
    X["d"] = rng.integers(0, 4, n)
    y = np.where(rng.random(n) < 0.7, X["a"].fillna(4) > 2, rng.integers(0, 3, n)).astype(int)
    return X, {"class": y, "number": rng.integers(0, 9, n) / 4}


COUNTED = [
    (CARTClassifier(missing="learned"), "class"),
    (
        CARTClassifier(missing="learned", criterion="entropy", max_leaf_nodes=6, class_weight="balanced"),
        "class",
    ),
    (CARTClassifier(missing="learned", max_features=2, random_state=3), "class"),
    (CARTClassifier.sklearn(max_depth=4), "class"),
    (CARTRegressor(missing="learned", min_samples_leaf=4), "number"),
]


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(("model", "kind"), COUNTED)
def test_a_tree_from_counts_is_that_of_the_rows(model, kind, seed):
    X, targets = counted(seed)
    frame = X.assign(y=targets[kind])
    grown = grow_from(Batches([frame.head(20), frame.tail(40)], "y"), model)
    own = model.fit(X, frame["y"]).tree_
    assert grown.tree_ == own
    assert grown.tree_.missing_rows.tolist() == own.missing_rows.tolist()
    assert own.missing_rows.any()


def test_a_tree_from_a_database_is_that_of_the_rows():
    X, targets = counted(0)
    frame, connection = X.drop(columns="o").assign(y=targets["class"]), sqlite3.connect(":memory:")
    frame.to_sql("data", connection, index=False)
    model = CARTClassifier(missing="learned")
    grown = grow_from(Database(connection, "data", "y"), model).tree_
    assert grown == model.fit(X.drop(columns="o"), frame["y"]).tree_
    connection.close()


def test_without_gaps_a_tree_from_counts_is_that_of_the_rows():
    X, targets = counted(0)
    frame = X[["d"]].assign(y=targets["class"])
    for limits in {}, {"rows_in_memory": 10}:
        model = CARTClassifier(missing="learned")
        grown = grow_from(Batches([frame], "y"), model, **limits)
        assert grown.tree_ == model.fit(X[["d"]], frame["y"]).tree_
        gap = pd.DataFrame({"d": [NAN]})
        assert grown.predict(gap) == model.predict(gap)


@pytest.mark.parametrize("name", ["rows_in_memory", "bins"])
def test_counts_of_some_rows_or_in_intervals_need_complete_columns(name):
    X, targets = counted(0)
    source = Batches([X.assign(y=targets["class"])], "y")
    with pytest.raises(ValueError, match=f"{name} is 8, missing is 'learned', and .*: a, b, c, o; wanted"):
        grow_from(source, CARTClassifier(missing="learned"), **{name: 8})
