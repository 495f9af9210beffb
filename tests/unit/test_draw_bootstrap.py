"""Bootstrap samples: a cell says how often a sample is drawn, and has a rim where it is left out."""

import itertools

import pytest
from pictures import SVG, fills, overlap, read, texts

from dtlib.book import pictures
from dtlib.messages import use_language

DRAWN = {"draw 1": [1, 1, 3, 4], "draw 2": [2, 2, 2, 2]}


def test_a_cell_counts_and_who_is_left_out_has_a_rim():
    shown = pictures.bootstrap(DRAWN, range(1, 5))
    assert shown.title == "2 draws from 4 samples"
    assert shown.description == "draw 1: left out 2. draw 2: left out 1, 3, 4."
    cells = list(read(shown).iter(f"{SVG}rect"))[1:]
    rims = [cell.get("stroke-dasharray") is not None for cell in cells]
    assert rims == [False, True, False, False, True, False, True, True]
    assert fills(read(shown), "rect")[1:] == ["paper" if rim else "accent" for rim in rims]
    strength = [float(cell.get("opacity")) for cell, rim in zip(cells, rims, strict=True) if not rim]
    assert strength == [0.5, 0.25, 0.25, 1.0]
    assert [word for word, *_ in texts(shown)][-1] == "4"


def test_a_draw_without_anybody_left_out():
    assert pictures.bootstrap({"all": "ab"}, "ab").description == "all: left out –."


@pytest.mark.parametrize("language", ["en", "zh"])
def test_words_keep_apart_and_inside(language):
    use_language(language)
    try:
        shown = pictures.bootstrap({f"draw {k}": [1] * 15 for k in range(1, 9)}, range(1, 16))
    finally:
        use_language("en")
    root = read(shown)
    found, width, height = texts(shown), *(float(root.get(side)) for side in ("width", "height"))
    assert [(a, b) for a, b in itertools.combinations(found, 2) if overlap(a, b)] == []
    assert all(x >= 0 and y >= 0 and right <= width and low <= height for _, x, y, right, low in found)


@pytest.mark.parametrize(("drawn", "names"), [({}, [1]), ({"a": []}, []), ({"a": [1, 7]}, [1, 2])])
def test_what_cannot_be_drawn_is_refused(drawn, names):
    with pytest.raises(ValueError, match="wanted draws of"):
        pictures.bootstrap(drawn, names)
