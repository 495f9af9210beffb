"""Make what a class gets: `python -m tools.teaching handout|graded|slides [CHAPTER ...] [--to FOLDER]`."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from tools.teaching.graded import make_graded
from tools.teaching.handout import make_handout
from tools.teaching.slides import make_slides
from tools.teaching.students import ROOT, Elsewhere

KINDS = {"handout": make_handout, "graded": make_graded, "slides": make_slides}


def main() -> int:
    """Make what is asked for of each chapter, and say where it lies."""
    parser = argparse.ArgumentParser(prog="python -m tools.teaching")
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("chapters", nargs="*", type=Path, help="all chapters, if none is named")
    parser.add_argument("--to", type=Path, default=ROOT / "class", help="the folder, class/ without it")
    given = parser.parse_intermixed_args()
    chapters = given.chapters or sorted((ROOT / "chapters").glob("[0-9]*.ipynb"))
    missing = [str(path) for path in chapters if not (path.suffix == ".ipynb" and path.is_file())]
    if missing:
        parser.error(f"there is no notebook {', '.join(missing)}; wanted chapters, as chapters/04_id3.ipynb")
    elsewhere = Elsewhere.known(os.environ.get("BOOK_URL", ""))
    folder = given.to / given.kind
    for path in chapters:
        print(KINDS[given.kind](path, folder, elsewhere))
    return 0


if __name__ == "__main__":
    sys.exit(main())
