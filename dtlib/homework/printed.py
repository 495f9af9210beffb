"""A quantity as a line: its formula, the numbers put in, and as many digits as the line needs to be right.

Examples
--------
>>> from dtlib.homework.quantities import At, impurity_of
>>> Q = impurity_of("gini", At("D", 0), "", (Fraction(6), Fraction(9)), ("no", "yes"))
>>> print(step_of(Computation.of([Q]), Q, 3))
Gini(D) = 1 - (6/15)^2 - (9/15)^2 = 12/25 = 0.480
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction

from dtlib.homework.expressions import (
    TEX,
    TEXT,
    Before,
    Exact,
    Reckoning,
    Style,
    Total,
    decimal_of,
    plain_number,
    product_of,
    signed_sum,
    to_digits,
)
from dtlib.homework.quantities import IN_UNITS, SPREADS, Computation, Quantity

LONGEST = 100  # letters of a line before it is broken
LARGEST_UNDER = 9999  # a fraction with more under its line is not written
MOST_DIGITS = 30


@dataclass(frozen=True)
class Step:
    """A line of the computation: one quantity, and how it comes about.

    Attributes
    ----------
    name : str
        The name of the quantity, such as "gain(age)"; a key of the answers that `check_answer` reads.
    node : int
        The node of the tree to which it belongs.
    formula : str
        What it is made of: counted shares, and the names of quantities before it.
    numbers : str
        The same with numbers put in, and the sum of its terms; what is written is as exact as it takes for
        the line to be right to its last digit. Empty if there is nothing to put in.
    fraction : Fraction or None
        Its exact value, if that is rational.
    value : float
        Its value: bits for entropies, gains and split information, no unit for the Gini index, the
        classification error and the gain ratio, units of the target and their squares for regression.
    result : str
        The value as printed.
    shown : str
        The fraction as printed, if it is short and not whole.
    tex : str
        The line in LaTeX, its parts separated by ``&=`` and ``\\\\``.

    Examples
    --------
    >>> from dtlib.datasets import load_customers
    >>> from dtlib.homework import worked
    >>> step = worked(load_customers().frame, "class", method="cart").step("Gini(D)")
    >>> step.fraction, step.value, step.result
    (Fraction(1, 2), 0.5, '0.500')
    """

    name: str
    node: int
    formula: str
    numbers: str
    fraction: Fraction | None
    value: float
    result: str
    shown: str = field(repr=False)
    tex: str = field(repr=False)

    def __str__(self) -> str:
        parts = [part for part in (self.formula, *self.numbers.split(" = "), self.shown, self.result) if part]
        line = " = ".join([self.name, *parts])
        return line if len(line) <= LONGEST else f"{self.name} = " + "\n    = ".join(parts)


def step_of(computation: Computation, Q: Quantity, digits: int) -> Step:
    """Return the line of a quantity with a result of so many decimals."""
    exact = computation.values[Q.name]
    fraction = exact if isinstance(exact, Fraction) else None
    result = f"{to_digits(exact, digits):f}"
    shown = f"{fraction}" if is_telling(Q, fraction) else ""
    rows = []
    for style in (TEXT, TEX):
        formula = Q.expression.said(style)
        put = numbers_put_in(computation, Q, digits, style)
        terms = terms_of(computation, Q, digits) if not shown else ""
        rows.append([formula, *(part for part in (put, terms) if part and part != formula)])
    text, tex = rows
    numbers = " = ".join(text[1:])
    line = " &= ".join([Q.tex, r" \\ &= ".join([*tex, *filter(None, [tex_fraction(shown), result])])])
    value = float(decimal_of(exact))
    return Step(Q.name, Q.at.node, text[0], numbers, fraction, value, result, shown, line)


def is_telling(Q: Quantity, fraction: Fraction | None) -> bool:
    """Tell whether the exact fraction of a quantity is written."""
    if fraction is None or Q.kind in IN_UNITS:
        return False
    return 1 < fraction.denominator <= LARGEST_UNDER


def tex_fraction(shown: str) -> str:
    """Write a fraction in LaTeX."""
    return re.sub(r"(\d+)/(\d+)", r"\\tfrac{\1}{\2}", shown)


def holds(x: Exact, result: Exact, digits: int) -> bool:
    """Tell whether what a line says is its result, to half a unit of the last digit."""
    half = Decimal(1).scaleb(-digits) / 2
    return abs(decimal_of(x) - decimal_of(result)) <= half + half.scaleb(-9)


def numbers_put_in(computation: Computation, Q: Quantity, digits: int, style: Style) -> str:
    """Return the expression with numbers for names, as exact as the result needs; nothing if no names."""
    if not Q.inputs or isinstance(Q.expression, Before):
        return ""
    result, is_counted = to_digits(computation.values[Q.name], digits), Q.kind not in IN_UNITS
    for more in range(digits + 2, MOST_DIGITS):
        texts = {name: put_in(computation.values[name], more, is_counted) for name in Q.inputs}
        numbers = {name: Fraction(text.strip("()")) for name, text in texts.items()}
        if holds(Q.expression.value(Reckoning(numbers)), result, digits):
            break
    if style.is_tex:
        texts = {name: tex_fraction(text) for name, text in texts.items()}
    return Q.expression.said(Style(style.is_tex, texts))


def put_in(x: Exact, digits: int, is_counted: bool) -> str:
    """Write a number that is put in: as it ends, as a fraction of counts, or rounded."""
    said = f"{to_digits(x, digits):f}"
    if isinstance(x, Fraction) and Fraction(said) == x:
        said = plain_number(x)
    elif is_counted and isinstance(x, Fraction) and x.denominator <= LARGEST_UNDER:
        said = f"({x})"
    return f"({said})" if said.startswith("-") else said


def terms_of(computation: Computation, Q: Quantity, digits: int) -> str:
    """Return the terms of a sum of several, computed; nothing if they already stand there."""
    what = Q.expression
    if not isinstance(what, Total) or len(what.terms) < 2 or Q.kind not in TERMS_SHOWN:
        return ""
    exact, result = what.values(Reckoning(computation.values)), to_digits(computation.values[Q.name], digits)
    for more in range(digits + 2, MOST_DIGITS):
        terms = [to_digits(x, more) for x in exact]
        if holds(sum(map(Fraction, terms), Fraction(0)), result, digits):
            break
    signs = [-1 if x < 0 else 1 for x in exact]
    sizes = [put_in(product_of(Fraction(s), x), more, False) for s, x in zip(signs, exact, strict=True)]
    return signed_sum(list(zip(signs, sizes, strict=True)))


TERMS_SHOWN = {"entropy", "split information", "branches of entropy", "squares", "distances"}
TERMS_SHOWN |= {f"branches of {spread}" for spread in SPREADS}


def display(steps: Iterable[Step]) -> str:
    """Return lines as one display in LaTeX.

    Examples
    --------
    >>> print(display([]))
    $$
    \\begin{aligned}
    <BLANKLINE>
    \\end{aligned}
    $$
    """
    lines = " \\\\\n".join(step.tex for step in steps)
    return f"$$\n\\begin{{aligned}}\n{lines}\n\\end{{aligned}}\n$$"
