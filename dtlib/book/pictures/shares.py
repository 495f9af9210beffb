"""Shares: of a class, of what is missing, and what leaves say beside what is found (chapters 8 and 24)."""

from collections.abc import Collection, Iterable
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dtlib.draw.axes import INK, figure, said_picture
from dtlib.draw.bars import MARGIN
from dtlib.draw.svg import (
    LIGHT,
    PICTURE_WIDTH,
    SMALL_SIZE,
    Picture,
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

VALUE_LANE, LARGEST_DOT, SMALLEST_DOT = 28, 17, 4  # px between the values; px of the dots
GAPS_ROW, GAPS_HEAD = 27, 34  # px: height of a row; room for the names of the columns


def shares(table: pd.DataFrame, group: Collection[Any], *, title: str = "") -> Picture:
    """Draw each value where its share of the second class lies, and the best border of two groups of values.

    The area of a mark grows with the weight of its value; its shade and shape tell the group. A triangle is
    the share of a whole group, the line lies halfway between the two.

    Parameters
    ----------
    table : DataFrame of shape (V, 2)
        Count table: rows are values, columns the two classes.
    group : collection of values
        One group; the other holds the rest.
    title : str
        What the picture is; by default what the axis shows.

    Returns
    -------
    Picture

    Raises
    ------
    ValueError
        If the table has not two classes, a value has no weight, or a group is empty or holds a strange value.

    Examples
    --------
    >>> table = pd.DataFrame({"no": [3, 2, 4], "yes": [3, 4, 1]}, index=["green", "dark", "pale"])
    >>> shares(table, ["pale"]).description.split(". ")[-1]
    'Shares of the groups: 0.2, 0.5833; halfway: 0.3917.'
    """
    n, chosen = _need_two_groups(table, group)
    rows = n.sum(1)
    share = n[:, 1] / rows
    order = np.argsort(share, kind="stable")
    low, high = sorted(n[side, 1].sum() / n[side].sum() for side in (chosen, ~chosen))
    middle, last = (low + high) / 2, len(order)
    names = [f"{table.index[i]}  {n[i, 1]:g}/{rows[i]:g}" for i in order]
    label = say("share of class {label}", label=table.columns[1])
    fig, ax = figure(height=90 + VALUE_LANE * (last + 1), left=widest(names, SMALL_SIZE) + 26, x_label=label)
    ax.set(xlim=(-0.05, 1.05), ylim=(last + 0.6, -0.6))
    ax.axvline(middle, color=LIGHT["ink"], linewidth=2.5)
    size = SMALLEST_DOT + (LARGEST_DOT - SMALLEST_DOT) * np.sqrt(rows / rows.max())
    for lane, i in enumerate(order):
        shape, shade = ("o", "accent") if chosen[i] else ("s", "muted")
        ax.plot(share[i], lane, shape, color=LIGHT[shade], markersize=size[i], clip_on=False)
    ax.plot([low, high], [last, last], "^", color=LIGHT["ink"], markersize=10, clip_on=False)
    ax.set_yticks(range(last + 1), [*names, say("group")])
    ax.spines["left"].set_visible(False)
    listed = [
        say("{value} {share:.4g} of {n:g}", value=table.index[i], share=share[i], n=rows[i]) for i in order
    ]
    words = [
        say("{list}.", list=say("; ").join(listed)),
        say("One group: {values}.", values=say("; ").join(map(str, table.index[chosen]))),
        say("Shares of the groups: {low:.4g}, {high:.4g}; halfway: {middle:.4g}.",
            low=low, high=high, middle=middle),
    ]  # fmt: skip
    return said_picture(fig, title or label, words)


def _need_two_groups(table: pd.DataFrame, group: Collection[Any]) -> tuple[np.ndarray, np.ndarray]:
    """Return the counts, and which values are in the group; or say what is wrong."""
    n, values = table.to_numpy(float), list(table.index)
    if n.ndim != 2 or n.shape[1] != 2 or not (n >= 0).all() or not n.sum(1).all():
        raise ValueError(
            f"table has shape {n.shape}; wanted values by two classes, each value with some weight"
        )
    if strange := [value for value in group if value not in values]:
        raise ValueError(f"group has {strange[0]!r}; the table has {values}")
    chosen = np.array([value in group for value in values])
    if chosen.all() or not chosen.any():
        raise ValueError(f"group is {list(group)}; wanted some of the {len(values)} values, and not all")
    return n, chosen


def gaps(shares: pd.DataFrame, *, title: str = "") -> Picture:
    """Draw which share of the values is missing: the fuller a bar, the emptier the column of the data.

    Parameters
    ----------
    shares : DataFrame
        A row for each feature, a column for each group of samples; shares between 0 and 1.
    title : str
        What the picture is.

    Returns
    -------
    Picture

    Raises
    ------
    TypeError
        If `shares` is no frame of numbers.
    ValueError
        If there is no share, or one is not between 0 and 1.

    Examples
    --------
    >>> gaps(pd.DataFrame({"A": [0, 0.5], "B": [1, 0.021]}, index=["age", "sugar"]))
    Picture: Share of the values that are missing. age: A 0 %, B 100 %. sugar: A 50 %, B 2 %.
    """
    cells = _need_shares(shares)
    names, groups = [str(name) for name in shares.index], [str(name) for name in shares.columns]
    left = MARGIN + widest(names) + 8
    slot = max((PICTURE_WIDTH - left - MARGIN) / len(groups), widest(groups, SMALL_SIZE) + 12, 60)
    body = [small(left + slot * (j + 0.5), 20, group) for j, group in enumerate(groups)]
    words = []
    for i, name in enumerate(names):
        y = GAPS_HEAD + GAPS_ROW * i
        body.append(text(left - 8, y + 17, name, text_anchor="end"))
        percent = [say("{n:.0f} %", n=100 * cell) for cell in cells[i]]
        for j, cell in enumerate(cells[i]):
            body += _gap(left + slot * j + 4, y, slot - 8, cell, percent[j])
        words.append(statement(name, [f"{group} {n}" for group, n in zip(groups, percent, strict=True)]))
    width, height = left + slot * len(groups) + MARGIN, GAPS_HEAD + GAPS_ROW * len(names) + MARGIN
    title = title or say("Share of the values that are missing")
    return picture(title, sentences(words), width, height, *body)


def _need_shares(shares: pd.DataFrame) -> np.ndarray:
    """Return the shares of a frame, or say what is wrong with it."""
    if not isinstance(shares, pd.DataFrame):
        raise TypeError(f"shares is a {type(shares).__name__}; wanted a DataFrame, a column for each group")
    if odd := [name for name, dtype in shares.dtypes.items() if dtype.kind not in "iuf"]:
        raise TypeError(f"shares has a column {odd[0]!r} of type {shares.dtypes[odd[0]]}; wanted numbers")
    cells = shares.to_numpy(float, na_value=np.nan)
    strange = cells[~((cells >= 0) & (cells <= 1))]
    if not cells.size or len(strange):
        holds = f"holds {strange[0]:g}" if len(strange) else f"has shape {cells.shape}"
        raise ValueError(f"shares {holds}; wanted numbers between 0 and 1, one at least")
    return cells


def _gap(x: float, y: float, width: float, share: float, words: str) -> list[str]:
    """Draw the frame of a cell, its filling, and the percentage in it."""
    box = {"y": y + 2, "height": GAPS_ROW - 4}
    frame = tag("rect", x=x, width=width, style=style(fill="none", stroke="line", stroke_width=1), **box)
    filled = tag("rect", x=x, width=width * share, style=style(fill="accent"), opacity=0.45, **box)
    return [*[filled] * bool(share > 0), frame, small(x + width / 2, y + 17, words)]


def calibration(
    said: ArrayLike,
    found: ArrayLike,
    se: Iterable[float],
    n: Iterable[int],
    *,
    name: str = "",
    title: str = "",
) -> Picture:
    """Draw what came true against what was said, with the diagonal on which both agree.

    Parameters
    ----------
    said, found : array-like of k floats
        The share that each leaf says, and that of the samples held out which end there.
    se : array-like of k floats
        Standard errors of the shares found.
    n : sequence of k ints
        How many samples they are of.
    name : str
        The class whose shares they are.
    title : str
        What the picture is; by default its axes.

    Returns
    -------
    Picture

    Raises
    ------
    ValueError
        If there is no leaf, the lengths differ, a share is not between 0 and 1, or a standard error or a
        number of samples is negative, missing or infinite.

    Examples
    --------
    >>> calibration([0.1, 0.8], [0.15, 0.75], [0.05, 0.06], [50, 60], name="yes").description
    'Said 0.1, found 0.15 ± 0.05 of 50. Said 0.8, found 0.75 ± 0.06 of 60.'
    """
    columns = [np.asarray(column, float) for column in (said, found, se, n)]
    lengths = {column.shape for column in columns}
    if len(lengths) > 1 or columns[0].ndim != 1 or not len(columns[0]):
        raise ValueError(f"said, found, se and n have the shapes {sorted(lengths)}; wanted one, (k,)")
    if not all(((column >= 0) & (column <= 1)).all() for column in columns[:2]):
        raise ValueError("said and found are shares; wanted numbers between 0 and 1")
    if not all(((column >= 0) & (column < np.inf)).all() for column in columns[2:]):
        raise ValueError(f"se is {list(se)} and n {list(n)}; wanted finite numbers of at least 0")
    low = say("share of {name} in the leaf, training samples", name=name)
    high = say("share of {name}, held-out samples", name=name)
    fig, ax = figure(height=360, x_label=low, y_label=high)
    ax.plot([0, 1], [0, 1], "--", color=LIGHT["line"], linewidth=1.5)
    x, y, error, _ = columns
    ax.errorbar(x, y, error, fmt="o", color=LIGHT["accent"], capsize=4, markersize=7)
    ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
    words, beside, above = [], (-1.0, -1.0), True
    for a, b, c, d in zip(*columns, strict=True):
        # A number stands above its dot, or below where the one before would be in its way.
        above = not above or abs(a - beside[0]) > 0.13 or abs(b - beside[1]) > 0.06
        beside = (a, b)
        height = b + c + 0.015 if above else b - c - 0.015
        ax.annotate(f"{d:g}", (a, b), (a + 0.01, height), ha="right", va="bottom" if above else "top", **INK)
        words.append(
            say("Said {said:.4g}, found {found:.4g} ± {se:.4g} of {n:g}.", said=a, found=b, se=c, n=d)
        )
    return said_picture(fig, title or say("{y} against {x}", x=low, y=high), words)
