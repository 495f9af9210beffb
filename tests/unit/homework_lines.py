"""Reads a printed line of a computation and evaluates it, by nothing but what is printed."""

from __future__ import annotations

import math
import re
from fractions import Fraction

from dtlib.homework.printed import Step

SIGNS = {"·": "*", "^2": "**2"}


def evaluated(part: str, known: dict[str, float]) -> float:
    """Evaluate a part of a line between two equals signs; names stand for known numbers.

    Examples
    --------
    >>> evaluated("-(1/2) log2(1/2) - (1/2) log2(1/2)", {}), evaluated("H(D) - 0.5", {"H(D)": 2.0})
    (1.0, 1.5)
    """
    for name in sorted(known, key=len, reverse=True):
        part = part.replace(name, f"({known[name]!r})")
    for sign, python in SIGNS.items():
        part = part.replace(sign, python)
    part = re.sub(r"\) (?=[(l\d])", ") * ", part)
    assert re.fullmatch(r"[\d.()+\-*/ abelogsqrt]+", part), part
    return float(eval(part, {"__builtins__": {}}, {"log2": math.log2, "sqrt": math.sqrt, "abs": abs}))


def parts_of(step: Step) -> list[str]:
    """Return what stands between the equals signs of a line, its end last."""
    assert str(step).startswith(f"{step.name} = ")
    return re.split(r"\s+= ", str(step).removeprefix(f"{step.name} = "))


def is_true(step: Step, known: dict[str, float]) -> bool:
    """Tell whether every part of a line is its result, to half a unit of the last digit printed."""
    *parts, result = parts_of(step)
    half = Fraction(1, 2) / 10 ** len(result.partition(".")[2])
    found = [evaluated(part, known) for part in parts] + [step.value]
    return all(abs(x - float(result)) <= float(half) * (1 + 1e-6) + 1e-12 for x in found)


def without_tex(said: str) -> str:
    """Write LaTeX as the text has it."""
    said = re.sub(r"\\tfrac\{(\d[\d.]*)\}\{(\d[\d.]*)\}", r"(\1/\2)", said)
    said = said.replace("((", "(").replace("))", ")") if "((" in said else said
    said = re.sub(r"\\left\((.*?)\\right\)\^2", r"(\1)^2", said)
    said = re.sub(r"\(\((\d+)/(\d+)\)\)\^2", r"(\1/\2)^2", said)
    said = re.sub(r"\\frac\{(.*)\}\{(.*)\}", r"(\1) / (\2)", said)
    said = re.sub(r"\\log_2 (\d+)", r"log2(\1)", said)
    return said.replace(r"\log_2 ", "log2").replace(r"\cdot", "·")
