"""Planes of two numbers: their ends, and the regions of a tree (chapters 6, 11, 12, 16 and 22)."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from dtlib.draw.axes import Axes, in_px, shade_of, write_bold
from dtlib.draw.svg import LIGHT, SMALL_SIZE, text_width
from dtlib.tree.node import Node
from dtlib.tree.splits import Hyperplane
from dtlib.tree.tree import Tree

TRIED = 41  # places at which a label is tried, each way


def limits(at: np.ndarray, share: float = 0.07) -> tuple[np.ndarray, np.ndarray]:
    """Return the smallest and the largest x and y, with a share of their distance as room around.

    Examples
    --------
    >>> [ends.tolist() for ends in limits(np.array([[0.0, 5.0], [10.0, 5.0]]), share=0.5)]
    [[-5.0, 4.0], [15.0, 6.0]]
    """
    low, high = at.min(0), at.max(0)
    room = np.where(high > low, share * (high - low), 1.0)
    return low - room, high + room


def show_between(ax: Axes, low: np.ndarray, high: np.ndarray, **more: Any) -> None:
    """Let the axes end at two opposite corners, and set more of their properties."""
    ax.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), **more)


def rectangle(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Return the corners of a rectangle, given two opposite ones.

    Examples
    --------
    >>> rectangle(np.array([0, 1]), np.array([2, 3])).tolist()
    [[0, 1], [2, 1], [2, 3], [0, 3]]
    """
    return np.array([low, [high[0], low[1]], high, [low[0], high[1]]])


def asked_features(tree: Tree) -> list[str]:
    """List the features that a tree asks, node by node."""
    return [
        name
        for split in (node.split for node in tree)
        if split is not None
        for name in (split.features if isinstance(split, Hyperplane) else (split.feature,))
    ]


def boxes(
    node: Node, names: tuple[str, ...], low: np.ndarray, high: np.ndarray
) -> Iterator[tuple[Node, np.ndarray, np.ndarray]]:
    """Yield each leaf with the ends of its box, if only single numbers are asked.

    Parameters
    ----------
    node : Node
        Where to begin.
    names : tuple of str
        The features, in the order of the ends.
    low, high : ndarrays of one number for each feature
        The ends of its box.
    """
    if node.is_leaf:
        yield node, low, high
        return
    here, cut = np.array(names) == node.feature, float(node.tree.threshold[node.id])
    below, above = node.children
    yield from boxes(below, names, low, np.where(here, np.minimum(cut, high), high))
    yield from boxes(above, names, np.where(here, np.maximum(cut, low), low), high)


def regions(node: Node, names: tuple[str, str], corners: np.ndarray) -> Iterator[tuple[Node, np.ndarray]]:
    """Yield each leaf with the corners of its region, none if it lies outside of what is drawn.

    Parameters
    ----------
    node : Node
        Where to begin.
    names : tuple of str
        The features on the two axes.
    corners : ndarray of shape (k, 2)
        The corners of its region.
    """
    if node.is_leaf:
        yield node, corners
        return
    split, threshold = node.split, float(node.tree.threshold[node.id])
    one = {node.feature: 1.0}
    of = dict(zip(split.features, split.coefficients, strict=True)) if isinstance(split, Hyperplane) else one
    normal = np.array([of.get(name, 0.0) for name in names])
    below, above = node.children
    yield from regions(below, names, clipped(corners, normal, threshold))
    yield from regions(above, names, clipped(corners, -normal, -threshold))


def clipped(corners: np.ndarray, normal: np.ndarray, threshold: float) -> np.ndarray:
    """Return what is left of a convex polygon where a weighted sum is at most a threshold.

    References
    ----------
    I. E. Sutherland, G. W. Hodgman, "Reentrant polygon clipping", Communications of the ACM 17 (1974) 32-42.

    Examples
    --------
    >>> square = np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]])
    >>> clipped(square, np.array([1.0, 1.0]), 1.0).tolist()
    [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]
    """
    over = corners @ normal - threshold
    kept: list[np.ndarray] = []
    for i in range(len(corners)):
        a, b = over[i - 1], over[i]
        if (a < 0 < b) or (b < 0 < a):
            kept.append(corners[i - 1] + (corners[i] - corners[i - 1]) * (a / (a - b)))
        if b <= 0:
            kept.append(corners[i])
    found = np.array(kept).reshape(-1, 2)
    return found if len(found) > 2 else found[:0]


def draw_region(
    ax: Axes, corners: np.ndarray, shade: str, *, alpha: float = 0.14, thick: float = 1.8
) -> None:
    """Fill a region with a color by its code, and draw its border."""
    ax.fill(*corners.T, color=shade, alpha=alpha, linewidth=0)
    ax.plot(*np.vstack([corners, corners[:1]]).T, color=LIGHT["ink"], linewidth=thick)


def name_leaf(ax: Axes, leaf: Node, corners: np.ndarray, at: np.ndarray, *, in_corner: bool) -> None:
    """Write the class of a leaf into its region: where there is most room, or into the roomiest corner."""
    words = str(leaf.prediction)
    width, height = text_width(words, SMALL_SIZE) / 2, SMALL_SIZE / 2
    find, edge = (roomiest_corner, 6) if in_corner else (roomy, 4)
    spot = find(in_px(ax, *corners.T), in_px(ax, *at.T), width + edge, height + edge)
    if spot is not None:
        write_bold(ax, ax.transData.inverted().transform(spot), words, shade_of(leaf))


def roomiest_corner(corners: np.ndarray, dots: np.ndarray, width: float, height: float) -> np.ndarray:
    """Return in which corner of a rectangle a label of this half width and height is farthest from the dots.

    Examples
    --------
    >>> square = np.array([[0, 0], [9, 0], [9, 9], [0, 9]])
    >>> roomiest_corner(square, np.array([[1, 1], [1, 8]]), 2, 1).tolist()
    [7, 8]
    """
    (left, bottom), (right, top) = corners[0] + (width, height), corners[2] - (width, height)
    spots = np.array([[left, top], [right, top], [left, bottom], [right, bottom]])
    room = [np.hypot(*(dots - spot).T).min() for spot in spots]
    return spots[int(np.argmax(np.round(room, 6)))]


def roomy(corners: np.ndarray, dots: np.ndarray, width: float, height: float) -> np.ndarray | None:
    """Return where a label of this half width and height fits into a polygon, far from the dots.

    None if it fits nowhere.
    """
    ticks = [np.linspace(low, high, TRIED) for low, high in zip(corners.min(0), corners.max(0), strict=True)]
    spots = np.stack(np.meshgrid(*ticks), axis=-1).reshape(-1, 2)
    middle = corners.mean(0)
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        normal = np.array([b[1] - a[1], a[0] - b[0]])
        normal = normal if normal @ (middle - a) > 0 else -normal  # inward
        spots = spots[(spots - a) @ normal >= np.abs(normal) @ [width, height]]
    if not len(spots):
        return None
    gap = np.abs(spots[:, None] - dots) - [width, height]
    room = np.hypot(*np.maximum(gap, 0).transpose(2, 0, 1)).min(axis=1)
    return spots[int(np.argmax(np.round(room, 3)))]
