"""The values of a name on the axis of their shares, and the cut between two groups of them (chapter 9)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
import pandas as pd

from dtlib.draw.axes import figure, said_picture
from dtlib.draw.svg import LIGHT, SMALL_SIZE, Picture, widest
from dtlib.messages import say

VALUE_LANE, LARGEST_DOT, SMALLEST_DOT = 28, 17, 4  # px between the values; px of the dots


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
