"""How steep the logarithm is, and the line that it never crosses (chapter 2)."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from dtlib.draw.axes import figure, said_picture
from dtlib.draw.plots import some_points, write_labels
from dtlib.draw.svg import LIGHT, Picture, commas, statement
from dtlib.messages import say
from dtlib.numbers import floats
from dtlib.table.parameters import checked_sequence

FROM, TO, REACH = 0.15, 3.0, 0.55  # of x; and how far a tangent goes to either side, along the curve


def tangents(at: Sequence[float]) -> Picture:
    """Draw ln x with its tangents at some places, and in full the one at 1, the line x - 1.

    Parameters
    ----------
    at : sequence of float
        Places, between 0.15 and 3; each is marked with the slope there.

    Returns
    -------
    Picture

    Raises
    ------
    ValueError
        If a place is not between 0.15 and 3.

    Examples
    --------
    >>> tangents([0.5, 1, 2]).description.split(". ")[-1]
    'Slopes: 2 at x = 0.5, 1 at x = 1, 0.5 at x = 2.'
    """
    at = floats("at", checked_sequence("at", at), "places on the x axis").ravel().tolist()
    if strange := [a for a in at if not FROM <= a <= TO]:
        raise ValueError(f"at has {strange[0]}; wanted places between {FROM} and {TO}")
    x = np.linspace(FROM, TO, 115)
    curves = {"ln x": (x, np.log(x)), "x - 1": (x, x - 1)}
    fig, ax = figure(x_label="x", y_label="y", y_at=0.955)
    look: dict[str, Any] = {"clip_on": False, "linewidth": 2.5}
    ax.plot(*curves["ln x"], color=LIGHT["accent"], **look)
    ax.plot(*curves["x - 1"], "--", color=LIGHT["ink"], **look)
    touching = []
    for a in at:
        half = REACH / np.hypot(1, 1 / a)
        near = np.linspace(a - half, a + half, 20)
        touching.append(np.column_stack([near, np.log(a) + (near - a) / a]))
        ax.plot(*touching[-1].T, color=LIGHT["muted"], **look)
    marks = [(a, float(np.log(a)), say("slope {slope:.3g}", slope=1 / a)) for a in at]
    write_labels(ax, curves, marks, touching)
    words = [statement(label, some_points(*xy)) for label, xy in curves.items()]
    found = [say("{slope:.3g} at x = {x:.3g}", slope=1 / a, x=a) for a in at]
    words.append(say("Slopes: {list}.", list=commas(found)))
    return said_picture(fig, say("ln x and its tangents"), words)
