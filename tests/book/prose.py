"""Every number of the prose must come out of a cell: find the numbers, look for them in the stored outputs.

Checked are decimals, percentages, fractions of whole numbers, and whole numbers from 10 on, in text, tables,
headings, formulas and code spans. What counts no thing is blanked first: link targets, numbers of equations,
chapters, sections, theorems, exercises and pages, years, subscripts, and the phrases in ``NAMES``. What
its cell ties to a computation or declares as posed needs no output (`tests/claims/forms.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from operator import itemgetter

from tests.book.notebooks import Notebook
from tests.claims.forms import sentences, vouched

# Phrases with a number that names a thing and measures nothing. Add a phrase here, never a bare number.
NAMES = (
    '"2.0"', '"2.0a"', '"3.0"', "data set 2.0", "data set 2.0a", "data set 3.0",  # the watermelons
    "Python 3.11", "Weka 3.6", "CC BY 4.0", "BSD-3",
)  # fmt: skip

NUMBER = re.compile(r"(?<![\w.])\d+(?:,\d{3})*(?:\.\d+)?(?:[eE][-+]?\d+)?(?!\d|\.\d)")
PERCENT = re.compile(r"\s*(?:\\?%|per ?cent)")
FRACTIONS = (
    re.compile(r"\\[dt]?frac\s*\{\s*(\d+)\s*\}\s*\{\s*(\d+)\s*\}"),
    re.compile(r"\\[dt]?frac\s*(\d)\s*(\d)"),
    re.compile(r"(?<![\w./])(\d+)\s*/\s*(\d+)(?![\w/]|\.\d)"),
)
PLACE = r"(?i:chapter|section|exercise|solution|theorem|equation|figure|page)"
EXEMPT = (
    re.compile(r"\]\([^)\n]*\)"),  # a link target
    re.compile(r"<?https?://\S+"),
    re.compile(r'</?[a-z]+(?:\s+[a-z-]+="[^"\n]*")*\s*/?>'),  # an HTML tag
    re.compile(r"\\tag\{[^}]*\}"),
    re.compile(rf"\b{PLACE}\s+\d+(?:\.\d+)*"),
    re.compile(rf"\b(?:{PLACE}s|pp\.)\s+\d+(?:\.\d+)*(?:(?:,|\s+and|\s+to|-|\u2013)\s*\d+(?:\.\d+)*)*"),
    re.compile(r"^\s*\d+\.\s", re.MULTILINE),  # an item of a numbered list
    re.compile(r"_\d|_\{\d+\}"),  # a subscript
)
CODE = re.compile(r"```.*?```|`[^`\n]+`", re.DOTALL)
SENTENCE_END = re.compile(r"(?<=[.!?:])\s+|\n\s*\n|\n(?=[|>#*-])")


@dataclass
class Shown:
    """The numbers among the text outputs of a chapter."""

    numbers: set[Decimal] = field(default_factory=set)
    code: set[Decimal] = field(default_factory=set)  # the numbers typed in the code cells
    lines: list[set[Decimal]] = field(default_factory=list)  # the numbers of the outputs, line by line


def numbers(text: str) -> set[Decimal]:
    """Return the sizes of the numbers of a text.

    Examples
    --------
    >>> sorted(numbers("H(D1) = -0.25, C4.5, 1,000 rows, version 1.0.4"))
    [Decimal('0.25'), Decimal('1000')]
    """
    return {Decimal(m[0].replace(",", "")) for m in NUMBER.finditer(text)}


def shown(notebook: Notebook) -> Shown:
    """Collect the numbers that the cells of a notebook print or show."""
    lines = [numbers(line) for cell in notebook.code for line in cell.shown.split("\n")]
    code = numbers("\n".join(cell.source for cell in notebook.code))
    return Shown(set().union(*lines), code, lines)


def agrees(value: Decimal, written: Decimal) -> bool:
    """Tell whether a number, rounded to the digits written, is what is written.

    Examples
    --------
    >>> agrees(Decimal("0.97095"), Decimal("0.971")), agrees(Decimal("0.97095"), Decimal("0.970"))
    (True, False)
    """
    return abs(value - written) <= Decimal((0, (5,), int(written.as_tuple().exponent) - 1))


def blank(text: str, patterns: Iterable[re.Pattern[str]]) -> str:
    """Replace what the patterns find by spaces, so that positions stay."""
    for pattern in patterns:
        text = pattern.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)
    return text


def prose_of(markdown: str, tags: Iterable[str] = (), chapter: int = 0) -> str:
    """Blank what is no number of the subject.

    Examples
    --------
    >>> " ".join(prose_of("By (2.1), C4.5 of chapter 13 has $H_{10} = 0.5$", ["2.1"]).split())
    'By , C4.5 of has $H = 0.5$'
    """
    references = (re.compile(rf"\({re.escape(tag)}\)") for tag in tags)
    heading = re.compile(rf"^#+ {chapter}(?:\.\d+)*\.? ", re.MULTILINE)
    names = (re.compile(rf"(?<![\w.]){re.escape(name)}(?![\w]|\.\d)") for name in NAMES)
    return blank(markdown, (*EXEMPT, *references, heading, *names))


def faults(markdown: str, shown: Shown, tags: Iterable[str] = (), chapter: int = 0) -> list[str]:
    """List the numbers of a markdown text that no output shows, each with its sentence."""
    text = prose_of(markdown, tags, chapter)
    typed = Shown(shown.numbers | shown.code, lines=[*shown.lines, shown.code])
    in_code = [(m.start() + at, w, near) for m in CODE.finditer(text) for w, at, near in unknown(m[0], typed)]
    in_text = [(at, written, near) for written, at, near in unknown(blank(text, [CODE]), shown)]
    return [
        f"{written} in “{sentence_at(markdown, at)}”; the nearest number among the outputs is {near}"
        for at, written, near in sorted(in_text + in_code, key=itemgetter(0))
    ]


def unknown(text: str, shown: Shown) -> Iterator[tuple[str, int, Decimal | None]]:
    """Yield what a text writes and no output shows: the number as written, where, the nearest number."""
    for pattern in FRACTIONS:
        for m in pattern.finditer(text):
            a, b = Decimal(m[1]), Decimal(m[2])
            if b and not fraction_is_shown(a, b, shown):
                yield m[0], m.start(), nearest(a / b, shown.numbers)
        text = blank(text, [pattern])
    text = blank(text, [re.compile(r"\\[A-Za-z]+")])  # a TeX command may touch the number after it
    for m in NUMBER.finditer(text):
        written = Decimal(m[0].replace(",", ""))
        percent = PERCENT.match(text, m.end())
        if not (known_percentage if percent else known_number)(m[0], written, shown):
            yield m[0] + (percent[0] if percent else ""), m.start(), nearest(written, shown.numbers)


def fraction_is_shown(a: Decimal, b: Decimal, shown: Shown) -> bool:
    """Tell whether one line shows both whole numbers, or some line the value to at least two digits."""
    values = (x for x in shown.numbers if x == a / b or x.as_tuple().exponent <= -2)
    return any({a, b} <= line for line in shown.lines) or any(agrees(a / b, x) for x in values)


def known_number(text: str, written: Decimal, shown: Shown) -> bool:
    """Tell whether a number needs no cell (a small whole number, a year) or has one."""
    whole = text.isdigit()
    if whole and (written < 10 or 1800 <= written < 2100):
        return True
    return written in shown.numbers if whole else any(agrees(x, written) for x in shown.numbers)


def known_percentage(text: str, written: Decimal, shown: Shown) -> bool:
    """Tell whether an output shows a percentage, as such or as a share of one."""
    return any(agrees(x, written) or agrees(x, written.scaleb(-2)) for x in shown.numbers)


def nearest(value: Decimal, candidates: set[Decimal]) -> Decimal | None:
    """Return the candidate nearest to a value; None if there is none."""
    return min(candidates, key=lambda x: (abs(x - value), x), default=None)


def sentence_at(text: str, position: int) -> str:
    """Return the sentence around a position.

    Examples
    --------
    >>> sentence_at("One. Two is 0.5 here. Three.", 12)
    'Two is 0.5 here.'
    """
    start = max((m.end() for m in SENTENCE_END.finditer(text) if m.end() <= position), default=0)
    end = SENTENCE_END.search(text, position)
    return " ".join(text[start : end.start() if end else len(text)].split())


def chapter_faults(notebook: Notebook, tags: Iterable[str]) -> list[str]:
    """List the numbers in the markdown cells of a notebook that none of its outputs shows."""
    known, tags = shown(notebook), list(tags)
    return [
        f"{notebook.path.name}, cell {cell.id}: {fault}"
        for cell in notebook.markdown
        for fault in faults(blank(sentences(cell), vouched(cell)), known, tags, notebook.number)
    ]
