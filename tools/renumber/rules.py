"""Where a text has a number of the book, and what it becomes; of two rules for one place the first counts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from tools.renumber.moves import Moves, pair

GAP = r"(?:[ \t]+|[ \t]*\n[ \t]*(?:[#*>|]+[ \t]*|//[ \t]*)?)"  # or the line break of a comment or quote
NUMBER = r"\d{1,2}(?![\w]|\.\d)"
JOIN = rf"(?:[,;]{GAP}(?:and{GAP}|or{GAP})?|{GAP}(?:and|or|to){GAP}|[-\u2013])"
CHAPTERS = re.compile(rf"\b([Cc]hapters?|CHAPTERS?)({GAP})({NUMBER}(?:{JOIN}{NUMBER})*)")
DECIMAL = r"[1-9]\d?\.[1-9]\d?(?!\d|\.\d)"
PLACES = re.compile(
    rf"\b((?:[Ff]igure|[Ee]xercise|[Ss]olution|[Ee]quation|[Ff]ormula|[Qq]uiz)s?)({GAP})({DECIMAL}(?:{JOIN}{DECIMAL})*)"
)
FORMULA = re.compile(r"(?<![\w\])])\(([1-9]\d?\.[1-9]\d?)\)")
TAG = re.compile(r"(?<=\\tag\{)\d{1,2}\.\d{1,2}(?=\})")
IDS = re.compile(r"(?<![a-z])(figure|equation|formula|exercise|ex|solution|sol)-(\d{1,2}-\d{1,2})(?!\d)")
HEADING = re.compile(r"(?<![a-z])(exercise|solution)-(\d{2,4})(?![\d]|-\d)")
NAMED = re.compile(r"(?<![A-Za-z])(?:(chapters?[-_])|chapters/(?=\d\d?(?!_)))(\d{1,2})(?!\d)")
LINKED = re.compile(r"\[(\d{1,2})\]\((?:\.\./)*(?:chapters/)?(\d\d_\w+)\.(?:ipynb|html|md)[^)\s]*\)")
# What another book's number follows, and what follows it.
YEAR = r"(?:\(\d{4}[a-z]?\)|\b(?:18|19|20)\d\d[a-z]?\)?|\]_|bibliography\.md#\w+\)\)?)"
PART = r"(?:section|theorem|figure|chapter|table|exercise|algorithm|formula)s?"
FOREIGN = re.compile(
    rf"(?:{YEAR}[,:]?\s+(?:(?:and\s+)?{PART}\s+\(?[\d.]+\)?,?\s+(?:and\s+|to\s+)?)*(?:{PART}\s+)?"
    r"|\b(?:[Ii]ts|[Tt]heir|[Hh]is|[Hh]er)\s+)$"
)
SAID = re.compile(rf"{YEAR}[,:]?\s+(?:formula|equation)s?\s+$")
THEIRS = re.compile(
    r"\s+of (?:(?:their|his|her) book|[A-Z]\w+'s|[A-Z]\w+\s[A-Z]\w+|\[[^\]]*\]\([^)]*bibliography\.md#)"
)


class Edit(NamedTuple):
    """A place of a text and what it becomes; `kind` says what it is, `doubt` what a human should read."""

    start: int
    end: int
    new: str
    kind: str
    doubt: str = ""


def edits(text: str, moves: Moves) -> list[Edit]:
    """List the changes of a text from left to right.

    Examples
    --------
    >>> moves = Moves({2: 3, 3: 2}, {"02_entropy": "03_entropy"}, {(2, 3): (3, 3)})
    >>> [(e.new, e.kind) for e in edits("By (2.3) of [chapter 2](02_entropy.ipynb), and (2.4).", moves)]
    [('3.3', 'formula'), ('3', 'chapter'), ('03_entropy', 'file')]
    """
    found: list[Edit] = []
    for rule in (files, linked, tags, chapters, places, ids, formulas, headings, named):
        taken = [(edit.start, edit.end) for edit in found]
        found += [e for e in rule(text, moves) if all(e.end <= a or e.start >= b for a, b in taken)]
    return sorted(found)


def apply(text: str, changes: list[Edit]) -> str:
    """Return the text with its changes.

    Examples
    --------
    >>> apply("chapter 2", [Edit(8, 9, "13", "chapter")])
    'chapter 13'
    """
    for edit in sorted(changes, reverse=True):
        text = text[: edit.start] + edit.new + text[edit.end :]
    return text


def foreign(text: str, start: int, end: int) -> bool:
    """Tell whether a number belongs to another book.

    Examples
    --------
    >>> text = "Quinlan (1993), section 2.1 and chapter 4; chapter 6."
    >>> [foreign(text, text.index(said), text.index(said) + 9) for said in ("chapter 4", "chapter 6")]
    [True, False]
    """
    return bool(FOREIGN.search(text[max(0, start - 160) : start]) or THEIRS.match(text, end))


def files(text: str, moves: Moves) -> Iterator[Edit]:
    """Names of the files of chapters."""
    for m in re.finditer(r"(?<!\w)\d\d_[a-z]\w*", text):
        if m[0] in moves.stems:
            yield Edit(*m.span(), moves.stems[m[0]], "file")


def linked(text: str, moves: Moves) -> Iterator[Edit]:
    """Links whose words are a chapter's number."""
    for m in LINKED.finditer(text):
        if m[2] in moves.stems and int(m[1]) == int(m[2][:2]):
            yield Edit(*m.span(1), str(moves.chapters[int(m[1])]), "chapter")


