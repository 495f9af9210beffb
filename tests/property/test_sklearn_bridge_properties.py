"""Trees of scikit-learn in, and ours out: they answer as where they came from."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn import ensemble
from sklearn import tree as theirs

from dtlib import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    ID3Regressor,
    LeafShares,
    Tree,
)
from dtlib.counting.criteria import CRITERIA
from dtlib.tree.descend import mixture
from dtlib.tree.edit import collapse
from dtlib.tree.reasons import COLLAPSED
from tests.drawn import examples
from tests.unit.test_export_limits import in_python, in_sql, numbered

CLASSIFY, NUMBERS = (
    [
        name
        for criterion in CRITERIA.values()
        if criterion.of_classes == is_class
        for name in criterion.read_from
    ]
    for is_class in (True, False)
)
FORESTS = {
    "random forest": (ensemble.RandomForestClassifier, ensemble.RandomForestRegressor),
    "extra trees": (ensemble.ExtraTreesClassifier, ensemble.ExtraTreesRegressor),
}
ALONE = {
    "best": (theirs.DecisionTreeClassifier, theirs.DecisionTreeRegressor),
    "random": (theirs.ExtraTreeClassifier, theirs.ExtraTreeRegressor),
}


def singles(draw, rng, n, d, gaps):
    """Return a table of float32, some values of which are missing."""
    grid = draw(st.sampled_from([2, 5, 1000]))
    X = (rng.integers(0, grid, (n, d)) / np.float32(draw(st.sampled_from([1, 3, 10])))).astype(np.float32)
    if gaps:
        X[rng.random((n, d)) < draw(st.sampled_from([0.1, 0.5]))] = np.nan
        if draw(st.booleans()):
            X[rng.random(n) < 0.5, 0] = np.nan
    return X


def drawn_weights(draw, rng, n):
    """Return weights of rows: none, whole ones, those whose sums are rounded, and any."""
    kind = draw(st.sampled_from(["none", "whole", "tenths", "any"]))
    if kind == "none":
        return None
    weight = {"whole": rng.integers(0, 4, n), "tenths": rng.integers(1, 9, n) / 10, "any": rng.random(n)}[
        kind
    ]
    weight = weight.astype(float)
    weight[0] = 1.0
    return weight


@st.composite
def fitted(draw: st.DrawFn) -> tuple[Any, int | None, np.ndarray, bool]:
    """Draw a fitted tree, or a forest and a number, rows to ask, and whether classes are predicted."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, d, outputs = draw(st.integers(2, 80)), draw(st.integers(1, 4)), draw(st.sampled_from([1, 1, 3]))
    is_class, gaps = draw(st.booleans()), draw(st.booleans())
    of_forest = draw(st.sampled_from([None, None, *FORESTS]))
    kinds = FORESTS[of_forest] if of_forest else ALONE[draw(st.sampled_from(sorted(ALONE)))]
    options: dict[str, Any] = {"criterion": draw(st.sampled_from(CLASSIFY if is_class else NUMBERS))}
    options |= {"max_depth": draw(st.sampled_from([1, 3, None])), "random_state": 0}
    X = singles(draw, rng, n, d, gaps and options["criterion"] != "absolute_error")
    if is_class:
        y = rng.integers(0, draw(st.integers(1, 5)), (n, outputs))
        y = y if draw(st.booleans()) else np.array(list("edcba"))[y]
    else:
        y = np.round(np.abs(rng.normal(size=(n, outputs))), draw(st.integers(0, 3))) + 0.125
    weight = drawn_weights(draw, rng, n)
    if is_class and weight is None:  # zeros among the weights, and balancing divides by them
        options["class_weight"] = draw(st.sampled_from([None, "balanced"]))
    no_gaps = not np.isnan(X).any()
    if outputs == 1 and no_gaps and draw(st.booleans()) and (not is_class or len(np.unique(y)) == 2):
        options["monotonic_cst"] = [1, *[0] * (d - 1)]
        if options["criterion"] not in (*CLASSIFY, "squared_error", "poisson"):
            del options["monotonic_cst"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # friedman_mse goes
        model = kinds[0 if is_class else 1](**options, **({"n_estimators": 3} if of_forest else {}))
        model.fit(X, y[:, 0] if outputs == 1 else y, weight)
    assume(
        all(member.tree_.weighted_n_node_samples[0] > 0 for member in getattr(model, "estimators_", [model]))
    )
    asked = np.concatenate([X, singles(draw, rng, 50, d, gaps), *thresholds_of(model, X)])
    return model, 1 if of_forest else None, asked if takes_gaps(model) else np.nan_to_num(asked), is_class


def takes_gaps(model):
    """Tell whether a model of scikit-learn takes missing values."""
    return model.__sklearn_tags__().input_tags.allow_nan


def thresholds_of(model, X):
    """Return rows that lie on the thresholds of a tree, and on the float32 beside them."""
    for member in getattr(model, "estimators_", [model]):
        cuts = member.tree_.threshold[member.tree_.feature >= 0]
        cuts = cuts[np.isfinite(cuts)][:20].astype(np.float32)
        for beside in (cuts, np.nextafter(cuts, np.float32(-np.inf)), np.nextafter(cuts, np.float32(np.inf))):
            yield np.repeat(beside[:, None], X.shape[1], axis=1)


def shares_there(model, index, X, is_class):
    """Return what scikit-learn's tree says of rows, side by side for all outputs."""
    member = model if index is None else model.estimators_[index]
    if not is_class:
        return member.predict(X).reshape(len(X), -1)
    shares = member.predict_proba(X)
    return np.concatenate(shares, axis=1) if isinstance(shares, list) else shares


def labels_there(model, index, X):
    """Return what scikit-learn's tree predicts, in the words of its forest."""
    if index is None:
        return model.predict(X).reshape(len(X), -1)
    member = model.estimators_[index]
    places = member.predict(X).reshape(len(X), -1).astype(int)
    classes = model.classes_ if isinstance(model.classes_, list) else [model.classes_]
    return np.stack([some[k] for some, k in zip(classes, places.T, strict=True)], axis=1)


def labels_here(tree, X):
    """Return the classes that a tree of ours predicts."""
    label = tree.label.reshape(tree.node_count, -1)[tree.apply(X)]
    columns = [np.array(y.values, object)[k] for y, k in zip(tree.outputs, label.T, strict=True)]
    return np.stack(columns, axis=1)


def assert_same_shares(here, there):
    """All shares are equal; two of a row that are the same but for rounding may be 1e-11 apart."""
    near = np.isclose(here, there, rtol=1e-11, atol=0)
    assert near.all()
    top = np.sort(there, axis=1)
    tied = top.shape[1] > 1 and (np.diff(top, axis=1) <= 1e-12 * top[:, 1:]).any()
    assert tied or (here == there).all()


@examples(100)
@given(fitted())
def test_trees_of_scikit_learn_answer_the_same_here(drawn):
    model, index, X, is_class = drawn
    tree = Tree.from_sklearn(model, index)
    assert_same_shares(mixture(tree, X, tree.value), shares_there(model, index, X, is_class))
    if is_class:
        assert (labels_here(tree, X) == labels_there(model, index, X)).all()
    assert np.allclose(tree.n, nodes_of(model, index)["weighted_n_node_samples"][np.argsort(order_of(tree))])
    wide = X.astype(float) * (1 + 1e-9)  # doubles, which scikit-learn rounds
    assert_same_shares(mixture(tree, wide, tree.value), shares_there(model, index, wide, is_class))


def nodes_of(model, index):
    """Return the nodes of scikit-learn's tree."""
    return (model if index is None else model.estimators_[index]).tree_.__getstate__()["nodes"]


def order_of(tree):
    """Return the nodes of a tree depth first."""
    return np.array([node.id for node in tree.preorder()])


@examples(60)
@given(fitted())
def test_trees_of_scikit_learn_come_back_as_they_were(drawn):
    model, index, X, is_class = drawn
    tree = Tree.from_sklearn(model, index)
    back = tree.to_sklearn()
    assert_same_shares(shares_there(back, None, X, is_class), shares_there(model, index, X, is_class))
    if is_class:
        assert (back.predict(X).reshape(len(X), -1) == labels_there(model, index, X)).all()
    assert Tree.from_json(tree.to_json()) == tree
    again = Tree.from_sklearn(back)
    assert np.array_equal(mixture(again, X, again.value), mixture(tree, X, tree.value))


@examples(40)
@given(fitted())
def test_trees_of_scikit_learn_answer_the_same_in_python_and_sql(drawn):
    model, index, X, _ = drawn
    tree = Tree.from_sklearn(model, index)
    rows = [
        {f.name: None if np.isnan(x) else float(x) for f, x in zip(tree.features, row, strict=True)}
        for row in X
    ]
    nodes, wanted = numbered(tree), tree.apply(X).tolist()
    assert in_python(nodes, rows) == wanted
    assert in_sql(nodes, rows) == wanted


HOW: dict[str, Any] = {
    "ID3": lambda missing: ID3Classifier(),
    "ID3, numbers": lambda missing: ID3Regressor(),
    "C4.5": lambda missing: C45Classifier(missing=missing),
    "C4.5, groups": lambda missing: C45Classifier(missing=missing, group_values="merge"),
    "Release 8": lambda missing: C45Classifier.release8(missing=missing, min_samples_leaf=0, prune=None),
    "CART": lambda missing: CARTClassifier(missing=missing),
    "CART, entropy": lambda missing: CARTClassifier(missing=missing, criterion="entropy"),
    "one vs rest": lambda missing: CARTClassifier(missing=missing, nominal="one_vs_rest"),
    "smoothed": lambda missing: CARTClassifier(missing=missing, leaf_shares=LeafShares("m_branch", m=0.5)),
    "Laplace": lambda missing: ID3Classifier(leaf_shares="laplace"),
    "mean": lambda missing: CARTRegressor(missing=missing),
    "median": lambda missing: CARTRegressor(missing=missing, criterion="absolute_error"),
}
SIZES = ["S", "M", "L", "XL"]


@st.composite
def grown(draw: st.DrawFn) -> tuple[Any, pd.DataFrame, pd.DataFrame]:
    """Draw a fitted estimator of ours, its table, and more rows with the same names."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    how, missing = draw(st.sampled_from(sorted(HOW))), draw(st.sampled_from(["error", "stay", "majority"]))
    if how.startswith("C4.5") or how == "Release 8":
        missing = {"error": "error", "stay": "fractional"}.get(missing, "majority")
    model, n, more = HOW[how](missing), draw(st.integers(2, 60)), 60
    takes_numbers = not how.startswith(("ID3", "Laplace"))
    columns: dict[str, Any] = {}
    for f in range(draw(st.integers(1, 4))):
        kind = draw(st.sampled_from(["text", "truth", "whole", "ordered"] + ["number"] * 2 * takes_numbers))
        k = rng.integers(0, 4, n + more)
        columns[f"{kind} {f}"] = {
            "text": lambda k: np.array(["d", "a", "c", "b"], object)[k],
            "truth": lambda k: k > 1,
            "whole": lambda k: pd.Categorical(np.array([30, 1, 20, 2])[k]),
            "ordered": lambda k: pd.Categorical(np.array(SIZES)[k], SIZES, ordered=takes_numbers),
            "number": lambda k: (k / np.float32(3)).astype(np.float32),
        }[kind](k)
    table = pd.DataFrame(columns)
    if missing not in ("error", "fractional") and takes_numbers:  # else the tree has nothing to divide
        gaps = rng.random(table.shape) < 0.2
        table = table.astype({c: object for c in table if table[c].dtype == bool}).mask(gaps)
    y = rng.integers(0, 3, n)
    y = y / 3 if how in ("ID3, numbers", "mean", "median") else np.array(["no", "yes", "why"])[y]
    return model.fit(table.head(n), y), table.head(n), table


@examples(150)
@given(grown())
def test_our_trees_answer_the_same_in_scikit_learn(drawn):
    model, _, X = drawn
    compare(model, model.tree_.to_sklearn(), X)


@examples(40)
@given(grown(), st.data())
def test_pruned_trees_answer_the_same_in_scikit_learn(drawn, data):
    model, _, X = drawn
    inner = np.flatnonzero(model.tree_.feature >= 0)
    if len(inner):
        cut = data.draw(st.lists(st.sampled_from(inner.tolist()), max_size=2))
        model.tree_ = collapse(model.tree_, np.array(cut, np.intp), COLLAPSED)
    compare(model, model.tree_.to_sklearn(), X)


def compare(ours, back, X):
    """Both say the same of rows whose names are known: to the last bit, or where classes tie beside it."""
    for feature in ours.tree_.features:
        if feature.kind != "numeric":
            X = X[X[feature.name].isin(feature.values) | X[feature.name].isna()]
    assert (ours.predict(X) == back.predict(X)).all()
    if hasattr(ours, "predict_proba"):
        here, there = ours.predict_proba(X), back.predict_proba(X)
        best = here.max(1, keepdims=True)
        tied = ((here != best) & (here > best * (1 - 1e-12))).any(1) | ((here == best).sum(1) > 1)
        assert (here == there)[~tied].all()
        assert (np.abs(here - there) <= np.spacing(1.0)).all()
