"""The page of questions: each is asked once, is answered shortly, and leads to a section."""

from __future__ import annotations

import re

import pytest
import yaml

from tests.book.asked import ENTRY, PAGE, Asked, asked
from tests.book.notebooks import ROOT
from tests.book.test_structure import headings, leads_somewhere, markdown, slug

SENTENCE = re.compile(r"[.?!](?= [A-Z`])")


def bare(question: str) -> str:
    """Return what a question is told by: its words in small letters.

    Examples
    --------
    >>> bare("Why does `rpart` do so?")
    'why does rpart do so'
    """
    return " ".join(re.findall(r"\w+", question.lower()))


def test_every_paragraph_is_a_question_with_an_answer_and_links() -> None:
    paragraphs = [text for text in markdown(PAGE).split("\n\n") if text.startswith("**")]
    assert [text for text in paragraphs if not ENTRY.fullmatch(text.strip())] == []
    assert len(asked()) == len(paragraphs) >= 100
    assert all(question.links for question in asked())


def test_a_question_ends_as_one_and_no_two_are_alike() -> None:
    questions = [question.question for question in asked()]
    assert [question for question in questions if not question.endswith("?")] == []
    assert len(set(map(bare, questions))) == len(questions)


def test_an_answer_is_short() -> None:
    long = [q.question for q in asked() if len(SENTENCE.findall(q.answer)) > 2 or len(q.answer.split()) > 70]
    assert long == []


@pytest.mark.parametrize("question", asked(), ids=lambda question: bare(question.question)[:60])
def test_every_link_leads_to_the_section_that_it_names(question: Asked) -> None:
    for heading, target in question.links:
        name, _, anchor = target.partition("#")
        there = (PAGE.parent / name).resolve()
        assert leads_somewhere(PAGE, target), target
        assert anchor == slug(heading), target
        assert heading in headings(markdown(there)), target


def test_it_is_the_first_page_of_the_reference_and_the_first_page_leads_to_it() -> None:
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    reference = next(part for part in toc["parts"] if part["caption"] == "Reference")
    assert reference["chapters"][0] == {"file": "reference/questions"}
    assert (ROOT / "intro.md").read_text(encoding="utf-8").count("(reference/questions.md)") == 2
