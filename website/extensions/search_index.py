"""What the search of the website looks through: every place of the book with its words, as a script.

Sphinx's own search finds pages and knows no Chinese. This one finds places: sections, entries of the
glossary, numbered formulas, figures, exercises, sources and names of the API (`page_text.py` says what
their words are). The index is a script, `_static/search/index.js`, and no file to fetch, so that the
search works in a book opened from a folder, too; it is loaded when somebody searches. Looking up is done
by MiniSearch (`website/vendor/search/`), ranking and showing by `website/on_demand/search/`.
"""

from __future__ import annotations

import csv
import json
import posixpath
import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from bs4 import Tag
from glossary_terms import GLOSSARY, ROOT, everyday_words, index_words, other_names, terms, typed
from page_text import Place, of_articles, places

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sphinx.application import Sphinx
    from sphinx.config import Config

FORMULAS = ROOT / "chapters" / "formulas.csv"
QUESTIONS = "reference/questions"
UNUSED = ("searchtools.js", "language_data.js")  # of Sphinx's own search
PARAMETER = re.compile(r"(?P<owner>[A-Z]\w+)-(?P<name>[a-z]\w*)$")
CHAPTER = re.compile(r"chapters/(?P<number>\d\d)_(?P<name>\w+)$")


@cache
def formula_words() -> dict[str, dict[str, str]]:
    """Return the rows of the list of formulas by number."""
    with FORMULAS.open(encoding="utf-8", newline="") as file:
        return {row["number"]: row for row in csv.DictReader(file)}


def said_of_formula(place: Place) -> None:
    """Give a numbered formula the words of the list of formulas."""
    number = place.title.removeprefix("Formula ")
    row = formula_words().get(number)
    place.parts = [f"({number}) {row['words']}"] if row else []


def page_names(docname: str, title: str) -> list[str]:
    """Return what a chapter is called besides its title: as its file, and as the term that is its title.

    >>> page_names("chapters/14_cost_complexity", "The weakest link"), page_names("intro", "Trees")
    (['cost complexity'], [])
    """
    match = CHAPTER.match(docname)
    if match is None:
        return []
    same = (term for term in terms() if title.lower() in (term.lower(), f"{term.lower()}s"))
    return [match["name"].replace("_", " "), *(name for term in same for name in term_names(term))]


def page_label(docname: str, title: str) -> str:
    """Return how a page is called above its hits.

    >>> page_label("chapters/05_gain_ratio", "Gain ratio"), page_label("reference/symbols", "Symbols")
    ('5. Gain ratio', 'Symbols')
    """
    match = CHAPTER.match(docname)
    return f"{int(match['number'])}. {title}" if match else title


def term_names(name: str) -> list[str]:
    """Return what else a term of the glossary is called, in Chinese and elsewhere."""
    term = terms()[typed(name)]
    return [term.word, *term.chinese, *(other for other, _ in other_names().get(term.name, []))]


class Asked(NamedTuple):
    """A question of the page *Questions*, its answer, and the addresses that it leads to."""

    question: str
    answer: str
    links: list[str]


class Looked(NamedTuple):
    """What the search takes from a page."""

    places: list[Place]
    links: list[tuple[str, str]]  # of the glossary's entries: a term, and an address that its entry leads to
    asked: list[Asked]  # of the page of questions
    parameters: Sequence[tuple[str, str, str]] = ()  # of classes: its name, that of the class, and an anchor


def look(article: Tag) -> Looked:
    """Return the places of a page, where entries of the glossary lead to, and the questions that it has."""
    entries = article.find_all(id=re.compile("^term-"))
    links = [
        (entry.find("strong").get_text(), unquote(link["href"]))
        for entry in entries
        for link in entry.find_all("a", href=True)
    ]
    return Looked(places(article), links, questions(article), parameters(article))


def parameters(article: Tag) -> list[tuple[str, str, str]]:
    """Return the parameters of classes that a page of the API describes (see api_pages.parameter_anchors).

    >>> from page_text import parsed
    >>> parameters(parsed('<article><ul><li id="CARTClassifier-max_depth"></li></ul></article>'))
    [('max_depth', 'CARTClassifier', 'CARTClassifier-max_depth')]
    """
    found = (PARAMETER.match(str(item["id"])) for item in article.find_all("li", id=True))
    return [(match["name"], match["owner"], match[0]) for match in found if match]


