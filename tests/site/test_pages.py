"""Every page in light and dark and at five widths: nothing complains or is cut off, axe finds nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.site.browser import opened, script, settled, weight
from tests.site.limits import FIRST_VISIT_KB, FIRST_VISIT_REQUESTS, HEIGHT, READ_AT, THEMES, WIDTHS
from tests.site.served import BUILT, pages

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

every_page = pytest.mark.parametrize("name", pages())

CUT = script("cut.js")
FOLDS = "() => document.querySelectorAll('details').forEach((fold) => { fold.open = true; })"


def cut(page: Page, width: int) -> list[str]:
    """Say what is cut off or makes the page scroll sideways at a width."""
    page.set_viewport_size({"width": width, "height": HEIGHT})
    settled(page)
    return [f"{width} px: {line}" for line in page.evaluate(CUT)]


@every_page
def test_the_page_is_there(name: str) -> None:
    assert (BUILT / name).is_file()


@every_page
@pytest.mark.parametrize("theme", THEMES)
def test_nothing_complains_and_nothing_is_cut_off(browser: Browser, site: str, name: str, theme: str) -> None:
    with opened(browser, WIDTHS[0], theme) as visit:
        visit.go(site + name)
        assert visit.page.evaluate("document.documentElement.dataset.theme") == theme
        closed = [line for width in WIDTHS for line in cut(visit.page, width)]
        visit.page.evaluate(FOLDS)
        opened_ = [line for width in (WIDTHS[0], WIDTHS[-1]) for line in cut(visit.page, width)]
    assert visit.complaints == []
    assert closed == []
    assert opened_ == []


@every_page
def test_a_first_visit_is_light(browser: Browser, site: str, name: str) -> None:
    with opened(browser, WIDTHS[-2]) as visit:
        visit.page.goto(site + name, wait_until="networkidle")
        found = weight(visit.requests)
    assert (found["kB"] <= FIRST_VISIT_KB, found["requests"] <= FIRST_VISIT_REQUESTS) == (True, True), found


@every_page
@pytest.mark.parametrize(("theme", "width"), READ_AT)
def test_axe_finds_nothing(browser: Browser, site: str, name: str, theme: str, width: int) -> None:
    with opened(browser, width, theme) as visit:
        visit.go(site + name)
        visit.page.evaluate(FOLDS)
        assert violations(visit.page) == []


def violations(page: Page) -> list[str]:
    """List what axe finds: the rule, how often, and the first place."""
    from axe_playwright_python.sync_playwright import Axe

    settled(page)
    results: dict[str, Any] = Axe().run(page).response
    return [
        f"{rule['id']}, {len(rule['nodes'])} times: {rule['nodes'][0]['html'][:300]}"
        for rule in results["violations"]
    ]
