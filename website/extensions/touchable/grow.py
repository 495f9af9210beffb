"""The widget *grow it yourself*: a table, and the trees that the three algorithms grow from it.

``touch:grow:golf`` takes the table of that name in `TABLES`. A second argument says what is asked:
``branches``, one for each name, as in ID3 and C4.5; or ``two``, as in CART.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from sklearn.base import clone

from dtlib import C45Classifier, CARTClassifier, ID3Classifier
from dtlib.datasets import Dataset, load_customers, load_golf, load_loan, load_watermelon
from dtlib.tree.splits import Threshold
from touchable.arguments import check

if TYPE_CHECKING:
    import pandas as pd

    from dtlib.tree.node import Node

PROGRAMS = {"ID3": ID3Classifier(), "C4.5": C45Classifier(), "CART": CARTClassifier(missing="majority")}
ASKS = ("branches", "two")


class Table(NamedTuple):
    """A table to grow from: how it is loaded, what one of its rows is called, and many, what is asked."""

    load: Callable[[], Dataset]
    one: str
    many: str
    title: str


MELON = ("melon", "melons", "Which melon is good?")
TABLES = {
    "customers": Table(load_customers, "customer", "customers", "Which class is a customer of?"),
    "golf": Table(load_golf, "day", "days", "On which days is golf played?"),
    "loan": Table(load_loan, "applicant", "applicants", "Who gets the loan?"),
    "watermelon_2": Table(load_watermelon, *MELON),
    "watermelon_2_missing": Table(partial(load_watermelon, "2.0a"), *MELON),
    "watermelon_3": Table(partial(load_watermelon, "3.0"), *MELON),
}


def data(name: str, asks: str = "branches") -> dict[str, Any]:
    """Return the table and the programs' trees.

    >>> found = data("golf")
    >>> [column["name"] for column in found["table"]["columns"]], found["title"]
    (['outlook', 'temperature', 'humidity', 'windy'], 'On which days is golf played?')
    >>> [(program["name"], program["leaves"], program["errors"]) for program in found["programs"]]
    [('C4.5', 5, 0), ('CART', 5, 0)]
    """
    check(name, TABLES, "table")
    check(asks, ASKS, "way to ask")
    load, one, many, title = TABLES[name]
    table = load()
    return {
        "title": title, "one": one, "many": many, "asks": asks, "target": table.target,
        "table": in_script(table), "ids": table.frame.index.tolist(),
        "classes": table.y.cat.categories.tolist(),
        "programs": [grown(name, model, table) for name, model in readers(table).items()],
    }  # fmt: skip


def in_script(table: Dataset) -> dict[str, Any]:
    """Return a table as the script has it: codes of names, numbers, null where a value is missing."""
    return {
        "columns": [column_in_script(str(name), column) for name, column in table.X.items()],
        "y": table.y.cat.codes.tolist(),
        "K": len(table.y.cat.categories),
        "least": 1,
    }


def column_in_script(name: str, column: pd.Series) -> dict[str, Any]:
    """Return a column as the script has it.

    >>> import pandas as pd
    >>> column_in_script("x", pd.Series([0.5, None]))
    {'name': 'x', 'numbers': [0.5, None]}
    >>> column_in_script("x", pd.Series(pd.Categorical(["a", None])))
    {'name': 'x', 'names': ['a'], 'codes': [0, None]}
    """
    if column.dtype != "category":
        return {"name": name, "numbers": [None if np.isnan(x) else x for x in column.tolist()]}
    codes = [None if code < 0 else code for code in column.cat.codes.tolist()]
    return {"name": name, "names": column.cat.categories.tolist(), "codes": codes}


def readers(table: Dataset) -> dict[str, Any]:
    """Return the programs that read a table, not yet fitted: ID3 reads neither numbers nor gaps.

    >>> list(readers(load_golf()))
    ['C4.5', 'CART']
    """
    names_only = all(column.dtype == "category" for _, column in table.X.items())
    reads = names_only and not table.X.isna().any(axis=None)
    return {name: clone(model) for name, model in PROGRAMS.items() if reads or name != "ID3"}


def grown(name: str, model: Any, table: Dataset) -> dict[str, Any]:
    """Grow a tree, and return it with its leaves, its errors, and the questions it asks of a row."""
    tree = model.fit(table.X, table.y).tree_
    leaves = [node for node in tree if node.is_leaf]
    return {
        "name": name,
        "leaves": len(leaves),
        "errors": int((model.predict(table.X) != table.y.to_numpy()).sum()),
        "questions": sum(node.n * node.depth for node in leaves) / tree.root.n,
        "asWhole": tree.missing == "majority",  # a row whose value is missing goes to the largest branch
        "tree": nested(tree.root, table.X),
    }


def nested(node: Node, X: pd.DataFrame) -> dict[str, Any]:
    """Return a node and what is below it: its split and its children, or nothing for a leaf."""
    if node.is_leaf:
        return {}
    split, f = node.split, X.columns.get_loc(node.feature)
    below = [nested(child, X) for child in node.children]
    if isinstance(split, Threshold):
        return {"split": {"f": f, "threshold": split.threshold, "groups": None}, "children": below}
    code = {value: i for i, value in enumerate(X[node.feature].cat.categories)}
    groups = [[code[value] for value in group] for group in split.groups]
    return {"split": {"f": f, "groups": groups}, "children": below}
