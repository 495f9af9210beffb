"""Which of equal surrogates rpart takes where sums of weights are rounded (chapter 8).

How much weight takes each branch, and how much a surrogate sends as the question does, are sums of floats.
Everywhere else in this library they are exact. Here they are added up row by row, in the order of rpart
(`rpart_order`), for weights whose sums depend on that: 0.1 and the like.

Legend: J is the number of nodes of a level. rpart calls its sons left and right; the right one has the larger
mean, and is any of our two branches.
"""

from typing import NamedTuple

import numpy as np

from dtlib.counting.targets import in_whole_numbers
from dtlib.dialects.rpart_order import RowOrder, added_up, total
from dtlib.search.level import BLOCK
from dtlib.search.rules import BySurrogates
from dtlib.search.surrogates import (
    EACH_WAY,
    Known,
    NominalFeature,
    SurrogateCandidates,
    Surrogates,
    best_of_each,
    categorical_surrogate,
    count_sides,
    right_children,
    worthwhile,
)
from dtlib.table.training import Training


def are_rounded(weight: np.ndarray | None) -> bool:
    """Tell whether sums of some weights depend on their order.

    Examples
    --------
    >>> are_rounded(np.array([0.1, 0.2])), are_rounded(np.array([0.75, 3.0])), are_rounded(None)
    (True, False, False)
    """
    if weight is None:
        return False
    whole, shift = in_whole_numbers(weight)
    return bool((np.ldexp(whole.astype(float), -shift) != weight).any())


class RoutedRows(NamedTuple):
    """The rows of each node in the order of the table; of all rows, the branch taken and the weight."""

    rows: list[np.ndarray]
    branch: np.ndarray
    weight: np.ndarray

    @classmethod
    def of(cls, known: Known, weight: np.ndarray | None, J: int, order: RowOrder) -> "RoutedRows":
        """Return what is known of the rows of a level, given the weights of all rows."""
        weight = np.ones(len(order.rows)) if weight is None else weight
        branch = np.full(len(weight), -1)
        branch[known.row] = known.branch
        by_node = known.row[np.argsort(known.node, kind="stable")]
        ends = np.cumsum(np.bincount(known.node, minlength=J))
        rows = [order.in_table(some) for some in np.split(by_node, ends)[:J]]
        return cls(rows, branch, weight)

    def known(self, nodes: np.ndarray) -> Known:
        """Return what is known of the rows of some nodes."""
        some = [self.rows[j] for j in nodes.tolist()]
        rows = np.concatenate([np.empty(0, np.intp), *some])
        node = np.repeat(nodes, [len(part) for part in some])
        return Known(rows, node, self.branch[rows], self.weight[rows])

    def sides(self, rows: np.ndarray) -> np.ndarray:
        """Return the weight of rows on the side of the branch that each took, shape (2, ...)."""
        branch, weight = self.branch[rows], self.weight[rows]
        return np.stack([np.where(branch == side, weight, 0.0) for side in (0, 1)])


def sides_in_order(routed: RoutedRows, tested: np.ndarray, order: RowOrder) -> np.ndarray:
    """Return the weight that took each branch, shape (2, J), given the split of each node."""
    pairs = zip(tested.tolist(), routed.rows, strict=True)
    return np.array([total(routed.sides(order.line_up(f, rows))) for f, rows in pairs]).reshape(-1, 2).T


def find_in_order(
    data: Training, routed: RoutedRows, tested: np.ndarray, both: np.ndarray, how: BySurrogates, strict: bool,
    order: RowOrder,
) -> Surrogates:  # fmt: skip
    """Find the surrogates of the nodes of a level, given the split and the branch weights of each."""
    J, lines, names = len(tested), [np.empty((7, 0))], dict[int, tuple[NominalFeature, int]]()
    right = right_children(data, routed.known(np.arange(J)), J)
    last = right if how.categorical_rule == "disagree" else np.ones(J, np.intp)
    is_nominal = np.array([feature.kind == "nominal" for feature in data.features])
    for f in np.flatnonzero(is_nominal).tolist():
        part = routed.known(np.flatnonzero(tested != f))
        pairs = count_sides(part, data.codes[f, part.row], len(data.features[f].values))
        found = categorical_surrogate(pairs, J, how.categorical_rule, last)
        assert found.categorical is not None
        names[f] = found.categorical, 0
        own = np.stack([np.bincount(pairs.node, w, J) for w in pairs.sums.weight])
        lines.append(worthwhile(found, own if how.agreement == "known" else both, found.node, f))
    for j, (rows, f) in enumerate(zip(routed.rows, tested.tolist(), strict=True)):
        others = np.setdiff1d(np.flatnonzero(~is_nominal), f)
        step = max(1, BLOCK // len(rows))
        for features in (others[a : a + step] for a in range(0, len(others), step)):
            found, own = thresholds_in_order(data, routed, rows, features, int(right[j]), order)
            own = own if how.agreement == "known" else np.broadcast_to(both[:, [j]], own.shape)
            lines.append(worthwhile(found, own, np.full(len(found.node), j), features[found.node]))
    return best_of_each(data, np.concatenate(lines, axis=1), names, J, how.max_surrogates, strict)


def thresholds_in_order(
    data: Training, routed: RoutedRows, rows: np.ndarray, features: np.ndarray, right: int, order: RowOrder
) -> tuple[SurrogateCandidates, np.ndarray]:
    """Find the threshold of each of some features that sends most weight of a node alike, if it helps.

    What is up to a threshold may go to the right branch or to the left one; at each, the right is tried
    first.

    Returns
    -------
    found : SurrogateCandidates
        Its `node` is the place of a feature.
    both : ndarray of shape (2, features)
        The weight on both sides of the rows that know the feature.
    """
    lines = order.lines(features, rows)
    code = data.codes[features[:, None], lines]
    sides = np.where(code >= 0, routed.sides(lines), 0.0)
    both = total(sides[..., ::-1])  # from the last row to the first
    up_to, beyond = added_up(np.zeros_like(both), sides)[..., :-1], added_up(both, -sides)[..., :-1]
    counted = np.cumsum((sides > 0).any(axis=0), axis=1)
    possible = (counted[:, :-1] >= EACH_WAY) & (counted[:, -1:] - counted[:, :-1] >= EACH_WAY)
    possible &= (code[:, 1:] != code[:, :-1]) & (code[:, 1:] >= 0)
    majority = both.max(0)[:, None]
    to_right = np.where(possible, up_to[right] + beyond[1 - right], -np.inf)
    to_left = np.where(possible & (to_right <= majority), up_to[1 - right] + beyond[right], -np.inf)
    alike = np.stack([to_right, to_left], axis=2).reshape(len(features), -1)
    best = alike.argmax(1)
    f = np.flatnonzero(alike.max(1) > majority[:, 0])
    place, is_left = np.divmod(best[f], 2)
    side = np.where(is_left == 1, 1 - right, right)
    return SurrogateCandidates(f, alike[f, best[f]], code[f, place], code[f, place + 1], side), both
