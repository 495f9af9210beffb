"""Formulas without a number, such as the steps of a proof, hold as the numbered ones do.

`tests/book/formulas/steps.tsv` quotes them, each with the number of a formula that has the same letters, or
with the name of a scene of `steps.py`. Equations between numbers are those of `test_prose.py`.
"""

from __future__ import annotations

import pytest

from tests.book.formulas.steps import FREE, Step, of_letters, stored, unnumbered, wrong_step
from tests.faults.mutate_tex import mutants

STORED = stored()
each_step = pytest.mark.parametrize("step", STORED, ids=[f"{s.chapter} {s.cell}: {s.tex}" for s in STORED])

# Displayed, and computed by nothing: the list may only get shorter.
OPEN = {
    ("02", "ex-2-4"): "the entropy of numbers in a row, of two and of three",
    ("03", "drops-read"): "p stands for the shares of two variables, told apart by the letter alone",
    ("04", "ledger-proof"): "two indices with a comma",
    ("10", "what-a-hole-tells"): "the samples whose value is unknown have no letter in a numbered formula",
    ("10", "blank"): "leaves and their classes, without a comma",
    ("10", "ex-10-2"): "the entropy of two shares",
    ("07", "jensen"): "partial sums of the proof",
    ("09", "theorem"): "Q is a letter of this proof alone",
    ("11", "proofs"): "a sum over a branch by its name",
    ("14", "two-nodes"): "holds at one price only",
    ("22", "six-read"): "a question, which is no statement",
    ("26", "ex-26-2"): "the wrong formula of a source",
}


@each_step
def test_a_step_stands_in_its_cell(step: Step) -> None:
    assert step.tex in unnumbered()[step.chapter, step.cell], "quote it as it stands, on one line"


@each_step
def test_a_step_holds_in_every_draw(step: Step) -> None:
    assert wrong_step(step.like, step.tex) == []


@pytest.mark.long
def test_of_the_faults_of_steps_nearly_all_are_noticed() -> None:
    noticed = [bool(wrong_step(step.like, fault)) for step in STORED for _, fault in mutants(step.tex)]
    assert sum(noticed) >= 0.93 * len(noticed)


def test_a_display_that_nobody_computes_is_known() -> None:
    quoted = {(step.chapter, step.cell, step.tex) for step in STORED}
    shown = [(*place, tex) for place, found in unnumbered().items() for tex in found if tex.startswith("$$")]
    left = [one for one in shown if of_letters(one[2]) and one not in quoted]
    assert {(chapter, cell) for chapter, cell, _ in left} == {*OPEN}
    assert len(left) == len(OPEN)


def test_no_step_is_quoted_twice_and_no_scene_is_left_over() -> None:
    assert len(STORED) == len({*STORED})
    assert {step.like for step in STORED} >= {*FREE}


@pytest.mark.parametrize(
    ("chapter", "cell", "right", "fault"),
    [
        ("11", "proofs", r"\bar y = \frac{N_r}{N}", r"\bar y = \frac{N_l}{N}"),
        ("16", "bootstrap-share", r"-\frac{N}{N-1} \le", r"\frac{N}{N-1} \le"),
        ("02", "joint", "/ p(x)", "/ p(y)"),
        ("02", "zero", r"\frac{n+2}{2(n+1)}", r"\frac{n+2}{2n}"),
    ],
)
def test_a_fault_of_a_step_is_noticed(chapter: str, cell: str, right: str, fault: str) -> None:
    (step,) = [s for s in STORED if (s.chapter, s.cell) == (chapter, cell) and right in s.tex]
    assert wrong_step(step.like, step.tex.replace(right, fault, 1)) != []
