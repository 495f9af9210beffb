"""The search for a hyperplane that divides the rows of a node: OC1 (chapter 22).

A hyperplane is w1 x1 + ... + wd xd + w0 = 0. Finding the best one is too hard, so OC1 [1]_ climbs: it changes
one coefficient at a time, each to its best value while the others stay. Where no change helps, it jumps: it
moves all coefficients in a random direction, by the best step. It starts from the best axis-parallel split
and from random hyperplanes; here all of them climb together, one in each line of an array.

References
----------
.. [1] S. K. Murthy, S. Kasif, S. Salzberg, "A system for induction of oblique decision trees", Journal of
   Artificial Intelligence Research 2 (1994) 1-32.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from dtlib.arrays import weighted_sums
from dtlib.counting.score import Scorer
from dtlib.counting.targets import Totals
from dtlib.search.by_table import BestCuts
from dtlib.search.level import BLOCK
from dtlib.table.training import between

CELLS = 1 << 19  # of the arrays in which starts climb together
RANDOM = 50  # perturbations of one climb in random order, as in OC1
STAGNANT, LESS = 1.0, 0.1  # first chance of a move that gains nothing, and by how much each one lowers it
DIGITS = 6  # most significant digits of a rounded coefficient
ROOMY = 0.5  # share of the margin between both sides that a simpler test must keep
HUGE = 1e300  # two smaller numbers have a finite sum
APART = 1e-9  # changes of a coefficient that are closer, relative to their size, count as equal


@dataclass(frozen=True, eq=False)
class Points:
    """The distinct rows of a node, and what is needed to score how a hyperplane divides them.

    Parameters
    ----------
    x : ndarray of shape (m, d)
        The features, in their own units.
    weight : ndarray of shape (m, K)
        The weight of each class at each point, as integers.
    scorer : Quadratic or EntropyOrError
    least : float
        Least weight of each side, in the unit of `weight`.
    slack : float
        Scores no further apart than this are equal.
    perfect : float
        The score of a partition into pure sides.
    cutting : callable, optional
        Finds the cuts that `cut_by_sorting` finds, in another way.
    """

    x: np.ndarray
    weight: np.ndarray
    scorer: Scorer
    least: float
    slack: float
    perfect: float
    cutting: Callable[[np.ndarray, np.ndarray, float], BestCuts] | None = None

    @cached_property
    def totals(self) -> Totals:
        """The sums over the node."""
        of_class = self.weight.sum(0)
        return Totals(of_class.sum(), list(of_class[1:]), np.array(len(self.x)))

    @cached_property
    def of_class(self) -> np.ndarray:
        """The weights, one line for each class."""
        return np.ascontiguousarray(self.weight.T)

    def scores(self, side: np.ndarray) -> np.ndarray:
        """Score partitions, given the weight of each class on one side: shape (K, ...).

        Returns
        -------
        ndarray
            The decrease of impurity times the weight; -inf where a side weighs too little.
        """
        n, totals = side.sum(0), self.totals
        score = self.scorer.cuts(n, totals)(side[1:])
        few = (n < self.least) | (totals.n - n < self.least) | (n <= 0) | (n >= totals.n)
        return np.where(few, -np.inf, score)

    def cut(self, value: np.ndarray, step: np.ndarray, distinct_neighbors: float) -> BestCuts:
        """Return the best cut of each line of breakpoints, as `cut_by_sorting` does."""
        if self.cutting is not None:
            return self.cutting(value, step, distinct_neighbors)
        some = max(1, BLOCK // self.weight.size)
        if len(value) <= some:
            return cut_by_sorting(self, value, step, distinct_neighbors)
        parts = [slice(first, first + some) for first in range(0, len(value), some)]
        found = [cut_by_sorting(self, value[part], step[part], distinct_neighbors) for part in parts]
        return BestCuts(*map(np.concatenate, zip(*found, strict=True)))


def best_cuts(points: Points, lines: np.ndarray) -> BestCuts:
    """Return the best cut of each line of values, the lowest of equal ones.

    Parameters
    ----------
    points : Points
        m points, at least two.
    lines : ndarray of shape (s, m)
        A value for each point.

    Returns
    -------
    BestCuts
        The cut of each line, with the values on both sides of it.
    """
    return points.cut(-lines, np.ones_like(lines), 0.0)


def best_moves(points: Points, value: np.ndarray, step: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the best step in a direction, and the score after it.

    A hyperplane of value V at a point, moved by a in a direction in which its value changes by S, has the
    value V + a S: the point changes sides at a = -V / S. To perturb one coefficient, S is the feature; to
    shift the hyperplane, S is 1; to jump, S is any mixture. For one coefficient, these breakpoints are the U
    of OC1, less the coefficient. All cuts between them are scored: the best is found.

    Parameters
    ----------
    points : Points
        m points.
    value, step : ndarray of shape (s, m)
        V and S at each point, for each of s hyperplanes.

    Returns
    -------
    move, score : ndarray of shape (s,)
        The first of equal moves, and its score.
    """
    score, low, high = points.cut(value, step, APART)
    return np.where(score == -np.inf, 0.0, halfway(low, high)), score


