"""What a fault is, and the ways to make one. A fault that finds no place, or more than one, is an error."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.book.notebooks import joined

Edit = Callable[[str], str]
Raw = dict[str, Any]


@dataclass(frozen=True)
class Fault:
    """One small fault.

    Parameters
    ----------
    name : str
        What is wrong, in a few words.
    part : str
        Where it belongs: a module of dtlib, data, or a kind of place in a notebook.
    file : str
        The file that is edited, from the top of the repository.
    shown : bool
        Whether a number that a chapter shows changes; then the notebooks alone must catch it.
    edit : callable
        From the text of the file to its text with the fault.
    """

    name: str
    part: str
    file: str
    shown: bool
    edit: Edit

    def plant(self, root: Path) -> None:
        """Write the fault into a copy of the repository."""
        (root / self.file).write_text(self.edited(root), encoding="utf-8")

    def edited(self, root: Path) -> str:
        """Return the text of the file with the fault.

        Raises
        ------
        LookupError
            If the place of the fault is not found exactly once, or nothing changes.
        """
        content = (root / self.file).read_text(encoding="utf-8")
        try:
            edited = self.edit(content)
        except LookupError as error:
            raise LookupError(f"fault “{self.name}” finds no place in {self.file}: {error}") from None
        if edited == content:
            raise LookupError(f"fault “{self.name}” changes nothing in {self.file}")
        return edited


def only(hits: list[Any] | int, what: str) -> Any:
    """Return the one hit, or say how many there are."""
    count = hits if isinstance(hits, int) else len(hits)
    if count != 1:
        raise LookupError(f"{what!r} is found {count} times, wanted once")
    return hits if isinstance(hits, int) else hits[0]


def text(old: str, new: str) -> Edit:
    """Replace a text that stands exactly once in the file.

    Examples
    --------
    >>> text("2", "e")("log 2")
    'log e'
    """

    def edit(content: str) -> str:
        only(content.count(old), old)
        return content.replace(old, new)

    return edit


def notebook(change: Callable[[Raw], None]) -> Edit:
    """Change a notebook in place."""

    def edit(content: str) -> str:
        raw = json.loads(content)
        change(raw)
        unchanged = raw == json.loads(content)
        return content if unchanged else json.dumps(raw, indent=1, ensure_ascii=False) + "\n"

    return edit


def fields(raw: Raw, kind: str) -> Iterator[tuple[Raw, str]]:
    """Yield the places of a kind of text: markdown or code sources, stdout, or the data of a MIME type."""
    for cell in raw["cells"]:
        if cell["cell_type"] == kind:
            yield cell, "source"
        for output in cell.get("outputs", ()):
            if output.get("name") == kind:
                yield output, "text"
            if kind in output.get("data", {}):
                yield output["data"], kind


def within(kind: str, old: str, new: str) -> Edit:
    """Replace a text that stands exactly once among the texts of a kind (see `fields`)."""

    def change(raw: Raw) -> None:
        hits = [place for place in fields(raw, kind) for _ in range(joined(place[0][place[1]]).count(old))]
        holder, key = only(hits, old)
        holder[key] = joined(holder[key]).replace(old, new)

    return notebook(change)


def cell_with(raw: Raw, part: str, kind: str = "code") -> Raw:
    """Return the one cell of a kind whose source has a text."""
    return only([c for c in raw["cells"] if c["cell_type"] == kind and part in joined(c["source"])], part)
