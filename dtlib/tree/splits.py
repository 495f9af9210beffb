"""Kinds of test at an inner node: each knows its branches and says itself in words (chapters 1, 4, 9, 15)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from dtlib.messages import say
from dtlib.numbers import format_number
from dtlib.table.columns import Feature

__all__ = ["Hyperplane", "Multiway", "Subset", "Threshold"]

LARGEST_SINGLE = 2.0**128 - 2.0**104  # of float32: every number is up to it, what is missing is not
BEYOND = {"≤": ">", "<": "≥"}  # what the other branch says
NameGroups = tuple[tuple[Any, ...], ...]


def after(x: float) -> float:
    """Return the float next above a number."""
    return math.nextafter(x, math.inf)


def say_limit(
    threshold: float,
    strict: bool = False,
    low: float = -math.inf,
    high: float = math.inf,
    number: str = "",
) -> str:
    """Say up to where the first branch of a threshold goes.

    Parameters
    ----------
    threshold : float
    strict : bool
        Whether it is the float next below the number that is meant, which takes the other branch.
    low, high : float
        The values beside it.
    number : str
        How the number is said that is meant; by default with as many digits as tell it from the values
        beside it. If these are more than ten, the other way to say the same may be the shorter one.

    Examples
    --------
    >>> just_below = 2 - 2**-52
    >>> say_limit(just_below), say_limit(just_below, high=2.0), say_limit(just_below, strict=True)
    ('≤ 2', '< 2', '< 2')
    """
    ways = [
        ("≤", threshold),
        ("<", after(threshold)),
    ]  # of two floats that follow each other: both are the same
    (sign, meant), (other_sign, other) = ways[::-1] if strict else ways
    number = number or format_number(meant, low, high)
    if number != format_number(meant) and len(short := format_number(other, other, other)) < len(number):
        return f"{other_sign} {short}"
    return f"{sign} {number}"


def say_group(feature: str, group: Sequence[Any]) -> str:
    """Say that a feature has one of some values.

    Examples
    --------
    >>> say_group("color", ["dark"]), say_group("color", ["green", "pale"])
    ('color = dark', 'color in {green, pale}')
    """
    values = ", ".join(map(str, group))
    return f"{feature} = {values}" if len(group) == 1 else f"{feature} in {{{values}}}"


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
    def groups(self) -> NameGroups:
        """The values that take each branch, one alone."""
        return tuple((value,) for value in self.values)

    @property
    def branches(self) -> tuple[str, ...]:
        """The label of each branch."""
        return tuple(str(value) for value in self.values)

    @property
    def conditions(self) -> tuple[str, ...]:
        """What a row must fulfil to take each branch."""
        return tuple(say_group(self.feature, group) for group in self.groups)

    def __str__(self) -> str:
        return say("{feature}?", feature=self.feature)


@dataclass(frozen=True)
class Threshold:
    """Two branches: up to a number, and above it (Breiman et al., 1984).

    Parameters
    ----------
    feature : str
        The name of the feature.
    threshold : float
        Branch 0 is taken by the rows whose value is at most this. For names in an order, their places count.
        `LARGEST_SINGLE` asks whether the value is known at all, as scikit-learn does by an infinite one.
    values : tuple
        The names, if the feature has names in an order.
    is_reversed : bool
        Whether the branches change places, as those of a surrogate may.
    limit : str
        How the threshold of a number is said, as `say_limit` does; by default with ten digits.

    Examples
    --------
    >>> split = Threshold("density", 0.3815)
    >>> print(split, split.branches, split.conditions)
    density ≤ 0.3815? ('yes', 'no') ('density ≤ 0.3815', 'density > 0.3815')
    >>> Threshold("age", 17.999999999999996, limit="< 18").conditions
    ('age < 18', 'age ≥ 18')
    >>> Threshold("size", 0.5, ("S", "M", "L")).conditions
    ('size ≤ S', 'size > S')
    >>> Threshold("density", LARGEST_SINGLE).conditions
    ('density is known', 'density is missing')
    """

    feature: str
    threshold: float
    values: tuple[Any, ...] = ()
    is_reversed: bool = False
    limit: str = field(default="", compare=False)

    @property
    def branches(self) -> tuple[str, ...]:
        """The label of each branch."""
        return say("yes"), say("no")

    @property
    def said(self) -> tuple[str, str]:
        """The sign of the first branch, ≤ or <, and the number or the name at which it ends."""
        if self.values:
            return "≤", str(self.values[int(self.threshold)])
        if not self.limit:
            return "≤", format_number(self.threshold)
        sign, number = self.limit.split()
        return sign, number

    @property
    def conditions(self) -> tuple[str, ...]:
        """What a row must fulfil to take each branch."""
        sign, last = self.said
        said = f"{self.feature} {sign} {last}", f"{self.feature} {BEYOND[sign]} {last}"
        if self.threshold == LARGEST_SINGLE:
            name = self.feature
            said = say("{feature} is known", feature=name), say("{feature} is missing", feature=name)
        return said[::-1] if self.is_reversed else said

    def __str__(self) -> str:
        return say("{condition}?", condition=self.conditions[0])


def number_between(feature: Feature, threshold: float, low: float, high: float, strict: bool) -> Threshold:
    """Return the question whether a number, or a name in an order, is up to a threshold between two values.

    Examples
    --------
    >>> print(number_between(Feature("x", (), "numeric"), 1e12 + 0.5, 1e12, 1e12 + 1, strict=False))
    x ≤ 1000000000000.5?
    """
    limit = "" if feature.values else say_limit(threshold, strict, low, high)
    return Threshold(feature.name, threshold, feature.values, limit=limit)


@dataclass(frozen=True)
class Subset:
    """A branch for each of several groups of values of a nominal feature.

    Parameters
    ----------
    feature : str
        The name of the feature.
    groups : tuple of tuples
        Branch i is taken by the rows whose value is in ``groups[i]``; values in no group had no training row.

    Examples
    --------
    >>> split = Subset("color", (("dark",), ("green", "pale")))
    >>> print(split, split.conditions)
    color = dark? ('color = dark', 'color in {green, pale}')
    >>> print(Subset("color", (("dark",), ("green",), ("pale", "red"))))
    color?
    """

    feature: str
    groups: NameGroups

    @property
    def branches(self) -> tuple[str, ...]:
        """The label of each branch."""
        return tuple(", ".join(map(str, group)) for group in self.groups)

    @property
    def conditions(self) -> tuple[str, ...]:
        """What a row must fulfil to take each branch."""
        return tuple(say_group(self.feature, group) for group in self.groups)

    def __str__(self) -> str:
        if len(self.groups) > 2:  # none of them says it all
            return say("{feature}?", feature=self.feature)
        return say("{condition}?", condition=self.conditions[0])


@dataclass(frozen=True)
class Hyperplane:
    """Two branches: up to a number, and above it, of a weighted sum of features (Murthy et al., 1994).

    Parameters
    ----------
    features : tuple of str
        The names of the features.
    coefficients : tuple of float
        What each is multiplied by; features with 0 are not said.
    threshold : float
        Branch 0 is taken by the rows whose sum is at most this.
    exact : bool
        Whether the numbers are said with all their digits; else with ten.

    Examples
    --------
    >>> split = Hyperplane(("x", "y"), (0.6, -0.8), 1.5)
    >>> print(split, split.branches, split.conditions)
    0.6 x - 0.8 y ≤ 1.5? ('yes', 'no') ('0.6 x - 0.8 y ≤ 1.5', '0.6 x - 0.8 y > 1.5')
    >>> print(Hyperplane(("x", "y", "z"), (-1.0, 0.0, 1.0), -2.0))
    -x + z ≤ -2?
    >>> print(Hyperplane(("x", "y"), (1.0, 1 / 3), 0.1, exact=True))
    x + 0.3333333333333333 y ≤ 0.1?
    """

    features: tuple[str, ...]
    coefficients: tuple[float, ...]
    threshold: float
    exact: bool = field(default=False, compare=False)

    def number(self, x: float) -> str:
        """Write one of the numbers."""
        return format_number(x, x, x) if self.exact else format_number(x)

    @property
    def terms(self) -> tuple[str, ...]:
        """The terms of the sum, each but the first with its sign before it."""
        said: list[str] = []
        for name, c in zip(self.features, self.coefficients, strict=True):
            if c:
                sign = ("-" if c < 0 else "") if not said else "- " if c < 0 else "+ "
                size = self.number(abs(c))
                said.append(f"{sign}{'' if size == '1' else size + ' '}{name}")
        return tuple(said)

    @property
    def branches(self) -> tuple[str, ...]:
        """The label of each branch."""
        return say("yes"), say("no")

    @property
    def conditions(self) -> tuple[str, ...]:
        """What a row must fulfil to take each branch."""
        total, limit = " ".join(self.terms), self.number(self.threshold)
        return f"{total} ≤ {limit}", f"{total} > {limit}"

    def brief(self, letters: int) -> str:
        """Say the question with as many terms as fit into so many letters, at least one.

        Examples
        --------
        >>> Hyperplane(("width", "height", "depth"), (1.0, 0.25, -0.5), 3.0).brief(16)
        'width + … ≤ 3?'
        """
        terms, limit = list(self.terms), self.number(self.threshold)
        while len(terms) > 1 and len(" ".join(terms)) > letters:
            terms.pop()
        rest = [] if len(terms) == len(self.terms) else ["+ …"]
        return say("{condition}?", condition=f"{' '.join([*terms, *rest])} ≤ {limit}")

    def __str__(self) -> str:
        return say("{condition}?", condition=self.conditions[0])


Split = Multiway | Threshold | Subset | Hyperplane


def group_names(values: Sequence[Any], code: Sequence[int], branch: Sequence[int], size: int) -> NameGroups:
    """Return the values that take each of so many branches, given the places and branches of some values."""
    groups: list[list[Any]] = [[] for _ in range(size)]
    for k, i in zip(code, branch, strict=True):
        groups[i].append(values[k])
    return tuple(map(tuple, groups))


def split_of_names(feature: Feature, code: Sequence[int], branch: Sequence[int]) -> Multiway | Subset:
    """Return the question that sends values of a feature, given by their places, to these branches.

    Examples
    --------
    >>> color = Feature("color", ("dark", "green", "pale"))
    >>> print(split_of_names(color, [0, 1, 2], [0, 1, 2]), split_of_names(color, [0, 2], [1, 0]))
    color? color = pale?
    """
    if list(branch) == list(range(len(feature.values))):
        return Multiway(feature.name, feature.values)
    return Subset(feature.name, group_names(feature.values, code, branch, max(branch) + 1))


def format_branches(split: Split, said: Sequence[str]) -> str:
    """Say of each branch of a split what is said of it.

    Examples
    --------
    >>> format_branches(Multiway("color", ("dark", "pale")), ["no 1, yes 2", "no 3, yes 0"])
    'dark: no 1, yes 2; pale: no 3, yes 0'
    """
    return "; ".join(f"{label}: {text}" for label, text in zip(split.branches, said, strict=True))