def cut_by_sorting(
    points: Points, value: np.ndarray, step: np.ndarray, distinct_neighbors: float
) -> BestCuts:
    """Return the best cut of each line of breakpoints (where points change sides), the first of equal ones.

    Parameters
    ----------
    points, value, step
        As for `best_moves`.
    distinct_neighbors : float
        No cut comes between breakpoints that are closer than this, relative to their size.
    """
    # infinities at both ends: a cut before the first breakpoint, or after the last, needs no case of its own
    edges = np.full((len(value), value.shape[1] + 2), np.inf)
    edges[:, 0] = -np.inf
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        change = np.where(step != 0, -value / step, np.inf)
    order = np.argsort(change, axis=1)  # equal breakpoints in any order: no cut comes between them
    flat = order + np.arange(0, change.size, change.shape[1])[:, None]  # faster than take_along_axis
    edges[:, 1:-1] = change.take(flat)
    moved = points.of_class.take(order, axis=1)
    moved *= np.sign(step).take(flat)
    above = (step < 0) | ((step == 0) & (value > 0))  # on the upper side before all changes
    side = np.empty((len(moved), len(value), moved.shape[2] + 1))
    side[:, :, 0] = (above.astype(float) @ points.weight).T
    np.cumsum(moved, axis=2, out=side[:, :, 1:])
    side[:, :, 1:] += side[:, :, :1]
    score = points.scores(side)
    score.put(no_room(edges, distinct_neighbors), -np.inf)
    best = score.max(axis=1)
    at, place = np.arange(len(score)), (score >= (best - points.slack)[:, None]).argmax(axis=1)
    return BestCuts(best, edges[at, place], edges[at, place + 1])


def no_room(edges: np.ndarray, distinct_neighbors: float) -> np.ndarray:
    """Return the flat positions at which two neighbors in ascending lines are too close for a midpoint.

    Examples
    --------
    >>> no_room(np.array([[-np.inf, 1, 2, 2, np.inf], [-np.inf, 1, 2, 3, np.inf]]), 0.0)
    array([2])
    """
    low, high = edges[:, :-1], edges[:, 1:]
    largest = np.abs(edges[:, [1, -2]]).max()  # of all breakpoints: the lines ascend between their infinities
    if not largest < HUGE:
        return np.flatnonzero(~np.isfinite(in_between(low, high, distinct_neighbors)))
    gap = (high - low).ravel()
    near = np.flatnonzero(gap <= distinct_neighbors * max(1.0, largest))
    size = np.minimum(np.abs(low.take(near)), np.abs(high.take(near)))
    return near[gap[near] <= distinct_neighbors * np.maximum(1.0, size)]


def in_between(low: np.ndarray, high: np.ndarray, distinct_neighbors: float = APART) -> np.ndarray:
    """Return midpoints of intervals (of a half-open one, 1 beyond its end); NaN if its ends are too close.

    Examples
    --------
    >>> in_between(np.array([-np.inf, 1, 2, 5]), np.array([1, 2, 2, np.inf])).tolist()
    [0.0, 1.5, nan, 6.0]
    """
    with np.errstate(invalid="ignore"):
        room = high - low > distinct_neighbors * np.maximum(1, np.minimum(np.abs(low), np.abs(high)))
    return np.where(room, halfway(low, high), np.nan)


