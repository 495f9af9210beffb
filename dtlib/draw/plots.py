"""Curves and partitions: matplotlib figures, made into pictures that follow the page (chapters 1 and 2)."""

from __future__ import annotations

import io
import itertools
import math
import re
import sys
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dtlib.draw.svg import (
    LIGHT,
    NOT_XML,
    SMALL,
    WIDTH,
    Picture,
    class_color,
    color,
    number,
    picture,
    style,
    tag,
    text_width,
)
from dtlib.messages import say
from dtlib.table.columns import distinct, encode

STYLES = (("accent", "-"), ("ink", "--"), ("muted", "-."), ("class-4", ":"))
SHAPES = "osD^vp"  # of the samples of each class
NAMES = {value: name for name, value in LIGHT.items()} | {"#000000": "ink"}


def figure(width: float = WIDTH, height: float = 300, left: float = 44) -> tuple[Any, Any]:
    """Return a matplotlib figure with axes in the style of the pictures.

    Parameters
    ----------
    width, height : float
        Natural size, in px.
    left : float
        Room for the labels of the y axis.

    Returns
    -------
    tuple of Figure, Axes

    Raises
    ------
    ImportError
        If matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ImportError("this picture needs matplotlib: pip install 'trees-by-counting[draw]'") from error
    fig = Figure(figsize=(width / 72, height / 72), dpi=72)  # a point is a px
    ax = fig.add_axes((left / width, 46 / height, 1 - (left + 18) / width, 1 - 78 / height))
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(LIGHT["line"])
    ax.tick_params(length=0, pad=6, labelsize=SMALL, labelcolor=LIGHT["ink"])
    ax.grid(color=LIGHT["line"], alpha=0.25, linewidth=1)
    ax.set_axisbelow(True)
    ax.margins(0.02)
    return fig, ax


def from_figure(fig: Any, title: str, description: str) -> Picture:
    """Make a matplotlib figure a picture: text stays text, colors become variables; closes the figure.

    Parameters
    ----------
    fig : matplotlib Figure
        Black and white become ink and paper, the colors of `LIGHT` their variables; others stay as they are.
    title, description : str
        See `Picture`; the description says the data shown.

    Returns
    -------
    Picture
    """
    import matplotlib

    file = io.StringIO()
    nothing = dict.fromkeys(("Creator", "Date", "Format", "Type"))
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "dtlib"}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from font")  # the reader's browser has the font
        fig.savefig(file, format="svg", metadata=nothing)
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.close(fig)
    width, height = fig.get_size_inches() * 72
    body = NOT_XML.sub("\ufffd", file.getvalue())
    body = body[body.index("</defs>") + 7 : body.rindex("</svg>")]
    body = re.sub(r"<[^>]*>", lambda match: _clean(match[0]), body)
    used = set(re.findall(r"#(\w+)", body))
    body = re.sub(r' id="([^"]*)"', lambda match: match[0] if match[1] in used else "", body)
    css = style(fill="ink", stroke_linejoin="round", stroke_linecap="butt")
    return picture(
        title, description, width, height, tag("g", re.sub(r">\s+<", "><", body).strip(), style=css)
    )


def _plain(fig: Any, title: str, description: str) -> Picture:
    """Make a figure a picture; a $ in its texts is a $, not the start of a formula."""
    for words in fig.findobj(lambda artist: hasattr(artist, "set_parse_math")):
        words.set_parse_math(False)
    return from_figure(fig, title, description)


def _clean(element: str) -> str:
    """Round the numbers of a tag, name its colors, and leave the font to the page."""
    element = re.sub(r"font-family: [^;\"]*;? ?", "", element).replace("xlink:href", "href")
    element = re.sub(r"-?\d+\.\d+", lambda match: number(float(match[0])), " ".join(element.split()))
    element = re.sub(r' transform="rotate\(-0 [^"]*"', "", element)
    return re.sub(r"(?<=: )#[0-9a-f]{6}\b", lambda m: color(NAMES[m[0]]) if m[0] in NAMES else m[0], element)


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
        Points to be marked.
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
    points = {label: _points(label, x, y) for label, (x, y) in curves.items()}
    if not points:
        raise ValueError("curves is empty; wanted a label and two equally long sequences, x and y, per curve")
    if not np.isfinite([mark[:2] for mark in marks]).all():
        raise ValueError(f"marks is {list(marks)}; wanted (x, y, text) with finite numbers x and y")
    fig, ax = figure()
    for (x, y), (name, dashes) in zip(points.values(), STYLES * len(points), strict=False):
        ax.plot(
            x,
            y,
            dashes,
            color=LIGHT[name],
            linewidth=2.5,
            marker="o" if len(x) == 1 else None,
            clip_on=False,
            drawstyle="steps-post" if steps else "default",
        )
    ax.set_xlabel(x_label, size=SMALL, color=LIGHT["ink"])
    fig.text(8 / WIDTH, 0.955, y_label, size=SMALL, color=LIGHT["ink"], va="center")
    _annotate(ax, points, marks)
    words = [say("{label}: {points}.", label=label, points=_sampled(*xy)) for label, xy in points.items()]
    if len(marks):
        words.append(say("Marked: {marks}.", marks=say(", ").join(text for _, _, text in marks)))
    title = title or say("{y} against {x}", x=x_label or "x", y=y_label or "y")
    return _plain(fig, title, say(" ").join(words))


def _points(label: str, x: ArrayLike, y: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Return the points of a curve, or say why they are none."""
    x, y = np.asarray(x, float), np.asarray(y, float)
    if x.ndim != 1 or x.shape != y.shape or not len(x):
        raise ValueError(
            f"curve {label!r} has x of shape {x.shape} and y of shape {y.shape}; "
            "wanted two equally long sequences, of one point at least"
        )
    if not np.isfinite([x, y]).all():
        raise ValueError(f"curve {label!r} has points that are NaN or infinite: leave them out")
    if (np.diff(x) < 0).any():
        raise ValueError(f"curve {label!r} has an x that descends: sort its points by x")
    return x, y


