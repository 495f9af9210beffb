"""Numbers as they are written down by hand, read to the decimals that they have; and how they are called.

Examples
--------
>>> read_written("H(D)", "0.970").half
Fraction(1, 2000)
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from difflib import get_close_matches
from fractions import Fraction
from numbers import Integral, Rational, Real
from typing import Any, NamedTuple
from unicodedata import normalize

from dtlib.homework.expressions import Exact, decimal_of, to_digits

MOST_FIGURES = 12
EXACT_BELOW, EXACT_DIGITS = 10, 3  # a number below, without decimals, is taken to be exact to so many
MOST_SIGNS = 60  # of a number as text; a double has at most 24
MOST_TENS = 308  # powers of ten by which a number is larger or smaller than 1; those of a double
#: What quantities are called elsewhere, as `loosely` writes it, and how here.
OTHER_WORDS = {
    "g": "gain",
    "ig": "gain",
    "infogain": "gain",
    "informationgain": "gain",
    "gr": "gainratio",
    "splitinfo": "splitinformation",
    "sdr": "gain",
    "standarddeviationreduction": "gain",
    "variancereduction": "gain",
    "decrease": "gain",
    "impuritydecrease": "gain",
    "reduction": "gain",
    "ginigain": "gain",
    "ratio": "gainratio",
    "igr": "gainratio",
    "informationgainratio": "gainratio",
    "iv": "splitinformation",
    "intrinsicvalue": "splitinformation",
    "entropy": "h",
    "ent": "h",
    "info": "h",
    "giniindex": "gini",
    "giniimpurity": "gini",
    "error": "err",
    "misclassification": "err",
    "standarddeviation": "sd",
    "std": "sd",
    "variance": "var",
    "sse": "s",
    "absoluteerror": "ae",
    "average": "mean",
}
OF_D = {"gain", "gainratio", "splitinformation"}  # D is not named, but may be


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
    text = number_text(name, given)
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


def number_text(name: str, given: Any) -> str:
    """Return a number as text, or refuse what is no number or longer than anybody writes.

    Examples
    --------
    >>> number_text("H(D)", " 4/9 "), number_text("H(D)", -1), number_text("H(D)", 0.25)
    ('4/9', '-1', '0.25')
    """
    if isinstance(given, bool) or not isinstance(given, str | Real | Decimal):
        raise TypeError(f"answer[{name!r}] is {given!r}; wanted a number, or a string as printed")
    is_long = isinstance(given, Rational) and any(
        abs(int(part)) >= 10**MOST_SIGNS for part in (given.numerator, given.denominator)
    )
    text = "" if is_long else str(int(given)) if isinstance(given, Integral) else str(given).strip()
    if is_long or len(text) > MOST_SIGNS:
        raise ValueError(f"answer[{name!r}] is longer than {MOST_SIGNS} signs; wanted a number as printed")
    return text.replace("−", "-")


class NamesByHand:
    """What names stand for: as they are written, or else as the only one that can be meant.

    Parameters
    ----------
    names : sequence of str
        What there is.
    others : sequence of (str, str)
        What it is called besides, and which of the names that means.

    Examples
    --------
    >>> names = NamesByHand(["gain(age)", "H(D|a)", "H(D|A)", "H(D|A )"])
    >>> names.get("IG(D, Age)"), names.get("H( D|a )"), names.get("H(D|A )"), names.get("H(D| A)")
    ('gain(age)', 'H(D|a)', 'H(D|A )', None)
    """

    def __init__(self, names: Sequence[str], others: Sequence[tuple[str, str]] = ()) -> None:
        pairs = [*((name, name) for name in names), *(pair for pair in others if pair[0] not in names)]
        self.forms = [(form, meanings(form, pairs)) for form in (str, as_key, loosely)]

    def get(self, name: str) -> str | None:
        """Return what a name stands for; None if it is unknown, or may be several."""
        found = (meant.get(form(name), set[str]()) for form, meant in self.forms)
        return next((next(iter(one)) for one in found if len(one) == 1), None)


def meanings(form: Callable[[str], str], pairs: Sequence[tuple[str, str]]) -> dict[str, set[str]]:
    """Return all that names may mean, by a form of the names.

    Examples
    --------
    >>> found = meanings(str.lower, [("H", "H"), ("h", "h"), ("IG", "gain")])
    >>> sorted(found["h"]), found["ig"]
    (['H', 'h'], {'gain'})
    """
    found = defaultdict[str, set[str]](set)
    for name, meant in pairs:
        found[form(name)].add(meant)
    return dict(found)


def as_key(name: str) -> str:
    """Write a name without what does not count: spaces, how an inequality is typed, how an accent is stored.

    Examples
    --------
    >>> as_key(" x <= 1 "), as_key("e\\u0301") == as_key("\\u00e9")
    ('x≤1', True)
    """
    return normalize("NFC", "".join(name.replace("<=", "≤").replace(">=", "≥").split()))


def loosely(name: str) -> str:
    """Write a name without capitals or wide letters, and as here what is called otherwise elsewhere.

    Examples
    --------
    >>> loosely("Gain(D, Age)"), loosely("Information gain(age)"), loosely("Entropy(D)"), loosely("IG")
    ('gain(age)', 'gain(age)', 'h(d)', 'ig')
    >>> loosely("Gain_ratio(age)"), loosely("decrease(age)"), loosely("Info_age(D)")
    ('gainratio(age)', 'gain(age)', 'info_age(d)')
    """
    word, bracket, inside = as_key(normalize("NFKC", name).casefold()).partition("(")
    word = (
        OTHER_WORDS.get(plain := word.replace("_", ""), plain if plain in OF_D else word) if bracket else word
    )
    return word + bracket + (inside.removeprefix("d,") if word in OF_D else inside)


def unknown(key: object, names: Mapping[str, None]) -> str:
    """Say that there is no quantity of a name, and which is nearest."""
    near = get_close_matches(str(key), list(names), n=3, cutoff=0.4)
    ways = f"nearest: {', '.join(near)}" if near else f"the first: {', '.join(list(names)[:5])}"
    return f"answer has {key!r}, which is not computed here; {ways}. worked(...).names lists all"
