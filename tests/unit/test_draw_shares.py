"""Shares of a class: each value on its axis, and the border of two groups."""

import pandas as pd
import pytest
from pictures import fills, overlap, read, texts

from dtlib import contingency
from dtlib.book import pictures
from dtlib.datasets import load_customers, load_watermelon
from dtlib.messages import use_language

COLOR = contingency(load_watermelon().frame, "color", "good")


@pytest.fixture
def chinese():
    use_language("zh")
    yield
    use_language("en")


def test_says_values_by_share_groups_and_border():
    shown = pictures.shares(COLOR, ["pale"])
    assert shown.title == "share of class yes"
    assert shown.description == (
        "pale 0.2 of 5; green 0.5 of 6; dark 0.6667 of 6. One group: pale. "
        "Shares of the groups: 0.2, 0.5833; halfway: 0.3917."
    )


def test_either_group_gives_the_same_border():
    one, other = (pictures.shares(COLOR, group).description for group in (["pale"], ["green", "dark"]))
    assert one.split(". ")[-1] == other.split(". ")[-1]


def test_each_value_is_named_once_and_words_do_not_overlap():
    table = contingency(load_customers().frame, "shirt_size", "class")
    found = texts(pictures.shares(table, ["small"]))
    for value, line in table.iterrows():
        assert sum(words == f"{value}  {line.iloc[1]}/{line.sum()}" for words, *_ in found) == 1
    assert not any(overlap(a, b) for i, a in enumerate(found) for b in found[:i])


def test_marks_have_the_shade_of_their_group():
    root = read(pictures.shares(COLOR, ["pale"]))
    assert {"accent", "muted"} <= set(fills(root, "use"))


def test_weights_need_not_be_whole():
    table = pd.DataFrame([[1.5, 0.5], [0.5, 0]], ["a", "b"], [0, 1])
    assert "a 0.25 of 2" in pictures.shares(table, ["a"]).description


def test_speaks_chinese(chinese):
    shown = pictures.shares(COLOR, ["pale"])
    assert shown.title == "类别 yes 的比例"
    assert shown.description.count("0.5833") == 1


@pytest.mark.parametrize(
    ("table", "group", "said"),
    [
        (COLOR.assign(maybe=1), ["pale"], "two classes"),
        (COLOR * 0, ["pale"], "each value with some weight"),
        (COLOR, ["red"], "'red'; the table has"),
        (COLOR, [], "wanted some of the 3 values"),
        (COLOR, ["pale", "dark", "green"], "and not all"),
    ],
)
def test_refuses_what_it_cannot_draw(table, group, said):
    with pytest.raises(ValueError, match=said):
        pictures.shares(table, group)
