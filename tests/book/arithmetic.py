r"""Equations between numbers must hold: ``$0.971 - 0.888 = 0.083$``, to the digits written.

A side of an equation counts if it is made of numbers, fractions, ``\log_2``, ``\ln``, signs and brackets.
Each decimal may be off by half a unit of its last place, as rounded numbers are; inside a longer expression
by no more than 0.0005, for there a short decimal is meant exactly.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from itertools import pairwise

MATH = re.compile(r"\$\$(.+?)\$\$|\$([^$\n]+)\$", re.DOTALL)
DROPPED = re.compile(r"\\(?:text|tag|begin|end)\{[^}]*\}|\\[,;!:]|\\left|\\right|\{\}|^[>\s]+", re.MULTILINE)
DECIMAL = re.compile(r"\d+\.\d+")
EXPRESSION = re.compile(r"[-+*/(). \dLE]+")
TO_PYTHON = (
    (re.compile(r"\\[dt]?frac\s*(?=[{\d])"), r"\\frac"),
    (re.compile(r"\\frac(\d)"), r"\\frac{\1}"),
    (re.compile(r"(\\frac\{[^{}]*\})\s*(\d)"), r"\1{\2}"),
    (re.compile(r"\\frac\{([^{}]*)\}\s*\{([^{}]*)\}"), r"((\1)/(\2))"),
    (re.compile(r"\\cdot|\\times"), "*"),
    (re.compile(r"\\log_2\s*(\d[\d.]*)"), r"L(\1)"),
    (re.compile(r"\\ln\s*(\d[\d.]*)"), r"E(\1)"),
    (re.compile(r"\\log_2\s*(?=\()"), "L"),
    (re.compile(r"\\ln\s*(?=\()"), "E"),
    (re.compile(r"\s+"), " "),
    (re.compile(r"(?<=[\d)]) ?(?=[LE(])|(?<=\)) ?(?=\d)"), "*"),
)


def wrong_equations(markdown: str) -> list[str]:
    """List the equations between numbers that do not hold.

    Examples
    --------
    >>> wrong_equations(r"$H = \\frac{1}{3} + 0.5 = 0.833$ and $1 - 0.25 = 0.57$")
    ['1 - 0.25 = 0.75 is not 0.57']
    """
    found = []
    for m in MATH.finditer(markdown):
        for statement in statements(m[1] or m[2]):
            sides = [side for text in re.split(r"=|\\approx", statement) if (side := expression(text))]
            found += [f"{a} = {value(a):.6g} is not {b}" for a, b in pairwise(sides) if not equal(a, b)]
    return found


def statements(tex: str) -> Iterator[str]:
    """Yield the equations of a formula: its rows, where a row that goes on belongs to the one before."""
    rows: list[str] = []
    for row in DROPPED.sub(" ", tex).replace("&", " ").split(r"\\"):
        row = re.sub(r"^(?:\s|\\q?quad\b)*", "", row)
        if rows and re.match(r"[=+-]|\\approx|\\cdot", row):
            rows[-1] += " " + row
        else:
            rows.append(row)
    for row in rows:
        yield from re.split(r"\\q?quad\b|,(?=\s)|;", row)


def expression(tex: str) -> str | None:
    r"""Return one side of an equation in Python; None if it is more than numbers.

    Examples
    --------
    >>> expression(r"-\frac{9}{15} \log_2 \frac{9}{15}"), expression(r"H(D)")
    ('-((9)/(15))*L((9)/(15))', None)
    """
    text = tex
    for pattern, python in TO_PYTHON:
        text = pattern.sub(python, text)
    text = text.strip().rstrip(".,").strip()
    if not EXPRESSION.fullmatch(text) or not re.search(r"\d", text):
        return None
    try:
        value(text)
    except (SyntaxError, ArithmeticError, ValueError, TypeError):
        return None
    return text


def value(expression: str) -> float:
    """Compute an expression; it holds numbers, signs, brackets and the logarithms L and E only."""
    return eval(expression, {"__builtins__": {}, "L": math.log2, "E": math.log})


def slack(expression: str) -> float:
    """Return how far rounding can move an expression."""
    alone = DECIMAL.fullmatch(expression.strip("-+ "))
    moved = 0.0
    for m in DECIMAL.finditer(expression):
        half = 0.5 * 10.0 ** -len(m[0].partition(".")[2])
        changed = f"({m[0]}+{half if alone else min(half, 0.0005):.12f})"
        moved += abs(value(expression[: m.start()] + changed + expression[m.end() :]) - value(expression))
    return moved


def equal(a: str, b: str) -> bool:
    """Tell whether two expressions are equal, as far as their decimals go."""
    return abs(value(a) - value(b)) <= slack(a) + slack(b) + 1e-9
