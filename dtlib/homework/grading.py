"""Points for a homework: the share of what was asked that is right, each slip counted once.

Examples
--------
>>> grade_given({"1": "b", "2": ""}, {"1": "b", "2": "c"}, 2)
1 = b is right.
2 is not answered; c is right.
1.0
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pandas as pd

from dtlib.homework.answers import Finding, check_answer
from dtlib.homework.expressions import to_digits
from dtlib.homework.slips import FOLLOWS
from dtlib.homework.written import read_written
from dtlib.messages import say

NEAR = 0.005  # two decimals; of what is larger than 1, that part of it


def grade_answer(
    answer: Mapping[str, Any],
    names: Sequence[str],
    points: float,
    frame: pd.DataFrame,
    target: str,
    *,
    method: Any = "id3",
    depth: int | None = 0,
) -> float:
    """Return the points of an answer that `check_answer` reads, and print what it finds.

    Each name that was asked for earns the same part of the points. It is earned by a right number of two
    decimals or more, and by one that follows from a wrong number before it: that slip has cost its points
    where it was made.

    Parameters
    ----------
    answer : mapping
        Numbers and choices by name, as for `check_answer`; None or "" is no answer.
    names : sequence of str
        What was asked for. What else is in `answer` is not looked at.
    points : float of at least 0
        What is earned if everything is right.
    frame, target, method, depth
        As for `worked`.

    Returns
    -------
    float from 0 to `points`
        Rounded to two decimals.

    Raises
    ------
    TypeError
        If `answer` is no mapping, or as `worked` says.
    ValueError
        If `names` is empty or has one that is not computed here, or as `worked` says.

    Examples
    --------
    >>> from dtlib.datasets import load_loan
    >>> from dtlib.homework import grade_answer
    >>> asked = ["H(D)", "H(D|age)", "gain(age)"]
    >>> given = {"H(D)": "0.918", "H(D|age)": "0.888", "gain(age)": "0.030"}
    >>> grade_answer(given, asked, 3, load_loan().frame, "approved")
    First wrong: H(D) = 0.918, but 0.971 is right: miscounted: no 5, yes 10.
    gain(age) = 0.030, but 0.083 is right: it follows from what was wrong before, H(D) = 0.918.
    2.0
    """
    if not isinstance(answer, Mapping):
        raise TypeError(f"answer is of type {type(answer).__name__}; give a mapping of names to numbers")
    if not names:
        raise ValueError("names is empty; wanted at least one, as in ['H(D)']")
    how = {"method": method, "depth": depth}
    check_answer(dict.fromkeys(names, "leaf") | dict.fromkeys(numbers_of(names), "0"), frame, target, **how)
    read = dict[str, Any]()
    for name in names:
        given = answer.get(name)
        if given is None or given == "":
            print(say("{name} is not answered.", name=name))
            continue
        try:
            check_answer({name: given}, frame, target, **how)
        except (TypeError, ValueError) as error:  # what a student wrote costs its points, and not all
            print(error)
        else:
            read[name] = given
    if not read:
        return 0.0
    found = check_answer(read, frame, target, **how)
    print(found)
    return round(points * sum(map(is_earned, found.findings)) / len(names), 2)


def numbers_of(names: Sequence[str]) -> list[str]:
    """List the names of numbers: all but those of choices.

    Examples
    --------
    >>> numbers_of(["H(D)", "choice", "choice(D1)"])
    ['H(D)']
    """
    return [name for name in names if name.partition("(")[0].strip() != "choice"]


def is_earned(found: Finding) -> bool:
    """Tell whether an answer earns its points.

    Examples
    --------
    >>> is_earned(Finding("H(D)", "0.9", "0.918", 0.9183, "right", ""))  # to one digit only
    False
    """
    if not found.is_right or found.value != found.value:
        return found.is_right or found.slip == FOLLOWS
    return is_near(found.name, found.given, found.value)


def is_near(name: str, given: Any, right: float) -> bool:
    """Tell whether a number is written to two decimals, or as exactly as two decimals are of 1."""
    off = abs(read_written(name, given).number - Fraction(right))
    return float(off) <= NEAR * max(1.0, abs(right))


def grade_given(answer: Mapping[str, Any], right: Mapping[str, Any], points: float) -> float:
    """Return the points of an answer whose right numbers, or letters of a quiz, are known, and print why.

    A number is right if it is the exact one rounded to the digits written, two decimals or more.

    Parameters
    ----------
    answer : mapping
        Numbers, as numbers or as text, or letters, by name; None or "" is no answer.
    right : mapping
        What is right, by name: a number, or text.
    points : float of at least 0
        What is earned if everything is right; each name earns the same part.

    Returns
    -------
    float from 0 to `points`
        Rounded to two decimals.

    Raises
    ------
    TypeError
        If `answer` is no mapping.
    ValueError
        If `right` is empty.

    Examples
    --------
    >>> from dtlib.homework import grade_given
    >>> grade_given({"mean": "2.33", "median": 3}, {"mean": 7 / 3, "median": 2}, 4)
    mean = 2.33 is right.
    median = 3, but 2.000 is right.
    2.0
    """
    if not isinstance(answer, Mapping):
        raise TypeError(f"answer is of type {type(answer).__name__}; give a mapping of names to answers")
    if not right:
        raise ValueError("right is empty; wanted at least one answer")
    earned = 0
    for name, wanted in right.items():
        given = answer.get(name)
        shown = wanted if isinstance(wanted, str) else f"{to_digits(Decimal(float(wanted)), 3):f}"
        if given is None or given == "":
            print(say("{name} is not answered; {right} is right.", name=name, right=shown))
        elif is_right_given(name, given, wanted):
            print(say("{name} = {given} is right.", name=name, given=given))
            earned += 1
        else:
            print(say("{name} = {given}, but {right} is right.", name=name, given=given, right=shown))
    return round(points * earned / len(right), 2)


def is_right_given(name: str, given: Any, wanted: Any) -> bool:
    """Tell whether an answer is the right letter, or the right number to the digits written.

    Examples
    --------
    >>> is_right_given("1", " B ", "b"), is_right_given("x", "1/3", 1 / 3), is_right_given("x", "?", 1 / 3)
    (True, True, False)
    """
    if isinstance(wanted, str):
        return str(given).strip().casefold() == wanted.casefold()
    try:
        written = read_written(name, given)
    except (TypeError, ValueError):  # no number
        return False
    return written.fits(Decimal(float(wanted))) and is_near(name, given, float(wanted))
