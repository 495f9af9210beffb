"""Mutants of texts: cells of data files; words, numbers, references and formulas of the chapters.

A chapter's mutant is a change of one Markdown cell. A formula is changed where the page *Formulas* stores it
as well, as if its author had stored the outputs again.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import Any

from tests.faults.mutant import ROOT, Change, Mutant, folded, named, read
from tests.faults.mutate_code import other_digit
from tests.faults.mutate_tex import mutants as tex_mutants

Found = tuple[str, int, int, str]  # kind, first and last character, what is put there
FORMULAS, ONE_PAGE = (
    "chapters/formulas.ipynb",
    "chapters/one_page.ipynb",
)  # they store formulas of the chapters

OPPOSITES = (
    ("at least", "at most"),
    ("larger", "smaller"),
    ("largest", "smallest"),
    ("more than", "fewer than"),
    ("higher", "lower"),
    ("highest", "lowest"),
    ("never", "always"),
    ("rises", "falls"),
    ("grows", "shrinks"),
    ("better than", "worse than"),
    ("best", "worst"),
    ("wins", "loses"),
    ("equal", "unequal"),
)
UNITS = {"bits": "nats", "nats": "bits", "percent": "bits"}
SWAPS = {one: other for pair in OPPOSITES for one, other in (pair, pair[::-1])} | UNITS
WORD = re.compile(r"\b(" + "|".join(sorted(SWAPS, key=len, reverse=True)) + r")\b")
REFERENCE = re.compile(r"(?<![\w(])\((\d{1,2}\.\d{1,2})\)")
CHAPTER = re.compile(r"\[chapter (\d+)\]\((\d\d_\w+\.ipynb)")
VERDICT = re.compile(r"(?<=\n\n)(Right|No)\.(?= )")
DISPLAY = re.compile(r"\$\$(.+?)\$\$", re.DOTALL)
NUMBER = re.compile(r"(?<![\w.{_^])\d+(?:\.\d+)?(?![\w.]|\})")
TAG = re.compile(r"\\tag\{([^}]*)\}")
CODE = re.compile(r"```.*?```|`[^`\n]+`|\$\$.*?\$\$|\$[^$\n]+\$|\]\([^)]*\)|<[^>]*>", re.DOTALL)


def every() -> list[Mutant]:
    """Make all mutants of texts."""
    tables = [mutant for path in sorted((ROOT / "data").glob("*.csv")) for mutant in of_table(name_of(path))]
    return tables + [mutant for file in chapters() for mutant in of_chapter(file)]


def name_of(path: Path) -> str:
    """Return the name of a file from the top of the repository."""
    return str(path.relative_to(ROOT))


@cache
def chapters() -> list[str]:
    """List the numbered chapters."""
    return [name_of(path) for path in sorted((ROOT / "chapters").glob("[0-9][0-9]_*.ipynb"))]


def of_table(file: str) -> list[Mutant]:
    """Return the mutants of a data file: each cell another value of its column, or another digit."""
    return list(named(cells_of_table(file, read(file))))


def cells_of_table(file: str, text: str) -> Iterator[Mutant]:
    r"""Yield a mutant for each cell.

    Examples
    --------
    >>> for mutant in cells_of_table("t.csv", "a,b\nx,1.5\ny,1.5\n"):
    ...     print(mutant.kind, mutant.place, mutant.after)
    cell row 1, a y,1.5
    digit row 1, b x,1.4
    cell row 2, a x,1.5
    digit row 2, b y,1.4
    """
    head, *lines = text.split("\n")
    names, rows = head.split(","), [next(csv.reader([line]), []) for line in lines]
    values = [sorted({row[k] for row in rows if len(row) == len(names)}) for k in range(len(names))]
    at = len(head) + 1
    for number, (line, row) in enumerate(zip(lines, rows, strict=True), 1):
        start = at
        for name, cell, of_column in zip(names, row, values, strict=False):
            kind, new = other_cell(cell, of_column)
            after = line[: start - at] + new + line[start - at + len(cell) :]
            change = Change(file, start, start + len(cell), new)
            if new != cell and '"' not in line:
                place, lines_ = f"row {number}, {name}", (number + 1, number + 1)
                yield Mutant(kind, "data", place, line, after, (change,), lines_)
            start += len(cell) + 1
        at += len(line) + 1


def other_cell(cell: str, values: list[str]) -> tuple[str, str]:
    """Return the kind of a change of a cell, and its text: another digit, or the column's next value."""
    if re.fullmatch(r"-?\d+(\.\d+)?", cell):
        return "digit", other_digit(cell)
    return "cell", values[(values.index(cell) + 1) % len(values)]


