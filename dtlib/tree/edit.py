"""Making leaves of nodes: what every pruning does at last (chapters 11 to 14)."""

from __future__ import annotations

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
    """
    feature, stop, gain, threshold = (x.copy() for x in (tree.feature, tree.stop, tree.gain, tree.threshold))
    feature[nodes], stop[nodes], gain[nodes], threshold[nodes] = -1, code_of(reason), 0.0, np.nan
    kept = np.ones(tree.node_count, bool)
    for start, end in tree.spans[1:]:
        above = tree.parent[start:end]
        kept[start:end] = kept[above] & (feature[above] >= 0)
    n_values = np.where(kept & (feature >= 0), tree.n_values, 0)
    named = np.repeat(n_values > 0, tree.n_values)
    arrays = {"n_values": n_values, "feature": feature, "stop": stop, "gain": gain, "threshold": threshold}
    arrays |= {name: getattr(tree, name) for name in ("summary", "n", "impurity")}
    kept_arrays = {name: array[kept] for name, array in arrays.items()}
    if tree.normals is not None:
        kept_arrays["normals"] = np.where(feature[:, None] >= 0, tree.normals, 0.0)[kept]
    surrogates = tree.surrogates
    if surrogates is not None:
        number = np.where(kept, numbered(kept), -1)
        surrogates = surrogates.moved(number, feature[kept] >= 0)
    named = {"code": tree.code[named], "branch": tree.branch[named]}
    return replace(tree, surrogates=surrogates, pruned_from=None, steps=None, **named, **kept_arrays)


def pruned(tree: Tree, nodes: np.ndarray, reason: str, steps: pd.DataFrame) -> Tree:
    """Return the tree with some nodes as leaves, as `collapse` does, and with the record of how that came."""
    return replace(collapse(tree, nodes, reason), pruned_from=tree, steps=steps)
