"""Points of a homework: what earns them, what costs them, and what is refused."""

from __future__ import annotations

import pytest

from dtlib import messages
from dtlib.datasets import load_loan
from dtlib.homework import grade_answer, grade_given, worked

LOAN = load_loan().frame
ASKED = ["H(D)", "H(D|age)", "gain(age)", "choice"]
RIGHT = {"H(D)": "0.971", "H(D|age)": "0.888", "gain(age)": "0.083", "choice": "owns_house"}


@pytest.mark.parametrize(
    ("changed", "points"),
    [
        ({}, 8),
        ({"H(D)": "0.918", "gain(age)": "0.030"}, 6),  # a slip and what follows from it
        ({"H(D)": "0.918"}, 6),  # the gain is right, and does not follow from what stands above it
        ({"gain(age)": "0.08"}, 8),
        ({"gain(age)": "0.1"}, 6),  # right, but to one digit
        ({"gain(age)": ""}, 6),
        ({"gain(age)": None, "choice": "age"}, 4),
        ({"gain(age)": "a twelfth"}, 6),
        ({"choice": "the weather"}, 6),
        ({"choice": 3}, 6),
        ({"something else": "0.5"}, 8),
    ],
)
def test_each_line_earns_its_part_and_a_slip_costs_once(changed, points) -> None:
    assert grade_answer(RIGHT | changed, ASKED, 8, LOAN, "approved") == points


def test_nothing_earns_nothing(capsys) -> None:
    assert grade_answer({}, ASKED, 8, LOAN, "approved") == 0
    assert capsys.readouterr().out.splitlines() == [f"{name} is not answered." for name in ASKED]


def test_what_is_found_is_printed_in_the_language_of_the_class(capsys) -> None:
    try:
        messages.use_language("zh")
        assert grade_given({"x": "2"}, {"x": 3, "y": "b"}, 2) == 0
    finally:
        messages.use_language("en")
    assert capsys.readouterr().out == "x = 2，但正确的是 3.000。\ny 未作答；正确的是 b。\n"  # noqa: RUF001


def test_what_worked_prints_earns_everything() -> None:
    page = worked(LOAN, "approved", method="cart", depth=1)
    answer = {step.name: step.result for step in page.steps} | page.choices
    assert grade_answer(answer, list(answer), 10, LOAN, "approved", method="cart", depth=1) == 10


@pytest.mark.parametrize(
    ("given", "points"),
    [("0.667", 1), ("2/3", 1), (2 / 3, 1), ("0.67", 1), ("0.7", 0), ("0.666", 0), ("", 0), ("?", 0), ([], 0)],
)
def test_a_number_is_right_to_its_digits(given, points) -> None:
    assert grade_given({"x": given}, {"x": 2 / 3}, 1) == points


def test_large_numbers_need_as_many_digits_as_small_ones() -> None:
    assert grade_given({"rows": "119"}, {"rows": 118.75}, 1) == 1
    assert grade_given({"rows": "120"}, {"rows": 118.75}, 1) == 0
    assert grade_given({"rows": 9216}, {"rows": 9216}, 1) == 1


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: grade_answer([], ASKED, 1, LOAN, "approved"), TypeError, "answer is of type list"),
        (lambda: grade_answer({}, [], 1, LOAN, "approved"), ValueError, "names is empty"),
        (lambda: grade_answer({}, ["gain(agee)"], 1, LOAN, "approved"), ValueError, "nearest: gain"),
        (lambda: grade_answer({}, ASKED, 1, LOAN, "approval"), ValueError, "target is 'approval'"),
        (lambda: grade_given("a", {"1": "a"}, 1), TypeError, "answer is of type str"),
        (lambda: grade_given({}, {}, 1), ValueError, "right is empty"),
    ],
)
def test_what_a_teacher_writes_wrongly_is_refused(call, error, words) -> None:
    with pytest.raises(error, match=words):
        call()
