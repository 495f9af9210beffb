"""How far chance scatters: means of samples (chapter 12), prices of the trees of folds (chapter 14)."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from dtlib.draw.axes import INK, figure, said_picture
from dtlib.draw.svg import LIGHT, Picture, commas
from dtlib.messages import say

WITHIN = 4  # of a histogram, within one standard error
TALL = 0.72  # of the room of a row, its highest bar


def spread_of_means(
    means: Mapping[int, ArrayLike],
    center: float,
    s: float,
    *,
    step: float = 0,
    x_label: str = "",
    title: str = "",
) -> Picture:
    """Draw how means of more and more numbers scatter, and how far their standard error reaches.

    Parameters
    ----------
    means : mapping of int to array-like
        For each n, many means of n numbers each.
    center, s : float
        The true mean of one number, and the root of its variance.
    step : float
        From one possible number to the next, as 1 for throws of a die; 0 if any number may come.
    x_label : str
        What is averaged, with its unit.
    title : str
        What the picture is; by default its axis.

    Returns
    -------
    Picture

    Raises
    ------
    ValueError
        If there is no n, one is below 1, or has no finite means.

    Examples
    --------
    >>> spread_of_means({4: [3.0, 4.0]}, 3.5, 1.0).description
    '2 means of 4: spread 0.5, standard error 0.5.'
    """
    drawn = {n: np.asarray(found, float) for n, found in means.items()}
    if not drawn or not all(n >= 1 and x.size and np.isfinite(x).all() for n, x in drawn.items()):
        raise ValueError(f"means has {list(drawn)}; wanted finite means of 1 number or more")
    fig, ax = figure(height=110 + 72 * len(drawn), left=98, x_label=x_label)
    words = []
    for row, (n, x) in enumerate(drawn.items()):
        foot, se = float(len(drawn) - 1 - row), s / n**0.5
        width = se / WITHIN if not step else step * np.ceil(n * se / WITHIN / step) / n
        edges = x.min() - step / (2 * n) + width * np.arange(np.ptp(x) // width + 3)
        count, _ = np.histogram(x, edges)
        ax.stairs(foot + TALL * count / count.max(), edges, baseline=foot, fill=True, color=LIGHT["muted"])
        ax.plot([center - se, center + se], [foot - 0.1] * 2, color=LIGHT["accent"], linewidth=4)
        ax.annotate(say("± {se:.3f}", se=se), (center + se, foot - 0.1), (6, 0), textcoords="offset points",
                    va="center", **INK)  # fmt: skip
        said = {"times": x.size, "n": n, "spread": x.std(), "se": se}
        words.append(say("{times} means of {n}: spread {spread:.3g}, standard error {se:.3g}.", **said))
    ax.axvline(center, color=LIGHT["ink"], linewidth=1, linestyle=":")
    ax.set_yticks(range(len(drawn)), [say("means of {n}", n=n) for n in reversed(drawn)])
    ax.set_ylim(-0.25, len(drawn) - 0.15)
    ax.grid(False)
    return said_picture(fig, title or x_label or say("Means"), words)


def prices_of_folds(
    alphas: ArrayLike,
    folds: Sequence[ArrayLike],
    beta: ArrayLike,
    *,
    x_label: str = "",
    title: str = "",
) -> Picture:
    """Draw at which prices the trees of folds are cut, beside those of the tree of all samples.

    Parameters
    ----------
    alphas : array-like of floats
        The prices at which the tree of all samples is cut; on a scale of factors, so 0 is left out.
    folds : sequence of array-likes
        Those of the tree of each fold, in the same unit.
    beta : array-like of floats
        The price that stands for each interval; 0 and infinity are left out.
    x_label : str
        What a price is, with its unit.
    title : str
        What the picture is; by default its axis.

    Returns
    -------
    Picture

    Raises
    ------
    ValueError
        If no price is above 0, or there is no fold.

    Examples
    --------
    >>> prices_of_folds([0, 1, 4], [[0, 1.1, 3.9], [0, 2]], [0, 2, np.inf]).description
    'All samples: 1, 4. Between them 2. Fold 1: 1.1, 3.9. Fold 2: 2.'
    """
    shown = [
        x[(x > 0) & np.isfinite(x)] for x in (np.asarray(each, float) for each in (alphas, beta, *folds))
    ]
    (cut, between), parts = shown[:2], shown[2:]
    if not cut.size or not parts:
        raise ValueError(
            f"alphas has {cut.size} prices above 0, and there are {len(parts)} folds: wanted some"
        )
    fig, ax = figure(height=120 + 22 * len(parts), left=66, x_label=x_label)
    ax.set_xscale("log")
    for price in cut:
        ax.axvline(price, color=LIGHT["accent"], linewidth=2)
    for price in between:
        ax.axvline(price, color=LIGHT["ink"], linewidth=1.2, linestyle=(0, (3, 3)))
    for row, prices in enumerate(parts):
        height = len(parts) - 1 - row
        ax.plot(prices, [height] * len(prices), "o", markersize=6, color=LIGHT["ink"], clip_on=False)
    ax.set_yticks(range(len(parts)), [say("fold {k}", k=k) for k in range(len(parts), 0, -1)])
    ax.set_ylim(-0.6, len(parts) - 0.4)
    ends = np.concatenate(shown)
    low, high = ends.min() / 1.3, ends.max() * 1.3
    marks = [m * 10.0**e for e in range(-4, 7) for m in (1, 2, 5) if low <= m * 10.0**e <= high]
    ax.set_xticks(marks, [f"{mark:g}" for mark in marks])
    ax.set_xticks([], minor=True)
    ax.set_xlim(low, high)
    ax.grid(False)

    def listed(prices: np.ndarray) -> str:
        return commas(f"{price:.3g}" for price in prices)

    words = [
        say("All samples: {list}.", list=listed(cut)),
        say("Between them {list}.", list=listed(between)),
        *(say("Fold {k}: {list}.", k=k, list=listed(prices)) for k, prices in enumerate(parts, 1)),
    ]
    return said_picture(fig, title or x_label or say("Prices"), words)
