"""Bootstrap samples as a grid: how often each has drawn which sample, and whom it left out (chapter 16)."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dtlib.draw.bars import MARGIN
from dtlib.draw.svg import (
    PICTURE_WIDTH,
    SMALL_SIZE,
    Picture,
    commas,
    picture,
    sentences,
    small,
    style,
    tag,
    widest,
)
from dtlib.messages import say

DRAWS_HEAD, DRAWS_ROW = MARGIN + 20, 24  # px
DRAWN_ONCE = 0.25  # of the tint, for each time that a sample is drawn


def bootstrap(drawn: Mapping[str, Sequence[Any]], names: Sequence[Any], *, title: str = "") -> Picture:
    """Draw who is in which bootstrap sample: a cell says how often, and has a rim where a sample is left out.

    Parameters
    ----------
    drawn : mapping of str to sequence
        Label of each draw, and the names of the samples that it holds, one that is drawn twice twice.
    names : sequence
        The names of all samples, a column each.
    title : str
        What the picture is; by default how many draws of how many samples.

    Returns
    -------
    Picture

    Raises
    ------
    ValueError
        If there is no draw or no name, or a draw holds what has no name.

    Examples
    --------
    >>> bootstrap({"draw 1": [1, 1, 3], "draw 2": [2, 3, 1]}, [1, 2, 3])
    Picture: 2 draws from 3 samples. draw 1: left out 2. draw 2: left out –.
    """
    strange = [x for held in drawn.values() for x in held if x not in names]
    if not len(drawn) or not len(names) or strange:
        raise ValueError(
            f"{len(drawn)} draws hold {strange}, which have no name; wanted draws of {list(names)}"
        )
    counts = np.array([[sum(x == name for x in held) for name in names] for held in drawn.values()])
    left = MARGIN + widest(list(drawn), SMALL_SIZE) + 8
    slot = (PICTURE_WIDTH - left - MARGIN) / len(names)
    body = [small(left + slot * (j + 0.5), DRAWS_HEAD - 8, str(name)) for j, name in enumerate(names)]
    words = []
    for i, label in enumerate(drawn):
        top = DRAWS_HEAD + DRAWS_ROW * i
        body.append(small(left - 8, top + 16, label, text_anchor="end"))
        for j, count in enumerate(counts[i]):
            body += _drawn_cell(left + slot * j, top, slot, int(count))
        out = commas(str(name) for name, count in zip(names, counts[i], strict=True) if not count)
        words.append(say("{draw}: left out {names}.", draw=label, names=out or "–"))
    title = title or say("{count} draws from {n} samples", count=len(drawn), n=len(names))
    return picture(
        title, sentences(words), PICTURE_WIDTH, DRAWS_HEAD + DRAWS_ROW * len(drawn) + MARGIN, *body
    )


def _drawn_cell(x: float, y: float, slot: float, count: int) -> list[str]:
    """Draw a cell with its count, or the rim of one that is left out."""
    box = {"x": x + 2, "y": y + 2, "width": slot - 4, "height": DRAWS_ROW - 4, "rx": 3}
    if not count:
        return [tag("rect", **box, style=style(fill="paper", stroke="line"), stroke_dasharray="4 3")]
    cell = tag("rect", **box, style=style(fill="accent"), opacity=min(1.0, DRAWN_ONCE * count))
    return [cell, small(x + slot / 2, y + 16, str(count))]
