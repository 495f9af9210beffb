"""Regions of a plane that weighted sums divide: polygons cut by lines (chapter 15)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from dtlib.draw.svg import LIGHT, SMALL, class_color, text_width

GRID = 41  # places at which a label is tried, each way
EDGE = 4  # px between a label and the edge of its region, at least


def regions(node: Any, names: tuple[str, str], corners: np.ndarray) -> Iterator[tuple[Any, np.ndarray]]:
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
    normal, threshold = line_of(node, names)
    below, above = node.children
    yield from regions(below, names, clipped(corners, normal, threshold))
    yield from regions(above, names, clipped(corners, -normal, -threshold))


def line_of(node: Any, names: tuple[str, str]) -> tuple[np.ndarray, float]:
    """Return the coefficients of x and y, and the threshold, of what a node asks."""
    split = node.split
    if node.is_linear:
        of = dict(zip(split.features, split.coefficients, strict=True))
        return np.array([of.get(name, 0.0) for name in names]), split.threshold
    return np.array([float(node.feature == name) for name in names]), split.threshold


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


def draw_region(ax: Any, corners: np.ndarray, tree: Any, leaf: Any, at: np.ndarray) -> None:
    """Draw a region, and its class where there is most room between the samples and the edges."""
    if not len(corners):
        return
    shade, words = LIGHT[class_color(tree.label[leaf.id])], str(leaf.prediction)
    ax.fill(*corners.T, color=shade, alpha=0.14, linewidth=0)
    ax.plot(*np.vstack([corners, corners[:1]]).T, color=LIGHT["ink"], linewidth=1.8)
    place = ax.transData.transform
    spot = roomy(place(corners), place(at), text_width(words, SMALL) / 2 + EDGE, SMALL / 2 + EDGE)
    if spot is not None:
        where = ax.transData.inverted().transform(spot)
        ax.text(*where, words, size=SMALL, weight="bold", color=shade, ha="center", va="center")


def roomy(corners: np.ndarray, dots: np.ndarray, width: float, height: float) -> np.ndarray | None:
    """Return where a label of this half width and height fits into a polygon, far from the dots.

    None if it fits nowhere.
    """
    low, high = corners.min(0), corners.max(0)
    ticks = (np.linspace(a, b, GRID) for a, b in zip(low, high, strict=True))
    spots = np.stack(np.meshgrid(*ticks), axis=-1).reshape(-1, 2)
    inside = np.ones(len(spots), bool)
    middle = corners.mean(0)
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        normal = np.array([b[1] - a[1], a[0] - b[0]])
        normal = normal if normal @ (middle - a) > 0 else -normal  # inward
        inside &= (spots - a) @ normal >= np.abs(normal) @ [width, height]
    spots = spots[inside]
    if not len(spots):
        return None
    gap = np.abs(spots[:, None] - dots) - [width, height]
    room = np.hypot(*np.maximum(gap, 0).transpose(2, 0, 1)).min(axis=1)
    return spots[int(np.argmax(np.round(room, 3)))]
