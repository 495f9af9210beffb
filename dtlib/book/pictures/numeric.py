"""Numbers: what each cut of a feature gains, and how a tree divides a plane (chapter 6)."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dtlib.book.pictures.planes import (
    asked_by,
    boxes,
    draw_region,
    limits,
    name_leaf,
    rectangle,
    regions,
    show_between,
)
from dtlib.draw.axes import (
    INK,
    SHAPES,
    TICKS,
    Axes,
    codes_of,
    draw_samples,
    figure,
    give_frame,
    need_two_features,
    places_on_plane,
    said_picture,
    said_region,
    shade_of,
)
from dtlib.draw.svg import (
    LIGHT,
    PICTURE_WIDTH,
    SMALL_SIZE,
    Picture,
    class_color,
    commas,
    statement,
    widest,
)
from dtlib.measures import information_gain
from dtlib.messages import say
from dtlib.search.level import TIE
from dtlib.table.columns import distinct, encode
from dtlib.tree.node import Node
from dtlib.tree.splits import say_number
from dtlib.tree.tree import Tree

CLASS_LANE, DUPLICATE = 26, 0.32  # px for the samples of a class; how far apart equal ones are, in lanes
CLOSE = (40, 16)  # px along x and y between two thresholds that are both written at the axis


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
    found, codes, names, tables = _count_values(values, classes)
    x = np.asarray(values, float)
    t = found[:-1] + (found[1:] - found[:-1]) / 2
    below = tables.cumsum(0)[:-1]
    gain = np.asarray(information_gain(np.stack([below, tables.sum(0) - below], axis=1)))
    boundary = (tables[:-1] + tables[1:] > 0).sum(1) > 1
    best = int(np.flatnonzero(gain >= gain.max() - TIE)[0])
    strip = CLASS_LANE * len(names) + 12
    edge, gain_label = max(44, 18 + widest(map(str, names))), say("information gain (bits)")
    fig, ax = figure(height=290 + strip, left=edge, y_label=gain_label)
    left, low, width, height = ax.get_position().bounds
    share = strip / (290 + strip)
    ax.set_position((left, low + share, width, height - share))
    _draw_gains(ax, found, t, gain, boundary, best)
    lanes = fig.add_axes((left, low, width, share), sharex=ax)
    _draw_lanes(lanes, x, codes, names)
    lanes.set_xlabel(feature, **INK)
    key = say("● boundary  ○ within a run")
    fig.text(1 - 18 / PICTURE_WIDTH, 0.965, key, va="center", ha="right", **INK | {"color": LIGHT["accent"]})
    cut = [
        _said_cut(f"{feature} ≤ {say_number(t[i])}", gain[i], i == best, boundary[i]) for i in range(len(t))
    ]
    words = [say("{list}.", list=say("; ").join(cut))]
    words += [statement(name, map(say_number, np.sort(x[codes == k]))) for k, name in enumerate(names)]
    return said_picture(fig, say("Gain of each cut of {feature}", feature=feature), words)


def _count_values(
    values: ArrayLike, classes: ArrayLike
) -> tuple[np.ndarray, np.ndarray, tuple[object, ...], np.ndarray]:
    """Return the distinct values, the codes of the classes, the classes, and a table: value by class."""
    x, y = np.asarray(values, float), pd.Series(np.asarray(classes))
    if x.ndim != 1 or len(x) != len(y):
        raise ValueError(f"values has the shape {x.shape}, classes {y.shape}; wanted one class per value")
    if not np.isfinite(x).all():
        raise ValueError("values has numbers that are missing or infinite: leave them out")
    names, (found, place) = distinct(y), np.unique(x, return_inverse=True)
    codes = encode(y, names).codes
    if len(found) < 2:
        raise ValueError(f"values has {len(found)} distinct values; a cut needs two")
    if (codes < 0).any():
        raise ValueError("classes has missing values: leave those samples out")
    tables = np.zeros((len(found), len(names)))
    np.add.at(tables, (place, codes), 1)
    return found, codes, names, tables


def _draw_gains(
    ax: Axes, x: np.ndarray, t: np.ndarray, gain: np.ndarray, boundary: np.ndarray, best: int
) -> None:
    """Draw the gain of each cut, and write that of the best one above it."""
    ax.vlines(t, 0, gain, color=LIGHT["line"], linewidth=1.5)
    for here, fill in ((boundary, "accent"), (~boundary, "paper")):
        rim = {"markeredgecolor": LIGHT["accent"], "markeredgewidth": 1.5}
        ax.plot(t[here], gain[here], "o", markersize=8, clip_on=False, markerfacecolor=LIGHT[fill], **rim)
    span = x[-1] - x[0]
    ax.set(xlim=(x[0] - 0.04 * span, x[-1] + 0.04 * span), ylim=(0, 1.18 * max(gain.max(), 1e-3)))
    ax.tick_params(labelbottom=False)
    words = f"{say_number(t[best])}: {say('{bits:.3f} bits', bits=gain[best])}"
    middle = x[0] + span * np.clip((t[best] - x[0]) / span, 0.2, 0.8)
    ax.text(middle, 1.09 * gain[best], words, size=SMALL_SIZE, weight="bold", ha="center", va="center")


def _draw_lanes(ax: Axes, x: np.ndarray, codes: np.ndarray, names: tuple[object, ...]) -> None:
    """Draw the samples below, a row for each class, equal ones one above the other."""
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.spines["bottom"].set_color(LIGHT["line"])
    ax.tick_params(**TICKS)
    ax.set_yticks(-np.arange(len(names)), [str(name) for name in names])
    for k, label in enumerate(ax.get_yticklabels()):
        own, shade = np.sort(x[codes == k]), LIGHT[class_color(k)]
        rank = np.arange(len(own)) - np.searchsorted(own, own)
        ax.plot(own, -k + DUPLICATE * rank, SHAPES[k % len(SHAPES)], color=shade, markersize=7)
        label.set(color=shade, weight="bold")
    ax.set(ylim=(0.7 - len(names), 0.9))


def _said_cut(condition: str, gain: float, best: bool, boundary: bool) -> str:
    """Say a cut."""
    bar = say("{condition}: {bits:.3f} bits", condition=condition, bits=gain)
    bar = say("{bar} (chosen)", bar=bar) if best else bar
    return say("{bar}, boundary", bar=bar) if boundary else bar


def plane(tree: Tree, frame: pd.DataFrame, target: str, *, x: str, y: str) -> Picture:
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
    need_two_features(frame, x, y, target)
    inner = [node for node in tree if not node.is_leaf]
    numbers = {f.name for f in tree.features if f.kind == "numeric"} & {x, y}
    if other := [name for node in inner for name in asked_by(node) if name not in numbers]:
        raise ValueError(f"tree asks {other[0]!r}; a plane shows trees that ask the numbers {x} and {y} only")
    at, codes = places_on_plane(frame, x, y), codes_of(frame[target], tree.classes)
    cuts_of = {name: sorted(_thresholds(inner, name)) for name in (x, y)}
    edge = max(44, 18 + widest(map(say_number, cuts_of[y]), SMALL_SIZE))
    fig, ax = figure(height=400, left=edge, x_label=x, y_label=y)
    low, high = limits(at)
    show_between(ax, low, high)
    linear = any(node.is_linear for node in inner)
    if linear:
        found = list(regions(tree.root, (x, y), rectangle(low, high)))
    else:
        found = [(leaf, rectangle(*ends)) for leaf, *ends in boxes(tree.root, (x, y), low, high)]
    where, words = tree.apply(frame), []
    for leaf, corners in found:
        if len(corners):
            draw_region(ax, corners, shade_of(leaf))
            name_leaf(ax, leaf, corners, at, in_corner=not linear)
        words.append(said_region(commas(leaf.path) or say("anything"), leaf, frame[target][where == leaf.id]))
    draw_samples(ax, frame.index, at, codes)
    for side, thresholds in enumerate(cuts_of.values()):
        if thresholds or not linear:
            _write_thresholds(ax, side, thresholds)
    give_frame(ax)
    return said_picture(fig, say("Partition by {x} and {y}", x=x, y=y), words)


def _thresholds(inner: list[Node], name: str) -> set[float]:
    """Return the thresholds of a feature, where it is asked alone."""
    return {float(n.tree.threshold[n.id]) for n in inner if n.feature == name and not n.is_linear}


def _write_thresholds(ax: Axes, side: int, thresholds: list[float]) -> None:
    """Write the thresholds at the x axis, 0, or the y axis, 1, without those too close to the one before."""
    place = ax.transData.transform
    shown: list[float] = []
    for t in thresholds:
        if not shown or place((t, t))[side] - place((shown[-1], shown[-1]))[side] >= CLOSE[side]:
            shown.append(t)
    (ax.xaxis, ax.yaxis)[side].set_ticks(shown, [say_number(t) for t in shown])
