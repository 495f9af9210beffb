"""The criteria of the library, and one that it does not have: twoing, a rule that is no impurity."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest

from dtlib import CARTClassifier, ID3Classifier, ObliqueTreeClassifier, Tree
from dtlib.counting.criteria import CRITERIA, Criterion, criterion_of, names_of
from dtlib.counting.score import OfTables
from dtlib.counting.targets import ClassificationTarget, RegressionTarget, Totals
from dtlib.dialects.rpart_and_sklearn import CARTDialect
from dtlib.growing.by_score import ByScore, grow_by_score
from dtlib.growing.depth_first import kind_of_score
from dtlib.measures import gini
from dtlib.out_of_core import grow_from
from dtlib.out_of_core.batches import Batches
from dtlib.out_of_core.intervals import impure_weight
from dtlib.prune import pruning_path, risk
from dtlib.search.rules import RatioRules, Rules
from dtlib.table.columns import Column, Feature
from tests.drawn import seeds


def twoing(table: Any) -> Any:
    """Return p_L p_R / 4 (sum over the classes of |p(k|L) - p(k|R)|)^2 of tables (..., 2, K)."""
    n = np.asarray(table, float)
    size = n.sum(-1)
    shares = n / np.maximum(size, 1e-300)[..., None]
    apart = np.abs(shares[..., 0, :] - shares[..., 1, :]).sum(-1)
    part = size / size.sum(-1, keepdims=True)
    return part[..., 0] * part[..., 1] / 4 * apart**2


TWOING = Criterion("twoing", "classes", impurity=gini, goodness=twoing)


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let CART know twoing."""
    monkeypatch.setitem(CRITERIA, "twoing", TWOING)
    declared = CARTClassifier._declared
    monkeypatch.setitem(declared, "criterion", (*declared["criterion"], "twoing"))  # type: ignore[misc]


def drawn(seed: int, categories: int = 4) -> tuple[pd.DataFrame, np.ndarray, np.ndarray]:
    """Draw numbers, categories, four classes and weights."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"x": rng.integers(0, 8, 60) / 2, "z": rng.normal(size=60)})
    if categories:
        X["color"] = rng.choice(list("abcdefgh")[:categories], 60)
    y = (X["x"] + rng.integers(0, 3, 60)).to_numpy().astype(int) % 4
    return X, np.array(["no", "maybe", "yes", "so"])[y], rng.integers(1, 4, 60).astype(float)


def sides(x: pd.Series) -> Iterator[np.ndarray]:
    """Yield each way to send the rows of a column to two branches: where the first one's are."""
    values = sorted(set(x))
    if x.dtype.kind == "f":
        yield from ((x <= value).to_numpy() for value in values[:-1])
        return
    for size in range(len(values) - 1):
        yield from (x.isin([values[0], *more]).to_numpy() for more in combinations(values[1:], size))


def worth(y: np.ndarray, w: np.ndarray, left: np.ndarray) -> float:
    """Return the twoing of a split, by the formula and row by row."""
    n, one, other = w.sum(), w[left].sum(), w[~left].sum()
    apart = sum(abs(w[left & (y == k)].sum() / one - w[~left & (y == k)].sum() / other) for k in np.unique(y))
    return float(one / n * other / n / 4 * apart**2)


def found_by_hand(X: pd.DataFrame, y: np.ndarray, w: np.ndarray) -> list[tuple[int, ...]]:
    """Return the rows of all nodes of the tree that twoing grows, by trying every split."""
    todo, nodes = [np.arange(len(y))], list[tuple[int, ...]]()
    while todo:
        rows = todo.pop()
        nodes.append(tuple(rows.tolist()))
        best: tuple[float, np.ndarray | None] = 1e-10, None
        for left in (left for name in X for left in sides(X[name].iloc[rows])):
            if (value := worth(y[rows], w[rows], left)) > best[0] + 1e-10:
                best = value, left
        if best[1] is not None:
            todo += [rows[best[1]], rows[~best[1]]]
    return sorted(nodes)


@pytest.mark.parametrize("seed", seeds(8))
@pytest.mark.parametrize("weighted", [False, True])
def test_twoing_grows_the_tree_that_trying_every_split_gives(seed: int, weighted: bool) -> None:
    X, y, w = drawn(seed, categories=4 * (seed % 2))
    w = w if weighted else np.ones(60)
    model = CARTClassifier(criterion="twoing").fit(X, y, w)
    visits = np.asarray(model.decision_path(X).todense())
    assert sorted(tuple(np.flatnonzero(column).tolist()) for column in visits.T) == found_by_hand(X, y, w)
    assert model.tree_.gain[0] == pytest.approx(
        max(worth(y, w, left) for name in X for left in sides(X[name])), rel=1e-12
    )


