"""What a parameter may be: the limits themselves, and what is said of the others, word by word."""

import re

import numpy as np
import pytest

from dtlib import CARTClassifier
from dtlib.prune.pruners import CrossValidated
from dtlib.table.parameters import (
    Number,
    check_alone,
    check_choice,
    check_number,
    check_parameters,
)

LARGE = np.finfo(float).max


@pytest.mark.parametrize(
    ("numbers", "inside", "outside", "said"),
    [
        (
            Number(0),
            (0, 0.0, 5e-324, LARGE, np.float32(1), np.int8(1)),
            (-5e-324, -1),
            "a number of at least 0",
        ),
        (Number(2, whole=True), (2, 10**30, np.uint8(2)), (1, 2.0, 2.5), "a whole number of at least 2"),
        (Number(0, above=True), (5e-324, 1), (0, 0.0, -1), "a number above 0"),
        (Number(0, high=0.5), (0, 0.5), (0.6, 1), "a number of at least 0 and at most 0.5"),
        (Number(0, True, True, 3), (1, 3), (0, 4, 1.0), "a whole number above 0 and at most 3"),
    ],
)
def test_numbers_begin_and_end_where_they_say(numbers, inside, outside, said):
    assert str(numbers) == said
    assert all(numbers.has(value) is True for value in inside)
    for value in (*outside, np.inf, np.nan, True, np.True_, "1", None, 1j):
        assert not numbers.has(value)
        with pytest.raises(ValueError, match=rf"^x is {re.escape(repr(value))}; wanted {said}$"):
            check_number("x", value, *numbers)
    for value in inside:
        check_number("x", value, *numbers)


class Given:
    """Parameters in place of an estimator's."""

    def __init__(self, value):
        self.value = value


@pytest.mark.parametrize(
    ("allowed", "good", "bad", "said"),
    [
        ((None, Number(1)), (None, 1), (0, True, "None"), "a number of at least 1"),
        ((Number(1), None), (None, 1), (0,), "one of a number of at least 1, None"),
        ((None, "a", Number(1)), (None, "a", 2), ("b",), "one of 'a', a number of at least 1"),
        ((None, "a"), (None, "a", np.str_("a")), ("None", 1), "one of None, 'a'"),
        ((True, False), (True, np.False_), (1, 0, None, "True"), "one of True, False"),
        ((None, dict, "a"), ({}, "a"), ([], dict), "one of None, dict(...), 'a'"),
        (("a",), ("a",), ("b",), "'a'"),
    ],
)
def test_what_is_declared_is_allowed_and_nothing_else(allowed, good, bad, said):
    for value in good:
        check_parameters(Given(value), {"value": allowed})
        check_choice("value", value, allowed)
    for value in bad:
        with pytest.raises(
            ValueError, match=f"^value is {re.escape(repr(value))}; wanted {re.escape(said)}$"
        ):
            check_parameters(Given(value), {"value": allowed})
        with pytest.raises(ValueError, match=f"^value is {re.escape(repr(value))}; wanted one of "):
            check_choice("value", value, allowed)


def test_settings_are_checked_with_what_they_belong_to_and_all_parameters_are_looked_at():
    model = CARTClassifier(max_depth=-1, prune=CrossValidated(folds=1))
    with pytest.raises(ValueError, match="max_depth is -1"):
        check_parameters(model, model._declared)
    model.set_params(max_depth=1)
    with pytest.raises(ValueError, match="folds is 1"):
        check_parameters(model, model._declared)
    settings = CrossValidated(folds=2)
    assert settings.check() is settings


def test_the_first_of_the_names_that_stand_beside_another_is_told():
    check_alone(["cp"], None)
    check_alone([], "prune")
    with pytest.raises(
        ValueError, match=r"^alpha and prune are given, and both say the same: give alpha alone"
    ):
        check_alone(["cp", "alpha"], "prune")
