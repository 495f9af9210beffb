"""Slide the depth: by mouse, by touch and by keyboard, and what is shown is what the data say."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.site.browser import opened, settled
from tests.site.test_touch_threshold import cut_or_hard_to_reach

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

CHAPTER = "chapters/11_regression_trees.html"
PICTURES = ["The steps of the tree over its points", "mean squared error against depth"]
STAIRS, ERRORS = "#figure-11-6", "#figure-11-7"
SHOWN = """(box) => ({
    at: box.querySelector("input").value,
    says: box.querySelector(".depth-says").textContent,
    stairs: box.querySelector(".touch-steps").getAttribute("d"),
    pictures: [...box.querySelectorAll("svg")].map((svg) => svg.getAttribute("aria-label")),
    height: box.clientHeight,
})"""


def widget(page: Page, figure: str) -> Locator:
    """Come near the widget of a figure, and wait until it is there."""
    page.locator(figure).scroll_into_view_if_needed()
    found = page.locator(f"{figure} .touch")
    found.locator("svg").first.wait_for()
    found.scroll_into_view_if_needed()
    settled(page)
    return found


def show_all(found: Locator) -> None:
    """Show the answer of the task, where there is one."""
    button = found.get_by_role("button", name="Show the answer")
    if button.count():
        button.click()


def data(found: Locator) -> dict[str, Any]:
    """Return the data that the page brings."""
    return json.loads(found.locator("script").text_content() or "")


def agrees(found: Locator, depth: int) -> bool:
    """Say whether all that the widget shows is what the data say of a depth."""
    tree, shown = data(found)["trees"][depth], found.evaluate(SHOWN)
    numbers = [f"{tree[rows]:.3f}" for rows in ("seen", "fresh") if rows in tree]
    return (
        shown["at"] == str(depth)
        and shown["says"].startswith(f"{tree['leaves']} lea")
        and all(number in shown["says"] for number in numbers)
        and shown["stairs"].count("V") == tree["leaves"]  # a rise to each step but the first, and the end
        and shown["pictures"] == PICTURES[: len(shown["pictures"])]  # what is set, the words say once
    )


@pytest.mark.parametrize(
    ("figure", "start", "theme", "width"), [(STAIRS, 1, "light", 1280), (ERRORS, 3, "dark", 360)]
)
def test_keys_go_from_one_leaf_to_a_step_for_every_point(
    browser: Browser, site: str, figure: str, start: int, theme: str, width: int
) -> None:
    with opened(browser, width, theme) as visit:
        visit.go(site + CHAPTER)
        found = widget(visit.page, figure)
        show_all(found)
        assert agrees(found, start)
        height = found.evaluate(SHOWN)["height"]
        found.get_by_role("slider").focus()
        visit.page.keyboard.press("Home")
        for depth in range(12):
            assert agrees(found, depth)
            assert found.evaluate(SHOWN)["height"] == pytest.approx(height, abs=1)
            visit.page.keyboard.press("ArrowRight")
        assert found.locator("output").inner_text() == "no limit (11)"
        assert cut_or_hard_to_reach(found) == []
        visit.page.set_viewport_size({"width": 768, "height": 900})
        settled(visit.page)
        assert agrees(found, 11)
        assert found.locator("svg").first.bounding_box()["width"] <= found.bounding_box()["width"]
    assert visit.complaints == []


def test_the_mouse_drags_along_the_errors(browser: Browser, site: str) -> None:
    with opened(browser, 1280) as visit:
        page = visit.page
        visit.go(site + CHAPTER)
        found = widget(page, ERRORS)
        show_all(found)
        box = found.locator("svg").last.bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 60)
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"] - 16, box["y"] + 60, steps=5)
        assert agrees(found, 11)
        styles = found.locator("path.depth-fresh").evaluate("path => getComputedStyle(path).strokeDasharray")
        assert styles == "7px, 4px"  # rules that only scripts need are not lost
        page.mouse.move(box["x"], box["y"] + 60, steps=5)
        assert agrees(found, 0)
        page.mouse.up()
    assert visit.complaints == []


def test_a_finger_taps_a_depth(browser: Browser, site: str) -> None:
    with opened(browser, 390, has_touch=True, is_mobile=True) as visit:
        page = visit.page
        visit.go(site + CHAPTER)
        found = widget(page, ERRORS)
        show_all(found)
        slider = found.get_by_role("slider")
        box = slider.bounding_box()
        assert box["height"] >= 40
        slider.tap(position={"x": box["width"] - 8, "y": box["height"] / 2})
        assert agrees(found, 11)
        found.locator("circle.depth-least").scroll_into_view_if_needed()
        least = found.locator("circle.depth-least").bounding_box()
        page.touchscreen.tap(least["x"] + least["width"] / 2, least["y"] + 4)
        assert agrees(found, 3)
    assert visit.complaints == []


def test_without_scripts_the_pictures_stay(browser: Browser, site: str) -> None:
    with opened(browser, 1280, java_script_enabled=False) as visit:
        visit.page.goto(site + CHAPTER)
        for figure in (STAIRS, ERRORS):
            assert visit.page.locator(f"{figure} .cell_output svg").is_visible()
            assert not visit.page.locator(f"{figure} .touch").is_visible()
