"""Straight borders: each line lies where its test changes its answer, and says what lies on its sides."""

import itertools

import numpy as np
import pandas as pd
import pytest
from pictures import overlap, read, texts

from dtlib.book import pictures
from dtlib.book.pictures.numeric import border
from dtlib.messages import use_language

FRAME = pd.DataFrame(
    {
        "theory": [1, 2, 2, 4, 6, 7],
        "practice": [2, 4, 6, 1, 2, 1],
        "result": ["fail", "fail", "pass", "fail", "pass", "pass"],
    },
    index=list("ABCDEF"),
)
TESTS = {"start": (1, 0, 5), "turned": (1, 0.625, 5)}


def drawn(tests):
    return pictures.slanted(FRAME, "result", tests, x="theory", y="practice")


def test_it_says_what_lies_on_each_side():
    assert drawn(TESTS).description == (
        "start: theory at most 5: A fail, B fail, C pass, D fail; more: E pass, F pass. "
        "turned: theory + 0.625 practice at most 5: A fail, B fail, D fail; more: C pass, E pass, F pass."
    )


@pytest.mark.parametrize("test", [(1, 0, 5), (0, 2, 5), (1, 0.625, 5), (-0.3, 1, 0.5)])
def test_both_ends_of_a_border_lie_on_it_and_on_the_edge(test):
    box = np.array([0.58, 7.42, 0.65, 6.35])
    ends = border(test, box[[0, 2]], box[[1, 3]])
    assert ends @ test[:2] == pytest.approx([test[2]] * 2)
    edge = np.isclose(ends[:, :1], box[:2]).any(axis=1) | np.isclose(ends[:, 1:], box[2:]).any(axis=1)
    assert edge.all()
    assert np.hypot(*(ends[0] - ends[1])) > 1


def test_one_line_for_each_test():
    count = [drawn(dict(list(TESTS.items())[:k])).svg.count("stroke-width: 2.5") for k in (1, 2)]
    assert count == [1, 2]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_words_keep_apart_and_inside(language):
    use_language(language)
    try:
        shown = drawn(TESTS)
    finally:
        use_language("en")
    root = read(shown)
    found, width, height = texts(shown), *(float(root.get(side)) for side in ("width", "height"))
    assert [(a, b) for a, b in itertools.combinations(found, 2) if overlap(a, b)] == []
    assert all(x >= 0 and y >= 0 and right <= width and low <= height for _, x, y, right, low in found)


@pytest.mark.parametrize(
    ("tests", "message"),
    [
        ({"t": (0, 0, 1)}, "other than 0"),
        ({"t": (1, np.nan, 1)}, "wanted finite"),
        ({"t": (1, 0, 50)}, "lies outside"),
    ],
)
def test_what_cannot_be_drawn_is_named(tests, message):
    with pytest.raises(ValueError, match=message):
        drawn(tests)


def test_columns_and_gaps_are_named():
    with pytest.raises(ValueError, match="lacks the columns"):
        pictures.slanted(FRAME, "result", TESTS, x="theory", y="other")
    gap = FRAME.assign(theory=np.nan)
    with pytest.raises(ValueError, match="missing or infinite"):
        pictures.slanted(gap, "result", TESTS, x="theory", y="practice")
