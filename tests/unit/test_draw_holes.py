"""Holes: a cell of the table is filled where its value is known, and has a rim where it is missing."""

import itertools

import pandas as pd
import pytest
from pictures import SVG, fills, overlap, read, texts

from dtlib.book import pictures
from dtlib.datasets import load_watermelon
from dtlib.messages import use_language

X = pd.DataFrame({"color": ["pale", None, "dark"], "touch": [1.0, 2.0, float("nan")]}, index=[1, 2, 3])
Y = pd.Series(["yes", "no", "yes"])


def test_a_cell_has_the_color_of_its_class_and_a_hole_has_a_rim():
    shown = pictures.holes(X, Y)
    assert shown.title == "Known values: 4 of 6"
    assert shown.description == "1, yes: complete. 2, no: without color. 3, yes: without touch."
    cells = fills(read(shown), "rect")[1:]
    assert cells == ["class-1", "class-1", "paper", "class-0", "class-1", "paper"]
    rims = [rect.get("stroke-dasharray") is not None for rect in read(shown).iter(f"{SVG}rect")]
    assert rims[1:] == [color == "paper" for color in cells]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_words_keep_apart_and_inside(language):
    use_language(language)
    try:
        melons = load_watermelon("2.0a")
        shown = pictures.holes(melons.X, melons.y)
    finally:
        use_language("en")
    root = read(shown)
    found, width, height = texts(shown), *(float(root.get(side)) for side in ("width", "height"))
    assert [(a, b) for a, b in itertools.combinations(found, 2) if overlap(a, b)] == []
    assert all(x >= 0 and y >= 0 and right <= width and low <= height for _, x, y, right, low in found)


def test_complete_rows_are_those_without_a_hole():
    melons = load_watermelon("2.0a")
    complete = [f"{i}, {melons.y[i]}: complete." for i in melons.X.index[melons.X.notna().all(axis=1)]]
    said = pictures.holes(melons.X, melons.y).description
    assert [sentence in said for sentence in complete] == [True] * 4
    assert said.count("complete") == 4


@pytest.mark.parametrize(("features", "classes"), [(X[[]], Y), (X, Y[:2]), (X, Y.where(Y == "yes"))])
def test_what_cannot_be_drawn_is_refused(features, classes):
    with pytest.raises(ValueError, match="wanted cells, a class per row"):
        pictures.holes(features, classes)
