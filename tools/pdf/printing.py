"""Chromium prints the document; pikepdf reads where everything came to stand, and writes the bookmarks."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pikepdf import OutlineItem, Pdf

    from .book import Entry

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
MINUTES = 600_000  # in milliseconds, as Playwright counts
WIDTH = round((210 - 2 * 23) / 25.4 * 96)  # of the text, in pixels
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
    from pikepdf import Pdf
    from playwright.sync_api import sync_playwright

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
            with Pdf.open(pdf) as printed:
                numbers = {name: number for name, (number, _) in places(printed).items()}
            if numbers == before:
                break
            page.evaluate(NUMBERS, numbers)
            before = numbers
        else:
            raise RuntimeError("the page numbers do not come to rest")
        browser.close()
    return finish(pdf, table, about)


def places(pdf: Pdf) -> dict[str, tuple[int, float]]:
    """Return on which page, and how high on it, each place is to which a link leads."""
    numbers = {page.obj.objgen: i for i, page in enumerate(pdf.pages, start=1)}
    found = pdf.Root.Dests.items()
    return {name.lstrip("/"): (numbers[place[0].objgen], float(place[3])) for name, place in found}


def finish(file: Path, table: list[Entry], about: dict[str, str]) -> int:
    """Write bookmarks and what the PDF says of itself, small; return the number of pages."""
    from pikepdf import Dictionary, Name, ObjectStreamMode, Pdf

    with Pdf.open(file, allow_overwriting_input=True) as pdf:
        with pdf.open_outline() as outline:
            outline.root.extend(bookmarks(table, places(pdf)))
        for key, value in about.items():
            pdf.docinfo[f"/{key}"] = value
        pdf.Root.Lang = "en"
        pdf.Root.PageMode = Name.UseOutlines
        pdf.Root.ViewerPreferences = Dictionary(DisplayDocTitle=True)
        pdf.save(file, object_stream_mode=ObjectStreamMode.generate)
        return len(pdf.pages)


def bookmarks(table: list[Entry], where: dict[str, tuple[int, float]]) -> list[OutlineItem]:
    """Return a bookmark for each line of the table of contents."""
    from pikepdf import OutlineItem

    marks = []
    for entry in table:
        page, top = where[entry.anchor]
        mark = OutlineItem(entry.title, page - 1, "XYZ", left=0, top=top)
        mark.is_closed = True
        mark.children.extend(bookmarks(entry.below, where))
        marks.append(mark)
    return marks
