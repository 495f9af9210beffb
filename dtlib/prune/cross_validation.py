"""Choosing alpha, the complexity penalty of a leaf, by rows that were not used for growing (chapter 14).

In cross-validation a tree is grown without each fold, pruned at every alpha, and tested on the fold. No tree
is grown or visited for each alpha: a row that comes to a node is predicted there for one interval of alphas,
so its cost is added where the interval begins and subtracted where it ends, and one running sum gives the
cost at all alphas [1]_ (sections 3.4 and 8.5), as in rpart [2]_:

- The alphas are those of the full tree. Between two of them, the interval is represented by their geometric
  mean (0 if the lower one is not above 0; infinity for the root alone).
- Risks are sums over rows, and smaller in a tree grown from fewer rows: for such a tree, alpha is multiplied
  by the share of the weight from which it was grown. (For errors it is the share of the sample weights, as in
  rpart; for an impurity, that of the weights with class weights, so that scikit-learn's alpha stays the
  same.)
- The standard error is that of a mean over independent rows, for any cost of a row. Each row, of weight w,
  costs e: 0 or 1, or by a loss the cost of its error, or the square of a distance. With ``W = sum of w`` and
  ``E = sum of w e``, the mean is ``m = E / W``. A weight counts equal rows, so the variance of the cost of a
  row is ``s**2 = sum of w (e - m)**2 / W``, that of the mean of W rows is ``s**2 / W``, and the standard
  error of E, W times that of the mean, is ``sqrt(sum of w e**2 - E**2 / W)``. If each error costs 1, ``e**2``
  is e, and this is the ``sqrt(W m (1 - m))`` of the textbooks; with a loss it is not, as a few rows that cost
  much make the mean less certain than many that cost little. Nothing else in the 1-SE rule depends on the
  cost of an error, so the rule holds with a loss as without [1]_ (chapter 12). rpart adds up the same sums
  [2]_, but takes e from the transposed loss, so that its table is wrong if the loss is not symmetric
  (tests/oracles/README.md).

A row counts as one row, also if it is divided into fractional instances or tested several times. A row that
is divided costs the mean of its nodes' costs, weighted by the fractions (its prediction, a mixture over these
nodes, may have another cost). If folds test a row t times, with a total cost of s, then
``m = sum of w s / sum of w t``, and the square of the standard error of E is ``sum of w (s - m t)**2``, that
of a ratio of two means: three tests of a row are not three rows. The trees of different folds share most of
their rows; the standard error ignores this, as it cannot be estimated from one cross-validation [3]_.

Class weights, priors and rpart's rounding are those of all rows. The trees of all folds share the coding of
the columns: the codes of the fold's rows are left out, and as a threshold lies between two values of rows of
its node, it is that of a tree grown from these rows alone.

References
----------
.. [1] L. Breiman, J. H. Friedman, R. A. Olshen, C. J. Stone, "Classification and Regression Trees" (1984).
.. [2] T. M. Therneau, E. J. Atkinson, "An introduction to recursive partitioning using the RPART routines",
   Mayo Foundation, section 4.2.
.. [3] Y. Bengio, Y. Grandvalet, "No unbiased estimator of the variance of K-fold cross-validation", Journal
   of Machine Learning Research 5 (2004) 1089-1105.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import add
from typing import NamedTuple

import numpy as np
import pandas as pd

from dtlib.arrays import concatenated
from dtlib.prune.cost_complexity import PruningPath, pruning_path, scales
from dtlib.prune.held_out import costs, upward
from dtlib.prune.loss import SAME_COST, Risk, risk
from dtlib.table.parameters import check_number
from dtlib.table.training import Training
from dtlib.tree.descend import Ends, ends
from dtlib.tree.tree import Tree

Grow = Callable[..., list[Tree]]  # given training data, and parts of their rows


@dataclass(frozen=True, eq=False)
class Curve:
    """The total cost of held-out rows at each alpha.

    Parameters
    ----------
    cost : ndarray of shape (alphas,)
        Sum of the rows' weights times their costs.
    square : ndarray of shape (alphas,)
        Sum of the weights times the squares of the costs.
    weight : float
        Sum of the weights.

    Examples
    --------
    >>> one_by_one = Curve(np.array([6.0]), np.array([26.0]), 4.0)  # four rows cost 5, 1, 0 and 0
    >>> one_by_one.deviation / 4 == np.std([5, 1, 0, 0]) / np.sqrt(4)
    array([ True])
    """

    cost: np.ndarray
    square: np.ndarray
    weight: float

    @property
    def deviation(self) -> np.ndarray:
        """The standard error of `cost`; NaN if it is infinite."""
        with np.errstate(invalid="ignore"):
            return np.sqrt(np.maximum(self.square - self.cost * (self.cost / self.weight), 0))

    def __add__(self, other: "Curve") -> "Curve":
        return Curve(self.cost + other.cost, self.square + other.square, self.weight + other.weight)


def some_rows(data: Training, rows: np.ndarray) -> Training:
    """Return some rows of the training data, with the codes and the order of sorted values from there.

    Examples
    --------
    >>> from dtlib.table.coded import Coded
    >>> from dtlib.table.columns import Column
    >>> target = Column("y", ("no", "yes"), np.array([0, 1, 1]))
    >>> data = Training((), Coded(np.array([[2, 0, 1]], np.int32), {}, {0: np.array([1, 2, 0])}), (target,))
    >>> part = some_rows(data, np.array([0, 2]))
    >>> part.codes.tolist(), part.order[0].tolist(), part.targets[0].codes.tolist()
    ([[2, 1]], [1, 0], [0, 1])
    """
    place = np.full(data.shape[1], -1, np.int32)
    place[rows] = np.arange(len(rows), dtype=np.int32)
    order = {}
    if np.count_nonzero(place >= 0) == len(rows):  # a row that is taken twice has two places
        for f, line in data.order.items():
            moved = place.take(line)
            order[f] = moved.compress(moved >= 0)
    return replace(
        data, values=replace(data.values.coded.take(rows), order=order),
        targets=tuple(replace(target, codes=target.codes.take(rows)) for target in data.targets),
        weight=None if data.weight is None else data.weight.take(rows),
        case_weight=None if data.case_weight is None else data.case_weight.take(rows),
    )  # fmt: skip


def parts_of(data: Training, parts: Sequence[np.ndarray] | None) -> list[Training]:
    """Return subsets of the rows as training data; by default one with all rows."""
    return [data] if parts is None else [some_rows(data, rows) for rows in parts]


def truth_of(data: Training) -> np.ndarray:
    """Return the true targets of the rows, shape (n, outputs): class codes, or numbers."""
    return np.stack(
        [y.codes if y.kind == "nominal" else np.asarray(y.values)[y.codes] for y in data.targets], axis=1
    )


class Held(NamedTuple):
    """Held-out rows: their indices, features and true targets.

    `weight` is the sample weight. `factor` multiplies the cost of an error: it is the class weight, divided
    by the sum of the class's row of the loss. `node` is the node in which the row ends, if that is known
    already; then X is empty.
    """

    row: np.ndarray
    X: np.ndarray
    truth: np.ndarray
    weight: np.ndarray
    factor: np.ndarray
    node: np.ndarray | None = None

    def take(self, rows: np.ndarray) -> "Held":
        """Return some of the rows."""
        row, X, truth, weight, factor = (x.take(rows, axis=0) for x in self[:5])
        return Held(row, X, truth, weight, factor, None if self.node is None else self.node[rows])

    def ends(self, tree: Tree) -> Ends:
        """Return the nodes in which the rows end."""
        if self.node is None:
            return ends(tree, self.X, tree.missing)
        return Ends(np.arange(len(self.node)), self.node, np.ones(len(self.node)))


def held_rows(data: Training, loss: np.ndarray | None = None) -> Held:
    """Return all rows of the training data as held-out rows."""
    truth = truth_of(data)
    classed = np.ones(len(truth)) if data.weight is None else data.weight
    weight = classed if data.case_weight is None else data.case_weight
    factor = classed / np.where(weight > 0, weight, 1)
    if loss is not None:
        factor = factor / loss.sum(1)[truth[:, 0]]
    return Held(np.arange(len(truth)), data.matrix(), truth, weight, factor)


class RowCosts(NamedTuple):
    """Costs of held-out (fractions of) rows, each valid for the alphas with indices [first, beyond)."""

    row: np.ndarray
    weight: np.ndarray
    cost: np.ndarray
    first: np.ndarray
    beyond: np.ndarray


def held_out_costs(path: PruningPath, held: Held, alphas: np.ndarray) -> RowCosts:
    """Return the costs of held-out rows in the best subtree at each alpha, in one sweep.

    Parameters
    ----------
    path : PruningPath
    held : Held
    alphas : ndarray
        Ascending, in the unit of the path.
    """
    tree, (first, beyond) = path.full, windows(path, alphas)
    above = upward(tree, held.ends(tree))
    ended = next(above)
    chosen = [(*ended, np.zeros(len(ended.row), np.intp))]  # until a node above is a leaf
    for row, node, share in above:
        some = np.flatnonzero(first[node] < beyond[node])
        chosen.append((row[some], node[some], share[some], first[node[some]]))
    row, node, share, start = (np.concatenate(x) for x in zip(*chosen, strict=True))
    cost = costs(tree, held.truth[row], node) * held.factor[row] * share
    return RowCosts(held.row[row], held.weight[row], cost, start, beyond[node])


def held_out_curve(path: PruningPath, held: Held, alphas: np.ndarray) -> Curve:
    """Return the sums of the costs of held-out rows, and of their squares; each row is held out once."""
    found = held_out_costs(path, held, alphas)
    weighed = found.weight * found.cost
    cost = sums_at(alphas, found.first, found.beyond, weighed)
    if path.full.missing == "fractional":
        square = squares_of_rows(found, alphas)
    else:
        square = sums_at(alphas, found.first, found.beyond, weighed * found.cost)
    return Curve(cost, square, float(held.weight.sum()))


def squares_of_rows(found: RowCosts, alphas: np.ndarray) -> np.ndarray:
    """Return at each alpha the sum over the rows of their weight times the square of their cost.

    The cost of a row is the sum over its fractional instances at that alpha. It changes where the interval of
    one of them begins or ends, and the sum of squares with it.

    Examples
    --------
    >>> two_halves = np.zeros(2, int), np.ones(2), np.array([0.5, 1.5]), np.array([0, 1]), np.array([3, 2])
    >>> squares_of_rows(RowCosts(*two_halves), np.arange(3.0))
    array([0.25, 4.  , 0.25])
    """
    row, place = np.tile(found.row, 2), np.concatenate([found.first, found.beyond])
    order = np.lexsort((place, row))
    row, place = row[order], place[order]
    change, weight = np.concatenate([found.cost, -found.cost])[order], np.tile(found.weight, 2)[order]
    running = np.cumsum(change)
    begins = np.append(True, row[1:] != row[:-1])
    running -= (running - change)[begins][np.cumsum(begins) - 1]
    rise = weight * (running**2 - np.where(begins, 0, np.roll(running, 1)) ** 2)
    return np.cumsum(np.bincount(place, rise, len(alphas) + 1))[:-1]


def repeated_curve(found: RowCosts, held: Held, tests: np.ndarray, alphas: np.ndarray) -> Curve:
    """Return the sums of `held_out_curve` if rows are held out several times, given how often each is.

    The sum of squares is replaced by the term that makes `deviation` the standard error of a ratio.
    """
    once, often = (
        sums_at(alphas, found.first, found.beyond, found.weight * found.cost * x)
        for x in (np.ones(len(found.row)), tests[found.row])
    )
    total, square = float(held.weight @ tests), squares_of_rows(found, alphas)
    mean = once / total
    return Curve(once, square + mean * (once - 2 * often + mean * (held.weight @ tests**2)), total)


def sums_at(alphas: np.ndarray, first: np.ndarray, beyond: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Return at each alpha the sum of all x whose range of indices [first, beyond) contains it.

    Examples
    --------
    >>> sums_at(np.arange(3.0), np.array([0, 1]), np.array([2, 3]), np.array([1.0, 10.0]))
    array([ 1., 11., 10.])
    >>> sums_at(np.arange(3.0), np.array([0, 1]), np.array([1, 3]), np.array([np.inf, 10.0]))
    array([inf, 10., 10.])
    """
    if (infinite := np.isinf(x)).any():
        some = sums_at(alphas, first, beyond, infinite.astype(float)) > 0
        return np.where(some, np.inf, sums_at(alphas, first, beyond, np.where(infinite, 0.0, x)))
    B = len(alphas) + 1  # the last index is for ranges without an end
    return np.cumsum(np.bincount(first, x, B) - np.bincount(beyond, x, B))[:-1]


