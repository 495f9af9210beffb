"""The faults of a page, each kind by a function of its own; `of_site` has them all."""

from __future__ import annotations

import json
import posixpath
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from tools.read_site.page import Page, Picture, letters
from tools.read_site.source import Source

#: The tags whose address a reader follows, or that only says where a page is; all others load what they name.
FOLLOWED = ("a", "link canonical", "link license")
CARDS = re.compile(
    r'\(window\.bookCards \?\?= \{\}\)\["(?P<page>[^"]+)"\] = (?P<cards>\{.*\});?\s*$', re.DOTALL
)
EQUATION = re.compile(r"\((\d+\.\d+)\)$")
ENTRY = re.compile(r"formula-\d+-\d+$")
BESIDE = ("index.html", "genindex.html", "search.html", "404.html")  # pages that no table of contents lists
FORMULAS, FIGURES = "chapters/formulas.html", "reference/figures.html"
FIGURE = re.compile(r"Figure (\d+\.\d+)$")


class Fault(NamedTuple):
    """What is wrong, and where."""

    page: str
    place: str
    words: str

    def __str__(self) -> str:
        return f"{self.page}{'#' if self.place else ''}{self.place}: {self.words}"


def is_foreign(address: str) -> bool:
    """Return whether an address leads to another site.

    Examples
    --------
    >>> [is_foreign(address) for address in ("https://a.org/x", "//a.org/x", "x.html", "data:image/png")]
    [True, True, False, False]
    """
    found = urlsplit(address.strip())
    return bool(found.netloc) or found.scheme in ("http", "https", "ftp", "ws", "wss")


def loads(page: Page) -> Iterator[Fault]:
    """Find what a page loads from another site: whatever is foreign and no link to follow."""
    for place, tag, attribute, address, _ in page.addresses:
        parts = address.split(",") if attribute == "srcset" else [address]
        foreign = any(is_foreign(part.strip()) for part in parts)
        if foreign and not (tag in FOLLOWED and attribute == "href"):
            yield Fault(page.name, place, f"<{tag}> loads {address}")


def links(page: Page, pages: dict[str, Page], files: set[str]) -> Iterator[Fault]:
    """Find the addresses inside the site that lead to no file, or to no place of a page."""
    for place, tag, attribute, address, _ in page.addresses:
        for part in address.split(",") if attribute == "srcset" else [address]:
            target, fragment = inside(page, part.strip().split(" ")[0] if attribute == "srcset" else part)
            if target is None:
                continue
            if target not in files:
                yield Fault(page.name, place, f"<{tag}> leads to {address}, and there is no such file")
            elif fragment and target in pages and fragment not in pages[target].places:
                yield Fault(page.name, place, f"<{tag}> leads to {address}, and there is no such place")


def inside(page: Page, address: str) -> tuple[str | None, str]:
    """Return the file and the place that an address of a page means; None for the file of another site.

    Examples
    --------
    >>> inside(Page("chapters/a.html"), "../b.html#c"), inside(Page("a.html"), "https://b.org")
    (('b.html', 'c'), (None, ''))
    """
    found = urlsplit(address)
    if found.scheme or found.netloc:
        return None, ""
    path = unquote(found.path)
    if path.startswith("/"):  # the page of a wrong address, which is shown anywhere
        path = path.removeprefix(page.root if page.root.startswith("/") else "/").lstrip("/") or "."
        path = posixpath.normpath(path)
    elif path:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page.name), path))
    else:
        path = page.name
    if posixpath.basename(path) in ("", ".") or path.endswith("/"):
        path = posixpath.normpath(posixpath.join(path, "index.html"))
    return path, unquote(found.fragment)


def ids(page: Page) -> Iterator[Fault]:
    """Find ids that stand twice on a page."""
    yield from (Fault(page.name, i, "the id stands twice") for i, n in Counter(page.places).items() if n > 1)


def words(page: Page) -> Iterator[Fault]:
    """Find markup among the words."""
    yield from (Fault(page.name, place, f"left of the source: {text}") for place, text in page.left_over)


def data(page: Page) -> Iterator[Fault]:
    """Find data that are no JSON, and widgets without data."""
    for place, text in page.data:
        try:
            json.loads(text, parse_constant=_no_number)
        except ValueError as error:
            yield Fault(page.name, place, f"data are no JSON ({error})")
    for widget in page.widgets:
        if len(widget.data) != 1:
            many = len(widget.data)
            yield Fault(page.name, widget.place, f"the widget {widget.name} has {many} scripts of data")


