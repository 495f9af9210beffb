"""What a chapter declares in its metadata is what its text says; no kernel is needed for that.

What is computed is checked as nbval executes the chapter (`tests/claims/plugin.py`).
"""

import re
from pathlib import Path
from typing import Any

import pytest

from tests.book.notebooks import NUMBERED, ROOT, Cell, Notebook, load
from tests.book.prose import chapter_faults
from tests.claims.forms import BY_DEFINITION, KEYS, choices, faults, seal, tables
from tests.claims.references import Targets, book, references, targets

TIED = NUMBERED  # the chapters whose quizzes, tables, references and units are tied

KNOWN = Targets(
    {"2": "Entropy", "3": "Information gain"},
    {"02_entropy.ipynb": "2", "03_information_gain.ipynb": "3"},
    {"2.3": "entropy", "2.10": "chain rule"},
    {"2.1": "curve"},
    {"2.4": "Telling it in two steps"},
)
QUIZ = """## Check yourself

**1.** How much?

<details><summary>☐ 1 bit.</summary>

{0} Two halves.

</details>

<details><summary>☐ 2 bits.</summary>

{1} Four quarters.

</details>"""
TABLE = "Look:\n\n| house | N |\n|---|---|\n| no | 9 |\n"
SEAL = seal(tables(TABLE)[0][1])


def chapter(text: str, unit: str | None = "bits", tags: tuple[str, ...] = (), **declared: Any) -> Notebook:
    """Return a chapter of one cell of text."""
    cell = Cell("said", "markdown", text, {"tags": [*tags], **declared})
    return Notebook(Path("02_entropy.ipynb"), {"unit": unit} if unit else {}, (cell,))


@pytest.mark.parametrize("path", TIED, ids=lambda path: path.stem)
def test_a_chapter_says_what_it_declares(path: Path) -> None:
    assert not (found := faults(load(path), book())), "\n".join(found)


@pytest.mark.parametrize("path", NUMBERED, ids=lambda path: path.stem)
def test_every_reference_leads_to_something(path: Path) -> None:
    entries = [(cell.id, entry) for cell in load(path).markdown for entry in references(cell.source, book())]
    lost = ("not in the book", "the link leads", "without a name")
    assert [(cell, entry) for cell, entry in entries if any(words in entry for words in lost)] == []


CHOICES = QUIZ.partition("**1.** ")[2]
GUESS = "**Guess first.** How much?\n\n<details><summary>Show me</summary>\n\n{0} bits.\n\n</details>"
TYPED = {"answer": "0.737", "is": "-log2(9/15)", "slips": {"1.667": ["15/9", "That is 1/p, 1.667."]}}
QUIZ_IS_RIGHT = {"right": {"1. 1 bit.": "entropy([1, 1])"}, "tags": ("quiz",)}


@pytest.mark.parametrize(
    ("text", "declared"),
    [
        ("It is 0.971\nbits, in *bits*.", {"claims": {"0.971 bits": "entropy([9, 6])"}}),
        ("It is 0.673 nats.", {"claims": {"0.673 nats": "entropy([9, 6], base=math.e)"}}),
        ("It is 0.3.", {"posed": ["0.3"]}),
        (QUIZ.format("Right.", "No."), QUIZ_IS_RIGHT | {"wrong": {"1. 2 bits.": "entropy([1, 1])"}}),
        (
            "**Guess first.** " + CHOICES.format("Right.", "No."),
            {
                "tags": ("guess",),
                "right": {"1 bit.": "entropy([1, 1])"},
                "wrong": {"2 bits.": "entropy([1, 1])"},
            },
        ),
        (GUESS.format("0.737"), {"tags": ("guess",), "guess": TYPED}),
        (TABLE, {"tables": ["house"]}),
        (TABLE.replace("| no ", "|  no"), {"tables": [SEAL]}),
        (
            "By (2.3) of [chapter 2](02_entropy.ipynb#a), Figure 2.1 and exercises 2.4 and 2.4.",
            {
                "refers": [
                    "(2.3) entropy",
                    "chapter 2: Entropy",
                    "figure 2.1: curve",
                    *["exercise 2.4: Telling it in two steps"] * 2,
                ]
            },
        ),
        ("[Quinlan](../bibliography.md#q), chapter 3", {"refers": ["chapter 3: another book"]}),
        ("Chapter 3 of Quinlan's book.", {"refers": ["chapter 3: another book"]}),
        (
            "Exercise 5.1 of Li Hang, its figure 2.1, exercise 2.4, (2.3) of [Z](../bibliography.md#z)",
            {
                "refers": [
                    "exercise 5.1: another book",
                    "figure 2.1: another book",
                    "exercise 2.4: Telling it in two steps",
                    "equation 2.3: another book",
                ]
            },
        ),
    ],
)
def test_accepts_what_is_so(text: str, declared: dict[str, Any]) -> None:
    assert faults(chapter(text, **declared), KNOWN) == []