def halfway(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Return midpoints of intervals, 1 beyond the end of half-open ones.

    Examples
    --------
    >>> halfway(np.array([-np.inf, 1, 5]), np.array([1, 2, np.inf])).tolist()
    [0.0, 1.5, 6.0]
    """
    with np.errstate(invalid="ignore"):
        return np.where(low == -np.inf, high - 1, np.where(high == np.inf, low + 1, (low + high) / 2))


class Climbers:
    """Hyperplanes that climb together.

    Parameters
    ----------
    points : Points
    z : ndarray of shape (m, d + 1)
        The features from -1 to 1, and a last column of ones.
    w : ndarray of shape (s, d + 1)
        The coefficients from which each hyperplane starts.
    random : Generator
    """

    def __init__(self, points: Points, z: np.ndarray, w: np.ndarray, random: np.random.Generator):
        self.points, self.z, self.w, self.random = points, z, w, random
        self.of_feature = np.ascontiguousarray(z.T)
        above = (w @ z.T > 0).astype(float)
        self.score = points.scores((above @ points.weight).T)
        self.chance = np.full(len(w), STAGNANT)

    @property
    def is_done(self) -> bool:
        """Whether one of them divides the rows perfectly."""
        return bool(self.score.max() >= self.points.perfect - self.points.slack)

    def move(self, at: np.ndarray, step: np.ndarray, direction: np.ndarray) -> np.ndarray:
        """Move some hyperplanes by the best step in a direction; return which gained."""
        far, score = best_moves(self.points, self.w[at] @ self.z.T, step)
        gains = score > self.score[at] + self.points.slack
        equal = ~gains & (score >= self.score[at] - self.points.slack) & np.isfinite(score)
        lucky = equal & (self.random.random(len(at)) < self.chance[at])
        self.chance[at] = np.where(gains, STAGNANT, self.chance[at] - LESS * equal)
        goes = gains | lucky
        w = self.w[at] + np.where(goes, far, 0.0)[:, None] * direction
        self.w[at] = w / np.maximum(np.abs(w).max(axis=1, keepdims=True), np.finfo(float).tiny)
        self.score[at] = np.where(gains, score, self.score[at])
        return gains

    def perturb(self, at: np.ndarray, feature: np.ndarray) -> np.ndarray:
        """Give one coefficient of some hyperplanes its best value; return which gained."""
        direction = np.zeros((len(at), self.z.shape[1]))
        direction[np.arange(len(at)), feature] = 1.0
        return self.move(at, self.of_feature[feature], direction)

    def climb(self, at: np.ndarray, order: str) -> None:
        """Perturb coefficients until no perturbation gains anything."""
        self.chance[at] = STAGNANT
        {"sequential": self.in_sequence, "best": self.best_first, "random": self.at_random}[order](at)

    def in_sequence(self, at: np.ndarray) -> None:
        """Perturb one coefficient after the other, the threshold first, until none gains."""
        d = self.z.shape[1] - 1
        while len(at) and not self.is_done:
            gained = np.zeros(len(at), bool)
            for feature in (d, *range(d)):
                gained |= self.perturb(at, np.full(len(at), feature))
            at = at[gained]

    def best_first(self, at: np.ndarray) -> None:
        """Perturb the coefficient that gains most, until none gains."""
        while len(at) and not self.is_done:
            value = self.w[at] @ self.z.T
            found = [
                best_moves(self.points, value, np.tile(column, (len(at), 1)))[1] for column in self.of_feature
            ]
            at = at[self.perturb(at, np.argmax(found, axis=0))]

    def at_random(self, at: np.ndarray) -> None:
        """Perturb coefficients drawn at random, a fixed number of times."""
        for _ in range(RANDOM):
            self.perturb(at, self.random.integers(0, self.z.shape[1], len(at)))

    def jump(self, at: np.ndarray) -> np.ndarray:
        """Move all coefficients of some hyperplanes in a random direction; return which gained."""
        direction = self.random.standard_normal((len(at), self.z.shape[1]))
        self.chance[at] = 0.0
        return self.move(at, direction @ self.z.T, direction)

    def search(self, order: str, jumps: int) -> None:
        """Climb; jump until `jumps` jumps in a row have gained nothing, and climb on after each that did."""
        at, failed = np.arange(len(self.w)), np.zeros(len(self.w), int)
        self.climb(at, order)
        while jumps and len(at) and not self.is_done:
            gained = self.jump(at)
            failed[at] = np.where(gained, 0, failed[at] + 1)
            if gained.any():
                self.climb(at[gained], order)
            at = at[failed[at] < jumps]


class Plane(NamedTuple):
    """An oblique split: rows whose weighted sum is at most the threshold take the first branch; its score.

    `room` is the margin between the nearest points of both sides, when features are scaled to range 1.
    """

    normal: np.ndarray
    threshold: float
    score: float
    room: float = 0.0


@dataclass(frozen=True)
class Search:
    """How to search: the parameters of `ObliqueTreeClassifier`."""

    restarts: int = 20
    jumps: int = 5
    order: str = "sequential"
    rows_per_feature: float = 2.0
    simplify: bool = True
    seed: int = 0


def axis_parallel(points: Points) -> Plane | None:
    """Return the best axis-parallel split, the first and lowest of equal ones; None if there is none."""
    cut = best_cuts(points, points.x.T)
    if not np.isfinite(cut.score).any():
        return None
    f = int((cut.score >= cut.score.max() - points.slack).argmax())
    normal = np.zeros(points.x.shape[1])
    normal[f] = 1.0
    return Plane(normal, float(between(cut.low[f], cut.high[f])), float(cut.score[f]))


def best_plane(points: Points, search: Search, random: np.random.Generator) -> Plane | None:
    """Return the best hyperplane that is found; an axis-parallel one, unless others score more.

    Parameters
    ----------
    points : Points
    search : Search
    random : Generator

    Returns
    -------
    Plane, or None if no hyperplane leaves both sides enough
    """
    axis = axis_parallel(points)
    low, high = points.x.min(0), points.x.max(0)
    varies = np.flatnonzero(high > low)
    enough = points.perfect - points.slack
    if len(varies) < 2 or (axis is not None and axis.score >= enough):
        return axis
    part = replace(points, x=points.x[:, varies])
    span = high[varies] - low[varies]
    z = np.column_stack([2 * ((part.x - low[varies]) / span) - 1, np.ones(len(part.x))])
    found = None
    for w in started(axis, varies, low, span, search, random, len(z)):
        climbers = Climbers(part, z, w, random)
        climbers.search(search.order, search.jumps)
        first = int((climbers.score >= climbers.score.max() - points.slack).argmax())
        plane = in_own_units(part, climbers.w[first, :-1], span, search.simplify)
        if plane is not None and (found is None or plane.score > found.score + points.slack):
            found = plane
        if found is not None and found.score >= enough:
            break
    if found is None or (axis is not None and found.score <= axis.score + points.slack):
        return axis
    normal = np.zeros(len(low))
    normal[varies] = found.normal
    return found._replace(normal=normal)


def started(
    axis: Plane | None,
    varies: np.ndarray,
    low: np.ndarray,
    span: np.ndarray,
    search: Search,
    random: np.random.Generator,
    m: int,
) -> list[np.ndarray]:
    """Return the starting hyperplanes, in batches that fit the cache: the axis-parallel one, random ones."""
    w = random.standard_normal((search.restarts + 1, len(varies) + 1))
    if axis is not None:
        f = int(axis.normal.argmax())
        w[0] = 0.0
        place = int(np.searchsorted(varies, f))
        w[0, place] = 1.0
        w[0, -1] = 1 - 2 * ((axis.threshold - low[f]) / span[place])
    together = max(1, CELLS // m)
    return [w[a : a + together] for a in range(0, len(w), together)]


def in_own_units(points: Points, w: np.ndarray, span: np.ndarray, simplify: bool) -> Plane | None:
    """Return a hyperplane of scaled features as a split in the features' units, made simpler if told to.

    Its threshold is halfway between the nearest points of both sides; None if floats cannot separate them.
    """
    start = placed(points, oriented(w * (span.min() / span)), span)
    if start is None or not simplify:
        return start
    best, room = start, start.room * ROOMY
    for f in np.argsort(np.abs(w), kind="stable"):
        best = simpler(points, best, np.where(np.arange(len(w)) == f, 0.0, best.normal), span, room)
    for digits in range(1, DIGITS + 1):
        rounded = np.array([float(f"{c:.{digits}g}") for c in best.normal])
        short = simpler(points, best, rounded, span, room)
        if short is not best:
            best = short
            break
    return best._replace(threshold=short_threshold(points, best))


def simpler(points: Points, best: Plane, normal: np.ndarray, span: np.ndarray, room: float) -> Plane:
    """Return a simpler split if it scores no less and keeps enough margin between the sides."""
    if not normal.any() or (normal == best.normal).all():
        return best
    plane = placed(points, oriented(normal), span)
    if plane is None or plane.score < best.score - points.slack or plane.room < room:
        return best
    return plane


def short_threshold(points: Points, plane: Plane) -> float:
    """Return a threshold of few digits in the middle half between the nearest points of both sides."""
    total = weighted_sums(points.x, plane.normal)
    low, high = total[total <= plane.threshold].max(), total[total > plane.threshold].min()
    room = (high - low) / 4
    for digits in range(1, 17):
        t = float(f"{plane.threshold:.{digits}g}")
        if low + room <= t <= high - room and t < high:
            return t
    return plane.threshold


def oriented(normal: np.ndarray) -> np.ndarray:
    """Divide coefficients by the largest one (the first of equals), which becomes 1.

    Examples
    --------
    >>> oriented(np.array([0.5, -2.0])).tolist()
    [-0.25, 1.0]
    """
    largest = normal[np.abs(normal).argmax()]
    return normal / largest if largest else normal


def placed(points: Points, normal: np.ndarray, span: np.ndarray) -> Plane | None:
    """Return the best oblique split with these coefficients."""
    cut = best_cuts(points, weighted_sums(points.x, normal)[None])
    if not np.isfinite(cut.score[0]):
        return None
    low, high = float(cut.low[0]), float(cut.high[0])
    room = (high - low) / float((np.abs(normal) * span).max())
    return Plane(normal, float(between(*cut[1:])[0]), float(cut.score[0]), room)
