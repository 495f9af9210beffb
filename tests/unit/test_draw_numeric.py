"""Cuts and planes: every cut is measured, every sample shown, every region has its class."""

# ruff: noqa: RUF001  (Chinese has its own comma, colon and brackets)

import re

import numpy as np
import pandas as pd
import pytest
from pictures import SVG, read, texts

from dtlib import C45Classifier
from dtlib.book import pictures
from dtlib.book.pictures.numeric import CLASS_LANE
from dtlib.book.pictures.planes import boxes
from dtlib.datasets import load_golf, load_watermelon
from dtlib.messages import use_language

GOLF, MELONS = load_golf(), load_watermelon("3.0")
PAIR = ["density", "sugar"]


@pytest.fixture(scope="module")
def tree():
    return C45Classifier().fit(MELONS.X[PAIR], MELONS.y).tree_


def parts(shown):
    """Return what is said of each cut."""
    cuts, _, _ = shown.description.partition(". ")
    return cuts.split("; ")


@pytest.mark.parametrize(
    ("data", "feature"), [(MELONS, "density"), (MELONS, "sugar"), (GOLF, "temperature"), (GOLF, "humidity")]
)
def test_cuts_are_those_of_the_library(data, feature):
    shown = pictures.cuts(data.X[feature], data.y, feature=feature)
    listed = C45Classifier().fit(data.X, data.y).tree_.explain(0, feature)
    best = listed["gain"].idxmax()
    for i, (said, line) in enumerate(zip(parts(shown), listed.to_dict("records"), strict=True)):
        assert said.startswith(f"{line['split'][:-1]}: {line['gain']:.3f} bits")
        assert ("(chosen)" in said) == (i == best)
    read(shown)


def test_boundaries_have_two_classes_beside_them():
    shown = pictures.cuts([1, 2, 2, 3, 4, 5, 6], list("aababbb"), feature="x")
    assert ["boundary" in said for said in parts(shown)] == [True, True, True, False, False]
    shown = pictures.cuts([1, 2, 2, 3, 4], list("aabaa"), feature="x")  # a mixed value is a run of its own
    assert ["boundary" in said for said in parts(shown)] == [True, True, False]


def test_cuts_show_every_sample():
    shown = pictures.cuts(GOLF.X["temperature"], GOLF.y, feature="temperature")
    assert "no: 65, 71, 72, 80, 85. yes: 64, 68, 69, 70, 72, 75, 75, 81, 83." in shown.description
    used = [use for use in read(shown).iter(f"{SVG}use") if "--dt-class" in use.get("style", "")]
    assert len(used) == len(GOLF.y)
    at = {(use.get("x"), use.get("y")) for use in used}
    assert len(at) == len(used)  # equal ones too


@pytest.mark.parametrize("equal", [1, 2, 3, 9, 40])
def test_equal_samples_are_piled_up_in_their_own_lane(equal):
    shown = pictures.cuts([1] * equal + [2] * equal, ["no"] * equal + ["yes"] * equal)
    used = [use for use in read(shown).iter(f"{SVG}use") if "--dt-class" in use.get("style", "")]
    lanes = {k: [float(u.get("y")) for u in used if f"class-{k}" in u.get("style")] for k in (0, 1)}
    assert [len(set(lane)) for lane in lanes.values()] == [equal] * 2
    assert max(lanes[0]) < min(lanes[1])
    pile = max(lanes[1]) - min(lanes[1])
    lane = (2 * CLASS_LANE + 12) / 2.2  # px: two lanes and their margin
    assert pile == pytest.approx(min(0.32 * (equal - 1), 0.65) * lane, abs=0.1)


@pytest.mark.parametrize(
    ("values", "classes", "message"),
    [
        ([1, 2], ["a"], "one class per value"),
        ([1, np.nan], ["a", "b"], "missing or infinite"),
        ([1, np.inf], ["a", "b"], "missing or infinite"),
        ([1, 1], ["a", "b"], "1 distinct values; a cut needs two"),
        ([1, 2], ["a", None], "classes has missing values"),
    ],
)
def test_cuts_need_numbers_and_classes(values, classes, message):
    with pytest.raises(ValueError, match=message):
        pictures.cuts(values, classes)


