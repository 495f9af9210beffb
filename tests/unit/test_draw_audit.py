"""Gaps of a data set by group, and the shares that a tree says against those found."""

import numpy as np
import pandas as pd
import pytest
from pictures import SVG, overlap, read, texts

from dtlib.book import pictures
from dtlib.datasets import load_heart
from dtlib.messages import use_language

HEART = load_heart().frame
SHARES = HEART.isna().groupby(HEART["hospital"], observed=True).mean().T.iloc[1:-1]
LEAVES = {"said": [0.1, 0.8], "found": [0.15, 0.75], "se": [0.05, 0.06], "n": [50, 60]}


@pytest.fixture
def chinese():
    use_language("zh")
    yield
    use_language("en")


def test_gaps_says_each_share():
    shown = pictures.gaps(SHARES)
    assert shown.title == "Share of the values that are missing"
    assert "vessels: Cleveland 1 %, Budapest 99 %, Switzerland 96 %, Long Beach 99 %." in shown.description
    assert shown.description.count(".") == len(SHARES)


def test_gaps_words_do_not_overlap_and_bars_are_as_long_as_the_shares():
    shown = pictures.gaps(SHARES)
    found = texts(shown)
    assert len(found) == SHARES.size + sum(SHARES.shape)
    assert not any(overlap(a, b) for i, a in enumerate(found) for b in found[:i])
    boxes = [box for box in read(shown).iter(f"{SVG}rect") if "%" not in box.get("width")]
    frame = max(float(box.get("width")) for box in boxes)
    bars = [float(box.get("width")) / frame for box in boxes if box.get("opacity")]
    shares = SHARES.to_numpy().ravel()
    assert bars == pytest.approx(shares[shares > 0], abs=1e-3)


@pytest.mark.parametrize("cells", [[[]], [[-0.1]], [[1.1]], [[np.nan]]])
def test_gaps_that_are_no_shares_are_refused(cells):
    with pytest.raises(ValueError, match="wanted numbers between 0 and 1"):
        pictures.gaps(pd.DataFrame(cells))


@pytest.mark.parametrize(
    ("shares", "message"),
    [
        (None, "shares is a NoneType; wanted a DataFrame"),
        (SHARES.to_numpy(), "shares is a ndarray; wanted a DataFrame"),
        (SHARES.astype(str), "shares has a column '.*' of type .*; wanted numbers"),
    ],
)
def test_gaps_of_something_else_are_refused(shares, message):
    with pytest.raises(TypeError, match=message):
        pictures.gaps(shares)


def test_calibration_says_what_is_drawn():
    shown = pictures.calibration(**LEAVES, name="yes")
    assert shown.title == "share of yes, held-out samples against share of yes in the leaf, training samples"
    assert shown.description == ("Said 0.1, found 0.15 ± 0.05 of 50. Said 0.8, found 0.75 ± 0.06 of 60.")
    words = "".join(read(shown).itertext())
    assert "50" in words
    assert "60" in words


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"said": [0.1]}, "the shapes"),
        ({"said": [], "found": [], "se": [], "n": []}, "the shapes"),
        ({"found": [0.1, 1.2]}, "are shares"),
        ({"se": [0.1, -1]}, "wanted finite numbers of at least 0"),
        ({"se": [0.1, np.nan]}, "wanted finite numbers of at least 0"),
        ({"n": [10, -1]}, "wanted finite numbers of at least 0"),
    ],
)
def test_calibration_refuses_what_it_cannot_draw(change, message):
    with pytest.raises(ValueError, match=message):
        pictures.calibration(**LEAVES | change)


@pytest.mark.usefixtures("chinese")
def test_in_chinese():
    assert pictures.gaps(SHARES.head(1)).title == "缺失值的比例"
    assert pictures.calibration(**LEAVES, name="是").description.startswith("所言 0.1")
