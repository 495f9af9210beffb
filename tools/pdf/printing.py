"""Chromium prints the document; pypdf reads its pages and writes the bookmarks."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pypdf import PdfReader, PdfWriter

    from .book import Entry

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
MINUTES = 600_000  # in milliseconds, as Playwright counts
WIDTH = round((210 - 2 * 25) / 25.4 * 96)  # of the text, in pixels
# What is wider than the text is made smaller, whole.
FIT = """() => {
    for (const article of document.querySelectorAll("article")) {
        const end = article.getBoundingClientRect().right;
        const all = article.querySelectorAll("table, .picture > svg, [display=block], [display=true]");
        for (const wide of all) {
            const { left, width } = wide.getBoundingClientRect();
            if (left + width > end + 1) wide.style.zoom = Math.max(0.4, (end - left) / width);
        }
    }
}"""
NUMBERS = """(pages) => {
    for (const place of document.querySelectorAll("[data-page-of]"))
        place.textContent = pages[place.dataset.pageOf];
}"""


def chromium() -> str | None:
    """Return the first browser that is there, or None."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def print_book(document: Path, table: list[Entry], pdf: Path, about: dict[str, str]) -> int:
    """Print a document into a file, with page numbers and bookmarks; return the number of pages."""
    from playwright.sync_api import sync_playwright
    from pypdf import PdfReader

    with sync_playwright() as player:
        browser = player.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDTH, "height": 1000})
        page.set_default_timeout(MINUTES)
        page.emulate_media(media="print")
        page.goto(document.as_uri(), wait_until="networkidle")
        page.evaluate("async () => { await window.MathJax?.startup?.promise; await document.fonts.ready; }")
        page.evaluate(FIT)
        before: dict[str, int] = {}
        for _ in range(4):  # the numbers may move a line, and with it a page
            page.pdf(path=pdf, prefer_css_page_size=True, print_background=True, tagged=True)
            places = page_numbers(PdfReader(pdf))
            if places == before:
                break
            page.evaluate(NUMBERS, places)
            before = places
        else:
            raise RuntimeError("the page numbers do not come to rest")
        browser.close()
    return finish(pdf, table, about)


def page_numbers(reader: PdfReader) -> dict[str, int]:
    """Return on which page each place is to which a link leads."""
    numbers = {page.indirect_reference.idnum: i for i, page in enumerate(reader.pages, start=1)}
    found = reader.named_destinations
    return {name.lstrip("/"): numbers[place.page.idnum] for name, place in found.items()}


def finish(pdf: Path, table: list[Entry], about: dict[str, str]) -> int:
    """Write bookmarks and what the PDF says of itself; return the number of pages."""
    from pypdf import PdfReader, PdfWriter
    from pypdf.generic import BooleanObject, DictionaryObject, NameObject, TextStringObject

    reader = PdfReader(pdf)
    places = {name.lstrip("/"): place for name, place in reader.named_destinations.items()}
    pages = page_numbers(reader)
    writer = PdfWriter(clone_from=reader)
    bookmark(writer, places, pages, table)
    writer.add_metadata({f"/{key}": value for key, value in about.items()})
    writer.page_mode = "/UseOutlines"
    writer.root_object[NameObject("/Lang")] = TextStringObject("en")
    shown = DictionaryObject({NameObject("/DisplayDocTitle"): BooleanObject(True)})
    writer.root_object[NameObject("/ViewerPreferences")] = shown
    writer.write(pdf)
    return len(reader.pages)


def bookmark(
    writer: PdfWriter, places: dict[str, Any], pages: dict[str, int], table: list[Entry], above: Any = None
) -> None:
    """Write a bookmark for each line of the table of contents."""
    from pypdf.generic import Fit

    for entry in table:
        fit = Fit.xyz(left=0, top=places[entry.anchor].top)
        mark = writer.add_outline_item(entry.title, pages[entry.anchor] - 1, above, fit=fit, is_open=False)
        bookmark(writer, places, pages, entry.below, mark)
