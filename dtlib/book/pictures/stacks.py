"""Bars made of parts: the classes of each branch, and two ways to one sum (chapters 1 to 3)."""

from collections.abc import Mapping, Sequence

import pandas as pd
from numpy.typing import ArrayLike

from dtlib.book.pictures.entropies import two_names
from dtlib.draw.bars import MARGIN
from dtlib.draw.svg import (
    PICTURE_WIDTH,
    SMALL_SIZE,
    Picture,
    class_color,
    commas,
    picture,
    sentences,
    small,
    statement,
    style,
    tag,
    text,
    text_width,
    widest,
)
from dtlib.measures import conditional_entropy, entropy, joint_entropy
from dtlib.messages import say
from dtlib.numbers import floats

STACKS_TOP = MARGIN + 28  # px above the bars
STACK_ROW, STACK, BETWEEN_STACKS = 32, 22, 26  # px: of a row; of a bar; between panels
SHORTEST = 90  # px of the longest bar of a panel, at least
LINK = 46  # px of a row of the chain rule, its words included


def branches(tables: Mapping[str, pd.DataFrame], *, title: str = "") -> Picture:
    """Draw the class counts of every branch as a bar of the classes' colors, one panel for each question.

    All bars have one scale: what is as long holds as many samples.

    Parameters
    ----------
    tables : mapping of str to DataFrame
        Count table of each question: rows are its answers, columns the classes, the same in all.
    title : str
        What the picture is; by default the questions.

    Returns
    -------
    Picture

    Raises
    ------
    ValueError
        If there is no table, the classes differ, a count is negative, or a table has no samples.

    Examples
    --------
    >>> job = pd.DataFrame({"no": [6, 0], "yes": [4, 5]}, index=["no", "yes"])
    >>> branches({"has_job": job})
    Picture: Classes of the branches of has_job. has_job = no: no 6, yes 4. has_job = yes: no 0, yes 5.
    """
    classes = _need_tables(tables)
    longest = {name: float(table.sum(axis=1).max()) for name, table in tables.items()}
    labels = {name: widest(map(str, table.index), SMALL_SIZE) + 8 for name, table in tables.items()}
    free = PICTURE_WIDTH - 2 * MARGIN - BETWEEN_STACKS * (len(tables) - 1) - sum(labels.values())
    scale = max(free / sum(longest.values()), SHORTEST / max(longest.values()))
    body, words, left = list[str](), list[str](), float(MARGIN)
    for name, table in tables.items():
        start = left + labels[name]
        body.append(small(start, MARGIN + 10, name, fill="muted", text_anchor="start", font_weight="bold"))
        for i, (value, counts) in enumerate(table.iterrows()):
            y = STACKS_TOP + STACK_ROW * i
            body.append(small(start - 8, y + 16, str(value), text_anchor="end"))
            body += _parts(start, y, [float(n) for n in counts], scale, classes)
            said = [f"{label} {n:g}" for label, n in zip(classes, counts, strict=True)]
            words.append(statement(f"{name} = {value}", said))
        left = start + max(longest[name] * scale, text_width(name, SMALL_SIZE)) + BETWEEN_STACKS
    width = max(left - BETWEEN_STACKS + MARGIN, PICTURE_WIDTH)
    height = STACKS_TOP + STACK_ROW * max(map(len, tables.values())) - STACK_ROW + STACK + MARGIN
    title = title or say("Classes of the branches of {names}", names=commas(tables))
    return picture(title, sentences(words), width, height, *body)


def _need_tables(tables: Mapping[str, pd.DataFrame]) -> list[str]:
    """Return the classes of all tables, or say what is wrong with these."""
    if not tables:
        raise ValueError("tables is empty; wanted a name and a count table for each panel")
    first = next(iter(tables.values())).columns
    for name, table in tables.items():
        counts = table.to_numpy(float)
        if list(table.columns) != list(first):
            raise ValueError(f"table {name!r} has the classes {list(table.columns)}, not {list(first)}")
        if not (counts >= 0).all() or not counts.sum() > 0:
            raise ValueError(f"table {name!r} holds {counts.tolist()}; wanted counts, not all 0")
    return [str(label) for label in first]


