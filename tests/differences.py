"""A report in plain words of the cells whose fresh outputs differ from the stored ones, at the end of a run.

It says of each cell in which chapter it is, what is stored, and what came instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile, zip_longest
from pathlib import Path
from typing import Any

import pytest
from nbval.plugin import IPyNbCell

from tests.book.notebooks import joined, load

ERROR, STOPPED = "error", "the cell stopped"
KINDS = {
    "stdout": "printed text",
    "text/plain": "text",
    "text/html": "a table",
    "image/svg+xml": "a picture",
    "stderr": "a warning",
}
NOTHING, WIDTH, BEFORE = "(nothing)", 96, 24
ADVICE = "If the new outputs are the right ones, `make outputs` stores them."


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
    """Note what differs in a cell that failed; a note travels from the worker processes to the summary."""
    report = yield
    if isinstance(item, IPyNbCell) and report.when == "call" and report.failed:
        report.user_properties.append(("difference", note(item, call)))
    return report


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print the notes, notebook by notebook."""
    failed = terminalreporter.stats.get("failed", [])
    notes = [said for report in failed for key, said in report.user_properties if key == "difference"]
    if not notes:
        return
    notebooks = sorted({said["notebook"] for said in notes})
    terminalreporter.section("outputs that differ from the stored ones")
    for notebook in notebooks:
        terminalreporter.write_line(notebook)
        for line in lines_of([said for said in notes if said["notebook"] == notebook]):
            terminalreporter.write_line(line)
    terminalreporter.write_line(
        f"\nCells that differ: {len(notes)}, in notebooks: {len(notebooks)}. {ADVICE}"
    )


def note(item: IPyNbCell, call: pytest.CallInfo[None]) -> dict[str, str]:
    """Say which cell failed, what is stored, and what came."""
    path = Path(item.path)
    title = load(path).markdown[0].source.split("\n")[0].removeprefix("# ")
    why = str(call.excinfo.value) if call.excinfo else ""
    kind, stored, came = difference(item.cell.outputs, item.test_outputs or [], why)
    notebook = f"{path.parent.name}/{path.name}: {title}"
    cell = f"code cell [{item.cell_num + 1}], {item.cell.get('id', 'without id')}"
    return {"notebook": notebook, "cell": cell, "kind": kind, "stored": stored, "got": came}


def lines_of(notes: list[dict[str, str]]) -> Iterator[str]:
    """Yield the report about a notebook: what follows a cell that stopped is only counted.

    Examples
    --------
    >>> told = {"cell": "code cell [3], fit", "kind": "text", "stored": "9 leaves", "got": "8 leaves"}
    >>> print(*lines_of([told, told | {"kind": STOPPED, "got": "KeyError: 0"}, told]), sep=chr(10))
      code cell [3], fit: text
        stored: 9 leaves
        got:    8 leaves
      code cell [3], fit: the cell stopped
        stored: 9 leaves
        got:    KeyError: 0
      and cells below it: 1
    """
    told = [*takewhile(lambda said: said["kind"] != STOPPED, notes)]
    told += notes[len(told) : len(told) + 1]
    for said in told:
        yield from (
            f"  {said['cell']}: {said['kind']}",
            f"    stored: {said['stored']}",
            f"    got:    {said['got']}",
        )
    if len(told) < len(notes):
        yield f"  and cells below it: {len(notes) - len(told)}"


def difference(stored: Sequence[Any], came: Sequence[Any], why: str) -> tuple[str, str, str]:
    """Return the kind of output that differs first, and in it the first stored and fresh lines that differ.

    Parameters
    ----------
    stored, came : sequence of outputs
        As they stand in a notebook.
    why : str
        What to say where no text differs.

    Returns
    -------
    kind, stored, came : str

    Examples
    --------
    >>> old = {"output_type": "stream", "name": "stdout", "text": "a tree" + chr(10) + "9 leaves"}
    >>> difference([old], [old | {"text": "a tree" + chr(10) + "8 leaves"}], "")
    ('printed text', '9 leaves', '8 leaves')
    >>> difference([old], [], "")
    ('printed text', 'a tree', '(nothing)')
    >>> difference([old], [{"output_type": "error", "ename": "KeyError", "evalue": "'a'"}], "")
    ('the cell stopped', 'a tree', "KeyError: 'a'")
    """
    old, new = texts(stored), texts(came)
    if ERROR in new and ERROR not in old:
        first = next((old[kind] for kind in KINDS if kind in old), "")
        return STOPPED, lines_that_differ(first, "")[0], new[ERROR]
    for kind, name in KINDS.items():
        if old.get(kind, "") != new.get(kind, ""):
            return name, *lines_that_differ(old.get(kind, ""), new.get(kind, ""))
    return why, NOTHING, NOTHING


def texts(outputs: Sequence[Any]) -> dict[str, str]:
    """Return what outputs say, by kind: the parts of a kind in a row, as nbval compares them."""
    said: dict[str, str] = {}
    for output in outputs:
        if output["output_type"] == "stream":
            parts = {output["name"]: joined(output["text"])}
        elif output["output_type"] == ERROR:
            parts = {ERROR: f"{output['ename']}: {output['evalue']}"}
        else:
            parts = {kind: joined(text) + "\n" for kind, text in output["data"].items() if kind in KINDS}
        said |= {kind: said.get(kind, "") + text for kind, text in parts.items()}
    return said


def lines_that_differ(old: str, new: str) -> tuple[str, str]:
    """Return the first lines of two texts that differ, of long ones what is around the first difference.

    Examples
    --------
    >>> lines_that_differ("a" + chr(10) + "b", "a" + chr(10) + "c")
    ('b', 'c')
    >>> [len(line) for line in lines_that_differ("x" * 500 + "1", "x" * 500 + "2" * 500)]
    [29, 104]
    """
    pairs = zip_longest(old.splitlines(), new.splitlines())
    lines = next(((a, b) for a, b in pairs if a != b), (None, None))
    first, second = (line or "" for line in lines)
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False)))
    at = max(0, same - BEFORE) if max(len(first), len(second)) > WIDTH else 0
    return clipped(lines[0], at), clipped(lines[1], at)


def clipped(line: str | None, at: int) -> str:
    """Return a line from a place on, with dots where something is left out."""
    if line is None:
        return NOTHING
    return "... " * (at > 0) + line[at : at + WIDTH] + " ..." * (len(line) > at + WIDTH)
