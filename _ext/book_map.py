"""The map of the book: which chapter builds on which, drawn, and how long a chapter takes to read.

`BUILDS_ON` is the one place where this is written. `make map` draws it into _static/map.svg, for readers of
the repository; the website draws it anew, with links, and fills in the reading times.
"""

from __future__ import annotations

import json
import re
import sys
import textwrap
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from dtlib.draw.svg import DARK, Picture, picture, style, tag, text  # noqa: E402

if TYPE_CHECKING:
    from sphinx.application import Sphinx

# chapter: the chapters to read before it, without those that these build on themselves
BUILDS_ON = {
    1: (),
    2: (1,),
    3: (2,),
    4: (3,),
    5: (4,),
    6: (5,),
    7: (6,),
    8: (3,),
    9: (6, 8),
    10: (9,),
    11: (9,),
    12: (11,),
    13: (12,),
    14: (7, 12),
    15: (11,),
    16: (10, 11),
    17: (13, 14),
    18: (7, 13, 16),
    19: (13, 14, 16),
    20: (10,),
}
PLACES = {  # chapter: row and column of its box
    1: (0, 1),
    2: (1, 1),
    3: (2, 1),
    4: (3, 0),
    8: (3, 2),
    5: (4, 0),
    6: (5, 0),
    7: (6, 0),
    9: (6, 1),
    11: (7, 1),
    10: (7, 2),
    15: (8, 0),
    12: (8, 1),
    20: (8, 2),
    14: (9, 0),
    13: (9, 1),
    16: (9, 2),
    17: (10, 0),
    19: (10, 1),
    18: (11, 2),
}
PATHS = {
    "an afternoon": (1, 2, 3, 4),
    "a week": (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 16, 18),
    "a course": tuple(BUILDS_ON),
}
WORDS_PER_MINUTE = 220
ENTRY = re.compile(
    r"^(?P<number>\d+)\. (?:\[(?P<linked>[^\]]+)\]\((?P<file>[^)]+)\)|(?P<plain>[^:\n]+))(?=:)", re.M
)
MINUTES = re.compile(r"<!-- minutes: (?P<path>.+?) -->")
IMAGE = re.compile(r"^!\[[^\]]*\]\(_static/map\.svg\)$", re.M)

BOX, GAP, MARGIN = (106, 44), (14, 26), 9  # px: a phone shows three boxes side by side


def needed(chapters: Iterable[int]) -> set[int]:
    """Return the chapters with all they build on.

    >>> sorted(needed([8]))
    [1, 2, 3, 8]
    """
    below = [BUILDS_ON[chapter] for chapter in chapters]
    return set(chapters).union(*(needed(some) for some in below))


# Reading times


def words(notebook: dict) -> int:
    """Count the words of a notebook that a reader sees: all text but the folded solutions.

    >>> words({"cells": [{"cell_type": "markdown", "metadata": {}, "source": ["Two ", "words"]}]})
    2
    """
    cells = (cell for cell in notebook["cells"] if cell["cell_type"] == "markdown")
    return sum(
        len("".join(cell["source"]).split())
        for cell in cells
        if "solution" not in cell["metadata"].get("tags", [])
    )


def notebook_of(chapter: int) -> Path | None:
    """Return the file of a chapter, or None where it is not written yet."""
    return next((ROOT / "chapters").glob(f"{chapter:02d}_*.ipynb"), None)


def minutes(chapter: int) -> int:
    """Return how long a chapter takes to read, in whole minutes; 0 for one that is not written yet."""
    path = notebook_of(chapter)
    return round(words(json.loads(path.read_text(encoding="utf-8"))) / WORDS_PER_MINUTE) if path else 0


def duration(total: int) -> str:
    """Say a number of minutes as a reader would.

    >>> duration(67), duration(95), duration(250)
    ('65 minutes', 'an hour and a half', '4 hours')
    """
    if total < 80:
        return f"{5 * round(total / 5)} minutes"
    halves = round(total / 30)
    hours = "an hour" if halves // 2 == 1 else f"{halves // 2} hours"
    return hours + (" and a half" if halves % 2 else "")


# The drawing


def entries() -> dict[int, str]:
    """Return the short names of the chapters, as intro.md lists them."""
    listed = ENTRY.finditer((ROOT / "intro.md").read_text(encoding="utf-8"))
    return {int(m["number"]): m["linked"] or m["plain"] for m in listed}


def drawing(link: Callable[[int], str | None] = lambda chapter: None) -> Picture:
    """Draw which chapter builds on which, from the top down.

    Parameters
    ----------
    link : callable
        From the number of a chapter to its address, or to None where there is none.
    """
    names = entries()
    said = [f"{k} {names[k]}{on(BUILDS_ON[k])}." for k in names]
    rows = 1 + max(row for row, _ in PLACES.values())
    size = (2 * MARGIN + 3 * BOX[0] + 2 * GAP[0], rows * (BOX[1] + GAP[1]) - GAP[1] + 4)
    lines = [route(a, b) for b, before in BUILDS_ON.items() for a in before]
    boxes = [box(k, names[k], link(k)) for k in names]
    return picture("What builds on what", " ".join(said), *size, *lines, *boxes)


