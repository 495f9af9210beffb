"""The table that a picture of a tree was grown from, and the rows of each node.

A page tries the data sets that its cells load, and the parts of them that its chapter takes. The rows go down
the paths of the picture; a table is the one only if it gives the counts of every node.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd
from sklearn import datasets

import dtlib.datasets
from dtlib.book.board import titanic_parts
from touchable.explained.told import OF_NUMBER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from touchable.explained.told import Picture

LOADED = re.compile(r"\b(?P<name>load_\w+)\((?:\"(?P<version>[^\"]*)\"|as_frame=True)?\)")
DTLIB = tuple(name for name in dtlib.datasets.__all__ if name.startswith("load_"))
SKLEARN = ("load_iris", "load_breast_cancer", "load_wine")


class Table(NamedTuple):
    """A table, its column of classes, and what it is called."""

    name: str
    frame: pd.DataFrame
    target: str


def candidates(docname: str, sources: list[str]) -> Iterator[Table]:
    """Yield the tables that a page may have grown a tree from: what it loads, and what it makes of that."""
    calls = {(m["name"], m["version"] or "") for source in sources for m in LOADED.finditer(source)}
    yield from (loaded(*call) for call in sorted(calls) if call[0] in DTLIB + SKLEARN)
    if any("titanic_parts()" in source for source in sources):
        training, _ = titanic_parts()
        yield Table("training passengers", training.frame, training.target)
    if docname in PARTS:
        yield PARTS[docname]()


@cache
def loaded(name: str, version: str) -> Table:
    """Load a data set as a chapter does.

    >>> loaded("load_watermelon", "3.0").frame.shape, loaded("load_iris", "").target
    ((17, 9), 'class')
    """
    if name in DTLIB:
        data = getattr(dtlib.datasets, name)(*[version] if version else [])
        return Table(data.name, data.frame, data.target)
    data = getattr(datasets, name)(as_frame=True)
    frame = data.data.rename(columns=lambda column: column.removesuffix(" (cm)"))
    return Table(name, frame.assign(**{"class": data.target_names[data.target]}), "class")


def training_melons() -> Table:
    """Return the melons that chapter 12 grows its tree from; a test holds this to its cells."""
    melons = loaded("load_watermelon", "")
    frame = melons.frame.drop(index=[4, 5, 8, 9, 11, 12, 13])
    said = frame["good"].map({"yes": "good", "no": "not good"})
    return Table("training melons", frame.assign(good=said), "good")


def fewer_loans() -> Table:
    """Return the loans of chapter 16, without the fourth."""
    loan = loaded("load_loan", "")
    return Table("fewer loans", loan.frame.drop(index=4), loan.target)


def grouped_melons() -> Table:
    """Return the melons of chapter 23, whose numbers are low, middle or high."""
    melons = loaded("load_watermelon", "3.0")
    numbers, labels = melons.frame[["density", "sugar"]], ["low", "middle", "high"]
    groups = {name: pd.qcut(column, 3, labels=labels) for name, column in numbers.items()}
    return Table("grouped melons", melons.frame.assign(**groups), melons.target)


#: What chapters make of a data set before they grow a tree from it.
PARTS = {
    "chapters/12_overfitting": training_melons,
    "chapters/16_forests": fewer_loans,
    "chapters/23_side_by_side": grouped_melons,
}


def rows_of(picture: Picture, table: Table) -> list[np.ndarray] | None:
    """Return the places of the rows of each node, or nothing if the table is not the one of the picture.

    >>> from dtlib import ID3Classifier, draw
    >>> from dtlib.datasets import load_golf, load_loan
    >>> from touchable.explained.told import read
    >>> loan = load_loan()
    >>> picture = read(draw.tree(ID3Classifier().fit(loan.X, loan.y).tree_).svg)
    >>> [len(rows) for rows in rows_of(picture, Table("loan", loan.frame, "approved"))]
    [15, 9, 6, 6, 3]
    >>> rows_of(picture, Table("golf", load_golf().frame, "play"))
    """
    found: list[np.ndarray] = []
    for node in picture.nodes:
        if node.parent < 0:
            rows = np.arange(len(table.frame))
        else:
            above = picture.nodes[node.parent]
            rows = taken(table.frame, found[node.parent], above.question, node.condition)
        classes = table.frame[table.target].iloc[rows].astype(str)
        counts = [(classes == name).sum() for name in picture.classes]
        if tuple(counts) != node.counts or sum(counts) != len(rows):
            return None
        found.append(rows)
    return found


def taken(frame: pd.DataFrame, rows: np.ndarray, question: str, condition: str) -> np.ndarray:
    """Return those of some rows that fulfil a condition, one of the answers to a question.

    >>> melons = loaded("load_watermelon", "3.0").frame
    >>> taken(melons, np.arange(17), "density ≤ 0.3815", "density ≤ 0.3815")
    array([ 9, 10, 11, 14])
    >>> len(taken(melons, np.arange(17), "color", "color in {green, pale}"))
    11
    """
    number = OF_NUMBER.fullmatch(question)
    if number and number["feature"] in frame:
        values = frame[number["feature"]].iloc[rows]
        if not pd.api.types.is_numeric_dtype(values):
            return rows[:0]
        bound, is_up_to = float(number["bound"]), number["sign"] == "≤"
        first = values <= bound if is_up_to else values < bound
        return rows[first if condition == question else ~first & values.notna()]
    if question not in frame:
        return rows[:0]
    answer = condition.removeprefix(question)
    names = f", {answer[5:-1]}, " if answer.startswith(" in {") else f", {answer[3:]}, "
    return rows[[f", {value}, " in names for value in frame[question].iloc[rows]]]