def test_plane_says_every_region_and_sample(tree):
    shown = pictures.plane(tree, MELONS.frame, "good", x="density", y="sugar")
    assert shown.description.startswith("sugar ≤ 0.126: predicted no; 9 no, 11 no, 12 no, 16 no, 17 no. ")
    named = re.findall(r"\b(\d+) (?:no|yes)\b", shown.description)
    assert sorted(map(int, named)) == list(MELONS.frame.index)
    words = [text[0] for text in texts(shown)]
    assert {"0.126", "0.2045", "0.3815", "0.56", "density", "sugar"} <= set(words)
    assert words.count("yes") + words.count("no") == tree.n_leaves


def test_plane_regions_meet_at_the_thresholds():
    X = pd.DataFrame({"a": [0.0, 1, 2, 3], "b": [0.0, 1, 0, 1]})
    grown = C45Classifier().fit(X, ["no", "no", "yes", "yes"]).tree_
    found = boxes(grown.root, ("a", "b"), np.array([-1.0, -1]), np.array([4.0, 2]))
    assert [(low.tolist(), high.tolist()) for _, low, high in found] == [
        ([-1, -1], [1.5, 2]),
        ([1.5, -1], [4, 2]),
    ]


def test_samples_have_their_names_unless_two_would_hide_each_other(tree):
    def numbers(frame):
        shown = pictures.plane(tree, frame, "good", x="density", y="sugar")
        assert f"{frame.index[0]} yes" in shown.description
        return {text[0] for text in texts(shown)} & set(map(str, frame.index))

    assert numbers(MELONS.frame) == set(map(str, range(1, 18)))
    beside = MELONS.frame.loc[[1]].assign(density=lambda row: row["density"] + 0.001).set_axis([18])
    assert numbers(pd.concat([MELONS.frame, beside])) == set()


def test_plane_of_one_leaf():
    X = pd.DataFrame({"a": [0.0, 1], "b": [1.0, 1]})
    leaf = C45Classifier().fit(X, ["no", "no"]).tree_
    shown = pictures.plane(leaf, X.assign(c="no"), "c", x="a", y="b")
    assert shown.description == "anything: predicted no; 0 no, 1 no."


def test_thresholds_that_are_close_are_written_once():
    X = pd.DataFrame({"a": [0.0, 1, 1.001, 100], "b": [0.0, 0, 0, 0]})
    grown = C45Classifier().fit(X, ["no", "yes", "no", "yes"]).tree_
    shown = pictures.plane(grown, X.assign(c=["no", "yes"] * 2), "c", x="a", y="b")
    words = [text[0] for text in texts(shown)]
    assert "0.5" in words
    assert "1.0005" not in words


@pytest.mark.parametrize(
    ("change", "options", "message"),
    [
        ({}, {"x": "sugar"}, "x and y are both 'sugar'"),
        ({}, {"x": "weight"}, r"frame lacks the columns \['weight'\]"),
        (
            {},
            {"x": "color"},
            "tree asks '(density|sugar)'; a plane shows trees that ask the numbers color and",
        ),
        ({"sugar": np.nan}, {}, "density or sugar is missing or infinite"),
        ({"good": "maybe"}, {}, "good is 'maybe'"),
    ],
)
def test_plane_needs_two_numbers(tree, change, options, message):
    with pytest.raises(ValueError, match=message):
        pictures.plane(
            tree, MELONS.frame.assign(**change), "good", **({"x": "density", "y": "sugar"} | options)
        )


def test_pictures_speak_chinese(tree):
    melons = MELONS.in_chinese()
    use_language("zh")
    try:
        shown = pictures.cuts(melons.X.iloc[:, 6], melons.y, feature="密度")
        assert shown.title == "密度各划分点的信息增益"
        assert "密度 ≤ 0.3815：0.262 比特（选中），类别边界" in shown.description
        assert (
            "密度"
            in pictures.plane(
                C45Classifier().fit(melons.X.iloc[:, 6:], melons.y).tree_,
                melons.frame,
                melons.target,
                x=melons.X.columns[6],
                y=melons.X.columns[7],
            ).description
        )
    finally:
        use_language("en")
