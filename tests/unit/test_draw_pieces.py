"""Samples cut into pieces by one question after the other, and values by their shares of three classes."""

import itertools
import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from pictures import SVG, fills, overlap, read, texts

from dtlib.book import pictures
from dtlib.book.pictures.pieces import CLEFT, CUT_LENGTH
from dtlib.book.pictures.triangle import CORNERS
from dtlib.measures import conditional_gini
from dtlib.messages import use_language
from tests.drawn import examples

CLASSES = ["no", "yes"]
ALL = pd.DataFrame([[9, 8]], ["all"], CLASSES)
KNOWN = pd.DataFrame([[7, 8], [2, 0]], ["known", "unknown"], CLASSES)
STEM = pd.DataFrame(
    [[2, 5], [3, 3], [2, 0], [2, 0]], ["curled", "slightly curled", "stiff", "unknown"], CLASSES
)
CUT = {"melons": ALL, "known?": KNOWN, "stem?": STEM}
TOLD = ["the holes", "the values"]
THREE = pd.DataFrame(
    [[1, 0, 0], [3, 3, 2], [1, 0, 3], [2, 0, 2], [0, 1, 1]], list("abcde"), ["class 0", "class 1", "class 2"]
)


def test_pieces_say_what_is_left_and_what_was_told():
    shown = pictures.pieces(CUT, TOLD)
    assert shown.title == "melons, known? and stem?"
    assert "known?: known no 7 yes 8, unknown no 2; 0.880 bits left." in shown.description
    assert shown.description.endswith("the holes tell 0.118 bits. the values tell 0.171 bits.")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_words_on_pieces_are_apart_and_inside(language):
    use_language(language)
    try:
        shown = pictures.pieces(CUT, TOLD)
    finally:
        use_language("en")
    found, width = texts(shown), float(read(shown).get("width"))
    assert not any(overlap(a, b) for a, b in itertools.combinations(found, 2))
    assert all(left >= 0 and right <= width for _, left, _, right, _ in found)
    counts = ["no 9", "yes 8", "no 7", "yes 8", "no 2", "no 2", "yes 5", "no 3", "yes 3", "no 2", "no 2"]
    assert [words for words, *_ in found if words.startswith(("no ", "yes "))] == counts


def test_a_class_is_left_out_of_a_piece_too_short_for_it():
    renamed = {name: table.rename(columns={"no": "a bad melon"}) for name, table in CUT.items()}
    written = [words for words, *_ in texts(pictures.pieces(renamed, TOLD))]
    assert "a bad melon 9" in written
    assert [words for words in written if words.isdigit()] == ["2", "2", "3", "2", "2"]


def test_pieces_are_as_long_as_their_counts_and_all_bars_are_equally_long():
    rects = [r for r in read(pictures.pieces(CUT, TOLD)).iter(f"{SVG}rect") if "%" not in r.get("width")]
    sizes = [(float(r.get("x")), float(r.get("y")), float(r.get("width"))) for r in rects]
    for y, table in zip(sorted({y for _, y, _ in sizes}), CUT.values(), strict=True):
        bar = [(x, wide) for x, at, wide in sizes if at == y]
        counts = [n for n in table.to_numpy().ravel() if n]
        scale = (CUT_LENGTH - CLEFT * (len(table) - 1)) / 17
        assert [wide for _, wide in bar] == pytest.approx([n * scale for n in counts], abs=0.01)
        assert bar[-1][0] + bar[-1][1] - bar[0][0] == pytest.approx(CUT_LENGTH, abs=0.02)
    assert fills(read(pictures.pieces(CUT, TOLD)), "rect")[1:4] == ["class-0", "class-1", "class-0"]


@pytest.mark.parametrize(
    ("tables", "told", "message"),
    [
        ({"melons": ALL}, [], "there are 1 tables and 0 drops; wanted two or more, and one less"),
        (CUT, ["one"], "there are 3 tables and 1 drops"),
        ({"a": ALL, "b": KNOWN + 1}, ["one"], "wanted the same samples in all"),
        ({"a": ALL, "b": KNOWN.rename(columns={"no": "bad"})}, ["one"], "wanted the same samples in all"),
    ],
)
def test_pieces_of_something_else_are_refused(tables, told, message):
    with pytest.raises(ValueError, match=message):
        pictures.pieces(tables, told)


