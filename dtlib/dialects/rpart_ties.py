"""Breaking ties between equal splits as rpart does: by its rounded float64 sums (chapter 8).

Everywhere else in this library, ties go to the first column and the lowest threshold. rpart adds up floats
row by row in an order of its own (`rpart_order`), and takes the largest sum, so that rounding in the last
digit decides between equal splits. This module computes the same sums in the same order for equal splits.

Legend: K is the number of classes, S the number of splits, which are tried one after the other: with each
*step* a row, or all rows of a category, changes sides. The sums of a side are an array (C,), those of a side
of several splits (C, S): for classes the weight by altered priors and the weight of each class; for
regression the weight, and the sum of the weights times the distances from the mean; for rates the exposure,
and the number of events. The last two entries are
the number of rows, and the weight that limits are compared with.

References
----------
T. M. Therneau, E. J. Atkinson, "An introduction to recursive partitioning using the RPART routines", Mayo
Foundation.
"""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from dtlib.arrays import NEARLY
from dtlib.counting.criteria import half_deviance
from dtlib.counting.pairs import Pairs
from dtlib.counting.rates import counts_of
from dtlib.counting.targets import Totals
from dtlib.dialects.rpart_order import RowOrder, added_up, total
from dtlib.dialects.rpart_surrogates import RoutedRows, are_rounded, find_in_order, sides_in_order
from dtlib.search.by_table import order_key
from dtlib.search.level import Level, Limits
from dtlib.search.rules import BySurrogates, SplitCandidate
from dtlib.search.surrogates import Known, Surrogates
from dtlib.table.training import Training

MAYBE_EQUAL = 1e-9  # scores no further apart, relative to the largest gain, may be equal but for rounding
GROUPS_AT_ONCE = 1 << 14  # groups of categories that are tried in one batch
AT_ROWS, AT_WEIGHT = -2, -1  # positions in the sums of a side


