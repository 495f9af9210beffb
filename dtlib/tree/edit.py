"""Making leaves of nodes: the last step of every pruning method (chapters 12 to 15)."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from dtlib.arrays import inside, numbered, offsets
from dtlib.table.neighbors import joined
from dtlib.tree.reasons import code_of
from dtlib.tree.tree import Tree


def collapse(tree: Tree, nodes: np.ndarray, reason: str) -> Tree:
    """Return a tree in which some nodes are leaves.

    Parameters
    ----------
    tree : Tree
    nodes : int ndarray
        Inner nodes.
    reason : str
        One of `REASONS`.

    Returns
    -------
    Tree
        Its nodes are indexed anew, level by level.

    Examples
    --------
    >>> from dtlib import ID3Classifier
    >>> from dtlib.datasets import load_loan
    >>> loan = load_loan()
    >>> tree = ID3Classifier().fit(loan.X, loan.y).tree_
    >>> print(collapse(tree, np.array([1]), "no fewer errors below"))
    root (no 6, yes 9)
    ├── owns_house = no (no 6, yes 3) → no
    └── owns_house = yes (no 0, yes 6) → yes
    """
    feature, stop, gain, threshold = (x.copy() for x in (tree.feature, tree.stop, tree.gain, tree.threshold))
    feature[nodes], stop[nodes], gain[nodes], threshold[nodes] = -1, code_of(reason), 0.0, np.nan
    kept = np.ones(tree.node_count, bool)
    for start, end in tree._level_bounds[1:]:
        above = tree.parent[start:end]
        kept[start:end] = kept[above] & (feature[above] >= 0)
    n_values = np.where(kept & (feature >= 0), tree.n_values, 0)
    categorical = np.repeat(n_values > 0, tree.n_values)
    normals = None if tree.normals is None else np.where(feature[:, None] >= 0, tree.normals, 0.0)[kept]
    surrogates, lacking = tree.surrogates, tree.missing_rows
    if surrogates is not None:
        surrogates = surrogates.moved(np.where(kept, numbered(kept), -1), feature[kept] >= 0)
    return replace(
        tree, feature=feature[kept], threshold=threshold[kept], gain=gain[kept], stop=stop[kept],
        n_values=n_values[kept], code=tree.code[categorical], branch=tree.branch[categorical],
        summary=tree.summary[kept], n=tree.n[kept], impurity=tree.impurity[kept],
        missing_rows=None if lacking is None else np.where(feature >= 0, lacking, 0)[kept],
        normals=normals, surrogates=surrogates, pruned_from=None, steps=None,
    )  # fmt: skip


def pruned(tree: Tree, nodes: np.ndarray, reason: str, steps: pd.DataFrame) -> Tree:
    """Return the tree with some nodes as leaves, as `collapse` does, with `pruned_from` and `steps`."""
    return replace(collapse(tree, nodes, reason), pruned_from=tree, steps=steps)


def grafted(tree: Tree, branches: dict[int, Tree]) -> Tree:
    """Return a tree in which some leaves are replaced by other trees.

    Parameters
    ----------
    tree : Tree
    branches : dict
        Trees by leaf. They have the same features and outputs, and neither oblique splits nor surrogates.

    Examples
    --------
    >>> from dtlib import CARTClassifier
    >>> from dtlib.datasets import load_watermelon
    >>> melons = load_watermelon("3.0")
    >>> tree = CARTClassifier().fit(melons.X, melons.y).tree_
    >>> stump = CARTClassifier(max_depth=1).fit(melons.X, melons.y).tree_
    >>> grafted(stump, {1: tree, 2: stump}).n_leaves == tree.n_leaves + 2
    True
    """
    every = [tree, *branches.values()]
    start = offsets(np.array([one.node_count for one in every]))
    feature, children, n_values = (
        np.concatenate([getattr(one, x) for one in every]) for x in ("feature", "children", "n_values")
    )
    first = np.concatenate([one.first_child + a for one, a in zip(every, start.tolist(), strict=True)])
    place = np.arange(len(feature))
    place[list(branches)] = start[1:]  # where a branch stands in for a leaf
    order, below = list[np.ndarray](), place[:1]
    while len(below):
        order.append(below)
        below = below[feature[below] >= 0]
        size = children[below]
        below = place[np.repeat(first[below], size) + inside(size)]
    kept = np.concatenate(order)
    of_value = np.repeat(offsets(n_values)[kept], n_values[kept]) + inside(n_values[kept])
    nodes = ("feature", "threshold", "gain", "stop", "n_values", "summary", "n", "impurity")
    parts = dict.fromkeys(nodes, kept) | {"code": of_value, "branch": of_value}
    arrays: dict[str, Any] = {
        name: np.concatenate([getattr(one, name) for one in every])[places] for name, places in parts.items()
    }
    arrays["neighbors"] = joined(*(one.neighbors for one in every))
    by_heuristic = {name for one in every for name in one.heuristic_features}
    categorical = tuple(feature.name for feature in tree.features if feature.name in by_heuristic)
    return replace(tree, **arrays, heuristic_features=categorical, pruned_from=None, steps=None)
