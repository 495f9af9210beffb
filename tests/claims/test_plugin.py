"""Claims as they are run: true ones pass, false ones do not, and the chapter notices nothing."""

import json

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from tests.book.notebooks import ROOT
from tests.claims.in_kernel import values_as_json

pytest_plugins = ["pytester"]

SETUP = "import numpy as np\nrng = np.random.default_rng(0)\nloan = {'yes': 9, 'no': 6}"
TABLE = "| answer | N |\n|---|---|\n| yes | 9 |\n| no | {0} |"
FRAME = "pd.DataFrame({'N': pd.Series(loan).rename_axis('answer')})"
FALSE = {
    "number": ({"claims": {"0.972 bits": "entropy([9, 6])"}}, "0.972 bits", "entropy([9, 6]) gives 0.970951"),
    "difference": ({"claims": {"2 - 0.5": "[2, 0.6]"}}, "2 - 0.5", "gives 2, 0.6"),
    "both": ({"claims": {"two of 9": "[3, loan['yes']]"}}, "two of 9", "gives 3, 9"),
    "percent": ({"claims": {"60 %": "6 / 15"}}, "60 %", "6 / 15 gives 0.4"),
    "whole": ({"claims": {"1 bit": "entropy([9, 6])"}}, "1 bit", "gives 0.970951"),
    "truth": ({"claims": {"more yes": "loan['yes'] < loan['no']"}}, "more yes", "is false"),
    "unspoken": ({"claims": {"over 5": "loan['no'] > 4"}}, "over 5", "is true, but does not speak of 5"),
    "words": ({"claims": {"no wins": "max(loan, key=loan.get)"}}, "no wins", "gives yes"),
    "name": ({"claims": {"all": "loans"}}, "all", "gives NameError: name 'loans' is not defined"),
    "right": ({"right": {"1. 8 rows.": "loan['yes']"}}, "8 rows.", "loan['yes'] gives 9"),
    "wrong": ({"wrong": {"1. 9 rows.": "loan['yes']"}}, "9 rows.", "agrees with it"),
    "guess": (
        {"guess": {"answer": "0.736", "is": "-log2(9/15)", "slips": {"1.667": ["15/9", "That is 1/p."]}}},
        "0.736 bits",
        "“0.736”: -log2(9/15) gives 0.736966",
    ),
    "slip": (
        {"guess": {"answer": "0.737", "is": "-log2(9/15)", "slips": {"1.666": ["15/9", "That is 1/p."]}}},
        "0.737 bits",
        "“1.666”: 15/9 gives 1.66667",
    ),
    "choice": ({"right": {"8 rows.": "loan['yes']"}}, "**Guess first.** 8 rows.", "loan['yes'] gives 9"),
    "later": ({"claims": {"3 rows": "later"}}, "3 rows", "gives NameError"),
    "end": ({"claims": {"4 rows": "at the end: later"}}, "4 rows", "later gives 3"),
    "table": ({"tables": [FRAME]}, TABLE.format(5), "row 2, column N: the text says 5, the frame 6"),
}  # fmt: skip
TRUE = {
    "claims": {
        "0.971 bits": "entropy([9, 6])",
        "0.673 nats": "entropy([9, 6], base=math.e)",
        "Nine": "loan['yes']",
        "15 - 9": "[15, 9]",
        "six of the 15": "[loan['no'], 15]",
        "by -0.5": "-1 / 2",
        "60 %": "9 / 15",
        "yes wins": "max(loan, key=loan.get)",
        "0.637 drawn": "rng.random()",
        "by name": "by definition",
        "three rows": "at the end: later",
    },
    "tables": [FRAME],
    "guess": {"answer": "0.737", "is": "-log2(9/15)", "slips": {"1.667": ["15/9", "That is 1/p."]}},
}


def notebook() -> str:
    """Return a chapter of true claims, each kind of false one, and a cell that would show a trace of them."""
    true = (
        "0.971 bits, 0.673 nats. Nine. 15 - 9 make six of the 15 by -0.5. 60 % yes wins 0.637 drawn by name"
    )
    true += " of three rows\n\n" + TABLE.format(6)
    cells = [new_code_cell(SETUP, execution_count=1), new_markdown_cell(true, metadata=TRUE, id="true")]
    for name, (declared, text, _) in FALSE.items():
        cells.append(new_markdown_cell(text, metadata=declared, id=name))
    shown = new_output("stream", name="stdout", text="0.636961687 True\n")
    drawn = "print(round(rng.random(), 9), not [x for x in dir() if x in ('entropy', 'pd', 'math')])"
    cells.append(new_code_cell(drawn, execution_count=2, outputs=[shown]))
    cells.append(new_code_cell("later = 3", execution_count=3))
    return nbformat.writes(new_notebook(cells=cells))


def test_true_claims_pass_false_ones_do_not_and_nothing_is_left(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytester.path.joinpath("02_entropy.ipynb").write_text(notebook(), encoding="utf-8")
    plugins = ["-p", "tests.claims.plugin", "-p", "no:cacheprovider"]
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    done = pytester.runpytest_subprocess(*plugins, "--nbval", "--nbval-current-env", "--tb=short", "-v")
    done.assert_outcomes(passed=5, failed=len(FALSE))
    summary = done.stdout.str().partition("claims that do not hold")[2]
    for name, (declared, _, why) in FALSE.items():
        head = f"02_entropy.ipynb, cell {name}: "
        (said,) = {line for line in summary.splitlines() if line.startswith(head)}
        assert why in said
        (tied,) = declared.values()
        named = {"table": "answer, N", "guess": "0.736", "slip": "1.666"}
        assert named.get(name, next(iter(tied)).removeprefix("1. ")) in said


def test_a_claim_draws_from_no_generator_of_the_chapter() -> None:
    chapter: dict = {}
    exec(SETUP, chapter)
    before = chapter["rng"].bit_generator.state
    drawn = json.loads(values_as_json(chapter, '["rng.random()", "np.random.rand()", "(made := 1)"]'))
    assert chapter["rng"].bit_generator.state == before
    assert "made" not in chapter
    assert len(drawn) == 3