@dataclass(frozen=True, eq=False)
class Rounding:
    """The arithmetic of rpart.

    Parameters
    ----------
    of_class : ndarray of shape (K,), optional
        Factor of each class's weights: its altered prior divided by its share; None for regression.
    entropy : bool
        Whether the impurity is the entropy (in nats), not the Gini index.
    order : RowOrder, optional
        Of the rows of the fit; default: the data that `settle` is given are all of it.
    is_exact : bool
        Whether no sum is rounded, so that the order does not matter.
    rates : bool
        Whether splits are scored by Poisson deviance.
    """

    of_class: np.ndarray | None
    entropy: bool
    order: RowOrder | None = None
    is_exact: bool = False
    rates: bool = False

    def over(self, data: Training) -> "Rounding":
        """Return this arithmetic with the order of the rows of a fit."""
        whole = self.of_class is not None and bool((self.of_class == np.rint(self.of_class)).all())
        return replace(self, order=RowOrder.of(data), is_exact=whole and not are_rounded(own_weight(data)))

    def part(self, rows: np.ndarray) -> "Rounding":
        """Return this arithmetic with the order of some of the rows."""
        return replace(self, order=None if self.order is None else self.order.part(rows))

    def settle(
        self, data: Training, node: np.ndarray, features: np.ndarray, limits: Limits
    ) -> tuple[int, SplitCandidate]:
        """Return the feature, out of some, on which rpart splits a node with these rows, and the split.

        The limits are those of a side, of which rpart knows rows alone; the feature is -1 if none improves
        anything.
        """
        order, chosen, best = self.order or RowOrder.of(data), -1, SplitCandidate(0.0)
        if len(features) == 1 and (alone := self.split_alone(data, node, int(features[0]), limits)):
            return int(features[0]), alone
        several = len(features) > 1 and self.of_class is None and not self.rates
        unit = self.sums(data, order.of_node(node)).max_gain if several else 1.0
        for f in features.tolist():
            line = in_codes(data, node, f) if self.is_exact else order.line_up(f, node)
            choice = self.split(data, line, f, limits)
            improve = choice.improve / unit  # two numbers may become one
            if improve > best.improve:
                chosen, best = f, choice._replace(improve=improve)
        return chosen, best

    def key_of_categories(
        self, data: Training, level: Level, pairs: Pairs[Totals], code: np.ndarray
    ) -> np.ndarray:
        """Return the means by which rpart orders categories, given a level's pairs, and each row's code.

        Of two classes, they are shares of the first one; rates come in descending order. Where a branch must
        have some rows, it matters which of equal means is the smaller one but for rounding.
        """
        if self.is_exact or (self.of_class is not None and len(self.of_class) != 2):
            return order_key(level, pairs)
        order, V = self.order or RowOrder.of(data), int(code.max(initial=0)) + 1
        in_table = np.argsort(order.rows[level.rows], kind="stable")
        rows, node = level.rows[in_table], level.node[in_table]
        pair = np.searchsorted(pairs.node * V + pairs.code, node * V + code[in_table])
        target, weight = data.targets[0], data.weight if self.rates else own_weight(data)
        y, w = target.codes[rows], np.ones(len(rows)) if weight is None else weight[rows]
        if self.rates:  # the largest one first
            part, whole = -counts_of(np.asarray(target.values)[y], w), w
        elif self.of_class is not None:
            part, whole = np.where(y == 0, w, 0.0), self.of_class[y] * w
        else:
            y = np.asarray(target.values)[y]
            part, whole = (y - (np.bincount(node, y * w) / np.bincount(node, w))[node]) * w, w
        key: np.ndarray = np.bincount(pair, part) / np.bincount(pair, whole)
        return key

    def rounds(self, data: Training) -> bool:
        """Tell whether sums of the rows' weights depend on their order."""
        return are_rounded(own_weight(data))

    def sides(self, data: Training, known: Known, tested: np.ndarray) -> np.ndarray:
        """Return the weight that took each branch, shape (2, J), given the feature that each node tests."""
        order = self.order or RowOrder.of(data)
        return sides_in_order(RoutedRows.of(known, own_weight(data), len(tested), order), tested, order)

    def find(
        self,
        data: Training,
        known: Known,
        tested: np.ndarray,
        both: np.ndarray,
        how: BySurrogates,
        strict: bool,
    ) -> Surrogates:
        """Find the surrogates of nodes, given the feature each tests and the weight of each branch."""
        order = self.order or RowOrder.of(data)
        routed = RoutedRows.of(known, own_weight(data), len(tested), order)
        return find_in_order(data, routed, tested, both, how, strict, order)

    def split(self, data: Training, line: np.ndarray, f: int, limits: Limits) -> SplitCandidate:
        """Return how rpart splits rows by a feature, given them in its order."""
        return self.tried(data, line, f, limits)[0]

    def split_alone(self, data: Training, node: np.ndarray, f: int, limits: Limits) -> SplitCandidate | None:
        """Return the split on a numeric feature if one threshold is better than all others.

        It does not depend on the order of the rows, so rpart's order is not needed.
        """
        if data.features[f].kind == "nominal":
            return None
        choice, close = self.tried(data, in_codes(data, node, f), f, limits)
        return choice if close == 1 else None

    def tried(self, data: Training, line: np.ndarray, f: int, limits: Limits) -> tuple[SplitCandidate, int]:
        """Return the best split of rows by a feature, and the number of splits with nearly its score."""
        line = line[data.codes[f, line] >= 0]
        code, sums = data.codes[f, line], self.sums(data, line)
        if data.features[f].kind == "nominal":
            return by_groups(sums, code, len(data.features[f].values), limits)
        return by_threshold(sums, code, limits)

    def sums(self, data: Training, rows: np.ndarray) -> "SplitSums":
        """Return the sums over some rows, in their order."""
        target, y, ones = data.targets[0], data.targets[0].codes[rows], np.ones(len(rows))
        heeded = np.stack([ones, ones if data.weight is None else data.weight[rows]])
        if self.rates:
            return of_rates(np.asarray(target.values)[y], heeded[1], heeded)
        weight = own_weight(data)
        w = ones if weight is None else weight[rows]
        if self.of_class is None:
            return of_means(np.asarray(target.values)[y], w, heeded)
        return of_classes(y, w, heeded, self.of_class, self.entropy)


def in_codes(data: Training, rows: np.ndarray, f: int) -> np.ndarray:
    """Return some rows in the order of their values; the order of equal ones is arbitrary."""
    return rows[np.argsort(data.codes[f, rows])]


def own_weight(data: Training) -> np.ndarray | None:
    """Return the sample weights, without class weights; None if all are 1."""
    return data.weight if data.case_weight is None else data.case_weight


