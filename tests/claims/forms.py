"""What a Markdown cell declares in its metadata, held against its text. No kernel is needed for this.

- ``claims``: a phrase of the text and the expression it must agree with.
- ``posed``: numbers that the text sets, and nothing computes.
- ``right`` and ``wrong``: choices of a quiz, ``"2. A choice."``, with an expression each.
- ``guess``: the number that a reader guesses and those that slips give, with an expression each; or
  ``right`` and ``wrong`` choices, without a number.
- ``tables``: a frame for each typed table, or a seal over its words if nothing can compute them.
- ``refers``: what the text refers to, with the names (``python -m tools.claims`` writes the list).
- ``unit``, in the metadata of the notebook: in what its numbers of information or error are.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tests.book.notebooks import Cell, Notebook
from tests.claims.references import Targets, reference_faults

KEYS = ("claims", "posed", "right", "wrong", "tables", "refers", "guess")
BY_DEFINITION = "by definition"
SEALED = re.compile(rf"{BY_DEFINITION}(?:: [0-9a-f]*)?")
AT_THE_END = "at the end: "
QUESTION = re.compile(r"^\*\*(\d+)\.\*\* ", re.MULTILINE)
ANSWER = re.compile(r"(?ms)^<details><summary>☐ (\S.*?)</summary>\n\n(.+?)\n\n</details>$")
TABLE = re.compile(r"(?:^[ >]*\|.*\|[ ]*\n?){2,}", re.MULTILINE)
RULE = re.compile(r"[ >]*\|(?:\s*:?-+:?\s*\|)+\s*")
INFORMATION = ("bits?", "nats?")
UNITS = {"bits": ("bits?",), "nats": ("nats?",), "squared units": ("squared units",)}
TO_SEAL = "read the table again, then seal it: python -m tools.claims --write chapters/..."
WAYS_OUT = "quote it in `claims`, with an expression that computes it in that unit"


@dataclass(frozen=True)
class Claim:
    """A phrase, the expression it is tied to, and whether they must agree (a wrong choice must not)."""

    phrase: str
    declared: str
    holds: bool = True
    rows: tuple[tuple[str, ...], ...] = ()  # of a typed table

    @property
    def expression(self) -> str:
        """What is computed."""
        return self.declared.removeprefix(AT_THE_END)

    @property
    def is_late(self) -> bool:
        """Whether it speaks of what a later cell computes."""
        return self.declared.startswith(AT_THE_END)

    @property
    def label(self) -> str:
        """The phrase, or the head of the table."""
        return f"table of {', '.join(self.rows[0])}" if self.rows else f"“{self.phrase}”"


def declared(cell: Cell) -> list[Claim]:
    """List the claims of a cell that are computed."""
    tied = [Claim(phrase, e) for phrase, e in cell.metadata.get("claims", {}).items()]
    tied += [Claim(said(choice), e) for choice, e in cell.metadata.get("right", {}).items()]
    tied += [Claim(said(choice), e, False) for choice, e in cell.metadata.get("wrong", {}).items()]
    tied += [Claim(number, e) for number, e in guessed(cell).items()]
    typed = zip(tables(cell.source), cell.metadata.get("tables", []), strict=False)
    tied += [Claim(text, e, rows=rows) for (text, rows), e in typed]
    return [claim for claim in tied if not by_definition(claim)]


def guessed(cell: Cell) -> dict[str, str]:
    """Return the typed numbers of a guess with their expressions: what is right, and what slips give.

    Examples
    --------
    >>> declared = {"answer": "0.737", "is": "-log2(9/15)", "slips": {"1.667": ["15/9", "That is 1/p."]}}
    >>> guessed(Cell("p", "markdown", "", {"guess": declared}))
    {'0.737': '-log2(9/15)', '1.667': '15/9'}
    """
    said = cell.metadata.get("guess", {})
    slips = {number: expression for number, (expression, _) in said.get("slips", {}).items()}
    return {said["answer"]: said["is"]} | slips if "answer" in said else {}


def sentences(cell: Cell) -> str:
    """Return the text of a cell, and what its guess says of slips."""
    said = cell.metadata.get("guess", {}).get("slips", {})
    return "\n\n".join([cell.source, *(words for _, words in said.values())])


def by_definition(claim: Claim) -> bool:
    """Tell whether nothing computes a claim; of a typed table, the words are sealed then."""
    return bool(SEALED.fullmatch(claim.declared)) if claim.rows else claim.declared == BY_DEFINITION


def seal(rows: Sequence[Sequence[str]]) -> str:
    """Return what stands for a typed table that nothing computes; it changes with every word.

    Examples
    --------
    >>> seal([["way", "choose it if"], ["parts", "rows  are many"]])
    'by definition: cacab36e'
    """
    words = "\n".join("|".join(" ".join(cell.split()) for cell in row) for row in rows)
    return f"{BY_DEFINITION}: {hashlib.sha256(words.encode()).hexdigest()[:8]}"


def said(choice: str) -> str:
    """Return the words of a choice, without the number of its question; a guess has none.

    Examples
    --------
    >>> said("2. At most 0.7 bits."), said("At most 0.7 bits.")
    ('At most 0.7 bits.', 'At most 0.7 bits.')
    """
    return re.sub(r"^\d+\. ", "", choice)


def phrase_pattern(phrase: str) -> re.Pattern[str]:
    """Return a pattern that finds a phrase, wherever its lines break."""
    inside = r"[\s>]+".join(map(re.escape, phrase.split()))
    return re.compile(rf"(?<!\w){inside}(?!\w)" if phrase.strip() else r"(?!)")


def vouched(cell: Cell) -> list[re.Pattern[str]]:
    """Return patterns of what needs no output: phrases that are computed, and posed numbers."""
    phrases = [phrase_pattern(claim.phrase) for claim in declared(cell) if claim.holds]
    posed = [rf"(?<![\w.]){re.escape(number)}(?!\d|\.\d)" for number in cell.metadata.get("posed", [])]
    return phrases + [re.compile(pattern) for pattern in posed]


def choices(quiz: str) -> dict[str, bool]:
    """Return the choices of a quiz, each with the number of its question, and whether it is marked right.

    Those of a guess, which is one question, have no number.

    Examples
    --------
    >>> choices("**1.** Why?\\n\\n<details><summary>☐ So.</summary>\\n\\nRight. Yes.\\n\\n</details>")
    {'1. So.': True}
    """
    numbers, parts = QUESTION.findall(quiz), QUESTION.split(quiz)[2::2]
    heads = [f"{number}. " for number in numbers]
    return {
        f"{head}{' '.join(choice.split())}": feedback.startswith("Right")
        for head, part in zip(heads or [""], parts or [quiz], strict=True)
        for choice, feedback in ANSWER.findall(part)
    }


def tables(text: str) -> list[tuple[str, tuple[tuple[str, ...], ...]]]:
    """List the typed tables of a text: how each stands there, and its rows, the header first.

    Examples
    --------
    >>> tables("| a | b |\\n|---|---|\\n| 1 | $\\\\lvert x$ |")[0][1]
    (('a', 'b'), ('1', '$\\\\lvert x$'))
    """
    found = []
    for m in TABLE.finditer(text):
        lines = m[0].strip().splitlines()
        if RULE.fullmatch(lines[1]):
            rows = [line.strip(" >").strip("|").split("|") for line in (lines[0], *lines[2:])]
            found.append((m[0], tuple(tuple(cell.strip() for cell in row) for row in rows)))
    return found


def faults(notebook: Notebook, known: Targets) -> list[str]:
    """List what is declared in a notebook and not in its text, or the other way round."""
    return [
        f"{notebook.path.name}, cell {cell.id}: {fault}"
        for cell in notebook.markdown
        for fault in (
            *expression_faults(cell),
            *phrase_faults(cell),
            *quiz_faults(cell),
            *typed_table_faults(cell),
            *unit_faults(cell, notebook.metadata.get("unit")),
            *reference_faults(cell.source, cell.metadata.get("refers", []), known),
        )
    ] + [
        f"{notebook.path.name}, cell {cell.id}: a code cell declares {key!r}; claims belong to the text"
        for cell in notebook.code
        for key in KEYS
        if key in cell.metadata
    ]


def expression_faults(cell: Cell) -> Iterator[str]:
    """Yield the expressions that are no expression of one line."""
    for claim in declared(cell):
        try:
            compile(claim.expression, "claim", "eval")
            fine = "\n" not in claim.expression
        except SyntaxError:
            fine = False
        if not fine:
            yield f"{claim.label}: {claim.expression!r} is no expression of one line"


def phrase_faults(cell: Cell) -> Iterator[str]:
    """Yield the phrases and posed numbers that the text does not have."""
    for phrase in cell.metadata.get("claims", {}):
        times = len(phrase_pattern(phrase).findall(cell.source))
        if times != 1:
            yield f"“{phrase}” stands {times} times in the text, and must stand there once"
    for number in cell.metadata.get("posed", []):
        if not re.search(rf"(?<![\w.]){re.escape(number)}(?!\d|\.\d)", cell.source):
            yield f"{number} is declared as posed, and the text does not have it"


def quiz_faults(cell: Cell) -> Iterator[str]:
    """Yield where the choices marked right are not those declared, and what is said of no choice."""
    marked = choices(cell.source) if {"quiz", "guess"} & {*cell.tags} else {}
    right, wrong = cell.metadata.get("right", {}), cell.metadata.get("wrong", {})
    for choice, is_right in marked.items():
        if is_right and choice not in right:
            yield f"“{choice}” is marked right, and `right` does not have it"
        if not is_right and choice in right:
            yield f"“{choice}” is marked wrong, and `right` has it"
        if is_right and choice in wrong:
            yield f"“{choice}” is marked right, and `wrong` has it"
    for choice in [*right, *wrong]:
        if choice not in marked:
            yield f"“{choice}” is no choice of the {'guess' if 'guess' in cell.tags else 'quiz'}"
    for choice, expression in wrong.items():
        if expression == BY_DEFINITION:
            yield f"“{choice}”: a wrong choice has an expression, or is left out"


def typed_table_faults(cell: Cell) -> Iterator[str]:
    """Yield whether as many tables are declared as are typed, and where the words are not those sealed."""
    typed, frames = tables(cell.source), cell.metadata.get("tables", [])
    if len(typed) != len(frames):
        yield f"{len(typed)} typed tables, and `tables` has {len(frames)} expressions"
    for (text, rows), expression in zip(typed, frames, strict=False):
        claim = Claim(text, expression, rows=rows)
        if by_definition(claim) and expression != seal(rows):
            why = "has no seal" if expression == BY_DEFINITION else "its words are not those that were sealed"
            yield f"{claim.label}: {why}; {TO_SEAL}"


def unit_faults(cell: Cell, unit: str | None) -> Iterator[str]:
    """Yield the units other than the chapter's that no claim quotes."""
    if unit is not None and unit not in UNITS:
        yield f"the unit of the chapter is {unit!r}, wanted one of {', '.join(UNITS)}"
        return
    own = UNITS[unit] if unit else ()
    other = [name for name in INFORMATION if name not in own]
    if unit == "squared units":
        other.append("(?<!squared )units")
    text = cell.source
    for phrase in cell.metadata.get("claims", {}):
        text = phrase_pattern(phrase).sub(" ", text)
    for m in re.finditer(rf"(?i)\b(?:{'|'.join(other)})\b", text):
        around = " ".join(text[max(0, m.start() - 30) : m.end()].split())
        where = f"the unit of the chapter is {unit or 'none'}"
        yield f"“{around}”: {where}; if {m[0]} is meant, {WAYS_OUT}"
