"""Trees with monotonic constraints against scikit-learn's, on tables drawn at random."""

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from dtlib import CARTClassifier, CARTRegressor
from tests.drawn import seeds

SEEDS = 300  # of scikit-learn's trees, which differ where splits tie


def drawn(seed, of_classes):
    """Return a table of float32, targets, weights, and parameters for both libraries."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(8, 150)), int(rng.integers(1, 5))
    X = rng.normal(size=(n, d)).astype(np.float32)
    y = X.sum(1) + rng.normal(size=n)
    weight = rng.integers(1, 4, n).astype(float) if seed % 2 else None
    options = {
        "max_depth": [None, 3, 5][rng.integers(3)],
        "max_leaf_nodes": [None, None, 6][rng.integers(3)],
        "ccp_alpha": [0.0, 0.0, 0.01][rng.integers(3)],
        "min_samples_leaf": int(rng.integers(1, 4)),
        "monotonic_cst": rng.integers(-1, 2, d),
    }
    return X, (y > 0).astype(int) if of_classes else y, weight, options


def predicted(model, X, of_classes):
    """Return the share of the last class, or the number predicted."""
    return model.predict_proba(X)[:, -1] if of_classes else model.predict(X)


@pytest.mark.parametrize("of_classes", [False, True])
def test_the_same_predictions(of_classes):
    """Where splits tie, scikit-learn takes one at random: one of its trees is ours, mostly the first."""
    ours, theirs = (
        (CARTClassifier, DecisionTreeClassifier) if of_classes else (CARTRegressor, DecisionTreeRegressor)
    )
    clipped, other, tied = 0, [], []
    for seed in seeds(100):
        X, y, weight, options = drawn(seed, of_classes)
        model = ours.sklearn(**options).fit(X, y, weight)
        mine, tree = predicted(model, X, of_classes), model.tree_
        clipped += bool((tree.value[:, -1] != (tree.summary[:, -1] / (tree.n if of_classes else 1))).any())
        every = (theirs(random_state=k, **options).fit(X, y, weight) for k in range(SEEDS))
        same = (np.allclose(mine, predicted(one, X, of_classes)) for one in every)
        first = next(same)
        tied += [] if first else [seed]
        other += [] if first or any(same) else [seed]
    assert other == []
    assert len(tied) < 10
    assert clipped > 10


@pytest.mark.parametrize("seed", range(3))
def test_without_constraints_trees_are_others(seed):
    """The tables above would not do if constraints changed nothing."""
    X, y, weight, options = drawn(seed, False)
    free = CARTRegressor.sklearn(**options | {"monotonic_cst": None}).fit(X, y, weight)
    assert free.tree_ != CARTRegressor.sklearn(**options).fit(X, y, weight).tree_