class SplitSums(NamedTuple):
    """The sums over the rows of a node, and the function that scores splits."""

    steps: np.ndarray  # of each row, (C, rows)
    right: np.ndarray  # of the right side, on which all rows are at first
    score: Callable[[np.ndarray, np.ndarray], np.ndarray]  # of the sides: the largest is the best
    no_split: float  # the score of none
    max_gain: float  # the squared error, or the impurity times the weight
    has_order: bool  # whether the groups of categories that are tried are the cuts of an order
    ascends: int = 1  # 1 if the smallest mean comes first in this order, -1 if the largest


def of_means(y: np.ndarray, w: np.ndarray, heeded: np.ndarray) -> SplitSums:
    """Return the sums for regression targets, given their weights and the amounts that limits count."""
    weight, moment, *others = total(np.stack([w, y * w, *heeded]))
    distance = y - moment / weight

    def score(left: np.ndarray, right: np.ndarray) -> np.ndarray:
        return left[1] * left[1] / left[0] + right[1] * right[1] / right[0]

    steps, risk = np.stack([w, distance * w, *heeded]), total((distance * distance * w)[None])
    return SplitSums(steps, np.array([weight, 0.0, *others]), score, 0.0, float(risk[0]), True)


def of_rates(y: np.ndarray, time: np.ndarray, heeded: np.ndarray) -> SplitSums:
    """Return the sums for rates, given the exposure of each row, and the amounts that limits count."""
    steps = np.stack([time, counts_of(y, time), *heeded])

    def score(*sides: np.ndarray) -> np.ndarray:
        found = np.zeros(sides[0].shape[1])
        for time, events, *_ in sides:
            found = found + [e * math.log(e / t) if e > 0 else 0.0 for t, e in zip(time, events, strict=True)]
        return found

    right = total(steps)
    risk = float(half_deviance(y, np.full(len(y), right[1] / right[0])) @ time)
    return SplitSums(steps, right, score, float(score(right[:, None])[0]), risk, True, -1)


def of_classes(
    y: np.ndarray, w: np.ndarray, heeded: np.ndarray, of_class: np.ndarray, entropy: bool
) -> SplitSums:
    """Return the sums for classes, given their weights and the amounts that limits count."""
    steps = np.stack([of_class[y] * w, *(np.where(y == k, w, 0.0) for k in range(len(of_class))), *heeded])

    def score(*sides: np.ndarray) -> np.ndarray:
        return -impurity(of_class, entropy, *sides)

    right = total(steps)
    no_split = float(score(right[:, None])[0])
    return SplitSums(steps, right, score, no_split, -no_split, len(of_class) == 2)


def impurity(of_class: np.ndarray, entropy: bool, *sides: np.ndarray) -> np.ndarray:
    """Return the impurity of the sides of each split, times their weight, shape (S,)."""
    found = np.zeros(sides[0].shape[1])
    with np.errstate(divide="ignore", invalid="ignore"):  # a side may weigh nothing
        for k, factor in enumerate(of_class, start=1):
            for side in sides:
                p = np.nan_to_num(factor * side[k] / side[0])
                found = found + side[0] * (part_of_entropy(p) if entropy else p * (1 - p))
    return found


def part_of_entropy(p: np.ndarray) -> np.ndarray:
    """Return -p ln p of some shares, by the logarithm that C has, too."""
    return np.array([-x * math.log(x) if x > 0 else 0.0 for x in p.tolist()])


def altered(prior: np.ndarray, loss: np.ndarray, share: np.ndarray) -> np.ndarray:
    """Return the factors by which rpart multiplies the weights of each class.

    Examples
    --------
    >>> altered(np.array([0.5, 0.5]), np.array([[0.0, 1.0], [3.0, 0.0]]), np.array([0.25, 0.75]))
    array([1., 1.])
    """
    every, of_class = 0.0, np.zeros(len(prior))
    for i in range(len(prior)):
        for j in range(len(prior)):
            every += loss[i, j] * prior[i]
            of_class[i] += loss[i, j] * prior[i]
    return of_class / ((every or 1.0) * np.where(share > 0, share, 1))  # one class alone costs nothing


def shares_in_r(codes: np.ndarray, weight: np.ndarray, K: int) -> np.ndarray:
    """Return the share of each class of all weight as R makes priors of them: it adds up in more digits.

    Examples
    --------
    >>> shares_in_r(np.array([0, 0, 0, 1]), np.array([0.1, 0.2, 0.3, 0.4]), 2).tolist()
    [0.6, 0.4]
    """
    of_class = np.array([math.fsum(weight[codes == k]) for k in range(K)])
    return of_class / math.fsum(of_class)


