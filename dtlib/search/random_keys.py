"""Random numbers that belong to a node and a feature, whatever the order in which a tree grows (chapter 24).

Each node has a key, made of the seed and the branches that lead to it; the random key of a feature is a hash
of both, by the finalizer of SplitMix64 [1]_.

References
----------
.. [1] G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
"""

from typing import TypeVar

import numpy as np

GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # 2**64 divided by the golden ratio
FIRST, SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
Whole = TypeVar("Whole", np.ndarray, np.uint64)
SHIFTS = np.array([30, 27, 31], np.uint64)


def hashes(x: Whole) -> Whole:
    """Return the 64-bit hash of an integer, or of each in an array.

    Examples
    --------
    >>> [f"{int(x):x}" for x in hashes(np.array([0, 1], np.uint64))]
    ['0', '5692161d100b05e5']
    """
    x = (x ^ (x >> SHIFTS[0])) * FIRST
    x = (x ^ (x >> SHIFTS[1])) * SECOND
    return x ^ (x >> SHIFTS[2])


def root_key(seed: int | None) -> np.ndarray:
    """Return the key of the root, as an array of length 1."""
    return hashes(np.array([seed or 0], np.uint64) + GOLDEN)


def child_keys(key: np.ndarray, branch: np.ndarray) -> np.ndarray:
    """Return the keys of children, given those of their parents and the branches that lead to them."""
    return hashes(key + (branch + 1).astype(np.uint64))


def random_keys(key: np.ndarray, d: int) -> np.ndarray:
    """Return the random keys of d features at some nodes, shape (d, nodes)."""
    return hashes(key + np.arange(1, d + 1, dtype=np.uint64)[:, None] * GOLDEN)


def split_keys(key: np.ndarray, d: int) -> np.ndarray:
    """Return other random keys of d features at some nodes, by which their splits are drawn."""
    return random_keys(hashes(key ^ GOLDEN), d)


def uniform(random_key: np.ndarray) -> np.ndarray:
    """Return a number from 0 to below 1 for each random key.

    Examples
    --------
    >>> uniform(np.array([0, 2**63], np.uint64))
    array([0. , 0.5])
    """
    return (random_key >> np.uint64(11)) * 2.0**-53
