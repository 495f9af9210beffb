"""What one page of the website holds, as plain data."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
ADDRESSES = (
    "href", "src", "srcset", "data", "poster", "action", "formaction", "ping", "xlink:href", "background",
)  # fmt: skip
#: What is inside is no prose: TeX and Markdown may be shown there.
NO_PROSE = {"code", "pre", "script", "style", "svg", "math", "kbd", "samp", "textarea", "template"}
LEFT_OVER = re.compile(
    r"\$[^$\n]*\$|\$\$|\\[a-z]{3,}\b"  # TeX
    r"|```|\*\*[^*\s][^*\n]*\*\*|\]\(|(?<![\w,])\{[a-z][\w:-]*\}(?!\w)|:[a-z]+:`"  # Markdown
)
FOLD = "shown-by"  # the class of what unfolds the code behind phrases
MARKUP_FAULTS = {"problematic", "system-message"}


class Address(NamedTuple):
    """An address in a tag: where it stands, which tag and attribute have it, and what the tag says of it."""

    place: str
    tag: str
    attribute: str
    address: str
    words: str = ""


class Picture(NamedTuple):
    """A picture: where it stands, what it is called, described as, and the words drawn in it."""

    place: str
    tag: str
    name: str
    description: str
    words: tuple[str, ...]
    is_decoration: bool = False


class Formula(NamedTuple):
    """A displayed formula: its anchor, the number shown, where that leads, how often it has each sign."""

    anchor: str
    number: str
    leads_to: str
    signs: dict[str, int]


class Figure(NamedTuple):
    """A figure with a caption: its anchor, the number that is shown, and its pictures."""

    anchor: str
    number: str
    pictures: tuple[Picture, ...]


class Widget(NamedTuple):
    """A widget: where it stands, its name, and the scripts of data in it."""

    place: str
    name: str
    data: tuple[str, ...]


@dataclass
class Page:
    """What a page holds.

    `places` are its ids in order, `skeleton` the tags around what must be seen, `left_over` pieces of text
    that look like markup, `code` the styles and scripts that stand in the page itself, and `claims` the
    expressions that marks below its paragraphs unfold.
    """

    name: str
    title: str = ""
    heading: str = ""
    root: str = ""
    places: list[str] = field(default_factory=list)
    addresses: list[Address] = field(default_factory=list)
    formulas: list[Formula] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    widgets: list[Widget] = field(default_factory=list)
    data: list[tuple[str, str]] = field(default_factory=list)
    left_over: list[tuple[str, str]] = field(default_factory=list)
    code: list[tuple[str, str, str]] = field(default_factory=list)
    claims: list[str] = field(default_factory=list)
    skeleton: str = ""
    letters: str = ""


class Element:
    """A tag with what is inside, texts and elements."""

    __slots__ = ("attributes", "children", "parent", "tag")

    def __init__(self, tag: str, attributes: dict[str, str], parent: Element | None) -> None:
        self.tag, self.attributes, self.parent = tag, attributes, parent
        self.children: list[Element | str] = []

    @property
    def classes(self) -> set[str]:
        """The classes of the tag."""
        return set(self.attributes.get("class", "").split())

    def walk(self) -> Iterator[Element]:
        """Yield the element and all elements inside, in the order of the page."""
        todo = [self]
        while todo:
            element = todo.pop()
            yield element
            todo += [child for child in reversed(element.children) if isinstance(child, Element)]

    def above(self) -> Iterator[Element]:
        """Yield the element and those around it, the innermost first."""
        element: Element | None = self
        while element is not None:
            yield element
            element = element.parent

    def text(self, without: str = "") -> str:
        """Return the words inside, but not those of the elements of one class."""
        parts: list[str] = []
        todo: list[Element | str] = [self]
        while todo:
            child = todo.pop()
            if isinstance(child, str):
                parts.append(child)
            elif without not in child.classes:
                todo += reversed(child.children)
        return " ".join("".join(parts).split())

    def find(self, tag: str) -> Iterator[Element]:
        """Yield the elements of one tag inside."""
        return (element for element in self.walk() if element.tag == tag)


class Reader(HTMLParser):
    """Make a tree of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.root = self.here = Element("", {}, None)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs}, self.here)
        self.here.children.append(element)
        if tag not in VOID:
            self.here = element

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        here = self.here
        self.handle_starttag(tag, attrs)
        self.here = here

    def handle_endtag(self, tag: str) -> None:
        closed = next((element for element in self.here.above() if element.tag == tag), None)
        if closed is not None and closed.parent is not None:
            self.here = closed.parent

    def handle_data(self, data: str) -> None:
        self.here.children.append(data)


