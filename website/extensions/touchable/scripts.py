"""The scripts of the widgets: a file for what all of them use, and one for each widget.

A page asks for the files of its own widgets, when a reader comes near one (``_static/touch.js``).
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx

SOURCE = Path(__file__).parents[2] / "on_demand" / "touch"
SHARED = ("base.js", "plot.js", "task.js")  # what the others use, in this order


def files(folder: Path) -> dict[str, list[Path]]:
    """Say what each file is made of, by its name: `touch` is shared; `grow_words.js` comes before `grow.js`.

    >>> [path.name for path in files(SOURCE)["grow"]]
    ['grow_stage.js', 'grow_tree.js', 'grow_words.js', 'grow.js']
    """
    made = {"touch": [folder / name for name in SHARED]}
    rest = (path for path in folder.glob("*.js") if path.name not in SHARED)
    for path in sorted(rest, key=lambda path: ("_" not in path.stem, path.name)):
        made.setdefault(path.stem.partition("_")[0], []).append(path)
    return made


def joined(paths: list[Path]) -> str:
    """Put scripts one after the other."""
    return "\n".join(path.read_text(encoding="utf-8") for path in paths)


def write(app: Sphinx, exception: Exception | None) -> None:
    """Write the files in place of their parts (event build-finished)."""
    if exception is None and app.builder.name == "html":
        folder = app.outdir / "_static" / "touch"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for name, paths in files(SOURCE).items():
            (folder / f"{name}.js").write_text(joined(paths), encoding="utf-8")


def setup(app: Sphinx) -> None:
    app.connect("build-finished", write)
