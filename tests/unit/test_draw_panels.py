"""Panels: each measure has its own scale, the longest bar of each is accented."""

import itertools

import pytest
from pictures import SVG, fills, overlap, read, texts

from dtlib.book import pictures
from dtlib.messages import use_language

LABELS = ["texture", "touch", "id"]
MEASURES = {"information gain (bits)": [0.381, 0.006, 0.998], "gain ratio": [0.263, 0.007, 0.244]}


def test_bars_are_to_scale_in_each_panel_and_say_their_values():
    shown = pictures.panels(LABELS, MEASURES)
    assert shown.title == "information gain (bits) and gain ratio"
    assert shown.description == (
        "information gain (bits): texture 0.381, touch 0.006, id 0.998 (largest). "
        "gain ratio: texture 0.263 (largest), touch 0.007, id 0.244."
    )
    lengths = [float(rect.get("width")) for rect in list(read(shown).iter(f"{SVG}rect"))[1:]]
    for part, values in zip((lengths[:3], lengths[3:]), MEASURES.values(), strict=True):
        assert [n / max(part) for n in part] == pytest.approx([v / max(values) for v in values], abs=1e-3)
    assert fills(read(shown), "rect") == ["paper", "line", "line", "accent", "accent", "line", "line"]


def test_a_title_names_all_measures():
    measures = {"gain": [1.0], "ratio": [0.5], "Gini": [0.2]}
    assert pictures.panels(["x"], measures).title == "gain, ratio and Gini"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_words_keep_apart_and_inside(language):
    use_language(language)
    try:
        shown = pictures.panels(LABELS, MEASURES, title="两种度量" if language == "zh" else "")
    finally:
        use_language("en")
    root = read(shown)
    found, width, height = texts(shown), *(float(root.get(side)) for side in ("width", "height"))
    assert [(a, b) for a, b in itertools.combinations(found, 2) if overlap(a, b)] == []
    assert all(x >= 0 and y >= 0 and right <= width and low <= height for _, x, y, right, low in found)


def test_a_value_that_is_missing_has_no_bar():
    shown = pictures.panels(["fruit", "touch"], {"a": [0, 1], "b": [float("nan"), 0.5]})
    assert shown.description == "a: fruit 0.000, touch 1.000 (largest). b: fruit —, touch 0.500 (largest)."


def test_where_all_values_are_0_no_bar_has_a_length_and_none_is_the_largest():
    shown = pictures.panels(["fruit", "touch"], {"a": [0, 0], "b": [0, 0.5]})
    assert shown.description == "a: fruit 0.000, touch 0.000. b: fruit 0.000, touch 0.500 (largest)."
    lengths = [float(rect.get("width")) for rect in list(read(shown).iter(f"{SVG}rect"))[1:]]
    assert lengths[:3] == [0, 0, 0] < lengths[3:]


@pytest.mark.parametrize(
    ("labels", "measures", "message"),
    [
        ([], MEASURES, "labels has 0 entries"),
        (["a"], {"g": [1]}, "measures 1; wanted rows, and 2 or 3"),
        (["a"], {"g": [1], "r": [1, 2]}, "measure 'r' has 2 values for 1 row$"),
        (["a"], {"g": [1], "r": [-1]}, "measures hold -1.0; a bar has a length of 0 or more"),
    ],
)
def test_what_cannot_be_drawn_is_refused(labels, measures, message):
    with pytest.raises(ValueError, match=message):
        pictures.panels(labels, measures)
