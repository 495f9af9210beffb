"""A chapter as a student may see it: no solution, no answer, no note of the authors, no link to a file.

Examples
--------
>>> question = "Which?\\n\\n<details><summary>☐ This.</summary>\\n\\nRight. Because.\\n\\n</details>"
>>> print(without_answers(question))
Which?
<BLANKLINE>
- ☐ This.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

import nbformat
from nbformat import NotebookNode
from pybtex.database import parse_file

ROOT = Path(__file__).resolve().parents[2]
CHOICE = re.compile(r"(?ms)^<details><summary>☐ (\S.*?)</summary>\n\n(.+?)\n\n</details>$")
SHOWN = re.compile(r"(?ms)\n*^<details><summary>Show me</summary>\n.*?^</details>$")
CLICK = "Click on a choice to see whether it is right, and why."
TICK = "Choose one answer to each question."
LINK = re.compile(
    r"(?<!!)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]"
    r"\(((?:\.\./)*[\w./-]*\.(?:ipynb|md)(?:#[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)?|#[^()\s]+)\)"
)
HEADING = re.compile(r"^#{1,6} (.+)$", re.MULTILINE)
BESIDE = re.compile(r'beside\("([^"]+)"\)')
EXERCISE = re.compile(r"### Exercise (\d+)\.(\d+): ")
ALL_CHAPTERS = "folder_of_chapters()"
BIBLIOGRAPHY = "../bibliography.md"
KEPT = ("jupyter", "cellView")


@dataclass(frozen=True)
class Elsewhere:
    """Where links lead that lead out of a notebook.

    Parameters
    ----------
    site : str
        The address of the book's website, or nothing.
    sources : dict
        The address of each source that has one, by its key.
    """

    site: str = ""
    sources: dict[str, str] = field(default_factory=dict)

    @classmethod
    def known(cls, site: str) -> Elsewhere:
        """Return what the lists of sources say, and the address of the website."""
        sources = {}
        for name in ("references.bib", "notes.bib"):
            for key, entry in parse_file(str(ROOT / "reference" / name)).entries.items():
                doi, url = entry.fields.get("doi"), entry.fields.get("url")
                if doi or url:
                    sources[key.lower()] = f"https://doi.org/{doi}" if doi else url
        return cls(site and site.rstrip("/") + "/", sources)

    def address(self, target: str) -> str | None:
        """Return where a relative link of a chapter leads from anywhere, or None if that is not known.

        Examples
        --------
        >>> Elsewhere("https://e.org/").address("04_id3.ipynb#ties")
        'https://e.org/chapters/04_id3.html#ties'
        >>> Elsewhere(sources={"zhou2016": "https://z"}).address("../bibliography.md#zhou2016")
        'https://z'
        >>> Elsewhere().address("04_id3.ipynb") is None
        True
        """
        name, mark, anchor = target.partition("#")
        if name == BIBLIOGRAPHY and anchor.lower() in self.sources:
            return self.sources[anchor.lower()]
        if not self.site:
            return None
        path = PurePosixPath(name[3:] if name.startswith("../") else f"chapters/{name}")
        return f"{self.site}{path.with_suffix('.html')}{mark}{anchor}"


def read_chapter(path: Path) -> NotebookNode:
    """Read a notebook."""
    return nbformat.read(path, as_version=4)


def tags_of(cell: NotebookNode) -> set[str]:
    """Return the tags of a cell."""
    return set(cell.metadata.get("tags", []))


def exercise_number(cell: NotebookNode) -> tuple[int, int] | None:
    """Return the chapter and the number of an exercise; None for another cell."""
    found = EXERCISE.match(cell.source) if "exercise" in tags_of(cell) else None
    return (int(found[1]), int(found[2])) if found else None


def without_answers(text: str) -> str:
    """Return a quiz or a guess with its choices, without what is said of them, and without "Show me"."""
    text = SHOWN.sub("", CHOICE.sub(r"- ☐ \1", text)).replace(CLICK, TICK)
    return re.sub(r"(?m)^(- ☐ .*)\n\n(?=- ☐ )", r"\1\n", text)


def for_students(chapter: NotebookNode, elsewhere: Elsewhere) -> Iterator[tuple[NotebookNode, NotebookNode]]:
    """Yield the cells that a student may see, each with the cell of the chapter that it is made of."""
    own = [cell for cell in chapter.cells if "solution" not in tags_of(cell)]
    slugs = {slug(words) for cell in own if cell.cell_type == "markdown" for words in headings(cell.source)}
    for cell in own:
        kept = {key: cell.metadata[key] for key in KEPT if key in cell.metadata}
        if cell.cell_type == "code" and ALL_CHAPTERS in cell.source:
            yield nbformat.v4.new_markdown_cell(as_printed(cell), id=cell.id), cell
        elif cell.cell_type == "code":
            source = BESIDE.sub(lambda m: f'beside("{PurePosixPath(m[1]).name}")', cell.source)
            yield nbformat.v4.new_code_cell(source, id=cell.id, metadata=kept), cell
        else:
            text = without_answers(cell.source) if tags_of(cell) & {"quiz", "guess"} else cell.source
            source = with_links(text, elsewhere, slugs)
            yield nbformat.v4.new_markdown_cell(source, id=cell.id, metadata=kept), cell


def as_printed(cell: NotebookNode) -> str:
    """Return in words what a cell has printed that reads all chapters, which a student need not have."""
    printed = "".join(output.text for output in cell.outputs if output.output_type == "stream")
    return f"Here a cell of the book reads all of its chapters, and prints:\n\n```\n{printed.strip()}\n```"


def headings(text: str) -> list[str]:
    """Return the headings of a text."""
    return HEADING.findall(text)


def slug(words: str) -> str:
    """Return the anchor of a heading, as the chapters write it.

    Examples
    --------
    >>> slug("Between 0 and H(D): the proofs")
    'between-0-and-hd-the-proofs'
    """
    return re.sub(r"[^\w\- ]", "", words.strip().lower()).replace(" ", "-")


def with_links(text: str, elsewhere: Elsewhere, slugs: set[str]) -> str:
    """Return a text whose links lead somewhere from anywhere; of one that cannot, the words remain.

    Examples
    --------
    >>> with_links("[a](#b) [c](#d) [e](04_id3.ipynb) [f](https://g)", Elsewhere(), {"b"})
    '[a](#b) c e [f](https://g)'
    """

    def link(found: re.Match[str]) -> str:
        words, target = found[1], found[2]
        if target.startswith("#"):
            return found[0] if target[1:] in slugs else words
        address = elsewhere.address(target)
        return words if address is None else f"[{words}]({address})"

    return LINK.sub(link, text)


def files_of(chapter: NotebookNode, path: Path) -> dict[str, Path]:
    """Return the files that the cells of a chapter read, by the names that they have beside a handout."""
    code = "\n".join(cell.source for cell in chapter.cells if cell.cell_type == "code")
    files = {PurePosixPath(name).name: path.parent / name for name in BESIDE.findall(code)}
    lost = [str(file) for file in files.values() if not file.is_file()]
    if lost:
        raise FileNotFoundError(f"{path.name} reads {', '.join(lost)}, which is not there")
    return files


def new_notebook(chapter: NotebookNode, cells: list[NotebookNode]) -> NotebookNode:
    """Return a notebook for students: of what is known of the chapter, only the kernel is kept."""
    kept = {"kernelspec": chapter.metadata.kernelspec} if "kernelspec" in chapter.metadata else {}
    return nbformat.v4.new_notebook(cells=cells, metadata=kept)
