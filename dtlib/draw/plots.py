"""Curves, and the plane of two names: lines with their labels on them, partitions (chapters 1 and 2)."""

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dtlib.draw.axes import (
    INK,
    STYLES,
    Axes,
    along,
    codes_of,
    draw_sample,
    figure,
    give_frame,
    in_px,
    need_two_features,
    said_picture,
    said_region,
    shade_of,
    write_clear,
)
from dtlib.draw.svg import LIGHT, SMALL_SIZE, Picture, commas, statement, text_width, widest
from dtlib.messages import say
from dtlib.numbers import floats, shown
from dtlib.table.columns import distinct
from dtlib.tree.node import Node
from dtlib.tree.tree import Fitted, Tree, tree_of

DRAWABLE = 1e150  # numbers with which matplotlib can divide an axis

CurvePoints = tuple[np.ndarray, np.ndarray]  # of a curve: x, ascending, and y


def lines(
    curves: Mapping[str, tuple[ArrayLike, ArrayLike]],
    *,
    x_label: str = "",
    y_label: str = "",
    marks: Sequence[tuple[float, float, str]] = (),
    title: str = "",
    steps: bool = False,
) -> Picture:
    """Draw curves, each with its label on the line.

    Parameters
    ----------
    curves : mapping of str to (x, y)
        Label and points of each curve, x ascending.
    x_label, y_label : str
        What the axes show, with units.
    marks : sequence of (x, y, text)
        CurvePoints to be marked.
    title : str
        What the picture is; by default its axes.
    steps : bool
        Whether a curve keeps its value up to the next x instead of going there in a straight line.

    Returns
    -------
    Picture

    Raises
    ------
    ValueError
        If there is no curve, a curve has no point or differs in the lengths of x and y, its x descends, or a
        point is NaN or infinite.

    Examples
    --------
    >>> lines({"square": ([0, 1, 2], [0, 1, 4])}, x_label="x", y_label="y")
    Picture: y against x. square: (0, 0), (1, 1), (2, 4).
    """
    points = curves_given(curves)
    if not points:
        raise ValueError("curves is empty; wanted a label and two equally long sequences, x and y, per curve")
    check_marks(marks)
    fig, ax = figure(x_label=x_label, y_label=y_label, y_at=0.955)
    way = "steps-post" if steps else "default"
    for (x, y), (ink, dashes) in zip(points.values(), STYLES * len(points), strict=False):
        look: dict[str, Any] = {"color": LIGHT[ink], "marker": "o" if len(x) == 1 else None}
        ax.plot(x, y, dashes, linewidth=2.5, clip_on=False, drawstyle=way, **look)
    if steps and len(points) > 1:
        write_labels(ax, {label: _step_corners(*xy) for label, xy in points.items()}, marks, level=True)
    else:
        write_labels(ax, points, marks)
    words = [statement(label, some_points(*xy)) for label, xy in points.items()]
    if len(marks):
        words.append(say("Marked: {marks}.", marks=commas(text for _, _, text in marks)))
    return said_picture(fig, title or say("{y} against {x}", x=x_label or "x", y=y_label or "y"), words)


def curves_given(curves: Any) -> dict[str, CurvePoints]:
    """Return the points of each curve, or say that what was given are no curves."""
    if not isinstance(curves, Mapping):
        raise TypeError(f"curves is {shown(curves)}; wanted a mapping of labels to (x, y)")
    for label, given in curves.items():
        if isinstance(given, str) or not isinstance(given, Sequence | np.ndarray) or len(given) != 2:
            raise TypeError(f"curve {label!r} is {shown(given)}; wanted (x, y), two equally long sequences")
    return {label: curve_points(label, x, y) for label, (x, y) in curves.items()}


def check_marks(marks: Any) -> None:
    """Say that marks are no points with a text."""
    wanted = "(x, y, text) with finite numbers x and y"
    if isinstance(marks, str) or not isinstance(marks, Sequence):
        raise TypeError(f"marks is {shown(marks)}; wanted a sequence of {wanted}")
    for mark in marks:
        if not isinstance(mark, tuple | list) or len(mark) != 3:
            raise ValueError(f"marks has {shown(mark)}; wanted {wanted}")
        if not np.isfinite(floats("a mark's place", mark[:2], wanted)).all():
            raise ValueError(f"marks is {list(marks)}; wanted {wanted}")


