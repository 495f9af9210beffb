"""The widget *drag the threshold*: a number, its cuts, and what each of them is worth.

The tag ``touch:threshold:sugar:gini:gain`` asks for the cuts of ``sugar``, judged first by the decrease of
the Gini index, then by the gain.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from dtlib import C45Classifier, CARTClassifier
from dtlib.datasets import load_golf, load_watermelon
from dtlib.measures import entropy, gini
from dtlib.numbers import format_number
from touchable.arguments import check

if TYPE_CHECKING:
    from collections.abc import Callable

    from dtlib.datasets import Dataset

#: The feature -> its table. Each name occurs in one table of the book only.
TABLES: dict[str, Callable[[], Dataset]] = {
    "density": partial(load_watermelon, "3.0"),
    "sugar": partial(load_watermelon, "3.0"),
    "temperature": load_golf,
    "humidity": load_golf,
}
#: The measure -> what chooses the threshold, and the column of its `explain` that holds the measure.
JUDGES: dict[str, tuple[Callable[[], C45Classifier | CARTClassifier], str]] = {
    "gain": (C45Classifier, "gain"),
    "ratio": (C45Classifier, "gain_ratio"),
    "charge": (partial(C45Classifier, mdl_correction=True), "gain"),
    "gini": (CARTClassifier, "gain"),
}
IMPURITIES = {"entropy": entropy, "gini": gini}
PLACES = 9  # of the numbers in the page, which shows four at most


def data(feature: str, *measures: str) -> dict[str, Any]:
    """Return the samples in the order of a feature, its cuts, and each cut judged by each measure.

    >>> found = data("sugar", "gini", "gain")
    >>> [found["cuts"][judged["best"]]["at"] for judged in found["measures"]]
    ['0.2045', '0.126']
    >>> found["cuts"][4]
    {'at': '0.126', 'below': [5, 0], 'above': [4, 8], 'boundary': True}
    """
    check(feature, TABLES, "feature")
    for measure in measures:
        check(measure, JUDGES, "measure")
    table = TABLES[feature]()
    counts = pd.crosstab(table.X[feature], table.y)
    codes = pd.Series(range(counts.shape[1]), index=counts.columns)
    points = sorted(zip(table.X[feature].tolist(), codes[table.y].tolist(), strict=True))
    return {
        "feature": feature,
        "classes": list(counts.columns),
        "points": points,
        "cuts": tables_of_cuts(counts),
        "impurities": {name: impurities(counts, name) for name in IMPURITIES},
        "measures": [judge(table, feature, measure) for measure in measures or ("gain",)],
    }


def judge(table: Dataset, feature: str, measure: str) -> dict[str, Any]:
    """Return what a measure says of each cut, and which cut the library chooses.

    The tree may ask for nothing else, so its root asks the best question of the feature.
    """
    model, column = JUDGES[measure]
    lines = model().fit(table.X[[feature]], table.y).tree_.explain(0, feature)
    found = {
        "key": measure,
        "values": lines[column].round(PLACES).tolist(),
        "best": int(np.flatnonzero(lines["chosen"])[0]),
    }
    if measure == "ratio":
        found["gain"] = lines["gain"].round(PLACES).tolist()
        found["by"] = lines["split_information"].round(PLACES).tolist()
    elif measure == "charge":
        found["charge"] = round(float(lines["charge"].iloc[0]), PLACES)
        found["gain"] = (lines["gain"] + lines["charge"]).round(PLACES).tolist()
    return found


def tables_of_cuts(counts: pd.DataFrame) -> list[dict[str, Any]]:
    """Return each cut (6.1), the counts of the classes on both its sides, and whether it is a boundary.

    >>> tables_of_cuts(pd.DataFrame({"no": [2, 0, 0], "yes": [0, 1, 1]}, index=[1.0, 2.0, 4.0]))[1]
    {'at': '3', 'below': [2, 1], 'above': [0, 1], 'boundary': False}
    """
    n, values = counts.to_numpy(), counts.index.to_numpy(float)
    cuts = (x.tolist() for x in ((values[:-1] + values[1:]) / 2, values[:-1], values[1:]))
    below = n.cumsum(axis=0)[:-1]
    boundary = ((n[:-1] + n[1:]) > 0).sum(axis=1) > 1
    return [
        {
            "at": format_number(middle, low, high, digits=6),
            "below": left.tolist(),
            "above": (n.sum(axis=0) - left).tolist(),
            "boundary": bool(edge),
        }
        for middle, low, high, left, edge in zip(*cuts, below, boundary, strict=True)
    ]


def impurities(counts: pd.DataFrame, name: str) -> dict[str, Any]:
    """Return an impurity of all samples, and of those below and above each cut."""
    of, n = IMPURITIES[name], counts.to_numpy()
    below = n.cumsum(axis=0)[:-1]
    return {
        "all": round(float(of(n.sum(axis=0))), PLACES),
        "below": np.round(of(below), PLACES).tolist(),
        "above": np.round(of(n.sum(axis=0) - below), PLACES).tolist(),
    }