def _sampled(x: np.ndarray, y: np.ndarray) -> str:
    """Say up to eleven points of a curve, evenly spread over it."""
    some = np.unique(np.linspace(0, len(x) - 1, 11).round().astype(int))
    return say(", ").join(f"({x[i]:.4g}, {y[i]:.4g})" for i in some)


def _annotate(
    ax: Any,
    points: Mapping[str, tuple[np.ndarray, np.ndarray]],
    marks: Sequence[tuple],
    avoid: Sequence[np.ndarray] = (),
) -> None:
    """Write the texts of the marks beside their points, and the labels of the curves on their lines.

    What else should not be covered is given as points, arrays of shape (n, 2).
    """
    grid = np.linspace(*ax.get_xlim(), 240)
    inside = [grid[(grid >= x[0]) & (grid <= x[-1])] for x, _ in points.values()]
    at = [some if len(some) else x[:1] for some, (x, _) in zip(inside, points.values(), strict=True)]
    on = [np.column_stack([p, np.interp(p, x, y)]) for p, (x, y) in zip(at, points.values(), strict=True)]
    on = [ax.transData.transform(xy) for xy in on]
    dots = ax.transData.transform([mark[:2] for mark in marks] or np.empty((0, 2)))
    taken = [dots, *on, *map(ax.transData.transform, avoid)]  # points, in px, that words should not cover
    for dot, (x, y, words) in zip(dots, marks, strict=True):
        ax.plot(x, y, "o", color=LIGHT["ink"], markersize=7, clip_on=False)
        _write(ax, words, dot[None], "ink", taken)
    for label, xy, (name, _) in zip(points, on, STYLES * len(on), strict=False):
        if len(on) > 1 and len(xy) > 60:
            _write(ax, label, xy[30:-30:15], name, taken, own=xy)
        elif len(on) > 1:  # on a short curve, its label would hide it
            _write(ax, label, xy[[len(xy) // 2]], name, taken)


def _write(
    ax: Any, words: str, anchors: np.ndarray, ink: str, taken: list, own: np.ndarray | None = None
) -> None:
    """Write words on their own line, else beside an anchor where they cover least; extends what is taken."""
    half = np.array([text_width(words, SMALL) / 2 + 5, SMALL / 2 + 4])
    others = np.concatenate([points for points in taken if points is not own])
    on_line = [] if own is None else np.flatnonzero(_covers(ax, anchors, half, others) == 0)
    if len(on_line):
        room = [np.hypot(*(others - anchors[i]).T).min().round(6) for i in on_line]
        at = middle = anchors[on_line[int(np.argmax(room))]]
    else:
        angles = np.arange(16)[:, None] * math.pi / 8
        around = np.hstack([np.cos(angles), np.sin(angles)])
        beside = np.concatenate([around * (half + far) for far in (6, 14, 26, 40, 60, 90, 120)])
        starts, middles = anchors.repeat(len(beside), 0), (anchors[:, None] + beside).reshape(-1, 2)
        covered = _covers(ax, middles, half, np.concatenate(taken))
        for share in (0.3, 0.5, 0.7, 0.9):  # of the way of the line that leads from the anchor to the words
            covered += _covers(ax, starts + share * (middles - starts), np.array([5, 5]), others)
        best = np.lexsort((np.hypot(*(middles - starts).T).round(6), covered))[0]
        at, middle = starts[best], middles[best]
    leader = {"arrowstyle": "-", "color": LIGHT["line" if own is None else ink], "shrinkA": 0, "shrinkB": 1}
    paper = {"facecolor": LIGHT["paper"], "edgecolor": "none", "pad": 1}
    look = {"color": LIGHT[ink], "size": SMALL, "ha": "center", "va": "center", "bbox": paper}
    ax.annotate(words, at, middle, "figure pixels", "figure pixels", None if middle is at else leader, **look)
    lattice = np.stack(np.meshgrid(np.linspace(-1, 1, 31), np.linspace(-1, 1, 5)), axis=-1).reshape(-1, 2)
    taken += [middle + lattice * half, np.linspace(at, middle, 9)]


def _covers(ax: Any, middle: np.ndarray, half: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Count the points under a box at each place; leaving the axes counts more than anything."""
    x, y = (abs(middle[:, None, k] - points[:, k]) < half[k] for k in (0, 1))
    inside = (x & y).sum(axis=1)
    low, high = ax.bbox.get_points()
    return inside + 1000 * ((middle - half < low) | (middle + half > high + 8)).any(axis=1)


def curve(x: ArrayLike, y: ArrayLike, *, label: str = "y", **options: Any) -> Picture:
    """Draw one curve; the options are those of `lines`.

    Examples
    --------
    >>> curve([0, 1], [1, 3], x_label="alpha (bits per leaf)", y_label="loss (bits)", label="loss")
    Picture: loss (bits) against alpha (bits per leaf). loss: (0, 1), (1, 3).
    """
    return lines({label: (x, y)}, **options)


def partition(tree: Any, frame: pd.DataFrame, target: str, *, x: str, y: str) -> Picture:
    """Draw how a tree divides the plane of two nominal features, with the samples in it.

    Each cell is one pair of values, tinted in the color of the class the tree predicts there; heavy lines
    part the leaves. Each sample is a dot in the color and shape of its own class, with its index in it.

    Parameters
    ----------
    tree : Tree
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
    """
    if x == y:
        raise ValueError(f"x and y are both {x!r}; give two features")
    if lacking := [name for name in (x, y, target) if name not in frame.columns]:
        raise ValueError(f"frame lacks the columns {lacking}; it has {list(frame.columns)}")
    columns, rows, leaves = _cells(tree, frame, x, y)
    across, down, classes = _codes(frame, {x: columns, y: rows, target: tree.classes})
    fig, ax = figure(height=80 + 110 * len(rows), left=max(text_width(str(b)) for b in rows) + 18)
    words = []
    for (i, a), (j, b) in itertools.product(enumerate(columns), enumerate(rows)):
        here, leaf = (across == i) & (down == j), leaves[i][j]
        beside, above = leaves[i - 1][j] if i else None, leaves[i][j - 1] if j else None
        _cell(ax, i, j, leaf, frame.index[here], classes[here], tree, beside, above)
        labels = frame[target][here].items()
        samples = say(", ").join(f"{name} {label}" for name, label in labels) or say("no sample")
        cell = say(", ").join([f"{x} = {a}", f"{y} = {b}"])
        words.append(
            say("{cell}: predicted {label}; {samples}.", cell=cell, label=leaf.prediction, samples=samples)
        )
    ax.grid(False)
    ax.set(xlim=(0, len(columns)), ylim=(len(rows), 0))
    ax.set_xticks(np.arange(len(columns)) + 0.5, map(str, columns))
    ax.set_yticks(np.arange(len(rows)) + 0.5, map(str, rows))
    ax.spines[:].set(visible=True, color=LIGHT["line"])
    ax.set_xlabel(x, size=SMALL, color=LIGHT["ink"])
    fig.text(8 / WIDTH, 0.965, y, size=SMALL, color=LIGHT["ink"], va="center")
    return _plain(fig, say("Partition by {x} and {y}", x=x, y=y), say(" ").join(words))


def _cells(tree: Any, frame: pd.DataFrame, x: str, y: str) -> tuple[tuple, tuple, list[list[Any]]]:
    """Return the values of both features, and the leaf of each pair of them: leaves[i][j]."""
    if numbers := [f.name for f in tree.features if f.kind == "numeric" and f.name in (x, y)]:
        raise ValueError(f"the tree has numbers in {numbers}; a partition shows two features that have names")
    columns, rows = distinct(frame[x]), distinct(frame[y])
    cells = pd.DataFrame(itertools.product(columns, rows), columns=[x, y], dtype=object)
    others = {f.name: 0.0 if f.kind == "numeric" else None for f in tree.features if f.name not in (x, y)}
    nodes = [tree[i] for i in tree.apply(cells.assign(**others))]
    for node, cell in zip(nodes, cells.to_dict("records"), strict=True):
        asked = (tree[i].feature for i in (*node.ancestors, node.id))
        if other := [name for name in asked if name is not None and name not in cell]:
            raise ValueError(f"tree asks {other[0]!r}; a partition shows trees that ask {x} and {y} only")
        if not node.is_leaf:
            value = cell[node.feature]
            raise ValueError(f"tree has no branch for {node.feature} = {value!r}: grow it on these values")
    return columns, rows, [nodes[i : i + len(rows)] for i in range(0, len(nodes), len(rows))]


def _codes(frame: pd.DataFrame, values: Mapping[str, Sequence[Any]]) -> list[np.ndarray]:
    """Return the code of each row in each column, or say which row has none."""
    codes = [encode(frame[name], known).codes for name, known in values.items()]
    for (name, known), code in zip(values.items(), codes, strict=True):
        if (code < 0).any():
            (row, value), *_ = frame[name][code < 0].to_dict().items()
            raise ValueError(
                f"{name} is {value!r} in row {row!r}; wanted one of {list(known)}: leave such rows out"
            )
    return codes


def _cell(
    ax: Any, i: int, j: int, leaf: Any, names: Any, classes: np.ndarray, tree: Any, beside: Any, above: Any
) -> None:
    """Draw one cell: its tint, its borders to the left and above, its class and its samples on a lattice."""
    shades = [LIGHT[class_color(k)] for k in range(len(tree.classes))]
    shade = shades[tree.label[leaf.id]]
    ax.fill([i, i + 1, i + 1, i], [j, j, j + 1, j + 1], color=shade, alpha=0.14, linewidth=0)
    for other, ends in ((beside, ([i, i], [j, j + 1])), (above, ([i, i + 1], [j, j]))):
        if other is not None:
            heavy = (
                {"color": LIGHT["ink"], "linewidth": 2.5}
                if other.id != leaf.id
                else {"color": LIGHT["line"], "linestyle": ":"}
            )
            ax.plot(*ends, **heavy)
    if all(other is None or other.id != leaf.id for other in (beside, above)):
        ax.text(i + 0.05, j + 0.14, str(leaf.prediction), size=SMALL, weight="bold", color=shade, va="center")
    across = math.ceil(math.sqrt(2 * len(names)))
    for k, (name, label) in enumerate(zip(names, classes, strict=True)):
        down = math.ceil(len(names) / across)
        at = i + 0.04 + 0.92 * (k % across + 0.5) / across, j + 0.26 + 0.7 * (k // across + 0.5) / down
        ax.plot(*at, SHAPES[label % len(SHAPES)], color=shades[label], markersize=22)
        ax.text(*at, str(name), size=SMALL - 1, color=LIGHT["paper"], ha="center", va="center_baseline")
