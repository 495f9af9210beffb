"""The map of the book: which chapter builds on which, and how long a chapter takes to read.

`BUILDS_ON` is the one place where this is written. The website makes cards of the chapters that intro.md
lists: each says its minutes and what it builds on, by which `_static/map.js` lights up all that a chapter
needs, and all that needs it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# chapter: the chapters to read before it, without those that these build on themselves
BUILDS_ON = {
    1: (),
    2: (1,),
    3: (1,),
    4: (3,),
    5: (2, 4),
    6: (5,),
    7: (3,),
    8: (4, 7),
    9: (8,),
    10: (6, 8),
    11: (8,),
    12: (8,),
    13: (12,),
    14: (13,),
    15: (6, 13),
    16: (11, 12),
    17: (13, 16),
    18: (16,),
    19: (11, 12),
    20: (19,),
    21: (14,),
    22: (12,),
    23: (10, 14, 15),
    24: (10, 17, 18, 20, 21),
    25: (11, 12),
    26: (10, 14, 15, 16),
}
PATHS = {
    "CART first": (1, 3, 4, 7, 8, 11, 12, 13, 14),
    "from information to C4.5": (1, 2, 3, 4, 5, 6),
    "everything": tuple(BUILDS_ON),
}
# Seconds that a reader spends on each, judged by sections of chapters 3, 8 and 14, with their code traced.
SECONDS = {"words": 60 / 220, "lines of code": 3, "outputs": 10, "formulas": 15, "proofs": 45}
HIDDEN = {"solution", "remove-cell", "hide-cell"}
FOLDED = re.compile(r"</summary>.*?</details>", re.DOTALL)
HEADING = re.compile(r"#*")
DISPLAYED = re.compile(r"\$\$.*?\$\$", re.DOTALL)
ENTRY = re.compile(r"^(?P<number>\d+)\. (?P<link>\[[^\]]+\]\([^)]+\)): (?P<says>.+)$", re.M)
MINUTES = re.compile(r"<!-- minutes: (?P<path>.+?) -->")


def needed(chapters: Iterable[int]) -> set[int]:
    """Return the chapters with all they build on.

    >>> sorted(needed([8]))
    [1, 3, 4, 7, 8]
    """
    below = [BUILDS_ON[chapter] for chapter in chapters]
    return set(chapters).union(*(needed(some) for some in below))


# Reading times


def content(notebook: dict) -> dict[str, int]:
    """Count what a reader sees of a notebook, without side roads, solutions and folded answers of the quiz.

    >>> cells = [{"cell_type": "markdown", "metadata": {}, "source": ["Two ", "words. $$x = 1$$"]}]
    >>> content({"cells": cells})
    {'words': 2, 'lines of code': 0, 'outputs': 0, 'formulas': 1, 'proofs': 0}
    """
    found = dict.fromkeys(SECONDS, 0)
    for tags, cell, source in on_the_main_road(notebook):
        if tags & HIDDEN:
            continue
        if cell["cell_type"] == "code":
            found["outputs"] += bool(cell["outputs"])
            if "hide-input" not in tags:
                found["lines of code"] += sum(bool(line.strip()) for line in source.splitlines())
            continue
        text = FOLDED.sub("", source)
        found["formulas"] += len(DISPLAYED.findall(text))
        found["proofs"] += text.count("**Proof")
        found["words"] += len(DISPLAYED.sub("", text).split())
    return found


def on_the_main_road(notebook: dict) -> Iterator[tuple[set[str], dict, str]]:
    """Yield the cells outside side roads, each with its tags and its text.

    A side road begins with a heading in a cell tagged ``aside``, and ends before a heading that is as high.

    >>> texts = ["## A", "### Why?", "Because.", "#### More", "### B"]
    >>> cells = [{"metadata": {}, "source": [text]} for text in texts]
    >>> cells[1]["metadata"]["tags"] = ["aside"]
    >>> [text for _, _, text in on_the_main_road({"cells": cells})]
    ['## A', '### B']
    """
    folded = 0  # the level of the heading of the side road; 0 on the main road
    for cell in notebook["cells"]:
        tags, source = set(cell["metadata"].get("tags", [])), "".join(cell["source"])
        level = len(HEADING.match(source)[0]) if cell.get("cell_type") != "code" else 0
        if 0 < level <= folded:
            folded = 0
        if "aside" in tags:
            folded = level
        if not folded:
            yield tags, cell, source


def notebook_of(chapter: int) -> Path | None:
    """Return the file of a chapter, or None where it is not written yet."""
    return next((ROOT / "chapters").glob(f"{chapter:02d}_*.ipynb"), None)


def minutes(chapter: int) -> int:
    """Return how long a chapter takes to read, in whole minutes; 0 for one that is not written yet."""
    path = notebook_of(chapter)
    if path is None:
        return 0
    found = content(json.loads(path.read_text(encoding="utf-8")))
    return round(sum(SECONDS[what] * count for what, count in found.items()) / 60)


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


# The page


def with_cards(markdown: str) -> str:
    """Put the reading times into the first page, and into each chapter's entry what its card shows."""
    markdown = MINUTES.sub(lambda m: time_of(m["path"]), markdown)
    return ENTRY.sub(lambda m: card(int(m["number"]), m["link"], m["says"]), markdown)


def card(chapter: int, link: str, says: str) -> str:
    """Return the entry of a chapter, an item of a list in Markdown, with what its card shows.

    >>> card(99, "[Leaves](99_leaves.ipynb)", "what falls.").partition(" <small>")[0]  # doctest: +ELLIPSIS
    '99. <span class="chapter" ...>99</span> [Leaves](99_leaves.ipynb) <span class="says">What falls.</span>'
    """
    needs = BUILDS_ON.get(chapter, ())
    number = f'<span class="chapter" data-needs="{" ".join(map(str, needs))}">{chapter}</span>'
    said = f'<span class="says">{says[0].upper()}{says[1:]}</span>'
    return f"{chapter}. {number} {link} {said} <small>{minutes(chapter)} min{in_words(needs)}</small>"


def in_words(needs: tuple[int, ...]) -> str:
    """Say on which chapters one builds.

    >>> in_words((7, 13, 16)), in_words((8,)), in_words(())
    (' · needs 7, 13 and 16', ' · needs 8', '')
    """
    *first, last = map(str, needs or ("",))
    return f" · needs {', '.join(first)}{' and ' if first else ''}{last}" if needs else ""


def time_of(path: str) -> str:
    """Say how long a path takes to read, where the map can find its chapters (`_static/map.js`)."""
    if path not in PATHS:
        raise ValueError(f"intro.md asks for the minutes of {path!r}; wanted one of {', '.join(PATHS)}")
    chapters = PATHS[path]
    said = duration(sum(map(minutes, chapters)))
    return f'<span class="road" data-chapters="{" ".join(map(str, chapters))}">about {said}</span>'
