"""Runs chapters in this process: which lines of the library each reaches, which outputs a fault changes.

It is nbval without a kernel: the same cells in the same order, the same kinds of output.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from tests.faults.mutant import ROOT, read

COMPARED = ("text/plain", "text/html", "image/svg+xml")
Outputs = dict[str, list[tuple[str, str]]]  # of each cell: kind and text


def outputs(chapter: str) -> Outputs:
    """Run the code cells of a chapter; return what each says, an error included."""
    InteractiveShell.clear_instance()
    shell = InteractiveShell.instance()
    os.chdir((ROOT / chapter).parent)
    found: Outputs = {}
    for cell in json.loads(read(chapter))["cells"]:
        if cell["cell_type"] == "code":
            with capture_output() as said:
                shell.display_trap.hook = sys.displayhook  # or results would be printed
                result = shell.run_cell("".join(cell["source"]))
            found[cell["id"]] = [("stdout", said.stdout)] + [
                (kind, str(shown.data[kind]))
                for shown in said.outputs
                for kind in COMPARED
                if kind in shown.data
            ]
            if not result.success:
                found[cell["id"]].append(("error", repr(result.error_in_exec)))
    os.chdir(ROOT)
    return found


def changed(before: Outputs, after: Outputs) -> Outputs:
    """Return what differs, cell by cell.

    Examples
    --------
    >>> changed({"a": [("stdout", "1")], "b": []}, {"a": [("stdout", "2")], "b": []})
    {'a': [('stdout', '2')]}
    """
    return {cell: said for cell, said in after.items() if said != before[cell]}


def stored_again(chapter: str, new: Outputs) -> str:
    """Return the text of a chapter in which the outputs of some cells have been stored again."""
    raw = json.loads(read(chapter))
    for cell in raw["cells"]:
        if cell["id"] in new:
            said = list(new[cell["id"]])
            for output in cell["outputs"]:
                put(output, said)
    return json.dumps(raw, indent=1, ensure_ascii=False) + "\n"


def put(output: dict[str, Any], said: list[tuple[str, str]]) -> None:
    """Put the next text of each kind into a stored output."""
    kinds = ["stdout"] if output["output_type"] == "stream" else [*output.get("data", {})]
    for kind in kinds:
        text = next((text for name, text in said if name == kind), None)
        if text is not None:
            said.remove((kind, text))
            holder, key = (output, "text") if kind == "stdout" else (output["data"], kind)
            holder[key] = text.splitlines(keepends=True)


def all_chapters() -> list[str]:
    """List the chapters that run the library."""
    return [str(path.relative_to(ROOT)) for path in sorted(Path(ROOT, "chapters").glob("[0-9][0-9]_*.ipynb"))]
