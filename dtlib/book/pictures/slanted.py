"""Straight borders on a plane: the same samples under one linear test after the other (chapter 15)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from dtlib.book.pictures.planes import limits, show_between
from dtlib.draw.axes import (
    STYLES,
    Axes,
    codes_of,
    draw_samples,
    figure,
    in_px,
    need_columns,
    places_on_plane,
    said_picture,
    said_samples,
    write_clear,
)
from dtlib.draw.svg import LIGHT, Picture
from dtlib.messages import say
from dtlib.table.columns import distinct
from dtlib.tree.splits import say_number

Test = tuple[float, float, float]  # a, b, c of: is a x + b y at most c?


def slanted(frame: pd.DataFrame, target: str, tests: Mapping[str, Test], *, x: str, y: str) -> Picture:
    """Draw samples on a plane, and the straight borders of linear tests.

    Parameters
    ----------
    frame : DataFrame
        The samples; their index is written into the dots.
    target : str
        Column of the class.
    tests : mapping of str to (a, b, c)
        Label of each test "a x + b y ≤ c?", and its numbers.
    x, y : str
        Columns of the two features.

    Returns
    -------
    Picture

    Raises
    ------
    ValueError
        If a column is not in the frame, a sample lacks a value, a test has no coefficient but 0 or holds
        what is not finite, or its border lies outside of what is drawn.

    Examples
    --------
    >>> frame = pd.DataFrame({"x": [1, 3], "y": [1, 3], "side": ["below", "above"]})
    >>> slanted(frame, "side", {"start": (1, 0, 2), "then": (1, 1, 4)}, x="x", y="y").description
    'start: x at most 2: 0 below; more: 1 above. then: x + y at most 4: 0 below; more: 1 above.'
    """
    need_columns(frame, (x, y, target))
    at, codes = places_on_plane(frame, x, y), codes_of(frame[target], distinct(frame[target]))
    fig, ax = figure(height=400, x_label=x, y_label=y)
    low, high = limits(at)
    show_between(ax, low, high)
    draw_samples(ax, frame.index, at, codes)
    _draw_borders(ax, {label: border(test, low, high) for label, test in tests.items()}, at)
    ax.spines[:].set(visible=True, color=LIGHT["line"])
    said = [_said_test(label, test, frame, target, (x, y)) for label, test in tests.items()]
    return said_picture(fig, say("Straight borders by {x} and {y}", x=x, y=y), said)


def border(test: Test, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Return both ends of the border of a test between two opposite corners of a plane.

    Examples
    --------
    >>> border((1, 1, 1), np.array([0, 0]), np.array([2, 2])).tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    a, b, c = map(float, test)
    if not np.isfinite([a, b, c]).all() or a == b == 0:
        raise ValueError(f"test is {test}; wanted finite numbers (a, b, c), and a or b other than 0")
    (left, bottom), (right, top) = low.tolist(), high.tolist()
    slack = 1e-9 * max(right - left, top - bottom)
    across = [(x, (c - a * x) / b) for x in (left, right) if b]
    down = [((c - b * y) / a, y) for y in (bottom, top) if a]
    inside = sorted(xy for xy in across + down if (low - slack <= xy).all() and (xy <= high + slack).all())
    if len(inside) < 2:
        raise ValueError(
            f"the border of test {test} lies outside of x {left} to {right}, y {bottom} to {top}"
        )
    return np.array([inside[0], inside[-1]])


def _draw_borders(ax: Axes, ends: Mapping[str, np.ndarray], at: np.ndarray) -> None:
    """Draw the borders, each with its label on the line."""
    share = np.linspace(0.06, 0.94, 60)[:, None]
    on = [in_px(ax, *(a + share * (b - a)).T) for a, b in ends.values()]
    taken = [in_px(ax, *at.T), *on]
    for (label, two), line, (ink, dashes) in zip(ends.items(), on, STYLES * len(ends), strict=False):
        ax.plot(*two.T, dashes, color=LIGHT[ink], linewidth=2.5)
        write_clear(ax, label, line[5:-5:5], ink, taken, own=line)


def _said_test(label: str, test: Test, frame: pd.DataFrame, target: str, names: tuple[str, str]) -> str:
    """Say a test and which samples lie on its sides."""
    a, b, c = test
    asked = [(w, name) for w, name in zip((a, b), names, strict=True) if w]
    total = " + ".join(name if w == 1 else f"{say_number(w)} {name}" for w, name in asked)
    over = a * frame[names[0]] + b * frame[names[1]] > c
    below, above = (said_samples(frame[target][side]) for side in (~over, over))
    return say(
        "{label}: {sum} at most {limit}: {below}; more: {above}.",
        label=label, sum=total, limit=say_number(c), below=below, above=above,
    )  # fmt: skip
