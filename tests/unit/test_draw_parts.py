"""Where a row's parts go: streams as thick as the parts, which sum to one row; every card says its part."""

import itertools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pictures import SVG, fills, overlap, read, texts

from dtlib import C45Classifier, CARTClassifier
from dtlib.book import pictures
from dtlib.book.pictures.parts import THICK, THIN
from dtlib.datasets import load_golf, load_watermelon
from dtlib.draw.tree import CORNER
from dtlib.messages import use_language
from tests.drawn import examples

MELONS = load_watermelon("2.0a")
C45 = C45Classifier(criterion="gain").fit(MELONS.X, MELONS.y)


def drawn(i, model=C45, **options):
    return pictures.parts(model.tree_, model.explain(MELONS.X.loc[[i]]), **options)


def streams(shown):
    """Return the thickness of every stream, and whether it is accented."""
    css = [path.get("style") for path in read(shown).iter(f"{SVG}path")]
    return [(float(re.search(r"stroke-width: ([\d.]+)", s)[1]), "--dt-accent" in s) for s in css]


def test_melon_8_goes_to_three_leaves():
    shown = drawn(8)
    assert shown.title == "Where a row goes: leaves 3"
    said = shown.description.split(". ")
    assert said[:2] == ["Node 0 asks texture", "Node 1, texture = clear, asks stem: 0.467 of the row"]
    ends = [line for line in said if "ends here" in line]
    assert [line.split(": ")[1][:5] for line in ends] == ["0.200", "0.467", "0.333"]
    assert "Node 4, stem = curled, is not reached" in said


def test_only_what_is_opened_is_drawn_further():
    first = drawn(8, opened=[0])
    assert first.description.split(". ")[1:] == [
        "Node 1, texture = clear, asks stem: 0.467 of the row",
        "Node 2, texture = slightly blurry, asks knock: 0.333 of the row",
        "Node 3, texture = blurry, asks color: 0.200 of the row.",
    ]
    clear = drawn(8, opened=[0, 1, 5])
    assert clear.title == "Where a row goes: leaves 1"
    assert "Node 14, color = dark, no: 0.467 of the row ends here" in clear.description
    assert "Node 7" not in clear.description


def test_streams_are_as_thick_as_the_parts():
    thick = [width for width, accent in streams(drawn(8)) if accent]
    wanted = sorted([7 / 15, 7 / 15, 7 / 15, 5 / 15, 5 / 15, 5 / 15, 3 / 15, 3 / 15])
    assert thick == pytest.approx([THICK * part for part in wanted], abs=0.01)
    assert {width for width, accent in streams(drawn(8)) if not accent} == {THIN}


def test_a_row_without_a_hole_on_its_way_is_one_stream():
    shown = drawn(4)
    assert [width for width, accent in streams(shown) if accent] == [THICK, THICK]
    assert shown.title == "Where a row goes: leaves 1"
    assert "yes: 1.000 of the row ends here." in shown.description


def test_leaves_that_are_reached_are_filled_and_others_have_a_dashed_rim():
    root = read(drawn(8))
    assert fills(root, "rect").count("class-1") == 2
    assert fills(root, "rect").count("class-0") == 1
    dashed = [rect for rect in root.iter(f"{SVG}rect") if rect.get("stroke-dasharray")]
    assert len(dashed) == drawn(8).description.count("is not reached")


def test_nothing_is_drawn_below_a_node_that_is_not_reached():
    shown = drawn(4)
    assert "Node 7" not in shown.description
    assert [words for words, *_ in texts(shown)].count("…") == 3


@pytest.mark.parametrize("language", ["en", "zh"])
@given(row=st.sampled_from(MELONS.X.index.tolist()), holes=st.sets(st.sampled_from(list(MELONS.X))))
@examples(25)
def test_words_are_apart_and_inside(language, row, holes):
    sample = MELONS.X.loc[[row]].copy()
    sample[list(holes)] = None
    use_language(language)
    try:
        shown = pictures.parts(C45.tree_, C45.explain(sample))
    finally:
        use_language("en")
    found, width, height = texts(shown), *(float(read(shown).get(side)) for side in ("width", "height"))
    assert not any(overlap(a, b) for a, b in itertools.combinations(found, 2))
    assert all(
        left >= 0 and top >= 0 and right <= width and low <= height for _, left, top, right, low in found
    )


@pytest.mark.parametrize("row", [4, 8, 10])
def test_every_card_shows_the_number_of_its_node_in_its_corner(row):
    shown = drawn(row)
    cards = [group for group in read(shown).iter(f"{SVG}g") if group.find(f"{SVG}rect") is not None]
    numbers = [card.findall(f"{SVG}text")[1] for card in cards]
    assert [number.text for number in numbers] == re.findall(r"Node (\d+)", shown.description)
    for card, number in zip(cards, numbers, strict=True):
        corner, filled = card.find(f"{SVG}rect"), "--dt-paper" not in card.find(f"{SVG}rect").get("style")
        assert float(number.get("x")) == pytest.approx(float(corner.get("x")) + CORNER, abs=0.02)
        assert float(number.get("y")) == float(corner.get("y")) + 18
        assert f"--dt-{'paper' if filled else 'muted'}" in number.get("style")


def test_no_stream_crosses_a_label_but_its_own():
    blank = MELONS.X.loc[[1]].copy()
    blank[:] = None
    shown = pictures.parts(C45.tree_, C45.explain(blank))
    values = {name for A in MELONS.X for name in MELONS.X[A].unique()}
    labels = [box for box in texts(shown) if box[0] in values]
    assert len(labels) == C45.tree_.node_count - 1
    for path in read(shown).iter(f"{SVG}path"):
        x, bend, end = map(float, re.search(r"([\d.]+) ([\d.]+)V([\d.]+)$", path.get("d")).groups())
        own = [box for box in labels if bend <= box[2] and box[4] <= end and box[1] < x < box[3]]
        assert len(own) == 1, path.get("d")


def test_parts_of_the_leaves_sum_to_one():
    blank = MELONS.X.loc[[1]].copy()
    blank[:] = None
    shown = pictures.parts(C45.tree_, C45.explain(blank))
    parts = [float(x) for x in re.findall(r": (\d\.\d{3}) (?:of the row ends|止)", shown.description)]
    assert sum(parts) == pytest.approx(1, abs=0.006)
    assert shown.title == f"Where a row goes: leaves {len(parts)}"


def test_other_ways_and_questions_about_numbers():
    cart = CARTClassifier(criterion="entropy", missing="surrogate").fit(MELONS.X, MELONS.y)
    assert "asks color: 1.000 of the row" in drawn(8, cart).description
    golf = load_golf()
    play = C45Classifier().fit(golf.X, golf.y)
    shown = pictures.parts(
        play.tree_, play.explain(golf.X.head(1).assign(humidity=float("nan"))), title="A day"
    )
    assert shown.title == "A day"
    assert "humidity ≤ 77.5, yes: 0.400 of the row ends here" in shown.description


def test_a_table_without_weights_is_refused():
    with pytest.raises(ValueError, match="followed has no column 'weight'; give what"):
        pictures.parts(C45.tree_, C45.explain(MELONS.X.loc[[8]]).drop(columns="weight"))