def _no_number(text: str) -> float:
    """Refuse what Python reads and browsers do not."""
    raise ValueError(f"{text} is no number of JSON")


def silent(page: Page) -> Iterator[Fault]:
    """Find pictures that say nothing to those who cannot see them."""
    for found in page.pictures:
        if not found.name and not found.is_decoration:
            yield Fault(page.name, found.place, f"<{found.tag}> has no text for those who cannot see it")


def references(page: Page) -> Iterator[Fault]:
    """Find links that say the number of a formula or figure and lead elsewhere."""
    for place, tag, _, address, text in page.addresses:
        for kind, pattern in (("equation", EQUATION), ("figure", FIGURE)):
            match = pattern.match(text) if tag == "a" else None
            if match and unquote(address).rpartition("#")[2] not in anchors(kind, match[1]):
                yield Fault(page.name, place, f"the link {text} leads to {address}")


def anchors(kind: str, number: str) -> tuple[str, ...]:
    """Return the places where a number may lead: to itself, a formula also to its entry in their list.

    Examples
    --------
    >>> anchors("equation", "2.1"), anchors("figure", "2.1")
    (('equation-2-1', 'formula-2-1'), ('figure-2-1',))
    """
    kinds = ("equation", "formula") if kind == "equation" else (kind,)
    return tuple(f"{name}-{number.replace('.', '-')}" for name in kinds)


def promised(page: Page, source: Source, site_title: str) -> Iterator[Fault]:
    """Compare a page with its source: title, number, formulas, figures, pictures, widgets, claims."""
    number = f"{source.number}. " if source.number else ""
    wanted = plain(source.title)
    if page.heading != number + wanted:
        yield Fault(page.name, "", f"its heading is {page.heading!r}, wanted {number + wanted!r}")
    book = "" if wanted == site_title else f" · {site_title}"
    if page.title not in (f"{number}{wanted}{book}", f"{wanted}{book}"):
        yield Fault(page.name, "", f"its title is {page.title!r}")
    for words in source.words:
        if letters(words) not in page.letters:
            yield Fault(page.name, "", f"words of its source are not there: {words[:60]}")
    yield from compared(page, "widgets", source.widgets, [widget.name for widget in page.widgets])
    yield from compared(page, "claims", sorted(source.claims), sorted(page.claims))
    yield from numbered(page, source)
    figures = [(f"Figure {n}.", f"figure-{n.replace('.', '-')}") for n, _ in source.figures]
    yield from compared(page, "figures", figures, [(figure.number, figure.anchor) for figure in page.figures])
    by_anchor = {figure.anchor: figure.pictures for figure in page.figures}
    for n, picture in source.figures:
        shown = by_anchor.get(f"figure-{n.replace('.', '-')}", ())
        yield from same_picture(page, f"figure-{n.replace('.', '-')}", picture, shown)
    drawn = [said(picture) for picture in page.pictures if picture.tag == "svg" and picture.name]
    for picture in source.pictures:
        if said(picture) not in drawn:
            words = f"the picture {picture.name!r} of its source is not there, or says other words"
            yield Fault(page.name, "", words)


def numbered(page: Page, source: Source) -> Iterator[Fault]:
    """Compare the numbered formulas of a page with the tags of its source."""
    wanted = [(f"equation-{n.replace('.', '-')}", f"({n})") for n in source.formulas]
    own = [formula for formula in page.formulas if formula.anchor.startswith("equation-") or formula.number]
    yield from compared(page, "formulas", wanted, [(formula.anchor, formula.number) for formula in own])
    for formula in own:
        signs = source.signs.get(formula.number.strip("()"))
        if signs is not None and formula.signs != signs:
            yield Fault(
                page.name, formula.anchor, f"its signs are {formula.signs}, those of the source {signs}"
            )
        if formula.leads_to != f"#{formula.anchor}":
            yield Fault(page.name, formula.anchor, f"{formula.number} leads to {formula.leads_to}")


def compared(page: Page, what: str, wanted: Sequence[object], found: Sequence[object]) -> Iterator[Fault]:
    """Say which of two lists has something else, in the order of the page."""
    if list(wanted) == list(found):
        return
    lost = [item for item in wanted if item not in found]
    more = [item for item in found if item not in wanted]
    said_so = f"missing {lost}, unexpected {more}" if lost or more else f"in another order: {list(found)}"
    yield Fault(page.name, "", f"its {what} are not those of the source: {said_so}")


