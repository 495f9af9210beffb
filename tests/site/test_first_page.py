"""The first page: its first screen, its doors, and the map, which lights up by mouse, touch and keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

import book_map
import pytest

from tests.site.browser import opened

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

PAGE = "intro.html"
WIDGET = ".touch-place"
STAGE = 700  # px: title, sentence, tree and questions
CART = 8
NEEDED = sorted(book_map.needed([CART]) - {CART})
NEXT = [k for k in book_map.BUILDS_ON if k != CART and CART in book_map.needed([k])]


def card(page: Page, chapter: int) -> Locator:
    """Return the card of a chapter."""
    return page.locator(".map ol > li").nth(chapter - 1)


def lit(page: Page) -> dict[str, list[int]]:
    """Return which cards are lit, by what they are to the one that is pointed at."""
    script = """() => [...document.querySelectorAll(".map ol > li")].map((card) => card.dataset.lit || "")"""
    roles = page.evaluate(script)
    return {role: [k for k, other in enumerate(roles, 1) if other == role] for role in set(roles) - {""}}


OF_CART = {"here": [CART], "needed": NEEDED, "next": NEXT}


@pytest.mark.parametrize("height", [900])
def test_the_first_screen_is_a_title_a_sentence_and_a_tree_beside_its_questions(
    browser: Browser, site: str, height: int
) -> None:
    with opened(browser, 1440) as visit:
        page = visit.page
        page.set_viewport_size({"width": 1440, "height": height})
        visit.go(site + PAGE)
        page.locator(f"{WIDGET}.touched").wait_for()
        parts = (".bd-article h1", ".bd-article h1 + p", WIDGET, ".doors", ".map")
        ends = [bottom(page.locator(part).first) for part in parts]
        assert ends == sorted(ends)
        assert ends[2] <= STAGE
        assert ends[3] <= height
        sentence = page.locator(".bd-article h1 + p")
        assert sentence.inner_text().count(".") == 1
        assert sentence.bounding_box()["height"] < 40  # one line
    assert visit.complaints == []


@pytest.mark.parametrize("width", [360, 390])
def test_the_first_screen_of_a_phone_has_the_tree_and_all_of_its_questions(
    browser: Browser, site: str, width: int
) -> None:
    with opened(browser, width, has_touch=True, is_mobile=True) as visit:
        page = visit.page
        page.set_viewport_size({"width": width, "height": 740})
        visit.go(site + PAGE)
        page.locator(f"{WIDGET}.touched").wait_for()
        assert bottom(page.locator(".grow-node")) < bottom(page.locator(".grow-features")) < 740
    assert visit.complaints == []


def bottom(part: Locator) -> float:
    box = part.bounding_box()
    return box["y"] + box["height"]


def test_the_title_says_the_book_once(page: Page, site: str) -> None:
    page.goto(site + PAGE)
    assert page.title() == page.locator(".bd-article h1").evaluate("(h1) => h1.firstChild.textContent")


@pytest.mark.parametrize(
    ("door", "leads"), [("Learn", "chapters/01_what_a_tree_is.html"), ("Teach", "reference/teachers.html")]
)
def test_a_door_opens_wherever_it_is_clicked(page: Page, site: str, door: str, leads: str) -> None:
    page.goto(site + PAGE)
    page.locator(".doors li", has_text=door).click(position={"x": 5, "y": 5})
    assert page.url == site + leads


def test_the_door_to_look_up_opens_the_search(page: Page, site: str) -> None:
    page.goto(site + PAGE)
    page.locator(".doors").get_by_role("link", name="search").click()
    page.locator("dialog.book-search input").wait_for()
    assert page.url == site + PAGE


@pytest.mark.parametrize("fold", ["equal-trees", "wrong-prints"])
def test_a_figure_opens_what_it_counts(page: Page, site: str, fold: str) -> None:
    page.goto(site + PAGE)
    page.locator(f".proof a[href='#{fold}']").click()
    page.locator(f"#{fold} table").wait_for()
    assert page.locator(f"#{fold}").get_attribute("open") is not None


def test_the_mouse_lights_up_what_a_chapter_needs_and_leads_there(page: Page, site: str) -> None:
    page.goto(site + PAGE)
    card(page, CART).hover()
    assert lit(page) == OF_CART
    page.locator(".bd-article h1").hover()
    assert lit(page) == {}
    card(page, CART).click(position={"x": 5, "y": 5})
    assert page.url == site + "chapters/08_cart.html"


@pytest.mark.parametrize("name", ["Glossary", "Symbols"])
def test_a_card_with_two_links_has_them_both(page: Page, site: str, name: str) -> None:
    page.goto(site + PAGE)
    page.locator(".map").get_by_role("link", name=name).click()
    assert page.url == f"{site}reference/{name.lower()}.html"


def test_the_keyboard_lights_up_what_a_chapter_needs_and_leads_there(page: Page, site: str) -> None:
    page.goto(site + PAGE)
    card(page, CART - 1).locator("a").focus()
    page.keyboard.press("Tab")
    assert lit(page) == OF_CART
    page.keyboard.press("Enter")
    page.wait_for_url(site + "chapters/08_cart.html")


def test_a_finger_lights_up_what_a_chapter_needs_and_the_link_leads_there(
    browser: Browser, site: str
) -> None:
    with opened(browser, 390, has_touch=True, is_mobile=True) as visit:
        page = visit.page
        visit.go(site + PAGE)
        card(page, CART).locator(".says").tap()
        assert lit(page) == OF_CART
        said = card(page, CART).locator(".told").inner_text()
        assert said == f"Needs: {', '.join(map(str, NEEDED))}. Leads to: {', '.join(map(str, NEXT))}."
        card(page, CART).locator(".says").tap()
        assert lit(page) == {}
        link = card(page, CART).locator("a")
        assert link.bounding_box()["height"] >= 40
        link.tap()
        page.wait_for_url(site + "chapters/08_cart.html")
    assert visit.complaints == []


def test_without_scripts_the_tree_stands_for_the_widget_and_the_map_is_links(
    browser: Browser, site: str
) -> None:
    with opened(browser, 1280, java_script_enabled=False) as visit:
        page = visit.page
        page.goto(site + PAGE)
        assert page.locator(f"{WIDGET} .touch-instead svg").is_visible()
        assert not page.locator(f"{WIDGET} .touch").is_visible()
        assert not page.locator(".map-hint").is_visible()
        card(page, CART).locator("a").click()
        assert page.url == site + "chapters/08_cart.html"


def test_the_tree_waits_for_the_widget_and_is_there_if_none_comes(browser: Browser, site: str) -> None:
    with opened(browser, 1280, reduced_motion="no-preference") as visit:
        page = visit.page
        page.route("**/touch/touch.js*", lambda route: route.abort())
        page.goto(site + PAGE)
        tree = page.locator(f"{WIDGET} .touch-instead")
        assert tree.evaluate("(it) => getComputedStyle(it).visibility") == "hidden"
        page.wait_for_timeout(3500)
        assert tree.evaluate("(it) => getComputedStyle(it).visibility") == "visible"


def test_on_paper_the_tree_stands_for_the_widget(browser: Browser, site: str) -> None:
    with opened(browser, 1280) as visit:
        page = visit.page
        visit.go(site + PAGE)
        page.emulate_media(media="print")
        assert page.locator(f"{WIDGET} .touch-instead svg").is_visible()
        assert not page.locator(f"{WIDGET} .touch").is_visible()
        assert not page.locator(".map-hint").is_visible()


@pytest.mark.parametrize("width", [360, 390, 768, 1280, 1440, 1920])
def test_the_widget_moves_nothing_that_is_seen_when_it_comes(browser: Browser, site: str, width: int) -> None:
    """A place is kept free for it, so that the doors below it stay where they are."""
    with opened(browser, width) as visit:
        page, held = visit.page, []
        page.route("**/touch/touch.js*", lambda route: held.append(route))
        page.goto(site + PAGE, wait_until="domcontentloaded")
        page.wait_for_function("() => document.querySelector('script[src*=\"touch/touch.js\"]')")
        top, doors = page.locator(WIDGET).bounding_box()["y"], page.locator(".doors").bounding_box()
        held[0].continue_()
        page.locator(f"{WIDGET}.touched").wait_for()
        assert page.locator(WIDGET).bounding_box()["y"] == top
        assert page.locator(".doors").bounding_box() == doors
