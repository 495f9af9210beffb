"""Nested cross-validation: which fold judges, which chooses, and what stays away from the inner folds."""

import itertools

import pytest
from pictures import SVG, fills, overlap, read, texts

from dtlib.book import pictures
from dtlib.messages import use_language


def test_one_fold_of_each_row_is_dark_and_the_inner_ones_leave_the_first_part_alone():
    shown = pictures.nested(3, 2)
    assert shown.title == "3 outer folds, and 2 inner folds in one"
    assert shown.description.startswith("Outer fold 1 judges, the others grow and choose. Outer fold 2")
    outer, inner = fills(read(shown), "rect")[1:10], fills(read(shown), "rect")[10:]
    assert outer == ["accent" if j == k else "line" for k in range(3) for j in range(3)]
    assert inner == ["paper", "ink", "line", "paper", "line", "ink"]
    cells = list(read(shown).iter(f"{SVG}rect"))[1:]
    first, away = cells[0], [cell for cell in cells if cell.get("stroke-dasharray")]
    assert [(cell.get("x"), cell.get("width")) for cell in away] == 2 * [(first.get("x"), first.get("width"))]
    right = [float(cells[k].get("x")) + float(cells[k].get("width")) for k in (2, 5, 11, 14)]
    assert right == pytest.approx([right[0]] * 4, abs=0.02)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_words_keep_apart_and_inside(language):
    use_language(language)
    try:
        shown = pictures.nested()
    finally:
        use_language("en")
    root = read(shown)
    found, width, height = texts(shown), *(float(root.get(side)) for side in ("width", "height"))
    assert [(a, b) for a, b in itertools.combinations(found, 2) if overlap(a, b)] == []
    assert all(x >= 0 and y >= 0 and right <= width and low <= height for _, x, y, right, low in found)


@pytest.mark.parametrize(("outer", "inner"), [(1, 10), (5, 1)])
def test_one_fold_alone_is_refused(outer, inner):
    with pytest.raises(ValueError, match="wanted at least two folds of each"):
        pictures.nested(outer, inner)
