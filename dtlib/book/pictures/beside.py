"""Pictures side by side, each under its name (chapter 1)."""

import re
from collections.abc import Mapping

from dtlib.draw.svg import FONT_SIZE, Picture, commas, picture, sentences, statement, tag, text, text_width
from dtlib.messages import say

HEAD, BETWEEN = 34, 20  # px above the pictures, and between two of them
PAPER = re.compile(r'<rect width="100%" height="100%"[^>]*/>')
SIZE = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')


def beside(pictures: Mapping[str, Picture], *, title: str = "") -> Picture:
    """Put pictures side by side, so that what they share and where they differ can be seen.

    Parameters
    ----------
    pictures : mapping of str to Picture
        Each under its name, left to right.
    title : str
        What the whole is; by default the names.

    Returns
    -------
    Picture

    Raises
    ------
    ValueError
        If there are fewer than two pictures.

    Examples
    --------
    >>> from dtlib.draw import bars
    >>> beside({"left": bars(["a"], [1], axis="m"), "right": bars(["a"], [2], axis="m")})
    Picture: left and right. left: a 1.000. right: a 2.000.
    """
    if len(pictures) < 2:
        raise ValueError(f"pictures has {len(pictures)} entries; wanted two or more, to be compared")
    body, left, bottom = list[str](), 0.0, 0.0
    for name, shown in pictures.items():
        width, height = (float(side) for side in SIZE.findall(shown.svg)[0])
        room = max(width, text_width(name, FONT_SIZE * 1.08) + BETWEEN)  # bold letters are wider
        drawn = PAPER.split(shown.svg, maxsplit=1)[1].removesuffix("</svg>")
        body += [
            text(left + room / 2, 22, name, font_weight="bold"),
            tag("g", drawn, transform=f"translate({left + (room - width) / 2:.2f} {HEAD})"),
        ]
        left, bottom = left + room + BETWEEN, max(bottom, HEAD + height)
    names = [*pictures]
    words = sentences(statement(name, [shown.description.removesuffix(".")]) for name, shown in pictures.items())
    title = title or say("{names} and {last}", names=commas(names[:-1]), last=names[-1])
    return picture(title, words, left - BETWEEN, bottom, *body)
