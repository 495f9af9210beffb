"""What is settled does not change: a tree and what it was grown by are frozen, and arrays are no values.

Two things that hold arrays are the same if they are one thing: comparing their arrays would say neither yes
nor no. What holds names and numbers only is equal by value.
"""

from dataclasses import FrozenInstanceError, fields, is_dataclass, replace

import numpy as np
import pytest

from dtlib import C45Classifier, CARTClassifier, ID3Classifier, ObliqueTreeClassifier, Prior
from dtlib.datasets import load_golf, load_loan, load_watermelon
from dtlib.oblique.by_plane import ObliqueBuilder
from dtlib.oblique.hyperplane import Search
from dtlib.prune import CrossValidated, HoldoutValidated, Pessimistic, PrePruned, ReducedError
from dtlib.prune.pruners import ComplexityParameter, CostComplexity
from dtlib.search.rules import C45Dialect
from dtlib.table.parameters import Settings

LOAN, GOLF, HOLES = load_loan(), load_golf(), load_watermelon("2.0a")
X = np.random.default_rng(0).random((30, 2))
ID3 = ID3Classifier().fit(LOAN.X, LOAN.y).tree_
C45 = C45Classifier().fit(GOLF.X, GOLF.y).tree_
CART = CARTClassifier(missing="surrogate").fit(HOLES.X, HOLES.y).tree_
SUMS = ObliqueTreeClassifier(random_state=0).fit(X, X.sum(axis=1) > 1).tree_

VALUES = {
    "node": CART.root,
    "feature": CART.features[0],
    "output": CART.outputs[0],
    "rules": CART.grown_by,
    "rules of ratios": C45.grown_by,
    "multiway": ID3.root.split,
    "threshold": next(
        node for node in C45 if node.split is not None and not np.isnan(C45.threshold[node.id])
    ).split,
    "subset": CART.root.split,
    "sum": SUMS.root.split,
    "search": Search(),
}
ARRAYS = {
    "tree": CART,
    "surrogates": CART.surrogates,
    "training": CART.training,
    "target": CART.training.targets[0],
    "points": ObliqueBuilder(SUMS.training, SUMS.grown_by, Search()).points(np.arange(30), 0.0, 1.0),
}


@pytest.mark.parametrize("name", [*VALUES, *ARRAYS])
def test_what_a_tree_knows_cannot_be_changed(name):
    thing = (VALUES | ARRAYS)[name]
    assert is_dataclass(thing)
    for field in fields(thing):
        with pytest.raises(FrozenInstanceError):
            setattr(thing, field.name, None)


@pytest.mark.parametrize("name", VALUES)
def test_names_and_numbers_are_equal_by_value(name):
    thing = VALUES[name]
    again = replace(thing)
    assert again == thing
    assert again is not thing
    if name not in ("rules", "rules of ratios"):
        assert hash(again) == hash(thing)


@pytest.mark.parametrize("name", ARRAYS)
def test_what_holds_arrays_can_be_compared_and_kept_in_a_set(name):
    thing = ARRAYS[name]
    again = replace(thing)
    assert (again == thing) is (name == "tree")  # which compares its arrays one by one
    assert len({thing, again}) == (1 if name == "tree" else 2)


@pytest.mark.parametrize("make", [lambda: ComplexityParameter(0.1), lambda: Prior([0.5, 0.5]), C45Dialect])
def test_settings_are_one_thing_and_say_what_differs(make):
    """As with scikit-learn's estimators: they may be set, and are compared by identity."""
    one, other = make(), make()
    assert isinstance(one, Settings)
    assert one != other
    assert len({one, other}) == 2
    assert repr(one) == repr(other)
    assert repr(C45Dialect(gap=0.5)) == "C45Dialect(gap=0.5)"


WAYS_TO_PRUNE = [
    (CostComplexity, {"alpha": 0.5}), (CrossValidated, {"folds": 3}), (Pessimistic, {"confidence": 0.1}),
    (PrePruned, {"held_out": 0.5}), (ComplexityParameter, {"cp": 0.5}), (ReducedError, {"held_out": 0.5}),
    (HoldoutValidated, {"held_out": 0.5}),
]  # fmt: skip


@pytest.mark.parametrize(("way", "settings"), WAYS_TO_PRUNE)
def test_a_way_of_pruning_says_what_was_set_and_no_more(way, settings):
    ((name, value),) = settings.items()
    assert repr(way(**settings)) == f"{way.__name__}({name}={value})"
    assert way(**settings) != way(**settings)


@pytest.mark.parametrize("way", [CrossValidated, HoldoutValidated])
@pytest.mark.parametrize(("name", "least"), [("cp", -1), ("se", 0)])
def test_what_a_price_may_be_ends_at_its_limit(way, name, least):
    assert way(**{name: least}).check()
    for value in (np.nextafter(least, -9), least - 1.5):
        with pytest.raises(ValueError, match=f"^{name} is "):
            way(**{name: value}).check()
