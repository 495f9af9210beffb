"""Dots with bars: where they lie, what they are called, what is refused."""

# ruff: noqa: RUF001  (Chinese has its own bracket)

import pandas as pd
import pytest
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgba
from pictures import figure_of, overlap, read, texts

from dtlib.book import pictures
from dtlib.messages import use_language

ROWS = ["year", "miles"]
ONE = pd.DataFrame({"at": [0.98, 0.02], "from": [0.8, 0.02], "to": [0.98, 0.2]}, ROWS)
TWO = {"a": ONE, "b": ONE / 2}


def test_says_each_dot_and_its_bar():
    shown = pictures.dots(TWO, x_label="share")
    assert shown.title == "share"
    assert shown.description == (
        "year: a 0.98 (0.8 to 0.98), b 0.49 (0.4 to 0.49). miles: a 0.02 (0.02 to 0.2), b 0.01 (0.01 to 0.1)."
    )
    assert pictures.dots({"a": ONE}).title == "Dots and bars"
    assert pictures.dots({"a": ONE}, title="Cars", x_label="share").title == "Cars"


def test_dots_and_bars_lie_where_the_tables_say():
    (ax,) = figure_of(lambda: pictures.dots(TWO)).axes
    zero, *dots = ax.lines
    assert zero.get_xdata() == [0, 0]
    bars = [found for found in ax.collections if isinstance(found, LineCollection)]
    assert len(dots) == len(bars) == len(TWO)
    for table, marks, bar in zip(TWO.values(), dots, bars, strict=True):
        at, low, high = table.to_numpy().T
        assert marks.get_xdata() == pytest.approx(at)
        for segment, a, b, y in zip(bar.get_segments(), low, high, marks.get_ydata(), strict=True):
            assert segment.tolist() == [[a, pytest.approx(y)], [b, pytest.approx(y)]]
        assert to_rgba(marks.get_color()) == pytest.approx(tuple(bar.get_color()[0]))
    assert len({dot.get_marker() for dot in dots}) == len({dot.get_color() for dot in dots}) == 2
    first, second = (dot.get_ydata() for dot in dots)
    assert (first + second) / 2 == pytest.approx([0, 1])  # the two of a row lie around its place
    assert (second > first).all()
    bottom, top = ax.get_ylim()
    assert bottom > second.max()
    assert top < first.min()


def test_a_single_table_lies_on_its_rows_without_a_label():
    (ax,) = figure_of(lambda: pictures.dots({"cars": ONE})).axes
    assert ax.lines[1].get_ydata() == pytest.approx([0, 1])
    assert [label.get_text() for label in ax.get_yticklabels()] == ROWS
    assert "cars" not in [words for words, *_ in texts(pictures.dots({"cars": ONE}))]


@pytest.mark.parametrize("kinds", [1, 2, 4])
def test_labels_are_whole_and_do_not_overlap(kinds):
    shown = pictures.dots({f"kind {k}": ONE * (k + 1) / 4 for k in range(kinds)}, x_label="share")
    read(shown)
    found = texts(shown)
    assert not any(overlap(a, b) for i, a in enumerate(found) for b in found[:i])
    assert sum(words.startswith("kind") for words, *_ in found) == (kinds if kinds > 1 else 0)


def test_each_table_has_a_lane_of_its_own():
    heights = [
        figure_of(lambda k=k: pictures.dots(dict.fromkeys("abcd"[:k], ONE))).get_figheight()
        for k in (1, 2, 4)
    ]
    assert heights[2] - heights[1] == pytest.approx(2 * (heights[1] - heights[0]))
    assert heights[1] > heights[0]


def test_speaks_chinese():
    use_language("zh")
    try:
        assert pictures.dots({"a": ONE}).description.startswith("year：a 0.98（0.8 至 0.98）")
    finally:
        use_language("en")


@pytest.mark.parametrize("kinds", [[ONE], {"a": [1, 2, 3]}, "cars"])
def test_what_is_no_mapping_of_frames_is_refused(kinds):
    with pytest.raises(TypeError, match="wanted a mapping of names to frames"):
        pictures.dots(kinds)


@pytest.mark.parametrize(
    ("kinds", "message"),
    [
        ({}, "kinds has 0 tables; wanted one to 4"),
        (dict.fromkeys("abcde", ONE), "kinds has 5 tables; wanted one to 4"),
        ({"a": ONE[:0]}, "tables of no rows or of other ones"),
        ({"a": ONE, "b": ONE[::-1]}, "tables of no rows or of other ones"),
        ({"a": ONE[["at", "to"]]}, "table 'a' has 2 columns; wanted three"),
        ({"a": ONE.assign(at=2.0)}, "table 'a' has a dot that is missing, infinite or beyond its bar"),
        ({"a": ONE.assign(at=0.0)}, "beyond its bar"),
        ({"a": ONE.assign(to=float("inf"))}, "infinite"),
        ({"a": ONE.assign(at=float("nan"))}, "missing"),
    ],
)
def test_what_cannot_be_drawn_is_refused(kinds, message):
    with pytest.raises(ValueError, match=message):
        pictures.dots(kinds)