def questions(article: Tag) -> list[Asked]:
    """Return the questions of a page: paragraphs of a question in bold, its answer, and links below a break.

    >>> from page_text import parsed
    >>> page = "<article><p><strong>Why a leaf?</strong> It ends the way.<br/>"
    >>> questions(parsed(page + '<a href="01_tree.html#leaf">The leaf</a>.</p></article>'))
    [Asked(question='Why a leaf?', answer='It ends the way.', links=['01_tree.html#leaf'])]
    """
    found = []
    for paragraph in article.find_all("p"):
        first = next((part for part in paragraph.children if str(part).strip()), None)
        ends = paragraph.find("br")
        if isinstance(first, Tag) and first.name == "strong" and first.get_text().endswith("?") and ends:
            said = [part for part in ends.previous_siblings if part is not first]
            answer = "".join(part.get_text() for part in reversed(said))
            links = [unquote(part["href"]) for part in ends.find_next_siblings("a", href=True)]
            found.append(Asked(" ".join(first.get_text().split()), " ".join(answer.split()), links))
    return found


def target(page: str, address: str) -> tuple[str, str]:
    """Return the document and the anchor that an address on a page leads to.

    >>> target("reference/glossary", "../chapters/02_entropy.html#bits-or-nats")
    ('chapters/02_entropy', 'bits-or-nats')
    """
    path, _, anchor = address.partition("#")
    return posixpath.normpath(posixpath.join(posixpath.dirname(page), path)).removesuffix(".html"), anchor


def named_places(links: list[tuple[str, str]]) -> dict[tuple[str, str], list[str]]:
    """Return the sections that the glossary's entries lead to: (document, anchor) -> names of the terms."""
    named: dict[tuple[str, str], list[str]] = {}
    for term, address in links:
        named.setdefault(target(GLOSSARY, address), []).extend(term_names(term))
    return named


def entries(pages: list[tuple[str, Looked]]) -> Iterator[tuple[str, list[Place]]]:
    """Yield each document with its places, named as the glossary and the list of formulas name them."""
    named = next((named_places(looked.links) for docname, looked in pages if docname == GLOSSARY), {})
    for docname, (found, *_) in pages:
        for place in found:
            place.names += named.get((docname, place.anchor), [])
            place.names += index_words().get((docname, place.title), [])
            if place.kind == "term":
                place.names += term_names(place.title)
            elif place.kind == "formula":
                said_of_formula(place)
        if found:
            found[0].kind = "page"
            found[0].names += page_names(docname, found[0].title)
            yield docname, [place for place in found if place.text or place.kind in ("page", "section")]


def index(looked: list[tuple[str, Looked]]) -> dict:
    """Return pages, other names, questions, and places: page, kind, anchor, title, above, names and text.

    A question comes with its answer and the numbers of the places that it leads to, a parameter of the API
    with its classes and where they describe it.
    """
    pages, rows, numbers = [], [], {}
    for docname, found in entries(looked):
        pages.append([f"{docname}.html", page_label(docname, found[0].title)])
        for p in found:
            context = p.context.split(" · ", 1)[-1] if " · " in p.context else ""
            numbers[docname, p.anchor] = len(rows)
            rows.append(
                [len(pages) - 1, p.kind, p.anchor, p.title, context, list(dict.fromkeys(p.names)), p.text]
            )
    others = [[name, terms()[term].word] for term, names in other_names().items() for name, _ in names]
    others += [list(pair) for pair in everyday_words()]
    said = [asked for docname, page in looked if docname == QUESTIONS for asked in page.asked]
    named: dict[str, list[list[str]]] = {}
    for docname, page in looked:
        for name, owner, anchor in page.parameters:
            named.setdefault(name, []).append([owner, f"{docname}.html#{anchor}"])
    questions = [
        [question, answer, [numbers[at] for link in links if (at := target(QUESTIONS, link)) in numbers]]
        for question, answer, links in said
    ]
    return {"pages": pages, "places": rows, "others": others, "questions": questions, "parameters": named}


def write_index(app: Sphinx, exception: Exception | None) -> None:
    """Write the index once all pages are there, and drop Sphinx's own (event build-finished)."""
    if exception is not None or app.builder.name != "html":
        return
    text = json.dumps(index(of_articles(app, "search", look)), ensure_ascii=False, separators=(",", ":"))
    folder = app.outdir / "_static"
    (folder / "search").mkdir(exist_ok=True)
    (folder / "search" / "index.js").write_text(f"window.bookIndex = {text};\n", encoding="utf-8")
    for name in UNUSED:
        (folder / name).unlink(missing_ok=True)


def no_own_search(app: Sphinx) -> None:
    """Spare Sphinx making an index (event builder-inited); the page of the search stays."""
    if app.builder.name == "html":
        app.builder.search = False


def search_page(app: Sphinx) -> Iterator[tuple[str, dict, str]]:
    if app.builder.name == "html":
        yield "search", {}, "search.html"


def configure(app: Sphinx, config: Config) -> None:
    """Bring the scripts that are loaded when somebody searches (event config-inited)."""
    config.html_static_path.append("website/on_demand")


def setup(app: Sphinx) -> dict[str, bool]:
    app.setup_extension("glossary_terms")
    app.connect("config-inited", configure)
    app.connect("builder-inited", no_own_search)
    app.connect("html-collect-pages", search_page)
    app.connect("build-finished", write_index, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
