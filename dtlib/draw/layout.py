"""Positions of the nodes of a drawn tree: a tidy layout of Reingold and Tilford's kind (all chapters)."""

from collections.abc import Callable, Sequence

from dtlib.tree.node import Node

NODE_GAP, TREE_MARGIN = 18, 10  # px between neighbors, and around the tree

Contour = tuple[list[float], float]  # the edge of a subtree on each level, deepest first; a shift to be added


def layout(children: Sequence[Sequence[int]], width: Sequence[float], gap: float = NODE_GAP) -> list[float]:
    """Place the nodes of a tree: children under their parent, subtrees as close as they can be, no overlap.

    Subtrees are put together along their contours. Each is packed to the left and to the right; the mean of
    both spreads small subtrees evenly between large ones.

    Parameters
    ----------
    children : sequence of sequences of int
        Children of each node, left to right; they come after their parent, the root is node 0.
    width : sequence of float
        Width of each node.
    gap : float
        Least distance between neighbors.

    Returns
    -------
    list of float
        Middle of each node; the leftmost node starts at `TREE_MARGIN`.

    References
    ----------
    A. J. Kennedy, Drawing trees, Journal of Functional Programming 6(3), 1996.

    Examples
    --------
    >>> layout([[1, 2], [], []], [10, 10, 10], gap=4)
    [22.0, 15.0, 29.0]
    """
    left: list[Contour] = [([], 0.0)] * len(children)
    right = list(left)
    x = [0.0] * len(children)  # first from the parent, in the end from the picture's edge
    for i in reversed(range(len(children))):
        kids = children[i]
        for kid, at in zip(
            kids, _spread([left[k] for k in kids], [right[k] for k in kids], gap), strict=True
        ):
            x[kid] = at
        for side, order, edge in ((left, kids, -width[i] / 2), (right, kids[::-1], width[i] / 2)):
            side[i] = _merge([(side[k][0], side[k][1] + x[k]) for k in order])
            side[i][0].append(edge - side[i][1])
    for i, kids in enumerate(children):
        for kid in kids:
            x[kid] += x[i]
    start = TREE_MARGIN - min(at - w / 2 for at, w in zip(x, width, strict=True))
    return [at + start for at in x]


def _spread(left: list[Contour], right: list[Contour], gap: float) -> list[float]:
    """Place siblings so that the first and the last are equally far from 0."""
    n = len(left)
    apart = {(i, j): _distance(right[i], left[j]) + gap for j in range(n) for i in range(j)}
    packed = [0.0] * n
    for j in range(1, n):
        packed[j] = max(packed[i] + apart[i, j] for i in range(j))
    other = list(packed)
    for i in reversed(range(n - 1)):
        other[i] = min(other[j] - apart[i, j] for j in range(i + 1, n))
    return [(a + b - packed[-1] - other[0]) / 2 for a, b in zip(packed, other, strict=True)]


def _distance(right: Contour, left: Contour) -> float:
    """Return how far apart two subtrees must be not to overlap on any level that both have."""
    levels = zip(reversed(right[0]), reversed(left[0]), strict=False)
    return max(a - b for a, b in levels) + right[1] - left[1]


def _merge(contours: list[Contour]) -> Contour:
    """Join contours: the first that reaches a level counts there. Takes as long as the shorter one is."""
    edges, shift = contours[0] if contours else ([], 0.0)
    for longer, other in contours[1:]:
        if len(longer) > len(edges):
            longer[-len(edges) :] = [edge + shift - other for edge in edges]
            edges, shift = longer, other
    return edges, shift


def drawn_nodes(root: Node, below: Callable[[Node], Sequence[Node]]) -> tuple[list[Node], list[range]]:
    """Return the nodes to be drawn, level by level, and the positions of the children of each.

    Parameters
    ----------
    root : Node
    below : callable
        Returns the children of a node that are drawn.

    Examples
    --------
    >>> from dtlib import ID3Classifier
    >>> from dtlib.datasets import load_loan
    >>> loan = load_loan()
    >>> drawn_nodes(ID3Classifier().fit(loan.X, loan.y).tree_.root, lambda node: node.children)[1]
    [range(1, 3), range(3, 5), range(5, 5), range(5, 5), range(5, 5)]
    """
    nodes, children = [root], list[range]()
    for node in nodes:  # grows while it is walked
        kids = below(node)
        children.append(range(len(nodes), len(nodes) + len(kids)))
        nodes += kids
    return nodes, children
