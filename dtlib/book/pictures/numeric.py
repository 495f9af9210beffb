"""Numbers: what each cut gains, how a tree divides a plane, straight borders on it (chapters 6 and 22)."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dtlib.book.pictures.planes import (
    asked_features,
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
    STYLES,
    TICKS,
    Axes,
    codes_of,
    draw_samples,
    figure,
    give_frame,
    in_px,
    need_columns,
    need_two_features,
    places_on_plane,
    said_picture,
    said_region,
    said_samples,
    shade_of,
    write_clear,
)
from dtlib.draw.svg import LIGHT, PICTURE_WIDTH, SMALL_SIZE, Picture, class_color, commas, statement, widest
from dtlib.measures import information_gain
from dtlib.messages import say
from dtlib.numbers import floats, format_number, say_apart
from dtlib.search.level import TIE
from dtlib.table.columns import distinct, encode
from dtlib.table.parameters import checked_sequence
from dtlib.table.reading import as_column, read_array
from dtlib.tree.splits import Threshold
from dtlib.tree.tree import Fitted, Tree, tree_of

CLASS_LANE, DUPLICATE = 26, 0.32  # px for the samples of a class; how far apart equal ones are, in lanes
FULL_LANE = 0.65  # how high equal samples may be piled, in lanes
CLOSE = (40, 16)  # px along x and y between two thresholds that are both written at the axis
Test = tuple[float, float, float]  # a, b, c of: is a x + b y at most c?


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
    x = floats("values", values, "finite numbers")
    given = read_array("classes", checked_sequence("classes", classes), "a class for each value")
    found, codes, names, tables = _count_values(x, given)
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
    cut = [format_number(*place) for place in np.stack([t, found[:-1], found[1:]], axis=1).tolist()]
    _draw_gains(ax, found, t, gain, boundary, best, cut[best])
    lanes = fig.add_axes((left, low, width, share), sharex=ax)
    _draw_lanes(lanes, x, codes, names)
    lanes.set_xlabel(feature, **INK)
    key: dict[str, Any] = INK | {"color": LIGHT["accent"], "ha": "right", "va": "center"}
    fig.text(1 - 18 / PICTURE_WIDTH, 0.965, say("● boundary  ○ within a run"), **key)
    said = [_said_cut(feature, cut[i], gain[i], i == best, boundary[i]) for i in range(len(t))]
    words, order = [say("{list}.", list=say("; ").join(said))], x.argsort(kind="stable")
    value = np.array(say_apart(x[order].tolist()))
    words += [statement(name, value[codes[order] == k]) for k, name in enumerate(names)]
    return said_picture(fig, say("Gain of each cut of {feature}", feature=feature), words)


def _count_values(
    values: ArrayLike, classes: ArrayLike
) -> tuple[np.ndarray, np.ndarray, tuple[object, ...], np.ndarray]:
    """Return the distinct values, the codes of the classes, the classes, and a table: value by class."""
    x = floats("values", values, "finite numbers")
    if x.ndim != 1 or x.shape != np.shape(classes):
        raise ValueError(
            f"values has the shape {x.shape}, classes {np.shape(classes)}; wanted one class per value"
        )
    y = as_column(np.asarray(classes)).rename("classes")
    if not np.isfinite(x).all():
        raise ValueError("values has numbers that are missing or infinite: leave them out")
    names, (found, place) = distinct(y), np.unique(x, return_inverse=True)
    codes = encode(y, names).codes
    if len(found) < 2:
        raise ValueError(f"values has {len(found)} distinct values; a cut needs two")
    if (codes < 0).any():
        raise ValueError("classes has missing values: leave those samples out")
    counts = [np.bincount(place[codes == k], minlength=len(found)) for k in range(len(names))]
    return found, codes, names, np.stack(counts, axis=1)


def _draw_gains(
    ax: Axes, x: np.ndarray, t: np.ndarray, gain: np.ndarray, boundary: np.ndarray, best: int, cut: str
) -> None:
    """Draw the gain of each cut, and write that of the best one above it."""
    ax.vlines(t, 0, gain, color=LIGHT["line"], linewidth=1.5)
    for here, fill in ((boundary, "accent"), (~boundary, "paper")):
        rim: dict[str, Any] = {"markeredgecolor": LIGHT["accent"], "markeredgewidth": 1.5}
        ax.plot(t[here], gain[here], "o", markersize=8, clip_on=False, markerfacecolor=LIGHT[fill], **rim)
    span = x[-1] - x[0]
    ax.set(xlim=(x[0] - 0.04 * span, x[-1] + 0.04 * span), ylim=(0, 1.18 * max(gain.max(), 1e-3)))
    ax.tick_params(labelbottom=False)
    words = f"{cut}: {say('{bits:.3f} bits', bits=gain[best])}"
    middle = x[0] + span * np.clip((t[best] - x[0]) / span, 0.2, 0.8)
    ax.text(middle, 1.09 * gain[best], words, size=SMALL_SIZE, weight="bold", ha="center", va="center")


def _draw_lanes(ax: Axes, x: np.ndarray, codes: np.ndarray, names: tuple[object, ...]) -> None:
    """Draw the samples below, a row for each class, equal ones one above the other."""
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.spines["bottom"].set_color(LIGHT["line"])
    ax.tick_params(**TICKS)
    ax.set_yticks(-np.arange(len(names)), [str(name) for name in names])
    lanes = [np.sort(x[codes == k]) for k in range(len(names))]
    ranks = [np.arange(len(own)) - np.searchsorted(own, own) for own in lanes]
    step = min(DUPLICATE, FULL_LANE / max(1, *(rank.max(initial=0) for rank in ranks)))
    for k, (label, own, rank) in enumerate(zip(ax.get_yticklabels(), lanes, ranks, strict=True)):
        shade = LIGHT[class_color(k)]
        ax.plot(own, -k + step * rank, SHAPES[k % len(SHAPES)], color=shade, markersize=7)
        label.set(color=shade, weight="bold")
    ax.set(ylim=(0.7 - len(names), 0.9))


def _said_cut(feature: str, cut: str, gain: float, best: bool, boundary: bool) -> str:
    """Say a cut."""
    bar = say("{condition}: {bits:.3f} bits", condition=f"{feature} ≤ {cut}", bits=gain)
    bar = say("{bar} (chosen)", bar=bar) if best else bar
    return say("{bar}, boundary", bar=bar) if boundary else bar


def plane(tree: Tree | Fitted, frame: pd.DataFrame, target: str, *, x: str, y: str) -> Picture:
    """Draw how a tree divides the plane of two numbers, with the samples in it.

    Each region is a leaf, tinted in the color of the class it predicts; at the axes are the thresholds, and
    the line of a weighted sum is drawn as it lies. Each sample is a dot in the color and shape of its own
    class, with its index in it; if two would hide each other's, all dots are small and without.

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
        If the tree asks for another feature, a column is not in the frame or holds no numbers, or a sample
        lacks a value or has a class that is none of the tree's.

    Examples
    --------
    >>> from dtlib import CARTClassifier
    >>> from dtlib.datasets import load_watermelon
    >>> melons = load_watermelon("3.0")
    >>> tree = CARTClassifier(max_depth=2).fit(melons.X[["density", "sugar"]], melons.y).tree_
    >>> plane(tree, melons.frame, "good", x="density", y="sugar").title
    'Partition by density and sugar'
    """
    tree = tree_of(tree)
    need_two_features(frame, x, y, target)
    numbers = {f.name for f in tree.features if f.kind == "numeric"} & {x, y}
    if other := [name for name in asked_features(tree) if name not in numbers]:
        raise ValueError(f"tree asks {other[0]!r}; a plane shows trees that ask the numbers {x} and {y} only")
    at, codes = places_on_plane(frame, x, y), codes_of(frame[target], tree.classes)
    asked = [split for node in tree if isinstance(split := node.split, Threshold)]
    across, up = ({s.threshold: s.said[1] for s in asked if s.feature == axis} for axis in (x, y))
    edge = max(44, 18 + widest(up.values(), SMALL_SIZE))
    fig, ax = figure(height=400, left=edge, x_label=x, y_label=y)
    low, high = limits(at)
    show_between(ax, low, high)
    linear, found = tree.is_linear.any(), regions(tree.root, (x, y), rectangle(low, high))
    if not linear:
        found = ((leaf, rectangle(*ends)) for leaf, *ends in boxes(tree.root, (x, y), low, high))
    where, words = tree.apply(frame), []
    for leaf, corners in found:
        if len(corners):
            draw_region(ax, corners, shade_of(leaf))
            name_leaf(ax, leaf, corners, at, in_corner=not linear)
        words.append(said_region(commas(leaf.path) or say("anything"), leaf, frame[target][where == leaf.id]))
    draw_samples(ax, frame.index, at, codes)
    for side, thresholds in enumerate((across, up)):
        if thresholds or not linear:
            _write_thresholds(ax, side, thresholds)
    give_frame(ax)
    return said_picture(fig, say("Partition by {x} and {y}", x=x, y=y), words)


def _write_thresholds(ax: Axes, side: int, thresholds: Mapping[float, str]) -> None:
    """Write the thresholds at the x axis, 0, or the y axis, 1, without those too close to the one before."""
    place = ax.transData.transform
    shown: list[float] = []
    for t in sorted(thresholds):
        if not shown or place((t, t))[side] - place((shown[-1], shown[-1]))[side] >= CLOSE[side]:
            shown.append(t)
    (ax.xaxis, ax.yaxis)[side].set_ticks(shown, [thresholds[t] for t in shown])


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
    """Say a test and which samples lie on its sides, with all digits if ten send some to another one."""
    given, over = [*map(float, test)], _above(test, frame, names)
    a, b, c = (format_number(w) for w in given)
    if (_above((float(a), float(b), float(c)), frame, names) != over).any():
        a, b, c = (format_number(w, w, w) for w in given)
    asked = [(w, name) for w, name in zip((a, b), names, strict=True) if float(w)]
    total = " + ".join(name if w == "1" else f"{w} {name}" for w, name in asked)
    below, above = (said_samples(frame[target][side]) for side in (~over, over))
    return say(
        "{label}: {sum} at most {limit}: {below}; more: {above}.",
        label=label, sum=total, limit=c, below=below, above=above,
    )  # fmt: skip


def _above(test: Test, frame: pd.DataFrame, names: tuple[str, str]) -> pd.Series:
    """Tell which samples are on the side of more."""
    a, b, c = test
    return a * frame[names[0]] + b * frame[names[1]] > c
