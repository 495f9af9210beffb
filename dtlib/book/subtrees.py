"""All subtrees of a small tree, one by one: what pruning is compared with (chapters 12 to 14)."""

from collections.abc import Iterator
from itertools import product

import numpy as np
import pandas as pd

from dtlib.tree.node import Node
from dtlib.tree.tree import Fitted, Tree, tree_of

__all__ = ["listed", "subtrees"]


def subtrees(node: Node) -> Iterator[tuple[int, ...]]:
    """Yield every subtree at a node, each as the numbers of its leaves, the node alone first.

    Examples
    --------
    >>> from dtlib import ID3Classifier
    >>> from dtlib.datasets import load_loan
    >>> loan = load_loan()
    >>> list(subtrees(ID3Classifier().fit(loan.X, loan.y).tree_.root))
    [(0,), (1, 2), (3, 4, 2)]
    """
    yield (node.id,)
    if not node.is_leaf:
        below = (list(subtrees(child)) for child in node.children)
        yield from (sum(choice, ()) for choice in product(*below))


def listed(tree: Tree | Fitted, cost: np.ndarray) -> pd.DataFrame:
    """List every subtree with its leaves and its risk.

    Parameters
    ----------
    tree : Tree or fitted estimator
    cost : ndarray
        The risk of each node as a leaf, as `dtlib.prune.risk` gives it.

    Returns
    -------
    DataFrame, a line for each subtree
        ``nodes`` (the numbers of its leaves), ``leaves`` (how many) and ``risk`` (their sum).

    Examples
    --------
    >>> from dtlib import ID3Classifier
    >>> from dtlib.datasets import load_loan
    >>> from dtlib.prune import risk
    >>> loan = load_loan()
    >>> tree = ID3Classifier().fit(loan.X, loan.y).tree_
    >>> listed(tree, risk(tree, "cost"))
           nodes  leaves  risk
    0       (0,)       1   6.0
    1     (1, 2)       2   3.0
    2  (3, 4, 2)       3   0.0
    """
    tree = tree_of(tree)
    every = list(subtrees(tree.root))
    risks = [float(cost[list(leaves)].sum()) for leaves in every]
    return pd.DataFrame({"nodes": every, "leaves": [len(leaves) for leaves in every], "risk": risks})
