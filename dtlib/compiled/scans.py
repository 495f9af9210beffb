"""The best cut of one node along one line: the rows of a feature in the order of its values.

A line holds for each row one integer, its entry: the code of its value, shifted by 32 bits, plus its tag,
which is the row and, if there are two classes, whether it is of the second. The rows up to a cut are on its
left. A scan returns what `best_of` keeps: the best score, the score of the first cut that equals it, the
number of rows left of this cut (0 if no cut scores more than `floor`), and whether that is in doubt. A finite
`find` selects the first cut that scores at least `find`.

Examples
--------
>>> line, label = np.arange(4) << CODE | np.arange(4), np.array([0, 0, 1, 1])
>>> share, square = np.array([0, 0.5, 1, 1.5]), np.array([0, 8 / 3, 2, 8 / 3])  # 2 of 4 rows count
>>> wanted = Wanted(slack=1e-9, floor=-np.inf, find=np.inf, gap=0.0, few=1, least=0, n=4)
>>> best, _, rows, _ = scan_sums(line, np.empty(0), wanted, label, share, square)
>>> float(best), rows
(2.0, 2)
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from dtlib.arrays import TINY
from dtlib.compiled.describe import excess
from dtlib.compiled.state import CODE, NEAR, OF_SECOND, ROW
from dtlib.jit.compiling import inlined, inner


class Wanted(NamedTuple):
    """Which cut of a line is sought. They are numbers alone: a tuple of them costs no more than they do."""

    slack: float  # scores no further apart are equal
    floor: float  # what scores no more is of no interest
    find: float  # the first cut that scores so much is sought; infinite: the best one
    gap: np.float32  # values no further apart are not parted
    few: int  # rows that each side must have
    least: float  # and weight, in the unit of the sums
    n: int  # the weight of the node, in this unit


@inner
def may_part(entry, after, values, gap):
    """Tell whether a cut may come between two entries: their values differ, and are not too close."""
    if entry & NEAR:
        return values[after >> CODE] > values[entry >> CODE] + gap
    return entry >> CODE != after >> CODE


@inner
def best_of(kept, score, i, slack, find):
    """Return the best score so far, that of the first cut that equals it, its position, and if in doubt.

    Scores no further apart than the slack are equal. If the best score grows from one that is equal to the
    new one, the first equal cut may lie between: it is in doubt, and a second scan has to find it.
    """
    best, at, where, near_tie = kept
    if score >= find:
        return np.inf, score, i, False  # found: infinity keeps any later cut from replacing it
    if at < score - slack:
        return score, score, i, best >= score - slack
    return score, at, where, near_tie


@inner
def class_of(entry, _):
    """Return 1 for a row of the second of two classes, else 0."""
    return (entry >> OF_SECOND) & 1


@inner
def number_of(entry, numbers):
    """Return the integer of a row that is summed."""
    return numbers[entry & ROW]


def scan_of(value_of: Callable[..., Any]) -> Callable[..., Any]:
    """Return a scan that scores by one sum of integers, given the function that returns those of a row.

    `expected[i]` is the expected sum of i rows, and `factor[i]` the factor of the squared distance from it.
    """

    @inner
    def scan(line, values, wanted, numbers, expected, factor):
        slack, floor, find, gap, few, _, _ = wanted
        n, sums = len(line), 0
        kept = (floor, -np.inf, 0, False)
        for i in range(few - 1):
            sums += value_of(line[i], numbers)
        entry = line[few - 1]
        for i in range(few, n - few + 1):
            sums += value_of(entry, numbers)
            after = line[i]
            d = sums - expected[i]
            score = d * d * factor[i]
            if score > kept[0] and may_part(entry, after, values, gap):
                kept = best_of(kept, score, i, slack, find)
            entry = after
        return kept

    return scan


scan_classes, scan_sums = scan_of(class_of), scan_of(number_of)  # of two classes; distances from the mean


@inner
def of_pairs(n_left, n_right, squares_left, squares_right, above):
    """Score a cut by the pairs of rows of different classes on each side, given sums of squared counts."""
    in_left, in_right = (n_left * n_left - squares_left) // 2, (n_right * n_right - squares_right) // 2
    return 2 * (above - (in_left * (1 / n_left) + in_right * (1 / n_right)))


@inner
def pairs_apart(counts, n):
    """Return how many pairs of n rows differ in class, over n; and the sum of squared counts."""
    total = 0
    for k in range(len(counts)):
        total += counts[k] * counts[k]
    return (n * n - total) // 2 * (1 / n), total


@inner
def scan_pairs(line, values, wanted, weight, whole, left, label):
    """Score by the pairs of rows that differ in class: Gini of several classes.

    `whole` is the weight of each class. Of the squares on the right, (C - c)², only the
    sums of c² and of c C change from row to row.
    """
    slack, floor, find, gap, few, least, n = wanted
    rows, n_left, squared, crossed = len(line), 0, 0, 0
    left[:] = 0
    above, total = pairs_apart(whole, n)
    kept = (floor, -np.inf, 0, False)
    entry = line[0]
    for i in range(1, rows - few + 1):
        row = entry & ROW
        k, w = label[row], 1
        if len(weight):
            w = weight[row]
        c = left[k]
        left[k] = c + w
        n_left += w
        squared += w * (2 * c + w)
        crossed += w * whole[k]
        after, n_right = line[i], n - n_left
        enough = i >= few and n_left >= least and n_right >= least
        if enough and may_part(entry, after, values, gap):
            score = of_pairs(n_left, n_right, squared, total - 2 * crossed + squared, above)
            if score > kept[0]:
                kept = best_of(kept, score, i, slack, find)
        entry = after
    return kept


@inlined
def logs_of(counts, table):
    """Return the sum of c log2 c over the classes, the first one last."""
    total = table[counts[1]]
    for k in range(2, len(counts)):
        total += table[counts[k]]
    return total + table[counts[0]]


@inlined
def largest_of(counts):
    """Return the largest count."""
    most = counts[0]
    for k in range(1, len(counts)):
        most = max(most, counts[k])
    return most


@inner
def scan_concave(line, values, wanted, weight, whole, left, label, right, table):
    """Score by entropy, whose logarithms are looked up; without a table, by the classification error."""
    slack, floor, find, gap, few, least, n = wanted
    rows, n_left, has_logs = len(line), 0, len(table) > 0
    left[:] = 0
    for k in range(len(right)):
        right[k] = whole[k]
    before = logs_of(whole, table) if has_logs else largest_of(whole) * 1.0
    kept = (floor, -np.inf, 0, False)
    entry = line[0]
    for i in range(1, rows - few + 1):
        row = entry & ROW
        k, w = label[row], 1
        if len(weight):
            w = weight[row]
        n_left += w
        left[k] += w
        right[k] -= w
        after, n_right = line[i], n - n_left
        enough = i >= few and n_left >= least and n_right >= least
        if enough and may_part(entry, after, values, gap):
            if has_logs:
                base = table[n_left] + table[n_right] + before - table[n]
                score = logs_of(left, table) + logs_of(right, table) - base
            else:
                score = largest_of(left) + largest_of(right) - before
            if score > kept[0]:
                kept = best_of(kept, score, i, slack, find)
        entry = after
    return kept


@inlined
def squares(left, whole, share, ends, has_rest):
    """Return the sum of squared distances of the sums of each output from their share of the whole."""
    total, rest = 0.0, 0.0
    for g in range(len(ends) - 1):
        rest = 0.0
        for k in range(ends[g], ends[g + 1]):
            d = left[k] - share * whole[k]
            rest += d
            total += d * d
        if has_rest and ends[g + 1] > ends[g]:
            total += rest * rest
    return total


@inner
def scan_channels(line, values, wanted, weight, whole, left, channels, ends, counts):
    """Score by several sums, or by weighted ones: Gini or squared error of several outputs.

    `counts` says whether what is left of an output counts as a sum, too, and what a square counts.
    """
    slack, floor, find, gap, few, least, n = wanted
    rows, n_left, (has_rest, scale) = len(line), 0, counts
    left[:] = 0
    kept = (floor, -np.inf, 0, False)
    entry = line[0]
    for i in range(1, rows - few + 1):
        row = entry & ROW
        w = 1
        if len(weight):
            w = weight[row]
        n_left += w
        for k in range(len(left)):
            left[k] += channels[k, row]
        after, n_right = line[i], n - n_left
        enough = i >= few and n_left >= least and n_right >= least
        if enough and may_part(entry, after, values, gap):
            factor = (1 / n_left + 1 / n_right) * scale
            score = squares(left, whole, n_left / n, ends, has_rest) * factor
            if score > kept[0]:
                kept = best_of(kept, score, i, slack, find)
        entry = after
    return kept


@inlined
def of_rates(left, right, expected_left, expected_right):
    """Score a cut by the counts on both sides, none of them 0, and those that are expected."""
    one, other = max(expected_left, TINY), max(expected_right, TINY)
    return one * excess(left / one) + other * excess(right / other)


@inner
def scan_rates(line, values, wanted, weight, counts, whole):
    """Score by the Poisson deviance of counts; no side may be without any."""
    slack, floor, find, gap, few, least, n = wanted
    rows, n_left, left = len(line), 0, 0
    kept = (floor, -np.inf, 0, False)
    entry = line[0]
    for i in range(1, rows - few + 1):
        row = entry & ROW
        w = 1
        if len(weight):
            w = weight[row]
        n_left += w
        left += counts[row]
        after, n_right = line[i], n - n_left
        enough = i >= few and n_left >= least and n_right >= least and 0 < left < whole
        if enough and may_part(entry, after, values, gap):
            expected = n_left / n * whole
            score = of_rates(left, whole - left, expected, whole - expected)
            if score > kept[0]:
                kept = best_of(kept, score, i, slack, find)
        entry = after
    return kept
