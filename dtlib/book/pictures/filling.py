"""A table that fills, step by step: what is new, and the cells it was read from (chapter 21)."""

from collections.abc import Collection
from typing import Any

import numpy as np
import pandas as pd

from dtlib.draw.bars import MARGIN
from dtlib.draw.svg import (
    PICTURE_WIDTH,
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

FILLED_HEAD, FILLED_ROW = MARGIN + 20, 30  # px
FRESH, READ = 0.45, 0.16  # of the tint: a new cell, and one that it was read from

Cell = tuple[Any, Any]  # the row and the column


def filling(
    table: pd.DataFrame, *, new: Collection[Cell] = (), read: Collection[Cell] = (), title: str = ""
) -> Picture:
    """Draw a table that is filled step by step; a cell without a number is still empty, and has a dashed rim.

    Parameters
    ----------
    table : DataFrame
        Numbers, NaN where there is none yet.
    new, read : collections of (row, column)
        The cells that are filled in this step, and those that they were computed from.
    title : str
        What the picture is.

    Returns
    -------
    Picture

    Raises
    ------
    ValueError
        If a cell that is new or was read has no number.

    Examples
    --------
    >>> table = pd.DataFrame({"d = 0": [2, 0], "d = 1": [0, np.nan]}, ["all", "a half"])
    >>> filling(table, new=[("all", "d = 1")], read=[("a half", "d = 0")]).description
    'all: d = 0 2, d = 1 0. a half: d = 0 0, d = 1 –. New: all, d = 1. Read from: a half, d = 0.'
    """
    for cell in (*new, *read):
        if cell[0] not in table.index or cell[1] not in table or np.isnan(table.loc[cell]):
            raise ValueError(f"the table has no number at {cell}")
    left = MARGIN + widest(map(str, table.index), SMALL_SIZE) + 12
    slot = (PICTURE_WIDTH - left - MARGIN) / len(table.columns)
    heads = [small(left + slot * (j + 0.5), FILLED_HEAD - 8, str(name)) for j, name in enumerate(table)]
    body, words = heads, []
    for i, row in enumerate(table.index):
        top = FILLED_HEAD + FILLED_ROW * i
        body.append(small(left - 10, top + 20, str(row), text_anchor="end"))
        for j, column in enumerate(table):
            tint = FRESH if (row, column) in new else READ if (row, column) in read else 0
            body += _filled_cell(left + slot * j, top, slot, _shown(table.loc[row, column]), tint)
        words.append(
            statement(row, [f"{column} {_shown(table.loc[row, column]) or '–'}" for column in table])
        )
    if len(new):
        words.append(say("New: {cells}.", cells=_named(new)))
    if len(read):
        words.append(say("Read from: {cells}.", cells=_named(read)))
    height = FILLED_HEAD + FILLED_ROW * len(table) + MARGIN
    return picture(title or say("A table that fills"), sentences(words), PICTURE_WIDTH, height, *body)


def _shown(x: float) -> str:
    """Write the number of a cell, nothing if there is none."""
    return "" if np.isnan(x) else f"{x:g}"


def _named(cells: Collection[Cell]) -> str:
    """Name cells by their rows and columns."""
    return "; ".join(commas(cell) for cell in cells)


def _filled_cell(x: float, y: float, slot: float, words: str, tint: float) -> list[str]:
    """Draw a cell with its number, or the rim of an empty one."""
    box = {"x": x + 2, "y": y + 2, "width": slot - 4, "height": FILLED_ROW - 4, "rx": 3}
    if not words:
        return [tag("rect", **box, style=style(fill="paper", stroke="line"), stroke_dasharray="4 3")]
    rim = tag("rect", **box, style=style(fill="none", stroke="accent" if tint else "line"))
    ground = [tag("rect", **box, style=style(fill="accent"), opacity=tint)] if tint else []
    return [*ground, rim, text(x + slot / 2, y + 20, words, font_weight="bold" if tint else "normal")]
