"""The questions of the page *Questions*, each with its answer and its links."""

from __future__ import annotations

import re
from typing import NamedTuple

from tests.book.notebooks import ROOT

PAGE = ROOT / "reference" / "questions.md"
ENTRY = re.compile(r"^\*\*(?P<question>[^*\n]+)\*\* (?P<answer>.+)\\\n(?P<links>.+)\.$", re.MULTILINE)
LINK = re.compile(r"\[(?P<heading>[^\]]+)\]\((?P<target>[^)]+)\)")


class Asked(NamedTuple):
    """A question of the page, its answer, and the headings and targets of its links."""

    question: str
    answer: str
    links: list[tuple[str, str]]


def asked() -> list[Asked]:
    """Return the questions of the page in their order."""
    found = ENTRY.finditer(PAGE.read_text(encoding="utf-8"))
    return [Asked(m["question"], m["answer"], LINK.findall(m["links"])) for m in found]
