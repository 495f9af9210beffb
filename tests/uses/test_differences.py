"""The report at the end of a run of nbval: which cell, what is stored, what came instead."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from tests.book.notebooks import ROOT

KERNEL = {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}
CELLS = {
    "right": ("print('two leaves')", new_output("stream", name="stdout", text="two leaves\n")),
    "wrong": (
        "print('a tree')\nprint('two leaves')",
        new_output("stream", name="stdout", text="a tree\nsix leaves\n"),
    ),
    "fails": ("{}['a']", new_output("execute_result", {"text/plain": "5"}, execution_count=3)),
    "after": ("2", new_output("execute_result", {"text/plain": "1"}, execution_count=4)),
}


@pytest.mark.long
def test_the_report_tells_stored_from_fresh(tmp_path: Path) -> None:
    done = compare(tmp_path, list(CELLS), "2")
    assert done.returncode == 1
    report = done.stdout.partition("outputs that differ from the stored ones")[2].partition("\n")[2]
    assert report.partition("\n\n")[0].splitlines() == [
        f"{tmp_path.name}/book.ipynb: Two leaves",
        "  code cell [2], wrong: printed text",
        "    stored: six leaves",
        "    got:    two leaves",
        "  code cell [3], fails: the cell stopped",
        "    stored: 5",
        "    got:    KeyError: 'a'",
        "  and cells below it: 1",
    ]
    assert "Cells that differ: 3, in notebooks: 1." in report


def compare(folder: Path, names: list[str], workers: str) -> subprocess.CompletedProcess[str]:
    """Compare a notebook of these cells with what is stored in it."""
    cells = [new_code_cell(CELLS[name][0], id=name, outputs=[CELLS[name][1]]) for name in names]
    for count, cell in enumerate(cells, start=1):
        cell.execution_count = count
    book = new_notebook(cells=[new_markdown_cell("# Two leaves"), *cells], metadata={"kernelspec": KERNEL})
    nbformat.write(book, folder / "book.ipynb")
    options = [
        "-q",
        "--tb=no",
        "-n",
        workers,
        "--dist",
        "loadfile",
        "--nbval",
        "--nbval-current-env",
        "-p",
        "no:cacheprovider",
    ]
    command = [sys.executable, "-m", "pytest", *options, "-p", "tests.differences", f"--rootdir={folder}"]
    return subprocess.run(
        [*command, str(folder / "book.ipynb")], cwd=ROOT, check=False, capture_output=True, text=True
    )


@pytest.mark.long
def test_nothing_is_reported_where_nothing_differs(tmp_path: Path) -> None:
    done = compare(tmp_path, ["right"], "0")
    assert done.returncode == 0
    assert "differ" not in done.stdout
