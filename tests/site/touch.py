"""Widgets in the tests: a page with all of its widgets at work."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tests.site.browser import opened

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

NEAR = """() => {
    const box = document.querySelector("[data-touch]");
    (box?.previousElementSibling ?? box?.parentElement)?.scrollIntoView({ behavior: "instant" });
}"""
AT_WORK = "() => [...document.querySelectorAll('[data-touch]')].every((box) => box.dataset.started)"


def start_widgets(page: Page) -> None:
    """Come near the widgets of a page, and wait until all of them are at work."""
    page.evaluate(NEAR)
    page.wait_for_function(AT_WORK)


def open_folds(box: Locator) -> None:
    """Open the side road that a widget stands on."""
    box.evaluate(
        "box => { for (let a = box; (a = a.parentElement); ) if (a.nodeName === 'DETAILS') a.open = true; }"
    )


@contextmanager
def widget_of(
    browser: Browser, address: str, place: str, width: int = 1280, **options: Any
) -> Iterator[tuple[Page, Locator]]:
    """Open a page in a window of its own and go to a widget; nothing may complain."""
    with opened(browser, width, **options) as visit:
        visit.go(address)
        start_widgets(visit.page)
        box = visit.page.locator(place)
        open_folds(box.first)
        yield visit.page, box
    assert visit.complaints == []