def tags(text: str, moves: Moves) -> Iterator[Edit]:
    """The tags of formulas."""
    for m in TAG.finditer(text):
        if (old := pair(m[0])) in moves.formulas:
            yield Edit(*m.span(), "{}.{}".format(*moves.formulas[old]), "tag")


def chapters(text: str, moves: Moves) -> Iterator[Edit]:
    """Chapters in words, one or several: "chapters 2, 3 and 11 to 14"."""
    for m in CHAPTERS.finditer(text):
        if foreign(text, *m.span()):
            yield Edit(*m.span(3), m[3], "of another book")
            continue
        new, doubt = listed(m[3], moves.chapters)
        if new is not None:
            yield Edit(*m.span(3), new, "chapter", doubt)


def listed(text: str, new: dict[int, int]) -> tuple[str | None, str]:
    """Return a list of chapters with their new numbers, and what is doubtful about it.

    Examples
    --------
    >>> listed("2, 3 and 4", {2: 9, 3: 2, 4: 3})
    ('2, 3 and 9', '')
    >>> listed("2 to 4; 9", {2: 3, 3: 4, 4: 5, 9: 2})
    ('3 to 5; 2', '')
    >>> listed("2 to 4", {2: 9, 3: 2, 4: 3})
    ('2, 3 and 9', 'a range that was 2 to 4')
    >>> listed("2 and 30", {2: 3})
    (None, '')
    """
    parts = re.split(rf"(;{GAP}(?:and{GAP}|or{GAP})?)", text)
    said = [span(part, new) if k % 2 == 0 else (part, "") for k, part in enumerate(parts)]
    if any(part is None for part, _ in said):
        return None, ""
    return "".join(part or "" for part, _ in said), "; ".join(doubt for _, doubt in said if doubt)


def span(text: str, new: dict[int, int]) -> tuple[str | None, str]:
    """Return one list, without semicolons, with its new numbers."""
    numbers = [int(k) for k in re.findall(r"\d+", text)]
    joins = re.split(r"\d+", text)[1:-1]
    through = [bool(re.fullmatch(rf"{GAP}to{GAP}|[-\u2013]", join)) for join in joins]
    members: list[int] = numbers[:1]
    for number, ranged in zip(numbers[1:], through, strict=True):
        members += range(members[-1] + 1, number + 1) if ranged else [number]
    if any(k not in new for k in members):
        return None, ""
    moved = [new[k] for k in members]
    if members == sorted(members):
        moved.sort()
    else:
        return with_numbers(joins, [new[k] for k in numbers]), f"an order that was {text}"
    if not any(through):
        return with_numbers(joins, moved), ""
    ends = ranges(moved)
    if [len(end) > 1 for end in ends] == as_ranges(through):
        return with_numbers(joins, [k for end in ends for k in end]), ""
    words = [f"{end[0]} to {end[1]}" if len(end) > 1 else str(end[0]) for end in ends]
    said = ", ".join(words[:-1]) + f" and {words[-1]}" if len(words) > 1 else words[0]
    return said, f"a range that was {text}"