def test_it_is_the_tree_of_no_other_criterion_and_reports_its_impurity() -> None:
    others = [name for name in CRITERIA if CRITERIA[name].of_classes and name != "twoing"]
    trees = [CARTClassifier(criterion=name).fit(*drawn(3)).tree_ for name in ("twoing", *others)]
    assert all(tree.rules().to_dict() != trees[0].rules().to_dict() for tree in trees[1:])
    tree = trees[0]
    assert tree.impurity.tolist() == pytest.approx(gini(tree.counts).tolist())  # type: ignore[union-attr]
    np.testing.assert_allclose(risk(tree, "impurity"), tree.n * gini(tree.counts))
    assert pruning_path(tree, "impurity").leaves[-1] == 1


def test_numpy_grows_it_and_says_why(caplog: pytest.LogCaptureFixture) -> None:
    X, y, w = drawn(1, categories=0)
    with caplog.at_level(logging.DEBUG, logger="dtlib"):
        CARTClassifier(criterion="twoing").fit(X, y, w)
    assert "grown level by level: criterion 'twoing', which is not compiled" in caplog.text
    target = ClassificationTarget([Column("y", ("a", "b"), np.array([0, 1]))], None, "twoing")
    with pytest.raises(ValueError, match="criterion 'twoing' is not compiled"):
        kind_of_score(target)
    totals = Totals(np.array([2]), [np.array([1])], np.array([2]))
    assert target.max_gain(totals, np.array([0.5]))[0].tolist() == [1.0]  # N times the impurity


def test_explain_lists_the_twoing_of_each_candidate() -> None:
    X, y, w = drawn(2)
    tree = CARTClassifier(criterion="twoing", max_depth=2, keep_data=True).fit(X, y, w).tree_
    table = tree.explain(0)
    best = [max(worth(y, w, left) for left in sides(X[name])) for name in table["feature"]]
    assert table["gain"].tolist() == pytest.approx(best)
    chosen = table[table["chosen"]].iloc[0]
    assert chosen["gain"] == table["gain"].max() == pytest.approx(tree.gain[0])
    assert chosen["reason"] == "largest gain"
    children = tree.counts[1:3]
    assert chosen["impurity"] == pytest.approx(np.average(gini(children), weights=children.sum(1)))
    assert len(tree.explain(0, "color")) == 2**3 - 1


def test_it_is_written_and_read() -> None:
    X, y, w = drawn(4)
    model = CARTClassifier(criterion="twoing").fit(X, y, w)
    tree, said = model.tree_, model.predict(X).tolist()
    assert Tree.from_json(tree.to_json()) == tree
    functions: dict[str, Any] = {}
    exec(tree.to_python(), functions)
    assert [functions["predict"](row) for row in X.to_dict("records")] == said
    with closing(sqlite3.connect(":memory:")) as connection:
        X.to_sql("t", connection, index=False)
        assert [row[-1] for row in connection.execute(tree.to_sql("t"))] == said


def test_scikit_learn_gets_it_only_under_a_name_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y, w = drawn(5, categories=0)
    model = CARTClassifier(criterion="twoing").fit(X.to_numpy(np.float32), y, w)
    with pytest.raises(ValueError, match="criterion is 'twoing', which scikit-learn does not have"):
        model.tree_.to_sklearn()
    monkeypatch.setitem(CRITERIA, "twoing", replace(TWOING, sklearn="gini"))
    written = model.tree_.to_sklearn()
    assert written.criterion == "gini"
    assert written.predict(X.to_numpy(np.float32)).tolist() == model.predict(X.to_numpy(np.float32)).tolist()
    assert sorted(written.tree_.impurity) == pytest.approx(sorted(model.tree_.impurity))


def test_who_does_not_know_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y, _ = drawn(6, categories=0)
    for other in (ID3Classifier, ObliqueTreeClassifier):
        with pytest.raises(ValueError, match="criterion is 'twoing'; wanted one of"):
            other(criterion="twoing").fit(X, y)
    rounding = CARTClassifier(criterion="twoing", dialect=CARTDialect(ties="rounding"))
    with pytest.raises(ValueError, match="ties='rounding' does as rpart does, but criterion is 'twoing'"):
        rounding.fit(X, y)
    source = Batches([X.assign(y=y)], "y")
    with pytest.raises(ValueError, match=r"criterion is 'twoing', which needs the rows.*'misclassification'"):
        grow_from(source, CARTClassifier(criterion="twoing"))
    with pytest.raises(ValueError, match="criterion 'twoing' is not known from counts"):
        impure_weight(np.array([[1, 2]]), "twoing")
    tree = CARTClassifier(criterion="twoing").fit(X, y).tree_
    data = CARTClassifier(keep_data=True).fit(drawn(6)[0], y).tree_.grown_from
    with pytest.raises(ValueError, match="criterion 'twoing' scores two branches together"):
        grow_by_score(data, Rules(criterion="twoing", nominal="multiway"))
    written = tree.to_json()
    monkeypatch.delitem(CRITERIA, "twoing")
    with pytest.raises(ValueError, match="criterion is 'twoing', wanted one of"):
        Tree.from_json(written)


