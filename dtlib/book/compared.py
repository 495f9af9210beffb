"""What each estimator can do, asked of the estimators themselves: a table that fills itself (chapter 23)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from textwrap import shorten
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone, is_regressor
from sklearn.datasets import load_iris

from dtlib.counting.tables import contingency
from dtlib.datasets import load_customers, load_regression_points, load_votes, load_watermelon
from dtlib.measures import (
    absolute_error,
    conditional_gini,
    gain_ratio,
    gini,
    information_gain,
    squared_error,
)
from dtlib.tree.tree import Tree

__all__ = ["capabilities", "coins", "criterion", "measured"]

DRAWN_TABLES = 100  # drawn, to find out a criterion
COUNT_MEASURES: dict[str, Callable[..., Any]] = {
    "gain": information_gain, "gain ratio": gain_ratio, "Gini": lambda c: gini(c.sum()) - conditional_gini(c),
}  # fmt: skip
NUMBER_MEASURES: dict[str, Callable[..., Any]] = {"squared error": squared_error, "distance": absolute_error}


@dataclass(frozen=True, eq=False)
class Probe:
    """A table that raises a question, what is read from the tree, and with which options it is grown."""

    X: pd.DataFrame
    y: Any
    read: Callable[[Tree], str]
    options: Mapping[str, Any] = field(default_factory=dict)


def capabilities(family: Mapping[str, Sequence[Any]]) -> tuple[pd.DataFrame, list[str]]:
    """Fit estimators to tables that each raise a question, and read the answers from their trees.

    Parameters
    ----------
    family : mapping of str to sequence of estimators
        The estimators of each algorithm; "no" needs all of them to refuse.

    Returns
    -------
    table : DataFrame
        A row for each question, a column for each algorithm.
    refusals : list of str
        What was said by those that refused, without repetition.

    Examples
    --------
    >>> from dtlib import ID3Classifier
    >>> table, refusals = capabilities({"ID3": [ID3Classifier()]})
    >>> table["ID3"]["a name of 3 values"], table["ID3"]["a number"]
    ('3 branches', 'no')
    >>> refusals[1]
    'ID3Classifier: y has 2 outputs; ID3 predicts one: grow a tree for each'
    """
    said = list[str]()
    table = {
        words: {name: probed(makers, probe, said) for name, makers in family.items()}
        for words, probe in probes().items()
    }
    table["criterion"] = {name: _criteria(makers) for name, makers in family.items()}
    return pd.DataFrame(table).T, [*dict.fromkeys(said)]


def probed(makers: Sequence[Any], probe: Probe, said: list[str]) -> str:
    """Return what is read from the tree of the first estimator that grows one; gather what the others say."""
    for maker in makers:
        try:
            fitted = clone(maker).set_params(**probe.options).fit(probe.X, probe.y)
            return probe.read(fitted.tree_)
        except (TypeError, ValueError) as error:
            said.append(shorten(f"{type(maker).__name__}: {error}", 90))
    return "no"


def probes() -> dict[str, Probe]:
    """Return the questions of the table, each with the table of data that raises it."""
    melons, holes, customers = load_watermelon("3.0"), load_watermelon("2.0a"), load_customers()
    points, votes, flowers = load_regression_points(), load_votes(), load_iris(as_frame=True)
    texture, tens = melons.X[["texture"]], pd.cut(points.X["x"], 5).astype(str).to_frame()
    known = votes.X.astype(object).fillna("unknown")
    asked = {
        "classes": Probe(texture, melons.y, _grown),
        "numbers to predict": Probe(tens, points.y, _grown),
        "two classes at once": Probe(texture, melons.X[["stem", "touch"]], _grown),
        "a name of 3 values": Probe(texture, melons.y, _branch_count),
        "a number": Probe(melons.X[["sugar"]], melons.y, _branch_count),
        "missing values": Probe(holes.X, holes.y, _grown),
        "a name on a path": Probe(customers.X, customers.y, _most_often),
        "a number on a path": Probe(flowers.data, flowers.target, _most_often),
        "not pruned": Probe(known, votes.y, _leaf_count),
    }
    for way in ("reduced_error", "pessimistic", "cv"):
        options = {"prune": way, "random_state": 0}
        asked[f"pruned: {way}".replace("_", " ")] = Probe(known, votes.y, _leaf_count, options)
    return asked


def _grown(tree: Tree) -> str:
    return "yes"


def _branch_count(tree: Tree) -> str:
    return f"{len(tree.root.children)} branches"


def _leaf_count(tree: Tree) -> str:
    return f"{tree.n_leaves} leaves"


def _most_often(tree: Tree) -> str:
    """Say how often a feature stands on one path."""
    paths = [[tree[i].feature for i in leaf.ancestors] for leaf in tree if leaf.is_leaf]
    most = max(path.count(name) for path in paths for name in path)
    return f"up to {most} times" if most > 1 else "once"


def coins(seed: int) -> tuple[pd.DataFrame, pd.Series, pd.Series]:
    """Draw a table of 40 rows: six features of two values, of which the first two make a number and a class.

    Parameters
    ----------
    seed : int
        Says which table is drawn.

    Returns
    -------
    X : DataFrame
        Six columns of a and b.
    z, c : Series
        A number, with noise, and whether it is above one half: yes or no.

    Examples
    --------
    >>> X, z, c = coins(0)
    >>> X.shape, sorted(set(c))
    ((40, 6), ['no', 'yes'])
    """
    rng = np.random.default_rng(seed)
    heads = rng.random((40, 6)) < rng.uniform(0.05, 0.5, 6)
    X = pd.DataFrame(np.where(heads, "a", "b"), columns=list("ABCDEF"))
    z = pd.Series((heads[:, 0] | heads[:, 1]) + rng.normal(size=40))
    return X, z, (z > 0.5).map({True: "yes", False: "no"})


def measured(X: pd.DataFrame, y: pd.Series) -> pd.DataFrame:
    """Compute what each feature would gain at the root, by each measure that fits.

    Parameters
    ----------
    X : DataFrame
        Names.
    y : Series
        Classes; or numbers, of which the fall of the error is measured.

    Returns
    -------
    DataFrame
        A row for each feature; a column for each measure, the larger the better.

    Examples
    --------
    >>> X, z, c = coins(0)
    >>> list(measured(X, c)), list(measured(X, z))
    (['gain', 'gain ratio', 'Gini'], ['squared error', 'distance'])
    """
    if pd.api.types.is_numeric_dtype(y):
        parts = {A: y.groupby(X[A]).agg(list) for A in X}
        found = {
            name: {A: f(y) - sum(map(f, part)) for A, part in parts.items()}
            for name, f in NUMBER_MEASURES.items()
        }
    else:
        counts = {A: contingency(X.assign(y=y), A, "y") for A in X}
        found = {name: {A: float(f(c)) for A, c in counts.items()} for name, f in COUNT_MEASURES.items()}
    return pd.DataFrame(found).fillna(0)


@cache
def _drawn(numbers: bool) -> list[tuple[pd.DataFrame, pd.Series, pd.DataFrame]]:
    """Return tables, what is to be predicted, and what each feature would gain."""
    drawn = [(X, z if numbers else c) for X, z, c in map(coins, range(DRAWN_TABLES))]
    return [(X, y, measured(X, y).round(9)) for X, y in drawn]


def criterion(estimator: Any) -> pd.Series:
    """Find out by which measure an estimator asks its first question, from outside.

    It is asked of a hundred tables of `coins`; for each measure, count how often it is largest for what was
    chosen.

    Parameters
    ----------
    estimator : estimator
        One of classes or of numbers.

    Returns
    -------
    Series
        The share of the tables, for each measure.

    Examples
    --------
    >>> from dtlib import ID3Classifier
    >>> criterion(ID3Classifier()).idxmax()
    'gain'
    """
    tables = _drawn(is_regressor(estimator))
    stump = clone(estimator)
    if "max_depth" in stump.get_params():
        stump.set_params(max_depth=1)
    hits = [table.idxmax() == stump.fit(X, y).tree_.root.feature for X, y, table in tables]
    return pd.DataFrame(hits).mean()


def _criteria(makers: Sequence[Any]) -> str:
    """Say by which measures estimators choose, and how often they do; "no" if they take no names."""
    try:
        shares = [criterion(maker) for maker in makers]
    except (TypeError, ValueError):
        return "no"
    return ", ".join(f"{share.idxmax()} {share.max():.0%}" for share in shares)
