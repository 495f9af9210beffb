"""The code of the chapter on boosting, on other tables, against scikit-learn and what XGBoost has printed."""

import json
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import AdaBoostClassifier, GradientBoostingClassifier, GradientBoostingRegressor
from sklearn.tree import DecisionTreeClassifier

from dtlib import CARTClassifier, CARTRegressor
from dtlib.datasets import load_regression_points, load_watermelon
from dtlib.prune import best_subtree
from tests.book.notebooks import NUMBERED, load
from tests.drawn import seeds

RECORDED = json.loads((Path(__file__).parent / "boosted.json").read_text(encoding="utf-8"))
POINTS, MELONS = load_regression_points(), load_watermelon("3.0")
PLANE, GOOD = MELONS.X[["density", "sugar"]], (MELONS.y == "yes").to_numpy()
(CHAPTER,) = [path for path in NUMBERED if path.stem.endswith("_boosting")]
CODE = {cell.id: cell.source for cell in load(CHAPTER).code}
SEEDS = seeds(3)


def of_chapter(cell, **names):
    """Run a cell of the chapter, and return the names it leaves."""
    known = {"np": np, "pd": pd, "CARTRegressor": CARTRegressor, "CARTClassifier": CARTClassifier, **names}
    exec(compile(CODE[cell], cell, "exec"), known)
    return known


def drawn(seed, n=60):
    """Return rows of continuous features, which no two cuts divide alike, and numbers."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    return X, X[:, 0] * X[:, 1] + X[:, 2] + rng.normal(0, 0.5, n)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("depth", "rate"), [(1, 1.0), (2, 0.3)])
def test_the_twenty_lines_are_scikit_learns(seed, depth, rate):
    chapter = of_chapter("twenty-boost")
    X, y = drawn(seed)
    ours = chapter["ask"](chapter["boost"](X, y, 15, rate, max_depth=depth), X, y.mean(), rate)
    settings = {"n_estimators": 15, "learning_rate": rate, "max_depth": depth, "random_state": seed}
    assert ours == pytest.approx(GradientBoostingRegressor(**settings).fit(X, y).predict(X))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_round_takes_what_the_formula_says(seed):
    X, y = drawn(seed)
    for rate in (0.1, 0.5, 1.0):
        settings = {"n_estimators": 6, "learning_rate": rate, "max_depth": 2, "random_state": 0}
        F = [np.full(len(y), y.mean()), *GradientBoostingRegressor(**settings).fit(X, y).staged_predict(X)]
        for before, after in pairwise(F):
            took = ((y - before) ** 2).sum() - ((y - after) ** 2).sum()
            leaves = (after - before) / rate  # each says the mean residual of its rows
            assert took == pytest.approx(rate * (2 - rate) * (leaves**2).sum())


@pytest.mark.parametrize("seed", SEEDS)
def test_classes_are_scikit_learns(seed):
    """Of many rows, with one question: cuts of few rows of 0 and 1 tie, and scikit-learn may take another."""
    X, y = drawn(seed, 300)
    good = y > np.median(y) / 2
    ours = of_chapter("slope-classes")["boost_classes"](X, good, 10, 0.3, max_depth=1)
    settings = {"n_estimators": 10, "learning_rate": 0.3, "max_depth": 1, "random_state": seed}
    theirs = GradientBoostingClassifier(**settings).fit(X, good)
    assert ours == pytest.approx(theirs.decision_function(X))


def worth(u, v, lam):
    """Return what a leaf takes away, twice."""
    return u.sum() ** 2 / (v.sum() + lam)


def by_prices(x, r, lam, gamma, depth=2):
    """Grow a tree by the gain with a price of large answers, and cut two leaves that gain less than gamma."""
    cuts = [
        (worth(r[:k], r[:k] ** 0, lam) + worth(r[k:], r[k:] ** 0, lam) - worth(r, r**0, lam), k)
        for k in range(1, len(x))
    ]
    gain, k = max(cuts, default=(0.0, 0), key=lambda cut: round(cut[0], 9))
    if not depth or gain <= 1e-6:
        return r.sum() / (len(r) + lam)
    sides = [by_prices(x[part], r[part], lam, gamma, depth - 1) for part in (slice(k), slice(k, None))]
    both_are_leaves = not any(isinstance(side, tuple) for side in sides)
    return r.sum() / (len(r) + lam) if both_are_leaves and gain < gamma else (gain, *sides)


def level_by_level(tree):
    """Yield what each node says, from the top: a gain or an answer."""
    level = [tree]
    while level:
        yield from (node[0] if isinstance(node, tuple) else node for node in level)
        level = [side for node in level if isinstance(node, tuple) for side in node[1:]]


@pytest.mark.parametrize("asked", RECORDED["trees"], ids=lambda t: f"{t['table']} {t['lambda']} {t['gamma']}")
def test_xgboosts_trees_are_those_of_the_two_prices(asked):
    y = {"points": POINTS.y.to_numpy(), "bump": np.array([0.0, 2.0, 0.0, 0.0])}[asked["table"]]
    base = y.mean() if asked["table"] == "points" else 0.5
    if asked["table"] == "bump":
        y, base = y + 0.5, (y + 0.5).mean()
    tree = by_prices(np.arange(len(y)), y - base, asked["lambda"], asked["gamma"])
    theirs = [node["gain"] for node in asked["nodes"]]
    assert list(level_by_level(tree)) == pytest.approx(theirs, abs=1e-5)


@pytest.mark.parametrize("lam", [0.0, 1.0])
def test_the_first_question_has_the_gain_of_the_chapter(lam):
    """The chapter's gain has the half of the paper, which the program leaves out."""
    names = of_chapter("gain-formula") | {"X": POINTS.X, "y": POINTS.y, "start": POINTS.y.mean()}
    chapter = of_chapter("gain-cuts", **names)
    first = next(t for t in RECORDED["trees"] if (t["table"], t["lambda"]) == ("points", lam))["nodes"][0]
    found = chapter["gain"](chapter["U"], chapter["V"], lam).max()
    assert 2 * found == pytest.approx(first["gain"], abs=1e-5)


