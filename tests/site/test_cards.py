"""Cards at links to terms, formulas and figures: they show, stay, and go away as WCAG 1.4.13 wants it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from search_index import formula_words

from tests.site.browser import opened, settled

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

CHAPTER = "chapters/06_c45.html"
NAMES = formula_words()
CARD = ".book-card"
TERM = "a.term[href$='#term-gain-ratio']"
# A point of the text that is neither the card's nor a link's.
BARE = """() => [...Array(60).keys()].map((k) => [innerWidth / 2, 150 + 10 * k]).find(([x, y]) => {
    const there = document.elementFromPoint(x, y);
    return there.closest(".bd-article") && !there.closest(".book-card, a, button, summary");
})"""


@pytest.fixture
def chapter(page: Page, address: str) -> Page:
    """Open a chapter that mentions the gain ratio and refers to formulas of its own and of others."""
    page.goto(f"{address}{CHAPTER}")
    page.wait_for_load_state("load")
    page.keyboard.press("Shift")  # the last thing used is the keyboard
    return page


def test_hovering_shows_the_meaning_and_the_pointer_may_go_into_it(chapter: Page) -> None:
    chapter.locator(TERM).first.hover()
    card = chapter.locator(CARD)
    card.wait_for()
    assert "split information" in card.inner_text()
    card.hover()
    chapter.wait_for_timeout(700)
    assert card.count() == 1
    chapter.mouse.move(2, 2)
    card.wait_for(state="detached")


def test_focus_shows_and_escape_closes(chapter: Page) -> None:
    link = chapter.locator(TERM).first
    link.focus()
    chapter.locator(CARD).wait_for()
    assert link.get_attribute("aria-describedby") == "book-card"
    chapter.keyboard.press("Escape")
    assert chapter.locator(CARD).count() == 0
    assert chapter.evaluate("document.activeElement.classList.contains('term')")
    assert link.get_attribute("aria-describedby") is None


def test_a_figure_and_its_caption_fit_into_the_card(chapter: Page) -> None:
    chapter.locator("a[href^='#figure-6-']:not(.headerlink):visible").first.focus()
    chapter.locator(f"{CARD} figcaption").wait_for()
    assert chapter.locator(CARD).evaluate("card => card.scrollWidth <= card.clientWidth")


def test_a_card_leaves_the_contents_to_be_seen(chapter: Page) -> None:
    edge = chapter.locator(".bd-article-container").evaluate("column => column.getBoundingClientRect().right")
    for link in chapter.locator("a.term:visible").all()[:12]:
        link.focus()
        chapter.locator(CARD).wait_for()
        assert chapter.locator(CARD).evaluate("card => card.getBoundingClientRect().right") <= edge
        chapter.keyboard.press("Escape")


def test_links_in_a_card_lead_where_they_led(chapter: Page) -> None:
    chapter.locator(TERM).first.focus()
    chapter.locator(CARD).wait_for()
    href = chapter.locator(f"{CARD} a").first.evaluate("a => a.href")
    assert "/chapters/05_gain_ratio.html#" in href


@pytest.mark.parametrize("there", ["here", "elsewhere"])
def test_a_formula_is_shown(chapter: Page, there: str) -> None:
    start = "[href^='#equation-']" if there == "here" else "[href*='.html#equation-']"
    chapter.evaluate("document.querySelectorAll('details').forEach((fold) => { fold.open = true; })")
    link = chapter.locator(f".bd-article p a{start}:visible").first
    number = (link.get_attribute("href") or "").partition("#equation-")[2].replace("-", ".")
    link.focus()
    chapter.locator(CARD).wait_for()
    name = chapter.locator(f"{CARD} .book-card-name").inner_text()
    assert name.startswith(f"({number}) {NAMES[number]['name']}. {NAMES[number]['words']}")
    ids = chapter.evaluate("[...document.querySelectorAll('[id]')].map((named) => named.id)")
    assert len(ids) == len(set(ids))


def height(shown: Locator) -> float:
    """Return where in the window something begins."""
    box = shown.bounding_box()
    assert box is not None
    return box["y"]


@pytest.fixture
def phone(browser: Browser, site: str) -> Iterator[Page]:
    """Open the same chapter on a phone."""
    with opened(browser, 390, has_touch=True, is_mobile=True) as visit:
        visit.go(f"{site}{CHAPTER}")
        yield visit.page
    assert visit.complaints == []


def test_a_touch_shows_and_a_second_place_leads_on(phone: Page) -> None:
    phone.locator(TERM).first.tap()
    phone.locator(CARD).wait_for()
    assert phone.url.endswith(CHAPTER)
    box = phone.locator(CARD).bounding_box()
    assert box is not None
    assert 0 <= box["x"] <= 390 - box["width"]
    phone.locator(".book-card-go").tap()
    phone.wait_for_url("**/glossary.html#term-gain-ratio")


def test_a_touch_elsewhere_closes(phone: Page) -> None:
    phone.locator(TERM).first.tap()
    phone.locator(CARD).wait_for()
    x, y = phone.evaluate(BARE)
    phone.touchscreen.tap(x, y)
    phone.locator(CARD).wait_for(state="detached")
    assert phone.url.endswith(CHAPTER)


def test_a_card_follows_its_link_and_goes_with_it(chapter: Page) -> None:
    link, card = chapter.locator(TERM).first, chapter.locator(CARD)
    link.focus()
    card.wait_for()
    before = [height(link), height(card)]
    chapter.evaluate("scrollBy(0, 40)")
    settled(chapter)
    assert [height(link), height(card)] == pytest.approx([y - 40 for y in before], abs=1)
    chapter.evaluate("scrollBy(0, 3 * innerHeight)")
    card.wait_for(state="detached")


def test_a_chapter_links_a_term_once_and_no_heading(page: Page, site: str) -> None:
    page.goto(f"{site}{CHAPTER}")
    links = page.locator("a.term").evaluate_all("all => all.map((a) => a.hash)")
    assert len(links) == len(set(links)) > 5
    apart = ":is(h1, h2, h3, h4, code, figcaption, table, .exercise, .solution) a.term"
    assert page.locator(apart).count() == 0
