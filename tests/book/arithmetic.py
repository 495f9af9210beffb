r"""Equations between numbers must hold, to the digits written: ``$0.971 - 0.888 = 0.083$``.

A formula is read as `tests.book.formulas` reads it. Of each statement the sides without a letter are
computed, and neighbors compared, also across sides with letters, by one rule:

- What stands on the left counts as it is written.
- A decimal alone on the right may be off by half a unit of its last place. Within an expression on the right
  so may each decimal of three places or more; one of fewer is meant exactly.
- After ≈, so may these decimals on the left: they are rounded numbers, and the reader is told that it shows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from tests.book.formulas.evaluate import value
from tests.book.formulas.grammar import Reader, statements
from tests.book.formulas.tokens import Token, Unreadable, tokens
from tests.book.notebooks import without_code

MATH = re.compile(r"\$\$(.+?)\$\$|\$([^$]+?)\$", re.DOTALL)
EXACT = 2  # places of a decimal that is meant exactly, if it is not alone
FLOATS = 1e-9


class Side(NamedTuple):
    """One side of a statement without letters, and the relation before it."""

    relation: str
    text: str
    pieces: tuple[Token, ...]

    @property
    def value(self) -> float:
        """What it comes to."""
        return computed(self.pieces)

    @property
    def alone(self) -> bool:
        """Whether it is a number and no more."""
        return [piece.kind for piece in self.pieces if piece.text not in "+-"] == ["number"]

    @property
    def slack(self) -> float:
        """How far it is off at most, if its decimals are rounded."""
        decimals = [i for i, piece in enumerate(self.pieces) if "." in piece.text]
        return sum(self.moved(i) for i in decimals if self.alone or places(self.pieces[i]) > EXACT)

    def moved(self, i: int) -> float:
        """Return by how much the side moves with one of its decimals."""
        piece, half = self.pieces[i], 0.5 * 10.0 ** -places(self.pieces[i])
        ends = (f"{float(piece.text) + half * way:.12f}" for way in (-1, 1))
        changed = ([*self.pieces[:i], Token("number", end, 0, 0), *self.pieces[i + 1 :]] for end in ends)
        return max(abs(computed(tuple(pieces)) - self.value) for pieces in changed)


def places(piece: Token) -> int:
    """Return how many decimal places a number has."""
    return len(piece.text.partition(".")[2])


def computed(pieces: tuple[Token, ...]) -> float:
    """Compute a side."""
    return float(value(Reader(list(pieces)).whole().sides[0], {}))


def wrong_equations(markdown: str) -> list[str]:
    r"""List the equations and inequalities between numbers that do not hold.

    Examples
    --------
    >>> wrong_equations(r"$H = \frac{1}{3} + 0.5 = 0.833$ and $1 - 0.25 = 0.57$")
    ['1 - 0.25 = 0.75, and not = 0.57']
    >>> wrong_equations(r"$14.564 - 8.265 \approx 6.300$"), wrong_equations(r"$14.564 - 8.265 = 6.300$")
    ([], ['14.564 - 8.265 = 6.299, and not = 6.300'])
    """
    return [
        f"{a.text} = {a.value:.6g}, and not {b.relation} {b.text}"
        for a, b in equations(markdown)
        if not holds(a, b)
    ]


def equations(markdown: str) -> Iterator[tuple[Side, Side]]:
    """Yield the neighbors that are compared."""
    for tex in formulas(markdown):
        for statement in statements(tokens(tex)):
            yield from pairwise(side for side in sides(statement, tex) if side.text and readable(side))


def unreadable(markdown: str) -> list[str]:
    r"""List the sides of equations that have numbers and no letter, and that cannot be computed.

    Examples
    --------
    >>> unreadable(r"$0.988 - (\dots) = 0.109$, $H = 2 \cdot 3 = 6$")
    ['0.988 - (\\dots)']
    """
    parts = [sides(statement, tex) for tex in formulas(markdown) for statement in statements(tokens(tex))]
    found = [side for part in parts for side in part if len([one for one in part if one.text]) > 1]
    return [side.text for side in found if side.text and not readable(side)]


def formulas(markdown: str) -> list[str]:
    """Return the TeX of all formulas of a text, those within lines too."""
    return [m[1] or m[2] for m in MATH.finditer(without_code(markdown))]


def sides(statement: list[Token], tex: str) -> list[Side]:
    """Return the sides of a statement that have numbers and no letter."""
    parts: list[list[Token]] = [[]]
    relations, depth = ["="], 0
    for piece in statement:
        depth += (piece.text in ("(", "[", "{")) - (piece.text in (")", "]", "}"))
        if piece.kind == "relation" and depth == 0:
            relations.append(piece.text)
            parts.append([])
        else:
            parts[-1].append(piece)
    found = []
    for relation, part in zip(relations, parts, strict=True):
        part = part[:-1] if part and part[-1].text == "." else part
        numbers = any(piece.kind == "number" for piece in part)
        if numbers and not any(piece.kind in ("name", "of") for piece in part):
            text = re.sub(r"[\s&]+", " ", tex[part[0].start : part[-1].end])
            found.append(Side(relation, text, tuple(part)))
        else:
            found.append(Side(relation, "", ()))
    return found


def readable(side: Side) -> bool:
    """Tell whether a side can be computed."""
    try:
        return abs(side.value) >= 0
    except (Unreadable, LookupError, ArithmeticError, TypeError, ValueError):
        return False


def holds(a: Side, b: Side) -> bool:
    """Tell whether the relation between two neighbors holds; between them may be sides with letters."""
    gap = abs(a.value - b.value) - FLOATS * max(1.0, abs(a.value))
    if b.relation in "=≈→":
        return gap <= b.slack + (a.slack if b.relation == "≈" else 0)
    ordered = {"<": a.value < b.value, ">": a.value > b.value, "≠": gap > 0}
    return ordered.get(b.relation, {"≤": a.value <= b.value, "≥": a.value >= b.value}.get(b.relation, True))
