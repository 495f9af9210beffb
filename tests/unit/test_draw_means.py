"""Three means: what a cut leaves within its branches, and what lies between them."""

# ruff: noqa: RUF001  (Chinese has its own comma and colon)

import numpy as np
import pytest
from pictures import SVG, overlap, read, texts

from dtlib import messages
from dtlib.book import pictures
from dtlib.datasets import load_regression_points
from dtlib.measures import squared_error

POINTS = load_regression_points()
X, Y = POINTS.X["x"], POINTS.y


@pytest.fixture(autouse=True)
def _english_afterwards():
    yield
    messages.use_language("en")


def lines(shown, width):
    """Return the straight lines of one width: arrays of two corners, in px."""
    paths = [
        p for p in read(shown).iter(f"{SVG}path") if f"stroke-width: {width};" in p.get("style", "") + ";"
    ]
    return [np.array(p.get("d").replace("M", "").split("L"), dtype=object) for p in paths]


def test_says_the_three_means_and_what_is_within():
    shown = pictures.two_means(X, Y, 5.5)
    assert "Mean of all: 6.618. Up to 5.5: 5 of mean 5.06, within 1.058." in shown.description
    assert shown.description.endswith("Above 5.5: 5 of mean 8.176, within 2.301.")
    assert pictures.two_means([1, 2], [4, 9], 1.5).description.startswith("Points: (1, 4), (2, 9). ")


@pytest.mark.parametrize("threshold", [1.5, 4.5, 8.5])
def test_the_words_at_the_arrows_are_what_lies_between(threshold):
    left = threshold >= X
    within = squared_error(Y[left]) + squared_error(Y[~left])
    found = [
        words.rstrip("²").split(" · ")
        for words, *_ in texts(pictures.two_means(X, Y, threshold))
        if "²" in words
    ]
    between = sum(int(n) * float(far) ** 2 for n, far in found)
    assert len(found) == 2
    assert between == pytest.approx(squared_error(Y) - within, abs=0.05)


def test_an_arrow_leads_from_the_mean_of_all_to_that_of_each_branch():
    drawn = ["".join(line) for line in lines(pictures.two_means(X, Y, 5.5), "2.5")]
    steps = [float(d.split()[1]) for d in drawn if d.count(" ") < 7 and "z" not in d and "Q" not in d]
    arrows = [np.array(d.replace("Q", "").split(), float) for d in drawn if "Q" in d]
    assert len(steps) == len(arrows) == 2
    assert arrows[0][1] == arrows[1][1]
    assert [arrow[-1] for arrow in arrows] == pytest.approx(steps, abs=3)


def test_each_point_has_its_way_to_the_mean_of_its_branch():
    assert sum(len(line) == 2 for line in lines(pictures.two_means(X, Y, 5.5), "1.2")) == len(X)


def test_words_do_not_overlap():
    for threshold in np.arange(1.5, 10):
        found = texts(pictures.two_means(X, Y, threshold))
        assert not any(overlap(a, b) for i, a in enumerate(found) for b in found[:i]), threshold


def test_speaks_chinese():
    messages.use_language("zh")
    assert pictures.two_means([1, 2, 3], [2, 4, 9], 2.5).description.endswith(
        "2.5 以上：1 个，均值 9，组内 0。"
    )


@pytest.mark.parametrize(
    ("x", "y", "threshold", "said"),
    [
        ([1, 2], [1, 2], 2, "points on either side, from 1 to 2"),
        ([1, 2], [1, 2], 0.5, "points on either side"),
        ([2, 1], [1, 2], 1.5, "descends"),
        ([1, 2], [1, np.nan], 1.5, "NaN"),
        ([1, 2], [1], 1.5, "two equally long"),
    ],
)
def test_refuses_what_it_cannot_draw(x, y, threshold, said):
    with pytest.raises(ValueError, match=said):
        pictures.two_means(x, y, threshold)
