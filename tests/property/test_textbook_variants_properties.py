"""Variants that textbooks teach, beside a recursion in plain Python that follows the definition.

A branch for each value by the Gini index, the classification error, the standard deviation or the variance;
and the threshold of a number by gain ratio.
"""

from __future__ import annotations

import itertools
import math
import sqlite3
from collections import Counter
from contextlib import closing
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtlib import C45Classifier, CARTClassifier, ID3Classifier, ID3Regressor, Tree
from dtlib.dialects import C45Dialect
from dtlib.growing import by_ratio
from dtlib.out_of_core import Batches, Database, grow_from
from dtlib.tree.node import Node
from tests.criteria import criteria_of
from tests.drawn import examples

EQUAL = 1e-10  # relative to the impurity of the node, as in dtlib.search.level
Row = tuple[tuple[str, ...], Any, float]  # the names, what is to be predicted, the weight


def impurity(rows: list[Row], criterion: str) -> float:
    """Return the impurity of some rows."""
    n = math.fsum(w for _, _, w in rows)
    if criterion in ("standard_deviation", "squared_error"):
        exact = [(Fraction(float(y)), Fraction(float(w))) for _, y, w in rows]
        mean = sum(w * y for y, w in exact) / sum(w for _, w in exact)
        square = float(sum(w * (y - mean) ** 2 for y, w in exact) / sum(w for _, w in exact))
        return math.sqrt(square) if criterion == "standard_deviation" else square
    weights_of = Counter[Any]()
    for _, y, w in rows:
        weights_of[y] += w
    shares = {y: w / n for y, w in weights_of.items()}
    if criterion == "gini":
        return 1 - math.fsum(p * p for p in shares.values())
    if criterion == "misclassification":
        return 1 - max(shares.values())
    return -math.fsum(p * math.log2(p) for p in shares.values())


def gain_of(rows: list[Row], f: int, criterion: str) -> float:
    """Return the decrease by a branch for each value."""
    n, left = math.fsum(w for _, _, w in rows), impurity(rows, criterion)
    for value in {x[f] for x, _, _ in rows}:
        part = [row for row in rows if row[0][f] == value]
        left -= math.fsum(w for _, _, w in part) / n * impurity(part, criterion)
    return left


def by_definition(rows: list[Row], names: list[str], model: Any, asked: tuple[int, ...] = ()) -> Any:
    """Return the tree as nested dicts: the feature asked, and what is below each value; a leaf is None."""
    here, criterion = impurity(rows, model.criterion), model.criterion
    n = math.fsum(w for _, _, w in rows)
    if len({y for _, y, _ in rows}) == 1 or n < getattr(model, "min_samples_split", 0):
        return None
    if getattr(model, "min_variation", 0):
        mean = abs(math.fsum(w * y for _, y, w in rows) / n)
        spread = here if criterion == "standard_deviation" else math.sqrt(here)
        if spread < model.min_variation * mean * (1 - 1e-12):
            return None
    gains = {
        f: gain_of(rows, f, criterion)
        for f in range(len(names))
        if f not in asked and len({x[f] for x, _, _ in rows}) > 1
    }
    best = max(gains.values(), default=-1.0)
    if best <= EQUAL * here or best < model.min_gain - EQUAL * here:
        return None
    first = min(f for f, gain in gains.items() if gain >= best - EQUAL * here)
    values = sorted({x[first] for x, _, _ in rows})
    parts = {value: [row for row in rows if row[0][first] == value] for value in values}
    return names[first], {v: by_definition(part, names, model, (*asked, first)) for v, part in parts.items()}


def as_grown(node: Node) -> Any:
    """Return a tree in the same form, without the branches that no row takes."""
    if node.is_leaf:
        return None
    return node.feature, {child.branch: as_grown(child) for child in node.children if child.n}


