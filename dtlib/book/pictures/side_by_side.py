"""What trees and forests answer on a plane, side by side (chapters 12 and 16)."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from dtlib.book.pictures.planes import asked_features, limits, rectangle, regions, show_between
from dtlib.draw.axes import (
    INK,
    TICKS,
    Axes,
    codes_of,
    draw_dots,
    figure,
    give_frame,
    need_columns,
    places_on_plane,
    said_picture,
    shade_of,
)
from dtlib.draw.svg import LIGHT, PICTURE_WIDTH, Picture, class_color, commas, statement
from dtlib.messages import say
from dtlib.table.columns import distinct
from dtlib.tree.tree import Fitted, Tree, tree_of

# px around and between panels
LEFT_ROOM, RIGHT_ROOM, HEAD_ROOM, FOOT_ROOM, BETWEEN_AREAS = 34, 14, 50, 34, 24
SIDE_OF_ONE, SIDE_OF_MORE = 330, 174  # px of a panel: if it is alone, and if not
ACROSS, VOTES_SIDE, VOTES_GAP = 2, 14, 18  # panels in a row; px beside all of them, between two
VOTES_PANEL, VOTES_HEAD, VOTES_FOOT = 150, 30, 30  # heights in px: of a panel, above it, and below all
LEVELS = np.array([-0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 1.01])  # of the share of the votes
STRENGTH = (0.42, 0.26, 0.1)  # opacity of the tint: all agree, most agree, a narrow majority
FINE = 80  # points of the lattice in each direction


def areas(trees: Mapping[str, Tree | Fitted], frame: pd.DataFrame, target: str, *, x: str, y: str) -> Picture:
    """Draw which class each tree predicts where, in a panel each, and the same samples in all.

    Unlike `plane`, it draws no border between leaves of one class and no thresholds, so that trees with many
    leaves can be compared.

    Parameters
    ----------
    trees : mapping of str to Tree or fitted estimator
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
    >>> from dtlib import CARTClassifier
    >>> from dtlib.datasets import load_watermelon
    >>> melons = load_watermelon("3.0")
    >>> tree = CARTClassifier(max_depth=1).fit(melons.X[["density", "sugar"]], melons.y).tree_
    >>> areas({"stump": tree}, melons.frame, "good", x="density", y="sugar").description
    'Samples: no 9, yes 8. stump: leaves 2; of the plane no 0.4024, yes 0.5976.'
    """
    grown = {label: tree_of(tree) for label, tree in trees.items()}
    classes = _need_trees(grown, frame, target, (x, y))
    at = frame[[x, y]].to_numpy(float)
    if x == y or not np.isfinite(at).all():
        raise ValueError(f"wanted two features, and samples without NaN and infinity, in {[x, y]}")
    codes = codes_of(frame[target], classes)
    ends = limits(at)
    side = SIDE_OF_MORE if len(grown) > 1 else SIDE_OF_ONE
    width = LEFT_ROOM + RIGHT_ROOM + side + (side + BETWEEN_AREAS) * (len(grown) - 1)
    height = HEAD_ROOM + side + FOOT_ROOM
    fig, first = figure(width, height, y_label=y, y_at=1 - 12 / height)
    words = [statement(say("Samples"), _by_class(classes, np.bincount(codes, minlength=len(classes))))]
    for place, (label, tree) in enumerate(grown.items()):
        ax = fig.add_axes((0, 0, 1, 1)) if place else first
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
        if other := sorted({*asked_features(tree)} - {*names}):
            raise ValueError(f"tree {label!r} asks {other}; areas show trees that ask {' and '.join(names)}")
    return classes


def _draw_areas(ax: Axes, tree: Tree, names: tuple[str, str], plane: np.ndarray) -> np.ndarray:
    """Fill the region of each leaf with the color of its class; return the share of each class."""
    shares = np.zeros(len(tree.classes))
    for leaf, corners in regions(tree.root, names, plane):
        if len(corners):
            ax.fill(*corners.T, color=shade_of(leaf), alpha=0.3, linewidth=0)
            across, up = corners.T
            twice = across @ np.roll(up, 1) - up @ np.roll(across, 1)  # its area
            shares[tree.label[leaf.id]] += abs(twice)
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


def votes(
    models: Mapping[str, Any], frame: pd.DataFrame, target: str, *, x: str, y: str, title: str = ""
) -> Picture:
    """Draw what fitted models answer on the plane of two numbers, a panel for each.

    The tint has the color of the class with more votes, and is the stronger the more they agree; a line parts
    the two answers. Each sample is a dot in the color and shape of its own class.

    Parameters
    ----------
    models : mapping of str to estimator
        Label and model of each panel; fitted to x and y, in this order, for two classes.
    frame : DataFrame
        The samples.
    target : str
        Column of the class.
    x, y : str
        Columns of the two features.
    title : str
        What the picture is; by default the two features.

    Returns
    -------
    Picture

    Raises
    ------
    ValueError
        If there is no model, a model has not two classes, a column is not in the frame or holds no finite
        numbers, or a sample has a class that is none of the models'.

    Examples
    --------
    >>> from dtlib import CARTClassifier
    >>> from dtlib.datasets import load_watermelon
    >>> melons = load_watermelon("3.0")
    >>> tree = CARTClassifier(max_depth=1).fit(melons.X[["density", "sugar"]], melons.y)
    >>> votes({"one question": tree}, melons.frame, "good", x="density", y="sugar")
    Picture: Answers by density and sugar. one question: yes on 60 % of the plane, 14 of 17 samples right.
    """
    classes = _need_models(models, frame, target, x, y)
    at, codes = places_on_plane(frame, x, y), codes_of(frame[target], classes)
    height = 18 + math.ceil(len(models) / ACROSS) * (VOTES_PANEL + VOTES_HEAD) + VOTES_FOOT
    fig, first = figure(height=height)
    low, high = limits(at)
    words = []
    for place, (label, model) in enumerate(models.items()):
        ax = fig.add_axes((0, 0, 1, 1)) if place else first
        _place_panel(ax, place, height)
        share = _tint_plane(ax, model, (x, y), low, high)
        draw_dots(ax, at, codes, 2, markersize=6)
        show_between(ax, low, high, xticks=[], yticks=[])
        ax.set_title(label, loc="left", pad=6, weight="bold", **INK)
        right = int((model.predict(_given(model, at, (x, y))) == np.asarray(classes)[codes]).sum())
        words.append(
            say("{label}: {answer} on {share:.0f} % of the plane, {right} of {n} samples right.",
                label=label, answer=classes[1], share=100 * share, right=right, n=len(at))
        )  # fmt: skip
    fig.text(0.5, 12 / height, f"{x} →", va="center", ha="center", **INK)
    fig.text(8 / PICTURE_WIDTH, 1 - 12 / height, f"{y} ↑", va="center", **INK)
    return said_picture(fig, title or say("Answers by {x} and {y}", x=x, y=y), words)


def _need_models(
    models: Mapping[str, Any], frame: pd.DataFrame, target: str, x: str, y: str
) -> tuple[Any, ...]:
    """Return the two classes of all models, or say what is wrong."""
    if not models:
        raise ValueError("models is empty; wanted a label and a fitted model for each panel")
    need_columns(frame, (x, y, target))
    classes = distinct(pd.Series(next(iter(models.values())).classes_))
    for label, model in models.items():
        if len(classes) != 2 or list(model.classes_) != list(classes):
            raise ValueError(f"{label!r} has the classes {list(model.classes_)}; wanted the same two for all")
    return classes


def _place_panel(ax: Axes, place: int, height: float) -> None:
    """Put a panel into its row and column."""
    row, column = divmod(place, ACROSS)
    width = (PICTURE_WIDTH - 2 * VOTES_SIDE - VOTES_GAP * (ACROSS - 1)) / ACROSS
    left = VOTES_SIDE + column * (width + VOTES_GAP)
    bottom = height - 18 - (row + 1) * (VOTES_PANEL + VOTES_HEAD)
    ax.set_position((left / PICTURE_WIDTH, bottom / height, width / PICTURE_WIDTH, VOTES_PANEL / height))
    give_frame(ax)


def _given(model: Any, at: np.ndarray, names: tuple[str, str]) -> np.ndarray | pd.DataFrame:
    """Return points as a model wants them: named if it was fitted to names."""
    return pd.DataFrame(at, columns=list(names)) if hasattr(model, "feature_names_in_") else at


def _tint_plane(ax: Axes, model: Any, names: tuple[str, str], low: np.ndarray, high: np.ndarray) -> float:
    """Tint the plane by the votes; return the share of it that is answered with the second class."""
    from matplotlib.colors import to_rgba

    across, up = np.linspace(low, high, FINE).T
    lattice = np.stack(np.meshgrid(across, up), axis=-1).reshape(-1, 2)
    share = model.predict_proba(_given(model, lattice, names))[:, 1]
    shades = [to_rgba(LIGHT[class_color(0)], s) for s in STRENGTH]
    shades += [to_rgba(LIGHT[class_color(1)], s) for s in STRENGTH[::-1]]
    ax.contourf(across, up, share.reshape(FINE, FINE), LEVELS, colors=shades, antialiased=True)
    if share.min() <= 0.5 < share.max():
        ax.contour(across, up, share.reshape(FINE, FINE), [0.5], colors=[LIGHT["ink"]], linewidths=1.8)
    return float((share > 0.5).mean())