@pytest.mark.parametrize("nominal", ["multiway", "subset", "one_vs_rest"])
@pytest.mark.parametrize("outputs", [1, 2, 3])
def test_an_impurity_alone_is_a_criterion(
    nominal: str, outputs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a scorer, a total or a kernel, the Gini index grows the tree that it grows with them."""
    monkeypatch.setitem(CRITERIA, "twin", Criterion("twin", "classes", impurity=gini))
    for seed in range(3):
        X, y, w = drawn(seed, categories=6)
        both = np.stack([y, np.roll(y, 1), np.repeat("one", 60)], axis=1)[:, :outputs]
        data = CARTClassifier(keep_data=True).fit(X, both if outputs > 1 else y, w).tree_.grown_from
        trees = [grow_by_score(data, Rules(criterion=name, nominal=nominal)) for name in ("gini", "twin")]
        assert trees[0].rules().to_dict() == trees[1].rules().to_dict()
        np.testing.assert_allclose(trees[0].gain, trees[1].gain, atol=1e-12)


@pytest.mark.parametrize("name", names_of("classes"))
def test_all_that_is_said_of_a_criterion_of_classes_agrees(name: str) -> None:
    """Its impurity, its total, its scorer and the formula of a split are one."""
    rng, criterion = np.random.default_rng(0), criterion_of(name)
    assert criterion.impurity is not None
    for K in (2, 3, 5):
        y = rng.integers(0, K, 40)
        target = ClassificationTarget([Column("y", tuple(range(K)), y)], None, name)
        whole = np.bincount(y, minlength=K) * 1.0
        left = np.array([np.bincount(y[:i], minlength=K) for i in range(1, 40)])
        tables = np.stack([left, whole - left], axis=1)
        np.testing.assert_allclose(criterion.unchecked(whole), criterion.impurity(whole))
        total = criterion.impure_weight(list(whole), np.asarray(40))
        np.testing.assert_allclose(total, 40 * criterion.impurity(whole))
        node = Totals(np.full(39, 40), [np.full(39, c) for c in whole[1:]], np.full(39, 40))
        for scorer in (target.scorer, OfTables(target)):
            assert scorer is not None
            score = scorer.cuts(left.sum(1), node)(list(left.T[1:]))
            np.testing.assert_allclose(score, 40 * criterion.worth(tables.astype(float)), atol=1e-9)
            part = Totals(left.sum(1), list(left.T[1:]), left.sum(1))
            np.testing.assert_allclose(scorer.two_branches(part, node), score, atol=1e-9)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Criterion("x", "ranks"), "target of criterion 'x' is 'ranks'; wanted one of"),
        (lambda: Criterion("x", "classes", kernel="cubes"), "kernel of criterion 'x' is 'cubes'"),
        (lambda: Criterion("x", "numbers", center="mode"), "center of criterion 'x' is 'mode'"),
        (lambda: criterion_of("chaos"), "criterion is 'chaos', wanted one of"),
        (lambda: Rules(criterion="chaos"), "criterion is 'chaos', wanted one of"),
        (lambda: Rules(missing="mean"), "missing is 'mean', wanted one of"),
        (lambda: Rules(nominal="three"), "nominal is 'three'; wanted one of"),
        (lambda: RatioRules(missing="mean"), "missing is 'mean', wanted one of"),
        (lambda: RatioRules(choose_by="luck"), "choose_by is 'luck', wanted"),
        (lambda: Feature("x", (), "cyclic"), "the kind of 'x' is 'cyclic'"),  # type: ignore[arg-type]
        (lambda: ClassificationTarget([Column("y", (0,), np.zeros(2, int))], None, "squared_error"),
         "criterion is 'squared_error', by which no tree grows that predicts classes"),
        (lambda: RegressionTarget([Column("y", [1.0], np.zeros(2, int), "numeric")], None, "gini"),
         "criterion is 'gini', by which no tree grows that predicts numbers"),
    ],
)  # fmt: skip
def test_what_is_unknown_is_refused_where_it_comes_in(make: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()


def test_a_tree_refuses_what_it_does_not_know() -> None:
    tree = CARTClassifier().fit(*drawn(0)).tree_
    for change in ({"criterion": "chaos"}, {"missing": "mean"}, {"unseen": "guess"}):
        with pytest.raises(ValueError, match=next(f"{name} is '{x}', wanted" for name, x in change.items())):
            replace(tree, **change)  # type: ignore[arg-type]


def test_a_criterion_that_no_engine_measures_is_refused() -> None:
    data = CARTClassifier(keep_data=True).fit(*drawn(0)).tree_.grown_from
    numbers = replace(data, targets=(Column("y", np.arange(60.0), np.arange(60), "numeric"),))
    for name, how, message in (
        ("standard_deviation", "multiway", "'standard_deviation' has no thresholds of numeric features"),
        ("standard_deviation", "subset", "has no splits of categories with nominal='subset'"),
        ("absolute_error", "multiway", "has no splits of categories with nominal='multiway'"),
    ):
        rules = Rules(criterion=name, nominal=how)
        with pytest.raises(ValueError, match=message):
            grow_by_score(numbers, rules)
        with pytest.raises(ValueError, match="has no standard deviation: wanted min_variation=0"):
            ByScore(numbers, replace(rules, criterion="absolute_error", min_variation=0.1)).describe()