def curve_points(label: str, x: ArrayLike, y: ArrayLike) -> CurvePoints:
    """Return the points of a curve, or say why they are none.

    Examples
    --------
    >>> curve_points("loss", [0, 1], [3, 2])
    (array([0., 1.]), array([3., 2.]))
    """
    x, y = floats(f"x of curve {label!r}", x), floats(f"y of curve {label!r}", y)
    if x.ndim != 1 or x.shape != y.shape or not len(x):
        raise ValueError(
            f"curve {label!r} has x of shape {x.shape} and y of shape {y.shape}; "
            "wanted two equally long sequences, of one point at least"
        )
    if not (np.abs([x, y]) <= DRAWABLE).all():
        raise ValueError(
            f"curve {label!r} has points that are NaN or infinite, or beyond ±{DRAWABLE:g}: leave them out"
        )
    if (np.diff(x) < 0).any():
        raise ValueError(f"curve {label!r} has an x that descends: sort its points by x")
    return x, y


def some_points(x: np.ndarray, y: np.ndarray) -> list[str]:
    """Say up to eleven points of a curve, evenly spread over it.

    Examples
    --------
    >>> some_points(np.array([0, 1.5]), np.array([1, 2]))
    ['(0, 1)', '(1.5, 2)']
    """
    some = np.unique(np.linspace(0, len(x) - 1, 11).round().astype(int))
    return [f"({x[i]:.4g}, {y[i]:.4g})" for i in some]


