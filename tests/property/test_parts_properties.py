"""Rows with holes on their way down, each in its own fractions: the nodes say what they add up to."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest

from dtlib import C45Classifier, CARTClassifier, CARTRegressor
from dtlib.counting.criteria import criterion_of
from dtlib.growing.missing import weight_quantum
from dtlib.growing.training_rows import training_parts
from dtlib.measures import variance
from dtlib.tree.tree import Tree
from tests.criteria import criteria_of
from tests.drawn import seeds

MISSING_POLICIES = ("stay", "majority", "fractional")
IMPURITY = {c.name: c.impurity for c in map(criterion_of, criteria_of(CARTClassifier)) if c.is_decrease}
MISSING, NAMELESS = -1, -2
FractionalInstances = dict[int, Fraction]  # the weight of each row at a node


def drawn(seed: int) -> tuple[pd.DataFrame, np.ndarray, np.ndarray]:
    """Draw names, names in an order and numbers, with holes; classes; weights."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(5, 40))
    X = pd.DataFrame(
        {
            "a": pd.Series(rng.choice(list("uvwx"), n), dtype=object),
            "p": rng.integers(0, 5, n) / 2,
            "o": pd.Categorical(rng.choice(list("SML"), n), categories=list("SML"), ordered=True),
        }
    )
    y = np.where(rng.random(n) < 0.3, rng.integers(0, 3, n), (X["p"] > 1) * 1)
    return X.mask(rng.random(X.shape) < rng.choice([0.1, 0.4])), y, rng.choice([1.0, 2.0, 0.75, 3.0], n)


def grown(seed: int, way: str, **limits: Any) -> tuple[Tree, np.ndarray, np.ndarray]:
    """Grow a tree by settings that the seed draws; return it with the truth and the weights of the rows."""
    X, y, weight = drawn(seed)
    rng = np.random.default_rng([seed, 1])
    given: dict[str, Any] = {"max_depth": 4, "missing": way} | limits
    if rng.random() < 0.2 and not limits:
        tree = CARTRegressor(**given).fit(X, y.astype(float), weight).tree_
    elif rng.random() < 0.4 and way != "stay" and not limits:
        tree = C45Classifier(**given, min_samples_leaf=1).fit(X, y, weight).tree_
    else:
        criterion = str(rng.choice(list(IMPURITY)))
        tree = CARTClassifier(**given, criterion=criterion).fit(X, y, weight).tree_
    return tree, y, weight


def branch_of(tree: Tree, node: int, row: int) -> int:
    """Return the branch of a training row at a node, -1 if its answer is missing, -2 if that has none."""
    data, f = tree.training, int(tree.feature[node])
    code = int(data.codes[f, row])
    if code < 0:
        return MISSING
    if not np.isnan(tree.threshold[node]):
        return int((data.numbers[f][code] if f in data.numbers else code) > tree.threshold[node])
    first = tree._first_value[node]
    here = slice(first, first + tree.n_values[node])
    return dict(zip(tree.code[here].tolist(), tree.branch[here].tolist(), strict=True)).get(code, NAMELESS)


def sent(
    tree: Tree, node: int, parts: FractionalInstances, way: str
) -> tuple[list[FractionalInstances], FractionalInstances]:
    """Send the rows of a node on; return what comes to each branch, and the rows whose answer is known."""
    goes = {row: branch_of(tree, node, row) for row in parts}
    known = {row: part for row, part in parts.items() if goes[row] >= 0}
    below: list[FractionalInstances] = [{} for _ in range(int(tree.children[node]))]
    for row, part in known.items():
        below[goes[row]][row] = part
    sizes = [sum(part.values(), Fraction(0)) for part in below]
    for row in (row for row in parts if goes[row] == MISSING):
        if way == "majority":
            below[sizes.index(max(sizes))][row] = parts[row]
        elif way == "fractional":
            for branch, size in zip(below, sizes, strict=True):
                if size:
                    branch[row] = parts[row] * size / sum(sizes)
    return below, known


def classes(parts: FractionalInstances, y: np.ndarray, K: int) -> list[float]:
    """Return the weight of each class among parts of rows."""
    return [float(sum((part for row, part in parts.items() if y[row] == k), Fraction(0))) for k in range(K)]


def spread(tree: Tree, parts: FractionalInstances, y: np.ndarray) -> float:
    """Return the impurity of parts of rows times their weight."""
    weight = [float(part) for part in parts.values()]
    if not tree.is_classifier:
        return sum(weight) * float(variance(y[list(parts)].astype(float), weight))
    return sum(weight) * float(IMPURITY[tree.criterion](classes(parts, y, 3)))


@pytest.mark.parametrize("way", MISSING_POLICIES)
def test_nodes_have_the_fractions_that_were_sent_to_them(way):
    parted = 0
    for seed in seeds(15):
        tree, y, weight = grown(seed, way)
        unit = Fraction(weight_quantum(weight.sum()))
        if way == "fractional":  # parts are not parted for ever
            assert (tree.n[tree.feature >= 0] >= 2 * weight.min()).all()
        at = {0: {row: Fraction(w) for row, w in enumerate(weight)}}
        for node in range(tree.node_count):
            parts = at[node]
            n = float(sum(parts.values(), Fraction(0)))
            rows, part = training_parts(tree, node)
            assert sorted(rows.tolist()) == sorted(parts)
            assert part == pytest.approx([float(parts[row]) for row in rows.tolist()], abs=1e-12)
            assert all((Fraction(x) / unit).denominator == 1 for x in part)
            assert tree.n[node] == pytest.approx(n, abs=1e-12)
            if tree.is_classifier:
                assert tree.counts[node] == pytest.approx(
                    [x for k, x in enumerate(classes(parts, y, 3)) if k in y], abs=1e-12
                )
            assert tree.impurity[node] * n == pytest.approx(spread(tree, parts, y), abs=1e-12)
            if tree.feature[node] < 0:
                continue
            below, known = sent(tree, node, parts, way)
            at |= {int(tree.first_child[node]) + k: branch for k, branch in enumerate(below)}
            rest = [{row: branch[row] for row in branch if row in known} for branch in below]
            gain = spread(tree, known, y) - sum(spread(tree, branch, y) for branch in rest)
            assert tree.gain[node] * n == pytest.approx(gain, abs=1e-9)
            parted += way == "fractional" and any(x != w for x, w in zip(part, weight[rows], strict=True))
    assert parted or way != "fractional"
