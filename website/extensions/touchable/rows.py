"""The widget *move the rows* of chapter 1: the fifteen applicants, and the tree through which they fall."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dtlib import ID3Classifier
from dtlib.datasets import load_loan

if TYPE_CHECKING:
    from dtlib.tree.node import Node


def data() -> dict[str, Any]:
    """Return the features, the classes, the rows as numbers of values, and the tree as nested questions.

    >>> found = data()
    >>> found["rows"][2], found["tree"]["f"]
    ({'id': '3', 'x': [0, 1, 0, 1], 'y': 1}, 2)
    """
    table = load_loan()
    X, y = table.X, table.y
    classes = list(y.cat.categories)
    codes = X.apply(lambda column: column.cat.codes).to_numpy().tolist()
    features = [{"name": A, "values": list(X[A].cat.categories)} for A in X]
    each = zip(X.index, codes, y.cat.codes.tolist(), strict=True)
    return {
        "features": features,
        "classes": classes,
        "rows": [{"id": str(row), "x": x, "y": c} for row, x, c in each],
        "tree": nested(ID3Classifier().fit(X, y).tree_.root, features, classes),
    }


def nested(node: Node, features: list[dict[str, Any]], classes: list[str]) -> dict[str, Any]:
    """Return the class of a leaf, or the feature that a node asks for and what is below each value."""
    if node.is_leaf:
        return {"says": classes.index(node.prediction)}
    f = [feature["name"] for feature in features].index(str(node.feature))
    below = {child.branch: nested(child, features, classes) for child in node.children}
    return {"f": f, "below": [below[value] for value in features[f]["values"]]}
