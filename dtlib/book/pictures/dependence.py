"""What a model predicts as one feature moves: a curve for each sample, and their mean (chapter 18)."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from dtlib.draw.axes import INK, figure, give_style, said_picture
from dtlib.draw.plots import CurvePoints, curve_points, some_points
from dtlib.draw.svg import LIGHT, PICTURE_WIDTH, Picture, commas, statement
from dtlib.messages import say
from dtlib.numbers import floats

LEFT, RIGHT, BETWEEN, FOOT, HEAD, HEIGHT = 40, 14, 22, 50, 32, 290  # px: around and between the panels


def dependence(
    features: Mapping[str, tuple[ArrayLike, Sequence[ArrayLike]]], *, y_label: str = "", title: str = ""
) -> Picture:
    """Draw the predictions for some samples against one of their features, and their mean, a panel for each.

    Parameters
    ----------
    features : mapping of str to (x, curves)
        For each feature its values, m floats in ascending order, and for each sample the predictions at them.
    y_label : str
        What is predicted, with its unit.
    title : str
        What the picture is; by default the features.

    Returns
    -------
    Picture

    Raises
    ------
    ValueError
        If there is no feature or no sample, a curve has not one number for each value, a number is missing or
        infinite, or the values descend.

    Examples
    --------
    >>> dependence({"age": ([0, 1], [[2, 4], [0, 4]])}, y_label="price")
    Picture: price against age. age: n = 2, mean (0, 1), (1, 4).
    """
    panels = {name: _need_curves(name, x, each) for name, (x, each) in features.items()}
    if not panels:
        raise ValueError("features is empty; wanted values and curves of one feature or more")
    fig, first = figure(height=HEIGHT, y_label=y_label, y_at=0.955)
    low, high = min(y.min() for _, y in panels.values()), max(y.max() for _, y in panels.values())
    wide = (PICTURE_WIDTH - LEFT - RIGHT - BETWEEN * (len(panels) - 1)) / len(panels)
    words = []
    for place, (name, (x, each)) in enumerate(panels.items()):
        ax = fig.add_axes((0, 0, 1, 1)) if place else first
        give_style(ax)
        at = (LEFT + place * (wide + BETWEEN)) / PICTURE_WIDTH
        ax.set_position((at, FOOT / HEIGHT, wide / PICTURE_WIDTH, 1 - (FOOT + HEAD) / HEIGHT))
        ax.set_xlabel(name, **INK)
        ax.plot(x, each.T, color=LIGHT["muted"], linewidth=0.8, alpha=0.55)
        ax.plot(x, each.mean(axis=0), color=LIGHT["accent"], linewidth=3.5)
        ax.set_ylim(low - 0.03 * (high - low or 1), high + 0.03 * (high - low or 1))
        if place:
            ax.set_yticklabels([])
        said = [*some_points(x, each.mean(axis=0))]
        said[0] = say("n = {n}, mean {first}", n=len(each), first=said[0])
        words.append(statement(name, said))
    whole = say("{y} against {x}", y=y_label or say("prediction"), x=commas(panels))
    return said_picture(fig, title or whole, words)


def _need_curves(name: str, x: ArrayLike, each: Sequence[ArrayLike]) -> CurvePoints:
    """Return the values of a feature and a curve for each sample, or say what is wrong with them."""
    if not len(each):
        raise ValueError(f"{name!r} has no curve; wanted one for each sample, of one or more")
    for curve in each:
        x, _ = curve_points(name, x, curve)
    return np.asarray(x), floats(f"the curves of {name!r}", each)
