"""Matplotlib figures that follow the page: axes, samples and well-placed words (chapters 1 to 26)."""

import io
import math
import re
import sys
import warnings
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dtlib.draw.svg import (
    LIGHT,
    NOT_XML,
    PICTURE_WIDTH,
    SMALL_SIZE,
    Picture,
    class_color,
    color,
    commas,
    number,
    picture,
    sentences,
    style,
    tag,
    text_width,
)
from dtlib.messages import say
from dtlib.numbers import shown
from dtlib.table.columns import encode
from dtlib.table.parameters import check_text
from dtlib.tree.node import Node

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
else:  # matplotlib is loaded only for a picture that needs it
    Axes = Figure = object

SHAPES = "osD^vp"  # of the samples of each class
MARK = 17  # px: the dot of a sample, with its name in it
STYLES = (("accent", "-"), ("ink", "--"), ("muted", "-."), ("class-4", ":"))  # of curves: color and dashes
INK: dict[str, Any] = {"size": SMALL_SIZE, "color": LIGHT["ink"]}  # of words
TICKS: dict[str, Any] = {"length": 0, "pad": 6, "labelsize": SMALL_SIZE, "labelcolor": LIGHT["ink"]}
VARIABLES = {code: color(name) for name, code in LIGHT.items()} | {"#000000": color("ink")}


def figure(
    width: float = PICTURE_WIDTH,
    height: float = 300,
    left: float = 44,
    *,
    x_label: str = "",
    y_label: str = "",
    y_at: float = 0.965,
) -> "tuple[Figure, Axes]":
    """Return a matplotlib figure with axes in the style of the pictures.

    Parameters
    ----------
    width, height : float
        Natural size, in px.
    left : float
        Room for the labels of the y axis.
    x_label, y_label : str
        Labels of the axes, with units; that of the y axis is written above it.
    y_at : float
        Height of that label above the axis, as a share of the height.

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
        raise ImportError("this picture needs the package matplotlib: pip install matplotlib") from error
    fig = Figure(figsize=(width / 72, height / 72), dpi=72)  # a point is a px
    fig.text(8 / width, y_at, y_label, va="center", **INK)
    ax = fig.add_axes((left / width, 46 / height, 1 - (left + 18) / width, 1 - 78 / height))
    ax.set_xlabel(x_label, **INK)
    give_style(ax)
    ax.margins(0.02)
    return fig, ax


def give_style(ax: "Axes") -> None:
    """Give axes the edges, the ticks and the grid of the pictures."""
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(LIGHT["line"])
    ax.tick_params(**TICKS)
    ax.grid(color=LIGHT["line"], alpha=0.25, linewidth=1)
    ax.set_axisbelow(True)


def give_frame(ax: "Axes") -> None:
    """Draw all four edges of axes, and no grid."""
    ax.grid(False)
    ax.spines[:].set(visible=True, color=LIGHT["line"])


def from_figure(fig: "Figure", title: str, description: str) -> Picture:
    """Turn a matplotlib figure into a picture, and close it: text stays text, colors become variables.

    Parameters
    ----------
    fig : matplotlib Figure
        Black and white become ink and paper, and the colors of the palette on light paper their variables;
        others stay as they are.
    title, description : str
        See `Picture`; the description names the data shown.

    Returns
    -------
    Picture

    Examples
    --------
    >>> fig, axes = figure(200, 120, x_label="x", y_label="y")
    >>> _ = axes.plot([0, 1, 2], [0, 1, 4], color="black")
    >>> from_figure(fig, "Three squares", "x from 0 to 2, y from 0 to 4.").title
    'Three squares'
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
    body = re.sub(r"<[^>]*>", lambda match: _follow_page(match[0]), body)
    used = set(re.findall(r"#(\w+)", body))
    body = re.sub(r' id="([^"]*)"', lambda match: match[0] if match[1] in used else "", body)
    css = style(fill="ink", stroke_linejoin="round", stroke_linecap="butt")
    body = tag("g", re.sub(r">\s+<", "><", body).strip(), style=css)
    return picture(title, description, width, height, body)


def _follow_page(element: str) -> str:
    """Round the numbers of a tag, name its colors, and leave the font to the page."""
    element = re.sub(r"font-family: [^;\"]*;? ?", "", element).replace("xlink:href", "href")
    element = re.sub(r"-?\d+\.\d+", lambda match: number(float(match[0])), " ".join(element.split()))
    element = re.sub(r' transform="rotate\(-0 [^"]*"', "", element)
    return re.sub(r"(?<=: )#[0-9a-f]{6}\b", lambda match: VARIABLES.get(match[0], match[0]), element)


