"""Cards: what a term means, what a formula says, what a figure shows, without leaving the line that speaks
of it.

- In the chapters, the first mention of a term of the glossary becomes a link to its entry
  (`GlossaryLinks`). Headings, links, code, formulas and captions are left alone; of two terms the longer
  is taken; a term is linked once in a chapter, and not at all if it is a plain word too, or one word for
  several entries.
- For each page with entries, numbered equations or figures, a script with what a card shows of them is
  written, from the page as it was built: `_static/cards/chapters/14_cost_complexity.js`.
  `_static/cards.js` loads it when somebody rests on a link to that page; within a page it needs nothing.

sphinx-tippy does something alike. It was not taken: it fetches its cards with `fetch`, which a book
opened from a folder cannot, brings Tippy and Popper from another server, and shows on touch what it
cannot close.
"""

# ruff: noqa: RUF001, RUF002  (the apostrophe of the printed page)

from __future__ import annotations

import json
import re
from copy import copy
from functools import cache
from html import escape
from typing import TYPE_CHECKING

from docutils import nodes
from glossary_terms import GLOSSARY, Term, terms
from page_text import of_articles
from plain_markdown.figures import caption_of
from search_index import formula_words
from sphinx.transforms.post_transforms import SphinxPostTransform

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bs4 import Tag
    from sphinx.application import Sphinx

CARD = re.compile(r"^(term|equation|figure)-")
EQUATION = re.compile(r'\bid="equation-(?P<number>[\d-]+)"')
CHAPTER = re.compile(r"chapters/\d\d_")
LEFT_ALONE = (
    nodes.title,
    nodes.reference,
    nodes.literal,
    nodes.math,
    nodes.caption,
    nodes.raw,
    nodes.literal_block,
)
# Terms whose word is plain English as well, or stands in every other line: a link would explain nothing.
_PLAIN = """
    baseline bias binary branch candidate category chain child class coefficient cut error feature
    fold forecast independent jump label leaf level miss mixture mode node noise number parent part
    pass path precision question recall region restart risk root row rule run sample split support
    threshold tie trace value weight window
"""
PLAIN = frozenset(_PLAIN.split())


# Links to the glossary


@cache
def linked_terms() -> dict[str, Term]:
    """Return the terms to be linked, by their words in lower case; none that only a bracket tells apart."""
    by_word = {term.word.lower(): term for term in terms().values() if term.word == term.name}
    return {word: term for word, term in by_word.items() if word not in PLAIN}


@cache
def mention() -> re.Pattern[str]:
    """Return what finds a mention of a term: the longest first, singular or plural, whole words."""
    longest = sorted(linked_terms(), key=len, reverse=True)
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(forms, longest))})(?![\w-])", re.IGNORECASE)


def forms(word: str) -> str:
    """Return a pattern of a word and its plural.

    >>> [bool(re.fullmatch(forms("group of values"), w)) for w in ("group of values", "groups of values")]
    [True, True]
    >>> [bool(re.fullmatch(forms("entropy"), w)) for w in ("entropy", "entropies", "entropic")]
    [True, True, False]
    """
    head, of, rest = word.partition(" of ")
    head = re.escape(head).replace("'", "['’]")
    head = f"{head[:-1]}(?:y|ies)" if re.search(r"[^aeiou]y$", head) else f"{head}(?:s|es)?"
    return (head + re.escape(of + rest)).replace(r"\ ", r"\s+")


def term_of(words: str) -> Term | None:
    """Return the term that a mention is one of.

    >>> term_of("Entropies").name, term_of("Gibbs’ inequality").name
    ('entropy', "Gibbs' inequality")
    """
    text = re.sub(r"\s+", " ", words).replace("’", "'")
    same = (term for word, term in linked_terms().items() if re.fullmatch(forms(word), text, re.IGNORECASE))
    return next(same, None)


