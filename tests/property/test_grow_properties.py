"""Laws of growing trees, on frames of every kind of column."""

import logging

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.base import clone

from dtlib import CARTClassifier, CARTRegressor, ID3Classifier
from dtlib.tree.tree import ARRAYS
from tests.drawn import examples, mirrored, mirrors

SHAPE = [name for name in ARRAYS if name not in ("summary", "n", "impurity", "gain")]


def law(*strategies):
    """Return a decorator: fewer examples than for a formula, as each grows trees."""
    return lambda test: examples(30)(given(*strategies)(test))


# Data: frames with numbers, names, and names in an order; classes, numbers, and sometimes weights


@st.composite
def frames(draw, kinds=("few", "many", "name", "ordered"), least=2):
    """Return a frame of up to 25 rows and 4 columns."""
    n = draw(st.integers(least, 25))
    columns = {}
    for f in range(draw(st.integers(1, 4))):
        kind = draw(st.sampled_from(kinds))
        codes = draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
        if kind == "many":
            columns[f"x{f}"] = draw(
                st.lists(st.integers(-500, 500).map(lambda k: k / 8), min_size=n, max_size=n)
            )
        elif kind == "few":
            columns[f"x{f}"] = [code / 2 for code in codes]
        elif kind == "name":
            columns[f"x{f}"] = ["pqrs"[code] for code in codes]
        else:
            columns[f"x{f}"] = pd.Categorical.from_codes(codes, list("SMLX"), ordered=True)
    return pd.DataFrame(columns)


def per_row(draw, X, values):
    """Draw one of the values for each row."""
    return np.array(draw(st.lists(values, min_size=len(X), max_size=len(X))))


CLASSIFIERS = [
    CARTClassifier(),
    CARTClassifier(criterion="entropy"),
    CARTClassifier(criterion="misclassification"),
    CARTClassifier(nominal="one_vs_rest"),
    CARTClassifier(max_depth=3, min_samples_leaf=2),
]
REGRESSORS = [
    CARTRegressor(),
    CARTRegressor(nominal="one_vs_rest"),
    CARTRegressor(criterion="absolute_error"),
]
SCANNED = CARTClassifier(), CARTRegressor(criterion="absolute_error")  # counted, and sorted at the root too


@st.composite
def problems(draw, estimators=tuple(CLASSIFIERS + REGRESSORS), weights=True, **kinds):
    """Return an unfitted estimator, a frame, a target, and weights or None."""
    X = draw(frames(**kinds))
    estimator = draw(st.sampled_from(estimators))
    numeric = isinstance(estimator, CARTRegressor)
    y = per_row(draw, X, st.integers(-40, 40).map(lambda k: k / 4) if numeric else st.integers(0, 2))
    w = per_row(draw, X, st.integers(0, 3)) if weights and draw(st.booleans()) else None
    assume(w is None or w.any())
    return fresh(estimator), *mirrored(draw(mirrors), X, y, w)


def fresh(estimator, **changes):
    """Return an unfitted estimator with the same parameters but for the changes."""
    return clone(estimator).set_params(**changes)


def grown(estimator, X, y, w=None):
    """Return the tree."""
    return fresh(estimator).fit(X, y, w).tree_


def same(a, b, arrays=ARRAYS):
    """Require equal trees, bit by bit."""
    for name in arrays:
        np.testing.assert_array_equal(getattr(a, name), getattr(b, name), err_msg=name)


def nearly(a, b, times=1.0):
    """Require equal shapes, and equal numbers but for rounding; weights b are those of a by a factor."""
    same(a, b, SHAPE)
    for name in ("impurity", "gain"):
        np.testing.assert_allclose(getattr(a, name), getattr(b, name), rtol=1e-9, atol=1e-11)
    np.testing.assert_allclose(a.n * times, b.n, rtol=1e-12)
    np.testing.assert_allclose(a.value, b.value, rtol=1e-12, atol=1e-12)


def declared(X):
    """Return a frame whose names stay known when rows are left out."""
    names = [name for name in X if pd.api.types.is_string_dtype(X[name])]
    return X.astype(dict.fromkeys(names, "category"))


