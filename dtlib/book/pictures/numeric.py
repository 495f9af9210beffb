"""Numbers: what each cut of a feature gains, and how a tree divides a plane (chapter 6)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dtlib.book.pictures.polygons import draw_region, regions
from dtlib.draw.plots import SHAPES, _codes, _plain, figure
from dtlib.draw.svg import LIGHT, SMALL, WIDTH, Picture, class_color, text_width
from dtlib.measures import information_gain
from dtlib.messages import say
from dtlib.search.level import TIE
from dtlib.table.columns import distinct, encode
from dtlib.tree.splits import say_number

LANE, DUPLICATE = 26, 0.32  # px for the samples of a class; how far apart equal ones are, in lanes
CLOSE = {"x": 40, "y": 16}  # px between two thresholds that are both written at the axis
Box = tuple[float, float, float, float]  # left, right, bottom, top


def cuts(values: ArrayLike, classes: ArrayLike, *, feature: str = "x") -> Picture:
    """Draw the information gain of every cut of a number, halfway between neighboring values.

    A cut between two values whose samples are all of one class has a hollow dot, every other one a full dot;
    the best cut is named. Below are the samples, a row for each class.

    Parameters
    ----------
    values : array-like of n numbers
        The feature.
    classes : array-like of n
        The classes, in the order of `values`.
    feature : str
        Its name.

    Returns
    -------
    Picture

    Raises
    ------
    ValueError
        If lengths differ, a value is missing or infinite, or there are fewer than two distinct values.

    Examples
    --------
    >>> cuts([1, 2, 3, 4], ["no", "no", "yes", "yes"], feature="size").description[:-21]
    'size ≤ 1.5: 0.311 bits; size ≤ 2.5: 1.000 bits (chosen), boundary; size ≤ 3.5: 0.311 bits.'
    """
    x, names, code, tables = _counted(values, classes)
    below, above = x[:-1], x[1:]
    t, gain = below + (above - below) / 2, information_gain(_cut(tables))
    pair = tables[:-1] + tables[1:]
    boundary = (pair > 0).sum(1) > 1
    best = int(np.flatnonzero(gain >= gain.max() - TIE)[0])
    lanes, room = len(names), LANE * len(names) + 12
    fig, ax = figure(height=290 + room, left=max(44, 18 + max(map(text_width, map(str, names)))))
    left, low, width, height = ax.get_position().bounds
    strip = room / (290 + room)
    ax.set_position((left, low + strip, width, height - strip))
    ax.vlines(t, 0, gain, color=LIGHT["line"], linewidth=1.5)
    for here, fill in ((boundary, "accent"), (~boundary, "paper")):
        look = {"markerfacecolor": LIGHT[fill], "markeredgecolor": LIGHT["accent"], "markeredgewidth": 1.5}
        ax.plot(t[here], gain[here], "o", markersize=8, clip_on=False, **look)
    span = x[-1] - x[0]
    ax.set(xlim=(x[0] - 0.04 * span, x[-1] + 0.04 * span), ylim=(0, 1.18 * max(gain.max(), 1e-3)))
    ax.tick_params(labelbottom=False)
    words = f"{say_number(t[best])}: {say('{bits:.3f} bits', bits=gain[best])}"
    middle = x[0] + span * np.clip((t[best] - x[0]) / span, 0.2, 0.8)
    ax.text(middle, 1.09 * gain[best], words, size=SMALL, weight="bold", ha="center", va="center")
    fig.text(8 / WIDTH, 0.965, say("information gain (bits)"), size=SMALL, color=LIGHT["ink"], va="center")
    key = say("● boundary  ○ within a run")
    fig.text(1 - 18 / WIDTH, 0.965, key, size=SMALL, color=LIGHT["accent"], va="center", ha="right")
    _samples(fig.add_axes((left, low, width, strip), sharex=ax), np.asarray(values, float), code, names)
    fig.axes[1].set_xlabel(feature, size=SMALL, color=LIGHT["ink"])
    said = [_said(feature, *each) for each in zip(t, gain, boundary, np.arange(len(t)) == best, strict=True)]
    rows = [_row(names[k], np.sort(np.asarray(values, float)[code == k])) for k in range(lanes)]
    title = say("Gain of each cut of {feature}", feature=feature)
    return _plain(fig, title, say(" ").join([say("{list}.", list=say("; ").join(said)), *rows]))


def _counted(values: ArrayLike, classes: ArrayLike) -> tuple[np.ndarray, tuple, np.ndarray, np.ndarray]:
    """Return the distinct values, the classes, the code of each sample, and a table: value by class."""
    x, y = np.asarray(values, float), pd.Series(np.asarray(classes))
    if x.ndim != 1 or len(x) != len(y):
        raise ValueError(f"values has the shape {x.shape}, classes {y.shape}; wanted one class per value")
    if not np.isfinite(x).all():
        raise ValueError("values has numbers that are missing or infinite: leave them out")
    names = distinct(y)
    code, (found, place) = encode(y, names).codes, np.unique(x, return_inverse=True)
    if len(found) < 2:
        raise ValueError(f"values has {len(found)} distinct values; a cut needs two")
    if (code < 0).any():
        raise ValueError("classes has missing values: leave those samples out")
    tables = np.zeros((len(found), len(names)))
    np.add.at(tables, (place, code), 1)
    return found, names, code, tables


def _cut(tables: np.ndarray) -> np.ndarray:
    """Return the count table of each cut, given that of each value, ascending: shape (cuts, 2, classes)."""
    left = tables.cumsum(0)[:-1]
    return np.stack([left, tables.sum(0) - left], axis=1)


def _samples(ax: Any, x: np.ndarray, code: np.ndarray, names: tuple) -> None:
    """Draw the samples below, a row for each class, equal ones one above the other."""
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.spines["bottom"].set_color(LIGHT["line"])
    for k in range(len(names)):
        own = np.sort(x[code == k])
        rank = np.arange(len(own)) - np.searchsorted(own, own)
        shape, shade = SHAPES[k % len(SHAPES)], LIGHT[class_color(k)]
        ax.plot(own, -k + DUPLICATE * rank, shape, color=shade, markersize=7)
    ax.set(ylim=(0.7 - len(names), 0.9))
    ax.set_yticks(-np.arange(len(names)), map(str, names))
    ax.tick_params(length=0, pad=6, labelsize=SMALL, labelcolor=LIGHT["ink"])
    for k, label in enumerate(ax.get_yticklabels()):
        label.set(color=LIGHT[class_color(k)], weight="bold")


def _said(feature: str, t: float, gain: float, boundary: bool, best: bool) -> str:
    """Say a cut."""
    bar = say("{condition}: {bits:.3f} bits", condition=f"{feature} ≤ {say_number(t)}", bits=gain)
    bar = say("{bar} (chosen)", bar=bar) if best else bar
    return say("{bar}, boundary", bar=bar) if boundary else bar


def _row(name: Any, x: np.ndarray) -> str:
    """Say the samples of a class."""
    return say("{label}: {points}.", label=name, points=say(", ").join(map(say_number, x)))


def plane(tree: Any, frame: pd.DataFrame, target: str, *, x: str, y: str) -> Picture:
    """Draw how a tree divides the plane of two numbers, with the samples in it.

    Each region is a leaf, tinted in the color of the class it predicts; at the axes are the thresholds, and
    the line of a weighted sum is drawn as it lies. Each sample is a dot in the color and shape of its own
    class, with its index in it.

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
        If the tree asks for another feature, a column is not in the frame or holds no numbers, or a sample
        lacks a value or has a class that is none of the tree's.
    """
    if x == y:
        raise ValueError(f"x and y are both {x!r}; give two features")
    if lacking := [name for name in (x, y, target) if name not in frame.columns]:
        raise ValueError(f"frame lacks the columns {lacking}; it has {list(frame.columns)}")
    asked = [node for node in tree if not node.is_leaf]
    numbers = {f.name for f in tree.features if f.kind == "numeric"} & {x, y}
    names = [name for node in asked for name in _asked(node)]
    if other := [name for name in names if name not in numbers]:
        raise ValueError(f"tree asks {other[0]!r}; a plane shows trees that ask the numbers {x} and {y} only")
    at = frame[[x, y]].to_numpy(float)
    if not np.isfinite(at).all():
        raise ValueError(f"{x} or {y} is missing or infinite in a row: leave such rows out")
    (code,) = _codes(frame, {target: tree.classes})
    cut = [node for node in asked if not node.is_linear]
    thresholds = {f: sorted({node.split.threshold for node in cut if node.feature == f}) for f in (x, y)}
    written = [say_number(t) for t in thresholds[y]]
    fig, ax = figure(height=400, left=max(44, 18 + max((text_width(t, SMALL) for t in written), default=0)))
    box = _limits(at)
    ax.set(xlim=box[:2], ylim=box[2:])
    ax.grid(False)
    ends, words = tree.apply(frame), []
    linear = len(cut) < len(asked)
    square = np.array([[box[a], box[b]] for a, b in ((0, 2), (1, 2), (1, 3), (0, 3))])
    found = regions(tree.root, (x, y), square) if linear else _regions(tree.root, x, box)
    for leaf, region in found:
        here = ends == leaf.id
        (draw_region if linear else _region)(ax, region, tree, leaf, at)
        labels = frame[target][here].items()
        samples = say(", ").join(f"{name} {label}" for name, label in labels) or say("no sample")
        cell = say(", ").join(leaf.path) or say("anything")
        words.append(
            say("{cell}: predicted {label}; {samples}.", cell=cell, label=leaf.prediction, samples=samples)
        )
    for name, place, k in zip(frame.index, at, code, strict=True):
        ax.plot(*place, SHAPES[k % len(SHAPES)], color=LIGHT[class_color(k)], markersize=17, clip_on=False)
        ax.text(*place, str(name), size=SMALL - 2, color=LIGHT["paper"], ha="center", va="center_baseline")
    for axis, name in ((ax.xaxis, x), (ax.yaxis, y)):
        if thresholds[name] or not linear:
            _ticks(axis, thresholds[name])
    ax.spines[:].set(visible=True, color=LIGHT["line"])
    ax.set_xlabel(x, size=SMALL, color=LIGHT["ink"])
    fig.text(8 / WIDTH, 0.965, y, size=SMALL, color=LIGHT["ink"], va="center")
    return _plain(fig, say("Partition by {x} and {y}", x=x, y=y), say(" ").join(words))


def _asked(node: Any) -> tuple[str, ...]:
    """Return the names of the features that a node asks."""
    return node.split.features if node.is_linear else (node.feature,)


def _limits(at: np.ndarray) -> Box:
    """Return the smallest and the largest x and y, with some room around."""
    low, high = at.min(0), at.max(0)
    room = np.where(high > low, 0.07 * (high - low), 1.0)
    (a, c), (b, d) = low - room, high + room
    return float(a), float(b), float(c), float(d)


def _regions(node: Any, x: str, box: Box) -> Iterator[tuple[Any, Box]]:
    """Yield each leaf with its part of the plane."""
    if node.is_leaf:
        yield node, box
        return
    left, right, bottom, top = box
    t, (below, above) = node.split.threshold, node.children
    if node.feature == x:
        yield from _regions(below, x, (left, min(t, right), bottom, top))
        yield from _regions(above, x, (max(t, left), right, bottom, top))
    else:
        yield from _regions(below, x, (left, right, bottom, min(t, top)))
        yield from _regions(above, x, (left, right, max(t, bottom), top))


def _region(ax: Any, box: Box, tree: Any, leaf: Any, at: np.ndarray) -> None:
    """Draw a region, and its class in the corner that is farthest from the samples."""
    left, right, bottom, top = box
    shade = LIGHT[class_color(tree.label[leaf.id])]
    corners = [left, right, right, left], [bottom, bottom, top, top]
    ax.fill(*corners, color=shade, alpha=0.14, linewidth=0)
    ax.plot([*corners[0], left], [*corners[1], bottom], color=LIGHT["ink"], linewidth=1.8)
    place = ax.transData.transform
    half = np.array([text_width(str(leaf.prediction), SMALL) / 2 + 6, SMALL / 2 + 6])
    low, high = place((left, bottom)) + half, place((right, top)) - half
    spots = np.array([[a, b] for b in (high[1], low[1]) for a in (low[0], high[0])])
    room = [np.hypot(*(place(at) - spot).T).min() for spot in spots]
    where = ax.transData.inverted().transform(spots[int(np.argmax(np.round(room, 6)))])
    ax.text(*where, str(leaf.prediction), size=SMALL, weight="bold", color=shade, ha="center", va="center")


def _ticks(axis: Any, thresholds: list[float]) -> None:
    """Write the thresholds at an axis, without those too close to the one before."""
    side = 0 if axis.axis_name == "x" else 1
    place = axis.axes.transData.transform
    shown: list[float] = []
    for t in thresholds:
        if not shown or place((t, t))[side] - place((shown[-1], shown[-1]))[side] >= CLOSE[axis.axis_name]:
            shown.append(t)
    axis.set_ticks(shown, [say_number(t) for t in shown])