def marks(shown):
    """Return the middle of each mark and its area: first disks, then squares."""
    disks = [(float(c.get("cx")), float(c.get("cy")), np.pi * float(c.get("r")) ** 2)
             for c in read(shown).iter(f"{SVG}circle")]  # fmt: skip
    squares = [(float(r.get("x")) + float(r.get("width")) / 2, float(r.get("y")) + float(r.get("height")) / 2,
                float(r.get("width")) * float(r.get("height")))
               for r in read(shown).iter(f"{SVG}rect") if "%" not in r.get("width")]  # fmt: skip
    return disks, squares


def test_values_lie_at_their_shares_with_their_weights():
    disks, squares = marks(pictures.triangle(THREE, ["c", "d"]))
    for found, values in ((disks, ["c", "d"]), (squares, ["a", "b", "e"])):
        n = THREE.loc[values].to_numpy(float)
        assert [mark[:2] for mark in found] == [
            pytest.approx(at, abs=0.02) for at in n / n.sum(1, keepdims=True) @ CORNERS
        ]
        areas = np.array([mark[2] for mark in found])
        assert areas / areas[0] == pytest.approx(n.sum(1) / n[0].sum(), rel=0.01)
    assert disks[0][2] / squares[0][2] == pytest.approx(4, rel=0.01)


def test_the_line_lies_halfway_between_the_means_and_ends_on_the_sides():
    paths = [path.get("d") for path in read(pictures.triangle(THREE, ["c", "d"])).iter(f"{SVG}path")]
    ends = np.array(re.findall(r"([\d.]+) ([\d.]+)", paths[1]), float)
    means = [THREE.loc[group].sum().to_numpy() @ CORNERS / THREE.loc[group].to_numpy().sum()
             for group in (["c", "d"], ["a", "b", "e"])]  # fmt: skip
    far = np.linalg.norm(ends[:, None] - means, axis=2)
    assert far[:, 0] == pytest.approx(far[:, 1], abs=0.05)
    corners = np.column_stack([CORNERS, np.ones(3)])
    shares = np.column_stack([ends, np.ones(2)]) @ np.linalg.inv(corners)
    assert np.abs(shares).min(1) == pytest.approx(0, abs=1e-3)  # on a side one share is 0
    assert shares.min() > -1e-3
    tips = np.array([re.match(r"M([\d.]+) ([\d.]+)m", d).groups() for d in paths[2:]], float)
    assert tips == pytest.approx(np.array(means), abs=0.02)


@given(arrays(int, (5, 3), elements=st.integers(0, 6)))
@examples(25)
def test_the_best_groups_lie_on_two_sides_of_the_line(n):
    n = n[n.sum(1) > 0]
    if len(n) < 3:
        return
    sides = itertools.product([True, False], repeat=len(n))
    splits = [np.array(side) for side in sides if 0 < sum(side) < len(n)]
    left = [conditional_gini([n[side].sum(0), n[~side].sum(0)]) for side in splits]
    best = splits[int(np.argmin(left))]
    at = n / n.sum(1, keepdims=True) @ CORNERS
    one, other = (n[side].sum(0) @ CORNERS / n[side].sum() for side in (best, ~best))
    nearer = np.linalg.norm(at - one, axis=1) - np.linalg.norm(at - other, axis=1)
    assert (nearer[best] <= 1e-9).all()
    assert (nearer[~best] >= -1e-9).all()
    pictures.triangle(pd.DataFrame(n, columns=list("XYZ")), [int(i) for i in np.flatnonzero(best)])


@pytest.mark.parametrize(
    ("table", "group", "message"),
    [
        (THREE.iloc[:, :2], ["a"], r"table is \(5, 2\); wanted three classes"),
        (THREE - THREE, ["a"], "and values that occur"),
        (THREE, [], "wanted some but not all"),
        (THREE, list("abcde"), "wanted some but not all"),
        (THREE, ["a", "z"], r"group is \['a', 'z'\]; wanted some but not all of \['a', 'b', 'c', 'd', 'e'\]"),
    ],
)
def test_triangles_of_something_else_are_refused(table, group, message):
    with pytest.raises(ValueError, match=message):
        pictures.triangle(table, group)


def test_a_triangle_says_its_corners_in_words_that_do_not_overlap():
    shown = pictures.triangle(THREE, ["c", "d"])
    assert shown.title == "shares of class 0, class 1, class 2"
    assert shown.description.startswith("a: class 0 1, class 1 0, class 2 0. b: ")
    found, (width, height) = texts(shown), (float(read(shown).get(side)) for side in ("width", "height"))
    assert not any(overlap(a, b) for a, b in itertools.combinations(found, 2))
    assert all(a >= 0 and b >= 0 and c <= width and d <= height for _, a, b, c, d in found)
    assert {"all class 0", "all class 1", "all class 2", *"abcde"} == {words for words, *_ in found}
