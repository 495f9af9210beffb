"""A first draft of what a chapter claims: `python -m tools.claims chapters/04_id3.ipynb`.

It prints the cells whose references are not those of their metadata, each with the name of what it
points to, and the typed tables whose words are not sealed. Read them, then write them with `--write`, which
also seals those tables, and leaves a place for the expression of each right choice of a quiz or a guess
and of each other typed table, to be filled in.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from tests.book.notebooks import load, parse_cell
from tests.claims.forms import Claim, by_definition, choices, seal, tables, typed_table_faults
from tests.claims.references import book, reference_faults, references

TO_FILL_IN = ""


def drafted(raw: dict[str, Any]) -> dict[str, Any]:
    """Return the metadata of a Markdown cell with what is missing.

    Examples
    --------
    >>> drafted({"cell_type": "markdown", "source": "By (2.3).", "metadata": {}})
    {'refers': ['(2.3) entropy']}
    >>> table = "| way | choose it if |\\n|---|---|\\n| parts | rows are many |"
    >>> drafted({"cell_type": "markdown", "source": table, "metadata": {"tables": ["by definition"]}})
    {'tables': ['by definition: cacab36e']}
    """
    cell = parse_cell(raw)
    metadata = dict(cell.metadata)
    metadata.pop("refers", None)
    right = [
        choice
        for choice, is_right in choices(cell.source).items()
        if is_right and {"quiz", "guess"} & {*cell.tags}
    ]
    if right:
        metadata["right"] = {choice: metadata.get("right", {}).get(choice, TO_FILL_IN) for choice in right}
    if typed := tables(cell.source):
        said = metadata.get("tables", []) + [TO_FILL_IN] * len(typed)
        metadata["tables"] = [
            seal(rows) if by_definition(Claim(text, e, rows=rows)) else e
            for (text, rows), e in zip(typed, said, strict=False)
        ]
    found = references(cell.source, book())
    return metadata | ({"refers": found} if found else {})


def news(path: Path) -> list[str]:
    """List, cell by cell, the references and sealed tables that are not declared as they are in the text."""
    said = []
    for cell in load(path).markdown:
        for fault in reference_faults(cell.source, cell.metadata.get("refers", []), book()):
            listed = references(cell.source, book())
            said.append(f"{cell.id}: {fault}" + "".join(f"\n    {entry}" for entry in listed))
        said += [f"{cell.id}: {fault}" for fault in typed_table_faults(cell)]
    return said


def write(path: Path) -> None:
    """Store what is drafted; everything else in the file stays as it is."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    for raw in notebook["cells"]:
        if raw["cell_type"] == "markdown":
            raw["metadata"] = drafted(raw)
    text = json.dumps(notebook, ensure_ascii=False, indent=1, sort_keys=True)
    path.write_text(text + "\n", encoding="utf-8")


def main(arguments: list[str]) -> int:
    """Print the news of some chapters, and write them if asked to."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("notebooks", nargs="+", type=Path)
    parser.add_argument("--write", action="store_true", help="store them in the metadata of the cells")
    asked = parser.parse_args(arguments)
    for path in asked.notebooks:
        print(path, *news(path.resolve()), sep="\n  ")
        if asked.write:
            write(path)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
