"""Everything the notes describe and say has a section of the book, code of dtlib or a test, and a verdict."""

from __future__ import annotations

import ast
import re
from functools import cache
from itertools import groupby
from pathlib import Path

import coverage_page
import pytest
from api_pages import resolve

from dtlib.book.statements import Statement, Topic, follows, read, verdicts
from tests.book.notebooks import NUMBERED, ROOT, load
from tests.book.test_bibliography import entries
from tests.book.test_structure import headings, slug

TOPICS, STATEMENTS = read(coverage_page.FILE)
TOPICS_OF = {"Measures": 11, "Worked examples": 9, "Algorithms": 22}
KINDS = {"definition", "formula", "step", "claim", "history", "slip"}
VERDICTS = {"right", "right if", "wrong", "not decidable"}
SLIPS = {
    "a wrong digit",
    "rounded too early",
    "a sign or an index",
    "a denominator or a unit",
    "a name for another thing",
    "another algorithm's rule",
    '"all", where some do',
    "a guess for a measurement",
}
each_row = pytest.mark.parametrize("row", [*TOPICS, *STATEMENTS], ids=lambda row: row.says)
each_statement = pytest.mark.parametrize("statement", STATEMENTS, ids=lambda s: s.id)


@cache
def anchors(path: Path) -> set[str]:
    """Return the anchors of the headings of a chapter."""
    return set(map(slug, headings("\n\n".join(cell.source for cell in load(path).markdown))))


@cache
def functions_in(file: Path) -> set[str]:
    """Return the names of the test functions of a file."""
    body = ast.parse(file.read_text(encoding="utf-8")).body
    return {node.name for node in body if isinstance(node, ast.FunctionDef)}


def test_no_topic_and_no_claim_is_missing() -> None:
    assert {part: sum(t.part == part for t in TOPICS) for part in TOPICS_OF} == TOPICS_OF
    assert len(STATEMENTS) >= 169
    claims = sorted(s.claim for s in STATEMENTS if s.claim)
    assert claims == list(range(1, len(claims) + 1))
    assert {note for s in STATEMENTS for note in s.notes} == set(range(5))


def test_no_name_and_no_statement_stands_twice() -> None:
    assert len({s.id for s in STATEMENTS}) == len({s.says for s in STATEMENTS}) == len(STATEMENTS)


def test_a_part_is_one_table() -> None:
    """The page has a table for each part, so the rows of one stand together in the file."""
    for rows in (TOPICS, STATEMENTS):
        order = [row.part for row in rows]
        assert [part for part, _ in groupby(order)] == list(dict.fromkeys(order))


@each_row
def test_its_sections_exist(row: Topic) -> None:
    assert row.shown
    for place in row.shown:
        path, _, anchor = place.partition("#")
        assert ROOT / "chapters" / path in NUMBERED
        assert anchor in anchors(ROOT / "chapters" / path)


@each_row
def test_its_code_exists(row: Topic) -> None:
    assert row.code or isinstance(row, Statement)
    for name in row.code:
        assert callable(resolve(f"dtlib.{name}")), name


@each_row
def test_its_tests_exist(row: Topic) -> None:
    assert row.tests or (isinstance(row, Statement) and row.kind == "history" and row.sources)
    for name in row.tests:
        file, _, function = name.partition("::")
        assert function in functions_in(ROOT / file), name


@each_statement
def test_it_is_judged(statement: Statement) -> None:
    assert statement.notes
    assert statement.kind in KINDS
    assert statement.verdict in VERDICTS
    assert bool(statement.condition) == (statement.verdict == "right if")
    assert bool(statement.claim) == (statement.verdict != "right")
    assert (statement.slip in SLIPS) == (bool(statement.claim) and statement.kind != "history")
    assert set(statement.sources) <= set(entries())


@each_statement
def test_its_reason_has_no_number_that_no_cell_computes(statement: Statement) -> None:
    assert statement.why
    assert not re.search(r"(?<!\bC)\d\.\d", statement.why + statement.condition)


def test_every_statement_is_in_one_line_of_the_page() -> None:
    lines = coverage_page.tables().splitlines()
    for row in (*TOPICS, *STATEMENTS):
        says = coverage_page.plain(row.says) if isinstance(row, Statement) else row.says
        held = [line for line in lines if line.startswith((f"| {says} |", f"| {says} ("))]
        assert len(held) == 1, row.says
        assert all(f"`{name}`" in held[0] for name in (*row.code, *row.tests))
        assert all(f"(../chapters/{place})" in held[0] for place in row.shown)
    assert coverage_page.COMMENT in (ROOT / f"{coverage_page.PAGE}.md").read_text(encoding="utf-8")


# The verdicts of chapter 26

ONE = Statement(
    part="p", says="Every number is even", notes=(0,), shown=("26_errata.ipynb#a",), id="even", kind="claim",
    verdict="right if", condition="it ends in 2", why="3 is odd.", claim=1, slip="s",
)  # fmt: skip
TESTS = [("2", "even", True), ("3", "odd", False)]


def test_a_verdict_is_read_at_a_glance() -> None:
    table = verdicts([ONE], "s", {1: TESTS}, {1: [True]})
    says = (1, "Every number is even", "right if it ends in 2")
    assert table.index.tolist() == [(*says, "2"), (*says, "3")]
    assert table.to_numpy().tolist() == [["even", "yes"], ["odd", "no"]]


def test_a_claim_of_another_kind_or_chapter_is_not_in_the_table() -> None:
    elsewhere = Statement(**{**vars(ONE), "claim": 2, "shown": ("05_gain_ratio.ipynb#a",)})
    another = Statement(**{**vars(ONE), "claim": 3, "slip": "t"})
    table = verdicts([elsewhere, ONE, another], "s", {1: TESTS}, {1: [True]})
    assert table.index.unique("claim").tolist() == [1]


@pytest.mark.parametrize(
    ("tried", "instead", "said"),
    [
        ({1: TESTS[:1]}, {1: [True]}, "claim 1 is 'right' by what was tried, and 'right if' in the file"),
        ({1: TESTS}, {1: [True, False]}, "the correction of claim 1 fails"),
        ({1: TESTS}, {}, "or nothing tests it"),
        ({}, {}, "claim 1 is decided here, and nothing was tried"),
    ],
)
def test_a_verdict_that_does_not_follow_is_refused(tried, instead, said) -> None:
    with pytest.raises(ValueError, match=said):
        verdicts([ONE], "s", tried, instead)


@pytest.mark.parametrize(
    ("outcomes", "verdict"),
    [
        ([True, True], "right"),
        ([False], "wrong"),
        ([False, None], "wrong"),
        ([True, False, None], "right if"),
        ([True, None], "right if"),
        ([None, None], "not decidable"),
    ],
)
def test_what_follows_from_outcomes(outcomes, verdict) -> None:
    assert follows(outcomes) == verdict


def test_a_cell_is_folded_behind_the_number_of_its_tests() -> None:
    assert coverage_page.summary(14, 1) == "14 tests, 1 function"
