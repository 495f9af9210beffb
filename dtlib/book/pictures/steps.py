"""Regression trees as staircases over one number, and as terraces over two (chapter 10)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dtlib.draw.plots import STYLES, _plain, _points, _sampled, _write, figure
from dtlib.draw.svg import LIGHT, SMALL, WIDTH, Picture, text_width
from dtlib.messages import say
from dtlib.tree.splits import say_number

SPELLED = 8  # as many steps are said one by one
PANEL, HEADING, FOOT = (
    140,
    34,
    46,
)  # heights of a panel, of the words above it, and of the words below all, in px
FAINT, STRONG = 0.06, 0.55  # opacity for the smallest and the largest value
DOTS = {"color": LIGHT["muted"], "markersize": 5, "linestyle": "none", "clip_on": False}


def steps(
    trees: Mapping[str, Any],
    x: ArrayLike,
    y: ArrayLike,
    *,
    curves: Mapping[str, tuple[ArrayLike, ArrayLike]] | None = None,
    panels: bool = False,
    low: float | None = None,
    high: float | None = None,
    x_label: str = "x",
    y_label: str = "y",
    title: str = "",
) -> Picture:
    """Draw trees that predict a number from one number, as staircases, with points and curves.

    Parameters
    ----------
    trees : mapping of str to Tree
        Label of each tree; it has one output and asks for one number only.
    x, y : array-like of shape (n,)
        The points, in any order.
    curves : mapping of str to (x, y), optional
        Curves to be drawn too, x ascending.
    panels : bool
        Whether each tree has a panel of its own, one below the other, with points and curves in each.
    low, high : float, optional
        Where the staircases begin and end; default: at the outermost points.
    x_label, y_label : str
        What the axes show, with units.
    title : str
        What the picture is; by default its axes.

    Returns
    -------
    Picture

    Raises
    ------
    ValueError
        If there is no tree or no point, a number is NaN or infinite, lengths differ, or a tree has classes,
        several outputs, or asks for names or for two features.

    Examples
    --------
    >>> from dtlib import CARTRegressor, load_regression_points
    >>> points = load_regression_points()
    >>> tree = CARTRegressor(max_depth=1).fit(points.X, points.y).tree_
    >>> steps({"depth 1": tree}, points.X["x"][:2], points.y[:2], high=10)
    Picture: y against x. Points: (1, 4.5), (2, 4.75). depth 1: 5.06 up to 5.5, 8.176 above.
    """
    x, y = np.asarray(x, float), np.asarray(y, float)
    if not trees:
        raise ValueError("trees is empty; wanted a label and a tree for each staircase")
    order = np.argsort(x, kind="stable") if x.ndim == 1 else slice(None)
    x, y = _points(say("Points"), x[order], y[order] if y.shape == x.shape else y)
    low, high = (float(x[0]) if low is None else low), (float(x[-1]) if high is None else high)
    if not low < high:
        raise ValueError(f"low is {low} and high is {high}; wanted low < high")
    smooth = {label: _points(label, *xy) for label, xy in (curves or {}).items()}
    stairs = {label: list(_stairs(tree)) for label, tree in trees.items()}
    lines = {label: _line(flat, low, high) for label, flat in stairs.items()}
    shown = [{label: line} for label, line in lines.items()] if panels else [lines]
    height = FOOT + sum(HEADING + (PANEL if panels else 230) for _ in shown)
    fig, first = figure(height=height)
    axes = [first, *(fig.add_axes(first.get_position(), sharex=first, sharey=first) for _ in shown[1:])]
    for place, (ax, some) in enumerate(zip(axes, shown, strict=True)):
        _place(ax, first, place, len(shown), height)
        _panel(ax, (x, y), some, smooth, named=len(some) > 1 or not panels)
        if panels:
            ink = {"color": LIGHT["accent"], "weight": "bold", "size": SMALL}
            ax.set_title(next(iter(some)), loc="right", pad=6, **ink)
    axes[-1].set_xlabel(x_label, size=SMALL, color=LIGHT["ink"])
    fig.text(8 / WIDTH, 1 - 14 / height, y_label, size=SMALL, color=LIGHT["ink"], va="center")
    words = [say("{label}: {points}.", label=say("Points"), points=_sampled(x, y))]
    words += [say("{label}: {points}.", label=label, points=_say(flat)) for label, flat in stairs.items()]
    words += [say("{label}: {points}.", label=label, points=_sampled(*xy)) for label, xy in smooth.items()]
    return _plain(fig, title or say("{y} against {x}", x=x_label, y=y_label), say(" ").join(words))


def _place(ax: Any, first: Any, place: int, number: int, height: float) -> None:
    """Put a panel at its height, in the style of the first."""
    left, _, width, _ = first.get_position().bounds
    size = (height - FOOT) / number
    ax.set_position((left, (FOOT + (number - 1 - place) * size) / height, width, (size - HEADING) / height))
    if ax is not first:
        ax.spines[["top", "right"]].set_visible(False)
        ax.spines[["left", "bottom"]].set_color(LIGHT["line"])
        ax.grid(color=LIGHT["line"], alpha=0.25, linewidth=1)
        ax.set_axisbelow(True)
    last = place == number - 1
    ax.tick_params(length=0, pad=6, labelsize=SMALL, labelcolor=LIGHT["ink"], labelbottom=last)


def _panel(
    ax: Any,
    points: tuple[np.ndarray, np.ndarray],
    lines: Mapping[str, tuple[np.ndarray, np.ndarray]],
    curves: Mapping[str, tuple[np.ndarray, np.ndarray]],
    *,
    named: bool,
) -> None:
    """Draw points, curves and staircases, the staircases on top; then their labels where they cover least."""
    ax.plot(*points, "o", **DOTS)
    looks = [("muted", "--", xy) for xy in curves.values()]
    looks += [(*look, xy) for look, xy in zip(STYLES * len(lines), lines.values(), strict=False)]
    for name, dashes, xy in looks:
        ax.plot(*xy, dashes, color=LIGHT[name], linewidth=2.5 if name != "muted" else 1.5)
    if not named:
        return
    grid = np.linspace(*ax.get_xlim(), 240)
    inside = [grid[(grid >= x[0]) & (grid <= x[-1])] for _, _, (x, _) in looks]
    on = [np.column_stack([g, np.interp(g, *xy)]) for g, (_, _, xy) in zip(inside, looks, strict=True)]
    on = [ax.transData.transform(xy) for xy in on]
    taken = [ax.transData.transform(np.column_stack(points)), *on]
    for label, (name, _, _), xy in zip([*curves, *lines], looks, on, strict=True):
        _write(ax, label, xy[10:-10:6], name, taken)


def _stairs(tree: Any) -> Iterator[tuple[float, float]]:
    """Yield the value of each step and where it ends, from the left; or say why this is no staircase."""
    _need_numbers(tree)
    asked = {f for f in tree.feature.tolist() if f >= 0}
    if len(asked) > 1:
        names = sorted(tree.features[f].name for f in asked)
        raise ValueError(f"the tree asks for {names}; a staircase shows one feature")

    def below(node: Any, end: float) -> Iterator[tuple[float, float]]:
        if node.is_leaf:
            yield float(node.prediction), end
            return
        cut = float(tree.threshold[node.id])
        yield from below(node.children[0], cut)
        yield from below(node.children[1], end)

    return below(tree.root, math.inf)


def _line(flat: list[tuple[float, float]], low: float, high: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the corners of a staircase between two numbers."""
    x, y, start = [], [], -math.inf
    for value, end in flat:
        if start < high and end > low:
            x += [max(start, low), min(end, high)]
            y += [value, value]
        start = end
    return np.array(x), np.array(y)


