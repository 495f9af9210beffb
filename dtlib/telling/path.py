"""The way of one sample down a tree (chapters 1 and 7)."""

import numpy as np
import pandas as pd

from dtlib.messages import say
from dtlib.tree.descend import ANSWERED, MAJORITY, PART, walk
from dtlib.tree.node import surrogate_split
from dtlib.tree.tree import Tree


def path_of(tree: Tree, X: np.ndarray) -> pd.DataFrame:
    """List the nodes that a sample visits, given as the tree reads it: an array of one row."""
    found = sorted(
        (int(node), float(weight), int(by))
        for at in walk(tree, X, tree.missing)
        for node, weight, by in zip(at.node, at.weight, at.by, strict=True)
    )
    lines = []
    for node, weight, by in ((tree[i], weight, by) for i, weight, by in found):
        line = {
            "node": node.id,
            "condition": node.condition,
            "counts" if tree.is_classifier else "summary": node.said,
            "split": "" if node.is_leaf else str(node.split),
            "prediction": node.prediction,
        }
        parts = {} if tree.missing == "error" else {"weight": weight, "sent_by": say_sent(tree, node.id, by)}
        lines.append(line | parts)
    return pd.DataFrame(lines)


def say_sent(tree: Tree, node: int, by: int) -> str:
    """Say what sent a row, or a part of it, to a node if what was asked above was missing.

    Examples
    --------
    >>> from dtlib import C45Classifier, load_golf
    >>> golf = load_golf()
    >>> say_sent(C45Classifier().fit(golf.X, golf.y).tree_, 1, PART)
    'part of 5/14'
    """
    if by == ANSWERED:
        return ""
    above = int(tree.parent[node])
    if by == MAJORITY:
        return say("larger branch")
    if by == PART:
        below = tree.n[tree.first_child[above] : tree.first_child[above] + tree.children[above]]
        return say("part of {n}/{total}", n=f"{tree.n[node]:.6g}", total=f"{below.sum():.6g}")
    return surrogate_split(tree, by).conditions[node - int(tree.first_child[above])]
