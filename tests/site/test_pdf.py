"""The PDF of the book (`make pdf`), and what a page takes when it is printed from a browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.needs import needed
from tests.site.browser import opened
from tools.pdf.book import ROOT, Entry, whole_book
from tools.pdf.offer import NAME
from tools.pdf.printing import places
from tools.pdf.white import white_ends

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pikepdf = needed("pikepdf")
needed("pypdfium2")
SITE = ROOT / "_build" / "html"
PDF = ROOT / "_build" / "pdf" / NAME
# At most, on A4.
SHEETS = {"chapters/01_what_a_tree_is": 16, "chapters/14_cost_complexity": 22, "chapters/one_page": 1}
MEGABYTES = 15
WHITE, WHITEST = 0.4, 0.6  # of a page that a chapter does not end on: of one in a hundred, and of any
of_the_pdf = pytest.mark.skipif(not PDF.exists(), reason="there is no PDF: make pdf makes it")


@pytest.fixture(scope="module")
def reader() -> Any:
    """Read the PDF."""
    return pikepdf.Pdf.open(PDF)


@pytest.fixture(scope="module")
def table() -> list[Entry]:
    """Return the table of contents that the site asks for."""
    return whole_book(SITE)[1]


@pytest.fixture(scope="module")
def texts(reader: Any) -> list[str]:
    """Return the words of each page, as PDFium reads them."""
    from pypdfium2 import PdfDocument

    return [page.get_textpage().get_text_bounded() for page in PdfDocument(PDF)]


def flat(table: list[Entry]) -> Iterator[Entry]:
    for entry in table:
        yield entry
        yield from flat(entry.below)


def marks(outline: list) -> Iterator[Any]:
    for item in outline:
        yield item
        yield from marks(item.children)


def page_numbers(pdf: Any) -> dict[str, int]:
    return {name: number for name, (number, _) in places(pdf).items()}


@of_the_pdf
def test_the_bookmarks_are_the_table_of_contents(reader: Any, table: list[Entry]) -> None:
    numbers = page_numbers(reader)
    index = {page.obj.objgen: i for i, page in enumerate(reader.pages, start=1)}
    found = [(mark.title, index[mark.destination[0].objgen]) for mark in marks(reader.open_outline().root)]
    assert found == [(entry.title, numbers[entry.anchor]) for entry in flat(table)]


@of_the_pdf
def test_the_contents_say_the_pages(reader: Any, table: list[Entry], texts: list[str]) -> None:
    numbers = page_numbers(reader)
    words = "".join("".join(texts[1 : numbers["intro"] - 1]).split())
    plain = [entry for entry in flat(table) if entry.title.isascii()]
    lines = {entry.title: "".join(f"{entry.title}{numbers[entry.anchor]}".split()) for entry in plain}
    assert [title for title, line in lines.items() if line not in words] == []


@of_the_pdf
def test_links_lead_somewhere(reader: Any) -> None:
    known, number = set(places(reader)), 0
    for page in reader.pages:
        for link in page.get("/Annots", []):
            if "/Dest" in link:
                number += 1
                assert str(link.Dest).lstrip("/") in known
            else:
                assert str(link.A.URI).startswith(("http://", "https://", "mailto:"))
    assert number > 1000


@of_the_pdf
def test_fonts_are_inside(reader: Any) -> None:
    for page in reader.pages:
        for font in page.Resources.get("/Font", {}).values():
            inner = font.DescendantFonts[0] if "/DescendantFonts" in font else font
            if inner.Subtype != "/Type3":  # whose letters are drawings in the file itself
                assert {"/FontFile", "/FontFile2", "/FontFile3"} & set(inner.FontDescriptor.keys())


@of_the_pdf
def test_no_page_is_empty_and_none_half_white(reader: Any, table: list[Entry], texts: list[str]) -> None:
    numbers = page_numbers(reader)
    starts = {numbers[e.anchor] for e in flat(table) if "--" not in e.anchor and "solutions-" not in e.anchor}
    whites = white_ends(PDF)
    assert [i for i, words in enumerate(texts, start=1) if len(words) < 40] == []
    ends = {start - 1 for start in starts} | {1, len(whites)}
    within = {i: share for i, share in enumerate(whites, start=1) if share > WHITE and i not in ends}
    assert len(within) <= len(whites) / 100  # where a sentence goes over with its figure
    assert max(within.values(), default=0) <= WHITEST


@of_the_pdf
def test_solutions_are_at_the_end(reader: Any, table: list[Entry]) -> None:
    numbers = page_numbers(reader)
    solutions = [page for name, page in numbers.items() if "--solution-" in name]
    assert len(solutions) >= 100
    assert min(solutions) >= numbers["solutions"] > numbers["25_larger_than_memory"]


@of_the_pdf
def test_what_it_says_of_itself(reader: Any) -> None:
    assert reader.docinfo["/Title"] == "Decision Trees by Counting"
    assert str(reader.docinfo["/Author"])
    assert reader.Root.Lang == "en"
    assert PDF.stat().st_size < MEGABYTES * 1e6


@pytest.mark.parametrize("name", SHEETS)
def test_sheets_of_a_printed_page(browser: Browser, site: str, name: str, tmp_path: Path) -> None:
    with opened(browser, 1280) as visit:
        visit.go(f"{site}{name}.html")
        visit.page.pdf(path=tmp_path / "page.pdf", format="A4")
    whites = white_ends(tmp_path / "page.pdf", margin=16 / 297)
    assert len(whites) <= SHEETS[name]
    assert [share for share in whites[:-1] if share > WHITE] == []
