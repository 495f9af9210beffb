"""The website in figures, so that two states of it can be compared: lines, pictures, heights, weight, search.

`make site-test ARGS=--figures` prints them as a table in Markdown; with a folder as argument,
`python -m tests.site.figures FOLDER`, those of a website that was built elsewhere.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from tests.site.browser import chromium, opened, script, settled, weight
from tests.site.limits import HEIGHT, QUERIES, WIDTHS
from tests.site.served import BUILT, pages, server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

DESKTOP = 1440
MEASURES = script("measures.js")
OVERFLOW = "() => document.documentElement.scrollWidth > document.documentElement.clientWidth"
HITS = script("hits.js")
HEADS = "page | kB gzip | requests | nodes | px high | screens | letters a line | pictures | px wide | first at px"


def measured(browser: Browser, address: str, name: str) -> dict[str, Any]:
    """Measure one page on a desktop, as at a first visit, and list the widths at which it overflows."""
    with opened(browser, width=DESKTOP) as visit:
        visit.go(address + name)
        found = visit.page.evaluate(MEASURES) | weight(visit.requests)
        found["sideways"] = [w for w in WIDTHS if overflows(visit.page, w)]
    return found


def overflows(page: Page, width: int) -> bool:
    """Return whether the page scrolls sideways at a width."""
    page.set_viewport_size({"width": width, "height": HEIGHT})
    settled(page)
    return page.evaluate(OVERFLOW)


def rank(page: Page, address: str, query: str, wanted: str) -> str:
    """Return at which place the search page lists a page of the book, counting every hit."""
    page.goto(f"{address}search.html?q={quote(query)}")
    try:
        page.wait_for_function(f"({HITS})().length > 0", timeout=8000)
        page.wait_for_timeout(1000)  # hits are listed one by one
    except Exception as error:
        if type(error).__name__ != "TimeoutError":
            raise
        return "nothing found"
    hits = page.evaluate(HITS)
    return next((str(place) for place, hit in enumerate(hits, 1) if wanted in hit), f"not among {len(hits)}")


def ranks(browser: Browser, address: str) -> Iterator[str]:
    """Yield a row for each query."""
    with opened(browser, width=DESKTOP) as visit:
        for query, wanted in QUERIES.items():
            yield f"| {query} | {wanted} | {rank(visit.page, address, query, wanted)} |"


def row(name: str, found: dict[str, Any]) -> str:
    """Write the figures of a page."""
    cells = [
        name.removesuffix(".html"),
        found["kB"],
        found["requests"],
        found["nodes"],
        found["height"],
        round(found["height"] / HEIGHT),
        round(median(found["characters"])) if found["characters"] else "",
        len(found["pictures"]),
        round(median(found["pictures"])) if found["pictures"] else "",
        found["first"] if found["first"] is not None else "",
    ]
    return f"| {' | '.join(map(str, cells))} |"


def summary(all_found: dict[str, dict[str, Any]]) -> Iterator[str]:
    """Yield what the pages say together."""
    chapters = {name: found for name, found in all_found.items() if name.startswith("chapters/")}
    widths = [width for found in chapters.values() for width in found["pictures"]]
    lengths = [length for found in chapters.values() for length in found["characters"]]
    yield f"- column: median {median(found['column'] for found in chapters.values()):.0f} px"
    yield f"- pictures: {len(widths)}, median {median(widths):.0f} px wide"
    yield f"- characters a line: median {median(lengths):.0f}, from {min(lengths):.0f} to {max(lengths):.0f}"
    yield f"- captions: {sum(found['captions'] for found in chapters.values())}"
    code = [found["code"] for found in chapters.values() if found["pictures"]]
    yield f"- code shown: {min(code)} to {max(code)} % of the height of a chapter with pictures"
    heaviest = [max(found[unit] for found in all_found.values()) for unit in ("kB", "requests")]
    yield f"- heaviest first visit: {heaviest[0]} kB; most requests: {heaviest[1]}"
    sideways = [f"{name} at {found['sideways']}" for name, found in all_found.items() if found["sideways"]]
    yield f"- pages that scroll sideways: {len(sideways)} {'; '.join(sideways)}"


def table(folder: Path = BUILT) -> Iterator[str]:
    """Yield the lines of the whole report."""
    with chromium() as browser, server(folder) as address:
        names = [name for name in pages() if (folder / name).is_file()]
        all_found = {name: measured(browser, address, name) for name in names}
        yield f"A window of {DESKTOP} x {HEIGHT} px, an empty cache.\n"
        yield f"| {HEADS} |\n|{'---|' * (HEADS.count('|') + 1)}"
        yield from (row(name, found) for name, found in all_found.items())
        yield ""
        yield from summary(all_found)
        yield "\n| search | wanted | at place |\n|---|---|---|"
        yield from ranks(browser, address)


if __name__ == "__main__":
    for line in table(Path(sys.argv[1]).resolve() if sys.argv[1:] else BUILT):
        print(line, flush=True)
