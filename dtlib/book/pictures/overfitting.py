"""What trees predict on a plane, side by side, under many samples (chapter 11)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from dtlib.book.pictures.planes import asked_by, limits, rectangle, regions, show_between
from dtlib.draw.axes import (
    INK,
    TICKS,
    Axes,
    codes_of,
    draw_dots,
    figure,
    give_frame,
    need_columns,
    said_picture,
    shade_of,
)
from dtlib.draw.svg import Picture, commas, statement
from dtlib.messages import say
from dtlib.tree.tree import Tree

LEFT_ROOM, RIGHT_ROOM, HEAD_ROOM, FOOT_ROOM, BETWEEN_AREAS = (
    34,
    14,
    50,
    34,
    24,
)  # px around and between panels
SIDE_OF_ONE, SIDE_OF_MORE = 330, 174  # px of a panel: if it is alone, and if not


def areas(trees: Mapping[str, Tree], frame: pd.DataFrame, target: str, *, x: str, y: str) -> Picture:
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
    classes = _need_trees(trees, frame, target, (x, y))
    at = frame[[x, y]].to_numpy(float)
    if x == y or not np.isfinite(at).all():
        raise ValueError(f"wanted two features, and samples without NaN and infinity, in {[x, y]}")
    codes = codes_of(frame[target], classes)
    ends = limits(at)
    side = SIDE_OF_MORE if len(trees) > 1 else SIDE_OF_ONE
    width = LEFT_ROOM + RIGHT_ROOM + side + (side + BETWEEN_AREAS) * (len(trees) - 1)
    height = HEAD_ROOM + side + FOOT_ROOM
    fig, first = figure(width, height, y_label=y, y_at=1 - 12 / height)
    words = [statement(say("Samples"), _by_class(classes, np.bincount(codes, minlength=len(classes))))]
    for place, (label, tree) in enumerate(trees.items()):
        ax = fig.add_axes(first.get_position()) if place else first
        start = LEFT_ROOM + place * (side + BETWEEN_AREAS)
        ax.set_position((start / width, FOOT_ROOM / height, side / width, side / height))
        shares = _draw_areas(ax, tree, (x, y), rectangle(*ends))
        draw_dots(ax, at, codes, len(classes), markersize=4, clip_on=False)
        show_between(ax, *ends)
        _name_panel(ax, label, x, inner=place > 0)
        said = commas(_by_class(classes, shares, ".4g"))
        words.append(
            say("{label}: leaves {n}; of the plane {shares}.", label=label, n=tree.n_leaves, shares=said)
        )
    return said_picture(fig, say("Areas over {x} and {y}", x=x, y=y), words)


def _need_trees(
    trees: Mapping[str, Tree], frame: pd.DataFrame, target: str, names: tuple[str, str]
) -> tuple[Any, ...]:
    """Return the classes of all trees, or say what is wrong with these."""
    if not trees:
        raise ValueError("trees is empty; wanted a label and a tree for each panel")
    need_columns(frame, (*names, target))
    classes = next(iter(trees.values())).classes
    for label, tree in trees.items():
        if tree.classes != classes:
            raise ValueError(f"tree {label!r} has the classes {list(tree.classes)}, not {list(classes)}")
        asked = {name for node in tree if not node.is_leaf for name in asked_by(node)}
        if other := sorted(asked - set(names)):
            raise ValueError(f"tree {label!r} asks {other}; areas show trees that ask {' and '.join(names)}")
    return classes


def _draw_areas(ax: Axes, tree: Tree, names: tuple[str, str], plane: np.ndarray) -> np.ndarray:
    """Fill the region of each leaf with the color of its class; return the share of each class."""
    shares = np.zeros(len(tree.classes))
    for leaf, corners in regions(tree.root, names, plane):
        if len(corners):
            ax.fill(*corners.T, color=shade_of(leaf), alpha=0.3, linewidth=0)
            across, up = corners.T
            shares[tree.label[leaf.id]] += abs(across @ np.roll(up, 1) - up @ np.roll(across, 1)) / 2
    return shares / shares.sum()


def _name_panel(ax: Axes, label: str, x: str, *, inner: bool) -> None:
    """Set the ticks and the headings of a panel."""
    give_frame(ax)
    ax.tick_params(**TICKS | {"pad": 5, "labelleft": not inner})
    ax.locator_params(nbins=4)
    ax.set_title(label, pad=8, weight="bold", **INK)
    ax.set_xlabel(x, labelpad=1, **INK)


def _by_class(classes: tuple[Any, ...], amounts: np.ndarray, digits: str = "") -> list[str]:
    """Say how much each class has."""
    return [f"{name} {amount:{digits}}" for name, amount in zip(classes, amounts, strict=True)]
