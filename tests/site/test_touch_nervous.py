"""The applicants of chapter 16 in a browser: withdrawn by mouse, touch and keys, held to the library."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

import pytest
from touchable import nervous

from dtlib.datasets import load_loan
from tests.site.browser import settled
from tests.site.limits import READ_AT, WIDTHS
from tests.site.touch import widget_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

PAGE = "chapters/16_forests.html"
WIDGET = "[data-touch=nervous]"
LOAN = load_loan()
# Withdraw each applicant in turn, and list what the widget shows.
EVERYWHERE = """(box) => [...box.querySelectorAll("button")].map((button) => {
    button.click();
    const all = (selector) => [...box.querySelectorAll(selector)];
    const text = (part) => part.textContent;
    const tree = box.querySelector(".nervous-shown");
    return {
        name: text(button),
        said: text(box.querySelector("[aria-live]")),
        tree: tree.querySelector("desc").textContent,
        framed: [...tree.querySelectorAll(".nervous-new")].map((card) => Number(card.dataset.node)),
        gains: all("table:not(.nervous-map) td").map(text),
        answers: all(".nervous-map tbody td").map(text),
        changed: all(".nervous-map tbody td").flatMap((cell, i) => cell.matches(".nervous-other") ? [i] : []),
        left: all(".nervous-map tbody td").findIndex((cell) => cell.matches(".nervous-left")),
        height: Math.round(box.getBoundingClientRect().height),
    };
})"""


def widget(
    browser: Browser, site: str, width: int = 1280, **options: Any
) -> AbstractContextManager[tuple[Page, Locator]]:
    """Open the chapter and go to its widget."""
    return widget_of(browser, site + PAGE, WIDGET, width, **options)


def said(box: Locator) -> str:
    """Return the sentence about the one who left."""
    return box.locator("[aria-live]").inner_text()


def test_every_state_is_what_the_library_says(browser: Browser, site: str) -> None:
    with widget(browser, site) as (_, box):
        states = box.evaluate(EVERYWHERE)
    data = nervous.data()
    full = data["trees"][0]
    for which, (state, tree) in enumerate(zip(states, data["trees"], strict=True)):
        asked = data["features"][tree["root"]]
        who = ["applicant", str(data["names"][which - 1])] if which else ["none"]
        assert state["name"].split() == [*who, asked.split("_")[-1]]
        assert state["tree"].startswith(f"Node 0 asks {asked}:")
        assert state["framed"] == tree["new"]
        after = [f"{gain:.3f}" for gain in tree["gains"]] if which else ["–"] * 4
        both = zip((f"{gain:.3f}" for gain in full["gains"]), after, strict=True)
        assert state["gains"] == [gain for pair in both for gain in pair]
        assert state["answers"] == [data["classes"][answer] for answer in tree["answers"]]
        changed = [i for i, answer in enumerate(tree["answers"]) if answer != full["answers"][i]]
        assert state["changed"] == changed
        assert (f"{len(changed)} of 36 answers change" in state["said"]) == bool(changed)
    everyone = nervous.every(LOAN.X).to_numpy().tolist()
    assert states[0]["left"] == -1
    assert [everyone[state["left"]] for state in states[1:]] == LOAN.X.to_numpy().tolist()


def test_by_mouse(browser: Browser, site: str) -> None:
    with widget(browser, site) as (_, box):
        assert "Without applicant 4 " in said(box)
        assert "6 leaves instead of 3; 15 of 36 answers change" in said(box)
        assert "7 ask another first question, 3 answer" in box.inner_text()
        box.get_by_role("button", name="9 job").click()
        assert "for the job first, not for the house: both gain the same" in said(box)
        assert box.locator(".nervous-other").count() == 0
        assert box.get_by_role("img").count() == 1


def test_by_keys(browser: Browser, site: str) -> None:
    with widget(browser, site) as (page, box):
        box.get_by_role("button", name="none").focus()
        page.keyboard.press("Enter")
        assert said(box) == "The tree of all 15 asks for the house first. Let one of them withdraw."
        for _ in range(2):
            page.keyboard.press("Tab")
        page.keyboard.press("Space")
        assert "Without applicant 2 " in said(box)
        assert box.locator("button[aria-pressed=true]").inner_text().split()[1:] == ["2", "credit"]


def test_by_touch(browser: Browser, site: str) -> None:
    with widget(browser, site, 390, has_touch=True, is_mobile=True) as (_, box):
        box.get_by_role("button", name="7 credit").tap()
        assert "Without applicant 7 " in said(box)
        sizes = [button.bounding_box() for button in box.locator("button").all()]
        assert min(min(size["height"], size["width"]) for size in sizes) >= 40


def test_it_keeps_its_height_and_its_place(browser: Browser, site: str) -> None:
    with widget(browser, site) as (page, box):
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            settled(page)
            assert len({state["height"] for state in box.evaluate(EVERYWHERE)}) == 1, width
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            wide = box.evaluate("(box) => box.scrollWidth > box.clientWidth")
            assert not wide, width


@pytest.mark.parametrize(("theme", "width"), READ_AT)
def test_axe_finds_nothing(browser: Browser, site: str, theme: str, width: int) -> None:
    with widget(browser, site, width, theme=theme) as (page, _):
        assert axe(page) == []


def axe(page: Page) -> list[str]:
    """List what axe finds in the figure of the widget."""
    from axe_playwright_python.sync_playwright import Axe

    page.evaluate(Axe().axe_script)
    found = page.evaluate("(figure) => axe.run(figure)", f"figure:has({WIDGET})")
    assert len(found["passes"]) > 5
    return [line["id"] for line in found["violations"]]
