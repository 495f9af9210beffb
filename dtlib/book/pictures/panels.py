"""Bars side by side: the same things measured twice, each measure on its own scale (chapter 5)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from dtlib.draw.svg import SMALL, WIDTH, Picture, picture, style, tag, text, text_width
from dtlib.messages import say

ROW, BAR, MARGIN, GAP = 28, 16, 12, 16


def panels(
    labels: Sequence[object],
    measures: Mapping[str, Sequence[float]],
    *,
    title: str = "",
    digits: int = 3,
) -> Picture:
    """Draw two or three panels of bars side by side; in each, the longest bar is accented.

    Parameters
    ----------
    labels : sequence of n
        Text of each row.
    measures : mapping of str to sequence of n floats
        What a panel shows, with its unit, and the lengths of its bars, >= 0; NaN has no bar.
    title : str
        What the picture is; by default the names of the measures.
    digits : int
        Decimals shown.

    Returns
    -------
    Picture

    Raises
    ------
    ValueError
        If there are not two or three measures, no row, a measure has not one value for each row, or a value
        is negative or infinite.

    Examples
    --------
    >>> panels(["color", "id"], {"gain (bits)": [0.108, 0.998], "gain ratio": [0.068, 0.244]})
    Picture: gain (bits) and gain ratio. gain (bits): color 0.108, id 0.998 (largest). gain ratio: color 0.068, id 0.244 (largest).
    """  # noqa: E501
    names = [str(label) for label in labels]
    found = {name: [float(value) for value in values] for name, values in measures.items()}
    if not names or not 2 <= len(found) <= 3:
        raise ValueError(f"labels has {len(names)} entries, measures {len(found)}; wanted rows, and 2 or 3")
    if wrong := [name for name, values in found.items() if len(values) != len(names)]:
        raise ValueError(f"measure {wrong[0]!r} has {len(found[wrong[0]])} values for {len(names)} rows")
    if wrong := [v for values in found.values() for v in values if v < 0 or math.isinf(v)]:
        raise ValueError(f"measures hold {wrong[0]}; a bar has a length of 0 or more")
    left = MARGIN + max(text_width(name) for name in names) + 8
    shown = {m: ["—" if math.isnan(v) else f"{v:.{digits}f}" for v in found[m]] for m in found}
    number = max(text_width(value) for values in shown.values() for value in values) + 6
    head = max(text_width(name, SMALL) for name in found)
    room = max((WIDTH - left - MARGIN - GAP * (len(found) - 1)) / len(found) - number, 60, head - number)
    body = [
        text(left - 8, MARGIN + 24 + ROW * i + 16, name, text_anchor="end") for i, name in enumerate(names)
    ]
    words = []
    for k, (name, values) in enumerate(found.items()):
        x = left + k * (room + number + GAP)
        best = max((v for v in values if v > 0), default=math.nan)
        body += _panel(x, name, values, shown[name], best, room)
        said = [
            say("{bar} (largest)", bar=f"{label} {value}") if v == best else f"{label} {value}"
            for label, v, value in zip(names, values, shown[name], strict=True)
        ]
        words.append(say("{label}: {points}.", label=name, points=say(", ").join(said)))
    width = left + len(found) * (room + number) + GAP * (len(found) - 1) + MARGIN
    height = 2 * MARGIN + 24 + ROW * len(names) - 4
    title = title or say("{names} and {last}", names=say(", ").join([*found][:-1]), last=[*found][-1])
    return picture(title, say(" ").join(words), width, height, *body)


def _panel(x: float, name: str, values: list[float], shown: list[str], best: float, room: float) -> list[str]:
    """Return the head, the bars and the axis of one panel."""
    top = MARGIN + 24
    found = [text(x, MARGIN + 10, name, fill="muted", text_anchor="start", font_size=f"{SMALL}px")]
    for i, (value, words) in enumerate(zip(values, shown, strict=True)):
        y, length = top + ROW * i, room * value / best if value > 0 else 0
        fill, weight = ("accent", "bold") if value == best else ("line", "normal")
        found += [
            tag("rect", x=x, y=y + (ROW - BAR) / 2 - 3, width=length, height=BAR, style=style(fill=fill)),
            text(x + length + 6, y + 16, words, text_anchor="start", font_weight=weight),
        ]
    axis = f"M{x:.2f} {top - 2}V{top + ROW * len(values) - 4}"
    return [*found, tag("path", d=axis, style=style(stroke="line", stroke_width=1.5))]
