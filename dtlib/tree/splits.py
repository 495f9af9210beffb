"""The kinds of splits, with the texts of their conditions and branches (chapters 1, 4, 8, 22)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from dtlib.messages import say
from dtlib.numbers import format_number
from dtlib.table.columns import Feature

__all__ = ["Hyperplane", "Multiway", "Subset", "Threshold"]

LARGEST_SINGLE = 2.0**128 - 2.0**104  # the largest float32: every number is at most this
KNOWN = {KNOWN_SINGLE := LARGEST_SINGLE, KNOWN_DOUBLE := math.nextafter(math.inf, 0)}  # only missing is more
BEYOND = {"≤": ">", "<": "≥"}  # the sign of the other branch
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
    """Return the text of the first branch's bound, such as "≤ 2".

    Parameters
    ----------
    threshold : float
    strict : bool
        Whether the threshold is the float next below the intended number, which takes the other branch.
    low, high : float
        The nearest values on either side.
    number : str
        Text of the intended number; by default with as many digits as distinguish it from `low` and `high`.
        If these are more than ten, the other sign is used if that is shorter.

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
    """Return the text of the condition that a feature has one of some categories.

    Examples
    --------
    >>> say_group("color", ["dark"]), say_group("color", ["green", "pale"])
    ('color = dark', 'color in {green, pale}')
    """
    values = ", ".join(map(str, group))
    return f"{feature} = {values}" if len(group) == 1 else f"{feature} in {{{values}}}"


def or_missing(said: str, too: bool) -> str:
    """Return the text of a condition; if missing values meet it, too, that is said."""
    return say("{condition} (or missing)", condition=said) if too else said


def known_or_missing(feature: str) -> tuple[str, str]:
    """Return the texts of the conditions that a value is known, and that it is missing."""
    return say("{feature} is known", feature=feature), say("{feature} is missing", feature=feature)


