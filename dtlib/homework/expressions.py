"""What a line of a worked computation says: an expression that computes itself and prints itself.

Shares stay as they were counted, 6/15 and not 2/5. Whatever is rational stays exact; logarithms have so many
digits that a sum which is 0, or halfway between two printed numbers, is seen to be so.

Examples
--------
>>> half = Share(Fraction(1), Fraction(2))
>>> H = Total(((-1, Times((half, Log2(half)))), (-1, Times((half, Log2(half))))))
>>> H.said(TEXT), H.value(Reckoning())
('-(1/2) log2(1/2) - (1/2) log2(1/2)', Fraction(1, 1))
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import ROUND_DOWN, ROUND_HALF_UP, Context, Decimal
from fractions import Fraction
from functools import cache
from math import isqrt

Exact = Fraction | Decimal
EXACTLY = Context(prec=60)
SETTLED = Decimal("1e-40")  # what differs by less is the same
UNITY = Fraction(1)


def decimal_of(x: Exact) -> Decimal:
    """Return a number with 60 digits."""
    if isinstance(x, Decimal):
        return x
    return EXACTLY.divide(Decimal(x.numerator), Decimal(x.denominator))


def to_digits(x: Exact, digits: int, cut: bool = False) -> Decimal:
    """Return a number rounded to so many decimals, halves away from 0; or cut off there.

    Examples
    --------
    >>> to_digits(Fraction(1, 16), 3), to_digits(Fraction(1, 16), 3, cut=True)
    (Decimal('0.063'), Decimal('0.062'))
    """
    settled = decimal_of(x).quantize(SETTLED, context=EXACTLY)
    way = ROUND_DOWN if cut else ROUND_HALF_UP
    found = settled.quantize(Decimal(1).scaleb(-digits), rounding=way, context=EXACTLY)
    return found.copy_abs() if found.is_zero() else found


def plain_number(x: Exact, digits: int = 12) -> str:
    """Write a number as a person would: whole or decimal if it ends, else rounded.

    Examples
    --------
    >>> plain_number(Fraction(5)), plain_number(Fraction(9, 2)), plain_number(Fraction(1, 3), 4)
    ('5', '4.5', '0.3333')
    """
    if isinstance(x, Fraction) and x.denominator == 1:
        return str(x.numerator)
    short = to_digits(x, digits)
    return f"{short.normalize(EXACTLY):f}" if short == decimal_of(x) else f"{short:f}"


def plus(a: Exact, b: Exact) -> Exact:
    """Return a sum, exact if both are; what is nearly 0 is 0."""
    found: Exact
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        found = a + b
    else:
        found = EXACTLY.add(decimal_of(a), decimal_of(b))
    return Fraction(0) if abs(decimal_of(found)) < SETTLED else found


def product_of(a: Exact, b: Exact) -> Exact:
    """Return a product, exact if both are."""
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return a * b
    return EXACTLY.multiply(decimal_of(a), decimal_of(b))


def divided_by(a: Exact, b: Exact) -> Exact:
    """Return a quotient, exact if both are."""
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return a / b
    return EXACTLY.divide(decimal_of(a), decimal_of(b))


@cache
def log2_of(x: Fraction) -> Exact:
    """Return the logarithm to base 2, exact for a power of 2."""
    a, b = x.numerator, x.denominator
    if a & (a - 1) == 0 and b & (b - 1) == 0:
        return Fraction(a.bit_length() - b.bit_length())
    return EXACTLY.divide(EXACTLY.ln(decimal_of(x)), EXACTLY.ln(Decimal(2)))


def root_of(x: Exact) -> Exact:
    """Return the square root, exact for a square of a fraction; a wrong sign is lost on the way.

    Examples
    --------
    >>> root_of(Fraction(4, 9)), root_of(Fraction(0)), root_of(Fraction(-4))
    (Fraction(2, 3), Fraction(0, 1), Fraction(2, 1))
    """
    x = x if x >= 0 else product_of(Fraction(-1), x)
    if isinstance(x, Fraction):
        root = Fraction(isqrt(x.numerator), isqrt(x.denominator))
        if root * root == x:
            return root
    return EXACTLY.sqrt(decimal_of(x))


def base_factor(base: Exact | None) -> Exact:
    """Return what a logarithm to base 2 is multiplied by to be one to another base, or to that of nature."""
    if base is None:
        return EXACTLY.ln(Decimal(2))
    return EXACTLY.divide(EXACTLY.ln(Decimal(2)), EXACTLY.ln(decimal_of(base)))


@dataclass(frozen=True)
class Reckoning:
    """How to compute: what is known, what is rounded on the way, and what a logarithm is multiplied by."""

    known: Mapping[str, Exact] = field(default_factory=dict)
    digits: Mapping[str, int] = field(default_factory=dict)  # of a "share", "log", "term" or "known" number
    factor: Exact = UNITY

    def kept(self, what: str, x: Exact) -> Exact:
        """Return what is kept of a number on the way."""
        return Fraction(to_digits(x, self.digits[what])) if what in self.digits else x


@dataclass(frozen=True)
class Style:
    """How expressions are written: as plain text or in LaTeX; and what is put in for names."""

    is_tex: bool = False
    known: Mapping[str, str] = field(default_factory=dict)


TEXT, TEX = Style(), Style(is_tex=True)


@dataclass(frozen=True)
class Given:
    """A number as it stands in the table."""

    number: Fraction

    def value(self, how: Reckoning) -> Exact:
        """Return the number."""
        return self.number

    def said(self, style: Style) -> str:
        """Write the number, a negative one in brackets."""
        said = plain_number(self.number)
        return f"({said})" if self.number < 0 else said


@dataclass(frozen=True)
class Share:
    """A part of a whole, as counted."""

    part: Fraction
    whole: Fraction

    def value(self, how: Reckoning) -> Exact:
        """Return the share."""
        return how.kept("share", self.part / self.whole)

    def said(self, style: Style) -> str:
        """Write part and whole."""
        part, whole = plain_number(self.part), plain_number(self.whole)
        return rf"\tfrac{{{part}}}{{{whole}}}" if style.is_tex else f"({part}/{whole})"


@dataclass(frozen=True)
class Before:
    """A quantity that was computed before, by its name."""

    name: str
    tex: str

    def value(self, how: Reckoning) -> Exact:
        """Return what is known of it."""
        return how.kept("known", how.known[self.name])

    def said(self, style: Style) -> str:
        """Write its name, or what is put in for it."""
        return style.known.get(self.name, self.tex if style.is_tex else self.name)


@dataclass(frozen=True)
class Log2:
    """The logarithm of a share, to base 2."""

    of: Share | Given

    def value(self, how: Reckoning) -> Exact:
        """Return the logarithm."""
        share = self.of.value(how)
        found = log2_of(share if isinstance(share, Fraction) else Fraction(share)) if share else Fraction(0)
        return how.kept("log", product_of(found, how.factor))

    def said(self, style: Style) -> str:
        """Write the logarithm."""
        said = self.of.said(style)
        if style.is_tex:
            return rf"\log_2 {said}"
        return f"log2{said}" if said.startswith("(") else f"log2({said})"


@dataclass(frozen=True)
class Squared:
    """The square of a number, or of a difference."""

    of: "Expression"

    def value(self, how: Reckoning) -> Exact:
        """Return the square."""
        found = self.of.value(how)
        return product_of(found, found)

    def said(self, style: Style) -> str:
        """Write the square."""
        said = self.of.said(style)
        if style.is_tex:
            return rf"\left({said}\right)^2"
        return f"{said}^2" if isinstance(self.of, Share) else f"({said})^2"


@dataclass(frozen=True)
class Root:
    """The square root of a number that is not negative."""

    of: "Expression"

    def value(self, how: Reckoning) -> Exact:
        """Return the root."""
        return root_of(self.of.value(how))

    def said(self, style: Style) -> str:
        """Write the root."""
        said = self.of.said(style)
        return rf"\sqrt{{{said}}}" if style.is_tex else f"sqrt({said})"


@dataclass(frozen=True)
class Distance:
    """How far a difference is from 0."""

    of: "Expression"

    def value(self, how: Reckoning) -> Exact:
        """Return the distance."""
        found = self.of.value(how)
        return product_of(Fraction(-1), found) if found < 0 else found

    def said(self, style: Style) -> str:
        """Write the distance."""
        said = self.of.said(style)
        return rf"\left|{said}\right|" if style.is_tex else f"abs({said})"


@dataclass(frozen=True)
class Times:
    """A product."""

    factors: "tuple[Expression, ...]"

    def value(self, how: Reckoning) -> Exact:
        """Return the product."""
        found: Exact = UNITY
        for factor in self.factors:
            found = product_of(found, factor.value(how))
        return found

    def said(self, style: Style) -> str:
        """Write the factors one after the other, with a dot before a number."""
        said = [factor.said(style) for factor in self.factors]
        dot = r" \cdot " if style.is_tex else " · "
        return said[0] + "".join(
            (dot if part[0].isdigit() or part[0] in "(-" else " ") + part for part in said[1:]
        )


@dataclass(frozen=True)
class Total:
    """A sum of terms, each with its sign."""

    terms: "tuple[tuple[int, Expression], ...]"

    def values(self, how: Reckoning) -> list[Exact]:
        """Return the terms, signs included."""
        return [product_of(Fraction(sign), how.kept("term", term.value(how))) for sign, term in self.terms]

    def value(self, how: Reckoning) -> Exact:
        """Return the sum."""
        found: Exact = Fraction(0)
        for term in self.values(how):
            found = plus(found, term)
        return found

    def said(self, style: Style) -> str:
        """Write the sum."""
        return signed_sum([(sign, term.said(style)) for sign, term in self.terms])


@dataclass(frozen=True)
class Quotient:
    """One number by another, which is not 0."""

    over: "Expression"
    under: "Expression"

    def value(self, how: Reckoning) -> Exact:
        """Return the quotient, 0 if both are rounded to 0."""
        under = self.under.value(how)
        return divided_by(self.over.value(how), under) if under else Fraction(0)

    def said(self, style: Style) -> str:
        """Write the quotient."""
        over, under = self.over.said(style), self.under.said(style)
        if style.is_tex:
            return rf"\frac{{{over}}}{{{under}}}"
        return f"{in_brackets(over, self.over)} / {in_brackets(under, self.under)}"


Expression = Given | Share | Before | Log2 | Squared | Root | Distance | Times | Total | Quotient


def in_brackets(said: str, what: Expression) -> str:
    """Write a sum of several terms in brackets."""
    return f"({said})" if isinstance(what, Total) and len(what.terms) > 1 else said


def signed_sum(terms: list[tuple[int, str]]) -> str:
    """Write terms with their signs.

    Examples
    --------
    >>> signed_sum([(-1, "a"), (1, "b"), (-1, "c")])
    '-a + b - c'
    """
    first = ("-" if terms[0][0] < 0 else "") + terms[0][1]
    return first + "".join(f" {'-' if sign < 0 else '+'} {said}" for sign, said in terms[1:])


def names_in(what: Expression) -> Iterator[str]:
    """Yield the names of the quantities that an expression needs.

    Examples
    --------
    >>> list(names_in(Quotient(Before("gain(A)", "g"), Given(Fraction(2)))))
    ['gain(A)']
    """
    if isinstance(what, Before):
        yield what.name
    elif isinstance(what, Times):
        for factor in what.factors:
            yield from names_in(factor)
    elif isinstance(what, Total):
        for _, term in what.terms:
            yield from names_in(term)
    elif isinstance(what, Quotient):
        yield from names_in(what.over)
        yield from names_in(what.under)
    elif isinstance(what, Squared | Root | Distance):
        yield from names_in(what.of)
