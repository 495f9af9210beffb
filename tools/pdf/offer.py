"""The link to the PDF: each page of the site keeps a place for it, which is empty until there is a PDF."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

NAME = "decision-trees-by-counting.pdf"
PLACE = re.compile(r'<nav class="pdf-offer"[^>]*>.*?</nav>', re.DOTALL)


def link(address: str) -> str:
    """Return the link in its place, which is a landmark of the page.

    >>> link("../book.pdf")[45:]
    '<a href="../book.pdf" download>The whole book as a PDF</a></nav>'
    """
    text = f'<a href="{address}" download>The whole book as a PDF</a>'
    return f'<nav class="pdf-offer" aria-label="Download">{text}</nav>'


def offer(site: Path, pdf: Path) -> int:
    """Copy the PDF into the site, show the link to it on all pages, and return on how many."""
    shutil.copyfile(pdf, site / pdf.name)
    number = 0
    for page in site.rglob("*.html"):
        if page.name == "404.html":  # it is shown at any address, and knows of no folder
            continue
        text = page.read_text(encoding="utf-8")
        address = os.path.relpath(site / pdf.name, page.parent).replace(os.sep, "/")
        text, found = PLACE.subn(link(address), text)
        if found:
            page.write_text(text, encoding="utf-8")
            number += 1
    return number
