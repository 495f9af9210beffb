"""Marks below paragraphs: they take no room, open by mouse and keyboard, without scripts, not on paper."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.site.browser import opened

if TYPE_CHECKING:
    from playwright.sync_api import Browser

CHAPTER = "chapters/12_overfitting.html"  # with a list, a figure, displayed formulas and solutions
MARK = "section > p + .shown-by"
TOPS = """() => [...document.querySelectorAll(".bd-article :is(p, h2, h3, ul, ol, .cell, div.math, figure)")]
    .filter((element) => !element.closest(".shown-by"))
    .map((element) => element.getBoundingClientRect().top)"""
WITHOUT = "() => document.querySelectorAll('.shown-by').forEach((fold) => fold.remove())"


@pytest.mark.parametrize("width", [390, 768, 1280])
def test_a_page_with_folded_marks_is_laid_out_as_one_without(browser: Browser, site: str, width: int) -> None:
    with opened(browser, width) as visit:
        visit.go(site + CHAPTER)
        assert visit.page.locator(".shown-by").count() > 10
        with_marks = visit.page.evaluate(TOPS)
        visit.page.evaluate(WITHOUT)
        assert visit.page.evaluate(TOPS) == pytest.approx(with_marks, abs=0.5)


@pytest.mark.parametrize("scripts", [True, False])
@pytest.mark.parametrize("width", [390, 1280])
def test_a_mark_opens_where_it_is(browser: Browser, site: str, width: int, scripts: bool) -> None:
    with opened(browser, width, java_script_enabled=scripts) as visit:
        page = visit.page
        page.goto(site + CHAPTER)
        mark, code = page.locator(f"{MARK} > summary").first, page.locator(f"{MARK} code").first
        mark.scroll_into_view_if_needed()
        place = mark.bounding_box()
        assert place is not None
        assert min(place["width"], place["height"]) >= 24
        assert not code.is_visible()
        assert mark.inner_text().startswith("Shown by ")
        mark.press("Enter")
        assert code.is_visible()
        assert mark.bounding_box() == place
        mark.click()
        assert not code.is_visible()
    assert visit.complaints == []


def test_marks_are_not_on_paper(browser: Browser, site: str) -> None:
    with opened(browser, 1280) as visit:
        visit.go(site + CHAPTER)
        visit.page.emulate_media(media="print")
        assert visit.page.locator(".shown-by").filter(visible=True).count() == 0
        before = visit.page.evaluate("document.body.scrollHeight")
        visit.page.evaluate(WITHOUT)
        assert visit.page.evaluate("document.body.scrollHeight") == before
