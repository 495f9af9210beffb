"""Reads a formula: what stands in its TeX becomes a small tree of numbers, symbols and what is done to them.

It is a recursive descent, a method for each kind of thing. Which names take arguments, and so are no factors
before a bracket, the reader is told: the book writes both p(x, y) and p(1 - p).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from tests.book.formulas.tokens import Token, Unreadable, tokens

END = Token("end", "", -1, -1)
CLOSING = {"(": ")", "[": "]", "{": "}", r"\{": r"\}", "|": "|", r"\lvert": r"\rvert"}
ACCENTS = {r"\bar": "bar", r"\tilde": "tilde"}
FRACTIONS = {r"\frac": "/", r"\tfrac": "/", r"\dfrac": "/", r"\binom": "binom", r"\tbinom": "binom"}
BIG = {r"\sum": "sum", r"\prod": "prod", r"\max": "max", r"\min": "min"}
TIMES = (r"\cdot", r"\times")
BARS = ("|", r"\mid")
OPENING = {*CLOSING, *ACCENTS, *FRACTIONS, *BIG, r"\arg", r"\log", r"\ln", r"\sqrt", r"\underbrace"}


@dataclass(frozen=True)
class Number:
    """A number as it is typed."""

    text: str


@dataclass(frozen=True)
class Dots:
    """An omission: all that lies between its neighbors."""


@dataclass(frozen=True)
class Symbol:
    """A name with its indices; `label` is what is written below it, `signs` what stands between these."""

    name: str
    label: str = ""
    signs: str = ""
    indices: tuple[Node, ...] = ()


@dataclass(frozen=True)
class Call:
    """A function of arguments, with the signs between them."""

    symbol: Symbol
    signs: str
    arguments: tuple[Node, ...]


@dataclass(frozen=True)
class Do:
    """An operation on operands."""

    what: str
    operands: tuple[Node, ...]


@dataclass(frozen=True)
class Chain:
    """Sides and the relations between them; one side alone is an expression."""

    sides: tuple[Node, ...]
    relations: tuple[str, ...]


@dataclass(frozen=True)
class Over:
    """A sum, product, maximum or minimum over some letters, in a range or where a condition holds."""

    what: str
    letters: tuple[str, ...]
    bounds: tuple[Node, ...]
    condition: Chain | None
    body: Node


Node = Number | Dots | Symbol | Call | Do | Chain | Over


def split(pieces: list[Token], at: Collection[str]) -> Iterator[list[Token]]:
    """Yield the pieces between some signs, outside of all brackets."""
    part: list[Token] = []
    depth = 0
    for piece in pieces:
        depth += (piece.text in ("(", "{")) - (piece.text in (")", "}"))
        if depth == 0 and piece.text in at:
            yield part
            part = []
        else:
            part.append(piece)
    yield part


def letter_of(node: Node) -> str:
    """Return the letter that runs: of a condition on x_i it is i."""
    if not isinstance(node, Symbol):
        raise Unreadable("a sum goes over letters")
    return f"{node.name}_{node.label}" if node.label else node.name


def read(tex: str, functions: Collection[str] = ()) -> list[Chain]:
    r"""Return the statements of a formula, in their order.

    Examples
    --------
    >>> read(r"a = 1, \quad b < 2")[1].relations
    ('<',)
    """
    found = [Reader(part, functions).whole() for part in statements(tokens(tex))]
    places = [i for i, chain in enumerate(found) if chain.sides == (Dots(),)]
    for i in reversed(places):
        if i == 0 or i + 1 == len(found) or len(found[i - 1].sides) != 2:
            raise Unreadable("dots that stand between nothing")
        letter, first = found[i - 1].sides
        every = Over("every", (letter_of(letter),), (first, found[i + 1].sides[0]), None, Dots())
        found[i - 1 : i + 2] = [Chain((every,), ())]
    return found


def statements(pieces: list[Token]) -> Iterator[list[Token]]:
    """Yield the pieces of each statement: a row that goes on belongs to the one before."""
    part: list[Token] = []
    depth = 0
    for i, piece in enumerate(pieces):
        following = next((later for later in pieces[i + 1 :] if later.kind not in ("row", "gap")), END)
        depth += (piece.text in ("(", "[", "{", r"\{")) - (piece.text in (")", "]", "}", r"\}"))
        goes_on = following.kind == "relation" or following.text in ("+", "-", r"\cdot")
        if (piece.kind == "row" and not goes_on) or (depth == 0 and piece.text in (",", ";")):
            yield from [part] if part else []
            part = []
        elif piece.kind == "gap" and part and not goes_on and following.kind != "end":
            yield part
            part = []
        elif piece.kind not in ("row", "gap"):
            part.append(piece)
    if part and [piece.text for piece in part] != ["."]:
        yield part


class Reader:
    """Reads the pieces of one statement from left to right."""

    def __init__(self, pieces: list[Token], functions: Collection[str] = ()) -> None:
        self.pieces, self.functions, self.place = list(pieces), functions, 0
        self.inside = [""]  # the brackets that are open; what closes them ends an expression

    @property
    def next(self) -> Token:
        """The piece that is read next."""
        return self.pieces[self.place] if self.place < len(self.pieces) else END

    def take(self, *texts: str) -> str | None:
        """Read a piece if it is one of these."""
        found = self.next.text
        if self.next is END or found not in texts:
            return None
        self.place += 1
        return found

    def need(self, text: str) -> None:
        """Read a piece that has to be there."""
        if not self.take(text):
            raise Unreadable(f"{self.next.text or 'the end'} where {text} should be")

    def whole(self) -> Chain:
        """Read all pieces as one statement; a full stop may end it."""
        chain = self.chain()
        self.take(".")
        if self.next is not END:
            raise Unreadable(f"no place for {self.next.text}")
        return chain

    def chain(self) -> Chain:
        """Read sides with relations between them."""
        sides, relations = [self.sum()], []
        while self.next.kind == "relation":
            relations.append(self.next.text)
            self.place += 1
            sides.append(self.sum())
        return Chain(tuple(sides), tuple(relations))

    def sum(self) -> Node:
        """Read terms that are added or subtracted."""
        terms = [self.term()] if self.next.text not in ("+", "-", r"\pm") else []
        while sign := self.take("+", "-", r"\pm"):
            term = self.term()
            terms.append(term if sign == "+" else Do("-" if sign == "-" else "±", (term,)))
        return terms[0] if len(terms) == 1 else Do("+", tuple(terms))

    def term(self) -> Node:
        """Read factors, with or without a sign between them."""
        product = self.factor()
        while True:
            if self.take("/"):
                product = Do("/", (product, self.factor()))
            elif self.take(*TIMES) or self.begins_factor():
                product = Do("*", (product, self.factor()))
            else:
                return product

    def begins_factor(self) -> bool:
        """Tell whether the next piece begins a factor; a bar that is open is closed by the next one."""
        if self.next.text in (*BARS, r"\rvert"):
            return self.inside[-1] not in ("|", "call", r"\lvert") and self.next.text == "|"
        return self.next.kind in ("number", "name", "of") or self.next.text in OPENING

    def factor(self) -> Node:
        """Read one factor with its power."""
        base = self.atom()
        if self.take("!"):
            base = Do("!", (base,))
        while self.take("^"):
            base = Do("^", (base, self.argument()))
        return Do("/", (base, Number("100"))) if self.take(r"\%") else base

    def atom(self) -> Node:
        """Read what has no operation outside of it."""
        piece, self.place = self.next, self.place + 1
        if piece.kind == "number":
            return Number(piece.text)
        if piece.kind == "name" or piece.text in ACCENTS:
            return self.symbol(piece)
        if piece.kind == "of":
            return Do(piece.text, (self.term(),))
        if piece.text in (r"\dots", r"\cdots"):
            return Dots()
        if piece.text in CLOSING:
            return self.bracket(piece.text)
        if piece.text in FRACTIONS:
            return Do(FRACTIONS[piece.text], (self.argument(), self.argument()))
        if piece.text in BIG or piece.text == r"\arg":
            return self.over(BIG.get(piece.text, "arg "))
        if piece.text in (r"\log", r"\ln"):
            base = self.argument() if self.take("_") else Symbol("euler")
            return Do("log", (base, self.factor()))
        if piece.text in (r"\sqrt", r"\underbrace"):
            inner = self.argument()
            if piece.text == r"\sqrt":
                return Do("sqrt", (inner,))
            return Do("called", (inner, self.argument())) if self.take("_") else inner
        raise Unreadable(f"no meaning for {piece.text or 'the end'}")

    def bracket(self, opening: str) -> Node:
        """Read what stands in brackets: an expression, or a condition that is 1 if it holds."""
        self.inside.append(opening)
        chain = self.chain()
        self.inside.pop()
        self.need(CLOSING[opening])
        if opening in ("|", r"\lvert"):
            return Do("||", chain.sides)
        return chain if chain.relations else chain.sides[0]

    def argument(self) -> Node:
        """Read what a command takes: a group in braces, or a single sign, of a number its first digit."""
        piece = self.next
        if self.take("{"):
            return self.bracket("{")
        if piece.kind == "number" and len(piece.text) > 1:
            rest = Token("number", piece.text[1:], piece.start + 1, piece.end)
            self.pieces[self.place : self.place + 1] = [rest]
            return Number(piece.text[0])
        if piece.kind in ("number", "name"):
            self.place += 1
            return Number(piece.text) if piece.kind == "number" else Symbol(piece.text)
        return self.atom()

    def symbol(self, piece: Token) -> Node:
        """Read a name with its accents, marks and indices, and its arguments if it takes any."""
        name = piece.text
        if name in ACCENTS:
            name = f"{ACCENTS[name]} {self.next.text}"
            self.place += 1
        if name == "Delta" and self.next.kind == "name":
            name += f" {self.next.text}"
            self.place += 1
        name += self.marks()
        symbol = Symbol(name)
        if self.take("_"):
            label, signs, indices = self.indices(self.group())
            symbol = Symbol(name, label, signs, indices)
        elif self.next.text == "^" and (inner := self.in_round_brackets()):
            symbol = Symbol(name + "^", inner[0].text, ".", (Reader(inner).atom(),))
        if self.next.text == "(" and name in self.functions:
            return self.call(symbol)
        return symbol

    def marks(self) -> str:
        """Read primes, and a star or a question mark above."""
        marks = ""
        while self.next.text == "'":
            marks += self.take("'") or ""
        above = "".join(piece.text for piece in self.pieces[self.place : self.place + 2])
        if above in ("^*", "^?"):
            self.place += 2
            marks += above[1]
        return marks

    def in_round_brackets(self) -> list[Token] | None:
        """Read a number in brackets above a name, such as the one of a branch; it is no power."""
        ahead = self.pieces[self.place + 1 : self.place + 6]
        if [piece.text for piece in ahead if piece.kind != "name"] != ["{", "(", ")", "}"]:
            return None
        self.place += 6
        return ahead[2:3]

    def group(self) -> list[Token]:
        """Read the pieces of a group in braces, or a single one, of a number its first digit."""
        first = self.next
        if not self.take("{"):
            if first.kind == "number":
                return [Token("number", str(getattr(self.argument(), "text", "")), first.start, first.end)]
            self.place += 1
            return [first]
        start, depth = self.place, 1
        while depth:
            if self.next is END:
                raise Unreadable("a brace is not closed")
            depth += (self.next.text == "{") - (self.next.text == "}")
            self.place += 1
        return self.pieces[start : self.place - 1]

    def indices(self, pieces: list[Token]) -> tuple[str, str, tuple[Node, ...]]:
        """Read what stands below a name: how it is written, the signs between the indices, and these."""
        label = re.sub(r"[\^{}]", "", "".join(piece.text for piece in pieces))
        reader = Reader(pieces)
        if len(pieces) > 1 and any(piece.text in ("+", "-", "/") for piece in pieces):
            return label, ".", (reader.whole().sides[0],)
        found, signs = [], ""
        while reader.next.kind in ("name", "number"):
            found.append(reader.atom())
            signs += "."
            reader.take(",")
            signs += "|" if reader.take(*BARS) else ""
        return label, signs, tuple(found) if reader.next is END else ()

    def over(self, what: str) -> Node:
        """Read a sum, a product, a largest or a least one, and what it goes over."""
        if what == "arg ":
            what += BIG.get(self.take(r"\max", r"\min") or "", "")
        if self.next.text in ("(", r"\{"):
            call = Reader(
                [Token("sign", "(", -1, -1), *self.inner(), Token("sign", ")", -1, -1)], self.functions
            )
            return Do(what, call.call(Symbol(what)).arguments)
        letters, bounds, condition = self.binder(self.group()) if self.take("_") else ((), (), None)
        if self.take("^"):
            bounds = (*bounds, self.argument())
        return Over(what, letters, bounds, condition, self.term())

    def inner(self) -> list[Token]:
        """Read the pieces between two brackets."""
        start, depth = self.place, 0
        while depth or self.place == start:
            if self.next is END:
                raise Unreadable("a bracket is not closed")
            depth += (self.next.text in ("(", r"\{")) - (self.next.text in (")", r"\}"))
            self.place += 1
        return self.pieces[start + 1 : self.place - 1]

    def binder(self, pieces: list[Token]) -> tuple[tuple[str, ...], tuple[Node, ...], Chain | None]:
        """Read what stands below a sum: letters, with a first value or a condition."""
        first, *rest = split(pieces, (":",))
        if rest:
            letter = letter_of(Reader(first).whole().sides[0])
            return (letter,), (), Reader(rest[0], self.functions).whole()
        heads = [Reader(part, self.functions).whole() for part in split(pieces, (",",))]
        letters = tuple(letter_of(head.sides[0]) for head in heads)
        if heads[0].relations == ("=",):
            return letters, (heads[0].sides[1],), None
        if heads[0].relations not in ((), ("∈",)) and getattr(heads[0].sides[0], "indices", ()):
            letters = (letter_of(heads[0].sides[0].indices[-1]),)  # over i, where it says x_i ≤ s
        return letters, (), heads[0] if heads[0].relations else None

    def call(self, symbol: Symbol) -> Call:
        """Read arguments and the signs between them."""
        self.need("(")
        self.inside.append("call")
        arguments, signs = [self.sum()], "."
        while sign := self.take(",", ";", "=", *BARS):
            arguments.append(self.sum())
            signs += ("|" if sign in BARS else sign) + "."
        self.inside.pop()
        self.need(")")
        return Call(symbol, signs, tuple(arguments))