def same_picture(page: Page, place: str, wanted: Picture, found: Sequence[Picture]) -> Iterator[Fault]:
    """Compare the picture of a figure with that of the source."""
    if len(found) != 1:
        yield Fault(page.name, place, f"it has {len(found)} pictures, wanted 1")
    elif said(found[0]) != said(wanted):
        yield Fault(page.name, place, f"its picture says {said(found[0])}, and in the source {said(wanted)}")


def said(picture: Picture) -> tuple[object, ...]:
    """Return what a picture says."""
    return picture.name, picture.description, picture.words


def plain(markdown: str) -> str:
    """Return a heading without its markup.

    Examples
    --------
    >>> plain("What `dtlib` *does*")
    'What dtlib does'
    """
    return re.sub(r"[`*]", "", markdown)


def listed(page: Page, sources: Sequence[Source]) -> Iterator[Fault]:
    """Compare the list of all formulas, or of all figures, with the tags and captions of the sources."""
    formulas = [f"formula-{number.replace('.', '-')}" for source in sources for number in source.formulas]
    figures = [f"figure-{number.replace('.', '-')}" for source in sources for number, _ in source.figures]
    if page.name == FORMULAS:
        found = [place for place in page.places if ENTRY.match(place)]
        yield from compared(page, "entries", formulas, found)
    elif page.name == FIGURES:
        linked = {found.address.rpartition("#")[2] for found in page.addresses if FIGURE.match(found.words)}
        yield from compared(page, "entries", sorted(figures), sorted(linked))


def contents(pages: dict[str, Page], sources: Sequence[Source]) -> Iterator[Fault]:
    """Find the pages that should be there and are not."""
    for name in (*(f"{source.name}.html" for source in sources), *BESIDE):
        if name not in pages:
            yield Fault(name, "", "the page is not there")


def menu(page: Page, wanted: set[str]) -> Iterator[Fault]:
    """Find the pages of the table of contents to which a page has no link."""
    linked = {inside(page, found.address)[0] for found in page.addresses if found.tag == "a"}
    missing = sorted(wanted - linked - {page.name})
    if missing:
        yield Fault(page.name, "", f"its menu does not lead to {', '.join(missing)}")


def index(text: str, pages: dict[str, Page], sources: Sequence[Source]) -> Iterator[Fault]:
    """Compare the index of the search with the pages: each is known by its name, each place exists."""
    where = "_static/search/index.js"
    try:
        known = json.loads(text.partition("=")[2].strip().removesuffix(";"))
    except ValueError as error:
        yield Fault(where, "", f"the index cannot be read ({error})")
        return
    names = dict(known["pages"])
    for source in sources:
        label = f"{source.number}. {plain(source.title)}" if source.number else plain(source.title)
        found = names.get(f"{source.name}.html")
        if found != label:
            yield Fault(where, "", f"{source.name}.html is known as {found!r}, wanted {label!r}")
    for page, _, anchor, *_ in known["places"]:
        name = known["pages"][page][0]
        if name not in pages or (anchor and anchor not in pages[name].places):
            yield Fault(where, "", f"{name}#{anchor} is no place of the site")
    counted = Counter(page for page, *_ in known["places"])
    for number, (name, _) in enumerate(known["pages"]):
        if not counted[number]:
            yield Fault(where, "", f"no place of {name} is in the index")


def cards(name: str, text: str, pages: dict[str, Page]) -> Iterator[Fault]:
    """Find the cards of places that a page has not; a card is what is shown where a link is pointed at."""
    match = CARDS.match(text)
    try:
        page, places = ("", {}) if match is None else (f"{match['page']}.html", json.loads(match["cards"]))
    except ValueError as error:
        yield Fault(name, "", f"the cards cannot be read ({error})")
        return
    if page not in pages:
        yield Fault(name, "", f"its page {page!r} is not there")
        return
    for place in places:
        if place and place not in pages[page].places:
            yield Fault(name, place, f"{page} has no such place")


def of_page(page: Page) -> Iterator[Fault]:
    """Yield the faults that a page shows by itself."""
    for look in (loads, ids, words, data, silent, references):
        yield from look(page)
