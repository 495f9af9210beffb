"""The slider over the price of a leaf: by keyboard, mouse and touch, what is shown is what the data say."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

from tests.site.browser import opened, settled

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PAGES = {"melons": "chapters/13_price_per_leaf.html", "tumors": "chapters/14_cost_complexity.html"}
BOX = "[data-touch=price]"
SLIDER = f"{BOX} input[type=range]"
STATE = f"""() => {{
    const box = document.querySelector("{BOX}");
    const nodes = (selector) => [...box.querySelectorAll(selector)].map((part) => Number(part.dataset.node));
    return {{
        place: Number(box.querySelector("input").value),
        price: box.querySelector("output").textContent,
        told: box.querySelector("input").getAttribute("aria-valuetext"),
        words: box.querySelector(".price-said").innerText,
        gone: nodes("[data-node].price-gone"),
        next: nodes("[data-node].price-next"),
        height: Math.round(box.getBoundingClientRect().height),
        wide: document.documentElement.scrollWidth,
    }};
}}"""
NEAR = "() => document.querySelector('figure:has([data-touch=price])').scrollIntoView()"
AXE = "async () => (await axe.run('figure:has([data-touch=price])')).violations.map((found) => found.id)"

Shown = tuple["Page", dict[str, Any]]


def show_all(page: Page) -> None:
    """Show the answer of each task, and begin with the price 0."""
    box = page.locator(BOX)
    for name in ("Show the answer", "Next", "Show the answer", "Next", "Show the answer"):
        button = box.get_by_role("button", name=name)
        if button.is_visible():
            button.click()
    page.locator(SLIDER).fill("0")


def come_near(page: Page) -> dict[str, Any]:
    """Scroll to the widget, wait for it, show its answers, and return its data."""
    page.evaluate(NEAR)
    page.locator(SLIDER).wait_for()
    show_all(page)
    settled(page)
    data: dict[str, Any] = json.loads(page.locator(f"{BOX} > script").inner_text())
    return data


@pytest.fixture(params=PAGES)
def shown(request: pytest.FixtureRequest, browser: Browser, site: str) -> Iterator[Shown]:
    """Open a page with the widget on a laptop."""
    with opened(browser, 1280) as visit:
        visit.go(site + PAGES[request.param])
        yield visit.page, come_near(visit.page)
    assert visit.complaints == []


def check(page: Page, data: dict[str, Any]) -> dict[str, Any]:
    """Compare what is shown with the data, and return it."""
    state: dict[str, Any] = page.evaluate(STATE)
    step = data["prices"][state["place"]]
    k = step["k"]
    assert state["price"] == state["told"] == step["words"]
    gone = [i for i, node in enumerate(data["nodes"]) if node["gone"] is not None and k >= node["gone"]]
    assert (sorted(state["gone"]), sorted(state["next"])) == (gone, data["trees"][k]["weakest"])
    assert state["words"].startswith(f"{data['trees'][k]['leaves']} of {data['trees'][0]['leaves']} leaves")
    assert re.sub("<.*?>", "", step["said"]) in state["words"]
    return state


def test_the_keys_raise_the_price_and_branches_only_fall(shown: Shown) -> None:
    page, data = shown
    page.locator(SLIDER).focus()
    states = [check(page, data)]
    for _ in data["prices"][1:]:
        page.keyboard.press("ArrowRight")
        states.append(check(page, data))
    assert [state["place"] for state in states] == list(range(len(data["prices"])))
    for before, after in pairwise(states):
        assert set(before["gone"]) <= set(after["gone"])
    assert len(states[-1]["gone"]) == len(data["nodes"]) - 1
    assert len({state["height"] for state in states}) == 1
    page.keyboard.press("Home")
    assert check(page, data)["gone"] == []


def test_the_mouse_drags_the_price(shown: Shown) -> None:
    page, data = shown
    box = page.locator(SLIDER).bounding_box()
    assert box is not None
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 8, y)
    page.mouse.down()
    places = []
    for share in (0.3, 0.6, 1.0):
        page.mouse.move(box["x"] + share * box["width"], y, steps=3)
        places.append(check(page, data)["place"])
    page.mouse.up()
    assert places == sorted(set(places))
    assert places[-1] == len(data["prices"]) - 1


def test_the_plots_are_dragged_too(shown: Shown) -> None:
    page, data = shown
    for plot in page.locator(f"{BOX} svg.touch-plot").all():
        plot.scroll_into_view_if_needed()
        box = plot.bounding_box()
        assert box is not None
        gone = set()
        for share in (0.3, 0.9):
            page.mouse.click(box["x"] + share * box["width"], box["y"] + box["height"] / 2)
            gone.add(len(check(page, data)["gone"]))
        assert len(gone) == 2


@pytest.mark.parametrize("name", PAGES)
def test_a_finger_moves_the_price_and_the_page_stays_as_wide_as_the_phone(
    browser: Browser, site: str, name: str
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    with opened(browser, 360, "dark", has_touch=True, is_mobile=True) as visit:
        page = visit.page
        visit.go(site + PAGES[name])
        data = come_near(page)
        before = check(page, data)
        box = page.locator(SLIDER).bounding_box()
        assert box is not None
        assert box["height"] >= 40
        page.touchscreen.tap(box["x"] + 0.7 * box["width"], box["y"] + box["height"] / 2)
        after = check(page, data)
        assert before["place"] == 0 < after["place"]
        assert (after["wide"], after["height"]) == (360, before["height"])
        page.evaluate(Axe().axe_script)
        assert page.evaluate(AXE) == []
    assert visit.complaints == []


def test_the_dots_stand_where_the_data_say(browser: Browser, site: str) -> None:
    """In the plot of the risks; its ticks say where a number is."""
    with opened(browser, 1280) as visit:
        visit.go(site + PAGES["tumors"])
        page, data = visit.page, come_near(visit.page)
        cv = data["cv"]
        place = next(i for i, step in enumerate(data["prices"]) if step["k"] == cv["chosen"])
        page.locator(SLIDER).fill(str(place))
        plot = page.locator(f"{BOX} svg.touch-plot").last
        ticks = {
            float(tick.text_content() or "nan"): float(tick.get_attribute("y") or "nan") - 4
            for tick in plot.locator("text.tick.end").all()[:4]
        }
        dots = [float(dot.get_attribute("cy") or "nan") for dot in plot.locator("circle.price-dot").all()]
        step = (ticks[0.3] - ticks[0.0]) / 0.3
        found = [(at - ticks[0.0]) / step for at in dots]
        assert found == pytest.approx([cv["train"][cv["chosen"]], cv["held"][cv["chosen"]]], abs=1e-3)


def test_without_a_script_the_picture_stays(browser: Browser, site: str) -> None:
    with opened(browser, 1280, java_script_enabled=False) as visit:
        visit.page.goto(site + PAGES["melons"])
        figure = visit.page.locator(f"figure:has({BOX})")
        assert figure.locator(".cell_output svg").is_visible()
        assert not figure.locator(BOX).is_visible()