@pytest.mark.parametrize(
    ("text", "declared", "fault"),
    [
        ("0.972 bits", {"claims": {"0.971 bits": "1"}}, "“0.971 bits” stands 0 times in the text"),
        ("1 bit, 1 bit", {"claims": {"1 bit": "1"}}, "“1 bit” stands 2 times"),
        ("0.971 bits", {"claims": {"0.971 bits": "x = 1"}}, "'x = 1' is no expression of one line"),
        ("0.971 nats", {}, "“0.971 nats”: the unit of the chapter is bits"),
        ("0.971 bits", {"claims": {"0.971 nats": "1"}}, "“0.971 nats” stands 0 times"),
        ("5 units", {"unit": "squared units"}, "“5 units”: the unit of the chapter is squared units"),
        ("5", {"unit": "meters"}, "the unit of the chapter is 'meters', wanted one of bits"),
        ("0.971 bits", {"unit": None}, "the unit of the chapter is none"),
        ("0.4", {"posed": ["0.3"]}, "0.3 is declared as posed"),
        (
            QUIZ.format("No.", "Right."),
            QUIZ_IS_RIGHT,
            "“1. 2 bits.” is marked right, and `right` does not have it",
        ),
        (QUIZ.format("No.", "No."), QUIZ_IS_RIGHT, "“1. 1 bit.” is marked wrong, and `right` has it"),
        (QUIZ.format("Right.", "No.").replace("1 bit", "1 nat"), QUIZ_IS_RIGHT, "“1. 1 bit.” is no choice"),
        (
            QUIZ.format("Right.", "No."),
            QUIZ_IS_RIGHT | {"wrong": {"1. 2 bits.": BY_DEFINITION}},
            "“1. 2 bits.”: a wrong choice has an expression",
        ),
        (
            "**Guess first.** " + CHOICES.format("Right.", "No."),
            {"tags": ("guess",)},
            "“1 bit.” is marked right",
        ),
        (
            GUESS.format("0.737"),
            {"right": {"1 bit.": "1"}, "tags": ("guess",)},
            "“1 bit.” is no choice of the guess",
        ),
        (
            GUESS.format("0.737"),
            {"guess": TYPED | {"is": "x = 1"}},
            "“0.737”: 'x = 1' is no expression of one line",
        ),
        (
            GUESS.format("0.737"),
            {"guess": TYPED | {"slips": {"1.667": ["15 9", "So."]}}},
            "“1.667”: '15 9' is no expression",
        ),
        (TABLE, {}, "1 typed tables, and `tables` has 0 expressions"),
        ("No table.", {"tables": ["house"]}, "0 typed tables"),
        (TABLE, {"tables": [BY_DEFINITION]}, "table of house, N: has no seal; read the table again"),
        (
            TABLE.replace("9", "6"),
            {"tables": [SEAL]},
            "not those that were sealed; read the table again, then",
        ),
        (TABLE.replace("house", "own"), {"tables": [SEAL]}, "python -m tools.claims --write"),
        (
            "By (2.10).",
            {"refers": ["(2.3) entropy"]},
            "refers to (2.10) chain rule, `refers` says (2.3) entropy",
        ),
        (
            "By (2.3).",
            {"refers": ["(2.3) chain rule"]},
            "refers to (2.3) entropy, `refers` says (2.3) chain rule",
        ),
        ("By (2.3).", {}, "refers to (2.3) entropy, which `refers` does not have"),
        ("By itself.", {"refers": ["(2.3) entropy"]}, "`refers` says (2.3) entropy, which the text"),
        (
            "[chapter 2](03_information_gain.ipynb)",
            {"refers": ["chapter 2: Entropy"]},
            "the link leads to chapter 3",
        ),
        ("Figure 2.2", {"refers": ["figure 2.1: curve"]}, "figure 2.2: not in the book"),
        ("By equation (2.4)", {}, "equation 2.4: not in the book"),
        ("In exercise 2.9", {}, "exercise 2.9: not in the book"),
    ],
)
def test_refuses_what_is_not_so(text: str, declared: dict[str, Any], fault: str) -> None:
    found = faults(chapter(text, **declared), KNOWN)
    assert all(said.startswith("02_entropy.ipynb, cell said: ") for said in found)
    assert [said for said in found if fault in said], found


def test_what_stores_the_outputs_keeps_what_is_declared() -> None:
    (kept,) = re.findall(r"^CLAIMS := (.+)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert kept == ", ".join(f"'{key}'" for key in KEYS)


def test_code_cells_claim_nothing() -> None:
    cell = Cell("count", "code", "1", {"claims": {"1": "1"}})
    (found,) = faults(Notebook(Path("02_entropy.ipynb"), {}, (cell,)), KNOWN)
    assert found.startswith("02_entropy.ipynb, cell count: a code cell declares 'claims'")


def test_what_is_computed_or_posed_needs_no_output() -> None:
    text = "It is 0.971 bits for 0.3, and 0.25."
    (fault,) = chapter_faults(chapter(text, claims={"0.971 bits": "entropy([9, 6])"}, posed=["0.3"]), [])
    assert "0.25 in “" in fault
    assert len(chapter_faults(chapter(text, claims={"0.971 bits": BY_DEFINITION}), [])) == 3


def test_the_numbers_of_a_guess_need_no_output_and_those_of_its_sentences_do() -> None:
    assert chapter_faults(chapter(GUESS.format("0.737"), guess=TYPED), []) == []
    said = TYPED | {"slips": {"1.667": ["15/9", "That is 1/p, 1.668."]}}
    (fault,) = chapter_faults(chapter(GUESS.format("0.737"), guess=said), [])
    assert "1.668 in “That is 1/p, 1.668.”" in fault


def test_targets_are_those_of_the_chapters() -> None:
    found = targets([load(path) for path in NUMBERED], {"2.3": "entropy"})
    assert found.chapters["3"] == "Information gain"
    assert found.equations["2.3"] == "entropy"
    assert found.equations["2.4"] == "without a name"
    assert found.exercises["2.4"] == "Telling it in two steps"


def test_every_question_of_a_quiz_is_seen() -> None:
    quizzes = [(path, cell.source) for path in TIED for cell in load(path).markdown if "quiz" in cell.tags]
    assert len(quizzes) == len(TIED)
    for path, quiz in quizzes:
        assert sum(choices(quiz).values()) == quiz.count("\n\nRight"), path.name
        assert len(choices(quiz)) == quiz.count("<details>"), path.name
