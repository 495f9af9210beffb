"""How large a lucky number is: a histogram of what chance makes, and what was found (chapter 5)."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dtlib.draw.axes import INK, figure, said_picture
from dtlib.draw.svg import LIGHT, Picture
from dtlib.messages import say

BARS = 30  # of the histogram


def luck(
    drawn: ArrayLike,
    found: "Mapping[str, float] | pd.Series[float]",
    *,
    x_label: str = "",
    y_label: str = "",
    title: str = "",
) -> Picture:
    """Draw how often chance makes which number, and where the numbers that were found lie.

    Parameters
    ----------
    drawn : array-like of n floats
        What chance has made, such as the gains of useless features; all >= 0.
    found : mapping or Series of str to float
        Label and value of each number found.
    x_label, y_label : str
        What the numbers are, with their unit; how many of them are counted.
    title : str
        What the picture is; by default its axes.

    Returns
    -------
    Picture

    Raises
    ------
    ValueError
        If nothing was drawn, or a number is negative, missing or infinite.

    Examples
    --------
    >>> luck([0.1, 0.2, 0.2, 0.4], {"color": 0.2}, x_label="gain (bits)", y_label="tables")
    Picture: tables against gain (bits). Drawn: 4, from 0.1 to 0.4, mean 0.225. 3 of them reach color 0.200.
    """
    made, found = np.asarray(drawn, float), dict(found)
    for name, values in (("drawn", made), ("found", np.array([*found.values()], float))):
        if values.ndim != 1 or not len(values) or not ((values >= 0) & (values < np.inf)).all():
            raise ValueError(f"{name} is {values.tolist()}; wanted one number or more, none below 0")
    fig, ax = figure(x_label=x_label, y_label=y_label, y_at=0.955)
    high = max(made.max(), *found.values())
    n, edges = np.histogram(made, BARS, (0, high))
    ax.stairs(n, edges, fill=True, color=LIGHT["line"], alpha=0.6)
    ax.set(xlim=(0, 1.04 * high), ylim=(0, 1.1 * n.max()))
    step = n.max() / (len(found) + 1)
    paper = {"facecolor": LIGHT["paper"], "edgecolor": "none", "pad": 1}
    look: dict[str, Any] = {"color": LIGHT["accent"], "linewidth": 1.5}
    words = [
        say("Drawn: {n}, from {low:.4g} to {high:.4g}, mean {mean:.4g}.",
            n=len(made), low=made.min(), high=made.max(), mean=made.mean())
    ]  # fmt: skip
    for i, (name, value) in enumerate(sorted(found.items(), key=lambda pair: pair[1])):
        top, label = n.max() - i * step, f"{name} {value:.3f}"
        ax.plot([value, value], [0, n.max()], **look)
        side = "right" if value > 0.7 * high else "left"  # where there is room
        ax.annotate(label, (value, top), (-5 if side == "right" else 5, -4), textcoords="offset points",
                    ha=side, va="center", bbox=paper, **INK)  # fmt: skip
        words.append(say("{n} of them reach {label}.", label=label, n=int((made >= value - 1e-9).sum())))
    return said_picture(fig, title or say("{y} against {x}", x=x_label, y=y_label), words)
