"""Values of a name by their shares of three classes, and the line between the best two groups (chapter 8)."""

from collections.abc import Collection
from typing import Any

import numpy as np
import pandas as pd

from dtlib.draw.svg import (
    SMALL_SIZE,
    Picture,
    commas,
    picture,
    sentences,
    small,
    statement,
    style,
    tag,
    text,
    widest,
)
from dtlib.messages import say

EDGE, ABOVE, ASIDE = 320, 40, 30  # px: of the triangle; above it; to its left and right
LARGEST_MARK = 15  # px: half the width of the mark of the heaviest value
CORNERS = np.array([[0, EDGE * 3**0.5 / 2], [EDGE / 2, 0], [EDGE, EDGE * 3**0.5 / 2]])


def triangle(table: pd.DataFrame, group: Collection[Any], *, title: str = "") -> Picture:
    """Draw each value at its shares of three classes, the corners, and the line between two groups of values.

    A value with samples of one class alone lies in the corner of that class; on a line parallel to a side one
    share is the same. The area of a mark grows with the weight of its value, its shape tells the group. A
    small triangle is the mean of a group; the dashed line lies halfway between the two.

    Parameters
    ----------
    table : DataFrame of shape (V, 3)
        Count table: rows are values, columns the three classes.
    group : collection of values
        One group; the other holds the rest.
    title : str
        What the picture is; by default what the corners are.

    Returns
    -------
    Picture

    Raises
    ------
    ValueError
        If the table has not three classes, a value has no weight, or a group is empty, all, or strange.

    Examples
    --------
    >>> table = pd.DataFrame({"A": [2, 0, 0], "B": [0, 2, 1], "C": [0, 0, 1]}, index=["p", "q", "r"])
    >>> triangle(table, ["p"]).description.split(". ")[-1]
    'One group: p; the other: q, r.'
    """
    inside = _need_group(table, group)
    counts = table.to_numpy(float)
    weight, at = counts.sum(1), _place(counts)
    means = [_place(counts[side].sum(0, keepdims=True))[0] for side in (inside, ~inside)]
    sides = tag("path", d=f"M{_point(CORNERS[0])}L{_point(CORNERS[1])}L{_point(CORNERS[2])}Z",
                style=style(fill="none", stroke="line", stroke_width=1.5))  # fmt: skip
    border = "L".join(_point(end) for end in _halfway(*means))
    line = tag("path", d=f"M{border}", stroke_dasharray="6 4", style=style(stroke="ink", stroke_width=2))
    size = LARGEST_MARK * np.sqrt(weight / weight.max())
    marks = [_mark(x, y, half, side) for (x, y), half, side in zip(at, size, inside, strict=True)]
    names = [
        text(x + half + 4, y - half - 1, str(value), text_anchor="start", font_weight="bold")
        for (x, y), half, value in zip(at, size, table.index, strict=True)
    ]
    tips = [tag("path", d=f"M{_point(m)}m-7 6l7 -12l7 12z", style=style(fill="ink")) for m in means]
    heads = _corner_names([say("all {name}", name=name) for name in table.columns])
    edge = ASIDE + widest(map(str, table.columns), SMALL_SIZE) / 2
    move = f"translate({edge:.2f} {ABOVE})"
    drawn = tag("g", sides, line, *marks, *tips, *names, *heads, transform=move)
    words = [statement(v, [f"{name} {n:g}" for name, n in row.items()]) for v, row in table.iterrows()]
    one, other = (commas(table.index[side]) for side in (inside, ~inside))
    words.append(say("One group: {one}; the other: {other}.", one=one, other=other))
    title = title or say("shares of {names}", names=commas(table.columns))
    return picture(title, sentences(words), EDGE + 2 * edge, ABOVE + CORNERS[0, 1] + 34, drawn)


def _need_group(table: pd.DataFrame, group: Collection[Any]) -> np.ndarray:
    """Tell which values are in the group, or say what is wrong with the table or the group."""
    if table.shape[1] != 3 or not (table.sum(axis=1) > 0).all():
        raise ValueError(f"table is {table.shape}; wanted three classes, and values that occur")
    inside = np.array([value in group for value in table.index])
    if not 0 < inside.sum() < len(table) or inside.sum() != len(group):
        raise ValueError(f"group is {list(group)}; wanted some but not all of {table.index.tolist()}")
    return inside


def _place(counts: np.ndarray) -> np.ndarray:
    """Return where shares lie: the mean of the corners, weighted by the shares."""
    return counts / counts.sum(1, keepdims=True) @ CORNERS


def _halfway(one: np.ndarray, other: np.ndarray) -> list[np.ndarray]:
    """Return where the line halfway between two points meets the sides of the triangle."""
    normal, middle = other - one, (one + other) / 2
    found = []
    for a, b in zip(CORNERS, np.roll(CORNERS, -1, axis=0), strict=True):
        along = normal @ (b - a)
        t = normal @ (middle - a) / along if along else -1.0
        if 0 <= t <= 1:
            found.append(a + t * (b - a))
    return found[:2]


def _point(at: np.ndarray) -> str:
    return f"{at[0]:.2f} {at[1]:.2f}"


def _mark(x: float, y: float, half: float, inside: bool) -> str:
    """Draw a value: a disk in the one group, a square in the other."""
    css = style(fill="accent" if inside else "muted", fill_opacity=0.6)
    if inside:
        return tag("circle", cx=x, cy=y, r=half, style=css)
    half *= 0.886  # a square of the area of the disk
    return tag("rect", x=x - half, y=y - half, width=2 * half, height=2 * half, style=css)


def _corner_names(names: list[str]) -> list[str]:
    """Write the names of the classes at their corners."""
    places = CORNERS + np.array([[0, 24], [0, -14], [0, 24]])
    return [small(x, y, name, fill="muted") for (x, y), name in zip(places, names, strict=True)]
