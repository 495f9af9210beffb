"""What trees predict on a plane, side by side, under many samples (chapter 11)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from dtlib.book.pictures.numeric import _asked, _limits
from dtlib.book.pictures.polygons import regions
from dtlib.draw.plots import SHAPES, _codes, _plain, figure
from dtlib.draw.svg import LIGHT, SMALL, Picture, class_color
from dtlib.messages import say

LEFT, RIGHT, BETWEEN, HEAD, FOOT = 34, 14, 24, 50, 34  # room around and between the panels, in px
ONE, MORE = 330, 174  # side of a panel: if it is alone, and if not
TINT = 0.3  # opacity of an area


def areas(trees: Mapping[str, Any], frame: pd.DataFrame, target: str, *, x: str, y: str) -> Picture:
    """Draw which class each tree predicts where, in a panel each, and the same samples in all.

    Unlike `plane`, it draws no border between leaves of one class and no thresholds, so that trees with many
    leaves can be compared.

    Parameters
    ----------
    trees : mapping of str to Tree
        Label of each tree; all have the same classes and ask for x and y only.
    frame : DataFrame
        The samples; they give the ends of the axes.
    target : str
        Column of the class.
    x, y : str
        Columns of the two features, all numbers.

    Returns
    -------
    Picture

    Raises
    ------
    ValueError
        If there is no tree, the trees differ in their classes or ask for another feature, a column is not in
        the frame, or a sample lacks a number or has a class that is none of the trees'.

    Examples
    --------
    >>> from dtlib import CARTClassifier, load_watermelon
    >>> melons = load_watermelon("3.0")
    >>> tree = CARTClassifier(max_depth=1).fit(melons.X[["density", "sugar"]], melons.y).tree_
    >>> areas({"stump": tree}, melons.frame, "good", x="density", y="sugar").description
    'Samples: no 9, yes 8. stump: leaves 2; of the plane no 0.4024, yes 0.5976.'
    """
    at, code, classes = _samples(trees, frame, target, (x, y))
    box = _limits(at)
    side = MORE if len(trees) > 1 else ONE
    width, height = LEFT + RIGHT + side + (side + BETWEEN) * (len(trees) - 1), HEAD + side + FOOT
    fig, first = figure(width, height)
    words = [_counted(say("Samples"), classes, np.bincount(code, minlength=len(classes)))]
    for place, (label, tree) in enumerate(trees.items()):
        ax = first if not place else fig.add_axes(first.get_position())
        start = LEFT + place * (side + BETWEEN)
        ax.set_position((start / width, FOOT / height, side / width, side / height))
        shares = _tinted(ax, tree, (x, y), box)
        for k in range(len(classes)):
            look = {"color": LIGHT[class_color(k)], "markersize": 4, "linestyle": "none", "clip_on": False}
            ax.plot(*at[code == k].T, SHAPES[k % len(SHAPES)], **look)
        _framed(ax, label, box, x, inner=place > 0)
        said = say(", ").join(f"{name} {share:.4g}" for name, share in zip(classes, shares, strict=True))
        plain = "{label}: leaves {n}; of the plane {shares}."
        words.append(say(plain, label=label, n=tree.n_leaves, shares=said))
    fig.text(8 / width, 1 - 12 / height, y, size=SMALL, color=LIGHT["ink"], va="center")
    return _plain(fig, say("Areas over {x} and {y}", x=x, y=y), say(" ").join(words))


def _samples(
    trees: Mapping[str, Any], frame: pd.DataFrame, target: str, names: tuple[str, str]
) -> tuple[np.ndarray, np.ndarray, tuple[Any, ...]]:
    """Return the places and classes of the samples, and all classes; or say what is wrong."""
    if not trees:
        raise ValueError("trees is empty; wanted a label and a tree for each panel")
    if lacking := [name for name in (*names, target) if name not in frame.columns]:
        raise ValueError(f"frame lacks the columns {lacking}; it has {list(frame.columns)}")
    classes = next(iter(trees.values())).classes
    for label, tree in trees.items():
        if tuple(tree.classes) != tuple(classes):
            raise ValueError(f"tree {label!r} has the classes {list(tree.classes)}, not {list(classes)}")
        asked = {name for node in tree if not node.is_leaf for name in _asked(node)}
        if other := sorted(asked - set(names)):
            raise ValueError(f"tree {label!r} asks {other}; areas show trees that ask {' and '.join(names)}")
    at = frame[list(names)].to_numpy(float)
    if names[0] == names[1] or not np.isfinite(at).all():
        raise ValueError(f"wanted two features, and samples without NaN and infinity, in {list(names)}")
    (code,) = _codes(frame, {target: classes})
    return at, code, tuple(classes)


def _tinted(ax: Any, tree: Any, names: tuple[str, str], box: tuple[float, float, float, float]) -> np.ndarray:
    """Fill the region of each leaf with the color of its class; return the share of each class."""
    left, right, bottom, top = box
    square = np.array([[left, bottom], [right, bottom], [right, top], [left, top]])
    shares = np.zeros(len(tree.classes))
    for leaf, corners in regions(tree.root, names, square):
        if not len(corners):
            continue
        label = int(tree.label[leaf.id])
        ax.fill(*corners.T, color=LIGHT[class_color(label)], alpha=TINT, linewidth=0)
        across, up = corners.T
        shares[label] += abs(across @ np.roll(up, 1) - up @ np.roll(across, 1)) / 2
    return shares / shares.sum()


def _framed(ax: Any, label: str, box: tuple[float, float, float, float], x: str, *, inner: bool) -> None:
    """Set the ends, the ticks and the heading of a panel."""
    ax.grid(False)
    ax.set(xlim=box[:2], ylim=box[2:])
    ax.spines[:].set(visible=True, color=LIGHT["line"])
    ax.tick_params(length=0, pad=5, labelsize=SMALL, labelcolor=LIGHT["ink"], labelleft=not inner)
    ax.locator_params(nbins=4)
    ax.set_title(label, pad=8, size=SMALL, weight="bold", color=LIGHT["ink"])
    ax.set_xlabel(x, size=SMALL, color=LIGHT["ink"], labelpad=1)


def _counted(label: str, classes: tuple[Any, ...], counts: np.ndarray) -> str:
    """Say how many samples each class has."""
    numbers = say(", ").join(f"{name} {n}" for name, n in zip(classes, counts, strict=True))
    return say("{label}: {points}.", label=label, points=numbers)
