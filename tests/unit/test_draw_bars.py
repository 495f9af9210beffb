"""Bars and circles: lengths and areas are to scale, words neither overlap nor leave the picture."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pictures import SVG, fills, overlap, read, texts

from dtlib import draw
from dtlib.book import pictures
from dtlib.book.pictures.entropies import distance, lens
from dtlib.draw.svg import apart
from dtlib.messages import use_language

LABELS, VALUES = ["age", "has_job", "owns_house", "credit"], [0.083, 0.324, 0.42, 0.363]


def lengths(shown):
    return [float(rect.get("width")) for rect in list(read(shown).iter(f"{SVG}rect"))[1:]]


def all_apart_and_inside(shown):
    found, width, height = texts(shown), *(float(read(shown).get(side)) for side in ("width", "height"))
    for a, b in itertools.combinations(found, 2):
        assert not overlap(a, b), (a, b)
    assert all(
        left >= 0 and top >= 0 and right <= width and low <= height for _, left, top, right, low in found
    )


def test_bars_are_to_scale_and_say_their_values():
    shown = draw.bars(LABELS, VALUES, chosen=[2], axis="gain (bits)")
    assert shown.title == "gain (bits)"
    assert shown.description == "age 0.083, has_job 0.324, owns_house 0.420 (chosen), credit 0.363."
    assert np.array(lengths(shown)) / lengths(shown)[2] == pytest.approx(np.array(VALUES) / 0.42, abs=1e-4)
    assert fills(read(shown), "rect") == ["paper", "line", "line", "accent", "line"]
    all_apart_and_inside(shown)


def test_bars_of_classes():
    assert fills(read(draw.bars("ab", [1, 2], colors=["class-0", "class-1"])), "rect")[1:] == [
        "class-0",
        "class-1",
    ]
    assert fills(read(draw.bars("ab", [1, 2])), "rect")[1:] == ["accent", "accent"]


def test_bars_take_arrays():
    colors = np.array(["class-0", "class-1"])
    assert draw.bars("ab", [1, 2], colors=colors).svg == draw.bars("ab", [1, 2], colors=list(colors)).svg
    chosen = np.array([0, 1])
    assert draw.bars("ab", [1, 2], chosen=chosen).svg == draw.bars("ab", [1, 2], chosen=[0, 1]).svg


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"colors": ["red", "ink"]}, "colors has 'red'; the palette has ink"),
        ({"chosen": [9]}, r"chosen is \[9\]; the bars are 0 to 1"),
        ({"chosen": [-1]}, r"chosen is \[-1\]"),
    ],
)
def test_bars_know_their_colors_and_numbers(options, message):
    with pytest.raises(ValueError, match=message):
        draw.bars("ab", [1, 2], **options)


def test_bars_without_a_value():
    shown = draw.bars(["a", "b"], [math.nan, 0])
    assert lengths(shown) == [0, 0]
    assert shown.description == "a —, b 0.000."


@given(st.lists(st.tuples(st.text(max_size=40), st.floats(0, 1e6)), min_size=1, max_size=12))
@example([("one", 5e-324), ("two", 0.0)])
def test_words_of_any_bars_have_room(pairs):
    all_apart_and_inside(draw.bars(*zip(*pairs, strict=True), axis="bits"))


@pytest.mark.parametrize(
    ("labels", "values", "colors"),
    [
        ([], [], None),
        (["a"], [1, 2], None),
        (["a"], [1], ["ink", "ink"]),
        (["a"], [-1], None),
        (["a"], [math.inf], None),
    ],
)
def test_what_bars_cannot_show(labels, values, colors):
    with pytest.raises(ValueError, match=r"one each for every bar|length of 0 or more"):
        draw.bars(labels, values, colors=colors)


def test_gains_show_the_column_asked_for():
    frame = pd.DataFrame(
        {"feature": ["a", "b"], "gain": [0.1, 0.2], "gain_ratio": [math.nan, 0.3], "chosen": [False, True]}
    )
    assert repr(draw.gains(frame)) == "Picture: information gain (bits). a 0.100, b 0.200 (chosen)."
    assert repr(draw.gains(frame, "gain_ratio")) == "Picture: gain ratio. a —, b 0.300 (chosen)."
    for measure in ("gini", "impurity"):
        with pytest.raises(ValueError, match="wanted a column of"):
            draw.gains(frame, measure)


def area_by_counting(r, s, d, steps=1000):
    """The overlap of two circles, without its formula: count the points of a lattice that lie in both."""
    side = 2 * min(r, s)
    x, y = np.meshgrid(*[(np.arange(steps) + 0.5) / steps * side - side / 2] * 2)
    middle = 0 if r <= s else d  # of the smaller circle
    both = ((x + middle) ** 2 + y**2 < r * r) & ((x + middle - d) ** 2 + y**2 < s * s)
    return both.mean() * side**2


@pytest.mark.parametrize(
    ("r", "s", "d"), [(1, 1, 1), (2, 1, 1.5), (1, 2, 2.9), (3, 1, 2.1), (2, 1, 0.5), (1, 1, 2), (1, 2, 4)]
)
def test_lens(r, s, d):
    assert lens(r, s, d) == pytest.approx(area_by_counting(r, s, d), abs=2e-3)


@given(st.floats(0.01, 100), st.floats(0.01, 100), st.floats(0, 1))
def test_distance_gives_the_area_asked_for(r, s, share):
    area = share * math.pi * min(r, s) ** 2
    assert lens(r, s, distance(r, s, area)) == pytest.approx(area, abs=1e-6 * math.pi * min(r, s) ** 2)


AGE = [[3, 2], [2, 3], [1, 4]]
TABLES = {
    "tiny": AGE,
    "even": [[6, 3], [0, 6]],
    "none": [[2, 2], [4, 4]],
    "equal": [[5, 0], [0, 5]],
    "second in first": [[1, 0], [1, 0], [0, 1]],
    "first in second": [[3, 2, 0, 0], [0, 0, 1, 3]],
    "one is 0": [[3, 2], [0, 0]],
    "barely": [[500, 500], [501, 499]],
}


def circles(shown):
    return [
        tuple(float(c.get(k)) for k in ("cx", "cy", "r")) for c in list(read(shown).iter(f"{SVG}circle"))[:2]
    ]


def test_venn_says_all_six_numbers():
    shown = pictures.venn(AGE, names=("A", "D"))
    assert shown.title == "Entropies of A and D, areas to scale"
    assert shown.description == (
        "H(A) = 1.585 bits, H(D) = 0.971 bits, H(A|D) = 1.502 bits, "
        "I(A; D) = 0.083 bits, H(D|A) = 0.888 bits, H(A, D) = 2.473 bits."
    )
    words = " ".join(text[0] for text in texts(shown))
    assert all(number in words for number in ("1.585", "0.971", "1.502", "0.083", "0.888", "2.473"))


def test_venn_areas_are_to_scale():
    (ax, ay, r), (bx, by, s) = circles(pictures.venn(AGE))
    assert ay == by
    assert s**2 / r**2 == pytest.approx(0.970951 / 1.584963, rel=1e-3)
    assert area_by_counting(r, s, bx - ax) / (math.pi * r * r) == pytest.approx(0.083007 / 1.584963, rel=0.02)


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
@pytest.mark.parametrize(
    "names", [("A", "D"), ("owns_house", "approved"), ("色泽", "好瓜")], ids=["short", "long", "hanzi"]
)
def test_venn_labels_do_not_overlap(table, names):
    all_apart_and_inside(pictures.venn(table, names))


@given(st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3), min_size=2, max_size=4))
def test_venn_of_any_table(table):
    if np.count_nonzero(table) > 1:
        all_apart_and_inside(pictures.venn(table))


def test_circles_touch_without_information_and_are_one_with_all_of_it():
    (ax, _, r), (bx, _, s) = circles(pictures.venn(TABLES["none"]))
    assert bx - ax == pytest.approx(r + s, abs=0.02)
    one, other = circles(pictures.venn(TABLES["equal"]))
    assert one == other
    (ax, _, r), (bx, _, s) = circles(pictures.venn(TABLES["second in first"]))
    assert r - s == pytest.approx(bx - ax, abs=0.02)


def test_venn_of_nothing():
    with pytest.raises(ValueError, match="there is nothing to draw"):
        pictures.venn([[3, 0], [0, 0]])


@pytest.mark.parametrize("table", [[1, 2], [AGE, AGE]])
def test_venn_shows_one_table(table):
    with pytest.raises(ValueError, match=r"table has (1 axis|3 axes); wanted one table"):
        pictures.venn(table)


def test_venn_in_chinese():
    try:
        use_language("zh")
        assert "1.585 比特" in pictures.venn(AGE).description
    finally:
        use_language("en")


@given(st.lists(st.tuples(st.floats(-100, 100), st.floats(0, 50)), min_size=1, max_size=6))
def test_apart(things):
    wanted, size = zip(*sorted(things), strict=True)
    moved = apart(wanted, size, 2)
    for (a, b), (p, q) in zip(itertools.pairwise(moved), itertools.pairwise(size), strict=True):
        assert b - a >= (p + q) / 2 + 2 - 1e-9
