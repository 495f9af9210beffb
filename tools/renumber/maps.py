"""The map of the chapters: its arrows in `book_map.py`, and its cards on the first page."""

from __future__ import annotations

import re

from tools.renumber.moves import Moves
from tools.renumber.report import Report

ARROW = re.compile(r"^    (\d+): \(([\d, ]*)\),\n", re.MULTILINE)
ARROWS = re.compile(rf"(?:{ARROW.pattern})+", re.MULTILINE)
PATH = re.compile(r"(?<=^    \")([^\"\n]+\": \()(\d+(?:, \d+)+)(?=\),$)", re.MULTILINE)
CARD = re.compile(r"^\d+\. (\[[^\]\n]*\]\(chapters/(\d\d_\w+)\.ipynb\).*)\n", re.MULTILINE)
PART = re.compile(r"^\s*- caption: (.*)\n|^\s*- file: chapters/(\d\d_\w+)\s*\n", re.MULTILINE)


def arrows(text: str, moves: Moves, report: Report) -> str:
    """Return `book_map.py` with its chapters renumbered: what each builds on, and the paths.

    Examples
    --------
    >>> text = "    1: (),\\n    2: (1,),\\n    3: (2,),\\n}\\nPATHS = {\\n    \\"a road\\": (1, 3),\\n"
    >>> print(arrows(text, Moves({1: 1, 2: 3, 3: 2}, {}), report := Report()))
        1: (),
        2: (3,),
        3: (1,),
    }
    PATHS = {
        "a road": (1, 2),
    <BLANKLINE>
    >>> report.doubts
    ['the map: chapter 2 builds on chapter 3, which comes later']
    """
    new = moves.chapters

    def block(m: re.Match[str]) -> str:
        rows = {
            new[int(k)]: sorted(new[int(n)] for n in re.findall(r"\d+", on)) for k, on in ARROW.findall(m[0])
        }
        report.kinds["chapter of the map"] += len(rows)
        report.doubts += [
            f"the map: chapter {k} builds on chapter {n}, which comes later"
            for k in sorted(rows)
            for n in rows[k]
            if n > k
        ]
        return "".join(f"    {k}: {as_tuple(rows[k])},\n" for k in sorted(rows))

    text = ARROWS.sub(block, text)
    return PATH.sub(lambda m: m[1] + as_tuple(sorted(new[int(k)] for k in m[2].split(", ")))[1:-1], text)


def as_tuple(numbers: list[int]) -> str:
    """Write numbers as Python has them in a tuple."""
    return repr(tuple(numbers))


def cards(text: str, toc: str, moves: Moves) -> str:
    """Return the first page with its cards in the parts and the order of `_toc.yml`, under their old names.

    Examples
    --------
    >>> text = "**A**\\n\\n1. [One](chapters/01_a.ipynb): a.\\n2. [Two](chapters/02_b.ipynb): b.\\n"
    >>> text += "\\n**End**\\n"
    >>> toc = "  - caption: B\\n  - file: chapters/02_b\\n  - caption: A\\n  - file: chapters/01_a\\n"
    >>> print(cards(text, toc, Moves({1: 2, 2: 1}, {"01_a": "02_a", "02_b": "01_b"})))
    **B**
    <BLANKLINE>
    1. [Two](chapters/02_b.ipynb): b.
    <BLANKLINE>
    **A**
    <BLANKLINE>
    2. [One](chapters/01_a.ipynb): a.
    <BLANKLINE>
    **End**
    <BLANKLINE>
    """
    found = {m[2]: m for m in CARD.finditer(text)}
    if not found:
        return text
    first = min(m.start() for m in found.values())
    start = text.rindex("**", 0, text.rindex("**", 0, first))
    end = max(m.end() for m in found.values())
    parts: list[str] = []
    for caption, stem in PART.findall(toc):
        if caption:
            parts.append(f"**{caption}**\n\n")
        elif stem in found:
            parts[-1] += f"{moves.chapters[int(stem[:2])]}. {found[stem][1]}\n"
    return text[:start] + "\n".join(part for part in parts if not part.endswith("\n\n")) + text[end:]
