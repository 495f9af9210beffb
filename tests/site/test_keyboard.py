"""The website without a mouse: Tab reaches everything in order and is seen, Enter opens, Esc closes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.site.browser import opened, script

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHAPTER = "chapters/04_id3.html"
LOOKED_AT = ("intro.html", CHAPTER, "chapters/14_cost_complexity.html", "reference/glossary.html")

REACHABLE = script("reachable.js")
HERE = script("here.js")
FOLD = "ancestor::*[self::details or contains(concat(' ', @class, ' '), ' admonition ')][1]"


def tour(page: Page) -> tuple[list[str], list[dict[str, Any]]]:
    """Press Tab from the top of the page to its end; return what should be reached and what was."""
    wanted = page.evaluate(REACHABLE)
    found: list[dict[str, Any]] = []
    for _ in range(2 * len(wanted) + 50):  # boxes that scroll are reached, too
        page.keyboard.press("Tab")
        here = page.evaluate(HERE)
        if here is None or (found and here["place"] == found[0]["place"]):
            break
        found.append(here)
    return wanted, found


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("name", LOOKED_AT)
def test_tab_reaches_everything_and_is_seen(browser: Browser, site: str, name: str, width: int) -> None:
    with opened(browser, width) as visit:
        visit.go(site + name)
        wanted, found = tour(visit.page)
    places = [here["place"] for here in found if here["place"] >= 0]  # -1: a box that only scrolls
    assert [wanted[place] for place in range(len(wanted)) if place not in places] == []
    assert places == sorted(places)
    assert [here["what"] for here in found if not here["seen"]] == []
    assert [here["what"] for here in found if not here["there"]] == []


def test_the_first_tab_offers_to_skip_to_the_text(browser: Browser, site: str) -> None:
    with opened(browser, 1280) as visit:
        page = visit.page
        visit.go(site + CHAPTER)
        page.keyboard.press("Tab")
        link = page.locator(":focus")
        assert "Skip to" in link.inner_text()
        target = link.get_attribute("href")
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        assert page.evaluate("(id) => document.querySelector(id).contains(document.activeElement)", target)


@pytest.mark.parametrize("width", [390, 1280])
def test_the_search_opens_by_its_keys_and_esc_closes_it(browser: Browser, site: str, width: int) -> None:
    with opened(browser, width) as visit:
        page = visit.page
        visit.go(site + CHAPTER)
        page.keyboard.press("Control+k")
        field = page.locator("input:focus")
        field.wait_for()
        field = field.element_handle()
        page.keyboard.type("gain")
        page.keyboard.press("Escape")
        field.wait_for_element_state("hidden")
        assert page.url == site + CHAPTER
    assert visit.complaints == []


@pytest.mark.parametrize("kind", ["details > summary", "button.toggle-button"])
def test_a_fold_opens_and_closes_with_enter(browser: Browser, site: str, kind: str) -> None:
    with opened(browser, 1280) as visit:
        page = visit.page
        visit.go(site + CHAPTER)
        handle = page.locator(f".bd-article {kind}").first
        handle.focus()
        fold = handle.locator(f"xpath={FOLD}")
        heights = [fold.bounding_box()["height"]]
        for _ in range(2):
            page.keyboard.press("Enter")
            page.wait_for_timeout(700)  # a fold may take its time
            heights.append(fold.bounding_box()["height"])
    assert heights[1] > heights[0] + 10
    assert abs(heights[2] - heights[0]) < 2


def test_the_table_of_contents_of_a_phone_opens_and_esc_closes_it(browser: Browser, site: str) -> None:
    with opened(browser, 390) as visit:
        page = visit.page
        visit.go(site + CHAPTER)
        entry = page.locator(".bd-sidebar-primary a", has_text="Entropy").first
        assert not in_window(page, entry)
        page.locator("button.primary-toggle, label.primary-toggle").first.focus()
        page.keyboard.press("Enter")
        page.wait_for_timeout(500)
        assert in_window(page, entry)
        page.keyboard.press("Escape")
        page.wait_for_timeout(500)
        assert not in_window(page, entry)


def in_window(page: Page, locator: Any) -> bool:
    """Return whether an element is visible inside the width of the window."""
    box = locator.bounding_box() if locator.is_visible() else None
    return box is not None and box["x"] >= 0 and box["x"] + 10 < page.viewport_size["width"]
