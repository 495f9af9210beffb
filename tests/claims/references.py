"""What a cell refers to - chapters, equations, figures, exercises, other pages - each by number and name.

A reference says its name in the metadata of its cell (`refers`), in the order of the text, so that a wrong
number in the text is not what the metadata say, and a number that now belongs to something else neither.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from tests.book.notebooks import EXERCISE, NUMBERED, ROOT, TAG, Notebook, load, without_code

ELSEWHERE = "another book"
LINK = re.compile(r"\[([^\]\n]*)\]\((?!https?:|mailto:)([^)\s#]*)(#[^)\s]*)?\)")
SAID = re.compile(r"(?i)\bequations?\s+$")
EQUATION = re.compile(r"\((\d+\.\d+)\)")
LISTED = r"\s+\d+(?:\.\d+)?(?:(?:,\s+|,?\s+and\s+|,?\s+or\s+|\s+to\s+|[-\u2013])\d+(?:\.\d+)?)*"
PLACE = re.compile(rf"(?i)\b(chapter|equation|figure|exercise|solution)s?({LISTED})")
CAPTION = re.compile(r"\*\*Figure (\d+\.\d+)\.\*\*")
OWN = re.compile(r"^###+ (?:Exercise|Solution) \d+\.\d+.*$|^\*\*Figure \d+\.\d+\.\*\*", re.MULTILINE)
ANOTHERS = re.compile(r"(?i)\b(?:its|their|his|her)\s+$|bibliography\.md#\w+\)\)?,\s*$")
OF_ANOTHER = re.compile(
    r"\s+of (?:(?:their|his|her) book|\w+'s|[A-Z]\w+\s[A-Z]\w+|\[[^\]]*\]\([^)]*bibliography\.md#)"
)


@dataclass
class Targets:
    """What the book has, by number: the names of its chapters, equations, figures and exercises."""

    chapters: dict[str, str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)  # the number of a chapter by the name of its file
    equations: dict[str, str] = field(default_factory=dict)
    figures: dict[str, str] = field(default_factory=dict)
    exercises: dict[str, str] = field(default_factory=dict)

    def entry(self, kind: str, number: str) -> str:
        """Return a reference as the metadata have it.

        Examples
        --------
        >>> Targets(equations={"2.3": "entropy"}).entry("equation", "2.3")
        '(2.3) entropy'
        >>> Targets().entry("figure", "2.9")
        'figure 2.9: not in the book'
        """
        names = {
            "chapter": self.chapters,
            "equation": self.equations,
            "figure": self.figures,
            "exercise": self.exercises,
            "solution": self.exercises,
        }[kind]
        if kind == "equation" and number in names:
            return f"({number}) {names[number]}"
        return f"{kind} {number}: {names.get(number, 'not in the book')}"


@lru_cache(maxsize=1)
def book() -> Targets:
    """Collect the targets of the whole book."""
    with (ROOT / "chapters" / "formulas.csv").open(encoding="utf-8", newline="") as file:
        names = {row["number"]: row["name"] for row in csv.DictReader(file)}
    return targets([load(path) for path in NUMBERED], names)


def targets(notebooks: list[Notebook], names: dict[str, str]) -> Targets:
    """Collect what some chapters have; an equation is called what the table of formulas calls it."""
    found = Targets()
    for notebook in notebooks:
        number = str(int(notebook.path.name[:2]))
        found.chapters[number], found.files[notebook.path.name] = title(notebook), number
        found.equations |= {tag: names.get(tag, "without a name") for tag in notebook.tags}
        for cell in notebook.markdown:
            if m := CAPTION.match(cell.source):
                found.figures[m[1]] = cell.id.removesuffix("-caption")
            if EXERCISE.match(cell.source):
                head, _, name = cell.source.partition("\n")[0].partition(": ")
                found.exercises[head.removeprefix("### Exercise ")] = name
    return found


def title(notebook: Notebook) -> str:
    """Return the title of a chapter, without the markup of code."""
    return notebook.markdown[0].source.partition("\n")[0].removeprefix("# ").replace("`", "")


def references(text: str, known: Targets) -> list[str]:
    """List the references of a Markdown text, in order, each with the name of what it points to.

    Examples
    --------
    >>> known = Targets({"2": "Entropy"}, {"02_entropy.ipynb": "2"}, {"2.3": "entropy", "2.10": "chain rule"})
    >>> references("By (2.3) of [chapter 2](02_entropy.ipynb), with (2.10), a share of (0.5).", known)
    ['(2.3) entropy', 'chapter 2: Entropy', '(2.10) chain rule']
    >>> references("[chapter 3](02_entropy.ipynb)", known)
    ['chapter 3: the link leads to chapter 2']
    """
    text = OWN.sub(lambda m: " " * len(m[0]), TAG.sub(lambda m: " " * len(m[0]), without_code(text)))
    found = list(links(text, known))
    text = LINK.sub(lambda m: m[0] if "bibliography.md" in m[2] else " " * len(m[0]), text)
    for m in EQUATION.finditer(text):
        if OF_ANOTHER.match(text, m.end()):
            found.append((m.start(), f"equation {m[1]}: {ELSEWHERE}"))
        elif m[1] in known.equations or SAID.search(text[: m.start()]):
            found.append((m.start(), known.entry("equation", m[1])))
    found += in_words(text, known)
    return [entry for _, entry in sorted(found)]


def links(text: str, known: Targets) -> Iterator[tuple[int, str]]:
    """Yield the links to pages of the book: a chapter's number is that of its file."""
    for m in LINK.finditer(text):
        number = known.files.get(Path(m[2]).name)
        said = PLACE.search(m[1])
        if number is not None and said and said[1].lower() == "chapter" and said[2].strip() != number:
            yield m.start(), f"chapter {said[2].strip()}: the link leads to chapter {number}"
        elif number is not None:
            yield m.start(), known.entry("chapter", number)
        elif m[2] and "bibliography.md" not in m[2]:
            yield m.start(), f"{Path(m[2]).name}{m[3] or ''}"


def in_words(text: str, known: Targets) -> Iterator[tuple[int, str]]:
    """Yield what is referred to in words: chapters 2 and 3, Figure 3.4, exercise 3.6."""
    for m in PLACE.finditer(text):
        kind = m[1].lower()
        for number in re.finditer(r"\d+(?:\.\d+)?", m[2]):
            if (kind == "chapter") == ("." in number[0]):
                continue
            before = ANOTHERS.search(text, max(0, m.start() - 60), m.start())
            foreign = before or OF_ANOTHER.match(text, m.end())
            at = m.start(2) + number.start()
            yield at, f"{kind} {number[0]}: {ELSEWHERE}" if foreign else known.entry(kind, number[0])


def reference_faults(text: str, declared: list[str], known: Targets) -> list[str]:
    """Say where the references of a text are not those that are declared: the first place of difference."""
    found = references(text, known)
    for i, entry in enumerate(found):
        if i >= len(declared):
            return [f"the text refers to {entry}, which `refers` does not have"]
        if declared[i] != entry:
            return [f"the text refers to {entry}, `refers` says {declared[i]}"]
    extra = declared[len(found) :]
    return [f"`refers` says {extra[0]}, which the text does not have"] if extra else []