def shares_in_rpart(codes: np.ndarray, weight: np.ndarray, K: int) -> np.ndarray:
    """Return the share of each class of all weight as rpart computes it: added up row by row, as float64.

    Examples
    --------
    >>> shares_in_rpart(np.array([0, 0, 0, 1]), np.array([0.1, 0.2, 0.3, 0.4]), 2).tolist()
    [0.6000000000000001, 0.4]
    """
    shares: np.ndarray = np.bincount(codes, weight, K) / total(weight[None])[0]
    return shares


def by_threshold(sums: SplitSums, code: np.ndarray, limits: Limits) -> tuple[SplitCandidate, int]:
    """Return the best threshold, given the codes of the rows, and the number with nearly its score."""
    found = best_try(sums, [(sums.steps, np.append(code[1:] != code[:-1], False))], limits)
    if found.place < 0:
        return SplitCandidate(0.0), found.close
    low, high = code[found.place : found.place + 2].tolist()
    return SplitCandidate(found.improve, low, high), found.close


def by_groups(sums: SplitSums, code: np.ndarray, V: int, limits: Limits) -> tuple[SplitCandidate, int]:
    """Return the best two groups of the categories that some rows have, out of V."""
    table = np.stack([np.bincount(code, x) for x in sums.steps])
    names = np.flatnonzero(table[0] > 0)
    table = table[:, names]
    if not sums.has_order:
        found = best_try(sums, each_group(table, names[-1] == V - 1), limits)
        number = found.place + 1
        left = names[(number ^ number >> 1) >> np.arange(len(names)) & 1 == 1]
    else:
        order = np.argsort(sums.ascends * table[1] / table[0], kind="stable")
        found = best_try(sums, [(table[:, order], np.ones(len(names), bool))], limits)
        left = np.sort(names[order[: found.place + 1]])
    return SplitCandidate(found.improve, left=left if found.place >= 0 else None), found.close


def each_group(table: np.ndarray, has_last: bool) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield the steps that lead to all groups of categories (Gray code), given the sums of each category.

    With each step one category changes sides. The last category of the feature never does; if no row has it,
    each pair of groups comes twice.

    Examples
    --------
    >>> [steps.tolist() for steps, _ in each_group(np.array([[1, 20, 300]]), True)]
    [[[1, 20, -1]]]
    """
    for first in range(1, 1 << (table.shape[1] - has_last), GROUPS_AT_ONCE):
        number = np.arange(first, min(first + GROUPS_AT_ONCE, 1 << (table.shape[1] - has_last)))
        name = np.log2(number & -number).astype(np.intp)
        back = number >> (name + 1) & 1
        yield table[:, name] * (1 - 2 * back), np.ones(len(number), bool)


class Best(NamedTuple):
    """The first of the best splits: its improvement, its position, and the number with nearly its score."""

    improve: float
    place: int = -1
    close: int = 0


def best_try(sums: SplitSums, tries: Iterable[tuple[np.ndarray, np.ndarray]], limits: Limits) -> Best:
    """Try splits one after the other, given batches of steps, and a mask of the steps that may be splits."""
    left, right, start, best, top = np.zeros(len(sums.right)), sums.right, 0, Best(0.0), sums.no_split
    for steps, may in tries:
        lefts, rights = added_up(left, steps), added_up(right, -steps)
        split = np.flatnonzero(may & both_have_enough(lefts, rights, limits))
        score = sums.score(lefts[:, split], rights[:, split])
        if len(score) and score.max() > top:
            top = float(score.max())
            close = int(np.count_nonzero(score >= top - MAYBE_EQUAL * sums.max_gain))
            best = Best(top - sums.no_split, start + int(split[score.argmax()]), close)
        left, right, start = lefts[:, -1], rights[:, -1], start + len(may)
    return best


def both_have_enough(left: np.ndarray, right: np.ndarray, limits: Limits) -> np.ndarray:
    """Tell for which splits both sides have the minimum rows and weight."""
    has_rows = np.minimum(left[AT_ROWS], right[AT_ROWS]) >= limits.rows
    if limits.weight <= 0:  # sums of weights are rounded, and no rule asks for them
        return has_rows
    return has_rows & (np.minimum(left[AT_WEIGHT], right[AT_WEIGHT]) >= limits.weight * NEARLY)
