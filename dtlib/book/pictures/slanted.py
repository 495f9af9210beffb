"""Straight borders on a plane: the same samples under one linear test after the other (chapter 15)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from dtlib.book.pictures.numeric import _limits
from dtlib.draw.plots import SHAPES, STYLES, _codes, _plain, _write, figure
from dtlib.draw.svg import LIGHT, SMALL, WIDTH, Picture, class_color
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
    if lacking := [name for name in (x, y, target) if name not in frame.columns]:
        raise ValueError(f"frame lacks the columns {lacking}; it has {list(frame.columns)}")
    at = frame[[x, y]].to_numpy(float)
    if not np.isfinite(at).all():
        raise ValueError(f"{x} or {y} is missing or infinite in a row: leave such rows out")
    (code,) = _codes(frame, {target: distinct(frame[target])})
    fig, ax = figure(height=400)
    box = np.array(_limits(at))
    ax.set(xlim=box[:2], ylim=box[2:])
    for name, place, k in zip(frame.index, at, code, strict=True):
        ax.plot(*place, SHAPES[k % len(SHAPES)], color=LIGHT[class_color(k)], markersize=17, clip_on=False)
        ax.text(*place, str(name), size=SMALL - 2, color=LIGHT["paper"], ha="center", va="center_baseline")
    ends = {label: border(test, box) for label, test in tests.items()}
    _lines(ax, ends, at)
    ax.spines[:].set(visible=True, color=LIGHT["line"])
    ax.set_xlabel(x, size=SMALL, color=LIGHT["ink"])
    fig.text(8 / WIDTH, 0.965, y, size=SMALL, color=LIGHT["ink"], va="center")
    said = [_said(label, test, frame, target, (x, y)) for label, test in tests.items()]
    return _plain(fig, say("Straight borders by {x} and {y}", x=x, y=y), say(" ").join(said))


def border(test: Test, box: np.ndarray) -> np.ndarray:
    """Return both ends of the border of a test within a box: left, right, bottom, top.

    Examples
    --------
    >>> border((1, 1, 1), np.array([0, 2, 0, 2])).tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    a, b, c = map(float, test)
    if not np.isfinite([a, b, c]).all() or a == b == 0:
        raise ValueError(f"test is {test}; wanted finite numbers (a, b, c), and a or b other than 0")
    left, right, bottom, top = map(float, box)
    found = [(x, (c - a * x) / b) for x in (left, right) if b] + [
        ((c - b * y) / a, y) for y in (bottom, top) if a
    ]
    slack = 1e-9 * max(right - left, top - bottom)
    inside = sorted(
        (x, y) for x, y in found if left - slack <= x <= right + slack and bottom - slack <= y <= top + slack
    )
    if len(inside) < 2:
        raise ValueError(
            f"the border of test {test} lies outside of x {left} to {right}, y {bottom} to {top}"
        )
    return np.array([inside[0], inside[-1]])


def _lines(ax: Any, ends: Mapping[str, np.ndarray], at: np.ndarray) -> None:
    """Draw the borders, each with its label on the line."""
    place = ax.transData.transform
    share = np.linspace(0.06, 0.94, 60)[:, None]
    on = {label: place(a + share * (b - a)) for label, (a, b) in ends.items()}
    taken = [place(at), *on.values()]
    for (label, two), (ink, dashes) in zip(ends.items(), STYLES * len(ends), strict=False):
        ax.plot(*two.T, dashes, color=LIGHT[ink], linewidth=2.5)
        _write(ax, label, on[label][5:-5:5], ink, taken, own=on[label])


def _said(label: str, test: Test, frame: pd.DataFrame, target: str, names: tuple[str, str]) -> str:
    """Say a test and which samples lie on its sides."""
    a, b, c = test
    terms = [
        name if w == 1 else f"{say_number(w)} {name}" for w, name in zip((a, b), names, strict=True) if w
    ]
    over = a * frame[names[0]] + b * frame[names[1]] > c
    below, above = (
        say(", ").join(f"{i} {k}" for i, k in frame[target][side].items()) or say("no sample")
        for side in (~over, over)
    )
    return say(
        "{label}: {sum} at most {limit}: {below}; more: {above}.",
        label=label, sum=" + ".join(terms), limit=say_number(c), below=below, above=above,
    )  # fmt: skip
