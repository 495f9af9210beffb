"""Drag the threshold: by mouse, by touch and by keyboard, and the numbers shown are those of the data."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.site.browser import opened, settled
from tests.site.touch import open_folds

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

CHAPTER_6, CHAPTER_9 = "chapters/06_c45.html", "chapters/08_cart.html"
WIDGET = '[data-touch="threshold"]'
SHOWN = """(box) => ({
    at: box.querySelector("input").value,
    said: box.querySelector("input").getAttribute("aria-valuetext"),
    counts: [...box.querySelectorAll("tbody td:not(:last-child)")].map((cell) => Number(cell.textContent)),
    label: box.querySelector(".threshold-label").textContent,
    result: [...box.querySelectorAll("math")].at(-1).textContent,
    picture: box.querySelector("svg").getAttribute("aria-label"),
})"""


def widget(page: Page, number: int = 0) -> Locator:
    """Come near a widget, and wait until it is there."""
    open_folds(page.locator(WIDGET).nth(number))
    page.locator(WIDGET).nth(number).evaluate("box => box.parentElement.scrollIntoView()")
    found = page.locator(WIDGET).nth(number)
    found.locator("svg").wait_for()
    found.scroll_into_view_if_needed()
    settled(page)
    return found


def data(found: Locator) -> dict[str, Any]:
    """Return the data that the page brings."""
    return json.loads(found.locator("script").text_content() or "")


def place(found: Locator, number: int) -> tuple[float, float]:
    """Return where the dot of a cut stands, in px of the window."""
    box = found.locator("circle.threshold-dot").nth(number).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def agrees(found: Locator, judge: int, number: int) -> bool:
    """Say whether all that the widget shows is what the data say of a cut."""
    among = data(found)
    judged, cut = among["measures"][judge], among["cuts"][number]
    value = f"{judged['values'][number]:.3f}".replace("-", "−")
    shown = found.evaluate(SHOWN)
    return (
        shown["at"] == str(number)
        and shown["counts"] == [*cut["below"], *cut["above"]]
        and shown["label"].startswith(f"{cut['at']}: {value}")
        and shown["result"].strip("=").startswith(value)
        and f" ≤ {cut['at']}: {value}" in shown["said"]
        and shown["picture"].endswith(f" ≤ {cut['at']}: {value}.")
    )


def cut_or_hard_to_reach(found: Locator) -> list[str]:
    """Say what is too wide for the window, and what axe finds in the widget."""
    from axe_playwright_python.sync_playwright import Axe

    found.page.evaluate(Axe().axe_script)
    rules = found.evaluate("async (box) => (await axe.run(box)).violations.map((rule) => rule.id)")
    wide = found.evaluate(
        """(box) => [box, ...box.querySelectorAll("*")]
            .filter((part) => part.getBoundingClientRect().right > box.getBoundingClientRect().right + 1)
            .map((part) => `${part.nodeName} is too wide`)"""
    )
    return [*rules, *wide]


def touch(hand: Any, kind: str, *point: float) -> None:
    """Move a finger."""
    points = [{"x": point[0], "y": point[1]}] if point else []
    hand.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def show_all(found: Locator) -> None:
    """Show the answer of each task, and end with the first."""
    for name in ("Show the answer", "Next", "Show the answer"):
        button = found.get_by_role("button", name=name)
        if button.is_visible():
            button.click()


def test_the_answer_is_the_picture_and_keys_move_it(browser: Browser, site: str) -> None:
    with opened(browser, 1280) as visit:
        visit.go(site + CHAPTER_6)
        found = widget(visit.page)
        found.get_by_role("button", name="Show the answer").click()
        assert agrees(found, 0, data(found)["measures"][0]["best"])
        assert found.locator(".threshold-says").inner_text() == "None of the 16 thresholds gains more."
        assert not visit.page.locator("#figure-6-2 .cell_output").is_visible()  # the picture is for paper
        found.get_by_role("slider").focus()
        for key, there in (("Home", 0), ("ArrowRight", 1), ("End", 15)):
            visit.page.keyboard.press(key)
            assert agrees(found, 0, there)
        found.get_by_role("button", name="Show the answer").focus()
        visit.page.keyboard.press("Enter")
        assert agrees(found, 0, 3)
        visit.page.set_viewport_size({"width": 360, "height": 900})
        settled(visit.page)
        assert agrees(found, 0, 3)
        assert cut_or_hard_to_reach(found) == []
    assert visit.complaints == []


def test_the_mouse_drags_in_the_plot(browser: Browser, site: str) -> None:
    with opened(browser, 1280) as visit:
        page = visit.page
        visit.go(site + CHAPTER_6)
        found = widget(page)
        show_all(found)
        here, high = place(found, 3), found.bounding_box()["height"]
        page.mouse.move(*here)
        page.mouse.down()
        for number in (4, 8, 15):
            page.mouse.move(place(found, number)[0], here[1] + 20)
            assert agrees(found, 0, number)
            assert found.bounding_box()["height"] == pytest.approx(high, abs=1)
        page.mouse.up()
        page.mouse.move(*here)
        assert agrees(found, 0, 15)
        assert "The best, 0.3815, has 0.262" in found.locator(".threshold-says").inner_text()
    assert visit.complaints == []


def test_a_finger_taps_and_drags_sideways(browser: Browser, site: str) -> None:
    with opened(browser, 390, has_touch=True, is_mobile=True) as visit:
        page = visit.page
        visit.go(site + CHAPTER_6)
        found = widget(page, 1)
        found.get_by_role("button", name="Show the answer").tap()
        found.get_by_role("slider").tap()
        assert agrees(found, 0, 8)
        found.get_by_role("button", name="Show the answer").tap()
        assert agrees(found, 0, 4)
        hand, start = page.context.new_cdp_session(page), place(found, 4)
        scrolled = page.evaluate("scrollY")
        touch(hand, "touchStart", *start)
        for number in (6, 10, 12):
            there = place(found, number)
            for x in (there[0] - 2, there[0]):
                touch(hand, "touchMove", x, start[1])
        touch(hand, "touchEnd")
        assert agrees(found, 0, 12)
        assert page.evaluate("scrollY") == scrolled
        sizes = [box.bounding_box()["height"] for box in found.locator("button, input").all()]
        assert min(sizes) >= 40
    assert visit.complaints == []


@pytest.mark.parametrize(
    ("name", "numbers", "theme", "width"),
    [(CHAPTER_6, (2, 3), "dark", 360), (CHAPTER_9, (0,), "light", 1280)],
)
def test_another_measure_judges_every_cut_anew(
    browser: Browser, site: str, name: str, numbers: tuple[int, ...], theme: str, width: int
) -> None:
    with opened(browser, width, theme) as visit:
        visit.go(site + name)
        for number in numbers:
            found = widget(visit.page, number)
            among = data(found)
            show_all(found)
            high = found.bounding_box()["height"]
            for judge in (1, 0):
                measures = found.get_by_role("group", name="Judge a threshold by")
                measures.get_by_role("button").nth(judge).click()
                for i in range(len(among["cuts"])):
                    found.get_by_role("slider").fill(str(i))
                    assert agrees(found, judge, i)
                    assert found.bounding_box()["height"] == pytest.approx(high, abs=1)
                found.get_by_role("button", name="Show the answer").click()
                assert agrees(found, judge, among["measures"][judge]["best"])
            assert cut_or_hard_to_reach(found) == []
    assert visit.complaints == []


def test_without_scripts_the_picture_stays(browser: Browser, site: str) -> None:
    with opened(browser, 1280, java_script_enabled=False) as visit:
        visit.page.goto(site + CHAPTER_6)
        assert visit.page.locator("#figure-6-2 .cell_output svg").is_visible()
        assert visit.page.locator(WIDGET).filter(visible=True).count() == 0
