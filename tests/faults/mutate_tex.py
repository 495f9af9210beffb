r"""Plants faults in the TeX of a formula: a minus lost, indices swapped, a fraction turned over.

Each mutant differs from the formula in one place and is still TeX that a reader could have typed. Nothing is
known of what the formula means, so some mutants say the same in other words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from tests.book.formulas.grammar import CLOSING, FRACTIONS
from tests.book.formulas.tokens import Token, tokens

Edit = tuple[int, int, str]
RELATIONS = {"≤": ("<", r"\ge"), "≥": (">", r"\le"), "<": (r"\le", ">"), ">": (r"\ge", "<")}
COMMANDS = {r"\max": r"\min", r"\min": r"\max", r"\sum": r"\prod", r"\prod": r"\sum"}
LIMITS = ("relation", "row", "gap")
ENDS = ("+", "-", ",", ";", ")", "]", "}", r"\}", r"\rvert", "|", "")


def mutants(tex: str) -> list[tuple[str, str]]:
    r"""Return the mutants of a formula, each with the kind of its fault, always in the same order.

    Examples
    --------
    >>> for kind, mutant in mutants(r"H = -\frac{N_{ik}}{2}"):
    ...     print(f"{kind}: {mutant}")
    minus lost: H = \frac{N_{ik}}{2}
    indices swapped: H = -\frac{N_{ki}}{2}
    fraction turned over: H = -\frac{2}{N_{ik}}
    digit changed: H = -\frac{N_{ik}}{3}
    digit changed: H = -\frac{N_{ik}}{1}
    letter changed: N = -\frac{N_{ik}}{2}
    letter changed: H = -\frac{H_{ik}}{2}
    index changed: H = -\frac{N_{kk}}{2}
    index changed: H = -\frac{N_{ii}}{2}
    """
    body = re.sub(r"\\tag\{[^}]*\}", lambda m: " " * len(m[0]), tex)
    pieces = tokens(body)
    found = [
        (kind, tex[:start] + new + tex[end:])
        for kind, edits in (
            ("minus lost", minus(pieces)),
            ("sign changed", signs(pieces)),
            ("indices swapped", indices(pieces, tex)),
            ("fraction turned over", fractions(pieces, tex)),
            ("relation changed", relations(pieces)),
            ("logarithm changed", logarithms(pieces)),
            ("operation changed", operations(pieces)),
            ("digit changed", digits(pieces)),
            ("numbers swapped", swaps(pieces, tex)),
            ("power lost", powers(pieces)),
            ("term lost", terms(pieces)),
            ("factor lost", factors(pieces)),
            ("letter changed", letters(pieces, tex, below=False)),
            ("index changed", letters(pieces, tex, below=True)),
        )
        for start, end, new in edits
    ]
    return [(kind, mutant) for kind, mutant in dict.fromkeys(found) if mutant != tex]


def closing(pieces: list[Token], i: int) -> int:
    """Return the place of what closes the bracket at a place; the place itself if it opens none."""
    opens = pieces[i].text if i < len(pieces) else ""
    closes, depth = CLOSING.get(opens, ""), 0
    if opens in ("|", r"\lvert") or not closes:
        return i
    for j in range(i, len(pieces)):
        depth += (pieces[j].text == opens) - (pieces[j].text == closes)
        if depth == 0:
            return j
    return i


def groups(pieces: list[Token], i: int) -> list[tuple[int, int]]:
    """Return the first and last places of the two arguments of a fraction, if both are in braces."""
    a = (i + 1, closing(pieces, i + 1))
    b = (a[1] + 1, closing(pieces, a[1] + 1))
    return [a, b] if a[0] < a[1] and b[0] < b[1] else []


def scripts(pieces: list[Token]) -> list[bool]:
    """Tell of each piece whether it is an index or stands in a group of indices."""
    inside = [False] * len(pieces)
    for i, piece in enumerate(pieces[:-1]):
        if piece.text == "_":
            for j in range(i + 1, closing(pieces, i + 1) + 1):
                inside[j] = True
    return inside


def minus(pieces: list[Token]) -> Iterator[Edit]:
    """Lose a minus: at the front it goes, between two terms it becomes a plus."""
    for i, piece in enumerate(pieces):
        if piece.text == "-":
            front = i == 0 or pieces[i - 1].kind in ("relation", "row") or pieces[i - 1].text in CLOSING
            yield piece.start, piece.end, "" if front else "+"


def signs(pieces: list[Token]) -> Iterator[Edit]:
    """Make a plus a minus."""
    yield from ((piece.start, piece.end, "-") for piece in pieces if piece.text == "+")


def indices(pieces: list[Token], tex: str) -> Iterator[Edit]:
    """Swap two neighbors among the indices of one letter."""
    inside = scripts(pieces)
    for i, (a, b) in enumerate(pairwise(pieces)):
        if inside[i] and b.text in ("|", ",") and i + 2 < len(pieces):
            b = pieces[i + 2]
        if (
            inside[i]
            and a.kind == b.kind == "name"
            and a.text != b.text
            and tex[a.end : b.start].strip() in ("", "|")
        ):
            yield a.start, b.end, tex[b.start : b.end] + tex[a.end : b.start] + tex[a.start : a.end]


def fractions(pieces: list[Token], tex: str) -> Iterator[Edit]:
    """Turn a fraction over."""
    for i, piece in enumerate(pieces):
        if piece.text in FRACTIONS and (both := groups(pieces, i)):
            a, b = (tex[pieces[first].start : pieces[last].end] for first, last in both)
            yield pieces[both[0][0]].start, pieces[both[1][1]].end, b + a
        elif piece.text == r"\frac" and pieces[i + 1].kind == "number" and len(pieces[i + 1].text) == 2:
            yield pieces[i + 1].start, pieces[i + 1].end, pieces[i + 1].text[::-1]


def relations(pieces: list[Token]) -> Iterator[Edit]:
    """Make at most less, less at most, and turn both around."""
    for piece in pieces:
        for new in RELATIONS.get(piece.text, ()):
            yield piece.start, piece.end, new + " "


def logarithms(pieces: list[Token]) -> Iterator[Edit]:
    """Take bits for nats and nats for bits."""
    for i, piece in enumerate(pieces):
        if piece.text == r"\log" and pieces[i + 1].text == "_":
            last = pieces[closing(pieces, i + 2)]
            if last.text[:1] == "2" or last.text == "b":
                yield piece.start, last.start + 1, r"\ln "
        elif piece.text == r"\ln":
            yield piece.start, piece.end, r"\log_2 "


def operations(pieces: list[Token]) -> Iterator[Edit]:
    """Take the least for the largest, a product for a sum."""
    yield from ((p.start, p.end, COMMANDS[p.text]) for p in pieces if p.text in COMMANDS)


def digits(pieces: list[Token]) -> Iterator[Edit]:
    """Change a digit by one, up and down."""
    for piece in pieces:
        if piece.kind == "number":
            for place, digit in enumerate(piece.text):
                for step in (1, -1) if digit.isdigit() else ():
                    yield piece.start + place, piece.start + place + 1, str((int(digit) + step) % 10)


def swaps(pieces: list[Token], tex: str) -> Iterator[Edit]:
    """Swap two numbers that follow each other, whatever stands between them."""
    for a, b in pairwise(piece for piece in pieces if piece.kind == "number"):
        if a.text != b.text:
            yield a.start, b.end, b.text + tex[a.end : b.start] + a.text


def powers(pieces: list[Token]) -> Iterator[Edit]:
    """Lose a power."""
    for i, piece in enumerate(pieces[:-1]):
        if piece.text == "^" and not (i >= 1 and upper_bound(pieces, i)):
            last = pieces[closing(pieces, i + 1)]
            yield (
                piece.start,
                last.start + 1 if last.kind == "number" and len(last.text) > 1 else last.end,
                "",
            )


def upper_bound(pieces: list[Token], i: int) -> bool:
    """Tell whether what stands above at a place is the upper bound of a sum."""
    if pieces[i - 1].text != "}":
        return False
    opened = max((j for j in range(i) if pieces[j].text == "{" and closing(pieces, j) == i - 1), default=0)
    return opened >= 2 and pieces[opened - 1].text == "_" and pieces[opened - 2].text in COMMANDS


def terms(pieces: list[Token]) -> Iterator[Edit]:
    """Lose a term that is added or subtracted, with its sign."""
    for i, piece in enumerate(pieces):
        first = i == 0 or pieces[i - 1].kind == "relation" or pieces[i - 1].text in CLOSING
        if piece.text in ("+", "-") and not first:
            j = i + 1
            while j < len(pieces) and pieces[j].text not in ENDS and pieces[j].kind not in LIMITS:
                j = closing(pieces, j) + 1
            yield piece.start, pieces[j - 1].end, ""


def factors(pieces: list[Token]) -> Iterator[Edit]:
    """Lose a factor beside another one: a fraction, a number, a letter with its indices, or a bracket."""
    inside = scripts(pieces)
    i = 0
    while i < len(pieces):
        last = factor_end(pieces, i)
        before, after = (pieces[j] if 0 <= j < len(pieces) else None for j in (i - 1, last + 1))
        whole = pieces[i].kind in ("name", "number") or pieces[i].text in ("(", *FRACTIONS)
        call = pieces[i].text == "(" and before is not None and before.kind == "name"
        if whole and not inside[i] and not call and (joins(before, left=True) or joins(after, left=False)):
            yield pieces[i].start, pieces[last].end, ""
        i += 1


def factor_end(pieces: list[Token], i: int) -> int:
    """Return the last place of the factor that begins at a place, its indices and powers included."""
    both = groups(pieces, i) if pieces[i].text in FRACTIONS else []
    last = both[1][1] if both else i + 1 if pieces[i].text in FRACTIONS else closing(pieces, i)
    while last + 2 < len(pieces) and pieces[last + 1].text in ("_", "^", "'"):
        last = last + 1 if pieces[last + 1].text == "'" else closing(pieces, last + 2)
    return last


def joins(neighbor: Token | None, left: bool) -> bool:
    """Tell whether a neighbor is a factor too."""
    if neighbor is None:
        return False
    signs = ("}", ")") if left else (r"\frac", r"\log", r"\ln")
    return neighbor.kind in ("number", "name") or neighbor.text in (r"\cdot", *signs)


def letters(pieces: list[Token], tex: str, below: bool) -> Iterator[Edit]:
    """Put another letter of the formula in the place of one; an index for an index, a symbol for a symbol."""
    inside = scripts(pieces)
    places = [i for i, p in enumerate(pieces) if p.kind == "name" and inside[i] == below]
    known = list(dict.fromkeys(tex[pieces[i].start : pieces[i].end] for i in places))
    for i in places:
        own = tex[pieces[i].start : pieces[i].end]
        other = known[(known.index(own) + 1) % len(known)]
        if other != own:
            yield pieces[i].start, pieces[i].end, other + (" " if other.startswith("\\") else "")
