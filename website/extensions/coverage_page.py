"""The page of what the notes describe and say, made from reference/statements.toml.

Its source, reference/coverage.md, has a comment where the tables go. In a row the functions and the tests
are folded behind their number: a test in the words of its name, a function with a link.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from docutils import nodes

from dtlib.book.statements import Statement, Topic, read

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from sphinx.application import Sphinx

Row = TypeVar("Row", bound=Topic)

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "reference" / "statements.toml"
PAGE = "reference/coverage"
COMMENT = "<!-- statements -->"
VERDICTS = {
    "right": "right",
    "right if": "right on a condition",
    "wrong": "wrong",
    "not decidable": "not decidable",
}
TEST = re.compile(r"tests/[\w/]+\.py::test_(?P<name>\w+)")
HEADING = re.compile(r"^#+ +(.+?)\s*$", re.MULTILINE)
ENTRY = r"@\w+\{{{key},\n.*?author\s*= \{{(?P<authors>.*?)\}},\n.*?year\s*= \{{(?P<year>\d+)\}}"


def tables() -> str:
    """Return the tables of the page as Markdown.

    >>> tables().splitlines()[0]
    '## What they describe'
    """
    topics, statements = read(FILE)
    number = Counter(s.verdict for s in statements)
    counted = ", ".join(f"{number[verdict]} {said}" for verdict, said in VERDICTS.items())
    return "\n\n".join([
        "## What they describe",
        *parts(topics, "what", topic_cells),
        "## What they say, and whether it is right",
        f"Of {len(statements)} statements: {counted}. A number in brackets is that of the claim in "
        "[chapter 26](../chapters/26_errata.ipynb).",
        *parts(statements, "statement", statement_cells, "verdict"),
    ])  # fmt: skip


def parts(rows: Sequence[Row], first: str, cells: Callable[[Row], list[str]], *more: str) -> list[str]:
    """Return a heading and a table for each part, in the order of the file."""
    head = [first, "notes", *more, "where", "checked by"]
    found = []
    for part in dict.fromkeys(row.part for row in rows):
        lines = [head, ["---"] * len(head), *(cells(row) for row in rows if row.part == part)]
        found += [f"### {part}", "\n".join(f"| {' | '.join(line)} |" for line in lines)]
    return found


def topic_cells(topic: Topic) -> list[str]:
    """Return the cells of the row of a topic."""
    return [topic.says, listed(topic.notes), where(topic.shown), listed(spans(topic))]


def statement_cells(s: Statement) -> list[str]:
    """Return the cells of the row of a statement."""
    number = f" ({s.claim})" if s.claim else ""
    told = s.verdict in ("wrong", "not decidable")  # no condition tells the reason: it is not folded
    verdict = f"**{s.verdict}** {s.condition}".rstrip() + (f": {s.why}" if told else "")
    reason = f"{s.kind.capitalize()}. {'' if told else s.why}"
    more = [where(s.shown[1:])] if s.shown[1:] else []
    return [
        plain(s.says + number),
        listed(s.notes),
        plain(verdict),
        where(s.shown[:1]),
        f"{plain(reason)} {listed([*spans(s), *more, *map(citation, s.sources)])}",
    ]


def plain(text: str) -> str:
    """Return a text with the signs escaped that Markdown would read in a cell.

    >>> plain("H(Y|A), T_k")
    'H(Y\\\\|A), T\\\\_k'
    """
    return re.sub(r"([|_])", r"\\\1", text)


def spans(row: Topic) -> list[str]:
    """Return the functions and tests of a row as code."""
    return [f"`{name}`" for name in (*row.code, *row.tests)]


def listed(items: Iterable[object]) -> str:
    """Return the items of a cell, with commas between them."""
    return ", ".join(map(str, items))


def where(places: Iterable[str]) -> str:
    """Return links to sections, each with the number of the chapter and its heading."""
    return "; ".join(
        f"[{int(path[:2])}: {headings(path)[anchor]}](../chapters/{path}#{anchor})"
        for path, _, anchor in (place.partition("#") for place in places)
    )


@cache
def headings(notebook: str) -> dict[str, str]:
    """Return the headings of a chapter by their anchors.

    >>> headings("02_entropy.ipynb")["bits-or-nats"]
    'Bits or nats?'
    """
    cells = json.loads((ROOT / "chapters" / notebook).read_text(encoding="utf-8"))["cells"]
    texts = ("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    return {
        re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-"): title
        for text in texts
        for title in HEADING.findall(text)
    }


@cache
def citation(key: str) -> str:
    """Return a citation in the form of the chapters.

    >>> citation("breiman1984")
    '[Breiman et al. (1984)](../bibliography.md#breiman1984)'
    """
    text = (ROOT / "reference" / "references.bib").read_text(encoding="utf-8")
    match = re.search(ENTRY.format(key=key), text, re.DOTALL)
    if match is None:
        raise ValueError(f"reference/references.bib has no entry {key!r} with an author and a year")
    names = [author.partition(",")[0] for author in match["authors"].split(" and ")]
    who = " and ".join(names) if len(names) < 3 else f"{names[0]} et al."
    return f"[{who} ({match['year']})](../bibliography.md#{key})"


def words(test: str) -> str | None:
    """Return the name of a test as words; None for what is no test.

    >>> words("tests/unit/test_measures.py::test_loan_entropies"), words("measures.entropy")
    ('loan entropies', None)
    """
    match = TEST.fullmatch(test)
    return match["name"].replace("_", " ") if match else None


def summary(tests: int, functions: int) -> str:
    """Return the words behind which functions and tests are folded.

    >>> summary(3, 0), summary(1, 2)
    ('3 tests', '1 test, 2 functions')
    """
    pairs = (tests, "test"), (functions, "function")
    return ", ".join(f"{n} {what}{'s' * (n > 1)}" for n, what in pairs if n)


def read_source(app: Sphinx, docname: str, content: list[str]) -> None:
    """Put the tables in the place of the comment (event source-read)."""
    if docname == PAGE:
        app.env.note_dependency(str(FILE))
        content[0] = content[0].replace(COMMENT, tables())


def fold(app: Sphinx, doctree: nodes.document) -> None:
    """Fold the last cell of each row that names functions or tests (event doctree-read)."""
    if app.env.docname != PAGE:
        return
    for table in doctree.findall(nodes.table):
        table["classes"].append("of-notes")
    for row in list(doctree.findall(nodes.row)):
        if literals := list(row[-1].findall(nodes.literal)):
            folded(row[-1], literals)


def folded(entry: nodes.Element, literals: list[nodes.literal]) -> None:
    """Fold what a cell holds: the reason, then a list of functions, tests and links."""
    reason, *_ = entry[0]
    links = [node for node in entry[0] if not isinstance(node, nodes.literal | nodes.Text)]
    tests = [literal for literal in literals if words(literal.astext())]
    functions = [literal for literal in literals if literal not in tests]
    for literal in functions:
        literal["classes"].append("named")  # api_pages links it
    items = [*functions, *(shown_test(literal.astext()) for literal in tests), *links]
    number = summary(len(tests), len(functions))
    entry.clear()
    entry += nodes.raw("", f"<details><summary>{number}</summary>", format="html")
    if isinstance(reason, nodes.Text):
        entry += nodes.paragraph("", "", reason)
    entry += nodes.bullet_list("", *(nodes.list_item("", nodes.paragraph("", "", item)) for item in items))
    entry += nodes.raw("", "</details>", format="html")


def shown_test(test: str) -> nodes.abbreviation:
    """Return a test in words, with its full name to hover."""
    return nodes.abbreviation("", words(test) or "", explanation=test)


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("source-read", read_source, priority=400)  # before plain_markdown reads its citations
    app.connect("doctree-read", fold)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