def on(before: tuple[int, ...]) -> str:
    """Say on which chapters one builds.

    >>> on((6, 8)), on(())
    (' builds on 6 and 8', '')
    """
    return " builds on " + " and ".join(map(str, before)) if before else ""


def corner(chapter: int) -> tuple[float, float]:
    """Return the upper left corner of a box."""
    row, column = PLACES[chapter]
    return MARGIN + column * (BOX[0] + GAP[0]), 2 + row * (BOX[1] + GAP[1])


def box(chapter: int, name: str, href: str | None) -> str:
    """Draw the box of a chapter, as a link if it leads somewhere."""
    x, y = corner(chapter)
    first = chapter in PATHS["an afternoon"]
    rim = style(fill="paper", stroke="accent" if first else "line", stroke_width=2.5 if first else 1.2)
    lines = textwrap.wrap(f"{chapter} {name}", 14)
    top = y + BOX[1] / 2 + 5 - 8 * (len(lines) - 1)
    parts = [tag("rect", x=x, y=y, width=BOX[0], height=BOX[1], rx=6, style=rim)]
    parts += [text(x + BOX[0] / 2, top + 16 * k, line, font_size="13px") for k, line in enumerate(lines)]
    if href is None:
        return tag("g", *parts)
    return tag("a", *parts, href=href, aria_label=f"Chapter {chapter}: {name}")


def route(start: int, end: int) -> str:
    """Draw the line from a chapter to one that builds on it; far ones go down a lane beside the boxes."""
    (row, column), (to_row, to_column) = PLACES[start], PLACES[end]
    (x, y), (to_x, to_y) = corner(start), corner(end)
    x, to_x, y = x + BOX[0] / 2, to_x + BOX[0] / 2, y + BOX[1]
    between = {(r, column) for r in range(row + 1, to_row)} & set(PLACES.values())
    if column == to_column and not between:
        path = f"M{x:g} {y:g}V{to_y:g}"
    elif to_row - row == 1:
        path = f"M{x:g} {y:g}C{x:g} {to_y:g} {to_x:g} {y:g} {to_x:g} {to_y:g}"
    else:
        path = down_a_lane(x, y, lane(column, to_column), to_x, to_y)
    return tag("path", d=path, style=style(fill="none", stroke="line", stroke_width=1.6))


def lane(column: int, to_column: int) -> float:
    """Return where a far line goes down: beside the outer columns, or between the columns of its ends."""
    side = 3 if column == to_column == 2 else max(column, to_column) if column else 0
    return MARGIN + side * (BOX[0] + GAP[0]) - GAP[0] / 2 + {0: 2, 3: -2}.get(side, 0)


def down_a_lane(x: float, y: float, lane_x: float, to_x: float, to_y: float) -> str:
    """Return the path: a little down, aside, down the lane, back, and down to the box."""
    first, last = y + GAP[1] / 3, to_y - GAP[1] / 3
    return f"M{x:g} {y:g}V{first:.1f}H{lane_x:g}V{last:.1f}H{to_x:g}V{to_y:g}"


def stored() -> str:
    """Return the drawing as a file: without links, light or dark as the reader's system."""
    dark = "; ".join(f"--dt-{name}: {value}" for name, value in DARK.items())
    rule = tag("style", f"@media (prefers-color-scheme: dark) {{ svg {{ {dark} }} }}")
    return drawing().svg.replace("<title>", rule + "<title>", 1) + "\n"


# The page


def with_map(markdown: str, written: Iterable[str]) -> str:
    """Put the drawing and the reading times into the first page.

    Parameters
    ----------
    markdown : str
        The text of intro.md.
    written : iterable of str
        The pages of the book.
    """
    pages = {int(page[9:11]): page for page in written if re.match(r"chapters/\d\d_", page)}
    svg = drawing(lambda k: f"{pages[k]}.html" if k in pages else None).svg
    inline = '<div class="picture map">' + svg.replace('role="img"', 'role="group"', 1) + "</div>"
    markdown = IMAGE.sub(lambda m: inline, markdown)
    markdown = MINUTES.sub(lambda m: time_of(m["path"]), markdown)
    return ENTRY.sub(lambda m: m[0] + (f" ({t} min)" if (t := minutes(int(m["number"]))) else ""), markdown)


def time_of(path: str) -> str:
    """Say how long a path takes to read."""
    if path not in PATHS:
        raise ValueError(f"intro.md asks for the minutes of {path!r}; wanted one of {', '.join(PATHS)}")
    return "about " + duration(sum(map(minutes, PATHS[path])))


def read_source(app: Sphinx, docname: str, content: list[str]) -> None:
    """Rewrite the first page before Sphinx parses it (event source-read)."""
    if docname == "intro":
        content[0] = with_map(content[0], app.env.found_docs)


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("source-read", read_source)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


if __name__ == "__main__":
    (ROOT / "_static" / "map.svg").write_text(stored(), encoding="utf-8", newline="\n")