def write_labels(
    ax: Axes,
    curves: Mapping[str, CurvePoints],
    marks: Sequence[tuple[float, float, str]],
    avoid: Sequence[np.ndarray] = (),
    level: bool = False,
) -> None:
    """Write the texts of the marks beside their points, and the labels of the curves on their lines.

    What else should not be covered is given as points, arrays of shape (n, 2). Of curves that rise and fall
    at once, `level`, a label hides no such place.
    """
    on = [along(ax, *xy) for xy in curves.values()]
    dots = in_px(ax, [x for x, _, _ in marks], [y for _, y, _ in marks])
    taken = [dots, *on, *(in_px(ax, *points.T) for points in avoid)]
    for dot, (x, y, words) in zip(dots, marks, strict=True):
        ax.plot(x, y, "o", color=LIGHT["ink"], markersize=7, clip_on=False)
        write_clear(ax, words, dot[None], "ink", taken)
    for label, xy, (ink, _) in zip(curves, on, STYLES * len(on), strict=False):
        if len(on) > 1 and len(xy) > 60:
            anchors = xy[30:-30:15]
            free = anchors[_flat(anchors, xy, text_width(label, SMALL_SIZE) / 2 + 5)] if level else anchors
            if len(free):
                write_clear(ax, label, free, ink, taken, own=xy)
            else:
                write_clear(ax, label, anchors, ink, taken)
        elif len(on) > 1:  # on a short curve, its label would hide it
            write_clear(ax, label, xy[[len(xy) // 2]], ink, taken)


def _step_corners(x: np.ndarray, y: np.ndarray) -> CurvePoints:
    """Return the corners of a curve that keeps each y up to the next x."""
    return np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1]


def _flat(anchors: np.ndarray, line: np.ndarray, half: float) -> np.ndarray:
    """Tell at which anchors a line is level as far as words of this half width would cover it."""
    across, up = np.moveaxis(abs(line - anchors[:, None]), 2, 0)
    return ~((across < half) & (up > 1)).any(axis=1)


def curve(x: ArrayLike, y: ArrayLike, *, label: str = "y", **options: Any) -> Picture:
    """Draw one curve; the options are those of `lines`.

    Examples
    --------
    >>> curve([0, 1], [1, 3], x_label="alpha (bits per leaf)", y_label="loss (bits)", label="loss")
    Picture: loss (bits) against alpha (bits per leaf). loss: (0, 1), (1, 3).
    """
    return lines({label: (x, y)}, **options)


def partition(tree: Tree | Fitted, frame: pd.DataFrame, target: str, *, x: str, y: str) -> Picture:
    """Draw how a tree divides the plane of two nominal features, with the samples in it.

    Each cell is one pair of values, tinted in the color of the class the tree predicts there; heavy lines
    part the leaves. Each sample is a dot in the color and shape of its own class, with its index in it.

    Parameters
    ----------
    tree : Tree or fitted estimator
        A tree that asks for x and y only.
    frame : DataFrame
        The samples.
    target : str
        Column of the class.
    x, y : str
        Columns of the two features.

    Returns
    -------
    Picture

    Raises
    ------
    ValueError
        If the tree asks for another feature or has no branch for a value, a column is not in the frame, or a
        sample lacks a value or has a class that is none of the tree's.

    Examples
    --------
    >>> from dtlib import ID3Classifier
    >>> from dtlib.datasets import load_loan
    >>> loan = load_loan()
    >>> tree = ID3Classifier().fit(loan.X[["has_job", "owns_house"]], loan.y).tree_
    >>> partition(tree, loan.frame, "approved", x="has_job", y="owns_house").title
    'Partition by has_job and owns_house'
    """
    tree = tree_of(tree)
    need_two_features(frame, x, y, target)
    columns, rows, leaves = _leaves_by_pair(tree, frame, x, y)
    values = {x: columns, y: rows, target: tree.classes}
    across, down, classes = (codes_of(frame[name], known) for name, known in values.items())
    left, height = widest(map(str, rows)) + 18, 80 + 110 * len(rows)
    fig, ax = figure(height=height, left=left, x_label=x, y_label=y)
    words = []
    for (i, a), (j, b) in itertools.product(enumerate(columns), enumerate(rows)):
        here, leaf = (across == i) & (down == j), leaves[i][j]
        _draw_cell(ax, i, j, leaves)
        _draw_samples(ax, i, j, frame.index[here], classes[here])
        words.append(said_region(commas([f"{x} = {a}", f"{y} = {b}"]), leaf, frame[target][here]))
    give_frame(ax)
    ax.set(xlim=(0, len(columns)), ylim=(len(rows), 0))
    ax.set_xticks(np.arange(len(columns)) + 0.5, [str(a) for a in columns])
    ax.set_yticks(np.arange(len(rows)) + 0.5, [str(b) for b in rows])
    return said_picture(fig, say("Partition by {x} and {y}", x=x, y=y), words)


def _leaves_by_pair(
    tree: Tree, frame: pd.DataFrame, x: str, y: str
) -> tuple[tuple[Any, ...], tuple[Any, ...], list[list[Node]]]:
    """Return the values of both features, and the leaf of each pair of them: leaves[i][j]."""
    if numbers := [f.name for f in tree.features if f.kind == "numeric" and f.name in (x, y)]:
        raise ValueError(
            f"features {numbers} of the tree are numeric; a partition shows two categorical features"
        )
    columns, rows = distinct(frame[x]), distinct(frame[y])
    cells = pd.DataFrame(itertools.product(columns, rows), columns=[x, y], dtype=object)
    others = {f.name: 0.0 if f.kind == "numeric" else None for f in tree.features if f.name not in (x, y)}
    nodes = [tree[i] for i in tree.apply(cells.assign(**others))]
    for node, cell in zip(nodes, cells.to_dict("records"), strict=True):
        tested = (tree[i].feature for i in (*node.ancestors, node.id))
        if other := [name for name in tested if name is not None and name not in cell]:
            raise ValueError(f"tree tests {other[0]!r}; a partition shows trees that test {x} and {y} only")
        if not node.is_leaf:
            value = cell[node.feature]
            raise ValueError(f"tree has no branch for {node.feature} = {value!r}: grow it on these values")
    return columns, rows, [nodes[i : i + len(rows)] for i in range(0, len(nodes), len(rows))]


def _draw_cell(ax: Axes, i: int, j: int, leaves: list[list[Node]]) -> None:
    """Draw one cell: its tint, its borders to the left and above, its class if it begins a leaf."""
    leaf, shade = leaves[i][j], shade_of(leaves[i][j])
    ax.fill([i, i + 1, i + 1, i], [j, j, j + 1, j + 1], color=shade, alpha=0.14, linewidth=0)
    beside = [(leaves[i - 1][j], ([i, i], [j, j + 1]))] if i else []
    above = [(leaves[i][j - 1], ([i, i + 1], [j, j]))] if j else []
    heavy: dict[str, Any] = {"color": LIGHT["ink"], "linewidth": 2.5}
    light: dict[str, Any] = {"color": LIGHT["line"], "linestyle": ":"}
    for other, ends in beside + above:
        ax.plot(*ends, **(light if other.id == leaf.id else heavy))
    if all(other.id != leaf.id for other, _ in beside + above):
        ax.text(
            i + 0.05, j + 0.14, str(leaf.prediction), va="center", **INK | {"weight": "bold", "color": shade}
        )


def _draw_samples(ax: Axes, i: int, j: int, names: pd.Index, classes: np.ndarray) -> None:
    """Draw the samples of a cell on a lattice, each with its name in it."""
    across = math.ceil(math.sqrt(2 * len(names)))
    for k, (name, label) in enumerate(zip(names, classes, strict=True)):
        down = math.ceil(len(names) / across)
        at = i + 0.04 + 0.92 * (k % across + 0.5) / across, j + 0.26 + 0.7 * (k // across + 0.5) / down
        draw_sample(ax, at, label, name, SMALL_SIZE - 1, markersize=22)
