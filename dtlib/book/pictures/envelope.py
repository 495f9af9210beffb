"""Each subtree as a line over the price of a leaf, and the lowest of them (chapter 12)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from dtlib.draw.axes import Axes, figure, in_px, said_picture, write_clear
from dtlib.draw.svg import LIGHT, Picture
from dtlib.messages import say

EQUAL_LOSS = 1e-9  # losses this close, relative to the largest fit, are equal


def envelope(
    leaves: ArrayLike,
    fit: ArrayLike,
    *,
    x_label: str = "",
    y_label: str = "",
    up_to: float | None = None,
    title: str = "",
) -> Picture:
    """Draw the loss fit + alpha * leaves of each subtree against alpha, and the border of the lowest.

    Lines that touch the border are whole, those that are nowhere the lowest dashed. A dot marks where
    another subtree becomes the best; of equal ones that with fewer leaves is named.

    Parameters
    ----------
    leaves : array-like of shape (subtrees,)
        How many leaves each subtree has, 1 or more.
    fit : array-like of shape (subtrees,)
        What each costs at alpha 0.
    x_label, y_label : str
        What the axes show, with units.
    up_to : float, optional
        The largest alpha drawn; by default a quarter beyond the last dot.
    title : str
        What the picture is; by default its axes.

    Returns
    -------
    Picture

    Raises
    ------
    ValueError
        If there is no subtree, the two differ in length, a number of leaves is below 1, a fit is no finite
        number, or `up_to` is not above 0.

    Examples
    --------
    >>> for said in envelope([1, 2, 3], [14.564, 8.265, 0]).description.split(". "):
    ...     print(said)
    Subtrees: 3
    The least loss: 3 leaves from 0; 1 leaf from 7.282
    Nowhere the least: 2 leaves, 8.265 at 0.
    """
    size, cost = _subtrees(leaves, fit)
    best, start = lowest(size, cost)
    end = up_to if up_to is not None else (1.25 * start[-1] if start[-1] > 0 else 1.0)
    if not 0 < end < np.inf:
        raise ValueError(f"up_to is {up_to!r}; wanted the largest alpha drawn, above 0")
    fig, ax = figure(height=400, x_label=x_label, y_label=y_label)
    top = 1.15 * (cost + size * end)[best[-1]]
    ax.set(xlim=(0, end), ylim=(-0.03 * top, top))
    for i in np.lexsort((cost, size)):
        dashes, width = ("-", 1.2) if i in best else ((0, (2, 4)), 1.0)
        line = [cost[i], cost[i] + size[i] * end]
        ax.plot([0, end], line, linestyle=dashes, color=LIGHT["muted"], linewidth=width)
    _draw_border(ax, size[best], cost[best], start, end)
    title = title or say("{y} against {x}", x=x_label or "x", y=y_label or "y")
    return said_picture(fig, title, _said_subtrees(size, cost, best, start))


def _subtrees(leaves: ArrayLike, fit: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Return the lines as arrays, or say why they are none."""
    size, cost = np.asarray(leaves, float), np.asarray(fit, float)
    if size.ndim != 1 or size.shape != cost.shape or not len(size):
        raise ValueError(
            f"leaves has shape {size.shape} and fit {cost.shape}; wanted one number of each per subtree"
        )
    if not (np.isfinite([size, cost]).all() and (size >= 1).all()):
        raise ValueError(
            "leaves or fit has a number no subtree can have; wanted leaves >= 1 and a finite fit"
        )
    return size, cost


def lowest(size: np.ndarray, cost: np.ndarray) -> tuple[list[int], np.ndarray]:
    """Find which lines are the lowest somewhere from alpha 0 on, in order, and where each begins to be.

    Examples
    --------
    >>> lowest(np.array([1, 2, 3]), np.array([7.0, 4.0, 2.0]))
    ([2, 1, 0], array([0., 2., 3.]))
    """
    slack = EQUAL_LOSS * np.abs(cost).max()
    equal = np.flatnonzero(cost <= cost.min() + slack)
    best, start = [int(equal[size[equal].argmin()])], [0.0]
    while (fewer := np.flatnonzero(size < size[best[-1]])).size:
        at = (cost[fewer] - cost[best[-1]]) / (size[best[-1]] - size[fewer])
        equal = fewer[at <= at.min() + slack]
        best.append(int(equal[size[equal].argmin()]))
        start.append(float(at.min()))
    return best, np.array(start)


def _draw_border(ax: Axes, size: np.ndarray, cost: np.ndarray, start: np.ndarray, end: float) -> None:
    """Draw the lowest lines where they are the lowest, with dots between them and their leaves beside."""
    corners = np.append(start, end)
    points = np.append(cost + size * start, cost[-1] + size[-1] * end)
    shown = corners <= end
    ax.plot(corners[shown], points[shown], color=LIGHT["accent"], linewidth=4, solid_capstyle="round")
    inner = np.flatnonzero(shown[1:-1]) + 1
    ax.plot(corners[inner], points[inner], "o", color=LIGHT["ink"], markersize=7, clip_on=False)
    grid, dots = np.linspace(0, end, 240), in_px(ax, corners[inner], points[inner])
    taken = [dots, *(in_px(ax, grid, c + s * grid) for s, c in zip(size, cost, strict=True))]
    for x, dot in zip(corners[inner], dots, strict=True):
        write_clear(ax, f"{x:.4g}", dot[None], "ink", taken)
    for s, c, left, right in zip(size, cost, corners, corners[1:], strict=False):
        if left < end:
            x = np.linspace(left, min(right, end), 9)[2:-2]
            write_clear(ax, _leaves(s), in_px(ax, x, c + s * x), "accent", taken)


def _leaves(size: float) -> str:
    """Say how many leaves."""
    return say("1 leaf") if size == 1 else say("{n:g} leaves", n=size)


def _said_subtrees(size: np.ndarray, cost: np.ndarray, best: list[int], start: np.ndarray) -> list[str]:
    """Say which subtrees are the best from where on, and which nowhere."""
    steps = [
        say("{leaves} from {alpha:.4g}", leaves=_leaves(size[i]), alpha=alpha)
        for i, alpha in zip(best, start, strict=True)
    ]
    words = [say("Subtrees: {n}.", n=len(size)), say("The least loss: {list}.", list=say("; ").join(steps))]
    border = {(size[i], cost[i]) for i in best}
    never = [
        say("{leaves}, {fit:.4g} at 0", leaves=_leaves(size[i]), fit=cost[i])
        for i in np.lexsort((cost, -size))
        if (size[i], cost[i]) not in border
    ]
    return words + ([say("Nowhere the least: {list}.", list=say("; ").join(never))] if never else [])
