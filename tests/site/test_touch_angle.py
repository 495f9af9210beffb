"""The line of chapter 22 in a browser: turned by mouse, touch and keys, held to the library."""

from __future__ import annotations

import re
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest
from touchable import angle

from dtlib import CARTClassifier
from dtlib.datasets import load_watermelon
from tests.site.browser import settled
from tests.site.limits import READ_AT, WIDTHS
from tests.site.touch import widget_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

PAGE = "chapters/22_oblique_trees.html"
WIDGET = "[data-touch=angle]"
MELONS = load_watermelon("3.0")
# Every place of both sliders, and what the widget says there.
EVERYWHERE = """(box) => {
    const [turn, shift] = box.querySelectorAll("input");
    const move = (slider, to) => { slider.value = to; slider.dispatchEvent(new Event("input")); };
    const text = (part) => part.textContent;
    return Array.from({ length: 181 }, (_, degrees) => {
        move(turn, degrees);
        const best = Number(shift.value) + 1;
        return { best, cuts: Array.from({ length: 16 }, (_, i) => {
            move(shift, i);
            const [asked, gain] = box.querySelectorAll(".angle-panels p strong");
            return [text(asked), text(gain), [...box.querySelectorAll("td")].map(text)];
        }) };
    });
}"""


def widget(
    browser: Browser, site: str, width: int = 1280, **options: Any
) -> AbstractContextManager[tuple[Page, Locator]]:
    """Open the chapter and go to its widget."""
    return widget_of(browser, site + PAGE, WIDGET, width, **options)


def shown(box: Locator) -> list[str]:
    """Return the question, the gain, and the direction."""
    told = box.locator(".angle-panels p strong").all_inner_texts()
    return [*told, box.locator("output").first.inner_text()]


def question(asked: str) -> tuple[np.ndarray, float]:
    """Read a question in words: the weights of the density and the sugar, and the threshold."""
    terms, threshold = asked.replace("−", "-").replace(" ", "").rstrip("?").split("≤")
    found = dict.fromkeys(("density", "sugar"), 0.0)
    for weight, name in re.findall(r"([+-]?[\d.]*)(density|sugar)", terms):
        found[name] = float(weight + ("1" if weight in ("", "+", "-") else ""))
    return np.array(list(found.values())), float(threshold)


def test_every_state_is_what_the_library_says(browser: Browser, site: str) -> None:
    with widget(browser, site) as (_, box):
        states = box.evaluate(EVERYWHERE)
    X, good = MELONS.X[["density", "sugar"]].to_numpy(), (MELONS.y == "yes").to_numpy()
    data = angle.data()
    for degrees, state in enumerate(states):
        assert state["best"] == data["best"][degrees]
        for n, (asked, gain, cells) in enumerate(state["cuts"], 1):
            w, threshold = question(asked)
            below = X @ w <= threshold
            assert (below.sum(), cells[:2]) == (n, [str((below & ~good).sum()), str((below & good).sum())])
            assert cells[3:5] == [str((~below & ~good).sum()), str((~below & good).sum())]
            assert gain == f"{data['gain'][n][(below & good).sum()]:.3f}"
        if degrees % 9 == 0:
            tree = CARTClassifier(max_depth=1).fit(pd.DataFrame({"sum": X @ w}), MELONS.y).tree_
            assert state["cuts"][state["best"] - 1][1] == f"{tree.gain[0]:.3f}"


def test_by_mouse(browser: Browser, site: str) -> None:
    with widget(browser, site) as (page, box):
        assert not box.locator("p strong").last.is_visible()
        box.get_by_role("button", name="Show the answer").click()
        assert shown(box) == ["−0.3 density + sugar ≤ 0.003?", "0.310", "111°"]
        assert box.locator("td").all_inner_texts() == ["7", "0", "0.000", "2", "8", "0.320"]
        arc = box.locator("path.angle-dial").first.bounding_box()
        radius, middle = arc["width"] / 2, (arc["x"] + arc["width"] / 2, arc["y"] + arc["height"])
        knob = box.locator(".angle-knob").bounding_box()
        page.mouse.move(knob["x"] + knob["width"] / 2, knob["y"] + knob["height"] / 2)
        page.mouse.down()
        for degrees in (45, 150, 90):
            turn = np.radians(degrees)
            page.mouse.move(middle[0] + radius * np.cos(turn), middle[1] - radius * np.sin(turn))
            assert abs(int(shown(box)[2].rstrip("°")) - degrees) <= 1
        page.mouse.up()
        box.get_by_label("Turn").fill("90")
        assert shown(box) == ["sugar ≤ 0.2045?", "0.212", "90°"]
        curve = box.locator(".angle-hills").bounding_box()
        page.mouse.click(curve["x"] + curve["width"] - 2, curve["y"] + 20)
        assert shown(box) == ["−density ≤ −0.3815?", "0.136", "180°"]


def test_by_keys(browser: Browser, site: str) -> None:
    with widget(browser, site) as (page, box):
        box.get_by_role("button", name="Show the answer").click()
        turn, shift = box.get_by_label("Turn"), box.get_by_label("Shift")
        turn.focus()
        page.keyboard.press("End")
        assert turn.get_attribute("aria-valuetext") == "180°, decrease 0.136"
        for _ in range(69):
            page.keyboard.press("ArrowLeft")
        assert shown(box)[1:] == ["0.310", "111°"]
        shift.focus()
        page.keyboard.press("ArrowLeft")
        assert shift.get_attribute("aria-valuetext") == f"cut 6 of 16, decrease {shown(box)[1]}"
        assert "gains more: 0.310" in box.locator(".angle-said").inner_text()
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        assert shown(box)[2] == "0°"


def test_by_touch(browser: Browser, site: str) -> None:
    with widget(browser, site, 390, has_touch=True, is_mobile=True) as (_, box):
        box.get_by_role("button", name="Show the answer").tap()
        box.get_by_role("button", name="Sugar").tap()
        assert shown(box) == ["sugar ≤ 0.2045?", "0.212", "90°"]
        curve = box.locator(".angle-hills")
        size = curve.bounding_box()
        curve.tap(position={"x": 0.5 * size["width"], "y": 20})
        assert 60 < int(shown(box)[2].rstrip("°")) < 100
        sizes = [part.bounding_box() for part in box.locator("button, input, .angle-reach").all()]
        assert min(part["height"] for part in sizes) >= 40


def test_it_keeps_its_height_and_its_place(browser: Browser, site: str) -> None:
    with widget(browser, site) as (page, box):
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            box.get_by_role("button", name="Show the answer").click()
            settled(page)
            heights = {height(box, degrees) for degrees in (0, 40, 90, 91, 111, 118, 180)}
            assert len(heights) == 1, width
            assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize(("theme", "width"), READ_AT)
def test_axe_finds_nothing(browser: Browser, site: str, theme: str, width: int) -> None:
    with widget(browser, site, width, theme=theme) as (page, _):
        assert axe(page) == []


def height(box: Locator, degrees: int) -> int:
    """Turn the line and return how high the widget is."""
    box.get_by_label("Turn").fill(str(degrees))
    return round(box.bounding_box()["height"])


def axe(page: Page) -> list[str]:
    """List what axe finds in the figure of the widget."""
    from axe_playwright_python.sync_playwright import Axe

    page.evaluate(Axe().axe_script)
    found = page.evaluate("(figure) => axe.run(figure)", f"figure:has({WIDGET})")
    assert len(found["passes"]) > 5
    return [line["id"] for line in found["violations"]]
