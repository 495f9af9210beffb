"""What a reader does with a figure and a place: enlarge it, copy its link, leave and come back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.site.browser import opened
from tests.site.limits import HEIGHT

if TYPE_CHECKING:
    from playwright.sync_api import Browser

CHAPTER = "chapters/08_cart.html"
FIGURE = "#figure-8-2"
# The link to a term in the middle of what can be seen of the page, brought to the middle of the window.
TERM = """() => {
    const links = [...document.querySelectorAll(".bd-article p a[href*='#term-']")];
    const seen = links.filter((link) => link.getClientRects().length && !link.closest("details:not([open])"));
    const link = seen[Math.floor(0.6 * seen.length)];
    link.scrollIntoView({ block: "center" });
    return link.textContent;
}"""
TOP = "(text) => [...document.querySelectorAll(`.bd-article p a[href*='#term-']`)].filter((link) => "
TOP += "link.textContent === text && link.getClientRects().length).map((a) => a.getBoundingClientRect().top)"


def from_middle(tops: list[float]) -> float:
    """Return how far the nearest of some places is from the middle of the window."""
    return min(abs(top - HEIGHT / 2) for top in tops)


@pytest.mark.parametrize("width", [390, 1920])
def test_a_figure_fills_the_window_until_esc(browser: Browser, site: str, width: int) -> None:
    with opened(browser, width) as visit:
        page = visit.page
        visit.go(site + CHAPTER)
        before = page.locator(f"{FIGURE} svg").bounding_box()["height"]
        button = page.get_by_role("button", name="Enlarge figure 8.2")
        button.focus()
        page.keyboard.press("Enter")
        large = page.get_by_role("dialog", name="Figure 8.2")
        box = large.locator("svg").bounding_box()
        assert box["width"] <= width
        assert box["height"] > before if width > 1000 else box["height"] < 900
        assert "tree of the same melons" in large.inner_text()
        assert "enlarge" not in large.inner_text()
        page.keyboard.press("Escape")
        assert large.count() == 0
        assert button.evaluate("(button) => button === document.activeElement")
    assert visit.complaints == []


def test_a_press_copies_the_link_to_a_figure(browser: Browser, site: str) -> None:
    with opened(browser, 1280, permissions=["clipboard-read", "clipboard-write"]) as visit:
        page = visit.page
        visit.go(site + CHAPTER)
        page.locator(FIGURE).hover()
        page.locator(f"{FIGURE} .headerlink").click()
        assert page.locator(f"{FIGURE} .link-copied").inner_text() == "link copied"
        assert page.evaluate("navigator.clipboard.readText()") == site + CHAPTER + FIGURE
    assert visit.complaints == []


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("name", ["chapters/02_entropy.html", "chapters/06_c45.html"])
def test_who_looks_up_a_word_comes_back_to_it(browser: Browser, site: str, name: str, width: int) -> None:
    with opened(browser, width) as visit:
        page = visit.page
        visit.go(site + name)
        word = page.evaluate(TERM)
        page.wait_for_timeout(1000)
        before = page.evaluate(TOP, word)
        visit.go(f"{site}reference/glossary.html")
        page.go_back(wait_until="load")
        page.wait_for_timeout(2000)
        assert from_middle(page.evaluate(TOP, word)) == pytest.approx(from_middle(before), abs=8)
    assert visit.complaints == []


@pytest.mark.parametrize(
    "figure", ["14_cost_complexity.html#figure-14-9", "24_from_start_to_end.html#figure-24-9"]
)
def test_a_wide_picture_is_whole_on_a_laptop(browser: Browser, site: str, figure: str) -> None:
    with opened(browser, 1440) as visit:
        visit.go(f"{site}chapters/{figure}")
        box = visit.page.locator(f"#{figure.partition('#')[2]} .picture")
        assert box.evaluate("(box) => box.scrollWidth <= box.clientWidth + 1")
