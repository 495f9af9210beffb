"""Print the built book: ``python -m tools.pdf`` (`make pdf`)."""

from __future__ import annotations

import importlib.util
import os
import sys
import time

import yaml

from .book import ROOT, whole_book
from .offer import NAME, offer
from .printing import chromium, print_book

SITE = ROOT / "_build" / "html"


def main() -> int:
    """Make the PDF and offer it on the site; return the exit code."""
    missing = [name for name in ("playwright", "pikepdf") if importlib.util.find_spec(name) is None]
    if missing or chromium() is None:
        what = " and ".join(missing) or "Chromium (on Debian: apt-get install chromium)"
        print(f"No PDF: {what} is missing.")
        return 1
    begin = time.perf_counter()
    document, table = whole_book(SITE, os.environ.get("BOOK_URL", ""))
    folder = SITE.parent / "pdf"
    folder.mkdir(exist_ok=True)
    (folder / "book.html").write_text(document, encoding="utf-8")
    about = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    said = {
        "Title": about["title"],
        "Author": ", ".join(author["name"] for author in about["authors"]),
        "Subject": " ".join(about["abstract"].split()),
        "Keywords": ", ".join(about["keywords"]),
    }
    pdf = folder / NAME
    number = print_book(folder / "book.html", table, pdf, said)
    links = offer(SITE, pdf)
    size, seconds = pdf.stat().st_size / 1e6, time.perf_counter() - begin
    print(f"{pdf}: {number} pages, {size:.1f} MB, in {seconds:.0f} s; a link to it on {links} pages")
    return 0


if __name__ == "__main__":
    sys.exit(main())
