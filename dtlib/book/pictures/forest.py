"""Votes: what trees and forests answer on the plane of two numbers, side by side (chapter 16)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from dtlib.book.pictures.numeric import _limits
from dtlib.draw.plots import SHAPES, _codes, _plain, figure
from dtlib.draw.svg import LIGHT, SMALL, WIDTH, Picture, class_color
from dtlib.messages import say
from dtlib.table.columns import distinct

ACROSS, PANEL, HEADING, FOOT, LEFT, GAP = 2, 150, 30, 30, 14, 18  # panels in a row; lengths in px
LEVELS = np.array([-0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 1.01])  # of the share of the votes
STRENGTH = (0.42, 0.26, 0.1)  # opacity of the tint: all agree, most agree, a narrow majority
FINE = 80  # points of the lattice in each direction


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
    >>> from dtlib import CARTClassifier, load_watermelon
    >>> melons = load_watermelon("3.0")
    >>> tree = CARTClassifier(max_depth=1).fit(melons.X[["density", "sugar"]], melons.y)
    >>> votes({"one question": tree}, melons.frame, "good", x="density", y="sugar")
    Picture: Answers by density and sugar. one question: yes on 60 % of the plane, 14 of 17 samples right.
    """
    at, code, classes = _read(models, frame, target, x, y)
    rows = -(-len(models) // ACROSS)
    height = 18 + rows * (PANEL + HEADING) + FOOT
    fig, first = figure(height=height)
    box = _limits(at)
    words = []
    for place, (label, model) in enumerate(models.items()):
        ax = first if place == 0 else fig.add_axes((0, 0, 1, 1))
        _place(ax, place, height)
        share = _panel(ax, model, (x, y), box)
        for k in range(2):
            look = {"color": LIGHT[class_color(k)], "markersize": 6, "linestyle": "none"}
            ax.plot(*at[code == k].T, SHAPES[k], **look)
        ax.set(xlim=box[:2], ylim=box[2:], xticks=[], yticks=[])
        ax.set_title(label, loc="left", pad=6, size=SMALL, weight="bold", color=LIGHT["ink"])
        right = int((model.predict(_given(model, at, (x, y))) == classes[code]).sum())
        words.append(
            say("{label}: {answer} on {share:.0f} % of the plane, {right} of {n} samples right.",
                label=label, answer=classes[1], share=100 * share, right=right, n=len(at))
        )  # fmt: skip
    fig.text(0.5, 12 / height, f"{x} →", size=SMALL, color=LIGHT["ink"], va="center", ha="center")
    fig.text(8 / WIDTH, 1 - 12 / height, f"{y} ↑", size=SMALL, color=LIGHT["ink"], va="center")
    return _plain(fig, title or say("Answers by {x} and {y}", x=x, y=y), say(" ").join(words))


def _read(
    models: Mapping[str, Any], frame: pd.DataFrame, target: str, x: str, y: str
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the places of the samples, the codes of their classes, and the classes; or say what is wrong."""
    if not models:
        raise ValueError("models is empty; wanted a label and a fitted model for each panel")
    if lacking := [name for name in (x, y, target) if name not in frame.columns]:
        raise ValueError(f"frame lacks the columns {lacking}; it has {list(frame.columns)}")
    classes = np.asarray(distinct(pd.Series(next(iter(models.values())).classes_)))
    for label, model in models.items():
        if len(classes) != 2 or list(model.classes_) != list(classes):
            raise ValueError(f"{label!r} has the classes {list(model.classes_)}; wanted the same two for all")
    at = frame[[x, y]].to_numpy(float)
    if not len(at) or not np.isfinite(at).all():
        raise ValueError(f"{x} or {y} is missing or infinite in a row: leave such rows out")
    (code,) = _codes(frame, {target: tuple(classes)})
    return at, code, classes


def _place(ax: Any, place: int, height: float) -> None:
    """Put a panel into its row and column."""
    row, column = divmod(place, ACROSS)
    width = (WIDTH - 2 * LEFT - GAP * (ACROSS - 1)) / ACROSS
    bottom = height - 18 - (row + 1) * (PANEL + HEADING)
    left = LEFT + column * (width + GAP)
    ax.set_position((left / WIDTH, bottom / height, width / WIDTH, PANEL / height))
    ax.grid(False)
    ax.spines[:].set(visible=True, color=LIGHT["line"])


def _given(model: Any, at: np.ndarray, names: tuple[str, str]) -> Any:
    """Return points as a model wants them: named if it was fitted to names."""
    return pd.DataFrame(at, columns=list(names)) if hasattr(model, "feature_names_in_") else at


def _panel(ax: Any, model: Any, names: tuple[str, str], box: tuple[float, float, float, float]) -> float:
    """Tint the plane by the votes; return the share of it that is answered with the second class."""
    from matplotlib.colors import to_rgba

    across, up = np.linspace(*box[:2], FINE), np.linspace(*box[2:], FINE)
    lattice = np.stack(np.meshgrid(across, up), axis=-1).reshape(-1, 2)
    share = model.predict_proba(_given(model, lattice, names))[:, 1]
    shades = [to_rgba(LIGHT[class_color(0)], s) for s in STRENGTH]
    shades += [to_rgba(LIGHT[class_color(1)], s) for s in STRENGTH[::-1]]
    ax.contourf(across, up, share.reshape(FINE, FINE), LEVELS, colors=shades, antialiased=True)
    if share.min() <= 0.5 < share.max():
        ax.contour(across, up, share.reshape(FINE, FINE), [0.5], colors=[LIGHT["ink"]], linewidths=1.8)
    return float((share > 0.5).mean())