def _say(flat: list[tuple[float, float]]) -> str:
    """Say the steps one by one, or how many there are."""
    values = [value for value, _ in flat]
    if len(flat) > SPELLED:
        low, high = f"{min(values):.4g}", f"{max(values):.4g}"
        return say("{n} steps between {low} and {high}", n=len(flat), low=low, high=high)
    said = [say("{value} up to {end}", value=f"{v:.4g}", end=say_number(e)) for v, e in flat[:-1]]
    last = say("{value} above", value=f"{values[-1]:.4g}") if said else f"{values[0]:.4g}"
    return say(", ").join([*said, last])


def surface(tree: Any, frame: pd.DataFrame, *, x: str, y: str) -> Picture:
    """Draw how a tree that predicts a number divides the plane of two numbers: a terrace for each leaf.

    A leaf is a rectangle with its value in it; the larger the value, the stronger its color. Rows are dots.

    Parameters
    ----------
    tree : Tree
        It has one output and asks for x and y only.
    frame : DataFrame
        The rows to be drawn; they give the ends of the axes.
    x, y : str
        Columns of the two features, all numbers.

    Returns
    -------
    Picture

    Raises
    ------
    ValueError
        If the tree has classes or several outputs, asks for another feature or for names, or a column is not
        in the frame or holds NaN or infinity.

    Examples
    --------
    >>> from dtlib import CARTRegressor
    >>> rows = pd.DataFrame({"a": [1.0, 2.0, 1.0, 2.0], "b": [1.0, 1.0, 3.0, 3.0]})
    >>> surface(CARTRegressor().fit(rows, [1, 1, 5, 9]).tree_, rows, x="a", y="b").description
    'b ≤ 2: 1. b > 2 and a ≤ 1.5: 5. b > 2 and a > 1.5: 9. Points: 4.'
    """
    if lacking := [name for name in (x, y) if name not in frame.columns]:
        raise ValueError(f"frame lacks the columns {lacking}; it has {list(frame.columns)}")
    rows = frame[[x, y]].to_numpy(float)
    if x == y or not len(rows) or not np.isfinite(rows).all():
        raise ValueError(f"wanted two features, and rows without NaN and infinity, in {x!r} and {y!r}")
    ends = np.stack([rows.min(0), rows.max(0)])
    margin = np.where(ends[1] > ends[0], 0.03 * (ends[1] - ends[0]), 1.0)
    low, high = ends[0] - margin, ends[1] + margin
    leaves = list(_boxes(tree, (x, y), low, high))
    fig, ax = figure(height=360)
    ax.grid(False)
    ax.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]))
    values = np.array([leaf.prediction for leaf, _, _ in leaves])
    tints = (values - values.min()) / (float(np.ptp(values)) or 1.0)
    for (leaf, start, end), tint in zip(leaves, tints, strict=True):
        ax.fill(
            *_corners(start, end), color=LIGHT["accent"], alpha=FAINT + (STRONG - FAINT) * tint, linewidth=0
        )
        ax.plot(*_corners(start, end), color=LIGHT["ink"], linewidth=1.5)
        _name(ax, leaf, start, end)
    ax.plot(*rows.T, "o", **(DOTS | {"markersize": 3, "zorder": 1.9}))
    ax.set_xlabel(x, size=SMALL, color=LIGHT["ink"])
    fig.text(8 / WIDTH, 1 - 14 / 360, y, size=SMALL, color=LIGHT["ink"], va="center")
    words = [
        say("{label}: {points}.", label=say(" and ").join(leaf.path) or say("root"), points=leaf.predicted)
        for leaf, _, _ in leaves
    ]
    words.append(say("{label}: {points}.", label=say("Points"), points=len(rows)))
    return _plain(fig, say("Terraces over {x} and {y}", x=x, y=y), say(" ").join(words))


