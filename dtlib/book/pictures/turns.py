"""An arrow that turns, and the order of points along it (chapter 22)."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from dtlib.draw.axes import INK, Axes, figure, said_picture
from dtlib.draw.svg import LIGHT, SMALL_SIZE, Picture
from dtlib.messages import say

TIED = 1e-9  # sums that differ by less are equal
FRAME = 205  # px: the side of a frame, with the order above it


def turning(points: Mapping[str, Sequence[float]], angles: Sequence[float], *, title: str = "") -> Picture:
    """Draw the same points with an arrow in some directions, each in a frame, and their order along it.

    A thin line leads from each point to its foot on the line of the arrow. Above a frame stands the order of
    the feet; two points that change places have one foot there, and a line through both.

    Parameters
    ----------
    points : mapping of str to (x, y)
        The points by their names.
    angles : sequence of floats
        The directions of the arrow, in degrees from the x axis.
    title : str
        What the picture is; by default, that an arrow turns.

    Returns
    -------
    Picture

    Raises
    ------
    ValueError
        If there are fewer than two points, or no direction.

    Examples
    --------
    >>> turning({"A": (0, 0), "B": (1, 0)}, [0, 90, 120]).description
    'At 0°: A B. At 90°: A=B. At 120°: B A.'
    """
    at = np.array([tuple(map(float, xy)) for xy in points.values()])
    if len(at) < 2 or not len(angles):
        raise ValueError(f"points has {len(at)}, angles {len(angles)}; wanted two points and a direction")
    at = at - (at.min(0) + at.max(0)) / 2
    reach = 1.25 * np.hypot(*at.T).max()
    rows = -(-len(angles) // 2)
    fig, first = figure(height=FRAME * rows)
    first.remove()
    words = []
    for k, degrees in enumerate(angles):
        width, height = 0.46, 1 / rows
        ax = fig.add_axes((0.02 + 0.5 * (k % 2), 1 - height * (k // 2 + 1) + 0.02, width, height * 0.86))
        order = _draw_frame(ax, [*points], at, np.radians(degrees), reach)
        ax.set_title(say("{degrees:g}°: {order}", degrees=degrees, order=order), pad=3, **INK)
        words.append(say("At {degrees:g}°: {order}.", degrees=degrees, order=order))
    return said_picture(fig, title or say("An arrow turns, and two points change places"), words)


def _draw_frame(ax: Axes, names: list[str], at: np.ndarray, angle: float, reach: float) -> str:
    """Draw a frame, and return the order of the points along the arrow."""
    arrow = np.array([np.cos(angle), np.sin(angle)])
    z = at @ arrow
    order = np.argsort(np.round(z, 9), kind="stable")
    for foot, point in zip(z[:, None] * arrow, at, strict=True):
        ax.plot(*np.transpose([point, foot]), color=LIGHT["line"], linewidth=1.2)
    look = {"arrowstyle": "-|>", "color": LIGHT["accent"], "linewidth": 2, "shrinkA": 0, "shrinkB": 0}
    tip, tail = (reach * arrow).tolist(), (-reach * arrow).tolist()
    ax.annotate("", (tip[0], tip[1]), (tail[0], tail[1]), arrowprops=look | {"mutation_scale": 14})
    said = names[order[0]]
    for i, j in pairwise(order):
        tie = z[j] - z[i] < TIED
        said += f"={names[j]}" if tie else f" {names[j]}"
        if tie:
            way = at[j] - at[i]
            ends = np.transpose([at[i] - 0.4 * way, at[j] + 0.4 * way])
            ax.plot(*ends, ":", color=LIGHT["ink"], linewidth=2)
    ax.plot(*at.T, "o", markersize=16, color=LIGHT["paper"], markeredgecolor=LIGHT["ink"])
    for name, (x, y) in zip(names, at, strict=True):
        ax.text(x, y, name, ha="center", va="center_baseline", **INK | {"size": SMALL_SIZE})
    ax.plot(*(z[:, None] * arrow).T, "o", markersize=4, color=LIGHT["accent"])
    ax.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal", xticks=[], yticks=[])
    ax.spines[:].set(visible=True, color=LIGHT["line"])
    return said