class GlossaryLinks(SphinxPostTransform):
    """Link the first mention of each term in a chapter to the glossary."""

    default_priority = 215  # numbered equations have become links at 210
    formats = ("html",)

    def run(self, **kwargs) -> None:
        if not CHAPTER.match(self.env.docname):
            return
        seen: set[str] = set()
        for paragraph in list(self.document.findall(nodes.paragraph)):
            if not within_cells(paragraph):
                for text in list(paragraph.findall(nodes.Text)):
                    if not inside(text, LEFT_ALONE):
                        parts = list(self.linked(text, seen))
                        if len(parts) > 1:
                            text.parent.replace(text, parts)

    def linked(self, text: nodes.Text, seen: set[str]) -> Iterator[nodes.Node]:
        end, words = 0, text.astext()
        for match in mention().finditer(words):
            term = term_of(match[0])
            if term is None or term.name in seen:
                continue
            seen.add(term.name)
            if inside(text, (nodes.strong,)):  # the place that defines it
                continue
            yield nodes.Text(words[end : match.start()])
            page = self.app.builder.get_relative_uri(self.env.docname, GLOSSARY)
            yield nodes.reference(
                "", match[0], refuri=f"{page}#{term.anchor}", internal=True, classes=["term"]
            )
            end = match.end()
        yield nodes.Text(words[end:])


def inside(node: nodes.Node, kinds: tuple[type[nodes.Node], ...]) -> bool:
    """Tell whether a node stands inside one of some kinds."""
    while node.parent is not None:
        node = node.parent
        if isinstance(node, kinds):
            return True
    return False


def within_cells(paragraph: nodes.paragraph) -> bool:
    """Tell whether a paragraph is in a table, an exercise, a solution, a quiz or a caption."""
    node: nodes.Node | None = paragraph
    apart = {"exercise", "solution", "tag_quiz", "tag_solution"}
    while node is not None:
        if isinstance(node, nodes.table | nodes.Admonition | nodes.figure | caption_of):
            return True
        if isinstance(node, nodes.Element) and not apart.isdisjoint(node.get("classes", [])):
            return True
        node = node.parent
    return False


# What the cards show


def cards(article: Tag) -> dict[str, str]:
    """Return what a page has for cards: anchor -> HTML.

    >>> from bs4 import BeautifulSoup
    >>> page = '<p id="term-leaf"><b>leaf</b> A node that answers.</p><p id="other">x</p>'
    >>> cards(BeautifulSoup(page, "html.parser"))
    {'term-leaf': '<p><b>leaf</b> A node that answers.</p>'}
    """
    found = {}
    for tag in article.find_all(id=CARD):
        card = copy(tag)  # the page itself is looked into by others
        del card["id"]
        found[tag["id"]] = str(card)
    return found


def with_formula_names(markup: str) -> str:
    """Return a page whose numbered formulas carry their names and words from the list, for their cards.

    >>> with_formula_names('<div id="equation-1-1">').partition(" data-words")[0]
    '<div id="equation-1-1" data-name="sum over the leaves"'
    """

    def named(match: re.Match[str]) -> str:
        row = formula_words().get(match["number"].replace("-", "."))
        said = f' data-name="{escape(row["name"])}" data-words="{escape(row["words"])}"' if row else ""
        return match[0] + said

    return EQUATION.sub(named, markup)


def name_formulas(
    app: Sphinx, pagename: str, template: str, context: dict, doctree: nodes.document | None
) -> None:
    """Name the formulas of a chapter (event html-page-context)."""
    if CHAPTER.match(pagename):
        context["body"] = with_formula_names(context.get("body", ""))


def write_cards(app: Sphinx, exception: Exception | None) -> None:
    """Write a script for each page that has cards (event build-finished)."""
    if exception is not None or app.builder.name != "html":
        return
    for docname, found in of_articles(app, "cards", cards):
        if found:
            path = app.outdir / "_static" / "cards" / f"{docname}.js"
            path.parent.mkdir(parents=True, exist_ok=True)
            text = json.dumps(found, ensure_ascii=False)
            path.write_text(f'(window.bookCards ??= {{}})["{docname}"] = {text};\n', encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    app.setup_extension("glossary_terms")
    app.add_post_transform(GlossaryLinks)
    app.connect("html-page-context", name_formulas)
    app.connect("build-finished", write_cards, priority=910)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
