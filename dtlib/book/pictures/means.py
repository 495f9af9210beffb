"""Three means: what a cut leaves within its branches, and what lies between them (chapter 11)."""

import numpy as np
from numpy.typing import ArrayLike

from dtlib.draw.axes import Axes, along, figure, in_px, said_picture, write_clear
from dtlib.draw.plots import curve_points, some_points
from dtlib.draw.svg import LIGHT, Picture, statement
from dtlib.measures import squared_error
from dtlib.messages import say
from dtlib.numbers import format_number


def two_means(
    x: ArrayLike, y: ArrayLike, threshold: float, *, x_label: str = "x", y_label: str = "y", title: str = ""
) -> Picture:
    """Draw points, the mean of all, and the means of the two branches of a cut.

    A thin line leads from each point to the mean of its branch: within. An arrow leads from the mean of all
    to that of each branch, and says what it adds to the squares: between.

    Parameters
    ----------
    x, y : array-like of shape (n,)
        The points, x ascending.
    threshold : float
        The cut; some x are at most as large, and some are larger.
    x_label, y_label : str
        What the axes show, with units.
    title : str
        What the picture is; by default its axes.

    Returns
    -------
    Picture

    Raises
    ------
    ValueError
        If a number is NaN or infinite, lengths differ, x descends, or all points are on one side.

    Examples
    --------
    >>> two_means([1, 2], [4, 9], 1.5).description.split(". ", 2)[2]
    'Up to 1.5: 1 of mean 4, within 0. Above 1.5: 1 of mean 9, within 0.'
    """
    x, y = curve_points(say("Points"), x, y)
    left = x <= threshold
    if left.all() or not left.any():
        raise ValueError(
            f"threshold is {threshold}; wanted points on either side, from {x[0]:g} to {x[-1]:g}"
        )
    fig, ax = figure(x_label=x_label, y_label=y_label, y_at=0.955)
    ax.axvline(threshold, color=LIGHT["line"], linewidth=1.5)
    ax.axhline(y.mean(), linestyle="--", color=LIGHT["ink"], linewidth=1.5)
    t = format_number(threshold, x[left][-1].item(), x[~left][0].item(), digits=6)
    sides = {
        say("Up to {t}", t=t): (left, [x[0], threshold]),
        say("Above {t}", t=t): (~left, [threshold, x[-1]]),
    }
    for side, ends in sides.values():
        _draw_branch(ax, x[side], y[side], ends)
    level = along(ax, x[[0, -1]], np.full(2, y.mean()))
    cut = in_px(ax, np.full(40, threshold), np.linspace(*ax.get_ylim(), 40))
    taken = [in_px(ax, x, y), level, cut]
    words = [statement(say("Points"), some_points(x, y)), say("Mean of all: {mean:.4g}.", mean=y.mean())]
    for name, (side, ends) in sides.items():
        mean, n = y[side].mean(), side.sum()
        taken.append(along(ax, np.array(ends), np.full(2, mean)))
        taken += [
            in_px(ax, np.full(9, a), np.linspace(b, mean, 9)) for a, b in zip(x[side], y[side], strict=True)
        ]
        _draw_arrow(ax, ends, y.mean(), mean, say("{n} · {far:.3f}²", n=n, far=abs(mean - y.mean())), taken)
        write_clear(ax, say("mean {mean:.4g}", mean=mean), in_px(ax, ends, [mean] * 2), "accent", taken)
        said = {"n": n, "mean": mean, "within": squared_error(y[side])}
        words.append(statement(name, [say("{n} of mean {mean:.4g}, within {within:.4g}", **said)]))
    write_clear(ax, say("mean {mean:.4g}", mean=y.mean()), level[[0, -1]], "ink", taken)
    return said_picture(fig, title or say("{y} against {x}", x=x_label, y=y_label), words)


def _draw_branch(ax: Axes, x: np.ndarray, y: np.ndarray, ends: list[float]) -> None:
    """Draw the points of a branch, its mean as a step, and the way from each point to it."""
    ax.vlines(x, y, y.mean(), color=LIGHT["muted"], linewidth=1.2)
    ax.plot(ends, [y.mean()] * 2, color=LIGHT["accent"], linewidth=2.5)
    ax.plot(x, y, "o", markersize=6, color=LIGHT["muted"], clip_on=False)


def _draw_arrow(
    ax: Axes, ends: list[float], start: float, end: float, words: str, taken: list[np.ndarray]
) -> None:
    """Draw an arrow from one height to another, in the middle of a step, with words at it."""
    at = sum(ends) / 2 + (ends[1] - ends[0]) / 12  # beside a point that lies in the middle
    look = {
        "arrowstyle": "-|>",
        "color": LIGHT["accent"],
        "linewidth": 2.5,
        "shrinkA": 0,
        "shrinkB": 0,
        "mutation_scale": 14,
    }
    ax.annotate("", (at, end), (at, start), arrowprops=look)
    way = in_px(ax, np.full(20, at), np.linspace(start, end, 20))
    taken.append(way)
    write_clear(ax, words, way[8:12], "accent", taken)
