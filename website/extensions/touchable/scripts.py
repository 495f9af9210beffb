"""The scripts of the widgets become one file, which a page asks for when a reader comes near a widget."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx

SOURCE = Path(__file__).parents[2] / "on_demand" / "touch"
FIRST = ("base.js", "plot.js")  # what the others use


def joined(folder: Path) -> str:
    """Put the scripts of a folder one after the other, what the others use first."""
    rest = sorted(path.name for path in folder.glob("*.js") if path.name not in FIRST)
    return "\n".join((folder / name).read_text(encoding="utf-8") for name in (*FIRST, *rest))


def write(app: Sphinx, exception: Exception | None) -> None:
    """Write the one file in place of its parts (event build-finished)."""
    if exception is None and app.builder.name == "html":
        folder = app.outdir / "_static" / "touch"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        (folder / "touch.js").write_text(joined(SOURCE), encoding="utf-8")


def setup(app: Sphinx) -> None:
    app.connect("build-finished", write)
