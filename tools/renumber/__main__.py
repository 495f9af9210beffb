"""Chapters in a new order: put their lines in `_toc.yml` in order, then `python -m tools.renumber`.

It renames the files of the chapters and gives everything that carries a chapter's number its new one. It
prints what it changed, by kind, and what it left for you to read; `--dry-run` only prints.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tests.book.notebooks import ROOT
from tools.renumber.files import renumber, write
from tools.renumber.moves import moves_of
from tools.renumber.report import Report


def main(arguments: list[str], root: Path = ROOT) -> int:
    """Renumber the book below a folder."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--dry-run", action="store_true", help="print what would change")
    parser.add_argument(
        "--in-order", action="store_true", help="number formulas, figures and exercises as they stand"
    )
    asked = parser.parse_args(arguments)
    try:
        moves = moves_of(root, asked.in_order)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    report = Report()
    texts = renumber(root, moves, report)
    if not asked.dry_run:
        write(root, texts, report)
    print(*report.lines(), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
