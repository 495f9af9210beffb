"""Counts and rates, predicted by their mean (chapter 11): the targets of trees that grow by Poisson deviance.

The rate of a node is its sum of counts divided by its weight; where each row was watched for a time of its
own, the weight is that exposure. Its deviance is a function of these two sums, and of a term of each row that
no split changes. So a channel holds the counts themselves, as integers, in one unit for all nodes: a sum is 0
if and only if nothing happened.

rpart [1]_ draws the rates of nodes toward that of all rows, as if each had seen ``shrinkage**-2`` more events
at that rate: the mean of a gamma distribution whose coefficient of variation is the shrinkage.

References
----------
.. [1] T. M. Therneau, E. J. Atkinson, "An introduction to recursive partitioning using the RPART routines",
   Mayo Foundation, chapter 8.
"""

from collections.abc import Sequence

import numpy as np

from dtlib.arrays import TINY, of_group, offsets
from dtlib.counting.criteria import half_deviance
from dtlib.counting.targets import RegressionTarget, Totals, in_whole_numbers
from dtlib.table.columns import Column

SNAPPED = 4 * np.finfo(float).eps  # a rate times its exposure may miss the count by so much


def counts_of(y: np.ndarray, weight: np.ndarray | None) -> np.ndarray:
    """Return the counts, rates times weights; a whole number that rounding has missed is that number.

    Examples
    --------
    >>> float(1 / 49 * 49), counts_of(np.array([1 / 49, 0.3]), np.array([49.0, 1.0])).tolist()
    (0.9999999999999999, [1.0, 0.3])
    """
    count = y if weight is None else y * weight
    whole = np.rint(count)
    return np.where(np.abs(count - whole) <= SNAPPED * count, whole, count)


class RateTarget(RegressionTarget):
    """Counts or rates: a channel for each output, the target times the row's weight, in one unit.

    Parameters
    ----------
    columns, weight, criterion
        As for `RegressionTarget`; no target is below 0.
    shrinkage : float
        How far the rates of nodes may lie from that of all rows: their coefficient of variation; 0 if they
        are not shrunk.
    zero_rates : bool
        Whether a branch may have no events.
    """

    def __init__(
        self,
        columns: Sequence[Column],
        weight: np.ndarray | None,
        criterion: str,
        shrinkage: float = 0.0,
        zero_rates: bool = False,
    ):
        super().__init__(columns, weight, criterion)
        share = None if self.weight is None else self.weight * self.weight_unit
        counts = [counts_of(y, share) for y in self.y]
        whole, shift = in_whole_numbers(np.concatenate(counts))
        self.shifted, self.unit = np.split(whole, len(counts)), 2.0**-shift
        self.zero_rates = zero_rates
        self.events = shrinkage**-2 if shrinkage else 0.0  # of the prior, and for how long they are seen
        total = float(len(self.rows) if share is None else share.sum())
        self.times = [self.events * total / max(float(count.sum()), TINY) for count in counts]

    def center(self, rows: np.ndarray, totals: Totals, center: np.ndarray) -> tuple[Totals, float]:
        """Return the sums over the nodes of a level, whose channels are made already, and their unit."""
        return totals, self.unit

    def max_gain(self, totals: Totals, impurity: np.ndarray) -> tuple[np.ndarray, np.ndarray | float]:
        """Return the gain of splits into pure branches, in the unit of a weight, and what rounding may do.

        An expected sum is rounded, so a score may be off by a part of the distances from it; by Cauchy's
        inequality, their sum is about the root of twice the gain times the sum of the targets.
        """
        gain, unit = totals.n * impurity, self.weight_unit / self.unit
        events = sum(c.astype(float) for c in totals.channels)
        return gain, 1e-15 * np.sqrt(gain * unit * events)

    def summarize(
        self, rows: np.ndarray, node: np.ndarray, totals: Totals
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the rate of each node, its impurity, and whether all its rows have equal targets."""
        if not totals.rows.all():
            return self.summarize_some(rows, node, totals)
        J, w = len(totals.n), self.weights_of(rows)
        n, start = np.maximum(totals.n * self.weight_unit, TINY), offsets(totals.rows)
        centers, impurity, pure = [], np.zeros(J), np.ones(J, bool)
        for y, time in zip(self.y, self.times, strict=True):
            y = np.take(y, rows)
            low, high = np.minimum.reduceat(y, start), np.maximum.reduceat(y, start)
            pure &= low == high
            center = np.bincount(node, y if w is None else y * w, minlength=J) / n
            center = np.clip(center, low, high)
            if self.events:
                center = (center * n + self.events) / (n + time)
            centers.append(center)
            lost = half_deviance(y, of_group(center, node))
            impurity += np.bincount(node, lost if w is None else lost * w, J) / n / len(self.y)
        if not self.events:
            impurity[pure] = 0.0
        return np.stack(centers, axis=1), impurity, pure
