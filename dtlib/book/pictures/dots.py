"""Dots with bars: what each feature is worth, and between which bounds (chapter 18)."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from dtlib.draw.axes import SHAPES, STYLES, figure, in_px, said_picture, write_clear
from dtlib.draw.svg import LIGHT, SMALL_SIZE, Picture, statement, widest
from dtlib.messages import say
from dtlib.numbers import how_many, shown

BETWEEN_ROWS, LANE, AROUND = 16, 15, 88  # px: between rows; for each kind in a row; above and below all


def dots(kinds: Mapping[str, pd.DataFrame], *, x_label: str = "", title: str = "") -> Picture:
    """Draw a dot with a bar for each row of some tables, the tables' dots of a row below each other.

    Parameters
    ----------
    kinds : mapping of str to DataFrame
        Tables with the same index, each under its name. Their columns are where the dot is, and where its
        bar begins and ends, as in what `dtlib.importance.importance_intervals` returns.
    x_label : str
        What the axis shows, with units.
    title : str
        What the picture is; by default its axis.

    Returns
    -------
    Picture

    Raises
    ------
    TypeError
        If `kinds` is no mapping of names to frames.
    ValueError
        If there is no table or no row, more tables than shapes, the indexes differ, a table has not three
        columns, or a number is missing or infinite or a dot beyond its bar.

    Examples
    --------
    >>> miles = pd.DataFrame([[0.02, 0.02, 0.2]], ["miles"], ["importance", "lowest", "highest"])
    >>> dots({"cars": miles}, x_label="share of the importance")
    Picture: share of the importance. miles: cars 0.02 (0.02 to 0.2).
    """
    places = {name: _need_bars(name, table) for name, table in _need_kinds(kinds).items()}
    names = [str(name) for name in next(iter(kinds.values())).index]
    height = AROUND + len(names) * (BETWEEN_ROWS + LANE * len(places))
    fig, ax = figure(height=height, left=widest(names, SMALL_SIZE) + 18, x_label=x_label)
    lane, rows = LANE / (BETWEEN_ROWS + LANE * len(places)), np.arange(len(names), dtype=float)
    ax.axvline(0, color=LIGHT["line"], linewidth=1.5)
    drawn = {}
    for j, (name, (at, low, high)) in enumerate(places.items()):
        y = rows + lane * (j - (len(places) - 1) / 2)
        ink, _ = STYLES[j]
        ax.hlines(y, low, high, color=LIGHT[ink], linewidth=2)
        ax.plot(at, y, SHAPES[j], color=LIGHT[ink], markersize=7, linestyle="none", clip_on=False)
        drawn[name] = (ink, at, low, high, y)
    ax.set(yticks=rows, yticklabels=names, ylim=(len(names) - 0.5, -0.6))
    ax.grid(visible=False, axis="y")
    on = {name: in_px(ax, at, y) for name, (_, at, _, _, y) in drawn.items()}
    taken = [*on.values()]
    for _, _, low, high, y in drawn.values():
        taken += [
            in_px(ax, np.linspace(a, b, 25), np.full(25, c)) for a, b, c in zip(low, high, y, strict=True)
        ]
    for name, (ink, *_) in drawn.items():
        if len(drawn) > 1:
            write_clear(ax, name, on[name], ink, taken)
    return said_picture(fig, title or x_label or say("Dots and bars"), _words(names, places))


def _words(names: list[str], places: Mapping[str, np.ndarray]) -> list[str]:
    """Say where each dot is, and its bar, row by row."""
    return [
        statement(
            row,
            [
                say("{kind} {at:.4g} ({low:.4g} to {high:.4g})", kind=kind, at=a[i], low=b[i], high=c[i])
                for kind, (a, b, c) in places.items()
            ],
        )
        for i, row in enumerate(names)
    ]


def _need_kinds(kinds: Mapping[str, pd.DataFrame]) -> Mapping[str, pd.DataFrame]:
    """Return tables of the same rows, or say what is wrong with them."""
    if not isinstance(kinds, Mapping) or not all(isinstance(x, pd.DataFrame) for x in kinds.values()):
        raise TypeError(f"kinds is {shown(kinds)}; wanted a mapping of names to frames")
    if not 1 <= len(kinds) <= len(STYLES):
        raise ValueError(f"kinds has {len(kinds)} tables; wanted one to {len(STYLES)}")
    first, *others = kinds.values()
    if not len(first) or any(not table.index.equals(first.index) for table in others):
        raise ValueError("kinds has tables of no rows or of other ones: wanted the same rows in each")
    return kinds


def _need_bars(name: str, table: pd.DataFrame) -> np.ndarray:
    """Return where the dots of a table are, and where their bars begin and end, shape (3, rows)."""
    if table.shape[1] != 3:
        columns = how_many(table.shape[1], "column")
        raise ValueError(f"table {name!r} has {columns}; wanted three: dot, from, to")
    at, low, high = table.to_numpy(float).T
    if not np.isfinite([at, low, high]).all() or not ((low <= at) & (at <= high)).all():
        raise ValueError(f"table {name!r} has a dot that is missing, infinite or beyond its bar")
    return np.array([at, low, high])
