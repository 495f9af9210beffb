"""The notebooks of the book as the tests read them: raw, so that nothing is repaired on the way in."""

from __future__ import annotations

import html
import json
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
CHAPTERS = sorted((ROOT / "chapters").glob("*.ipynb"))
NUMBERED = [path for path in CHAPTERS if re.match(r"\d\d_", path.name)]

FIRST = "install"  # the id of the first code cell, the same in every notebook
SVG = "image/svg+xml"
TEXT_TYPES = ("text/plain", "text/html", "text/markdown", "text/latex")
TAG = re.compile(r"\\tag\{(\d+\.\d+)\}")
EXERCISE = re.compile(r"### Exercise (\d+)\.(\d+): \S")
SOLUTION = re.compile(r"#### Solution (\d+)\.(\d+)$")


@dataclass(frozen=True)
class Cell:
    """One cell: its text and what is stored under it."""

    id: str
    kind: str
    source: str
    metadata: dict[str, Any]
    count: int | None = None
    outputs: tuple[dict[str, Any], ...] = ()

    @property
    def tags(self) -> list[str]:
        """The tags of the cell."""
        return self.metadata.get("tags", [])

    @property
    def shown(self) -> str:
        """What the outputs say in text, without the markup of tables and pictures."""
        return "\n".join(text for output in self.outputs for text in output_texts(output))


@dataclass(frozen=True)
class Notebook:
    """One notebook."""

    path: Path
    metadata: dict[str, Any]
    cells: tuple[Cell, ...]

    @property
    def code(self) -> list[Cell]:
        """The code cells."""
        return [cell for cell in self.cells if cell.kind == "code"]

    @property
    def markdown(self) -> list[Cell]:
        """The markdown cells."""
        return [cell for cell in self.cells if cell.kind == "markdown"]

    @property
    def number(self) -> int:
        """The number of the chapter; 0 for a page without one."""
        return int(self.path.name[:2]) if self.path in NUMBERED else 0

    @property
    def tags(self) -> list[str]:
        """The numbers of the tagged equations, in order."""
        return [tag for cell in self.markdown for tag in TAG.findall(without_code(cell.source))]

    @property
    def exercises(self) -> list[str]:
        """The numbers of the exercises, in order."""
        return [".".join(m.groups()) for cell in self.markdown if (m := EXERCISE.match(cell.source))]


def chapter(name: str) -> Path:
    """Return the file of a chapter by the words of its name, which stay when its number changes.

    Examples
    --------
    >>> chapter("entropy").suffix
    '.ipynb'
    """
    [path] = [path for path in NUMBERED if path.stem[3:] == name]
    return path


def load(path: Path) -> Notebook:
    """Read a notebook file as it is."""
    return parse(path, path.read_text(encoding="utf-8"))


@lru_cache(maxsize=64)
def parse(path: Path, content: str) -> Notebook:
    """Read the text of a notebook file."""
    raw = json.loads(content)
    return Notebook(path, raw["metadata"], tuple(map(parse_cell, raw["cells"])))


def parse_cell(raw: dict[str, Any]) -> Cell:
    """Read one cell of the JSON."""
    return Cell(
        raw.get("id", ""),
        raw["cell_type"],
        joined(raw["source"]),
        raw["metadata"],
        raw.get("execution_count"),
        tuple(raw.get("outputs", ())),
    )


def joined(text: str | list[str]) -> str:
    """Return the text of a field that may be stored as a list of lines.

    Examples
    --------
    >>> joined(["a\\n", "b"])
    'a\\nb'
    """
    return text if isinstance(text, str) else "".join(text)


def output_texts(output: dict[str, Any]) -> list[str]:
    """List what one output says in text: stdout, plain text, tables; never the markup of a picture."""
    if output["output_type"] == "stream":
        return [joined(output["text"])]
    data = output.get("data", {})
    return [html_text(joined(data[kind])) for kind in TEXT_TYPES if kind in data]


def html_text(text: str) -> str:
    """Return the words of a piece of HTML, a space where a tag was.

    Examples
    --------
    >>> html_text("<style>td {top: 17px}</style><td>0.5</td><td>a &lt; b</td>").split()
    ['0.5', 'a', '<', 'b']
    """
    text = re.sub(r"<(style|script|svg)\b.*?</\1>", " ", text, flags=re.DOTALL)
    return html.unescape(re.sub(r"</?[A-Za-z!][^<>]*>", " ", text))


def without_code(markdown: str) -> str:
    """Blank the fenced blocks and code spans of a markdown text; every other character keeps its place.

    Examples
    --------
    >>> without_code("a `b` c")
    'a     c'
    """
    return re.sub(r"```.*?```|`[^`\n]+`", lambda m: " " * len(m[0]), markdown, flags=re.DOTALL)
