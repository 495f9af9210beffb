"""The plain algorithm, and the estimators held to it: the same tree wherever the best question is unique.

What is best is decided in exact fractions, and where logarithms come in to fifty digits.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Context, Decimal, localcontext
from fractions import Fraction
from functools import cache
from itertools import compress, pairwise, product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtlib import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier, plain
from dtlib.tree.node import Node
from dtlib.tree.splits import Multiway, Split, Subset, Threshold
from tests.drawn import mirrored, mirrors

DIGITS, EQUAL = 60, Decimal(10) ** -50
METHODS = {
    "ID3": (plain.choose_id3, ID3Classifier),
    "C4.5": (plain.choose_c45, C45Classifier),
    "CART": (plain.choose_cart, CARTClassifier),
    "regression": (plain.choose_regression, CARTRegressor),
}
Exact = Fraction | Decimal


class Drawn(NamedTuple):
    """A table: the features, and the columns `y` and `w`."""

    D: pd.DataFrame
    features: list[str]


@st.composite
def tables(draw: st.DrawFn, method: str) -> Drawn:
    """Draw a table of names and numbers (for ID3 of names), with classes or numbers, and weights."""
    how = draw(mirrors)
    n = draw(st.integers(1, 24 if how == "none" else 12))
    kinds = ["name"] if method == "ID3" else ["name", "number"]
    columns: dict[str, Any] = {}
    for f in range(draw(st.integers(1, 3))):
        values = draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
        if draw(st.sampled_from(kinds)) == "name":
            columns[f"x{f}"] = pd.Categorical(["abcd"[v] for v in values], categories=list("abcd"))
        else:
            columns[f"x{f}"] = np.array(values) / draw(st.sampled_from([1, 4]))
    y = draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))
    columns["y"] = [float(v) for v in y] if method == "regression" else [["no", "yes", "maybe"][v] for v in y]
    columns["w"] = draw(st.lists(st.sampled_from([1.0, 1.0, 2.0, 0.5, 0.75]), min_size=n, max_size=n))
    D = pd.DataFrame(columns)
    X, y, w = mirrored(how, D.iloc[:, :-2], D["y"].to_numpy(), D["w"].to_numpy())
    return Drawn(X.assign(y=y, w=w), list(X))


# What is best, exactly: in fractions, and where there are logarithms in Decimals of so many digits

Counts = dict[Any, Fraction]  # the weight of each class


@cache
def c_log_c(c: Fraction) -> Decimal:
    x = Decimal(c.numerator) / Decimal(c.denominator)
    return x * x.ln() if c else Decimal(0)


def spread(counts: Counts) -> Decimal:
    """Return the entropy of class weights times their sum, in nats."""
    return c_log_c(sum(counts.values(), Fraction(0))) - sum(map(c_log_c, counts.values()), Decimal(0))


def added(tables: Iterable[Counts]) -> Counts:
    total: Counts = {}
    for table in tables:
        for label, w in table.items():
            total[label] = total.get(label, Fraction(0)) + w
    return total


def left(counts: Counts, method: str) -> Exact:
    """Return the impurity of some rows times their weight."""
    if method in ("ID3", "C4.5"):
        return spread(counts)
    n = sum(counts.values(), Fraction(0))
    if method == "CART":
        return n - sum((c * c for c in counts.values()), Fraction(0)) / n
    total = sum((Fraction(y) * w for y, w in counts.items()), Fraction(0))
    return sum((Fraction(y) ** 2 * w for y, w in counts.items()), Fraction(0)) - total**2 / n


def questions(D: pd.DataFrame, A: str, method: str) -> dict[Split, list[Counts]]:
    """List the questions about a feature, with the class weights of each branch."""
    by_value: dict[Any, Counts] = {}
    for value, label, w in zip(D[A], D["y"], D["w"], strict=True):
        by_value[value] = added([by_value.get(value, {}), {label: Fraction(w)}])
    present = sorted(by_value)
    if D[A].dtype != "category":
        cuts = {Threshold(A, (a + b) / 2): ([v for v in present if v <= a]) for a, b in pairwise(present)}
    elif method in ("ID3", "C4.5"):
        whole = Multiway(A, tuple(D[A].cat.categories))
        return {whole: list(by_value.values())} if len(present) > 1 else {}
    else:
        sides = list(product((True, False), repeat=len(present) - 1))[1:]
        firsts = ([present[0], *compress(present[1:], side)] for side in sides)
        cuts = {Subset(A, (tuple(x), tuple(v for v in present if v not in x))): x for x in firsts}
    return {
        split: [added(by_value[v] for v in present if (v in first) == side) for side in (True, False)]
        for split, first in cuts.items()
    }


def equal(a: Exact, b: Exact) -> bool:
    return abs(a - b) <= EQUAL if isinstance(a, Decimal) else a == b


def best(D: pd.DataFrame, features: list[str], method: str) -> list[Split] | None:
    """List the questions that share the first place; none at a leaf; None where cuts of one feature tie."""
    listed = {split: branches for A in features for split, branches in questions(D, A, method).items()}
    node = added(({label: Fraction(w)} for label, w in zip(D["y"], D["w"], strict=True)))
    gains = {
        split: left(node, method) - sum((left(x, method) for x in branches[1:]), left(branches[0], method))
        for split, branches in listed.items()
    }
    if method == "C4.5":
        return by_ratio(listed, gains)
    most = max(gains.values(), default=Fraction(0))
    return [] if equal(most, most * 0) else [split for split, gain in gains.items() if equal(gain, most)]


def by_ratio(listed: dict[Split, list[Counts]], gains: dict[Split, Decimal]) -> list[Split] | None:
    zero, found = Decimal(0), dict[Split, Decimal]()
    for A in dict.fromkeys(split.feature for split in gains):
        own = {split: gain for split, gain in gains.items() if split.feature == A}
        most = max(own.values())
        first = [split for split, gain in own.items() if equal(gain, most)]
        if len(first) > 1 and not equal(most, zero):
            return None
        if isinstance(first[0], Multiway) or not equal(most, zero):
            found[first[0]] = most
    average = sum(found.values(), zero) / max(len(found), 1)
    sizes = {split: dict(enumerate(sum(x.values(), Fraction(0)) for x in listed[split])) for split in found}
    ratio = {split: gain / spread(sizes[split]) for split, gain in found.items() if gain >= average - EQUAL}
    most = max(ratio.values(), default=zero)
    return [] if equal(most, zero) else [split for split, r in ratio.items() if equal(r, most)]


# The two trees, side by side


def same(own: plain.PlainTree, node: Node, D: pd.DataFrame, features: list[str], method: str) -> None:
    """Require that a plain tree and a node of the library agree, down to where a tie was broken otherwise."""
    if isinstance(own.answer, float):
        assert own.answer == pytest.approx(node.prediction, rel=1e-12, abs=1e-12)
    else:
        assert own.answer == node.prediction
    firsts = best(D, features, method) if len(D) else []
    if firsts is None:
        return
    assert (own.split is None) == node.is_leaf == (not firsts)
    if own.split is None or node.split is None:
        return
    asked = node.split
    if isinstance(asked, Multiway) and method in ("CART", "regression"):
        asked = Subset(asked.feature, tuple((value,) for value in asked.values))
    assert own.split in firsts
    assert asked in firsts
    if own.split == asked:
        assert own.gain == pytest.approx(node.tree.gain[node.id], rel=1e-12, abs=1e-12)
        for below in zip(own.branches, node.children, plain.divide(D, own.split), strict=True):
            same(*below, features, method)


@pytest.mark.parametrize("method", METHODS)
@given(st.data())
def test_the_library_grows_the_plain_tree(method: str, data: st.DataObject) -> None:
    D, features = data.draw(tables(method))
    choose, estimator = METHODS[method]
    own = plain.grow(D, features, "y", choose, "w")
    model = estimator().fit(D[features], D["y"], sample_weight=D["w"])
    with localcontext(Context(prec=DIGITS)):
        same(own, model.tree_.root, D, features, method)


@pytest.mark.parametrize("method", METHODS)
def test_ties_are_seen(method: str) -> None:
    """Of two equal columns both are first, so that what the test above allows is not everything."""
    x = pd.Categorical(list("abab"))
    y = [0.0, 1.0, 0.0, 1.0] if method == "regression" else list("pqpq")
    D = pd.DataFrame({"x0": x, "x1": x, "x2": pd.Categorical(list("aabb")), "y": y, "w": 1.0})
    with localcontext(Context(prec=DIGITS)):
        firsts = best(D, ["x0", "x1", "x2"], method)
    assert firsts is not None
    assert [split.feature for split in firsts] == ["x0", "x1"]
