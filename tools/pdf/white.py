"""How much of each page of a PDF is white below its last line: ``python -m tools.pdf.white FILE``."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

MARGIN = 22 / 297  # of the height of a page, as book.css has it
PAPER = 245  # lighter is white


def white_end(gray: np.ndarray, margin: float = MARGIN) -> float:
    """Return which share of a page, without its margins, is white below the last ink.

    >>> page = np.full((100, 10), 255)
    >>> page[50, 5] = 0
    >>> white_end(page, margin=0)
    0.49
    """
    height = len(gray)
    inside = gray[round(margin * height) : round((1 - margin) * height)]
    inked = np.flatnonzero((inside < PAPER).any(axis=1))
    return float(1 - (inked[-1] + 1) / len(inside)) if len(inked) else 1.0


def white_ends(pdf: Path, margin: float = MARGIN) -> list[float]:
    """Return the white share of each page."""
    from pypdfium2 import PdfDocument

    pages = PdfDocument(pdf)
    return [white_end(page.render(scale=0.4, grayscale=True).to_numpy().squeeze(), margin) for page in pages]


if __name__ == "__main__":
    for number, share in enumerate(white_ends(Path(sys.argv[1])), start=1):
        if share > 0.4:
            print(f"page {number}: {share:.0%} white")