def keeping_classes(estimator, y, w):
    """Return the weights, but 1 for the first row of a class that would be left without any."""
    w = w.copy()
    for label in [] if isinstance(estimator, CARTRegressor) else set(y):
        mine = np.flatnonzero(y == label)
        w[mine[0]] = w[mine[0]] if w[mine].any() else 1
    return w


def leaves_of(tree, X):
    """Return the rows of each leaf."""
    end = tree.apply(X)
    return {frozenset(np.flatnonzero(end == leaf).tolist()) for leaf in set(end.tolist())}


# Rows


@law(problems(), st.randoms(use_true_random=False))
def test_the_order_of_the_rows_does_not_matter(problem, random):
    estimator, X, y, w = problem
    rows = list(range(len(X)))
    random.shuffle(rows)
    mixed = X.iloc[rows].reset_index(drop=True)
    same(grown(estimator, X, y, w), grown(estimator, mixed, y[rows], None if w is None else w[rows]))


@law(problems())
def test_the_same_data_give_the_same_tree(problem):
    assert grown(*problem) == grown(*problem)


@law(problems())
def test_a_weight_is_how_often_a_row_comes(problem):
    estimator, X, y, w = problem
    w = keeping_classes(estimator, y, np.ones(len(X), int) if w is None else w)
    X, rows = declared(X), np.repeat(np.arange(len(X)), w)
    nearly(grown(estimator, X, y, w), grown(estimator, X.iloc[rows], y[rows]))


@law(problems())
def test_a_row_without_weight_is_no_row(problem):
    estimator, X, y, w = problem
    w = keeping_classes(estimator, y, (np.arange(len(X)) % 3 != 1) * 1 if w is None else w)
    there, X = w > 0, declared(X)
    nearly(grown(estimator, X, y, w), grown(estimator, X[there], y[there], w[there]))


@law(problems(), st.sampled_from([2.0, 3.0, 0.1, 1e-3, 1e6]))
def test_the_unit_of_the_weights_does_not_matter(problem, times):
    estimator, X, y, w = problem
    w = np.ones(len(X)) if w is None else w
    leaf = estimator.min_samples_leaf
    scaled = fresh(estimator, min_samples_leaf=leaf * times) if leaf else estimator
    assume(not 0 < leaf * times < 1)  # which would be a share
    nearly(grown(estimator, X, y, w), grown(scaled, X, y, w * times), times)


# Columns


@pytest.mark.long
@law(problems(), st.sampled_from([0.0, 3.5, "red"]), st.integers(0, 4))
def test_a_constant_column_changes_nothing(problem, value, place):
    estimator, X, y, w = problem
    wider = X.copy()
    wider.insert(min(place, X.shape[1]), "constant", [value] * len(X))
    a, b = grown(estimator, X, y, w), grown(estimator, wider, y, w)
    same(a, b, [name for name in ARRAYS if name != "feature"])
    at = [wider.columns.get_loc(name) for name in X]
    np.testing.assert_array_equal(np.array([*at, -1])[a.feature], b.feature)


@law(problems(), st.randoms(use_true_random=False))
def test_the_order_of_the_columns_decides_ties_alone(problem, random):
    """The root gains the same; if only one column gains that, the root asks the same question."""
    estimator, X, y, w = problem
    names = list(X)
    random.shuffle(names)
    a, b = (fresh(estimator).fit(frame, y, w).tree_ for frame in (X, X[names]))
    assert (a.n[0], a.impurity[0], a.reason[0]) == (b.n[0], b.impurity[0], b.reason[0])
    assert a.gain[0] == pytest.approx(b.gain[0], rel=1e-9, abs=1e-10 * a.impurity[0])
    gains = [grown(fresh(estimator, max_depth=1), X[[name]], y, w).gain[0] for name in X]
    if a.feature[0] >= 0 and sum(np.isclose(gains, max(gains), rtol=1e-7)) == 1:
        assert a.root.split == b.root.split
    assert a.root.feature == (None if a.feature[0] < 0 else list(X)[first(gains, a.impurity[0])])


def first(gains, impurity):
    """Return the first of the largest gains."""
    return int(np.argmax(np.array(gains) >= max(gains) - 1e-10 * impurity))


