"""Every link of the website that stays inside leads to a page and a place that exist."""

from __future__ import annotations

from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests.site.served import BUILT, pages


class Anchors(HTMLParser):
    """The places of a page, and the links on it."""

    def __init__(self) -> None:
        super().__init__()
        self.places: set[str] = set()
        self.twice: set[str] = set()
        self.links: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an id, a name or a link."""
        found = {name: value or "" for name, value in attrs}
        if "id" in found:
            (self.twice if found["id"] in self.places else self.places).add(found["id"])
        if tag == "a" and "name" in found:
            self.places.add(found["name"])
        for name in ("href", "src"):
            if name in found:
                self.links.add(found[name])


@cache
def anchors(path: Path) -> Anchors:
    """Read a page."""
    reader = Anchors()
    reader.feed(path.read_text(encoding="utf-8"))
    return reader


def broken(path: Path) -> list[str]:
    """List the links of a page that lead nowhere inside the site."""
    return [link for link in sorted(anchors(path).links) if not leads_somewhere(path, link)]


def leads_somewhere(path: Path, link: str) -> bool:
    """Return whether a link leaves the site, or leads to a file, and to a place in it if it names one."""
    address = urlsplit(link)
    if address.scheme or address.netloc:
        return True
    folder = BUILT if address.path.startswith("/") else path.parent
    target = (folder / unquote(address.path).lstrip("/")).resolve() if address.path else path
    if target.is_dir():
        target /= "index.html"
    if not target.is_file():
        return False
    place = unquote(address.fragment)
    return target.suffix != ".html" or not place or place in anchors(target).places


@pytest.mark.parametrize("name", pages())
def test_links_inside_the_site_lead_somewhere(name: str) -> None:
    assert broken(BUILT / name) == []


def test_links_of_the_source_pages_lead_somewhere() -> None:
    sources = sorted(BUILT.glob("_modules/**/*.html"))
    assert [f"{path.relative_to(BUILT)}: {link}" for path in sources for link in broken(path)] == []


@pytest.mark.parametrize("name", pages())
def test_no_id_stands_twice(name: str) -> None:
    assert anchors(BUILT / name).twice == set()


def test_a_link_that_leads_nowhere_is_found(tmp_path: Path) -> None:
    page, other = tmp_path / "page.html", tmp_path / "other.html"
    other.write_text("<p id='here'>", encoding="utf-8")
    links = ("other.html#here", "other.html#gone", "gone.html", "#gone", "https://example.org/x")
    page.write_text("".join(f'<a href="{link}">x</a>' for link in links), encoding="utf-8")
    assert broken(page) == ["#gone", "gone.html", "other.html#gone"]
