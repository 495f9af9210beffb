"""Predictions against one feature: curves of samples, their mean, panels of one scale, what is refused."""

# ruff: noqa: RUF001  (Chinese has its own comma)

import pytest
from pictures import figure_of, overlap, read, texts

from dtlib.book import pictures
from dtlib.messages import use_language

TWO = {"a": ([0, 1, 3], [[0, 2, 4], [2, 2, 8]]), "b": ([5, 6], [[-1, 1]])}


def test_says_how_many_samples_and_their_mean():
    shown = pictures.dependence(TWO, y_label="price")
    assert shown.title == "price against a, b"
    assert shown.description == ("a: n = 2, mean (0, 1), (1, 2), (3, 6). b: n = 1, mean (5, -1), (6, 1).")
    assert pictures.dependence(TWO).title == "prediction against a, b"
    assert pictures.dependence(TWO, title="Two").title == "Two"


def test_each_panel_has_its_curves_and_their_mean_on_one_scale():
    axes = figure_of(lambda: pictures.dependence(TWO)).axes
    assert [len(ax.lines) for ax in axes] == [3, 2]
    for ax, (x, each) in zip(axes, TWO.values(), strict=True):
        *thin, mean = ax.lines
        assert [line.get_ydata().tolist() for line in thin] == each
        assert mean.get_ydata() == pytest.approx([sum(y) / len(each) for y in zip(*each, strict=True)])
        assert all(line.get_xdata().tolist() == x for line in ax.lines)
        assert mean.get_linewidth() > 3 * thin[0].get_linewidth()
        assert mean.get_color() != thin[0].get_color()
    assert axes[0].get_ylim() == axes[1].get_ylim() == pytest.approx((-1.27, 8.27))
    left, right = (ax.get_position() for ax in axes)
    assert left.x1 < right.x0
    assert left.width == pytest.approx(right.width)


def test_a_flat_curve_has_room_above_and_below():
    (ax,) = figure_of(lambda: pictures.dependence({"a": ([0, 1], [[2, 2]])})).axes
    low, high = ax.get_ylim()
    assert low < 2 < high


@pytest.mark.parametrize("panels", [1, 2, 3])
def test_words_are_whole_and_do_not_overlap(panels):
    shown = pictures.dependence({f"feature {k}": TWO["a"] for k in range(panels)}, y_label="price")
    read(shown)
    found = texts(shown)
    assert not any(overlap(a, b) for i, a in enumerate(found) for b in found[:i])
    assert sum(words.startswith("feature") for words, *_ in found) == panels


def test_speaks_chinese():
    use_language("zh")
    try:
        assert pictures.dependence(TWO).description.startswith("a：n = 2，平均 (0, 1)")
    finally:
        use_language("en")


@pytest.mark.parametrize(
    ("features", "message"),
    [
        ({}, "features is empty; wanted"),
        ({"a": ([0, 1], [])}, "'a' has no curve; wanted one for each sample"),
        ({"a": ([0, 1], [[1, 2, 3]])}, "wanted two equally long sequences"),
        ({"a": ([1, 0], [[1, 2]])}, "x that descends"),
        ({"a": ([0, 1], [[1, float("nan")]])}, "NaN or infinite"),
    ],
)
def test_what_cannot_be_drawn_is_refused(features, message):
    with pytest.raises(ValueError, match=message):
        pictures.dependence(features)