@dataclass(frozen=True)
class Multiway:
    """A split with one branch for each category of a nominal feature (Quinlan, 1986).

    Parameters
    ----------
    feature : str
        The name of the feature.
    values : tuple
        Its categories; rows with category ``values[i]`` take branch i.

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
        """The categories of each branch, which is one."""
        return tuple((value,) for value in self.values)

    @property
    def branches(self) -> tuple[str, ...]:
        """The label of each branch."""
        return tuple(str(value) for value in self.values)

    @property
    def conditions(self) -> tuple[str, ...]:
        """The condition for each branch."""
        return tuple(say_group(self.feature, group) for group in self.groups)

    def __str__(self) -> str:
        return say("{feature}?", feature=self.feature)


@dataclass(frozen=True)
class Threshold:
    """A split with two branches: values up to a threshold, and above it (Breiman et al., 1984).

    Parameters
    ----------
    feature : str
        The name of the feature.
    threshold : float
        Rows whose value is at most this take branch 0. For ordered categories, their codes are compared.
        Beyond all values, as one of `KNOWN` is, it tests whether the value is known.
    values : tuple
        The categories of an ordered feature.
    is_reversed : bool
        Whether the branches are swapped, as those of a surrogate may be.
    limit : str
        Text of a numeric threshold, as `say_limit` returns it; by default with ten digits.
    missing : int
        The branch that the tree has learned for missing values, -1 if none were there.

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
    >>> Threshold("age", 30, missing=0).conditions
    ('age ≤ 30 (or missing)', 'age > 30')
    """

    feature: str
    threshold: float
    values: tuple[Any, ...] = ()
    is_reversed: bool = False
    limit: str = field(default="", compare=False)
    missing: int = -1

    @property
    def branches(self) -> tuple[str, ...]:
        """The label of each branch."""
        return say("yes"), say("no")

    @property
    def tests_known(self) -> bool:
        """Whether all known values take one branch, and missing values the other."""
        return self.threshold > len(self.values) - 1 if self.values else self.threshold in KNOWN

    @property
    def said(self) -> tuple[str, str]:
        """The sign of the first branch, ≤ or <, and the number or category at which it ends."""
        if self.values:
            return "≤", str(self.values[int(self.threshold)])
        if not self.limit:
            return "≤", format_number(self.threshold)
        sign, number = self.limit.split()
        return sign, number

    @property
    def conditions(self) -> tuple[str, ...]:
        """The condition for each branch."""
        if self.tests_known:
            said = known_or_missing(self.feature)
        elif self.threshold == -math.inf:  # missing values are below all others
            said = known_or_missing(self.feature)[::-1]
        else:
            sign, last = self.said
            said = f"{self.feature} {sign} {last}", f"{self.feature} {BEYOND[sign]} {last}"
            said = or_missing(said[0], self.missing == 0), or_missing(said[1], self.missing == 1)
        return said[::-1] if self.is_reversed else said

    def __str__(self) -> str:
        return say("{condition}?", condition=self.conditions[0])


def number_between(feature: Feature, threshold: float, low: float, high: float, strict: bool) -> Threshold:
    """Return the split of a numeric or ordered feature by a threshold between two values.

    Examples
    --------
    >>> print(number_between(Feature("x", (), "numeric"), 1e12 + 0.5, 1e12, 1e12 + 1, strict=False))
    x ≤ 1000000000000.5?
    """
    limit = "" if feature.values else say_limit(threshold, strict, low, high)
    return Threshold(feature.name, threshold, feature.values, limit=limit, missing=feature.missing_side)


@dataclass(frozen=True)
class Subset:
    """A split with a branch for each of several groups of categories of a nominal feature.

    Parameters
    ----------
    feature : str
        The name of the feature.
    groups : tuple of tuples
        Rows with a category in ``groups[i]`` take branch i; categories in no group had no training row.
    missing : int
        The branch that the tree has learned for missing values, -1 if none were there. If this branch has no
        category, the split tests whether the value is known.

    Examples
    --------
    >>> split = Subset("color", (("dark",), ("green", "pale")))
    >>> print(split, split.conditions)
    color = dark? ('color = dark', 'color in {green, pale}')
    >>> print(Subset("color", (("dark",), ("green",), ("pale", "red"))))
    color?
    >>> Subset("color", (("dark",), ("green",)), missing=1).branches
    ('dark', 'green (or missing)')
    >>> Subset("color", (("dark", "green"), ()), missing=1).conditions
    ('color is known', 'color is missing')
    """

    feature: str
    groups: NameGroups
    missing: int = -1

    @property
    def branches(self) -> tuple[str, ...]:
        """The label of each branch."""
        if not all(self.groups):
            return say("known"), say("missing")
        said = (", ".join(map(str, group)) for group in self.groups)
        return tuple(or_missing(text, i == self.missing) for i, text in enumerate(said))

    @property
    def conditions(self) -> tuple[str, ...]:
        """The condition for each branch."""
        if not all(self.groups):
            return known_or_missing(self.feature)
        said = (say_group(self.feature, group) for group in self.groups)
        return tuple(or_missing(text, i == self.missing) for i, text in enumerate(said))

    def __str__(self) -> str:
        if len(self.groups) > 2:  # none of them says it all
            return say("{feature}?", feature=self.feature)
        return say("{condition}?", condition=self.conditions[0])


@dataclass(frozen=True)
class Hyperplane:
    """An oblique split: a weighted sum of features up to a threshold, and above it (Murthy et al., 1994).

    Parameters
    ----------
    features : tuple of str
        The names of the features.
    coefficients : tuple of float
        Coefficient of each feature; features with 0 are not shown.
    threshold : float
        Rows whose sum is at most this take branch 0.
    exact : bool
        Whether the numbers are shown with all their digits; else with ten.

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
        """Return the text of a coefficient or threshold."""
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
        """The condition for each branch."""
        total, limit = " ".join(self.terms), self.number(self.threshold)
        return f"{total} ≤ {limit}", f"{total} > {limit}"

    def brief(self, letters: int) -> str:
        """Return the split as text, with as many terms as fit into `letters` characters, at least one.

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
    """Return the categories of each of `size` branches, given codes of categories and their branches."""
    groups: list[list[Any]] = [[] for _ in range(size)]
    for k, i in zip(code, branch, strict=True):
        groups[i].append(values[k])
    return tuple(map(tuple, groups))


def nominal_split(
    feature: Feature, code: Sequence[int], branch: Sequence[int], missing: int = -1
) -> Multiway | Subset:
    """Return the split that sends the categories with these codes to these branches.

    Examples
    --------
    >>> color = Feature("color", ("dark", "green", "pale"))
    >>> print(nominal_split(color, [0, 1, 2], [0, 1, 2]), nominal_split(color, [0, 2], [1, 0]))
    color? color = pale?
    """
    if list(branch) == list(range(len(feature.values))) and missing < 0:
        return Multiway(feature.name, feature.values)
    size = max(*branch, missing) + 1
    return Subset(feature.name, group_names(feature.values, code, branch, size), missing)


def format_branches(split: Split, said: Sequence[str]) -> str:
    """Return a text with the label of each branch of a split and what is said of it.

    Examples
    --------
    >>> format_branches(Multiway("color", ("dark", "pale")), ["no 1, yes 2", "no 3, yes 0"])
    'dark: no 1, yes 2; pale: no 3, yes 0'
    """
    return "; ".join(f"{label}: {text}" for label, text in zip(split.branches, said, strict=True))
