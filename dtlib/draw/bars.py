"""Bars: the gains of a node, or any few numbers to be compared (chapters 3 and 4)."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from operator import index

import pandas as pd

from dtlib.draw.svg import LIGHT, SMALL, WIDTH, Picture, picture, style, tag, text, text_width
from dtlib.messages import say

ROW, BAR, MARGIN = 32, 18, 12


def bars(
    labels: Sequence[object],
    values: Sequence[float],
    *,
    chosen: Collection[int] = (),
    colors: Sequence[str] | None = None,
    axis: str = "",
    title: str = "",
    digits: int = 3,
) -> Picture:
    """Draw horizontal bars, in the order given, each with its label and value.

    Parameters
    ----------
    labels : sequence of n
        Text of each bar.
    values : sequence of n floats
        Length of each bar, >= 0; NaN has no bar.
    chosen : collection of int
        The bars to be accented; without any, all are alike.
    colors : sequence of n palette names, optional
        Such as ``["class-0", "class-1"]``, instead of the accent.
    axis : str
        What the values are, and their unit.
    title : str
        What the picture is; by default the axis.
    digits : int
        Decimals shown.

    Returns
    -------
    Picture

    Raises
    ------
    ValueError
        If there is no bar, a value is negative or infinite, a label, a value or a color is missing, a color
        is not in the palette, or a chosen bar does not exist.

    Examples
    --------
    >>> bars(["age", "owns_house"], [0.083, 0.42], chosen=[1], axis="gain (bits)")
    Picture: gain (bits). age 0.083, owns_house 0.420 (chosen).
    """
    labels, values, n = [str(label) for label in labels], [float(value) for value in values], len(labels)
    chosen = {index(i) for i in chosen}
    if colors is None:
        colors = ["accent" if i in chosen or not chosen else "line" for i in range(n)]
    if not n or not n == len(values) == len(colors):
        raise ValueError(
            f"labels has {n} entries, values {len(values)}, colors {len(colors)}: give one each for every bar"
        )
    if any(value < 0 or math.isinf(value) for value in values):
        raise ValueError(f"values is {values}; a bar has a length of 0 or more")
    if strange := [name for name in colors if name not in LIGHT]:
        raise ValueError(f"colors has {strange[0]!r}; the palette has {', '.join(LIGHT)}")
    if not chosen <= set(range(n)):
        raise ValueError(f"chosen is {sorted(chosen)}; the bars are 0 to {n - 1}")
    shown = ["—" if math.isnan(value) else f"{value:.{digits}f}" for value in values]
    left = MARGIN + max(text_width(label) for label in labels) + 8
    room = max(WIDTH - left - max(text_width(value) for value in shown) - 6 - MARGIN, 120)
    largest = max((value for value in values if value > 0), default=1)
    body = []
    for i, (label, value, fill) in enumerate(zip(labels, values, colors, strict=True)):
        y, length = MARGIN + ROW * i, 0 if math.isnan(value) else room * (value / largest)
        weight = "bold" if i in chosen else "normal"
        body += [
            text(left - 8, y + 16, label, text_anchor="end", font_weight=weight),
            tag("rect", x=left, y=y + (ROW - BAR) / 2 - 5, width=length, height=BAR, style=style(fill=fill)),
            text(left + length + 6, y + 16, shown[i], text_anchor="start", font_weight=weight),
        ]
    bottom = MARGIN + ROW * n
    body.append(
        tag("path", d=f"M{left:.2f} {MARGIN - 4}V{bottom - 6}", style=style(stroke="line", stroke_width=1.5))
    )
    if axis:
        body.append(text(left, bottom + 10, axis, fill="muted", text_anchor="start", font_size=f"{SMALL}px"))
    said = [
        say("{bar} (chosen)", bar=f"{label} {value}") if i in chosen else f"{label} {value}"
        for i, (label, value) in enumerate(zip(labels, shown, strict=True))
    ]
    width = left + room + max(text_width(value) for value in shown) + 6 + MARGIN
    height = bottom + (MARGIN + 8 if axis else 0)
    words = say("{list}.", list=say(", ").join(said))
    return picture(title or axis or say("Bars"), words, width, height, *body)


def gains(candidates: pd.DataFrame, measure: str = "gain") -> Picture:
    """Draw the score of every candidate of a node, the chosen one accented.

    Parameters
    ----------
    candidates : DataFrame
        What ``tree.explain(node)`` returns.
    measure : {"gain", "gain_ratio", "split_information", "impurity"}
        The column to draw.

    Returns
    -------
    Picture

    Raises
    ------
    ValueError
        If there is no such column.

    Examples
    --------
    >>> from dtlib import ID3Classifier, load_loan
    >>> loan = load_loan()
    >>> gains(ID3Classifier().fit(loan.X, loan.y).tree_.explain(0))
    Picture: information gain (bits). age 0.083, has_job 0.324, owns_house 0.420 (chosen), credit 0.363.
    """
    axes = {
        "gain": say("information gain (bits)"),
        "gain_ratio": say("gain ratio"),
        "split_information": say("split information (bits)"),
        "impurity": say("impurity after the split (bits)"),
    }
    if measure not in axes or measure not in candidates:
        raise ValueError(f"measure is {measure!r}; wanted a column of tree.explain(node): {', '.join(axes)}")
    chosen = [i for i, yes in enumerate(candidates["chosen"]) if yes]
    return bars(candidates["feature"], candidates[measure], chosen=chosen, axis=axes[measure])
