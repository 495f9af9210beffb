"""Slide the trees and the rate: by mouse, touch and keyboard, and what is shown is what the data say."""

from __future__ import annotations

import json
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

import pytest

from tests.site.browser import opened, settled
from tests.site.limits import WIDTHS
from tests.site.test_touch_threshold import cut_or_hard_to_reach
from tests.site.touch import widget_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

PAGE = "chapters/17_boosting.html"
SUM, ERRORS = "#figure-17-1", "#figure-17-3"
PICTURES = (
    ["squared error against trees"],
    ["The sum of the trees over its points", "squared error left against trees"],
)
RATES = ("rate 1", "rate 0.5", "rate 0.1")
SHOWN = """(box) => ({
    at: box.querySelector("output").textContent,
    rate: box.querySelector("[aria-pressed=true]").textContent,
    says: box.querySelector(".boost-says").textContent,
    stairs: box.querySelector(".touch-steps")?.getAttribute("d"),
    pictures: [...box.querySelectorAll("svg")].map((svg) => svg.getAttribute("aria-label")),
    height: box.clientHeight,
})"""


def widget(
    browser: Browser, site: str, figure: str, width: int = 1280, **options: Any
) -> AbstractContextManager[tuple[Page, Locator]]:
    """Open the chapter and go to the widget of a figure."""
    return widget_of(browser, site + PAGE, f"{figure} .touch", width, **options)


def agrees(box: Locator, rate: str, trees: int) -> bool:
    """Say whether all that the widget shows is what the data say of a rate and a number of trees."""
    data = json.loads(box.locator("script").text_content() or "")
    sums, shown = data["sums"][RATES.index(rate)], box.evaluate(SHOWN)
    if "points" in data:
        numbers = [f"{sums['left'][trees]:.3f}", *(f"{h:.3f}" for h in sums["asked"][trees - 1][1:] if trees)]
        steps = shown["stairs"].count("V") == len(sums["steps"][trees])
    else:
        numbers = [f"{sums[rows][trees - 1]:.2f}" for rows in ("seen", "fresh")]
        steps = shown["stairs"] is None
    said = shown["says"].replace("\N{MINUS SIGN}", "-")
    return (
        (shown["rate"], shown["at"]) == (rate, "1 tree" if trees == 1 else f"{trees} trees")
        and all(number in said for number in numbers)
        and steps
        and shown["pictures"] == PICTURES["points" in data]  # what is set, the words say once
    )


def show_all(box: Locator) -> None:
    """Show the answer of each task, where there are some, and go to the second."""
    if box.get_by_role("button", name="Show the answer").count():
        for rate in ("rate 0.1", "rate 1", "rate 0.5"):
            for name in (rate, "Show the answer"):
                box.get_by_role("button", name=name, exact=True).click()


def axe(page: Page, figure: str) -> list[str]:
    """List what axe finds in a figure."""
    from axe_playwright_python.sync_playwright import Axe

    page.evaluate(Axe().axe_script)
    found = page.evaluate("(figure) => axe.run(figure)", figure)
    assert len(found["passes"]) > 5
    return [line["id"] for line in found["violations"]]


@pytest.mark.parametrize(
    ("figure", "start", "last", "theme", "width"),
    [(SUM, 1, 40, "light", 1280), (ERRORS, 15, 150, "dark", 360)],
)
def test_by_keys(
    browser: Browser, site: str, figure: str, start: int, last: int, theme: str, width: int
) -> None:
    with widget(browser, site, figure, width, theme=theme) as (page, box):
        show_all(box)
        assert agrees(box, "rate 0.5", start)
        height, first = box.evaluate(SHOWN)["height"], int(figure == ERRORS)
        for rate in RATES:
            box.get_by_role("button", name=rate, exact=True).focus()
            page.keyboard.press("Enter")
            box.get_by_role("slider").focus()
            for key, there in (("Home", first), ("ArrowRight", first + 1), ("End", last)):
                page.keyboard.press(key)
                assert agrees(box, rate, there)
                assert box.evaluate(SHOWN)["height"] == pytest.approx(height, abs=1)
        assert cut_or_hard_to_reach(box) == []
        assert axe(page, figure) == []


def test_each_number_of_trees_on_the_ten_points(browser: Browser, site: str) -> None:
    with widget(browser, site, SUM) as (_, box):
        for rate in RATES:
            box.get_by_role("button", name=rate).click()
            for trees in range(41):
                box.get_by_role("slider").fill(str(trees))
                assert agrees(box, rate, trees)


def test_the_mouse_drags_along_the_errors(browser: Browser, site: str) -> None:
    with widget(browser, site, ERRORS) as (page, box):
        show_all(box)
        box.scroll_into_view_if_needed()
        settled(page)
        plot = box.locator("svg").bounding_box()
        page.mouse.move(plot["x"] + plot["width"] / 2, plot["y"] + 60)
        page.mouse.down()
        page.mouse.move(plot["x"] + plot["width"] - 4, plot["y"] + 60, steps=5)
        assert agrees(box, "rate 0.5", 150)
        page.mouse.move(plot["x"], plot["y"] + 60, steps=5)
        assert agrees(box, "rate 0.5", 1)
        page.mouse.up()
        dashes = box.locator("path.boost-fresh").evaluate("path => getComputedStyle(path).strokeDasharray")
        assert dashes == "7px, 4px"  # rules that only scripts need are not lost


def test_the_best_number_of_trees_is_named(browser: Browser, site: str) -> None:
    with widget(browser, site, ERRORS) as (_, box):
        show_all(box)
        assert "no number of trees has less" in box.locator(".boost-says").inner_text()
        box.get_by_role("slider").fill("15")
        assert "At this rate 15 trees have the least" in box.locator(".boost-says").inner_text()


def test_a_finger_chooses(browser: Browser, site: str) -> None:
    with widget(browser, site, SUM, 390, has_touch=True, is_mobile=True) as (_, box):
        box.get_by_role("button", name="rate 0.1").tap()
        slider = box.get_by_role("slider")
        size = slider.bounding_box()
        slider.tap(position={"x": size["width"] - 8, "y": size["height"] / 2})
        assert agrees(box, "rate 0.1", 40)
        sizes = [part.bounding_box()["height"] for part in box.locator("button, input").all()]
        assert min(sizes) >= 40


def test_it_keeps_its_place(browser: Browser, site: str) -> None:
    with widget(browser, site, SUM) as (page, box):
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            settled(page)
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert not box.evaluate("(box) => box.scrollWidth > box.clientWidth"), width


def test_without_scripts_the_pictures_stay(browser: Browser, site: str) -> None:
    with opened(browser, 1280, java_script_enabled=False) as visit:
        visit.page.goto(site + PAGE)
        for figure in (SUM, ERRORS):
            assert visit.page.locator(f"{figure} .cell_output svg").is_visible()
            assert not visit.page.locator(f"{figure} .touch").is_visible()
