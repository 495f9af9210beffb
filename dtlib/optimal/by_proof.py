"""Growing an optimal tree: its splits are found first, then its nodes are described.

Examples
--------
>>> from dtlib.search.listed import SearchSettings
>>> from dtlib.table.reading import class_targets
>>> from dtlib.table.training import read_training
>>> xor = read_training(np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]]), class_targets([0, 1, 1, 0], 4))
>>> grow_best(xor, None, SearchSettings(max_depth=2))
(<Tree: 7 nodes, 4 leaves, depth 2>, Certificate(objective=0.0, lower_bound=0.0, is_smallest=True, \
rounding=0.0))
"""

import math
from dataclasses import replace
from functools import cache
from typing import NamedTuple

import numpy as np
from threadpoolctl import ThreadpoolController

from dtlib.arrays import numbered, offsets, owners
from dtlib.growing.by_score import ByScore
from dtlib.growing.nodes import Nodes, Routed, children
from dtlib.optimal.best_tree import NO_START, BestTree, Outline
from dtlib.optimal.greedy_start import greedy_start
from dtlib.search.listed import SearchSettings
from dtlib.search.questions import CandidateTests, questions_of
from dtlib.search.rules import Rules
from dtlib.table.training import Training
from dtlib.tree import reasons
from dtlib.tree.tree import Tree

NO_ROUNDING = 1e-6  # a proof counts if rounding of costs hides at most this share of the objective


class Certificate(NamedTuple):
    """The cost of a tree, and a lower bound for all trees: share of errors plus complexity penalty of leaves.

    `is_smallest` says whether it is proved that no tree of equal cost has fewer leaves. All refer to rounded
    costs: the true cost of any tree may be lower by up to `rounding`.
    """

    objective: float
    lower_bound: float
    is_smallest: bool
    rounding: float = 0.0

    def as_paid(self, objective: float) -> "Certificate":
        """Return the certificate for costs without rounding, given the tree's cost without rounding.

        Examples
        --------
        >>> Certificate(0.0, 0.0, True).as_paid(0.25)  # the costs of its errors were rounded to 0
        Certificate(objective=0.25, lower_bound=0.0, is_smallest=False, rounding=0.0)
        >>> Certificate(0.1, 0.1, True, rounding=1e-12).as_paid(0.1)
        Certificate(objective=0.1, lower_bound=0.1, is_smallest=True, rounding=0.0)
        """
        is_same = abs(self.objective - objective) <= np.spacing(64 * objective)  # up to the order of sums
        objective = self.objective if is_same else objective
        lower = min(objective, max(0.0, self.lower_bound - self.rounding))
        is_proved = self.lower_bound == self.objective and objective - lower <= NO_ROUNDING * objective
        return Certificate(objective, objective if is_proved else lower, self.is_smallest and is_proved)


class OptimalBuilder(ByScore):
    """A tree whose splits are known.

    Parameters
    ----------
    data : Training
    rules : Rules
    questions : CandidateTests
    outline : Outline
        The splits of its nodes.
    reason, otherwise : str
        Why a node that could be split is a leaf: `reason` if the outline proves that no split is better, else
        `otherwise`.
    """

    def __init__(
        self, data: Training, rules: Rules, questions: CandidateTests, outline: Outline, reason: str,
        otherwise: str,
    ):  # fmt: skip
        super().__init__(data, rules)
        self.questions, self.outline, self.reason, self.otherwise = questions, outline, reason, otherwise

    def split(self, nodes: Nodes, at: np.ndarray) -> None:
        """Write the known splits of the open nodes into `nodes`, and send the rows down."""
        keep = (nodes.stop == 0)[self.incoming.node]
        rows, size = self.incoming.rows.compress(keep), self.totals.rows[at]
        points, level = self.questions.point[rows], len(self.levels) - 1
        branch, categorical = np.zeros(len(rows), np.intp), [np.empty((2, 0), np.intp)]
        for place, a, b in zip(at.tolist(), offsets(size).tolist(), np.cumsum(size).tolist(), strict=True):
            q = self.outline.get((level, int(points[a:b].min())))
            if q is None or q < 0:
                nodes.stop[place] = reasons.code_of(self.otherwise if q is None else self.reason)
                continue
            f, yes = int(self.questions.feature[q]), self.questions.answer(q, points[a:b])
            own = self.data.codes[f, rows[a:b]]
            first = yes if f in self.rules.one_vs_rest else yes == yes[own.argmin()]
            nodes.feature[place], branch[a:b] = f, ~first
            if self.data.features[f].kind == "nominal":
                present, at_present = np.unique(own, return_index=True)
                nodes.n_values[place] = len(present)
                categorical.append(np.stack([present, ~first[at_present]]))
            else:
                nodes.low[place], nodes.high[place] = own[first].max(), own[~first].min()
        nodes.code, nodes.branch = np.concatenate(categorical, axis=1)
        does_split = nodes.feature[at] >= 0
        node = owners(size)
        going, split = does_split[node], at[does_split]
        rows, branch, node = rows[going], branch[going], numbered(does_split)[node[going]]
        nodes.gain[split] = self.gains(rows, 2 * node + branch, nodes.n[split])
        self.incoming = children(
            Routed(rows, node, branch, split, np.full(len(split), 2), nodes.place[split])
        )

    def gains(self, rows: np.ndarray, side: np.ndarray, n: np.ndarray) -> np.ndarray:
        """Return the decrease of the share of errors by each split, given the side of each row."""
        totals = self.target.totals(self.target.gather(rows), side, 2 * len(n))
        right = np.maximum(totals.n - sum(totals.channels), np.max([totals.n * 0, *totals.channels], axis=0))
        whole = totals.n[::2] + totals.n[1::2]
        channels = [c[::2] + c[1::2] for c in totals.channels]
        alone = np.maximum(whole - sum(channels), np.max([whole * 0, *channels], axis=0))
        return (right[::2] + right[1::2] - alone) * self.target.weight_unit / n


