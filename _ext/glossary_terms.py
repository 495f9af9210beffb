"""The terms of the glossary: an anchor for each, and what others call it.

`reference/glossary.md` is plain Markdown: `**term** 中文. Meaning. [Chapter 5](...).` This extension gives
each entry the anchor `term-gain-ratio`, and adds the names of `reference/other_names.csv`, as an index
does with its *see also*. What an index would list under a word that is no name of a term, such as *run
time*, is in `reference/index_words.csv`. The search and the cards of the website start from here.
"""

# ruff: noqa: RUF001  (Chinese has its own semicolon, the printed page its own apostrophe)

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from docutils import nodes

if TYPE_CHECKING:
    from sphinx.application import Sphinx

ROOT = Path(__file__).resolve().parent.parent
GLOSSARY = "reference/glossary"
OTHER_NAMES = ROOT / "reference" / "other_names.csv"
INDEX_WORDS = ROOT / "reference" / "index_words.csv"
ENTRY = re.compile(r"^\*\*(?P<name>[^*]+)\*\* (?P<chinese>\S.*?)\. [A-Z]", re.MULTILINE)
CHINESE = re.compile(r"[\u4e00-\u9fff]")


@dataclass(frozen=True)
class Term:
    """One entry of the glossary."""

    name: str
    chinese: tuple[str, ...]

    @property
    def anchor(self) -> str:
        """Anchor of the entry on its page."""
        return anchor(self.name)

    @property
    def word(self) -> str:
        """The name without what tells it from others in brackets.

        >>> Term("loss (of a tree)", ("损失",)).word
        'loss'
        """
        return re.sub(r"\s*\(.*\)", "", self.name)


def anchor(name: str) -> str:
    """Return the anchor of a term.

    >>> anchor("Gibbs' inequality"), anchor("threshold ε"), anchor("threshold")
    ('term-gibbs-inequality', 'term-threshold-ε', 'term-threshold')
    """
    return "term-" + re.sub(r"\W+", "-", typed(name).lower().replace("'", "")).strip("-")


def typed(name: str) -> str:
    """Return a name as it is typed, without the printer's apostrophe."""
    return name.replace("’", "'")


@cache
def terms() -> dict[str, Term]:
    """Return the entries of the glossary by name."""
    text = (ROOT / f"{GLOSSARY}.md").read_text(encoding="utf-8")
    found = (Term(m["name"], tuple(m["chinese"].split("；"))) for m in ENTRY.finditer(text))
    return {term.name: term for term in found}


@cache
def other_names() -> dict[str, list[tuple[str, str]]]:
    """Return for each term what it is called elsewhere, and where that is."""
    found: dict[str, list[tuple[str, str]]] = {}
    with OTHER_NAMES.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            found.setdefault(row["term"], []).append((row["name"], row["where"]))
    return found


@cache
def index_words() -> dict[tuple[str, str], list[str]]:
    """Return the words under which an index would list a heading: (chapter, heading) -> words."""
    found: dict[tuple[str, str], list[str]] = {}
    with INDEX_WORDS.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            found.setdefault((f"chapters/{row['page']}", row["heading"]), []).append(row["word"])
    return found


def also_called(name: str) -> str:
    """Return the sentence that the glossary's page adds to an entry, or nothing.

    >>> also_called("gain ratio").startswith("Elsewhere: ")
    True
    """
    by_place: dict[str, list[str]] = {}
    for other, where in other_names().get(name, []):
        by_place.setdefault(where, []).append(other)
    said = [
        ", ".join(names) + ("" if where in ("", "Chinese") else f" ({where})")
        for where, names in by_place.items()
    ]
    return f"Elsewhere: {'; '.join(said)}." if said else ""


def mark_entries(app: Sphinx, doctree: nodes.document) -> None:
    """Give each entry of the glossary its anchor and its other names (event doctree-read)."""
    if app.env.docname != GLOSSARY:
        return
    app.env.note_dependency(str(OTHER_NAMES))
    for paragraph in doctree.findall(nodes.paragraph):
        first = next((child for child in paragraph.children if child.astext()), None)
        if isinstance(first, nodes.strong) and typed(first.astext()) in terms():
            name = typed(first.astext())
            paragraph["ids"].append(anchor(name))
            if said := also_called(name):
                paragraph += nodes.inline("", f" {said}", classes=["also-called"])


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("doctree-read", mark_entries)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
