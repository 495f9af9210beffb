"""Contests: a dot for each lead, with a bar, full where the bar does not reach 0 (chapter 23)."""

import re

import pandas as pd
import pytest
from pictures import SVG, overlap, read, texts

from dtlib.book.pictures import contests
from dtlib.messages import use_language

COLUMNS = ["lead", "from", "to"]
A = pd.DataFrame([[2, 1, 3], [0.5, -1, 2], [-3, -4, -2]], ["iris", "wine", "labor"], COLUMNS)
B = pd.DataFrame([[10, 5, 15], [0, -5, 5], [1, 0, 2]], A.index, COLUMNS)
SHOWN = contests({"A - B": A, "forest - A": B}, x_label="points", title="Who is ahead")


def circles(shown):
    return list(read(shown).iter(f"{SVG}circle"))


def fill(node):
    return re.search(r"fill: var\(--dt-([\w-]+)", node.get("style"))[1]


def test_says_every_lead_table_by_table():
    assert SHOWN.title == "Who is ahead"
    assert SHOWN.description == (
        "iris: A - B 2, from 1 to 3, forest - A 10, from 5 to 15. "
        "wine: A - B 0.5, from -1 to 2, forest - A 0, from -5 to 5. "
        "labor: A - B -3, from -4 to -2, forest - A 1, from 0 to 2."
    )


def test_a_dot_is_full_where_its_bar_does_not_reach_zero():
    assert [fill(node) for node in circles(SHOWN)] == [
        "accent", "paper", "accent", "accent", "paper", "paper",
    ]  # fmt: skip


def test_all_contests_have_one_scale_and_dots_stand_at_their_leads():
    x = [float(node.get("cx")) for node in circles(SHOWN)]
    y = [float(node.get("cy")) for node in circles(SHOWN)]
    scale = (x[0] - x[1]) / 1.5
    assert x[1] - x[2] == pytest.approx(3.5 * scale, abs=0.02)
    assert x[3] - x[4] == pytest.approx(10 * scale, abs=0.1)
    assert y[:3] == y[3:] == sorted(y[:3])
    bars = [n for n in read(SHOWN).iter(f"{SVG}line") if "stroke-width: 2" in n.get("style")]
    ends = [(float(n.get("x1")), float(n.get("x2"))) for n in bars]
    wanted = [(low, high, at) for table in (A, B) for at, low, high in table.to_numpy()]
    for (x1, x2), (low, high, at), here in zip(ends, wanted, x, strict=True):
        assert here - x1 == pytest.approx((at - low) * scale, abs=0.1)
        assert x2 - here == pytest.approx((high - at) * scale, abs=0.1)


def test_words_do_not_overlap_and_stand_inside():
    found = texts(SHOWN)
    assert not any(overlap(a, b) for i, a in enumerate(found) for b in found[:i])
    width, height = map(float, re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', SHOWN.svg).groups())
    assert all(
        left >= 0 and right <= width and top >= 0 and low <= height for _, left, top, right, low in found
    )
    assert {"iris", "wine", "labor", "A - B", "forest - A", "points", "0", "10"} <= {
        words for words, *_ in found
    }


def test_the_axis_has_few_round_numbers():
    few = contests({"A - B": A / 1000})
    numbers = [float(words.replace("−", "-")) for words, *_ in texts(few) if re.fullmatch(r"[−\d.]+", words)]
    assert numbers == [-0.004, -0.002, 0, 0.002]
    assert contests({"A - B": A * 0}).description.startswith("iris: A - B 0, from 0 to 0.")


def test_wider_contests_are_wider():
    wide = contests({"A - B": A}, panel=400)
    assert float(re.search(r'viewBox="0 0 ([\d.]+)', wide.svg)[1]) > 400
    assert wide.title == "Contests"


def test_speaks_chinese():
    use_language("zh")
    try:
        assert "从 1 到 3" in contests({"A - B": A}).description
    finally:
        use_language("en")


@pytest.mark.parametrize(
    ("leads", "kind", "said"),
    [
        ([A], TypeError, "wanted a mapping of names to frames"),
        ({"A": A.to_numpy()}, TypeError, "wanted a mapping of names to frames"),
        ({}, ValueError, "wanted the same rows in each"),
        ({"A": A[:0]}, ValueError, "wanted the same rows in each"),
        ({"A": A, "B": B[:2]}, ValueError, "wanted the same rows in each"),
        ({"A": A[["lead", "from"]]}, ValueError, "'A' has 2 columns"),
        ({"A": A[["from", "lead", "to"]]}, ValueError, "missing, infinite or beyond its bar"),
        ({"A": A.assign(to=float("inf"))}, ValueError, "missing, infinite or beyond its bar"),
    ],
)
def test_bad_input_is_named(leads, kind, said):
    with pytest.raises(kind, match=said):
        contests(leads)
