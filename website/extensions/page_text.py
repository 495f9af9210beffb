"""The places of a built page that a reader may look for, and their words.

A place is a section, a figure, a numbered equation, an exercise, an entry of the glossary, a source or a
name of the API: whatever has an anchor and a title of its own. The words come from the page as it was
built, so they are what a reader sees, whichever extension made it. Code, pictures, displayed equations
and solutions have no words here.
"""

# ruff: noqa: RUF001, RUF002  (Greek letters, and the apostrophe of the printed page)

from __future__ import annotations

import hashlib
import pickle
import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from bs4 import BeautifulSoup, NavigableString, Tag
from bs4.element import PreformattedString

if TYPE_CHECKING:
    from collections.abc import Callable

    from sphinx.application import Sphinx

Made = TypeVar("Made")

ARTICLE = re.compile(r"<article\b.*</article>", re.DOTALL)
CELL = " · "
SILENT = {"pre", "script", "style", "svg", "nav", "button", "h1", "h2", "h3", "h4", "h5", "h6", "annotation"}
SILENT_CLASSES = {
    "headerlink",
    "cell_input",
    "highlight",
    "solution",
    "viewcode-link",
    "math",
    "eqno",
    "stream",
    "shown-by",
}
HEADING = re.compile(r"h[1-6]$")
CELLS = re.compile(rf"(\s*{CELL.strip()}\s*)+")
TITLE_OF_EXERCISE = re.compile(r"Exercise (?P<number>[\d.]+)\s*\((?P<title>.*)\)$")
YEAR = re.compile(r"\d{4}")
SHORT_TEX = re.compile(r"\\\((?P<tex>[^\\{}]{1,12}|\\[a-zA-Z]+)\\\)")
GREEK = {
    r"\alpha": "α",
    r"\varepsilon": "ε",
    r"\epsilon": "ε",
    r"\chi": "χ",
    r"\sigma": "σ",
    r"\mu": "μ",
    r"\rho": "ρ",
}


