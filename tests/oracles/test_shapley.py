"""The chapter divides predictions as shap does, and moves features as scikit-learn does, for other tables."""

import json
from functools import cache
from itertools import permutations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.inspection import partial_dependence

from dtlib import CARTClassifier, CARTRegressor
from tests.book.notebooks import NUMBERED, load
from tests.drawn import seeds
from tests.oracles.shapley import GAMES, cases

KEPT = json.loads((Path(__file__).parent / "shapley.json").read_text(encoding="utf-8"))["cases"]
(CHAPTER,) = [path for path in NUMBERED if path.stem.endswith("_what_a_feature_is_worth")]
CODE = {cell.id: cell.source.partition("\n\n\n")[0] for cell in load(CHAPTER).code}
KNOWN = {"np": np, "pd": pd, "cache": cache, "permutations": permutations}
for name in ("shapley", "averaged", "in-parts", "moved", "sol-18-5-code", "noise-gain"):
    exec(compile(CODE[name], name, "exec"), KNOWN)
WAYS = dict(zip(GAMES, (KNOWN["in_parts"], KNOWN["averaged"]), strict=True))
SEEDS = seeds(3)


def drawn(seed, n=80, d=3):
    """Return continuous features, of which the first and the last go together, and classes."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.normal(size=(n, d)), columns=list("abcdef")[:d])
    X.iloc[:, -1] += X["a"]
    return X, np.where(X["a"] * X["b"] + rng.normal(size=n) > 0, "yes", "no")


def divided(way, model, X, x):
    """Return the parts of a prediction, in the order of the columns."""
    return list(KNOWN["shapley"](way(model, X, x), X.columns).values())


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("case", KEPT)
def test_parts_are_those_of_shap(case, game):
    X, y, settings = cases()[case]
    model = CARTClassifier(missing="fractional", **settings).fit(X, y)
    assert model.predict_proba(X)[:, 1].mean() == pytest.approx(KEPT[case]["mean"])
    found = [divided(WAYS[game], model, X, x) for x in KEPT[case]["rows"]]
    assert np.array(found) == pytest.approx(np.array(KEPT[case][game]), abs=2e-7)


def test_the_recorded_games_differ_but_for_the_loans():
    apart = {name: np.abs(np.subtract(*map(case.get, GAMES))).max() for name, case in KEPT.items()}
    assert apart["loans"] < 1e-7
    assert min(apart["titanic"], apart["drawn"]) > 0.01


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("game", GAMES)
def test_nothing_is_lost_by_either_way(seed, game):
    X, y = drawn(seed)
    model = CARTClassifier(max_depth=4, missing="fractional").fit(X, y)
    says = model.predict_proba(X)[:, 1]
    for x in (0, 1):
        assert sum(divided(WAYS[game], model, X, x)) == pytest.approx(says[x] - says.mean())


@pytest.mark.parametrize("seed", SEEDS)
def test_the_parts_of_a_forest_are_the_means_of_those_of_its_trees(seed):
    X, y = drawn(seed)
    forest = RandomForestClassifier(5, max_depth=3, random_state=seed).fit(X.to_numpy(), y)

    class Plain:
        def __init__(self, model):
            self.model = model

        def predict_proba(self, X):
            return self.model.predict_proba(X.to_numpy(float))

    of_trees = [divided(WAYS["interventional"], Plain(tree), X, 0) for tree in forest.estimators_]
    assert np.mean(of_trees, axis=0) == pytest.approx(divided(WAYS["interventional"], Plain(forest), X, 0))


@pytest.mark.parametrize("seed", SEEDS)
def test_curves_and_their_mean_are_scikit_learns(seed):
    X, y = drawn(seed)
    model = RandomForestClassifier(5, random_state=seed).fit(X, y)
    theirs = partial_dependence(model, X, ["a"], method="brute", kind="both", grid_resolution=9)
    ours = KNOWN["moved"](lambda X: model.predict_proba(X)[:, 1], X, "a", theirs["grid_values"][0])
    assert ours == pytest.approx(theirs["individual"][0])
    assert ours.mean(axis=0) == pytest.approx(theirs["average"][0])


@pytest.mark.parametrize("seed", SEEDS)
def test_local_effects_of_a_sum_are_those_of_its_term(seed):
    """If the others only add, each sample changes by the same, wherever it stands."""
    X, _ = drawn(seed)
    ends = np.quantile(X["a"], np.linspace(0, 1, 8))
    found = KNOWN["accumulated"](lambda X: X["a"] ** 3 + 9 * X["c"], X, "a", ends)
    assert found == pytest.approx(ends**3 - ends[0] ** 3)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_fast_gain_of_the_chapter_is_carts(seed):
    rng = np.random.default_rng(seed)
    codes, y = np.unique(rng.integers(7, size=60), return_inverse=True)[1], rng.random(60) < 0.5
    for column, are_names in ((pd.Categorical(codes), True), (codes.astype(float), False)):
        tree = CARTClassifier(max_depth=1).fit(pd.DataFrame({"x": column}), y).tree_
        found = KNOWN["best_gain"](codes, y[None].astype(float), are_names)
        assert found == pytest.approx(tree.gain[:1])


def test_a_feature_that_is_never_asked_has_nothing():
    X, _ = drawn(0)
    model = CARTRegressor(max_depth=2).fit(X[["a"]].assign(b=0.0), X["a"])

    class Shares:
        def predict_proba(self, X):
            return np.column_stack([X["a"] * 0, model.predict(X)])

    parts = divided(WAYS["interventional"], Shares(), X[["a"]].assign(b=X["b"]), 3)
    assert parts[1] == 0
    assert parts[0] == pytest.approx(model.predict(X[["a"]].assign(b=0.0).iloc[[3]])[0] - X["a"].mean())
