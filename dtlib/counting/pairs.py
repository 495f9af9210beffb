"""Pairs of a node and a value: the rows of the count tables of all nodes, without the empty ones.

The table of a feature of V values at J nodes has J V lines. Where that is not much more than the number of
training rows, all lines are counted, as `count_tables` does, and empty ones dropped; else only the pairs that
occur get a cell.
"""

from typing import Generic, NamedTuple, TypeVar

import numpy as np

from dtlib.arrays import changes, numbered

SPARSE = 4  # lines per row; in a larger table most would be empty

Sums = TypeVar("Sums")


class Pairs(NamedTuple, Generic[Sums]):
    """The values that occur in each node: (node, code), ascending, and sums over their rows."""

    node: np.ndarray
    code: np.ndarray
    sums: Sums


def cells_of(node: np.ndarray, code: np.ndarray, J: int, V: int) -> tuple[np.ndarray, int, np.ndarray | None]:
    """Return the cell in which each row is counted, the number of cells, and the pair of each cell.

    Parameters
    ----------
    node, code : int ndarrays of shape (n,)
        The node of each row, and the code of its value.
    J, V : int
        The numbers of nodes and of values.

    Returns
    -------
    cell : int ndarray of shape (n,)
    size : int
    pair : int ndarray of shape (size,), or None
        ``node * V + code``, ascending; None if each pair has a cell, whether it occurs or not.

    Examples
    --------
    >>> cells_of(np.array([1, 0, 1]), np.array([2, 0, 2]), 2, 3)
    (array([5, 0, 5]), 6, None)
    >>> cells_of(np.array([1, 0, 1]), np.array([5000, 0, 5000]), 2, 10_000)
    (array([1, 0, 1]), 2, array([    0, 15000]))
    """
    pair = node * np.intp(V) + code
    if SPARSE * len(code) + 1024 >= J * V:
        return pair, J * V, None
    order = sort_pairs(node, J, code, V)
    is_new = changes(pair.take(order))
    cell = np.empty(len(code), np.intp)
    cell[order] = numbered(is_new)
    return cell, int(is_new.sum()), pair[order[is_new]]


def sort_pairs(node: np.ndarray, J: int, code: np.ndarray, V: int) -> np.ndarray:
    """Return the order that sorts pairs of integers below J and V, 16 bits at a time by NumPy's radix sort.

    Examples
    --------
    >>> sort_pairs(np.array([1, 0, 1]), 2, np.array([3, 5, 2]), 6)
    array([1, 2, 0])
    """
    order = np.argsort(code.astype(np.uint16), kind="stable")
    if V >> 16:
        order = order.take(np.argsort((code >> 16).take(order).astype(np.uint16), kind="stable"))
    return sort_on(order, node, J)


def sort_on(order: np.ndarray, node: np.ndarray, J: int) -> np.ndarray:
    """Sort an order stably by node (below J), so that it is kept within each node.

    Examples
    --------
    >>> sort_on(np.array([2, 0, 1]), np.array([1, 0, 1]), 2)
    array([1, 2, 0])
    """
    for x, size in ((node, J - 1), (node >> 16, J >> 16)):
        if size:
            order = order.take(np.argsort(x.take(order).astype(np.uint16), kind="stable"))
    return order
