"""Why no cut inside a run is best: the bits that are left, as arches between the boundaries (chapter 6)."""

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from dtlib.draw.axes import SHAPES, Axes, figure, said_picture
from dtlib.draw.svg import LIGHT, Picture, class_color, commas
from dtlib.measures import conditional_entropy
from dtlib.messages import say
from dtlib.table.columns import distinct, encode
from dtlib.table.parameters import checked_sequence

SAMPLES_LANE, POINTS = 0.07, 41  # share of the height for the samples; points of an arch


def arches(classes: Sequence[Any], *, feature: str = "x", title: str = "") -> Picture:
    """Draw how many bits are left if the sorted samples are cut after each of them.

    Between the ends of a run of one class, the bits left are drawn as if a sample could be divided: an arch,
    never below its chord. Full dots are the cuts at ends of runs, hollow ones
    those inside. Below are the samples in their order.

    Parameters
    ----------
    classes : sequence of n
        The classes, in the order of a feature whose values all differ.
    feature : str
        What they are sorted by.
    title : str
        What the picture is.

    Returns
    -------
    Picture

    Raises
    ------
    ValueError
        If there is only one class, or one is missing.

    Examples
    --------
    >>> arches(["no", "no", "yes", "no"], feature="size").description
    'Samples by size: no, no, yes, no. Bits left after 0: 3.245, 1: 2.755, 2: 2.000, 3: 2.755, 4: 3.245. Ends of the runs: 0, 2, 3, 4.'
    """  # noqa: E501
    column = pd.Series(list(checked_sequence("classes", classes)), name="classes")
    names = distinct(column)
    codes = encode(column, names).codes
    if len(names) < 2 or (codes < 0).any():
        raise ValueError(f"classes is {list(classes)}; wanted two classes or more, and none missing")
    n = len(codes)
    ends = [0, *(np.flatnonzero(np.diff(codes)) + 1).tolist(), n]
    fig, ax = figure(
        height=340, x_label=say("samples below the cut, in the order of {feature}", feature=feature),
        y_label=say("bits left in both branches"),
    )  # fmt: skip
    for start, end in itertools.pairwise(ends):
        _draw_run(ax, codes, start, end)
    places = np.arange(n + 1)
    left = bits_left(codes, places)
    within = np.setdiff1d(places, ends)
    ax.plot([0, n], left[[0, n]], ".", color=LIGHT["line"], markersize=8, clip_on=False)  # no cuts
    for at, fill in ((np.array(ends[1:-1]), "accent"), (within, "paper")):
        rim: dict[str, Any] = {"markeredgecolor": LIGHT["accent"], "markeredgewidth": 1.5}
        ax.plot(at, left[at], "o", markersize=8, clip_on=False, markerfacecolor=LIGHT[fill], **rim)
    _draw_order(ax, codes, left)
    said = [f"{i}: {bits:.3f}" for i, bits in enumerate(left)]
    words = [
        say("Samples by {feature}: {list}.", feature=feature, list=commas(names[code] for code in codes)),
        say("Bits left after {list}.", list=commas(said)),
        say("Ends of the runs: {list}.", list=commas(ends)),
    ]
    return said_picture(fig, title or say("Bits left by each cut of {feature}", feature=feature), words)


def bits_left(codes: np.ndarray, below: np.ndarray) -> np.ndarray:
    """Return the entropy of both sides of a cut in total bits, after so many samples: whole ones and parts.

    Examples
    --------
    >>> bits_left(np.array([0, 0, 1, 1]), np.array([0, 1, 1.5, 2])).round(3).tolist()
    [4.0, 2.755, 1.805, 0.0]
    """
    each = np.eye(codes.max() + 1)[codes]
    counts = np.vstack([np.zeros(each.shape[1]), each.cumsum(0)])
    whole = np.minimum(np.floor(below).astype(int), len(codes) - 1)
    first = counts[whole] + (below - whole)[:, None] * each[whole]
    return len(codes) * np.asarray(conditional_entropy(np.stack([first, counts[-1] - first], axis=1)))


def _draw_run(ax: Axes, codes: np.ndarray, start: int, end: int) -> None:
    """Draw the arch over a run, and its chord."""
    x = np.linspace(start, end, POINTS)
    y = bits_left(codes, x)
    ax.plot(x, y, color=LIGHT[class_color(int(codes[start]))], linewidth=2.5)
    ax.plot([start, end], y[[0, -1]], "--", color=LIGHT["line"], linewidth=1.5)


def _draw_order(ax: Axes, codes: np.ndarray, left: np.ndarray) -> None:
    """Draw the samples in a row below the arches, each between the cuts before and after it."""
    low, high = left.min(), left.max()
    bottom = low - 0.22 * (high - low)
    ax.set(xlim=(-0.3, len(codes) + 0.3), ylim=(bottom, high + 0.08 * (high - low)))
    row = bottom + SAMPLES_LANE * (high - low)
    for k in np.unique(codes):
        own = np.flatnonzero(codes == k) + 0.5
        shade = LIGHT[class_color(int(k))]
        ax.plot(own, np.full(len(own), row), SHAPES[k % len(SHAPES)], color=shade, markersize=7)
