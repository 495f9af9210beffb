"""The nearest changes of one or two values of a row that turn its answer (chapter 24).

A change leads into a box of values with another answer (`dtlib.telling.boxes`). How near it is, is compared
inside a feature only, as the units of two features have no common measure.

Legend: f is the position of a feature; a set of cells is an int with a bit for each.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from dtlib.messages import say
from dtlib.telling.boxes import Box, Cells
from dtlib.tree.node import number_split
from dtlib.tree.splits import known_or_missing, say_group
from dtlib.tree.tree import Tree

UP_TO, ABOVE = 0, 1  # the branches of a threshold


class Distance(NamedTuple):
    """How far a change takes a value, in its own unit if it has one; becoming missing is furthest."""

    becomes_missing: bool
    amount: float


class Step(NamedTuple):
    """A change of one value: how far it is, its condition in words, the nearest value, and that as a code."""

    distance: Distance
    said: str
    value: Any
    code: float


class Change(NamedTuple):
    """A change of some values: the positions of the features, a step for each, and the answer after it."""

    features: tuple[int, ...]
    steps: tuple[Step, ...]
    answer: tuple[float, ...]

    @property
    def said(self) -> str:
        """The conditions in words."""
        return say(" and ").join(step.said for step in self.steps)

    def after(self, x: np.ndarray) -> np.ndarray:
        """Return a row after the change, numbers and codes of categories."""
        changed = x.copy()
        changed[list(self.features)] = [step.code for step in self.steps]
        return changed


def nearest_changes(tree: Tree, x: np.ndarray, cells: Sequence[Cells], boxes: Iterable[Box]) -> list[Change]:
    """Return the nearest changes of a row into boxes, by features and distance.

    A change is left out if another one of the same features is nearer in one of them, and in none further.

    Parameters
    ----------
    tree : Tree
    x : float ndarray of shape (d,)
        The row.
    cells : sequence of Cells
        Of each feature.
    boxes : iterable of Box
        Those that are wanted.

    Examples
    --------
    >>> from dtlib import CARTRegressor
    >>> from dtlib.datasets import load_regression_points
    >>> from dtlib.telling.boxes import other_boxes
    >>> points = load_regression_points()
    >>> tree = CARTRegressor(max_depth=2).fit(points.X, points.y).tree_
    >>> x = np.array([4.0])
    >>> found = other_boxes(tree, x)
    >>> [change.said for change in nearest_changes(tree, x, found.cells, found.near)]
    ['x ≤ 3.5']
    """
    candidates: dict[tuple[int, ...], list[Change]] = {}
    for features, groups, answer in merged(boxes):
        parts = [list(steps(tree, f, x[f], cells[f], k)) for f, k in zip(features, groups, strict=True)]
        found = (Change(features, some, answer) for some in product(*parts))
        candidates.setdefault(features, []).extend(found)
    near = []
    for features in sorted(candidates):
        distances = {tuple(step.distance for step in change.steps) for change in candidates[features]}
        least = {one for one in distances if not any(is_nearer(other, one) for other in distances)}
        some = [change for change in candidates[features] if tuple(s.distance for s in change.steps) in least]
        near += sorted(some, key=lambda change: [step.distance for step in change.steps])
    return near


def is_nearer(one: tuple[Distance, ...], other: tuple[Distance, ...]) -> bool:
    """Tell whether a change is nearer than another in one feature, and in none further.

    Examples
    --------
    >>> is_nearer((Distance(False, 1.0),), (Distance(True, 0.0),))
    True
    """
    return one != other and all(a <= b for a, b in zip(one, other, strict=True))


def merged(boxes: Iterable[Box]) -> list[tuple[tuple[int, ...], tuple[int, ...], tuple[float, ...]]]:
    """Join boxes of one answer that differ from the row in the same features, and from each other in one.

    Returns
    -------
    list of (features, groups, answer)
        The positions of the features, the set of cells of each that the joined boxes allow, and the answer.

    Examples
    --------
    >>> one = Box(frozenset({3}), {3: 0b001}, np.array([1.0]))
    >>> merged([one, one._replace(allowed={3: 0b100})])
    [((3,), (5,), (1.0,))]
    """
    found = []
    for box in boxes:
        features = tuple(sorted(box.differs))
        found.append((features, tuple(box.allowed[f] for f in features), tuple(box.answer.tolist())))
    for place in range(max((len(features) for features, _, _ in found), default=0)):
        joined: dict[Any, int] = {}
        for features, groups, answer in found:
            key = features, groups[:place], groups[place + 1 :], answer
            joined[key] = joined.get(key, 0) | groups[place]
        found = [
            (features, (*before, group, *after), answer)
            for (features, before, after, answer), group in joined.items()
        ]
    return found


def steps(tree: Tree, f: int, x: float, cells: Cells, group: int) -> Iterator[Step]:
    """Yield the nearest steps of a value into a set of cells, to which it does not belong.

    A number, or a category with an order, steps down and up; other categories, and what was missing, to all
    known values, and only if there are none, to a missing one.

    Examples
    --------
    >>> from dtlib import ID3Classifier
    >>> from dtlib.datasets import load_loan
    >>> from dtlib.telling.boxes import cells_of
    >>> loan = load_loan()
    >>> tree = ID3Classifier().fit(loan.X, loan.y).tree_
    >>> [step.said for step in steps(tree, 2, 0.0, cells_of(tree, 2, 0.0), 0b10)]
    ['owns_house = yes']
    """
    feature, own = tree.features[f], cells.own
    inside = [i for i in range(len(cells.values)) if group >> i & 1 and not np.isnan(cells.values[i])]
    if not inside:
        yield Step(Distance(True, 0.0), known_or_missing(feature.name)[1], None, np.nan)
    elif feature.kind == "nominal":
        names = [feature.values[int(cells.values[i])] for i in inside]
        yield Step(Distance(False, 0.0), say_group(feature.name, names), names[0], cells.values[inside[0]])
    else:
        for low, high in runs(inside):
            said = say_run(tree, f, cells, low, high)
            if not cells.has_number:
                yield Step(Distance(False, 0.0), said, *value_in(tree, cells, low))
            elif high < own and not any(high < i < own for i in inside):
                yield Step(Distance(False, float(x - cells.values[high])), said, *value_in(tree, cells, high))
            elif low > own and not any(own < i < low for i in inside):
                to = cells.limits[low - 1] if feature.kind == "numeric" else cells.values[low]
                yield Step(Distance(False, float(to - x)), said, *value_in(tree, cells, low, is_lowest=True))


def runs(places: Iterable[int]) -> list[tuple[int, int]]:
    """Return the first and the last of each run of ascending places that follow each other.

    Examples
    --------
    >>> runs([0, 1, 2, 5, 7, 8])
    [(0, 2), (5, 5), (7, 8)]
    """
    found: list[tuple[int, int]] = []
    for place in places:
        if found and found[-1][1] == place - 1:
            found[-1] = found[-1][0], place
        else:
            found.append((place, place))
    return found


def value_in(tree: Tree, cells: Cells, i: int, is_lowest: bool = False) -> tuple[Any, float]:
    """Return the largest value of a cell, or the smallest, and the same as a code.

    Examples
    --------
    >>> from dtlib import CARTRegressor
    >>> from dtlib.datasets import load_regression_points
    >>> from dtlib.telling.boxes import cells_of
    >>> points = load_regression_points()
    >>> tree = CARTRegressor(max_depth=1).fit(points.X, points.y).tree_
    >>> cells = cells_of(tree, 0, 0.0)
    >>> value_in(tree, cells, 0), value_in(tree, cells, 1, is_lowest=True)
    ((5.5, 5.5), (5.500000000000001, 5.500000000000001))
    """
    if cells.feature.values:
        return cells.feature.values[int(cells.values[i])], cells.values[i]
    value = np.nextafter(cells.limits[i - 1], np.inf) if is_lowest and i > 0 else cells.values[i]
    number = float(np.float32(value) if tree.single else value)
    return number, number


def say_run(tree: Tree, f: int, cells: Cells, low: int, high: int) -> str:
    """Say that a value lies in a run of cells, from the first to the last of them.

    Examples
    --------
    >>> from dtlib import CARTRegressor
    >>> from dtlib.datasets import load_regression_points
    >>> from dtlib.telling.boxes import cells_of
    >>> points = load_regression_points()
    >>> tree = CARTRegressor(max_depth=2).fit(points.X, points.y).tree_
    >>> cells = cells_of(tree, 0, 0.0)
    >>> cells.limits.tolist(), say_run(tree, 0, cells, 1, 1), say_run(tree, 0, cells, 2, 3)
    ([3.5, 5.5, 7.5], 'x > 3.5 and x ≤ 5.5', 'x > 5.5')
    """
    feature = cells.feature
    if feature.kind == "numeric":
        first, thresholds = 0, cells.thresholds
    else:
        first, thresholds = int(cells.values[0] < 0), cells.values[cells.values >= 0][:-1]
        if low == high:
            return say_group(feature.name, [feature.values[int(cells.values[low])]])
    said = []
    if low > first:
        said.append(number_split(tree, f, float(thresholds[low - first - 1])).conditions[ABOVE])
    if high - first < len(thresholds):
        said.append(number_split(tree, f, float(thresholds[high - first])).conditions[UP_TO])
    return say(" and ").join(said) or known_or_missing(feature.name)[0]
