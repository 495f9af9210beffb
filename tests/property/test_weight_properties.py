"""Numbers predicted from weighted rows: a weight of two is the row twice, grown, in leaves, and pruned."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from dtlib import BySurrogates, CARTRegressor
from dtlib.prune import ComplexityParameter, HoldoutValidated, PrePruned, ReducedError
from tests.drawn import seeds

GROWING: dict[str, dict[str, Any]] = {
    "plain": {},
    "stay": {"missing": "stay"},
    "larger branch": {"missing": "majority"},
    "parts": {"missing": "fractional", "max_depth": 3},
    "medians": {"criterion": "absolute_error", "max_depth": 3},
    "large nodes": {"min_samples_split": 6, "min_samples_leaf": 3, "min_impurity_decrease": 0.01},
    "few leaves": {"max_leaf_nodes": 4},
    "impurity": {"ccp_alpha": 0.05},
    "price": {"prune": ComplexityParameter(0.05)},
}


def drawn(seed: int, holes: bool) -> tuple[pd.DataFrame, np.ndarray, np.ndarray]:
    """Draw rows of names and numbers, a number to be predicted, and whole weights."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(6, 30))
    X = pd.DataFrame(
        {"x": rng.integers(0, 9, n) / 2, "name": rng.choice(list("pqr"), n), "z": rng.integers(0, 4, n) * 1.0}
    )
    y = X["x"] * (X["name"] == "p") + rng.integers(0, 5, n) / 4
    return X.mask(rng.random(X.shape) < 0.2 * holes), y.to_numpy(), rng.integers(1, 4, n)


def same(one: CARTRegressor, other: CARTRegressor, X: pd.DataFrame) -> None:
    """Require the same questions, and the same numbers but for rounding."""
    a, b = one.tree_, other.tree_
    assert a.feature.tolist() == b.feature.tolist()
    np.testing.assert_array_equal(a.threshold, b.threshold)
    for name in ("n", "value", "impurity", "gain"):
        np.testing.assert_allclose(getattr(a, name), getattr(b, name), rtol=1e-9, atol=1e-9)
    assert a.reason == b.reason
    assert one.predict(X) == pytest.approx(other.predict(X))


@pytest.mark.parametrize("kind", GROWING)
@pytest.mark.parametrize("seed", seeds(8))
def test_a_weight_is_so_many_rows(seed: int, kind: str) -> None:
    X, y, weight = drawn(seed, "missing" in GROWING[kind])
    rows = np.repeat(np.arange(len(X)), weight)
    weighted = CARTRegressor(**GROWING[kind]).fit(X, y, weight)
    same(weighted, CARTRegressor(**GROWING[kind]).fit(X.iloc[rows], y[rows]), X)
    ends = weighted.tree_.apply(X)
    if kind in ("plain", "price", "impurity"):  # by hand: each leaf says the weighted mean of its rows
        for leaf in np.unique(ends):
            here = ends == leaf
            assert weighted.tree_.n[leaf] == weight[here].sum()
            mean = (weight * y)[here].sum() / weight[here].sum()
            assert weighted.tree_.value[leaf, 0] == pytest.approx(mean)


@pytest.mark.parametrize("way", [HoldoutValidated, ReducedError, PrePruned])
@pytest.mark.parametrize("seed", seeds(8))
def test_rows_held_out_count_by_their_weight(seed: int, way: type) -> None:
    X, y, weight = drawn(seed, holes=False)
    held = np.arange(len(X)) % 3 == 0
    rows = np.repeat(np.arange(len(X)), weight)
    weighted = CARTRegressor(prune=way(held_out=held)).fit(X, y, weight)
    same(weighted, CARTRegressor(prune=way(held_out=held[rows])).fit(X.iloc[rows], y[rows]), X)


@pytest.mark.parametrize("seed", seeds(8))
def test_surrogates_agree_by_the_weight_of_the_rows(seed: int) -> None:
    """Counted by hand: of the weight that knows the question, that which a surrogate sends alike."""
    X, y, weight = drawn(seed, holes=True)
    numbers = X[["x", "z"]]
    tree = CARTRegressor(missing=BySurrogates(), max_depth=1).fit(numbers, y, weight).tree_
    if not len(tree.surrogates.feature):
        return
    asked, other = (numbers.iloc[:, f].to_numpy() for f in (tree.feature[0], tree.surrogates.feature[0]))
    left = asked <= tree.threshold[0]
    low = other <= tree.surrogates.threshold[0]
    alike = left == (low if tree.surrogates.side[0] == 0 else ~low)
    known, both = ~np.isnan(asked), ~np.isnan(asked) & ~np.isnan(other)
    sent = weight[both & alike].sum()
    larger = max(weight[known & left].sum(), weight[known & ~left].sum())
    agreement, majority = sent / weight[known].sum(), larger / weight[known].sum()
    assert tree.surrogates.agreement[0] == pytest.approx(agreement)
    assert tree.surrogates.adjusted[0] == pytest.approx((agreement - majority) / (1 - majority))