def _parts(x: float, y: float, counts: Sequence[float], scale: float, classes: Sequence[str]) -> list[str]:
    """Draw the parts of one bar, each with its class and count if they fit, else with its count."""
    body = []
    for k, n in enumerate(counts):
        wide = n * scale
        if wide > 0:
            fill = style(fill=class_color(k), stroke="paper", stroke_width=1)
            body.append(tag("rect", x=x, y=y, width=wide, height=STACK, style=fill))
        inside = [f"{classes[k]} {n:g}", f"{n:g}"]
        if fitting := [words for words in inside if text_width(words, SMALL_SIZE) + 6 <= wide]:
            body.append(small(x + wide / 2, y + 16, fitting[0], fill="paper"))
        x += wide
    return body


def chain(table: ArrayLike, names: tuple[str, str] = ("X", "Y")) -> Picture:
    """Draw the chain rule: the joint entropy as a length, made of two parts in two ways.

    Parameters
    ----------
    table : array-like of shape (V, K)
        Counts: a row for each value of the first variable, a column for each value of the second.
    names : tuple of two str
        Names of the variables, rows first.

    Returns
    -------
    Picture

    Raises
    ------
    ValueError
        If the table is not one table, or the joint entropy is 0: there is nothing to draw.

    Examples
    --------
    >>> chain([[1, 1], [0, 2]]).description
    'Beginning with X: H(X) = 1.000 bits, H(Y|X) = 0.500 bits. Beginning with Y: H(Y) = 0.811 bits, H(X|Y) = 0.689 bits. Together H(X, Y) = 1.500 bits.'
    """  # noqa: E501
    n, (x, y) = floats("table", table, "one table (V, K)"), two_names(names)
    if n.ndim != 2 or not joint_entropy(n) > 0:
        raise ValueError(f"table has shape {n.shape}; wanted one table (V, K) with more than one cell filled")
    ways = {
        x: {f"H({x})": entropy(n.sum(1)), f"H({y}|{x})": conditional_entropy(n)},
        y: {f"H({y})": entropy(n.sum(0)), f"H({x}|{y})": conditional_entropy(n.T)},
    }
    whole = float(joint_entropy(n))
    label = say("H({x}, {y}) = {bits:.3f} bits", x=x, y=y, bits=whole)
    room = PICTURE_WIDTH - 2 * MARGIN
    body, words = [_span(MARGIN, room, MARGIN + 18, label)], list[str]()
    for row, (first, parts) in enumerate(ways.items()):
        top = MARGIN + 34 + LINK * row
        body += _links(top, {name: float(bits) for name, bits in parts.items()}, room / whole, first == x)
        said = [f"{name} = {say('{bits:.3f} bits', bits=bits)}" for name, bits in parts.items()]
        words.append(statement(say("Beginning with {name}", name=first), said))
    words.append(say("Together {sum}.", sum=label))
    return picture(say("The chain rule for {x} and {y}", x=x, y=y), sentences(words),
                   PICTURE_WIDTH, MARGIN + 34 + 2 * LINK, *body)  # fmt: skip


def _links(top: float, parts: Mapping[str, float], scale: float, first: bool) -> list[str]:
    """Draw two parts of one length; the variable that comes first in the table has the accent."""
    body, x = list[str](), float(MARGIN)
    for k, (name, bits) in enumerate(parts.items()):
        wide, fill = bits * scale, "accent" if first == (k == 0) else "muted"
        css = style(fill=fill, fill_opacity=0.18, stroke=fill, stroke_width=2)
        body.append(tag("rect", x=x, y=top, width=wide, height=LINK - 12, style=css))
        for words in (f"{name} = {bits:.3f}", f"{name}"):
            if text_width(words) + 6 <= wide:
                body.append(text(x + wide / 2, top + 22, words))
                break
        x += wide
    return body


def _span(x: float, length: float, y: float, words: str) -> str:
    """Draw a bracket over a length, its words on paper in the middle."""
    line = tag("path", d=f"M{x} {y + 6}V{y}H{x + length}V{y + 6}", style=style(fill="none", stroke="line"))
    half = text_width(words) / 2 + 6
    middle = x + length / 2
    back = tag("rect", x=middle - half, y=y - 10, width=2 * half, height=18, style=style(fill="paper"))
    return tag("g", line, back, text(middle, y + 4, words))
