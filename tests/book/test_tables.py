"""The tables of pandas on the page: one header, words left, numbers right, classes in their colors."""

from __future__ import annotations

import pandas as pd
import pytest
from bs4 import BeautifulSoup, Tag
from plain_markdown.tables import page_table, plain_value

CLASSES = {"approved": ("no", "yes"), "species": ("setosa", "versicolor", "virginica")}


def shown(frame: pd.DataFrame) -> Tag:
    """Return the table of the page for a data frame."""
    return BeautifulSoup(page_table(frame._repr_html_(), CLASSES), "html.parser").table


def texts(table: Tag) -> list[list[str]]:
    """Return the words of a table, row by row."""
    return [[cell.get_text() for cell in row.find_all(["th", "td"])] for row in table.find_all("tr")]


def counts() -> pd.DataFrame:
    """Return a table of counts, as `contingency` does."""
    return pd.DataFrame(
        {"no": [6, 0], "yes": [3, 6]}, index=pd.Index(["no", "yes"], name="owns_house")
    ).rename_axis(columns="approved")


def test_an_empty_header_is_a_plain_cell() -> None:
    corner, head = shown(pd.DataFrame({"n": [1]}, index=["a"])).tr.find_all(["th", "td"])
    assert (corner.name, corner.get_text(), corner.get("scope")) == ("td", "", None)
    assert (head.name, head.get_text(), head.get("scope")) == ("th", "n", "col")


def test_row_numbers_that_say_nothing_go_and_others_stay() -> None:
    frame = pd.DataFrame({"feature": ["age", "job"], "gain": [0.083, 0.324]})
    assert texts(shown(frame)) == [["feature", "gain"], ["age", "0.083"], ["job", "0.324"]]
    assert texts(shown(frame.set_index(pd.Index([1, 2]))))[1] == ["1", "age", "0.083"]
    assert texts(shown(frame.rename_axis("row")))[0] == ["row", "feature", "gain"]


def test_the_name_of_the_index_heads_its_column() -> None:
    assert texts(shown(pd.DataFrame({"n": [1]}, index=pd.Index(["a"], name="value")))) == [
        ["value", "n"],
        ["a", "1"],
    ]


def test_a_target_stands_above_its_classes_alone() -> None:
    table = shown(counts().assign(entropy=[0.918, 0.0]))
    assert texts(table)[:2] == [["", "approved", ""], ["owns_house", "no", "yes", "entropy"]]
    spans = [cell.get("colspan") for cell in table.tr.find_all(["th", "td"])]
    assert spans == ["1", "2", "1"]


def test_the_name_of_the_columns_heads_no_column_of_an_index_without_a_name() -> None:
    table = shown(counts().rename_axis(None).assign(N=[9, 6]))
    assert texts(table)[:2] == [["", "approved", ""], ["", "no", "yes", "N"]]
    assert [cell.get_text() for cell in table.select("thead .of-class")] == ["no", "yes"]


def test_an_index_of_two_levels_may_name_only_the_second() -> None:
    table = shown(pd.concat({"house": counts(), "job": counts()}))
    assert texts(table)[:2] == [["", "approved"], ["", "owns_house", "no", "yes"]]
    assert len(table.select("thead .of-class")) == 2


def test_a_table_on_its_side_keeps_what_its_columns_are_before_them() -> None:
    frame = pd.DataFrame([[5, 2]], index=["errors"], columns=pd.Index([3, 4], name="leaves"))
    assert texts(shown(frame)) == [["leaves", "3", "4"], ["errors", "5", "2"]]


def test_a_header_that_says_nothing_is_left_out() -> None:
    assert texts(shown(pd.Series({"e": 2.718}).to_frame(""))) == [["e", "2.718"]]


def test_an_answer_is_no_class() -> None:
    assert shown(counts().rename_axis(columns="branch")).select(".of-class") == []


def test_the_name_of_a_target_goes_with_its_classes() -> None:
    frame = counts().assign(share=[0.3, 0.7])[["share"]]
    assert texts(shown(frame))[0] == ["owns_house", "share"]


def test_a_group_of_columns_says_that_it_is_one() -> None:
    groups = shown(pd.concat({"before": counts(), "after": counts()}, axis=1)).find_all(
        "th", scope="colgroup"
    )
    assert [(group.get_text(), group["colspan"]) for group in groups] == [
        ("before", "2"),
        ("after", "2"),
        ("approved", "4"),
    ]


