"""Everything the notes describe has a section of the book, code of dtlib and a test."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from api_pages import resolve

from tests.book.notebooks import NUMBERED, ROOT, load
from tests.book.test_structure import headings, slug

PAGE = ROOT / "reference" / "coverage.md"
ROWS_OF = {"Measures": 11, "Worked examples": 9, "Algorithms": 22, "Claims put to the test": 20}
SECTION = re.compile(r"\[(?P<number>\d+): [^\]]+\]\((?P<path>[^)#]+)#(?P<anchor>[^)]+)\)")


class Row(NamedTuple):
    """One line of the table: what the notes describe, in which, and where it is."""

    part: str
    what: str
    notes: str
    sections: str
    code: str
    tests: str


def rows() -> list[Row]:
    """Read the tables of the page."""
    found, part = [], ""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            part = line[3:]
        elif line.startswith("| ") and not line.startswith("| what |"):
            found.append(Row(part, *(cell.strip() for cell in line.strip("|").split("|"))))
    return found


ROWS = rows()
each_row = pytest.mark.parametrize("row", ROWS, ids=lambda row: row.what)


@cache
def anchors(path: Path) -> set[str]:
    """Return the anchors of the headings of a chapter."""
    return set(map(slug, headings("\n\n".join(cell.source for cell in load(path).markdown))))


@cache
def functions_in(file: Path) -> set[str]:
    """Return the names of the test functions of a file."""
    body = ast.parse(file.read_text(encoding="utf-8")).body
    return {node.name for node in body if isinstance(node, ast.FunctionDef)}


def code_spans(cell: str) -> list[str]:
    """Return what stands between backticks.

    Examples
    --------
    >>> code_spans("`a.b`, `c`")
    ['a.b', 'c']
    """
    return re.findall(r"`([^`]+)`", cell)


def test_no_row_is_missing() -> None:
    assert {part: sum(row.part == part for row in ROWS) for part in ROWS_OF} == ROWS_OF
    assert [row.what for row in ROWS if not row.notes] == []
    assert [row.what.split(":")[0] for row in ROWS if row.part.startswith("Claims")] == [
        f"claim {k}"
        for k in (*range(1, 16), *range(22, 27))  # 16 to 21 are chapter 19's alone
    ]


@each_row
def test_its_sections_exist(row: Row) -> None:
    places = list(SECTION.finditer(row.sections))
    assert places
    for place in places:
        path = (PAGE.parent / place["path"]).resolve()
        assert path in NUMBERED
        assert int(path.name[:2]) == int(place["number"])
        assert place["anchor"] in anchors(path)


@each_row
def test_its_code_exists(row: Row) -> None:
    names = code_spans(row.code)
    assert names
    for name in names:
        assert callable(resolve(f"dtlib.{name}")), name


@each_row
def test_its_tests_exist(row: Row) -> None:
    names = code_spans(row.tests)
    assert names
    for name in names:
        file, _, function = name.partition("::")
        assert function in functions_in(ROOT / file), name