@law(problems(estimators=SCANNED, kinds=("few", "many")))
def test_of_equal_cuts_the_lowest_is_asked(problem):
    """Of the numbers with the opposite sign it is the highest."""
    estimator, X, y, w = problem
    for name in X:
        a, b = (grown(fresh(estimator, max_depth=1), x, y, w) for x in (X[[name]], -X[[name]]))
        assert a.feature[0] == b.feature[0]
        assert a.feature[0] < 0 or a.threshold[0] <= -b.threshold[0]


@law(problems(kinds=("few", "many")))
def test_only_the_order_of_numbers_matters(problem):
    estimator, X, y, w = problem
    bent = X.apply(lambda x: np.sign(x) * np.abs(x) ** 3 + 7)
    a, b = grown(estimator, X, y, w), grown(estimator, bent, y, w)
    same(a, b, [name for name in ARRAYS if name != "threshold"])
    there = slice(None) if w is None else w > 0
    np.testing.assert_array_equal(a.apply(X[there]), b.apply(bent[there]))


@law(problems(kinds=("few", "many")))
def test_float32_holds_the_same_tree_where_it_holds_the_numbers(problem):
    estimator, X, y, w = problem
    same(grown(estimator, X, y, w), grown(estimator, X.astype("float32"), y, w))
    same(grown(estimator, X, y, w), grown(estimator, X.to_numpy(), y, w))


@law(problems(kinds=("ordered",)))
def test_names_in_an_order_are_cut_like_their_places(problem):
    estimator, X, y, w = problem
    places = X.apply(lambda x: x.cat.codes.astype(float))
    a, b = grown(estimator, X, y, w), grown(estimator, places, y, w)
    same(a, b, [name for name in ARRAYS if name not in ("threshold", "gain")])
    np.testing.assert_allclose(a.gain, b.gain, rtol=1e-12)
    there = slice(None) if w is None else w > 0
    np.testing.assert_array_equal(a.apply(X[there]), b.apply(places[there]))


# Classes and numbers


@law(problems(estimators=tuple(CLASSIFIERS)))
def test_the_names_of_classes_do_not_matter(problem):
    estimator, X, y, w = problem
    same(grown(estimator, X, y, w), grown(estimator, X, np.array(["ant", "bee", "cat"])[y], w))


