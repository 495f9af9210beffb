"""The conditions on a path, merged by feature: x > 1 and x > 2 become x > 2 (chapters 1 and 11).

Examples
--------
>>> from dtlib.tree.splits import Threshold
>>> below, above = 0, 1
>>> say_conditions([(Threshold("x", 1.5), above), (Threshold("y", 7), below), (Threshold("x", 2.5), above)])
['x > 2.5', 'y ≤ 7']
"""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any

from dtlib.tree.splits import (
    Hyperplane,
    Multiway,
    Split,
    Subset,
    Threshold,
    or_missing,
    say_group,
)


@dataclass(frozen=True)
class Condition:
    """The condition of a branch.

    Parameters
    ----------
    text : str
    limit : float
        The number of an upper bound, the negative number of a lower bound: the smaller one is narrower.
    group : tuple
        The categories that take the branch, for a nominal feature.
    too : bool
        Whether missing values take the branch, too.
    """

    text: str
    limit: float = 0
    group: tuple[Any, ...] = ()
    too: bool = False


PathConditions = dict[Hashable, Condition]  # by what they restrict


def and_then(path: PathConditions, split: Split, branch: int) -> PathConditions:
    """Return the conditions of a path with that of a branch below it, which replaces wider ones.

    A narrower condition takes the position of the wider one, so that the feature tested first comes first.
    Two groups that share no category, as in a leaf that no row reaches, both stay.

    Examples
    --------
    >>> color = Subset("color", (("dark",), ("green", "pale")))
    >>> path = and_then({}, color, 1)
    >>> path = and_then(path, Subset("color", (("green",), ("pale",))), 0)
    >>> [condition.text for condition in path.values()]
    ['color = green']
    """
    text = split.conditions[branch]
    if isinstance(split, Threshold | Hyperplane) and not is_beyond(split):
        is_upper, bounded = bound_of(split, branch)
        limit = split.threshold if is_upper else -split.threshold
        is_wider = bounded in path and path[bounded].limit <= limit
        return path if is_wider else path | {bounded: Condition(text, limit)}
    if isinstance(split, Multiway | Subset):
        group, wider = split.groups[branch], path.get(split.feature)
        both = group if wider is None else tuple(value for value in group if value in wider.group)
        too = isinstance(split, Subset) and split.missing == branch and (wider is None or wider.too)
        if both:
            text = or_missing(say_group(split.feature, both), too)
            return path | {split.feature: Condition(text, group=both, too=too)}
    return path | {text: Condition(text)}


def is_beyond(split: Threshold | Hyperplane) -> bool:
    """Tell whether a threshold is beyond all values, so that it bounds none."""
    return isinstance(split, Threshold) and split.tests_known


def bound_of(split: Threshold | Hyperplane, branch: int) -> tuple[bool, Hashable]:
    """Return whether a branch has an upper bound, and a key for the feature or sum bounded on that side."""
    if isinstance(split, Hyperplane):
        return branch == 0, (split.features, split.coefficients, branch == 0)
    is_upper = (branch == 0) != split.is_reversed
    return is_upper, (split.feature, is_upper)


def say_conditions(steps: Iterable[tuple[Split, int]]) -> list[str]:
    """Return the texts of a path's conditions, given its splits and the index of the branch taken at each."""
    path: PathConditions = {}
    for split, branch in steps:
        path = and_then(path, split, branch)
    return [condition.text for condition in path.values()]