def tables(draw: Any) -> tuple[pd.DataFrame, np.random.Generator]:
    """Draw names in columns, of which some are alike."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n, d = draw(st.sampled_from([1, 2, 5, 9, 20, 60])), draw(st.integers(1, 4))
    X = pd.DataFrame({f"x{f}": rng.choice(list("abcd")[: rng.integers(1, 5)], n) for f in range(d)})
    if draw(st.booleans()):
        X["twin"] = X["x0"].map({"a": "d", "b": "c", "c": "b", "d": "a"})
    return X.astype("category"), rng


def weights(draw: Any, rng: np.random.Generator, n: int) -> np.ndarray | None:
    """Draw weights, or none."""
    how = draw(st.sampled_from(["none", "whole", "parts", "some"]))
    some = np.append(1, rng.integers(0, 2, n - 1))
    return {"none": None, "whole": rng.integers(1, 4, n), "parts": rng.integers(1, 9, n) / 8, "some": some}[
        how
    ]


def same_as_defined(model: Any, X: pd.DataFrame, y: np.ndarray, weight: np.ndarray | None) -> Tree:
    """Grow, and compare with the definition."""
    tree: Tree = model.fit(X, y, weight).tree_
    w = np.ones(len(X)) if weight is None else weight
    rows = [(tuple(x), a, float(b)) for x, a, b in zip(X.to_numpy(), y.tolist(), w, strict=True) if b]
    assert as_grown(tree.root) == by_definition(rows, list(X.columns), model)
    assert tree.root.impurity == pytest.approx(impurity(rows, model.criterion), rel=1e-12, abs=1e-15)
    if not tree.root.is_leaf:
        gain = gain_of(rows, list(X.columns).index(str(tree.root.feature)), model.criterion)
        assert tree.gain[0] == pytest.approx(gain, rel=1e-9, abs=1e-12)
    return tree


@pytest.mark.long
@examples(200)
@given(st.data(), st.sampled_from(criteria_of(ID3Classifier)), st.sampled_from([0, 0, 0.05]))
def test_classes_by_any_impurity(data: Any, criterion: str, min_gain: float) -> None:
    X, rng = tables(data.draw)
    y = rng.choice(list("pqr")[: rng.integers(1, 4)], len(X))
    model = ID3Classifier(min_gain, criterion=criterion)
    same_as_defined(model, X, y, weights(data.draw, rng, len(X)))


@pytest.mark.long
@examples(200)
@given(
    st.data(),
    st.sampled_from(["standard_deviation", "squared_error"]),
    st.sampled_from([0, 0, 0.3]),
    st.sampled_from([0, 4]),
    st.sampled_from([0.0, 0.1, 0.7]),
    st.sampled_from([1, 1e-60, 1e90]),
)
def test_numbers_by_the_decrease_of_their_deviation(
    data: Any, criterion: str, gain: float, split: float, variation: float, scale: float
) -> None:
    X, rng = tables(data.draw)
    y = rng.integers(-3, 9, len(X)) / data.draw(st.sampled_from([1, 3])) * scale
    model = ID3Regressor(
        criterion=criterion,
        min_gain=gain * (scale if criterion == "standard_deviation" else scale**2),
        min_samples_split=split,
        min_variation=variation,
    )
    weight = weights(data.draw, rng, len(X))
    tree = same_as_defined(model, X, y, weight)
    assert Tree.from_json(tree.to_json()) == tree
    names: dict[str, Any] = {}
    exec(tree.to_python(), names)
    assert [names["predict"](row) for row in X.to_dict("records")] == model.predict(X).tolist()
    order = rng.permutation(len(X))
    again = model.fit(X.iloc[order], y[order], None if weight is None else weight[order]).tree_
    assert again == tree
    assert again.gain.tolist() == tree.gain.tolist()


@examples(60)
@given(st.data())
def test_several_numbers_by_their_mean_deviation(data: Any) -> None:
    """Of an output twice, the tree is that of one; of two, the root's gain is the mean of both gains."""
    X, rng = tables(data.draw)
    y, z = rng.integers(0, 5, (2, len(X)))
    one, twice = ID3Regressor().fit(X, y).tree_, ID3Regressor().fit(X, np.stack([y, y], 1)).tree_
    assert (one.feature == twice.feature).all()
    assert np.allclose(one.gain, twice.gain, rtol=1e-12)
    both = ID3Regressor().fit(X, np.stack([y, z], 1)).tree_
    if not both.root.is_leaf:
        rows = [[(tuple(x), float(a), 1.0) for x, a in zip(X.to_numpy(), t, strict=True)] for t in (y, z)]
        f = list(X.columns).index(str(both.root.feature))
        wanted = np.mean([gain_of(some, f, "standard_deviation") for some in rows])
        assert both.gain[0] == pytest.approx(wanted, rel=1e-9, abs=1e-12)


# The threshold of a number


def cuts_of(
    x: np.ndarray, y: np.ndarray, w: np.ndarray, n: float, charge: bool
) -> list[tuple[float, float, float]]:
    """Return each threshold between numbers, its gain less the charge, and its gain ratio."""

    def bits(*parts: float) -> float:
        total = math.fsum(parts)
        return -math.fsum(p / total * math.log2(p / total) for p in parts if p)

    def within(which: np.ndarray) -> float:
        return float(w[which].sum()) * bits(*(float(w[which & (y == k)].sum()) for k in np.unique(y)))

    known = ~np.isnan(x)
    values = np.unique(x[known])
    tries = math.log2(max(len(values) - 1, 1)) / n if charge else 0.0
    found = []
    for a, b in itertools.pairwise(values):
        left, right = known & (x <= a), known & (x > a)
        gain = (within(known) - within(left) - within(right)) / n - tries
        parts = [float(w[part].sum()) for part in (left, right, ~known)]
        found.append(((a + b) / 2, gain, gain / bits(*parts)))
    return found


