"""Show pages of the book as they are now: `make page ARGS=chapters/04_id3.ipynb`.

The website in _build/ is built further: what has not changed is kept, so one edited chapter takes seconds.
The first time, and after a change of the extensions, the whole book is built. `make book` always builds all.
"""

from __future__ import annotations

import os
import subprocess
import sys
import webbrowser
from collections.abc import Collection, Iterable
from pathlib import Path

from sphinx_external_toc.parsing import parse_toc_yaml

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
    return root / SITE / inside_of(root, Path(source)).with_suffix(".html")


def unknown(root: Path, sources: Iterable[str]) -> list[str]:
    """Return what is asked for and is no source of a page: the table of contents does not have it.

    Examples
    --------
    >>> unknown(ROOT, ["chapters/04_id3.ipynb", "README.md", "chapters/99.ipynb", "chapters/04_id3"])
    ['README.md', 'chapters/99.ipynb', 'chapters/04_id3']
    """
    listed = parse_toc_yaml(root / "_toc.yml").keys()
    return [name for name in sources if not is_source(root, Path(name), listed)]


def is_source(root: Path, source: Path, listed: Collection[str]) -> bool:
    """Return whether a file is there and the table of contents lists it."""
    inside = inside_of(root, source)
    is_listed = inside.suffix in SUFFIXES and inside.with_suffix("").as_posix() in listed
    return is_listed and (root / inside).is_file()


def inside_of(root: Path, path: Path) -> Path:
    """Return a path as it is in a folder; one that leads out of it stays."""
    whole = (root / path).resolve()
    return whole.relative_to(root.resolve()) if whole.is_relative_to(root.resolve()) else path


def extensions_changed(root: Path) -> bool:
    """Return whether an extension is younger than what it made; Sphinx sees changes of pages and settings."""
    made = root / "_build" / ".doctrees" / "environment.pickle"
    extensions = (
        *(root / "website" / "extensions").rglob("*.py"),
        *(root / "website" / "extensions").rglob("*.js"),
    )
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
        print(f"{', '.join(wrong)}: no page of the book; wanted one of _toc.yml, as chapters/04_id3.ipynb")
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
