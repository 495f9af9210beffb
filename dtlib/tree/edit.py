"""Making leaves of nodes: what every pruning does at last (chapters 11 to 14)."""

from dataclasses import replace

import numpy as np
import pandas as pd

from dtlib.arrays import numbered
from dtlib.tree.reasons import code_of
from dtlib.tree.tree import Tree


def collapse(tree: Tree, nodes: np.ndarray, reason: str) -> Tree:
    """Return a tree in which some nodes are leaves, and nothing is below them.

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
        Its nodes are numbered anew, level by level.

    Examples
    --------
    >>> from dtlib import ID3Classifier, load_loan
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
    for start, end in tree.spans[1:]:
        above = tree.parent[start:end]
        kept[start:end] = kept[above] & (feature[above] >= 0)
    n_values = np.where(kept & (feature >= 0), tree.n_values, 0)
    named = np.repeat(n_values > 0, tree.n_values)
    normals = None if tree.normals is None else np.where(feature[:, None] >= 0, tree.normals, 0.0)[kept]
    surrogates = tree.surrogates
    if surrogates is not None:
        surrogates = surrogates.moved(np.where(kept, numbered(kept), -1), feature[kept] >= 0)
    return replace(
        tree, feature=feature[kept], threshold=threshold[kept], gain=gain[kept], stop=stop[kept],
        n_values=n_values[kept], code=tree.code[named], branch=tree.branch[named],
        summary=tree.summary[kept], n=tree.n[kept], impurity=tree.impurity[kept],
        normals=normals, surrogates=surrogates, pruned_from=None, steps=None,
    )  # fmt: skip


def pruned(tree: Tree, nodes: np.ndarray, reason: str, steps: pd.DataFrame) -> Tree:
    """Return the tree with some nodes as leaves, as `collapse` does, and with the record of how that came."""
    return replace(collapse(tree, nodes, reason), pruned_from=tree, steps=steps)