def windows(path: PruningPath, alphas: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the range of indices [first, beyond) of ascending alphas at which each node is a leaf."""
    first = np.searchsorted(alphas + path.slack, path.leaf_from)
    beyond = np.searchsorted(alphas + path.slack, path.gone_from)
    return first, np.where(path.gone_from == np.inf, len(alphas), beyond)


def middles(alphas: np.ndarray) -> np.ndarray:
    """Return the alpha that represents each interval: the geometric mean of its ends; infinity for the last.

    Examples
    --------
    >>> middles(np.array([0.0, 1.0, 4.0]))
    array([ 0.,  2., inf])
    """
    alphas = np.maximum(alphas, 0)
    return np.append(np.sqrt(alphas[:-1]) * np.sqrt(alphas[1:]), np.inf)


def cross_validated(
    grow: Grow,
    data: Training,
    held: Held,
    folds: Sequence[tuple[np.ndarray, np.ndarray]],
    kind: Risk,
    alphas: np.ndarray,
) -> Curve:
    """Grow a tree without each fold, and sum up the costs of the folds at each alpha.

    Parameters
    ----------
    grow : function of Training and subsets of its rows
        Grows a tree from each subset.
    data : Training
        All rows.
    held : Held
        The same rows as held-out rows.
    folds : sequence of (train, test)
        Row indices.
    kind : str or function
        Kind of the risk of the path, see `risk`.
    alphas : ndarray
        Ascending, in the unit of that risk for the tree of all rows.
    """
    weights = [held.weight[train].sum() for train, _ in folds]
    if not all(weights):
        number = weights.index(0)
        raise ValueError(f"fold {number} (counted from 0) has nothing to grow from: its rows weigh nothing")
    tests = np.zeros(len(held.row), np.intp)
    for _, test in folds:
        np.add.at(tests, test, 1)
    if not held.weight @ tests:
        raise ValueError("folds has no row to test with that has a weight: wanted some")
    trees = grow(data, [train for train, _ in folds])
    share = [
        weight / held.weight.sum() if kind == "cost" else tree.n[0] / data.total_weight
        for tree, weight in zip(trees, weights, strict=True)
    ]
    each = (
        (pruning_path(tree, kind), held.take(test), alphas * part)
        for tree, part, (_, test) in zip(trees, share, folds, strict=True)
    )
    if tests.max() > 1:
        found = concatenated([held_out_costs(*one) for one in each])
        return repeated_curve(found, held, tests, alphas)
    return reduce(add, (held_out_curve(*one) for one in each))


def cp_table(
    path: PruningPath, found: Curve | None = None, least: float = 0.0, grown: float | None = None
) -> pd.DataFrame:
    """Return the table of a pruning path, as rpart has it.

    Parameters
    ----------
    path : PruningPath
    found : Curve, optional
        Costs of held-out rows at the subtrees; without it, there are no columns `xerror` and `xstd`.
    least : float
        The smallest alpha of the table.
    grown : float, optional
        The weight of the rows from which the tree was grown, in the unit of the held-out rows' weights;
        default: the weight of the root.

    Returns
    -------
    DataFrame, a line for each subtree, the root first
        ``CP`` (the smallest alpha at which it is the best, as a share of the root's risk), ``nsplit``, ``rel
        error`` (cost of the training rows, relative to that of the root), ``xerror`` and ``xstd`` (cost of
        the held-out rows in the same unit, and its standard error).

    Notes
    -----
    rpart 4.1.19 prints the same table, with two exceptions. When it prunes, it never undoes a cut, so its
    ``CP`` differs if a node should be pruned before one below it. When it cross-validates, it reads a loss
    transposed, so its ``xerror`` differs if the loss is not symmetric (issues 65 and 74 of its repository).
    Here each line has the subtree that costs least at its alpha, and held-out rows cost what the loss says.

    Examples
    --------
    >>> from dtlib import CARTClassifier
    >>> from dtlib.datasets import load_watermelon
    >>> melons = load_watermelon("3.0")
    >>> cp_table(pruning_path(CARTClassifier().fit(melons.X, melons.y).tree_))
           CP  nsplit  rel error
    1  0.6250       0      1.000
    2  0.2500       1      0.375
    3  0.0625       2      0.125
    4  0.0000       4      0.000
    """
    if not isinstance(path, PruningPath):
        raise TypeError(f"path is a {type(path).__name__}; wanted what pruning_path(tree) returns")
    alphas, cost = alphas_of(path, least), risk(path.full)
    first, beyond = windows(path, alphas)
    ever = first < beyond
    leaves, error = (sums_at(alphas, first[ever], beyond[ever], x[ever]) for x in (np.ones(len(cost)), cost))
    share, unit = scales(path.full, path.kind)["share"], scales(path.full)["share"]
    table = {"CP": alphas * share, "nsplit": np.rint(leaves).astype(int) - 1, "rel error": error * unit}
    if found is not None:
        unit *= (float(path.full.n[0]) if grown is None else grown) / found.weight
        table |= {"xerror": found.cost * unit, "xstd": found.deviation * unit}
    lines_of = {name: column[::-1] for name, column in table.items()}
    return pd.DataFrame(lines_of, index=range(1, len(alphas) + 1))


def alphas_of(path: PruningPath, least: float = 0.0) -> np.ndarray:
    """Return the alphas from which the subtrees are the best, ascending, the first replaced by `least`."""
    alphas = path.alphas if path.has_free_cuts else path.alphas[1:]  # else T_0 is the tree itself
    return np.append(least, alphas[alphas > least + path.slack])


def one_se_rule(table: pd.DataFrame, se: float = 1.0) -> int:
    """Return the line of the smallest tree whose cost is at most `se` standard errors above the best.

    Parameters
    ----------
    table : DataFrame
        As `cp_table` returns it.
    se : float
        Number of standard errors: 0 takes the least cost; 1 is the 1-SE rule (Breiman et al., 1984, section
        3.4.3). The standard error is that of the line with the least cost, among equal ones the smallest
        tree. It is the standard error of a mean of costs, so the rule holds for any loss, see
        `losses_per_row`.

    Examples
    --------
    >>> table = pd.DataFrame({"xerror": [1.0, 0.6, 0.5, 0.5], "xstd": 0.1}, index=[1, 2, 3, 4])
    >>> one_se_rule(table, 0), one_se_rule(table, 1), one_se_rule(table, 10)
    (3, 2, 1)
    """
    check_number("se", se, 0)
    if not isinstance(table, pd.DataFrame) or not {"xerror", "xstd"} <= set(table.columns):
        raise TypeError(f"table is a {type(table).__name__}; wanted a DataFrame as cp_table returns it")
    error = table["xerror"].to_numpy()
    slack = SAME_COST * float(np.abs(error[np.isfinite(error)]).max(initial=0.0))
    best = int(np.flatnonzero(error <= error.min() + slack)[0])
    limit = error[best] + se * float(table["xstd"].iloc[best])
    return int(table.index[np.flatnonzero(error <= limit + slack)[0]])
