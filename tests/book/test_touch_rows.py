"""The widget *move the rows* holds the table and the tree of chapter 1."""

from __future__ import annotations

from typing import Any

import pandas as pd
from touchable.rows import data

from dtlib import ID3Classifier
from dtlib.datasets import load_loan
from tests.book.notebooks import chapter, load


def test_it_stands_below_the_rules() -> None:
    cells = {cell.id: cell.tags for cell in load(chapter("what_a_tree_is")).code}
    assert [name for name, tags in cells.items() if "touch:rows" in tags] == ["rules-table"]


def test_the_rows_are_those_of_the_table() -> None:
    found, loan = data(), load_loan()
    names = [feature["name"] for feature in found["features"]]
    values = [
        [feature["values"][v] for feature, v in zip(found["features"], row["x"], strict=True)]
        for row in found["rows"]
    ]
    assert values == loan.X[names].to_numpy().tolist()
    assert [found["classes"][row["y"]] for row in found["rows"]] == loan.y.tolist()
    assert [row["id"] for row in found["rows"]] == [str(row) for row in loan.X.index]


def test_the_tree_says_what_the_library_says_of_every_applicant() -> None:
    found, loan = data(), load_loan()
    people = pd.MultiIndex.from_product([feature["values"] for feature in found["features"]])
    X = pd.DataFrame(list(people), columns=loan.X.columns)
    said = ID3Classifier().fit(loan.X, loan.y).predict(X)
    codes = zip(*(X[f["name"]].map(f["values"].index) for f in found["features"]), strict=True)
    assert [found["classes"][leaf(found["tree"], x)["says"]] for x in codes] == list(said)


def leaf(node: dict[str, Any], x: tuple[int, ...]) -> dict[str, Any]:
    """Return the leaf of a row."""
    while "below" in node:
        node = node["below"][x[node["f"]]]
    return node