def tree(markup: str) -> Element:
    """Read markup.

    Examples
    --------
    >>> [p] = tree("<p>a <b>c</b></p>").find("p")
    >>> p.text()
    'a c'
    """
    reader = Reader()
    reader.feed(markup)
    reader.close()
    return reader.root


def read(path: Path, folder: Path) -> Page:
    """Read a page of the site in a folder."""
    return page_of(path.relative_to(folder).as_posix(), path.read_text(encoding="utf-8"))


def page_of(name: str, markup: str) -> Page:
    """Return what a page holds.

    Examples
    --------
    >>> page_of("a.html", '<div class="math" id="b"><a class="eqno" href="#x">(1.1)</a></div>').formulas
    [Formula(anchor='b', number='(1.1)', leads_to='#x', signs={'−': 0, '+': 0, '=': 0})]
    """
    page, root = Page(name), tree(markup)
    must_be_seen: list[Element] = []
    place, article = "", next(root.find("article"), None)
    for element in root.walk():
        place = element.attributes.get("id", place)
        look(page, element, place)
        if element.tag == "article":
            must_be_seen += shown(element)
    page.heading = next((h1.text() for h1 in (article or root).find("h1")), "").removesuffix("#")
    page.left_over = list(left_over(root))
    page.skeleton = skeleton(root, must_be_seen)
    # what a fold repeats must also stand above it
    page.letters = letters("" if article is None else article.text(without=FOLD))
    return page


def letters(text: str) -> str:
    """Return the letters and digits of a text, which is all that typesetting leaves as it was.

    Examples
    --------
    >>> letters("A tree\u2019s *leaf*, 0.5")
    'Atreesleaf05'
    """
    return "".join(letter for letter in text if letter.isalnum())


def counted(formula: str) -> dict[str, int]:
    """Return how often a formula has each sign that is easily lost.

    Examples
    --------
    >>> counted("a−b=c")
    {'−': 1, '+': 0, '=': 1}
    """
    return {sign: formula.count(sign) for sign in "−+="}


def look(page: Page, element: Element, place: str) -> None:
    """Note what an element says."""
    attributes, tag = element.attributes, element.tag
    if "id" in attributes:
        page.places.append(attributes["id"])
    for name in ADDRESSES:
        if name in attributes and not (name == "data" and tag != "object"):
            kind = tag if tag != "link" else f"link {attributes.get('rel', '')}"
            words = element.text() if tag == "a" else ""
            page.addresses.append(Address(place, kind, name, attributes[name], words))
    if tag == "html":
        page.root = attributes.get("data-content_root", "")
    elif tag == "title" and not page.title:
        page.title = element.text()
    elif tag in ("style", "script"):
        look_at_code(page, element, place)
    elif tag in ("svg", "img"):
        page.pictures.append(picture(element, place))
    elif tag == "figure" and "captioned" in element.classes:
        page.figures.append(figure(element))
    elif tag == "div":
        look_at_part(page, element, place)
    elif tag == "details" and FOLD in element.classes:
        page.claims += [code.text() for dd in element.find("dd") for code in dd.find("code")]
    if "style" in attributes:
        page.code.append((place, "css", attributes["style"]))


def look_at_code(page: Page, element: Element, place: str) -> None:
    """Note the styles, scripts and data that stand in the page itself."""
    text = "".join(child for child in element.children if isinstance(child, str))
    if "json" in element.attributes.get("type", ""):
        page.data.append((place, text))
    elif text.strip():
        page.code.append((place, "css" if element.tag == "style" else "js", text))


