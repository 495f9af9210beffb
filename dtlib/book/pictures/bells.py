"""The bell of the normal distribution over the bars of the binomial (chapter 15)."""

import numpy as np
from scipy.special import bdtr, ndtr

from dtlib.draw.axes import INK, figure, said_picture
from dtlib.draw.svg import LIGHT, Picture
from dtlib.messages import say

FAR = 3.6  # standard deviations on either side of the mean that are drawn


def bell(N: int, p: float, e: int, *, title: str = "") -> Picture:
    """Draw how likely each number of errors is, as bars, and the normal distribution over them.

    The bars of at most e errors are colored; they end at e + 1/2, and an arrow shows how far that is from the
    mean, in standard deviations.

    Parameters
    ----------
    N : int
        How many samples there are.
    p : float between 0 and 1
        The rate of errors.
    e : int
        How many errors were seen, fewer than the mean.
    title : str
        What the picture is; by default, which chances.

    Returns
    -------
    Picture

    Raises
    ------
    ValueError
        If p is not between 0 and 1, or ``e + 1/2`` not below the mean.

    Examples
    --------
    >>> bell(16, 0.157, 1).description
    'Mean 2.512, standard deviation 1.455. Chance of at most 1: bars 0.259, area below 1.5 0.243.'
    """
    if not 0 < p < 1 or not 0 <= e + 0.5 < N * p:
        raise ValueError(f"p is {p}, e {e}, N {N}; wanted a rate whose mean N p lies above e + 1/2")
    mean, sd, w = N * p, (N * p * (1 - p)) ** 0.5, e + 0.5
    k = np.arange(max(0, int(mean - FAR * sd)), min(N, int(mean + FAR * sd)) + 1)
    chance = bdtr(k, N, p) - np.where(k > 0, bdtr(np.maximum(k - 1, 0), N, p), 0.0)
    x = np.linspace(mean - FAR * sd, mean + FAR * sd, 400)
    y = np.exp(-(((x - mean) / sd) ** 2) / 2) / (sd * (2 * np.pi) ** 0.5)
    fig, ax = figure(x_label=say("errors among {n}", n=N), y_label=say("chance"))
    few = k <= e
    for some, ink, alpha in ((few, "accent", 0.55), (~few, "muted", 0.35)):
        ax.bar(k[some], chance[some], 1, color=LIGHT[ink], alpha=alpha, edgecolor=LIGHT["paper"], linewidth=1)
    ax.plot(x, y, color=LIGHT["ink"], linewidth=2.5)
    top = 1.22 * max(chance.max(), y.max())
    ax.vlines(w, 0, 0.95 * top, color=LIGHT["accent"], linewidth=2)
    ax.vlines(mean, 0, 0.95 * top, color=LIGHT["ink"], linewidth=1.2, linestyle=":")
    arrow = {"arrowstyle": "<->", "color": LIGHT["ink"], "linewidth": 1.5, "shrinkA": 0, "shrinkB": 0}
    ax.annotate("", (w, 0.88 * top), (mean, 0.88 * top), arrowprops=arrow)
    ax.text(mean, 0.97 * top, say(" {z:.3f} standard deviations", z=(mean - w) / sd), va="center", **INK)
    side = {"va": "center", "ha": "right"} | INK
    ax.text(w - 0.12 * sd, 0.97 * top, say("e + ½ = {w:g}", w=w), **side | {"color": LIGHT["accent"]})
    ax.set(xlim=(x[0], x[-1]), ylim=(0, 1.03 * top), xticks=k)
    ax.grid(visible=False)
    said = {"mean": mean, "sd": sd, "bars": bdtr(e, N, p), "area": ndtr((w - mean) / sd), "w": w, "e": e}
    words = [
        say("Mean {mean:.4g}, standard deviation {sd:.4g}.", **said),
        say("Chance of at most {e}: bars {bars:.3f}, area below {w:g} {area:.3f}.", **said),
    ]
    return said_picture(fig, title or say("How likely so many errors are"), words)