def with_numbers(joins: list[str], numbers: list[int]) -> str:
    """Return numbers with the words between them."""
    return "".join(f"{k}{join}" for k, join in zip(numbers, [*joins, ""], strict=True))


def as_ranges(through: list[bool]) -> list[bool]:
    """Tell of each item of a list whether it is a range.

    Examples
    --------
    >>> as_ranges([False, True, False])  # 2, 5 to 7 and 9
    [False, True, False]
    """
    items: list[bool] = []
    joined = False
    for ranged in [*through, False]:
        if ranged:
            items.append(True)
        elif not joined:
            items.append(False)
        joined = ranged
    return items


def ranges(numbers: list[int]) -> list[tuple[int, ...]]:
    """Return the runs of ascending numbers, of three or more by their ends.

    Examples
    --------
    >>> ranges([2, 3, 4, 7, 8])
    [(2, 4), (7,), (8,)]
    """
    runs: list[list[int]] = []
    for k in numbers:
        if runs and k == runs[-1][-1] + 1:
            runs[-1].append(k)
        else:
            runs.append([k])
    return [end for run in runs for end in ([(run[0], run[-1])] if len(run) > 2 else [(k,) for k in run])]


def places(text: str, moves: Moves) -> Iterator[Edit]:
    """Figures, exercises, solutions and formulas in words."""
    for m in PLACES.finditer(text):
        known = moves.of(m[1])
        if foreign(text, *m.span()):
            yield Edit(*m.span(3), m[3], "of another book")
            continue
        for number in re.finditer(r"\d+\.\d+", m[3]):
            if (old := pair(number[0])) in known:
                at = m.start(3)
                new = "{}.{}".format(*known[old])
                yield Edit(at + number.start(), at + number.end(), new, m[1].lower().removesuffix("s"))


def ids(text: str, moves: Moves) -> Iterator[Edit]:
    """Names of cells and anchors, such as figure-17-5 and sol-17-1-code."""
    for m in IDS.finditer(text):
        if (old := pair(m[2])) in (known := moves.of(m[1])):
            yield Edit(*m.span(2), "{}-{}".format(*known[old]), "id")


def formulas(text: str, moves: Moves) -> Iterator[Edit]:
    """Formulas by their number in brackets."""
    for m in FORMULA.finditer(text):
        if (old := pair(m[1])) in moves.formulas:
            theirs = THEIRS.match(text, m.end()) or SAID.search(text[max(0, m.start() - 160) : m.start()])
            new = m[1] if theirs else "{}.{}".format(*moves.formulas[old])
            yield Edit(*m.span(1), new, "of another book" if theirs else "formula")


def headings(text: str, moves: Moves) -> Iterator[Edit]:
    """Anchors of the headings of exercises, in which the point is lost: exercise-171-a-title."""
    joined: dict[str, list[tuple[int, int]]] = {}
    for (chapter, place), new in moves.exercises.items():
        joined.setdefault(f"{chapter}{place}", []).append(new)
    for m in HEADING.finditer(text):
        if len(new := joined.get(m[2], [])) == 1:
            yield Edit(*m.span(2), "{}{}".format(*new[0]), "anchor")


def named(text: str, moves: Moves) -> Iterator[Edit]:
    """Chapters in names and anchors: chapter-02, test_what_chapter_12_prints, chapters/12."""
    for m in NAMED.finditer(text):
        if (new := moves.chapters.get(int(m[2]))) is not None:
            padded = not (m[1] or "").endswith("_") and len(m[2]) == 2
            yield Edit(*m.span(2), f"{new:02}" if padded else str(new), "name")
