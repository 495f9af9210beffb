"""The widget *one applicant withdraws* of chapter 16: the trees of all loans but one, beside the tree of all.

It has the tree, the gains at its root, and what it answers to every applicant that the features can describe.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import pandas as pd

from dtlib import ID3Classifier, draw
from dtlib.datasets import load_loan
from touchable.tree_pictures import numbered

if TYPE_CHECKING:
    from dtlib.tree.tree import Tree


def every(X: pd.DataFrame) -> pd.DataFrame:
    """Return every combination of the values, those of the last feature changing first.

    >>> len(every(load_loan().X))
    36
    """
    return pd.DataFrame(product(*(X[A].cat.categories for A in X)), columns=X.columns)


def says(tree: Tree) -> list[tuple[frozenset[str], str]]:
    """Return where each node is, in any order of the questions, and what it asks or answers.

    >>> loan = load_loan()
    >>> where, what = says(ID3Classifier().fit(loan.X, loan.y).tree_)[3]
    >>> sorted(where), what
    (['has_job = no', 'owns_house = no'], 'no')
    """
    trace = tree.trace()
    told = zip(trace["path"], trace["split"], trace["leaf"], strict=True)
    return [(frozenset(path.split(" and ")), split or leaf) for path, split, leaf in told]


def grown(X: pd.DataFrame, y: pd.Series, without: int | None) -> ID3Classifier:
    """Grow the tree of all rows but one, or of all."""
    left = X.index != without
    return ID3Classifier().fit(X[left], y[left])


def told(model: ID3Classifier, full: ID3Classifier, X: pd.DataFrame) -> dict[str, Any]:
    """Return what there is to say of a tree, as numbers of features, classes and nodes."""
    tree, known = model.tree_, set(says(full.tree_))
    gains = tree.explain(0).set_index("feature")["gain"]
    classes = list(full.classes_)
    return {
        "root": list(X).index(tree.root.feature),
        "leaves": tree.n_leaves,
        "gains": [round(float(gains[A]), 6) for A in X],
        "new": [node for node, said in enumerate(says(tree)) if said not in known],
        "answers": [classes.index(answer) for answer in model.predict(every(X))],
    }


def data() -> dict[str, Any]:
    """Return the table, and the tree without each of its rows; the first is the tree of all.

    >>> found = data()
    >>> [found["features"][tree["root"]] for tree in found["trees"][:5]]
    ['owns_house', 'owns_house', 'credit', 'owns_house', 'credit']
    """
    loan = load_loan()
    X, y = loan.X, loan.y
    models = [grown(X, y, without) for without in (None, *X.index)]
    pictures = [numbered(draw.tree(model.tree_).svg) for model in models]
    distinct = list(dict.fromkeys(pictures))
    trees = [told(model, models[0], X) for model in models]
    for tree, picture in zip(trees, pictures, strict=True):
        tree["picture"] = distinct.index(picture)
    return {
        "features": list(X),
        "values": [list(X[A].cat.categories) for A in X],
        "target": y.name,
        "classes": list(models[0].classes_),
        "names": [int(name) for name in X.index],
        "rows": [[X[A].cat.codes[i].item() for A in X] for i in X.index],
        "given": [list(models[0].classes_).index(answer) for answer in y],
        "trees": trees,
        "pictures": distinct,
        "first": list(X.index).index(4) + 1,  # the tree of Figure 16.1
    }