@examples(150)
@given(st.integers(0, 2**32), st.booleans(), st.sampled_from(["gain", "gain_ratio"]), st.booleans())
def test_a_threshold_has_the_largest_ratio(
    seed: int, charge: bool, criterion: str, has_missing_values: bool
) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.choice([2, 3, 6, 15, 40]))
    x, y, w = rng.integers(0, 8, n) / 2, rng.integers(0, 3, n), rng.integers(1, 4, n).astype(float)
    x = np.where(has_missing_values & (rng.random(n) < 0.2), np.nan, x)
    model = C45Classifier(
        criterion=criterion, average_gain=False, mdl_correction=charge, max_depth=1,
        dialect=C45Dialect(threshold_by="gain_ratio"),
    )  # fmt: skip
    tree = model.fit(pd.DataFrame({"x": x}), y, w).tree_
    cuts = cuts_of(x, y, w, float(w.sum()), charge)
    best = max((ratio for _, _, ratio in cuts), default=0.0)
    chosen = next((cut for cut in cuts if cut[2] >= best - EQUAL), None)
    if tree.root.is_leaf:
        assert chosen is None or chosen[1] <= 2 * EQUAL or tree.reason[0] == "pure" or w.sum() < 2 * w.min()
        return
    assert chosen is not None
    assert tree.threshold[0] == chosen[0]
    table = tree.explain(0, "x")
    assert table["gain_ratio"].tolist() == pytest.approx([ratio for *_, ratio in cuts], rel=1e-9, abs=1e-12)
    reasons = {
        True: {"equal gain ratio, but a later split"},
        False: {"smaller gain ratio"},
    }
    for (*_, ratio), line in zip(cuts, table.to_dict("records"), strict=True):
        if not line["chosen"]:
            assert line["reason"] in reasons[ratio >= best - EQUAL]


def test_the_ratio_prefers_an_uneven_threshold() -> None:
    """One row apart tells less than half of them, but is asked of few."""
    X, y = pd.DataFrame({"x": np.arange(10.0)}), list("bbbbabaaaa")
    found = {
        by: C45Classifier(max_depth=1, dialect=C45Dialect(threshold_by=by)).fit(X, y).tree_.threshold[0]
        for by in ("gain", "gain_ratio")
    }
    assert found["gain"] in (3.5, 5.5)
    cuts = cuts_of(X["x"].to_numpy(), np.array(y), np.ones(10), 10.0, False)
    assert found["gain_ratio"] == max(cuts, key=lambda cut: cut[2] - 1e-9 * cut[0])[0]


@pytest.mark.parametrize("is_there", [True, False])
def test_no_engine_takes_another_threshold(is_there: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    X, y = pd.DataFrame(rng.normal(size=(300, 3)), columns=list("abc")), rng.integers(0, 3, 300)
    trees = []
    for answer in (is_there, False):
        monkeypatch.setattr(by_ratio, "is_ready", lambda *_, answer=answer: answer)
        trees.append(C45Classifier(dialect=C45Dialect(threshold_by="gain_ratio")).fit(X, y).tree_)
    assert trees[0] == trees[1] != C45Classifier().fit(X, y).tree_


@pytest.mark.long
@examples(20)
@given(st.integers(0, 2**32))
def test_from_counts_the_same_trees(seed: int) -> None:
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "x": rng.integers(0, 9, 40) / 4,
            "name": rng.choice(list("pqr"), 40),
            "other": rng.choice(list("uv"), 40),
            "y": rng.choice(list("ab"), 40),
        }
    )
    ratio = C45Classifier(dialect=C45Dialect(threshold_by="gain_ratio"))
    for model, columns in ((ratio, ["x", "name"]), (ID3Classifier(criterion="gini"), ["name", "other"])):
        some = frame[[*columns, "y"]]
        grown = model.fit(some[columns], some["y"]).tree_
        with closing(sqlite3.connect(":memory:")) as base:
            some.to_sql("some", base, index=False)
            assert grow_from(Database(base, "some", "y"), model).tree_ == grown
        assert grow_from(Batches([some[:17], some[17:]], "y"), model).tree_ == grown


def test_two_names_split_as_cart_does() -> None:
    """With two values a branch for each is two groups; only then do both ask the same of a feature."""
    rng = np.random.default_rng(3)
    X = pd.DataFrame({f"x{f}": rng.choice(list("ab"), 60) for f in range(5)})
    y = rng.integers(0, 3, 60)
    many, two = ID3Classifier(criterion="gini").fit(X, y), CARTClassifier().fit(X, y)
    assert (many.tree_.feature == two.tree_.feature).all()
    assert many.tree_.gain.tolist() == pytest.approx(two.tree_.gain.tolist(), rel=1e-12)
