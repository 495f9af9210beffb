"""Wherever a tree is wanted, a fitted estimator serves as well."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from api_pages import pages, resolve
from sklearn.exceptions import NotFittedError
from sklearn.tree import DecisionTreeClassifier

from dtlib import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    Tree,
    draw,
    export,
    importance,
    plain,
    prune,
)
from dtlib.book import pictures, subtrees
from dtlib.datasets import load_golf, load_loan, load_regression_points, load_watermelon

LOAN, MELONS, POINTS, GOLF = load_loan(), load_watermelon("3.0"), load_regression_points(), load_golf()
GROWN, UNKNOWN = C45Classifier().fit(GOLF.X, GOLF.y), GOLF.X.head(1).assign(outlook=None)
PAIR = MELONS.X[["density", "sugar"]]
#: What grows the tree, and the functions that take it, with what else they need.
GIVEN: dict[str, tuple[Any, tuple[Any, Any], Callable[[Any], Any]]] = {
    **{
        f"dtlib.{module.__name__.rpartition('.')[2]}.{name}": (
            CARTClassifier(missing="surrogate"), (LOAN.X, LOAN.y), getattr(module, name),
        )
        for module, names in (
            (importance, ("decrease_importances", "surrogate_importances", "importance_intervals")),
            (export, ("to_dict", "to_python", "to_sql")),
            (prune, ("pessimistic", "risk", "pruning_path", "weakest_links", "scales")),
            (draw, ("tree", "outline", "to_graphviz")),
        )
        for name in names
    },
    "dtlib.export.to_sklearn": (
        CARTRegressor(), (POINTS.X, POINTS.y), lambda t: export.to_sklearn(t).tree_.value,
    ),
    **{
        f"dtlib.prune.{f.__name__}": (ID3Classifier(), (LOAN.X, LOAN.y), lambda t, f=f: f(t, LOAN.X, LOAN.y))
        for f in (prune.hold_out, prune.reduced_error, prune.pre_prune)
    },
    **{
        f"dtlib.prune.{f.__name__}": (ID3Classifier(), (LOAN.X, LOAN.y), lambda t, f=f: f(t, 0.5))
        for f in (prune.tree_loss, prune.local_differences, prune.best_subtree)
    },
    "dtlib.draw.partition": (
        ID3Classifier(), (LOAN.X, LOAN.y),
        lambda t: draw.partition(t, LOAN.frame, "approved", x="owns_house", y="has_job"),
    ),
    "dtlib.book.subtrees.listed": (
        ID3Classifier(), (LOAN.X, LOAN.y), lambda t: subtrees.listed(t, np.ones(5)),
    ),
    "dtlib.book.pictures.plane": (
        CARTClassifier(), (PAIR, MELONS.y),
        lambda t: pictures.plane(t, MELONS.frame, "good", x="density", y="sugar"),
    ),
    "dtlib.book.pictures.areas": (
        CARTClassifier(), (PAIR, MELONS.y),
        lambda t: pictures.areas({"a": t}, MELONS.frame, "good", x="density", y="sugar"),
    ),
    "dtlib.book.pictures.surface": (
        CARTRegressor(), (PAIR, MELONS.X["density"]),
        lambda t: pictures.surface(t, MELONS.frame, x="density", y="sugar"),
    ),
    "dtlib.book.pictures.steps": (
        CARTRegressor(), (POINTS.X, POINTS.y), lambda t: pictures.steps({"a": t}, POINTS.X["x"], POINTS.y),
    ),
    "dtlib.book.pictures.rivals": (
        ID3Classifier(), (LOAN.X, LOAN.y), lambda t: pictures.rivals({"a": t, "b": t}),
    ),
    "dtlib.book.pictures.ledger": (CARTClassifier(), (LOAN.X, LOAN.y), pictures.ledger),
    "dtlib.book.pictures.parts": (
        GROWN, (GOLF.X, GOLF.y), lambda t: pictures.parts(t, GROWN.explain(UNKNOWN)),
    ),
}  # fmt: skip


def takes_a_tree(name: str) -> bool:
    """Tell whether a public function wants a tree of the library, or several."""
    thing = resolve(name)
    if not inspect.isfunction(thing) or thing.__module__ == plain.__name__:
        return False
    return not {"tree", "trees"}.isdisjoint(inspect.signature(thing).parameters)


def said(thing: Any) -> Any:
    """Return something in what can be compared."""
    if isinstance(thing, prune.PruningPath):
        return said(thing.table())
    if isinstance(thing, Tree):
        return thing.to_json()
    if isinstance(thing, pd.DataFrame):
        return thing.to_json()
    if isinstance(thing, tuple):
        return [said(part) for part in thing]
    return getattr(thing, "svg", None) or getattr(thing, "source", None) or np.asarray(thing, object).tolist()


def test_every_function_that_wants_a_tree_is_tried() -> None:
    names = [entry.name for page in pages() for entry in page.entries]
    assert sorted(GIVEN) == sorted(filter(takes_a_tree, names))


@pytest.mark.parametrize("name", GIVEN)
def test_a_fitted_estimator_stands_for_its_tree(name: str) -> None:
    estimator, data, call = GIVEN[name]
    estimator = estimator.__class__(**estimator.get_params()).fit(*data)
    assert said(call(estimator)) == said(call(estimator.tree_))


@pytest.mark.parametrize("name", GIVEN)
def test_what_is_neither_is_refused_with_the_way_out(name: str) -> None:
    call = GIVEN[name][2]
    with pytest.raises(
        NotFittedError, match=r"^tree is a CARTClassifier that is not fitted; .*: call its fit"
    ):
        call(CARTClassifier())
    with pytest.raises(TypeError, match=r"^tree is a str; wanted a Tree or a fitted estimator of dtlib$"):
        call("tree")
    theirs = DecisionTreeClassifier(max_depth=1).fit(POINTS.X, [0] * 5 + [1] * 5)
    with pytest.raises(
        TypeError, match=r"DecisionTreeClassifier; wanted .* Tree\.from_sklearn reads a tree of"
    ):
        call(theirs)
