"""Bars side by side: the same things measured twice, each measure on its own scale (chapter 5)."""

import math
from collections.abc import Mapping, Sequence

from dtlib.draw.bars import MARGIN, bar_and_value, base_line, decimals
from dtlib.draw.svg import (
    PICTURE_WIDTH,
    SMALL_SIZE,
    Picture,
    commas,
    picture,
    sentences,
    small,
    statement,
    text,
    widest,
)
from dtlib.messages import say
from dtlib.numbers import how_many

PANEL_TOP, PANEL_ROW, PANEL_BAR, BETWEEN_PANELS = MARGIN + 24, 28, 16, 16  # px


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
        entries = how_many(len(names), "entry", "entries")
        raise ValueError(f"labels has {entries}, measures {len(found)}; wanted rows, and 2 or 3")
    if wrong := [name for name, values in found.items() if len(values) != len(names)]:
        many, rows = how_many(len(found[wrong[0]]), "value"), how_many(len(names), "row")
        raise ValueError(f"measure {wrong[0]!r} has {many} for {rows}")
    if odd := [v for values in found.values() for v in values if v < 0 or math.isinf(v)]:
        raise ValueError(f"measures hold {odd[0]}; a bar has a length of 0 or more")
    shown = {name: decimals(values, digits) for name, values in found.items()}
    left, head = MARGIN + widest(names) + 8, widest(found, SMALL_SIZE)
    number = max(map(widest, shown.values())) + 6
    gaps = BETWEEN_PANELS * (len(found) - 1)
    room = max((PICTURE_WIDTH - left - MARGIN - gaps) / len(found) - number, 60, head - number)
    body = [
        text(left - 8, PANEL_TOP + PANEL_ROW * i + 16, name, text_anchor="end")
        for i, name in enumerate(names)
    ]
    words = []
    for k, (measure, values) in enumerate(found.items()):
        best = max((value for value in values if value > 0), default=math.nan)
        x = left + k * (room + number + BETWEEN_PANELS)
        body += _panel_of_bars(x, measure, values, shown[measure], best, room)
        said = [
            say("{bar} (largest)", bar=f"{name} {written}") if value == best else f"{name} {written}"
            for name, value, written in zip(names, values, shown[measure], strict=True)
        ]
        words.append(statement(measure, said))
    width = left + len(found) * (room + number) + gaps + MARGIN
    height = PANEL_TOP + PANEL_ROW * len(names) - 4 + MARGIN
    title = title or say("{names} and {last}", names=commas([*found][:-1]), last=[*found][-1])
    return picture(title, sentences(words), width, height, *body)


def _panel_of_bars(
    x: float, head: str, values: list[float], shown: list[str], best: float, room: float
) -> list[str]:
    """Return the head, the bars and the line at which they begin."""
    found = [small(x, MARGIN + 10, head, fill="muted", text_anchor="start")]
    for i, (value, words) in enumerate(zip(values, shown, strict=True)):
        length = room * value / best if value > 0 else 0
        fill, weight = ("accent", "bold") if value == best else ("line", "normal")
        y = PANEL_TOP + PANEL_ROW * i + 3
        found += bar_and_value(x, y, length, PANEL_BAR, words, fill, weight)
    return [*found, base_line(x, PANEL_TOP - 2, PANEL_TOP + PANEL_ROW * len(values) - 4)]
