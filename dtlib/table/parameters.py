"""What a parameter may be, said before anything is read."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral, Real
from typing import Any

import numpy as np


def check_number(
    name: str, value: Any, low: float, whole: bool = False, above: bool = False, high: float = np.inf
) -> None:
    """Say that a parameter is no number, or out of its range.

    Examples
    --------
    >>> check_number("max_depth", -1, 0, whole=True)
    Traceback (most recent call last):
    ValueError: max_depth is -1; wanted a whole number of at least 0
    """
    ok = isinstance(value, Integral if whole else Real) and not isinstance(value, bool)
    if not (ok and (value > low if above else value >= low) and value <= high and value < np.inf):
        kind, start = "a whole number" if whole else "a number", "above" if above else "of at least"
        limit = "" if high == np.inf else f" and at most {high}"
        raise ValueError(f"{name} is {value!r}; wanted {kind} {start} {low}{limit}")


def check_choice(name: str, value: Any, choices: Sequence[Any]) -> None:
    """Say that a parameter is none of its choices."""
    value = bool(value) if isinstance(value, np.bool_) else value
    if not any(value is choice or (isinstance(value, str) and value == choice) for choice in choices):
        raise ValueError(f"{name} is {value!r}; wanted one of {', '.join(map(repr, choices))}")