def _boxes(
    tree: Any, names: tuple[str, str], low: np.ndarray, high: np.ndarray
) -> Iterator[tuple[Any, np.ndarray, np.ndarray]]:
    """Yield each leaf with the corners of its rectangle; or say why it has none."""
    _need_numbers(tree)
    asked = {tree.features[f].name for f in tree.feature.tolist() if f >= 0}
    if other := sorted(asked - set(names)):
        raise ValueError(f"the tree asks for {other}; terraces show trees that ask for {' and '.join(names)}")

    def below(node: Any, low: np.ndarray, high: np.ndarray) -> Iterator[tuple[Any, np.ndarray, np.ndarray]]:
        if node.is_leaf:
            yield node, low, high
            return
        axis, cut = np.arange(2) == names.index(node.feature), float(tree.threshold[node.id])
        yield from below(node.children[0], low, np.where(axis, np.minimum(cut, high), high))
        yield from below(node.children[1], np.where(axis, np.maximum(cut, low), low), high)

    return below(tree.root, low, high)


def _need_numbers(tree: Any) -> None:
    """Say what is wrong with a tree that does not predict one number from numbers."""
    if tree.is_classifier or len(tree.outputs) > 1:
        raise ValueError(
            "the tree predicts classes or several numbers; wanted a tree that predicts one number"
        )
    asked = {f for f in tree.feature.tolist() if f >= 0}
    if wrong := sorted(tree.features[f].name for f in asked if tree.features[f].kind != "numeric"):
        raise ValueError(f"the tree asks for names in {wrong}; wanted numbers")


def _corners(start: np.ndarray, end: np.ndarray) -> tuple[list[float], list[float]]:
    """Return the corners of a rectangle, the first again at the end."""
    (a, b), (c, d) = start.tolist(), end.tolist()
    return [a, c, c, a, a], [b, b, d, d, b]


def _name(ax: Any, leaf: Any, start: np.ndarray, end: np.ndarray) -> None:
    """Write the value of a leaf into its rectangle, if it fits."""
    words = f"{leaf.prediction:.4g}"
    width, height = ax.transData.transform(end) - ax.transData.transform(start)
    if width < text_width(words, SMALL) + 6 or height < SMALL + 6:
        return
    paper = {"facecolor": LIGHT["paper"], "edgecolor": "none", "pad": 2}
    look = {"size": SMALL, "weight": "bold", "color": LIGHT["ink"], "ha": "center", "va": "center"}
    ax.text(*(start + end) / 2, words, bbox=paper, **look)
