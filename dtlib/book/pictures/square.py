"""A square of two draws: what lies off its diagonal is the Gini index (chapter 8)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from dtlib.draw.svg import SMALL, WIDTH, Picture, apart, class_color, picture, style, tag, text, text_width
from dtlib.measures import gini
from dtlib.messages import say

SIDE, TOP, LINE = 240, 76, 20


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
    starts = SIDE * (np.cumsum(p) - p)
    middles = starts[kept] + SIDE * p[kept] / 2
    across = apart(middles, widths, 10)
    down = apart(middles, [LINE] * len(kept), 0)
    left = max(
        text_width(say("second draw"), SMALL) + 24, *(w + 24 for w in widths), widths[0] / 2 - across[0] + 8
    )
    body = []
    for row in kept:
        for column in kept:
            x, y, size = left + starts[column], TOP + starts[row], (SIDE * p[column], SIDE * p[row])
            same = row == column
            css = style(
                fill=class_color(int(row)) if same else "line",
                fill_opacity=0.45 if same else 0.12,
                stroke="paper",
                stroke_width=1.5,
            )
            body.append(tag("rect", x=x, y=y, width=size[0], height=size[1], style=css))
            chance = f"{p[row] * p[column]:.4g}"
            if size[0] > text_width(chance) + 8 and size[1] > LINE:
                body.append(text(x + size[0] / 2, y + size[1] / 2 + 5, chance))
    for label, x, y in zip(labels, across, down, strict=True):
        body.append(text(left + x, TOP - 22, label))
        body.append(text(left - 10, TOP + y + 5, label, text_anchor="end"))
    legend = say("off the diagonal: {differ:.4f}, the Gini index", differ=differ)
    bottom = TOP + max(SIDE, down[-1] + LINE / 2) + 26
    small = {"fill": "muted", "font_size": f"{SMALL}px"}
    body += [
        text(left + SIDE / 2, TOP - 50, say("first draw"), **small),
        text(left - 10, TOP - 50, say("second draw"), text_anchor="end", **small),
        text(left + SIDE / 2, bottom, legend),
    ]
    far = max(SIDE, across[-1] + widths[-1] / 2, SIDE / 2 + text_width(legend) / 2)
    twice = [say("{a} and {b}", a=names[k], b=names[k]) + f" {p[k] ** 2:.4f}" for k in kept]
    words = say("{list}; of different classes {differ:.4f}.", list=say(", ").join(twice), differ=differ)
    return picture(say("Two draws"), words, max(WIDTH, left + far + 16), bottom + 18, *body)
