"""Pages in forced colors and without scripts: nothing that color or a script says is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.site.browser import opened
from tests.site.touch import start_widgets

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator

PAPER = {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 24, 30)"}


def look(place: Locator) -> list[str]:
    """Return the colors and the frame of an element."""
    names = ("backgroundColor", "color", "outlineStyle", "outlineColor")
    return place.evaluate("(node, names) => names.map((name) => getComputedStyle(node)[name])", list(names))


@pytest.mark.parametrize(
    "name", ["chapters/06_c45.html", "chapters/16_forests.html", "chapters/22_oblique_trees.html"]
)
def test_a_pressed_button_differs_where_colors_are_forced(browser: Browser, site: str, name: str) -> None:
    with opened(browser, 1280, forced_colors="active") as visit:
        visit.go(site + name)
        start_widgets(visit.page)
        buttons = visit.page.locator(".touch button:visible")
        pressed = visit.page.locator(".touch button[aria-pressed=true]:not(.grow-node):visible")
        other = visit.page.locator(".touch button[aria-pressed=false]:not(.grow-node):visible")
        assert buttons.count() > 1
        assert look(pressed.first) != look(other.first)


def test_the_dots_of_growing_keep_their_colors(browser: Browser, site: str) -> None:
    with opened(browser, 1280, forced_colors="active") as visit:
        visit.go(f"{site}intro.html")
        start_widgets(visit.page)
        colors = {look(visit.page.locator(f".grow-dot.class-{k}").first)[0] for k in (0, 1)}
        assert len(colors) == 2
        node = visit.page.locator(".grow-node[aria-pressed=true]").first
        assert look(node)[2] == "solid"


@pytest.mark.parametrize("theme", PAPER)
def test_without_scripts_links_have_their_color_and_the_dark_comes(
    browser: Browser, site: str, theme: str
) -> None:
    with opened(browser, 1280, theme, java_script_enabled=False) as visit:
        visit.page.goto(f"{site}chapters/06_c45.html")
        style = "(node) => [getComputedStyle(node).color, getComputedStyle(node).backgroundColor]"
        text, paper = visit.page.locator("body").evaluate(style)
        link = visit.page.locator(".bd-article p a.reference:not(.term)").first.evaluate(style)[0]
        assert paper == PAPER[theme]
        assert link != text
