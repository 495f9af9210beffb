"""A table from afar: where its values are known, and where it has holes (chapter 10)."""

import pandas as pd

from dtlib.draw.bars import MARGIN
from dtlib.draw.svg import (
    PICTURE_WIDTH,
    SMALL_SIZE,
    Picture,
    class_color,
    commas,
    picture,
    sentences,
    small,
    style,
    tag,
    widest,
)
from dtlib.messages import say
from dtlib.numbers import how_many
from dtlib.table.columns import encode

HOLES_HEAD, HOLES_ROW = MARGIN + 20, 22  # px


def holes(X: pd.DataFrame, y: pd.Series, *, title: str = "") -> Picture:
    """Draw a table without its values: a known one has the color of the row's class, a hole has a rim.

    Parameters
    ----------
    X : DataFrame
        The features.
    y : Series
        The class of each row.
    title : str
        What the picture is; by default how many values are known.

    Returns
    -------
    Picture

    Raises
    ------
    ValueError
        If there is no cell, the number of rows and classes differs, or a class is missing.

    Examples
    --------
    >>> holes(pd.DataFrame({"a": ["p", None], "b": ["q", "q"]}, index=[1, 2]), pd.Series(["no", "yes"]))
    Picture: Known values: 3 of 4. 1, no: complete. 2, yes: without a.
    """
    known, coded = X.notna().to_numpy(), encode(y)
    if not known.size or len(X) != len(y) or (coded.codes < 0).any():
        found = how_many(y.notna().sum(), "class", "classes")
        raise ValueError(f"X is {X.shape}, y has {found}; wanted cells, a class per row")
    names, rows = [str(name) for name in X.columns], [str(row) for row in X.index]
    classes = [str(coded.values[code]) for code in coded.codes]
    left, right = MARGIN + widest(rows, SMALL_SIZE) + 8, widest(classes, SMALL_SIZE) + 8 + MARGIN
    slot = max((PICTURE_WIDTH - left - right) / len(names), widest(names, SMALL_SIZE) + 6)
    body = [small(left + slot * (j + 0.5), HOLES_HEAD - 8, name) for j, name in enumerate(names)]
    words = []
    for i, (row, label) in enumerate(zip(rows, classes, strict=True)):
        y_top, fill = HOLES_HEAD + HOLES_ROW * i, class_color(int(coded.codes[i]))
        css = {"font_weight": "bold" if known[i].all() else "normal"}
        body.append(small(left - 8, y_top + 15, row, text_anchor="end", **css))
        body += [_cell(left + slot * j, y_top, slot, fill if known[i, j] else "") for j in range(len(names))]
        body.append(small(left + slot * len(names) + 8, y_top + 15, label, text_anchor="start", fill=fill))
        lacks = commas(name for name, there in zip(names, known[i], strict=True) if not there)
        what = say("without {names}", names=lacks) if lacks else say("complete")
        words.append(say("{row}, {label}: {what}.", row=row, label=label, what=what))
    width, height = left + slot * len(names) + right, HOLES_HEAD + HOLES_ROW * len(rows) + MARGIN
    title = title or say("Known values: {known} of {cells}", known=known.sum(), cells=known.size)
    return picture(title, sentences(words), width, height, *body)


def _cell(x: float, y: float, slot: float, fill: str) -> str:
    """Draw a cell, or the rim of a hole where there is no color."""
    box = {"x": x + 2, "y": y + 2, "width": slot - 4, "height": HOLES_ROW - 4, "rx": 3}
    if fill:
        return tag("rect", **box, style=style(fill=fill), opacity=0.6)
    return tag("rect", **box, style=style(fill="paper", stroke="line"), stroke_dasharray="4 3")
