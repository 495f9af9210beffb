"""Every page in light and dark and at five widths: nothing complains or is cut off, axe finds nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.site.browser import opened, script, settled, weight
from tests.site.limits import FIRST_PAGE_KB, FIRST_VISIT_KB, FIRST_VISIT_REQUESTS, HEIGHT, READ_AT, WIDTHS
from tests.site.served import pages
from tests.site.touch import start_widgets

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

every_page = pytest.mark.parametrize("name", pages())

CUT = script("cut.js")
AXE = script("axe.js")
FOLDS = "() => document.querySelectorAll('details').forEach((fold) => { fold.open = true; })"


def cut(page: Page, width: int) -> list[str]:
    """Say what is cut off or makes the page scroll sideways at a width."""
    page.set_viewport_size({"width": width, "height": HEIGHT})
    settled(page)
    return [f"{width} px: {line}" for line in page.evaluate(CUT)]


@every_page
@pytest.mark.parametrize(("theme", "width"), READ_AT)
def test_nothing_complains_is_cut_off_heavy_or_hard_to_reach(
    browser: Browser, site: str, name: str, theme: str, width: int
) -> None:
    with opened(browser, width, theme) as visit:
        page = visit.page
        visit.go(site + name)
        start_widgets(page)
        assert page.evaluate("document.documentElement.dataset.theme") == theme
        closed = [line for other in WIDTHS for line in cut(page, other)]
        page.evaluate(FOLDS)
        opened_ = [line for other in (WIDTHS[0], WIDTHS[-1], width) for line in cut(page, other)]
        hard = violations(page)
        found = weight(visit.requests)
    faults = {"complaints": visit.complaints, "cut off": closed, "cut off in folds": opened_, "axe": hard}
    assert {what: lines for what, lines in faults.items() if lines} == {}
    kilobytes = FIRST_PAGE_KB if name == "intro.html" else FIRST_VISIT_KB
    assert (found["kB"] <= kilobytes, found["requests"] <= FIRST_VISIT_REQUESTS) == (True, True), found


def violations(page: Page) -> list[str]:
    """List what axe finds: the rule, how often, and the first place."""
    from axe_playwright_python.sync_playwright import Axe

    page.evaluate(Axe().axe_script)
    return page.evaluate(AXE)


@pytest.mark.parametrize(
    ("fault", "rule"),
    [
        ("document.querySelector('.bd-article pre .nb').style.color = '#bbb'", "color-contrast"),
        ("document.querySelector('.bd-article pre').style.background = '#777'", "color-contrast"),
        ("document.querySelector('.bd-article .admonition').style.opacity = 0.4", "color-contrast"),
        ("document.documentElement.lang = ''", "html-has-lang"),
    ],
)
def test_a_fault_is_found(browser: Browser, site: str, fault: str, rule: str) -> None:
    with opened(browser, 1280) as visit:
        visit.go(f"{site}chapters/01_what_a_tree_is.html")
        visit.page.evaluate(FOLDS)
        visit.page.evaluate(fault)
        assert [line.split(",")[0] for line in violations(visit.page)] == [rule]
