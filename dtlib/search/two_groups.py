"""All divisions of the categories of a node into two groups (chapter 8).

The first of p categories is always in the first group, so that no division is listed twice; the division with
all categories in the first group is left out. So there are 2**(p - 1) - 1. In division i, category k is in
the first group if bit k - 1 of i is set.
"""

from collections.abc import Iterator

import numpy as np

#: Of up to so many categories, all divisions are tried: of 14, there are 8,191. A tree whose categorical
#: features all have so many then grows for up to 1.8 times as long as by a heuristic; with 16 of them, that
#: would be three times. Both engines and the sources of counts keep to it, so that they grow the same tree.
EXHAUSTIVE_CATEGORIES = 14
TABLE = 1 << 12  # divisions whose sums are in one table, so that their scores stay in the cache


def in_first_group(division: np.ndarray, p: int) -> np.ndarray:
    """Tell which of p categories are in the first group, shape (divisions, p).

    Examples
    --------
    >>> in_first_group(np.arange(3), 3).astype(int)
    array([[1, 0, 0],
           [1, 1, 0],
           [1, 0, 1]])
    """
    first = np.ones((len(division), p), bool)
    first[:, 1:] = (division[:, None] >> np.arange(p - 1)) & 1
    return first


def sums_of_first_groups(x: np.ndarray) -> Iterator[np.ndarray]:
    """Yield the sums over the first group of each division, one block of divisions after the other.

    The sums for the first categories are in a table, to which those of the other categories are added.

    Parameters
    ----------
    x : int ndarray of shape (..., p)
        The amounts of each category.

    Yields
    ------
    int ndarray of shape (..., divisions)

    Examples
    --------
    >>> [block.tolist() for block in sums_of_first_groups(np.array([1, 10, 100]))]
    [[1, 11, 101]]
    """
    p = x.shape[-1]
    inside = min(p, TABLE.bit_length())
    table = np.empty((*x.shape[:-1], 1 << (inside - 1)), x.dtype)
    table[..., 0] = x[..., 0]
    for k in range(1, inside):
        half = 1 << (k - 1)
        np.add(table[..., :half], x[..., k, None], out=table[..., half : 2 * half])
    others, blocks = x[..., inside:], 1 << (p - inside)
    for i in range(blocks):
        more = others @ ((i >> np.arange(p - inside)) & 1)
        block = table + more[..., None] if i else table
        yield block if i < blocks - 1 else block[..., :-1]
