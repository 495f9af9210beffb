"""The terms of the glossary: an anchor for each, and what others call it.

`reference/glossary.md` is plain Markdown: `**term** 中文. Meaning. [Chapter 5](...). Elsewhere: *name* (who
says it), *name*; 别名.` This extension gives each entry the anchor `term-gain-ratio`, to which a link such as
`[gain ratio](../reference/glossary.md#term-gain-ratio)` of any page leads. What an index would list under a
word that is no name of a term, such as *run time*, is in `reference/index_words.csv`; a reader's everyday
word for what the book has a word for, such as *memorize*, is in `reference/everyday_words.csv`. The search
and the cards of the website start from here.
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
    from collections.abc import Iterator

    from sphinx.application import Sphinx

ROOT = Path(__file__).resolve().parents[2]
GLOSSARY = "reference/glossary"
INDEX_WORDS = ROOT / "reference" / "index_words.csv"
EVERYDAY_WORDS = ROOT / "reference" / "everyday_words.csv"
ELSEWHERE = "Elsewhere: "
ENTRY = re.compile(
    rf"^\*\*(?P<name>[^*]+)\*\* (?P<chinese>\S.*?)\. [A-Z].*?(?: {ELSEWHERE}(?P<others>.+)\.)?$", re.MULTILINE
)
GROUP = re.compile(r"(?P<names>.+?)(?: \((?P<where>[^()]+)\))?")
CHINESE = re.compile(r"[\u4e00-\u9fff]")


@dataclass(frozen=True)
class Term:
    """One entry of the glossary."""

    name: str
    chinese: tuple[str, ...]
    others: tuple[tuple[str, str], ...] = ()  # what it is called elsewhere, and where that is

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
    found = (
        Term(m["name"], tuple(m["chinese"].split("；")), tuple(called(m["others"] or "")))
        for m in ENTRY.finditer(text)
    )
    return {term.name: term for term in found}


def called(others: str) -> Iterator[tuple[str, str]]:
    """Yield what an entry lists after “Elsewhere”: each name, and who says it.

    >>> list(called("*penalty*, `cp` (rpart); 复杂度参数"))
    [('penalty', 'rpart'), ('cp', 'rpart'), ('复杂度参数', 'Chinese')]
    """
    for group in others.split("; "):
        if match := GROUP.fullmatch(group):
            for name in re.findall(r"\*[^*]+\*|`[^`]+`|[^\s,][^,]*", match["names"]):
                yield name.strip("*`"), "Chinese" if CHINESE.search(name) else match["where"] or ""


@cache
def other_names() -> dict[str, list[tuple[str, str]]]:
    """Return for each term what it is called elsewhere, and where that is."""
    return {term.name: list(term.others) for term in terms().values() if term.others}


@cache
def index_words() -> dict[tuple[str, str], list[str]]:
    """Return the words under which an index would list a heading: (page, heading) -> words."""
    found: dict[tuple[str, str], list[str]] = {}
    with INDEX_WORDS.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            page = row["page"] if "/" in row["page"] else f"chapters/{row['page']}"
            found.setdefault((page, row["heading"]), []).append(row["word"])
    return found


@cache
def everyday_words() -> list[tuple[str, str]]:
    """Return what readers type for a word of the book, and that word, in the order of the file."""
    with EVERYDAY_WORDS.open(encoding="utf-8", newline="") as file:
        return [(row["word"], row["book"]) for row in csv.DictReader(file)]


def mark_entries(app: Sphinx, doctree: nodes.document) -> None:
    """Give each entry of the glossary its anchor, for links of all pages (event doctree-read)."""
    if app.env.docname != GLOSSARY:
        return
    anchors = app.env.metadata[GLOSSARY].setdefault("myst_slugs", {})
    for paragraph in doctree.findall(nodes.paragraph):
        first = next((child for child in paragraph.children if child.astext()), None)
        if isinstance(first, nodes.strong) and typed(first.astext()) in terms():
            name = typed(first.astext())
            paragraph["ids"].append(anchor(name))
            anchors[anchor(name)] = (paragraph.line, anchor(name), name)
            mark_other_names(paragraph)


def mark_other_names(paragraph: nodes.paragraph) -> None:
    """Put what an entry says after “Elsewhere” apart, for the style sheet."""
    for text in list(paragraph.findall(nodes.Text)):
        before, found, after = text.astext().rpartition(f" {ELSEWHERE}")
        if found and text.parent is paragraph:
            rest = paragraph.children[paragraph.index(text) + 1 :]
            said = nodes.inline("", f" {ELSEWHERE}{after}", *rest, classes=["also-called"])
            paragraph.children[paragraph.index(text) :] = []
            paragraph += [nodes.Text(before), said]


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("doctree-read", mark_entries)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