@law(problems(estimators=(CARTClassifier(), CARTClassifier(criterion="entropy"))))
def test_the_order_of_classes_does_not_matter_for_impurities(problem):
    estimator, X, y, w = problem
    a, b = grown(estimator, X, y, w), grown(estimator, X, 2 - y, w)
    np.testing.assert_allclose(a.impurity[0], b.impurity[0], rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(a.gain[0], b.gain[0], rtol=1e-9, atol=1e-11)
    assert a.feature[0] == b.feature[0]


@law(problems(estimators=tuple(REGRESSORS)), st.sampled_from([-2.0, 0.5, 4.0]))
def test_the_unit_of_the_target_does_not_matter(problem, times):
    estimator, X, y, w = problem
    assume(all(x.dtype.kind == "f" or isinstance(x.dtype, pd.CategoricalDtype) for _, x in X.items()))
    a, b = grown(estimator, X, y, w), grown(estimator, X, y * times, w)
    same(a, b, ("feature", "threshold", "n", "stop"))
    np.testing.assert_allclose(a.summary * times, b.summary, rtol=1e-12, atol=1e-12)
    power = abs(times) ** (1 if estimator.criterion == "absolute_error" else 2)
    np.testing.assert_allclose(a.impurity * power, b.impurity, rtol=1e-9, atol=1e-11)


@law(problems())
def test_what_a_node_loses_its_children_hold(problem):
    tree = grown(*problem)
    for node in tree:
        if node.is_leaf:
            assert tree.gain[node.id] == 0
            continue
        n = sum(child.n for child in node.children)
        below = sum(child.n * child.impurity for child in node.children) / n
        assert n == pytest.approx(node.n, rel=1e-12)
        assert tree.gain[node.id] == pytest.approx(
            node.impurity - below, rel=1e-9, abs=1e-10 * tree.impurity[0]
        )
        assert tree.gain[node.id] > 0


# Limits


@law(problems(), st.integers(0, 4))
def test_a_shallow_tree_is_the_top_of_the_full_one(problem, depth):
    estimator, X, y, w = problem
    full, top = (grown(fresh(estimator, max_depth=d), X, y, w) for d in (None, depth))
    kept = full.depth <= depth
    assert top.node_count == kept.sum()
    same_top(full, top, kept)
    cut = (full.depth[kept] == depth) & (full.feature[kept] >= 0)
    assert all(
        reason == "max_depth reached" for reason, is_cut in zip(top.reason, cut, strict=True) if is_cut
    )
    np.testing.assert_array_equal(top.feature, np.where(cut, -1, full.feature[kept]))


def same_top(full, top, kept):
    """Require that the nodes of a tree are some of another, in the same order."""
    for name in ("n", "impurity", "summary", "depth"):
        np.testing.assert_array_equal(getattr(full, name)[kept], getattr(top, name))
    inner = top.feature >= 0
    for name in ("feature", "threshold", "gain"):
        np.testing.assert_array_equal(getattr(full, name)[kept][inner], getattr(top, name)[inner])


@law(problems(), st.integers(1, 8))
def test_few_leaves_are_the_best_top_of_the_full_tree(problem, leaves):
    """From the root on, the open end whose split lowers the impurity most is split next."""
    estimator, X, y, w = problem
    full, top = (grown(fresh(estimator, max_leaf_nodes=k), X, y, w) for k in (None, leaves))
    worth, ends, split = full.gain * full.n, {0}, set()
    while len(ends) < min(leaves, full.n_leaves):
        best = min((i for i in ends if full.feature[i] >= 0), key=lambda i: (-worth[i], i))
        ends = ends - {best} | {int(full.first_child[best]), int(full.first_child[best]) + 1}
        split.add(best)
    kept = np.isin(np.arange(full.node_count), list(ends | split))
    assert top.n_leaves == min(leaves, full.n_leaves)
    same_top(full, top, kept)
    np.testing.assert_array_equal(top.feature >= 0, np.isin(np.flatnonzero(kept), list(split)))


@law(problems(estimators=(CARTClassifier(), CARTRegressor())), st.integers(1, 3), st.integers(0, 3))
def test_drawn_features_are_drawn_again_from_the_same_seed(problem, k, seed):
    estimator, X, y, w = problem
    assume(k <= X.shape[1])
    drawn = fresh(estimator, max_features=k, random_state=seed)
    assert grown(drawn, X, y, w) == grown(drawn, X, y, w)
    everything = fresh(estimator, max_features=X.shape[1], random_state=seed)
    same(grown(everything, X, y, w), grown(estimator, X, y, w))


@law(problems())
def test_growth_tells_its_levels(problem):
    estimator, X, y, w = problem
    lines, log = [], logging.getLogger("dtlib")
    log.addHandler(handler := logging.Handler("INFO"))
    handler.emit = lambda record: lines.append(record.getMessage())
    log.setLevel("INFO")
    tree = grown(fresh(estimator), X, y, w)
    log.removeHandler(handler)
    log.setLevel("NOTSET")
    assert len(lines) == tree.max_depth + 1
    for line, size in zip(lines, np.bincount(tree.depth), strict=True):
        assert f"{size} node" in line
    same(tree, grown(estimator, X, y, w))


@law(problems(estimators=(ID3Classifier(),), kinds=("name",), weights=False))
def test_id3_asks_a_name_once_and_has_a_branch_for_each_value(problem):
    id3, X, y, _ = problem
    tree = grown(id3, X, y)
    for node in tree:
        above = [tree[i].feature for i in node.ancestors]
        assert node.feature is None or node.feature not in above
        assert node.is_leaf or len(node.children) == X[node.feature].nunique()
    rows = np.random.default_rng(0).permutation(len(X))
    same(tree, grown(id3, X.iloc[rows], y[rows]))


@law(problems(weights=False))
def test_training_rows_end_in_leaves_that_hold_them(problem):
    estimator, X, y, _ = problem
    tree = grown(estimator, X, y)
    end = tree.apply(X)
    assert (tree.feature[end] < 0).all()
    np.testing.assert_array_equal(
        np.bincount(end, minlength=tree.node_count)[tree.feature < 0], tree.n[tree.feature < 0]
    )
    assert len(leaves_of(tree, X)) == tree.n_leaves
