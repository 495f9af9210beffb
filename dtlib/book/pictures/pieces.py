"""Samples as a bar that one question after the other cuts into smaller pieces (chapter 10)."""

import itertools
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from dtlib.draw.bars import MARGIN
from dtlib.draw.svg import (
    SMALL_SIZE,
    Picture,
    apart,
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
from dtlib.measures import conditional_entropy
from dtlib.messages import say

CUT_LENGTH, CUT_HEIGHT, CUT_STEP, CLEFT = 330, 24, 78, 4  # px: of a bar; from bar to bar; between its pieces
LABEL_GAP = 6  # px between the labels of two pieces


def pieces(tables: Mapping[str, pd.DataFrame], told: Sequence[str], *, title: str = "") -> Picture:
    """Draw the same samples as bars, one below the other, each cut into pieces by the answers to a question.

    Each piece shows its classes. Beside a bar stand the bits that its question leaves, between two bars what
    the second leaves less.

    Parameters
    ----------
    tables : mapping of str to DataFrame
        Count table of each question, from the coarsest to the finest: rows are answers, columns classes.
    told : sequence of str
        What tells the bits of each drop, such as "the holes": one for each bar but the first.
    title : str
        What the picture is; by default the questions.

    Returns
    -------
    Picture

    Raises
    ------
    ValueError
        If there are fewer than two tables, or not one name for each drop, or the tables do not count the same
        samples.

    Examples
    --------
    >>> before = pd.DataFrame({"no": [1], "yes": [1]}, index=["all"])
    >>> after = pd.DataFrame({"no": [1, 0], "yes": [0, 1]}, index=["p", "q"])
    >>> pieces({"nothing": before, "a": after}, ["the answers"])
    Picture: nothing and a. nothing: all no 1 yes 1; 1.000 bits left. a: p no 1, q yes 1; 0.000 bits left. the answers tell 1.000 bits.
    """  # noqa: E501
    _need_same(tables, told)
    left = MARGIN + widest(tables) + 12
    bits = [float(conditional_entropy(table.to_numpy(float))) for table in tables.values()]
    body, words = list[str](), list[str]()
    shown = [say("{bits:.3f} bits left", bits=b) for b in bits]
    drops = [a - b for a, b in itertools.pairwise(bits)]
    for i, (name, table) in enumerate(tables.items()):
        y = MARGIN + 24 + CUT_STEP * i
        body.append(text(left - 12, y + 17, name, text_anchor="end"))
        body += _bar_of_pieces(left, y, table)
        body.append(small(left + CUT_LENGTH + 12, y + 17, shown[i], text_anchor="start"))
        words.append(statement(name, [say("{parts}; {left}", parts=_said_pieces(table), left=shown[i])]))
    right = left + CUT_LENGTH + 12
    notes = [say("{name} tell {bits:.3f} bits", name=who, bits=n) for who, n in zip(told, drops, strict=True)]
    for i, note in enumerate(notes):
        y = MARGIN + 24 + CUT_STEP * i + CUT_HEIGHT + 30
        body.append(small(right, y, f"↓ {note}", fill="accent", font_weight="bold", text_anchor="start"))
    width = right + max(widest(shown, SMALL_SIZE), 1.08 * widest(notes, SMALL_SIZE) + 20) + MARGIN
    words += [f"{note}." for note in notes]
    height = MARGIN + 24 + CUT_STEP * (len(tables) - 1) + CUT_HEIGHT + MARGIN
    names = [*tables]
    title = title or say("{names} and {last}", names=commas(names[:-1]), last=names[-1])
    return picture(title, sentences(words), width, height, *body)


def _need_same(tables: Mapping[str, pd.DataFrame], told: Sequence[str]) -> None:
    """Say what is wrong with the tables or with the names of the drops."""
    if len(tables) < 2 or len(told) != len(tables) - 1:
        raise ValueError(
            f"there are {len(tables)} tables and {len(told)} drops; wanted two or more, and one less"
        )
    sums = [table.sum() for table in tables.values()]
    if not all(total.index.equals(sums[0].index) and np.allclose(total, sums[0]) for total in sums):
        counted = [total.to_dict() for total in sums]
        raise ValueError(f"the tables count {counted}; wanted the same samples in all")


def _bar_of_pieces(left: float, y: float, table: pd.DataFrame) -> list[str]:
    """Draw the pieces of one bar, the classes of each side by side, and their labels above them."""
    counts = table.to_numpy(float)
    scale = (CUT_LENGTH - CLEFT * (len(counts) - 1)) / counts.sum()
    body, middles, x = list[str](), list[float](), left
    for row in counts:
        start = x
        for k, n in enumerate(row):
            if n:
                wide, words = n * scale, f"{table.columns[k]} {n:g}"
                fill = style(fill=class_color(k), stroke="paper", stroke_width=1)
                body.append(tag("rect", x=x, y=y, width=wide, height=CUT_HEIGHT, style=fill))
                inside = words if text_width(words, SMALL_SIZE) + 4 <= wide else f"{n:g}"
                body.append(small(x + wide / 2, y + 17, inside, fill="paper"))
                x += wide
        middles.append((start + x) / 2)
        x += CLEFT
    names = [str(value) for value in table.index]
    at = apart(middles, [text_width(name, SMALL_SIZE) for name in names], LABEL_GAP)
    return body + [small(where, y - 7, name) for where, name in zip(at, names, strict=True)]


def _said_pieces(table: pd.DataFrame) -> str:
    """Say the classes of each piece."""
    return commas(
        " ".join([str(value), *(f"{label} {n:g}" for label, n in row.items() if n)])
        for value, row in table.iterrows()
    )