@dataclass
class Place:
    """Somewhere in the book that a search may lead to."""

    kind: str  # section, term, formula, figure, exercise, api or source
    anchor: str
    title: str
    context: str = ""  # the headings above it
    names: list[str] = field(default_factory=list)  # what else it is called
    parts: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The words of the place, in one line."""
        line = re.sub(r"\s+", " ", CELLS.sub(CELL, "".join(self.parts)))
        return re.sub(r" (?=[,.;:?!)’])", "", line).strip(" ·")


def of_articles(app: Sphinx, name: str, make: Callable[[Tag], Made]) -> list[tuple[str, Made]]:
    """Return each document of the book with what `make` makes of the article of its page, as built.

    What is made is kept for the next build, where Sphinx keeps what it has read: it takes long to parse all
    pages, and mostly one has changed.
    """
    file = Path(app.doctreedir, f"{name}.pickle")
    kept = pickle.loads(file.read_bytes()) if file.is_file() and not app.fresh_env_used else {}
    made = {}
    for docname in sorted(app.env.found_docs):
        text = article_of((app.outdir / f"{docname}.html").read_text(encoding="utf-8"))
        if text:
            key = docname, hashlib.sha256(text.encode()).digest()
            made[key] = kept[key] if key in kept else make(parsed(text))
    file.write_bytes(pickle.dumps(made))
    return [(docname, of_page) for (docname, _), of_page in made.items()]


def article_of(page: str) -> str:
    """Return the article of a page, or an empty text.

    >>> article_of("<body><article class='a'>Trees</article></body>"), article_of("<body>Trees</body>")
    ("<article class='a'>Trees</article>", '')
    """
    match = ARTICLE.search(page)
    return match[0] if match else ""


@cache
def parsed(article: str) -> Tag:
    """Return an article that can be looked into."""
    return BeautifulSoup(article, "html.parser").article  # type: ignore[return-value]


def places(article: Tag) -> list[Place]:
    """Return the places of a page, each with its own words and not those of the places inside it.

    >>> page = '<section id="a"><h2>Trees<a class="headerlink">#</a></h2><p>A <b>leaf</b>.</p>'
    >>> page += '<section id="b"><h3>Roots</h3><table><tr><td>1</td><td>2</td></tr></table></section>'
    >>> [(p.title, p.context, p.text) for p in places(BeautifulSoup(page, "html.parser"))]
    [('Trees', '', 'A leaf.'), ('Roots', 'Trees', '1 · 2')]
    """
    found: list[Place] = []
    read(article, Place("section", "", ""), found)
    return found


def read(node: Tag, place: Place, found: list[Place]) -> None:
    """Add the words below a node to a place, and what has places of its own to those found."""
    for child in node.children:
        if isinstance(child, NavigableString):
            place.parts.append("" if isinstance(child, PreformattedString) else str(child))
        elif isinstance(child, Tag) and child.name == "math":
            place.parts.append("" if child.get("display") == "block" else formula(child))
        elif isinstance(child, Tag):
            own = begins(child, place)
            if own is not None:
                found.append(own)
            if not silent(child):
                read(child, own or place, found)
                place.parts.append(after(child))
            elif "math" in classes(child):
                place.parts.append(short_tex(child.get_text()))


def silent(tag: Tag) -> bool:
    """Tell whether a tag has no words for a search: code, pictures, headings, solutions."""
    return (
        tag.name in SILENT
        or not SILENT_CLASSES.isdisjoint(classes(tag))
        or "admonition-title" in classes(tag)
    )


def classes(tag: Tag) -> list[str]:
    return tag.get("class") or []  # type: ignore[return-value]


def after(tag: Tag) -> str:
    """Return what parts the words of a tag from those that follow: cells of a table are told apart."""
    if tag.name in ("td", "th"):
        return CELL
    return (
        " "
        if tag.name in ("p", "li", "div", "dt", "dd", "br", "summary", "section", "figcaption", "tr")
        else ""
    )


def begins(tag: Tag, above: Place) -> Place | None:
    """Return the place that begins with a tag, if one does."""
    anchor = str(tag.get("id") or "")
    context = " · ".join(filter(None, (above.context, above.title)))
    if not anchor:
        return api_place(tag, context) if tag.name == "dl" else None
    if tag.name == "section" and (heading := heading_of(tag)):
        kind = "exercise" if heading_text(heading) == "Check yourself" else "section"
        return Place(kind, anchor, heading_text(heading), context)
    if "exercise" in classes(tag):
        title = " ".join(tag.find(class_="admonition-title").get_text().split())
        match = TITLE_OF_EXERCISE.match(title)
        return Place(
            "exercise", anchor, f"Exercise {match['number']}: {match['title']}" if match else title, context
        )
    if tag.name == "figure":
        number = anchor.removeprefix("figure-").replace("-", ".")
        return Place("figure", anchor, f"Figure {number}", context)
    if anchor.startswith("equation-"):
        return Place(
            "formula", anchor, f"Formula {anchor.removeprefix('equation-').replace('-', '.')}", context
        )
    if anchor.startswith("term-"):
        return Place("term", anchor, tag.find("strong").get_text(), context)
    return source_place(tag, anchor, context)


def heading_of(section: Tag) -> Tag | None:
    """Return the heading of a section; that of a side road is the summary of its fold.

    >>> page = '<section><details class="fold aside"><summary><h3>A proof</h3></summary></details></section>'
    >>> heading_of(BeautifulSoup(page, "html.parser").section).get_text()
    'A proof'
    """
    fold = section.find("details", class_="aside", recursive=False)
    above = section.find(HEADING, recursive=False)
    return above or (fold and fold.summary.find(HEADING))  # type: ignore[return-value]


def source_place(tag: Tag, anchor: str, context: str) -> Place | None:
    """Return the place of a cited source, whose title is its first words."""
    if tag.name != "li" or not tag.find_parent(class_="references"):
        return None
    return Place(
        "source",
        anchor,
        " ".join(tag.get_text().split())[:60].rsplit(" ", 1)[0] + " …",
        context,
        [YEAR.sub(r" \g<0>", anchor)],
    )


def api_place(tag: Tag, context: str) -> Place | None:
    """Return the place of a name of the API: a function, a class, a method."""
    head = tag.find("dt", class_="sig", id=True, recursive=False)
    if not isinstance(head, Tag):
        return None
    anchor = str(head["id"])
    last = anchor.split(".")[-2:]
    return Place("api", anchor, anchor, context, [last[-1], " ".join(last).replace("_", " ")])


def heading_text(heading: Tag) -> str:
    """Return the words of a heading, without its number and its link.

    >>> h1 = '<h1><span class="section-number">13. </span>The price<a class="headerlink">#</a></h1>'
    >>> heading_text(BeautifulSoup(h1, "html.parser").h1)
    'The price'
    """
    kept = (part for part in heading.children if not isinstance(part, Tag) or not number_or_link(part))
    words = (formula(p) if isinstance(p, Tag) and p.name == "math" else p.get_text() for p in kept)
    return " ".join("".join(words).split())


def number_or_link(tag: Tag) -> bool:
    return not {"section-number", "headerlink"}.isdisjoint(classes(tag))


def formula(tag: Tag) -> str:
    """Return a formula of the running text as it would be typed.

    >>> formula(BeautifulSoup("<math><msub><mi>H</mi><mi>A</mi></msub><mo>(</mo><mi>D</mi><mo>)</mo></math>",
    ...                       "html.parser"))
    'H_A(D)'
    """
    parts = [p for p in tag.children if isinstance(p, Tag) and p.name != "annotation"]
    if not parts:
        return "" if tag.name == "annotation" else tag.get_text().strip().replace("\u2061", "")
    joint = {"msub": "_", "munder": "_", "msup": "^", "mfrac": "/"}.get(tag.name, "")
    return joint.join(map(formula, parts))


def short_tex(tex: str) -> str:
    r"""Return a formula that is still TeX, if it is short enough to be read as it is.

    >>> short_tex(r"\(g(t)\)"), short_tex(r"\(\alpha\)"), short_tex(r"\(\sum_i p_i\)")
    ('g(t)', 'α', '')
    """
    match = SHORT_TEX.fullmatch(tex.strip())
    return "" if match is None else GREEK.get(match["tex"], "" if "\\" in match["tex"] else match["tex"])
