"""Bar charts: of the gains of a node, or of other values (chapters 3, 4 and 26)."""

import math
from collections.abc import Collection, Iterable, Sequence

import pandas as pd

from dtlib.draw.svg import LIGHT, PICTURE_WIDTH, Picture, commas, picture, small, style, tag, text, widest
from dtlib.messages import say
from dtlib.numbers import floats, how_many, shown
from dtlib.table.parameters import check_number, check_text, checked_sequence, whole_number

MARGIN = 12  # px around bars
BAR_ROW, BAR_HEIGHT = 32, 18  # px


def bars(
    labels: Sequence[object],
    values: Sequence[float],
    *,
    chosen: Collection[int] = (),
    colors: Sequence[str] | None = None,
    axis: str = "",
    title: str = "",
    digits: int = 3,
) -> Picture:
    """Draw horizontal bars, in the order given, each with its label and value.

    Parameters
    ----------
    labels : sequence of n
        Text of each bar.
    values : sequence of n floats
        Length of each bar, >= 0; NaN has no bar.
    chosen : collection of int
        The bars to be accented; without any, all are alike.
    colors : sequence of n palette names, optional
        Such as ``["class-0", "class-1"]``, instead of the accent.
    axis : str
        Name and unit of the values.
    title : str
        Title of the picture; by default `axis`.
    digits : int
        Decimals shown.

    Returns
    -------
    Picture

    Raises
    ------
    ValueError
        If there is no bar, a value is negative or infinite, a label, a value or a color is missing, a color
        is not in the palette, or a chosen bar does not exist.

    Examples
    --------
    >>> bars(["age", "owns_house"], [0.083, 0.42], chosen=[1], axis="gain (bits)")
    Picture: gain (bits). age 0.083, owns_house 0.420 (chosen).
    """
    check_text(axis=axis, title=title)
    check_number("digits", digits, 0, whole=True)
    _check_iterables(labels=labels, values=values, chosen=chosen)
    names, lengths = [str(label) for label in labels], _lengths(values)
    accented = {whole_number("an entry of chosen", i) for i in chosen}
    if colors is None:
        colors = ["accent" if i in accented or not accented else "line" for i in range(len(names))]
    _check_bars(names, lengths, colors, accented)
    shown = decimals(lengths, digits)
    left = MARGIN + widest(names) + 8
    room = max(PICTURE_WIDTH - left - widest(shown) - 6 - MARGIN, 120)
    largest = max((length for length in lengths if length > 0), default=1)
    body, said = [], []
    for i, (name, value, fill) in enumerate(zip(names, lengths, colors, strict=True)):
        y, length = MARGIN + BAR_ROW * i, 0 if math.isnan(value) else room * (value / largest)
        weight = "bold" if i in accented else "normal"
        body.append(text(left - 8, y + 16, name, text_anchor="end", font_weight=weight))
        body += bar_and_value(left, y + 2, length, BAR_HEIGHT, shown[i], fill, weight)
        words = f"{name} {shown[i]}"
        said.append(say("{bar} (chosen)", bar=words) if i in accented else words)
    bottom = MARGIN + BAR_ROW * len(names)
    body.append(base_line(left, MARGIN - 4, bottom - 6))
    if axis:
        body.append(small(left, bottom + 10, axis, fill="muted", text_anchor="start"))
    width, height = left + room + widest(shown) + 6 + MARGIN, bottom + (MARGIN + 8 if axis else 0)
    return picture(title or axis or say("Bars"), say("{list}.", list=commas(said)), width, height, *body)


def _check_iterables(**given: object) -> None:
    """Raise an error that names the argument without entries."""
    for name, entries in given.items():
        if not isinstance(entries, Iterable):
            raise TypeError(f"{name} is {shown(entries)}; wanted entries, such as a list")


def _lengths(values: Iterable[float]) -> list[float]:
    """Return the length of each bar as a float."""
    found = floats("values", list(values), "a number for each bar")
    if found.ndim != 1:
        raise ValueError(f"values has shape {found.shape}; wanted a number for each bar")
    return [float(value) for value in found]


def _check_bars(
    labels: Sequence[str], values: Sequence[float], colors: Sequence[str], chosen: set[int]
) -> None:
    """Raise an error if the bars cannot be drawn."""
    n = len(labels)
    checked_sequence("colors", colors)
    if not n or not n == len(values) == len(colors):
        entries, others = how_many(n, "entry", "entries"), f"values {len(values)}, colors {len(colors)}"
        raise ValueError(f"labels has {entries}, {others}: give one each for every bar")
    if any(value < 0 or math.isinf(value) for value in values):
        raise ValueError(f"values is {values}; a bar has a length of 0 or more")
    if strange := [name for name in colors if name not in LIGHT]:
        raise ValueError(f"colors has {strange[0]!r}; the palette has {', '.join(LIGHT)}")
    if not chosen <= set(range(n)):
        raise ValueError(f"chosen is {sorted(chosen)}; the bars are 0 to {n - 1}")


def decimals(values: Iterable[float], digits: int) -> list[str]:
    """Write numbers with a number of decimals; NaN is a dash.

    Examples
    --------
    >>> decimals([0.25, math.nan], 1)
    ['0.2', '—']
    """
    return ["—" if math.isnan(value) else f"{value:.{digits}f}" for value in values]


def bar_and_value(
    x: float, y: float, length: float, height: float, value: str, fill: str, weight: str
) -> list[str]:
    """Draw a bar from its upper left corner, and its value to the right of it."""
    return [
        tag("rect", x=x, y=y, width=length, height=height, style=style(fill=fill)),
        text(x + length + 6, y + height / 2 + 5, value, text_anchor="start", font_weight=weight),
    ]


def base_line(x: float, top: float, bottom: float) -> str:
    """Draw the line at which bars begin."""
    return tag("path", d=f"M{x:.2f} {top}V{bottom}", style=style(stroke="line", stroke_width=1.5))


def gains(candidates: pd.DataFrame, measure: str = "gain") -> Picture:
    """Draw the score of every candidate of a node, the chosen one accented.

    Parameters
    ----------
    candidates : DataFrame
        What ``tree.explain(node)`` returns.
    measure : {"gain", "gain_ratio", "split_information", "impurity"}
        The column to draw.

    Returns
    -------
    Picture

    Raises
    ------
    ValueError
        If there is no such column.

    Examples
    --------
    >>> from dtlib import ID3Classifier
    >>> from dtlib.datasets import load_loan
    >>> loan = load_loan()
    >>> gains(ID3Classifier().fit(loan.X, loan.y).tree_.explain(0))
    Picture: information gain (bits). age 0.083, has_job 0.324, owns_house 0.420 (chosen), credit 0.363.
    """
    axes = {
        "gain": say("information gain (bits)"),
        "gain_ratio": say("gain ratio"),
        "split_information": say("split information (bits)"),
        "impurity": say("impurity after the split (bits)"),
    }
    if not isinstance(candidates, pd.DataFrame):
        raise TypeError(f"candidates is {shown(candidates)}; wanted what tree.explain(node) returns")
    if measure not in axes or measure not in candidates:
        raise ValueError(f"measure is {measure!r}; wanted a column of tree.explain(node): {', '.join(axes)}")
    chosen = [i for i, yes in enumerate(candidates["chosen"]) if yes]
    return bars(candidates["feature"], candidates[measure], chosen=chosen, axis=axes[measure])
