"""Kinds of test at an inner node: each knows its branches and says itself in words (chapters 1 and 4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dtlib.words import say


@dataclass(frozen=True)
class Multiway:
    """One branch for every value of a nominal feature (Quinlan, 1986).

    Parameters
    ----------
    feature : str
        The name of the feature.
    values : tuple
        Its values; branch i is taken by the rows whose value is ``values[i]``.

    Examples
    --------
    >>> split = Multiway("color", ("green", "dark", "pale"))
    >>> print(split, split.conditions)
    color? ('color = green', 'color = dark', 'color = pale')
    """

    feature: str
    values: tuple[Any, ...]

    @property
    def branches(self) -> tuple[str, ...]:
        """The label of each branch."""
        return tuple(str(value) for value in self.values)

    @property
    def conditions(self) -> tuple[str, ...]:
        """What a row must fulfil to take each branch."""
        return tuple(f"{self.feature} = {branch}" for branch in self.branches)

    def __str__(self) -> str:
        return say("{feature}?", feature=self.feature)