def said_picture(fig: "Figure", title: str, said: Iterable[str]) -> Picture:
    """Turn a figure into a picture described in sentences; a $ in its texts starts no formula."""
    for words in fig.findobj(lambda artist: hasattr(artist, "set_parse_math")):
        words.set(parse_math=False)
    return from_figure(fig, title, sentences(said))


def in_px(ax: "Axes", x: ArrayLike, y: ArrayLike) -> np.ndarray:
    """Return the positions of points on the figure, in px, shape (n, 2)."""
    return ax.transData.transform(np.column_stack([x, y]))


def along(ax: "Axes", x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return points of a curve that lie close together, in px; the first one if none is within the axes."""
    low, high = ax.get_xlim()
    grid = np.linspace(low, high, 240)
    inside = grid[(grid >= x[0]) & (grid <= x[-1])]
    at = inside if len(inside) else x[:1]
    return in_px(ax, at, np.interp(at, x, y))


def write_clear(
    ax: "Axes",
    words: str,
    anchors: np.ndarray,
    ink: str,
    taken: list[np.ndarray],
    own: np.ndarray | None = None,
) -> None:
    """Write words on the line to which they belong, or beside the anchor where they cover least.

    Parameters
    ----------
    ax : Axes
    words : str
    anchors : ndarray of shape (n, 2)
        Points beside which the words may stand, in px.
    ink : str
        Palette name.
    taken : list of ndarrays of shape (n, 2)
        Points that should not be covered, in px; those of the words are added.
    own : ndarray, optional
        The entry of `taken` that is the line of these words.
    """
    half = np.array([text_width(words, SMALL_SIZE) / 2 + 5, SMALL_SIZE / 2 + 4])
    others = np.concatenate([points for points in taken if points is not own])
    free = anchors[:0] if own is None else anchors[_covered(ax, anchors, half, others) == 0]
    if len(free):
        room = [np.hypot(*(others - anchor).T).min().round(6) for anchor in free]
        at = middle = free[int(np.argmax(room))]
    else:
        at, middle = _beside(ax, anchors, half, others, np.concatenate(taken))
    leader = {"arrowstyle": "-", "color": LIGHT["line" if own is None else ink], "shrinkA": 0, "shrinkB": 1}
    paper = {"facecolor": LIGHT["paper"], "edgecolor": "none", "pad": 1}
    look: dict[str, Any] = INK | {"color": LIGHT[ink], "ha": "center", "va": "center", "bbox": paper}
    ax.annotate(words, at, middle, "figure pixels", "figure pixels", None if middle is at else leader, **look)
    lattice = np.stack(np.meshgrid(np.linspace(-1, 1, 31), np.linspace(-1, 1, 5)), axis=-1).reshape(-1, 2)
    taken += [middle + lattice * half, np.linspace(at, middle, 9)]


def _beside(
    ax: "Axes", anchors: np.ndarray, half: np.ndarray, others: np.ndarray, taken: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the anchor and the position beside it where a box, and the line to it, cover least."""
    angles = np.arange(16)[:, None] * math.pi / 8
    around = np.hstack([np.cos(angles), np.sin(angles)])
    beside = np.concatenate([around * (half + far) for far in (6, 14, 26, 40, 60, 90, 120)])
    starts, middles = anchors.repeat(len(beside), 0), (anchors[:, None] + beside).reshape(-1, 2)
    covered = _covered(ax, middles, half, taken)
    for share in (0.3, 0.5, 0.7, 0.9):  # of the way of the line that leads from the anchor to the words
        covered += _covered(ax, starts + share * (middles - starts), np.array([5, 5]), others)
    best = np.lexsort((np.hypot(*(middles - starts).T).round(6), covered))[0]
    return starts[best], middles[best]


def _covered(ax: "Axes", middle: np.ndarray, half: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Count the points under a box at each position; a box outside the axes counts more than anything."""
    x, y = (abs(middle[:, None, k] - points[:, k]) < half[k] for k in (0, 1))
    low, high = ax.bbox.get_points()
    outside = ((middle - half < low) | (middle + half > high + 8)).any(axis=1)
    return (x & y).sum(axis=1) + 1000 * outside


def write_bold(ax: "Axes", at: np.ndarray, words: str, ink: str, **look: Any) -> None:
    """Write bold words around a point, in a color given by its code."""
    ax.text(at[0], at[1], words, size=SMALL_SIZE, weight="bold", color=ink, ha="center", va="center", **look)


def need_columns(frame: pd.DataFrame, names: Collection[str]) -> None:
    """Raise an error that names the columns that a frame lacks."""
    if not isinstance(frame, pd.DataFrame):
        raise TypeError(f"frame is {shown(frame)}; wanted a DataFrame")
    if lacking := [name for name in names if name not in frame.columns]:
        raise ValueError(f"frame lacks the columns {lacking}; it has {list(frame.columns)}")


def need_two_features(frame: pd.DataFrame, x: str, y: str, target: str) -> None:
    """Raise an error if samples cannot be drawn by two features."""
    check_text(x=x, y=y, target=target)
    if x == y:
        raise ValueError(f"x and y are both {x!r}; give two features")
    need_columns(frame, (x, y, target))


def places_on_plane(frame: pd.DataFrame, x: str, y: str) -> np.ndarray:
    """Return the two values of each sample, shape (n, 2); raise an error if one is missing.

    Examples
    --------
    >>> places_on_plane(pd.DataFrame({"a": [1, 2], "b": [3, 4]}), "b", "a").tolist()
    [[3.0, 1.0], [4.0, 2.0]]
    """
    at = frame[[x, y]].to_numpy(float)
    if not len(at) or not np.isfinite(at).all():
        raise ValueError(f"{x} or {y} is missing or infinite in a row: leave such rows out")
    return at


def codes_of(column: pd.Series, values: Sequence[Any]) -> np.ndarray:
    """Return the code of each value of a column; raise an error if a value has none.

    Examples
    --------
    >>> codes_of(pd.Series(["no", "yes", "no"]), ("yes", "no")).tolist()
    [1, 0, 1]
    """
    codes = encode(column, values).codes
    if (codes < 0).any():
        (row, value), *_ = column[codes < 0].to_dict().items()
        raise ValueError(
            f"{column.name} is {value!r} in row {row!r}; wanted one of {list(values)}: leave such rows out"
        )
    return codes


def shade_of(node: Node) -> str:
    """Return the color of the class that a node predicts, as its code on light paper."""
    return LIGHT[class_color(int(node.tree.label[node.id]))]


def draw_sample(ax: "Axes", at: Sequence[float], code: int, name: object, font: float, **look: Any) -> None:
    """Draw a sample as a dot in the color and shape of its class, with its name in it."""
    ax.plot(*at, SHAPES[code % len(SHAPES)], color=LIGHT[class_color(code)], **look)
    ax.text(at[0], at[1], str(name), size=font, color=LIGHT["paper"], ha="center", va="center_baseline")


def draw_samples(ax: "Axes", names: pd.Index, at: np.ndarray, codes: np.ndarray) -> None:
    """Draw samples by two numeric features, each with its name if there is room for all of them."""
    if crowded(in_px(ax, *at.T), MARK - 3):
        draw_dots(ax, at, codes, codes.max() + 1, markersize=MARK / 2, clip_on=False)
        return
    for name, place, code in zip(names, at, codes, strict=True):
        draw_sample(ax, place, code, name, SMALL_SIZE - 2, markersize=MARK, clip_on=False)


def crowded(px: np.ndarray, least: float) -> bool:
    """Tell whether two of some points, shape (n, 2), are closer than a distance.

    Examples
    --------
    >>> crowded(np.array([[0, 0], [30, 40], [30, 50]]), 9), crowded(np.array([[0, 0], [3, 4]]), 6)
    (False, True)
    """
    i, j = np.triu_indices(len(px), 1)
    return bool((np.hypot(*(px[i] - px[j]).T) < least).any())


def draw_dots(ax: "Axes", at: np.ndarray, codes: np.ndarray, classes: int, **look: Any) -> None:
    """Draw samples as dots without names, class by class."""
    for k in range(classes):
        shape, shade = SHAPES[k % len(SHAPES)], LIGHT[class_color(k)]
        ax.plot(*at[codes == k].T, shape, color=shade, linestyle="none", **look)


def said_samples(labels: pd.Series) -> str:
    """Name samples with their classes, or say that there are none.

    Examples
    --------
    >>> said_samples(pd.Series(["no", "yes"], index=[3, 5]))
    '3 no, 5 yes'
    """
    return commas(f"{name} {label}" for name, label in labels.items()) or say("no sample")


def said_region(where: str, leaf: Node, labels: pd.Series) -> str:
    """Describe a region: what the tree predicts there, and its samples."""
    return say(
        "{cell}: predicted {label}; {samples}.",
        cell=where, label=leaf.prediction, samples=said_samples(labels),
    )  # fmt: skip
