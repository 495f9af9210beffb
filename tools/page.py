"""Show pages of the book as they are now: `make page ARGS=chapters/04_id3.ipynb`.

The website in _build/ is built further: what has not changed is kept, so one edited chapter takes seconds.
The first time, and after a change of the extensions, the whole book is built. `make book` always builds all.
"""

from __future__ import annotations

import os
import subprocess
import sys
import webbrowser
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SITE = Path("_build", "html")
SUFFIXES = (".ipynb", ".md")


def address(root: Path, source: str) -> Path:
    """Return where the page of a source is built.

    Examples
    --------
    >>> address(Path("book"), "chapters/04_id3.ipynb").as_posix()
    'book/_build/html/chapters/04_id3.html'
    """
    path = Path(source)
    inside = path.resolve().relative_to(root.resolve()) if path.is_absolute() else path
    return root / SITE / inside.with_suffix(".html")


def unknown(root: Path, sources: Iterable[str]) -> list[str]:
    """Return what is asked for and is no source of a page."""
    return [name for name in sources if Path(name).suffix not in SUFFIXES or not (root / name).is_file()]


def extensions_changed(root: Path) -> bool:
    """Return whether an extension is younger than what it made; Sphinx sees changes of pages and settings."""
    made = root / "_build" / ".doctrees" / "environment.pickle"
    extensions = (root / "_ext").rglob("*.py")
    return made.is_file() and any(path.stat().st_mtime > made.stat().st_mtime for path in extensions)


def build(root: Path) -> int:
    """Build what has changed, say every warning, and return the exit status."""
    book = Path(sys.executable).with_name("jupyter-book")
    everything = ["--all"] if extensions_changed(root) else []
    command = [str(book), "build", "-n", "--quiet", *everything, str(root)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        print(done.stdout)
    return done.returncode


def main(sources: list[str]) -> int:
    """Build, and say where the pages are; with OPEN=1 open them in a browser."""
    wrong = unknown(ROOT, sources)
    if wrong:
        print(f"{', '.join(wrong)}: no such notebook or Markdown page; wanted one as chapters/04_id3.ipynb")
        return 2
    status = build(ROOT)
    if status == 0:
        for source in sources or ["intro.md"]:
            page = address(ROOT, source)
            print(page.as_uri())
            if os.environ.get("OPEN") == "1":
                webbrowser.open(page.as_uri())
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