def of_chapter(file: str) -> list[Mutant]:
    """Return the mutants of the Markdown cells of a chapter."""
    return list(named(in_chapter(file, read(file))))


def in_chapter(file: str, text: str) -> Iterator[Mutant]:
    """Yield the mutants of each Markdown cell: of its prose, then of its formulas."""
    raw = json.loads(text)
    at = 0
    for cell in raw["cells"]:
        at = text.index(f'"id": {json.dumps(cell["id"])}', at)
        if cell["cell_type"] != "markdown":
            continue
        place = Encoded(file, text, text.index('"source": [', at), cell)
        for finder in FINDERS:
            for found in finder(place.source):
                yield place.mutant(found)


class Encoded:
    """The text of a cell, and where each of its characters stands in the file."""

    def __init__(self, file: str, text: str, start: int, cell: dict[str, Any]) -> None:
        self.file, self.id, self.tagged = file, cell["id"], cell["metadata"].get("tags", [])
        self.source = "".join(cell["source"])
        self.begin = text.index("[", start)
        self.end = self.begin + len(
            json.dumps(cell["source"], indent=1, ensure_ascii=False).replace("\n", "\n   ")
        )
        self.text = text

    def mutant(self, found: Found) -> Mutant:
        """Return the mutant of a cell's text."""
        kind, start, end, new = found
        source = self.source[:start] + new + self.source[end:]
        lines = json.dumps(source.splitlines(keepends=True), indent=1, ensure_ascii=False).replace(
            "\n", "\n   "
        )
        changes = (*self.smallest(lines), *stored(self.source, start, end, new))
        first = self.text.count("\n", 0, changes[0].start) + 1
        before, after = line_at(self.source, start), line_at(source, start)
        return Mutant(kind, "prose", self.id, before, after, changes, (first, first))

    def smallest(self, new: str) -> tuple[Change, ...]:
        """Return the smallest change that gives the cell's lines in the file."""
        old = self.text[self.begin : self.end]
        head = next(k for k, (a, b) in enumerate(zip(old, new, strict=False)) if a != b)
        tail = next(k for k, (a, b) in enumerate(zip(old[::-1], new[::-1], strict=False)) if a != b)
        tail = min(tail, len(old) - head, len(new) - head)
        return (
            Change(self.file, self.begin + head, self.begin + len(old) - tail, new[head : len(new) - tail]),
        )


def line_at(source: str, at: int) -> str:
    """Return the line of a text around a character."""
    start, end = source.rfind("\n", 0, at) + 1, source.find("\n", at)
    return folded(source[start : end if end >= 0 else None])


def prose(source: str) -> str:
    """Return a text with its formulas, code and links blanked."""
    return CODE.sub(lambda m: " " * len(m[0]), source)


def verdicts(source: str) -> Iterator[Found]:
    r"""Yield the answers of a quiz marked the other way.

    Examples
    --------
    >>> list(verdicts("<summary>☐ 3</summary>\n\nNo. It is 4.\n"))
    [('quiz', 24, 27, 'Right.')]
    """
    for m in VERDICT.finditer(source):
        if "<summary>" in source[: m.start()]:
            yield "quiz", m.start(), m.end(), "No." if m[1] == "Right" else "Right."


def cells(source: str) -> Iterator[Found]:
    r"""Yield the cells of a table typed in Markdown: another digit, or what stands in the row below.

    Examples
    --------
    >>> [found[0::3] for found in cells("| a | b |\n|---|---|\n| x | 1 |\n| y | 2 |\n")]
    [('table', ' y '), ('table', ' 2 ')]
    """
    rows = [m for m in re.finditer(r"^\|.*\|$", source, re.MULTILINE) if not re.fullmatch(r"[|:\- ]+", m[0])]
    for row, below in pairwise(rows[1:]):
        mine, other = list(re.finditer(r"[^|]+", row[0])), re.findall(r"[^|]+", below[0])
        if below.start() == row.end() + 1 and len(mine) == len(other):
            for cell, new in zip(mine, other, strict=True):
                if cell[0].strip() != new.strip():
                    yield "table", row.start() + cell.start(), row.start() + cell.end(), new


