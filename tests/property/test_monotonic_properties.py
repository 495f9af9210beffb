"""Predictions rise or fall along a constrained feature, wherever a row is."""

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from dtlib import CARTClassifier, CARTRegressor, Tree
from tests.drawn import SPREADS, examples, spread_out


@st.composite
def tasks(draw):
    """Draw a table with an ordered category, targets, weights, directions, and an estimator."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n, d = draw(st.sampled_from([2, 5, 20, 60])), draw(st.integers(1, 3))
    X = pd.DataFrame({f"x{k}": spread_out(rng, n, draw(st.sampled_from(SPREADS))) for k in range(d)})
    X["size"] = pd.Categorical(rng.choice(["S", "M", "L"], n), ["S", "M", "L"], ordered=True)
    X["color"] = rng.choice(["red", "blue", "green"], n)
    directions = {name: draw(st.sampled_from([-1, 0, 1])) for name in X.columns[:-1]}
    options = {
        "monotonic_cst": directions,
        "max_depth": draw(st.sampled_from([None, 2])),
        "max_leaf_nodes": draw(st.sampled_from([None, 4])),
        "min_samples_leaf": draw(st.sampled_from([0, 2])),
        "ccp_alpha": draw(st.sampled_from([0.0, 0.01])),
        "max_features": draw(st.sampled_from([None, 2])),
        "splitter": draw(st.sampled_from(["best", "best", "random"])),
        "random_state": 0,
    }
    weight = draw(st.sampled_from([None, rng.integers(1, 4, n), rng.random(n) + 0.1]))
    y = rng.normal(size=n) + X.iloc[:, 0]
    if draw(st.booleans()):
        return X, (y > y.median()).astype(int), weight, CARTClassifier(**options), rng
    return X, y if draw(st.booleans()) else y.round(), weight, CARTRegressor(**options), rng


def level_of(model, X):
    """Return the share of the last class, or the number predicted."""
    return model.predict_proba(X)[:, -1] if isinstance(model, CARTClassifier) else model.predict(X)


@examples(150)
@given(tasks())
def test_predictions_are_monotonic(task):
    X, y, weight, model, rng = task
    model.fit(X, y, weight)
    rows = X.iloc[rng.integers(0, len(X), 30)].reset_index(drop=True)
    for name, direction in model.monotonic_cst.items():
        values = sorted(set(X[name]), key=list(X[name].cat.categories).index if name == "size" else None)
        along = [
            level_of(model, rows.assign(**{name: pd.Series([v] * 30).astype(X[name].dtype)})) for v in values
        ]
        assert (np.diff(along, axis=0) * direction >= 0).all()
    low, high = model.tree_.bounds
    value = model.tree_.value[:, -1]
    assert (low <= value).all()
    assert (value <= high).all()


@examples(50)
@given(tasks())
def test_the_order_of_the_rows_does_not_matter_and_a_tree_can_be_written_and_read(task):
    X, y, weight, model, rng = task
    tree, order = model.fit(X, y, weight).tree_, rng.permutation(len(X))
    assert model.fit(X.iloc[order], y.iloc[order], None if weight is None else weight[order]).tree_ == tree
    again = Tree.from_json(tree.to_json())
    assert again == tree
    assert again.monotonic == tree.monotonic
    np.testing.assert_array_equal(again.value, tree.value)
