"""A tree whose questions are yours: the table only fills in the counts (chapter 1)."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from dtlib.measures import entropy
from dtlib.table.columns import Column, Feature, encode
from dtlib.tree import reasons
from dtlib.tree.tree import Tree

__all__ = ["tree_by_hand"]

Questions = Any  # a class, or {feature: {value: questions below}}


def tree_by_hand(questions: Questions, X: pd.DataFrame, y: pd.Series) -> Tree:
    """Count a table into a tree that was written down, not grown.

    Parameters
    ----------
    questions : class or dict
        A leaf is a class; a node that asks is ``{feature: {value: questions below, ...}}``, with a branch for
        each value of the feature.
    X : DataFrame
        The features that may be asked, all names.
    y : Series
        The class of each row.

    Returns
    -------
    Tree
        What each node counts, and predicts, comes from the table.

    Raises
    ------
    ValueError
        If a node asks two features or one that `X` has not, a value has no branch or is none of the
        feature's, or a leaf is no class of `y`.

    Examples
    --------
    >>> from dtlib.datasets import load_loan
    >>> loan = load_loan()
    >>> print(tree_by_hand({"has_job": {"no": "no", "yes": "yes"}}, loan.X, loan.y))
    root (no 6, yes 9)
    ├── has_job = no (no 6, yes 4) → no
    └── has_job = yes (no 0, yes 5) → yes
    """
    columns, classes = [encode(X[name]) for name in X], encode(y)
    nodes = [(questions, np.ones(len(y), bool))]
    feature, n_values = list[int](), list[int]()
    for here, rows in nodes:  # grows while it is walked
        place, branches = _asked(here, columns, classes)
        feature.append(place)
        n_values.append(len(branches))
        nodes += [(below, rows & (columns[place].codes == code)) for code, below in enumerate(branches)]
    summary = np.array([np.bincount(classes.codes[rows], minlength=len(classes.values)) for _, rows in nodes])
    return Tree(
        tuple(Feature(column.name, tuple(column.values)) for column in columns),
        (Feature(classes.name, tuple(classes.values)),),
        "entropy",
        feature=np.array(feature),
        threshold=np.full(len(nodes), np.nan),
        n_values=np.array(n_values),
        code=np.concatenate([np.arange(n) for n in n_values]),
        branch=np.concatenate([np.arange(n) for n in n_values]),
        summary=summary,
        n=summary.sum(1),
        impurity=np.asarray(entropy(summary)),
        gain=_gains(summary, n_values),
        stop=np.where(np.array(feature) < 0, reasons.code_of(reasons.BY_HAND), 0),
    )


def _asked(questions: Questions, columns: Sequence[Column], classes: Column) -> tuple[int, list[Questions]]:
    """Return the place of the column that a node asks, and what stands below its values; -1 for a leaf."""
    if not isinstance(questions, dict):
        if questions not in classes.values:
            raise ValueError(f"a leaf is {questions!r}; the classes are {list(classes.values)}")
        return -1, []
    names = [column.name for column in columns]
    if len(questions) != 1 or next(iter(questions)) not in names:
        raise ValueError(f"a node asks {list(questions)}; wanted one of {names}")
    [(name, below)] = questions.items()
    values = columns[names.index(name)].values
    if {*below} != {*values}:
        raise ValueError(f"{name} has the branches {list(below)}; its values are {list(values)}")
    return names.index(name), [below[value] for value in values]


def _gains(summary: np.ndarray, n_values: list[int]) -> np.ndarray:
    """Return what the question of each node gains, 0 for a leaf."""
    n, H, first = summary.sum(1), np.asarray(entropy(summary)), 1
    gain = np.zeros(len(n))
    for node, below in enumerate(n_values):
        kids = slice(first, first + below)
        if below and n[node]:
            gain[node] = H[node] - n[kids] @ H[kids] / n[node]
        first += below
    return gain
