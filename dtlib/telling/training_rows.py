"""The training rows that come to a node of a grown tree, and the weight of each there.

Examples
--------
>>> from dtlib import ID3Classifier, load_loan
>>> loan = load_loan()
>>> rows, weight = training_parts(ID3Classifier().fit(loan.X, loan.y).tree_, 2)
>>> rows, float(weight.sum())
(array([ 3,  7,  8,  9, 10, 11]), 6.0)
"""

from itertools import pairwise

import numpy as np

from dtlib.arrays import weighted_sums
from dtlib.search.surrogates import case_weights, larger_side, look_up
from dtlib.table.training import Training
from dtlib.tree.descend import divide_rows
from dtlib.tree.tree import Tree


def training_parts(tree: Tree, node: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the training rows that come to a node, and the weight of each there."""
    data = tree.grown_from
    weight = np.ones(data.codes.shape[1]) if data.weight is None else data.weight
    rows = np.flatnonzero(weight > 0)
    weight = weight[rows]
    for above, below in pairwise([*tree[node].ancestors, node]):
        taken, share = sent_by_training(tree, above, rows, weight)
        branch = below - int(tree.first_child[above])
        weight = np.where(taken >= 0, np.where(taken == branch, weight, 0), weight * share[branch])
        rows, weight = rows[weight > 0], weight[weight > 0]
    return rows, weight


def training_numbers(data: Training, rows: np.ndarray) -> np.ndarray:
    """Return some training rows as numbers, shape (rows, features); 0 for features of names."""
    x = np.zeros((len(rows), len(data.features)))
    for f, values in data.numbers.items():
        x[:, f] = values[data.codes[f, rows]]
    return x


def sent_by_training(
    tree: Tree, node: int, rows: np.ndarray, weight: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the branch that each training row takes at a node, -1 if it is divided or stays.

    And the share of it that each branch then gets.
    """
    data, f, children = tree.grown_from, int(tree.feature[node]), int(tree.children[node])
    if tree.is_linear[node]:
        above = weighted_sums(training_numbers(data, rows), tree[node].normal) > tree.threshold[node]
        return above.astype(np.intp), np.zeros(children)
    code, taken = data.codes[f, rows], np.full(len(rows), -1)
    known = np.flatnonzero(code >= 0)
    if np.isnan(tree.threshold[node]):
        taken[known] = tree.branch_of(np.full(len(known), node), code[known])
    else:
        x = data.numbers[f][code[known]] if f in data.numbers else code[known]
        taken[known] = x > tree.threshold[node]
    hole, of_branch = np.flatnonzero(taken < 0), np.bincount(taken[known], weight[known], children)
    if tree.missing == "surrogate" and len(hole):
        branch, _ = tree.stand_ins.send(np.full(len(hole), node), look_up(data, rows[hole]))
        larger = larger_side(np.zeros(len(known), int), taken[known], case_weights(data)[rows[known]], 1)[0]
        resort = larger if tree.grown_by.surrogates.unresolved == "majority" else -1
        taken[hole] = np.where(branch < 0, resort, branch)
    share = np.zeros(children)
    if tree.missing in ("majority", "fractional") and len(hole):
        some = divide_rows(np.zeros(1, np.intp), np.zeros(1, np.intp), of_branch, tree.missing)
        share[some.branch] = some.share
    return taken, share
