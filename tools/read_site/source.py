"""What the sources of the pages promise: read anew from the notebooks, by nothing that builds the site."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from tools.read_site.page import Picture, counted, picture, tree

TAG = re.compile(r"\\tag\{(\d+\.\d+)\}")
CAPTION = re.compile(r"\*\*Figure (\d+\.\d+)\.\*\*")
HEADING = re.compile(r"^# +(.+?)\s*$", re.MULTILINE)
FENCED = re.compile(r"```.*?```", re.DOTALL)
CODE = re.compile(r"```.*?```|`[^`\n]+`", re.DOTALL)
TOUCH = re.compile(r"^```\{touch\} (\w+)", re.MULTILINE)
DISPLAY = re.compile(r"\$\$.*?\$\$", re.DOTALL)
NO_SIGN = re.compile(r"\\(?:text|textbf|mathrm|operatorname)\*?\{[^}]*\}|\\\\\[[^\]]*\]")
#: What ends a stretch of words: markup, formulas, code, addresses, punctuation that typesetting changes.
MARKUP = re.compile(
    r"\$[^$]*\$|`[^`]*`|\[[^\]]*\]\([^)]*\)|<[^>]*>|https?:\S+|[^\w\s'-]|_|\n\s*\n|^#.*$", re.MULTILINE
)
LONG = 10  # letters of a line of output
SVG = "image/svg+xml"


@dataclass
class Source:
    """What one source promises of its page.

    `formulas` are the numbers of its formulas, `figures` those of its captions, each with the picture above
    it, `pictures` all that its cells show, `widgets` the names in its tags, `claims` the expressions that
    compute phrases of its text.
    """

    name: str
    title: str = ""
    number: int = 0
    formulas: list[str] = field(default_factory=list)
    figures: list[tuple[str, Picture]] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    widgets: list[str] = field(default_factory=list)
    claims: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    signs: dict[str, dict[str, int]] = field(default_factory=dict)


def sources(root: Path) -> list[Source]:
    """Return the sources that the table of contents lists, in its order, chapters with their numbers."""
    toc = yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8"))
    found, chapter = [], 0
    for name, is_numbered in listed(toc):
        chapter += is_numbered
        found.append(source(root, name, chapter if is_numbered else 0))
    return found


def listed(entry: dict[str, Any], is_numbered: bool = False) -> Iterator[tuple[str, bool]]:
    """Yield the documents of an entry of the table of contents, and whether each has a number.

    Examples
    --------
    >>> list(listed({"root": "intro", "parts": [{"numbered": 1, "chapters": [{"file": "a"}]}]}))
    [('intro', False), ('a', True)]
    """
    yield from ((entry[key], is_numbered) for key in ("root", "file") if key in entry)
    for key in ("parts", "chapters", "sections"):
        for below in entry.get(key, []):
            yield from listed(below, key != "sections" and bool(entry.get("numbered", below.get("numbered"))))


def sections(entry: dict[str, Any]) -> dict[str, list[str]]:
    """Return the documents that have others below them in the table of contents, with those.

    Examples
    --------
    >>> sections({"parts": [{"chapters": [{"file": "a", "sections": [{"file": "b"}]}, {"file": "c"}]}]})
    {'a': ['b']}
    """
    found = {entry["file"]: [below["file"] for below in entry["sections"]]} if "sections" in entry else {}
    for key in ("parts", "chapters", "sections"):
        for below in entry.get(key, []):
            found |= sections(below)
    return found


def source(root: Path, name: str, number: int) -> Source:
    """Read one source."""
    notebook = root / f"{name}.ipynb"
    if notebook.is_file():
        return of_cells(name, number, json.loads(notebook.read_text(encoding="utf-8"))["cells"])
    text = (root / f"{name}.md").read_text(encoding="utf-8")
    found = of_cells(name, number, [{"cell_type": "markdown", "source": text, "metadata": {}}])
    found.words = []  # directives make more of these pages than they say
    return found


def of_cells(name: str, number: int, cells: list[dict[str, Any]]) -> Source:
    """Return what the cells of a notebook promise.

    Examples
    --------
    >>> cells = [{"cell_type": "markdown", "source": "# Entropy\\n$$ H = 0 \\\\tag{2.1} $$", "metadata": {}}]
    >>> found = of_cells("chapters/02_entropy", 2, cells)
    >>> found.title, found.formulas
    ('Entropy', ['2.1'])
    """
    found = Source(name, number=number)
    for cell in cells:
        text, tags = joined(cell["source"]), cell["metadata"].get("tags", [])
        found.widgets += [tag.split(":")[1] for tag in tags if tag.startswith("touch:")]
        found.widgets += ["guess"] * ("guess" in cell["metadata"])
        if cell["cell_type"] == "markdown":
            prose = CODE.sub("", text)
            found.claims += expressions(cell["metadata"].get("claims", {}))
            found.widgets += TOUCH.findall(text)
            found.title = found.title or next(iter(HEADING.findall(FENCED.sub("", text))), "")
            found.formulas += TAG.findall(prose)
            found.signs |= {n: signs(tex) for tex in DISPLAY.findall(prose) for n in TAG.findall(tex)}
            found.words += runs(DISPLAY.sub("", FENCED.sub("", text)))
            if "caption" in tags and found.pictures:
                found.figures += [(n, found.pictures[-1]) for n in CAPTION.findall(text)]
        for output in cell.get("outputs", ()):
            if output.get("output_type") == "stream" and "checks" not in tags:  # of those a table is made
                found.words += [line for line in joined(output["text"]).splitlines() if len(line) > LONG]
            if SVG in output.get("data", {}):
                found.pictures.append(drawn(joined(output["data"][SVG])))
    return found


def expressions(claims: dict[str, str]) -> list[str]:
    """Return what computes the phrases of a cell, with single spaces; nothing computes a definition.

    Examples
    --------
    >>> expressions({"two": "at the end: len(leaves)", "in bits": "by definition"})
    ['len(leaves)']
    """
    code = (" ".join(said.removeprefix("at the end: ").split()) for said in claims.values())
    return [said for said in code if said != "by definition"]


def runs(markdown: str) -> list[str]:
    """Return the stretches of words in a text that no markup, formula or link interrupts.

    Examples
    --------
    >>> runs("The tree of [Quinlan](x.md) asks for the largest gain, $g$, at each node.")
    ['The tree of', 'asks for the largest gain', 'at each node']
    """
    found = (run.strip() for run in MARKUP.split(markdown))
    return [run for run in found if len(run.split()) > 2]


def signs(tex: str) -> dict[str, int]:
    """Return how often a formula has each sign that is easily lost.

    Examples
    --------
    >>> signs(r"a - b = \\text{x-y} \\tag{1.1}")
    {'−': 1, '+': 0, '=': 1}
    """
    return counted(NO_SIGN.sub("", tex).replace("-", "−"))


def drawn(svg: str) -> Picture:
    """Return what a picture of an output says."""
    return picture(next(tree(svg).find("svg")), "")


def joined(text: str | list[str]) -> str:
    """Return the text of a field that may be stored as a list of lines."""
    return text if isinstance(text, str) else "".join(text)