def test_gamma_is_the_price_of_a_leaf_but_where_a_question_gains_less_than_those_below_it():
    ten = CARTRegressor(max_depth=2).fit(POINTS.X, POINTS.y).tree_
    four = CARTRegressor(max_depth=2).fit(pd.DataFrame({"x": [1, 2, 3, 4]}), [0.0, 2.0, 0.0, 0.0]).tree_
    leaves = {
        (t["table"], t["gamma"]): sum(node["leaf"] for node in t["nodes"])
        for t in RECORDED["trees"] if t["lambda"] == 0
    }  # fmt: skip
    for (table, gamma), found in leaves.items():
        ours = best_subtree(ten if table == "points" else four, gamma).n_leaves
        otherwise = table == "bump" and 1.5 <= gamma <= 2
        assert (found == ours) == (not otherwise), (table, gamma)
    assert leaves["bump", 1.7] == 3
    assert best_subtree(four, 1.7).n_leaves == 1


@pytest.mark.parametrize("depth", [1, 2])
def test_xgboosts_sums_of_trees_are_carts_of_weighted_numbers(depth):
    """Without a price, from u / v with the weights v."""
    source = CODE["gain-newton"].replace("max_depth=1", f"max_depth={depth}")
    known = {"np": np, "CARTRegressor": CARTRegressor, "plane": PLANE, "good": GOOD}
    exec(compile(source, "gain-newton", "exec"), known)
    assert known["F"] == pytest.approx(RECORDED["melons"][str(depth)], abs=1e-5)


@pytest.mark.parametrize("seed", SEEDS)
def test_adaboost_is_scikit_learns_and_keeps_its_bound(seed):
    X, y = drawn(seed)
    good = y > 0
    found = of_chapter("adaboost-rounds", plane=X, good=good)["lines"]
    stump = DecisionTreeClassifier(max_depth=1, random_state=seed)
    ada = AdaBoostClassifier(stump, n_estimators=len(found)).fit(X, good)
    e, c, cost, product_, wrong = np.transpose(list(found.values()))
    assert e == pytest.approx(ada.estimator_errors_)
    assert c == pytest.approx(ada.estimator_weights_ / 2)
    assert cost == pytest.approx(product_)
    assert (wrong <= product_).all()
    assert wrong[-1] == pytest.approx((ada.predict(X) != good).mean())


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_depth_bounds_the_order_of_interactions(depth):
    """The signed corners of a box in one feature more add up to 0; in as many features they need not."""
    X = np.array(list(product((0, 1, 2), repeat=4)), float)
    y = X.prod(axis=1) + X[:, 0] * X[:, 1]
    sum_of_trees = GradientBoostingRegressor(n_estimators=40, max_depth=depth, random_state=0).fit(X, y)
    for features in (depth + 1, depth):
        corners = np.array(list(product((0, 2), repeat=features)), float)
        rows = np.full((len(corners), 4), 1.0)
        rows[:, :features] = corners
        signs = (-1.0) ** (corners > 0).sum(axis=1)
        signed = (signs * sum_of_trees.predict(rows)).sum()
        assert (abs(signed) < 1e-9) == (features > depth)