def look_at_part(page: Page, element: Element, place: str) -> None:
    """Note a displayed formula or a widget."""
    if "math" in element.classes:
        link = next((a for a in element.find("a") if "eqno" in a.classes), None)
        number, leads_to = ("", "") if link is None else (link.text(), link.attributes.get("href", ""))
        if number or element.attributes.get("id"):
            signs = counted("".join(math.text() for math in element.find("math")))
            page.formulas.append(Formula(element.attributes.get("id", ""), number, leads_to, signs))
    if "data-touch" in element.attributes:
        data = tuple(s.text() for s in element.find("script") if "json" in s.attributes.get("type", ""))
        page.widgets.append(Widget(place, element.attributes["data-touch"], data))


def picture(element: Element, place: str) -> Picture:
    """Return what a picture says to those who see it and to those who do not."""
    attributes = element.attributes
    title, description = (
        next((e.text() for e in element.children if isinstance(e, Element) and e.tag == tag), "")
        for tag in ("title", "desc")
    )
    name = attributes.get("alt" if element.tag == "img" else "aria-label", "").strip() or title
    silent = attributes.get("aria-hidden") == "true" or attributes.get("role") in ("presentation", "none")
    empty = element.tag == "img" and attributes.get("alt") == ""
    words = tuple(text.text() for text in element.find("text"))
    return Picture(place, element.tag, name, description, words, silent or empty)


def figure(element: Element) -> Figure:
    """Return a figure with a caption."""
    number = next((span.text() for span in element.find("span") if "figure-number" in span.classes), "")
    anchor = element.attributes.get("id", "")
    pictures = [picture(inside, anchor) for inside in element.walk() if inside.tag in ("svg", "img")]
    return Figure(anchor, number, tuple(pictures))


def left_over(root: Element) -> Iterator[tuple[str, str]]:
    """Yield what looks like Markdown or TeX among the words, and what Sphinx could not read.

    Examples
    --------
    >>> list(left_over(tree('<p id="a">It costs $x$. <code>$y$</code></p><p class="problematic">|z|</p>')))
    [('a', '$x$'), ('a', '|z|')]
    """
    place = ""
    todo: list[tuple[Element | str, bool]] = [(root, True)]
    while todo:
        child, is_prose = todo.pop()
        if isinstance(child, str):
            yield from ((place, found[0]) for found in LEFT_OVER.finditer(child) if is_prose)
            continue
        place = child.attributes.get("id", place)
        if child.classes & MARKUP_FAULTS:
            yield place, child.text()
        inside = is_prose and child.tag not in NO_PROSE
        todo += [(inner, inside) for inner in reversed(child.children)]


def shown(article: Element) -> Iterator[Element]:
    """Yield what a reader must see of an article: its title, pictures, formulas with a number, and tables."""
    for element in article.walk():
        is_formula = element.tag == "div" and "math" in element.classes
        if is_formula or element.tag in ("h1", "svg", "img", "table", "figure"):
            yield element


def skeleton(root: Element, kept: list[Element]) -> str:
    """Return the tags of some elements and of all around them, without words.

    Examples
    --------
    >>> page = tree('<body><p>a</p><div class="b"><i>c</i><svg><path/></svg></div></body>')
    >>> skeleton(page, list(page.find("svg")))
    '<body><div class="b"><svg></svg></div></body>'
    """
    wanted = {id(element) for found in kept for element in found.above()}
    parts: list[str] = []
    todo: list[Element | str] = [root]
    while todo:
        element = todo.pop()
        if isinstance(element, str):
            parts.append(element)
            continue
        if element.tag:
            pairs = (f' {name}="{html.escape(value)}"' for name, value in element.attributes.items())
            parts.append(f"<{element.tag}{''.join(pairs)}>")
            todo.append("" if element.tag in VOID else f"</{element.tag}>")
        inside = [child for child in element.children if isinstance(child, Element) and id(child) in wanted]
        todo += reversed(inside)
    return "".join(parts)
