"""Every field of a tree survives each way of writing it; a field that is new is looked at by itself."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from dataclasses import MISSING, Field, fields, is_dataclass, replace
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest

from dtlib import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    LeafShares,
    ObliqueTreeClassifier,
    Tree,
)
from dtlib.datasets import load_golf, load_heart, load_loan, load_regression_points
from dtlib.search.surrogates import Surrogates
from dtlib.table.columns import Feature

#: What a tree was grown from, which no way of writing keeps: the docstring of `Tree` says so.
NOT_WRITTEN = ("training", "grown_by", "pruned_from", "steps")
WRITTEN = [field for field in fields(Tree) if field.name not in NOT_WRITTEN]
MISSING_POLICIES: dict[str, Callable[[Tree], Tree]] = {
    "dict": lambda tree: Tree.from_dict(tree.to_dict()),
    "JSON": lambda tree: Tree.from_json(tree.to_json()),
    "dict as text": lambda tree: Tree.from_dict(json.loads(json.dumps(tree.to_dict()))),
    "pickle": lambda tree: pickle.loads(pickle.dumps(tree)),
}


@cache
def trees() -> dict[str, Tree]:
    """Grow trees that have each field otherwise than by default."""
    golf, loan, points, heart = load_golf(), load_loan(), load_regression_points(), load_heart()
    X = heart.X[["age", "pain", "pressure", "depression"]].iloc[:120]
    X = X.assign(pain=X["pain"].cat.as_ordered())
    y, sick = heart.y.iloc[:120], np.where(heart.y.iloc[:120] > 0, "yes", "no")
    sums = X[["age", "depression"]].fillna(0)
    letters = pd.DataFrame({"x": list("abcdefghijklmnopq")})
    loss, two = [[0, 1], [2.5, 0]], pd.DataFrame({"a": y, "b": -y / 3})
    return {
        "ID3": ID3Classifier().fit(loan.X, loan.y).tree_,
        "C4.5": C45Classifier(missing="fractional").fit(golf.X, golf.y).tree_,
        "J48": C45Classifier.j48(unseen="missing", leaf_shares="laplace").fit(golf.X, golf.y).tree_,
        "Release 8": C45Classifier.release8().fit(golf.X, golf.y).tree_,
        "surrogates": CARTClassifier(missing="surrogate", max_depth=3).fit(heart.X.iloc[:120], y > 0).tree_,
        "learned": CARTClassifier(missing="learned", max_depth=3).fit(X, sick).tree_,
        "loss": CARTClassifier(missing="stay", max_depth=3, loss=loss).fit(X, sick).tree_,
        "entropy": CARTClassifier(criterion="entropy", missing="stay", max_depth=2).fit(X, sick).tree_,
        "outputs": CARTRegressor(missing="stay", max_depth=2).fit(X, two).tree_,
        "median": CARTRegressor(criterion="absolute_error").fit(points.X, points.y).tree_,
        "sums": ObliqueTreeClassifier(max_depth=2, random_state=0).fit(sums, sick).tree_,
        "undone": CARTClassifier(
            class_weight={"no": 0.3}, leaf_shares=LeafShares("m_branch", m=3, undo_weights=True)
        ).fit(loan.X, loan.y).tree_,
        "strict": CARTClassifier.rpart(cp=0).fit(heart.X.iloc[:120], y > 0).tree_,
        "close": CARTClassifier().fit([[1.0], [1 + 1e-11]], [0, 1]).tree_,
        "groups": CARTClassifier(max_depth=1).fit(letters, np.arange(17) % 3).tree_,
        "monotonic": CARTRegressor(monotonic_cst=[1, 0]).fit(sums, y).tree_,
        "leaf": CARTClassifier(max_depth=0).fit(loan.X, loan.y).tree_,
    }  # fmt: skip


def same(a: Any, b: Any) -> bool:
    """Return whether two values are the same to the last bit, of the same types, in each of their fields."""
    if is_dataclass(a):
        return type(a) is type(b) and all(
            same(getattr(a, field.name), getattr(b, field.name)) for field in fields(a)
        )
    if isinstance(a, np.ndarray):
        return isinstance(b, np.ndarray) and (a.dtype, a.shape, a.tobytes()) == (
            b.dtype,
            b.shape,
            b.tobytes(),
        )
    if isinstance(a, tuple):
        return isinstance(b, tuple) and len(a) == len(b) and all(map(same, a, b))
    a, b = (x.item() if isinstance(x, np.generic) else x for x in (a, b))  # written as Python's own
    return type(a) is type(b) and a == b


def default_of(field: Field[Any]) -> Any:
    if field.default_factory is not MISSING:
        return field.default_factory()
    return field.default if field.default is not MISSING else None


@pytest.mark.parametrize("field", WRITTEN, ids=lambda field: field.name)
def test_some_tree_has_the_field_otherwise_than_by_default(field: Field[Any]) -> None:
    values = [getattr(tree, field.name) for tree in trees().values()]
    assert any(not same(value, values[0]) for value in values), (
        f"all trees have one {field.name}: add another"
    )
    assert any(not same(value, default_of(field)) for value in values), f"no tree has a {field.name}: add one"


@pytest.mark.parametrize("kind", [Surrogates, Feature])
def test_some_tree_has_each_field_of_its_parts(kind: type) -> None:
    parts = [
        part
        for tree in trees().values()
        for part in (tree.surrogates, *tree.features, *tree.outputs)
        if isinstance(part, kind)
    ]
    for field in fields(kind):
        values = [getattr(part, field.name) for part in parts]
        if field.name == "missing_side":  # of a column while a tree grows: see `dtlib.growing.both_sides`
            assert {*values} == {-1}
        else:
            assert any(len(value) for value in values), field.name


def test_some_tree_has_each_kind_of_feature() -> None:
    kinds = {feature.kind for tree in trees().values() for feature in tree.features}
    assert kinds == {"nominal", "ordered", "numeric"}


@pytest.mark.parametrize("name", trees())
@pytest.mark.parametrize("way", MISSING_POLICIES)
def test_every_field_comes_back(way: str, name: str) -> None:
    tree = trees()[name]
    again = MISSING_POLICIES[way](tree)
    lost = [
        field.name for field in WRITTEN if not same(getattr(tree, field.name), getattr(again, field.name))
    ]
    assert lost == []
    assert [field for field in NOT_WRITTEN if getattr(again, field) is not None] == []
    assert same(tree.value, again.value)
    assert again == tree


@pytest.mark.parametrize("name", trees())
def test_what_is_written_tells_two_trees_apart_that_differ_in_one_field(name: str) -> None:
    tree = trees()[name]
    for field in WRITTEN:
        if field.default is not MISSING and not same(getattr(tree, field.name), field.default):
            other = replace(tree, **{field.name: field.default})
            assert other.to_json() != tree.to_json(), field.name


def test_what_a_tree_was_grown_from_is_all_that_is_not_written() -> None:
    written = set(trees()["ID3"].to_dict()) - {"format"}
    by_another_name = {"stop": "reason"}
    assert {by_another_name.get(field.name, field.name) for field in WRITTEN} == written
