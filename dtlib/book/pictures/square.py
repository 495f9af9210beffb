"""A square of two draws: what lies off its diagonal is the Gini index (chapter 8)."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from dtlib.draw.svg import (
    PICTURE_WIDTH,
    SMALL_SIZE,
    Picture,
    apart,
    class_color,
    commas,
    picture,
    small,
    style,
    tag,
    text,
    text_width,
)
from dtlib.measures import gini
from dtlib.messages import say

SIDE, SQUARE_TOP, LABEL_HEIGHT = 240, 76, 20  # px


def two_draws(counts: ArrayLike, names: Sequence[object] | None = None) -> Picture:
    """Draw the chances of two draws from a node as areas: first draw across, second draw down.

    The tinted squares on the diagonal are draws of one class; the rest of the square is the Gini index.

    Parameters
    ----------
    counts : array-like of shape (K,)
        Class counts or weights; a class without any is left out.
    names : sequence of K names, optional
        By default the index of a Series, else 0, 1, and so on.

    Returns
    -------
    Picture

    Raises
    ------
    ValueError
        If the counts are not those of one node, or all 0, or there is not one name for each.

    Examples
    --------
    >>> two_draws([1, 3], names=["C0", "C1"])
    Picture: Two draws. C0 and C0 0.0625, C1 and C1 0.5625; of different classes 0.3750.
    """
    if names is None:
        names = getattr(counts, "index", None)
    n = np.asarray(counts, float)
    names = [str(name) for name in (range(n.size) if names is None or callable(names) else names)]
    if n.ndim != 1 or not n.sum() > 0:
        raise ValueError(f"counts is {n.tolist()}; wanted the class counts (K,) of a node that is not empty")
    if len(names) != len(n):
        raise ValueError(f"names has {len(names)} entries, counts {len(n)}: give one for each class")
    differ, p = gini(n), n / n.sum()
    kept = np.flatnonzero(p)
    labels = [f"{names[k]} {p[k]:.3g}" for k in kept]
    widths = [text_width(label) for label in labels]
    middles = (SIDE * (np.cumsum(p) - p) + SIDE * p / 2)[kept].tolist()
    across, down = apart(middles, widths, 10), apart(middles, [LABEL_HEIGHT] * len(kept), 0)
    left = max(
        text_width(say("second draw"), SMALL_SIZE) + 24, max(widths) + 24, widths[0] / 2 - across[0] + 8
    )
    body = _chances(p, left)
    for label, x, y in zip(labels, across, down, strict=True):
        body.append(text(left + x, SQUARE_TOP - 22, label))
        body.append(text(left - 10, SQUARE_TOP + y + 5, label, text_anchor="end"))
    legend = say("off the diagonal: {differ:.4f}, the Gini index", differ=differ)
    bottom = SQUARE_TOP + max(SIDE, down[-1] + LABEL_HEIGHT / 2) + 26
    body += [
        small(left + SIDE / 2, SQUARE_TOP - 50, say("first draw"), fill="muted"),
        small(left - 10, SQUARE_TOP - 50, say("second draw"), fill="muted", text_anchor="end"),
        text(left + SIDE / 2, bottom, legend),
    ]
    far = max(SIDE, across[-1] + widths[-1] / 2, SIDE / 2 + text_width(legend) / 2)
    twice = [say("{a} and {b}", a=names[k], b=names[k]) + f" {p[k] ** 2:.4f}" for k in kept]
    words = say("{list}; of different classes {differ:.4f}.", list=commas(twice), differ=differ)
    return picture(say("Two draws"), words, max(PICTURE_WIDTH, left + far + 16), bottom + 18, *body)


def _chances(p: np.ndarray, left: float) -> list[str]:
    """Draw a rectangle for each pair of classes, with its area in it if that fits."""
    starts, body = SIDE * (np.cumsum(p) - p), []
    for row, column in itertools.product(np.flatnonzero(p), repeat=2):
        x, y, width, height = left + starts[column], SQUARE_TOP + starts[row], SIDE * p[column], SIDE * p[row]
        fill, opacity = (class_color(int(row)), 0.45) if row == column else ("line", 0.12)
        css = style(fill=fill, fill_opacity=opacity, stroke="paper", stroke_width=1.5)
        body.append(tag("rect", x=x, y=y, width=width, height=height, style=css))
        chance = f"{p[row] * p[column]:.4g}"
        if width > text_width(chance) + 8 and height > LABEL_HEIGHT:
            body.append(text(x + width / 2, y + height / 2 + 5, chance))
    return body
