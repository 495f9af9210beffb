"""The numbered formulas are read from their TeX, computed, and compared with the library.

`tests/book/formulas/scenes.py` says how; what a formula must not say is tested by planting it.
"""

from __future__ import annotations

import random
import sys
from types import FrameType
from typing import Any

import pytest
from api_pages import resolve

from dtlib.growing import depth_first
from tests.book.formulas.displays import displays
from tests.book.formulas.evaluate import Unknown, compare
from tests.book.formulas.grammar import read
from tests.book.formulas.run import NOT_RUN, unbound, wrong
from tests.book.formulas.scenes import SCENES, draws_of
from tests.book.formulas.tokens import Unreadable
from tests.book.test_formulas import BY_NUMBER
from tests.faults.mutate_tex import mutants

COMPUTED = [number for number, row in BY_NUMBER.items() if row["how"] == "computed"]


@pytest.mark.parametrize("number", sorted(SCENES, key=list(displays()).index))
def test_a_formula_holds_in_every_draw(number: str) -> None:
    assert wrong(number) == []


def test_the_list_of_those_that_are_not_run_does_not_grow() -> None:
    """It may only get shorter: whoever writes a formula writes its scene (or adds its number to one)."""
    assert unbound() == list(NOT_RUN)
    assert len(NOT_RUN) == 0


# Functions that give back something else than what their formula says, which so is found in another way.
FOUND_OTHERWISE = {"22.6": "best_moves says how far to go, and not where each sample changes its side"}


# Laws that a function obeys, and steps to what it computes, whose draws do not call it.
# The list may only get shorter.
NOT_CALLED = {
    "1.2", "1.4", "2.5", "2.6", "3.7", "4.2", "4.3", "4.4", "5.3", "5.4", "6.4", "6.5", "7.7",
    "7.8", "7.9", "9.2", "9.3", "9.4", "9.5", "12.1", "12.2", "12.5", "22.1", "22.4",
    "22.5", "22.7", "22.8", "16.1", "16.2", "23.1", "26.1", "25.3", "21.1",
}  # fmt: skip


def test_a_function_that_computes_its_formula_is_called() -> None:
    assert not NOT_CALLED & {*COMPUTED}
    assert {*BY_NUMBER} >= NOT_CALLED


@pytest.mark.parametrize("number", [n for n in BY_NUMBER if n not in FOUND_OTHERWISE])
def test_what_the_table_names_has_run(number: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The draws of a formula call the function that the table names beside it, but for those of the list.

    The table names what is written in NumPy.
    """
    monkeypatch.setattr(depth_first, "is_ready", lambda *_: False)
    function = BY_NUMBER[number]["function"]
    wanted = resolve(function)
    wanted = wanted.fget if isinstance(wanted, property) else wanted
    code = getattr(wanted, "__code__", None) or getattr(wanted.__init__, "__code__", None)
    called = set()

    def watch(frame: FrameType, event: str, arg: Any) -> None:
        if event == "call":
            called.add(frame.f_code)

    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        for meanings in draws_of(number):
            compare(displays()[number], meanings)
    finally:
        sys.setprofile(before)
    assert (code in called) != (number in NOT_CALLED), function


@pytest.mark.parametrize(
    ("number", "right", "fault"),
    [
        ("3.1", r"-\sum", r"\sum"),
        ("3.3", "H(D) - H(D|A)", "H(D) + H(D|A)"),
        ("3.4", "N_{ik}", "N_{ki}"),
        ("3.4", r"\frac{p_{k|i}}{p_k}", r"\frac{p_k}{p_{k|i}}"),
        ("4.4", "{n-1}", "{n-2}"),
        ("5.8", r"\frac{g(D, A)}{H_A(D)}", r"\frac{H_A(D)}{g(D, A)}"),
        ("5.10", r"\ge", "<"),
        ("6.1", "V - 1", "V"),
        ("10.1", r"F \cdot g", r"g"),
        ("7.6", r"\max", r"\min"),
        ("8.3", r"\ge", ">"),
        ("15.1", "1/N", "N"),
        ("15.2", "j=0", "j=1"),
        ("20.2", "K N_k", "N_k"),
    ],
)
def test_a_fault_is_noticed(number: str, right: str, fault: str) -> None:
    assert right in displays()[number]
    assert wrong(number, displays()[number].replace(right, fault, 1)) != []


def test_of_drawn_faults_nearly_all_are_noticed() -> None:
    """Of what is left some says the same in other words, and some another thing that is true."""
    drawn = random.Random(0).sample([(n, m) for n, tex in displays().items() for _, m in mutants(tex)], 150)
    assert sum(bool(wrong(n, mutant)) for n, mutant in drawn) >= 0.97 * len(drawn)


def test_what_the_mutants_are() -> None:
    kinds = {kind for tex in displays().values() for kind, _ in mutants(tex)}
    assert len(kinds) == 14
    for tex in displays().values():
        found = [mutant for _, mutant in mutants(tex)]
        assert tex not in found
        assert found == [mutant for _, mutant in mutants(tex)]


@pytest.mark.parametrize(
    ("tex", "meanings"),
    [
        (r"\frac12 + \tfrac5{10} = 1", {}),
        (
            r"\sum_{k=1}^{K} \frac{N_{vk}}{N_v} \log_2 2 = 1",
            {"K": 2, "N_..": lambda v, k: 3, "N_.": lambda v: 6, "v": 1},
        ),
        (r"|T| - 1 = 4, \quad |x - 5| = 3", {"|.|": lambda x: x, "T": 5, "x": 8}),
        (r"H(D \mid A) = H_A(D)", {"D": 1, "A": 2, "H(.|.)": lambda D, A: 7, "H_A(.)": lambda D: 7}),
        (r"\max_{i \ne 2} x_i = \min \bigl\{ 9, 8 \bigr\}", {"each i": (1, 2), "x_.": lambda i: 7 + i}),
        (r"x_1 + \dots + x_n = 10", {"n": 4, "x_.": lambda i: i}),
        (r"a &= 2 \cdot 3 \\ &\quad {} + 1 = 7 \text{ bits.}", {"a": 7}),
        (r"0 \log_2 0 = 0, \quad 25\% = 0.25, \quad \log_20.5 = -1", {}),
    ],
)
def test_what_is_read(tex: str, meanings: dict) -> None:
    found = compare(tex, meanings)
    assert [one for one in found if not one.holds] == []
    assert found


@pytest.mark.parametrize("tex", [r"\frac{1", "a +", r"\foo x", "(1]", r"\sum_{2} x", "1 - x + \\dots", "f(1"])
def test_what_is_not_read_is_said(tex: str) -> None:
    with pytest.raises((Unreadable, Unknown)):
        compare(tex, {"x": 1, "a": 1})


def test_a_name_before_a_bracket_is_a_function_if_it_is_one() -> None:
    assert compare("f(1 - 2) = 5", {"f(.)": lambda x: 5})[0].holds
    assert compare("f(1 - 2) = -3", {"f": 3})[0].holds
    assert read("n(n + 1)") != read("n(n + 1)", {"n"})
