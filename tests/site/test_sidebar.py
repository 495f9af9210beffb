"""The sidebar: the chapters, a few pages to look things up in, and the way to all others, a line each."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.site.browser import opened
from tests.site.served import BESIDE, BUILT, pages

if TYPE_CHECKING:
    from playwright.sync_api import Browser

CHAPTER = re.compile(r"chapters/\d\d_")
BESIDE_THE_CHAPTERS = 10  # the first page, and what readers look things up in
WRAPPED = """() => [...document.querySelectorAll(".bd-sidebar-primary :is(.bd-links a, .caption)")]
    .filter((part) => part.offsetHeight > 0)
    .filter((part) => { const range = document.createRange(); range.selectNodeContents(part);
        return new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size > 1; })
    .map((part) => part.textContent.trim())"""
LINK = re.compile(r'<a\b[^>]*\bhref="(?P<path>[^"#]*)')
NAV = re.compile(r'<nav class="bd-links.*?</nav>', re.DOTALL)


def links(page: str) -> list[str]:
    """Return where the sidebar of a built page leads to."""
    text = (BUILT / page).read_text(encoding="utf-8")
    found = (match["path"] for match in LINK.finditer(NAV.search(text)[0]))
    there = ((BUILT / page).parent / path if path else BUILT / page for path in found)
    return [path.resolve().relative_to(BUILT.resolve()).as_posix() for path in there]


def test_it_holds_the_chapters_and_about_six_other_pages() -> None:
    found = links("chapters/04_id3.html")
    others = [path for path in found if not CHAPTER.match(path)]
    assert len(found) - len(others) == sum(1 for page in pages() if CHAPTER.match(page))
    assert len(others) <= BESIDE_THE_CHAPTERS


def test_every_page_is_in_it_or_in_that_of_a_page_it_leads_to() -> None:
    near = set(links("intro.html"))
    near |= {path for page in list(near) for path in links(page)}
    assert {page for page in pages() if page.removesuffix(".html") not in BESIDE} - near == set()


@pytest.mark.parametrize("width", [1280, 1440, 390])
@pytest.mark.parametrize("name", ["chapters/21_the_best_tree", "reference/coverage", "reference/api/tree"])
def test_no_title_wraps(browser: Browser, site: str, name: str, width: int) -> None:
    with opened(browser, width) as visit:
        visit.go(f"{site}{name}.html")
        if width < 992:
            visit.page.locator(".primary-toggle:visible").first.click()
        assert visit.page.evaluate(WRAPPED) == []
