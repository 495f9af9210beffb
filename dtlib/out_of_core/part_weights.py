"""Weights of fractional instances at the nodes of a level, where rows with missing values are divided.

How a fractional instance is divided further depends on its own weight, which is rounded
(`dtlib.growing.missing`). So cells of different weights are counted apart, as if they had other classes. A
node has few different weights, as they depend only on which splits above met missing values.
"""

import numpy as np


class PartWeights:
    """The distinct weights of the fractional instances at each of J nodes.

    Parameters
    ----------
    node : int ndarray of shape (m,)
        From 0 to J - 1, each of them at least once.
    weight : float ndarray of shape (m,)
        Of fractional instances that come there.
    unit : float
        All weights are multiples of it.

    Attributes
    ----------
    most : int
        The largest number of distinct weights at a node.

    Examples
    --------
    >>> weights = PartWeights(np.array([0, 0, 1]), np.array([0.5, 1, 0.25]), 0.25)
    >>> weights.place(np.array([1, 0, 0]), np.array([0.25, 1, 0.5])), weights.most
    (array([0, 1, 0]), 2)
    >>> weights.of(np.array([1, 0, 0]), np.array([0, 1, 0]))
    array([0.25, 1.  , 0.5 ])
    """

    def __init__(self, node: np.ndarray, weight: np.ndarray, unit: float):
        self.unit, self.different = unit, np.unique(weight)
        keys = self.key(node, np.searchsorted(self.different, weight))
        self.keys = np.unique(keys)
        self.first = np.searchsorted(self.keys, self.key(np.arange(int(node.max()) + 2), 0))
        self.most = int(np.diff(self.first).max())

    def key(self, node: np.ndarray, which: np.ndarray | int) -> np.ndarray:
        """Return a key of each node and weight."""
        return np.asarray(node * np.int64(len(self.different)) + which)

    def place(self, node: np.ndarray, weight: np.ndarray) -> np.ndarray:
        """Return the positions of weights among those of their nodes.

        Raises
        ------
        ValueError
            If a fractional instance has a weight that its node does not have.
        """
        which = np.searchsorted(self.different, weight).clip(max=len(self.different) - 1)
        key = self.key(node, which)
        found = np.searchsorted(self.keys, key).clip(max=len(self.keys) - 1)
        if not (np.array_equal(self.different[which], weight) and np.array_equal(self.keys[found], key)):
            raise ValueError("rows are divided otherwise than they were at the level above: the data changed")
        return found - self.first[node]

    def of(self, node: np.ndarray, place: np.ndarray) -> np.ndarray:
        """Return the weights at given positions among those of their nodes."""
        return self.different[self.keys[self.first[node] + place] % len(self.different)]
