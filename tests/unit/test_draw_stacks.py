"""Bars made of parts: to scale, in the classes' colors, and said in words; slopes; trees side by side."""

import itertools
import re

import numpy as np
import pandas as pd
import pytest
from pictures import SVG, fills, overlap, read, texts

from dtlib import contingency
from dtlib.book import pictures
from dtlib.book.by_hand import tree_by_hand
from dtlib.datasets import load_loan, load_titanic
from dtlib.measures import conditional_entropy, entropy, joint_entropy
from dtlib.messages import use_language

LOAN = load_loan()
TABLES = {A: contingency(LOAN.frame, A, "approved") for A in ("age", "owns_house")}
ANSWERS = {"no": "no", "yes": "yes"}
TREES = {A: tree_by_hand({A: ANSWERS}, LOAN.X, LOAN.y) for A in ("has_job", "owns_house")}


def widths(shown):
    """Return the widths of the bars, the paper left out."""
    return [float(box.get("width")) for box in list(read(shown).iter(f"{SVG}rect"))[1:]]


def all_pictures():
    titanic = contingency(load_titanic().frame, "ticket", "survived")
    return {
        "branches": pictures.branches(TABLES),
        "titanic": pictures.branches({"ticket": titanic}),
        "chain": pictures.chain(TABLES["age"]),
        "thin": pictures.chain([[97, 0], [1, 1]], names=("color", "good")),
        "tangents": pictures.tangents([0.5, 1, 2]),
        "rivals": pictures.rivals(TREES),
    }


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", all_pictures())
def test_words_keep_apart_and_inside(name, language):
    use_language(language)
    try:
        shown = all_pictures()[name]
    finally:
        use_language("en")
    root = read(shown)
    width, height = (float(root.get(side)) for side in ("width", "height"))
    found = texts(shown)
    assert found
    if name != "tangents":  # its labels are placed by matplotlib, with other boxes
        assert [(a, b) for a, b in itertools.combinations(found, 2) if overlap(a, b)] == []
        assert all(x >= 0 and y >= 0 and right <= width and low <= height for _, x, y, right, low in found)


def test_branches_are_to_scale_over_all_panels():
    shown = pictures.branches(TABLES)
    counts = [n for table in TABLES.values() for n in table.to_numpy().ravel() if n]
    bars = widths(shown)
    assert bars == pytest.approx([n * bars[0] / counts[0] for n in counts], abs=0.02)
    assert fills(read(shown), "rect")[1:3] == ["class-0", "class-1"]
    assert "owns_house = yes: no 0, yes 6." in shown.description


def test_a_part_that_is_too_thin_for_its_words_has_none():
    table = pd.DataFrame({"no": [1, 500], "yes": [300, 200]}, index=["a", "b"])
    words = [word for word, *_ in texts(pictures.branches({"x": table}))]
    assert "yes 300" in words
    assert not {"1", "no 1"} & set(words)


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        ({}, "tables is empty"),
        ({"a": TABLES["age"], "b": TABLES["age"].rename(columns={"no": "nay"})}, "'b' has the classes"),
        ({"a": -TABLES["age"]}, "wanted counts, not all 0"),
        ({"a": 0 * TABLES["age"]}, "wanted counts, not all 0"),
    ],
)
def test_branches_that_cannot_be_drawn_are_refused(tables, message):
    with pytest.raises(ValueError, match=message):
        pictures.branches(tables)


def test_both_ways_of_the_chain_rule_are_as_long_as_the_joint_entropy():
    table = TABLES["age"].to_numpy()
    shown = pictures.chain(table, names=("age", "class"))
    _, first, second, third, last = widths(shown)  # the first is the paper of the words above
    assert first + second == pytest.approx(third + last, abs=0.02)
    assert first / (first + second) == pytest.approx(entropy(table.sum(1)) / joint_entropy(table), abs=1e-3)
    assert last / (third + last) == pytest.approx(
        conditional_entropy(table.T) / joint_entropy(table), abs=1e-3
    )
    said = [float(n) for n in re.findall(r"= ([\d.]+) bits", shown.description)]
    assert said == pytest.approx([1.585, 0.888, 0.971, 1.502, 2.473])


def test_both_parts_of_a_variable_have_one_color_in_the_chain_and_the_first_has_the_accent():
    shown = pictures.chain([[1, 1], [0, 2]])
    words = [box for box in texts(shown) if box[0].startswith("H(") and "," not in box[0]]
    found = {}
    for rect in list(read(shown).iter(f"{SVG}rect"))[2:]:
        x, y, width = (float(rect.get(name)) for name in ("x", "y", "width"))
        (inside,) = (b for b in words if x < b[1] < b[3] < x + width and y < b[2] < y + 36)
        found[inside[0].split(" ")[0]] = re.search(r"fill: var\(--dt-([\w-]+)", rect.get("style"))[1]
    assert found == {"H(X)": "accent", "H(Y|X)": "muted", "H(Y)": "muted", "H(X|Y)": "accent"}


@pytest.mark.parametrize("table", [[[3, 0], [0, 0]], [1, 2], np.ones((2, 2, 2))])
def test_a_chain_without_uncertainty_is_refused(table):
    with pytest.raises(ValueError, match="wanted one table"):
        pictures.chain(table)


def test_tangents_say_their_slopes():
    shown = pictures.tangents([0.25, 1])
    assert shown.description.endswith("Slopes: 4 at x = 0.25, 1 at x = 1.")
    assert {"slope 4", "slope 1", "ln x", "x - 1"} <= {words for words, *_ in texts(shown)}


@pytest.mark.parametrize("place", [0, 0.1, 3.5, float("nan")])
def test_tangents_outside_of_the_picture_are_refused(place):
    with pytest.raises(ValueError, match="wanted places between"):
        pictures.tangents([place])


def test_rivals_stand_side_by_side_and_say_their_rules():
    shown = pictures.rivals(TREES)
    assert shown.title == "has_job and owns_house"
    assert shown.description == (
        "has_job: if has_job = no then no (10), if has_job = yes then yes (5). "
        "owns_house: if owns_house = no then no (9), if owns_house = yes then yes (6)."
    )
    left, right = (next(box for box in texts(shown) if box[0] == f"{name}?") for name in TREES)
    assert left[3] < right[1]
    with pytest.raises(ValueError, match="trees has 1 entry;"):
        pictures.rivals({"one": TREES["has_job"]})