def references(source: str) -> Iterator[Found]:
    """Yield references to another formula or chapter that there is."""
    for m in REFERENCE.finditer(prose(source)):
        numbers = numbered()
        if m[1] in numbers:
            yield "reference", m.start(1), m.end(1), numbers[(numbers.index(m[1]) + 1) % len(numbers)]
    files = [Path(file).name for file in chapters()]
    for m in CHAPTER.finditer(source):
        if m[2] in files:
            file = files[files.index(m[2]) - 1]
            yield "reference", m.start(), m.end(), f"[chapter {int(file[:2])}]({file}"


@cache
def numbered() -> list[str]:
    """List the numbers of the formulas of the book."""
    return TAG.findall("".join(read(file) for file in chapters()).replace("\\\\", "\\"))


def words(source: str) -> Iterator[Found]:
    """Yield sentences that compare the other way, and numbers in another unit.

    Examples
    --------
    >>> list(words("at least 2 bits"))
    [('comparing', 0, 8, 'at most'), ('unit', 11, 15, 'nats')]
    """
    for m in WORD.finditer(prose(source)):
        if m[1] not in UNITS:
            yield "comparing", m.start(), m.end(), SWAPS[m[1]]
        elif re.search(r"[\d$]\s*$", source[: m.start()]):
            yield "unit", m.start(), m.end(), SWAPS[m[1]]


def typed(source: str) -> Iterator[Found]:
    """Yield numbers in the equalities of displays, with another digit.

    Examples
    --------
    >>> list(typed("$$a = 0.97$$"))
    [('equality', 6, 10, '0.96')]
    """
    for display in DISPLAY.finditer(source):
        body = TAG.sub(lambda m: " " * len(m[0]), display[1])
        for m in NUMBER.finditer(body):
            near = body[max(0, m.start() - 12) : m.start()] + body[m.end() : m.end() + 12]
            if re.search(r"=|\\approx", near) and "." in m[0]:
                start = display.start(1) + m.start()
                yield "equality", start, start + len(m[0]), other_digit(m[0])


def formulas(source: str) -> Iterator[Found]:
    """Yield faults in numbered displays."""
    for display in DISPLAY.finditer(source):
        if TAG.search(display[1]):
            for kind, new in tex_mutants(display[1]):
                yield f"tex: {kind}", display.start(1), display.end(1), new


Finder = Callable[[str], Iterator[Found]]
FINDERS: tuple[Finder, ...] = (verdicts, cells, references, words, typed, formulas)


def stored(source: str, start: int, end: int, new: str) -> Iterator[Change]:
    """Yield what an author would store again on other pages for a change in a numbered display."""
    display = next((m for m in DISPLAY.finditer(source) if m.start() < start and end < m.end()), None)
    if display is None or not TAG.search(display[1]):
        return
    body = display[1]
    changed = body[: start - display.start(1)] + new + body[end - display.start(1) :]
    shown, instead = (
        as_stored(tex).rstrip(" .,") for tex in (body, changed)
    )  # the one page has no full stops
    for page in (FORMULAS, ONE_PAGE):
        at = page_with(page).find(rf"\\[{shown}")
        if at >= 0:
            yield Change(page, at + 3, at + 3 + len(shown), instead)


@cache
def page_with(name: str) -> str:
    """Return a page that stores formulas."""
    return read(name)


def as_stored(tex: str) -> str:
    r"""Return a formula as the outputs of the page have it: without environment and number, as lines of JSON.

    Examples
    --------
    >>> print(as_stored("\n\\begin{equation*}\na <\n> b \\tag{1.1}\n\\end{equation*}\n"))
    a &lt;\n",
           "b
    """
    bare = re.sub(
        r"\\(begin|end)\{equation\*\}", "", TAG.sub("", re.sub("^> ?", "", tex, flags=re.MULTILINE))
    )
    encoded = json.dumps(escape(bare.strip()), ensure_ascii=False)[1:-1]
    return re.sub(r"(?<!\\)((?:\\\\)*)\\n", r'\1\\n",\n       "', encoded)
