"""Finds the numbered formulas in the chapters."""

from __future__ import annotations

import re
from functools import cache

from tests.book.notebooks import NUMBERED, TAG, load, without_code

DISPLAY = re.compile(r"\$\$(.+?)\$\$", re.DOTALL)


@cache
def displays() -> dict[str, str]:
    """Return the TeX of every numbered formula, as its chapter writes it.

    Examples
    --------
    >>> displays()["10.7"].split()[1:4]
    ['a', '=', '\\\\frac{N_=}{N}']
    """
    texts = (without_code(cell.source) for path in NUMBERED for cell in load(path).markdown)
    shown = [m[1] for text in texts for m in DISPLAY.finditer(text)]
    return {tag[1]: tex for tex in shown if (tag := TAG.search(tex))}
