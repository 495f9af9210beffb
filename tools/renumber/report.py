"""What was changed, by kind, and what a human has to read."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from tools.renumber.rules import Edit, apply

UNSURE = re.compile(
    r"(?<!\w)(?:[Cc]hapters?|[Ff]igures?|[Ee]xercises?|[Ss]olutions?|[Ff]ormulas?|[Qq]uiz)"
    r"[ \xa0~-]\[?\d{1,2}(?:\.\d{1,2})?(?![\w%])"
    r"|[Cc]hapter[\"'\])]*\s*[<>=]=?\s*[\"']?\d{1,2}\b|(?<!\w)\d\d_\*"
)
BEFORE = 50


@dataclass
class Report:
    """Gathered while files are renumbered."""

    kinds: Counter[str] = field(default_factory=Counter)
    files: dict[str, str] = field(default_factory=dict)
    doubts: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)
    unsure: list[str] = field(default_factory=list)
    execute: set[str] = field(default_factory=set)

    def changed(self, where: str, text: str, changes: list[Edit]) -> str:
        """Return the changed text, and note what was done and what was left."""
        for edit in changes:
            if edit.kind == "of another book":
                self.others.append(said(where, text, edit.start, edit.end))
            elif edit.new != text[edit.start : edit.end]:
                self.kinds[edit.kind] += 1
            if edit.doubt:
                self.doubts.append(f"{said(where, text, edit.start, edit.end)}: {edit.doubt}")
        for m in UNSURE.finditer(text):
            if not any(edit.start < m.end() and m.start() < edit.end for edit in changes):
                self.unsure.append(said(where, text, *m.span()))
        return apply(text, changes)

    def compare(self, where: str, before: list[str], after: list[str]) -> None:
        """Note a cell that refers to other things than before."""
        if sorted(map(name_of, before)) != sorted(map(name_of, after)):
            self.doubts.append(f"{where}: refers to {after}, where it referred to {before}")

    def lines(self) -> Iterator[str]:
        """Yield the lines that are printed."""
        yield f"{len(self.files)} files change."
        yield from (f"{n:6} {kind}" for kind, n in sorted(self.kinds.items()))
        lists = {
            "Read again, what changed here reads otherwise": self.doubts,
            "Taken for numbers of other books, and left": self.others,
            "Left alone, and perhaps a number of this book": self.unsure,
            "Execute again (`make outputs`), they show what other chapters hold": sorted(self.execute),
        }
        for head, places in lists.items():
            if places:
                yield from ("", f"{head} ({len(places)}):", *(f"  {place}" for place in places))


def name_of(entry: str) -> str:
    """Return the name of a reference without its numbers.

    Examples
    --------
    >>> name_of("(2.3) entropy"), name_of("figure 17.5: figure-17-5"), name_of("chapter 3: another book")
    ('entropy', 'figure', 'another book')
    """
    name = re.sub(r"^\(\S+\) |^\w+ \S+: ", "", entry)
    return re.sub(r"-\d+-\d+$|\d\d_|(?<=-)\d+-\d+", "", name)


def said(where: str, text: str, start: int, end: int) -> str:
    """Return a place with the words around it."""
    words = text[max(0, start - BEFORE) : end + BEFORE // 2]
    line = f":{text.count(chr(10), 0, start) + 1}" if "#" not in where else ""
    return f"{where}{line}: {' '.join(words.split())}"
