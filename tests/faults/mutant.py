"""What a mutant is: a small change of files, with a name that unrelated edits do not change."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WIDTH = 150  # of what a report shows of a place, before and after


@dataclass(frozen=True)
class Change:
    """One piece of a file, from a character to another, and what is put there."""

    file: str
    start: int
    end: int
    new: str

    def applied(self, text: str) -> str:
        """Return the text of the file with the change.

        Examples
        --------
        >>> Change("f", 2, 3, ">=").applied("a < b")
        'a >= b'
        """
        return text[: self.start] + self.new + text[self.end :]


@dataclass(frozen=True)
class Mutant:
    """One small fault.

    Parameters
    ----------
    kind, group : str
        The operator that made it, and what the report counts it with: a package of the library, or a kind of
        file.
    place : str
        Where it is, in words that unrelated edits leave alone: a function's qualified name, the id of a cell.
    before, after : str
        The statement or line with and without the fault, white space folded.
    changes : tuple of Change
        The first is the place of the fault, others are what an author would store again.
    lines : tuple of int
        First and last line of the statement in the first file.
    fresh : bool
        Whether the file must be imported again: the fault is not in the body of a function.
    id : str
        Given by `named`.
    """

    kind: str
    group: str
    place: str
    before: str
    after: str
    changes: tuple[Change, ...]
    lines: tuple[int, int]
    fresh: bool = True
    id: str = ""

    @property
    def file(self) -> str:
        """The file of the fault, from the top of the repository."""
        return self.changes[0].file

    def texts(self, root: Path = ROOT) -> dict[str, str]:
        """Return the text of each file that changes, with the fault."""
        texts: dict[str, str] = {}
        for change in sorted(self.changes, key=lambda change: -change.start):
            text = texts.get(change.file) or read(change.file, root)
            texts[change.file] = change.applied(text)
        return texts

    def diff(self) -> str:
        """Return both lines, long ones around the first place where they differ."""
        same = next((k for k, (a, b) in enumerate(zip(self.before, self.after, strict=False)) if a != b), 0)
        at = max(0, same - WIDTH // 2) if max(len(self.before), len(self.after)) > WIDTH else 0
        return f"- {self.before[at : at + WIDTH]}\n+ {self.after[at : at + WIDTH]}"


def read(file: str, root: Path = ROOT) -> str:
    """Return the text of a file of the repository."""
    return (root / file).read_text(encoding="utf-8")


def named(mutants: Iterable[Mutant]) -> Iterator[Mutant]:
    """Give each mutant its id: file, place, kind and a digest of the lines, an ordinal where these are equal.

    Examples
    --------
    >>> one = Mutant("sign", "rest", "f", "-a", "a", (Change("dtlib/x.py", 0, 1, ""),), (1, 1))
    >>> [mutant.id for mutant in named([one, one])]
    ['dtlib/x.py:f:sign:e1428f', 'dtlib/x.py:f:sign:e1428f.2']
    """
    seen: Counter[str] = Counter()
    for mutant in mutants:
        digest = sha256(f"{mutant.before}\n{mutant.after}".encode()).hexdigest()[:6]
        name = f"{mutant.file}:{mutant.place}:{mutant.kind}:{digest}"
        seen[name] += 1
        yield replace(mutant, id=name if seen[name] == 1 else f"{name}.{seen[name]}")


def folded(text: str) -> str:
    """Return a text with all white space as single spaces.

    Examples
    --------
    >>> folded("a  (\\n    b)")
    'a ( b)'
    """
    return re.sub(r"\s+", " ", text).strip()
