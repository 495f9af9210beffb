"""A table that fills: empty cells have a dashed rim, new ones more tint than those they were read from."""

import itertools

import numpy as np
import pandas as pd
import pytest
from pictures import SVG, overlap, read, texts

from dtlib.book import pictures
from dtlib.book.pictures.filling import FRESH, READ
from dtlib.messages import use_language

ROWS = ["all 17", "touch, hard and smooth: 12", "touch, soft and sticky: 5"]
TABLE = pd.DataFrame({"d = 0": [8, 6, 2], "d = 1": [3, 0, np.nan], "d = 2": [0, np.nan, np.nan]}, ROWS)


def test_new_cells_are_tinted_and_empty_ones_dashed():
    shown = pictures.filling(TABLE, new=[(ROWS[0], "d = 1")], read=[(r, "d = 0") for r in ROWS[1:]])
    assert shown.title == "A table that fills"
    assert shown.description.split(". ")[:2] == [
        "all 17: d = 0 8, d = 1 3, d = 2 0",
        f"{ROWS[1]}: d = 0 6, d = 1 0, d = 2 –",
    ]
    assert "New: all 17, d = 1. Read from: touch" in shown.description
    boxes = list(read(shown).iter(f"{SVG}rect"))[1:]
    assert [float(box.get("opacity")) for box in boxes if box.get("opacity")] == [FRESH, READ, READ]
    assert sum(box.get("stroke-dasharray") is not None for box in boxes) == TABLE.isna().sum().sum()


def test_nothing_new():
    assert "New" not in pictures.filling(TABLE, title="The end").description
    assert pictures.filling(TABLE, title="The end").title == "The end"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_words_keep_apart_and_inside(language):
    use_language(language)
    try:
        shown = pictures.filling(TABLE, new=[(ROWS[0], "d = 2")])
    finally:
        use_language("en")
    root = read(shown)
    found, width, height = texts(shown), *(float(root.get(side)) for side in ("width", "height"))
    assert [(a, b) for a, b in itertools.combinations(found, 2) if overlap(a, b)] == []
    assert all(x >= 0 and y >= 0 and right <= width and low <= height for _, x, y, right, low in found)


@pytest.mark.parametrize("cell", [(ROWS[1], "d = 2"), ("none", "d = 0"), (ROWS[0], "d = 3")])
def test_a_cell_without_a_number_is_refused(cell):
    with pytest.raises(ValueError, match="the table has no number at"):
        pictures.filling(TABLE, new=[cell])
