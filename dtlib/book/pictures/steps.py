"""Regression trees as staircases over one number, and as terraces over two (chapter 11)."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dtlib.book.pictures.planes import boxes, draw_region, limits, rectangle, show_between
from dtlib.draw.axes import (
    INK,
    STYLES,
    Axes,
    along,
    figure,
    give_style,
    in_px,
    need_columns,
    said_picture,
    write_bold,
    write_clear,
)
from dtlib.draw.plots import CurvePoints, curve_points, some_points
from dtlib.draw.svg import LIGHT, SMALL_SIZE, Picture, statement, text_width
from dtlib.draw.tree import opacity
from dtlib.messages import say
from dtlib.numbers import say_apart
from dtlib.tree.digits import SAME_BUT_FOR_ROUNDING
from dtlib.tree.node import Node
from dtlib.tree.splits import Threshold
from dtlib.tree.tree import Fitted, Tree, tree_of

StairStep = tuple[float, float, float]  # its value, where it begins, where it ends

SPELLED = 8  # as many steps are said one by one
STEPS_PANEL, STEPS_HEAD, STEPS_FOOT = 140, 34, 46  # heights in px: of a panel, above it, and below all
DOTS: dict[str, Any] = {"color": LIGHT["muted"], "linestyle": "none", "clip_on": False}


def steps(
    trees: Mapping[str, Tree | Fitted],
    x: ArrayLike,
    y: ArrayLike,
    *,
    curves: Mapping[str, tuple[ArrayLike, ArrayLike]] | None = None,
    panels: bool = False,
    low: float | None = None,
    high: float | None = None,
    top: float | None = None,
    x_label: str = "x",
    y_label: str = "y",
    title: str = "",
) -> Picture:
    """Draw trees that predict a number from one number, as staircases, with points and curves.

    Parameters
    ----------
    trees : mapping of str to Tree or fitted estimator
        Label of each tree; it has one output and asks for one number only.
    x, y : array-like of shape (n,)
        The points, in any order.
    curves : mapping of str to (x, y), optional
        Curves to be drawn too, x ascending.
    panels : bool
        Whether each tree has a panel of its own, one below the other, with points and curves in each.
    low, high : float, optional
        Where the staircases begin and end; default: at the outermost points.
    top : float, optional
        Where the picture ends above; what lies higher is only said. Default: above all that is drawn.
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
    >>> from dtlib import CARTRegressor
    >>> from dtlib.datasets import load_regression_points
    >>> points = load_regression_points()
    >>> tree = CARTRegressor(max_depth=1).fit(points.X, points.y).tree_
    >>> steps({"depth 1": tree}, points.X["x"][:2], points.y[:2], high=10)
    Picture: y against x. Points: (1, 4.5), (2, 4.75). depth 1: 5.06 up to 5.5, 8.176 above.
    """
    if not trees:
        raise ValueError("trees is empty; wanted a label and a tree for each staircase")
    points = _sorted_points(np.asarray(x, float), np.asarray(y, float))
    low = float(points[0][0]) if low is None else low
    high = float(points[0][-1]) if high is None else high
    if not low < high:
        raise ValueError(f"low is {low} and high is {high}; wanted low < high")
    smooth = {label: curve_points(label, *xy) for label, xy in (curves or {}).items()}
    grown = {label: tree_of(tree) for label, tree in trees.items()}
    stairs = {label: _stairs(tree) for label, tree in grown.items()}
    ends = {label: _said_ends(tree) for label, tree in grown.items()}
    lines = {label: _staircase(flat, low, high) for label, flat in stairs.items()}
    shown = [{label: line} for label, line in lines.items()] if panels else [lines]
    height = STEPS_FOOT + sum(STEPS_HEAD + (STEPS_PANEL if panels else 230) for _ in shown)
    fig, first = figure(height=height, y_label=y_label, y_at=1 - 14 / height)
    axes = [
        first,
        *(fig.add_axes(first.get_position().bounds, sharex=first, sharey=first) for _ in shown[1:]),
    ]
    for place, (ax, some) in enumerate(zip(axes, shown, strict=True)):
        _place_below(ax, place, len(shown), height)
        _draw_steps(ax, points, some, smooth, named=len(some) > 1 or not panels, top=top)
        if panels:
            look = INK | {"color": LIGHT["accent"], "weight": "bold"}
            ax.set_title(next(iter(some)), loc="right", pad=6, **look)
    axes[-1].set_xlabel(x_label, **INK)
    words = [statement(say("Points"), some_points(*points))]
    words += [statement(label, _said_steps(flat, ends[label])) for label, flat in stairs.items()]
    words += [statement(label, some_points(*xy)) for label, xy in smooth.items()]
    return said_picture(fig, title or say("{y} against {x}", x=x_label, y=y_label), words)


def _sorted_points(x: np.ndarray, y: np.ndarray) -> CurvePoints:
    """Return points by their x, or say what is wrong with them."""
    if x.ndim == 1 and x.shape == y.shape:
        order = np.argsort(x, kind="stable")
        x, y = x[order], y[order]
    return curve_points(say("Points"), x, y)


def _place_below(ax: Axes, place: int, panels: int, height: float) -> None:
    """Put a panel at its height, in the style of the first."""
    left, _, width, _ = ax.get_position().bounds
    size, last = (height - STEPS_FOOT) / panels, panels - 1
    bottom = STEPS_FOOT + (last - place) * size
    ax.set_position((left, bottom / height, width, (size - STEPS_HEAD) / height))
    give_style(ax)
    ax.tick_params(labelbottom=place == last)


def _draw_steps(
    ax: Axes,
    points: CurvePoints,
    lines: Mapping[str, CurvePoints],
    curves: Mapping[str, CurvePoints],
    *,
    named: bool,
    top: float | None,
) -> None:
    """Draw points, curves and staircases, the staircases on top; then their labels where they cover least."""
    x, y = points
    shown = y <= (np.inf if top is None else top)
    ax.plot(x[shown], y[shown], "o", markersize=5, **DOTS)
    looks: list[tuple[str, str, CurvePoints]] = [("muted", "--", xy) for xy in curves.values()]
    looks += [(*look, xy) for look, xy in zip(STYLES * len(lines), lines.values(), strict=False)]
    for ink, dashes, xy in looks:
        ax.plot(*xy, dashes, color=LIGHT[ink], linewidth=2.5 if ink != "muted" else 1.5)
    if top is not None:
        ax.set_ylim(top=top)
    if not named:
        return
    on = [along(ax, *xy) for _, _, xy in looks]
    taken = [in_px(ax, *points), *on]
    for label, (ink, _, _), line in zip([*curves, *lines], looks, on, strict=True):
        anchors = line[10:-10:6]
        write_clear(ax, label, anchors[anchors[:, 1] <= ax.bbox.ymax], ink, taken)


def _stairs(tree: Tree) -> list[StairStep]:
    """List the steps from the left; or say why this is no staircase."""
    names = _asked_numbers(tree) or ["nothing"]
    if len(names) > 1:
        raise ValueError(f"the tree asks for {names}; a staircase shows one feature")
    leaves = boxes(tree.root, tuple(names), np.array([-np.inf]), np.array([np.inf]))
    return [(leaf.prediction, start.item(), end.item()) for leaf, start, end in leaves]


def _staircase(flat: list[StairStep], low: float, high: float) -> CurvePoints:
    """Return the corners of a staircase between two numbers."""
    shown = np.array([(value, max(start, low), min(end, high)) for value, start, end in flat])
    value, start, end = shown[shown[:, 1] < shown[:, 2]].T
    return np.column_stack([start, end]).ravel(), value.repeat(2)


def _said_ends(tree: Tree) -> dict[float, tuple[str, str]]:
    """Return the sign and the number by which the tree says each threshold."""
    return {node.split.threshold: node.split.said for node in tree if isinstance(node.split, Threshold)}


def _said_steps(flat: list[StairStep], ends: Mapping[float, tuple[str, str]]) -> list[str]:
    """Say the steps one by one, or how many there are."""
    values = [value for value, _, _ in flat]
    if len(flat) > SPELLED:
        low, high = f"{min(values):.4g}", f"{max(values):.4g}"
        return [say("{n} steps between {low} and {high}", n=len(flat), low=low, high=high)]
    *below, last = say_apart(values, digits=4, same=SAME_BUT_FOR_ROUNDING)
    if not below:
        return [last]
    said = []
    for value, (_, _, threshold) in zip(below, flat, strict=False):
        sign, end = ends[threshold]
        up_to = say("{value} up to {end}", value=value, end=end)
        said.append(up_to if sign == "≤" else say("{value} below {end}", value=value, end=end))
    above = say("{value} above", value=last)
    return [*said, above if sign == "≤" else say("{value} from {end}", value=last, end=end)]


def surface(tree: Tree | Fitted, frame: pd.DataFrame, *, x: str, y: str) -> Picture:
    """Draw how a tree that predicts a number divides the plane of two numbers: a terrace for each leaf.

    A leaf is a rectangle with its value in it; the larger the value, the stronger its color. Rows are dots.

    Parameters
    ----------
    tree : Tree or fitted estimator
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
    tree = tree_of(tree)
    need_columns(frame, (x, y))
    rows = frame[[x, y]].to_numpy(float)
    if x == y or not len(rows) or not np.isfinite(rows).all():
        raise ValueError(f"wanted two features, and rows without NaN and infinity, in {x!r} and {y!r}")
    if other := sorted({*_asked_numbers(tree)} - {x, y}):
        raise ValueError(f"the tree asks for {other}; terraces show trees that ask for {x} and {y}")
    low, high = limits(rows, 0.03)
    leaves = [(leaf, rectangle(*ends)) for leaf, *ends in boxes(tree.root, (x, y), low, high)]
    fig, ax = figure(height=360, x_label=x, y_label=y, y_at=1 - 14 / 360)
    ax.grid(False)
    show_between(ax, low, high)
    values = np.array([leaf.prediction for leaf, _ in leaves])
    tints = (values - values.min()) / (float(np.ptp(values)) or 1.0)
    for (leaf, corners), tint in zip(leaves, tints, strict=True):
        draw_region(ax, corners, LIGHT["accent"], alpha=opacity(tint), thick=1.5)
        _write_value(ax, leaf, corners)
    ax.plot(*rows.T, "o", markersize=3, zorder=1.9, **DOTS)
    words = [statement(say(" and ").join(leaf.path) or say("root"), [leaf.predicted]) for leaf, _ in leaves]
    words.append(statement(say("Points"), [len(rows)]))
    return said_picture(fig, say("Terraces over {x} and {y}", x=x, y=y), words)


def _asked_numbers(tree: Tree) -> list[str]:
    """List the features that a tree asks, if it predicts one number from numbers; or say what is wrong."""
    if tree.is_classifier or len(tree.outputs) > 1:
        raise ValueError(
            "the tree predicts classes or several numbers; wanted a tree that predicts one number"
        )
    asked = [tree.features[f] for f in np.unique(tree.feature[tree.feature >= 0])]
    if wrong := sorted(feature.name for feature in asked if feature.kind != "numeric"):
        raise ValueError(f"the tree asks for names in {wrong}; wanted numbers")
    return sorted(feature.name for feature in asked)


def _write_value(ax: Axes, leaf: Node, corners: np.ndarray) -> None:
    """Write the value of a leaf into its rectangle, if it fits."""
    words, (start, _, end, _) = f"{leaf.prediction:.4g}", in_px(ax, *corners.T)
    width, height = end - start
    if width >= text_width(words, SMALL_SIZE) + 6 and height >= SMALL_SIZE + 6:
        paper = {"facecolor": LIGHT["paper"], "edgecolor": "none", "pad": 2}
        write_bold(ax, (corners[0] + corners[2]) / 2, words, LIGHT["ink"], bbox=paper)
