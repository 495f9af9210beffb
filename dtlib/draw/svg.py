"""Pictures as text: the palette, a handful of SVG elements, and `Picture`, which every drawing becomes.

No color is fixed: each is a CSS variable with its light value as fallback, so that a page can set all of them
for its dark mode. No element has an id, so that many pictures fit on one page.
"""

import itertools
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from dtlib.messages import say
from dtlib.numbers import shown

#: The colors of the pictures on light paper, name -> code; a class keeps its color through the whole book.
LIGHT = {
    "ink": "#1f2933",
    "muted": "#52606d",
    "line": "#7b8794",
    "paper": "#ffffff",
    "accent": "#0b7d70",
    "class-0": "#b24c00",
    "class-1": "#1f5fae",
    "class-2": "#831967",
    "class-3": "#5a4600",
    "class-4": "#7451fb",
    "class-5": "#591e20",
}
#: The same colors for dark paper.
DARK = {
    "ink": "#e6e9ed",
    "muted": "#a9b4c0",
    "line": "#7d8a99",
    "paper": "#14181e",
    "accent": "#43b0a4",
    "class-0": "#f59a4a",
    "class-1": "#5aa5f5",
    "class-2": "#d3a3c3",
    "class-3": "#f9d25e",
    "class-4": "#dfd7fe",
    "class-5": "#df563a",
}
CLASSES = 6  # colors for classes; a seventh class starts again at the first
FONT = "system-ui, Segoe UI, Roboto, Arial, PingFang SC, Microsoft YaHei, Noto Sans CJK SC, sans-serif"
PICTURE_WIDTH = 420  # of most pictures, in px: a phone shows it nearly in full
FONT_SIZE, SMALL_SIZE = 14, 13  # in px of a picture shown at its natural width
SHRINK = 0.8  # a picture is never shown smaller than this share of its natural width; the page scrolls it

NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
NARROW_LETTERS, BROAD_LETTERS = set("fijlrtI.,:;|!'()[] "), set("mwMW@%—")


@dataclass(frozen=True, repr=False)
class Picture:
    """A picture, with a description in words of the data that it shows.

    Parameters
    ----------
    svg : str
        The picture, one ``<svg>`` element.
    title : str
        Title of the picture, for readers who do not see it.
    description : str
        The data shown, in words.

    Examples
    --------
    >>> picture("A dot", "One dot at 5, 5.", 10, 10, tag("circle", cx=5, cy=5, r=2))
    Picture: A dot. One dot at 5, 5.
    """

    svg: str
    title: str
    description: str

    def __repr__(self) -> str:
        return say("Picture: {title}. {description}", title=self.title, description=self.description)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"image/svg+xml": self.svg, "text/plain": repr(self)}

    def save(self, path: str | Path) -> None:
        """Write the picture to a file.

        Parameters
        ----------
        path : str or Path
            Ends in ``.svg``.

        Raises
        ------
        ValueError
            If the path has another ending.
        """
        if not isinstance(path, str | PathLike):
            raise TypeError(f"path is {shown(path)}; wanted the name of a file")
        if Path(path).suffix != ".svg":
            raise ValueError(
                f"path is {str(path)!r}; a picture is saved as .svg (a browser turns it into others)"
            )
        Path(path).write_text(self.svg + "\n", encoding="utf-8", newline="\n")


def picture(title: str, description: str, width: float, height: float, *body: str) -> Picture:
    """Put elements into a picture, with a title and a description on one line each.

    Parameters
    ----------
    title, description : str
        See `Picture`.
    width, height : float
        Natural size, in px.
    *body : str
        SVG elements, the first at the bottom.

    Returns
    -------
    Picture
    """
    title, description = (" ".join(NOT_XML.sub("\ufffd", words).split()) for words in (title, description))
    paper = tag("rect", width="100%", height="100%", style=style(fill="paper"))
    svg = tag(
        "svg",
        tag("title", escaped(title)),
        tag("desc", escaped(description)),
        paper,
        *body,
        xmlns="http://www.w3.org/2000/svg",
        role="img",
        aria_label=title,
        width=width,
        height=height,
        viewBox=f"0 0 {number(width)} {number(height)}",
        style=f"max-width: 100%; min-width: {number(SHRINK * width)}px; height: auto; "
        f"font-family: var(--dt-font, {FONT}); font-size: {FONT_SIZE}px",
    )
    return Picture(svg, title, description)


def number(x: float) -> str:
    """Write a coordinate with at most two decimals.

    Examples
    --------
    >>> number(12.3456), number(100.0), number(-0.001)
    ('12.35', '100', '0')
    """
    text = f"{x:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def color(name: str) -> str:
    """Return a palette color as the CSS that lets a page change it.

    Examples
    --------
    >>> color("ink")
    'var(--dt-ink, #1f2933)'
    """
    return f"var(--dt-{name}, {LIGHT[name]})"


def class_color(index: int) -> str:
    """Return the palette name of a class, by its index."""
    return f"class-{index % CLASSES}"


