"""The bounds that monotonic constraints set to the predictions of a tree, see `dtlib.search.monotone`.

Examples
--------
>>> from dtlib import CARTRegressor
>>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0.0, 5.0, 7.0, 5.0]
>>> tree = CARTRegressor(monotonic_cst=[1, 0]).fit(X, y).tree_
>>> print(tree)  # the middle between the means of both branches, 2.5 and 6, is a bound for both
root (n 4, mean 4.25)
├── x0 ≤ 0.5 (n 2, mean 2.5)
│   ├── x1 ≤ 0.5 (n 1, mean 0) → 0
│   └── x1 > 0.5 (n 1, mean 5) → 4.25
└── x0 > 0.5 (n 2, mean 6)
    ├── x1 ≤ 0.5 (n 1, mean 7) → 7
    └── x1 > 0.5 (n 1, mean 5) → 5
>>> tree.bounds[:, 1:3]
array([[-inf, 4.25],
       [4.25,  inf]])
"""

from typing import TYPE_CHECKING

import numpy as np

from dtlib.search.monotone import bounds_below, means, root_bounds

if TYPE_CHECKING:
    from dtlib.tree.tree import Tree


def bounds_of(tree: "Tree") -> np.ndarray:
    """Return the bounds of all nodes of a tree, lower and upper ones, shape (2, nodes)."""
    bounds, mean = root_bounds(tree.node_count), means(tree.summary, tree.n, tree.is_classifier)
    direction = np.array([*(tree.monotonic or np.zeros(len(tree.features), int)), 0])
    for start, end in tree._level_bounds[:-1]:
        split = start + np.flatnonzero(tree.feature[start:end] >= 0)
        below = tree.first_child[split] + np.arange(2)[:, None]
        of_branches = bounds_below(bounds[:, split], direction[tree.feature[split]], mean[below])
        bounds[:, below] = of_branches.swapaxes(0, 1)
    return bounds


def clipped(tree: "Tree", value: np.ndarray) -> np.ndarray:
    """Return the predictions of the nodes, clipped to their bounds; the share of the first class follows."""
    if not tree.is_classifier:
        return np.clip(value, *tree.bounds[..., None])
    if value.shape[1] == 1:  # a single class
        return value
    of_second = np.clip(value[:, 1], *tree.bounds)
    return np.stack([1 - of_second, of_second], axis=1)
