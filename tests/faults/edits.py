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
SHOWN, HIDDEN = True, False  # whether a fault touches a number that a chapter shows


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


def only(count: int, what: str) -> None:
    """Insist that something is found once."""
    if count != 1:
        raise LookupError(f"{what!r} is found {count} times, wanted once")


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


def texts(file: str, part: str, *rows: tuple[str, bool, str, str]) -> Iterator[Fault]:
    """Yield a fault for each row: name, shown or hidden, what stands once in the file, what is put there."""
    for name, shown, old, new in rows:
        yield Fault(name, part, file, shown, text(old, new))


def notebook(change: Callable[[Raw], None]) -> Edit:
    """Change a notebook in place."""

    def edit(content: str) -> str:
        raw = json.loads(content)
        change(raw)
        unchanged = raw == json.loads(content)
        return content if unchanged else json.dumps(raw, indent=1, ensure_ascii=False) + "\n"

    return edit


def fields(raw: Raw, kind: str, cell_id: str) -> Iterator[tuple[Raw, str]]:
    """Yield where a cell has a kind of text: markdown or code source, stdout, or data of a MIME type."""
    for cell in (cell for cell in raw["cells"] if cell["id"] == cell_id):
        if cell["cell_type"] == kind:
            yield cell, "source"
        for output in cell.get("outputs", ()):
            if output.get("name") == kind:
                yield output, "text"
            if kind in output.get("data", {}):
                yield output["data"], kind


def within(cell_id: str, kind: str, old: str, new: str) -> Edit:
    """Replace a text that stands exactly once in what a cell has of a kind (see `fields`)."""

    def change(raw: Raw) -> None:
        places = list(fields(raw, kind, cell_id))
        only(sum(joined(holder[key]).count(old) for holder, key in places), old)
        for holder, key in places:
            holder[key] = joined(holder[key]).replace(old, new)

    return notebook(change)


def cell(raw: Raw, cell_id: str) -> Raw:
    """Return the one cell with an id."""
    found = [cell for cell in raw["cells"] if cell["id"] == cell_id]
    only(len(found), cell_id)
    return found[0]
