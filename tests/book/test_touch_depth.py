"""The widget *slide the depth* holds the trees and the errors that chapter 11 prints."""

from __future__ import annotations

import re

import pytest
from touchable.depth import data

from tests.book.notebooks import chapter, load

CELLS = {cell.id: cell for cell in load(chapter("regression_trees")).code}
STEP = re.compile(r"(-?[\d.]+) (?:up to ([\d.]+\d)|above)")


def test_it_stands_at_two_figures() -> None:
    tagged = {cell.id: tag for cell in CELLS.values() for tag in cell.tags if tag.startswith("touch:depth")}
    assert tagged == {"sine-picture": "touch:depth:1", "errors-picture": "touch:depth:11:errors"}


def test_leaves_and_errors_are_those_of_the_table() -> None:
    found = data("11", "errors")
    shown = CELLS["errors"].shown.split("depth", 1)[1]
    printed = re.findall(r"^(\d+) +(\d+) +(\d\.\d{3}) +(\d\.\d{3})$", shown, re.MULTILINE)
    assert len(printed) == len(found["trees"]) == found["deepest"] + 1
    assert printed == [
        (str(depth), str(tree["leaves"]), f"{tree['seen']:.3f}", f"{tree['fresh']:.3f}")
        for depth, tree in enumerate(found["trees"])
    ]
    fresh = [float(line[3]) for line in printed]
    assert found["best"] == fresh.index(min(fresh)) != found["start"]


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_staircases_are_those_of_the_picture(depth: int) -> None:
    [said] = re.findall(rf"depth {depth}: (.*? above)\.", CELLS["sine-picture"].shown)
    printed = [(float(height), float(end or "inf")) for height, end in STEP.findall(said)]
    steps = data("1")["trees"][depth]["steps"]
    drawn = [(height, float("inf") if end is None else end) for end, height in steps]
    assert len(printed) == 2**depth
    for one, other in zip(printed, drawn, strict=True):
        assert one == pytest.approx(other, abs=1e-4)


def test_a_tree_of_depth_0_says_the_mean_and_one_without_limit_every_point() -> None:
    found = data("1")
    heights = [y for _, y in found["points"]]
    [[end, mean]] = found["trees"][0]["steps"]
    assert end is None
    assert mean == pytest.approx(sum(heights) / len(heights), abs=1e-4)
    assert [height for _, height in found["trees"][-1]["steps"]] == pytest.approx(heights, abs=1e-4)


def test_errors_are_left_out_where_no_one_asks() -> None:
    assert {"best", "seen", "fresh"}.isdisjoint({*(found := data("1")), *found["trees"][0]})
