"""The pages of the site, with the ids and links of one document."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml
from bs4 import BeautifulSoup, Tag

LEFT_OUT = ("chapters/numbers", "reference/api", "reference/coverage", "reference/more", "reference/teachers")
NAMES_OF_IDS = ("for", "headers", "aria-labelledby", "aria-describedby", "aria-controls", "aria-owns")
URL_IN_STYLE = re.compile(r"url\((['\"]?)#")
SCREEN_ONLY = "a.headerlink, button, script, noscript, iframe, .toctree-wrapper, .score, .no-print"


@dataclass
class Page:
    """A page of the site: its name in ``_toc.yml``, the part it opens, if it opens one, and its article."""

    name: str
    article: Tag
    part: str = ""

    @property
    def slug(self) -> str:
        """How its ids begin."""
        return slug(self.name)

    @property
    def title(self) -> str:
        """Its heading, with the number."""
        return " ".join(self.article.h1.get_text().split())


def slug(name: str) -> str:
    """Return how the ids of a page begin.

    >>> slug("chapters/14_cost_complexity")
    '14_cost_complexity'
    """
    return name.rpartition("/")[2]


def contents(toc: Path) -> Iterator[tuple[str, str]]:
    """Yield each page of the PDF, with the title of the part that begins there, if one does.

    Pages that are looked things up in, and say little on paper, are left out: the API, the numbers, what is
    for teachers, and the list of further pages.

    >>> list(contents(Path("_toc.yml")))[:3]
    [('intro', ''), ('chapters/01_what_a_tree_is', 'From counts to a tree'), ('chapters/02_entropy', '')]
    """
    table = yaml.safe_load(toc.read_text(encoding="utf-8"))
    yield table["root"], ""
    for part in table["parts"]:
        title = part["caption"]
        for chapter in part["chapters"]:
            for page in (chapter, *chapter.get("sections", ())):
                if not page["file"].startswith(LEFT_OUT):
                    yield page["file"], title
                    title = ""


def read(site: Path, name: str, part: str) -> Page:
    """Read a page of the built site, without what is of use on a screen only."""
    soup = BeautifulSoup((site / f"{name}.html").read_text(encoding="utf-8"), "html.parser")
    article = soup.find("article")
    for element in article.select(SCREEN_ONLY):
        element.decompose()
    return Page(name, article, part)


def own_ids(page: Page) -> None:
    """Put the page's slug before its ids, and before every mention of them.

    >>> article = '<article><p id="a" style="fill:url(#b)"></p><i aria-labelledby="a b"></i></article>'
    >>> page = Page("chapters/02_entropy", BeautifulSoup(article, "html.parser").article)
    >>> own_ids(page)
    >>> print(page.article)
    <article id="02_entropy"><p id="02_entropy--a" style="fill:url(#02_entropy--b)"></p><i
    aria-labelledby="02_entropy--a 02_entropy--b"></i></article>
    """
    prefix = f"{page.slug}--"
    for element in page.article.find_all(True):
        for key, value in element.attrs.items():
            if key == "id":
                element[key] = prefix + value
            elif key in NAMES_OF_IDS:
                names = value if isinstance(value, list) else value.split()
                element[key] = " ".join(prefix + name for name in names)
            elif isinstance(value, str) and "url(" in value:
                element[key] = URL_IN_STYLE.sub(rf"url(\1#{prefix}", value)
            elif key in ("href", "xlink:href") and element.name != "a" and value.startswith("#"):
                element[key] = f"#{prefix}{value[1:]}"
    page.article["id"] = page.slug


def ids_to_headings(page: Page) -> None:
    """Give the id of a section to its heading, which may stand on the page after the end of the last one.

    >>> article = '<article><section id="a"><h2>A</h2><p></p></section></article>'
    >>> page = Page("chapters/02_entropy", BeautifulSoup(article, "html.parser").article)
    >>> ids_to_headings(page)
    >>> print(page.article)
    <article><section><h2 id="a">A</h2><p></p></section></article>
    """
    for section in page.article.find_all("section", id=True):
        heading = section.find(["h1", "h2", "h3", "h4", "h5"], recursive=False)
        if heading is not None and not heading.has_attr("id"):
            heading["id"] = section["id"]
            del section["id"]


def link_inside(pages: list[Page], site: Path, address: str = "") -> None:
    """Turn links between pages into links inside the document; its pages have ids of their own already.

    A link to a page that the PDF has not leads to the site where its address is known; where it is not, the
    words stay.
    """
    known = {element["id"] for page in pages for element in page.article.find_all(id=True)}
    known |= {page.slug for page in pages}
    slugs = {page.name: page.slug for page in pages}
    for page in pages:
        for link in page.article.select("a[href], a[xlink\\:href]"):
            key = "href" if link.has_attr("href") else "xlink:href"
            target = link_target(page, link[key], slugs, known)
            if target is None and address:
                target = posixpath.normpath(posixpath.join(posixpath.dirname(page.name), link[key]))
                target = f"{address.rstrip('/')}/{target}"
            if target is None:
                del link[key]
            else:
                link[key] = target
        for image in page.article.select("img[src]"):
            image["src"] = (site / posixpath.dirname(page.name) / image["src"]).resolve().as_uri()


def link_target(page: Page, href: str, slugs: dict[str, str], known: set[str]) -> str | None:
    """Return where a link of a page leads in the document, or None where that is not in it.

    >>> page = Page("chapters/02_entropy", BeautifulSoup("<article></article>", "html.parser").article)
    >>> slugs, known = {"chapters/02_entropy": "02_entropy", "intro": "intro"}, {"02_entropy--summary"}
    >>> link_target(page, "#summary", slugs, known), link_target(page, "../intro.html#gone", slugs, known)
    ('#02_entropy--summary', '#intro')
    >>> link_target(page, "https://example.org/", slugs, known)
    'https://example.org/'
    >>> link_target(page, "../genindex.html", slugs, known) is None
    True
    """
    if re.match(r"[a-z]+:", href):
        return href
    path, _, anchor = href.partition("#")
    name = page.name
    if path:
        name = posixpath.normpath(posixpath.join(posixpath.dirname(page.name), path))
        name = name.removesuffix(".html")
    if name not in slugs:
        return None
    whole = f"{slugs[name]}--{anchor}"
    return f"#{whole}" if whole in known else f"#{slugs[name]}"
