"""Widgets in the tests: a page with all of its widgets at work."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

NEAR = """() => {
    const box = document.querySelector("[data-touch]");
    (box?.previousElementSibling ?? box?.parentElement)?.scrollIntoView({ behavior: "instant" });
}"""
AT_WORK = "() => [...document.querySelectorAll('[data-touch]')].every((box) => box.dataset.started)"


def start_widgets(page: Page) -> None:
    """Come near the widgets of a page, and wait until all of them are at work."""
    page.evaluate(NEAR)
    page.wait_for_function(AT_WORK)
