"""The page for those who come from scikit-learn, in parts: its tables, its code, what the code prints."""

from __future__ import annotations

import re
from typing import Any

from tests.book import page_code
from tests.book.notebooks import ROOT

PAGE = (ROOT / "reference" / "from_sklearn.md").read_text(encoding="utf-8")
TOOLS = "| tool |"  # what stands behind it needs packages of others
CODE = re.compile(r"`([^`]+)`")


def table(head: str) -> list[list[str]]:
    """Return the lines of the table whose first head is this, each as its cells.

    Examples
    --------
    >>> table("it says")[1][1]
    'the same'
    """
    lines = PAGE.partition(f"\n| {head} |")[2].split("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


def section(heading: str) -> str:
    """Return what stands below a heading, up to the next one; nothing, if there is no such heading.

    Examples
    --------
    >>> section("Ten recipes").split()
    []
    """
    found = re.search(rf"^##+ {heading}\n(.*?)(?=^##+ |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    return found[1] if found else ""


def blocks() -> list[tuple[str, str]]:
    """Return each piece of code that needs no package of others, with what it prints.

    Examples
    --------
    >>> code, printed = blocks()[1]
    >>> printed
    'features: 19 encoded, 8 as they are\\n'
    """
    return page_code.blocks(PAGE.partition(TOOLS)[0])


def run() -> tuple[dict[str, Any], list[str]]:
    """Run these pieces in their order, in the folder that is open; return the names, and what each prints."""
    return page_code.run(blocks(), "from_sklearn.md")
