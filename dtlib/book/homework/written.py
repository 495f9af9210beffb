"""Numbers as they are written down by hand: read to the decimals that they have.

Examples
--------
>>> read_written("H(D)", "0.970").half
Fraction(1, 2000)
"""

from decimal import Decimal, InvalidOperation
from fractions import Fraction
from numbers import Integral, Rational, Real
from typing import Any, NamedTuple

from dtlib.book.homework.expressions import Exact, decimal_of, to_digits

MOST_FIGURES = 12
EXACT_BELOW, EXACT_DIGITS = 10, 3  # a number below, without decimals, is taken to be exact to so many
MOST_SIGNS = 60  # of a number as text; a double has at most 24
MOST_TENS = 308  # powers of ten by which a number is larger or smaller than 1; those of a double


class Written(NamedTuple):
    """A number as it was written down, and to how many decimals."""

    text: str
    number: Fraction
    digits: int

    @property
    def half(self) -> Fraction:
        """Half a unit of the last decimal."""
        return Fraction(1, 2) / Fraction(10) ** self.digits

    def fits(self, x: Exact, more: Fraction = Fraction(0)) -> bool:
        """Tell whether a number may have been written down so; what is halfway, in both ways."""
        slack = decimal_of(self.half + more) * Decimal("1.000000001")
        return abs(decimal_of(x) - decimal_of(self.number)) <= slack

    def is_cut(self, x: Exact) -> bool:
        """Tell whether a number gives this if it is cut off."""
        return decimal_of(self.number) == to_digits(x, self.digits, cut=True)


def read_written(name: str, given: Any) -> Written:
    """Read a number as it was written, or say what is wrong with it.

    Examples
    --------
    >>> read_written("H(D)", "0.970")
    Written(text='0.970', number=Fraction(97, 100), digits=3)
    >>> read_written("H(D)", "1/3").digits, read_written("H(D)", 1).digits, read_written("S(D)", 27).digits
    (12, 3, 0)
    """
    text = as_text(name, given)
    if "/" in text:
        over, _, under = (part.strip() for part in text.partition("/"))
        if over.removeprefix("-").isdecimal() and under.isdecimal() and int(under):
            return Written(text, Fraction(int(over), int(under)), MOST_FIGURES)
    try:
        number = Decimal("nan" if "_" in text else text)
    except InvalidOperation:
        number = Decimal("nan")
    if not number.is_finite():
        raise ValueError(f"answer[{name!r}] is {given!r}; wanted a number, as in '0.971' or '4/9'")
    exponent = number.as_tuple().exponent
    assert isinstance(exponent, int)
    if max(number.adjusted(), abs(exponent) - MOST_SIGNS) > MOST_TENS:
        raise ValueError(f"answer[{name!r}] is {given!r}; wanted a number that can be written without powers")
    digits = max(0, -exponent)
    if not isinstance(given, str) and number == number.to_integral_value():
        digits = 0  # 1.0 is what Python makes of 1
    digits = min(digits, MOST_FIGURES - max(0, number.adjusted()))  # a float has no more
    is_exact = digits == 0 and abs(number) < EXACT_BELOW
    return Written(text, Fraction(number), EXACT_DIGITS if is_exact else digits)


def as_text(name: str, given: Any) -> str:
    """Return a number as text, or refuse what is no number or longer than anybody writes.

    Examples
    --------
    >>> as_text("H(D)", " 4/9 "), as_text("H(D)", -1), as_text("H(D)", 0.25)
    ('4/9', '-1', '0.25')
    """
    if isinstance(given, bool) or not isinstance(given, str | Real | Decimal):
        raise TypeError(f"answer[{name!r}] is {given!r}; wanted a number, or a string as printed")
    is_long = isinstance(given, Rational) and max(abs(given.numerator), given.denominator) >= 10**MOST_SIGNS
    text = "" if is_long else str(int(given)) if isinstance(given, Integral) else str(given).strip()
    if is_long or len(text) > MOST_SIGNS:
        raise ValueError(f"answer[{name!r}] is longer than {MOST_SIGNS} signs; wanted a number as printed")
    return text.replace("−", "-")