def style(**properties: str | float) -> str:
    """Write CSS properties; palette names become colors.

    Examples
    --------
    >>> style(fill="none", stroke_width=2)
    'fill: none; stroke-width: 2'
    """
    return "; ".join(
        f"{name.replace('_', '-')}: {color(value) if value in LIGHT else value}"
        for name, value in properties.items()
    )


def tag(name: str, *children: str, **attributes: str | float) -> str:
    """Write an element; its children are SVG already.

    Examples
    --------
    >>> tag("circle", cx=1.239, cy=2, aria_label="a < b")
    '<circle cx="1.24" cy="2" aria-label="a &lt; b"/>'
    """
    pairs = ((k.replace("_", "-"), v if isinstance(v, str) else number(v)) for k, v in attributes.items())
    head = name + "".join(f" {k}={quoteattr(v)}" for k, v in pairs)
    return f"<{head}>{''.join(children)}</{name}>" if children else f"<{head}/>"


def text(x: float, y: float, words: str, **css: str | float) -> str:
    """Write a text with the middle of its baseline at a point.

    Parameters
    ----------
    x, y : float
        The point; ``text_anchor="start"`` or ``"end"`` makes it one end of the baseline.
    words : str
        Any text; it is escaped.
    **css
        Properties, such as ``font_weight="bold"`` and ``fill``, a palette name, by default ink.

    Returns
    -------
    str
    """
    return tag(
        "text", escaped(words), x=x, y=y, style=style(**{"fill": "ink", "text_anchor": "middle"} | css)
    )


def small(x: float, y: float, words: str, **css: str | float) -> str:
    """Write a text in small letters; the arguments are those of `text`.

    Examples
    --------
    >>> small(1, 2, "leaves", fill="muted").split("; ")[-1]
    'font-size: 13px">leaves</text>'
    """
    return text(x, y, words, **css, font_size=f"{SMALL_SIZE}px")


def spans(x: float, y: float, parts: list[tuple[str, str]]) -> str:
    """Write small words on one line, dots between them, each part in its color: (palette name, words)."""
    pieces = [tag("tspan", escaped(words), style=style(fill=fill)) for fill, words in parts]
    dot = tag("tspan", " · ", style=style(fill=parts[-1][0]))
    css = style(text_anchor="middle", font_size=f"{SMALL_SIZE}px")
    return tag("text", dot.join(pieces), x=x, y=y, style=css)


def escaped(words: str) -> str:
    """Return a text as SVG may hold it: no letter that is markup, or that XML does not know.

    Examples
    --------
    >>> escaped("a < b")
    'a &lt; b'
    """
    return escape(NOT_XML.sub("\ufffd", words))


def apart(wanted: Sequence[float], size: Sequence[float], gap: float) -> list[float]:
    """Move things on a line apart, as little as gives a gap between neighbors.

    Parameters
    ----------
    wanted, size : sequences of n floats
        Wanted middle, and extent, of each thing, in their order on the line.
    gap : float
        Least distance between neighbors.

    Returns
    -------
    list of n floats

    Examples
    --------
    >>> apart([0, 1, 50], [10, 10, 10], gap=2)
    [-5.5, 6.5, 50.0]
    """
    need = [(a + b) / 2 + gap for a, b in itertools.pairwise(size)]
    up, down = list(wanted), list(wanted)
    for i, step in enumerate(need):
        up[i + 1] = max(up[i + 1], up[i] + step)
    for i, step in reversed(list(enumerate(need))):
        down[i] = min(down[i], down[i + 1] - step)
    return [(a + b) / 2 for a, b in zip(up, down, strict=True)]


def text_width(words: str, size: float = FONT_SIZE) -> float:
    """Estimate the width of a text from above, as the font of the reader is not known.

    Examples
    --------
    >>> text_width("ab", 10), text_width("熵", 10)
    (12.4, 10.0)
    """
    return size * sum(map(_em, words)) / 100


def widest(texts: Iterable[str], size: float = FONT_SIZE) -> float:
    """Estimate the width of the widest of some texts; 0 if there is none.

    Examples
    --------
    >>> widest(["ab", "a"], 10)
    12.4
    """
    return max((text_width(words, size) for words in texts), default=0)


def _em(letter: str) -> int:
    """Return the width of a letter in hundredths of the font size: an int, so that sums are exact."""
    if unicodedata.east_asian_width(letter) in "WF":
        return 100
    return (
        40 if letter in NARROW_LETTERS else 100 if letter in BROAD_LETTERS else 72 if letter.isupper() else 62
    )


def commas(things: Iterable[object]) -> str:
    """Join the texts of some values with commas.

    Examples
    --------
    >>> commas(["age", 3])
    'age, 3'
    """
    return say(", ").join(map(str, things))


def sentences(said: Iterable[str]) -> str:
    """Join sentences to a text.

    Examples
    --------
    >>> sentences(["One.", "Two."])
    'One. Two.'
    """
    return say(" ").join(said)


def statement(label: object, said: Iterable[object]) -> str:
    """Write a label and the texts that belong to it as a sentence.

    Examples
    --------
    >>> statement("gain", ["age 0.083", "credit 0.363"])
    'gain: age 0.083, credit 0.363.'
    """
    return say("{label}: {points}.", label=label, points=commas(said))