def grow_best(data: Training, loss: np.ndarray | None, terms: SearchSettings) -> tuple[Tree, Certificate]:
    """Find an optimal tree, and grow it.

    Parameters
    ----------
    data : Training
        No missing values, one output of classes. If `weight` includes misclassification costs, `case_weight`
        is the weight without them.
    loss : ndarray of shape (K, K), optional
        The cost of predicting the class of the column for that of the row; default: an error costs 1.
    terms : SearchSettings
    """
    weight, n, K = data.case_weight, data.shape[1], len(data.targets[0].values)
    weight = np.ones(n) if weight is None else weight
    questions = questions_of(data, weight, loss_of(loss, K), terms)
    start = greedy_start(data, questions, terms) if terms.end < np.inf else NO_START
    with libraries().limit(limits=1, user_api="blas"):  # the products of matrices are small
        search = BestTree(questions, terms.end, start)
        root = search.find(terms.max_depth)
        outline = search.outline(terms.max_depth)
    rules = Rules(
        criterion="misclassification", one_vs_rest=questions.one_vs_rest, max_depth=terms.max_depth,
        min_leaf=terms.min_leaf, zero_gain=True, is_optimal=True,
    )  # fmt: skip
    reason = reasons.PRICED if terms.ccp_alpha else reasons.COLLAPSED
    otherwise = reason if root.is_solved else reasons.LATE
    (grown,) = OptimalBuilder(data, rules, questions, outline, reason, otherwise).grow().trees()
    return replace(grown, grown_by=rules), certified(questions, terms, root.upper, root.lower)


def loss_of(loss: np.ndarray | None, K: int) -> np.ndarray:
    """Return the loss matrix of K classes; default: every error costs 1."""
    return 1.0 - np.eye(K) if loss is None else loss


@cache
def libraries() -> ThreadpoolController:
    """Return the cached controller of NumPy's threads; to make one takes longer than a small tree."""
    return ThreadpoolController()


def certified(questions: CandidateTests, terms: SearchSettings, cost: int, lower: int) -> Certificate:
    """Return the certificate of a tree: its cost and the lower bound, as shares of all weight.

    Parameters
    ----------
    questions : CandidateTests
    terms : SearchSettings
    cost, lower : int
        The cost of the tree, and the lower bound, both in the unit of the search.
    """
    leaves = cost % questions.leaves
    errors = (cost - leaves * questions.alpha + questions.floor) // questions.leaves
    objective = errors * questions.unit / questions.total + terms.ccp_alpha * leaves
    rounding = questions.rounding / questions.total
    if lower // questions.leaves >= cost // questions.leaves:
        return Certificate(objective, objective, lower == cost, rounding)
    bound = (lower + questions.floor) // questions.leaves * questions.unit / questions.total
    return Certificate(objective, min(objective, bound), False, rounding)


def paid_for(tree: Tree, codes: np.ndarray, node: np.ndarray, weight: np.ndarray, loss: np.ndarray) -> float:
    """Return the cost of the errors of a tree on some rows, as a share of all weight.

    Parameters
    ----------
    tree : Tree
    codes, node : int ndarrays of shape (n,)
        The class of each row, and the node in which it ends.
    weight : ndarray of shape (n,)
    loss : ndarray of shape (K, K)
    """
    cost = weight * loss[codes, tree.label[node]]
    return math.fsum(cost.tolist()) / math.fsum(weight.tolist())
