"""Cards at links to terms, formulas and figures: they show, stay, and go away as WCAG 1.4.13 wants it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.site.opening import address, chromium, page, served

__all__ = ["address", "chromium", "page", "served"]  # fixtures
CARD = ".book-card"
TERM = "a.term[href$='#term-gain-ratio']"


@pytest.fixture
def chapter(page: Any, address: str) -> Any:
    """Open a chapter that mentions the gain ratio and refers to formulas of its own and of others."""
    page.goto(f"{address}chapters/06_c45.html")
    page.wait_for_load_state("load")
    page.keyboard.press("Shift")  # the last thing used is the keyboard
    return page


def test_hovering_shows_the_meaning_and_the_pointer_may_go_into_it(chapter: Any) -> None:
    chapter.locator(TERM).first.hover()
    card = chapter.locator(CARD)
    card.wait_for()
    assert "split information" in card.inner_text()
    card.hover()
    chapter.wait_for_timeout(700)
    assert card.count() == 1
    chapter.mouse.move(2, 2)
    card.wait_for(state="detached")


def test_focus_shows_and_escape_closes(chapter: Any) -> None:
    link = chapter.locator(TERM).first
    link.focus()
    chapter.locator(CARD).wait_for()
    assert link.get_attribute("aria-describedby") == "book-card"
    chapter.keyboard.press("Escape")
    assert chapter.locator(CARD).count() == 0
    assert chapter.evaluate("document.activeElement.classList.contains('term')")
    assert link.get_attribute("aria-describedby") is None


def test_links_in_a_card_lead_where_they_led(chapter: Any) -> None:
    chapter.locator(TERM).first.focus()
    chapter.locator(CARD).wait_for()
    href = chapter.locator(f"{CARD} a").first.evaluate("a => a.href")
    assert "/chapters/05_gain_ratio.html#" in href


@pytest.mark.parametrize("there", ["here", "elsewhere"])
def test_a_formula_is_shown(chapter: Any, there: str) -> None:
    start = "[href^='#equation-']" if there == "here" else "[href*='.html#equation-']"
    chapter.locator(f".bd-article p a{start}").first.focus()
    chapter.locator(CARD).wait_for()
    assert chapter.locator(CARD).inner_text().strip()
    ids = chapter.evaluate("[...document.querySelectorAll('[id]')].map((named) => named.id)")
    assert len(ids) == len(set(ids))


def test_a_touch_shows_and_a_second_place_leads_on(chromium: Any, served: str) -> None:
    context = chromium.new_context(viewport={"width": 390, "height": 800}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(f"{served}chapters/06_c45.html")
    page.locator(TERM).first.tap()
    page.locator(CARD).wait_for()
    assert page.url.endswith("06_c45.html")
    box = page.locator(CARD).bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    page.locator("h1").first.evaluate("h => h.scrollIntoView()")
    page.touchscreen.tap(195, 790)
    page.locator(CARD).wait_for(state="detached")
    page.locator(TERM).first.tap()
    page.locator(".book-card-go").tap()
    page.wait_for_url("**/glossary.html#term-gain-ratio")
    context.close()


def test_a_chapter_links_a_term_once_and_no_heading(page: Any, served: str) -> None:
    page.goto(f"{served}chapters/06_c45.html")
    links = page.locator("a.term").evaluate_all("all => all.map((a) => a.hash)")
    assert len(links) == len(set(links)) > 5
    apart = ":is(h1, h2, h3, h4, code, figcaption, table, .exercise, .solution) a.term"
    assert page.locator(apart).count() == 0
