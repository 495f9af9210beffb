"""What a text says beside what an expression gives: numbers, words and typed tables."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import zip_longest
from typing import Any

from tests.book.prose import FRACTIONS, NUMBER, PERCENT, agrees, blank, prose_of

WORDS = (  # from two on: "one" is too often no number
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
)  # fmt: skip
NUMBER_WORD = re.compile(rf"(?i)\b(?:{'|'.join(WORDS)})\b")
MINUS = re.compile(r"(?:[-\u2212]|\\text\{-\})(\s*)$")
TERM = re.compile(r"(?:[\w)}\]%\u221e][$*`]*|(?<=\d)\.)$")  # what a number may be taken from
RELATION = re.compile(r"\\(?:approx|cdot|times|[lg]eq?|[lg]t|to|q?quad)$")  # its letters are no term
NOTHING = ("", "–", "-")
MARKS = (re.compile(r"\[([^\]]*)\]\([^)\s]*\)"), re.compile(r"`([^`]*)`"), re.compile(r"(\*\*|\*)(\S.*?)\1"))


@dataclass(frozen=True)
class Written:
    """A number as a text has it, and how far from it a value may be."""

    text: str
    size: Decimal
    percent: bool = False
    exact: bool = False

    def says(self, value: float) -> bool:
        """Tell whether a value, rounded to the digits written, is this number.

        Examples
        --------
        >>> Written("0.971", Decimal("0.971")).says(0.97095)
        True
        >>> Written("1", Decimal(1), exact=True).says(0.97095)
        False
        """
        if not math.isfinite(value):
            return False
        if self.exact:
            return math.isclose(value, self.size, rel_tol=1e-9, abs_tol=1e-12)
        return agrees(Decimal(repr(float(value))).scaleb(2 * self.percent), self.size)


def written(text: str, wanted: int | None = None) -> list[Written]:
    r"""List the numbers of a text in order: those in digits, if there are none those in words.

    Those in digits and in words are taken together if that makes as many as are wanted.

    Examples
    --------
    >>> [w.text for w in written(r"$\tfrac{9}{15} = 0.6$, -0.5 and 43 %, by (3.1) in chapter 2")]
    ['\\tfrac{9}{15}', '0.6', '-0.5', '43 %']
    >>> [int(w.size) for w in written("Three of the seven melons")]
    [3, 7]
    >>> [w.text for w in written("two of 14 and 15")], [w.text for w in written("two of 14 and 15", 3)]
    (['14', '15'], ['two', '14', '15'])
    """
    digits = dict(in_digits(prose_of(text, re.findall(r"\((\d+\.\d+)\)", text))))
    words = {
        m.start(): Written(m[0], Decimal(2 + WORDS.index(m[0].lower())), exact=True)
        for m in NUMBER_WORD.finditer(text)
    }
    found = digits | words if len(digits) + len(words) == wanted else digits or words
    return [found[at] for at in sorted(found)]


def in_digits(text: str) -> Iterator[tuple[int, Written]]:
    """Yield where a number stands, and the number."""
    whole = text
    for pattern in FRACTIONS:
        for m in pattern.finditer(text):
            if Decimal(m[2]):
                minus = is_negative(whole, m.start())
                size = Decimal(m[1]) / Decimal(m[2]) * (-1 if minus else 1)
                yield m.start(), Written("-" * minus + m[0], size, exact=True)
        text = blank(text, [pattern])
    text = blank(text, [re.compile(r"\\[A-Za-z]+")])
    for m in NUMBER.finditer(text):
        percent = PERCENT.match(text, m.end())
        minus = is_negative(whole, m.start())
        size = Decimal(m[0].replace(",", "")) * (-1 if minus else 1)
        shown = "-" * minus + m[0] + (percent[0] if percent else "")
        yield m.start(), Written(shown, size, bool(percent), exact=m[0].isdigit() and not percent)


def is_negative(text: str, at: int) -> bool:
    r"""Tell whether the minus before a place is a sign, and not a subtraction.

    Examples
    --------
    >>> [is_negative(text, len(text)) for text in ("= -", "by -", "$-", r"\approx - ")]
    [True, True, True, True]
    >>> [is_negative(text, len(text)) for text in ("14 - ", "n-", r"\tfrac12$ - ", r"- \tfrac12 \cdot ")]
    [False, False, False, False]
    """
    minus = MINUS.search(text, 0, at)
    if not minus:
        return False
    before = text[: minus.start()].rstrip() if minus[1] else text[: minus.start()]
    return not TERM.search(before) or bool(RELATION.search(before))


def disagreement(phrase: str, value: Any, expression: str = "") -> str | None:
    """Say why a phrase is not what its expression gives; None if it is.

    Examples
    --------
    >>> disagreement("0.971 bits", 0.97095), disagreement("wins with 0.42 bits", ["wins", 0.41997])
    (None, None)
    >>> disagreement("0.97 bits", 0.918)
    'gives 0.918'
    >>> disagreement("more than 0.5", True, "gain > 0.4")
    'is true, but does not speak of 0.5'
    """
    if isinstance(value, dict):
        return f"gives {value['error']}" if "error" in value else "gives a table"
    if isinstance(value, bool):
        return "is false" if not value else unspoken(phrase, expression)
    values = value if isinstance(value, list) else [value]
    numbers = [v for v in values if isinstance(v, (int, float)) and not isinstance(v, bool)]
    words = [v for v in values if isinstance(v, str)]
    if not values or len(numbers) + len(words) < len(values):
        return f"gives {value}"
    said = written(phrase, len(numbers)) if numbers else []
    if len(said) != len(numbers):
        return f"gives {shown(value)}, and there are {len(said)} numbers in the phrase"
    right = all(w.says(v) for w, v in zip(said, numbers, strict=True))
    return None if right and in_order(words, phrase) else f"gives {shown(value)}"


def unspoken(phrase: str, expression: str) -> str | None:
    """Say which number of a phrase an expression that is true does not hold."""
    known = {Decimal(m[0]) for m in re.finditer(r"(?<![\w.])\d+(?:\.\d+)?", expression)}
    for number in written(phrase):
        sizes = {abs(number.size), abs(number.size).scaleb(-2)} if number.percent else {abs(number.size)}
        plain = number.text.lower() not in WORDS and not re.search("/|frac", number.text)
        if plain and not sizes & known:
            return f"is true, but does not speak of {number.text}"
    return None


def in_order(words: list[str], phrase: str) -> bool:
    """Tell whether words stand in a phrase, one after the other, as whole words."""
    pattern = ".*?".join(rf"(?<!\w){re.escape(word)}(?!\w)" for word in words)
    return bool(re.search(pattern, phrase, re.DOTALL))


def shown(value: Any) -> str:
    """Return a value as a message shows it."""
    if isinstance(value, list):
        return ", ".join(map(shown, value))
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def table_faults(typed: Sequence[Sequence[str]], frame: Any) -> list[str]:
    """List where a typed table, its header first, is not a frame.

    Examples
    --------
    >>> frame = {"names": ["house"], "labels": [["no"], ["yes"]], "columns": ["N", "H"]}
    >>> frame["rows"] = [[9, 0.918], [6, 0.0]]
    >>> table_faults([["house", "N", "H"], ["no", "9", "0.92"], ["`yes`", "6", "0"]], frame)
    []
    >>> table_faults([["house", "N", "H"], ["no", "9", "0.91"], ["yes", "5", "0"]], frame)
    ['row 1, column H: the text says 0.91, the frame 0.918', 'row 2, column N: the text says 5, the frame 6']
    """
    if not isinstance(frame, dict) or "rows" not in frame:
        return [f"the expression gives no frame: {frame['error'] if isinstance(frame, dict) else frame}"]
    head, rows = frame["columns"], frame["rows"]
    if len(typed[0]) != len(head):
        head = [*frame["names"], *head]
        rows = [[*at, *row] for at, row in zip(frame["labels"], rows, strict=True)]
    if [unmarked(cell) for cell in typed[0]] != [*map(unmarked, head)]:
        return [f"the text has the columns {[*typed[0]]}, the frame {head}"]
    if len(typed) - 1 != len(rows):
        return [f"the text has {len(typed) - 1} rows, the frame {len(rows)}"]
    return [
        f"row {i}, column {name}: the text says {said}, the frame {shown(v)}"
        for i, (line, row) in enumerate(zip(typed[1:], rows, strict=True), 1)
        for name, said, v in zip_longest(typed[0], line, row, fillvalue="")
        if not same_cell(said, v)
    ]


def same_cell(said: str, value: Any) -> bool:
    """Tell whether a typed cell is a value: words equal, every number in it the value's, rounded.

    Examples
    --------
    >>> same_cell("$\\\\frac{8}{4} = 2$", 2.0), same_cell("9, 8", [9, 8]), same_cell("–", None)
    (True, True, True)
    >>> same_cell("no", "yes")
    False
    """
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return said.strip() in NOTHING
    if isinstance(value, (bool, str)):
        return unmarked(said) == unmarked(str(value))
    if isinstance(value, list):
        return disagreement(said, value) is None
    numbers = written(said)
    return bool(numbers) and all(number.says(value) for number in numbers)


def unmarked(cell: str) -> str:
    """Return the words of a cell, without the marks of Markdown.

    Examples
    --------
    >>> unmarked(" **two**  of `a`, [chapter 10](10_missing_values.ipynb)")
    'two of a, chapter 10'
    """
    for pattern in MARKS:
        cell = pattern.sub(lambda m: m[m.lastindex or 0], cell)
    return " ".join(cell.split())