def test_a_number_with_its_error_is_a_number() -> None:
    cell = shown(pd.DataFrame({"saved": ["-0.081 ± 0.081", "0.2 ± 0.05"]})).tbody.td
    assert (cell.get_text(), cell["class"]) == ("−0.081 ± 0.081", ["number"])


def test_columns_that_count_a_class_have_its_color_and_other_columns_none() -> None:
    head, first, _ = shown(counts().assign(entropy=[0.918, 0.0])).find_all("tr")[1:]
    colors = [[name for name in cell.get("class", []) if name.startswith("class-")] for cell in head]
    assert colors == [[], ["class-0"], ["class-1"], []]
    assert [cell.get_text() for cell in first.select(".class-1")] == ["3"]


def test_a_class_among_the_values_has_its_color_in_the_column_of_the_target_only() -> None:
    table = shown(pd.DataFrame({"owns_house": ["yes"], "approved": ["yes"], "class": ["virginica"]}))
    assert [cell["class"][-1] for cell in table.select(".of-class")] == ["class-1", "class-2"]


def test_two_levels_of_columns_and_of_rows_stay_whole() -> None:
    columns = pd.MultiIndex.from_product([["grown", "pruned"], ["leaves", "errors"]])
    wide = pd.DataFrame([[1, 2, 3, 4]], index=pd.Index(["a"], name="tree"), columns=columns)
    assert texts(shown(wide))[:2] == [
        ["", "grown", "pruned"],
        ["tree", "leaves", "errors", "leaves", "errors"],
    ]
    long = pd.DataFrame(
        {"n": [1, 2]}, index=pd.MultiIndex.from_product([["a"], ["x", "y"]], names=["k", "l"])
    )
    assert texts(shown(long)) == [["k", "l", "n"], ["a", "x", "1"], ["y", "2"]]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([1.0, 2.0], ["1", "2"]),
        ([1.0, 2.5], ["1.0", "2.5"]),
        ([1.0, float("nan")], ["1", "–"]),
        ([float("inf"), -0.5], ["∞", "−0.5"]),
        ([(2, 3), ()], ["2, 3", "–"]),
        ([True, False], ["✓", "–"]),
        ([["a", "b"], []], ["a, b", "–"]),
        ([-0.0, 0.0], ["0", "0"]),
        ([-1000, 1658880], ["−1,000", "1,658,880"]),
        ([1000.0, 9999.0], ["1000", "9999"]),
        (["g(t)", "(10.1)"], ["g(t)", "(10.1)"]),
    ],
)
def test_values_are_written_for_readers(values: list, expected: list[str]) -> None:
    assert [row[0] for row in texts(shown(pd.DataFrame({"x": values})))[1:]] == expected


def test_a_cell_that_spans_rows_leaves_the_others_in_their_columns() -> None:
    index = pd.MultiIndex.from_product([["error", "Gini"], [0, 1]], names=["risk", "k"])
    table = shown(pd.DataFrame({"cut": [(2,), (1,), (6, 2), ()]}, index=index))
    assert texts(table)[1:] == [["error", "0", "2"], ["1", "1"], ["Gini", "0", "6, 2"], ["1", "–"]]


def test_numbers_stand_right_and_words_left() -> None:
    table = shown(pd.DataFrame({"word": ["a", "b"], "number": [0.5, float("nan")]}))
    assert [cell.get_text() for cell in table.select(".number")] == ["number", "0.5", "–"]


def test_a_column_of_sentences_may_wrap_and_others_do_not() -> None:
    long = "With many samples for each value, all features leave the same entropy"
    frame = pd.DataFrame({"it says": [long, "short"], "verdict": ["wrong", "right"]}, index=[3, 8])
    cells = shown(frame.rename_axis("claim")).tbody.find_all("td")
    assert ["sentence" in cell.get("class", []) for cell in cells] == [True, False, True, False]


def test_markup_inside_a_cell_stays() -> None:
    cell = '<td><a href="x.html">1.0</a></td>'
    assert cell in page_table(f'<table class="dataframe"><tbody><tr>{cell}</tr></tbody></table>')


def test_no_number_changes_its_digits() -> None:
    for text in ("0.97095", "1e-05", "12,345", "50%", "0.500"):
        assert plain_value(text) == text
