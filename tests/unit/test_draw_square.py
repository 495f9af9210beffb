"""The square of two draws: areas are chances, words neither overlap nor leave the picture."""

import itertools

import numpy as np
import pandas as pd
import pytest
from pictures import SVG, fills, overlap, read, texts

from dtlib.book import pictures
from dtlib.book.pictures.entropies import SIDE
from dtlib.draw.svg import text_width
from dtlib.measures import gini
from dtlib.messages import use_language


def cells(shown):
    rects = list(read(shown).iter(f"{SVG}rect"))[1:]
    return [float(rect.get("width")) * float(rect.get("height")) / SIDE**2 for rect in rects]


@pytest.mark.parametrize("counts", [[1, 3], [1, 7], [5, 5], [3, 0, 3], [1, 2, 3, 4], [9, 1, 1], [4]])
def test_what_lies_off_the_diagonal_is_the_gini_index(counts):
    shown = pictures.two_draws(counts)
    k = sum(n > 0 for n in counts)
    same = cells(shown)[:: k + 1]
    assert sum(cells(shown)) == pytest.approx(1, abs=1e-3)
    assert 1 - sum(same) == pytest.approx(gini(counts), abs=1e-3)
    assert f"of different classes {gini(counts):.4f}." in shown.description


@pytest.mark.parametrize("counts", [[1, 3], [1, 10], [1, 11], [1, 12], [1, 7, 2]])
def test_a_chance_is_written_in_the_middle_of_each_field_with_room_for_it(counts):
    shown = pictures.two_draws(counts)
    fields = [[float(r.get(k)) for k in ("x", "y", "width", "height")] for r in read(shown).iter(f"{SVG}rect")
              if "%" not in r.get("width")]  # fmt: skip
    written = []
    for (x, y, width, height), (a, b) in zip(fields, itertools.product(counts, repeat=2), strict=True):
        chance = f"{a * b / sum(counts) ** 2:.4g}"
        if width > text_width(chance) + 8 and height > 20:
            (box,) = (t for t in texts(shown) if x < t[1] < t[3] < x + width and y < t[2] < t[4] < y + height)
            assert box[0] == chance
            assert (box[1] + box[3]) / 2 == pytest.approx(x + width / 2, abs=0.01)
            written.append(box)
    inside = [t for t in texts(shown) if t[1] > fields[0][0] and fields[0][1] < t[2] < fields[0][1] + SIDE]
    assert len(inside) == len(written)


def test_counts_may_be_a_list_an_array_or_a_series_with_names():
    one, other = (pictures.two_draws(counts).description for counts in ([1, 3], np.array([1, 3])))
    assert one == other
    assert "yes and yes 0.5625" in pictures.two_draws(pd.Series([1, 3], ["no", "yes"])).description


def test_classes_keep_their_colors():
    shown = fills(read(pictures.two_draws([3, 0, 3])), "rect")
    assert shown == ["paper", "class-0", "line", "line", "class-2"]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("counts", [[1, 3], [1, 30], [30, 1], [50, 1, 1], [1, 1, 50], [1, 1, 1, 1, 1]])
def test_words_are_apart_and_inside(counts, language):
    use_language(language)
    try:
        shown = pictures.two_draws(counts, names=[f"class {k}" for k in range(len(counts))])
    finally:
        use_language("en")
    found = texts(shown)
    width, height = (float(read(shown).get(side)) for side in ("width", "height"))
    assert [(a, b) for a, b in itertools.combinations(found, 2) if overlap(a, b)] == []
    assert [box for box in found if box[1] < 0 or box[3] > width or box[4] > height or box[2] < 0] == []


def test_names_come_from_the_index():
    assert "no and no 0.1600, yes and yes 0.3600" in repr(pictures.two_draws(pd.Series({"no": 6, "yes": 9})))


def test_chinese():
    said = "0 与 0 0.0625，1 与 1 0.5625；类别不同 0.3750。"  # noqa: RUF001
    use_language("zh")
    try:
        assert pictures.two_draws([1, 3]).description == said
    finally:
        use_language("en")


@pytest.mark.parametrize(
    ("counts", "names", "message"),
    [
        ([0, 0], None, "not empty"),
        ([[1, 2]], None, "class counts"),
        ([1, -1, 3], None, "-1"),
        ([1, 2], ["a"], "names has 1 entry, counts 2"),
    ],
)
def test_errors(counts, names, message):
    with pytest.raises(ValueError, match=message):
        pictures.two_draws(counts, names)
